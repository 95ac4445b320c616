/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/reduce/variance.c - variances, logsumexp and what counts. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: logsumexp */
#include "support/tensors.h"

/* ---- What is expected -----------------------------------------------------
 */

/* The variance of `count` values, `stride` apart. */
static double variance_of(const double *values, int64_t count, int64_t stride,
                          double correction)
{
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < count; i++)
        mean += values[i * stride] / (double)count;
    for (int64_t i = 0; i < count; i++) {
        const double apart = values[i * stride] - mean;
        squares += apart * apart;
    }
    const double divisor = (double)count - correction;
    return squares / (divisor > 0 ? divisor : 0);
}

static double logsumexp_of(const double *values, int64_t count, int64_t stride)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += exp(values[i * stride]);
    return log(sum);
}

static void number(double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = value_at(i);
}

/* ---- Variances ------------------------------------------------------------
 */

static void variance_of_columns(dt_mesh *mesh, const char *layout,
                                int64_t extent)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    double values[ELEMENTS_MAX], variances[3], roots[3], means[3];
    dt_tensor *var = NULL, *mean = NULL;
    number(values, extent * 3);
    for (int i = 0; i < 3; i++) {
        variances[i] = variance_of(values + i, extent, 3, 1);
        roots[i] = sqrt(variances[i]);
        means[i] = 0;
        for (int64_t row = 0; row < extent; row++)
            means[i] += values[row * 3 + i] / (double)extent;
    }
    dt_tensor *x = tensor_of(mesh, layout, DT_F32, DT_SHAPE(extent, 3), values);
    check_values(dt_var(x, DT_DIMS(0), false), variances, 3);
    check_values(dt_std(x, DT_DIMS(0), true), roots, 3);
    CHECK_OK(world, dt_var_mean(x, DT_DIMS(0), false, &var, &mean));
    check_values(var, variances, 3);
    check_values(mean, means, 3);
    CHECK_OK(world, dt_std_mean(x, DT_DIMS(0), false, &var, &mean));
    check_values(var, roots, 3);
    if (!CHECK_OK(world, dt_scope_close(scope)))
        CHECKF(false, "%s of %lld rows", layout, (long long)extent);
}

/* 1 row has no variance; 2, 3, 5 and 7 leave some ranks with less or none. */
static void variances_of_uneven_parts(dt_world *world)
{
    static const int64_t extents[] = {1, 2, 3, 5, 7, 16, 130};
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "_S(0,2)"};
    dt_mesh *mesh = mesh_of_all(world);
    for (size_t e = 0; e < COUNT_OF(extents); e++)
        for (size_t i = 0; i < COUNT_OF(layouts); i++)
            variance_of_columns(mesh, layouts[i], extents[e]);
    dt_mesh_release(mesh);
    if (dt_world_size(world) != 4)
        return;
    static const char *const grids[] = {"S(0)S(0)", "S(0)S(1)", "S(0)R",
                                        "S(0)[1]S(0)[0]", "RS(0)"};
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(grids); i++)
        variance_of_columns(mesh, grids[i], 7);
    dt_mesh_release(mesh);
}

static void variance_takes_one_call(dt_world *world)
{
    fixture f = open_fixture(world);
    const unsigned many = dt_world_size(world) > 1;
    dt_tensor *var = NULL, *mean = NULL;
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(9, 4));
    CHECK_OK(world, dt_var_mean(x, DT_DIMS(0), false, &var, &mean));
    check_layout(var, "R");
    check_layout(mean, "R");
    CHECK_INT(calls_counted(&f), many);
    CHECK_INT((long long)dt_trace_count(world, DT_ALL_GATHER).calls, many);
    start_counting(&f);
    check_layout(dt_var(x, DT_DIMS(1), false), "S(0)");
    check_silent(&f);
    check_layout(dt_std(x, DT_DIMS(), false), "R");
    CHECK_INT(calls_counted(&f), many);
    start_counting(&f);
    check_layout(dt_logsumexp(x, DT_DIMS(0), true), "R");
    CHECK_INT(calls_counted(&f), many);
    start_counting(&f);
    check_layout(dt_nanmean(x, DT_DIMS(0), false), "R");
    CHECK_INT(calls_counted(&f), many);
    close_fixture(&f);
}

/* Squares of what lies far from 0 would lose all digits in f32. */
static void variance_far_from_zero(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[60], wanted;
    for (int i = 0; i < 60; i++)
        values[i] = 1e6 + i % 4;
    wanted = variance_of(values, 60, 1, 1);
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(60), values);
    check_values(dt_var(x, DT_DIMS(), false), &wanted, 1);
    for (int i = 0; i < 60; i++)
        values[i] = 0.1;
    wanted = 0;
    x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(60), values);
    check_values(dt_var(x, DT_DIMS(), false), &wanted, 1);
    close_fixture(&f);
}

