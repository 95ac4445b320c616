/* ranks: 1 2 3 4 7 */
/* tests/ranks/tensor_local_map.c - functions of local tensors, on tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: local_map */
#include <dtensor/local_map.h>

#include "support/tensors.h"

/* Adds the rank to every element of a copy, and counts calls. */
typedef struct work {
    int calls;
    bool fails;
    bool forgets; /* to set its output */
} work;

static dt_status add_rank(dt_world *world, dt_tensor *const *inputs,
                          int input_count, dt_tensor **outputs,
                          int output_count, void *arg)
{
    work *at = arg;
    at->calls++;
    CHECK_INT(input_count, 1);
    CHECK_INT(output_count, 1);
    CHECK(dt_tensor_mesh(inputs[0]) == dt_world_own_mesh(world));
    if (at->fails)
        return DT_ERR_IO;
    if (!at->forgets)
        outputs[0] = dt_add_scalar(inputs[0], DT_NUMBER(dt_world_rank(world)));
    return DT_OK;
}

static void maps_parts(dt_world *world)
{
    static const char *const layouts[] = {"S(0)"};
    dt_mesh *mesh = NULL;
    work at = {0};
    dt_tensor *out = NULL;
    int n = dt_world_size(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *in = dt_zeros(mesh, "S(0)", DT_F32, DT_SHAPE(2 * n + 1, 3));
    dt_shape shapes[] = {dt_tensor_shape(in)};
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.in_layouts = options.out_layouts = layouts;
    options.out_shapes = shapes;
    options.arg = &at;
    CHECK_OK(world, dt_local_map(add_rank, &in, 1, &out, 1, &options));
    CHECK_INT(at.calls, 1);
    CHECK(dt_tensor_spec(out) == dt_tensor_spec(in));
    const float *data = dt_array_const_data(dt_tensor_local(out));
    for (int64_t i = 0; i < dt_array_count(dt_tensor_local(out)); i++)
        CHECK(data[i] == (float)dt_world_rank(world));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Layouts may count dimensions from the end. */
static void counts_from_the_end(dt_world *world)
{
    static const char *const layouts[] = {"S(-2)"};
    dt_mesh *mesh = NULL;
    work at = {0};
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *in =
        dt_zeros(mesh, "S(0)", DT_F32, DT_SHAPE(2 * dt_world_size(world), 3));
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.in_layouts = options.out_layouts = layouts;
    options.arg = &at;
    CHECK_OK(world, dt_local_map(add_rank, &in, 1, &out, 1, &options));
    CHECK(dt_tensor_spec(out) == dt_tensor_spec(in));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void redistributes_if_asked(dt_world *world)
{
    static const char *const cut[] = {"S(0)"}, *const whole[] = {"R"};
    dt_mesh *mesh = NULL;
    work at = {0};
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *in = dt_zeros(mesh, "S(1)", DT_F32, DT_SHAPE(8, 12));
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.in_layouts = whole;
    options.out_layouts = cut;
    options.arg = &at;
    CHECK_FAILS(world, dt_local_map(add_rank, &in, 1, &out, 1, &options),
                DT_ERR_INVALID, "does not have layout R");
    CHECK_INT(at.calls, 0);
    options.redistribute = true;
    CHECK_OK(world, dt_local_map(add_rank, &in, 1, &out, 1, &options));
    CHECK_INT((int)dt_tensor_extent(out, 0), 8 * dt_world_size(world));
    options.out_layouts = NULL;
    CHECK_FAILS(world, dt_local_map(add_rank, &in, 1, &out, 1, &options),
                DT_ERR_INVALID, "out_layouts");
    options.out_layouts = (const char *const[]){NULL};
    CHECK_FAILS(world, dt_local_map(add_rank, &in, 1, &out, 1, &options),
                DT_ERR_INVALID, "the layout of output 0 is NULL");
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void passes_failures_on(dt_world *world)
{
    static const char *const layouts[] = {"S(0)"};
    dt_mesh *mesh = NULL;
    work at = {.forgets = true};
    dt_tensor *out = NULL;
    CHECK_OK(world, dt_mesh_create(world, "own=1,x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *in =
        dt_to_local(dt_zeros(mesh, "RS(0)", DT_F32, DT_SHAPE(8, 3)));
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.out_layouts = layouts;
    options.arg = &at;
    CHECK_FAILS(world, dt_local_map(add_rank, &in, 1, &out, 1, &options),
                DT_ERR_INVALID, "did not set output 0");
    at.fails = true;
    CHECK_INT(dt_local_map(add_rank, &in, 1, &out, 1, &options), DT_ERR_IO);
    dt_tensor *none = NULL;
    CHECK_INT(dt_local_map(add_rank, &none, 1, &out, 1, &options),
              DT_ERR_INVALID);
    options.size = 1;
    CHECK_FAILS(world, dt_local_map(add_rank, &in, 1, &out, 1, &options),
                DT_ERR_INVALID, "DT_LOCAL_MAP_OPTIONS_INIT");
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* A rank outside the mesh calls nothing, and has tensors without elements. */
static void leaves_others_out(dt_world *world)
{
    static const char *const layouts[] = {"R"};
    dt_mesh *mesh = NULL;
    work at = {0};
    dt_tensor *out = NULL;
    int ranks[] = {0};
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, 1, &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *in = dt_zeros(mesh, "R", DT_F32, DT_SHAPE(4));
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.out_layouts = layouts;
    options.arg = &at;
    CHECK_OK(world, dt_local_map(add_rank, &in, 1, &out, 1, &options));
    bool inside = dt_world_rank(world) == 0;
    CHECK_INT(at.calls, inside);
    CHECK_INT((int)dt_array_count(dt_tensor_local(out)), inside ? 4 : 0);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"maps parts", maps_parts},
    {"counts from the end", counts_from_the_end},
    {"redistributes if asked", redistributes_if_asked},
    {"passes failures on", passes_failures_on},
    {"leaves others out", leaves_others_out},
    {NULL, NULL},
};
