/* kernel/pointwise/pointwise.h - functions of elements, over arrays that
 * broadcast. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_POINTWISE_POINTWISE_H
#define DTI_KERNEL_POINTWISE_POINTWISE_H

#include <stdbool.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>
#include <dtensor/number.h>

/*
 * What is computed.  Inputs are x, y and z; behind them come a, b and c, which
 * are numbers.
 */
typedef enum dti_pointwise {
    /* of two */
    DTI_ADD,
    DTI_SUB,
    DTI_MUL,
    DTI_DIV,       /* not for integers */
    DTI_DIV_FLOOR, /* no integer is divided by 0 */
    DTI_DIV_TRUNC,
    DTI_REMAINDER, /* has the sign of y */
    DTI_FMOD,      /* has the sign of x */
    DTI_MAXIMUM,   /* NaN wins */
    DTI_MINIMUM,
    DTI_FMAX, /* NaN loses */
    DTI_FMIN,
    DTI_COPYSIGN,
    DTI_BITWISE_AND,
    DTI_BITWISE_OR,
    DTI_BITWISE_XOR,
    DTI_SHIFT_LEFT, /* 0 past the bits that there are, and for y below 0 */
    DTI_SHIFT_RIGHT,
    DTI_EQ, /* the result is bool */
    DTI_NE,
    DTI_LT,
    DTI_LE,
    DTI_GT,
    DTI_GE,
    DTI_AND, /* of bool */
    DTI_OR,
    DTI_XOR,
    /* of one */
    DTI_NOT, /* of bool; the result is bool */
    DTI_IS_NAN,
    DTI_IS_INF,
    DTI_IS_FINITE,
    DTI_IS_POSINF,
    DTI_IS_NEGINF,
    DTI_SIGNBIT,
    DTI_NEG,
    DTI_ABS, /* f32 of c64 */
    DTI_RECIPROCAL,
    DTI_SQUARE,
    DTI_CUBE,
    DTI_RELU,
    DTI_SIGN,
    DTI_FLOOR,
    DTI_CEIL,
    DTI_TRUNC,
    DTI_ROUND,
    DTI_FRAC,
    DTI_BITWISE_NOT,
    /* of one, with numbers */
    DTI_ROUND_AT,    /* the nearest multiple of 1/a, a > 0 */
    DTI_ROUND_ABOVE, /* the nearest multiple of a */
    DTI_CLAMP,       /* between a and b; b if a is more */
    DTI_THRESHOLD,   /* x <= a ? b : x */
    DTI_NAN_TO_NUM,  /* a for NaN, b for infinity, c for -infinity */
    /* of two or three, with numbers */
    DTI_ADD_SCALED,  /* x + a y */
    DTI_LERP_NUMBER, /* from x to y, a of the way */
    DTI_LERP,        /* from x to y, z of the way */
    DTI_ADDCMUL,     /* x + a y z */
    DTI_ADDCDIV,     /* x + a y / z */
    DTI_CLAMP_TO,    /* between y and z; z if y is more */
    DTI_WHERE,       /* x ? y : z, x is bool */

    /* functions of reals, of one */
    DTI_SQRT,
    DTI_RSQRT,
    DTI_EXP,
    DTI_EXP2,
    DTI_EXPM1,
    DTI_LOG,
    DTI_LOG2,
    DTI_LOG10,
    DTI_LOG1P,
    DTI_SIN,
    DTI_COS,
    DTI_TAN,
    DTI_ASIN,
    DTI_ACOS,
    DTI_ATAN,
    DTI_SINH,
    DTI_COSH,
    DTI_TANH,
    DTI_ASINH,
    DTI_ACOSH,
    DTI_ATANH,
    DTI_SINC,
    DTI_ERF,
    DTI_ERFC,
    DTI_ERFINV,
    DTI_NDTR, /* of the normal distribution, up to x */
    DTI_LOG_GAMMA,
    DTI_DIGAMMA,
    DTI_TRIGAMMA,
    DTI_POLYGAMMA, /* of order a, from 2 on */
    DTI_ENTROPY,   /* -x log(x) */
    DTI_SIGMOID,
    DTI_LOGIT,
    DTI_LOGIT_WITHIN, /* of x kept between a and 1 - a */
    /* of two */
    DTI_POW,
    DTI_HYPOT,
    DTI_ATAN2,
    DTI_LOGADDEXP,
    DTI_LOGADDEXP2,
    DTI_XLOGY,
    DTI_XLOG1PY,
    /* of complex numbers and their parts */
    DTI_ANGLE, /* f32 of c64 */
    DTI_CONJ,
    DTI_COMPLEX, /* of c64: the real parts of x and y are those of one */
    DTI_POLAR,   /* so with a length and an angle */

    /* activations */
    DTI_SILU,
    DTI_GELU,
    DTI_GELU_TANH,
    DTI_MISH,
    DTI_HARDSWISH,
    DTI_HARDSIGMOID,
    DTI_LOG_SIGMOID,
    DTI_SOFTSIGN,
    DTI_LEAKY_RELU, /* a x below 0 */
    DTI_ELU,        /* a expm1(c x) below 0, b x elsewhere */
    DTI_SOFTPLUS,   /* log(1 + exp(a x)) / a; x where a x is more than b */
    DTI_SOFTSHRINK, /* nearer to 0 by a */
    DTI_HARDSHRINK, /* 0 between -a and a */
    DTI_GLU,        /* x sigmoid(y) */
    /* x, the gradient of the result, times the derivative at y; the first two
     * and those of results are told the value of the function instead */
    DTI_SIGMOID_BACKWARD,
    DTI_TANH_BACKWARD,
    DTI_SILU_BACKWARD,
    DTI_GELU_BACKWARD,
    DTI_GELU_TANH_BACKWARD,
    DTI_MISH_BACKWARD,
    DTI_HARDSWISH_BACKWARD,
    DTI_HARDSIGMOID_BACKWARD,
    DTI_LOG_SIGMOID_BACKWARD,
    DTI_THRESHOLD_BACKWARD,
    DTI_LEAKY_RELU_BACKWARD,
    DTI_ELU_BACKWARD,
    DTI_ELU_RESULT_BACKWARD,
    DTI_SOFTPLUS_BACKWARD,
    DTI_HARDTANH_BACKWARD, /* between a and b */
    DTI_SHRINK_BACKWARD,   /* 0 between -a and a */
    DTI_LOGIT_BACKWARD,
    DTI_LOGIT_WITHIN_BACKWARD,
    DTI_GATE_BACKWARD, /* of glu with respect to y; z is what it multiplies */
    DTI_POINTWISE_COUNT
} dti_pointwise;

/* An array that broadcasts to the shape of the result, or a number. */
typedef struct dti_pointwise_input {
    const dt_array *array; /* NULL: the number */
    dt_number number;
} dti_pointwise_input;

/* How many inputs a function has, the numbers behind them included: no more
 * than DTI_POINTWISE_MOST. */
enum { DTI_POINTWISE_MOST = 6 };
int dti_pointwise_inputs(dti_pointwise function);

/* Tell whether a function is defined for a dtype. */
bool dti_pointwise_supports(dti_pointwise function, dt_dtype dtype);

/*
 * Apply a function to elements of a dtype that is supported.
 *
 * Inputs are of any dtype and strides and are converted to `dtype` first, as
 * by dt_array_copy; so is the result to that of the output.  f16 and bf16 are
 * computed in f32 and rounded once.  Numbers behind inputs are not rounded to
 * these; numbers and 0-d arrays in place of an array are not either by sums,
 * products and quotients, as in PyTorch.  The
 * output may be an input, element for element; otherwise they do not overlap.
 * All have storage.
 */
void dti_pointwise_apply(dti_pointwise function, dt_dtype dtype,
                         const dti_pointwise_input *inputs, dt_array *out);

#endif
