/* verify/operator.c - trying one operator in many layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/verifier.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/reference.h"
#include "verify/run.h"

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
static bool is_strict(const dti_run *on, dt_status status)
{
    return on->trial.op->op->flags & DT_OP_STRICT && status == DT_ERR_INVALID &&
           strstr(dt_world_error(on->with->world)->message, "must have layout");
}

/* What the call gives must be what one rank gives, failures included. */
static bool call_and_check(dti_run *on, dt_tensor *const *inputs)
{
    dt_tensor *results[DTI_TRIAL_RESULTS] = {NULL};
    int count = 0;
    dt_status status =
        dti_trial_call(&on->trial, DT_VARIANT_NEW, inputs, results, &count);
    if (is_strict(on, status))
        return true;
    if (status != on->trial.status)
        return dti_run_fault(on, "%s instead of %s: %s", dt_status_name(status),
                             dt_status_name(on->trial.status),
                             dt_world_error(on->with->world)->message);
    return status != DT_OK || dti_run_check_results(on, results, count);
}

static void check_layouts(dti_run *on, const dt_layout *layouts)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS];
    bool view = on->trial.op->op->flags & DT_OP_VIEW, good = true;
    bool spread = !view && on->trial.op->op->kernel && dti_run_draw(on, 4) == 0;
    dt_scope *scope = dt_scope_open(on->with->world);
    on->how = dti_trial_nearness(&on->trial, layouts);
    dti_run_begin(on, layouts, "call");
    for (int i = 0; i < on->trial.input_count; i++) {
        inputs[i] =
            dti_run_place(on, &on->trial.inputs[i], &layouts[i], spread);
        good &= inputs[i] || !on->trial.inputs[i].present;
    }
    good = good && call_and_check(on, inputs);
    dti_run_settle(on, good, layouts, spread ? "call, not contiguous" : "call");
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- In other forms ----------------------------------------------------- */

/* A tensor to write to, in some layout, with other values. */
static dt_tensor *draw_target(dti_run *on)
{
    dti_trial_input facts = {.present = true,
                             .number = 50,
                             .meta = dt_meta_of(on->trial.results[0].dtype,
                                                on->trial.results[0].shape)};
    dt_placement list[DTI_TRIAL_PLACEMENTS];
    dt_layout layout;
    int count = dti_trial_placements(&facts, true, DTI_ALL_REDUCTIONS, list);
    dti_run_draw_layout(on, list, count, facts.meta.shape.ndim, &layout);
    return dti_run_place(on, &facts, &layout, false);
}

/* What results go to; NULL: to new tensors. */
static void list_targets(dti_run *on, dt_variant form, dt_tensor *const *inputs,
                         dt_tensor **targets)
{
    for (int i = 0; i < on->trial.result_count; i++)
        targets[i] = form == DT_VARIANT_OUT ? draw_target(on)
                     : dti_trial_overwritten(&on->trial, i) >= 0
                         ? inputs[dti_trial_overwritten(&on->trial, i)]
                         : NULL;
}

/* Where a result cannot lie as its target does, the call is refused. */
static bool write_and_check(dti_run *on, dt_variant form,
                            dt_tensor *const *inputs, dt_tensor *const *targets)
{
    dt_tensor *results[DTI_TRIAL_RESULTS] = {targets[0]};
    dt_spec *specs[DTI_TRIAL_RESULTS] = {NULL};
    bool kept = true;
    int count = 0;
    for (int i = 0; i < on->trial.result_count; i++)
        if (targets[i])
            specs[i] = dt_spec_retain(dt_tensor_spec(targets[i]));
    dt_status status =
        dti_trial_call(&on->trial, form, inputs, results, &count);
    for (int i = 0; i < on->trial.result_count; i++) {
        kept &= !targets[i] || dt_tensor_spec(targets[i]) == specs[i];
        kept &= !targets[i] || status != DT_OK || results[i] == targets[i];
        dt_spec_release(specs[i]);
    }
    if (status == DT_ERR_INVALID)
        return true;
    if (status != DT_OK)
        return dti_run_fault(on, "%s: %s", dt_status_name(status),
                             dt_world_error(on->with->world)->message);
    if (!kept)
        return dti_run_fault(on,
                             "the result is not in the tensor that was passed");
    return dti_run_check_results(on, results, count);
}

