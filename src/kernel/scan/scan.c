/* kernel/scan/scan.c - running sums, products and extremes along a dimension.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/scan/scan.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "array/cast.h"
#include "base/attributes.h"
#include "base/dtype.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/walk.h"
#include "kernel/scan/scan_level.h"

/*
 * Sums and products of f32 that lie side by side have loops of their own.  All
 * else is brought piece by piece as f64, i64 or c64, the carriers, scanned in
 * place and laid out again.  Where neighbours belong to different places, rows
 * of them are taken one after another, each with its own state.
 */
enum {
    PIECE = 1024,
    WIDTH = 512, /* most columns of f32 at a time */
    ITEM = 8     /* bytes of carriers */
};

static const dti_scan_loops *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = dti_scan_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = dti_scan_avx2,
    [DTI_CPU_AVX512] = dti_scan_avx512,
#endif
};

dt_dtype dti_scan_carrier(dt_dtype dtype)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    return kind == DT_KIND_FLOAT     ? DT_F64
           : kind == DT_KIND_COMPLEX ? DT_C64
                                     : DT_I64;
}

dti_scan_state dti_scan_begin(dti_scan_kind kind, dt_dtype carrier)
{
    dti_scan_state state = {.value.i64 = 0, .more.i64 = 0};
    const int64_t one = kind == DTI_SCAN_PRODUCT;
    if (kind == DTI_SCAN_MAX || kind == DTI_SCAN_MIN)
        state.more.i64 = -1;
    else if (kind == DTI_SCAN_LOGSUMEXP)
        state.value.f64 = -(double)INFINITY;
    else if (carrier == DT_I64)
        state.value.i64 = one;
    else
        state.value.f64 = (double)one;
    return state;
}

/* ---- One step ------------------------------------------------------------ */

static int64_t add_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t multiply_i64(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void multiply_c64(dti_scan_state *to, double real, double imaginary)
{
    const double a = to->value.f64, b = to->more.f64;
    to->value.f64 = a * real - b * imaginary;
    to->more.f64 = a * imaginary + b * real;
}

static bool wins_f64(bool largest, double x, const dti_scan_state *had)
{
    const double y = had->value.f64;
    return had->more.i64 < 0 || x != x ||
           (y == y && (largest ? x >= y : x <= y));
}

static bool wins_i64(bool largest, int64_t x, const dti_scan_state *had)
{
    const int64_t y = had->value.i64;
    return had->more.i64 < 0 || (largest ? x >= y : x <= y);
}

/* Add exp(x) `count` times; the sum does not count unless the largest is
 * finite. */
static void add_exponential(dti_scan_state *to, double x, double count)
{
    const double most = to->value.f64;
    if (x == most && isfinite(x)) {
        to->more.f64 += count;
    } else if (x > most || x != x) {
        to->more.f64 = to->more.f64 * exp(most - x) + count;
        to->value.f64 = x;
    } else if (isfinite(x)) {
        to->more.f64 += count * exp(x - most);
    }
    if (!isfinite(to->value.f64))
        to->more.f64 = 0;
}

static double end_exponential(const dti_scan_state *state)
{
    const double most = state->value.f64;
    return isfinite(most) ? most + log(state->more.f64) : most;
}

void dti_scan_merge(dti_scan_kind kind, dt_dtype carrier, dti_scan_state *to,
                    const dti_scan_state *later)
{
    const bool largest = kind == DTI_SCAN_MAX;
    const bool whole = carrier == DT_I64;
    switch (kind) {
    case DTI_SCAN_SUM:
        if (whole) {
            to->value.i64 = add_i64(to->value.i64, later->value.i64);
            return;
        }
        to->value.f64 += later->value.f64;
        if (carrier == DT_C64)
            to->more.f64 += later->more.f64;
        return;
    case DTI_SCAN_PRODUCT:
        if (whole)
            to->value.i64 = multiply_i64(to->value.i64, later->value.i64);
        else if (carrier == DT_C64)
            multiply_c64(to, later->value.f64, later->more.f64);
        else
            to->value.f64 *= later->value.f64;
        return;
    case DTI_SCAN_LOGSUMEXP:
        if (later->more.f64 != 0 || !isfinite(later->value.f64))
            add_exponential(to, later->value.f64, later->more.f64);
        return;
    default:
        if (later->more.i64 >= 0 &&
            (whole ? wins_i64(largest, later->value.i64, to)
                   : wins_f64(largest, later->value.f64, to)))
            *to = *later;
    }
}

/* ---- Carriers in a buffer ------------------------------------------------ */

/* Elements of one state, or of one each. */
typedef struct piece {
    dti_scan_kind kind;
    dt_dtype carrier;
    void *values; /* become results */
    int64_t *indexes;
    int64_t count;
    dti_scan_state *states;
    bool apart;    /* one state for each element, all of one index */
    int64_t first; /* the index of the first element */
} piece;

static dti_scan_state *state_of(const piece *p, int64_t i)
{
    return &p->states[p->apart ? i : 0];
}

static void scan_f64(const piece *p)
{
    double *x = p->values;
    for (int64_t i = 0; i < p->count; i++) {
        double *value = &state_of(p, i)->value.f64;
        *value = p->kind == DTI_SCAN_SUM ? *value + x[i] : *value * x[i];
        x[i] = *value;
    }
}

static void scan_i64(const piece *p)
{
    int64_t *x = p->values;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t *value = &state_of(p, i)->value.i64;
        *value = p->kind == DTI_SCAN_SUM ? add_i64(*value, x[i])
                                         : multiply_i64(*value, x[i]);
        x[i] = *value;
    }
}

