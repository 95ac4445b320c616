/* kernel/softmax/along_tmpl.h - the loops over runs, of one type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type; EXP, its function, and EXP_DOWN,
 * of what is at most 0; LOOPS, the name of the table.  The file that includes
 * this is compiled for the instruction set.
 *
 * Sums of products are blocks of T, each of lanes that elements are dealt to,
 * and blocks are added up in f64: few roundings add up in T.  Exponentials are
 * added up in f64.
 */
#include <math.h>
#include <stddef.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/math/f32.h"
#include "kernel/math/f64.h"
#include "kernel/softmax/along_level.h"

enum { LANES = 32, WIDE = 16, BLOCK = 1024 };

#include "kernel/lanes_tmpl.h"

/* Of NaN, the other one: exponentials show it, and their sum. */
static inline T greater(T a, T b)
{
    return b > a ? b : a;
}

/* As `halve` of the lanes, by the greater one. */
static DTI_INLINE void halve_most(T *lanes, int half)
{
    for (int j = 0; j < half; j++)
        lanes[j] = greater(lanes[j], lanes[j + half]);
}

static DTI_INLINE T most_across(T *lanes)
{
    halve_most(lanes, LANES / 2);
    halve_most(lanes, LANES / 4);
    halve_most(lanes, LANES / 8);
    halve_most(lanes, LANES / 16);
    return greater(lanes[0], lanes[1]);
}

static DTI_INLINE void halve_wide(double *lanes, int half)
{
    for (int j = 0; j < half; j++)
        lanes[j] += lanes[j + half];
}

static DTI_INLINE double wide_across(double *lanes)
{
    halve_wide(lanes, WIDE / 2);
    halve_wide(lanes, WIDE / 4);
    halve_wide(lanes, WIDE / 8);
    return lanes[0] + lanes[1];
}

static double most(const void *x, int64_t count)
{
    const T *from = x;
    T lanes[LANES];
    const int64_t whole = count - count % LANES;
    for (int j = 0; j < LANES; j++)
        lanes[j] = -(T)INFINITY;
    for (int64_t i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] = greater(lanes[j], from[i + j]);
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] = greater(lanes[i - whole], from[i]);
    /* Never -0, whichever zero came first. */
    return (double)most_across(lanes) + 0.0;
}

static inline T sum_block(const T *x, int count)
{
    T lanes[LANES] = {0};
    const int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += x[i + j];
    for (int i = whole; i < count; i++)
        lanes[i - whole] += x[i];
    return across(lanes);
}

/* In f64: beside a 1, what is small counts, as the logarithm shows. */
static inline double sum_wide(const T *x, int count)
{
    double lanes[WIDE] = {0};
    const int whole = count - count % WIDE;
    for (int i = 0; i < whole; i += WIDE)
        for (int j = 0; j < WIDE; j++)
            lanes[j] += (double)x[i + j];
    for (int i = whole; i < count; i++)
        lanes[i - whole] += (double)x[i];
    return wide_across(lanes);
}

static inline T dot_block(const T *a, const T *b, int count)
{
    T lanes[LANES] = {0};
    const int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int j = 0; j < LANES; j++)
            lanes[j] += a[i + j] * b[i + j];
    for (int i = whole; i < count; i++)
        lanes[i - whole] += a[i] * b[i];
    return across(lanes);
}

static inline int block_of(int64_t start, int64_t count)
{
    return count - start < BLOCK ? (int)(count - start) : BLOCK;
}

static double dot(const void *a, const void *b, int64_t count)
{
    const T *x = a, *y = b;
    double sum = 0;
    for (int64_t i = 0; i < count; i += BLOCK)
        sum += (double)(y ? dot_block(x + i, y + i, block_of(i, count))
                          : sum_block(x + i, block_of(i, count)));
    return sum;
}

static double exp_sum(const void *x, double largest, int64_t count)
{
    const T near = (T)largest;
    double sum = 0;
    for (int64_t i = 0; i < count; i += BLOCK) {
        T block[BLOCK];
        const T *from = (const T *)x + i;
        const int length = block_of(i, count);
        for (int j = 0; j < length; j++)
            block[j] = EXP_DOWN(from[j] - near);
        sum += sum_wide(block, length);
    }
    return sum;
}

static double exp_run(const void *x, double largest, void *out, int64_t count)
{
    const T near = (T)largest;
    double sum = 0;
    for (int64_t i = 0; i < count; i += BLOCK) {
        const T *from = (const T *)x + i;
        T *to = (T *)out + i;
        const int length = block_of(i, count);
        DTI_INDEPENDENT
        for (int j = 0; j < length; j++)
            to[j] = EXP_DOWN(from[j] - near);
        sum += sum_wide(to, length);
    }
    return sum;
}

