/* cli/show/canvas.h - a page of characters that can be written anywhere. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_CANVAS_H
#define DTI_CLI_SHOW_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

/* As wide as it was made, as high as it must be. */
typedef struct dti_canvas {
    int width, height, room;
    struct dti_glyph *glyphs;
} dti_canvas;

/* A background colour of a terminal, or none. */
#define DTI_NO_COLOUR (-1)

/* Write UTF-8 text, one place for each character, on a background.  What lies
 * right of the page is left out. */
void dti_canvas_put(dti_canvas *canvas, int x, int y, int colour,
                    const char *text);

/* Write a text several times in a row. */
void dti_canvas_repeat(dti_canvas *canvas, int x, int y, int colour,
                       const char *text, int times);

/* Print all lines, with colours or without, and free the page. */
void dti_canvas_print(dti_canvas *canvas, FILE *stream, bool coloured);

#endif
