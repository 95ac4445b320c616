/* nn/layers/share.c - heads of keys and values for each rank's queries. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/layers/share.h"

#include <dtensor/layout.h>
#include <dtensor/ops/index.h>
#include <dtensor/redistribute.h>
#include <dtensor/spec.h>

#include "tensor/tensor.h"

enum { HEADS = 1 };

/* Tell whether a placement shards the heads. */
static bool shards_heads(dt_placement placement)
{
    return dt_placement_is_shard(placement) && placement.dim == HEADS;
}

/*
 * Set the layouts in which ranks take heads: where queries are sharded by
 * heads, `shared` is replicated and its gradient partial.  False if they are
 * sharded alike.
 */
static bool set_layouts(const dt_tensor *queries, const dt_tensor *shared,
                        dt_layout *in, dt_layout *gradient)
{
    const dt_layout *by = dt_tensor_layout(queries);
    bool differ = false;
    *in = *gradient = *dt_tensor_layout(shared);
    for (int i = 0; i < by->ndim; i++) {
        const dt_placement own = by->placements[i];
        if (!shards_heads(own)) { /* the result has the layout of the queries */
            in->placements[i] = own;
            gradient->placements[i] =
                own.kind == DT_PARTIAL ? dt_replicate() : own;
            continue;
        }
        differ |= !shards_heads(in->placements[i]);
        in->placements[i] = dt_replicate();
        gradient->placements[i] = dt_partial(DT_SUM);
    }
    *in = dt_layout_of(in->placements, in->ndim);
    *gradient = dt_layout_of(gradient->placements, gradient->ndim);
    return differ;
}

/* Which head of `shared` each local query has, as a tensor of this rank. */
static dt_tensor *number_heads(const dt_tensor *queries, int64_t group)
{
    dt_world *world = queries->world;
    dt_array *array = NULL;
    dt_run run;
    const int64_t count = queries->local->shape.dims[HEADS];
    if (dt_array_create(world, DT_I64, DT_SHAPE(count), &array) != DT_OK)
        return NULL;
    int64_t *numbers = dt_array_data(array);
    for (int64_t i = 0; i < count; i += run.length) {
        if (!dt_spec_run(queries->spec, world->rank, HEADS, i, &run))
            break;
        for (int64_t j = 0; j < run.length; j++)
            numbers[i + j] = (run.global + j) / group;
    }
    dt_tensor *out = dt_from_local(dt_world_own_mesh(world), NULL, array);
    dt_array_release(array);
    return out;
}

/* Take the heads that this rank needs, of `shared`, which is replicated where
 * ranks differ.  A rank outside the mesh has none. */
static dt_tensor *take_heads(dt_tensor *queries, dt_tensor *shared,
                             const char *grad_layout)
{
    dt_to_local_options options = DT_TO_LOCAL_OPTIONS_INIT;
    const int64_t group =
        dt_tensor_extent(queries, HEADS) / dt_tensor_extent(shared, HEADS);
    options.grad_layout = grad_layout;
    dt_tensor *local = dt_to_local_with(shared, &options);
    if (!local || !dt_mesh_is_member(dt_tensor_mesh(queries)))
        return local;
    return dt_index_select(local, HEADS, number_heads(queries, group));
}

dt_tensor *dti_heads_for(dt_tensor *queries, dt_tensor *shared)
{
    dt_layout in, gradient;
    if (!queries || !shared || !set_layouts(queries, shared, &in, &gradient))
        return shared;
    dt_world *world = queries->world;
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    dt_shape shape = dt_tensor_shape(shared);
    shape.dims[HEADS] = dt_tensor_extent(queries, HEADS);
    const dt_meta meta = dt_meta_of(dt_tensor_dtype(shared), shape);
    options.shape = &meta.shape;
    options.strides = meta.strides;
    shared = dt_redistribute(shared, dt_layout_text(world, &in));
    if (!shared)
        return NULL;
    dt_tensor *local =
        take_heads(queries, shared, dt_layout_text(world, &gradient));
    return dt_from_local_tensor(
        dt_tensor_mesh(queries),
        dt_layout_text(world, dt_tensor_layout(queries)), local, &options);
}
