/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/reduce/sort.c - sorting, and what is found in order. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: search */
#include "support/tensors.h"

/* ---- What is expected -----------------------------------------------------
 */

/* Whether one element comes before another that lies behind it. */
static bool comes_first(bool descending, double a, double b)
{
    if (isnan(a) || isnan(b))
        return descending ? isnan(a) : isnan(b);
    return descending ? a >= b : a <= b;
}

/* The indexes of a line in order, by insertion. */
static void order_line(bool descending, const double *values, int64_t count,
                       int64_t stride, int64_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (;
             at > 0 && !comes_first(descending, values[order[at - 1] * stride],
                                    values[i * stride]);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The first `k` of each column of a matrix of `width` columns. */
static void expect(bool descending, const double *values, int64_t rows,
                   int64_t width, int64_t k, double *out, double *indexes)
{
    int64_t order[ELEMENTS_MAX];
    for (int64_t column = 0; column < width; column++) {
        order_line(descending, values + column, rows, width, order);
        for (int64_t i = 0; i < k; i++) {
            out[i * width + column] = values[order[i] * width + column];
            indexes[i * width + column] = (double)order[i];
        }
    }
}

/* Few different numbers, so that most are met again on other ranks. */
static void few_values(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)((i * 7 + 3) % 6) - (i % 3 == 0);
}

/* ---- Sorting --------------------------------------------------------------
 */

static void check_sort(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       int64_t rows, const double *values)
{
    static _Thread_local double wanted[ELEMENTS_MAX], places[ELEMENTS_MAX];
    dt_world *world = dt_mesh_world(mesh);
    for (int descending = 0; descending < 2; descending++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *sorted = NULL, *indexes = NULL;
        expect(descending, values, rows, 3, rows, wanted, places);
        dt_tensor *x =
            tensor_of(mesh, layout, dtype, DT_SHAPE(rows, 3), values);
        CHECK_OK(world, dt_sort(x, 0, descending, &sorted, &indexes));
        check_values(sorted, wanted, rows * 3);
        check_values(indexes, places, rows * 3);
        check_values(dt_argsort(x, 0, descending), places, rows * 3);
        if (!CHECK_OK(world, dt_scope_close(scope)))
            CHECKF(false, "%s of %s", layout, dt_dtype_name(dtype));
    }
}

static void sorts_of_parts(dt_world *world)
{
    static const int64_t extents[] = {0, 1, 2, 5, 13, 600};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_I64, DT_I8};
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    dt_mesh *mesh = mesh_of_all(world);
    double values[ELEMENTS_MAX];
    for (size_t e = 0; e < COUNT_OF(extents); e++)
        for (size_t t = 0; t < COUNT_OF(dtypes); t++)
            for (size_t i = 0; i < COUNT_OF(layouts); i++) {
                few_values(values, extents[e] * 3);
                check_sort(mesh, layouts[i], dtypes[t], extents[e], values);
            }
    dt_mesh_release(mesh);
}

static void sorts_of_nan(dt_world *world)
{
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double values[] = {1,   nan, -inf, inf, 0,   2, nan, -0.0, 0,
                             nan, 3,   nan,  0,   inf, 1, 7,   nan,  -0.0};
    dt_mesh *mesh = mesh_of_all(world);
    check_sort(mesh, "S(0)", DT_F32, 6, values);
    check_sort(mesh, "S(1)", DT_F64, 6, values);
    check_sort(mesh, "R", DT_BF16, 6, values);
    dt_mesh_release(mesh);
}

static void rows_are_sorted_where_they_lie(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *values = NULL, *indexes = NULL;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(9, 4));
    CHECK_OK(world, dt_sort(x, 1, false, &values, &indexes));
    check_layout(values, "S(0)");
    CHECK_OK(world, dt_kthvalue(x, 2, 1, false, &values, &indexes));
    check_layout(values, "S(0)");
    CHECK_OK(world, dt_median_dim(x, 1, false, &values, &indexes));
    check_layout(indexes, "S(0)");
    check_silent(&f);
    close_fixture(&f);
}

/* ---- Top k ----------------------------------------------------------------
 */

