/* ops/create/value.h - a number that elements are set to. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_CREATE_VALUE_H
#define DTI_OPS_CREATE_VALUE_H

#include <dtensor/sys/op.h>

/* Fail unless a dtype holds a number, but for what it rounds off. */
dt_status dti_value_check(const dt_operation *operation, dt_number value,
                          dt_dtype dtype);

/* For `check` of rows: the same of the argument `value` and the result. */
dt_status dti_value_check_argument(const dt_operation *operation);

/*
 * Set elements of this rank's part of result 0 to a number: of a partial
 * result, to what combines with that of the other ranks to the number.
 */
dt_status dti_value_fill(const dt_operation *operation, dt_number value,
                         dt_array *array);

/* Set every element to the one that changes nothing in a maximum or minimum. */
dt_status dti_value_extreme(dt_world *world, dt_reduce reduce, dt_array *array);

#endif
