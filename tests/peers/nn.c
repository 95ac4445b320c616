/* tests/peers/nn.c - trains a model with weights from files, for nn.py to
 * compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>

/*
 * usage: peer_nn MODEL DTYPE DP TP STREAM FOLDER
 *
 * Trains gpt, llama or mlp in f32 or f64 on DP times TP ranks with AdamW.
 * STREAM is replicated or sequence.  FOLDER has tokens.npy and targets.npy,
 * (steps, batch, time), and every weight as NAME.npy, in f64; rank 0 writes
 * losses.out.npy, gradients.out.npy, a row of all gradients for each step, and
 * names.txt, their order.
 */

typedef struct run_arguments {
    const char *model;
    dt_dtype dtype;
    int dp, tp;
    bool sequence;
    const char *folder;
} run_arguments;

/* ---- Models ------------------------------------------------------------- */

static dt_transformer shape_of(const run_arguments *given)
{
    dt_transformer shape = DT_TRANSFORMER_INIT;
    const bool gpt = strcmp(given->model, "gpt") == 0;
    shape.dtype = given->dtype;
    shape.layers = 2;
    shape.positions = 9;
    shape.vocabulary = gpt ? 53 : 61;
    shape.width = gpt ? 35 : 18;
    shape.heads = gpt ? 7 : 6;
    shape.kv_heads = gpt ? 7 : 3;
    shape.head_width = gpt ? 5 : 4;
    shape.hidden = gpt ? 0 : 22;
    return shape;
}

static dt_module *make_mlp(dt_world *world, dt_dtype dtype)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    options.dtype = dtype;
    dt_module *parts[] = {dt_nn_embedding(world, 61, 10, &options),
                          dt_nn_linear(world, 10, 23, &options),
                          dt_nn_function(world, "ReLU", dt_relu),
                          dt_nn_linear(world, 23, 61, &options)};
    return dt_nn_sequential(world, parts, 4);
}

static const dt_parallel_rule mlp_rules[] = {
    {.pattern = "0", .style = &dt_rowwise},
    {.pattern = "1", .style = &dt_colwise},
    {.pattern = "3", .style = &dt_rowwise},
};

static dt_module *make_model(dt_world *world, const run_arguments *given)
{
    const dt_transformer shape = shape_of(given);
    return strcmp(given->model, "gpt") == 0     ? dt_nn_gpt(world, &shape)
           : strcmp(given->model, "llama") == 0 ? dt_nn_llama(world, &shape)
                                                : make_mlp(world, given->dtype);
}

static const dt_parallel_rule *rules_of(const run_arguments *given, int *count)
{
    *count = 3;
    return strcmp(given->model, "gpt") == 0
               ? dt_gpt_rules(given->sequence, count)
           : strcmp(given->model, "llama") == 0
               ? dt_llama_rules(given->sequence, count)
               : mlp_rules;
}

/* ---- Files -------------------------------------------------------------- */

static dt_status load(dt_world *world, const char *folder, const char *name,
                      dt_array **out)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    return dt_array_load_npy(world, path, out);
}

/* Every rank reads all weights and keeps its shards. */
static dt_status load_weights(dt_module *model, const char *folder)
{
    dt_world *world = dt_module_world(model);
    dt_state *state = NULL;
    int count;
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    dt_status status = dt_state_create(world, &state);
    for (int i = 0; i < count && status == DT_OK; i++) {
        dt_array *array = NULL;
        status = load(world, folder, all[i].name, &array);
        if (status == DT_OK)
            status = dt_state_set_array(state, all[i].name, array);
        dt_array_release(array);
    }
    if (status == DT_OK)
        status = dt_module_set_state(model, state, true);
    dt_state_release(state);
    return status;
}

static dt_status save(dt_world *world, const char *folder, const char *name,
                      dt_shape shape, double *values)
{
    char path[1024];
    dt_array *array = NULL;
    snprintf(path, sizeof path, "%s/%s.out.npy", folder, name);
    if (dt_world_rank(world) != 0)
        return DT_OK;
    DT_TRY(dt_array_create(world, DT_F64, shape, &array));
    memcpy(dt_array_data(array), values,
           (size_t)dt_shape_count(shape) * sizeof *values);
    const dt_status status = dt_array_save_npy(world, array, path);
    dt_array_release(array);
    return status;
}

static dt_status save_names(dt_module *model, const char *folder)
{
    char path[1024];
    int count;
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    if (dt_world_rank(dt_module_world(model)) != 0)
        return DT_OK;
    snprintf(path, sizeof path, "%s/names.txt", folder);
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < count; i++)
        fprintf(file, "%s\n", all[i].name);
    return file && fclose(file) == 0 ? DT_OK : DT_ERR_IO;
}

