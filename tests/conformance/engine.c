/* tests/conformance/engine.c - trying one operator in many layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/reference.h"
#include "base/writer.h"
#include "random/generator.h"
#include "tensor/tensor.h"

/* Cases of a sample with one size and dtype on one mesh, at most. */
#define FEW_CASES 6
#define MANY_CASES 400

_Thread_local char current_case[1024];

/* One operator on one mesh. */
typedef struct bench {
    const engine *on;
    report_row *row;
    dt_mesh *mesh;
    dt_array *flag; /* for agreeing */
    unsigned long long random;
    text_set forced; /* candidates of the trial that were run */
    trial *at;
    nearness how;
    char why[512]; /* what is wrong with the case */
} bench;

static unsigned long long below(bench *on, unsigned long long limit)
{
    return draw_number(&on->random) % limit;
}

/* ---- Agreeing ----------------------------------------------------------- */

/* Say why a case is wrong, the first time; gives false. */
static bool fault(bench *on, const char *format, ...) DT_PRINTF(2, 3);
static bool fault(bench *on, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!on->why[0])
        vsnprintf(on->why, sizeof on->why, format, list);
    va_end(list);
    return false;
}

/* Say why, and let ranks that wait for this one know.  For what other ranks may
 * not see. */
static bool fault_here(bench *on, const char *what, int result)
{
    fault(on, "%s of result %d", what, result);
    dt_world_poison(on->on->world);
    return false;
}

#define NOBODY 1000
#define NOTICED 100

/* The least of a number over all ranks; after that all can go on.  -1 if a rank
 * had failed.  Collective over the world. */
static int least(bench *on, int number)
{
    int32_t *flag = dt_array_data(on->flag);
    *flag = number;
    return dt_group_all_reduce(dt_world_group(on->on->world), DT_MIN, on->flag,
                               on->flag) == DT_OK
               ? *(const int32_t *)dt_array_const_data(on->flag)
               : -1;
}

/* Find the lowest rank on which a case went wrong; NOBODY if there is none.
 * Ranks that only noticed that another failed come last. */
static int find_faulty(bench *on, bool good)
{
    dt_world *world = on->on->world;
    int number = dt_world_rank(world);
    if (dt_world_error(world)->code == DT_ERR_PEER)
        number += NOTICED;
    if (good)
        number = NOBODY;
    int out = least(on, number);
    if (out >= 0)
        return out;
    dt_world_recover(world);
    return least(on, number);
}

/* End a case: the rank that knows why says so, once for all ranks. */
static void settle(bench *on, bool good, const dt_layout *layouts,
                   const char *kind)
{
    report *to = on->on->report;
    int rank = dt_world_rank(on->on->world), faulty = find_faulty(on, good);
    if (rank == 0)
        report_case(to, on->row);
    if (faulty % NOTICED == rank && faulty < NOBODY && !good) {
        char text[1024];
        trial_show(on->at, on->mesh, layouts, text, sizeof text);
        report_wrong(to, on->row, "%s (%s, rank %d): %s", text, kind, rank,
                     on->why);
    }
    on->why[0] = '\0';
}

/* ---- Inputs ------------------------------------------------------------- */

dt_dtype main_dtype(unsigned dtypes)
{
    static const dt_dtype best[] = {DT_F64, DT_F32, DT_I64, DT_I32};
    for (size_t i = 0; i < sizeof best / sizeof *best; i++)
        if (dtypes >> best[i] & 1)
            return best[i];
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        if (dtypes >> i & 1)
            return (dt_dtype)i;
    return DT_F32;
}

int list_placements(const input_facts *input, bool strided, unsigned reductions,
                    dt_placement *out)
{
    int count = 0;
    out[count++] = dt_replicate();
    if (!input->present)
        return count;
    for (int d = 0; d < input->meta.shape.ndim; d++) {
        out[count++] = dt_shard(d);
        if (strided && input->meta.shape.dims[d] > 2)
            out[count++] = dt_strided_shard(d, 2);
    }
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (reductions >> op & 1 &&
            has_reduction((dt_reduce)op, input->meta.dtype))
            out[count++] = dt_partial((dt_reduce)op);
    return count;
}

