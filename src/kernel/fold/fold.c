/* kernel/fold/fold.c - reducing dimensions of an array. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/fold.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/attributes.h"
#include "base/bits.h"
#include "kernel/fold/bring.h"
#include "kernel/fold/fold_level.h"
#include "kernel/fold/key.h"
#include "kernel/fold/walk.h"
#include "work/work.h"

/*
 * Elements are added to many accumulators at once, so that loops are vectors:
 *
 * - Where neighbours belong to different results, there is one accumulator for
 *   each ("columns"), and rows of elements are added to them.
 * - Where neighbours belong to one result, they are dealt to DTI_FOLD_LANES
 *   accumulators as if they were rows of a matrix of that width ("run"); in the
 *   end these are added up.
 *
 * Elements that are not carriers, or not neighbours, are first brought into a
 * buffer in the nearest cache.  What rounds is added up in a tree: after
 * LEAF_ROWS rows the accumulators are added to those of the next level, which
 * after FAN such additions go to the one above.
 */
enum {
    LEAF_ROWS = 64,
    FAN = 16,
    LEVELS = 6,
    WIDTH = 512,                        /* most columns at a time */
    PIECE = LEAF_ROWS * DTI_FOLD_LANES, /* most of a run at a time */
    STAGED_ROWS = 8,                    /* of columns, in the buffer */
    ITEM = 8,                           /* most bytes of an element */
    BUFFER = STAGED_ROWS * WIDTH        /* elements; at least PIECE */
};

static const dti_fold_table *const tables[DTI_CPU_LEVELS] = {
    [DTI_CPU_PORTABLE] = &dti_fold_portable,
#if defined(__x86_64__)
    [DTI_CPU_AVX2] = &dti_fold_avx2,
    [DTI_CPU_AVX512] = &dti_fold_avx512,
#endif
};

dt_dtype dti_fold_carrier(dti_fold_kind kind, dt_dtype dtype)
{
    const dt_dtype_kind number = dt_dtype_kind_of(dtype);
    const bool real = number == DT_KIND_FLOAT;
    const dt_dtype wide = dtype == DT_F64 ? DT_F64 : DT_F32;
    switch (kind) {
    case DTI_FOLD_SUM:
    case DTI_FOLD_PRODUCT:
        return real ? wide : number == DT_KIND_COMPLEX ? DT_C64 : DT_I64;
    case DTI_FOLD_MAX:
    case DTI_FOLD_MIN:
        if (number == DT_KIND_COMPLEX)
            return DT_DTYPE_COUNT;
        return real ? wide : dtype;
    case DTI_FOLD_ALL:
    case DTI_FOLD_ANY:
        return DT_BOOL;
    case DTI_FOLD_NUMBER_SUM:
        return real ? wide : DT_DTYPE_COUNT;
    default:
        return real || number == DT_KIND_COMPLEX ? wide : DT_DTYPE_COUNT;
    }
}

/* ---- What is to be done -------------------------------------------------- */

typedef struct work {
    const dti_fold *fold;
    const dti_fold_loops *loops;
    dt_dtype from;     /* of elements */
    dt_dtype carrier;  /* of what is folded: DT_F32 for sums of complex ones */
    dt_dtype to;       /* of results */
    int64_t from_item; /* bytes */
    int64_t item;      /* bytes of carriers and accumulators */
    bool converts;     /* elements are not what the loops take */
    bool rounds;
    uint64_t identity; /* bits of an accumulator that changes nothing */
    const char *in;
    char *out;
    dti_walk kept;    /* dimensions of the results */
    dti_walk reduced; /* the others, but for ... */
    int64_t count;    /* the one of the smallest stride */
    int64_t stride;
} work;

/* Accumulators of results that are worked out together. */
typedef struct sums {
    _Alignas(DTI_CACHE_LINE) char levels[LEVELS][WIDTH * ITEM];
    _Alignas(DTI_CACHE_LINE) char buffer[BUFFER * ITEM]; /* carriers */
    _Alignas(DTI_CACHE_LINE) char raw[PIECE * ITEM];     /* elements */
    int64_t count;   /* of accumulators in a level */
    int64_t rows;    /* in level 0 */
    int top;         /* the highest level in use */
    int fed[LEVELS]; /* how often a level got something */
} sums;

