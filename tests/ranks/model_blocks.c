/* ranks: 1 2 3 4 7 */
/* tests/ranks/model_blocks.c - gradients of blocks of a transformer: what they
 * send, their layouts and their values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/autograd.h>

#include "models/block.h"
#include "support/tensors.h"

/* ---- Inputs ------------------------------------------------------------- */

/* The elements of an input depend on its number alone. */
static dt_tensor *make_input(dt_mesh *mesh, const model_block *of, int number)
{
    double values[ELEMENTS_MAX];
    const block_input *input = &of->kind->inputs[number];
    const int64_t count = dt_shape_count(input->shape);
    for (int64_t i = 0; i < count; i++)
        values[i] = input->dtype == DT_I64
                        ? (double)((7 * i + number) % BLOCK_CLASSES)
                        : operand_at(number, i) / 16;
    dt_tensor *made = tensor_of(mesh, of->layouts[number], input->dtype,
                                input->shape, values);
    return block_is_leaf(of->kind, number) ? dt_requires_grad(made) : made;
}

/* ---- One step ----------------------------------------------------------- */

/* Allow so many collectives of all kinds. */
static dt_scope *open_budget(dt_world *world, int calls)
{
    char budget[32];
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    snprintf(budget, sizeof budget, "calls<=%d", calls);
    options.budget = budget;
    return dt_scope_open_with(world, &options);
}

static uint64_t calls_of_step(dt_world *world, const model_block *of,
                              dt_tensor *const *inputs, const int *budgets)
{
    const int grad = block_grad(of->kind);
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = grad < 0 ? NULL : &inputs[grad];
    const uint64_t before = calls_so_far(world);
    dt_scope *scope = open_budget(world, budgets[0]);
    dt_tensor *out = of->kind->run(of, inputs);
    dt_scope_keep(out);
    CHECK_OK(world, dt_scope_close(scope));
    scope = open_budget(world, budgets[1]);
    CHECK_OK(world, dt_backward_with(&out, 1, &options));
    CHECK_OK(world, dt_scope_close(scope));
    return calls_so_far(world) - before;
}

/* The same block with everything replicated. */
static model_block replicated(const model_block *of)
{
    const char *whole = strcmp(of->mesh, "tp") == 0 ? "R" : "RR";
    model_block out = *of;
    out.inside = out.stream = whole;
    for (int i = 0; i < block_input_count(of->kind); i++)
        out.layouts[i] = whole;
    return out;
}

/* Gradients of a step, NULL where there is none. */
static uint64_t run_step(dt_mesh *mesh, const model_block *of,
                         const int *budgets, dt_tensor **gradients)
{
    const int count = block_input_count(of->kind);
    dt_tensor *inputs[BLOCK_INPUTS];
    for (int i = 0; i < count; i++)
        inputs[i] = make_input(mesh, of, i);
    const uint64_t calls =
        calls_of_step(dt_mesh_world(mesh), of, inputs, budgets);
    for (int i = 0; i < count; i++)
        gradients[i] = dt_tensor_grad(inputs[i]);
    return calls;
}

static void check_gradient(const model_block *of, int i, dt_tensor *gradient,
                           dt_tensor *wanted)
{
    double values[ELEMENTS_MAX];
    CHECKF((gradient != NULL) == (wanted != NULL), "%s: gradient of %s",
           of->name, of->kind->inputs[i].name);
    if (!gradient || !wanted || !read_tensor(wanted, values))
        return;
    check_layout(gradient, of->layouts[i]);
    check_values(gradient, values, dt_shape_count(of->kind->inputs[i].shape));
}

/* ---- Blocks ------------------------------------------------------------- */

static bool fits(const model_block *of, int ranks)
{
    return strcmp(of->mesh, "tp") == 0 || ranks % 2 == 0;
}

static void check_block(dt_world *world, const model_block *of)
{
    const model_block plain = replicated(of);
    const int none[2] = {0, 0};
    const int budgets[2] = {of->ours.forward, of->ours.backward};
    dt_tensor *gradients[BLOCK_INPUTS], *wanted[BLOCK_INPUTS];
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, of->mesh, &mesh));
    dt_scope *scope = dt_scope_open(world);
    run_step(mesh, &plain, none, wanted);
    const uint64_t calls = run_step(mesh, of, budgets, gradients);
    if (dt_mesh_dim_size(mesh, dt_mesh_ndim(mesh) - 1) > 1)
        CHECKF((int)calls == budgets[0] + budgets[1], "%s: %d collectives",
               of->name, (int)calls);
    for (int i = 0; i < block_input_count(of->kind); i++)
        check_gradient(of, i, gradients[i], wanted[i]);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* Check the blocks whose names begin so; there are some. */
static void check_blocks(dt_world *world, const char *begin)
{
    int found = 0;
    for (const model_block *of = blocks; of->name; of++) {
        if (strncmp(of->name, begin, strlen(begin)) != 0)
            continue;
        found++;
        if (fits(of, dt_world_size(world)))
            check_block(world, of);
    }
    CHECK(found > 0);
}

static void behaviour_93_columns(dt_world *world)
{
    check_blocks(world, "linear columns");
}

static void behaviour_94_rows(dt_world *world)
{
    check_blocks(world, "linear rows");
}

static void behaviour_95_embeddings(dt_world *world)
{
    check_blocks(world, "embedding");
}

static void behaviour_96_norms(dt_world *world)
{
    check_blocks(world, "norm");
}

static void behaviour_98_blocks(dt_world *world)
{
    check_blocks(world, "mlp");
    check_blocks(world, "attention");
    check_blocks(world, "transformer");
}

static void behaviour_99_tied_weights(dt_world *world)
{
    check_blocks(world, "model");
}

static void behaviour_100_losses(dt_world *world)
{
    check_blocks(world, "loss");
}

static void linear_layers_of_parallel_data(dt_world *world)
{
    check_blocks(world, "linear data");
}

/* No block sends more than PyTorch DTensor, whose gradients of replicated
 * weights are still to be reduced. */
static void budgets_are_those_of_upstream(dt_world *world)
{
    (void)world;
    for (const model_block *of = blocks; of->name; of++) {
        CHECKF(of->ours.forward <= of->upstream.forward, "%s", of->name);
        CHECKF(of->ours.backward <= of->upstream.backward + of->left, "%s",
               of->name);
    }
}

const dt_test dt_tests[] = {
    {"4.8.93: columns of linear layers", behaviour_93_columns},
    {"4.8.94: rows of linear layers", behaviour_94_rows},
    {"4.8.95: embeddings", behaviour_95_embeddings},
    {"4.8.96: norms", behaviour_96_norms},
    {"4.8.98: MLP, attention and transformer blocks", behaviour_98_blocks},
    {"4.8.99: tied weights", behaviour_99_tied_weights},
    {"4.8.100: losses", behaviour_100_losses},
    {"linear layers of parallel data", linear_layers_of_parallel_data},
    {"budgets are those of upstream", budgets_are_those_of_upstream},
    {NULL, NULL},
};
