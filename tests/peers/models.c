/* tests/peers/models.c - runs a model with weights from files, for models.py to
 * compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

/*
 * usage: peer_models MODEL DTYPE DP TP STREAM FOLDER
 *
 * Runs llama or gpt in f32 or f64 on DP times TP ranks.  STREAM is replicated
 * or sequence.  FOLDER has tokens.npy, targets.npy and, in f64, every weight as
 * NAME.npy; rank 0 writes logits.out.npy and loss.out.npy there, in f64.
 */

typedef struct run_arguments {
    const model_kind *kind;
    dt_dtype dtype;
    int dp, tp;
    bool sequence;
    const char *folder;
} run_arguments;

/* Every rank reads the whole and keeps its part. */
static dt_tensor *load(dt_mesh *mesh, const char *folder, const char *name,
                       const char *layout, dt_dtype dtype, dt_shape shape)
{
    char path[1024];
    dt_array *array = NULL;
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    if (dt_array_load_npy(dt_mesh_world(mesh), path, &array) != DT_OK)
        return NULL;
    dt_tensor *tensor =
        dt_distribute(mesh, layout, dtype, shape, array, DT_EVERYWHERE);
    dt_array_release(array);
    return tensor;
}

static dt_tensor *load_weight(const model_setup *model, const char *name,
                              const char *layout, dt_shape shape)
{
    return dt_cast(load(model->mesh, model->arg, name, layout, DT_F64, shape),
                   model->dtype);
}

static dt_status save(dt_tensor *tensor, const char *folder, const char *name)
{
    char path[1024];
    dt_tensor *whole = dt_full_tensor(dt_cast(tensor, DT_F64));
    if (!whole)
        return DT_ERR_INVALID;
    dt_world *world = dt_tensor_world(whole);
    snprintf(path, sizeof path, "%s/%s.out.npy", folder, name);
    if (dt_world_rank(world) != 0)
        return DT_OK;
    return dt_array_save_npy(world, dt_tensor_local(whole), path);
}

/* Nothing is redistributed unless the model says so. */
static dt_status run_model(dt_mesh *mesh, const run_arguments *given)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope_options strict = DT_SCOPE_OPTIONS_INIT;
    strict.mode = DT_SCOPE_STRICT;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", given->folder);
    const model_setup model = {mesh, given->dtype, given->sequence, load_weight,
                               folder};
    dt_shape shape = DT_SHAPE(given->kind->batch, given->kind->time);
    dt_scope *scope = dt_scope_open_with(world, &strict);
    dt_tensor *tokens = load(mesh, folder, "tokens", "S(0)R", DT_I64, shape);
    dt_tensor *targets = load(mesh, folder, "targets", "S(0)R", DT_I64, shape);
    model_output out = given->kind->forward(&model, tokens, targets);
    dt_status status = save(out.logits, folder, "logits");
    if (status == DT_OK)
        status = save(out.loss, folder, "loss");
    dt_status inside = dt_scope_close(scope);
    return status != DT_OK ? status : inside;
}

static dt_status program(dt_world *world, void *arg)
{
    const run_arguments *given = arg;
    char text[64];
    dt_mesh *mesh = NULL;
    snprintf(text, sizeof text, "dp=%d,tp=%d", given->dp, given->tp);
    DT_TRY(dt_mesh_create(world, text, &mesh));
    dt_status status = run_model(mesh, given);
    dt_mesh_release(mesh);
    return status;
}

int main(int argc, char **argv)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    if (argc != 7) {
        fprintf(stderr, "usage: %s MODEL DTYPE DP TP STREAM FOLDER\n", argv[0]);
        return 2;
    }
    run_arguments given = {
        .kind = strcmp(argv[1], "gpt") == 0 ? &model_gpt : &model_llama,
        .dtype = strcmp(argv[2], "f64") == 0 ? DT_F64 : DT_F32,
        .dp = atoi(argv[3]),
        .tp = atoi(argv[4]),
        .sequence = strcmp(argv[5], "sequence") == 0,
        .folder = argv[6]};
    options.transport = "threads";
    options.ranks = given.dp * given.tp;
    if (dt_world_run(&options, program, &given, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return 0;
}
