/* ops/training/fused.c - steps of optimisers over lists of tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/scalar.h"
#include "ops/helpers/tables.h"

/*
 * Each tensor has a step of its own (ops/training/optimizer.c), so that tensors
 * may lie on different meshes.  What is one number for all elements, as the
 * count of steps, is read on every rank that has it, which takes no decision
 * with it: a decision serves all steps.  Nothing is written before all of it is
 * checked.
 */

/* ---- Arguments ---------------------------------------------------------- */

static int list_count(const dt_operation *operation, int place)
{
    return operation->arguments[place].count;
}

static dt_tensor *tensor_at(const dt_operation *operation, int place, int index)
{
    const dt_argument *list = &operation->arguments[place];
    return index < list->count ? list->as.tensors[index] : NULL;
}

static dt_argument tensor_argument(dt_tensor *tensor)
{
    return (dt_argument){.kind = tensor ? DT_ARG_TENSOR : DT_ARG_NONE,
                         .as.tensor = tensor};
}

static dt_argument real_argument(double value)
{
    return (dt_argument){.kind = DT_ARG_REAL, .as.real = value};
}

static dt_argument truth_argument(bool value)
{
    return (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = value};
}

/* Lists are as long as the first; one that is not used is empty. */
static dt_status check_list(const dt_operation *operation, int place, bool used)
{
    const int count = used ? list_count(operation, 0) : 0;
    if (list_count(operation, place) == count)
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "self has %d tensors, but %s has %d; expected %d",
                             list_count(operation, 0),
                             operation->schema->parameters[place].name,
                             list_count(operation, place), count);
}

/* Check a number that all tensors need. */
static dt_status check_common(const dt_operation *operation, int place)
{
    const dt_argument *one = &operation->arguments[place];
    const char *name = operation->schema->parameters[place].name;
    if (one->kind == DT_ARG_NONE)
        return DT_OK;
    for (int i = 0; i < list_count(operation, 0); i++)
        DTI_TRY(dti_scalar_check(operation, one->as.tensor, name,
                                 tensor_at(operation, 0, i)->spec->mesh));
    return DT_OK;
}

/* ---- Scaled gradients --------------------------------------------------- */

/* What the gradients of a call are: which argument, the scale they have, and
 * whether there were infinite ones. */
typedef struct gradients {
    int list;
    dt_argument scale, found_inf;
} gradients;

static bool is_partial(const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_PARTIAL ||
            layout->placements[i].kind == DT_MASKED_PARTIAL)
            return true;
    return false;
}

/* Check that scaled gradients can be divided in place. */
static dt_status check_gradients(const dt_operation *operation,
                                 const gradients *from)
{
    const char *name = operation->schema->parameters[from->list].name;
    if (from->scale.kind == DT_ARG_NONE)
        return DT_OK;
    for (int i = 0; i < list_count(operation, from->list); i++) {
        const dt_spec *spec = tensor_at(operation, from->list, i)->spec;
        if (dt_dtype_kind_of(spec->meta.dtype) != DT_KIND_FLOAT)
            return dt_operation_fail(
                operation, DT_ERR_UNSUPPORTED,
                "%s[%d] is %s; expected a floating-point dtype", name, i,
                dt_dtype_name(spec->meta.dtype));
        if (is_partial(&spec->layout))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "%s[%d] is %s; partial values cannot be divided by grad_scale "
                "in place; redistribute it first",
                name, i, dti_spec_show(spec).text);
    }
    return DT_OK;
}

/* Gradients are divided by their scale, in place. */
static dt_status unscale(const dt_operation *operation, const gradients *from,
                         int index, bool checks)
{
    dt_tensor *grad = tensor_at(operation, from->list, index);
    dt_tensor *results[2];
    if (from->scale.kind == DT_ARG_NONE)
        return DT_OK;
    const dt_argument arguments[] = {
        tensor_argument(grad),
        real_argument(1 / dti_scalar_read(from->scale.as.tensor))};
    if (checks)
        return dt_op_check(operation->world, "amp_unscale", DT_VARIANT_IN_PLACE,
                           arguments, 2, NULL);
    DTI_TRY(dt_op_call(operation->world, "amp_unscale", DT_VARIANT_IN_PLACE,
                       arguments, 2, results, 2, NULL));
    dt_tensor_release_early(results[1]);
    return DT_OK;
}

/* ---- All steps ---------------------------------------------------------- */

/* The operator that makes one step, and its arguments for one tensor. */
typedef struct stepping {
    const char *name;
    gradients from;
    int count; /* of arguments */
    void (*pick)(const dt_operation *operation, int index, dt_argument *out);
} stepping;

