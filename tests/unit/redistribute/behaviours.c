/* tests/unit/redistribute/behaviours.c - what PyTorch's tests say of
 * redistribution. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>
#include <dtensor/redistribute.h>
#include <dtensor/trace.h>

#include "unit/redistribute/planning.h"

/*
 * The numbers in the names of tests are those of the list of behaviours of
 * PyTorch DTensor, section 4.2, that this library was written to; "upstream"
 * is PyTorch.  Calls are counted as they are made, on simulated ranks; that
 * real ranks make the same ones, with the right values, is the business of
 * tests/ranks.  38, 40 and 42 are in ranks/redistribute_options.c, 34 is in
 * optimum.c; 41 is about gradients.
 */

/* Calls of each kind. */
typedef struct calls {
    int all_gather;
    int all_reduce;
    int reduce_scatter;
    int all_to_all;
} calls;

static const calls none = {0, 0, 0, 0};
static const calls one_gather = {1, 0, 0, 0};
static const calls one_reduce = {0, 1, 0, 0};
static const calls one_scatter = {0, 0, 1, 0};
static const calls one_exchange = {0, 0, 0, 1};

static int count(const dt_world *world, dt_collective kind)
{
    return (int)dt_trace_count(world, kind).calls;
}

/* Redistribute on a mesh of twos (or the one given) and compare the calls; the
 * tensor that comes out is the scope's. */
static dt_tensor *check_on(grid *on, const char *from, const char *to,
                           dt_shape shape, calls wanted)
{
    dt_tensor *tensor = dt_empty(on->mesh, from, DT_F32, shape);
    dt_trace_clear(on->world);
    dt_tensor *out = dt_redistribute(tensor, to);
    CHECKF(out, "%s", dt_world_error(on->world)->message);
    calls made = {
        count(on->world, DT_ALL_GATHER), count(on->world, DT_ALL_REDUCE),
        count(on->world, DT_REDUCE_SCATTER), count(on->world, DT_ALL_TO_ALL)};
    CHECKF(memcmp(&made, &wanted, sizeof made) == 0,
           "%s -> %s: %d all-gathers, %d all-reduces, %d reduce-scatters, %d "
           "all-to-alls",
           from, to, made.all_gather, made.all_reduce, made.reduce_scatter,
           made.all_to_all);
    return out;
}

static void check_calls(int mesh_ndim, const char *from, const char *to,
                        dt_shape shape, calls wanted)
{
    static const char *const meshes[] = {"x=2", "x=2,y=2", "x=2,y=2,z=2"};
    grid on = open_grid(1 << mesh_ndim, 0, meshes[mesh_ndim - 1]);
    check_on(&on, from, to, shape, wanted);
    close_grid(&on);
}

/* ---- One mesh dimension ------------------------------------------------- */

/* Of nothing, nothing is gathered. */
static void behaviour_21_shards_become_replicas(dt_world *world)
{
    (void)world;
    for (int size = 0; size < 14; size++)
        for (int dim = 0; dim < 2; dim++) {
            grid on = open_grid(4, 3, "x");
            dt_shape shape = DT_SHAPE(dim ? 3 : size, dim ? size : 3);
            dt_tensor *out = check_on(&on, dim ? "S(1)" : "S(0)", "R", shape,
                                      size ? one_gather : none);
            if (out)
                CHECK(dt_shape_equal(dt_array_shape(dt_tensor_local(out)),
                                     shape));
            close_grid(&on);
        }
}

static void behaviour_22_replicas_become_shards(dt_world *world)
{
    (void)world;
    for (int size = 0; size < 14; size++)
        for (int rank = 0; rank < 4; rank++) {
            grid on = open_grid(4, rank, "x");
            dt_tensor *out =
                check_on(&on, "R", "S(0)", DT_SHAPE(size, 3), none);
            int block = (size + 3) / 4, left = size - rank * block;
            int rows = left < 0 ? 0 : left < block ? left : block;
            if (out)
                CHECK_INT(dt_array_extent(dt_tensor_local(out), 0), rows);
            close_grid(&on);
        }
}

