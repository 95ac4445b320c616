/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_reduce.c - reductions: bits of the documented order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "array/copy.h"
#include "array/number.h"
#include "base/hash.h"
#include "ranks/comm_arrays.h"

enum { INLINE = 4096, MAX_RANKS = 16 };

static bool is_float(dt_dtype dtype)
{
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT;
}

/* ---- What is expected, one element at a time ---------------------------- */

/* A number of some size and any mantissa, so that order and rounding show. */
static double number_of(uint64_t word)
{
    double mantissa = (double)(int64_t)(word >> 12) * 0x1p-52 + 0x1p-3;
    int exponent = (int)(word % 9) - 4;
    return ldexp(word & 0x800 ? -mantissa : mantissa, exponent);
}

/* What one rank gives: an element as a double or, of integers, as bits. */
typedef union element {
    double number[2]; /* complex has two */
    uint64_t bits;
} element;

static element element_of(dt_dtype dtype, uint64_t salt, int rank, int64_t i)
{
    uint64_t word = word_of(salt, rank, i);
    element e = {.bits = bits_of(dtype, word)};
    if (is_float(dtype) || dtype == DT_C64) {
        e.number[0] = number_of(word);
        e.number[1] = number_of(dti_hash_mix(word, 1));
    }
    /* One rank after the other brings a NaN along. */
    if (is_float(dtype) && word_of(salt, -1, i) % 64 == (uint64_t)rank)
        e.number[0] = (double)NAN;
    return e;
}

static void store(dt_dtype dtype, element e, void *to)
{
    float parts[2] = {(float)e.number[0], (float)e.number[1]};
    uint16_t half;
    switch (dtype) {
    case DT_F64:
        memcpy(to, e.number, sizeof(double));
        break;
    case DT_F32:
        memcpy(to, parts, sizeof(float));
        break;
    case DT_C64:
        memcpy(to, parts, sizeof parts);
        break;
    case DT_F16:
    case DT_BF16:
        half = dtype == DT_F16 ? dti_f16_of_float(parts[0])
                               : dti_bf16_of_float(parts[0]);
        memcpy(to, &half, sizeof half);
        break;
    default:
        memcpy(to, &e.bits, dt_dtype_size(dtype));
    }
}

/* What was stored, as f32 or f64 sees it. */
static element load(dt_dtype dtype, const void *from)
{
    element e = {.bits = 0};
    float parts[2] = {0, 0};
    uint16_t half;
    switch (dtype) {
    case DT_F64:
        memcpy(e.number, from, sizeof(double));
        return e;
    case DT_F32:
    case DT_C64:
        memcpy(parts, from, dt_dtype_size(dtype));
        break;
    case DT_F16:
    case DT_BF16:
        memcpy(&half, from, sizeof half);
        parts[0] = dtype == DT_F16 ? dti_widen_f16(half) : dti_widen_bf16(half);
        break;
    default:
        memcpy(&e.bits, from, dt_dtype_size(dtype));
        return e;
    }
    e.number[0] = (double)parts[0];
    e.number[1] = (double)parts[1];
    return e;
}

static double combine_numbers(dt_reduce op, double a, double b)
{
    switch (op) {
    case DT_PRODUCT:
        return a * b;
    case DT_MIN:
        return isnan(a) || isnan(b) ? (double)NAN : a < b ? a : b;
    case DT_MAX:
        return isnan(a) || isnan(b) ? (double)NAN : a > b ? a : b;
    default:
        return a + b;
    }
}

static int64_t widen(dt_dtype dtype, uint64_t bits)
{
    int spare = 64 - 8 * (int)dt_dtype_size(dtype);
    if (dt_dtype_kind_of(dtype) != DT_KIND_SIGNED)
        return (int64_t)bits;
    return (int64_t)(bits << spare) >> spare;
}

