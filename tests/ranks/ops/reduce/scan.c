/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/reduce/scan.c - running sums, products and extremes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tensors.h"

/* ---- What is expected -----------------------------------------------------
 */

typedef enum scan_kind { SUM, PRODUCT, MAX, MIN, LOGSUMEXP } scan_kind;

/* One line of a matrix: what all elements up to each come to, and for extremes
 * where they lie. */
static void expect_line(scan_kind kind, const double *values, int64_t count,
                        int64_t stride, double *out, double *indexes)
{
    double so_far = kind == PRODUCT ? 1 : 0, place = -1;
    for (int64_t i = 0; i < count; i++) {
        const double x = values[i * stride];
        bool wins = place < 0 || isnan(x);
        if (kind == MAX || kind == MIN)
            wins = wins || (!isnan(so_far) &&
                            (kind == MAX ? x >= so_far : x <= so_far));
        if (kind == SUM)
            so_far += x;
        else if (kind == PRODUCT)
            so_far *= x;
        else if (kind == LOGSUMEXP)
            so_far += exp(x);
        else if (wins)
            so_far = x;
        if (wins)
            place = (double)i;
        out[i * stride] = kind == LOGSUMEXP ? log(so_far) : so_far;
        indexes[i * stride] = place;
    }
}

static void expect(scan_kind kind, dt_shape shape, int dim,
                   const double *values, double *out, double *indexes)
{
    int64_t inner = 1, outer = 1;
    for (int d = 0; d < shape.ndim; d++)
        if (d != dim)
            *(d < dim ? &outer : &inner) *= shape.dims[d];
    for (int64_t i = 0; i < outer; i++)
        for (int64_t j = 0; j < inner; j++) {
            const int64_t at = i * shape.dims[dim] * inner + j;
            expect_line(kind, values + at, shape.dims[dim], inner, out + at,
                        indexes + at);
        }
}

static dt_tensor *scan(scan_kind kind, dt_tensor *x, int dim,
                       dt_tensor **indexes)
{
    dt_tensor *values = NULL;
    dt_world *world = dt_tensor_world(x);
    if (kind == MAX)
        CHECK_OK(world, dt_cummax(x, dim, &values, indexes));
    else if (kind == MIN)
        CHECK_OK(world, dt_cummin(x, dim, &values, indexes));
    else
        values = kind == SUM       ? dt_cumsum(x, dim)
                 : kind == PRODUCT ? dt_cumprod(x, dim)
                                   : dt_logcumsumexp(x, dim);
    return values;
}

static void check_scan(dt_mesh *mesh, const char *layout, scan_kind kind,
                       dt_dtype dtype, dt_shape shape, int dim,
                       const double *values)
{
    static _Thread_local double wanted[ELEMENTS_MAX], places[ELEMENTS_MAX];
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *indexes = NULL;
    expect(kind, shape, dim, values, wanted, places);
    dt_tensor *x = tensor_of(mesh, layout, dtype, shape, values);
    const uint64_t before = calls_so_far(world);
    dt_tensor *out = scan(kind, x, dim, &indexes);
    CHECK(calls_so_far(world) - before <= 1);
    check_layout(out, layout);
    check_values(out, wanted, dt_shape_count(shape));
    if (kind == MAX || kind == MIN)
        check_values(indexes, places, dt_shape_count(shape));
    if (!CHECK_OK(world, dt_scope_close(scope)))
        CHECKF(false, "kind %d, %s of %s along %d", kind, layout,
               dt_dtype_name(dtype), dim);
}

/* Few different numbers, so that most are met again; none is 0. */
static void few_values(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)((i * 7 + 5) % 5) / 2 - 1 + (i * 7 % 5 == 2);
}

/* ---- Scans ----------------------------------------------------------------
 */

static void scans_of_parts(dt_world *world)
{
    static const int64_t extents[] = {1, 2, 3, 5, 8, 13};
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "_S(0,2)",
                                          "_S(0,3)"};
    dt_mesh *mesh = mesh_of_all(world);
    double values[ELEMENTS_MAX];
    for (size_t e = 0; e < COUNT_OF(extents); e++)
        for (size_t i = 0; i < COUNT_OF(layouts); i++)
            for (scan_kind kind = SUM; kind <= LOGSUMEXP; kind++) {
                const dt_shape shape = DT_SHAPE(extents[e], 6);
                few_values(values, dt_shape_count(shape));
                check_scan(mesh, layouts[i], kind, DT_F32, shape, 0, values);
                check_scan(mesh, layouts[i], kind, DT_F64, shape, 1, values);
            }
    dt_mesh_release(mesh);
}

static void scans_on_grids(dt_world *world)
{
    static const char *const layouts[] = {"S(0)[0]S(0)[1]", "S(0)S(1)",
                                          "S(1)S(0)",       "S(0)[1]S(0)[0]",
                                          "RS(0)",          "_S(0,2)S(0)"};
    dt_mesh *mesh = NULL;
    double values[ELEMENTS_MAX];
    CHECK_OK(world,
             dt_mesh_create(
                 world, dt_world_size(world) == 4 ? "a=2,b" : "a,b=1", &mesh));
    few_values(values, 7 * 2 * 3);
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (scan_kind kind = SUM; kind <= LOGSUMEXP; kind++)
            check_scan(mesh, layouts[i], kind, DT_F32, DT_SHAPE(7, 2, 3), 0,
                       values);
    dt_mesh_release(mesh);
}

