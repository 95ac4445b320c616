/* unit/array/array.c - creating, wrapping, holding and releasing arrays. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "array/array.h"

static void creates_every_dtype(dt_world *world)
{
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
        dt_array *array = NULL;
        CHECK_OK(world, dt_array_create(world, (dt_dtype)dtype,
                                        DT_SHAPE(2, 3, 5), &array));
        CHECK_INT(dt_array_dtype(array), dtype);
        CHECK_INT(dt_array_ndim(array), 3);
        CHECK_INT(dt_array_extent(array, 1), 3);
        CHECK_INT(dt_array_stride(array, 0), 15);
        CHECK_INT(dt_array_stride(array, 1), 5);
        CHECK_INT(dt_array_stride(array, 2), 1);
        CHECK_INT(dt_array_count(array), 30);
        CHECK_INT((long long)dt_array_bytes(array),
                  (long long)(30 * dt_dtype_size((dt_dtype)dtype)));
        CHECK(dt_array_is_contiguous(array));
        CHECK(!dt_array_is_meta(array));
        CHECK(!dt_array_is_read_only(array));
        CHECK((uintptr_t)dt_array_data(array) % 64 == 0);
        CHECK(dt_array_const_data(array) == dt_array_data(array));
        dt_array_release(array);
    }
}

static void has_no_data_when_empty(dt_world *world)
{
    dt_array *array = NULL;
    CHECK_OK(world,
             dt_array_create(world, DT_F64, DT_SHAPE(3, 0, 1LL << 50), &array));
    CHECK_INT(dt_array_count(array), 0);
    CHECK(dt_array_data(array) == NULL);
    CHECK(dt_array_const_data(array) == NULL);
    CHECK(dt_array_is_contiguous(array));
    dt_array_release(array);
    CHECK_OK(world, dt_array_create(world, DT_F64, DT_SHAPE(), &array));
    CHECK_INT(dt_array_count(array), 1);
    CHECK(dt_array_data(array) != NULL);
    dt_array_release(array);
}

static void refuses_impossible_shapes(dt_world *world)
{
    dt_array *array = NULL;
    CHECK_FAILS(world, dt_array_create(world, DT_F32, DT_SHAPE(2, -1), &array),
                DT_ERR_INVALID, "(2, -1)");
    CHECK_FAILS(world,
                dt_array_create(world, DT_F32, DT_SHAPE(1LL << 62), &array),
                DT_ERR_INVALID, "too many elements");
    CHECK_FAILS(world,
                dt_array_create(world, DT_F32, DT_SHAPE(0, 1LL << 62), &array),
                DT_ERR_INVALID, "too many elements");
    CHECK_FAILS(world,
                dt_array_create(world, DT_U8,
                                DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1), &array),
                DT_ERR_INVALID, "9 dimensions");
    CHECK_FAILS(world,
                dt_array_create(world, DT_DTYPE_COUNT, DT_SHAPE(1), &array),
                DT_ERR_INVALID, "invalid dtype");
    CHECK_FAILS(world,
                dt_array_create(world, DT_U8, DT_SHAPE(1LL << 55), &array),
                DT_ERR_NO_MEMORY, "36028797018963968 bytes");
    CHECK(array == NULL);
}

static void creates_meta_arrays(dt_world *world)
{
    dt_array *array = NULL, *view = NULL, *copy = NULL;
    CHECK_OK(world, dt_array_create_meta(world, DT_BF16,
                                         DT_SHAPE(1LL << 40, 1 << 20), &array));
    CHECK(dt_array_is_meta(array));
    CHECK(dt_array_data(array) == NULL);
    CHECK(dt_array_const_data(array) == NULL);
    CHECK_INT(dt_array_count(array), 1LL << 60);
    CHECK_OK(world, dt_array_slice(world, array, 0, 10, 20, 3, &view));
    CHECK_INT(dt_array_extent(view, 0), 4);
    CHECK(dt_array_is_meta(view));
    CHECK_OK(world, dt_array_cast(world, view, DT_F32, &copy));
    CHECK(dt_array_is_meta(copy));
    CHECK(dt_array_is_contiguous(copy));
    CHECK_OK(world, dt_array_copy(world, view, copy));
    CHECK_OK(world, dt_array_fill(world, copy, 1));
    dt_array_release(copy);
    CHECK_OK(world,
             dt_array_create(world, DT_F32, dt_array_shape(view), &copy));
    CHECK_FAILS(world, dt_array_copy(world, view, copy), DT_ERR_INVALID,
                "source is a meta array");
    dt_array_release(copy);
    dt_array_release(view);
    dt_array_release(array);
}

static void count_release(void *arg, void *data)
{
    int *count = arg;
    *count += *(int *)data;
}

static void wraps_memory(dt_world *world)
{
    int memory[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    int released = 0;
    const int64_t strides[] = {1, 4};
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = memory;
    options.dtype = DT_I32;
    options.shape = DT_SHAPE(4, 3);
    options.strides = strides;
    options.release = count_release;
    options.release_arg = &released;
    dt_array *array = NULL, *view = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    CHECK(!dt_array_is_contiguous(array));
    CHECK(dt_array_data(array) == memory);
    CHECK_OK(world, dt_array_select(world, array, 0, 2, &view));
    CHECK(dt_array_retain(view) == view);
    CHECK(dt_array_data(view) == &memory[2]);
    dt_array_release(array);
    dt_array_release(view);
    CHECK_INT(released, 0);
    dt_array_release(view);
    CHECK_INT(released, 1);
    CHECK(dt_array_retain(NULL) == NULL);
    dt_array_release(NULL);
}

static void wraps_memory_read_only(dt_world *world)
{
    float memory[2] = {1, 2};
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = memory;
    options.shape = DT_SHAPE(2);
    options.read_only = true;
    dt_array *array = NULL, *view = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    CHECK_OK(world, dt_array_slice(world, array, 0, 1, 2, 1, &view));
    CHECK(dt_array_is_read_only(view));
    CHECK(dt_array_data(view) == NULL);
    CHECK(dt_array_const_data(view) == &memory[1]);
    CHECK_FAILS(world, dt_array_fill(world, view, 0), DT_ERR_INVALID,
                "read-only");
    CHECK(memory[1] == 2);
    dt_array_release(view);
    dt_array_release(array);
}

static void refuses_bad_wraps(dt_world *world)
{
    char memory[64];
    int released = 0;
    int64_t strides[] = {1, 1};
    dt_array *array = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.shape = DT_SHAPE(2, 2);
    options.release = count_release;
    options.release_arg = &released;
    CHECK_FAILS(world, dt_array_wrap(world, &options, &array), DT_ERR_INVALID,
                "data is NULL");
    options.data = memory + 1;
    options.dtype = DT_F64;
    CHECK_FAILS(world, dt_array_wrap(world, &options, &array), DT_ERR_INVALID,
                "not aligned to 8");
    options.dtype = DT_U8;
    options.strides = strides;
    strides[0] = -1;
    CHECK_FAILS(world, dt_array_wrap(world, &options, &array), DT_ERR_INVALID,
                "stride -1 of dimension 0");
    strides[0] = INT64_MAX;
    CHECK_FAILS(world, dt_array_wrap(world, &options, &array), DT_ERR_INVALID,
                "too large");
    options.size = 7;
    CHECK_FAILS(world, dt_array_wrap(world, &options, &array), DT_ERR_INVALID,
                "DT_WRAP_OPTIONS_INIT");
    CHECK_INT(released, 0);
    CHECK(array == NULL);
}

/* A call that completes when it is waited for. */
typedef struct call {
    dti_pending pending; /* first: a pending is the call */
    const dt_array *array;
    int waits;
} call;

