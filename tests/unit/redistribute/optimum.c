/* tests/unit/redistribute/optimum.c - no sequence of steps is better. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/redistribute/planning.h"

/*
 * The search is compared with the best way through a graph that has every
 * layout and every order, and an edge between any two that one step connects:
 * many more edges than the search looks at.
 */

/* One question. */
typedef struct question {
    const char *mesh;
    int ranks;
    dt_shape shape;
    int kinds;
    dt_objective objective;
    const char *transport;
    double tolerance; /* by which a plan may be worse than the best one */
} question;

/* Weights between any two of `n` layouts. */
typedef struct graph {
    int n;
    double *weights;
} graph;

static graph make_graph(int n)
{
    graph made = {n, malloc((size_t)(n * n) * sizeof *made.weights)};
    CHECK(made.weights);
    return made;
}

/* What every pair costs with a planner. */
static graph price_pairs(const spec_list *all, const dt_plan_options *options)
{
    graph made = make_graph(all->count);
    for (int i = 0; i < made.n; i++)
        for (int j = 0; j < made.n; j++) {
            dt_plan *plan = plan_with(all->specs[i], all->specs[j], options);
            made.weights[i * made.n + j] =
                plan ? worth_of(plan, options->objective) : INFINITY;
            dt_plan_release(plan);
        }
    return made;
}

/* Floyd and Warshall: the best way between any two. */
static void close_graph(graph *of)
{
    int n = of->n;
    double *w = of->weights;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                w[i * n + j] = fmin(w[i * n + j], w[i * n + k] + w[k * n + j]);
}

static void compare(const spec_list *all, const graph *found, const graph *best,
                    const question *q, const dt_plan_options *options)
{
    int n = found->n;
    for (int i = 0; i < n * n; i++) {
        double limit = best->weights[i] * (1 + q->tolerance) + 1e-15;
        if (found->weights[i] <= limit)
            continue;
        dt_plan *plan =
            plan_with(all->specs[i / n], all->specs[i % n], options);
        CHECKF(false, "%g, but %g can be had", found->weights[i],
               best->weights[i]);
        show_plan(plan, false);
        dt_plan_release(plan);
    }
}

static void check_question(const question *q)
{
    static spec_list all;
    grid on = open_grid(q->ranks, 0, q->mesh);
    dt_meta meta = dt_meta_of(DT_F32, q->shape);
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    list_specs(&all, on.mesh, &meta, q->kinds);
    options.objective = q->objective;
    options.transport = q->transport;
    options.memory_cap = (size_t)1 << 40;
    graph found = price_pairs(&all, &options);
    options.planner = DT_PLANNER_DIRECT;
    graph best = price_pairs(&all, &options);
    close_graph(&best);
    options.planner = DT_PLANNER_SEARCH;
    compare(&all, &found, &best, q, &options);
    free(found.weights);
    free(best.weights);
    release_specs(&all);
    close_grid(&on);
}

static const struct {
    const char *mesh;
    int ranks;
    dt_shape shape;
    int kinds;
} cases[] = {
    {"x=4", 4, {2, {64, 64}}, LIST_ORDERS | LIST_SUMS},
    {"x=2,y=2", 4, {2, {1024, 1024}}, LIST_ORDERS | LIST_SUMS},
    {"x=2,y=3", 6, {2, {1024, 1024}}, LIST_ORDERS | LIST_SUMS},
    {"x=2,y=3", 6, {2, {5, 7}}, LIST_ORDERS | LIST_MAXIMA},
    {"x=2,y=4", 8, {3, {64, 64, 64}}, LIST_ORDERS | LIST_SUMS},
    {"x=4,y=2", 8, {3, {4, 8, 5}}, LIST_ORDERS | LIST_MAXIMA},
};

