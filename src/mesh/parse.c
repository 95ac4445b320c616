/* mesh/parse.c - the text form of a mesh's dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/parse.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text/reader.h"

/*
 *     dimensions = dimension { "," dimension } | sizes
 *     dimension  = name [ "=" digits ]
 *     sizes      = digits "x" digits { "x" digits }
 *
 * with white space around every part.  Dimensions that are sizes alone are
 * named dim0, dim1 and so on.
 */

/* The same in one sentence, for the message about a text that is no mesh. */
static const char grammar[] = "a mesh is written like \"dp=2,tp=4\" or \"2x4\"";

static dt_status read_name(dti_reader *from, char *name)
{
    const char *start = from->at;
    if (!dti_is_letter(*start))
        return dti_reader_expected(from, "the name of a dimension");
    while (dti_is_letter(*from->at) || dti_is_digit(*from->at))
        from->at++;
    size_t length = (size_t)(from->at - start);
    if (length >= DT_MESH_NAME_SIZE)
        return dti_fail(from->world, DT_ERR_INVALID,
                        "the name \"%.*s\" of a mesh dimension is longer than "
                        "%d characters",
                        length > 200 ? 200 : (int)length, start,
                        DT_MESH_NAME_SIZE - 1);
    memcpy(name, start, length);
    name[length] = '\0';
    return DT_OK;
}

static dt_status fail_small(const dti_reader *from, const char *name)
{
    return dti_fail(from->world, DT_ERR_INVALID,
                    DTI_QUOTED ": the size of \"%s\" must be at least 1; "
                               "without a size it is computed",
                    from->text, name);
}

static dt_status read_size(dti_reader *from, const char *name, int *out)
{
    int64_t size = 0;
    if (*from->at == '-' && dti_is_digit(from->at[1]))
        return fail_small(from, name);
    DTI_TRY(dti_reader_number(from, "a size", INT_MAX, &size));
    if (size < 1)
        return fail_small(from, name);
    *out = (int)size;
    return DT_OK;
}

static dt_status fail_many(const dti_reader *from)
{
    return dti_fail(from->world, DT_ERR_INVALID,
                    DTI_QUOTED ": a mesh has at most %d dimensions", from->text,
                    DT_MAX_NDIM);
}

/* Read one more dimension; its size stays 0 if none is given. */
static dt_status read_dim(dti_reader *from, dti_dims *dims)
{
    char name[DT_MESH_NAME_SIZE];
    if (dims->ndim == DT_MAX_NDIM)
        return fail_many(from);
    DTI_TRY(read_name(from, name));
    if (dti_dims_find(dims, name) >= 0)
        return dti_fail(from->world, DT_ERR_INVALID,
                        DTI_QUOTED ": duplicate dimension \"%s\"", from->text,
                        name);
    if (dti_reader_accept(from, '='))
        DTI_TRY(read_size(from, name, &dims->sizes[dims->ndim]));
    memcpy(dims->names[dims->ndim++], name, sizeof name);
    return DT_OK;
}

static dt_status read_dims(dt_world *world, const char *text, dti_dims *dims)
{
    dti_reader from = {
        .world = world, .text = text, .at = text, .grammar = grammar};
    *dims = (dti_dims){0};
    if (!text)
        return dti_fail(world, DT_ERR_INVALID, "the text of the mesh is NULL");
    dti_reader_skip_space(&from);
    if (!*from.at)
        return dti_reader_expected(&from, "the name of a dimension");
    do
        DTI_TRY(read_dim(&from, dims));
    while (dti_reader_accept(&from, ','));
    return *from.at ? dti_reader_expected(&from, "a comma") : DT_OK;
}

/* Tell whether a text is sizes alone, as in "2x4". */
static bool has_sizes_alone(const char *text)
{
    if (!text)
        return false;
    text += strspn(text, " \t\n\r\f\v");
    size_t digits = strspn(text, "0123456789");
    text += digits;
    text += strspn(text, " \t\n\r\f\v");
    return digits > 0 && *text == 'x';
}

