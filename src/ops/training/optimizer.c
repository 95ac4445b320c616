/* ops/training/optimizer.c - one step of an optimiser for one tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/op.h>

#include "array/array.h"
#include "base/error.h"
#include "base/shape.h"
#include "kernel/optimizer/optimizer.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

/* ---- What all have in common -------------------------------------------- */

/* Elements that are brought together at a time, and bytes of the largest. */
enum { BLOCK = 1024, ITEM = 8, MOST_INPUTS = 5 };

/* All tensors are floats of one dtype and one shape. */
static dt_status check_alike(const dt_operation *operation)
{
    const dti_schema *schema = operation->schema;
    const dt_meta *self = operation->metas[0];
    if (dt_dtype_kind_of(self->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s; expected a floating-point dtype",
                                 dt_dtype_name(self->dtype));
    for (int i = 1; i < operation->input_count; i++) {
        const dt_meta *one = operation->metas[i];
        const char *name = schema->parameters[schema->tensors[i]].name;
        if (one && one->dtype != self->dtype)
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "self is %s but %s is %s; they must match",
                                     dt_dtype_name(self->dtype), name,
                                     dt_dtype_name(one->dtype));
        if (one && !dt_shape_equal(one->shape, self->shape))
            return dt_operation_fail(operation, DT_ERR_INVALID,
                                     "self is %s but %s is %s; they must match",
                                     dti_shape_show(self->shape).text, name,
                                     dti_shape_show(one->shape).text);
    }
    return DT_OK;
}

/* Results are as self; so many, that of an absent tensor being the last. */
static dt_status add_results(dt_operation *operation, int count)
{
    const dt_meta *self = operation->metas[0];
    for (int i = 0; i < count; i++)
        DTI_TRY(dti_meta_add(operation, self->dtype, self->shape));
    return DT_OK;
}

/* Where elements of inputs and results lie, piece by piece. */
typedef struct pieces {
    const dt_operation *operation;
    int64_t size;  /* of an element */
    int64_t count; /* of a piece */
    const void *in[MOST_INPUTS];
    char *out[MOST_INPUTS];
    _Alignas(64) char room[MOST_INPUTS][BLOCK * ITEM];
} pieces;

/* One piece, unless some input has its elements apart. */
static void open_pieces(const dt_operation *operation, pieces *at)
{
    const dt_array *self = operation->in[0];
    bool together = true;
    for (int i = 0; i < operation->input_count; i++) {
        at->in[i] = NULL;
        if (!operation->in[i])
            continue;
        dti_array_wait(operation->in[i], false);
        together &= operation->in[i]->contiguous;
    }
    for (int i = 0; i < MOST_INPUTS; i++)
        at->out[i] = NULL;
    at->operation = operation;
    at->size = (int64_t)dt_dtype_size(self->dtype);
    at->count = together || self->count < BLOCK ? self->count : BLOCK;
}

/* Find the elements from `first` on; gives how many there are. */
static int64_t next_piece(pieces *at, int64_t first)
{
    const dt_operation *operation = at->operation;
    const int64_t left = operation->in[0]->count - first;
    const int64_t count = left < at->count ? left : at->count;
    for (int i = 0; i < operation->input_count; i++) {
        const dt_array *in = operation->in[i];
        if (!in)
            continue;
        at->in[i] = at->room[i];
        if (in->contiguous)
            at->in[i] = (const char *)dti_array_address(in) + first * at->size;
        else
            dti_array_gather(in, first, count, at->room[i]);
    }
    for (int i = 0; i < operation->result_count; i++)
        at->out[i] =
            (char *)dt_array_data(operation->out[i]) + first * at->size;
    return count;
}

/* ---- Adam --------------------------------------------------------------- */

enum { ADAM_MAX = 4 }; /* among the inputs */

static dt_status adam_meta(dt_operation *operation)
{
    DTI_TRY(check_alike(operation));
    return add_results(operation, operation->metas[ADAM_MAX] ? 4 : 3);
}

static dt_status check_beta(const dt_operation *operation, const char *name)
{
    const double beta = dti_argument_real(operation, name);
    if (beta >= 0 && beta < 1)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "%s is %g; expected a number from 0 to less than 1", name, beta);
}

static dt_status adam_check(const dt_operation *operation)
{
    const double step = dti_argument_real(operation, "step");
    DTI_TRY(check_beta(operation, "beta1"));
    DTI_TRY(check_beta(operation, "beta2"));
    if (step > 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "step is %g; steps are counted from 1", step);
}

static dt_status adam_kernel(dt_operation *operation)
{
    const dti_adam how = {
        .lr = dti_argument_real(operation, "lr"),
        .beta1 = dti_argument_real(operation, "beta1"),
        .beta2 = dti_argument_real(operation, "beta2"),
        .weight_decay = dti_argument_real(operation, "weight_decay"),
        .eps = dti_argument_real(operation, "eps"),
        .step = dti_argument_real(operation, "step"),
        .decoupled = dti_argument_bool(operation, "decoupled"),
        .maximize = dti_argument_bool(operation, "maximize"),
    };
    const dt_array *self = operation->in[0];
    pieces at;
    open_pieces(operation, &at);
    for (int64_t first = 0; first < self->count; first += at.count) {
        const int64_t count = next_piece(&at, first);
        const dti_adam_data data = {at.in[0],  at.in[1],  at.in[2],
                                    at.in[3],  at.in[4],  at.out[0],
                                    at.out[1], at.out[2], at.out[3]};
        dti_adam_step(self->dtype, &how, &data, count);
    }
    return DT_OK;
}

