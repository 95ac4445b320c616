/* kernel/pointwise/close.c - numbers that are nearly equal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/pointwise/close.h"

#include <math.h>

void dti_close_f64(const dti_close *how, const double *a, const double *b,
                   int64_t count, unsigned char *out)
{
    const double rtol = how->rtol, atol = how->atol;
    for (int64_t i = 0; i < count; i++) {
        double apart = fabs(a[i] - b[i]), allowed = atol + fabs(rtol * b[i]);
        bool nan = how->equal_nan & (a[i] != a[i]) & (b[i] != b[i]);
        bool near = (apart <= allowed) & (apart < INFINITY);
        out[i] = (a[i] == b[i]) | near | nan;
    }
}

void dti_close_i64(const dti_close *how, const int64_t *a, const int64_t *b,
                   int64_t count, unsigned char *out)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t apart = a[i] > b[i] ? (uint64_t)a[i] - (uint64_t)b[i]
                                     : (uint64_t)b[i] - (uint64_t)a[i];
        double allowed = how->atol + fabs(how->rtol * (double)b[i]);
        out[i] = apart == 0 || (double)apart <= allowed;
    }
}

void dti_close_c64(const dti_close *how, const float *a, const float *b,
                   int64_t count, unsigned char *out)
{
    for (int64_t i = 0; i < count; i++) {
        double ar = a[2 * i], ai = a[2 * i + 1];
        double br = b[2 * i], bi = b[2 * i + 1];
        double apart = hypot(ar - br, ai - bi);
        double allowed = how->atol + fabs(how->rtol * hypot(br, bi));
        bool nan = how->equal_nan && (isnan(ar) || isnan(ai)) &&
                   (isnan(br) || isnan(bi));
        out[i] = (ar == br && ai == bi) || nan ||
                 (isfinite(apart) && apart <= allowed);
    }
}
