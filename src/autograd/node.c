/* autograd/node.c - the tape: what calls leave behind for the backward pass. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/node.h"

#include <stdlib.h>
#include <string.h>

#include "autograd/family.h"
#include "autograd/hook.h"
#include "autograd/leaf.h"
#include "autograd/pack.h"
#include "autograd/section.h"
#include "base/error.h"

/* ---- Arguments ---------------------------------------------------------- */

/* The bytes that an argument has outside itself. */
static size_t extra_bytes(const dt_argument *argument)
{
    switch (argument->kind) {
    case DT_ARG_INTEGERS:
        return argument->count > 0 ? (size_t)argument->count * sizeof(int64_t)
                                   : 0;
    case DT_ARG_NUMBERS:
        return (size_t)argument->count * sizeof(dt_number);
    case DT_ARG_TEXT:
        return argument->as.text ? strlen(argument->as.text) + 1 : 0;
    default:
        return 0;
    }
}

/* What lists and texts take, each on a multiple of 8. */
static size_t extra_size(const dt_argument *argument)
{
    return (extra_bytes(argument) + 7) / 8 * 8;
}

static bool is_kept(dt_argument_kind kind)
{
    switch (kind) {
    case DT_ARG_TENSOR:
    case DT_ARG_TENSORS:
    case DT_ARG_GENERATOR:
    case DT_ARG_ARRAY:
    case DT_ARG_FUNCTION:
        return false;
    default:
        return true;
    }
}

/* Copy an argument; `extra` is where the copy of its list or text goes. */
static void copy_argument(const dt_argument *from, char *extra, dt_argument *to)
{
    *to = is_kept(from->kind) ? *from : (dt_argument){.kind = DT_ARG_NONE};
    const size_t bytes = extra_bytes(from);
    if (bytes == 0)
        return;
    if (from->kind == DT_ARG_INTEGERS)
        to->as.integers = memcpy(extra, from->as.integers, bytes);
    else if (from->kind == DT_ARG_NUMBERS)
        to->as.numbers = memcpy(extra, from->as.numbers, bytes);
    else
        to->as.text = memcpy(extra, from->as.text, bytes);
}

/* ---- Nodes -------------------------------------------------------------- */

static void release_gradient(dti_attached *attached)
{
    dti_node_release(((dti_gradient *)attached)->node);
}

static void begin_slots(dti_node *node)
{
    for (int i = 0; i < node->result_count; i++)
        node->slots[i] = (dti_slot){.gradient = {.attached = {release_gradient},
                                                 .node = node,
                                                 .result = i}};
}

/* The parts of a node are in one block of memory. */
static size_t node_size(const dti_operator *op, const dt_argument *arguments,
                        size_t inputs, size_t results)
{
    size_t size = sizeof(dti_node) + inputs * sizeof(dti_edge) +
                  results * sizeof(dti_slot) +
                  (inputs + results) * sizeof(dti_saved);
    for (int i = 0; op && i < op->schema.count; i++)
        size += sizeof(dt_argument) + extra_size(&arguments[i]);
    return size;
}

static void lay_out(dti_node *node)
{
    node->edges = (dti_edge *)(node + 1);
    node->slots = (dti_slot *)(node->edges + node->input_count);
    node->saved = (dti_saved *)(node->slots + node->result_count);
    node->arguments =
        (dt_argument *)(node->saved + node->input_count + node->result_count);
}

dt_status dti_node_create(dt_world *world, dti_operator *op,
                          const dt_argument *arguments, int input_count,
                          int result_count, dti_node **out)
{
    const size_t bytes =
        node_size(op, arguments, (size_t)input_count, (size_t)result_count);
    dti_node *node = malloc(bytes);
    if (!node)
        return dti_fail_memory(world, bytes, "a recorded call");
    memset(node, 0, sizeof *node);
    dti_reference_init(&node->reference);
    node->world = world;
    node->op = op;
    node->formula = op ? op->formula : NULL;
    node->input_count = input_count;
    node->result_count = result_count;
    lay_out(node);
    memset(node->edges, 0, (size_t)input_count * sizeof *node->edges);
    memset(node->saved, 0,
           (size_t)(input_count + result_count) * sizeof *node->saved);
    begin_slots(node);
    const int count = op ? op->schema.count : 0;
    char *extra = (char *)(node->arguments + count);
    for (int i = 0; i < count; i++) {
        copy_argument(&arguments[i], extra, &node->arguments[i]);
        extra += extra_size(&arguments[i]);
    }
    dti_live_add(DTI_LIVE_NODE, 1);
    *out = node;
    return DT_OK;
}

