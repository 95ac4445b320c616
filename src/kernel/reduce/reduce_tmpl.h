/* kernel/reduce/reduce_tmpl.h - the reduction kernels of one instruction set.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: KERNELS, the name of the table; functions
 * store_line, which writes a cache line past the cache, and store_fence; the
 * type `vector` of WIDTH floats and what is done with it, for half types.  The
 * file that includes this is compiled for the instruction set; the loops are
 * plain, and the compiler makes vectors of them.  All levels give the same
 * bits: nothing here depends on the order or the width in which elements are
 * taken.
 */
#include <math.h>
#include <string.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/reduce/reduce_level.h"

#define T float
#define BITS uint32_t
#define CANONICAL canonical_f32
#define LESSER lesser_f32
#define GREATER greater_f32
#define SUM sum_f32
#define PRODUCT product_f32
#define MINIMUM min_f32
#define MAXIMUM max_f32
#define DIVIDE divide_f32
#include "kernel/reduce/float_tmpl.h"

#define T double
#define BITS uint64_t
#define CANONICAL canonical_f64
#define LESSER lesser_f64
#define GREATER greater_f64
#define SUM sum_f64
#define PRODUCT product_f64
#define MINIMUM min_f64
#define MAXIMUM max_f64
#define DIVIDE divide_f64
#include "kernel/reduce/float_tmpl.h"

#define T int8_t
#define U uint32_t
#define SUM sum_i8
#define PRODUCT product_i8
#define MINIMUM min_i8
#define MAXIMUM max_i8
#define AND and_i8
#define OR or_i8
#define XOR xor_i8
#include "kernel/reduce/integer_tmpl.h"

#define T int16_t
#define U uint32_t
#define SUM sum_i16
#define PRODUCT product_i16
#define MINIMUM min_i16
#define MAXIMUM max_i16
#define AND and_i16
#define OR or_i16
#define XOR xor_i16
#include "kernel/reduce/integer_tmpl.h"

#define T int32_t
#define U uint32_t
#define SUM sum_i32
#define PRODUCT product_i32
#define MINIMUM min_i32
#define MAXIMUM max_i32
#define AND and_i32
#define OR or_i32
#define XOR xor_i32
#include "kernel/reduce/integer_tmpl.h"

#define T int64_t
#define U uint64_t
#define SUM sum_i64
#define PRODUCT product_i64
#define MINIMUM min_i64
#define MAXIMUM max_i64
#define AND and_i64
#define OR or_i64
#define XOR xor_i64
#include "kernel/reduce/integer_tmpl.h"

#define T uint8_t
#define U uint32_t
#define SUM sum_u8
#define PRODUCT product_u8
#define MINIMUM min_u8
#define MAXIMUM max_u8
#define AND and_u8
#define OR or_u8
#define XOR xor_u8
#include "kernel/reduce/integer_tmpl.h"

/* A bool is a byte; any but zero is true, and what comes out is 0 or 1. */
#define T uint8_t
#define NAME and_bool
#define COMBINE(a, b) (((a) != 0) & ((b) != 0))
#include "kernel/reduce/loop_tmpl.h"

#define NAME or_bool
#define COMBINE(a, b) (((a) != 0) | ((b) != 0))
#include "kernel/reduce/loop_tmpl.h"

#define NAME xor_bool
#define COMBINE(a, b) (((a) != 0) ^ ((b) != 0))
#include "kernel/reduce/loop_tmpl.h"
#undef T

#define LOAD load_f16
#define STORE store_f16
#define SUM sum_f16
#define AVERAGE avg_f16
#define PRODUCT product_f16
#define MINIMUM min_f16
#define MAXIMUM max_f16
#include "kernel/reduce/halves_tmpl.h"

#define LOAD load_bf16
#define STORE store_bf16
#define SUM sum_bf16
#define AVERAGE avg_bf16
#define PRODUCT product_bf16
#define MINIMUM min_bf16
#define MAXIMUM max_bf16
#include "kernel/reduce/halves_tmpl.h"

static void sum_c64(void *out, const void *left, const void *right,
                    int64_t count)
{
    sum_f32(out, left, right, 2 * count);
}

static void divide_c64(void *array, int64_t count, int divisor)
{
    divide_f32(array, 2 * count, divisor);
}

/* Complex numbers whose product is worked out at a time. */
enum { PARTS = 64 };

static inline float load_part(const void *from, int64_t index)
{
    float value;
    memcpy(&value, (const char *)from + 4 * index, sizeof value);
    return value;
}

/*
 * The product as it is written on paper: where a part overflows, no infinity is
 * brought back from NaN as C's Annex G does.
 *
 * The parts have a loop each.  From one loop that subtracts and adds by turns,
 * gcc 12 makes vfmaddsub, even with -ffp-contract=off, and so other bits.
 */
