/* checkpoint/match.h - which value of a checkpoint goes where. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_MATCH_H
#define DTI_CHECKPOINT_MATCH_H

#include <dtensor/checkpoint.h>

#include "checkpoint/open.h"

/* What a checkpoint has for a value of a state; one of the two, or neither if
 * it is missing. */
typedef struct dti_match {
    const dti_open_tensor *tensor;
    const dt_state_entry *value;
} dti_match;

/*
 * Find what a checkpoint has for every value of a state, in its order.  The
 * caller frees the list.  All that does not fit is in one message.
 */
dt_status dti_match_state(dt_world *world, const dt_saved *checkpoint,
                          const dt_state *state, const dt_load_options *options,
                          dti_match **out);

/* Rename a name by the first of some rules that matches: false if none does. */
bool dti_rename(const dt_rename *rules, int count, const char *name, char *out,
                size_t size);

#endif
