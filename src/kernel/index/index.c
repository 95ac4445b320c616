/* kernel/index/index.c - elements picked by their positions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/index/index.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "array/copy.h"
#include "work/work.h"

/* Where a row begins, and what is the same for all of them.  A row is what
 * positions of the last dimension that has any give. */
typedef struct picked_row {
    const dti_picking *picking;
    int64_t count;           /* positions of a row */
    int64_t stride;          /* in `from`, from one to the next */
    int64_t position_stride; /* in `positions` */
    int block_first;         /* dimensions from here on share a position */
    int64_t block;           /* their elements */
    bool dense;              /* which lie side by side */
    const char *from;
    const int64_t *positions;
    char *out;
    unsigned char *mask;
} picked_row;

/* ---- One row ------------------------------------------------------------ */

/* Items at positions that are all here and lie side by side; strides in bytes.
 */
static inline void pick_here(const picked_row *row, int64_t stride,
                             int64_t step, int64_t item)
{
    const int64_t count = row->count, *positions = row->positions;
    const char *from = row->from;
    char *to = row->out;
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * item, from + i * stride + positions[i] * step,
               (size_t)item);
}

/* Single elements, of a size that the compiler knows, as it knows steps from
 * one to its neighbour.  What it cannot know is that nothing of the row is
 * written to: that is read before. */
static inline void pick_items(const picked_row *row, int64_t item)
{
    int64_t count = row->count, stride = row->stride * item;
    int64_t step = row->picking->step * item, next = row->position_stride;
    const int64_t *positions = row->positions;
    const char *from = row->from;
    char *to = row->out;
    if (row->picking->all_here && next == 1) {
        if (stride == 0 && step == item)
            pick_here(row, 0, item, item);
        else
            pick_here(row, stride, step, item);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t position = positions[i * next];
        if (position < 0)
            memset(to + i * item, 0, (size_t)item);
        else
            memcpy(to + i * item, from + i * stride + position * step,
                   (size_t)item);
    }
}

static void pick_elements(const picked_row *row)
{
    switch (row->picking->item) {
    case 1:
        pick_items(row, 1);
        break;
    case 2:
        pick_items(row, 2);
        break;
    case 4:
        pick_items(row, 4);
        break;
    default:
        assert(row->picking->item == 8);
        pick_items(row, 8);
        break;
    }
}

/* A block that is not dense, element by element of any strides. */
static void copy_block(const picked_row *row, char *to, const char *from)
{
    const dti_picking *picking = row->picking;
    int64_t item = (int64_t)picking->item, dense = item;
    int ndim = picking->ndim - row->block_first;
    int64_t in[DT_MAX_NDIM], out[DT_MAX_NDIM];
    for (int i = ndim - 1; i >= 0; i--) {
        in[i] = picking->strides[row->block_first + i] * item;
        out[i] = dense;
        dense *= picking->dims[row->block_first + i];
    }
    dti_copy_strided(to, out, from, in, picking->dims + row->block_first, ndim,
                     picking->item);
}

static void pick_blocks(const picked_row *row)
{
    int64_t item = (int64_t)row->picking->item;
    size_t bytes = (size_t)(row->block * item);
    for (int64_t i = 0; i < row->count; i++) {
        int64_t position = row->positions[i * row->position_stride];
        char *to = row->out + (size_t)i * bytes;
        int64_t at = i * row->stride + position * row->picking->step;
        if (position < 0)
            memset(to, 0, bytes);
        else if (row->dense)
            memcpy(to, row->from + at * item, bytes);
        else
            copy_block(row, to, row->from + at * item);
    }
}

static void pick_row(const picked_row *row)
{
    if (row->block == 1)
        pick_elements(row);
    else
        pick_blocks(row);
    for (int64_t i = 0; row->mask && i < row->count; i++)
        row->mask[i] = row->positions[i * row->position_stride] < 0;
}

/* ---- All rows ----------------------------------------------------------- */

/* Find the dimensions at the end that share a position. */
static void find_block(picked_row *row)
{
    const dti_picking *picking = row->picking;
    row->block_first = picking->ndim;
    row->block = 1;
    row->dense = true;
    while (row->block_first > 0 &&
           picking->position_strides[row->block_first - 1] == 0) {
        int dim = --row->block_first;
        row->dense &=
            picking->dims[dim] == 1 || picking->strides[dim] == row->block;
        row->block *= picking->dims[dim];
    }
}