static void scan_c64(const piece *p)
{
    dti_c64 *x = p->values;
    for (int64_t i = 0; i < p->count; i++) {
        dti_scan_state *state = state_of(p, i);
        const double real = (double)x[i].real;
        const double imaginary = (double)x[i].imaginary;
        if (p->kind == DTI_SCAN_SUM) {
            state->value.f64 += real;
            state->more.f64 += imaginary;
        } else {
            multiply_c64(state, real, imaginary);
        }
        x[i] = (dti_c64){(float)state->value.f64, (float)state->more.f64};
    }
}

/* One state: it is kept where it is quickly at hand. */
static inline void scan_extreme_f64(const piece *p, bool largest)
{
    double *x = p->values;
    dti_scan_state *state = p->states;
    const double worst = largest ? -(double)INFINITY : (double)INFINITY;
    double value = state->more.i64 < 0 ? worst : state->value.f64;
    int64_t index = state->more.i64;
    for (int64_t i = 0; i < p->count; i++) {
        const bool better = largest ? x[i] >= value : x[i] <= value;
        const bool wins = (x[i] != x[i]) | (better & (value == value));
        value = wins ? x[i] : value;
        index = wins ? p->first + i : index;
        x[i] = value;
        p->indexes[i] = index;
    }
    state->value.f64 = value;
    state->more.i64 = index;
}

static inline void scan_extreme_i64(const piece *p, bool largest)
{
    int64_t *x = p->values;
    dti_scan_state *state = p->states;
    const int64_t worst = largest ? INT64_MIN : INT64_MAX;
    int64_t value = state->more.i64 < 0 ? worst : state->value.i64;
    int64_t index = state->more.i64;
    for (int64_t i = 0; i < p->count; i++) {
        const bool wins = largest ? x[i] >= value : x[i] <= value;
        value = wins ? x[i] : value;
        index = wins ? p->first + i : index;
        x[i] = value;
        p->indexes[i] = index;
    }
    state->value.i64 = value;
    state->more.i64 = index;
}

static void scan_extreme(const piece *p)
{
    const bool largest = p->kind == DTI_SCAN_MAX;
    if (p->carrier == DT_F64 && largest)
        scan_extreme_f64(p, true);
    else if (p->carrier == DT_F64)
        scan_extreme_f64(p, false);
    else
        scan_extreme_i64(p, largest);
}

/* A state for each element, which are those of one index. */
static void scan_extremes(const piece *p)
{
    const bool largest = p->kind == DTI_SCAN_MAX;
    double *f64 = p->values;
    int64_t *i64 = p->values;
    for (int64_t i = 0; i < p->count; i++) {
        dti_scan_state *state = &p->states[i];
        if (p->carrier == DT_F64) {
            if (wins_f64(largest, f64[i], state)) {
                state->value.f64 = f64[i];
                state->more.i64 = p->first;
            }
            f64[i] = state->value.f64;
        } else {
            if (wins_i64(largest, i64[i], state)) {
                state->value.i64 = i64[i];
                state->more.i64 = p->first;
            }
            i64[i] = state->value.i64;
        }
        p->indexes[i] = state->more.i64;
    }
}

