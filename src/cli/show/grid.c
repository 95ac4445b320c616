/* cli/show/grid.c - what a picture of a tensor shows: labelled cells. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

/* The most owners of cells that are looked up for a picture. */
#define OWNERS_MOST (1 << 21)

/* The words of a label, and of one for several blocks. */
#define LABEL_WORDS 4
#define COARSE_WORDS 2

/* ---- Size --------------------------------------------------------------- */

static int leading(const dti_blocks *blocks)
{
    return blocks->ndim > 2 ? blocks->ndim - 2 : 0;
}

static int64_t multiply(int64_t a, int64_t b)
{
    return b && a > INT64_MAX / b ? INT64_MAX : a * b;
}

bool dti_grid_possible(const dti_blocks *blocks, FILE *why)
{
    int64_t owners = dti_blocks_copies(blocks);
    for (int i = 0; i < blocks->ndim; i++) {
        const dti_axis *axis = &blocks->axes[i];
        if (axis->count && !axis->too_many)
            continue;
        if (why && axis->too_many)
            fprintf(why,
                    "no picture: dimension %d is sharded into more than %d "
                    "blocks\n",
                    i, DTI_BLOCKS_MOST);
        else if (why)
            fprintf(why, "no picture: dimension %d has size 0\n", i);
        return false;
    }
    for (int i = leading(blocks); i < blocks->ndim; i++)
        owners = multiply(owners, blocks->axes[i].count);
    if (owners <= OWNERS_MOST)
        return true;
    if (why)
        fputs("no picture: there are too many blocks\n", why);
    return false;
}

static int divide_up(int a, int b)
{
    return a / b + (a % b != 0);
}

static int count_blocks(const dti_lanes *lanes)
{
    return lanes->axis ? lanes->axis->count : 1;
}

static void set_step(dti_lanes *lanes, int step)
{
    lanes->step = step;
    lanes->count = divide_up(count_blocks(lanes), step);
}

/* The step that gives at most so many lanes; if another one that is not much
 * larger gives lanes that are equal, that one. */
static int find_step(const dti_lanes *lanes, int most)
{
    int count = count_blocks(lanes), least = divide_up(count, most);
    for (int step = least; step < 2 * least && step <= count; step++)
        if (count % step == 0)
            return step;
    return least;
}

int dti_lanes_coarser(const dti_lanes *lanes)
{
    return find_step(lanes, divide_up(lanes->count, 2));
}

dti_grid_form dti_grid_begin(dti_grid *grid, const dti_blocks *blocks,
                             int panels, int cells)
{
    dti_grid_form form = {.panels = 1, .row_step = 1, .column_step = 1};
    int ndim = blocks->ndim;
    *grid = (dti_grid){.blocks = blocks, .all_panels = 1};
    if (ndim > 0)
        grid->columns.axis = &blocks->axes[ndim - 1];
    if (ndim > 1)
        grid->rows.axis = &blocks->axes[ndim - 2];
    for (int i = 0; i < leading(blocks); i++)
        grid->all_panels = multiply(grid->all_panels, blocks->axes[i].count);
    form.panels = grid->all_panels < panels ? (int)grid->all_panels : panels;
    int rows = count_blocks(&grid->rows);
    int columns = count_blocks(&grid->columns);
    while ((int64_t)rows * columns > cells)
        if (rows > columns)
            rows = divide_up(rows, 2);
        else
            columns = divide_up(columns, 2);
    form.row_step = find_step(&grid->rows, rows);
    form.column_step = find_step(&grid->columns, columns);
    return form;
}

dti_grid_form dti_grid_form_all(const dti_grid *grid)
{
    int64_t each =
        (int64_t)count_blocks(&grid->rows) * count_blocks(&grid->columns);
    int64_t panels = each < OWNERS_MOST ? OWNERS_MOST / each : 1;
    if (grid->all_panels < panels)
        panels = grid->all_panels;
    return (dti_grid_form){
        .panels = (int)panels, .row_step = 1, .column_step = 1};
}

dti_block dti_lanes_span(const dti_lanes *lanes, int i)
{
    if (!lanes->axis)
        return (dti_block){0, 1};
    int last = (i + 1) * lanes->step - 1;
    if (last >= lanes->axis->count)
        last = lanes->axis->count - 1;
    const dti_block *from = &lanes->axis->list[i * lanes->step];
    const dti_block *to = &lanes->axis->list[last];
    return (dti_block){from->begin, to->begin + to->size - from->begin};
}

