/* unit/graph/refusals.c - what is refused of exported programs, and how. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/program/program.h"
#include "support/tensors.h"
#include "support/zip.h"

/* ---- A program ---------------------------------------------------------- */

#define META(sizes, strides)                                                   \
    "{\"dtype\": 7, \"sizes\": [" sizes "], \"requires_grad\": false, "        \
    "\"device\": {\"type\": \"cpu\", \"index\": null}, \"strides\": [" strides \
    "], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}"
#define VECTOR META("{\"as_int\": 4}", "{\"as_int\": 1}")

/* x + w, in the module block.0. */
static const char program_text[] =
    "{\"graph_module\": {\"graph\": {"
    "\"inputs\": [{\"as_tensor\": {\"name\": \"p_w\"}}, "
    "{\"as_tensor\": {\"name\": \"x\"}}], "
    "\"outputs\": [{\"as_tensor\": {\"name\": \"add\"}}], "
    "\"nodes\": [{\"target\": \"torch.ops.aten.add.Tensor\", \"inputs\": ["
    "{\"name\": \"self\", \"arg\": {\"as_tensor\": {\"name\": \"x\"}}, "
    "\"kind\": 1}, "
    "{\"name\": \"other\", \"arg\": {\"as_tensor\": {\"name\": \"p_w\"}}, "
    "\"kind\": 1}], \"outputs\": [{\"as_tensor\": {\"name\": \"add\"}}], "
    "\"metadata\": {\"nn_module_stack\": \"a,,m.R;b,block.0,m.B\"}, "
    "\"is_hop_single_tensor_return\": null, \"name\": \"add\"}], "
    "\"tensor_values\": {\"p_w\": " VECTOR ", \"x\": " VECTOR
    ", \"add\": " VECTOR "}, \"sym_int_values\": {}, "
    "\"is_single_tensor_return\": false}, "
    "\"signature\": {\"input_specs\": [{\"parameter\": {\"arg\": "
    "{\"name\": \"p_w\"}, \"parameter_name\": \"block.w\"}}, "
    "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}], "
    "\"output_specs\": [{\"user_output\": {\"arg\": "
    "{\"as_tensor\": {\"name\": \"add\"}}}}]}, \"module_call_graph\": []}, "
    "\"opset_version\": {\"aten\": 10}, \"range_constraints\": {}, "
    "\"schema_version\": {\"major\": 8, \"minor\": 20}, "
    "\"verifiers\": [\"ATEN\"], \"torch_version\": \"2.13.0\"}";

static const char weights_text[] =
    "{\"config\": {\"block.w\": {\"path_name\": \"weight_0\", "
    "\"is_param\": true, \"use_pickle\": false, \"tensor_meta\": " VECTOR "}}}";

/* The records of an archive, in order. */
typedef enum record_name {
    WEIGHT,
    WEIGHTS,
    PROGRAM,
    FORMAT,
    VERSION,
    ENDIANNESS,
    RECORDS
} record_name;

static const char *const names[RECORDS] = {
    "m/data/weights/weight_0", "m/data/weights/model_weights_config.json",
    "m/models/model.json",     "m/archive_format",
    "m/archive_version",       "m/byteorder",
};

static const float weight[] = {10, 20, 30, 40};

static const char *const texts[RECORDS] = {
    [WEIGHTS] = weights_text, [PROGRAM] = program_text, [FORMAT] = "pt2",
    [VERSION] = "0",          [ENDIANNESS] = "little",
};

/* One text in one record is replaced by another, which may be NULL: the record
 * is left out. */
typedef struct change {
    record_name record;
    const char *from, *to;
    dt_status code;
    const char *message;
} change;

static char *replace(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!CHECKF(at != NULL, "\"%s\" is not in the text", from))
        at = text;
    const size_t before = (size_t)(at - text);
    const size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    snprintf(changed, size, "%.*s%s%s", (int)before, text, to,
             at + strlen(from));
    return changed;
}

