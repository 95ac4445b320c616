/* kernel/fold/arg_tmpl.h - the loops that find extremes, for one instruction
 * set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; loops are plain, and the
 * compiler makes vectors of them.
 */
#include "base/attributes.h"
#include "kernel/fold/arg_level.h"
#include "kernel/fold/key.h"

enum { LANES = 32 };

/* 0 for -0, which is the same; the least has the largest key, but for NaN. */
#define KEY(x) (~dti_key_min_f32((x) + 0.0f))
#define MOST most_least
#define FIND find_least
#define ROWS rows_least
#include "kernel/fold/arg_loops_tmpl.h"

#define KEY(x) dti_key_max_f32((x) + 0.0f)
#define MOST most_largest
#define FIND find_largest
#define ROWS rows_largest
#include "kernel/fold/arg_loops_tmpl.h"

const dti_arg_loops LOOPS[2] = {
    {most_least, find_least, rows_least},
    {most_largest, find_largest, rows_largest},
};

#undef LOOPS
