/* tests/unit/base/text/pattern.c - patterns of qualified names. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/pattern.h"

#include <string.h>

#include "support/check.h"

static void match_names(dt_world *world)
{
    (void)world;
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"", "", true},
        {"", "a", false},
        {"a", "", false},
        {"layers.0.wq", "layers.0.wq", true},
        {"layers.0.wq", "layers.0.wk", false},
        {"layers.*.wq", "layers.0.wq", true},
        {"layers.*.wq", "layers.12.wq", true},
        {"layers.*.wq", "layers.0.attn.wq", false},
        {"layers.*", "layers.0.attn", false},
        {"*", "weight", true},
        {"*", "", true},
        {"*", "a.b", false},
        {"**", "a.b.c", true},
        {"**", "", true},
        {"layers.**", "layers.0.attn.wq.weight", true},
        {"layers.**", "layers", false},
        {"**.weight", "layers.0.attn.wq.weight", true},
        {"**.weight", "weight", false},
        {"**weight", "weight", true},
        {"**.w*", "a.w.b.wq", true},
        {"**.w*.b", "a.w.c.w.b", true},
        {"**.*.b", "a.b", false},
        {"**.*.b", "a.c.b", true},
        {"w?", "wq", true},
        {"w?", "w", false},
        {"w?", "w.", false},
        {"w[qk]", "wk", true},
        {"w[qk]", "wv", false},
        {"l.[0-3].w", "l.2.w", true},
        {"l.[0-3].w", "l.4.w", false},
        {"l.[!0-3].w", "l.4.w", true},
        {"l.[!0-3].w", "l.1.w", false},
        {"l[!0]w", "l.w", false},
        {"[]]", "]", true},
        {"[a", "[a", true},
        {"[a", "a", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbY.bZc", false},
        {"*a", "bab", false},
        {"*a*", "bab", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECKF(dti_pattern_matches(cases[i].pattern, cases[i].name) ==
                   cases[i].matches,
               "%s and %s", cases[i].pattern, cases[i].name);
}

/* Many stars do not take exponential time: this ends. */
static void end_soon(dt_world *world)
{
    (void)world;
    char name[1001], pattern[202];
    memset(name, 'a', 1000);
    name[1000] = 0;
    for (int i = 0; i < 100; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    memcpy(pattern + 200, "b", 2);
    CHECK(!dti_pattern_matches(pattern, name));
    for (int i = 0; i < 60; i++)
        memcpy(pattern + 3 * i, "**a", 3);
    memcpy(pattern + 180, "b", 2);
    CHECK(!dti_pattern_matches(pattern, name));
}

const dt_test dt_tests[] = {
    {"names that match and names that do not", match_names},
    {"many stars", end_soon},
    {0},
};
