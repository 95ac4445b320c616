/* kernel/gemm/loops.c - products of matrices by plain loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <complex.h>
#include <stdbool.h>
#include <string.h>

#include "kernel/gemm/gemm.h"

/* Sums and rows of the widest type fit the nearest cache. */
enum { BLOCK_M = 32, BLOCK_N = 64, BLOCK_K = 32 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Integers are added without a sign: what does not fit wraps around. */
static uint64_t whole(dt_number number)
{
    assert(number.kind != DT_KIND_FLOAT);
    return (uint64_t)number.as.integer;
}

#define T float
#define SUM float
#define FACTOR float
#define MULTIPLY multiply_f32
#define FACTOR_OF(number) ((float)dt_number_real(number))
#include "kernel/gemm/loops_tmpl.h"

#define T double
#define SUM double
#define FACTOR double
#define MULTIPLY multiply_f64
#define FACTOR_OF(number) dt_number_real(number)
#include "kernel/gemm/loops_tmpl.h"

#define T float complex
#define SUM float complex
#define FACTOR float
#define MULTIPLY multiply_c64
#define FACTOR_OF(number) ((float)dt_number_real(number))
#include "kernel/gemm/loops_tmpl.h"

#define T int8_t
#define SUM uint32_t
#define FACTOR uint32_t
#define MULTIPLY multiply_i8
#define FACTOR_OF(number) ((uint32_t)whole(number))
#include "kernel/gemm/loops_tmpl.h"

#define T uint8_t
#define SUM uint32_t
#define FACTOR uint32_t
#define MULTIPLY multiply_u8
#define FACTOR_OF(number) ((uint32_t)whole(number))
#include "kernel/gemm/loops_tmpl.h"

#define T int16_t
#define SUM uint32_t
#define FACTOR uint32_t
#define MULTIPLY multiply_i16
#define FACTOR_OF(number) ((uint32_t)whole(number))
#include "kernel/gemm/loops_tmpl.h"

#define T int32_t
#define SUM uint32_t
#define FACTOR uint32_t
#define MULTIPLY multiply_i32
#define FACTOR_OF(number) ((uint32_t)whole(number))
#include "kernel/gemm/loops_tmpl.h"

#define T int64_t
#define SUM uint64_t
#define FACTOR uint64_t
#define MULTIPLY multiply_i64
#define FACTOR_OF(number) whole(number)
#include "kernel/gemm/loops_tmpl.h"

void dti_gemm_loops(const dti_gemm *product)
{
    static void (*const functions[DT_DTYPE_COUNT])(const dti_gemm *) = {
        [DT_F32] = multiply_f32, [DT_F64] = multiply_f64,
        [DT_I8] = multiply_i8,   [DT_I16] = multiply_i16,
        [DT_I32] = multiply_i32, [DT_I64] = multiply_i64,
        [DT_U8] = multiply_u8,   [DT_C64] = multiply_c64,
    };
    assert(functions[product->dtype]);
    functions[product->dtype](product);
}
