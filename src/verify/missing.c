/* verify/missing.c - layouts that a rule could allow and does not. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/writer.h"
#include "verify/verifier.h"

/*
 * The operator is called on the parts that ranks would have, each alone.  If
 * what comes out is cut, replicated or partial so that it makes up the result,
 * the inputs need not be moved, and the rule should say so.  That counts only
 * if it is so for all sizes that are tried; for partial inputs, in all samples
 * too: with one number or the other, much is linear or monotone.
 */

#define MAX_PARTS 4
#define MAX_COMBINATIONS 4096
#define SIZES 3
#define MESHES 2

/* What is tried for inputs: sums, averages, greatest and least values. */
#define REDUCTIONS (1u << DT_SUM | 1u << DT_AVG | 1u << DT_MAX | 1u << DT_MIN)

/* What was found about inputs that lie in one way. */
typedef struct entry {
    char inputs[DTI_REPORT_TEXT / 2];
    char text[DTI_REPORT_TEXT]; /* with results, where it is not offered */
    char where[256];
    bool partial;
    bool valid;   /* in all samples */
    bool offered; /* in all of them */
    unsigned kinds[DTI_TRIAL_RESULTS];
} entry;

/* One operator, and one sample of it in several sizes on each mesh. */
typedef struct search {
    const dti_verifier *with;
    dti_text *out;
    dti_propagation found; /* candidates of the rule */
    dti_sample sample;
    dt_mesh *meshes[MESHES];
    dti_trial trials[MESHES][SIZES];
    int counts[DTI_TRIAL_INPUTS];
    dt_placement lists[DTI_TRIAL_INPUTS][DTI_TRIAL_PLACEMENTS];
    int entry_count;
    int capacity;
    entry *entries;
} search;

/* How a result may lie, as bits: replicated, cut along dimensions from bit 1
 * on, partial from bit 16 on. */
#define AS_WHOLE 1u
#define AS_SHARD(dim) (2u << (dim))
#define AS_PARTIAL(op) (0x10000u << (op))
#define SHARDS 0xfffeu

/* What is replicated may be cut, and is the greatest, the least and the average
 * of itself. */
#define WHAT_WHOLE_IS                                                          \
    (SHARDS | AS_PARTIAL(DT_MAX) | AS_PARTIAL(DT_MIN) | AS_PARTIAL(DT_AVG) |   \
     AS_PARTIAL(DT_BAND) | AS_PARTIAL(DT_BOR))

/* ---- Running parts ------------------------------------------------------ */

static dt_tensor *own_part(dti_trial *of, dt_mesh *mesh, int input, int rank,
                           const dt_placement *placement)
{
    dt_layout layout = dt_layout_of(placement, 1);
    dt_spec *spec = NULL;
    dt_tensor *out = NULL;
    if (!of->inputs[input].present ||
        dt_spec_create_with(mesh, &layout, &of->inputs[input].meta, &spec) !=
            DT_OK)
        return NULL;
    dt_array *array = dti_trial_input_part(&of->inputs[input], spec, rank);
    if (array)
        out = dt_from_local(dt_world_own_mesh(of->world), "R", array);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* Call the operator with the parts of one rank, and read what it gives. */
static bool run_part(dti_trial *of, dt_mesh *mesh, int rank,
                     const dt_placement *placements, dti_elements *out)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *results[DTI_TRIAL_RESULTS];
    int count = 0;
    dt_scope *scope = dt_scope_open(of->world);
    for (int i = 0; i < of->input_count; i++)
        inputs[i] = own_part(of, mesh, i, rank, &placements[i]);
    bool good =
        dti_trial_call(of, DT_VARIANT_NEW, inputs, results, &count) == DT_OK &&
        count == of->result_count;
    for (int i = 0; good && i < count; i++)
        good =
            dti_elements_read(of->world, dt_tensor_local(results[i]), &out[i]);
    DT_IGNORE(dt_scope_close(scope));
    return good;
}

/* ---- How results lie ---------------------------------------------------- */

