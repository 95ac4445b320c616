/* autograd/family.h - a tensor and its views, whose gradients follow writes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_FAMILY_H
#define DTI_AUTOGRAD_FAMILY_H

#include "autograd/node.h"

/*
 * Views share elements with their base, so a write to one of them changes what
 * all of them are computed from.  For example, with w a leaf:
 *
 *     v = dt_select(x, 0, 1);   v is a view of x
 *     dt_mul_(v, w);            x now depends on w, in its row 1
 *     y = dt_sum(x, ...);       its gradient reaches w
 *
 * A family has one edge, that of the base.  A write to the base moves it to the
 * node of the call.  A write to a view moves it to a *write node* with two
 * edges: to what the base was before, whose gradient is zero where the view
 * is, and to the call, whose gradient is what the view has of the gradient.
 * Views find out by a count of writes that theirs is old, and make a new one by
 * repeating the calls that made the view, as nodes only.
 */

/* How a view is made of its base: the last call, after those of its parent. */
typedef struct dti_view {
    dti_reference reference;
    struct dti_view *parent; /* retained; NULL: a view of the base itself */
    dti_node *step;          /* the call, without edges; retained */
    int result;              /* of the call */
    int depth;               /* calls from the base to here */
} dti_view;

typedef struct dti_family {
    dti_reference reference;
    dti_edge base;   /* retained; the node is NULL while none is needed */
    uint64_t writes; /* how often that was moved */
} dti_family;

/* The record of a base or a view. */
typedef struct dti_member {
    dti_gradient gradient; /* of a view: its edge, retained */
    dti_family *family;    /* retained */
    dti_view *view;        /* retained; NULL: the base */
    uint64_t writes;       /* of the family that `gradient` knows */
} dti_member;

/* Find the edge of a tensor as it is after all writes; its node is NULL if no
 * gradient is needed.  Borrowed. */
dt_status dti_edge_of(dt_tensor *tensor, dti_edge *out);

/* Make a tensor a view of a base, by a call that was recorded as `node`. */
dt_status dti_family_join(dt_tensor *view, dt_tensor *base, dti_node *node,
                          int result);

/* Note that a tensor has become a view of what it was, by a call in place that
 * was recorded as `node`. */
dt_status dti_family_turn(dt_tensor *tensor, dti_node *node);

/* Let a tensor that has no record be the base of a family of its own, so that
 * others that share its elements do not matter to it: dt_detach. */
dt_status dti_family_found(dt_tensor *tensor);

/* Let a view go its own way from here: it becomes the base of a family of its
 * own.  Nothing for a tensor that is no view. */
dt_status dti_family_leave(dt_tensor *tensor);

/* Mark a view that is made in a scope without gradients: nobody knows of which
 * tensor it is one, so it cannot be written where gradients are recorded. */
void dti_family_stray(dt_tensor *view);

/* Tell whether a tensor is such a view, a view of a known base, one of a leaf.
 */
bool dti_is_stray(const dt_tensor *tensor);
bool dti_is_view(const dt_tensor *tensor);
bool dti_is_view_of_leaf(const dt_tensor *tensor);

/* Note that a call has overwritten a tensor, and was recorded as a result of
 * `node`; NULL: what was written needs no gradient. */
dt_status dti_family_write(dt_tensor *tensor, dti_node *node, int result);

/* Take a view of a tensor by the calls of a view. */
dt_status dti_view_apply(const dti_view *view, dt_tensor *base,
                         dt_tensor **out);

/* Tell whether one of the calls of a view redistributes nothing, or is none
 * but where it has nothing to do. */
bool dti_view_is_strict(const dti_view *view);

/* NULL is allowed. */
void dti_view_release(dti_view *view);

#endif
