/* tests/unit/redistribute/bound.c - lower bounds and peaks, counted one element
 * at a time. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/redistribute/planning.h"

/* ---- By brute force ----------------------------------------------------- */

/* The elements that a rank has, as many marks as the tensor has elements. */
static void mark(const dt_spec *spec, int rank, char *marks)
{
    const dt_mesh *mesh = dt_spec_mesh(spec);
    dt_shape shape = dt_spec_shape(spec);
    int sizes[DT_MAX_NDIM], coordinate[DT_MAX_NDIM];
    int64_t count = dt_shape_count(shape);
    list has[3];
    for (int i = 0; i < dt_mesh_ndim(mesh); i++)
        sizes[i] = dt_mesh_dim_size(mesh, i);
    oracle_coordinate(sizes, dt_mesh_ndim(mesh), rank, coordinate);
    for (int i = 0; i < shape.ndim; i++)
        has[i] = oracle_indexes(dt_spec_layout(spec), sizes, coordinate, i,
                                (int)shape.dims[i]);
    for (int64_t at = 0; at < count; at++) {
        int64_t rest = at;
        marks[at] = 1;
        for (int i = shape.ndim - 1; i >= 0; i--, rest /= shape.dims[i + 1])
            marks[at] &= (char)list_has(&has[i], (int)(rest % shape.dims[i]));
    }
}

/* The elements that the rank which lacks most lacks. */
static int64_t most_lacked(const dt_spec *from, const dt_spec *to)
{
    int64_t most = 0, count = dt_spec_count(from);
    char *has = malloc((size_t)count + 1), *wants = malloc((size_t)count + 1);
    for (int rank = 0; rank < dt_mesh_size(dt_spec_mesh(from)); rank++) {
        int64_t lacked = 0;
        mark(from, rank, has);
        mark(to, rank, wants);
        for (int64_t i = 0; i < count; i++)
            lacked += wants[i] && !has[i];
        most = lacked > most ? lacked : most;
    }
    free(has);
    free(wants);
    return most;
}

/* ---- Bounds ------------------------------------------------------------- */

static void check_bounds(const char *mesh, int ranks, dt_shape shape)
{
    static spec_list all;
    grid on = open_grid(ranks, 0, mesh);
    dt_meta meta = dt_meta_of(DT_I16, shape);
    list_specs(&all, on.mesh, &meta, LIST_ORDERS);
    const dt_placement strided[] = {dt_strided_shard(0, 2), dt_shard(1),
                                    dt_replicate()};
    dt_layout layout = dt_layout_of(strided, dt_mesh_ndim(on.mesh));
    add_spec(&all, on.mesh, &layout, &meta);
    for (int i = 0; i < all.count; i++)
        for (int j = 0; j < all.count; j++) {
            dt_plan *plan = plan_with(all.specs[i], all.specs[j], NULL);
            int64_t lacked = most_lacked(all.specs[i], all.specs[j]);
            if (plan)
                show_plan(plan, dt_plan_lower_bound(plan) == 2 * lacked &&
                                    dt_plan_bytes(plan) >= 2 * lacked);
            dt_plan_release(plan);
        }
    release_specs(&all);
    close_grid(&on);
}

static void what_some_rank_lacks(dt_world *world)
{
    (void)world;
    check_bounds("x=3", 3, DT_SHAPE(5, 2));
    check_bounds("x=2,y=2", 4, DT_SHAPE(5, 3));
    check_bounds("x=2,y=3", 6, DT_SHAPE(6, 4, 3));
    check_bounds("x=3,y=2", 6, DT_SHAPE(1, 7));
    check_bounds("x=2,y=2,z=2", 8, DT_SHAPE(3, 9));
    check_bounds("x=2,y=2", 4, DT_SHAPE(0, 3));
}

static void check_bound(dt_mesh *mesh, const char *from, const char *to,
                        dt_shape shape, int64_t elements)
{
    dt_plan *plan = plan_between(mesh, from, to, shape, NULL);
    if (plan)
        show_plan(plan, dt_plan_lower_bound(plan) == 4 * elements);
    dt_plan_release(plan);
}

/*
 * A value of p addends takes p - 1 receipts to come about and one more for each
 * further rank that has it: on average over ranks, some has that many.  And a
 * rank receives something for each element that it keeps.
 */
