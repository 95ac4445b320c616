/* ops/index/scatter.c - elements put where a tensor of indexes says. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/dtype.h"
#include "base/error.h"
#include "kernel/index/put.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/backward.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"
#include "ops/index/put.h"

/* Tensors of all these: self, the index, and what is put. */
enum { SELF, INDEX, SOURCE };

static dt_status read_dim(const dt_operation *operation, int *dim)
{
    return dti_argument_dim(operation, "dim",
                            operation->metas[SELF]->shape.ndim, dim);
}

/* ---- Checks ------------------------------------------------------------- */

/* A 0-d tensor counts as one of one dimension. */
static dt_shape at_least_1d(dt_shape shape)
{
    return shape.ndim ? shape : DT_SHAPE(1);
}

/* Tell whether an index fits into a tensor, apart from a dimension. */
static bool fits(dt_shape index, dt_shape into, int except)
{
    if (index.ndim != into.ndim)
        return false;
    for (int i = 0; i < index.ndim; i++)
        if (i != except && index.dims[i] > into.dims[i])
            return false;
    return true;
}

static dt_status check_dtypes(const dt_operation *operation, int source)
{
    dt_dtype self = operation->metas[SELF]->dtype;
    dt_dtype put = operation->metas[source]->dtype;
    if (self == put)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "self is %s but src is %s; the dtypes must be equal",
        dt_dtype_name(self), dt_dtype_name(put));
}

static dt_status check_index(const dt_operation *operation, int dim)
{
    dt_shape self = at_least_1d(operation->metas[SELF]->shape);
    dt_shape index = at_least_1d(operation->metas[INDEX]->shape);
    DTI_TRY(dti_index_check(operation, INDEX));
    if (dt_shape_count(index) == 0 || fits(index, self, dim))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "index has shape %s, which exceeds %s in a dimension other than dim %d",
        dti_shape_show(index).text, dti_shape_show(self).text, dim);
}

static dt_status scatter_value_meta(dt_operation *operation)
{
    int dim;
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(check_index(operation, dim));
    return dti_meta_like_first(operation);
}

static dt_status scatter_meta(dt_operation *operation)
{
    dt_shape index = at_least_1d(operation->metas[INDEX]->shape);
    dt_shape source = at_least_1d(operation->metas[SOURCE]->shape);
    DTI_TRY(scatter_value_meta(operation));
    DTI_TRY(check_dtypes(operation, SOURCE));
    if (dt_shape_count(index) == 0 || fits(index, source, -1))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "index has shape %s, which exceeds src, of shape %s",
        dti_shape_show(index).text, dti_shape_show(source).text);
}

/* ---- Putting ------------------------------------------------------------ */

dt_status dti_put_begin(dt_operation *operation)
{
    const dt_array *in = operation->in[SELF];
    dt_array *out = operation->out[0];
    if (out->count == 0 || dti_array_address(in) == dti_array_address(out))
        return DT_OK;
    return dt_array_copy(operation->world, in, out);
}

/* What scatter puts where: an index for each element. */
static dti_putting scattered(const dt_operation *operation, int dim,
                             const dt_array *positions)
{
    dt_array *out = operation->out[0];
    dti_putting putting = {.dtype = out->dtype,
                           .ndim = positions->shape.ndim,
                           .to = dt_array_data(out),
                           .step = out->shape.ndim ? out->strides[dim] : 0,
                           .positions = dt_array_const_data(positions)};
    for (int i = 0; i < putting.ndim; i++) {
        putting.dims[i] = positions->shape.dims[i];
        putting.strides[i] =
            i == dim || i >= out->shape.ndim ? 0 : out->strides[i];
        putting.position_strides[i] = positions->strides[i];
    }
    return putting;
}

/* Put elements of an array, or one element for all. */
static void put_array(dti_putting *putting, const dt_array *source,
                      dti_put_mode mode)
{
    putting->from = dt_array_const_data(source);
    for (int i = 0; i < putting->ndim; i++)
        putting->from_strides[i] = source->shape.ndim ? source->strides[i] : 0;
    dti_put_elements(putting, mode);
}

