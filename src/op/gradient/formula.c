/* op/gradient/formula.c - reading gradients of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/gradient/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Terms of one text. */
#define MAX_TERMS 128

/*
 * The text is read from left to right by a function for each kind of
 * expression: sum, product, factor, atom.  Each adds terms to the formula and
 * returns the number of the last.  For example "grad * exp(self)" becomes
 *
 *     0: gradient of result 0
 *     1: input self
 *     2: call exp(1)
 *     3: call mul(0, 2)
 */
typedef struct reader {
    dt_world *world;
    const dti_operator *op;
    const char *text;
    const char *at;
    dti_formula *out;
    dti_clause *clause;
    char *free_text; /* where the next literal goes */
    bool borrows;    /* inside shape, dtype and zeros: no element is read */
} reader;

static dt_status refuse(const reader *in, const char *what)
{
    return dti_fail(in->world, DT_ERR_INVALID,
                    "operator %s: gradient \"%s\", character %d: %s",
                    in->op->schema.name, in->text, (int)(in->at - in->text) + 1,
                    what);
}

static void skip_space(reader *in)
{
    while (*in->at == ' ')
        in->at++;
}

static bool take(reader *in, char c)
{
    skip_space(in);
    if (*in->at != c)
        return false;
    in->at++;
    return true;
}

static dt_status expect(reader *in, char c, const char *what)
{
    return take(in, c) ? DT_OK : refuse(in, what);
}

/* Read a word, of no length if there is none. */
static size_t take_word(reader *in, const char **word)
{
    skip_space(in);
    *word = in->at;
    while (isalnum((unsigned char)*in->at) || *in->at == '_')
        in->at++;
    return (size_t)(in->at - *word);
}

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static dt_status add_term(reader *in, const dti_term *term, int *out)
{
    if (in->out->term_count == MAX_TERMS)
        return refuse(in, "the formula is too long");
    *out = in->out->term_count++;
    in->out->terms[*out] = *term;
    return DT_OK;
}

/* ---- Names -------------------------------------------------------------- */

static bool is_tensor_type(dti_type type)
{
    const dt_argument_kind kind = dti_types[type].kind;
    return kind == DT_ARG_TENSOR || kind == DT_ARG_TENSORS;
}

static int find_result(const dti_schema *schema, const char *word,
                       size_t length)
{
    if (schema->results != DTI_RESULTS_NAMED)
        return is_word(word, length, "result") ? 0 : -1;
    for (int i = 0; i < schema->result_count; i++)
        if (is_word(word, length, schema->result_names[i]))
            return i;
    return -1;
}

/* The result that a word is the gradient of; -1 if it is no gradient. */
static int find_grad(const dti_schema *schema, const char *word, size_t length)
{
    if (length < 4 || memcmp(word, "grad", 4) != 0)
        return -1;
    if (schema->results != DTI_RESULTS_NAMED)
        return length == 4 ? 0 : -1;
    return length > 5 && word[4] == '_'
               ? find_result(schema, word + 5, length - 5)
               : -1;
}

/* Find the tensor that a word names, and note that it is read. */
static bool find_tensor(reader *in, const char *word, size_t length,
                        dti_term_tensor *out)
{
    const dti_schema *schema = &in->op->schema;
    out->number = dti_schema_find(schema, word, length);
    out->result = out->number < 0;
    if (out->result)
        out->number = find_result(schema, word, length);
    if (out->number < 0 ||
        (!out->result && !is_tensor_type(schema->parameters[out->number].type)))
        return false;
    if (!in->borrows && out->result)
        in->clause->results |= 1U << out->number;
    else if (!in->borrows)
        in->clause->inputs |= 1U << out->number;
    return true;
}

