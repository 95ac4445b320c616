/* tools/ops/read.c - the rows of operators, read from the text of their files.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "ops/rows.h"

/*
 * A family is read after the preprocessor, which expands the macros that make
 * rows, removes comments and leaves
 *
 *     const dt_op dti_ops_<family>[] = {{.schema = "..." "...", ...}, {0}};
 *
 * Texts are concatenated, flags are added up, and of functions only whether
 * they are there is known.  So the tool needs no compiled row and runs on the
 * machine that builds, whatever the library is built for.  What is read stays
 * until the program ends.
 */

typedef struct source {
    const char *family;
    const char *at;
    bool wrong;
} source;

/* The value of a field: its texts, its flags, and whether it names anything. */
typedef struct value {
    char *text; /* NULL if there is none */
    size_t length;
    unsigned flags;
    bool names;
} value;

static void complain(source *from, const char *format, ...) DT_PRINTF(2, 3);

static void complain(source *from, const char *format, ...)
{
    va_list arguments;
    if (from->wrong)
        return;
    va_start(arguments, format);
    fprintf(stderr, "src/ops/%s.c: ", from->family);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    from->wrong = true;
}

/* ---- Words of C --------------------------------------------------------- */

static void skip_space(source *from)
{
    from->at += strspn(from->at, " \t\r\n");
}

static bool accept(source *from, char c)
{
    skip_space(from);
    if (*from->at != c)
        return false;
    from->at++;
    return true;
}

static void expect(source *from, char c)
{
    if (!accept(from, c))
        complain(from, "'%c' is expected in its table before \"%.20s\"", c,
                 from->at);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static void add_character(value *out, char c)
{
    out->text = realloc(out->text, out->length + 2);
    if (!out->text)
        abort();
    out->text[out->length++] = c;
    out->text[out->length] = '\0';
}

/* Append a text in quotes. */
static void read_text(source *from, value *out)
{
    if (!out->text) {
        add_character(out, '\0');
        out->length = 0;
    }
    for (from->at++; *from->at && *from->at != '"'; from->at++) {
        if (*from->at == '\\' && !strchr("\"\\", *++from->at))
            complain(from, "an escape that is not read: \\%c", *from->at);
        add_character(out, *from->at);
    }
    expect(from, '"');
}

static const struct {
    const char *name;
    unsigned flag;
} flags[] = {
    {"DT_OP_IN_PLACE", DT_OP_IN_PLACE},
    {"DT_OP_OUT", DT_OP_OUT},
    {"DT_OP_VIEW", DT_OP_VIEW},
    {"DT_OP_RANDOM", DT_OP_RANDOM},
    {"DT_OP_STRICT", DT_OP_STRICT},
    {"DT_OP_COMMUNICATES", DT_OP_COMMUNICATES},
    {"DT_OP_BY_HAND", DT_OP_BY_HAND},
    {"DT_OP_NO_READ", DT_OP_NO_READ},
    {"DT_OP_ZEROES_MASK", DT_OP_ZEROES_MASK},
    {"DT_OP_NO_DIMS", DT_OP_NO_DIMS},
    {"DT_OP_BOUNDARY", DT_OP_BOUNDARY},
    {"DT_OP_HELPER", DT_OP_HELPER},
};

const char *flag_name(unsigned flag)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].flag == flag)
            return flags[i].name;
    return NULL;
}

/* A name; "void" is part of what NULL expands to. */
static void read_name(source *from, value *out)
{
    const size_t length = word_length(from->at);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (is_word(from->at, length, flags[i].name))
            out->flags |= flags[i].flag;
    if (!isdigit((unsigned char)*from->at) &&
        !is_word(from->at, length, "void") &&
        !is_word(from->at, length, "NULL"))
        out->names = true;
    from->at += length;
}

/* Up to the comma or bracket that ends the value. */
static value read_value(source *from)
{
    value out = {0};
    for (int depth = 0; !from->wrong; skip_space(from)) {
        skip_space(from);
        if (depth == 0 && (*from->at == ',' || *from->at == '}'))
            break;
        if (!*from->at)
            complain(from, "its table does not end");
        else if (*from->at == '"')
            read_text(from, &out);
        else if (word_length(from->at))
            read_name(from, &out);
        else {
            depth += strchr("([{", *from->at) != NULL;
            depth -= strchr(")]}", *from->at) != NULL;
            from->at++;
        }
    }
    return out;
}

