/* nn/train/bucket.c - gradients that are reduced by one collective. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/train/bucket.h"

#include <stdlib.h>

#include <dtensor/array.h>
#include <dtensor/autograd.h>
#include <dtensor/redistribute.h>

#include "array/array.h"
#include "base/error.h"
#include "base/text/writer.h"

/* ---- Collecting --------------------------------------------------------- */

bool dti_bucket_accepts(const dt_tensor *leaf, const dt_tensor *grad,
                        dt_layout *partial)
{
    const dt_layout *have = dt_tensor_layout(grad);
    dt_layout reduced = *have;
    int dims = 0;
    *partial = *have;
    for (int i = 0; i < have->ndim; i++) {
        const dt_placement placement = have->placements[i];
        if (placement.kind == DT_MASKED_PARTIAL)
            return false;
        const bool adds = placement.kind == DT_PARTIAL;
        (adds ? &reduced : partial)->placements[i] = dt_replicate();
        partial->order[i] = 0;
        dims += adds;
    }
    return dims > 0 && dt_tensor_mesh(leaf) == dt_tensor_mesh(grad) &&
           dt_layout_equal(&reduced, dt_tensor_layout(leaf));
}

dt_status dti_bucket_add(dti_bucket *bucket, dt_tensor *leaf, dt_tensor *grad)
{
    if (bucket->count == bucket->capacity) {
        const int capacity = bucket->capacity ? 2 * bucket->capacity : 8;
        const size_t bytes = (size_t)capacity * sizeof *bucket->items;
        dti_bucket_item *items = realloc(bucket->items, bytes);
        if (!items)
            return dti_fail_memory(dt_tensor_world(grad), bytes,
                                   "a bucket of gradients");
        bucket->items = items;
        bucket->capacity = capacity;
    }
    bucket->items[bucket->count++] =
        (dti_bucket_item){dt_tensor_retain(leaf), dt_tensor_retain(grad)};
    bucket->bytes += dt_array_bytes(dt_tensor_local(grad));
    return DT_OK;
}

void dti_bucket_clear(dti_bucket *bucket)
{
    for (int i = 0; i < bucket->count; i++) {
        dt_tensor_release(bucket->items[i].leaf);
        dt_tensor_release(bucket->items[i].grad);
    }
    dt_tensor_release(bucket->reduced);
    bucket->reduced = NULL;
    bucket->count = 0;
    bucket->bytes = 0;
}

/* ---- Reducing ----------------------------------------------------------- */

/* The sub-mesh of the dimensions that are reduced; "dp,ep". */
static dt_status make_sub_mesh(dti_bucket *bucket)
{
    char names[DT_MAX_NDIM * DT_MESH_NAME_SIZE];
    dti_writer writer = {names, sizeof names, 0};
    for (int i = 0, first = 1; i < bucket->partial.ndim; i++) {
        if (bucket->partial.placements[i].kind != DT_PARTIAL)
            continue;
        dti_put(&writer, "%s%s", first ? "" : ",",
                dt_mesh_dim_name(bucket->mesh, i));
        first = 0;
    }
    return dt_mesh_sub(bucket->mesh, names, &bucket->sub);
}

/* The placements of the partial dimensions alone, as a layout of the sub-mesh.
 */
static dt_layout sub_layout(const dti_bucket *bucket)
{
    dt_layout layout = {0};
    for (int i = 0; i < bucket->partial.ndim; i++)
        if (bucket->partial.placements[i].kind == DT_PARTIAL)
            layout.placements[layout.ndim++] = bucket->partial.placements[i];
    return layout;
}

/* The part of the bucket's array that one gradient has, in its local shape. */
static dt_status see_part(dt_world *world, dt_array *all, int64_t offset,
                          const dt_tensor *grad, dt_array **out)
{
    const dt_shape shape = dt_array_shape(dt_tensor_local(grad));
    dt_array *line = NULL;
    DTI_TRY(dt_array_slice(world, all, 0, offset,
                           offset + dt_shape_count(shape), 1, &line));
    const dt_status status = dt_array_reshape(world, line, shape, out);
    dt_array_release(line);
    return status;
}

