/* ops/helpers/backward.h - for the `backward` of rows about shapes and indexes.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_BACKWARD_H
#define DTI_OPS_HELPERS_BACKWARD_H

#include <dtensor/create.h>
#include <dtensor/ops.h>

#include "layout/spec.h"
#include "ops/helpers/gradient.h"

/* A dimension that the call has checked, counted from the front. */
static inline int dti_backward_dim(const dt_argument *dim, int ndim)
{
    const int64_t at = dim->as.integer;
    return (int)(at < 0 ? at + (ndim ? ndim : 1) : at);
}

/* Put zeros behind the indexes of dimensions, up to a shape. */
static inline dt_tensor *dti_backward_pad(dt_tensor *tensor, dt_shape shape)
{
    int64_t pad[2 * DT_MAX_NDIM] = {0};
    if (!tensor || dt_shape_equal(dt_tensor_shape(tensor), shape))
        return tensor;
    for (int i = 0; i < shape.ndim; i++)
        pad[2 * (shape.ndim - 1 - i) + 1] =
            shape.dims[i] - dt_tensor_shape(tensor).dims[i];
    return dt_constant_pad_nd(tensor, pad, 2 * shape.ndim);
}

/* Zeros of a shape on the mesh of a tensor: in its layout, with partial
 * placements replicated, if the shape is its own, otherwise replicated. */
static inline dt_tensor *dti_backward_zeros(const dt_spec *spec, dt_shape shape)
{
    dt_layout layout = dti_layout_reduced(&spec->layout);
    if (!dt_shape_equal(spec->meta.shape, shape))
        layout = dti_layout_replicated(spec->layout.ndim);
    const char *text = dt_layout_text(spec->mesh->world, &layout);
    return text ? dt_zeros(spec->mesh, text, spec->meta.dtype, shape) : NULL;
}

#endif
