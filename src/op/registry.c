/* op/registry.c - the operators of a world: built in and registered. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/registry.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/options.h"
#include "op/gradient/formula.h"
#include "tensor/remember.h"
#include "trace/trace.h"

/* Decisions that are kept before those not used lately are dropped. */
#define KEPT_DECISIONS 4096

/* ---- Names -------------------------------------------------------------- */

/* The name of a row is its schema up to the bracket. */
static size_t name_length(const dt_op *op)
{
    return strcspn(op->schema, "(");
}

static int find_number(const dti_operators *all, const char *name,
                       size_t length)
{
    for (int i = 0; i < all->count; i++)
        if (name_length(all->rows[i]) == length &&
            memcmp(all->rows[i]->schema, name, length) == 0)
            return i;
    return -1;
}

static bool has_name(const void *value, const void *key)
{
    return strcmp(((const dti_operator *)value)->schema.name, key) == 0;
}

/* ---- Opening and closing ------------------------------------------------ */

static void free_operator(dti_operator *op)
{
    if (op)
        dti_formula_free(op->formula);
    free(op);
}

static void close_operators(dt_world *world, void *state)
{
    dti_operators *all = state;
    if (world->settings.verify_to >= 0 && world->rank == 0)
        dti_operators_verify(world);
    dti_decisions_free(&all->decisions);
    dti_map_clear(&all->names);
    for (int i = 0; i < all->count; i++)
        free_operator(all->read[i]);
    free(all->read);
    free(all->rows);
    free(all);
}

static dt_cache_counter count_decisions(const void *state)
{
    const dti_operators *all = state;
    return (dt_cache_counter){all->decisions.count, all->hits, all->misses};
}

/* Free all decisions, for a public function.  A call that is under way reads
 * its own. */
static dt_status free_decisions(dt_world *world, dti_operators *all,
                                const char *function)
{
    const char *running = dti_trace_operator(world);
    if (running)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: called by a function of %s, which is running; "
                        "call it between operators",
                        function, running);
    dti_decisions_free(&all->decisions);
    return DT_OK;
}

static dt_status clear_decisions(dt_world *world, void *state)
{
    dti_operators *all = state;
    DTI_TRY(free_decisions(world, all, "dt_world_clear_caches"));
    all->hits = all->misses = 0;
    return DT_OK;
}

static const dti_room_functions functions = {.close = close_operators,
                                             .count = count_decisions,
                                             .clear = clear_decisions};

static dt_status make_room(dt_world *world, dti_operators *all, int more)
{
    size_t capacity = (size_t)all->count + (size_t)more;
    if (capacity <= (size_t)all->capacity)
        return DT_OK;
    const dt_op **rows = realloc(all->rows, capacity * sizeof *rows);
    if (rows)
        all->rows = rows;
    dti_operator **read = realloc(all->read, capacity * sizeof *read);
    if (read)
        all->read = read;
    if (!rows || !read)
        return dti_fail_memory(world, capacity * sizeof *rows, "operators");
    all->capacity = (int)capacity;
    return DT_OK;
}

static void put_row(dti_operators *all, const dt_op *op, dti_operator *read)
{
    all->rows[all->count] = op;
    all->read[all->count++] = read;
}

static dt_status add_tables(dt_world *world, dti_operators *all)
{
    int count = 0;
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *op = dti_op_tables[t]; op->schema; op++)
            count++;
    DTI_TRY(make_room(world, all, count));
    for (int t = 0; dti_op_tables[t]; t++)
        for (const dt_op *op = dti_op_tables[t]; op->schema; op++)
            put_row(all, op, NULL);
    all->built_in = all->count;
    return DT_OK;
}

static dti_operators *open_operators(dt_world *world)
{
    dti_operators *all = calloc(1, sizeof *all);
    if (!all) {
        dti_fail_memory(world, sizeof *all, "the operators of a world");
        return NULL;
    }
    all->sweep_at = KEPT_DECISIONS;
    if (add_tables(world, all) != DT_OK) {
        close_operators(world, all);
        return NULL;
    }
    dti_world_attach(world, DTI_ROOM_OP, all, &functions);
    return all;
}

dti_operators *dti_operators_of(dt_world *world)
{
    dti_operators *all = dti_world_room(world, DTI_ROOM_OP);
    return all ? all : open_operators(world);
}

/* ---- Reading rows ------------------------------------------------------- */

/* A row that cannot be read is a programmer's mistake; the sentence says
 * which. */
