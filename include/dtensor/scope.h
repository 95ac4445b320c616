/* dtensor/scope.h - scopes own the results of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SCOPE_H
#define DTENSOR_SCOPE_H

#include <stddef.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A stretch of a program.  Results of operators belong to the innermost open
 * scope of their world and are released when it closes.
 */
typedef struct dt_scope dt_scope;

/*
 * Open a scope inside the innermost one of this world.
 *
 * Not collective.  NULL if memory is short; everything in the world that would
 * have belonged to it then belongs to the parent, and dt_scope_close(NULL)
 * says DT_ERR_NO_MEMORY.
 */
DT_API dt_scope *dt_scope_open(dt_world *world);

/* What an operator does when an input must be redistributed first. */
typedef enum dt_scope_mode {
    DT_SCOPE_INHERIT,   /* as outside */
    DT_SCOPE_AUTOMATIC, /* redistribute; the world's own scope does */
    DT_SCOPE_WARN,  /* redistribute, with a warning that says what to write */
    DT_SCOPE_STRICT /* fail, with a sentence that says what to write */
} dt_scope_mode;

/* A switch of a scope. */
typedef enum dt_tristate {
    DT_TRISTATE_INHERIT, /* as outside */
    DT_TRISTATE_ON,
    DT_TRISTATE_OFF
} dt_tristate;

/*
 * What holds inside a scope, and in those inside it that do not say otherwise.
 * Zeros mean: as outside.  Start from DT_SCOPE_OPTIONS_INIT.
 */
typedef struct dt_scope_options {
    size_t size; /* sizeof(dt_scope_options) */
    dt_scope_mode mode;
    dt_tristate
        replicate;      /* take tensors of a rank's own mesh as replicated where
                           others are distributed; off outside all scopes */
    const char *budget; /* what may be sent, as below; NULL: no limit */
} dt_scope_options;

#define DT_SCOPE_OPTIONS_INIT                                                  \
    {                                                                          \
        sizeof(dt_scope_options), DT_SCOPE_INHERIT, DT_TRISTATE_INHERIT, 0     \
    }

/*
 * Open a scope with options; `options` may be NULL.
 *
 * Not collective.  NULL if memory is short or an option makes no sense:
 * dt_world_error says what, and the parent scope has the error.
 *
 * A budget is a list of limits such as "all_reduce<=1, bytes<=4Mi".  What can
 * be limited are the calls of a kind (barrier, all_reduce, all_gather,
 * reduce_scatter, all_to_all, broadcast, scatter, gather, send, receive), those
 * of all kinds together (calls), and the bytes that this rank receives (bytes),
 * as dt_trace_count has them.  Numbers may end in Ki, Mi or Gi.  A budget holds
 * for everything until the scope closes; inside another both hold.
 *
 * A call that would exceed a limit fails with DT_ERR_INVALID before anything is
 * sent.  Bytes and calls may differ between ranks, so the others are told, as
 * dt_world_poison does: those that are within their limits get DT_ERR_PEER.
 * dt_world_recover makes the world usable again.
 */
DT_API dt_scope *dt_scope_open_with(dt_world *world,
                                    const dt_scope_options *options);

/*
 * Close a scope and those still open inside it; release what they own.
 *
 * Not collective.  Gives the first error inside, if any, which becomes
 * dt_world_error; the parent scope is clean.
 */
DT_API DT_MUST_USE dt_status dt_scope_close(dt_scope *scope);

/*
 * Give the first failure inside an open scope; DT_OK if there was none.
 *
 * Not collective.  Borrowed.
 */
DT_API const dt_error *dt_scope_error(const dt_scope *scope);

DT_EXTERN_C_END

#endif
