/* base/handles.c - checking that handles are used while they live. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/handles.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"

/* Objects whose memory is not freed yet. */
enum { kept_objects = 4096 };

/* A handle: who made it and, once it is closed, who did that. */
typedef struct record {
    const void *handle;
    dti_live_kind kind;
    bool closed;
    char creator[48];
    char closer[48];
    uint64_t freed;                 /* objects freed when it was closed */
    struct record *next, *previous; /* of those closed, from the oldest */
} record;

struct dti_handles {
    dti_reference reference;
    pthread_mutex_t lock;        /* over everything below */
    dti_map records;             /* by address */
    record *oldest, *newest;     /* closed */
    uint64_t freed;              /* objects, so far */
    void *objects[kept_objects]; /* a ring of the latest */
};

/* ---- All handles of a world --------------------------------------------- */

dti_handles *dti_handles_create(void)
{
    dti_handles *handles = calloc(1, sizeof *handles);
    if (!handles)
        return NULL;
    dti_reference_init(&handles->reference);
    pthread_mutex_init(&handles->lock, NULL);
    return handles;
}

dti_handles *dti_handles_retain(dti_handles *handles)
{
    if (handles)
        dti_reference_retain(&handles->reference);
    return handles;
}

void dti_handles_release(dti_handles *handles)
{
    size_t cursor = 0;
    record *each;
    if (!handles || !dti_reference_release(&handles->reference))
        return;
    while ((each = dti_map_next(&handles->records, &cursor)))
        free(each);
    dti_map_clear(&handles->records);
    for (int i = 0; i < kept_objects; i++)
        free(handles->objects[i]);
    pthread_mutex_destroy(&handles->lock);
    free(handles);
}

/* ---- Records ------------------------------------------------------------ */

/* A handle, and a copy of its record if there is one; else `found.handle` is
 * NULL. */
typedef struct search {
    const void *handle;
    record found;
} search;

static bool is_of(const void *value, const void *key)
{
    return ((const record *)value)->handle == key;
}

static uint64_t hash_of(const void *handle)
{
    return dti_hash_mix(0, (uint64_t)(uintptr_t)handle);
}

/* Find a record; NULL if there is none.  Under the lock, as all below. */
static record *find(const dti_handles *handles, const void *handle)
{
    return dti_map_find(&handles->records, hash_of(handle), handle, is_of);
}

/* Take a record out of the list of those closed. */
static void unlink_closed(dti_handles *handles, const record *gone)
{
    *(gone->previous ? &gone->previous->next : &handles->oldest) = gone->next;
    *(gone->next ? &gone->next->previous : &handles->newest) = gone->previous;
}

/* Drop the record of a handle that is closed. */
static void forget(dti_handles *handles, record *gone)
{
    unlink_closed(handles, gone);
    dti_map_remove(&handles->records, hash_of(gone->handle), gone->handle,
                   is_of);
    free(gone);
}

/* A record for an address, new or that of a handle that was closed: its memory
 * is used again.  NULL without memory. */
static record *take_record(dti_handles *handles, const void *handle)
{
    record *taken = find(handles, handle);
    if (taken) {
        if (taken->closed)
            unlink_closed(handles, taken);
        return taken;
    }
    taken = malloc(sizeof *taken);
    if (!taken)
        return NULL;
    taken->handle = handle;
    if (dti_map_add(&handles->records, hash_of(handle), taken) == DT_OK)
        return taken;
    free(taken);
    return NULL;
}

/* Write the name of the public function that runs; operators come without
 * "dt_". */
static void write_entry(char *out, size_t size)
{
    const char *name = dti_this_thread.entry;
    bool prefixed = !name || strncmp(name, "dt_", 3) == 0;
    snprintf(out, size, "%s%.40s", prefixed ? "" : "dt_",
             name ? name : "the library");
}

void dti_handle_record(dt_world *world, dti_live_kind kind, const void *handle)
{
    dti_handles *handles = world->handles;
    pthread_mutex_lock(&handles->lock);
    record *made = take_record(handles, handle);
    if (made) {
        made->kind = kind;
        made->closed = false;
        write_entry(made->creator, sizeof made->creator);
    }
    pthread_mutex_unlock(&handles->lock);
}

