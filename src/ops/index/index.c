/* ops/index/index.c - elements named by tensors of indexes, one for each
 * dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/index/put.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/settle.h"
#include "ops/helpers/tables.h"
#include "ops/index/compact.h"
#include "ops/index/gather.h"
#include "ops/index/put.h"

/*
 * Tensors of indexes are broadcast to one shape, which takes the place of the
 * dimensions that they are of, if these are neighbours, and else stands before
 * the dimensions that have none.
 */
typedef struct indexing {
    int first; /* input that is the first of the list */
    int count; /* of the list */
    dt_shape broadcast;
    int at;                /* where it begins in what is named */
    dt_shape shape;        /* of what is named */
    int from[DT_MAX_NDIM]; /* dimensions of self; -1 of the indexes */
} indexing;

/* ---- Reading ------------------------------------------------------------ */

static dt_status check_list(const dt_operation *operation, const indexing *in)
{
    int given = 0, ndim = operation->metas[0]->shape.ndim;
    if (in->count > ndim)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%d index tensors for a tensor of %d dimensions", in->count, ndim);
    for (int i = in->first; i < in->first + in->count; i++) {
        const dt_meta *meta = operation->metas[i];
        given += meta != NULL;
        if (meta)
            DTI_TRY(dti_index_check(operation, i));
    }
    return given
               ? DT_OK
               : dt_operation_fail(
                     operation, DT_ERR_INVALID,
                     "all index tensors are absent; at least one is required");
}

/* Tell whether the dimensions that have indexes are neighbours; `first` gets
 * the first one. */
static bool are_neighbours(const dt_operation *operation, const indexing *in,
                           int *first)
{
    int found = 0, last = 0;
    for (int i = 0; i < in->count; i++) {
        if (!operation->metas[in->first + i])
            continue;
        if (!found++)
            *first = i;
        last = i;
    }
    return last - *first + 1 == found;
}

static bool has_index(const dt_operation *operation, const indexing *in,
                      int dim)
{
    return dim < in->count && operation->metas[in->first + dim];
}

static void put_broadcast(indexing *in)
{
    for (int i = 0; i < in->broadcast.ndim; i++) {
        in->from[in->shape.ndim] = -1;
        in->shape.dims[in->shape.ndim++] = in->broadcast.dims[i];
    }
}

static dt_status read_indexing(const dt_operation *operation, int first,
                               indexing *out)
{
    int begin = 0, kept = 0;
    dt_shape self = operation->metas[0]->shape;
    *out = (indexing){.first = first, .count = operation->input_count - first};
    DTI_TRY(check_list(operation, out));
    DTI_TRY(dti_meta_broadcast(operation, first, operation->input_count - 1,
                               &out->broadcast));
    bool near = are_neighbours(operation, out, &begin);
    for (int i = 0; i < self.ndim; i++)
        kept += !has_index(operation, out, i);
    if (kept + out->broadcast.ndim > DT_MAX_NDIM)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "the result would have %d dimensions; the maximum is %d",
            kept + out->broadcast.ndim, DT_MAX_NDIM);
    out->at = near ? begin : 0;
    for (int i = 0; i < self.ndim; i++) {
        if (i == out->at)
            put_broadcast(out);
        if (has_index(operation, out, i))
            continue;
        out->from[out->shape.ndim] = i;
        out->shape.dims[out->shape.ndim++] = self.dims[i];
    }
    return DT_OK;
}

/* ---- Rules -------------------------------------------------------------- */

/* Let the index tensors that are not broadcast along a dimension have a
 * factor. */
static void put_in_indexes(const dt_operation *operation, const indexing *in,
                           int dim, int factor, dt_factors *out)
{
    for (int i = in->first; i < in->first + in->count; i++) {
        const dt_meta *meta = operation->metas[i];
        int own = meta ? dim - (in->broadcast.ndim - meta->shape.ndim) : -1;
        if (own >= 0 && meta->shape.dims[own] == in->broadcast.dims[dim])
            dti_factor_put(&out->in[i].dims[own], factor);
    }
}

