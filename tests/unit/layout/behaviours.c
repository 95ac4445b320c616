/* tests/unit/layout/behaviours.c - who has what, as PyTorch's tests have it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/layout/specs.h"

/*
 * The numbers in the names of tests are those of the list of behaviours of
 * PyTorch DTensor, section 4.1, that this library was written to.
 */

/* Make a mesh, cut a shape on it, and check the rows of every rank; `offsets`
 * may be NULL. */
static void cuts(const char *mesh, const char *layout, dt_shape shape,
                 const int *sizes, const int *offsets, int ranks)
{
    grid on = open_grid(ranks, 0, mesh);
    dt_spec *spec = spec_of(on.mesh, layout, shape);
    if (spec)
        check_rows(spec, sizes, offsets, ranks);
    dt_spec_release(spec);
    close_grid(&on);
}

static void behaviour_1_last_blocks_are_short_or_empty(dt_world *world)
{
    (void)world;
    cuts("x", "S(0)", DT_SHAPE(13), (int[]){4, 4, 4, 1}, (int[]){0, 4, 8, 12},
         4);
    cuts("x", "S(0)", DT_SHAPE(2), (int[]){1, 1, 0, 0}, (int[]){0, 1, 2, 2}, 4);
    cuts("x", "S(0)", DT_SHAPE(5), (int[]){2, 2, 1, 0}, (int[]){0, 2, 4, 5}, 4);
    cuts("x", "S(0)", DT_SHAPE(0), (int[]){0, 0, 0, 0}, (int[]){0, 0, 0, 0}, 4);
}

static void behaviour_3_nothing_begins_at_the_end(dt_world *world)
{
    (void)world;
    cuts("x=4,y=2", "S(0)S(0)", DT_SHAPE(13, 3),
         (int[]){2, 2, 2, 2, 2, 2, 1, 0}, (int[]){0, 2, 4, 6, 8, 10, 12, 13},
         8);
}

static void behaviour_4_strided_rows(dt_world *world)
{
    (void)world;
    cuts("dp=4,tp=2", "_S(0,2)S(0)", DT_SHAPE(15, 3),
         (int[]){2, 2, 2, 2, 2, 2, 2, 1}, (int[]){0, 8, 2, 10, 4, 12, 6, 14},
         8);
}

/* Upstream's is_shard() is false for strided shards; dt_placement_is_shard
 * tells whether a placement cuts, which they do. */
static void behaviour_5_strided_shards_take_of_each_piece(dt_world *unused)
{
    grid on = open_grid(4, 0, "x");
    dt_spec *spec = spec_of(on.mesh, "_S(0,2)", DT_SHAPE(8));
    (void)unused;
    for (int rank = 0; rank < 4; rank++)
        check_indexes(spec, rank, 0, (int[]){rank, rank + 4}, 2);
    dt_spec_release(spec);
    for (int size = 0; size < 12; size++) {
        dt_spec *one = spec_of(on.mesh, "_S(0,1)", DT_SHAPE(size));
        dt_spec *plain = spec_of(on.mesh, "S(0)", DT_SHAPE(size));
        for (int rank = 0; rank < 4; rank++)
            CHECK(dt_shape_equal(dt_spec_local_shape(one, rank),
                                 dt_spec_local_shape(plain, rank)));
        dt_spec_release(one);
        dt_spec_release(plain);
    }
    CHECK(!dt_placement_equal(dt_strided_shard(0, 1), dt_shard(0)));
    close_grid(&on);
}

static void behaviour_6_factors_are_compared(dt_world *world)
{
    (void)world;
    CHECK(!dt_placement_equal(dt_strided_shard(3, 1), dt_strided_shard(3, 2)));
    CHECK(dt_placement_equal(dt_strided_shard(3, 2), dt_strided_shard(3, 2)));
}

static void behaviour_9_negative_dimensions_are_counted(dt_world *unused)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_spec *plain = spec_of(on.mesh, "S(2)S(0)", DT_SHAPE(4, 5, 6));
    dt_spec *given = spec_of(on.mesh, "S(-1)S(-3)", DT_SHAPE(4, 5, 6));
    dt_spec *other = NULL, *with = NULL, *read = NULL;
    dt_layout layout =
        dt_layout_of((const dt_placement[]){dt_shard(-1), dt_shard(-3)}, 2);
    (void)unused;
    CHECK(given == plain);
    CHECK_INT(dt_spec_layout(given)->placements[0].dim, 2);
    CHECK_INT(dt_spec_layout(given)->placements[1].dim, 0);
    CHECK_OK(on.world, dt_spec_create_with(on.mesh, &layout,
                                           dt_spec_meta(plain), &other));
    CHECK_OK(on.world, dt_spec_with_layout(plain, "S(-1)S(-3)", &with));
    CHECK_OK(on.world,
             dt_spec_parse(on.mesh, "f32[4, 5, 6] S(-1)S(-3)", &read));
    CHECK(other == plain && with == plain && read == plain);
    dt_spec_release(read);
    dt_spec_release(with);
    dt_spec_release(other);
    dt_spec_release(given);
    dt_spec_release(plain);
    close_grid(&on);
}

