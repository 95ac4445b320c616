/* layout/format.c - specs as text, in and out. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/shape.h"
#include "base/text/reader.h"
#include "layout/spec.h"

/*
 *     spec  = dtype list [ strides ] " " layout [ " on " mesh ]
 *     list  = "[" [ number { ", " number } ] "]"
 *     strides = "{" number { ", " number } "}"
 */

/* ---- Writing ------------------------------------------------------------ */

static void put_list(dti_writer *to, const char *brackets,
                     const int64_t *numbers, int count)
{
    dti_put(to, "%c", brackets[0]);
    for (int i = 0; i < count; i++)
        dti_put(to, "%s%" PRId64, i ? ", " : "", numbers[i]);
    dti_put(to, "%c", brackets[1]);
}

static void put_meta(dti_writer *to, const dt_meta *meta)
{
    dt_meta usual = dt_meta_of(meta->dtype, meta->shape);
    int ndim = meta->shape.ndim;
    dti_put(to, "%s", dt_dtype_name(meta->dtype));
    put_list(to, "[]", meta->shape.dims, ndim);
    if (memcmp(usual.strides, meta->strides,
               (size_t)ndim * sizeof *usual.strides) != 0)
        put_list(to, "{}", meta->strides, ndim);
}

dti_spec_text dti_spec_show(const dt_spec *spec)
{
    dti_spec_text out;
    dti_writer to = {out.text, sizeof out.text, 0};
    put_meta(&to, &spec->meta);
    dti_put(&to, " %s", dti_layout_show(&spec->layout).text);
    return out;
}

size_t dt_spec_format(const dt_spec *spec, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    dti_put(&to, "%s", "");
    if (!spec)
        return 0;
    const dti_dims *dims = &spec->mesh->dims;
    dti_put(&to, "%s on ", dti_spec_show(spec).text);
    for (int i = 0; i < dims->ndim; i++)
        dti_put(&to, "%s%s=%d", i ? "," : "", dims->names[i], dims->sizes[i]);
    return to.length;
}

/* ---- Reading ------------------------------------------------------------ */

/* Read numbers up to a closing bracket; the opening one was taken. */
static dt_status read_list(dti_reader *from, char closing, int64_t *out,
                           int *count)
{
    *count = 0;
    if (dti_reader_accept(from, closing))
        return DT_OK;
    do {
        if (*count == DT_MAX_NDIM)
            return dti_fail(from->world, DT_ERR_INVALID,
                            DTI_QUOTED ": more than %d dimensions", from->text,
                            DT_MAX_NDIM);
        DTI_TRY(
            dti_reader_number(from, "a number", INT64_MAX, &out[(*count)++]));
    } while (dti_reader_accept(from, ','));
    return dti_reader_accept(from, closing)
               ? DT_OK
               : dti_reader_expected(from, "a comma or the end of the list");
}

static dt_status read_dtype(dti_reader *from, dt_dtype *out)
{
    char name[16];
    size_t length = strcspn(from->at, "[");
    if (length < sizeof name) {
        memcpy(name, from->at, length);
        name[length] = '\0';
        if (dt_dtype_parse(name, out) == DT_OK) {
            from->at += length;
            return DT_OK;
        }
    }
    return dti_reader_expected(from, "a dtype and a shape, such as f32[4, 6],");
}

static dt_status read_meta(dti_reader *from, dt_meta *out)
{
    dt_dtype dtype = DT_F32;
    dt_shape shape = {0};
    int strides = 0;
    int64_t count;
    DTI_TRY(read_dtype(from, &dtype));
    if (!dti_reader_accept(from, '['))
        return dti_reader_expected(from, "\"[\"");
    DTI_TRY(read_list(from, ']', shape.dims, &shape.ndim));
    DTI_TRY(dti_shape_check(from->world, dtype, shape, &count));
    *out = dt_meta_of(dtype, shape);
    if (!dti_reader_accept(from, '{'))
        return DT_OK;
    DTI_TRY(read_list(from, '}', out->strides, &strides));
    if (strides != shape.ndim)
        return dti_fail(from->world, DT_ERR_INVALID,
                        DTI_QUOTED ": %d strides for %d dimensions", from->text,
                        strides, shape.ndim);
    return DT_OK;
}

/* Check that a mesh is the one that a text names. */
static dt_status check_mesh(const dti_reader *from, const dt_mesh *mesh,
                            const char *text)
{
    dti_dims dims;
    DTI_TRY(dti_dims_read(from->world, text, dt_mesh_size(mesh), &dims));
    bool same = dims.ndim == mesh->dims.ndim;
    for (int i = 0; same && i < dims.ndim; i++)
        same = dims.sizes[i] == mesh->dims.sizes[i] &&
               strcmp(dims.names[i], mesh->dims.names[i]) == 0;
    if (same)
        return DT_OK;
    char other[256];
    dt_mesh_format(mesh, other, sizeof other);
    return dti_fail(from->world, DT_ERR_INVALID,
                    DTI_QUOTED " has another mesh than %s", from->text, other);
}

dt_status dt_spec_parse(dt_mesh *mesh, const char *text, dt_spec **out)
{
    dti_reader from = {.world = dt_mesh_world(mesh), .text = text, .at = text};
    char layout_text[DTI_LAYOUT_TEXT_SIZE];
    dt_layout layout;
    dt_meta meta;
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    if (!text)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "dt_spec_parse: the text is NULL");
    DTI_TRY(read_meta(&from, &meta));
    const char *on = strstr(from.at, " on ");
    size_t length = on ? (size_t)(on - from.at) : strlen(from.at);
    if (length >= sizeof layout_text)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        DTI_QUOTED ": the layout is too long", text);
    memcpy(layout_text, from.at, length);
    layout_text[length] = '\0';
    if (on)
        DTI_TRY(check_mesh(&from, mesh, on + 4));
    DTI_TRY(dt_layout_parse(mesh->world, layout_text, &layout));
    return dt_spec_create_with(mesh, &layout, &meta, out);
}
