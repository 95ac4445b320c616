/* dtensor/ops/create.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_CREATE_H
#define DTENSOR_OPS_CREATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * Creating and filling.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Tensors like others ------------------------------------------------ */

/* Options of new_empty.  Begin with DT_NEW_EMPTY_OPTIONS_INIT. */
typedef struct dt_new_empty_options {
    size_t size; /* sizeof(dt_new_empty_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_new_empty_options;

#define DT_NEW_EMPTY_OPTIONS_INIT \
    {sizeof(dt_new_empty_options), 0}

/*
 * Create an uninitialised tensor of any shape on the mesh of another; with the
 * layout of the other if the shapes are equal, otherwise replicated.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 */
DT_API dt_tensor *dt_new_empty(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_empty_with(dt_tensor *self, dt_shape size,
                                    const dt_new_empty_options *options);

/* Options of new_zeros.  Begin with DT_NEW_ZEROS_OPTIONS_INIT. */
typedef struct dt_new_zeros_options {
    size_t size; /* sizeof(dt_new_zeros_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_new_zeros_options;

#define DT_NEW_ZEROS_OPTIONS_INIT \
    {sizeof(dt_new_zeros_options), 0}

/*
 * Create a tensor of zeros of any shape on the mesh of another; with the layout
 * of the other if the shapes are equal, but never partial.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 */
DT_API dt_tensor *dt_new_zeros(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_zeros_with(dt_tensor *self, dt_shape size,
                                    const dt_new_zeros_options *options);

/* Options of new_ones.  Begin with DT_NEW_ONES_OPTIONS_INIT. */
typedef struct dt_new_ones_options {
    size_t size; /* sizeof(dt_new_ones_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_new_ones_options;

#define DT_NEW_ONES_OPTIONS_INIT \
    {sizeof(dt_new_ones_options), 0}

/*
 * Create a tensor of ones of any shape on the mesh of another; with the layout
 * of the other if the shapes are equal, but never partial.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 */
DT_API dt_tensor *dt_new_ones(dt_tensor *self, dt_shape size);
DT_API dt_tensor *dt_new_ones_with(dt_tensor *self, dt_shape size,
                                   const dt_new_ones_options *options);

/* Options of new_full.  Begin with DT_NEW_FULL_OPTIONS_INIT. */
typedef struct dt_new_full_options {
    size_t size; /* sizeof(dt_new_full_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_new_full_options;

#define DT_NEW_FULL_OPTIONS_INIT \
    {sizeof(dt_new_full_options), 0}

/*
 * Create a tensor of any shape filled with a number, on the mesh of another;
 * with the layout of the other if the shapes are equal, but never partial.
 *
 * Collective over the mesh of its tensors.
 * - size: shape of the result
 * - value: value of the elements that are set
 */
DT_API dt_tensor *dt_new_full(dt_tensor *self, dt_shape size, dt_number value);
DT_API dt_tensor *dt_new_full_with(dt_tensor *self, dt_shape size,
                                   dt_number value,
                                   const dt_new_full_options *options);

/* ---- Filling and copying ------------------------------------------------ */

/*
 * Set every element to a number; the local values of a partial tensor reduce to
 * it.
 *
 * Collective over the mesh of its tensors.
 * - value: value of the elements that are set
 */
DT_API dt_tensor *dt_fill_scalar(dt_tensor *self, dt_number value);
DT_API dt_tensor *dt_fill_scalar_(dt_tensor *self, dt_number value);
DT_API dt_tensor *dt_fill_scalar_out(dt_tensor *self, dt_number value,
                                     dt_tensor *out);

/*
 * Set every element to the value of a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fill(dt_tensor *self, dt_tensor *value);
DT_API dt_tensor *dt_fill_(dt_tensor *self, dt_tensor *value);
DT_API dt_tensor *dt_fill_out(dt_tensor *self, dt_tensor *value,
                              dt_tensor *out);

/*
 * Set every element to 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_zero(dt_tensor *self);
DT_API dt_tensor *dt_zero_(dt_tensor *self);
DT_API dt_tensor *dt_zero_out(dt_tensor *self, dt_tensor *out);

/*
 * Copy a second tensor, broadcast and converted to the dtype of self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copy(dt_tensor *self, dt_tensor *src);
DT_API dt_tensor *dt_copy_(dt_tensor *self, dt_tensor *src);
DT_API dt_tensor *dt_copy_out(dt_tensor *self, dt_tensor *src, dt_tensor *out);

/* clang-format on */

DT_EXTERN_C_END

#endif
