/* kernel/fold/moments_tmpl.h - the loops of moments, for one instruction set.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; loops are plain, and the
 * compiler makes vectors of them.
 */
#include "base/attributes.h"
#include "kernel/fold/moments_level.h"

enum {
    LANES = 16 /* sums that elements of a run are dealt to */
};

static double add_up(double *lanes)
{
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

#define T float
#define SUM_RUN sum_run_f32
#define SQUARES_RUN squares_run_f32
#define SUM_ROWS sum_rows_f32
#define SQUARES_ROWS squares_rows_f32
#include "kernel/fold/moments_loops_tmpl.h"

#define T double
#define SUM_RUN sum_run_f64
#define SQUARES_RUN squares_run_f64
#define SUM_ROWS sum_rows_f64
#define SQUARES_ROWS squares_rows_f64
#include "kernel/fold/moments_loops_tmpl.h"

/* The squares of all, around the mean of all: those of each side around its
 * own, and what the two means lie apart. */
static void merge(double *sums, double *squares, double count,
                  const double *more_sums, const double *more_squares,
                  double more, int64_t results)
{
    double *DTI_RESTRICT s = sums;
    double *DTI_RESTRICT q = squares;
    const double *DTI_RESTRICT ms = more_sums;
    const double *DTI_RESTRICT mq = more_squares;
    const double weight = count * more / (count + more);
    for (int64_t i = 0; i < results; i++) {
        const double apart = ms[i] / more - s[i] / count;
        q[i] += mq[i] + apart * apart * weight;
        s[i] += ms[i];
    }
}

const dti_moments_loops LOOPS[2] = {
    {sum_run_f32, squares_run_f32, sum_rows_f32, squares_rows_f32, merge},
    {sum_run_f64, squares_run_f64, sum_rows_f64, squares_rows_f64, merge},
};

#undef LOOPS
