/* tests/unit/random/generator.c - generators, of worlds and of meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "random/generator.h"

#include <stdlib.h>

#include "support/check.h"
#include "unit/mesh/sim.h"

static void check_state(const dt_generator *generator, uint64_t seed,
                        uint64_t stream, uint64_t count)
{
    if (!CHECK(generator != NULL))
        return;
    const dt_generator_state state = dt_generator_get_state(generator);
    CHECKF(state.seed == seed && state.offset == 0 && state.stream == stream &&
               state.count == count,
           "seed %llu, offset %llu, stream %llu, count %llu",
           (unsigned long long)state.seed, (unsigned long long)state.offset,
           (unsigned long long)state.stream, (unsigned long long)state.count);
}

static bool same(dti_random_key a, dti_random_key b)
{
    return a.seed == b.seed && a.offset == b.offset;
}

static void counts_operations(dt_world *world)
{
    dt_generator *generator = NULL;
    CHECK_OK(world, dt_generator_create(world, 42, 3, &generator));
    check_state(generator, 42, 3, 0);
    for (uint64_t i = 0; i < 5; i++)
        CHECK(same(dti_generator_next(generator),
                   dti_random_fold((dti_random_key){42, 0}, i, 3)));
    check_state(generator, 42, 3, 5);
    dt_generator_seed(generator, 43);
    check_state(generator, 43, 3, 0);
    CHECK(same(dti_generator_next(generator),
               dti_random_fold((dti_random_key){43, 0}, 0, 3)));
    CHECK(dt_generator_retain(generator) == generator);
    dt_generator_release(generator);
    check_state(generator, 43, 3, 1);
    dt_generator_release(generator);
    dt_generator_release(NULL);
    CHECK(dt_generator_retain(NULL) == NULL);
}

static void keeps_its_state(dt_world *world)
{
    dt_generator *generator = NULL;
    CHECK_OK(world, dt_generator_create(world, 1, 2, &generator));
    const dt_generator_state odd = {7, UINT64_MAX - 1, 9, UINT64_MAX};
    dt_generator_set_state(generator, odd);
    dti_random_key first = dti_generator_next(generator);
    dti_random_key second = dti_generator_next(generator);
    /* The count wraps, as the counter does. */
    CHECK_INT(dt_generator_get_state(generator).count, 1);
    CHECK(same(first, dti_random_fold((dti_random_key){7, UINT64_MAX - 1},
                                      UINT64_MAX, 9)));
    dt_generator_state later = dt_generator_get_state(generator);
    dti_random_key third = dti_generator_next(generator);
    dt_generator_set_state(generator, odd);
    CHECK(same(dti_generator_next(generator), first));
    CHECK(same(dti_generator_next(generator), second));
    dt_generator_set_state(generator, later);
    CHECK(same(dti_generator_next(generator), third));
    dt_generator_release(generator);
}

static void outlives_its_world(dt_world *unused)
{
    dt_world *world = open_sim(4, 1);
    (void)unused;
    dt_generator *generator = dt_generator_retain(dt_world_generator(world));
    dti_generator_next(generator);
    CHECK_INT(dt_world_close(world), DT_OK);
    check_state(generator, 0, 0, 1);
    dt_generator_release(generator);
}

/* ---- Worlds ------------------------------------------------------------- */

static void has_one_for_the_world(dt_world *world)
{
    dt_generator *generator = dt_world_generator(world);
    check_state(generator, 0, 0, 0);
    CHECK(dt_world_generator(world) == generator);
    dti_generator_next(generator);
    CHECK_OK(world, dt_seed(world, 11));
    CHECK(dt_world_generator(world) == generator);
    check_state(generator, 11, 0, 0);
}

