/* tests/conformance/force.c - running what a rule offers, without dispatch. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/writer.h"
#include "conformance/bench.h"
#include "op/call/results.h"
#include "random/generator.h"
#include "tensor/tensor.h"

/* A candidate that is run: where everything lies. */
typedef struct forced {
    dt_layout in_layouts[MAX_INPUTS];
    dt_spec *in_specs[MAX_INPUTS];
    dt_array *in[MAX_INPUTS];
    dt_spec *out_specs[MAX_RESULTS];
    dt_array *out[MAX_RESULTS];
    dt_array *masks[MAX_RESULTS];
} forced;

static dt_status force_inputs(bench *on, const dti_propagation *found,
                              const dti_proposal *proposal, forced *at)
{
    int rank = dt_world_rank(on->on->world);
    for (int i = 0; i < on->at->input_count; i++) {
        const input_facts *facts = &on->at->inputs[i];
        if (!facts->present)
            continue;
        at->in_layouts[i] = dti_proposal_in(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &at->in_layouts[i], &facts->meta,
                                   &at->in_specs[i]));
        at->in[i] = input_part(facts, at->in_specs[i], rank);
    }
    return DT_OK;
}

static dt_status force_outputs(bench *on, const dti_propagation *found,
                               const dti_proposal *proposal, forced *at)
{
    dt_world *world = on->on->world;
    int rank = dt_world_rank(world);
    for (int i = 0; i < on->at->result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &layout, &on->at->results[i],
                                   &at->out_specs[i]));
        if (on->at->op->op->flags & DT_OP_VIEW)
            continue;
        DT_TRY(dt_array_create(world, on->at->results[i].dtype,
                               dt_spec_local_shape(at->out_specs[i], rank),
                               &at->out[i]));
        /* What the kernel leaves out shows. */
        if (dt_array_count(at->out[i]))
            memset(dt_array_data(at->out[i]), 0x55, dt_array_bytes(at->out[i]));
    }
    return DT_OK;
}

static dt_status run_kernel(bench *on, forced *at)
{
    dt_operation operation;
    const dt_meta *metas[MAX_INPUTS];
    trial_question(on->at, on->mesh, NULL, &operation, metas);
    operation.in_specs = at->in_specs;
    operation.in = at->in;
    operation.out_specs = at->out_specs;
    operation.out = at->out;
    operation.masks = at->masks;
    if (on->at->op->op->flags & DT_OP_RANDOM) {
        dt_generator_seed(on->at->generator, 17);
        dti_random_key key = dti_generator_next(on->at->generator);
        operation.random_seed = key.seed;
        operation.random_offset = key.offset;
    }
    dt_status status = on->at->op->op->kernel(&operation);
    return status == DT_OK ? dti_results_mask(&operation) : status;
}

static bool check_forced(bench *on, forced *at)
{
    dt_tensor *results[MAX_RESULTS];
    for (int i = 0; i < on->at->result_count; i++) {
        results[i] = dti_tensor_make(at->out_specs[i], at->out[i]);
        results[i]->mask = at->masks[i];
        at->masks[i] = NULL;
    }
    return check_results(on, results, on->at->result_count);
}

static void free_forced(forced *at)
{
    for (int i = 0; i < MAX_INPUTS; i++) {
        dt_spec_release(at->in_specs[i]);
        dt_array_release(at->in[i]);
    }
    for (int i = 0; i < MAX_RESULTS; i++) {
        dt_spec_release(at->out_specs[i]);
        dt_array_release(at->out[i]);
        dt_array_release(at->masks[i]);
    }
}

/* What a proposal is, for the count and the sentences. */
static void show_proposal(const bench *on, const dti_propagation *found,
                          const dti_proposal *proposal, dti_writer *to)
{
    for (int i = 0; i < on->at->input_count; i++) {
        if (!on->at->inputs[i].present)
            continue;
        dt_layout layout = dti_proposal_in(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
    dti_put(to, " -> ");
    for (int i = 0; i < on->at->result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
}

/* Run a proposal that the rule offers, unless it was run. */
static void force(bench *on, const dti_propagation *found,
                  const dti_proposal *proposal)
{
    forced at = {0};
    char text[512], kind[600];
    dti_writer to = {text, sizeof text, 0};
    dt_world *world = on->on->world;
    show_proposal(on, found, proposal, &to);
    if (!text_set_add(&on->forced, text))
        return;
    if (dt_world_rank(world) == 0 && dt_mesh_ndim(on->mesh) == 1)
        report_candidate(on->on->report, on->row, text);
    trial_show(on->at, on->mesh, NULL, current_case, sizeof current_case / 2);
    dti_writer now = {current_case, sizeof current_case, strlen(current_case)};
    dti_put(&now, " forced %s", text);
    dt_scope *scope = dt_scope_open(world);
    dt_status status = force_inputs(on, found, proposal, &at);
    if (status == DT_OK)
        status = force_outputs(on, found, proposal, &at);
    if (status == DT_OK)
        status = run_kernel(on, &at);
    on->how = trial_nearness(on->at, at.in_layouts);
    bool good = status == DT_OK;
    if (!good) {
        fault(on, "%s: %s", dt_status_name(status),
              dt_world_error(world)->message);
        dt_world_poison(world);
    }
    good = good && check_forced(on, &at);
    snprintf(kind, sizeof kind, "candidate %s", text);
    settle(on, good, NULL, kind);
    free_forced(&at);
    DT_IGNORE(dt_scope_close(scope));
}

/* A mesh of one dimension: every candidate that fits. */
static void force_all(bench *on, dti_propagation *found)
{
    dti_proposal proposal = {0};
    for (int c = 0; c < found->counts[0]; c++) {
        proposal.choice[0] = c;
        if (!dti_candidate_misfit(found, &proposal, 0,
                                  &found->candidates[0][c]))
            force(on, found, &proposal);
    }
}

/* Several dimensions: for each some candidate that fits. */
static void force_some(bench *on, dti_propagation *found)
{
    dti_proposal proposal = {0};
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++) {
        int first = (int)below(on, (unsigned)found->counts[i]), tried = 0;
        for (; tried < found->counts[i]; tried++) {
            int c = (first + tried) % found->counts[i];
            proposal.choice[i] = c;
            if (!dti_candidate_misfit(found, &proposal, i,
                                      &found->candidates[i][c]))
                break;
        }
        if (tried == found->counts[i])
            return;
    }
    force(on, found, &proposal);
}

void force_from(bench *on, const dt_layout *layouts)
{
    dt_operation operation;
    const dt_meta *metas[MAX_INPUTS];
    if (!on->at->op->op->kernel || on->at->status != DT_OK)
        return;
    dti_propagation *found = calloc(1, sizeof *found);
    if (!found)
        abort();
    found->question =
        trial_question(on->at, on->mesh, layouts, &operation, metas);
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++)
        dti_candidates_list(&found->question, i, found->candidates[i],
                            &found->counts[i]);
    if (dt_mesh_ndim(on->mesh) == 1)
        force_all(on, found);
    else
        force_some(on, found);
    free(found);
}