static dt_status read_sizes(dt_world *world, const char *text, dti_dims *dims)
{
    dti_reader from = {
        .world = world, .text = text, .at = text, .grammar = grammar};
    *dims = (dti_dims){0};
    dti_reader_skip_space(&from);
    do {
        char *name = dims->names[dims->ndim];
        if (dims->ndim == DT_MAX_NDIM)
            return fail_many(&from);
        snprintf(name, DT_MESH_NAME_SIZE, "dim%d", dims->ndim);
        DTI_TRY(read_size(&from, name, &dims->sizes[dims->ndim]));
        dims->ndim++;
    } while (dti_reader_accept(&from, 'x'));
    return *from.at ? dti_reader_expected(&from, "\"x\"") : DT_OK;
}

/* Find the one dimension without a size; -1 if all have one. */
static dt_status find_open(dt_world *world, const char *text,
                           const dti_dims *dims, int *out)
{
    int open = -1;
    for (int i = 0; i < dims->ndim; i++) {
        if (dims->sizes[i])
            continue;
        if (open >= 0)
            return dti_fail(world, DT_ERR_INVALID,
                            DTI_QUOTED ": neither \"%s\" nor \"%s\" has a "
                                       "size; only one size can be computed",
                            text, dims->names[open], dims->names[i]);
        open = i;
    }
    *out = open;
    return DT_OK;
}

/* The places of the dimensions that have a size; -1 beyond 63 bits. */
static int64_t count_places(const dti_dims *dims)
{
    dt_shape shape = {dims->ndim, {0}};
    for (int i = 0; i < dims->ndim; i++)
        shape.dims[i] = dims->sizes[i] ? dims->sizes[i] : 1;
    return dt_shape_count(shape);
}

/* Give the one dimension without a size what is left; check the whole. */
static dt_status share_ranks(dt_world *world, const char *text, int ranks,
                             int open, dti_dims *dims)
{
    int64_t places = count_places(dims);
    if (places < 0)
        return dti_fail(world, DT_ERR_INVALID,
                        DTI_QUOTED " has more than %" PRId64 " ranks", text,
                        INT64_MAX);
    if (open < 0 && places != ranks)
        return dti_fail(
            world, DT_ERR_INVALID,
            DTI_QUOTED " needs %" PRId64 " rank%s but has %d rank%s", text,
            places, places == 1 ? "" : "s", ranks, ranks == 1 ? "" : "s");
    if (open >= 0 && ranks % places != 0)
        return dti_fail(world, DT_ERR_INVALID,
                        DTI_QUOTED " needs a multiple of %" PRId64
                                   " ranks but has %d",
                        text, places, ranks);
    if (open >= 0)
        dims->sizes[open] = (int)(ranks / places);
    return DT_OK;
}

dt_status dti_dims_read(dt_world *world, const char *text, int ranks,
                        dti_dims *out)
{
    dti_dims dims;
    int open = -1;
    DTI_TRY(has_sizes_alone(text) ? read_sizes(world, text, &dims)
                                  : read_dims(world, text, &dims));
    DTI_TRY(find_open(world, text, &dims, &open));
    DTI_TRY(share_ranks(world, text, ranks, open, &dims));
    *out = dims;
    return DT_OK;
}

dt_status dti_names_read(dt_world *world, const char *text, dti_dims *out)
{
    dti_dims dims;
    DTI_TRY(read_dims(world, text, &dims));
    for (int i = 0; i < dims.ndim; i++)
        if (dims.sizes[i])
            return dti_fail(world, DT_ERR_INVALID,
                            DTI_QUOTED
                            ": \"%s\" has a size; expected only a name",
                            text, dims.names[i]);
    *out = dims;
    return DT_OK;
}

int dti_dims_find(const dti_dims *dims, const char *name)
{
    for (int i = 0; i < dims->ndim; i++)
        if (strcmp(dims->names[i], name) == 0)
            return i;
    return -1;
}
