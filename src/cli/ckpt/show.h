/* cli/ckpt/show.h - what a checkpoint has, as tables and as JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_CKPT_SHOW_H
#define DTI_CLI_CKPT_SHOW_H

#include <stdbool.h>
#include <stdlib.h>

#include <dtensor/sys/checkpoint.h>

/* A shape in words: "[2, 3]". */
typedef struct dti_ckpt_text {
    char text[256];
} dti_ckpt_text;

dti_ckpt_text dti_ckpt_shape(dt_shape shape);

/* A number or a text in words; the caller frees it. */
char *dti_ckpt_value(const dt_state_entry *value);

/* List tensors and values: a table, or one JSON object per line. */
void dti_ckpt_list(const dt_saved *saved, bool json);

/* Say what a checkpoint is: path, step, ranks, files, sizes. */
void dti_ckpt_describe(const dt_saved *saved);

/* Say what is known of one tensor; false if there is none of this name. */
bool dti_ckpt_describe_tensor(const dt_saved *saved, const char *name);

#endif
