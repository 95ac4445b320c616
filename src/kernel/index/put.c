/* kernel/index/put.c - elements put to, or combined with, those at positions.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/index/put.h"

#include <assert.h>
#include <complex.h>
#include <string.h>

#include "array/number.h"
#include "base/dtype.h"
#include "kernel/independent.h"

/* Elements of which each has a position, or all share one: then `positions` is
 * NULL and `to` is where they go. */
typedef struct put_row {
    int64_t count;
    void *to;
    int64_t stride, step;
    const int64_t *positions;
    int64_t position_stride;
    const void *from;
    int64_t from_stride;
} put_row;

/* Neighbours that go to positions in one run: what loops over all strides
 * work out for each element is known. */
static bool is_plain(const put_row *row)
{
    return row->positions && row->position_stride == 1 &&
           row->from_stride == 1 && row->stride == 0 && row->step == 1;
}

/* ---- Sets --------------------------------------------------------------- */

/* Elements of a size and with strides, in bytes, that the compiler may know.
 * What it cannot know is that nothing of the row is written to: that is read
 * before. */
static inline void set_strided(const put_row *row, int64_t stride, int64_t step,
                               int64_t position_stride, int64_t from_stride,
                               int64_t item)
{
    const int64_t count = row->count, *positions = row->positions;
    const char *from = row->from;
    char *to = row->to;
    for (int64_t i = 0; i < count; i++) {
        int64_t position = positions ? positions[i * position_stride] : 0;
        if (position >= 0)
            memcpy(to + i * stride + position * step, from + i * from_stride,
                   (size_t)item);
    }
}

static inline void set_items(const put_row *row, int64_t item)
{
    if (is_plain(row))
        set_strided(row, 0, item, 1, item, item);
    else
        set_strided(row, row->stride * item, row->step * item,
                    row->position_stride, row->from_stride * item, item);
}

static void set_row(const put_row *row, size_t item)
{
    if (!row->positions && row->stride == 1 && row->from_stride == 1) {
        memcpy(row->to, row->from, (size_t)row->count * item);
        return;
    }
    switch (item) {
    case 1:
        set_items(row, 1);
        break;
    case 2:
        set_items(row, 2);
        break;
    case 4:
        set_items(row, 4);
        break;
    default:
        assert(item == 8);
        set_items(row, 8);
        break;
    }
}

/* ---- Floats ------------------------------------------------------------- */

#define SUM(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define LARGER(a, b) ((a) >= (b) || (a) != (a) ? (a) : (b))
#define SMALLER(a, b) ((a) <= (b) || (a) != (a) ? (a) : (b))

#define QUOTIENT(a, count) ((a) / (float)(count))
#define T float
#define WIDE float
#define GET(a) (a)
#define PUT(a) (a)
#define ROW put_f32
#define DIVIDE divide_f32
#include "kernel/index/put_tmpl.h"

#define T uint16_t
#define WIDE float
#define GET(a) dti_widen_f16(a)
#define PUT(a) dti_f16_of_float(a)
#define ROW put_f16
#define DIVIDE divide_f16
#include "kernel/index/put_tmpl.h"

#define T uint16_t
#define WIDE float
#define GET(a) dti_widen_bf16(a)
#define PUT(a) dti_bf16_of_float(a)
#define ROW put_bf16
#define DIVIDE divide_bf16
#include "kernel/index/put_tmpl.h"
#undef QUOTIENT

#define QUOTIENT(a, count) ((a) / (double)(count))
#define T double
#define WIDE double
#define GET(a) (a)
#define PUT(a) (a)
#define ROW put_f64
#define DIVIDE divide_f64
#include "kernel/index/put_tmpl.h"
#undef QUOTIENT

/* ---- Integers ----------------------------------------------------------- */

/* Sums and products wrap around. */
#undef SUM
#undef TIMES
#define SUM(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define TIMES(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))

static inline int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

