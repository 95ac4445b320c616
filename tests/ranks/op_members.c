/* ranks: 1 2 3 4 7 */
/* tests/ranks/op_members.c - operators on meshes that have not all ranks, and
 * on several meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "base/error.h"
#include "support/tensors.h"

/* All ranks but the last. */
static dt_mesh *inner_mesh(dt_world *world)
{
    int ranks[64];
    dt_mesh *mesh = NULL;
    int count = dt_world_size(world) - 1;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, count, &mesh));
    return mesh;
}

static void check_count(dt_tensor *tensor, int64_t members_have)
{
    if (!CHECK(tensor != NULL))
        return;
    bool inside = dt_mesh_is_member(dt_tensor_mesh(tensor));
    dt_array *local = dt_tensor_local(tensor);
    if (inside)
        CHECK_INT(dt_array_count(local), members_have);
    else
        CHECK(dt_array_ndim(local) == 1 && dt_array_count(local) == 0);
}

/* 16: outside the mesh results are empty, in place nothing happens, and nobody
 * waits. */
static void leaves_others_out(dt_world *world)
{
    if (dt_world_size(world) == 1)
        return;
    dt_mesh *mesh = inner_mesh(world);
    int64_t n = dt_mesh_size(mesh);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(2 * n, 3));
    dt_tensor *b = dt_ones(mesh, "S(1)", DT_F32, DT_SHAPE(2 * n, 3));
    dt_tensor *parts[3], *values = NULL, *indices = NULL;
    int count = 0;
    check_count(dt_add(a, a), 6);
    check_count(dt_add(a, b), 6); /* one of them is redistributed */
    check_count(dt_sum(a, DT_DIMS(), false), 1);
    check_count(dt_reshape(a, DT_SHAPE(3 * n, 2)), 6);
    CHECK_OK(world, dt_split(a, 1, 1, parts, 3, &count));
    CHECK_INT(count, 3);
    check_count(parts[2], 2);
    CHECK_OK(world, dt_max_dim(a, 0, false, &values, &indices));
    check_count(values, 3);
    check_count(indices, 3);
    CHECK(dt_add_(a, b) == a);
    check_count(a, 6);
    check_count(dt_dropout(a, 0.5, true), 6);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* 77: a 0-d tensor of this rank alone counts as replicated, others only if the
 * scope says so. */
static void replicates_what_is_alone(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_mesh *own = dt_world_own_mesh(world);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(7, 3));
    dt_tensor *number = dt_ones(own, "R", DT_F32, DT_SHAPE());
    dt_tensor *row = dt_ones(own, "R", DT_F32, DT_SHAPE(3));
    dt_tensor *sum = dt_add(a, number);
    CHECK(sum && dt_tensor_spec(sum) == dt_tensor_spec(a));
    dt_scope *strange = dt_scope_open(world);
    CHECK(dt_add(a, row) == NULL);
    CHECK_FAILS(world, dti_fail_with(world, dt_scope_error(strange)),
                DT_ERR_INVALID, "other, f32[3] R, is on this rank's own mesh");
    DT_IGNORE(dt_scope_close(strange));
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.replicate = DT_TRISTATE_ON;
    strange = dt_scope_open_with(world, &options);
    sum = dt_add(a, row);
    CHECK(sum && dt_tensor_spec(sum) == dt_tensor_spec(a));
    CHECK_OK(world, dt_scope_close(strange));
    /* What was decided there does not hold here. */
    strange = dt_scope_open(world);
    CHECK(dt_add(a, row) == NULL);
    DT_IGNORE(dt_scope_close(strange));
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void refuses_other_meshes(dt_world *world)
{
    if (dt_world_size(world) == 1)
        return;
    dt_mesh *mesh = NULL, *inner = inner_mesh(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = dt_ones(mesh, "R", DT_F32, DT_SHAPE(4));
    dt_tensor *b = dt_ones(inner, "R", DT_F32, DT_SHAPE(4));
    CHECK(dt_mul(a, b) == NULL);
    CHECK_FAILS(world, dti_fail_with(world, dt_scope_error(scope)),
                DT_ERR_INVALID, "redistribute it to their mesh");
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(inner);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"16: leaves others out", leaves_others_out},
    {"77: replicates what is alone", replicates_what_is_alone},
    {"refuses other meshes", refuses_other_meshes},
    {NULL, NULL},
};
