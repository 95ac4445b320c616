/* array/cast_level_tmpl.h - the conversions of one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/* Included once per level with TABLE, the table to define; and HALVES, a file
 * that defines FROM_F32, FROM_F64 and FROM_F16 where there are instructions for
 * f16. */
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

/* Few processors convert vectors of i64 to floats, and numbers are mostly
 * small: blocks of those are converted as i32. */
static void from_i64_by_i32(const void *source, void *destination,
                            dt_dtype dtype, int64_t count)
{
    const int64_t *from = source;
    char *to = destination;
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    const int64_t item = (int64_t)dt_dtype_size(dtype);
    if (kind != DT_KIND_FLOAT && kind != DT_KIND_COMPLEX) {
        from_i64(source, destination, dtype, count);
        return;
    }
    for (int64_t done = 0; done < count; done += DTI_CAST_BLOCK) {
        const int64_t left = count - done;
        const int64_t block = left < DTI_CAST_BLOCK ? left : DTI_CAST_BLOCK;
        int32_t small[DTI_CAST_BLOCK];
        uint64_t wide = 0;
        for (int64_t i = 0; i < block; i++) {
            wide |= (uint64_t)from[done + i] + (UINT64_C(1) << 31);
            small[i] = (int32_t)from[done + i];
        }
        if (wide >> 32)
            from_i64(from + done, to + done * item, dtype, block);
        else
            from_i32(small, to + done * item, dtype, block);
    }
}

#ifdef HALVES
#include HALVES
#else
#define FROM_F32 from_f32
#define FROM_F64 from_f64
#define FROM_F16 from_f16
#endif

const dti_cast_run TABLE[DT_DTYPE_COUNT] = {
    [DT_F32] = FROM_F32,   [DT_F64] = FROM_F64,        [DT_F16] = FROM_F16,
    [DT_BF16] = from_bf16, [DT_I8] = from_i8,          [DT_I16] = from_i16,
    [DT_I32] = from_i32,   [DT_I64] = from_i64_by_i32, [DT_U8] = from_u8,
    [DT_BOOL] = from_bool, [DT_C64] = from_c64,
};

#undef TABLE
