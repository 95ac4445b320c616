/* kernel/softmax/along_f64.c - the loops over runs of f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T double
#define EXP exp_f64
#define LOOPS dti_along_f64
#include "kernel/softmax/along_tmpl.h"
