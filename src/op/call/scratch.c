/* op/call/scratch.c - arrays that a kernel makes for itself. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/scratch.h"

#include <stdlib.h>

#include "array/array.h"
#include "base/error.h"

enum { FIRST_CAPACITY = 8 };

static bool make_room(dti_scratch *scratch)
{
    if (scratch->count < scratch->capacity)
        return true;
    const int capacity =
        scratch->capacity ? 2 * scratch->capacity : FIRST_CAPACITY;
    dt_array **arrays =
        realloc(scratch->arrays, (size_t)capacity * sizeof(*arrays));
    if (!arrays)
        return false;
    scratch->arrays = arrays;
    scratch->capacity = capacity;
    return true;
}

dt_status dti_scratch_own(const dt_operation *operation, dt_status made,
                          dt_array **array)
{
    dti_scratch *scratch = operation->scratch;
    if (made != DT_OK)
        return made;
    if (!make_room(scratch)) {
        dt_array_release(*array);
        *array = NULL;
        return dti_fail_memory(operation->world, sizeof(dt_array *),
                               "arrays of a kernel");
    }
    scratch->arrays[scratch->count++] = *array;
    return DT_OK;
}

static bool computes_nothing(const dt_operation *operation)
{
    for (int i = 0; operation->in && i < operation->input_count; i++)
        if (operation->in[i] && dt_array_is_meta(operation->in[i]))
            return true;
    return false;
}

dt_status dti_scratch_create(const dt_operation *operation, dt_dtype dtype,
                             dt_shape shape, dt_array **out)
{
    dt_world *world = operation->world;
    return dti_scratch_own(operation,
                           computes_nothing(operation)
                               ? dt_array_create_meta(world, dtype, shape, out)
                               : dt_array_create(world, dtype, shape, out),
                           out);
}

dt_status dti_scratch_copy(const dt_operation *operation, const dt_array *array,
                           dt_dtype dtype, dt_array **out)
{
    if (dt_array_is_meta(array))
        return dti_scratch_create(operation, dtype, dt_array_shape(array), out);
    return dti_scratch_own(
        operation, dt_array_cast(operation->world, array, dtype, out), out);
}

dt_status dti_scratch_cast(const dt_operation *operation, dt_array *array,
                           dt_dtype dtype, dt_array **out)
{
    return dt_array_dtype(array) == dtype
               ? dti_scratch_contiguous(operation, array, out)
               : dti_scratch_copy(operation, array, dtype, out);
}

dt_status dti_scratch_contiguous(const dt_operation *operation, dt_array *array,
                                 dt_array **out)
{
    return dti_scratch_own(
        operation, dt_array_contiguous(operation->world, array, out), out);
}

dt_status dti_scratch_expand(const dt_operation *operation, dt_array *array,
                             dt_shape shape, dt_array **out)
{
    return dti_scratch_own(
        operation, dt_array_expand(operation->world, array, shape, out), out);
}

dt_status dti_scratch_reshape(const dt_operation *operation, dt_array *array,
                              dt_shape shape, dt_array **out)
{
    return dti_scratch_own(
        operation, dt_array_reshape(operation->world, array, shape, out), out);
}

dt_status dti_scratch_view(const dt_operation *operation, dt_array *array,
                           dt_shape shape, const int64_t *strides,
                           dt_array **out)
{
    return dti_scratch_own(operation,
                           dti_array_view(operation->world, array, shape,
                                          strides, array->offset, out),
                           out);
}

dt_status dti_scratch_in_order(const dt_operation *operation, dt_array *array,
                               const dt_array *like, dt_array **out)
{
    return dti_scratch_own(
        operation, dti_array_view_in_order(operation->world, array, like, out),
        out);
}

dt_status dti_scratch_memory(const dt_operation *operation, size_t bytes,
                             void **out)
{
    const int64_t words = (int64_t)(bytes / sizeof(int64_t) + 1);
    dt_array *array = NULL;
    DTI_TRY(dti_scratch_own(
        operation,
        dt_array_create(operation->world, DT_I64, DT_SHAPE(words), &array),
        &array));
    *out = dt_array_data(array);
    return DT_OK;
}

void dti_scratch_close(dti_scratch *scratch)
{
    for (int i = 0; i < scratch->count; i++)
        dt_array_release(scratch->arrays[i]);
    free(scratch->arrays);
}
