/* kernel/norm/group_norm.h - group norm: rows that are groups of channels. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_NORM_GROUP_NORM_H
#define DTI_KERNEL_NORM_GROUP_NORM_H

#include <stdint.h>

#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/*
 * Elements lie as (batch, group, channel, inner), those of a row, which is one
 * group of one batch, one behind another.  Weights are of the carrier, f32 or
 * f64, one for each channel of each group; a rank's channels and elements may
 * be parts of larger groups.
 */
typedef struct dti_group_norm {
    dt_dtype carrier;
    int64_t batch;
    int64_t groups;
    int64_t channels; /* of a group */
    int64_t inner;    /* elements of a channel */
    const void *weight;
    const void *bias; /* either may be NULL */
    const double *means;
    const double *rstds; /* one for each row */
    dti_cpu_level level;
} dti_group_norm;

/* Put results, from elements of a dtype to the same one, halves by way of f32.
 */
void dti_group_norm_put(const dti_group_norm *norm, dt_dtype dtype,
                        const void *x, void *out);

/* ---- Backward, of carriers ----------------------------------------------- */

/* The sums of g and of g (x - mean) rstd of each channel of each batch, one
 * after the other. */
void dti_group_norm_sums(const dti_group_norm *norm, const void *g,
                         const void *x, double *sums);

/* What rows need of them: two sums of each row, with weights. */
void dti_group_norm_rows(const dti_group_norm *norm, const double *sums,
                         double *rows);

/* What channels need of them: the gradients of weights, then of biases. */
void dti_group_norm_factors(const dti_group_norm *norm, const double *sums,
                            double *factors);

/* The gradient of x, from two sums of whole rows of `whole` elements. */
void dti_group_norm_grad(const dti_group_norm *norm, const void *g,
                         const void *x, const double *rows, int64_t whole,
                         void *out);

#endif
