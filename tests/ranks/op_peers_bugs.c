/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/op_peers_bugs.c - what went wrong elsewhere. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "support/tensors.h"

/* 0, 1, 2, ... as f64, in a layout. */
static dt_tensor *counted(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *array = new_array(world, DT_F64, shape);
    double *data = dt_array_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        data[i] = (double)i;
    dt_tensor *tensor =
        dt_distribute(mesh, layout, DT_F64, shape, array, DT_EVERYWHERE);
    dt_array_release(array);
    return tensor;
}

/* The elements of the whole, in order. */
static const double *values_of(dt_tensor *tensor)
{
    dt_array *local = dt_tensor_local(dt_full_tensor(tensor));
    CHECK(dt_array_is_contiguous(local));
    return dt_array_const_data(local);
}

static void check_counted(dt_tensor *tensor)
{
    const double *values = values_of(tensor);
    for (int64_t i = 0; i < dt_tensor_count(tensor); i++)
        CHECKF(values[i] == (double)i, "element %d is %g", (int)i, values[i]);
}

/* pytorch#179502: wrong numbers. */
static void views_across_dimensions(dt_world *world)
{
    static const char *const layouts[] = {"S(1)R", "RS(1)", "S(1)S(1)",
                                          "S(0)S(1)", "S(2)S(1)"};
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 6)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=3", &mesh));
    dt_scope *scope = dt_scope_open(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *x = counted(mesh, layouts[i], DT_SHAPE(4, 4, 4));
        check_counted(dt_reshape(x, DT_SHAPE(8, 8)));
        x = counted(mesh, layouts[i], DT_SHAPE(12, 8, 1));
        check_counted(dt_reshape(x, DT_SHAPE(16, 6)));
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* pytorch#149768: what is added to a norm is added once. */
static void adds_to_a_norm_once(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_full(mesh, "S(0)", DT_F64, DT_SHAPE(25), 2);
    dt_tensor *norm = dt_norm(x, 2, DT_DIMS(), false);
    const double *value = values_of(dt_add_scalar(norm, DT_NUMBER(1e-6)));
    CHECKF(fabs(value[0] - (10 + 1e-6)) < 1e-12, "%.17g", value[0]);
    /* And to a sum that is partial still. */
    dt_tensor *sum = dt_sum(x, DT_DIMS(), false);
    CHECK(dt_world_size(world) == 1 || dt_spec_is_partial(dt_tensor_spec(sum)));
    value = values_of(dt_add_scalar(sum, DT_NUMBER(1)));
    CHECKF(value[0] == 51, "%.17g", value[0]);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* A vocabulary that no number of ranks divides. */
static void looks_up_in_uneven_tables(dt_world *world)
{
    enum { VOCABULARY = 50257, WIDTH = 3 };
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *table = counted(mesh, "S(0)", DT_SHAPE(VOCABULARY, WIDTH));
    dt_tensor *tokens = dt_randint(
        mesh, "R", DT_I64, DT_SHAPE(64),
        &(dt_randint_options){sizeof(dt_randint_options), 0, VOCABULARY, 0});
    const int64_t *rows = dt_array_const_data(dt_tensor_local(tokens));
    const double *values = values_of(dt_embedding(table, tokens));
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < WIDTH; k++)
            CHECK(values[i * WIDTH + k] == (double)(rows[i] * WIDTH + k));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* jax#24576: tensors that one dimension of a mesh cuts, joined. */
static void joins_what_a_part_of_the_mesh_cuts(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) % 2)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b", &mesh));
    dt_scope *scope = dt_scope_open(world);
    static const char *const layouts[] = {"S(0)R", "RS(0)", "S(1)S(0)",
                                          "P(sum)S(0)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int dim = 0; dim < 2; dim++) {
            dt_tensor *two[] = {counted(mesh, layouts[i], DT_SHAPE(6, 5)),
                                counted(mesh, layouts[0], DT_SHAPE(6, 5))};
            dt_tensor *out = dt_cat(two, 2, dim);
            const double *values = values_of(out);
            int64_t columns = dt_tensor_extent(out, 1);
            for (int64_t k = 0; k < dt_tensor_count(out); k++) {
                int64_t row = k / columns % 6, column = k % columns % 5;
                CHECK(values[k] == (double)(row * 5 + column));
            }
        }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* pytorch#157662: ranks outside must not be waited for. */
static void draws_on_a_part_of_the_world(dt_world *world)
{
    dt_mesh *mesh = NULL;
    int ranks[] = {0, 1};
    if (dt_world_size(world) == 1)
        return;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, 2, &mesh));
    dt_scope *scope = dt_scope_open(world);
    uint64_t before = calls_so_far(world);
    if (dt_mesh_is_member(mesh)) {
        dt_tensor *x = dt_randn(mesh, "S(0)", DT_F32, DT_SHAPE(8, 3));
        CHECK(dt_dropout(x, 0.5, true) != NULL);
    }
    CHECK_INT((long long)(calls_so_far(world) - before), 0);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* torchtitan#2106: a bias beside a product that is partial counts once. */
static void adds_a_bias_once(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_full(mesh, "S(1)", DT_F64, DT_SHAPE(2, 12), 1);
    dt_tensor *w = dt_full(mesh, "S(1)", DT_F64, DT_SHAPE(3, 12), 2);
    dt_tensor *bias = dt_full(mesh, "R", DT_F64, DT_SHAPE(3), 100);
    uint64_t before = calls_so_far(world);
    dt_tensor *out = dt_linear(x, w, bias);
    CHECK_INT((long long)(calls_so_far(world) - before), 0);
    const double *values = values_of(out);
    for (int i = 0; i < 6; i++)
        CHECKF(values[i] == 124, "element %d is %g", i, values[i]);
    values = values_of(dt_add(dt_linear(x, w, NULL), bias));
    for (int i = 0; i < 6; i++)
        CHECKF(values[i] == 124, "element %d is %g", i, values[i]);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Fewer rows than ranks: some have none, and everything is still right. */
static void computes_with_empty_parts(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = counted(mesh, "S(0)", DT_SHAPE(1, 4));
    check_counted(dt_add(x, dt_mul_scalar(x, DT_NUMBER(0))));
    CHECK(values_of(dt_sum(x, DT_DIMS(), false))[0] == 6);
    CHECK(values_of(dt_mean(x, DT_DIMS(), false))[0] == 1.5);
    CHECK(values_of(dt_amax(x, DT_DIMS(), false))[0] == 3);
    CHECK(values_of(dt_amin(dt_neg(x), DT_DIMS(), false))[0] == -3);
    CHECK(values_of(dt_matmul(dt_t(x), x))[15] == 9);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"a view across dimensions on 2x3 ranks", views_across_dimensions},
    {"a number added to a partial norm", adds_to_a_norm_once},
    {"a vocabulary of 50257", looks_up_in_uneven_tables},
    {"joining what part of the mesh cuts", joins_what_a_part_of_the_mesh_cuts},
    {"random numbers on part of the world", draws_on_a_part_of_the_world},
    {"a bias beside a partial product", adds_a_bias_once},
    {"fewer rows than ranks", computes_with_empty_parts},
    {NULL, NULL},
};
