/* kernel/pointwise/real_portable.c - functions of reals for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_real_portable
#include "kernel/pointwise/real_tmpl.h"
