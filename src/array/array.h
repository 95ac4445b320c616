/* array/array.h - arrays and their storage. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_ARRAY_H
#define DTI_ARRAY_ARRAY_H

#include <dtensor/array.h>

#include "base/pool.h"
#include "base/reference.h"

/*
 * A call under way that reads or writes a storage.  It is embedded in the
 * call's handle and is linked into the storage without a reference: the handle
 * holds the array, and takes itself out of the list when the call completes,
 * so no cycle arises.
 */
typedef struct dti_pending {
    struct dti_pending *next;
    bool writes;
    void (*wait)(struct dti_pending *pending); /* takes it out of the list */
} dti_pending;

/* Memory, from the pool or foreign. */
typedef struct dti_storage {
    dti_reference reference;
    dti_block block;             /* data and bytes */
    dti_pool *pool;              /* NULL for foreign memory */
    dt_release_function release; /* foreign memory; may be NULL */
    void *release_arg;
    bool read_only;
    dti_pending *pending; /* touched by the thread of one world at a time */
} dti_storage;

struct dt_array {
    dti_reference reference;
    dt_dtype dtype;
    bool contiguous;      /* row-major and dense; derived when it is made */
    dt_shape shape;
    int64_t count;        /* elements; derived from shape */
    int64_t strides[DT_MAX_NDIM]; /* in elements, never negative */
    int64_t offset;       /* in elements, from the start of storage */
    dti_storage *storage; /* NULL: meta */
};

/* Note that a call reads or writes the array's storage; not for meta. */
void dti_array_pend(const dt_array *array, dti_pending *pending, bool writes,
                    void (*wait)(dti_pending *pending));

/* Undo dti_array_pend. */
void dti_array_unpend(const dt_array *array, dti_pending *pending);

/* The address of the first element, without waiting; NULL for meta. */
static inline void *dti_array_address(const dt_array *array)
{
    if (!array->storage)
        return NULL;
    return (char *)array->storage->block.data +
           array->offset * (int64_t)dt_dtype_size(array->dtype);
}

#endif
