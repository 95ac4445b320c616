/* verify/backward.c - gradients in many layouts, against one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/autograd.h>

#include "verify/run.h"

/* Terms that the sums of a backward pass have, at most: more than those of the
 * call, whose nearness counts otherwise. */
#define MOST_TERMS 512
/* In so many cases of calls, gradients are compared in one. */
#define TIMES_FEWER 3

/* Tell whether a trial is one whose gradients are compared: the bits of smaller
 * dtypes say little. */
static bool is_differentiable(const dti_trial *at)
{
    bool any = false;
    if (at->status != DT_OK || at->special != DTI_SPECIALS_NONE ||
        (at->op->row.flags & DT_OP_IN_PLACE &&
         dti_schema_only_in_place(&at->op->schema)))
        return false;
    for (int i = 0; i < at->input_count; i++) {
        const dt_dtype dtype = at->inputs[i].meta.dtype;
        if (!dti_input_has_gradient(&at->inputs[i]))
            continue;
        if (dtype == DT_F16 || dtype == DT_BF16)
            return false;
        any = true;
    }
    for (int i = 0; i < at->result_count; i++)
        if (at->results[i].dtype == DT_F16 || at->results[i].dtype == DT_BF16)
            return false;
    return any;
}

/* The inputs of a call, leaves where they can be. */
static bool place_leaves(dti_run *on, const dt_layout *layouts,
                         dt_tensor **inputs)
{
    for (int i = 0; i < on->trial.input_count; i++) {
        const dti_trial_input *facts = &on->trial.inputs[i];
        inputs[i] = dti_run_place(on, facts, &layouts[i], false);
        if (dti_input_has_gradient(facts))
            inputs[i] = dt_requires_grad(inputs[i]);
        if (facts->present && !inputs[i])
            return dti_run_fault(on, "%s",
                                 dt_world_error(on->with->world)->message);
    }
    return true;
}

/* The gradients of results, in some layouts. */
static bool place_seeds(dti_run *on, dt_tensor **seeds)
{
    for (int i = 0; i < on->trial.result_count; i++) {
        dti_trial_input facts = dti_trial_seed(&on->trial.results[i], i);
        dt_placement list[DTI_TRIAL_PLACEMENTS];
        dt_layout layout;
        int count = dti_trial_placements(&facts, true, 1u << DT_SUM, list);
        dti_run_draw_layout(on, list, count, facts.meta.shape.ndim, &layout);
        seeds[i] = dti_run_place(on, &facts, &layout, false);
        if (facts.present && !seeds[i])
            return false;
    }
    return true;
}

/* A gradient has the layout of its leaf, with what is partial replicated. */
static bool check_layout(dti_run *on, const dt_tensor *gradient, int input,
                         const dt_tensor *leaf)
{
    const dt_layout wanted =
        dti_layout_reduced(dt_spec_layout(dt_tensor_spec(leaf)));
    const dt_layout *found = dt_spec_layout(dt_tensor_spec(gradient));
    return dt_layout_equal(found, &wanted) ||
           dti_run_fault(on, "gradient %d is %s instead of %s", input,
                         dti_layout_show(found).text,
                         dti_layout_show(&wanted).text);
}

static bool check_gradient(dti_run *on, dt_tensor *gradient, int input,
                           const dt_tensor *leaf)
{
    const dti_gradients *alone = &on->gradients;
    const dti_expected wanted = {"gradient", input,
                                 &on->trial.inputs[input].meta,
                                 &alone->wholes[input]};
    if (!gradient || !alone->present[input])
        return (gradient != NULL) == alone->present[input] ||
               dti_run_fault(on, "gradient %d is %s", input,
                             gradient ? "none on one rank" : "none");
    return check_layout(on, gradient, input, leaf) &&
           dti_run_check_tensor(on, gradient, &wanted);
}

/* What a call is made with: leaves, or copies of those that it overwrites. */
static void list_inputs(const dti_trial *at, dt_variant form,
                        dt_tensor *const *leaves, dt_tensor **inputs)
{
    for (int i = 0; i < at->input_count; i++)
        inputs[i] = leaves[i];
    for (int i = 0; form == DT_VARIANT_IN_PLACE && i < at->result_count; i++) {
        const int input = dti_trial_overwritten(at, i);
        if (input >= 0)
            inputs[input] = dt_clone(leaves[input]);
    }
}