/* Nothing is done if infinite gradients were found. */
static bool is_skipped(const stepping *how)
{
    const dt_argument *found = &how->from.found_inf;
    return found->kind != DT_ARG_NONE && dti_scalar_read(found->as.tensor) == 1;
}

static dt_status check_steps(const dt_operation *operation, const stepping *how)
{
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    for (int i = 0; i < list_count(operation, 0); i++) {
        how->pick(operation, i, arguments);
        DTI_TRY(unscale(operation, &how->from, i, true));
        DTI_TRY(dt_op_check(operation->world, how->name, DT_VARIANT_IN_PLACE,
                            arguments, how->count, NULL));
    }
    return DT_OK;
}

static dt_status make_steps(const dt_operation *operation, const stepping *how)
{
    dt_argument arguments[DTI_MAX_ARGUMENTS];
    DTI_TRY(check_gradients(operation, &how->from));
    /* One call alone sees to it that all or nothing is written. */
    if (list_count(operation, 0) > 1 || how->from.scale.kind != DT_ARG_NONE)
        DTI_TRY(check_steps(operation, how));
    if (is_skipped(how))
        return DT_OK;
    for (int i = 0; i < list_count(operation, 0); i++) {
        how->pick(operation, i, arguments);
        DTI_TRY(unscale(operation, &how->from, i, false));
        DTI_TRY(dt_op_call(operation->world, how->name, DT_VARIANT_IN_PLACE,
                           arguments, how->count, NULL, 0, NULL));
    }
    return DT_OK;
}

/* ---- Adam --------------------------------------------------------------- */

/* Places of the arguments, which both schemas have in one order. */
enum {
    ADAM_SELF,
    ADAM_GRADS,
    ADAM_AVGS,
    ADAM_SQS,
    ADAM_MAX_SQS,
    ADAM_STEPS,
    ADAM_LR,
    ADAM_BETA1,
    ADAM_BETA2,
    ADAM_DECAY,
    ADAM_EPS,
    ADAM_AMSGRAD,
    ADAM_MAXIMIZE,
    ADAM_TENSOR_LR,
    ADAM_SCALE,
    ADAM_FOUND_INF
};

static bool is_amsgrad(const dt_operation *operation)
{
    return operation->arguments[ADAM_AMSGRAD].as.integer != 0;
}

/* The arguments of adam_step. */
static void pick_adam(const dt_operation *operation, int index,
                      dt_argument *out)
{
    const dt_argument *given = operation->arguments;
    const dt_argument *lr = &given[ADAM_TENSOR_LR];
    for (int i = ADAM_SELF; i <= ADAM_MAX_SQS; i++)
        *out++ = tensor_argument(tensor_at(operation, i, index));
    *out++ =
        real_argument(dti_scalar_read(tensor_at(operation, ADAM_STEPS, index)));
    *out++ = lr->kind == DT_ARG_NONE
                 ? given[ADAM_LR]
                 : real_argument(dti_scalar_read(lr->as.tensor));
    for (int i = ADAM_BETA1; i <= ADAM_EPS; i++)
        *out++ = given[i];
    *out++ =
        truth_argument(strcmp(operation->schema->name, "fused_adamw") == 0);
    *out++ = given[ADAM_MAXIMIZE];
}

/* Each count of steps is there where its tensor is. */
static dt_status check_adam(const dt_operation *operation)
{
    DTI_TRY(check_list(operation, ADAM_GRADS, true));
    DTI_TRY(check_list(operation, ADAM_AVGS, true));
    DTI_TRY(check_list(operation, ADAM_SQS, true));
    DTI_TRY(check_list(operation, ADAM_MAX_SQS, is_amsgrad(operation)));
    DTI_TRY(check_list(operation, ADAM_STEPS, true));
    for (int i = 0; i < list_count(operation, 0); i++) {
        char name[32];
        snprintf(name, sizeof name, "state_steps[%d]", i);
        DTI_TRY(dti_scalar_check(operation, tensor_at(operation, ADAM_STEPS, i),
                                 name, tensor_at(operation, 0, i)->spec->mesh));
    }
    DTI_TRY(check_common(operation, ADAM_TENSOR_LR));
    DTI_TRY(check_common(operation, ADAM_SCALE));
    return check_common(operation, ADAM_FOUND_INF);
}

static dt_status fused_adam(dt_operation *operation)
{
    const stepping how = {
        .name = "adam_step",
        .from = {.list = ADAM_GRADS,
                 .scale = operation->arguments[ADAM_SCALE],
                 .found_inf = *dti_argument(operation, "found_inf")},
        .count = 13,
        .pick = pick_adam,
    };
    DTI_TRY(check_adam(operation));
    return make_steps(operation, &how);
}