static uint64_t combine_bits(dt_reduce op, dt_dtype dtype, uint64_t a,
                             uint64_t b)
{
    bool a_less = widen(dtype, a) < widen(dtype, b);
    bool is_bool = dtype == DT_BOOL;
    switch (op) {
    case DT_SUM:
        return is_bool ? a | b : a + b;
    case DT_PRODUCT:
        return is_bool ? a & b : a * b;
    case DT_MIN:
        return a_less ? a : b;
    case DT_MAX:
        return a_less ? b : a;
    case DT_BAND:
        return a & b;
    case DT_BOR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Rounded to f32 after each step, unless it is f64. */
static double rounded(dt_dtype dtype, double value)
{
    return dtype == DT_F64 ? value : (double)(float)value;
}

static element combine(dt_reduce op, dt_dtype dtype, element a, element b)
{
    element result = {.bits = 0};
    if (is_float(dtype)) {
        result.number[0] =
            rounded(dtype, combine_numbers(op, a.number[0], b.number[0]));
    } else if (dtype == DT_C64 && op == DT_PRODUCT) {
        float p = (float)a.number[0], q = (float)a.number[1];
        float r = (float)b.number[0], s = (float)b.number[1];
        float pr = p * r, qs = q * s, ps = p * s, qr = q * r;
        result.number[0] = (double)(float)(pr - qs);
        result.number[1] = (double)(float)(ps + qr);
    } else if (dtype == DT_C64) {
        result.number[0] = rounded(dtype, a.number[0] + b.number[0]);
        result.number[1] = rounded(dtype, a.number[1] + b.number[1]);
    } else {
        result.bits = bits_of(dtype, combine_bits(op, dtype, a.bits, b.bits));
    }
    return result;
}

/* The bits of element `i` of the reduction of a group of `size`. */
static void expect(dt_reduce op, dt_dtype dtype, uint64_t salt, int size,
                   int64_t i, void *to)
{
    element result = {.bits = 0};
    for (int rank = 0; rank < size; rank++) {
        unsigned char stored[8];
        store(dtype, element_of(dtype, salt, rank, i), stored);
        element next = load(dtype, stored);
        result = rank == 0 ? next : combine(op, dtype, result, next);
    }
    if (op == DT_AVG) {
        result.number[0] = rounded(dtype, result.number[0] / size);
        result.number[1] = rounded(dtype, result.number[1] / size);
    }
    /* Of one rank, a NaN is passed on as it is; store gives the same one. */
    store(dtype, result, to);
}

/* ---- Calls -------------------------------------------------------------- */

typedef struct reduction {
    dt_group *group;
    dt_reduce op;
    dt_dtype dtype;
    bool async;
    bool in_place;
    uint64_t salt;
    int64_t step; /* of elements that are checked; 0 is 1 */
} reduction;

static dt_world *world_of(const reduction *r)
{
    return dt_group_world(r->group);
}

static dt_array *input_of(const reduction *r, int64_t count)
{
    dt_array *array = make_array(world_of(r), r->dtype, count);
    char *data = dt_array_data(array);
    size_t item = dt_dtype_size(r->dtype);
    int rank = dt_group_rank(r->group);
    for (int64_t i = 0; i < count; i++)
        store(r->dtype, element_of(r->dtype, r->salt, rank, i),
              data + (size_t)i * item);
    return array;
}

/* Check elements that are those from `first` on of the whole reduction. */
static void check_reduced(const reduction *r, const dt_array *out,
                          int64_t first)
{
    const char *data = dt_array_const_data(out);
    size_t item = dt_dtype_size(r->dtype);
    int64_t step = r->step ? r->step : 1;
    for (int64_t i = 0; i < dt_array_count(out); i += step) {
        unsigned char expected[8];
        expect(r->op, r->dtype, r->salt, dt_group_size(r->group), first + i,
               expected);
        if (!CHECKF(memcmp(data + (size_t)i * item, expected, item) == 0,
                    "%s of %s: element %lld of %lld is wrong",
                    dt_reduce_name(r->op), dt_dtype_name(r->dtype),
                    (long long)(first + i), (long long)dt_array_count(out)))
            return;
    }
}

static dt_status call_all_reduce(const reduction *r, dt_array *in,
                                 dt_array *out)
{
    dt_handle *handle = NULL;
    if (!r->async)
        return dt_group_all_reduce(r->group, r->op, in, out);
    return complete(
        dt_group_all_reduce_async(r->group, r->op, in, out, &handle), &handle);
}

static void try_all_reduce(reduction *r, int64_t count)
{
    r->salt++;
    dt_array *in = input_of(r, count);
    dt_array *out = in;
    if (!r->in_place) {
        out = make_array(world_of(r), r->dtype, count);
        wipe(out, 0x5a);
    }
    CHECK_OK(world_of(r), call_all_reduce(r, in, out));
    check_reduced(r, out, 0);
    if (out != in)
        dt_array_release(out);
    dt_array_release(in);
}

static dt_status call_reduce_scatter(const reduction *r, dt_array *in,
                                     const int64_t *counts, dt_array *out)
{
    dt_handle *handle = NULL;
    if (!r->async)
        return dt_group_reduce_scatter(r->group, r->op, in, counts, out);
    return complete(dt_group_reduce_scatter_async(r->group, r->op, in, counts,
                                                  out, &handle),
                    &handle);
}

static void try_reduce_scatter(reduction *r, const int64_t *counts, bool even)
{
    r->salt++;
    int64_t total = 0, before = 0;
    for (int i = 0; i < dt_group_size(r->group); i++) {
        before += i < dt_group_rank(r->group) ? counts[i] : 0;
        total += counts[i];
    }
    dt_array *in = input_of(r, total);
    dt_array *out =
        make_array(world_of(r), r->dtype, counts[dt_group_rank(r->group)]);
    wipe(out, 0x5a);
    CHECK_OK(world_of(r),
             call_reduce_scatter(r, in, even ? NULL : counts, out));
    check_reduced(r, out, before);
    dt_array_release(in);
    dt_array_release(out);
}

/* ---- The tests ---------------------------------------------------------- */

/* What comm.h says of each. */
static bool is_defined(dt_reduce op, dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    bool inexact = kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
    switch (op) {
    case DT_SUM:
    case DT_PRODUCT:
        return true;
    case DT_AVG:
        return inexact;
    case DT_MIN:
    case DT_MAX:
        return kind != DT_KIND_COMPLEX;
    default:
        return !inexact;
    }
}

static void refuse(reduction *r)
{
    dt_world *world = world_of(r);
    int size = dt_group_size(r->group);
    dt_array *whole = make_array(world, r->dtype, size);
    dt_array *part = make_array(world, r->dtype, 1);
    const char *name = dt_reduce_name(r->op);
    CHECK_FAILS(world, call_all_reduce(r, whole, whole), DT_ERR_UNSUPPORTED,
                name);
    CHECK(strstr(dt_world_error(world)->message, dt_dtype_name(r->dtype)));
    CHECK_FAILS(world, call_reduce_scatter(r, whole, NULL, part),
                DT_ERR_UNSUPPORTED, name);
    dt_array_release(whole);
    dt_array_release(part);
}

/* Every operation for every dtype, small and not; those that are not defined
 * are refused, and the group goes on. */
static void reduces_everything(dt_world *world)
{
    reduction r = {.group = dt_world_group(world), .salt = dt_test_seed()};
    int64_t even[MAX_RANKS];
    int size = dt_world_size(world);
    for (int op = 0; op <= DT_REDUCE_COUNT; op++) {
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
            r.op = (dt_reduce)op;
            r.dtype = (dt_dtype)dtype;
            r.async = (op + dtype) % 2;
            r.in_place = (op + dtype) % 3 == 0;
            if (op == DT_REDUCE_COUNT || !is_defined(r.op, r.dtype)) {
                refuse(&r);
                continue;
            }
            try_all_reduce(&r, 61);
            try_all_reduce(&r, 4801);
            for (int i = 0; i < size; i++)
                even[i] = 613;
            try_reduce_scatter(&r, even, true);
        }
    }
}

/* All-reduce over sizes: nothing, few, around the board's limit. */
static void reduces_all_sizes(dt_world *world)
{
    const dt_dtype dtypes[] = {DT_F32, DT_F16, DT_I8, DT_C64};
    int size = dt_world_size(world);
    reduction r = {.group = dt_world_group(world), .salt = dt_test_seed()};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        int64_t limit = INLINE / (int64_t)dt_dtype_size(dtypes[d]);
        const int64_t sizes[] = {0,         1,     2,         7,     size - 1,
                                 size,      13,    limit - 1, limit, limit + 1,
                                 limit + 7, 10007, 64 * size};
        r.dtype = dtypes[d];
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (int way = 0; way < 4; way++) {
                r.op = way % 2 ? DT_SUM : DT_PRODUCT;
                r.async = way / 2;
                r.in_place = (way + (int)i) % 2;
                try_all_reduce(&r, sizes[i]);
            }
        }
    }
}