static dt_status read_name(reader *in, const char *word, size_t length,
                           int *out)
{
    const dti_schema *schema = &in->op->schema;
    dti_term term = {.kind = DTI_TERM_GRAD, .tensor = true};
    dti_term_tensor tensor;
    term.number = find_grad(schema, word, length);
    if (dti_schema_find(schema, word, length) < 0 && term.number >= 0) {
        in->clause->grads |= 1U << term.number;
        return add_term(in, &term, out);
    }
    if (find_tensor(in, word, length, &tensor)) {
        term.kind = tensor.result ? DTI_TERM_RESULT : DTI_TERM_INPUT;
        term.number = tensor.number;
        return add_term(in, &term, out);
    }
    term.kind = DTI_TERM_ARGUMENT;
    term.tensor = false;
    term.number = dti_schema_find(schema, word, length);
    if (term.number >= 0)
        return add_term(in, &term, out);
    in->at = word;
    return refuse(in, "no argument, result or gradient has this name");
}

/* ---- Literals ----------------------------------------------------------- */

static dt_status read_number(reader *in, int *out)
{
    char *end;
    dti_term term = {.kind = DTI_TERM_LITERAL};
    const size_t digits = strspn(in->at, "0123456789");
    const bool whole = !strchr(".eE", in->at[digits]) || !in->at[digits];
    const dt_number value = whole ? dt_integer(strtoll(in->at, &end, 10))
                                  : dt_real(strtod(in->at, &end));
    term.literal = (dt_argument){.kind = DT_ARG_NUMBER, .as.number = value};
    in->at = end;
    return add_term(in, &term, out);
}

/* A text in single quotes, which the row's own quotes leave to formulas. */
static dt_status read_text(reader *in, int *out)
{
    const char *end = strchr(in->at, '\'');
    if (!end)
        return refuse(in, "the text has no end");
    const size_t length = (size_t)(end - in->at);
    memcpy(in->free_text, in->at, length);
    in->free_text[length] = '\0';
    dti_term term = {
        .kind = DTI_TERM_LITERAL,
        .literal = {.kind = DT_ARG_TEXT, .as.text = in->free_text}};
    in->free_text += length + 1;
    in->at = end + 1;
    return add_term(in, &term, out);
}

static bool find_constant(const char *word, size_t length, dti_term *out)
{
    *out = (dti_term){.kind = DTI_TERM_LITERAL};
    if (is_word(word, length, "none"))
        return true;
    const bool yes = is_word(word, length, "true");
    out->literal =
        (dt_argument){.kind = DT_ARG_NUMBER, .as.number = dt_truth(yes)};
    return yes || is_word(word, length, "false");
}

/* ---- Calls -------------------------------------------------------------- */

static dt_status read_sum(reader *in, int *out);

/* The parameter that the next argument of a call is for. */
static dt_status read_parameter(reader *in, const dti_schema *schema,
                                int *place)
{
    const char *before = in->at, *word;
    const size_t length = take_word(in, &word);
    if (length == 0 || !take(in, '=')) {
        in->at = before;
        return *place < schema->count ? DT_OK
                                      : refuse(in, "too many arguments");
    }
    *place = dti_schema_find(schema, word, length);
    return *place >= 0
               ? DT_OK
               : refuse(in, "the operator has no argument of this name");
}

/* Check that a call has all arguments without a default, and tensors where it
 * takes tensors. */
static dt_status check_call(const reader *in, const dti_term *call)
{
    for (int i = 0; i < call->count; i++) {
        const dti_parameter *parameter = &call->op->schema.parameters[i];
        const int term = call->terms[i];
        if (term < 0 ? !parameter->text[0] && !parameter->option
                     : in->out->terms[term].tensor !=
                               is_tensor_type(parameter->type) &&
                           in->out->terms[term].literal.kind != DT_ARG_NONE)
            return dti_fail(in->world, DT_ERR_INVALID,
                            "operator %s: gradient \"%s\": %s takes a %s as "
                            "argument %s",
                            in->op->schema.name, in->text,
                            call->op->schema.name,
                            dti_types[parameter->type].name, parameter->name);
    }
    return DT_OK;
}

static dt_status find_operator(reader *in, const char *word, size_t length,
                               dti_term *call)
{
    char name[DTI_NAME_SIZE];
    *call = (dti_term){.kind = DTI_TERM_CALL, .tensor = true};
    if (length >= sizeof name)
        return refuse(in, "the name is too long");
    memcpy(name, word, length);
    name[length] = '\0';
    DTI_TRY(dti_operator_find(in->world, name, &call->op));
    call->count = call->op->schema.count;
    memset(call->terms, -1, sizeof call->terms);
    return DT_OK;
}

