/* autograd/evaluate.c - gradients of one call, by its formula. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "autograd/call.h"
#include "autograd/family.h"
#include "autograd/pack.h"
#include "autograd/section.h"
#include "base/dtype.h"
#include "base/error.h"
#include "op/call/dispatch.h"

/* A node while its gradients are computed. */
typedef struct evaluation {
    dti_node *node;
    const dti_formula *formula;
    dt_tensor *const *grads;
    bool differentiable; /* saved tensors get their edges again */
    /* Tensors made of what was saved, by input, then by result; NULL until
     * they are read.  They belong to the scope. */
    dt_tensor **saved;
    dt_tensor **zeros;     /* gradients that did not arrive, by result */
    dt_tensor **all_grads; /* for a row's function */
    dt_spec **specs;       /* the same */
} evaluation;

/* Tensors of most calls; more take memory from the heap. */
#define FEW_TENSORS 8

/* ---- Saved tensors ------------------------------------------------------ */

static dt_status check_saved(const dti_node *node, int number)
{
    const dti_saved *saved = &node->saved[number];
    dt_world *world = node->world;
    if (node->released)
        return dti_fail(world, DT_ERR_INVALID,
                        "the gradient of %s needs %s, which an earlier "
                        "backward pass released; set `retain` there",
                        dti_node_name(node),
                        dti_node_tensor_name(node, number));
    if (!saved->version || (saved->count == saved->version->count &&
                            saved->alone == saved->version->alone))
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID,
                    "the gradient of %s needs %s, %s, but %s has overwritten "
                    "it; write to a clone of it instead",
                    dti_node_name(node), dti_node_tensor_name(node, number),
                    dti_spec_show(saved->spec).text,
                    saved->version->writer ? saved->version->writer
                                           : "another call");
}

/* A saved tensor, with the edge that it had if gradients of gradients are
 * wanted. */
static dt_status unpack(evaluation *at, int number, dt_tensor **out)
{
    dti_node *node = at->node;
    const dti_saved *saved = &node->saved[number];
    *out = at->saved[number];
    if (*out || !saved->kept)
        return DT_OK;
    if (!dti_saved_is_there(saved) && !node->released && node->section)
        DTI_TRY(dti_section_restore(node->section));
    DTI_TRY(check_saved(node, number));
    dt_tensor *tensor = NULL;
    DTI_TRY(dti_saved_read(saved, &tensor));
    if (at->differentiable && number >= node->input_count)
        dti_gradient_attach(tensor, node, number - node->input_count);
    else if (at->differentiable && node->edges[number].node)
        dti_gradient_attach(tensor, node->edges[number].node,
                            node->edges[number].result);
    *out = at->saved[number] = tensor;
    return DT_OK;
}

/* The first input of a parameter, and how many it has. */
static void find_inputs(const dti_node *node, int parameter, int *first,
                        int *count)
{
    const dti_schema *schema = &node->op->schema;
    *first = 0;
    while (schema->tensors[*first] != parameter)
        ++*first;
    const bool list =
        dti_types[schema->parameters[parameter].type].kind == DT_ARG_TENSORS;
    *count = list ? node->input_count - *first : 1;
}

static dt_status read_input(evaluation *at, int parameter, dt_argument *out)
{
    int first, count;
    dt_tensor *tensor;
    const dti_schema *schema = &at->node->op->schema;
    find_inputs(at->node, parameter, &first, &count);
    for (int i = first; i < first + count; i++)
        DTI_TRY(unpack(at, i, &tensor));
    if (dti_types[schema->parameters[parameter].type].kind == DT_ARG_TENSORS)
        *out = (dt_argument){.kind = DT_ARG_TENSORS,
                             .count = count,
                             .as.tensors = at->saved + first};
    else
        *out = (dt_argument){.kind = tensor ? DT_ARG_TENSOR : DT_ARG_NONE,
                             .as.tensor = tensor};
    return DT_OK;
}

static dt_status tensor_argument(dt_tensor *tensor, dt_argument *out)
{
    *out = (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = tensor};
    return tensor ? DT_OK : DT_ERR_NO_MEMORY;
}