static bool is_shard_of(const dti_trial *of, dt_mesh *mesh, int result, int dim,
                        const dti_elements *parts, int stride, dti_nearness how)
{
    dt_placement placement = dt_shard(dim);
    dt_layout layout = dt_layout_of(&placement, 1);
    dt_spec *spec = NULL;
    bool good = dt_spec_create_with(mesh, &layout, &of->results[result],
                                    &spec) == DT_OK;
    for (int r = 0; good && r < dt_mesh_size(mesh); r++)
        good = dti_elements_match(&parts[r * stride], &of->wholes[result], spec,
                                  dt_mesh_ranks(mesh)[r], how, NULL);
    dt_spec_release(spec);
    return good;
}

/* All ways in which the parts of a result make it up. */
static unsigned ways_of(const dti_trial *of, dt_mesh *mesh, int result,
                        const dti_elements *parts, int stride)
{
    dti_nearness how = {.length = 64};
    const dti_elements *whole = &of->wholes[result];
    int ranks = dt_mesh_size(mesh);
    dti_elements list[MAX_PARTS];
    bool replicated = true;
    unsigned ways = 0;
    for (int r = 0; r < ranks; r++) {
        list[r] = parts[r * stride];
        replicated = replicated &&
                     dti_elements_match(&list[r], whole, NULL, 0, how, NULL);
    }
    if (whole->count == 0)
        return ~AS_WHOLE; /* nothing to be wrong */
    if (replicated)
        return AS_WHOLE | WHAT_WHOLE_IS;
    for (int d = 0; d < whole->shape.ndim; d++)
        if (is_shard_of(of, mesh, result, d, parts, stride, how))
            ways |= AS_SHARD(d);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (dti_has_reduction((dt_reduce)op, whole->dtype) &&
            dti_elements_combine(list, ranks, (dt_reduce)op, whole, how))
            ways |= AS_PARTIAL(op);
    return ways;
}

/* Find how results lie if inputs lie so; false if nothing comes of it. */
static bool try_parts(dti_trial *of, dt_mesh *mesh,
                      const dt_placement *placements, unsigned *ways)
{
    dti_elements parts[MAX_PARTS][DTI_TRIAL_RESULTS] = {{{0}}};
    int ranks = dt_mesh_size(mesh);
    bool good = true;
    for (int r = 0; good && r < ranks; r++)
        good = run_part(of, mesh, dt_mesh_ranks(mesh)[r], placements, parts[r]);
    for (int i = 0; good && i < of->result_count; i++) {
        ways[i] &= ways_of(of, mesh, i, &parts[0][i], DTI_TRIAL_RESULTS);
        good = ways[i] != 0;
    }
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < of->result_count; i++)
            dti_elements_free(&parts[r][i]);
    return good;
}

/* ---- What the rule offers ----------------------------------------------- */

/* Tell whether a placement becomes another for nothing. */
static bool is_free(dt_placement from, dt_placement to)
{
    return from.kind == DT_REPLICATE || dt_placement_equal(from, to);
}

/* Tell whether a placement that is offered is one of these ways.  What is whole
 * need not be cut; but what comes of partial inputs may be whole by chance. */
static bool is_way(dt_placement lies, unsigned ways, bool partial)
{
    if (lies.kind == DT_REPLICATE)
        return true;
    if (ways & AS_WHOLE && !partial)
        return false;
    if (dt_placement_is_shard(lies))
        return lies.kind == DT_SHARD && ways & AS_SHARD(lies.dim);
    if (lies.kind == DT_MASKED_PARTIAL)
        return ways & AS_PARTIAL(DT_SUM);
    return ways & AS_PARTIAL(lies.op);
}

static bool has_partial(const dt_placement *placements, int count)
{
    for (int i = 0; i < count; i++)
        if (dt_placement_is_partial(placements[i]))
            return true;
    return false;
}

static bool offers(const dti_propagation *found, const dti_candidate *candidate,
                   const dt_placement *placements, const unsigned *ways)
{
    dti_proposal none = {0};
    const dt_operation *operation = found->question.operation;
    bool partial = has_partial(placements, operation->input_count);
    if (dti_candidate_misfit(found, &none, 0, candidate))
        return false;
    for (int i = 0; i < operation->input_count; i++)
        if (operation->metas[i] &&
            !is_free(placements[i],
                     dti_candidate_in(found, &none, 0, candidate, i)))
            return false;
    for (int i = 0; i < operation->result_count; i++)
        if (!is_way(dti_candidate_out(found, &none, 0, candidate, i), ways[i],
                    partial))
            return false;
    return true;
}

