/* nn/train/bucket.h - gradients that are reduced by one collective. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_TRAIN_BUCKET_H
#define DTI_NN_TRAIN_BUCKET_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/layout.h>
#include <dtensor/tensor.h>

/* A gradient in a bucket, and the leaf that it is for; both retained. */
typedef struct dti_bucket_item {
    dt_tensor *leaf;
    dt_tensor *grad;
} dti_bucket_item;

/*
 * Gradients on one mesh, of one dtype, that are partial along the same mesh
 * dimensions.  Their local arrays, one after another, are the local array of a
 * partial tensor on the sub-mesh of these dimensions: its ranks have shards of
 * the same shapes, however the gradients are sharded along other dimensions.
 */
typedef struct dti_bucket {
    dt_mesh *mesh; /* of the gradients */
    dt_dtype dtype;
    dt_layout partial; /* placements along partial dimensions, R elsewhere */
    dt_mesh *sub;      /* of the partial dimensions; made by the first start */
    dti_bucket_item *items;
    int count, capacity;
    size_t bytes;       /* of the local arrays */
    dt_tensor *reduced; /* the sums, once started */
} dti_bucket;

/*
 * Tell whether a gradient can be reduced in a bucket: it is partial, and
 * reduced it has the layout of its leaf.  `partial` receives the placements
 * along its partial dimensions, and R elsewhere.
 */
bool dti_bucket_accepts(const dt_tensor *leaf, const dt_tensor *grad,
                        dt_layout *partial);

/* Add a gradient. */
dt_status dti_bucket_add(dti_bucket *bucket, dt_tensor *leaf, dt_tensor *grad);

/* Begin to reduce what is in the bucket.  Collective over the mesh. */
dt_status dti_bucket_start(dti_bucket *bucket);

/* Add the sums to the gradients of the leaves.  Collective over the mesh. */
dt_status dti_bucket_finish(dti_bucket *bucket);

/* Release what is in the bucket. */
void dti_bucket_clear(dti_bucket *bucket);

#endif
