/* cli/show/notes.h - what is said about a picture. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_NOTES_H
#define DTI_CLI_SHOW_NOTES_H

#include <stdio.h>

#include "cli/show/grid.h"

/* Write the tensor: dtype, shape, layout and mesh; and how the layout was
 * written, if it is not printed so. */
void dti_notes_write_title(const dt_spec *spec, const char *written,
                           FILE *stream);

/*
 * Write what the marks in a picture mean, what it leaves out and which ranks
 * have nothing: lines, none of them empty.  The grid is NULL where there is no
 * picture.
 */
void dti_notes_write(const dti_blocks *blocks, const dti_grid *grid,
                     FILE *stream);

#endif
