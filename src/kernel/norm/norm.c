/* kernel/norm/norm.c - layer norm and its kind: rows brought to one size. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/norm/norm.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "base/machine/cpu.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/walk.h"
#include "kernel/norm/norm_level.h"
#include "work/work.h"

/*
 * Three passes over a row: mean, squares of what differs from it, results.  The
 * second pass with the mean of the first loses no digits where the mean is
 * large; it takes the mean as a carrier, and what that differs by is made up
 * for.  Elements are taken piece by piece as f32 or f64, the carriers, from
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
    for (int64_t i = 0; i < w->count; i += PIECE)
        sum += w->loops->sum(values_of(w, row, i, buffer), length_of(w, i));
    return w->count > 0 ? sum / (double)w->count : 0;
}

/* The mean of a row, and the sum of squares of what differs from it. */
static void measure(const work *w, const void *row, double *mean,
                    double *squares)
{
    _Alignas(DTI_CACHE_LINE) char buffer[PIECE * ITEM];
    double sum = 0;
    *mean = w->norm->centred ? mean_of(w, row) : 0;
    const double near = w->carrier == DT_F32 ? (double)(float)*mean : *mean;
    for (int64_t i = 0; i < w->count; i += PIECE)
        sum += w->loops->squares(values_of(w, row, i, buffer), near,
                                 length_of(w, i));
    *squares = sum - (double)w->count * (*mean - near) * (*mean - near);
}

static double rstd_of(double squares, int64_t count, double eps)
{
    if (count == 0)
        return (double)NAN;
    return 1 / sqrt((squares > 0 || squares != squares ? squares : 0) /
                        (double)count +
                    eps);
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
        w->loops->scale(values, mean, rstd, weight, bias, to, count);
        if (to == results)
            dti_cast(results, w->carrier, out + i * w->item, w->dtype, count);
    }
}

/* ---- Rows ---------------------------------------------------------------- */

/* Rows without elements lie as one, whatever their strides are. */
static void row_walk(const dt_array *in, int first, dti_walk *walk)
{
    for (int d = first; d < dt_array_ndim(in); d++)
        dti_walk_add(walk, dt_array_extent(in, d), dt_array_stride(in, d), 0);
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
    if (to && dtype == DT_F32)
        ((float *)to)[index] = (float)value;
    else if (to)
        dti_cast(&value, DT_F64, (char *)to + index * item, dtype, 1);
}

/* The rows of an array, and the walk that steps through them. */
static work work_of(const dti_norm *norm, const dt_array *in, int first,
                    dti_walk *rows)
{
    const dt_dtype dtype = dt_array_dtype(in);
    const dti_cpu_level level = dti_cpu_level_used();
    dti_walk row = {.ndim = 0};
    row_walk(in, first, &row);
    assert(row.ndim <= 1 || dt_array_count(in) == 0);
    int64_t out = 1, outs[DT_MAX_NDIM];
    for (int d = first - 1; d >= 0; d--) {
        outs[d] = out;
        out *= dt_array_extent(in, d);
    }
    for (int d = 0; d < first; d++)
        dti_walk_add(rows, dt_array_extent(in, d), dt_array_stride(in, d),
                     outs[d]);
    return (work){.loops = dtype == DT_F64 ? &dti_norm_f64 : tables[level],
                  .norm = norm,
                  .dtype = dtype,
                  .carrier = dtype == DT_F64 ? DT_F64 : DT_F32,
                  .item = (int64_t)dti_dtype_size(dtype),
                  .count = row.ndim ? row.extent[0] : 1,
                  .stride = row.ndim ? row.in[0] : 1};
}

static const char *row_at(const work *w, const char *data, const dti_walk *rows)
{
    return data ? data + rows->in_at * w->item : NULL;
}

static void put_all(const work *w, const void *row, double mean, double rstd,
                    int64_t at)
{
    const dti_norm *norm = w->norm;
    put_row(w, row, mean, rstd, (char *)norm->out + at * w->count * w->item);
    put_number(mean, norm->mean, norm->dtype, at);
    put_number(rstd, norm->rstd, norm->dtype, at);
}

/* Rows that threads take parts of, and what is done with each. */
typedef struct shared {
    const work *work;
    const char *data;
    void (*function)(const struct shared *s, const void *row, int64_t at);
    double *means, *squares;           /* that are found */
    const double *known_means, *rstds; /* or given */
} shared;

static void norm_row(const shared *s, const void *row, int64_t at)
{
    double mean, squares;
    measure(s->work, row, &mean, &squares);
    put_all(s->work, row, mean,
            rstd_of(squares, s->work->count, s->work->norm->eps), at);
}

static void measure_row(const shared *s, const void *row, int64_t at)
{
    measure(s->work, row, &s->means[at], &s->squares[at]);
}

static void put_known(const shared *s, const void *row, int64_t at)
{
    put_all(s->work, row, s->known_means[at], s->rstds[at], at);
}

static void do_part(void *context, dti_walk *rows)
{
    const shared *s = context;
    do
        s->function(s, row_at(s->work, s->data, rows), rows->out_at);
    while (dti_walk_next(rows));
}

static void do_rows(shared *s, const dti_norm *norm, const dt_array *in,
                    int first)
{
    dti_walk rows = {.ndim = 0};
    const work w = work_of(norm, in, first, &rows);
    if (dti_walk_count(&rows) == 0)
        return;
    s->work = &w;
    s->data = dt_array_const_data(in);
    dti_walk_share(&rows, 2 * w.count * w.item + 64, do_part, s);
}

void dti_norm_array(const dti_norm *norm, const dt_array *in, int first)
{
    do_rows(&(shared){.function = norm_row}, norm, in, first);
}