static void corrections(dt_world *world)
{
    static const double corrected[] = {0, 1, 0.5, -2, 7, 9};
    fixture f = open_fixture(world);
    double values[ELEMENTS_MAX];
    number(values, 7);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F64, DT_SHAPE(7));
    for (size_t i = 0; i < COUNT_OF(corrected); i++) {
        dt_var_options options = DT_VAR_OPTIONS_INIT;
        options.correction = corrected[i];
        const double wanted = variance_of(values, 7, 1, corrected[i]);
        check_values(dt_var_with(x, DT_DIMS(), false, &options), &wanted, 1);
    }
    dt_tensor *none = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(0), values);
    const double nan = (double)NAN;
    check_values(dt_var(none, DT_DIMS(), false), &nan, 1);
    close_fixture(&f);
}

/* Complex numbers differ from their mean by both parts. */
static void variance_of_complex_numbers(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_array *array = new_array(world, DT_C64, DT_SHAPE(5));
    float *parts = dt_array_data(array);
    double real[5], imaginary[5];
    for (int i = 0; i < 5; i++) {
        real[i] = value_at(i);
        imaginary[i] = value_at(i + 50);
        parts[2 * i] = (float)real[i];
        parts[2 * i + 1] = (float)imaginary[i];
    }
    const double wanted =
        variance_of(real, 5, 1, 1) + variance_of(imaginary, 5, 1, 1);
    dt_tensor *x = dt_distribute(f.mesh, "S(0)", DT_C64, DT_SHAPE(5), array,
                                 DT_EVERYWHERE);
    dt_tensor *var = NULL, *mean = NULL;
    CHECK_OK(world, dt_var_mean(x, DT_DIMS(), false, &var, &mean));
    check_dtype(var, DT_F32);
    check_dtype(mean, DT_C64);
    check_values(var, &wanted, 1);
    dt_array_release(array);
    close_fixture(&f);
}

/* ---- logsumexp ------------------------------------------------------------
 */

static void logsumexp_of_parts(dt_world *world)
{
    fixture f = open_fixture(world);
    const double inf = (double)INFINITY;
    double values[ELEMENTS_MAX], wanted[4];
    number(values, 28);
    for (int i = 0; i < 4; i++)
        wanted[i] = logsumexp_of(values + i, 7, 4);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    check_values(dt_logsumexp(x, DT_DIMS(0), false), wanted, 4);
    const double all = logsumexp_of(values, 28, 1);
    check_values(dt_logsumexp(x, DT_DIMS(), false), &all, 1);

    /* Whatever the size: exp(1000) does not fit f32, nor f64. */
    for (int i = 0; i < 28; i++)
        values[i] += 1000;
    const double large = 1000 + all;
    x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(28), values);
    check_values(dt_logsumexp(x, DT_DIMS(), false), &large, 1);

    const double specials[][5] = {{-inf, -inf, -inf, -inf, -inf},
                                  {1, inf, 2, -inf, 0},
                                  {1, (double)NAN, inf, 0, 0},
                                  {-inf, -inf, 3, -inf, -inf}};
    const double results[] = {-inf, inf, (double)NAN, 3};
    for (int i = 0; i < 4; i++) {
        x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5), specials[i]);
        check_values(dt_logsumexp(x, DT_DIMS(), false), &results[i], 1);
        x = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(5, 1), specials[i]);
        check_values(dt_logsumexp(x, DT_DIMS(0), false), &results[i], 1);
    }
    x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(0), values);
    check_values(dt_logsumexp(x, DT_DIMS(), false), &results[0], 1);
    x = make_tensor(&f, "S(0)", DT_I32, DT_SHAPE(7, 4));
    check_dtype(dt_logsumexp(x, DT_DIMS(), false), DT_F32);
    close_fixture(&f);
}

/* ---- What counts ----------------------------------------------------------
 */

