/* autograd/tape.c - recording calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/tape.h"

#include <stdlib.h>
#include <string.h>

#include "autograd/family.h"
#include "autograd/leaf.h"
#include "autograd/pack.h"
#include "autograd/packing.h"
#include "autograd/section.h"
#include "base/error.h"
#include "base/scope.h"
#include "comm/comm.h"
#include "op/call/recorder.h"
#include "tensor/view.h"

/* ---- What needs a gradient ---------------------------------------------- */

static bool can_have_gradient(const dt_tensor *tensor)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(tensor->spec->meta.dtype);
    return kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX;
}

static bool shares_elements(const dti_record *record, const dt_tensor *result)
{
    return result && result->version && record->input_count > 0 &&
           record->inputs[0] && result->version == record->inputs[0]->version;
}

/* Tell whether a call made a view: by its row, or because nothing had to be
 * done, as for a redistribution to the same layout. */
static bool is_view(const dti_record *record)
{
    if (record->variant != DT_VARIANT_NEW)
        return false;
    if (record->op->op->flags & DT_OP_VIEW)
        return true;
    const dt_tensor *result =
        record->result_count == 1 ? record->results[0] : NULL;
    return DTI_UNLIKELY(shares_elements(record, result)) &&
           result->spec->mesh == record->inputs[0]->spec->mesh;
}

static bool has_record(const dti_record *record)
{
    for (int i = 0; i < record->input_count; i++)
        if (record->inputs[i] && record->inputs[i]->gradient)
            return true;
    return (record->op->op->flags & DT_OP_VIEW || is_view(record)) &&
           can_have_gradient(record->inputs[0]);
}

/* The parameter that an input belongs to: the last may be a list. */
static int parameter_of(const dti_schema *schema, int input)
{
    const int last = schema->tensor_count - 1;
    return schema->tensors[input < last ? input : last];
}

static bool takes_part(const dti_formula *formula, int parameter)
{
    const int clause = formula->clause_of[parameter];
    return clause >= 0 && (formula->clauses[clause].term >= 0 ||
                           formula->clauses[clause].by_function);
}

/* ---- Nodes -------------------------------------------------------------- */

/* Set the edges of a node: inputs that need a gradient and have one by the
 * formula.  `clauses` receives the clauses that they use. */
static dt_status set_edges(const dti_record *record, dti_node *node,
                           uint32_t *clauses)
{
    const dti_schema *schema = &record->op->schema;
    *clauses = 0;
    for (int i = 0; i < node->input_count; i++) {
        dti_edge edge;
        const int parameter = parameter_of(schema, i);
        if (!record->inputs[i] || !takes_part(node->formula, parameter))
            continue;
        DTI_TRY(dti_edge_of(record->inputs[i], &edge));
        if (!edge.node)
            continue;
        node->edges[i] = edge;
        dti_node_retain(edge.node);
        *clauses |= 1U << node->formula->clause_of[parameter];
    }
    return DT_OK;
}

static bool is_overwritten(const dti_record *record, int input)
{
    for (int i = 0; i < record->result_count; i++)
        if (record->variant == DT_VARIANT_IN_PLACE &&
            record->results[i] == record->inputs[input])
            return true;
    return false;
}

/* Elements that the call has overwritten were copied before, if they could be;
 * a copy is nobody else's and has no version.  Otherwise they are gone. */
static void save_original(dti_tape *tape, const dt_tensor *tensor,
                          dti_saved *saved)
{
    if (tape->original_of != tensor || !tape->original) {
        saved->count--;
        return;
    }
    dti_array_release(saved->array);
    dti_version_release(saved->version);
    saved->array = tape->original;
    saved->version = NULL;
    tape->original = NULL;
}

