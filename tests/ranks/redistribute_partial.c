/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/redistribute_partial.c - partial values of every kind, combined
 * and made. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/redistribute_check.h"

#include <float.h>

static dt_layout parsed(dt_world *world, const char *text)
{
    dt_layout out;
    CHECK_OK(world, dt_layout_parse(world, text, &out));
    return out;
}

/* Let the sums of a layout be of another kind. */
static dt_layout with_op(dt_layout layout, dt_reduce op)
{
    for (int i = 0; i < layout.ndim; i++)
        if (dt_placement_is_partial(layout.placements[i]))
            layout.placements[i].op = op;
    return layout;
}

/* ---- Every kind --------------------------------------------------------- */

/* From a kind of partial value to all there is; of other kinds to itself and
 * one more, or to all with DT_TEST_FULL=1. */
static void check_kind(dt_mesh *mesh, dt_dtype dtype, dt_reduce op)
{
    static const char *const lines[] = {"R", "S(0)", "S(1)", "_S(0,2)", "P"};
    static const char *const grids[] = {"RR",    "S(0)R",    "S(1)S(0)",
                                        "PR",    "S(0)P",    "S(0)[1]S(0)[0]",
                                        "RS(1)", "_S(1,2)R", "PP"};
    bool grid = dt_mesh_ndim(mesh) == 2;
    int count = grid ? COUNT_OF(grids) : COUNT_OF(lines);
    dt_world *world = dt_mesh_world(mesh);
    for (int i = 0; i < count; i++)
        for (int other = 0; other < DT_REDUCE_COUNT; other++) {
            change of = {.mesh = mesh, .to_mesh = mesh, .dtype = dtype};
            of.to = parsed(world, grid ? grids[i] : lines[i]);
            bool near =
                other == (int)op || other == ((int)op + i) % DT_REDUCE_COUNT;
            if (!has_reduction((dt_reduce)other, dtype) ||
                (layout_is_partial(&of.to) ? !near && !wants_all()
                                           : other != DT_SUM))
                continue;
            of.from = with_op(parsed(world, grid ? "PP" : "P"), op);
            of.to = with_op(of.to, (dt_reduce)other);
            of.shape = other % 2 ? DT_SHAPE(5, 3) : DT_SHAPE(3, 7);
            of.form = (array_form)(i % FORM_COUNT);
            of.planner = (dt_planner)((i + other) % 2);
            of.salt = (uint64_t)(16 * i + other);
            check_change(&of);
        }
}

static void check_kinds(dt_mesh *mesh)
{
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++)
        for (int op = 0; op < DT_REDUCE_COUNT; op++)
            if (has_reduction((dt_reduce)op, (dt_dtype)dtype))
                check_kind(mesh, (dt_dtype)dtype, (dt_reduce)op);
    dt_mesh_release(mesh);
}

static void every_kind_along_a_line(dt_world *world)
{
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    check_kinds(mesh);
}

static void every_kind_on_a_grid(dt_world *world)
{
    dt_mesh *mesh = NULL;
    int size = dt_world_size(world);
    if (size < 4 || size % 2)
        return;
    CHECK_OK(world, dt_mesh_create(world, "a=2,b", &mesh));
    check_kinds(mesh);
}