static dt_status scatter_with(dt_operation *operation, const dt_array *source,
                              dti_put_mode mode)
{
    int dim;
    dt_array *positions = NULL;
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(dti_put_begin(operation));
    DTI_TRY(dti_index_positions(operation, INDEX, SELF, dim, &positions));
    if (positions->count > 0 && operation->out[0]->count > 0) {
        dti_putting putting = scattered(operation, dim, positions);
        put_array(&putting, source, mode);
    }
    return DT_OK;
}

static dt_status scatter_kernel(dt_operation *operation)
{
    return scatter_with(operation, operation->in[SOURCE],
                        (dti_put_mode)dti_kind(operation));
}

dt_status dti_put_number(const dt_operation *operation, dt_number number,
                         dt_array **out)
{
    DTI_TRY(dti_scratch_create(operation, operation->results[0].dtype,
                               DT_SHAPE(), out));
    return dti_value_fill(operation, number, *out);
}

static dt_status scatter_value_kernel(dt_operation *operation)
{
    dt_array *value = NULL;
    DTI_TRY(dti_put_number(operation, dti_argument_number(operation, "value"),
                           &value));
    return scatter_with(operation, value, DTI_PUT_SET);
}

/* ---- scatter_reduce ----------------------------------------------------- */

typedef struct reduction {
    dti_put_mode mode;
    dt_reduce reduce; /* of its parts */
    double neutral;   /* in place of what self has, if that is left out */
    bool linear, ordered, averages;
} reduction;

/* By dt_scatter_reduction. */
static const reduction reductions[] = {
    {.mode = DTI_PUT_ADD, .reduce = DT_SUM, .linear = true},
    {.mode = DTI_PUT_MULTIPLY, .reduce = DT_PRODUCT, .neutral = 1},
    {.mode = DTI_PUT_ADD, .reduce = DT_SUM, .linear = true, .averages = true},
    {.mode = DTI_PUT_MAX, .reduce = DT_MAX, .ordered = true},
    {.mode = DTI_PUT_MIN, .reduce = DT_MIN, .ordered = true},
};

static const reduction *find_reduction(const dt_operation *operation)
{
    return &reductions[dti_argument_int(operation, "reduce")];
}

static bool includes_self(const dt_operation *operation)
{
    return dti_argument_bool(operation, "include_self");
}

static dt_status scatter_reduce_meta(dt_operation *operation)
{
    dt_dtype_kind kind = dt_dtype_kind_of(operation->metas[SELF]->dtype);
    DTI_TRY(dti_check_value(operation, "reduce"));
    const reduction *by = find_reduction(operation);
    if ((by->ordered && kind == DT_KIND_COMPLEX) ||
        (by->averages && kind == DT_KIND_BOOLEAN))
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "reduce %s is not supported for dtype %s",
                                 by->averages ? "mean" : "amax or amin",
                                 dt_dtype_name(operation->metas[SELF]->dtype));
    return scatter_meta(operation);
}

/*
 * Sums pass, of means those of floats.  The index is sharded for sums that self
 * takes part in: no rank alone knows which elements are left out.  The largest
 * of parts that are least is not the least of what is largest; a factor that
 * no tensor has says so, and is never sharded.
 */
static dt_status scatter_reduce_factors(const dt_operation *operation,
                                        dt_factors *out)
{
    const reduction *by = find_reduction(operation);
    const bool floats = !dti_is_whole(operation->metas[SELF]->dtype);
    const bool adds = by->linear && !by->averages && includes_self(operation);
    out->no_linear = !by->linear || (by->averages && !floats);
    out->no_monotone = !by->ordered;
    for (int i = 0; i < out->count; i++)
        if (out->factors[i].kind == DT_FACTOR_REDUCED && !adds)
            out->factors[i].kind = DT_FACTOR_WHOLE;
    if (by->ordered) {
        int factor = dti_factor_add(out, DT_FACTOR_REDUCED, 1);
        out->factors[factor].reduce = by->reduce;
    }
    return DT_OK;
}

