/* base/text/json_reader.c - reading JSON, strictly, one value after another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/json_reader.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text/json_number.h"
#include "base/text/message.h"
#include "base/text/utf8.h"

/* A name of an object. */
struct dti_json_key {
    uint64_t hash;
    dti_json_string name;
};

/* Memory for texts that had escapes; what is in use comes first. */
struct dti_json_block {
    struct dti_json_block *next;
    size_t used, size;
    char bytes[];
};

enum {
    least_block = 4096,
    most_listed = 16 /* names of an object that are compared one by one */
};

/* ---- Beginning, failing, ending -------------------------------------------
 */

void dti_json_start(dti_json_reader *reader, const void *text, size_t size,
                    int depth)
{
    assert(depth <= DTI_JSON_DEPTH);
    memset(reader, 0, offsetof(dti_json_reader, levels));
    reader->begin = reader->at = reader->value = size ? text : "";
    reader->end = reader->begin + size;
    reader->limit = depth;
    reader->keys = NULL;
    reader->key_count = reader->key_capacity = 0;
    reader->blocks = NULL;
    reader->error.code = DT_OK;
}

/* Keep the first failure, at a place of the text. */
static bool fail_at(dti_json_reader *reader, const char *at, dt_status code,
                    const char *format, va_list list) DT_PRINTF(4, 0);

static bool fail_at(dti_json_reader *reader, const char *at, dt_status code,
                    const char *format, va_list list)
{
    dt_error *error = &reader->error;
    char reason[DT_ERROR_SIZE];
    if (error->code != DT_OK)
        return false;
    dti_message_write(reason, sizeof reason, format, list);
    error->code = code;
    snprintf(error->message, sizeof error->message, "byte %zu: %.900s",
             (size_t)(at - reader->begin), reason);
    return false;
}

bool dti_json_fail(dti_json_reader *reader, dt_status code, const char *format,
                   ...)
{
    va_list list;
    va_start(list, format);
    fail_at(reader, reader->value, code, format, list);
    va_end(list);
    return false;
}

/* Fail where the reader is. */
static bool fail_here(dti_json_reader *reader, const char *format, ...)
    DT_PRINTF(2, 3);

static bool fail_here(dti_json_reader *reader, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail_at(reader, reader->at, DT_ERR_FORMAT, format, list);
    va_end(list);
    return false;
}

static bool fail_memory(dti_json_reader *reader, size_t bytes)
{
    return dti_json_fail(reader, DT_ERR_NO_MEMORY,
                         "out of memory: %zu bytes for JSON", bytes);
}

static bool failed(const dti_json_reader *reader)
{
    return reader->error.code != DT_OK;
}

