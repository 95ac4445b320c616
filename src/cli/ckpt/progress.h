/* cli/ckpt/progress.h - how far something is, on a terminal. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_CKPT_PROGRESS_H
#define DTI_CLI_CKPT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* What is shown: "verify  [#####     ]  50 %".  Start from zeros and the
 * word. */
typedef struct dti_progress {
    const char *what;
    int shown; /* percent, plus 1; 0: nothing */
} dti_progress;

/* Show how far it is, on stderr if that is a terminal.  The argument is a
 * dti_progress.  Returns true. */
bool dti_progress_show(void *arg, uint64_t done, uint64_t total);

/* Remove the bar. */
void dti_progress_end(dti_progress *progress);

#endif