/* More tensors than a rule has maps for are whole. */
static bool begin_rule(const indexing *in, dt_factors *out)
{
    bool few = in->first + in->count <= DT_MAX_FACTOR_MAPS;
    *out = (dt_factors){.in_count = few ? in->first + in->count : 1,
                        .out_count = 1};
    return few;
}

static dt_status index_factors(const dt_operation *operation, dt_factors *out)
{
    indexing in;
    dt_shape self = operation->metas[0]->shape;
    DTI_TRY(read_indexing(operation, 1, &in));
    if (!begin_rule(&in, out))
        return DT_OK;
    for (int i = 0; i < in.shape.ndim; i++) {
        int factor = dti_factor_add(out, DT_FACTOR_FREE, in.shape.dims[i]);
        dti_factor_put(&out->out[0].dims[i], factor);
        if (in.from[i] >= 0)
            dti_factor_put(&out->in[0].dims[in.from[i]], factor);
        else
            put_in_indexes(operation, &in, i - in.at, factor, out);
    }
    for (int i = 0; i < self.ndim; i++)
        if (has_index(operation, &in, i))
            dti_factor_put(&out->in[0].dims[i],
                           dti_factor_add(out, DT_FACTOR_MASKED, self.dims[i]));
    return DT_OK;
}

/* ---- Positions ---------------------------------------------------------- */

/* This rank's part of the shape that indexes are broadcast to. */
static dt_shape local_broadcast(const dt_operation *operation,
                                const indexing *in)
{
    dt_shape shape = in->broadcast;
    for (int i = in->first; i < in->first + in->count; i++) {
        const dt_meta *meta = operation->metas[i];
        int front = meta ? shape.ndim - meta->shape.ndim : shape.ndim;
        for (int d = front; d < shape.ndim; d++)
            if (meta->shape.dims[d - front] == in->broadcast.dims[d])
                shape.dims[d] = operation->in[i]->shape.dims[d - front];
    }
    return shape;
}

/* Add the positions of one tensor of indexes, in elements of an array. */
static dt_status add_positions(const dt_operation *operation,
                               const indexing *in, int dim, int64_t step,
                               dt_array *total)
{
    dt_array *found = NULL, *wide = NULL;
    dti_positions of = {
        .ndim = total->shape.ndim, .total = dt_array_data(total), .step = step};
    DTI_TRY(dti_index_wrapped(operation, in->first + dim, 0, dim, &found));
    DTI_TRY(dti_scratch_expand(operation, found, total->shape, &wide));
    if (total->count == 0)
        return DT_OK;
    for (int i = 0; i < of.ndim; i++) {
        of.dims[i] = total->shape.dims[i];
        of.strides[i] = wide->strides[i];
    }
    of.positions = dt_array_const_data(wide);
    dti_positions_add(&of);
    return DT_OK;
}

/* The only dimension that has an index, of the shape of all; -1: there are
 * several. */