static void what_combining_takes(dt_world *world)
{
    grid line = open_grid(4, 0, "x=4"), square = open_grid(4, 0, "x=2,y=2");
    (void)world;
    check_bound(line.mesh, "P", "R", DT_SHAPE(8), 12);
    check_bound(line.mesh, "P", "S(0)", DT_SHAPE(8), 6);
    check_bound(line.mesh, "P", "S(0)", DT_SHAPE(5), 3);
    check_bound(line.mesh, "P", "S(0)", DT_SHAPE(1), 1);
    check_bound(square.mesh, "PP", "RR", DT_SHAPE(8), 12);
    check_bound(square.mesh, "PR", "S(0)S(0)", DT_SHAPE(8), 2);
    check_bound(square.mesh, "PP", "RP", DT_SHAPE(8), 8);
    check_bound(square.mesh, "P(max)R", "RR", DT_SHAPE(8), 8);
    /* Nothing has to move to become partial. */
    check_bound(line.mesh, "S(0)", "P", DT_SHAPE(8), 0);
    check_bound(square.mesh, "S(0)P", "PR", DT_SHAPE(8), 0);
    close_grid(&line);
    close_grid(&square);
}

static void plans_are_not_below_bounds(dt_world *world)
{
    static spec_list all;
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    grid on = open_grid(6, 0, "x=2,y=3");
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(7, 4));
    (void)world;
    for (int kinds = LIST_SUMS; kinds <= LIST_MAXIMA; kinds *= 2)
        for (int planner = 0; planner < 3; planner++) {
            list_specs(&all, on.mesh, &meta, kinds);
            options.planner = (dt_planner)planner;
            options.objective = DT_OBJECTIVE_BYTES;
            for (int i = 0; i < all.count * all.count; i++) {
                dt_plan *plan = plan_with(all.specs[i / all.count],
                                          all.specs[i % all.count], &options);
                if (plan)
                    show_plan(plan,
                              dt_plan_bytes(plan) >= dt_plan_lower_bound(plan));
                dt_plan_release(plan);
            }
            release_specs(&all);
        }
    close_grid(&on);
}

/* ---- Peaks -------------------------------------------------------------- */

/* The elements of the rank that has most. */
static int64_t most_held(const dt_spec *spec)
{
    int64_t most = 0;
    for (int rank = 0; rank < dt_mesh_size(dt_spec_mesh(spec)); rank++) {
        int64_t held = dt_shape_count(dt_spec_local_shape(spec, rank));
        most = held > most ? held : most;
    }
    return most;
}

/* Beside source and target a plan takes as much as the larger of the two, or
 * what it is allowed. */
static void stays_within_memory(dt_world *world)
{
    static spec_list all;
    static const size_t caps[] = {0, 64, 256, 4096};
    grid on = open_grid(8, 0, "x=2,y=2,z=2");
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(16, 16));
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    list_specs(&all, on.mesh, &meta, LIST_ORDERS);
    for (int i = 0; i < all.count * all.count; i++) {
        dt_spec *from = all.specs[i / all.count],
                *to = all.specs[i % all.count];
        int64_t a = 4 * most_held(from), b = 4 * most_held(to);
        options.memory_cap = caps[i % 4];
        options.objective = (dt_objective)(i / 4 % 2);
        options.transport = i / 8 % 2 ? "mpi" : "shm";
        int64_t beside = caps[i % 4] ? (int64_t)caps[i % 4] : a > b ? a : b;
        dt_plan *plan = plan_with(from, to, &options);
        if (plan)
            show_plan(plan, dt_plan_peak(plan) <= a + b + beside);
        dt_plan_release(plan);
    }
    release_specs(&all);
    close_grid(&on);
}

/* With partial values there may be no way within a cap; where there is one it
 * keeps to it. */
static void partial_values_stay_within_memory(dt_world *world)
{
    static spec_list all;
    static const size_t caps[] = {0, 128, 1024};
    grid on = open_grid(6, 0, "x=2,y=3");
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(12, 12));
    dt_plan_options options = DT_PLAN_OPTIONS_INIT;
    (void)world;
    list_specs(&all, on.mesh, &meta, LIST_ORDERS | LIST_SUMS);
    for (int i = 0; i < all.count * all.count; i++) {
        dt_spec *from = all.specs[i / all.count],
                *to = all.specs[i % all.count];
        int64_t a = 4 * most_held(from), b = 4 * most_held(to);
        dt_plan *plan = NULL;
        options.memory_cap = caps[i % 3];
        options.objective = (dt_objective)(i / 3 % 2);
        int64_t beside = caps[i % 3] ? (int64_t)caps[i % 3] : a > b ? a : b;
        dt_status status = dt_plan_create(from, to, &options, &plan);
        CHECK(status == DT_OK ||
              (status == DT_ERR_UNSUPPORTED && options.memory_cap));
        if (plan)
            show_plan(plan, dt_plan_peak(plan) <= a + b + beside);
        dt_plan_release(plan);
    }
    release_specs(&all);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"what some rank lacks", what_some_rank_lacks},
    {"what combining takes", what_combining_takes},
    {"plans are not below bounds", plans_are_not_below_bounds},
    {"stays within memory", stays_within_memory},
    {"partial values stay within memory", partial_values_stay_within_memory},
    {NULL, NULL},
};