/* A root and two quotients count as one each. */
static double adam_work(const dt_operation *operation)
{
    return 14 * (double)operation->in[0]->count;
}

/* ---- Gradient descent --------------------------------------------------- */

enum { SGD_BUFFER = 2 }; /* among the inputs */

static dt_status sgd_meta(dt_operation *operation)
{
    DTI_TRY(check_alike(operation));
    return add_results(operation, operation->metas[SGD_BUFFER] ? 2 : 1);
}

/* A buffer without momentum would change nothing, and momentum without a buffer
 * would be forgotten. */
static dt_status sgd_check(const dt_operation *operation)
{
    const double momentum = dti_argument_real(operation, "momentum");
    const bool kept = operation->metas[SGD_BUFFER];
    if (kept ? momentum != 0 : momentum == 0)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "momentum is %g, but momentum_buffer is %s",
                             momentum, kept ? "given" : "absent");
}

static dt_status sgd_kernel(dt_operation *operation)
{
    const dti_sgd how = {
        .lr = dti_argument_real(operation, "lr"),
        .momentum = dti_argument_real(operation, "momentum"),
        .dampening = dti_argument_real(operation, "dampening"),
        .weight_decay = dti_argument_real(operation, "weight_decay"),
        .nesterov = dti_argument_bool(operation, "nesterov"),
        .maximize = dti_argument_bool(operation, "maximize"),
        .first = dti_argument_bool(operation, "is_first_step"),
    };
    const dt_array *self = operation->in[0];
    pieces at;
    open_pieces(operation, &at);
    for (int64_t first = 0; first < self->count; first += at.count) {
        const int64_t count = next_piece(&at, first);
        const dti_sgd_data data = {at.in[0], at.in[1], at.in[2], at.out[0],
                                   at.out[1]};
        dti_sgd_step(self->dtype, &how, &data, count);
    }
    return DT_OK;
}

static double sgd_work(const dt_operation *operation)
{
    return 6 * (double)operation->in[0]->count;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_optimizer[] = {
    {
        .schema = "adam_step(Tensor self, Tensor grad, Tensor exp_avg, "
                  "Tensor exp_avg_sq, Tensor? max_exp_avg_sq, float step, *, "
                  "float lr=0.001, float beta1=0.9, float beta2=0.999, "
                  "float weight_decay=0, float eps=1e-08, "
                  "bool~ decoupled=false, bool~ maximize=false) -> "
                  "(Tensor self_out, Tensor exp_avg_out, "
                  "Tensor exp_avg_sq_out, Tensor max_exp_avg_sq_out)",
        .aten = "",
        .about = "Step number `step` of Adam, or AdamW if weight decay is "
                 "`decoupled`, or AMSGrad if max_exp_avg_sq is given.  A "
                 "gradient with another layout is redistributed first, and "
                 "reduced if it is partial.",
        .rule = "...,...,...,...,...->...,...,...,...",
        .flags = DT_OP_IN_PLACE,
        .meta = adam_meta,
        .check = adam_check,
        .kernel = adam_kernel,
        .work = adam_work,
        .gradient = "none",
        .samples =
            "(T[m,n], T[m,n], T[m,n], T[m,n]>0, None, 3); "
            "(T[m], T[m], T[m], T[m]>0, T[m]>0, 1, lr=0.5, beta1=0.25, "
            "weight_decay=0.5, maximize=true); "
            "(T[m,3], T[m,3], T[m,3], T[m,3]>0, None, 7, weight_decay=0.25, "
            "decoupled=true); (T[], T[], T[], T[]>0, T[]>0, 2)",
        .dtypes = "float",
    },
    {
        .schema = "sgd_step(Tensor self, Tensor grad, Tensor? momentum_buffer, "
                  "*, float lr=0.001, float momentum=0, float dampening=0, "
                  "float weight_decay=0, bool~ nesterov=false, "
                  "bool~ maximize=false, bool~ is_first_step=false) -> "
                  "(Tensor self_out, Tensor momentum_buffer_out)",
        .aten = "",
        .about = "One step of gradient descent, with momentum if its buffer is "
                 "given.  A gradient with another layout is redistributed "
                 "first, and reduced if it is partial.",
        .rule = "...,...,...->...,...",
        .flags = DT_OP_IN_PLACE,
        .meta = sgd_meta,
        .check = sgd_check,
        .kernel = sgd_kernel,
        .work = sgd_work,
        .gradient = "none",
        .samples = "(T[m,n], T[m,n], None, lr=0.5, weight_decay=0.25); "
                   "(T[m], T[m], T[m], lr=0.25, momentum=0.5, dampening=0.25); "
                   "(T[m,3], T[m,3], T[m,3], momentum=0.9, nesterov=true, "
                   "maximize=true); "
                   "(T[n], T[n], T[n], momentum=0.5, is_first_step=true); "
                   "(T[], T[], None)",
        .dtypes = "float",
    },
    {0},
};
