/* tests/unit/base/text/utf8.c - characters in UTF-8. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/text/utf8.h"

#include "support/check.h"

/* Every code point survives encoding and decoding; shorter is cut off. */
static void survives_a_round_trip(dt_world *world)
{
    (void)world;
    char bytes[4];
    for (unsigned code = 0; code <= 0x10ffff; code++) {
        if (code >= 0xd800 && code < 0xe000)
            continue;
        unsigned back = ~code;
        const size_t length = dti_utf8_encode(code, bytes);
        if (dti_utf8_decode(bytes, length, &back) != length || back != code ||
            dti_utf8_check(bytes, length) != length ||
            dti_utf8_decode(bytes, length - 1, &back) != 0)
            CHECKF(false, "code point %x", code);
    }
}

static void rejects_what_is_no_character(dt_world *world)
{
    (void)world;
    static const char *const wrong[] = {"\x80",
                                        "\xbf",
                                        "\xc0\x80",
                                        "\xc1\xbf",
                                        "\xe0\x80\x80",
                                        "\xe0\x9f\xbf",
                                        "\xed\xa0\x80",
                                        "\xed\xbf\xbf",
                                        "\xc3",
                                        "\xc3(",
                                        "\xf0\x80\x80\x80",
                                        "\xf4\x90\x80\x80",
                                        "\xf8\x88\x80\x80\x80",
                                        "\xff",
                                        "\xe2\x82"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[32] = "0123456789";
        strcat(text, wrong[i]);
        CHECKF(dti_utf8_check(text, strlen(text)) == 10, "case %zu", i);
    }
    CHECK_INT((long long)dti_utf8_check("", 0), 0);
    CHECK_INT((long long)dti_utf8_check("a\0b", 3), 3);
}

const dt_test dt_tests[] = {
    {"survives a round trip", survives_a_round_trip},
    {"rejects what is no character", rejects_what_is_no_character},
    {NULL, NULL},
};