static int only_index(const dt_operation *operation, const indexing *in)
{
    int found = -1;
    for (int i = 0; i < in->count; i++) {
        if (!has_index(operation, in, i))
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

/* Where all that is named lies in an array that is a part of self, in steps. */
static dt_status find_places(const dt_operation *operation, const indexing *in,
                             const dt_array *array, int64_t *step,
                             dt_array **out)
{
    int only = only_index(operation, in);
    *step = only < 0 ? 1 : array->strides[only];
    if (only >= 0)
        return dti_index_wrapped(operation, in->first + only, 0, only, out);
    DTI_TRY(dti_scratch_create(operation, DT_I64,
                               local_broadcast(operation, in), out));
    DTI_TRY(dt_array_fill_int(operation->world, *out, 0));
    for (int i = 0; i < in->count; i++)
        if (has_index(operation, in, i))
            DTI_TRY(add_positions(operation, in, i, array->strides[i], *out));
    return DT_OK;
}

/* ---- index -------------------------------------------------------------- */

static dt_status index_meta(dt_operation *operation)
{
    indexing in;
    DTI_TRY(read_indexing(operation, 1, &in));
    return dti_meta_add(operation, operation->metas[0]->dtype, in.shape);
}

static dt_status index_kernel(dt_operation *operation)
{
    indexing in;
    dt_array *places = NULL, *to = operation->out[0];
    const dt_array *self = operation->in[0];
    DTI_TRY(read_indexing(operation, 1, &in));
    int64_t step = 1;
    DTI_TRY(find_places(operation, &in, self, &step, &places));
    dti_picking picking = {.item = dt_dtype_size(self->dtype),
                           .ndim = to->shape.ndim,
                           .from = dt_array_const_data(self),
                           .step = step,
                           .positions = dt_array_const_data(places),
                           .all_here = true};
    for (int i = 0; i < in.count; i++)
        picking.all_here =
            picking.all_here && operation->in_specs[0]->cuts[i].count == 0;
    for (int i = 0; i < picking.ndim; i++) {
        bool named = in.from[i] < 0;
        picking.dims[i] = to->shape.dims[i];
        picking.strides[i] = named ? 0 : self->strides[in.from[i]];
        picking.position_strides[i] = named ? places->strides[i - in.at] : 0;
    }
    return dti_index_pick(operation, &picking, in.at + in.broadcast.ndim - 1);
}

/* ---- index_put ---------------------------------------------------------- */

/* Behind self and the values. */
enum { VALUES = 1, FIRST_INDEX = 2 };

static bool accumulates(const dt_operation *operation)
{
    return dti_argument_bool(operation, "accumulate");
}

static dt_status put_meta(dt_operation *operation)
{
    indexing in;
    const dt_meta *self = operation->metas[0];
    const dt_meta *values = operation->metas[VALUES];
    DTI_TRY(read_indexing(operation, FIRST_INDEX, &in));
    int front = in.shape.ndim - values->shape.ndim;
    bool fits = front >= 0;
    for (int i = 0; fits && i < values->shape.ndim; i++)
        fits = values->shape.dims[i] == 1 ||
               values->shape.dims[i] == in.shape.dims[front + i];
    if (!fits)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "values of shape %s cannot be broadcast to "
                                 "the indexed elements, of shape %s",
                                 dti_shape_show(values->shape).text,
                                 dti_shape_show(in.shape).text);
    if (self->dtype != values->dtype)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self is %s but values is %s; the dtypes must be equal",
            dt_dtype_name(self->dtype), dt_dtype_name(values->dtype));
    return dti_meta_like_first(operation);
}

/* The dimension of the values that is one of what is named; -1 if they have
 * none or are broadcast along it. */
static int dim_of_values(const dt_operation *operation, const indexing *in,
                         int dim)
{
    dt_shape values = operation->metas[VALUES]->shape;
    int own = dim - (in->shape.ndim - values.ndim);
    return own >= 0 && values.dims[own] == in->shape.dims[dim] ? own : -1;
}

/* Along dimensions that have indexes self alone is cut: each rank takes what
 * belongs to it.  Parts of what is added are added by ranks. */
