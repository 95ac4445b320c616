/* cli/show/svg.h - a tensor's picture as SVG. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_SVG_H
#define DTI_CLI_SHOW_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/show/blocks.h"

/* Draw the picture, with the layout as it was written and the notes, as a
 * document that needs nothing else.  Many blocks are drawn coarsely unless all
 * are wanted. */
void dti_svg_draw(const dti_blocks *blocks, const char *written, bool all,
                  FILE *stream);

#endif
