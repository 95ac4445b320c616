/* checkpoint/header.c - the header of a safetensors file. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/header.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/reader.h"
#include "checkpoint/list.h"

/* Objects in objects: the header, a tensor, its list. */
enum { depth = 3 };

static const char metadata_name[] = "__metadata__";

/* ---- Reading ----------------------------------------------------------------
 */

dt_status dti_header_length(const void *bytes, size_t size, uint64_t file_size,
                            size_t *out, dt_error *error)
{
    const unsigned char *prefix = bytes;
    uint64_t length = 0;
    if (size < DTI_HEADER_PREFIX)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the file has %zu bytes; a safetensors file has "
                             "at least %d",
                             size, DTI_HEADER_PREFIX);
    for (int i = DTI_HEADER_PREFIX - 1; i >= 0; i--)
        length = length << 8 | prefix[i];
    if (length > DTI_HEADER_MOST)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the header is said to have %" PRIu64
                             " bytes, more than %d; this is no safetensors "
                             "file",
                             length, DTI_HEADER_MOST);
    if (length > file_size - DTI_HEADER_PREFIX)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "the file is truncated: its header has %" PRIu64
                             " bytes, but %" PRIu64 " follow",
                             length, file_size - DTI_HEADER_PREFIX);
    *out = (size_t)length;
    return DT_OK;
}

/* Make space for one more of `count` elements; false without memory. */
static bool reserve(dti_json_reader *reader, void *list, size_t count,
                    size_t *capacity, size_t size)
{
    return dti_list_reserve(list, count, capacity, size) ||
           dti_json_fail(reader, DT_ERR_NO_MEMORY,
                         "out of memory for a header");
}

static void read_metadata(dti_json_reader *reader, dti_header *header)
{
    dti_json_string key, value;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &key)) {
        if (!dti_json_read_string(reader, &value) ||
            !reserve(reader, &header->texts, header->text_count,
                     &header->text_capacity, sizeof *header->texts))
            return;
        dti_file_text text = {dti_json_copy(reader, key),
                              dti_json_copy(reader, value)};
        header->texts[header->text_count++] = text;
    }
}

static void read_shape(dti_json_reader *reader, dti_file_tensor *tensor)
{
    int64_t extent = 0;
    dti_json_read_list(reader);
    while (dti_json_next_item(reader) &&
           dti_json_read_integer(reader, &extent)) {
        if (extent < 0)
            dti_json_fail(reader, DT_ERR_FORMAT, "a negative extent: %" PRId64,
                          extent);
        else if (tensor->shape.ndim == DT_MAX_NDIM)
            dti_json_fail(reader, DT_ERR_UNSUPPORTED,
                          "a tensor has more than %d dimensions", DT_MAX_NDIM);
        else
            tensor->shape.dims[tensor->shape.ndim++] = extent;
    }
}

static void read_offsets(dti_json_reader *reader, dti_file_tensor *tensor)
{
    int64_t offsets[2] = {0, 0}, offset = 0;
    int count = 0;
    dti_json_read_list(reader);
    while (dti_json_next_item(reader) && dti_json_read_integer(reader, &offset))
        if (count == 2 || offset < 0)
            dti_json_fail(reader, DT_ERR_FORMAT,
                          "data_offsets are two numbers from 0 on");
        else
            offsets[count++] = offset;
    if (count != 2)
        dti_json_fail(reader, DT_ERR_FORMAT, "data_offsets are two numbers");
    tensor->begin = (uint64_t)offsets[0];
    tensor->end = (uint64_t)offsets[1];
}

static void read_dtype(dti_json_reader *reader, dti_file_tensor *tensor)
{
    dti_json_string name;
    if (!dti_json_read_string(reader, &name))
        return;
    tensor->dtype = dti_file_dtype_find(name.text, name.size);
    if (!tensor->dtype)
        dti_json_fail(reader, DT_ERR_FORMAT, "unknown dtype \"%.*s\"",
                      (int)(name.size < 40 ? name.size : 40), name.text);
}

