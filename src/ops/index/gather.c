/* ops/index/gather.c - elements named by a tensor of indexes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/index/gather.h"

#include <inttypes.h>
#include <string.h>

#include <dtensor/ops.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "kernel/index/put.h"
#include "layout/indexes.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/fail.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/tables.h"
#include "ops/index/compact.h"

/* ---- Positions ---------------------------------------------------------- */

/* The indexes of a dimension that this rank has. */
typedef struct lookup {
    int dim;
    int64_t extent; /* of the whole dimension */
    bool range;     /* they are neighbours: `size` from `first` on */
    bool wraps;     /* negative indexes count from the end */
    int64_t first, size;
    const dti_cuts *cuts; /* of the others */
    const int *coordinate;
} lookup;

static lookup lookup_of(const dt_spec *spec, int dim)
{
    lookup found = {.dim = dim, .extent = 1, .range = true, .size = 1};
    dti_indexes indexes;
    if (spec->meta.shape.ndim == 0)
        return found;
    found.extent = spec->meta.shape.dims[dim];
    found.cuts = &spec->cuts[dim];
    found.coordinate = spec->mesh->coordinate;
    dti_indexes_set(&indexes, found.extent, found.cuts, found.coordinate);
    found.range = dti_indexes_are_range(&indexes);
    found.first = dti_indexes_offset(&indexes);
    found.size = indexes.size;
    return found;
}

/* The position of an index among those that this rank has. */
static int64_t locate(const lookup *in, int64_t index)
{
    int owner[DT_MAX_NDIM];
    if (in->range) {
        bool here = index >= in->first && index - in->first < in->size;
        return here ? index - in->first : -1;
    }
    int64_t position = dti_indexes_find(in->extent, in->cuts, index, owner);
    for (int i = 0; i < in->cuts->count; i++) {
        int mesh_dim = in->cuts->list[i].mesh_dim;
        if (owner[mesh_dim] != in->coordinate[mesh_dim])
            return -1;
    }
    return position;
}

static dt_status fail_index(const dt_operation *operation, int input,
                            const lookup *in, int64_t index)
{
    return dti_fail_value(
        operation, dti_input_is_everywhere(operation, input),
        "index %" PRId64 " is out of range for dimension %d of extent %" PRId64,
        index, in->dim, in->extent);
}

/* Name the first index that is outside. */
static dt_status refuse_index(const dt_operation *operation, int input,
                              const lookup *in, const int64_t *indexes)
{
    int64_t least = in->wraps ? -in->extent : 0;
    while (*indexes >= least && *indexes < in->extent)
        indexes++;
    return fail_index(operation, input, in, *indexes);
}

/* Tell whether all indexes are inside: neither an index, some of which may be
 * negative, nor what is left of the extent behind it has a sign. */
static bool are_inside(const int64_t *indexes, int64_t count, int64_t extent,
                       int64_t negative)
{
    uint64_t signs = 0, last = (uint64_t)extent - 1, shift = (uint64_t)negative;
    for (int64_t i = 0; i < count; i++) {
        uint64_t index = (uint64_t)indexes[i];
        signs |= (index + shift) | (last - index);
    }
    return !(signs >> 63);
}

static dt_status check_indexes(const dt_operation *operation, int input,
                               const lookup *in, const int64_t *indexes,
                               int64_t count)
{
    return are_inside(indexes, count, in->extent, in->wraps ? in->extent : 0)
               ? DT_OK
               : refuse_index(operation, input, in, indexes);
}

/* Put positions in place of indexes. */
static void locate_all(const lookup *in, int64_t *indexes, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t index = indexes[i];
        indexes[i] = locate(in, index < 0 ? index + in->extent : index);
    }
}

dt_status dti_index_locate(const dt_operation *operation, int input,
                           const dt_spec *spec, int dim, const int64_t *ignored,
                           int64_t *indexes, int64_t count)
{
    const lookup in = lookup_of(spec, dim);
    for (int64_t i = 0; i < count; i++) {
        const int64_t index = indexes[i];
        const bool skips = ignored && index == *ignored;
        if (!skips && (index < 0 || index >= in.extent))
            return fail_index(operation, input, &in, index);
        indexes[i] = skips ? DTI_INDEX_IGNORED : locate(&in, index);
    }
    return DT_OK;
}

dt_status dti_index_check(const dt_operation *operation, int input)
{
    dt_dtype dtype = operation->metas[input]->dtype;
    if (dtype == DT_I64 || dtype == DT_I32)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                             "the indexes are %s; expected i64 or i32",
                             dt_dtype_name(dtype));
}

