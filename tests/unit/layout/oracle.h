/* tests/unit/layout/oracle.h - who has what, found by cutting lists. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_LAYOUT_ORACLE_H
#define DT_TESTS_LAYOUT_ORACLE_H

#include <stdbool.h>
#include <string.h>

#include <dtensor/layout.h>

/*
 * Nothing of src/layout is used here.  A dimension is the list 0, 1, 2, ...; a
 * cut takes elements out of it one by one; what is left after all cuts is what
 * a rank has.
 */

/* The longest list. */
enum { ORACLE_MAX = 256 };

typedef struct list {
    int count;
    int items[ORACLE_MAX];
} list;

static inline list list_first(int count)
{
    list out;
    out.count = count;
    for (int i = 0; i < count; i++)
        out.items[i] = i;
    return out;
}

/* Chunk i of a list that torch.chunk cuts into `parts`: chunks have the same
 * length, rounded up, until nothing is left. */
static inline list list_chunk(const list *whole, long long parts, long long i)
{
    list out;
    long long length = (whole->count + parts - 1) / parts;
    out.count = 0;
    for (int k = 0; k < whole->count; k++)
        if (k / length == i)
            out.items[out.count++] = whole->items[k];
    return out;
}

/* Chunk i of every one of `factor` pieces, one after another. */
static inline list list_strided(const list *whole, long long factor, int parts,
                                int i)
{
    list out;
    out.count = 0;
    for (long long k = 0; k < factor; k++) {
        list piece = list_chunk(whole, factor, k);
        list block = list_chunk(&piece, parts, i);
        memcpy(out.items + out.count, block.items,
               (size_t)block.count * sizeof *block.items);
        out.count += block.count;
    }
    return out;
}

/* The mesh dimension that is the nth to cut a dimension; -1 if fewer do. */
static inline int oracle_cut(const dt_layout *layout, int dim, int nth)
{
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if ((placement->kind == DT_SHARD ||
             placement->kind == DT_STRIDED_SHARD) &&
            placement->dim == dim && layout->order[i] == nth)
            return i;
    }
    return -1;
}

/* What the rank at a coordinate of a mesh with these sizes has of a
 * dimension. */
static inline list oracle_indexes(const dt_layout *layout, const int *sizes,
                                  const int *coordinate, int dim, int extent)
{
    list left = list_first(extent);
    int cut;
    for (int nth = 0; (cut = oracle_cut(layout, dim, nth)) >= 0; nth++) {
        const dt_placement *placement = &layout->placements[cut];
        if (placement->kind == DT_STRIDED_SHARD)
            left = list_strided(&left, placement->factor, sizes[cut],
                                coordinate[cut]);
        else
            left = list_chunk(&left, sizes[cut], coordinate[cut]);
    }
    return left;
}

/* The coordinate of a place: the last dimension counts fastest. */
static inline void oracle_coordinate(const int *sizes, int ndim, int place,
                                     int *out)
{
    for (int i = ndim - 1; i >= 0; i--) {
        out[i] = place % sizes[i];
        place /= sizes[i];
    }
}

static inline bool list_has(const list *in, int item)
{
    for (int i = 0; i < in->count; i++)
        if (in->items[i] == item)
            return true;
    return false;
}

static inline int list_shared(const list *a, const list *b)
{
    int count = 0;
    for (int i = 0; i < a->count; i++)
        count += list_has(b, a->items[i]);
    return count;
}

/* Step to the next arrangement of different numbers; false after the last. */
static inline bool next_arrangement(int *numbers, int count)
{
    int i = count - 2, j = count - 1;
    while (i >= 0 && numbers[i] > numbers[i + 1])
        i--;
    if (i < 0)
        return false;
    while (numbers[j] < numbers[i])
        j--;
    int kept = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = kept;
    for (int k = i + 1, l = count - 1; k < l; k++, l--) {
        kept = numbers[k];
        numbers[k] = numbers[l];
        numbers[l] = kept;
    }
    return true;
}

#endif
