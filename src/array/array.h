/* array/array.h - arrays and their storage. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_ARRAY_H
#define DTI_ARRAY_ARRAY_H

#include <dtensor/array.h>
#include <dtensor/number.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "base/pool.h"
#include "base/reference.h"
#include "base/shape.h"

/*
 * A call under way that reads or writes a storage.  It is embedded in the
 * call's handle and is linked into the storage without a reference: the handle
 * holds the array, and takes itself out of the list when the call completes,
 * so no cycle arises.
 *
 * A call that fails leaves a loss behind: what it was to write never came.  The
 * storage then holds the handle, which holds no array any more, until those
 * bytes are written as a whole.
 */
typedef struct dti_pending {
    struct dti_pending *next;
    bool writes;
    void (*wait)(struct dti_pending *pending); /* takes it out of the list */
    const dt_error *failure; /* of a loss; NULL while the call is under way */
    void (*forget)(struct dti_pending *pending); /* lets go of a loss */
    const char *begin;                           /* the bytes that are lost */
    size_t bytes;
} dti_pending;

/* Memory, from the pool or foreign. */
typedef struct dti_storage {
    dti_reference reference;
    bool read_only;
    dti_pending *pending; /* calls under way and losses; touched by the thread
                             of one world at a time */
    dti_block block;      /* data and bytes */
    dti_pool *pool;       /* NULL for foreign memory */
    dt_release_function release; /* foreign memory; may be NULL */
    void *release_arg;
} dti_storage;

/* Memory that a meta array stands for in a dry run: counted, but not there. Its
 * views share it. */
typedef struct dti_ghost {
    dti_reference reference;
    dti_pool *pool;
    size_t bytes;
} dti_ghost;

/* What every call asks for comes first, in one cache line. */
struct dt_array {
    dti_reference reference;
    dt_dtype dtype;
    bool contiguous; /* row-major and dense; derived when it is made */
    bool paired;     /* it lies behind its storage, and is freed with that */
    int64_t count;   /* elements; derived from shape */
    int64_t offset;  /* in elements, from the start of storage */
    dti_storage *storage; /* NULL: meta */
    dti_ghost *ghost;     /* NULL but for meta arrays in a dry run */
    dt_shape shape;
    int64_t strides[DT_MAX_NDIM]; /* in elements, never negative */
};

/* Create an array for elements of a tensor, not set; a meta array in a dry run.
 */
dt_status dti_array_create_elements(dt_world *world, dt_dtype dtype,
                                    dt_shape shape, dt_array **out);

/*
 * View the storage of an array with another shape, strides and offset, all of
 * which the caller has checked to lie inside it.
 */
dt_status dti_array_view(dt_world *world, dt_array *base, dt_shape shape,
                         const int64_t *strides, int64_t offset,
                         dt_array **out);

/* The same with another dtype; strides and offset count its elements. */
dt_status dti_array_view_as(dt_world *world, dt_array *base, dt_dtype dtype,
                            dt_shape shape, const int64_t *strides,
                            int64_t offset, dt_array **out);

/*
 * View an array with the dimensions of another one of its shape, `like`, from
 * the outermost to the innermost: what lies densely as `like` does is row-major
 * then.
 */
dt_status dti_array_view_in_order(dt_world *world, dt_array *array,
                                  const dt_array *like, dt_array **out);

/* What a dense array of a shape that was checked is, but for its storage. */
void dti_array_form(dt_dtype dtype, dt_shape shape, dt_array *out);

/* Create an array with storage, not set, of such a form, which may have its
 * dimensions in another order: nothing is checked again. */
dt_status dti_array_create_as(dt_world *world, const dt_array *form,
                              dt_array **out);

/* Create a meta array that stands for no memory, in a dry run neither: of
 * something that is created elsewhere, if at all. */
dt_status dti_array_create_uncounted(dt_world *world, dt_dtype dtype,
                                     dt_shape shape, dt_array **out);

/* The same without storage. */
dt_status dti_array_create_meta_as(dt_world *world, const dt_array *form,
                                   dt_array **out);

/* Copy `count` elements from element `first` on, in row-major order, to where
 * they lie side by side.  Does not wait. */
void dti_array_gather(const dt_array *array, int64_t first, int64_t count,
                      void *out);

