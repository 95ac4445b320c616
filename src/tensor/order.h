/* tensor/order.h - the order in which dimensions lie in memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_ORDER_H
#define DTI_TENSOR_ORDER_H

#include "array/array.h"
#include "layout/spec.h"

/*
 * Give a meta the strides of a dense tensor whose dimensions are in the order
 * of the strides that it has; dimensions that repeat stay between their
 * neighbours, and extents of 0 count as 1.
 */
void dti_meta_make_dense(dt_meta *meta);

/* The same, but strides that are dense already stay as they are, also those of
 * extents of 1: what copies of a tensor have, and tensors like it. */
void dti_meta_keep_order(dt_meta *meta);

/*
 * Give the result of a pointwise operator its strides, which follow from those
 * of its inputs as in PyTorch; `result` has its shape, to which the inputs are
 * broadcast.  Inputs may be NULL.
 */
void dti_meta_order(dt_meta *result, const dt_meta *const *inputs, int count);

/* What this rank's array for a spec is, but for its storage: dense, its
 * dimensions in the order of the spec's strides. */
void dti_spec_form(const dt_spec *spec, dt_array *out);

#endif