/* The largest or the least number of a carrier, as it is accumulated. */
static uint64_t extreme_of(dt_dtype carrier, bool largest)
{
    const int bits = 8 * (int)dti_dtype_size(carrier);
    const float f32 = largest ? INFINITY : -INFINITY;
    switch (carrier) {
    case DT_F32:
        return (uint32_t)dti_key_max_f32(f32);
    case DT_F64:
        return (uint64_t)dti_key_max_f64((double)f32);
    case DT_U8:
    case DT_BOOL:
        return largest ? UINT8_MAX : 0;
    default:
        return (UINT64_C(1) << (bits - 1)) - largest;
    }
}

static uint64_t identity_of(dti_fold_kind kind, dt_dtype carrier)
{
    switch (kind) {
    case DTI_FOLD_PRODUCT:
        return carrier == DT_F64   ? dti_bits_of_f64(1)
               : carrier == DT_I64 ? 1
                                   : dti_bits_of_f32(1); /* of c64 too */
    case DTI_FOLD_MAX:
        return extreme_of(carrier, false);
    case DTI_FOLD_MIN:
    case DTI_FOLD_ALL:
    case DTI_FOLD_ABS_MIN:
        return extreme_of(carrier, true);
    default:
        return 0; /* the key of 0 too */
    }
}

static bool is_comparison(dti_fold_kind kind)
{
    return kind == DTI_FOLD_MAX || kind == DTI_FOLD_MIN ||
           kind == DTI_FOLD_ABS_MAX || kind == DTI_FOLD_ABS_MIN;
}

static bool needs_conversion(dti_fold_kind kind, dt_dtype from,
                             dt_dtype carrier)
{
    if (carrier == DT_BOOL)
        return dti_dtype_size(from) != 1;
    return from != carrier || kind == DTI_FOLD_POWER_SUM;
}

static void set_numbers(work *w, dti_cpu_level level, dt_dtype from)
{
    dt_dtype carrier = dti_fold_carrier(w->fold->kind, from);
    if (from == DT_C64 &&
        (w->fold->kind == DTI_FOLD_SUM || w->fold->kind == DTI_FOLD_SQUARE_SUM))
        from = carrier = DT_F32; /* part by part */
    assert(carrier < DT_DTYPE_COUNT);
    w->from = from;
    w->carrier = carrier;
    w->loops = &(*tables[level])[w->fold->kind][carrier];
    w->from_item = (int64_t)dti_dtype_size(from);
    w->item = (int64_t)dti_dtype_size(carrier);
    w->converts = needs_conversion(w->fold->kind, from, carrier);
    w->rounds = !is_comparison(w->fold->kind) &&
                (carrier == DT_F32 || carrier == DT_F64);
    w->identity = identity_of(w->fold->kind, carrier);
    assert(w->loops->rows);
}

/* ---- Elements brought to the loops --------------------------------------- */

static void absolute_c64(const dti_c64 *from, float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = hypotf(from[i].real, from[i].imaginary);
}

static void convert(const work *w, const void *from, void *to, int64_t count)
{
    if (w->from == DT_C64 && w->carrier == DT_F32)
        absolute_c64(from, to, count);
    else if (w->from == w->carrier)
        memcpy(to, from, (size_t)(count * w->item));
    else
        dti_cast(from, w->from, to, w->carrier, count);
    if (w->fold->kind == DTI_FOLD_POWER_SUM)
        w->loops->power(to, w->fold->power, count);
}

/* Bring elements, `stride` apart, into a buffer as carriers. */
static void bring(const work *w, sums *s, const char *from, int64_t stride,
                  void *to, int64_t count)
{
    const bool apart = stride != 1 && count > 1;
    void *raw = w->converts ? s->raw : to;
    if (apart)
        dti_bring_raw(from, w->from, stride, raw, count);
    if (w->converts)
        convert(w, apart ? raw : from, to, count);
    else if (!apart)
        memcpy(to, from, (size_t)(count * w->item));
}

