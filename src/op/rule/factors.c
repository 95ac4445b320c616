/* op/rule/factors.c - a rule applied to the tensors of one call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "op/rule/rule.h"

/* What is known while a rule is applied.  Dimensions that "..." stands for are
 * numbered so that the last of all tensors are the same. */
typedef struct applying {
    const dti_rule *rule;
    const dti_schema *schema;
    const dt_operation *operation;
    dt_factors *out;
    int letters[26];          /* factor of each letter; -1: none */
    int spread;               /* most dimensions that a "..." stands for */
    int spreads[DT_MAX_NDIM]; /* their factors */
    bool gone[DT_MAX_NDIM];   /* of these: no result has it */
} applying;

/* ---- Tensors and their items -------------------------------------------- */

/* The number of a tensor parameter's first tensor; lists before it count. */
static int first_slot(const applying *a, int tensor)
{
    int slot = 0;
    for (int i = 0; i < tensor; i++) {
        const dt_argument *argument =
            &a->operation->arguments[a->schema->tensors[i]];
        slot += argument->kind == DT_ARG_TENSORS ? argument->count : 1;
    }
    return slot;
}

/* What a tensor parameter holds, the first of a list; NULL if it is absent. */
static const dt_meta *input_meta(const applying *a, int tensor)
{
    int slot = first_slot(a, tensor);
    return slot < a->operation->input_count ? a->operation->metas[slot] : NULL;
}

static int spread_of(const dti_rule_item *item, int ndim)
{
    return item->ellipsis < 0 ? 0 : ndim - item->count;
}

static dt_status check_ndim(const applying *a, int tensor)
{
    const dti_rule_item *item = &a->rule->in[tensor];
    const dt_meta *meta = input_meta(a, tensor);
    if (!meta)
        return DT_OK;
    int ndim = meta->shape.ndim;
    if (item->ellipsis < 0 ? ndim == item->count : ndim >= item->count)
        return DT_OK;
    return dt_operation_fail(
        a->operation, DT_ERR_INVALID, "%s has %d dimensions; expected %s%d",
        a->schema->parameters[a->schema->tensors[tensor]].name, ndim,
        item->ellipsis < 0 ? "" : "at least ", item->count);
}

/* The place of a dimension: an entry of the item, or -1 and which of "...". */
static int entry_of(const dti_rule_item *item, int ndim, int dim, int *spread)
{
    int wide = spread_of(item, ndim);
    if (item->ellipsis < 0 || dim < item->ellipsis)
        return dim;
    if (dim >= item->ellipsis + wide)
        return dim - wide;
    *spread = dim - item->ellipsis;
    return -1;
}

/* ---- Sizes -------------------------------------------------------------- */

static int add_factor(applying *a)
{
    dt_factors *out = a->out;
    assert(out->count < DT_MAX_FACTORS);
    out->factors[out->count] =
        (dt_factor){.size = 1, .kind = DT_FACTOR_FREE, .reduce = DT_SUM};
    return out->count++;
}

/* An extent that is not broadcast is the factor's. */
static void see_size(applying *a, int factor, int64_t extent)
{
    if (a->out->factors[factor].size == 1)
        a->out->factors[factor].size = extent;
}

static int letter_factor(applying *a, char letter)
{
    int *factor = &a->letters[letter - 'a'];
    if (*factor < 0)
        *factor = add_factor(a);
    return *factor;
}

static void see_tensor(applying *a, const dti_rule_item *item,
                       const dt_meta *meta)
{
    int ndim = meta->shape.ndim;
    for (int d = 0, spread = 0; d < ndim; d++) {
        int entry = entry_of(item, ndim, d, &spread);
        if (entry < 0) {
            int at = a->spread - spread_of(item, ndim) + spread;
            see_size(a, a->spreads[at], meta->shape.dims[d]);
            continue;
        }
        for (int i = 0; i < item->dims[entry].count; i++) {
            int factor = letter_factor(a, item->dims[entry].letters[i]);
            if (item->dims[entry].count == 1)
                see_size(a, factor, meta->shape.dims[d]);
        }
    }
}

