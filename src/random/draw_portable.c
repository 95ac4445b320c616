/* random/draw_portable.c - the kernels of draws for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/lanes_portable.h"

#define KERNELS dti_draw_portable
#include "random/draw_tmpl.h"
