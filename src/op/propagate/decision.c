/* op/propagate/decision.c - deciding about a call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/propagate/decision.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "mesh/mesh.h"
#include "op/call/remember.h"
#include "op/propagate/propagate.h"
#include "tensor/order.h"

/* Results that `meta` adds; operation.results is the list. */
struct dt_new_results {
    dt_meta *list;
    int capacity;
};

/* What is worked out on the way. */
typedef struct deciding {
    dt_operation operation;
    struct dt_new_results results;
    const dti_request *request;
    dti_decision *decision;
    dt_layout *layouts;
    dt_factors factors;
    bool has_factors;
} deciding;

/* ---- For the functions of rows ------------------------------------------ */

dt_status dt_operation_add_result(dt_operation *operation, const dt_meta *meta)
{
    struct dt_new_results *results = operation->new_results;
    if (!results)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dt_operation_add_result was called outside "
                                 "meta; only meta adds results");
    if (operation->result_count == results->capacity) {
        int capacity = results->capacity ? 2 * results->capacity : 4;
        dt_meta *larger =
            realloc(results->list, (size_t)capacity * sizeof *larger);
        if (!larger)
            return dti_fail_memory(
                operation->world, (size_t)capacity * sizeof *larger, "results");
        results->list = larger;
        results->capacity = capacity;
        operation->results = larger;
    }
    results->list[operation->result_count++] = *meta;
    return DT_OK;
}

const dt_argument *dt_operation_argument(const dt_operation *operation,
                                         const char *name)
{
    const int i = dti_schema_find(operation->schema, name, strlen(name));
    return i < 0 ? NULL : &operation->arguments[i];
}

dt_status dt_operation_dim(const dt_operation *operation, int64_t dim, int ndim,
                           int *out)
{
    int64_t range = ndim > 0 ? ndim : 1;
    if (dim < -range || dim >= range)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "dimension %" PRId64
                                 " is out of range for a %d-d tensor",
                                 dim, ndim);
    *out = (int)(dim < 0 ? dim + range : dim);
    return DT_OK;
}

const dti_parameter *dti_input_parameter(const dti_request *request, int input,
                                         int *place)
{
    const dti_schema *schema = &request->op->schema;
    *place = 0;
    for (int i = 0; i < schema->tensor_count; i++) {
        const dt_argument *one = &request->arguments[schema->tensors[i]];
        const int count = one->kind == DT_ARG_TENSORS ? one->count : 1;
        *place = input;
        if (input < count)
            return &schema->parameters[schema->tensors[i]];
        input -= count;
    }
    return &schema->parameters[schema->tensors[0]]; /* there is none such */
}

dti_input_text dti_input_show(const dti_request *request, int input)
{
    dti_input_text out;
    int place = 0;
    const dti_parameter *parameter =
        dti_input_parameter(request, input, &place);
    if (dti_types[parameter->type].kind == DT_ARG_TENSORS)
        snprintf(out.text, sizeof out.text, "%s[%d]", parameter->name, place);
    else
        snprintf(out.text, sizeof out.text, "%s", parameter->name);
    return out;
}

/* ---- Memory of a decision ----------------------------------------------- */

void dti_decision_free(dti_decision *one)
{
    for (int i = 0; i < one->input_count; i++) {
        dt_spec_release(one->inputs[i].given);
        dt_spec_release(one->inputs[i].from);
        dt_plan_release(one->inputs[i].plan);
        dt_spec_release(one->in_specs[i]);
    }
    for (int i = 0; one->out_specs && i < one->result_count; i++)
        dt_spec_release(one->out_specs[i]);
    free(one->forms);
    dt_spec_release(one->out);
    free(one->out_specs);
    free(one->results);
    free(one);
}

