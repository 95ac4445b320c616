/* cli/json.h - writing JSON, for programs that read what the command says. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_JSON_H
#define DTI_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

/*
 * Where a value goes, and whether one went before it at this level.  Start from
 * zeros and the stream.  A key is NULL inside lists and at the top.
 */
typedef struct dti_json {
    FILE *stream;
    int after; /* a value went before: a comma is due */
} dti_json;

void dti_json_open(dti_json *json, const char *key, char bracket); /* { or [ */
void dti_json_close(dti_json *json, char bracket);                 /* } or ] */
void dti_json_text(dti_json *json, const char *key, const char *value);
void dti_json_integer(dti_json *json, const char *key, int64_t value);
void dti_json_number(dti_json *json, const char *key, double value);

#endif