/* Set the elements that something is put to, to what changes nothing. */
static dt_status leave_out_self(dt_operation *operation, const reduction *by,
                                dti_putting *putting)
{
    dt_array *neutral = NULL;
    dt_world *world = operation->world;
    dt_dtype dtype = operation->out[0]->dtype;
    DTI_TRY(dti_scratch_create(operation, dtype, DT_SHAPE(), &neutral));
    DTI_TRY(by->ordered ? dti_value_extreme(world, by->reduce, neutral)
                        : dt_array_fill(world, neutral, by->neutral));
    put_array(putting, neutral, DTI_PUT_SET);
    return DT_OK;
}

/* Divide by how many elements were added. */
static dt_status take_means(dt_operation *operation, dti_putting putting)
{
    dt_world *world = operation->world;
    dt_array *out = operation->out[0], *counts = NULL, *one = NULL;
    DTI_TRY(dti_scratch_create(operation, DT_I64, out->shape, &counts));
    DTI_TRY(dti_scratch_create(operation, DT_I64, DT_SHAPE(), &one));
    DTI_TRY(dt_array_fill_int(world, counts, includes_self(operation) ? 1 : 0));
    DTI_TRY(dt_array_fill_int(world, one, 1));
    putting.dtype = DT_I64;
    putting.to = dt_array_data(counts);
    put_array(&putting, one, DTI_PUT_ADD);
    dti_put_divide(out->dtype, dt_array_data(out), dt_array_const_data(counts),
                   out->count);
    return DT_OK;
}

static dt_status scatter_reduce_kernel(dt_operation *operation)
{
    int dim;
    dt_array *positions = NULL;
    const reduction *by = find_reduction(operation);
    DTI_TRY(read_dim(operation, &dim));
    DTI_TRY(dti_put_begin(operation));
    DTI_TRY(dti_index_positions(operation, INDEX, SELF, dim, &positions));
    if (positions->count == 0 || operation->out[0]->count == 0)
        return DT_OK;
    dti_putting putting = scattered(operation, dim, positions);
    if (!includes_self(operation))
        DTI_TRY(leave_out_self(operation, by, &putting));
    put_array(&putting, operation->in[SOURCE], by->mode);
    return by->averages ? take_means(operation, putting) : DT_OK;
}

/* ---- Gradients ---------------------------------------------------------- */

/* The gradient of each element that has an index, zeros for those without. */
static dt_tensor *gather_gradient(const dt_backward_call *call,
                                  dt_tensor *taken)
{
    return dti_backward_pad(taken, call->in_specs[SOURCE]->meta.shape);
}

static dt_status scatter_backward(dt_backward_call *call)
{
    const int dim = (int)call->arguments[1].as.integer;
    return dti_give_gradient(
        call, SOURCE,
        gather_gradient(call,
                        dt_gather(call->grads[0], dim, call->inputs[INDEX])));
}

/* A call of scatter_reduce: src is cut to the elements that have an index. */
typedef struct reducing {
    dt_tensor *self, *index, *src, *result, *grad;
    int dim;
    dt_scatter_reduction by;
    bool with_self;
} reducing;

static dt_status read_reducing(const dt_backward_call *call, reducing *out)
{
    *out = (reducing){.self = call->inputs[SELF],
                      .index = call->inputs[INDEX],
                      .src = call->inputs[SOURCE],
                      .result = call->results[0],
                      .grad = call->grads[0],
                      .dim = (int)call->arguments[1].as.integer,
                      .by = (dt_scatter_reduction)call->arguments[4].as.integer,
                      .with_self = call->arguments[5].as.integer != 0};
    const dt_shape shape = dt_tensor_shape(out->index);
    for (int i = 0; out->src && i < shape.ndim; i++)
        if (dt_tensor_shape(out->src).dims[i] != shape.dims[i])
            out->src = dt_narrow(out->src, i, 0, shape.dims[i]);
    return out->src ? DT_OK : dti_failure_of(call->world);
}

/* What is computed for each element of the result, for elements of src. */
static dt_tensor *for_source(const reducing *at, dt_tensor *of)
{
    return dt_gather(of, at->dim, at->index);
}