static void check_topk(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       int64_t rows, int64_t k, const double *values)
{
    static _Thread_local double wanted[ELEMENTS_MAX], places[ELEMENTS_MAX];
    dt_world *world = dt_mesh_world(mesh);
    for (int largest = 0; largest < 2; largest++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *best = NULL, *indexes = NULL;
        expect(largest, values, rows, 3, k, wanted, places);
        dt_tensor *x =
            tensor_of(mesh, layout, dtype, DT_SHAPE(rows, 3), values);
        const uint64_t before = calls_so_far(world);
        CHECK_OK(world, dt_topk(x, k, 0, largest, true, &best, &indexes));
        CHECK(calls_so_far(world) - before <= 1);
        check_values(best, wanted, k * 3);
        check_values(indexes, places, k * 3);
        if (!CHECK_OK(world, dt_scope_close(scope)))
            CHECKF(false, "%lld of %s of %s", (long long)k, layout,
                   dt_dtype_name(dtype));
    }
}

static void topk_of_parts(dt_world *world)
{
    static const int64_t extents[] = {2, 5, 7, 16, 100};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_I64, DT_U8, DT_F16};
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "_S(0,2)"};
    dt_mesh *mesh = mesh_of_all(world);
    double values[ELEMENTS_MAX];
    for (size_t e = 0; e < COUNT_OF(extents); e++)
        for (size_t t = 0; t < COUNT_OF(dtypes); t++)
            for (size_t i = 0; i < COUNT_OF(layouts); i++) {
                few_values(values, extents[e] * 3);
                for (int64_t j = 0; dtypes[t] == DT_U8 && j < extents[e] * 3;
                     j++)
                    values[j] = fabs(values[j]);
                check_topk(mesh, layouts[i], dtypes[t], extents[e], 1, values);
                check_topk(mesh, layouts[i], dtypes[t], extents[e],
                           extents[e] / 2, values);
            }
    dt_mesh_release(mesh);
}

static void topk_on_grids(dt_world *world)
{
    static const char *const layouts[] = {"S(0)S(0)", "S(0)S(1)", "S(1)S(0)",
                                          "S(0)[1]S(0)[0]", "RS(0)"};
    dt_mesh *mesh = NULL;
    double values[ELEMENTS_MAX];
    CHECK_OK(world,
             dt_mesh_create(
                 world, dt_world_size(world) == 4 ? "a=2,b" : "a,b=1", &mesh));
    few_values(values, 11 * 3);
    values[7] = values[20] = (double)NAN;
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        check_topk(mesh, layouts[i], DT_F32, 11, 3, values);
    dt_mesh_release(mesh);
}

/* Few of many are exchanged, with their indexes; else all would be gathered. */
static void topk_exchanges_candidates(dt_world *world)
{
    fixture f = open_fixture(world);
    const unsigned many = dt_world_size(world) > 1;
    dt_tensor *best = NULL, *indexes = NULL;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(400));
    const dt_trace_counter before = dt_trace_count(world, DT_ALL_GATHER);
    CHECK_OK(world, dt_topk(x, 2, 0, true, true, &best, &indexes));
    const dt_trace_counter after = dt_trace_count(world, DT_ALL_GATHER);
    check_layout(best, "R");
    CHECK_INT(calls_counted(&f), many);
    CHECK_INT((long long)(after.calls - before.calls), many);
    CHECK(after.bytes_sent - before.bytes_sent <= (size_t)f.ranks * 24);
    close_fixture(&f);
}

/* ---- One element ----------------------------------------------------------
 */

static void middle_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    const double nan = (double)NAN;
    const double even[] = {5, 1, 4, 2}, two = 2, three = 3;
    const double some[] = {5, nan, 1, nan, 3}, one = 1, nothing = nan;
    dt_tensor *value = NULL, *index = NULL;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(4), even);
    CHECK_OK(world, dt_median_dim(x, 0, false, &value, &index));
    check_values(value, &two, 1);
    check_values(index, &three, 1);
    check_values(dt_median(x), &two, 1);
    CHECK_OK(world, dt_kthvalue(x, 2, 0, true, &value, &index));
    check_values(value, &two, 1);
    CHECK(value && dt_tensor_ndim(value) == 1);

    x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5), some);
    CHECK_OK(world, dt_median_dim(x, 0, false, &value, &index));
    check_values(value, &nothing, 1);
    check_values(index, &one, 1);
    CHECK_OK(world, dt_nanmedian_dim(x, 0, false, &value, &index));
    check_values(value, &three, 1);
    check_values(dt_nanmedian(x), &three, 1);
    CHECK_OK(world, dt_kthvalue(x, 4, 0, false, &value, &index));
    check_values(value, &nothing, 1);
    check_values(index, &one, 1);
    close_fixture(&f);
}

