/* kernel/pointwise/pointwise_tmpl.h - the pointwise loops of one instruction
 * set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table.  The file that
 * includes this is compiled for the instruction set; the loops are plain, and
 * the compiler makes vectors of them.
 */
#include <math.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/pointwise/complex.h"
#include "kernel/pointwise/pointwise_level.h"
#include "kernel/pointwise/scalar.h"

/* Some types have no sign, and yet they are compared with 0. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif

/* A number behind the inputs; there need be none if there are no elements. */
#define NUMBER(index) (count > 0 ? *(const T *)in[index] : (T){0})

#define NAME run_f32
#define T float
#define REMAINDER remainder_f32
#define FLOOR_DIVIDE floor_divide_f32
#define CLAMPED clamped_f32
#define NUMBERED numbered_f32
#define BETWEEN between_f32
#define NEAR_LIMIT 0x1p28
#define NEAR_QUOTIENT near_quotient_f32
#define NEAR_FMOD near_fmod_f32
#define NEAR_REMAINDER near_remainder_f32
#define NEAR_FLOOR_DIVIDE near_floor_divide_f32
#include "kernel/pointwise/float_tmpl.h"

#define NAME run_f64
#define T double
#define REMAINDER remainder_f64
#define FLOOR_DIVIDE floor_divide_f64
#define CLAMPED clamped_f64
#define NUMBERED numbered_f64
#define BETWEEN between_f64
#define NEAR_LIMIT 0
#define NEAR_QUOTIENT near_quotient_f64
#define NEAR_FMOD near_fmod_f64
#define NEAR_REMAINDER near_remainder_f64
#define NEAR_FLOOR_DIVIDE near_floor_divide_f64
#include "kernel/pointwise/float_tmpl.h"

#define NAME run_i8
#define T int8_t
#define U uint32_t
#define POWER power_i8
#define DIVIDE divide_i8
#define FLOOR_DIVIDE floor_divide_i8
#define CLAMPED clamped_i8
#define SHIFT_LEFT shift_left_i8
#define SHIFT_RIGHT shift_right_i8
#include "kernel/pointwise/integer_tmpl.h"

#define NAME run_i16
#define T int16_t
#define U uint32_t
#define POWER power_i16
#define DIVIDE divide_i16
#define FLOOR_DIVIDE floor_divide_i16
#define CLAMPED clamped_i16
#define SHIFT_LEFT shift_left_i16
#define SHIFT_RIGHT shift_right_i16
#include "kernel/pointwise/integer_tmpl.h"

#define NAME run_i32
#define T int32_t
#define U uint32_t
#define POWER power_i32
#define DIVIDE divide_i32
#define FLOOR_DIVIDE floor_divide_i32
#define CLAMPED clamped_i32
#define SHIFT_LEFT shift_left_i32
#define SHIFT_RIGHT shift_right_i32
#include "kernel/pointwise/integer_tmpl.h"

#define NAME run_i64
#define T int64_t
#define U uint64_t
#define POWER power_i64
#define DIVIDE divide_i64
#define FLOOR_DIVIDE floor_divide_i64
#define CLAMPED clamped_i64
#define SHIFT_LEFT shift_left_i64
#define SHIFT_RIGHT shift_right_i64
#include "kernel/pointwise/integer_tmpl.h"

#define NAME run_u8
#define T uint8_t
#define U uint32_t
#define POWER power_u8
#define DIVIDE divide_u8
#define FLOOR_DIVIDE floor_divide_u8
#define CLAMPED clamped_u8
#define SHIFT_LEFT shift_left_u8
#define SHIFT_RIGHT shift_right_u8
#include "kernel/pointwise/integer_tmpl.h"