/* Let all that is overwritten lie as the first of it, where shapes are alike:
 * in other layouts most calls are refused. */
static void align_targets(const dti_trial *at, dt_layout *layouts)
{
    const int first = dti_trial_overwritten(at, 0);
    for (int i = 1; i < at->result_count; i++) {
        const int input = dti_trial_overwritten(at, i);
        if (first >= 0 && input >= 0 &&
            dt_shape_equal(at->inputs[input].meta.shape,
                           at->inputs[first].meta.shape))
            layouts[input] = layouts[first];
    }
}

static void check_form(dti_run *on, const dt_layout *given, dt_variant form)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *targets[DTI_TRIAL_RESULTS] = {NULL};
    dt_layout layouts[DTI_TRIAL_INPUTS];
    if (!dti_trial_has_form(&on->trial, form))
        return;
    memcpy(layouts, given, sizeof *given * (size_t)on->trial.input_count);
    if (form == DT_VARIANT_IN_PLACE && dti_run_draw(on, 4))
        align_targets(&on->trial, layouts);
    dt_scope *scope = dt_scope_open(on->with->world);
    on->how = dti_trial_nearness(&on->trial, layouts);
    on->how.exact = false; /* `out` may be partial */
    for (int i = 0; i < on->trial.input_count; i++)
        inputs[i] = dti_run_place(on, &on->trial.inputs[i], &layouts[i], false);
    list_targets(on, form, inputs, targets);
    bool good = (form != DT_VARIANT_OUT || targets[0]) &&
                write_and_check(on, form, inputs, targets);
    dti_run_settle(on, good, layouts,
                   form == DT_VARIANT_OUT ? "out" : "in-place");
    DT_IGNORE(dt_scope_close(scope));
}

/* ---- Layouts ------------------------------------------------------------ */

static void list_choices(dti_run *on)
{
    dti_choices *out = &on->choices;
    out->total = 1;
    for (int i = 0; i < on->trial.input_count; i++) {
        out->counts[i] = dti_trial_placements(
            &on->trial.inputs[i], true, DTI_ALL_REDUCTIONS, out->lists[i]);
        out->total *= (unsigned long long)out->counts[i];
    }
}

/* The layouts of the choice with a number. */
static void choose(const dti_run *on, unsigned long long number, dt_layout *out)
{
    const dti_choices *from = &on->choices;
    for (int i = 0; i < on->trial.input_count; i++) {
        unsigned long long count = (unsigned long long)from->counts[i];
        out[i] = dt_layout_of(&from->lists[i][number % count], 1);
        number /= count;
    }
}

/* One of so many choices: the one with this number if that is all, or any. */
static void choose_next(dti_run *on, unsigned long long number,
                        unsigned long long limit, dt_layout *out)
{
    unsigned long long total = on->choices.total;
    choose(on, total <= limit ? number : dti_run_draw(on, total), out);
}

/* ---- Trials ------------------------------------------------------------- */

static void check_all_forms(dti_run *on, const dt_layout *layouts)
{
    check_layouts(on, layouts);
    dti_run_check_views(on, layouts);
    dti_run_check_gradients(on, layouts);
    if (dti_run_draw(on, 2))
        check_form(on, layouts,
                   dti_run_draw(on, 2) ? DT_VARIANT_OUT : DT_VARIANT_IN_PLACE);
}

static void try_flat(dti_run *on, unsigned long long cases)
{
    dt_layout layouts[DTI_TRIAL_INPUTS];
    /* Candidates depend on the layouts of inputs; they are few. */
    unsigned long long total = on->choices.total, forced = on->full ? 4096 : 64;
    for (unsigned long long i = 0; i < total && i < cases; i++) {
        if (dti_run_ended(on))
            return;
        choose_next(on, i, cases, layouts);
        check_all_forms(on, layouts);
    }
    for (unsigned long long i = 0; i < total && i < forced; i++) {
        if (dti_run_ended(on))
            return;
        choose_next(on, i, forced, layouts);
        dti_run_candidates(on, layouts);
    }
}

