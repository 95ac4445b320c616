/* tests/unit/layout/placement.c - placements, their order, and their checks. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <string.h>

#include "unit/layout/specs.h"

/* ---- Placements --------------------------------------------------------- */

static void compares_placements(dt_world *world)
{
    const dt_placement all[] = {
        dt_replicate(),
        dt_shard(0),
        dt_shard(1),
        dt_shard(-1),
        dt_strided_shard(0, 1),
        dt_strided_shard(0, 2),
        dt_strided_shard(1, 2),
        dt_partial(DT_SUM),
        dt_partial(DT_AVG),
        dt_partial(DT_BXOR),
        dt_masked_partial(),
    };
    (void)world;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        for (size_t j = 0; j < COUNT_OF(all); j++)
            CHECKF(dt_placement_equal(all[i], all[j]) == (i == j),
                   "placements %zu and %zu", i, j);
}

static void compares_only_what_matters(dt_world *world)
{
    dt_placement replicate = {DT_REPLICATE, 3, DT_MAX, 7};
    dt_placement shard = {DT_SHARD, 3, DT_MAX, 7};
    dt_placement partial = {DT_PARTIAL, 3, DT_MAX, 7};
    dt_placement masked = {DT_MASKED_PARTIAL, 3, DT_MAX, 7};
    (void)world;
    CHECK(dt_placement_equal(replicate, dt_replicate()));
    CHECK(dt_placement_equal(shard, dt_shard(3)));
    CHECK(dt_placement_equal(partial, dt_partial(DT_MAX)));
    CHECK(dt_placement_equal(masked, dt_masked_partial()));
}

static void tells_kinds(dt_world *world)
{
    (void)world;
    CHECK(!dt_placement_is_shard(dt_replicate()));
    CHECK(dt_placement_is_shard(dt_shard(0)));
    CHECK(dt_placement_is_shard(dt_strided_shard(0, 2)));
    CHECK(!dt_placement_is_shard(dt_partial(DT_SUM)));
    CHECK(!dt_placement_is_partial(dt_replicate()));
    CHECK(!dt_placement_is_partial(dt_shard(0)));
    CHECK(dt_placement_is_partial(dt_partial(DT_MIN)));
    CHECK(dt_placement_is_partial(dt_masked_partial()));
}

static void compares_layouts(dt_world *world)
{
    const dt_placement rows[] = {dt_shard(0), dt_shard(0), dt_replicate()};
    dt_layout a = dt_layout_of(rows, 3), b = dt_layout_of(rows, 3);
    dt_layout shorter = dt_layout_of(rows, 2);
    CHECK(dt_layout_equal(&a, &b));
    CHECK(!dt_layout_equal(&a, &shorter));
    CHECK_OK(world, dt_layout_set_order(world, &b, 0, (int[]){1, 0}, 2));
    CHECK(!dt_layout_equal(&a, &b));
    CHECK_OK(world, dt_layout_set_order(world, &b, 0, (int[]){0, 1}, 2));
    CHECK(dt_layout_equal(&a, &b));
    b.placements[2] = dt_partial(DT_SUM);
    CHECK(!dt_layout_equal(&a, &b));
}

/* ---- Order -------------------------------------------------------------- */

static void cuts_from_left_to_right(dt_world *world)
{
    const dt_placement placements[] = {
        dt_shard(1),    dt_partial(DT_SUM),     dt_shard(2), dt_shard(1),
        dt_replicate(), dt_strided_shard(2, 2), dt_shard(1)};
    dt_layout layout = dt_layout_of(placements, 7);
    const int expected[] = {0, 0, 0, 1, 0, 1, 2};
    (void)world;
    CHECK_INT(layout.ndim, 7);
    for (int i = 0; i < 7; i++)
        CHECK_INT(layout.order[i], expected[i]);
    CHECK(dt_layout_has_default_order(&layout));
}

static void sets_an_order(dt_world *world)
{
    char text[64];
    const dt_placement rows[] = {dt_shard(1), dt_shard(0), dt_shard(1),
                                 dt_shard(1)};
    dt_layout layout = dt_layout_of(rows, 4);
    CHECK_OK(world,
             dt_layout_set_order(world, &layout, 1, (int[]){3, 0, 2}, 3));
    CHECK(!dt_layout_has_default_order(&layout));
    CHECK_INT(layout.order[0], 1);
    CHECK_INT(layout.order[1], 0);
    CHECK_INT(layout.order[2], 2);
    CHECK_INT(layout.order[3], 0);
    dt_layout_format(&layout, text, sizeof text);
    CHECK_TEXT(text, "S(1)[1]S(0)S(1)[2]S(1)[0]");
    CHECK_OK(world, dt_layout_set_order(world, &layout, 0, (int[]){1}, 1));
    CHECK_OK(world, dt_layout_set_order(world, &layout, 2, NULL, 0));
    CHECK_OK(world,
             dt_layout_set_order(world, &layout, 1, (int[]){0, 2, 3}, 3));
    CHECK(dt_layout_has_default_order(&layout));
}

