/* op/schema.c - what an operator takes and gives, read from its schema. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/schema.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"

/*
 *     schema    = name "(" [ parameter { "," parameter } ] ")" "->" results
 *     parameter = "*" | type [ "~" ] name [ "=" default ]
 *     results   = "Tensor" | "Tensor[]" | "(" [ result { "," result } ] ")"
 *     result    = "Tensor" name
 *     default   = number | "true" | "false" | "None" | text in quotes | "[]"
 *               | dtype | value of an enum
 *
 * with spaces between the parts.  What follows "*" has defaults, what stands
 * before it has none.
 */

const dti_type_facts dti_types[DTI_TYPE_COUNT] = {
    [DTI_TYPE_TENSOR] = {"Tensor", "dt_tensor *", DT_ARG_TENSOR, false, NULL},
    [DTI_TYPE_OPTIONAL_TENSOR] = {"Tensor?", "dt_tensor *", DT_ARG_TENSOR,
                                  false, NULL},
    [DTI_TYPE_TENSORS] = {"Tensor[]", "dt_tensor *const *", DT_ARG_TENSORS,
                          false, NULL},
    [DTI_TYPE_OPTIONAL_TENSORS] = {"Tensor?[]", "dt_tensor *const *",
                                   DT_ARG_TENSORS, false, NULL},
    [DTI_TYPE_NUMBER] = {"Number", "dt_number ", DT_ARG_NUMBER, false, NULL},
    [DTI_TYPE_NUMBERS] = {"Number[]", "const dt_number *", DT_ARG_NUMBERS,
                          false, NULL},
    [DTI_TYPE_INT] = {"int", "int64_t ", DT_ARG_INTEGER, true, NULL},
    [DTI_TYPE_FLOAT] = {"float", "double ", DT_ARG_REAL, false, NULL},
    [DTI_TYPE_BOOL] = {"bool", "bool ", DT_ARG_INTEGER, true, NULL},
    [DTI_TYPE_DIM] = {"Dim", "int ", DT_ARG_INTEGER, true, NULL},
    [DTI_TYPE_DIMS] = {"Dims", "dt_dims ", DT_ARG_INTEGERS, true, NULL},
    [DTI_TYPE_INTS] = {"int[]", "const int64_t *", DT_ARG_INTEGERS, true, NULL},
    [DTI_TYPE_SHAPE] = {"Shape", "dt_shape ", DT_ARG_INTEGERS, true, NULL},
    [DTI_TYPE_DTYPE] = {"Dtype", "dt_dtype ", DT_ARG_INTEGER, true, NULL},
    [DTI_TYPE_OPTIONAL_DTYPE] = {"Dtype?", "const dt_dtype *", DT_ARG_INTEGER,
                                 true, NULL},
    [DTI_TYPE_TEXT] = {"Text", "const char *", DT_ARG_TEXT, true, NULL},
    [DTI_TYPE_REDUCTION] = {"Reduction", "dt_reduction ", DT_ARG_INTEGER, true,
                            "none mean sum"},
    [DTI_TYPE_SCATTER_REDUCTION] = {"ScatterReduction", "dt_scatter_reduction ",
                                    DT_ARG_INTEGER, true,
                                    "sum prod mean amax amin"},
    [DTI_TYPE_ROUNDING] = {"Rounding", "dt_rounding ", DT_ARG_INTEGER, true,
                           "trunc floor"},
    [DTI_TYPE_APPROXIMATE] = {"Approximate", "dt_approximate ", DT_ARG_INTEGER,
                              true, "none tanh"},
    [DTI_TYPE_GENERATOR] = {"Generator?", "dt_generator *", DT_ARG_GENERATOR,
                            false, NULL},
    [DTI_TYPE_MESH] = {"Mesh", "dt_mesh *", DT_ARG_MESH, false, NULL},
    [DTI_TYPE_OPTIONAL_MESH] = {"Mesh?", "dt_mesh *", DT_ARG_MESH, false, NULL},
    [DTI_TYPE_LAYOUT] = {"Layout", "const char *", DT_ARG_TEXT, false, NULL},
    [DTI_TYPE_OPTIONAL_LAYOUT] = {"Layout?", "const char *", DT_ARG_TEXT, false,
                                  NULL},
    [DTI_TYPE_OPTIONAL_ARRAY] = {"Array?", "dt_array *", DT_ARG_ARRAY, false,
                                 NULL},
    [DTI_TYPE_FUNCTION] = {"Function", "const struct dt_local_call *",
                           DT_ARG_FUNCTION, false, NULL},
};

