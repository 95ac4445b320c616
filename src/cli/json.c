/* cli/json.c - writing JSON, for programs that read what the command says. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/json.h"

/* What goes before a value: a comma, and its key. */
static void put_before(dti_json *json, const char *key)
{
    if (json->after)
        fputs(", ", json->stream);
    json->after = 1;
    if (!key)
        return;
    dti_json_quote(json->stream, key);
    fputs(": ", json->stream);
}

void dti_json_open(dti_json *json, const char *key, char bracket)
{
    put_before(json, key);
    putc(bracket, json->stream);
    json->after = 0;
}

void dti_json_close(dti_json *json, char bracket)
{
    putc(bracket, json->stream);
    json->after = 1;
}

void dti_json_text(dti_json *json, const char *key, const char *value)
{
    put_before(json, key);
    dti_json_quote(json->stream, value);
}

void dti_json_integer(dti_json *json, const char *key, int64_t value)
{
    put_before(json, key);
    fprintf(json->stream, "%" PRId64, value);
}

void dti_json_number(dti_json *json, const char *key, double value)
{
    put_before(json, key);
    if (isfinite(value))
        fprintf(json->stream, "%.9g", value);
    else
        fputs("null", json->stream);
}
