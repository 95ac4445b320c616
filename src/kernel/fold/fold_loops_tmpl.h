/* kernel/fold/fold_loops_tmpl.h - the loops of one reduction of one type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, how an element is stored; A, what
 * accumulates; LOAD(x), an element as an accumulator; COMBINE(a, b); ROWS,
 * MERGE, ACROSS and RUNS, names of the functions.  T and A alone stay defined.
 */

/* Eight rows at a time: accumulators, which lie in memory, are read and written
 * once for all of them. */
static void ROWS(void *sums, const void *from, int64_t rows, int64_t stride,
                 int64_t width)
{
    A *DTI_RESTRICT to = sums;
    const T *DTI_RESTRICT x = from;
    int64_t row = 0;
    for (; row + 8 <= rows; row += 8, x += 8 * stride)
        for (int64_t i = 0; i < width; i++) {
            A a = COMBINE(LOAD(x[i]), LOAD(x[i + stride]));
            A b = COMBINE(LOAD(x[i + 2 * stride]), LOAD(x[i + 3 * stride]));
            A c = COMBINE(LOAD(x[i + 4 * stride]), LOAD(x[i + 5 * stride]));
            A d = COMBINE(LOAD(x[i + 6 * stride]), LOAD(x[i + 7 * stride]));
            A ab = COMBINE(a, b);
            A cd = COMBINE(c, d);
            A all = COMBINE(ab, cd);
            to[i] = COMBINE(to[i], all);
        }
    for (; row < rows; row++, x += stride)
        for (int64_t i = 0; i < width; i++) {
            A a = LOAD(x[i]);
            to[i] = COMBINE(to[i], a);
        }
}

static void MERGE(void *sums, const void *others, int64_t count)
{
    A *DTI_RESTRICT to = sums;
    const A *DTI_RESTRICT from = others;
    for (int64_t i = 0; i < count; i++)
        to[i] = COMBINE(to[i], from[i]);
}

static void ACROSS(void *sums)
{
    A *to = sums;
    for (int half = DTI_FOLD_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            to[i] = COMBINE(to[i], to[i + half]);
}

/* What ROWS and ACROSS would make of each run, in the same order. */
static void RUNS(const void *from, int64_t runs, int64_t stride, int64_t count,
                 const void *identity, void *sums)
{
    A *DTI_RESTRICT to = sums;
    const T *DTI_RESTRICT run = from;
    const int64_t rows = count / DTI_FOLD_LANES, rest = count % DTI_FOLD_LANES;
    A none;
    memcpy(&none, identity, sizeof none);
    for (int64_t r = 0; r < runs; r++, run += stride) {
        A lanes[DTI_FOLD_LANES];
        const T *x = run;
        int64_t row = 0;
        for (int i = 0; i < DTI_FOLD_LANES; i++)
            lanes[i] = none;
        for (; row + 8 <= rows; row += 8, x += 8 * DTI_FOLD_LANES)
            for (int i = 0; i < DTI_FOLD_LANES; i++) {
                const T *at = x + i;
                A a = COMBINE(LOAD(at[0]), LOAD(at[DTI_FOLD_LANES]));
                A b = COMBINE(LOAD(at[2 * DTI_FOLD_LANES]),
                              LOAD(at[3 * DTI_FOLD_LANES]));
                A c = COMBINE(LOAD(at[4 * DTI_FOLD_LANES]),
                              LOAD(at[5 * DTI_FOLD_LANES]));
                A d = COMBINE(LOAD(at[6 * DTI_FOLD_LANES]),
                              LOAD(at[7 * DTI_FOLD_LANES]));
                A ab = COMBINE(a, b);
                A cd = COMBINE(c, d);
                A all = COMBINE(ab, cd);
                lanes[i] = COMBINE(lanes[i], all);
            }
        for (; row < rows; row++, x += DTI_FOLD_LANES)
            for (int i = 0; i < DTI_FOLD_LANES; i++) {
                A a = LOAD(x[i]);
                lanes[i] = COMBINE(lanes[i], a);
            }
        for (int64_t i = 0; i < rest; i++) {
            A a = LOAD(x[i]);
            lanes[i] = COMBINE(lanes[i], a);
        }
        ACROSS(lanes);
        to[r] = lanes[0];
    }
}

#undef LOAD
#undef COMBINE
#undef ROWS
#undef MERGE
#undef ACROSS
#undef RUNS