static void make_archive(zip *to, const change *changed)
{
    for (int i = 0; i < RECORDS; i++) {
        const bool here = changed && changed->record == (record_name)i;
        if (here && !changed->to)
            continue;
        if (i == WEIGHT) {
            zip_add(to, names[i], weight,
                    here ? strlen(changed->to) : sizeof weight);
            continue;
        }
        char *text = here ? replace(texts[i], changed->from, changed->to)
                          : strdup(texts[i]);
        zip_add_text(to, names[i], text);
        free(text);
    }
    zip_finish(to);
}

/* Bytes of graphs that are loaded. */
static uint8_t *kept[4];
static int kept_count;

static dt_status load_changed(dt_world *world, const change *changed,
                              const dt_graph_load_options *options,
                              dt_graph **out)
{
    static const dt_graph_load_options usual = DT_GRAPH_LOAD_OPTIONS_INIT;
    zip made = {0};
    dti_archive *archive = NULL;
    dt_error error = {DT_OK, ""};
    make_archive(&made, changed);
    dt_status status =
        dti_archive_read(made.bytes, made.size, &archive, &error);
    CHECKF(status == DT_OK, "%s", error.message);
    if (status == DT_OK)
        status = dti_graph_load_from(world, archive, "m.pt2",
                                     options ? options : &usual, out);
    dti_archive_release(archive);
    /* Weights lie in the bytes; a graph that was not loaded needs none. */
    if (status == DT_OK && kept_count < (int)(sizeof kept / sizeof *kept)) {
        kept[kept_count++] = made.bytes;
        made.bytes = NULL;
    }
    zip_free(&made);
    return status;
}

static void release_graph(dt_graph *graph)
{
    dt_graph_release(graph);
    while (kept_count > 0)
        free(kept[--kept_count]);
}

/* ---- Refusals ----------------------------------------------------------- */

#define TARGET "torch.ops.aten.add.Tensor"
#define META_OF_X "\"x\": {\"dtype\": 7"
#define NODE "m.pt2: node add (torch.ops.aten.add.Tensor, module block.0): "

