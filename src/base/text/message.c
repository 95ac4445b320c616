/* base/text/message.c - messages that quote what somebody else wrote. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/message.h"

#include <stdbool.h>
#include <string.h>

#include "base/text/utf8.h"

/* ---- Characters ---------------------------------------------------------- */

/* The length of the character in UTF-8 that a text begins with; 0 if it begins
 * with none, or with a control character of two bytes. */
static size_t character(const unsigned char *text)
{
    unsigned code = 0;
    const size_t length = dti_utf8_decode(text, 4, &code);
    return code >= 0xa0 ? length : 0;
}

/* How the byte at the beginning of a text is written; NULL: as it is, together
 * with the next ones of its character, `length` bytes in all. */
static const char *escape(const unsigned char *text, char *room, size_t *length)
{
    *length = 1;
    switch (*text) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    if (*text >= 0x20 && *text < 0x7f)
        return NULL;
    const size_t whole = *text >= 0x80 ? character(text) : 0;
    if (whole) {
        *length = whole;
        return NULL;
    }
    snprintf(room, 5, "\\x%02x", *text);
    return room;
}

/* Which line ends of a message are meant to be there. */
typedef enum kept_lines { NO_LINES, LAST_LINE, ALL_LINES } kept_lines;

/* Copy a text with its control characters escaped, up to the character that no
 * longer fits. */
static void copy_escaped(const char *text, kept_lines lines, char *out,
                         size_t size)
{
    size_t used = 0, length;
    char room[5];
    for (const unsigned char *at = (const unsigned char *)text; *at;
         at += length) {
        const char *instead = escape(at, room, &length);
        if (*at == '\n' &&
            (lines == ALL_LINES || (lines == LAST_LINE && !at[1])))
            instead = NULL;
        const size_t bytes = instead ? strlen(instead) : length;
        if (used + bytes >= size)
            break;
        memcpy(out + used, instead ? instead : (const char *)at, bytes);
        used += bytes;
    }
    out[used] = '\0';
}

/* ---- Messages ------------------------------------------------------------ */

static kept_lines lines_of(const char *format)
{
    const char *first = strchr(format, '\n');
    return !first ? NO_LINES : first[1] ? ALL_LINES : LAST_LINE;
}

void dti_message_write(char *out, size_t size, const char *format, va_list list)
{
    char raw[2 * DT_ERROR_SIZE];
    vsnprintf(raw, sizeof raw, format, list);
    copy_escaped(raw, lines_of(format), out, size);
}

void dti_message_print(FILE *stream, const char *format, ...)
{
    char message[2 * DT_ERROR_SIZE];
    va_list list;
    va_start(list, format);
    dti_message_write(message, sizeof message, format, list);
    va_end(list);
    fputs(message, stream);
}
