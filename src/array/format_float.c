/* array/format_float.c - floating-point numbers as columns of text. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/format_float.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/number.h"

/* NumPy's defaults. */
enum { most_places = 8, most_digits = 17 };

/* d.ddd times ten to the exponent. */
typedef struct decimal_number {
    bool negative;
    int exponent;
    int count;
    char digits[most_digits + 3];
} decimal_number;

/* Read what printf wrote for %e, whatever the locale's decimal point is. */
static void read_scientific(const char *text, decimal_number *out)
{
    out->negative = *text == '-';
    text += out->negative;
    out->count = 0;
    for (; *text != 'e'; text++)
        if (isdigit((unsigned char)*text))
            out->digits[out->count++] = *text;
    out->exponent = atoi(text + 1);
}

/* Round to `count` digits, exactly. */
static void round_decimal(double value, int count, decimal_number *out)
{
    char text[DTI_FLOAT_TEXT];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    read_scientific(text, out);
}

static void trim_zeros(decimal_number *decimal)
{
    while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
        decimal->count--;
}

/* The number of a dtype that is nearest to a text. */
static double read_as(dt_dtype dtype, const char *text)
{
    switch (dtype) {
    case DT_F32:
        return (double)strtof(text, NULL);
    case DT_F16:
        return (double)dti_widen_f16(dti_f16_of_double(strtod(text, NULL)));
    case DT_BF16:
        return (double)dti_widen_bf16(dti_bf16_of_double(strtod(text, NULL)));
    default:
        return strtod(text, NULL);
    }
}

static bool stands_for(const decimal_number *decimal, dt_dtype dtype,
                       double value)
{
    char text[DTI_FLOAT_TEXT];
    snprintf(text, sizeof text, "%s%.*se%d", decimal->negative ? "-" : "",
             decimal->count, decimal->digits,
             decimal->exponent - (decimal->count - 1));
    return read_as(dtype, text) == value;
}

/* Step the last digit up. */
static void step_up(decimal_number *decimal)
{
    int i = decimal->count - 1;
    for (; i >= 0 && decimal->digits[i] == '9'; i--)
        decimal->digits[i] = '0';
    if (i >= 0) {
        decimal->digits[i]++;
        return;
    }
    decimal->digits[0] = '1';
    decimal->exponent++;
}

/*
 * Find the fewest digits that tell a number from all others of its dtype.
 *
 * The decimal of a length that is nearest to the number does, if any of that
 * length does; but a power of two has its lower neighbour twice as near as its
 * upper one, so there the decimal above may do where the nearest, below, does
 * not.
 */
static void shortest_decimal(dt_dtype dtype, double value, decimal_number *out)
{
    for (int count = 1; count < most_digits; count++) {
        round_decimal(value, count, out);
        if (stands_for(out, dtype, value))
            break;
        step_up(out);
        if (stands_for(out, dtype, value))
            break;
    }
    if (!stands_for(out, dtype, value))
        round_decimal(value, most_digits, out);
    trim_zeros(out);
}

/* The shortest decimal; if it has more places after the point, or after the
 * first digit if it is scientific, the exact one rounded to so many. */
static void cut_decimal(dt_dtype dtype, double value, int places,
                        bool scientific, decimal_number *out)
{
    shortest_decimal(dtype, value, out);
    int count = places + 1 + (scientific ? 0 : out->exponent);
    if (out->count > count) {
        round_decimal(value, count > 1 ? count : 1, out);
        trim_zeros(out);
    }
}

void dti_float_format_look(dti_float_format *format, double value)
{
    if (!isfinite(value)) {
        format->has_special = true;
        if (isinf(value) && value < 0)
            format->has_negative_infinity = true;
        return;
    }
    format->has_finite = true;
    double magnitude = fabs(value);
    if (magnitude == 0)
        return;
    if (magnitude > format->largest)
        format->largest = magnitude;
    if (format->smallest == 0 || magnitude < format->smallest)
        format->smallest = magnitude;
}

/* Round a number to a dtype. */
static double round_to(dt_dtype dtype, double value)
{
    switch (dtype) {
    case DT_F32:
        return (double)(float)value;
    case DT_F16:
        return (double)dti_widen_f16(dti_f16_of_double(value));
    case DT_BF16:
        return (double)dti_widen_bf16(dti_bf16_of_double(value));
    default:
        return value;
    }
}

/* Powers of ten from which numbers have an exponent: as many digits as the
 * dtype can tell apart. */
static double large_bound(dt_dtype dtype)
{
    switch (dtype) {
    case DT_F32:
        return 1e6;
    case DT_F16:
    case DT_BF16:
        return 1e3;
    default:
        return 1e8;
    }
}

static bool is_scientific(const dti_float_format *format)
{
    if (format->largest == 0)
        return false;
    dt_dtype dtype = format->dtype;
    return format->largest >= large_bound(dtype) ||
           format->smallest < round_to(dtype, 0.0001) ||
           round_to(dtype, format->largest / format->smallest) > 1000;
}

static int exponent_width(int exponent)
{
    return abs(exponent) >= 100 ? 3 : 2;
}

/* Characters of a decimal before its point. */
static int left_width(const decimal_number *decimal, bool plus, bool scientific)
{
    int digits =
        scientific || decimal->exponent < 0 ? 1 : decimal->exponent + 1;
    return digits + (decimal->negative || plus);
}

static int right_width(const decimal_number *decimal, bool scientific)
{
    int digits = decimal->count - 1 - (scientific ? 0 : decimal->exponent);
    return digits > 0 ? digits : 0;
}

static int maximum(int a, int b)
{
    return a > b ? a : b;
}

