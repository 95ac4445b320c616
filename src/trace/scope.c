/* trace/scope.c - scopes with options; here, because a budget watches calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/handles.h"
#include "base/options.h"
#include "trace/budget.h"

dt_scope *dt_scope_open_with(dt_world *world, const dt_scope_options *options)
{
    DTI_ENTRY();
    dt_scope_options usual = DT_SCOPE_OPTIONS_INIT;
    dti_scope_rules rules;
    dti_budget *budget = NULL;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_SCOPE_OPTIONS_INIT");
    if (!options || dti_scope_resolve(world, options, &rules) != DT_OK)
        return NULL;
    if (options->budget) {
        if (dti_budget_create(world, options->budget, &budget) != DT_OK)
            return NULL;
        rules.budget = budget;
    }
    dt_scope *scope = dti_scope_open_under(world, &rules);
    if (scope && budget)
        dti_budget_adopt(world, budget);
    else if (budget)
        dti_budget_release(budget);
    return scope;
}
