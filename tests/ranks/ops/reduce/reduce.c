/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/reduce/reduce.c - reductions, extremes with places, norms,
 * softmax. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: arg softmax */
#include "support/tensors.h"

static uint64_t count_of(const fixture *f, dt_collective kind)
{
    return dt_trace_count(f->world, kind).calls;
}

/* ---- Sums and means ------------------------------------------------------ */

/* 7 rows of 4: uneven on 2, 3 and 4 ranks. */
static void column_sums(double *out, double divisor)
{
    for (int i = 0; i < 4; i++) {
        out[i] = 0;
        for (int row = 0; row < 7; row++)
            out[i] += value_at(row * 4 + i);
        out[i] /= divisor;
    }
}

static void behaviour_68_sum_over_a_cut_dimension(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[4];
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    dt_tensor *sum = dt_sum(x, DT_DIMS(0), false);
    check_layout(sum, "P(sum)");
    check_silent(&f);
    column_sums(wanted, 1);
    check_values(sum, wanted, 4);

    start_counting(&f);
    dt_tensor *rows = dt_sum(x, DT_DIMS(-1), true);
    check_layout(rows, "S(0)");
    check_silent(&f);
    CHECK(rows && dt_tensor_ndim(rows) == 2 && dt_tensor_extent(rows, 1) == 1);
    close_fixture(&f);
}

/* Upstream gathers unless all shards are equal, and averages; here parts are
 * divided by the count of the whole and add up. */
static void behaviour_68_mean_of_uneven_shards(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[4];
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    dt_tensor *mean = dt_mean(x, DT_DIMS(0), false);
    check_layout(mean, "P(sum)");
    check_silent(&f);
    column_sums(wanted, 7);
    check_values(mean, wanted, 4);

    const double all = (wanted[0] + wanted[1] + wanted[2] + wanted[3]) / 4;
    dt_tensor *one = dt_mean(x, DT_DIMS(), false);
    CHECK(one && dt_tensor_ndim(one) == 0);
    check_values(one, &all, 1);
    close_fixture(&f);
}

static void sums_of_partial_values_stay_partial(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_tensor(&f, "P(sum)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *sum = dt_sum(x, DT_DIMS(0, 1), false);
    check_layout(sum, "P(sum)");
    check_silent(&f);
    double wanted = 0;
    for (int i = 0; i < 12; i++)
        wanted += value_at(i);
    check_values(sum, &wanted, 1);

    x = make_tensor(&f, "P(avg)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *mean = dt_mean(x, DT_DIMS(), false);
    check_layout(mean, "P(avg)");
    check_silent(&f);
    wanted /= 12;
    check_values(mean, &wanted, 1);
    close_fixture(&f);
}

/* A partial sum of bool is their or, not their count; one of i8 wraps. */
static void sums_of_partial_integers_combine_first(dt_world *world)
{
    fixture f = open_fixture(world);
    double ones[5] = {1, 1, 1, 1, 1}, wanted = 5;
    dt_array *array = array_of(world, DT_BOOL, DT_SHAPE(5), ones);
    dt_tensor *x = dt_from_local(f.mesh, "P(sum)", array);
    dt_tensor *sum = dt_sum(x, DT_DIMS(), false);
    check_dtype(sum, DT_I64);
    check_values(sum, &wanted, 1);
    dt_array_release(array);

    ones[0] = 100;
    array = array_of(world, DT_I8, DT_SHAPE(5), ones);
    x = dt_from_local(f.mesh, "P(sum)", array);
    wanted = (int8_t)(100 * dt_world_size(world)) + 4 * dt_world_size(world);
    check_values(dt_sum(x, DT_DIMS(), false), &wanted, 1);
    dt_array_release(array);
    close_fixture(&f);
}

static void dtypes_of_sums(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_sum_options options = DT_SUM_OPTIONS_INIT;
    const dt_dtype to[] = {DT_I32, DT_F64, DT_BF16, DT_BOOL};
    double wanted = 0, truth = 1;
    for (int i = 0; i < 15; i++)
        wanted += value_at(i);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(5, 3));
    for (int i = 0; i < 4; i++) {
        options.dtype = &to[i];
        dt_tensor *sum = dt_sum_with(x, DT_DIMS(), false, &options);
        check_dtype(sum, to[i]);
        check_values(sum, to[i] == DT_BOOL ? &truth : &wanted, 1);
    }
    x = make_tensor(&f, "S(0)", DT_I16, DT_SHAPE(5, 3));
    check_dtype(dt_prod(x, DT_DIMS(), false), DT_I64);
    CHECK(dt_mean(x, DT_DIMS(), false) == NULL);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_UNSUPPORTED);
    close_fixture(&f);
}

