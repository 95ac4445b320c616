/* autograd/backward.c - the backward pass. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/autograd.h>
#include <dtensor/mesh.h>

#include "autograd/arrival.h"
#include "autograd/call.h"
#include "autograd/evaluate.h"
#include "autograd/explain.h"
#include "autograd/family.h"
#include "autograd/hook.h"
#include "autograd/leaf.h"
#include "autograd/nodes.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/scope.h"
#include "comm/comm.h"

/*
 * A pass has three parts.
 *
 * 1. Find the nodes that lead from the outputs to leaves, by a list of those
 *    still to be visited, and count for each leaf the edges that lead to it.
 * 2. Sort them by the order of recording.  Edges lead to older nodes, so the
 *    latest is always complete: all gradients of its results have arrived.  The
 *    order is the same on all ranks, and so is that of collectives.
 * 3. Visit them, the latest first.  Gradients of the results become gradients
 *    of the inputs, which are added to those that wait at the nodes they lead
 *    to.  The sum of a leaf that awaits no more is on its way to the leaf's
 *    gradient (arrival.h).
 */
typedef struct pass {
    dt_world *world;
    uint64_t number;
    bool retain;
    bool differentiable;
    bool asks; /* dt_grad: chosen gradients are wanted, leaves stay */
    dti_explanation *aloud;  /* of dt_explain_backward; else NULL */
    const char *function;    /* for messages */
    const dti_node *visited; /* the latest; NULL: none yet */
    dti_nodes calls;
    dti_nodes leaves;
    dti_arrivals arrivals;
} pass;

/* What a program asks for. */
typedef struct request {
    const char *function; /* for messages */
    dt_tensor *const *outputs;
    int output_count;
    dt_tensor *const *inputs; /* of dt_grad */
    int input_count;
    dt_tensor **results; /* of dt_grad; else NULL */
    const dt_backward_options *options;
    dti_explanation *aloud; /* of dt_explain_backward; else NULL */
} request;

/* ---- Finding nodes ------------------------------------------------------ */

/* Add a node that an edge leads to, once. */
static dt_status add_node(pass *at, dti_node *node)
{
    const bool known = node->pass == at->number;
    if (node->leaf)
        node->leaf->awaited = known ? node->leaf->awaited + 1 : 1;
    if (known)
        return DT_OK;
    DTI_TRY(dti_nodes_add(node->leaf ? &at->leaves : &at->calls, node));
    node->pass = at->number;
    node->needed = !at->asks;
    return DT_OK;
}

/* Nodes are both the list of what was found and of what is to be visited. */
static dt_status find_nodes(pass *at)
{
    for (size_t i = 0; i < at->calls.count; i++) {
        const dti_node *node = at->calls.nodes[i];
        for (int k = 0; k < node->input_count; k++)
            if (node->edges[k].node)
                DTI_TRY(add_node(at, node->edges[k].node));
    }
    return DT_OK;
}

/* Of dt_grad: nodes that lead to an input are needed.  The oldest first. */
static void find_needed(pass *at)
{
    for (size_t i = at->calls.count; at->asks && i-- > 0;) {
        dti_node *node = at->calls.nodes[i];
        for (int k = 0; !node->needed && k < node->input_count; k++)
            node->needed = node->edges[k].node && node->edges[k].node->needed;
    }
}

/* ---- Delivering --------------------------------------------------------- */

/* Let a node keep a gradient that belongs to a scope. */
static void keep_pending(dti_slot *slot, dt_tensor *gradient)
{
    dt_tensor *before = slot->pending;
    slot->pending = dt_tensor_retain(gradient);
    dt_tensor_release(before);
}

static dt_status deliver(dti_edge edge, dt_tensor *gradient)
{
    dti_slot *slot = &edge.node->slots[edge.result];
    if (slot->pending)
        DTI_TRY(dti_call_add(slot->pending, gradient, &gradient));
    keep_pending(slot, gradient);
    return DT_OK;
}

/* Take the gradient that waits at a result, through its hooks; the scope owns
 * it from now on. */
static dt_status collect(const pass *at, dti_slot *slot, dt_tensor **out)
{
    *out = slot->pending;
    if (*out && slot->hooks && !at->aloud)
        DTI_TRY(dti_hooks_run(slot->hooks, out));
    return DT_OK;
}

static void drop_pending(dti_node *node)
{
    for (int i = 0; i < node->result_count; i++) {
        dt_tensor_release(node->slots[i].pending);
        node->slots[i].pending = NULL;
    }
}

