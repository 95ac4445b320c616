/* redistribute/gaps.c - what a step leaves of its output, and filling it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "array/copy.h"
#include "array/copy_kernels.h"
#include "base/error.h"
#include "redistribute/partial.h"

/* More tiles than this are not looked at: all is filled before they come. */
#define MAX_TILES 64
/* Bytes of a pattern; stays in the nearest cache. */
#define PATTERN 4096

/* ---- Finding ------------------------------------------------------------ */

/* The indexes of a dimension from `begin` to before `end`. */
typedef struct range {
    int64_t begin;
    int64_t end;
} range;

/* A walk through the dimensions of an output. */
typedef struct gap_search {
    dt_world *world;
    dt_shape shape;
    int64_t item;
    const dt_tiling *tiling;
    dti_gaps *gaps;
    int64_t capacity;
    range box[DT_MAX_NDIM]; /* of the dimensions that were gone through */
} gap_search;

/* The indexes of a dimension that a tile covers. */
static range tile_range(const gap_search *s, int index, int dim)
{
    const dt_call_tile *tile = &s->tiling->tiles[index];
    int64_t rest = tile->destination, begin = 0;
    for (int i = 0; i <= dim; i++) {
        begin = rest / tile->destination_strides[i];
        rest %= tile->destination_strides[i];
    }
    return (range){begin, begin + tile->dims[dim]};
}

/* The box in runs of bytes: dimensions behind the last one that is not whole
 * belong to a run. */
static dti_gap gap_of(const gap_search *s)
{
    dti_gap gap = {.row = s->item};
    int64_t stride = s->item;
    bool whole = true;
    for (int i = s->shape.ndim - 1; i >= 0; i--) {
        int64_t extent = s->box[i].end - s->box[i].begin;
        gap.start += s->box[i].begin * stride;
        if (whole)
            gap.row *= extent;
        else
            gap.ndim = gap.ndim ? gap.ndim : i + 1;
        gap.dims[i] = extent;
        gap.strides[i] = stride;
        whole = whole && extent == s->shape.dims[i];
        stride *= s->shape.dims[i];
    }
    return gap;
}

static dt_status add_gap(gap_search *s, int depth)
{
    dti_gaps *gaps = s->gaps;
    if (gaps->count == s->capacity) {
        int64_t capacity = s->capacity ? 2 * s->capacity : 4;
        size_t bytes = (size_t)capacity * sizeof *gaps->list;
        dti_gap *list = realloc(gaps->list, bytes);
        if (!list)
            return dti_fail_memory(s->world, bytes, "the boxes of a plan");
        gaps->list = list;
        s->capacity = capacity;
    }
    for (int i = depth; i < s->shape.ndim; i++)
        s->box[i] = (range){0, s->shape.dims[i]};
    gaps->list[gaps->count++] = gap_of(s);
    return DT_OK;
}

/* Of the tiles in `active`, those that cover an index; `end` is where that
 * changes. */
static uint64_t tiles_at(const gap_search *s, int dim, uint64_t active,
                         int64_t index, int64_t *end)
{
    uint64_t there = 0;
    for (int i = 0; i < s->tiling->count; i++) {
        if (!(active >> i & 1))
            continue;
        range r = tile_range(s, i, dim);
        if (r.begin <= index && index < r.end)
            there |= (uint64_t)1 << i;
        if (r.begin > index && r.begin < *end)
            *end = r.begin;
        if (r.end > index && r.end < *end)
            *end = r.end;
    }
    return there;
}

/* Cut a dimension where tiles begin and end, and go on with those that are
 * there.  What no tile covers is a gap. */
static dt_status find_gaps(gap_search *s, int dim, uint64_t active)
{
    if (!active)
        return add_gap(s, dim);
    if (dim == s->shape.ndim)
        return DT_OK;
    for (int64_t at = 0, end; at < s->shape.dims[dim]; at = end) {
        end = s->shape.dims[dim];
        uint64_t there = tiles_at(s, dim, active, at, &end);
        s->box[dim] = (range){at, end};
        DTI_TRY(find_gaps(s, dim + 1, there));
    }
    return DT_OK;
}

static dt_status open_pattern(dti_gaps *gaps, dt_world *world, dt_dtype dtype,
                              double neutral)
{
    size_t item = dt_dtype_size(dtype);
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_array *array = NULL;
    gaps->pattern_bytes = gaps->output_bytes < PATTERN ? gaps->output_bytes
                                                       : PATTERN / item * item;
    gaps->pattern = aligned_alloc(DTI_COPY_LINE, PATTERN);
    if (!gaps->pattern)
        return dti_fail_memory(world, PATTERN, "the boxes of a plan");
    options.data = gaps->pattern;
    options.dtype = dtype;
    options.shape = DT_SHAPE((int64_t)(gaps->pattern_bytes / item));
    DTI_TRY(dt_array_wrap(world, &options, &array));
    dt_status status = dti_partial_fill(world, neutral, array);
    dt_array_release(array);
    return status;
}

dt_status dti_gaps_open(dti_gaps *gaps, dt_world *world, dt_dtype dtype,
                        dt_shape shape, const dt_tiling *tiling, double neutral)
{
    int64_t item = (int64_t)dt_dtype_size(dtype);
    gap_search s = {.world = world,
                    .shape = shape,
                    .item = item,
                    .tiling = tiling,
                    .gaps = gaps};
    gaps->output_bytes = (size_t)(dt_shape_count(shape) * item);
    if (gaps->output_bytes == 0)
        return DT_OK;
    uint64_t all = 0;
    if (tiling->count > 0 && tiling->count <= MAX_TILES)
        all = UINT64_MAX >> (MAX_TILES - tiling->count);
    DTI_TRY(find_gaps(&s, 0, all));
    return gaps->count ? open_pattern(gaps, world, dtype, neutral) : DT_OK;
}

void dti_gaps_close(dti_gaps *gaps)
{
    free(gaps->list);
    free(gaps->pattern);
}

/* ---- Filling ------------------------------------------------------------ */

/* How runs are filled: with kernels, past the cache; NULL: as usual. */
typedef struct filling {
    const dti_gaps *gaps;
    const dti_copy_kernels *kernels;
} filling;

static void fill_run(const filling *with, char *to, size_t bytes)
{
    const dti_gaps *gaps = with->gaps;
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done;
        if (part > gaps->pattern_bytes)
            part = gaps->pattern_bytes;
        if (with->kernels)
            dti_copy_stream_with(with->kernels, to + done, gaps->pattern, part);
        else
            memcpy(to + done, gaps->pattern, part);
    }
}

static void fill_rows(const filling *with, const dti_gap *gap, int dim,
                      char *to)
{
    if (dim == gap->ndim) {
        fill_run(with, to, (size_t)gap->row);
        return;
    }
    for (int64_t i = 0; i < gap->dims[dim]; i++)
        fill_rows(with, gap, dim + 1, to + i * gap->strides[dim]);
}

void dti_gaps_fill(const dti_gaps *gaps, char *output)
{
    bool stream = gaps->output_bytes >= dti_copy_stream_threshold();
    filling with = {gaps,
                    stream ? dti_copy_kernels_of(dti_cpu_level_used()) : NULL};
    for (int64_t i = 0; output && i < gaps->count; i++)
        fill_rows(&with, &gaps->list[i], 0, output + gaps->list[i].start);
    if (with.kernels && gaps->count)
        with.kernels->fence();
}
