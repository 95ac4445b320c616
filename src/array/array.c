/* array/array.c - arrays and their storage. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "array/given.h"
#include "base/handles.h"
#include "base/options.h"
#include "base/world.h"

/* Make an array around a storage, whose reference it takes over on success. */
static dt_status make_array(dt_world *world, dt_dtype dtype, dt_shape shape,
                            const int64_t *strides, int64_t offset,
                            dti_storage *storage, dt_array **out)
{
    dt_array *array = malloc(sizeof *array);
    if (!array)
        return dti_fail_memory(world, sizeof *array, "an array");
    dti_reference_init(&array->reference);
    array->dtype = dtype;
    array->paired = false;
    array->shape = shape;
    array->count = dt_shape_count(shape);
    for (int i = 0; i < DT_MAX_NDIM; i++)
        array->strides[i] = i < shape.ndim ? strides[i] : 0;
    array->offset = offset;
    array->contiguous = dti_strides_are_row_major(shape, strides);
    array->storage = storage;
    array->ghost = NULL;
    dti_live_add(DTI_LIVE_ARRAY, 1);
    dti_handle_made(world, DTI_LIVE_ARRAY, array);
    *out = array;
    return DT_OK;
}

static dti_storage *make_storage(dti_block block, dti_pool *pool)
{
    dti_storage *storage = calloc(1, sizeof *storage);
    if (!storage)
        return NULL;
    dti_reference_init(&storage->reference);
    storage->block = block;
    storage->pool = pool;
    dti_live_add(DTI_LIVE_STORAGE, 1);
    return storage;
}

/* Free a storage without touching the memory that it describes. */
static void free_storage(dti_storage *storage)
{
    dti_handle_free(storage);
    dti_live_add(DTI_LIVE_STORAGE, -1);
}

/* Take losses of bytes from `begin` to before `end` out of a storage; all if
 * `begin` is NULL. */
static void forget_losses(dti_storage *storage, const char *begin,
                          const char *end)
{
    dti_pending **link = &storage->pending;
    while (*link) {
        dti_pending *one = *link;
        bool inside =
            !begin || (one->begin >= begin && one->begin + one->bytes <= end);
        if (!one->failure || !inside) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        one->forget(one);
    }
}

static void release_storage(dti_storage *storage)
{
    if (!storage || !dti_reference_release(&storage->reference))
        return;
    forget_losses(storage, NULL, NULL);
    assert(!storage->pending);
    if (storage->pool)
        dti_pool_give(storage->pool, storage->block);
    else if (storage->release)
        storage->release(storage->release_arg, storage->block.data);
    free_storage(storage);
}

/* ---- Memory that a dry run counts ---------------------------------------- */

static dt_status refuse_bytes(dt_world *world, size_t bytes, dt_dtype dtype,
                              dt_shape shape)
{
    char what[256];
    snprintf(what, sizeof what, "an array of %s and shape %s",
             dt_dtype_name(dtype), dti_shape_show(shape).text);
    return dti_fail_memory(world, bytes, what);
}

/* Count the memory that a meta array stands for. */
static dt_status add_ghost(dt_world *world, dt_array *array)
{
    dti_ghost *ghost = malloc(sizeof *ghost);
    if (!ghost)
        return dti_fail_memory(world, sizeof *ghost, "an array");
    dti_reference_init(&ghost->reference);
    ghost->pool = world->pool;
    if (dti_pool_claim(world->pool, dt_array_bytes(array), &ghost->bytes) !=
        DT_OK) {
        free(ghost);
        return refuse_bytes(world, dt_array_bytes(array), array->dtype,
                            array->shape);
    }
    array->ghost = ghost;
    return DT_OK;
}

static void release_ghost(dti_ghost *ghost)
{
    if (!ghost || !dti_reference_release(&ghost->reference))
        return;
    dti_pool_unclaim(ghost->pool, ghost->bytes);
    free(ghost);
}

/* ---- Making -------------------------------------------------------------- */

