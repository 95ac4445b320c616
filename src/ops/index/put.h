/* ops/index/put.h - results that are a tensor with some elements put into it.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_INDEX_PUT_H
#define DTI_OPS_INDEX_PUT_H

#include <dtensor/sys/op.h>

/* Let result 0 begin as this rank's part of the first tensor, unless it is
 * that. */
dt_status dti_put_begin(dt_operation *operation);

/* Make a 0-d array of a number, as this rank's part of result 0 has it.  The
 * caller releases it. */
dt_status dti_put_number(const dt_operation *operation, dt_number number,
                         dt_array **out);

#endif
