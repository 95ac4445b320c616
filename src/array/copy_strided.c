/* array/copy_strided.c - copying elements between blocks of any strides. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/copy.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/shape.h>

#include "array/copy_kernels.h"
#include "work/work.h"

/* Below this, runs are not worth a non-temporal store. */
static const size_t shortest_streamed_run = 1024;

/* Source rows that a transposition works on at a time: few enough that the
 * lines which hardware fetches ahead are still there when they are needed. */
static const int64_t plane_rows = 64;
static const int64_t plane_columns = 256;

/* One loop of a copy: how far each side moves, in bytes. */
typedef struct copy_loop {
    int64_t extent;
    int64_t to;
    int64_t from;
} copy_loop;

/* A copy in its simplest form: loops, slowest first, around runs of bytes that
 * are contiguous on both sides. */
typedef struct copy_job {
    const dti_copy_kernels *kernels;
    copy_loop loops[DT_MAX_NDIM + 1];
    int count;
    size_t run;
    bool streams; /* so large that it goes past the cache */
} copy_job;

/* Copy `count` runs that lie `_step` bytes apart.  Called with a constant size
 * each run is one load and one store, aligned or not. */
static inline void copy_fixed(char *to, int64_t to_step, const char *from,
                              int64_t from_step, int64_t count, size_t run)
{
    for (int64_t i = 0; i < count; i++)
        dti_copy_block(to + i * to_step, from + i * from_step, run);
}

