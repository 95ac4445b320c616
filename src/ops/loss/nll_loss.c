/* ops/loss/nll_loss.c - the negative logarithm of a class's probability. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/dtype.h"
#include "base/error.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/factors.h"
#include "ops/helpers/loss_gradient.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"
#include "ops/loss/classes.h"

/*
 * Each rank counts the items whose class lies in its part: losses and weights
 * of the parts add up, whether items or classes are cut.  A mean divides sums
 * of all ranks, which are combined in one call.
 */

/* ---- Classes ------------------------------------------------------------ */

dt_status dti_classes_read(const dt_operation *operation, dti_classes *out)
{
    const char *first = operation->schema->parameters[0].name;
    const int self = strcmp(first, "self") == 0 ? 0 : 1;
    *out = (dti_classes){
        .self = self,
        .target = self + 1,
        .weight = self + 2,
        .reduction = (dt_reduction)dti_argument_int(operation, "reduction"),
        .ignored = dti_argument_int(operation, "ignore_index")};
    return dti_check_value(operation, "reduction");
}

dt_shape dti_classes_items(const dt_operation *operation, const dti_classes *of)
{
    const dt_shape self = operation->metas[of->self]->shape;
    dt_shape out = DT_SHAPE();
    for (int i = 0; i < self.ndim; i++)
        if (i != dti_class_dim(self.ndim))
            out.dims[out.ndim++] = self.dims[i];
    return out;
}

dt_shape dti_classes_loss(const dt_operation *operation, const dti_classes *of)
{
    return of->reduction == DT_REDUCTION_NONE ? dti_classes_items(operation, of)
                                              : DT_SHAPE();
}

static dt_status check_weight(const dt_operation *operation,
                              const dti_classes *of)
{
    const dt_meta *self = operation->metas[of->self];
    const dt_meta *weight = operation->metas[of->weight];
    const int64_t classes = self->shape.dims[dti_class_dim(self->shape.ndim)];
    if (!weight)
        return DT_OK;
    if (!dt_shape_equal(weight->shape, DT_SHAPE(classes)))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "weight has shape %s, but self, of shape %s, has %lld classes",
            dti_shape_show(weight->shape).text,
            dti_shape_show(self->shape).text, (long long)classes);
    if (weight->dtype != self->dtype)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED,
            "self is %s but weight is %s; the dtypes must be equal",
            dt_dtype_name(self->dtype), dt_dtype_name(weight->dtype));
    return DT_OK;
}

dt_status dti_classes_check(const dt_operation *operation,
                            const dti_classes *of)
{
    const dt_meta *self = operation->metas[of->self];
    const dt_meta *target = operation->metas[of->target];
    if (dt_dtype_kind_of(self->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s; expected a floating-point dtype",
                                 dt_dtype_name(self->dtype));
    if (self->shape.ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "self is 0-d; expected a class dimension");
    DTI_TRY(dti_index_check(operation, of->target));
    if (!dt_shape_equal(target->shape, dti_classes_items(operation, of)))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "target has shape %s, which does not match self, of shape %s, "
            "without its class dimension %d",
            dti_shape_show(target->shape).text,
            dti_shape_show(self->shape).text, dti_class_dim(self->shape.ndim));
    return check_weight(operation, of);
}

/* ---- Rules -------------------------------------------------------------- */

/* Let the inputs or results whose bits are set have a factor. */
static void put_in_all(dt_factor_map *maps, unsigned bits, int dim, int factor)
{
    for (int i = 0; bits; i++, bits >>= 1)
        if (bits & 1)
            dti_factor_put(&maps[i].dims[dim], factor);
}

void dti_classes_factors(const dt_operation *operation, const dti_classes *of,
                         const dti_classes_rule *rule, dt_factors *out)
{
    const dt_shape self = operation->metas[of->self]->shape;
    const int classes = dti_class_dim(self.ndim);
    *out = (dt_factors){.in_count = operation->input_count,
                        .out_count = operation->result_count};
    for (int i = 0; i < self.ndim; i++) {
        const bool is_class = i == classes;
        const int factor = dti_factor_add(
            out, is_class ? rule->class_kind : rule->item_kind, self.dims[i]);
        out->factors[factor].others_whole = true;
        out->factors[factor].calls = is_class ? 3 : 1;
        put_in_all(out->in, rule->all_in, i, factor);
        put_in_all(out->out, rule->all_out, i, factor);
        if (is_class && rule->weight_cut)
            dti_factor_put(&out->in[of->weight].dims[0], factor);
        if (is_class)
            continue;
        put_in_all(out->in, rule->items_in, i - (i > classes), factor);
        put_in_all(out->out, rule->items_out, i - (i > classes), factor);
    }
}

