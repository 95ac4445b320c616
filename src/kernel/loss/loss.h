/* kernel/loss/loss.h - losses of single elements, and their slopes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_LOSS_LOSS_H
#define DTI_KERNEL_LOSS_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/* Of x, which a gradient is for, and y. */
typedef enum dti_loss_kind {
    DTI_LOSS_SQUARE,      /* (x - y)^2 */
    DTI_LOSS_ABSOLUTE,    /* |x - y| */
    DTI_LOSS_SMOOTH,      /* a square up to `bound`, divided by it */
    DTI_LOSS_HUBER,       /* the same times `bound` */
    DTI_LOSS_PROBABILITY, /* -y log x - (1 - y) log(1 - x), both logarithms at
                             least -100 */
    DTI_LOSS_LOGIT,       /* the same of the sigmoid of x, y log times q */
    DTI_LOSS_KL,          /* y (log y - x) */
    DTI_LOSS_KL_LOG,      /* exp(y) (y - x) */
    DTI_LOSS_KINDS
} dti_loss_kind;

/* Neighbours, f32 or f64. */
typedef struct dti_loss {
    dti_loss_kind kind;
    dt_dtype dtype;
    double bound;
    int64_t count;
    const void *x;
    const void *y;
    const void *weight; /* what each loss is multiplied by; NULL: 1 */
    const void *q;      /* of logits; NULL: 1 */
    dti_cpu_level level;
} dti_loss;

/* The loss of each element. */
void dti_loss_each(const dti_loss *loss, void *out);

/* Their sum: blocks of the dtype, added up in f64. */
double dti_loss_sum(const dti_loss *loss);

/* What the loss of each element grows with x, times `scale` and, if it is not
 * NULL, an element of `grad`. */
void dti_loss_slope(const dti_loss *loss, const void *grad, double scale,
                    void *out);

/* Find an element of x that is no probability, nor NaN; -1: all are. */
int64_t dti_loss_find_wrong(const dti_loss *loss);

#endif
