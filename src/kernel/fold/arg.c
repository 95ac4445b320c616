/* kernel/fold/arg.c - where the largest or the least element lies. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/arg.h"

#include <assert.h>
#include <string.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/arg_level.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/fold.h"
#include "kernel/fold/walk.h"

/*
 * f32 is compared as integers, by loops of its own; other floats as f64,
 * integers as i64: both hold every element.  A run
 * of neighbours is looked at piece by piece: the largest of a piece is found
 * without its place, which is looked for only if it beats those before.  Where
 * neighbours belong to different results, rows are compared with the best so
 * far.
 */
enum {
    WIDTH = 256, /* most columns at a time */
    PIECE = 1024,
    ITEM = 8 /* most bytes of an element */
};

static const dti_arg_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = dti_arg_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_arg_avx2,
    [DTI_CPU_AVX512] = dti_arg_avx512,
#endif
};

typedef struct work {
    const dti_arg_loops *loops; /* of f32; NULL for others */
    bool largest;
    dt_dtype dtype;
    bool floats;
    int64_t item;
    const char *in;
    char *values; /* may be NULL */
    int64_t *indexes;
    int64_t count; /* of elements along the dimension */
    int64_t stride;
} work;

static bool is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

/* ---- One element against another ---------------------------------------- */

static bool beats_f64(bool largest, double a, double b)
{
    return (largest ? a > b : a < b) || (a != a && b == b);
}

bool dti_arg_beats(bool largest, dt_dtype dtype, const void *a, const void *b)
{
    if (is_float(dtype)) {
        double x, y;
        dti_cast(a, dtype, &x, DT_F64, 1);
        dti_cast(b, dtype, &y, DT_F64, 1);
        return beats_f64(largest, x, y);
    }
    int64_t x, y;
    dti_cast(a, dtype, &x, DT_I64, 1);
    dti_cast(b, dtype, &y, DT_I64, 1);
    return largest ? x > y : x < y;
}

/* ---- Runs ---------------------------------------------------------------- */

static const char *element(const work *w, const char *run, int64_t index)
{
    return run + index * w->stride * w->item;
}

/* The largest or least of a piece: as i64 of integers, as f64 of floats. */
typedef union extreme {
    int64_t i64;
    double f64;
} extreme;

static extreme extreme_of(const work *w, const char *piece, int64_t count)
{
    char found[ITEM];
    extreme result;
    const dti_fold_kind kind = w->largest ? DTI_FOLD_MAX : DTI_FOLD_MIN;
    dti_fold_run(kind, w->dtype, piece, count, found);
    dti_cast(found, dti_fold_carrier(kind, w->dtype), &result,
             w->floats ? DT_F64 : DT_I64, 1);
    return result;
}

static bool extreme_beats(const work *w, extreme a, extreme b)
{
    if (w->floats)
        return beats_f64(w->largest, a.f64, b.f64);
    return w->largest ? a.i64 > b.i64 : a.i64 < b.i64;
}

/* Where the extreme of a piece lies first. */
static int64_t find_extreme(const work *w, const char *piece, int64_t count,
                            extreme best)
{
    union {
        double f64[PIECE];
        int64_t i64[PIECE];
    } values;
    int64_t i = 0;
    dti_bring(piece, w->dtype, 1, &values, w->floats ? DT_F64 : DT_I64, count);
    if (!w->floats)
        while (i + 1 < count && values.i64[i] != best.i64)
            i++;
    else if (best.f64 == best.f64)
        while (i + 1 < count && values.f64[i] != best.f64)
            i++;
    else
        while (i + 1 < count && values.f64[i] == values.f64[i])
            i++;
    return i;
}

/* The same of f32, whose keys are ordered so that the best is the largest. */
static int64_t find_in_run_f32(const work *w, const char *run)
{
    float buffer[PIECE];
    int32_t best = INT32_MIN;
    int64_t index = -1;
    for (int64_t start = 0; start < w->count; start += PIECE) {
        const int64_t left = w->count - start;
        const int64_t count = left < PIECE ? left : PIECE;
        const void *piece = element(w, run, start);
        if (w->stride != 1) {
            dti_bring_raw(piece, DT_F32, w->stride, buffer, count);
            piece = buffer;
        }
        const int32_t found = w->loops->most(piece, count);
        if (index < 0 || found > best) {
            index = start + w->loops->find(piece, count, found);
            best = found;
        }
    }
    return index;
}

static int64_t find_in_run(const work *w, const char *run)
{
    _Alignas(DTI_CACHE_LINE) char buffer[PIECE * ITEM];
    extreme best = {0};
    int64_t index = -1;
    for (int64_t start = 0; start < w->count; start += PIECE) {
        const int64_t left = w->count - start;
        const int64_t count = left < PIECE ? left : PIECE;
        const char *piece = element(w, run, start);
        if (w->stride != 1) {
            dti_bring_raw(piece, w->dtype, w->stride, buffer, count);
            piece = buffer;
        }
        const extreme found = extreme_of(w, piece, count);
        if (index < 0 || extreme_beats(w, found, best)) {
            index = start + find_extreme(w, piece, count, found);
            best = found;
        }
    }
    return index;
}

static void find_runs(const work *w, dti_walk *kept)
{
    do {
        const char *run = w->in + kept->in_at * w->item;
        const int64_t best =
            w->loops ? find_in_run_f32(w, run) : find_in_run(w, run);
        w->indexes[kept->out_at] = best;
        if (w->values)
            memcpy(w->values + kept->out_at * w->item, element(w, run, best),
                   (size_t)w->item);
    } while (dti_walk_next(kept));
}

/* ---- Columns ------------------------------------------------------------- */

