/* checkpoint/values.h - numbers and texts as one JSON object. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_VALUES_H
#define DTI_CHECKPOINT_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <dtensor/state.h>

/* The name of the text of metadata that has them. */
#define DTI_VALUES_KEY "dtensor.values"

/*
 * {"step": 7, "lr": 0.1, "note": "text", "best": {"real": "inf"}}
 *
 * An integer has neither a point nor an exponent, a real number has one; those
 * that JSON cannot say are texts: "nan", "inf", "-inf".
 */

/*
 * Values that are being written as a member of the metadata of a file: begin,
 * add, end.  The text has a comma before it, and is empty if there are no
 * values; the caller frees it.  False without memory.
 */
typedef struct dti_values_text {
    FILE *stream;
    char *text;
    size_t size;
    size_t count;
} dti_values_text;

bool dti_values_begin(dti_values_text *values);
void dti_values_add(dti_values_text *values, const dt_state_entry *value);
bool dti_values_end(dti_values_text *values, char **out, size_t *size);

/* Read the object.  The caller frees the list by dti_values_free. */
dt_status dti_values_parse(const char *text, size_t size, dt_state_entry **out,
                           size_t *count, dt_error *error);

void dti_values_free(dt_state_entry *values, size_t count);

#endif