/* Keep what the clauses read. */
static dt_status save(const dti_record *record, dti_node *node,
                      uint32_t clauses)
{
    const dti_formula *formula = node->formula;
    uint32_t inputs = 0, results = 0;
    for (int i = 0; i < formula->clause_count; i++)
        if (clauses >> i & 1) {
            inputs |= formula->clauses[i].inputs;
            results |= formula->clauses[i].results;
        }
    if (results >> node->result_count)
        return dti_fail(record->world, DT_ERR_INVALID,
                        "%s: its gradient needs results that the call does not "
                        "take; take all of them",
                        record->op->schema.name);
    for (int i = 0; i < node->input_count; i++) {
        dti_saved *saved = &node->saved[i];
        const int parameter = parameter_of(&record->op->schema, i);
        if (!record->inputs[i])
            continue;
        DTI_TRY(
            dti_saved_set(saved, record->inputs[i], inputs >> parameter & 1));
        if (record->before && i == 0) {
            dt_spec_release(saved->spec);
            saved->spec = dt_spec_retain(record->before);
        }
        if (saved->kept && is_overwritten(record, i))
            save_original(dti_tape_of(record->world), record->inputs[i], saved);
    }
    for (int i = 0; i < node->result_count; i++)
        if (record->results[i])
            DTI_TRY(dti_saved_set(&node->saved[node->input_count + i],
                                  record->results[i], results >> i & 1));
    return DT_OK;
}

/* Pack what is saved, unless it is a leaf's or is about to be released: a
 * section runs. */
static dt_status pack(const dti_record *record, dti_node *node)
{
    dt_world *world = record->world;
    if (DTI_LIKELY(!world->scope->rules.packing) || dti_tape_of(world)->section)
        return DT_OK;
    for (int i = 0; i < node->input_count + node->result_count; i++) {
        const bool input = i < node->input_count;
        const dt_tensor *tensor =
            input ? record->inputs[i] : record->results[i - node->input_count];
        if (!node->saved[i].array ||
            (input && node->edges[i].node && node->edges[i].node->leaf))
            continue;
        DTI_TRY(dti_saved_pack(&node->saved[i], world, !tensor->copied));
    }
    return DT_OK;
}

static dt_status create_node(const dti_record *record, dti_node **out)
{
    uint32_t clauses;
    dti_node *node = NULL;
    dt_world *world = record->world;
    DTI_TRY(dti_node_create(world, record->op, record->arguments,
                            record->input_count, record->result_count, &node));
    dt_status status = set_edges(record, node, &clauses);
    if (status == DT_OK)
        status = save(record, node, clauses);
    if (status == DT_OK)
        status = pack(record, node);
    if (status != DT_OK) {
        dti_node_release(node);
        return status;
    }
    node->sequence = dti_tape_count(world);
    node->module = dti_comm_of(world)->doing.module;
    status = dti_section_note(node);
    if (status != DT_OK)
        dti_node_release(node);
    else
        *out = node;
    return status;
}

static bool leads_somewhere(const dti_node *node)
{
    for (int i = 0; i < node->input_count; i++)
        if (node->edges[i].node)
            return true;
    return false;
}

/* ---- Results ------------------------------------------------------------ */

/* Let a result point to its node. */
static dt_status attach(const dti_record *record, dti_node *node, int result)
{
    dt_tensor *tensor = record->results[result];
    const bool leads = leads_somewhere(node);
    if (!tensor || !can_have_gradient(tensor) ||
        !dti_formula_follows(node->formula, result))
        return DT_OK;
    if (is_view(record) && shares_elements(record, tensor))
        return dti_family_join(tensor, record->inputs[0], node, result);
    if (record->before)
        return dti_family_turn(tensor, node);
    if (record->variant == DT_VARIANT_IN_PLACE && tensor->gradient)
        return dti_family_write(tensor, leads ? node : NULL, result);
    if (leads)
        dti_gradient_attach(tensor, node, result);
    return DT_OK;
}

static dt_status note_call(const dti_record *record)
{
    dti_node *node = NULL;
    DTI_TRY(create_node(record, &node));
    dt_status status = DT_OK;
    if (leads_somewhere(node) || is_view(record) ||
        record->variant == DT_VARIANT_IN_PLACE)
        for (int i = 0; status == DT_OK && i < node->result_count; i++)
            status = attach(record, node, i);
    dti_node_release(node);
    return status;
}

/* ---- The recorder ------------------------------------------------------- */

static bool takes_whole(void *arg, const dti_operator *op)
{
    (void)arg;
    return op->op->gradient != NULL;
}

