/* ops/index/compact.c - as many elements as values say. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/index/compact.h"

#include <string.h>

#include <dtensor/create.h>
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/index/compact.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/settle.h"
#include "ops/helpers/tables.h"
#include "tensor/tensor.h"

/*
 * How many elements there are depends on values, so no rule can say what the
 * result is.  Tensors are brought to a layout in which ranks hold whole rows,
 * one rank behind another, or everything; each compacts its own part, the ranks
 * tell each other how much that is, and what they have is put into a result
 * that is cut evenly.  Replicated tensors need no word.  A rank outside the
 * mesh is not told, and has a result of no elements.
 */

/* ---- Layouts ------------------------------------------------------------ */

/* Tell whether ranks hold rows one behind another. */
static bool holds_rows(const dt_spec *spec)
{
    if (!spec->default_order || spec->partial)
        return false;
    for (int i = 0; i < spec->layout.ndim; i++) {
        const dt_placement *at = &spec->layout.placements[i];
        if (at->kind != DT_REPLICATE && (at->kind != DT_SHARD || at->dim != 0))
            return false;
    }
    return true;
}

static dt_layout replicated(const dt_mesh *mesh)
{
    dt_layout layout = {.ndim = mesh->dims.ndim};
    for (int i = 0; i < layout.ndim; i++)
        layout.placements[i] = dt_replicate();
    return layout;
}

/* The layout that several tensors are brought to: that of the first one of
 * which ranks hold rows, if it is cut. */
static const char *common_layout(dt_tensor *const *tensors, int count)
{
    const dt_spec *spec = tensors[0]->spec;
    dt_layout layout = replicated(spec->mesh);
    for (int i = count - 1; i >= 0; i--)
        if (holds_rows(tensors[i]->spec) && tensors[i]->spec->sharded)
            layout = tensors[i]->spec->layout;
    return dt_layout_text(tensors[0]->world, &layout);
}

/* A tensor in a layout, this rank's part of it dense. */
static dt_status bring(const dt_operation *operation, dt_tensor *tensor,
                       const char *layout, dt_array **out)
{
    DTI_TRY(dti_settle_mode(operation, tensor, layout));
    dt_tensor *moved = dt_redistribute(tensor, layout);
    if (!moved)
        return dti_failure_of(tensor->world);
    dt_status status = dti_scratch_contiguous(operation, moved->local, out);
    if (moved != tensor)
        dt_tensor_release_early(moved);
    return status;
}

/* ---- Results ------------------------------------------------------------ */

/* Parts of a result, and where this rank's own lies among them. */
typedef struct parts {
    const dt_operation *operation;
    dt_mesh *mesh;
    const char *layout;
    dt_array *own; /* its first dimension is what was kept */
    int64_t total, before;
} parts;

/* Put the counts of all parts together: one for each part, cut as rows are. */
static dt_status count_all(parts *of)
{
    dt_array *own = NULL, *all = NULL;
    int64_t count = of->own->shape.dims[0];
    DTI_TRY(dti_scratch_create(of->operation, DT_I64, DT_SHAPE(1), &own));
    *(int64_t *)dt_array_data(own) = count;
    dt_tensor *counts = dt_from_local(of->mesh, of->layout, own);
    dt_tensor *whole = dt_full_tensor(counts);
    dt_status status = whole ? DT_OK : dti_failure_of(of->mesh->world);
    if (whole && of->mesh->place >= 0) {
        all = dt_tensor_local(whole);
        const int64_t *each = dt_array_const_data(all);
        int64_t part = counts->spec->local_offset[0];
        for (int64_t i = 0; i < dt_array_count(all); i++) {
            of->before += i < part ? each[i] : 0;
            of->total += each[i];
        }
    }
    dt_tensor_release_early(whole);
    dt_tensor_release_early(counts);
    return status;
}

/* One of the ranks that hold the same rows gives them. */
static bool is_first_holder(const dt_spec *spec)
{
    for (int i = 0; i < spec->layout.ndim; i++)
        if (spec->layout.placements[i].kind == DT_REPLICATE &&
            spec->mesh->coordinate[i] != 0)
            return false;
    return true;
}