/* The same elements in memory that is not dense. */
static dt_array *spread_array(dt_world *world, dt_array *array)
{
    dt_shape shape = dt_array_shape(array);
    dt_array *wide = NULL, *out = NULL;
    if (shape.ndim == 0)
        return dt_array_retain(array);
    int last = shape.ndim - 1;
    shape.dims[last] *= 2;
    if (dt_array_create(world, dt_array_dtype(array), shape, &wide) == DT_OK &&
        dt_array_slice(world, wide, last, 0, shape.dims[last], 2, &out) ==
            DT_OK)
        dt_array_copy(world, array, out);
    dt_array_release(wide);
    return out;
}

/* An input in a layout.  Its scope is the innermost one. */
static dt_tensor *place_input(bench *on, const input_facts *facts,
                              const dt_layout *layout, bool spread)
{
    dt_world *world = on->on->world;
    dt_spec *spec = NULL;
    dt_tensor *out = NULL;
    if (!facts->present)
        return NULL;
    if (dt_spec_create_with(on->mesh, layout, &facts->meta, &spec) != DT_OK) {
        fault(on, "%s", dt_world_error(world)->message);
        return NULL;
    }
    dt_array *array = input_part(facts, spec, dt_world_rank(world));
    dt_array *laid = spread ? spread_array(world, array) : NULL;
    out = dt_tensor_unflatten(spec, laid ? laid : array);
    dt_array_release(laid);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* ---- Layouts ------------------------------------------------------------ */

#define ALL_REDUCTIONS ((1u << DT_REDUCE_COUNT) - 1)

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
        out->counts[i] =
            list_placements(&on->at->inputs[i], true, ALL_REDUCTIONS,
                            out->lists[i]);
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

/* Let some dimension be cut in another order. */
static void draw_order(bench *on, int ndim, dt_layout *layout)
{
    for (int d = 0; d < ndim; d++) {
        int dims[DT_MAX_NDIM], count = 0;
        for (int i = 0; i < layout->ndim; i++)
            if (dt_placement_is_shard(layout->placements[i]) &&
                layout->placements[i].dim == d)
                dims[count++] = i;
        if (count < 2 || below(on, 2))
            continue;
        int first = dims[0];
        memmove(dims, dims + 1, (size_t)(count - 1) * sizeof *dims);
        dims[count - 1] = first;
        dt_layout_set_order(on->on->world, layout, d, dims, count);
    }
}

/* A layout of such placements. */
static void draw_layout(bench *on, const dt_placement *list, int count,
                        int tensor_ndim, dt_layout *out)
{
    int ndim = dt_mesh_ndim(on->mesh);
    dt_scope *scope = dt_scope_open(on->on->world);
    dt_status status;
    do {
        dt_placement placements[DT_MAX_NDIM];
        for (int i = 0; i < ndim; i++)
            placements[i] = list[below(on, (unsigned)count)];
        *out = dt_layout_of(placements, ndim);
        draw_order(on, tensor_ndim, out);
        status = dt_layout_check(on->mesh, tensor_ndim, out);
    } while (status != DT_OK);
    dt_scope_close(scope);
}

/* ---- Results ------------------------------------------------------------ */

/* Compare what partial values combine to.  Collective. */
static bool check_combined(bench *on, dt_tensor *result, int number)
{
    dt_tensor *full = dt_full_tensor(result);
    elements all;
    if (!full)
        return fault(on, "result %d is not combined: %s", number,
                     dt_world_error(on->on->world)->message);
    bool good = elements_read(on->on->world, dt_tensor_local(full), &all) &&
                is_part(&all, &on->at->wholes[number], NULL, 0, on->how);
    elements_free(&all);
    return good || fault(on, "result %d, %s: %s", number,
                         dti_spec_show(dt_tensor_spec(result)).text,
                         last_difference());
}

static bool check_local(bench *on, dt_tensor *result, int number)
{
    int rank = dt_world_rank(on->on->world);
    elements part;
    const dt_spec *spec = dt_tensor_spec(result);
    bool good =
        elements_read(on->on->world, dt_tensor_local(result), &part) &&
        is_part(&part, &on->at->wholes[number], spec, rank, on->how);
    elements_free(&part);
    return good || fault(on, "result %d, %s: %s", number,
                         dti_spec_show(spec).text, last_difference());
}

/* Compare a result with that of one rank.  Collective over the mesh. */
static bool check_result(bench *on, dt_tensor *result, int number)
{
    const dt_spec *spec = dt_tensor_spec(result);
    const dt_meta *wanted = &on->at->results[number];
    const dt_array *local = dt_tensor_local(result);
    int rank = dt_world_rank(on->on->world);
    if (dt_spec_dtype(spec) != wanted->dtype ||
        !dt_shape_equal(dt_spec_shape(spec), wanted->shape))
        return fault(on, "result %d is %s", number, dti_spec_show(spec).text);
    if (dt_array_dtype(local) != wanted->dtype ||
        !dt_shape_equal(dt_array_shape(local),
                        dt_spec_local_shape(spec, rank)))
        return fault_here(on, "the part", number);
    return dt_spec_is_partial(spec) ? check_combined(on, result, number)
                                    : check_local(on, result, number);
}

static bool check_results(bench *on, dt_tensor *const *results, int count)
{
    bool good = true;
    if (count != on->at->result_count)
        return fault(on, "%d results, not %d", count, on->at->result_count);
    for (int i = 0; i < count; i++)
        good &= check_result(on, results[i], i);
    return good;
}

/* ---- By dispatch -------------------------------------------------------- */

/* Tell whether the call failed as operators do whose inputs are not
 * redistributed. */
static bool is_strict(const bench *on, dt_status status)
{
    return on->at->op->op->flags & DT_OP_STRICT && status == DT_ERR_INVALID &&
           strstr(dt_world_error(on->on->world)->message,
                  "would have to be redistributed");
}

/* What the call gives must be what one rank gives, failures included. */
static bool call_and_check(bench *on, dt_tensor *const *inputs)
{
    dt_tensor *results[MAX_RESULTS] = {NULL};
    int count = 0;
    dt_status status =
        trial_call(on->at, DT_FORM_NEW, inputs, results, &count);
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
    bool spread = !view && !on->at->op->op->compose && below(on, 4) == 0;
    dt_scope *scope = dt_scope_open(on->on->world);
    on->how = trial_nearness(on->at, layouts);
    trial_show(on->at, on->mesh, layouts, current_case, sizeof current_case);
    for (int i = 0; i < on->at->input_count; i++) {
        inputs[i] = place_input(on, &on->at->inputs[i], &layouts[i], spread);
        good &= inputs[i] || !on->at->inputs[i].present;
    }
    good = good && call_and_check(on, inputs);
    settle(on, good, layouts, spread ? "call, spread" : "call");
    dt_scope_close(scope);
}

/* ---- In other forms ----------------------------------------------------- */

/* A tensor to write to, in some layout, with other values. */
static dt_tensor *draw_target(bench *on)
{
    input_facts facts = {.present = true,
                         .number = 50,
                         .meta = dt_meta_of(on->at->results[0].dtype,
                                            on->at->results[0].shape)};
    dt_placement list[MAX_PLACEMENTS];
    dt_layout layout;
    int count = list_placements(&facts, true, ALL_REDUCTIONS, list);
    draw_layout(on, list, count, facts.meta.shape.ndim, &layout);
    return place_input(on, &facts, &layout, false);
}

/* Where the result cannot lie as the target does, the call is refused. */
static bool write_and_check(bench *on, dt_form form, dt_tensor *const *inputs,
                            dt_tensor *target)
{
    dt_tensor *results[MAX_RESULTS] = {target};
    int count = 0;
    dt_spec *spec = dt_spec_retain(dt_tensor_spec(target));
    dt_status status = trial_call(on->at, form, inputs, results, &count);
    bool kept = dt_tensor_spec(target) == spec;
    dt_spec_release(spec);
    if (status == DT_ERR_INVALID)
        return true;
    if (status != DT_OK)
        return fault(on, "%s: %s", dt_status_name(status),
                     dt_world_error(on->on->world)->message);
    if (!kept || results[0] != target)
        return fault(on, "the result is not in the tensor given");
    return check_results(on, results, count);
}

static bool has_form(const bench *on, dt_form form)
{
    const trial *at = on->at;
    unsigned flags = at->op->op->flags;
    if (at->status != DT_OK || at->result_count != 1 || flags & DT_OP_VIEW)
        return false;
    return form == DT_FORM_OUT
               ? flags & DT_OP_OUT
               : flags & DT_OP_IN_PLACE && at->inputs[0].present &&
                     at->inputs[0].meta.dtype == at->results[0].dtype &&
                     dt_shape_equal(at->inputs[0].meta.shape,
                                    at->results[0].shape);
}

static void check_form(bench *on, const dt_layout *layouts, dt_form form)
{
    dt_tensor *inputs[MAX_INPUTS];
    if (!has_form(on, form))
        return;
    dt_scope *scope = dt_scope_open(on->on->world);
    on->how = trial_nearness(on->at, layouts);
    on->how.exact = false; /* `out` may be partial */
    for (int i = 0; i < on->at->input_count; i++)
        inputs[i] = place_input(on, &on->at->inputs[i], &layouts[i], false);
    dt_tensor *target = form == DT_FORM_OUT ? draw_target(on) : inputs[0];
    bool good = target && write_and_check(on, form, inputs, target);
    settle(on, good, layouts, form == DT_FORM_OUT ? "out" : "in place");
    dt_scope_close(scope);
}

/* ---- By force ----------------------------------------------------------- */

/* A candidate that is run: where everything lies. */
typedef struct forced {
    dt_layout in_layouts[MAX_INPUTS];
    dt_spec *in_specs[MAX_INPUTS];
    dt_array *in[MAX_INPUTS];
    dt_spec *out_specs[MAX_RESULTS];
    dt_array *out[MAX_RESULTS];
    dt_array *masks[MAX_RESULTS];
} forced;

static dt_status force_inputs(bench *on, const dti_propagation *found,
                              const dti_proposal *proposal, forced *at)
{
    int rank = dt_world_rank(on->on->world);
    for (int i = 0; i < on->at->input_count; i++) {
        const input_facts *facts = &on->at->inputs[i];
        if (!facts->present)
            continue;
        at->in_layouts[i] = dti_proposal_in(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &at->in_layouts[i], &facts->meta,
                                   &at->in_specs[i]));
        at->in[i] = input_part(facts, at->in_specs[i], rank);
    }
    return DT_OK;
}

