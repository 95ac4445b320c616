/* op/call/results.c - the parts that a kernel reads and writes, and what
 * becomes of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "op/call/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "mesh/mesh.h"
#include "tensor/view.h"

/* ---- Parts -------------------------------------------------------------- */

static dt_status open_many(dt_world *world, size_t in, size_t out,
                           dti_parts *at)
{
    const size_t bytes = (in + 2 * out + 2) * sizeof(dt_array *) + in;
    at->heap = malloc(bytes);
    if (!at->heap)
        return dti_fail_memory(world, bytes, "a call");
    at->in = at->heap;
    at->owned = (bool *)(at->in + in + 2 * out + 2);
    return DT_OK;
}

dt_status dti_parts_open(dt_world *world, const dti_decision *decision,
                         dti_parts *at)
{
    const size_t in = (size_t)decision->input_count;
    const size_t out = (size_t)decision->result_count;
    at->heap = NULL;
    at->copy = NULL;
    at->meta = false;
    at->arranged = 0;
    at->in = at->few;
    at->owned = at->few_owned;
    if (DTI_UNLIKELY(in > DTI_FEW_INPUTS || out > DTI_FEW_INPUTS))
        DTI_TRY(open_many(world, in, out, at));
    at->out = at->in + in;
    at->masks = at->out + out;
    /* Most calls have one result, which is too short for a memset. */
    at->out[0] = at->out[1] = NULL;
    if (DTI_UNLIKELY(out > 1))
        memset(at->out, 0, 2 * out * sizeof(dt_array *));
    return DT_OK;
}

void dti_parts_close(const dti_decision *decision, dti_parts *at)
{
    for (int i = 0; i < at->arranged; i++)
        if (at->owned[i])
            dti_array_release(at->in[i]);
    for (int i = 0; i < decision->result_count; i++) {
        dti_array_release(at->out[i]);
        dti_array_release(at->masks[i]);
    }
    dti_array_release(at->copy);
    if (DTI_UNLIKELY(at->heap))
        free(at->heap);
}

/* ---- Where results go --------------------------------------------------- */

static bool is_view(const dti_request *request)
{
    return request->op->op->flags & DT_OP_VIEW;
}

/* How far apart the rows of an array are, in bytes: its largest stride. */
static int64_t pitch_of(const dt_array *array)
{
    int64_t pitch = 0;
    for (int i = 0; i < array->shape.ndim; i++)
        if (array->shape.dims[i] > 1 && array->strides[i] > pitch)
            pitch = array->strides[i];
    return pitch * (int64_t)dt_dtype_size(array->dtype);
}

/* The bytes that an array has of each row; -1 if strides are not of this kind.
 */
static int64_t width_of(const dt_array *array, int64_t pitch)
{
    const int64_t item = (int64_t)dt_dtype_size(array->dtype);
    int64_t width = item;
    for (int i = 0; i < array->shape.ndim; i++) {
        const int64_t stride = array->strides[i] * item;
        if (array->shape.dims[i] == 1 || stride % pitch == 0)
            continue;
        if (stride > pitch)
            return -1;
        width += (array->shape.dims[i] - 1) * stride;
    }
    return width;
}

/* Tell whether two arrays are different columns of the same rows. */
static bool are_side_by_side(const dt_array *a, const dt_array *b)
{
    const int64_t pitch = pitch_of(a);
    if (pitch == 0 || pitch_of(b) != pitch)
        return false;
    const int64_t one = width_of(a, pitch), other = width_of(b, pitch);
    const int64_t apart = (int64_t)((const char *)dti_array_address(b) -
                                    (const char *)dti_array_address(a));
    const int64_t between = (apart % pitch + pitch) % pitch;
    return one > 0 && other > 0 && between >= one && between + other <= pitch;
}

static bool have_common_memory(const dt_array *a, const dt_array *b)
{
    return a->storage && b->storage && a->count > 0 && b->count > 0 &&
           dti_arrays_overlap(a, b) && !are_side_by_side(a, b);
}

static dt_status refuse_pair(const dti_request *request, int one, int other)
{
    const int *overwrites = request->op->schema.overwrites;
    dti_input_text name = dti_input_show(request, overwrites[one]);
    return dti_fail(request->world, DT_ERR_INVALID,
                    "%s: %s and %s are both overwritten but share memory",
                    request->op->schema.name, name.text,
                    dti_input_show(request, overwrites[other]).text);
}

/* Refuse what has one element in several places: parts of it that are short may
 * have it once. */
static dt_status check_repeats(const dti_request *request, const dt_meta *meta)
{
    for (int i = 0; i < meta->shape.ndim; i++)
        if (meta->strides[i] == 0 && meta->shape.dims[i] > 1)
            return dti_fail(request->world, DT_ERR_INVALID,
                            "%s: cannot write to a tensor whose dimension %d "
                            "is expanded; use dt_clone first",
                            request->op->schema.name, i);
    return DT_OK;
}

/* Check that what is written to a copied view reaches the tensor that it
 * views. */
