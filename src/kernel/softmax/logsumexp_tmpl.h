/* kernel/softmax/logsumexp_tmpl.h - sums of exponentials, for one instruction
 * set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; loops are plain, and the
 * compiler makes vectors of them.
 */
#include <math.h>

#include "base/attributes.h"
#include "kernel/math/exp_f32.h"
#include "kernel/softmax/logsumexp_level.h"

enum {
    LANES = 16 /* sums that elements of a run are dealt to */
};

/* The second is passed over if it is NaN. */
#define LARGER(a, b) ((b) > (a) ? (b) : (a))

/* Not exp_down_f32: where the largest is infinite, 0 is taken off instead. */
#define T float
#define EXP(x) exp_f32(x)
#define MOST_RUN most_run_f32
#define EXP_RUN exp_run_f32
#define MOST_ROWS most_rows_f32
#define EXP_ROWS exp_rows_f32
#include "kernel/softmax/logsumexp_loops_tmpl.h"

#define T double
#define EXP(x) exp(x)
#define MOST_RUN most_run_f64
#define EXP_RUN exp_run_f64
#define MOST_ROWS most_rows_f64
#define EXP_ROWS exp_rows_f64
#include "kernel/softmax/logsumexp_loops_tmpl.h"

const dti_logsumexp_loops LOOPS[2] = {
    {most_run_f32, exp_run_f32, most_rows_f32, exp_rows_f32},
    {most_run_f64, exp_run_f64, most_rows_f64, exp_rows_f64},
};

#undef LOOPS
#undef LARGER
