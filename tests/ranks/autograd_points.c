/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_points.c - gradients where functions have bends, poles
 * and ties: those of PyTorch. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/autograd.h>
#include <dtensor/sys/ops_training.h>

#include "support/tensors.h"

enum { COUNT = 4 };

/* A leaf of given values. */
static dt_tensor *leaf_of(fixture *f, const double *values)
{
    return dt_requires_grad(
        tensor_of(f->mesh, "S(0)", DT_F64, DT_SHAPE(COUNT), values));
}

/* Functions of one tensor, with a number in some of them. */
typedef dt_tensor *(*function)(dt_tensor *self);

static dt_tensor *power_0(dt_tensor *self)
{
    return dt_pow_scalar(self, DT_NUMBER(0));
}

static dt_tensor *power_2(dt_tensor *self)
{
    return dt_pow_scalar(self, DT_NUMBER(2));
}

static dt_tensor *power_of_0(dt_tensor *self)
{
    return dt_pow_base(DT_NUMBER(0), self);
}

static dt_tensor *clamp(dt_tensor *self)
{
    return dt_clamp(self, DT_NUMBER(-1), DT_NUMBER(2));
}

static const struct {
    function of;
    double wanted[COUNT];
} points[] = {
    /* at -1, 0, 2 and 3 */
    {dt_abs, {-1, 0, 1, 1}},
    {dt_sgn, {0, 0, 0, 0}},
    {dt_sinc, {1, 0, 0.5, -1. / 3}},
    {dt_floor, {0, 0, 0, 0}},
    {power_0, {0, 0, 0, 0}},
    {power_2, {-2, 0, 4, 6}},
    {power_of_0, {-INFINITY, 0, 0, 0}},
    {clamp, {1, 1, 1, 0}},
    {dt_reciprocal, {-1, -INFINITY, -0.25, -1. / 9}},
};

static void functions_of_one(dt_world *world)
{
    static const double at[COUNT] = {-1, 0, 2, 3};
    for (size_t i = 0; i < COUNT_OF(points); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = leaf_of(&f, at);
        dt_tensor *sum = dt_sum(points[i].of(x), DT_DIMS(), false);
        CHECK_OK(world, dt_backward(sum));
        check_values(dt_tensor_grad(x), points[i].wanted, COUNT);
        close_without_errors(&f);
    }
}

/* Ties are shared by maximum and minimum, but belong to self in fmax and
 * fmin, which ignore NaN. */
static void functions_of_two(dt_world *world)
{
    const struct {
        dt_tensor *(*of)(dt_tensor *self, dt_tensor *other);
        double self[COUNT], other[COUNT];
    } ties[] = {
        {dt_maximum, {0.5, 0, 1, 1}, {0.5, 1, 0, 1}},
        {dt_minimum, {0.5, 1, 0, 1}, {0.5, 0, 1, 1}},
        {dt_fmax, {1, 0, 1, 1}, {0, 1, 0, 0}},
        {dt_fmin, {1, 1, 0, 1}, {0, 0, 1, 0}},
        {dt_pow, {0, 12, 1, NAN}, {0, 8 * log(2), 3 * log(3), 0}},
        {dt_xlogy, {0, log(3), 0, NAN}, {NAN, 2. / 3, 3, NAN}},
        {dt_atan2, {0, 3. / 13, 0.1, NAN}, {0, -2. / 13, -0.3, NAN}},
    };
    static const double self[COUNT] = {0, 2, 3, 1},
                        other[COUNT] = {0, 3, 1, NAN};
    for (size_t i = 0; i < COUNT_OF(ties); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = leaf_of(&f, self), *y = leaf_of(&f, other);
        dt_tensor *sum = dt_sum(ties[i].of(x, y), DT_DIMS(), false);
        CHECK_OK(world, dt_backward(sum));
        check_values(dt_tensor_grad(x), ties[i].self, COUNT);
        check_values(dt_tensor_grad(y), ties[i].other, COUNT);
        close_without_errors(&f);
    }
}

/* The logarithm of a negative number is complex: (-1)^(it) is exp(-pi t), with
 * the derivative -pi at 0, which is the imaginary part of the gradient. */
static void real_to_complex_powers(dt_world *world)
{
    fixture f = open_fixture(world);
    const double base[COUNT] = {-1, -1, -1, -1}, zeros[COUNT] = {0};
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(COUNT), base);
    dt_tensor *z = dt_requires_grad(
        tensor_of(f.mesh, "S(0)", DT_C64, DT_SHAPE(COUNT), zeros));
    const double wanted[COUNT] = {-M_PI, -M_PI, -M_PI, -M_PI};
    dt_tensor *sum = dt_sum(dt_real_part(dt_pow(x, z)), DT_DIMS(), false);
    CHECK_OK(world, dt_backward(sum));
    check_values(dt_imag_part(dt_tensor_grad(z)), wanted, COUNT);
    check_values(dt_real_part(dt_tensor_grad(z)), zeros, COUNT);
    close_without_errors(&f);
}

/* Complex numbers that a softmax in f64 makes real. */
static void complex_to_real(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_dtype wide = DT_F64;
    dt_softmax_options options = DT_SOFTMAX_OPTIONS_INIT;
    options.dtype = &wide;
    const double at[COUNT] = {0, 0, 0, 0}, by[COUNT] = {4, 0, 0, 0};
    const double wanted[COUNT] = {0.75, -0.25, -0.25, -0.25};
    dt_tensor *z = dt_requires_grad(
        tensor_of(f.mesh, "S(0)", DT_C64, DT_SHAPE(COUNT), at));
    dt_tensor *grad = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(COUNT), by);
    dt_tensor *out = dt_softmax_with(z, 0, &options);
    dt_backward_options given = DT_BACKWARD_OPTIONS_INIT;
    given.grads = &grad;
    CHECK_OK(world, dt_backward_with(&out, 1, &given));
    check_dtype(dt_tensor_grad(z), DT_C64);
    check_values(dt_real_part(dt_tensor_grad(z)), wanted, COUNT);
    close_without_errors(&f);
}

static void lists_in_place(dt_world *world)
{
    fixture f = open_fixture(world);
    static const double self[COUNT] = {0, 2, 3, 1}, other[COUNT] = {0, 3, 1, 5};
    const double first[COUNT] = {0.5, 0, 1, 0}, second[COUNT] = {0.5, 1, 0, 1};
    dt_tensor *x = leaf_of(&f, self), *y = leaf_of(&f, other);
    dt_tensor *written[] = {dt_clone(x)};
    CHECK_OK(world, dt_foreach_maximum_(written, 1, &y, 1));
    CHECK_OK(world, dt_backward(dt_sum(written[0], DT_DIMS(), false)));
    check_values(dt_tensor_grad(x), first, COUNT);
    check_values(dt_tensor_grad(y), second, COUNT);
    close_without_errors(&f);
}

static void no_elements(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x =
        dt_requires_grad(dt_zeros(f.mesh, "S(0)", DT_F64, DT_SHAPE(0)));
    dt_tensor *at = dt_zeros(f.mesh, "R", DT_I64, DT_SHAPE(0));
    dt_tensor *sum = dt_sum(dt_take_along_dim(x, at, 0), DT_DIMS(), false);
    CHECK_OK(world, dt_backward(sum));
    check_values(dt_tensor_grad(x), NULL, 0);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"powers that are complex", real_to_complex_powers},
    {"complex numbers made real", complex_to_real},
    {"lists in place", lists_in_place},
    {"no elements", no_elements},
    {"functions of one tensor", functions_of_one},
    {"functions of two tensors", functions_of_two},
    {NULL, NULL},
};
