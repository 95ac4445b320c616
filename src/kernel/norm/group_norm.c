/* kernel/norm/group_norm.c - group norm: rows that are groups of channels. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/norm/group_norm.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/norm/norm_level.h"

/* Halves are taken piece by piece.  Runs of fewer elements than FEW are added
 * up one by one. */
enum { PIECE = 1024, FEW = 32 };

static const dti_norm_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_norm_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_norm_avx2,
    [DTI_CPU_AVX512] = &dti_norm_avx512,
#endif
};

static const dti_norm_loops *loops_of(const dti_group_norm *norm)
{
    assert(norm->carrier == DT_F32 || norm->carrier == DT_F64);
    return norm->carrier == DT_F64 ? &dti_norm_f64 : tables[norm->level];
}

static int64_t item_of(dt_dtype dtype)
{
    return (int64_t)dti_dtype_size(dtype);
}

/* One of the weights or biases; what changes nothing if there are none. */
static double factor_at(const dti_group_norm *norm, const void *factors,
                        int64_t index, double without)
{
    if (!factors)
        return without;
    return norm->carrier == DT_F64 ? ((const double *)factors)[index]
                                   : (double)((const float *)factors)[index];
}

/* Weights or biases from an index on. */
static const void *factors_at(const dti_group_norm *norm, const void *factors,
                              int64_t index)
{
    return factors ? (const char *)factors + index * item_of(norm->carrier)
                   : NULL;
}

/* ---- Forward ------------------------------------------------------------- */

/* Elements of carriers: those of a channel, or of channels of one each, from
 * channel `at` of all groups on. */
static void put_carriers(const dti_group_norm *norm, int64_t row, int64_t at,
                         const void *x, void *out, int64_t count)
{
    const double mean = norm->means[row], rstd = norm->rstds[row];
    if (norm->inner == 1 || (!norm->weight && !norm->bias))
        loops_of(norm)->scale(x, mean, rstd, factors_at(norm, norm->weight, at),
                              factors_at(norm, norm->bias, at), out, count);
    else
        loops_of(norm)->scale_run(
            x, mean, rstd, factor_at(norm, norm->weight, at, 1),
            factor_at(norm, norm->bias, at, 0), out, count);
}

static void put_run(const dti_group_norm *norm, int64_t row, int64_t at,
                    dt_dtype dtype, const char *x, char *out, int64_t count)
{
    _Alignas(DTI_CACHE_LINE) float from[PIECE], to[PIECE];
    const int64_t item = item_of(dtype);
    if (dtype == norm->carrier) {
        put_carriers(norm, row, at, x, out, count);
        return;
    }
    for (int64_t i = 0; i < count; i += PIECE) {
        const int64_t length = count - i < PIECE ? count - i : PIECE;
        dti_cast(x + i * item, dtype, from, DT_F32, length);
        put_carriers(norm, row, norm->inner == 1 ? at + i : at, from, to,
                     length);
        dti_cast(to, DT_F32, out + i * item, dtype, length);
    }
}

void dti_group_norm_put(const dti_group_norm *norm, dt_dtype dtype,
                        const void *x, void *out)
{
    const bool one = norm->inner == 1 || (!norm->weight && !norm->bias);
    const int64_t runs = one ? 1 : norm->channels;
    const int64_t length = one ? norm->channels * norm->inner : norm->inner;
    int64_t at = 0;
    for (int64_t row = 0; row < norm->batch * norm->groups; row++)
        for (int64_t c = 0; c < runs; c++, at += length * item_of(dtype))
            put_run(norm, row, row % norm->groups * norm->channels + c, dtype,
                    (const char *)x + at, (char *)out + at, length);
}

/* ---- Backward ------------------------------------------------------------ */

static double number_at(dt_dtype dtype, const void *numbers, int64_t index)
{
    return dtype == DT_F64 ? ((const double *)numbers)[index]
                           : (double)((const float *)numbers)[index];
}

static void add_few(dt_dtype dtype, const void *g, const void *x, double mean,
                    double rstd, int64_t count, double *sums)
{
    sums[0] = sums[1] = 0;
    for (int64_t i = 0; i < count; i++) {
        const double grad = number_at(dtype, g, i);
        sums[0] += grad;
        sums[1] += grad * ((number_at(dtype, x, i) - mean) * rstd);
    }
}

void dti_group_norm_sums(const dti_group_norm *norm, const void *g,
                         const void *x, double *sums)
{
    const int64_t step = norm->inner * item_of(norm->carrier);
    const int64_t rows = norm->batch * norm->groups;
    const char *grad = g, *from = x;
    for (int64_t i = 0; i < rows * norm->channels; i++) {
        const int64_t row = i / norm->channels;
        const double mean = norm->means[row], rstd = norm->rstds[row];
        if (norm->inner < FEW)
            add_few(norm->carrier, grad + i * step, from + i * step, mean, rstd,
                    norm->inner, sums + 2 * i);
        else
            loops_of(norm)->grad_sums(grad + i * step, from + i * step, NULL,
                                      mean, rstd, norm->inner, sums + 2 * i);
    }
}

void dti_group_norm_rows(const dti_group_norm *norm, const double *sums,
                         double *rows)
{
    for (int64_t row = 0; row < norm->batch * norm->groups; row++) {
        double first = 0, second = 0;
        for (int64_t c = 0; c < norm->channels; c++) {
            const double *of = sums + 2 * (row * norm->channels + c);
            const double weight = factor_at(
                norm, norm->weight, row % norm->groups * norm->channels + c, 1);
            first += weight * of[0];
            second += weight * of[1];
        }
        rows[2 * row] = first;
        rows[2 * row + 1] = second;
    }
}

void dti_group_norm_factors(const dti_group_norm *norm, const double *sums,
                            double *factors)
{
    const int64_t count = norm->groups * norm->channels;
    for (int64_t i = 0; i < 2 * count; i++)
        factors[i] = 0;
    for (int64_t n = 0; n < norm->batch; n++)
        for (int64_t i = 0; i < count; i++) {
            factors[i] += sums[2 * (n * count + i) + 1];
            factors[count + i] += sums[2 * (n * count + i)];
        }
}

/* The gradients of one row, from means of what it needs. */
static void grad_row(const dti_group_norm *norm, int64_t row, const char *g,
                     const char *x, double first, double second, char *out)
{
    const double mean = norm->means[row], rstd = norm->rstds[row];
    const int64_t step = norm->inner * item_of(norm->carrier);
    const int64_t at = row % norm->groups * norm->channels;
    if (norm->inner == 1 || !norm->weight) {
        loops_of(norm)->grad_row(g, x, factors_at(norm, norm->weight, at), mean,
                                 rstd, first, second, out,
                                 norm->channels * norm->inner);
        return;
    }
    for (int64_t c = 0; c < norm->channels; c++)
        loops_of(norm)->grad_run(g + c * step, x + c * step,
                                 factor_at(norm, norm->weight, at + c, 1), mean,
                                 rstd, first, second, out + c * step,
                                 norm->inner);
}

void dti_group_norm_grad(const dti_group_norm *norm, const void *g,
                         const void *x, const double *rows, int64_t whole,
                         void *out)
{
    const double by = 1 / (double)whole;
    const int64_t step = norm->channels * norm->inner * item_of(norm->carrier);
    for (int64_t row = 0; row < norm->batch * norm->groups; row++)
        grad_row(norm, row, (const char *)g + row * step,
                 (const char *)x + row * step, rows[2 * row] * by,
                 rows[2 * row + 1] * by, (char *)out + row * step);
}
