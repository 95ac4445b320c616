/* graph/size.c - sizes: numbers, or expressions over the symbols of a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/size.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* ---- Computing ---------------------------------------------------------- */

/* A quotient rounded down, as Python's. */
static bool divide(int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static bool raise(int64_t base, int64_t exponent, int64_t *out)
{
    *out = 1;
    for (int64_t i = 0; i < exponent; i++)
        if (i > 62 * 2 || __builtin_mul_overflow(*out, base, out))
            return false;
    return exponent >= 0;
}

static bool apply(dti_size_op op, int64_t a, int64_t b, int64_t *out)
{
    int64_t quotient;
    switch (op) {
    case DTI_SIZE_ADD:
        return !__builtin_add_overflow(a, b, out);
    case DTI_SIZE_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case DTI_SIZE_MIN:
        *out = a < b ? a : b;
        return true;
    case DTI_SIZE_MAX:
        *out = a > b ? a : b;
        return true;
    case DTI_SIZE_FLOOR:
        return divide(a, b, out);
    case DTI_SIZE_CEIL:
        return divide(a, b, &quotient) &&
               !__builtin_add_overflow(quotient, a % b != 0, out);
    case DTI_SIZE_MOD:
        if (!divide(a, b, &quotient))
            return false;
        *out = a % b;
        if (*out != 0 && (*out < 0) != (b < 0))
            *out += b;
        return true;
    case DTI_SIZE_POW:
        return raise(a, b, out);
    default:
        return false;
    }
}

bool dti_sizes_compute(const dti_sizes *sizes, const int64_t *symbols,
                       int64_t *values, int *failed)
{
    for (int i = 0; i < sizes->count; i++) {
        const dti_expression *e = &sizes->expressions[i];
        if (e->op == DTI_SIZE_NUMBER)
            values[i] = e->number;
        else if (e->op == DTI_SIZE_SYMBOL)
            values[i] = symbols[e->a];
        else if (!apply(e->op, values[e->a], values[e->b], &values[i])) {
            *failed = i;
            return false;
        }
    }
    return true;
}

/* ---- The table ---------------------------------------------------------- */

int dti_sizes_symbol(dti_sizes *sizes, dti_arena *arena, const char *name,
                     size_t length)
{
    for (int i = 0; i < sizes->symbol_count; i++)
        if (strlen(sizes->symbols[i].name) == length &&
            memcmp(sizes->symbols[i].name, name, length) == 0)
            return i;
    if (!dti_arena_grow(arena, &sizes->symbols, sizes->symbol_count,
                        &sizes->symbol_capacity, sizeof *sizes->symbols))
        return -1;
    dti_symbol *symbol = &sizes->symbols[sizes->symbol_count];
    *symbol = (dti_symbol){.min = INT64_MIN, .max = INT64_MAX};
    symbol->name = dti_arena_text(arena, name, length);
    return symbol->name ? sizes->symbol_count++ : -1;
}

/* Expressions are found by their index, which the map holds plus 1. */
typedef struct wanted_expression {
    const dti_sizes *sizes;
    dti_expression expression;
} wanted_expression;

static bool is_equal(const void *value, const void *key)
{
    const wanted_expression *wanted = key;
    const dti_expression *b = &wanted->expression,
                         *a = &wanted->sizes->expressions[(uintptr_t)value - 1];
    return a->op == b->op && a->a == b->a && a->b == b->b &&
           a->number == b->number;
}

/* Replace an operation on numbers by its result. */
static void fold(const dti_sizes *sizes, dti_expression *e)
{
    int64_t value;
    if (e->op <= DTI_SIZE_SYMBOL)
        return;
    const dti_expression *a = &sizes->expressions[e->a],
                         *b = &sizes->expressions[e->b];
    if (a->op == DTI_SIZE_NUMBER && b->op == DTI_SIZE_NUMBER &&
        apply(e->op, a->number, b->number, &value))
        *e = (dti_expression){.op = DTI_SIZE_NUMBER, .number = value};
}

int dti_sizes_add(dti_sizes *sizes, dti_arena *arena, dti_expression wanted)
{
    fold(sizes, &wanted);
    const wanted_expression key = {sizes, wanted};
    uint64_t hash = dti_hash_mix((uint64_t)wanted.op, (uint64_t)wanted.number);
    hash = dti_hash_mix(hash, (uint64_t)wanted.a << 32 | (uint32_t)wanted.b);
    const void *known = dti_map_find(&sizes->known, hash, &key, is_equal);
    if (known)
        return (int)((uintptr_t)known - 1);
    if (!dti_arena_grow(arena, &sizes->expressions, sizes->count,
                        &sizes->capacity, sizeof wanted))
        return -1;
    sizes->expressions[sizes->count] = wanted;
    const uintptr_t value = (uintptr_t)sizes->count + 1;
    return dti_map_add(&sizes->known, hash, (void *)value) == DT_OK
               ? sizes->count++
               : -1;
}

void dti_sizes_close(dti_sizes *sizes)
{
    dti_map_clear(&sizes->known);
}

/* ---- Reading ------------------------------------------------------------ */

/* Nested functions at most. */
#define DEPTH_MAX 50

typedef struct parser {
    dti_sizes *sizes;
    dti_arena *arena;
    const char *at, *end, *text;
    dt_error *error;
} parser;

/* Functions of sympy and PyTorch, with the operation that they are; two
 * operands, or any number where `folds` is set. */
static const struct {
    const char *name;
    dti_size_op op;
    bool folds;
} functions[] = {
    {"Add", DTI_SIZE_ADD, true},           {"Mul", DTI_SIZE_MUL, true},
    {"Min", DTI_SIZE_MIN, true},           {"Max", DTI_SIZE_MAX, true},
    {"FloorDiv", DTI_SIZE_FLOOR, false},   {"CleanDiv", DTI_SIZE_FLOOR, false},
    {"CeilDiv", DTI_SIZE_CEIL, false},     {"Mod", DTI_SIZE_MOD, false},
    {"PythonMod", DTI_SIZE_MOD, false},    {"Pow", DTI_SIZE_POW, false},
    {"PowByNatural", DTI_SIZE_POW, false},
};

static dt_status fail_format(const parser *in, const char *what)
{
    return dti_error_set(
        in->error, DT_ERR_FORMAT, "size \"%.*s\": expected %s at byte %d",
        (int)(in->end - in->text > 200 ? 200 : in->end - in->text), in->text,
        what, (int)(in->at - in->text));
}

static void skip_space(parser *in)
{
    while (in->at < in->end && *in->at == ' ')
        in->at++;
}

static bool accept(parser *in, char wanted)
{
    skip_space(in);
    if (in->at == in->end || *in->at != wanted)
        return false;
    in->at++;
    return true;
}

static size_t read_word(parser *in, const char **out)
{
    skip_space(in);
    *out = in->at;
    while (in->at < in->end &&
           (*in->at == '_' || (*in->at >= '0' && *in->at <= '9') ||
            (*in->at >= 'a' && *in->at <= 'z') ||
            (*in->at >= 'A' && *in->at <= 'Z')))
        in->at++;
    return (size_t)(in->at - *out);
}

static bool is_word(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static dt_status add(parser *in, dti_expression expression, int *out)
{
    *out = dti_sizes_add(in->sizes, in->arena, expression);
    if (*out < 0)
        return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                             "no memory for a size");
    return DT_OK;
}

static dt_status read_integer(parser *in, int *out)
{
    const bool negative = accept(in, '-');
    int64_t value = 0;
    const char *begin = in->at;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *in->at - '0', &value))
            return fail_format(in, "an integer of 64 bits");
    if (in->at == begin || (!negative && value == INT64_MIN))
        return fail_format(in, "an integer of 64 bits");
    return add(in,
               (dti_expression){.op = DTI_SIZE_NUMBER,
                                .number = negative ? value : -value},
               out);
}