/* ---- Gradient descent --------------------------------------------------- */

enum {
    SGD_SELF,
    SGD_GRADS,
    SGD_BUFFERS,
    SGD_DECAY,
    SGD_MOMENTUM,
    SGD_LR,
    SGD_DAMPENING,
    SGD_NESTEROV,
    SGD_MAXIMIZE,
    SGD_FIRST,
    SGD_TENSOR_LR,
    SGD_SCALE,
    SGD_FOUND_INF
};

/* The arguments of sgd_step. */
static void pick_sgd(const dt_operation *operation, int index, dt_argument *out)
{
    const dt_argument *given = operation->arguments;
    const dt_argument *lr = &given[SGD_TENSOR_LR];
    for (int i = SGD_SELF; i <= SGD_BUFFERS; i++)
        *out++ = tensor_argument(tensor_at(operation, i, index));
    *out++ = lr->kind == DT_ARG_NONE
                 ? given[SGD_LR]
                 : real_argument(dti_scalar_read(lr->as.tensor));
    *out++ = given[SGD_MOMENTUM];
    *out++ = given[SGD_DAMPENING];
    *out++ = given[SGD_DECAY];
    for (int i = SGD_NESTEROV; i <= SGD_FIRST; i++)
        *out++ = given[i];
}

static dt_status fused_sgd(dt_operation *operation)
{
    const bool moves = dti_argument_real(operation, "momentum") != 0;
    const stepping how = {
        .name = "sgd_step",
        .from = {.list = SGD_GRADS,
                 .scale = operation->arguments[SGD_SCALE],
                 .found_inf = *dti_argument(operation, "found_inf")},
        .count = 10,
        .pick = pick_sgd,
    };
    DTI_TRY(check_list(operation, SGD_GRADS, true));
    DTI_TRY(check_list(operation, SGD_BUFFERS, moves));
    DTI_TRY(check_common(operation, SGD_TENSOR_LR));
    DTI_TRY(check_common(operation, SGD_SCALE));
    DTI_TRY(check_common(operation, SGD_FOUND_INF));
    return make_steps(operation, &how);
}

/* ---- Rows --------------------------------------------------------------- */

#define ADAM_ARGUMENTS                                                         \
    "(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] "             \
    "exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, "         \
    "float lr=0.001, float beta1=0.9, float beta2=0.999, "
#define MORE_ADAM_ARGUMENTS                                                    \
    ", float eps=1e-08, bool amsgrad=false, bool maximize=false, "             \
    "Tensor? tensor_lr=None, Tensor? grad_scale=None, "                        \
    "Tensor? found_inf=None) -> ()"
#define OF_LISTS                                                               \
    "Tensors may be on different meshes.  0-d tensors are replicated.  "       \
    "Gradients are divided by `grad_scale` in place, and redistributed for "   \
    "the step if they have another layout.  Does nothing if `found_inf` is 1."

const dt_op dti_ops_fused[] = {
    {
        .schema = "fused_adam" ADAM_ARGUMENTS
                  "float weight_decay=0" MORE_ADAM_ARGUMENTS,
        .aten = "_fused_adam_ _fused_adam_.tensor_lr",
        .about = "One step of Adam, number `state_steps`.  " OF_LISTS,
        .flags = DT_OP_IN_PLACE,
        .compose = fused_adam,
        .gradient = "none",
    },
    {
        .schema = "fused_adamw" ADAM_ARGUMENTS
                  "float weight_decay=0.01" MORE_ADAM_ARGUMENTS,
        .aten = "_fused_adamw_ _fused_adamw_.tensor_lr",
        .about = "One step of AdamW, number `state_steps`.  " OF_LISTS,
        .arguments =
            "weight_decay: part of the parameter that is subtracted, times lr",
        .flags = DT_OP_IN_PLACE,
        .compose = fused_adam,
        .gradient = "none",
    },
    {
        .schema = "fused_sgd(Tensor[] self, Tensor[] grads, "
                  "Tensor[] momentum_buffer_list, *, float weight_decay=0, "
                  "float momentum=0, float lr=0.001, float dampening=0, "
                  "bool nesterov=false, bool maximize=false, "
                  "bool is_first_step=false, Tensor? tensor_lr=None, "
                  "Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
        .aten = "_fused_sgd_ _fused_sgd_.tensor_lr",
        .about =
            "One step of gradient descent.  The first step sets the momentum "
            "buffers; without momentum there are none.  " OF_LISTS,
        .flags = DT_OP_IN_PLACE,
        .compose = fused_sgd,
        .gradient = "none",
    },
    {0},
};
