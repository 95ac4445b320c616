/* graph/evaluate.c - computing nodes of constants before a run. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "graph/edit.h"
#include "layout/layout.h"
#include "mesh/mesh.h"
#include "op/call/dispatch.h"
#include "tensor/tensor.h"

/* A call on the mesh of this rank alone. */
typedef struct evaluation {
    const dt_graph_edit *edit;
    bool without_elements; /* inputs are arrays without storage */
    const dti_graph_node *node;
    dt_mesh *mesh;
    dti_arena arena;
} evaluation;

static void *get(evaluation *at, int count, size_t size)
{
    const size_t bytes = (size_t)((count > 0 ? count : 0) + 1) * size;
    void *memory = dti_arena_get(&at->arena, bytes);
    if (!memory)
        dti_fail_memory(at->edit->graph->world, bytes, "a constant");
    return memory;
}

/* The elements of a constant; or none, for a call that looks at none. */
static dt_status find_array(const evaluation *at, int value, dt_array **out)
{
    dt_world *world = at->edit->graph->world;
    const dti_graph_value *of = &at->edit->graph->values[value];
    dt_shape shape = {.ndim = of->ndim};
    if (!at->without_elements)
        return dt_array_contiguous(
            world, at->edit->known[value] ? at->edit->known[value] : of->array,
            out);
    for (int i = 0; i < of->ndim; i++)
        shape.dims[i] = of->sizes[i].number;
    return dt_array_create_meta(world, of->dtype, shape, out);
}

/* A value as a tensor of the innermost scope. */
static dt_status find_tensor(evaluation *at, int value, dt_tensor **out)
{
    dt_world *world = at->edit->graph->world;
    const dt_layout layout = dti_layout_replicated(at->mesh->dims.ndim);
    dt_spec *spec = NULL;
    dt_array *dense = NULL;
    DTI_TRY(find_array(at, dti_edit_find(at->edit, value), &dense));
    const dt_meta meta = dt_meta_of(dense->dtype, dense->shape);
    dt_status status = dt_spec_create_with(at->mesh, &layout, &meta, &spec);
    if (status == DT_OK) {
        *out = dti_tensor_make(spec, dense);
        status = *out ? DT_OK : dti_failure_of(world);
    }
    dt_array_release(dense);
    dt_spec_release(spec);
    return status;
}

static dt_status make_tensors(evaluation *at, const dti_term *term,
                              dt_argument *out)
{
    dt_tensor **list = get(at, term->count, sizeof *list);
    if (!list)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < term->count; i++)
        if (term->as.values[i] >= 0)
            DTI_TRY(find_tensor(at, term->as.values[i], &list[i]));
    out->as.tensors = list;
    return DT_OK;
}

static dt_status make_argument(evaluation *at, const dti_term *term,
                               dt_argument *out)
{
    *out = (dt_argument){.kind = term->kind, .count = term->count};
    if (term->kind == DT_ARG_TENSOR)
        return find_tensor(at, term->as.value, &out->as.tensor);
    if (term->kind == DT_ARG_TENSORS)
        return make_tensors(at, term, out);
    if (term->kind == DT_ARG_INTEGERS) {
        int64_t *integers = get(at, term->count, sizeof *integers);
        if (!integers)
            return DT_ERR_NO_MEMORY;
        for (int i = 0; i < term->count; i++)
            integers[i] = term->as.sizes[i].number;
        out->as.integers = integers;
    } else if (term->kind == DT_ARG_INTEGER) {
        out->as.integer = term->as.size.number;
    } else if (term->kind == DT_ARG_NUMBER) {
        out->as.number =
            term->sized ? dt_integer(term->as.size.number) : term->as.number;
    } else if (term->kind == DT_ARG_NUMBERS) {
        out->as.numbers = term->as.numbers;
    } else if (term->kind == DT_ARG_REAL) {
        out->as.real = term->as.real;
    } else if (term->kind == DT_ARG_TEXT) {
        out->as.text = term->as.text;
    } else if (term->kind == DT_ARG_MESH) {
        out->as.mesh = at->mesh;
    }
    return DT_OK;
}

/* Call the row of the node; the results are the innermost scope's. */
static dt_status call(evaluation *at, dt_argument **arguments,
                      dt_tensor ***results)
{
    const dti_graph_node *node = at->node;
    const int count = node->op->schema.count;
    int given = 0;
    *arguments = get(at, count, sizeof **arguments);
    *results = get(at, node->result_count, sizeof **results);
    if (!*arguments || !*results)
        return DT_ERR_NO_MEMORY;
    for (int i = 0; i < count; i++)
        DTI_TRY(make_argument(at, &node->terms[i], &(*arguments)[i]));
    return dti_op_call(at->edit->graph->world, node->op, DT_VARIANT_NEW,
                       *arguments, *results, node->result_count, &given);
}