/* 's1', positive=True, integer=True */
static dt_status read_symbol(parser *in, int *out)
{
    const char *name, *word;
    if (!accept(in, '\''))
        return fail_format(in, "a quoted name");
    const size_t length = read_word(in, &name);
    if (length == 0 || !accept(in, '\''))
        return fail_format(in, "a quoted name");
    while (accept(in, ',')) {
        if (read_word(in, &word) == 0 || !accept(in, '=') ||
            read_word(in, &word) == 0)
            return fail_format(in, "a property of the symbol");
    }
    const int symbol = dti_sizes_symbol(in->sizes, in->arena, name, length);
    if (symbol < 0)
        return dti_error_set(in->error, DT_ERR_NO_MEMORY,
                             "no memory for a size");
    return add(in, (dti_expression){.op = DTI_SIZE_SYMBOL, .a = symbol}, out);
}

static dt_status read_expression(parser *in, int depth, int *out);

static dt_status read_operands(parser *in, int depth, dti_size_op op,
                               bool folds, int *out)
{
    int count = 0, operand = 0;
    do {
        DTI_TRY(read_expression(in, depth + 1, &operand));
        if (count++ == 0)
            *out = operand;
        else
            DTI_TRY(add(in, (dti_expression){.op = op, .a = *out, .b = operand},
                        out));
    } while (accept(in, ','));
    return count == 2 || (folds && count > 0) ? DT_OK
                                              : fail_format(in, "two operands");
}

