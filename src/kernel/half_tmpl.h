/* kernel/half_tmpl.h - converting blocks of halves with one instruction set. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: KERNELS, the name of the table; VECTOR, that
 * holds WIDTH floats; functions that load it from and store it to f16, bf16 and
 * f32.
 */

static inline int part_of(int64_t count)
{
    return count < WIDTH ? (int)count : WIDTH;
}

static void f16_to_f32(void *out, const void *in, int64_t count)
{
    for (int64_t i = 0; i < count; i += WIDTH) {
        const int part = part_of(count - i);
        const VECTOR values = load_f16((const char *)in + 2 * i, part);
        store_f32((char *)out + 4 * i, values, part);
    }
}

static void f32_to_f16(void *out, const void *in, int64_t count)
{
    for (int64_t i = 0; i < count; i += WIDTH) {
        const int part = part_of(count - i);
        const VECTOR values = load_f32((const char *)in + 4 * i, part);
        store_f16((char *)out + 2 * i, values, part);
    }
}

static void bf16_to_f32(void *out, const void *in, int64_t count)
{
    for (int64_t i = 0; i < count; i += WIDTH) {
        const int part = part_of(count - i);
        const VECTOR values = load_bf16((const char *)in + 2 * i, part);
        store_f32((char *)out + 4 * i, values, part);
    }
}

static void f32_to_bf16(void *out, const void *in, int64_t count)
{
    for (int64_t i = 0; i < count; i += WIDTH) {
        const int part = part_of(count - i);
        const VECTOR values = load_f32((const char *)in + 4 * i, part);
        store_bf16((char *)out + 2 * i, values, part);
    }
}

const dti_half_kernels KERNELS = {
    .f16_to_f32 = f16_to_f32,
    .f32_to_f16 = f32_to_f16,
    .bf16_to_f32 = bf16_to_f32,
    .f32_to_bf16 = f32_to_bf16,
};

#undef KERNELS
#undef VECTOR