static void scan_exponentials(const piece *p)
{
    double *x = p->values;
    for (int64_t i = 0; i < p->count; i++) {
        dti_scan_state *state = state_of(p, i);
        add_exponential(state, x[i], 1);
        x[i] = end_exponential(state);
    }
}

static void scan_piece(const piece *p)
{
    const bool extreme = p->kind == DTI_SCAN_MAX || p->kind == DTI_SCAN_MIN;
    if (extreme && p->apart)
        scan_extremes(p);
    else if (extreme)
        scan_extreme(p);
    else if (p->kind == DTI_SCAN_LOGSUMEXP)
        scan_exponentials(p);
    else if (p->carrier == DT_F64)
        scan_f64(p);
    else if (p->carrier == DT_I64)
        scan_i64(p);
    else
        scan_c64(p);
}

/* ---- Dimensions ---------------------------------------------------------- */

typedef struct work {
    const dti_scan *scan;
    const dti_scan_loops *loops; /* NULL: there are none for this */
    dt_dtype from;
    dt_dtype carrier;
    dt_dtype to;
    int64_t from_item;
    int64_t to_item;
    const char *in;
    char *out;        /* NULL: only states are wanted */
    int64_t *indexes; /* laid out as `out` is */
    int64_t count;    /* along the dimension */
    int64_t in_stride;
    int64_t out_stride;
    dti_walk kept;
} work;

static char *place_of(const work *w, int64_t at)
{
    return w->out ? w->out + at * w->to_item : NULL;
}

/* Scan carriers of a piece and lay them out. */
static void scan_brought(const work *w, piece *p, int64_t at, int64_t stride)
{
    scan_piece(p);
    if (w->out)
        dti_spread(p->values, w->carrier, place_of(w, at), w->to, stride,
                   p->count);
    if (w->indexes)
        dti_spread(p->indexes, DT_I64, w->indexes + at, DT_I64, stride,
                   p->count);
}

/* ---- Runs ---------------------------------------------------------------- */

static void scan_run(const work *w, const char *in, int64_t at,
                     dti_scan_state *state)
{
    _Alignas(DTI_CACHE_LINE) char values[PIECE * ITEM];
    int64_t indexes[PIECE];
    piece p = {.kind = w->scan->kind,
               .carrier = w->carrier,
               .values = values,
               .indexes = indexes,
               .states = state};
    for (int64_t start = 0; start < w->count; start += PIECE) {
        const int64_t left = w->count - start;
        p.count = left < PIECE ? left : PIECE;
        p.first = w->scan->first + start;
        dti_bring(in + start * w->in_stride * w->from_item, w->from,
                  w->in_stride, values, w->carrier, p.count);
        scan_brought(w, &p, at + start * w->out_stride, w->out_stride);
    }
}

/* Neighbours of f32. */
static void scan_run_f32(const work *w, const float *in, float *out,
                         dti_scan_state *state)
{
    float unused[PIECE];
    double value = state->value.f64;
    for (int64_t start = 0; start < w->count; start += PIECE) {
        const int64_t left = w->count - start;
        const int64_t count = left < PIECE ? left : PIECE;
        value =
            w->loops->run(in + start, out ? out + start : unused, count, value);
    }
    state->value.f64 = value;
}

static void scan_runs(work *w)
{
    dti_scan_state *state = w->scan->states;
    const bool plain = w->loops && (w->in_stride == 1 || w->count == 1) &&
                       (w->out_stride == 1 || w->count == 1);
    do {
        const char *in = w->in + w->kept.in_at * w->from_item;
        if (plain)
            scan_run_f32(w, (const void *)in,
                         (void *)place_of(w, w->kept.out_at), state);
        else
            scan_run(w, in, w->kept.out_at, state);
        state++;
    } while (dti_walk_next(&w->kept));
}

/* ---- Columns ------------------------------------------------------------- */

typedef struct column {
    int64_t extent;
    int64_t in; /* strides */
    int64_t out;
} column;

