/* ops/loss/cross_entropy.c - cross-entropy of logits and classes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include <dtensor/ops.h>
#include <dtensor/sys/ops_internal.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/dtype.h"
#include "base/error.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/comm.h"
#include "ops/helpers/loss_gradient.h"
#include "ops/helpers/recorded.h"
#include "ops/helpers/rows.h"
#include "ops/helpers/tables.h"
#include "ops/index/gather.h"
#include "ops/loss/classes.h"

/*
 * The loss of an item is logsumexp(x) - x of its class, times the weight of
 * that; smoothing gives a share of it to all classes.  Where classes are cut,
 * ranks combine three things, none of which is as large as the logits: the
 * largest logit of each item, the sum of its exponentials, and what each rank
 * adds to the losses.  On the way back nothing is sent: logsumexp and the
 * weight of all items are known.
 */

/* ---- Arguments ---------------------------------------------------------- */

/* Inputs of the form that goes back. */
enum { GRAD_OUTPUT, LOGSUMEXP = 4, TOTAL_WEIGHT };

static dt_status check_smoothing(const dt_operation *operation)
{
    const double smoothing = dti_argument_real(operation, "label_smoothing");
    if (smoothing >= 0 && smoothing <= 1)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "label_smoothing is %g; expected a number from 0 to 1", smoothing);
}

/* ---- Results ------------------------------------------------------------ */

static dt_status forward_meta(dt_operation *operation)
{
    const dt_dtype dtype = operation->metas[0]->dtype;
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_classes_check(operation, &of));
    const dt_dtype wide = dti_rows_carrier(dtype);
    DTI_TRY(dti_meta_add(operation, dtype, dti_classes_loss(operation, &of)));
    DTI_TRY(dti_meta_add(operation, wide, dti_classes_items(operation, &of)));
    return dti_meta_add(operation, wide, DT_SHAPE());
}

/* An input that must have a shape and a dtype. */
static dt_status check_input(const dt_operation *operation, int input,
                             const char *name, dt_dtype dtype, dt_shape shape)
{
    const dt_meta *meta = operation->metas[input];
    if (!dt_shape_equal(meta->shape, shape))
        return dt_operation_fail(
            operation, DT_ERR_INVALID, "%s is %s; expected %s", name,
            dti_shape_show(meta->shape).text, dti_shape_show(shape).text);
    if (meta->dtype != dtype)
        return dt_operation_fail(
            operation, DT_ERR_UNSUPPORTED, "%s is %s; expected %s", name,
            dt_dtype_name(meta->dtype), dt_dtype_name(dtype));
    return DT_OK;
}

static dt_status backward_meta(dt_operation *operation)
{
    const dt_meta *self = operation->metas[1];
    const dt_dtype wide = dti_rows_carrier(self->dtype);
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(dti_classes_check(operation, &of));
    DTI_TRY(check_input(operation, GRAD_OUTPUT, "grad_output", self->dtype,
                        dti_classes_loss(operation, &of)));
    DTI_TRY(check_input(operation, LOGSUMEXP, "logsumexp", wide,
                        dti_classes_items(operation, &of)));
    DTI_TRY(
        check_input(operation, TOTAL_WEIGHT, "total_weight", wide, DT_SHAPE()));
    return dti_meta_add(operation, self->dtype, self->shape);
}

/* ---- Rules -------------------------------------------------------------- */

static dt_status forward_factors(const dt_operation *operation, dt_factors *out)
{
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    const dti_classes_rule rule = {
        .item_kind = of.reduction == DT_REDUCTION_MEAN ? DT_FACTOR_INSIDE
                                                       : DT_FACTOR_REDUCED,
        .class_kind = DT_FACTOR_INSIDE,
        .items_in = 1u << of.target,
        .items_out = of.reduction == DT_REDUCTION_NONE ? 3 : 2,
        .all_in = 1u << of.self,
        .weight_cut = true};
    dti_classes_factors(operation, &of, &rule, out);
    return DT_OK;
}

static dt_status backward_factors(const dt_operation *operation,
                                  dt_factors *out)
{
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    const dti_classes_rule rule = {
        .items_in = 1u << of.target | 1u << LOGSUMEXP |
                    (of.reduction == DT_REDUCTION_NONE ? 1u : 0u),
        .all_in = 1u << of.self,
        .all_out = 1};
    dti_classes_factors(operation, &of, &rule, out);
    if (of.reduction != DT_REDUCTION_MEAN)
        out->unread = 1u << TOTAL_WEIGHT;
    return DT_OK;
}

