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

/* Note for this thread that a world was closed, so that a second close is
 * noticed, and tell whether one was.  The world's memory, which is the note's
 * then, is kept for a while, so that no other world has its address. */
void dti_world_bury(dt_world *world);
bool dti_world_is_buried(const dt_world *world);

/* The records of the world that this thread runs; NULL if it does not check. */
struct dti_handles *dti_handles_running(void);

/* Ask the records of all worlds of this thread until one says yes. */
bool dti_handles_ask(bool (*ask)(struct dti_handles *handles, void *arg),
                     void *arg);

#endif