static void frequent_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    const double row[] = {7, 2, 9, 2, 7, 0}, two = 2, one = 1;
    dt_tensor *value = NULL, *index = NULL;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_I16, DT_SHAPE(6), row);
    CHECK_OK(world, dt_mode(x, 0, false, &value, &index));
    check_values(value, &two, 1);
    check_values(index, &one, 1);
    close_fixture(&f);
}

/* ---- Sorted lists ---------------------------------------------------------
 */

static void places_in_sorted_lists(dt_world *world)
{
    fixture f = open_fixture(world);
    const double limits[] = {1, 2, 2, 5, 9}, values[] = {0, 2, 3, 9, 10, 5};
    const double left[] = {0, 1, 3, 4, 5, 3}, right[] = {0, 3, 3, 5, 5, 4};
    dt_searchsorted_options options = DT_SEARCHSORTED_OPTIONS_INIT;
    dt_tensor *sorted = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5), limits);
    dt_tensor *x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(6), values);
    start_counting(&f);
    dt_tensor *counts = dt_searchsorted(sorted, x);
    check_layout(counts, "P(sum)");
    check_silent(&f);
    check_dtype(counts, DT_I64);
    check_values(counts, left, 6);
    options.right = true;
    options.out_int32 = true;
    counts = dt_searchsorted_with(sorted, x, &options);
    check_dtype(counts, DT_I32);
    check_values(counts, right, 6);

    x = tensor_of(f.mesh, "S(0)", DT_I64, DT_SHAPE(6), values);
    sorted = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(5), limits);
    start_counting(&f);
    counts = dt_bucketize(x, sorted);
    check_layout(counts, "S(0)");
    check_silent(&f);
    check_values(counts, left, 6);

    const double lists[] = {1, 5, 2, 8}, two[] = {3, 3, 9, 0, 9, 2};
    const double places[] = {1, 1, 2, 0, 2, 0};
    sorted = tensor_of(f.mesh, "S(1)", DT_F32, DT_SHAPE(2, 2), lists);
    x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(2, 3), two);
    check_values(dt_searchsorted(sorted, x), places, 6);
    close_fixture(&f);
}

static void errors_name_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_array *array = new_array(world, DT_F32, DT_SHAPE(2, 3));
    dt_array *complex = new_array(world, DT_C64, DT_SHAPE(2));
    dt_array *none = new_array(world, DT_F32, DT_SHAPE(2, 0));
    dt_tensor *x = dt_from_local(f.mesh, "R", array);
    dt_tensor *c = dt_from_local(f.mesh, "R", complex);
    dt_tensor *e = dt_from_local(f.mesh, "R", none);
    dt_tensor *a = NULL, *b = NULL;
    CHECK_FAILS(world, dt_sort(c, 0, false, &a, &b), DT_ERR_UNSUPPORTED,
                "sort: not supported for dtype c64");
    CHECK_FAILS(world, dt_kthvalue(x, 4, 1, false, &a, &b), DT_ERR_INVALID,
                "k is 4; expected 1 to 3, the extent of dimension 1");
    CHECK_FAILS(world, dt_median_dim(e, 1, false, &a, &b), DT_ERR_INVALID,
                "dimension 1 of self, of shape (2, 0), is empty");
    dt_array_release(array);
    dt_array_release(complex);
    dt_array_release(none);
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = dt_scope_open(world);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"sorts of parts", sorts_of_parts},
    {"sorts of NaN", sorts_of_nan},
    {"rows are sorted where they lie", rows_are_sorted_where_they_lie},
    {"top k of parts", topk_of_parts},
    {"top k on grids", topk_on_grids},
    {"top k exchanges candidates", topk_exchanges_candidates},
    {"middle elements", middle_elements},
    {"frequent elements", frequent_elements},
    {"places in sorted lists", places_in_sorted_lists},
    {"errors name what is wrong", errors_name_what_is_wrong},
    {NULL, NULL},
};