/* ---- Places ------------------------------------------------------------- */

dt_status dti_classes_places(const dt_operation *operation,
                             const dti_classes *of, const dt_spec *self,
                             dt_array **out)
{
    DTI_TRY(
        dti_scratch_copy(operation, operation->in[of->target], DT_I64, out));
    if (dt_array_count(*out) == 0)
        return DT_OK;
    return dti_index_locate(operation, of->target, self,
                            dti_class_dim(dt_spec_ndim(self)), &of->ignored,
                            dt_array_data(*out), dt_array_count(*out));
}

static inline double number_in(const void *data, dt_dtype dtype, int64_t index)
{
    const int64_t item = (int64_t)dti_dtype_size(dtype);
    double value = 0;
    if (dtype == DT_F32)
        return (double)((const float *)data)[index];
    dti_cast((const char *)data + index * item, dtype, &value, DT_F64, 1);
    return value;
}

static double number_at(const dt_array *array, int64_t index)
{
    return number_in(dt_array_const_data(array), array->dtype, index);
}

dt_status dti_classes_weights(const dt_operation *operation, dt_array *weight,
                              const dt_array *places, dt_array **out)
{
    const int64_t count = dt_array_count(places);
    DTI_TRY(dti_comm_numbers(operation, count, out));
    const int64_t *at = dt_array_const_data(places);
    double *to = dt_array_data(*out);
    const int64_t stride = weight ? dt_array_stride(weight, 0) : 0;
    for (int64_t i = 0; i < count; i++)
        to[i] = at[i] < 0 ? 0 : weight ? number_at(weight, at[i] * stride) : 1;
    return DT_OK;
}

/* ---- Results ------------------------------------------------------------ */

enum { TOTAL_WEIGHT = 4 };

static dt_status nll_loss_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_classes_check(operation, &of));
    DTI_TRY(dti_meta_add(operation, dtype, dti_classes_loss(operation, &of)));
    return dti_meta_add(operation, dtype, DT_SHAPE());
}

static dt_status nll_loss_backward_meta(dt_operation *operation)
{
    const dt_meta *grad = operation->metas[0], *self = operation->metas[1];
    const dt_meta *total = operation->metas[TOTAL_WEIGHT];
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_classes_check(operation, &of));
    const dt_shape loss = dti_classes_loss(operation, &of);
    if (!dt_shape_equal(grad->shape, loss))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "grad_output has shape %s, but the loss has shape %s",
            dti_shape_show(grad->shape).text, dti_shape_show(loss).text);
    if (total->shape.ndim != 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "total_weight has shape %s; expected 1 element",
            dti_shape_show(total->shape).text);
    if (grad->dtype != self->dtype || total->dtype != self->dtype)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s, grad_output is %s and "
                                 "total_weight is %s; the dtypes must be equal",
                                 dt_dtype_name(self->dtype),
                                 dt_dtype_name(grad->dtype),
                                 dt_dtype_name(total->dtype));
    return dti_meta_add(operation, self->dtype, self->shape);
}

/* As PyTorch has it, of several items that stay nothing is weighed. */
static bool has_no_total(const dt_operation *operation, const dti_classes *of)
{
    return of->reduction == DT_REDUCTION_NONE &&
           operation->metas[of->self]->shape.ndim > 1;
}

static dt_status nll_loss_factors(const dt_operation *operation,
                                  dt_factors *out)
{
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    const dt_factor_kind kind = of.reduction == DT_REDUCTION_MEAN
                                    ? DT_FACTOR_INSIDE
                                    : DT_FACTOR_REDUCED;
    const dti_classes_rule rule = {.item_kind = kind,
                                   .class_kind = kind,
                                   .items_in = 1u << of.target,
                                   .items_out =
                                       of.reduction == DT_REDUCTION_NONE,
                                   .all_in = 1u << of.self,
                                   .weight_cut = true};
    dti_classes_factors(operation, &of, &rule, out);
    for (int i = 0; i < out->count; i++)
        out->factors[i].calls = 1;
    out->whole = has_no_total(operation, &of) ? 2 : 0;
    out->constant = 2;
    return DT_OK;
}

