/* base/text/json_reader.h - reading JSON, strictly, one value after another. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_JSON_READER_H
#define DTI_BASE_TEXT_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>

/*
 * A pull reader: the caller says which value it expects next.  For example, the
 * text {"name": "x", "sizes": [1, 2]} is read by
 *
 *     dti_json_start(&reader, text, size, 4);
 *     dti_json_read_object(&reader);
 *     while (dti_json_next_key(&reader, &key))
 *         if (dti_json_is(key, "name"))
 *             dti_json_read_string(&reader, &name);
 *         else if (dti_json_is(key, "sizes")) {
 *             dti_json_read_list(&reader);
 *             while (dti_json_next_item(&reader))
 *                 dti_json_read_integer(&reader, &sizes[n++]);
 *         } else
 *             dti_json_skip(&reader);
 *     status = dti_json_finish(&reader, &error);
 *
 * The first failure is kept, and ends everything: all functions then return
 * false, so loops end, and dti_json_finish has the code and the message, with
 * the byte at which it was found.
 *
 * Strict as RFC 8259: valid UTF-8, escapes with whole surrogate pairs, no
 * leading zeros, comments or trailing commas, nothing after the value; and, as
 * the RFC allows, no name twice in an object (in what is skipped this is not
 * checked).  Integers are exact, 64 bits with a sign.  Nothing recurses.
 */
typedef struct dti_json_reader dti_json_reader;

/* A text of a value, not zero-terminated: in the input where that has no
 * escapes, in memory of the reader otherwise.  Valid until dti_json_finish, and
 * as long as the input.  It may contain zeros. */
typedef struct dti_json_string {
    const char *text;
    size_t size;
} dti_json_string;

typedef enum dti_json_kind {
    DTI_JSON_OBJECT,
    DTI_JSON_LIST,
    DTI_JSON_STRING,
    DTI_JSON_NUMBER,
    DTI_JSON_BOOLEAN,
    DTI_JSON_NULL,
    DTI_JSON_NOTHING /* the end of the text, or no value */
} dti_json_kind;

/* Levels of objects and lists that a reader can be asked to allow. */
#define DTI_JSON_DEPTH 64

/* An object or list that was entered and not left. */
typedef struct dti_json_level {
    bool object;
    bool filled;      /* it has had a member: a comma is due */
    size_t first_key; /* in `keys` of the reader */
    uint32_t *table;  /* its keys by hash, once there are many; or NULL */
    size_t capacity;  /* of the table, a power of two */
} dti_json_level;

struct dti_json_reader {
    const char *begin, *at, *end;
    int limit; /* levels at most */
    int depth;
    bool skipping; /* values are checked, not kept */
    dti_json_level levels[DTI_JSON_DEPTH];
    struct dti_json_key *keys; /* of the levels, innermost last */
    size_t key_count, key_capacity;
    struct dti_json_block *blocks; /* of texts that had escapes */
    const char *value;             /* where the latest value began */
    dt_error error;
};

/* Start to read a text, which need not be zero-terminated, with at most `depth`
 * nested objects and lists. */
void dti_json_start(dti_json_reader *reader, const void *text, size_t size,
                    int depth);

/* End: nothing but space may follow the value.  Releases what the reader holds;
 * returns the first failure, which goes to `error`, which may be NULL. */
dt_status dti_json_finish(dti_json_reader *reader, dt_error *error);

/* Tell what comes next. */
dti_json_kind dti_json_peek(dti_json_reader *reader);

/* Enter an object; then its names, until there are no more.  A value is read or
 * skipped after each. */
bool dti_json_read_object(dti_json_reader *reader);
bool dti_json_next_key(dti_json_reader *reader, dti_json_string *key);

/* The same for a list. */
bool dti_json_read_list(dti_json_reader *reader);
bool dti_json_next_item(dti_json_reader *reader);

bool dti_json_read_string(dti_json_reader *reader, dti_json_string *out);
bool dti_json_read_integer(dti_json_reader *reader, int64_t *out);
bool dti_json_read_real(dti_json_reader *reader, double *out);
bool dti_json_read_bool(dti_json_reader *reader, bool *out);

/* Read a number: an integer, or else a real number; tells which by
 * `is_integer`. */
bool dti_json_read_number(dti_json_reader *reader, bool *is_integer,
                          int64_t *integer, double *real);

/* Take null if it comes next; anything else is no failure. */
bool dti_json_accept_null(dti_json_reader *reader);

/* Skip a value of any kind, which is checked all the same. */
bool dti_json_skip(dti_json_reader *reader);

/* Fail for a reason of the caller, at the value read last.  Returns false. */
bool dti_json_fail(dti_json_reader *reader, dt_status code, const char *format,
                   ...) DT_PRINTF(3, 4);

/* Compare a text with a zero-terminated one. */
bool dti_json_is(dti_json_string string, const char *text);

/* Copy a text, zero-terminated; the caller frees it.  One that contains zeros
 * fails, as does memory: NULL. */
char *dti_json_copy(dti_json_reader *reader, dti_json_string string);

#endif