/* One all-reduce, however large. */
static void behaviour_23_partial_values_become_replicas(dt_world *world)
{
    static const char *const kinds[] = {"P", "P(avg)", "P(max)", "P(product)"};
    static const char *const transports[] = {"shm", "mpi"};
    (void)world;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        check_calls(1, kinds[i], "R", DT_SHAPE(5, 3), one_reduce);
    for (int size = 1; size <= 4096; size *= 16)
        for (int i = 0; i < 2; i++) {
            grid on = open_grid(4, 0, "x");
            dt_plan_options options = DT_PLAN_OPTIONS_INIT;
            options.transport = transports[i];
            dt_plan *plan =
                plan_between(on.mesh, "P", "R", DT_SHAPE(size, size), &options);
            if (plan)
                show_plan(plan, dt_plan_steps(plan) == 1);
            dt_plan_release(plan);
            close_grid(&on);
        }
}

/* A single row that goes to one rank may be combined on all of them: by bytes
 * that is less. */
static void behaviour_24_partial_values_become_shards(dt_world *world)
{
    (void)world;
    for (int size = 0; size < 14; size += size == 0 ? 2 : 1)
        for (int rank = 0; rank < 4; rank++) {
            grid on = open_grid(4, rank, "x");
            dt_tensor *out =
                check_on(&on, "P", "S(0)", DT_SHAPE(size, 3), one_scatter);
            int block = (size + 3) / 4, left = size - rank * block;
            int rows = left < 0 ? 0 : left < block ? left : block;
            if (out)
                CHECK_INT(dt_array_extent(dt_tensor_local(out), 0), rows);
            close_grid(&on);
        }
    grid on = open_grid(4, 0, "x");
    dt_plan *plan = plan_between(on.mesh, "P", "S(0)", DT_SHAPE(1, 3), NULL);
    if (plan)
        show_plan(plan, dt_plan_step_at(plan, 0)->group_size == 4 &&
                            (dt_plan_steps(plan) == 1 ||
                             dt_plan_step_at(plan, 1)->messages == 0));
    dt_plan_release(plan);
    close_grid(&on);
}

/* What a rank has of ones after they were made partial. */
static void check_made(const char *from, const char *to, const float *wanted)
{
    for (int rank = 0; rank < 2; rank++) {
        grid on = open_grid(2, rank, "x");
        dt_tensor *tensor = dt_full(on.mesh, from, DT_F32, DT_SHAPE(4), 5);
        dt_tensor *out = dt_redistribute(tensor, to);
        const float *data =
            out ? dt_array_const_data(dt_tensor_local(out)) : NULL;
        for (int i = 0; CHECK(data) && i < 4; i++)
            CHECKF(data[i] == wanted[4 * rank + i],
                   "%s -> %s, rank %d, element %d: %g", from, to, rank, i,
                   (double)data[i]);
        close_grid(&on);
    }
}

/* Shards become parts of a sum where they are.  Upstream refuses S->P(avg),
 * R->P and P->P of another kind; here they are what they say. */
static void behaviour_25_shards_become_partial(dt_world *world)
{
    (void)world;
    check_calls(1, "S(0)", "P", DT_SHAPE(4), none);
    check_made("S(0)", "P", (float[]){5, 5, 0, 0, 0, 0, 5, 5});
    check_calls(1, "P", "P", DT_SHAPE(4), none);
    check_calls(1, "S(0)", "P(avg)", DT_SHAPE(4), one_gather);
    check_calls(1, "R", "P(avg)", DT_SHAPE(4), none);
    check_calls(1, "P", "P(avg)", DT_SHAPE(4), one_reduce);
    /* By way of the value, or of parts of it that stay where they are. */
    grid on = open_grid(4, 0, "x");
    dt_plan *plan = plan_between(on.mesh, "P(max)", "P", DT_SHAPE(4), NULL);
    if (plan)
        show_plan(plan, dt_plan_steps(plan) == 2 &&
                            dt_plan_step_at(plan, 0)->group_size == 4 &&
                            dt_plan_step_at(plan, 1)->bytes == 0);
    dt_plan_release(plan);
    close_grid(&on);
}

/* Upstream divides by n for a sum, which rounds, and refuses products and
 * bits; here one rank has the value and the others what changes nothing. */
static void behaviour_26_replicas_become_partial(dt_world *world)
{
    (void)world;
    check_calls(1, "R", "P", DT_SHAPE(4), none);
    check_made("R", "P", (float[]){5, 5, 5, 5, 0, 0, 0, 0});
    check_made("R", "P(product)", (float[]){5, 5, 5, 5, 1, 1, 1, 1});
    check_made("R", "P(avg)", (float[]){5, 5, 5, 5, 5, 5, 5, 5});
    check_made("R", "P(max)", (float[]){5, 5, 5, 5, 5, 5, 5, 5});
    check_made("R", "P(min)", (float[]){5, 5, 5, 5, 5, 5, 5, 5});
}

