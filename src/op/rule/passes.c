/* op/rule/passes.c - which partial inputs pass in one call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/rule/rule.h"

#include "base/dtype.h"
#include "op/meta.h"

/* ---- Conditions --------------------------------------------------------- */

static bool has_float(const dt_operation *operation)
{
    bool found = !dti_is_whole(operation->results[0].dtype);
    for (int i = 0; i < operation->input_count; i++)
        found |=
            operation->metas[i] && !dti_is_whole(operation->metas[i]->dtype);
    return found;
}

bool dti_condition_holds(const dti_condition *condition,
                         const dt_operation *operation)
{
    const dt_argument *argument = &operation->arguments[condition->parameter];
    switch (condition->kind) {
    case DTI_IF_FLOAT:
        return has_float(operation) != condition->negated;
    case DTI_IF_ARGUMENT:
        return (argument->kind == DT_ARG_TENSOR ||
                (argument->kind == DT_ARG_INTEGER && argument->as.integer)) !=
               condition->negated;
    default:
        return true;
    }
}

/* ---- Conversions -------------------------------------------------------- */

/*
 * Sums pass from floats to floats and complex numbers.  Integers wrap around:
 * shorter ones keep the bits of the sum, longer ones and floats would not have
 * wrapped.  Bool is or-ed instead, and floats that become integers lose what
 * their sum does not.
 */
static bool is_linear(dt_dtype from, dt_dtype to)
{
    if (from == to)
        return true;
    if (!dti_is_whole(from))
        return !dti_is_whole(to);
    return dti_is_integer(from) && dti_is_integer(to) &&
           dt_dtype_size(to) <= dt_dtype_size(from);
}

/*
 * Everything keeps its order but integers that are truncated or change their
 * sign, and what becomes bool: -1 is less than 0.  Complex numbers have none.
 * NaN wins among floats, and is 0 among integers.
 */
static bool is_monotone(dt_dtype from, dt_dtype to)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(from);
    const dt_dtype_kind into = dt_dtype_kind_of(to);
    if (into == DT_KIND_COMPLEX)
        return false;
    if (into == DT_KIND_BOOLEAN)
        return kind == DT_KIND_BOOLEAN || kind == DT_KIND_UNSIGNED;
    if (kind == DT_KIND_FLOAT && dti_is_integer(to))
        return false;
    if (!dti_is_integer(from) || !dti_is_integer(to))
        return true;
    return dti_promote_types(from, to) == to;
}

/* Every reduction of floats passes to floats.  Products do not pass to complex
 * numbers, where infinity or NaN times 0i is NaN, nor from them, which lose
 * their imaginary parts. */
static bool is_same(dt_dtype from, dt_dtype to)
{
    return from == to || (dt_dtype_kind_of(from) == DT_KIND_FLOAT &&
                          dt_dtype_kind_of(to) == DT_KIND_FLOAT);
}

/* ---- Both --------------------------------------------------------------- */

void dti_passes_apply(const dti_passes *passes, const dti_schema *schema,
                      const dt_operation *operation, dt_factors *out)
{
    const dt_dtype to = operation->results[0].dtype;
    const int last = schema->tensor_count - 1;
    unsigned linear = 0;
    for (int i = 0; i < passes->term_count; i++)
        linear |= passes->terms[i];
    out->no_linear |= !dti_condition_holds(&passes->linear_if, operation);
    out->no_monotone |= !dti_condition_holds(&passes->monotone_if, operation);
    out->no_permutes |= !dti_condition_holds(&passes->permutes_if, operation);
    for (int i = 0; i < operation->input_count; i++) {
        const unsigned bit = 1u << (i < last ? i : last);
        if (!operation->metas[i])
            continue;
        const dt_dtype from = operation->metas[i]->dtype;
        out->converted |= is_linear(from, to) ? 0 : linear & bit;
        out->no_monotone |= (passes->increasing | passes->decreasing) & bit &&
                            !is_monotone(from, to);
        out->no_permutes |= passes->moved & bit && !is_same(from, to);
    }
}