static void try_deep(dti_run *on, unsigned long long cases)
{
    const dti_choices *from = &on->choices;
    dt_layout layouts[DTI_TRIAL_INPUTS];
    for (unsigned long long k = 0; k < cases && !dti_run_ended(on); k++) {
        for (int i = 0; i < on->trial.input_count; i++)
            dti_run_draw_layout(on, from->lists[i], from->counts[i],
                                on->trial.inputs[i].meta.shape.ndim,
                                &layouts[i]);
        check_all_forms(on, layouts);
        dti_run_candidates(on, layouts);
    }
}

/* How many layouts to try. */
static unsigned long long count_cases(const dti_run *on)
{
    if (on->trial.status != DT_OK)
        return 2;
    if (!on->with->full)
        return FEW_CASES;
    return dt_mesh_ndim(on->mesh) == 1 ? MANY_CASES : DRAWN_CASES;
}

static void try_layouts(dti_run *on)
{
    list_choices(on);
    if (dt_mesh_ndim(on->mesh) == 1)
        try_flat(on, count_cases(on));
    else
        try_deep(on, count_cases(on));
}

/* What the call gives on one rank, in a number that ranks can compare. */
static uint64_t outcome_of(const dti_trial *of)
{
    uint64_t out = dti_hash_bytes(&of->status, sizeof of->status);
    for (int i = 0; i < of->result_count; i++) {
        dt_shape shape = of->results[i].shape;
        out = dti_hash_mix(out, (uint64_t)of->results[i].dtype);
        out = dti_hash_mix(out, (uint64_t)shape.ndim);
        for (int d = 0; d < shape.ndim; d++)
            out = dti_hash_mix(out, (uint64_t)shape.dims[d]);
    }
    return out;
}

/* Report a sample that cannot be tried. */
static void reject(dti_run *on, const char *why)
{
    dti_run_fault(on, "%s", why);
    dti_run_settle(on, false, NULL, "sample");
}

/* Try the sample with the sizes that were drawn.  A call that fails on one rank
 * must fail on all, but none should where sizes are multiples of the ranks. */
static void try_sizes(dti_run *on, dti_draw kind, const dti_trial_options *with)
{
    dti_trial *at = &on->trial;
    bool made = dti_trial_make(on->with->world, on->op, &on->sample, with, at);
    if (dti_run_ended(on))
        return;
    if (!made) {
        if (kind == DTI_DRAW_EVEN && dt_mesh_size(on->mesh) <= 4)
            reject(on,
                   "a tensor has more than 6000 elements, or integers below "
                   "a size that is not positive");
    } else if (!dti_run_agrees(on, outcome_of(at))) {
        reject(on, "ranks that make this call alone get different errors, "
                   "shapes or dtypes");
    } else {
        if (at->status != DT_OK && kind == DTI_DRAW_EVEN)
            reject(on, at->error.message);
        on->succeeded += at->status == DT_OK;
        try_layouts(on);
    }
}

static void try_trial(dti_run *on, dt_dtype dtype, dti_draw kind,
                      dti_specials special)
{
    int64_t letters[DTI_SAMPLE_LETTERS];
    if (dti_run_ended(on))
        return;
    dti_draw_letters(kind, dti_sample_letters(&on->sample, &on->op->schema),
                     dt_mesh_size(on->mesh), &on->random, letters);
    dti_text_set_free(&on->forced);
    const dti_trial_options with = {.dtype = dtype,
                                    .letters = letters,
                                    .special = special,
                                    .salt = dti_draw_number(&on->random)};
    try_sizes(on, kind, &with);
    dti_gradients_free(&on->gradients);
    dti_trial_free(&on->trial);
}

/* Another dtype of those. */
static dt_dtype draw_dtype(dti_run *on, unsigned dtypes)
{
    dt_dtype out;
    do
        out = (dt_dtype)dti_run_draw(on, DT_DTYPE_COUNT);
    while (!(dtypes >> out & 1));
    return out;
}

