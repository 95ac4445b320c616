/* tests/conformance/missing.c - layouts that a rule could offer and does not.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/writer.h"
#include "conformance/engine.h"

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
    char inputs[REPORT_TEXT / 2];
    char text[REPORT_TEXT]; /* with results, where it is not offered */
    char where[256];
    bool partial;
    bool valid;   /* in all samples */
    bool offered; /* in all of them */
    unsigned kinds[MAX_RESULTS];
} entry;

/* One operator, and one sample of it in several sizes on each mesh. */
typedef struct search {
    const engine *on;
    report_row *row;
    dt_mesh *meshes[MESHES];
    trial trials[MESHES][SIZES];
    int counts[MAX_INPUTS];
    dt_placement lists[MAX_INPUTS][MAX_PLACEMENTS];
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

static dt_tensor *own_part(trial *of, dt_mesh *mesh, int input, int rank,
                           const dt_placement *placement)
{
    dt_layout layout = dt_layout_of(placement, 1);
    dt_spec *spec = NULL;
    dt_tensor *out = NULL;
    if (!of->inputs[input].present ||
        dt_spec_create_with(mesh, &layout, &of->inputs[input].meta, &spec) !=
            DT_OK)
        return NULL;
    dt_array *array = input_part(&of->inputs[input], spec, rank);
    if (array)
        out = dt_from_local(dt_world_own_mesh(of->world), "R", array);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

/* Call the operator with the parts of one rank, and read what it gives. */
static bool run_part(trial *of, dt_mesh *mesh, int rank,
                     const dt_placement *placements, elements *out)
{
    dt_tensor *inputs[MAX_INPUTS], *results[MAX_RESULTS];
    int count = 0;
    dt_scope *scope = dt_scope_open(of->world);
    for (int i = 0; i < of->input_count; i++)
        inputs[i] = own_part(of, mesh, i, rank, &placements[i]);
    bool good =
        trial_call(of, DT_VARIANT_NEW, inputs, results, &count) == DT_OK &&
        count == of->result_count;
    for (int i = 0; good && i < count; i++)
        good = elements_read(of->world, dt_tensor_local(results[i]), &out[i]);
    DT_IGNORE(dt_scope_close(scope));
    return good;
}

/* ---- How results lie ---------------------------------------------------- */

static bool is_shard_of(const trial *of, dt_mesh *mesh, int result, int dim,
                        const elements *parts, int stride, nearness how)
{
    dt_placement placement = dt_shard(dim);
    dt_layout layout = dt_layout_of(&placement, 1);
    dt_spec *spec = NULL;
    bool good = dt_spec_create_with(mesh, &layout, &of->results[result],
                                    &spec) == DT_OK;
    for (int r = 0; good && r < dt_mesh_size(mesh); r++)
        good = is_part(&parts[r * stride], &of->wholes[result], spec,
                       dt_mesh_ranks(mesh)[r], how);
    dt_spec_release(spec);
    return good;
}

/* All ways in which the parts of a result make it up. */
static unsigned ways_of(const trial *of, dt_mesh *mesh, int result,
                        const elements *parts, int stride)
{
    nearness how = {.length = 64};
    const elements *whole = &of->wholes[result];
    int ranks = dt_mesh_size(mesh);
    elements list[MAX_PARTS];
    bool replicated = true;
    unsigned ways = 0;
    for (int r = 0; r < ranks; r++) {
        list[r] = parts[r * stride];
        replicated = replicated && is_part(&list[r], whole, NULL, 0, how);
    }
    if (whole->count == 0)
        return ~AS_WHOLE; /* nothing to be wrong */
    if (replicated)
        return AS_WHOLE | WHAT_WHOLE_IS;
    for (int d = 0; d < whole->shape.ndim; d++)
        if (is_shard_of(of, mesh, result, d, parts, stride, how))
            ways |= AS_SHARD(d);
    for (int op = 0; op < DT_REDUCE_COUNT; op++)
        if (has_reduction((dt_reduce)op, whole->dtype) &&
            combines(list, ranks, (dt_reduce)op, whole, how))
            ways |= AS_PARTIAL(op);
    return ways;
}

/* Find how results lie if inputs lie so; false if nothing comes of it. */
static bool try_parts(trial *of, dt_mesh *mesh, const dt_placement *placements,
                      unsigned *ways)
{
    elements parts[MAX_PARTS][MAX_RESULTS] = {{{0}}};
    int ranks = dt_mesh_size(mesh);
    bool good = true;
    for (int r = 0; good && r < ranks; r++)
        good = run_part(of, mesh, dt_mesh_ranks(mesh)[r], placements, parts[r]);
    for (int i = 0; good && i < of->result_count; i++) {
        ways[i] &= ways_of(of, mesh, i, &parts[0][i], MAX_RESULTS);
        good = ways[i] != 0;
    }
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < of->result_count; i++)
            elements_free(&parts[r][i]);
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
static bool is_offered(const trial *of, const dt_mesh *mesh,
                       const dt_placement *placements, const unsigned *ways)
{
    dt_layout layouts[MAX_INPUTS];
    dt_operation operation;
    const dt_meta *metas[MAX_INPUTS];
    dti_propagation *found = calloc(1, sizeof *found);
    if (!found)
        abort();
    for (int i = 0; i < of->input_count; i++)
        layouts[i] = dt_layout_of(&placements[i], 1);
    found->question = trial_question(of, mesh, layouts, &operation, metas);
    dti_candidates_list(&found->question, 0, found->candidates[0],
                        &found->counts[0]);
    bool offered = false;
    for (int c = 0; !offered && c < found->counts[0]; c++)
        offered = offers(found, &found->candidates[0][c], placements, ways);
    free(found);
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

static void show_inputs(const trial *of, const dt_placement *placements,
                        dti_writer *to)
{
    for (int i = 0; i < of->input_count; i++) {
        if (of->inputs[i].present)
            put_placement(to, placements[i], i == 0);
        else
            dti_put(to, "%sNone", i ? ", " : "");
    }
}

static entry *entry_of(search *at, const dt_placement *placements)
{
    const trial *of = &at->trials[0][0];
    char text[REPORT_TEXT / 2];
    dti_writer to = {text, sizeof text, 0};
    show_inputs(of, placements, &to);
    for (int i = 0; i < at->entry_count; i++)
        if (strcmp(at->entries[i].inputs, text) == 0)
            return &at->entries[i];
    if (at->entry_count == at->capacity) {
        at->capacity = at->capacity ? 2 * at->capacity : 64;
        at->entries =
            realloc(at->entries, (size_t)at->capacity * sizeof *at->entries);
        if (!at->entries)
            abort();
    }
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
    const trial *of = &at->trials[0][0];
    dti_writer to = {one->text, sizeof one->text, 0};
    show_inputs(of, placements, &to);
    dti_put(&to, " -> ");
    for (int i = 0; i < of->result_count; i++)
        put_placement(&to, strongest(ways[i]), i == 0);
    trial_show(of, NULL, NULL, one->where, sizeof one->where);
}

static void tell(search *at, const entry *one)
{
    report_missing(at->on->report, at->row, one->text, one->where);
}

/* Add what a sample says. */
static void note(search *at, const dt_placement *placements, bool valid,
                 bool offered, const unsigned *ways)
{
    const trial *of = &at->trials[0][0];
    entry *one = entry_of(at, placements);
    if (!valid) {
        one->valid = false;
        return;
    }
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
    unsigned ways[MAX_RESULTS];
    bool valid = true, offered = true;
    memset(ways, 0xff, sizeof ways);
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; valid && i < SIZES; i++)
            valid =
                try_parts(&at->trials[m][i], at->meshes[m], placements, ways);
    for (int m = 0; valid && m < MESHES; m++)
        for (int i = 0; offered && i < SIZES; i++)
            offered =
                is_offered(&at->trials[m][i], at->meshes[m], placements, ways);
    note(at, placements, valid, offered, ways);
}

/* Placements of an input: one that is too short to be cut is not, and no
 * indexes are made up. */
static void list_of_input(search *at, int input)
{
    const input_facts *facts = &at->trials[0][0].inputs[input];
    dt_placement all[MAX_PLACEMENTS];
    unsigned reductions = facts->range == SAMPLE_BELOW ? 0 : REDUCTIONS;
    int count = list_placements(facts, false, reductions, all);
    int ranks = dt_mesh_size(at->meshes[MESHES - 1]);
    at->counts[input] = 0;
    for (int i = 0; i < count; i++)
        if (!dt_placement_is_shard(all[i]) ||
            facts->meta.shape.dims[all[i].dim] >= ranks)
            at->lists[input][at->counts[input]++] = all[i];
}

static void try_all(search *at)
{
    const trial *of = &at->trials[0][0];
    unsigned long long total = 1, state = at->on->seed;
    dt_placement placements[MAX_INPUTS];
    for (int i = 0; i < of->input_count; i++) {
        list_of_input(at, i);
        total *= (unsigned long long)at->counts[i];
    }
    bool all = total <= MAX_COMBINATIONS;
    for (unsigned long long k = 0; k < (all ? total : MAX_COMBINATIONS); k++) {
        unsigned long long number = all ? k : draw_number(&state) % total;
        for (int i = 0; i < of->input_count; i++) {
            unsigned long long count = (unsigned long long)at->counts[i];
            placements[i] = at->lists[i][number % count];
            number /= count;
        }
        try_placements(at, placements);
    }
}

/* Tell whether the elements of a result differ. */
static bool differs(const elements *of)
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
static bool is_telling(const trial *of)
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

static void search_sample(search *at, const dti_operator *op,
                          const sample *from, dt_dtype dtype)
{
    static const draw draws[SIZES] = {DRAW_UNEVEN, DRAW_EVEN, DRAW_UNEVEN};
    bool good = true;
    unsigned long long state = at->on->seed;
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; i < SIZES; i++) {
            int64_t letters[SAMPLE_LETTERS];
            int ranks = dt_mesh_size(at->meshes[m]);
            /* Twice as many: no part has less than two elements. */
            draw_letters(draws[i], sample_letters(from, &op->schema),
                         i == 2 ? 2 * ranks : ranks, &state, letters);
            trial *one = &at->trials[m][i];
            const trial_options with = {.dtype = dtype, .letters = letters};
            good &= trial_make(at->on->world, op, from, &with, one);
            good = good && is_telling(one);
        }
    if (good)
        try_all(at);
    for (int m = 0; m < MESHES; m++)
        for (int i = 0; i < SIZES; i++)
            trial_free(&at->trials[m][i]);
}

static void search_samples(search *at, const dti_operator *op)
{
    dt_status status = DT_OK;
    dt_error error;
    sample *one = malloc(sizeof *one);
    if (!one)
        abort();
    dt_dtype dtype = main_dtype(sample_dtypes(op->op->dtypes));
    const char *text = op->op->samples;
    while (status == DT_OK &&
           sample_next(&text, &op->schema, one, &status, &error))
        if (status == DT_OK)
            search_sample(at, op, one, dtype);
    tell_partial(at);
    free(one);
}

void find_missing(const engine *on, const char *name, dt_mesh *const *meshes)
{
    dti_operator *op = NULL;
    if (dti_operator_find(on->world, name, &op) != DT_OK || !op->op->kernel ||
        op->op->flags & DT_OP_RANDOM || !op->op->samples)
        return;
    search *at = calloc(1, sizeof *at);
    if (!at)
        abort();
    at->on = on;
    at->row = report_row_of(on->report, name);
    at->row->searched = true;
    memcpy(at->meshes, meshes, sizeof at->meshes);
    search_samples(at, op);
    free(at->entries);
    free(at);
}
