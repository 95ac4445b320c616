/* verify/force.c - running candidates of a rule without dispatch. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text/writer.h"
#include "op/call/kernel.h"
#include "op/call/results.h"
#include "tensor/tensor.h"
#include "verify/run.h"

/* A candidate that is run: where everything lies. */
typedef struct forced {
    dt_layout in_layouts[DTI_TRIAL_INPUTS];
    dt_spec *in_specs[DTI_TRIAL_INPUTS];
    dt_array *in[DTI_TRIAL_INPUTS];
    dt_spec *out_specs[DTI_TRIAL_RESULTS];
    dt_array *out[DTI_TRIAL_RESULTS];
    dt_array *masks[DTI_TRIAL_RESULTS];
} forced;

static dt_status force_inputs(dti_run *on, const dti_propagation *found,
                              const dti_proposal *proposal, forced *at)
{
    int rank = dt_world_rank(on->with->world);
    for (int i = 0; i < on->trial.input_count; i++) {
        const dti_trial_input *facts = &on->trial.inputs[i];
        if (!facts->present)
            continue;
        at->in_layouts[i] = dti_proposal_in(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &at->in_layouts[i], &facts->meta,
                                   &at->in_specs[i]));
        at->in[i] = dti_trial_input_part(facts, at->in_specs[i], rank);
        if (!at->in[i])
            return DT_ERR_NO_MEMORY;
    }
    return DT_OK;
}

static dt_status force_outputs(dti_run *on, const dti_propagation *found,
                               const dti_proposal *proposal, forced *at)
{
    dt_world *world = on->with->world;
    int rank = dt_world_rank(world);
    for (int i = 0; i < on->trial.result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &layout, &on->trial.results[i],
                                   &at->out_specs[i]));
        if (on->trial.op->op->flags & DT_OP_VIEW)
            continue;
        DT_TRY(dt_array_create(world, on->trial.results[i].dtype,
                               dt_spec_local_shape(at->out_specs[i], rank),
                               &at->out[i]));
        /* What the kernel leaves out shows. */
        if (dt_array_count(at->out[i]))
            memset(dt_array_data(at->out[i]), 0x55, dt_array_bytes(at->out[i]));
    }
    return DT_OK;
}

static dt_status run_kernel(dti_run *on, forced *at)
{
    dt_operation operation;
    const dt_meta *metas[DTI_TRIAL_INPUTS];
    dti_trial_question(&on->trial, on->mesh, NULL, &operation, metas);
    operation.in_specs = at->in_specs;
    operation.in = at->in;
    operation.out_specs = at->out_specs;
    operation.out = at->out;
    operation.masks = at->masks;
    if (on->trial.op->op->flags & DT_OP_RANDOM) {
        dt_generator_seed(on->trial.generator, 17);
        dti_kernel_take_key(on->trial.generator, &operation);
    }
    dt_status status = dti_kernel_run(&operation);
    dt_array_release(operation.copy);
    return status == DT_OK ? dti_results_mask(&operation) : status;
}

static bool check_forced(dti_run *on, forced *at)
{
    dt_tensor *results[DTI_TRIAL_RESULTS];
    for (int i = 0; i < on->trial.result_count; i++) {
        results[i] = dti_tensor_make(at->out_specs[i], at->out[i]);
        if (!results[i])
            return false;
        results[i]->mask = at->masks[i];
        at->masks[i] = NULL;
    }
    return dti_run_check_results(on, results, on->trial.result_count);
}

static void free_forced(forced *at)
{
    for (int i = 0; i < DTI_TRIAL_INPUTS; i++) {
        dt_spec_release(at->in_specs[i]);
        dt_array_release(at->in[i]);
    }
    for (int i = 0; i < DTI_TRIAL_RESULTS; i++) {
        dt_spec_release(at->out_specs[i]);
        dt_array_release(at->out[i]);
        dt_array_release(at->masks[i]);
    }
}

/* What a proposal is, for the count and the sentences. */
static void show_proposal(const dti_run *on, const dti_propagation *found,
                          const dti_proposal *proposal, dti_writer *to)
{
    for (int i = 0; i < on->trial.input_count; i++) {
        if (!on->trial.inputs[i].present)
            continue;
        dt_layout layout = dti_proposal_in(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
    dti_put(to, " -> ");
    for (int i = 0; i < on->trial.result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
}

/* Run the kernel with inputs as a proposal has them, and compare. */
static bool run_proposal(dti_run *on, const dti_propagation *found,
                         const dti_proposal *proposal, forced *at)
{
    dt_world *world = on->with->world;
    dt_status status = force_inputs(on, found, proposal, at);
    if (status == DT_OK)
        status = force_outputs(on, found, proposal, at);
    if (status == DT_OK)
        status = run_kernel(on, at);
    on->how = dti_trial_nearness(&on->trial, at->in_layouts);
    if (status == DT_OK)
        return check_forced(on, at);
    dti_run_fault(on, "%s: %s", dt_status_name(status),
                  dt_world_error(world)->message);
    dt_world_poison(world);
    return false;
}

/* Run a proposal that the rule allows, unless it was run. */
static void force(dti_run *on, const dti_propagation *found,
                  const dti_proposal *proposal)
{
    forced at = {0};
    char text[512], kind[600];
    dti_writer to = {text, sizeof text, 0};
    dt_world *world = on->with->world;
    show_proposal(on, found, proposal, &to);
    if (dti_run_ended(on) || !dti_text_set_add(world, &on->forced, text))
        return;
    if (dt_mesh_ndim(on->mesh) == 1)
        dti_text_set_add(world, &on->row->candidates, text);
    snprintf(kind, sizeof kind, "candidate %s", text);
    dti_run_begin(on, NULL, kind);
    dt_scope *scope = dt_scope_open(world);
    bool good = run_proposal(on, found, proposal, &at);
    dti_run_settle(on, good, NULL, kind);
    free_forced(&at);
    DT_IGNORE(dt_scope_close(scope));
}

/* A mesh of one dimension: every candidate that fits. */
static void force_all(dti_run *on, dti_propagation *found)
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
static void force_some(dti_run *on, dti_propagation *found)
{
    dti_proposal proposal = {0};
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++) {
        int first = (int)dti_run_draw(on, (unsigned)found->counts[i]),
            tried = 0;
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

void dti_run_candidates(dti_run *on, const dt_layout *layouts)
{
    dt_operation operation;
    const dt_meta *metas[DTI_TRIAL_INPUTS];
    dti_propagation *found = &on->found;
    if (!on->trial.op->op->kernel || on->trial.status != DT_OK)
        return;
    found->question =
        dti_trial_question(&on->trial, on->mesh, layouts, &operation, metas);
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++)
        dti_candidates_list(&found->question, i, found->candidates[i],
                            &found->counts[i]);
    if (dt_mesh_ndim(on->mesh) == 1)
        force_all(on, found);
    else
        force_some(on, found);
}