static void product_some_c64(void *out, const void *left, const void *right,
                             int64_t count)
{
    float real[PARTS], imaginary[PARTS];
    for (int64_t i = 0; i < count; i++)
        real[i] = canonical_f32(
            load_part(left, 2 * i) * load_part(right, 2 * i) -
            load_part(left, 2 * i + 1) * load_part(right, 2 * i + 1));
    for (int64_t i = 0; i < count; i++)
        imaginary[i] =
            canonical_f32(load_part(left, 2 * i) * load_part(right, 2 * i + 1) +
                          load_part(left, 2 * i + 1) * load_part(right, 2 * i));
    for (int64_t i = 0; i < count; i++) {
        memcpy((char *)out + 8 * i, &real[i], sizeof *real);
        memcpy((char *)out + 8 * i + 4, &imaginary[i], sizeof *imaginary);
    }
}

static void product_c64(void *out, const void *left, const void *right,
                        int64_t count)
{
    for (int64_t i = 0; i < count; i += PARTS)
        product_some_c64((char *)out + 8 * i, (const char *)left + 8 * i,
                         (const char *)right + 8 * i,
                         count - i < PARTS ? count - i : PARTS);
}

/* The ends, where lines are not whole, go through the cache. */
static void store_block(void *out, const void *block, size_t bytes)
{
    unsigned char *to = out;
    const unsigned char *from = block;
    size_t head = (0 - (uintptr_t)out) % DTI_CACHE_LINE;
    if (head > bytes)
        head = bytes;
    memcpy(to, from, head);
    size_t i = head;
    for (; i + DTI_CACHE_LINE <= bytes; i += DTI_CACHE_LINE)
        store_line(to + i, from + i);
    memcpy(to + i, from + i, bytes - i);
}

const dti_reduce_kernels KERNELS = {
    .combine =
        {
            [DT_SUM] =
                {
                    [DT_F32] = sum_f32,
                    [DT_F64] = sum_f64,
                    [DT_I8] = sum_i8,
                    [DT_I16] = sum_i16,
                    [DT_I32] = sum_i32,
                    [DT_I64] = sum_i64,
                    [DT_U8] = sum_u8,
                    [DT_BOOL] = or_bool,
                    [DT_C64] = sum_c64,
                },
            [DT_AVG] =
                {
                    [DT_F32] = sum_f32,
                    [DT_F64] = sum_f64,
                    [DT_C64] = sum_c64,
                },
            [DT_PRODUCT] =
                {
                    [DT_F32] = product_f32,
                    [DT_F64] = product_f64,
                    [DT_I8] = product_i8,
                    [DT_I16] = product_i16,
                    [DT_I32] = product_i32,
                    [DT_I64] = product_i64,
                    [DT_U8] = product_u8,
                    [DT_BOOL] = and_bool,
                    [DT_C64] = product_c64,
                },
            [DT_MIN] =
                {
                    [DT_F32] = min_f32,
                    [DT_F64] = min_f64,
                    [DT_I8] = min_i8,
                    [DT_I16] = min_i16,
                    [DT_I32] = min_i32,
                    [DT_I64] = min_i64,
                    [DT_U8] = min_u8,
                    [DT_BOOL] = and_bool,
                },
            [DT_MAX] =
                {
                    [DT_F32] = max_f32,
                    [DT_F64] = max_f64,
                    [DT_I8] = max_i8,
                    [DT_I16] = max_i16,
                    [DT_I32] = max_i32,
                    [DT_I64] = max_i64,
                    [DT_U8] = max_u8,
                    [DT_BOOL] = or_bool,
                },
            [DT_BAND] =
                {
                    [DT_I8] = and_i8,
                    [DT_I16] = and_i16,
                    [DT_I32] = and_i32,
                    [DT_I64] = and_i64,
                    [DT_U8] = and_u8,
                    [DT_BOOL] = and_bool,
                },
            [DT_BOR] =
                {
                    [DT_I8] = or_i8,
                    [DT_I16] = or_i16,
                    [DT_I32] = or_i32,
                    [DT_I64] = or_i64,
                    [DT_U8] = or_u8,
                    [DT_BOOL] = or_bool,
                },
            [DT_BXOR] =
                {
                    [DT_I8] = xor_i8,
                    [DT_I16] = xor_i16,
                    [DT_I32] = xor_i32,
                    [DT_I64] = xor_i64,
                    [DT_U8] = xor_u8,
                    [DT_BOOL] = xor_bool,
                },
        },
    .half =
        {
            [DT_SUM] = {[DT_F16] = sum_f16, [DT_BF16] = sum_bf16},
            [DT_AVG] = {[DT_F16] = avg_f16, [DT_BF16] = avg_bf16},
            [DT_PRODUCT] = {[DT_F16] = product_f16, [DT_BF16] = product_bf16},
            [DT_MIN] = {[DT_F16] = min_f16, [DT_BF16] = min_bf16},
            [DT_MAX] = {[DT_F16] = max_f16, [DT_BF16] = max_bf16},
        },
    .divide =
        {
            [DT_F32] = divide_f32,
            [DT_F64] = divide_f64,
            [DT_C64] = divide_c64,
        },
    .store = store_block,
    .fence = store_fence,
};

#undef KERNELS
