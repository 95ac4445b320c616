/* base/scope.h - what a scope owns. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_SCOPE_H
#define DTI_BASE_SCOPE_H

#include <stdbool.h>

#include <dtensor/scope.h>

#include "base/world.h"

/* Something that a scope owns: embedded in the owned object. */
typedef struct dti_owned {
    struct dti_owned *next;
    struct dti_owned *previous;
    dt_scope *scope; /* NULL while no scope owns it */
    void (*release)(struct dti_owned *owned);
} dti_owned;

/* What holds inside a scope: found when it opens, so that it costs nothing to
 * ask. */
typedef struct dti_scope_rules {
    dt_scope_mode mode; /* never DT_SCOPE_INHERIT */
    bool replicates;
    bool records;              /* calls are recorded for gradients */
    struct dti_budget *budget; /* the innermost, of the room trace; or NULL */
    const struct dt_packing *packing; /* of what gradients need; or NULL */
} dti_scope_rules;

struct dt_scope {
    dt_world *world;
    dt_scope *parent; /* NULL for the world's own scope */
    dti_scope_rules rules;
    dt_error first;  /* the first failure inside; in the world's own scope the
                        first that was not read, or else the latest */
    bool unread;     /* the program has not asked for it */
    dti_owned owned; /* head of a ring */
};

/* What an operator does when an input must be redistributed first. */
static inline dt_scope_mode dti_scope_mode(const dt_world *world)
{
    return world->scope->rules.mode;
}

/* Tell whether tensors of this rank's own mesh are taken as replicated. */
static inline bool dti_scope_replicates(const dt_world *world)
{
    return world->scope->rules.replicates;
}

/* Tell whether calls are recorded for gradients. */
static inline bool dti_scope_records(const dt_world *world)
{
    return world->scope->rules.records;
}

/* Work out what holds inside a scope with these options, which may be NULL, but
 * for its budget. */
dt_status dti_scope_resolve(dt_world *world, const dt_scope_options *options,
                            dti_scope_rules *out);

/* Open a scope with rules.  NULL without memory. */
dt_scope *dti_scope_open_under(dt_world *world, const dti_scope_rules *rules);

/* Release what a scope owns, the latest first. */
void dti_scope_empty(dt_scope *scope);

/* Close the innermost scope; its first error becomes one of the scope around
 * it. */
void dti_scope_close_inner(dt_scope *scope);

/* Let the innermost scope of the world own an object, which no scope owns. */
void dti_scope_adopt(dt_world *world, dti_owned *owned,
                     void (*release)(dti_owned *owned));

/* Take an object out of its scope without releasing it. */
void dti_scope_forget(dti_owned *owned);

/* Let the scope around the one that owns an object own it; nothing if that is
 * the world's own or none. */
void dti_scope_hand_up(dti_owned *owned);

/* Open the world's own scope, in which all others lie.  NULL without memory. */
dt_scope *dti_scope_open_root(dt_world *world);

/* Note that the program has read the failures of all open scopes. */
void dti_scope_mark_read(const dt_world *world);

/* Close every scope, the world's own included. */
void dti_scope_close_all(dt_world *world);

/* Close all but the world's own, and empty that. */
void dti_scope_reset(dt_world *world);

#endif
