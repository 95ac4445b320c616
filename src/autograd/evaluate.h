/* autograd/evaluate.h - gradients of one call, by its formula. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_EVALUATE_H
#define DTI_AUTOGRAD_EVALUATE_H

#include "autograd/node.h"

/*
 * Compute the gradients of the inputs of a node, by the gradients of its
 * results: NULL where none arrived, which is zero.  `wanted` says which inputs
 * get one; `out` has one place for each.  They have the shape and dtype of the
 * input, and any layout; NULL: zero.
 *
 * Collective over the meshes of the call.  `saves` attaches the nodes that
 * saved tensors came from, for gradients of gradients.  The results belong to
 * the scope.
 */
dt_status dti_evaluate(dti_node *node, dt_tensor *const *grads,
                       const bool *wanted, bool differentiable,
                       dt_tensor **out);

#endif