/* A decision with room for the inputs and the words, which are copied. */
static dt_status make_decision(const dti_request *request, dti_decision **out)
{
    size_t inputs = (size_t)request->input_count;
    size_t words = (size_t)request->word_count;
    size_t bytes = sizeof(dti_decision) + inputs * sizeof(dti_input) +
                   inputs * sizeof(dt_spec *) + inputs * sizeof(dt_meta *) +
                   words * sizeof(uint64_t);
    dti_decision *one = calloc(1, bytes);
    if (!one)
        return dti_fail_memory(request->world, bytes, "a decision");
    one->op = request->op;
    one->hash = request->hash;
    one->variant = request->variant;
    one->replicates = request->replicates;
    one->input_count = request->input_count;
    one->word_count = request->word_count;
    one->inputs = (dti_input *)(one + 1);
    one->in_specs = (dt_spec **)(one->inputs + inputs);
    void *behind = one->in_specs + inputs;
    one->metas = behind;
    behind = one->metas + inputs;
    one->words = behind;
    memcpy(one->words, request->words, words * sizeof *one->words);
    for (size_t i = 0; i < inputs; i++)
        if (request->inputs[i])
            one->inputs[i].given = dt_spec_retain(request->inputs[i]->spec);
    if (request->out)
        one->out = dt_spec_retain(request->out->spec);
    *out = one;
    return DT_OK;
}

/* ---- Meshes ------------------------------------------------------------- */

/* The mesh of the first input that is not this rank's own; that, if all are. */
static dt_mesh *find_mesh(const dti_request *request)
{
    dt_mesh *own = dt_world_own_mesh(request->world), *mesh = NULL;
    for (int i = 0; i < request->input_count; i++) {
        if (!request->inputs[i])
            continue;
        mesh = request->inputs[i]->spec->mesh;
        if (mesh != own)
            return mesh;
    }
    return mesh;
}

/* Tell whether a tensor of this rank's own mesh stands for a replicated one. */
static bool is_adopted(const dti_request *request, const dt_spec *spec)
{
    return spec->mesh == dt_world_own_mesh(request->world) &&
           (spec->meta.shape.ndim == 0 || request->replicates);
}

static dt_status refuse_mesh(const deciding *at, int input)
{
    const dti_request *request = at->request;
    const dt_spec *spec = request->inputs[input]->spec;
    char theirs[128], ours[128];
    bool own = spec->mesh == dt_world_own_mesh(request->world);
    dt_mesh_format(spec->mesh, theirs, sizeof theirs);
    dt_mesh_format(at->decision->mesh, ours, sizeof ours);
    return dt_operation_fail(
        &at->operation, DT_ERR_INVALID,
        "%s, %s, is on %s, but the other tensors are on %s; %s",
        dti_input_show(request, input).text, dti_spec_show(spec).text,
        own ? "this rank's own mesh" : theirs, ours,
        own ? "distribute it, or open a scope with replicate = DT_TRISTATE_ON"
            : "redistribute it to their mesh");
}

/* Where an input lies on the mesh of the call: a mask is read as a sum. */
static dt_status place_input(deciding *at, int input)
{
    dti_decision *decision = at->decision;
    dti_input *one = &decision->inputs[input];
    dt_spec *spec = one->given;
    dt_layout layout = spec->layout;
    if (spec->mesh != decision->mesh &&
        !dt_mesh_equal(spec->mesh, decision->mesh)) {
        if (!is_adopted(at->request, spec))
            return refuse_mesh(at, input);
        layout.ndim = decision->mesh->dims.ndim;
        for (int i = 0; i < layout.ndim; i++) {
            layout.placements[i] = dt_replicate();
            layout.order[i] = 0;
        }
    }
    layout = dti_layout_unmasked(&layout);
    return dt_spec_create_with(decision->mesh, &layout, &spec->meta,
                               &one->from);
}

static dt_status place_inputs(deciding *at)
{
    at->decision->mesh = find_mesh(at->request);
    for (int i = 0; i < at->request->input_count; i++) {
        if (!at->request->inputs[i])
            continue;
        DTI_TRY(place_input(at, i));
        at->decision->metas[i] = &at->decision->inputs[i].from->meta;
    }
    return DT_OK;
}

/* ---- Rules -------------------------------------------------------------- */

static void warn_of_no_rule(const deciding *at)
{
    dti_operator *op = at->request->op;
    if (op->has_rule || op->op->factors || op->warned)
        return;
    op->warned = true;
    dti_log(at->request->world, DT_LOG_WARNING,
            "%s: no sharding rule; inputs are replicated", op->schema.name);
}

