/* base/text/reader.h - reading short texts, with sentences that point at
 * faults. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_READER_H
#define DTI_BASE_TEXT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

/* How a text is quoted in a sentence: cut, so that the rest fits too. */
#define DTI_QUOTED "\"%.200s\""

/* A text and how far it was read. */
typedef struct dti_reader {
    dt_world *world;
    const char *text;
    const char *at;
    const char *grammar; /* what a text may be, for messages; may be NULL */
} dti_reader;

static inline bool dti_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A letter or "_". */
static inline bool dti_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void dti_reader_skip_space(dti_reader *from);

/* Take a character, with the space around it, if it comes next. */
bool dti_reader_accept(dti_reader *from, char wanted);

/* Take a word, with the space around it, if it comes next. */
bool dti_reader_accept_word(dti_reader *from, const char *wanted);

/* Fail: `what`, such as "a comma", is missing here. */
dt_status dti_reader_expected(const dti_reader *from, const char *what);

/* Take digits; `what` they are, for a sentence.  At most `limit`. */
dt_status dti_reader_number(dti_reader *from, const char *what, int64_t limit,
                            int64_t *out);

#endif