const char *dti_type_value_name(dti_type type, int64_t value, size_t *length)
{
    const char *names = dti_types[type].values;
    for (names = names ? names : ""; *names; value--) {
        *length = strcspn(names, " ");
        if (value == 0)
            return names;
        names += *length;
        names += strspn(names, " ");
    }
    return NULL;
}

int dti_type_value(dti_type type, const char *name, size_t length)
{
    size_t found = 0;
    const char *word;
    for (int i = 0; (word = dti_type_value_name(type, i, &found)) != NULL; i++)
        if (found == length && strncmp(word, name, length) == 0)
            return i;
    return -1;
}

/* A schema that is being read, and who is told what is wrong with it. */
typedef struct source {
    dti_reader from;
    dt_error *error;
} source;

/* ---- Failures ----------------------------------------------------------- */

/* Fail at a place in the text, counted from 1. */
static dt_status fail_at(const source *in, const char *at, const char *what)
{
    return dti_error_set(in->error, DT_ERR_FORMAT,
                         "schema " DTI_QUOTED ": %s at character %d",
                         in->from.text, what, (int)(at - in->from.text) + 1);
}

static dt_status expected(const source *in, const char *what)
{
    return dti_error_set(in->error, DT_ERR_FORMAT,
                         "schema " DTI_QUOTED ": expected %s at character %d",
                         in->from.text, what,
                         (int)(in->from.at - in->from.text) + 1);
}

static dt_status expect(source *in, const char *word, const char *what)
{
    return dti_reader_accept_word(&in->from, word) ? DT_OK : expected(in, what);
}

/* ---- Words -------------------------------------------------------------- */

/* Length of the name here: small letters, digits and "_", a letter first. */
static size_t name_length(const char *at)
{
    size_t length = 0;
    if (!(at[0] >= 'a' && at[0] <= 'z'))
        return 0;
    while ((at[length] >= 'a' && at[length] <= 'z') || at[length] == '_' ||
           dti_is_digit(at[length]))
        length++;
    return length;
}

