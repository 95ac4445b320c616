/* op/call/dispatch.c - calling operators: look up, arrange inputs, compute. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "base/log.h"
#include "mesh/mesh.h"
#include "op/call/compose.h"
#include "op/call/given.h"
#include "op/call/kernel.h"
#include "op/call/recorder.h"
#include "op/call/remember.h"
#include "op/call/results.h"
#include "op/propagate/decision.h"
#include "tensor/view.h"
#include "trace/trace.h"

/* Inputs and words of most calls; more take memory from the heap. */
#define FEW_INPUTS DTI_FEW_INPUTS
#define FEW_WORDS 48

/* A call while it runs. */
typedef struct calling {
    dti_request request;
    int word_capacity;
    uint64_t *words;
    uint64_t few_words[FEW_WORDS];
    dt_tensor *few_inputs[FEW_INPUTS];
    dt_tensor **inputs; /* on the heap; NULL if few or borrowed */
} calling;

/* ---- What is called with what ------------------------------------------- */

static dt_world *find_world(const dt_argument *arguments, int count)
{
    for (int i = 0; i < count; i++) {
        const dt_argument *one = &arguments[i];
        if (one->kind == DT_ARG_TENSOR && one->as.tensor)
            return one->as.tensor->world;
        if (one->kind == DT_ARG_MESH && one->as.mesh)
            return one->as.mesh->world;
        for (int k = 0; one->kind == DT_ARG_TENSORS && k < one->count; k++)
            if (one->as.tensors[k])
                return one->as.tensors[k]->world;
    }
    return NULL;
}

static int count_inputs(const dti_schema *schema, const dt_argument *arguments)
{
    int count = 0;
    if (!schema->lists)
        return schema->tensor_count;
    for (int i = 0; i < schema->tensor_count; i++) {
        const dt_argument *one = &arguments[schema->tensors[i]];
        count += one->kind == DT_ARG_TENSORS ? one->count : 1;
    }
    return count;
}

/* Where the inputs are listed: a list that is alone already is such a list. */
static dt_status list_inputs(calling *at)
{
    dti_request *request = &at->request;
    const dti_schema *schema = &request->op->schema;
    const dt_argument *arguments = request->arguments;
    dt_tensor **list = at->few_inputs;
    request->input_count = count_inputs(schema, arguments);
    if (schema->tensor_count == 1 &&
        arguments[schema->tensors[0]].kind == DT_ARG_TENSORS) {
        request->inputs = arguments[schema->tensors[0]].as.tensors;
        return DT_OK;
    }
    if (request->input_count > FEW_INPUTS) {
        size_t bytes = (size_t)request->input_count * sizeof *list;
        list = at->inputs = malloc(bytes);
        if (!list)
            return dti_fail_memory(request->world, bytes, "a call");
    }
    request->inputs = list;
    for (int i = 0; i < schema->tensor_count; i++) {
        const dt_argument *one = &arguments[schema->tensors[i]];
        if (one->kind == DT_ARG_TENSORS) {
            if (one->count > 0)
                memcpy(list, one->as.tensors,
                       (size_t)one->count * sizeof *list);
            list += one->count;
        } else {
            *list++ = one->kind == DT_ARG_TENSOR ? one->as.tensor : NULL;
        }
    }
    return DT_OK;
}

static bool may_be_absent(const dti_request *request, int input)
{
    int place;
    const dti_type type = dti_input_parameter(request, input, &place)->type;
    return type == DTI_TYPE_OPTIONAL_TENSOR ||
           type == DTI_TYPE_OPTIONAL_TENSORS;
}

static dt_status check_inputs(const dti_request *request)
{
    for (int i = 0; i < request->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        if (one ? one->world == request->world : may_be_absent(request, i))
            continue;
        const char *op = request->op->schema.name;
        if (!one)
            return dti_fail_null(request->world, op,
                                 dti_input_show(request, i).text);
        return dti_fail(request->world, DT_ERR_INVALID,
                        "%s: %s belongs to another world", op,
                        dti_input_show(request, i).text);
    }
    if (request->variant == DT_VARIANT_OUT && !request->out)
        return dti_fail_null(request->world, request->op->schema.name, "out");
    if (request->input_count == 0 && request->op->schema.tensor_count > 0)
        return dti_fail(request->world, DT_ERR_INVALID,
                        "%s: at least one tensor is required",
                        request->op->schema.name);
    return DT_OK;
}

