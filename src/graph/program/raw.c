/* graph/program/raw.c - reading the JSON of a program. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/program/raw.h"

#include <string.h>

#include "base/hash.h"
#include "graph/program/raw_read.h"

/* Objects and lists inside one another; real programs have fewer than 20. */
#define DEPTH_MAX 64

/* ---- Nodes -------------------------------------------------------------- */

static bool read_target(dti_raw_program *program, void *out)
{
    return dti_raw_read_text(program, &((dti_raw_node *)out)->target);
}

static bool read_node_name(dti_raw_program *program, void *out)
{
    return dti_raw_read_optional_text(program, &((dti_raw_node *)out)->name);
}

static bool read_inputs(dti_raw_program *program, void *out)
{
    return dti_raw_read_arguments(program, &((dti_raw_node *)out)->inputs,
                                  true);
}

static bool read_outputs(dti_raw_program *program, void *out)
{
    return dti_raw_read_arguments(program, &((dti_raw_node *)out)->outputs,
                                  false);
}

/* "key,path,type;key,path,type": the path of the last entry, between the first
 * and the last comma. */
static bool read_module_stack(dti_raw_program *program, void *out)
{
    dti_raw_node *node = out;
    dti_json_string text;
    if (!dti_json_read_string(&program->json, &text))
        return false;
    const char *end = text.text + text.size, *begin = end;
    while (begin > text.text && begin[-1] != ';')
        begin--;
    const char *first = memchr(begin, ',', (size_t)(end - begin));
    const char *last = end;
    while (last > begin && *--last != ',')
        ;
    if (!first || last <= first)
        return true;
    node->module = dti_raw_keep(
        program, (dti_json_string){first + 1, (size_t)(last - first) - 1});
    return node->module != NULL;
}

static bool read_metadata(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {
        {"nn_module_stack", read_module_stack}};
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), out);
}

/* Old writers leave out the name of a node; that of its first output serves. */
static const char *name_of(const dti_raw_node *node)
{
    if (node->name)
        return node->name;
    for (int i = 0; i < node->outputs.count; i++) {
        const dti_raw_argument *one = &node->outputs.items[i];
        if (one->count > 0 && one->items[0].kind == DTI_RAW_TENSOR)
            return one->items[0].text;
    }
    return "unnamed";
}

static bool read_nodes(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {{"target", read_target},
                                           {"inputs", read_inputs},
                                           {"outputs", read_outputs},
                                           {"metadata", read_metadata},
                                           {"name", read_node_name}};
    (void)out;
    if (!dti_json_read_list(&program->json))
        return false;
    while (dti_json_next_item(&program->json)) {
        dti_raw_node node = {.module = ""};
        if (!dti_raw_fields(program, fields, DTI_COUNT_OF(fields), &node))
            return false;
        if (!node.target)
            return dti_json_fail(&program->json, DT_ERR_FORMAT,
                                 "a node without a target");
        node.name = name_of(&node);
        if (!dti_raw_grow(program, &program->nodes, program->node_count,
                          &program->node_capacity, sizeof node))
            return false;
        program->nodes[program->node_count++] = node;
    }
    return dti_raw_good(program);
}

/* ---- Names -------------------------------------------------------------- */

static bool is_named(const void *value, const void *key)
{
    return strcmp(((const dti_raw_name *)value)->name, key) == 0;
}

dti_raw_name *dti_raw_find(const dti_raw_program *program, const char *name)
{
    return dti_map_find(&program->names, dti_hash_text(name), name, is_named);
}

static dti_raw_name *find_or_add(dti_raw_program *program, const char *name)
{
    dti_raw_name *known = dti_raw_find(program, name);
    if (known)
        return known;
    known = dti_arena_get(&program->arena, sizeof *known);
    if (!known ||
        dti_map_add(&program->names, dti_hash_text(name), known) != DT_OK) {
        dti_raw_fail_memory(program);
        return NULL;
    }
    known->name = name;
    known->value = -1;
    return known;
}