static void forget_saved(dti_saved *saved)
{
    dti_packed_release(saved->packed);
    saved->packed = NULL;
    if (!saved->array)
        return;
    dti_array_release(saved->array);
    dti_version_release(saved->version);
    saved->array = NULL;
    saved->version = NULL;
}

void dti_saved_release(dti_saved *saved)
{
    forget_saved(saved);
    dt_spec_release(saved->spec);
}

void dti_node_drop(dti_node *node)
{
    for (int i = 0; i < node->input_count + node->result_count; i++)
        forget_saved(&node->saved[i]);
}

void dti_node_forget(dti_node *node)
{
    dti_node_drop(node);
    node->released = true;
}

static void free_node(dti_node *node, dti_node **list)
{
    for (int i = 0; i < node->input_count + node->result_count; i++)
        dti_saved_release(&node->saved[i]);
    dti_section_forget(node, list);
    for (int i = 0; i < node->result_count; i++) {
        dt_tensor_release(node->slots[i].pending);
        dti_hooks_free(node->slots[i].hooks);
    }
    dti_leaf_free(node->leaf);
    dti_view_release(node->written);
    free(node);
    dti_live_add(DTI_LIVE_NODE, -1);
}

void dti_node_release_into(dti_node *node, dti_node **list)
{
    if (!node || !dti_reference_release(&node->reference))
        return;
    node->next = *list;
    *list = node;
}

void dti_nodes_free(dti_node *list)
{
    while (list) {
        dti_node *last = list;
        list = last->next;
        for (int i = 0; i < last->input_count; i++)
            dti_node_release_into(last->edges[i].node, &list);
        free_node(last, &list);
    }
}

void dti_node_release(dti_node *node)
{
    dti_node *list = NULL;
    dti_node_release_into(node, &list);
    dti_nodes_free(list);
}

dt_status dti_node_replay(const dti_node *node, dti_edge edge, dti_node **out)
{
    DTI_TRY(dti_node_create(node->world, node->op, node->arguments,
                            node->input_count, node->result_count, out));
    (*out)->sequence = node->sequence;
    (*out)->module = node->module;
    for (int i = 0; i < node->input_count + node->result_count; i++)
        (*out)->saved[i].spec = dt_spec_retain(node->saved[i].spec);
    (*out)->edges[0] = edge;
    dti_node_retain(edge.node);
    return DT_OK;
}

const char *dti_node_name(const dti_node *node)
{
    if (node->op)
        return node->op->schema.name;
    return node->leaf ? "a leaf" : "a write through a view";
}

const char *dti_node_tensor_name(const dti_node *node, int number)
{
    const dti_schema *schema = &node->op->schema;
    const int last = schema->tensor_count - 1;
    if (number < node->input_count)
        return schema
            ->parameters[schema->tensors[number < last ? number : last]]
            .name;
    return schema->results == DTI_RESULTS_NAMED
               ? schema->result_names[number - node->input_count]
               : "the result";
}

/* ---- What is saved ------------------------------------------------------ */

/* The spec by which elements are read: a masked sum is a sum. */
static dt_status plain_spec(dt_spec *spec, dt_spec **out)
{
    const dt_layout layout = dti_layout_unmasked(&spec->layout);
    return dt_spec_create_with(spec->mesh, &layout, &spec->meta, out);
}

dt_status dti_saved_set(dti_saved *saved, dt_tensor *tensor, bool elements)
{
    if (DTI_UNLIKELY(tensor->mask != NULL))
        DTI_TRY(plain_spec(tensor->spec, &saved->spec));
    else
        saved->spec = dt_spec_retain(tensor->spec);
    if (!elements)
        return DT_OK;
    dti_version *version = dti_version_of(tensor);
    if (!version)
        return DT_ERR_NO_MEMORY;
    saved->version = dti_version_retain(version);
    saved->count = version->count;
    saved->alone = version->alone;
    saved->array = dt_array_retain(tensor->local);
    saved->kept = true;
    return DT_OK;
}

/* ---- Tensors ------------------------------------------------------------ */

void dti_gradient_attach(dt_tensor *tensor, dti_node *node, int result)
{
    dti_attached *before = tensor->gradient;
    tensor->gradient = NULL;
    if (node) {
        dti_node_retain(node);
        tensor->gradient = &node->slots[result].gradient.attached;
    }
    if (before)
        before->release(before);
}
