/* kernel/fold/moments_loops_tmpl.h - the loops of moments of one carrier. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the carrier; SUM_RUN, SQUARES_RUN,
 * SUM_ROWS and SQUARES_ROWS, names of the functions.  All are undefined
 * afterwards.
 */

static double SUM_RUN(const void *from, int64_t count)
{
    const T *x = from;
    double lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += (double)x[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += (double)x[i];
    return add_up(lanes);
}

static double SQUARES_RUN(const void *from, double mean, int64_t count)
{
    const T *x = from;
    double lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++) {
            const double apart = (double)x[i + j] - mean;
            lanes[j] += apart * apart;
        }
    for (int64_t i = whole; i < count; i++) {
        const double apart = (double)x[i] - mean;
        lanes[i - whole] += apart * apart;
    }
    return add_up(lanes);
}

static void SUM_ROWS(const dti_block *block, double *sums)
{
    double *DTI_RESTRICT to = sums;
    const T *DTI_RESTRICT x = block->x;
    const int64_t stride = block->stride;
    int64_t row = 0;
    for (int64_t i = 0; i < block->width; i++)
        to[i] = 0;
    for (; row + 4 <= block->rows; row += 4, x += 4 * stride)
        for (int64_t i = 0; i < block->width; i++) {
            const double a = (double)x[i] + (double)x[i + stride];
            const double b =
                (double)x[i + 2 * stride] + (double)x[i + 3 * stride];
            to[i] += a + b;
        }
    for (; row < block->rows; row++, x += stride)
        for (int64_t i = 0; i < block->width; i++)
            to[i] += (double)x[i];
}

static void SQUARES_ROWS(const dti_block *block, const double *means,
                         double *sums)
{
    double *DTI_RESTRICT to = sums;
    const double *DTI_RESTRICT mean = means;
    const T *DTI_RESTRICT x = block->x;
    const int64_t stride = block->stride;
    int64_t row = 0;
    for (int64_t i = 0; i < block->width; i++)
        to[i] = 0;
    for (; row + 2 <= block->rows; row += 2, x += 2 * stride)
        for (int64_t i = 0; i < block->width; i++) {
            const double a = (double)x[i] - mean[i];
            const double b = (double)x[i + stride] - mean[i];
            to[i] += a * a + b * b;
        }
    for (; row < block->rows; row++, x += stride)
        for (int64_t i = 0; i < block->width; i++) {
            const double a = (double)x[i] - mean[i];
            to[i] += a * a;
        }
}

#undef T
#undef SUM_RUN
#undef SQUARES_RUN
#undef SUM_ROWS
#undef SQUARES_ROWS
