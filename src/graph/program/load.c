/* graph/program/load.c - loading an exported program. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/options.h"
#include "graph/program/program.h"

/* The most that the JSON of a program may be. */
#define JSON_MAX ((size_t)2 << 30)

/* Version of PyTorch's schema that is read; the minor number may be any. */
#define SCHEMA 8

/* ---- The archive -------------------------------------------------------- */

/* Compare a record with a text, after space at its end is taken off. */
static bool holds(const dti_archive_record *record, const char *text)
{
    size_t size = record->size;
    while (size > 0 && strchr(" \r\n", record->data[size - 1]))
        size--;
    return size == strlen(text) && memcmp(record->data, text, size) == 0;
}

/* Records that say what the archive is, in the order in which they are looked
 * at. */
static const struct {
    const char *name, *text, *message;
    dt_status code;
    bool required;
} marks[] = {
    {"archive_format", "pt2", "not a PT2 archive: its format is", DT_ERR_FORMAT,
     true},
    {"archive_version", "0",
     "a version that is not supported:", DT_ERR_UNSUPPORTED, true},
    {"byteorder", "little",
     "written on a machine of another byte order:", DT_ERR_UNSUPPORTED, false},
};

static dt_status check_marks(const dti_loading *loading)
{
    for (size_t i = 0; i < DTI_COUNT_OF(marks); i++) {
        const dti_archive_record *record =
            dti_archive_find(loading->archive, marks[i].name);
        if (!record && !marks[i].required)
            continue;
        if (!record)
            return dti_fail(loading->world, DT_ERR_FORMAT,
                            "%s: not a PT2 archive: record %s is missing",
                            loading->path, marks[i].name);
        if (!holds(record, marks[i].text))
            return dti_fail(
                loading->world, marks[i].code,
                "%s: %s %.*s (record %s, expected %s)", loading->path,
                marks[i].message, (int)(record->size < 40 ? record->size : 40),
                (const char *)record->data, marks[i].name, marks[i].text);
    }
    return DT_OK;
}

/* The model of a record models/<model>.json; 0 if it is none. */
static size_t model_length(const char *name)
{
    const size_t before = strlen("models/"), after = strlen(".json");
    const size_t length = strlen(name);
    if (length <= before + after || strncmp(name, "models/", before) != 0 ||
        strcmp(name + length - after, ".json") != 0)
        return 0;
    return length - before - after;
}

/* Find the model: the one that was asked for, the only one, or "model". */
static dt_status choose_model(dti_loading *loading,
                              const dti_archive_record **out)
{
    const char *wanted = loading->options.model;
    char list[400] = "";
    int count = 0;
    size_t length = 0;
    for (int i = 0; i < loading->archive->count; i++) {
        const dti_archive_record *record = &loading->archive->records[i];
        const size_t size = model_length(record->name);
        const char *name = record->name + strlen("models/");
        if (size == 0)
            continue;
        if (count++ == 0 ||
            (strncmp(name, "model", size) == 0 && size == strlen("model")))
            *out = wanted ? *out : record;
        if (wanted && strncmp(name, wanted, size) == 0 && !wanted[size])
            *out = record;
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length,
                                       "%s%.*s", count > 1 ? ", " : "",
                                       (int)(size < 80 ? size : 80), name);
    }
    if (count == 0)
        return dti_fail(loading->world, DT_ERR_FORMAT,
                        "%s: not a PT2 archive: record models/model.json is "
                        "missing",
                        loading->path);
    if (!*out || (!wanted && count > 1 &&
                  strcmp((*out)->name, "models/model.json") != 0))
        return dti_fail(loading->world, DT_ERR_NOT_FOUND,
                        "%s: %s%s%s; the archive has the models %s",
                        loading->path, wanted ? "no model is named \"" : "",
                        wanted ? wanted
                               : "several models, of which one has to "
                                 "be chosen",
                        wanted ? "\"" : "", list);
    const size_t size = model_length((*out)->name);
    loading->model = dti_arena_text(&loading->raw.arena,
                                    (*out)->name + strlen("models/"), size);
    return loading->model
               ? DT_OK
               : dti_fail_memory(loading->world, size, "the name of a model");
}

/* ---- The JSON ----------------------------------------------------------- */

static dt_status fail_schema(const dti_loading *loading)
{
    return dti_fail(loading->world, DT_ERR_UNSUPPORTED,
                    "%s: schema %lld.%lld, written by torch %s, is not "
                    "supported; export again with torch 2.9 or later",
                    loading->path, (long long)loading->raw.major,
                    (long long)loading->raw.minor,
                    *loading->raw.torch ? loading->raw.torch : "(unknown)");
}

