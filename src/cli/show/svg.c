/* cli/show/svg.c - a tensor's picture as SVG. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"
#include "cli/show/colour.h"
#include "cli/show/grid.h"
#include "cli/show/notes.h"

/* How much is drawn unless all is wanted. */
enum { MOST_PANELS = 16, MOST_CELLS = 4096 };

/* Measures, in pixels. */
enum {
    PAD = 24,          /* around the whole */
    TITLE_LINE = 26,   /* and what follows the first line of the title */
    NOTE_LINE = 21,    /* of a line below the picture */
    GAP = 28,          /* between panels */
    SPAN_ALONE = 440,  /* of a panel that is alone */
    SPAN_SHARED = 240, /* of one of several */
    MOST_SPAN = 1000,  /* of one that must be larger to be legible */
    PAGE = 1000,       /* panels stand beside one another up to here */
    LEAST_HEIGHT = 26, /* of a cell */
    LEAST_WIDTH = 30,  /* of a cell */
    STACK = 32,        /* rows of one cell that stand in a tile */
    STRIP = 56,        /* the height of a tensor without rows */
    TICK_SIZE = 11,    /* of text */
    LABEL_SIZE = 15,   /* of text, at most */
    NOTE_SIZE = 13,    /* of text */
    LEAST_ELEMENT = 7, /* smaller ones are not shown one by one */
};

/* A character of a fixed width, as a part of its size. */
#define CHARACTER 0.602
#define WIDE_CHARACTER 0.63 /* at most */

#define DARK "#1e293b"
#define FAINT "#64748b"

typedef struct svg {
    FILE *stream;
    const dti_grid *grid;
    double *xs, *ys;      /* where columns and rows begin, and where they end */
    double left, top;     /* room for indexes beside a tile and above it */
    double width, height; /* of a tile with that */
    bool partial;
    /* Panels are drawn in tiles of so many rows and columns. */
    int rows, columns;
    int row_tiles, column_tiles;
    int beside; /* tiles */
} svg;

/* A part of a panel. */
typedef struct tile {
    int panel, top, bottom, left, right; /* rows and columns */
} tile;

/* ---- Measures ----------------------------------------------------------- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static int64_t extent_of(const dti_lanes *lanes)
{
    return lanes->axis ? lanes->axis->extent : 1;
}

/*
 * The pixels of an index: `wanted`, or more where that makes the smallest lane
 * as long as it needs to be and the whole does not get too long.
 */
static double find_scale(const dti_lanes *lanes, double wanted, double need)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < lanes->count; i++) {
        int64_t size = dti_lanes_span(lanes, i).size;
        least = size < least ? size : least;
    }
    double scale = larger(wanted, need / (double)least);
    return scale * (double)extent_of(lanes) <= MOST_SPAN ? scale : wanted;
}

/* Lay out lanes to scale, but none shorter than it needs to be. */
static double *place_lanes(const dti_lanes *lanes, double scale, double need)
{
    double *at = dti_grow(NULL, (size_t)lanes->count + 1, sizeof *at);
    at[0] = 0;
    for (int i = 0; i < lanes->count; i++) {
        double size = (double)dti_lanes_span(lanes, i).size;
        at[i + 1] = at[i] + larger(need, scale * size);
    }
    return at;
}

static size_t longest_label(const dti_grid *grid)
{
    size_t longest = 0;
    int count = grid->panels * grid->rows.count * grid->columns.count;
    for (int i = 0; i < count; i++)
        if (strlen(grid->cells[i].label) > longest)
            longest = strlen(grid->cells[i].label);
    return longest;
}

