/* graph/program/fit.c - arguments of ATen as arguments of rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/program/fit.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The number of a strided layout in PyTorch's schema. */
enum { strided = 7 };

DT_PRINTF(2, 3)
static bool refuse(dti_fitting *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(at->why, sizeof at->why, format, args);
    va_end(args);
    return false;
}

static void *get(dti_fitting *at, int count, size_t size)
{
    void *memory =
        dti_graph_get(at->loading->graph, (size_t)(count + 1) * size);
    if (!memory)
        at->status = DT_ERR_NO_MEMORY;
    return memory;
}

/* ---- Items -------------------------------------------------------------- */

static bool to_value(dti_fitting *at, const dti_raw_item *item, int *out)
{
    *out = -1;
    if (item->kind == DTI_RAW_NONE)
        return true;
    if (item->kind != DTI_RAW_TENSOR)
        return refuse(at, "is not a tensor");
    const dti_raw_name *name = dti_raw_find(&at->loading->raw, item->text);
    if (!name || name->value < 0)
        return refuse(at, "is %s, which no earlier node computes", item->text);
    *out = name->value;
    return true;
}

static bool to_size(dti_fitting *at, const dti_raw_item *item, dti_size *out)
{
    if (item->kind == DTI_RAW_INTEGER || item->kind == DTI_RAW_BOOL) {
        *out = dti_size_of(item->integer);
        return true;
    }
    if (item->kind != DTI_RAW_SYMBOL)
        return refuse(at, "is not an integer");
    const dti_raw_name *name = dti_raw_find(&at->loading->raw, item->text);
    if (!name || !name->has_size)
        return refuse(at, "is %s, which is not described", item->text);
    if (name->fault)
        return refuse(at, "is %s: %s", item->text, name->fault);
    *out = name->size;
    return true;
}

static bool to_number(dti_fitting *at, const dti_raw_item *item, dt_number *out)
{
    if (item->kind == DTI_RAW_INTEGER)
        *out = dt_integer(item->integer);
    else if (item->kind == DTI_RAW_REAL)
        *out = dt_real(item->real);
    else if (item->kind == DTI_RAW_BOOL)
        *out = dt_truth(item->integer != 0);
    else
        return refuse(at, "is not a number");
    return true;
}

/* ---- Arguments by the type of the parameter ------------------------------ */

typedef bool (*converter)(dti_fitting *at, const dti_parameter *parameter,
                          const dti_raw_argument *from, dti_term *out);

static bool to_tensor(dti_fitting *at, const dti_parameter *parameter,
                      const dti_raw_argument *from, dti_term *out)
{
    if (from->list)
        return refuse(at, "is a list");
    out->kind = DT_ARG_TENSOR;
    if (!to_value(at, &from->items[0], &out->as.value))
        return false;
    if (out->as.value >= 0)
        return true;
    out->kind = DT_ARG_NONE;
    return parameter->type == DTI_TYPE_OPTIONAL_TENSOR ||
           refuse(at, "is absent");
}

static bool to_tensors(dti_fitting *at, const dti_parameter *parameter,
                       const dti_raw_argument *from, dti_term *out)
{
    int *values = get(at, from->count, sizeof *values);
    if (!values)
        return false;
    for (int i = 0; i < from->count; i++)
        if (!to_value(at, &from->items[i], &values[i]))
            return false;
        else if (values[i] < 0 && parameter->type == DTI_TYPE_TENSORS)
            return refuse(at, "has an absent tensor");
    *out = (dti_term){
        .kind = DT_ARG_TENSORS, .count = from->count, .as.values = values};
    return true;
}

static bool to_integer(dti_fitting *at, const dti_parameter *parameter,
                       const dti_raw_argument *from, dti_term *out)
{
    (void)parameter;
    out->kind = DT_ARG_INTEGER;
    return from->list ? refuse(at, "is a list")
                      : to_size(at, &from->items[0], &out->as.size);
}

/* A list, or one integer. */
static bool to_integers(dti_fitting *at, const dti_parameter *parameter,
                        const dti_raw_argument *from, dti_term *out)
{
    dti_size *sizes = get(at, from->count, sizeof *sizes);
    (void)parameter;
    if (!sizes)
        return false;
    for (int i = 0; i < from->count; i++)
        if (!to_size(at, &from->items[i], &sizes[i]))
            return false;
    *out = (dti_term){
        .kind = DT_ARG_INTEGERS, .count = from->count, .as.sizes = sizes};
    return true;
}

static bool to_real(dti_fitting *at, const dti_parameter *parameter,
                    const dti_raw_argument *from, dti_term *out)
{
    dt_number number = dt_integer(0);
    (void)parameter;
    if (from->list || !to_number(at, &from->items[0], &number))
        return refuse(at, "is not a number");
    out->kind = DT_ARG_REAL;
    out->as.real = dt_number_real(number);
    return true;
}

static bool to_a_number(dti_fitting *at, const dti_parameter *parameter,
                        const dti_raw_argument *from, dti_term *out)
{
    (void)parameter;
    out->kind = DT_ARG_NUMBER;
    if (from->list)
        return refuse(at, "is a list");
    if (from->items[0].kind != DTI_RAW_SYMBOL)
        return to_number(at, &from->items[0], &out->as.number);
    out->sized = true;
    return to_size(at, &from->items[0], &out->as.size);
}