static dt_status read_function(parser *in, int depth, const char *name,
                               size_t length, int *out)
{
    if (is_word(name, length, "Integer"))
        return read_integer(in, out);
    if (is_word(name, length, "Symbol"))
        return read_symbol(in, out);
    if (is_word(name, length, "Identity"))
        return read_expression(in, depth + 1, out);
    for (size_t i = 0; i < DTI_COUNT_OF(functions); i++)
        if (is_word(name, length, functions[i].name))
            return read_operands(in, depth, functions[i].op, functions[i].folds,
                                 out);
    return dti_error_set(in->error, DT_ERR_UNSUPPORTED,
                         "a size is computed by %.*s, which is not supported",
                         (int)(length > 80 ? 80 : length), name);
}

static dt_status read_expression(parser *in, int depth, int *out)
{
    const char *name;
    skip_space(in);
    if (in->at < in->end &&
        (*in->at == '-' || (*in->at >= '0' && *in->at <= '9')))
        return read_integer(in, out);
    const size_t length = read_word(in, &name);
    if (length == 0 || depth > DEPTH_MAX || !accept(in, '('))
        return fail_format(in, "a function");
    DTI_TRY(read_function(in, depth, name, length, out));
    return accept(in, ')') ? DT_OK : fail_format(in, "\")\"");
}

dt_status dti_size_parse(dti_sizes *sizes, dti_arena *arena, const char *text,
                         size_t length, dti_size *out, dt_error *error)
{
    parser in = {sizes, arena, text, text + length, text, error};
    int index = 0;
    DTI_TRY(read_expression(&in, 0, &index));
    skip_space(&in);
    if (in.at != in.end)
        return fail_format(&in, "the end");
    const dti_expression *e = &sizes->expressions[index];
    *out = e->op == DTI_SIZE_NUMBER ? dti_size_of(e->number)
                                    : (dti_size){.expression = index + 1};
    return DT_OK;
}

/* ---- Writing ------------------------------------------------------------ */

static const char *const signs[] = {
    [DTI_SIZE_ADD] = " + ", [DTI_SIZE_MUL] = "*",      [DTI_SIZE_MIN] = "min",
    [DTI_SIZE_MAX] = "max", [DTI_SIZE_FLOOR] = " // ", [DTI_SIZE_CEIL] = "ceil",
    [DTI_SIZE_MOD] = " % ", [DTI_SIZE_POW] = "**",
};

static bool is_infix(dti_size_op op)
{
    return op == DTI_SIZE_ADD || op == DTI_SIZE_MUL || op == DTI_SIZE_FLOOR ||
           op == DTI_SIZE_MOD || op == DTI_SIZE_POW;
}

/* A sum inside another sum needs no brackets. */
static void put_expression(dti_writer *to, const dti_sizes *sizes, int index,
                           dti_size_op outer, int depth)
{
    const dti_expression *e = &sizes->expressions[index];
    if (e->op == DTI_SIZE_NUMBER) {
        dti_put(to, "%lld", (long long)e->number);
    } else if (e->op == DTI_SIZE_SYMBOL) {
        dti_put(to, "%s", sizes->symbols[e->a].name);
    } else if (depth > 2 * DEPTH_MAX) {
        dti_put(to, "...");
    } else {
        const bool infix = is_infix(e->op);
        const bool nests = e->op == DTI_SIZE_ADD || e->op == DTI_SIZE_MUL;
        const bool bare =
            infix && (outer == DTI_SIZE_NUMBER || (nests && outer == e->op));
        dti_put(to, "%s%s", infix ? "" : signs[e->op], bare ? "" : "(");
        put_expression(to, sizes, e->a, infix ? e->op : DTI_SIZE_NUMBER,
                       depth + 1);
        dti_put(to, "%s", infix ? signs[e->op] : ", ");
        put_expression(to, sizes, e->b, infix ? e->op : DTI_SIZE_NUMBER,
                       depth + 1);
        dti_put(to, "%s", bare ? "" : ")");
    }
}

void dti_size_put(dti_writer *to, const dti_sizes *sizes, dti_size size)
{
    if (size.expression)
        put_expression(to, sizes, size.expression - 1, DTI_SIZE_NUMBER, 0);
    else
        dti_put(to, "%lld", (long long)size.number);
}