/* Copy the local arrays of the gradients, one after another. */
static dt_status pack(const dti_bucket *bucket, dt_world *world, dt_array *all)
{
    int64_t offset = 0;
    for (int i = 0; i < bucket->count; i++) {
        const dt_tensor *grad = bucket->items[i].grad;
        const dt_array *local = dt_tensor_local(grad);
        dt_array *part = NULL;
        DTI_TRY(see_part(world, all, offset, grad, &part));
        const dt_status status = dt_array_copy(world, local, part);
        dt_array_release(part);
        if (status != DT_OK)
            return status;
        offset += dt_array_count(local);
    }
    return DT_OK;
}

static dt_status make_packed(const dti_bucket *bucket, dt_world *world,
                             dt_array **out)
{
    int64_t count = 0;
    for (int i = 0; i < bucket->count; i++)
        count += dt_array_count(dt_tensor_local(bucket->items[i].grad));
    DTI_TRY(
        dti_array_create_elements(world, bucket->dtype, DT_SHAPE(count), out));
    const dt_status status = pack(bucket, world, *out);
    if (status != DT_OK)
        dt_array_release(*out);
    return status;
}

dt_status dti_bucket_start(dti_bucket *bucket)
{
    dt_world *world = dt_mesh_world(bucket->mesh);
    if (!bucket->sub)
        DTI_TRY(make_sub_mesh(bucket));
    const dt_layout layout = sub_layout(bucket);
    const char *text = dt_layout_text(world, &layout);
    dt_array *packed = NULL;
    if (!text)
        return dti_failure_of(world);
    DTI_TRY(make_packed(bucket, world, &packed));
    dt_tensor *addends = dt_from_local(bucket->sub, text, packed);
    dt_array_release(packed);
    const dt_layout replicated = {.ndim = layout.ndim};
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = dt_layout_text(world, &replicated);
    options.asynchronous = true;
    dt_tensor *sums = dt_redistribute_with(addends, &options);
    dt_tensor_release_early(addends);
    if (!sums)
        return dti_failure_of(world);
    bucket->reduced = dt_tensor_retain(sums);
    dt_tensor_release_early(sums);
    return DT_OK;
}

/* ---- Returning ---------------------------------------------------------- */

/* A gradient from this rank's part of it, in the layout of its leaf. */
static dt_tensor *make_grad(dt_tensor *leaf, dt_array *local)
{
    const dt_shape shape = dt_tensor_shape(leaf);
    int64_t strides[DT_MAX_NDIM], next = 1;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        strides[i] = next;
        next *= shape.dims[i];
    }
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &shape;
    options.strides = strides;
    return dt_from_local_with(
        dt_tensor_mesh(leaf),
        dt_layout_text(dt_tensor_world(leaf), dt_tensor_layout(leaf)), local,
        &options);
}

dt_status dti_bucket_finish(dti_bucket *bucket)
{
    dt_world *world = dt_mesh_world(bucket->mesh);
    dt_array *all = dt_tensor_local(bucket->reduced);
    int64_t offset = 0;
    DTI_TRY(dt_array_wait(world, all));
    for (int i = 0; i < bucket->count; i++) {
        dti_bucket_item *item = &bucket->items[i];
        dt_array *part = NULL;
        DTI_TRY(see_part(world, all, offset, item->grad, &part));
        dt_tensor *grad = make_grad(item->leaf, part);
        offset += dt_array_count(part);
        dt_array_release(part);
        const dt_status status =
            grad ? dt_tensor_add_grad(item->leaf, grad) : dti_failure_of(world);
        dt_tensor_release_early(grad);
        if (status != DT_OK)
            return status;
    }
    return DT_OK;
}