/* ---- Accumulators -------------------------------------------------------- */

/* Set accumulators to bits, of which the lower ones count. */
static void set_all(void *to, uint64_t bits, int64_t item, int64_t count)
{
    uint64_t *words = to;
    uint32_t *halves = to;
    uint16_t *pairs = to;
    if (item == 8)
        for (int64_t i = 0; i < count; i++)
            words[i] = bits;
    else if (item == 4)
        for (int64_t i = 0; i < count; i++)
            halves[i] = (uint32_t)bits;
    else if (item == 2)
        for (int64_t i = 0; i < count; i++)
            pairs[i] = (uint16_t)bits;
    else
        memset(to, (int)(bits & 0xff), (size_t)count);
}

static void begin(const work *w, sums *s, int64_t count)
{
    s->count = count;
    s->rows = 0;
    s->top = 0;
    set_all(s->levels[0], w->identity, w->item, count);
}

/* Hand a level that is full to the next one, and so on. */
static void hand_up(const work *w, sums *s, int level)
{
    for (int i = level; i + 1 < LEVELS; i++) {
        if (i == s->top) {
            s->top++;
            s->fed[i + 1] = 0;
            set_all(s->levels[i + 1], w->identity, w->item, s->count);
        }
        w->loops->merge(s->levels[i + 1], s->levels[i], s->count);
        set_all(s->levels[i], w->identity, w->item, s->count);
        if (++s->fed[i + 1] < FAN)
            return;
        s->fed[i + 1] = 0;
    }
}

/* Note that rows were added; hand what is full to higher levels. */
static void grow(const work *w, sums *s, int64_t rows)
{
    s->rows += rows;
    if (!w->rounds || s->rows < LEAF_ROWS)
        return;
    s->rows = 0;
    hand_up(w, s, 0);
}

/* Add up all levels into the highest, and give that. */
static char *total(const work *w, sums *s)
{
    for (int i = 0; i < s->top; i++)
        w->loops->merge(s->levels[i + 1], s->levels[i], s->count);
    return s->levels[s->top];
}

/* ---- Units: by the threads of the rank ----------------------------------- */

/*
 * LEAF_ROWS * FAN rows fill a whole level, so threads can add up such units by
 * themselves, and what they give is handed up in order: the tree is the same.
 */
enum { UNIT = LEAF_ROWS * FAN, UNITS = 16 /* at once */ };

/* Add the rows from one on to sums that are new: `from` is where they are. */
typedef void (*add_function)(const work *w, sums *s, const char *from,
                             int64_t stride);

typedef struct units {
    const work *work; /* of one unit */
    add_function add;
    const char *from;
    int64_t step; /* bytes from unit to unit */
    int64_t stride, width;
    _Alignas(DTI_CACHE_LINE) char totals[UNITS][WIDTH * ITEM];
} units;

static void add_unit(void *context, int64_t piece, int slot)
{
    units *u = context;
    sums s;
    (void)slot;
    begin(u->work, &s, u->width);
    u->add(u->work, &s, u->from + piece * u->step, u->stride);
    memcpy(u->totals[piece], total(u->work, &s),
           (size_t)(u->width * u->work->item));
}

/* Add what a unit gave. */
static void hand_over(const work *w, sums *s, const char *totals)
{
    const size_t bytes = (size_t)(s->count * w->item);
    if (!w->rounds) {
        w->loops->merge(s->levels[0], totals, s->count);
        return;
    }
    if (s->top == 0) {
        s->top = 1;
        s->fed[1] = 0;
    }
    memcpy(s->levels[1], totals, bytes);
    hand_up(w, s, 1);
}

