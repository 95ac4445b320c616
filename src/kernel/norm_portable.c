/* kernel/norm_portable.c - the loops of norms, for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_norm_portable
#include "kernel/norm_tmpl.h"
