/* tests/fault/nn.c - building, distributing and training modules, without
 * memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

static const dt_parallel_rule rules[] = {
    {.pattern = "wte", .style = &dt_rowwise},
    {.pattern = "layers.*.attn.wq", .style = &dt_colwise, .inputs = "R"},
    {.pattern = "layers.*.attn.wo", .style = &dt_rowwise, .outputs = "R"},
};

/* Other ranks wait for a rank that could not build its model. */
static dt_status told(dt_world *world, bool done)
{
    if (done)
        return DT_OK;
    dt_world_poison(world);
    return dt_world_error(world)->code;
}

static dt_status copy_state(dt_world *world, dt_module *model)
{
    dt_state *state = NULL;
    DT_TRY(told(world, dt_state_create(world, &state) == DT_OK));
    dt_status status = dt_module_get_state(model, state);
    if (status == DT_OK)
        status = dt_module_set_state(model, state, true);
    dt_state_release(state);
    return told(world, status == DT_OK);
}

static dt_status train(dt_world *world, dt_mesh *mesh)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = shape.vocabulary = 3;
    shape.heads = 3;
    shape.layers = 1;
    shape.positions = 2;
    shape.hidden = 2;
    dt_module *model = dt_nn_gpt(world, &shape);
    DT_TRY(told(world, model != NULL));
    DT_TRY(told(world, dt_parallelize(model, mesh, rules, 3, NULL) == DT_OK));
    if (dt_world_size(world) == 1)
        DT_TRY(copy_state(world, model));
    dt_tensor *tokens = dt_zeros(mesh, "R", DT_I64, DT_SHAPE(1, 2));
    DT_TRY(told(world, tokens != NULL));
    dt_tensor *logits = dt_module_call(model, tokens);
    return told(world, logits != NULL);
}

static dt_status run_in_world(dt_world *world, void *arg)
{
    dt_mesh *mesh = NULL;
    (void)arg;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_status status = scope ? train(world, mesh) : DT_ERR_NO_MEMORY;
    if (scope)
        DT_IGNORE(dt_scope_close(scope));
    else
        dt_world_poison(world);
    dt_mesh_release(mesh);
    return status == DT_OK ? dt_group_barrier(dt_world_group(world)) : status;
}

static dt_status run_ranks(void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = *(int *)arg;
    options.timeout = 60;
    return dt_world_run(&options, run_in_world, arg, error);
}

static void check(int ranks)
{
    long nth = 1;
    while (nth <= FAULTS_MAX &&
           run_with_fault("a model", run_ranks, &ranks, nth, false))
        nth++;
    CHECKF(nth > 100 && nth <= FAULTS_MAX, "%ld requests", nth - 1);
}

static void one_rank(dt_world *world)
{
    (void)world;
    check(1);
}

static void two_ranks(dt_world *world)
{
    (void)world;
    check(2);
}

const dt_test dt_tests[] = {
    {"one rank", one_rank},
    {"two ranks", two_ranks},
    {NULL, NULL},
};
