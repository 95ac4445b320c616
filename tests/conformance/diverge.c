/* ranks: 2 3 */
/* tests/conformance/diverge.c - a rank that calls another operator, or gives
 * any argument another value, is found; generated from the rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "verify/verifier.h"

/*
 * Each row is tried with its first sample that works.  All ranks but the last
 * make the call; the last one makes it with one argument changed, or calls
 * another row whose collectives are the same, so that nothing but the history
 * of the mesh tells them apart.  Where the calls themselves do not communicate,
 * dt_world_check compares.
 */

/* A row with its sample; `made` points into it. */
typedef struct candidate {
    const dti_operator *op;
    dti_sample from;
    dti_trial made;
    uint64_t signature; /* of the collectives of the call */
} candidate;

static bool is_odd(dt_world *world)
{
    return dt_world_rank(world) == dt_world_size(world) - 1;
}

/* ---- Calls -------------------------------------------------------------- */

/* Make a call of a row that works on one rank; NULL if it has none. */
static candidate *make_candidate(dt_world *world, const dt_op *row)
{
    char name[DTI_NAME_SIZE];
    dti_operator *op = NULL;
    const char *text = row->samples;
    candidate *out = calloc(1, sizeof *out);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(row->schema, "("),
             row->schema);
    if (!out || !text || dti_operator_find(world, name, &op) != DT_OK) {
        free(out);
        return NULL;
    }
    out->op = op;
    dt_status status;
    dt_error error;
    dt_dtype dtype = dti_main_dtype(dti_sample_dtypes(row->dtypes));
    while (dti_sample_next(&text, &op->schema, &out->from, &status, &error) &&
           status == DT_OK) {
        int64_t letters[DTI_SAMPLE_LETTERS];
        unsigned long long random = 3;
        dti_draw_letters(DTI_DRAW_EVEN,
                         dti_sample_letters(&out->from, &op->schema),
                         dt_world_size(world), &random, letters);
        const dti_trial_options with = {.dtype = dtype, .letters = letters};
        if (dti_trial_make(world, op, &out->from, &with, &out->made) &&
            out->made.status == DT_OK)
            return out;
        dti_trial_free(&out->made);
        memset(&out->made, 0, sizeof out->made);
    }
    free(out);
    return NULL;
}

static void free_candidate(candidate *of)
{
    if (!of)
        return;
    dti_trial_free(&of->made);
    free(of);
}

/* An input of a call, sharded along its first dimension if that is wanted and
 * it has one. */
static dt_tensor *place(dt_mesh *mesh, const dti_trial_input *facts,
                        bool shards)
{
    dt_spec *spec = NULL;
    dt_world *world = dt_mesh_world(mesh);
    dt_placement placement =
        shards && facts->meta.shape.ndim > 0 ? dt_shard(0) : dt_replicate();
    dt_layout layout = dt_layout_of(&placement, 1);
    if (!facts->present ||
        dt_spec_create_with(mesh, &layout, &facts->meta, &spec) != DT_OK)
        return NULL;
    dt_array *array = dti_trial_input_part(facts, spec, dt_world_rank(world));
    dt_tensor *out = dt_tensor_assemble(spec, array);
    dt_array_release(array);
    dt_spec_release(spec);
    return out;
}

static dt_status call(candidate *of, dt_mesh *mesh, bool shards)
{
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *results[DTI_TRIAL_RESULTS];
    int count = 0;
    bool in_place = of->op->op->flags & DT_OP_IN_PLACE &&
                    dti_schema_only_in_place(&of->op->schema);
    dt_variant form = in_place ? DT_VARIANT_IN_PLACE : DT_VARIANT_NEW;
    for (int i = 0; i < of->made.input_count; i++)
        inputs[i] = place(mesh, &of->made.inputs[i], shards);
    return dti_trial_call(&of->made, form, inputs, results, &count);
}

/* ---- Signatures --------------------------------------------------------- */

