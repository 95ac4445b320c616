/* op/rule/factors.c - a rule applied to the tensors of one call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "op/rule/rule.h"

/* What the dimensions of a tensor are: entries of its item, or "...". */
typedef struct places {
    int wide;                 /* number of dimensions that "..." matches */
    int entries[DT_MAX_NDIM]; /* by dimension; -1: it is one of "..." */
    int spreads[DT_MAX_NDIM]; /* its number among those */
} places;

/* What is known while a rule is applied.  Dimensions that "..." stands for are
 * numbered so that the last of all tensors are the same. */
typedef struct applying {
    const dti_rule *rule;
    const dti_schema *schema;
    const dt_operation *operation;
    dt_factors *out;
    places in[DT_MAX_FACTOR_MAPS];
    int letters[DTI_LETTERS]; /* factor of each letter; -1: none */
    bool sized[DTI_LETTERS]; /* its size is known from a dimension of its own */
    int spread;              /* most dimensions that a "..." stands for */
    int spreads[DT_MAX_NDIM]; /* their factors */
    bool gone[DT_MAX_NDIM];   /* of these: no result has it */
    bool narrows;             /* results may have only the last of these */
    unsigned reduced_in, reduced_out; /* tensors and results whose extents are 1
                                         where the kernel communicates */
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

/* The argument that says where an entry stands; NULL: the rule does. */
static const dt_argument *place_of(const applying *a, const dti_rule_item *item,
                                   int entry)
{
    for (int i = 0; item->ellipsis >= 0 && i < item->dims[entry].count; i++) {
        int parameter = a->rule->at[item->dims[entry].letters[i] - 'a'];
        if (parameter >= 0)
            return &a->operation->arguments[parameter];
    }
    return NULL;
}

/* Put an entry where its argument says.  That counts "..." and entries such as
 * this alone, `count` of them from dimension `first`. */
static bool put_entry_at(const dt_argument *at, int entry, int first, int count,
                         places *out)
{
    const int64_t dim = at->as.integer + (at->as.integer < 0 ? count : 0);
    if (dim < 0 || dim >= count || out->entries[first + dim] >= 0)
        return false;
    out->entries[first + dim] = entry;
    return true;
}

/*
 * Find out what each dimension is, if these entries (bits) are missing.
 * Entries with an argument of their own stand where that says; the others, and
 * "...", take the dimensions that are left, in order.  Example: in a 4-d tensor
 * "...ds" with "d at dim" and dim = 0 is d, two dimensions of "..." and s.
 */
static bool place(const applying *a, const dti_rule_item *item, int ndim,
                  unsigned missing, places *out)
{
    int present = 0, first = 0, fixed = 0, spread = 0;
    memset(out->entries, -1, sizeof out->entries);
    for (int e = 0; e < item->count; e++) {
        bool written = !(missing >> e & 1) && !place_of(a, item, e);
        present += !(missing >> e & 1);
        fixed += written;
        first += written && e < item->ellipsis;
    }
    out->wide = ndim - present;
    if (item->ellipsis < 0 ? out->wide != 0 : out->wide < 0)
        return false;
    for (int e = 0; e < item->count; e++)
        if (!(missing >> e & 1) && place_of(a, item, e)) {
            if (!put_entry_at(place_of(a, item, e), e, first, ndim - fixed,
                              out))
                return false;
            missing |= 1u << e;
        }
    for (int d = 0, e = 0; d < ndim; d++) {
        if (out->entries[d] >= 0)
            continue;
        while (missing >> e & 1)
            e++;
        if (spread < out->wide && e >= item->ellipsis)
            out->spreads[d] = spread++;
        else
            out->entries[d] = e++;
    }
    return true;
}

/* Leave out so many of the optional entries (bits), from the first; gives how
 * many are too many still. */
static int leave_out(const dti_rule_item *item, unsigned among, int count,
                     unsigned *missing)
{
    for (int e = 0; e < item->count && count > 0; e++)
        if (item->dims[e].optional && among >> e & 1 && !(*missing >> e & 1)) {
            *missing |= 1u << e;
            count--;
        }
    return count;
}

static dt_status place_input(applying *a, int tensor)
{
    const dti_rule_item *item = &a->rule->in[tensor];
    const dt_meta *meta = input_meta(a, tensor);
    unsigned missing = 0;
    if (!meta)
        return DT_OK;
    const int ndim = meta->shape.ndim;
    leave_out(item, ~0u, item->count - ndim, &missing);
    if (place(a, item, ndim, missing, &a->in[tensor]))
        return DT_OK;
    return dt_operation_fail(
        a->operation, DT_ERR_INVALID, "%s has %d dimensions; expected %s%d",
        a->schema->parameters[a->schema->tensors[tensor]].name, ndim,
        item->ellipsis < 0 ? "" : "at least ", item->count);
}

/* ---- Factors ------------------------------------------------------------ */

static int add_factor(applying *a)
{
    dt_factors *out = a->out;
    assert(out->count < DT_MAX_FACTORS);
    out->factors[out->count] =
        (dt_factor){.size = 1, .kind = DT_FACTOR_FREE, .reduce = DT_SUM};
    return out->count++;
}

static int letter_factor(applying *a, char letter)
{
    int *factor = &a->letters[letter - 'a'];
    if (*factor < 0)
        *factor = add_factor(a);
    return *factor;
}

static int spread_factor(const applying *a, const places *at, int dim)
{
    return a->spreads[a->spread - at->wide + at->spreads[dim]];
}

/* An extent that is not broadcast is the factor's. */
static void see_size(applying *a, int factor, int64_t extent)
{
    if (a->out->factors[factor].size == 1)
        a->out->factors[factor].size = extent;
}

static void see_entry(applying *a, const dti_rule_item *item, int entry,
                      int64_t extent)
{
    for (int i = 0; i < item->dims[entry].count; i++) {
        char letter = item->dims[entry].letters[i];
        int factor = letter_factor(a, letter);
        if (item->dims[entry].count > 1)
            continue;
        see_size(a, factor, extent);
        a->sized[letter - 'a'] = true;
    }
}

static void see_input(applying *a, int tensor)
{
    const dt_meta *meta = input_meta(a, tensor);
    const places *at = &a->in[tensor];
    for (int d = 0; meta && d < meta->shape.ndim; d++)
        if (at->entries[d] < 0)
            see_size(a, spread_factor(a, at, d), meta->shape.dims[d]);
        else
            see_entry(a, &a->rule->in[tensor], at->entries[d],
                      meta->shape.dims[d]);
}

/* Tell whether all of a tensor's dimensions may be missing. */
static bool is_optional(const dti_rule_item *item)
{
    bool all = item->ellipsis < 0;
    for (int e = 0; e < item->count; e++)
        all &= item->dims[e].optional;
    return all;
}

/* Factors are numbered in the order of the inputs, which decides among equal
 * costs; those that a tensor is broadcast to come from the others. */
static void see_inputs(applying *a)
{
    for (int t = 0; t < a->rule->in_count; t++)
        if (input_meta(a, t) && a->in[t].wide > a->spread)
            a->spread = a->in[t].wide;
    for (int i = 0; i < a->spread; i++)
        a->spreads[i] = add_factor(a);
    for (int t = 0; t < a->rule->in_count; t++)
        if (!is_optional(&a->rule->in[t]))
            see_input(a, t);
    for (int t = 0; t < a->rule->in_count; t++)
        if (is_optional(&a->rule->in[t]))
            see_input(a, t);
}

/* The size of the only letter in brackets that no dimension has alone: of c in
 * "(gc)" if g is known. */
static void divide_entry(applying *a, const dti_rule_item *item, int entry,
                         int64_t extent)
{
    int unknown = -1;
    int64_t known = 1;
    for (int i = 0; i < item->dims[entry].count; i++) {
        int letter = item->dims[entry].letters[i] - 'a';
        if (a->sized[letter])
            known *= a->out->factors[a->letters[letter]].size;
        else if (unknown < 0)
            unknown = letter;
        else
            return;
    }
    if (unknown < 0 || known == 0 || extent % known != 0)
        return;
    a->out->factors[a->letters[unknown]].size = extent / known;
    a->sized[unknown] = true;
}

/* ---- Marks -------------------------------------------------------------- */

static void mark_factor(applying *a, int factor, const dti_mark *mark)
{
    dt_factor *to = &a->out->factors[factor];
    if (mark->says & DTI_SAYS_KIND) {
        to->kind = mark->kind;
        to->reduce = mark->reduce;
        to->exchanges = mark->says & DTI_SAYS_EXCHANGES;
    }
    to->others_whole |= (mark->says & DTI_SAYS_ALONE) != 0;
    if (mark->calls)
        to->calls = mark->calls;
}

static void mark_dim(applying *a, const dti_mark *mark, int64_t dim)
{
    const dti_rule_item *item = &a->rule->in[0];
    const places *at = &a->in[0];
    int ndim = a->operation->metas[0]->shape.ndim;
    if (dim < 0)
        dim += ndim;
    if (dim < 0 || dim >= ndim)
        return; /* of a 0-d tensor */
    int entry = at->entries[dim];
    if (entry < 0) {
        mark_factor(a, spread_factor(a, at, (int)dim), mark);
        a->gone[a->spread - at->wide + at->spreads[dim]] |=
            (mark->says & DTI_SAYS_GONE) != 0;
        return;
    }
    for (int i = 0; i < item->dims[entry].count; i++)
        mark_factor(a, letter_factor(a, item->dims[entry].letters[i]), mark);
}

/* Results whose integer is 0 are not computed, and replicated. */
static void select_results(applying *a, const dt_argument *argument)
{
    for (int i = 0; i < argument->count && i < DT_MAX_FACTOR_MAPS; i++)
        if (!argument->as.integers[i])
            a->out->whole |= 1u << i;
}

/* Dimensions that an argument names.  An empty list of Dims names all of them;
 * a Shape names as many of the last ones as it has extents. */
static void mark_dims(applying *a, const dti_mark *mark)
{
    const dt_argument *argument = &a->operation->arguments[mark->number];
    const dti_type type = a->schema->parameters[mark->number].type;
    const int ndim = a->operation->metas[0]->shape.ndim;
    if (mark->says & DTI_SAYS_SELECTS) {
        select_results(a, argument);
        return;
    }
    if (argument->kind == DT_ARG_INTEGER)
        mark_dim(a, mark, argument->as.integer);
    for (int i = 0; argument->kind == DT_ARG_INTEGERS && i < argument->count;
         i++)
        mark_dim(a, mark,
                 type == DTI_TYPE_SHAPE ? ndim - 1 - i
                                        : argument->as.integers[i]);
    bool all = argument->kind == DT_ARG_NONE ||
               (type == DTI_TYPE_DIMS && argument->count == 0);
    for (int i = 0; all && i < ndim; i++)
        mark_dim(a, mark, i);
}

/* Tell whether all tensors with "..." have a dimension of it, equally long. */
static bool is_equal(const applying *a, int spread)
{
    for (int t = 0; t < a->rule->in_count; t++) {
        const dt_meta *meta = input_meta(a, t);
        const places *at = &a->in[t];
        if (!meta || a->rule->in[t].ellipsis < 0)
            continue;
        if (at->wide != a->spread)
            return false;
        for (int d = 0; d < meta->shape.ndim; d++)
            if (at->entries[d] < 0 && at->spreads[d] == spread &&
                meta->shape.dims[d] != a->out->factors[a->spreads[spread]].size)
                return false;
    }
    return true;
}

/* Tell whether a letter has one extent in all inputs. */
static bool is_letter_equal(const applying *a, int letter)
{
    for (int t = 0; t < a->rule->in_count; t++) {
        const dt_meta *meta = input_meta(a, t);
        for (int d = 0; meta && d < meta->shape.ndim; d++) {
            int entry = a->in[t].entries[d];
            if (entry >= 0 &&
                a->rule->in[t].dims[entry].letters[0] - 'a' == letter &&
                meta->shape.dims[d] != a->out->factors[a->letters[letter]].size)
                return false;
        }
    }
    return true;
}

static void mark_letter(applying *a, const dti_mark *mark)
{
    const int factor = a->letters[mark->number];
    if (factor < 0)
        return;
    mark_factor(a, factor, mark);
    if (mark->says & DTI_SAYS_EQUAL && !is_letter_equal(a, mark->number))
        a->out->factors[factor].kind = DT_FACTOR_WHOLE;
}

/* All that "..." stands for.  A tensor that is broadcast along a dimension
 * takes part in what is reduced: it is read as it is. */
static void mark_ellipsis(applying *a, const dti_mark *mark)
{
    a->narrows = true;
    for (int i = 0; i < a->spread; i++) {
        dt_factor *factor = &a->out->factors[a->spreads[i]];
        mark_factor(a, a->spreads[i], mark);
        factor->others_whole |= factor->kind == DT_FACTOR_REDUCED;
        if (mark->says & DTI_SAYS_EQUAL && !is_equal(a, i))
            factor->kind = DT_FACTOR_WHOLE;
    }
}

static void apply_mark(applying *a, const dti_mark *mark)
{
    switch (mark->target) {
    case DTI_TARGET_LETTER:
        mark_letter(a, mark);
        break;
    case DTI_TARGET_ELLIPSIS:
        mark_ellipsis(a, mark);
        break;
    case DTI_TARGET_DIMS:
        mark_dims(a, mark);
        break;
    case DTI_TARGET_TENSOR:
        if (mark->says & DTI_SAYS_UNREAD)
            a->out->unread |= 1u << first_slot(a, mark->number);
        if (mark->says & DTI_SAYS_REDUCED)
            a->reduced_in |= 1u << mark->number;
        break;
    case DTI_TARGET_RESULT:
        if (mark->says & DTI_SAYS_CONSTANT)
            a->out->constant |= 1u << mark->number;
        if (mark->says & DTI_SAYS_REDUCED)
            a->reduced_out |= 1u << mark->number;
        break;
    }
}

static bool item_has(const dti_rule_item *item, int letter)
{
    for (int d = 0; d < item->count; d++)
        for (int i = 0; i < item->dims[d].count; i++)
            if (item->dims[d].letters[i] - 'a' == letter)
                return true;
    return false;
}

/* Letters that no result has are summed, if nothing else is said of them. */
static void apply_marks(applying *a)
{
    const dti_mark summed = {.says = DTI_SAYS_KIND, .kind = DT_FACTOR_REDUCED};
    for (int l = 0; l < DTI_LETTERS; l++) {
        bool given = false;
        for (int i = 0; i < a->rule->out_count; i++)
            given |= item_has(&a->rule->out[i], l);
        if (a->letters[l] >= 0 && !given)
            mark_factor(a, a->letters[l], &summed);
    }
    for (int i = 0; i < a->rule->mark_count; i++)
        if (dti_condition_holds(&a->rule->marks[i].condition, a->operation))
            apply_mark(a, &a->rule->marks[i]);
}

/* ---- Results ------------------------------------------------------------ */

/* Optional entries that no input has. */
static unsigned unseen(const applying *a, const dti_rule_item *item)
{
    unsigned out = 0;
    for (int e = 0; e < item->count; e++)
        if (a->letters[item->dims[e].letters[0] - 'a'] < 0)
            out |= 1u << e;
    return out;
}

/* What a result's dimensions are, if "..." stands for `wide` of them. */
static bool place_as_wide(const applying *a, const dti_rule_item *item,
                          int ndim, int wide, places *out)
{
    unsigned missing = 0;
    int extra = item->count - (ndim - wide);
    extra = leave_out(item, unseen(a, item), extra, &missing);
    extra = leave_out(item, ~0u, extra, &missing);
    return extra == 0 && place(a, item, ndim, missing, out);
}

static int count_left(const applying *a)
{
    int left = 0;
    for (int i = 0; i < a->spread; i++)
        left += !a->gone[i];
    return left;
}

/* In a result "..." stands for all dimensions that it stands for elsewhere,
 * those that are gone being of extent 1; or for those that are left; or for
 * the last of them, or more, which are broadcast. */
static bool place_result(const applying *a, const dti_rule_item *item, int ndim,
                         places *out)
{
    int wide = ndim - item->count;
    if (item->ellipsis < 0)
        return place_as_wide(a, item, ndim, 0, out);
    return place_as_wide(a, item, ndim, a->spread, out) ||
           place_as_wide(a, item, ndim, count_left(a), out) ||
           ((a->narrows || wide > a->spread) && wide >= 0 &&
            place(a, item, ndim, 0, out));
}

/* The factor of a dimension that "..." stands for in a result; -1: none. */
static int result_spread(const applying *a, const places *at, int dim)
{
    int number = at->spreads[dim];
    if (at->wide == a->spread)
        return a->gone[number] ? -1 : a->spreads[number];
    if (at->wide != count_left(a)) {
        number += a->spread - at->wide;
        return number < 0 ? -1 : a->spreads[number];
    }
    for (int i = 0; i < a->spread; i++)
        if (!a->gone[i] && number-- == 0)
            return a->spreads[i];
    return -1;
}

/* ---- Maps --------------------------------------------------------------- */

/* A dimension has a factor unless it is broadcast; a factor that is whole may
 * have another extent in each tensor. */
static void put_factor(const applying *a, dt_factor_dim *dim, int factor,
                       int64_t extent, bool reduced)
{
    const dt_factor *at = &a->out->factors[factor];
    if (reduced && at->kind == DT_FACTOR_INSIDE)
        return;
    if (extent == at->size || at->kind == DT_FACTOR_WHOLE)
        dim->factors[dim->count++] = factor;
}

/* Letters in brackets, if they make up the extent.  Those of size 1 say
 * nothing, unless all are. */
static void put_group(const applying *a, const dti_rule_item *item, int entry,
                      int64_t extent, dt_factor_dim *dim)
{
    const int count = item->dims[entry].count;
    int64_t product = 1;
    for (int i = 0; i < count; i++) {
        int factor = a->letters[item->dims[entry].letters[i] - 'a'];
        int64_t size = a->out->factors[factor].size;
        product *= size;
        if (size != 1 || (i == count - 1 && dim->count == 0))
            dim->factors[dim->count++] = factor;
    }
    if (product != extent)
        dim->count = 0;
}

static void put_entry(const applying *a, const dti_rule_item *item, int entry,
                      int64_t extent, dt_factor_dim *dim)
{
    if (item->dims[entry].count > 1)
        put_group(a, item, entry, extent, dim);
    else
        put_factor(a, dim, a->letters[item->dims[entry].letters[0] - 'a'],
                   extent, false);
}

static void map_input(const applying *a, int tensor, dt_factor_map *map)
{
    const dt_meta *meta = input_meta(a, tensor);
    const places *at = &a->in[tensor];
    for (int d = 0; meta && d < meta->shape.ndim; d++)
        if (at->entries[d] < 0)
            put_factor(a, &map->dims[d], spread_factor(a, at, d),
                       meta->shape.dims[d], a->reduced_in >> tensor & 1);
        else
            put_entry(a, &a->rule->in[tensor], at->entries[d],
                      meta->shape.dims[d], &map->dims[d]);
}

static void map_result(const applying *a, int result, const places *at,
                       dt_factor_map *map)
{
    const dt_shape shape = a->operation->results[result].shape;
    for (int d = 0; d < shape.ndim; d++) {
        int spread = at->entries[d] < 0 ? result_spread(a, at, d) : -1;
        if (at->entries[d] >= 0)
            put_entry(a, &a->rule->out[result], at->entries[d], shape.dims[d],
                      &map->dims[d]);
        else if (spread >= 0)
            put_factor(a, &map->dims[d], spread, shape.dims[d],
                       a->reduced_out >> result & 1);
    }
}

/* The results of a list have one map: a dimension that is not equally long in
 * all of them has no factor. */
static void compare_list(const dt_operation *operation, int last,
                         dt_factor_map *map)
{
    const dt_shape shape = operation->results[last].shape;
    for (int i = last + 1; i < operation->result_count; i++)
        for (int d = 0; d < shape.ndim; d++)
            if (operation->results[i].shape.dims[d] != shape.dims[d])
                map->dims[d].count = 0;
}

/* Letters that no input has alone have the size that a result says. */
static void see_result(applying *a, int result, const places *at)
{
    const dt_shape shape = a->operation->results[result].shape;
    const dti_rule_item *item = &a->rule->out[result];
    for (int d = 0; d < shape.ndim; d++) {
        int entry = at->entries[d];
        if (entry >= 0 && !(item->dims[entry].count == 1 &&
                            a->sized[item->dims[entry].letters[0] - 'a']))
            see_entry(a, item, entry, shape.dims[d]);
    }
}

static void divide_groups(applying *a, const dti_rule_item *item,
                          const dt_meta *meta, const places *at)
{
    for (int d = 0; meta && d < meta->shape.ndim; d++)
        if (at->entries[d] >= 0)
            divide_entry(a, item, at->entries[d], meta->shape.dims[d]);
}

static dt_status place_results(const applying *a, int count, places *out)
{
    for (int i = 0; i < count; i++) {
        const int ndim = a->operation->results[i].shape.ndim;
        if (!place_result(a, &a->rule->out[i], ndim, &out[i]))
            return dt_operation_fail(a->operation, DT_ERR_INVALID,
                                     "result %d has %d dimensions, which does "
                                     "not match the sharding rule",
                                     i, ndim);
    }
    return DT_OK;
}

/* Letters of results have factors, unless they are optional and no input has
 * them. */
static void add_letters(applying *a, int results)
{
    for (int i = 0; i < results; i++) {
        const dti_rule_item *item = &a->rule->out[i];
        for (int d = 0; d < item->count; d++)
            for (int l = 0; !item->dims[d].optional && l < item->dims[d].count;
                 l++)
                letter_factor(a, item->dims[d].letters[l]);
    }
}

static bool map_has(const dt_factor_map *map, int ndim, int factor)
{
    for (int d = 0; d < ndim; d++)
        for (int i = 0; i < map->dims[d].count; i++)
            if (map->dims[d].factors[i] == factor)
                return true;
    return false;
}

/* What all results have is not reduced, whatever a mark says: a loss has all
 * dimensions, or none of them. */
static void free_factors(applying *a, int results)
{
    for (int f = 0; f < a->out->count; f++) {
        bool everywhere = true;
        for (int i = 0; i < results; i++)
            everywhere &= map_has(&a->out->out[i],
                                  a->operation->results[i].shape.ndim, f);
        if (everywhere && a->out->factors[f].kind == DT_FACTOR_REDUCED)
            a->out->factors[f].kind = DT_FACTOR_FREE;
    }
}

dt_status dti_rule_apply(const dti_rule *rule, const dti_schema *schema,
                         const dt_operation *operation, dt_factors *out)
{
    applying a = {
        .rule = rule, .schema = schema, .operation = operation, .out = out};
    places results[DT_MAX_FACTOR_MAPS];
    const int count = rule->out_count < operation->result_count
                          ? rule->out_count
                          : operation->result_count;
    memset(out, 0, sizeof *out);
    memset(a.letters, -1, sizeof a.letters);
    for (int t = 0; t < rule->in_count; t++)
        DTI_TRY(place_input(&a, t));
    see_inputs(&a);
    add_letters(&a, count);
    apply_marks(&a);
    DTI_TRY(place_results(&a, count, results));
    for (int i = 0; i < count; i++)
        see_result(&a, i, &results[i]);
    for (int t = 0; t < rule->in_count; t++)
        divide_groups(&a, &rule->in[t], input_meta(&a, t), &a.in[t]);
    for (int i = 0; i < count; i++)
        divide_groups(&a, &rule->out[i], &operation->results[i], &results[i]);
    out->in_count = rule->in_count;
    for (int t = 0; t < rule->in_count; t++)
        map_input(&a, t, &out->in[t]);
    out->out_count = rule->out_count;
    for (int i = 0; i < count; i++)
        map_result(&a, i, &results[i], &out->out[i]);
    free_factors(&a, count);
    if (schema->results == DTI_RESULT_LIST && count > 0)
        compare_list(operation, count - 1, &out->out[count - 1]);
    return DT_OK;
}