/* Elements are squares where that fits. */
static void place_cells(svg *s)
{
    const dti_grid *grid = s->grid;
    bool alone = grid->panels == 1 &&
                 (grid->columns.count > 1 || grid->rows.count <= STACK);
    double span = alone ? SPAN_ALONE : SPAN_SHARED;
    double label = 12 * CHARACTER * (double)longest_label(grid) + 14;
    double width = larger(LEAST_WIDTH, label);
    double rows = (double)extent_of(&grid->rows);
    double scale = find_scale(&grid->columns,
                              span / (double)extent_of(&grid->columns), width);
    s->xs = place_lanes(&grid->columns, grid->columns.axis ? scale : 0,
                        larger(width, grid->columns.axis ? 0 : 2 * STRIP));
    if (!grid->rows.axis)
        s->ys = place_lanes(&grid->rows, 0, STRIP);
    else if (scale * rows <= 1.5 * span)
        s->ys = place_lanes(&grid->rows,
                            find_scale(&grid->rows, scale, LEAST_HEIGHT),
                            LEAST_HEIGHT);
    else
        s->ys = place_lanes(&grid->rows,
                            find_scale(&grid->rows, span / rows, LEAST_HEIGHT),
                            LEAST_HEIGHT);
}

static int divide_up(int a, int b)
{
    return a / b + (a % b != 0);
}

/* Cut a long strip, and a high stack, into equal tiles. */
static void set_tiles(svg *s)
{
    int rows = s->grid->rows.count, columns = s->grid->columns.count;
    s->rows = rows;
    s->columns = columns;
    if (rows == 1)
        s->columns = divide_up(columns, divide_up((int)s->xs[columns], PAGE));
    if (columns == 1)
        s->rows = divide_up(rows, divide_up(rows, STACK));
    s->row_tiles = divide_up(rows, s->rows);
    s->column_tiles = divide_up(columns, s->columns);
}

static int count_tiles(const svg *s)
{
    return s->grid->panels * s->row_tiles * s->column_tiles;
}

/* The widest or highest tile. */
static double find_longest(const double *at, int lanes, int each)
{
    double longest = 0;
    for (int i = 0; i < lanes; i += each)
        longest =
            larger(longest, at[i + each < lanes ? i + each : lanes] - at[i]);
    return longest;
}

static void measure(svg *s)
{
    const dti_grid *grid = s->grid;
    int digits = snprintf(NULL, 0, "%" PRId64, extent_of(&grid->rows));
    place_cells(s);
    set_tiles(s);
    s->left = grid->rows.axis ? 34 + TICK_SIZE * CHARACTER * digits : 0;
    s->top = (grid->columns.axis ? 38 : 0) + (grid->blocks->ndim > 2 ? 24 : 0);
    s->width =
        larger(s->left + find_longest(s->xs, grid->columns.count, s->columns),
               WIDE_CHARACTER * NOTE_SIZE * dti_grid_title_width(grid));
    s->height = s->top + find_longest(s->ys, grid->rows.count, s->rows);
    s->beside = (int)larger(1, (PAGE + GAP) / (s->width + GAP));
    s->beside = (int)smaller(s->beside, count_tiles(s));
}

/* ---- Elements of SVG ---------------------------------------------------- */

static void put_escaped(FILE *stream, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        switch (text[i]) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            putc(text[i], stream);
        }
}

