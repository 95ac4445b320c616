/* random/draw_avx2.c - the kernels of draws with AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/lanes_avx2.h"

#define KERNELS dti_draw_avx2
#include "random/draw_tmpl.h"
