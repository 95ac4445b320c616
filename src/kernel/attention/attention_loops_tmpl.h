/* kernel/attention/attention_loops_tmpl.h - the loops of attention, for one
 * dtype. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; EXP of one of these;
 * the names of all functions.  Undefined at the end.
 *
 * Element i is dealt to sum i % LANES, so that sums do not depend on how many
 * elements an instruction takes.
 */
static inline T GREATER(T a, T b)
{
    return b > a ? b : a;
}

static DTI_INLINE double TOTAL(const T *lanes)
{
    double sums[LANES];
    for (int j = 0; j < LANES; j++)
        sums[j] = (double)lanes[j];
    halve(sums, LANES / 2);
    halve(sums, LANES / 4);
    halve(sums, LANES / 8);
    halve(sums, LANES / 16);
    return sums[0];
}

static double MOST(const void *values, int64_t count)
{
    const T *from = values;
    T lanes[LANES];
    const int64_t whole = count - count % LANES;
    for (int j = 0; j < LANES; j++)
        lanes[j] = -(T)INFINITY;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] = GREATER(lanes[j], from[i + j]);
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] = GREATER(lanes[i - whole], from[i]);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            lanes[j] = GREATER(lanes[j], lanes[j + half]);
    return (double)lanes[0];
}

static double WEIGH(void *values, double most, int64_t count)
{
    T *to = values;
    const T shift = (T)most;
    T lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < count; i++)
        to[i] = EXP(to[i] - shift);
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += to[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += to[i];
    return TOTAL(lanes);
}

static void SCALE(void *values, double by, int64_t count)
{
    T *to = values;
    const T factor = (T)by;
    for (int64_t i = 0; i < count; i++)
        to[i] *= factor;
}

static void ADD(void *values, const void *others, int64_t count)
{
    T *DTI_RESTRICT to = values;
    const T *DTI_RESTRICT from = others;
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

static void HIDE(void *values, const unsigned char *seen, int64_t count)
{
    T *DTI_RESTRICT to = values;
    const unsigned char *DTI_RESTRICT by = seen;
    for (int64_t i = 0; i < count; i++)
        to[i] = by[i] ? to[i] : -(T)INFINITY;
}

static void DROP(void *values, const unsigned char *keep, double by,
                 int64_t count)
{
    T *DTI_RESTRICT to = values;
    const unsigned char *DTI_RESTRICT kept = keep;
    const T factor = (T)by;
    for (int64_t i = 0; i < count; i++)
        to[i] *= kept[i] ? factor : 0;
}

static void SLOPE(void *values, const void *weights, double shift,
                  int64_t count)
{
    T *DTI_RESTRICT to = values;
    const T *DTI_RESTRICT by = weights;
    const T less = (T)shift;
    for (int64_t i = 0; i < count; i++)
        to[i] = by[i] * (to[i] - less);
}

static double NOUGHT(const void *values, int64_t count)
{
    const T *from = values;
    T lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += from[i + j] * 0;
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += from[i] * 0;
    return TOTAL(lanes);
}

static double DOT(const void *a, const void *b, int64_t count)
{
    const T *x = a, *y = b;
    T lanes[LANES] = {0};
    const int64_t whole = count - count % LANES;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += x[i + j] * y[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += x[i] * y[i];
    return TOTAL(lanes);
}

#undef T
#undef EXP
#undef MOST
#undef WEIGH
#undef SCALE
#undef ADD
#undef HIDE
#undef DROP
#undef SLOPE
#undef NOUGHT
#undef DOT
#undef TOTAL
#undef GREATER