/* Sums and averages of different dimensions, in all ways that they mix. */
static void sums_and_averages_mix(dt_world *world)
{
    static const char *const texts[] = {
        "PP(avg)", "P(avg)P",    "P(avg)P(avg)", "PP", "P(avg)R",
        "RP(avg)", "S(0)P(avg)", "S(0)S(1)",     "RR"};
    static const dt_dtype dtypes[] = {DT_F32, DT_BF16, DT_F64, DT_C64, DT_F16};
    dt_mesh *mesh = NULL;
    int size = dt_world_size(world);
    CHECK_OK(world, dt_mesh_create(world, size % 2 ? "a,b=1" : "a=2,b", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++)
            for (int planner = 0; planner < 3; planner++) {
                change of = {.mesh = mesh,
                             .from = parsed(world, texts[i]),
                             .to_mesh = mesh,
                             .to = parsed(world, texts[j]),
                             .dtype = dtypes[(i + j) % COUNT_OF(dtypes)],
                             .shape = DT_SHAPE(6, 5),
                             .planner = (dt_planner)planner,
                             .objective = (dt_objective)(i % 2),
                             .salt = i};
                check_change(&of);
            }
    dt_mesh_release(mesh);
}

/* Too large for a message on the board: slices, streams, tiles. */
static void large_ones(dt_world *world)
{
    static const char *const texts[] = {"R", "S(0)", "S(1)", "_S(1,3)"};
    static const dt_dtype dtypes[] = {DT_F32, DT_I64, DT_BF16, DT_U8, DT_C64};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(dtypes); j++) {
            change of = {.mesh = mesh,
                         .from = parsed(world, "P"),
                         .to_mesh = mesh,
                         .to = parsed(world, texts[i]),
                         .dtype = dtypes[j],
                         .shape = DT_SHAPE(67, 131),
                         .form = (array_form)(j % FORM_COUNT),
                         .asynchronous = i % 2,
                         .salt = j};
            check_change(&of);
        }
    dt_mesh_release(mesh);
}

/* ---- Bits --------------------------------------------------------------- */

/* Numbers whose bits are easily lost. */
static dt_array *odd_numbers(dt_world *world, dt_dtype dtype)
{
    static const double odd[] = {0.0,       -0.0,  1.0,     -1.0,    INFINITY,
                                 -INFINITY, 0.375, FLT_MIN, -FLT_MAX};
    enum { ODD = sizeof odd / sizeof *odd };
    dt_array *out = new_array(world, dtype, DT_SHAPE(ODD, ODD));
    for (int64_t i = 0; i < ODD * ODD; i++)
        write_bits(out, (int64_t[]){i / ODD, i % ODD},
                   bits_of_number(dtype, odd[i / ODD], odd[i % ODD]));
    return out;
}

/* Made partial and combined again, in several ways. */
static void values_made_partial_keep_their_bits(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16, DT_C64};
    static const char *const chains[][4] = {
        {"R", "P", "R", "S(0)"},       {"S(0)", "P", "S(1)", "R"},
        {"S(1)", "P", "R", "S(1)"},    {"R", "P(max)", "R", "S(0)"},
        {"S(0)", "P(min)", "P", "R"},  {"P", "P(max)", "P", "R"},
        {"_S(0,2)", "P", "S(0)", "R"},
    };
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < COUNT_OF(chains); i++)
        for (size_t j = 0; j < COUNT_OF(dtypes); j++) {
            bool ordered = chains[i][1][1] == '(' || chains[i][2][1] == '(';
            if (ordered && dtypes[j] == DT_C64 && chains[i][1][0] == 'P' &&
                strlen(chains[i][1]) > 1)
                continue; /* no largest one */
            dt_scope *scope = dt_scope_open(world);
            dt_array *odd = odd_numbers(world, dtypes[j]);
            dt_tensor *tensor =
                dt_distribute(mesh, chains[i][0], dtypes[j],
                              dt_array_shape(odd), odd, DT_EVERYWHERE);
            for (int k = 1; k < 4; k++)
                tensor = dt_redistribute(tensor, chains[i][k]);
            dt_layout last = parsed(world, chains[i][3]);
            bool good = check_tensor(tensor, &last, odd, false);
            CHECKF(good, "%s %s %s %s of %s", chains[i][0], chains[i][1],
                   chains[i][2], chains[i][3], dt_dtype_name(dtypes[j]));
            dt_array_release(odd);
            CHECK_OK(world, dt_scope_close(scope));
        }
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"every kind along a line", every_kind_along_a_line},
    {"every kind on a grid", every_kind_on_a_grid},
    {"sums and averages mix", sums_and_averages_mix},
    {"large ones", large_ones},
    {"values made partial keep their bits",
     values_made_partial_keep_their_bits},
    {NULL, NULL},
};