/* Upstream gathers and cuts on a CPU; here it is one all-to-all. */
static void behaviour_27_shards_of_another_dimension(dt_world *world)
{
    (void)world;
    check_calls(1, "S(0)", "S(1)", DT_SHAPE(8, 8), one_exchange);
    check_calls(1, "S(1)", "S(0)", DT_SHAPE(5, 3), one_exchange);
    grid on = open_grid(4, 0, "x");
    dt_plan *plan =
        plan_between(on.mesh, "S(0)", "S(1)", DT_SHAPE(16, 16), NULL);
    if (plan)
        CHECK_INT(dt_plan_bytes(plan), 4 * 16 * 3);
    dt_plan_release(plan);
    close_grid(&on);
}

static void behaviour_28_a_dimension_of_one_rank(dt_world *world)
{
    static const char *const texts[] = {"RS(0)",    "S(0)S(0)",
                                        "S(1)S(0)", "P(max)S(0)",
                                        "PS(0)",    "S(0)[1]S(0)[0]"};
    grid on = open_grid(2, 1, "one=1,x=2");
    (void)world;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (size_t j = 0; j < COUNT_OF(texts); j++)
            check_on(&on, texts[i], texts[j], DT_SHAPE(5, 3), none);
    close_grid(&on);
    grid alone = open_grid(1, 0, "x");
    check_on(&alone, "P", "S(1)", DT_SHAPE(5, 3), none);
    check_on(&alone, "S(0)", "P(avg)", DT_SHAPE(5, 3), none);
    close_grid(&alone);
}

/* ---- Several ------------------------------------------------------------ */

/* Upstream takes 1, 2, 2, 2 and 1 calls: see greedy.c. */
static void behaviour_29_two_dimensions(dt_world *world)
{
    (void)world;
    check_calls(2, "S(0)S(1)", "S(0)S(0)", DT_SHAPE(8, 8), one_exchange);
    check_calls(2, "S(0)S(1)", "S(1)S(0)", DT_SHAPE(8, 8), one_exchange);
    check_calls(2, "S(0)S(0)", "S(1)S(1)", DT_SHAPE(8, 8), one_exchange);
    check_calls(2, "S(0)S(2)", "S(1)S(0)", DT_SHAPE(8, 8, 8), one_exchange);
    check_calls(2, "S(1)S(1)", "S(1)S(2)", DT_SHAPE(8, 8, 8), one_exchange);
}

/* The outer of two cuts is not undone alone: what the ranks lack differs. */
static void behaviour_31_the_outer_of_two_cuts(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_shape shape = DT_SHAPE(64, 64);
    (void)world;
    dt_plan *outer = plan_between(on.mesh, "S(0)S(0)", "RS(0)", shape, NULL);
    dt_plan *inner = plan_between(on.mesh, "S(0)S(0)", "S(0)R", shape, NULL);
    if (outer && inner) {
        CHECK(dt_plan_seconds(outer) > dt_plan_seconds(inner));
        CHECK(dt_plan_bytes(outer) > dt_plan_bytes(inner));
        CHECK_INT(dt_plan_bytes(outer), dt_plan_lower_bound(outer));
        CHECK_INT(dt_plan_step_at(inner, 0)->kind, DT_STEP_ALL_GATHER);
        CHECK_INT(dt_plan_step_at(inner, 0)->group_size, 2);
    }
    dt_plan_release(outer);
    dt_plan_release(inner);
    close_grid(&on);
}

/* Upstream takes five steps from the usual order and three from another. */
static void behaviour_32_orders_matter(dt_world *world)
{
    (void)world;
    check_calls(3, "S(0)S(0)S(0)", "RS(0)S(0)", DT_SHAPE(16), one_exchange);
    /* Where what has to be undone comes last, it is a gather. */
    check_calls(3, "S(0)[2]S(0)[0]S(0)[1]", "RS(0)S(0)", DT_SHAPE(16),
                one_gather);
    grid on = open_grid(8, 0, "x=2,y=2,z=2");
    dt_plan *plan = plan_between(on.mesh, "S(0)[1]S(0)[0]S(0)[2]", "RS(0)S(0)",
                                 DT_SHAPE(16, 4), NULL);
    if (plan)
        show_plan(plan, dt_plan_steps(plan) <= 3);
    dt_plan_release(plan);
    close_grid(&on);
}

