/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/math/order.c - results of pointwise operators lie in memory
 * as their inputs do, on every layout. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>
#include <dtensor/sys/ops_internal.h>

#include "ranks/ops/math/cases.h"

enum { NDIM = 3 };

/* Dimensions of the tensors below, from the outermost to the innermost. */
static const int turned[NDIM] = {1, 2, 0};

/* Check strides that are dense in an order; extents of 1 have none. */
static void check_dense(const char *what, dt_shape shape, const int *order,
                        const int64_t *strides)
{
    int64_t expected = 1;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        const int64_t extent = shape.dims[order[i]];
        CHECKF(extent <= 1 || strides[order[i]] == expected,
               "%s stride %d is %lld instead of %lld", what, order[i],
               (long long)strides[order[i]], (long long)expected);
        expected *= extent > 1 ? extent : 1;
    }
}

/* Check the strides of a tensor and of what this rank has of it. */
static void check_in_order(const dt_tensor *tensor, const int *order)
{
    int64_t strides[DT_MAX_NDIM];
    if (!CHECK(tensor != NULL))
        return;
    const dt_array *local = dt_tensor_local(tensor);
    for (int i = 0; i < dt_tensor_ndim(tensor); i++)
        strides[i] = dt_tensor_stride(tensor, i);
    check_dense("global", dt_tensor_shape(tensor), order, strides);
    if (!CHECK_INT(dt_array_ndim(local), dt_tensor_ndim(tensor)) ||
        dt_array_count(local) == 0)
        return;
    for (int i = 0; i < dt_array_ndim(local); i++)
        strides[i] = dt_array_stride(local, i);
    check_dense("local", dt_array_shape(local), order, strides);
}

/* ---- Operators ------------------------------------------------------------
 */

static dt_tensor *convert(dt_tensor *x)
{
    return dt_cast(x, DT_F64);
}

static dt_tensor *bound(dt_tensor *x)
{
    return dt_clamp(x, dt_integer(-2), dt_integer(3));
}

static dt_tensor *keep_all(dt_tensor *x)
{
    return dt_dropout(x, 0.0, false);
}

static dt_tensor *drop_some(dt_tensor *x)
{
    CHECK_OK(dt_tensor_world(x), dt_seed(dt_tensor_world(x), 5));
    return dt_dropout(x, 0.5, true);
}

static dt_tensor *increase(dt_tensor *x)
{
    return dt_add_scalar(x, dt_integer(2));
}

static dt_tensor *floor_integers(dt_tensor *x)
{
    return dt_floor(dt_cast(x, DT_I32));
}

static dt_tensor *(*const singles[])(dt_tensor *) = {
    dt_neg,    dt_relu,  dt_clone, convert,        bound,   keep_all,
    drop_some, increase, dt_isnan, floor_integers, dt_gelu, dt_zeros_like,
};

static dt_tensor *each_loss(dt_tensor *x, dt_tensor *y)
{
    const dt_mse_loss_options options = {.size = sizeof options,
                                         .reduction = 0};
    return dt_mse_loss_with(x, y, &options);
}

static dt_tensor *loss_gradient(dt_tensor *x, dt_tensor *y)
{
    return dt_mse_loss_backward(x, x, y, 0);
}

static dt_tensor *choose(dt_tensor *x, dt_tensor *y)
{
    return dt_where(dt_gt(x, y), x, y);
}

static dt_tensor *multiply_add(dt_tensor *x, dt_tensor *y)
{
    return dt_addcmul(x, y, x);
}

static dt_tensor *first_of_list(dt_tensor *x, dt_tensor *y)
{
    dt_tensor *all[1] = {NULL};
    dt_world *world = dt_tensor_world(x);
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSORS, .count = 1, .as.tensors = &x},
        {.kind = DT_ARG_TENSORS, .count = 1, .as.tensors = &y}};
    CHECK_OK(world, dt_op_call(world, "foreach_mul", DT_VARIANT_NEW, arguments,
                               2, all, 1, NULL));
    return all[0];
}

static dt_tensor *(*const pairs[])(dt_tensor *, dt_tensor *) = {
    dt_add,           dt_le,         dt_logical_and, dt_maximum,
    dt_silu_backward, dt_isclose,    each_loss,      choose,
    multiply_add,     first_of_list, loss_gradient,
};

/* ---- Values ----------------------------------------------------------------
 */

/* Check that two tensors have the same elements, bit by bit but for the sign of
 * 0. */
static void check_same_values(dt_tensor *found, dt_tensor *expected)
{
    double a[ELEMENTS_MAX], b[ELEMENTS_MAX];
    if (!read_tensor(found, a) || !read_tensor(expected, b))
        return;
    for (int64_t i = 0; i < dt_tensor_count(found); i++)
        if (!CHECKF(a[i] == b[i], "element %lld is %g instead of %g",
                    (long long)i, a[i], b[i]))
            return;
}

/* A tensor whose dimensions are turned; `layout` is that of its base. */
static dt_tensor *make_turned(fixture *f, const char *layout, dt_shape shape,
                              int salt)
{
    const int back[NDIM] = {2, 0, 1};
    const dt_shape base = DT_SHAPE(shape.dims[1], shape.dims[2], shape.dims[0]);
    return dt_permute(make_operand(f, layout, DT_F32, base, salt),
                      DT_DIMS(back[0], back[1], back[2]));
}