/* ---- Training ----------------------------------------------------------- */

/* Copy all gradients, one after another; NULL: count their elements. */
static dt_status read_gradients(dt_module *model, double *out, int64_t *total)
{
    int count;
    const dt_named_parameter *all = dt_module_parameters(model, &count);
    *total = 0;
    for (int i = 0; i < count; i++) {
        dt_tensor *weight = dt_parameter_tensor(all[i].parameter);
        const int64_t elements = dt_tensor_count(weight);
        if (out) {
            dt_tensor *whole =
                dt_full_tensor(dt_cast(dt_tensor_grad(weight), DT_F64));
            if (!whole)
                return DT_ERR_INVALID;
            memcpy(out + *total,
                   dt_array_const_data(dt_tensor_local(dt_contiguous(whole))),
                   (size_t)elements * sizeof *out);
        }
        *total += elements;
    }
    return DT_OK;
}

/* What training gives. */
typedef struct course {
    int64_t steps, total;
    double *losses, *gradients;
} course;

static dt_status train(dt_module *model, dt_optimizer *adam, dt_tensor *tokens,
                       dt_tensor *targets, course *out)
{
    dt_world *world = dt_module_world(model);
    for (int64_t i = 0; i < out->steps; i++) {
        dt_number value;
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *logits = dt_module_call(model, dt_select(tokens, 0, i));
        dt_tensor *loss = dt_token_loss(logits, dt_select(targets, 0, i));
        DT_TRY(dt_backward(loss));
        DT_TRY(read_gradients(model, out->gradients + i * out->total,
                              &out->total));
        DT_TRY(dt_optimizer_step(adam));
        DT_TRY(dt_optimizer_zero_grad(adam));
        DT_TRY(dt_tensor_item(loss, &value));
        out->losses[i] = dt_number_real(value);
        DT_TRY(dt_scope_close(scope));
    }
    return DT_OK;
}

static dt_status run_course(dt_module *model, dt_mesh *mesh, const char *folder,
                            dt_array *tokens, dt_array *targets)
{
    dt_world *world = dt_module_world(model);
    dt_adamw_options options = DT_ADAMW_OPTIONS_INIT;
    dt_optimizer *adam = NULL;
    const dt_shape shape = dt_array_shape(tokens);
    course out = {.steps = shape.dims[0]};
    options.lr = 0.01;
    options.weight_decay = 0.1;
    DT_TRY(dt_adamw_create(model, &options, &adam));
    DT_TRY(read_gradients(model, NULL, &out.total));
    out.losses = calloc((size_t)out.steps, sizeof *out.losses);
    out.gradients =
        calloc((size_t)(out.steps * out.total), sizeof *out.gradients);
    dt_status status = train(
        model, adam,
        dt_distribute(mesh, "S(1)R", DT_I64, shape, tokens, DT_EVERYWHERE),
        dt_distribute(mesh, "S(1)R", DT_I64, shape, targets, DT_EVERYWHERE),
        &out);
    if (status == DT_OK)
        status = save(world, folder, "losses", DT_SHAPE(out.steps), out.losses);
    if (status == DT_OK)
        status = save(world, folder, "gradients",
                      DT_SHAPE(out.steps, out.total), out.gradients);
    free(out.losses);
    free(out.gradients);
    dt_optimizer_release(adam);
    return status;
}

static dt_status run_model(dt_mesh *mesh, const run_arguments *given)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *tokens = NULL, *targets = NULL;
    int count;
    dt_scope *scope = dt_scope_open(world);
    dt_module *model = make_model(world, given);
    const dt_parallel_rule *rules = rules_of(given, &count);
    DT_TRY(dt_parallelize(model, mesh, rules, count, NULL));
    DT_TRY(load_weights(model, given->folder));
    DT_TRY(save_names(model, given->folder));
    DT_TRY(load(world, given->folder, "tokens", &tokens));
    DT_TRY(load(world, given->folder, "targets", &targets));
    const dt_status status =
        run_course(model, mesh, given->folder, tokens, targets);
    dt_array_release(tokens);
    dt_array_release(targets);
    const dt_status inside = dt_scope_close(scope);
    return status != DT_OK ? status : inside;
}

static dt_status program(dt_world *world, void *arg)
{
    const run_arguments *given = arg;
    char text[64];
    dt_mesh *mesh = NULL;
    snprintf(text, sizeof text, "dp=%d,tp=%d", given->dp, given->tp);
    DT_TRY(dt_mesh_create(world, text, &mesh));
    const dt_status status = run_model(mesh, given);
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
    run_arguments given = {.model = argv[1],
                           .dtype =
                               strcmp(argv[2], "f64") == 0 ? DT_F64 : DT_F32,
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
