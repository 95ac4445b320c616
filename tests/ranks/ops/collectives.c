/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/collectives.c - operators that take no more collectives than
 * PyTorch's. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/* Check how many collectives there were since a tensor was made. */
static void check_calls(const fixture *f, const char *name, int most)
{
    const long long calls = calls_counted(f);
    CHECKF(calls <= most, "%s: %lld collectives, not %d", name, calls, most);
}

static void check_extremes(fixture *f, const char *layout, dt_shape shape,
                           dt_dims dims)
{
    dt_tensor *least, *most;
    dt_tensor *x = make_tensor(f, layout, DT_F32, shape);
    CHECK_OK(f->world, dt_aminmax(x, dims, false, &least, &most));
    check_calls(f, "aminmax", 1);
    double found[ELEMENTS_MAX], wanted[ELEMENTS_MAX];
    if (read_tensor(dt_amin(x, dims, false), wanted) &&
        read_tensor(least, found))
        CHECK(found[0] == wanted[0]);
    if (read_tensor(dt_amax(x, dims, false), wanted) &&
        read_tensor(most, found))
        CHECK(found[0] == wanted[0]);
}

/* Both extremes of a sum take one reduction of it. */
static void extremes_reduce_once(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"P(sum)", "P(avg)", "P(max)",
                                          "P(min)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        check_extremes(&f, layouts[i], DT_SHAPE(8, 4), DT_DIMS());
        check_extremes(&f, layouts[i], DT_SHAPE(8, 4), DT_DIMS(0));
        check_extremes(&f, layouts[i], DT_SHAPE(800, 2), DT_DIMS(1));
    }
    close_fixture(&f);
}

/* Shards that cannot be flattened where they are, too. */
static void medians_gather_once(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"S(0)", "S(1)", "P(sum)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int rows = 1; rows < 10; rows += 2) {
            dt_tensor *x =
                make_tensor(&f, layouts[i], DT_F32, DT_SHAPE(rows, 3));
            CHECK(dt_median(x) != NULL);
            check_calls(&f, "median", 1);
            x = make_tensor(&f, layouts[i], DT_F32, DT_SHAPE(rows, 3));
            CHECK(dt_nanmedian(x) != NULL);
            check_calls(&f, "nanmedian", 1);
        }
    close_fixture(&f);
}

/* The gradient is linear in the difference: nothing is sent. */
static void gradients_of_partial_differences_are_partial(dt_world *world)
{
    fixture f = open_fixture(world);
    for (int reduction = 0; reduction < 3; reduction++) {
        dt_tensor *grad = make_tensor(&f, "R", DT_F32,
                                      reduction ? DT_SHAPE() : DT_SHAPE(8, 4));
        dt_tensor *x = make_tensor(&f, "P(sum)", DT_F32, DT_SHAPE(8, 4));
        dt_tensor *y = dt_mul_scalar(x, dt_real(3));
        dt_tensor *out = dt_mse_loss_backward(grad, x, y, reduction);
        check_calls(&f, "mse_loss_backward", 0);
        check_layout(out, "P(sum)");
        double values[ELEMENTS_MAX], wanted[ELEMENTS_MAX], grads[ELEMENTS_MAX];
        if (!read_tensor(x, values) || !read_tensor(grad, grads))
            continue;
        for (int i = 0; i < 32; i++)
            wanted[i] = -4 * values[i] * grads[reduction ? 0 : i] /
                        (reduction == 1 ? 32 : 1);
        check_values(out, wanted, 32);
        /* A difference to what is not partial is reduced. */
        dt_tensor *whole = make_tensor(&f, "R", DT_F32, DT_SHAPE(8, 4));
        CHECK(dt_mse_loss_backward(grad, x, whole, reduction) != NULL);
        check_calls(&f, "mse_loss_backward", 1);
    }
    close_fixture(&f);
}

