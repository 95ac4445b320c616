/* tests/unit/nn/dryrun.c - models in a dry run: no elements, counted memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <stdlib.h>

#include "support/check.h"

enum { RANKS = 4096, WIDTH = 1024 };

/* A world of many ranks in a dry run. */
static dt_world *open_dry(int rank)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = RANKS;
    options.rank = rank;
    setenv("DT_DRY_RUN", "on", 1);
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    unsetenv("DT_DRY_RUN");
    return world;
}

static size_t used_by(const dt_world *world)
{
    dt_memory_stats stats;
    dt_memory_read(world, &stats);
    return stats.used;
}

/* One step of training. */
static void train_once(dt_world *world, dt_module *model, dt_mesh *mesh)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *tokens =
        dt_zeros(mesh, "S(0)R", DT_I64, DT_SHAPE(2 * (RANKS / 8), 128));
    dt_tensor *loss = dt_token_loss(dt_module_call(model, tokens), tokens);
    CHECK_OK(world, dt_backward(loss));
    dt_tensor *weight = dt_module_tensor(dt_module_find(model, "lm_head"), 0);
    CHECK(dt_tensor_grad(weight) != NULL);
    CHECK_OK(world, dt_scope_close(scope));
}

static void check_model(bool llama, bool sequence)
{
    dt_world *world = open_dry(1234);
    dt_mesh *mesh = NULL;
    int count;
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = WIDTH;
    shape.layers = 2;
    shape.heads = 12; /* 8 ranks have 2 or none */
    shape.head_width = 64;
    shape.kv_heads = llama ? 4 : 12;
    shape.vocabulary = 50257;
    shape.positions = 128;
    CHECK_OK(world, dt_mesh_create(world, "dp,tp=8", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_module *model =
        llama ? dt_nn_llama(world, &shape) : dt_nn_gpt(world, &shape);
    CHECK_INT((long long)used_by(world), 0);
    const dt_parallel_rule *rules = llama ? dt_llama_rules(sequence, &count)
                                          : dt_gpt_rules(sequence, &count);
    CHECK_OK(world, dt_parallelize(model, mesh, rules, count, NULL));
    /* An eighth of the vocabulary is more than all that is replicated. */
    const size_t table = (size_t)50257 * WIDTH * sizeof(float);
    CHECKF(used_by(world) >= table / 8 && used_by(world) < table,
           "%zu bytes of parameters", used_by(world));
    train_once(world, model, mesh);
    dt_mesh_release(mesh);
    CHECK_OK(world, dt_scope_close(scope));
    CHECK_INT((long long)used_by(world), 0);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void gpt(dt_world *unused)
{
    (void)unused;
    check_model(false, false);
    check_model(false, true);
}

static void llama(dt_world *unused)
{
    (void)unused;
    check_model(true, false);
    check_model(true, true);
}

const dt_test dt_tests[] = {
    {"gpt", gpt},
    {"llama", llama},
    {NULL, NULL},
};