dt_status dt_array_create(dt_world *world, dt_dtype dtype, dt_shape shape,
                          dt_array **out)
{
    DTI_ENTRY();
    int64_t count = 0;
    DTI_TRY(dti_shape_check(world, dtype, shape, &count));
    size_t bytes = (size_t)count * dt_dtype_size(dtype);
    dti_block block = {0};
    if (dti_pool_take(world->pool, bytes, &block) != DT_OK)
        return refuse_bytes(world, bytes, dtype, shape);
    dt_status status = DT_OK;
    dti_storage *storage = make_storage(block, world->pool);
    if (!storage) {
        status = dti_fail_memory(world, sizeof *storage, "a storage");
        goto give_block;
    }
    int64_t strides[DT_MAX_NDIM];
    dti_strides_row_major(shape, strides);
    status = make_array(world, dtype, shape, strides, 0, storage, out);
    if (status != DT_OK)
        goto free_storage;
    return DT_OK;

free_storage:
    free_storage(storage);
give_block:
    dti_pool_give(world->pool, block);
    return status;
}

dt_status dti_array_create_meta_as(dt_world *world, const dt_array *form,
                                   dt_array **out)
{
    dt_array *array = NULL;
    DTI_TRY(make_array(world, form->dtype, form->shape, form->strides, 0, NULL,
                       &array));
    dt_status status = DT_OK;
    if (world->settings.dry_run)
        status = add_ghost(world, array);
    if (status == DT_OK)
        *out = array;
    else
        dt_array_release(array);
    return status;
}

dt_status dti_array_create_uncounted(dt_world *world, dt_dtype dtype,
                                     dt_shape shape, dt_array **out)
{
    int64_t count = 0, strides[DT_MAX_NDIM];
    DTI_TRY(dti_shape_check(world, dtype, shape, &count));
    dti_strides_row_major(shape, strides);
    return make_array(world, dtype, shape, strides, 0, NULL, out);
}

dt_status dt_array_create_meta(dt_world *world, dt_dtype dtype, dt_shape shape,
                               dt_array **out)
{
    int64_t count = 0;
    dt_array form;
    DTI_TRY(dti_shape_check(world, dtype, shape, &count));
    dti_array_form(dtype, shape, &form);
    return dti_array_create_meta_as(world, &form, out);
}

dt_status dti_array_create_elements(dt_world *world, dt_dtype dtype,
                                    dt_shape shape, dt_array **out)
{
    if (world->settings.dry_run)
        return dt_array_create_meta(world, dtype, shape, out);
    return dt_array_create(world, dtype, shape, out);
}

void dti_array_form(dt_dtype dtype, dt_shape shape, dt_array *out)
{
    *out = (dt_array){.dtype = dtype,
                      .contiguous = true,
                      .shape = shape,
                      .count = dt_shape_count(shape)};
    dti_strides_row_major(shape, out->strides);
}

/* A storage and the first array that views it, in one piece of memory. */
typedef struct pair {
    dti_storage storage;
    dt_array array;
} pair;

dt_status dti_array_create_as(dt_world *world, const dt_array *form,
                              dt_array **out)
{
    size_t bytes = (size_t)form->count * dti_dtype_size(form->dtype);
    pair *both = malloc(sizeof *both);
    if (!both)
        return dti_fail_memory(world, sizeof *both, "an array");
    both->storage = (dti_storage){.pool = world->pool};
    if (dti_pool_take(world->pool, bytes, &both->storage.block) != DT_OK) {
        free(both);
        return refuse_bytes(world, bytes, form->dtype, form->shape);
    }
    dti_reference_init(&both->storage.reference);
    both->array = *form;
    dti_reference_init(&both->array.reference);
    both->array.paired = true;
    both->array.storage = &both->storage;
    dti_live_add(DTI_LIVE_STORAGE, 1);
    dti_live_add(DTI_LIVE_ARRAY, 1);
    dti_handle_made(world, DTI_LIVE_ARRAY, &both->array);
    *out = &both->array;
    return DT_OK;
}

/* Elements are read and written as what they are, so they must be aligned. */
static dt_status check_address(dt_world *world, const dt_wrap_options *options,
                               int64_t count)
{
    if (!options->data && count > 0)
        return dti_fail(
            world, DT_ERR_INVALID,
            "dt_array_wrap: data is NULL, but shape %s has elements",
            dti_shape_show(options->shape).text);
    size_t alignment = dti_dtype_alignment(options->dtype);
    if ((uintptr_t)options->data % alignment)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_array_wrap: address %p is not aligned to %zu "
                        "bytes, the size of %s",
                        options->data, alignment,
                        dt_dtype_name(options->dtype));
    return DT_OK;
}