const dti_raw_argument *dti_raw_argument_of(const dti_raw_node *node,
                                            const char *name, size_t length)
{
    for (int i = 0; i < node->inputs.count; i++) {
        const char *known = node->inputs.items[i].name;
        if (strncmp(known, name, length) == 0 && !known[length])
            return &node->inputs.items[i];
    }
    return NULL;
}

/* {"name": TensorMeta, ...} */
static bool read_tensor_values(dti_raw_program *program, void *out)
{
    dti_json_string key;
    (void)out;
    if (!dti_json_read_object(&program->json))
        return false;
    while (dti_json_next_key(&program->json, &key)) {
        const char *text = dti_raw_keep(program, key);
        dti_raw_name *name = text ? find_or_add(program, text) : NULL;
        if (!name || !dti_raw_read_meta(program, &name->meta))
            return false;
        name->has_meta = true;
    }
    return dti_raw_good(program);
}

static bool read_size_values(dti_raw_program *program, void *out)
{
    dti_json_string key;
    (void)out;
    if (!dti_json_read_object(&program->json))
        return false;
    while (dti_json_next_key(&program->json, &key)) {
        const char *text = dti_raw_keep(program, key);
        dti_raw_name *name = text ? find_or_add(program, text) : NULL;
        if (!name || !dti_raw_read_size(program, &name->size, &name->fault))
            return false;
        name->has_size = true;
    }
    return dti_raw_good(program);
}

/* ---- The graph ---------------------------------------------------------- */

static bool read_graph_inputs(dti_raw_program *program, void *out)
{
    (void)out;
    return dti_raw_read_arguments(program, &program->inputs, false);
}

static bool read_graph_outputs(dti_raw_program *program, void *out)
{
    (void)out;
    return dti_raw_read_arguments(program, &program->outputs, false);
}

static bool read_graph(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {
        {"inputs", read_graph_inputs},
        {"outputs", read_graph_outputs},
        {"nodes", read_nodes},
        {"tensor_values", read_tensor_values},
        {"sym_int_values", read_size_values},
    };
    (void)out;
    program->has_graph = true;
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), NULL);
}

/* ---- The signature ------------------------------------------------------ */

/* Leave an object whose other fields do not matter. */
static bool skip_fields(dti_raw_program *program)
{
    dti_json_string key;
    while (dti_json_next_key(&program->json, &key))
        if (!dti_json_skip(&program->json))
            return false;
    return dti_raw_good(program);
}

/* {"name": ...} of a parameter, or an Argument of an input or output. */
static bool read_spec_value(dti_raw_program *program, void *out)
{
    dti_raw_spec *spec = out;
    dti_json_string tag;
    if (!dti_raw_begin_union(program, &tag))
        return false;
    if (dti_json_is(tag, "name"))
        return dti_raw_read_text(program, &spec->value) && skip_fields(program);
    spec->kind = dti_raw_keep(program, tag);
    spec->none = dti_json_is(tag, "as_none");
    if (!spec->kind || !(dti_json_is(tag, "as_tensor")
                             ? dti_raw_read_name(program, &spec->value)
                             : dti_json_skip(&program->json)))
        return false;
    return dti_raw_end_union(program);
}

static bool read_spec_target(dti_raw_program *program, void *out)
{
    return dti_raw_read_text(program, &((dti_raw_spec *)out)->target);
}

static bool read_spec_persistent(dti_raw_program *program, void *out)
{
    return dti_json_read_bool(&program->json,
                              &((dti_raw_spec *)out)->persistent);
}

/* {"tag": {"arg": ..., "parameter_name": ...}} */
static bool read_spec(dti_raw_program *program, dti_raw_spec *out)
{
    static const dti_raw_field fields[] = {
        {"arg", read_spec_value},
        {"parameter_name", read_spec_target},
        {"buffer_name", read_spec_target},
        {"tensor_constant_name", read_spec_target},
        {"user_input_name", read_spec_target},
        {"name", read_spec_target},
        {"persistent", read_spec_persistent},
    };
    dti_json_string tag;
    if (!dti_raw_begin_union(program, &tag))
        return false;
    out->tag = dti_raw_keep(program, tag);
    return out->tag &&
           dti_raw_fields(program, fields, DTI_COUNT_OF(fields), out) &&
           dti_raw_end_union(program);
}