/* ---- Forward ------------------------------------------------------------ */

typedef struct loss {
    dti_classes of;
    dti_entropy entropy;
    bool meta;
    int64_t items;
    dt_group *group;   /* that shares the classes */
    dt_array *x;       /* logits, the classes last */
    dt_array *weights; /* of the classes */
    dt_array *places;
    dt_array *lse;    /* f64: largest logits first */
    dt_array *sums;   /* of exponentials */
    dt_array *losses; /* and behind them the weights of items */
    dt_array *total;  /* of losses, and of weights */
} loss;

static dt_status open_numbers(dt_operation *operation, loss *at)
{
    const dt_spec *self = operation->in_specs[at->of.self];
    const int dim = dti_class_dim(dt_spec_ndim(self));
    const dt_array *in = operation->in[at->of.self];
    at->items = 1;
    for (int i = 0; i < dt_array_ndim(in); i++)
        at->items *= i == dim ? 1 : dt_array_extent(in, i);
    DTI_TRY(dti_comm_group(self, 1u << dim, &at->group));
    DTI_TRY(dti_comm_numbers(operation, at->items, &at->lse));
    DTI_TRY(dti_comm_numbers(operation, at->items, &at->sums));
    DTI_TRY(dti_comm_numbers(operation, 2 * at->items, &at->losses));
    DTI_TRY(dti_comm_numbers(operation, 2, &at->total));
    at->meta = dt_array_is_meta(at->total);
    return DT_OK;
}

static dt_status open_values(dt_operation *operation, loss *at)
{
    dt_array *weight = operation->in[at->of.weight];
    const dt_spec *self = operation->in_specs[at->of.self];
    const dt_dtype carrier = dti_rows_carrier(dt_spec_dtype(self));
    const int dim = dti_class_dim(dt_spec_ndim(self));
    DTI_TRY(dti_rows_bring(operation, operation->in[at->of.self], dim, carrier,
                           &at->x));
    if (weight)
        DTI_TRY(dti_rows_bring(operation, weight, 0, carrier, &at->weights));
    DTI_TRY(dti_classes_places(operation, &at->of, self, &at->places));
    at->entropy = (dti_entropy){
        .runs = dti_rows_runs(at->x),
        .places = dt_array_const_data(at->places),
        .weights = weight ? dt_array_const_data(at->weights) : NULL,
        .smoothing = dti_argument_real(operation, "label_smoothing"),
        .classes = dt_spec_shape(self).dims[dim]};
    return DT_OK;
}

/* The logarithms of sums of exponentials, of whole items. */
static dt_status find_logsumexps(loss *at)
{
    const dti_along *runs = &at->entropy.runs;
    const void *x = at->meta ? NULL : dt_array_const_data(at->x);
    double *most = at->meta ? NULL : dt_array_data(at->lse);
    double *sums = at->meta ? NULL : dt_array_data(at->sums);
    if (!at->group) {
        if (!at->meta)
            dti_along_logsumexp(runs, x, most);
        return DT_OK;
    }
    if (!at->meta)
        dti_along_most(runs, x, most);
    DTI_TRY(dti_comm_combine(at->group, DT_MAX, at->lse));
    if (!at->meta)
        dti_along_exp_sum(runs, x, most, sums);
    DTI_TRY(dti_comm_combine(at->group, DT_SUM, at->sums));
    for (int64_t i = 0; !at->meta && i < at->items; i++)
        most[i] += log(sums[i]);
    return DT_OK;
}

static void add_up(loss *at)
{
    const double *losses = dt_array_const_data(at->losses);
    double *total = dt_array_data(at->total);
    total[0] = total[1] = 0;
    for (int64_t i = 0; i < at->items; i++) {
        total[0] += losses[i];
        total[1] += losses[at->items + i];
    }
}

/* Combine what ranks add to losses: those of items if they stay, their sums if
 * not. */