static dt_status put_parts(const parts *of, dt_tensor **out)
{
    dt_shape shape = of->own->shape;
    dt_box box = {.ndim = shape.ndim, .offset = {of->before}};
    for (int i = 0; i < shape.ndim; i++)
        box.size[i] = shape.dims[i];
    shape.dims[0] = of->total;
    dt_tensor *result = dt_empty(of->mesh, of->layout, of->own->dtype, shape);
    if (!result)
        return dti_failure_of(of->mesh->world);
    bool gives = of->mesh->place >= 0 && dt_array_count(of->own) > 0 &&
                 is_first_holder(result->spec);
    DTI_TRY(dt_tensor_put(result, gives ? &box : NULL, gives ? of->own : NULL));
    *out = result;
    return DT_OK;
}

static bool is_cut(const dt_tensor *tensor)
{
    return tensor->spec->sharded;
}

/* Make the result of what this rank kept. */
static dt_status gather_parts(const dt_operation *operation, dt_tensor *like,
                              const char *layout, dt_array *own,
                              dt_tensor **out)
{
    parts of = {.operation = operation,
                .mesh = like->spec->mesh,
                .layout = layout,
                .own = own};
    dt_tensor *form = dt_empty(of.mesh, layout, DT_BOOL, DT_SHAPE(1));
    dt_status status = form ? DT_OK : dti_failure_of(like->world);
    if (form && !is_cut(form)) {
        *out = dt_from_local(of.mesh, layout, own);
        status = *out ? DT_OK : dti_failure_of(like->world);
    } else if (form) {
        status = count_all(&of);
        if (status == DT_OK)
            status = put_parts(&of, out);
    }
    dt_tensor_release_early(form);
    return status;
}

dt_status dti_compact_check(const dt_operation *operation,
                            const dt_tensor *tensor)
{
    if (!dt_array_is_meta(tensor->local) || !tensor->spec->member)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_UNSUPPORTED,
        "the shape of the result depends on values, but %s is a meta tensor",
        dti_spec_show(tensor->spec).text);
}

dt_status dti_compact_beside(const dt_operation *operation,
                             const dt_tensor *self, const dt_tensor *tensor,
                             const char *name)
{
    if (dt_mesh_equal(tensor->spec->mesh, self->spec->mesh))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "%s, %s, is on a different mesh than self", name,
                             dti_spec_show(tensor->spec).text);
}

/* ---- masked_select ------------------------------------------------------ */

/* What a mask keeps of an array that has its dimensions first: elements, or
 * what the dimensions behind them are. */
static dt_status compact_arrays(const dt_operation *operation,
                                const dt_array *self, const dt_array *mask,
                                dt_array **out)
{
    const unsigned char *kept = dt_array_const_data(mask);
    int64_t count = dti_compact_count(kept, mask->count);
    size_t item = dt_dtype_size(self->dtype);
    dt_shape shape = DT_SHAPE(count);
    for (int i = mask->shape.ndim; i < self->shape.ndim; i++) {
        item *= (size_t)self->shape.dims[i];
        shape.dims[shape.ndim++] = self->shape.dims[i];
    }
    DTI_TRY(dti_scratch_create(operation, self->dtype, shape, out));
    if (dt_array_count(*out) > 0)
        dti_compact(dt_array_const_data(self), item, kept, mask->count,
                    dt_array_data(*out));
    return DT_OK;
}

dt_status dti_compact_tensor(dt_operation *operation, dt_tensor *self,
                             dt_tensor *mask, dt_tensor **out)
{
    dt_array *values = NULL, *kept = NULL, *own = NULL;
    dt_tensor *both[] = {self, mask};
    DTI_TRY(dti_compact_beside(operation, self, mask, "the mask"));
    const char *layout = common_layout(both, 2);
    if (!layout)
        return dti_failure_of(operation->world);
    DTI_TRY(bring(operation, self, layout, &values));
    DTI_TRY(bring(operation, mask, layout, &kept));
    dt_status status = compact_arrays(operation, values, kept, &own);
    if (status == DT_OK)
        status = gather_parts(operation, self, layout, own, out);
    dti_collective_end_on(self->spec->mesh, status);
    return status;
}

/* The shape that two shapes broadcast to; false if they do not. */
static bool broadcast(dt_shape a, dt_shape b, dt_shape *out)
{
    *out = a.ndim > b.ndim ? a : b;
    for (int i = 1; i <= a.ndim && i <= b.ndim; i++) {
        int64_t x = a.dims[a.ndim - i], y = b.dims[b.ndim - i];
        if (x != y && x != 1 && y != 1)
            return false;
        out->dims[out->ndim - i] = x == 1 ? y : x;
    }
    return true;
}

