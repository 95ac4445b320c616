/* kernel/pointwise_tmpl.h - the pointwise loops of one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; the loops are plain, and
 * the compiler makes vectors of them.
 */
#include <math.h>

#include "kernel/independent.h"
#include "kernel/math_f32.h"
#include "kernel/math_f64.h"
#include "kernel/pointwise_complex.h"
#include "kernel/pointwise_level.h"

/* Some types have no sign, and yet they are compared with 0. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif

#define NAME run_f32
#define T float
#define EXP exp_f32
#define LOG log_f32
#define SQRT sqrtf
#define FABS fabsf
#define TANH tanh_f32
#define SIGMOID sigmoid_f32
#define SILU silu_f32
#define GELU gelu_f32
#define GELU_TANH gelu_tanh_f32
#define POW pow_f32
#include "kernel/pointwise_float_tmpl.h"

#define NAME run_f64
#define T double
#define EXP exp_f64
#define LOG log_f64
#define SQRT sqrt
#define FABS fabs
#define TANH tanh_f64
#define SIGMOID sigmoid_f64
#define SILU silu_f64
#define GELU gelu_f64
#define GELU_TANH gelu_tanh_f64
#define POW pow_f64
#include "kernel/pointwise_float_tmpl.h"

#define NAME run_i8
#define T int8_t
#define U uint32_t
#define POWER power_i8
#include "kernel/pointwise_integer_tmpl.h"

#define NAME run_i16
#define T int16_t
#define U uint32_t
#define POWER power_i16
#include "kernel/pointwise_integer_tmpl.h"

#define NAME run_i32
#define T int32_t
#define U uint32_t
#define POWER power_i32
#include "kernel/pointwise_integer_tmpl.h"

#define NAME run_i64
#define T int64_t
#define U uint64_t
#define POWER power_i64
#include "kernel/pointwise_integer_tmpl.h"

#define NAME run_u8
#define T uint8_t
#define U uint32_t
#define POWER power_u8
#include "kernel/pointwise_integer_tmpl.h"

/* A bool is a byte; any but zero is true, and what comes out is 0 or 1. */
static bool run_bool(dti_pointwise function, void *out, const void *const *in,
                     const int *steps, int64_t count)
{
#define T uint8_t
#define R uint8_t
    switch (function) {
    case DTI_ADD:
    case DTI_OR:
    case DTI_MAXIMUM:
#define APPLY(x, y) (((x) | (y)) != 0)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MUL:
    case DTI_AND:
    case DTI_MINIMUM:
#define APPLY(x, y) (((x) != 0) & ((y) != 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_EQ:
#define APPLY(x, y) (((x) != 0) == ((y) != 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_NE:
#define APPLY(x, y) (((x) != 0) != ((y) != 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_LT:
#define APPLY(x, y) (((x) == 0) & ((y) != 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_LE:
#define APPLY(x, y) (((x) == 0) | ((y) != 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_GT:
#define APPLY(x, y) (((x) != 0) & ((y) == 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_GE:
    case DTI_POW: /* 0 to the power of 0 is 1 */
#define APPLY(x, y) (((x) != 0) | ((y) == 0))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const bool factor = count > 0 && *(const uint8_t *)in[2] != 0;
#define APPLY(x, y) (((x) | ((y) & -factor)) != 0)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    }
    case DTI_NOT:
#define APPLY(x) ((x) == 0)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    default:
        return false;
    }
#undef T
#undef R
}

static bool run_c64(dti_pointwise function, void *out, const void *const *in,
                    const int *steps, int64_t count)
{
#define T dti_c64
    switch (function) {
#define R uint8_t
    case DTI_EQ:
#define APPLY(x, y) equal_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_NE:
#define APPLY(x, y) !equal_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
#undef R
#define R float
    case DTI_ABS:
#define APPLY(x) abs_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
#undef R
#define R dti_c64
    case DTI_ADD:
#define APPLY(x, y) add_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) subtract_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) multiply_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_DIV:
#define APPLY(x, y) divide_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) power_c64(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const dti_c64 factor =
            count > 0 ? *(const dti_c64 *)in[2] : (dti_c64){0, 0};
#define APPLY(x, y) add_c64(x, multiply_c64(factor, y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    }
    case DTI_NEG:
#define APPLY(x) negate_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RECIPROCAL:
#define APPLY(x) invert_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_EXP:
#define APPLY(x) exp_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_LOG:
#define APPLY(x) log_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SQRT:
#define APPLY(x) root_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_TANH:
#define APPLY(x) tanh_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SIGMOID:
#define APPLY(x) sigmoid_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SILU:
#define APPLY(x) silu_c64(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RSQRT:
#define APPLY(x) invert_c64(root_c64(x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_WHERE:
#include "kernel/pointwise_where_tmpl.h"
        return true;
    default:
        return false;
    }
#undef R
#undef T
}

const dti_pointwise_loops LOOPS = {
    [DT_F32] = run_f32, [DT_F64] = run_f64,   [DT_I8] = run_i8,
    [DT_I16] = run_i16, [DT_I32] = run_i32,   [DT_I64] = run_i64,
    [DT_U8] = run_u8,   [DT_BOOL] = run_bool, [DT_C64] = run_c64,
};

#undef LOOPS