/* Tell whether some input needs a gradient. */
static dt_status needs_gradient(const dti_record *record, bool *out)
{
    dti_edge edge = {NULL, 0};
    for (int i = 0; !edge.node && i < record->input_count; i++)
        if (record->inputs[i])
            DTI_TRY(dti_edge_of(record->inputs[i], &edge));
    *out = edge.node != NULL;
    return DT_OK;
}

static dt_status refuse_unknown(const dti_record *record)
{
    bool needs = false;
    DTI_TRY(needs_gradient(record, &needs));
    if (!needs)
        return DT_OK;
    return dti_fail(
        record->world, DT_ERR_UNSUPPORTED,
        "%s: has no gradient, but an argument needs one; call it in a "
        "scope without gradients, or with dt_detach",
        record->op->schema.name);
}

/* Note a call whose results have no gradient.  A view is cut off from its
 * base: both go their own ways. */
static dt_status note_cut(const dti_record *record)
{
    const bool view = is_view(record);
    if (view)
        DTI_TRY(dti_family_found(record->inputs[0]));
    for (int i = 0; i < record->result_count; i++) {
        dt_tensor *tensor = record->results[i];
        if (view && shares_elements(record, tensor))
            DTI_TRY(dti_family_found(tensor));
        if (record->variant == DT_VARIANT_IN_PLACE && tensor &&
            tensor->gradient && dti_scope_records(record->world))
            DTI_TRY(dti_family_write(tensor, NULL, 0));
    }
    return DT_OK;
}

/* Views of a program that are made without gradients are marked. */
static dt_status note_views(const dti_record *record)
{
    if (!is_view(record) || dti_tape_of(record->world)->passing)
        return DT_OK;
    for (int i = 0; i < record->result_count; i++)
        if (shares_elements(record, record->results[i]))
            dti_family_stray(record->results[i]);
    return DT_OK;
}

static dt_status note(void *arg, const dti_record *record)
{
    const dti_formula *formula;
    (void)arg;
    if (DTI_LIKELY(!has_record(record)))
        return DT_OK;
    DTI_TRY(dti_formula_of(record->world, record->op, &formula));
    if (formula && !formula->differentiable)
        return note_cut(record);
    if (!dti_scope_records(record->world))
        return note_views(record);
    return formula ? note_call(record) : refuse_unknown(record);
}

/* A tensor whose views nobody has recorded would not tell them what it now
 * depends on. */
static dt_status check_unknown(const dti_record *record,
                               const dt_tensor *target)
{
    bool needs = false;
    if (!target->version || target->version->tensors < 2)
        return DT_OK;
    DTI_TRY(needs_gradient(record, &needs));
    if (!needs)
        return DT_OK;
    return dti_fail(record->world, DT_ERR_INVALID,
                    "%s_: the tensor shares elements with another one, which "
                    "was made before the first leaf; make views after "
                    "dt_requires_grad, or write to a clone",
                    record->op->schema.name);
}

/* Views that cannot be written, or not detached. */
static dt_status check_view(const dti_record *record, const dt_tensor *target)
{
    const char *name = record->op->schema.name;
    if (dti_is_stray(target) && !(record->op->op->flags & DT_OP_VIEW))
        return dti_fail(record->world, DT_ERR_INVALID,
                        "%s_: a view that was made in a scope without "
                        "gradients cannot be written outside of it; make the "
                        "view again",
                        name);
    if (dti_is_view(target) && strcmp(name, "detach") == 0)
        return dti_fail(record->world, DT_ERR_INVALID,
                        "detach_: a view cannot be detached in place; use "
                        "dt_detach");
    if (dti_is_view_of_leaf(target))
        return dti_fail(record->world, DT_ERR_INVALID,
                        "%s_: a view of a leaf that requires a gradient cannot "
                        "be written in place; do it in a scope without "
                        "gradients",
                        name);
    return DT_OK;
}

/* A leaf that is overwritten would lose what its gradient is about. */
static dt_status check_target(const dti_record *record, dt_tensor *target)
{
    dti_edge edge;
    if (!target)
        return DT_OK;
    if (!target->gradient)
        return check_unknown(record, target);
    DTI_TRY(check_view(record, target));
    DTI_TRY(dti_edge_of(target, &edge));
    if (!edge.node || !edge.node->leaf)
        return DT_OK;
    return dti_fail(record->world, DT_ERR_INVALID,
                    "%s_: a leaf that requires a gradient cannot be written in "
                    "place; do it in a scope without gradients",
                    record->op->schema.name);
}

