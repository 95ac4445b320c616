/* checkpoint/values.c - numbers and texts as one JSON object. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "checkpoint/list.h"

enum { depth = 2 };

static const char real_key[] = "real";

/* ---- Writing
 * ------------------------------------------------------------------ */

static void put_real(FILE *stream, double value)
{
    if (isfinite(value))
        dti_json_put_real(stream, value);
    else
        fprintf(stream, "{\"%s\": \"%s\"}", real_key,
                isnan(value) ? "nan"
                : value > 0  ? "inf"
                             : "-inf");
}

/* Write a value as a member of the object. */
static void put_value(FILE *stream, const dt_state_entry *value)
{
    dti_json_quote(stream, value->name);
    fputs(": ", stream);
    if (value->kind == DT_STATE_INTEGER)
        fprintf(stream, "%" PRId64, value->integer);
    else if (value->kind == DT_STATE_REAL)
        put_real(stream, value->real);
    else
        dti_json_quote(stream, value->text);
}

bool dti_values_begin(dti_values_text *values)
{
    *values = (dti_values_text){0};
    values->stream = open_memstream(&values->text, &values->size);
    return values->stream;
}

void dti_values_add(dti_values_text *values, const dt_state_entry *value)
{
    fputs(values->count++ ? ", " : "{", values->stream);
    put_value(values->stream, value);
}

bool dti_values_end(dti_values_text *values, char **out, size_t *size)
{
    if (values->count)
        putc('}', values->stream);
    bool good = !ferror(values->stream);
    good = fclose(values->stream) == 0 && good;
    FILE *stream = good ? open_memstream(out, size) : NULL;
    if (stream && values->count) {
        fputs(",\"" DTI_VALUES_KEY "\":", stream);
        dti_json_quote(stream, values->text);
    }
    free(values->text);
    good = stream && !ferror(stream);
    return stream && fclose(stream) == 0 && good;
}

/* ---- Reading
 * ------------------------------------------------------------------- */

/* Read a real number that JSON cannot say. */
static void read_special(dti_json_reader *reader, double *out)
{
    dti_json_string key, text;
    bool found = false;
    dti_json_read_object(reader);
    while (dti_json_next_key(reader, &key)) {
        if (!dti_json_read_string(reader, &text))
            return;
        found = dti_json_is(key, real_key);
        if (dti_json_is(text, "nan"))
            *out = (double)NAN;
        else if (dti_json_is(text, "inf"))
            *out = (double)INFINITY;
        else if (dti_json_is(text, "-inf"))
            *out = -(double)INFINITY;
        else
            found = false;
        if (!found)
            break;
    }
    if (!found)
        dti_json_fail(reader, DT_ERR_FORMAT,
                      "expected {\"%s\": \"nan\"}, \"inf\" or \"-inf\"",
                      real_key);
}

static void read_value(dti_json_reader *reader, dt_state_entry *value)
{
    dti_json_string text;
    bool is_integer = false;
    switch (dti_json_peek(reader)) {
    case DTI_JSON_STRING:
        value->kind = DT_STATE_TEXT;
        if (dti_json_read_string(reader, &text))
            value->text = dti_json_copy(reader, text);
        return;
    case DTI_JSON_OBJECT:
        value->kind = DT_STATE_REAL;
        read_special(reader, &value->real);
        return;
    default:
        dti_json_read_number(reader, &is_integer, &value->integer,
                             &value->real);
        value->kind = is_integer ? DT_STATE_INTEGER : DT_STATE_REAL;
    }
}

dt_status dti_values_parse(const char *text, size_t size, dt_state_entry **out,
                           size_t *count, dt_error *error)
{
    dt_state_entry *values = NULL;
    size_t found = 0, capacity = 0;
    dti_json_reader reader;
    dti_json_string key;
    dti_json_start(&reader, text, size, depth);
    dti_json_read_object(&reader);
    while (dti_json_next_key(&reader, &key)) {
        if (!dti_list_reserve(&values, found, &capacity, sizeof *values)) {
            dti_json_fail(&reader, DT_ERR_NO_MEMORY, "out of memory");
            break;
        }
        values[found] = (dt_state_entry){.name = dti_json_copy(&reader, key)};
        read_value(&reader, &values[found++]);
    }
    const dt_status status = dti_json_finish(&reader, error);
    if (status != DT_OK) {
        dti_values_free(values, found);
        return status;
    }
    *out = values;
    *count = found;
    return DT_OK;
}

void dti_values_free(dt_state_entry *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        union {
            const char *text;
            char *memory;
        } name = {.text = values[i].name}, text = {.text = values[i].text};
        free(name.memory);
        free(text.memory);
    }
    free(values);
}
