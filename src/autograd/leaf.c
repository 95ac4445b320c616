/* autograd/leaf.c - tensors that keep their gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/leaf.h"

#include <stdlib.h>

#include "autograd/call.h"
#include "autograd/family.h"
#include "autograd/hook.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/scope.h"

dt_status dti_leaf_create(dt_tensor *tensor, dti_node **out)
{
    dti_node *node = NULL;
    const dt_layout layout = dti_layout_reduced(&tensor->spec->layout);
    DTI_TRY(dti_node_create(tensor->world, NULL, NULL, 0, 1, &node));
    node->leaf = calloc(1, sizeof *node->leaf);
    dt_status status =
        node->leaf
            ? dt_spec_create_with(tensor->spec->mesh, &layout,
                                  &tensor->spec->meta, &node->leaf->spec)
            : dti_fail_memory(tensor->world, sizeof *node->leaf, "a gradient");
    if (status == DT_OK)
        status = dti_saved_set(&node->saved[0], tensor, false);
    if (status != DT_OK) {
        dti_node_release(node);
        return status;
    }
    *out = node;
    return DT_OK;
}

void dti_leaf_free(dti_leaf *leaf)
{
    if (!leaf)
        return;
    dt_tensor_release(leaf->grad);
    dti_leaf_abandon(leaf);
    dt_spec_release(leaf->spec);
    dti_hooks_free(leaf->after);
    free(leaf);
}

dti_leaf *dti_leaf_of(const dt_tensor *tensor)
{
    const dti_gradient *gradient = (const dti_gradient *)tensor->gradient;
    const dti_node *node = gradient ? gradient->node : NULL;
    if (gradient && gradient->member)
        node = ((const dti_member *)gradient)->view
                   ? NULL
                   : ((const dti_member *)gradient)->family->base.node;
    return node ? node->leaf : NULL;
}

dt_status dti_leaf_arrange(const dti_leaf *leaf, dt_tensor *gradient,
                           bool asynchronous, dt_tensor **out)
{
    return dti_call_redistribute(gradient, &leaf->spec->layout, asynchronous,
                                 out);
}

/* Tell whether a gradient has the layout that the leaf's has in the end. */
static bool has_layout(const dti_leaf *leaf, const dt_tensor *gradient)
{
    return dt_layout_equal(&gradient->spec->layout, &leaf->spec->layout);
}

/* Tell whether nobody but the leaf that it waits at, twice perhaps, and perhaps
 * a scope, has a gradient or its memory.  Then it may become the leaf's own. */
static bool is_exclusive(const dt_tensor *gradient, const dt_tensor *waiting)
{
    const int known =
        1 + (gradient->owned.scope != NULL) + (gradient == waiting);
    const dt_array *local = gradient->local;
    return dti_reference_count(&gradient->reference) == known &&
           !gradient->version && local->contiguous &&
           dti_reference_is_last(&local->reference) &&
           (!local->storage ||
            dti_reference_is_last(&local->storage->reference));
}

/* Copy a gradient for a leaf, on this rank alone. */
static dt_status copy(const dti_leaf *leaf, const dt_tensor *gradient,
                      dt_tensor **out)
{
    dt_array *local = NULL;
    dt_world *world = gradient->world;
    dt_spec *spec = has_layout(leaf, gradient) ? leaf->spec : gradient->spec;
    DTI_TRY(dti_tensor_create_local(spec, &local));
    dt_status status = dt_array_copy(world, gradient->local, local);
    *out = status == DT_OK ? dti_tensor_adopt(spec, local) : NULL;
    if (!*out)
        dt_array_release(local);
    return *out ? DT_OK : dti_failure_of(world);
}

/* Take a tensor out of its scope, for somebody who keeps it. */
static dt_tensor *keep(dt_tensor *tensor)
{
    dt_tensor_retain(tensor);
    if (tensor->owned.scope)
        dt_tensor_release_early(tensor);
    return tensor;
}

bool dti_leaf_is_unreduced(const dti_leaf *leaf)
{
    return leaf->grad && !has_layout(leaf, leaf->grad);
}

/* What the leaf has is added first if it is still to be reduced, so that both
 * are reduced at once. */
dt_status dti_leaf_begin(dti_node *node, dt_tensor *gradient, bool asynchronous,
                         bool unreduced)
{
    dti_leaf *leaf = node->leaf;
    leaf->replaces = leaf->grad && (unreduced || dti_leaf_is_unreduced(leaf));
    if (leaf->replaces && !leaf->taken)
        DTI_TRY(dti_call_add(leaf->grad, gradient, &gradient));
    if (!unreduced)
        DTI_TRY(dti_leaf_arrange(leaf, gradient, asynchronous, &gradient));
    leaf->arriving = dt_tensor_retain(gradient);
    return DT_OK;
}

void dti_leaf_abandon(dti_leaf *leaf)
{
    dt_tensor_release(leaf->arriving);
    leaf->arriving = NULL;
}

/* The gradient that a leaf has when one has arrived.  Gradients of gradients
 * need the very tensor that was computed. */
static dt_status total(const dti_node *node, dt_tensor **out)
{
    const dti_leaf *leaf = node->leaf;
    dt_tensor *arrived = leaf->arriving;
    DTI_TRY(dti_array_settle(node->world, arrived->local));
    *out = arrived;
    if (leaf->grad && !leaf->replaces)
        return dti_call_add(leaf->grad, arrived, out);
    if (arrived->gradient || is_exclusive(arrived, node->slots[0].pending))
        return DT_OK;
    return copy(leaf, arrived, out);
}

dt_status dti_leaf_end(dti_node *node)
{
    dti_leaf *leaf = node->leaf;
    dt_tensor *sum = NULL, *before = leaf->grad;
    if (!leaf->arriving)
        return DT_OK;
    const dt_status status = total(node, &sum);
    if (status == DT_OK)
        leaf->grad = keep(sum);
    dti_leaf_abandon(leaf);
    if (status != DT_OK)
        return status;
    dt_tensor_release(before);
    leaf->taken = false;
    dti_tape_of(node->world)->complete++;
    return dti_hooks_run(leaf->after, &sum);
}