static bool to_dtype(dti_fitting *at, const dti_parameter *parameter,
                     const dti_raw_argument *from, dti_term *out)
{
    (void)parameter;
    if (from->list || from->items[0].kind != DTI_RAW_DTYPE)
        return refuse(at, "is not a dtype");
    const dt_dtype dtype = dti_dtype_of_torch(from->items[0].integer);
    out->kind = DT_ARG_INTEGER;
    out->as.size = dti_size_of(dtype);
    return dtype != DT_DTYPE_COUNT ||
           refuse(at, "is dtype %lld of PyTorch, which is not supported",
                  (long long)from->items[0].integer);
}

static bool to_text(dti_fitting *at, const dti_parameter *parameter,
                    const dti_raw_argument *from, dti_term *out)
{
    (void)parameter;
    if (from->list || from->items[0].kind != DTI_RAW_TEXT)
        return refuse(at, "is not a text");
    out->kind = DT_ARG_TEXT;
    out->as.text = dti_graph_text(at->loading->graph, from->items[0].text);
    return out->as.text != NULL;
}

/* An enum, by the name of a value. */
static bool to_choice(dti_fitting *at, const dti_parameter *parameter,
                      const dti_raw_argument *from, dti_term *out)
{
    const dti_raw_item *item = &from->items[0];
    if (from->list ||
        (item->kind != DTI_RAW_TEXT && item->kind != DTI_RAW_INTEGER))
        return refuse(at, "is not a text");
    const int64_t value =
        item->kind == DTI_RAW_INTEGER
            ? item->integer
            : dti_type_value(parameter->type, item->text, strlen(item->text));
    out->kind = DT_ARG_INTEGER;
    out->as.size = dti_size_of(value);
    return value >= 0 || refuse(at, "has the unknown value %s",
                                item->text ? item->text : "below 0");
}

static const converter converters[DTI_TYPE_COUNT] = {
    [DTI_TYPE_TENSOR] = to_tensor,
    [DTI_TYPE_OPTIONAL_TENSOR] = to_tensor,
    [DTI_TYPE_TENSORS] = to_tensors,
    [DTI_TYPE_OPTIONAL_TENSORS] = to_tensors,
    [DTI_TYPE_NUMBER] = to_a_number,
    [DTI_TYPE_INT] = to_integer,
    [DTI_TYPE_FLOAT] = to_real,
    [DTI_TYPE_BOOL] = to_integer,
    [DTI_TYPE_DIM] = to_integer,
    [DTI_TYPE_DIMS] = to_integers,
    [DTI_TYPE_INTS] = to_integers,
    [DTI_TYPE_SHAPE] = to_integers,
    [DTI_TYPE_DTYPE] = to_dtype,
    [DTI_TYPE_OPTIONAL_DTYPE] = to_dtype,
    [DTI_TYPE_TEXT] = to_text,
    [DTI_TYPE_REDUCTION] = to_choice,
    [DTI_TYPE_SCATTER_REDUCTION] = to_choice,
    [DTI_TYPE_ROUNDING] = to_choice,
    [DTI_TYPE_APPROXIMATE] = to_choice,
};

/* ---- Defaults ----------------------------------------------------------- */

/* The distance from 1 to the next number of a dtype. */
static double epsilon_of(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F64:
        return DBL_EPSILON;
    case DT_F16:
        return 1.0 / 1024;
    case DT_BF16:
        return 1.0 / 128;
    default:
        return FLT_EPSILON;
    }
}

/* Make an argument of a default of a form, of `length` characters. */
static bool to_default(dti_fitting *at, const dti_parameter *parameter,
                       const char *text, size_t length, dti_term *out)
{
    char copy[32] = "";
    dti_raw_item item = {.kind = DTI_RAW_INTEGER};
    dti_raw_argument argument = {.count = 1, .items = &item};
    memcpy(copy, text, length < sizeof copy ? length : sizeof copy - 1);
    if (strcmp(copy, "dtype") == 0) {
        out->kind = DT_ARG_INTEGER;
        out->as.size = dti_size_of(at->dtype);
        return true;
    }
    if (strcmp(copy, "[]") == 0)
        argument = (dti_raw_argument){.list = true};
    else if (strcmp(copy, "max") == 0)
        item.integer = INT64_MAX;
    else if (strcmp(copy, "true") == 0 || strcmp(copy, "false") == 0)
        item = (dti_raw_item){.kind = DTI_RAW_BOOL, .integer = copy[0] == 't'};
    else if (strcmp(copy, "epsilon") == 0)
        item =
            (dti_raw_item){.kind = DTI_RAW_REAL, .real = epsilon_of(at->dtype)};
    else if (strpbrk(copy, ".e"))
        item = (dti_raw_item){.kind = DTI_RAW_REAL, .real = strtod(copy, NULL)};
    else
        item.integer = strtoll(copy, NULL, 10);
    return converters[parameter->type](at, parameter, &argument, out);
}