/* A gradient has arrived at a leaf, or will not. */
static dt_status finish_leaf(pass *at, dti_node *leaf)
{
    dt_tensor *gradient = NULL;
    if (--leaf->leaf->awaited > 0 || at->asks || !leaf->slots[0].pending)
        return DT_OK;
    DTI_TRY(collect(at, &leaf->slots[0], &gradient));
    if (at->aloud) {
        dti_explain_node(at->aloud, leaf);
        DTI_TRY(dti_leaf_arrange(leaf->leaf, gradient, false, &gradient));
    } else {
        DTI_TRY(dti_arrive(&at->arrivals, leaf, gradient));
    }
    drop_pending(leaf);
    return DT_OK;
}

/* ---- One node ----------------------------------------------------------- */

#define FEW 8

/* What visiting a node needs, by result and by input. */
typedef struct visit {
    dt_tensor **grads, **gradients;
    bool *wanted;
    dt_tensor *few[2 * FEW];
    bool few_wanted[FEW];
    void *heap;
} visit;

static dt_status open_visit(const dti_node *node, visit *out)
{
    const size_t in = (size_t)node->input_count;
    const size_t results = (size_t)node->result_count;
    out->heap = NULL;
    out->grads = out->few;
    out->gradients = out->few + FEW;
    out->wanted = out->few_wanted;
    for (int i = 0; i < 2 * FEW; i++)
        out->few[i] = NULL;
    if (in <= FEW && results <= FEW)
        return DT_OK;
    const size_t bytes = (in + results) * sizeof(dt_tensor *) + in;
    out->heap = calloc(1, bytes);
    if (!out->heap)
        return dti_fail_memory(node->world, bytes, "a backward pass");
    out->grads = out->heap;
    out->gradients = out->grads + results;
    out->wanted = (bool *)(out->gradients + in);
    return DT_OK;
}

/* Collect the gradients of results; false if none has arrived. */
static dt_status collect_all(const pass *run, const dti_node *node, visit *at,
                             bool *some)
{
    *some = false;
    for (int i = 0; i < node->result_count; i++) {
        DTI_TRY(collect(run, &node->slots[i], &at->grads[i]));
        *some |= at->grads[i] != NULL;
    }
    return DT_OK;
}

static bool find_wanted(const dti_node *node, visit *at)
{
    bool some = false;
    for (int i = 0; i < node->input_count; i++) {
        at->wanted[i] = node->edges[i].node && node->edges[i].node->needed;
        some |= at->wanted[i];
    }
    return some;
}

static dt_status deliver_all(pass *run, const dti_node *node, visit *at)
{
    for (int i = 0; i < node->input_count; i++) {
        const dti_edge edge = node->edges[i];
        if (at->wanted[i] && at->gradients[i])
            DTI_TRY(deliver(edge, at->gradients[i]));
        if (edge.node && edge.node->leaf)
            DTI_TRY(finish_leaf(run, edge.node));
    }
    return DT_OK;
}

static dt_status run_node(pass *run, dti_node *node, visit *at)
{
    bool some;
    DTI_TRY(collect_all(run, node, at, &some));
    if (run->aloud)
        dti_explain_node(run->aloud, node);
    if (find_wanted(node, at) && some)
        DTI_TRY(dti_evaluate(node, at->grads, at->wanted, run->differentiable,
                             at->gradients));
    DTI_TRY(deliver_all(run, node, at));
    if (!node->asked)
        drop_pending(node);
    if (!run->retain && !run->differentiable && some)
        dti_node_forget(node);
    return DT_OK;
}

static dt_status visit_node(pass *run, dti_node *node)
{
    visit at;
    run->visited = node;
    dti_comm_of(run->world)->doing =
        (dti_doing){node->module, node->op ? node->op->schema.name : NULL};
    DTI_TRY(open_visit(node, &at));
    const dt_status status = run_node(run, node, &at);
    free(at.heap);
    return status;
}

/* ---- A pass ------------------------------------------------------------- */

static dt_status check_output(const dt_tensor *output, dt_tensor *grad,
                              const char *function)
{
    dt_world *world = output->world;
    if (!grad && dt_tensor_count(output) != 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: an output of shape %s needs a gradient; give it "
                        "in `grads`, or reduce the output to one element",
                        function, dti_shape_show(dt_tensor_shape(output)).text);
    if (grad &&
        (!dt_shape_equal(dt_tensor_shape(grad), dt_tensor_shape(output)) ||
         !dt_mesh_equal(dt_tensor_mesh(grad), dt_tensor_mesh(output))))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: the gradient, %s, does not match the output, %s",
                        function, dti_spec_show(grad->spec).text,
                        dti_spec_show(output->spec).text);
    return DT_OK;
}

