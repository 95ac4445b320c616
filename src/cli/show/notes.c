/* cli/show/notes.c - what is said about a picture. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Room for the text of a spec: dtype, shape, layout, mesh. */
#define SPEC_TEXT 2048

/* Words for ranks that have nothing; past them the list ends with "..". */
#define EMPTY_WORDS 8

/* ---- The tensor --------------------------------------------------------- */

void dti_notes_write_title(const dt_spec *spec, const char *written,
                           FILE *stream)
{
    dt_mesh *mesh = dt_spec_mesh(spec);
    char text[SPEC_TEXT], usual[SPEC_TEXT];
    dt_layout layout;
    dt_spec_format(spec, text, sizeof text);
    fprintf(stream, "%s\n", text);
    if (dt_layout_parse(dt_mesh_world(mesh), written, &layout) != DT_OK ||
        dt_layout_check(mesh, dt_spec_ndim(spec), &layout) != DT_OK ||
        dt_layout_equal(&layout, dt_spec_layout(spec)))
        return;
    dt_layout_format(&layout, usual, sizeof usual);
    fprintf(stream, "given as %s, which is equivalent\n", usual);
}

/* ---- Placements --------------------------------------------------------- */

static const char *const values[DT_REDUCE_COUNT] = {
    [DT_SUM] = "the sum",         [DT_AVG] = "the average",
    [DT_PRODUCT] = "the product", [DT_MIN] = "the smallest",
    [DT_MAX] = "the largest",     [DT_BAND] = "the bitwise and",
    [DT_BOR] = "the bitwise or",  [DT_BXOR] = "the exclusive or",
};

/* Write a placement and the mesh dimension that it is for. */
static void begin_note(const dti_blocks *blocks, int mesh_dim, FILE *stream)
{
    char text[64];
    dt_placement placement = dt_spec_layout(blocks->spec)->placements[mesh_dim];
    dt_layout alone = dt_layout_of(&placement, 1);
    dt_layout_format(&alone, text, sizeof text);
    fprintf(stream, "%s over %s: ", text,
            dt_mesh_dim_name(dt_spec_mesh(blocks->spec), mesh_dim));
}

/* `joined` says that labels join the ranks whose values combine. */
static void note_partial(const dti_blocks *blocks, int mesh_dim, bool joined,
                         FILE *stream)
{
    dt_placement placement = dt_spec_layout(blocks->spec)->placements[mesh_dim];
    const char *name = dt_mesh_dim_name(dt_spec_mesh(blocks->spec), mesh_dim);
    int dims[DT_MAX_NDIM];
    bool alone = dt_spec_partial_dims(blocks->spec, dims) == 1;
    begin_note(blocks, mesh_dim, stream);
    fprintf(stream, "the value is %s ", values[placement.op]);
    if (!joined || !alone)
        fprintf(stream, "along %s", name);
    if (joined)
        fputs(alone ? "over ranks joined by +" : " of ranks joined by +",
              stream);
    if (placement.kind == DT_MASKED_PARTIAL)
        fputs(", masked elements counting as 0", stream);
    putc('\n', stream);
}

static void note_strided(const dti_blocks *blocks, int mesh_dim, FILE *stream)
{
    dt_placement placement = dt_spec_layout(blocks->spec)->placements[mesh_dim];
    int parts = dt_mesh_dim_size(dt_spec_mesh(blocks->spec), mesh_dim);
    int cuts[DT_MAX_NDIM];
    dt_spec_cuts(blocks->spec, placement.dim, cuts);
    begin_note(blocks, mesh_dim, stream);
    if (cuts[0] == mesh_dim)
        fprintf(stream, "dimension %d is", placement.dim);
    else
        fprintf(stream, "each block of dimension %d is", placement.dim);
    fprintf(stream,
            " split into %" PRId64 " piece%s, each into %d block%s, one "
            "per rank\n",
            placement.factor, placement.factor == 1 ? "" : "s", parts,
            parts == 1 ? "" : "s");
}

