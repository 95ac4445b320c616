/* graph/program/translate.c - nodes of ATen as calls of rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "graph/program/fit.h"

/* The ways to express one overload that are tried. */
#define FORMS_MAX 8

/* ---- Dtypes ------------------------------------------------------------- */

static const struct {
    int64_t number; /* ScalarType of PyTorch's schema */
    dt_dtype dtype;
} dtypes[] = {
    {1, DT_U8},   {2, DT_I8},    {3, DT_I16},   {4, DT_I32},
    {5, DT_I64},  {6, DT_F16},   {7, DT_F32},   {8, DT_F64},
    {10, DT_C64}, {12, DT_BOOL}, {13, DT_BF16},
};

dt_dtype dti_dtype_of_torch(int64_t number)
{
    for (size_t i = 0; i < DTI_COUNT_OF(dtypes); i++)
        if (dtypes[i].number == number)
            return dtypes[i].dtype;
    return DT_DTYPE_COUNT;
}

/* ---- Targets ------------------------------------------------------------ */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "torch.ops.aten.mm.default" is mm, "torch.ops.aten.add.Tensor" add.Tensor;
 * false if it is no operator of ATen. */
static bool overload_of(const char *target, char *out, size_t size)
{
    static const char prefix[] = "torch.ops.aten.", usual[] = ".default";
    if (!begins(target, prefix))
        return false;
    snprintf(out, size, "%s", target + sizeof prefix - 1);
    const size_t length = strlen(out);
    if (length >= sizeof usual && strcmp(out + length - 8, usual) == 0)
        out[length - 8] = '\0';
    return true;
}

/* Sizes are computed by Python's operators; they are expressions here. */
static bool computes_sizes(const char *target)
{
    return begins(target, "_operator.") || begins(target, "torch.sym_") ||
           begins(target, "math.");
}

/* relu_ and add_.Tensor write to their first argument. */
static bool writes(const char *overload)
{
    const size_t length = strcspn(overload, ".");
    return length > 1 && overload[length - 1] == '_' && !begins(overload, "__");
}

/* ---- Results ------------------------------------------------------------ */

/* The values of a node: names of tensors, or NULL where one is absent. */
static int count_results(const dti_raw_node *node)
{
    int count = 0;
    for (int i = 0; i < node->outputs.count; i++)
        count += node->outputs.items[i].count;
    return count;
}

/* Add the values that a node computes. */
static dt_status add_results(dti_loading *loading, const dti_raw_node *node,
                             int *results)
{
    int count = 0;
    for (int i = 0; i < node->outputs.count; i++) {
        const dti_raw_argument *one = &node->outputs.items[i];
        for (int k = 0; k < one->count; k++) {
            dti_graph_value value;
            results[count] = -1;
            dti_raw_name *name =
                one->items[k].kind == DTI_RAW_TENSOR
                    ? dti_raw_find(&loading->raw, one->items[k].text)
                    : NULL;
            if (one->items[k].kind == DTI_RAW_TENSOR && !name)
                dti_problem_add(&loading->problems, DT_ERR_FORMAT, node,
                                "tensor %s is not described in tensor_values",
                                one->items[k].text);
            else if (name && name->value >= 0)
                dti_problem_add(&loading->problems, DT_ERR_FORMAT, node,
                                "tensor %s is computed twice", name->name);
            else if (name && dti_describe_value(loading, node, name, &value)) {
                DTI_TRY(
                    dti_graph_add_value(loading->graph, &value, &name->value));
                results[count] = name->value;
            }
            count++;
        }
    }
    return DT_OK;
}

static dt_dtype dtype_of_result(const dti_loading *loading,
                                const dti_raw_node *node)
{
    for (int i = 0; i < node->outputs.count; i++) {
        const dti_raw_argument *one = &node->outputs.items[i];
        const dti_raw_name *name =
            one->count > 0 && one->items[0].kind == DTI_RAW_TENSOR
                ? dti_raw_find(&loading->raw, one->items[0].text)
                : NULL;
        if (name && name->has_meta)
            return dti_dtype_of_torch(name->meta.dtype);
    }
    return DT_DTYPE_COUNT;
}

/* The symbol that an extent of a tensor is, if it depends on elements: "u0". */
static dti_symbol *find_unknown(dti_loading *loading, const char *tensor)
{
    const dti_sizes *sizes = &loading->graph->sizes;
    const dti_raw_name *name =
        tensor ? dti_raw_find(&loading->raw, tensor) : NULL;
    for (int i = 0; name && name->has_meta && i < name->meta.ndim; i++) {
        const int index = name->meta.sizes[i].expression - 1;
        if (index < 0 || sizes->expressions[index].op != DTI_SIZE_SYMBOL)
            continue;
        dti_symbol *symbol = &sizes->symbols[sizes->expressions[index].a];
        if (symbol->name[0] == 'u')
            return symbol;
    }
    return NULL;
}

