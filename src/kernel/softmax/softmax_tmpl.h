/* kernel/softmax/softmax_tmpl.h - the loops of softmax, for one instruction
 * set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set.
 */
#include "base/attributes.h"
#include "kernel/math/f32.h"
#include "kernel/softmax/softmax_level.h"

enum { LANES = DTI_SOFTMAX_LANES };

static inline float greater(float a, float b)
{
    return a > b || a != a ? a : b;
}

static float most_run(const float *values, int64_t count)
{
    float lanes[LANES];
    const int64_t whole = count - count % LANES;
    for (int j = 0; j < LANES; j++)
        lanes[j] = values[j < count ? j : 0];
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] = greater(lanes[j], values[i + j]);
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] = greater(lanes[i - whole], values[i]);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] = greater(lanes[j], lanes[j + half]);
    return lanes[0];
}

static void exp_run(float *values, float most, double *lanes, int64_t count)
{
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < count; i++)
        values[i] = exp_down_f32(values[i] - most);
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += (double)values[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += (double)values[i];
}

static void exp_row(float *values, const float *most, double *sums,
                    int64_t count)
{
    float *DTI_RESTRICT to = values;
    const float *DTI_RESTRICT from = most;
    double *DTI_RESTRICT totals = sums;
    for (int64_t i = 0; i < count; i++)
        to[i] = exp_down_f32(to[i] - from[i]);
    for (int64_t i = 0; i < count; i++)
        totals[i] += (double)to[i];
}

static void most_row(float *most, const float *values, int64_t count)
{
    float *DTI_RESTRICT to = most;
    const float *DTI_RESTRICT from = values;
    for (int64_t i = 0; i < count; i++)
        to[i] = greater(to[i], from[i]);
}

static void scale_row(float *values, const float *by, int64_t count)
{
    float *DTI_RESTRICT to = values;
    const float *DTI_RESTRICT factors = by;
    for (int64_t i = 0; i < count; i++)
        to[i] *= factors[i];
}

static void subtract_row(float *values, const float *most, const float *logs,
                         int64_t count)
{
    float *DTI_RESTRICT to = values;
    const float *DTI_RESTRICT first = most, *DTI_RESTRICT second = logs;
    for (int64_t i = 0; i < count; i++)
        to[i] = to[i] - first[i] - second[i];
}

const dti_softmax_loops LOOPS = {
    .most_run = most_run,
    .exp_run = exp_run,
    .exp_row = exp_row,
    .most_row = most_row,
    .scale_row = scale_row,
    .subtract_row = subtract_row,
};

#undef LOOPS