/* Spell an order by strided shards, where both cut alike. */
static dt_status spell(const dt_spec *from, dt_layout *layout)
{
    dt_layout strided;
    dt_spec *same = NULL;
    DTI_TRY(dt_layout_to_strided(from->mesh, &from->layout, &strided));
    DTI_TRY(dt_spec_create_with(from->mesh, &strided, &from->meta, &same));
    if (same == from)
        *layout = strided;
    dt_spec_release(same);
    return DT_OK;
}

/* Layouts as rules see them: an order that was spelled by strided shards is
 * spelled so again where a dimension is taken apart. */
static dt_status show_layouts(deciding *at)
{
    for (int i = 0; i < at->request->input_count; i++) {
        const dt_spec *from = at->decision->inputs[i].from;
        if (!from)
            continue;
        at->layouts[i] = from->layout;
        if (!from->default_order && !from->strided && at->has_factors &&
            dti_factors_take_apart(&at->factors, i))
            DTI_TRY(spell(from, &at->layouts[i]));
    }
    return DT_OK;
}

/* ---- Choosing ----------------------------------------------------------- */

/* The specs that a proposal gives to the inputs, and the plans that lead there;
 * those of an earlier proposal are replaced. */
static dt_status arrange(const dti_propagation *found,
                         const dti_proposal *proposal, dti_decision *out)
{
    out->seconds = 0;
    out->arranged = out->sends = false;
    for (int i = 0; i < out->input_count; i++) {
        dti_input *one = &out->inputs[i];
        dt_spec *to = NULL;
        if (!one->from)
            continue;
        dt_layout layout = dti_proposal_in(found, proposal, i);
        DTI_TRY(dt_spec_create_with(out->mesh, &layout, &one->from->meta, &to));
        dt_spec_release(out->in_specs[i]);
        out->in_specs[i] = to;
        dt_plan_release(one->plan);
        one->plan = NULL;
        if (to == one->from)
            continue;
        DTI_TRY(dt_plan_create(one->from, to, NULL, &one->plan));
        out->seconds += dt_plan_seconds(one->plan);
        out->sends |= dt_plan_bytes(one->plan) > 0;
        out->arranged |= dt_plan_steps(one->plan) > 0;
    }
    return DT_OK;
}

/* The best proposal by what plans really cost.  Estimates are not far off, so
 * only those that come near the best are planned. */
static dt_status choose(const dti_propagation *found, dti_decision *out,
                        int *best)
{
    double least = 0;
    int arranged = 0;
    *best = 0;
    for (int i = 0; i < found->proposal_count; i++) {
        const dti_proposal *one = &found->proposals[i];
        if (i > 0 && dti_proposal_cost(one) >
                         2 * dti_proposal_cost(&found->proposals[0]))
            break;
        DTI_TRY(arrange(found, one, out));
        arranged = i;
        const double seconds = out->sends ? out->seconds + one->talking : 0;
        if (i == 0 || seconds < least) {
            least = seconds;
            *best = i;
        }
        if (least == 0)
            break;
    }
    return arranged == *best ? DT_OK
                             : arrange(found, &found->proposals[*best], out);
}

/* Tell whether results are written where something lies already. */
static bool is_targeted(const dti_request *request)
{
    return request->variant == DT_VARIANT_OUT ||
           (request->variant == DT_VARIANT_IN_PLACE &&
            !(request->op->op->flags & DT_OP_VIEW));
}

/* The name of what a result is written to. */
static dti_input_text show_target(const dti_request *request, int result)
{
    dti_input_text out = {"out"};
    if (request->variant == DT_VARIANT_OUT)
        return out;
    return dti_input_show(request, request->op->schema.overwrites[result]);
}

static dt_status refuse_target(const deciding *at, int result,
                               const dt_layout *layout)
{
    const dt_spec *spec = dti_request_target(at->request, result)->spec;
    dti_input_text name = show_target(at->request, result);
    return dt_operation_fail(
        &at->operation, DT_ERR_INVALID,
        "the result would have layout %s, but %s is %s; use the variant that "
        "returns a new tensor, or redistribute %s first",
        dti_layout_show(layout).text, name.text, dti_spec_show(spec).text,
        name.text);
}