/* Add `count` units of `rows` elements along the reduced dimension. */
static void add_units(const work *w, sums *s, add_function add,
                      const char *from, int64_t stride, int64_t count,
                      int64_t rows)
{
    work one = *w;
    one.count = rows;
    units u = {.work = &one,
               .add = add,
               .from = from,
               .step = rows * w->stride * w->from_item,
               .stride = stride,
               .width = s->count};
    const int64_t bytes = UNIT * s->count * w->from_item;
    for (int64_t first = 0; first < count; first += UNITS) {
        const int64_t left = count - first;
        const int64_t now = left < UNITS ? left : UNITS;
        u.from = from + first * u.step;
        dti_work_run(now, now * bytes, add_unit, &u);
        for (int64_t i = 0; i < now; i++)
            hand_over(w, s, u.totals[i]);
    }
}

/* ---- Results ------------------------------------------------------------- */

static void end_f32(const dti_fold *fold, void *values, int64_t count)
{
    float *x = values;
    for (int64_t i = 0; i < count; i++) {
        if (is_comparison(fold->kind))
            x[i] = dti_f32_of_key((int32_t)dti_bits_of_f32(x[i]));
        if (fold->divides)
            x[i] = (float)((double)x[i] / fold->divisor);
        if (x[i] != x[i])
            x[i] = NAN;
    }
}

static void end_f64(const dti_fold *fold, void *values, int64_t count)
{
    double *x = values;
    for (int64_t i = 0; i < count; i++) {
        if (is_comparison(fold->kind))
            x[i] = dti_f64_of_key((int64_t)dti_bits_of_f64(x[i]));
        if (fold->divides)
            x[i] /= fold->divisor;
        if (x[i] != x[i])
            x[i] = (double)NAN;
    }
}

static void end_bool(void *values, int64_t count)
{
    uint8_t *x = values;
    for (int64_t i = 0; i < count; i++)
        x[i] = x[i] != 0;
}

/* Turn accumulators into results and store them, `stride` elements apart. */
static void finish(const work *w, void *values, int64_t count, char *out,
                   int64_t stride)
{
    _Alignas(DTI_CACHE_LINE) char results[WIDTH * ITEM];
    const int64_t item = (int64_t)dti_dtype_size(w->to);
    if (w->carrier == DT_F32)
        end_f32(w->fold, values, count);
    else if (w->carrier == DT_F64)
        end_f64(w->fold, values, count);
    else if (w->carrier == DT_BOOL)
        end_bool(values, count);
    if (w->to == w->carrier)
        memcpy(results, values, (size_t)(count * item));
    else
        dti_cast(values, w->carrier, results, w->to, count);
    if (stride == 1)
        memcpy(out, results, (size_t)(count * item));
    for (int64_t i = 0; stride != 1 && i < count; i++)
        memcpy(out + i * stride * item, results + i * item, (size_t)item);
}

/* ---- Runs: one result at a time ------------------------------------------ */

static void add_short_run(const work *w, sums *s, const char *run,
                          int64_t unused)
{
    (void)unused;
    for (int64_t start = 0; start < w->count; start += PIECE) {
        const int64_t left = w->count - start;
        const int64_t count = left < PIECE ? left : PIECE;
        const char *piece = run + start * w->stride * w->from_item;
        if (w->converts || w->stride != 1) {
            bring(w, s, piece, w->stride, s->buffer, count);
            piece = s->buffer;
        }
        const int64_t rows = count / DTI_FOLD_LANES;
        const int64_t rest = count % DTI_FOLD_LANES;
        w->loops->rows(s->levels[0], piece, rows, DTI_FOLD_LANES,
                       DTI_FOLD_LANES);
        w->loops->rows(s->levels[0], piece + (count - rest) * w->item, rest > 0,
                       0, rest);
        grow(w, s, rows + (rest > 0));
    }
}

/* Units first, where there are several and nothing was added yet. */
static DTI_NOINLINE void add_run(const work *w, sums *s, const char *run)
{
    const int64_t unit = UNIT * DTI_FOLD_LANES;
    const int64_t count = w->reduced.ndim == 0 ? w->count / unit : 0;
    work rest = *w;
    if (count < 2) {
        add_short_run(w, s, run, 0);
        return;
    }
    add_units(w, s, add_short_run, run, 0, count, unit);
    rest.count -= count * unit;
    add_short_run(&rest, s, run + count * unit * w->stride * w->from_item, 0);
}

