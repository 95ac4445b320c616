/* base/text/json.c - writing JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/json.h"

#include <stdlib.h>
#include <string.h>

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

/* Write a number as the C locale does, whatever the locale: what is neither a
 * digit nor a sign nor an e is the decimal point. */
static void print_real(double value, int digits, char *text, size_t size)
{
    char *to = text;
    snprintf(text, size, "%.*g", digits, value);
    for (const char *from = text; *from; from++)
        if (strchr("0123456789+-e", *from))
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    *to = '\0';
}

void dti_json_put_real(FILE *stream, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        const double again = strtod(text, NULL);
        print_real(value, digits, text, sizeof text);
        if (memcmp(&again, &value, sizeof value) == 0)
            break;
    }
    fputs(text, stream);
    if (!strpbrk(text, ".e"))
        fputs(".0", stream);
}