/* A layout in another order is another layout; a mask is a sum. */
static bool lies_as(const dt_layout *a, const dt_layout *b)
{
    dt_layout one = dti_layout_unmasked(a), other = dti_layout_unmasked(b);
    return dt_layout_equal(&one, &other);
}

/* No candidates leave the overwritten tensors as they are: name the first one
 * that the best candidates would change, and the layout they would give it. */
static dt_status refuse_targets(const deciding *at, dti_question *question,
                                dti_propagation *found)
{
    memset(question->targets, 0, sizeof question->targets);
    question->keeps = 0;
    dti_propagate(question, found);
    int first = -1;
    dt_layout layout = {0};
    for (int i = 0; i < at->operation.result_count; i++) {
        const dt_tensor *target = dti_request_target(at->request, i);
        if (!target)
            continue;
        dt_layout one = dti_proposal_out(found, &found->proposals[0], i);
        if (first < 0) {
            first = i;
            layout = one;
        }
        if (!lies_as(&one, &target->spec->layout))
            return refuse_target(at, i, &one);
    }
    return refuse_target(at, first, &layout);
}

static void set_targets(const deciding *at, dti_question *question)
{
    const dti_request *request = at->request;
    if (!is_targeted(request))
        return;
    for (int i = 0; i < at->operation.result_count && i < DTI_MAX_RESULTS;
         i++) {
        const dt_tensor *target = dti_request_target(request, i);
        if (!target)
            continue;
        question->targets[i] = &target->spec->layout;
        if (request->variant == DT_VARIANT_IN_PLACE)
            question->keeps |= 1u << request->op->schema.overwrites[i];
    }
}

static dt_status propagate(deciding *at, dti_propagation *found)
{
    const dti_request *request = at->request;
    dti_decision *decision = at->decision;
    dti_question question = {
        .passes = &request->op->passes,
        .operation = &at->operation,
        .factors = at->has_factors ? &at->factors : NULL,
        .tensor_count = request->op->schema.tensor_count,
        .mesh = decision->mesh,
        .layouts = at->layouts,
    };
    set_targets(at, &question);
    dti_propagate(&question, found);
    return found->proposal_count ? DT_OK : refuse_targets(at, &question, found);
}

/* ---- Results ------------------------------------------------------------ */

static bool is_complex_number(const dt_argument *argument)
{
    return argument->kind == DT_ARG_NUMBER &&
           argument->as.number.kind == DT_KIND_COMPLEX;
}

/* Fail if a complex number would be computed with in real numbers: promotion
 * makes results complex, comparisons bool; options take no part in it. */
static dt_status check_numbers(const dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    const dt_dtype result = operation->results[0].dtype;
    for (int i = 0; i < schema->count; i++)
        if (is_complex_number(&operation->arguments[i]) && result != DT_BOOL &&
            dt_dtype_kind_of(result) != DT_KIND_COMPLEX)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "%s is a complex number, but the result "
                                     "would be %s; use a c64 tensor",
                                     schema->parameters[i].name,
                                     dt_dtype_name(result));
    return DT_OK;
}

static dt_status run_meta(deciding *at)
{
    at->operation.result_count = 0;
    at->operation.new_results = &at->results;
    dt_status status = at->request->op->op->meta(&at->operation);
    at->operation.new_results = NULL;
    if (status != DT_OK)
        return status;
    return at->operation.result_count > 0 ? check_numbers(&at->operation)
                                          : DT_OK;
}

/*
 * A view has the strides that it has on one rank, where nothing is moved, so
 * that what may be viewed and what is copied is the same on any number of
 * ranks.  If these make it a copy, it need not be copied twice: then it is a
 * view of what was moved, which lies densely.
 */