/* ---- The key ------------------------------------------------------------ */

static dt_status make_room(calling *at, int words)
{
    int needed = at->request.word_count + words;
    if (needed <= at->word_capacity)
        return DT_OK;
    size_t bytes = (size_t)needed * 2 * sizeof(uint64_t);
    bool few = at->words == at->few_words;
    uint64_t *larger = realloc(few ? NULL : at->words, bytes);
    if (!larger)
        return dti_fail_memory(at->request.world, bytes, "a call");
    if (few)
        memcpy(larger, at->few_words, sizeof at->few_words);
    at->words = larger;
    at->word_capacity = needed * 2;
    return DT_OK;
}

static inline void put_word(calling *at, uint64_t word)
{
    at->words[at->request.word_count++] = word;
}

/* No dimension is another list than an empty one, which is all. */
static dt_status put_no_dims(calling *at, const dt_argument *one)
{
    const dti_operator *op = at->request.op;
    if (!(op->op->flags & DT_OP_NO_DIMS))
        return dti_fail(
            at->request.world, DT_ERR_INVALID,
            "%s: a list of %d dimensions; DT_NO_DIMS is valid for any, all and "
            "squeeze only; DT_DIMS() means all dimensions",
            op->schema.name, one->count);
    DTI_TRY(make_room(at, 1));
    put_word(at, (uint64_t)one->count);
    return DT_OK;
}

static dt_status put_list(calling *at, const dt_argument *one)
{
    if (one->count < 0)
        return put_no_dims(at, one);
    DTI_TRY(make_room(at, one->count + 1));
    put_word(at, (uint64_t)one->count);
    for (int i = 0; i < one->count; i++)
        put_word(at, (uint64_t)one->as.integers[i]);
    return DT_OK;
}

/* Of numbers, their kinds. */
static dt_status put_numbers(calling *at, const dt_argument *one)
{
    DTI_TRY(make_room(at, one->count + 1));
    put_word(at, (uint64_t)one->count);
    for (int i = 0; i < one->count; i++)
        put_word(at, (uint64_t)one->as.numbers[i].kind);
    return DT_OK;
}

static dt_status put_text(calling *at, const char *text)
{
    size_t length = strlen(text);
    int words = (int)(length / sizeof(uint64_t)) + 1;
    DTI_TRY(make_room(at, words + 1));
    put_word(at, length);
    memset(at->words + at->request.word_count, 0,
           (size_t)words * sizeof(uint64_t));
    memcpy(at->words + at->request.word_count, text, length);
    at->request.word_count += words;
    return DT_OK;
}

static inline uint64_t word_of(const dt_argument *one)
{
    if (one->kind == DT_ARG_NUMBER)
        return (uint64_t)one->as.number.kind;
    if (one->kind == DT_ARG_INTEGER)
        return (uint64_t)one->as.integer;
    return UINT64_C(0x9E3779B97F4A7C15); /* absent */
}

static dt_status put_argument(calling *at, const dt_argument *one)
{
    switch (one->kind) {
    case DT_ARG_INTEGERS:
        return put_list(at, one);
    case DT_ARG_NUMBERS:
        return put_numbers(at, one);
    case DT_ARG_TEXT:
        return put_text(at, one->as.text ? one->as.text : "");
    default:
        DTI_TRY(make_room(at, 1));
        put_word(at, word_of(one));
        return DT_OK;
    }
}

static dt_status make_key(calling *at)
{
    dti_request *request = &at->request;
    const dti_operator *op = request->op;
    for (int i = 0; i < op->decider_count; i++)
        DTI_TRY(put_argument(at, &request->arguments[op->deciders[i]]));
    uint64_t hash = op->hash + (uint64_t)request->variant;
    for (int i = 0; i < request->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        hash = dti_hash_fold(hash, one ? one->spec->hash : 1);
    }
    if (request->out)
        hash = dti_hash_fold(hash, request->out->spec->hash);
    for (int i = 0; i < request->word_count; i++)
        hash = dti_hash_fold(hash, at->words[i]);
    request->hash = dti_hash_mix(hash, 0);
    request->words = at->words;
    return DT_OK;
}

