/* ops/math/pointwise.h - what operators that work element by element share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_MATH_POINTWISE_H
#define DTI_OPS_MATH_POINTWISE_H

#include <stdbool.h>

#include <dtensor/sys/op.h>

#include "kernel/pointwise/pointwise.h"

/* What `data` of such a row is. */
typedef struct dti_pointwise_row {
    dti_pointwise function;
    bool to_float; /* integers and bool become f32 before it is computed */
    double factor; /* of rows that multiply by a constant */
} dti_pointwise_row;

/* For rows: the function, of the dtype that operands are promoted to, or of
 * floats. */
#define DTI_FUNCTION(name)                                                     \
    .data = &(const dti_pointwise_row)                                         \
    {                                                                          \
        .function = (name)                                                     \
    }
#define DTI_FUNCTION_OF_FLOATS(name)                                           \
    .data = &(const dti_pointwise_row)                                         \
    {                                                                          \
        .function = (name), .to_float = true                                   \
    }

/* For rows that have nothing but that: their `meta`, `kernel` and function.  Of
 * tensors: Numbers are not promoted; of numbers: not supported for bool. */
#define DTI_POINTWISE(name)                                                    \
    .meta = dti_pointwise_meta, .kernel = dti_pointwise_kernel,                \
    DTI_FUNCTION(name)
#define DTI_POINTWISE_OF_FLOATS(name)                                          \
    .meta = dti_pointwise_meta, .kernel = dti_pointwise_kernel,                \
    DTI_FUNCTION_OF_FLOATS(name)
#define DTI_POINTWISE_OF_TENSORS(name)                                         \
    .meta = dti_pointwise_meta_tensors, .kernel = dti_pointwise_kernel,        \
    DTI_FUNCTION(name)
#define DTI_POINTWISE_OF_NUMBERS(name)                                         \
    .meta = dti_pointwise_meta_numbers, .kernel = dti_pointwise_kernel,        \
    DTI_FUNCTION(name)

/* The same for functions of one tensor, or of two that are broadcast, that can
 * work in place: with rule, variants and samples. */
#define DTI_UNARY(name)                                                        \
    .rule = "...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,                   \
    .samples = DTI_SAMPLES_OF_ONE, DTI_POINTWISE(name)
#define DTI_UNARY_OF_FLOATS(name)                                              \
    .rule = "...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,                   \
    .samples = DTI_SAMPLES_OF_ONE, DTI_POINTWISE_OF_FLOATS(name)
#define DTI_BINARY(name)                                                       \
    .rule = "...,...->...", .flags = DT_OP_IN_PLACE | DT_OP_OUT,               \
    .samples = DTI_SAMPLES_OF_TWO, DTI_POINTWISE(name)

/* For rows: samples that nearly all have. */
#define DTI_SAMPLES_OF_ONE "(T[m,n]); (T[m,3,n]); (T[])"
#define DTI_SAMPLES_POSITIVE "(T[m,n]>0); (T[m]>0); (T[]>0)"
#define DTI_SAMPLES_OF_FRACTIONS "(T[m,n]>0<1); (T[m]>0<1); (T[]>0<1)"
#define DTI_SAMPLES_OF_TWO                                                     \
    "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,1], T[3,1,n]); (T[], T[m]); "      \
    "(T[m], T[])"
#define DTI_SAMPLES_SECOND_POSITIVE                                            \
    "(T[m,n], T[m,n]>0); (T[m,n], T[n]>0); (T[m,1], T[3,1,n]>0); "             \
    "(T[], T[m]>0); (T[m], T[]>0)"
#define DTI_SAMPLES_NUMBER "(T[m,n], 2); (T[m], 3); (T[], 2)"

/* ---- Results ------------------------------------------------------------- */

/* The function of the row, or DT_ERR_UNSUPPORTED if it is not defined for a
 * dtype. */
dti_pointwise dti_pointwise_function(const dt_operation *operation);
dt_status dti_pointwise_check(const dt_operation *operation, dt_dtype dtype);

/* Add the result of a function whose operands are promoted to a dtype. */
dt_status dti_pointwise_add(dt_operation *operation, dt_dtype dtype);

/* For `meta` of rows: all tensors broadcast, all tensors and Numbers promoted.
 */
dt_status dti_pointwise_meta(dt_operation *operation);

/* The same of numbers: not supported for bool. */
dt_status dti_pointwise_meta_numbers(dt_operation *operation);

/* The same of tensors alone: Numbers are not promoted. */
dt_status dti_pointwise_meta_tensors(dt_operation *operation);

/* For `check` of rows: integers are not computed with Numbers that their dtype
 * does not hold. */
dt_status dti_pointwise_check_numbers(const dt_operation *operation);

/* ---- Rules --------------------------------------------------------------- */

/* Tell whether a dtype is one of floats or complex numbers. */
bool dti_pointwise_is_float(dt_dtype dtype);

/* ---- Kernels ------------------------------------------------------------- */

static inline dti_pointwise_input
dti_pointwise_array(const dt_operation *operation, int index)
{
    return (dti_pointwise_input){.array = operation->in[index]};
}

static inline dti_pointwise_input dti_pointwise_number(dt_number number)
{
    return (dti_pointwise_input){.array = NULL, .number = number};
}

/* Compute result 0 in its own dtype, but absolute values in that of the first
 * tensor. */
dt_status dti_pointwise_run(dt_operation *operation, dti_pointwise function,
                            const dti_pointwise_input *inputs);

/* The same with tensors, Numbers and floats in the order of the schema. */
dt_status dti_pointwise_run_all(dt_operation *operation,
                                dti_pointwise function);

/* For `kernel` of rows: the same with the row's function; a copy of the first
 * tensor. */
dt_status dti_pointwise_kernel(dt_operation *operation);
dt_status dti_pointwise_copy(dt_operation *operation);

#endif
