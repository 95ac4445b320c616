/* tensor/chunks.c - the boxes that a rank holds, and which it would write. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "layout/part.h"
#include "tensor/tensor.h"

/* Which of the ranks that hold the same part the one at a place is. */
static int number_replica(const dt_spec *spec, int place)
{
    int coordinate[DT_MAX_NDIM];
    int number = 0;
    dti_mesh_coordinate_at(spec->mesh, place, coordinate);
    for (int i = 0; i < spec->layout.ndim; i++)
        if (!dti_is_shard(&spec->layout.placements[i]))
            number = number * spec->mesh->dims.sizes[i] + coordinate[i];
    return number;
}

static dt_shard_box make_chunk(const dti_overlap *at, int replica)
{
    dt_shard_box chunk = {.box.ndim = at->a->ndim, .replica = replica};
    for (int i = 0; i < at->a->ndim; i++) {
        chunk.box.offset[i] = at->runs[i].global;
        chunk.box.size[i] = at->runs[i].length;
        chunk.local[i] = at->runs[i].a;
    }
    return chunk;
}

dt_status dt_spec_shard_boxes(const dt_spec *spec, int rank,
                              dt_shard_box *chunks, int64_t room,
                              int64_t *count)
{
    dti_part part, whole;
    dti_overlap at;
    int64_t none[DT_MAX_NDIM] = {0};
    int64_t found = 0;
    DTI_TRY(dti_given(spec, __func__, "spec"));
    dt_shape shape = spec->meta.shape;
    int place = dti_places_find(spec->mesh->places, rank);
    if (spec->partial)
        return dti_fail(spec->mesh->world, DT_ERR_INVALID,
                        "%s: no rank stores the elements of a partial tensor; "
                        "redistribute it first",
                        dti_spec_show(spec).text);
    if (place >= 0) {
        int replica = number_replica(spec, place);
        dti_part_set(&part, spec, place);
        dti_part_set_box(&whole, shape, none, shape.dims);
        dti_overlap_begin(&at, &part, &whole);
        for (; dti_overlap_next(&at); found++)
            if (found < room)
                chunks[found] = make_chunk(&at, replica);
    }
    *count = found;
    return DT_OK;
}

dt_status dt_tensor_shard_boxes(const dt_tensor *tensor, dt_shard_box *chunks,
                                int64_t room, int64_t *count)
{
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    return dt_spec_shard_boxes(tensor->spec, tensor->world->rank, chunks, room,
                               count);
}
