/* kernel/loss/loss_f64.c - the loops of losses of f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#define T double
#define EXP exp_f64
#define LOG log_f64
#define LOG1P log1p_f64
#define FABS fabs
#define SIGMOID sigmoid_f64
#define LOOPS dti_loss_f64
#include "kernel/loss/loss_tmpl.h"
