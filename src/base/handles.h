/* base/handles.h - checking that handles are used while they live. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_HANDLES_H
#define DTI_BASE_HANDLES_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/reference.h"
#include "base/running.h"
#include "base/world.h"

/*
 * With DT_CHECK_HANDLES=on a world keeps a record of each handle that it hands
 * out: its kind, the public function that created it and, later, the one that
 * closed it.  Objects are not freed at once, so that their addresses are not
 * used again while somebody may still have them.  A public function that is
 * given a handle asks dti_handle_usable before it looks at it; a misuse becomes
 * an error of the world that this thread runs, and the call does nothing else.
 *
 * Records are found by address through the worlds of the calling thread, never
 * through the object, which may be gone.  What these do not know is taken as
 * usable.
 */
typedef struct dti_handles dti_handles;

/* NULL without memory.  The world has a reference, and so has each thread that
 * runs it; any thread may use them. */
dti_handles *dti_handles_create(void);
dti_handles *dti_handles_retain(dti_handles *handles);
void dti_handles_release(dti_handles *handles);

/* Tell the log which handles of a world are open, by kind and creator. */
void dti_handles_list(dt_world *world);

/* Tell whether a world of this thread, open or closed, checks handles. */
static inline bool dti_handles_checked(void)
{
    return DTI_UNLIKELY(dti_this_thread.checks);
}

/* Record a handle that was made, and one that is gone. */
void dti_handle_record(dt_world *world, dti_live_kind kind,
                       const void *handle) DTI_COLD;
void dti_handle_record_end(const void *handle) DTI_COLD;

static inline void dti_handle_made(dt_world *world, dti_live_kind kind,
                                   const void *handle)
{
    if (DTI_UNLIKELY(world->handles != NULL))
        dti_handle_record(world, kind, handle);
}

static inline void dti_handle_gone(const void *handle)
{
    if (dti_handles_checked())
        dti_handle_record_end(handle);
}

/* Free the memory of an object; later, if handles are checked. */
void dti_handle_free_later(void *memory) DTI_COLD;

static inline void dti_handle_free(void *memory)
{
    if (dti_handles_checked())
        dti_handle_free_later(memory);
    else
        free(memory);
}

/* Find out whether a handle, perhaps NULL, may be used; if not, the error says
 * who created and who closed it. */
bool dti_handle_find_usable(const void *handle, const char *function) DTI_COLD;

static inline bool dti_handle_usable(const void *handle, const char *function)
{
    return !dti_handles_checked() || dti_handle_find_usable(handle, function);
}

/* The same for a function that reads one field of an object.  The library calls
 * these as well, many times in one operator: inside another public function,
 * which has checked its arguments, nothing is looked up. */
static inline bool dti_handle_readable(const void *handle, const char *function)
{
    return !dti_handles_checked() || dti_this_thread.entry ||
           dti_handle_find_usable(handle, function);
}

/* Check a handle that a public function needs: neither NULL nor closed. */
static inline dt_status dti_given(const void *handle, const char *function,
                                  const char *argument)
{
    if (DTI_UNLIKELY(!handle))
        return dti_fail_null(NULL, function, argument);
    return dti_handle_usable(handle, function) ? DT_OK : DT_ERR_INVALID;
}

/* Record that a handle was released by who has no reference to it. */
void dti_handle_fail_release(dt_world *world, const void *handle,
                             const char *function) DTI_COLD;

/*
 * The public function that runs, for records.  DTI_ENTRY() begins a public
 * function that creates or closes handles; inside another it does nothing.
 * DTI_ENTRY_OF_WORLD is for opening and closing a world: whether that checks
 * handles is not known before.
 */
typedef struct dti_entry {
    bool outermost;
} dti_entry;

static inline dti_entry dti_entry_begin(const char *function, bool records)
{
    if (DTI_LIKELY(!records) || dti_this_thread.entry)
        return (dti_entry){false};
    dti_this_thread.entry = function;
    return (dti_entry){true};
}

static inline void dti_entry_end(dti_entry *entry)
{
    if (DTI_UNLIKELY(entry->outermost))
        dti_this_thread.entry = NULL;
}

#define DTI_ENTRY_NAMED(function)                                              \
    DTI_AT_END(dti_entry_end)                                                  \
    dti_entry entry_ = dti_entry_begin(function, dti_this_thread.checks)
#define DTI_ENTRY() DTI_ENTRY_NAMED(__func__)
#define DTI_ENTRY_OF_WORLD(function)                                           \
    DTI_AT_END(dti_entry_end)                                                  \
    dti_entry entry_ = dti_entry_begin(function, true)

#endif
