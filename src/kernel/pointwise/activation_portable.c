/* kernel/pointwise/activation_portable.c - activations for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#define LOOPS dti_pointwise_activation_portable
#include "kernel/pointwise/activation_tmpl.h"
