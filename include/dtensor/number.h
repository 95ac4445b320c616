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
 * An integer, a real number or a truth value.  Beside a tensor only its kind
 * counts: 2 leaves every numeric dtype as it is, 2.5 makes integers f32.
 */
typedef struct dt_number {
    dt_dtype_kind kind; /* DT_KIND_SIGNED, DT_KIND_FLOAT or DT_KIND_BOOLEAN */
    union {
        int64_t integer; /* also of a truth value */
        double real;
    } as;
} dt_number;

/* Not collective. */
static inline dt_number dt_integer(int64_t value)
{
    dt_number number;
    number.kind = DT_KIND_SIGNED;
    number.as.integer = value;
    return number;
}

static inline dt_number dt_real(double value)
{
    dt_number number;
    number.kind = DT_KIND_FLOAT;
    number.as.real = value;
    return number;
}

static inline dt_number dt_truth(bool value)
{
    dt_number number;
    number.kind = DT_KIND_BOOLEAN;
    number.as.integer = value;
    return number;
}

/* A real number in an initialiser, also of what is static. */
#ifdef __cplusplus
#define DT_REAL(value) dt_real(value)
#else
#define DT_REAL(value)                                                         \
    {                                                                          \
        DT_KIND_FLOAT,                                                         \
        {                                                                      \
            .real = (value)                                                    \
        }                                                                      \
    }
#endif

/* The value as a double, whatever its kind.  Not collective. */
static inline double dt_number_real(dt_number number)
{
    return number.kind == DT_KIND_FLOAT ? number.as.real
                                        : (double)number.as.integer;
}

/* What becomes of the losses of single elements, as operators take it. */
typedef enum dt_reduction {
    DT_REDUCTION_NONE, /* they stay as they are */
    DT_REDUCTION_MEAN,
    DT_REDUCTION_SUM
} dt_reduction;

/* Dimensions by value: DT_DIMS(0, -1); DT_DIMS() are all of them. */
typedef dt_shape dt_dims;

DT_EXTERN_C_END

#define DT_DIMS(...) DT_SHAPE(__VA_ARGS__)

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
