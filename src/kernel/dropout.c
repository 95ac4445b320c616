/* kernel/dropout.c - elements dropped at random. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/dropout.h"

#include <assert.h>

#include "array/number.h"

static void drop_f32(const float *in, const unsigned char *keep, double kept,
                     float *out, int64_t count)
{
    const float factor = 1 / (float)kept;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i] * (keep[i] ? factor : 0);
}

static void drop_f64(const double *in, const unsigned char *keep, double kept,
                     double *out, int64_t count)
{
    const double factor = 1 / kept;
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i] * (keep[i] ? factor : 0);
}

static void drop_f16(const uint16_t *in, const unsigned char *keep, double kept,
                     uint16_t *out, int64_t count)
{
    const float factor = dti_widen_f16(dti_f16_of_float(1 / (float)kept));
    for (int64_t i = 0; i < count; i++)
        out[i] =
            dti_f16_of_float(dti_widen_f16(in[i]) * (keep[i] ? factor : 0));
}

static void drop_bf16(const uint16_t *in, const unsigned char *keep,
                      double kept, uint16_t *out, int64_t count)
{
    const float factor = dti_widen_bf16(dti_bf16_of_float(1 / (float)kept));
    for (int64_t i = 0; i < count; i++)
        out[i] =
            dti_bf16_of_float(dti_widen_bf16(in[i]) * (keep[i] ? factor : 0));
}

void dti_dropout(dt_dtype dtype, const void *in, const unsigned char *keep,
                 double kept, void *out, int64_t count)
{
    switch (dtype) {
    case DT_F32:
        drop_f32(in, keep, kept, out, count);
        break;
    case DT_F64:
        drop_f64(in, keep, kept, out, count);
        break;
    case DT_F16:
        drop_f16(in, keep, kept, out, count);
        break;
    default:
        assert(dtype == DT_BF16);
        drop_bf16(in, keep, kept, out, count);
        break;
    }
}
