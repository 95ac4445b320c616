/* base/running.c - which worlds a thread runs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/running.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/handles.h"
#include "base/world.h"

/*
 * Each thread has a list of notes, one for each of its worlds.  Only that
 * thread changes the list.  A world that another thread closes empties its
 * note, which the owner of the list frees when it comes across it: so no note
 * names a world that is gone.
 */
struct dti_world_note {
    _Atomic(dt_world *) world; /* NULL: closed */
    dt_world *buried;          /* closed by this thread; its memory is kept */
    dti_handles *handles;      /* its records, retained; or NULL */
    bool program;              /* the thread executes its program */
    dti_world_note *next;
};

DTI_THREAD_LOCAL dti_thread dti_this_thread;

/* Take the note at a place out of the list and free it. */
static void drop(dti_world_note **place)
{
    dti_world_note *gone = *place;
    *place = gone->next;
    dti_handles_release(gone->handles);
    free(gone->buried);
    free(gone);
}

/* The first world of the list; notes of those that other threads closed go. */
static DTI_COLD dt_world *find_open(void)
{
    for (dti_world_note **place = &dti_this_thread.notes; *place;) {
        dt_world *world = atomic_load(&(*place)->world);
        if (world)
            return world;
        if ((*place)->buried)
            place = &(*place)->next;
        else
            drop(place);
    }
    return NULL;
}

dt_world *dti_world_running(void)
{
    if (!dti_this_thread.notes)
        return NULL;
    dt_world *world = atomic_load_explicit(&dti_this_thread.notes->world,
                                           memory_order_acquire);
    return DTI_LIKELY(world) ? world : find_open();
}

/* Without memory the thread does not know its world: errors that no argument
 * leads to are then not recorded. */
void dti_world_enter(dt_world *world, bool program)
{
    dti_world_note *note = malloc(sizeof *note);
    if (!note)
        return;
    dti_world_note **place = &dti_this_thread.notes;
    while (!program && *place && (*place)->program)
        place = &(*place)->next;
    atomic_init(&note->world, world);
    note->buried = NULL;
    note->handles = dti_handles_retain(world->handles);
    note->program = program;
    note->next = *place;
    *place = note;
    world->note = note;
    dti_this_thread.checks |= world->handles != NULL;
}

void dti_world_leave(dt_world *world)
{
    dti_world_note *note = world->note;
    if (!note)
        return;
    world->note = NULL;
    for (dti_world_note **place = &dti_this_thread.notes; *place;
         place = &(*place)->next)
        if (*place == note) {
            drop(place);
            return;
        }
    atomic_store(&note->world, NULL);
}

/* What happens when a thread ends that has closed worlds: set once for all. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

/* Free what a thread knows of its worlds. */
static void end_thread(void *arg)
{
    dti_thread *thread = arg;
    while (thread->notes)
        drop(&thread->notes);
}

static void create_key(void)
{
    has_key = pthread_key_create(&key, end_thread) == 0;
}

/* The notes of buried worlds are the last of the list, the latest first. */
void dti_world_bury(dt_world *world)
{
    enum { most = 16 };
    int count = 0;
    pthread_once(&once, create_key);
    dti_world_note *note = calloc(1, sizeof *note);
    if (!note || !has_key || pthread_setspecific(key, &dti_this_thread) != 0) {
        free(note);
        dti_handles_release(world->handles);
        free(world);
        return;
    }
    dti_world_note **place = &dti_this_thread.notes;
    while (*place && !(*place)->buried)
        place = &(*place)->next;
    note->buried = world;
    note->handles = world->handles;
    note->next = *place;
    *place = note;
    while (*place && ++count <= most)
        place = &(*place)->next;
    if (*place)
        drop(place);
}

struct dti_handles *dti_handles_first(void)
{
    const dti_world_note *note = dti_this_thread.notes;
    while (note && !note->handles)
        note = note->next;
    return note ? note->handles : NULL;
}

bool dti_handles_ask(bool (*ask)(struct dti_handles *handles, void *arg),
                     void *arg)
{
    for (dti_world_note *note = dti_this_thread.notes; note; note = note->next)
        if (note->handles && ask(note->handles, arg))
            return true;
    return false;
}