/* ---- Extremes ------------------------------------------------------------ */

static double largest_of(int64_t first, int64_t count)
{
    double most = value_at(first);
    for (int64_t i = first; i < first + count; i++)
        most = value_at(i) > most ? value_at(i) : most;
    return most;
}

static void amax_over_a_cut_dimension(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_tensor(&f, "S(1)", DT_F32, DT_SHAPE(2, 9));
    dt_tensor *most = dt_amax(x, DT_DIMS(1), false);
    check_layout(most, "P(max)");
    check_silent(&f);
    const double wanted[] = {largest_of(0, 9), largest_of(9, 9)};
    check_values(most, wanted, 2);
    check_layout(dt_amin(x, DT_DIMS(1), false), "P(min)");
    check_layout(dt_prod(x, DT_DIMS(1), false), "P(product)");
    close_fixture(&f);
}

static double smallest_of(int64_t first, int64_t count)
{
    double least = value_at(first);
    for (int64_t i = first; i < first + count; i++)
        least = value_at(i) < least ? value_at(i) : least;
    return least;
}

static void behaviour_70_max_of_partial_values(dt_world *world)
{
    fixture f = open_fixture(world);
    const double wanted = largest_of(0, 12);
    dt_tensor *x = make_tensor(&f, "P(max)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *most = dt_amax(x, DT_DIMS(), false);
    check_layout(most, "P(max)");
    check_silent(&f);
    check_values(most, &wanted, 1);

    x = make_tensor(&f, "P(sum)", DT_F32, DT_SHAPE(3, 4));
    most = dt_amax(x, DT_DIMS(), false);
    check_sent(&f);
    check_values(most, &wanted, 1);
    close_fixture(&f);
}

/* The largest of the least is not the least of the largest. */
static void extremes_of_the_other_kind_combine_first(dt_world *world)
{
    fixture f = open_fixture(world);
    const double largest = largest_of(0, 12), smallest = smallest_of(0, 12);
    dt_tensor *x = make_tensor(&f, "P(min)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *most = dt_amax(x, DT_DIMS(), false);
    check_sent(&f);
    check_values(most, &largest, 1);

    x = make_tensor(&f, "P(max)", DT_F32, DT_SHAPE(3, 4));
    dt_tensor *least = dt_amin(x, DT_DIMS(), false);
    check_sent(&f);
    check_values(least, &smallest, 1);
    close_fixture(&f);
}

/* Ranks without elements give what changes nothing. */
static void empty_parts_change_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    const double value[] = {-5};
    for (int dtype = 0; dtype < DT_C64; dtype++) {
        double wanted = dtype == DT_BOOL ? 1 : dtype == DT_U8 ? 0 : value[0];
        dt_tensor *x =
            tensor_of(f.mesh, "S(0)", (dt_dtype)dtype, DT_SHAPE(1), value);
        check_values(dt_amax(x, DT_DIMS(), false), &wanted, 1);
        check_values(dt_amin(x, DT_DIMS(), false), &wanted, 1);
        check_values(dt_sum(x, DT_DIMS(), false), &wanted, 1);
        check_values(dt_prod(x, DT_DIMS(), false), &wanted, 1);
        wanted = wanted != 0;
        check_values(dt_all(x, DT_DIMS(), false), &wanted, 1);
        check_values(dt_any(x, DT_DIMS(), false), &wanted, 1);
    }
    close_fixture(&f);
}

static void all_and_any(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[10] = {0}, yes = 1, no = 0;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5, 2), values);
    check_values(dt_any(x, DT_DIMS(), false), &no, 1);
    values[9] = (double)NAN;
    x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5, 2), values);
    start_counting(&f);
    dt_tensor *any = dt_any(x, DT_DIMS(), false);
    check_layout(any, "P(bor)");
    dt_tensor *all = dt_all(x, DT_DIMS(0), false);
    check_layout(all, "P(band)");
    check_silent(&f);
    check_dtype(any, DT_BOOL);
    check_values(any, &yes, 1);
    check_values(dt_all(x, DT_DIMS(), false), &no, 1);
    x = tensor_of(f.mesh, "S(0)", DT_U8, DT_SHAPE(5, 2), values);
    check_dtype(dt_all(x, DT_DIMS(), false), DT_U8);
    close_fixture(&f);
}

