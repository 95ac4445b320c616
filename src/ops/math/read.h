/* ops/math/read.h - results that become answers. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_MATH_READ_H
#define DTI_OPS_MATH_READ_H

#include <stdbool.h>

#include <dtensor/tensor.h>

/* Combine a 0-d result of bool, and read it; true outside the mesh. */
dt_status dti_read_answer(dt_tensor *given, bool *out);

/* The sentence of a function for the one of two tensors that is NULL. */
dt_status dti_read_null(const char *function, dt_tensor *a, dt_tensor *b);

#endif