/* Whether runs lie as the loops want them, and fill no level. */
static bool are_short(const work *w)
{
    return !w->converts && w->stride == 1 && w->reduced.ndim == 0 &&
           w->kept.ndim > 0 && w->count < (LEAF_ROWS - 1) * DTI_FOLD_LANES;
}

/* Runs along the innermost of the kept dimensions, many at a time. */
static void fold_short_runs(work *w)
{
    _Alignas(DTI_CACHE_LINE) char values[WIDTH * ITEM];
    _Alignas(ITEM) char none[ITEM];
    const int64_t out_item = (int64_t)dti_dtype_size(w->to);
    const int last = w->kept.ndim - 1;
    const int64_t extent = w->kept.extent[last];
    const int64_t in = w->kept.in[last], out = w->kept.out[last];
    dti_walk_remove(&w->kept, last);
    set_all(none, w->identity, w->item, 1);
    do {
        for (int64_t start = 0; start < extent; start += WIDTH) {
            const int64_t left = extent - start;
            const int64_t count = left < WIDTH ? left : WIDTH;
            const char *from =
                w->in + (w->kept.in_at + start * in) * w->from_item;
            w->loops->runs(from, count, in, w->count, none, values);
            finish(w, values, count,
                   w->out + (w->kept.out_at + start * out) * out_item, out);
        }
    } while (dti_walk_next(&w->kept));
}

static void fold_runs(work *w)
{
    sums s;
    const int64_t out_item = (int64_t)dti_dtype_size(w->to);
    if (are_short(w)) {
        fold_short_runs(w);
        return;
    }
    do {
        const char *from = w->in + w->kept.in_at * w->from_item;
        begin(w, &s, DTI_FOLD_LANES);
        do
            add_run(w, &s, from + w->reduced.in_at * w->from_item);
        while (dti_walk_next(&w->reduced));
        char *lanes = total(w, &s);
        w->loops->across(lanes);
        finish(w, lanes, 1, w->out + w->kept.out_at * out_item, 1);
    } while (dti_walk_next(&w->kept));
}

/* ---- Columns: many results at a time ------------------------------------- */

typedef struct column {
    int64_t extent;
    int64_t in; /* strides */
    int64_t out;
} column;

static void add_staged_rows(const work *w, sums *s, const char *from,
                            int64_t stride)
{
    for (int64_t row = 0; row < w->count; row += STAGED_ROWS) {
        const int64_t left = w->count - row;
        const int64_t rows = left < STAGED_ROWS ? left : STAGED_ROWS;
        for (int64_t i = 0; i < rows; i++)
            bring(w, s, from + (row + i) * w->stride * w->from_item, stride,
                  s->buffer + i * s->count * w->item, s->count);
        w->loops->rows(s->levels[0], s->buffer, rows, s->count, s->count);
        grow(w, s, rows);
    }
}

static void add_few_rows(const work *w, sums *s, const char *from,
                         int64_t stride)
{
    if (w->converts || (stride != 1 && s->count > 1)) {
        add_staged_rows(w, s, from, stride);
        return;
    }
    for (int64_t row = 0; row < w->count; row += LEAF_ROWS) {
        const int64_t left = w->count - row;
        const int64_t rows = left < LEAF_ROWS ? left : LEAF_ROWS;
        w->loops->rows(s->levels[0], from + row * w->stride * w->from_item,
                       rows, w->stride, s->count);
        grow(w, s, rows);
    }
}

/* Units first, as in runs. */
static DTI_NOINLINE void add_rows(const work *w, sums *s, const char *from,
                                  int64_t stride)
{
    const int64_t count = w->reduced.ndim == 0 ? w->count / UNIT : 0;
    work rest = *w;
    if (count < 2) {
        add_few_rows(w, s, from, stride);
        return;
    }
    add_units(w, s, add_few_rows, from, stride, count, UNIT);
    rest.count -= count * UNIT;
    add_few_rows(&rest, s, from + count * UNIT * w->stride * w->from_item,
                 stride);
}

