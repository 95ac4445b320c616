/* cli/show/report.c - what each rank has of a tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/memory.h"
#include "cli/show/grid.h"
#include "cli/table.h"

enum {
    MOST_ROWS = 24,
    FIRST_ROWS = 8, /* of a longer table */
    LAST_ROWS = 4,
    MOST_RUNS = 3, /* of a dimension, in a row of many */
};

/* ---- Runs --------------------------------------------------------------- */

/* Give the indexes that a rank has from a local index on, as far as they are
 * neighbours; false at the end. */
static bool find_block(const dt_spec *spec, int rank, int dim, int64_t local,
                       dti_block *out)
{
    dt_run run;
    if (!dt_spec_run(spec, rank, dim, local, &run))
        return false;
    *out = (dti_block){run.global, run.length};
    while (dt_spec_run(spec, rank, dim, local + out->size, &run) &&
           run.global == out->begin + out->size)
        out->size += run.length;
    return true;
}

/* Write the indexes of a dimension, at most so many blocks. */
static void write_blocks(const dt_spec *spec, int rank, int dim, int most,
                         FILE *stream)
{
    dti_block block;
    int64_t at = 0;
    for (int i = 0; find_block(spec, rank, dim, at, &block); i++) {
        if (i > 0)
            putc(',', stream);
        if (i == most) {
            fputs("..", stream);
            return;
        }
        dti_block_write(stream, block);
        at += block.size;
    }
    if (at == 0)
        putc('-', stream);
}

/* ---- The table ---------------------------------------------------------- */

static void add_text(dti_table *table, dti_text *text)
{
    char *words = dti_text_close(text);
    dti_table_add(table, DTI_LOOK_PLAIN, words);
    free(words);
}

static void add_number(dti_table *table, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    dti_table_add(table, DTI_LOOK_PLAIN, text);
}

/* Add numbers as Python writes a tuple. */
static void add_tuple(dti_table *table, const int64_t *numbers, int count)
{
    dti_text text;
    dti_text_open(&text);
    putc('(', text.stream);
    for (int i = 0; i < count; i++)
        fprintf(text.stream, "%s%" PRId64, i ? ", " : "", numbers[i]);
    fputs(count == 1 ? ",)" : ")", text.stream);
    add_text(table, &text);
}

static void add_coordinate(dti_table *table, const dt_mesh *mesh, int rank)
{
    int coordinate[DT_MAX_NDIM];
    int64_t numbers[DT_MAX_NDIM];
    int ndim = dt_mesh_ndim(mesh);
    dt_mesh_coordinate_of(mesh, rank, coordinate);
    for (int i = 0; i < ndim; i++)
        numbers[i] = coordinate[i];
    add_tuple(table, numbers, ndim);
}

static void add_place(dti_table *table, const dt_spec *spec, int rank, int most)
{
    int64_t offset[DT_MAX_NDIM];
    dti_text text;
    if (!dt_spec_is_strided(spec)) {
        dt_spec_offset(spec, rank, offset);
        add_tuple(table, offset, dt_spec_ndim(spec));
        return;
    }
    dti_text_open(&text);
    for (int i = 0; i < dt_spec_ndim(spec); i++) {
        fputs(i ? " x " : "", text.stream);
        write_blocks(spec, rank, i, most, text.stream);
    }
    add_text(table, &text);
}

static void add_rank(dti_table *table, const dt_spec *spec, int rank, int most)
{
    dt_shape shape = dt_spec_local_shape(spec, rank);
    int64_t count = dt_shape_count(shape);
    add_number(table, rank);
    add_coordinate(table, dt_spec_mesh(spec), rank);
    add_tuple(table, shape.dims, shape.ndim);
    add_place(table, spec, rank, most);
    add_number(table, count);
    add_number(table, count * (int64_t)dt_dtype_size(dt_spec_dtype(spec)));
}

static dti_table begin_table(const dt_spec *spec)
{
    dti_table table = {.columns = 6,
                       .right = {[0] = true, [4] = true, [5] = true}};
    const char *heads[] = {
        "rank",     "coordinate",
        "shape",    dt_spec_is_strided(spec) ? "indexes" : "offset",
        "elements", "bytes",
    };
    for (int i = 0; i < table.columns; i++)
        dti_table_add(&table, DTI_LOOK_STRONG, heads[i]);
    return table;
}

