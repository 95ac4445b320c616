/* kernel/fold/arg_loops_tmpl.h - the loops that find one extreme of f32. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: KEY(x); MOST, FIND and ROWS, names of the
 * functions.  All are undefined afterwards.
 */

static int32_t MOST(const float *x, int64_t count)
{
    int32_t lanes[LANES];
    const int64_t whole = count - count % LANES;
    for (int j = 0; j < LANES; j++)
        lanes[j] = INT32_MIN;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++) {
            const int32_t key = KEY(x[i + j]);
            lanes[j] = key > lanes[j] ? key : lanes[j];
        }
    for (int64_t i = whole; i < count; i++) {
        const int32_t key = KEY(x[i]);
        lanes[0] = key > lanes[0] ? key : lanes[0];
    }
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] = lanes[j] > lanes[j + half] ? lanes[j] : lanes[j + half];
    return lanes[0];
}

static int64_t FIND(const float *x, int64_t count, int32_t wanted)
{
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        int32_t any = 0;
        for (int j = 0; j < LANES; j++)
            any |= KEY(x[i + j]) == wanted;
        if (any)
            break;
    }
    while (i + 1 < count && KEY(x[i]) != wanted)
        i++;
    return i;
}

static void ROWS(const float *from, int64_t rows, int64_t stride, int64_t width,
                 int32_t *best, int32_t *numbers)
{
    const float *DTI_RESTRICT x = from;
    int32_t *DTI_RESTRICT to = best;
    int32_t *DTI_RESTRICT at = numbers;
    for (int64_t row = 0; row < rows; row++, x += stride)
        for (int64_t i = 0; i < width; i++) {
            const int32_t key = KEY(x[i]), had = to[i];
            at[i] = key > had ? (int32_t)row : at[i];
            to[i] = key > had ? key : had;
        }
}

#undef KEY
#undef MOST
#undef FIND
#undef ROWS
