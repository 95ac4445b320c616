/* kernel/softmax/softmax.c - softmax and its logarithm along a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/fold.h"
#include "kernel/fold/walk.h"
#include "kernel/softmax/softmax_level.h"

/*
 * Three passes over a dimension: its largest element, the sum of exponentials,
 * the results.  Elements are worked on as f32 or f64, the carriers: in the
 * output where it is of carriers that are neighbours, so that an exponential
 * is worked out once; otherwise in a buffer, where a long run is brought once
 * for each pass.  Where neighbours belong to different results, rows of them
 * are worked on together.  Sums are f64, and element i is added to the sum with
 * number i % DTI_SOFTMAX_LANES in both cases: a result has the same bits
 * whichever results lie beside it.
 */
enum {
    LANES = DTI_SOFTMAX_LANES,
    WIDTH = 256, /* most columns at a time */
    RUN = DTI_BRING_MOST,
    ITEM = 8
};

static const dti_softmax_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_softmax_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_softmax_avx2,
    [DTI_CPU_AVX512] = &dti_softmax_avx512,
#endif
};

typedef struct work {
    const dti_softmax_loops *loops;
    bool logarithm;
    dt_dtype from;
    dt_dtype carrier;
    dt_dtype to;
    int64_t from_item;
    int64_t item; /* bytes of carriers */
    int64_t to_item;
    int64_t count; /* of elements along the dimension */
    int64_t from_stride;
    int64_t to_stride;
} work;

/* A run or a row of elements, and where its results go. */
typedef struct piece {
    const char *from;
    char *to;
    int64_t from_stride;
    int64_t to_stride;
    int64_t count;
} piece;

/* ---- Loops over carriers ------------------------------------------------- */

static void exp_run_f64(double *values, double most, double *lanes,
                        int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        values[i] = exp(values[i] - most);
        lanes[i % LANES] += values[i];
    }
}

static void exp_run(const work *w, void *values, double most, double *lanes,
                    int64_t count)
{
    if (w->carrier == DT_F64)
        exp_run_f64(values, most, lanes, count);
    else
        w->loops->exp_run(values, (float)most, lanes, count);
}

static double most_of(const work *w, const void *values, int64_t count)
{
    double most;
    if (w->carrier == DT_F32)
        return (double)w->loops->most_run(values, count);
    dti_fold_run(DTI_FOLD_MAX, DT_F64, values, count, &most);
    return most;
}

static void scale_run(const work *w, void *values, double by, int64_t count)
{
    float *f32 = values;
    double *f64 = values;
    const float near = (float)by;
    if (w->carrier == DT_F64)
        for (int64_t i = 0; i < count; i++)
            f64[i] *= by;
    else
        for (int64_t i = 0; i < count; i++)
            f32[i] *= near;
}

static void subtract_run(const work *w, void *values, double most, double log,
                         int64_t count)
{
    float *f32 = values;
    double *f64 = values;
    const float near_most = (float)most, near_log = (float)log;
    if (w->carrier == DT_F64)
        for (int64_t i = 0; i < count; i++)
            f64[i] = f64[i] - most - log;
    else
        for (int64_t i = 0; i < count; i++)
            f32[i] = f32[i] - near_most - near_log;
}

/* ---- Pieces -------------------------------------------------------------- */

static void bring(const work *w, const piece *p, void *values)
{
    dti_bring(p->from, w->from, p->from_stride, values, w->carrier, p->count);
}

static void put(const work *w, const piece *p, const void *values)
{
    if (values != p->to)
        dti_spread(values, w->carrier, p->to, w->to, p->to_stride, p->count);
}

/* Where a piece is worked on: its output, if that takes carriers. */
static void *place_of(const work *w, const piece *p, void *buffer)
{
    return w->to == w->carrier && p->to_stride == 1 ? p->to : buffer;
}

/* ---- Runs ---------------------------------------------------------------- */

/* The part of a run that begins at an element. */
static piece part_of(const work *w, const piece *run, int64_t start)
{
    const int64_t left = run->count - start;
    return (piece){run->from + start * run->from_stride * w->from_item,
                   run->to + start * run->to_stride * w->to_item,
                   run->from_stride, run->to_stride, left < RUN ? left : RUN};
}