static void check_single_order(dt_tensor *(*op)(dt_tensor *), dt_tensor *x)
{
    dt_tensor *out = op(x);
    check_in_order(out, turned);
    check_same_values(out, op(dt_contiguous(x)));
}

static void check_operators(fixture *f, const char *layout, const char *other,
                            dt_shape shape)
{
    dt_tensor *x = make_turned(f, layout, shape, 1);
    dt_tensor *y = make_turned(f, other, shape, 2);
    dt_tensor *row = make_operand(f, dt_mesh_ndim(f->mesh) > 1 ? "RR" : "R",
                                  DT_F32, DT_SHAPE(shape.dims[2]), 3);
    check_in_order(x, turned);
    for (size_t i = 0; i < COUNT_OF(singles); i++)
        check_single_order(singles[i], x);
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        dt_tensor *dense = dt_contiguous(y), *out = pairs[i](x, y);
        check_in_order(out, turned);
        check_same_values(out, pairs[i](dt_contiguous(x), dense));
        check_in_order(pairs[i](x, dense), turned);
    }
    dt_tensor *sum = dt_add(row, x);
    check_in_order(sum, turned);
    check_same_values(sum, dt_add(row, dt_contiguous(x)));
}

static void follows_inputs(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t n = f.ranks;
    const dt_shape even = DT_SHAPE(3, 2 * n, 4),
                   uneven = DT_SHAPE(3, 2 * n + 1, 4);
    const dt_shape few = DT_SHAPE(2, n > 1 ? n - 1 : 1, 3);
    check_operators(&f, "R", "R", even);
    check_operators(&f, "S(0)", "S(0)", even);
    check_operators(&f, "S(0)", "R", uneven);
    check_operators(&f, "S(2)", "S(0)", uneven);
    check_operators(&f, "S(0)", "S(0)", few);
    check_operators(&f, "S(1)", "S(1)", DT_SHAPE(3, 2, 1));
    check_operators(&f, "S(0)", "S(0)", DT_SHAPE(0, 2 * n, 4));
    close_fixture(&f);
}

/* Partial values pass in the same order, and nothing is sent. */
static void partial_values_follow(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_turned(&f, "P(sum)", DT_SHAPE(3, 4, 5), 1);
    dt_tensor *y = make_turned(&f, "P(sum)", DT_SHAPE(3, 4, 5), 2);
    dt_tensor *sum = dt_add(x, y);
    check_silent(&f);
    check_layout(sum, "P(sum)");
    check_in_order(sum, turned);
    check_same_values(sum, dt_add(dt_contiguous(x), dt_contiguous(y)));
    close_fixture(&f);
}

/* In place and with a given tensor, strides are those of the target. */
static void targets_keep_theirs(dt_world *world)
{
    static const int row_major[NDIM] = {0, 1, 2};
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(3, 2 * f.ranks + 1, 4);
    dt_tensor *x = make_turned(&f, "S(0)", shape, 1);
    dt_tensor *dense = make_operand(&f, "S(1)", DT_F32, shape, 2);
    dt_tensor *sum = dt_add(x, dense);
    CHECK(dt_add_(dense, x) == dense);
    check_in_order(dense, row_major);
    check_same_values(dense, sum);
    CHECK(dt_neg_(x) == x);
    check_in_order(x, turned);
    close_fixture(&f);
}

/* Two mesh dimensions. */
static void follows_on_a_grid(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *grid = NULL;
    if (f.ranks == 4) {
        CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &grid));
        dt_mesh_release(f.mesh);
        f.mesh = grid;
        check_operators(&f, "S(0)S(1)", "S(0)S(1)", DT_SHAPE(3, 5, 6));
        check_operators(&f, "S(0)S(0)", "RS(1)", DT_SHAPE(3, 7, 5));
        check_operators(&f, "RS(2)", "S(1)R", DT_SHAPE(3, 4, 5));
    }
    close_fixture(&f);
}

/* What follows a pointwise operator reads its result in any order. */
static void results_can_be_read(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(3, 2 * f.ranks + 1, 4);
    dt_tensor *out = dt_neg(make_turned(&f, "S(0)", shape, 1));
    dt_tensor *dense = dt_contiguous(out);
    check_same_values(dt_reshape(out, DT_SHAPE(-1)),
                      dt_reshape(dense, DT_SHAPE(-1)));
    check_same_values(dt_sum(out, DT_DIMS(1), false),
                      dt_sum(dense, DT_DIMS(1), false));
    check_same_values(dt_redistribute(out, "R"), dt_redistribute(dense, "R"));
    check_same_values(dt_softmax(out, 1), dt_softmax(dense, 1));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"results follow their inputs", follows_inputs},
    {"partial values follow", partial_values_follow},
    {"targets keep their strides", targets_keep_theirs},
    {"two mesh dimensions", follows_on_a_grid},
    {"results can be read", results_can_be_read},
    {NULL, NULL},
};