/* Put the gradient of an output where it begins. */
static dt_status seed(pass *at, dt_tensor *output, dt_tensor *grad,
                      const char *function)
{
    dti_edge edge;
    if (!at->aloud)
        DTI_TRY(check_output(output, grad, function));
    DTI_TRY(dti_edge_of(output, &edge));
    if (!edge.node)
        return dti_fail(at->world, DT_ERR_INVALID,
                        "%s: an output depends on no leaf; mark tensors with "
                        "dt_requires_grad before they are used",
                        function);
    if (!grad)
        DTI_TRY(dti_call_ones(output->spec, &grad));
    DTI_TRY(add_node(at, edge.node));
    return deliver(edge, grad);
}

static dt_status seed_all(pass *at, const request *asked)
{
    dt_tensor *const *grads = asked->options->grads;
    for (int i = 0; i < asked->output_count; i++)
        DTI_TRY(seed(at, asked->outputs[i], grads ? grads[i] : NULL,
                     asked->function));
    return DT_OK;
}

/* An output that is a leaf itself has its gradient already. */
static dt_status finish_outputs(pass *at, const request *asked)
{
    for (int i = 0; i < asked->output_count; i++) {
        dti_edge edge;
        DTI_TRY(dti_edge_of(asked->outputs[i], &edge));
        if (edge.node->leaf)
            DTI_TRY(finish_leaf(at, edge.node));
    }
    return DT_OK;
}

/* Say where a pass has failed, and what became of gradients. */
static dt_status say_where(const pass *at, dt_status status)
{
    const dti_node *node = at->visited;
    char counts[96] = "";
    if (!at->asks && !at->aloud)
        snprintf(counts, sizeof counts,
                 "; %zu of %zu gradients are complete, the others unchanged",
                 dti_tape_of(at->world)->complete, at->leaves.count);
    if (at->arrivals.failed)
        dti_fail_in(at->world, "%s: the gradient of a leaf, %s%s", at->function,
                    dti_spec_show(at->arrivals.failed->leaf->spec).text,
                    counts);
    else if (node)
        dti_fail_in(at->world, "%s: the gradient of %s%s%s%s", at->function,
                    dti_node_name(node), node->module ? " in " : "",
                    node->module ? node->module : "", counts);
    return status;
}

/* Visit the nodes in a scope that is emptied after each, so that what is
 * computed and nobody keeps is released at once. */
static dt_status visit_all(pass *at, const request *asked)
{
    dti_scope_rules rules = at->world->scope->rules;
    rules.records = at->differentiable;
    dt_scope *scope = dti_scope_open_under(at->world, &rules);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    const dti_doing before = dti_comm_of(at->world)->doing;
    dt_status status = finish_outputs(at, asked);
    for (size_t i = 0; status == DT_OK && i < at->calls.count; i++) {
        if (!at->calls.nodes[i]->needed)
            continue;
        status = visit_node(at, at->calls.nodes[i]);
        dti_scope_empty(scope);
    }
    dti_comm_of(at->world)->doing = before;
    status = dti_arrivals_end(&at->arrivals, status);
    if (status != DT_OK)
        say_where(at, status);
    dti_scope_close_inner(scope);
    return status;
}

/* Mark the tensors whose gradients are asked for. */
static dt_status mark_inputs(pass *at, const request *asked)
{
    for (int i = 0; i < asked->input_count; i++) {
        dti_edge edge;
        DTI_TRY(dti_edge_of(asked->inputs[i], &edge));
        if (edge.node && edge.node->pass == at->number)
            edge.node->needed = edge.node->asked = true;
        else if (!asked->options->allow_unused)
            return dti_fail(at->world, DT_ERR_INVALID,
                            "dt_grad: the outputs do not depend on input %d; "
                            "set allow_unused if that is intended",
                            i);
    }
    return DT_OK;
}

/* The gradient that was asked for, or what stands for it; NULL: none. */
static dt_status find_result(const pass *at, const request *asked, int input,
                             dt_tensor **out)
{
    dti_edge edge;
    dt_tensor *of = asked->inputs[input];
    DTI_TRY(dti_edge_of(of, &edge));
    if (edge.node && edge.node->pass == at->number)
        *out = edge.node->slots[edge.result].pending;
    if (!*out && !asked->options->allow_unused)
        DTI_TRY(dti_call_zeros(of->spec, out));
    if (!*out || asked->options->unreduced)
        return DT_OK;
    const dt_layout layout = dti_layout_reduced(&of->spec->layout);
    return dti_call_redistribute(*out, &layout, !asked->options->synchronous,
                                 out);
}

/* Return the gradients that were asked for to the caller's scope.  All are on
 * their way before the first is waited for. */