static void see_inputs(applying *a)
{
    for (int t = 0; t < a->rule->in_count; t++) {
        const dt_meta *meta = input_meta(a, t);
        int wide = meta ? spread_of(&a->rule->in[t], meta->shape.ndim) : 0;
        a->spread = wide > a->spread ? wide : a->spread;
    }
    for (int i = 0; i < a->spread; i++)
        a->spreads[i] = add_factor(a);
    for (int t = 0; t < a->rule->in_count; t++)
        if (input_meta(a, t))
            see_tensor(a, &a->rule->in[t], input_meta(a, t));
}

/* ---- Marks -------------------------------------------------------------- */

static void mark_factor(applying *a, int factor, const dti_mark *mark)
{
    a->out->factors[factor].kind = mark->kind;
    a->out->factors[factor].reduce = mark->reduce;
}

static void mark_dim(applying *a, const dti_mark *mark, int64_t dim)
{
    const dti_rule_item *item = &a->rule->in[0];
    int ndim = a->operation->metas[0]->shape.ndim, spread = 0;
    if (dim < 0)
        dim += ndim;
    if (dim < 0 || dim >= ndim)
        return; /* of a 0-d tensor */
    int entry = entry_of(item, ndim, (int)dim, &spread);
    if (entry < 0) {
        int at = a->spread - spread_of(item, ndim) + spread;
        mark_factor(a, a->spreads[at], mark);
        a->gone[at] |= mark->gone;
    } else {
        for (int i = 0; i < item->dims[entry].count; i++)
            mark_factor(a, letter_factor(a, item->dims[entry].letters[i]),
                        mark);
    }
}

/* Dimensions that an argument names; an empty list names all of them. */
static void apply_argument_mark(applying *a, const dti_mark *mark)
{
    const dt_argument *argument = &a->operation->arguments[mark->parameter];
    if (argument->kind == DT_ARG_INTEGER)
        mark_dim(a, mark, argument->as.integer);
    for (int i = 0; argument->kind == DT_ARG_INTEGERS && i < argument->count;
         i++)
        mark_dim(a, mark, argument->as.integers[i]);
    bool all = argument->kind == DT_ARG_NONE ||
               (argument->kind == DT_ARG_INTEGERS && argument->count == 0);
    for (int i = 0; all && i < a->operation->metas[0]->shape.ndim; i++)
        mark_dim(a, mark, i);
}

static bool item_has(const dti_rule_item *item, char letter)
{
    for (int d = 0; d < item->count; d++)
        for (int i = 0; i < item->dims[d].count; i++)
            if (item->dims[d].letters[i] == letter)
                return true;
    return false;
}

/* Letters that no result has are summed, if nothing else is said of them. */
static void apply_marks(applying *a)
{
    dti_mark summed = {.kind = DT_FACTOR_REDUCED, .reduce = DT_SUM};
    for (int l = 0; l < 26; l++) {
        bool given = false;
        for (int i = 0; i < a->rule->out_count; i++)
            given |= item_has(&a->rule->out[i], (char)('a' + l));
        if (a->letters[l] >= 0 && !given)
            mark_factor(a, a->letters[l], &summed);
    }
    for (int i = 0; i < a->rule->mark_count; i++) {
        const dti_mark *mark = &a->rule->marks[i];
        if (!mark->letter)
            apply_argument_mark(a, mark);
        else if (a->letters[mark->letter - 'a'] >= 0)
            mark_factor(a, a->letters[mark->letter - 'a'], mark);
    }
}

/* ---- Maps --------------------------------------------------------------- */

/* A dimension has a factor unless it is broadcast; a factor that is whole may
 * have another extent in each tensor. */
static void put_factor(const applying *a, dt_factor_dim *dim, int factor,
                       int64_t extent, bool alone)
{
    const dt_factor *at = &a->out->factors[factor];
    if (alone && extent != at->size && at->kind != DT_FACTOR_WHOLE)
        return;
    dim->factors[dim->count++] = factor;
}

