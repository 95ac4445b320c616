/* kernel/fold/extremes_tmpl.h - the loops of max and min of one integer. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T and A, the type; MAX_ROWS, MAX_MERGE,
 * MAX_ACROSS, MAX_RUNS, MIN_ROWS, MIN_MERGE, MIN_ACROSS and MIN_RUNS, names of
 * the functions.  All are undefined afterwards.
 */
#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) LARGER(a, b)
#define ROWS MAX_ROWS
#define MERGE MAX_MERGE
#define ACROSS MAX_ACROSS
#define RUNS MAX_RUNS
#include "kernel/fold/fold_loops_tmpl.h"

#define LOAD(x) AS_IT_IS(x)
#define COMBINE(a, b) SMALLER(a, b)
#define ROWS MIN_ROWS
#define MERGE MIN_MERGE
#define ACROSS MIN_ACROSS
#define RUNS MIN_RUNS
#include "kernel/fold/fold_loops_tmpl.h"

#undef T
#undef A
#undef MAX_ROWS
#undef MAX_MERGE
#undef MAX_ACROSS
#undef MAX_RUNS
#undef MIN_ROWS
#undef MIN_MERGE
#undef MIN_ACROSS
#undef MIN_RUNS