static dt_status see_moved_strides(deciding *at)
{
    dti_decision *decision = at->decision;
    for (int i = 0; i < decision->input_count; i++) {
        dti_input *one = &decision->inputs[i];
        dt_spec *dense = NULL;
        if (!one->plan || dt_plan_steps(one->plan) == 0)
            continue;
        dt_meta meta = dt_meta_of(one->from->meta.dtype, one->from->meta.shape);
        DTI_TRY(dt_spec_with_meta(decision->in_specs[i], &meta, &dense));
        dt_spec_release(decision->in_specs[i]);
        decision->in_specs[i] = dense;
    }
    if (!decision->copies)
        return DT_OK;
    for (int i = 0; i < decision->input_count; i++)
        if (decision->in_specs[i])
            decision->metas[i] = &decision->in_specs[i]->meta;
    return run_meta(at);
}

/* Tell whether elements of one dtype are written as another's. */
static bool holds(dt_dtype dtype, dt_dtype other, bool in_place)
{
    static const int ranks[] = {[DT_KIND_BOOLEAN] = 0,
                                [DT_KIND_UNSIGNED] = 1,
                                [DT_KIND_SIGNED] = 1,
                                [DT_KIND_FLOAT] = 2,
                                [DT_KIND_COMPLEX] = 3};
    dt_dtype_kind to = dt_dtype_kind_of(dtype);
    dt_dtype_kind from = dt_dtype_kind_of(other);
    /* Reals take no place of complex numbers, as abs_ would have it. */
    bool reals = in_place && from == DT_KIND_FLOAT && to == DT_KIND_COMPLEX;
    return ranks[from] <= ranks[to] && !reals;
}

/* In place and into a given tensor, a result must be as that is. */
static dt_status check_target(const deciding *at, int result)
{
    const dti_request *request = at->request;
    const dt_spec *target = dti_request_target(request, result)->spec;
    const dt_meta *meta = &at->operation.results[result];
    const char *which = show_target(request, result).text;
    if (!dt_mesh_equal(target->mesh, at->decision->mesh))
        return dt_operation_fail(
            &at->operation, DT_ERR_INVALID,
            "%s, %s, is on a different mesh than the other tensors", which,
            dti_spec_show(target).text);
    if (!dt_shape_equal(meta->shape, target->meta.shape))
        return dt_operation_fail(&at->operation, DT_ERR_INVALID,
                                 "the result has shape %s, but %s has shape %s",
                                 dti_shape_show(meta->shape).text, which,
                                 dti_shape_show(target->meta.shape).text);
    if (!holds(target->meta.dtype, meta->dtype,
               request->variant == DT_VARIANT_IN_PLACE))
        return dt_operation_fail(
            &at->operation, DT_ERR_INVALID,
            "the result is %s and cannot be stored in %s, which is %s",
            dt_dtype_name(meta->dtype), which,
            dt_dtype_name(target->meta.dtype));
    return DT_OK;
}

static dt_status check_targets(const deciding *at)
{
    if (!is_targeted(at->request))
        return DT_OK;
    if (at->request->variant == DT_VARIANT_OUT &&
        at->operation.result_count != 1)
        return dt_operation_fail(&at->operation, DT_ERR_UNSUPPORTED,
                                 "several results cannot be written to one out "
                                 "tensor; call it without out");
    for (int i = 0; i < at->operation.result_count; i++)
        if (dti_request_target(at->request, i))
            DTI_TRY(check_target(at, i));
    return DT_OK;
}

static dt_status place_results(deciding *at, const dti_propagation *found,
                               const dti_proposal *proposal)
{
    dti_decision *decision = at->decision;
    int count = at->operation.result_count;
    size_t room = (size_t)count + 1; /* a list may be empty */
    decision->out_specs = calloc(room, sizeof *decision->out_specs);
    decision->forms = malloc(room * sizeof *decision->forms);
    if (!decision->out_specs || !decision->forms)
        return dti_fail_memory(at->request->world,
                               room * sizeof *decision->forms, "results");
    decision->result_count = count;
    for (int i = 0; i < count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        DTI_TRY(dt_spec_create_with(decision->mesh, &layout,
                                    &at->operation.results[i],
                                    &decision->out_specs[i]));
        dti_spec_form(decision->out_specs[i], &decision->forms[i]);
    }
    decision->results = at->results.list;
    at->results.list = NULL;
    return DT_OK;
}

