/* unit/op/promotion.h - what PyTorch's types are promoted to. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_PROMOTION_H
#define DT_TESTS_PROMOTION_H

#include <dtensor/dtype.h>

/*
 * Made by PyTorch 2.13: for each row's dtype a and each column's b,
 * torch.result_type of torch.ones(1, dtype=a) or torch.ones((), dtype=a) with
 * the same of b, or with a Python number.  Columns are in the order of
 * DT_DTYPES; "-" is complex128 or complex32, which are no dtypes of ours.
 */

/* Two tensors with dimensions, and two without. */
static const char *const dims_and_dims[DT_DTYPE_COUNT] = {
    [DT_F32] = "f32 f64 f32 f32 f32 f32 f32 f32 f32 f32 c64",
    [DT_F64] = "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 -",
    [DT_F16] = "f32 f64 f16 f32 f16 f16 f16 f16 f16 f16 c64",
    [DT_BF16] = "f32 f64 f32 bf16 bf16 bf16 bf16 bf16 bf16 bf16 c64",
    [DT_I8] = "f32 f64 f16 bf16 i8 i16 i32 i64 i16 i8 c64",
    [DT_I16] = "f32 f64 f16 bf16 i16 i16 i32 i64 i16 i16 c64",
    [DT_I32] = "f32 f64 f16 bf16 i32 i32 i32 i64 i32 i32 c64",
    [DT_I64] = "f32 f64 f16 bf16 i64 i64 i64 i64 i64 i64 c64",
    [DT_U8] = "f32 f64 f16 bf16 i16 i16 i32 i64 u8 u8 c64",
    [DT_BOOL] = "f32 f64 f16 bf16 i8 i16 i32 i64 u8 bool c64",
    [DT_C64] = "c64 - c64 c64 c64 c64 c64 c64 c64 c64 c64",
};

/* A tensor with dimensions, and one without. */
static const char *const dims_and_none[DT_DTYPE_COUNT] = {
    [DT_F32] = "f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 c64",
    [DT_F64] = "f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 -",
    [DT_F16] = "f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 -",
    [DT_BF16] = "bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 c64",
    [DT_I8] = "f32 f64 f16 bf16 i8 i8 i8 i8 i8 i8 c64",
    [DT_I16] = "f32 f64 f16 bf16 i16 i16 i16 i16 i16 i16 c64",
    [DT_I32] = "f32 f64 f16 bf16 i32 i32 i32 i32 i32 i32 c64",
    [DT_I64] = "f32 f64 f16 bf16 i64 i64 i64 i64 i64 i64 c64",
    [DT_U8] = "f32 f64 f16 bf16 u8 u8 u8 u8 u8 u8 c64",
    [DT_BOOL] = "f32 f64 f16 bf16 i8 i16 i32 i64 u8 bool c64",
    [DT_C64] = "c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64",
};

/* A tensor with dimensions and the numbers 2, 2.5 and True. */
static const char *const dims_and_number[DT_DTYPE_COUNT] = {
    [DT_F32] = "f32 f32 f32", [DT_F64] = "f64 f64 f64",
    [DT_F16] = "f16 f16 f16", [DT_BF16] = "bf16 bf16 bf16",
    [DT_I8] = "i8 f32 i8",    [DT_I16] = "i16 f32 i16",
    [DT_I32] = "i32 f32 i32", [DT_I64] = "i64 f32 i64",
    [DT_U8] = "u8 f32 u8",    [DT_BOOL] = "i64 f32 bool",
    [DT_C64] = "c64 c64 c64",
};

/* A tensor without dimensions and the numbers 2, 2.5 and True. */
static const char *const none_and_number[DT_DTYPE_COUNT] = {
    [DT_F32] = "f32 f32 f32", [DT_F64] = "f64 f64 f64",
    [DT_F16] = "f16 f16 f16", [DT_BF16] = "bf16 bf16 bf16",
    [DT_I8] = "i8 f32 i8",    [DT_I16] = "i16 f32 i16",
    [DT_I32] = "i32 f32 i32", [DT_I64] = "i64 f32 i64",
    [DT_U8] = "u8 f32 u8",    [DT_BOOL] = "i64 f32 bool",
    [DT_C64] = "c64 c64 c64",
};

#endif
