/* base/running.h - which worlds a thread runs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_RUNNING_H
#define DTI_BASE_RUNNING_H

#include <stdbool.h>

#include <dtensor/world.h>

#include "base/attributes.h"

/*
 * The world that this thread runs, for calls whose arguments tell none: the one
 * whose program it executes (dt_main, dt_world_run, a team), or else the one
 * that it opened last and has not closed.  NULL if there is none, as on threads
 * that a program started itself.
 *
 * What a thread knows of its worlds is the only variable of the library outside
 * worlds.
 */
dt_world *dti_world_running(void);

/* What a thread knows of its worlds. */
typedef struct dti_thread {
    struct dti_world_note *notes; /* of its worlds, the running one first */
    const char *entry; /* the public function that runs; see handles.h */
    bool checks;       /* one of its worlds, perhaps gone, checks handles */
} dti_thread;

extern DTI_THREAD_LOCAL dti_thread dti_this_thread;

/* Note that this thread runs a world: its program, or it has opened it. */
void dti_world_enter(dt_world *world, bool program);

/* Undo dti_world_enter, on any thread; nothing if the world was not entered. */
void dti_world_leave(dt_world *world);

/* Keep the records and the memory of a world that was closed for a while, so
 * that this thread notices when the world, or a handle of it, is used again.
 * Takes over both. */
void dti_world_bury(dt_world *world);

/* The records that keep the memory of objects which this thread frees: those of
 * the first of its worlds that checks handles; NULL if none does. */
struct dti_handles *dti_handles_first(void);

/* Ask the records of all worlds of this thread, open and buried, until one says
 * yes. */
bool dti_handles_ask(bool (*ask)(struct dti_handles *handles, void *arg),
                     void *arg);

#endif