static const change refused[] = {
    {FORMAT, "pt2", "zip", DT_ERR_FORMAT,
     "m.pt2: not a PT2 archive: its format is zip"},
    {FORMAT, NULL, NULL, DT_ERR_FORMAT,
     "not a PT2 archive: record archive_format is missing"},
    {VERSION, "0", "1", DT_ERR_UNSUPPORTED,
     "a version that is not supported: 1"},
    {ENDIANNESS, "little", "big", DT_ERR_UNSUPPORTED,
     "written on a machine of another byte order: big"},
    {PROGRAM, NULL, NULL, DT_ERR_FORMAT, "record models/model.json is missing"},
    {PROGRAM, "\"major\": 8", "\"major\": 7", DT_ERR_UNSUPPORTED,
     "schema 7.20, written by torch 2.13.0, is not supported; export again "
     "with torch 2.9 or later"},
    {PROGRAM, "\"schema_version\"", "\"x\"", DT_ERR_FORMAT,
     "schema_version is missing"},
    {PROGRAM, "\"signature\"", "\"x\"", DT_ERR_FORMAT,
     "graph_module.signature is missing"},
    {PROGRAM, "\"graph_module\"", "\"x\"", DT_ERR_FORMAT,
     "graph_module.graph is missing"},
    {PROGRAM, "8", "08", DT_ERR_FORMAT, "record models/model.json"},
    {PROGRAM, "{\"graph_module\"", "[{\"graph_module\"", DT_ERR_FORMAT,
     "record models/model.json"},
    {PROGRAM, "\"as_tensor\": {\"name\": \"x\"}",
     "\"as_tensor\": {\"name\": \"x\"}, \"as_int\": 1", DT_ERR_FORMAT,
     "a union with two tags, the second is as_int"},
    {PROGRAM, "{\"as_tensor\": {\"name\": \"x\"}}, \"kind\"", "{}, \"kind\"",
     DT_ERR_FORMAT, "a union without a tag"},
    /* Operators and their arguments. */
    {PROGRAM, TARGET, "torch.ops.aten.bessel.default", DT_ERR_UNSUPPORTED,
     "m.pt2: node add (torch.ops.aten.bessel.default, module block.0): "
     "operator not supported"},
    {PROGRAM, TARGET, "torch.ops.higher_order.cond", DT_ERR_UNSUPPORTED,
     "(torch.ops.higher_order.cond, module block.0): operator not supported"},
    {PROGRAM, TARGET, "torch.ops.aten.add_.Tensor", DT_ERR_UNSUPPORTED,
     "in-place operator aten.add_.Tensor in training IR; call "
     "run_decompositions({}) before torch.export.save"},
    {PROGRAM, "\"name\": \"other\"", "\"name\": \"alpha\"", DT_ERR_UNSUPPORTED,
     NODE "argument"},
    {PROGRAM, "\"name\": \"other\"", "\"name\": \"hinge\"", DT_ERR_UNSUPPORTED,
     NODE "argument"},
    {PROGRAM, "{\"as_tensor\": {\"name\": \"p_w\"}}, \"kind\"",
     "{\"as_complex\": {\"real\": 1, \"imag\": 0}}, \"kind\"",
     DT_ERR_UNSUPPORTED, NODE "argument other"},
    {PROGRAM, "{\"as_tensor\": {\"name\": \"p_w\"}}, \"kind\"",
     "{\"as_graph\": {\"name\": \"g\", \"graph\": {}}}, \"kind\"",
     DT_ERR_UNSUPPORTED, NODE "argument other"},
    {PROGRAM, "{\"as_tensor\": {\"name\": \"p_w\"}}, \"kind\"",
     "{\"as_tensor\": {\"name\": \"later\"}}, \"kind\"", DT_ERR_UNSUPPORTED,
     "later, which no earlier node computes"},
    {PROGRAM, "\"outputs\": [{\"as_tensor\": {\"name\": \"add\"}}], \"metadata",
     "\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}], \"metadata",
     DT_ERR_FORMAT, "tensor x is computed twice"},
    {PROGRAM, "\"outputs\": [{\"as_tensor\": {\"name\": \"add\"}}], \"metadata",
     "\"outputs\": [{\"as_tensor\": {\"name\": \"sum\"}}], \"metadata",
     DT_ERR_FORMAT, "tensor sum is not described in tensor_values"},
    /* Tensors. */
    {PROGRAM, META_OF_X, "\"x\": {\"dtype\": 9", DT_ERR_UNSUPPORTED,
     "tensor x has dtype 9 of PyTorch"},
    {PROGRAM, "\"cpu\"", "\"cuda\"", DT_ERR_UNSUPPORTED,
     "tensor p_w is on the device cuda"},
    {PROGRAM, "\"layout\": 7", "\"layout\": 1", DT_ERR_UNSUPPORTED,
     "tensor p_w is sparse (layout 1)"},
    {PROGRAM, "\"x\": " VECTOR, "\"y\": " VECTOR, DT_ERR_FORMAT,
     "input x is not described"},
    {PROGRAM, "\"add\": " VECTOR,
     "\"add\": " META("{\"as_expr\": {\"expr_str\": \"Symbol('u0')\", "
                      "\"hint\": null}}",
                      "{\"as_int\": 1}"),
     DT_ERR_UNSUPPORTED, NODE "data-dependent size u0"},
    {PROGRAM, "\"add\": " VECTOR,
     "\"add\": " META("{\"as_expr\": {\"expr_str\": \"Symbol('s7')\", "
                      "\"hint\": null}}",
                      "{\"as_int\": 1}"),
     DT_ERR_UNSUPPORTED, "size s7 is not an extent of an input"},
    {PROGRAM, "\"add\": " VECTOR,
     "\"add\": " META("{\"as_expr\": {\"expr_str\": \"LShift(Integer(1), "
                      "Symbol('s7'))\", \"hint\": null}}",
                      "{\"as_int\": 1}"),
     DT_ERR_UNSUPPORTED, "a size is computed by LShift"},
    {PROGRAM, "\"add\": " VECTOR,
     "\"add\": " META("{\"as_expr\": {\"expr_str\": \"Symbol('s7\", "
                      "\"hint\": null}}",
                      "{\"as_int\": 1}"),
     DT_ERR_FORMAT, "expected a quoted name"},
    {PROGRAM, "{\"as_int\": 4}], \"requires_grad\"",
     "{\"as_int\": 4}, {\"as_int\": 1}, {\"as_int\": 1}, {\"as_int\": 1}, "
     "{\"as_int\": 1}, {\"as_int\": 1}, {\"as_int\": 1}, {\"as_int\": 1}, "
     "{\"as_int\": 1}], \"requires_grad\"",
     DT_ERR_UNSUPPORTED, "more than 8 dimensions"},
    /* The signature. */
    {PROGRAM, "{\"parameter\":", "{\"custom_obj\":", DT_ERR_UNSUPPORTED,
     "an input is a custom_obj, which is not supported"},
    {PROGRAM, "{\"parameter\":", "{\"token\":", DT_ERR_UNSUPPORTED,
     "an input is a token, which is not supported"},
    {PROGRAM, "{\"user_output\":", "{\"loss_output\":", DT_ERR_UNSUPPORTED,
     "an output is a loss_output, which is not supported"},
    {PROGRAM, "{\"user_output\":", "{\"gradient_to_parameter\":",
     DT_ERR_UNSUPPORTED, "an output is a gradient_to_parameter"},
    {PROGRAM, "{\"user_output\":", "{\"token\":", DT_ERR_UNSUPPORTED,
     "an output is a token"},
    {PROGRAM, "{\"user_output\": {\"arg\":",
     "{\"buffer_mutation\": {\"buffer_name\": \"b\", \"arg\":", DT_ERR_FORMAT,
     "output add replaces b, which is no buffer"},
    {PROGRAM,
     ", {\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}", "",
     DT_ERR_FORMAT, "the signature has 1 inputs and 1 outputs"},
    {PROGRAM, "\"arg\": {\"name\": \"p_w\"}", "\"arg\": {\"name\": \"x\"}",
     DT_ERR_FORMAT, "input x is listed twice"},
    /* Weights. */
    {WEIGHTS, "block.w", "block.v", DT_ERR_FORMAT,
     "the archive has no description of weight block.w"},
    {WEIGHT, NULL, NULL, DT_ERR_FORMAT,
     "the archive has no record of weight block.w"},
    {WEIGHTS, "\"use_pickle\": false", "\"use_pickle\": true",
     DT_ERR_UNSUPPORTED, "weight block.w is pickled"},
    {WEIGHTS, "\"as_int\": 4", "\"as_int\": 5", DT_ERR_FORMAT,
     "weight block.w needs 20 bytes of record data/weights/weight_0, which has "
     "16"},
    {WEIGHTS, "\"as_int\": 4", "\"as_int\": 3", DT_ERR_FORMAT,
     "weight block.w has another dtype or shape than input p_w"},
    {WEIGHTS, "\"as_int\": 4", "\"as_int\": -4", DT_ERR_FORMAT,
     "weight block.w has invalid sizes or strides"},
    {WEIGHTS, "\"as_int\": 4", "\"as_int\": 4611686018427387904", DT_ERR_FORMAT,
     "weight block.w has invalid sizes or strides"},
    {WEIGHTS, "\"storage_offset\": {\"as_int\": 0}",
     "\"storage_offset\": {\"as_int\": -1}", DT_ERR_FORMAT,
     "weight block.w has invalid sizes or strides"},
    {WEIGHTS, "\"dtype\": 7", "\"dtype\": 29", DT_ERR_UNSUPPORTED,
     "weight block.w has dtype 29 of PyTorch"},
    {WEIGHTS, "\"config\"", "\"config\": 1, \"config\"", DT_ERR_FORMAT,
     "record data/weights/model_weights_config.json"},
};

