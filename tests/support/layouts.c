/* tests/support/layouts.c - meshes that fit a world; random layouts and shapes.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/layouts.h"

#include "support/elements.h"

/* ---- Meshes ------------------------------------------------------------- */

static void add_mesh(dt_world *world, mesh_list *meshes, const char *text)
{
    CHECK_OK(world,
             dt_mesh_create(world, text, &meshes->meshes[meshes->count]));
    meshes->count += meshes->meshes[meshes->count] != NULL;
}

mesh_list make_meshes(dt_world *world)
{
    mesh_list meshes = {.count = 0};
    int size = dt_world_size(world);
    add_mesh(world, &meshes, "x");
    add_mesh(world, &meshes, "a=1,b,c=1");
    if (size > 2 && size % 2 == 0)
        add_mesh(world, &meshes, "a=2,b");
    if (size > 3 && size % 3 == 0)
        add_mesh(world, &meshes, "a=3,b");
    if (size % 8 == 0)
        add_mesh(world, &meshes, "a=2,b=2,c");
    meshes.meshes[meshes.count++] = reversed_mesh(world, "back", size);
    if (size > 1)
        meshes.meshes[meshes.count++] =
            reversed_mesh(world, size == 5 ? "a=2,b" : "a,b=1", size - 1);
    return meshes;
}

void release_meshes(mesh_list *meshes)
{
    for (int i = 0; i < meshes->count; i++)
        dt_mesh_release(meshes->meshes[i]);
}

dt_mesh *mesh_of_all(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    return mesh;
}

dt_mesh *reversed_mesh(dt_world *world, const char *text, int count)
{
    int ranks[64];
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = count - 1 - i;
    CHECK_OK(world, dt_mesh_create_from(world, text, ranks, count, &mesh));
    return mesh;
}

dt_mesh *mesh_without_last(dt_world *world)
{
    int ranks[64];
    const int count = dt_world_size(world) - 1;
    dt_mesh *mesh = NULL;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    if (count > 0)
        CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, count, &mesh));
    return mesh;
}

/* ---- Random choices ----------------------------------------------------- */

int below(unsigned long long *state, int limit)
{
    return (int)(dt_test_random(state) % (unsigned)limit);
}

dt_shape draw_shape(unsigned long long *state)
{
    static const int64_t extents[] = {0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13};
    dt_shape shape = {.ndim = below(state, 4)};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = extents[below(state, COUNT_OF(extents))];
    /* Most empty ones show nothing. */
    if (dt_shape_count(shape) == 0 && below(state, 3))
        shape.dims[below(state, shape.ndim)] = 2;
    return shape;
}

dt_dtype draw_dtype(unsigned long long *state)
{
    return (dt_dtype)below(state, DT_DTYPE_COUNT);
}

bool has_reduction(dt_reduce op, dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    bool real = kind == DT_KIND_FLOAT, complex = kind == DT_KIND_COMPLEX;
    if (op == DT_AVG)
        return real || complex;
    if (op == DT_MIN || op == DT_MAX)
        return !complex;
    if (op == DT_BAND || op == DT_BOR || op == DT_BXOR)
        return !real && !complex;
    return true;
}

dt_placement draw_placement(unsigned long long *state, int ndim, dt_reduce op,
                            int kinds)
{
    int kind = below(state, 8);
    if (kind < 2 && (kinds & DRAW_PARTIAL))
        return dt_partial(op);
    if (kind < 3 || ndim == 0)
        return dt_replicate();
    if (kind < 5 && (kinds & DRAW_STRIDED))
        return dt_strided_shard(below(state, ndim), 1 + below(state, 4));
    return dt_shard(below(state, ndim));
}

/* Let the mesh dimensions that shard a dimension do so in any order, unless
 * strided shards are among them. */
static void draw_order(dt_world *world, unsigned long long *state,
                       int tensor_dim, dt_layout *layout)
{
    int dims[DT_MAX_NDIM], count = 0;
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if (!dt_placement_is_shard(*placement) || placement->dim != tensor_dim)
            continue;
        if (placement->kind == DT_STRIDED_SHARD)
            return;
        int before = below(state, count + 1);
        memmove(dims + before + 1, dims + before,
                (size_t)(count - before) * sizeof *dims);
        dims[before] = i;
        count++;
    }
    if (count > 1)
        CHECK_OK(world,
                 dt_layout_set_order(world, layout, tensor_dim, dims, count));
}

dt_layout draw_layout(const dt_mesh *mesh, int ndim, dt_dtype dtype,
                      unsigned long long *state, int kinds)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_placement placements[DT_MAX_NDIM];
    dt_reduce op;
    do
        op = (dt_reduce)below(state, DT_REDUCE_COUNT);
    while (!has_reduction(op, dtype));
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        placements[i] = draw_placement(state, ndim, op, kinds);
    dt_layout layout = dt_layout_of(placements, dt_mesh_ndim(mesh));
    for (int i = 0; i < ndim; i++)
        draw_order(world, state, i, &layout);
    return layout;
}

/* ---- Shards ------------------------------------------------------------- */

bool layout_is_partial(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (dt_placement_is_partial(layout->placements[i]))
            return true;
    return false;
}

local_lists lists_of(const dt_mesh *mesh, const dt_layout *layout,
                     dt_shape shape)
{
    local_lists lists = {.shape = shape};
    int sizes[DT_MAX_NDIM], coordinate[DT_MAX_NDIM];
    for (int i = 0; i < dt_mesh_ndim(mesh); i++) {
        sizes[i] = dt_mesh_dim_size(mesh, i);
        coordinate[i] = dt_mesh_coordinate(mesh, i);
    }
    for (int i = 0; i < shape.ndim; i++) {
        lists.dims[i] =
            oracle_indexes(layout, sizes, coordinate, i, (int)shape.dims[i]);
        lists.shape.dims[i] = lists.dims[i].count;
    }
    return lists;
}