static int64_t block_of(int pattern, int size, int member)
{
    switch (pattern) {
    case 0:
        return (member * 7 + 3) % 5; /* nothing for some */
    case 1:
        return member < size - 1; /* one element less than ranks */
    case 2:
        return member == size - 1 ? 3001 : 0;
    case 3:
        return 700 * member + 1;
    case 4:
        return 0;
    default:
        return 128; /* the same for all */
    }
}

static void scatters_blocks(dt_group *group)
{
    const dt_dtype dtypes[] = {DT_F32, DT_BF16, DT_I64};
    int64_t counts[MAX_RANKS];
    int size = dt_group_size(group);
    reduction r = {.group = group, .op = DT_SUM, .salt = dt_test_seed()};
    for (int pattern = 0; pattern < 6; pattern++) {
        for (int i = 0; i < size; i++)
            counts[i] = block_of(pattern, size, i);
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            r.dtype = dtypes[d];
            r.async = !r.async;
            try_reduce_scatter(&r, counts, false);
            if (pattern > 3)
                try_reduce_scatter(&r, counts, true);
        }
    }
}

static void scatters_uneven_blocks(dt_world *world)
{
    scatters_blocks(dt_world_group(world));
}

/* The order is that of ranks in the group, not in the world. */
static void reduces_in_the_order_of_the_group(dt_world *world)
{
    int rank = dt_world_rank(world);
    dt_group *group = NULL;
    CHECK_OK(world,
             dt_group_split(dt_world_group(world), rank % 2, -rank, &group));
    if (!CHECK(group != NULL))
        return;
    scatters_blocks(group);
    reduction r = {.group = group, .op = DT_SUM, .salt = dt_test_seed()};
    const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        r.dtype = dtypes[d];
        try_all_reduce(&r, 900);
        try_all_reduce(&r, 9001);
    }
}

