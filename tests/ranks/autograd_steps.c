/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_steps.c - memory stays flat over many steps. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>

#include "base/reference.h"
#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, STEPS = 1000, WARM = 20 };

typedef struct live {
    int64_t counts[DTI_LIVE_COUNT];
} live;

/* The objects of all ranks in this process, while none works. */
static live count_live(dt_world *world)
{
    live out;
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    for (int i = 0; i < DTI_LIVE_COUNT; i++)
        out.counts[i] = dti_live_count((dti_live_kind)i);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    return out;
}

static void check_flat(const live *before, const live *after)
{
    for (int i = 0; i < DTI_LIVE_COUNT; i++)
        CHECKF(before->counts[i] == after->counts[i], "%s: %lld, then %lld",
               dti_live_name((dti_live_kind)i), (long long)before->counts[i],
               (long long)after->counts[i]);
}

/* One step: two uses of the weights, a view that is written, an update. */
static void step(dt_world *world, dt_tensor *x, dt_tensor *w)
{
    dt_scope_options quiet = DT_SCOPE_OPTIONS_INIT;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *y = dt_mul(dt_tanh(dt_mul(x, w)), w);
    dt_tensor *part = dt_select(y, 0, 0);
    CHECK(dt_add_(part, part));
    CHECK_OK(world, dt_backward(dt_sum(y, DT_DIMS(), false)));
    quiet.gradients = DT_TRISTATE_OFF;
    dt_scope *update = dt_scope_open_with(world, &quiet);
    CHECK(dt_add_(w, dt_mul(dt_tensor_grad(w), w)));
    CHECK_OK(world, dt_scope_close(update));
    CHECK_OK(world, dt_tensor_set_grad(w, NULL));
    CHECK_OK(world, dt_scope_close(scope));
}

static void objects_stay_the_same(dt_world *world)
{
    fixture f = open_fixture(world);
    live before = {{0}};
    dt_tensor *x = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS), 0);
    dt_tensor *w =
        dt_requires_grad(dt_full(f.mesh, "R", DT_F32, DT_SHAPE(1, COLUMNS), 0));
    for (int i = 0; i < STEPS; i++) {
        step(world, x, w);
        if (i == WARM)
            before = count_live(world);
    }
    const live after = count_live(world);
    check_flat(&before, &after);
    close_without_errors(&f);
}

const dt_test dt_tests[] = {
    {"objects stay the same over 1000 steps", objects_stay_the_same},
    {NULL, NULL},
};
