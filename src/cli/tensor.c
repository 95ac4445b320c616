/* cli/tensor.c - the tensor that a command is asked about. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "cli/command.h"

/* ---- Shape and dtype ---------------------------------------------------- */

/* Read numbers with "x" or "," between them; gives what follows, NULL if there
 * are none.  A comma may follow a single one, as in Python. */
static const char *read_sizes(const char *at, dt_shape *out)
{
    int64_t dims[DT_MAX_NDIM] = {0};
    int ndim = 0;
    for (;;) {
        char *end;
        errno = 0;
        int64_t size = strtoll(at, &end, 10);
        if (end == at || errno)
            return NULL;
        if (ndim < DT_MAX_NDIM)
            dims[ndim] = size;
        ndim++;
        at = end + strspn(end, "x,");
        if (at != end + 1 || (ndim == 1 && strcmp(end, ",)") == 0))
            break;
    }
    *out = dt_shape_make(ndim, dims);
    return at;
}

bool dti_read_shape(const char *command, const char *text, dt_shape *out)
{
    bool bracket = *text == '(';
    if (strcmp(text, "scalar") == 0 || strcmp(text, "()") == 0) {
        *out = DT_SHAPE();
        return true;
    }
    const char *end = read_sizes(text + bracket, out);
    if (end && strcmp(end, bracket ? ")" : "") == 0)
        return true;
    dti_message_print(
        stderr,
        "dtensor %s: \"%s\" is not a shape; expected for example 7x10, or () "
        "without dimensions\n",
        command, text);
    return false;
}

bool dti_read_dtype(const char *command, const char *text, dt_dtype *out)
{
    if (dt_dtype_parse(text, out) == DT_OK)
        return true;
    dti_message_print(stderr,
                      "dtensor %s: invalid dtype \"%s\"; expected one of",
                      command, text);
    for (int i = 0; i < DT_DTYPE_COUNT; i++)
        dti_message_print(stderr, "%s %s", i ? "," : "",
                          dt_dtype_name((dt_dtype)i));
    putc('\n', stderr);
    return false;
}

/* ---- Meshes ------------------------------------------------------------- */

/* Tell whether a mesh is written as sizes alone, "2x4". */
static bool has_sizes_alone(const char *text)
{
    text += strspn(text, " \t\n\r\f\v");
    return *text >= '0' && *text <= '9';
}

int dti_count_places(const char *command, const char *text)
{
    const bool alone = has_sizes_alone(text);
    int64_t places = 1;
    for (const char *at = text; *at; at++) {
        const bool first = alone && at == text;
        if (!first && *at != (alone ? 'x' : '='))
            continue;
        errno = 0;
        int64_t size = strtoll(first ? at : at + 1, NULL, 10);
        if (size < 1)
            return 1;
        if (errno || size > DTI_MOST_RANKS || places * size > DTI_MOST_RANKS) {
            dti_message_print(
                stderr, "dtensor %s: the mesh \"%s\" has more than %d ranks\n",
                command, text, DTI_MOST_RANKS);
            return 0;
        }
        places *= size;
    }
    return (int)places;
}

bool dti_mesh_is_sized(const char *command, const char *text)
{
    bool sized = true;
    for (const char *at = text; sized && !has_sizes_alone(text); at++) {
        size_t length = strcspn(at, ",");
        sized = memchr(at, '=', length);
        at += length;
        if (!*at)
            break;
    }
    if (!sized)
        dti_message_print(
            stderr,
            "dtensor %s: each dimension of the mesh \"%s\" needs a size\n",
            command, text);
    return sized;
}

/* ---- Errors ------------------------------------------------------------- */

int dti_fail_asked(const char *command, const dt_error *error)
{
    bool asked = error->code == DT_ERR_INVALID ||
                 error->code == DT_ERR_NOT_FOUND ||
                 error->code == DT_ERR_UNSUPPORTED;
    dti_message_print(stderr, "dtensor %s: %s: %s\n", command,
                      dt_status_name(error->code), error->message);
    return asked ? DTI_EXIT_USAGE : DTI_EXIT_FAILED;
}