static void refuses_wrong_orders(dt_world *world)
{
    const dt_placement rows[] = {dt_shard(1), dt_shard(0), dt_shard(1),
                                 dt_shard(1)};
    dt_layout layout = dt_layout_of(rows, 4);
    const dt_layout before = layout;
    CHECK_FAILS(world,
                dt_layout_set_order(world, &layout, 1, (int[]){0, 2, 0}, 3),
                DT_ERR_INVALID,
                "dt_layout_set_order: the order of dimension 1 lists mesh "
                "dimension 0 twice");
    CHECK_FAILS(world, dt_layout_set_order(world, &layout, 1, (int[]){0, 2}, 2),
                DT_ERR_INVALID,
                "2 mesh dimensions for dimension 1, which is sharded by 3");
    CHECK_FAILS(world, dt_layout_set_order(world, &layout, 1, NULL, 0),
                DT_ERR_INVALID, "0 mesh dimensions for");
    CHECK_FAILS(world, dt_layout_set_order(world, &layout, 2, (int[]){0}, 1),
                DT_ERR_INVALID, "for dimension 2, which is sharded by 0");
    CHECK_FAILS(world,
                dt_layout_set_order(world, &layout, 1, (int[]){0, 2, 1}, 3),
                DT_ERR_INVALID, "mesh dimension 1 does not shard dimension 1");
    CHECK_FAILS(world,
                dt_layout_set_order(world, &layout, 1, (int[]){0, 2, 4}, 3),
                DT_ERR_INVALID, "mesh dimension 4 does not shard dimension 1");
    CHECK_FAILS(world,
                dt_layout_set_order(world, &layout, 1, (int[]){-1, 2, 3}, 3),
                DT_ERR_INVALID, "mesh dimension -1 does not shard");
    CHECK(dt_layout_equal(&layout, &before));
}

static void gives_no_order_to_strided_shards(dt_world *world)
{
    const dt_placement rows[] = {dt_strided_shard(0, 2), dt_shard(0)};
    dt_layout layout = dt_layout_of(rows, 2);
    CHECK_OK(world, dt_layout_set_order(world, &layout, 0, (int[]){0, 1}, 2));
    CHECK_FAILS(world, dt_layout_set_order(world, &layout, 0, (int[]){1, 0}, 2),
                DT_ERR_INVALID,
                "_S(0,2)S(0) has an order for strided shards of dimension 0; "
                "these are always applied from left to right");
    CHECK(dt_layout_has_default_order(&layout));
}

/* ---- Checks ------------------------------------------------------------- */

/* Check placements for a tensor on a 2x2 mesh; a failure changes nothing. */
static void refuses(grid *on, const dt_layout *wrong, int tensor_ndim,
                    const char *sentence)
{
    dt_layout layout = *wrong;
    CHECK_FAILS(on->world, dt_layout_check(on->mesh, tensor_ndim, &layout),
                DT_ERR_INVALID, sentence);
    CHECKF(dt_layout_equal(&layout, wrong), "%s: it changed", sentence);
}

static void refuses_pair(grid *on, dt_placement a, dt_placement b,
                         int tensor_ndim, const char *sentence)
{
    dt_layout layout = dt_layout_of((const dt_placement[]){a, b}, 2);
    refuses(on, &layout, tensor_ndim, sentence);
}

static void refuses_wrong_placements(dt_world *unused)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    const dt_placement fine = dt_replicate();
    dt_placement wrong = fine;
    (void)unused;
    refuses_pair(&on, dt_shard(2), fine, 2,
                 "S(2)R shards dimension 2 of a tensor that has 2");
    refuses_pair(&on, fine, dt_shard(-3), 2,
                 "RS(-3) shards dimension -3 of a tensor that has 2");
    refuses_pair(&on, dt_shard(0), fine, 0,
                 "S(0)R shards dimension 0 of a tensor that has 0");
    refuses_pair(&on, dt_strided_shard(INT_MIN, 2), fine, 2,
                 "shards dimension -2147483648");
    refuses_pair(&on, dt_shard(-1), dt_shard(5), 2, "shards dimension 5");
    refuses_pair(&on, dt_strided_shard(0, 0), fine, 1,
                 "_S(0,0)R has a strided shard with a factor below 1");
    refuses_pair(&on, fine, dt_strided_shard(0, INT64_MIN), 1,
                 "has a strided shard with a factor below 1");
    wrong.kind = (dt_placement_kind)9;
    refuses_pair(&on, fine, wrong, 1, "invalid placement kind 9");
    wrong.kind = (dt_placement_kind)-1;
    refuses_pair(&on, fine, wrong, 1, "invalid placement kind -1");
    refuses_pair(&on, dt_partial((dt_reduce)8), fine, 1, "invalid reduction 8");
    refuses_pair(&on, dt_partial((dt_reduce)-1), fine, 1,
                 "invalid reduction -1");
    close_grid(&on);
}

