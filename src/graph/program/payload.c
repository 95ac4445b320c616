/* graph/program/payload.c - parameters, buffers and constants in an archive. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "graph/program/program.h"
#include "graph/program/raw_read.h"

/* Objects inside one another in a list of payloads; real ones have 8. */
#define DEPTH_MAX 16

/* A tensor of a payload: a view of a record, which several may share. */
typedef struct payload {
    const char *path;   /* qualified name */
    const char *record; /* name of the record, below the folder */
    const char *folder;
    bool pickled;
    bool has_meta;
    dti_raw_meta meta;
} payload;

/* A record as an array of bytes: one storage, whoever views it. */
typedef struct storage {
    const dti_archive_record *record;
    dt_array *bytes;
    struct storage *next;
} storage;

typedef struct dti_payloads {
    dti_raw_program reader; /* its arena holds what is read */
    dti_map names;
    storage *storages;
    const char *folder; /* that is being read */
} dti_payloads;

/* ---- Reading ------------------------------------------------------------ */

static bool read_record(dti_raw_program *reader, void *out)
{
    return dti_raw_read_text(reader, &((payload *)out)->record);
}

static bool read_pickled(dti_raw_program *reader, void *out)
{
    return dti_json_read_bool(&reader->json, &((payload *)out)->pickled);
}

static bool read_meta(dti_raw_program *reader, void *out)
{
    payload *one = out;
    if (dti_json_accept_null(&reader->json))
        return true;
    one->has_meta = true;
    return dti_raw_read_meta(reader, &one->meta);
}

static bool is_named(const void *value, const void *key)
{
    return strcmp(((const payload *)value)->path, key) == 0;
}

static payload *find(const dti_payloads *payloads, const char *path)
{
    return dti_map_find(&payloads->names, dti_hash_text(path), path, is_named);
}

/* {"name": {"path_name": ..., "use_pickle": ..., "tensor_meta": ...}} */
static bool read_config(dti_raw_program *reader, void *out)
{
    static const dti_raw_field fields[] = {{"path_name", read_record},
                                           {"use_pickle", read_pickled},
                                           {"tensor_meta", read_meta}};
    dti_payloads *payloads = out;
    dti_json_string key;
    if (!dti_json_read_object(&reader->json))
        return false;
    while (dti_json_next_key(&reader->json, &key)) {
        payload *one = dti_arena_get(&reader->arena, sizeof *one);
        const char *path = dti_raw_keep(reader, key);
        if (!one || !path)
            return dti_raw_fail_memory(reader);
        one->path = path;
        one->folder = payloads->folder;
        if (!dti_raw_fields(reader, fields, DTI_COUNT_OF(fields), one))
            return false;
        if (!one->record)
            return dti_json_fail(&reader->json, DT_ERR_FORMAT,
                                 "path_name is missing");
        if (find(payloads, path))
            continue; /* weights come before constants */
        if (dti_map_add(&payloads->names, dti_hash_text(path), one) != DT_OK)
            return dti_raw_fail_memory(reader);
    }
    return dti_raw_good(reader);
}

static dt_status fail_pickled(const dti_loading *loading, const char *record)
{
    return dti_fail(loading->world, DT_ERR_UNSUPPORTED,
                    "%s: record %s: archive of torch 2.8 with pickled weights; "
                    "save it again with torch 2.9 or later",
                    loading->path, record);
}