static void close_record(dti_handles *handles, record *gone)
{
    gone->closed = true;
    gone->freed = handles->freed;
    write_entry(gone->closer, sizeof gone->closer);
    gone->next = NULL;
    gone->previous = handles->newest;
    *(handles->newest ? &handles->newest->next : &handles->oldest) = gone;
    handles->newest = gone;
}

static bool close_in(dti_handles *handles, void *arg)
{
    const search *by = arg;
    pthread_mutex_lock(&handles->lock);
    record *gone = find(handles, by->handle);
    if (gone && !gone->closed)
        close_record(handles, gone);
    /* Its memory is kept by the first records; no other knows when it is used
     * again. */
    if (gone && handles != dti_handles_first())
        forget(handles, gone);
    pthread_mutex_unlock(&handles->lock);
    return gone;
}

void dti_handle_record_end(const void *handle)
{
    search by = {.handle = handle};
    dti_handles_ask(close_in, &by);
}

void dti_handle_free_later(void *memory)
{
    dti_handles *handles = dti_handles_first();
    if (!handles) {
        free(memory);
        return;
    }
    pthread_mutex_lock(&handles->lock);
    void **place = &handles->objects[handles->freed++ % kept_objects];
    free(*place);
    *place = memory;
    /* The memory of a handle comes here after the handle was closed: records
     * that go now go before the addresses are used again. */
    while (handles->oldest &&
           handles->oldest->freed + kept_objects <= handles->freed)
        forget(handles, handles->oldest);
    pthread_mutex_unlock(&handles->lock);
}

/* ---- Checking ----------------------------------------------------------- */

static bool copy_from(dti_handles *handles, void *arg)
{
    search *by = arg;
    pthread_mutex_lock(&handles->lock);
    const record *found = find(handles, by->handle);
    if (found)
        by->found = *found;
    pthread_mutex_unlock(&handles->lock);
    return found;
}

bool dti_handle_find_usable(const void *handle, const char *function)
{
    search by = {.handle = handle};
    if (!handle || !dti_handles_ask(copy_from, &by) || !by.found.closed)
        return true;
    dt_world *world = dti_world_running();
    if (world)
        dti_fail(world, DT_ERR_INVALID,
                 "%s: use of a closed %s, created by %s and closed by %s",
                 function, dti_live_name(by.found.kind), by.found.creator,
                 by.found.closer);
    return false;
}

void dti_handle_fail_release(dt_world *world, const void *handle,
                             const char *function)
{
    search by = {.handle = handle};
    bool known = world->handles && copy_from(world->handles, &by);
    dti_fail(world, DT_ERR_INVALID,
             "%s: the tensor%s%s belongs to its scope and was not retained; "
             "call dt_tensor_retain first, or dt_tensor_release_early",
             function, known ? ", created by " : "", by.found.creator);
}

/* ---- What is left ------------------------------------------------------- */

/* Count the open handles that a record stands for; 0 if an earlier one did. */
static int count_alike(const dti_handles *handles, const record *one)
{
    size_t cursor = 0;
    int count = 0;
    const record *each;
    while ((each = dti_map_next(&handles->records, &cursor))) {
        if (each->closed || each->kind != one->kind ||
            strcmp(each->creator, one->creator) != 0)
            continue;
        if (count == 0 && each != one)
            return 0;
        count++;
    }
    return count;
}

/* The world closes: nobody else changes its records. */
void dti_handles_list(dt_world *world)
{
    size_t cursor = 0;
    const record *each;
    while ((each = dti_map_next(&world->handles->records, &cursor))) {
        int count = each->closed ? 0 : count_alike(world->handles, each);
        if (count > 0)
            dti_log(
                world, DT_LOG_WARNING,
                "the world was closed with %d %s%s not released, created by %s",
                count, dti_live_name(each->kind), count > 1 ? "s" : "",
                each->creator);
    }
}
