/* array/cast_level_tmpl.h - the conversions of one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/* Included once per level with TABLE, the table to define; and HALVES, a file
 * that defines FROM_F32 and FROM_F16 where there are instructions for f16. */
#include "array/cast.h"
#include "array/number.h"
#include "base/attributes.h"

enum { DTI_CAST_BLOCK = 256 }; /* elements that are looked at before */

#define NAME from_f32
#define FROM float
#define WIDEN(x) (x)
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_f64
#define FROM double
#define WIDEN(x) (x)
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_f16
#define FROM uint16_t
#define WIDEN(x) dti_widen_f16(x)
#define IS_SET(x) (((x)&0x7fff) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_bf16
#define FROM uint16_t
#define WIDEN(x) dti_widen_bf16(x)
#define IS_SET(x) (((x)&0x7fff) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_i8
#define FROM int8_t
#define WIDEN(x) ((int32_t)(x))
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_i16
#define FROM int16_t
#define WIDEN(x) ((int32_t)(x))
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_i32
#define FROM int32_t
#define WIDEN(x) ((int32_t)(x))
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_i64
#define FROM int64_t
#define WIDEN(x) (x)
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_u8
#define FROM uint8_t
#define WIDEN(x) ((int32_t)(x))
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_bool
#define FROM uint8_t
#define WIDEN(x) ((int32_t)((x) != 0))
#define IS_SET(x) ((x) != 0)
#define IMAGINARY(x) 0
#include "array/cast_tmpl.h"

#define NAME from_c64
#define FROM dti_c64
#define WIDEN(x) ((x).real)
#define IS_SET(x) ((x).real != 0 || (x).imaginary != 0)
#define IMAGINARY(x) ((x).imaginary)
#include "array/cast_tmpl.h"

#ifdef HALVES
#include HALVES
#else
#define FROM_F32 from_f32
#define FROM_F16 from_f16
#endif

const dti_cast_run TABLE[DT_DTYPE_COUNT] = {
    [DT_F32] = FROM_F32,   [DT_F64] = from_f64, [DT_F16] = FROM_F16,
    [DT_BF16] = from_bf16, [DT_I8] = from_i8,   [DT_I16] = from_i16,
    [DT_I32] = from_i32,   [DT_I64] = from_i64, [DT_U8] = from_u8,
    [DT_BOOL] = from_bool, [DT_C64] = from_c64,
};

#undef TABLE
