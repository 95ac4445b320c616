/* fuzz/json.c - JSON from any bytes: skipping and reading agree. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/json_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* Read a value, whatever it is, or enter it. */
static void read_one(dti_json_reader *reader)
{
    dti_json_string string = {"", 0};
    int64_t integer;
    double real;
    bool is_integer, boolean;
    switch (dti_json_peek(reader)) {
    case DTI_JSON_OBJECT:
        dti_json_read_object(reader);
        return;
    case DTI_JSON_LIST:
        dti_json_read_list(reader);
        return;
    case DTI_JSON_STRING:
        if (dti_json_read_string(reader, &string) &&
            !memchr(string.text, 0, string.size)) {
            char *copy = dti_json_copy(reader, string);
            require(copy && dti_json_is(string, copy));
            free(copy);
        }
        return;
    case DTI_JSON_NUMBER:
        dti_json_read_number(reader, &is_integer, &integer, &real);
        return;
    case DTI_JSON_BOOLEAN:
        dti_json_read_bool(reader, &boolean);
        return;
    default:
        if (!dti_json_accept_null(reader))
            dti_json_fail(reader, DT_ERR_FORMAT, "expected a value");
    }
}

static dt_status read_all(const uint8_t *bytes, size_t size, dt_error *error)
{
    dti_json_reader reader;
    dti_json_string key;
    dti_json_start(&reader, bytes, size, 8);
    do {
        read_one(&reader);
        while (reader.error.code == DT_OK && reader.depth > 0 &&
               !(reader.levels[reader.depth - 1].object
                     ? dti_json_next_key(&reader, &key)
                     : dti_json_next_item(&reader)))
            continue;
    } while (reader.error.code == DT_OK && reader.depth > 0);
    return dti_json_finish(&reader, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    dt_error error = {DT_OK, ""};
    dti_json_reader reader;
    const dt_status read = read_all(bytes, size, &error);
    require(read == error.code && (read == DT_OK) == !error.message[0]);
    dti_json_start(&reader, bytes, size, 8);
    dti_json_skip(&reader);
    const dt_status skipped = dti_json_finish(&reader, NULL);
    /* What is read strictly can be skipped; names that come twice and integers
     * of more than 64 bits are skipped too. */
    require(read != DT_OK || skipped == DT_OK);
    return 0;
}