#define QUOTIENT(a, count) divide_down(a, count)
#define T int8_t
#define WIDE int64_t
#define GET(a) (a)
#define PUT(a) ((int8_t)(a))
#define ROW put_i8
#define DIVIDE divide_i8
#include "kernel/index/put_tmpl.h"

#define T int16_t
#define WIDE int64_t
#define GET(a) (a)
#define PUT(a) ((int16_t)(a))
#define ROW put_i16
#define DIVIDE divide_i16
#include "kernel/index/put_tmpl.h"

#define T int32_t
#define WIDE int64_t
#define GET(a) (a)
#define PUT(a) ((int32_t)(a))
#define ROW put_i32
#define DIVIDE divide_i32
#include "kernel/index/put_tmpl.h"

#define T int64_t
#define WIDE int64_t
#define GET(a) (a)
#define PUT(a) (a)
#define ROW put_i64
#define DIVIDE divide_i64
#include "kernel/index/put_tmpl.h"

#define T uint8_t
#define WIDE int64_t
#define GET(a) (a)
#define PUT(a) ((uint8_t)(a))
#define ROW put_u8
#define DIVIDE divide_u8
#include "kernel/index/put_tmpl.h"

/* ---- Bool and complex numbers ------------------------------------------- */

#undef SUM
#undef TIMES
#undef LARGER
#undef SMALLER
#undef QUOTIENT
#define SUM(a, b) ((a) || (b))
#define TIMES(a, b) ((a) && (b))
#define LARGER(a, b) ((a) || (b))
#define SMALLER(a, b) ((a) && (b))
#define QUOTIENT(a, count) ((a) && (count))
#define T uint8_t
#define WIDE bool
#define GET(a) ((a) != 0)
#define PUT(a) ((uint8_t)(a))
#define ROW put_bool
#define DIVIDE divide_bool
#include "kernel/index/put_tmpl.h"

#undef SUM
#undef TIMES
#undef LARGER
#undef SMALLER
#undef QUOTIENT
#define SUM(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define LARGER(a, b) ((void)(a), (b))
#define SMALLER(a, b) ((void)(a), (b))
#define QUOTIENT(a, count) ((a) / (float)(count))
#define T float complex
#define WIDE float complex
#define GET(a) (a)
#define PUT(a) (a)
#define ROW put_c64
#define DIVIDE divide_c64
#include "kernel/index/put_tmpl.h"

/* ---- Rows and blocks ---------------------------------------------------- */

static void put_one_row(const put_row *row, dt_dtype dtype, dti_put_mode mode)
{
    static void (*const functions[DT_DTYPE_COUNT])(const put_row *,
                                                   dti_put_mode) = {
        [DT_F32] = put_f32, [DT_F64] = put_f64,   [DT_F16] = put_f16,
        [DT_I8] = put_i8,   [DT_BF16] = put_bf16, [DT_I16] = put_i16,
        [DT_I32] = put_i32, [DT_I64] = put_i64,   [DT_U8] = put_u8,
        [DT_C64] = put_c64, [DT_BOOL] = put_bool,
    };
    if (mode == DTI_PUT_SET)
        set_row(row, dti_dtype_size(dtype));
    else
        functions[dtype](row, mode);
}

/* Where a walk through dimensions is, in bytes and in positions. */
typedef struct walk {
    const dti_putting *of;
    int ndim; /* of these dimensions, the first ones */
    int first;
    int64_t index[DT_MAX_NDIM];
    char *to;
    const char *from;
    const int64_t *positions;
} walk;

/* Step to the next index; false after the last. */
static bool next(walk *at)
{
    const dti_putting *of = at->of;
    int64_t item = (int64_t)dti_dtype_size(of->dtype);
    for (int i = at->ndim - 1; i >= at->first; i--) {
        int64_t back = ++at->index[i] < of->dims[i] ? 0 : at->index[i];
        at->to += (1 - back) * of->strides[i] * item;
        at->from += (1 - back) * of->from_strides[i] * item;
        at->positions += (1 - back) * of->position_strides[i];
        if (!back)
            return true;
        at->index[i] = 0;
    }
    return false;
}