static dt_status masked_select(dt_operation *operation)
{
    dt_shape shape;
    dt_tensor *self = operation->inputs[0], *mask = operation->inputs[1];
    dt_dtype dtype = dt_tensor_dtype(mask);
    DTI_TRY(dti_compact_check(operation, self));
    DTI_TRY(dti_compact_check(operation, mask));
    if (dtype != DT_BOOL)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "mask is %s; expected bool",
                                 dt_dtype_name(dtype));
    if (!broadcast(dt_tensor_shape(self), dt_tensor_shape(mask), &shape))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "shapes of self, %s, and mask, %s, cannot be broadcast",
            dti_shape_show(dt_tensor_shape(self)).text,
            dti_shape_show(dt_tensor_shape(mask)).text);
    dt_tensor *wide = dt_expand(self, shape), *over = dt_expand(mask, shape);
    dt_status status = wide && over ? dti_compact_tensor(operation, wide, over,
                                                         &operation->outputs[0])
                                    : dti_failure_of(operation->world);
    dt_tensor_release_early(wide);
    dt_tensor_release_early(over);
    return status;
}

/* ---- nonzero ------------------------------------------------------------ */

static dt_status find_nonzero(const dt_operation *operation, dt_array *self,
                              int64_t first, dt_array **out)
{
    const int ndim = dt_tensor_ndim(operation->inputs[0]);
    dt_array *truth = NULL;
    DTI_TRY(dti_scratch_cast(operation, self, DT_BOOL, &truth));
    const unsigned char *kept = dt_array_const_data(truth);
    int64_t count = dti_compact_count(kept, truth->count);
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(count, ndim), out));
    if (dt_array_count(*out) > 0)
        dti_compact_indexes(kept, self->shape, first, count,
                            dt_array_data(*out));
    return DT_OK;
}

static dt_status nonzero(dt_operation *operation)
{
    dt_array *own = NULL, *found = NULL;
    dt_tensor *self = operation->inputs[0];
    DTI_TRY(dti_compact_check(operation, self));
    const char *layout = common_layout(&self, 1);
    if (!layout)
        return dti_failure_of(operation->world);
    bool stays = holds_rows(self->spec) && self->spec->sharded;
    int64_t first = stays ? self->spec->local_offset[0] : 0;
    DTI_TRY(bring(operation, self, layout, &own));
    dt_status status = find_nonzero(operation, own, first, &found);
    if (status == DT_OK)
        status = gather_parts(operation, self, layout, found,
                              &operation->outputs[0]);
    return dti_collective_end_on(self->spec->mesh, status);
}

/* ---- Gradients ---------------------------------------------------------- */

/* The gradient goes to where the elements were, in a tensor that self was
 * broadcast to. */
static dt_status masked_select_backward(dt_backward_call *call)
{
    dt_shape shape;
    broadcast(call->in_specs[0]->meta.shape, call->in_specs[1]->meta.shape,
              &shape);
    dt_tensor *zeros = dti_backward_zeros(call->in_specs[0], shape);
    return dti_give_gradient(
        call, 0, dt_masked_scatter(zeros, call->inputs[1], call->grads[0]));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_compact[] = {
    {
        .schema = "masked_select(Tensor self, Tensor mask) -> Tensor",
        .about = "Elements where a mask is true, in row-major order; the mask "
                 "is broadcast.  The result is sharded evenly if rows of self "
                 "or of the mask are sharded, otherwise replicated.",
        .compose = masked_select,
        .gradient = "self: function(mask); mask: none",
        .backward = masked_select_backward,
        .samples = "(T[m,n], bool[m,n]); (T[m,n], bool[n]); (T[n], bool[m,n]); "
                   "(T[], bool[]); (T[m], bool[])",
    },
    {
        .schema = "nonzero(Tensor self) -> Tensor",
        .about = "Indexes of nonzero elements, one row each, in row-major "
                 "order.  The result is sharded evenly if rows of self are "
                 "sharded, otherwise replicated.",
        .compose = nonzero,
        .gradient = "none",
        .samples = "(T[m,n]); (bool[m,3,n]); (bool[m]); (bool[])",
    },
    {0},
};
