/* array/format_float.h - floating-point numbers as columns of text. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_FORMAT_FLOAT_H
#define DTI_ARRAY_FORMAT_FLOAT_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/dtype.h>

/* Room for any number as text. */
#define DTI_FLOAT_TEXT 64

/*
 * How the numbers of an array are written so that they align, as NumPy decides
 * it.  Every number is shown to dti_float_format_look, then every number to
 * dti_float_format_measure; then it can be written.
 */
typedef struct dti_float_format {
    dt_dtype dtype; /* a float; says how many digits tell numbers apart */
    bool plus;      /* show the sign of positive numbers */
    /* found by looking */
    bool has_finite;
    bool has_special; /* NaN or infinity */
    bool has_negative_infinity;
    double largest; /* of magnitudes but zero; 0: none */
    double smallest;
    /* found by measuring */
    int left;  /* characters before the point */
    int right; /* after it: all digits, or those before the exponent */
    int exponent_digits;
} dti_float_format;

void dti_float_format_look(dti_float_format *format, double value);
void dti_float_format_measure(dti_float_format *format, double value);

/* Write a number into DTI_FLOAT_TEXT bytes; gives its length. */
size_t dti_float_format_write(const dti_float_format *format, double value,
                              char *text);

/* Write a number that stands alone; `bare` leaves out a fraction of zero. */
size_t dti_float_write_alone(dt_dtype dtype, double value, bool plus, bool bare,
                             char *text);

#endif
