/* ops/math/bitwise.c - operators on the bits of integers and bool. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

/* ---- Shifts -------------------------------------------------------------- */

/* ---- Rows ---------------------------------------------------------------- */

#define BY_NUMBER                                                              \
    .rule = "...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,                   \
    .check = dti_pointwise_check_numbers, .gradient = "none",                  \
    .samples = DTI_SAMPLES_NUMBER

const dt_op dti_ops_bitwise[] = {
    {
        .schema = "bitwise_and(Tensor self, Tensor other) -> Tensor",
        .aten = "bitwise_and.Tensor",
        .about = "Bitwise and of two elements.",
        DTI_BINARY(DTI_BITWISE_AND),
        .gradient = "none",
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_and_scalar(Tensor self, Number other) -> Tensor",
        .aten = "bitwise_and.Scalar",
        .about = "Bitwise and of an element and a number.",
        BY_NUMBER,
        DTI_POINTWISE(DTI_BITWISE_AND),
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_or(Tensor self, Tensor other) -> Tensor",
        .aten = "bitwise_or.Tensor",
        .about = "Bitwise or of two elements.",
        DTI_BINARY(DTI_BITWISE_OR),
        .gradient = "none",
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_or_scalar(Tensor self, Number other) -> Tensor",
        .aten = "bitwise_or.Scalar",
        .about = "Bitwise or of an element and a number.",
        BY_NUMBER,
        DTI_POINTWISE(DTI_BITWISE_OR),
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_xor(Tensor self, Tensor other) -> Tensor",
        .aten = "bitwise_xor.Tensor",
        .about = "Bitwise exclusive or of two elements.",
        DTI_BINARY(DTI_BITWISE_XOR),
        .gradient = "none",
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_xor_scalar(Tensor self, Number other) -> Tensor",
        .aten = "bitwise_xor.Scalar",
        .about = "Bitwise exclusive or of an element and a number.",
        BY_NUMBER,
        DTI_POINTWISE(DTI_BITWISE_XOR),
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_not(Tensor self) -> Tensor",
        .about = "Bitwise not.",
        DTI_UNARY(DTI_BITWISE_NOT),
        .monotone = "-self",
        .gradient = "none",
        .dtypes = "int bool",
    },
    {
        .schema = "bitwise_left_shift(Tensor self, Tensor other) -> Tensor",
        .aten = "bitwise_left_shift.Tensor",
        .about = "Shift bits to the left: x 2^n; 0 if n is negative or not "
                 "less than the number of bits.",
        .rule = "...,...->...",
        .linear = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_SHIFT_LEFT),
        .gradient = "none",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], "
                   "T[3,1,n]>0); (T[], T[m]>0); (T[m], T[]>0)",
        .dtypes = "int",
    },
    {
        .schema =
            "bitwise_left_shift_scalar(Tensor self, Number other) -> Tensor",
        .aten = "bitwise_left_shift.Tensor_Scalar",
        .about = "Shift bits to the left by a number: x 2^n; 0 if n is "
                 "negative or not less than the number of bits.",
        BY_NUMBER,
        .linear = "self",
        DTI_POINTWISE_OF_NUMBERS(DTI_SHIFT_LEFT),
        .dtypes = "int",
    },
    {
        .schema = "bitwise_right_shift(Tensor self, Tensor other) -> Tensor",
        .aten = "bitwise_right_shift.Tensor",
        .about = "Shift bits to the right: x / 2^n, rounded down.",
        .rule = "...,...->...",
        .monotone = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        DTI_POINTWISE_OF_NUMBERS(DTI_SHIFT_RIGHT),
        .gradient = "none",
        .samples = "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], "
                   "T[3,1,n]>0); (T[], T[m]>0); (T[m], T[]>0)",
        .dtypes = "int",
    },
    {
        .schema =
            "bitwise_right_shift_scalar(Tensor self, Number other) -> Tensor",
        .aten = "bitwise_right_shift.Tensor_Scalar",
        .about = "Shift bits to the right by a number: x / 2^n, rounded down.",
        BY_NUMBER,
        .monotone = "self",
        DTI_POINTWISE_OF_NUMBERS(DTI_SHIFT_RIGHT),
        .dtypes = "int",
    },
    {0},
};
