/* checkpoint/manifest.c - what was saved, and the sums of its bytes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/version.h>

#include "base/error.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "checkpoint/list.h"

/* The manifest, tensors, a tensor, its sums, a sum; more for what is unknown.
 */
enum { depth = 16, version = 1, hash_digits = 16 };

static const char format_name[] = "dtensor";

/* ---- Reading
 * ------------------------------------------------------------------ */

static bool fail_memory(dti_json_reader *reader)
{
    return dti_json_fail(reader, DT_ERR_NO_MEMORY,
                         "out of memory for a manifest");
}

/* Read a number that is not negative. */
static bool read_count(dti_json_reader *reader, uint64_t *out)
{
    int64_t value = 0;
    if (!dti_json_read_integer(reader, &value))
        return false;
    if (value < 0)
        return dti_json_fail(reader, DT_ERR_FORMAT, "a negative number");
    *out = (uint64_t)value;
    return true;
}

/* Read a sum: 16 digits. */
static bool read_hash(dti_json_reader *reader, uint64_t *out)
{
    dti_json_string text;
    uint64_t value = 0;
    if (!dti_json_read_string(reader, &text))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = text.text[i] ? strchr(digits, text.text[i]) : NULL;
        if (!digit || text.size != hash_digits)
            return dti_json_fail(reader, DT_ERR_FORMAT,
                                 "a sum is a text of %d digits, 0 to 9 and a "
                                 "to f",
                                 hash_digits);
        value = value << 4 | (uint64_t)(digit - digits);
    }
    *out = value;
    return text.size == hash_digits ||
           dti_json_fail(reader, DT_ERR_FORMAT, "a sum is empty");
}

static bool read_copy(dti_json_reader *reader, char **out)
{
    dti_json_string text;
    if (!dti_json_read_string(reader, &text))
        return false;
    free(*out);
    *out = dti_json_copy(reader, text);
    return *out != NULL;
}

static void read_file(dti_json_reader *reader, dti_manifest_file *file)
{
    dti_json_string key;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &key))
        if (dti_json_is(key, "name"))
            read_copy(reader, &file->name);
        else if (dti_json_is(key, "bytes"))
            read_count(reader, &file->bytes);
        else if (dti_json_is(key, "header"))
            read_hash(reader, &file->header);
        else
            dti_json_skip(reader);
    if (!file->name)
        dti_json_fail(reader, DT_ERR_FORMAT, "a file has no name");
}

static void read_files(dti_json_reader *reader, dti_manifest *manifest)
{
    dti_json_read_list(reader);
    while (dti_json_next_item(reader)) {
        if (!dti_list_reserve(&manifest->files, manifest->file_count,
                              &manifest->file_capacity,
                              sizeof *manifest->files)) {
            fail_memory(reader);
            return;
        }
        dti_manifest_file *file = &manifest->files[manifest->file_count++];
        *file = (dti_manifest_file){0};
        read_file(reader, file);
    }
}

/* Read a sum of a range: its bytes, and the hash. */
static void read_sum(dti_json_reader *reader, dti_manifest_tensor *tensor)
{
    dti_sum sum = {0, 0};
    int count = 0;
    dti_json_read_list(reader);
    while (dti_json_next_item(reader)) {
        if (count == 0)
            read_count(reader, &sum.bytes);
        else if (count == 1)
            read_hash(reader, &sum.hash);
        else
            dti_json_skip(reader);
        count++;
    }
    if (count < 2)
        dti_json_fail(reader, DT_ERR_FORMAT,
                      "a sum has a number of bytes and digits");
    if (!dti_list_reserve(&tensor->sums, tensor->count, &tensor->capacity,
                          sizeof *tensor->sums))
        fail_memory(reader);
    else
        tensor->sums[tensor->count++] = sum;
}

static void read_tensor(dti_json_reader *reader, dti_manifest_tensor *tensor)
{
    dti_json_string key;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &key))
        if (dti_json_is(key, "layout")) {
            read_copy(reader, &tensor->layout);
        } else if (dti_json_is(key, "sums")) {
            dti_json_read_list(reader);
            while (dti_json_next_item(reader))
                read_sum(reader, tensor);
        } else {
            dti_json_skip(reader);
        }
}

static void read_tensors(dti_json_reader *reader, dti_manifest *manifest)
{
    dti_json_string name;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &name)) {
        if (!dti_list_reserve(&manifest->tensors, manifest->tensor_count,
                              &manifest->tensor_capacity,
                              sizeof *manifest->tensors)) {
            fail_memory(reader);
            return;
        }
        dti_manifest_tensor *tensor =
            &manifest->tensors[manifest->tensor_count++];
        *tensor = (dti_manifest_tensor){.name = dti_json_copy(reader, name)};
        read_tensor(reader, tensor);
    }
}