/* Write text: a class of the style sheet, and where it stands. */
static void put_text(const svg *s, const char *look, double x, double y,
                     const char *text, size_t length)
{
    fprintf(s->stream, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", look, x, y);
    put_escaped(s->stream, text, length);
    fputs("</text>\n", s->stream);
}

static void put_head(const svg *s, double width, double height)
{
    fprintf(s->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
            width, height, width, height);
    fputs("<style>\n"
          "text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
          "fill: " DARK "; }\n"
          ".title { font-size: 17px; font-weight: bold; }\n"
          ".note { font-size: 13px; fill: #334155; }\n"
          ".panel { font-size: 13px; font-weight: bold; }\n"
          ".axis { font-size: 11px; fill: " FAINT "; text-anchor: middle; }\n"
          ".side { font-size: 11px; fill: " FAINT "; text-anchor: end; }\n"
          ".cell { text-anchor: middle; }\n"
          ".block { stroke: #475569; stroke-width: 1.2; }\n"
          ".lines { stroke: #ffffff; stroke-width: 1; opacity: 0.45; }\n"
          ".ticks { stroke: #94a3b8; stroke-width: 1; }\n"
          "</style>\n"
          "<defs>\n"
          "<pattern id=\"hatch\" width=\"9\" height=\"9\" "
          "patternUnits=\"userSpaceOnUse\">\n"
          "<path d=\"M-1,10 L10,-1 M-1,1 L1,-1 M8,10 L10,8\" "
          "stroke=\"#1e293b\" stroke-width=\"1\" opacity=\"0.3\"/>\n"
          "</pattern>\n"
          "</defs>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          s->stream);
}

/* ---- Panels ------------------------------------------------------------- */

/* Draw the lines between the elements of a cell, where they can be told
 * apart. */
static void put_elements(const svg *s, int row, int column)
{
    double x = s->xs[column], width = s->xs[column + 1] - x;
    double y = s->ys[row], height = s->ys[row + 1] - y;
    int64_t across = dti_lanes_span(&s->grid->columns, column).size;
    int64_t down = dti_lanes_span(&s->grid->rows, row).size;
    fputs("<path class=\"lines\" d=\"", s->stream);
    if (width >= LEAST_ELEMENT * (double)across)
        for (int64_t i = 1; i < across; i++)
            fprintf(s->stream, "M%.1f,%.1f v%.1f ",
                    x + width * (double)i / (double)across, y, height);
    if (height >= LEAST_ELEMENT * (double)down)
        for (int64_t i = 1; i < down; i++)
            fprintf(s->stream, "M%.1f,%.1f h%.1f ", x,
                    y + height * (double)i / (double)down, width);
    fputs("\"/>\n", s->stream);
}

/* What a pointer over the cell is told. */
static void put_hint(const svg *s, int row, int column, const char *label)
{
    const dti_grid *grid = s->grid;
    fputs("<title>", s->stream);
    put_escaped(s->stream, label, strlen(label));
    if (grid->rows.axis) {
        fprintf(s->stream, ": dim %d ", grid->rows.axis->dim);
        dti_block_write(s->stream, dti_lanes_span(&grid->rows, row));
    }
    if (grid->columns.axis) {
        fprintf(s->stream, "%s dim %d ", grid->rows.axis ? "," : ":",
                grid->columns.axis->dim);
        dti_block_write(s->stream, dti_lanes_span(&grid->columns, column));
    }
    fputs("</title>\n", s->stream);
}

static void put_rectangle(const svg *s, int row, int column, const char *look,
                          const char *fill)
{
    fprintf(s->stream,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\" fill=\"%s\"/>\n",
            look, s->xs[column], s->ys[row], s->xs[column + 1] - s->xs[column],
            s->ys[row + 1] - s->ys[row], fill);
}

static void put_cell(const svg *s, int panel, int row, int column)
{
    const dti_cell *cell = dti_grid_cell(s->grid, panel, row, column);
    double width = s->xs[column + 1] - s->xs[column];
    double height = s->ys[row + 1] - s->ys[row];
    double length = (double)strlen(cell->label);
    double size = smaller(LABEL_SIZE, (width - 12) / (CHARACTER * length));
    dti_colour colour = dti_colour_of_rank(cell->rank);
    char fill[16];
    snprintf(fill, sizeof fill, "#%02x%02x%02x", colour.red & 0xff,
             colour.green & 0xff, colour.blue & 0xff);
    fputs("<g>", s->stream);
    put_hint(s, row, column, cell->label);
    put_rectangle(s, row, column, "fill", fill);
    put_elements(s, row, column);
    put_rectangle(s, row, column, "block", s->partial ? "url(#hatch)" : "none");
    double room = CHARACTER * size * length;
    fprintf(s->stream,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "rx=\"3\" fill=\"%s\" opacity=\"0.85\"/>\n",
            s->xs[column] + (width - room) / 2 - 2,
            s->ys[row] + height / 2 - 0.6 * size, room + 4, 1.2 * size, fill);
    fprintf(s->stream,
            "<text class=\"cell\" font-size=\"%.1f\" x=\"%.1f\" y=\"%.1f\">",
            size, s->xs[column] + width / 2,
            s->ys[row] + height / 2 + 0.36 * size);
    put_escaped(s->stream, cell->label, strlen(cell->label));
    fputs("</text></g>\n", s->stream);
}

/* The index at which a lane begins; after the last one, the extent. */
static int64_t boundary(const dti_lanes *lanes, int i)
{
    return i < lanes->count ? dti_lanes_span(lanes, i).begin : extent_of(lanes);
}

/* Write the indexes at which columns begin, where there is room. */
static void put_columns(const svg *s, const tile *t)
{
    const dti_lanes *lanes = &s->grid->columns;
    double taken = -1e9, y = s->ys[t->top];
    char text[32];
    if (!lanes->axis)
        return;
    snprintf(text, sizeof text, "dim %d", lanes->axis->dim);
    put_text(s, "axis", (s->xs[t->left] + s->xs[t->right]) / 2, y - 26, text,
             strlen(text));
    for (int i = t->left; i <= t->right; i++) {
        int length =
            snprintf(text, sizeof text, "%" PRId64, boundary(lanes, i));
        double half = TICK_SIZE * CHARACTER * length / 2;
        fprintf(s->stream, "<path class=\"ticks\" d=\"M%.1f,%.1f v6\"/>\n",
                s->xs[i], y - 6);
        if (s->xs[i] - half < taken + 4)
            continue;
        put_text(s, "axis", s->xs[i], y - 10, text, (size_t)length);
        taken = s->xs[i] + half;
    }
}

static void put_rows(const svg *s, const tile *t)
{
    const dti_lanes *lanes = &s->grid->rows;
    double taken = -1e9, x = s->xs[t->left];
    char text[32];
    if (!lanes->axis)
        return;
    fprintf(s->stream,
            "<text class=\"axis\" transform=\"translate(%.1f,%.1f) "
            "rotate(-90)\">dim %d</text>\n",
            x + 12 - s->left, (s->ys[t->top] + s->ys[t->bottom]) / 2,
            lanes->axis->dim);
    for (int i = t->top; i <= t->bottom; i++) {
        int length =
            snprintf(text, sizeof text, "%" PRId64, boundary(lanes, i));
        fprintf(s->stream, "<path class=\"ticks\" d=\"M%.1f,%.1f h6\"/>\n",
                x - 6, s->ys[i]);
        if (s->ys[i] < taken + TICK_SIZE + 2)
            continue;
        put_text(s, "side", x - 9, s->ys[i] + 4, text, (size_t)length);
        taken = s->ys[i];
    }
}

static void put_panel_title(const svg *s, const tile *t)
{
    char *title = dti_grid_title(s->grid, t->panel);
    put_text(s, "panel", s->xs[t->left] - s->left, s->ys[t->top] - 46, title,
             strlen(title));
    free(title);
}

static void put_tile(const svg *s, const tile *t, double x, double y)
{
    fprintf(s->stream, "<g transform=\"translate(%.1f,%.1f)\">\n",
            x + s->left - s->xs[t->left], y + s->top - s->ys[t->top]);
    if (s->grid->blocks->ndim > 2)
        put_panel_title(s, t);
    put_columns(s, t);
    put_rows(s, t);
    for (int i = t->top; i < t->bottom; i++)
        for (int j = t->left; j < t->right; j++)
            put_cell(s, t->panel, i, j);
    fputs("</g>\n", s->stream);
}

/* Draw all tiles from a height on; columns are fastest, then rows. */
static void put_tiles(const svg *s, double y)
{
    const dti_grid *grid = s->grid;
    int count = count_tiles(s);
    for (int i = 0; i < count; i++) {
        int column = i % s->column_tiles;
        int row = i / s->column_tiles % s->row_tiles;
        tile t = {
            .panel = i / s->column_tiles / s->row_tiles,
            .top = row * s->rows,
            .bottom = (int)smaller((row + 1) * s->rows, grid->rows.count),
            .left = column * s->columns,
            .right =
                (int)smaller((column + 1) * s->columns, grid->columns.count),
        };
        int across = i % s->beside, down = i / s->beside;
        put_tile(s, &t, PAD + across * (s->width + GAP),
                 y + down * (s->height + GAP));
    }
}

/* ---- The whole ---------------------------------------------------------- */

/* Text in lines, each with its newline. */
typedef struct lines {
    char *text;
    int count;
    size_t longest;
} lines;

static lines end_lines(dti_text *text)
{
    lines out = {.text = dti_text_close(text)};
    for (const char *at = out.text; *at; at = strchr(at, '\n') + 1) {
        size_t length = strcspn(at, "\n");
        out.longest = length > out.longest ? length : out.longest;
        out.count++;
    }
    return out;
}

/* A small picture before a note, of what it speaks of. */
static void put_swatch(const svg *s, double y, const char *note)
{
    bool partial = strncmp(note, "P(", 2) == 0 || strncmp(note, "Mask", 4) == 0;
    if (!partial && strncmp(note, "nothing", 7) != 0)
        return;
    fprintf(s->stream,
            "<rect x=\"%d\" y=\"%.1f\" width=\"18\" height=\"13\" "
            "stroke=\"" FAINT "\" fill=\"%s\"%s/>\n",
            PAD, y - 11, partial ? "url(#hatch)" : "none",
            partial ? "" : " stroke-dasharray=\"3 2\"");
}

static double put_notes(const svg *s, double y, const lines *notes)
{
    for (const char *at = notes->text; *at; at = strchr(at, '\n') + 1) {
        put_swatch(s, y, at);
        put_text(s, "note", PAD + 26, y, at, strcspn(at, "\n"));
        y += NOTE_LINE;
    }
    return y;
}

static double put_title(const svg *s, const lines *title)
{
    double y = PAD + 14;
    const char *at = title->text;
    put_text(s, "title", PAD, y, at, strcspn(at, "\n"));
    for (at = strchr(at, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        y += NOTE_LINE;
        put_text(s, "note", PAD, y, at, strcspn(at, "\n"));
    }
    return y + TITLE_LINE;
}

static double text_width(const lines *text, double size)
{
    return WIDE_CHARACTER * size * (double)text->longest;
}

static void draw(svg *s, const lines *title, const lines *notes)
{
    int below = s->grid ? divide_up(count_tiles(s), s->beside) : 0;
    double picture = below * (s->height + GAP);
    double width = s->grid ? s->beside * (s->width + GAP) - GAP : 0;
    width = larger(width, text_width(title, 17));
    width = larger(width, text_width(notes, NOTE_SIZE) + 26) + 2 * PAD;
    double height = PAD + 14 + (title->count - 1) * NOTE_LINE + TITLE_LINE +
                    picture + notes->count * NOTE_LINE;
    put_head(s, width, height + (notes->count ? 4 : PAD - GAP));
    double y = put_title(s, title);
    if (s->grid)
        put_tiles(s, y);
    put_notes(s, y + picture + 4, notes);
    fputs("</svg>\n", s->stream);
}

/* Draw with a grid, or without one where there can be none. */
static void draw_document(svg *s, const dti_blocks *blocks, const char *written)
{
    dti_text text;
    dti_text_open(&text);
    dti_notes_write_title(blocks->spec, written, text.stream);
    lines title = end_lines(&text);
    dti_text_open(&text);
    if (!s->grid)
        dti_grid_possible(blocks, text.stream);
    dti_notes_write(blocks, s->grid, text.stream);
    lines notes = end_lines(&text);
    draw(s, &title, &notes);
    free(title.text);
    free(notes.text);
}

void dti_svg_draw(const dti_blocks *blocks, const char *written, bool all,
                  FILE *stream)
{
    dti_grid grid;
    svg s = {.stream = stream, .partial = dt_spec_is_partial(blocks->spec)};
    if (!dti_grid_possible(blocks, NULL)) {
        draw_document(&s, blocks, written);
        return;
    }
    dti_grid_form form = dti_grid_begin(&grid, blocks, MOST_PANELS, MOST_CELLS);
    if (all)
        form = dti_grid_form_all(&grid);
    dti_grid_fill(&grid, form);
    s.grid = &grid;
    measure(&s);
    draw_document(&s, blocks, written);
    dti_grid_free(&grid);
    free(s.xs);
    free(s.ys);
}