static dt_status check_row(const dti_operator *one, dt_error *error)
{
    const dti_schema *schema = &one->schema;
    if (one->op->compose && !one->op->kernel)
        return DT_OK;
    if (one->op->compose && !one->op->composes)
        return dti_error_set(
            error, DT_ERR_FORMAT,
            "`composes` is required with both `kernel` and `compose`");
    if (schema->results == DTI_RESULTS_NONE)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "an operator without results must have `compose`");
    if (!one->op->meta || !one->op->kernel)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "it needs `meta` and `kernel`, or `compose`");
    if (schema->tensor_count > DT_MAX_FACTOR_MAPS)
        return dti_error_set(error, DT_ERR_FORMAT, "too many tensor arguments");
    for (int i = 0; i + 1 < schema->tensor_count; i++)
        if (dti_types[schema->parameters[schema->tensors[i]].type].kind ==
            DT_ARG_TENSORS)
            return dti_error_set(
                error, DT_ERR_FORMAT,
                "a tensor list must be the last tensor argument");
    return DT_OK;
}

/* How a value of a type is remembered, where its argument does not say. */
static dti_field field_of(dti_type type)
{
    switch (type) {
    case DTI_TYPE_BOOL:
        return DTI_FIELD_BOOLEAN;
    case DTI_TYPE_DTYPE:
    case DTI_TYPE_OPTIONAL_DTYPE:
        return DTI_FIELD_DTYPE;
    default:
        return DTI_FIELD_INTEGER;
    }
}

/* Name the first inputs.  Only the last of the tensors may be a list. */
static void name_inputs(dti_operator *op)
{
    int last = op->schema.tensor_count - 1;
    for (int i = 0; i < DTI_NAMED_INPUTS && last >= 0; i++) {
        const dti_parameter *parameter =
            &op->schema.parameters[op->schema.tensors[i < last ? i : last]];
        bool list = dti_types[parameter->type].kind == DT_ARG_TENSORS;
        op->input_names[i] = parameter->name;
        op->input_places[i] = list ? i - last + 1 : 0;
    }
}

/* Tell whether ranks compare the value of a parameter as it is: tensors,
 * generators and meshes are compared as what they are, a layout may be written
 * in several ways, and arrays and functions are a rank's own. */
static bool is_scalar(dti_type type)
{
    static const bool others[DTI_TYPE_COUNT] = {
        [DTI_TYPE_TENSOR] = true,          [DTI_TYPE_OPTIONAL_TENSOR] = true,
        [DTI_TYPE_TENSORS] = true,         [DTI_TYPE_OPTIONAL_TENSORS] = true,
        [DTI_TYPE_GENERATOR] = true,       [DTI_TYPE_MESH] = true,
        [DTI_TYPE_OPTIONAL_MESH] = true,   [DTI_TYPE_LAYOUT] = true,
        [DTI_TYPE_OPTIONAL_LAYOUT] = true, [DTI_TYPE_OPTIONAL_ARRAY] = true,
        [DTI_TYPE_FUNCTION] = true};
    return !others[type];
}

static void list_scalars(dti_operator *op)
{
    for (int i = 0; i < op->schema.count; i++) {
        dti_type type = op->schema.parameters[i].type;
        if (!is_scalar(type))
            continue;
        op->scalar_fields[op->scalar_count] = (uint8_t)field_of(type);
        op->scalars[op->scalar_count++] = i;
    }
}

static dt_status read_row(const dt_op *op, dti_operator *out, dt_error *error)
{
    out->row = *op;
    out->row.size = sizeof *op; /* rows of the library need not say it */
    out->op = &out->row;
    DTI_TRY(dti_schema_parse(op->schema, &out->schema, error));
    out->hash = dti_hash_text(out->schema.name);
    for (int i = 0; i < out->schema.count; i++)
        if (out->schema.parameters[i].decides ||
            out->schema.parameters[i].type == DTI_TYPE_NUMBER ||
            out->schema.parameters[i].type == DTI_TYPE_NUMBERS)
            out->deciders[out->decider_count++] = i;
    name_inputs(out);
    list_scalars(out);
    DTI_TRY(dti_passes_parse(op, &out->schema, &out->passes, error));
    out->has_rule = op->rule != NULL;
    if (op->rule)
        DTI_TRY(dti_rule_parse(op->rule, &out->schema, &out->rule, error));
    return check_row(out, error);
}

static dt_status read_new(dt_world *world, const dt_op *op, dti_operator **out)
{
    dt_error error;
    dti_operator *one = calloc(1, sizeof *one);
    if (!one)
        return dti_fail_memory(world, sizeof *one, "an operator");
    if (read_row(op, one, &error) != DT_OK) {
        free(one);
        return dti_fail(world, DT_ERR_INVALID, "operator %.*s: %s",
                        (int)name_length(op), op->schema, error.message);
    }
    *out = one;
    return DT_OK;
}

/* Name a row that was read; on failure it is freed. */
static dt_status add_name(dt_world *world, dti_operators *all,
                          dti_operator *one)
{
    if (dti_map_add(&all->names, one->hash, one) == DT_OK)
        return DT_OK;
    free(one);
    return dti_fail_memory(world, sizeof *one, "an operator");
}

