/* kernel/optimizer/optimizer_level.h - the loops of optimisers, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_OPTIMIZER_OPTIMIZER_LEVEL_H
#define DTI_KERNEL_OPTIMIZER_OPTIMIZER_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/optimizer/optimizer.h"

/* Loops over f32 and f64. */
typedef struct dti_optimizer_loops {
    void (*adam_f32)(const dti_adam *how, const dti_adam_data *data,
                     int64_t count);
    void (*adam_f64)(const dti_adam *how, const dti_adam_data *data,
                     int64_t count);
    void (*sgd_f32)(const dti_sgd *how, const dti_sgd_data *data,
                    int64_t count);
    void (*sgd_f64)(const dti_sgd *how, const dti_sgd_data *data,
                    int64_t count);
    bool (*unscale_f32)(const float *in, double factor, float *out,
                        int64_t count);
    bool (*unscale_f64)(const double *in, double factor, double *out,
                        int64_t count);
} dti_optimizer_loops;

extern const dti_optimizer_loops dti_optimizer_portable;
extern const dti_optimizer_loops dti_optimizer_avx2;
extern const dti_optimizer_loops dti_optimizer_avx512;

#endif
