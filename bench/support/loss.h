/* bench/support/loss.h - how soon ranks learn that another was killed. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_LOSS_H
#define BENCH_SUPPORT_LOSS_H

#include <stdbool.h>

#include "bench/support/ranks.h"

/* The word that makes a worker a rank of such a run. */
#define BENCH_LOSS_WORD "kill"

/*
 * Be a rank: the last one kills itself while the others are inside a
 * collective.  It prints when it did, they print when they were told.  Gives
 * the exit status.
 */
int bench_loss_worker(int argc, char **argv);

/* Start ranks once and give the seconds until the last of them was told.
 * False, with a note, if they were not. */
bool bench_loss_launch(const bench_ranks *ranks, int count, double *seconds);

#endif