/* The gradient of a result; zeros if none arrived. */
static dt_status read_grad(evaluation *at, int result, dt_tensor **out)
{
    *out = at->grads[result] ? at->grads[result] : at->zeros[result];
    if (*out)
        return DT_OK;
    const dt_spec *spec = at->node->saved[at->node->input_count + result].spec;
    DTI_TRY(dti_call_zeros(spec, out));
    at->zeros[result] = *out;
    return DT_OK;
}

static const dt_spec *spec_of(const evaluation *at, const dti_term_tensor *of)
{
    int first, count;
    if (of->result)
        return at->node->saved[at->node->input_count + of->number].spec;
    find_inputs(at->node, of->number, &first, &count);
    return at->node->saved[first].spec;
}

/* ---- Numbers ------------------------------------------------------------ */

static dt_number number_of(const dt_argument *argument)
{
    switch (argument->kind) {
    case DT_ARG_INTEGER:
        return dt_integer(argument->as.integer);
    case DT_ARG_REAL:
        return dt_real(argument->as.real);
    case DT_ARG_NUMBER:
        return argument->as.number;
    default:
        return dt_integer(0);
    }
}

static dt_number combine_whole(char sign, int64_t a, int64_t b)
{
    switch (sign) {
    case '+':
        return dt_integer(a + b);
    case '-':
        return dt_integer(a - b);
    case '*':
        return dt_integer(a * b);
    default:
        return dt_real((double)a / (double)b);
    }
}

static dt_number combine_real(char sign, double a, double b)
{
    switch (sign) {
    case '+':
        return dt_real(a + b);
    case '-':
        return dt_real(a - b);
    case '*':
        return dt_real(a * b);
    default:
        return dt_real(a / b);
    }
}

static dt_number combine_complex(char sign, dt_number a, dt_number b)
{
    const double ar = dt_number_real(a), ai = a.imaginary;
    const double br = dt_number_real(b), bi = b.imaginary;
    const double size = br * br + bi * bi;
    switch (sign) {
    case '+':
        return dt_complex_number(ar + br, ai + bi);
    case '-':
        return dt_complex_number(ar - br, ai - bi);
    case '*':
        return dt_complex_number(ar * br - ai * bi, ar * bi + ai * br);
    default:
        return dt_complex_number((ar * br + ai * bi) / size,
                                 (ai * br - ar * bi) / size);
    }
}

static bool is_whole(dt_number number)
{
    return number.kind != DT_KIND_FLOAT && number.kind != DT_KIND_COMPLEX;
}

static dt_number combine(char sign, dt_number a, dt_number b)
{
    if (a.kind == DT_KIND_COMPLEX || b.kind == DT_KIND_COMPLEX)
        return combine_complex(sign, a, b);
    if (is_whole(a) && is_whole(b))
        return combine_whole(sign, a.as.integer, b.as.integer);
    return combine_real(sign, dt_number_real(a), dt_number_real(b));
}

/* ---- Terms -------------------------------------------------------------- */

static dt_status evaluate(evaluation *at, int number, dt_argument *out);

/* Give a number the kind that a parameter has; `one` is room for a list. */
static void convert(dti_type type, dt_argument *argument, int64_t *one)
{
    const dt_argument_kind kind = dti_types[type].kind;
    if (argument->kind == kind || argument->kind == DT_ARG_NONE)
        return;
    const dt_number number = number_of(argument);
    if (kind == DT_ARG_INTEGERS) {
        *one = number.as.integer;
        *argument = (dt_argument){.kind = kind, .count = 1, .as.integers = one};
    }
    if (kind == DT_ARG_NUMBER)
        *argument = (dt_argument){.kind = kind, .as.number = number};
    else if (kind == DT_ARG_REAL)
        *argument =
            (dt_argument){.kind = kind, .as.real = dt_number_real(number)};
    else if (kind == DT_ARG_INTEGER)
        *argument = (dt_argument){
            .kind = kind,
            .as.integer = is_whole(number) ? number.as.integer
                                           : (int64_t)dt_number_real(number)};
}

