/* nn/parallel/plan_file.c - plans in JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/text/json_reader.h"
#include "base/text/writer.h"
#include "nn/parallel/parallel.h"
#include "tensor/tensor.h"

/* Names of styles, as Hugging Face has them. */
static const struct {
    const char *name;
    const dt_style *style;
    const char *inputs, *outputs; /* NULL: those of the style */
} known[] = {
    {"colwise", &dt_colwise, NULL, NULL},
    {"local_colwise", &dt_colwise, NULL, NULL},
    {"colwise_rep", &dt_colwise, NULL, "R"},
    {"colwise_gather_output", &dt_colwise, NULL, "R"},
    {"rowwise", &dt_rowwise, NULL, NULL},
    {"local_rowwise", &dt_rowwise, NULL, NULL},
    {"rowwise_rep", &dt_rowwise, NULL, NULL},
    {"rowwise_split_input", &dt_rowwise, NULL, NULL},
    {"embedding_rowwise", &dt_rowwise, NULL, NULL},
    {"sequence_parallel", &dt_sequence_parallel, NULL, NULL},
    {"replicate", &dt_replicate_module, NULL, NULL},
    {"prepare_input", &dt_prepare_input, NULL, NULL},
    {"prepare_output", &dt_prepare_output, NULL, NULL},
    {"prepare_input_output", &dt_prepare_input_output, NULL, NULL},
};

/* Rules that were read; their texts are their own. */
typedef struct rule_list {
    dt_parallel_rule *rules;
    int count, capacity;
} rule_list;

static void free_text(const char *text)
{
    free((void *)(uintptr_t)text);
}

static void free_rule(const dt_parallel_rule *rule)
{
    free_text(rule->pattern);
    free_text(rule->inputs);
    free_text(rule->inputs_from);
    free_text(rule->outputs);
    free_text(rule->outputs_from);
}

static void free_rules(rule_list *list)
{
    for (int i = 0; i < list->count; i++)
        free_rule(&list->rules[i]);
    free(list->rules);
}

/* ---- Reading ------------------------------------------------------------ */

static bool replace_text(dti_json_reader *reader, const char **text,
                         const char *with)
{
    char *copy = with ? strdup(with) : NULL;
    if (with && !copy)
        return dti_json_fail(reader, DT_ERR_NO_MEMORY, "out of memory");
    free_text(*text);
    *text = copy;
    return true;
}

static bool read_style(dti_json_reader *reader, dt_parallel_rule *out)
{
    dti_json_string name;
    char names[512] = "";
    dti_writer to = {names, sizeof names, 0};
    if (!dti_json_read_string(reader, &name))
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        dti_put(&to, "%s%s", i ? ", " : "", known[i].name);
        if (!dti_json_is(name, known[i].name))
            continue;
        out->style = known[i].style;
        return (out->inputs ||
                replace_text(reader, &out->inputs, known[i].inputs)) &&
               (out->outputs ||
                replace_text(reader, &out->outputs, known[i].outputs));
    }
    return dti_json_fail(reader, DT_ERR_FORMAT,
                         "\"%.*s\" is no style; known are %s", (int)name.size,
                         name.text, names);
}

static bool read_text(dti_json_reader *reader, const char **out)
{
    dti_json_string value;
    if (!dti_json_read_string(reader, &value))
        return false;
    char *copy = dti_json_copy(reader, value);
    free_text(*out);
    *out = copy;
    return copy != NULL;
}

static bool read_field(dti_json_reader *reader, dti_json_string key,
                       dt_parallel_rule *out)
{
    if (dti_json_is(key, "style"))
        return read_style(reader, out);
    if (dti_json_is(key, "inputs"))
        return read_text(reader, &out->inputs);
    if (dti_json_is(key, "inputs_from"))
        return read_text(reader, &out->inputs_from);
    if (dti_json_is(key, "outputs"))
        return read_text(reader, &out->outputs);
    if (dti_json_is(key, "outputs_from"))
        return read_text(reader, &out->outputs_from);
    if (dti_json_is(key, "local_inputs"))
        return dti_json_read_bool(reader, &out->local_inputs);
    if (dti_json_is(key, "local_outputs"))
        return dti_json_read_bool(reader, &out->local_outputs);
    return dti_json_fail(reader, DT_ERR_FORMAT,
                         "\"%.*s\" is no field of a rule", (int)key.size,
                         key.text);
}

static bool read_rule(dti_json_reader *reader, dt_parallel_rule *out)
{
    dti_json_string key;
    if (dti_json_peek(reader) == DTI_JSON_STRING)
        return read_style(reader, out);
    if (!dti_json_read_object(reader))
        return false;
    while (dti_json_next_key(reader, &key))
        if (!read_field(reader, key, out))
            return false;
    return out->style ||
           dti_json_fail(reader, DT_ERR_FORMAT,
                         "the rule \"%s\" has no \"style\"", out->pattern);
}

static bool add_rule(dt_world *world, dti_json_reader *reader,
                     dti_json_string pattern, rule_list *to)
{
    dt_parallel_rule rule = {.pattern = dti_json_copy(reader, pattern)};
    void *list = to->rules;
    if (!rule.pattern || !read_rule(reader, &rule) ||
        dti_list_grow(world, &list, to->count, &to->capacity,
                      sizeof *to->rules) != DT_OK) {
        free_rule(&rule);
        return false;
    }
    to->rules = list;
    to->rules[to->count++] = rule;
    return true;
}

static dt_status read_plan(dt_world *world, const char *path, const char *text,
                           size_t size, rule_list *out)
{
    dti_json_reader reader;
    dti_json_string key;
    dt_error error;
    dti_json_start(&reader, text, size, 2);
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key))
        if (!add_rule(world, &reader, key, out))
            break;
    const dt_status status = dti_json_finish(&reader, &error);
    return status == DT_OK
               ? DT_OK
               : dti_fail(world, status, "%s: %s", path, error.message);
}

/* ---- Files -------------------------------------------------------------- */

static dt_status read_file(dt_world *world, const char *path, char **text,
                           size_t *size)
{
    FILE *to = open_memstream(text, size), *from = fopen(path, "rb");
    dt_status status = DT_OK;
    char part[4096];
    size_t length;
    if (!from)
        status = dti_fail(world, DT_ERR_IO, "%s: %s", path, strerror(errno));
    else if (!to)
        status = dti_fail_memory(world, sizeof part, "a plan");
    while (status == DT_OK && (length = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, length, to);
    if (status == DT_OK && ferror(from))
        status = dti_fail(world, DT_ERR_IO, "%s: %s", path, strerror(errno));
    if (from)
        fclose(from);
    if (to && fclose(to) != 0 && status == DT_OK)
        status = dti_fail_memory(world, sizeof part, "a plan");
    return status;
}

dt_status dt_parallelize_file(dt_module *module, dt_mesh *mesh,
                              const char *path,
                              const dt_parallelize_options *options)
{
    DTI_ENTRY();
    char *text = NULL;
    size_t size = 0;
    rule_list read = {0};
    DTI_TRY(dti_given(module, __func__, "module"));
    DTI_TRY(dti_given(path, __func__, "path"));
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    dt_status status = read_file(module->world, path, &text, &size);
    if (status != DT_OK) /* perhaps on this rank alone */
        dti_collective_end_on(mesh, status);
    if (status == DT_OK)
        status = read_plan(module->world, path, text, size, &read);
    if (status == DT_OK)
        status = dt_parallelize(module, mesh, read.rules, read.count, options);
    free_rules(&read);
    free(text);
    return status;
}