/* If no call succeeds, one whose sizes the ranks divide says why. */
static void try_few(dti_run *on, unsigned dtypes)
{
    dt_dtype first = dti_main_dtype(dtypes);
    on->succeeded = 0;
    try_trial(on, first, DTI_DRAW_UNEVEN,
              dti_run_draw(on, 3) ? DTI_SPECIALS_NONE : DTI_SPECIALS_NAN);
    if (dti_run_draw(on, 3) == 0)
        try_trial(on, first, DTI_DRAW_UNEVEN, DTI_SPECIALS_ALL);
    dti_draw kind = (dti_draw)(1 + dti_run_draw(on, DTI_DRAW_COUNT - 1));
    try_trial(on, draw_dtype(on, dtypes), kind, DTI_SPECIALS_NONE);
    if (!on->succeeded && kind != DTI_DRAW_EVEN)
        try_trial(on, first, DTI_DRAW_EVEN, DTI_SPECIALS_NONE);
}

/* All sizes and specials with one dtype, and a few layouts with the others. */
static void try_many(dti_run *on, unsigned dtypes)
{
    dt_dtype first = dti_main_dtype(dtypes);
    for (int kind = 0; kind < DTI_DRAW_COUNT; kind++)
        try_trial(on, first, (dti_draw)kind, DTI_SPECIALS_NONE);
    try_trial(on, first, DTI_DRAW_UNEVEN, DTI_SPECIALS_NAN);
    for (int i = 0; i < TIMES_SPECIAL; i++)
        try_trial(on, first, DTI_DRAW_UNEVEN, DTI_SPECIALS_ALL);
    on->full = false;
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        if (dtypes >> i & 1) {
            try_trial(on, (dt_dtype)i, DTI_DRAW_EVEN, DTI_SPECIALS_NONE);
            try_trial(on, (dt_dtype)i, DTI_DRAW_UNEVEN, DTI_SPECIALS_ALL);
        }
    on->full = true;
}

/* ---- An operator -------------------------------------------------------- */

static void try_samples(dti_run *on)
{
    const dt_op *row = on->op->op;
    const char *text = row->samples, *name = on->op->schema.name;
    unsigned dtypes = dti_sample_dtypes(row->dtypes);
    dt_status status = DT_OK;
    dt_error error = {DT_OK, ""};
    dti_sample_example example;
    if (!dtypes)
        dti_run_wrong(on, "%s: unknown dtype in .dtypes = \"%s\"", name,
                      row->dtypes);
    /* A composition may be a matter of layouts alone. */
    if (!text && row->kernel)
        dti_run_wrong(on,
                      "%s: the row has no samples; add for example .samples = "
                      "\"%s\"",
                      name, dti_sample_example_of(&on->op->schema, &example));
    while (
        text && dtypes && status == DT_OK && !dti_run_ended(on) &&
        dti_sample_next(&text, &on->op->schema, &on->sample, &status, &error)) {
        if (status != DT_OK)
            dti_run_wrong(on, "%s: %s", name, error.message);
        else if (on->full)
            try_many(on, dtypes);
        else
            try_few(on, dtypes);
    }
}

/* Objects of this process, over all ranks. */
static int64_t count_live(void)
{
    return dti_live_count(DTI_LIVE_TENSOR) + dti_live_count(DTI_LIVE_ARRAY) +
           dti_live_count(DTI_LIVE_STORAGE) + dti_live_count(DTI_LIVE_SCOPE) +
           dti_live_count(DTI_LIVE_VERSION) + dti_live_count(DTI_LIVE_VIEW);
}

/* Try the operator.  All ranks count between two meetings. */
static void try_operator(dti_run *on)
{
    dti_run_meet(on);
    int64_t before = count_live();
    dti_run_meet(on);
    try_samples(on);
    dti_run_meet(on);
    int64_t left = on->with->counts_objects ? count_live() - before : 0;
    dti_run_meet(on);
    if (left && on->status == DT_OK)
        dti_run_wrong(on, "%s: %lld objects are left", on->op->schema.name,
                      (long long)left);
}