/* Tell whether a tensor is multiplied by 1, as by an option that nobody set. */
static bool keeps_tensor(const dti_term *term, const dt_argument *arguments)
{
    return term->scales && arguments[1].as.number.kind != DT_KIND_COMPLEX &&
           dt_number_is(arguments[1].as.number, 1) &&
           dti_is_float(dt_tensor_dtype(arguments[0].as.tensor));
}

static dt_status call(evaluation *at, const dti_term *term, dt_tensor **results,
                      int capacity)
{
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    int64_t ones[DTI_MAX_ARGUMENTS];
    const dti_schema *schema = &term->op->schema;
    int given;
    for (int i = 0; i < term->count; i++) {
        if (term->terms[i] < 0) {
            arguments[i] = schema->parameters[i].usual;
            continue;
        }
        DTI_TRY(evaluate(at, term->terms[i], &arguments[i]));
        convert(schema->parameters[i].type, &arguments[i], &ones[i]);
    }
    if (keeps_tensor(term, arguments)) {
        results[0] = arguments[0].as.tensor;
        return DT_OK;
    }
    return dti_op_call(at->node->world, term->op, DT_VARIANT_NEW, arguments,
                       results, capacity, &given);
}

static dt_status evaluate_conj(evaluation *at, const dti_term *term,
                               dt_argument *out)
{
    DTI_TRY(evaluate(at, term->terms[0], out));
    if (out->kind == DT_ARG_NUMBER)
        out->as.number.imaginary = -out->as.number.imaginary;
    if (out->kind != DT_ARG_TENSOR || dt_tensor_dtype(out->as.tensor) != DT_C64)
        return DT_OK;
    return dti_call_unary(at->node->world, "conj", out->as.tensor,
                          &out->as.tensor);
}

static dt_status evaluate_number(evaluation *at, const dti_term *term,
                                 dt_argument *out)
{
    dt_argument one, other;
    DTI_TRY(evaluate(at, term->terms[0], &one));
    if (term->sign == '~')
        other = one, one = (dt_argument){.kind = DT_ARG_INTEGER};
    else
        DTI_TRY(evaluate(at, term->terms[1], &other));
    *out =
        (dt_argument){.kind = DT_ARG_NUMBER,
                      .as.number = combine(term->sign == '~' ? '-' : term->sign,
                                           number_of(&one), number_of(&other))};
    return DT_OK;
}

static dt_status evaluate_facts(const evaluation *at, const dti_term *term,
                                dt_argument *out)
{
    const dt_spec *spec = spec_of(at, &term->of);
    dt_tensor *zeros;
    switch (term->kind) {
    case DTI_TERM_SHAPE:
        *out = (dt_argument){.kind = DT_ARG_INTEGERS,
                             .count = spec->meta.shape.ndim,
                             .as.integers = spec->meta.shape.dims};
        return DT_OK;
    case DTI_TERM_DTYPE:
        *out = (dt_argument){.kind = DT_ARG_INTEGER,
                             .as.integer = spec->meta.dtype};
        return DT_OK;
    default:
        DTI_TRY(dti_call_zeros(spec, &zeros));
        return tensor_argument(zeros, out);
    }
}

static dt_status evaluate(evaluation *at, int number, dt_argument *out)
{
    const dti_term *term = &at->formula->terms[number];
    dt_tensor *tensor = NULL;
    switch (term->kind) {
    case DTI_TERM_LITERAL:
        *out = term->literal;
        return DT_OK;
    case DTI_TERM_ARGUMENT:
        *out = at->node->arguments[term->number];
        return DT_OK;
    case DTI_TERM_INPUT:
        return read_input(at, term->number, out);
    case DTI_TERM_RESULT:
        DTI_TRY(unpack(at, at->node->input_count + term->number, &tensor));
        return tensor_argument(tensor, out);
    case DTI_TERM_GRAD:
        DTI_TRY(read_grad(at, term->number, &tensor));
        return tensor_argument(tensor, out);
    case DTI_TERM_CONJ:
        return evaluate_conj(at, term, out);
    case DTI_TERM_NUMBER:
        return evaluate_number(at, term, out);
    case DTI_TERM_CALL:
        DTI_TRY(call(at, term, &tensor, 1));
        return tensor_argument(tensor, out);
    default:
        return evaluate_facts(at, term, out);
    }
}