/* The rows of blocks, whose dimensions from `first` on share a position: the
 * last ones that lie as one.  Gives how many dimensions are left to walk. */
static int find_row(const dti_putting *of, int first, put_row *row)
{
    int last = of->ndim - 1;
    *row = (put_row){.count = 1, .stride = 1, .from_stride = 1};
    if (last < first)
        return first;
    row->count = of->dims[last];
    row->stride = of->strides[last];
    row->from_stride = of->from_strides[last];
    while (last > first && of->strides[last - 1] == row->count * row->stride &&
           of->from_strides[last - 1] == row->count * row->from_stride)
        row->count *= of->dims[--last];
    return last;
}

/* One block: its rows, one after another. */
static void put_block(walk *at, put_row *row, dti_put_mode mode)
{
    do {
        row->to = at->to;
        row->from = at->from;
        put_one_row(row, at->of->dtype, mode);
    } while (next(at));
}

static void put_blocks(walk *at, int first, dti_put_mode mode)
{
    const dti_putting *of = at->of;
    const int64_t step = of->step * (int64_t)dti_dtype_size(of->dtype);
    put_row row;
    const int end = find_row(of, first, &row);
    do {
        walk inner;
        const int64_t position = *at->positions;
        if (position < 0)
            continue;
        row.to = at->to + position * step;
        row.from = at->from;
        if (end == first) {
            put_one_row(&row, of->dtype, mode);
            continue;
        }
        inner = (walk){.of = of,
                       .ndim = end,
                       .first = first,
                       .to = row.to,
                       .from = row.from,
                       .positions = at->positions};
        put_block(&inner, &row, mode);
    } while (next(at));
}

/* Elements of which each has a position, row by row. */
static void put_singles(walk *at, dti_put_mode mode)
{
    const dti_putting *of = at->of;
    const int last = --at->ndim;
    do {
        put_row row = {.count = of->dims[last],
                       .to = at->to,
                       .stride = of->strides[last],
                       .step = of->step,
                       .positions = at->positions,
                       .position_stride = of->position_strides[last],
                       .from = at->from,
                       .from_stride = of->from_strides[last]};
        put_one_row(&row, of->dtype, mode);
    } while (next(at));
}

/* Leave out dimensions of one index; false if one has none. */
static bool simplify(const dti_putting *putting, dti_putting *out)
{
    *out = *putting;
    out->ndim = 0;
    for (int i = 0; i < putting->ndim; i++) {
        const int to = out->ndim;
        out->dims[to] = putting->dims[i];
        out->strides[to] = putting->strides[i];
        out->position_strides[to] = putting->position_strides[i];
        out->from_strides[to] = putting->from_strides[i];
        out->ndim += putting->dims[i] != 1;
        if (putting->dims[i] == 0)
            return false;
    }
    return true;
}

void dti_put_elements(const dti_putting *putting, dti_put_mode mode)
{
    dti_putting simple;
    if (!simplify(putting, &simple))
        return;
    int block = simple.ndim;
    while (block > 0 && simple.position_strides[block - 1] == 0)
        block--;
    walk at = {.of = &simple,
               .ndim = block,
               .to = simple.to,
               .from = simple.from,
               .positions = simple.positions};
    if (block < simple.ndim || block == 0)
        put_blocks(&at, block, mode);
    else
        put_singles(&at, mode);
}

void dti_put_divide(dt_dtype dtype, void *elements, const int64_t *counts,
                    int64_t count)
{
    static void (*const functions[DT_DTYPE_COUNT])(void *, const int64_t *,
                                                   int64_t) = {
        [DT_F32] = divide_f32, [DT_F64] = divide_f64,   [DT_F16] = divide_f16,
        [DT_I8] = divide_i8,   [DT_BF16] = divide_bf16, [DT_I16] = divide_i16,
        [DT_I32] = divide_i32, [DT_I64] = divide_i64,   [DT_U8] = divide_u8,
        [DT_C64] = divide_c64, [DT_BOOL] = divide_bool,
    };
    functions[dtype](elements, counts, count);
}