static void copy_runs(const copy_job *job, char *to, int64_t to_step,
                      const char *from, int64_t from_step, int64_t count)
{
    switch (job->run) {
    case 1:
        copy_fixed(to, to_step, from, from_step, count, 1);
        return;
    case 2:
        copy_fixed(to, to_step, from, from_step, count, 2);
        return;
    case 4:
        copy_fixed(to, to_step, from, from_step, count, 4);
        return;
    case 8:
        copy_fixed(to, to_step, from, from_step, count, 8);
        return;
    case 16:
        copy_fixed(to, to_step, from, from_step, count, 16);
        return;
    default:
        break;
    }
    if (!job->streams || job->run < shortest_streamed_run) {
        copy_fixed(to, to_step, from, from_step, count, job->run);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        dti_copy_stream_with(job->kernels, to + i * to_step,
                             from + i * from_step, job->run);
}

/*
 * A plane is a pair of loops, one fast on each side: `row` steps through the
 * destination's run of neighbours, `column` through the source's.
 */
typedef struct loop_plane {
    copy_loop row;
    copy_loop column;
} loop_plane;

/* Copy a part of a plane element by element, small enough for the nearest
 * cache. */
static void copy_plane_part(const copy_job *job, const loop_plane *plane,
                            char *to, const char *from, int64_t rows,
                            int64_t columns)
{
    for (int64_t row = 0; row < rows; row++)
        copy_runs(job, to + row * plane->row.to, plane->column.to,
                  from + row * plane->row.from, plane->column.from, columns);
}

static void copy_plane_blocked(const copy_job *job, const loop_plane *plane,
                               char *to, const char *from, int64_t rows,
                               int64_t columns)
{
    for (int64_t row = 0; row < rows; row += plane_rows) {
        int64_t high = rows - row < plane_rows ? rows - row : plane_rows;
        for (int64_t column = 0; column < columns; column += plane_columns) {
            int64_t wide = columns - column < plane_columns ? columns - column
                                                            : plane_columns;
            copy_plane_part(
                job, plane,
                to + row * plane->row.to + column * plane->column.to,
                from + row * plane->row.from + column * plane->column.from,
                high, wide);
        }
    }
}

/* The tiles for runs of this size; NULL if there are none. */
static const dti_copy_transpose *transpose_of(const copy_job *job,
                                              const loop_plane *plane)
{
    int64_t run = (int64_t)job->run;
    if (plane->row.to != run || plane->column.from != run)
        return NULL;
    for (int power = 0; power < DTI_COPY_SIZES; power++) {
        const dti_copy_transpose *transpose = &job->kernels->transpose[power];
        if (job->run == (size_t)1 << power && transpose->tile)
            return transpose;
    }
    return NULL;
}

/* Copy as many whole tiles as fit, a few source rows at a time; the tiles of a
 * band are done before the next columns, so that every line of the destination
 * that a band touches is written as one. */
static void copy_tiles(const loop_plane *plane,
                       const dti_copy_transpose *transpose, dti_copy_tile tile,
                       char *to, const char *from, int64_t rows,
                       int64_t columns)
{
    int64_t high = plane_rows > transpose->rows ? plane_rows : transpose->rows;
    for (int64_t band = 0; band < rows; band += high) {
        int64_t end = rows - band < high ? rows : band + high;
        for (int64_t column = 0; column < columns; column += transpose->columns)
            for (int64_t row = band; row < end; row += transpose->rows)
                tile(to + row * plane->row.to + column * plane->column.to,
                     plane->column.to,
                     from + row * plane->row.from + column * plane->column.from,
                     plane->row.from);
    }
}

/* The row at which a band ends for one column of the plane: a little before
 * `row`, where a line of the destination begins. */
static int64_t cut_row(const copy_job *job, const char *to, int64_t row)
{
    uintptr_t address = (uintptr_t)to + (uintptr_t)row * job->run;
    return row - (int64_t)(address % DTI_COPY_LINE / job->run);
}

/*
 * The same where the lines of the destination begin at other rows in every
 * column: tiles go to a stage in the nearest cache, and from there as whole
 * lines to memory.  A band begins with the tiles that the one before ended
 * with, because its last lines were not whole.
 */
static void copy_staged(const copy_job *job, const loop_plane *plane,
                        const dti_copy_transpose *transpose, char *to,
                        const char *from, int64_t rows, int64_t columns)
{
    _Alignas(DTI_COPY_LINE) char stage[16 * 5 * DTI_COPY_LINE];
    const int64_t item = (int64_t)job->run, tile_rows = transpose->rows;
    const int64_t high = 4 * tile_rows, stage_row = 5 * DTI_COPY_LINE;
    for (int64_t band = 0; band < rows; band += high) {
        int64_t start = band ? band - tile_rows : 0;
        int64_t end = rows - band < high ? rows : band + high;
        for (int64_t column = 0; column < columns;
             column += transpose->columns) {
            for (int64_t row = start; row < end; row += tile_rows)
                transpose->tile(stage + (row - start) * item, stage_row,
                                from + row * plane->row.from + column * item,
                                plane->row.from);
            for (int i = 0; i < transpose->columns; i++) {
                char *line = to + (column + i) * plane->column.to;
                int64_t first = band ? cut_row(job, line, band) : 0;
                int64_t last = end < rows ? cut_row(job, line, end) : rows;
                dti_copy_stream_with(job->kernels, line + first * item,
                                     stage + i * stage_row +
                                         (first - start) * item,
                                     (size_t)((last - first) * item));
            }
        }
    }
}

/* Copy whole tiles in the way that suits where they go. */
static void copy_tiled(const copy_job *job, const loop_plane *plane,
                       const dti_copy_transpose *transpose, char *to,
                       const char *from, int64_t rows, int64_t columns)
{
    bool aligned = plane->column.to % DTI_COPY_LINE == 0 &&
                   (uintptr_t)to % DTI_COPY_LINE == 0;
    if (!job->streams)
        copy_tiles(plane, transpose, transpose->tile, to, from, rows, columns);
    else if (aligned && transpose->stream)
        copy_tiles(plane, transpose, transpose->stream, to, from, rows,
                   columns);
    else
        copy_staged(job, plane, transpose, to, from, rows, columns);
}

static void copy_plane(const copy_job *job, const loop_plane *plane, char *to,
                       const char *from)
{
    int64_t rows = plane->row.extent, columns = plane->column.extent;
    const dti_copy_transpose *transpose = transpose_of(job, plane);
    if (!transpose || rows < transpose->rows || columns < transpose->columns) {
        copy_plane_blocked(job, plane, to, from, rows, columns);
        return;
    }
    int64_t tiled_rows = rows - rows % transpose->rows;
    int64_t tiled_columns = columns - columns % transpose->columns;
    copy_tiled(job, plane, transpose, to, from, tiled_rows, tiled_columns);
    copy_plane_blocked(job, plane, to + tiled_columns * plane->column.to,
                       from + tiled_columns * plane->column.from, tiled_rows,
                       columns - tiled_columns);
    copy_plane_blocked(job, plane, to + tiled_rows * plane->row.to,
                       from + tiled_rows * plane->row.from, rows - tiled_rows,
                       columns);
}

/* Tell whether loop a belongs outside loop b: the destination is written in
 * order, as far as there is one. */
static bool is_outside(const copy_loop *a, const copy_loop *b)
{
    int64_t a_to = llabs(a->to), b_to = llabs(b->to);
    if (a_to != b_to)
        return a_to > b_to;
    return llabs(a->from) > llabs(b->from);
}

static void sort_loops(copy_loop *loops, int count)
{
    for (int i = 1; i < count; i++) {
        copy_loop moved = loops[i];
        int j = i;
        for (; j > 0 && is_outside(&moved, &loops[j - 1]); j--)
            loops[j] = loops[j - 1];
        loops[j] = moved;
    }
}

/* Join loops that step on where the next faster one ends. */
static int merge_loops(copy_loop *loops, int count)
{
    int last = 0;
    for (int i = 1; i < count; i++) {
        copy_loop *outer = &loops[last];
        const copy_loop *inner = &loops[i];
        if (outer->to == inner->to * inner->extent &&
            outer->from == inner->from * inner->extent)
            *outer = (copy_loop){outer->extent * inner->extent, inner->to,
                                 inner->from};
        else
            loops[++last] = *inner;
    }
    return count ? last + 1 : 0;
}

/*
 * Choose the loop to pair with the innermost one: the one in which the source
 * moves least, if it moves less there than in the innermost.  -1 if none.
 */
static int find_column(const copy_job *job)
{
    if (job->count < 2)
        return -1;
    const copy_loop *row = &job->loops[job->count - 1];
    int best = -1;
    int64_t least = llabs(row->from);
    for (int i = 0; i < job->count - 1; i++) {
        int64_t step = llabs(job->loops[i].from);
        if (step < least && job->loops[i].extent > 1 && step != 0) {
            best = i;
            least = step;
        }
    }
    return best;
}

/* Take a loop out, keeping the order of the others. */
static copy_loop take_loop(copy_job *job, int index)
{
    copy_loop taken = job->loops[index];
    job->count--;
    for (int i = index; i < job->count; i++)
        job->loops[i] = job->loops[i + 1];
    return taken;
}

/* Step to the next place of all loops but those taken out; false after the
 * last. */
static bool next_place(const copy_job *job, int64_t *index, char **to,
                       const char **from)
{
    for (int i = job->count - 1; i >= 0; i--) {
        const copy_loop *loop = &job->loops[i];
        *to += loop->to;
        *from += loop->from;
        if (++index[i] < loop->extent)
            return true;
        *to -= loop->to * loop->extent;
        *from -= loop->from * loop->extent;
        index[i] = 0;
    }
    return false;
}

static void run_job(copy_job *job, char *to, const char *from)
{
    int column = find_column(job);
    bool has_plane = column >= 0 && job->run <= 16;
    loop_plane plane = {{1, 0, 0}, {1, 0, 0}};
    if (job->count > 0)
        plane.row = take_loop(job, job->count - 1);
    if (has_plane)
        plane.column = take_loop(job, column);
    int64_t index[DT_MAX_NDIM + 1] = {0};
    do {
        if (has_plane)
            copy_plane(job, &plane, to, from);
        else
            copy_runs(job, to, plane.row.to, from, plane.row.from,
                      plane.row.extent);
    } while (next_place(job, index, &to, &from));
    if (job->streams)
        job->kernels->fence();
}

/* ---- By the threads of the rank ------------------------------------------ */

/* A large copy, whose loop `cut` is done in ranges. */
typedef struct shared_copy {
    const copy_job *job;
    int cut;
    char *to;
    const char *from;
} shared_copy;

static void copy_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_copy *shared = context;
    const copy_loop *loop = &shared->job->loops[shared->cut];
    copy_job job = *shared->job;
    (void)slot;
    job.loops[shared->cut].extent = end - begin;
    run_job(&job, shared->to + begin * loop->to,
            shared->from + begin * loop->from);
}

