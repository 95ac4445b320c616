/* graph/program/raw_read.c - parts of the JSON that recur: texts, unions,
 * sizes, tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/program/raw_read.h"

#include <string.h>

/* ---- Memory ------------------------------------------------------------- */

bool dti_raw_fail_memory(dti_raw_program *program)
{
    return dti_json_fail(&program->json, DT_ERR_NO_MEMORY,
                         "no memory for a program");
}

const char *dti_raw_keep(dti_raw_program *program, dti_json_string text)
{
    if (memchr(text.text, 0, text.size)) {
        dti_json_fail(&program->json, DT_ERR_FORMAT, "a text contains a zero");
        return NULL;
    }
    const char *copy = dti_arena_text(&program->arena, text.text, text.size);
    if (!copy)
        dti_raw_fail_memory(program);
    return copy;
}

/* Make room for an item; `items` is the address of the list. */
bool dti_raw_grow(dti_raw_program *program, void *items, int count,
                  int *capacity, size_t size)
{
    return dti_arena_grow(&program->arena, items, count, capacity, size) ||
           dti_raw_fail_memory(program);
}

/* ---- Fields ------------------------------------------------------------- */

bool dti_raw_fields(dti_raw_program *program, const dti_raw_field *fields,
                    int count, void *out)
{
    dti_json_string key;
    if (!dti_json_read_object(&program->json))
        return false;
    while (dti_json_next_key(&program->json, &key)) {
        int i = 0;
        while (i < count && !dti_json_is(key, fields[i].name))
            i++;
        if (!(i < count ? fields[i].read(program, out)
                        : dti_json_skip(&program->json)))
            return false;
    }
    return dti_raw_good(program);
}

bool dti_raw_read_text(dti_raw_program *program, const char **out)
{
    dti_json_string text;
    if (!dti_json_read_string(&program->json, &text))
        return false;
    *out = dti_raw_keep(program, text);
    return *out != NULL;
}

/* A text, or null, which becomes NULL. */
bool dti_raw_read_optional_text(dti_raw_program *program, const char **out)
{
    *out = NULL;
    return dti_json_accept_null(&program->json) ||
           dti_raw_read_text(program, out);
}

/* {"name": ...} */
static bool read_name_field(dti_raw_program *program, void *out)
{
    return dti_raw_read_text(program, out);
}

bool dti_raw_read_name(dti_raw_program *program, const char **out)
{
    static const dti_raw_field fields[] = {{"name", read_name_field}};
    *out = NULL;
    return dti_raw_fields(program, fields, 1, out) &&
           (*out ||
            dti_json_fail(&program->json, DT_ERR_FORMAT, "a name is missing"));
}

/* Enter a union, an object with one key, its tag. */
bool dti_raw_begin_union(dti_raw_program *program, dti_json_string *tag)
{
    return dti_json_read_object(&program->json) &&
           (dti_json_next_key(&program->json, tag) ||
            dti_json_fail(&program->json, DT_ERR_FORMAT,
                          "a union without a tag"));
}

bool dti_raw_end_union(dti_raw_program *program)
{
    dti_json_string key;
    if (dti_json_next_key(&program->json, &key))
        return dti_json_fail(&program->json, DT_ERR_FORMAT,
                             "a union with two tags, the second is %.*s",
                             (int)(key.size > 80 ? 80 : key.size), key.text);
    return dti_raw_good(program);
}

static bool read_device_type(dti_raw_program *program, void *out)
{
    return dti_raw_read_text(program, out);
}

bool dti_raw_read_device(dti_raw_program *program, const char **out)
{
    static const dti_raw_field fields[] = {{"type", read_device_type}};
    *out = "";
    return dti_raw_fields(program, fields, 1, out);
}

/* ---- Sizes -------------------------------------------------------------- */

/* A size that cannot be computed is no fault of the file: `fault` says why, for
 * whoever needs it. */