/* ---- Extremes with their places ------------------------------------------ */

/* What one rank alone finds. */
typedef struct found {
    double values[ELEMENTS_MAX];
    double indexes[ELEMENTS_MAX];
    int64_t count;
} found;

static void find_alone(dt_world *world, bool largest, dt_dtype dtype,
                       dt_shape shape, int dim, const double *values,
                       found *out)
{
    dt_tensor *x =
        tensor_of(dt_world_own_mesh(world), "R", dtype, shape, values);
    dt_tensor *best = NULL, *indexes = NULL;
    CHECK_OK(world, (largest ? dt_max_dim : dt_min_dim)(x, dim, false, &best,
                                                        &indexes));
    read_tensor(best, out->values);
    read_tensor(indexes, out->indexes);
    out->count = best ? dt_tensor_count(best) : 0;
}

static void check_places(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         dt_shape shape, int dim, const double *values)
{
    dt_world *world = dt_mesh_world(mesh);
    for (int largest = 0; largest < 2; largest++) {
        dt_scope *scope = dt_scope_open(world);
        static _Thread_local found alone;
        dt_tensor *best = NULL, *indexes = NULL;
        find_alone(world, largest, dtype, shape, dim, values, &alone);
        dt_tensor *x = tensor_of(mesh, layout, dtype, shape, values);
        CHECK_OK(world, (largest ? dt_max_dim : dt_min_dim)(x, dim, false,
                                                            &best, &indexes));
        check_values(best, alone.values, alone.count);
        check_values(indexes, alone.indexes, alone.count);
        if (dtype != DT_BOOL)
            check_values((largest ? dt_argmax : dt_argmin)(x, dim, true),
                         alone.indexes, alone.count);
        if (!CHECK_OK(world, dt_scope_close(scope)))
            CHECKF(false, "%s of %s along %d", layout, dt_dtype_name(dtype),
                   dim);
    }
}

/* Few different numbers, so that most are met again on other ranks. */
static void few_values(double *values, int64_t count, int salt)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)((i * 7 + salt * 5) % 4);
}

static void behaviour_71_places_along_a_cut_dimension(dt_world *world)
{
    static const int64_t extents[] = {1, 2, 5, 8, 13};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_BF16,
                                      DT_I64, DT_U8,  DT_BOOL};
    dt_mesh *mesh = mesh_of_all(world);
    double values[ELEMENTS_MAX];
    for (size_t e = 0; e < COUNT_OF(extents); e++)
        for (size_t t = 0; t < COUNT_OF(dtypes); t++) {
            const int64_t n = extents[e];
            few_values(values, 3 * n, (int)(e + t));
            check_places(mesh, "S(0)", dtypes[t], DT_SHAPE(n, 3), 0, values);
            check_places(mesh, "S(1)", dtypes[t], DT_SHAPE(3, n), 1, values);
            check_places(mesh, "S(0)", dtypes[t], DT_SHAPE(n, 3), 1, values);
            check_places(mesh, "_S(0,2)", dtypes[t], DT_SHAPE(n, 3), 0, values);
        }
    dt_mesh_release(mesh);
}