/* ---- Clauses ------------------------------------------------------------ */

/* Find the clause that gives an input its gradient, and which of the clause's
 * targets it is. */
static const dti_clause *clause_of(const evaluation *at, int input, int *target)
{
    const dti_schema *schema = &at->node->op->schema;
    const int last = schema->tensor_count - 1;
    const int parameter = schema->tensors[input < last ? input : last];
    const dti_clause *clause =
        &at->formula->clauses[at->formula->clause_of[parameter]];
    *target = 0;
    while (clause->targets[*target] != parameter)
        ++*target;
    return clause;
}

/* Compute the gradients of a clause with one term. */
static dt_status run_clause(evaluation *at, const dti_clause *clause,
                            const bool *wanted, dt_tensor **out)
{
    dt_tensor *results[DTI_MAX_RESULTS] = {NULL};
    dt_argument value;
    const dti_term *term = &at->formula->terms[clause->term];
    if (clause->target_count > 1) {
        DTI_TRY(call(at, term, results, clause->target_count));
    } else {
        DTI_TRY(evaluate(at, clause->term, &value));
        results[0] = value.as.tensor;
    }
    for (int i = 0; i < at->node->input_count; i++) {
        int target;
        if (wanted[i] && clause_of(at, i, &target) == clause)
            out[i] = results[target];
    }
    return DT_OK;
}

/* Let the function of the row compute gradients. */
static dt_status run_function(evaluation *at, const bool *wanted,
                              dt_tensor **out)
{
    dti_node *node = at->node;
    const dti_schema *schema = &node->op->schema;
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    dt_tensor *ignored;
    for (int i = 0; i < node->input_count + node->result_count; i++) {
        DTI_TRY(unpack(at, i, &ignored));
        at->specs[i] = node->saved[i].spec;
    }
    for (int i = 0; i < node->result_count; i++)
        if (dti_formula_follows(at->formula, i))
            DTI_TRY(read_grad(at, i, &at->all_grads[i]));
    for (int i = 0; i < schema->count; i++)
        arguments[i] = node->arguments[i];
    for (int i = 0; i < schema->tensor_count; i++)
        DTI_TRY(
            read_input(at, schema->tensors[i], &arguments[schema->tensors[i]]));
    dt_backward_call call = {.world = node->world,
                             .op = node->op->op,
                             .arguments = arguments,
                             .input_count = node->input_count,
                             .inputs = at->saved,
                             .in_specs = at->specs,
                             .result_count = node->result_count,
                             .results = at->saved + node->input_count,
                             .out_specs = at->specs + node->input_count,
                             .grads = at->all_grads,
                             .wanted = wanted,
                             .gradients = out};
    return node->op->op->backward(&call);
}

/* Run each clause that some wanted gradient comes from, once. */
static dt_status run_clauses(evaluation *at, const bool *wanted,
                             dt_tensor **out)
{
    uint32_t done = 0;
    bool called = false;
    for (int i = 0; i < at->node->input_count; i++) {
        int target;
        if (!wanted[i])
            continue;
        const dti_clause *clause = clause_of(at, i, &target);
        const uint32_t bit = 1U << (clause - at->formula->clauses);
        if (clause->by_function && !called) {
            DTI_TRY(run_function(at, wanted, out));
            called = true;
        } else if (!clause->by_function && !(done & bit)) {
            DTI_TRY(run_clause(at, clause, wanted, out));
        }
        done |= bit;
    }
    return DT_OK;
}

/* ---- Writes through views ----------------------------------------------- */

/* Some views depend on the layout or the order of elements in memory: let a
 * gradient be as its base, in order. */
