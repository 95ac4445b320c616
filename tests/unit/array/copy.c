/* unit/array/copy.c - copies of bytes and strided elements at every level. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/copy.h"
#include "array/copy_kernels.h"

/* The best level of this processor, asked for once: it is slow to tell. */
static int best_level(void)
{
    static int known = -1;
    if (known < 0)
        known = (int)dti_cpu_detect();
    return known;
}

enum { memory_size = 1 << 20 };

static unsigned char *make_noise(size_t size)
{
    unsigned long long state = 7;
    unsigned char *bytes = malloc(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)dt_test_random(&state);
    return bytes;
}

static void copies_bytes(dt_world *world)
{
    (void)world;
    static const size_t sizes[] = {0,     1,     63,     64,     65,
                                   127,   1000,  4095,   16384,  16385,
                                   65537, 40000, 131072, 262143, 999999};
    unsigned char *from = make_noise(memory_size);
    unsigned char *to = malloc(memory_size);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t shift = 0; shift < 70; shift += 23) {
            size_t size = sizes[i];
            memset(to, 0xee, memory_size);
            dti_copy_stream(to + shift, from + 5, size);
            CHECK(memcmp(to + shift, from + 5, size) == 0);
            CHECK(to[shift + size] == 0xee);
            CHECK(shift == 0 || to[shift - 1] == 0xee);
            memset(to, 0xee, memory_size);
            dti_copy_bytes(to + shift, from + 5, size);
            CHECK(memcmp(to + shift, from + 5, size) == 0);
            CHECK(to[shift + size] == 0xee);
        }
    free(to);
    free(from);
    CHECK(dti_copy_stream_threshold() >= 1 << 16);
}

static void copies_bytes_beyond_the_threshold(dt_world *world)
{
    (void)world;
    size_t size = dti_copy_stream_threshold() + 12345;
    unsigned char *from = make_noise(size);
    unsigned char *to = calloc(size + 2, 1);
    dti_copy_bytes(to + 1, from, size);
    CHECK(memcmp(to + 1, from, size) == 0);
    CHECK(to[0] == 0 && to[size + 1] == 0);
    free(to);
    free(from);
}

/* A strided copy and the memory that it needs. */
typedef struct copy_sample {
    int ndim;
    size_t item;
    int64_t dims[DT_MAX_NDIM];
    int64_t to[DT_MAX_NDIM];
    int64_t from[DT_MAX_NDIM];
    int64_t to_size;
    int64_t from_size;
} copy_sample;

/* Lay dimensions out in a random order with random gaps; gives the bytes. */
static int64_t lay_out(unsigned long long *state, const copy_sample *sample,
                       int64_t *strides)
{
    int order[DT_MAX_NDIM];
    for (int i = 0; i < sample->ndim; i++) {
        int j = (int)(dt_test_random(state) % (unsigned)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    int64_t stride = (int64_t)sample->item;
    if (dt_test_random(state) % 4 == 0)
        stride += (int64_t)(dt_test_random(state) % 3 * sample->item);
    for (int i = 0; i < sample->ndim; i++) {
        strides[order[i]] = stride;
        stride *= sample->dims[order[i]] ? sample->dims[order[i]] : 1;
        if (dt_test_random(state) % 4 == 0)
            stride += (int64_t)(dt_test_random(state) % 3 * sample->item);
    }
    return stride;
}

static copy_sample draw_sample(unsigned long long *state, size_t item)
{
    static const int most[] = {1, 3000, 90, 24, 12, 7, 5, 4, 3};
    copy_sample sample = {.item = item};
    sample.ndim = (int)(dt_test_random(state) % (DT_MAX_NDIM + 1));
    for (int i = 0; i < sample.ndim; i++)
        sample.dims[i] = dt_test_random(state) % 50 == 0
                             ? 0
                             : 1 + (int64_t)(dt_test_random(state) %
                                             (unsigned)most[sample.ndim]);
    sample.to_size = lay_out(state, &sample, sample.to);
    sample.from_size = lay_out(state, &sample, sample.from);
    for (int i = 0; i < sample.ndim; i++)
        if (dt_test_random(state) % 10 == 0)
            sample.from[i] = 0; /* repeated */
    return sample;
}

/* The same copy element by element. */
static void copy_naively(const copy_sample *sample, unsigned char *to,
                         const unsigned char *from)
{
    int64_t count = 1;
    for (int i = 0; i < sample->ndim; i++)
        count *= sample->dims[i];
    for (int64_t number = 0; number < count; number++) {
        int64_t rest = number, to_at = 0, from_at = 0;
        for (int i = sample->ndim - 1; i >= 0; i--) {
            int64_t index = rest % sample->dims[i];
            rest /= sample->dims[i];
            to_at += index * sample->to[i];
            from_at += index * sample->from[i];
        }
        memcpy(to + to_at, from + from_at, sample->item);
    }
}

static void check_sample(const copy_sample *sample, size_t shift, int number)
{
    size_t to_size = (size_t)sample->to_size + shift;
    size_t from_size = (size_t)sample->from_size + shift;
    unsigned char *from = make_noise(from_size);
    unsigned char *expected = malloc(to_size), *to = malloc(to_size);
    memset(expected, 0xee, to_size);
    copy_naively(sample, expected + shift, from + shift);
    for (int level = 0; level <= best_level(); level++)
        for (size_t threshold = 0; threshold <= 1 << 30; threshold += 1 << 30) {
            memset(to, 0xee, to_size);
            dti_copy_strided_with(dti_copy_kernels_of((dti_cpu_level)level),
                                  threshold, to + shift, sample->to,
                                  from + shift, sample->from, sample->dims,
                                  sample->ndim, sample->item);
            CHECKF(memcmp(to, expected, to_size) == 0,
                   "sample %d of seed %llu, level %s, threshold %zu, item %zu",
                   number, dt_test_seed(),
                   dti_cpu_level_name((dti_cpu_level)level), threshold,
                   sample->item);
        }
    free(to);
    free(expected);
    free(from);
}

static void copies_random_strides(dt_world *world)
{
    (void)world;
    static const size_t items[] = {1, 2, 4, 8, 16, 3, 12};
    unsigned long long state = dt_test_seed();
    for (int number = 0; number < 700; number++) {
        copy_sample sample = draw_sample(&state, items[number % 7]);
        check_sample(&sample, dt_test_random(&state) % 2 * sample.item, number);
    }
}

/* Whole and ragged tiles, aligned so that they can be streamed, and not. */
static void transposes(dt_world *world)
{
    (void)world;
    static const int64_t extents[] = {1, 7, 16, 64, 65, 128, 200};
    for (int power = 0; power < 4; power++)
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++) {
                int64_t rows = extents[i], columns = extents[j];
                int64_t item = (int64_t)1 << power;
                for (int64_t gap = 0; gap < 2; gap++) {
                    copy_sample sample = {2,
                                          (size_t)item,
                                          {rows, columns},
                                          {(columns + gap) * item, item},
                                          {item, (rows + gap) * item},
                                          (columns + gap) * item * rows,
                                          (rows + gap) * item * columns};
                    check_sample(&sample, (size_t)(i % 3 * item), i * 7 + j);
                }
            }
}

static dt_array *make_counted(dt_world *world, dt_shape shape)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I32, shape, &array));
    int32_t *data = dt_array_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        data[i] = (int32_t)i;
    return array;
}