static void scale(void *out, double by, int64_t count)
{
    T *to = out;
    const T near = (T)by;
    for (int64_t i = 0; i < count; i++)
        to[i] *= near;
}

static void exp_scaled(const void *x, double largest, double by, void *out,
                       int64_t count)
{
    const T *from = x;
    T *to = out;
    const T near = (T)largest, factor = (T)by;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = EXP_DOWN(from[i] - near) * factor;
}

static void shifted(const void *x, double largest, double log_sum, void *out,
                    int64_t count)
{
    const T *from = x;
    T *to = out;
    const T near = (T)largest, rest = (T)log_sum;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i] - near - rest;
}

/*
 * Short runs are turned, so that neighbours belong to different runs: there is
 * nothing to combine across lanes.  Sums are of the same form as sum_wide's.
 */
enum { PANEL = DTI_ALONG_PANEL, SHORT = DTI_ALONG_SHORT };

static DTI_INLINE void panel_most(const T *columns, T *largest, int count)
{
    for (int r = 0; r < PANEL; r++)
        largest[r] = -(T)INFINITY;
    for (int j = 0; j < count; j++)
        for (int r = 0; r < PANEL; r++)
            largest[r] = greater(largest[r], columns[j * PANEL + r]);
    for (int r = 0; r < PANEL; r++)
        largest[r] += 0; /* as in most */
}

static DTI_INLINE void panel_sums(const T *columns, double *lanes, int count)
{
    int width = count < WIDE ? count : WIDE;
    for (int i = 0; i < width * PANEL; i++)
        lanes[i] = (double)columns[i];
    for (int j = width; j < count; j++)
        for (int r = 0; r < PANEL; r++)
            lanes[j % WIDE * PANEL + r] += (double)columns[j * PANEL + r];
    for (int half = WIDE / 2; half > 0; half /= 2) {
        for (int i = half * PANEL; i < width * PANEL; i++)
            lanes[i - half * PANEL] += lanes[i];
        width = width < half ? width : half;
    }
}

static void softmax_panel(const void *x, bool logarithm, void *out, int count)
{
    const T *from = x;
    T *to = out;
    T columns[SHORT * PANEL], powers[SHORT * PANEL];
    T largest[PANEL], last[PANEL];
    double lanes[WIDE * PANEL];
    for (int r = 0; r < PANEL; r++)
        for (int j = 0; j < count; j++)
            columns[j * PANEL + r] = from[r * count + j];
    panel_most(columns, largest, count);
    for (int j = 0; j < count; j++)
        for (int r = 0; r < PANEL; r++)
            powers[j * PANEL + r] =
                EXP_DOWN(columns[j * PANEL + r] - largest[r]);
    panel_sums(powers, lanes, count);
    for (int r = 0; r < PANEL; r++)
        last[r] = (T)(logarithm ? log(lanes[r]) : 1 / lanes[r]);
    for (int j = 0; j < count; j++)
        for (int r = 0; r < PANEL; r++)
            columns[j * PANEL + r] =
                logarithm ? columns[j * PANEL + r] - largest[r] - last[r]
                          : powers[j * PANEL + r] * last[r];
    for (int r = 0; r < PANEL; r++)
        for (int j = 0; j < count; j++)
            to[r * count + j] = columns[j * PANEL + r];
}

static void softmax_grad(const void *g, const void *y, double product,
                         void *out, int64_t count)
{
    const T *grad = g, *from = y;
    T *to = out;
    const T near = (T)product;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = (grad[i] - near) * from[i];
}

static void log_softmax_grad(const void *g, const void *y, double sum,
                             void *out, int64_t count)
{
    const T *grad = g, *from = y;
    T *to = out;
    const T near = (T)sum;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = grad[i] - EXP(from[i]) * near;
}

static void add(void *out, const void *x, double by, int64_t count)
{
    const T *DTI_RESTRICT from = x;
    T *DTI_RESTRICT to = out;
    const T near = (T)by;
    for (int64_t i = 0; i < count; i++)
        to[i] += near * from[i];
}

static void take_off(void *out, const void *w, double by, int64_t count)
{
    const T *weight = w;
    T *to = out;
    const T near = (T)by;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] -= weight ? near * weight[i] : near;
}

const dti_along_loops LOOPS = {
    .most = most,
    .exp_sum = exp_sum,
    .exp_run = exp_run,
    .softmax_panel = softmax_panel,
    .dot = dot,
    .scale = scale,
    .exp_scaled = exp_scaled,
    .shifted = shifted,
    .softmax_grad = softmax_grad,
    .log_softmax_grad = log_softmax_grad,
    .add = add,
    .take_off = take_off,
};

#undef LOOPS
#undef EXP
#undef EXP_DOWN
#undef T
