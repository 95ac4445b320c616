/* tests/unit/base/world.c - what hangs off a world; remarks; references. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/world.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/reference.h"
#include "base/scope.h"
#include "support/check.h"

/* What was logged, and which rooms were closed in which order. */
typedef struct notes {
    char text[256];
    int rank;
    dt_log_level level;
    int remarks;
    int closed[DTI_ROOM_COUNT];
    int closes;
    int resets;
} notes;

static void take_note(void *arg, dt_log_level level, int rank,
                      const char *message)
{
    notes *n = arg;
    n->remarks++;
    n->rank = rank;
    n->level = level;
    snprintf(n->text, sizeof n->text, "%s", message);
}

static dt_world *create(dt_world_options *options, int rank, int size)
{
    dti_settings settings;
    dt_world *world = NULL;
    dt_error error;
    CHECK_ERROR(&error, dti_settings_read(options, &settings, &error), DT_OK,
                NULL);
    CHECK_ERROR(
        &error,
        dti_world_create(options, &settings, rank, size, &world, &error), DT_OK,
        NULL);
    return world;
}

static void knows_its_place(dt_world *unused)
{
    (void)unused;
    dt_world *world = create(NULL, 3, 9);
    CHECK_INT(dt_world_rank(world), 3);
    CHECK_INT(dt_world_size(world), 9);
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    CHECK(dti_world_room(world, DTI_ROOM_COMM) == NULL);
    dti_log(world, DT_LOG_WARNING, "nobody listens");
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_INT(dt_world_close(NULL), DT_OK);
}

static void passes_remarks_on(dt_world *unused)
{
    (void)unused;
    notes n = {.remarks = 0};
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.log = take_note;
    options.log_arg = &n;
    options.log_level = DT_LOG_INFO;
    dt_world *world = create(&options, 2, 4);
    dti_log(world, DT_LOG_INFO, "remark %d", 5);
    CHECK_TEXT(n.text, "remark 5");
    CHECK_INT(n.rank, 2);
    CHECK_INT(n.level, DT_LOG_INFO);
    dti_log(world, DT_LOG_DEBUG, "not wanted");
    CHECK_INT(n.remarks, 1);
    dti_log(world, DT_LOG_WARNING, "wanted");
    CHECK_INT(n.remarks, 2);
    CHECK_INT(dt_world_close(world), DT_OK);
    options.log_level = DT_LOG_OFF;
    world = create(&options, 2, 4);
    dti_log(world, DT_LOG_WARNING, "not wanted");
    CHECK_INT(n.remarks, 2);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void close_trace(dt_world *world, void *state)
{
    notes *n = state;
    (void)world;
    n->closed[n->closes++] = DTI_ROOM_TRACE;
}

static void close_mesh(dt_world *world, void *state)
{
    notes *n = state;
    (void)world;
    n->closed[n->closes++] = DTI_ROOM_MESH;
}

static void reset_mesh(dt_world *world, void *state)
{
    notes *n = state;
    (void)world;
    n->resets++;
}

static void closes_rooms_in_reverse(dt_world *unused)
{
    static const dti_room_functions trace = {.close = close_trace};
    static const dti_room_functions mesh = {.close = close_mesh,
                                            .reset = reset_mesh};
    (void)unused;
    notes n = {.closes = 0};
    dt_world *world = create(NULL, 0, 1);
    dti_world_attach(world, DTI_ROOM_TRACE, &n, &trace);
    dti_world_attach(world, DTI_ROOM_MESH, &n, &mesh);
    CHECK(dti_world_room(world, DTI_ROOM_MESH) == &n);
    dti_fail(world, DT_ERR_IO, "of the program before");
    dti_world_reset(world);
    CHECK_INT(n.resets, 1);
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_INT(n.closes, 2);
    CHECK_INT(n.closed[0], DTI_ROOM_MESH);
    CHECK_INT(n.closed[1], DTI_ROOM_TRACE);
}

/* A result that must go while rooms are open. */
typedef struct result {
    dti_owned owned;
    const notes *notes;
    int closes; /* of rooms, before it was released */
} result;

static void release_result(dti_owned *owned)
{
    result *r = (result *)(void *)((char *)owned - offsetof(result, owned));
    r->closes = r->notes->closes;
}

static void close_and_fail(dt_world *world, void *state)
{
    notes *n = state;
    n->closes++;
    CHECK_INT(dti_fail(world, DT_ERR_COMM, "a call under way"), DT_ERR_COMM);
    CHECK_TEXT(dt_scope_error(world->scope)->message, "a call under way");
}

/* Results are released before rooms close, and rooms may fail while they do. */
static void closes_rooms_that_fail(dt_world *unused)
{
    static const dti_room_functions functions = {.close = close_and_fail};
    (void)unused;
    notes n = {.closes = 0};
    result results[2] = {{.notes = &n, .closes = -1},
                         {.notes = &n, .closes = -1}};
    dt_world *world = create(NULL, 0, 1);
    dti_world_attach(world, DTI_ROOM_COMM, &n, &functions);
    dti_scope_adopt(world, &results[0].owned, release_result);
    CHECK(dt_scope_open(world) != NULL);
    dti_scope_adopt(world, &results[1].owned, release_result);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_INT(n.closes, 1);
    CHECK_INT(results[0].closes, 0);
    CHECK_INT(results[1].closes, 0);
}

static void reads_its_memory(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_memory_stats stats;
    options.memory_limit = 1 << 20;
    dt_world *world = create(&options, 0, 1);
    dt_memory_read(world, &stats);
    CHECK_INT(stats.limit, 1 << 20);
    CHECK_INT(stats.used, 0);
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1000), &array));
    dt_memory_read(world, &stats);
    CHECK(stats.used >= 4000 && stats.peak == stats.used);
    CHECK_FAILS(world,
                dt_array_create(world, DT_F32, DT_SHAPE(1 << 20), &array),
                DT_ERR_NO_MEMORY,
                "cannot allocate 4194304 bytes for an array of f32 and shape "
                "(1048576,); 4096 of the 1048576 bytes of the memory limit");
    dt_array_release(array);
    dt_memory_read(world, &stats);
    CHECK_INT(stats.used, 0);
    CHECK(stats.peak >= 4000);
    dt_memory_reset_peak(world);
    dt_memory_trim(world);
    dt_memory_read(world, &stats);
    CHECK_INT(stats.peak, 0);
    CHECK_INT(stats.kept, 0);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void counts_references(dt_world *world)
{
    (void)world;
    dti_reference reference;
    dti_reference_init(&reference);
    dti_reference_retain(&reference);
    CHECK(!dti_reference_release(&reference));
    CHECK(dti_reference_release(&reference));
    for (int i = 0; i < DTI_LIVE_COUNT; i++)
        CHECK(dti_live_name((dti_live_kind)i)[0] != '\0');
    int64_t before = dti_live_count(DTI_LIVE_MESH);
    dti_live_add(DTI_LIVE_MESH, 2);
    int64_t between = dti_live_count(DTI_LIVE_MESH);
    dti_live_add(DTI_LIVE_MESH, -2);
    CHECK(before < 0 || between == before + 2);
    CHECK_INT(dti_live_count(DTI_LIVE_MESH), before);
}

const dt_test dt_tests[] = {
    {"knows its place", knows_its_place},
    {"passes remarks on", passes_remarks_on},
    {"closes rooms in reverse", closes_rooms_in_reverse},
    {"closes rooms that fail", closes_rooms_that_fail},
    {"reads its memory", reads_its_memory},
    {"counts references", counts_references},
    {NULL, NULL},
};