/* The default of the row. */
static bool to_usual(dti_fitting *at, const dti_parameter *parameter,
                     dti_term *out)
{
    const dt_argument *usual = &parameter->usual;
    const bool may_be_absent = parameter->type == DTI_TYPE_OPTIONAL_TENSOR ||
                               parameter->type == DTI_TYPE_OPTIONAL_DTYPE;
    *out = (dti_term){.kind = usual->kind};
    if (usual->kind == DT_ARG_INTEGER)
        out->as.size = dti_size_of(usual->as.integer);
    else if (usual->kind == DT_ARG_REAL)
        out->as.real = usual->as.real;
    else if (usual->kind == DT_ARG_NUMBER)
        out->as.number = usual->as.number;
    else if (usual->kind == DT_ARG_TEXT)
        out->as.text = usual->as.text;
    else if (usual->kind != DT_ARG_NONE)
        return refuse(at, "is absent");
    return usual->kind != DT_ARG_NONE || may_be_absent ||
           refuse(at, "is absent");
}

/* ---- Rows --------------------------------------------------------------- */

static bool is_absent(const dti_raw_argument *from)
{
    return !from || (!from->list && from->items[0].kind == DTI_RAW_NONE);
}

/* Parameters that say where a result is are not in a program. */
static bool is_place(dti_type type)
{
    return type == DTI_TYPE_MESH || type == DTI_TYPE_OPTIONAL_MESH ||
           type == DTI_TYPE_LAYOUT || type == DTI_TYPE_OPTIONAL_LAYOUT ||
           type == DTI_TYPE_GENERATOR || type == DTI_TYPE_OPTIONAL_ARRAY;
}

static bool fit_term(dti_fitting *at, const dti_parameter *parameter,
                     dti_term *out)
{
    char why[sizeof at->why];
    *out = (dti_term){.kind = DT_ARG_NONE};
    if (is_place(parameter->type)) {
        if (parameter->type == DTI_TYPE_MESH)
            out->kind = DT_ARG_MESH;
        return true;
    }
    const dti_aten_source source = dti_aten_source_of(at->map, parameter->name);
    const dti_raw_argument *from =
        dti_raw_argument_of(at->node, source.name, source.length);
    bool fits;
    if (!is_absent(from) && !converters[parameter->type])
        fits = refuse(at, "cannot be expressed");
    else if (!is_absent(from))
        fits = converters[parameter->type](at, parameter, from, out);
    else if (source.usual)
        fits =
            to_default(at, parameter, source.usual, source.usual_length, out);
    else
        fits = to_usual(at, parameter, out);
    if (fits)
        return true;
    memcpy(why, at->why, sizeof why);
    return refuse(at, "argument %.*s %.150s", (int)source.length, source.name,
                  why);
}

/* Arguments that do not change what is computed here. */
static const char *const ignored[] = {
    "memory_format",      "device",        "pin_memory", "non_blocking",
    "cudnn_enable",       "cudnn_enabled", "implicit",   "sparse",
    "scale_grad_by_freq", "copy",
};

/* Tell whether an argument that no parameter takes may be left out. */
static bool may_ignore(const dti_fitting *at, const dti_raw_argument *from)
{
    const char mark = dti_aten_mark_of(at->map, from->name);
    const dti_raw_item *item = from->count > 0 ? &from->items[0] : NULL;
    if (mark == '-' || is_absent(from))
        return true;
    if (!item && (mark == '!' || strcmp(from->name, "layout") == 0))
        return false; /* an empty list */
    if (mark == '!')
        return (item->kind == DTI_RAW_BOOL && !item->integer) ||
               (item->kind == DTI_RAW_INTEGER && item->integer == 1) ||
               (item->kind == DTI_RAW_REAL && item->real == 1);
    if (strcmp(from->name, "layout") == 0)
        return item->kind == DTI_RAW_SETTING && item->integer == strided;
    for (size_t i = 0; i < DTI_COUNT_OF(ignored); i++)
        if (strcmp(from->name, ignored[i]) == 0)
            return true;
    return false;
}

static bool is_taken(const dti_fitting *at, const dti_schema *schema,
                     const dti_raw_argument *from)
{
    for (int i = 0; schema && i < schema->count; i++) {
        const dti_parameter *parameter = &schema->parameters[i];
        const dti_aten_source source =
            dti_aten_source_of(at->map, parameter->name);
        if (!is_place(parameter->type) &&
            strncmp(from->name, source.name, source.length) == 0 &&
            !from->name[source.length])
            return true;
    }
    return false;
}

bool dti_fit_terms(dti_fitting *at, const dti_schema *schema, dti_term *terms)
{
    for (int i = 0; schema && i < schema->count; i++)
        if (!fit_term(at, &schema->parameters[i], &terms[i]))
            return false;
    for (int i = schema ? 0 : 1; i < at->node->inputs.count; i++) {
        const dti_raw_argument *from = &at->node->inputs.items[i];
        if (!is_taken(at, schema, from) && !may_ignore(at, from))
            return refuse(at, "argument %.80s (%.40s) is not supported",
                          from->name, from->tag);
    }
    return true;
}