static void sums_of_numbers(dt_world *world)
{
    fixture f = open_fixture(world);
    const double nan = (double)NAN;
    const double values[] = {1, nan, 3, nan, 5, 6, nan};
    const double sum = 15, mean = 3.75, none = 0;
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(7), values);
    start_counting(&f);
    dt_tensor *total = dt_nansum(x, DT_DIMS(), false);
    check_layout(total, "P(sum)");
    check_silent(&f);
    check_values(total, &sum, 1);
    check_values(dt_nanmean(x, DT_DIMS(), false), &mean, 1);
    dt_nansum_options options = DT_NANSUM_OPTIONS_INIT;
    const dt_dtype whole = DT_I32;
    options.dtype = &whole;
    total = dt_nansum_with(x, DT_DIMS(), false, &options);
    check_dtype(total, DT_I32);
    check_values(total, &sum, 1);
    const dt_dtype complex = DT_C64;
    options.dtype = &complex;
    CHECK(dt_nansum_with(x, DT_DIMS(), false, &options) == NULL);
    CHECK_TEXT(dt_world_error(world)->message,
               "nansum: not supported for dtype c64");
    dt_nanmean_options mean_options = DT_NANMEAN_OPTIONS_INIT;
    mean_options.dtype = &complex;
    CHECK(dt_nanmean_with(x, DT_DIMS(), false, &mean_options) == NULL);
    CHECK_TEXT(dt_world_error(world)->message,
               "nanmean: not supported for dtype c64");
    const double nans[] = {nan, nan, nan};
    x = tensor_of(f.mesh, "S(0)", DT_BF16, DT_SHAPE(3), nans);
    check_values(dt_nansum(x, DT_DIMS(), false), &none, 1);
    check_values(dt_nanmean(x, DT_DIMS(), false), &nan, 1);
    close_fixture(&f);
}

static void counts_of_what_is_not_zero(dt_world *world)
{
    fixture f = open_fixture(world);
    const double values[] = {0, 2, (double)NAN, -0.0, 5, 0, 1, 0, 0, 3};
    const double columns[] = {3, 2}, all = 5, three[] = {3};
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(5, 2), values);
    start_counting(&f);
    dt_tensor *count = dt_count_nonzero(x, DT_DIMS(0));
    check_layout(count, "P(sum)");
    check_silent(&f);
    check_dtype(count, DT_I64);
    check_values(count, columns, 2);
    check_values(dt_count_nonzero(x, DT_DIMS()), &all, 1);
    const double bytes[] = {0, 1, 1, 0, 1};
    x = tensor_of(f.mesh, "S(0)", DT_BOOL, DT_SHAPE(5), bytes);
    check_values(dt_count_nonzero(x, DT_DIMS()), three, 1);
    close_fixture(&f);
}

static void extremes_of_both_kinds(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *least = NULL, *most = NULL;
    double wanted[2] = {value_at(0), value_at(0)};
    for (int i = 1; i < 28; i++) {
        wanted[0] = fmin(wanted[0], value_at(i));
        wanted[1] = fmax(wanted[1], value_at(i));
    }
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(7, 4));
    CHECK_OK(world, dt_aminmax(x, DT_DIMS(), false, &least, &most));
    check_layout(least, "P(min)");
    check_layout(most, "P(max)");
    check_silent(&f);
    check_values(least, &wanted[0], 1);
    check_values(most, &wanted[1], 1);
    close_fixture(&f);
}

static void errors_name_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_array *whole = new_array(world, DT_I32, DT_SHAPE(2, 3));
    dt_array *complex = new_array(world, DT_C64, DT_SHAPE(2));
    dt_tensor *i = dt_from_local(f.mesh, "R", whole);
    dt_tensor *c = dt_from_local(f.mesh, "R", complex);
    dt_tensor *a = NULL, *b = NULL;
    CHECK_FAILS(world, dt_var_mean(i, DT_DIMS(), false, &a, &b),
                DT_ERR_UNSUPPORTED, "var_mean: not supported for dtype i32");
    CHECK_FAILS(world, dt_aminmax(i, DT_DIMS(2), false, &a, &b), DT_ERR_INVALID,
                "aminmax: dimension 2 is out of range for a 2-d tensor");
    dt_array_release(whole);
    dt_array_release(complex);
    DT_IGNORE(dt_scope_close(f.scope));
    f.scope = dt_scope_open(world);
    (void)c;
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"variances of uneven parts", variances_of_uneven_parts},
    {"a variance over shards is one call", variance_takes_one_call},
    {"variance far from zero", variance_far_from_zero},
    {"corrections", corrections},
    {"variance of complex numbers", variance_of_complex_numbers},
    {"logsumexp of parts", logsumexp_of_parts},
    {"sums of numbers", sums_of_numbers},
    {"counts of what is not zero", counts_of_what_is_not_zero},
    {"extremes of both kinds", extremes_of_both_kinds},
    {"errors name what is wrong", errors_name_what_is_wrong},
    {NULL, NULL},
};
