/* kernel/index/compact.c - elements that a mask keeps, one behind another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/index/compact.h"

#include <string.h>

int64_t dti_compact_count(const unsigned char *mask, int64_t count)
{
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++)
        total += mask[i];
    return total;
}

/* Every element is written, and the next one over it unless it is kept; behind
 * the last that is kept nothing is written. */
static inline void compact_items(const char *from, size_t item,
                                 const unsigned char *mask, int64_t kept,
                                 char *out)
{
    for (int64_t i = 0, at = 0; at < kept; i++) {
        memcpy(out + (size_t)at * item, from + (size_t)i * item, item);
        at += mask[i];
    }
}

static void compact_rows(const char *from, size_t item,
                         const unsigned char *mask, int64_t count, char *out)
{
    for (int64_t i = 0; i < count; i++)
        if (mask[i]) {
            memcpy(out, from + (size_t)i * item, item);
            out += item;
        }
}

void dti_compact(const void *from, size_t item, const unsigned char *mask,
                 int64_t count, void *out)
{
    int64_t kept = dti_compact_count(mask, count);
    switch (item) {
    case 1:
        compact_items(from, 1, mask, kept, out);
        break;
    case 2:
        compact_items(from, 2, mask, kept, out);
        break;
    case 4:
        compact_items(from, 4, mask, kept, out);
        break;
    case 8:
        compact_items(from, 8, mask, kept, out);
        break;
    default:
        compact_rows(from, item, mask, count, out);
        break;
    }
}

/* Every element is written, with itself unless something is put there; behind
 * the last that is put nothing is written. */
static inline void undo_items(const char *from, size_t item,
                              const unsigned char *mask, int64_t kept,
                              char *out)
{
    char value[8];
    for (int64_t i = 0, at = 0; at < kept; i++) {
        char *to = out + (size_t)i * item;
        memcpy(value, mask[i] ? from + (size_t)at * item : to, item);
        memcpy(to, value, item);
        at += mask[i];
    }
}

static void undo_rows(const char *from, size_t item, const unsigned char *mask,
                      int64_t kept, char *out)
{
    for (int64_t i = 0; kept > 0; i++)
        if (mask[i]) {
            memcpy(out + (size_t)i * item, from, item);
            from += item;
            kept--;
        }
}

void dti_compact_undo(const void *from, size_t item, const unsigned char *mask,
                      int64_t kept, void *out)
{
    switch (item) {
    case 1:
        undo_items(from, 1, mask, kept, out);
        break;
    case 2:
        undo_items(from, 2, mask, kept, out);
        break;
    case 4:
        undo_items(from, 4, mask, kept, out);
        break;
    case 8:
        undo_items(from, 8, mask, kept, out);
        break;
    default:
        undo_rows(from, item, mask, kept, out);
        break;
    }
}

/* A row of indexes, of which all but the last are the same; gives how many
 * numbers were written, up to `room`.  As with elements, all are written and
 * those that are not kept are overwritten. */
static inline int64_t write_row(const unsigned char *mask, int64_t row,
                                const int64_t *index, int last, int64_t begin,
                                int64_t *out, int64_t room)
{
    int64_t done = 0;
    for (int64_t i = 0; i < row && done < room; i++) {
        for (int d = 0; d < last; d++)
            out[done + d] = index[d];
        out[done + last] = begin + i;
        done += mask[i] ? last + 1 : 0;
    }
    return done;
}

void dti_compact_indexes(const unsigned char *mask, dt_shape shape,
                         int64_t first, int64_t count, int64_t *out)
{
    int last = shape.ndim - 1, dim;
    int64_t index[DT_MAX_NDIM] = {first}, row = shape.dims[last];
    int64_t begin = last == 0 ? first : 0, end = first + shape.dims[0];
    int64_t room = count * shape.ndim;
    do {
        int64_t done =
            last == 0   ? write_row(mask, row, index, 0, begin, out, room)
            : last == 1 ? write_row(mask, row, index, 1, begin, out, room)
                        : write_row(mask, row, index, last, begin, out, room);
        out += done;
        room -= done;
        mask += row;
        for (dim = last - 1; dim >= 0; dim--) {
            if (++index[dim] < (dim ? shape.dims[dim] : end))
                break;
            index[dim] = 0;
        }
    } while (dim >= 0);
}