static dt_status combine_losses(dt_operation *operation, loss *at)
{
    dt_group *all = NULL;
    if (!at->meta)
        dti_entropy_losses(&at->entropy, dt_array_const_data(at->x),
                           dt_array_const_data(at->lse),
                           dt_array_data(at->losses),
                           (double *)dt_array_data(at->losses) + at->items);
    if (at->of.reduction == DT_REDUCTION_NONE)
        DTI_TRY(dti_comm_combine(at->group, DT_SUM, at->losses));
    if (!at->meta)
        add_up(at);
    if (at->of.reduction == DT_REDUCTION_SUM)
        return dti_comm_combine(at->group, DT_SUM, at->total);
    if (at->of.reduction == DT_REDUCTION_NONE)
        return DT_OK;
    DTI_TRY(dti_comm_group(operation->in_specs[at->of.self], ~0u, &all));
    return dti_comm_combine(all, DT_SUM, at->total);
}

/* Numbers go to a result, which is dense. */
static void put_numbers(const double *from, dt_array *to)
{
    if (dt_array_count(to) > 0)
        dti_cast(from, DT_F64, dt_array_data(to), dt_array_dtype(to),
                 dt_array_count(to));
}

static void put_losses(dt_operation *operation, loss *at)
{
    const double *total = dt_array_const_data(at->total);
    const double mean = total[0] / total[1];
    put_numbers(at->of.reduction == DT_REDUCTION_NONE
                    ? dt_array_const_data(at->losses)
                : at->of.reduction == DT_REDUCTION_MEAN ? &mean
                                                        : total,
                operation->out[0]);
    put_numbers(dt_array_const_data(at->lse), operation->out[1]);
    put_numbers(total + 1, operation->out[2]);
}

static dt_status forward_kernel(dt_operation *operation)
{
    loss at = {.meta = false};
    DTI_TRY(dti_classes_read(operation, &at.of));
    DTI_TRY(open_numbers(operation, &at));
    if (!at.meta)
        DTI_TRY(open_values(operation, &at));
    DTI_TRY(find_logsumexps(&at));
    DTI_TRY(combine_losses(operation, &at));
    if (!at.meta)
        put_losses(operation, &at);
    return DT_OK;
}

/* ---- Backward ----------------------------------------------------------- */

typedef struct gradient {
    dti_classes of;
    dti_entropy entropy;
    dt_array *x;
    dt_array *room;
    dt_array *places;
    dt_array *targets; /* places in the whole weight */
    dt_array *part;    /* weights of the classes that this rank has */
    dt_array *whole;   /* of all classes */
    dt_array *weights; /* of the items, f64 */
    dt_array *lse;     /* f64 */
    dt_array *grads;   /* f64, of the items */
} gradient;

/* The elements of a whole weight that this rank's classes have. */
static dt_status take_part(dt_operation *operation, gradient *at, int dim)
{
    const dt_spec *out = operation->out_specs[0];
    const int rank = dt_world_rank(operation->world);
    const int64_t count = dt_array_extent(operation->out[0], dim);
    const size_t item = dt_dtype_size(dt_array_dtype(at->whole));
    DTI_TRY(dti_scratch_create(operation, dt_array_dtype(at->whole),
                               DT_SHAPE(count), &at->part));
    const char *from = dt_array_const_data(at->whole);
    char *to = dt_array_data(at->part);
    dt_run run;
    for (int64_t i = 0; i < count; i += run.length - (i - run.local)) {
        if (!dt_spec_run(out, rank, dim, i, &run))
            break;
        memcpy(to + (size_t)run.local * item, from + (size_t)run.global * item,
               (size_t)run.length * item);
    }
    return DT_OK;
}

/* Weights of the items, whichever rank has their class. */
static dt_status weigh_items(dt_operation *operation, gradient *at)
{
    int64_t *targets;
    DTI_TRY(dti_scratch_copy(operation, operation->in[at->of.target], DT_I64,
                             &at->targets));
    targets = dt_array_data(at->targets);
    for (int64_t i = 0; i < dt_array_count(at->targets); i++)
        if (targets[i] == at->of.ignored)
            targets[i] = DTI_INDEX_IGNORED;
    return dti_classes_weights(operation, at->whole, at->targets, &at->weights);
}