static void refuses_wrong_numbers_of_placements(dt_world *unused)
{
    enum { TOO_MANY = 3 * DT_MAX_NDIM };
    dt_placement many[TOO_MANY];
    grid on = open_grid(4, 0, "a=2,b=2");
    (void)unused;
    for (int i = 0; i < TOO_MANY; i++)
        many[i] = dt_shard(0);
    dt_layout layout = dt_layout_of(many, 1);
    refuses(
        &on, &layout, 1,
        "S(0) has 1 placement; expected one for each of the 2 dimensions of ");
    layout = dt_layout_of(many, 3);
    refuses(&on, &layout, 1,
            "S(0)[0]S(0)[1]S(0)[2] has 3 placements; expected one for each of "
            "the 2 dimensions");
    layout = dt_layout_of(many, 0);
    refuses(&on, &layout, 1, "has 0 placements");
    layout = dt_layout_of(many, -1);
    refuses(&on, &layout, 1, "has -1 placements");
    layout = dt_layout_of(many, TOO_MANY);
    refuses(&on, &layout, 1, "has 24 placements");
    close_grid(&on);
}

/* A layout of any ndim can be held, compared and printed: what lies past its
 * end is not read. */
static void holds_too_many_placements(dt_world *world)
{
    dt_placement many[2 * DT_MAX_NDIM];
    char text[DT_MAX_NDIM * 10];
    for (int i = 0; i < 2 * DT_MAX_NDIM; i++)
        many[i] = dt_shard(0);
    dt_layout layout = dt_layout_of(many, 2 * DT_MAX_NDIM);
    const dt_layout same = layout;
    CHECK_INT(layout.ndim, 2 * DT_MAX_NDIM);
    CHECK(dt_layout_equal(&layout, &same));
    CHECK(dt_layout_has_default_order(&layout));
    CHECK(dt_layout_format(&layout, text, sizeof text) < sizeof text);
    CHECK(dt_layout_text(world, &layout) == NULL);
    CHECK_FAILS(world,
                dt_layout_set_order(world, &layout, 0,
                                    (int[]){0, 1, 2, 3, 4, 5, 6, 12}, 8),
                DT_ERR_INVALID, "mesh dimension 12 does not shard");
    layout.ndim = INT_MIN;
    CHECK(dt_layout_has_default_order(&layout));
    CHECK_INT(dt_layout_format(&layout, text, sizeof text), 0);
}

static void refuses_wrong_numbers_in_the_order(dt_world *unused)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    static const int wrong[][2] = {{0, 0}, {1, 1},  {0, 2},
                                   {2, 1}, {-1, 0}, {INT_MAX, INT_MIN}};
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        dt_layout layout =
            dt_layout_of((const dt_placement[]){dt_shard(0), dt_shard(0)}, 2);
        layout.order[0] = wrong[i][0];
        layout.order[1] = wrong[i][1];
        refuses(&on, &layout, 1,
                "dimension 0 is sharded 2 times and must be numbered from 0 to "
                "1, each once");
    }
    dt_layout layout =
        dt_layout_of((const dt_placement[]){dt_shard(0), dt_replicate()}, 2);
    layout.order[1] = 1;
    refuses(&on, &layout, 1,
            "S(0)R has an order for a placement that is not a shard");
    layout = dt_layout_of(
        (const dt_placement[]){dt_strided_shard(0, 2), dt_shard(0)}, 2);
    layout.order[0] = 1;
    layout.order[1] = 0;
    refuses(&on, &layout, 1, "has an order for strided shards");
    close_grid(&on);
}

static void counts_dimensions_from_the_front(dt_world *unused)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    (void)unused;
    dt_layout layout = dt_layout_of(
        (const dt_placement[]){dt_shard(-1), dt_strided_shard(-3, 2)}, 2);
    CHECK_OK(on.world, dt_layout_check(on.mesh, 3, &layout));
    CHECK_INT(layout.placements[0].dim, 2);
    CHECK_INT(layout.placements[1].dim, 0);
    CHECK_INT(layout.placements[1].factor, 2);
    close_grid(&on);
}

