/* cli/show/text.c - a tensor's picture for a terminal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"
#include "cli/show/canvas.h"
#include "cli/show/colour.h"
#include "cli/show/grid.h"
#include "cli/show/notes.h"

/*
 * Each panel of the grid is cut into tiles that fit the page, of the same
 * number of rows and columns but for the last ones; tiles stand beside and
 * below one another.  Where that takes too many lines, the grid is made
 * coarser.
 */

enum {
    MOST_LINES = 64,    /* of a picture */
    COARSE_LINES = 24,  /* of one that is coarse */
    MOST_PANELS = 12,   /* of a picture */
    FIRST_CELLS = 1024, /* of a panel, to begin with */
    TILE_ROWS = 16,
    RULED_ROWS = 8,   /* a tile with more has no lines between rows */
    UNEVEN_LINES = 3, /* of the largest row, where rows differ */
    WIDEST_CELL = 24, /* drawn to scale */
    GAP = 3           /* between tiles */
};

typedef struct drawing {
    const dti_grid *grid;
    const dti_page *page;
    int margin;        /* left of a tile, for the indexes of rows */
    int *widths;       /* of columns, inside their lines */
    int *heights;      /* of rows */
    bool ruled;        /* lines between rows */
    int rows, columns; /* of a tile */
    int row_tiles, column_tiles;
    int width, height; /* of a tile */
    int beside;        /* tiles */
    dti_canvas canvas;
} drawing;

/* ---- Measures ----------------------------------------------------------- */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int divide_up(int a, int b)
{
    return a / b + (a % b != 0);
}

/* The text of indexes, which the caller frees. */
static char *span_text(const dti_lanes *lanes, int i)
{
    dti_text text;
    dti_text_open(&text);
    if (lanes->axis)
        dti_block_write(text.stream, dti_lanes_span(lanes, i));
    return dti_text_close(&text);
}

static int span_width(const dti_lanes *lanes, int i)
{
    char *text = span_text(lanes, i);
    int width = (int)strlen(text);
    free(text);
    return width;
}

/* The least width of a column: its indexes, and the labels in it. */
static int need_width(const dti_grid *grid, int column)
{
    int need = span_width(&grid->columns, column);
    for (int i = 0; i < grid->panels; i++)
        for (int j = 0; j < grid->rows.count; j++)
            need = larger(
                need, (int)strlen(dti_grid_cell(grid, i, j, column)->label));
    return need + 2;
}

/* Make columns as wide as they must be, to scale where that is not much; the
 * smallest says how wide an index is. */
static void set_widths(drawing *d)
{
    const dti_lanes *columns = &d->grid->columns;
    double scale = 0;
    int widest = 0;
    int64_t longest = 1;
    for (int i = 0; i < columns->count; i++) {
        dti_block span = dti_lanes_span(columns, i);
        d->widths[i] = need_width(d->grid, i);
        widest = larger(widest, d->widths[i]);
        if (d->widths[i] > scale * (double)span.size)
            scale = d->widths[i] / (double)span.size;
        longest = span.size > longest ? span.size : longest;
    }
    double indexes = columns->axis ? (double)columns->axis->extent : 1;
    double whole = d->margin + 1 + columns->count + scale * indexes;
    bool scaled = whole <= d->page->width &&
                  scale * (double)longest <= larger(widest, WIDEST_CELL);
    for (int i = 0; i < columns->count; i++) {
        double length = (double)dti_lanes_span(columns, i).size;
        d->widths[i] = scaled ? (int)(scale * length + 0.5) : widest;
    }
}

static void set_heights(drawing *d)
{
    const dti_lanes *rows = &d->grid->rows;
    int64_t longest = 1, shortest = INT64_MAX;
    for (int i = 0; i < rows->count; i++) {
        int64_t size = dti_lanes_span(rows, i).size;
        longest = size > longest ? size : longest;
        shortest = size < shortest ? size : shortest;
    }
    bool uneven = shortest < longest && rows->count <= RULED_ROWS;
    for (int i = 0; i < rows->count; i++) {
        double part = (double)dti_lanes_span(rows, i).size / (double)longest;
        int lines = longest < UNEVEN_LINES ? (int)longest : UNEVEN_LINES;
        d->heights[i] = uneven ? larger(1, (int)(part * lines + 0.5)) : 1;
    }
}

static void set_margin(drawing *d)
{
    const dti_lanes *rows = &d->grid->rows;
    d->margin = rows->axis ? 5 : 0;
    for (int i = 0; rows->axis && i < rows->count; i++)
        d->margin = larger(d->margin, span_width(rows, i));
    d->margin += rows->axis ? 1 : 0;
}

/* The width of the widest tile with so many columns. */
static int tile_width(const drawing *d, int columns)
{
    int widest = 0;
    for (int i = 0; i < d->grid->columns.count; i += columns) {
        int width = d->margin + 1;
        int end = smaller(i + columns, d->grid->columns.count);
        for (int j = i; j < end; j++)
            width += d->widths[j] + 1;
        widest = larger(widest, width);
    }
    return widest;
}