/* Tell whether the rule has this, or something that comes to it for nothing. */
static bool is_offered(search *at, const dti_trial *of, const dt_mesh *mesh,
                       const dt_placement *placements, const unsigned *ways)
{
    dt_layout layouts[DTI_TRIAL_INPUTS];
    dt_operation operation;
    const dt_meta *metas[DTI_TRIAL_INPUTS];
    dti_propagation *found = &at->found;
    for (int i = 0; i < of->input_count; i++)
        layouts[i] = dt_layout_of(&placements[i], 1);
    found->question = dti_trial_question(of, mesh, layouts, &operation, metas);
    dti_candidates_list(&found->question, 0, found->candidates[0],
                        &found->counts[0]);
    bool offered = false;
    for (int c = 0; !offered && c < found->counts[0]; c++)
        offered = offers(found, &found->candidates[0][c], placements, ways);
    return offered;
}

/* ---- Text --------------------------------------------------------------- */

static void put_placement(dti_writer *to, dt_placement placement, bool first)
{
    dt_layout one = dt_layout_of(&placement, 1);
    dti_put(to, "%s%s", first ? "" : ", ", dti_layout_show(&one).text);
}

/* The strongest way, for the sentence. */
static dt_placement strongest(unsigned ways)
{
    if (ways & AS_WHOLE)
        return dt_replicate();
    for (int d = 0; d < DT_MAX_NDIM; d++)
        if (ways & AS_SHARD(d))
            return dt_shard(d);
    static const dt_reduce order[] = {DT_MAX, DT_MIN,  DT_SUM,     DT_AVG,
                                      DT_BOR, DT_BAND, DT_PRODUCT, DT_BXOR};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (ways & AS_PARTIAL(order[i]))
            return dt_partial(order[i]);
    return dt_replicate();
}

/* ---- What was found ------------------------------------------------------ */

static void show_inputs(const dti_trial *of, const dt_placement *placements,
                        dti_writer *to)
{
    for (int i = 0; i < of->input_count; i++) {
        if (of->inputs[i].present)
            put_placement(to, placements[i], i == 0);
        else
            dti_put(to, "%sNone", i ? ", " : "");
    }
}

/* Tell whether the search has to end for want of memory. */
static bool is_lost(const search *at)
{
    return dt_world_error(at->with->world)->code == DT_ERR_NO_MEMORY;
}

/* Make room for another entry; false with an error of the world. */
static bool make_room(search *at)
{
    if (at->entry_count < at->capacity)
        return true;
    int capacity = at->capacity ? 2 * at->capacity : 64;
    size_t bytes = (size_t)capacity * sizeof *at->entries;
    entry *entries = realloc(at->entries, bytes);
    if (!entries) {
        dti_fail_memory(at->with->world, bytes, "a verification");
        return false;
    }
    at->entries = entries;
    at->capacity = capacity;
    return true;
}

/* The entry of inputs with these placements; NULL without memory. */
static entry *entry_of(search *at, const dt_placement *placements)
{
    const dti_trial *of = &at->trials[0][0];
    char text[DTI_REPORT_TEXT / 2];
    dti_writer to = {text, sizeof text, 0};
    show_inputs(of, placements, &to);
    for (int i = 0; i < at->entry_count; i++)
        if (strcmp(at->entries[i].inputs, text) == 0)
            return &at->entries[i];
    if (!make_room(at))
        return NULL;
    entry *one = &at->entries[at->entry_count++];
    *one = (entry){.valid = true,
                   .offered = true,
                   .partial = has_partial(placements, of->input_count)};
    memcpy(one->inputs, text, sizeof text);
    memset(one->kinds, 0xff, sizeof one->kinds);
    return one;
}

/* Ways, all dimensions that are cut taken together. */
static unsigned kinds_of(unsigned ways)
{
    return (ways & ~SHARDS) | (ways & SHARDS ? AS_SHARD(0) : 0);
}