static dt_status put_factors(const dt_operation *operation, dt_factors *out)
{
    indexing in;
    dt_shape self = operation->metas[0]->shape;
    bool adds = accumulates(operation);
    DTI_TRY(read_indexing(operation, FIRST_INDEX, &in));
    if (!begin_rule(&in, out))
        return DT_OK;
    out->no_permutes = adds;
    for (int i = 0; i < self.ndim; i++) {
        int factor = dti_factor_add(out, DT_FACTOR_FREE, self.dims[i]);
        dti_factor_put(&out->in[0].dims[i], factor);
        dti_factor_put(&out->out[0].dims[i], factor);
        for (int k = 0; k < in.shape.ndim; k++) {
            int own = dim_of_values(operation, &in, k);
            if (in.from[k] == i && own >= 0)
                dti_factor_put(&out->in[VALUES].dims[own], factor);
        }
    }
    for (int i = in.at; adds && i < in.at + in.broadcast.ndim; i++) {
        int own = dim_of_values(operation, &in, i);
        if (own < 0)
            continue;
        int factor = dti_factor_add(out, DT_FACTOR_REDUCED, in.shape.dims[i]);
        dti_factor_put(&out->in[VALUES].dims[own], factor);
        put_in_indexes(operation, &in, i - in.at, factor, out);
    }
    return DT_OK;
}

static void put_places(const dt_operation *operation, const indexing *in,
                       const dt_array *places, int64_t step)
{
    dt_array *out = operation->out[0];
    const dt_array *values = operation->in[VALUES];
    int front = in->shape.ndim - values->shape.ndim;
    dti_putting putting = {.dtype = out->dtype,
                           .ndim = in->shape.ndim,
                           .to = dt_array_data(out),
                           .step = step,
                           .positions = dt_array_const_data(places),
                           .from = dt_array_const_data(values)};
    for (int i = 0; i < putting.ndim; i++) {
        bool named = in->from[i] < 0;
        bool repeated = i < front || dim_of_values(operation, in, i) < 0;
        putting.dims[i] = named ? places->shape.dims[i - in->at]
                                : out->shape.dims[in->from[i]];
        putting.strides[i] = named ? 0 : out->strides[in->from[i]];
        putting.position_strides[i] = named ? places->strides[i - in->at] : 0;
        putting.from_strides[i] = repeated ? 0 : values->strides[i - front];
    }
    dti_put_elements(&putting,
                     accumulates(operation) ? DTI_PUT_ADD : DTI_PUT_SET);
}

static dt_status put_kernel(dt_operation *operation)
{
    indexing in;
    int64_t step = 1;
    dt_array *places = NULL;
    DTI_TRY(read_indexing(operation, FIRST_INDEX, &in));
    DTI_TRY(dti_put_begin(operation));
    DTI_TRY(find_places(operation, &in, operation->out[0], &step, &places));
    if (places->count > 0 && operation->out[0]->count > 0)
        put_places(operation, &in, places, step);
    return DT_OK;
}

/* ---- Masks -------------------------------------------------------------- */

/*
 * A mask stands for the indexes of what it keeps, one for each dimension that
 * it has; how many there are depends on values, so that such a call is made of
 * others.
 */
typedef struct expanded {
    dt_tensor *list[DT_MAX_NDIM];
    bool owned[DT_MAX_NDIM]; /* columns that were made for the call */
    int count;
} expanded;

static bool is_mask(const dt_tensor *tensor)
{
    return tensor && dt_tensor_dtype(tensor) == DT_BOOL;
}

static bool has_mask(const dt_operation *operation, int first)
{
    for (int i = first; i < operation->input_count; i++)
        if (is_mask(operation->inputs[i]))
            return true;
    return false;
}

/* Check the masks of a list, and that their form can be made. */
static dt_status check_masks(const dt_operation *operation, int first)
{
    const dt_shape self = dt_tensor_shape(operation->inputs[0]);
    int at = 0;
    if (operation->variant == DT_VARIANT_OUT)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "indexing with a mask has no out variant, because the shape of the "
            "result depends on values");
    for (int i = first; i < operation->input_count; i++) {
        dt_tensor *one = operation->inputs[i];
        const dt_shape mask = is_mask(one) ? dt_tensor_shape(one) : DT_SHAPE(1);
        bool fits = mask.ndim > 0 && at + mask.ndim <= self.ndim;
        for (int d = 0; is_mask(one) && fits && d < mask.ndim; d++)
            fits = mask.dims[d] == self.dims[at + d];
        if (!fits)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "the mask indices[%d], of shape %s, does not match self from "
                "dimension %d on, of shape %s",
                i - first,
                dti_shape_show(one ? dt_tensor_shape(one) : mask).text, at,
                dti_shape_show(self).text);
        at += mask.ndim;
    }
    return DT_OK;
}