dti_operator *dti_operator_read(dt_world *world, dti_operators *all, int number)
{
    dti_operator *one = NULL;
    if (read_new(world, all->rows[number], &one) != DT_OK ||
        add_name(world, all, one) != DT_OK)
        return NULL;
    return all->read[number] = one;
}

dt_status dti_operator_factors(const dti_operator *op,
                               const dt_operation *operation, dt_factors *out,
                               bool *has)
{
    dt_status status = DT_OK;
    memset(out, 0, sizeof *out);
    if (op->has_rule)
        DTI_TRY(dti_rule_apply(&op->rule, &op->schema, operation, out));
    if (op->op->factors && !op->replaced)
        status = op->op->factors(operation, out);
    if (operation->result_count > 0)
        dti_passes_apply(&op->passes, &op->schema, operation, out);
    *has = status == DT_OK && (op->has_rule || op->op->factors);
    return status == DT_ERR_NOT_FOUND ? DT_OK : status;
}

dt_status dti_operator_find(dt_world *world, const char *name,
                            dti_operator **out)
{
    dti_operators *all = dti_operators_of(world);
    if (!all)
        return DT_ERR_NO_MEMORY;
    *out = dti_map_find(&all->names, dti_hash_text(name), name, has_name);
    if (*out)
        return DT_OK;
    int number = find_number(all, name, strlen(name));
    if (number < 0)
        return dti_fail(world, DT_ERR_NOT_FOUND, "no operator is named %s",
                        name);
    *out = dti_operator_at(world, all, number);
    return *out ? DT_OK : dti_failure_of(world);
}

/* ---- For extenders ------------------------------------------------------ */

/* Read the gradient of a row that was added last, which may call the row
 * itself; a row whose gradient is malformed is taken out again. */
static dt_status check_gradient(dt_world *world, dti_operators *all,
                                dti_operator *one)
{
    const dti_formula *formula;
    const dt_status status = dti_formula_of(world, one, &formula);
    if (status == DT_OK)
        return DT_OK;
    dti_map_remove(&all->names, one->hash, one->schema.name, has_name);
    all->count--;
    free_operator(one);
    return status;
}

dt_status dt_op_register(dt_world *world, const dt_op *op)
{
    dti_operators *all = dti_operators_of(world);
    dti_operator *one = NULL;
    dt_op usual = DT_OP_INIT;
    if (!all)
        return DT_ERR_NO_MEMORY;
    const dt_op *row =
        dti_options_read(world, op, &usual, sizeof usual, "DT_OP_INIT");
    if (!row)
        return DT_ERR_INVALID;
    if (!row->schema)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_op_register: the row has no schema");
    if (find_number(all, row->schema, name_length(row)) >= 0)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_op_register: an operator named %.*s already exists",
                        (int)name_length(row), row->schema);
    DTI_TRY(make_room(world, all, 1));
    DTI_TRY(read_new(world, row, &one));
    DTI_TRY(add_name(world, all, one));
    put_row(all, one->op, one);
    return check_gradient(world, all, one);
}

const dt_op *dt_op_at(dt_world *world, int number)
{
    dti_operators *all = dti_operators_of(world);
    if (!all || number < 0 || number >= all->count)
        return NULL;
    const dti_operator *one = dti_operator_at(world, all, number);
    return one ? one->op : NULL;
}

dt_status dt_op_default(dt_world *world, const char *name, const char *argument,
                        dt_argument *out)
{
    dti_operator *one = NULL;
    if (!name || !argument)
        return dti_fail(world, DT_ERR_INVALID, "dt_op_default: %s is NULL",
                        name ? "argument" : "name");
    DTI_TRY(dti_operator_find(world, name, &one));
    int found = dti_schema_find(&one->schema, argument, strlen(argument));
    if (found < 0)
        return dti_fail(world, DT_ERR_NOT_FOUND,
                        "operator %s has no argument named %s", name, argument);
    if (!one->schema.parameters[found].text[0])
        return dti_fail(world, DT_ERR_NOT_FOUND,
                        "argument %s of operator %s has no default", argument,
                        name);
    *out = one->schema.parameters[found].usual;
    return DT_OK;
}

dt_status dt_op_set_rule(dt_world *world, const char *name, const char *rule)
{
    dti_operator *one = NULL;
    dti_rule parsed;
    dt_error error;
    DTI_TRY(dti_operator_find(world, name, &one));
    if (one->op->compose)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_op_set_rule: %s is a composition and has no rule; "
                        "set the rules of the operators that it calls",
                        name);
    if (!rule)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_op_set_rule: %s: the rule is NULL", name);
    if (dti_rule_parse(rule, &one->schema, &parsed, &error) != DT_OK)
        return dti_fail(world, DT_ERR_INVALID, "operator %s: %s", name,
                        error.message);
    DTI_TRY(free_decisions(world, dti_operators_of(world), __func__));
    one->rule = parsed;
    one->row.rule = rule;
    one->has_rule = true;
    one->replaced = true;
    return DT_OK;
}
