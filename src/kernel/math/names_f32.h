/* kernel/math/names_f32.h - f32 and its functions, for templates of a type. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_NAMES_F32_H
#define DTI_KERNEL_MATH_NAMES_F32_H

#include <math.h>

#include "kernel/math/f32.h"

#define T float
#define EXP exp_f32
#define EXP_DOWN exp_down_f32
#define LOG log_f32
#define LOG1P log1p_f32
#define FABS fabsf
#define SIGMOID sigmoid_f32

#endif