/* Upstream needs a flattened mesh that the user made, or takes one call for
 * each mesh dimension; and 2, 2 + 1, 2 and 3 calls in the last four. */
static void behaviour_35_several_dimensions_at_once(dt_world *world)
{
    dt_shape shape = DT_SHAPE(8, 8);
    (void)world;
    check_calls(2, "PP", "RR", shape, one_reduce);
    check_calls(2, "PP", "S(0)S(0)", shape, one_scatter);
    check_calls(2, "S(0)S(0)", "RR", shape, one_gather);
    check_calls(3, "PRP", "RRR", shape, one_reduce);
    check_calls(2, "PP", "S(0)S(1)", shape, one_scatter);
    check_calls(3, "PS(0)P", "RRR", shape, (calls){1, 1, 0, 0});
    check_calls(3, "PPP", "S(0)S(0)S(1)", shape, one_scatter);
    check_calls(3, "PPS(0)", "S(0)S(0)S(0)", shape, (calls){0, 0, 1, 1});
}

/* Upstream does not merge without a flattened mesh, where the dimensions are
 * not neighbours or not in order, or where sizes do not divide; boxes know no
 * such cases.  Sums and averages are combined at once, and divided. */
static void behaviour_36_merging_has_few_conditions(dt_world *world)
{
    (void)world;
    check_calls(2, "PP", "S(0)S(0)", DT_SHAPE(5, 3), one_scatter);
    check_calls(2, "PP", "S(0)[1]S(0)[0]", DT_SHAPE(5, 3), one_scatter);
    check_calls(2, "S(0)[1]S(0)[0]", "RR", DT_SHAPE(5, 3), one_gather);
    check_calls(3, "S(0)RS(0)", "RRR", DT_SHAPE(5, 3), one_gather);
    check_calls(2, "P(avg)P", "RR", DT_SHAPE(5, 3), one_reduce);
    check_calls(3, "P(avg)P(avg)P", "RRR", DT_SHAPE(5, 3), one_reduce);
    check_calls(3, "PRP(avg)", "RRR", DT_SHAPE(5, 3), one_reduce);
    check_calls(3, "P(avg)PP(avg)", "PRR", DT_SHAPE(5, 3), one_reduce);
    check_calls(2, "P(avg)P", "S(0)S(0)", DT_SHAPE(5, 3), one_scatter);
    check_calls(3, "PP(avg)P", "S(0)S(1)S(0)", DT_SHAPE(8, 6), one_scatter);
}

/* pytorch#194457: a nested cut of five rows is not a flat one. */
static void pytorch_194457_five_rows_on_a_square(dt_world *world)
{
    (void)world;
    check_calls(2, "S(0)S(0)", "RR", DT_SHAPE(5, 3), one_gather);
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_plan *plan =
        plan_between(on.mesh, "S(0)S(0)", "RR", DT_SHAPE(5, 3), NULL);
    /* Ranks have 2, 1, 1 and 1 rows. */
    if (plan)
        CHECK_INT(dt_plan_bytes(plan), 4 * 4 * 3);
    dt_plan_release(plan);
    close_grid(&on);
}

/* OneFlow: (B, S0) -> (S0, S0) must not be free. */
static void slicing_under_a_cut_is_not_free(dt_world *world)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    (void)world;
    dt_plan *plan =
        plan_between(on.mesh, "RS(0)", "S(0)S(0)", DT_SHAPE(8, 8), NULL);
    if (plan)
        CHECK_INT(dt_plan_bytes(plan), 4 * 2 * 8);
    dt_plan_release(plan);
    close_grid(&on);
}

/* ---- Strided shards, costs ---------------------------------------------- */

/* Upstream returns a view where the dimensions before the gathered one are 1,
 * and splits and joins otherwise; here boxes go straight to where they belong
 * in either case, and nothing is unpacked. */
static void behaviour_39_gathers_into_place(dt_world *world)
{
    (void)world;
    check_calls(1, "S(1)", "R", DT_SHAPE(1, 8), one_gather);
    check_calls(1, "S(1)", "R", DT_SHAPE(3, 8), one_gather);
}

