/* cli/json_line.c - reading JSON objects that hold no others. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json_line.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ------------------------------------------------------------ */

static void skip_space(char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool accept(char **at, char wanted)
{
    skip_space(at);
    if (**at != wanted)
        return false;
    ++*at;
    return true;
}

/* Take what follows a backslash; writes one character. */
static bool read_escape(char **at, char *to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *name = **at ? strchr(names, **at) : NULL;
    if (name) {
        *to = meanings[name - names];
        ++*at;
        return true;
    }
    char digits[5] = "", *end;
    if (**at != 'u' || strlen(*at) < 5)
        return false;
    memcpy(digits, *at + 1, 4);
    long code = strtol(digits, &end, 16);
    /* Only control characters are written so. */
    if (*end || code <= 0 || code >= 0x80 || digits[0] == '-')
        return false;
    *to = (char)code;
    *at += 5;
    return true;
}

/* Take text in quotes; what it means is written over it. */
static bool read_text(char **at, const char **out)
{
    if (!accept(at, '"'))
        return false;
    char *to = *at;
    *out = to;
    while (**at != '"') {
        char c = *(*at)++;
        if ((unsigned char)c < 0x20 || (c == '\\' && !read_escape(at, &c)))
            return false;
        *to++ = c;
    }
    ++*at;
    *to = '\0';
    return true;
}

/* Take a number or a word; `*ended` is the character that ended it, which has
 * given way to a zero. */
static bool read_word(char **at, const char **out, char *ended)
{
    skip_space(at);
    size_t length = strspn(*at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    *out = *at;
    *at += length;
    *ended = **at;
    if (length == 0 || !*ended)
        return false;
    *(*at)++ = '\0';
    return true;
}

/* Take a member, and the character behind it. */
static bool read_member(char **at, dti_json_member *out, char *behind)
{
    if (!read_text(at, &out->key) || !accept(at, ':'))
        return false;
    skip_space(at);
    out->is_text = **at == '"';
    *behind = ' ';
    if (!(out->is_text ? read_text(at, &out->value)
                       : read_word(at, &out->value, behind)))
        return false;
    skip_space(at);
    if (strchr(" \t\r\n", *behind) && **at)
        *behind = *(*at)++;
    return true;
}

bool dti_json_read(char *line, dti_json_object *out)
{
    char *at = line, behind = '{';
    out->count = 0;
    if (!accept(&at, '{'))
        return false;
    if (accept(&at, '}'))
        behind = '}';
    while (behind != '}') {
        if (out->count == DTI_JSON_MEMBERS ||
            !read_member(&at, &out->members[out->count++], &behind) ||
            (behind != ',' && behind != '}'))
            return false;
    }
    skip_space(&at);
    return !*at;
}

/* ---- Asking ------------------------------------------------------------- */

static const dti_json_member *find(const dti_json_object *object,
                                   const char *key, bool is_text)
{
    for (int i = 0; i < object->count; i++)
        if (strcmp(object->members[i].key, key) == 0)
            return object->members[i].is_text == is_text ? &object->members[i]
                                                         : NULL;
    return NULL;
}

const char *dti_json_get_text(const dti_json_object *object, const char *key)
{
    const dti_json_member *member = find(object, key, true);
    return member ? member->value : NULL;
}

bool dti_json_get_number(const dti_json_object *object, const char *key,
                         double *out)
{
    const dti_json_member *member = find(object, key, false);
    char *end;
    if (!member)
        return false;
    *out = strtod(member->value, &end);
    return end != member->value && !*end;
}

bool dti_json_get_integer(const dti_json_object *object, const char *key,
                          int64_t *out)
{
    const dti_json_member *member = find(object, key, false);
    char *end;
    if (!member)
        return false;
    errno = 0;
    *out = strtoll(member->value, &end, 10);
    return end != member->value && !*end && !errno;
}
