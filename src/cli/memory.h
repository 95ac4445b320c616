/* cli/memory.h - memory for a command, which ends where there is none. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_MEMORY_H
#define DTI_CLI_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/*
 * Make room for `count` things of `size` bytes, keeping what `old`, which may
 * be NULL, holds.  The caller frees it.  Where memory is short, stderr says so
 * and the command ends.
 */
void *dti_grow(void *old, size_t count, size_t size);

/* Text that is written as a file is; closing it gives the text, which the
 * caller frees. */
typedef struct dti_text {
    FILE *stream;
    char *text;
    size_t size;
} dti_text;

void dti_text_open(dti_text *text);
char *dti_text_close(dti_text *text);

#endif
