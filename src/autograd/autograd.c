/* autograd/autograd.c - leaves, their gradients and hooks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/mesh.h>

#include "autograd/family.h"
#include "autograd/hook.h"
#include "autograd/leaf.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/scope.h"

/* ---- Leaves ------------------------------------------------------------- */

static dt_status check_new_leaf(dt_tensor *tensor)
{
    const dt_dtype dtype = tensor->spec->meta.dtype;
    const dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (kind != DT_KIND_FLOAT && kind != DT_KIND_COMPLEX)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_requires_grad: a tensor of dtype %s has no "
                        "gradient; cast it to a floating-point dtype",
                        dt_dtype_name(dtype));
    return DT_OK;
}

static dt_status make_leaf(dt_tensor *tensor)
{
    dti_edge edge;
    dti_node *node = NULL;
    DTI_TRY(check_new_leaf(tensor));
    DTI_TRY(dti_edge_of(tensor, &edge));
    if (edge.node && edge.node->leaf)
        return DT_OK;
    if (edge.node)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_requires_grad: the tensor was computed from a leaf "
                        "by %s; call dt_detach first",
                        dti_node_name(edge.node));
    if (!dti_tape_open(tensor->world))
        return DT_ERR_NO_MEMORY;
    DTI_TRY(dti_family_leave(tensor));
    DTI_TRY(dti_leaf_create(tensor, &node));
    node->sequence = dti_tape_count(tensor->world);
    const dt_status status = dti_family_write(tensor, node, 0);
    dti_node_release(node);
    return status;
}

dt_tensor *dt_requires_grad(dt_tensor *tensor)
{
    DTI_ENTRY();
    if (dti_given(tensor, __func__, "tensor") != DT_OK)
        return NULL;
    return make_leaf(tensor) == DT_OK ? tensor : NULL;
}

static bool find_edge(const dt_tensor *tensor, const char *function,
                      dti_edge *out)
{
    dt_tensor *same = (dt_tensor *)(uintptr_t)tensor;
    return tensor && dti_handle_usable(tensor, function) &&
           dti_edge_of(same, out) == DT_OK && out->node;
}

bool dt_tensor_requires_grad(const dt_tensor *tensor)
{
    dti_edge edge;
    return find_edge(tensor, __func__, &edge);
}

bool dt_tensor_is_leaf(const dt_tensor *tensor)
{
    dti_edge edge;
    return find_edge(tensor, __func__, &edge) && edge.node->leaf;
}

dt_tensor *dt_tensor_grad(const dt_tensor *tensor)
{
    dti_edge edge;
    if (!find_edge(tensor, __func__, &edge) || !edge.node->leaf)
        return NULL;
    DT_IGNORE(dti_leaf_end(edge.node));
    return edge.node->leaf->grad;
}

/* The node of the leaf that a tensor has to be. */
static dt_status need_leaf(dt_tensor *tensor, const char *function,
                           dti_node **out)
{
    dti_edge edge;
    DTI_TRY(dti_given(tensor, function, "tensor"));
    DTI_TRY(dti_edge_of(tensor, &edge));
    *out = edge.node;
    return edge.node && edge.node->leaf
               ? DT_OK
               : dti_fail(tensor->world, DT_ERR_INVALID,
                          "%s: the tensor is no leaf; only tensors marked "
                          "with dt_requires_grad keep their gradient",
                          function);
}

static dt_status check_grad(const dti_leaf *leaf, const dt_tensor *grad,
                            const char *function)
{
    if (dt_mesh_equal(grad->spec->mesh, leaf->spec->mesh) &&
        grad->spec->meta.dtype == leaf->spec->meta.dtype &&
        dt_shape_equal(grad->spec->meta.shape, leaf->spec->meta.shape))
        return DT_OK;
    return dti_fail(grad->world, DT_ERR_INVALID,
                    "%s: the gradient, %s, does not match the leaf, whose "
                    "gradient is %s",
                    function, dti_spec_show(grad->spec).text,
                    dti_spec_show(leaf->spec).text);
}

