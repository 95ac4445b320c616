/* bench/support/changes.c - changes of layout, and ranks timing them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/changes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtensor/create.h>
#include <dtensor/redistribute.h>
#include <dtensor/scope.h>

#include "bench/support/peer.h"
#include "bench/support/turns.h"

#define LIMIT 600 /* seconds, of a launch */
#define LINE 64   /* bytes */
#define CACHED ((size_t)16 << 20)

/* A change as an argument: "MESH FROM TO BYTES AGAINST", no spaces in any. */
#define TEXT_SIZE 192
#define WORD "%31s"

/* ---- In a rank ---------------------------------------------------------- */

/* A change under way. */
typedef struct timed_change {
    dt_world *world;
    dt_mesh *mesh;
    char mesh_text[32], from[32], to[32];
    size_t bytes;
    int against;
    dt_tensor *tensor;
    dt_array *output; /* of the bare collective */
} timed_change;

static bool read_change(const char *text, timed_change *out)
{
    return sscanf(text, WORD " " WORD " " WORD " %zu %d", out->mesh_text,
                  out->from, out->to, &out->bytes, &out->against) == 5;
}

/*
 * Write what this rank has, a number in each line of the cache: an operator has
 * just done so when its result changes layout, and who reads it first has to
 * fetch it from there.  What no cache holds is left alone.
 */
static void touch(const timed_change *of)
{
    dt_array *local = dt_tensor_local(of->tensor);
    float *data = dt_array_data(local);
    int64_t count = dt_array_count(local);
    if (of->bytes > CACHED)
        return;
    for (int64_t i = 0; i < count; i += LINE / (int64_t)sizeof *data)
        data[i] = 1;
}

static dt_status change_by(const timed_change *of, dt_planner planner)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = of->to;
    options.planner = planner;
    touch(of);
    dt_scope *scope = dt_scope_open(of->world);
    dt_redistribute_with(of->tensor, &options);
    return dt_scope_close(scope);
}

static dt_status by_search(void *arg)
{
    return change_by(arg, DT_PLANNER_SEARCH);
}

static dt_status by_greedy(void *arg)
{
    return change_by(arg, DT_PLANNER_GREEDY);
}

static dt_status by_direct(void *arg)
{
    return change_by(arg, DT_PLANNER_DIRECT);
}

/* What the change comes to, on memory in order. */
static dt_status by_collective(void *arg)
{
    const timed_change *of = arg;
    dt_group *group = dt_world_group(of->world);
    touch(of);
    const dt_array *input = dt_tensor_local(of->tensor);
    bool combines = of->from[0] == 'P', gathers = of->to[0] == 'R';
    if (combines && gathers)
        return dt_group_all_reduce(group, DT_SUM, input, of->output);
    if (combines)
        return dt_group_reduce_scatter(group, DT_SUM, input, NULL, of->output);
    if (gathers)
        return dt_group_all_gather(group, input, NULL, of->output);
    return dt_group_all_to_all(group, input, NULL, NULL, of->output);
}

static dt_status take_output(timed_change *of)
{
    dt_tensor *target = dt_redistribute(of->tensor, of->to);
    if (!target)
        return DT_ERR_INVALID;
    int64_t count = dt_array_count(dt_tensor_local(target));
    dt_tensor_release_early(target);
    DT_TRY(dt_array_create(of->world, DT_F32, DT_SHAPE(count), &of->output));
    return dt_array_fill(of->world, of->output, 1);
}

static dt_status time_bare(timed_change *of, double *seconds)
{
    const bench_turn turns[] = {{by_search, of}, {by_collective, of}};
    DT_TRY(take_output(of));
    return bench_time_turns(dt_world_group(of->world), turns, 2, seconds);
}

/* ---- Planners ----------------------------------------------------------- */

/* The planners, in the order of the times; the greedy one knows no orders. */
static const struct {
    dt_planner planner;
    dt_status (*call)(void *arg);
} planners[] = {{DT_PLANNER_SEARCH, by_search},
                {DT_PLANNER_GREEDY, by_greedy},
                {DT_PLANNER_DIRECT, by_direct}};
enum { PLANNERS = sizeof planners / sizeof *planners };

static bool applies(const timed_change *of, dt_planner planner)
{
    return planner != DT_PLANNER_GREEDY ||
           (!strchr(of->from, '[') && !strchr(of->to, '['));
}

static dt_status make_plans(const timed_change *of, dt_plan **plans)
{
    dt_spec *from = dt_tensor_spec(of->tensor), *to = NULL;
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    dt_status status = dt_spec_with_layout(from, of->to, &to);
    for (int i = 0; i < PLANNERS && status == DT_OK; i++) {
        options.planner = planners[i].planner;
        if (applies(of, planners[i].planner))
            status = dt_plan_create(from, to, &options, &plans[i]);
    }
    dt_spec_release(to);
    return status;
}

/* Tell which planner, up to this one, was the first with its steps. */
static int first_alike(dt_plan *const *plans, int index)
{
    for (int i = 0; i < index; i++)
        if (plans[i] && dt_plan_same_steps(plans[i], plans[index]))
            return i;
    return index;
}

