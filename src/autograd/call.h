/* autograd/call.h - operators that the backward pass calls by itself. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_CALL_H
#define DTI_AUTOGRAD_CALL_H

#include "tensor/tensor.h"

/*
 * Each is collective over the mesh of its tensor, unless nothing is sent, and
 * its result belongs to the scope.  Results are recorded as those of any call.
 */

/* Call an operator that takes one tensor and returns one. */
dt_status dti_call_unary(dt_world *world, const char *name, dt_tensor *tensor,
                         dt_tensor **out);

dt_status dti_call_add(dt_tensor *one, dt_tensor *other, dt_tensor **out);

/* Sum over the dimensions that broadcasting made of a shape. */
dt_status dti_call_sum_to(dt_tensor *tensor, dt_shape shape, dt_tensor **out);

/* Convert to a dtype; of complex numbers, a real one takes the real part. */
dt_status dti_call_cast(dt_tensor *tensor, dt_dtype dtype, dt_tensor **out);

/* Set all elements to zero, in place. */
dt_status dti_call_zero(dt_tensor *tensor);

/* Create zeros or ones of a spec; partial placements become replicated. */
dt_status dti_call_zeros(const dt_spec *spec, dt_tensor **out);
dt_status dti_call_ones(const dt_spec *spec, dt_tensor **out);

/* Redistribute to a layout; nothing is sent if the tensor has it.  The first
 * use of an asynchronous result waits. */
dt_status dti_call_redistribute(dt_tensor *tensor, const dt_layout *layout,
                                bool asynchronous, dt_tensor **out);

#endif
