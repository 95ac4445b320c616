/* state/state.h - what a state is made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_STATE_STATE_H
#define DTI_STATE_STATE_H

#include <dtensor/state.h>

#include "base/map.h"
#include "base/reference.h"

/* Entries are allocated one by one, so that those that were handed out stay
 * where they are while others are added. */
struct dt_state {
    dti_reference reference;
    dt_world *world;
    dt_state_entry **entries; /* in the order in which names were added */
    int64_t count;
    int64_t capacity;
    dti_map names; /* the same entries */
};

#endif