/* The gradient of each item's loss. */
static dt_status spread_grads(dt_operation *operation, gradient *at)
{
    const int64_t items = dt_array_count(at->places);
    double total = 1, grad = 0;
    if (at->of.reduction == DT_REDUCTION_NONE)
        return dti_scratch_cast(operation, operation->in[GRAD_OUTPUT], DT_F64,
                                &at->grads);
    DTI_TRY(dti_comm_numbers(operation, items, &at->grads));
    const dt_array *given = operation->in[GRAD_OUTPUT];
    dti_cast(dt_array_const_data(given), dt_array_dtype(given), &grad, DT_F64,
             1);
    if (at->of.reduction == DT_REDUCTION_MEAN)
        dti_cast(dt_array_const_data(operation->in[TOTAL_WEIGHT]),
                 dt_array_dtype(operation->in[TOTAL_WEIGHT]), &total, DT_F64,
                 1);
    return dt_array_fill(operation->world, at->grads, grad / total);
}

static dt_status open_gradient(dt_operation *operation, gradient *at)
{
    dt_array *weight = operation->in[at->of.weight], *out = operation->out[0];
    const int dim = dti_class_dim(dt_array_ndim(out));
    const dt_dtype carrier = dti_rows_carrier(dt_array_dtype(out));
    DTI_TRY(dti_classes_places(operation, &at->of, operation->out_specs[0],
                               &at->places));
    if (weight) {
        DTI_TRY(dti_rows_bring(operation, weight, 0, carrier, &at->whole));
        DTI_TRY(take_part(operation, at, dim));
    }
    DTI_TRY(weigh_items(operation, at));
    DTI_TRY(spread_grads(operation, at));
    DTI_TRY(dti_scratch_cast(operation, operation->in[LOGSUMEXP], DT_F64,
                             &at->lse));
    DTI_TRY(dti_rows_bring(operation, operation->in[at->of.self], dim, carrier,
                           &at->x));
    return dti_rows_room(operation, out, dim, carrier, &at->room);
}

static dt_status run_backward(dt_operation *operation, gradient *at)
{
    dt_array *out = operation->out[0];
    const int dim = dti_class_dim(dt_array_ndim(out));
    const int64_t classes = operation->results[0].shape.dims[dim];
    double all = (double)classes;
    DTI_TRY(open_gradient(operation, at));
    if (at->whole) {
        const dti_along weights = dti_rows_runs(at->whole);
        dti_along_dot(&weights, dt_array_const_data(at->whole), NULL, &all);
    }
    const dti_entropy entropy = {
        .runs = dti_rows_runs(at->x),
        .places = dt_array_const_data(at->places),
        .weights = at->part ? dt_array_const_data(at->part) : NULL,
        .smoothing = dti_argument_real(operation, "label_smoothing"),
        .classes = classes};
    dti_entropy_grad(
        &entropy, dt_array_const_data(at->x), dt_array_const_data(at->lse),
        dt_array_const_data(at->grads), dt_array_const_data(at->weights), all,
        dt_array_data(at->room));
    return dti_rows_settle(operation, at->room, dim, out);
}

static dt_status backward_kernel(dt_operation *operation)
{
    gradient at = {.x = NULL};
    DTI_TRY(dti_classes_read(operation, &at.of));
    return dt_array_count(operation->out[0]) > 0 ? run_backward(operation, &at)
                                                 : DT_OK;
}

/* ---- Gradients of gradients --------------------------------------------- */

/* A weight that goes with the dimension of classes. */
static dt_tensor *beside(dt_tensor *weight, dt_shape shape, int dim)
{
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = i == dim ? shape.dims[i] : 1;
    return dt_view(weight, shape);
}

/* What each class's share of smoothing gives its logarithm: minus the gradient
 * of the item, but 0 if it is ignored, times the weight of the class. */
static dt_tensor *smooth_part(dt_operation *operation, const dti_classes *of,
                              dt_tensor *grad, int dim)
{
    const dt_shape shape = dt_tensor_shape(operation->inputs[of->self]);
    dt_tensor *target = operation->inputs[of->target];
    dt_tensor *weight = operation->inputs[of->weight];
    dt_tensor *ignored = dt_eq_scalar(target, dt_integer(of->ignored));
    dt_tensor *items = dt_masked_fill(dt_expand(grad, dt_tensor_shape(target)),
                                      ignored, dt_integer(0));
    items = dt_expand(dt_unsqueeze(dt_neg(items), dim), shape);
    return weight ? dt_mul(items, beside(weight, shape, dim)) : items;
}

/* The same by operators that have gradients: through log_softmax, back from
 * what nll_loss and smoothing give to that. */
