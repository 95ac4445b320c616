/* ops/view.h - parts that cannot be seen as the whole can. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_VIEW_H
#define DTI_OPS_VIEW_H

#include <dtensor/sys/op.h>

/*
 * Refuse a view that the strides of the first tensor allow, but those of this
 * rank's part do not.  A copy would share memory with the tensor on some ranks
 * alone.
 */
dt_status dti_view_refuse(const dt_operation *operation);

#endif
