/* cli/ops/name.c - names of PyTorch's operators, and rows that have them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ops/name.h"

#include <ctype.h>
#include <string.h>

/* ---- Reading ------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Leave out a prefix, if the text has it. */
static void skip(const char **text, const char *end, const char *prefix)
{
    size_t length = strlen(prefix);
    if ((size_t)(end - *text) >= length && memcmp(*text, prefix, length) == 0)
        *text += length;
}

static int letters(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && is_letter(*at))
        at++;
    return (int)(at - text);
}

/* The line without a comment, a schema and the spaces around. */
static void trim(const char **begin, const char **end)
{
    const char *comment = memchr(*begin, '#', (size_t)(*end - *begin));
    if (comment)
        *end = comment;
    const char *bracket = memchr(*begin, '(', (size_t)(*end - *begin));
    if (bracket)
        *end = bracket;
    while (*begin < *end && is_space(**begin))
        (*begin)++;
    while (*begin < *end && is_space((*end)[-1]))
        (*end)--;
}

static bool read_overload(const char *text, const char *end,
                          dti_aten_name *name)
{
    name->any_overload = text == end;
    name->overload = text;
    if (text == end)
        return true;
    name->overload = text + 1;
    name->overload_length = letters(text + 1, end);
    if (*text != '.' || !name->overload_length ||
        name->overload + name->overload_length != end)
        return false;
    if (name->overload_length == 7 && memcmp(name->overload, "default", 7) == 0)
        name->overload_length = 0;
    return true;
}

dti_aten_line dti_aten_read(const char *line, size_t length, dti_aten_name *out)
{
    const char *begin = line, *end = line + length;
    dti_aten_name name = {0};
    bool bracket = memchr(line, '(', length) != NULL;
    trim(&begin, &end);
    if (begin == end)
        return bracket && *begin == '(' ? DTI_ATEN_WRONG : DTI_ATEN_NOTHING;
    skip(&begin, end, "torch.ops.");
    skip(&begin, end, "aten::");
    skip(&begin, end, "aten.");
    name.base = begin;
    name.base_length = letters(begin, end);
    if (!name.base_length ||
        !read_overload(begin + name.base_length, end, &name))
        return DTI_ATEN_WRONG;
    *out = name;
    return DTI_ATEN_NAME;
}

/* ---- Comparing ---------------------------------------------------------- */

static bool same(const char *a, int a_length, const char *b, int b_length)
{
    return a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;
}

static bool same_base(const dti_aten_name *a, const dti_aten_name *b)
{
    return same(a->base, a->base_length, b->base, b->base_length);
}

static bool same_overload(const dti_aten_name *a, const dti_aten_name *b)
{
    return a->any_overload || same(a->overload, a->overload_length, b->overload,
                                   b->overload_length);
}

/* The name whose form in place this would be; false if it is none. */
static bool without_place(const dti_aten_name *name, dti_aten_name *out)
{
    *out = *name;
    out->base_length--;
    return name->base_length > 1 && name->base[name->base_length - 1] == '_';
}

/* The name whose form out this would be: "eq.Tensor_out", "mean.out". */
static bool without_out(const dti_aten_name *name, dti_aten_name *out)
{
    int left = name->overload_length - 3;
    *out = *name;
    if (left < 0 || memcmp(name->overload + left, "out", 3) != 0)
        return false;
    out->any_overload = left == 0;
    out->overload_length = left ? left - 1 : 0;
    return left == 0 || name->overload[left - 1] == '_';
}

/* How one of a row's names is what was asked for. */
static dti_aten_match match(const dti_aten_name *name, const dti_aten_name *own,
                            unsigned flags)
{
    dti_aten_name of;
    if (same_base(name, own) && same_overload(name, own))
        return DTI_ATEN_HAS;
    if (without_place(name, &of) && same_base(&of, own)) {
        if (!same_overload(&of, own))
            return DTI_ATEN_OVERLOAD;
        return flags & DT_OP_IN_PLACE ? DTI_ATEN_HAS_IN_PLACE
                                      : DTI_ATEN_LACKS_FORM;
    }
    if (!same_base(name, own))
        return DTI_ATEN_OTHER;
    if (!without_out(name, &of) || !same_overload(&of, own))
        return DTI_ATEN_OVERLOAD;
    return flags & DT_OP_OUT ? DTI_ATEN_HAS_OUT : DTI_ATEN_LACKS_FORM;
}

dti_aten_match dti_aten_match_row(const dti_aten_name *name, const dt_op *op)
{
    dti_aten_match best = DTI_ATEN_OTHER;
    const char *at = op->aten ? op->aten : op->schema;
    while (*at && *at != '(') {
        size_t length = strcspn(at, " (");
        dti_aten_name own;
        if (dti_aten_read(at, length, &own) == DTI_ATEN_NAME) {
            own.any_overload = false;
            dti_aten_match one = match(name, &own, op->flags);
            best = one > best ? one : best;
        }
        at += length;
        at += strspn(at, " ");
    }
    return best;
}
