/* base/text/json_number.c - numbers as JSON has them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/json_number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/reader.h"

enum {
    longest = 400,           /* characters of a real number */
    most_exponent = 1000000, /* what is larger is infinite or zero anyway */
    exact_power = 22         /* the largest power of ten that is a double */
};

/* ---- Scanning
 * ---------------------------------------------------------------- */

/* Add digits to a number from a place on; returns the place after them. */
static const char *scan_digits(const char *at, const char *end,
                               dti_json_number_form *form)
{
    for (; at < end && dti_is_digit(*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (form->digits > (UINT64_MAX - digit) / 10)
            form->exact = false;
        else
            form->digits = form->digits * 10 + digit;
    }
    return at;
}

/* Scan an exponent from its e on; NULL if it has no digits. */
static const char *scan_exponent(const char *at, const char *end,
                                 dti_json_number_form *form)
{
    bool negative = false;
    int exponent = 0;
    if (++at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end || !dti_is_digit(*at))
        return NULL;
    for (; at < end && dti_is_digit(*at); at++)
        if (exponent < most_exponent)
            exponent = exponent * 10 + (*at - '0');
    form->exponent += negative ? -exponent : exponent;
    return at;
}

size_t dti_json_number_scan(const char *text, const char *end,
                            dti_json_number_form *out)
{
    dti_json_number_form form = {.text = text, .integer = true, .exact = true};
    const char *at = text;
    if (at < end && *at == '-') {
        form.negative = true;
        at++;
    }
    const char *first = at;
    at = scan_digits(at, end, &form);
    if (at == first || (*first == '0' && at - first > 1))
        return 0;
    if (at < end && *at == '.') {
        const char *point = at + 1;
        at = scan_digits(point, end, &form);
        if (at == point || at - point > most_exponent)
            return 0;
        form.exponent = -(int)(at - point);
        form.integer = false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at = scan_exponent(at, end, &form);
        if (!at)
            return 0;
        form.integer = false;
    }
    form.size = (size_t)(at - text);
    *out = form;
    return form.size;
}

/* ---- Converting
 * --------------------------------------------------------------- */

const char *dti_json_to_integer(const dti_json_number_form *form, int64_t *out)
{
    const uint64_t most = (uint64_t)INT64_MAX + form->negative;
    if (!form->exact || form->digits > most)
        return "an integer that does not fit 64 bits";
    *out = form->negative ? (int64_t)(0 - form->digits) : (int64_t)form->digits;
    return NULL;
}

/* Convert by the C library, as the C locale reads numbers. */
static const char *convert_slowly(const dti_json_number_form *form, double *out)
{
    char text[longest + 1];
    if (form->size > longest)
        return "a number of more than 400 characters";
    memcpy(text, form->text, form->size);
    text[form->size] = '\0';
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return "out of memory for a number";
    *out = strtod_l(text, NULL, plain);
    freelocale(plain);
    return isinf(*out) ? "a number that does not fit a double" : NULL;
}

const char *dti_json_to_real(const dti_json_number_form *form, double *out)
{
    static const double powers[exact_power + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* Both parts are doubles, so that one operation rounds once. */
    const bool quick = form->exact && form->digits <= UINT64_C(1) << 53 &&
                       form->exponent >= -exact_power &&
                       form->exponent <= exact_power;
    if (!quick)
        return convert_slowly(form, out);
    const double digits = (double)form->digits;
    const double value = form->exponent < 0 ? digits / powers[-form->exponent]
                                            : digits * powers[form->exponent];
    *out = form->negative ? -value : value;
    return NULL;
}