static void check_put(fixture *f, const char *layout, dt_shape masked,
                      dt_shape values)
{
    dt_tensor *x = make_tensor(f, layout, DT_F32, DT_SHAPE(8, 4));
    dt_tensor *y = make_tensor(f, "R", DT_F32, values);
    dt_tensor *mask = make_tensor(f, "S(0)", DT_BOOL, masked);
    dt_tensor *whole = dt_redistribute(mask, "R");
    start_counting(f);
    dt_tensor *out = dt_index_put(x, y, &mask, 1, false);
    check_calls(f, "index_put", 1);
    double wanted[ELEMENTS_MAX];
    if (read_tensor(dt_index_put(x, y, &whole, 1, false), wanted))
        check_values(out, wanted, 32);
}

/* A sharded mask is gathered, and not the indexes that it stands for. */
static void masks_are_gathered(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"R", "S(0)", "S(1)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        check_put(&f, layouts[i], DT_SHAPE(8), DT_SHAPE());
        check_put(&f, layouts[i], DT_SHAPE(8), DT_SHAPE(1, 4));
        check_put(&f, layouts[i], DT_SHAPE(8, 4), DT_SHAPE(1));
    }
    close_fixture(&f);
}

/* Whether integers are finite does not depend on them. */
static void integers_are_finite(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"P(sum)", "S(0)", "R"};
    const double no[32] = {0};
    double yes[32];
    for (int i = 0; i < 32; i++)
        yes[i] = 1;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *x = make_tensor(&f, layouts[i], DT_I64, DT_SHAPE(8, 4));
        dt_tensor *finite = dt_isfinite(x), *nan = dt_isnan(x);
        dt_tensor *infinite = dt_isinf(x), *more = dt_isposinf(x);
        dt_tensor *less = dt_isneginf(x);
        check_calls(&f, "isfinite", 0);
        check_layout(finite, layouts[i][0] == 'P' ? "R" : layouts[i]);
        check_values(finite, yes, 32);
        check_values(nan, no, 32);
        check_values(infinite, no, 32);
        check_values(more, no, 32);
        check_values(less, no, 32);
    }
    close_fixture(&f);
}

/* A large one is reduced to shards, which sends half as much. */
static void norms_of_few_numbers_reduce_once(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shapes[] = {DT_SHAPE(), DT_SHAPE(1), DT_SHAPE(3),
                               DT_SHAPE(5, 4), DT_SHAPE(8, 4)};
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (double p = 1; p < 4; p++) {
            dt_tensor *x = make_tensor(&f, "P(sum)", DT_F32, shapes[i]);
            dt_tensor *out = dt_norm(x, p, DT_DIMS(), false);
            check_calls(&f, "norm", 1);
            check_layout(out, "R");
            x = make_tensor(&f, "P(sum)", DT_F32, shapes[i]);
            CHECK(shapes[i].ndim < 2 ||
                  dt_norm(x, p, DT_DIMS(1), false) != NULL);
            check_calls(&f, "norm", 1);
        }
    close_fixture(&f);
}

static void mixed_stacks(dt_world *world)
{
    fixture f = open_fixture(world);
    static const struct {
        int most, count;
        const char *layouts[3];
    } cases[] = {
        {0, 2, {"S(0)", "R"}},
        {0, 2, {"P(sum)", "R"}},
        {0, 2, {"P(sum)", "P(sum)"}},
        {2, 2, {"S(0)", "S(1)"}},
        {1, 2, {"P(sum)", "S(0)"}},
        {2, 2, {"P(sum)", "P(max)"}},
        {1, 3, {"P(sum)", "S(0)", "R"}},
        {1, 3, {"S(1)", "S(0)", "S(0)"}},
        {3, 3, {"P(sum)", "S(0)", "S(1)"}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_tensor *inputs[3];
        for (int k = 0; k < cases[i].count; k++)
            inputs[k] =
                make_tensor(&f, cases[i].layouts[k], DT_F32, DT_SHAPE(8, 4));
        CHECK(dt_stack(inputs, cases[i].count, 0) != NULL);
        check_calls(&f, "stack", cases[i].most);
    }
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"extremes reduce once", extremes_reduce_once},
    {"medians gather once", medians_gather_once},
    {"gradients of partial differences are partial",
     gradients_of_partial_differences_are_partial},
    {"masks are gathered", masks_are_gathered},
    {"integers are finite", integers_are_finite},
    {"norms of few numbers reduce once", norms_of_few_numbers_reduce_once},
    {"mixed stacks", mixed_stacks},
    {NULL, NULL},
};
