/* redistribute/tiles.c - lists of boxes that a rank takes from others. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/tiles.h"

#include <stdlib.h>

#include "base/error.h"

static dt_status add_tile(dti_tiles *tiles, const dt_call_tile *tile)
{
    if (tiles->count == tiles->capacity) {
        int64_t capacity = tiles->capacity ? 2 * tiles->capacity : 8;
        size_t bytes = (size_t)capacity * sizeof *tiles->list;
        dt_call_tile *list = realloc(tiles->list, bytes);
        if (!list)
            return dti_fail_memory(tiles->world, bytes, "the boxes of a plan");
        tiles->list = list;
        tiles->capacity = capacity;
    }
    tiles->list[tiles->count++] = *tile;
    return DT_OK;
}

/* The strides in bytes of a part that lies densely. */
static void set_strides(const dti_part *part, int64_t item, int64_t *out)
{
    for (int i = part->ndim - 1; i >= 0; i--) {
        out[i] = item;
        item *= part->dims[i].size;
    }
}

dt_status dti_tiles_add(dti_tiles *tiles, int member, const dti_part *has,
                        const dti_part *wants, int64_t item, int64_t start)
{
    dti_overlap at;
    dt_call_tile tile = {.member = member, .ndim = has->ndim};
    set_strides(has, item, tile.source_strides);
    set_strides(wants, item, tile.destination_strides);
    dti_overlap_begin(&at, has, wants);
    while (dti_overlap_next(&at)) {
        tile.source = 0;
        tile.destination = start;
        for (int i = 0; i < has->ndim; i++) {
            tile.dims[i] = at.runs[i].length;
            tile.source += at.runs[i].a * tile.source_strides[i];
            tile.destination += at.runs[i].b * tile.destination_strides[i];
        }
        DTI_TRY(add_tile(tiles, &tile));
    }
    return DT_OK;
}