typedef struct column {
    int64_t extent;
    int64_t in; /* strides */
    int64_t out;
} column;

static void compare_f64(bool largest, const double *row, int64_t number,
                        double *best, int64_t *indexes, int64_t width)
{
    const double sign = largest ? 1 : -1;
    for (int64_t i = 0; i < width; i++) {
        const double x = row[i] * sign, y = best[i];
        const bool wins = (x > y) | ((x != x) & (y == y));
        best[i] = wins ? x : y;
        indexes[i] = wins ? number : indexes[i];
    }
}

static void compare_i64(bool largest, const int64_t *row, int64_t number,
                        int64_t *best, int64_t *indexes, int64_t width)
{
    const int64_t flip = largest ? 0 : -1; /* turns the order round */
    for (int64_t i = 0; i < width; i++) {
        const int64_t x = row[i] ^ flip, y = best[i];
        best[i] = x > y ? x : y;
        indexes[i] = x > y ? number : indexes[i];
    }
}

/* Find the best of `width` columns; the first row is the best at first. */
static void find_columns(const work *w, const char *from, int64_t stride,
                         int64_t *indexes, int64_t width)
{
    union {
        double f64[WIDTH];
        int64_t i64[WIDTH];
    } row, best;
    const dt_dtype carrier = w->floats ? DT_F64 : DT_I64;
    for (int64_t i = 0; i < w->count; i++) {
        dti_bring(element(w, from, i), w->dtype, stride, &row, carrier, width);
        for (int64_t j = 0; i == 0 && j < width; j++) {
            indexes[j] = 0;
            if (w->floats)
                best.f64[j] = w->largest ? row.f64[j] : -row.f64[j];
            else
                best.i64[j] = w->largest ? row.i64[j] : ~row.i64[j];
        }
        if (w->floats)
            compare_f64(w->largest, row.f64, i, best.f64, indexes, width);
        else
            compare_i64(w->largest, row.i64, i, best.i64, indexes, width);
    }
}

/* The same of f32 side by side. */
static void find_columns_f32(const work *w, const char *from, int64_t *indexes,
                             int64_t width)
{
    int32_t best[WIDTH], numbers[WIDTH];
    for (int64_t i = 0; i < width; i++) {
        best[i] = INT32_MIN;
        numbers[i] = 0;
    }
    w->loops->rows((const void *)from, w->count, w->stride, width, best,
                   numbers);
    for (int64_t i = 0; i < width; i++)
        indexes[i] = numbers[i];
}

static void find_all_columns(const work *w, dti_walk *kept, column c)
{
    int64_t indexes[WIDTH] = {0};
    do {
        for (int64_t start = 0; start < c.extent; start += WIDTH) {
            const int64_t left = c.extent - start;
            const int64_t width = left < WIDTH ? left : WIDTH;
            const char *from = w->in + (kept->in_at + start * c.in) * w->item;
            if (w->loops && c.in == 1 && w->count <= INT32_MAX)
                find_columns_f32(w, from, indexes, width);
            else
                find_columns(w, from, c.in, indexes, width);
            for (int64_t i = 0; i < width; i++) {
                const int64_t at = kept->out_at + (start + i) * c.out;
                w->indexes[at] = indexes[i];
                if (w->values)
                    memcpy(w->values + at * w->item,
                           element(w, from + i * c.in * w->item, indexes[i]),
                           (size_t)w->item);
            }
        }
    } while (dti_walk_next(kept));
}

/* ---- Dimensions ---------------------------------------------------------- */

typedef struct shared {
    const work *work;
    bool runs;
} shared;

static void find_part(void *context, dti_walk *kept)
{
    const shared *s = context;
    const int last = kept->ndim - 1;
    if (s->runs) {
        find_runs(s->work, kept);
        return;
    }
    const column c = {kept->extent[last], kept->in[last], kept->out[last]};
    dti_walk_remove(kept, last);
    find_all_columns(s->work, kept, c);
}

void dti_arg_array_at(dti_cpu_level level, bool largest, const dt_array *in,
                      int dim, void *values, int64_t *indexes)
{
    const dt_shape shape = dt_array_shape(in);
    const dt_dtype dtype = dt_array_dtype(in);
    const dti_arg_loops *loops =
        dtype == DT_F32 ? &tables[level][largest] : NULL;
    const work w = {.loops = loops,
                    .largest = largest,
                    .dtype = dtype,
                    .floats = is_float(dtype),
                    .item = (int64_t)dti_dtype_size(dtype),
                    .in = dt_array_const_data(in),
                    .values = values,
                    .indexes = indexes,
                    .count = shape.ndim ? shape.dims[dim] : 1,
                    .stride = shape.ndim ? dt_array_stride(in, dim) : 1};
    assert(dtype != DT_C64 && w.count > 0);
    dti_walk kept = {.ndim = 0};
    int64_t out = 1, outs[DT_MAX_NDIM];
    for (int d = shape.ndim - 1; d >= 0; d--) {
        outs[d] = out;
        out *= d == dim ? 1 : shape.dims[d];
    }
    if (out == 0)
        return;
    for (int d = 0; d < shape.ndim; d++)
        if (d != dim)
            dti_walk_add(&kept, shape.dims[d], dt_array_stride(in, d), outs[d]);
    const int last = kept.ndim - 1;
    shared s = {&w,
                last < 0 || w.stride <= kept.in[last] || kept.extent[last] < 4};
    dti_walk_share(&kept, w.count * w.item, find_part, &s);
}

void dti_arg_array(bool largest, const dt_array *in, int dim, void *values,
                   int64_t *indexes)
{
    dti_arg_array_at(dti_cpu_level_used(), largest, in, dim, values, indexes);
}