/* A final "_" is what the variant that works in place ends with. */
static dt_status read_name(source *in, const char *what, char *out)
{
    size_t length = name_length(in->from.at);
    if (length == 0)
        return expected(in, what);
    if (length >= DTI_NAME_SIZE)
        return fail_at(in, in->from.at, "a name of 48 or more characters");
    if (in->from.at[length - 1] == '_')
        return fail_at(in, in->from.at, "a name that ends with \"_\"");
    memcpy(out, in->from.at, length);
    out[length] = '\0';
    in->from.at += length;
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

/* Length of the type here with what belongs to it: "Tensor?", "int[]",
 * "Tensor?[]". */
static size_t type_length(const char *at)
{
    size_t length = 0;
    while (dti_is_letter(at[length]))
        length++;
    if (length && at[length] == '?')
        length++;
    if (length && strncmp(at + length, "[]", 2) == 0)
        return length + 2;
    return length;
}

static dt_status read_type(source *in, dti_type *out)
{
    size_t length = type_length(in->from.at);
    for (int i = 0; i < DTI_TYPE_COUNT; i++)
        if (strlen(dti_types[i].name) == length &&
            strncmp(dti_types[i].name, in->from.at, length) == 0) {
            *out = (dti_type)i;
            in->from.at += length;
            return DT_OK;
        }
    return expected(in, "a type, such as Tensor or Dim,");
}

/* ---- Defaults ----------------------------------------------------------- */

/* Length of the word that a default is: up to what ends a parameter. */
static size_t default_length(const char *at)
{
    if (*at == '"') {
        size_t length = 1 + strcspn(at + 1, "\"\\");
        return at[length] == '"' ? length + 1 : 0;
    }
    return strcspn(at, " ,)\"");
}

static dt_status default_none(dti_parameter *parameter)
{
    parameter->usual = (dt_argument){.kind = DT_ARG_NONE};
    return strcmp(parameter->text, "None") == 0 ? DT_OK : DT_ERR_FORMAT;
}

static dt_status default_truth(dti_parameter *parameter)
{
    bool truth = strcmp(parameter->text, "true") == 0;
    parameter->usual =
        (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = truth};
    return truth || strcmp(parameter->text, "false") == 0 ? DT_OK
                                                          : DT_ERR_FORMAT;
}

/* Tell whether a word is [-]digits. */
static bool is_integer(const char *word)
{
    size_t sign = *word == '-', digits = strspn(word + sign, "0123456789");
    return digits > 0 && word[sign + digits] == '\0';
}

/* At most 18 digits: these need no look at overflow. */
static dt_status default_integer(dti_parameter *parameter)
{
    const char *word = parameter->text;
    if (!is_integer(word) || strlen(word) > 18)
        return DT_ERR_FORMAT;
    int64_t value = strtoll(word, NULL, 10);
    parameter->usual =
        (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = value};
    return parameter->type == DTI_TYPE_DIM &&
                   (value < INT_MIN || value > INT_MAX)
               ? DT_ERR_FORMAT
               : DT_OK;
}

/*
 * Read a decimal number, such as -1.5e-05, wherever the program is: strtod
 * reads other numbers in other countries.  With at most 15 digits and a power
 * of ten up to 22 both are exact as doubles, so that the value is the nearest
 * one.
 */
static bool read_decimal(const char *word, double *out)
{
    double digits = 0, scale = 1;
    int count = 0, power = 0;
    const char *start = word;
    for (bool point = false; dti_is_digit(*word) || (*word == '.' && !point);
         word++) {
        if (*word == '.') {
            point = true;
            continue;
        }
        digits = digits * 10 + (*word - '0');
        count++;
        power -= point;
    }
    if (word == start || !dti_is_digit(*start) || count > 15)
        return false;
    if (*word == 'e' && is_integer(word + 1) && strlen(word + 1) < 4)
        power += atoi(word + 1);
    else if (*word)
        return false;
    for (int i = abs(power); i > 0; i--)
        scale *= 10;
    *out = power < 0 ? digits / scale : digits * scale;
    return abs(power) <= 22;
}

static dt_status default_real(dti_parameter *parameter)
{
    bool negative = parameter->text[0] == '-';
    const char *word = parameter->text + negative;
    double value = HUGE_VAL;
    if (strcmp(word, "inf") != 0 && !read_decimal(word, &value))
        return DT_ERR_FORMAT;
    parameter->usual = (dt_argument){.kind = DT_ARG_REAL,
                                     .as.real = negative ? -value : value};
    return DT_OK;
}

static dt_status default_number(dti_parameter *parameter)
{
    dt_number number;
    if (default_truth(parameter) == DT_OK)
        number = dt_truth(parameter->usual.as.integer != 0);
    else if (default_integer(parameter) == DT_OK)
        number = dt_integer(parameter->usual.as.integer);
    else if (!is_integer(parameter->text) && default_real(parameter) == DT_OK)
        number = dt_real(parameter->usual.as.real);
    else
        return DT_ERR_FORMAT;
    parameter->usual =
        (dt_argument){.kind = DT_ARG_NUMBER, .as.number = number};
    return DT_OK;
}

static dt_status default_value(dti_parameter *parameter)
{
    const int value = dti_type_value(parameter->type, parameter->text,
                                     strlen(parameter->text));
    parameter->usual =
        (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = value};
    return value >= 0 ? DT_OK : DT_ERR_FORMAT;
}

static dt_status default_list(dti_parameter *parameter)
{
    parameter->usual =
        (dt_argument){.kind = dti_types[parameter->type].kind, .count = 0};
    return strcmp(parameter->text, "[]") == 0 ? DT_OK : DT_ERR_FORMAT;
}

static dt_status default_dtype(dti_parameter *parameter)
{
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        if (strcmp(parameter->text, dt_dtype_name((dt_dtype)i)) == 0) {
            parameter->usual =
                (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = i};
            return DT_OK;
        }
    return DT_ERR_FORMAT;
}

static dt_status default_optional_dtype(dti_parameter *parameter)
{
    return default_none(parameter) == DT_OK ? DT_OK : default_dtype(parameter);
}

/* The quotes go; what they held stays where the default finds it. */
static dt_status default_text(dti_parameter *parameter)
{
    size_t length = strlen(parameter->text);
    if (length < 3 || parameter->text[0] != '"')
        return DT_ERR_FORMAT;
    memmove(parameter->text, parameter->text + 1, length - 2);
    parameter->text[length - 2] = '\0';
    parameter->usual =
        (dt_argument){.kind = DT_ARG_TEXT, .as.text = parameter->text};
    return DT_OK;
}

/* Set `usual` from `text`; and what the text has to be, for a sentence. */
static const struct {
    dt_status (*set)(dti_parameter *parameter);
    const char *what;
} defaults[DTI_TYPE_COUNT] = {
    [DTI_TYPE_OPTIONAL_TENSOR] = {default_none, "None"},
    [DTI_TYPE_TENSORS] = {default_list, "[]"},
    [DTI_TYPE_OPTIONAL_TENSORS] = {default_list, "[]"},
    [DTI_TYPE_NUMBER] = {default_number, "a number, true or false"},
    [DTI_TYPE_NUMBERS] = {default_list, "[]"},
    [DTI_TYPE_INT] = {default_integer, "an integer"},
    [DTI_TYPE_FLOAT] = {default_real, "a number"},
    [DTI_TYPE_BOOL] = {default_truth, "true or false"},
    [DTI_TYPE_DIM] = {default_integer, "a dimension"},
    [DTI_TYPE_DIMS] = {default_list, "[]"},
    [DTI_TYPE_INTS] = {default_list, "[]"},
    [DTI_TYPE_SHAPE] = {default_list, "[]"},
    [DTI_TYPE_DTYPE] = {default_dtype, "a dtype"},
    [DTI_TYPE_OPTIONAL_DTYPE] = {default_optional_dtype, "a dtype or None"},
    [DTI_TYPE_TEXT] = {default_text, "a text in quotes, not empty,"},
    [DTI_TYPE_REDUCTION] = {default_value, "none, mean or sum"},
    [DTI_TYPE_SCATTER_REDUCTION] = {default_value,
                                    "sum, prod, mean, amax or amin"},
    [DTI_TYPE_ROUNDING] = {default_value, "trunc or floor"},
    [DTI_TYPE_APPROXIMATE] = {default_value, "none or tanh"},
    [DTI_TYPE_GENERATOR] = {default_none, "None"},
    [DTI_TYPE_OPTIONAL_MESH] = {default_none, "None"},
    [DTI_TYPE_OPTIONAL_LAYOUT] = {default_none, "None"},
    [DTI_TYPE_OPTIONAL_ARRAY] = {default_none, "None"},
};

static dt_status read_default(source *in, dti_parameter *parameter)
{
    const char *at = in->from.at;
    size_t length = default_length(at);
    if (!defaults[parameter->type].set)
        return fail_at(in, at, "a default for a tensor (not allowed)");
    if (length >= sizeof parameter->text)
        return fail_at(in, at, "a default of 24 or more characters");
    memcpy(parameter->text, at, length);
    parameter->text[length] = '\0';
    if (defaults[parameter->type].set(parameter) != DT_OK)
        return expected(in, defaults[parameter->type].what);
    in->from.at += length;
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

/* ---- Parameters --------------------------------------------------------- */

static bool is_tensor(dti_type type)
{
    return type == DTI_TYPE_TENSOR || type == DTI_TYPE_OPTIONAL_TENSOR ||
           type == DTI_TYPE_TENSORS || type == DTI_TYPE_OPTIONAL_TENSORS;
}

static dt_status read_parameter(source *in, dti_schema *schema, bool option)
{
    dti_parameter *parameter = &schema->parameters[schema->count];
    *parameter = (dti_parameter){.option = option};
    DTI_TRY(read_type(in, &parameter->type));
    parameter->decides = dti_types[parameter->type].decides;
    if (*in->from.at == '~') {
        if (!parameter->decides)
            return fail_at(in, in->from.at, "unnecessary \"~\"");
        parameter->decides = false;
        in->from.at++;
    }
    if (*in->from.at != ' ')
        return expected(in, "a space and a name");
    dti_reader_skip_space(&in->from);
    const char *at = in->from.at;
    DTI_TRY(read_name(in, "the name of an argument", parameter->name));
    if (dti_schema_find(schema, parameter->name, strlen(parameter->name)) >= 0)
        return fail_at(in, at, "duplicate argument name");
    at = in->from.at;
    if (dti_reader_accept(&in->from, '=')) {
        if (!option)
            return fail_at(in, at, "a default before \"*\"");
        DTI_TRY(read_default(in, parameter));
    } else if (option) {
        return expected(in, "a default, as after \"*\",");
    }
    if (is_tensor(parameter->type))
        schema->tensors[schema->tensor_count++] = schema->count;
    schema->lists |= parameter->type == DTI_TYPE_TENSORS ||
                     parameter->type == DTI_TYPE_OPTIONAL_TENSORS;
    schema->count++;
    return DT_OK;
}

/* Up to ")". */
static dt_status read_parameters(source *in, dti_schema *schema)
{
    bool options = false;
    if (dti_reader_accept(&in->from, ')'))
        return DT_OK;
    do {
        const char *at = in->from.at;
        if (dti_reader_accept(&in->from, '*')) {
            if (options)
                return fail_at(in, at, "a second \"*\"");
            options = true;
            DTI_TRY(expect(in, ",", "a comma"));
        }
        if (schema->count == DTI_MAX_ARGUMENTS)
            return fail_at(in, in->from.at, "too many arguments");
        DTI_TRY(read_parameter(in, schema, options));
    } while (dti_reader_accept(&in->from, ','));
    return expect(in, ")", "a comma or \")\"");
}

/* ---- Results ------------------------------------------------------------ */

static bool names_result(const dti_schema *schema, const char *name)
{
    for (int i = 0; i < schema->result_count; i++)
        if (strcmp(schema->result_names[i], name) == 0)
            return true;
    return dti_schema_find(schema, name, strlen(name)) >= 0;
}

/* In C results are arguments too: no two of all these have one name. */
static dt_status read_result(source *in, dti_schema *schema)
{
    char name[DTI_NAME_SIZE];
    dti_type type;
    if (schema->result_count == DTI_MAX_RESULTS)
        return fail_at(in, in->from.at, "too many results");
    const char *at = in->from.at;
    if (read_type(in, &type) != DT_OK || type != DTI_TYPE_TENSOR)
        return fail_at(in, at, "a result that is not a Tensor");
    dti_reader_skip_space(&in->from);
    at = in->from.at;
    DTI_TRY(read_name(in, "the name of a result", name));
    if (names_result(schema, name))
        return fail_at(in, at, "duplicate name");
    memcpy(schema->result_names[schema->result_count++], name, sizeof name);
    return DT_OK;
}

/* A result named x_out is what becomes of the argument x. */
static int overwritten_by(const dti_schema *schema, const char *result)
{
    static const char ending[] = "_out";
    const size_t tail = sizeof ending - 1, length = strlen(result);
    if (length <= tail || strcmp(result + length - tail, ending) != 0)
        return -1;
    const int parameter = dti_schema_find(schema, result, length - tail);
    for (int i = 0; i < schema->tensor_count; i++)
        if (schema->tensors[i] == parameter)
            return i;
    return -1;
}

/* One result alone, or a list of them, goes to what comes first. */
static void find_overwritten(dti_schema *schema)
{
    schema->overwrites[0] = 0;
    if (schema->results != DTI_RESULTS_NAMED)
        return;
    for (int i = 0; i < schema->result_count; i++)
        schema->overwrites[i] = overwritten_by(schema, schema->result_names[i]);
}

static dt_status read_results(source *in, dti_schema *schema)
{
    dti_type type = DTI_TYPE_TENSOR;
    if (dti_reader_accept(&in->from, '(')) {
        schema->results = DTI_RESULTS_NONE;
        if (dti_reader_accept(&in->from, ')'))
            return DT_OK;
        schema->results = DTI_RESULTS_NAMED;
        do
            DTI_TRY(read_result(in, schema));
        while (dti_reader_accept(&in->from, ','));
        return expect(in, ")", "a comma or \")\"");
    }
    const char *at = in->from.at;
    if (read_type(in, &type) != DT_OK ||
        (type != DTI_TYPE_TENSOR && type != DTI_TYPE_TENSORS))
        return fail_at(in, at, "a result that is neither Tensor nor Tensor[]");
    schema->results =
        type == DTI_TYPE_TENSORS ? DTI_RESULT_LIST : DTI_RESULT_ONE;
    schema->result_count = type == DTI_TYPE_TENSOR;
    return DT_OK;
}

/* ---- Schemas ------------------------------------------------------------ */

static dt_status read_schema(source *in, dti_schema *schema)
{
    DTI_TRY(read_name(in, "the name of an operator", schema->name));
    DTI_TRY(expect(in, "(", "\"(\""));
    DTI_TRY(read_parameters(in, schema));
    DTI_TRY(expect(in, "->", "\"->\""));
    DTI_TRY(read_results(in, schema));
    find_overwritten(schema);
    dti_reader_skip_space(&in->from);
    return *in->from.at ? expected(in, "the end") : DT_OK;
}

dt_status dti_schema_parse(const char *text, dti_schema *out, dt_error *error)
{
    source in = {{.text = text, .at = text}, error};
    *out = (dti_schema){0};
    if (!text)
        return dti_error_set(error, DT_ERR_FORMAT, "the schema is NULL");
    return read_schema(&in, out);
}

int dti_schema_find(const dti_schema *schema, const char *name, size_t length)
{
    for (int i = 0; i < schema->count; i++)
        if (strlen(schema->parameters[i].name) == length &&
            strncmp(schema->parameters[i].name, name, length) == 0)
            return i;
    return -1;
}

bool dti_schema_only_in_place(const dti_schema *schema)
{
    if (schema->results != DTI_RESULTS_NAMED)
        return schema->results == DTI_RESULTS_NONE;
    for (int i = 0; i < schema->result_count; i++)
        if (schema->overwrites[i] >= 0)
            return false;
    return true;
}
