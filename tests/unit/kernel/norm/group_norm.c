/* tests/unit/kernel/norm/group_norm.c - group norm against plain loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/norm/group_norm.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { MOST = 8192, FACTORS = 64, ROWS = 64 };

typedef struct extents {
    int64_t batch, groups, channels, inner;
} extents;

static float number(int64_t i)
{
    return (float)((i * 37 + 11) % 101) / 16 - 3;
}

static int levels(void)
{
    return (int)dti_cpu_level_used() + 1;
}

static dti_group_norm norm_of(const extents *e, dti_cpu_level level,
                              const float *weight, const float *bias,
                              const double *means, const double *rstds)
{
    return (dti_group_norm){.carrier = DT_F32,
                            .batch = e->batch,
                            .groups = e->groups,
                            .channels = e->channels,
                            .inner = e->inner,
                            .weight = weight,
                            .bias = bias,
                            .means = means,
                            .rstds = rstds,
                            .level = level};
}

static void check_elements(const extents *e, const float *w, const float *b,
                           const double *means, const double *rstds,
                           const double *rows, const float *x, const float *g,
                           const float *out, const float *grads)
{
    const int64_t length = e->channels * e->inner;
    for (int64_t i = 0; i < e->batch * e->groups * length; i++) {
        const int64_t row = i / length;
        const int64_t c = row % e->groups * e->channels + i % length / e->inner;
        const double hat = ((double)x[i] - means[row]) * rstds[row];
        const double weight = w ? (double)w[c] : 1;
        const double wanted = hat * weight + (b ? (double)b[c] : 0);
        const double slope =
            rstds[row] *
            ((double)g[i] * weight - rows[2 * row] / (double)length -
             rows[2 * row + 1] / (double)length * hat);
        CHECKF(fabs(out[i] - wanted) <= 1e-5 * (1 + fabs(wanted)),
               "element %lld is %g, not %g", (long long)i, (double)out[i],
               wanted);
        CHECKF(fabs(grads[i] - slope) <= 1e-4 * (1 + fabs(slope)),
               "gradient %lld is %g, not %g", (long long)i, (double)grads[i],
               slope);
    }
}

static void check_sums(const extents *e, const double *means,
                       const double *rstds, const float *x, const float *g,
                       const double *factors)
{
    const int64_t count = e->groups * e->channels;
    for (int64_t c = 0; c < count; c++) {
        double weight = 0, bias = 0;
        for (int64_t n = 0; n < e->batch; n++)
            for (int64_t i = 0; i < e->inner; i++) {
                const int64_t at = (n * count + c) * e->inner + i;
                const int64_t row = n * e->groups + c / e->channels;
                weight +=
                    (double)g[at] * ((double)x[at] - means[row]) * rstds[row];
                bias += (double)g[at];
            }
        CHECKF(fabs(factors[c] - weight) <= 1e-4 * (10 + fabs(weight)) &&
                   fabs(factors[count + c] - bias) <= 1e-4 * (10 + fabs(bias)),
               "gradients of channel %lld are %g and %g, not %g and %g",
               (long long)c, factors[c], factors[count + c], weight, bias);
    }
}

/* Everything at one level, from elements that begin `shift` behind. */
static void check_at(const extents *e, dti_cpu_level level, int shift,
                     bool weighs, bool adds, float *out, float *grads)
{
    static float from[MOST + 8], back[MOST + 8];
    static double sums[2 * MOST], rows[2 * ROWS], factors[2 * FACTORS];
    float w[FACTORS], b[FACTORS];
    double means[ROWS], rstds[ROWS];
    float *x = from + shift, *g = back + shift;
    const int64_t count = e->batch * e->groups * e->channels * e->inner;
    for (int64_t i = 0; i < count; i++) {
        x[i] = number(i);
        g[i] = number(3 * i + 5);
    }
    for (int64_t i = 0; i < e->groups * e->channels; i++) {
        w[i] = 1 + number(i) / 4;
        b[i] = number(i + 9);
    }
    for (int64_t i = 0; i < e->batch * e->groups; i++) {
        means[i] = (double)number(i) / 8;
        rstds[i] = 0.5 + (double)i / 16;
    }
    const dti_group_norm norm =
        norm_of(e, level, weighs ? w : NULL, adds ? b : NULL, means, rstds);
    dti_group_norm_put(&norm, DT_F32, x, out);
    dti_group_norm_sums(&norm, g, x, sums);
    dti_group_norm_rows(&norm, sums, rows);
    dti_group_norm_factors(&norm, sums, factors);
    dti_group_norm_grad(&norm, g, x, rows, e->channels * e->inner, grads);
    check_elements(e, norm.weight, norm.bias, means, rstds, rows, x, g, out,
                   grads);
    check_sums(e, means, rstds, x, g, factors);
}

/* Levels, and where elements lie, change no bit. */
static void check_extents(const extents *e, bool weighs, bool adds)
{
    static float first[2][MOST], other[2][MOST];
    const size_t bytes =
        sizeof(float) * (size_t)(e->batch * e->groups * e->channels * e->inner);
    check_at(e, DTI_CPU_PORTABLE, 0, weighs, adds, first[0], first[1]);
    for (int level = 0; level < levels(); level++)
        for (int shift = 0; shift < 4; shift++) {
            check_at(e, (dti_cpu_level)level, shift, weighs, adds, other[0],
                     other[1]);
            CHECK(memcmp(first[0], other[0], bytes) == 0);
            CHECK(memcmp(first[1], other[1], bytes) == 0);
        }
}

static void against_plain_loops(dt_world *world)
{
    static const extents all[] = {{2, 3, 2, 1},  {3, 2, 4, 7}, {2, 2, 3, 32},
                                  {1, 1, 5, 45}, {2, 4, 1, 9}, {1, 2, 2, 1500},
                                  {2, 2, 0, 3},  {0, 2, 3, 4}, {2, 1, 60, 1}};
    (void)world;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < 4; k++)
            check_extents(&all[i], k & 1, k & 2);
}

const dt_test dt_tests[] = {
    {"against plain loops", against_plain_loops},
    {NULL, NULL},
};
