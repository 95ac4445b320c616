/* ops/index/gather.h - where the elements that indexes name lie on this rank.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_INDEX_GATHER_H
#define DTI_OPS_INDEX_GATHER_H

#include <dtensor/sys/op.h>

#include "kernel/index/index.h"

/* Fail unless a tensor holds indexes: i64 or i32. */
dt_status dti_index_check(const dt_operation *operation, int input);

/* Positions that are none on this rank. */
enum { DTI_INDEX_ELSEWHERE = -1, DTI_INDEX_IGNORED = -2 };

/*
 * Put in place of each index, which are elements of the tensor `input`, its
 * position along a dimension of this rank's part
 * of a tensor, DTI_INDEX_ELSEWHERE where another rank has it, DTI_INDEX_IGNORED
 * if it is `ignored`, which may be NULL.  DT_ERR_INVALID names an index that is
 * outside the tensor.
 */
dt_status dti_index_locate(const dt_operation *operation, int input,
                           const dt_spec *spec, int dim, const int64_t *ignored,
                           int64_t *indexes, int64_t count);

/*
 * Give the position of each index along a dimension of this rank's part of a
 * tensor, -1 where another rank has it: an array of i64, dense, which is not to
 * be written to.  DT_ERR_INVALID names an index that is outside the tensor.
 *
 * It belongs to the call.  A 0-d tensor counts as one of extent 1.
 */
dt_status dti_index_positions(const dt_operation *operation, int index, int of,
                              int dim, dt_array **out);

/* The same, and negative indexes count from the end. */
dt_status dti_index_wrapped(const dt_operation *operation, int index, int of,
                            int dim, dt_array **out);

/*
 * Pick elements into result 0, and make its mask if it is masked partial: for
 * all dimensions up to `last`, behind which elements share a position.
 */
dt_status dti_index_pick(dt_operation *operation, const dti_picking *picking,
                         int last);

#endif
