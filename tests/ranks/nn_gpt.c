/* ranks: 1 2 3 4 7 */
/* tests/ranks/nn_gpt.c - a GPT, distributed in every way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_models.h"

/* 7 heads of width 4 and a vocabulary of 53 are divided by few numbers of
 * ranks. */
static const model_kind gpt = {
    .name = "gpt",
    .create = dt_nn_gpt,
    .rules = dt_gpt_rules,
    .shape = {.size = sizeof(dt_transformer),
              .width = 28,
              .layers = 2,
              .vocabulary = 53,
              .positions = 9,
              .heads = 7},
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
    check_losses(&gpt, &f64, 6);
    check_losses(&gpt, &f32, 4);
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

/* ---- What is sent ------------------------------------------------------- */

/* Collectives of one pass. */
typedef struct sent {
    uint64_t reduces; /* all-reduces and reduce-scatters */
    uint64_t gathers; /* all-gathers and all-to-alls */
    uint64_t calls;   /* all */
} sent;

static sent count_sent(const dt_world *world)
{
    uint64_t calls[DT_COLLECTIVE_COUNT], all = 0;
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++)
        all += calls[i] = dt_trace_count(world, (dt_collective)i).calls;
    return (sent){calls[DT_ALL_REDUCE] + calls[DT_REDUCE_SCATTER],
                  calls[DT_ALL_GATHER] + calls[DT_ALL_TO_ALL], all};
}

/* Check one pass against a budget; nothing else may be sent. */
static void check_budget(const dt_world *world, sent before, int reduces,
                         int gathers, const char *pass)
{
    const sent now = count_sent(world);
    const long long made = (long long)(now.reduces - before.reduces);
    const long long gathered = (long long)(now.gathers - before.gathers);
    const int several = dt_world_size(world) > 1;
    CHECKF(made == several * reduces && gathered == several * gathers &&
               (long long)(now.calls - before.calls) == made + gathered,
           "%s: %lld reductions and %lld gathers", pass, made, gathered);
}

/*
 * A model of two layers with plain logits.  PyTorch sends, forward, 6
 * all-reduces and a gather, here 5: a table of positions is small and
 * replicated; backward 9, here 5.  With sequence parallel it sends 6
 * reduce-scatters and 6 gathers forward, 5 and 6 backward, and 30 all-reduces
 * in the optimiser, here 11 as gradients are complete: norms and positions.
 */
static void sends_less_than_pytorch(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    for (int i = 0; i < 2; i++) {
        const model_use use = {mesh, DT_F32, true, i};
        dt_scope *scope = dt_scope_open(world);
        dt_module *model = make_model(&gpt, &use);
        dt_tensor *tokens = draw_tokens(&gpt, mesh, 1);
        sent before = count_sent(world);
        dt_tensor *logits = dt_module_call(model, tokens);
        logits = dt_redistribute(logits, "R");
        check_budget(world, before, 5, i ? 6 : 1, "forward");
        dt_tensor *loss = dt_token_loss(logits, tokens);
        before = count_sent(world);
        CHECK_OK(world, dt_backward(loss));
        check_budget(world, before, i ? 5 + 11 : 5, i ? 5 : 0, "backward");
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"4.8.98: sends less than PyTorch", sends_less_than_pytorch},
    {"tensor parallel", tensor_parallel},
    {"sequence parallel", sequence_parallel},
    {"data parallel", data_parallel},
    {"both", both},
    {NULL, NULL},
};
