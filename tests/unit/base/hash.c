/* tests/unit/base/hash.c - hashes tell things apart. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <string.h>

#include "support/check.h"

static void depends_on_content_alone(dt_world *world)
{
    (void)world;
    char buffer[64];
    const char text[] = "a text of some length, not a multiple of eight";
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(buffer + shift, text, sizeof text);
        CHECK(dti_hash_bytes(buffer + shift, sizeof text) ==
              dti_hash_bytes(text, sizeof text));
    }
    CHECK(dti_hash_text("abc") == dti_hash_bytes("abcd", 3));
    CHECK(dti_hash_text("") == dti_hash_bytes("abc", 0));
}

static void tells_apart(dt_world *world)
{
    (void)world;
    /* Trailing zeros count, and so does order. */
    const char zeros[16] = {0};
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 0; j < i; j++)
            CHECK(dti_hash_bytes(zeros, i) != dti_hash_bytes(zeros, j));
    CHECK(dti_hash_text("ab") != dti_hash_text("ba"));
    CHECK(dti_hash_mix(dti_hash_mix(0, 1), 2) !=
          dti_hash_mix(dti_hash_mix(0, 2), 1));
    CHECK(dti_hash_mix(0, 0) == 0 || dti_hash_mix(0, 0) != dti_hash_mix(0, 1));
}

/* One bit more or less changes about half the bits of the result. */
static void spreads_bits(dt_world *world)
{
    (void)world;
    unsigned long long random = dt_test_seed();
    long changed = 0, cases = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t word = dt_test_random(&random);
        for (int bit = 0; bit < 64; bit++, cases++) {
            uint64_t difference = dti_hash_mix(7, word) ^
                                  dti_hash_mix(7, word ^ (UINT64_C(1) << bit));
            CHECK(difference != 0);
            for (; difference; difference &= difference - 1)
                changed++;
        }
    }
    CHECKF(changed > 28 * cases && changed < 36 * cases,
           "%g bits change on average", (double)changed / (double)cases);
}

const dt_test dt_tests[] = {
    {"depends on content alone", depends_on_content_alone},
    {"tells apart", tells_apart},
    {"spreads bits", spreads_bits},
    {NULL, NULL},
};