/* Report sizes that are not known before a run, where they first occur. */
static void check_sizes(dti_loading *loading, const dti_raw_node *node)
{
    for (int i = 0; i < node->outputs.count; i++) {
        const dti_raw_argument *one = &node->outputs.items[i];
        for (int k = 0; k < one->count; k++) {
            dti_symbol *unknown = find_unknown(loading, one->items[k].text);
            if (!unknown || unknown->bound)
                continue;
            unknown->bound = true;
            dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, node,
                            "data-dependent size %s", unknown->name);
        }
    }
}

/* ---- Nodes -------------------------------------------------------------- */

const char *dti_translate_text(dti_loading *loading, const char *text)
{
    const dt_graph *graph = loading->graph;
    const dti_graph_node *last =
        graph->node_count > 0 ? &graph->nodes[graph->node_count - 1] : NULL;
    if (last && strcmp(last->module, text) == 0)
        return last->module;
    return dti_graph_text(loading->graph, text);
}

/* Add a node; a row of NULL is one that is not supported. */
static dt_status add_node(dti_loading *loading, const dti_raw_node *from,
                          dti_operator *op, dti_term *terms)
{
    dt_graph *graph = loading->graph;
    dti_graph_node node = {.op = op, .terms = terms};
    node.result_count = count_results(from);
    node.name = dti_graph_text(graph, from->name);
    node.target = dti_graph_text(graph, from->target);
    node.module = dti_translate_text(loading, from->module);
    node.results = dti_graph_get(graph, (size_t)(node.result_count + 1) *
                                            sizeof *node.results);
    if (!node.name || !node.target || !node.module || !node.results)
        return DT_ERR_NO_MEMORY;
    DTI_TRY(add_results(loading, from, node.results));
    return dti_graph_add_node(graph, &node);
}

/* The results are the first argument itself. */
static bool take_same(dti_fitting *at)
{
    dti_loading *loading = at->loading;
    const dti_raw_arguments *inputs = &at->node->inputs,
                            *outputs = &at->node->outputs;
    if (inputs->count == 0 || outputs->count != 1 || outputs->items->list ||
        inputs->items[0].count != 1 ||
        inputs->items[0].items[0].kind != DTI_RAW_TENSOR ||
        outputs->items[0].items[0].kind != DTI_RAW_TENSOR ||
        !dti_fit_terms(at, NULL, NULL))
        return false;
    const dti_raw_name *from =
        dti_raw_find(&loading->raw, inputs->items[0].items[0].text);
    dti_raw_name *to =
        dti_raw_find(&loading->raw, outputs->items[0].items[0].text);
    if (!from || from->value < 0 || !to)
        return false;
    to->value = from->value;
    return true;
}

static bool has_room(const dti_schema *schema, int results)
{
    return schema->results == DTI_RESULT_LIST ||
           results <= schema->result_count;
}

/* Try to express a node by a form; `done` tells whether it was possible. */
static dt_status try_form(dti_fitting *at, const dti_aten_form *form,
                          bool *done)
{
    dti_loading *loading = at->loading;
    char name[DTI_NAME_SIZE];
    dti_operator *op = NULL;
    at->map = form->map;
    *done = false;
    if (strcmp(form->row, "-") == 0) {
        *done = true;
        return DT_OK;
    }
    if (strcmp(form->row, "=") == 0) {
        *done = take_same(at);
        return DT_OK;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(form->row, "("),
             form->row);
    DTI_TRY(dti_operator_find(loading->world, name, &op));
    dti_term *terms = dti_graph_get(
        loading->graph, (size_t)(op->schema.count + 1) * sizeof *terms);
    if (!terms)
        return DT_ERR_NO_MEMORY;
    if (!dti_fit_terms(at, &op->schema, terms))
        return at->status;
    if (!has_room(&op->schema, count_results(at->node))) {
        snprintf(at->why, sizeof at->why, "it has more results than %s", name);
        return DT_OK;
    }
    *done = true;
    return add_node(loading, at->node, op, terms);
}

static void report(dti_loading *loading, const dti_raw_node *node,
                   const char *overload, int forms, const char *why)
{
    loading->problems.operators++;
    if (forms > 0)
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, node, "%s",
                        why);
    else if (overload && writes(overload))
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, node,
                        "in-place operator aten.%s in training IR; call "
                        "run_decompositions({}) before torch.export.save",
                        overload);
    else
        dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, node,
                        "operator not supported");
}

static dt_status translate(dti_loading *loading, const dti_raw_node *node)
{
    dti_aten_form forms[FORMS_MAX];
    char overload[256];
    dti_fitting at = {.loading = loading, .node = node};
    bool done = computes_sizes(node->target);
    const bool aten = overload_of(node->target, overload, sizeof overload);
    const int count =
        aten ? dti_aten_find(&loading->aten, overload, forms, FORMS_MAX) : 0;
    at.dtype = dtype_of_result(loading, node);
    check_sizes(loading, node);
    for (int i = 0; !done && i < count; i++)
        DTI_TRY(try_form(&at, &forms[i], &done));
    if (done)
        return DT_OK;
    report(loading, node, aten ? overload : NULL, count, at.why);
    return add_node(loading, node, NULL, NULL);
}

dt_status dti_translate(dti_loading *loading)
{
    for (int i = 0; i < loading->raw.node_count; i++)
        DTI_TRY(translate(loading, &loading->raw.nodes[i]));
    return DT_OK;
}
