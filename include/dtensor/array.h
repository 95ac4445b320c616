/* dtensor/array.h - strided arrays in the memory of one rank. */
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
 * An array: a dtype, a shape, strides and a reference to storage.  Several
 * arrays may view one storage.  A meta array has no storage.  Shape, strides
 * and storage never change after creation; elements do.
 *
 * References may be dropped by any thread.  The `world` argument of a function
 * determines the memory pool for new storage, and where an error is recorded.
 * An array does not belong to a world and may outlive the one it was created
 * in.
 */
typedef struct dt_array dt_array;

/*
 * Create an array with uninitialised elements.
 *
 * Not collective.  The caller releases the array.  DT_ERR_NO_MEMORY if the
 * limit of the world's memory pool is reached.
 */
DT_API DT_MUST_USE dt_status dt_array_create(dt_world *world, dt_dtype dtype,
                                             dt_shape shape, dt_array **out);

/*
 * Create a meta array: dtype and shape without storage.
 *
 * Not collective.  The caller releases the array.
 */
DT_API DT_MUST_USE dt_status dt_array_create_meta(dt_world *world,
                                                  dt_dtype dtype,
                                                  dt_shape shape,
                                                  dt_array **out);

/* Called once, when the last array that views the wrapped memory is
 * released. */
typedef void (*dt_release_function)(void *arg, void *data);

/* Describes memory of the caller.  Zeros are the defaults. */
typedef struct dt_wrap_options {
    size_t size;                 /* sizeof(dt_wrap_options) */
    void *data;                  /* the element at index 0 of every dimension */
    dt_dtype dtype;              /* of the elements */
    dt_shape shape;              /* of the array */
    const int64_t *strides;      /* in elements; NULL: row-major */
    dt_release_function release; /* called when unused; NULL: never */
    void *release_arg;           /* passed to release */
    bool read_only;              /* dt_array_data then returns NULL */
} dt_wrap_options;

#define DT_WRAP_OPTIONS_INIT                                                   \
    {                                                                          \
        sizeof(dt_wrap_options), 0, DT_F32, {0, {0}}, 0, 0, 0, false           \
    }

/*
 * Create an array that uses memory of the caller.
 *
 * Not collective.  The caller releases the array, and keeps the memory valid
 * until the release function is called.  Strides must not be negative.  If this
 * function fails, the release function is not called.
 */
DT_API DT_MUST_USE dt_status dt_array_wrap(dt_world *world,
                                           const dt_wrap_options *options,
                                           dt_array **out);

/*
 * Add a reference; returns its argument.
 *
 * Not collective.  NULL is allowed.
 */
DT_API dt_array *dt_array_retain(dt_array *array);

/*
 * Drop a reference.  The last one frees the array.
 *
 * Not collective.  NULL is allowed.
 */
DT_API void dt_array_release(dt_array *array);

/* Properties of an array.  Not collective.  A NULL array returns 0 or false,
 * and the dtype DT_DTYPE_COUNT; an out-of-range dimension returns 0. */
DT_API dt_dtype dt_array_dtype(const dt_array *array);
DT_API dt_shape dt_array_shape(const dt_array *array);
DT_API int dt_array_ndim(const dt_array *array);
DT_API int64_t dt_array_extent(const dt_array *array, int dim);
DT_API int64_t dt_array_stride(const dt_array *array, int dim); /* elements */
DT_API int64_t dt_array_count(const dt_array *array);           /* elements */
DT_API size_t dt_array_bytes(const dt_array *array); /* count * dtype size */
DT_API bool dt_array_is_meta(const dt_array *array);
DT_API bool
dt_array_is_contiguous(const dt_array *array); /* row-major without gaps */
DT_API bool dt_array_is_read_only(const dt_array *array);

/*
 * Wait until asynchronous calls that write an array are complete.
 *
 * Not collective, but it waits for other ranks.  If such a call failed, its
 * output is undefined, and this function fails with the code and message of the
 * call.  So does every function that reads the array, until all of the
 * undefined elements are overwritten at once: by dt_array_copy, dt_array_fill,
 * an operator or another collective.
 */
DT_API DT_MUST_USE dt_status dt_array_wait(dt_world *world,
                                           const dt_array *array);

/*
 * Return the address of the first element, for writing.
 *
 * Not collective.  Waits until asynchronous calls that read or write the
 * storage are complete.  NULL for a meta, read-only or empty array, and for one
 * that a failed call left undefined (dt_array_wait).
 */
DT_API void *dt_array_data(dt_array *array);

/*
 * Return the address of the first element, for reading.
 *
 * Not collective.  Waits until asynchronous calls that write the storage are
 * complete.  NULL for a meta or empty array, and for one that a failed call
 * left undefined (dt_array_wait).
 */
DT_API const void *dt_array_const_data(const dt_array *array);

/*
 * Create a view of the indexes `start`, `start + step`, ... below `stop` of one
 * dimension.
 *
 * Not collective.  The step must be positive.  Negative dimensions and bounds
 * count from the end; bounds beyond the extent are clamped to it.  The caller
 * releases the view.
 */
