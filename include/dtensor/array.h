/* dtensor/array.h - memory of one rank, seen as a strided array. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_ARRAY_H
#define DTENSOR_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A dtype, a shape, strides and a reference to storage.  Several arrays may
 * view one storage.  A meta array has no storage.  Shape, strides and storage
 * never change once it exists; its elements do.
 *
 * References may be dropped by any thread.  The world that a function takes
 * says whose pool new storage comes from and where the sentence of a failure
 * goes; an array belongs to no world and may outlive the one it came from.
 */
typedef struct dt_array dt_array;

/*
 * Create an array with storage from the pool, its elements not set.
 *
 * Not collective.  DT_ERR_NO_MEMORY if the limit of the pool is reached.
 */
DT_API DT_MUST_USE dt_status dt_array_create(dt_world *world, dt_dtype dtype,
                                             dt_shape shape, dt_array **out);

/*
 * Create an array without storage.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_create_meta(dt_world *world,
                                                  dt_dtype dtype,
                                                  dt_shape shape,
                                                  dt_array **out);

/* Called once when the last array that views wrapped memory is released. */
typedef void (*dt_release_function)(void *arg, void *data);

/* Memory of the caller to be seen as an array.  Zeros are defaults. */
typedef struct dt_wrap_options {
    size_t size; /* sizeof(dt_wrap_options) */
    void *data;  /* the element at index 0 in every dimension */
    dt_dtype dtype;
    dt_shape shape;
    const int64_t *strides;      /* in elements; row-major if NULL */
    dt_release_function release; /* may be NULL: the memory is the caller's */
    void *release_arg;
    bool read_only; /* dt_array_data then gives NULL */
} dt_wrap_options;

#define DT_WRAP_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_wrap_options), 0, DT_F32, {0, {0}}, 0, 0, 0, false           \
    }

/*
 * See memory of the caller as an array.
 *
 * Not collective.  Strides must not be negative.  On failure the release
 * function is not called.
 */
DT_API DT_MUST_USE dt_status dt_array_wrap(dt_world *world,
                                           const dt_wrap_options *options,
                                           dt_array **out);

/*
 * Add a reference.  Gives its argument.
 *
 * Not collective.  NULL is allowed.
 */
DT_API dt_array *dt_array_retain(dt_array *array);

/*
 * Drop a reference; the last one frees the array.
 *
 * Not collective.  NULL is allowed.
 */
DT_API void dt_array_release(dt_array *array);

/* What an array is.  Not collective; borrowed.  NULL has nothing of anything,
 * and a dimension that is not there has neither extent nor stride. */
DT_API dt_dtype dt_array_dtype(const dt_array *array);
DT_API dt_shape dt_array_shape(const dt_array *array);
DT_API int dt_array_ndim(const dt_array *array);
DT_API int64_t dt_array_extent(const dt_array *array, int dim);
DT_API int64_t dt_array_stride(const dt_array *array, int dim); /* elements */
DT_API int64_t dt_array_count(const dt_array *array);           /* elements */
DT_API size_t dt_array_bytes(const dt_array *array); /* count times size */
DT_API bool dt_array_is_meta(const dt_array *array);
DT_API bool
dt_array_is_contiguous(const dt_array *array); /* row-major, dense */
DT_API bool dt_array_is_read_only(const dt_array *array);

/*
 * Wait for calls under way that write an array.
 *
 * Not collective, but it waits for what other ranks do.  Fails, with the code
 * and the sentence of the call, if one of them failed: what it was to write
 * never came.  Everything that reads such an array fails so, until all of what
 * is missing is written at once: by dt_array_copy, dt_array_fill, an operator
 * or another call.
 */
DT_API DT_MUST_USE dt_status dt_array_wait(dt_world *world,
                                           const dt_array *array);

/*
 * Give the address of the first element, to write through.
 *
 * Not collective.  Waits for calls under way that read or write the storage.
 * NULL for a meta, a read-only or an empty array, and for one whose elements
 * never came (dt_array_wait).
 */
DT_API void *dt_array_data(dt_array *array);

/*
 * Give the address of the first element, to read from.
 *
 * Not collective.  Waits for calls under way that write the storage.  NULL for
 * a meta or an empty array, and for one whose elements never came
 * (dt_array_wait).
 */
DT_API const void *dt_array_const_data(const dt_array *array);

/*
 * View `start`, `start + step`, ... below `stop` along a dimension.
 *
 * Not collective.  The step is positive.  Negative dimensions and bounds count
 * from the end; bounds beyond the extent are cut to it.
 */
