/* tests/fault/random.c - generators and orders without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include "random/draw.h"
#include "random/generator.h"

/* What all generators of a world need, the first of each. */
static dt_status make_generators(dt_world *world, dt_mesh *part)
{
    dt_generator *mine = NULL;
    DT_TRY(dt_generator_create(world, 1, 2, &mine));
    dt_generator_release(mine);
    if (!dt_world_generator(world))
        return dt_world_error(world)->code;
    DT_TRY(dt_seed(world, 3));
    if (!dt_mesh_generator(part))
        return dt_world_error(world)->code;
    return dt_mesh_set_stream(dt_world_own_mesh(world), 4);
}

static dt_status use_generators(void *arg, dt_error *error)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_mesh *mesh = NULL, *part = NULL;
    (void)arg;
    options.transport = "sim";
    options.ranks = 4;
    DT_TRY(dt_world_open(&options, &world, error));
    dt_status status = dt_mesh_create(world, "dp=2,tp=2", &mesh);
    if (status == DT_OK)
        status = dt_mesh_sub(mesh, "tp", &part);
    if (status == DT_OK && !dt_world_own_mesh(world))
        status = dt_world_error(world)->code;
    if (status == DT_OK)
        status = make_generators(world, part);
    if (status != DT_OK)
        *error = *dt_world_error(world);
    dt_mesh_release(mesh);
    dt_mesh_release(part);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static void makes_generators(dt_world *world)
{
    (void)world;
    fail_each("generators", use_generators, NULL, 15);
}

static dt_status make_order(void *arg, dt_error *error)
{
    dt_world *world = arg;
    int64_t order[1000];
    dt_check_forget(world);
    dt_status status =
        dti_random_permutation(world, (dti_random_key){1, 2}, 1000, order);
    *error = *dt_world_error(world);
    return status;
}

static void makes_orders(dt_world *world)
{
    fail_each("dti_random_permutation", make_order, world, 2);
}

const dt_test dt_tests[] = {
    {"makes generators", makes_generators},
    {"makes orders", makes_orders},
    {NULL, NULL},
};
