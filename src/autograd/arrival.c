/* autograd/arrival.c - complete gradients on their way to leaves. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/arrival.h"

#include <stdlib.h>

#include "autograd/call.h"
#include "base/error.h"
#include "base/scope.h"

/* The bytes of gradients under way from which on the oldest is waited for.
 * Until then a leaf needs memory for what it has and for what arrives. */
#define UNDER_WAY_BYTES ((int64_t)64 << 20)

/* ---- Reducers ----------------------------------------------------------- */

static bool is_known(const dti_arrivals *at, const dt_reducer *reducer)
{
    for (int i = 0; i < at->reducer_count; i++)
        if (at->reducers[i].finish == reducer->finish &&
            at->reducers[i].arg == reducer->arg)
            return true;
    return false;
}

/* Remember to finish a reducer. */
static dt_status note_reducer(dti_arrivals *at, const dt_reducer *reducer)
{
    const size_t bytes = ((size_t)at->reducer_count + 1) * sizeof *reducer;
    if (is_known(at, reducer))
        return DT_OK;
    dt_reducer *more = realloc(at->reducers, bytes);
    if (!more)
        return dti_fail_memory(at->world, bytes, "a backward pass");
    at->reducers = more;
    at->reducers[at->reducer_count++] = *reducer;
    return DT_OK;
}

/* Failures of a program's functions may have left no message. */
static dt_status check_function(dt_world *world, dt_status status,
                                const char *function)
{
    if (status == DT_OK || world->scope->first.code != DT_OK)
        return status;
    return dti_fail(world, status, "`%s` of a reducer failed with %s", function,
                    dt_status_name(status));
}

/* Gradients of earlier passes that were not reduced are taken as well. */
static dt_status take(dti_arrivals *at, dti_node *node, dt_tensor *gradient)
{
    dti_leaf *leaf = node->leaf;
    DTI_TRY(note_reducer(at, &leaf->reducer));
    if (dti_leaf_is_unreduced(leaf)) {
        DTI_TRY(dti_call_add(leaf->grad, gradient, &gradient));
        leaf->taken = true;
        leaf->next_arrival = at->taken;
        at->taken = node;
    }
    return check_function(
        at->world,
        leaf->reducer.take(gradient, leaf->reducer_arg, leaf->reducer.arg),
        "take");
}

static dt_status finish_reducers(dti_arrivals *at, dt_status status)
{
    for (int i = 0; i < at->reducer_count; i++) {
        const dt_reducer *reducer = &at->reducers[i];
        if (!reducer->finish)
            continue;
        const dt_status end = check_function(
            at->world, reducer->finish(status, reducer->arg), "finish");
        if (status == DT_OK)
            status = end;
    }
    free(at->reducers);
    for (dti_node *node = at->taken; node; node = node->leaf->next_arrival)
        node->leaf->taken = false;
    return status;
}

/* ---- Gradients under way ------------------------------------------------ */

static int64_t bytes_of(const dti_leaf *leaf)
{
    const dt_meta *meta = &leaf->spec->meta;
    return dt_shape_count(meta->shape) * (int64_t)dt_dtype_size(meta->dtype);
}

static void put(dti_arrivals *at, dti_node *leaf)
{
    leaf->leaf->next_arrival = NULL;
    if (at->last)
        at->last->leaf->next_arrival = leaf;
    else
        at->first = leaf;
    at->last = leaf;
    at->bytes += bytes_of(leaf->leaf);
}

/* Wait for the oldest and add it. */
static dt_status end_oldest(dti_arrivals *at)
{
    dti_node *leaf = at->first;
    at->first = leaf->leaf->next_arrival;
    if (!at->first)
        at->last = NULL;
    at->bytes -= bytes_of(leaf->leaf);
    const bool well = at->world->scope->first.code == DT_OK;
    const dt_status status = dti_leaf_end(leaf);
    if (status != DT_OK && well)
        at->failed = leaf;
    return status;
}

dt_status dti_arrive(dti_arrivals *at, dti_node *leaf, dt_tensor *gradient)
{
    if (leaf->leaf->reducer.take && !at->unreduced)
        return take(at, leaf, gradient);
    DTI_TRY(dti_leaf_begin(leaf, gradient, !at->synchronous, at->unreduced));
    if (at->synchronous)
        return dti_leaf_end(leaf);
    put(at, leaf);
    while (at->bytes > UNDER_WAY_BYTES && at->first != at->last)
        DTI_TRY(end_oldest(at));
    return DT_OK;
}

dt_status dti_arrivals_end(dti_arrivals *at, dt_status status)
{
    while (at->first) {
        const dt_status one = end_oldest(at);
        if (status == DT_OK)
            status = one;
    }
    return finish_reducers(at, status);
}
