/* array/dlpack.c - exchanging arrays with other libraries by DLPack. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dlpack.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/copy.h"
#include "array/given.h"
#include "base/error.h"
#include "base/handles.h"

static_assert(sizeof(dt_dlpack_tensor) == 48 || sizeof(void *) != 8,
              "the layout is DLPack's");
static_assert(sizeof(dt_dlpack_managed) == 80 || sizeof(void *) != 8,
              "the layout is DLPack's");
static_assert(sizeof(dt_dlpack_legacy) == 64 || sizeof(void *) != 8,
              "the layout is DLPack's");

/* DLPack's numbers for memory that the processor can read. */
enum { device_cpu = 1, device_cuda_host = 3, device_rocm_host = 11 };

enum {
    code_int = 0,
    code_uint = 1,
    code_float = 2,
    code_bfloat = 4,
    code_complex = 5,
    code_bool = 6
};

static const dt_dlpack_dtype dtypes[DT_DTYPE_COUNT] = {
    [DT_F32] = {code_float, 32, 1},   [DT_F64] = {code_float, 64, 1},
    [DT_F16] = {code_float, 16, 1},   [DT_BF16] = {code_bfloat, 16, 1},
    [DT_I8] = {code_int, 8, 1},       [DT_I16] = {code_int, 16, 1},
    [DT_I32] = {code_int, 32, 1},     [DT_I64] = {code_int, 64, 1},
    [DT_U8] = {code_uint, 8, 1},      [DT_BOOL] = {code_bool, 8, 1},
    [DT_C64] = {code_complex, 64, 1},
};

/* What an exported structure stands in; it is freed with it. */
typedef struct exported {
    union {
        dt_dlpack_managed managed;
        dt_dlpack_legacy legacy;
    } as;
    dt_array *array;
    int64_t shape[DT_MAX_NDIM];
    int64_t strides[DT_MAX_NDIM];
} exported;

static void delete_exported(exported *found)
{
    dt_array_release(found->array);
    free(found);
}

static void delete_managed(dt_dlpack_managed *self)
{
    if (self)
        delete_exported(self->manager_ctx);
}

static void delete_legacy(dt_dlpack_legacy *self)
{
    if (self)
        delete_exported(self->manager_ctx);
}

/* Make what holds an array while others see it. */
static dt_status export_array(dt_world *world, dt_array *array, exported **out)
{
    DTI_TRY(dti_array_given(world, array, "dt_array_to_dlpack"));
    if (dt_array_is_meta(array))
        return dti_fail(world, DT_ERR_INVALID,
                        "a meta array cannot be exported through DLPack");
    DTI_TRY(dti_array_settle(world, array));
    exported *made = calloc(1, sizeof *made);
    if (!made)
        return dti_fail_memory(world, sizeof *made, "an exchanged array");
    made->array = dt_array_retain(array);
    memcpy(made->shape, array->shape.dims, sizeof made->shape);
    memcpy(made->strides, array->strides, sizeof made->strides);
    *out = made;
    return DT_OK;
}

static dt_dlpack_tensor describe(exported *made)
{
    const dt_array *array = made->array;
    dt_array_data(made->array); /* waits for readers too, if it is writable */
    return (dt_dlpack_tensor){
        .data = dt_array_const_data(array) ? dti_array_address(array) : NULL,
        .device = {device_cpu, 0},
        .ndim = array->shape.ndim,
        .dtype = dtypes[array->dtype],
        .shape = made->shape,
        .strides = made->strides,
    };
}

dt_status dt_array_to_dlpack(dt_world *world, dt_array *array,
                             dt_dlpack_managed **out)
{
    exported *made = NULL;
    DTI_TRY(export_array(world, array, &made));
    made->as.managed = (dt_dlpack_managed){
        .version = {DT_DLPACK_MAJOR, DT_DLPACK_MINOR},
        .manager_ctx = made,
        .deleter = delete_managed,
        .flags = dt_array_is_read_only(array) ? DT_DLPACK_READ_ONLY : 0,
        .dl_tensor = describe(made),
    };
    *out = &made->as.managed;
    return DT_OK;
}

dt_status dt_array_to_dlpack_legacy(dt_world *world, dt_array *array,
                                    dt_dlpack_legacy **out)
{
    if (dt_array_is_read_only(array))
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "a read-only array cannot be exported through "
                        "unversioned DLPack; use dt_array_to_dlpack");
    exported *made = NULL;
    DTI_TRY(export_array(world, array, &made));
    made->as.legacy = (dt_dlpack_legacy){
        .dl_tensor = describe(made),
        .manager_ctx = made,
        .deleter = delete_legacy,
    };
    *out = &made->as.legacy;
    return DT_OK;
}

static dt_status find_dtype(dt_world *world, dt_dlpack_dtype wanted,
                            dt_dtype *out)
{
    for (int i = 0; i < DT_DTYPE_COUNT; i++) {
        if (dtypes[i].code == wanted.code && dtypes[i].bits == wanted.bits &&
            dtypes[i].lanes == wanted.lanes) {
            *out = (dt_dtype)i;
            return DT_OK;
        }
    }
    return dti_fail(world, DT_ERR_UNSUPPORTED,
                    "DLPack elements of type %d with %d bits and %d lanes are "
                    "not supported",
                    wanted.code, wanted.bits, wanted.lanes);
}