DT_API DT_MUST_USE dt_status dt_array_slice(dt_world *world, dt_array *array,
                                            int dim, int64_t start,
                                            int64_t stop, int64_t step,
                                            dt_array **out);

/*
 * View one index of a dimension, which disappears.
 *
 * Not collective.  A negative index counts from the end.
 */
DT_API DT_MUST_USE dt_status dt_array_select(dt_world *world, dt_array *array,
                                             int dim, int64_t index,
                                             dt_array **out);

/*
 * View with dimensions in another order: dimension i of the result is
 * dimension `order[i]` of the array.
 *
 * Not collective.  Negative dimensions count from the end.
 */
DT_API DT_MUST_USE dt_status dt_array_permute(dt_world *world, dt_array *array,
                                              const int *order, dt_array **out);

/*
 * View with dimensions of extent 1 repeated, and others put in front.
 *
 * Not collective.  -1 keeps an extent.  An array with repeated elements cannot
 * be written by functions of this header.
 */
DT_API DT_MUST_USE dt_status dt_array_expand(dt_world *world, dt_array *array,
                                             dt_shape shape, dt_array **out);

/*
 * View with another shape of as many elements.
 *
 * Not collective.  One extent may be -1.  DT_ERR_UNSUPPORTED if the strides do
 * not allow a view; dt_array_contiguous first makes a copy that does.
 */
DT_API DT_MUST_USE dt_status dt_array_reshape(dt_world *world, dt_array *array,
                                              dt_shape shape, dt_array **out);

/*
 * Give an array with the same elements that is contiguous: the array itself
 * with one more reference if it is, a copy otherwise.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_contiguous(dt_world *world,
                                                 dt_array *array,
                                                 dt_array **out);

/*
 * Copy an array into new storage, contiguous.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_clone(dt_world *world,
                                            const dt_array *array,
                                            dt_array **out);

/*
 * Copy elements, converting the dtype where it differs.
 *
 * Not collective.  The source is broadcast to the shape of the destination.
 * Overlapping memory is allowed: the result is as if the source had been copied
 * first.  Conversions round to nearest, ties to even; floats to integers
 * truncate and saturate, NaN gives 0; integers to shorter ones keep the low
 * bits; to bool, anything but zero is true; complex to real takes the real
 * part.  Between meta arrays nothing happens but the checks.
 */
DT_API DT_MUST_USE dt_status dt_array_copy(dt_world *world,
                                           const dt_array *source,
                                           dt_array *destination);

/*
 * Convert to another dtype, contiguous; always a copy.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_cast(dt_world *world,
                                           const dt_array *array,
                                           dt_dtype dtype, dt_array **out);

/*
 * Set every element to a number, converted as by dt_array_copy.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_fill(dt_world *world, dt_array *array,
                                           double value);

/*
 * Set every element to an integer, without passing through double.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_fill_int(dt_world *world, dt_array *array,
                                               int64_t value);

/*
 * Tell whether two arrays have the same dtype, shape and values.
 *
 * Not collective.  Values compare as numbers do: -0 equals 0, NaN nothing; what
 * never came (dt_array_wait) equals nothing either.
 */
DT_API bool dt_array_equal(const dt_array *a, const dt_array *b);

/*
 * Write an array as NumPy's str() does, at most `size` bytes with the final
 * zero, and give the length that the whole text has.
 *
 * Not collective.  Large arrays are summarised; of one whose elements never
 * came (dt_array_wait) it says so, and why.
 */
DT_API size_t dt_array_format(const dt_array *array, char *text, size_t size);

/*
 * Read an array from a .npy file, of either byte order.
 *
 * Not collective.  A file in Fortran order gives an array with such strides.
 * DT_ERR_IO; DT_ERR_FORMAT for a file that is not what it says;
 * DT_ERR_UNSUPPORTED for elements that no dtype holds.
 */
DT_API DT_MUST_USE dt_status dt_array_load_npy(dt_world *world,
                                               const char *path,
                                               dt_array **out);

/*
 * Write an array as a .npy file; bf16 as NumPy's 2-byte void ("<V2").
 *
 * Not collective.  A file of that name is replaced once all is written.
 */
DT_API DT_MUST_USE dt_status dt_array_save_npy(dt_world *world,
                                               const dt_array *array,
                                               const char *path);

DT_EXTERN_C_END

#endif