static double greater(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* A run is short if it is brought once; values stay where they are then. */
static double find_most(const work *w, const piece *run, void *buffer)
{
    double most = -(double)INFINITY;
    for (int64_t start = 0; start < run->count; start += RUN) {
        const piece p = part_of(w, run, start);
        void *values = place_of(w, &p, buffer);
        bring(w, &p, values);
        most = greater(most, most_of(w, values, p.count));
    }
    return most + 0.0; /* never -0, whichever zero came first */
}

static double find_sum(const work *w, const piece *run, void *buffer,
                       double most)
{
    double lanes[LANES] = {0}, sum = 0;
    for (int64_t start = 0; start < run->count; start += RUN) {
        const piece p = part_of(w, run, start);
        void *values = place_of(w, &p, buffer);
        if (values == buffer && run->count > RUN)
            bring(w, &p, values);
        exp_run(w, values, most, lanes, p.count);
    }
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

static void put_results(const work *w, const piece *run, void *buffer,
                        double most, double sum)
{
    double unused[LANES] = {0};
    for (int64_t start = 0; start < run->count; start += RUN) {
        const piece p = part_of(w, run, start);
        void *values = place_of(w, &p, buffer);
        const bool gone = values == buffer && run->count > RUN;
        if (gone || w->logarithm)
            bring(w, &p, values);
        if (gone && !w->logarithm)
            exp_run(w, values, most, unused, p.count);
        if (w->logarithm)
            subtract_run(w, values, most, log(sum), p.count);
        else
            scale_run(w, values, 1 / sum, p.count);
        put(w, &p, values);
    }
}

static void do_runs(const work *w, dti_walk *kept, const char *in, char *out)
{
    _Alignas(DTI_CACHE_LINE) char buffer[RUN * ITEM];
    do {
        const piece run = {in + kept->in_at * w->from_item,
                           out + kept->out_at * w->to_item, w->from_stride,
                           w->to_stride, w->count};
        const double most = find_most(w, &run, buffer);
        const double sum = find_sum(w, &run, buffer, most);
        put_results(w, &run, buffer, most, sum);
    } while (dti_walk_next(kept));
}

/* ---- Columns ------------------------------------------------------------- */

typedef union row {
    float f32[WIDTH];
    double f64[WIDTH];
} row;

/* What is known of columns that are worked on together. */
typedef struct columns {
    row most;
    double lanes[LANES][WIDTH];
    double sums[WIDTH]; /* of the lanes */
    row last;
    row buffer;
} columns;

static piece row_of(const work *w, const piece *first, int64_t number)
{
    piece p = *first;
    p.from += number * w->from_stride * w->from_item;
    p.to += number * w->to_stride * w->to_item;
    return p;
}

static void find_mosts(const work *w, const piece *first, columns *c)
{
    bring(w, first, &c->most);
    for (int64_t i = 1; i < w->count; i++) {
        const piece p = row_of(w, first, i);
        bring(w, &p, &c->buffer);
        if (w->carrier == DT_F32)
            w->loops->most_row(c->most.f32, c->buffer.f32, p.count);
        else
            for (int64_t j = 0; j < p.count; j++)
                c->most.f64[j] = greater(c->most.f64[j], c->buffer.f64[j]);
    }
    for (int64_t j = 0; j < first->count; j++)
        if (w->carrier == DT_F32)
            c->most.f32[j] += 0.0f; /* as find_most */
        else
            c->most.f64[j] += 0.0;
}

static void exp_row(const work *w, void *values, const columns *c, double *sums,
                    int64_t count)
{
    double *f64 = values;
    if (w->carrier == DT_F32)
        w->loops->exp_row(values, c->most.f32, sums, count);
    else
        for (int64_t j = 0; j < count; j++) {
            f64[j] = exp(f64[j] - c->most.f64[j]);
            sums[j] += f64[j];
        }
}

static void find_sums(const work *w, const piece *first, columns *c)
{
    memset(c->lanes, 0, sizeof c->lanes);
    for (int64_t i = 0; i < w->count; i++) {
        const piece p = row_of(w, first, i);
        void *values = place_of(w, &p, &c->buffer);
        bring(w, &p, values);
        exp_row(w, values, c, c->lanes[i % LANES], p.count);
    }
    memset(c->sums, 0, sizeof c->sums);
    for (int i = 0; i < LANES; i++)
        for (int64_t j = 0; j < first->count; j++)
            c->sums[j] += c->lanes[i][j];
}

/* What rows are multiplied by, or what is subtracted from them. */
static void find_last(const work *w, const piece *first, columns *c)
{
    for (int64_t j = 0; j < first->count; j++) {
        const double last = w->logarithm ? log(c->sums[j]) : 1 / c->sums[j];
        if (w->carrier == DT_F32)
            c->last.f32[j] = (float)last;
        else
            c->last.f64[j] = last;
    }
}

static void scale_row(const work *w, void *values, const columns *c,
                      int64_t count)
{
    double *f64 = values;
    if (w->carrier == DT_F32)
        w->loops->scale_row(values, c->last.f32, count);
    else
        for (int64_t j = 0; j < count; j++)
            f64[j] *= c->last.f64[j];
}

static void subtract_row(const work *w, void *values, const columns *c,
                         int64_t count)
{
    double *f64 = values;
    if (w->carrier == DT_F32)
        w->loops->subtract_row(values, c->most.f32, c->last.f32, count);
    else
        for (int64_t j = 0; j < count; j++)
            f64[j] = f64[j] - c->most.f64[j] - c->last.f64[j];
}

static void put_rows(const work *w, const piece *first, columns *c)
{
    find_last(w, first, c);
    for (int64_t i = 0; i < w->count; i++) {
        const piece p = row_of(w, first, i);
        void *values = place_of(w, &p, &c->buffer);
        const bool gone = values == &c->buffer;
        if (gone || w->logarithm)
            bring(w, &p, values);
        if (gone && !w->logarithm)
            exp_row(w, values, c, c->lanes[0], p.count); /* not needed now */
        if (w->logarithm)
            subtract_row(w, values, c, p.count);
        else
            scale_row(w, values, c, p.count);
        put(w, &p, values);
    }
}

static void do_columns(const work *w, dti_walk *kept, const char *in, char *out)
{
    columns c;
    const int last = kept->ndim - 1;
    const int64_t extent = kept->extent[last];
    const int64_t from = kept->in[last], to = kept->out[last];
    dti_walk_remove(kept, last);
    do {
        for (int64_t start = 0; start < extent; start += WIDTH) {
            const int64_t left = extent - start;
            const piece first = {in + (kept->in_at + start * from) *
                                          w->from_item,
                                 out + (kept->out_at + start * to) * w->to_item,
                                 from, to, left < WIDTH ? left : WIDTH};
            find_mosts(w, &first, &c);
            find_sums(w, &first, &c);
            put_rows(w, &first, &c);
        }
    } while (dti_walk_next(kept));
}

/* ---- Dimensions ---------------------------------------------------------- */

/* What threads take parts of. */
typedef struct shared {
    const work *work;
    const char *in;
    char *out;
    bool runs;
} shared;

static void do_part(void *context, dti_walk *kept)
{
    const shared *s = context;
    if (s->runs)
        do_runs(s->work, kept, s->in, s->out);
    else
        do_columns(s->work, kept, s->in, s->out);
}

/* Exponentials count for twice their bytes. */
static void do_all(const work *w, const dti_walk *kept, const char *in,
                   char *out)
{
    const int last = kept->ndim - 1;
    shared s = {w, in, out,
                last < 0 || w->to_stride <= kept->out[last] ||
                    kept->extent[last] < 4};
    dti_walk_share(kept, 2 * w->count * (w->from_item + w->to_item), do_part,
                   &s);
}

void dti_softmax_array_at(dti_cpu_level level, bool logarithm,
                          const dt_array *in, int dim, void *out,
                          dt_dtype dtype)
{
    const dt_shape shape = dt_array_shape(in);
    const dt_dtype from = dt_array_dtype(in);
    work w = {.loops = tables[level],
              .logarithm = logarithm,
              .from = from,
              .to = dtype,
              .carrier = from == DT_F64 || dtype == DT_F64 ? DT_F64 : DT_F32,
              .count = 1,
              .from_stride = 1,
              .to_stride = 1};
    dti_walk kept = {.ndim = 0};
    int64_t strides[DT_MAX_NDIM];
    assert(dt_dtype_kind_of(from) == DT_KIND_FLOAT &&
           dt_dtype_kind_of(dtype) == DT_KIND_FLOAT);
    w.from_item = (int64_t)dti_dtype_size(from);
    w.item = (int64_t)dti_dtype_size(w.carrier);
    w.to_item = (int64_t)dti_dtype_size(dtype);
    if (dt_array_count(in) == 0)
        return;
    dti_strides_row_major(shape, strides);
    for (int d = 0; d < shape.ndim; d++) {
        const int64_t stride = dt_array_stride(in, d);
        if (d != dim) {
            dti_walk_add(&kept, shape.dims[d], stride, strides[d]);
            continue;
        }
        w.count = shape.dims[d];
        w.from_stride = stride;
        w.to_stride = strides[d];
    }
    do_all(&w, &kept, dt_array_const_data(in), out);
}

void dti_softmax_array(bool logarithm, const dt_array *in, int dim, void *out,
                       dt_dtype dtype)
{
    dti_softmax_array_at(dti_cpu_level_used(), logarithm, in, dim, out, dtype);
}
