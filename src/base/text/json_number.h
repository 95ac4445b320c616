/* base/text/json_number.h - numbers as JSON has them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_JSON_NUMBER_H
#define DTI_BASE_TEXT_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a number. */
typedef struct dti_json_number_form {
    const char *text;
    size_t size;
    bool integer;    /* without fraction and exponent */
    bool negative;   /* it begins with a minus */
    uint64_t digits; /* all of them, without the point, as one number */
    bool exact;      /* the digits fit into 64 bits */
    int exponent;    /* of ten, by which the digits are multiplied */
} dti_json_number_form;

/* Find the parts of the number that a text begins with.  Returns its length, 0
 * if it begins with none. */
size_t dti_json_number_scan(const char *text, const char *end,
                            dti_json_number_form *out);

/* Convert.  Return NULL, or what is wrong. */
const char *dti_json_to_integer(const dti_json_number_form *form, int64_t *out);
const char *dti_json_to_real(const dti_json_number_form *form, double *out);

#endif
