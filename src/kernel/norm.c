/* kernel/norm.c - layer norm and its kind: rows brought to one size. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/norm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/cpu.h"
#include "base/dtype.h"
#include "kernel/fold.h"
#include "kernel/fold_bring.h"
#include "kernel/fold_walk.h"
#include "kernel/norm_level.h"

/*
 * Three passes over a row: mean, squares of what differs from it, results.  The
 * second pass with the mean of the first loses no digits where the mean is
 * large.  Elements are taken piece by piece as f32 or f64, the carriers, from
 * where they lie if they are carriers and neighbours.
 */
enum { PIECE = 1024, ITEM = 8 };

static const dti_norm_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_norm_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_norm_avx2,
    [DTI_CPU_AVX512] = &dti_norm_avx512,
#endif
};

typedef struct work {
    const dti_norm_loops *loops;
    const dti_norm *norm;
    dt_dtype dtype;
    dt_dtype carrier;
    int64_t item; /* bytes of an element */
    int64_t count;
    int64_t stride;
} work;

/* ---- Loops over f64 ------------------------------------------------------ */

static double sum_f64(const double *values, int64_t count)
{
    double sum;
    dti_fold_run(DTI_FOLD_SUM, DT_F64, values, count, &sum);
    return sum;
}

static double squares_f64(const double *values, double mean, int64_t count)
{
    double differences[PIECE], sum;
    for (int64_t i = 0; i < count; i++)
        differences[i] = values[i] - mean;
    dti_fold_run(DTI_FOLD_SQUARE_SUM, DT_F64, differences, count, &sum);
    return sum;
}

static void scale_f64(const double *values, double mean, double rstd,
                      const double *weight, const double *bias, double *out,
                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = (values[i] - mean) * rstd * (weight ? weight[i] : 1) +
                 (bias ? bias[i] : 0);
}

/* ---- Pieces of a row ----------------------------------------------------- */

static int64_t length_of(const work *w, int64_t start)
{
    return w->count - start < PIECE ? w->count - start : PIECE;
}

/* Carriers of a piece: where they lie, or brought into a buffer. */
static const void *piece_of(const void *row, dt_dtype dtype, int64_t stride,
                            dt_dtype carrier, int64_t start, int64_t count,
                            void *buffer)
{
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    const char *from = (const char *)row + start * stride * item;
    if (dtype == carrier && stride == 1)
        return from;
    dti_bring(from, dtype, stride, buffer, carrier, count);
    return buffer;
}

static const void *values_of(const work *w, const void *row, int64_t start,
                             void *buffer)
{
    return piece_of(row, w->dtype, w->stride, w->carrier, start,
                    length_of(w, start), buffer);
}

static const void *factors_of(const work *w, const dt_array *factors,
                              int64_t start, void *buffer)
{
    return factors
               ? piece_of(dt_array_const_data(factors), dt_array_dtype(factors),
                          1, w->carrier, start, length_of(w, start), buffer)
               : NULL;
}

static double mean_of(const work *w, const void *row)
{
    _Alignas(DTI_CACHE_LINE) char buffer[PIECE * ITEM];
    double sum = 0;
    for (int64_t i = 0; i < w->count; i += PIECE) {
        const void *values = values_of(w, row, i, buffer);
        const int64_t count = length_of(w, i);
        sum += w->carrier == DT_F32 ? w->loops->sum(values, count)
                                    : sum_f64(values, count);
    }
    return w->count > 0 ? sum / (double)w->count : 0;
}

static double rstd_of(const work *w, const void *row, double mean)
{
    _Alignas(DTI_CACHE_LINE) char buffer[PIECE * ITEM];
    double sum = 0;
    for (int64_t i = 0; i < w->count; i += PIECE) {
        const void *values = values_of(w, row, i, buffer);
        const int64_t count = length_of(w, i);
        sum += w->carrier == DT_F32 ? w->loops->squares(values, mean, count)
                                    : squares_f64(values, mean, count);
    }
    if (w->count == 0)
        return (double)NAN;
    return 1 / sqrt(sum / (double)w->count + w->norm->eps);
}

static void put_row(const work *w, const void *row, double mean, double rstd,
                    char *out)
{
    _Alignas(DTI_CACHE_LINE) char buffer[PIECE * ITEM], weights[PIECE * ITEM],
        biases[PIECE * ITEM], results[PIECE * ITEM];
    for (int64_t i = 0; i < w->count; i += PIECE) {
        const int64_t count = length_of(w, i);
        const void *values = values_of(w, row, i, buffer);
        const void *weight = factors_of(w, w->norm->weight, i, weights);
        const void *bias = factors_of(w, w->norm->bias, i, biases);
        void *to = w->dtype == w->carrier ? out + i * w->item : results;
        if (w->carrier == DT_F32)
            w->loops->scale(values, (float)mean, (float)rstd, weight, bias, to,
                            count);
        else
            scale_f64(values, mean, rstd, weight, bias, to, count);
        if (to == results)
            dti_cast(results, w->carrier, out + i * w->item, w->dtype, count);
    }
}

/* ---- Rows ---------------------------------------------------------------- */

/* Rows without elements lie as one, whatever their strides are. */
static void row_walk(const dt_array *in, int first, dti_walk *walk)
{
    for (int d = first; d < dt_array_ndim(in); d++)
        dti_walk_add(walk, dt_array_dim(in, d), dt_array_stride(in, d), 0);
    if (dti_walk_count(walk) == 0)
        *walk = (dti_walk){.ndim = 1, .extent = {0}};
}

bool dti_norm_takes(const dt_array *in, int first)
{
    dti_walk row = {.ndim = 0};
    row_walk(in, first, &row);
    return row.ndim <= 1;
}

static void put_number(double value, void *to, dt_dtype dtype, int64_t index)
{
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    if (to)
        dti_cast(&value, DT_F64, (char *)to + index * item, dtype, 1);
}

void dti_norm_array(const dti_norm *norm, const dt_array *in, int first)
{
    const dt_dtype dtype = dt_array_dtype(in);
    dti_walk row = {.ndim = 0}, rows = {.ndim = 0};
    row_walk(in, first, &row);
    assert(row.ndim <= 1 && dt_dtype_kind_of(dtype) == DT_KIND_FLOAT);
    const work w = {.loops = tables[dti_cpu_level_used()],
                    .norm = norm,
                    .dtype = dtype,
                    .carrier = dtype == DT_F64 ? DT_F64 : DT_F32,
                    .item = (int64_t)dti_dtype_size(dtype),
                    .count = row.ndim ? row.extent[0] : 1,
                    .stride = row.ndim ? row.in[0] : 1};
    int64_t out = 1, outs[DT_MAX_NDIM];
    for (int d = first - 1; d >= 0; d--) {
        outs[d] = out;
        out *= dt_array_dim(in, d);
    }
    if (out == 0)
        return;
    for (int d = 0; d < first; d++)
        dti_walk_add(&rows, dt_array_dim(in, d), dt_array_stride(in, d),
                     outs[d]);
    const char *data = dt_array_const_data(in);
    do {
        const void *from = data ? data + rows.in_at * w.item : NULL;
        const double mean = norm->centred ? mean_of(&w, from) : 0;
        const double rstd = rstd_of(&w, from, mean);
        put_row(&w, from, mean, rstd,
                (char *)norm->out + rows.out_at * w.count * w.item);
        put_number(mean, norm->mean, norm->dtype, rows.out_at);
        put_number(rstd, norm->rstd, norm->dtype, rows.out_at);
    } while (dti_walk_next(&rows));
}
