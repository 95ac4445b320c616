/* autograd/section.c - parts of a program that run again in the backward pass.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/section.h"

#include <stdlib.h>

#include "autograd/family.h"
#include "autograd/pack.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/handles.h"
#include "base/scope.h"

/* ---- Releasing ---------------------------------------------------------- */

/* Drop a reference; nodes that nobody else holds are put before a list. */
static void release(dti_section *section, dti_node **list)
{
    if (!section || !dti_reference_release(&section->reference))
        return;
    for (int i = 0; i < section->input_count; i++) {
        dti_saved_release(&section->inputs[i]);
        dti_node_release_into(section->edges[i].node, list);
    }
    dti_keys_free(&section->keys);
    free(section->inputs);
    free(section->edges);
    free(section->nodes);
    free(section);
}

void dti_section_release(dti_section *section)
{
    dti_node *list = NULL;
    release(section, &list);
    dti_nodes_free(list);
}

/* ---- Nodes -------------------------------------------------------------- */

static dt_status add(dti_section *section, dti_node *node)
{
    if (section->count == section->capacity) {
        const int capacity = section->capacity ? 2 * section->capacity : 32;
        dti_node **nodes =
            realloc(section->nodes, (size_t)capacity * sizeof(*nodes));
        if (!nodes)
            return dti_fail_memory(section->world,
                                   (size_t)capacity * sizeof(*nodes),
                                   "a recorded call");
        section->nodes = nodes;
        section->capacity = capacity;
    }
    node->section = section;
    node->place = section->count;
    dti_reference_retain(&section->reference);
    section->nodes[section->count++] = node;
    return DT_OK;
}

/* Move what a repeated call saved to the node that it repeats. */
static dt_status give_back(dti_section *section, dti_node *from)
{
    dti_node *to =
        section->next < section->count ? section->nodes[section->next] : NULL;
    if (section->next >= section->count ||
        (to && (to->op != from->op || to->input_count != from->input_count ||
                to->result_count != from->result_count)))
        return dti_fail(section->world, DT_ERR_INVALID,
                        "dt_checkpoint: the function called %s as call %d with "
                        "a gradient when it ran again, but not the first time; "
                        "it must make the same calls",
                        dti_node_name(from), section->next + 1);
    section->next++;
    for (int i = 0; to && i < to->input_count + to->result_count; i++) {
        dti_saved *old = &to->saved[i], *new = &from->saved[i];
        if (!old->kept || dti_saved_is_there(old))
            continue;
        old->array = dt_array_retain(new->array);
        old->version = dti_version_retain(new->version);
        old->count = new->count;
        old->alone = new->alone;
    }
    return DT_OK;
}

dt_status dti_section_note(dti_node *node)
{
    dti_section *section = dti_tape_of(node->world)->section;
    if (!section)
        return DT_OK;
    return section->restores ? give_back(section, node) : add(section, node);
}

void dti_section_forget(dti_node *node, dti_node **list)
{
    if (!node->section)
        return;
    node->section->nodes[node->place] = NULL;
    release(node->section, list);
}

/* ---- Sections ----------------------------------------------------------- */

static dti_section *create(dt_world *world, int input_count)
{
    const size_t count = input_count > 0 ? (size_t)input_count : 1;
    dti_section *section = calloc(1, sizeof *section);
    if (!section)
        return NULL;
    dti_reference_init(&section->reference);
    section->world = world;
    section->inputs = calloc(count, sizeof *section->inputs);
    section->edges = calloc(count, sizeof *section->edges);
    if (section->inputs && section->edges)
        return section;
    dti_section_release(section);
    return NULL;
}

static dt_status save_inputs(dti_section *section, dt_tensor *const *inputs,
                             int count)
{
    for (int i = 0; i < count; i++) {
        DTI_TRY(dti_saved_set(&section->inputs[i], inputs[i], true));
        section->input_count = i + 1;
        DTI_TRY(dti_edge_of(inputs[i], &section->edges[i]));
        const dti_node *made_by = dti_node_retain(section->edges[i].node);
        if (!made_by || !made_by->leaf)
            DTI_TRY(dti_saved_pack(&section->inputs[i], section->world,
                                   !inputs[i]->copied));
    }
    return DT_OK;
}

/* ---- Running ------------------------------------------------------------ */

