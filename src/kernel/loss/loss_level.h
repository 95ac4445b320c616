/* kernel/loss/loss_level.h - the loops of losses, by level. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_LOSS_LOSS_LEVEL_H
#define DTI_KERNEL_LOSS_LOSS_LEVEL_H

#include "kernel/loss/loss.h"

/* Loops over one type.  All levels give the same bits. */
typedef struct dti_loss_loops {
    void (*each)(const dti_loss *loss, void *out);
    double (*sum)(const dti_loss *loss);
    void (*slope)(const dti_loss *loss, const void *grad, double scale,
                  void *out);
} dti_loss_loops;

extern const dti_loss_loops dti_loss_portable;
extern const dti_loss_loops dti_loss_avx2;
extern const dti_loss_loops dti_loss_avx512;
extern const dti_loss_loops dti_loss_f64;

#endif