static dt_status read_call(reader *in, const char *word, size_t length,
                           int *out)
{
    dti_term call;
    DTI_TRY(find_operator(in, word, length, &call));
    for (int place = 0; !take(in, ')'); place++) {
        if (place > 0)
            DTI_TRY(expect(in, ',', "expected \",\" or \")\""));
        DTI_TRY(read_parameter(in, &call.op->schema, &place));
        DTI_TRY(read_sum(in, &call.terms[place]));
    }
    DTI_TRY(check_call(in, &call));
    return add_term(in, &call, out);
}

static dt_status read_conj(reader *in, int *out)
{
    dti_term term = {.kind = DTI_TERM_CONJ, .count = 1};
    DTI_TRY(read_sum(in, &term.terms[0]));
    term.tensor = in->out->terms[term.terms[0]].tensor;
    DTI_TRY(expect(in, ')', "expected \")\""));
    return add_term(in, &term, out);
}

/* shape, dtype or zeros of a tensor. */
static dt_status read_facts(reader *in, dti_term_kind kind, int *out)
{
    const char *word;
    dti_term term = {.kind = kind, .tensor = kind == DTI_TERM_ZEROS};
    const size_t length = take_word(in, &word);
    in->borrows = true;
    const bool found = find_tensor(in, word, length, &term.of);
    in->borrows = false;
    if (!found)
        return refuse(in, "expected a tensor argument or a result");
    DTI_TRY(expect(in, ')', "expected \")\""));
    return add_term(in, &term, out);
}

static dt_status read_function(reader *in, const char *word, size_t length,
                               int *out)
{
    if (is_word(word, length, "conj"))
        return read_conj(in, out);
    if (is_word(word, length, "shape"))
        return read_facts(in, DTI_TERM_SHAPE, out);
    if (is_word(word, length, "dtype"))
        return read_facts(in, DTI_TERM_DTYPE, out);
    if (is_word(word, length, "zeros"))
        return read_facts(in, DTI_TERM_ZEROS, out);
    return read_call(in, word, length, out);
}

/* ---- Arithmetic --------------------------------------------------------- */

/* Operators of arithmetic, by sign and by which operands are tensors. */
static const struct {
    char sign;
    const char *both, *first, *second;
} signs[] = {
    {'+', "add", "add_scalar", "add_scalar"},
    {'-', "sub", "sub_scalar", "rsub_scalar"},
    {'*', "mul", "mul_scalar", "mul_scalar"},
    {'/', "div", "div_scalar", NULL},
};

static dt_status call_operator(reader *in, const char *name, const int *terms,
                               int count, int *out)
{
    dti_term call;
    DTI_TRY(find_operator(in, name, strlen(name), &call));
    for (int i = 0; i < count; i++)
        call.terms[i] = terms[i];
    call.scales = strcmp(name, "mul_scalar") == 0;
    return add_term(in, &call, out);
}

/* number / x is number * reciprocal(x). */
static dt_status divide_number(reader *in, int number, int tensor, int *out)
{
    int inverse = -1;
    DTI_TRY(call_operator(in, "reciprocal", &tensor, 1, &inverse));
    return call_operator(in, "mul_scalar", (int[]){inverse, number}, 2, out);
}

static dt_status combine(reader *in, char sign, int one, int other, int *out)
{
    const bool first = in->out->terms[one].tensor;
    const bool second = in->out->terms[other].tensor;
    dti_term number = {.kind = DTI_TERM_NUMBER,
                       .sign = sign,
                       .count = 2,
                       .terms = {one, other}};
    int i = 0;
    if (!first && !second)
        return add_term(in, &number, out);
    while (signs[i].sign != sign)
        i++;
    if (first && second)
        return call_operator(in, signs[i].both, number.terms, 2, out);
    if (first)
        return call_operator(in, signs[i].first, number.terms, 2, out);
    if (!signs[i].second)
        return divide_number(in, one, other, out);
    return call_operator(in, signs[i].second, (int[]){other, one}, 2, out);
}

