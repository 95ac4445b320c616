/* dtensor/dtype.h - element types. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DTYPE_H
#define DTENSOR_DTYPE_H

#include <stddef.h>

#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/*
 * The list of dtypes: X(constant, name, bytes, kind, NumPy name).  Code for all
 * dtypes expands it.
 */
#define DT_DTYPES(X)                                                           \
    X(F32, "f32", 4, FLOAT, "float32")                                         \
    X(F64, "f64", 8, FLOAT, "float64")                                         \
    X(F16, "f16", 2, FLOAT, "float16")                                         \
    X(BF16, "bf16", 2, FLOAT, "bfloat16")                                      \
    X(I8, "i8", 1, SIGNED, "int8")                                             \
    X(I16, "i16", 2, SIGNED, "int16")                                          \
    X(I32, "i32", 4, SIGNED, "int32")                                          \
    X(I64, "i64", 8, SIGNED, "int64")                                          \
    X(U8, "u8", 1, UNSIGNED, "uint8")                                          \
    X(BOOL, "bool", 1, BOOLEAN, "bool")                                        \
    X(C64, "c64", 8, COMPLEX, "complex64")

/* Element types: DT_F32, DT_F64, ... */
typedef enum dt_dtype {
#define DT_DTYPE_CONSTANT_(constant, name, bytes, kind, numpy) DT_##constant,
    DT_DTYPES(DT_DTYPE_CONSTANT_)
#undef DT_DTYPE_CONSTANT_
        DT_DTYPE_COUNT
} dt_dtype;

/* The kind of number that a dtype represents. */
typedef enum dt_dtype_kind {
    DT_KIND_FLOAT,    /* f16, bf16, f32, f64 */
    DT_KIND_SIGNED,   /* i8, i16, i32, i64 */
    DT_KIND_UNSIGNED, /* u8 */
    DT_KIND_BOOLEAN,  /* bool */
    DT_KIND_COMPLEX   /* c64 */
} dt_dtype_kind;

/*
 * Return the name of a dtype, for example "f32"; "invalid" for other values.
 *
 * Not collective.  The text is static.
 */
DT_API const char *dt_dtype_name(dt_dtype dtype);

/*
 * Return the size of an element in bytes; 0 for an invalid dtype.
 *
 * Not collective.
 */
DT_API size_t dt_dtype_size(dt_dtype dtype);

/*
 * Return the kind of number that a dtype represents.
 *
 * Not collective.  The dtype must be valid.
 */
DT_API dt_dtype_kind dt_dtype_kind_of(dt_dtype dtype);

/*
 * Find a dtype by its name ("f32") or its NumPy name ("float32").
 *
 * Not collective.  DT_ERR_NOT_FOUND if no dtype has this name.
 */
DT_API DT_MUST_USE dt_status dt_dtype_parse(const char *name, dt_dtype *out);

DT_EXTERN_C_END

#endif