/* Tell whether indexes may be positions already: all of the dimension is here.
 */
static bool may_be_positions(const lookup *in, const dt_array *indexes)
{
    return indexes->dtype == DT_I64 && indexes->contiguous && in->range &&
           in->size == in->extent;
}

static dt_status find_positions(const dt_operation *operation, int input,
                                const lookup *in, dt_array **out)
{
    dt_array *index = operation->in[input];
    if (may_be_positions(in, index) &&
        are_inside(dt_array_const_data(index), index->count, in->extent, 0)) {
        *out = index;
        return DT_OK;
    }
    DTI_TRY(dti_scratch_copy(operation, index, DT_I64, out));
    int64_t count = (*out)->count, *data = dt_array_data(*out);
    DTI_TRY(check_indexes(operation, input, in, data, count));
    locate_all(in, data, count);
    return DT_OK;
}

dt_status dti_index_positions(const dt_operation *operation, int index, int of,
                              int dim, dt_array **out)
{
    lookup in = lookup_of(operation->in_specs[of], dim);
    return find_positions(operation, index, &in, out);
}

dt_status dti_index_wrapped(const dt_operation *operation, int index, int of,
                            int dim, dt_array **out)
{
    lookup in = lookup_of(operation->in_specs[of], dim);
    in.wraps = true;
    return find_positions(operation, index, &in, out);
}

static bool is_masked(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_MASKED_PARTIAL)
            return true;
    return false;
}

dt_status dti_index_pick(dt_operation *operation, const dti_picking *picking,
                         int last)
{
    dt_array *mask = NULL;
    dt_shape shape = dt_array_shape(operation->out[0]);
    if (is_masked(&operation->out_specs[0]->layout)) {
        shape.ndim = last + 1;
        DTI_TRY(dt_array_create(operation->world, DT_BOOL, shape, &mask));
        operation->masks[0] = mask;
    }
    if (dt_array_count(operation->out[0]) > 0)
        dti_pick(picking, dt_array_data(operation->out[0]),
                 mask ? dt_array_data(mask) : NULL);
    return DT_OK;
}

/* ---- gather ------------------------------------------------------------- */

/* A 0-d tensor counts as one of one dimension. */
static dt_shape at_least_1d(dt_shape shape)
{
    return shape.ndim ? shape : DT_SHAPE(1);
}

static dt_status gather_meta(dt_operation *operation)
{
    int dim;
    const dt_meta *self = operation->metas[0], *index = operation->metas[1];
    dt_shape from = at_least_1d(self->shape), by = at_least_1d(index->shape);
    DTI_TRY(dti_index_check(operation, 1));
    DTI_TRY(dti_argument_dim(operation, "dim", self->shape.ndim, &dim));
    bool fits = from.ndim == by.ndim || dt_shape_count(by) == 0;
    for (int i = 0; fits && i < from.ndim && by.ndim == from.ndim; i++)
        fits = i == dim || by.dims[i] <= from.dims[i];
    if (!fits)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "index has shape %s, which exceeds %s in a "
                                 "dimension other than dim %d",
                                 dti_shape_show(index->shape).text,
                                 dti_shape_show(self->shape).text, dim);
    return dti_meta_add(operation, self->dtype, index->shape);
}

/* What a kernel picks by: the argument that names the dimension, whether there
 * is a position for each element of the result or one for each index of the
 * dimension, and whether negative indexes count from the end. */
typedef struct picker {
    bool each;
    bool wraps;
} picker;

static int64_t stride_of(const dt_array *array, int dim)
{
    return dim >= array->shape.ndim || array->shape.dims[dim] == 1
               ? 0
               : array->strides[dim];
}

static dt_status pick(dt_operation *operation, const picker *how)
{
    int dim;
    const dt_array *self = operation->in[0];
    dt_array *positions = NULL, *to = operation->out[0];
    DTI_TRY(dti_argument_dim(operation, "dim", operation->metas[0]->shape.ndim,
                             &dim));
    DTI_TRY(how->wraps ? dti_index_wrapped(operation, 1, 0, dim, &positions)
                       : dti_index_positions(operation, 1, 0, dim, &positions));
    dti_picking picking = {.item = dt_dtype_size(self->dtype),
                           .ndim = to->shape.ndim,
                           .from = dt_array_const_data(self),
                           .step = self->shape.ndim ? self->strides[dim] : 0,
                           .positions = dt_array_const_data(positions),
                           .all_here =
                               operation->in_specs[0]->cuts[dim].count == 0};
    for (int i = 0; i < to->shape.ndim; i++) {
        picking.dims[i] = to->shape.dims[i];
        picking.strides[i] = i == dim ? 0 : stride_of(self, i);
        picking.position_strides[i] =
            how->each ? stride_of(positions, i) : i == dim;
    }
    return dti_index_pick(operation, &picking,
                          how->each ? to->shape.ndim - 1 : dim);
}