static dt_status nll_loss_backward_factors(const dt_operation *operation,
                                           dt_factors *out)
{
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    const dti_classes_rule rule = {
        .items_in =
            1u << of.target | (of.reduction == DT_REDUCTION_NONE ? 1u : 0u),
        .all_in = 1u << of.self,
        .all_out = 1,
        .weight_cut = true};
    dti_classes_factors(operation, &of, &rule, out);
    out->unread = 1u << of.self;
    if (of.reduction != DT_REDUCTION_MEAN)
        out->unread |= 1u << TOTAL_WEIGHT;
    out->no_monotone = operation->metas[of.weight] != NULL ||
                       of.reduction == DT_REDUCTION_MEAN;
    return DT_OK;
}

/* ---- Forward ------------------------------------------------------------ */

static void put_number(dt_array *to, int64_t index, double value)
{
    const int64_t item = (int64_t)dti_dtype_size(to->dtype);
    char *data = dt_array_data(to);
    dti_cast(&value, DT_F64, data + index * item, to->dtype, 1);
}

/* Where the element of an item, given in row-major order, would lie if its
 * class were the first. */
static int64_t item_offset(const dt_array *self, int64_t item)
{
    const int ndim = self->shape.ndim;
    int64_t offset = 0;
    if (ndim <= 2) /* mostly: nothing is to be divided */
        return ndim == 2 ? item * self->strides[0] : 0;
    for (int i = ndim - 1; i >= 0; i--) {
        if (i == dti_class_dim(ndim))
            continue;
        offset += item % self->shape.dims[i] * self->strides[i];
        item /= self->shape.dims[i];
    }
    return offset;
}

/* Losses and weights of items as f64. */
typedef struct losses {
    dt_array *places;
    dt_array *weights;
    dt_array *sums; /* of losses, and of weights */
} losses;

static void add_losses(dt_operation *operation, const dti_classes *of,
                       losses *at)
{
    const dt_array *self = operation->in[of->self];
    const int64_t stride =
        dt_array_stride(self, dti_class_dim(self->shape.ndim));
    const int64_t *places = dt_array_const_data(at->places);
    const double *weights = dt_array_const_data(at->weights);
    const int64_t count = dt_array_count(at->places);
    const void *data = dt_array_const_data(self);
    double *sums = dt_array_data(at->sums), all = 0, total = 0;
    for (int64_t i = 0; i < count; i++) {
        const double loss =
            places[i] < 0 ? 0
                          : -weights[i] * number_in(data, self->dtype,
                                                    item_offset(self, i) +
                                                        places[i] * stride);
        if (of->reduction == DT_REDUCTION_NONE)
            put_number(operation->out[0], i, loss);
        all += loss;
        total += weights[i];
    }
    sums[0] = all;
    sums[1] = total;
}

static void put_losses(dt_operation *operation, const dti_classes *of,
                       const double *sums)
{
    const bool reduces = of->reduction != DT_REDUCTION_NONE;
    const bool mean = of->reduction == DT_REDUCTION_MEAN;
    if (reduces)
        put_number(operation->out[0], 0, mean ? sums[0] / sums[1] : sums[0]);
    put_number(operation->out[1], 0, has_no_total(operation, of) ? 0 : sums[1]);
}

static dt_status nll_loss_kernel(dt_operation *operation)
{
    losses at = {NULL, NULL, NULL};
    dt_group *group = NULL;
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_comm_numbers(operation, 2, &at.sums));
    const bool meta = dt_array_is_meta(at.sums);
    if (!meta) {
        DTI_TRY(dti_classes_places(operation, &of, operation->in_specs[of.self],
                                   &at.places));
        DTI_TRY(dti_classes_weights(operation, operation->in[of.weight],
                                    at.places, &at.weights));
        add_losses(operation, &of, &at);
    }
    if (of.reduction == DT_REDUCTION_MEAN) {
        DTI_TRY(dti_comm_group(operation->in_specs[of.self], ~0u, &group));
        DTI_TRY(dti_comm_combine(group, DT_SUM, at.sums));
    }
    if (!meta)
        put_losses(operation, &of, dt_array_const_data(at.sums));
    return DT_OK;
}

/* ---- Backward ----------------------------------------------------------- */

