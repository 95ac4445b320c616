/* autograd/family.c - a tensor and its views, whose gradients follow writes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/family.h"

#include <stdlib.h>

#include "autograd/tape.h"
#include "base/error.h"
#include "op/call/dispatch.h"

/* ---- Views -------------------------------------------------------------- */

static dti_view *retain_view(dti_view *view)
{
    if (view)
        dti_reference_retain(&view->reference);
    return view;
}

void dti_view_release(dti_view *view)
{
    while (view && dti_reference_release(&view->reference)) {
        dti_view *parent = view->parent;
        dti_node_release(view->step);
        free(view);
        view = parent;
    }
}

static dt_status create_view(dti_view *parent, const dti_node *call, int result,
                             dti_view **out)
{
    dti_view *view = malloc(sizeof *view);
    if (!view)
        return dti_fail_memory(call->world, sizeof *view, "a view");
    *view =
        (dti_view){.result = result, .depth = parent ? parent->depth + 1 : 1};
    const dt_status status =
        dti_node_replay(call, (dti_edge){NULL, 0}, &view->step);
    if (status != DT_OK) {
        free(view);
        return status;
    }
    dti_reference_init(&view->reference);
    view->parent = retain_view(parent);
    *out = view;
    return DT_OK;
}

/* List the calls of a view, from the base on.  The caller frees the list. */
static dt_status list_steps(const dti_view *view, const dti_view ***out)
{
    const dti_view **steps = malloc((size_t)view->depth * sizeof *steps);
    if (!steps)
        return dti_fail_memory(view->step->world,
                               (size_t)view->depth * sizeof *steps, "a view");
    for (int i = view->depth - 1; i >= 0; i--, view = view->parent)
        steps[i] = view;
    *out = steps;
    return DT_OK;
}

/* Call a step with another tensor. */
static dt_status apply_step(const dti_view *step, dt_tensor *tensor,
                            dt_tensor **out)
{
    const dti_node *call = step->step;
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    dt_tensor **results = calloc((size_t)call->result_count, sizeof *results);
    int given = 0;
    if (!results)
        return dti_fail_memory(call->world, sizeof *results, "a view");
    for (int i = 0; i < call->op->schema.count; i++)
        arguments[i] = call->arguments[i];
    arguments[call->op->schema.tensors[0]] =
        (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = tensor};
    const dt_status status =
        dti_op_call(call->world, call->op, DT_VARIANT_NEW, arguments, results,
                    call->result_count, &given);
    if (status == DT_OK)
        *out = results[step->result];
    free(results);
    return status;
}

dt_status dti_view_apply(const dti_view *view, dt_tensor *base, dt_tensor **out)
{
    const dti_view **steps = NULL;
    const int depth = view->depth;
    dt_status status = DT_OK;
    DTI_TRY(list_steps(view, &steps));
    *out = base;
    for (int i = 0; status == DT_OK && i < depth; i++)
        status = apply_step(steps[i], *out, out);
    free(steps);
    return status;
}

bool dti_view_is_strict(const dti_view *view)
{
    for (; view; view = view->parent) {
        const uint32_t flags = view->step->op->op->flags;
        if (flags & DT_OP_STRICT || !(flags & DT_OP_VIEW))
            return true;
    }
    return false;
}

/* ---- Families ----------------------------------------------------------- */

static void release_family(dti_family *family)
{
    if (!dti_reference_release(&family->reference))
        return;
    dti_node_release(family->base.node);
    free(family);
}

static void release_member(dti_attached *attached)
{
    dti_member *member = (dti_member *)attached;
    dti_node_release(member->gradient.node);
    dti_view_release(member->view);
    release_family(member->family);
    free(member);
}

static dt_status create_family(dt_world *world, dti_edge base, dti_family **out)
{
    dti_family *family = malloc(sizeof *family);
    if (!family)
        return dti_fail_memory(world, sizeof *family, "a gradient");
    *family = (dti_family){.base = base};
    dti_reference_init(&family->reference);
    dti_node_retain(base.node);
    *out = family;
    return DT_OK;
}

static dti_member *member_of(const dt_tensor *tensor)
{
    dti_gradient *gradient = (dti_gradient *)tensor->gradient;
    return gradient && gradient->member ? (dti_member *)gradient : NULL;
}

static void attach(dt_tensor *tensor, dti_member *member)
{
    dti_attached *before = tensor->gradient;
    tensor->gradient = &member->gradient.attached;
    if (before)
        before->release(before);
}

/* Let a tensor be a member; the family is retained, the view is taken over. */
static dt_status enter(dt_tensor *tensor, dti_family *family, dti_view *view)
{
    dti_member *member = calloc(1, sizeof *member);
    if (!member) {
        dti_view_release(view);
        return dti_fail_memory(tensor->world, sizeof *member, "a gradient");
    }
    member->gradient.attached.release = release_member;
    member->gradient.member = true;
    member->family = family;
    member->view = view;
    dti_reference_retain(&family->reference);
    attach(tensor, member);
    return DT_OK;
}

/* Make a tensor that is in no family the base of one. */
static dt_status found(dt_tensor *base)
{
    dti_edge edge;
    dti_family *family = NULL;
    DTI_TRY(dti_edge_of(base, &edge));
    DTI_TRY(create_family(base->world, edge, &family));
    const dt_status status = enter(base, family, NULL);
    release_family(family);
    return status;
}

dt_status dti_family_found(dt_tensor *tensor)
{
    return tensor->gradient ? DT_OK : found(tensor);
}

dt_status dti_family_leave(dt_tensor *tensor)
{
    return dti_is_view(tensor) ? found(tensor) : DT_OK;
}