static void note_placements(const dti_blocks *blocks, bool coarse, FILE *stream)
{
    const dt_layout *layout = dt_spec_layout(blocks->spec);
    const dt_mesh *mesh = dt_spec_mesh(blocks->spec);
    bool partial = dt_spec_is_partial(blocks->spec);
    for (int i = 0; i < layout->ndim; i++) {
        if (dt_placement_is_partial(layout->placements[i]))
            note_partial(blocks, i, !coarse, stream);
        if (layout->placements[i].kind == DT_STRIDED_SHARD)
            note_strided(blocks, i, stream);
        if (layout->placements[i].kind != DT_REPLICATE ||
            dt_mesh_dim_size(mesh, i) == 1)
            continue;
        begin_note(blocks, i, stream);
        if (partial && !coarse)
            fputs("ranks separated by commas have copies\n", stream);
        else
            fprintf(stream, "ranks along %s have copies\n",
                    dt_mesh_dim_name(mesh, i));
    }
}

/* Say in which order a dimension is cut, if it is not from left to right. */
static void note_order(const dti_blocks *blocks, int dim, FILE *stream)
{
    int cuts[DT_MAX_NDIM];
    int count = dt_spec_cuts(blocks->spec, dim, cuts);
    bool usual = true;
    for (int i = 1; i < count; i++)
        usual = usual && cuts[i - 1] < cuts[i];
    if (usual)
        return;
    fprintf(stream, "order: dimension %d is sharded", dim);
    for (int i = 0; i < count; i++)
        fprintf(stream, "%s by %s", i ? ", then" : "",
                dt_mesh_dim_name(dt_spec_mesh(blocks->spec), cuts[i]));
    putc('\n', stream);
}

/* ---- What is left out --------------------------------------------------- */

static bool is_shortened(const dti_grid *grid)
{
    int count = grid->panels * grid->rows.count * grid->columns.count;
    for (int i = 0; i < count; i++) {
        const char *label = grid->cells[i].label;
        size_t length = strlen(label);
        if (length > 2 && strcmp(label + length - 2, "..") == 0)
            return true;
    }
    return false;
}

static void note_grid(const dti_grid *grid, FILE *stream)
{
    if (dti_grid_is_coarse(grid))
        fprintf(stream,
                "coarse: a cell stands for up to %d blocks; --all draws each\n",
                grid->rows.step * grid->columns.step);
    if (grid->panels < grid->all_panels)
        fprintf(stream, "%d of %" PRId64 " panels; --all draws more\n",
                grid->panels, grid->all_panels);
    if (is_shortened(grid))
        fputs("..: and more ranks\n", stream);
}

static void note_empty(const dti_blocks *blocks, FILE *stream)
{
    const dt_mesh *mesh = dt_spec_mesh(blocks->spec);
    const int *ranks = dt_mesh_ranks(mesh);
    dti_ranks empty = {0};
    for (int i = 0; i < dt_mesh_size(mesh); i++)
        if (dt_shape_count(dt_spec_local_shape(blocks->spec, ranks[i])) == 0)
            dti_ranks_add(&empty, ranks[i]);
    dti_ranks_sort(&empty);
    if (empty.count) {
        fprintf(stream, "nothing: rank%s ", empty.count == 1 ? "" : "s");
        dti_ranks_write(stream, &empty, EMPTY_WORDS);
        putc('\n', stream);
    }
    dti_ranks_free(&empty);
}

void dti_notes_write(const dti_blocks *blocks, const dti_grid *grid,
                     FILE *stream)
{
    bool coarse = !grid || dti_grid_is_coarse(grid);
    note_placements(blocks, coarse, stream);
    for (int i = 0; i < blocks->ndim; i++)
        note_order(blocks, i, stream);
    if (grid)
        note_grid(grid, stream);
    note_empty(blocks, stream);
}