static dt_status open_run(dti_run *on, const char *name)
{
    dt_world *world = on->with->world;
    dti_operator *op = NULL;
    DTI_TRY(dti_operator_find(world, name, &op));
    on->op = op;
    on->row = dti_report_row_of(on->with->report, name);
    if (!on->row)
        return dti_fail_memory(world, sizeof *on->row, "a report");
    DTI_TRY(dt_array_create(world, DT_I32, DT_SHAPE(1), &on->flag));
    return dt_array_create(world, DT_U8, DT_SHAPE(DTI_REPORT_LINE), &on->line);
}

dt_status dti_verify_operator(const dti_verifier *with, const char *name,
                              dt_mesh *mesh)
{
    dti_run *on = calloc(1, sizeof *on);
    if (!on)
        return dti_fail_memory(with->world, sizeof *on, "a verification");
    on->with = with;
    on->mesh = mesh;
    on->full = with->full;
    on->random =
        with->seed + dti_hash_text(name) + (unsigned)dt_mesh_size(mesh);
    on->status = open_run(on, name);
    if (on->status == DT_OK)
        try_operator(on);
    dt_status status = on->status;
    dti_text_set_free(&on->forced);
    dt_array_release(on->flag);
    dt_array_release(on->line);
    free(on);
    if (with->current)
        with->current[0] = '\0';
    return status;
}

/* ---- Several ------------------------------------------------------------- */

/* Send what one rank found to all.  Collective over the world. */
static dt_status share_found(dt_world *world, int from, dti_text *found)
{
    dt_group *group = dt_world_group(world);
    dt_array *length = NULL, *bytes = NULL;
    dt_status status = dt_array_create(world, DT_I64, DT_SHAPE(1), &length);
    if (status == DT_OK) {
        *(int64_t *)dt_array_data(length) = (int64_t)found->length;
        status = dt_group_broadcast(group, from, length);
    }
    int64_t count =
        status == DT_OK ? *(const int64_t *)dt_array_const_data(length) : 0;
    if (status == DT_OK && count > 0)
        status = dt_array_create(world, DT_U8, DT_SHAPE(count), &bytes);
    if (bytes) {
        if (found->length)
            memcpy(dt_array_data(bytes), found->data, found->length);
        status = dt_group_broadcast(group, from, bytes);
    }
    if (bytes && status == DT_OK && found->length == 0 &&
        !dti_text_add(world, found, dt_array_const_data(bytes), (size_t)count))
        status = DT_ERR_NO_MEMORY;
    dt_array_release(length);
    dt_array_release(bytes);
    return status;
}

/* Search for missing rules of operators, each on one rank, and tell all. */
static dt_status search(const dti_verifier *with, const char *const *names,
                        int count, dt_mesh *const *meshes)
{
    const int ranks = dt_world_size(with->world);
    const int rank = dt_world_rank(with->world);
    dti_text found[DTI_VERIFY_AT_ONCE] = {{0}};
    dt_status status = DT_OK;
    for (int i = rank; i < count && status == DT_OK; i += ranks)
        status = dti_verify_missing(with, names[i], meshes, &found[i]);
    for (int i = 0; i < count && status == DT_OK; i++) {
        status = share_found(with->world, i % ranks, &found[i]);
        if (status == DT_OK)
            status = dti_verify_add_missing(with, names[i], &found[i]);
    }
    for (int i = 0; i < count; i++)
        dti_text_free(&found[i]);
    return status;
}

dt_status dti_verify_operators(const dti_verifier *with,
                               const char *const *names, int count,
                               dt_mesh *mesh)
{
    dt_mesh *meshes[2] = {NULL, NULL};
    dt_status status = DT_OK;
    for (int i = 0; i < count && status == DT_OK; i++)
        status = dti_verify_operator(with, names[i], mesh);
    if (status != DT_OK || dt_mesh_ndim(mesh) != 1 || dt_mesh_size(mesh) != 3)
        return status;
    status =
        dt_mesh_create_from(with->world, "x=2", (int[]){0, 1}, 2, &meshes[0]);
    meshes[1] = mesh;
    if (status == DT_OK)
        status = search(with, names, count, meshes);
    dt_mesh_release(meshes[0]);
    return status;
}
