/* bench/support/changes.h - changes of layout, and ranks timing them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_CHANGES_H
#define BENCH_SUPPORT_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/support/ranks.h"
#include "bench/support/samples.h"

/* What a change is compared with. */
typedef enum bench_against {
    BENCH_BARE, /* the collective of as many bytes on contiguous memory */
    BENCH_PLANS /* the plans of the other planners */
} bench_against;

/* A square matrix of f32 from one layout to another.  `times` has ours; then
 * the bare collective, or PyTorch's plan and the direct one, where they exist.
 */
typedef struct bench_change {
    const char *mesh; /* over all ranks, such as "a=2,b=2" */
    const char *from;
    const char *to;
    size_t bytes; /* of the whole; four times a square */
    bench_against against;
    bench_samples times[3];
} bench_change;

/* Let fresh ranks time the changes, once.  False, with a note, if they fail. */
bool bench_changes_launch(const bench_ranks *ranks, bench_change *changes,
                          size_t count);

/* Be one rank, or all ranks that are threads: time what argv[1] on says.  Gives
 * the exit status. */
int bench_changes_worker(int argc, char **argv);

#endif
