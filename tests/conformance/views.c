/* tests/conformance/views.c - what is written to views, and to what they view.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/bench.h"

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
    dt_tensor *all[1 + MAX_RESULTS];
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
static bool check_twin(bench *on, dt_tensor *many, dt_tensor *one, int written)
{
    dt_world *world = on->on->world;
    elements a = {0}, b = {0};
    dt_tensor *full = dt_full_tensor(many);
    if (!full)
        return fault(on, "%s", dt_world_error(world)->message);
    bool good = elements_read(world, dt_tensor_local(full), &a) &&
                elements_read(world, dt_tensor_local(one), &b) &&
                is_part(&a, &b, NULL, dt_world_rank(world), on->how);
    if (!good)
        fault(on, "after %s %d was written: %s", written ? "result" : "input",
              written ? written - 1 : 0, last_difference());
    elements_free(&a);
    elements_free(&b);
    return good;
}

static bool check_twins(bench *on, const side *many, const side *one,
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
static bool write_in_turn(bench *on, const side *many, const side *one)
{
    dt_world *world = on->on->world;
    bool good = true;
    for (int k = 0; k <= many->count; k++) {
        const int i = k % many->count;
        dt_status together = write_to(world, many->all[i]);
        if (together != DT_OK && together != DT_ERR_INVALID)
            return fault(on, "%s", dt_world_error(world)->message);
        if (together == DT_OK && write_to(world, one->all[i]) != DT_OK)
            return fault(on, "one rank refuses to write %d: %s", i,
                         dt_world_error(world)->message);
        good &= check_twins(on, many, one, i);
    }
    return good;
}

/* Make the call with tensors on one side. */
static dt_status make_side(bench *on, dt_tensor *const *inputs, side *out)
{
    int count = 0;
    out->all[0] = inputs[0];
    dt_status status =
        trial_call(on->at, DT_VARIANT_NEW, inputs, out->all + 1, &count);
    out->count = 1 + (count < MAX_RESULTS ? count : MAX_RESULTS);
    return status;
}

/* Give both sides the inputs that lie so; false with a fault. */
static bool place_inputs(bench *on, const dt_layout *layouts, dt_tensor **many,
                         dt_tensor **one)
{
    bool good = true;
    for (int i = 0; i < on->at->input_count; i++) {
        many[i] = place_input(on, &on->at->inputs[i], &layouts[i], false);
        one[i] = many[i] ? dt_clone(dt_full_tensor(many[i])) : NULL;
        good &= one[i] || !on->at->inputs[i].present;
    }
    return good;
}

void check_views(bench *on, const dt_layout *layouts)
{
    dt_tensor *many[MAX_INPUTS], *one[MAX_INPUTS];
    side there, here;
    if (!(on->at->op->op->flags & DT_OP_VIEW) || on->at->status != DT_OK)
        return;
    dt_scope *scope = dt_scope_open(on->on->world);
    on->how = trial_nearness(on->at, layouts);
    on->how.exact = false; /* what is written may become partial */
    trial_show(on->at, on->mesh, layouts, current_case, sizeof current_case);
    bool good = place_inputs(on, layouts, many, one);
    /* What is never redistributed may refuse layouts. */
    if (good && make_side(on, many, &there) == DT_OK)
        good = (make_side(on, one, &here) == DT_OK && there.count == here.count)
                   ? write_in_turn(on, &there, &here)
                   : fault(on, "one rank refuses what the mesh does not");
    settle(on, good, layouts, "written views");
    DT_IGNORE(dt_scope_close(scope));
}
