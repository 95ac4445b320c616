/* kernel/norm_tmpl.h - the loops of norms, for one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set.
 */
#include <stddef.h>

#include "base/attributes.h"
#include "kernel/norm_level.h"

enum {
    LANES = 16 /* sums that elements are dealt to */
};

static double add_up(const double *lanes)
{
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

static double sum(const float *values, int64_t count)
{
    double lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += (double)values[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += (double)values[i];
    return add_up(lanes);
}

static double squares(const float *values, double mean, int64_t count)
{
    double lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++) {
            const double x = (double)values[i + j] - mean;
            lanes[j] += x * x;
        }
    for (int64_t i = whole; i < count; i++) {
        const double x = (double)values[i] - mean;
        lanes[i - whole] += x * x;
    }
    return add_up(lanes);
}

static void scale(const float *values, float mean, float rstd,
                  const float *weight, const float *bias, float *out,
                  int64_t count)
{
    float *DTI_RESTRICT to = out;
    for (int64_t i = 0; i < count; i++)
        to[i] = (values[i] - mean) * rstd;
    for (int64_t i = 0; weight && i < count; i++)
        to[i] *= weight[i];
    for (int64_t i = 0; bias && i < count; i++)
        to[i] += bias[i];
}

const dti_norm_loops LOOPS = {
    .sum = sum,
    .squares = squares,
    .scale = scale,
};

#undef LOOPS
