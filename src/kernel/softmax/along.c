/* kernel/softmax/along.c - statistics of runs, and what is made of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/along.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/dtype.h"
#include "kernel/softmax/along_level.h"
#include "work/work.h"

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

/* ---- By the threads of the rank ------------------------------------------ */

/* One of the functions below, of which threads take ranges of runs. */
typedef struct call {
    void (*range)(const struct call *c, int64_t begin, int64_t end);
    const dti_along *runs;
    const dti_along_loops *loops;
    bool logarithm;
    const void *x, *y;
    const double *most, *sums; /* given, one for each run */
    double *found;             /* one for each run */
    void *out;
} call;

static void run_range(void *context, int64_t begin, int64_t end, int slot)
{
    const call *c = context;
    (void)slot;
    c->range(c, begin, end);
}

/* Exponentials count for twice their bytes.  Ranges are whole panels. */
static void share(call c)
{
    c.loops = loops_of(c.runs);
    dti_work_ranges(c.runs->rows, DTI_ALONG_PANEL, 4 * run_bytes(c.runs) + 64,
                    run_range, &c);
}

/* ---- Statistics ---------------------------------------------------------- */

static void most_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        c->found[i] = c->loops->most(run_at(c->runs, c->x, i), c->runs->count);
}

void dti_along_most(const dti_along *runs, const void *x, double *most)
{
    share((call){most_range, runs, .x = x, .found = most});
}

static void exp_sum_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        c->found[i] = c->loops->exp_sum(run_at(c->runs, c->x, i), c->most[i],
                                        c->runs->count);
}

void dti_along_exp_sum(const dti_along *runs, const void *x, const double *most,
                       double *sums)
{
    share((call){exp_sum_range, runs, .x = x, .most = most, .found = sums});
}

static void logsumexp_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const char *run = run_at(c->runs, c->x, i);
        const double most = c->loops->most(run, c->runs->count);
        c->found[i] = most + log(c->loops->exp_sum(run, most, c->runs->count));
    }
}

void dti_along_logsumexp(const dti_along *runs, const void *x, double *out)
{
    share((call){logsumexp_range, runs, .x = x, .found = out});
}

static void dot_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        c->found[i] = c->loops->dot(run_at(c->runs, c->x, i),
                                    run_at(c->runs, c->y, i), c->runs->count);
}

void dti_along_dot(const dti_along *runs, const void *a, const void *b,
                   double *sums)
{
    share((call){dot_range, runs, .x = a, .y = b, .found = sums});
}

/* ---- Softmax ------------------------------------------------------------- */

static void softmax_run(const call *c, const char *from, char *to)
{
    const int64_t count = c->runs->count;
    const double most = c->loops->most(from, count);
    if (c->logarithm) {
        const double sum = c->loops->exp_sum(from, most, count);
        c->loops->shifted(from, most, log(sum), to, count);
    } else {
        const double sum = c->loops->exp_run(from, most, to, count);
        c->loops->scale(to, 1 / sum, count);
    }
}

static void softmax_whole_range(const call *c, int64_t begin, int64_t end)
{
    const int64_t count = c->runs->count;
    int64_t i = begin;
    if (count > 0 && count <= DTI_ALONG_SHORT)
        for (; i + DTI_ALONG_PANEL <= end; i += DTI_ALONG_PANEL)
            c->loops->softmax_panel(run_at(c->runs, c->x, i), c->logarithm,
                                    run_to(c->runs, c->out, i), (int)count);
    for (; i < end; i++)
        softmax_run(c, run_at(c->runs, c->x, i), run_to(c->runs, c->out, i));
}

void dti_along_softmax_whole(const dti_along *runs, bool logarithm,
                             const void *x, void *out)
{
    share((call){softmax_whole_range, runs, .logarithm = logarithm, .x = x,
                 .out = out});
}

static void softmax_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const char *from = run_at(c->runs, c->x, i);
        char *to = run_to(c->runs, c->out, i);
        if (c->logarithm)
            c->loops->shifted(from, c->most[i], log(c->sums[i]), to,
                              c->runs->count);
        else
            c->loops->exp_scaled(from, c->most[i], 1 / c->sums[i], to,
                                 c->runs->count);
    }
}

void dti_along_softmax(const dti_along *runs, bool logarithm, const void *x,
                       const double *most, const double *sums, void *out)
{
    share((call){softmax_range, runs, .logarithm = logarithm, .x = x,
                 .most = most, .sums = sums, .out = out});
}

