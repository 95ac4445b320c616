/* graph/program/raw_argument.c - reading the arguments of nodes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/program/raw_read.h"

#include <math.h>

/* ---- Items of arguments ------------------------------------------------- */

typedef bool (*item_reader)(dti_raw_program *program, dti_raw_item *out);

static bool read_none(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_NONE;
    return dti_json_skip(&program->json);
}

static bool read_tensor(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_TENSOR;
    return dti_raw_read_name(program, &out->text);
}

static bool read_integer(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_INTEGER;
    return dti_json_read_integer(&program->json, &out->integer);
}

static bool read_setting(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_SETTING;
    return dti_json_read_integer(&program->json, &out->integer);
}

static bool read_dtype(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_DTYPE;
    return dti_json_read_integer(&program->json, &out->integer);
}

static bool read_bool(dti_raw_program *program, dti_raw_item *out)
{
    bool value = false;
    out->kind = DTI_RAW_BOOL;
    if (!dti_json_read_bool(&program->json, &value))
        return false;
    out->integer = value;
    return true;
}

static bool read_string(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_TEXT;
    return dti_raw_read_text(program, &out->text);
}

/* A number, or the name of one that JSON does not have. */
static bool read_real(dti_raw_program *program, dti_raw_item *out)
{
    dti_json_string text;
    out->kind = DTI_RAW_REAL;
    if (dti_json_peek(&program->json) != DTI_JSON_STRING)
        return dti_json_read_real(&program->json, &out->real);
    if (!dti_json_read_string(&program->json, &text))
        return false;
    if (dti_json_is(text, "Infinity"))
        out->real = INFINITY;
    else if (dti_json_is(text, "-Infinity"))
        out->real = -INFINITY;
    else if (dti_json_is(text, "NaN"))
        out->real = NAN;
    else
        return dti_json_fail(&program->json, DT_ERR_FORMAT,
                             "expected a number");
    return true;
}

static bool read_device_item(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_DEVICE;
    return dti_raw_read_device(program, &out->text);
}

static bool read_symbol_name(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_SYMBOL;
    return dti_raw_read_text(program, &out->text);
}

static bool skip_refused(dti_raw_program *program, dti_raw_item *out)
{
    out->kind = DTI_RAW_REFUSED;
    return dti_json_skip(&program->json);
}

/* A union inside a list or an argument. */
static bool read_nested(dti_raw_program *program, dti_raw_item *out)
{
    static const struct {
        const char *tag;
        item_reader read;
    } tags[] = {
        {"as_name", read_symbol_name}, {"as_int", read_integer},
        {"as_bool", read_bool},        {"as_float", read_real},
        {"as_tensor", read_tensor},    {"as_none", read_none},
    };
    dti_json_string tag;
    if (!dti_raw_begin_union(program, &tag))
        return false;
    for (size_t i = 0; i < DTI_COUNT_OF(tags); i++)
        if (dti_json_is(tag, tags[i].tag))
            return tags[i].read(program, out) && dti_raw_end_union(program);
    out->text = dti_raw_keep(program, tag);
    return out->text && skip_refused(program, out) &&
           dti_raw_end_union(program);
}

/* ---- Arguments ---------------------------------------------------------- */

/* The tags of Argument; those that are not listed are refused. */
static const struct {
    const char *tag;
    item_reader read;
    bool list;
} argument_tags[] = {
    {"as_none", read_none, false},
    {"as_tensor", read_tensor, false},
    {"as_tensors", read_tensor, true},
    {"as_optional_tensor", read_nested, false},
    {"as_optional_tensors", read_nested, true},
    {"as_int", read_integer, false},
    {"as_ints", read_integer, true},
    {"as_float", read_real, false},
    {"as_floats", read_real, true},
    {"as_bool", read_bool, false},
    {"as_bools", read_bool, true},
    {"as_string", read_string, false},
    {"as_strings", read_string, true},
    {"as_sym_int", read_nested, false},
    {"as_sym_ints", read_nested, true},
    {"as_sym_bool", read_nested, false},
    {"as_sym_float", read_nested, false},
    {"as_scalar_type", read_dtype, false},
    {"as_memory_format", read_setting, false},
    {"as_layout", read_setting, false},
    {"as_device", read_device_item, false},
};

static bool add_item(dti_raw_program *program, item_reader read,
                     dti_raw_argument *out)
{
    dti_raw_item item = {.kind = DTI_RAW_NONE};
    if (!read(program, &item) || !dti_raw_grow(program, &out->items, out->count,
                                               &out->capacity, sizeof item))
        return false;
    out->items[out->count++] = item;
    return true;
}

static bool read_items(dti_raw_program *program, item_reader read,
                       dti_raw_argument *out)
{
    out->list = true;
    if (!dti_json_read_list(&program->json))
        return false;
    while (dti_json_next_item(&program->json))
        if (!add_item(program, read, out))
            return false;
    return dti_raw_good(program);
}

static bool read_argument(dti_raw_program *program, dti_raw_argument *out)
{
    dti_json_string tag;
    if (!dti_raw_begin_union(program, &tag))
        return false;
    out->tag = dti_raw_keep(program, tag);
    size_t i = 0;
    while (i < DTI_COUNT_OF(argument_tags) &&
           !dti_json_is(tag, argument_tags[i].tag))
        i++;
    if (!out->tag)
        return false;
    if (i == DTI_COUNT_OF(argument_tags)) {
        if (!add_item(program, skip_refused, out))
            return false;
        out->items[0].text = out->tag;
    } else if (!(argument_tags[i].list
                     ? read_items(program, argument_tags[i].read, out)
                     : add_item(program, argument_tags[i].read, out))) {
        return false;
    }
    return dti_raw_end_union(program);
}

static bool read_argument_name(dti_raw_program *program, void *out)
{
    return dti_raw_read_text(program, &((dti_raw_argument *)out)->name);
}

static bool read_argument_value(dti_raw_program *program, void *out)
{
    return read_argument(program, out);
}

/* A list of arguments, each with a name if `named`. */
bool dti_raw_read_arguments(dti_raw_program *program, dti_raw_arguments *out,
                            bool named)
{
    static const dti_raw_field fields[] = {{"name", read_argument_name},
                                           {"arg", read_argument_value}};
    if (!dti_json_read_list(&program->json))
        return false;
    while (dti_json_next_item(&program->json)) {
        dti_raw_argument one = {.name = "", .tag = NULL};
        if (!(named
                  ? dti_raw_fields(program, fields, DTI_COUNT_OF(fields), &one)
                  : read_argument(program, &one)))
            return false;
        if (!one.tag)
            return dti_json_fail(&program->json, DT_ERR_FORMAT,
                                 "an argument without a value");
        if (!dti_raw_grow(program, &out->items, out->count, &out->capacity,
                          sizeof one))
            return false;
        out->items[out->count++] = one;
    }
    return dti_raw_good(program);
}
