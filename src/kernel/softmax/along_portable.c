/* kernel/softmax/along_portable.c - the loops over runs of f32, for any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define EXP exp_f32
#define LOOPS dti_along_portable
#include "kernel/softmax/along_tmpl.h"
