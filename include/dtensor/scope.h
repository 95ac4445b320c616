/* dtensor/scope.h - scopes own the results of operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SCOPE_H
#define DTENSOR_SCOPE_H

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

/*
 * Close a scope and those still open inside it; release what they own.
 *
 * Not collective.  Gives the first error inside, if any, which becomes
 * dt_world_error; the parent scope is clean.
 */
DT_API dt_status dt_scope_close(dt_scope *scope);

/*
 * Give the first failure inside an open scope; DT_OK if there was none.
 *
 * Not collective.  Borrowed.
 */
DT_API const dt_error *dt_scope_error(const dt_scope *scope);

DT_EXTERN_C_END

#endif
