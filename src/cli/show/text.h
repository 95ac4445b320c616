/* cli/show/text.h - a tensor's picture for a terminal. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_TEXT_H
#define DTI_CLI_SHOW_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/show/blocks.h"

/* How text is drawn. */
typedef struct dti_page {
    int width;     /* in characters */
    bool unicode;  /* lines are drawn as such, not with + - | */
    bool coloured; /* cells have the colours of ranks */
    bool all;      /* every block, however long that gets */
} dti_page;

/* What the terminal, or the environment in its place, asks for. */
dti_page dti_page_of(FILE *stream);

/* Draw the picture and write the notes below it. */
void dti_text_draw(const dti_blocks *blocks, const dti_page *page,
                   FILE *stream);

#endif
