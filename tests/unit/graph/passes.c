/* unit/graph/passes.c - passes: what they leave, and what they refuse. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include <dtensor/sys/pass.h>

static dt_graph *load(dt_world *world, const char *name)
{
    char path[300];
    dt_graph *graph = NULL;
    snprintf(path, sizeof path, "%s/%s.pt2", GOLDEN, name);
    CHECK_OK(world, dt_graph_load(world, path, NULL, &graph));
    return graph;
}

static int count_rows(const dt_graph *graph, const char *row)
{
    int count = 0;
    for (int i = 0; i < dt_graph_node_count(graph); i++) {
        dt_graph_node node = {.size = sizeof node};
        if (dt_graph_node_at(graph, i, &node) == DT_OK)
            count += strcmp(node.row_name, row) == 0;
    }
    return count;
}

/* arange, unsqueeze and cast of a fixed length read nothing. */
static void computes_constants(dt_world *world)
{
    dt_graph *graph = load(world, "llama-functional"), *better = NULL;
    const int before = dt_graph_node_count(graph);
    CHECK_INT(count_rows(graph, "arange"), 1);
    CHECK_OK(world, dt_graph_optimize(graph, "constants", &better));
    CHECK_INT(count_rows(better, "arange"), 0);
    CHECK_INT(count_rows(better, "cast"), 0);
    CHECK_INT(dt_graph_node_count(better), before - 3);
    CHECK_INT(dt_graph_node_count(graph), before); /* as it was */
    dt_graph_release(better);
    dt_graph_release(graph);
    /* A length that is not known cannot be computed with. */
    graph = load(world, "llama-dynamic-functional");
    CHECK_OK(world, dt_graph_optimize(graph, "constants", &better));
    CHECK_INT(dt_graph_node_count(better), dt_graph_node_count(graph));
    dt_graph_release(better);
    dt_graph_release(graph);
}

/* Core ATen expands to the same shape before products of batches. */
static void leaves_out_views(dt_world *world)
{
    dt_graph *graph = load(world, "bert-core"), *better = NULL;
    CHECK(count_rows(graph, "expand") > 0);
    CHECK_OK(world, dt_graph_optimize(graph, "views", &better));
    CHECK_INT(count_rows(better, "expand"), 0);
    CHECK_INT(count_rows(better, "permute"), count_rows(graph, "permute"));
    dt_graph_release(better);
    dt_graph_release(graph);
}

/* After constants were computed, somebody may read them no more. */
static void leaves_out_dead_code(dt_world *world)
{
    dt_graph *graph = load(world, "gpt2-core"), *better = NULL, *again = NULL;
    CHECK_OK(world, dt_graph_optimize(graph, NULL, &better));
    CHECK(dt_graph_node_count(better) < dt_graph_node_count(graph));
    CHECK_OK(world, dt_graph_optimize(better, NULL, &again));
    CHECK_INT(dt_graph_node_count(again), dt_graph_node_count(better));
    dt_graph_release(again);
    dt_graph_release(better);
    dt_graph_release(graph);
}

/* ---- Passes of a program ------------------------------------------------- */

static dt_status drop_first(dt_graph_edit *edit)
{
    return dt_edit_drop(edit, 0);
}

static dt_status replace_unlike(dt_graph_edit *edit)
{
    const int last = dt_edit_node_count(edit) - 1;
    return dt_edit_replace(edit, dt_edit_result(edit, last, 0),
                           dt_edit_input(edit, 0, 0));
}

static dt_status compute_first(dt_graph_edit *edit)
{
    return dt_edit_compute(edit, 0, 100);
}

static dt_status look(dt_graph_edit *edit)
{
    return dt_edit_value_count(edit) == 16 && dt_edit_input_count(edit, 0) == 3
               ? DT_OK
               : DT_ERR_INVALID;
}

static void refuses(dt_world *world)
{
    static const struct {
        dt_status (*run)(dt_graph_edit *edit);
        const char *message;
    } rows[] = {
        {drop_first, "dt_edit_drop: linear, which node linear computes, is "
                     "read"},
        {replace_unlike, "dt_edit_replace: "},
        {compute_first, "node linear does not read constants only"},
    };
    dt_graph *graph = load(world, "mlp-functional"), *out = NULL;
    dt_pass pass = DT_PASS_INIT;
    pass.name = "mine";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pass.run = rows[i].run;
        CHECK_FAILS(world, dt_graph_apply(graph, &pass, &out), DT_ERR_INVALID,
                    rows[i].message);
    }
    pass.run = look;
    CHECK_OK(world, dt_graph_apply(graph, &pass, &out));
    CHECK_INT(dt_graph_node_count(out), 7);
    dt_graph_release(out);
    CHECK_FAILS(world, dt_graph_optimize(graph, "views fuse", &out),
                DT_ERR_NOT_FOUND, "no pass is named \"fuse\"");
    CHECK(dt_pass_at(0) && !dt_pass_at(-1) && !dt_pass_at(99));
    dt_graph_release(graph);
}

const dt_test dt_tests[] = {
    {"computes constants", computes_constants},
    {"leaves out views", leaves_out_views},
    {"leaves out dead code", leaves_out_dead_code},
    {"refuses wrong changes", refuses},
    {NULL, NULL},
};