/* ---- Modes -------------------------------------------------------------- */

/* What the redistributions of a call are in this scope: nothing special, a
 * warning or an error that says what to write. */
static dt_status check_mode(const dti_request *request,
                            const dti_decision *decision)
{
    dt_scope_mode mode = dti_scope_mode(request->world);
    if (mode != DT_SCOPE_STRICT && mode != DT_SCOPE_WARN)
        return DT_OK;
    for (int i = 0; i < decision->input_count; i++) {
        const dti_input *one = &decision->inputs[i];
        if (!one->plan || dt_plan_bytes(one->plan) == 0)
            continue;
        dti_input_text name = dti_input_show(request, i);
        dti_layout_show_text to =
            dti_layout_show(&decision->in_specs[i]->layout);
        if (mode == DT_SCOPE_STRICT)
            return dti_fail(
                request->world, DT_ERR_INVALID,
                "%s: %s, %s, would be redistributed implicitly, which this "
                "scope does not allow; write %s = dt_redistribute(%s, \"%s\")",
                request->op->schema.name, name.text,
                dti_spec_show(one->given).text, name.text, name.text, to.text);
        dti_log(request->world, DT_LOG_WARNING,
                "%s: redistributing %s, %s, to %s implicitly",
                request->op->schema.name, name.text,
                dti_spec_show(one->given).text, to.text);
    }
    return DT_OK;
}

/* ---- Inputs ------------------------------------------------------------- */

/* Tell whether elements of an input are read: a view looks at none, unless they
 * are moved. */
static bool is_read(const dti_request *request, const dti_input *how, int input)
{
    const dt_op *op = request->op->op;
    const bool moves = how->plan && dt_plan_steps(how->plan) > 0;
    return input >= dti_first_read(op) && (moves || !(op->flags & DT_OP_VIEW));
}

/* Bring inputs to where they are wanted, after copied views that are stale were
 * read again. */
static dt_status arrange_inputs(const dti_request *request,
                                const dti_decision *decision, dti_parts *at)
{
    for (int i = 0; i < decision->input_count; i++) {
        const dt_tensor *tensor = request->inputs[i];
        const dti_input *how = &decision->inputs[i];
        at->owned[i] = false;
        at->arranged = i + 1;
        if (DTI_UNLIKELY(!tensor)) {
            at->in[i] = NULL;
            continue;
        }
        if (DTI_UNLIKELY(tensor->copied) && is_read(request, how, i))
            DTI_TRY(dti_copied_refresh(tensor));
        at->in[i] = tensor->local;
        if (how->plan && dt_plan_steps(how->plan) > 0) {
            DTI_TRY(dti_plan_run(how->plan, tensor->local, false, &at->in[i]));
            at->owned[i] = true;
        }
        at->meta |= !at->in[i]->storage;
    }
    return DT_OK;
}

/* ---- Running ------------------------------------------------------------ */

static void count_work(const dti_request *request, const dti_parts *at,
                       const dti_decision *decision,
                       const dt_operation *operation)
{
    double bytes = 0, largest = 0;
    for (int i = 0; i < decision->input_count + decision->result_count; i++) {
        const dt_array *one = at->in[i]; /* results lie behind the inputs */
        if (!one)
            continue;
        bytes += (double)dt_array_bytes(one);
        largest = (double)one->count > largest ? (double)one->count : largest;
    }
    if (request->op->op->flags & DT_OP_VIEW)
        bytes = largest = 0;
    double flops =
        request->op->op->work ? request->op->op->work(operation) : largest;
    dti_trace_op_work(request->world, flops, bytes);
}