dt_status dt_array_wrap(dt_world *world, const dt_wrap_options *options,
                        dt_array **out)
{
    DTI_ENTRY();
    dt_wrap_options usual = DT_WRAP_OPTIONS_INIT;
    options = dti_options_read(world, options, &usual, sizeof usual,
                               "DT_WRAP_OPTIONS_INIT");
    if (!options)
        return DT_ERR_INVALID;
    int64_t count = 0;
    DTI_TRY(dti_shape_check(world, options->dtype, options->shape, &count));
    DTI_TRY(check_address(world, options, count));
    int64_t strides[DT_MAX_NDIM];
    dti_strides_row_major(options->shape, strides);
    for (int i = 0; options->strides && i < options->shape.ndim; i++)
        strides[i] = options->strides[i];
    int64_t last;
    DTI_TRY(dti_strides_check(world, options->dtype, options->shape, strides,
                              &last));
    dti_block block = {.data = options->data};
    if (count)
        block.bytes = (size_t)(last + 1) * dt_dtype_size(options->dtype);
    dti_storage *storage = make_storage(block, NULL);
    if (!storage)
        return dti_fail_memory(world, sizeof *storage, "a storage");
    storage->release = options->release;
    storage->release_arg = options->release_arg;
    storage->read_only = options->read_only;
    dt_status status = make_array(world, options->dtype, options->shape,
                                  strides, 0, storage, out);
    if (status != DT_OK)
        free_storage(storage);
    return status;
}

dt_status dti_array_view_as(dt_world *world, dt_array *base, dt_dtype dtype,
                            dt_shape shape, const int64_t *strides,
                            int64_t offset, dt_array **out)
{
    DTI_TRY(
        make_array(world, dtype, shape, strides, offset, base->storage, out));
    if (base->storage)
        dti_reference_retain(&base->storage->reference);
    if (base->ghost)
        dti_reference_retain(&base->ghost->reference);
    (*out)->ghost = base->ghost;
    return DT_OK;
}

dt_status dti_array_view(dt_world *world, dt_array *base, dt_shape shape,
                         const int64_t *strides, int64_t offset, dt_array **out)
{
    return dti_array_view_as(world, base, base->dtype, shape, strides, offset,
                             out);
}

dt_array *dt_array_retain(dt_array *array)
{
    if (!dti_handle_usable(array, __func__))
        return NULL;
    if (array)
        dti_reference_retain(&array->reference);
    return array;
}

void dt_array_release(dt_array *array)
{
    DTI_ENTRY();
    if (dti_handle_usable(array, __func__))
        dti_array_release(array);
}

void dti_array_destroy(dt_array *array)
{
    dti_handle_gone(array);
    dti_live_add(DTI_LIVE_ARRAY, -1);
    release_ghost(array->ghost);
    bool paired = array->paired; /* it may be gone with its storage */
    release_storage(array->storage);
    if (!paired)
        dti_handle_free(array);
}

/* Tell whether an array that is asked what it is was neither NULL nor released.
 */
static inline bool is_given(const dt_array *array, const char *function)
{
    return array && dti_handle_readable(array, function);
}

dt_dtype dt_array_dtype(const dt_array *array)
{
    return is_given(array, __func__) ? array->dtype : DT_DTYPE_COUNT;
}

dt_shape dt_array_shape(const dt_array *array)
{
    return is_given(array, __func__) ? array->shape : (dt_shape){0};
}

int dt_array_ndim(const dt_array *array)
{
    return is_given(array, __func__) ? array->shape.ndim : 0;
}

static inline bool has_dim(const dt_array *array, int dim, const char *function)
{
    return is_given(array, function) && dim >= 0 && dim < array->shape.ndim;
}

int64_t dt_array_extent(const dt_array *array, int dim)
{
    return has_dim(array, dim, __func__) ? array->shape.dims[dim] : 0;
}

int64_t dt_array_stride(const dt_array *array, int dim)
{
    return has_dim(array, dim, __func__) ? array->strides[dim] : 0;
}

int64_t dt_array_count(const dt_array *array)
{
    return is_given(array, __func__) ? array->count : 0;
}

size_t dt_array_bytes(const dt_array *array)
{
    if (!is_given(array, __func__))
        return 0;
    return (size_t)array->count * dt_dtype_size(array->dtype);
}

bool dt_array_is_meta(const dt_array *array)
{
    return is_given(array, __func__) && !array->storage;
}

bool dt_array_is_contiguous(const dt_array *array)
{
    return is_given(array, __func__) && array->contiguous;
}