static dt_status check_placed(const deciding *at)
{
    const dti_decision *decision = at->decision;
    if (!is_targeted(at->request))
        return DT_OK;
    for (int i = 0; i < decision->result_count; i++) {
        const dt_tensor *target = dti_request_target(at->request, i);
        if (target &&
            !lies_as(&decision->out_specs[i]->layout, &target->spec->layout))
            return refuse_target(at, i, &decision->out_specs[i]->layout);
    }
    return DT_OK;
}

/* ---- All of it ---------------------------------------------------------- */

static dt_status refuse_redistribution(const deciding *at)
{
    const dti_decision *decision = at->decision;
    for (int i = 0; i < decision->input_count; i++) {
        const dti_input *one = &decision->inputs[i];
        if (one->plan && dt_plan_steps(one->plan) > 0)
            return dt_operation_fail(
                &at->operation, DT_ERR_INVALID,
                "%s, %s, must have layout %s; redistribute it first",
                dti_input_show(at->request, i).text,
                dti_spec_show(one->given).text,
                dti_layout_show(&decision->in_specs[i]->layout).text);
    }
    return DT_OK;
}

static dt_status work_out(deciding *at, dti_propagation *found, int *best)
{
    const dti_request *request = at->request;
    unsigned flags = request->op->op->flags;
    bool view = flags & DT_OP_VIEW;
    DTI_TRY(place_inputs(at));
    DTI_TRY(run_meta(at));
    at->decision->copies =
        request->op->op->copies && request->op->op->copies(&at->operation);
    DTI_TRY(check_targets(at));
    DTI_TRY(dti_operator_factors(request->op, &at->operation, &at->factors,
                                 &at->has_factors));
    warn_of_no_rule(at);
    DTI_TRY(show_layouts(at));
    DTI_TRY(propagate(at, found));
    DTI_TRY(choose(found, at->decision, best));
    if ((flags & DT_OP_STRICT && at->decision->sends) ||
        (view && at->decision->arranged &&
         request->variant == DT_VARIANT_IN_PLACE))
        return refuse_redistribution(at);
    if (view && at->decision->arranged)
        DTI_TRY(see_moved_strides(at));
    DTI_TRY(place_results(at, found, &found->proposals[*best]));
    return check_placed(at);
}

static dt_status begin(const dti_request *request, deciding *at)
{
    memset(at, 0, sizeof *at);
    at->request = request;
    at->operation = (dt_operation){.world = request->world,
                                   .op = request->op->op,
                                   .arguments = request->arguments,
                                   .variant = request->variant,
                                   .schema = &request->op->schema,
                                   .input_count = request->input_count,
                                   .inputs = request->inputs};
    size_t bytes = ((size_t)request->input_count + 1) * sizeof *at->layouts;
    at->layouts = calloc(1, bytes);
    if (!at->layouts)
        return dti_fail_memory(request->world, bytes, "a decision");
    DTI_TRY(make_decision(request, &at->decision));
    at->operation.metas = at->decision->metas;
    return DT_OK;
}

static void end(deciding *at)
{
    free(at->layouts);
    free(at->results.list);
}

/* ---- Aloud -------------------------------------------------------------- */

static void put_placement(dti_writer *to, const dt_placement *placement)
{
    dt_layout one = dt_layout_of(placement, 1);
    dti_put(to, "%s", dti_layout_show(&one).text);
}

/* Placements of all inputs and results along a mesh dimension; of a long list,
 * the first ones. */
static void put_candidate(dti_writer *to, const dti_propagation *found,
                          const dti_proposal *chosen, int mesh_dim,
                          const dti_candidate *candidate)
{
    const dt_operation *operation = found->question.operation;
    for (int i = 0; i < operation->input_count; i++) {
        dt_placement at =
            dti_candidate_in(found, chosen, mesh_dim, candidate, i);
        if (!operation->metas[i])
            continue;
        dti_put(to, i ? ", " : "");
        if (i == DT_MAX_FACTOR_MAPS) {
            dti_put(to, "...");
            break;
        }
        put_placement(to, &at);
    }
    dti_put(to, " -> ");
    for (int i = 0; i < operation->result_count && i < DT_MAX_FACTOR_MAPS;
         i++) {
        dt_placement at =
            dti_candidate_out(found, chosen, mesh_dim, candidate, i);
        dti_put(to, i ? ", " : "");
        put_placement(to, &at);
    }
}