/* Upstream goes through replicas where no order says what a strided shard does,
 * and refuses to make one partial. */
static void behaviour_43_strided_shards(dt_world *world)
{
    (void)world;
    check_calls(1, "S(0)", "_S(0,3)", DT_SHAPE(12, 2), one_exchange);
    check_calls(1, "_S(0,3)", "S(0)", DT_SHAPE(12, 2), one_exchange);
    check_calls(1, "_S(0,3)", "_S(1,2)", DT_SHAPE(12, 8), one_exchange);
    check_calls(1, "R", "_S(0,3)", DT_SHAPE(12, 2), none);
    check_calls(1, "_S(0,3)", "P(avg)", DT_SHAPE(12, 2), one_gather);
    check_calls(1, "_S(0,3)", "P", DT_SHAPE(12, 2), none);
    check_calls(1, "P", "_S(0,3)", DT_SHAPE(12, 2), one_scatter);
    check_calls(2, "_S(0,2)S(0)", "S(0)_S(0,3)", DT_SHAPE(13, 2), one_exchange);
}

static double seconds_of(dt_mesh *mesh, const char *from, const char *to)
{
    dt_plan *plan = plan_between(mesh, from, to, DT_SHAPE(64, 64), NULL);
    double seconds = plan ? dt_plan_seconds(plan) : 0;
    dt_plan_release(plan);
    return seconds;
}

/* Of what upstream calls infinite, all can be done and has a price. */
static void behaviour_44_costs(dt_world *world)
{
    grid on = open_grid(4, 0, "x");
    (void)world;
    double gather = seconds_of(on.mesh, "S(0)", "R");
    double scatter = seconds_of(on.mesh, "P", "S(0)");
    double reduce = seconds_of(on.mesh, "P", "R");
    dt_plan *a = plan_between(on.mesh, "S(0)", "R", DT_SHAPE(64, 64), NULL);
    dt_plan *b = plan_between(on.mesh, "P", "S(0)", DT_SHAPE(64, 64), NULL);
    if (a && b) /* but for combining, the same */
        CHECK_INT(dt_plan_bytes(a), dt_plan_bytes(b));
    CHECK(reduce < gather + scatter);
    CHECK(seconds_of(on.mesh, "R", "R") == 0);
    CHECK(seconds_of(on.mesh, "S(0)", "S(0)") == 0);
    CHECK(seconds_of(on.mesh, "R", "S(0)") < gather / 2);
    CHECK(isfinite(seconds_of(on.mesh, "S(0)", "P")));
    CHECK(seconds_of(on.mesh, "P", "P(max)") >= reduce);
    CHECK(seconds_of(on.mesh, "_S(0,2)", "R") < 2 * gather);
    dt_plan_release(a);
    dt_plan_release(b);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"4.2.21: shards become replicas", behaviour_21_shards_become_replicas},
    {"4.2.22: replicas become shards", behaviour_22_replicas_become_shards},
    {"4.2.23: partial values become replicas",
     behaviour_23_partial_values_become_replicas},
    {"4.2.24: partial values become shards",
     behaviour_24_partial_values_become_shards},
    {"4.2.25: shards become partial", behaviour_25_shards_become_partial},
    {"4.2.26: replicas become partial", behaviour_26_replicas_become_partial},
    {"4.2.27: shards of another dimension",
     behaviour_27_shards_of_another_dimension},
    {"4.2.28: a dimension of one rank", behaviour_28_a_dimension_of_one_rank},
    {"4.2.29: two dimensions", behaviour_29_two_dimensions},
    {"4.2.31: the outer of two cuts", behaviour_31_the_outer_of_two_cuts},
    {"4.2.32: orders matter", behaviour_32_orders_matter},
    {"4.2.35: several dimensions at once",
     behaviour_35_several_dimensions_at_once},
    {"4.2.36: merging has few conditions",
     behaviour_36_merging_has_few_conditions},
    {"pytorch#194457: five rows on a square",
     pytorch_194457_five_rows_on_a_square},
    {"slicing under a cut is not free", slicing_under_a_cut_is_not_free},
    {"4.2.39: gathers into place", behaviour_39_gathers_into_place},
    {"4.2.43: strided shards", behaviour_43_strided_shards},
    {"4.2.44: costs", behaviour_44_costs},
    {NULL, NULL},
};
