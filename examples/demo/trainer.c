/* examples/demo/trainer.c - a GPT on a mesh, and its checkpoints. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"

enum { VOCABULARY = 128 }; /* ASCII */

/* ---- The model ---------------------------------------------------------- */

/* Tensor parallel along "tp": weights are sharded, activations are not, or
 * along the sequence.  Without such a dimension all weights are replicated. */
static dt_status distribute(trainer *t)
{
    if (dt_mesh_find_dim(t->mesh, "tp") < 0)
        return dt_distribute_module(t->model, t->mesh, NULL);
    if (t->asked->plan)
        return dt_parallelize_file(t->model, t->mesh, t->asked->plan, NULL);
    int count = 0;
    const dt_parallel_rule *rules = dt_gpt_rules(t->asked->sequence, &count);
    return dt_parallelize(t->model, t->mesh, rules, count, NULL);
}

static dt_status make_model(trainer *t)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    shape.width = t->asked->width;
    shape.layers = t->asked->layers;
    shape.heads = t->asked->heads;
    shape.positions = t->asked->context;
    shape.vocabulary = VOCABULARY;
    shape.dropout = 0.1;
    dt_scope *scope = dt_scope_open(t->world);
    t->model = dt_module_retain(dt_nn_gpt(t->world, &shape));
    dt_status status = t->model ? distribute(t) : DT_OK;
    const dt_status closed = dt_scope_close(scope);
    return status != DT_OK ? status : closed;
}

static dt_status make_optimizer(trainer *t)
{
    dt_adamw_options options = DT_ADAMW_OPTIONS_INIT;
    options.beta2 = 0.95;
    options.weight_decay = 0.1;
    DT_TRY(dt_adamw_create(t->model, &options, &t->optimizer));
    DT_TRY(dt_optimizer_set(t->optimizer, "**.bias", 0, 1));
    return dt_data_parallel_create(t->model, NULL, &t->buckets);
}

/* Sequences are sharded along "dp", and replicated along other dimensions. */
static dt_status open_text(trainer *t)
{
    dt_layout layout = {.ndim = dt_mesh_ndim(t->mesh)};
    const int dp = dt_mesh_find_dim(t->mesh, "dp");
    if (dp >= 0)
        layout.placements[dp] = dt_shard(0);
    dt_loader_options options = DT_LOADER_OPTIONS_INIT;
    options.batch = t->asked->batch;
    options.length = t->asked->context;
    return dt_loader_open(t->mesh, dt_layout_text(t->world, &layout),
                          t->asked->text, &options, &t->loader);
}

/* ---- Checkpoints -------------------------------------------------------- */

/* List all that a run continues from: parameters, moments, the position in the
 * text, the random numbers of dropout, and the number of steps. */
static dt_status fill_state(trainer *t)
{
    dt_state *part = NULL;
    DT_TRY(dt_module_get_state(t->model, t->state));
    DT_TRY(dt_state_create(t->world, &part));
    dt_status status = dt_optimizer_get_state(t->optimizer, part);
    if (status == DT_OK)
        status = dt_state_nest(t->state, "optimizer", part);
    dt_state_release(part);
    if (status == DT_OK)
        status = dt_state_set_integer(t->state, "text.position",
                                      dt_loader_position(t->loader));
    if (status == DT_OK)
        status = dt_state_set_generator(t->state, "random",
                                        dt_world_generator(t->world));
    if (status == DT_OK)
        status = dt_state_set_integer(t->state, "step", t->step);
    return status;
}

static dt_status take_state(trainer *t)
{
    dt_state *part = NULL;
    DT_TRY(dt_module_set_state(t->model, t->state, false));
    DT_TRY(dt_state_below(t->state, "optimizer", &part));
    dt_status status = dt_optimizer_set_state(t->optimizer, part);
    dt_state_release(part);
    DT_TRY(status);
    DT_TRY(dt_state_below(t->state, "text", &part));
    status = dt_loader_set_state(t->loader, part);
    dt_state_release(part);
    DT_TRY(status);
    DT_TRY(dt_state_get_generator(t->state, "random",
                                  dt_world_generator(t->world)));
    return dt_state_integer(t->state, "step", &t->step);
}

dt_status save_checkpoint(trainer *t)
{
    dt_save_options options = DT_SAVE_OPTIONS_INIT;
    options.overwrite = true;
    options.keep = 2;
    DT_TRY(fill_state(t));
    return dt_save(t->world, t->asked->folder, t->step, t->state, &options);
}

dt_status load_checkpoint(trainer *t)
{
    DT_TRY(fill_state(t));
    const dt_status status =
        dt_load(t->world, t->asked->folder, t->state, NULL);
    if (status == DT_ERR_NOT_FOUND) { /* there is none yet */
        dt_world_clear_error(t->world);
        return DT_OK;
    }
    DT_TRY(status);
    DT_TRY(take_state(t));
    if (t->talks)
        printf("Loaded the checkpoint of step %lld.\n", (long long)t->step);
    return DT_OK;
}

/* ---- Ctrl-C ------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* Ranks may be processes, which do not get the signal at the same time. */
dt_status was_interrupted(trainer *t, bool *out)
{
    int32_t *flag = dt_array_data(t->flag);
    *flag = interrupted;
    DT_TRY(dt_group_all_reduce(dt_world_group(t->world), DT_MAX, t->flag,
                               t->flag));
    *out = *flag;
    return DT_OK;
}

/* ---- Opening and closing ------------------------------------------------ */

dt_status open_trainer(dt_world *world, const settings *asked, trainer *out)
{
    *out = (trainer){.asked = asked, .world = world};
    out->talks = dt_world_rank(world) == 0;
    out->losses = calloc((size_t)asked->steps + 1, sizeof *out->losses);
    if (!out->losses)
        return DT_ERR_NO_MEMORY;
    signal(SIGINT, note_interrupt);
    DT_TRY(dt_array_create(world, DT_I32, DT_SHAPE(1), &out->flag));
    DT_TRY(dt_mesh_create(world, asked->mesh, &out->mesh));
    DT_TRY(make_model(out));
    DT_TRY(make_optimizer(out));
    DT_TRY(open_text(out));
    DT_TRY(dt_state_create(world, &out->state));
    return asked->folder ? load_checkpoint(out) : DT_OK;
}

void close_trainer(trainer *t)
{
    dt_state_release(t->state);
    dt_loader_close(t->loader);
    dt_data_parallel_release(t->buckets);
    dt_optimizer_release(t->optimizer);
    dt_module_release(t->model);
    dt_mesh_release(t->mesh);
    dt_array_release(t->flag);
    free(t->losses);
}
