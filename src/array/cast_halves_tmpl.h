/* array/cast_halves_tmpl.h - f16 and bf16 to f32 and back, by vectors. */
/* SPDX-License-Identifier: Apache-2.0 */

/* For cast_level_tmpl.h, after from_f32, from_f64 and from_f16; vectors are
 * those of half_avx2.h or half_avx512.h. */
#define FROM_F32 from_f32_by_vectors
#define FROM_F64 from_f64_by_vectors
#define FROM_F16 from_f16_by_vectors

static void f16_of_f32(const float *from, uint16_t *to, int64_t count)
{
    int64_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH)
        store_f16(to + i, load_f32(from + i, WIDTH), WIDTH);
    if (i < count)
        store_f16(to + i, load_f32(from + i, (int)(count - i)),
                  (int)(count - i));
}

static void bf16_of_f32(const float *from, uint16_t *to, int64_t count)
{
    int64_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH)
        store_bf16(to + i, load_f32(from + i, WIDTH), WIDTH);
    if (i < count)
        store_bf16(to + i, load_f32(from + i, (int)(count - i)),
                   (int)(count - i));
}

static void f32_of_f16(const uint16_t *from, float *to, int64_t count)
{
    int64_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH)
        store_f32(to + i, load_f16(from + i, WIDTH), WIDTH);
    if (i < count)
        store_f32(to + i, load_f16(from + i, (int)(count - i)),
                  (int)(count - i));
}

static void f16_of_f64(const double *from, uint16_t *to, int64_t count)
{
    for (int64_t done = 0; done < count; done += DTI_CAST_BLOCK) {
        const int64_t left = count - done;
        const int64_t block = left < DTI_CAST_BLOCK ? left : DTI_CAST_BLOCK;
        float rounded[DTI_CAST_BLOCK];
        for (int64_t i = 0; i < block; i++)
            rounded[i] = dti_f16_float_of_double(from[done + i]);
        f16_of_f32(rounded, to + done, block);
    }
}

static void from_f32_by_vectors(const void *source, void *destination,
                                dt_dtype dtype, int64_t count)
{
    if (dtype == DT_F16)
        f16_of_f32(source, destination, count);
    else if (dtype == DT_BF16)
        bf16_of_f32(source, destination, count);
    else
        from_f32(source, destination, dtype, count);
}

static void from_f64_by_vectors(const void *source, void *destination,
                                dt_dtype dtype, int64_t count)
{
    if (dtype == DT_F16)
        f16_of_f64(source, destination, count);
    else
        from_f64(source, destination, dtype, count);
}

static void from_f16_by_vectors(const void *source, void *destination,
                                dt_dtype dtype, int64_t count)
{
    if (dtype == DT_F32)
        f32_of_f16(source, destination, count);
    else
        from_f16(source, destination, dtype, count);
}
