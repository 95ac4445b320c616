/* ranks: 1 2 3 4 5 7 8 */
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

static void tensor_parallel(dt_world *world)
{
    check_losses_on(world, &gpt, "tp", true, false);
}

static void sequence_parallel(dt_world *world)
{
    check_losses_on(world, &gpt, "tp", true, true);
}

static void data_parallel(dt_world *world)
{
    check_losses_on(world, &gpt, "dp,tp=1", false, false);
}

static void several_mesh_dimensions(dt_world *world)
{
    if (dt_world_size(world) % 2 == 0)
        for (int i = 0; i < 2; i++)
            check_losses_on(world, &gpt, "dp=2,tp", true, i);
    if (dt_world_size(world) == 8)
        for (int i = 0; i < 2; i++)
            check_losses_on(world, &gpt, "pod=2,dp=2,tp=2", true, i);
}

/* The same elements are dropped on any mesh. */
static void drops_the_same(dt_world *world)
{
    model_kind dropping = gpt;
    dropping.shape.dropout = 0.25;
    check_losses_on(world, &dropping, "tp", true, true);
    check_losses_on(world, &dropping, "dp,tp=1", false, false);
}

static void draws_the_same_weights(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    const model_use f32 = {mesh, DT_F32, true, false, NULL, 0};
    const model_use bf16 = {mesh, DT_BF16, true, true, NULL, 0};
    check_weights(&gpt, &f32);
    check_weights(&gpt, &bf16);
    dt_mesh_release(mesh);
}

/* Ranks outside of the mesh make the same calls, and have nothing. */
static void leaves_ranks_out(dt_world *world)
{
    static const int ranks[] = {0, 1, 2, 3, 4, 5, 6};
    const int count = dt_world_size(world) - 1;
    dt_mesh *mesh = NULL;
    double losses[4];
    if (count < 1)
        return;
    CHECK_OK(world, dt_mesh_create_from(world, "tp", ranks, count, &mesh));
    const model_use use = {mesh, DT_F64, true, false, NULL, 0};
    if (dt_mesh_is_member(mesh))
        check_losses(&gpt, &use, 4);
    else
        train(&gpt, &use, 4, losses);
    dt_mesh_release(mesh);
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
        const model_use use = {mesh, DT_F32, true, i, NULL, 0};
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
    {"several mesh dimensions", several_mesh_dimensions},
    {"drops the same", drops_the_same},
    {"draws the same weights", draws_the_same_weights},
    {"leaves ranks out", leaves_ranks_out},
    {NULL, NULL},
};
