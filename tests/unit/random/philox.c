/* tests/unit/random/philox.c - published vectors, and keys. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/philox.h"

#include "random/key.h"
#include "unit/random/draws.h"

static uint64_t join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

static void check_block(dti_philox_block block, uint32_t a, uint32_t b,
                        uint32_t c, uint32_t d)
{
    const uint32_t *w = block.words;
    CHECKF(w[0] == a && w[1] == b && w[2] == c && w[3] == d,
           "%08x %08x %08x %08x, not %08x %08x %08x %08x", w[0], w[1], w[2],
           w[3], a, b, c, d);
}

/* Random123, tests/kat_vectors, philox4x32 with 10 rounds. */
static void gives_the_vectors_of_random123(dt_world *world)
{
    (void)world;
    check_block(dti_philox(0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                0x9b00dbd8);
    check_block(dti_philox(UINT64_MAX, UINT64_MAX, UINT64_MAX), 0x408f276d,
                0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    check_block(dti_philox(join(0xa4093822, 0x299f31d0),
                           join(0x243f6a88, 0x85a308d3),
                           join(0x13198a2e, 0x03707344)),
                0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

/* ATen, cpu_generator_test.cpp: (seed, subsequence, offset). */
static void gives_the_values_of_aten(dt_world *world)
{
    (void)world;
    CHECK_INT(dti_philox(0, 4, 0).words[0], 4013802324);
    CHECK_INT(dti_philox(0, 4, 0).words[1], 2979262830);
    CHECK_INT(dti_philox(10, 1, 0).words[0], 2007330488);
    CHECK_INT(dti_philox(10, 1, 0).words[1], 2354548925);
}

/* C++26 [rand.predef]: the 10000th output of std::philox4x32. */
static void gives_the_output_of_cpp(dt_world *world)
{
    (void)world;
    CHECK_INT(dti_philox(20111115, 9999 / 4, 0).words[9999 % 4], 1955073260);
}

/* torch.func._random: key(42), and fold_in(key(42), 7). */
static void has_the_keys_of_torch(dt_world *world)
{
    static const double expected[] = {0.917729557, 0.958148658, 0.747324765,
                                      0.260556638};
    const dti_random_key key = {42, 0};
    float uniform[4];
    check_block(dti_philox(42, 0, 0), 0x9ceaf053, 0x77f5493b, 0x12bf50ad,
                0x5742b3d7);
    dti_random_key folded = dti_random_fold(key, 7, 0);
    CHECK(folded.seed == UINT64_C(0x68784c855bbd83b1));
    CHECK(folded.offset == UINT64_C(0x2e6b75b7172067aa));
    dti_draw draw = draw_ready(world, (dti_draw){.key = key,
                                                 .kind = DTI_UNIFORM,
                                                 .dtype = DT_F32,
                                                 .high = 1});
    dti_draw_run(&draw, 0, 4, uniform);
    for (int i = 0; i < 4; i++)
        CHECKF(uniform[i] - expected[i] < 5e-10 &&
                   expected[i] - uniform[i] < 5e-10,
               "%.9f", (double)uniform[i]);
}

static void folds(dt_world *world)
{
    const dti_random_key key = {5, UINT64_MAX - 2};
    (void)world;
    /* The counter wraps. */
    dti_random_key wrapped = dti_random_fold(key, 7, 9);
    dti_philox_block block = dti_philox(5, 4, 9);
    CHECK(wrapped.seed == join(block.words[0], block.words[1]));
    CHECK(wrapped.offset == join(block.words[2], block.words[3]));
    /* Numbers, streams and seeds all make a difference. */
    dti_random_key other = dti_random_fold(key, 8, 9);
    CHECK(other.seed != wrapped.seed && other.offset != wrapped.offset);
    other = dti_random_fold(key, 7, 10);
    CHECK(other.seed != wrapped.seed && other.offset != wrapped.offset);
    other = dti_random_fold((dti_random_key){6, key.offset}, 7, 9);
    CHECK(other.seed != wrapped.seed && other.offset != wrapped.offset);
}

/* A change of the hash would change how every model is initialised. */
static void names_keys(dt_world *world)
{
    dti_random_key key = dti_random_named_key(42, "layers.0.attention.wq");
    dti_random_key same = dti_random_named_key(42, "layers.0.attention.wq");
    (void)world;
    CHECK(key.seed == same.seed && key.offset == same.offset);
    CHECKF(key.seed == UINT64_C(0x434f289d1823449e) &&
               key.offset == UINT64_C(0x120b5cbc62ede0f8),
           "%016llx %016llx", (unsigned long long)key.seed,
           (unsigned long long)key.offset);
    same = dti_random_named_key(42, "layers.1.attention.wq");
    CHECK(key.seed != same.seed && key.offset != same.offset);
    same = dti_random_named_key(43, "layers.0.attention.wq");
    CHECK(key.seed != same.seed && key.offset != same.offset);
    same = dti_random_named_key(42, "");
    CHECK(key.seed != same.seed && key.offset != same.offset);
}

/* What the kernels make of blocks are these blocks, also where the counter
 * carries and wraps. */
static void is_what_kernels_compute(dt_world *world)
{
    enum { BLOCKS = 77 };
    static const uint64_t offsets[] = {
        0, 1, UINT32_MAX - 20, UINT64_MAX - 20, UINT64_C(0x123456fffffff0),
    };
    static const uint64_t strides[] = {1, 2, 1000003, UINT64_C(1) << 33};
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        const dti_draw_kernels *kernels =
            level == DTI_CPU_AVX512 ? &dti_draw_avx512
            : level == DTI_CPU_AVX2 ? &dti_draw_avx2
                                    : &dti_draw_portable;
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            for (size_t j = 0; j < sizeof strides / sizeof *strides; j++) {
                uint64_t words[2 * BLOCKS], shorts[4 * BLOCKS];
                dti_draw draw = {.key = {draw_key.seed, offsets[i]}};
                bool same = true;
                kernels->fill[DTI_SOURCE_WORDS64](&draw, 5, strides[j], BLOCKS,
                                                  words);
                kernels->fill[DTI_SOURCE_WORDS32](&draw, 5, strides[j], BLOCKS,
                                                  shorts);
                for (uint64_t b = 0; b < BLOCKS; b++) {
                    dti_philox_block block = dti_philox(
                        draw_key.seed, offsets[i] + 5 + b * strides[j], 0);
                    for (int k = 0; k < 2; k++)
                        same &= words[2 * b + k] == join(block.words[2 * k + 1],
                                                         block.words[2 * k]);
                    for (int k = 0; k < 4; k++)
                        same &= shorts[4 * b + k] ==
                                join(UINT32_C(1) << 31, block.words[k]);
                }
                CHECKF(same, "level %d, offset %zu, stride %zu", level, i, j);
            }
        }
    }
}

const dt_test dt_tests[] = {
    {"gives the vectors of Random123", gives_the_vectors_of_random123},
    {"gives the values of ATen", gives_the_values_of_aten},
    {"gives the output of C++", gives_the_output_of_cpp},
    {"has the keys of torch", has_the_keys_of_torch},
    {"folds", folds},
    {"names keys", names_keys},
    {"is what kernels compute", is_what_kernels_compute},
    {NULL, NULL},
};
