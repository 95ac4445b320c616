/* dtensor/number.h - numbers that take part in type promotion. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_NUMBER_H
#define DTENSOR_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>

DT_EXTERN_C_BEGIN

/*
 * An integer, a real number, a complex number or a truth value.  Beside a
 * tensor only its kind counts: 2 leaves every numeric dtype as it is, 2.5 makes
 * integers f32, a complex number makes f32 c64.
 */
typedef struct dt_number {
    dt_dtype_kind kind; /* DT_KIND_SIGNED, DT_KIND_FLOAT, DT_KIND_COMPLEX or
                           DT_KIND_BOOLEAN */
    union {
        int64_t integer; /* also of a truth value */
        double real;     /* also the real part of a complex number */
    } as;
    double imaginary; /* of a complex number; 0 of others */
} dt_number;

/* Not collective. */
static inline dt_number dt_integer(int64_t value)
{
    dt_number number;
    number.kind = DT_KIND_SIGNED;
    number.as.integer = value;
    number.imaginary = 0;
    return number;
}

static inline dt_number dt_real(double value)
{
    dt_number number;
    number.kind = DT_KIND_FLOAT;
    number.as.real = value;
    number.imaginary = 0;
    return number;
}

static inline dt_number dt_complex_number(double real, double imaginary)
{
    dt_number number;
    number.kind = DT_KIND_COMPLEX;
    number.as.real = real;
    number.imaginary = imaginary;
    return number;
}

static inline dt_number dt_truth(bool value)
{
    dt_number number;
    number.kind = DT_KIND_BOOLEAN;
    number.as.integer = value;
    number.imaginary = 0;
    return number;
}

/* A real number in an initialiser, also of what is static. */
#ifdef __cplusplus
#define DT_REAL(value) dt_real(value)
#else
#define DT_REAL(value)                                                         \
    {                                                                          \
        DT_KIND_FLOAT, {.real = (value)}, 0                                    \
    }
#endif

/* The value as a double, whatever its kind; the real part of a complex number.
 * Not collective. */
static inline double dt_number_real(dt_number number)
{
    return number.kind == DT_KIND_FLOAT || number.kind == DT_KIND_COMPLEX
               ? number.as.real
               : (double)number.as.integer;
}

/* Tell whether a number of any kind equals a real one.  Not collective. */
static inline bool dt_number_is(dt_number number, double value)
{
    return dt_number_real(number) == value && number.imaginary == 0;
}

/* What becomes of the losses of single elements, as operators take it. */
typedef enum dt_reduction {
    DT_REDUCTION_NONE, /* they stay as they are */
    DT_REDUCTION_MEAN,
    DT_REDUCTION_SUM
} dt_reduction;

/* Dimensions by value: DT_DIMS(0, -1); DT_DIMS() are all of them. */
typedef dt_shape dt_dims;

/* No dimension, for dt_any, dt_all and dt_squeeze: what an empty list is to
 * PyTorch there.  Not collective. */
static inline dt_dims dt_no_dims(void)
{
    dt_dims dims = {-1, {0}};
    return dims;
}

DT_EXTERN_C_END

#define DT_DIMS(...) DT_SHAPE(__VA_ARGS__)
#define DT_NO_DIMS dt_no_dims()

/* DT_NUMBER(2) and DT_NUMBER(2.5) are numbers by value. */
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
