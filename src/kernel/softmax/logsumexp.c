/* kernel/softmax/logsumexp.c - logarithms of sums of exponentials. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/logsumexp.h"

#include <math.h>

#include "kernel/fold/blocks.h"
#include "kernel/softmax/logsumexp_level.h"

/*
 * A block that fits the nearest cache is read twice: for its largest element,
 * and for exp(x - largest).  A sum that was made with a smaller one is brought
 * down to it.  Where the largest is infinite or NaN, it is the result, and
 * sums do not count.  NaN is not looked for: it makes a sum NaN, and then the
 * largest is set to it.
 */

static const dti_logsumexp_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = dti_logsumexp_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_logsumexp_avx2,
    [DTI_CPU_AVX512] = dti_logsumexp_avx512,
#endif
};

typedef struct work {
    const dti_logsumexp_loops *loops;
    dti_exponentials out;
} work;

static double larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* Add a sum that was made with the largest of all so far, or with 0 if that is
 * not finite. */
static void add(double *most, double *sum, double new_most, double more)
{
    if (more != more)
        new_most = (double)NAN;
    if (*most == new_most)
        *sum += more;
    else if (isfinite(new_most))
        *sum = *sum * exp(*most - new_most) + more;
    *most = new_most;
}

static void take_run(void *context, const dti_block *b)
{
    const work *w = context;
    double *most = &w->out.most[b->to];
    const double found =
        larger(*most, w->loops->most_run(b->x, b->width)) + 0.0;
    const double less = isfinite(found) ? found : 0;
    add(most, &w->out.sums[b->to], found,
        w->loops->exp_run(b->x, less, b->width));
}

static void take_columns(void *context, const dti_block *b)
{
    const work *w = context;
    double most[DTI_BLOCK_WIDTH], less[DTI_BLOCK_WIDTH];
    double sums[DTI_BLOCK_WIDTH];
    for (int64_t i = 0; i < b->width; i++)
        most[i] = w->out.most[b->to + i * b->step];
    w->loops->most_rows(b, most);
    for (int64_t i = 0; i < b->width; i++)
        less[i] = isfinite(most[i]) ? most[i] : 0;
    w->loops->exp_rows(b, less, sums);
    for (int64_t i = 0; i < b->width; i++) {
        const int64_t to = b->to + i * b->step;
        add(&w->out.most[to], &w->out.sums[to], most[i] + 0.0, sums[i]);
    }
}

void dti_exponentials_array_at(dti_cpu_level level, const dt_array *in,
                               unsigned dims, int64_t results,
                               dti_exponentials out)
{
    const bool wide = dt_array_dtype(in) == DT_F64;
    work w = {&tables[level][wide], out};
    const dti_blocks blocks = {.carrier = wide ? DT_F64 : DT_F32,
                               .context = &w,
                               .run = take_run,
                               .columns = take_columns};
    for (int64_t i = 0; i < results; i++) {
        out.most[i] = -(double)INFINITY;
        out.sums[i] = 0;
    }
    dti_blocks_take(&blocks, in, dims);
}

void dti_exponentials_array(const dt_array *in, unsigned dims, int64_t results,
                            dti_exponentials out)
{
    dti_exponentials_array_at(dti_cpu_level_used(), in, dims, results, out);
}

void dti_exponentials_merge(dti_exponentials to, dti_exponentials from,
                            int64_t results)
{
    for (int64_t i = 0; i < results; i++) {
        const double most = larger(to.most[i], from.most[i]);
        const double more =
            isfinite(most) ? from.sums[i] * exp(from.most[i] - most) : 0;
        add(&to.most[i], &to.sums[i], most, more);
    }
}

void dti_exponentials_end(dti_exponentials both, int64_t results)
{
    for (int64_t i = 0; i < results; i++)
        if (isfinite(both.most[i]))
            both.most[i] += log(both.sums[i]);
        else if (isnan(both.most[i]))
            both.most[i] = (double)NAN;
}
