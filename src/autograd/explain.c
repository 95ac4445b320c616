/* autograd/explain.c - a backward pass that says what it does. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/explain.h"

#include "autograd/tape.h"
#include "base/error.h"
#include "base/scope.h"

/* ---- Calls of the pass -------------------------------------------------- */

static void put_layouts(dti_writer *to, dt_tensor *const *tensors, int count)
{
    for (int i = 0; i < count; i++)
        dti_put(to, "%s%s", i ? ", " : "",
                tensors[i] ? dti_layout_show(&tensors[i]->spec->layout).text
                           : "none");
}

/* The collectives since the last call. */
static void put_collectives(dti_explanation *at)
{
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        const dt_trace_counter now = dt_trace_count(at->world, i);
        const dt_trace_counter before = at->counts[i];
        at->counts[i] = now;
        if (now.calls == before.calls)
            continue;
        dti_put(
            &at->to, "; %llu %s, %llu bytes received",
            (unsigned long long)(now.calls - before.calls),
            dt_collective_name(i),
            (unsigned long long)(now.bytes_received - before.bytes_received));
    }
}

static dt_status note(void *arg, const dti_record *record)
{
    dti_explanation *at = arg;
    dti_put(&at->to, "    %s(", record->op->schema.name);
    put_layouts(&at->to, record->inputs, record->input_count);
    dti_put(&at->to, ") -> ");
    put_layouts(&at->to, record->results, record->result_count);
    put_collectives(at);
    dti_put(&at->to, "\n");
    return at->before->record(at->before->arg, record);
}

/* Compositions are explained by the operators that they call, unless they are
 * recorded: a section runs again. */
static bool takes_whole(void *arg, const dti_operator *op)
{
    const dti_explanation *at = arg;
    return dti_scope_records(at->world) &&
           at->before->takes_whole(at->before->arg, op);
}

static dt_status check(void *arg, const dti_record *record)
{
    const dti_explanation *at = arg;
    return at->before->check(at->before->arg, record);
}

/* ---- Nodes -------------------------------------------------------------- */

static void put_specs(dti_writer *to, const dti_saved *saved, int count)
{
    for (int i = 0; i < count; i++)
        dti_put(to, "%s%s", i ? ", " : "",
                saved[i].spec ? dti_spec_show(saved[i].spec).text : "none");
}

void dti_explain_node(dti_explanation *at, const dti_node *node)
{
    if (node->leaf) {
        dti_put(&at->to, "  leaf %s\n",
                dti_spec_show(node->saved[0].spec).text);
        return;
    }
    dti_put(&at->to, "%s(", dti_node_name(node));
    put_specs(&at->to, node->saved, node->input_count);
    dti_put(&at->to, ") -> ");
    put_specs(&at->to, node->saved + node->input_count, node->result_count);
    dti_put(&at->to, "\n");
}

/* ---- The pass ----------------------------------------------------------- */

dt_status dti_explain_begin(dti_explanation *at, dt_tensor *tensor, char *text,
                            size_t size)
{
    *at = (dti_explanation){.to = {text, size, 0},
                            .world = tensor->world,
                            .recorder = {.takes_whole = takes_whole,
                                         .record = note,
                                         .arg = at,
                                         .check = check}};
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        at->counts[i] = dt_trace_count(at->world, i);
    if (!dti_tape_open(at->world))
        return DT_ERR_NO_MEMORY;
    dti_put(&at->to, "backward of %s\n", dti_spec_show(tensor->spec).text);
    return dti_recorder_set(at->world, &at->recorder, &at->before);
}

void dti_explain_end(dti_explanation *at)
{
    DT_IGNORE(dti_recorder_set(at->world, at->before, NULL));
}
