/* ranks: 1 2 3 4 6 7 8 */
/* tests/ranks/redistribute_pairs.c - from every layout to every other. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

/*
 * Every pair of layouts is tried, with a shape, dtype, planner and objective
 * that follow from a seed; DT_TEST_FULL=1 tries every planner with some shapes.
 */

static const dt_dtype dtypes[] = {DT_F32, DT_I64, DT_BF16, DT_BOOL, DT_U8,
                                  DT_F64, DT_C64, DT_F16,  DT_I8,   DT_I32};

enum { SHAPES = 7 };

/* Shapes of a number of dimensions: even, uneven, less than the ranks, with 1,
 * too large for a message on the board, empty. */
static dt_shape shape_of(int ndim, int which)
{
    static const int64_t extents[][3] = {
        {4, 8, 4},  {5, 3, 7},   {1, 6, 2}, {2, 1, 5},
        {3, 12, 1}, {37, 41, 5}, {7, 5, 0},
    };
    dt_shape out = {.ndim = ndim};
    for (int i = 0; i < ndim; i++)
        out.dims[i] = extents[which][i];
    /* Most are not empty, and the last one is. */
    if (ndim > 0 && which == SHAPES - 1)
        out.dims[ndim - 1] = 0;
    return out;
}

static change draw_change(const layout_list *among, int from, int to,
                          dt_mesh *mesh, int ndim, unsigned long long *state)
{
    change of = {.mesh = mesh, .to_mesh = mesh, .shape = {.ndim = ndim}};
    int shape = below(state, 4 * SHAPES);
    of.dtype = dtypes[below(state, COUNT_OF(dtypes))];
    of.shape = shape_of(ndim, shape < SHAPES ? shape : shape % 2);
    of.from = among->layouts[from];
    of.to = among->layouts[to];
    draw_reduction(&of.from, of.dtype, state);
    draw_reduction(&of.to, of.dtype, state);
    of.form = (array_form)below(state, FORM_COUNT);
    of.planner = (dt_planner)below(state, 3);
    of.objective = (dt_objective)below(state, 2);
    of.asynchronous = below(state, 4) == 0;
    of.salt = dt_test_random(state) >> 1;
    return of;
}

static void check_full(change of)
{
    for (int shape = (int)(of.salt % 3); shape < SHAPES; shape += 3)
        for (int planner = 0; planner < 3; planner++) {
            of.shape = shape_of(of.shape.ndim, shape);
            of.planner = (dt_planner)planner;
            of.objective = (dt_objective)((shape + planner) % 2);
            check_change(&of);
        }
}

/* Every pair; or as many as `most` at random, if there are more. */
static void check_pairs(dt_mesh *mesh, int ndim, int kinds, int most)
{
    static _Thread_local layout_list all_of;
    unsigned long long state = dt_test_seed() + (unsigned)ndim;
    list_all_layouts(mesh, ndim, kinds, &all_of);
    int pairs = all_of.count * all_of.count;
    bool all = pairs <= most;
    most *= wants_all() ? 10 : 1;
    for (int i = 0; i < (all ? pairs : most); i++) {
        int pair = all ? i : below(&state, pairs);
        change of = draw_change(&all_of, pair / all_of.count,
                                pair % all_of.count, mesh, ndim, &state);
        check_change(&of);
        if (wants_all() && all)
            check_full(of);
    }
}

static void check_mesh(dt_world *world, const char *text, int most)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, text, &mesh));
    for (int ndim = 0; mesh && ndim <= 3; ndim++)
        check_pairs(mesh, ndim, DRAW_PARTIAL | DRAW_STRIDED, most);
    dt_mesh_release(mesh);
}

static void along_a_line(dt_world *world)
{
    check_mesh(world, "x", 1000);
}

/* 2x2 of four ranks and 2x3 of six: all pairs.  On 2x2x2, some. */
static void on_a_grid(dt_world *world)
{
    int size = dt_world_size(world);
    if (size == 4)
        check_mesh(world, "a=2,b=2", 1600);
    else if (size == 6)
        check_mesh(world, "a=2,b=3", 1600);
    else if (size == 8)
        check_mesh(world, "a=2,b=2,c=2", 500);
}

/* Dimensions of one rank are in nobody's way. */
static void with_dimensions_of_one_rank(dt_world *world)
{
    check_mesh(world, "a=1,b,c=1", 60);
}

/* Ranks in another order, one of them outside. */
static void on_part_of_the_world(dt_world *world)
{
    mesh_list grids = make_meshes(world);
    for (int i = 2; i < grids.count; i++)
        for (int ndim = 1; ndim <= 3; ndim++)
            check_pairs(grids.meshes[i], ndim, DRAW_PARTIAL | DRAW_STRIDED, 40);
    release_meshes(&grids);
}

/* ---- What was somebody's bug -------------------------------------------- */

static void check_named(dt_world *world, const char *mesh_text,
                        const char *from, const char *to, dt_shape shape)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, mesh_text, &mesh));
    for (int planner = 0; planner < 3; planner++) {
        change of = {.mesh = mesh,
                     .to_mesh = mesh,
                     .dtype = DT_F32,
                     .shape = shape,
                     .planner = (dt_planner)planner};
        CHECK_OK(world, dt_layout_parse(world, from, &of.from));
        CHECK_OK(world, dt_layout_parse(world, to, &of.to));
        check_change(&of);
    }
    dt_mesh_release(mesh);
}

/* Merged gathers of nested cuts that do not divide lost a row. */
static void pytorch_194457_a_row_is_not_lost(dt_world *world)
{
    if (dt_world_size(world) == 4)
        check_named(world, "a=2,b=2", "S(0)S(0)", "RR", DT_SHAPE(5, 3));
    if (dt_world_size(world) == 6)
        check_named(world, "a=2,b=3", "S(0)S(0)", "RR", DT_SHAPE(7, 3));
}

/* Ranks of a strided shard have 0, 1, 3 and 2, 4 of five elements. */
static void pytorch_168134_five_elements_in_strides(dt_world *world)
{
    if (dt_world_size(world) == 2) {
        check_named(world, "x", "_S(0,2)", "R", DT_SHAPE(5));
        check_named(world, "x", "S(0)", "_S(0,2)", DT_SHAPE(5));
    }
    if (dt_world_size(world) == 4)
        check_named(world, "a=2,b=2", "_S(0,2)S(0)", "RR", DT_SHAPE(5));
}

/* OneFlow took this for a slice, which is free. */
static void oneflow_a_cut_below_another(dt_world *world)
{
    if (dt_world_size(world) == 4)
        check_named(world, "a=2,b=2", "RS(0)", "S(0)S(0)", DT_SHAPE(8, 3));
}

const dt_test dt_tests[] = {
    {"along a line", along_a_line},
    {"on a grid", on_a_grid},
    {"with dimensions of one rank", with_dimensions_of_one_rank},
    {"on part of the world", on_part_of_the_world},
    {"pytorch#194457: a row is not lost", pytorch_194457_a_row_is_not_lost},
    {"pytorch#168134: five elements in strides",
     pytorch_168134_five_elements_in_strides},
    {"OneFlow: a cut below another", oneflow_a_cut_below_another},
    {NULL, NULL},
};
