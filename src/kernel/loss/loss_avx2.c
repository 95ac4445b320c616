/* kernel/loss/loss_avx2.c - the loops of losses of f32, for AVX2. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T float
#define EXP exp_f32
#define LOG log_f32
#define LOG1P log1p_f32
#define FABS fabsf
#define SIGMOID sigmoid_f32
#define LOOPS dti_loss_avx2
#include "kernel/loss/loss_tmpl.h"
