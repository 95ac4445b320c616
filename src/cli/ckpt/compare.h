/* cli/ckpt/compare.h - how two checkpoints differ. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_CKPT_COMPARE_H
#define DTI_CLI_CKPT_COMPARE_H

#include <dtensor/sys/checkpoint.h>

/* Print how two checkpoints differ, a line for each name.  Returns how many
 * names differ, -1 if a file cannot be read, which `error` then says. */
int64_t dti_ckpt_compare(dt_saved *a, dt_saved *b, dt_error *error);

#endif
