/* tests/unit/redistribute/figures.c - bytes of plans, in numbers known
 * beforehand. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/redistribute/planning.h"

/* How much more than the least is received, over pairs of layouts. */
typedef struct ratios {
    int pairs;
    double geomean;
    double most;
} ratios;

static ratios compare_with_least(const spec_list *all,
                                 const dt_plan_options *options)
{
    ratios out = {0, 0, 0};
    for (int i = 0; i < all->count; i++)
        for (int j = 0; j < all->count; j++) {
            dt_plan *plan = plan_with(all->specs[i], all->specs[j], options);
            if (plan && dt_plan_lower_bound(plan) > 0) {
                double ratio = (double)dt_plan_bytes(plan) /
                               (double)dt_plan_lower_bound(plan);
                out.pairs++;
                out.geomean += log(ratio);
                out.most = fmax(out.most, ratio);
            }
            dt_plan_release(plan);
        }
    out.geomean = exp(out.geomean / out.pairs);
    return out;
}

/* All replicas and shards of 256x256x256 on 2x4x8: what PyTorch's plans move is
 * known from a simulation of its planner. */
static void pairs_on_a_large_grid(dt_world *world)
{
    static spec_list all;
    grid on = open_grid(64, 0, "x=2,y=4,z=8");
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(256, 256, 256));
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    list_specs(&all, on.mesh, &meta, 0);
    CHECK_INT(all.count, 64);
    options.objective = DT_OBJECTIVE_BYTES;
    ratios least = compare_with_least(&all, &options);
    CHECK_INT(least.pairs, 3810);
    CHECKF(least.geomean <= 1.000001 && least.most <= 1.000001,
           "geomean %.4f, most %.4f", least.geomean, least.most);
    options.planner = DT_PLANNER_GREEDY;
    ratios greedy = compare_with_least(&all, &options);
    CHECKF(greedy.geomean > 6.0 && greedy.geomean < 6.2, "geomean %.4f",
           greedy.geomean);
    CHECKF(greedy.most > 63 && greedy.most < 65, "most %.4f", greedy.most);
    release_specs(&all);
    close_grid(&on);
}

/* Other figures of the same simulation. */
static void pairs_on_small_grids(dt_world *world)
{
    static const struct {
        const char *mesh;
        int ranks;
        int pairs;
        double greedy;
    } cases[] = {
        {"x=4,y=4", 16, 210, 2.14},
        {"x=2,y=8", 16, 210, 2.34},
        {"x=2,y=2,z=2", 8, 3810, 2.01},
    };
    static spec_list all;
    (void)world;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        grid on = open_grid(cases[i].ranks, 0, cases[i].mesh);
        dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(64, 64, 64));
        dt_plan_options options = DT_PLAN_OPTIONS_INIT;
        list_specs(&all, on.mesh, &meta, 0);
        options.objective = DT_OBJECTIVE_BYTES;
        ratios least = compare_with_least(&all, &options);
        CHECK_INT(least.pairs, cases[i].pairs);
        CHECKF(least.most <= 1.000001, "most %.4f", least.most);
        options.planner = DT_PLANNER_GREEDY;
        ratios greedy = compare_with_least(&all, &options);
        CHECKF(fabs(greedy.geomean - cases[i].greedy) < 0.01,
               "%s: geomean %.4f", cases[i].mesh, greedy.geomean);
        release_specs(&all);
        close_grid(&on);
    }
}

static void check_bytes(dt_mesh *mesh, const char *from, const char *to,
                        dt_shape shape, dt_planner planner, int64_t elements)
{
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    options.objective = DT_OBJECTIVE_BYTES;
    options.planner = planner;
    dt_plan *plan = plan_between(mesh, from, to, shape, &options);
    if (plan)
        CHECK_INT(dt_plan_bytes(plan), 4 * elements);
    dt_plan_release(plan);
}

/* openxla/xla #15207: 16x16x16 on 4x2, (y, -, x) to (-, (x, y), -).  A full
 * copy on every rank would be 3,584 elements, two all-to-alls 640. */
static void xla_15207(dt_world *world)
{
    grid on = open_grid(8, 0, "x=4,y=2");
    dt_shape shape = DT_SHAPE(16, 16, 16);
    (void)world;
    check_bytes(on.mesh, "S(2)S(0)", "S(1)S(1)", shape, DT_PLANNER_GREEDY,
                1280);
    check_bytes(on.mesh, "S(2)S(0)", "S(1)S(1)", shape, DT_PLANNER_SEARCH, 448);
    check_bytes(on.mesh, "S(2)S(0)", "S(1)S(1)", shape, DT_PLANNER_DIRECT, 448);
    close_grid(&on);
}

/* Grid transpose: no sequence of gathers and exchanges comes near. */
static void grid_transpose(dt_world *world)
{
    grid on = open_grid(128, 0, "x=16,y=8");
    dt_shape shape = DT_SHAPE(1024, 1024);
    (void)world;
    check_bytes(on.mesh, "S(0)S(1)", "S(1)S(0)", shape, DT_PLANNER_GREEDY,
                118784);
    check_bytes(on.mesh, "S(0)S(1)", "S(1)S(0)", shape, DT_PLANNER_SEARCH,
                8192);
    close_grid(&on);
}

/* Only ratios are known of larger worlds: ranks are looked at in samples. */
static void large_worlds_are_planned(dt_world *world)
{
    grid on = open_grid(100000, 0, "pp=10,dp=100,tp=100");
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    dt_plan *plan = plan_between(on.mesh, "RS(0)S(1)", "RS(1)S(0)",
                                 DT_SHAPE(20000, 20000), &options);
    if (plan) {
        CHECK_INT(dt_plan_bytes(plan), dt_plan_lower_bound(plan));
        CHECK_INT(dt_plan_step_at(plan, 0)->group_size, 10000);
    }
    dt_plan_release(plan);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"pairs on a large grid", pairs_on_a_large_grid},
    {"pairs on small grids", pairs_on_small_grids},
    {"xla #15207", xla_15207},
    {"grid transpose", grid_transpose},
    {"large worlds are planned", large_worlds_are_planned},
    {NULL, NULL},
};
