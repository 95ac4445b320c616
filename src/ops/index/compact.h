/* ops/index/compact.h - as many elements as values say. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_INDEX_COMPACT_H
#define DTI_OPS_INDEX_COMPACT_H

#include <dtensor/sys/op.h>

/* Fail if a tensor has no values that a shape could depend on. */
dt_status dti_compact_check(const dt_operation *operation,
                            const dt_tensor *tensor);

/* Fail if a tensor, which is called so, does not lie on the mesh of self. */
dt_status dti_compact_beside(const dt_operation *operation,
                             const dt_tensor *self, const dt_tensor *tensor,
                             const char *name);

/* Give what a mask keeps of a tensor that has its dimensions first, one behind
 * another.  Collective over the mesh of both. */
dt_status dti_compact_tensor(dt_operation *operation, dt_tensor *self,
                             dt_tensor *mask, dt_tensor **out);

#endif
