/* kernel/softmax_tmpl.h - the loops of softmax, for one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set.
 */
#include "array/number.h"
#include "base/attributes.h"
#include "kernel/softmax_level.h"

/*
 * exp of a number that is not positive, or NaN; off by less than two units in
 * the last place.
 *
 * x = n log 2 + r, and |r| is at most half of log 2, where eight terms of the
 * series suffice.  n is rounded by adding a number whose last bit is worth 1,
 * log 2 is taken in two parts, the first of few bits, so that n times it is
 * exact.  2^n is two factors, as the result may be subnormal.
 */
static inline float exp_below(float x)
{
    const float low = x < -150.0f ? -150.0f : x; /* exp of it is 0 */
    const float shift = 12582912.0f;             /* 1.5 * 2^23 */
    const float shifted = low * 1.44269504f + shift;
    const float n = shifted - shift;
    const float r = (low - n * 0.693145752f) - n * 1.42860677e-06f;
    float sum = 1.0f / 5040;
    sum = sum * r + 1.0f / 720;
    sum = sum * r + 1.0f / 120;
    sum = sum * r + 1.0f / 24;
    sum = sum * r + 1.0f / 6;
    sum = sum * r + 0.5f;
    sum = sum * (r * r) + r + 1.0f;
    const uint32_t exponent =
        dti_bits_of_float(shifted) - dti_bits_of_float(shift) + 256;
    const uint32_t half = exponent >> 1; /* what was added is even */
    const float first = dti_float_of_bits((half - 128 + 127) << 23);
    const float second = dti_float_of_bits((exponent - half - 128 + 127) << 23);
    return sum * first * second;
}

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
        values[i] = exp_below(values[i] - most);
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
        to[i] = exp_below(to[i] - from[i]);
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

const dti_softmax_loops LOOPS = {
    .most_run = most_run,
    .exp_run = exp_run,
    .exp_row = exp_row,
    .most_row = most_row,
};

#undef LOOPS
