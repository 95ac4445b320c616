/* tests/unit/checkpoint/header.c - headers, indexes, manifests and values that
 * are valid are read, others are rejected. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint/header.h"
#include "checkpoint/index.h"
#include "checkpoint/manifest.h"
#include "checkpoint/sum.h"
#include "checkpoint/sum_level.h"
#include "checkpoint/values.h"

#include "support/check.h"

/* ---- Headers ----------------------------------------------------------------
 */

/* Read a header of a file with `data` bytes of elements. */
static dt_status parse(const char *text, uint64_t data, dti_header *out,
                       dt_error *error)
{
    const size_t size = strlen(text);
    return dti_header_parse(text, size, DTI_HEADER_PREFIX + size + data, out,
                            error);
}

static void a_header_is_read(dt_world *world)
{
    (void)world;
    dti_header header = {0};
    dt_error error = {DT_OK, ""};
    CHECK_ERROR(&error,
                parse("{\"__metadata__\":{\"format\":\"pt\"},"
                      "\"b\":{\"dtype\":\"I64\",\"shape\":[],"
                      "\"data_offsets\":[24,32]},"
                      "\"a\":{\"shape\":[2,3],\"dtype\":\"F32\","
                      "\"data_offsets\":[0,24]},"
                      "\"e\":{\"dtype\":\"F8_E4M3\",\"shape\":[0,5],"
                      "\"data_offsets\":[24,24]}}   ",
                      32, &header, &error),
                DT_OK, NULL);
    CHECK_INT((long long)header.count, 3);
    CHECK_TEXT(header.tensors[0].name, "a");
    CHECK_TEXT(header.tensors[1].name, "e");
    CHECK_TEXT(header.tensors[2].name, "b");
    CHECK(dt_shape_equal(header.tensors[0].shape, DT_SHAPE(2, 3)));
    CHECK_INT(header.tensors[0].dtype->dtype, DT_F32);
    CHECK_INT(header.tensors[1].dtype->dtype, DT_DTYPE_COUNT);
    CHECK_INT(header.tensors[2].shape.ndim, 0);
    CHECK_TEXT(dti_header_text(&header, "format"), "pt");
    CHECK(dti_header_text(&header, "other") == NULL);
    dti_header_free(&header);
    CHECK_ERROR(&error, parse("{}", 0, &header, &error), DT_OK, NULL);
    dti_header_free(&header);
}

/* A header of one tensor with these properties. */
#define ONE(dtype, shape, offsets)                                             \
    "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape                             \
    ",\"data_offsets\":" offsets "}}"

static void wrong_headers_are_rejected(dt_world *world)
{
    (void)world;
    static const struct {
        const char *text;
        uint64_t data;
        const char *message;
    } wrong[] = {
        {"", 0, "begin with"},
        {" {}", 0, "begin with"},
        {"[]", 0, "begin with"},
        {"{}x", 0, "byte 2: expected the end"},
        {"{}\t{}", 0, "expected the end"},
        {"{\"a\":1}", 0, "expected an object"},
        {ONE("\"F32\"", "[1]", "[0,4]") "", 0, "truncated"},
        {ONE("\"F32\"", "[1]", "[0,4]") "", 5, "bytes follow the last tensor"},
        {ONE("\"F33\"", "[1]", "[0,4]"), 4, "unknown dtype \"F33\""},
        {ONE("\"f32\"", "[1]", "[0,4]"), 4, "unknown dtype \"f32\""},
        {ONE("7", "[1]", "[0,4]"), 4, "expected a text"},
        {ONE("\"F32\"", "[-1]", "[0,4]"), 4, "negative extent"},
        {ONE("\"F32\"", "[1.0]", "[0,4]"), 4, "expected an integer"},
        {ONE("\"F32\"", "[1e0]", "[0,4]"), 4, "expected an integer"},
        {ONE("\"F32\"", "[01]", "[0,4]"), 4, "expected a valid number"},
        {ONE("\"F32\"", "[1]", "[4,0]"), 4, "data_offsets 4 and 0"},
        {ONE("\"F32\"", "[1]", "[0,8]"), 8, "need 4 bytes"},
        {ONE("\"F32\"", "[1]", "[0]"), 4, "two numbers"},
        {ONE("\"F32\"", "[1]", "[0,4,8]"), 4, "two numbers"},
        {ONE("\"F32\"", "[1]", "[-4,0]"), 4, "two numbers"},
        {ONE("\"F32\"", "[1]", "[4,8]"), 8, "no gap"},
        {ONE("\"F4\"", "[3]", "[0,1]"), 1, "does not end with a byte"},
        {ONE("\"F64\"", "[4611686018427387904]", "[0,0]"), 0, "too many"},
        {ONE("\"U8\"", "[3037000500,3037000500]", "[0,0]"), 0, "too many"},
        {ONE("\"U8\"", "[9223372036854775808]", "[0,0]"), 0, "64 bits"},
        {ONE("\"U8\"", "[1,1,1,1,1,1,1,1,1]", "[0,1]"), 1,
         "more than 8 dimensions"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "needs dtype, shape"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],"
         "\"x\":1}}",
         1, "unexpected \"x\""},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
         "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
         2, "duplicate name \"a\""},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
         3, "no overlap"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}",
         2, "no overlap"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "expected a text"},
        {"{\"__metadata__\":[]}", 0, "expected an object"},
        {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "duplicate name"},
        {"{\"a\\u0000\":{\"dtype\":\"U8\",\"shape\":[1],"
         "\"data_offsets\":[0,1]}}",
         1, "contains a zero"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[[1]],\"data_offsets\":[0,1]}}", 1,
         "expected a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dti_header header = {0};
        dt_error error = {DT_OK, ""};
        const dt_status status =
            parse(wrong[i].text, wrong[i].data, &header, &error);
        CHECKF(status != DT_OK && strstr(error.message, wrong[i].message),
               "%s: %s", wrong[i].text, error.message);
    }
}

