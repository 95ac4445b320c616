/* cli/json_line.h - reading JSON objects that hold no others. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_JSON_LINE_H
#define DTI_CLI_JSON_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define DTI_JSON_MEMBERS 16

/* A member: text without its quotes, or the characters of another value. */
typedef struct dti_json_member {
    const char *key;
    const char *value;
    bool is_text;
} dti_json_member;

/* An object, whose texts lie where the line was. */
typedef struct dti_json_object {
    int count;
    dti_json_member members[DTI_JSON_MEMBERS];
} dti_json_object;

/* Read a line, which is changed; false if it is no object of texts, numbers and
 * words such as null. */
bool dti_json_read(char *line, dti_json_object *out);

/* The text of a member; NULL if there is none. */
const char *dti_json_get_text(const dti_json_object *object, const char *key);

/* The number of a member; false if there is none. */
bool dti_json_get_number(const dti_json_object *object, const char *key,
                         double *out);
bool dti_json_get_integer(const dti_json_object *object, const char *key,
                          int64_t *out);

#endif