/* Several MB, past the cache by as much as it takes; of each line of the cache
 * some elements are checked. */
static void reduces_large_arrays(dt_world *world)
{
    size_t stream = dti_copy_stream_threshold();
    bool many = dt_world_size(world) > 3;
    size_t bytes = stream < 16 << 20 && !many ? stream + 4444 : 1 << 20;
    reduction r = {.group = dt_world_group(world),
                   .op = DT_SUM,
                   .dtype = DT_F32,
                   .salt = dt_test_seed(),
                   .step = 7};
    int64_t counts[MAX_RANKS];
    for (int way = 0; way < 2; way++) {
        r.async = way;
        r.in_place = !way;
        try_all_reduce(&r, (int64_t)(bytes >> 3 * way) / 4 + 1);
    }
    r.dtype = DT_BF16;
    for (int i = 0; i < dt_world_size(world); i++)
        counts[i] = 40000 + i;
    try_reduce_scatter(&r, counts, false);
}

const dt_test dt_tests[] = {
    {"reduces everything", reduces_everything},
    {"reduces all sizes", reduces_all_sizes},
    {"scatters uneven blocks", scatters_uneven_blocks},
    {"reduces in the order of the group", reduces_in_the_order_of_the_group},
    {"reduces large arrays", reduces_large_arrays},
    {NULL, NULL},
};