/* A decided call, as an operator's functions see it; `at` may be NULL. */
static void describe(const dti_request *request, const dti_decision *decision,
                     const dti_parts *at, dt_operation *out)
{
    out->world = request->world;
    out->op = request->op->op;
    out->schema = &request->op->schema;
    out->variant = request->variant;
    out->arguments = request->arguments;
    out->input_count = decision->input_count;
    out->metas = decision->metas;
    out->result_count = decision->result_count;
    out->results = decision->results;
    out->in_specs = decision->in_specs;
    out->in = at ? at->in : NULL;
    out->out_specs = decision->out_specs;
    out->out = at ? at->out : NULL;
    out->masks = at ? at->masks : NULL;
    out->random_seed = out->random_offset = 0;
    out->inputs = request->inputs;
    out->outputs = NULL;
    out->output_room = 0;
    out->failed_everywhere = NULL;
    out->copy = NULL;
    out->new_results = NULL;
}

static dt_status check_values(const dti_request *request,
                              const dti_decision *decision)
{
    dt_operation operation;
    describe(request, decision, NULL, &operation);
    return request->op->op->check(&operation);
}

/* What a kernel reads has to be there; a view does not read. */
static dt_status settle_inputs(const dti_request *request,
                               const dti_decision *decision,
                               const dti_parts *at)
{
    for (int i = dti_first_read(request->op->op); i < decision->input_count;
         i++)
        if (at->in[i])
            DTI_TRY(dti_array_settle(request->world, at->in[i]));
    return DT_OK;
}

static dt_status compute(const dti_request *request,
                         const dti_decision *decision, dti_parts *at,
                         bool *everywhere)
{
    const dt_op *op = request->op->op;
    dt_operation operation;
    describe(request, decision, at, &operation);
    operation.failed_everywhere = everywhere;
    if (request->generator)
        dti_kernel_take_key(request->generator, &operation);
    if (decision->mesh->place < 0)
        return DT_OK;
    if (at->meta)
        count_work(request, at, decision, &operation);
    if (at->meta && !(op->flags & (DT_OP_VIEW | DT_OP_COMMUNICATES)))
        return DT_OK;
    if (!(op->flags & DT_OP_VIEW))
        DTI_TRY(settle_inputs(request, decision, at));
    dt_status status = dti_kernel_run(&operation);
    at->copy = operation.copy;
    return status == DT_OK ? dti_results_mask(&operation) : status;
}

/* `everywhere` is set if the call failed alike on every rank of the mesh. */
static DTI_INLINE dt_status run(const dti_request *request,
                                const dti_decision *decision,
                                dt_tensor **results, int room, bool *everywhere)
{
    dti_parts at;
    const bool writes = dti_request_writes(request);
    dt_status status = dti_parts_open(request->world, decision, &at);
    if (status != DT_OK)
        return status;
    if (writes)
        status = dti_results_check(request, decision);
    if (writes && status == DT_OK)
        status = dti_results_unmask(request, decision);
    if (status == DT_OK)
        status = arrange_inputs(request, decision, &at);
    if (writes && status == DT_OK)
        status = dti_results_begin(request, decision);
    if (status == DT_OK)
        status = dti_results_create(request, decision, &at);
    if (status == DT_OK)
        status = compute(request, decision, &at, everywhere);
    if (status == DT_OK)
        status = dti_results_give(request, decision, &at, results, room);
    dti_parts_close(decision, &at);
    return status;
}

/* Other ranks learn of a failure that only this one knows of. */
static DTI_INLINE dt_status run_together(const dti_request *request,
                                         const dti_decision *decision,
                                         dt_tensor **results, int room)
{
    bool everywhere = false;
    const dt_status status = run(request, decision, results, room, &everywhere);
    return everywhere ? status : dti_collective_end_on(decision->mesh, status);
}

/* ---- Calls -------------------------------------------------------------- */

static dt_status prepare(calling *at)
{
    at->words = at->few_words;
    at->word_capacity = FEW_WORDS;
    at->inputs = NULL;
    at->request.replicates = dti_scope_replicates(at->request.world);
    at->request.word_count = 0;
    DTI_TRY(list_inputs(at));
    return check_inputs(&at->request);
}

static void finish(calling *at)
{
    if (at->words != at->few_words)
        free(at->words);
    free(at->inputs);
}

/* Decide about a call that is no composition, and check what is the same on
 * every rank. */
