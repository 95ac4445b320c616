/* op/rule/equation.c - equations of sums of products, as einsum has them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/rule/equation.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

/* How much of an equation a sentence quotes. */
#define QUOTED "\"%.120s\""

static const char alphabet[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* An equation while it is read. */
typedef struct reading {
    const char *text;
    const int *ndims;
    int count;
    dti_letters *operands;
    dti_letters *result;
    dt_error *error;
    int uses[128]; /* how often operands have a letter */
    int item;      /* the operand that is read; `count`: the result */
    const char *at;
    char spread[DT_MAX_NDIM]; /* letters of "..." */
    int spread_count;
} reading;

/* One item as it is written: letters, of which `ellipsis` stand before "...",
 * or -1. */
typedef struct written {
    dti_letters letters;
    int ellipsis;
} written;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void skip_space(reading *r)
{
    r->at += strspn(r->at, " \t\n");
}

int dti_letters_find(const dti_letters *in, char letter)
{
    for (int i = 0; i < in->count; i++)
        if (in->letters[i] == letter)
            return i;
    return -1;
}

/* ---- Reading ------------------------------------------------------------ */

static dt_status refuse(const reading *r, const char *what)
{
    if (!*r->at)
        return dti_error_set(r->error, DT_ERR_INVALID, QUOTED ": %s at the end",
                             r->text, what);
    return dti_error_set(r->error, DT_ERR_INVALID,
                         QUOTED ": %s at position %td, before \"%.20s\"",
                         r->text, what, r->at - r->text, r->at);
}

static dt_status add_letter(reading *r, written *to, char letter)
{
    const bool result = r->item == r->count;
    if (result && dti_letters_find(&to->letters, letter) >= 0)
        return refuse(r, "duplicate letter in the result");
    if (result && r->uses[(int)letter] == 0)
        return refuse(r, "letter that no operand has");
    if (to->letters.count == DT_MAX_NDIM)
        return refuse(r, "more letters than a tensor can have dimensions");
    to->letters.letters[to->letters.count++] = letter;
    r->uses[(int)letter] += !result;
    return DT_OK;
}

/* Read one item, up to "," or "->" or the end. */
static dt_status read_item(reading *r, written *out)
{
    *out = (written){.ellipsis = -1};
    for (skip_space(r); *r->at && *r->at != ',' && *r->at != '-';
         skip_space(r)) {
        if (is_letter(*r->at)) {
            DTI_TRY(add_letter(r, out, *r->at));
            r->at++;
        } else if (strncmp(r->at, "...", 3) == 0) {
            if (out->ellipsis >= 0)
                return refuse(r, "second \"...\"");
            out->ellipsis = out->letters.count;
            r->at += 3;
        } else {
            return refuse(r, "unexpected character (expected a letter, "
                             "\"...\", \",\" or \"->\")");
        }
    }
    return DT_OK;
}

/* ---- Dimensions for "..." ----------------------------------------------- */

/* Take letters that the equation does not have. */
static dt_status take_spread(reading *r, int count)
{
    const char *next = alphabet;
    for (; r->spread_count < count; r->spread_count++) {
        while (*next && (strchr(r->text, *next) ||
                         memchr(r->spread, *next, (size_t)r->spread_count)))
            next++;
        if (!*next)
            return dti_error_set(r->error, DT_ERR_UNSUPPORTED,
                                 QUOTED ": too many letters to expand \"...\"",
                                 r->text);
        r->spread[r->spread_count] = *next++;
    }
    return DT_OK;
}

/* Put letters in place of "...": the last `wide` of those that stand for it. */
static void expand(const reading *r, const written *from, int wide,
                   dti_letters *out)
{
    const dti_letters *letters = &from->letters;
    const int before = from->ellipsis < 0 ? letters->count : from->ellipsis;
    *out = (dti_letters){.count = letters->count + wide};
    memcpy(out->letters, letters->letters, (size_t)before);
    memcpy(out->letters + before, r->spread + r->spread_count - wide,
           (size_t)wide);
    memcpy(out->letters + before + wide, letters->letters + before,
           (size_t)(letters->count - before));
}

static dt_status read_operand(reading *r, written *out)
{
    DTI_TRY(read_item(r, out));
    const int ndim = r->ndims[r->item], letters = out->letters.count;
    if (out->ellipsis < 0 ? ndim == letters : ndim >= letters)
        return DT_OK;
    return dti_error_set(
        r->error, DT_ERR_INVALID,
        QUOTED
        ": operand %d has %d letter%s, but its tensor has %d dimension%s",
        r->text, r->item, letters, letters == 1 ? "" : "s", ndim,
        ndim == 1 ? "" : "s");
}

static int wide_of(const reading *r, const written *item, int operand)
{
    return item->ellipsis < 0 ? 0 : r->ndims[operand] - item->letters.count;
}

/* Go through the operands: first to see how many dimensions "..." has, then to
 * write them down. */
static dt_status read_operands(reading *r, bool write)
{
    r->at = r->text;
    for (r->item = 0; r->item < r->count; r->item++) {
        written item;
        DTI_TRY(read_operand(r, &item));
        const int wide = wide_of(r, &item, r->item);
        if (write)
            expand(r, &item, wide, &r->operands[r->item]);
        else
            DTI_TRY(take_spread(r, wide));
        if (r->item + 1 < r->count && *r->at != ',')
            return dti_error_set(r->error, DT_ERR_INVALID,
                                 QUOTED ": %d operands for %d tensors", r->text,
                                 r->item + 1, r->count);
        r->at += r->item + 1 < r->count;
    }
    return *r->at == ',' ? refuse(r, "more operands than tensors") : DT_OK;
}

/* ---- The result --------------------------------------------------------- */

static dt_status fail_wide(const reading *r, int count)
{
    return dti_error_set(
        r->error, DT_ERR_UNSUPPORTED,
        QUOTED ": the result would have %d dimensions; the maximum is %d",
        r->text, count, DT_MAX_NDIM);
}

/* Letters that stand once; all capitals come first. */
static dt_status imply_result(reading *r)
{
    written item = {.ellipsis = 0};
    int count = r->spread_count;
    for (int c = 'A'; c <= 'z'; c++)
        count += r->uses[c] == 1;
    if (count > DT_MAX_NDIM)
        return fail_wide(r, count);
    for (int c = 'A'; c <= 'z'; c++)
        if (r->uses[c] == 1)
            item.letters.letters[item.letters.count++] = (char)c;
    expand(r, &item, r->spread_count, r->result);
    return DT_OK;
}

static dt_status read_result(reading *r)
{
    written item;
    if (!*r->at)
        return imply_result(r);
    if (strncmp(r->at, "->", 2) != 0)
        return refuse(r, "missing \">\" after \"-\"");
    r->at += 2;
    DTI_TRY(read_item(r, &item));
    if (*r->at)
        return refuse(r, "unexpected text after the result");
    const int wide = item.ellipsis < 0 ? 0 : r->spread_count;
    if (item.letters.count + wide > DT_MAX_NDIM)
        return fail_wide(r, item.letters.count + wide);
    expand(r, &item, wide, r->result);
    return DT_OK;
}

dt_status dti_equation_parse(const char *text, const int *ndims, int count,
                             dti_letters *operands, dti_letters *result,
                             dt_error *error)
{
    reading r = {.text = text ? text : "",
                 .ndims = ndims,
                 .count = count,
                 .operands = operands,
                 .result = result,
                 .error = error};
    /* What is wrong is found before anything is written. */
    DTI_TRY(read_operands(&r, false));
    DTI_TRY(read_result(&r));
    return read_operands(&r, true);
}

/* A letter that an operand has twice stands for a diagonal. */
static dt_status check_diagonals(const dti_letters *letters, dt_shape shape,
                                 int operand, dt_error *error)
{
    for (int d = 0; d < letters->count; d++) {
        const int first = dti_letters_find(letters, letters->letters[d]);
        if (shape.dims[d] != shape.dims[first])
            return dti_error_set(
                error, DT_ERR_INVALID,
                "operand %d has '%c' twice, for dimensions of extent %" PRId64
                " and %" PRId64 "; they must be equal",
                operand, letters->letters[d], shape.dims[first], shape.dims[d]);
    }
    return DT_OK;
}

dt_status dti_equation_extents(const dti_letters *operands,
                               const dt_shape *shapes, int count,
                               int64_t extents[128], dt_error *error)
{
    for (int i = 0; i < 128; i++)
        extents[i] = 1;
    for (int i = 0; i < count; i++) {
        DTI_TRY(check_diagonals(&operands[i], shapes[i], i, error));
        for (int d = 0; d < operands[i].count; d++) {
            const char letter = operands[i].letters[d];
            int64_t *known = &extents[(int)letter];
            const int64_t extent = shapes[i].dims[d];
            if (*known != 1 && extent != 1 && *known != extent)
                return dti_error_set(error, DT_ERR_INVALID,
                                     "'%c' has extent %" PRId64
                                     " in operand %d, but %" PRId64
                                     " in an earlier one",
                                     letter, extent, i, *known);
            *known = *known == 1 ? extent : *known;
        }
    }
    return DT_OK;
}
