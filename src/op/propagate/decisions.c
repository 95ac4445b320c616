/* op/propagate/decisions.c - keeping what was decided. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "op/propagate/decision.h"

void dti_decisions_free(dti_map *decisions)
{
    size_t cursor = 0;
    for (dti_decision *one; (one = dti_map_next(decisions, &cursor));)
        dti_decision_free(one);
    dti_map_clear(decisions);
}

static bool decides(const void *value, const void *key)
{
    const dti_decision *one = value;
    const dti_request *request = key;
    if (one->op != request->op || one->variant != request->variant ||
        one->replicates != request->replicates ||
        one->input_count != request->input_count ||
        one->word_count != request->word_count)
        return false;
    for (int i = 0; i < one->input_count; i++) {
        const dt_tensor *tensor = request->inputs[i];
        if (one->inputs[i].given != (tensor ? tensor->spec : NULL))
            return false;
    }
    if (one->out != (request->out ? request->out->spec : NULL))
        return false;
    for (int i = 0; i < one->word_count; i++)
        if (one->words[i] != request->words[i])
            return false;
    return true;
}

/* Drop what was not used since the last time. */
static void sweep(dti_operators *all)
{
    size_t cursor = 0, least = all->sweep_at / 2;
    for (dti_decision *one; (one = dti_map_next(&all->decisions, &cursor));) {
        if (one->used) {
            one->used = false;
            continue;
        }
        dti_map_drop(&all->decisions, &cursor);
        dti_decision_free(one);
    }
    if (all->decisions.count > least)
        dti_decisions_free(&all->decisions);
}

/* What was decided by other costs is decided again: ranks that keep it longer
 * than others would differ from them. */
static void heed_costs(dti_operators *all, const dt_world *world)
{
    const dti_costs *costs = dti_costs_told(world);
    if (DTI_LIKELY(all->costs == costs))
        return;
    dti_decisions_free(&all->decisions);
    all->costs = costs;
}

dt_status dti_decide(dti_operators *all, const dti_request *request,
                     const dti_decision **out)
{
    heed_costs(all, request->world);
    dti_decision *one =
        dti_map_find(&all->decisions, request->hash, request, decides);
    if (DTI_LIKELY(one != NULL)) {
        all->hits++;
    } else {
        all->misses++;
        DTI_TRY(dti_decide_anew(request, &one));
        if (all->decisions.count >= all->sweep_at)
            sweep(all);
        if (dti_map_add(&all->decisions, request->hash, one) != DT_OK) {
            dti_decision_free(one);
            return dti_fail_memory(request->world, sizeof *one, "a decision");
        }
    }
    one->used = true;
    *out = one;
    return DT_OK;
}