/* Read one list of payloads, data/<folder>/<model>_<folder>_config.json. */
static dt_status read_list(dti_loading *loading, const char *folder)
{
    static const dti_raw_field fields[] = {{"config", read_config}};
    dti_payloads *payloads = loading->payloads;
    dt_error error = {DT_OK, ""};
    char name[1024];
    snprintf(name, sizeof name, "data/%s/%s.pt", folder, loading->model);
    if (dti_archive_find(loading->archive, name))
        return fail_pickled(loading, name);
    snprintf(name, sizeof name, "data/%s/%s_%s_config.json", folder,
             loading->model, folder);
    const dti_archive_record *record = dti_archive_find(loading->archive, name);
    if (!record)
        return DT_OK;
    if (!dti_archive_intact(record))
        return dti_fail(loading->world, DT_ERR_FORMAT,
                        "%s: record %s at offset %llu is damaged: its CRC-32 "
                        "differs",
                        loading->path, name,
                        (unsigned long long)record->offset);
    payloads->folder = folder;
    dti_json_start(&payloads->reader.json, record->data, record->size,
                   DEPTH_MAX);
    dti_raw_fields(&payloads->reader, fields, 1, payloads);
    if (dti_json_finish(&payloads->reader.json, &error) != DT_OK)
        return dti_fail(loading->world, error.code, "%s: record %s: %s",
                        loading->path, name, error.message);
    return DT_OK;
}

dt_status dti_payloads_open(dti_loading *loading)
{
    dti_payloads *payloads = calloc(1, sizeof *payloads);
    if (!payloads)
        return dti_fail_memory(loading->world, sizeof *payloads,
                               "a list of weights");
    loading->payloads = payloads;
    payloads->reader.graph = loading->graph;
    DTI_TRY(read_list(loading, "weights"));
    return read_list(loading, "constants");
}

void dti_payloads_close(dti_loading *loading)
{
    dti_payloads *payloads = loading->payloads;
    if (!payloads)
        return;
    for (storage *one = payloads->storages; one; one = one->next)
        dt_array_release(one->bytes);
    dti_map_clear(&payloads->names);
    dti_raw_free(&payloads->reader);
    free(payloads);
    loading->payloads = NULL;
}

/* ---- Arrays ------------------------------------------------------------- */

static void release_archive(void *arg, void *data)
{
    (void)data;
    dti_archive_release(arg);
}

/* The bytes of a record as an array, which holds the archive. */
static dt_status find_storage(dti_loading *loading,
                              const dti_archive_record *record, dt_array **out)
{
    dti_payloads *payloads = loading->payloads;
    for (storage *one = payloads->storages; one; one = one->next)
        if (one->record == record) {
            *out = one->bytes;
            return DT_OK;
        }
    storage *made = dti_arena_get(&payloads->reader.arena, sizeof *made);
    if (!made)
        return dti_fail_memory(loading->world, sizeof *made, "a weight");
    const dt_wrap_options options = {
        .size = sizeof options,
        .data = (void *)(uintptr_t)record->data,
        .dtype = DT_U8,
        .shape = {.ndim = 1, .dims = {(int64_t)record->size}},
        .release = release_archive,
        .release_arg = loading->archive,
        .read_only = true};
    DTI_TRY(dt_array_wrap(loading->world, &options, &made->bytes));
    dti_archive_retain(loading->archive);
    *made = (storage){record, made->bytes, payloads->storages};
    payloads->storages = made;
    *out = made->bytes;
    return DT_OK;
}

/* The elements of storage that a tensor reaches; -1 if a number is negative or
 * does not fit. */
static int64_t reach_of(const dti_raw_meta *meta, bool *empty)
{
    int64_t reach = meta->offset.number, part;
    bool bad = meta->offset.expression || reach < 0 ||
               meta->stride_count != meta->ndim;
    *empty = false;
    for (int i = 0; !bad && i < meta->ndim; i++) {
        const int64_t size = meta->sizes[i].number;
        const int64_t stride = meta->strides[i].number;
        bad = meta->sizes[i].expression || meta->strides[i].expression ||
              size < 0 || stride < 0 ||
              (size > 0 && __builtin_mul_overflow(size - 1, stride, &part)) ||
              (size > 0 && __builtin_add_overflow(reach, part, &reach));
        *empty = *empty || size == 0;
    }
    return bad || reach == INT64_MAX ? -1 : reach + 1;
}