static void put_letters(const applying *a, const dti_rule_item *item, int entry,
                        int64_t extent, dt_factor_dim *dim)
{
    for (int i = 0; i < item->dims[entry].count; i++)
        put_factor(a, dim, a->letters[item->dims[entry].letters[i] - 'a'],
                   extent, item->dims[entry].count == 1);
}

/* `spreads` are the factors of what "..." stands for here; -1: none. */
static void put_map(const applying *a, const dti_rule_item *item,
                    const dt_meta *meta, const int *spreads, dt_factor_map *map)
{
    memset(map, 0, sizeof *map);
    for (int d = 0, spread = 0; d < meta->shape.ndim; d++) {
        int entry = entry_of(item, meta->shape.ndim, d, &spread);
        if (entry >= 0)
            put_letters(a, item, entry, meta->shape.dims[d], &map->dims[d]);
        else if (spreads[spread] >= 0)
            put_factor(a, &map->dims[d], spreads[spread], meta->shape.dims[d],
                       true);
    }
}

static void map_input(const applying *a, int tensor, dt_factor_map *map)
{
    const dt_meta *meta = input_meta(a, tensor);
    const dti_rule_item *item = &a->rule->in[tensor];
    memset(map, 0, sizeof *map);
    if (meta)
        put_map(a, item, meta,
                a->spreads + a->spread - spread_of(item, meta->shape.ndim),
                map);
}

/* What "..." stands for in a result: all dimensions, those that are gone being
 * of extent 1; or those that are left.  False if it is neither. */
static bool result_spreads(const applying *a, int wide, int *out)
{
    int left = 0;
    for (int i = 0; i < a->spread; i++)
        left += !a->gone[i];
    if (wide != a->spread && wide != left)
        return false;
    for (int i = 0, at = 0; i < a->spread; i++)
        if (wide == a->spread)
            out[i] = a->gone[i] ? -1 : a->spreads[i];
        else if (!a->gone[i])
            out[at++] = a->spreads[i];
    return true;
}

static dt_status map_result(const applying *a, int result, dt_factor_map *map)
{
    const dti_rule_item *item = &a->rule->out[result];
    const dt_meta *meta = &a->operation->results[result];
    int spreads[DT_MAX_NDIM];
    int wide = spread_of(item, meta->shape.ndim);
    bool fits = item->ellipsis < 0
                    ? meta->shape.ndim == item->count
                    : wide >= 0 && result_spreads(a, wide, spreads);
    if (!fits)
        return dt_operation_fail(a->operation, DT_ERR_INVALID,
                                 "result %d has %d dimensions, which does not "
                                 "match the sharding rule",
                                 result, meta->shape.ndim);
    put_map(a, item, meta, spreads, map);
    return DT_OK;
}

dt_status dti_rule_apply(const dti_rule *rule, const dti_schema *schema,
                         const dt_operation *operation, dt_factors *out)
{
    applying a = {
        .rule = rule, .schema = schema, .operation = operation, .out = out};
    memset(out, 0, sizeof *out);
    memset(a.letters, -1, sizeof a.letters);
    for (int t = 0; t < rule->in_count; t++)
        DTI_TRY(check_ndim(&a, t));
    see_inputs(&a);
    for (int i = 0; i < rule->out_count && i < operation->result_count; i++)
        for (int d = 0; d < rule->out[i].count; d++)
            for (int l = 0; l < rule->out[i].dims[d].count; l++)
                letter_factor(&a, rule->out[i].dims[d].letters[l]);
    apply_marks(&a);
    out->in_count = rule->in_count;
    for (int t = 0; t < rule->in_count; t++)
        map_input(&a, t, &out->in[t]);
    out->out_count = rule->out_count;
    for (int i = 0; i < rule->out_count && i < operation->result_count; i++)
        DTI_TRY(map_result(&a, i, &out->out[i]));
    return DT_OK;
}
