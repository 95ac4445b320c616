/* tests/unit/nn/plan_file.c - plans in JSON. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

/* Hugging Face's plan of a Llama, as its configuration has it. */
static const char llama_plan[] = "{\"layers.*.self_attn.q_proj\": \"colwise\","
                                 " \"layers.*.self_attn.k_proj\": \"colwise\","
                                 " \"layers.*.self_attn.v_proj\": \"colwise\","
                                 " \"layers.*.self_attn.o_proj\": \"rowwise\","
                                 " \"layers.*.mlp.gate_proj\": \"colwise\","
                                 " \"layers.*.mlp.up_proj\": \"colwise\","
                                 " \"layers.*.mlp.down_proj\": \"rowwise\"}";

static dt_module *make_llama(dt_world *world)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = 8;
    shape.layers = 2;
    shape.heads = 2;
    shape.vocabulary = 11;
    shape.positions = 5;
    return dt_nn_llama(world, &shape);
}

/* Apply a plan from a file. */
static dt_status apply(dt_world *world, dt_module *module, const char *plan)
{
    char path[] = "/tmp/dt-plan-XXXXXX";
    const int file = mkstemp(path);
    if (!CHECK(file >= 0))
        return DT_ERR_IO;
    CHECK(write(file, plan, strlen(plan)) == (ssize_t)strlen(plan));
    close(file);
    const dt_status status =
        dt_parallelize_file(module, dt_world_own_mesh(world), path, NULL);
    unlink(path);
    return status;
}

static void reads_plans_of_hugging_face(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_module *model = make_llama(world);
    CHECK_OK(world, apply(world, dt_module_find(model, "model"), llama_plan));
    CHECK_OK(world,
             dt_distribute_module(model, dt_world_own_mesh(world), NULL));
    dt_tensor *tokens =
        dt_zeros(dt_world_own_mesh(world), NULL, DT_I64, DT_SHAPE(2, 5));
    dt_tensor *logits = dt_module_call(model, tokens);
    CHECK_INT(dt_tensor_ndim(logits), 3);
    CHECK_INT((int)dt_tensor_extent(logits, 2), 11);
    CHECK_OK(world, dt_scope_close(scope));
}

static void reads_rules(dt_world *world)
{
    static const char plan[] =
        "{\"lm_head\": {\"style\": \"colwise_rep\", \"inputs\": \"R\"},"
        " \"model.norm\": \"sequence_parallel\","
        " \"model.layers.*\": {\"outputs\": \"R\", \"local_outputs\": false,"
        "   \"style\": \"prepare_input_output\", \"inputs\": \"R\","
        "   \"inputs_from\": \"S(0)\", \"outputs_from\": \"R\","
        "   \"local_inputs\": false},"
        " \"model.embed_tokens\": \"embedding_rowwise\"}";
    dt_scope *scope = dt_scope_open(world);
    CHECK_OK(world, apply(world, make_llama(world), plan));
    CHECK_OK(world, dt_scope_close(scope));
}

static void says_what_is_wrong(dt_world *world)
{
    static const struct {
        const char *plan, *message;
        dt_status status;
    } cases[] = {
        {"{\"lm_head\": \"columns\"}", "\"columns\" is no style; known are col",
         DT_ERR_FORMAT},
        {"{\"lm_head\": {\"outputs\": \"R\"}}", "has no \"style\"",
         DT_ERR_FORMAT},
        {"{\"lm_head\": {\"output\": \"R\"}}", "\"output\" is no field",
         DT_ERR_FORMAT},
        {"{\"lm_head\": 3}", "dt-plan", DT_ERR_FORMAT},
        {"{\"lm_head\": \"colwise\"", "dt-plan", DT_ERR_FORMAT},
        {"{\"head\": \"colwise\"}", "no module of Llama matches \"head\"",
         DT_ERR_NOT_FOUND},
    };
    dt_scope *scope = dt_scope_open(world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_FAILS(world, apply(world, make_llama(world), cases[i].plan),
                    cases[i].status, cases[i].message);
    CHECK_FAILS(world,
                dt_parallelize_file(make_llama(world), dt_world_own_mesh(world),
                                    "/nowhere", NULL),
                DT_ERR_IO, "/nowhere: No such file");
    CHECK_INT(dt_scope_close(scope), DT_ERR_FORMAT);
}

const dt_test dt_tests[] = {
    {"reads plans of Hugging Face", reads_plans_of_hugging_face},
    {"reads rules", reads_rules},
    {"says what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