static void places_on_grids(dt_world *world)
{
    static const char *const layouts[] = {
        "S(0)S(0)",       "S(0)S(1)", "S(1)S(0)", "RS(0)",
        "S(0)[1]S(0)[0]", "_S(0,3)R", "S(0)R",    "_S(0,2)S(0)",
        "S(1)S(1)",       "_S(1,2)R", "RS(1)",    "RR"};
    dt_mesh *mesh = NULL;
    double values[ELEMENTS_MAX];
    CHECK_OK(world,
             dt_mesh_create(
                 world, dt_world_size(world) == 4 ? "a=2,b" : "a,b=1", &mesh));
    few_values(values, 7 * 5, 1);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        check_places(mesh, layouts[i], DT_F32, DT_SHAPE(7, 5), 0, values);
        check_places(mesh, layouts[i], DT_I32, DT_SHAPE(7, 5), 1, values);
    }
    dt_mesh_release(mesh);
}

static void places_of_nan(dt_world *world)
{
    dt_mesh *mesh = mesh_of_all(world);
    double values[] = {1, 2, 3, (double)NAN, 5, (double)NAN, 7, 0};
    check_places(mesh, "S(0)", DT_F32, DT_SHAPE(8), 0, values);
    check_places(mesh, "_S(0,3)", DT_F16, DT_SHAPE(8), 0, values);
    values[0] = values[7] = -0.0;
    check_places(mesh, "S(0)", DT_F32, DT_SHAPE(8), 0, values);
    for (int i = 1; i < 7; i++)
        values[i] = 0.0;
    check_places(mesh, "S(0)", DT_F32, DT_SHAPE(8), 0, values);
    dt_mesh_release(mesh);
}

static void places_take_one_call(dt_world *world)
{
    fixture f = open_fixture(world);
    const unsigned many = dt_world_size(world) > 1;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(9, 4));
    dt_tensor *values = NULL, *indexes = NULL;
    CHECK_OK(world, dt_max_dim(x, 0, false, &values, &indexes));
    check_layout(values, "R");
    check_layout(indexes, "R");
    CHECK_INT(calls_counted(&f), many);
    CHECK_INT((long long)count_of(&f, DT_ALL_GATHER), many);
    start_counting(&f);
    check_layout(dt_argmax(x, 1, false), "S(0)");
    check_silent(&f);
    close_fixture(&f);
}

static void check_flat(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    double values[ELEMENTS_MAX], most = 0, least = 0;
    few_values(values, dt_shape_count(shape), 3);
    for (int64_t i = 0; i < dt_shape_count(shape); i++) {
        if (values[i] > values[(int)most])
            most = (double)i;
        if (values[i] < values[(int)least])
            least = (double)i;
    }
    dt_tensor *x = tensor_of(mesh, layout, DT_F32, shape, values);
    check_values(dt_argmax_all(x), &most, 1);
    check_values(dt_argmin_all(x), &least, 1);
    CHECK_OK(world, dt_scope_close(scope));
}

static void places_in_whole_tensors(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "_S(0,2)",
                                          "_S(1,3)"};
    dt_mesh *mesh = mesh_of_all(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        check_flat(mesh, layouts[i], DT_SHAPE(5, 7));
        check_flat(mesh, layouts[i], DT_SHAPE(1, 3));
        check_flat(mesh, layouts[i], DT_SHAPE(3, 2, 2));
    }
    check_flat(mesh, "R", DT_SHAPE());
    dt_mesh_release(mesh);
    if (dt_world_size(world) == 4) {
        CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
        check_flat(mesh, "S(0)S(1)", DT_SHAPE(5, 7));
        check_flat(mesh, "S(1)S(0)", DT_SHAPE(5, 7));
        check_flat(mesh, "S(1)S(1)", DT_SHAPE(5, 3));
        dt_mesh_release(mesh);
    }
}

/* ---- Norms --------------------------------------------------------------- */

static double norm_of(double p, int64_t first, int64_t count)
{
    double sum = 0, most = 0, least = (double)INFINITY;
    for (int64_t i = first; i < first + count; i++) {
        const double x = fabs(value_at(i));
        sum += p == 0 ? x != 0 : pow(x, p);
        most = fmax(most, x);
        least = fmin(least, x);
    }
    if (isinf(p))
        return p > 0 ? most : least;
    return p == 0 ? sum : pow(sum, 1 / p);
}

