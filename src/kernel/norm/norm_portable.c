/* kernel/norm/norm_portable.c - the loops of norms of f32, for any processor.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define LOOPS dti_norm_portable
#include "kernel/norm/norm_tmpl.h"