static void put_mesh_dim(dti_writer *to, const dti_propagation *found,
                         const dti_proposal *best, int mesh_dim)
{
    const dti_dims *dims = &found->question.mesh->dims;
    dti_put(to, "along %s of %d ranks:\n", dims->names[mesh_dim],
            dims->sizes[mesh_dim]);
    for (int c = 0; c < found->counts[mesh_dim]; c++) {
        const dti_candidate *candidate = &found->candidates[mesh_dim][c];
        dti_proposal price = {0};
        dti_put(to, "  %c ", c == best->choice[mesh_dim] ? '>' : ' ');
        put_candidate(to, found, best, mesh_dim, candidate);
        const char *misfit =
            dti_candidate_misfit(found, best, mesh_dim, candidate);
        if (misfit) {
            dti_put(to, ": not possible, %s\n", misfit);
            continue;
        }
        dti_candidate_price(found, best, mesh_dim, candidate, &price);
        dti_put(to, ": %.1f us, %d inputs redistributed", price.seconds * 1e6,
                price.changed);
        if (price.talking > 0)
            dti_put(to, ", %.1f us in the kernel", price.talking * 1e6);
        dti_put(to, "\n");
    }
}

static void put_inputs(dti_writer *to, const deciding *at)
{
    const dti_decision *decision = at->decision;
    for (int i = 0; i < decision->input_count; i++) {
        const dti_input *one = &decision->inputs[i];
        if (!one->given)
            continue;
        dti_put(to, "%s: %s", dti_input_show(at->request, i).text,
                dti_spec_show(one->given).text);
        if (!one->plan || dt_plan_steps(one->plan) == 0) {
            dti_put(to, ", unchanged\n");
            continue;
        }
        for (int s = 0; s < dt_plan_steps(one->plan); s++) {
            const dt_plan_step *step = dt_plan_step_at(one->plan, s);
            dti_put(to, ", %s to %s", dt_step_name(step->kind),
                    dti_layout_show(&step->to).text);
        }
        dti_put(to, ": receives %" PRId64 " bytes, %.1f us\n",
                dt_plan_bytes(one->plan), dt_plan_seconds(one->plan) * 1e6);
    }
    for (int i = 0; i < decision->result_count; i++)
        dti_put(to, "result: %s\n", dti_spec_show(decision->out_specs[i]).text);
}

/* How a call was decided. */
static void put_decision(dti_writer *to, const deciding *at,
                         const dti_propagation *found, int best)
{
    char mesh[128];
    dt_mesh_format(at->decision->mesh, mesh, sizeof mesh);
    dti_put(to, "%s on %s\n", at->request->op->schema.name, mesh);
    for (int i = 0; i < at->decision->mesh->dims.ndim; i++)
        put_mesh_dim(to, found, &found->proposals[best], i);
    put_inputs(to, at);
}

/* Decide about a call; give the decision, or write how it came about. */
static dt_status decide(const dti_request *request, dti_writer *aloud,
                        dti_decision **out)
{
    deciding at;
    int best = 0;
    dti_propagation *found = malloc(sizeof *found);
    if (!found)
        return dti_fail_memory(request->world, sizeof *found, "a decision");
    dt_status status = begin(request, &at);
    if (status == DT_OK)
        status = work_out(&at, found, &best);
    if (status == DT_OK && aloud)
        put_decision(aloud, &at, found, best);
    if (status == DT_OK)
        at.decision->agreed = dti_remember_decision(at.decision);
    if (status == DT_OK && out)
        *out = at.decision;
    else if (at.decision)
        dti_decision_free(at.decision);
    end(&at);
    free(found);
    return status;
}

dt_status dti_decide_anew(const dti_request *request, dti_decision **out)
{
    return decide(request, NULL, out);
}

dt_status dti_decide_aloud(const dti_request *request, dti_writer *out)
{
    return decide(request, out, NULL);
}