/* A spec never changes, so its hash cannot be stale. */
static void behaviour_11_hashes_follow_layouts_and_orders(dt_world *unused)
{
    static const char *const layouts[] = {
        "S(0)S(0)", "S(0)[1]S(0)[0]", "S(0)S(1)", "S(0)R",
        "RR",       "P(sum)R",        "P(max)R",  "MaskPR"};
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_spec *specs[COUNT_OF(layouts)];
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        specs[i] = spec_of(on.mesh, layouts[i], DT_SHAPE(4, 4));
        for (size_t j = 0; j < i; j++)
            CHECKF(dt_spec_hash(specs[i]) != dt_spec_hash(specs[j]), "%s, %s",
                   layouts[i], layouts[j]);
    }
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        dt_spec_release(specs[i]);
    close_grid(&on);
}

static void behaviour_12_default_order(dt_world *unused)
{
    int dims[DT_MAX_NDIM];
    grid on = open_grid(8, 0, "x=2,y=2,z=2");
    dt_spec *spec = spec_of(on.mesh, "S(1)S(2)S(1)", DT_SHAPE(4, 4, 4));
    dt_layout layout = *dt_spec_layout(spec);
    (void)unused;
    CHECK_INT(dt_spec_cuts(spec, 0, dims), 0);
    CHECK_INT(dt_spec_cuts(spec, 1, dims), 2);
    CHECK(dims[0] == 0 && dims[1] == 2);
    CHECK_INT(dt_spec_cuts(spec, 2, dims), 1);
    CHECK(dims[0] == 1);
    CHECK(dt_spec_has_default_order(spec));
    CHECK_FAILS(on.world, dt_layout_set_order(on.world, &layout, 1, NULL, 0),
                DT_ERR_INVALID, "0 mesh dimensions for");
    CHECK_FAILS(on.world,
                dt_layout_set_order(on.world, &layout, 1, (int[]){0}, 1),
                DT_ERR_INVALID, "1 mesh dimensions for");
    CHECK_FAILS(on.world,
                dt_layout_set_order(on.world, &layout, 1, (int[]){0, 3}, 2),
                DT_ERR_INVALID, "mesh dimension 3 does not shard");
    CHECK_FAILS(on.world,
                dt_layout_set_order(on.world, &layout, 3, (int[]){0, 2}, 2),
                DT_ERR_INVALID, "which is sharded by 0");
    dt_spec_release(spec);
    close_grid(&on);
}

static void behaviour_13_orders_are_printed(dt_world *world)
{
    char text[64];
    const dt_placement rows[] = {dt_shard(1), dt_shard(1), dt_shard(1)};
    const dt_placement once[] = {dt_shard(0), dt_shard(1), dt_replicate()};
    dt_layout layout = dt_layout_of(rows, 3);
    CHECK_OK(world,
             dt_layout_set_order(world, &layout, 1, (int[]){2, 0, 1}, 3));
    dt_layout_format(&layout, text, sizeof text);
    CHECK_TEXT(text, "S(1)[1]S(1)[2]S(1)[0]");
    layout = dt_layout_of(once, 3);
    dt_layout_format(&layout, text, sizeof text);
    CHECK_TEXT(text, "S(0)S(1)R");
}

/* Whether each of `sizes` can be cut so that every rank has some. */
static void is_shardable(const char *mesh, int ranks, const char *layout,
                         int least)
{
    grid on = open_grid(ranks, 0, mesh);
    for (int size = 0; size < 3 * least + 3; size++) {
        dt_spec *spec = spec_of(on.mesh, layout, DT_SHAPE(size, 1));
        CHECKF(dt_spec_is_shardable(spec, 0) == (size >= least),
               "%d rows, %s on %s", size, layout, mesh);
        dt_spec_release(spec);
    }
    close_grid(&on);
}

static void behaviour_15_shardable_is_long_enough(dt_world *world)
{
    (void)world;
    is_shardable("x", 4, "S(0)", 4);
    is_shardable("x=2,y=3", 6, "S(0)S(0)", 6);
    is_shardable("x=2,y=3", 6, "S(0)R", 2);
    is_shardable("x", 4, "_S(0,2)", 8);
    is_shardable("x", 3, "_S(0,3)", 9);
    is_shardable("x", 1, "S(0)", 0);
    is_shardable("x=1,y=4", 4, "_S(0,7)S(0)", 4);
    grid on = open_grid(4, 0, "x");
    dt_spec *spec = spec_of(on.mesh, "S(0)", DT_SHAPE(2, 0));
    CHECK(!dt_spec_is_shardable(spec, 0));
    CHECK(dt_spec_is_shardable(spec, 1)); /* as nothing cuts it */
    CHECK(!dt_spec_is_shardable(spec, 2));
    CHECK(!dt_spec_is_shardable(spec, -1));
    dt_spec_release(spec);
    close_grid(&on);
}