static dt_status compute(evaluation *at, dt_array **known)
{
    dt_argument *arguments;
    dt_tensor **results;
    DTI_TRY(call(at, &arguments, &results));
    for (int i = 0; i < at->node->result_count; i++)
        if (at->node->results[i] >= 0 && results[i])
            DTI_TRY(dt_array_clone(at->edit->graph->world, results[i]->local,
                                   &known[at->node->results[i]]));
    return DT_OK;
}

/* Carry out a function in a scope of its own. */
static dt_status within_scope(evaluation *at,
                              dt_status (*run)(evaluation *at, void *arg),
                              void *arg)
{
    dt_world *world = at->edit->graph->world;
    at->mesh = dt_world_own_mesh(world);
    dt_scope *scope = at->mesh ? dt_scope_open(world) : NULL;
    if (!scope)
        return dti_failure_of(world);
    const dt_status status = run(at, arg);
    const dt_status closed = dt_scope_close(scope);
    dti_arena_free(&at->arena);
    return status != DT_OK ? status : closed;
}

/* ---- Constants ----------------------------------------------------------- */

static dt_status compute_all(evaluation *at, void *arg)
{
    return compute(at, arg);
}

/* Tell whether all results are small. */
static bool is_small(const dt_graph *graph, const dti_graph_node *node,
                     size_t limit)
{
    for (int i = 0; i < node->result_count; i++) {
        if (node->results[i] < 0)
            continue;
        const dti_graph_value *value = &graph->values[node->results[i]];
        size_t bytes = dt_dtype_size(value->dtype);
        for (int k = 0; k < value->ndim; k++)
            if (value->sizes[k].expression ||
                __builtin_mul_overflow(bytes, (size_t)value->sizes[k].number,
                                       &bytes))
                return false;
        if (bytes > limit)
            return false;
    }
    return true;
}

dt_status dt_edit_compute(dt_graph_edit *edit, int node, size_t limit)
{
    dt_world *world = edit->graph->world;
    evaluation at = {.edit = edit, .node = &edit->graph->nodes[node]};
    if (!dt_edit_is_constant(edit, node))
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_edit_compute: node %s does not read constants only",
                        at.node->name);
    if (!is_small(edit->graph, at.node, limit))
        return DT_OK;
    DTI_TRY(within_scope(&at, compute_all, edit->known));
    return dt_edit_drop(edit, node);
}

/* ---- Views --------------------------------------------------------------- */

/* Compare the view of a tensor with the tensor.  Strides of extents below 2 do
 * not matter. */
static dt_status compare_view(evaluation *at, void *arg)
{
    bool *same = arg;
    dt_argument *arguments;
    dt_tensor **results;
    DTI_TRY(call(at, &arguments, &results));
    const dt_array *from =
        arguments[at->node->op->schema.tensors[0]].as.tensor->local;
    const dt_array *to = results[0]->local;
    *same =
        to->offset == from->offset && dt_shape_equal(to->shape, from->shape);
    for (int i = 0; *same && i < from->shape.ndim; i++)
        *same = from->shape.dims[i] < 2 || to->strides[i] == from->strides[i];
    return DT_OK;
}

static bool is_known(const dti_graph_value *value)
{
    for (int i = 0; i < value->ndim; i++)
        if (value->sizes[i].expression)
            return false;
    return true;
}

dt_status dt_edit_is_same(const dt_graph_edit *edit, int node, bool *out)
{
    const dti_graph_node *of = &edit->graph->nodes[node];
    evaluation at = {.edit = edit, .node = of, .without_elements = true};
    *out = false;
    if (!dt_edit_op(edit, node) || !(of->op->op->flags & DT_OP_VIEW) ||
        of->op->schema.tensor_count != 1 || of->result_count != 1 ||
        of->results[0] < 0 || dt_edit_input_count(edit, node) != 1 ||
        of->terms[of->op->schema.tensors[0]].kind != DT_ARG_TENSOR)
        return DT_OK;
    const int from = dt_edit_input(edit, node, 0);
    if (!dt_edit_alike(edit, from, of->results[0]) ||
        !is_known(&edit->graph->values[from]))
        return DT_OK;
    return within_scope(&at, compare_view, out);
}
