/* kernel/index/put.h - elements put to, or combined with, those at positions.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_INDEX_PUT_H
#define DTI_KERNEL_INDEX_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>

/* What becomes of the element that is there. */
typedef enum dti_put_mode {
    DTI_PUT_SET,
    DTI_PUT_ADD, /* or, of bool */
    DTI_PUT_MULTIPLY,
    DTI_PUT_MAX, /* NaN wins; not of complex numbers */
    DTI_PUT_MIN
} dti_put_mode;

/*
 * For each index of what is put, where it goes: as many steps of `strides` as
 * the index says, and as many of `step` as its position says.  Positions lie in
 * an array of their own, which is read with `position_strides`; where these are
 * 0 for the last dimensions, whole blocks share a position.
 */
typedef struct dti_putting {
    dt_dtype dtype;
    int ndim;
    int64_t dims[DT_MAX_NDIM]; /* of what is put */
    void *to;
    int64_t strides[DT_MAX_NDIM]; /* in elements, as all strides here */
    int64_t step;
    const int64_t *positions; /* -1: elsewhere, and passed over */
    int64_t position_strides[DT_MAX_NDIM];
    const void *from;
    int64_t from_strides[DT_MAX_NDIM];
} dti_putting;

/* Put elements in row-major order: where several go to one place, the later
 * ones come later. */
void dti_put_elements(const dti_putting *putting, dti_put_mode mode);

/* Divide elements by how many they were made of, where that is not 0: integers
 * towards minus infinity.  Not of bool. */
void dti_put_divide(dt_dtype dtype, void *elements, const int64_t *counts,
                    int64_t count);

#endif
