/* tests/unit/layout/strided.c - orders as strided shards, and back. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "unit/layout/oracle.h"
#include "unit/layout/specs.h"

/* A mesh of these sizes over a world that has as many ranks. */
static grid open_sizes(const int *sizes, int ndim)
{
    char text[64];
    int ranks = 1, length = 0;
    for (int i = 0; i < ndim; i++) {
        ranks *= sizes[i];
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s%c=%d", i ? "," : "", 'a' + i, sizes[i]);
    }
    return open_grid(ranks, ranks / 2, text);
}

/* Check by lists that two layouts cut a dimension alike, on every rank. */
static bool cut_alike(const dt_layout *a, const dt_layout *b, const int *sizes,
                      int ranks, int extent)
{
    for (int place = 0; place < ranks; place++) {
        int coordinate[DT_MAX_NDIM];
        oracle_coordinate(sizes, a->ndim, place, coordinate);
        list has_a = oracle_indexes(a, sizes, coordinate, 0, extent);
        list has_b = oracle_indexes(b, sizes, coordinate, 0, extent);
        if (has_a.count != has_b.count ||
            memcmp(has_a.items, has_b.items,
                   (size_t)has_a.count * sizeof *has_a.items) != 0)
            return false;
    }
    return true;
}

/* Convert one order of a layout whose mesh dimensions all cut dimension 0. */
static void convert(grid *on, const int *sizes, const int *order, int ndim,
                    bool with_lists)
{
    dt_placement rows[DT_MAX_NDIM];
    dt_layout strided, back;
    char text[128];
    int ranks = dt_mesh_size(on->mesh);
    for (int i = 0; i < ndim; i++)
        rows[i] = dt_shard(0);
    dt_layout layout = dt_layout_of(rows, ndim);
    CHECK_OK(on->world,
             dt_layout_set_order(on->world, &layout, 0, order, ndim));
    CHECK_OK(on->world, dt_layout_to_strided(on->mesh, &layout, &strided));
    dt_layout_format(&strided, text, sizeof text);
    CHECKF(dt_layout_has_default_order(&strided), "%s", text);
    CHECK_OK(on->world, dt_layout_check(on->mesh, 1, &strided));
    CHECK_OK(on->world, dt_layout_from_strided(on->mesh, &strided, &back));
    CHECKF(dt_layout_equal(&layout, &back), "%s is read as another", text);
    if (with_lists)
        CHECKF(cut_alike(&layout, &strided, sizes, ranks, 2 * ranks),
               "%s cuts differently", text);
    dt_meta meta = dt_meta_of(DT_F32, DT_SHAPE(2 * ranks, 3));
    dt_spec *one = NULL, *other = NULL;
    CHECK_OK(on->world, dt_spec_create_with(on->mesh, &layout, &meta, &one));
    CHECK_OK(on->world, dt_spec_create_with(on->mesh, &strided, &meta, &other));
    CHECKF(one == other, "%s is another spec", text);
    dt_spec_release(one);
    dt_spec_release(other);
}

/* All orders on all meshes of `ndim` dimensions with sizes 2 to 4. */
static void convert_all(int ndim)
{
    int sizes[DT_MAX_NDIM];
    int meshes = 1;
    for (int i = 0; i < ndim; i++)
        meshes *= 3;
    for (int number = 0; number < meshes; number++) {
        int rest = number, ranks = 1;
        int order[DT_MAX_NDIM];
        for (int i = 0; i < ndim; i++, rest /= 3) {
            sizes[i] = 2 + rest % 3;
            ranks *= sizes[i];
            order[i] = i;
        }
        grid on = open_sizes(sizes, ndim);
        do
            convert(&on, sizes, order, ndim, ranks <= 36);
        while (next_arrangement(order, ndim));
        close_grid(&on);
    }
}

static void converts_orders_of_three(dt_world *world)
{
    (void)world;
    convert_all(3);
}

static void converts_orders_of_four(dt_world *world)
{
    (void)world;
    convert_all(4);
}

/* Check what an order is in strided shards. */
static void says(grid *on, const char *order, const char *strided)
{
    char text[128];
    dt_layout layout, made, back;
    CHECK_OK(on->world, dt_layout_parse(on->world, order, &layout));
    CHECK_OK(on->world, dt_layout_to_strided(on->mesh, &layout, &made));
    dt_layout_format(&made, text, sizeof text);
    CHECK_TEXT(text, strided);
    CHECK_OK(on->world, dt_layout_from_strided(on->mesh, &made, &back));
    CHECKF(dt_layout_equal(&layout, &back), "%s is read as another", strided);
}