/* Call the function while the tape and the random numbers know the section. */
static dt_status call(dti_section *section, dt_tensor *const *inputs,
                      dt_tensor **outputs)
{
    dti_tape *tape = dti_tape_of(section->world);
    dti_section *around = tape->section;
    section->keys.repeats = section->restores;
    section->keys.next = section->next = 0;
    DTI_TRY(dti_keys_begin(section->world, &section->keys));
    tape->section = section;
    const dt_status status =
        section->function(section->world, inputs, section->input_count, outputs,
                          section->output_count, section->arg);
    tape->section = around;
    dti_keys_end(section->world, &section->keys);
    if (status == DT_OK && section->keys.failed)
        return dti_fail(section->world, DT_ERR_INVALID,
                        "dt_checkpoint: the function did not draw the random "
                        "numbers of its first run again, or memory is short");
    return status;
}

/* Release what the nodes of a section saved. */
static void release_saved(dti_section *section)
{
    for (int i = 0; i < section->count; i++)
        if (section->nodes[i])
            dti_node_drop(section->nodes[i]);
}

/* The inputs as they were, with the nodes that made them. */
static dt_status make_inputs(const dti_section *section, dt_tensor **out)
{
    for (int i = 0; i < section->input_count; i++) {
        const dti_saved *saved = &section->inputs[i];
        if (saved->version && (saved->count != saved->version->count ||
                               saved->alone != saved->version->alone))
            return dti_fail(
                section->world, DT_ERR_INVALID,
                "dt_checkpoint: input %d, %s, was overwritten after "
                "the function ran; write to a clone instead",
                i, dti_spec_show(saved->spec).text);
        DTI_TRY(dti_saved_read(saved, &out[i]));
        if (section->edges[i].node)
            dti_gradient_attach(out[i], section->edges[i].node,
                                section->edges[i].result);
    }
    return DT_OK;
}

static dt_status run_again(dti_section *section)
{
    const size_t count = (size_t)(section->input_count + section->output_count);
    dt_tensor **tensors = calloc(count > 0 ? count : 1, sizeof(*tensors));
    if (!tensors)
        return dti_fail_memory(section->world, count * sizeof(*tensors),
                               "a backward pass");
    dt_status status = make_inputs(section, tensors);
    section->restores = true;
    if (status == DT_OK)
        status = call(section, tensors, tensors + section->input_count);
    section->restores = false;
    free(tensors);
    return status;
}

dt_status dti_section_restore(dti_section *section)
{
    dti_scope_rules rules = section->world->scope->rules;
    rules.records = true;
    dt_scope *scope = dti_scope_open_under(section->world, &rules);
    if (!scope)
        return DT_ERR_NO_MEMORY;
    dt_status status = run_again(section);
    if (status == DT_OK)
        status = scope->first.code;
    if (status == DT_OK && section->next < section->count)
        status = dti_fail(section->world, DT_ERR_INVALID,
                          "dt_checkpoint: the function made %d calls with a "
                          "gradient when it ran again, %d the first time; it "
                          "must make the same calls",
                          section->next, section->count);
    dti_scope_close_inner(scope);
    return status;
}

/* ---- The first run ------------------------------------------------------ */

static dt_status check_outputs(const dti_section *section,
                               dt_tensor *const *outputs)
{
    for (int i = 0; i < section->output_count; i++)
        if (!outputs[i])
            return dti_fail_null(section->world, "dt_checkpoint",
                                 "an output of the function");
    return DT_OK;
}

static dt_status run_first(dti_section *section, dt_tensor *const *inputs,
                           int input_count, dt_tensor **outputs)
{
    DTI_TRY(save_inputs(section, inputs, input_count));
    DTI_TRY(call(section, inputs, outputs));
    DTI_TRY(check_outputs(section, outputs));
    release_saved(section);
    return DT_OK;
}

dt_status dt_checkpoint(dt_section_function function, dt_tensor *const *inputs,
                        int input_count, dt_tensor **outputs, int output_count,
                        void *arg)
{
    DTI_ENTRY();
    if (input_count < 1)
        return dti_fail(dti_world_running(), DT_ERR_INVALID,
                        "dt_checkpoint: at least one input is required");
    for (int i = 0; i < input_count; i++)
        DTI_TRY(dti_given(inputs[i], __func__, "inputs"));
    dt_world *world = inputs[0]->world;
    for (int i = 0; i < output_count; i++)
        outputs[i] = NULL;
    if (!dti_tape_open(world))
        return DT_ERR_NO_MEMORY;
    dti_section *section = create(world, input_count);
    if (!section)
        return dti_fail_memory(world, sizeof *section, "dt_checkpoint");
    section->function = function;
    section->arg = arg;
    section->output_count = output_count;
    const dt_status status = run_first(section, inputs, input_count, outputs);
    dti_section_release(section);
    return status;
}
