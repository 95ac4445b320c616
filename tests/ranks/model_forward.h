/* tests/ranks/model_forward.h - a model on several meshes, against one rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_MODEL_FORWARD_H
#define DT_TESTS_MODEL_FORWARD_H

#include <math.h>
#include <stdio.h>

#include <dtensor/trace.h>

#include "base/hash.h"
#include "models/model.h"
#include "support/check.h"

/* A weight that depends on its name alone: the same on every mesh. */
static dt_tensor *draw_weight(const model_setup *model, const char *name,
                              const char *layout, dt_shape shape)
{
    dt_generator *generator = NULL;
    if (dt_generator_create(dt_mesh_world(model->mesh), 7, dti_hash_text(name),
                            &generator) != DT_OK)
        return NULL;
    dt_tensor *weight = dt_mul_scalar_(
        dt_randn_from(generator, model->mesh, layout, DT_F64, shape),
        DT_NUMBER(0.3));
    dt_generator_release(generator);
    return dt_cast(weight, model->dtype);
}

static dt_tensor *draw_tokens(const model_setup *model, const model_kind *kind,
                              uint64_t stream)
{
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    if (dt_generator_create(dt_mesh_world(model->mesh), 11, stream,
                            &options.generator) != DT_OK)
        return NULL;
    options.high = kind->vocabulary;
    dt_tensor *tokens = dt_randint(model->mesh, "S(0)R", DT_I64,
                                   DT_SHAPE(kind->batch, kind->time), &options);
    dt_generator_release(options.generator);
    return tokens;
}

/* Run a model where nothing is redistributed unless it is written down. */
static model_output run_model(const model_setup *model, const model_kind *kind)
{
    dt_world *world = dt_mesh_world(model->mesh);
    dt_scope_options strict = DT_SCOPE_OPTIONS_INIT;
    strict.mode = DT_SCOPE_STRICT;
    dt_tensor *tokens = draw_tokens(model, kind, 1);
    dt_tensor *targets = draw_tokens(model, kind, 2);
    dt_scope *scope = dt_scope_open_with(world, &strict);
    model_output out = kind->forward(model, tokens, targets);
    dt_scope_keep(out.logits);
    dt_scope_keep(out.loss);
    CHECK_OK(world, dt_scope_close(scope));
    return out;
}

/* The largest difference of elements, relative to the largest element. */
static double difference(dt_tensor *a, dt_tensor *b)
{
    dt_array *x = dt_tensor_local(a), *y = dt_tensor_local(b);
    double most = 0, scale = 0;
    const double *left = dt_array_const_data(x);
    const double *right = dt_array_const_data(y);
    CHECK(dt_array_count(x) == dt_array_count(y));
    for (int64_t i = 0; i < dt_array_count(x); i++) {
        most = fmax(most, fabs(left[i] - right[i]));
        scale = fmax(scale, fabs(right[i]));
        if (isnan(left[i]))
            return (double)NAN;
    }
    return scale > 0 ? most / scale : most;
}

/* The whole of a tensor in f64, on every rank of its mesh. */
static dt_tensor *whole_of(dt_tensor *tensor)
{
    return dt_full_tensor(dt_cast(tensor, DT_F64));
}

/* Compare with the same model on rank 0 alone. */
static void check_model(dt_mesh *mesh, const model_kind *kind, dt_dtype dtype,
                        bool sequence)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_mesh *alone = NULL;
    dt_scope *scope = dt_scope_open(world);
    if (!CHECK_OK(world, dt_mesh_create_from(world, "dp=1,tp=1", (int[]){0}, 1,
                                             &alone)))
        return;
    const model_setup here = {mesh, dtype, sequence, draw_weight, NULL};
    const model_setup there = {alone, dtype, false, draw_weight, NULL};
    double limit = dtype == DT_F64 ? 1e-13 : 1e-5;
    model_output got = run_model(&here, kind);
    model_output expected = run_model(&there, kind);
    dt_tensor *logits = whole_of(got.logits), *loss = whole_of(got.loss);
    dt_tensor *expected_logits = whole_of(expected.logits);
    dt_tensor *expected_loss = whole_of(expected.loss);
    if (dt_world_rank(world) == 0 &&
        CHECK(logits && loss && expected_logits && expected_loss)) {
        double far = difference(logits, expected_logits);
        CHECKF(far <= limit, "logits differ by %g", far);
        far = difference(loss, expected_loss);
        CHECKF(far <= limit, "losses differ by %g", far);
    }
    dt_mesh_release(alone);
    CHECK_OK(world, dt_scope_close(scope));
}

/* A mesh of so many ranks by so many; NULL if that is not all of them. */
static dt_mesh *make_mesh(dt_world *world, int dp, int tp)
{
    char text[32];
    dt_mesh *mesh = NULL;
    if (dp * tp != dt_world_size(world))
        return NULL;
    snprintf(text, sizeof text, "dp=%d,tp=%d", dp, tp);
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    return mesh;
}

/* More ranks cannot share the heads and times of these models, so that other
 * calls are made, or one that nobody wrote. */
enum { MOST_TP = 4 };

/* On every mesh of all ranks that the models can be cut for. */
static void check_meshes(dt_world *world, const model_kind *kind,
                         dt_dtype dtype, bool sequence)
{
    for (int tp = 1; tp <= dt_world_size(world) && tp <= MOST_TP; tp++) {
        dt_mesh *mesh = make_mesh(world, dt_world_size(world) / tp, tp);
        if (mesh)
            check_model(mesh, kind, dtype, sequence);
        dt_mesh_release(mesh);
    }
}

/* How often a kind of call is made by a model whose weights are cut on all
 * ranks. */
static int count_calls(dt_world *world, const model_kind *kind, bool sequence,
                       dt_collective collective)
{
    dt_mesh *mesh = make_mesh(world, 1, dt_world_size(world));
    const model_setup here = {mesh, DT_F32, sequence, draw_weight, NULL};
    dt_scope *scope = dt_scope_open(world);
    uint64_t before = dt_trace_count(world, collective).calls;
    run_model(&here, kind);
    uint64_t calls = dt_trace_count(world, collective).calls - before;
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
    return (int)calls;
}

/* A gather of parts that are not equal is an exchange on some transports. */
static int count_gathers(dt_world *world, const model_kind *kind, bool sequence)
{
    return count_calls(world, kind, sequence, DT_ALL_GATHER) +
           count_calls(world, kind, sequence, DT_ALL_TO_ALL);
}

/* Sums of the embedding and twice in each layer, which sequence parallelism
 * takes apart: what is cut by time is gathered before each half of a layer and
 * before the logits.  The loss of logits that are cut by classes takes three
 * small sums. */
static void check_calls(dt_world *world, const model_kind *kind, int layers)
{
    int several = dt_world_size(world) > 1, sums = several * (1 + 2 * layers);
    if (dt_world_size(world) > MOST_TP)
        return;
    CHECK_INT(count_calls(world, kind, false, DT_ALL_REDUCE),
              sums + 3 * several);
    CHECK_INT(count_calls(world, kind, false, DT_REDUCE_SCATTER), 0);
    CHECK_INT(count_gathers(world, kind, false), 0);
    CHECK_INT(count_calls(world, kind, true, DT_ALL_REDUCE), 3 * several);
    CHECK_INT(count_calls(world, kind, true, DT_REDUCE_SCATTER), sums);
    CHECK_INT(count_gathers(world, kind, true), sums);
}

#endif
