/* base/text/json.c - writing JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/json.h"

void dti_json_quote(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < 0x20)
            fprintf(stream, "\\u%04x", c);
        else
            putc(c, stream);
    }
    putc('"', stream);
}