static void put_gradients(dt_operation *operation, const dti_classes *of,
                          const dt_array *grad, const losses *at)
{
    dt_array *out = operation->out[0];
    const int64_t stride = dt_array_stride(out, dti_class_dim(out->shape.ndim));
    const int64_t *places = dt_array_const_data(at->places);
    const double *weights = dt_array_const_data(at->weights);
    const bool each = of->reduction == DT_REDUCTION_NONE;
    double scale = each ? 1 : number_at(grad, 0);
    if (of->reduction == DT_REDUCTION_MEAN)
        scale /= number_at(operation->in[TOTAL_WEIGHT], 0);
    for (int64_t i = 0; i < dt_array_count(at->places); i++)
        if (places[i] >= 0)
            put_number(out, item_offset(out, i) + places[i] * stride,
                       -weights[i] * (each ? number_at(grad, i) : scale));
}

static dt_status nll_loss_backward_kernel(dt_operation *operation)
{
    losses at = {NULL, NULL, NULL};
    dt_array *grad = NULL, *out = operation->out[0];
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_classes_places(operation, &of, operation->out_specs[0],
                               &at.places));
    DTI_TRY(dti_classes_weights(operation, operation->in[of.weight], at.places,
                                &at.weights));
    DTI_TRY(dti_scratch_contiguous(operation, operation->in[0], &grad));
    if (dt_array_count(out) > 0) {
        memset(dt_array_data(out), 0, dt_array_bytes(out));
        put_gradients(operation, &of, grad, &at);
    }
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_nll_loss[] = {
    {
        .schema = "nll_loss(Tensor self, Tensor target, Tensor? weight, *, "
                  "Reduction reduction=mean, int ignore_index=-100) "
                  "-> (Tensor output, Tensor total_weight)",
        .aten = "nll_loss_forward nll_loss2d_forward nll_loss nll_loss2d "
                "nll_loss_nd",
        .about = "Negative log-likelihood: minus the element of self for the "
                 "class of each item, times the weight of the class; their "
                 "sum, or their mean weighted by class.  Classes are dimension "
                 "1 of self, or 0 of a 1-d tensor.",
        .factors = nll_loss_factors,
        .linear = "self",
        .flags = DT_OP_COMMUNICATES,
        .meta = nll_loss_meta,
        .kernel = nll_loss_kernel,
        .gradient = "self: nll_loss_backward(grad_output, self, target, "
                    "weight, reduction, ignore_index, total_weight); target: "
                    "none; weight: function(grad_output)",
        .backward = dti_refuse_weight_gradient,
        .samples = "(T[m,7], i64[m]<7, None); (T[m,c], i64[m]<c, T[c]>0); "
                   "(T[m,7], i64[m]<7, T[7]>0, reduction=sum, ignore_index=3); "
                   "(T[m,c], i32[m]<c, None, reduction=none, ignore_index=2); "
                   "(T[m,c,n], i64[m,n]<c, T[c]>0, reduction=none); "
                   "(T[m,5,n,2], i64[m,n,2]<5, None, reduction=sum); "
                   "(T[c], i64[]<c, None)",
        .dtypes = "float",
    },
    {
        .schema = "nll_loss_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Tensor? weight, Reduction reduction, "
                  "int ignore_index, Tensor total_weight) -> Tensor",
        .aten = "nll_loss_backward nll_loss2d_backward",
        .about = "Gradient of nll_loss with respect to self.",
        .factors = nll_loss_backward_factors,
        .linear = "grad_output*weight",
        .monotone = "-grad_output",
        .meta = nll_loss_backward_meta,
        .kernel = nll_loss_backward_kernel,
        .gradient = "grad_output: nll_loss(grad, target, weight, "
                    "reduction=reduction, ignore_index=ignore_index); self: "
                    "zeros(self); target: none; weight: function(); "
                    "total_weight: none",
        .backward = dti_refuse_weight_gradient,
        .samples = "(T[], T[m,7], i64[m]<7, None, mean, -100, T[]); "
                   "(T[], T[m,c], i64[m]<c, T[c], sum, 1, T[]); "
                   "(T[m], T[m,c], i32[m]<c, T[c], none, -100, T[]); "
                   "(T[m,n], T[m,c,n], i64[m,n]<c, None, none, 2, T[]); "
                   "(T[], T[c], i64[]<c, None, mean, -100, T[]); "
                   "(T[], T[3,c], i64[3]<c, None, mean, 9, T[]); "
                   "(T[], T[m,4], i64[m]<4, None, mean, 9, T[])",
        .dtypes = "float",
    },
    {0},
};