static void refuses(dt_world *world)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        dt_graph *graph = NULL;
        CHECK_FAILS(world, load_changed(world, &refused[i], NULL, &graph),
                    refused[i].code, refused[i].message);
        CHECK(graph == NULL);
    }
}

/* ---- All at once -------------------------------------------------------- */

typedef struct found {
    int count;
    char first[200];
} found;

static void count_problem(void *arg, const dt_graph_problem *problem)
{
    found *all = arg;
    if (all->count++ == 0)
        snprintf(all->first, sizeof all->first, "%s|%s|%s", problem->node,
                 problem->target, problem->module);
}

static void reports_all(dt_world *world)
{
    const change changed = {PROGRAM, "{\"user_output\":", "{\"token\":", DT_OK,
                            NULL};
    found all = {0};
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph *graph = NULL;
    char *text = replace(program_text, TARGET, "torch.ops.aten.bessel.default");
    change both = changed;
    /* Two problems: a node and an output. */
    char *twice = replace(text, "{\"user_output\":", "{\"token\":");
    both.from = program_text;
    both.to = twice;
    options.on_problem = count_problem;
    options.on_problem_arg = &all;
    CHECK_FAILS(world, load_changed(world, &both, &options, &graph),
                DT_ERR_UNSUPPORTED, "m.pt2: 2 problems: node add (");
    CHECK_INT(all.count, 2);
    CHECK_TEXT(all.first, "add|torch.ops.aten.bessel.default|block.0");
    free(text);
    free(twice);
}