static void scan_rows(const work *w, const char *in, int64_t at, column c,
                      dti_scan_state *states)
{
    _Alignas(DTI_CACHE_LINE) char values[WIDTH * ITEM];
    int64_t indexes[WIDTH];
    piece p = {.kind = w->scan->kind,
               .carrier = w->carrier,
               .values = values,
               .indexes = indexes,
               .count = c.extent,
               .states = states,
               .apart = true};
    for (int64_t row = 0; row < w->count; row++) {
        p.first = w->scan->first + row;
        dti_bring(in + row * w->in_stride * w->from_item, w->from, c.in, values,
                  w->carrier, p.count);
        scan_brought(w, &p, at + row * w->out_stride, c.out);
    }
}

static void scan_rows_f32(const work *w, const float *in, float *out,
                          int64_t width, dti_scan_state *states)
{
    float unused[WIDTH];
    double values[WIDTH];
    const dti_scan_rows rows = {in,           out ? out : unused,
                                w->count,     width,
                                w->in_stride, out ? w->out_stride : 0};
    for (int64_t i = 0; i < width; i++)
        values[i] = states[i].value.f64;
    w->loops->rows(&rows, values);
    for (int64_t i = 0; i < width; i++)
        states[i].value.f64 = values[i];
}

static void scan_columns(work *w, column c)
{
    dti_scan_state *states = w->scan->states;
    const bool plain = w->loops && c.in == 1 && c.out == 1;
    do {
        for (int64_t start = 0; start < c.extent; start += WIDTH) {
            const int64_t left = c.extent - start;
            const int64_t width = left < WIDTH ? left : WIDTH;
            const char *in =
                w->in + (w->kept.in_at + start * c.in) * w->from_item;
            const int64_t at = w->kept.out_at + start * c.out;
            if (plain)
                scan_rows_f32(w, (const void *)in, (void *)place_of(w, at),
                              width, states + start);
            else
                scan_rows(w, in, at, (column){width, c.in, c.out},
                          states + start);
        }
        states += c.extent;
    } while (dti_walk_next(&w->kept));
}

/* ---- All of it ----------------------------------------------------------- */

static bool has_loops(const work *w)
{
    return w->scan->kind <= DTI_SCAN_PRODUCT && w->from == DT_F32 &&
           w->to == DT_F32;
}

/* Strides of results, which lie as the elements do if none are wanted. */
static int64_t out_stride(const dti_scan *scan, int dim)
{
    const dt_array *out = scan->out       ? scan->out
                          : scan->indexes ? scan->indexes
                                          : scan->in;
    return dt_array_stride(out, dim);
}

void dti_scan_array_at(dti_cpu_level level, const dti_scan *scan)
{
    const dt_array *in = scan->in;
    const dt_shape shape = dt_array_shape(in);
    const dt_dtype from = dt_array_dtype(in);
    work w = {.scan = scan,
              .from = from,
              .carrier = dti_scan_carrier(from),
              .to = scan->out ? dt_array_dtype(scan->out) : from,
              .count = 1,
              .in_stride = 1,
              .out_stride = 1};
    assert(scan->kind <= DTI_SCAN_PRODUCT || from != DT_C64);
    if (dt_array_count(in) == 0)
        return;
    w.from_item = (int64_t)dti_dtype_size(from);
    w.to_item = (int64_t)dti_dtype_size(w.to);
    w.loops =
        has_loops(&w) ? &tables[level][scan->kind == DTI_SCAN_PRODUCT] : NULL;
    w.in = dt_array_const_data(in);
    w.out = scan->out ? dt_array_data(scan->out) : NULL;
    w.indexes = scan->indexes ? dt_array_data(scan->indexes) : NULL;
    for (int d = 0; d < shape.ndim; d++)
        if (d != scan->dim)
            dti_walk_add(&w.kept, shape.dims[d], dt_array_stride(in, d),
                         out_stride(scan, d));
    if (shape.ndim) {
        w.count = shape.dims[scan->dim];
        w.in_stride = dt_array_stride(in, scan->dim);
        w.out_stride = out_stride(scan, scan->dim);
    }
    const int last = w.kept.ndim - 1;
    if (last < 0 || w.in_stride <= w.kept.in[last] || w.kept.extent[last] < 4) {
        scan_runs(&w);
        return;
    }
    const column c = {w.kept.extent[last], w.kept.in[last], w.kept.out[last]};
    dti_walk_remove(&w.kept, last);
    scan_columns(&w, c);
}

void dti_scan_array(const dti_scan *scan)
{
    dti_scan_array_at(dti_cpu_level_used(), scan);
}