static void scans_of_other_dtypes(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_I8, DT_I64, DT_U8, DT_BF16, DT_F16};
    dt_mesh *mesh = mesh_of_all(world);
    double values[20];
    for (int i = 0; i < 20; i++)
        values[i] = 1 + i * 3 % 4;
    for (size_t t = 0; t < COUNT_OF(dtypes); t++)
        for (scan_kind kind = SUM; kind <= MIN; kind++)
            if (kind != PRODUCT)
                check_scan(mesh, "S(0)", kind, dtypes[t], DT_SHAPE(10, 2), 0,
                           values);
    dt_mesh_release(mesh);
}

static void scans_of_nan(dt_world *world)
{
    const double nan = (double)NAN;
    const double values[] = {3, 1, 4, nan, 5, 9, nan, 2};
    dt_mesh *mesh = mesh_of_all(world);
    for (scan_kind kind = SUM; kind <= LOGSUMEXP; kind++)
        check_scan(mesh, "S(0)", kind, DT_F32, DT_SHAPE(8), 0, values);
    dt_mesh_release(mesh);
}

/* 2^24 + 1 is no f32: sums of many ones would stay there. */
static void long_sums_lose_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t count = (INT64_C(1) << 24) + 64;
    const double last = (double)count;
    dt_tensor *ones = dt_ones(f.mesh, "S(0)", DT_F32, DT_SHAPE(count));
    dt_tensor *sums = dt_cumsum(ones, 0);
    check_layout(sums, "S(0)");
    check_values(dt_select(sums, 0, -1), &last, 1);
    close_fixture(&f);
}

static void a_scan_along_a_cut_dimension_is_one_call(dt_world *world)
{
    fixture f = open_fixture(world);
    const unsigned many = dt_world_size(world) > 1;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(9, 4));
    check_layout(dt_cumsum(x, 0), "S(0)");
    CHECK_INT(calls_counted(&f), many);
    CHECK_INT((long long)dt_trace_count(world, DT_ALL_GATHER).calls, many);
    start_counting(&f);
    check_layout(dt_cumsum(x, 1), "S(0)");
    check_silent(&f);
    close_fixture(&f);
}

static void sums_of_partial_values_stay_partial(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[12] = {0}, so_far[4] = {0};
    dt_tensor *x = make_tensor(&f, "P(sum)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *sums = dt_cumsum(x, 0);
    check_layout(sums, "P(sum)");
    check_silent(&f);
    for (int i = 0; i < 12; i++) {
        so_far[i % 4] += value_at(i);
        wanted[i] = so_far[i % 4];
    }
    check_values(sums, wanted, 12);
    x = make_tensor(&f, "P(max)", DT_F32, DT_SHAPE(3, 4));
    dt_cumsum(x, 0);
    check_sent(&f);
    close_fixture(&f);
}

static void scans_in_place_and_into(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ELEMENTS_MAX], places[ELEMENTS_MAX], values[ELEMENTS_MAX];
    for (int i = 0; i < 28; i++)
        values[i] = value_at(i);
    expect(SUM, DT_SHAPE(7, 4), 0, values, wanted, places);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    dt_tensor *out = dt_zeros(f.mesh, "S(0)", DT_F64, DT_SHAPE(7, 4));
    CHECK(dt_cumsum_out(x, 0, out) == out);
    check_values(out, wanted, 28);
    CHECK(dt_cumsum_(x, 0) == x);
    check_values(x, wanted, 28);
    close_fixture(&f);
}

static void dtypes_of_scans(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_cumsum_options options = DT_CUMSUM_OPTIONS_INIT;
    const dt_dtype f64 = DT_F64, truth = DT_BOOL;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_I8, DT_SHAPE(7, 4));
    check_dtype(dt_cumsum(x, 0), DT_I64);
    options.dtype = &f64;
    check_dtype(dt_cumsum_with(x, 0, &options), DT_F64);
    options.dtype = &truth;
    CHECK(dt_cumsum_with(x, 0, &options) == NULL);
    CHECK(strstr(dt_world_error(world)->message,
                 "cumsum: not supported for dtype bool"));
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = dt_scope_open(world);
    x = make_tensor(&f, "S(0)", DT_I8, DT_SHAPE(7, 4));
    CHECK(dt_logcumsumexp(x, 0) == NULL);
    CHECK(strstr(dt_world_error(world)->message,
                 "logcumsumexp: not supported for dtype i8"));
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = dt_scope_open(world);
    x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    CHECK(dt_cumprod(x, 2) == NULL);
    CHECK(strstr(dt_world_error(world)->message,
                 "cumprod: dimension 2 is out of range for a 2-d tensor"));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"scans of parts", scans_of_parts},
    {"scans on grids", scans_on_grids},
    {"scans of other dtypes", scans_of_other_dtypes},
    {"scans of NaN", scans_of_nan},
    {"long sums lose nothing", long_sums_lose_nothing},
    {"a scan along a cut dimension is one call",
     a_scan_along_a_cut_dimension_is_one_call},
    {"sums of partial values stay partial",
     sums_of_partial_values_stay_partial},
    {"scans in place and into", scans_in_place_and_into},
    {"dtypes of scans", dtypes_of_scans},
    {NULL, NULL},
};
