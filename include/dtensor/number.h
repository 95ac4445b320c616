/* dtensor/number.h - scalar arguments, which take part in type promotion. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_NUMBER_H
#define DTENSOR_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>

DT_EXTERN_C_BEGIN

/*
 * An integer, real or complex number, or a bool.  In type promotion with a
 * tensor only its kind matters: 2 keeps every numeric dtype, 2.5 promotes
 * integers to f32, and a complex number promotes f32 to c64.
 */
typedef struct dt_number {
    dt_dtype_kind kind; /* DT_KIND_SIGNED, DT_KIND_FLOAT, DT_KIND_COMPLEX or
                           DT_KIND_BOOLEAN */
    union {
        int64_t integer; /* of an integer or bool */
        double real;     /* real number, or real part of a complex number */
    } as;
    double imaginary; /* imaginary part of a complex number; otherwise 0 */
} dt_number;

/* Create numbers.  Not collective. */
DT_INLINE_ dt_number dt_integer(int64_t value)
{
    dt_number number;
    number.kind = DT_KIND_SIGNED;
    number.as.integer = value;
    number.imaginary = 0;
    return number;
}

DT_INLINE_ dt_number dt_real(double value)
{
    dt_number number;
    number.kind = DT_KIND_FLOAT;
    number.as.real = value;
    number.imaginary = 0;
    return number;
}

DT_INLINE_ dt_number dt_complex_number(double real, double imaginary)
{
    dt_number number;
    number.kind = DT_KIND_COMPLEX;
    number.as.real = real;
    number.imaginary = imaginary;
    return number;
}

DT_INLINE_ dt_number dt_truth(bool value)
{
    dt_number number;
    number.kind = DT_KIND_BOOLEAN;
    number.as.integer = value;
    number.imaginary = 0;
    return number;
}

/* A real number for an initialiser, including one with static storage. */
#ifdef __cplusplus
#define DT_REAL(value) dt_real(value)
#else
#define DT_REAL(value)                                                         \
    {                                                                          \
        DT_KIND_FLOAT, {.real = (value)}, 0                                    \
    }
#endif

/* Convert a number to double; a complex number to its real part.
 * Not collective. */
DT_INLINE_ double dt_number_real(dt_number number)
{
    return number.kind == DT_KIND_FLOAT || number.kind == DT_KIND_COMPLEX
               ? number.as.real
               : (double)number.as.integer;
}

/* Test whether a number of any kind equals a real value.  Not collective. */
DT_INLINE_ bool dt_number_is(dt_number number, double value)
{
    return dt_number_real(number) == value && number.imaginary == 0;
}

/* How operators reduce the losses of single elements. */
typedef enum dt_reduction {
    DT_REDUCTION_NONE, /* no reduction: one loss per element */
    DT_REDUCTION_MEAN, /* mean of all losses */
    DT_REDUCTION_SUM   /* sum of all losses */
} dt_reduction;

/* How a quotient is rounded. */
typedef enum dt_rounding {
    DT_ROUNDING_TRUNC, /* towards zero */
    DT_ROUNDING_FLOOR  /* down */
} dt_rounding;

/* How scatter_reduce reduces elements with the same index. */
typedef enum dt_scatter_reduction {
    DT_SCATTER_REDUCTION_SUM,
    DT_SCATTER_REDUCTION_PROD, /* product */
    DT_SCATTER_REDUCTION_MEAN,
    DT_SCATTER_REDUCTION_AMAX, /* largest */
    DT_SCATTER_REDUCTION_AMIN  /* smallest */
} dt_scatter_reduction;

/* How gelu computes the normal distribution function. */
typedef enum dt_approximate {
    DT_APPROXIMATE_NONE, /* by the error function */
    DT_APPROXIMATE_TANH  /* approximately, by the hyperbolic tangent */
} dt_approximate;

/* A list of dimensions by value: DT_DIMS(0, -1).  DT_DIMS() means all
 * dimensions. */
typedef dt_shape dt_dims;

/* An empty list of dimensions, for dt_any, dt_all and dt_squeeze.  Means what
 * an empty list means to PyTorch in these functions.  Not collective. */
DT_INLINE_ dt_dims dt_no_dims(void)
{
    dt_dims dims = {-1, {0}};
    return dims;
}

DT_EXTERN_C_END

#define DT_DIMS(...) DT_SHAPE(__VA_ARGS__)
#define DT_NO_DIMS dt_no_dims()

/* A number by value: DT_NUMBER(2), DT_NUMBER(2.5). */
#ifdef __cplusplus
static inline dt_number dt_number_of(bool value)
{
    return dt_truth(value);
}
static inline dt_number dt_number_of(double value)
{
    return dt_real(value);
}
static inline dt_number dt_number_of(float value)
{
    return dt_real(value);
}
template <typename Integer> static inline dt_number dt_number_of(Integer value)
{
    return dt_integer(static_cast<int64_t>(value));
}
#define DT_NUMBER(value) dt_number_of(value)
#else
#define DT_NUMBER(value)                                                       \
    _Generic((value), bool                                                     \
             : dt_truth, float                                                 \
             : dt_real, double                                                 \
             : dt_real, default                                                \
             : dt_integer)(value)
#endif

#endif