static void release_expanded(expanded *of)
{
    for (int i = 0; i < of->count; i++)
        if (of->owned[i])
            dt_tensor_release_early(of->list[i]);
}

/* The mask is gathered, one byte for an element: indexes of shards would be,
 * one column after another. */
static dt_status add_columns(const dt_operation *operation, dt_tensor *mask,
                             expanded *to)
{
    dt_tensor *whole = NULL;
    DTI_TRY(dti_settle(operation, mask, DTI_SETTLE_ALL, &whole));
    dt_tensor *found = dt_nonzero(whole);
    bool good = found != NULL;
    for (int d = 0; good && d < dt_tensor_ndim(mask); d++) {
        to->list[to->count] = dt_select(found, 1, d);
        good = to->list[to->count] != NULL;
        to->owned[to->count++] = true;
    }
    dt_tensor_release_early(found);
    dti_settle_end(whole, mask);
    return good ? DT_OK : dti_failure_of(operation->world);
}

/* The list with columns of indexes instead of masks; the caller releases it,
 * after a failure too. */
static dt_status expand_masks(const dt_operation *operation, int first,
                              expanded *out)
{
    *out = (expanded){.count = 0};
    for (int i = first; i < operation->input_count; i++) {
        dt_tensor *one = operation->inputs[i];
        if (is_mask(one))
            DTI_TRY(add_columns(operation, one, out));
        else
            out->list[out->count++] = one;
    }
    return DT_OK;
}

static bool index_has_mask(const dt_operation *operation)
{
    return has_mask(operation, 1);
}

/* One mask of the first dimensions keeps what lies one behind another. */
static dt_status index_by_masks(dt_operation *operation)
{
    expanded by;
    dt_tensor *self = operation->inputs[0];
    DTI_TRY(check_masks(operation, 1));
    for (int i = 0; i < operation->input_count; i++)
        if (i == 0 || is_mask(operation->inputs[i]))
            DTI_TRY(dti_compact_check(operation, operation->inputs[i]));
    if (operation->input_count == 2)
        return dti_compact_tensor(operation, self, operation->inputs[1],
                                  &operation->outputs[0]);
    dt_status status = expand_masks(operation, 1, &by);
    if (status == DT_OK)
        operation->outputs[0] = dt_index(self, by.list, by.count);
    release_expanded(&by);
    return status;
}

static bool put_has_mask(const dt_operation *operation)
{
    return has_mask(operation, FIRST_INDEX);
}

/* One number where one mask says: nobody has to know how many there are. */
static bool is_fill(const dt_operation *operation)
{
    const dt_tensor *values = operation->inputs[VALUES];
    return operation->input_count == FIRST_INDEX + 1 &&
           !accumulates(operation) && dt_tensor_ndim(values) == 0 &&
           dt_tensor_dtype(values) == dt_tensor_dtype(operation->inputs[0]);
}

static dt_status fill_by_mask(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0], *values = operation->inputs[VALUES];
    dt_tensor *mask = operation->inputs[FIRST_INDEX];
    dt_shape shape = dt_tensor_shape(mask);
    while (shape.ndim < dt_tensor_ndim(self))
        shape.dims[shape.ndim++] = 1;
    dt_tensor *over = dt_view(mask, shape);
    if (!over)
        return dti_failure_of(operation->world);
    operation->outputs[0] = operation->variant == DT_VARIANT_IN_PLACE
                                ? dt_masked_fill_tensor_(self, over, values)
                                : dt_masked_fill_tensor(self, over, values);
    dt_tensor_release_early(over);
    return DT_OK;
}

