/* tests/unit/tensor/tensor.c - tensors of one rank: owners and facts. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/tensor.h>

#include <dtensor/create.h>

#include "base/reference.h"
#include "support/check.h"
#include "unit/layout/specs.h"

/* ---- Who owns a tensor -------------------------------------------------- */

/* Check how many tensors exist, where that is counted. */
static void check_count(int64_t expected)
{
    int64_t count = dti_live_count(DTI_LIVE_TENSOR);
    if (count >= 0)
        CHECK_INT(count, expected);
}

static dt_tensor *some(dt_world *world)
{
    return dt_zeros(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(2, 3));
}

static void scopes_release_what_they_own(dt_world *world)
{
    dt_scope *outer = dt_scope_open(world);
    CHECK(some(world));
    dt_scope *inner = dt_scope_open(world);
    CHECK(some(world) && some(world));
    check_count(3);
    CHECK_OK(world, dt_scope_close(inner));
    check_count(1);
    CHECK_OK(world, dt_scope_close(outer));
    check_count(0);
    CHECK(some(world)); /* the world's own scope has it */
    check_count(1);
}

static void retained_tensors_stay(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *tensor = some(world);
    CHECK(dt_tensor_retain(tensor) == tensor);
    CHECK_OK(world, dt_scope_close(scope));
    check_count(1);
    CHECK_INT(dt_tensor_count(tensor), 6);
    dt_tensor_retain(tensor);
    dt_tensor_release(tensor);
    CHECK_INT(dt_tensor_count(tensor), 6);
    /* No scope has it any more. */
    CHECK(dt_scope_keep(tensor) == tensor);
    dt_tensor_release_early(tensor);
    check_count(1);
    dt_tensor_release(tensor);
    check_count(0);
}

static void kept_tensors_go_up(dt_world *world)
{
    dt_scope *outer = dt_scope_open(world);
    dt_scope *inner = dt_scope_open(world);
    dt_tensor *kept = dt_scope_keep(some(world));
    CHECK(some(world));
    CHECK_OK(world, dt_scope_close(inner));
    check_count(1);
    CHECK_INT(dt_tensor_ndim(kept), 2);
    /* One step at a time; then the world's own scope has it, and keeps it. */
    CHECK(dt_scope_keep(kept) == kept);
    CHECK_OK(world, dt_scope_close(outer));
    check_count(1);
    CHECK(dt_scope_keep(kept) == kept);
    CHECK_INT(dt_tensor_ndim(kept), 2);
    dt_tensor_release_early(kept);
    check_count(0);
}

static void dropped_tensors_go_at_once(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *first = some(world), *second = some(world);
    dt_tensor_release_early(first);
    check_count(1);
    dt_tensor_retain(second);
    dt_tensor_release_early(second);
    dt_tensor_release_early(second); /* it is out already */
    check_count(1);
    CHECK_OK(world, dt_scope_close(scope));
    check_count(1);
    dt_tensor_release(second);
    check_count(0);
}

static void nothing_is_allowed(dt_world *world)
{
    (void)world;
    CHECK(!dt_tensor_retain(NULL));
    CHECK(!dt_scope_keep(NULL));
    dt_tensor_release(NULL);
    dt_tensor_release_early(NULL);
    dt_tensor_print(NULL);
}

/* A tensor may be let go of after its world was closed. */
static void outlives_its_world(dt_world *unused)
{
    grid on = open_grid(4, 1, "x");
    (void)unused;
    dt_tensor *tensor =
        dt_tensor_retain(dt_ones(on.mesh, "S(0)", DT_F32, DT_SHAPE(10)));
    dt_array *array = dt_array_retain(dt_tensor_local(tensor));
    close_grid(&on);
    dt_tensor_release(tensor);
    CHECK_INT(dt_array_count(array), 3);
    CHECK(*(const float *)dt_array_const_data(array) == 1);
    dt_array_release(array);
    check_count(0);
}

/* Expressions nest: the first error is kept, and stays the reason. */
static void first_errors_are_kept(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_array *array = NULL;
    dt_spec *spec = NULL;
    dt_tensor *bad =
        dt_zeros(dt_world_own_mesh(world), "S(5)", DT_F32, DT_SHAPE(2));
    CHECK(!bad);
    CHECK(!dt_to_local(dt_ones_like(dt_to_local(bad))));
    CHECK(!dt_rand_like(bad));
    CHECK_INT(dt_tensor_get(bad, NULL, NULL), DT_ERR_INVALID);
    CHECK_INT(dt_tensor_put(bad, NULL, NULL), DT_ERR_INVALID);
    CHECK_INT(dt_tensor_disassemble(bad, &array, &spec), DT_ERR_INVALID);
    CHECK(!dt_zeros(dt_world_own_mesh(world), "S(6)", DT_F32, DT_SHAPE(2)));
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID, "S(5)");
    check_count(0);
}