static void skip_space(dti_json_reader *reader)
{
    const char *at = reader->at, *end = reader->end;
    while (at < end &&
           (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
        at++;
    reader->at = at;
}

/* Fail because something else was expected. */
static bool expected(dti_json_reader *reader, const char *what)
{
    if (reader->at == reader->end)
        return fail_here(reader, "expected %s, found the end of the text",
                         what);
    return fail_here(
        reader, "expected %s, found \"%.*s\"", what,
        (int)(reader->end - reader->at < 8 ? reader->end - reader->at : 8),
        reader->at);
}

dt_status dti_json_finish(dti_json_reader *reader, dt_error *error)
{
    if (!failed(reader)) {
        skip_space(reader);
        if (reader->at < reader->end)
            expected(reader, "the end of the text");
    }
    for (int i = 0; i < reader->depth; i++)
        free(reader->levels[i].table);
    while (reader->blocks) {
        struct dti_json_block *next = reader->blocks->next;
        free(reader->blocks);
        reader->blocks = next;
    }
    free(reader->keys);
    reader->keys = NULL;
    if (error && failed(reader))
        *error = reader->error;
    return reader->error.code;
}

/* ---- What comes next --------------------------------------------------------
 */

dti_json_kind dti_json_peek(dti_json_reader *reader)
{
    if (failed(reader))
        return DTI_JSON_NOTHING;
    skip_space(reader);
    if (reader->at == reader->end)
        return DTI_JSON_NOTHING;
    switch (*reader->at) {
    case '{':
        return DTI_JSON_OBJECT;
    case '[':
        return DTI_JSON_LIST;
    case '"':
        return DTI_JSON_STRING;
    case 't':
    case 'f':
        return DTI_JSON_BOOLEAN;
    case 'n':
        return DTI_JSON_NULL;
    default:
        return *reader->at == '-' || (*reader->at >= '0' && *reader->at <= '9')
                   ? DTI_JSON_NUMBER
                   : DTI_JSON_NOTHING;
    }
}

/* Begin a value of a kind. */
static bool begin(dti_json_reader *reader, dti_json_kind kind, const char *what)
{
    if (failed(reader))
        return false;
    const dti_json_kind found = dti_json_peek(reader);
    reader->value = reader->at;
    return found == kind ? true : expected(reader, what);
}

/* ---- Texts
 * -------------------------------------------------------------------- */

/* Take memory for a text; NULL without. */
static char *take(dti_json_reader *reader, size_t size)
{
    struct dti_json_block *block = reader->blocks;
    if (!block || block->size - block->used < size) {
        const size_t bytes = size > least_block ? size : least_block;
        block = malloc(sizeof *block + bytes);
        if (!block) {
            fail_memory(reader, sizeof *block + bytes);
            return NULL;
        }
        *block = (struct dti_json_block){.next = reader->blocks, .size = bytes};
        reader->blocks = block;
    }
    char *out = block->bytes + block->used;
    block->used += size;
    return out;
}

/* Read four hexadecimal digits after \u; -1 if there are none. */
static int hexadecimal(const char *at, const char *end)
{
    int code = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const char c = at[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* Read the code point of \uXXXX, or of two of them that are a surrogate pair;
 * `at` is at the u.  Returns how many characters, 0 if invalid. */
static size_t read_unicode(const char *at, const char *end, unsigned *code)
{
    const int first = hexadecimal(at + 1, end);
    if (first < 0 || (first >= 0xdc00 && first < 0xe000))
        return 0;
    *code = (unsigned)first;
    if (first < 0xd800 || first >= 0xe000)
        return 5;
    if (end - at < 11 || at[5] != '\\' || at[6] != 'u')
        return 0;
    const int second = hexadecimal(at + 7, end);
    if (second < 0xdc00 || second >= 0xe000)
        return 0;
    *code = 0x10000 + (((unsigned)first & 0x3ff) << 10) +
            ((unsigned)second & 0x3ff);
    return 11;
}

/* Read an escape after its backslash.  Returns how many characters, 0 if
 * invalid. */
static size_t read_escape(const char *at, const char *end, unsigned *code)
{
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    if (at == end)
        return 0;
    if (*at == 'u')
        return read_unicode(at, end, code);
    const char *found = *at ? strchr(names, *at) : NULL;
    if (!found)
        return 0;
    *code = (unsigned char)means[found - names];
    return 1;
}

/* Find the end of a text, from behind its quote on, and check it; tells whether
 * it has escapes.  NULL on failure. */
static const char *find_quote(dti_json_reader *reader, bool *escaped)
{
    unsigned code;
    while (reader->at < reader->end) {
        const unsigned char c = (unsigned char)*reader->at;
        if (c == '"')
            return reader->at;
        size_t length = 1;
        if (c == '\\') {
            *escaped = true;
            length = read_escape(reader->at + 1, reader->end, &code);
            if (!length) {
                expected(reader, "a valid escape");
                return NULL;
            }
            length++;
        } else if (c >= 0x80) {
            length = dti_utf8_decode(reader->at,
                                     (size_t)(reader->end - reader->at), &code);
        }
        if (c < 0x20 || !length) {
            fail_here(reader,
                      c < 0x20 ? "control character %02x in a text"
                               : "invalid UTF-8: %02x",
                      c);
            return NULL;
        }
        reader->at += length;
    }
    expected(reader, "the end of a text");
    return NULL;
}

/* Copy a text that was checked, with its escapes replaced. */
static bool unescape(dti_json_reader *reader, const char *from, const char *end,
                     dti_json_string *out)
{
    char *text = take(reader, (size_t)(end - from)), *to = text;
    if (!text)
        return false;
    while (from < end) {
        unsigned code;
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        from += 1 + read_escape(from + 1, end, &code);
        to += dti_utf8_encode(code, to);
    }
    *out = (dti_json_string){text, (size_t)(to - text)};
    return true;
}

bool dti_json_read_string(dti_json_reader *reader, dti_json_string *out)
{
    bool escaped = false;
    if (!begin(reader, DTI_JSON_STRING, "a text"))
        return false;
    const char *from = ++reader->at;
    const char *quote = find_quote(reader, &escaped);
    if (!quote)
        return false;
    reader->at = quote + 1;
    if (escaped && !reader->skipping)
        return unescape(reader, from, quote, out);
    *out = (dti_json_string){from, (size_t)(quote - from)};
    return true;
}

bool dti_json_is(dti_json_string string, const char *text)
{
    return strlen(text) == string.size &&
           memcmp(string.text, text, string.size) == 0;
}

char *dti_json_copy(dti_json_reader *reader, dti_json_string string)
{
    if (failed(reader))
        return NULL;
    if (memchr(string.text, 0, string.size)) {
        dti_json_fail(reader, DT_ERR_FORMAT, "a text contains a zero");
        return NULL;
    }
    char *copy = malloc(string.size + 1);
    if (!copy) {
        fail_memory(reader, string.size + 1);
        return NULL;
    }
    memcpy(copy, string.text, string.size);
    copy[string.size] = '\0';
    return copy;
}

/* ---- Numbers and words
 * ------------------------------------------------------- */

bool dti_json_read_number(dti_json_reader *reader, bool *is_integer,
                          int64_t *integer, double *real)
{
    if (!begin(reader, DTI_JSON_NUMBER, "a number"))
        return false;
    dti_json_number_form form;
    const size_t length = dti_json_number_scan(reader->at, reader->end, &form);
    if (!length)
        return expected(reader, "a valid number");
    *is_integer = form.integer;
    const char *why = form.integer ? dti_json_to_integer(&form, integer)
                                   : dti_json_to_real(&form, real);
    if (why)
        return fail_here(reader, "%s: %.*s", why,
                         (int)(length < 60 ? length : 60), reader->at);
    reader->at += length;
    return true;
}

bool dti_json_read_integer(dti_json_reader *reader, int64_t *out)
{
    bool is_integer = false;
    double real;
    if (!dti_json_read_number(reader, &is_integer, out, &real))
        return false;
    return is_integer || dti_json_fail(reader, DT_ERR_FORMAT,
                                       "expected an integer, found a number "
                                       "with a fraction or an exponent");
}

bool dti_json_read_real(dti_json_reader *reader, double *out)
{
    if (!begin(reader, DTI_JSON_NUMBER, "a number"))
        return false;
    dti_json_number_form form;
    const size_t length = dti_json_number_scan(reader->at, reader->end, &form);
    if (!length)
        return expected(reader, "a valid number");
    const char *why = dti_json_to_real(&form, out);
    if (why)
        return fail_here(reader, "%s: %.*s", why,
                         (int)(length < 60 ? length : 60), reader->at);
    reader->at += length;
    return true;
}

/* Take a word if it comes next. */
static bool accept_word(dti_json_reader *reader, const char *word)
{
    const size_t length = strlen(word);
    if (failed(reader))
        return false;
    skip_space(reader);
    if ((size_t)(reader->end - reader->at) < length ||
        memcmp(reader->at, word, length) != 0)
        return false;
    reader->value = reader->at;
    reader->at += length;
    return true;
}

bool dti_json_read_bool(dti_json_reader *reader, bool *out)
{
    *out = accept_word(reader, "true");
    if (*out || accept_word(reader, "false"))
        return true;
    return failed(reader) ? false : expected(reader, "true or false");
}

bool dti_json_accept_null(dti_json_reader *reader)
{
    return accept_word(reader, "null");
}

/* ---- Objects and lists
 * --------------------------------------------------------- */

static bool enter(dti_json_reader *reader, bool object)
{
    if (!begin(reader, object ? DTI_JSON_OBJECT : DTI_JSON_LIST,
               object ? "an object" : "a list"))
        return false;
    if (reader->depth == reader->limit)
        return fail_here(reader, "more than %d nested objects and lists",
                         reader->limit);
    reader->levels[reader->depth++] =
        (dti_json_level){.object = object, .first_key = reader->key_count};
    reader->at++;
    return true;
}

bool dti_json_read_object(dti_json_reader *reader)
{
    return enter(reader, true);
}

bool dti_json_read_list(dti_json_reader *reader)
{
    return enter(reader, false);
}

/* Go on to the next member of the innermost object or list; at its end, which
 * `close` is, leave it. */
static bool next_member(dti_json_reader *reader, bool object, char close)
{
    if (failed(reader))
        return false;
    assert(reader->depth > 0);
    dti_json_level *level = &reader->levels[reader->depth - 1];
    assert(level->object == object);
    (void)object;
    skip_space(reader);
    if (reader->at < reader->end && *reader->at == close) {
        reader->at++;
        reader->key_count = level->first_key;
        free(level->table);
        reader->depth--;
        return false;
    }
    if (level->filled) {
        if (reader->at == reader->end || *reader->at != ',')
            return expected(reader,
                            close == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
        reader->at++;
    }
    level->filled = true;
    return true;
}

bool dti_json_next_item(dti_json_reader *reader)
{
    return next_member(reader, false, ']');
}

static bool same_name(const struct dti_json_key *a,
                      const struct dti_json_key *b)
{
    return a->hash == b->hash && a->name.size == b->name.size &&
           memcmp(a->name.text, b->name.text, a->name.size) == 0;
}

/* Put a key into the table of its object, which has space; false if the name is
 * there. */
static bool place(const dti_json_reader *reader, const dti_json_level *level,
                  size_t index)
{
    const struct dti_json_key *key = &reader->keys[index];
    size_t i = (size_t)key->hash & (level->capacity - 1);
    for (; level->table[i]; i = (i + 1) & (level->capacity - 1))
        if (same_name(&reader->keys[level->table[i] - 1], key))
            return false;
    level->table[i] = (uint32_t)index + 1;
    return true;
}

/* Make the table of an object large enough for its keys. */
static bool grow_table(dti_json_reader *reader, dti_json_level *level)
{
    const size_t count = reader->key_count - level->first_key;
    if (count * 2 <= level->capacity)
        return true;
    const size_t capacity = level->capacity ? 4 * level->capacity : 64;
    uint32_t *table = calloc(capacity, sizeof *table);
    if (!table || reader->key_count >= UINT32_MAX) {
        free(table);
        return fail_memory(reader, capacity * sizeof *table);
    }
    free(level->table);
    level->table = table;
    level->capacity = capacity;
    for (size_t i = level->first_key; i + 1 < reader->key_count; i++)
        place(reader, level, i);
    return true;
}

/* Remember the latest key; false, without a failure, if the object has it. */
static bool is_new(dti_json_reader *reader, dti_json_level *level)
{
    const size_t last = reader->key_count - 1;
    if (reader->key_count - level->first_key > most_listed)
        return grow_table(reader, level) && place(reader, level, last);
    for (size_t i = level->first_key; i < last; i++)
        if (same_name(&reader->keys[i], &reader->keys[last]))
            return false;
    return true;
}

/* Add a key, which its object must not have. */
static bool add_key(dti_json_reader *reader, dti_json_string name)
{
    if (reader->key_count == reader->key_capacity) {
        const size_t capacity =
            reader->key_capacity ? 2 * reader->key_capacity : 64;
        struct dti_json_key *larger =
            realloc(reader->keys, capacity * sizeof *larger);
        if (!larger)
            return fail_memory(reader, capacity * sizeof *larger);
        reader->keys = larger;
        reader->key_capacity = capacity;
    }
    reader->keys[reader->key_count++] =
        (struct dti_json_key){dti_hash_bytes(name.text, name.size), name};
    if (is_new(reader, &reader->levels[reader->depth - 1]))
        return true;
    return dti_json_fail(reader, DT_ERR_FORMAT, "duplicate name \"%.*s\"",
                         (int)(name.size < 200 ? name.size : 200), name.text);
}

bool dti_json_next_key(dti_json_reader *reader, dti_json_string *key)
{
    if (!next_member(reader, true, '}') || !dti_json_read_string(reader, key) ||
        (!reader->skipping && !add_key(reader, *key)))
        return false;
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != ':')
        return expected(reader, "\":\"");
    reader->at++;
    return true;
}

/* ---- Skipping
 * -------------------------------------------------------------------- */

/* Skip a value, or enter it if it is an object or a list. */
static void skip_one(dti_json_reader *reader)
{
    dti_json_string string;
    bool boolean;
    double real;
    switch (dti_json_peek(reader)) {
    case DTI_JSON_OBJECT:
        enter(reader, true);
        return;
    case DTI_JSON_LIST:
        enter(reader, false);
        return;
    case DTI_JSON_STRING:
        dti_json_read_string(reader, &string);
        return;
    case DTI_JSON_NUMBER:
        dti_json_read_real(reader, &real);
        return;
    case DTI_JSON_BOOLEAN:
        dti_json_read_bool(reader, &boolean);
        return;
    default:
        if (!failed(reader) && !dti_json_accept_null(reader))
            expected(reader, "a value");
    }
}

bool dti_json_skip(dti_json_reader *reader)
{
    const int outside = reader->depth;
    dti_json_string key;
    reader->skipping = true;
    do {
        skip_one(reader);
        /* On to the next value, out of as many levels as end here. */
        while (!failed(reader) && reader->depth > outside &&
               !(reader->levels[reader->depth - 1].object
                     ? dti_json_next_key(reader, &key)
                     : dti_json_next_item(reader)))
            continue;
    } while (!failed(reader) && reader->depth > outside);
    reader->skipping = false;
    return !failed(reader);
}