static void fold_columns(work *w, column c)
{
    sums s;
    const int64_t out_item = (int64_t)dti_dtype_size(w->to);
    do {
        const char *from = w->in + w->kept.in_at * w->from_item;
        char *out = w->out + w->kept.out_at * out_item;
        for (int64_t start = 0; start < c.extent; start += WIDTH) {
            const int64_t left = c.extent - start;
            begin(w, &s, left < WIDTH ? left : WIDTH);
            const char *first = from + start * c.in * w->from_item;
            do
                add_rows(w, &s, first + w->reduced.in_at * w->from_item, c.in);
            while (dti_walk_next(&w->reduced));
            finish(w, total(w, &s), s.count, out + start * c.out * out_item,
                   c.out);
        }
    } while (dti_walk_next(&w->kept));
}

/* ---- Dimensions ---------------------------------------------------------- */

/* What becomes of the parts of complex numbers, if they are taken apart. */
static dti_parts parts_of(const work *w, dt_dtype dtype)
{
    if (dtype != DT_C64 || w->from != DT_F32)
        return DTI_WHOLE;
    return w->fold->kind == DTI_FOLD_SUM ? DTI_PARTS_KEPT : DTI_PARTS_REDUCED;
}

/* Whether neighbours belong to one result, and are not too few; how many other
 * results there are does not count. */
static bool is_run(const work *w, int dim)
{
    return w->count >= DTI_FOLD_LANES &&
           (dim < 0 || w->stride < w->kept.in[dim]);
}

static void fill_identity(const work *w, int64_t count)
{
    const int64_t item = (int64_t)dti_dtype_size(w->to);
    _Alignas(ITEM) char values[ITEM];
    for (int64_t i = 0; i < count; i++) {
        set_all(values, w->identity, w->item, 1);
        finish(w, values, 1, w->out + i * item, 1);
    }
}

/* Reduce to some of the results.  Which way is taken depends on strides, not on
 * how many results there are. */
static void fold_part(void *context, dti_walk *kept)
{
    work w = *(const work *)context;
    w.kept = *kept;
    const int dim = dti_walk_nearest(&w.kept);
    if (is_run(&w, dim)) {
        fold_runs(&w);
        return;
    }
    column c = {1, 1, 1};
    if (dim >= 0) {
        c = (column){w.kept.extent[dim], w.kept.in[dim], w.kept.out[dim]};
        dti_walk_remove(&w.kept, dim);
    }
    fold_columns(&w, c);
}

void dti_fold_array_at(dti_cpu_level level, const dti_fold *fold,
                       const dt_array *in, unsigned dims, void *out,
                       dt_dtype dtype)
{
    work w = {.fold = fold, .out = out};
    set_numbers(&w, level, dt_array_dtype(in));
    assert(w.from == dt_array_dtype(in) || fold->kind != DTI_FOLD_SUM ||
           dtype == DT_C64);
    w.to = dtype == DT_C64 && w.carrier == DT_F32 ? DT_F32 : dtype;
    dti_walk_sort(in, dims, parts_of(&w, dt_array_dtype(in)), &w.kept,
                  &w.reduced);
    const int64_t results = dti_walk_count(&w.kept);
    if (results == 0)
        return;
    if (dt_array_count(in) == 0) {
        fill_identity(&w, results);
        return;
    }
    w.in = dt_array_const_data(in);
    dti_walk_take(&w.reduced, &w.count, &w.stride);
    dti_walk_share(&w.kept, dt_array_count(in) / results * w.from_item,
                   fold_part, &w);
}

void dti_fold_array(const dti_fold *fold, const dt_array *in, unsigned dims,
                    void *out, dt_dtype dtype)
{
    dti_fold_array_at(dti_cpu_level_used(), fold, in, dims, out, dtype);
}

void dti_fold_run(dti_fold_kind kind, dt_dtype dtype, const void *run,
                  int64_t count, void *out)
{
    const dti_fold fold = {.kind = kind};
    work w = {.fold = &fold, .out = out, .count = count, .stride = 1};
    assert(count > 0);
    set_numbers(&w, dti_cpu_level_used(), dtype);
    w.to = w.carrier;
    w.in = run;
    fold_runs(&w);
}