/* What collectives a call makes with sharded inputs, as one number. */
static uint64_t sign(dt_world *world, dt_mesh *mesh, candidate *of)
{
    size_t count = 0;
    uint64_t hash = 1;
    dt_scope *scope = dt_scope_open(world);
    dt_trace_record(world, true);
    dt_trace_clear(world);
    dt_status status = call(of, mesh, true);
    const dt_trace_event *events = dt_trace_events(world, &count);
    for (size_t i = 0; i < count; i++) {
        hash = dti_hash_mix(hash, (uint64_t)events[i].kind);
        hash = dti_hash_mix(hash, (uint64_t)events[i].op);
        hash = dti_hash_mix(hash, (uint64_t)events[i].dtype);
        hash = dti_hash_mix(hash, (uint64_t)events[i].count);
    }
    dt_trace_record(world, false);
    CHECKF(status == DT_OK, "%s: %s", of->op->schema.name,
           dt_world_error(world)->message);
    DT_IGNORE(dt_scope_close(scope));
    return hash;
}

/* ---- All rows ----------------------------------------------------------- */

/* A row that can be tried, and its signature on rank 0. */
typedef struct signed_row {
    const dt_op *row;
    int number;
    int64_t signature;
} signed_row;

static int count_rows(void)
{
    int count = 0;
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++)
            count++;
    return count;
}

/* Have all ranks take the signatures of rank 0. */
static void agree(dt_world *world, signed_row *rows, int count)
{
    dt_array *all = NULL;
    if (!CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(count), &all)))
        return;
    int64_t *values = dt_array_data(all);
    for (int i = 0; i < count; i++)
        values[i] = rows[i].signature;
    CHECK_OK(world, dt_group_broadcast(dt_world_group(world), 0, all));
    for (int i = 0; i < count; i++)
        rows[i].signature = values[i];
    dt_array_release(all);
}

static int compare_signatures(const void *a, const void *b)
{
    const signed_row *left = a, *right = b;
    if (left->signature != right->signature)
        return left->signature < right->signature ? -1 : 1;
    return left->number - right->number;
}

/* Sign all rows that have samples, those with the same collectives beside one
 * another; gives how many there are. */
static int sign_rows(dt_world *world, dt_mesh *mesh, signed_row *out)
{
    int count = 0;
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++) {
            candidate *of = make_candidate(world, row);
            if (of) {
                int64_t signature = (int64_t)sign(world, mesh, of);
                out[count] = (signed_row){row, count, signature};
                count++;
            }
            free_candidate(of);
        }
    agree(world, out, count);
    qsort(out, (size_t)count, sizeof *out, compare_signatures);
    return count;
}

/* ---- Two rows ----------------------------------------------------------- */

/* All ranks are told, with the names of both. */
static void check_told(dt_world *world, const char *even, const char *odd)
{
    const dt_error *error = dt_world_error(world);
    CHECKF(error->code == DT_ERR_DIVERGED && strstr(error->message, even) &&
               strstr(error->message, odd),
           "%s, %s: %s: %s", even, odd, dt_status_name(error->code),
           error->message);
}

/* Compare, if the calls have not told; then begin anew. */
static void end_case(dt_world *world, dt_scope *scope, dt_status status,
                     const char *even, const char *odd)
{
    if (status != DT_ERR_DIVERGED && status != DT_ERR_PEER)
        DT_IGNORE(dt_world_check(world));
    check_told(world, even, odd);
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_recover(world));
}

static void try_rows(dt_world *world, dt_mesh *mesh, const dt_op *even,
                     const dt_op *odd)
{
    candidate *both[2] = {make_candidate(world, even),
                          make_candidate(world, odd)};
    if (CHECK(both[0] && both[1])) {
        dt_scope *scope = dt_scope_open(world);
        end_case(world, scope, call(both[is_odd(world)], mesh, true),
                 both[0]->op->schema.name, both[1]->op->schema.name);
    }
    free_candidate(both[0]);
    free_candidate(both[1]);
}

/* Try the rows of one signature: each with the next, or with all. */
static int try_signature(dt_world *world, dt_mesh *mesh, const signed_row *rows,
                         int count, bool all)
{
    int tried = 0;
    for (int i = 0; i < count; i++)
        for (int k = 1; k < (all ? count : 2) && count > 1; k++, tried++)
            try_rows(world, mesh, rows[i].row, rows[(i + k) % count].row);
    return tried;
}

