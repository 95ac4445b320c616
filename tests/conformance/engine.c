/* tests/conformance/engine.c - trying one operator in many layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/reference.h"
#include "conformance/bench.h"

/* Cases of a sample with one size and dtype on one mesh, at most: as a rule, if
 * all are wanted, and if these are drawn. */
#define FEW_CASES 6
#define MANY_CASES 400
#define DRAWN_CASES 60
/* How often other inputs and elements are special, if all cases are wanted. */
#define TIMES_SPECIAL 4

/* ---- By dispatch -------------------------------------------------------- */

/* Tell whether the call failed as operators do whose inputs are not
 * redistributed. */
static bool is_strict(const bench *on, dt_status status)
{
    return on->at->op->op->flags & DT_OP_STRICT && status == DT_ERR_INVALID &&
           strstr(dt_world_error(on->on->world)->message, "must have layout");
}

/* What the call gives must be what one rank gives, failures included. */
static bool call_and_check(bench *on, dt_tensor *const *inputs)
{
    dt_tensor *results[MAX_RESULTS] = {NULL};
    int count = 0;
    dt_status status =
        trial_call(on->at, DT_VARIANT_NEW, inputs, results, &count);
    if (is_strict(on, status))
        return true;
    if (status != on->at->status)
        return fault(on, "%s, not %s: %s", dt_status_name(status),
                     dt_status_name(on->at->status),
                     dt_world_error(on->on->world)->message);
    return status != DT_OK || check_results(on, results, count);
}

