/* dtensor/scope.h - scopes: ownership of results, error handling, and
 * limits. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SCOPE_H
#define DTENSOR_SCOPE_H

#include <stddef.h>

#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A scope owns every tensor created while it is open and releases them when it
 * closes.  Scopes nest; new tensors belong to the innermost open scope of their
 * world.
 */
typedef struct dt_scope dt_scope;

/*
 * Open a scope inside the innermost scope of a world.
 *
 * Not collective.  Returns NULL if memory runs out.  Tensors then belong to the
 * parent scope, and dt_scope_close(NULL) returns DT_ERR_NO_MEMORY.
 */
DT_API dt_scope *dt_scope_open(dt_world *world);

/* What an operator does when an input must be redistributed first. */
typedef enum dt_scope_mode {
    DT_SCOPE_INHERIT,   /* as the enclosing scope */
    DT_SCOPE_AUTOMATIC, /* redistribute; default of the world */
    DT_SCOPE_WARN,  /* redistribute and log the dt_redistribute call to write */
    DT_SCOPE_STRICT /* fail; the message has the dt_redistribute call to write
                     */
} dt_scope_mode;

/*
 * Options of a scope; they also apply to the scopes inside it unless these
 * override them.  Zeros inherit from the enclosing scope.  Start from
 * DT_SCOPE_OPTIONS_INIT.
 */
typedef struct dt_scope_options {
    size_t size;        /* sizeof(dt_scope_options) */
    dt_scope_mode mode; /* implicit redistribution */
    /* Treat tensors on a rank's own mesh as replicated when they are combined
     * with distributed tensors; default off. */
    dt_tristate replicate;
    const char *budget; /* limits on communication, see below; NULL: no limit */
    /* Record calls for gradients (dtensor/autograd.h); default on. */
    dt_tristate gradients;
    /* How calls keep the tensors that their gradients need
     * (dtensor/autograd.h); NULL: as the enclosing scope, and by default as
     * they are.  Borrowed until the scope closes. */
    const struct dt_packing *packing;
} dt_scope_options;

#define DT_SCOPE_OPTIONS_INIT                                                  \
    {                                                                          \
        sizeof(dt_scope_options), DT_SCOPE_INHERIT, DT_TRISTATE_INHERIT, 0,    \
            DT_TRISTATE_INHERIT, 0                                             \
    }

/*
 * Open a scope with options; `options` may be NULL.
 *
 * Not collective.  Returns NULL if memory runs out or an option is invalid; the
 * error is recorded in the world and in the parent scope.
 *
 * A budget is a list of limits such as "all_reduce<=1, bytes<=4Mi".  Limits
 * apply to the number of collectives of one kind (barrier, all_reduce,
 * all_gather, reduce_scatter, all_to_all, broadcast, scatter, gather, send,
 * receive), to the number of all collectives (calls), and to the bytes that
 * this rank receives (bytes), as counted by dt_trace_count.  Numbers may end in
 * Ki, Mi or Gi.  A budget applies until the scope closes; the budgets of
 * enclosing scopes apply too.
 *
 * A collective that would exceed a limit fails with DT_ERR_INVALID before
 * anything is sent.  Because bytes and calls may differ between ranks, the
 * failure poisons the world as dt_world_poison does: ranks within their limits
 * fail with DT_ERR_PEER. dt_world_recover makes the world usable again.
 */
DT_API dt_scope *dt_scope_open_with(dt_world *world,
                                    const dt_scope_options *options);

/*
 * Close a scope and all scopes inside it, and release the tensors they own.
 *
 * Not collective.  Returns the code of the first error inside the scope, if
 * any, which becomes dt_world_error.  The parent scope does not record it.
 */
DT_API DT_MUST_USE dt_status dt_scope_close(dt_scope *scope);

/*
 * Return the first error inside an open scope; its code is DT_OK if there is
 * none.
 *
 * Not collective.  Borrowed from the scope.
 */
DT_API const dt_error *dt_scope_error(const dt_scope *scope);

DT_EXTERN_C_END

#endif