static dt_status arrange_like_base(const dti_node *node, dt_tensor **grad)
{
    const dt_layout layout = dti_layout_reduced(&node->saved[0].spec->layout);
    if (dti_view_is_strict(node->written))
        DTI_TRY(dti_call_redistribute(*grad, &layout, false, grad));
    return dti_call_unary(node->world, "contiguous", *grad, grad);
}

/* Set the elements of a view to 0, of a tensor like the base. */
static dt_status clear_view(const dti_node *node, dt_tensor *base)
{
    dt_tensor *view;
    DTI_TRY(dti_view_apply(node->written, base, &view));
    if (view->version && view->version == base->version)
        return dti_call_zero(view);
    return dti_fail(node->world, DT_ERR_UNSUPPORTED,
                    "the gradient of a write through a view: the strides of "
                    "%s do not allow the view; write to a contiguous tensor",
                    dti_spec_show(base->spec).text);
}

/* What the base was has the gradient, but zero where the view is; the call has
 * what the view has of it. */
static dt_status run_write(evaluation *at, const bool *wanted, dt_tensor **out)
{
    const dti_node *node = at->node;
    dt_tensor *grad = at->grads[0];
    if (!grad)
        return DT_OK;
    DTI_TRY(arrange_like_base(node, &grad));
    if (wanted[1])
        DTI_TRY(dti_view_apply(node->written, grad, &out[1]));
    if (!wanted[0])
        return DT_OK;
    DTI_TRY(dti_call_unary(node->world, "clone", grad, &out[0]));
    return clear_view(node, out[0]);
}

/* ---- Shapes and dtypes -------------------------------------------------- */

/* Undo the broadcasting and the promotion of an input. */
static dt_status fit(const dt_spec *spec, dt_tensor **gradient)
{
    dt_tensor *tensor = *gradient;
    if (!dt_shape_equal(tensor->spec->meta.shape, spec->meta.shape))
        DTI_TRY(dti_call_sum_to(tensor, spec->meta.shape, &tensor));
    if (tensor->spec->meta.dtype != spec->meta.dtype)
        DTI_TRY(dti_call_cast(tensor, spec->meta.dtype, &tensor));
    *gradient = tensor;
    return DT_OK;
}

static dt_status fit_all(const dti_node *node, const bool *wanted,
                         dt_tensor **out)
{
    for (int i = 0; i < node->input_count; i++)
        if (wanted[i] && out[i])
            DTI_TRY(fit(node->saved[i].spec, &out[i]));
    return DT_OK;
}

/* ---- One node ----------------------------------------------------------- */

static dt_status run(evaluation *at, const bool *wanted, dt_tensor **out)
{
    dti_node *node = at->node;
    if (node->written)
        return run_write(at, wanted, out);
    DTI_TRY(run_clauses(at, wanted, out));
    return fit_all(node, wanted, out);
}

dt_status dti_evaluate(dti_node *node, dt_tensor *const *grads,
                       const bool *wanted, bool differentiable, dt_tensor **out)
{
    const size_t all = (size_t)(node->input_count + node->result_count);
    const size_t results = (size_t)node->result_count;
    dt_tensor *few[4 * FEW_TENSORS] = {NULL};
    dt_spec *few_specs[FEW_TENSORS];
    const bool many = all > FEW_TENSORS;
    void *heap = NULL;
    evaluation at = {.node = node,
                     .formula = node->formula,
                     .grads = grads,
                     .differentiable = differentiable,
                     .saved = few,
                     .zeros = few + FEW_TENSORS,
                     .all_grads = few + 2 * FEW_TENSORS,
                     .specs = few_specs};
    if (many) {
        heap = calloc(2 * all + 2 * results, sizeof(void *));
        if (!heap)
            return dti_fail_memory(node->world, 4 * all * sizeof(void *),
                                   "a gradient");
        at.saved = heap;
        at.specs = (dt_spec **)(at.saved + all);
        at.zeros = at.saved + 2 * all;
        at.all_grads = at.zeros + results;
    }
    const dt_status status = run(&at, wanted, out);
    free(heap);
    return status;
}
