/* dtensor/dlpack.h - exchanging arrays with other libraries through DLPack. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_DLPACK_H
#define DTENSOR_DLPACK_H

#include <stdint.h>

#include <dtensor/array.h>

DT_EXTERN_C_BEGIN

/*
 * The structures of DLPack 1.x with different names, so that this header and
 * that of DLPack can be included together.  They have the same memory layout: a
 * pointer to one can be cast to a pointer to the other.  See the DLPack
 * specification for the fields.
 */
enum { DT_DLPACK_MAJOR = 1, DT_DLPACK_MINOR = 1 };

/* DLDevice */
typedef struct dt_dlpack_device {
    int32_t type;
    int32_t id;
} dt_dlpack_device;

/* DLDataType */
typedef struct dt_dlpack_dtype {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
} dt_dlpack_dtype;

/* DLTensor */
typedef struct dt_dlpack_tensor {
    void *data;
    dt_dlpack_device device;
    int32_t ndim;
    dt_dlpack_dtype dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: row-major */
    uint64_t byte_offset;
} dt_dlpack_tensor;

/* DLPackVersion */
typedef struct dt_dlpack_version {
    uint32_t major;
    uint32_t minor;
} dt_dlpack_version;

/* DLManagedTensorVersioned */
typedef struct dt_dlpack_managed {
    dt_dlpack_version version;
    void *manager_ctx;
    void (*deleter)(struct dt_dlpack_managed *self);
    uint64_t flags;
    dt_dlpack_tensor dl_tensor;
} dt_dlpack_managed;

/* DLManagedTensor, the unversioned structure */
typedef struct dt_dlpack_legacy {
    dt_dlpack_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct dt_dlpack_legacy *self);
} dt_dlpack_legacy;

/* Flags of a dt_dlpack_managed. */
enum { DT_DLPACK_READ_ONLY = 1, DT_DLPACK_IS_COPIED = 2 };

/*
 * Export an array to another library.
 *
 * Not collective.  Waits for asynchronous calls that use the storage.  The
 * result retains the array; the consumer calls its deleter, from any thread.
 */
DT_API DT_MUST_USE dt_status dt_array_to_dlpack(dt_world *world,
                                                dt_array *array,
                                                dt_dlpack_managed **out);

/*
 * Export an array to a library that uses the unversioned DLPack structure.
 *
 * Not collective.  Like dt_array_to_dlpack, but fails for a read-only array,
 * because this structure has no flag for it.
 */
DT_API DT_MUST_USE dt_status dt_array_to_dlpack_legacy(dt_world *world,
                                                       dt_array *array,
                                                       dt_dlpack_legacy **out);

/*
 * Import an array from another library.
 *
 * Not collective.  On success the array owns `managed` and calls its deleter
 * when the memory is no longer needed; on failure the caller still owns it.
 * Memory that is not aligned for its elements is copied.  DT_ERR_UNSUPPORTED
 * for other DLPack versions, devices and element types, and for negative
 * strides.
 */
DT_API DT_MUST_USE dt_status dt_array_from_dlpack(dt_world *world,
                                                  dt_dlpack_managed *managed,
                                                  dt_array **out);

/*
 * Import an array from a library that uses the unversioned DLPack structure.
 *
 * Not collective.  Like dt_array_from_dlpack.
 */
DT_API DT_MUST_USE dt_status dt_array_from_dlpack_legacy(
    dt_world *world, dt_dlpack_legacy *managed, dt_array **out);

DT_EXTERN_C_END

#endif
