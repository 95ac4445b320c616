/* kernel/optimizer/optimizer.h - steps of optimisers, in one pass over memory.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_OPTIMIZER_OPTIMIZER_H
#define DTI_KERNEL_OPTIMIZER_OPTIMIZER_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/*
 * All functions take f32, f64, f16 and bf16; these two are computed in f32 and
 * rounded at the end.  Elements lie side by side.  Each output may be the input
 * that it belongs to, and nothing else.  Every level gives the same bits.
 */

/* ---- Adam --------------------------------------------------------------- */

typedef struct dti_adam {
    double lr, beta1, beta2, weight_decay, eps;
    double step;    /* from 1 */
    bool decoupled; /* AdamW: decay is taken from the parameter itself */
    bool maximize;
} dti_adam;

/* Where things are; both of `max_square` are NULL but for AMSGrad. */
typedef struct dti_adam_data {
    const void *self, *grad, *mean, *square, *max_square;
    void *self_out, *mean_out, *square_out, *max_square_out;
} dti_adam_data;

void dti_adam_step(dt_dtype dtype, const dti_adam *how,
                   const dti_adam_data *data, int64_t count);
void dti_adam_step_at(dti_cpu_level level, dt_dtype dtype, const dti_adam *how,
                      const dti_adam_data *data, int64_t count);

/* ---- Gradient descent --------------------------------------------------- */

typedef struct dti_sgd {
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize;
    bool first; /* there is no momentum yet: it becomes the gradient */
} dti_sgd;

/* Both of `momentum` are NULL if there is none. */
typedef struct dti_sgd_data {
    const void *self, *grad, *momentum;
    void *self_out, *momentum_out;
} dti_sgd_data;

void dti_sgd_step(dt_dtype dtype, const dti_sgd *how, const dti_sgd_data *data,
                  int64_t count);
void dti_sgd_step_at(dti_cpu_level level, dt_dtype dtype, const dti_sgd *how,
                     const dti_sgd_data *data, int64_t count);

/* ---- Scaled gradients --------------------------------------------------- */

/* Multiply elements by a factor; tells whether one of them is infinite or
 * NaN. */
bool dti_unscale(dt_dtype dtype, const void *in, double factor, void *out,
                 int64_t count);
bool dti_unscale_at(dti_cpu_level level, dt_dtype dtype, const void *in,
                    double factor, void *out, int64_t count);

#endif