bool dti_grid_is_coarse(const dti_grid *grid)
{
    return grid->rows.step > 1 || grid->columns.step > 1;
}

/* ---- Cells -------------------------------------------------------------- */

/* Set the numbers of the leading blocks of a panel; the last one is fastest. */
static void find_panel(const dti_blocks *blocks, int panel, int *cell)
{
    for (int i = leading(blocks) - 1; i >= 0; i--) {
        cell[i] = panel % blocks->axes[i].count;
        panel /= blocks->axes[i].count;
    }
}

/* The blocks of a lane: from the first to before the second. */
static void find_blocks(const dti_lanes *lanes, int i, int *from, int *to)
{
    int count = count_blocks(lanes);
    *from = i * lanes->step;
    *to = count - *from < lanes->step ? count : *from + lanes->step;
}

/* Add the owners of all blocks in a cell of the grid. */
static void add_owners(const dti_grid *grid, int panel, int row, int column,
                       dti_ranks *ranks)
{
    const dti_blocks *blocks = grid->blocks;
    int cell[DT_MAX_NDIM + 2] = {0};
    int top, bottom, left, right;
    find_panel(blocks, panel, cell);
    find_blocks(&grid->rows, row, &top, &bottom);
    find_blocks(&grid->columns, column, &left, &right);
    for (int i = top; i < bottom; i++)
        for (int j = left; j < right; j++) {
            if (grid->rows.axis)
                cell[blocks->ndim - 2] = i;
            if (grid->columns.axis)
                cell[blocks->ndim - 1] = j;
            dti_blocks_owners(blocks, cell, ranks);
        }
    if (dti_grid_is_coarse(grid))
        dti_ranks_sort(ranks);
}

static void free_cells(dti_grid *grid)
{
    int count = grid->panels * grid->rows.count * grid->columns.count;
    for (int i = 0; grid->cells && i < count; i++)
        free(grid->cells[i].label);
    free(grid->cells);
    grid->cells = NULL;
}

void dti_grid_fill(dti_grid *grid, dti_grid_form form)
{
    dti_ranks ranks = {0};
    free_cells(grid);
    grid->panels = form.panels;
    set_step(&grid->rows, form.row_step);
    set_step(&grid->columns, form.column_step);
    int each = grid->rows.count * grid->columns.count;
    int count = form.panels * each;
    int words = dti_grid_is_coarse(grid) ? COARSE_WORDS : LABEL_WORDS;
    grid->cells = dti_grow(NULL, (size_t)count, sizeof *grid->cells);
    for (int i = 0; i < count; i++) {
        dti_text text;
        ranks.count = 0;
        add_owners(grid, i / each, i % each / grid->columns.count,
                   i % grid->columns.count, &ranks);
        dti_text_open(&text);
        dti_ranks_write(text.stream, &ranks, words);
        grid->cells[i].label = dti_text_close(&text);
        grid->cells[i].rank = ranks.count ? ranks.list[0] : 0;
    }
    dti_ranks_free(&ranks);
}

void dti_grid_free(dti_grid *grid)
{
    free_cells(grid);
}

const dti_cell *dti_grid_cell(const dti_grid *grid, int panel, int row,
                              int column)
{
    return &grid->cells[(panel * grid->rows.count + row) * grid->columns.count +
                        column];
}

/* ---- Words -------------------------------------------------------------- */

void dti_block_write(FILE *stream, dti_block block)
{
    fprintf(stream, "%" PRId64, block.begin);
    if (block.size > 1)
        fprintf(stream, "..%" PRId64, block.begin + block.size - 1);
}

char *dti_grid_title(const dti_grid *grid, int panel)
{
    const dti_blocks *blocks = grid->blocks;
    int cell[DT_MAX_NDIM];
    dti_text text;
    dti_text_open(&text);
    find_panel(blocks, panel, cell);
    for (int i = 0; i < leading(blocks); i++) {
        fputs(i ? ", " : "[", text.stream);
        dti_block_write(text.stream, blocks->axes[i].list[cell[i]]);
    }
    if (leading(blocks))
        fputs(", :, :]", text.stream);
    return dti_text_close(&text);
}

int dti_grid_title_width(const dti_grid *grid)
{
    size_t longest = 0;
    for (int i = 0; i < grid->panels; i++) {
        char *title = dti_grid_title(grid, i);
        longest = strlen(title) > longest ? strlen(title) : longest;
        free(title);
    }
    return (int)longest;
}
