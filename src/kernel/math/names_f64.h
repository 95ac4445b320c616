/* kernel/math/names_f64.h - f64 and its functions, for templates of a type. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_NAMES_F64_H
#define DTI_KERNEL_MATH_NAMES_F64_H

#include <math.h>

#include "kernel/math/f64.h"

#define T double
#define EXP exp_f64
#define EXP_DOWN exp_f64
#define LOG log_f64
#define LOG1P log1p_f64
#define FABS fabs
#define SIGMOID sigmoid_f64

#endif
