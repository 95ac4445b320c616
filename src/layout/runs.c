/* layout/runs.c - a part as runs of elements in row-major order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/part.h"

/* What is gone through: dimensions up to `last` one by one, the others, which
 * are whole, as one block. */
typedef struct walk {
    const dti_part *part;
    int last;
    int64_t block; /* elements of the dimensions behind `last` */
    dti_run_function function;
    void *arg;
    int64_t local; /* elements passed */
} walk;

/* Go through the dimensions from `dim` on, at an index of those before. */
static void walk_dim(walk *at, int dim, int64_t before)
{
    const dti_indexes *indexes = &at->part->dims[dim];
    int64_t run;
    for (int64_t i = 0; i < indexes->size; i += run) {
        int64_t index = dti_indexes_at(indexes, i, &run);
        int64_t global = before * indexes->extent + index;
        if (dim == at->last) {
            at->function(at->arg, global * at->block, at->local,
                         run * at->block);
            at->local += run * at->block;
            continue;
        }
        run = 1;
        walk_dim(at, dim + 1, global);
    }
}

void dti_part_each_run(const dti_part *part, dti_run_function function,
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
    if (at.last < 0)
        function(arg, 0, 0, at.block);
    else
        walk_dim(&at, 0, 0);
}
