/* tests/unit/tensor/dryrun.c - tensors of a dry run: no elements, counted
 * memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <stdlib.h>

#include "array/array.h"
#include "base/world.h"
#include "redistribute/partial.h"
#include "support/check.h"

enum { RANKS = 1000, RANK = 123 };

/* A world of many ranks in a dry run. */
static dt_world *open_dry(size_t memory_limit)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = RANKS;
    options.rank = RANK;
    options.memory_limit = memory_limit;
    setenv("DT_DRY_RUN", "on", 1);
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    unsetenv("DT_DRY_RUN");
    return world;
}

static size_t used_by(const dt_world *world)
{
    dt_memory_stats stats;
    dt_memory_read(world, &stats);
    return stats.used;
}

static void check_meta(const dt_tensor *tensor, int line)
{
    CHECKF(tensor && dt_array_is_meta(dt_tensor_local(tensor)), "line %d: %s",
           line, tensor ? "it has elements" : "no tensor");
}

#define CHECK_META(tensor) check_meta((tensor), __LINE__)

static void makes_tensors_without_elements(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_dry(0);
    dt_mesh *mesh = NULL;
    dt_shape shape = DT_SHAPE(RANKS, 1 << 20);
    dt_randint_options range = DT_RANDINT_OPTIONS_INIT;
    range.high = 5;
    CHECK_OK(world, dt_mesh_create(world, "dp,tp=10", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = dt_randn(mesh, "S(0)S(1)", DT_F32, shape);
    CHECK_META(x);
    CHECK_META(dt_empty(mesh, "RR", DT_F32, shape));
    CHECK_META(dt_zeros(mesh, "PS(0)", DT_F64, shape));
    CHECK_META(dt_full(mesh, "PP", DT_C64, shape, 3));
    CHECK_META(dt_arange_int(mesh, "S(0)R", DT_I64, 0, (int64_t)1 << 40, 1));
    CHECK_META(dt_randperm(mesh, "RR", DT_I64, (int64_t)1 << 40));
    CHECK_META(dt_randint(mesh, "S(1)R", DT_I32, shape, &range));
    CHECK_META(dt_ones_like(x));
    CHECK_META(dt_rand_like(x));
    CHECK_META(dt_empty_like(x));
    CHECK_META(dt_redistribute(x, "S(1)R"));
    CHECK_META(dt_redistribute(x, "RR"));
    CHECK_META(dt_redistribute(x, "PS(0)"));
    CHECK_META(dt_redistribute(dt_redistribute(x, "PP"), "RS(1)"));
    CHECK_META(dt_full_tensor(x));
    CHECK_META(dt_to_local(x));
    CHECK(dt_array_data(dt_tensor_local(x)) == NULL);
    CHECK_OK(world, dt_scope_close(scope));
    CHECK_INT(used_by(world), 0);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* An array of the program's own is spread as if it had no elements. */
static void distributes(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_dry(0);
    dt_mesh *mesh = NULL;
    dt_array *whole = NULL, *meta = NULL, *part = NULL;
    dt_shape shape = DT_SHAPE(7, 6), large = DT_SHAPE(RANKS, 1 << 20);
    CHECK_OK(world, dt_mesh_create(world, "dp,tp=10", &mesh));
    CHECK_OK(world, dt_array_create(world, DT_C64, shape, &whole));
    CHECK_OK(world, dt_array_fill(world, whole, 1));
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, large, &meta));
    dt_scope *scope = dt_scope_open(world);
    static const char *const layouts[] = {"S(0)S(1)", "S(1)S(0)", "RR", "PP",
                                          "S(1)P"};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        static const int sources[] = {RANK, 0, DT_EVERYWHERE};
        for (int j = 0; j < 3; j++) {
            CHECK_META(dt_distribute(mesh, layouts[i], DT_C64, shape, whole,
                                     sources[j]));
            CHECK_META(dt_distribute(mesh, layouts[i], DT_F32, large, meta,
                                     sources[j]));
        }
    }
    /* What the program brings stays its own. */
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.check = true;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(2, 3), &part));
    dt_tensor *made = dt_from_local_with(mesh, "S(0)R", part, &options);
    CHECK(made && dt_tensor_local(made) == part);
    CHECK_META(dt_from_local_with(mesh, "RR", meta, &options));
    CHECK_OK(world, dt_scope_close(scope));
    dt_array_release(whole);
    dt_array_release(meta);
    dt_array_release(part);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* What ranks that do not hold a partial value get: nothing is there to set. */
static void fills_no_elements(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_dry(0);
    static const dt_dtype dtypes[] = {DT_C64, DT_F32, DT_I8};
    for (int i = 0; i < 3; i++) {
        dt_array *array = NULL;
        CHECK_OK(world, dt_array_create_meta(world, dtypes[i], DT_SHAPE(2, 3),
                                             &array));
        CHECK_OK(world, dti_partial_fill(world, -0.0, array));
        CHECK_OK(world, dti_partial_fill(world, 1, array));
        CHECK(dt_array_is_meta(array));
        dt_array_release(array);
    }
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Views stand for the memory that they show, not for more. */
static void counts_memory(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_dry(0);
    dt_array *array = NULL, *view = NULL, *again = NULL, *copy = NULL;
    const int order[] = {1, 0};
    dt_memory_stats stats;
    CHECK_OK(world,
             dt_array_create_meta(world, DT_F32, DT_SHAPE(16, 16), &array));
    CHECK_INT(used_by(world), 1024);
    CHECK_OK(world, dt_array_permute(world, array, order, &view));
    CHECK_OK(world, dt_array_reshape(world, array, DT_SHAPE(256), &again));
    CHECK_INT(used_by(world), 1024);
    CHECK_OK(world, dt_array_contiguous(world, view, &copy));
    CHECK_INT(used_by(world), 2048);
    dt_array_release(array);
    dt_array_release(again);
    dt_array_release(copy);
    CHECK_INT(used_by(world), 1024);
    dt_array_release(view);
    CHECK_INT(used_by(world), 0);
    dt_memory_read(world, &stats);
    CHECK_INT(stats.peak, 2048);
    /* Outside a dry run a meta array stands for nothing. */
    world->settings.dry_run = false;
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(16), &array));
    CHECK_INT(used_by(world), 0);
    dt_array_release(array);
    world->settings.dry_run = true;
    /* Arrays may outlive their world. */
    CHECK_OK(world, dt_array_create_meta(world, DT_F32, DT_SHAPE(16), &array));
    CHECK_INT(dt_world_close(world), DT_OK);
    dt_array_release(array);
}

/* A program that would run out of memory is told so. */
static void holds_the_limit(dt_world *unused)
{
    (void)unused;
    dt_world *world = open_dry((size_t)1 << 30);
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    CHECK_META(dt_zeros(mesh, "R", DT_F32, DT_SHAPE(1 << 20, 128)));
    CHECK_META(dt_zeros(mesh, "S(0)", DT_F32, DT_SHAPE(1 << 20, 1 << 15)));
    CHECK(dt_zeros(mesh, "R", DT_F32, DT_SHAPE(1 << 20, 128)) == NULL);
    CHECK_INT(dt_scope_close(scope), DT_ERR_NO_MEMORY);
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

const dt_test dt_tests[] = {
    {"makes tensors without elements", makes_tensors_without_elements},
    {"distributes", distributes},
    {"fills no elements", fills_no_elements},
    {"counts memory", counts_memory},
    {"holds the limit", holds_the_limit},
    {NULL, NULL},
};