static void describe(const search *at, const dt_placement *placements,
                     const unsigned *ways, entry *one)
{
    const dti_trial *of = &at->trials[0][0];
    dti_writer to = {one->text, sizeof one->text, 0};
    dti_writer where = {one->where, sizeof one->where, 0};
    show_inputs(of, placements, &to);
    dti_put(&to, " -> ");
    for (int i = 0; i < of->result_count; i++)
        put_placement(&to, strongest(ways[i]), i == 0);
    dti_trial_show(of, NULL, NULL, &where);
}

static void tell(search *at, const entry *one)
{
    dt_world *world = at->with->world;
    if (dti_text_add(world, at->out, one->text, strlen(one->text) + 1))
        dti_text_add(world, at->out, one->where, strlen(one->where) + 1);
}

/* Add what a sample says. */
static void note(search *at, const dt_placement *placements, bool valid,
                 bool offered, const unsigned *ways)
{
    const dti_trial *of = &at->trials[0][0];
    entry *one = entry_of(at, placements);
    if (one && !valid)
        one->valid = false;
    if (!one || !valid)
        return;
    if (!offered && (one->offered || !one->partial)) {
        one->offered = false;
        describe(at, placements, ways, one);
        if (!one->partial)
            tell(at, one);
    }
    for (int i = 0; i < of->result_count; i++) {
        one->kinds[i] &= kinds_of(ways[i]);
        one->valid = one->valid && one->kinds[i];
    }
}

static void tell_partial(search *at)
{
    for (int i = 0; i < at->entry_count; i++) {
        const entry *one = &at->entries[i];
        if (one->partial && one->valid && !one->offered)
            tell(at, one);
    }
}

/* ---- Searching ---------------------------------------------------------- */

/* Try one choice of placements in all sizes on all meshes. */
static void try_placements(search *at, const dt_placement *placements)
{
    unsigned ways[DTI_TRIAL_RESULTS];
    bool valid = true, offered = true;
    memset(ways, 0xff, sizeof ways);
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; valid && i < SIZES; i++)
            valid =
                try_parts(&at->trials[m][i], at->meshes[m], placements, ways);
    for (int m = 0; valid && m < MESHES; m++)
        for (int i = 0; offered && i < SIZES; i++)
            offered = is_offered(at, &at->trials[m][i], at->meshes[m],
                                 placements, ways);
    note(at, placements, valid, offered, ways);
}

/* Placements of an input: one that is too short to be cut is not, and no
 * indexes are made up. */
static void list_of_input(search *at, int input)
{
    const dti_trial_input *facts = &at->trials[0][0].inputs[input];
    dt_placement all[DTI_TRIAL_PLACEMENTS];
    unsigned reductions = facts->range == DTI_SAMPLE_BELOW ? 0 : REDUCTIONS;
    int count = dti_trial_placements(facts, false, reductions, all);
    int ranks = dt_mesh_size(at->meshes[MESHES - 1]);
    at->counts[input] = 0;
    for (int i = 0; i < count; i++)
        if (!dt_placement_is_shard(all[i]) ||
            facts->meta.shape.dims[all[i].dim] >= ranks)
            at->lists[input][at->counts[input]++] = all[i];
}

static void try_all(search *at)
{
    const dti_trial *of = &at->trials[0][0];
    unsigned long long total = 1, state = at->with->seed;
    dt_placement placements[DTI_TRIAL_INPUTS];
    for (int i = 0; i < of->input_count; i++) {
        list_of_input(at, i);
        total *= (unsigned long long)at->counts[i];
    }
    bool all = total <= MAX_COMBINATIONS;
    for (unsigned long long k = 0;
         k < (all ? total : MAX_COMBINATIONS) && !is_lost(at); k++) {
        unsigned long long number = all ? k : dti_draw_number(&state) % total;
        for (int i = 0; i < of->input_count; i++) {
            unsigned long long count = (unsigned long long)at->counts[i];
            placements[i] = at->lists[i][number % count];
            number /= count;
        }
        try_placements(at, placements);
    }
}

/* Tell whether the elements of a result differ. */
static bool differs(const dti_elements *of)
{
    for (int64_t i = 1; i < of->count; i++)
        if (of->integers ? of->integers[i] != of->integers[0]
                         : of->reals[i * of->width] != of->reals[0])
            return true;
    /* One number that was computed from several may tell as well. */
    return of->count == 1 && of->dtype != DT_BOOL;
}