static void norms_take_one_all_reduce(dt_world *world)
{
    static const double ps[] = {
        2, 1, 0, 3, 0.5, (double)INFINITY, -(double)INFINITY};
    fixture f = open_fixture(world);
    const unsigned many = dt_world_size(world) > 1;
    for (size_t i = 0; i < COUNT_OF(ps); i++) {
        dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 3));
        const uint64_t before = count_of(&f, DT_ALL_REDUCE);
        dt_tensor *norm = dt_norm(x, ps[i], DT_DIMS(), false);
        norm = dt_redistribute(norm, "R");
        CHECK_INT((long long)(count_of(&f, DT_ALL_REDUCE) - before), many);
        CHECK_INT(calls_counted(&f), many);
        const double wanted = norm_of(ps[i], 0, 21);
        check_values(norm, &wanted, 1);

        start_counting(&f);
        double rows[7];
        for (int r = 0; r < 7; r++)
            rows[r] = norm_of(ps[i], r * 3, 3);
        norm = dt_norm(x, ps[i], DT_DIMS(-1), true);
        check_layout(norm, "S(0)");
        check_silent(&f);
        check_values(norm, rows, 7);
    }
    close_fixture(&f);
}

/* 200 squared does not fit f16, 400 does. */
static void norms_of_halves(dt_world *world)
{
    fixture f = open_fixture(world);
    const double values[] = {200, 200, 200, 200}, wanted = 400;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F16, DT_SHAPE(4), values);
    dt_tensor *norm = dt_norm(x, 2, DT_DIMS(), false);
    check_dtype(norm, DT_F16);
    check_values(norm, &wanted, 1);
    close_fixture(&f);
}

/* ---- Softmax, topk ------------------------------------------------------- */

static void behaviour_72_softmax(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[28], logs[28];
    for (int r = 0; r < 7; r++) {
        double sum = 0;
        for (int i = 0; i < 4; i++)
            sum += exp(value_at(r * 4 + i));
        for (int i = r * 4; i < r * 4 + 4; i++) {
            wanted[i] = exp(value_at(i)) / sum;
            logs[i] = value_at(i) - log(sum);
        }
    }
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    dt_tensor *y = dt_softmax(x, -1);
    check_layout(y, "S(0)");
    dt_tensor *z = dt_log_softmax(x, 1);
    check_layout(z, "S(0)");
    check_silent(&f);
    check_values(y, wanted, 28);
    check_values(z, logs, 28);

    x = make_tensor(&f, "S(1)", DT_F32, DT_SHAPE(7, 4));
    y = dt_softmax(x, -1);
    check_sent(&f);
    check_values(y, wanted, 28);
    close_fixture(&f);
}

static void topk_of_rows(dt_world *world)
{
    fixture f = open_fixture(world);
    const double row[] = {2, 5, 5, 1, 7, 5};
    const double values[] = {7, 5, 5}, indexes[] = {4, 1, 2};
    dt_tensor *best = NULL, *places = NULL;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(6), row);
    CHECK_OK(world, dt_topk(x, 3, 0, true, true, &best, &places));
    check_values(best, values, 3);
    check_values(places, indexes, 3);

    x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(5, 6));
    CHECK_OK(world, dt_topk(x, 2, -1, false, true, &best, &places));
    check_layout(best, "S(0)");
    check_layout(places, "S(0)");
    check_silent(&f);
    CHECK(best && dt_tensor_extent(best, 1) == 2);
    check_dtype(places, DT_I64);
    close_fixture(&f);
}

/* ---- Errors -------------------------------------------------------------- */

static void refuse(fixture *f, dt_tensor *result, dt_status code,
                   const char *text)
{
    const dt_error *error = dt_world_error(f->world);
    CHECK(result == NULL);
    CHECKF(error->code == code && strstr(error->message, text),
           "\"%s\" lacks \"%s\"", error->message, text);
    DT_IGNORE(dt_scope_close(f->scope));
    f->scope = dt_scope_open(f->world);
}

