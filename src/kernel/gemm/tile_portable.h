/* kernel/gemm/tile_portable.h - what tiles of products are made of, in C. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_GEMM_TILE_PORTABLE_H
#define DTI_KERNEL_GEMM_TILE_PORTABLE_H

#include <math.h>

#include "array/half_portable.h"
#include "base/attributes.h"

#define TILE_MOST_ROWS 6
enum { VECTORS = 4 };

/* a b + c, rounded once. */
static DTI_INLINE vector fused(vector a, vector b, vector c)
{
    return fmaf(a, b, c);
}

/* A block of 1 x 1. */
static DTI_INLINE void turn(vector *v)
{
    (void)v;
}

#endif