/* A bool is a byte; any but zero is true, and what comes out is 0 or 1. */
static bool run_bool(dti_pointwise function, void *out, const void *const *in,
                     const int *steps, int64_t count)
{
#define T uint8_t
#define R uint8_t
    switch (function) {
    case DTI_ADD:
    case DTI_OR:
    case DTI_BITWISE_OR:
    case DTI_MAXIMUM:
    case DTI_FMAX:
#define APPLY(x, y) (((x) | (y)) != 0)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MUL:
    case DTI_AND:
    case DTI_BITWISE_AND:
    case DTI_MINIMUM:
    case DTI_FMIN:
#define APPLY(x, y) (((x) != 0) & ((y) != 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_EQ:
#define APPLY(x, y) (((x) != 0) == ((y) != 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_NE:
    case DTI_XOR:
    case DTI_BITWISE_XOR:
#define APPLY(x, y) (((x) != 0) != ((y) != 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_LT:
#define APPLY(x, y) (((x) == 0) & ((y) != 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_LE:
#define APPLY(x, y) (((x) == 0) | ((y) != 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_GT:
#define APPLY(x, y) (((x) != 0) & ((y) == 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_GE:
    case DTI_POW: /* 0 to the power of 0 is 1 */
#define APPLY(x, y) (((x) != 0) | ((y) == 0))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const bool a = NUMBER(2) != 0;
#define APPLY(x, y) (((x) | ((y) & -a)) != 0)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    }
    case DTI_NOT:
    case DTI_BITWISE_NOT:
#define APPLY(x) ((x) == 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGN:
#define APPLY(x) ((x) != 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_NAN:
    case DTI_IS_INF:
    case DTI_IS_POSINF:
    case DTI_IS_NEGINF:
    case DTI_SIGNBIT:
#define APPLY(x) ((void)(x), 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_FINITE:
#define APPLY(x) ((void)(x), 1)
#include "kernel/pointwise/one_tmpl.h"
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
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_NE:
#define APPLY(x, y) !equal_c64(x, y)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_IS_NAN:
#define APPLY(x) ((x).real != (x).real || (x).imaginary != (x).imaginary)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_INF:
#define APPLY(x) (isinf((x).real) || isinf((x).imaginary))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_FINITE:
#define APPLY(x) (isfinite((x).real) && isfinite((x).imaginary))
#include "kernel/pointwise/one_tmpl.h"
        return true;
#undef R
#define R float
    case DTI_ABS:
#define APPLY(x) abs_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
#undef R
#define R dti_c64
    case DTI_ADD:
#define APPLY(x, y) add_c64(x, y)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) subtract_c64(x, y)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) multiply_c64(x, y)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_DIV:
#define APPLY(x, y) divide_c64(x, y)
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) power_c64(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const T a = NUMBER(2);
#define APPLY(x, y) add_c64(x, multiply_c64(a, y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    }
    case DTI_NEG:
#define APPLY(x) negate_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RECIPROCAL:
#define APPLY(x) invert_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SQUARE:
#define APPLY(x) multiply_c64(x, x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_CUBE:
#define APPLY(x) multiply_c64(multiply_c64(x, x), x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGN:
#define APPLY(x) sign_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_NAN_TO_NUM: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
        const T c = NUMBER(3);
#define APPLY(x) numbered_c64(x, a, b, c)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_LERP_NUMBER: {
        const T a = NUMBER(2);
#define APPLY(x, y) between_c64(x, y, a)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_LERP:
#define APPLY(x, y, z) between_c64(x, y, z)
#include "kernel/pointwise/three_tmpl.h"
        return true;
    case DTI_ADDCMUL: {
        const T a = NUMBER(3);
#define APPLY(x, y, z) add_c64(x, multiply_c64(multiply_c64(a, y), z))
#include "kernel/pointwise/three_tmpl.h"
        return true;
    }
    case DTI_ADDCDIV: {
        const T a = NUMBER(3);
#define APPLY(x, y, z) add_c64(x, divide_c64(multiply_c64(a, y), z))
#include "kernel/pointwise/three_tmpl.h"
        return true;
    }
    case DTI_WHERE:
#include "kernel/pointwise/where_tmpl.h"
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

#undef NUMBER
#undef LOOPS
