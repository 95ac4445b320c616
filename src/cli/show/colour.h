/* cli/show/colour.h - a colour for each rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_COLOUR_H
#define DTI_CLI_SHOW_COLOUR_H

/* Red, green and blue, 0 to 255. */
typedef struct dti_colour {
    int red, green, blue;
} dti_colour;

/* A light colour, on which black text is legible; ranks that are near one
 * another get colours that are far apart. */
dti_colour dti_colour_of_rank(int rank);

/* The number of the nearest colour of a terminal, 16 to 231. */
int dti_colour_of_terminal(dti_colour colour);

#endif