/* Lines of a tile above its cells: title, dimension, indexes. */
static int head_lines(const drawing *d)
{
    int ndim = d->grid->blocks->ndim;
    return (ndim > 2) + 2 * (ndim > 0);
}

static void set_tiles(drawing *d)
{
    int rows = d->grid->rows.count, columns = d->grid->columns.count;
    d->row_tiles = divide_up(rows, TILE_ROWS);
    d->rows = divide_up(rows, d->row_tiles);
    d->ruled = d->rows <= RULED_ROWS;
    d->column_tiles = 0;
    do {
        d->columns = divide_up(columns, ++d->column_tiles);
        d->width = tile_width(d, d->columns);
    } while (d->width > d->page->width && d->columns > 1);
    int title = smaller(dti_grid_title_width(d->grid), d->page->width);
    d->width = larger(d->width, title);
    d->height = head_lines(d) + 2;
    for (int i = 0; i < d->rows; i++)
        d->height += d->heights[i] + (d->ruled && i > 0);
    d->beside = larger(1, (d->page->width + GAP) / (d->width + GAP));
}

static void measure(drawing *d)
{
    d->widths =
        dti_grow(d->widths, (size_t)d->grid->columns.count, sizeof *d->widths);
    d->heights =
        dti_grow(d->heights, (size_t)d->grid->rows.count, sizeof *d->heights);
    set_margin(d);
    set_widths(d);
    set_heights(d);
    set_tiles(d);
}

/* ---- Choosing how coarse ------------------------------------------------ */

static bool is_short(const drawing *d)
{
    int64_t tiles = (int64_t)d->grid->panels * d->row_tiles * d->column_tiles;
    int64_t lines = (tiles + d->beside - 1) / d->beside * (d->height + 1);
    int most = dti_grid_is_coarse(d->grid) ? COARSE_LINES : MOST_LINES;
    return d->page->all || lines <= most;
}

/* Fewer cells, where they are most; false if there is but one tile. */
static bool make_coarser(const drawing *d, dti_grid_form *form)
{
    const dti_grid *grid = d->grid;
    if (d->row_tiles > 1 && d->row_tiles >= d->column_tiles)
        form->row_step = dti_lanes_coarser(&grid->rows);
    else if (d->column_tiles > 1)
        form->column_step = dti_lanes_coarser(&grid->columns);
    else if (form->panels > 1)
        form->panels = divide_up(form->panels, 2);
    else
        return false;
    return true;
}

/* ---- Drawing ------------------------------------------------------------ */

/* Lines and corners; corners by the row and the column that they are in: first,
 * inner, last. */
typedef struct strokes {
    const char *across, *down;
    const char *corners[3][3];
} strokes;

static const strokes plain = {
    "-", "|", {{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}}};
static const strokes drawn = {
    "─", "│", {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}}};

static const strokes *strokes_of(const drawing *d)
{
    return d->page->unicode ? &drawn : &plain;
}

/* A part of a panel, and where it is drawn. */
typedef struct tile {
    int panel, top, bottom, left, right; /* rows and columns */
    int x, y;
} tile;

static void draw_rule(drawing *d, const tile *t, int y, int which)
{
    const strokes *s = strokes_of(d);
    int x = t->x + d->margin;
    for (int i = t->left; i < t->right; i++) {
        dti_canvas_put(&d->canvas, x, y, DTI_NO_COLOUR,
                       s->corners[which][i > t->left]);
        dti_canvas_repeat(&d->canvas, x + 1, y, DTI_NO_COLOUR, s->across,
                          d->widths[i]);
        x += d->widths[i] + 1;
    }
    dti_canvas_put(&d->canvas, x, y, DTI_NO_COLOUR, s->corners[which][2]);
}

static void put_centred(drawing *d, int x, int y, int width, int colour,
                        const char *text)
{
    dti_canvas_put(&d->canvas, x + (width - (int)strlen(text)) / 2, y, colour,
                   text);
}

/* Draw one line of a row of cells, with their labels or without. */
static void draw_line(drawing *d, const tile *t, int row, int y, bool labelled)
{
    const strokes *s = strokes_of(d);
    int x = t->x + d->margin;
    for (int i = t->left; i < t->right; i++) {
        const dti_cell *cell = dti_grid_cell(d->grid, t->panel, row, i);
        int colour = dti_colour_of_terminal(dti_colour_of_rank(cell->rank));
        if (!d->page->coloured)
            colour = DTI_NO_COLOUR;
        dti_canvas_put(&d->canvas, x, y, DTI_NO_COLOUR, s->down);
        dti_canvas_repeat(&d->canvas, x + 1, y, colour, " ", d->widths[i]);
        if (labelled)
            put_centred(d, x + 1, y, d->widths[i], colour, cell->label);
        x += d->widths[i] + 1;
    }
    dti_canvas_put(&d->canvas, x, y, DTI_NO_COLOUR, s->down);
}

