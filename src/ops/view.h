/* ops/view.h - parts that cannot be seen as the whole can. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_VIEW_H
#define DTI_OPS_VIEW_H

#include <dtensor/sys/op.h>

/*
 * Copy this rank's part of the first tensor, whose strides allow a view that
 * those of the part do not.  The others share memory with the tensor: what was
 * written through the result would change it there alone.  So this copy can be
 * read and not written to.
 */
dt_status dti_view_copy(const dt_operation *operation, dt_array **out);

#endif