/* Tell whether a call fails without gradients as well: a strict one, or one
 * that would have to change the layout of what it overwrites. */
static bool fails_anyway(dti_run *on, dt_variant form, dt_tensor *const *leaves)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *results[DTI_TRIAL_RESULTS];
    dt_scope_options off = DT_SCOPE_OPTIONS_INIT;
    int count = 0;
    off.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(on->with->world, &off);
    list_inputs(&on->trial, form, leaves, inputs);
    const dt_status status =
        dti_trial_call(&on->trial, form, inputs, results, &count);
    DT_IGNORE(dt_scope_close(scope));
    return status == DT_ERR_INVALID;
}

static bool check_pass(dti_run *on, const dt_layout *layouts, dt_variant form)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *leaves[DTI_TRIAL_INPUTS];
    dt_tensor *results[DTI_TRIAL_RESULTS];
    dt_tensor *seeds[DTI_TRIAL_RESULTS], *gradients[DTI_TRIAL_INPUTS];
    dti_gradient_call call = {.world = on->with->world,
                              .outputs = results,
                              .seeds = seeds,
                              .leaf_count = on->trial.input_count,
                              .leaves = leaves};
    bool good = place_leaves(on, layouts, leaves) && place_seeds(on, seeds);
    if (!good)
        return false;
    list_inputs(&on->trial, form, leaves, inputs);
    dt_status status =
        dti_trial_call(&on->trial, form, inputs, results, &call.output_count);
    if (status == DT_ERR_INVALID && fails_anyway(on, form, leaves))
        return true;
    if (status == DT_OK)
        status = dti_gradient_compute(&call, gradients);
    if (status != DT_OK)
        return dti_run_fault(on, "%s: %s", dt_status_name(status),
                             dt_world_error(on->with->world)->message);
    for (int i = 0; i < on->trial.input_count; i++)
        good &= check_gradient(on, gradients[i], i, leaves[i]);
    return good;
}

/* A gradient passes through the dtypes of results and of other inputs. */
static dti_nearness nearness_of(const dti_trial *at)
{
    dti_nearness out = {.length = MOST_TERMS};
    for (int i = 0; i < at->input_count; i++)
        if (dti_input_has_gradient(&at->inputs[i]))
            out.rounding =
                fmax(out.rounding, dti_epsilon_of(at->inputs[i].meta.dtype));
    for (int i = 0; i < at->result_count; i++)
        if (dti_dtype_has_gradient(at->results[i].dtype))
            out.rounding =
                fmax(out.rounding, dti_epsilon_of(at->results[i].dtype));
    return out;
}

static void try_pass(dti_run *on, const dt_layout *layouts, dt_variant form)
{
    const char *kind =
        form == DT_VARIANT_IN_PLACE ? "gradients in place" : "gradients";
    dt_scope *scope = dt_scope_open(on->with->world);
    on->how = nearness_of(&on->trial);
    dti_run_begin(on, layouts, kind);
    dti_run_settle(on, check_pass(on, layouts, form), layouts, kind);
    DT_IGNORE(dt_scope_close(scope));
}

/* Tell whether to try these layouts. */
static bool is_wanted(dti_run *on)
{
    if (!is_differentiable(&on->trial) ||
        (!on->full && dti_run_draw(on, TIMES_FEWER) != 0))
        return false;
    if (!on->gradients.known)
        dti_trial_gradients(&on->trial, &on->gradients);
    if (on->gradients.status == DT_OK)
        return true;
    /* Without memory, the run ends: others compare gradients.  What else fails
     * on one rank is reported of that. */
    if (on->gradients.status == DT_ERR_NO_MEMORY)
        dti_run_end(on, DT_ERR_NO_MEMORY);
    else
        (void)dti_run_ended(on);
    return false;
}

/* Of calls that can be in place, one half is, or all are tried in both forms.
 */
void dti_run_check_gradients(dti_run *on, const dt_layout *layouts)
{
    /* The other cases are the same, whatever is drawn here. */
    const unsigned long long random = on->random;
    if (is_wanted(on)) {
        const bool may = dti_trial_has_form(&on->trial, DT_VARIANT_IN_PLACE);
        const bool in_place = may && (on->full || dti_run_draw(on, 2));
        if (!in_place || on->full)
            try_pass(on, layouts, DT_VARIANT_NEW);
        if (in_place)
            try_pass(on, layouts, DT_VARIANT_IN_PLACE);
    }
    on->random = random;
}