static dt_status settle(calling *at, dti_operators *all,
                        const dti_decision **out)
{
    const dti_request *request = &at->request;
    DTI_TRY(make_key(at));
    DTI_TRY(dti_decide(all, request, out));
    if (DTI_UNLIKELY((*out)->sends))
        DTI_TRY(check_mode(request, *out));
    if (dti_request_writes(request))
        DTI_TRY(dti_results_check_tensors(request, *out));
    return request->op->op->check ? check_values(request, *out) : DT_OK;
}

/* ---- Recording ---------------------------------------------------------- */

/* Run a composition; where it is recorded as one call, its parts are not. */
static dt_status compose(const dti_request *request, dti_operators *all,
                         dt_tensor **results, int room, int *given)
{
    const dti_recorder *recorder = all->recorder;
    if (DTI_LIKELY(!recorder))
        return dti_compose(request, results, room, given);
    const bool whole = request->op->op->flags & DT_OP_BOUNDARY ||
                       recorder->takes_whole(recorder->arg, request->op);
    all->recorder = whole ? NULL : recorder;
    dt_status status = dti_compose(request, results, room, given);
    all->recorder = recorder;
    if (whole && status == DT_OK)
        status =
            dti_record_call(request, recorder, NULL, results, room, *given);
    return status;
}

/* What a tensor is that a view in place replaces, for the recorder.  The caller
 * releases it. */
static dt_spec *keep_before(const dti_request *request)
{
    return request->variant == DT_VARIANT_IN_PLACE &&
                   request->op->op->flags & DT_OP_VIEW
               ? dt_spec_retain(request->inputs[0]->spec)
               : NULL;
}

/* ---- One call ----------------------------------------------------------- */

static dt_status dispatch(calling *at, dti_operators *all, dt_tensor **results,
                          int room, int *given)
{
    dti_request *request = &at->request;
    const dti_decision *decision = NULL;
    dti_service before;
    DTI_TRY(prepare(at));
    if (DTI_UNLIKELY(all->recorder && request->variant != DT_VARIANT_NEW))
        DTI_TRY(dti_record_check(request, all->recorder));
    if (dti_is_composition(request))
        return compose(request, all, results, room, given);
    DTI_TRY(settle(at, all, &decision));
    request->generator = NULL;
    if (DTI_UNLIKELY(request->op->op->flags & DT_OP_RANDOM))
        DTI_TRY(dti_kernel_find_generator(request, decision));
    *given = decision->result_count;
    /* What is called on a mesh of one rank concerns nobody else. */
    if (decision->mesh->history)
        before = dti_remember_call(request, decision);
    dt_spec *spec =
        DTI_UNLIKELY(all->recorder != NULL) ? keep_before(request) : NULL;
    dt_status status = run_together(request, decision, results, room);
    if (decision->mesh->history)
        dti_comm_serve(request->world, before);
    if (DTI_UNLIKELY(all->recorder) && status == DT_OK)
        status = dti_record_call(request, all->recorder, spec, results, room,
                                 *given);
    dt_spec_release(spec);
    return status;
}

static dt_status call(dt_world *world, dti_operators *all, dti_operator *op,
                      dt_variant variant, const dt_argument *arguments,
                      dt_tensor *out, dt_tensor **results, int room, int *given)
{
    calling at;
    at.request.world = world;
    at.request.op = op;
    at.request.variant = variant;
    at.request.arguments = arguments;
    at.request.out = out;
    dti_trace_op_begin(world, op->schema.name);
    dt_status status = dispatch(&at, all, results, room, given);
    dti_trace_op_end(world);
    finish(&at);
    return status;
}

/* A mesh of several ranks among those of a call; NULL if there is none. */
static const dt_mesh *shared_mesh(const dt_argument *arguments, int count)
{
    for (int i = 0; i < count; i++) {
        const dt_argument *one = &arguments[i];
        const bool list = one->kind == DT_ARG_TENSORS;
        const int tensors = list ? one->count : one->kind == DT_ARG_TENSOR;
        for (int j = 0; j < tensors; j++) {
            const dt_tensor *tensor =
                list ? one->as.tensors[j] : one->as.tensor;
            if (tensor && tensor->spec->mesh->places->count > 1)
                return tensor->spec->mesh;
        }
    }
    return NULL;
}

/* End a call.  Memory that only this rank lacks keeps the others waiting, from
 * wherever it was asked for. */