/* Tell whether there is something to be wrong: of one element, everything is
 * the greatest and the sum. */
static bool is_telling(const dti_trial *of)
{
    bool larger = false, good = of->status == DT_OK;
    for (int i = 0; good && i < of->input_count; i++) {
        if (!of->inputs[i].present)
            continue;
        int64_t count = dt_shape_count(of->inputs[i].meta.shape);
        larger |= count > 1;
        good = count > 0;
    }
    bool different = false;
    for (int i = 0; good && i < of->result_count; i++)
        different |= differs(&of->wholes[i]);
    return good && larger && different;
}

/* Make the trials of a sample; false if there is nothing to learn from one. */
static bool make_trials(search *at, const dti_operator *op, dt_dtype dtype)
{
    static const dti_draw draws[SIZES] = {DTI_DRAW_UNEVEN, DTI_DRAW_EVEN,
                                          DTI_DRAW_UNEVEN};
    bool good = true;
    unsigned long long state = at->with->seed;
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; i < SIZES; i++) {
            int64_t letters[DTI_SAMPLE_LETTERS];
            int ranks = dt_mesh_size(at->meshes[m]);
            /* Twice as many: no part has less than two elements. */
            dti_draw_letters(draws[i],
                             dti_sample_letters(&at->sample, &op->schema),
                             i == 2 ? 2 * ranks : ranks, &state, letters);
            dti_trial *one = &at->trials[m][i];
            const dti_trial_options with = {.dtype = dtype, .letters = letters};
            good &=
                dti_trial_make(at->with->world, op, &at->sample, &with, one);
            good = good && is_telling(one);
        }
    return good && !is_lost(at);
}

static void search_sample(search *at, const dti_operator *op, dt_dtype dtype)
{
    if (make_trials(at, op, dtype))
        try_all(at);
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; i < SIZES; i++)
            dti_trial_free(&at->trials[m][i]);
}

static void search_samples(search *at, const dti_operator *op)
{
    dt_status status = DT_OK;
    dt_error error;
    dt_dtype dtype = dti_main_dtype(dti_sample_dtypes(op->op->dtypes));
    const char *text = op->op->samples;
    while (!is_lost(at) &&
           dti_sample_next(&text, &op->schema, &at->sample, &status, &error) &&
           status == DT_OK)
        search_sample(at, op, dtype);
    tell_partial(at);
}

/* Operators whose rule can be searched: those that have one of their own, and
 * whose results follow from their inputs. */
static bool is_searched(const dt_op *row)
{
    return row->kernel && !(row->flags & DT_OP_RANDOM) && row->samples &&
           dti_sample_dtypes(row->dtypes);
}

dt_status dti_verify_missing(const dti_verifier *with, const char *name,
                             dt_mesh *const *meshes, dti_text *out)
{
    dti_operator *op = NULL;
    DTI_TRY(dti_operator_find(with->world, name, &op));
    if (!is_searched(op->op))
        return DT_OK;
    search *at = calloc(1, sizeof *at);
    if (!at)
        return dti_fail_memory(with->world, sizeof *at, "a verification");
    at->with = with;
    at->out = out;
    memcpy(at->meshes, meshes, sizeof at->meshes);
    search_samples(at, op);
    dt_status status = is_lost(at) ? DT_ERR_NO_MEMORY : DT_OK;
    free(at->entries);
    free(at);
    return status;
}

dt_status dti_verify_add_missing(const dti_verifier *with, const char *name,
                                 const dti_text *found)
{
    dti_operator *op = NULL;
    dti_report_row *row = dti_report_row_of(with->report, name);
    if (!row)
        return dti_fail_memory(with->world, sizeof *row, "a report");
    DTI_TRY(dti_operator_find(with->world, name, &op));
    row->searched = is_searched(op->op);
    for (size_t i = 0; i < found->length;) {
        const char *placements = found->data + i;
        const char *where = placements + strlen(placements) + 1;
        dti_report_missing(with->world, with->report, row, placements, where);
        i += (size_t)(where - placements) + strlen(where) + 1;
    }
    return dt_world_error(with->world)->code == DT_ERR_NO_MEMORY
               ? DT_ERR_NO_MEMORY
               : DT_OK;
}
