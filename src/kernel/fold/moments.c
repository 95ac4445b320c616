/* kernel/fold/moments.c - sums of elements, and of squares of their
 * differences. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/moments.h"

#include <string.h>

#include "kernel/fold/blocks.h"
#include "kernel/fold/moments_level.h"

/*
 * Blocks that fit the nearest cache are read twice: for their mean, and for
 * squares around it.  Moments of blocks are merged as Chan, Golub and LeVeque
 * (1983) do: nothing cancels where the mean is large.
 */

static const dti_moments_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = dti_moments_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_moments_avx2,
    [DTI_CPU_AVX512] = dti_moments_avx512,
#endif
};

typedef struct work {
    const dti_moments_loops *loops;
    dti_moments out;
} work;

static void take_run(void *context, const dti_block *b)
{
    const work *w = context;
    double *sum = &w->out.sums[b->to], *square = &w->out.squares[b->to];
    const double found = w->loops->sum_run(b->x, b->width);
    const double squares =
        w->loops->squares_run(b->x, found / (double)b->width, b->width);
    if (b->had) {
        w->loops->merge(sum, square, (double)b->had, &found, &squares,
                        (double)b->width, 1);
        return;
    }
    *sum = found;
    *square = squares;
}

/* Moments of neighbours, from where they lie `step` apart or back. */
static void move(double *to, int64_t to_step, const double *from,
                 int64_t from_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i * to_step] = from[i * from_step];
}

static void take_columns(void *context, const dti_block *b)
{
    const work *w = context;
    double sums[DTI_BLOCK_WIDTH], squares[DTI_BLOCK_WIDTH];
    double means[DTI_BLOCK_WIDTH], had[2][DTI_BLOCK_WIDTH];
    double *to = &w->out.sums[b->to], *to_squares = &w->out.squares[b->to];
    w->loops->sum_rows(b, sums);
    for (int64_t i = 0; i < b->width; i++)
        means[i] = sums[i] / (double)b->rows;
    w->loops->squares_rows(b, means, squares);
    if (b->had) {
        move(had[0], 1, to, b->step, b->width);
        move(had[1], 1, to_squares, b->step, b->width);
        w->loops->merge(had[0], had[1], (double)b->had, sums, squares,
                        (double)b->rows, b->width);
    }
    move(to, b->step, b->had ? had[0] : sums, 1, b->width);
    move(to_squares, b->step, b->had ? had[1] : squares, 1, b->width);
}

void dti_moments_array_at(dti_cpu_level level, const dt_array *in,
                          unsigned dims, int64_t results, dti_moments out)
{
    const bool wide = dt_array_dtype(in) == DT_F64;
    work w = {&tables[level][wide], out};
    const dti_blocks blocks = {.carrier = wide ? DT_F64 : DT_F32,
                               .context = &w,
                               .run = take_run,
                               .columns = take_columns};
    memset(out.sums, 0, (size_t)results * sizeof(double));
    memset(out.squares, 0, (size_t)results * sizeof(double));
    dti_blocks_take(&blocks, in, dims);
}

void dti_moments_array(const dt_array *in, unsigned dims, int64_t results,
                       dti_moments out)
{
    dti_moments_array_at(dti_cpu_level_used(), in, dims, results, out);
}

void dti_moments_merge(dti_moments to, int64_t count, dti_moments from,
                       int64_t more, int64_t results)
{
    const size_t bytes = (size_t)results * sizeof(double);
    if (more == 0)
        return;
    if (count > 0) {
        tables[dti_cpu_level_used()][0].merge(
            to.sums, to.squares, (double)count, from.sums, from.squares,
            (double)more, results);
        return;
    }
    memcpy(to.sums, from.sums, bytes);
    memcpy(to.squares, from.squares, bytes);
}
