/* kernel/softmax/along.c - statistics of runs, and what is made of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/along.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/dtype.h"
#include "kernel/softmax/along_level.h"

static const dti_along_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_along_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_along_avx2,
    [DTI_CPU_AVX512] = &dti_along_avx512,
#endif
};

static const dti_along_loops *loops_of(const dti_along *runs)
{
    assert(runs->dtype == DT_F32 || runs->dtype == DT_F64);
    return runs->dtype == DT_F64 ? &dti_along_f64 : tables[runs->level];
}

/* Bytes of a run. */
static int64_t run_bytes(const dti_along *runs)
{
    return runs->count * (int64_t)dti_dtype_size(runs->dtype);
}

static const char *run_at(const dti_along *runs, const void *data, int64_t row)
{
    return data ? (const char *)data + row * run_bytes(runs) : NULL;
}

static char *run_to(const dti_along *runs, void *data, int64_t row)
{
    return data ? (char *)data + row * run_bytes(runs) : NULL;
}

/* ---- Statistics ---------------------------------------------------------- */

void dti_along_most(const dti_along *runs, const void *x, double *most)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++)
        most[i] = loops->most(run_at(runs, x, i), runs->count);
}

void dti_along_exp_sum(const dti_along *runs, const void *x, const double *most,
                       double *sums)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++)
        sums[i] = loops->exp_sum(run_at(runs, x, i), most[i], runs->count);
}

void dti_along_logsumexp(const dti_along *runs, const void *x, double *out)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++) {
        const char *run = run_at(runs, x, i);
        const double most = loops->most(run, runs->count);
        out[i] = most + log(loops->exp_sum(run, most, runs->count));
    }
}

void dti_along_dot(const dti_along *runs, const void *a, const void *b,
                   double *sums)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++)
        sums[i] =
            loops->dot(run_at(runs, a, i), run_at(runs, b, i), runs->count);
}

/* ---- Softmax ------------------------------------------------------------- */

void dti_along_softmax_whole(const dti_along *runs, bool logarithm,
                             const void *x, void *out)
{
    const dti_along_loops *loops = loops_of(runs);
    int64_t i = 0;
    if (runs->count > 0 && runs->count <= DTI_ALONG_SHORT)
        for (; i + DTI_ALONG_PANEL <= runs->rows; i += DTI_ALONG_PANEL)
            loops->softmax_panel(run_at(runs, x, i), logarithm,
                                 run_to(runs, out, i), (int)runs->count);
    for (; i < runs->rows; i++) {
        const char *from = run_at(runs, x, i);
        char *to = run_to(runs, out, i);
        const double most = loops->most(from, runs->count);
        if (logarithm) {
            const double sum = loops->exp_sum(from, most, runs->count);
            loops->shifted(from, most, log(sum), to, runs->count);
        } else {
            const double sum = loops->exp_run(from, most, to, runs->count);
            loops->scale(to, 1 / sum, runs->count);
        }
    }
}

void dti_along_softmax(const dti_along *runs, bool logarithm, const void *x,
                       const double *most, const double *sums, void *out)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++) {
        const char *from = run_at(runs, x, i);
        char *to = run_to(runs, out, i);
        if (logarithm)
            loops->shifted(from, most[i], log(sums[i]), to, runs->count);
        else
            loops->exp_scaled(from, most[i], 1 / sums[i], to, runs->count);
    }
}

void dti_along_softmax_grad(const dti_along *runs, bool logarithm,
                            const void *g, const void *y, const double *sums,
                            void *out)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++)
        (logarithm ? loops->log_softmax_grad : loops->softmax_grad)(
            run_at(runs, g, i), run_at(runs, y, i), sums[i],
            run_to(runs, out, i), runs->count);
}

/* ---- Sums of runs -------------------------------------------------------- */

void dti_along_gather(const dti_along *runs, const void *x,
                      const int64_t *places, const double *scales, void *out)
{
    const dti_along_loops *loops = loops_of(runs);
    for (int64_t i = 0; i < runs->rows; i++)
        if (places[i] >= 0)
            loops->add(run_to(runs, out, places[i]), run_at(runs, x, i),
                       scales ? scales[i] : 1, runs->count);
}

/* ---- Cross-entropy ------------------------------------------------------- */

static double number_at(const dti_along *runs, const void *data, int64_t index)
{
    return runs->dtype == DT_F64 ? ((const double *)data)[index]
                                 : (double)((const float *)data)[index];
}

static double weight_at(const dti_entropy *entropy, int64_t place)
{
    return entropy->weights ? number_at(&entropy->runs, entropy->weights, place)
                            : 1;
}

/* The sum of w (lse - x) over the part: what smoothing takes. */
static double smooth_loss(const dti_entropy *entropy, const void *run,
                          double logsumexp, double part_weight)
{
    const dti_along *runs = &entropy->runs;
    const dti_along_loops *loops = loops_of(runs);
    const double sum = entropy->weights
                           ? loops->dot(run, entropy->weights, runs->count)
                           : loops->dot(run, NULL, runs->count);
    return part_weight * logsumexp - sum;
}

/* What the classes of the part weigh together. */
static double part_weight(const dti_entropy *entropy)
{
    const dti_along *runs = &entropy->runs;
    return entropy->weights
               ? loops_of(runs)->dot(entropy->weights, NULL, runs->count)
               : (double)runs->count;
}

void dti_entropy_losses(const dti_entropy *entropy, const void *x,
                        const double *logsumexps, double *losses,
                        double *weights)
{
    const dti_along *runs = &entropy->runs;
    const double smoothing = entropy->smoothing;
    const double all = smoothing > 0 ? part_weight(entropy) : 0;
    for (int64_t i = 0; i < runs->rows; i++) {
        const int64_t place = entropy->places[i];
        const char *run = run_at(runs, x, i);
        losses[i] = weights[i] = 0;
        if (place == DTI_ALONG_IGNORED)
            continue;
        if (place >= 0) {
            weights[i] = weight_at(entropy, place);
            losses[i] = (1 - smoothing) * weights[i] *
                        (logsumexps[i] - number_at(runs, run, place));
        }
        if (smoothing > 0)
            losses[i] += smoothing / (double)entropy->classes *
                         smooth_loss(entropy, run, logsumexps[i], all);
    }
}

static void take_number(const dti_along *runs, void *data, int64_t index,
                        double value)
{
    if (runs->dtype == DT_F64)
        ((double *)data)[index] -= value;
    else
        ((float *)data)[index] -= (float)value;
}

void dti_entropy_grad(const dti_entropy *entropy, const void *x,
                      const double *logsumexps, const double *grads,
                      const double *weights, double all_weights, void *out)
{
    const dti_along *runs = &entropy->runs;
    const dti_along_loops *loops = loops_of(runs);
    const double share = entropy->smoothing / (double)entropy->classes;
    for (int64_t i = 0; i < runs->rows; i++) {
        const int64_t place = entropy->places[i];
        char *to = run_to(runs, out, i);
        const double picked = (1 - entropy->smoothing) * weights[i];
        if (place == DTI_ALONG_IGNORED) {
            memset(to, 0, (size_t)run_bytes(runs));
            continue;
        }
        loops->exp_scaled(run_at(runs, x, i), logsumexps[i],
                          grads[i] * (picked + share * all_weights), to,
                          runs->count);
        if (share > 0)
            loops->take_off(to, entropy->weights, grads[i] * share,
                            runs->count);
        if (place >= 0)
            take_number(runs, to, place, grads[i] * picked);
    }
}