static bool is_read_only(const dt_array *array)
{
    return array->storage && array->storage->read_only;
}

bool dt_array_is_read_only(const dt_array *array)
{
    return is_given(array, __func__) && is_read_only(array);
}

void dti_array_pend(const dt_array *array, dti_pending *pending, bool writes,
                    void (*wait)(dti_pending *pending))
{
    dti_storage *storage = array->storage;
    pending->next = storage->pending;
    pending->writes = writes;
    pending->wait = wait;
    pending->failure = NULL;
    storage->pending = pending;
}

void dti_array_unpend(const dt_array *array, dti_pending *pending)
{
    dti_pending **link = &array->storage->pending;
    while (*link && *link != pending)
        link = &(*link)->next;
    assert(*link == pending);
    if (*link)
        *link = pending->next;
}

/* Wait for calls that write a storage and, if asked, for those that read it.
 * A wait may complete other calls too, so the list is read anew after it. */
void dti_array_wait(const dt_array *array, bool readers)
{
    const dti_storage *storage = array->storage;
    dti_pending *pending = storage->pending;
    while (pending) {
        if (!pending->failure && (readers || pending->writes)) {
            pending->wait(pending);
            pending = storage->pending;
        } else {
            pending = pending->next;
        }
    }
}

/* ---- What never came ----------------------------------------------------- */

size_t dti_array_span(const dt_array *array)
{
    int64_t last = 0;
    for (int i = 0; i < array->shape.ndim; i++)
        last += (array->shape.dims[i] - 1) * array->strides[i];
    return (size_t)(last + 1) * dt_dtype_size(array->dtype);
}

void dti_array_lose(const dt_array *array, dti_pending *pending,
                    const dt_error *failure,
                    void (*forget)(dti_pending *pending))
{
    pending->begin = dti_array_address(array);
    pending->bytes = dti_array_span(array);
    forget_losses(array->storage, pending->begin,
                  pending->begin + pending->bytes);
    pending->forget = forget;
    pending->failure = failure;
}

const dt_error *dti_array_loss(const dt_array *array)
{
    const dti_pending *one = array->storage->pending;
    if (array->count == 0)
        return NULL;
    const char *begin = dti_array_address(array);
    const char *end = begin + dti_array_span(array);
    while (one && !(one->failure && one->begin < end &&
                    begin < one->begin + one->bytes))
        one = one->next;
    return one ? one->failure : NULL;
}

void dti_array_renew(const dt_array *array)
{
    if (DTI_LIKELY(!array->storage->pending) || array->count == 0)
        return;
    const char *begin = dti_array_address(array);
    size_t span = dti_array_span(array);
    if (span == dt_array_bytes(array)) /* else there is more in between */
        forget_losses(array->storage, begin, begin + span);
}

dt_status dti_array_settle_calls(dt_world *world, const dt_array *array)
{
    dti_array_wait(array, false);
    const dt_error *loss = dti_array_loss(array);
    if (!loss)
        return DT_OK;
    return dti_fail(
        world, loss->code,
        "the elements of an array of %s and shape %s are undefined, because "
        "the call that should write them failed: %.*s",
        dt_dtype_name(array->dtype), dti_shape_show(array->shape).text,
        DT_ERROR_SIZE / 2, loss->message);
}

dt_status dt_array_wait(dt_world *world, const dt_array *array)
{
    DTI_TRY(dti_array_given(world, array, "dt_array_wait"));
    return dti_array_settle(world, array);
}

/* ---- Elements ------------------------------------------------------------ */

/* The address of elements that no call is under way with; NULL if some are
 * lost. */
static void *find_elements(const dt_array *array, bool to_write)
{
    if (!array || array->count == 0)
        return NULL;
    if (!array->storage) {
        if (array->ghost)
            dti_pool_ask(array->ghost->pool);
        return NULL;
    }
    if (DTI_UNLIKELY(array->storage->pending)) {
        dti_array_wait(array, to_write);
        if (dti_array_loss(array))
            return NULL;
    }
    return dti_array_address(array);
}

void *dt_array_data(dt_array *array)
{
    if (!dti_handle_usable(array, __func__) || !array || is_read_only(array))
        return NULL;
    return find_elements(array, true);
}

const void *dt_array_const_data(const dt_array *array)
{
    if (!dti_handle_usable(array, __func__))
        return NULL;
    return find_elements(array, false);
}