void dti_norm_measure(const dti_norm *norm, const dt_array *in, int first,
                      double *means, double *squares)
{
    do_rows(
        &(shared){.function = measure_row, .means = means, .squares = squares},
        norm, in, first);
}

void dti_norm_put(const dti_norm *norm, const dt_array *in, int first,
                  const double *means, const double *rstds)
{
    do_rows(
        &(shared){.function = put_known, .known_means = means, .rstds = rstds},
        norm, in, first);
}

/* ---- Backward ------------------------------------------------------------ */

static const dti_norm_loops *grad_loops(const dti_norm_grad *grad)
{
    assert(grad->dtype == DT_F32 || grad->dtype == DT_F64);
    return grad->dtype == DT_F64 ? &dti_norm_f64 : tables[grad->level];
}

static const char *grad_row_at(const dti_norm_grad *grad, const void *data,
                               int64_t row)
{
    const int64_t item = (int64_t)dti_dtype_size(grad->dtype);
    return (const char *)data + row * grad->count * item;
}

/* Rows of gradients that threads take ranges of. */
typedef struct shared_grad {
    const dti_norm_grad *grad;
    double *sums;        /* that are found */
    const double *known; /* or given */
    double *weight, *bias;
    char *out;
} shared_grad;

/* Bytes that a row moves. */
static int64_t grad_bytes(const dti_norm_grad *grad)
{
    return 2 * grad->count * (int64_t)dti_dtype_size(grad->dtype) + 64;
}

static void sum_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_grad *s = context;
    const dti_norm_grad *grad = s->grad;
    const dti_norm_loops *loops = grad_loops(grad);
    (void)slot;
    for (int64_t i = begin; i < end; i++)
        loops->grad_sums(grad_row_at(grad, grad->g, i),
                         grad_row_at(grad, grad->x, i), grad->weight,
                         grad->means[i], grad->rstds[i], grad->count,
                         s->sums + 2 * i);
}

void dti_norm_grad_sums(const dti_norm_grad *grad, double *sums)
{
    shared_grad s = {.grad = grad, .sums = sums};
    dti_work_ranges(grad->rows, 1, grad_bytes(grad), sum_range, &s);
}

static void row_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_grad *s = context;
    const dti_norm_grad *grad = s->grad;
    const dti_norm_loops *loops = grad_loops(grad);
    const double by = 1 / (double)grad->whole;
    (void)slot;
    for (int64_t i = begin; i < end; i++)
        loops->grad_row(
            grad_row_at(grad, grad->g, i), grad_row_at(grad, grad->x, i),
            grad->weight, grad->means[i], grad->rstds[i],
            grad->centred ? s->known[2 * i] * by : 0, s->known[2 * i + 1] * by,
            s->out + (grad_row_at(grad, grad->x, i) - (const char *)grad->x),
            grad->count);
}

void dti_norm_grad_rows(const dti_norm_grad *grad, const double *sums,
                        void *out)
{
    shared_grad s = {.grad = grad, .known = sums, .out = out};
    dti_work_ranges(grad->rows, 1, grad_bytes(grad), row_range, &s);
}

/*
 * Rows are added up in blocks of the dtype, and these in f64.  Columns are
 * taken piece by piece, so that sums stay near.
 */
enum { ROWS = 64 };

static void add_piece(const void *from, dt_dtype dtype, double *to,
                      int64_t count)
{
    const float *f32 = from;
    const double *f64 = from;
    for (int64_t i = 0; to && i < count; i++)
        to[i] += dtype == DT_F64 ? f64[i] : (double)f32[i];
}

static void grad_piece(const dti_norm_grad *grad, int64_t start, int64_t count,
                       double *weight, double *bias)
{
    _Alignas(DTI_CACHE_LINE) char products[PIECE * ITEM], sums[PIECE * ITEM];
    const dti_norm_loops *loops = grad_loops(grad);
    const int64_t item = (int64_t)dti_dtype_size(grad->dtype);
    for (int64_t row = 0; row < grad->rows; row += ROWS) {
        memset(products, 0, (size_t)(count * item));
        memset(sums, 0, (size_t)(count * item));
        for (int64_t i = row; i < row + ROWS && i < grad->rows; i++)
            loops->grad_columns(grad_row_at(grad, grad->g, i) + start * item,
                                grad_row_at(grad, grad->x, i) + start * item,
                                grad->means[i], grad->rstds[i],
                                weight ? products : NULL, bias ? sums : NULL,
                                count);
        add_piece(products, grad->dtype, weight, count);
        add_piece(sums, grad->dtype, bias, count);
    }
}

/* Columns are summed over all rows by one thread, a few at a time: what they
 * give does not depend on how many are taken together. */
static void factor_range(void *context, int64_t begin, int64_t end, int slot)
{
    const shared_grad *s = context;
    (void)slot;
    for (int64_t start = begin; start < end; start += PIECE) {
        const int64_t left = end - start;
        grad_piece(s->grad, start, left < PIECE ? left : PIECE,
                   s->weight ? s->weight + start : NULL,
                   s->bias ? s->bias + start : NULL);
    }
}

void dti_norm_grad_factors(const dti_norm_grad *grad, double *weight,
                           double *bias)
{
    shared_grad s = {.grad = grad, .weight = weight, .bias = bias};
    for (int64_t i = 0; i < grad->count; i++) {
        if (weight)
            weight[i] = 0;
        if (bias)
            bias[i] = 0;
    }
    dti_work_ranges(grad->count, 64,
                    2 * grad->rows * (int64_t)dti_dtype_size(grad->dtype) + 1,
                    factor_range, &s);
}