static dt_status put_by_masks(dt_operation *operation)
{
    expanded by;
    dt_tensor *self = operation->inputs[0], *values = operation->inputs[VALUES];
    DTI_TRY(check_masks(operation, FIRST_INDEX));
    if (is_fill(operation))
        return fill_by_mask(operation);
    for (int i = FIRST_INDEX; i < operation->input_count; i++)
        if (is_mask(operation->inputs[i]))
            DTI_TRY(dti_compact_check(operation, operation->inputs[i]));
    dt_status status = expand_masks(operation, FIRST_INDEX, &by);
    if (status == DT_OK)
        operation->outputs[0] =
            operation->variant == DT_VARIANT_IN_PLACE
                ? dt_index_put_(self, values, by.list, by.count,
                                accumulates(operation))
                : dt_index_put(self, values, by.list, by.count,
                               accumulates(operation));
    release_expanded(&by);
    return status;
}

/* ---- Gradients ---------------------------------------------------------- */

/* Elements that were overwritten have no part in the result. */
static dt_status put_backward(dt_backward_call *call)
{
    const dt_argument *indices = &call->arguments[2];
    dt_tensor *grad = call->grads[0];
    if (call->arguments[3].as.integer)
        return dti_give_gradient(call, 0, grad);
    return dti_give_gradient(call, 0,
                             dt_index_put(grad, dt_new_zeros(grad, DT_SHAPE()),
                                          indices->as.tensors, indices->count,
                                          false));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_index[] = {
    {
        .schema = "index(Tensor self, Tensor?[] indices) -> Tensor",
        .aten = "index.Tensor",
        .about = "Select elements by one index tensor per dimension; index "
                 "tensors are broadcast, and dimensions without one are kept.  "
                 "Negative indexes count from the end.  A mask is equivalent "
                 "to the indexes of its true elements.",
        .permutes = "self",
        .flags = DT_OP_OUT | DT_OP_ZEROES_MASK,
        .meta = index_meta,
        .factors = index_factors,
        .kernel = index_kernel,
        .compose = index_by_masks,
        .composes = index_has_mask,
        .gradient =
            "self: index_put(zeros(self), grad, indices, true); indices: none",
        .samples = "(T[5,n], [i64[m]<5]); (T[m,7], [None, i32[n]<7]); "
                   "(T[5,7,n], [i64[m]<5, i64[m]<7]); "
                   "(T[5,m,7], [i64[3,1]<5, None, i64[n]<7]); "
                   "(T[m,5,n], [None, i64[2,3]<5, None]); (T[5,n], [i64[]<5])",
    },
    {
        .schema = "index_put(Tensor self, Tensor values, Tensor?[] indices, "
                  "bool accumulate) -> Tensor",
        .about = "Store or add values at the elements selected by one index "
                 "tensor per dimension; values are broadcast.  Without adding, "
                 "the last of several values is stored.  A mask is equivalent "
                 "to the indexes of its true elements.",
        .linear = "self + values",
        .permutes = "self values",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = put_meta,
        .factors = put_factors,
        .kernel = put_kernel,
        .compose = put_by_masks,
        .composes = put_has_mask,
        .gradient = "self: function(indices); values: index(grad, indices); "
                    "indices: none",
        .backward = put_backward,
        .samples = "(T[5,n], T[m,n], [i64[m]<5], true); "
                   "(T[5,n], T[m,n], [i64[m]<5], false); "
                   "(T[m,7], T[1,n], [None, i32[n]<7], true); "
                   "(T[5,7,n], T[m,n], [i64[m]<5, i64[m]<7], true); "
                   "(T[5,m,7], T[m], [i64[3,1]<5, None, i64[n]<7], false); "
                   "(T[5,n], T[], [i64[m]<5], true)",
        .dtypes = "float int complex",
    },
    {0},
};