/* The characters after the point, the exponent included. */
static int full_right(const dti_float_format *format)
{
    if (format->has_finite && is_scientific(format))
        return format->right + format->exponent_digits + 2;
    return format->right;
}

/* Widen the left part so that NaN and infinities fit. */
static void measure_special(dti_float_format *format)
{
    int sign = format->plus || format->has_negative_infinity;
    format->left = maximum(format->left, 3 + sign - (full_right(format) + 1));
}

void dti_float_format_measure(dti_float_format *format, double value)
{
    if (!isfinite(value))
        return;
    bool scientific = is_scientific(format);
    decimal_number decimal;
    cut_decimal(format->dtype, value, most_places, scientific, &decimal);
    format->left =
        maximum(format->left, left_width(&decimal, format->plus, scientific));
    format->right = maximum(format->right, right_width(&decimal, scientific));
    if (scientific)
        format->exponent_digits =
            maximum(format->exponent_digits, exponent_width(decimal.exponent));
}

/* Text under construction, in DTI_FLOAT_TEXT bytes. */
typedef struct text_writer {
    char *text;
    size_t length;
} text_writer;

static void put(text_writer *writer, char character)
{
    assert(writer->length + 1 < DTI_FLOAT_TEXT);
    writer->text[writer->length++] = character;
    writer->text[writer->length] = '\0';
}

static void put_times(text_writer *writer, char character, int times)
{
    for (; times > 0; times--)
        put(writer, character);
}

static void put_text(text_writer *writer, const char *text)
{
    for (; *text; text++)
        put(writer, *text);
}

/* Digit `place` of a decimal, 0 being the one before the point. */
static char digit_at(const decimal_number *decimal, int place)
{
    return place >= 0 && place < decimal->count ? decimal->digits[place] : '0';
}

static void put_sign(text_writer *writer, const decimal_number *decimal,
                     bool plus)
{
    if (decimal->negative)
        put(writer, '-');
    else if (plus)
        put(writer, '+');
}

static void put_positional(text_writer *writer, const decimal_number *decimal,
                           bool plus, int places)
{
    put_sign(writer, decimal, plus);
    int first = decimal->exponent < 0 ? decimal->exponent : 0;
    int point = decimal->exponent;
    for (int place = first; place <= point || place == first; place++)
        put(writer, digit_at(decimal, place));
    put(writer, '.');
    for (int place = 1; place <= places; place++)
        put(writer, digit_at(decimal, point + place));
}

static void put_exponent(text_writer *writer, int exponent, int width)
{
    char text[DTI_FLOAT_TEXT];
    snprintf(text, sizeof text, "e%c%0*d", exponent < 0 ? '-' : '+', width,
             abs(exponent));
    put_text(writer, text);
}

/* NaN or an infinity, with its sign. */
static void put_special(text_writer *writer, double value, bool plus)
{
    if (isinf(value) && value < 0)
        put(writer, '-');
    else if (plus)
        put(writer, '+');
    put_text(writer, isnan(value) ? "nan" : "inf");
}

static void write_special(const dti_float_format *found, double value,
                          text_writer *writer)
{
    dti_float_format format = *found;
    measure_special(&format);
    int length = 3 + (format.plus || (isinf(value) && value < 0));
    put_times(writer, ' ', format.left + full_right(&format) + 1 - length);
    put_special(writer, value, format.plus);
}

size_t dti_float_format_write(const dti_float_format *found, double value,
                              char *text)
{
    text_writer writer = {text, 0};
    if (!isfinite(value)) {
        write_special(found, value, &writer);
        return writer.length;
    }
    dti_float_format format = *found;
    if (format.has_special)
        measure_special(&format);
    bool scientific = is_scientific(&format);
    decimal_number decimal;
    cut_decimal(format.dtype, value, scientific ? format.right : most_places,
                scientific, &decimal);
    /* A column of exponents has equally many digits, and they are the number's
     * own rather than zeros. */
    if (scientific && decimal.count <= format.right)
        round_decimal(value, format.right + 1, &decimal);
    put_times(&writer, ' ',
              format.left - left_width(&decimal, format.plus, scientific));
    if (scientific) {
        int exponent = decimal.exponent;
        decimal.exponent = 0;
        put_positional(&writer, &decimal, format.plus, format.right);
        put_exponent(&writer, exponent, format.exponent_digits);
        return writer.length;
    }
    int places = right_width(&decimal, false);
    put_positional(&writer, &decimal, format.plus, places);
    put_times(&writer, ' ', format.right - places);
    return writer.length;
}

/* Magnitudes from which a number that stands alone has an exponent. */
static double alone_bound(dt_dtype dtype)
{
    return dtype == DT_F64 ? 1e16 : large_bound(dtype);
}

size_t dti_float_write_alone(dt_dtype dtype, double value, bool plus, bool bare,
                             char *text)
{
    text_writer writer = {text, 0};
    if (!isfinite(value)) {
        put_special(&writer, value, plus);
        return writer.length;
    }
    decimal_number decimal;
    shortest_decimal(dtype, value, &decimal);
    double magnitude = fabs(value);
    bool scientific =
        magnitude != 0 && (magnitude >= alone_bound(dtype) || magnitude < 1e-4);
    int exponent = decimal.exponent;
    if (scientific)
        decimal.exponent = 0;
    int places = right_width(&decimal, scientific);
    bool trims = bare || scientific;
    put_positional(&writer, &decimal, plus, places || trims ? places : 1);
    if (places == 0 && trims)
        text[--writer.length] = '\0'; /* the point */
    if (scientific)
        put_exponent(&writer, exponent, exponent_width(exponent));
    return writer.length;
}