static dt_status check_out(const dti_record *record)
{
    bool needs = false;
    DTI_TRY(needs_gradient(record, &needs));
    if (needs)
        return dti_fail(record->world, DT_ERR_INVALID,
                        "%s_out: results with gradients cannot be written "
                        "to `out`; use dt_%s",
                        record->op->schema.name, record->op->schema.name);
    return check_target(record, record->out);
}

/* Tell whether the gradients that a call needs read one of its inputs. */
static dt_status is_read_by_gradient(const dti_record *record,
                                     const dti_formula *formula, int input,
                                     bool *out)
{
    const dti_schema *schema = &record->op->schema;
    const uint32_t bit = 1U << parameter_of(schema, input);
    *out = false;
    for (int i = 0; !*out && i < record->input_count; i++) {
        dti_edge edge = {NULL, 0};
        const int parameter = parameter_of(schema, i);
        if (!record->inputs[i] || !takes_part(formula, parameter))
            continue;
        DTI_TRY(dti_edge_of(record->inputs[i], &edge));
        *out = edge.node &&
               formula->clauses[formula->clause_of[parameter]].inputs & bit;
    }
    return DT_OK;
}

static dt_status copy_local(const dt_tensor *tensor, dt_array **out)
{
    dt_array *local = NULL;
    DTI_TRY(dti_tensor_read(tensor));
    DTI_TRY(dti_array_settle(tensor->world, tensor->local));
    DTI_TRY(dti_tensor_create_local(tensor->spec, &local));
    dt_status status = DT_OK;
    if (local->storage && tensor->local->storage)
        status = dt_array_copy(tensor->world, tensor->local, local);
    if (status == DT_OK)
        *out = local;
    else
        dt_array_release(local);
    return status;
}

/* Copy what a call overwrites if its gradient reads it: in dt_mul_(x, w), the
 * gradient of w is grad * x. */
static dt_status keep_original(const dti_record *record, int input)
{
    const dti_formula *formula;
    dti_tape *tape = dti_tape_of(record->world);
    bool read = false;
    DTI_TRY(dti_formula_of(record->world, record->op, &formula));
    if (formula && formula->differentiable &&
        !(record->op->op->flags & DT_OP_VIEW))
        DTI_TRY(is_read_by_gradient(record, formula, input, &read));
    if (!read)
        return DT_OK;
    dt_array_release(tape->original);
    tape->original = NULL;
    tape->original_of = record->inputs[input];
    return dti_collective_end_on(
        record->inputs[input]->spec->mesh,
        copy_local(record->inputs[input], &tape->original));
}

/* Before anything is written. */
static dt_status check(void *arg, const dti_record *record)
{
    (void)arg;
    if (!dti_scope_records(record->world))
        return DT_OK;
    if (record->variant == DT_VARIANT_OUT)
        return check_out(record);
    for (int i = 0; i < record->op->schema.result_count; i++) {
        const int input = record->op->schema.overwrites[i];
        if (input < 0 || input >= record->input_count || !record->inputs[input])
            continue;
        DTI_TRY(check_target(record, record->inputs[input]));
        DTI_TRY(keep_original(record, input));
    }
    return DT_OK;
}

static const dti_recorder recorder = {
    .takes_whole = takes_whole, .record = note, .check = check};

/* ---- The tape ----------------------------------------------------------- */

static void close_tape(dt_world *world, void *state)
{
    (void)world;
    dti_disks_close(((dti_tape *)state)->disks);
    dt_array_release(((dti_tape *)state)->original);
    free(state);
}

static const dti_room_functions functions = {.close = close_tape};

dti_tape *dti_tape_open(dt_world *world)
{
    dti_tape *tape = dti_tape_of(world);
    if (tape)
        return tape;
    tape = calloc(1, sizeof *tape);
    if (!tape) {
        dti_fail_memory(world, sizeof *tape, "gradients");
        return NULL;
    }
    if (dti_recorder_set(world, &recorder, NULL) != DT_OK) {
        free(tape);
        return NULL;
    }
    dti_world_attach(world, DTI_ROOM_AUTOGRAD, tape, &functions);
    return tape;
}