/* Set every element to a number of any kind, converted as by dt_array_copy. */
dt_status dti_array_fill_number(dt_world *world, dt_array *array,
                                dt_number number);

/* Check that elements, if there are any, may be written one by one: none
 * repeated, and the array is not read-only. */
dt_status dti_array_check_writable(dt_world *world, const dt_array *array);

/* The bytes from the first element of an array to the end of its last; not for
 * empty arrays. */
size_t dti_array_span(const dt_array *array);

/* Tell whether two arrays with elements and storage may have bytes in common.
 */
bool dti_arrays_overlap(const dt_array *a, const dt_array *b);

/* Note that a call reads or writes the array's storage; not for meta. */
void dti_array_pend(const dt_array *array, dti_pending *pending, bool writes,
                    void (*wait)(dti_pending *pending));

/* Undo dti_array_pend. */
void dti_array_unpend(const dt_array *array, dti_pending *pending);

/* The same for a call that failed: the array it was to write, which has
 * elements, is lost.  The failure stays where it is until `forget` is called.
 */
void dti_array_lose(const dt_array *array, dti_pending *pending,
                    const dt_error *failure,
                    void (*forget)(dti_pending *pending));

/* Find why elements of an array never came; NULL if nothing is lost.  Does not
 * wait; not for meta. */
const dt_error *dti_array_loss(const dt_array *array);

/* Note that every element of an array was written: nothing in it is lost any
 * more.  Not for meta. */
void dti_array_renew(const dt_array *array);

/* Wait for the calls under way that write the array's storage and, if asked
 * for, those that read it; not for meta.  Who reads then sees dti_array_settle
 * to it that nothing is lost. */
void dti_array_wait(const dt_array *array, bool readers);

/* Free an array whose last reference is gone. */
void dti_array_destroy(dt_array *array);

/* Release a reference that the library itself holds. */
static inline void dti_array_release(dt_array *array)
{
    if (array && dti_reference_release(&array->reference))
        dti_array_destroy(array);
}

/* The part of dti_array_settle that is rarely needed. */
dt_status dti_array_settle_calls(dt_world *world, const dt_array *array);

/* Wait for the calls under way that write an array; fails, with the sentence of
 * the call, if what one was to write never came. */
static inline dt_status dti_array_settle(dt_world *world, const dt_array *array)
{
    if (DTI_UNLIKELY(array->storage && array->storage->pending))
        return dti_array_settle_calls(world, array);
    return DT_OK;
}

/* The address of the first element, without waiting; NULL for meta. */
static inline void *dti_array_address(const dt_array *array)
{
    if (!array->storage)
        return NULL;
    return (char *)array->storage->block.data +
           array->offset * (int64_t)dti_dtype_size(array->dtype);
}

/* The elements of an array that a kernel reads, which dispatch has waited for;
 * NULL if it has none. */
static inline const void *dti_array_elements(const dt_array *array)
{
    if (DTI_UNLIKELY(!array->storage || array->storage->pending ||
                     array->count == 0))
        return dt_array_const_data(array);
    return dti_array_address(array);
}

/* Get the memory of an array ready: the library is about to read or write all
 * its elements.  Only a wish, that matters to large ones. */
static inline void dti_array_prepare(const dt_array *array)
{
    const size_t bytes = (size_t)array->count * dti_dtype_size(array->dtype);
    if (bytes > DTI_POOL_SMALL && array->contiguous && array->storage &&
        array->storage->pool)
        dti_pool_prepare(array->storage->pool, dti_array_address(array), bytes);
}

/* The same for an array that was just created, in whatever order its dimensions
 * lie. */
static inline void dti_array_prepare_new(const dt_array *array)
{
    const size_t bytes = (size_t)array->count * dti_dtype_size(array->dtype);
    if (DTI_UNLIKELY(bytes > DTI_POOL_SMALL))
        dti_pool_prepare(array->storage->pool, array->storage->block.data,
                         bytes);
}

/* The multiple of bytes at which elements of a dtype begin. */
static inline size_t dti_dtype_alignment(dt_dtype dtype)
{
    return dtype == DT_C64 ? sizeof(float) : dt_dtype_size(dtype);
}

#endif