/* Read the properties of a tensor: three, each of them. */
static void read_tensor(dti_json_reader *reader, dti_file_tensor *tensor)
{
    enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4, ALL = 7 };
    dti_json_string key;
    int seen = 0;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &key)) {
        if (dti_json_is(key, "dtype")) {
            read_dtype(reader, tensor);
            seen |= DTYPE;
        } else if (dti_json_is(key, "shape")) {
            read_shape(reader, tensor);
            seen |= SHAPE;
        } else if (dti_json_is(key, "data_offsets")) {
            read_offsets(reader, tensor);
            seen |= OFFSETS;
        } else {
            dti_json_fail(reader, DT_ERR_FORMAT, "unexpected \"%.*s\"",
                          (int)(key.size < 40 ? key.size : 40), key.text);
        }
    }
    if (seen != ALL)
        dti_json_fail(reader, DT_ERR_FORMAT,
                      "tensor " DTI_QUOTED
                      " needs dtype, shape and data_offsets",
                      tensor->name);
}

/* Multiply, if the product fits; false if not. */
static bool multiply(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b != 0 && a > (uint64_t)INT64_MAX / b)
        return false;
    *out = a * b;
    return true;
}

/* Check that the bytes of a tensor are those that shape and dtype need. */
static void check_tensor(dti_json_reader *reader, const dti_file_tensor *tensor)
{
    uint64_t bits = (uint64_t)tensor->dtype->bits;
    bool fits = true, empty = false;
    for (int i = 0; i < tensor->shape.ndim; i++)
        empty = empty || tensor->shape.dims[i] == 0;
    for (int i = 0; i < tensor->shape.ndim; i++) {
        const uint64_t extent = (uint64_t)tensor->shape.dims[i];
        fits = fits && multiply(bits, empty && !extent ? 1 : extent, &bits);
    }
    if (!fits)
        dti_json_fail(reader, DT_ERR_FORMAT,
                      "tensor " DTI_QUOTED " has too many elements",
                      tensor->name);
    else if (bits % 8)
        dti_json_fail(reader, DT_ERR_FORMAT,
                      "tensor " DTI_QUOTED " does not end with a byte",
                      tensor->name);
    else if (tensor->end < tensor->begin ||
             tensor->end - tensor->begin != (empty ? 0 : bits / 8))
        dti_json_fail(
            reader, DT_ERR_FORMAT,
            "tensor " DTI_QUOTED " has data_offsets %" PRIu64 " and %" PRIu64
            ", but its shape and dtype need %" PRIu64 " bytes",
            tensor->name, tensor->begin, tensor->end, empty ? 0 : bits / 8);
}

static void read_member(dti_json_reader *reader, dti_header *header,
                        dti_json_string key)
{
    if (dti_json_is(key, metadata_name)) {
        read_metadata(reader, header);
        return;
    }
    if (key.size > DTI_HEADER_NAME_MOST)
        dti_json_fail(reader, DT_ERR_FORMAT, "a name has more than %d bytes",
                      DTI_HEADER_NAME_MOST);
    if (!reserve(reader, &header->tensors, header->count, &header->capacity,
                 sizeof *header->tensors))
        return;
    dti_file_tensor tensor = {.name = dti_json_copy(reader, key)};
    if (!tensor.name)
        return;
    read_tensor(reader, &tensor);
    header->tensors[header->count++] = tensor;
    if (reader->error.code == DT_OK)
        check_tensor(reader, &tensor);
}