/* Time plans that differ; equal ones take the same time. */
static dt_status time_plans(timed_change *of, dt_plan *const *plans,
                            double *seconds)
{
    bench_turn turns[PLANNERS];
    double times[PLANNERS];
    int place[PLANNERS] = {0}, count = 0;
    for (int i = 0; i < PLANNERS; i++) {
        if (!plans[i])
            continue;
        int first = first_alike(plans, i);
        place[i] = first < i ? place[first] : count;
        if (first == i)
            turns[count++] = (bench_turn){planners[i].call, of};
    }
    DT_TRY(bench_time_turns(dt_world_group(of->world), turns, count, times));
    for (int i = 0; i < PLANNERS; i++)
        seconds[i] = plans[i] ? times[place[i]] : 0;
    return DT_OK;
}

/* The worst of many ratios is the one that the machine disturbed most: those
 * that look bad are timed again, and the median counts. */
static dt_status time_planners(timed_change *of, double *seconds)
{
    enum { TRIES = 3 };
    dt_plan *plans[PLANNERS] = {NULL};
    double tries[PLANNERS][TRIES], all[PLANNERS] = {0};
    dt_status status = make_plans(of, plans);
    int tried = 0;
    for (bool bad = true; bad && tried < TRIES && status == DT_OK; tried++) {
        status = time_plans(of, plans, all);
        bad = (all[1] > 0 && all[0] > all[1]) || all[0] > all[2];
        for (int i = 0; i < PLANNERS; i++)
            tries[i][tried] = all[i];
    }
    for (int i = 0; i < PLANNERS; i++) {
        if (status == DT_OK)
            seconds[i] = bench_median(tries[i], (size_t)tried);
        dt_plan_release(plans[i]);
    }
    return status;
}

/* ---- The worker --------------------------------------------------------- */

static dt_status time_on(timed_change *of, double *seconds)
{
    int64_t side = llround(sqrt((double)(of->bytes / sizeof(float))));
    of->tensor = dt_ones(of->mesh, of->from, DT_F32, DT_SHAPE(side, side));
    if (!of->tensor)
        return dt_world_error(of->world)->code;
    if (of->against == BENCH_BARE)
        return time_bare(of, seconds);
    return time_planners(of, seconds);
}

static dt_status time_text(dt_world *world, const char *text)
{
    timed_change of = {.world = world};
    double seconds[3] = {0};
    if (!read_change(text, &of)) {
        fprintf(stderr, "there is no change \"%s\"\n", text);
        return DT_ERR_INVALID;
    }
    dt_scope *scope = dt_scope_open(world);
    dt_status status = dt_mesh_create(world, of.mesh_text, &of.mesh);
    if (status == DT_OK)
        status = time_on(&of, seconds);
    dt_array_release(of.output);
    dt_status closed = dt_scope_close(scope);
    dt_mesh_release(of.mesh);
    if (status == DT_OK && dt_world_rank(world) == 0)
        printf("%s = %.9g %.9g %.9g\n", text, seconds[0], seconds[1],
               seconds[2]);
    return status == DT_OK ? closed : status;
}

/* Runs on every rank; the argument is a list of texts that ends with NULL. */
static dt_status time_all(dt_world *world, void *arg)
{
    for (char **text = arg; *text; text++)
        DT_TRY(time_text(world, *text));
    return DT_OK;
}

int bench_changes_worker(int argc, char **argv)
{
    return dt_main(argc, argv, time_all, argv + 1);
}

/* ---- In the command ----------------------------------------------------- */

static void write_change(const bench_change *change, char *text)
{
    snprintf(text, TEXT_SIZE, "%s %s %s %zu %d", change->mesh, change->from,
             change->to, change->bytes, (int)change->against);
}

/* Changes that are being timed. */
typedef struct change_list {
    bench_change *changes;
    size_t count;
} change_list;

static void read_times(void *arg, char *line)
{
    const change_list *list = arg;
    char *sign = strstr(line, " = ");
    if (!sign)
        return;
    *sign = 0;
    for (size_t i = 0; i < list->count; i++) {
        bench_change *change = &list->changes[i];
        char text[TEXT_SIZE], *at = sign + 3;
        write_change(change, text);
        if (strcmp(text, line) != 0)
            continue;
        for (int j = 0; j < 3; j++) {
            double seconds = strtod(at, &at);
            if (seconds > 0)
                bench_samples_add(&change->times[j], seconds);
        }
    }
}

bool bench_changes_launch(const bench_ranks *ranks, bench_change *changes,
                          size_t count)
{
    change_list list = {.changes = changes, .count = count};
    const char **argv =
        malloc((BENCH_MAX_ARGUMENTS + count + 1) * sizeof *argv);
    char(*texts)[TEXT_SIZE] = malloc(count * sizeof *texts);
    bool well = argv && texts;
    size_t used = 0;
    if (well) {
        for (; ranks->argv[used]; used++)
            argv[used] = ranks->argv[used];
        for (size_t i = 0; i < count; i++) {
            write_change(&changes[i], texts[i]);
            argv[used++] = texts[i];
        }
        argv[used] = NULL;
        well = bench_peer_run(&(bench_peer){.argv = argv,
                                            .environment = ranks->environment,
                                            .limit = LIMIT,
                                            .line = read_times,
                                            .arg = &list});
    }
    free(texts);
    free(argv);
    return well;
}