static dt_status read_negative(reader *in, int *out);

static dt_status read_atom(reader *in, int *out)
{
    const char *word;
    dti_term term;
    skip_space(in);
    if (take(in, '(')) {
        DTI_TRY(read_sum(in, out));
        return expect(in, ')', "expected \")\"");
    }
    if (take(in, '\''))
        return read_text(in, out);
    if (isdigit((unsigned char)*in->at))
        return read_number(in, out);
    const size_t length = take_word(in, &word);
    if (length == 0)
        return refuse(in, "expected a name, a number or \"(\"");
    if (find_constant(word, length, &term))
        return add_term(in, &term, out);
    return take(in, '(') ? read_function(in, word, length, out)
                         : read_name(in, word, length, out);
}

static dt_status read_negative(reader *in, int *out)
{
    int operand = -1;
    if (!take(in, '-'))
        return read_atom(in, out);
    DTI_TRY(read_negative(in, &operand));
    if (in->out->terms[operand].tensor)
        return call_operator(in, "neg", &operand, 1, out);
    dti_term term = {
        .kind = DTI_TERM_NUMBER, .sign = '~', .count = 1, .terms = {operand}};
    return add_term(in, &term, out);
}

static dt_status read_product(reader *in, int *out)
{
    DTI_TRY(read_negative(in, out));
    for (;;) {
        const char sign = take(in, '*') ? '*' : take(in, '/') ? '/' : '\0';
        int other = -1;
        if (!sign)
            return DT_OK;
        DTI_TRY(read_negative(in, &other));
        DTI_TRY(combine(in, sign, *out, other, out));
    }
}

static dt_status read_sum(reader *in, int *out)
{
    DTI_TRY(read_product(in, out));
    for (;;) {
        const char sign = take(in, '+') ? '+' : take(in, '-') ? '-' : '\0';
        int other = -1;
        if (!sign)
            return DT_OK;
        DTI_TRY(read_product(in, &other));
        DTI_TRY(combine(in, sign, *out, other, out));
    }
}

/* ---- Clauses ------------------------------------------------------------ */

static dt_status read_target(reader *in)
{
    const char *word;
    const dti_schema *schema = &in->op->schema;
    const size_t length = take_word(in, &word);
    const int parameter = dti_schema_find(schema, word, length);
    if (parameter < 0 || !is_tensor_type(schema->parameters[parameter].type))
        return refuse(in, "expected the name of a tensor argument");
    if (in->out->clause_of[parameter] >= 0)
        return refuse(in, "this argument has a gradient already");
    if (in->clause->target_count == DTI_MAX_RESULTS)
        return refuse(in, "too many arguments in one clause");
    in->out->clause_of[parameter] = in->out->clause_count;
    in->clause->targets[in->clause->target_count++] = parameter;
    return DT_OK;
}

/* "function(grad, self, result)": the row's function computes the gradients,
 * and reads these. */
static dt_status read_saved(reader *in)
{
    const dti_schema *schema = &in->op->schema;
    in->clause->by_function = true;
    if (!in->op->op->backward)
        return refuse(in, "the row has no `backward`");
    for (bool more = !take(in, ')'); more; more = !take(in, ')')) {
        const char *word;
        dti_term_tensor tensor;
        const size_t length = take_word(in, &word);
        const int grad = find_grad(schema, word, length);
        if (grad >= 0 && dti_schema_find(schema, word, length) < 0)
            in->clause->grads |= 1U << grad;
        else if (!find_tensor(in, word, length, &tensor))
            return refuse(in,
                          "expected a tensor argument, a result or a gradient");
        take(in, ',');
    }
    return DT_OK;
}

/* What comes after the colon. */
static dt_status read_meaning(reader *in)
{
    const char *before = in->at, *word;
    const size_t length = take_word(in, &word);
    in->clause->term = -1;
    if (is_word(word, length, "none"))
        return DT_OK;
    if (is_word(word, length, "function") && take(in, '('))
        return read_saved(in);
    in->at = before;
    return read_sum(in, &in->clause->term);
}