static bool read_specs(dti_raw_program *program, dti_raw_specs *out)
{
    if (!dti_json_read_list(&program->json))
        return false;
    while (dti_json_next_item(&program->json)) {
        dti_raw_spec spec = {.tag = NULL};
        if (!read_spec(program, &spec) ||
            !dti_raw_grow(program, &out->items, out->count, &out->capacity,
                          sizeof spec))
            return false;
        out->items[out->count++] = spec;
    }
    return dti_raw_good(program);
}

static bool read_input_specs(dti_raw_program *program, void *out)
{
    (void)out;
    return read_specs(program, &program->input_specs);
}

static bool read_output_specs(dti_raw_program *program, void *out)
{
    (void)out;
    return read_specs(program, &program->output_specs);
}

static bool read_signature(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {{"input_specs", read_input_specs},
                                           {"output_specs", read_output_specs}};
    (void)out;
    program->has_signature = true;
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), NULL);
}

/* ---- The top level ------------------------------------------------------ */

static bool read_graph_module(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {{"graph", read_graph},
                                           {"signature", read_signature}};
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), out);
}

static bool read_major(dti_raw_program *program, void *out)
{
    (void)out;
    return dti_json_read_integer(&program->json, &program->major);
}

static bool read_minor(dti_raw_program *program, void *out)
{
    (void)out;
    return dti_json_read_integer(&program->json, &program->minor);
}

static bool read_version(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {{"major", read_major},
                                           {"minor", read_minor}};
    return dti_raw_fields(program, fields, DTI_COUNT_OF(fields), out);
}

static bool read_torch(dti_raw_program *program, void *out)
{
    (void)out;
    return dti_raw_read_text(program, &program->torch);
}

static bool read_bound(dti_raw_program *program, int64_t *out)
{
    return dti_json_accept_null(&program->json) ||
           dti_json_read_integer(&program->json, out);
}

static bool read_min(dti_raw_program *program, void *out)
{
    return read_bound(program, &((dti_symbol *)out)->min);
}

static bool read_max(dti_raw_program *program, void *out)
{
    return read_bound(program, &((dti_symbol *)out)->max);
}

/* {"s1": {"min_val": 2, "max_val": null}, ...}; a key may be an expression,
 * whose range follows from those of its symbols. */
static bool read_ranges(dti_raw_program *program, void *out)
{
    static const dti_raw_field fields[] = {{"min_val", read_min},
                                           {"max_val", read_max}};
    dti_json_string key;
    (void)out;
    if (!dti_json_read_object(&program->json))
        return false;
    while (dti_json_next_key(&program->json, &key)) {
        dti_symbol range = {.min = INT64_MIN, .max = INT64_MAX};
        if (!dti_raw_fields(program, fields, DTI_COUNT_OF(fields), &range))
            return false;
        if (memchr(key.text, ' ', key.size) ||
            memchr(key.text, '(', key.size) || memchr(key.text, 0, key.size))
            continue;
        const int symbol = dti_sizes_symbol(
            &program->graph->sizes, &program->graph->arena, key.text, key.size);
        if (symbol < 0)
            return dti_raw_fail_memory(program);
        program->graph->sizes.symbols[symbol].min = range.min;
        program->graph->sizes.symbols[symbol].max = range.max;
    }
    return dti_raw_good(program);
}

dt_status dti_raw_read(dti_raw_program *program, const void *text, size_t size,
                       dt_error *error)
{
    static const dti_raw_field fields[] = {
        {"graph_module", read_graph_module},
        {"range_constraints", read_ranges},
        {"schema_version", read_version},
        {"torch_version", read_torch},
    };
    program->major = -1;
    program->torch = "";
    dti_json_start(&program->json, text, size, DEPTH_MAX);
    dti_raw_fields(program, fields, DTI_COUNT_OF(fields), NULL);
    return dti_json_finish(&program->json, error);
}

void dti_raw_free(dti_raw_program *program)
{
    dti_map_clear(&program->names);
    dti_arena_free(&program->arena);
}