static dt_status end_call(const dt_argument *arguments, int count,
                          dt_status status)
{
    if (status != DT_ERR_NO_MEMORY)
        return status;
    const dt_mesh *mesh = shared_mesh(arguments, count);
    return mesh ? dti_collective_begin(mesh, status) : status;
}

static dt_status call_number(int number, dt_variant variant,
                             const dt_argument *arguments, int count,
                             dt_tensor *out, dt_tensor **results, int room,
                             int *given)
{
    const bool checked = dti_handles_checked();
    const char *name = checked ? dti_given_name(number) : NULL;
    DTI_ENTRY_NAMED(name);
    if (checked)
        DTI_TRY(dti_given_check(name, arguments, count, out));
    dt_world *world = find_world(arguments, count);
    if (!world)
        return dti_given_fail(number, arguments);
    dti_operators *all = dti_operators_of(world);
    dti_operator *op = all ? dti_operator_at(world, all, number) : NULL;
    dt_status status =
        op ? call(world, all, op, variant, arguments, out, results, room, given)
           : dti_failure_of(world);
    return end_call(arguments, count, status);
}

dt_tensor *dti_op_call_one(int number, dt_variant variant,
                           const dt_argument *arguments, int count,
                           dt_tensor *out)
{
    dt_tensor *result = NULL;
    int given;
    dt_status status =
        call_number(number, variant, arguments, count, out, &result, 1, &given);
    return status == DT_OK ? result : NULL;
}

dt_status dti_op_call_many(int number, dt_variant variant,
                           const dt_argument *arguments, int count,
                           dt_tensor **results, int room, int *given)
{
    int ignored;
    return call_number(number, variant, arguments, count, NULL, results, room,
                       given ? given : &ignored);
}

dt_status dti_op_call_boundary(dt_world *world, int number, dt_variant variant,
                               const dt_argument *arguments,
                               dt_tensor **results, int room)
{
    int given = 0;
    dti_operators *all = dti_operators_of(world);
    dti_operator *op = all ? dti_operator_at(world, all, number) : NULL;
    return op ? call(world, all, op, variant, arguments, NULL, results, room,
                     &given)
              : dti_failure_of(world);
}

dt_status dti_op_call(dt_world *world, dti_operator *op, dt_variant variant,
                      const dt_argument *arguments, dt_tensor **results,
                      int room, int *given)
{
    const dt_status status = call(world, dti_operators_of(world), op, variant,
                                  arguments, NULL, results, room, given);
    return end_call(arguments, op->schema.count, status);
}

/* ---- By name ------------------------------------------------------------ */

/* Check that arguments are what the schema says; those omitted at the end, and
 * options of no kind, get their defaults. */
static dt_status complete(dt_world *world, const dti_schema *schema,
                          const dt_argument *given, int count, dt_argument *out)
{
    if (count > schema->count)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: expected at most %d arguments, got %d",
                        schema->name, schema->count, count);
    for (int i = 0; i < schema->count; i++) {
        const dti_parameter *parameter = &schema->parameters[i];
        bool optional = parameter->type == DTI_TYPE_OPTIONAL_TENSOR ||
                        parameter->type == DTI_TYPE_GENERATOR ||
                        parameter->type == DTI_TYPE_OPTIONAL_MESH ||
                        parameter->type == DTI_TYPE_OPTIONAL_LAYOUT ||
                        parameter->type == DTI_TYPE_OPTIONAL_ARRAY ||
                        parameter->type == DTI_TYPE_OPTIONAL_DTYPE;
        bool usual = i >= count || (given[i].kind == DT_ARG_NONE &&
                                    parameter->option && !optional);
        out[i] = usual ? parameter->usual : given[i];
        if (out[i].kind == dti_types[parameter->type].kind ||
            (out[i].kind == DT_ARG_NONE && optional))
            continue;
        return dti_fail(
            world, DT_ERR_INVALID, "%s: argument %s is missing or is not a %s",
            schema->name, parameter->name, dti_types[parameter->type].name);
    }
    return DT_OK;
}