/* Dimension 0 of one, once from the front and once from the end. */
static void counts_one_dimension_both_ways(dt_world *unused)
{
    grid on = open_grid(8, 0, "a=2,b=2,c=2");
    dt_layout layout, expected;
    (void)unused;
    CHECK_OK(on.world, dt_layout_parse(on.world, "S(-1)S(0)S(-1)", &layout));
    CHECK_OK(on.world, dt_layout_parse(on.world, "S(0)S(0)S(0)", &expected));
    CHECK_OK(on.world, dt_layout_check(on.mesh, 1, &layout));
    CHECK(dt_layout_equal(&layout, &expected));
    /* Another dimension may have an order. */
    CHECK_OK(on.world,
             dt_layout_parse(on.world, "S(0)[1]S(0)[0]S(-1)", &layout));
    CHECK_OK(on.world,
             dt_layout_parse(on.world, "S(0)[1]S(0)[0]S(1)", &expected));
    CHECK_OK(on.world, dt_layout_check(on.mesh, 2, &layout));
    CHECK(dt_layout_equal(&layout, &expected));
    /* An order for half of the cuts is none. */
    CHECK_OK(on.world,
             dt_layout_parse(on.world, "S(0)[1]S(0)[0]S(-1)", &layout));
    CHECK_FAILS(on.world, dt_layout_check(on.mesh, 1, &layout), DT_ERR_INVALID,
                "dimension 0 is sharded 3 times");
    close_grid(&on);
}

static void forgets_what_does_not_matter(dt_world *unused)
{
    grid on = open_grid(8, 0, "a=2,b=2,c=2");
    const dt_placement untidy[] = {{DT_REPLICATE, 3, DT_MAX, 7},
                                   {DT_SHARD, 0, DT_MAX, 7},
                                   {DT_MASKED_PARTIAL, 3, DT_MAX, 7}};
    dt_layout layout = dt_layout_of(untidy, 3);
    dt_spec *spec = NULL, *tidy = spec_of(on.mesh, "RS(0)MaskP", DT_SHAPE(4));
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(4));
    (void)unused;
    CHECK_OK(on.world, dt_spec_create_with(on.mesh, &layout, &meta, &spec));
    CHECK(spec == tidy);
    dt_spec_release(spec);
    dt_spec_release(tidy);
    close_grid(&on);
}

/* ---- Partial values ----------------------------------------------------- */

/* behaviours 4.1, 19: one kind of partial value, except sum with avg. */
static void mixes_sums_and_averages(dt_world *unused)
{
    grid on = open_grid(8, 0, "a=2,b=2,c=2");
    (void)unused;
    for (int a = 0; a < DT_REDUCE_COUNT; a++)
        for (int b = 0; b < DT_REDUCE_COUNT; b++)
            for (int c = 0; c < DT_REDUCE_COUNT; c++) {
                dt_layout layout = dt_layout_of(
                    (const dt_placement[]){dt_partial((dt_reduce)a),
                                           dt_partial((dt_reduce)b),
                                           dt_partial((dt_reduce)c)},
                    3);
                bool linear = a <= DT_AVG && b <= DT_AVG && c <= DT_AVG;
                dt_check_forget(on.world);
                dt_status status = dt_layout_check(on.mesh, 0, &layout);
                CHECKF((status == DT_OK) == (linear || (a == b && b == c)),
                       "%d %d %d: %s", a, b, c, dt_status_name(status));
                CHECK(status == DT_OK ||
                      strstr(dt_world_error(on.world)->message,
                             "mixes partial("));
            }
    close_grid(&on);
}

static void mixes_masked_sums_with_sums(dt_world *unused)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    dt_layout layout;
    (void)unused;
    CHECK_OK(on.world, dt_layout_parse(on.world, "MaskPP(avg)", &layout));
    CHECK_OK(on.world, dt_layout_check(on.mesh, 0, &layout));
    refuses_pair(&on, dt_partial(DT_MAX), dt_masked_partial(), 1,
                 "P(max)MaskP(sum) mixes partial(max) and partial(sum), which "
                 "cannot be combined");
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"compares placements", compares_placements},
    {"compares only what matters", compares_only_what_matters},
    {"tells kinds", tells_kinds},
    {"compares layouts", compares_layouts},
    {"cuts from left to right", cuts_from_left_to_right},
    {"sets an order", sets_an_order},
    {"refuses wrong orders", refuses_wrong_orders},
    {"gives no order to strided shards", gives_no_order_to_strided_shards},
    {"refuses wrong placements", refuses_wrong_placements},
    {"refuses wrong numbers of placements",
     refuses_wrong_numbers_of_placements},
    {"holds too many placements", holds_too_many_placements},
    {"refuses wrong numbers in the order", refuses_wrong_numbers_in_the_order},
    {"counts dimensions from the front", counts_dimensions_from_the_front},
    {"counts one dimension both ways", counts_one_dimension_both_ways},
    {"forgets what does not matter", forgets_what_does_not_matter},
    {"mixes sums and averages", mixes_sums_and_averages},
    {"mixes masked sums with sums", mixes_masked_sums_with_sums},
    {NULL, NULL},
};
