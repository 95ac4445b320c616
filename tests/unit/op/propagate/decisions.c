/* tests/unit/op/propagate/decisions.c - which calls share a decision. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/registry.h"

#include "support/check.h"

static size_t known(dt_world *world)
{
    return dti_operators_of(world)->decisions.count;
}

static double first(dt_tensor *tensor)
{
    dt_array *local = dt_tensor_local(tensor), *real = NULL;
    dt_world *world = dt_tensor_world(tensor);
    CHECK_OK(world, dt_array_cast(world, local, DT_F64, &real));
    double value = *(const double *)dt_array_const_data(real);
    dt_array_release(real);
    return value;
}

/* 79: what decides is in the key, and nothing else. */
static void values_of_numbers_do_not_decide(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    dt_tensor *x = dt_full(own, "R", DT_I32, DT_SHAPE(3), 4);
    CHECK(first(dt_add_scalar(x, DT_NUMBER(1))) == 5);
    size_t before = known(world);
    CHECK(first(dt_add_scalar(x, DT_NUMBER(2))) == 6);
    CHECK(first(dt_add_scalar(x, DT_NUMBER(3))) == 7);
    CHECK(known(world) == before);
    /* Its kind does: integers become floats. */
    dt_tensor *real = dt_add_scalar(x, DT_NUMBER(0.5));
    CHECK(dt_tensor_dtype(real) == DT_F32 && first(real) == 4.5);
    CHECK(known(world) == before + 1);
    CHECK_OK(world, dt_scope_close(scope));
}

static void dtypes_and_absent_tensors_decide(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    dt_tensor *x = dt_full(own, "R", DT_F32, DT_SHAPE(2, 2), 3);
    CHECK(dt_tensor_dtype(dt_cast(x, DT_F64)) == DT_F64);
    CHECK(dt_tensor_dtype(dt_cast(x, DT_I8)) == DT_I8);
    CHECK(dt_tensor_dtype(dt_cast(x, DT_F64)) == DT_F64);
    /* The same tensor as a weight and as a bias: all elements are equal, so
     * that they are 0 before these come in. */
    dt_tensor *w = dt_full(own, "R", DT_F32, DT_SHAPE(2), 7), *out = NULL;
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(2), w, NULL, 1e-5, &out, NULL, NULL));
    CHECK(first(out) == 0);
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(2), NULL, w, 1e-5, &out, NULL, NULL));
    CHECK(first(out) == 7);
    CHECK_OK(world, dt_scope_close(scope));
}

/* Shapes that come once do not pile up. */
static void decisions_are_bounded(dt_world *world)
{
    dt_mesh *own = dt_world_own_mesh(world);
    for (int i = 1; i <= 10000; i++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *x = dt_empty(own, "R", DT_U8, DT_SHAPE(i));
        CHECK(dt_neg(x) != NULL);
        CHECK_OK(world, dt_scope_close(scope));
        if (!CHECKF(known(world) <= 4096, "%zu decisions", known(world)))
            return;
    }
}

const dt_test dt_tests[] = {
    {"79: values of numbers do not decide", values_of_numbers_do_not_decide},
    {"79: dtypes and absent tensors decide", dtypes_and_absent_tensors_decide},
    {"decisions are bounded", decisions_are_bounded},
    {NULL, NULL},
};
