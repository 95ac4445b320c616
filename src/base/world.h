/* base/world.h - what hangs off a world. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_WORLD_H
#define DTI_BASE_WORLD_H

#include <dtensor/world.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/settings.h"

/* Rooms that keep something in a world, in the order in which they are opened;
 * they are closed in reverse. */
typedef enum dti_room {
    DTI_ROOM_WORK,
    DTI_ROOM_TRACE,
    DTI_ROOM_COMM,
    DTI_ROOM_MESH,
    DTI_ROOM_LAYOUT,
    DTI_ROOM_REDISTRIBUTE,
    DTI_ROOM_RANDOM,
    DTI_ROOM_OP,
    DTI_ROOM_AUTOGRAD,
    DTI_ROOM_CHECKPOINT,
    DTI_ROOM_COUNT
} dti_room;

/* What a room does with its state; all but `close` may be NULL. */
typedef struct dti_room_functions {
    /* When the world closes. */
    void (*close)(dt_world *world, void *state);
    /* Between two programs of a team. */
    void (*reset)(dt_world *world, void *state);
    /* The state of the room's cache, and dropping what nobody uses of it. */
    dt_cache_counter (*count)(const void *state);
    dt_status (*clear)(dt_world *world, void *state);
} dti_room_functions;

/* A thread's note of a world; see running.c. */
typedef struct dti_world_note dti_world_note;

struct dt_world {
    int rank;
    int size;
    int neighbours;        /* its ranks on this machine, this one included */
    const char *transport; /* static */
    dti_settings settings;
    dti_pool *pool;
    dt_log_function log;
    void *log_arg;
    dt_error latest;             /* what dt_world_error gives */
    struct dt_scope *scope;      /* the innermost; never NULL */
    struct dt_scope *root;       /* the world's own, around all others */
    struct dti_handles *handles; /* records of them; NULL if not checked */
    dti_world_note *note;        /* of the thread that runs it; or NULL */
    bool capturing; /* calls become a graph: elements cannot be read */
    struct {
        void *state;
        const dti_room_functions *functions;
    } rooms[DTI_ROOM_COUNT];
};

/*
 * Create a world with nothing but base in it.  Rooms above add theirs with
 * dti_world_attach; dt_world_open and teams (comm) do both.
 */
dt_status dti_world_create(const dt_world_options *options,
                           const dti_settings *settings, int rank, int size,
                           dt_world **out, dt_error *error);

/* Fail if a graph is being captured: `function` reads elements, which a later
 * run of the graph would not do. */
dt_status dti_world_check_reading(dt_world *world, const char *function);

/* Hang a room's state off the world. */
void dti_world_attach(dt_world *world, dti_room room, void *state,
                      const dti_room_functions *functions);

/* Make a world ready for another program: scopes are closed, the error is
 * cleared, rooms are reset.  Groups and what was retained stay. */
void dti_world_reset(dt_world *world);

/* The first failure that the program has neither read nor cleared; NULL if
 * there is none. */
const dt_error *dti_world_unread(const dt_world *world);

static inline void *dti_world_room(const dt_world *world, dti_room room)
{
    return world->rooms[room].state;
}

#endif
