/* array/fill.c - setting every element to one number. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "array/copy.h"
#include "array/copy_kernels.h"
#include "array/given.h"
#include "base/error.h"
#include "work/work.h"

/* Fill a few bytes with copies of an element, 8 bytes at a time: what was just
 * stored in smaller pieces would be slow to read. */
static void fill_piece(char *memory, const void *element, size_t item,
                       size_t bytes)
{
    char word[8]; /* holds whole elements of every dtype */
    size_t done = 0;
    for (size_t i = 0; i < sizeof word; i += item)
        memcpy(word + i, element, item);
    for (; bytes - done >= sizeof word; done += sizeof word)
        memcpy(memory + done, word, sizeof word);
    memcpy(memory + done, word, bytes - done);
}

/* Fill memory with copies of an element: a piece that stays in the nearest
 * cache, and copies of that; past the cache if there is much. */
static void repeat(char *memory, const void *element, size_t item, size_t bytes,
                   bool stream)
{
    const size_t piece = bytes < 4096 ? bytes : 4096;
    fill_piece(memory, element, item, piece);
    if (piece == bytes)
        return;
    const dti_copy_kernels *kernels = dti_copy_kernels_of(dti_cpu_level_used());
    for (size_t done = piece; done < bytes; done += piece) {
        const size_t part = bytes - done < piece ? bytes - done : piece;
        if (stream)
            dti_copy_stream_with(kernels, memory + done, memory, part);
        else
            memcpy(memory + done, memory, part);
    }
    if (stream)
        kernels->fence();
}

/* A fill, of which threads take ranges of bytes. */
typedef struct filling {
    char *memory;
    const void *element;
    size_t item;
    bool stream;
} filling;

static void fill_range(void *context, int64_t begin, int64_t end, int slot)
{
    const filling *f = context;
    (void)slot;
    repeat(f->memory + begin, f->element, f->item, (size_t)(end - begin),
           f->stream);
}

static void fill_all(char *memory, const void *element, size_t item,
                     size_t bytes)
{
    filling f = {memory, element, item, bytes >= dti_copy_stream_threshold()};
    dti_work_ranges((int64_t)bytes, 4096, 1, fill_range, &f);
}

/* Copy one element to all. */
static dt_status fill_with(dt_world *world, dt_array *array, void *element)
{
    if (dt_array_is_meta(array))
        return DT_OK;
    size_t item = dt_dtype_size(dt_array_dtype(array));
    if (array->contiguous && array->count > 0 && !array->storage->read_only) {
        char *data = dti_array_address(array);
        dti_array_wait(array, true);
        dti_array_prepare(array);
        fill_all(data, element, item, dt_array_bytes(array));
        dti_array_renew(array);
        return DT_OK;
    }
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = element;
    options.dtype = dt_array_dtype(array);
    options.read_only = true;
    dt_array *one = NULL;
    DTI_TRY(dt_array_wrap(world, &options, &one));
    dt_status status = dt_array_copy(world, one, array);
    dt_array_release(one);
    return status;
}

dt_status dt_array_fill(dt_world *world, dt_array *array, double value)
{
    _Alignas(8) char element[8];
    DTI_TRY(dti_array_given(world, array, "dt_array_fill"));
    dti_cast(&value, DT_F64, element, dt_array_dtype(array), 1);
    return fill_with(world, array, element);
}

dt_status dt_array_fill_int(dt_world *world, dt_array *array, int64_t value)
{
    _Alignas(8) char element[8];
    DTI_TRY(dti_array_given(world, array, "dt_array_fill_int"));
    dti_cast(&value, DT_I64, element, dt_array_dtype(array), 1);
    return fill_with(world, array, element);
}

dt_status dti_array_fill_number(dt_world *world, dt_array *array,
                                dt_number number)
{
    _Alignas(8) char element[8];
    const float parts[] = {(float)number.as.real, (float)number.imaginary};
    if (number.kind == DT_KIND_FLOAT)
        return dt_array_fill(world, array, number.as.real);
    if (number.kind != DT_KIND_COMPLEX)
        return dt_array_fill_int(world, array, number.as.integer);
    dti_cast(parts, DT_C64, element, dt_array_dtype(array), 1);
    return fill_with(world, array, element);
}