static void softmax_grad_range(const call *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        (c->logarithm ? c->loops->log_softmax_grad : c->loops->softmax_grad)(
            run_at(c->runs, c->x, i), run_at(c->runs, c->y, i), c->sums[i],
            run_to(c->runs, c->out, i), c->runs->count);
}

void dti_along_softmax_grad(const dti_along *runs, bool logarithm,
                            const void *g, const void *y, const double *sums,
                            void *out)
{
    share((call){softmax_grad_range, runs, .logarithm = logarithm, .x = g,
                 .y = y, .sums = sums, .out = out});
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

/* Losses or gradients of cross-entropy, of which threads take ranges. */
typedef struct entropy_call {
    const dti_entropy *entropy;
    const void *x;
    const double *logsumexps, *grads, *given_weights;
    double all; /* weights of the classes of the part, or of all */
    double *losses, *weights;
    void *out;
} entropy_call;

static void losses_range(void *context, int64_t begin, int64_t end, int slot)
{
    const entropy_call *c = context;
    const dti_along *runs = &c->entropy->runs;
    const double smoothing = c->entropy->smoothing;
    (void)slot;
    for (int64_t i = begin; i < end; i++) {
        const int64_t place = c->entropy->places[i];
        const char *run = run_at(runs, c->x, i);
        c->losses[i] = c->weights[i] = 0;
        if (place == DTI_ALONG_IGNORED)
            continue;
        if (place >= 0) {
            c->weights[i] = weight_at(c->entropy, place);
            c->losses[i] = (1 - smoothing) * c->weights[i] *
                           (c->logsumexps[i] - number_at(runs, run, place));
        }
        if (smoothing > 0)
            c->losses[i] +=
                smoothing / (double)c->entropy->classes *
                smooth_loss(c->entropy, run, c->logsumexps[i], c->all);
    }
}

void dti_entropy_losses(const dti_entropy *entropy, const void *x,
                        const double *logsumexps, double *losses,
                        double *weights)
{
    const bool smooth = entropy->smoothing > 0;
    entropy_call c = {.entropy = entropy,
                      .x = x,
                      .logsumexps = logsumexps,
                      .all = smooth ? part_weight(entropy) : 0,
                      .losses = losses,
                      .weights = weights};
    dti_work_ranges(entropy->runs.rows, 1,
                    smooth ? run_bytes(&entropy->runs) + 64 : 64, losses_range,
                    &c);
}

static void take_number(const dti_along *runs, void *data, int64_t index,
                        double value)
{
    if (runs->dtype == DT_F64)
        ((double *)data)[index] -= value;
    else
        ((float *)data)[index] -= (float)value;
}

static void entropy_grad_range(void *context, int64_t begin, int64_t end,
                               int slot)
{
    const entropy_call *c = context;
    const dti_entropy *entropy = c->entropy;
    const dti_along *runs = &entropy->runs;
    const dti_along_loops *loops = loops_of(runs);
    const double share = entropy->smoothing / (double)entropy->classes;
    (void)slot;
    for (int64_t i = begin; i < end; i++) {
        const int64_t place = entropy->places[i];
        char *to = run_to(runs, c->out, i);
        const double picked = (1 - entropy->smoothing) * c->given_weights[i];
        if (place == DTI_ALONG_IGNORED) {
            memset(to, 0, (size_t)run_bytes(runs));
            continue;
        }
        loops->exp_scaled(run_at(runs, c->x, i), c->logsumexps[i],
                          c->grads[i] * (picked + share * c->all), to,
                          runs->count);
        if (share > 0)
            loops->take_off(to, entropy->weights, c->grads[i] * share,
                            runs->count);
        if (place >= 0)
            take_number(runs, to, place, c->grads[i] * picked);
    }
}

void dti_entropy_grad(const dti_entropy *entropy, const void *x,
                      const double *logsumexps, const double *grads,
                      const double *weights, double all_weights, void *out)
{
    entropy_call c = {.entropy = entropy,
                      .x = x,
                      .logsumexps = logsumexps,
                      .grads = grads,
                      .given_weights = weights,
                      .all = all_weights,
                      .out = out};
    dti_work_ranges(entropy->runs.rows, 1, 4 * run_bytes(&entropy->runs) + 64,
                    entropy_grad_range, &c);
}