dt_status dt_tensor_set_grad(dt_tensor *tensor, dt_tensor *grad)
{
    DTI_ENTRY();
    dti_node *node = NULL;
    DTI_TRY(need_leaf(tensor, __func__, &node));
    dti_leaf *leaf = node->leaf;
    if (grad)
        DTI_TRY(dti_given(grad, __func__, "grad"));
    if (grad)
        DTI_TRY(check_grad(leaf, grad, __func__));
    DTI_TRY(dti_leaf_end(node));
    dt_tensor *before = leaf->grad;
    leaf->grad = dt_tensor_retain(grad);
    dt_tensor_release(before);
    return DT_OK;
}

static dt_status add_grad(dti_node *leaf, dt_tensor *grad)
{
    dti_scope_rules rules = leaf->world->scope->rules;
    rules.records = false;
    dt_scope *scope = dti_scope_open_under(leaf->world, &rules);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    dt_status status = dti_leaf_end(leaf);
    if (status == DT_OK)
        status = dti_leaf_begin(leaf, grad, false, false);
    if (status == DT_OK)
        status = dti_leaf_end(leaf);
    dti_scope_close_inner(scope);
    return status;
}

dt_status dt_tensor_add_grad(dt_tensor *tensor, dt_tensor *grad)
{
    DTI_ENTRY();
    dti_node *leaf = NULL;
    DTI_TRY(need_leaf(tensor, __func__, &leaf));
    DTI_TRY(dti_given(grad, __func__, "grad"));
    DTI_TRY(check_grad(leaf->leaf, grad, __func__));
    /* Other ranks wait if only this one lacks memory. */
    return dti_collective_begin(leaf->leaf->spec->mesh, add_grad(leaf, grad));
}

dt_status dt_tensor_set_reducer(dt_tensor *leaf, const dt_reducer *reducer,
                                void *leaf_arg)
{
    DTI_ENTRY();
    dti_node *found = NULL;
    dt_reducer usual = DT_REDUCER_INIT;
    DTI_TRY(need_leaf(leaf, __func__, &found));
    const dt_reducer *read = dti_options_read(leaf->world, reducer, &usual,
                                              sizeof usual, "DT_REDUCER_INIT");
    if (!read)
        return DT_ERR_INVALID;
    if (reducer && !read->take)
        return dti_fail(leaf->world, DT_ERR_INVALID,
                        "dt_tensor_set_reducer: `take` is NULL; set the "
                        "function that takes over the gradient");
    found->leaf->reducer = *read;
    found->leaf->reducer_arg = leaf_arg;
    return DT_OK;
}

/* ---- Hooks -------------------------------------------------------------- */

static dt_status add_hook(dt_world *world, dti_hook **list, dt_grad_hook hook,
                          void *arg, uint64_t *number)
{
    const uint64_t next = ++dti_tape_of(world)->hooks;
    if (!hook)
        return dti_fail(world, DT_ERR_INVALID, "the hook is NULL");
    DTI_TRY(dti_hook_add(world, list, hook, arg, next));
    if (number)
        *number = next;
    return DT_OK;
}

dt_status dt_tensor_add_hook(dt_tensor *tensor, dt_grad_hook hook, void *arg,
                             uint64_t *number)
{
    dti_edge edge;
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    DTI_TRY(dti_edge_of(tensor, &edge));
    if (!edge.node)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_tensor_add_hook: no gradient is computed for the "
                        "tensor; mark a tensor that it depends on with "
                        "dt_requires_grad");
    return add_hook(tensor->world, &edge.node->slots[edge.result].hooks, hook,
                    arg, number);
}

dt_status dt_tensor_add_leaf_hook(dt_tensor *leaf, dt_grad_hook hook, void *arg,
                                  uint64_t *number)
{
    dti_node *found = NULL;
    DTI_TRY(need_leaf(leaf, __func__, &found));
    return add_hook(leaf->world, &found->leaf->after, hook, arg, number);
}

dt_status dt_tensor_remove_hook(dt_tensor *tensor, uint64_t number)
{
    dti_edge edge;
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    DTI_TRY(dti_edge_of(tensor, &edge));
    if (edge.node &&
        (dti_hook_remove(&edge.node->slots[edge.result].hooks, number) ||
         (edge.node->leaf && dti_hook_remove(&edge.node->leaf->after, number))))
        return DT_OK;
    return dti_fail(tensor->world, DT_ERR_NOT_FOUND,
                    "dt_tensor_remove_hook: the tensor has no hook %llu",
                    (unsigned long long)number);
}