static void keep_stray(dti_attached *attached)
{
    (void)attached;
}

static dti_gradient stray = {.attached = {keep_stray}};

void dti_family_stray(dt_tensor *view)
{
    if (!view->gradient)
        view->gradient = &stray.attached;
}

bool dti_is_stray(const dt_tensor *tensor)
{
    return tensor->gradient == &stray.attached;
}

bool dti_is_view(const dt_tensor *tensor)
{
    const dti_member *member = member_of(tensor);
    return member && member->view;
}

bool dti_is_view_of_leaf(const dt_tensor *tensor)
{
    const dti_node *base =
        dti_is_view(tensor) ? member_of(tensor)->family->base.node : NULL;
    return base && base->leaf;
}

dt_status dti_family_join(dt_tensor *view, dt_tensor *base, dti_node *node,
                          int result)
{
    dti_view *made = NULL;
    if (!member_of(base))
        DTI_TRY(found(base));
    const dti_member *parent = member_of(base);
    DTI_TRY(create_view(parent->view, node, result, &made));
    DTI_TRY(enter(view, parent->family, made));
    dti_member *member = member_of(view);
    member->writes = parent->family->writes;
    if (node->edges[0].node) {
        member->gradient.node = dti_node_retain(node);
        member->gradient.result = result;
    }
    return DT_OK;
}

/* ---- Edges -------------------------------------------------------------- */

/* Repeat the calls of a view as nodes, from the edge of the base on. */
static dt_status replay(dti_member *member, dti_edge *out)
{
    const dti_view **steps = NULL;
    const int depth = member->view->depth;
    dti_edge edge = member->family->base;
    dt_status status = DT_OK;
    DTI_TRY(list_steps(member->view, &steps));
    dti_node_retain(edge.node);
    for (int i = 0; status == DT_OK && edge.node && i < depth; i++) {
        dti_node *node = NULL;
        status = dti_node_replay(steps[i]->step, edge, &node);
        if (status == DT_OK)
            node->sequence = dti_tape_count(node->world);
        dti_node_release(edge.node);
        edge = (dti_edge){node, steps[i]->result};
    }
    free(steps);
    *out = edge;
    return status;
}

static dt_status renew(dti_member *member)
{
    dti_edge edge;
    DTI_TRY(replay(member, &edge));
    dti_node_release(member->gradient.node);
    member->gradient.node = edge.node;
    member->gradient.result = edge.result;
    member->writes = member->family->writes;
    return DT_OK;
}

dt_status dti_edge_of(dt_tensor *tensor, dti_edge *out)
{
    const dti_gradient *gradient = (const dti_gradient *)tensor->gradient;
    dti_member *member = member_of(tensor);
    *out = (dti_edge){NULL, 0};
    if (!gradient)
        return DT_OK;
    if (member && !member->view) {
        *out = member->family->base;
        return DT_OK;
    }
    if (member && member->writes != member->family->writes)
        DTI_TRY(renew(member));
    *out = (dti_edge){gradient->node, gradient->result};
    return DT_OK;
}

/* ---- Writes ------------------------------------------------------------- */

/* Create the node of a write through a view: what the base was, and the call,
 * whose node is NULL if its result needs no gradient. */
static dt_status create_write(const dti_member *member, dti_edge call,
                              dti_node **out)
{
    dti_node *node = NULL;
    const dti_view *last = member->view, *first = last;
    const dti_node *step = last->step;
    while (first->parent)
        first = first->parent;
    DTI_TRY(dti_node_create(step->world, NULL, NULL, 2, 1, &node));
    node->written = retain_view(member->view);
    node->sequence = dti_tape_count(step->world);
    node->edges[0] = member->family->base;
    node->edges[1] = call;
    dti_node_retain(node->edges[0].node);
    dti_node_retain(call.node);
    node->saved[0].spec = dt_spec_retain(first->step->saved[0].spec);
    node->saved[1].spec =
        dt_spec_retain(step->saved[step->input_count + last->result].spec);
    node->saved[2].spec = dt_spec_retain(first->step->saved[0].spec);
    *out = node;
    return DT_OK;
}

static void move_base(dti_family *family, dti_node *node, int result)
{
    dti_node *before = family->base.node;
    family->base = (dti_edge){dti_node_retain(node), result};
    family->writes++;
    dti_node_release(before);
}

dt_status dti_family_write(dt_tensor *tensor, dti_node *node, int result)
{
    const dti_member *member = member_of(tensor);
    if (!member) {
        dti_gradient_attach(tensor, node, result);
        return DT_OK;
    }
    if (!member->view) {
        move_base(member->family, node, result);
        return DT_OK;
    }
    dti_node *write = NULL;
    if (!node && !member->family->base.node)
        return DT_OK;
    DTI_TRY(create_write(member, (dti_edge){node, result}, &write));
    move_base(member->family, write, 0);
    dti_node_release(write);
    return DT_OK;
}

/* Others see the tensor as it was, so it becomes one more view. */
dt_status dti_family_turn(dt_tensor *tensor, dti_node *node)
{
    dti_view *made = NULL;
    dti_member *member = member_of(tensor);
    dti_node *leads = node->edges[0].node ? node : NULL;
    if (!member) {
        if (leads)
            dti_gradient_attach(tensor, node, 0);
        return DT_OK;
    }
    DTI_TRY(create_view(member->view, node, 0, &made));
    dti_view_release(member->view);
    dti_node_release(member->gradient.node);
    member->view = made;
    member->gradient.node = dti_node_retain(leads);
    member->gradient.result = 0;
    member->writes = member->family->writes;
    return DT_OK;
}