static dt_status backward_recorded(dt_operation *operation)
{
    const double smoothing = dti_argument_real(operation, "label_smoothing");
    dt_tensor *const *in = operation->inputs;
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(check_smoothing(operation));
    dt_tensor *self = in[of.self], *grad = in[GRAD_OUTPUT];
    const dt_dtype dtype = dt_tensor_dtype(self);
    const dt_shape shape = dt_tensor_shape(self);
    const int dim = dti_class_dim(shape.ndim);
    dt_tensor *logs = dt_log_softmax(self, dim);
    dt_tensor *total = dt_cast(in[TOTAL_WEIGHT], dtype);
    dt_tensor *back =
        dt_nll_loss_backward(grad, logs, in[of.target], in[of.weight],
                             of.reduction, of.ignored, total);
    if (smoothing > 0) {
        if (of.reduction == DT_REDUCTION_MEAN)
            grad = dt_div(grad, total);
        dt_tensor *part = smooth_part(operation, &of, grad, dim);
        const double share = smoothing / (double)shape.dims[dim];
        back = dt_add(dt_mul_scalar(back, dt_real(1 - smoothing)),
                      dt_mul_scalar(part, dt_real(share)));
    }
    operation->outputs[0] = dt_log_softmax_backward(back, logs, dim, dtype);
    return DT_OK;
}

/* ---- With probabilities ------------------------------------------------- */

/* Give what targets are after smoothing: (1 - s) p + s / classes. */
static dt_tensor *smoothed(dt_tensor *target, double smoothing, int64_t classes)
{
    if (smoothing == 0)
        return target;
    dt_tensor *part = dt_mul_scalar(target, dt_real(1 - smoothing));
    return dt_add_scalar(part, dt_real(smoothing / (double)classes));
}

static dt_status check_probabilities(dt_operation *operation)
{
    const dt_shape self = dt_tensor_shape(operation->inputs[0]);
    const dt_shape target = dt_tensor_shape(operation->inputs[1]);
    dt_tensor *weight = operation->inputs[2];
    const int64_t classes = self.ndim ? self.dims[dti_class_dim(self.ndim)] : 0;
    if (self.ndim == 0 || !dt_shape_equal(self, target))
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "target has shape %s, self has shape %s; "
                                 "probabilities must have the shape of self",
                                 dti_shape_show(target).text,
                                 dti_shape_show(self).text);
    if (weight && !dt_shape_equal(dt_tensor_shape(weight), DT_SHAPE(classes)))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "weight has shape %s, but self, of shape %s, has %lld classes",
            dti_shape_show(dt_tensor_shape(weight)).text,
            dti_shape_show(self).text, (long long)classes);
    return DT_OK;
}

static dt_status of_probabilities(dt_operation *operation,
                                  const dti_classes *of, double smoothing)
{
    dt_tensor *self = operation->inputs[0], *weight = operation->inputs[2];
    if (of->ignored >= 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "ignore_index is %lld, but target has probabilities, not classes; "
            "leave it at its default",
            (long long)of->ignored);
    DTI_TRY(check_probabilities(operation));
    const dt_shape shape = dt_tensor_shape(self);
    const int dim = dti_class_dim(shape.ndim);
    dt_tensor *shares =
        smoothed(operation->inputs[1], smoothing, shape.dims[dim]);
    dt_tensor *losses = dt_mul(dt_log_softmax(self, dim), shares);
    if (weight)
        losses = dt_mul(losses, beside(weight, shape, dim));
    const dt_dims dims =
        of->reduction == DT_REDUCTION_NONE ? DT_DIMS(dim) : DT_DIMS();
    double scale = -1;
    if (of->reduction == DT_REDUCTION_MEAN)
        scale = -(double)shape.dims[dim] / (double)dt_shape_count(shape);
    operation->outputs[0] =
        dt_mul_scalar(dt_sum(losses, dims, false), dt_real(scale));
    return DT_OK;
}

/* The arguments of both are the same. */
static dt_status of_classes(dt_operation *operation)
{
    dt_tensor *results[3] = {NULL, NULL, NULL};
    DTI_TRY(dt_op_call(operation->world, "cross_entropy_forward",
                       DT_VARIANT_NEW, operation->arguments,
                       operation->schema->count, results, 3, NULL));
    operation->outputs[0] = results[0];
    dt_tensor_release_early(results[1]);
    dt_tensor_release_early(results[2]);
    return DT_OK;
}

