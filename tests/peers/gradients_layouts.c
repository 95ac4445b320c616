/* tests/peers/gradients_layouts.c - gradients of blocks of a transformer, for
 * gradients_layouts.py to compare. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/block.h"

/*
 * usage: peer_gradients_layouts --list
 *        peer_gradients_layouts RANKS FOLDER
 *
 * --list prints a JSON object for each block, with its inputs.  Otherwise each
 * block whose mesh fits is run with inputs from FOLDER/KIND.INPUT.npy.
 * Rank 0 writes gradients to FOLDER/NUMBER.INPUT.npy, the result to
 * FOLDER/NUMBER.npy, and prints "NUMBER FORWARD BACKWARD" and the layout of
 * each gradient, "-" for none; FORWARD and BACKWARD are as write_calls of
 * ops.c.
 */

typedef struct run_arguments {
    int ranks;
    const char *folder;
} run_arguments;

/* ---- Listing ------------------------------------------------------------ */

static void list_input(const model_block *of, int i)
{
    const block_input *input = &of->kind->inputs[i];
    printf("%s{\"name\": \"%s\", \"dtype\": \"%s\", \"layout\": \"%s\", "
           "\"shape\": [",
           i ? ", " : "", input->name, dt_dtype_name(input->dtype),
           of->layouts[i]);
    for (int d = 0; d < input->shape.ndim; d++)
        printf("%s%lld", d ? ", " : "", (long long)input->shape.dims[d]);
    printf("]}");
}

static void list_block(const model_block *of)
{
    printf("{\"name\": \"%s\", \"kind\": \"%s\", \"mesh\": \"%s\", "
           "\"inside\": \"%s\", \"stream\": \"%s\", \"classes\": %d, "
           "\"upstream\": [%d, %d, %d], \"ours\": [%d, %d], \"inputs\": [",
           of->name, of->kind->name, of->mesh, of->inside, of->stream,
           BLOCK_CLASSES, of->upstream.forward, of->upstream.backward, of->left,
           of->ours.forward, of->ours.backward);
    for (int i = 0; i < block_input_count(of->kind); i++)
        list_input(of, i);
    printf("]}\n");
}

/* ---- Running ------------------------------------------------------------ */

/* Every rank reads the global array and keeps its shard. */
static dt_tensor *load(dt_mesh *mesh, const char *folder, const model_block *of,
                       int i)
{
    char path[1024];
    const block_input *input = &of->kind->inputs[i];
    dt_array *array = NULL;
    snprintf(path, sizeof path, "%s/%s.%s.npy", folder, of->kind->name,
             input->name);
    if (dt_array_load_npy(dt_mesh_world(mesh), path, &array) != DT_OK)
        return NULL;
    dt_tensor *tensor = dt_distribute(mesh, of->layouts[i], input->dtype,
                                      input->shape, array, DT_EVERYWHERE);
    dt_array_release(array);
    return block_is_leaf(of->kind, i) ? dt_requires_grad(tensor) : tensor;
}

static dt_status save(dt_tensor *tensor, const char *folder, int number,
                      const char *name)
{
    char path[1024];
    dt_tensor *global = dt_full_tensor(tensor);
    if (!global)
        return DT_ERR_INVALID;
    dt_world *world = dt_tensor_world(global);
    snprintf(path, sizeof path, "%s/%d%s%s.npy", folder, number,
             *name ? "." : "", name);
    if (dt_world_rank(world) != 0)
        return DT_OK;
    return dt_array_save_npy(world, dt_tensor_local(global), path);
}

/* The collectives since the trace was cleared, as words. */
static void print_calls(dt_world *world)
{
    const char *between = " ";
    for (int i = 0; i < DT_COLLECTIVE_COUNT; i++) {
        const dt_trace_counter counter =
            dt_trace_count(world, (dt_collective)i);
        if (counter.calls == 0)
            continue;
        printf("%s%s:%llu", between, dt_collective_name((dt_collective)i),
               (unsigned long long)counter.calls);
        between = ",";
    }
    printf("%s", between[0] == ' ' ? " -" : "");
}

static void print_layouts(dt_tensor *const *inputs, int count)
{
    for (int i = 0; i < count; i++) {
        char layout[256] = "-";
        const dt_tensor *gradient = dt_tensor_grad(inputs[i]);
        if (gradient)
            dt_layout_format(dt_tensor_layout(gradient), layout, sizeof layout);
        printf(" %s", layout);
    }
    printf("\n");
}

static dt_status step(dt_mesh *mesh, const model_block *of, int number,
                      const char *folder)
{
    dt_world *world = dt_mesh_world(mesh);
    const bool prints = dt_world_rank(world) == 0;
    const int count = block_input_count(of->kind), grad = block_grad(of->kind);
    dt_tensor *inputs[BLOCK_INPUTS];
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    for (int i = 0; i < count; i++)
        inputs[i] = load(mesh, folder, of, i);
    options.grads = grad < 0 ? NULL : &inputs[grad];
    dt_trace_clear(world);
    dt_tensor *out = of->kind->run(of, inputs);
    if (prints) {
        printf("%d", number);
        print_calls(world);
    }
    dt_trace_clear(world);
    DT_TRY(dt_backward_with(&out, 1, &options));
    if (prints) {
        print_calls(world);
        print_layouts(inputs, count);
    }
    DT_TRY(save(out, folder, number, ""));
    for (int i = 0; i < count; i++)
        if (dt_tensor_grad(inputs[i]))
            DT_TRY(save(dt_tensor_grad(inputs[i]), folder, number,
                        of->kind->inputs[i].name));
    return DT_OK;
}

static dt_status program(dt_world *world, void *arg)
{
    const run_arguments *given = arg;
    for (int i = 0; blocks[i].name; i++) {
        dt_mesh *mesh = NULL;
        if (strcmp(blocks[i].mesh, "tp") != 0 && given->ranks < 4)
            continue;
        DT_TRY(dt_mesh_create(world, blocks[i].mesh, &mesh));
        dt_scope *scope = dt_scope_open(world);
        dt_status status = step(mesh, &blocks[i], i, given->folder);
        dt_status inside = dt_scope_close(scope);
        dt_mesh_release(mesh);
        DT_TRY(status);
        DT_TRY(inside);
    }
    return DT_OK;
}

int main(int argc, char **argv)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (const model_block *of = blocks; of->name; of++)
            list_block(of);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: %s --list | RANKS FOLDER\n", argv[0]);
        return 2;
    }
    run_arguments given = {atoi(argv[1]), argv[2]};
    options.transport = "threads";
    options.ranks = given.ranks;
    if (dt_world_run(&options, program, &given, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return 0;
}
