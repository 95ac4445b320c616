/* verify/sample.c - reading samples. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "base/text/writer.h"

/* Digits of a number: these need no look at overflow. */
#define MAX_DIGITS 9

typedef struct source {
    dti_reader from;
    dt_error *error;
} source;

static dt_status expected(const source *in, const char *what)
{
    return dti_error_set(in->error, DT_ERR_FORMAT,
                         "%s is missing in samples before \"%.40s\"", what,
                         in->from.at);
}

static dt_status expect(source *in, char wanted, const char *what)
{
    return dti_reader_accept(&in->from, wanted) ? DT_OK : expected(in, what);
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Length of the word that comes next. */
static size_t word_length(const char *at)
{
    size_t length = 0;
    while (dti_is_letter(at[length]) || (length && dti_is_digit(at[length])))
        length++;
    return length;
}

/* Take a whole word if it comes next. */
static bool accept_word(source *in, const char *word)
{
    size_t length = word_length(in->from.at);
    if (length != strlen(word) || strncmp(in->from.at, word, length) != 0)
        return false;
    in->from.at += length;
    dti_reader_skip_space(&in->from);
    return true;
}

/* ---- Numbers ------------------------------------------------------------ */

static dt_status read_digits(source *in, int64_t *out)
{
    size_t length = strspn(in->from.at, "0123456789");
    if (length == 0 || length > MAX_DIGITS)
        return expected(in, "a number of at most 9 digits");
    *out = strtoll(in->from.at, NULL, 10);
    in->from.at += length;
    return DT_OK;
}

/* A number or a letter, one of the factors of a size. */
static dt_status read_factor(source *in, dti_sample_size *out)
{
    if (dti_is_digit(*in->from.at)) {
        int64_t number = 0;
        DTI_TRY(read_digits(in, &number));
        if (number && llabs(out->factor) > INT64_C(1000000000) / number)
            return expected(in, "a smaller number");
        out->factor *= number;
        return DT_OK;
    }
    if (word_length(in->from.at) != 1 || !is_lower(*in->from.at))
        return expected(in, "a number or a small letter");
    unsigned char *power = &out->powers[*in->from.at - 'a'];
    if (*power == 3)
        return expected(in, "another letter");
    (*power)++;
    in->from.at++;
    return DT_OK;
}

static dt_status read_size(source *in, dti_sample_size *out)
{
    *out = (dti_sample_size){.factor = 1};
    if (*in->from.at == '-') {
        out->factor = -1;
        in->from.at++;
    }
    do
        DTI_TRY(read_factor(in, out));
    while (dti_reader_accept(&in->from, '*'));
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

/* [-]digits[.digits], at most 15 digits: then it is exact; or [-]inf. */
static dt_status read_real(source *in, double *out)
{
    bool negative = *in->from.at == '-';
    const char *at = in->from.at + negative;
    double value = 0, scale = 1;
    int digits = 0;
    if (strncmp(at, "inf", 3) == 0) {
        *out = negative ? -HUGE_VAL : HUGE_VAL;
        in->from.at = at + 3;
        dti_reader_skip_space(&in->from);
        return DT_OK;
    }
    for (bool point = false; dti_is_digit(*at) || (*at == '.' && !point);
         at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        value = value * 10 + (*at - '0');
        scale *= point ? 10 : 1;
        digits++;
    }
    if (digits == 0 || digits > 15)
        return expected(in, "a number of at most 15 digits");
    *out = (negative ? -value : value) / scale;
    in->from.at = at;
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

/* Tell whether the number that comes next has a point. */
static bool has_point(const char *at)
{
    at += *at == '-';
    return at[strspn(at, "0123456789")] == '.';
}

/* ---- Tensors ------------------------------------------------------------ */

static dt_status read_dtype(source *in, bool *varied, dt_dtype *out)
{
    char name[8];
    size_t length = word_length(in->from.at);
    *varied = length == 1 && *in->from.at == 'T';
    *out = DT_F32;
    if (length == 0 || length >= sizeof name)
        return expected(in, "a dtype or T");
    memcpy(name, in->from.at, length);
    name[length] = '\0';
    for (int i = 0; !*varied && i <= DT_DTYPE_COUNT; i++) {
        if (i == DT_DTYPE_COUNT)
            return expected(in, "a dtype or T");
        *out = (dt_dtype)i;
        if (strcmp(name, dt_dtype_name(*out)) == 0)
            break;
    }
    in->from.at += length;
    return DT_OK;
}

/* Up to "]"; behind "[". */
static dt_status read_sizes(source *in, int room, dti_sample_size *out,
                            int *count)
{
    *count = 0;
    if (dti_reader_accept(&in->from, ']'))
        return DT_OK;
    do {
        if (*count == room)
            return expected(in, "\"]\"");
        DTI_TRY(read_size(in, &out[(*count)++]));
    } while (dti_reader_accept(&in->from, ','));
    return expect(in, ']', "a comma or \"]\"");
}

static dt_status read_range(source *in, dti_sample_tensor *out)
{
    if (dti_reader_accept(&in->from, '<')) {
        out->range = DTI_SAMPLE_BELOW;
        return read_size(in, &out->below);
    }
    if (dti_reader_accept(&in->from, '>')) {
        out->range = DTI_SAMPLE_POSITIVE;
        DTI_TRY(expect(in, '0', "the 0 of \">0\""));
    }
    if (dti_reader_accept(&in->from, '<')) {
        out->range = DTI_SAMPLE_FRACTION;
        return expect(in, '1', "the 1 of \">0<1\"");
    }
    return DT_OK;
}

static dt_status read_tensor(source *in, dti_sample_tensor *out)
{
    *out = (dti_sample_tensor){.present = true};
    DTI_TRY(read_dtype(in, &out->varied, &out->dtype));
    DTI_TRY(expect(in, '[', "\"[\" of a tensor's extents"));
    DTI_TRY(read_sizes(in, DT_MAX_NDIM, out->extents, &out->ndim));
    for (int i = 0; i < out->ndim; i++)
        if (out->extents[i].factor < 0)
            return expected(in, "an extent that is not negative");
    DTI_TRY(read_range(in, out));
    out->finite = dti_reader_accept(&in->from, '~');
    return DT_OK;
}

static dt_status read_tensors(source *in, bool optional, dti_sample_value *out)
{
    DTI_TRY(expect(in, '[', "\"[\" of a list of tensors"));
    do {
        if (out->count == DTI_SAMPLE_LIST)
            return expected(in, "\"]\"");
        dti_sample_tensor *one = &out->tensors[out->count++];
        if (!optional || !accept_word(in, "None"))
            DTI_TRY(read_tensor(in, one));
    } while (dti_reader_accept(&in->from, ','));
    return expect(in, ']', "a comma or \"]\"");
}

/* ---- Values ------------------------------------------------------------- */

static dt_status read_truth(source *in, dti_sample_value *out)
{
    out->kind = DT_KIND_BOOLEAN;
    out->size.factor = accept_word(in, "true");
    if (!out->size.factor && !accept_word(in, "false"))
        return expected(in, "true or false");
    return DT_OK;
}

static dt_status read_number(source *in, dti_sample_value *out)
{
    if (word_length(in->from.at) > 1)
        return read_truth(in, out);
    out->kind = has_point(in->from.at) ? DT_KIND_FLOAT : DT_KIND_SIGNED;
    return out->kind == DT_KIND_FLOAT ? read_real(in, &out->real)
                                      : read_size(in, &out->size);
}

static dt_status read_numbers(source *in, dti_sample_value *out)
{
    DTI_TRY(expect(in, '[', "\"[\" of a list"));
    do {
        if (out->count == DTI_SAMPLE_LIST)
            return expected(in, "a shorter list");
        DTI_TRY(read_number(in, out));
        out->kinds[out->count] = out->kind;
        out->reals[out->count] = out->real;
        out->sizes[out->count++] = out->size;
    } while (dti_reader_accept(&in->from, ','));
    return expect(in, ']', "a comma or \"]\"");
}

static dt_status read_text(source *in, dti_sample_value *out)
{
    if (*in->from.at != '"')
        return expected(in, "a text in quotes");
    size_t length = strcspn(in->from.at + 1, "\"");
    if (in->from.at[1 + length] != '"' || length >= sizeof out->text)
        return expected(in, "a short text in quotes");
    memcpy(out->text, in->from.at + 1, length);
    in->from.at += length + 2;
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

/* A value of an enum by its name. */
static dt_status read_name(source *in, dti_type type, dti_sample_size *out)
{
    const size_t length = word_length(in->from.at);
    const int value = dti_type_value(type, in->from.at, length);
    if (value < 0)
        return expected(in, "the name of a value");
    *out = (dti_sample_size){.factor = value};
    in->from.at += length;
    dti_reader_skip_space(&in->from);
    return DT_OK;
}

static bool may_be_none(dti_type type)
{
    return type == DTI_TYPE_OPTIONAL_TENSOR ||
           type == DTI_TYPE_OPTIONAL_DTYPE || type == DTI_TYPE_GENERATOR;
}

static dt_status read_value(source *in, dti_type type, dti_sample_value *out)
{
    memset(out, 0, sizeof *out);
    out->absent = may_be_none(type) && accept_word(in, "None");
    if (out->absent)
        return DT_OK;
    switch (type) {
    case DTI_TYPE_TENSOR:
    case DTI_TYPE_OPTIONAL_TENSOR:
        out->count = 1;
        return read_tensor(in, &out->tensors[0]);
    case DTI_TYPE_TENSORS:
    case DTI_TYPE_OPTIONAL_TENSORS:
        return read_tensors(in, type == DTI_TYPE_OPTIONAL_TENSORS, out);
    case DTI_TYPE_NUMBER:
        return read_number(in, out);
    case DTI_TYPE_NUMBERS:
        return read_numbers(in, out);
    case DTI_TYPE_FLOAT:
        return read_real(in, &out->real);
    case DTI_TYPE_BOOL:
        return read_truth(in, out);
    case DTI_TYPE_INT:
    case DTI_TYPE_DIM:
        return read_size(in, &out->size);
    case DTI_TYPE_REDUCTION:
    case DTI_TYPE_SCATTER_REDUCTION:
    case DTI_TYPE_ROUNDING:
    case DTI_TYPE_APPROXIMATE:
        return read_name(in, type, &out->size);
    case DTI_TYPE_DTYPE:
    case DTI_TYPE_OPTIONAL_DTYPE:
        DTI_TRY(read_dtype(in, &out->varied, &out->dtype));
        dti_reader_skip_space(&in->from);
        return DT_OK;
    case DTI_TYPE_TEXT:
        return read_text(in, out);
    case DTI_TYPE_GENERATOR:
        return expected(in, "None, which a generator is here,");
    case DTI_TYPE_INTS:
    case DTI_TYPE_DIMS:
    case DTI_TYPE_SHAPE:
        DTI_TRY(expect(in, '[', "\"[\" of a list"));
        return read_sizes(in, DTI_SAMPLE_LIST, out->sizes, &out->count);
    default:
        return dti_error_set(in->error, DT_ERR_FORMAT,
                             "samples cannot have a %s argument",
                             dti_types[type].name);
    }
}

/* ---- Calls -------------------------------------------------------------- */

/* "name=" before a value; -1 if there is none such. */
static int find_name(source *in, const dti_schema *schema)
{
    size_t length = word_length(in->from.at);
    int found = dti_schema_find(schema, in->from.at, length);
    if (length == 0 || in->from.at[length] != '=' || found < 0)
        return -1;
    in->from.at += length + 1;
    dti_reader_skip_space(&in->from);
    return found;
}

static dt_status read_call(source *in, const dti_schema *schema,
                           dti_sample *out)
{
    int next = 0;
    DTI_TRY(expect(in, '(', "\"(\""));
    do {
        int named = find_name(in, schema), at = named >= 0 ? named : next;
        if (at >= schema->count || at < next ||
            (named < 0 && schema->parameters[at].option))
            return expected(in, "a comma less, or an option with its name,");
        DTI_TRY(read_value(in, schema->parameters[at].type, &out->values[at]));
        out->given[at] = true;
        next = at + 1;
    } while (dti_reader_accept(&in->from, ','));
    for (int i = 0; i < schema->count; i++)
        if (!out->given[i] && !schema->parameters[i].option)
            return expected(in, schema->parameters[i].name);
    out->length = (int)(in->from.at - out->text) + 1;
    return expect(in, ')', "a comma or \")\"");
}

bool dti_sample_next(const char **text, const dti_schema *schema,
                     dti_sample *out, dt_status *status, dt_error *error)
{
    source in = {{.text = *text, .at = *text}, error};
    *status = DT_OK;
    memset(out, 0, sizeof *out);
    dti_reader_skip_space(&in.from);
    if (!*in.from.at)
        return false;
    out->text = in.from.at;
    *status = read_call(&in, schema, out);
    if (*status == DT_OK && *in.from.at && !dti_reader_accept(&in.from, ';'))
        *status = expected(&in, "\";\"");
    *text = in.from.at;
    return true;
}

/* ---- What they stand for ------------------------------------------------ */

int64_t dti_sample_size_of(const dti_sample_size *size, const int64_t *letters)
{
    int64_t out = size->factor;
    for (int i = 0; i < DTI_SAMPLE_LETTERS; i++)
        for (int k = 0; k < size->powers[i]; k++) {
            if (letters[i] && llabs(out) > DTI_SAMPLE_LARGEST / letters[i])
                return out < 0 ? -DTI_SAMPLE_LARGEST : DTI_SAMPLE_LARGEST;
            out *= letters[i];
        }
    return out;
}

const char *dti_sample_example_of(const dti_schema *schema,
                                  dti_sample_example *out)
{
    static const char *const examples[DTI_TYPE_COUNT] = {
        [DTI_TYPE_TENSOR] = "T[m,n]",
        [DTI_TYPE_OPTIONAL_TENSOR] = "T[m,n]",
        [DTI_TYPE_TENSORS] = "[T[m,n], T[m,n]]",
        [DTI_TYPE_OPTIONAL_TENSORS] = "[T[m,n], None]",
        [DTI_TYPE_NUMBER] = "2",
        [DTI_TYPE_NUMBERS] = "[2,3]",
        [DTI_TYPE_INT] = "1",
        [DTI_TYPE_FLOAT] = "0.5",
        [DTI_TYPE_BOOL] = "true",
        [DTI_TYPE_DIM] = "0",
        [DTI_TYPE_DIMS] = "[0]",
        [DTI_TYPE_INTS] = "[1]",
        [DTI_TYPE_SHAPE] = "[m,n]",
        [DTI_TYPE_DTYPE] = "T",
        [DTI_TYPE_OPTIONAL_DTYPE] = "T",
        [DTI_TYPE_TEXT] = "\"text\"",
        [DTI_TYPE_GENERATOR] = "None",
        [DTI_TYPE_REDUCTION] = "mean",
        [DTI_TYPE_SCATTER_REDUCTION] = "sum",
        [DTI_TYPE_ROUNDING] = "floor",
        [DTI_TYPE_APPROXIMATE] = "tanh",
    };
    dti_writer to = {out->text, sizeof out->text, 0};
    dti_put(&to, "(");
    for (int i = 0; i < schema->count && !schema->parameters[i].option; i++) {
        const char *example = examples[schema->parameters[i].type];
        dti_put(&to, "%s%s", i ? ", " : "", example ? example : "...");
    }
    dti_put(&to, ")");
    return out->text;
}

static unsigned letters_of(const dti_sample_size *sizes, int count)
{
    unsigned bits = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < DTI_SAMPLE_LETTERS; k++)
            bits |= sizes[i].powers[k] ? 1u << k : 0;
    return bits;
}

unsigned dti_sample_letters(const dti_sample *of, const dti_schema *schema)
{
    unsigned bits = 0;
    for (int i = 0; i < schema->count; i++) {
        const dti_sample_value *value = &of->values[i];
        if (!of->given[i])
            continue;
        bits |= letters_of(&value->size, 1);
        bits |= letters_of(value->sizes, DTI_SAMPLE_LIST);
        for (int k = 0; k < DTI_SAMPLE_LIST; k++) {
            const dti_sample_tensor *tensor = &value->tensors[k];
            bits |= letters_of(tensor->extents, tensor->ndim);
            bits |= letters_of(&tensor->below, 1);
        }
    }
    return bits;
}

static const struct {
    const char *name;
    dt_dtype_kind kinds[2];
} families[] = {
    {"float", {DT_KIND_FLOAT, DT_KIND_FLOAT}},
    {"int", {DT_KIND_SIGNED, DT_KIND_UNSIGNED}},
    {"bool", {DT_KIND_BOOLEAN, DT_KIND_BOOLEAN}},
    {"complex", {DT_KIND_COMPLEX, DT_KIND_COMPLEX}},
};

/* The dtypes that a word stands for. */
static unsigned dtypes_of(const char *word, size_t length)
{
    unsigned bits = 0;
    for (int i = 0; i < DT_DTYPE_COUNT; i++) {
        const char *name = dt_dtype_name((dt_dtype)i);
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            bits |= 1u << i;
    }
    for (size_t f = 0; !bits && f < sizeof families / sizeof *families; f++)
        for (int i = 0; i < DT_DTYPE_COUNT; i++) {
            dt_dtype_kind kind = dt_dtype_kind_of((dt_dtype)i);
            if (strlen(families[f].name) == length &&
                strncmp(families[f].name, word, length) == 0 &&
                (kind == families[f].kinds[0] || kind == families[f].kinds[1]))
                bits |= 1u << i;
        }
    return bits;
}

unsigned dti_sample_dtypes(const char *text)
{
    unsigned bits = 0;
    if (!text)
        return (1u << DT_DTYPE_COUNT) - 1;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        unsigned more = dtypes_of(text, length);
        if (!more)
            return 0;
        bits |= more;
        text += length;
    }
    return bits;
}
