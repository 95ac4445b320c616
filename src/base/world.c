/* base/world.c - what hangs off a world, and reading it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/world.h"

#include <assert.h>
#include <stdlib.h>

#include <dtensor/memory.h>
#include <dtensor/settings.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/log.h"
#include "base/reference.h"
#include "base/running.h"
#include "base/scope.h"

dt_status dti_world_create(const dt_world_options *options,
                           const dti_settings *settings, int rank, int size,
                           dt_world **out, dt_error *error)
{
    dt_world_options read;
    DTI_TRY(dti_world_options_read(options, &read, error));
    dt_world *world = calloc(1, sizeof *world);
    if (!world)
        goto no_world;
    world->rank = rank;
    world->size = size;
    world->neighbours = size;
    dti_settings_copy(&world->settings, settings);
    world->log = read.log;
    world->log_arg = read.log_arg;
    world->pool = dti_pool_create(settings->memory_limit, settings->huge_pages);
    if (!world->pool)
        goto no_pool;
    if (!dti_scope_open_root(world))
        goto no_scope;
    if (settings->check_handles)
        world->handles = dti_handles_create();
    if (settings->check_handles && !world->handles)
        goto no_handles;
    dti_handle_made(world, DTI_LIVE_WORLD, world);
    dti_live_add(DTI_LIVE_WORLD, 1);
    *out = world;
    return DT_OK;

no_handles:
    dti_scope_close_all(world);
no_scope:
    dti_pool_release(world->pool);
no_pool:
    free(world);
no_world:
    return dti_error_set(error, DT_ERR_NO_MEMORY,
                         "out of memory for the world of rank %d", rank);
}

dt_status dti_world_check_reading(dt_world *world, const char *function)
{
    if (!world->capturing)
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID,
                    "%s: reads elements while a graph is captured; return the "
                    "tensor as an output and read it after dt_executor_run",
                    function);
}

void dti_world_attach(dt_world *world, dti_room room, void *state,
                      const dti_room_functions *functions)
{
    assert(!world->rooms[room].state);
    world->rooms[room].state = state;
    world->rooms[room].functions = functions;
}

void dti_world_reset(dt_world *world)
{
    dti_scope_reset(world);
    for (int i = DTI_ROOM_COUNT - 1; i >= 0; i--)
        if (world->rooms[i].state && world->rooms[i].functions->reset)
            world->rooms[i].functions->reset(world, world->rooms[i].state);
    dt_world_clear_error(world);
}

/* ---- Caches ------------------------------------------------------------- */

dt_cache_counter dt_world_cache(const dt_world *world, dt_cache cache)
{
    static const dti_room rooms[DT_CACHE_COUNT] = {
        [DT_CACHE_DECISIONS] = DTI_ROOM_OP,
        [DT_CACHE_PLANS] = DTI_ROOM_REDISTRIBUTE,
        [DT_CACHE_SPECS] = DTI_ROOM_LAYOUT};
    if (!world || (unsigned)cache >= DT_CACHE_COUNT)
        return (dt_cache_counter){0};
    const void *state = dti_world_room(world, rooms[cache]);
    return state ? world->rooms[rooms[cache]].functions->count(state)
                 : (dt_cache_counter){0};
}

/* Decisions refer to plans and both to specs: the last room first. */
dt_status dt_world_clear_caches(dt_world *world)
{
    DTI_TRY(dti_given(world, __func__, "world"));
    for (int i = DTI_ROOM_COUNT - 1; i >= 0; i--)
        if (world->rooms[i].state && world->rooms[i].functions->clear)
            DTI_TRY(
                world->rooms[i].functions->clear(world, world->rooms[i].state));
    return DT_OK;
}

/* ---- Closing ------------------------------------------------------------ */

/* Tell the log of a failure that the program has not read; returns its code. */
static dt_status report_unread(dt_world *world)
{
    const dt_error *unread = dti_world_unread(world);
    if (!unread)
        return DT_OK;
    dti_log(world, DT_LOG_WARNING,
            "the world was closed with an error that was not read: %s: %s",
            dt_status_name(unread->code), unread->message);
    return unread->code;
}

/* Close what hangs off a world.  Results go while the rooms that they use are
 * open.  The world's own scope stays until those are closed: calls under way
 * fail then. */
static void close_all(dt_world *world)
{
    dti_scope_reset(world);
    for (int room = DTI_ROOM_COUNT - 1; room >= 0; room--)
        if (world->rooms[room].state)
            world->rooms[room].functions->close(world,
                                                world->rooms[room].state);
    dti_scope_close_all(world);
    dti_handle_gone(world);
    if (world->handles)
        dti_handles_list(world);
    dti_pool_release(world->pool);
}

dt_status dt_world_close(dt_world *world)
{
    if (!world)
        return DT_OK;
    if (!dti_handle_usable(world, __func__))
        return DT_ERR_INVALID;
    DTI_ENTRY_OF_WORLD(__func__);
    dt_status status = report_unread(world);
    /* What is closed meanwhile finds its records. */
    dti_world_leave(world);
    dti_world_enter(world, true);
    close_all(world);
    dti_world_leave(world);
    if (world->handles)
        dti_world_bury(world);
    else
        free(world);
    dti_live_add(DTI_LIVE_WORLD, -1);
    return status;
}

int dt_world_rank(const dt_world *world)
{
    return world->rank;
}

int dt_world_size(const dt_world *world)
{
    return world->size;
}

const char *dt_world_transport(const dt_world *world)
{
    return world->transport;
}

const dt_error *dt_world_error(const dt_world *world)
{
    dti_scope_mark_read(world);
    return &world->latest;
}

const dt_setting *dt_world_settings(const dt_world *world, size_t *count)
{
    *count = DTI_SET_COUNT;
    return world->settings.listed;
}

void dt_memory_read(const dt_world *world, dt_memory_stats *out)
{
    dti_pool_read(world->pool, out);
}

void dt_memory_trim(dt_world *world)
{
    dti_pool_trim(world->pool);
}

void dt_memory_reset_peak(dt_world *world)
{
    dti_pool_reset_peak(world->pool);
}
