/* tests/ranks/nn_models.h - models on several meshes, against one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_NN_MODELS_H
#define DT_TESTS_NN_MODELS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/dtensor.h>

#include "support/check.h"
#include "support/tensors.h"

enum { STEPS_MAX = 50 };

/* A model, how large its batches are, and its plans. */
typedef struct model_kind {
    const char *name;
    dt_module *(*create)(dt_world *world, const dt_transformer *shape);
    const dt_parallel_rule *(*rules)(bool sequence, int *count);
    dt_transformer shape;
    int64_t batch, time;
} model_kind;

/* What a model is distributed by. */
typedef struct model_use {
    dt_mesh *mesh;
    dt_dtype dtype;
    bool parallel; /* by the rules of the model; or else replicated */
    bool sequence;
    const dt_parallel_rule *rules; /* other rules; NULL: those of the model */
    int rule_count;
} model_use;

/* Tokens of a step, the same on any mesh; the batch is sharded along all mesh
 * dimensions but the last. */
static inline dt_tensor *draw_tokens(const model_kind *kind, dt_mesh *mesh,
                                     uint64_t stream)
{
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    static const char *const layouts[] = {"R", "R", "S(0)R", "S(0)S(0)R"};
    if (dt_generator_create(dt_mesh_world(mesh), 11, stream,
                            &options.generator) != DT_OK)
        return NULL;
    options.high = kind->shape.vocabulary;
    dt_tensor *tokens = dt_randint(mesh, layouts[dt_mesh_ndim(mesh)], DT_I64,
                                   DT_SHAPE(kind->batch, kind->time), &options);
    dt_generator_release(options.generator);
    return tokens;
}

static inline dt_module *make_model(const model_kind *kind,
                                    const model_use *use)
{
    dt_world *world = dt_mesh_world(use->mesh);
    dt_transformer shape = kind->shape;
    int count = use->rule_count;
    const dt_parallel_rule *rules =
        use->rules ? use->rules : kind->rules(use->sequence, &count);
    shape.dtype = use->dtype;
    dt_module *model = kind->create(world, &shape);
    if (use->parallel)
        CHECK_OK(world, dt_parallelize(model, use->mesh, rules, count, NULL));
    else
        CHECK_OK(world, dt_distribute_module(model, use->mesh, NULL));
    return model;
}

/* The loss of a step. */
static inline dt_tensor *find_loss(const model_kind *kind, dt_module *model,
                                   dt_mesh *mesh, int step)
{
    dt_tensor *tokens = draw_tokens(kind, mesh, 1 + (uint64_t)step % 2);
    dt_tensor *targets = draw_tokens(kind, mesh, 100 + (uint64_t)step % 2);
    return dt_token_loss(dt_module_call(model, tokens), targets);
}

/* Go down the gradients, and clear them. */
static inline void descend(dt_module *model, double rate)
{
    dt_world *world = dt_module_world(model);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    int count;
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *scope = dt_scope_open_with(world, &options);
    for (int i = 0; i < count; i++) {
        dt_tensor *weight = dt_parameter_tensor(all[i].parameter);
        dt_tensor *grad = dt_tensor_grad(weight);
        CHECKF(grad != NULL, "%s has no gradient", all[i].name);
        dt_sub_(weight, dt_mul_scalar(grad, dt_real(rate)));
        CHECK_OK(world, dt_tensor_set_grad(weight, NULL));
    }
    CHECK_OK(world, dt_scope_close(scope));
}

/* Train; gives the losses. */
static inline void train(const model_kind *kind, const model_use *use,
                         int steps, double *losses)
{
    dt_world *world = dt_mesh_world(use->mesh);
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, dt_seed(world, 3));
    dt_module *model = make_model(kind, use);
    for (int i = 0; i < steps; i++) {
        dt_number value = dt_real(0);
        dt_scope *step = dt_scope_open(world);
        dt_tensor *loss = find_loss(kind, model, use->mesh, i);
        CHECK_OK(world, dt_backward(loss));
        descend(model, 0.1);
        CHECK_OK(world, dt_tensor_item(loss, &value));
        losses[i] = dt_number_real(value);
        CHECK_OK(world, dt_scope_close(step));
    }
    CHECK_OK(world, dt_scope_close(scope));
}

/* Check that training on a mesh gives the losses of one rank. */
static inline void check_losses(const model_kind *kind, const model_use *use,
                                int steps)
{
    dt_world *world = dt_mesh_world(use->mesh);
    const model_use alone = {
        dt_world_own_mesh(world), use->dtype, false, false, NULL, 0};
    const double limit = use->dtype == DT_F64 ? 1e-9 : 2e-3;
    double losses[STEPS_MAX], wanted[STEPS_MAX];
    train(kind, use, steps, losses);
    train(kind, &alone, steps, wanted);
    for (int i = 0; i < steps; i++)
        CHECKF(fabs(losses[i] - wanted[i]) <= limit * fabs(wanted[i]),
               "%s, step %d: loss %.15g instead of %.15g", kind->name, i,
               losses[i], wanted[i]);
    CHECKF(kind->shape.dropout > 0 ||
               wanted[steps - 1] < wanted[(steps - 1) % 2],
           "%s learns nothing", kind->name);
}

/* Steps of a training: 50 if all is to be tested. */
static inline int usual_steps(void)
{
    return getenv("DT_TEST_FULL") ? STEPS_MAX : 8;
}

static inline void check_losses_on(dt_world *world, const model_kind *kind,
                                   const char *grid, bool parallel,
                                   bool sequence)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, grid, &mesh));
    const model_use f64 = {mesh, DT_F64, parallel, sequence, NULL, 0};
    const model_use f32 = {mesh, DT_F32, parallel, sequence, NULL, 0};
    check_losses(kind, &f64, usual_steps());
    check_losses(kind, &f32, usual_steps() / 2);
    dt_mesh_release(mesh);
}

/* Check every parameter, as it is created, against one rank, bit by bit. */
static inline void check_weights(const model_kind *kind, const model_use *use)
{
    dt_world *world = dt_mesh_world(use->mesh);
    const model_use alone = {
        dt_world_own_mesh(world), use->dtype, false, false, NULL, 0};
    int count;
    dt_scope *scope = dt_scope_open(world);
    const uint64_t before = calls_so_far(world);
    dt_module *parts = make_model(kind, use);
    CHECK_INT((long long)(calls_so_far(world) - before), 0);
    dt_module *whole = make_model(kind, &alone);
    const dt_named_parameter *some = dt_module_parameters(parts, &count);
    const dt_named_parameter *all = dt_module_parameters(whole, &count);
    for (int i = 0; i < count; i++) {
        dt_tensor *weight = dt_detach(dt_parameter_tensor(some[i].parameter));
        dt_array *wanted = read_global(dt_parameter_tensor(all[i].parameter));
        CHECKF(check_equals(
                   dt_reshape(weight, dt_parameter_shape(all[i].parameter)),
                   wanted),
               "%s", some[i].name);
    }
    CHECK_OK(world, dt_scope_close(scope));
}

#endif