static void converts_known_ones(dt_world *unused)
{
    grid on = open_grid(24, 0, "a=2,b=3,c=4");
    (void)unused;
    says(&on, "S(0)S(0)S(0)", "S(0)[0]S(0)[1]S(0)[2]");
    says(&on, "S(0)[2]S(0)[1]S(0)[0]", "_S(0,12)_S(0,4)S(0)");
    says(&on, "S(0)[1]S(0)[2]S(0)[0]", "_S(0,4)_S(0,4)S(0)");
    says(&on, "S(0)[2]S(0)[0]S(0)[1]", "_S(0,12)S(0)S(0)");
    says(&on, "S(0)[1]S(0)[0]S(0)[2]", "_S(0,3)S(0)S(0)");
    says(&on, "S(0)[0]S(0)[2]S(0)[1]", "S(0)_S(0,4)S(0)");
    says(&on, "S(1)[1]RS(1)[0]", "_S(1,4)RS(1)");
    says(&on, "S(1)[1]S(0)S(1)[0]", "_S(1,4)S(0)S(1)");
    says(&on, "P(max)S(0)R", "P(max)S(0)R");
    close_grid(&on);
}

static void says_factor_one_as_shard(dt_world *unused)
{
    grid on = open_grid(4, 0, "a=2,b=2");
    dt_layout layout, plain;
    (void)unused;
    CHECK_OK(on.world, dt_layout_parse(on.world, "_S(0,1)_S(0,1)", &layout));
    CHECK_OK(on.world, dt_layout_from_strided(on.mesh, &layout, &layout));
    CHECK_OK(on.world, dt_layout_parse(on.world, "S(0)S(0)", &plain));
    CHECK(dt_layout_equal(&layout, &plain));
    close_grid(&on);
}

static void refuses_factors_that_say_no_order(dt_world *unused)
{
    static const char *const texts[] = {
        "_S(0,4)S(0)S(0)",   "S(0)S(0)_S(0,2)",     "RR_S(0,2)",
        "S(0)R_S(0,4)",      "_S(0,2)S(0)S(0)",     "_S(0,24)S(0)S(0)",
        "S(0)_S(0,4)S(1)",   "_S(0,4)_S(0,12)S(0)", "_S(1,4)S(0)_S(1,2)",
        "_S(0,8)_S(0,4)S(0)"};
    grid on = open_grid(24, 0, "a=2,b=3,c=4");
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        dt_layout layout, out = {.ndim = 77};
        CHECK_OK(on.world, dt_layout_parse(on.world, texts[i], &layout));
        CHECK_FAILS(on.world, dt_layout_from_strided(on.mesh, &layout, &out),
                    DT_ERR_NOT_FOUND, "do not match the mesh");
        CHECKF(out.ndim == 77, "%s was written", texts[i]);
    }
    close_grid(&on);
}

static void refuses_strided_shards_beside_an_order(dt_world *unused)
{
    grid on = open_grid(16, 0, "a=2,b=2,c=2,d=2");
    dt_layout layout, out = {.ndim = 77};
    (void)unused;
    CHECK_OK(on.world,
             dt_layout_parse(on.world, "_S(0,2)S(0)S(1)[1]S(1)[0]", &layout));
    CHECK_FAILS(
        on.world, dt_layout_to_strided(on.mesh, &layout, &out),
        DT_ERR_UNSUPPORTED,
        "_S(0,2)S(0)S(1)[1]S(1)[0] has both strided shards and an order");
    CHECK_INT(out.ndim, 77);
    /* Strided shards alone are what was asked for. */
    CHECK_OK(on.world,
             dt_layout_parse(on.world, "_S(0,2)S(0)S(1)S(1)", &layout));
    CHECK_OK(on.world, dt_layout_to_strided(on.mesh, &layout, &out));
    CHECK(dt_layout_equal(&layout, &out));
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"converts orders of three", converts_orders_of_three},
    {"converts orders of four", converts_orders_of_four},
    {"converts known ones", converts_known_ones},
    {"says factor one as shard", says_factor_one_as_shard},
    {"refuses factors that say no order", refuses_factors_that_say_no_order},
    {"refuses strided shards beside an order",
     refuses_strided_shards_beside_an_order},
    {NULL, NULL},
};
