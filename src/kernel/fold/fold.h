/* kernel/fold/fold.h - reducing dimensions of an array. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_FOLD_FOLD_H
#define DTI_KERNEL_FOLD_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>

#include "base/machine/cpu.h"

/* What becomes of the elements.  Of no elements: 0, 1, the least number, the
 * largest, true, false; sums 0, the largest absolute value 0, the least
 * infinity. */
typedef enum dti_fold_kind {
    DTI_FOLD_SUM,
    DTI_FOLD_NUMBER_SUM, /* of floats that are not NaN */
    DTI_FOLD_PRODUCT,
    DTI_FOLD_MAX, /* NaN wins; 0 is larger than -0 */
    DTI_FOLD_MIN, /* NaN wins; -0 is smaller than 0 */
    DTI_FOLD_ALL, /* NaN is true */
    DTI_FOLD_ANY,
    DTI_FOLD_NONZERO,    /* how many are not 0 */
    DTI_FOLD_ABS_SUM,    /* of absolute values, as all that follow */
    DTI_FOLD_SQUARE_SUM, /* of squares */
    DTI_FOLD_POWER_SUM,  /* of powers */
    DTI_FOLD_ABS_MAX,
    DTI_FOLD_ABS_MIN,
    DTI_FOLD_KINDS
} dti_fold_kind;

typedef struct dti_fold {
    dti_fold_kind kind;
    double power; /* of DTI_FOLD_POWER_SUM */
    bool divides; /* the result, a float, by ... */
    double divisor;
} dti_fold;

/*
 * The dtype that results are worked out in: f32 for halves, i64 for sums and
 * products of integers and bool, bool for all and any, real for sums of powers
 * of complex numbers, the same otherwise.  DT_DTYPE_COUNT where there is no
 * such reduction.
 */
dt_dtype dti_fold_carrier(dti_fold_kind kind, dt_dtype dtype);

/*
 * Reduce the dimensions whose bits are set.  Results lie side by side, in
 * row-major order of the dimensions that are left, converted to `dtype` from
 * the carrier once.
 *
 * Sums of floats are added up in a tree, so that errors grow as the logarithm
 * of the count.  A result depends on the values, their order, the extents and
 * the strides, not on the address, the other results or the instruction set.
 */
void dti_fold_array(const dti_fold *fold, const dt_array *in, unsigned dims,
                    void *out, dt_dtype dtype);

/* The same with an instruction set, which the processor must have. */
void dti_fold_array_at(dti_cpu_level level, const dti_fold *fold,
                       const dt_array *in, unsigned dims, void *out,
                       dt_dtype dtype);

/* Reduce neighbours, of which there is one at least, to one number of the dtype
 * that dti_fold_carrier names.  Not of complex numbers. */
void dti_fold_run(dti_fold_kind kind, dt_dtype dtype, const void *run,
                  int64_t count, void *out);

#endif
