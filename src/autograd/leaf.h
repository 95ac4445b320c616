/* autograd/leaf.h - tensors that keep their gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_LEAF_H
#define DTI_AUTOGRAD_LEAF_H

#include "autograd/node.h"

/*
 * A leaf is a tensor that the program marked with dt_requires_grad.  Its
 * gradient belongs to its node, to no scope.  In a backward pass the gradients
 * of all calls that read the leaf are added up first; only a complete sum is
 * redistributed and added to the gradient, so that a pass that fails leaves
 * every leaf's gradient as it was or complete.
 */
typedef struct dti_leaf {
    dt_spec *spec;   /* of the gradient: partial placements are replicated */
    dt_tensor *grad; /* retained, in no scope; or NULL */
    int awaited;     /* gradients that the pass has yet to deliver */
    struct dti_hook *after; /* called when the gradient has been added */
} dti_leaf;

/* The node of a new leaf for a tensor.  The caller releases it. */
dt_status dti_leaf_create(dt_tensor *tensor, dti_node **out);

/* NULL is allowed. */
void dti_leaf_free(dti_leaf *leaf);

/* The leaf that a tensor is; NULL if it is none. */
dti_leaf *dti_leaf_of(const dt_tensor *tensor);

/* Bring a gradient to the layout that a leaf's has.  Collective over its mesh.
 * The result belongs to the scope. */
dt_status dti_leaf_arrange(const dti_leaf *leaf, dt_tensor *gradient,
                           dt_tensor **out);

/* Add a complete gradient to that of a leaf.  Collective over its mesh. */
dt_status dti_leaf_accumulate(dti_node *node, dt_tensor *gradient);

#endif
