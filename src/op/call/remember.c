/* op/call/remember.c - calls of operators in the histories of their meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/remember.h"

#include <dtensor/random.h>

#include "mesh/mesh.h"
#include "tensor/remember.h"

/* ---- What is decided ---------------------------------------------------- */

static uint64_t hash_specs(uint64_t hash, dt_spec *const *specs, int count)
{
    for (int i = 0; i < count; i++)
        hash = dti_hash_mix(hash, specs[i] ? specs[i]->hash : 1);
    return hash;
}

/* Tensors of a rank's own mesh count as what they stand for on the mesh of the
 * call: their own specs differ between ranks. */
uint64_t dti_remember_decision(const dti_decision *decision)
{
    uint64_t hash = decision->op->hash + (uint64_t)decision->variant;
    for (int i = 0; i < decision->input_count; i++) {
        const dt_spec *from = decision->inputs[i].from;
        hash = dti_hash_mix(hash, from ? from->hash : 1);
    }
    hash = hash_specs(hash, decision->in_specs, decision->input_count);
    hash = hash_specs(hash, decision->out_specs, decision->result_count);
    hash = dti_hash_mix(hash, decision->out ? decision->out->hash : 1);
    for (int i = 0; i < decision->word_count; i++)
        hash = dti_hash_mix(hash, decision->words[i]);
    return hash;
}

/* ---- Arguments ---------------------------------------------------------- */

/* Fold which call made an input, and keep one of the first; its spec, which may
 * be NULL, is part of the hash already. */
static inline void remember_input(dti_remembering *at,
                                  const dti_request *request, int input,
                                  uint64_t born, const dt_spec *spec)
{
    dti_remember_fold(at, born);
    if (input < DTI_NAMED_INPUTS)
        dti_keep_tensor(at, request->op->input_names[input],
                        request->op->input_places[input], spec, born);
    else
        at->call->cut = true;
}

static void remember_argument(dti_remembering *at, const char *name,
                              dti_field field, const dt_argument *one)
{
    switch (one->kind) {
    case DT_ARG_NUMBER:
        dti_remember_number(at, name, one->as.number);
        break;
    case DT_ARG_REAL:
        dti_remember_real(at, name, one->as.real);
        break;
    case DT_ARG_INTEGER:
        dti_remember_word(at, name, field, (uint64_t)one->as.integer);
        break;
    case DT_ARG_NUMBERS:
        dti_remember_numbers(at, name, one->as.numbers, one->count);
        break;
    case DT_ARG_INTEGERS:
        dti_remember_integers(at, name, one->as.integers, one->count);
        break;
    case DT_ARG_TEXT:
        dti_remember_text(at, name, one->as.text ? one->as.text : "");
        break;
    default:
        dti_remember_none(at, name);
        break;
    }
}

static void remember_scalars(dti_remembering *at, const dti_operator *op,
                             const dt_argument *arguments)
{
    for (int i = 0; i < op->scalar_count; i++)
        remember_argument(at, op->schema.parameters[op->scalars[i]].name,
                          (dti_field)op->scalar_fields[i],
                          &arguments[op->scalars[i]]);
}

static void remember_generator(dti_remembering *at,
                               const dt_generator_state *state)
{
    dti_remember_integer(at, "generator seed", (int64_t)state->seed);
    dti_remember_fold(at, state->offset);
    dti_remember_integer(at, "stream", (int64_t)state->stream);
    dti_remember_integer(at, "draws so far", (int64_t)state->count);
}

/* ---- Calls -------------------------------------------------------------- */

dti_service dti_remember_call(const dti_request *request,
                              const dti_decision *decision)
{
    const dti_schema *schema = &request->op->schema;
    dti_history *history = decision->mesh->history;
    dti_remembering at = dti_remember_begin(
        history, schema->name, (int)request->variant, decision->agreed);
    for (int i = 0; i < decision->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        remember_input(&at, request, i, one ? one->born : 0,
                       decision->inputs[i].from);
    }
    if (request->out)
        dti_remember_input(&at, "out", request->out);
    remember_scalars(&at, request->op, request->arguments);
    if (DTI_UNLIKELY(request->generator)) {
        const dt_generator_state state =
            dt_generator_get_state(request->generator);
        remember_generator(&at, &state);
    }
    dti_remember_end(&at);
    return dti_comm_serve(request->world, (dti_service){schema->name, history});
}

/* The mesh of the first tensor that lies on one of several ranks; NULL if none
 * does. */
static const dt_mesh *shared_mesh(const dti_request *request)
{
    for (int i = 0; i < request->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        if (one && one->spec->mesh->history)
            return one->spec->mesh;
    }
    return NULL;
}

/* Tell whether the ranks of a composition's mesh agree on an input: one on
 * another mesh, such as a rank's own, may be another on each. */
static bool is_agreed(const dt_tensor *input, const dti_history *history)
{
    return input && input->spec->mesh->history == history;
}

dti_service dti_remember_composition(const dti_request *request)
{
    const dti_schema *schema = &request->op->schema;
    const dt_mesh *mesh = shared_mesh(request);
    if (!mesh)
        return dti_comm_serve(request->world, (dti_service){0});
    dti_remembering at =
        dti_remember_begin(mesh->history, schema->name, (int)request->variant,
                           request->op->hash + (uint64_t)request->variant);
    for (int i = 0; i < request->input_count; i++) {
        const dt_tensor *one = request->inputs[i];
        bool agreed = is_agreed(one, mesh->history);
        dti_remember_fold(&at, agreed ? one->spec->hash : !one);
        remember_input(&at, request, i, agreed ? one->born : 0,
                       agreed ? one->spec : NULL);
    }
    remember_scalars(&at, request->op, request->arguments);
    dti_remember_end(&at);
    return dti_comm_serve(request->world,
                          (dti_service){schema->name, mesh->history});
}

void dti_remember_creation(const dt_operation *operation, const dt_spec *spec,
                           const dt_generator_state *drawn)
{
    const dti_operator *op = dti_operator_of(operation);
    dti_history *history = spec->mesh->history;
    if (!history)
        return;
    dti_remembering at =
        dti_remember_begin(history, op->schema.name, 0, op->hash);
    for (int i = 0; i < operation->input_count; i++)
        dti_remember_input(&at, op->input_names[i], operation->inputs[i]);
    dti_remember_spec(&at, "result", spec);
    remember_scalars(&at, op, operation->arguments);
    if (drawn)
        remember_generator(&at, drawn);
    dti_remember_end(&at);
}
