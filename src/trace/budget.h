/* trace/budget.h - how much a scope may send. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TRACE_BUDGET_H
#define DTI_TRACE_BUDGET_H

#include <dtensor/trace.h>

#include "base/scope.h"

/* The limits of one scope, and what was used of them. */
typedef struct dti_budget dti_budget;

/* Read a budget; inside the one that holds, if there is one. */
dt_status dti_budget_create(dt_world *world, const char *text,
                            dti_budget **out);

/* Let the innermost scope own a budget. */
void dti_budget_adopt(dt_world *world, dti_budget *budget);

void dti_budget_release(dti_budget *budget);

/* Tell whether a budget holds. */
static inline bool dti_budget_holds(const dt_world *world)
{
    return world->scope->rules.budget != NULL;
}

/* Count a call against the budgets that hold.  DT_ERR_INVALID if one of them
 * does not allow it: nothing is counted then.  `origin` may be NULL. */
dt_status dti_budget_spend(dt_world *world, dt_collective kind,
                           size_t bytes_received, const char *origin);

#endif
