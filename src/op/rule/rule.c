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

/* ---- Marks -------------------------------------------------------------- */

static const struct {
    const char *word;
    dt_factor_kind kind;
    dt_reduce reduce;
    bool gone;
} mark_words[] = {
    {"sum", DT_FACTOR_REDUCED, DT_SUM, true},
    {"max", DT_FACTOR_REDUCED, DT_MAX, true},
    {"min", DT_FACTOR_REDUCED, DT_MIN, true},
    {"product", DT_FACTOR_REDUCED, DT_PRODUCT, true},
    {"band", DT_FACTOR_REDUCED, DT_BAND, true},
    {"bor", DT_FACTOR_REDUCED, DT_BOR, true},
    {"masked", DT_FACTOR_MASKED, DT_SUM, true},
    {"inside", DT_FACTOR_INSIDE, DT_SUM, true},
    {"across", DT_FACTOR_INSIDE, DT_SUM, false},
    {"whole", DT_FACTOR_WHOLE, DT_SUM, false},
    {"gone", DT_FACTOR_WHOLE, DT_SUM, true},
};

static size_t read_word(reader *in, const char **word)
{
    skip_space(in);
    *word = in->at;
    while (isalnum((unsigned char)*in->at) || *in->at == '_')
        in->at++;
    return (size_t)(in->at - *word);
}

static dt_status read_mark_kind(reader *in, dti_mark *mark)
{
    const char *word;
    size_t length = read_word(in, &word);
    for (size_t i = 0; i < sizeof mark_words / sizeof *mark_words; i++)
        if (strlen(mark_words[i].word) == length &&
            memcmp(mark_words[i].word, word, length) == 0) {
            mark->kind = mark_words[i].kind;
            mark->reduce = mark_words[i].reduce;
            mark->gone = mark_words[i].gone;
            return DT_OK;
        }
    return refuse(in, "unknown mark");
}

static dt_status read_mark(reader *in, const dti_schema *schema, dti_mark *mark)
{
    const char *word;
    size_t length = read_word(in, &word);
    if (length == 0)
        return refuse(in, "expected a letter or an argument name");
    mark->parameter = dti_schema_find(schema, word, length);
    mark->letter = '\0';
    if (mark->parameter < 0) {
        if (length != 1 || !is_letter(*word))
            return refuse(in, "unknown argument");
        mark->letter = *word;
    }
    return read_mark_kind(in, mark);
}

static dt_status read_marks(reader *in, const dti_schema *schema, dti_rule *out)
{
    do {
        if (out->mark_count == DTI_MAX_MARKS)
            return refuse(in, "too many marks");
        DTI_TRY(read_mark(in, schema, &out->marks[out->mark_count]));
        out->mark_count++;
    } while (take(in, ","));
    return DT_OK;
}

dt_status dti_rule_parse(const char *text, const dti_schema *schema,
                         dti_rule *out, dt_error *error)
{
    reader in = {.text = text, .at = text, .error = error};
    memset(out, 0, sizeof *out);
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
    return DT_OK;
}

/* ---- Partial inputs ----------------------------------------------------- */

/* The bit of the tensor parameter with this name; 0 of any other argument. */
static dt_status read_name(reader *in, const dti_schema *schema, unsigned *out)
{
    const char *word;
    size_t length = read_word(in, &word);
    int parameter = dti_schema_find(schema, word, length);
    *out = 0;
    if (parameter < 0)
        return refuse(in, "unknown argument");
    for (int i = 0; i < schema->tensor_count; i++)
        if (schema->tensors[i] == parameter)
            *out = 1u << i;
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
    return *in->at ? refuse(in, "unexpected text") : DT_OK;
}

static dt_status read_moved(reader *in, const dti_schema *schema,
                            unsigned *moved)
{
    unsigned one;
    for (skip_space(in); *in->at; skip_space(in)) {
        DTI_TRY(read_name(in, schema, &one));
        *moved |= one;
    }
    return DT_OK;
}

/* "self" or "-self", as often as there are. */
static dt_status read_monotone(reader *in, const dti_schema *schema,
                               dti_passes *out)
{
    unsigned one;
    for (skip_space(in); *in->at; skip_space(in)) {
        unsigned *to = take(in, "-") ? &out->decreasing : &out->increasing;
        DTI_TRY(read_name(in, schema, &one));
        *to |= one;
    }
    return DT_OK;
}

dt_status dti_passes_parse(const dt_op *op, const dti_schema *schema,
                           dti_passes *out, dt_error *error)
{
    memset(out, 0, sizeof *out);
    if (op->linear) {
        reader in = {op->linear, op->linear, error};
        DTI_TRY(read_terms(&in, schema, out));
    }
    if (op->monotone) {
        reader in = {op->monotone, op->monotone, error};
        DTI_TRY(read_monotone(&in, schema, out));
    }
    if (op->permutes) {
        reader in = {op->permutes, op->permutes, error};
        DTI_TRY(read_moved(&in, schema, &out->moved));
    }
    return DT_OK;
}