/* Check a foreign tensor and describe it for dt_array_wrap. */
static dt_status check_tensor(dt_world *world, const dt_dlpack_tensor *tensor,
                              dt_wrap_options *options)
{
    int32_t device = tensor->device.type;
    if (device != device_cpu && device != device_cuda_host &&
        device != device_rocm_host)
        return dti_fail(
            world, DT_ERR_UNSUPPORTED,
            "DLPack device %d is not supported; expected CPU memory",
            (int)device);
    if (tensor->ndim < 0 || tensor->ndim > DT_MAX_NDIM)
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "a DLPack tensor of %d dimensions; the maximum is %d",
                        (int)tensor->ndim, DT_MAX_NDIM);
    DTI_TRY(find_dtype(world, tensor->dtype, &options->dtype));
    options->shape.ndim = tensor->ndim;
    for (int i = 0; i < tensor->ndim; i++) {
        options->shape.dims[i] = tensor->shape[i];
        if (tensor->strides && tensor->strides[i] > INT64_MAX / 16)
            return dti_fail(world, DT_ERR_INVALID,
                            "stride %lld of dimension %d is too large",
                            (long long)tensor->strides[i], i);
        if (tensor->strides && tensor->strides[i] < 0)
            return dti_fail(world, DT_ERR_UNSUPPORTED,
                            "stride %lld of dimension %d is negative, which is "
                            "not supported; copy the tensor first",
                            (long long)tensor->strides[i], i);
    }
    options->strides = tensor->strides;
    if (tensor->data)
        options->data = (char *)tensor->data + tensor->byte_offset;
    return DT_OK;
}

/* Copy a tensor whose elements are not where their type wants them. */
static dt_status copy_unaligned(dt_world *world, const dt_wrap_options *options,
                                dt_array **out)
{
    dt_array *array = NULL;
    int64_t last;
    if (options->strides)
        DTI_TRY(dti_strides_check(world, options->dtype, options->shape,
                                  options->strides, &last));
    DTI_TRY(dt_array_create(world, options->dtype, options->shape, &array));
    int64_t item = (int64_t)dt_dtype_size(options->dtype);
    int64_t to[DT_MAX_NDIM], from[DT_MAX_NDIM];
    for (int i = 0; i < options->shape.ndim; i++) {
        to[i] = array->strides[i] * item;
        from[i] =
            (options->strides ? options->strides[i] : array->strides[i]) * item;
    }
    if (array->count > 0)
        dti_copy_strided(dt_array_data(array), to, options->data, from,
                         options->shape.dims, options->shape.ndim,
                         (size_t)item);
    *out = array;
    return DT_OK;
}

/* See a foreign tensor, or a copy of it; tells which. */
static dt_status import_tensor(dt_world *world, const dt_dlpack_tensor *tensor,
                               dt_wrap_options *options, dt_array **out,
                               bool *copied)
{
    DTI_TRY(check_tensor(world, tensor, options));
    size_t alignment = dti_dtype_alignment(options->dtype);
    *copied = (uintptr_t)options->data % alignment != 0;
    if (*copied)
        return copy_unaligned(world, options, out);
    return dt_array_wrap(world, options, out);
}

static void release_managed(void *arg, void *data)
{
    dt_dlpack_managed *managed = arg;
    (void)data;
    if (managed->deleter)
        managed->deleter(managed);
}

static void release_legacy(void *arg, void *data)
{
    dt_dlpack_legacy *managed = arg;
    (void)data;
    if (managed->deleter)
        managed->deleter(managed);
}

dt_status dt_array_from_dlpack(dt_world *world, dt_dlpack_managed *managed,
                               dt_array **out)
{
    DTI_ENTRY();
    if (managed->version.major != DT_DLPACK_MAJOR)
        return dti_fail(world, DT_ERR_UNSUPPORTED,
                        "DLPack version %u is not supported; expected %d",
                        (unsigned)managed->version.major, DT_DLPACK_MAJOR);
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.release = release_managed;
    options.release_arg = managed;
    options.read_only = (managed->flags & DT_DLPACK_READ_ONLY) != 0;
    bool copied = false;
    DTI_TRY(import_tensor(world, &managed->dl_tensor, &options, out, &copied));
    if (copied)
        release_managed(managed, NULL);
    return DT_OK;
}

dt_status dt_array_from_dlpack_legacy(dt_world *world,
                                      dt_dlpack_legacy *managed, dt_array **out)
{
    DTI_ENTRY();
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.release = release_legacy;
    options.release_arg = managed;
    bool copied = false;
    DTI_TRY(import_tensor(world, &managed->dl_tensor, &options, out, &copied));
    if (copied)
        release_legacy(managed, NULL);
    return DT_OK;
}