/* ---- Fields ------------------------------------------------------------- */

#define FIELD(name)                                                            \
    {                                                                          \
#name, offsetof(dt_op, name)                                           \
    }

typedef struct field {
    const char *name;
    size_t offset;
} field;

static const field texts[] = {
    FIELD(schema), FIELD(aten),      FIELD(about),    FIELD(rule),
    FIELD(linear), FIELD(monotone),  FIELD(permutes), FIELD(samples),
    FIELD(dtypes), FIELD(arguments), FIELD(gradient),
};
static const field functions[] = {
    FIELD(meta),   FIELD(check),   FIELD(factors),
    FIELD(kernel), FIELD(compose), FIELD(composes),
    FIELD(work),   FIELD(copies),  FIELD(backward),
};

/* Stands for every function of a row. */
static void some_function(void)
{
}

static const field *find_field(const field *all, size_t count, const char *name,
                               size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (is_word(name, length, all[i].name))
            return &all[i];
    return NULL;
}

/* Set a field; one that nothing is written from is passed over. */
static void set_field(source *from, const char *name, size_t length, dt_op *op)
{
    value found = read_value(from);
    const field *text =
        find_field(texts, sizeof texts / sizeof *texts, name, length);
    const field *function = find_field(
        functions, sizeof functions / sizeof *functions, name, length);
    void (*given)(void) = found.names ? some_function : NULL;
    if (is_word(name, length, "flags"))
        op->flags = found.flags;
    if (text && found.names)
        complain(from, ".%s is no text", text->name);
    if (text)
        memcpy((char *)op + text->offset, &found.text, sizeof found.text);
    if (function)
        memcpy((char *)op + function->offset, &given, sizeof given);
    if (!text)
        free(found.text);
}

/* The name in a schema, a text of its own. */
static const char *name_of(const char *schema)
{
    const size_t length = strcspn(schema, "(");
    char *name = calloc(length + 1, 1);
    if (!name)
        abort();
    return memcpy(name, schema, length);
}

/* Read a row after "{"; false for the one that ends the table. */
static bool read_fields(source *from, dt_op *op)
{
    if (accept(from, '0')) {
        expect(from, '}');
        return false;
    }
    while (!from->wrong && !accept(from, '}')) {
        expect(from, '.');
        const char *name = from->at;
        from->at += word_length(name);
        const size_t length = (size_t)(from->at - name);
        expect(from, '=');
        set_field(from, name, length, op);
        accept(from, ',');
    }
    if (!op->schema)
        complain(from, "a row without a schema");
    else if (!op->aten)
        op->aten = name_of(op->schema);
    return !from->wrong;
}

/* ---- Tables ------------------------------------------------------------- */

/* Find the table, which may be declared before, and stop after its first
 * bracket. */
static void find_table(source *from)
{
    char start[DTI_NAME_SIZE + 32];
    snprintf(start, sizeof start, "const dt_op dti_ops_%s[",
             family_name(from->family));
    while ((from->at = strstr(from->at, start)) != NULL) {
        from->at += strlen(start);
        if (accept(from, ']') && accept(from, '=') && accept(from, '{'))
            return;
    }
    complain(from, "there is no table `%s] = {`", start);
}

static void read_table(source *from, op_rows *out)
{
    bool more = true;
    find_table(from);
    while (more && !from->wrong) {
        dt_op *op = calloc(1, sizeof *op);
        if (!op)
            abort();
        if (!accept(from, '{')) {
            complain(from, "its table does not end with the row {0}");
            break;
        }
        more = read_fields(from, op);
        accept(from, ',');
        if (more)
            add_row(out, from->family, op);
        else
            free(op);
    }
    if (!from->wrong)
        expect(from, '}');
}

int read_family(const char *folder, const char *family, op_rows *out)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.i", folder, family);
    char *text = read_file(path);
    if (!text) {
        perror(path);
        return 1;
    }
    source from = {.family = family, .at = text};
    read_table(&from, out);
    free(text);
    return from.wrong;
}