static dt_status check_variant(dt_world *world, const dti_operator *op,
                               dt_variant variant)
{
    static const struct {
        unsigned flag;
        const char *name;
    } variants[] = {[DT_VARIANT_IN_PLACE] = {DT_OP_IN_PLACE, "in-place"},
                    [DT_VARIANT_OUT] = {DT_OP_OUT, "out"}};
    if (variant == DT_VARIANT_NEW && op->op->flags & DT_OP_IN_PLACE &&
        dti_schema_only_in_place(&op->schema))
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "%s: has only an in-place variant", op->schema.name);
    if (variant == DT_VARIANT_NEW || op->op->flags & variants[variant].flag)
        return DT_OK;
    return dti_fail(world, DT_ERR_UNSUPPORTED, "%s: has no %s variant",
                    op->schema.name, variants[variant].name);
}

static dt_status call_by_name(dt_world *world, const char *name,
                              dt_variant variant, const dt_argument *arguments,
                              int argument_count, dt_tensor **results, int room,
                              int *count)
{
    dti_operator *op = NULL;
    dt_argument all[DTI_MAX_ARGUMENTS];
    int given = 0;
    DTI_TRY(dti_operator_find(world, name, &op));
    DTI_TRY(check_variant(world, op, variant));
    DTI_TRY(complete(world, &op->schema, arguments, argument_count, all));
    dt_tensor *out = variant == DT_VARIANT_OUT && room > 0 ? results[0] : NULL;
    DTI_TRY(call(world, dti_operators_of(world), op, variant, all, out, results,
                 room, &given));
    if (count)
        *count = given;
    return DT_OK;
}

dt_status dt_op_call(dt_world *world, const char *name, dt_variant variant,
                     const dt_argument *arguments, int argument_count,
                     dt_tensor **results, int room, int *count)
{
    DTI_ENTRY_NAMED(name);
    if (dti_handles_checked())
        DTI_TRY(dti_given_check(
            name, arguments, argument_count,
            variant == DT_VARIANT_OUT && room > 0 ? results[0] : NULL));
    return end_call(arguments, argument_count,
                    call_by_name(world, name, variant, arguments,
                                 argument_count, results, room, count));
}

static dt_status check(calling *at, dti_operators *all)
{
    const dti_decision *decision = NULL;
    DTI_TRY(prepare(at));
    if (dti_is_composition(&at->request))
        return DT_OK;
    DTI_TRY(settle(at, all, &decision));
    if (!dti_request_writes(&at->request))
        return DT_OK;
    return dti_collective_end_on(decision->mesh,
                                 dti_results_check(&at->request, decision));
}

dt_status dt_op_check(dt_world *world, const char *name, dt_variant variant,
                      const dt_argument *arguments, int argument_count,
                      dt_tensor *out)
{
    dti_operator *op = NULL;
    dt_argument all[DTI_MAX_ARGUMENTS];
    calling at = {.request = {.world = world, .variant = variant, .out = out}};
    DTI_TRY(dti_operator_find(world, name, &op));
    DTI_TRY(check_variant(world, op, variant));
    DTI_TRY(complete(world, &op->schema, arguments, argument_count, all));
    at.request.op = op;
    at.request.arguments = all;
    dt_status status = check(&at, dti_operators_of(world));
    finish(&at);
    return end_call(arguments, argument_count, status);
}

static dt_status explain(calling *at, dti_writer *to)
{
    DTI_TRY(prepare(at));
    if (dti_is_composition(&at->request)) {
        dti_put(to, "%s calls other operators\n", at->request.op->schema.name);
        return DT_OK;
    }
    DTI_TRY(make_key(at));
    return dti_decide_aloud(&at->request, to);
}

dt_status dt_explain(dt_world *world, const char *name,
                     const dt_argument *arguments, int argument_count,
                     char *text, size_t size, size_t *length)
{
    dti_operator *op = NULL;
    dt_argument all[DTI_MAX_ARGUMENTS];
    dti_writer to = {text, size, 0};
    calling at = {.request = {.world = world, .variant = DT_VARIANT_NEW}};
    DTI_TRY(dti_operator_find(world, name, &op));
    DTI_TRY(complete(world, &op->schema, arguments, argument_count, all));
    at.request.op = op;
    at.request.arguments = all;
    dt_status status = explain(&at, &to);
    if (length)
        *length = to.length;
    finish(&at);
    return status;
}