static void the_length_is_checked(dt_world *world)
{
    (void)world;
    static const unsigned char large[8] = {0xff, 0xff, 0xff, 0xff, 0xff},
                               most[8] = {0x00, 0xe1, 0xf5, 0x05},
                               over[8] = {0x01, 0xe1, 0xf5, 0x05},
                               ten[8] = {10};
    dt_error error = {DT_OK, ""};
    size_t length = 0;
    CHECK_ERROR(&error, dti_header_length(ten, 7, 7, &length, &error),
                DT_ERR_FORMAT, "the file has 7 bytes");
    CHECK_ERROR(&error, dti_header_length(ten, 8, 17, &length, &error),
                DT_ERR_FORMAT, "truncated");
    CHECK_ERROR(&error, dti_header_length(ten, 8, 18, &length, &error), DT_OK,
                NULL);
    CHECK_INT((long long)length, 10);
    CHECK_ERROR(&error,
                dti_header_length(large, 8, UINT64_MAX, &length, &error),
                DT_ERR_FORMAT, "more than 100000000");
    CHECK_ERROR(&error,
                dti_header_length(over, 8, UINT64_C(1) << 40, &length, &error),
                DT_ERR_FORMAT, "more than 100000000");
    CHECK_ERROR(&error,
                dti_header_length(most, 8, UINT64_C(1) << 40, &length, &error),
                DT_OK, NULL);
}

/* ---- Indexes
 * -------------------------------------------------------------------- */

static dt_status parse_index(const char *text, dti_index *out, dt_error *error)
{
    return dti_index_parse(text, strlen(text), out, error);
}

static void an_index_is_read(dt_world *world)
{
    (void)world;
    dti_index index = {0};
    dt_error error = {DT_OK, ""};
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{}", "no weight_map"},
        {"[]", "expected an object"},
        {"{\"weight_map\": []}", "expected an object"},
        {"{\"weight_map\": {\"a\": 1}}", "expected a text"},
        {"{\"weight_map\": {\"a\": \"../b\"}}", "same folder"},
        {"{\"weight_map\": {\"a\": \"/b\"}}", "same folder"},
        {"{\"weight_map\": {\"a\": \"..\"}}", "same folder"},
        {"{\"weight_map\": {\"a\": \"\"}}", "same folder"},
        {"{\"weight_map\": {\"a\": \"b\", \"a\": \"b\"}}", "duplicate"},
        {"{\"weight_map\": {}, \"weight_map\": {}}", "duplicate"},
    };
    CHECK_ERROR(&error,
                parse_index("{\"metadata\": {\"total_size\": 1, \"x\": [{}]}, "
                            "\"weight_map\": {\"b\": \"m-1.safetensors\", "
                            "\"a\": \"m-2.safetensors\"}}",
                            &index, &error),
                DT_OK, NULL);
    CHECK_INT((long long)index.count, 2);
    CHECK_TEXT(index.entries[0].name, "b");
    CHECK_TEXT(index.entries[1].file, "m-2.safetensors");
    dti_index_free(&index);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_ERROR(&error, parse_index(wrong[i].text, &index, &error),
                    DT_ERR_FORMAT, wrong[i].message);
}

/* ---- Manifests
 * ------------------------------------------------------------------- */

static dt_status parse_manifest(const char *text, dti_manifest *out,
                                dt_error *error)
{
    return dti_manifest_parse(text, strlen(text), out, error);
}

