/* autograd/leaf.h - tensors that keep their gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_LEAF_H
#define DTI_AUTOGRAD_LEAF_H

#include <dtensor/autograd.h>

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
    dt_reducer reducer;     /* that takes it over; `take` is NULL: none does */
    void *reducer_arg;      /* of the leaf, for that */
    /* A gradient on its way (arrival.h): */
    dt_tensor *arriving; /* retained, perhaps not there yet; or NULL */
    bool replaces;       /* what the leaf has is part of it */
    /* What the leaf has is part of what a reducer took in this pass, and is
     * replaced by what that adds. */
    bool taken;
    dti_node *next_arrival; /* the leaf whose gradient follows */
} dti_leaf;

/* The node of a new leaf for a tensor.  The caller releases it. */
dt_status dti_leaf_create(dt_tensor *tensor, dti_node **out);

/* NULL is allowed. */
void dti_leaf_free(dti_leaf *leaf);

/* The leaf that a tensor is; NULL if it is none. */
dti_leaf *dti_leaf_of(const dt_tensor *tensor);

/* Tell whether what a leaf has is still to be reduced, since passes left it
 * as it was computed. */
bool dti_leaf_is_unreduced(const dti_leaf *leaf);

/* Bring a gradient to the layout that a leaf's has.  Collective over its mesh.
 * The result belongs to the scope; if it is asynchronous, its first use waits.
 */
dt_status dti_leaf_arrange(const dti_leaf *leaf, dt_tensor *gradient,
                           bool asynchronous, dt_tensor **out);

/*
 * Add a complete gradient to that of a leaf, in two steps.  The first starts
 * what has to be sent, or, if it is `unreduced`, leaves the gradient as it is.
 * Collective over the mesh.  The result, which is the leaf's to keep until the
 * second step, belongs to the scope.
 */
dt_status dti_leaf_begin(dti_node *node, dt_tensor *gradient, bool asynchronous,
                         bool unreduced);

/* The second waits for it.  Nothing if none is on its way: a hook may have
 * asked for the gradient before. */
dt_status dti_leaf_end(dti_node *node);

/* Let go of a gradient that was begun, if one was. */
void dti_leaf_abandon(dti_leaf *leaf);

#endif