static dt_status compose(dt_operation *operation)
{
    const double smoothing = dti_argument_real(operation, "label_smoothing");
    dti_classes of;
    DTI_TRY(dti_classes_read(operation, &of));
    DTI_TRY(check_smoothing(operation));
    const dt_dtype dtype = dt_tensor_dtype(operation->inputs[1]);
    return dt_dtype_kind_of(dtype) == DT_KIND_FLOAT
               ? of_probabilities(operation, &of, smoothing)
               : of_classes(operation);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_cross_entropy[] = {
    {
        .schema = "cross_entropy_forward(Tensor self, Tensor target, "
                  "Tensor? weight, *, Reduction reduction=mean, "
                  "int ignore_index=-100, float label_smoothing=0) "
                  "-> (Tensor output, Tensor logsumexp, Tensor total_weight)",
        .aten = "",
        .about = "Cross-entropy of logits and a class for each item, and the "
                 "results that cross_entropy_backward needs.  Logits may be "
                 "sharded along the classes, with three small all-reduces.",
        .factors = forward_factors,
        .flags = DT_OP_HELPER | DT_OP_COMMUNICATES,
        .meta = forward_meta,
        .check = check_smoothing,
        .kernel = forward_kernel,
        .gradient = "self: cross_entropy_backward(grad_output, self, target, "
                    "weight, logsumexp, total_weight, reduction=reduction, "
                    "ignore_index=ignore_index, "
                    "label_smoothing=label_smoothing); target: none; weight: "
                    "function(grad_output)",
        .backward = dti_refuse_weight_gradient,
        .samples = "(T[m,7], i64[m]<7, None); (T[m,c], i64[m]<c, T[c]>0); "
                   "(T[m,7], i64[m]<7, T[7]>0, reduction=sum, ignore_index=3, "
                   "label_smoothing=0.25); "
                   "(T[m,c], i32[m]<c, None, reduction=none, ignore_index=2); "
                   "(T[m,c,n], i64[m,n]<c, T[c]>0, reduction=none, "
                   "label_smoothing=0.5); "
                   "(T[m,5,n,2], i64[m,n,2]<5, None, reduction=sum); "
                   "(T[c], i64[]<c, None, label_smoothing=0.125)",
        .dtypes = "float",
    },
    {
        .schema = "cross_entropy_backward(Tensor grad_output, Tensor self, "
                  "Tensor target, Tensor? weight, Tensor logsumexp, "
                  "Tensor total_weight, *, Reduction reduction=mean, "
                  "int ignore_index=-100, float label_smoothing=0) -> Tensor",
        .aten = "",
        .about = "Gradient of cross_entropy_forward with respect to the "
                 "logits.  Nothing is sent, whatever their layout.",
        .factors = backward_factors,
        .linear = "grad_output*weight",
        .meta = backward_meta,
        .check = check_smoothing,
        .kernel = backward_kernel,
        .compose = backward_recorded,
        .composes = dti_is_recorded,
        .samples =
            "(T[], T[m,7], i64[m]<7, None, T[m], T[]); "
            "(T[], T[m,c], i64[m]<c, T[c], T[m], T[], "
            "label_smoothing=0.25); "
            "(T[m], T[m,c], i32[m]<c, T[c], T[m], T[], reduction=none, "
            "ignore_index=1); "
            "(T[], T[m,c,n], i64[m,n]<c, None, T[m,n], T[], reduction=sum, "
            "label_smoothing=0.5); "
            "(T[], T[c], i64[]<c, None, T[], T[])",
        .dtypes = "f32 f64",
    },
    {
        .schema = "cross_entropy_loss(Tensor self, Tensor target, "
                  "Tensor? weight, *, Reduction reduction=mean, "
                  "int ignore_index=-100, float label_smoothing=0) -> Tensor",
        .about = "Cross-entropy of logits and targets: a class for each item "
                 "or, if floating-point, a probability for each class.  "
                 "Classes are dimension 1 of self, or 0 of a 1-d tensor.",
        .compose = compose,
        .samples = "(T[m,7], i64[m]<7, None); (T[m,c], i64[m]<c, T[c]>0); "
                   "(T[m,c], T[m,c]>0, T[c]>0, label_smoothing=0.25); "
                   "(T[m,3,n], T[m,3,n]>0, None, reduction=none); "
                   "(T[m,c], i32[m]<c, None, reduction=none, ignore_index=2)",
        .dtypes = "float",
    },
    {0},
};
