/* checkpoint/verify.h - comparing a checkpoint with its checksums. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_VERIFY_H
#define DTI_CHECKPOINT_VERIFY_H

#include "checkpoint/open.h"

/* One of several that share the work. */
typedef struct dti_share {
    int number, count;
} dti_share;

/* Like dt_saved_verify, but of every range one of `share.count` checks
 * its own. */
dt_status dti_checkpoint_verify(dt_saved *checkpoint, dti_share share,
                                dt_saved_progress progress, void *arg,
                                uint64_t *checked, dt_error *error);

#endif
