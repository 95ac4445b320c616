/* base/text/pattern.c - patterns of qualified names. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/pattern.h"

#include <stddef.h>
#include <string.h>

/* The end of a set of characters that begins with "[", or NULL if it has none.
 * A "]" that comes first is one of the characters. */
static const char *find_end(const char *set)
{
    const char *first = set + 1 + (set[1] == '!');
    return *first ? strchr(first + 1, ']') : NULL;
}

/* Tell whether a character is in the set between "[" and `end`. */
static bool is_in_set(const char *set, const char *end, char c)
{
    const bool inverted = set[1] == '!';
    bool found = false;
    for (const char *p = set + 1 + inverted; p < end; p++) {
        if (p + 2 < end && p[1] == '-') {
            found = found || (p[0] <= c && c <= p[2]);
            p += 2;
        } else {
            found = found || *p == c;
        }
    }
    return found != inverted;
}

/* The rest of a pattern after what matches one character, or NULL if its
 * beginning does not match that. */
static const char *match_one(const char *pattern, char c)
{
    if (*pattern == '?')
        return c != '.' ? pattern + 1 : NULL;
    const char *end = *pattern == '[' ? find_end(pattern) : NULL;
    if (end)
        return c != '.' && is_in_set(pattern, end, c) ? end + 1 : NULL;
    return *pattern == c ? pattern + 1 : NULL;
}

/* A star that was met: the pattern after it, and where in the name to go on if
 * what follows does not match. */
typedef struct star {
    const char *pattern;
    const char *name;
} star;

/* Let a star take one character more and try again from there. */
static bool extend(star *last, bool any, const char **pattern,
                   const char **name)
{
    if (!last->pattern || !*last->name || (!any && *last->name == '.'))
        return false;
    *pattern = last->pattern;
    *name = ++last->name;
    return true;
}

/*
 * The usual way with two marks: when something does not match, only the latest
 * star may take one character more, since an earlier one could gain nothing by
 * it.  A single star cannot pass a dot; then the latest double star goes on,
 * which can.  For example "**.w*" and "a.w.b.wq": ".w" matches first in front
 * of ".b"; "*" stops at that dot, "**" takes more and finds ".wq".
 */
bool dti_pattern_matches(const char *pattern, const char *name)
{
    star single = {NULL, NULL}, twice = {NULL, NULL};
    while (*name || *pattern) {
        if (pattern[0] == '*' && pattern[1] == '*') {
            pattern += 2;
            twice = (star){pattern, name};
            single = (star){NULL, NULL};
            continue;
        }
        if (pattern[0] == '*') {
            single = (star){++pattern, name};
            continue;
        }
        const char *rest = *name ? match_one(pattern, *name) : NULL;
        if (rest) {
            pattern = rest;
            name++;
            continue;
        }
        if (extend(&single, false, &pattern, &name))
            continue;
        single = (star){NULL, NULL};
        if (!extend(&twice, true, &pattern, &name))
            return false;
    }
    return true;
}
