/* checkpoint/agree.h - what fails on one rank fails on all. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_AGREE_H
#define DTI_CHECKPOINT_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

/*
 * Tell all ranks whether something went well on this one.  Returns DT_OK if it
 * did on all; this rank's own failure; or that of the first rank that failed,
 * as it is if it is about the checkpoint, which all ranks share, and as
 * DT_ERR_PEER if it is about that rank.  Errors are recorded in the world.
 *
 * Collective over the world.  `error` has the message if `status` is a failure;
 * NULL: it is the latest of the world.
 */
dt_status dti_agree(dt_world *world, dt_status status, const dt_error *error);

/* Let all ranks have the bytes of rank 0: those of a text of at most `size`.
 * Collective over the world. */
dt_status dti_share_text(dt_world *world, char *text, size_t size);

/* Find out whether something holds on all ranks.  Collective over the world. */
dt_status dti_all(dt_world *world, bool here, bool *out);

/* Find out whether a word is the same on all ranks.  Collective over the world.
 */
dt_status dti_words_agree(dt_world *world, uint64_t word, bool *out);

#endif
