/* tests/unit/tensor/view.c - chains of copied views. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/view.h"

#include <sys/resource.h>

#include <dtensor/dtensor.h>

#include "support/check.h"

enum { LONG = 100000 };

/* A copied view of a tensor, as an operator makes one of a shard whose strides
 * do not allow a view. */
static dt_tensor *copy_view(dt_tensor *base)
{
    dt_world *world = dt_tensor_world(base);
    dt_array *local = NULL;
    dti_copied *copied = NULL;
    CHECK_OK(world, dt_array_clone(world, base->local, &local));
    dti_copied form = {.op = "view",
                       .kind = &dti_copied_alone,
                       .spec = base->spec,
                       .local = local};
    CHECK_OK(world, dti_copied_create(base, &form, &copied));
    dt_tensor *view = dti_tensor_adopt(base->spec, local);
    if (CHECK(view != NULL))
        CHECK_OK(world, dti_tensor_relate(view, base, copied));
    dti_copied_release(copied);
    return view;
}

static float first_of(const dt_tensor *tensor)
{
    return *(const float *)dt_array_const_data(dt_tensor_local(tensor));
}

/* Let the stack grow to this size; returns the size that was allowed. */
static rlim_t limit_stack(rlim_t bytes)
{
    struct rlimit limit = {0, 0};
    CHECK_INT(getrlimit(RLIMIT_STACK, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes;
    CHECK_INT(setrlimit(RLIMIT_STACK, &limit), 0);
    return before;
}

/* Reading and writing take no more stack than for one view. */
static void reads_and_writes_long_chains(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *base =
        dt_full(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(1), 2);
    dt_tensor *last = base;
    for (int i = 0; i < LONG && last; i++)
        last = copy_view(last);
    const rlim_t before = limit_stack(1 << 19);
    if (CHECK(last != NULL)) {
        CHECK(dt_neg_(base) != NULL);
        CHECK(first_of(last) == -2);
        CHECK(dt_fill_scalar_(last, dt_real(7)) != NULL);
        CHECK(first_of(base) == 7);
    }
    CHECK_OK(world, dt_scope_close(scope));
    limit_stack(before);
}

/* A chain is read from the first stale copy on. */
static void reads_what_is_stale(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *base =
        dt_full(dt_world_own_mesh(world), "R", DT_F32, DT_SHAPE(1), 2);
    dt_tensor *near = copy_view(base), *far = copy_view(near);
    dt_tensor *other = copy_view(near);
    CHECK(dt_neg_(base) != NULL);
    CHECK(first_of(near) == -2); /* fresh, and its views are not */
    CHECK(first_of(far) == -2 && first_of(other) == -2);
    CHECK(dt_neg_(other) != NULL);
    CHECK(first_of(base) == 2 && first_of(near) == 2 && first_of(far) == 2);
    CHECK_OK(world, dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"chains of 100,000 copied views are read and written",
     reads_and_writes_long_chains},
    {"a chain is read where it is stale", reads_what_is_stale},
    {NULL, NULL},
};
