/* kernel/norm/norm_f64.c - the loops of norms of f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T double
#define LOOPS dti_norm_f64
#include "kernel/norm/norm_tmpl.h"