/* Step to the row that follows, in row-major order; false after the last. */
static bool next_row(picked_row *row, int ndim, int64_t *index)
{
    const dti_picking *picking = row->picking;
    int64_t item = (int64_t)picking->item;
    row->out += row->count * row->block * item;
    row->mask += row->mask ? row->count : 0;
    for (int i = ndim - 1; i >= 0; i--) {
        int64_t back = ++index[i] < picking->dims[i] ? 0 : index[i];
        row->from += (1 - back) * picking->strides[i] * item;
        row->positions += (1 - back) * picking->position_strides[i];
        if (!back)
            return true;
        index[i] = 0;
    }
    return false;
}

static void pick_some(const dti_picking *picking, void *out,
                      unsigned char *mask)
{
    int64_t index[DT_MAX_NDIM] = {0};
    picked_row row = {.picking = picking,
                      .from = picking->from,
                      .positions = picking->positions,
                      .out = out,
                      .mask = mask};
    for (int i = 0; i < picking->ndim; i++)
        if (picking->dims[i] == 0)
            return;
    find_block(&row);
    int ndim = row.block_first - 1; /* of the index of a row */
    row.count = ndim < 0 ? 1 : picking->dims[ndim];
    row.stride = ndim < 0 ? 0 : picking->strides[ndim];
    row.position_stride = ndim < 0 ? 0 : picking->position_strides[ndim];
    do
        pick_row(&row);
    while (next_row(&row, ndim, index));
}

/* ---- By the threads of the rank ----------------------------------------- */

/* What threads take ranges of the first dimension of. */
typedef struct shared_picking {
    const dti_picking *picking;
    int cut;
    int64_t bytes;     /* of results, for each index of it */
    int64_t positions; /* of a mask, for each index of it */
    char *out;
    unsigned char *mask;
} shared_picking;

static void pick_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_picking *s = context;
    dti_picking part = *s->picking;
    (void)slot;
    part.dims[s->cut] = end - begin;
    part.from = (const char *)part.from +
                begin * part.strides[s->cut] * (int64_t)part.item;
    part.positions += begin * part.position_strides[s->cut];
    pick_some(&part, s->out + begin * s->bytes,
              s->mask ? s->mask + begin * s->positions : NULL);
}

/* The first dimension with more than one index is cut, if it has positions:
 * results of its indexes lie one after another. */
void dti_pick(const dti_picking *picking, void *out, unsigned char *mask)
{
    picked_row row = {.picking = picking};
    shared_picking s = {picking, 0, (int64_t)picking->item, 1, out, mask};
    find_block(&row);
    while (s.cut < row.block_first && picking->dims[s.cut] == 1)
        s.cut++;
    for (int i = s.cut + 1; i < picking->ndim; i++) {
        s.bytes *= picking->dims[i];
        s.positions *= i < row.block_first ? picking->dims[i] : 1;
    }
    if (s.cut >= row.block_first || s.bytes == 0)
        pick_some(picking, out, mask);
    else
        dti_work_ranges(picking->dims[s.cut], 1, 2 * s.bytes, pick_range, &s);
}

/* ---- Positions of several dimensions ------------------------------------ */

void dti_positions_add(const dti_positions *of)
{
    int64_t index[DT_MAX_NDIM] = {0}, *total = of->total;
    const int64_t *positions = of->positions;
    int last = of->ndim - 1, dim;
    int64_t count = last < 0 ? 1 : of->dims[last];
    int64_t stride = last < 0 ? 0 : of->strides[last];
    do {
        for (int64_t i = 0; i < count; i++) {
            int64_t position = positions[i * stride];
            total[i] = total[i] < 0 || position < 0
                           ? -1
                           : total[i] + position * of->step;
        }
        total += count;
        for (dim = last - 1; dim >= 0; dim--) {
            positions += of->strides[dim];
            if (++index[dim] < of->dims[dim])
                break;
            positions -= index[dim] * of->strides[dim];
            index[dim] = 0;
        }
    } while (dim >= 0);
}
