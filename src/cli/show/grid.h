/* cli/show/grid.h - what a picture of a tensor shows: labelled cells. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_SHOW_GRID_H
#define DTI_CLI_SHOW_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/show/blocks.h"

/* The rows or the columns of a grid: `step` blocks of a dimension each.  A
 * tensor without the dimension has one, and no axis. */
typedef struct dti_lanes {
    const dti_axis *axis;
    int step;
    int count;
} dti_lanes;

typedef struct dti_cell {
    char *label; /* the ranks that have it */
    int rank;    /* the first of them */
} dti_cell;

/*
 * The last two dimensions are rows and columns; each combination of blocks of
 * the others is a panel.  `panels` of `all_panels`, which stops at INT64_MAX,
 * are in it.
 */
typedef struct dti_grid {
    const dti_blocks *blocks;
    int64_t all_panels;
    int panels;
    dti_lanes rows, columns;
    dti_cell *cells;
} dti_grid;

/* How much of a tensor a grid shows: at most so many panels, and so many
 * blocks in a row and in a column. */
typedef struct dti_grid_form {
    int panels;
    int row_step;
    int column_step;
} dti_grid_form;

/* Tell whether a tensor can be drawn; if not, `why`, unless it is NULL, is told
 * in a line. */
bool dti_grid_possible(const dti_blocks *blocks, FILE *why);

/*
 * Begin a grid without cells.  Gives a form for dti_grid_fill that has at most
 * so many panels, with so many cells in each.
 */
dti_grid_form dti_grid_begin(dti_grid *grid, const dti_blocks *blocks,
                             int panels, int cells);

/* The form with every block in a cell of its own, and as many panels as can
 * be. */
dti_grid_form dti_grid_form_all(const dti_grid *grid);

/* Blocks in a lane so that there are half as many lanes, at most. */
int dti_lanes_coarser(const dti_lanes *lanes);

/* Set the cells of a form, in place of those that are there. */
void dti_grid_fill(dti_grid *grid, dti_grid_form form);

void dti_grid_free(dti_grid *grid);

/* One panel's cell. */
const dti_cell *dti_grid_cell(const dti_grid *grid, int panel, int row,
                              int column);

/* The indexes of a lane; those of none are one. */
dti_block dti_lanes_span(const dti_lanes *lanes, int i);

/* Tell whether some cell stands for several blocks. */
bool dti_grid_is_coarse(const dti_grid *grid);

/* Say which part of the tensor a panel is, such as "[0..3, :, :]"; "" where
 * all dimensions are drawn.  The caller frees it. */
char *dti_grid_title(const dti_grid *grid, int panel);

/* The characters of the longest title. */
int dti_grid_title_width(const dti_grid *grid);

/* Write indexes: "3" or "3..5". */
void dti_block_write(FILE *stream, dti_block block);

#endif