DT_API DT_MUST_USE dt_status dt_array_slice(dt_world *world, dt_array *array,
                                            int dim, int64_t start,
                                            int64_t stop, int64_t step,
                                            dt_array **out);

/*
 * Create a view of one index of a dimension, without that dimension.
 *
 * Not collective.  A negative index counts from the end.  The caller releases
 * the view.
 */
DT_API DT_MUST_USE dt_status dt_array_select(dt_world *world, dt_array *array,
                                             int dim, int64_t index,
                                             dt_array **out);

/*
 * Create a view with permuted dimensions: dimension i of the result is
 * dimension `order[i]` of the array.
 *
 * Not collective.  Negative dimensions count from the end.  The caller releases
 * the view.
 */
DT_API DT_MUST_USE dt_status dt_array_permute(dt_world *world, dt_array *array,
                                              const int *order, dt_array **out);

/*
 * Create a view that repeats dimensions of extent 1 and adds dimensions in
 * front.  For example, shape (3, 1) expands to (2, 3, 4).
 *
 * Not collective.  An extent of -1 keeps the extent of the array.  Functions of
 * this header do not write to an array with repeated elements.  The caller
 * releases the view.
 */
DT_API DT_MUST_USE dt_status dt_array_expand(dt_world *world, dt_array *array,
                                             dt_shape shape, dt_array **out);

/*
 * Create a view with another shape and the same number of elements.
 *
 * Not collective.  One extent may be -1 and is then computed.
 * DT_ERR_UNSUPPORTED if the strides do not allow a view; use
 * dt_array_contiguous first.  The caller releases the view.
 */
DT_API DT_MUST_USE dt_status dt_array_reshape(dt_world *world, dt_array *array,
                                              dt_shape shape, dt_array **out);

/*
 * Return a contiguous array with the same elements: the array itself with
 * another reference if it is contiguous, otherwise a copy.
 *
 * Not collective.  The caller releases the result.
 */
DT_API DT_MUST_USE dt_status dt_array_contiguous(dt_world *world,
                                                 dt_array *array,
                                                 dt_array **out);

/*
 * Copy an array into new contiguous storage.
 *
 * Not collective.  The caller releases the copy.
 */
DT_API DT_MUST_USE dt_status dt_array_clone(dt_world *world,
                                            const dt_array *array,
                                            dt_array **out);

/*
 * Copy elements, converting the dtype if the arrays differ in it.
 *
 * Not collective.  The source is broadcast to the shape of the destination.
 * The arrays may overlap: the result is the same as with a temporary copy of
 * the source.  If both are meta arrays, only the arguments are checked.
 *
 * Conversions round to nearest, ties to even.  Floating-point to integer
 * truncates and saturates; NaN becomes 0.  Integer to a narrower integer keeps
 * the low bits.  To bool, every value except 0 becomes true.  Complex to real
 * takes the real part.
 */
DT_API DT_MUST_USE dt_status dt_array_copy(dt_world *world,
                                           const dt_array *source,
                                           dt_array *destination);

/*
 * Copy an array into new contiguous storage of another dtype.
 *
 * Not collective.  Converts like dt_array_copy, and always copies.  The caller
 * releases the result.
 */
DT_API DT_MUST_USE dt_status dt_array_cast(dt_world *world,
                                           const dt_array *array,
                                           dt_dtype dtype, dt_array **out);

/*
 * Set every element to a number, converted like in dt_array_copy.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_fill(dt_world *world, dt_array *array,
                                           double value);

/*
 * Set every element to an integer, without conversion to double.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_array_fill_int(dt_world *world, dt_array *array,
                                               int64_t value);

/*
 * Test whether two arrays have the same dtype, shape and values.
 *
 * Not collective.  Values are compared as numbers: -0 equals 0, and NaN equals
 * nothing.  An array that a failed call left undefined (dt_array_wait) is not
 * equal to any.
 */
DT_API bool dt_array_equal(const dt_array *a, const dt_array *b);

/*
 * Write an array as text like str() of NumPy: at most `size` bytes including
 * the terminating zero.  Returns the length of the full text.
 *
 * Not collective.  Large arrays are summarised.  For an array that a failed
 * call left undefined (dt_array_wait) the text says so and gives the reason.
 */
DT_API size_t dt_array_format(const dt_array *array, char *text, size_t size);

/*
 * Read an array from a .npy file of either byte order.
 *
 * Not collective.  The caller releases the array.  An array in Fortran order
 * keeps its strides.  DT_ERR_IO if the file cannot be read; DT_ERR_FORMAT if it
 * is not a valid .npy file; DT_ERR_UNSUPPORTED if no dtype represents its
 * elements.
 */
DT_API DT_MUST_USE dt_status dt_array_load_npy(dt_world *world,
                                               const char *path,
                                               dt_array **out);

/*
 * Write an array to a .npy file.  Elements of dtype bf16 are written as the
 * 2-byte void type of NumPy ("<V2").
 *
 * Not collective.  An existing file is replaced after all data is written.
 */
DT_API DT_MUST_USE dt_status dt_array_save_npy(dt_world *world,
                                               const dt_array *array,
                                               const char *path);

DT_EXTERN_C_END

#endif
