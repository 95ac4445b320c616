/* tests/unit/op/registry.c - the operators of a world, by their numbers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/sys/op.h>

#include "op/registry.h"
#include "ops/numbers.h"
#include "support/check.h"

/* The names that numbers were written for. */
static const char *const names[] = {
#include "ops/names.inc"
};

static dt_status no_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status no_kernel(dt_operation *operation)
{
    (void)operation;
    return DT_OK;
}

static const dt_op added = {
    .size = sizeof(dt_op),
    .schema = "tests_added(Tensor self) -> Tensor",
    .meta = no_meta,
    .kernel = no_kernel,
};

static int count_rows(dt_world *world)
{
    int count = 0;
    while (dt_op_at(world, count))
        count++;
    return count;
}

static void numbers_the_rows_of_the_library(dt_world *world)
{
    int count = count_rows(world);
    CHECK_INT(count, OP_COUNT);
    for (int i = 0; i < count && i < OP_COUNT; i++) {
        size_t length = strlen(names[i]);
        const dt_op *op = dt_op_at(world, i);
        CHECKF(strncmp(op->schema, names[i], length) == 0 &&
                   op->schema[length] == '(',
               "number %d is %s", i, op->schema);
    }
    CHECK(!dt_op_at(world, -1));
    CHECK(!dt_op_at(world, count + 1));
}

static void numbers_added_rows_last(dt_world *world)
{
    int count = count_rows(world);
    CHECK_OK(world, dt_op_register(world, &added));
    CHECK(dt_op_at(world, count)->schema == added.schema);
    CHECK_INT(count_rows(world), count + 1);
}

static void sizes_all_rows(dt_world *world)
{
    for (int i = 0; dt_op_at(world, i); i++)
        CHECK_INT(dt_op_at(world, i)->size, sizeof(dt_op));
}

/* ---- Sizes of rows ------------------------------------------------------ */

/* A row that ends before a field is that of an older program: what lies after
 * its end is not read, and the row need not stay. */
static void accepts_older_rows(dt_world *world)
{
    dt_op row = added;
    int number = count_rows(world);
    row.size = offsetof(dt_op, copies);
    row.schema = "tests_older(Tensor self) -> Tensor";
    row.copies = (bool (*)(const dt_operation *))(uintptr_t)1;
    CHECK_OK(world, dt_op_register(world, &row));
    memset(&row, 0xff, sizeof row);
    const dt_op *kept = dt_op_at(world, number);
    CHECK_INT(kept->size, sizeof(dt_op));
    CHECK(kept->meta == no_meta && kept->kernel == no_kernel);
    CHECK(!kept->copies);
    row = added;
    row.size = offsetof(dt_op, samples);
    row.schema = "tests_oldest(Tensor self) -> Tensor";
    row.samples = row.dtypes = (const char *)(uintptr_t)1;
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK(!dt_op_at(world, number + 1)->samples);
}

static void accepts_newer_rows(dt_world *world)
{
    struct {
        dt_op row;
        int64_t more;
    } newer = {added, 0};
    newer.row.size = sizeof newer;
    newer.row.schema = "tests_newer(Tensor self) -> Tensor";
    newer.more = 1;
    CHECK_FAILS(world, dt_op_register(world, &newer.row), DT_ERR_INVALID,
                "DT_OP_INIT");
    newer.more = 0;
    CHECK_OK(world, dt_op_register(world, &newer.row));
}

static void refuses_rows_without_a_size(dt_world *world)
{
    dt_op row = DT_OP_INIT;
    CHECK_INT(row.size, sizeof row);
    CHECK_FAILS(world, dt_op_register(world, &row), DT_ERR_INVALID, "schema");
    CHECK_FAILS(world, dt_op_register(world, NULL), DT_ERR_INVALID, "schema");
    row = added;
    row.schema = "tests_sizeless(Tensor self) -> Tensor";
    row.size = 0;
    CHECK_FAILS(world, dt_op_register(world, &row), DT_ERR_INVALID,
                "DT_OP_INIT");
}

/* ---- Defaults ----------------------------------------------------------- */

/* Write a default as a schema does. */
static void show_value(dti_type type, int64_t value, char text[64])
{
    size_t length = 0;
    const char *name = dti_type_value_name(type, value, &length);
    snprintf(text, 64, "%.*s", (int)length, name ? name : "");
}

