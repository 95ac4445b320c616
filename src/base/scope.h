/* base/scope.h - what a scope owns. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_SCOPE_H
#define DTI_BASE_SCOPE_H

#include <dtensor/scope.h>

/* Something that a scope owns: embedded in the owned object. */
typedef struct dti_owned {
    struct dti_owned *next;
    struct dti_owned *previous;
    dt_scope *scope; /* NULL while no scope owns it */
    void (*release)(struct dti_owned *owned);
} dti_owned;

struct dt_scope {
    dt_world *world;
    dt_scope *parent; /* NULL for the world's own scope */
    dt_error first;   /* the first failure inside */
    dti_owned owned;  /* head of a ring */
};

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

/* Close every scope, the world's own included. */
void dti_scope_close_all(dt_world *world);

/* Close all but the world's own, and empty that. */
void dti_scope_reset(dt_world *world);

#endif