static dt_status gather_kernel(dt_operation *operation)
{
    return pick(operation, &(picker){.each = true});
}

/* ---- index_select ------------------------------------------------------- */

static dt_status index_select_meta(dt_operation *operation)
{
    int dim;
    const dt_meta *self = operation->metas[0], *index = operation->metas[1];
    dt_shape shape = self->shape;
    int64_t count = dt_shape_count(index->shape);
    DTI_TRY(dti_index_check(operation, 1));
    DTI_TRY(dti_argument_dim(operation, "dim", shape.ndim, &dim));
    if (index->shape.ndim > 1 || (shape.ndim == 0 && count != 1))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "index has shape %s for a %d-d tensor; %s",
                                 dti_shape_show(index->shape).text, shape.ndim,
                                 shape.ndim ? "expected at most 1 dimension"
                                            : "expected 1 element");
    if (shape.ndim > 0)
        shape.dims[dim] = count;
    return dti_meta_add(operation, self->dtype, shape);
}

static dt_status index_select_kernel(dt_operation *operation)
{
    return pick(operation, &(picker){.each = false});
}

/* ---- take_along_dim ----------------------------------------------------- */

static dt_status take_along_meta(dt_operation *operation)
{
    int dim;
    const dt_shape self = operation->metas[0]->shape;
    dt_shape out = operation->metas[1]->shape;
    DTI_TRY(dti_index_check(operation, 1));
    if (self.ndim != out.ndim)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self has %d dimensions but indices has %d; they must be equal",
            self.ndim, out.ndim);
    DTI_TRY(dti_argument_dim(operation, "dim", self.ndim, &dim));
    for (int i = 0; i < out.ndim; i++) {
        if (i == dim || out.dims[i] == self.dims[i] || self.dims[i] == 1)
            continue;
        if (out.dims[i] != 1)
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "shapes of self, %s, and indices, %s, cannot be broadcast in "
                "dim %d",
                dti_shape_show(self).text,
                dti_shape_show(operation->metas[1]->shape).text, i);
        out.dims[i] = self.dims[i];
    }
    return dti_meta_add(operation, operation->metas[0]->dtype, out);
}

static dt_status take_along_kernel(dt_operation *operation)
{
    return pick(operation, &(picker){.each = true, .wraps = true});
}

/* ---- one_hot ------------------------------------------------------------ */

static dt_status one_hot_meta(dt_operation *operation)
{
    int64_t classes = dti_argument_int(operation, "num_classes");
    dt_shape shape = operation->metas[0]->shape;
    DTI_TRY(dti_index_check(operation, 0));
    if (classes < 1 && (classes < 0 || dt_shape_count(shape) > 0))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "num_classes is %" PRId64
            "; expected at least 1, or -1 for the largest index plus 1",
            classes);
    if (shape.ndim == DT_MAX_NDIM)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self already has %d dimensions, the maximum",
                                 shape.ndim);
    shape.dims[shape.ndim++] = classes;
    return dti_meta_add(operation, DT_I64, shape);
}

static dt_status one_hot_kernel(dt_operation *operation)
{
    static const int64_t one = 1;
    dt_array *out = operation->out[0], *positions = NULL;
    int64_t classes = dti_argument_int(operation, "num_classes");
    lookup in = {.dim = out->shape.ndim - 1,
                 .extent = classes,
                 .range = true,
                 .size = classes};
    DTI_TRY(find_positions(operation, 0, &in, &positions));
    DTI_TRY(dt_array_fill_int(operation->world, out, 0));
    dti_putting putting = {.dtype = DT_I64,
                           .ndim = 1,
                           .dims = {positions->count},
                           .to = dt_array_data(out),
                           .strides = {classes},
                           .step = 1,
                           .positions = dt_array_const_data(positions),
                           .position_strides = {1},
                           .from = &one};
    dti_put_elements(&putting, DTI_PUT_SET);
    return DT_OK;
}

static bool counts_classes(const dt_operation *operation)
{
    const dt_dtype dtype = dt_tensor_dtype(operation->inputs[0]);
    return dti_argument_int(operation, "num_classes") == -1 &&
           (dtype == DT_I64 || dtype == DT_I32);
}