static void takes_the_seed_of_the_settings(dt_world *unused)
{
    (void)unused;
    setenv("DT_SEED", "12345678901234567890", 1);
    dt_world *world = open_sim(2, 0);
    unsetenv("DT_SEED");
    check_state(dt_world_generator(world), UINT64_C(12345678901234567890), 0,
                0);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void can_be_seeded_first(dt_world *unused)
{
    dt_world *world = open_sim(2, 0);
    (void)unused;
    CHECK_OK(world, dt_seed(world, 5));
    check_state(dt_world_generator(world), 5, 0, 0);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* ---- Meshes ------------------------------------------------------------- */

static void gives_the_worlds_to_whole_meshes(dt_world *unused)
{
    static const int ranks[] = {3, 1, 2, 0};
    dt_world *world = open_sim(4, 2);
    dt_mesh *all = NULL, *turned = NULL, *flat = NULL;
    (void)unused;
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &all));
    CHECK_OK(world, dt_mesh_create_from(world, "x=4", ranks, 4, &turned));
    CHECK_OK(world, dt_mesh_flatten(all, "dp,tp", NULL, &flat));
    dt_generator *generator = dt_world_generator(world);
    CHECK(dt_mesh_generator(all) == generator);
    CHECK(dt_mesh_generator(turned) == generator);
    CHECK(dt_mesh_generator(flat) == generator);
    dt_mesh_release(all);
    dt_mesh_release(turned);
    dt_mesh_release(flat);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* Operations on part of the ranks are not counted by the world, for the other
 * ranks know nothing of them. */
static void gives_parts_their_own(dt_world *unused)
{
    dt_world *world = open_sim(4, 2);
    dt_mesh *all = NULL, *rows = NULL, *again = NULL, *columns = NULL;
    (void)unused;
    CHECK_OK(world, dt_seed(world, 9));
    CHECK_OK(world, dt_mesh_create(world, "dp=2,tp=2", &all));
    CHECK_OK(world, dt_mesh_sub(all, "dp", &rows));
    CHECK_OK(world, dt_mesh_sub(all, "dp", &again));
    CHECK_OK(world, dt_mesh_sub(all, "tp", &columns));
    dt_generator *generator = dt_mesh_generator(rows);
    CHECK(generator != dt_world_generator(world));
    CHECK(dt_mesh_generator(again) == generator);
    CHECK(dt_mesh_generator(columns) != generator);
    check_state(generator, 9, 0, 0);
    dti_generator_next(generator);
    dti_generator_next(dt_world_generator(world));
    check_state(generator, 9, 0, 1);
    check_state(dt_world_generator(world), 9, 0, 1);
    check_state(dt_mesh_generator(columns), 9, 0, 0);
    /* Its own mesh of one rank. */
    dt_generator *own = dt_mesh_generator(dt_world_own_mesh(world));
    CHECK(own != generator && own != dt_world_generator(world));
    /* The mesh is kept with its generator. */
    dt_mesh_release(rows);
    CHECK(dt_mesh_generator(again) == generator);

    CHECK_OK(world, dt_mesh_set_stream(again, 4));
    check_state(generator, 9, 4, 1);
    check_state(dt_mesh_generator(columns), 9, 0, 0);
    /* Seeding the world seeds them all; streams stay. */
    CHECK_OK(world, dt_seed(world, 10));
    check_state(generator, 10, 4, 0);
    check_state(dt_mesh_generator(columns), 10, 0, 0);
    check_state(dt_world_generator(world), 10, 0, 0);
    dt_mesh_release(again);
    dt_mesh_release(columns);
    dt_mesh_release(all);
    CHECK_INT(dt_world_close(world), DT_OK);
}

/* A mesh that was given a stream has a generator of its own, also when it
 * happens to be the whole world. */
static void gives_streams_to_whole_meshes(dt_world *world)
{
    dt_mesh *mesh = NULL, *other = NULL;
    CHECK_OK(world, dt_mesh_create(world, "tp", &mesh));
    CHECK_OK(world, dt_mesh_create(world, "dp", &other));
    CHECK(dt_mesh_generator(mesh) == dt_world_generator(world));
    CHECK_OK(world, dt_mesh_set_stream(mesh, 6));
    CHECK(dt_mesh_generator(mesh) != dt_world_generator(world));
    check_state(dt_mesh_generator(mesh), 0, 6, 0);
    check_state(dt_world_generator(world), 0, 0, 0);
    CHECK(dt_mesh_generator(other) == dt_world_generator(world));
    dt_mesh_release(mesh);
    dt_mesh_release(other);
}

/* ---- Teams -------------------------------------------------------------- */

/* What the second program finds. */
typedef struct memory {
    dt_generator *world[2];
    dt_generator *part[2];
    dt_mesh *mesh[2];
} memory;

static dt_status first_program(dt_world *world, void *arg)
{
    memory *m = arg;
    const int rank = dt_world_rank(world);
    DT_TRY(dt_seed(world, 21));
    DT_TRY(dt_mesh_create_from(world, "x", &(int){1}, 1, &m->mesh[rank]));
    DT_TRY(dt_mesh_set_stream(m->mesh[rank], 3));
    m->world[rank] = dt_world_generator(world);
    m->part[rank] = dt_generator_retain(dt_mesh_generator(m->mesh[rank]));
    dti_generator_next(m->world[rank]);
    dti_generator_next(m->part[rank]);
    return DT_OK;
}

static dt_status second_program(dt_world *world, void *arg)
{
    memory *m = arg;
    const int rank = dt_world_rank(world);
    CHECK(dt_world_generator(world) == m->world[rank]);
    check_state(m->world[rank], 21, 0, 0);
    dt_generator *part = dt_mesh_generator(m->mesh[rank]);
    CHECK(part != m->part[rank]);
    check_state(part, 21, 0, 0);
    /* Whoever kept the old one has it as it was. */
    check_state(m->part[rank], 21, 3, 1);
    dt_generator_release(m->part[rank]);
    dt_mesh_release(m->mesh[rank]);
    return DT_OK;
}

static void starts_again_with_each_program(dt_world *unused)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_team *team = NULL;
    dt_error error;
    memory m = {{NULL}, {NULL}, {NULL}};
    (void)unused;
    options.transport = "threads";
    options.ranks = 2;
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_OK, NULL);
    CHECK_ERROR(&error, dt_team_run(team, first_program, &m, &error), DT_OK,
                NULL);
    CHECK_ERROR(&error, dt_team_run(team, second_program, &m, &error), DT_OK,
                NULL);
    dt_team_close(team);
}

const dt_test dt_tests[] = {
    {"counts operations", counts_operations},
    {"keeps its state", keeps_its_state},
    {"outlives its world", outlives_its_world},
    {"has one for the world", has_one_for_the_world},
    {"takes the seed of the settings", takes_the_seed_of_the_settings},
    {"can be seeded first", can_be_seeded_first},
    {"gives the world's to whole meshes", gives_the_worlds_to_whole_meshes},
    {"gives parts their own", gives_parts_their_own},
    {"gives streams to whole meshes", gives_streams_to_whole_meshes},
    {"starts again with each program", starts_again_with_each_program},
    {NULL, NULL},
};
