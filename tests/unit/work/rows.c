/* tests/unit/work/rows.c - every operator gives the same bits with one thread
 * and with several, at sizes that threads share. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "op/registry.h"
#include "support/check.h"
#include "verify/sample.h"
#include "verify/trial.h"
#include "work/work.h"

enum {
    THREADS = 3,
    LARGE = 3 * (DTI_WORK_LEAST / 4),
};

static const size_t memory_limit = (size_t)512 << 20;

/* All dtypes of an operator, not only the first. */
static bool takes_all(void)
{
    return getenv("DT_TEST_FULL") != NULL;
}

/* ---- Inputs -------------------------------------------------------------- */

/* Numbers whose sums round, so that another order shows. */
static double draw_number(const dti_trial_input *input, uint64_t *random)
{
    const double unit =
        (double)(dti_draw_number((unsigned long long *)random) >> 11) * 0x1p-53;
    const dt_dtype_kind kind = dt_dtype_kind_of(input->meta.dtype);
    if (input->range == DTI_SAMPLE_BELOW)
        return floor(unit * (double)input->below);
    if (kind != DT_KIND_FLOAT && kind != DT_KIND_COMPLEX)
        return input->range == DTI_SAMPLE_ANY ? floor(unit * 9) - 4
                                              : floor(unit * 4) + 1;
    return input->range == DTI_SAMPLE_FRACTION   ? 0.05 + 0.9 * unit
           : input->range == DTI_SAMPLE_POSITIVE ? 0.1 + 2 * unit
                                                 : 4 * unit - 2;
}

static dt_tensor *make_input(dt_world *world, const dti_trial_input *input,
                             int number)
{
    if (!input->present)
        return NULL;
    dt_tensor *tensor = dt_empty(dt_world_own_mesh(world), "R",
                                 input->meta.dtype, input->meta.shape);
    if (!tensor)
        return NULL;
    dt_array *array = dt_tensor_local(tensor);
    const int64_t item = (int64_t)dt_dtype_size(array->dtype);
    char *data = dt_array_data(array);
    uint64_t random = (uint64_t)number + 7;
    for (int64_t i = 0; i < array->count; i++) {
        const double value = draw_number(input, &random);
        dti_cast(&value, DT_F64, data + i * item, array->dtype, 1);
    }
    return tensor;
}

/* ---- Results ------------------------------------------------------------- */

static bool has_same_bits(dt_world *world, dt_tensor *a, dt_tensor *b)
{
    dt_array *first = NULL, *second = NULL;
    if (!a || !b)
        return a == b;
    /* More than fits into memory is a view of few elements. */
    if (dt_array_bytes(dt_tensor_local(a)) > memory_limit)
        return true;
    CHECK_OK(world, dt_array_contiguous(world, dt_tensor_local(a), &first));
    CHECK_OK(world, dt_array_contiguous(world, dt_tensor_local(b), &second));
    const bool same = first && second &&
                      dt_array_bytes(first) == dt_array_bytes(second) &&
                      (first->count == 0 || memcmp(dt_array_const_data(first),
                                                   dt_array_const_data(second),
                                                   dt_array_bytes(first)) == 0);
    dt_array_release(first);
    dt_array_release(second);
    return same;
}

/* Call with some threads; gives how many results there are, or -1.  The results
 * of a second call may not fit beside those of the first. */
static int call(dti_trial *trial, int threads, dt_tensor *const *inputs,
                dt_tensor **results)
{
    int count = 0;
    dti_work_use(trial->world, threads);
    if (dti_trial_call(trial, DT_VARIANT_NEW, inputs, results, &count) == DT_OK)
        return count;
    CHECK(threads == 1 ||
          dt_world_error(trial->world)->code == DT_ERR_NO_MEMORY);
    dt_world_clear_error(trial->world);
    return -1;
}

/* ---- Trials -------------------------------------------------------------- */

/* Gives whether the call could be made. */
static bool compare(dti_trial *trial)
{
    dt_world *world = trial->world;
    dt_tensor *inputs[DTI_TRIAL_INPUTS], *alone[DTI_TRIAL_RESULTS];
    dt_tensor *helped[DTI_TRIAL_RESULTS];
    dt_scope *scope = dt_scope_open(world);
    for (int i = 0; i < trial->input_count; i++)
        inputs[i] = make_input(world, &trial->inputs[i], i);
    const int count = call(trial, 1, inputs, alone);
    const int again = count < 0 ? -1 : call(trial, THREADS, inputs, helped);
    for (int i = 0; i < again; i++)
        CHECKF(has_same_bits(world, alone[i], helped[i]),
               "%s%.*s: result %d differs", trial->op->schema.name,
               trial->from->length, trial->from->text, i);
    DT_IGNORE(dt_scope_close(scope));
    return again >= 0;
}

/* Elements of the largest input. */
static int64_t largest_of(const dti_trial *trial)
{
    int64_t most = 0;
    for (int i = 0; i < trial->input_count; i++) {
        const dti_trial_input *input = &trial->inputs[i];
        const int64_t count =
            input->present ? dt_shape_count(input->meta.shape) : 0;
        most = count > most ? count : most;
    }
    return most;
}

/* Try letters of one value: the largest with which inputs are not too large,
 * and fewer if results then are. */
static void try_sample(dt_world *world, const dti_operator *op,
                       const dti_sample *sample, dt_dtype dtype)
{
    static dti_trial trial;
    int64_t letters[DTI_SAMPLE_LETTERS];
    bool done = dti_sample_letters(sample, &op->schema) == 0;
    for (int64_t value = LARGE; value >= 16 && !done; value = value * 2 / 3) {
        const dti_trial_options with = {
            .dtype = dtype, .letters = letters, .most = LARGE};
        for (int i = 0; i < DTI_SAMPLE_LETTERS; i++)
            letters[i] = value;
        if (dti_trial_describe(world, op, sample, &with, &trial)) {
            done = compare(&trial) || largest_of(&trial) < LARGE / 16;
            value /= 2;
        }
        dti_trial_free(&trial);
    }
}

static void try_row(dt_world *world, const dt_op *row)
{
    char name[DTI_NAME_SIZE];
    dti_operator *op = NULL;
    dti_sample sample;
    dt_status status = DT_OK;
    dt_error error;
    const char *text = row->samples;
    const unsigned dtypes = dti_sample_dtypes(row->dtypes);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(row->schema, "("),
             row->schema);
    if (!text || dti_operator_find(world, name, &op) != DT_OK ||
        dti_schema_only_in_place(&op->schema))
        return;
    while (dti_sample_next(&text, &op->schema, &sample, &status, &error) &&
           status == DT_OK) {
        bool tried = false;
        for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
            if (dtypes >> dtype & 1 && (!tried || takes_all())) {
                try_sample(world, op, &sample, (dt_dtype)dtype);
                tried = true;
            }
    }
}

static void every_row_has_the_same_bits(dt_world *unused)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    const char *only = getenv("DT_TEST_ONLY");
    (void)unused;
    options.ranks = 1;
    options.transport = "threads";
    options.threads = THREADS;
    options.memory_limit = memory_limit;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    for (int t = 0; world && dti_op_tables[t]; t++)
        for (const dt_op *row = dti_op_tables[t]; row->schema; row++)
            if (!only || strncmp(row->schema, only, strlen(only)) == 0)
                try_row(world, row);
    dt_world_clear_error(world);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"every row has the same bits", every_row_has_the_same_bits},
    {NULL, NULL},
};
