/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_llama.c - a Llama, distributed in every way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_models.h"

/* 6 heads share 3 heads of keys: on 2 ranks, and on 4, each rank's queries need
 * keys that it does not store. */
static const model_kind llama = {
    .name = "llama",
    .create = dt_nn_llama,
    .rules = dt_llama_rules,
    .shape = {.size = sizeof(dt_transformer),
              .width = 18,
              .layers = 2,
              .vocabulary = 61,
              .positions = 9,
              .heads = 6,
              .kv_heads = 3,
              .head_width = 4,
              .hidden = 22},
    .batch = 3,
    .time = 6,
};

static void check_mesh(dt_world *world, const char *grid, bool parallel,
                       bool sequence)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, grid, &mesh));
    const model_use f64 = {mesh, DT_F64, parallel, sequence};
    const model_use f32 = {mesh, DT_F32, parallel, sequence};
    check_losses(&llama, &f64, 6);
    check_losses(&llama, &f32, 4);
    dt_mesh_release(mesh);
}

static void tensor_parallel(dt_world *world)
{
    check_mesh(world, "tp", true, false);
}

static void sequence_parallel(dt_world *world)
{
    check_mesh(world, "tp", true, true);
}

static void data_parallel(dt_world *world)
{
    check_mesh(world, "dp,tp=1", false, false);
}

static void both(dt_world *world)
{
    if (dt_world_size(world) % 2)
        return;
    check_mesh(world, "dp=2,tp", true, false);
    check_mesh(world, "dp=2,tp", true, true);
}

const dt_test dt_tests[] = {
    {"tensor parallel", tensor_parallel},
    {"sequence parallel", sequence_parallel},
    {"data parallel", data_parallel},
    {"both", both},
    {NULL, NULL},
};
