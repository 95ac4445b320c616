/* cli/commands/model.c - `dtensor model`: programs that PyTorch exported. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/array.h>
#include <dtensor/graph.h>
#include <dtensor/redistribute.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

#include "base/text/message.h"
#include "cli/command.h"
#include "cli/memory.h"
#include "cli/model/show.h"
#include "cli/options.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const char name[] = "model";

/* What the command was asked for. */
typedef struct request {
    const char *path;
    const char *model;
    const char *inputs, *outputs; /* files, separated by commas */
    const char *dot;
    bool json, nodes;
} request;

static int fail(dt_world *world)
{
    dti_message_print(stderr, "dtensor %s: %s\n", name,
                      dt_world_error(world)->message);
    return DTI_EXIT_FAILED;
}

/* ---- show and check ------------------------------------------------------ */

static void print_problem(void *arg, const dt_graph_problem *problem)
{
    int *count = arg;
    ++*count;
    dti_message_print(stdout, "%s\n", problem->message);
}

static int write_dot(const dt_graph *graph, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        dti_message_print(stderr, "dtensor %s: %s cannot be written\n", name,
                          path);
        return DTI_EXIT_FAILED;
    }
    bool done = dti_model_write(graph, DT_GRAPH_DOT, file);
    done = fclose(file) == 0 && done;
    return done ? DTI_EXIT_OK : DTI_EXIT_FAILED;
}

static int show(dt_world *world, const request *asked)
{
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph *graph = NULL;
    int code = DTI_EXIT_OK;
    options.model = asked->model;
    options.keep_unsupported = true;
    if (dt_graph_load(world, asked->path, &options, &graph) != DT_OK)
        return fail(world);
    if (asked->dot)
        code = write_dot(graph, asked->dot);
    else if (asked->json || asked->nodes)
        dti_model_write(graph, asked->json ? DT_GRAPH_JSON : DT_GRAPH_TEXT,
                        stdout);
    else
        dti_model_show(graph, stdout);
    dt_graph_release(graph);
    return code;
}

static int check(dt_world *world, const request *asked)
{
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph *graph = NULL;
    int problems = 0;
    options.model = asked->model;
    options.check_weights = true;
    options.on_problem = print_problem;
    options.on_problem_arg = &problems;
    if (dt_graph_load(world, asked->path, &options, &graph) != DT_OK) {
        if (problems == 0)
            return fail(world);
        printf("%d problems: %s cannot be run\n", problems, asked->path);
        return DTI_EXIT_FAILED;
    }
    printf("%s can be run: %d nodes\n", asked->path,
           dt_graph_node_count(graph));
    dt_graph_release(graph);
    return DTI_EXIT_OK;
}

/* ---- run ----------------------------------------------------------------- */

/* Split a list of files in place; the caller frees `paths`.  Returns how many
 * there are. */
static int split(char *text, char ***paths)
{
    int count = 0;
    *paths = dti_grow(NULL, strlen(text) + 1, sizeof **paths);
    for (char *at = text; *at;) {
        const size_t length = strcspn(at, ",");
        (*paths)[count++] = at;
        at += length;
        if (*at)
            *at++ = '\0';
    }
    return count;
}

static dt_status read_tensor(dt_mesh *mesh, const char *path, dt_tensor **out)
{
    dt_array *array = NULL;
    DT_TRY(dt_array_load_npy(dt_mesh_world(mesh), path, &array));
    *out = dt_distribute(mesh, "R", dt_array_dtype(array),
                         dt_array_shape(array), array, 0);
    dt_array_release(array);
    return *out ? DT_OK : DT_ERR_INVALID;
}

static dt_status write_tensor(dt_tensor *tensor, const char *path)
{
    dt_array *array = dt_tensor_local(dt_full_tensor(tensor));
    if (!array)
        return DT_ERR_INVALID;
    return dt_array_save_npy(dt_tensor_world(tensor), array, path);
}

/* Print an output for people, where no file was asked for. */
static void print_tensor(dt_tensor *tensor, const char *title)
{
    const size_t length = dt_tensor_format(tensor, NULL, 0);
    char *text = dti_grow(NULL, length + 1, 1);
    dt_tensor_format(tensor, text, length + 1);
    printf("%s: %s\n", title, text);
    free(text);
}

static dt_status give_outputs(const dt_graph *graph, dt_tensor **outputs,
                              char **paths, int path_count)
{
    for (int i = 0; i < dt_graph_output_count(graph); i++) {
        dt_graph_value value = {.size = sizeof value};
        DT_TRY(dt_graph_output(graph, i, &value));
        if (i < path_count)
            DT_TRY(write_tensor(outputs[i], paths[i]));
        else
            print_tensor(outputs[i], value.name);
    }
    return DT_OK;
}

/* The files of a run. */
typedef struct files {
    char **inputs, **outputs;
    int input_count, output_count;
} files;