static void complete(dti_pending *pending)
{
    call *found = (call *)pending;
    found->waits++;
    dti_array_unpend(found->array, pending);
}

static void waits_for_calls_under_way(dt_world *world)
{
    dt_array *array = NULL, *view = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(4), &array));
    CHECK_OK(world, dt_array_slice(world, array, 0, 0, 1, 1, &view));
    call reader = {.array = array}, writer = {.array = array};
    dti_array_pend(array, &writer.pending, true, complete);
    dti_array_pend(array, &reader.pending, false, complete);
    dt_array_const_data(view);
    CHECK_INT(writer.waits, 1);
    CHECK_INT(reader.waits, 0);
    dt_array_data(view);
    CHECK_INT(writer.waits, 1);
    CHECK_INT(reader.waits, 1);
    dt_array_data(view);
    CHECK_INT(reader.waits, 1);
    dt_array_release(view);
    dt_array_release(array);
}

static void *release_array(void *array)
{
    dt_array_release(array);
    return NULL;
}

static void is_released_by_any_thread(dt_world *world)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(100), &array));
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        dt_array *view = NULL;
        CHECK_OK(world, dt_array_slice(world, array, 0, i, 50, 1, &view));
        CHECK(pthread_create(&threads[i], NULL, release_array, view) == 0);
    }
    dt_array_release(array);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

const dt_test dt_tests[] = {
    {"creates every dtype", creates_every_dtype},
    {"has no data when empty", has_no_data_when_empty},
    {"refuses impossible shapes", refuses_impossible_shapes},
    {"creates meta arrays", creates_meta_arrays},
    {"wraps memory", wraps_memory},
    {"wraps memory read-only", wraps_memory_read_only},
    {"refuses bad wraps", refuses_bad_wraps},
    {"waits for calls under way", waits_for_calls_under_way},
    {"is released by any thread", is_released_by_any_thread},
    {NULL, NULL},
};