static void keeps_unsupported(dt_world *world)
{
    const change changed = {PROGRAM, TARGET, "torch.ops.aten.bessel.default",
                            DT_OK, NULL};
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    dt_graph *graph = NULL;
    dt_mesh *mesh = NULL;
    dt_executor *executor = NULL;
    dt_graph_node node = {.size = sizeof node};
    options.keep_unsupported = true;
    if (!CHECK_OK(world, load_changed(world, &changed, &options, &graph)))
        return;
    CHECK_OK(world, dt_graph_node_at(graph, 0, &node));
    CHECK_TEXT(node.row_name, "");
    CHECK_TEXT(node.target, "torch.ops.aten.bessel.default");
    CHECK_TEXT(node.module, "block.0");
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    CHECK_FAILS(world, dt_executor_create(graph, mesh, &executor),
                DT_ERR_UNSUPPORTED, "operator not supported; 1 of 1 nodes");
    dt_mesh_release(mesh);
    release_graph(graph);
}

/* ---- What is accepted --------------------------------------------------- */

static void run_program(dt_world *world, const change *changed,
                        const double *wanted)
{
    fixture f = open_fixture(world);
    static const double values[] = {1, 2, 3, 4};
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    options.check_weights = options.any_device = true;
    if (CHECK_OK(world, load_changed(world, changed, &options, &graph)) &&
        CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor))) {
        dt_tensor *x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(4), values);
        dt_tensor *y = NULL;
        CHECK_OK(world, dt_executor_run(executor, &x, 1, &y, 1));
        check_values(y, wanted, 4);
    }
    dt_executor_release(executor);
    release_graph(graph);
    close_without_errors(&f);
}

static void accepts(dt_world *world)
{
    static const double sum[] = {11, 22, 33, 44}, two[] = {3, 4, 5, 6},
                        same[] = {1, 2, 3, 4};
    static const struct {
        change change;
        const double *wanted;
    } rows[] = {
        {{PROGRAM, "\"minor\": 20", "\"minor\": 99, \"new\": [{}]", 0, 0}, sum},
        {{PROGRAM, "\"cpu\"", "\"cuda\"", 0, 0}, sum},
        {{PROGRAM, ", \"name\": \"add\"}]", "}]", 0, 0}, sum},
        {{ENDIANNESS, NULL, NULL, 0, 0}, sum},
        /* A number where ATen says Tensor. */
        {{PROGRAM, "{\"as_tensor\": {\"name\": \"p_w\"}}, \"kind\"",
          "{\"as_int\": 2}, \"kind\"", 0, 0},
         two},
        {{PROGRAM, TARGET "\", \"inputs\": [",
          "torch.ops.aten.clone.default\", \"inputs\": [{\"name\": \"self\", "
          "\"arg\": {\"as_tensor\": {\"name\": \"x\"}}, \"kind\": 1}], "
          "\"old\": [",
          0, 0},
         same},
    };
    run_program(world, NULL, sum);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run_program(world, &rows[i].change, rows[i].wanted);
}