static int draw_row(drawing *d, const tile *t, int row, int y)
{
    int height = d->heights[row], middle = (height - 1) / 2;
    char *span = span_text(&d->grid->rows, row);
    int x = t->x + d->margin - 1 - (int)strlen(span);
    if (*span)
        dti_canvas_put(&d->canvas, x, y + middle, DTI_NO_COLOUR, span);
    for (int i = 0; i < height; i++)
        draw_line(d, t, row, y + i, i == middle);
    free(span);
    return y + height;
}

/* Write what stands above the cells; gives the line below it. */
static int draw_head(drawing *d, const tile *t)
{
    const dti_grid *grid = d->grid;
    int x = t->x + d->margin + 1, y = t->y;
    char text[32];
    if (grid->blocks->ndim > 2) {
        char *title = dti_grid_title(grid, t->panel);
        dti_canvas_put(&d->canvas, t->x, y++, DTI_NO_COLOUR, title);
        free(title);
    }
    if (!grid->columns.axis)
        return y;
    snprintf(text, sizeof text, "dim %d", grid->columns.axis->dim);
    dti_canvas_put(&d->canvas, x, y++, DTI_NO_COLOUR, text);
    for (int i = t->left; i < t->right; i++) {
        char *span = span_text(&grid->columns, i);
        put_centred(d, x, y, d->widths[i], DTI_NO_COLOUR, span);
        x += d->widths[i] + 1;
        free(span);
    }
    return y + 1;
}

static void draw_tile(drawing *d, const tile *t)
{
    int y = draw_head(d, t);
    char text[32];
    if (d->grid->rows.axis) {
        snprintf(text, sizeof text, "dim %d", d->grid->rows.axis->dim);
        dti_canvas_put(&d->canvas, t->x, y, DTI_NO_COLOUR, text);
    }
    draw_rule(d, t, y++, 0);
    for (int i = t->top; i < t->bottom; i++) {
        y = draw_row(d, t, i, y);
        if (i + 1 == t->bottom)
            draw_rule(d, t, y, 2);
        else if (d->ruled)
            draw_rule(d, t, y++, 1);
    }
}

/* Draw tile `number`, columns fastest, then rows. */
static void place_tile(drawing *d, int number)
{
    int column = number % d->column_tiles;
    int row = number / d->column_tiles % d->row_tiles;
    tile t = {
        .panel = number / d->column_tiles / d->row_tiles,
        .top = row * d->rows,
        .bottom = smaller((row + 1) * d->rows, d->grid->rows.count),
        .left = column * d->columns,
        .right = smaller((column + 1) * d->columns, d->grid->columns.count),
        .x = number % d->beside * (d->width + GAP),
        .y = number / d->beside * (d->height + 1),
    };
    if (t.top < t.bottom && t.left < t.right)
        draw_tile(d, &t);
}

static void draw(drawing *d, FILE *stream)
{
    int tiles = d->grid->panels * d->row_tiles * d->column_tiles;
    d->canvas.width = d->page->width;
    for (int i = 0; i < tiles; i++)
        place_tile(d, i);
    dti_canvas_print(&d->canvas, stream, d->page->coloured);
}

/* Draw a grid that is as fine as the page allows; false if it has no room for
 * any. */
static bool draw_grid(dti_grid *grid, dti_grid_form form, const dti_page *page,
                      FILE *stream)
{
    drawing d = {.grid = grid, .page = page};
    do {
        dti_grid_fill(grid, form);
        measure(&d);
    } while (!is_short(&d) && make_coarser(&d, &form));
    bool fits = d.width <= page->width;
    if (fits)
        draw(&d, stream);
    else
        fprintf(stream,
                "no picture: it would be %d columns wide, and %d are there\n",
                d.width, page->width);
    free(d.widths);
    free(d.heights);
    return fits;
}

static void write_notes(const dti_blocks *blocks, const dti_grid *grid,
                        FILE *stream)
{
    dti_text text;
    dti_text_open(&text);
    dti_notes_write(blocks, grid, text.stream);
    char *notes = dti_text_close(&text);
    if (*notes)
        fprintf(stream, "\n%s", notes);
    free(notes);
}

void dti_text_draw(const dti_blocks *blocks, const dti_page *page, FILE *stream)
{
    dti_grid grid;
    if (!dti_grid_possible(blocks, stream)) {
        write_notes(blocks, NULL, stream);
        return;
    }
    dti_grid_form form =
        dti_grid_begin(&grid, blocks, MOST_PANELS, FIRST_CELLS);
    if (page->all)
        form = dti_grid_form_all(&grid);
    bool drawn_at_all = draw_grid(&grid, form, page, stream);
    write_notes(blocks, drawn_at_all ? &grid : NULL, stream);
    dti_grid_free(&grid);
}