/* The greatest index of all ranks; ranks outside the mesh read 0. */
static dt_status find_greatest(const dt_operation *operation, dt_tensor *self,
                               int64_t *out)
{
    dt_number most = dt_integer(0);
    dt_tensor *found = dt_amax(self, DT_DIMS(), false);
    if (!found)
        return dti_failure_of(operation->world);
    dt_status status = dt_tensor_item(found, &most);
    dt_tensor_release_early(found);
    DTI_TRY(status);
    if (most.as.integer < 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has the index %" PRId64
                                 "; expected no negative ones",
                                 most.as.integer);
    if (most.as.integer == INT64_MAX)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self has the index %" PRId64
                                 ", which is too large for a number of classes",
                                 most.as.integer);
    *out = most.as.integer;
    return DT_OK;
}

/* As many classes as the greatest index says, which ranks outside the mesh do
 * not know: they have none. */
static dt_status one_hot_of_values(dt_operation *operation)
{
    dt_tensor *self = operation->inputs[0];
    int64_t most = 0;
    DTI_TRY(dti_compact_check(operation, self));
    if (dt_tensor_count(self) == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is empty, so the number of classes is "
                                 "unknown; pass num_classes");
    DTI_TRY(find_greatest(operation, self, &most));
    dt_tensor *hot = dt_one_hot(self, most + 1);
    if (hot && !dt_mesh_is_member(dt_tensor_mesh(self))) {
        operation->outputs[0] = dt_narrow(hot, dt_tensor_ndim(self), 0, 0);
        dt_tensor_release_early(hot);
    } else {
        operation->outputs[0] = hot;
    }
    return DT_OK;
}

/* ---- By other operators ------------------------------------------------- */

static dt_argument tensor_argument(dt_tensor *tensor)
{
    return (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = tensor};
}

/* What has no elements has none that an index names, whichever rank has it. */
static dt_status refuse_nothing(const dt_operation *operation)
{
    if (dt_tensor_count(operation->inputs[0]) > 0 ||
        dt_tensor_count(operation->inputs[1]) == 0)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "self, %s, is empty",
        dti_spec_show(dt_tensor_spec(operation->inputs[0])).text);
}

/* Elements of a tensor of one dimension, in row-major order. */
static dt_status take(dt_operation *operation)
{
    DTI_TRY(refuse_nothing(operation));
    dt_tensor *flat = dt_reshape(operation->inputs[0], DT_SHAPE(-1));
    const dt_argument arguments[] = {tensor_argument(flat),
                                     {.kind = DT_ARG_TENSORS,
                                      .count = 1,
                                      .as.tensors = &operation->inputs[1]}};
    if (!flat)
        return dti_failure_of(operation->world);
    dt_status status =
        dt_op_call(operation->world, "index", DT_VARIANT_NEW, arguments, 2,
                   &operation->outputs[0], 1, NULL);
    dt_tensor_release_early(flat);
    return status;
}

static dt_status put_flat(dt_operation *operation, dt_tensor *flat,
                          dt_tensor *values)
{
    dt_tensor *result = NULL;
    const dt_argument arguments[] = {tensor_argument(flat),
                                     tensor_argument(values),
                                     {.kind = DT_ARG_TENSORS,
                                      .count = 1,
                                      .as.tensors = &operation->inputs[1]},
                                     *dti_argument(operation, "accumulate")};
    DTI_TRY(dt_op_call(operation->world, "index_put", DT_VARIANT_NEW, arguments,
                       4, &result, 1, NULL));
    operation->outputs[0] =
        dt_reshape(result, dt_tensor_shape(operation->inputs[0]));
    dt_tensor_release_early(result);
    return DT_OK;
}

static dt_status put(dt_operation *operation)
{
    dt_tensor *index = operation->inputs[1], *source = operation->inputs[2];
    if (dt_tensor_count(index) != dt_tensor_count(source))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "index has %lld elements but source has %lld; they must be equal",
            (long long)dt_tensor_count(index),
            (long long)dt_tensor_count(source));
    DTI_TRY(refuse_nothing(operation));
    dt_tensor *flat = dt_reshape(operation->inputs[0], DT_SHAPE(-1));
    dt_tensor *values = dt_reshape(source, dt_tensor_shape(index));
    dt_status status = flat && values ? put_flat(operation, flat, values)
                                      : dti_failure_of(operation->world);
    dt_tensor_release_early(flat);
    dt_tensor_release_early(values);
    return status;
}

/* ---- Gradients ---------------------------------------------------------- */

