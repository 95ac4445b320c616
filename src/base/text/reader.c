/* base/text/reader.c - reading short texts, with sentences that point at
 * faults. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

void dti_reader_skip_space(dti_reader *from)
{
    from->at += strspn(from->at, " \t\n\r\f\v");
}

bool dti_reader_accept(dti_reader *from, char wanted)
{
    const char word[] = {wanted, '\0'};
    return dti_reader_accept_word(from, word);
}

bool dti_reader_accept_word(dti_reader *from, const char *wanted)
{
    size_t length = strlen(wanted);
    dti_reader_skip_space(from);
    if (strncmp(from->at, wanted, length) != 0)
        return false;
    from->at += length;
    dti_reader_skip_space(from);
    return true;
}

/* The end of a message: the grammar, if there is one. */
#define GRAMMAR(from)                                                          \
    (from)->grammar ? "; " : "", (from)->grammar ? (from)->grammar : ""

dt_status dti_reader_expected(const dti_reader *from, const char *what)
{
    if (!*from->at)
        return dti_fail(from->world, DT_ERR_INVALID,
                        DTI_QUOTED ": expected %s at the end%s%s", from->text,
                        what, GRAMMAR(from));
    return dti_fail(from->world, DT_ERR_INVALID,
                    DTI_QUOTED ": expected %s before " DTI_QUOTED "%s%s",
                    from->text, what, from->at, GRAMMAR(from));
}

dt_status dti_reader_number(dti_reader *from, const char *what, int64_t limit,
                            int64_t *out)
{
    int64_t number = 0;
    if (!dti_is_digit(*from->at))
        return dti_reader_expected(from, what);
    for (; dti_is_digit(*from->at); from->at++) {
        int digit = *from->at - '0';
        if (digit > limit || number > (limit - digit) / 10)
            return dti_fail(from->world, DT_ERR_INVALID,
                            DTI_QUOTED ": %s exceeds %" PRId64 "%s%s",
                            from->text, what, limit, GRAMMAR(from));
        number = number * 10 + digit;
    }
    *out = number;
    return DT_OK;
}
