/* ops/shape/view.h - shards whose strides do not allow a view. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_SHAPE_VIEW_H
#define DTI_OPS_SHAPE_VIEW_H

#include <dtensor/sys/op.h>

/*
 * Copy this rank's shard of the first tensor densely, because its strides do
 * not allow a view that those of the global tensor allow.  Other ranks may
 * share memory with the tensor; the copy is kept equal to it (tensor/view.h).
 */
dt_status dti_view_copy(dt_operation *operation, dt_array **out);

#endif