/* Add the gradient to the elements that were taken, of a tensor that self was
 * broadcast to; no index is negative any more. */
static dt_status take_along_backward(dt_backward_call *call)
{
    dt_shape shape = call->out_specs[0]->meta.shape;
    const dt_shape in = call->in_specs[0]->meta.shape;
    const int dim = dti_backward_dim(&call->arguments[2], shape.ndim);
    dt_shape wide = shape;
    if (shape.ndim)
        wide.dims[dim] = in.dims[dim];
    /* Without elements there are no indexes. */
    const int64_t extent = shape.ndim && in.dims[dim] ? in.dims[dim] : 1;
    dt_tensor *index = dt_expand(
        dt_remainder_scalar(call->inputs[1], dt_integer(extent)), shape);
    return dti_give_gradient(
        call, 0,
        dt_scatter_add(dti_backward_zeros(call->in_specs[0], wide), dim, index,
                       call->grads[0]));
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_gather[] = {
    {
        .schema = "gather(Tensor self, Dim dim, Tensor index) -> Tensor",
        .about = "Select elements by index along a dimension: for dimension 0, "
                 "result[i][j] = self[index[i][j]][j].",
        .rule = "...d?,...i?->...i?; d at dim masked, i at dim",
        .permutes = "self",
        .flags = DT_OP_OUT | DT_OP_ZEROES_MASK,
        .meta = gather_meta,
        .kernel = gather_kernel,
        .gradient =
            "self: scatter_add(zeros(self), dim, index, grad); index: none",
        .samples = "(T[5,n], 0, i64[m,n]<5); (T[m,7], -1, i32[m,n]<7); "
                   "(T[m,5,n], 1, i64[m,2,n]<5); (T[6,4], 0, i64[m,3]<6); "
                   "(T[], 0, i64[]<1)",
    },
    {
        .schema = "index_select(Tensor self, Dim dim, Tensor index) -> Tensor",
        .about = "Select indexes of a dimension, listed in a 1-d tensor.",
        .rule = "...d?,i?->...i?; d at dim masked, i at dim",
        .permutes = "self",
        .flags = DT_OP_OUT | DT_OP_ZEROES_MASK,
        .meta = index_select_meta,
        .kernel = index_select_kernel,
        .gradient = "self: index_add(zeros(self), dim, flatten(index, 0, -1), "
                    "grad); index: none",
        .samples = "(T[5,n], 0, i64[m]<5); (T[m,7], -1, i32[n]<7); "
                   "(T[m,3,n], 1, i64[4]<3); (T[5,n], 0, i64[]<5)",
    },
    {
        .schema = "one_hot(Tensor self, int num_classes) -> Tensor",
        .about =
            "For each index, a row of zeros with a 1 at the index.  With "
            "num_classes -1 there are as many as the largest index requires.",
        .rule = "...->...z; z whole",
        .meta = one_hot_meta,
        .kernel = one_hot_kernel,
        .compose = one_hot_of_values,
        .composes = counts_classes,
        .gradient = "none",
        .samples = "(i64[m,n]<5, 5); (i32[m]<7, 9); (i64[]<2, 2)",
    },
    {
        .schema = "take_along_dim(Tensor self, Tensor indices, Dim dim) -> "
                  "Tensor",
        .about = "Like gather, with both tensors broadcast except along the "
                 "dimension; negative indexes count from the end.",
        .rule = "...d?,...i?->...i?; d at dim masked, i at dim",
        .permutes = "self",
        .flags = DT_OP_ZEROES_MASK,
        .meta = take_along_meta,
        .kernel = take_along_kernel,
        .gradient = "self: function(indices); indices: none",
        .backward = take_along_backward,
        .samples = "(T[5,n], i64[m,1]<5, 0); (T[1,7], i64[m,3]<7, -1)",
    },
    {
        .schema = "take(Tensor self, Tensor index) -> Tensor",
        .about = "Select elements by their index in row-major order; negative "
                 "indexes count from the end.",
        .compose = take,
        .samples = "(T[5,n], i64[m,3]<5); (T[7], i64[]<7)",
    },
    {
        .schema = "put(Tensor self, Tensor index, Tensor source, "
                  "bool accumulate) -> Tensor",
        .about = "Store or add elements at indexes in row-major order; without "
                 "adding, the last of several is stored.",
        .compose = put,
        .samples = "(T[5,n], i64[m,3]<5, T[m,3], true); "
                   "(T[7], i64[m]<7, T[m], false)",
        .dtypes = "float int complex",
    },
    {0},
};