/* Say what is in the whole, and how evenly ranks have it. */
static void write_whole(const dt_spec *spec, FILE *stream)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    int64_t count = dt_spec_count(spec), least = INT64_MAX, most = 0;
    for (int i = 0; i < dt_mesh_size(mesh); i++) {
        dt_shape shape = dt_spec_local_shape(spec, dt_mesh_ranks(mesh)[i]);
        int64_t part = dt_shape_count(shape);
        least = part < least ? part : least;
        most = part > most ? part : most;
    }
    fprintf(stream,
            "total: %" PRId64 " element%s, %" PRId64 " bytes; a rank "
            "has ",
            count, count == 1 ? "" : "s",
            count * (int64_t)dt_dtype_size(dt_spec_dtype(spec)));
    if (least < most)
        fprintf(stream, "%" PRId64 " to ", least);
    fprintf(stream, "%" PRId64 "\n", most);
}

void dti_report_table(const dt_spec *spec, bool all, FILE *stream)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    const int *ranks = dt_mesh_ranks(mesh);
    dti_table table = begin_table(spec);
    int size = dt_mesh_size(mesh);
    bool cut = !all && size > MOST_ROWS;
    for (int i = 0; i < size; i++) {
        if (cut && i == FIRST_ROWS) {
            for (int j = 0; j < table.columns; j++)
                dti_table_add(&table, DTI_LOOK_FAINT, "...");
            i = size - LAST_ROWS;
        }
        add_rank(&table, spec, ranks[i], MOST_RUNS);
    }
    dti_table_print(&table, stream);
    write_whole(spec, stream);
    if (cut)
        fprintf(stream, "%d of %d ranks; --all lists the others\n",
                FIRST_ROWS + LAST_ROWS, size);
}

void dti_report_rank(const dt_spec *spec, int rank, FILE *stream)
{
    dti_table table = begin_table(spec);
    add_rank(&table, spec, rank, -1);
    dti_table_print(&table, stream);
}

/* ---- JSON --------------------------------------------------------------- */

static void write_numbers(dti_json *json, const char *key,
                          const int64_t *numbers, int count)
{
    dti_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        dti_json_integer(json, NULL, numbers[i]);
    dti_json_close(json, ']');
}

static void write_runs(dti_json *json, const dt_spec *spec, int rank, int dim)
{
    dti_block block;
    dti_json_open(json, NULL, '[');
    for (int64_t at = 0; find_block(spec, rank, dim, at, &block);
         at += block.size)
        write_numbers(json, NULL, (int64_t[]){block.begin, block.size}, 2);
    dti_json_close(json, ']');
}

static void write_coordinate(dti_json *json, const dt_mesh *mesh, int rank)
{
    int coordinate[DT_MAX_NDIM];
    dt_mesh_coordinate_of(mesh, rank, coordinate);
    dti_json_open(json, "coordinate", '[');
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        dti_json_integer(json, NULL, coordinate[i]);
    dti_json_close(json, ']');
}

void dti_report_json(const dt_spec *spec, int rank, FILE *stream)
{
    dti_json json = {.stream = stream};
    dt_shape shape = dt_spec_local_shape(spec, rank);
    int64_t offset[DT_MAX_NDIM];
    int64_t count = dt_shape_count(shape);
    dt_spec_offset(spec, rank, offset);
    dti_json_open(&json, NULL, '{');
    dti_json_integer(&json, "rank", rank);
    write_coordinate(&json, dt_spec_mesh(spec), rank);
    write_numbers(&json, "shape", shape.dims, shape.ndim);
    write_numbers(&json, "offset", offset, shape.ndim);
    dti_json_open(&json, "runs", '[');
    for (int i = 0; i < shape.ndim; i++)
        write_runs(&json, spec, rank, i);
    dti_json_close(&json, ']');
    dti_json_integer(&json, "elements", count);
    dti_json_integer(&json, "bytes",
                     count * (int64_t)dt_dtype_size(dt_spec_dtype(spec)));
    dti_json_close(&json, '}');
    putc('\n', stream);
}
