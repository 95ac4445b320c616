/* kernel/norm/norm_tmpl.h - the loops of norms, of one type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type; LOOPS, the name of the table.
 * The file that includes this is compiled for the instruction set.
 *
 * Sums are blocks of T, each of lanes that elements are dealt to, and blocks
 * are added up in f64: few roundings add up in T.
 */
#include <stddef.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/norm/norm_level.h"

enum { LANES = 32, BLOCK = 1024 };

#include "kernel/lanes_tmpl.h"

static inline int64_t block_of(int64_t start, int64_t count)
{
    return count - start < BLOCK ? count - start : BLOCK;
}

/* In f64: nothing hides a mean that is small. */
static double sum(const void *x, int64_t count)
{
    enum { WIDE = 16 };
    const T *from = x;
    const int64_t whole = count - count % WIDE;
    double lanes[WIDE] = {0}, total = 0;
    for (int64_t i = 0; i < whole; i += WIDE)
        for (int j = 0; j < WIDE; j++)
            lanes[j] += (double)from[i + j];
    for (int64_t i = whole; i < count; i++)
        lanes[i - whole] += (double)from[i];
    for (int j = 0; j < WIDE; j++)
        total += lanes[j];
    return total;
}

static double squares(const void *x, double mean, int64_t count)
{
    const T near = (T)mean;
    double total = 0;
    for (int64_t start = 0; start < count; start += BLOCK) {
        const T *from = (const T *)x + start;
        const int64_t length = block_of(start, count);
        const int64_t whole = length - length % LANES;
        T lanes[LANES] = {0};
        for (int64_t i = 0; i < whole; i += LANES)
            for (int j = 0; j < LANES; j++) {
                const T d = from[i + j] - near;
                lanes[j] += d * d;
            }
        for (int64_t i = whole; i < length; i++) {
            const T d = from[i] - near;
            lanes[i - whole] += d * d;
        }
        total += (double)across(lanes);
    }
    return total;
}

static void scale(const void *x, double mean, double rstd, const void *weight,
                  const void *bias, void *out, int64_t count)
{
    const T *from = x, *w = weight, *b = bias;
    const T near = (T)mean, by = (T)rstd;
    T *to = out;
    if (w && b) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = (from[i] - near) * by * w[i] + b[i];
    } else if (w) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = (from[i] - near) * by * w[i];
    } else {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = (from[i] - near) * by + (b ? b[i] : 0);
    }
}

static void scale_run(const void *x, double mean, double rstd, double weight,
                      double bias, void *out, int64_t count)
{
    const T *from = x;
    const T near = (T)mean, by = (T)rstd, w = (T)weight, b = (T)bias;
    T *to = out;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = (from[i] - near) * by * w + b;
}

static void grad_sums(const void *g, const void *x, const void *weight,
                      double mean, double rstd, int64_t count, double *sums)
{
    const T near = (T)mean, by = (T)rstd;
    sums[0] = sums[1] = 0;
    for (int64_t start = 0; start < count; start += BLOCK) {
        const T *grad = (const T *)g + start, *from = (const T *)x + start;
        const T *w = weight ? (const T *)weight + start : NULL;
        const int64_t length = block_of(start, count);
        const int64_t whole = length - length % LANES;
        T lanes[LANES] = {0}, products[LANES] = {0};
        for (int64_t i = 0; i < whole; i += LANES)
            for (int j = 0; j < LANES; j++) {
                const T one = w ? grad[i + j] * w[i + j] : grad[i + j];
                lanes[j] += one;
                products[j] += one * ((from[i + j] - near) * by);
            }
        for (int64_t i = whole; i < length; i++) {
            const T one = w ? grad[i] * w[i] : grad[i];
            lanes[i - whole] += one;
            products[i - whole] += one * ((from[i] - near) * by);
        }
        sums[0] += (double)across(lanes);
        sums[1] += (double)across(products);
    }
}

static void grad_row(const void *g, const void *x, const void *weight,
                     double mean, double rstd, double first, double second,
                     void *out, int64_t count)
{
    const T *grad = g, *from = x, *w = weight;
    const T near = (T)mean, by = (T)rstd, a = (T)first, b = (T)second;
    T *to = out;
    if (w) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = by * (grad[i] * w[i] - a - b * ((from[i] - near) * by));
    } else {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = by * (grad[i] - a - b * ((from[i] - near) * by));
    }
}

static void grad_run(const void *g, const void *x, double weight, double mean,
                     double rstd, double first, double second, void *out,
                     int64_t count)
{
    const T *grad = g, *from = x;
    const T near = (T)mean, by = (T)rstd, a = (T)first, b = (T)second;
    const T w = (T)weight;
    T *to = out;
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] = by * (grad[i] * w - a - b * ((from[i] - near) * by));
}

static void grad_columns(const void *g, const void *x, double mean, double rstd,
                         void *products, void *sums, int64_t count)
{
    const T *grad = g, *from = x;
    const T near = (T)mean, by = (T)rstd;
    T *DTI_RESTRICT by_weight = products;
    T *DTI_RESTRICT by_bias = sums;
    for (int64_t i = 0; by_weight && i < count; i++)
        by_weight[i] += grad[i] * ((from[i] - near) * by);
    for (int64_t i = 0; by_bias && i < count; i++)
        by_bias[i] += grad[i];
}

const dti_norm_loops LOOPS = {
    .sum = sum,
    .squares = squares,
    .scale = scale,
    .scale_run = scale_run,
    .grad_sums = grad_sums,
    .grad_row = grad_row,
    .grad_run = grad_run,
    .grad_columns = grad_columns,
};

#undef LOOPS
#undef T
