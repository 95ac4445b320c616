/* kernel/softmax/logsumexp_loops_tmpl.h - sums of exponentials of one carrier.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the carrier; EXP(x); MOST_RUN, EXP_RUN,
 * MOST_ROWS and EXP_ROWS, names of the functions. All are undefined afterwards.
 */

static double MOST_RUN(const void *from, int64_t count)
{
    const T *x = from;
    T lanes[LANES];
    const int64_t whole = count - count % LANES;
    for (int j = 0; j < LANES; j++)
        lanes[j] = (T)-INFINITY;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] = LARGER(lanes[j], x[i + j]);
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] = LARGER(lanes[i - whole], x[i]);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] = LARGER(lanes[j], lanes[j + half]);
    return (double)lanes[0];
}

/* Exponentials first, and then their sums: compilers make vectors of both, but
 * not of the two together. */
static double EXP_RUN(const void *from, double most, int64_t count)
{
    const T *x = from;
    const T less = (T)most;
    T values[DTI_BLOCK_RUN];
    double lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < count; i++)
        values[i] = EXP(x[i] - less);
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += (double)values[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += (double)values[i];
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] += lanes[j + half];
    return lanes[0];
}

static void MOST_ROWS(const dti_block *block, double *most)
{
    double *DTI_RESTRICT to = most;
    const T *DTI_RESTRICT x = block->x;
    for (int64_t row = 0; row < block->rows; row++, x += block->stride)
        for (int64_t i = 0; i < block->width; i++) {
            const double value = (double)x[i];
            to[i] = LARGER(to[i], value);
        }
}

static void EXP_ROWS(const dti_block *block, const double *most, double *sums)
{
    double *DTI_RESTRICT to = sums;
    const T *DTI_RESTRICT x = block->x;
    T values[DTI_BLOCK_WIDTH], less[DTI_BLOCK_WIDTH];
    for (int64_t i = 0; i < block->width; i++) {
        to[i] = 0;
        less[i] = (T)most[i];
    }
    for (int64_t row = 0; row < block->rows; row++, x += block->stride) {
        for (int64_t i = 0; i < block->width; i++)
            values[i] = EXP(x[i] - less[i]);
        for (int64_t i = 0; i < block->width; i++)
            to[i] += (double)values[i];
    }
}

#undef T
#undef EXP
#undef MOST_RUN
#undef EXP_RUN
#undef MOST_ROWS
#undef EXP_ROWS