static dt_status force_outputs(bench *on, const dti_propagation *found,
                               const dti_proposal *proposal, forced *at)
{
    dt_world *world = on->on->world;
    int rank = dt_world_rank(world);
    for (int i = 0; i < on->at->result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        DT_TRY(dt_spec_create_with(on->mesh, &layout, &on->at->results[i],
                                   &at->out_specs[i]));
        if (on->at->op->op->flags & DT_OP_VIEW)
            continue;
        DT_TRY(dt_array_create(world, on->at->results[i].dtype,
                               dt_spec_local_shape(at->out_specs[i], rank),
                               &at->out[i]));
        /* What the kernel leaves out shows. */
        if (dt_array_count(at->out[i]))
            memset(dt_array_data(at->out[i]), 0x55,
                   dt_array_bytes(at->out[i]));
    }
    return DT_OK;
}

static dt_status run_kernel(bench *on, forced *at)
{
    dt_operation operation;
    const dt_meta *metas[MAX_INPUTS];
    trial_question(on->at, on->mesh, NULL, &operation, metas);
    operation.in_specs = at->in_specs;
    operation.in = at->in;
    operation.out_specs = at->out_specs;
    operation.out = at->out;
    operation.masks = at->masks;
    if (on->at->op->op->flags & DT_OP_RANDOM) {
        dt_generator_seed(on->at->generator, 17);
        dti_random_key key = dti_generator_next(on->at->generator);
        operation.random_seed = key.seed;
        operation.random_offset = key.offset;
    }
    return on->at->op->op->kernel(&operation);
}

