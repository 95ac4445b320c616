/* ops/helpers/rows.h - runs along a dimension: arrays whose last one is
 * another's. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_ROWS_H
#define DTI_OPS_HELPERS_ROWS_H

#include <dtensor/sys/op.h>

#include "kernel/softmax/along.h"

/* f32 of halves and f32, f64 of f64: what floats are worked on as. */
dt_dtype dti_rows_carrier(dt_dtype dtype);

/* Return the elements of an array, in a dtype, dense and with `dim` as the last
 * dimension; they belong to the call. */
dt_status dti_rows_bring(const dt_operation *operation, dt_array *array,
                         int dim, dt_dtype dtype, dt_array **out);

/* Return scratch for what dti_rows_settle puts into an array in the same way:
 * the array itself, if it has this order; else it belongs to the call. */
dt_status dti_rows_room(const dt_operation *operation, dt_array *array, int dim,
                        dt_dtype dtype, dt_array **out);
dt_status dti_rows_settle(const dt_operation *operation, dt_array *room,
                          int dim, dt_array *array);

/* The runs of a dense array along its last dimension. */
dti_along dti_rows_runs(const dt_array *array);

#endif