static void copies_overlapping_arrays(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(10));
    dt_array *low = NULL, *high = NULL;
    CHECK_OK(world, dt_array_slice(world, array, 0, 0, 8, 1, &low));
    CHECK_OK(world, dt_array_slice(world, array, 0, 2, 10, 1, &high));
    CHECK_OK(world, dt_array_copy(world, low, high));
    const int32_t *data = dt_array_const_data(array);
    for (int i = 0; i < 10; i++)
        CHECK_INT(data[i], i < 2 ? i : i - 2);
    CHECK_OK(world, dt_array_copy(world, array, array));
    dt_array_release(high);
    dt_array_release(low);
    dt_array_release(array);
}

static void transposes_in_place(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(40, 40));
    dt_array *turned = NULL;
    CHECK_OK(world,
             dt_array_permute(world, array, (const int[]){1, 0}, &turned));
    CHECK_OK(world, dt_array_copy(world, turned, array));
    const int32_t *data = dt_array_const_data(array);
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            CHECK_INT(data[i * 40 + j], j * 40 + i);
    dt_array_release(turned);
    dt_array_release(array);
}

static void broadcasts_the_source(dt_world *world)
{
    dt_array *column = make_counted(world, DT_SHAPE(3, 1));
    dt_array *all = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F64, DT_SHAPE(2, 3, 4), &all));
    CHECK_OK(world, dt_array_copy(world, column, all));
    const double *data = dt_array_const_data(all);
    for (int i = 0; i < 24; i++)
        CHECK(data[i] == i / 4 % 3);
    CHECK_FAILS(world, dt_array_copy(world, all, column), DT_ERR_INVALID,
                "(2, 3, 4) cannot be broadcast to shape (3, 1)");
    dt_array_release(all);
    dt_array_release(column);
}

static void makes_contiguous(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(5, 7));
    dt_array *same = NULL, *turned = NULL, *dense = NULL;
    CHECK_OK(world, dt_array_contiguous(world, array, &same));
    CHECK(same == array);
    CHECK_OK(world,
             dt_array_permute(world, array, (const int[]){1, 0}, &turned));
    CHECK_OK(world, dt_array_contiguous(world, turned, &dense));
    CHECK(dense != turned);
    CHECK(dt_array_is_contiguous(dense));
    CHECK(dt_array_equal(dense, turned));
    const int32_t *data = dt_array_const_data(dense);
    CHECK_INT(data[1], 7);
    dt_array_release(dense);
    dt_array_release(turned);
    dt_array_release(same);
    dt_array_release(array);
}

const dt_test dt_tests[] = {
    {"copies bytes", copies_bytes},
    {"copies bytes beyond the threshold", copies_bytes_beyond_the_threshold},
    {"copies random strides", copies_random_strides},
    {"transposes", transposes},
    {"copies overlapping arrays", copies_overlapping_arrays},
    {"transposes in place", transposes_in_place},
    {"broadcasts the source", broadcasts_the_source},
    {"makes contiguous", makes_contiguous},
    {NULL, NULL},
};
