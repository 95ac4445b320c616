/* kernel/random/dropout.c - elements dropped at random. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/random/dropout.h"

#include <assert.h>

#include "array/number.h"

static void drop_f32(const float *in, const unsigned char *keep, float factor,
                     float *out, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i] * (keep[i] ? factor : 0);
}

static void drop_f64(const double *in, const unsigned char *keep, double factor,
                     double *out, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i] * (keep[i] ? factor : 0);
}

static void drop_f16(const uint16_t *in, const unsigned char *keep,
                     float number, uint16_t *out, int64_t count)
{
    const float factor = dti_widen_f16(dti_f16_of_float(number));
    for (int64_t i = 0; i < count; i++)
        out[i] =
            dti_f16_of_float(dti_widen_f16(in[i]) * (keep[i] ? factor : 0));
}

static void drop_bf16(const uint16_t *in, const unsigned char *keep,
                      float number, uint16_t *out, int64_t count)
{
    const float factor = dti_widen_bf16(dti_bf16_of_float(number));
    for (int64_t i = 0; i < count; i++)
        out[i] =
            dti_bf16_of_float(dti_widen_bf16(in[i]) * (keep[i] ? factor : 0));
}

/* The factor as f64 is given to f64, and as f32 to all others. */
static void drop(dt_dtype dtype, const void *in, const unsigned char *keep,
                 double wide, float factor, void *out, int64_t count)
{
    switch (dtype) {
    case DT_F32:
        drop_f32(in, keep, factor, out, count);
        break;
    case DT_F64:
        drop_f64(in, keep, wide, out, count);
        break;
    case DT_F16:
        drop_f16(in, keep, factor, out, count);
        break;
    default:
        assert(dtype == DT_BF16);
        drop_bf16(in, keep, factor, out, count);
        break;
    }
}

void dti_dropout(dt_dtype dtype, const void *in, const unsigned char *keep,
                 double kept, void *out, int64_t count)
{
    drop(dtype, in, keep, 1 / kept, 1 / (float)kept, out, count);
}

void dti_dropout_backward(dt_dtype dtype, const void *in,
                          const unsigned char *keep, double factor, void *out,
                          int64_t count)
{
    drop(dtype, in, keep, factor, (float)factor, out, count);
}