static void tells_rows_apart(dt_world *world)
{
    if (dt_test_skip_uncompared(world))
        return;
    dt_mesh *mesh = NULL;
    int tried = 0;
    bool all = getenv("DT_TEST_FULL") != NULL;
    signed_row *rows = calloc((size_t)count_rows(), sizeof *rows);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    int count = rows ? sign_rows(world, mesh, rows) : 0;
    for (int i = 0, next; i < count; i = next) {
        for (next = i;
             next < count && rows[next].signature == rows[i].signature;)
            next++;
        tried += try_signature(world, mesh, rows + i, next - i, all);
    }
    CHECKF(tried > 200, "%d pairs", tried);
    free(rows);
    dt_mesh_release(mesh);
}

/* ---- One argument ------------------------------------------------------- */

/* Another value of an argument that has one; it need not make sense. */
static void change_value(dti_trial *of, int place)
{
    const dti_parameter *parameter = &of->op->schema.parameters[place];
    dt_argument *one = &of->arguments[place];
    bool dtype = parameter->type == DTI_TYPE_DTYPE ||
                 parameter->type == DTI_TYPE_OPTIONAL_DTYPE;
    switch (one->kind) {
    case DT_ARG_NUMBER:
        if (one->as.number.kind == DT_KIND_FLOAT)
            one->as.number.as.real =
                one->as.number.as.real == 0.25 ? 0.5 : 0.25;
        else
            one->as.number.as.integer ^= 1;
        break;
    case DT_ARG_REAL:
        one->as.real = one->as.real == 0.25 ? 0.5 : 0.25;
        break;
    case DT_ARG_INTEGER:
        one->as.integer = dtype ? (one->as.integer == DT_F64 ? DT_F32 : DT_F64)
                                : one->as.integer ^ 1;
        break;
    case DT_ARG_TEXT:
        one->as.text = strcmp(one->as.text, "mean") == 0 ? "sum" : "mean";
        break;
    case DT_ARG_INTEGERS:
        of->integers[place][0] = one->count ? one->as.integers[0] ^ 1 : 0;
        for (int i = 1; i < one->count; i++)
            of->integers[place][i] = one->as.integers[i];
        one->as.integers = of->integers[place];
        one->count += one->count == 0;
        break;
    default:
        break;
    }
}

/* The same for lists of numbers, and for what is absent. */
static void change(dti_trial *of, int place)
{
    dt_argument *one = &of->arguments[place];
    dt_argument_kind kind =
        dti_types[of->op->schema.parameters[place].type].kind;
    if (one->kind == DT_ARG_NUMBERS) {
        for (int i = 0; i < one->count; i++)
            of->numbers[place][i] = one->as.numbers[i];
        of->numbers[place][0] = dt_real(0.125);
        one->as.numbers = of->numbers[place];
        one->count += one->count == 0;
    } else if (one->kind == DT_ARG_NONE) {
        *one = (dt_argument){.kind = kind, .as.integer = DT_F64};
        if (kind == DT_ARG_NUMBER)
            one->as.number = dt_integer(1);
    } else {
        change_value(of, place);
    }
}

/* One rank changes one argument. */
static void try_argument(dt_world *world, dt_mesh *mesh, const dt_op *row,
                         int place)
{
    char text[DTI_NAME_SIZE + 1];
    candidate *of = make_candidate(world, row);
    if (!CHECK(of != NULL))
        return;
    snprintf(text, sizeof text, "%s=", of->op->schema.parameters[place].name);
    dt_scope *scope = dt_scope_open(world);
    if (is_odd(world))
        change(&of->made, place);
    end_case(world, scope, call(of, mesh, false), of->op->schema.name, text);
    free_candidate(of);
}

static int try_arguments(dt_world *world, dt_mesh *mesh, const dt_op *row)
{
    candidate *of = make_candidate(world, row);
    if (!of)
        return 0;
    const dti_operator *op = of->op;
    free_candidate(of);
    for (int i = 0; i < op->scalar_count; i++)
        try_argument(world, mesh, row, op->scalars[i]);
    return op->scalar_count;
}

static void tells_arguments_apart(dt_world *world)
{
    if (dt_test_skip_uncompared(world))
        return;
    dt_mesh *mesh = NULL;
    int tried = 0;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++)
            tried += try_arguments(world, mesh, row);
    CHECKF(tried > 200, "%d arguments", tried);
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"tells rows apart", tells_rows_apart},
    {"tells arguments apart", tells_arguments_apart},
    {NULL, NULL},
};