static void errors_name_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_array *array = new_array(world, DT_F32, DT_SHAPE(2, 3));
    dt_array *none = new_array(world, DT_F32, DT_SHAPE(2, 0));
    dt_array *complex = new_array(world, DT_C64, DT_SHAPE(2));
    dt_tensor *x = dt_tensor_retain(dt_from_local(f.mesh, "R", array));
    dt_tensor *e = dt_tensor_retain(dt_from_local(f.mesh, "R", none));
    dt_tensor *c = dt_tensor_retain(dt_from_local(f.mesh, "R", complex));
    refuse(&f, dt_sum(x, DT_DIMS(2), false), DT_ERR_INVALID,
           "sum: dimension 2 is out of range for a 2-d tensor");
    refuse(&f, dt_mean(x, DT_DIMS(0, -2), false), DT_ERR_INVALID,
           "mean: dimension 0 is listed twice");
    refuse(&f, dt_amax(e, DT_DIMS(1), false), DT_ERR_INVALID,
           "amax: self, of shape (2, 0), is empty, and this reduction has no "
           "neutral element");
    refuse(&f, dt_amin(c, DT_DIMS(), false), DT_ERR_UNSUPPORTED,
           "amin: not supported for dtype c64");
    refuse(&f, dt_argmax(e, 1, false), DT_ERR_INVALID,
           "argmax: dimension 1 of self, of shape (2, 0), is empty");
    refuse(&f, dt_argmin_all(e), DT_ERR_INVALID, "(2, 0), is empty");
    refuse(&f, dt_norm(e, -1, DT_DIMS(1), false), DT_ERR_INVALID,
           "norm: p is -1, but self, of shape (2, 0)");
    refuse(&f, dt_norm(x, (double)NAN, DT_DIMS(), false), DT_ERR_INVALID,
           "norm: p is NaN; expected a number");
    refuse(&f, dt_softmax(c, 0), DT_ERR_UNSUPPORTED,
           "softmax: not supported for dtype c64");
    dt_tensor *a = NULL, *b = NULL, *d = NULL;
    CHECK_FAILS(world, dt_topk(x, 4, 1, true, true, &a, &b), DT_ERR_INVALID,
                "topk: k is 4, but dimension 1 has extent 3");
    CHECK_FAILS(world, dt_layer_norm(x, DT_SHAPE(2), NULL, NULL, 0, &a, &b, &d),
                DT_ERR_INVALID,
                "input has shape (2, 3), which does not end with "
                "normalized_shape, (2,)");
    CHECK_FAILS(
        world, dt_layer_norm(x, DT_SHAPE(3), x, NULL, 0, &a, &b, &d),
        DT_ERR_INVALID,
        "layer_norm: weight has shape (2, 3); expected normalized_shape, (3,)");
    dt_tensor_release(x);
    dt_tensor_release(e);
    dt_tensor_release(c);
    dt_array_release(array);
    dt_array_release(none);
    dt_array_release(complex);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"68: sum over a cut dimension is partial",
     behaviour_68_sum_over_a_cut_dimension},
    {"68: mean of uneven shards is partial",
     behaviour_68_mean_of_uneven_shards},
    {"sums of partial values stay partial",
     sums_of_partial_values_stay_partial},
    {"sums of partial integers combine first",
     sums_of_partial_integers_combine_first},
    {"dtypes of sums", dtypes_of_sums},
    {"amax over a cut dimension is partial", amax_over_a_cut_dimension},
    {"70: max of partial values", behaviour_70_max_of_partial_values},
    {"extremes of the other kind combine first",
     extremes_of_the_other_kind_combine_first},
    {"empty parts change nothing", empty_parts_change_nothing},
    {"all and any", all_and_any},
    {"71: places along a cut dimension are global",
     behaviour_71_places_along_a_cut_dimension},
    {"places on grids", places_on_grids},
    {"places of NaN", places_of_nan},
    {"places take one call", places_take_one_call},
    {"places in whole tensors", places_in_whole_tensors},
    {"norms take one all-reduce", norms_take_one_all_reduce},
    {"norms of halves", norms_of_halves},
    {"72: softmax along a cut dimension sends", behaviour_72_softmax},
    {"topk of rows", topk_of_rows},
    {"errors name what is wrong", errors_name_what_is_wrong},
    {NULL, NULL},
};
