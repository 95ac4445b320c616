/* kernel/pointwise/pointwise_portable.c - the pointwise loops for any
 * processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_portable
#include "kernel/pointwise/pointwise_tmpl.h"
