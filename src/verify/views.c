/* verify/views.c - what is written to views, and to what they view.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/run.h"

/*
 * The call is made twice, with tensors on the mesh and with the same on this
 * rank alone, where every view shares memory.  Then its results and its first
 * tensor are written in turn, on both sides, and after each write all of them
 * must be the same on both.  What is written is the tensor itself with its
 * dimensions turned round, so that elements stay different.
 */

/* The tensors of one side: the first input, then the results. */
typedef struct side {
    int count;
    dt_tensor *all[1 + DTI_TRIAL_RESULTS];
} side;

static dt_tensor *turned_round(dt_tensor *tensor)
{
    int64_t dims[DT_MAX_NDIM];
    const int ndim = dt_tensor_ndim(tensor);
    for (int i = 0; i < ndim; i++)
        dims[i] = i;
    return dt_flip(tensor, dims, ndim);
}

static dt_status write_to(dt_world *world, dt_tensor *tensor)
{
    dt_tensor *values = turned_round(tensor);
    if (values && dt_copy_(tensor, values))
        return DT_OK;
    return dt_world_error(world)->code;
}

/* Compare a tensor with its twin on this rank. */
static bool check_twin(dti_run *on, dt_tensor *many, dt_tensor *one,
                       int written)
{
    dt_world *world = on->with->world;
    dti_elements a = {0}, b = {0};
    dti_difference how = {""};
    dt_tensor *full = dt_full_tensor(many);
    if (!full)
        return dti_run_fault(on, "%s", dt_world_error(world)->message);
    bool good = dti_elements_read(world, dt_tensor_local(full), &a) &&
                dti_elements_read(world, dt_tensor_local(one), &b) &&
                dti_elements_match(&a, &b, NULL, 0, on->how, &how);
    if (!good)
        dti_run_fault(on, "after %s %d was written: %s",
                      written ? "result" : "input", written ? written - 1 : 0,
                      how.text);
    dti_elements_free(&a);
    dti_elements_free(&b);
    return good;
}

static bool check_twins(dti_run *on, const side *many, const side *one,
                        int written)
{
    bool good = true;
    for (int i = 0; i < many->count; i++)
        good &= check_twin(on, many->all[i], one->all[i], written);
    return good;
}

/* Write to each in turn; what is refused on the mesh is left alone on this
 * rank, and what is refused here must be refused there.  All ranks go on if one
 * finds a difference. */
static bool write_in_turn(dti_run *on, const side *many, const side *one)
{
    dt_world *world = on->with->world;
    bool good = true;
    for (int k = 0; k <= many->count; k++) {
        const int i = k % many->count;
        dt_status together = write_to(world, many->all[i]);
        if (together != DT_OK && together != DT_ERR_INVALID)
            return dti_run_fault(on, "%s", dt_world_error(world)->message);
        if (together == DT_OK && write_to(world, one->all[i]) != DT_OK)
            return dti_run_fault(on,
                                 "writing tensor %d fails on one rank only: %s",
                                 i, dt_world_error(world)->message);
        good &= check_twins(on, many, one, i);
    }
    return good;
}

/* Make the call with tensors on one side. */
static dt_status make_side(dti_run *on, dt_tensor *const *inputs, side *out)
{
    int count = 0;
    out->all[0] = inputs[0];
    dt_status status = dti_trial_call(&on->trial, DT_VARIANT_NEW, inputs,
                                      out->all + 1, &count);
    out->count = 1 + (count < DTI_TRIAL_RESULTS ? count : DTI_TRIAL_RESULTS);
    return status;
}

/* Give both sides the inputs that lie so; false with a fault. */
static bool place_inputs(dti_run *on, const dt_layout *layouts,
                         dt_tensor **many, dt_tensor **one)
{
    bool good = true;
    for (int i = 0; i < on->trial.input_count; i++) {
        many[i] = dti_run_place(on, &on->trial.inputs[i], &layouts[i], false);
        one[i] = many[i] ? dt_clone(dt_full_tensor(many[i])) : NULL;
        good &= one[i] || !on->trial.inputs[i].present;
    }
    return good;
}

void dti_run_check_views(dti_run *on, const dt_layout *layouts)
{
    dt_tensor *many[DTI_TRIAL_INPUTS], *one[DTI_TRIAL_INPUTS];
    side there, here;
    if (!(on->trial.op->op->flags & DT_OP_VIEW) || on->trial.status != DT_OK ||
        on->trial.input_count == 0 || !on->trial.inputs[0].present)
        return;
    dt_scope *scope = dt_scope_open(on->with->world);
    on->how = dti_trial_nearness(&on->trial, layouts);
    on->how.exact = false; /* what is written may become partial */
    dti_run_begin(on, layouts, "written views");
    bool good = place_inputs(on, layouts, many, one);
    /* What is never redistributed may refuse layouts. */
    if (good && make_side(on, many, &there) == DT_OK)
        good = (make_side(on, one, &here) == DT_OK && there.count == here.count)
                   ? write_in_turn(on, &there, &here)
                   : dti_run_fault(on, "the call fails on one rank, or returns "
                                       "another number of results");
    dti_run_settle(on, good, layouts, "written views");
    DT_IGNORE(dt_scope_close(scope));
}