/* A record of 0 bytes: the program was exported without its weights. */
static void runs_without_weights(dt_world *world)
{
    fixture f = open_fixture(world);
    static const double values[] = {1, 2, 3, 4}, sum[] = {2, 4, 6, 8};
    const change changed = {WEIGHT, "", "", DT_OK, NULL};
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_tensor *x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(4), values), *y;
    if (CHECK_OK(world, load_changed(world, &changed, NULL, &graph)) &&
        CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor))) {
        CHECK_FAILS(world, dt_executor_run(executor, &x, 1, &y, 1),
                    DT_ERR_INVALID,
                    "the archive carries no weights for block.w");
        CHECK_FAILS(world, dt_executor_set_state(executor, "w", x),
                    DT_ERR_NOT_FOUND, "no parameter, buffer or constant");
        CHECK_OK(world, dt_executor_set_state(executor, "block.w", x));
        CHECK_OK(world, dt_executor_run(executor, &x, 1, &y, 1));
        check_values(y, sum, 4);
    }
    dt_executor_release(executor);
    release_graph(graph);
    close_fixture(&f);
}

static void refuses_inputs(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_graph *graph = NULL;
    dt_executor *executor = NULL;
    dt_tensor *y = NULL;
    dt_tensor *longer = dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(5));
    dt_tensor *whole = dt_ones(f.mesh, "R", DT_I64, DT_SHAPE(4));
    dt_tensor *none = NULL;
    if (CHECK_OK(world, load_changed(world, NULL, NULL, &graph)) &&
        CHECK_OK(world, dt_executor_create(graph, f.mesh, &executor))) {
        CHECK_FAILS(world, dt_executor_run(executor, &longer, 1, &y, 1),
                    DT_ERR_INVALID, "input 0 (x) is f32[5] R");
        CHECK_FAILS(world, dt_executor_run(executor, &whole, 1, &y, 1),
                    DT_ERR_INVALID, "the program declares f32[4]");
        CHECK_FAILS(world, dt_executor_run(executor, &longer, 0, &y, 1),
                    DT_ERR_INVALID, "expected 1 inputs, got 0");
        CHECK_FAILS(world, dt_executor_run(executor, &longer, 1, &y, 0),
                    DT_ERR_INVALID, "capacity for 0 outputs");
        dt_check_forget(world);
        CHECK(dt_executor_run(executor, &none, 1, &y, 1) == DT_ERR_INVALID);
    }
    dt_executor_release(executor);
    release_graph(graph);
    close_fixture(&f);
}

/* Files of PyTorch that cannot be run. */
static void refuses_files(dt_world *world)
{
    dt_graph *graph = NULL;
    CHECK_FAILS(
        world,
        dt_graph_load(world, GOLDEN "/llama-decode-training.pt2", NULL, &graph),
        DT_ERR_UNSUPPORTED,
        "2 problems: node index_put_ "
        "(torch.ops.aten.index_put_.default, module "
        "layers.0.self_attn): in-place operator aten.index_put_ in "
        "training IR");
    CHECK_FAILS(world, dt_graph_load(world, GOLDEN "/none.pt2", NULL, &graph),
                DT_ERR_NOT_FOUND, "none.pt2");
    CHECK_FAILS(world, dt_graph_load(world, NULL, NULL, &graph), DT_ERR_INVALID,
                "the path is NULL");
    dt_graph_load_options options = DT_GRAPH_LOAD_OPTIONS_INIT;
    options.model = "other";
    CHECK_FAILS(world,
                dt_graph_load(world, GOLDEN "/mlp-core.pt2", &options, &graph),
                DT_ERR_NOT_FOUND,
                "no model is named \"other\"; the archive has the models "
                "model");
}

const dt_test dt_tests[] = {
    {"refuses what it cannot run", refuses},
    {"reports all problems at once", reports_all},
    {"keeps unsupported operators if asked to", keeps_unsupported},
    {"accepts the rest", accepts},
    {"runs without weights", runs_without_weights},
    {"refuses inputs that do not fit", refuses_inputs},
    {"refuses files", refuses_files},
    {NULL, NULL},
};
