/* base/text/json.h - writing JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_JSON_H
#define DTI_BASE_TEXT_JSON_H

#include <stdio.h>

/* Write text as a JSON string, with its quotes. */
void dti_json_quote(FILE *stream, const char *text);

/* Write a finite number with as few digits as make it the same again; with a
 * point or an exponent, so that it is no integer. */
void dti_json_put_real(FILE *stream, double value);

#endif