/* ---- What a tensor is --------------------------------------------------- */

static void says_what_it_is(dt_world *unused)
{
    grid on = open_grid(6, 5, "a=2,b=3");
    (void)unused;
    dt_tensor *tensor = dt_ones(on.mesh, "S(1)R", DT_I16, DT_SHAPE(4, 7, 2));
    if (CHECK(tensor)) {
        CHECK(dt_tensor_world(tensor) == on.world);
        CHECK(dt_tensor_mesh(tensor) == on.mesh);
        CHECK(dt_tensor_dtype(tensor) == DT_I16);
        CHECK_INT(dt_tensor_ndim(tensor), 3);
        CHECK_INT(dt_tensor_count(tensor), 56);
        CHECK_INT(dt_tensor_extent(tensor, 1), 7);
        CHECK_INT(dt_tensor_stride(tensor, 0), 14);
        CHECK_INT(dt_tensor_stride(tensor, 2), 1);
        CHECK_INT(dt_tensor_extent(tensor, 3), 0);
        CHECK_INT(dt_tensor_stride(tensor, 3), 0);
        CHECK_INT(dt_tensor_extent(tensor, DT_MAX_NDIM), 0);
        CHECK(dt_tensor_layout(tensor) ==
              dt_spec_layout(dt_tensor_spec(tensor)));
        CHECK(dt_shape_equal(dt_array_shape(dt_tensor_local(tensor)),
                             DT_SHAPE(4, 3, 2)));
        CHECK(!dt_tensor_mask(tensor));
    }
    close_grid(&on);
}

/* ---- Simulated ranks ---------------------------------------------------- */

/* Where nothing is carried, parts have the right shapes and nothing is read. */
static void simulates(dt_world *unused)
{
    grid on = open_grid(1000, 999, "x");
    dt_array *whole = NULL;
    (void)unused;
    CHECK_OK(on.world,
             dt_array_create_meta(on.world, DT_F32, DT_SHAPE(2999, 4), &whole));
    dt_tensor *spread =
        dt_distribute(on.mesh, "S(0)", DT_F32, DT_SHAPE(2999, 4), whole, 999);
    if (CHECKF(spread, "%s", dt_world_error(on.world)->message)) {
        CHECK(dt_shape_equal(dt_array_shape(dt_tensor_local(spread)),
                             DT_SHAPE(2, 4)));
        CHECK_FAILS(on.world, dt_tensor_get(spread, NULL, NULL),
                    DT_ERR_UNSUPPORTED, "sim");
        CHECK_FAILS(on.world, dt_tensor_put(spread, NULL, NULL),
                    DT_ERR_UNSUPPORTED, "sim");
    }
    dt_tensor *everywhere = dt_distribute(
        on.mesh, "S(1)", DT_F32, DT_SHAPE(2999, 4), whole, DT_EVERYWHERE);
    CHECK(everywhere && dt_array_count(dt_tensor_local(everywhere)) == 0);
    dt_array_release(whole);
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.check = true;
    CHECK_OK(on.world, dt_array_create(on.world, DT_F32, DT_SHAPE(3), &whole));
    CHECK_OK(on.world, dt_array_fill(on.world, whole, 1));
    dt_tensor *made = dt_from_local_with(on.mesh, "S(0)", whole, &options);
    CHECK(made && dt_tensor_count(made) == 3000);
    dt_array_release(whole);
    close_grid(&on);
}

const dt_test dt_tests[] = {
    {"scopes release what they own", scopes_release_what_they_own},
    {"retained tensors stay", retained_tensors_stay},
    {"kept tensors go up", kept_tensors_go_up},
    {"dropped tensors go at once", dropped_tensors_go_at_once},
    {"nothing is allowed", nothing_is_allowed},
    {"outlives its world", outlives_its_world},
    {"first errors are kept", first_errors_are_kept},
    {"says what it is", says_what_it_is},
    {"simulates", simulates},
    {NULL, NULL},
};