/* Check a payload; false with a problem.  `missing`: it has no elements. */
static bool check_payload(dti_loading *loading, const payload *one,
                          const dti_archive_record *record, bool *missing,
                          bool *empty)
{
    dti_problems *problems = &loading->problems;
    const dt_dtype dtype = dti_dtype_of_torch(one->meta.dtype);
    *missing = false;
    if (dtype == DT_DTYPE_COUNT) {
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, NULL,
                        "weight %s has dtype %lld of PyTorch, which is not "
                        "supported",
                        one->path, (long long)one->meta.dtype);
        return false;
    }
    const int64_t reach = reach_of(&one->meta, empty);
    const int64_t item = (int64_t)dt_dtype_size(dtype);
    if (reach < 0 || (!*empty && reach > INT64_MAX / item)) {
        dti_problem_add(problems, DT_ERR_FORMAT, NULL,
                        "weight %s has invalid sizes or strides", one->path);
        return false;
    }
    if (!*empty && record->size == 0) {
        *missing = true;
        return true;
    }
    if (!*empty && (uint64_t)(reach * item) > record->size) {
        dti_problem_add(problems, DT_ERR_FORMAT, NULL,
                        "weight %s needs %lld bytes of record %s, which has "
                        "%zu",
                        one->path, (long long)(reach * item), record->name,
                        record->size);
        return false;
    }
    if (!*empty && (uintptr_t)record->data % dti_dtype_alignment(dtype) != 0) {
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, NULL,
                        "weight %s is not aligned in record %s; save it again "
                        "with torch.export.save",
                        one->path, record->name);
        return false;
    }
    return true;
}

static dt_status view_storage(dti_loading *loading, const payload *one,
                              const dti_archive_record *record, bool empty,
                              dt_array **out)
{
    const dti_raw_meta *meta = &one->meta;
    const dt_dtype dtype = dti_dtype_of_torch(meta->dtype);
    dt_shape shape = {.ndim = meta->ndim};
    int64_t strides[DT_MAX_NDIM] = {0};
    dt_array *bytes = NULL;
    for (int i = 0; i < meta->ndim; i++) {
        shape.dims[i] = meta->sizes[i].number;
        strides[i] = meta->strides[i].number;
    }
    if (empty)
        return dt_array_create(loading->world, dtype, shape, out);
    DTI_TRY(find_storage(loading, record, &bytes));
    return dti_array_view_as(loading->world, bytes, dtype, shape, strides,
                             meta->offset.number, out);
}

static const dti_archive_record *record_of(dti_loading *loading,
                                           const payload *one)
{
    char name[1024];
    snprintf(name, sizeof name, "data/%s/%s", one->folder, one->record);
    return dti_archive_find(loading->archive, name);
}

dt_status dti_payload_find(dti_loading *loading, const char *path,
                           dt_array **out)
{
    dti_problems *problems = &loading->problems;
    const payload *one = find(loading->payloads, path);
    const dti_archive_record *record = one ? record_of(loading, one) : NULL;
    bool missing, empty;
    *out = NULL;
    if (!one || !record)
        dti_problem_add(problems, DT_ERR_FORMAT, NULL,
                        "the archive has no %s of weight %s",
                        one ? "record" : "description", path);
    else if (one->pickled || !one->has_meta)
        dti_problem_add(problems, DT_ERR_UNSUPPORTED, NULL,
                        "weight %s is pickled: a tensor subclass or an object",
                        path);
    else if (check_payload(loading, one, record, &missing, &empty) &&
             !missing) {
        if (loading->options.check_weights && !dti_archive_intact(record))
            return dti_fail(loading->world, DT_ERR_FORMAT,
                            "%s: record %s at offset %llu is damaged: its "
                            "CRC-32 differs",
                            loading->path, record->name,
                            (unsigned long long)record->offset);
        return view_storage(loading, one, record, empty, out);
    }
    return DT_OK;
}
