/* array/cast_f16c_tmpl.h - f16 to f32 and back, with the instructions of F16C.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/* For cast_level_tmpl.h, after from_f32, from_f64 and from_f16. */
#include <immintrin.h>

#define FROM_F32 from_f32_by_f16c
#define FROM_F64 from_f64_by_f16c
#define FROM_F16 from_f16_by_f16c

static void from_f32_by_f16c(const void *source, void *destination,
                             dt_dtype dtype, int64_t count)
{
    const float *from = source;
    uint16_t *to = destination;
    int64_t done = 0;
    for (; dtype == DT_F16 && done + 8 <= count; done += 8)
        _mm_storeu_si128((void *)(to + done),
                         _mm256_cvtps_ph(_mm256_loadu_ps(from + done),
                                         _MM_FROUND_TO_NEAREST_INT));
    if (done < count)
        from_f32(from + done, to + done, dtype, count - done);
}

static void from_f64_by_f16c(const void *source, void *destination,
                             dt_dtype dtype, int64_t count)
{
    const double *from = source;
    uint16_t *to = destination;
    if (dtype != DT_F16) {
        from_f64(source, destination, dtype, count);
        return;
    }
    for (int64_t done = 0; done < count; done += DTI_CAST_BLOCK) {
        const int64_t left = count - done;
        const int64_t block = left < DTI_CAST_BLOCK ? left : DTI_CAST_BLOCK;
        float rounded[DTI_CAST_BLOCK];
        for (int64_t i = 0; i < block; i++)
            rounded[i] = dti_f16_float_of_double(from[done + i]);
        from_f32_by_f16c(rounded, to + done, DT_F16, block);
    }
}

static void from_f16_by_f16c(const void *source, void *destination,
                             dt_dtype dtype, int64_t count)
{
    const uint16_t *from = source;
    float *to = destination;
    int64_t done = 0;
    for (; dtype == DT_F32 && done + 8 <= count; done += 8)
        _mm256_storeu_ps(to + done, _mm256_cvtph_ps(_mm_loadu_si128(
                                        (const void *)(from + done))));
    if (done < count)
        from_f16(from + done, to + done, dtype, count - done);
}
