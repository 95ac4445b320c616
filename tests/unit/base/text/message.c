/* tests/unit/base/text/message.c - what arguments hold is shown, not obeyed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/check.h"

static void check_shown(const char *text, const char *wanted)
{
    dt_error error = {DT_OK, ""};
    dti_error_set(&error, DT_ERR_INVALID, "\"%s\" is no name", text);
    char whole[DT_ERROR_SIZE];
    snprintf(whole, sizeof whole, "\"%s\" is no name", wanted);
    CHECK_TEXT(error.message, whole);
}

static void escapes(dt_world *world)
{
    (void)world;
    check_shown("plain", "plain");
    check_shown("a\nb\r\tc", "a\\nb\\r\\tc");
    check_shown("\x1b[31mred\x7f", "\\x1b[31mred\\x7f");
    check_shown("line\n", "line\\n");
    check_shown("back\\slash", "back\\slash");
}

static void keeps_text(dt_world *world)
{
    (void)world;
    check_shown("Größe 形 🙂", "Größe 形 🙂");
    /* A control character of two bytes; bytes that are no UTF-8; a character
     * written longer than it is; half of a pair. */
    check_shown("\xc2\x9b", "\\xc2\\x9b");
    check_shown("\x9b"
                "31m\xff",
                "\\x9b31m\\xff");
    check_shown("\xc0\xaf", "\\xc0\\xaf");
    check_shown("\xed\xa0\x80", "\\xed\\xa0\\x80");
    check_shown("\xe5\xbd", "\\xe5\\xbd");
}

static void keeps_lines_of_formats(dt_world *world)
{
    (void)world;
    dt_error error = {DT_OK, ""};
    dti_error_set(&error, DT_ERR_INVALID, "%s\n", "a\nb");
    CHECK_TEXT(error.message, "a\\nb\n");
    dti_error_set(&error, DT_ERR_INVALID, "first\nsecond %s", "\x1b");
    CHECK_TEXT(error.message, "first\nsecond \\x1b");
}

/* However long a message is, it ends between characters. */
static void fits(dt_world *world)
{
    (void)world;
    char text[2 * DT_ERROR_SIZE];
    dt_error error = {DT_OK, ""};
    memset(text, 1, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int shift = 0; shift < 4; shift++) {
        dti_error_set(&error, DT_ERR_INVALID, "%.*s%s", shift, "abc", text);
        const size_t length = strlen(error.message);
        CHECK(length < DT_ERROR_SIZE && length > DT_ERROR_SIZE - 6);
        CHECK_TEXT(error.message + length - 4, "\\x01");
    }
}

static void prints(dt_world *world)
{
    (void)world;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    dti_message_print(stream, "%s is not expected\n", "\x1b]0;x\n");
    fclose(stream);
    CHECK_TEXT(text, "\\x1b]0;x\\n is not expected\n");
    free(text);
}

const dt_test dt_tests[] = {
    {"control characters are escaped", escapes},
    {"UTF-8 stays, other bytes do not", keeps_text},
    {"line ends of formats stay", keeps_lines_of_formats},
    {"messages that are too long", fits},
    {"printing", prints},
    {0},
};
