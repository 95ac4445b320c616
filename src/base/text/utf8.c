/* base/text/utf8.c - characters in UTF-8. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/utf8.h"

#include <stdint.h>
#include <string.h>

size_t dti_utf8_decode(const void *text, size_t size, unsigned *code)
{
    static const struct {
        unsigned char mask, lead;
        unsigned least; /* what fewer bytes cannot say */
    } lengths[] = {
        {0x80, 0x00, 0},
        {0xe0, 0xc0, 0x80},
        {0xf0, 0xe0, 0x800},
        {0xf8, 0xf0, 0x10000},
    };
    const unsigned char *bytes = text;
    for (size_t i = 0; i < 4 && i < size; i++) {
        if ((bytes[0] & lengths[i].mask) != lengths[i].lead)
            continue;
        unsigned found = bytes[0] & (unsigned char)~lengths[i].mask;
        for (size_t k = 1; k <= i; k++) {
            if ((bytes[k] & 0xc0) != 0x80)
                return 0;
            found = found << 6 | (bytes[k] & 0x3f);
        }
        if (found < lengths[i].least || found > 0x10ffff ||
            (found >= 0xd800 && found < 0xe000))
            return 0;
        *code = found;
        return i + 1;
    }
    return 0;
}

size_t dti_utf8_check(const void *text, size_t size)
{
    const char *bytes = text;
    unsigned code;
    size_t at = 0;
    while (at < size) {
        uint64_t eight;
        if (size - at >= sizeof eight) {
            memcpy(&eight, bytes + at, sizeof eight);
            if (!(eight & UINT64_C(0x8080808080808080))) {
                at += sizeof eight;
                continue;
            }
        }
        const size_t length = dti_utf8_decode(bytes + at, size - at, &code);
        if (!length)
            return at;
        at += length;
    }
    return size;
}

size_t dti_utf8_encode(unsigned code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned leads[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t k = more; k > 0; k--) {
        out[k] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(leads[more] | code);
    return more + 1;
}