static dt_status read_json(dti_loading *loading,
                           const dti_archive_record *record)
{
    dt_error error = {DT_OK, ""};
    dti_raw_program *raw = &loading->raw;
    if (record->size > JSON_MAX)
        return dti_fail(loading->world, DT_ERR_UNSUPPORTED,
                        "%s: record %s has %zu bytes; at most %zu are read",
                        loading->path, record->name, record->size, JSON_MAX);
    if (!dti_archive_intact(record))
        return dti_fail(loading->world, DT_ERR_FORMAT,
                        "%s: record %s at offset %llu is damaged: its CRC-32 "
                        "differs",
                        loading->path, record->name,
                        (unsigned long long)record->offset);
    raw->graph = loading->graph;
    dt_status status = dti_raw_read(raw, record->data, record->size, &error);
    if (raw->major >= 0 && raw->major != SCHEMA)
        return fail_schema(loading);
    if (status != DT_OK)
        return dti_fail(loading->world, error.code, "%s: record %s: %s",
                        loading->path, record->name, error.message);
    if (raw->major < 0 || !raw->has_graph || !raw->has_signature)
        return dti_fail(loading->world, DT_ERR_FORMAT,
                        "%s: record %s: %s is missing", loading->path,
                        record->name,
                        raw->major < 0    ? "schema_version"
                        : !raw->has_graph ? "graph_module.graph"
                                          : "graph_module.signature");
    return DT_OK;
}

/* ---- Symbols ------------------------------------------------------------ */

/* Every symbol that a size needs is an extent of an input; others depend on
 * elements, and are not known before a run. */
static void check_symbols(dti_loading *loading)
{
    const dti_sizes *sizes = &loading->graph->sizes;
    for (int i = 0; i < sizes->count; i++) {
        const dti_expression *e = &sizes->expressions[i];
        if (e->op == DTI_SIZE_SYMBOL && !sizes->symbols[e->a].bound)
            dti_problem_add(&loading->problems, DT_ERR_UNSUPPORTED, NULL,
                            "size %s is not an extent of an input",
                            sizes->symbols[e->a].name);
    }
}

/* ---- Loading ------------------------------------------------------------ */

static dt_status load(dti_loading *loading)
{
    const dti_archive_record *record = NULL;
    DTI_TRY(check_marks(loading));
    DTI_TRY(choose_model(loading, &record));
    DTI_TRY(dti_graph_create(loading->world, loading->path, &loading->graph));
    DTI_TRY(read_json(loading, record));
    DTI_TRY(dti_payloads_open(loading));
    DTI_TRY(dti_aten_open(loading->world, &loading->aten));
    DTI_TRY(dti_signature_inputs(loading));
    DTI_TRY(dti_translate(loading));
    DTI_TRY(dti_signature_outputs(loading));
    check_symbols(loading);
    if (!loading->options.keep_unsupported ||
        loading->problems.count > loading->problems.operators)
        DTI_TRY(dti_problems_end(&loading->problems));
    return dti_graph_check(loading->graph);
}

dt_status dti_graph_load_from(dt_world *world, dti_archive *archive,
                              const char *path,
                              const dt_graph_load_options *options,
                              dt_graph **out)
{
    dti_loading loading = {
        .world = world, .path = path, .archive = archive, .options = *options};
    loading.problems = (dti_problems){.world = world,
                                      .path = path,
                                      .function = options->on_problem,
                                      .arg = options->on_problem_arg};
    dt_status status = load(&loading);
    dti_payloads_close(&loading);
    dti_aten_close(&loading.aten);
    dti_raw_free(&loading.raw);
    if (status == DT_OK)
        *out = loading.graph;
    else
        dt_graph_release(loading.graph);
    return status;
}

dt_status dt_graph_load(dt_world *world, const char *path,
                        const dt_graph_load_options *options, dt_graph **out)
{
    DTI_ENTRY();
    dt_graph_load_options usual = DT_GRAPH_LOAD_OPTIONS_INIT;
    dti_archive *archive = NULL;
    if (!path)
        return dti_fail(world, DT_ERR_INVALID, "%s: the path is NULL",
                        __func__);
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_GRAPH_LOAD_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    DTI_TRY(dti_archive_open(world, path, &archive));
    dt_status status = dti_graph_load_from(world, archive, path, options, out);
    dti_archive_release(archive);
    return status;
}