static bool check_forced(bench *on, forced *at)
{
    dt_tensor *results[MAX_RESULTS];
    for (int i = 0; i < on->at->result_count; i++) {
        results[i] = dti_tensor_make(at->out_specs[i], at->out[i]);
        results[i]->mask = at->masks[i];
        at->masks[i] = NULL;
    }
    return check_results(on, results, on->at->result_count);
}

static void free_forced(forced *at)
{
    for (int i = 0; i < MAX_INPUTS; i++) {
        dt_spec_release(at->in_specs[i]);
        dt_array_release(at->in[i]);
    }
    for (int i = 0; i < MAX_RESULTS; i++) {
        dt_spec_release(at->out_specs[i]);
        dt_array_release(at->out[i]);
        dt_array_release(at->masks[i]);
    }
}

/* What a proposal is, for the count and the sentences. */
static void show_proposal(const bench *on, const dti_propagation *found,
                          const dti_proposal *proposal, dti_writer *to)
{
    for (int i = 0; i < on->at->input_count; i++) {
        if (!on->at->inputs[i].present)
            continue;
        dt_layout layout = dti_proposal_in(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
    dti_put(to, " -> ");
    for (int i = 0; i < on->at->result_count; i++) {
        dt_layout layout = dti_proposal_out(found, proposal, i);
        dti_put(to, "%s%s", i ? ", " : "", dti_layout_show(&layout).text);
    }
}

/* Run a proposal that the rule offers, unless it was run. */
static void force(bench *on, const dti_propagation *found,
                  const dti_proposal *proposal)
{
    forced at = {0};
    char text[512], kind[600];
    dti_writer to = {text, sizeof text, 0};
    dt_world *world = on->on->world;
    show_proposal(on, found, proposal, &to);
    if (!text_set_add(&on->forced, text))
        return;
    if (dt_world_rank(world) == 0 && dt_mesh_ndim(on->mesh) == 1)
        report_candidate(on->on->report, on->row, text);
    trial_show(on->at, on->mesh, NULL, current_case, sizeof current_case / 2);
    dti_writer now = {current_case, sizeof current_case, strlen(current_case)};
    dti_put(&now, " forced %s", text);
    dt_scope *scope = dt_scope_open(world);
    dt_status status = force_inputs(on, found, proposal, &at);
    if (status == DT_OK)
        status = force_outputs(on, found, proposal, &at);
    if (status == DT_OK)
        status = run_kernel(on, &at);
    on->how = trial_nearness(on->at, at.in_layouts);
    bool good = status == DT_OK;
    if (!good) {
        fault(on, "%s: %s", dt_status_name(status),
              dt_world_error(world)->message);
        dt_world_poison(world);
    }
    good = good && check_forced(on, &at);
    snprintf(kind, sizeof kind, "candidate %s", text);
    settle(on, good, NULL, kind);
    free_forced(&at);
    dt_scope_close(scope);
}

/* A mesh of one dimension: every candidate that fits. */
static void force_all(bench *on, dti_propagation *found)
{
    dti_proposal proposal = {0};
    for (int c = 0; c < found->counts[0]; c++) {
        proposal.choice[0] = c;
        if (dti_candidate_fits(found, &proposal, 0, &found->candidates[0][c]))
            force(on, found, &proposal);
    }
}

/* Several dimensions: for each some candidate that fits. */
static void force_some(bench *on, dti_propagation *found)
{
    dti_proposal proposal = {0};
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++) {
        int first = (int)below(on, (unsigned)found->counts[i]), tried = 0;
        for (; tried < found->counts[i]; tried++) {
            int c = (first + tried) % found->counts[i];
            proposal.choice[i] = c;
            if (dti_candidate_fits(found, &proposal, i,
                                   &found->candidates[i][c]))
                break;
        }
        if (tried == found->counts[i])
            return;
    }
    force(on, found, &proposal);
}

static void force_from(bench *on, const dt_layout *layouts)
{
    dt_operation operation;
    const dt_meta *metas[MAX_INPUTS];
    if (on->at->op->op->compose || on->at->status != DT_OK)
        return;
    dti_propagation *found = calloc(1, sizeof *found);
    if (!found)
        abort();
    found->question =
        trial_question(on->at, on->mesh, layouts, &operation, metas);
    for (int i = 0; i < dt_mesh_ndim(on->mesh); i++)
        dti_candidates_list(&found->question, i, found->candidates[i],
                            &found->counts[i]);
    if (dt_mesh_ndim(on->mesh) == 1)
        force_all(on, found);
    else
        force_some(on, found);
    free(found);
}

/* ---- Trials ------------------------------------------------------------- */

static void check_all_forms(bench *on, const dt_layout *layouts)
{
    check_layouts(on, layouts);
    if (below(on, 2))
        check_form(on, layouts, below(on, 2) ? DT_FORM_OUT : DT_FORM_IN_PLACE);
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

/* Try a sample with sizes and a dtype; `sound`: it should not fail. */
static void try_trial(bench *on, const dti_operator *op, const sample *from,
                      dt_dtype dtype, draw kind)
{
    int64_t letters[SAMPLE_LETTERS];
    trial *at = malloc(sizeof *at);
    choices *lists = malloc(sizeof *lists);
    if (!at || !lists)
        abort();
    draw_letters(kind, sample_letters(from, &op->schema),
                 dt_mesh_size(on->mesh), &on->random, letters);
    bool good = trial_make(on->on->world, op, from, dtype, letters, at);
    on->at = at;
    on->how = (nearness){0};
    text_set_free(&on->forced);
    unsigned long long cases = on->on->full ? MANY_CASES : FEW_CASES;
    if (dt_mesh_ndim(on->mesh) > 1)
        cases = on->on->full ? 60 : FEW_CASES;
    if (good) {
        list_choices(on, lists);
        if (at->status != DT_OK) {
            cases = 2;
            if (kind == DRAW_EVEN)
                fault(on, "one rank refuses: %s", dt_status_name(at->status));
            settle(on, kind != DRAW_EVEN, NULL, "sample");
        }
        if (dt_mesh_ndim(on->mesh) == 1)
            try_flat(on, lists, cases);
        else
            try_deep(on, lists, cases);
    }
    trial_free(at);
    free(at);
    free(lists);
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
        try_trial(on, op, from, first, DRAW_UNEVEN);
        draw kind = (draw)(1 + below(on, DRAW_COUNT - 1));
        try_trial(on, op, from, draw_dtype(on, dtypes), kind);
        return;
    }
    for (int kind = 0; kind < DRAW_COUNT; kind++)
        try_trial(on, op, from, first, (draw)kind);
    engine few = *on->on;
    const engine *whole = on->on;
    few.full = false;
    on->on = &few;
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        if (dtypes >> dtype & 1) {
            try_trial(on, op, from, (dt_dtype)dtype, DRAW_EVEN);
            try_trial(on, op, from, (dt_dtype)dtype, DRAW_UNEVEN);
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
    if (lead && !op->op->compose && (!text || !dtypes))
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
           dti_live_count(DTI_LIVE_STORAGE) + dti_live_count(DTI_LIVE_SCOPE);
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
    dt_array_create(world, DT_I32, DT_SHAPE(1), &at.flag);
    least(&at, 0);
    int64_t before = count_live();
    least(&at, 0);
    check_samples(&at, op);
    least(&at, 0);
    int64_t left = count_live() - before;
    if (left && dt_world_rank(world) == 0)
        report_wrong(on->report, at.row, "%s: %lld objects left", name,
                     (long long)left);
    least(&at, 0);
    text_set_free(&at.forced);
    dt_array_release(at.flag);
    current_case[0] = '\0';
}