static bool parse_size(dti_raw_program *program, dti_json_string text,
                       dti_size *out, const char **fault)
{
    dt_error error = {DT_OK, ""};
    dt_status status =
        dti_size_parse(&program->graph->sizes, &program->graph->arena,
                       text.text, text.size, out, &error);
    if (status == DT_OK)
        return true;
    if (status != DT_ERR_UNSUPPORTED)
        return dti_json_fail(&program->json, error.code, "%s", error.message);
    *fault =
        dti_arena_text(&program->arena, error.message, strlen(error.message));
    return *fault || dti_raw_fail_memory(program);
}

typedef struct size_target {
    dti_size *size;
    const char **fault;
} size_target;

static bool read_expression(dti_raw_program *program, void *out)
{
    size_target *to = out;
    dti_json_string text;
    return dti_json_read_string(&program->json, &text) &&
           parse_size(program, text, to->size, to->fault);
}

/* {"as_int": 3} or {"as_expr": {"expr_str": ..., "hint": ...}} */
bool dti_raw_read_size(dti_raw_program *program, dti_size *out,
                       const char **fault)
{
    static const dti_raw_field fields[] = {{"expr_str", read_expression}};
    size_target to = {out, fault};
    dti_json_string tag;
    bool done;
    *out = dti_size_of(0);
    if (!dti_raw_begin_union(program, &tag))
        return false;
    if (dti_json_is(tag, "as_int"))
        done = dti_json_read_integer(&program->json, &out->number);
    else if (dti_json_is(tag, "as_expr"))
        done = dti_raw_fields(program, fields, 1, &to);
    else
        done = dti_json_fail(&program->json, DT_ERR_FORMAT,
                             "a size has the unknown tag %.*s",
                             (int)(tag.size > 80 ? 80 : tag.size), tag.text);
    return done && dti_raw_end_union(program);
}

static bool read_sizes(dti_raw_program *program, dti_size *out, int *count,
                       const char **fault)
{
    *count = 0;
    if (!dti_json_read_list(&program->json))
        return false;
    while (dti_json_next_item(&program->json)) {
        if (*count == DT_MAX_NDIM)
            return dti_json_fail(&program->json, DT_ERR_UNSUPPORTED,
                                 "a tensor has more than %d dimensions",
                                 DT_MAX_NDIM);
        if (!dti_raw_read_size(program, &out[(*count)++], fault))
            return false;
    }
    return dti_raw_good(program);
}

/* ---- Tensors ------------------------------------------------------------ */

static bool read_meta_dtype(dti_raw_program *program, void *out)
{
    return dti_json_read_integer(&program->json, &((dti_raw_meta *)out)->dtype);
}

static bool read_meta_sizes(dti_raw_program *program, void *out)
{
    dti_raw_meta *meta = out;
    return read_sizes(program, meta->sizes, &meta->ndim, &meta->fault);
}

static bool read_meta_strides(dti_raw_program *program, void *out)
{
    dti_raw_meta *meta = out;
    const char *unused = NULL;
    return read_sizes(program, meta->strides, &meta->stride_count, &unused);
}

static bool read_meta_offset(dti_raw_program *program, void *out)
{
    const char *unused = NULL;
    return dti_raw_read_size(program, &((dti_raw_meta *)out)->offset, &unused);
}

static bool read_meta_device(dti_raw_program *program, void *out)
{
    return dti_raw_read_device(program, &((dti_raw_meta *)out)->device);
}

static bool read_meta_layout(dti_raw_program *program, void *out)
{
    return dti_json_read_integer(&program->json,
                                 &((dti_raw_meta *)out)->layout);
}

bool dti_raw_read_meta(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {
        {"dtype", read_meta_dtype},     {"sizes", read_meta_sizes},
        {"strides", read_meta_strides}, {"storage_offset", read_meta_offset},
        {"device", read_meta_device},   {"layout", read_meta_layout}};
    dti_raw_meta *meta = out;
    *meta = (dti_raw_meta){.device = "", .layout = -1};
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), meta);
}