static void a_manifest_survives_a_round_trip(dt_world *world)
{
    (void)world;
    char file[] = "model.safetensors", first[] = "a \"b\"", second[] = "c",
         layout[] = "f32[2] S(0)";
    dti_sum sums[] = {{8, UINT64_MAX}, {0, 0}};
    dti_manifest_file files[] = {{file, 4096, 0x123}};
    dti_manifest_tensor tensors[] = {{first, layout, sums, 2, 2},
                                     {second, NULL, NULL, 0, 0}};
    const dti_manifest manifest = {.step = 7,
                                   .ranks = 3,
                                   .files = files,
                                   .file_count = 1,
                                   .tensors = tensors,
                                   .tensor_count = 2};
    dti_manifest back = {0};
    dt_error error = {DT_OK, ""};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    dti_manifest_write(&manifest, stream);
    fclose(stream);
    CHECK_ERROR(&error, dti_manifest_parse(text, size, &back, &error), DT_OK,
                NULL);
    CHECK_INT(back.step, 7);
    CHECK_INT(back.ranks, 3);
    CHECK_INT((long long)back.file_count, 1);
    CHECK_TEXT(back.files[0].name, file);
    CHECK(back.files[0].bytes == 4096 && back.files[0].header == 0x123);
    CHECK_INT((long long)back.tensor_count, 2);
    CHECK_TEXT(back.tensors[0].name, first);
    CHECK_TEXT(back.tensors[0].layout, layout);
    CHECK(back.tensors[0].count == 2 &&
          memcmp(back.tensors[0].sums, sums, sizeof sums) == 0);
    CHECK(!back.tensors[1].layout && back.tensors[1].count == 0);
    dti_manifest_free(&back);
    free(text);
}

static void wrong_manifests_are_rejected(dt_world *world)
{
    (void)world;
#define HEAD "{\"format\": \"dtensor\", \"version\": 1, "
    static const struct {
        const char *text, *message;
        dt_status code;
    } wrong[] = {
        {"{}", "a format and a version", DT_ERR_FORMAT},
        {"{\"format\": \"x\"}", "the format is \"x\"", DT_ERR_FORMAT},
        {"{\"format\": \"dtensor\", \"version\": 2}", "version 2",
         DT_ERR_UNSUPPORTED},
        {HEAD "\"files\": [{}]}", "has no name", DT_ERR_FORMAT},
        {HEAD "\"files\": [{\"name\": \"a\", \"bytes\": -1}]}", "negative",
         DT_ERR_FORMAT},
        {HEAD "\"files\": [{\"name\": \"a\", \"header\": \"12\"}]}",
         "16 digits", DT_ERR_FORMAT},
        {HEAD "\"files\": [{\"name\": \"a\", \"header\": \"\"}]}", "empty",
         DT_ERR_FORMAT},
        {HEAD "\"tensors\": {\"a\": {\"sums\": [[1]]}}}",
         "number of bytes and digits", DT_ERR_FORMAT},
        {HEAD "\"tensors\": {\"a\": {\"sums\": [[1, \"0123456789abcdeF\"]]}}}",
         "16 digits", DT_ERR_FORMAT},
        {HEAD "\"tensors\": {\"a\": {}, \"a\": {}}}", "duplicate",
         DT_ERR_FORMAT},
    };
    dti_manifest manifest;
    dt_error error = {DT_OK, ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_ERROR(&error, parse_manifest(wrong[i].text, &manifest, &error),
                    wrong[i].code, wrong[i].message);
    CHECK_ERROR(
        &error,
        parse_manifest(HEAD "\"later\": [{\"x\": null}]}", &manifest, &error),
        DT_OK, NULL);
    dti_manifest_free(&manifest);
}

/* ---- Values
 * ------------------------------------------------------------------------ */

static void wrong_values_are_rejected(dt_world *world)
{
    (void)world;
    static const char *const wrong[] = {"[]",
                                        "{\"a\": null}",
                                        "{\"a\": true}",
                                        "{\"a\": []}",
                                        "{\"a\": {}}",
                                        "{\"a\": {\"real\": \"1\"}}",
                                        "{\"a\": {\"x\": \"nan\"}}",
                                        "{\"a\": 9223372036854775808}",
                                        "{\"a\": 1, \"a\": 2}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dt_state_entry *values = NULL;
        size_t count = 0;
        dt_error error = {DT_OK, ""};
        CHECK_ERROR(&error,
                    dti_values_parse(wrong[i], strlen(wrong[i]), &values,
                                     &count, &error),
                    DT_ERR_FORMAT, "byte");
    }
}

/* Sums are those of XXH3-64 at every level, and of no other function. */
static void sums_are_known(dt_world *world)
{
    (void)world;
    char bytes[5000];
    CHECK(dti_sum_of("", 0) == UINT64_C(0x2d06800538d394c2));
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7);
    for (size_t size = 0; size < sizeof bytes; size += 97)
        CHECK(dti_sum_of(bytes, size) == dti_sum_portable(bytes, size));
    bytes[4000] ^= 1;
    CHECK(dti_sum_of(bytes, 4000) == dti_sum_portable(bytes, 4000));
    CHECK(dti_sum_of(bytes, 4001) != dti_sum_of(bytes, 4000));
}

const dt_test dt_tests[] = {
    {"a header is read", a_header_is_read},
    {"wrong headers are rejected", wrong_headers_are_rejected},
    {"the length is checked", the_length_is_checked},
    {"an index is read", an_index_is_read},
    {"a manifest survives a round trip", a_manifest_survives_a_round_trip},
    {"wrong manifests are rejected", wrong_manifests_are_rejected},
    {"wrong values are rejected", wrong_values_are_rejected},
    {"sums are known", sums_are_known},
    {NULL, NULL},
};
