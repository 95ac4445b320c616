/* op/rule/rule.c - reading the texts of sharding rules. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/rule/rule.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"

/* A text that is read from left to right. */
typedef struct reader {
    const char *text;
    const char *at;
    dt_error *error;
} reader;

static dt_status refuse(const reader *in, const char *what)
{
    return dti_error_set(in->error, DT_ERR_FORMAT,
                         "rule \"%s\", character %d: %s", in->text,
                         (int)(in->at - in->text) + 1, what);
}

static void skip_space(reader *in)
{
    while (*in->at == ' ')
        in->at++;
}

static bool take(reader *in, const char *word)
{
    skip_space(in);
    size_t length = strlen(word);
    if (strncmp(in->at, word, length) != 0)
        return false;
    in->at += length;
    return true;
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* ---- Items -------------------------------------------------------------- */

static dt_status read_letters(reader *in, dti_rule_item *item)
{
    bool grouped = take(in, "(");
    int count = 0;
    if (item->count == DT_MAX_NDIM)
        return refuse(in, "too many dimensions");
    while (is_letter(*in->at) && (grouped || count == 0)) {
        if (count == DT_MAX_NDIM)
            return refuse(in, "too many letters in brackets");
        item->dims[item->count].letters[count++] = *in->at++;
    }
    if (count == 0)
        return refuse(in, "expected a letter");
    if (grouped && !take(in, ")"))
        return refuse(in, "missing closing bracket");
    item->dims[item->count].optional = take(in, "?");
    item->dims[item->count++].count = count;
    return DT_OK;
}

static bool item_ends(const reader *in)
{
    return *in->at == ',' || *in->at == '\0' || *in->at == ';' ||
           strncmp(in->at, "->", 2) == 0;
}

static dt_status read_item(reader *in, dti_rule_item *item)
{
    memset(item, 0, sizeof *item);
    item->ellipsis = -1;
    for (skip_space(in); !item_ends(in); skip_space(in)) {
        if (take(in, "...")) {
            if (item->ellipsis >= 0)
                return refuse(in, "\"...\" occurs twice in one tensor");
            item->ellipsis = item->count;
        } else {
            DTI_TRY(read_letters(in, item));
        }
    }
    return DT_OK;
}

static dt_status read_items(reader *in, dti_rule_item *items, int *count)
{
    do {
        if (*count == DT_MAX_FACTOR_MAPS)
            return refuse(in, "too many tensors");
        DTI_TRY(read_item(in, &items[*count]));
        (*count)++;
    } while (take(in, ","));
    return DT_OK;
}

/* ---- Words -------------------------------------------------------------- */

typedef struct word {
    const char *text;
    size_t length;
} word;

static word read_word(reader *in)
{
    skip_space(in);
    word out = {in->at, 0};
    while (isalnum((unsigned char)*in->at) || *in->at == '_')
        in->at++;
    out.length = (size_t)(in->at - out.text);
    return out;
}

static bool is_word(word read, const char *text)
{
    return strlen(text) == read.length &&
           memcmp(text, read.text, read.length) == 0;
}

static bool take_word(reader *in, const char *text)
{
    const char *before = in->at;
    if (is_word(read_word(in), text))
        return true;
    in->at = before;
    return false;
}

/* "if float", "unless train": a boolean argument, or an optional tensor that is
 * present.  Without either the condition always holds. */
static dt_status read_condition(reader *in, const dti_schema *schema,
                                dti_condition *out)
{
    memset(out, 0, sizeof *out);
    out->negated = take_word(in, "unless");
    if (!out->negated && !take_word(in, "if"))
        return DT_OK;
    word name = read_word(in);
    out->kind = is_word(name, "float") ? DTI_IF_FLOAT : DTI_IF_ARGUMENT;
    if (out->kind == DTI_IF_FLOAT)
        return DT_OK;
    out->parameter = dti_schema_find(schema, name.text, name.length);
    if (out->parameter < 0)
        return refuse(in, "unknown argument");
    dti_type type = schema->parameters[out->parameter].type;
    if (type != DTI_TYPE_BOOL && type != DTI_TYPE_OPTIONAL_TENSOR)
        return refuse(in, "a condition is a bool or an optional tensor");
    return DT_OK;
}

/* ---- Marks -------------------------------------------------------------- */

#define FACTOR (DTI_TARGET_LETTER | DTI_TARGET_ELLIPSIS | DTI_TARGET_DIMS)
#define KIND DTI_SAYS_KIND
#define GONE (DTI_SAYS_KIND | DTI_SAYS_GONE)

static const struct {
    const char *text;
    unsigned targets; /* that it is for */
    unsigned says;
    dt_factor_kind kind;
    dt_reduce reduce;
} mark_words[] = {
    {"sum", FACTOR, GONE, DT_FACTOR_REDUCED, DT_SUM},
    {"max", FACTOR, GONE, DT_FACTOR_REDUCED, DT_MAX},
    {"min", FACTOR, GONE, DT_FACTOR_REDUCED, DT_MIN},
    {"product", FACTOR, GONE, DT_FACTOR_REDUCED, DT_PRODUCT},
    {"band", FACTOR, GONE, DT_FACTOR_REDUCED, DT_BAND},
    {"bor", FACTOR, GONE, DT_FACTOR_REDUCED, DT_BOR},
    {"masked", FACTOR, GONE, DT_FACTOR_MASKED, DT_SUM},
    {"inside", FACTOR, GONE, DT_FACTOR_INSIDE, DT_SUM},
    {"across", FACTOR, KIND, DT_FACTOR_INSIDE, DT_SUM},
    {"moved", FACTOR, KIND | DTI_SAYS_EXCHANGES, DT_FACTOR_INSIDE, DT_SUM},
    {"whole", FACTOR, KIND, DT_FACTOR_WHOLE, DT_SUM},
    {"gone", FACTOR, GONE, DT_FACTOR_WHOLE, DT_SUM},
    {"alone", FACTOR, DTI_SAYS_ALONE, DT_FACTOR_FREE, DT_SUM},
    {"equal", DTI_TARGET_ELLIPSIS | DTI_TARGET_LETTER, DTI_SAYS_EQUAL,
     DT_FACTOR_FREE, DT_SUM},
    {"selects", DTI_TARGET_DIMS, DTI_SAYS_SELECTS, DT_FACTOR_FREE, DT_SUM},
    {"unread", DTI_TARGET_TENSOR, DTI_SAYS_UNREAD, DT_FACTOR_FREE, DT_SUM},
    {"constant", DTI_TARGET_RESULT, DTI_SAYS_CONSTANT, DT_FACTOR_FREE, DT_SUM},
    {"reduced", DTI_TARGET_TENSOR | DTI_TARGET_RESULT, DTI_SAYS_REDUCED,
     DT_FACTOR_FREE, DT_SUM},
};

#undef FACTOR
#undef KIND
#undef GONE

/* The number of a tensor among the tensors of a schema; -1: another argument.
 */
static int tensor_number(const dti_schema *schema, int parameter)
{
    for (int i = 0; i < schema->tensor_count; i++)
        if (schema->tensors[i] == parameter)
            return i;
    return -1;
}

static bool names_dims(dti_type type)
{
    return type == DTI_TYPE_DIM || type == DTI_TYPE_DIMS ||
           type == DTI_TYPE_INTS || type == DTI_TYPE_SHAPE;
}

static dt_status read_argument(reader *in, const dti_schema *schema,
                               int parameter, dti_mark *mark)
{
    int tensor = tensor_number(schema, parameter);
    if (tensor < 0 && !names_dims(schema->parameters[parameter].type))
        return refuse(in, "this argument names no dimensions");
    mark->target = tensor < 0 ? DTI_TARGET_DIMS : DTI_TARGET_TENSOR;
    mark->number = tensor < 0 ? parameter : tensor;
    return DT_OK;
}

static dt_status read_target(reader *in, const dti_schema *schema,
                             dti_mark *mark)
{
    mark->target = DTI_TARGET_ELLIPSIS;
    if (take(in, "..."))
        return DT_OK;
    word name = read_word(in);
    if (name.length == 0)
        return refuse(in, "expected a letter, \"...\" or an argument name");
    int parameter = dti_schema_find(schema, name.text, name.length);
    if (parameter >= 0)
        return read_argument(in, schema, parameter, mark);
    mark->target = DTI_TARGET_RESULT;
    for (int i = 0; i < schema->result_count; i++)
        if (is_word(name, schema->result_names[i])) {
            mark->number = i;
            return DT_OK;
        }
    if (name.length != 1 || !is_letter(*name.text))
        return refuse(in, "unknown argument");
    mark->target = DTI_TARGET_LETTER;
    mark->number = *name.text - 'a';
    return DT_OK;
}

/* "calls 2". */
static dt_status read_calls(reader *in, dti_mark *mark)
{
    word number = read_word(in);
    if (number.length != 1 || *number.text < '1' || *number.text > '9')
        return refuse(in, "\"calls\" takes a number from 1 to 9");
    mark->calls = *number.text - '0';
    return DT_OK;
}

/* "d at dim": where the dimensions of "..." leave room for a letter. */
static dt_status read_place(reader *in, const dti_schema *schema,
                            const dti_mark *mark, dti_rule *out)
{
    word name = read_word(in);
    int parameter = dti_schema_find(schema, name.text, name.length);
    if (mark->target != DTI_TARGET_LETTER)
        return refuse(in, "\"at\" is for letters");
    if (parameter < 0 || schema->parameters[parameter].type != DTI_TYPE_DIM)
        return refuse(in, "\"at\" takes an argument of type Dim");
    out->at[mark->number] = parameter;
    return DT_OK;
}

static dt_status read_mark_word(reader *in, dti_mark *mark)
{
    word read = read_word(in);
    for (size_t i = 0; i < sizeof mark_words / sizeof *mark_words; i++) {
        if (!is_word(read, mark_words[i].text))
            continue;
        if (!(mark_words[i].targets & (unsigned)mark->target))
            return refuse(in, "the mark does not fit what it is for");
        mark->says |= mark_words[i].says;
        if (mark_words[i].says & DTI_SAYS_KIND) {
            mark->kind = mark_words[i].kind;
            mark->reduce = mark_words[i].reduce;
        }
        return DT_OK;
    }
    return refuse(in, "unknown mark");
}

static bool mark_ends(reader *in)
{
    skip_space(in);
    return *in->at == '\0' || *in->at == ',' ||
           strncmp(in->at, "if ", 3) == 0 || strncmp(in->at, "unless ", 7) == 0;
}

/* A target, what is said of it, and when: "d at dim masked", "dim across calls
 * 2", "... whole if scale_grad_by_freq". */
static dt_status read_mark(reader *in, const dti_schema *schema, dti_rule *out)
{
    dti_mark mark = {0};
    DTI_TRY(read_target(in, schema, &mark));
    do {
        if (take_word(in, "at"))
            DTI_TRY(read_place(in, schema, &mark, out));
        else if (mark.target != DTI_TARGET_TENSOR && take_word(in, "calls"))
            DTI_TRY(read_calls(in, &mark));
        else
            DTI_TRY(read_mark_word(in, &mark));
    } while (!mark_ends(in));
    DTI_TRY(read_condition(in, schema, &mark.condition));
    if (!mark.says && !mark.calls)
        return DT_OK;
    if (out->mark_count == DTI_MAX_MARKS)
        return refuse(in, "too many marks");
    out->marks[out->mark_count++] = mark;
    return DT_OK;
}

static dt_status read_marks(reader *in, const dti_schema *schema, dti_rule *out)
{
    do
        DTI_TRY(read_mark(in, schema, out));
    while (take(in, ","));
    return DT_OK;
}

/* ---- Rules -------------------------------------------------------------- */

static void note_letters(const dti_rule_item *item, unsigned *letters)
{
    for (int e = 0; e < item->count; e++)
        for (int i = 0; i < item->dims[e].count; i++)
            *letters |= 1u << (item->dims[e].letters[i] - 'a');
}

/* The most dimensions that "..." of a tensor matches. */
static int widest(const dti_rule_item *item)
{
    int others = 0;
    for (int e = 0; e < item->count; e++)
        others += !item->dims[e].optional;
    return item->ellipsis < 0 ? 0 : DT_MAX_NDIM - others;
}

/* The most factors that a call can have: letters, and dimensions of "...". */
static int most_factors(const dti_rule *rule)
{
    unsigned letters = 0;
    int most = 0;
    for (int i = 0; i < rule->in_count; i++) {
        const int wide = widest(&rule->in[i]);
        note_letters(&rule->in[i], &letters);
        most = wide > most ? wide : most;
    }
    for (int i = 0; i < rule->out_count; i++)
        note_letters(&rule->out[i], &letters);
    for (; letters; letters &= letters - 1)
        most++;
    return most;
}

dt_status dti_rule_parse(const char *text, const dti_schema *schema,
                         dti_rule *out, dt_error *error)
{
    reader in = {.text = text, .at = text, .error = error};
    memset(out, 0, sizeof *out);
    memset(out->at, -1, sizeof out->at);
    DTI_TRY(read_items(&in, out->in, &out->in_count));
    if (!take(&in, "->"))
        return refuse(&in, "expected \"->\"");
    DTI_TRY(read_items(&in, out->out, &out->out_count));
    if (take(&in, ";"))
        DTI_TRY(read_marks(&in, schema, out));
    skip_space(&in);
    if (*in.at)
        return refuse(&in, "unexpected text");
    if (out->in_count != schema->tensor_count)
        return refuse(&in, "the number of tensors differs from the schema");
    if (out->out_count != (schema->result_count ? schema->result_count : 1))
        return refuse(&in, "the number of results differs from the schema");
    if (most_factors(out) > DT_MAX_FACTORS)
        return refuse(&in, "more letters and dimensions of \"...\" than a call "
                           "can have factors (DT_MAX_FACTORS)");
    return DT_OK;
}

/* ---- Partial inputs ----------------------------------------------------- */

/* The bit of the tensor parameter with this name; 0 of any other argument. */
static dt_status read_name(reader *in, const dti_schema *schema, unsigned *out)
{
    word name = read_word(in);
    int parameter = dti_schema_find(schema, name.text, name.length);
    *out = 0;
    if (parameter < 0)
        return refuse(in, "unknown argument");
    int tensor = tensor_number(schema, parameter);
    *out = tensor < 0 ? 0 : 1u << tensor;
    return DT_OK;
}

/* "a*b" or "a given c".  A tensor that is the whole of a term is an addend. */
static dt_status read_term(reader *in, const dti_schema *schema,
                           dti_passes *out)
{
    unsigned one, *term = &out->terms[out->term_count++];
    bool alone = true;
    DTI_TRY(read_name(in, schema, term));
    for (; take(in, "*"); alone = false) {
        DTI_TRY(read_name(in, schema, &one));
        *term |= one;
    }
    for (; take(in, "given "); alone = false)
        DTI_TRY(read_name(in, schema, &one));
    out->addends |= alone ? *term : 0;
    return DT_OK;
}

static dt_status read_terms(reader *in, const dti_schema *schema,
                            dti_passes *out)
{
    do {
        if (out->term_count == DTI_MAX_TERMS)
            return refuse(in, "too many terms");
        DTI_TRY(read_term(in, schema, out));
    } while (take(in, "+"));
    return DT_OK;
}

static dt_status read_moved(reader *in, const dti_schema *schema,
                            dti_passes *out)
{
    unsigned one;
    while (!mark_ends(in)) {
        DTI_TRY(read_name(in, schema, &one));
        out->moved |= one;
    }
    return DT_OK;
}

/* "self" or "-self", as often as there are. */
static dt_status read_monotone(reader *in, const dti_schema *schema,
                               dti_passes *out)
{
    unsigned one;
    while (!mark_ends(in)) {
        unsigned *to = take(in, "-") ? &out->decreasing : &out->increasing;
        DTI_TRY(read_name(in, schema, &one));
        *to |= one;
    }
    return DT_OK;
}

typedef dt_status (*reading)(reader *in, const dti_schema *schema,
                             dti_passes *out);

/* A text of a row, if it has it, and its condition. */
static dt_status read_passes(const char *text, reading read,
                             const dti_schema *schema, dti_passes *out,
                             dti_condition *condition, dt_error *error)
{
    reader in = {text, text, error};
    if (!text)
        return DT_OK;
    DTI_TRY(read(&in, schema, out));
    DTI_TRY(read_condition(&in, schema, condition));
    skip_space(&in);
    return *in.at ? refuse(&in, "unexpected text") : DT_OK;
}

dt_status dti_passes_parse(const dt_op *op, const dti_schema *schema,
                           dti_passes *out, dt_error *error)
{
    memset(out, 0, sizeof *out);
    DTI_TRY(read_passes(op->linear, read_terms, schema, out, &out->linear_if,
                        error));
    DTI_TRY(read_passes(op->monotone, read_monotone, schema, out,
                        &out->monotone_if, error));
    return read_passes(op->permutes, read_moved, schema, out, &out->permutes_if,
                       error);
}