static void behaviour_16_strangers_have_nothing(dt_world *unused)
{
    static const char *const layouts[] = {"RR", "S(0)R", "P(sum)S(1)",
                                          "_S(0,2)S(0)"};
    static const int ranks[] = {1, 3, 4, 5};
    dt_world *world = open_sim(6, 0);
    dt_mesh *mesh = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create_from(world, "x=2,y=2", ranks, 4, &mesh));
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_spec *spec = spec_of(mesh, layouts[i], DT_SHAPE(5, 3));
        const int strangers[] = {0, 2, -1, 6, 1000000};
        for (size_t j = 0; j < COUNT_OF(strangers); j++) {
            int64_t offset[2] = {-7, -7};
            dt_run run;
            dt_shape shape = dt_spec_local_shape(spec, strangers[j]);
            CHECK(dt_shape_equal(shape, DT_SHAPE(0)));
            CHECK(!dt_spec_offset(spec, strangers[j], offset));
            CHECK(offset[0] == -7 && offset[1] == -7);
            CHECK(!dt_spec_run(spec, strangers[j], 0, 0, &run));
        }
        CHECK(!dt_shape_equal(dt_spec_local_shape(spec, 1), DT_SHAPE(0)));
        dt_spec_release(spec);
    }
    dt_spec *scalar = spec_of(mesh, "RR", DT_SHAPE());
    CHECK(dt_shape_equal(dt_spec_local_shape(scalar, 0), DT_SHAPE(0)));
    CHECK(dt_shape_equal(dt_spec_local_shape(scalar, 4), DT_SHAPE()));
    dt_spec_release(scalar);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void behaviour_19_kinds_of_partial_values_do_not_mix(dt_world *unused)
{
    grid on = open_grid(4, 0, "x=2,y=2");
    dt_spec *spec = NULL;
    (void)unused;
    CHECK_FAILS(
        on.world,
        dt_spec_create(on.mesh, "P(sum)P(max)", DT_F32, DT_SHAPE(4), &spec),
        DT_ERR_INVALID, "P(sum)P(max) mixes partial(sum) and partial(max)");
    CHECK(spec == NULL);
    dt_spec_release(spec_of(on.mesh, "P(sum)P(avg)", DT_SHAPE(4)));
    dt_spec_release(spec_of(on.mesh, "P(avg)P(sum)", DT_SHAPE(4)));
    dt_spec_release(spec_of(on.mesh, "P(max)P(max)", DT_SHAPE(4)));
    close_grid(&on);
}

/* ---- Facts about uneven sizes ------------------------------------------- */

/* pytorch#194457: what two mesh dimensions cut is not what one of their size
 * product does. */
static void nested_cuts_are_not_flat(dt_world *world)
{
    (void)world;
    cuts("x=2,y=2", "S(0)S(0)", DT_SHAPE(5, 3), (int[]){2, 1, 1, 1},
         (int[]){0, 2, 3, 4}, 4);
    cuts("x", "S(0)", DT_SHAPE(5, 3), (int[]){2, 2, 1, 0}, (int[]){0, 2, 4, 5},
         4);
    cuts("x=2,y=2", "S(0)[1]S(0)[0]", DT_SHAPE(5, 3), (int[]){2, 1, 1, 1},
         (int[]){0, 3, 2, 4}, 4);
}

/* pytorch#168134: 0..4 in two pieces over two ranks. */
static void strided_cuts_of_uneven_pieces(dt_world *unused)
{
    grid on = open_grid(2, 0, "x");
    dt_spec *spec = spec_of(on.mesh, "_S(0,2)", DT_SHAPE(5));
    int rank = -1;
    (void)unused;
    check_indexes(spec, 0, 0, (int[]){0, 1, 3}, 3);
    check_indexes(spec, 1, 0, (int[]){2, 4}, 2);
    for (int64_t i = 0; i < 5; i++) {
        CHECK_INT(dt_spec_owners(spec, &i, &rank, 1), 1);
        CHECK_INT(rank, i == 2 || i == 4);
    }
    dt_spec_release(spec);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"4.1.1: the last blocks are short or empty",
     behaviour_1_last_blocks_are_short_or_empty},
    {"4.1.3: nothing begins at the end", behaviour_3_nothing_begins_at_the_end},
    {"4.1.4: strided rows", behaviour_4_strided_rows},
    {"4.1.5: strided shards take of each piece",
     behaviour_5_strided_shards_take_of_each_piece},
    {"4.1.6: factors are compared", behaviour_6_factors_are_compared},
    {"4.1.9: negative dimensions are counted",
     behaviour_9_negative_dimensions_are_counted},
    {"4.1.11: hashes follow layouts and orders",
     behaviour_11_hashes_follow_layouts_and_orders},
    {"4.1.12: the default order", behaviour_12_default_order},
    {"4.1.13: orders are printed", behaviour_13_orders_are_printed},
    {"4.1.15: shardable is long enough", behaviour_15_shardable_is_long_enough},
    {"4.1.16: strangers have nothing", behaviour_16_strangers_have_nothing},
    {"4.1.19: kinds of partial values do not mix",
     behaviour_19_kinds_of_partial_values_do_not_mix},
    {"nested cuts are not flat", nested_cuts_are_not_flat},
    {"strided cuts of uneven pieces", strided_cuts_of_uneven_pieces},
    {NULL, NULL},
};