static int compare_begin(const void *a, const void *b)
{
    const dti_file_tensor *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Check that tensors cover the data without gaps and overlaps. */
static dt_status check_cover(dti_header *header, uint64_t bytes,
                             dt_error *error)
{
    uint64_t end = 0;
    if (header->count)
        qsort(header->tensors, header->count, sizeof *header->tensors,
              compare_begin);
    for (size_t i = 0; i < header->count; i++) {
        const dti_file_tensor *tensor = &header->tensors[i];
        if (tensor->begin != end)
            return dti_error_set(error, DT_ERR_FORMAT,
                                 "tensor " DTI_QUOTED " begins at byte %" PRIu64
                                 " of the data, but the one before ends at "
                                 "%" PRIu64 ": there must be no gap and no "
                                 "overlap",
                                 tensor->name, tensor->begin, end);
        end = tensor->end;
    }
    if (end != bytes)
        return dti_error_set(error, DT_ERR_FORMAT,
                             "%s: its tensors need %" PRIu64
                             " bytes of data, and there are %" PRIu64,
                             end > bytes ? "the file is truncated"
                                         : "bytes follow the last tensor",
                             end, bytes);
    return DT_OK;
}

dt_status dti_header_parse(const void *text, size_t size, uint64_t file_size,
                           dti_header *out, dt_error *error)
{
    dti_header header = {.data = DTI_HEADER_PREFIX + size};
    dti_json_reader reader;
    dti_json_string key;
    dti_json_start(&reader, text, size, depth);
    if (!size || *(const char *)text != '{')
        dti_json_fail(&reader, DT_ERR_FORMAT,
                      "the header must begin with \"{\"");
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key))
        read_member(&reader, &header, key);
    dt_error found = {DT_OK, ""};
    dt_status status = dti_json_finish(&reader, &found);
    if (status != DT_OK)
        dti_error_set(error, status, "header, %s", found.message);
    else
        status = check_cover(&header, file_size - header.data, error);
    if (status == DT_OK)
        *out = header;
    else
        dti_header_free(&header);
    return status;
}

void dti_header_free(dti_header *header)
{
    for (size_t i = 0; i < header->count; i++)
        free(header->tensors[i].name);
    for (size_t i = 0; i < header->text_count; i++) {
        free(header->texts[i].key);
        free(header->texts[i].value);
    }
    free(header->tensors);
    free(header->texts);
    *header = (dti_header){0};
}

const char *dti_header_text(const dti_header *header, const char *key)
{
    for (size_t i = 0; i < header->text_count; i++)
        if (strcmp(header->texts[i].key, key) == 0)
            return header->texts[i].value;
    return NULL;
}

/* ---- Writing
 * ------------------------------------------------------------------ */

void dti_header_put_tensor(FILE *stream, const dti_file_tensor *tensor)
{
    putc(',', stream);
    dti_json_quote(stream, tensor->name);
    fprintf(stream, ":{\"dtype\":\"%s\",\"shape\":[", tensor->dtype->name);
    for (int i = 0; i < tensor->shape.ndim; i++)
        fprintf(stream, "%s%" PRId64, i ? "," : "", tensor->shape.dims[i]);
    fprintf(stream, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}",
            tensor->begin, tensor->end);
}

static const char before_metadata[] = "{\"__metadata__\":{";

uint64_t dti_header_size(size_t parts)
{
    /* Two braces end the metadata and the header. */
    const uint64_t size =
        DTI_HEADER_PREFIX + sizeof before_metadata - 1 + parts + 2;
    return (size + DTI_HEADER_ALIGNMENT - 1) / DTI_HEADER_ALIGNMENT *
           DTI_HEADER_ALIGNMENT;
}

void dti_header_build(const dti_header_text_part *parts, char *out,
                      uint64_t size)
{
    const uint64_t length = size - DTI_HEADER_PREFIX;
    const dti_header_text_part all[] = {
        {before_metadata, sizeof before_metadata - 1},
        parts[0],
        parts[1],
        {"}", 1},
        parts[2],
        {"}", 1}};
    char *to = out;
    memset(out, ' ', (size_t)size);
    for (int i = 0; i < DTI_HEADER_PREFIX; i++)
        *to++ = (char)(length >> (8 * i));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].size)
            memcpy(to, all[i].text, all[i].size);
        to += all[i].size;
    }
}
