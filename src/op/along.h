/* op/along.h - runs along a dimension, and the ranks that share them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_ALONG_H
#define DTI_OP_ALONG_H

#include <dtensor/comm.h>
#include <dtensor/sys/op.h>

#include "kernel/along.h"

/* ---- Arrays whose last dimension is another's --------------------------- */

/* f32 of halves and f32, f64 of f64: what floats are worked on as. */
dt_dtype dti_along_carrier(dt_dtype dtype);

/* Give the elements of an array, of another dtype, dense and with `dim` as the
 * last dimension.  The caller releases them. */
dt_status dti_along_bring(dt_world *world, dt_array *array, int dim,
                          dt_dtype dtype, dt_array **out);

/* Give room for what dti_along_settle puts into an array in the same way: the
 * array itself, if it lies so.  The caller releases it. */
dt_status dti_along_room(dt_world *world, dt_array *array, int dim,
                         dt_dtype dtype, dt_array **out);
dt_status dti_along_settle(dt_world *world, dt_array *room, int dim,
                           dt_array *array);

/* The runs of a dense array along its last dimension. */
dti_along dti_along_runs(const dt_array *array);

/* ---- Ranks -------------------------------------------------------------- */

/* Give the ranks that have the other parts of dimensions, a bit each; NULL if
 * there are none. */
dt_status dti_along_group(const dt_spec *spec, unsigned dims, dt_group **out);

/* Create an array of f64, not set; of a call that computes nothing a meta
 * array. */
dt_status dti_along_numbers(const dt_operation *operation, int64_t count,
                            dt_array **out);

/* Combine the numbers of a group, on all of its ranks; nothing without one. */
dt_status dti_along_combine(dt_group *group, dt_reduce op, dt_array *numbers);

#endif