static dt_status give_inputs(pass *at, const request *asked)
{
    for (int i = 0; i < asked->input_count; i++) {
        dt_tensor *gradient = NULL;
        DTI_TRY(find_result(at, asked, i, &gradient));
        if (gradient)
            dti_tensor_enter(gradient);
        asked->results[i] = gradient;
    }
    for (int i = 0; i < asked->input_count; i++)
        if (asked->results[i])
            DTI_TRY(dti_array_settle(at->world, asked->results[i]->local));
    return DT_OK;
}

static void end_list(dti_nodes *list)
{
    for (size_t i = 0; i < list->count; i++) {
        drop_pending(list->nodes[i]);
        list->nodes[i]->asked = false;
    }
    free(list->nodes);
}

static dt_status run_pass(pass *at, const request *asked)
{
    DTI_TRY(seed_all(at, asked));
    DTI_TRY(find_nodes(at));
    dti_nodes_sort(&at->calls);
    if (at->asks)
        DTI_TRY(mark_inputs(at, asked));
    find_needed(at);
    DTI_TRY(visit_all(at, asked));
    return at->asks ? give_inputs(at, asked) : DT_OK;
}

/* Find the world of a pass, and check that all tensors are there. */
static dt_status check_tensors(const request *asked, dt_tensor *const *tensors,
                               int count, const char *argument)
{
    for (int i = 0; i < count; i++)
        DTI_TRY(dti_given(tensors[i], asked->function, argument));
    return DT_OK;
}

static dt_status pass_over(const request *given)
{
    dt_backward_options usual = DT_BACKWARD_OPTIONS_INIT;
    request asked = *given;
    if (asked.output_count < 1)
        return dti_fail(dti_world_running(), DT_ERR_INVALID,
                        "%s: at least one output is required", asked.function);
    DTI_TRY(
        check_tensors(&asked, asked.outputs, asked.output_count, "outputs"));
    DTI_TRY(check_tensors(&asked, asked.inputs, asked.input_count, "inputs"));
    dt_world *world = asked.outputs[0]->world;
    asked.options = dti_options_read(world, asked.options, &usual, sizeof usual,
                                     "DT_BACKWARD_OPTIONS_INIT");
    if (!asked.options)
        return DT_ERR_INVALID;
    dti_tape *tape = dti_tape_open(world);
    if (!tape)
        return DT_ERR_NO_MEMORY;
    if (tape->passing)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a backward pass is running; call it after that, "
                        "not in a hook",
                        asked.function);
    tape->passing = true;
    tape->complete = 0;
    pass at = {.world = world,
               .number = ++tape->pass,
               .retain = asked.options->retain,
               .differentiable = asked.options->differentiable,
               .asks = asked.results != NULL,
               .aloud = asked.aloud,
               .function = asked.function,
               .arrivals = {.world = world,
                            .synchronous = asked.options->synchronous,
                            .unreduced = asked.options->unreduced}};
    const dt_status status = run_pass(&at, &asked);
    tape->passing = false;
    end_list(&at.calls);
    end_list(&at.leaves);
    /* Other ranks wait if only this one lacks memory. */
    return dti_collective_begin(asked.outputs[0]->spec->mesh, status);
}

dt_status dt_backward_with(dt_tensor *const *outputs, int count,
                           const dt_backward_options *options)
{
    DTI_ENTRY();
    return pass_over(&(request){.function = __func__,
                                .outputs = outputs,
                                .output_count = count,
                                .options = options});
}

dt_status dt_backward(dt_tensor *tensor)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    return pass_over(&(request){
        .function = __func__, .outputs = &tensor, .output_count = 1});
}

dt_status dt_grad(dt_tensor *const *outputs, int output_count,
                  dt_tensor *const *inputs, int input_count,
                  const dt_backward_options *options, dt_tensor **results)
{
    DTI_ENTRY();
    for (int i = 0; i < input_count; i++)
        results[i] = NULL;
    return pass_over(&(request){.function = __func__,
                                .outputs = outputs,
                                .output_count = output_count,
                                .inputs = inputs,
                                .input_count = input_count,
                                .results = results,
                                .options = options});
}

dt_status dt_explain_backward(dt_tensor *tensor, char *text, size_t size,
                              size_t *length)
{
    DTI_ENTRY();
    dti_explanation aloud;
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.retain = true;
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    DTI_TRY(dti_explain_begin(&aloud, tensor, text, size));
    const dt_status status = pass_over(&(request){.function = __func__,
                                                  .outputs = &tensor,
                                                  .output_count = 1,
                                                  .options = &options,
                                                  .aloud = &aloud});
    dti_explain_end(&aloud);
    if (length)
        *length = aloud.to.length;
    return status;
}
