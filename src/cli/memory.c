/* cli/memory.c - memory for a command, which ends where there is none. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory.h"

#include <stdlib.h>

#include "cli/command.h"

static void end_without_memory(void)
{
    fputs("dtensor: out of memory\n", stderr);
    exit(DTI_EXIT_FAILED);
}

void *dti_grow(void *old, size_t count, size_t size)
{
    void *grown = reallocarray(old, count ? count : 1, size);
    if (!grown)
        end_without_memory();
    return grown;
}

void dti_text_open(dti_text *text)
{
    text->stream = open_memstream(&text->text, &text->size);
    if (!text->stream)
        end_without_memory();
}

char *dti_text_close(dti_text *text)
{
    if (fclose(text->stream) != 0)
        end_without_memory();
    return text->text;
}
