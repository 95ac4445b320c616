/* checkpoint/place.h - elements of a checkpoint, put where they are wanted. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_PLACE_H
#define DTI_CHECKPOINT_PLACE_H

#include "checkpoint/open.h"

/*
 * Read a box of a tensor into an array, converted to its dtype; the box begins
 * at the indexes `local` of the array.
 *
 * Not collective.
 */
dt_status dti_place_box(dt_world *world, dt_saved *checkpoint,
                        const dti_open_tensor *tensor, const dt_box *box,
                        dt_array *array, const int64_t *local);

#endif
