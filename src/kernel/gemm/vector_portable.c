/* kernel/gemm/vector_portable.c - products of halves and vectors, on any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/half_portable.h"

#define SPREAD(x) (x)
#define KERNELS dti_vector_portable
#include "kernel/gemm/vector_tmpl.h"
