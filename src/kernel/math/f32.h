/* kernel/math/f32.h - functions of one f32, to be made vectors of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_F32_H
#define DTI_KERNEL_MATH_F32_H

/*
 * There are no branches and no calls, so that compilers make vectors of loops
 * over these; they are inlined always, as a call would be one.  Each is a fixed
 * sequence of correctly rounded operations, none of them fused: all levels give
 * the same bits.  Most are f32 throughout; f64 is used where a few steps need
 * more bits than f32 has.  How far each is off is in
 * tests/unit/kernel/math/math.c.
 *
 * The polynomials are minimax fits: Remez's exchange with mpmath, weighted
 * for the relative error of the function; coefficients are rounded to f32 one
 * after another, from the lowest power on, and the others fitted again.  They
 * are added up in pairs, as a chain of products takes longer to wait for.
 */
#include "kernel/math/angle_f32.h"
#include "kernel/math/exp_f32.h"
#include "kernel/math/log_f32.h"

#endif