/* Loops outside of others are cut first, and only if they are long. */
static int choose_cut(const copy_job *job)
{
    const int64_t enough = 256;
    int longest = 0;
    for (int i = 0; i < job->count; i++) {
        if (job->loops[i].extent >= enough)
            return i;
        if (job->loops[i].extent > job->loops[longest].extent)
            longest = i;
    }
    return longest;
}

/* Cut a copy of so many bytes; ranges of loops that are cut into tiles are
 * whole tiles. */
static void share_job(const copy_job *job, char *to, const char *from,
                      size_t bytes)
{
    const int64_t tile = 64;
    shared_copy shared = {job, choose_cut(job), to, from};
    const int64_t extent = job->loops[shared.cut].extent;
    dti_work_ranges(extent, job->run <= 16 && extent >= 4 * tile ? tile : 1,
                    (int64_t)(2 * bytes / (size_t)extent) + 1, copy_range,
                    &shared);
}

void dti_copy_strided_with(const dti_copy_kernels *kernels, size_t threshold,
                           void *destination,
                           const int64_t *destination_strides,
                           const void *source, const int64_t *source_strides,
                           const int64_t *dims, int ndim, size_t item)
{
    assert(ndim >= 0 && ndim <= DT_MAX_NDIM);
    copy_job job = {.kernels = kernels, .run = item};
    size_t bytes = item;
    for (int i = 0; i < ndim; i++) {
        if (dims[i] == 0)
            return;
        bytes *= (size_t)dims[i];
        if (dims[i] > 1)
            job.loops[job.count++] =
                (copy_loop){dims[i], destination_strides[i], source_strides[i]};
    }
    job.streams = bytes >= threshold;
    sort_loops(job.loops, job.count);
    job.count = merge_loops(job.loops, job.count);
    if (job.count > 0) {
        const copy_loop *last = &job.loops[job.count - 1];
        if (last->to == (int64_t)item && last->from == (int64_t)item) {
            job.run = item * (size_t)last->extent;
            job.count--;
        }
    }
    if (job.count > 0 && 2 * bytes >= DTI_WORK_LEAST)
        share_job(&job, destination, source, bytes);
    else if (job.count > 0)
        run_job(&job, destination, source);
    else
        dti_copy_run(kernels, destination, source, job.run, job.streams);
}

void dti_copy_strided(void *destination, const int64_t *destination_strides,
                      const void *source, const int64_t *source_strides,
                      const int64_t *dims, int ndim, size_t item)
{
    dti_copy_strided_with(dti_copy_kernels_of(dti_cpu_level_used()),
                          dti_copy_stream_threshold(), destination,
                          destination_strides, source, source_strides, dims,
                          ndim, item);
}