static void show(const dt_argument *argument, dti_type type, char text[64])
{
    const dt_number *number = &argument->as.number;
    if (argument->kind == DT_ARG_NONE)
        strcpy(text, "None");
    else if (argument->kind == DT_ARG_TEXT)
        snprintf(text, 64, "%s", argument->as.text);
    else if (argument->kind == DT_ARG_REAL)
        snprintf(text, 64, "%.17g", argument->as.real);
    else if (argument->kind == DT_ARG_NUMBER && number->kind == DT_KIND_BOOLEAN)
        strcpy(text, dt_number_is(*number, 1) ? "true" : "false");
    else if (argument->kind == DT_ARG_NUMBER)
        snprintf(text, 64, "%.17g", dt_number_real(*number));
    else if (type == DTI_TYPE_BOOL)
        strcpy(text, argument->as.integer ? "true" : "false");
    else if (type == DTI_TYPE_DTYPE || type == DTI_TYPE_OPTIONAL_DTYPE)
        strcpy(text, dt_dtype_name((dt_dtype)argument->as.integer));
    else if (dti_types[type].values)
        show_value(type, argument->as.integer, text);
    else if (argument->kind == DT_ARG_INTEGER)
        snprintf(text, 64, "%lld", (long long)argument->as.integer);
    else
        strcpy(text, argument->count == 0 ? "[]" : "a list");
}

static bool says(const char *schema, const char *shown)
{
    char *end = NULL, *other = NULL;
    double a = strtod(schema, &end), b = strtod(shown, &other);
    if (*schema && !*end && *shown && !*other)
        return a == b;
    return strcmp(schema, shown) == 0;
}

static int check_defaults(dt_world *world, const dti_operator *op)
{
    int count = 0;
    for (int i = 0; i < op->schema.count; i++) {
        const dti_parameter *parameter = &op->schema.parameters[i];
        dt_argument argument = {.kind = DT_ARG_TENSOR};
        char text[64] = "";
        if (!parameter->text[0]) {
            CHECK_FAILS(world,
                        dt_op_default(world, op->schema.name, parameter->name,
                                      &argument),
                        DT_ERR_NOT_FOUND, "has no default");
            continue;
        }
        CHECK_OK(world, dt_op_default(world, op->schema.name, parameter->name,
                                      &argument));
        show(&argument, parameter->type, text);
        CHECKF(says(parameter->text, text), "%s: %s is %s, not %s",
               op->schema.name, parameter->name, parameter->text, text);
        count++;
    }
    return count;
}

static void tells_every_default(dt_world *world)
{
    dti_operators *all = dti_operators_of(world);
    int count = 0;
    for (int i = 0; i < all->count; i++)
        count += check_defaults(world, dti_operator_at(world, all, i));
    CHECKF(count > 150, "%d defaults", count);
}

static void tells_defaults_by_name(dt_world *world)
{
    dt_argument argument;
    CHECK_OK(world, dt_op_default(world, "hardtanh", "min_val", &argument));
    CHECK_INT(argument.kind, DT_ARG_NUMBER);
    CHECK(dt_number_is(argument.as.number, -1));
    CHECK_OK(world, dt_op_default(world, "gelu", "approximate", &argument));
    CHECK_INT(argument.kind, DT_ARG_INTEGER);
    CHECK_INT(argument.as.integer, DT_APPROXIMATE_NONE);
    CHECK_OK(world, dt_op_default(world, "softmax", "dtype", &argument));
    CHECK_INT(argument.kind, DT_ARG_NONE);
    CHECK_FAILS(world, dt_op_default(world, "nothing", "dtype", &argument),
                DT_ERR_NOT_FOUND, "nothing");
    CHECK_FAILS(world, dt_op_default(world, "gelu", "nothing", &argument),
                DT_ERR_NOT_FOUND, "nothing");
    CHECK_FAILS(world, dt_op_default(world, NULL, "dtype", &argument),
                DT_ERR_INVALID, "name is NULL");
    CHECK_FAILS(world, dt_op_default(world, "gelu", NULL, &argument),
                DT_ERR_INVALID, "argument is NULL");
}

const dt_test dt_tests[] = {
    {"numbers the rows of the library", numbers_the_rows_of_the_library},
    {"numbers added rows last", numbers_added_rows_last},
    {"sizes all rows", sizes_all_rows},
    {"accepts older rows", accepts_older_rows},
    {"accepts newer rows", accepts_newer_rows},
    {"refuses rows without a size", refuses_rows_without_a_size},
    {"tells every default", tells_every_default},
    {"tells defaults by name", tells_defaults_by_name},
    {NULL, NULL},
};