static dt_status check_target(const dti_request *request,
                              const dt_tensor *target, int result)
{
    if (DTI_LIKELY(!target->copied))
        return DT_OK;
    if (request->variant == DT_VARIANT_OUT)
        return dti_write_check(target, request->op->schema.name, "out");
    const int input = request->op->schema.overwrites[result];
    return dti_write_check(target, request->op->schema.name,
                           dti_input_show(request, input).text);
}

static bool is_written_twice(const dt_tensor *one, const dt_tensor *other)
{
    return one == other || (other && dti_copies_overlap(one, other));
}

dt_status dti_results_check_tensors(const dti_request *request,
                                    const dti_decision *decision)
{
    for (int i = 0; i < decision->result_count; i++) {
        const dt_tensor *target = dti_request_target(request, i);
        if (!target)
            continue;
        if (dt_spec_count(target->spec) > 0)
            DTI_TRY(check_repeats(request, &target->spec->meta));
        DTI_TRY(check_target(request, target, i));
        for (int k = 0; k < i; k++)
            if (is_written_twice(target, dti_request_target(request, k)))
                return refuse_pair(request, k, i);
    }
    return DT_OK;
}

/* No two results go to the same memory. */
static dt_status check_apart(const dti_request *request, int result)
{
    const dt_array *one = dti_request_target(request, result)->local;
    for (int i = 0; i < result; i++) {
        const dt_tensor *other = dti_request_target(request, i);
        if (other && have_common_memory(one, other->local))
            return refuse_pair(request, i, result);
    }
    return DT_OK;
}

dt_status dti_results_check(const dti_request *request,
                            const dti_decision *decision)
{
    if (decision->mesh->place < 0)
        return DT_OK;
    for (int i = 0; i < decision->result_count; i++) {
        const dt_tensor *target = dti_request_target(request, i);
        if (!target)
            continue;
        DTI_TRY(dti_write_check_memory(target));
        DTI_TRY(check_apart(request, i));
    }
    return DT_OK;
}

dt_status dti_results_unmask(const dti_request *request,
                             const dti_decision *decision)
{
    for (int i = 0; i < decision->result_count; i++) {
        dt_tensor *target = dti_request_target(request, i);
        if (target)
            DTI_TRY(dti_tensor_unmask(target));
    }
    return DT_OK;
}

dt_status dti_results_begin(const dti_request *request,
                            const dti_decision *decision)
{
    const bool blind = request->variant == DT_VARIANT_OUT ||
                       request->op->op->flags & DT_OP_NO_READ;
    for (int i = 0; i < decision->result_count; i++) {
        const dt_tensor *target = dti_request_target(request, i);
        if (target)
            DTI_TRY(dti_write_begin(target, blind));
    }
    for (int i = 0; i < decision->result_count; i++) {
        const dt_tensor *target = dti_request_target(request, i);
        if (target)
            dti_version_raise(target, request->op->schema.name);
    }
    return DT_OK;
}

/* Tell whether two arrays are the same elements, in order. */
static bool is_same(const dt_array *a, const dt_array *b)
{
    return a->storage == b->storage && a->offset == b->offset &&
           a->contiguous && b->contiguous &&
           dt_shape_equal(a->shape, b->shape) && a->dtype == b->dtype;
}

/* Tell whether elements of an array never came, once calls that were to write
 * them have ended. */
static bool is_lost(const dt_array *array)
{
    if (DTI_LIKELY(!array->storage || !array->storage->pending))
        return false;
    dti_array_wait(array, false);
    return dti_array_loss(array);
}

/* Tell whether a kernel may write where a result is to lie: in order, and over
 * no input but the one that the result overwrites in place, if that is the same
 * element by element. */
static bool is_direct(const dti_request *request, const dti_decision *decision,
                      const dti_parts *at, int result, const dt_array *target)
{
    const bool in_place = request->op->op->flags & DT_OP_IN_PLACE;
    const int own = request->op->schema.overwrites[result];
    if (!target->contiguous || target->dtype != decision->results[result].dtype)
        return false;
    if (is_lost(target))
        return false; /* the copy that follows makes it whole */
    for (int i = 0; i < decision->input_count; i++) {
        const dt_array *in = at->in[i];
        if (!in || !have_common_memory(in, target))
            continue;
        if (!in_place || i != own || !is_same(in, target))
            return false;
    }
    return true;
}

/* ---- Making and giving them --------------------------------------------- */

dt_status dti_results_create(const dti_request *request,
                             const dti_decision *decision, dti_parts *at)
{
    const bool view = is_view(request), here = decision->mesh->place >= 0;
    if (view && here)
        return DT_OK;
    for (int i = 0; i < decision->result_count; i++) {
        const dt_array *form = &decision->forms[i];
        const dt_tensor *target =
            view || !here ? NULL : dti_request_target(request, i);
        if (target && is_direct(request, decision, at, i, target->local)) {
            at->out[i] = dt_array_retain(target->local);
        } else if (at->meta) {
            DTI_TRY(
                dti_array_create_meta_as(request->world, form, &at->out[i]));
        } else {
            DTI_TRY(dti_array_create_as(request->world, form, &at->out[i]));
            dti_array_prepare_new(at->out[i]); /* the kernel fills it */
        }
    }
    return DT_OK;
}