static dt_status run_on(dt_graph *graph, dt_mesh *mesh, const files *given)
{
    dt_executor *executor = NULL;
    const int count = dt_graph_output_count(graph);
    dt_tensor **inputs =
        dti_grow(NULL, (size_t)given->input_count + 1, sizeof *inputs);
    dt_tensor **outputs = dti_grow(NULL, (size_t)count + 1, sizeof *outputs);
    dt_status status = dt_executor_create(graph, mesh, &executor);
    for (int i = 0; status == DT_OK && i < given->input_count; i++)
        status = read_tensor(mesh, given->inputs[i], &inputs[i]);
    if (status == DT_OK)
        status = dt_executor_run(executor, inputs, given->input_count, outputs,
                                 count);
    if (status == DT_OK)
        status =
            give_outputs(graph, outputs, given->outputs, given->output_count);
    dt_executor_release(executor);
    free(inputs);
    free(outputs);
    return status;
}

static int run_graph(dt_world *world, const request *asked, const files *given)
{
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph *graph = NULL;
    dt_mesh *mesh = NULL;
    options.model = asked->model;
    dt_status status = dt_graph_load(world, asked->path, &options, &graph);
    if (status == DT_OK)
        status = dt_mesh_create(world, "rank", &mesh);
    if (status == DT_OK)
        status = run_on(graph, mesh, given);
    const int code = status == DT_OK ? DTI_EXIT_OK : fail(world);
    dt_mesh_release(mesh);
    dt_graph_release(graph);
    return code;
}

static int run(dt_world *world, const request *asked)
{
    files given = {NULL, NULL, 0, 0};
    char *inputs = strdup(asked->inputs ? asked->inputs : "");
    char *outputs = strdup(asked->outputs ? asked->outputs : "");
    int code = DTI_EXIT_FAILED;
    if (inputs && outputs) {
        given.input_count = split(inputs, &given.inputs);
        given.output_count = split(outputs, &given.outputs);
        code = run_graph(world, asked, &given);
    }
    free(given.inputs);
    free(given.outputs);
    free(inputs);
    free(outputs);
    return code;
}

/* ---- The command --------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(dt_world *world, const request *asked);
} actions[] = {
    {"show", show},
    {"check", check},
    {"run", run},
};

static int act(const char *action, const request *asked)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    dt_world *world;
    size_t i = 0;
    while (i < COUNT_OF(actions) && strcmp(actions[i].name, action) != 0)
        i++;
    if (i == COUNT_OF(actions)) {
        dti_message_print(stderr,
                          "dtensor %s: unknown action \"%s\"; show, check or "
                          "run\n",
                          name, action);
        return DTI_EXIT_USAGE;
    }
    options.ranks = 1;
    options.transport = "threads";
    if (dt_world_open(&options, &world, &error) != DT_OK) {
        dti_message_print(stderr, "dtensor %s: %s\n", name, error.message);
        return DTI_EXIT_FAILED;
    }
    const int code = actions[i].run(world, asked);
    DT_IGNORE(dt_world_close(world));
    return code;
}

static int model(int argc, char **argv)
{
    request asked = {.path = NULL};
    int operands;
    const dti_option options[] = {
        {.name = "--model", .text = &asked.model},
        {.name = "--input", .text = &asked.inputs},
        {.name = "--output", .text = &asked.outputs},
        {.name = "--dot", .text = &asked.dot},
        {.name = "--json", .flag = &asked.json},
        {.name = "--nodes", .flag = &asked.nodes},
    };
    if (!dti_options_read(argc, argv, options, COUNT_OF(options), &operands))
        return DTI_EXIT_USAGE;
    if (operands != 2) {
        dti_message_print(stderr,
                          "dtensor %s: expected an action and a file, for "
                          "example: dtensor model show model.pt2\n",
                          name);
        return DTI_EXIT_USAGE;
    }
    asked.path = argv[2];
    return act(argv[1], &asked);
}

const dti_command dti_command_model = {
    .name = "model",
    .usage = "show|check|run FILE [--model NAME] [--nodes] [--json] [--dot "
             "FILE] [--input FILES] [--output FILES]",
    .summary = "describe, check or run a program that PyTorch exported",
    .help =
        "FILE is a .pt2 file that torch.export.save of PyTorch 2.9 or later "
        "wrote.\n"
        "\n"
        "  show   list inputs, outputs, state and operators\n"
        "  check  list what cannot be run, and compare all checksums\n"
        "  run    run the program on one rank\n"
        "\n"
        "Options:\n"
        "  --model NAME    the model, if the file has several\n"
        "  --nodes         show: write every call\n"
        "  --json          show: write the graph as one JSON object\n"
        "  --dot FILE      show: write the graph for Graphviz to FILE\n"
        "  --input FILES   run: .npy files of the inputs, separated by commas\n"
        "  --output FILES  run: .npy files for the outputs; without them, "
        "outputs are printed\n",
    .run = model,
};
