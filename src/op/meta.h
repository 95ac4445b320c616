/* op/meta.h - what results are: broadcasting and type promotion. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_META_H
#define DTI_OP_META_H

#include <dtensor/sys/op.h>

#include "base/error.h"

/* ---- Type promotion ----------------------------------------------------- */

/*
 * Types are promoted as PyTorch does.  Tensors with dimensions come first, then
 * 0-d tensors, then Numbers: a later group counts only where its category
 * (bool, integer, float, complex) is higher.
 */

/* The dtype that holds both; DT_DTYPE_COUNT where it would be complex128. */
dt_dtype dti_promote_types(dt_dtype a, dt_dtype b);

/* f32 for integers and bool, others as they are: what functions of reals and
 * true division give. */
dt_dtype dti_promote_float(dt_dtype dtype);

/* What a tensor of a dtype and a Number give. */
dt_dtype dti_promote_number(dt_dtype dtype, dt_number number);

/* Promote all tensors and all Numbers of a call but its options.
 * DT_ERR_UNSUPPORTED if no dtype holds them. */
dt_status dti_promote(const dt_operation *operation, dt_dtype *out);

/* Promote tensors `first` to `last`, both included, and no Numbers. */
dt_status dti_promote_tensors(const dt_operation *operation, int first,
                              int last, dt_dtype *out);

/* ---- Shapes ------------------------------------------------------------- */

/* Give the shape that tensors `first` to `last`, both included, broadcast to;
 * absent ones are left out.  DT_ERR_INVALID names both shapes. */
dt_status dti_meta_broadcast(const dt_operation *operation, int first, int last,
                             dt_shape *out);

/* Read the shape that an argument says, from its number. */
dt_status dti_meta_shape(const dt_operation *operation, int argument,
                         dt_shape *out);

/* Add a row-major result. */
dt_status dti_meta_add(dt_operation *operation, dt_dtype dtype, dt_shape shape);

/*
 * Add the result of a pointwise operator, whose strides follow from those of
 * all tensors, which broadcast to its shape (tensor/order.h).  Tensors from
 * `first` on that are not of the dtype that is computed in are converted
 * before, which takes gaps and repetitions out of their strides, as in PyTorch.
 */
dt_status dti_meta_add_pointwise(dt_operation *operation, dt_dtype dtype,
                                 dt_shape shape, dt_dtype computed, int first);

/* Add a copy of the first tensor, of a dtype, its dimensions in the same order.
 */
dt_status dti_meta_copy_first(dt_operation *operation, dt_dtype dtype);

/* Fail unless an argument whose type is an enum has one of its values. */
dt_status dti_check_value(const dt_operation *operation, const char *name);

/* ---- For `meta` of rows, with one result -------------------------------- */

/* All tensors broadcast, all tensors and Numbers promoted; the result is bool.
 */
dt_status dti_meta_compare(dt_operation *operation);

/* Shape and dtype of the first tensor, row-major. */
dt_status dti_meta_like_first(dt_operation *operation);

/* The same with dimensions in the order of the first tensor. */
dt_status dti_meta_keep_first(dt_operation *operation);

#ifdef __clang_analyzer__ /* as in base/error.h */
#define dt_operation_fail(...) dti_failed(dt_operation_fail(__VA_ARGS__))
#endif

#endif
