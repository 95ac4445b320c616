/* nn/layers/share.h - heads of keys and values for each rank's queries. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_LAYERS_SHARE_H
#define DTI_NN_LAYERS_SHARE_H

#include <dtensor/tensor.h>

/*
 * Give keys or values for queries, both (batch, heads, time, width), in a form
 * that attention computes without communication.
 *
 * If ranks shard the heads of both alike, or of neither, that is `shared` as it
 * is.  Otherwise each rank has all heads of `shared`, and takes those that its
 * queries need, once for each query: the result has the heads and the layout of
 * the queries.  Its gradient is a partial sum of each rank.
 *
 * For example, 6 queries on 4 ranks are 2, 2, 2 and 0; with 2 heads of keys, of
 * which each serves 3 queries, rank 1 needs the first for query 2 and the
 * second for query 3.
 */
dt_tensor *dti_heads_for(dt_tensor *queries, dt_tensor *shared);

#endif
