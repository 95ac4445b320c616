/* kernel/pointwise.h - functions of elements, over arrays that broadcast. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_H
#define DTI_KERNEL_POINTWISE_H

#include <stdbool.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>
#include <dtensor/number.h>

typedef enum dti_pointwise {
    /* of two */
    DTI_ADD,
    DTI_SUB,
    DTI_MUL,
    DTI_DIV, /* not for integers */
    DTI_POW,
    DTI_MAXIMUM, /* NaN wins */
    DTI_MINIMUM,
    DTI_EQ, /* from here on the result is bool */
    DTI_NE,
    DTI_LT,
    DTI_LE,
    DTI_GT,
    DTI_GE,
    DTI_AND, /* of bool */
    DTI_OR,
    /* of one */
    DTI_NOT, /* of bool */
    DTI_NEG,
    DTI_ABS, /* f32 of c64 */
    DTI_RECIPROCAL,
    DTI_EXP,
    DTI_LOG,
    DTI_SQRT,
    DTI_RSQRT,
    DTI_TANH,
    DTI_SIGMOID,
    DTI_SILU,
    DTI_GELU,
    DTI_GELU_TANH,
    DTI_RELU,
    /* of three */
    DTI_ADD_SCALED, /* a + b c, c is a number */
    DTI_WHERE,      /* a ? b : c, a is bool */
    DTI_POINTWISE_COUNT
} dti_pointwise;

/* An array that broadcasts to the shape of the result, or a number. */
typedef struct dti_pointwise_input {
    const dt_array *array; /* NULL: the number */
    dt_number number;
} dti_pointwise_input;

/* Tell whether a function is defined for a dtype. */
bool dti_pointwise_supports(dti_pointwise function, dt_dtype dtype);

/*
 * Apply a function to elements of a dtype that is supported.
 *
 * Inputs are of any dtype and strides and are converted to `dtype` first, as
 * by dt_array_copy; so is the result to that of the output.  f16 and bf16 are
 * computed in f32 and rounded once.  Numbers and 0-d arrays beside these are
 * not rounded to them by sums, products and quotients, as in PyTorch.  The
 * output may be an input, element for element; otherwise they do not overlap.
 * All have storage.
 */
void dti_pointwise_apply(dti_pointwise function, dt_dtype dtype,
                         const dti_pointwise_input *inputs, dt_array *out);

#endif