static void fewest_bytes(dt_world *world)
{
    (void)world;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_question(&(question){cases[i].mesh, cases[i].ranks,
                                   cases[i].shape, cases[i].kinds,
                                   DT_OBJECTIVE_BYTES, "shm", 0});
    check_question(&(question){"x=2,y=2,z=2", 8, DT_SHAPE(64, 64), LIST_ORDERS,
                               DT_OBJECTIVE_BYTES, "shm", 0});
}

static void least_time(dt_world *world)
{
    static const char *const transports[] = {"shm", "mpi"};
    (void)world;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int j = 0; j < 2; j++)
            check_question(&(question){cases[i].mesh, cases[i].ranks,
                                       cases[i].shape, cases[i].kinds,
                                       DT_OBJECTIVE_TIME, transports[j], 1e-9});
}

/* With three dimensions the search does not turn cuts that come before others
 * into any order; that could save messages, seldom and not much. */
static void least_time_but_little(dt_world *world)
{
    (void)world;
    question q = {
        "x=2,y=2,z=2", 8,   DT_SHAPE(64, 64), LIST_ORDERS, DT_OBJECTIVE_TIME,
        "shm",         1e-9};
    check_question(&q);
    q.transport = "mpi";
    q.tolerance = 0.025;
    check_question(&q);
    q.shape = DT_SHAPE(1024, 1024);
    check_question(&q);
}

/* 34: no way by a third layout costs less than the plan.  Values that become
 * sums are left out: they may stay anywhere, and could sometimes move less. */
static void behaviour_34_triangle_inequality(dt_world *world)
{
    static spec_list all;
    (void)world;
    for (int objective = 0; objective < 2; objective++) {
        grid on = open_grid(6, 0, "x=2,y=3");
        dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(16, 8, 4));
        dt_plan_options options = DT_PLAN_OPTIONS_INIT;
        list_specs(&all, on.mesh, &meta, LIST_ORDERS | LIST_MAXIMA);
        options.objective = (dt_objective)objective;
        options.memory_cap = (size_t)1 << 40;
        graph found = price_pairs(&all, &options), best = make_graph(found.n);
        memcpy(best.weights, found.weights,
               (size_t)(found.n * found.n) * sizeof *found.weights);
        close_graph(&best);
        compare(&all, &found, &best, &(question){.tolerance = 1e-9}, &options);
        free(found.weights);
        free(best.weights);
        release_specs(&all);
        close_grid(&on);
    }
}

/* What is cheapest from somewhere on the way is the rest of the plan: costs
 * never go down along it, and every rest is as good as a plan of its own. */
static void rests_are_plans(dt_world *world)
{
    static spec_list all;
    grid on = open_grid(8, 0, "x=2,y=2,z=2");
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(9, 8));
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    options.memory_cap = (size_t)1 << 40;
    list_specs(&all, on.mesh, &meta, LIST_SUMS);
    for (int i = 0; i < all.count; i++)
        for (int j = i % 3; j < all.count; j += 3) {
            dt_plan *plan = plan_with(all.specs[i], all.specs[j], &options);
            double left = plan ? dt_plan_seconds(plan) : 0;
            for (int k = 0; plan && k < dt_plan_steps(plan); k++) {
                const dt_plan_step *step = dt_plan_step_at(plan, k);
                dt_spec *here = NULL;
                CHECK(step->seconds >= 0 && step->bytes >= 0);
                CHECK_OK(on.world,
                         dt_spec_create_with(on.mesh, &step->to, &meta, &here));
                dt_plan *rest = plan_with(here, all.specs[j], &options);
                left -= step->seconds;
                if (rest)
                    show_plan(plan, left <= dt_plan_seconds(rest) + 1e-12);
                dt_plan_release(rest);
                dt_spec_release(here);
            }
            dt_plan_release(plan);
        }
    release_specs(&all);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"fewest bytes", fewest_bytes},
    {"least time", least_time},
    {"least time but little", least_time_but_little},
    {"4.2.34: triangle inequality", behaviour_34_triangle_inequality},
    {"rests are plans", rests_are_plans},
    {NULL, NULL},
};