static void check_format(dti_json_reader *reader)
{
    dti_json_string text;
    if (dti_json_read_string(reader, &text) && !dti_json_is(text, format_name))
        dti_json_fail(
            reader, DT_ERR_FORMAT, "the format is \"%.*s\", not \"%s\"",
            (int)(text.size < 40 ? text.size : 40), text.text, format_name);
}

static void check_version(dti_json_reader *reader)
{
    int64_t found = 0;
    if (dti_json_read_integer(reader, &found) && found != version)
        dti_json_fail(reader, DT_ERR_UNSUPPORTED,
                      "version %" PRId64
                      " of the manifest, of which this library knows %d",
                      found, version);
}

static void read_member(dti_json_reader *reader, dti_json_string key,
                        dti_manifest *manifest)
{
    if (dti_json_is(key, "format"))
        check_format(reader);
    else if (dti_json_is(key, "version"))
        check_version(reader);
    else if (dti_json_is(key, "step"))
        dti_json_read_integer(reader, &manifest->step);
    else if (dti_json_is(key, "ranks"))
        dti_json_read_integer(reader, &manifest->ranks);
    else if (dti_json_is(key, "files"))
        read_files(reader, manifest);
    else if (dti_json_is(key, "tensors"))
        read_tensors(reader, manifest);
    else
        dti_json_skip(reader);
}

dt_status dti_manifest_parse(const void *text, size_t size, dti_manifest *out,
                             dt_error *error)
{
    dti_manifest manifest = {0};
    dti_json_reader reader;
    dti_json_string key;
    bool formatted = false, versioned = false;
    dti_json_start(&reader, text, size, depth);
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key)) {
        formatted = formatted || dti_json_is(key, "format");
        versioned = versioned || dti_json_is(key, "version");
        read_member(&reader, key, &manifest);
    }
    if (!formatted || !versioned)
        dti_json_fail(&reader, DT_ERR_FORMAT,
                      "a manifest has a format and a version");
    const dt_status status = dti_json_finish(&reader, error);
    if (status == DT_OK)
        *out = manifest;
    else
        dti_manifest_free(&manifest);
    return status;
}

void dti_manifest_free(dti_manifest *manifest)
{
    for (size_t i = 0; i < manifest->file_count; i++)
        free(manifest->files[i].name);
    for (size_t i = 0; i < manifest->tensor_count; i++) {
        free(manifest->tensors[i].name);
        free(manifest->tensors[i].layout);
        free(manifest->tensors[i].sums);
    }
    free(manifest->files);
    free(manifest->tensors);
    *manifest = (dti_manifest){0};
}

/* ---- Writing
 * -------------------------------------------------------------------- */

static void put_tensor(FILE *stream, const dti_manifest_tensor *tensor)
{
    dti_json_quote(stream, tensor->name);
    fputs(": {", stream);
    if (tensor->layout) {
        fputs("\"layout\": ", stream);
        dti_json_quote(stream, tensor->layout);
        fputs(", ", stream);
    }
    fputs("\"sums\": [", stream);
    for (size_t i = 0; i < tensor->count; i++)
        fprintf(stream, "%s[%" PRIu64 ", \"%016" PRIx64 "\"]", i ? ", " : "",
                tensor->sums[i].bytes, tensor->sums[i].hash);
    fputs("]}", stream);
}

void dti_manifest_write(const dti_manifest *manifest, FILE *stream)
{
    fprintf(stream,
            "{\"format\": \"%s\", \"version\": %d, \"library\": \"%s\", "
            "\"step\": %" PRId64 ", \"ranks\": %" PRId64 ",\n\"files\": [",
            format_name, version, DT_VERSION_STRING, manifest->step,
            manifest->ranks);
    for (size_t i = 0; i < manifest->file_count; i++) {
        const dti_manifest_file *file = &manifest->files[i];
        fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", stream);
        dti_json_quote(stream, file->name);
        fprintf(stream,
                ", \"bytes\": %" PRIu64 ", \"header\": \"%016" PRIx64 "\"}",
                file->bytes, file->header);
    }
    fputs("],\n\"tensors\": {", stream);
    for (size_t i = 0; i < manifest->tensor_count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_tensor(stream, &manifest->tensors[i]);
    }
    fputs("}}\n", stream);
}
