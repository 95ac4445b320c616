/* redistribute/tiles.h - lists of boxes that a rank takes from others. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_TILES_H
#define DTI_REDISTRIBUTE_TILES_H

#include <dtensor/sys/transport.h>

#include "layout/part.h"

/* A list that grows; `list` is freed by its owner. */
typedef struct dti_tiles {
    dt_world *world;
    dt_call_tile *list;
    int64_t count;
    int64_t capacity;
} dti_tiles;

/* Add what this rank wants of what a member has, items of so many bytes.  Both
 * parts lie densely, the wanted one so many bytes behind the start. */
dt_status dti_tiles_add(dti_tiles *tiles, int member, const dti_part *has,
                        const dti_part *wants, int64_t item, int64_t start);

#endif
