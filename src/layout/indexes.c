/* layout/indexes.c - which indexes of a dimension a rank has. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/indexes.h"

#include <assert.h>

/* One of equal blocks of a length, rounded up; the last ones may be shorter or
 * empty. */
typedef struct block {
    int64_t begin;
    int64_t size;
} block;

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Block `i` of `size` cut into `parts`.  Nothing overflows: what lies past the
 * end is not multiplied out. */
static block cut_block(int64_t size, int64_t parts, int64_t i)
{
    int64_t length = divide_up(size, parts);
    if (length == 0 || i > (size - 1) / length)
        return (block){size, 0};
    return (block){i * length, smaller(length, size - i * length)};
}

/* ---- What a rank has ---------------------------------------------------- */

/* Leave one block. */
static void push_block(dti_indexes *indexes, block left)
{
    dti_cut_map *last =
        indexes->depth ? &indexes->maps[indexes->depth - 1] : NULL;
    if (last && last->full == 0)
        last->tail += left.begin;
    else
        indexes->maps[indexes->depth++] = (dti_cut_map){.tail = left.begin};
    indexes->size = left.size;
}

/*
 * Leave block `i` of every piece.  Pieces are equal but for the last one that
 * is not empty.
 */
static void push_pieces(dti_indexes *indexes, const dti_cut *cut, int i)
{
    int64_t piece = divide_up(indexes->size, cut->factor);
    if (piece == 0)
        return;
    int64_t pieces = indexes->size / piece;
    int64_t rest = indexes->size % piece;
    block each = cut_block(piece, cut->parts, i);
    if (each.size == piece)
        return; /* pieces of 1, all of them the first rank's: a range */
    block last = cut_block(rest, cut->parts, i);
    indexes->maps[indexes->depth++] = (dti_cut_map){
        .full = pieces * each.size,
        .block = each.size,
        .period = piece,
        .first = each.begin,
        .tail = pieces * piece + last.begin,
    };
    indexes->size = pieces * each.size + last.size;
}

static void push_cut(dti_indexes *indexes, const dti_cut *cut, int i)
{
    if (cut->parts == 1)
        return;
    if (cut->factor > 1)
        push_pieces(indexes, cut, i);
    else
        push_block(indexes, cut_block(indexes->size, cut->parts, i));
}

void dti_indexes_set(dti_indexes *out, int64_t extent, const dti_cuts *cuts,
                     const int *coordinate)
{
    out->size = out->extent = extent;
    out->depth = 0;
    for (int i = 0; i < cuts->count; i++)
        push_cut(out, &cuts->list[i], coordinate[cuts->list[i].mesh_dim]);
}

void dti_indexes_set_range(dti_indexes *out, int64_t extent, int64_t begin,
                           int64_t size)
{
    out->extent = extent;
    out->depth = 0;
    push_block(out, (block){begin, size});
}

/* The first position whose index is not below a bound. */
static int64_t find_bound(const dti_indexes *indexes, int64_t bound)
{
    int64_t run;
    for (int64_t at = 0; at < indexes->size; at += run) {
        int64_t index = dti_indexes_at(indexes, at, &run);
        if (index >= bound)
            return at;
        if (index + run > bound)
            return at + bound - index;
    }
    return indexes->size;
}

int64_t dti_indexes_clip(dti_indexes *indexes, int64_t begin, int64_t end)
{
    int64_t first = find_bound(indexes, begin);
    int64_t last = find_bound(indexes, end);
    push_block(indexes, (block){first, last - first});
    return first;
}

void dti_indexes_shift(dti_indexes *indexes, int64_t by)
{
    if (indexes->depth == 0)
        push_block(indexes, (block){0, indexes->size});
    indexes->maps[0].first += by;
    indexes->maps[0].tail += by;
}

int64_t dti_indexes_at(const dti_indexes *indexes, int64_t position,
                       int64_t *run)
{
    int64_t length = indexes->size - position;
    for (int i = indexes->depth - 1; i >= 0; i--) {
        const dti_cut_map *map = &indexes->maps[i];
        if (position >= map->full) {
            position += map->tail - map->full;
            continue;
        }
        int64_t inside = position % map->block;
        length = smaller(length, map->block - inside);
        position = position / map->block * map->period + map->first + inside;
    }
    *run = length;
    return position;
}

bool dti_indexes_are_range(const dti_indexes *indexes)
{
    int64_t run = 0, next = 0;
    for (int64_t at = 0; at < indexes->size; at += run) {
        int64_t index = dti_indexes_at(indexes, at, &run);
        if (at > 0 && index != next)
            return false;
        next = index + run;
    }
    return true;
}

/* ---- Who has an index --------------------------------------------------- */

/* Find the block that a position lies in; it becomes a position there. */
static int find_block(int64_t size, int64_t parts, int64_t *position)
{
    int64_t length = divide_up(size, parts);
    assert(length > 0);
    int64_t i = *position / length;
    *position -= i * length;
    return (int)i;
}

/* Follow a position through one cut; gives the coordinate of who has it. */
static int follow_cut(const dti_cut *cut, int64_t *size, int64_t *position)
{
    dti_indexes left = {.size = *size};
    int i;
    if (cut->factor <= 1) {
        i = find_block(*size, cut->parts, position);
    } else {
        int64_t piece = divide_up(*size, cut->factor);
        assert(piece > 0);
        int64_t number = *position / piece;
        int64_t inside = *position % piece;
        i = find_block(smaller(piece, *size - number * piece), cut->parts,
                       &inside);
        *position = number * cut_block(piece, cut->parts, i).size + inside;
    }
    push_cut(&left, cut, i);
    *size = left.size;
    return i;
}

int64_t dti_indexes_find(int64_t extent, const dti_cuts *cuts, int64_t index,
                         int *coordinate)
{
    int64_t size = extent;
    assert(index >= 0 && index < extent);
    for (int i = 0; i < cuts->count; i++)
        coordinate[cuts->list[i].mesh_dim] =
            follow_cut(&cuts->list[i], &size, &index);
    return index;
}
