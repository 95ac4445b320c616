/* random/draw_avx512.c - the kernels of draws with AVX-512. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/lanes_avx512.h"

#define KERNELS dti_draw_avx512
#include "random/draw_tmpl.h"