/* Check that several arguments get the results of one call. */
static dt_status check_targets(const reader *in)
{
    const dti_clause *clause = in->clause;
    const dti_term *term =
        clause->term >= 0 ? &in->out->terms[clause->term] : NULL;
    if (!term)
        return DT_OK;
    if (!term->tensor)
        return refuse(in, "a gradient is a tensor");
    if (clause->target_count > 1 &&
        (term->kind != DTI_TERM_CALL ||
         term->op->schema.result_count < clause->target_count))
        return refuse(in, "the gradients of several arguments are the results "
                          "of one operator");
    return DT_OK;
}

static dt_status read_clause(reader *in)
{
    in->clause = &in->out->clauses[in->out->clause_count];
    do
        DTI_TRY(read_target(in));
    while (take(in, ','));
    DTI_TRY(expect(in, ':', "expected \":\" after the name of an argument"));
    DTI_TRY(read_meaning(in));
    DTI_TRY(check_targets(in));
    in->out->grads |= in->clause->grads;
    in->out->clause_count++;
    return DT_OK;
}

/* Every tensor argument has a clause, so that nobody forgets one. */
static dt_status check_complete(const reader *in)
{
    const dti_schema *schema = &in->op->schema;
    for (int i = 0; i < schema->tensor_count; i++) {
        const int parameter = schema->tensors[i];
        if (in->out->clause_of[parameter] < 0)
            return dti_fail(in->world, DT_ERR_INVALID,
                            "operator %s: gradient \"%s\" has no clause for "
                            "%s; write \"%s: none\" if it has none",
                            schema->name, in->text,
                            schema->parameters[parameter].name,
                            schema->parameters[parameter].name);
    }
    return DT_OK;
}

static dt_status read_formula(reader *in)
{
    const char *before = in->at, *word;
    const size_t length = take_word(in, &word);
    skip_space(in);
    if (is_word(word, length, "none") && !*in->at)
        return DT_OK;
    in->at = before;
    in->out->differentiable = true;
    do
        DTI_TRY(read_clause(in));
    while (take(in, ';'));
    skip_space(in);
    if (*in->at)
        return refuse(in, "expected \";\" or the end");
    return check_complete(in);
}

/* ---- Formulas ----------------------------------------------------------- */

static dti_formula *create(const char *text)
{
    dti_formula *formula = calloc(1, sizeof *formula);
    if (!formula)
        return NULL;
    memset(formula->clause_of, -1, sizeof formula->clause_of);
    formula->terms = calloc(MAX_TERMS, sizeof *formula->terms);
    formula->texts = malloc(strlen(text) + 1);
    if (formula->terms && formula->texts)
        return formula;
    dti_formula_free(formula);
    return NULL;
}

/* Give back the memory that terms do not need. */
static void trim(dti_formula *formula)
{
    const size_t count = formula->term_count > 0 ? formula->term_count : 1;
    dti_term *fewer = realloc(formula->terms, count * sizeof *fewer);
    if (fewer)
        formula->terms = fewer;
}

dt_status dti_formula_of(dt_world *world, dti_operator *op,
                         const dti_formula **out)
{
    const char *text = op->op->gradient;
    *out = op->formula;
    if (op->formula || !text)
        return DT_OK;
    dti_formula *formula = create(text);
    if (!formula)
        return dti_fail_memory(world, sizeof *formula, "a gradient");
    reader in = {.world = world,
                 .op = op,
                 .text = text,
                 .at = text,
                 .out = formula,
                 .free_text = formula->texts};
    const dt_status status = read_formula(&in);
    if (status != DT_OK) {
        dti_formula_free(formula);
        return status;
    }
    if (formula->grads == 0 || op->schema.results != DTI_RESULTS_NAMED)
        formula->grads = ~0U;
    trim(formula);
    *out = op->formula = formula;
    return DT_OK;
}

void dti_formula_free(dti_formula *formula)
{
    if (!formula)
        return;
    free(formula->texts);
    free(formula->terms);
    free(formula);
}