static dt_tensor *truth_of(dt_tensor *condition, const reducing *at)
{
    return dt_cast(condition, dt_tensor_dtype(at->self));
}

/* The call with other tensors. */
static dt_tensor *reduce_again(const reducing *at, dt_tensor *self,
                               dt_tensor *src)
{
    dt_scatter_reduce_options options = DT_SCATTER_REDUCE_OPTIONS_INIT;
    options.include_self = at->with_self;
    return dt_scatter_reduce_with(self, at->dim, at->index, src, at->by,
                                  &options);
}

/* The product of the others: the product divided by an element, or with 1
 * instead of it if it is 0. */
static void reduce_product(const reducing *at, dt_tensor **self,
                           dt_tensor **src)
{
    dt_tensor *ones = dt_masked_fill(
        at->self, dt_eq_scalar(at->self, dt_integer(0)), dt_integer(1));
    *self = dt_mul(at->grad, dt_div(reduce_again(at, ones, at->src), ones));
    dt_tensor *zero = dt_eq_scalar(at->src, dt_integer(0));
    dt_tensor *zeros =
        for_source(at, dt_scatter_add(dt_zeros_like(at->self), at->dim,
                                      at->index, truth_of(zero, at)));
    dt_tensor *only = dt_logical_and(zero, dt_eq_scalar(zeros, dt_integer(1)));
    dt_tensor *without = reduce_again(
        at, at->self, dt_masked_fill(at->src, only, dt_integer(1)));
    *src = dt_where(only, for_source(at, dt_mul(at->grad, without)),
                    dt_div(for_source(at, dt_mul(at->grad, at->result)),
                           dt_masked_fill(at->src, zero, dt_integer(1))));
}

static void reduce_mean(const reducing *at, dt_tensor **self, dt_tensor **src)
{
    dt_tensor *counts =
        at->with_self ? dt_ones_like(at->self) : dt_zeros_like(at->self);
    counts = dt_scatter_add(counts, at->dim, at->index, dt_ones_like(at->src));
    counts = dt_masked_fill(counts, dt_eq_scalar(counts, dt_integer(0)),
                            dt_integer(1));
    *self = dt_div(at->grad, counts);
    *src = for_source(at, *self);
}

/* Elements that are the largest share the gradient evenly. */
static void reduce_extreme(const reducing *at, dt_tensor **self,
                           dt_tensor **src)
{
    dt_tensor *in_self = truth_of(dt_eq(at->self, at->result), at);
    dt_tensor *in_src =
        truth_of(dt_eq(at->src, for_source(at, at->result)), at);
    if (!at->with_self)
        in_self = dt_scatter_value(in_self, at->dim, at->index, dt_integer(0));
    dt_tensor *share =
        dt_div(at->grad, dt_scatter_add(in_self, at->dim, at->index, in_src));
    *self = dt_mul(in_self, share);
    *src = dt_mul(in_src, for_source(at, share));
}