static void check_layouts(bench *on, const dt_layout *layouts)
{
    dt_tensor *inputs[MAX_INPUTS];
    bool view = on->at->op->op->flags & DT_OP_VIEW, good = true;
    bool spread = !view && on->at->op->op->kernel && below(on, 4) == 0;
    dt_scope *scope = dt_scope_open(on->on->world);
    on->how = trial_nearness(on->at, layouts);
    trial_show(on->at, on->mesh, layouts, current_case, sizeof current_case);
    for (int i = 0; i < on->at->input_count; i++) {
        inputs[i] = place_input(on, &on->at->inputs[i], &layouts[i], spread);
        good &= inputs[i] || !on->at->inputs[i].present;
    }
    good = good && call_and_check(on, inputs);
    settle(on, good, layouts, spread ? "call, spread" : "call");
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- In other forms ----------------------------------------------------- */

/* A tensor to write to, in some layout, with other values. */
static dt_tensor *draw_target(bench *on)
{
    input_facts facts = {
        .present = true,
        .number = 50,
        .meta = dt_meta_of(on->at->results[0].dtype, on->at->results[0].shape)};
    dt_placement list[MAX_PLACEMENTS];
    dt_layout layout;
    int count = list_placements(&facts, true, ALL_REDUCTIONS, list);
    draw_layout(on, list, count, facts.meta.shape.ndim, &layout);
    return place_input(on, &facts, &layout, false);
}

/* The input that a result overwrites in place; -1: none. */
static int overwritten(const trial *at, int result)
{
    const dti_schema *schema = &at->op->schema;
    return schema->results == DTI_RESULT_LIST ? result
                                              : schema->overwrites[result];
}

/* What results go to; NULL: to new tensors. */
static void list_targets(bench *on, dt_variant form, dt_tensor *const *inputs,
                         dt_tensor **targets)
{
    for (int i = 0; i < on->at->result_count; i++)
        targets[i] = form == DT_VARIANT_OUT ? draw_target(on)
                     : overwritten(on->at, i) >= 0
                         ? inputs[overwritten(on->at, i)]
                         : NULL;
}

/* Where a result cannot lie as its target does, the call is refused. */
static bool write_and_check(bench *on, dt_variant form,
                            dt_tensor *const *inputs, dt_tensor *const *targets)
{
    dt_tensor *results[MAX_RESULTS] = {targets[0]};
    dt_spec *specs[MAX_RESULTS] = {NULL};
    bool kept = true;
    int count = 0;
    for (int i = 0; i < on->at->result_count; i++)
        if (targets[i])
            specs[i] = dt_spec_retain(dt_tensor_spec(targets[i]));
    dt_status status = trial_call(on->at, form, inputs, results, &count);
    for (int i = 0; i < on->at->result_count; i++) {
        kept &= !targets[i] || dt_tensor_spec(targets[i]) == specs[i];
        kept &= !targets[i] || status != DT_OK || results[i] == targets[i];
        dt_spec_release(specs[i]);
    }
    if (status == DT_ERR_INVALID)
        return true;
    if (status != DT_OK)
        return fault(on, "%s: %s", dt_status_name(status),
                     dt_world_error(on->on->world)->message);
    if (!kept)
        return fault(on, "the result is not in the tensor given");
    return check_results(on, results, count);
}

static bool is_as_result(const trial *at, int input, int result)
{
    const input_facts *one = &at->inputs[input];
    return one->present && one->meta.dtype == at->results[result].dtype &&
           dt_shape_equal(one->meta.shape, at->results[result].shape);
}

static bool has_form(const bench *on, dt_variant form)
{
    const trial *at = on->at;
    unsigned flags = at->op->op->flags;
    if (at->status != DT_OK || flags & DT_OP_VIEW)
        return false;
    if (form == DT_VARIANT_OUT)
        return flags & DT_OP_OUT && at->result_count == 1;
    for (int i = 0; i < at->result_count; i++)
        if (overwritten(at, i) >= 0 && !is_as_result(at, overwritten(at, i), i))
            return false;
    return flags & DT_OP_IN_PLACE;
}

/* Let all that is overwritten lie as the first of it, where shapes are alike:
 * in other layouts most calls are refused. */
static void align_targets(const trial *at, dt_layout *layouts)
{
    const int first = overwritten(at, 0);
    for (int i = 1; i < at->result_count; i++) {
        const int input = overwritten(at, i);
        if (first >= 0 && input >= 0 &&
            dt_shape_equal(at->inputs[input].meta.shape,
                           at->inputs[first].meta.shape))
            layouts[input] = layouts[first];
    }
}

static void check_form(bench *on, const dt_layout *given, dt_variant form)
{
    dt_tensor *inputs[MAX_INPUTS], *targets[MAX_RESULTS] = {NULL};
    dt_layout layouts[MAX_INPUTS];
    if (!has_form(on, form))
        return;
    memcpy(layouts, given, sizeof *given * (size_t)on->at->input_count);
    if (form == DT_VARIANT_IN_PLACE && below(on, 4))
        align_targets(on->at, layouts);
    dt_scope *scope = dt_scope_open(on->on->world);
    on->how = trial_nearness(on->at, layouts);
    on->how.exact = false; /* `out` may be partial */
    for (int i = 0; i < on->at->input_count; i++)
        inputs[i] = place_input(on, &on->at->inputs[i], &layouts[i], false);
    list_targets(on, form, inputs, targets);
    bool good = (form != DT_VARIANT_OUT || targets[0]) &&
                write_and_check(on, form, inputs, targets);
    settle(on, good, layouts, form == DT_VARIANT_OUT ? "out" : "in-place");
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- Layouts ------------------------------------------------------------ */

/* The layouts of all inputs on a mesh of one dimension, counted through. */
typedef struct choices {
    int counts[MAX_INPUTS];
    dt_placement lists[MAX_INPUTS][MAX_PLACEMENTS];
    unsigned long long total;
} choices;

static void list_choices(const bench *on, choices *out)
{
    out->total = 1;
    for (int i = 0; i < on->at->input_count; i++) {
        out->counts[i] = list_placements(&on->at->inputs[i], true,
                                         ALL_REDUCTIONS, out->lists[i]);
        out->total *= (unsigned long long)out->counts[i];
    }
}

static void choose(const bench *on, const choices *from,
                   unsigned long long number, dt_layout *out)
{
    for (int i = 0; i < on->at->input_count; i++) {
        unsigned long long count = (unsigned long long)from->counts[i];
        out[i] = dt_layout_of(&from->lists[i][number % count], 1);
        number /= count;
    }
}

/* ---- Trials ------------------------------------------------------------- */

static void check_all_forms(bench *on, const dt_layout *layouts)
{
    check_layouts(on, layouts);
    check_views(on, layouts);
    if (below(on, 2))
        check_form(on, layouts,
                   below(on, 2) ? DT_VARIANT_OUT : DT_VARIANT_IN_PLACE);
}

static void try_flat(bench *on, const choices *from, unsigned long long cases)
{
    dt_layout layouts[MAX_INPUTS];
    bool all = from->total <= cases;
    for (unsigned long long i = 0; i < (all ? from->total : cases); i++) {
        choose(on, from, all ? i : below(on, from->total), layouts);
        check_all_forms(on, layouts);
    }
    /* Candidates depend on how inputs lie; they are few. */
    unsigned long long limit = on->on->full ? 4096 : 64;
    all = from->total <= limit;
    for (unsigned long long i = 0; i < (all ? from->total : limit); i++) {
        choose(on, from, all ? i : below(on, from->total), layouts);
        force_from(on, layouts);
    }
}

static void try_deep(bench *on, const choices *from, unsigned long long cases)
{
    dt_layout layouts[MAX_INPUTS];
    for (unsigned long long k = 0; k < cases; k++) {
        for (int i = 0; i < on->at->input_count; i++)
            draw_layout(on, from->lists[i], from->counts[i],
                        on->at->inputs[i].meta.shape.ndim, &layouts[i]);
        check_all_forms(on, layouts);
        force_from(on, layouts);
    }
}

/* How many layouts to try. */
static unsigned long long count_cases(const bench *on)
{
    if (on->at->status != DT_OK)
        return 2;
    if (!on->on->full)
        return FEW_CASES;
    return dt_mesh_ndim(on->mesh) == 1 ? MANY_CASES : DRAWN_CASES;
}

/* What one rank refuses, others do; with sizes that divide, none should. */
static void try_layouts(bench *on, draw kind)
{
    choices *lists = malloc(sizeof *lists);
    if (!lists)
        abort();
    list_choices(on, lists);
    if (on->at->status != DT_OK && kind == DRAW_EVEN) {
        fault(on, "one rank refuses: %s", dt_status_name(on->at->status));
        settle(on, false, NULL, "sample");
    }
    if (dt_mesh_ndim(on->mesh) == 1)
        try_flat(on, lists, count_cases(on));
    else
        try_deep(on, lists, count_cases(on));
    free(lists);
}

/* Try a sample with sizes and a dtype. */
static void try_trial(bench *on, const dti_operator *op, const sample *from,
                      dt_dtype dtype, draw kind, specials special)
{
    int64_t letters[SAMPLE_LETTERS];
    int ranks = dt_mesh_size(on->mesh);
    on->at = malloc(sizeof *on->at);
    if (!on->at)
        abort();
    draw_letters(kind, sample_letters(from, &op->schema), ranks, &on->random,
                 letters);
    text_set_free(&on->forced);
    const trial_options with = {.dtype = dtype,
                                .letters = letters,
                                .special = special,
                                .salt = draw_number(&on->random)};
    if (trial_make(on->on->world, op, from, &with, on->at)) {
        try_layouts(on, kind);
    } else if (kind == DRAW_EVEN && ranks <= 4) {
        fault(on, "too large, or indexes below 0");
        settle(on, false, NULL, "sample");
    }
    trial_free(on->at);
    free(on->at);
    on->at = NULL;
}

/* Another dtype of those. */
static dt_dtype draw_dtype(bench *on, unsigned dtypes)
{
    dt_dtype out;
    do
        out = (dt_dtype)below(on, DT_DTYPE_COUNT);
    while (!(dtypes >> out & 1));
    return out;
}

static void try_sample(bench *on, const dti_operator *op, const sample *from,
                       unsigned dtypes)
{
    dt_dtype first = main_dtype(dtypes);
    if (!on->on->full) {
        try_trial(on, op, from, first, DRAW_UNEVEN,
                  below(on, 3) ? SPECIALS_NONE : SPECIALS_NAN);
        if (below(on, 3) == 0)
            try_trial(on, op, from, first, DRAW_UNEVEN, SPECIALS_ALL);
        draw kind = (draw)(1 + below(on, DRAW_COUNT - 1));
        try_trial(on, op, from, draw_dtype(on, dtypes), kind, SPECIALS_NONE);
        return;
    }
    for (int kind = 0; kind < DRAW_COUNT; kind++)
        try_trial(on, op, from, first, (draw)kind, SPECIALS_NONE);
    try_trial(on, op, from, first, DRAW_UNEVEN, SPECIALS_NAN);
    for (int i = 0; i < TIMES_SPECIAL; i++)
        try_trial(on, op, from, first, DRAW_UNEVEN, SPECIALS_ALL);
    engine few = *on->on;
    const engine *whole = on->on;
    few.full = false;
    on->on = &few;
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        if (dtypes >> dtype & 1) {
            try_trial(on, op, from, (dt_dtype)dtype, DRAW_EVEN, SPECIALS_NONE);
            try_trial(on, op, from, (dt_dtype)dtype, DRAW_UNEVEN, SPECIALS_ALL);
        }
    on->on = whole;
}

/* ---- An operator -------------------------------------------------------- */

static void check_samples(bench *on, const dti_operator *op)
{
    const char *text = op->op->samples;
    unsigned dtypes = sample_dtypes(op->op->dtypes);
    dt_status status = DT_OK;
    dt_error error = {DT_OK, ""};
    bool lead = dt_world_rank(on->on->world) == 0;
    sample *one = malloc(sizeof *one);
    if (!one)
        abort();
    /* What calls others may be a matter of layouts alone. */
    if (lead && op->op->kernel && (!text || !dtypes))
        report_wrong(on->on->report, on->row, "%s: no samples or dtypes",
                     op->schema.name);
    while (text && dtypes && status == DT_OK &&
           sample_next(&text, &op->schema, one, &status, &error)) {
        if (status == DT_OK)
            try_sample(on, op, one, dtypes);
        else if (lead)
            report_wrong(on->on->report, on->row, "%s: %s", op->schema.name,
                         error.message);
    }
    free(one);
}

/* Objects that are left when an operator was tried, over all ranks. */
static int64_t count_live(void)
{
    return dti_live_count(DTI_LIVE_TENSOR) + dti_live_count(DTI_LIVE_ARRAY) +
           dti_live_count(DTI_LIVE_STORAGE) + dti_live_count(DTI_LIVE_SCOPE) +
           dti_live_count(DTI_LIVE_VERSION) + dti_live_count(DTI_LIVE_VIEW);
}

void check_operator(const engine *on, const char *name, dt_mesh *mesh)
{
    dt_world *world = on->world;
    dti_operator *op = NULL;
    bench at = {.on = on, .mesh = mesh, .row = report_row_of(on->report, name)};
    at.random = on->seed + dti_hash_text(name) + (unsigned)dt_mesh_size(mesh);
    if (dti_operator_find(world, name, &op) != DT_OK) {
        report_wrong(on->report, at.row, "%s: %s", name,
                     dt_world_error(world)->message);
        return;
    }
    DT_IGNORE(dt_array_create(world, DT_I32, DT_SHAPE(1), &at.flag));
    meet(&at);
    int64_t before = count_live();
    meet(&at);
    check_samples(&at, op);
    meet(&at);
    int64_t left = count_live() - before;
    if (left && dt_world_rank(world) == 0)
        report_wrong(on->report, at.row, "%s: %lld objects left", name,
                     (long long)left);
    meet(&at);
    text_set_free(&at.forced);
    dt_array_release(at.flag);
    current_case[0] = '\0';
}

dt_status register_row(dt_world *world, const dt_op *row)
{
    dt_op sized = *row;
    sized.size = sizeof sized;
    return dt_op_register(world, &sized);
}