/* Tell whether a mask is one of the first dimensions of a result. */
static bool fits_mask(const dt_array *mask, const dt_array *out)
{
    bool fits = mask->dtype == DT_BOOL && mask->shape.ndim <= out->shape.ndim &&
                mask->contiguous && out->contiguous;
    for (int i = 0; fits && i < mask->shape.ndim; i++)
        fits = mask->shape.dims[i] == out->shape.dims[i];
    return fits;
}

static dt_status mask_result(const dt_operation *operation, int result)
{
    const dt_array *mask = operation->masks[result];
    dt_array *out = operation->out[result];
    if (out->count == 0 || !out->storage)
        return DT_OK;
    if (!fits_mask(mask, out))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "the mask of result %d, %s %s, does not match "
                                 "the first dimensions of %s",
                                 result, dt_dtype_name(mask->dtype),
                                 dti_shape_show(mask->shape).text,
                                 dti_shape_show(out->shape).text);
    if (operation->op->flags & DT_OP_ZEROES_MASK)
        return DT_OK;
    const unsigned char *covered = dt_array_const_data(mask);
    char *data = dt_array_data(out);
    const size_t row = dt_array_bytes(out) / (size_t)mask->count;
    for (int64_t i = 0; i < mask->count; i++)
        if (covered[i])
            memset(data + (size_t)i * row, 0, row);
    return DT_OK;
}

dt_status dti_results_mask(const dt_operation *operation)
{
    for (int i = 0; i < operation->result_count; i++)
        if (operation->masks[i])
            DTI_TRY(mask_result(operation, i));
    return DT_OK;
}

/* ---- Views -------------------------------------------------------------- */

/* What a call's views are views of, if not of the input's memory. */
static dt_status find_copy(const dti_request *request,
                           const dti_decision *decision, const dti_parts *at,
                           dti_copied **out)
{
    dt_tensor *base = request->inputs[0];
    dti_copied form = {.op = request->op->schema.name,
                       .kind = &dti_copied_moved,
                       .spec = decision->in_specs[0],
                       .local = at->in[0],
                       .plan = decision->inputs[0].plan};
    if (at->owned[0])
        return dti_copied_create(base, &form, out);
    form.kind = &dti_copied_alone;
    form.local = at->copy;
    form.plan = NULL;
    return at->copy ? dti_copied_create(base, &form, out) : DT_OK;
}

/* ---- Giving ------------------------------------------------------------- */

/* Put what was computed where it was to go. */
static dt_status put(const dti_request *request, const dti_decision *decision,
                     const dti_parts *at, int result, dt_tensor *target)
{
    /* A view in place is another view. */
    if (is_view(request) && request->variant == DT_VARIANT_IN_PLACE)
        return dti_tensor_turn(target, decision->out_specs[0], at->out[0]);
    if (at->out[result] != target->local && decision->mesh->place >= 0)
        DTI_TRY(dt_array_copy(request->world, at->out[result], target->local));
    return dti_write_end(target);
}

/* Make new tensors of what was computed. */
static dt_status give_new(const dti_decision *decision, dti_parts *at,
                          int result, dt_tensor **out)
{
    *out = dti_tensor_adopt(decision->out_specs[result], at->out[result]);
    if (!*out)
        return DT_ERR_NO_MEMORY;
    (*out)->mask = at->masks[result];
    (*out)->born += (uint32_t)result % DTI_BORN_RESULTS;
    at->out[result] = at->masks[result] = NULL;
    return DT_OK;
}

/* Make views of the first tensor. */
static dt_status give_views(const dti_request *request,
                            const dti_decision *decision, dti_parts *at,
                            dt_tensor **results, int room)
{
    dti_copied *copied = NULL;
    dt_status status = find_copy(request, decision, at, &copied);
    for (int i = 0; status == DT_OK && i < decision->result_count; i++) {
        dt_tensor *one = NULL;
        status = give_new(decision, at, i, &one);
        if (status == DT_OK)
            status = dti_tensor_relate(one, request->inputs[0], copied);
        if (status == DT_OK && i < room)
            results[i] = one;
    }
    dti_copied_release(copied);
    return status;
}

dt_status dti_results_give(const dti_request *request,
                           const dti_decision *decision, dti_parts *at,
                           dt_tensor **results, int room)
{
    if (is_view(request) && request->variant == DT_VARIANT_NEW &&
        !decision->copies)
        return give_views(request, decision, at, results, room);
    for (int i = 0; i < decision->result_count; i++) {
        dt_tensor *one = dti_request_target(request, i);
        if (one)
            DTI_TRY(put(request, decision, at, i, one));
        else
            DTI_TRY(give_new(decision, at, i, &one));
        if (i < room)
            results[i] = one;
    }
    return DT_OK;
}