static dt_status scatter_reduce_backward(dt_backward_call *call)
{
    reducing at;
    dt_tensor *self = call->grads[0], *src = NULL;
    DTI_TRY(read_reducing(call, &at));
    if (at.by == DT_SCATTER_REDUCTION_SUM)
        src = for_source(&at, self);
    else if (at.by == DT_SCATTER_REDUCTION_PROD)
        reduce_product(&at, &self, &src);
    else if (at.by == DT_SCATTER_REDUCTION_MEAN)
        reduce_mean(&at, &self, &src);
    else
        reduce_extreme(&at, &self, &src);
    if (!at.with_self)
        self = dt_scatter_value(self, at.dim, at.index, dt_integer(0));
    if (call->wanted[SELF])
        DTI_TRY(dti_give_gradient(call, SELF, self));
    if (call->wanted[SOURCE])
        DTI_TRY(dti_give_gradient(call, SOURCE, gather_gradient(call, src)));
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_scatter[] = {
    {
        .schema = "scatter(Tensor self, Dim dim, Tensor index, Tensor src) -> "
                  "Tensor",
        .aten = "scatter.src",
        .about = "Store each element of src at its index along a dimension, "
                 "and at its own position along the others; of several at one "
                 "position, the last is stored.",
        .rule = "...d?,...i?,...i?->...d?; d at dim, i at dim whole, ... equal",
        .permutes = "self src",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = scatter_meta,
        .kernel = scatter_kernel,
        .data = DTI_KIND(DTI_PUT_SET),
        .gradient = "self: scatter_value(grad, dim, index, 0); index: none; "
                    "src: function(index)",
        .backward = scatter_backward,
        .samples = "(T[5,n], 0, i64[m,n]<5, T[m,n]); "
                   "(T[m,7], -1, i32[m,n]<7, T[m,n]); "
                   "(T[m,5,n], 1, i64[m,2,n]<5, T[m,3,n]); "
                   "(T[m,4], 0, i64[2,3]<m, T[3,3]); (T[], 0, i64[]<1, T[])",
    },
    {
        .schema = "scatter_value(Tensor self, Dim dim, Tensor index, "
                  "Number value) -> Tensor",
        .aten = "scatter.value",
        .about = "Set the elements selected by indexes along a dimension to a "
                 "number.",
        .rule = "...d?,...i?->...d?; d at dim, i at dim whole, ... equal",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = scatter_value_meta,
        .check = dti_value_check_argument,
        .kernel = scatter_value_kernel,
        .gradient = "self: scatter_value(grad, dim, index, 0); index: none",
        .samples = "(T[5,n], 0, i64[m,n]<5, 3); "
                   "(T[m,7], -1, i32[m,n]<7, 1); (T[], 0, i64[]<1, true)",
    },
    {
        .schema = "scatter_add(Tensor self, Dim dim, Tensor index, Tensor src) "
                  "-> Tensor",
        .about = "Add each element of src to the element at its index along a "
                 "dimension.",
        .rule = "...d?,...i?,...i?->...d?; d at dim, i at dim equal, ... equal",
        .linear = "self + src",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = scatter_meta,
        .kernel = scatter_kernel,
        .data = DTI_KIND(DTI_PUT_ADD),
        .gradient = "self: grad; index: none; src: function(index)",
        .backward = scatter_backward,
        .samples = "(T[5,n], 0, i64[m,n]<5, T[m,n]); "
                   "(T[m,7], -1, i32[m,n]<7, T[m,n]); "
                   "(T[m,5,n], 1, i64[m,2,n]<5, T[m,3,n]); "
                   "(T[m,4], 0, i64[2,3]<m, T[3,3]); (T[], 0, i64[]<1, T[])",
    },
    {
        .schema = "scatter_reduce(Tensor self, Dim dim, Tensor index, "
                  "Tensor src, ScatterReduction reduce, *, bool "
                  "include_self=true) -> "
                  "Tensor",
        .aten = "scatter_reduce.two",
        .about = "Reduce elements of src into the elements selected by indexes "
                 "along a dimension; without include_self, the elements of "
                 "self are ignored.",
        .rule = "...d?,...i?,...i?->...d?; d at dim, i at dim equal, "
                "... equal",
        .linear = "self + src",
        .monotone = "self src",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = scatter_reduce_meta,
        .factors = scatter_reduce_factors,
        .kernel = scatter_reduce_kernel,
        .gradient =
            "self, src: function(self, index, src, result); index: none",
        .backward = scatter_reduce_backward,
        .samples = "(T[5,n], 0, i64[m,n]<5, T[m,n], sum); "
                   "(T[m,7], -1, i32[m,n]<7, T[m,n], sum, "
                   "include_self=false); "
                   "(T[5,n], 0, i64[m,n]<5, T[m,n], amax); "
                   "(T[5,n], 0, i64[m,n]<5, T[m,n], amin, "
                   "include_self=false); "
                   "(T[5,n], 0, i64[m,n]<5, T[m,n], mean); "
                   "(T[5,n], 0, i64[m,n]<5, T[m,n], mean, "
                   "include_self=false); "
                   "(T[5,n], 0, i64[3,n]<5, T[3,n], prod)",
        .dtypes = "float int",
    },
    {0},
};
