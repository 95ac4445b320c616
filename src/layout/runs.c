/* layout/runs.c - a part as runs of elements in row-major order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/part.h"

/* What is gone through: dimensions up to `last` one by one, the others, which
 * are whole, as one block. */
typedef struct walk {
    const dti_part *part;
    int last;
    int64_t block; /* elements of the dimensions behind `last` */
    bool joined;   /* the last one is one run: the one before goes by rows */
    dti_rows_function function;
    void *arg;
    int64_t local; /* elements passed */
} walk;

static void report(walk *at, int64_t global, int64_t count, int64_t stride,
                   int64_t rows)
{
    dti_rows found = {.global = global * at->block,
                      .local = at->local,
                      .count = count * at->block,
                      .stride = stride * at->block,
                      .rows = rows};
    at->function(at->arg, &found);
    at->local += found.count * rows;
}

/* Each run of a dimension is so many rows of the one behind it. */
static void walk_rows(walk *at, int dim, int64_t before)
{
    const dti_indexes *indexes = &at->part->dims[dim];
    const dti_indexes *inner = &at->part->dims[dim + 1];
    int64_t first = dti_indexes_offset(inner);
    int64_t run;
    for (int64_t i = 0; i < indexes->size; i += run) {
        int64_t index = dti_indexes_at(indexes, i, &run);
        int64_t global = before * indexes->extent + index;
        report(at, global * inner->extent + first, inner->size, inner->extent,
               run);
    }
}

/* Go through the dimensions from `dim` on, at an index of those before. */
static void walk_dim(walk *at, int dim, int64_t before)
{
    const dti_indexes *indexes = &at->part->dims[dim];
    int64_t run;
    if (at->joined && dim == at->last - 1) {
        walk_rows(at, dim, before);
        return;
    }
    for (int64_t i = 0; i < indexes->size; i += run) {
        int64_t index = dti_indexes_at(indexes, i, &run);
        int64_t global = before * indexes->extent + index;
        if (dim == at->last) {
            report(at, global, run, 0, 1);
            continue;
        }
        run = 1;
        walk_dim(at, dim + 1, global);
    }
}

void dti_part_each_rows(const dti_part *part, dti_rows_function function,
                        void *arg)
{
    walk at = {.part = part,
               .last = part->ndim - 1,
               .block = 1,
               .function = function,
               .arg = arg};
    if (dti_part_count(part) == 0)
        return;
    while (at.last >= 0 &&
           part->dims[at.last].size == part->dims[at.last].extent)
        at.block *= part->dims[at.last--].extent;
    if (at.last < 0) {
        report(&at, 0, 1, 0, 1);
        return;
    }
    at.joined = at.last > 0 && dti_indexes_are_range(&part->dims[at.last]);
    walk_dim(&at, 0, 0);
}
