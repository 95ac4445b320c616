/* tests/ranks/comm_arrays.h - arrays that differ in every element and rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_COMM_ARRAYS_H
#define DT_TESTS_COMM_ARRAYS_H

#include <time.h>

#include "support/elements.h"

/* An array of one dimension. */
static inline dt_array *make_array(dt_world *world, dt_dtype dtype,
                                   int64_t count)
{
    return new_array(world, dtype, DT_SHAPE(count));
}

/* Elements from `at` on become elements from `first` on of a rank. */
static inline void fill_part(dt_array *array, int64_t at, int64_t count,
                             uint64_t salt, int rank, int64_t first)
{
    dt_dtype dtype = dt_array_dtype(array);
    size_t item = dt_dtype_size(dtype);
    unsigned char *data = dt_array_data(array);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = bits_of(dtype, word_of(salt, rank, first + i));
        memcpy(data + (size_t)(at + i) * item, &bits, item);
    }
}

static inline void fill(dt_array *array, uint64_t salt, int rank)
{
    fill_part(array, 0, dt_array_count(array), salt, rank, 0);
}

/* Check that elements are those that fill_part would have put there. */
static inline bool check_part(const dt_array *array, int64_t at, int64_t count,
                              uint64_t salt, int rank, int64_t first)
{
    dt_dtype dtype = dt_array_dtype(array);
    size_t item = dt_dtype_size(dtype);
    const unsigned char *data = dt_array_const_data(array);
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = bits_of(dtype, word_of(salt, rank, first + i));
        if (memcmp(data + (size_t)(at + i) * item, &bits, item) != 0)
            return CHECKF(false,
                          "element %lld of %s is not number %lld of rank %d",
                          (long long)(at + i), dt_dtype_name(dtype),
                          (long long)(first + i), rank);
    }
    return true;
}

static inline bool check_all(const dt_array *array, uint64_t salt, int rank)
{
    return check_part(array, 0, dt_array_count(array), salt, rank, 0);
}

/* Wait for a call that was begun, and let go of it. */
static inline dt_status complete(dt_status begun, dt_handle **handle)
{
    if (begun != DT_OK)
        return begun;
    dt_status status = dt_handle_wait(*handle);
    dt_handle_release(*handle);
    *handle = NULL;
    return status;
}

static inline void sleep_microseconds(unsigned long long microseconds)
{
    struct timespec time = {(time_t)(microseconds / 1000000),
                            (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}

#endif
