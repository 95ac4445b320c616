/* base/scope.c - scopes own results and keep the first error inside. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/scope.h"

#include <assert.h>
#include <stdlib.h>

#include "base/handles.h"
#include "base/reference.h"

/* What holds outside all scopes. */
static const dti_scope_rules outside = {.mode = DT_SCOPE_AUTOMATIC,
                                        .records = true};

/* A scope on the heap whose parent is the innermost one; NULL without memory.
 */
static dt_scope *create_scope(dt_world *world, const dti_scope_rules *rules)
{
    dt_scope *scope = malloc(sizeof *scope);
    if (!scope)
        return NULL;
    scope->world = world;
    scope->parent = world->scope;
    scope->rules = *rules;
    scope->first.code = DT_OK;
    scope->first.message[0] = '\0';
    scope->unread = false;
    scope->owned.next = scope->owned.previous = &scope->owned;
    world->scope = scope;
    dti_live_add(DTI_LIVE_SCOPE, 1);
    dti_handle_made(world, DTI_LIVE_SCOPE, scope);
    return scope;
}

dt_scope *dti_scope_open_under(dt_world *world, const dti_scope_rules *rules)
{
    dt_scope *scope = create_scope(world, rules);
    if (!scope)
        dti_fail_memory(world, sizeof *scope, "a scope");
    return scope;
}

dt_scope *dt_scope_open(dt_world *world)
{
    DTI_ENTRY();
    return dti_scope_open_under(world, &world->scope->rules);
}

dt_scope *dti_scope_open_root(dt_world *world)
{
    return world->root = create_scope(world, &outside);
}

dt_status dti_scope_resolve(dt_world *world, const dt_scope_options *options,
                            dti_scope_rules *out)
{
    dti_scope_rules rules = world->scope->rules;
    if ((unsigned)options->mode > DT_SCOPE_STRICT)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_scope_open_with: invalid mode %d",
                        (int)options->mode);
    if ((unsigned)options->replicate > DT_TRISTATE_OFF)
        return dti_fail(
            world, DT_ERR_INVALID,
            "dt_scope_open_with: replicate is %d; expected a dt_tristate",
            (int)options->replicate);
    if ((unsigned)options->gradients > DT_TRISTATE_OFF)
        return dti_fail(
            world, DT_ERR_INVALID,
            "dt_scope_open_with: gradients is %d; expected a dt_tristate",
            (int)options->gradients);
    if (options->gradients != DT_TRISTATE_INHERIT)
        rules.records = options->gradients == DT_TRISTATE_ON;
    if (options->packing)
        rules.packing = options->packing;
    if (options->mode != DT_SCOPE_INHERIT)
        rules.mode = options->mode;
    if (options->replicate != DT_TRISTATE_INHERIT)
        rules.replicates = options->replicate == DT_TRISTATE_ON;
    *out = rules;
    return DT_OK;
}

void dti_scope_empty(dt_scope *scope)
{
    while (scope->owned.previous != &scope->owned) {
        dti_owned *last = scope->owned.previous;
        dti_scope_forget(last);
        last->release(last);
    }
}

/* Close the innermost scope. */
static void close_innermost(dt_world *world)
{
    dt_scope *scope = world->scope;
    dti_scope_empty(scope);
    world->scope = scope->parent;
    dti_live_add(DTI_LIVE_SCOPE, -1);
    dti_handle_gone(scope);
    dti_handle_free(scope);
}

/* Pass the first error of an inner scope on to the one around it. */
static void hand_error_up(dt_scope *inner)
{
    if (inner->first.code != DT_OK && inner->parent->first.code == DT_OK) {
        inner->parent->first = inner->first;
        inner->parent->unread = inner->unread;
    }
}

void dti_scope_close_inner(dt_scope *scope)
{
    assert(scope->world->scope == scope && scope->parent);
    hand_error_up(scope);
    close_innermost(scope->world);
}

dt_status dt_scope_close(dt_scope *scope)
{
    if (!scope)
        return DT_ERR_NO_MEMORY;
    DTI_ENTRY();
    if (!dti_handle_usable(scope, __func__))
        return DT_ERR_INVALID;
    dt_world *world = scope->world;
    assert(scope->parent);
    while (world->scope != scope) {
        hand_error_up(world->scope);
        close_innermost(world);
    }
    dt_status status = scope->first.code;
    if (status != DT_OK)
        world->latest = scope->first;
    close_innermost(world);
    return status;
}

const dt_error *dt_scope_error(const dt_scope *scope)
{
    if (!dti_handle_usable(scope, __func__))
        return &dti_world_running()->latest;
    for (dt_scope *open = scope->world->scope; open; open = open->parent)
        if (open == scope)
            open->unread = false;
    return &scope->first;
}

void dti_scope_mark_read(const dt_world *world)
{
    for (dt_scope *open = world->scope; open; open = open->parent)
        open->unread = false;
}

const dt_error *dti_world_unread(const dt_world *world)
{
    const dt_error *found = NULL;
    for (const dt_scope *open = world->scope; open; open = open->parent)
        if (open->unread)
            found = &open->first;
    return found;
}

void dt_world_clear_error(dt_world *world)
{
    dti_error_set(&world->latest, DT_OK, "%s", "");
    world->root->first.code = DT_OK;
    world->root->unread = false;
}

/* Let a scope own an object, as the latest. */
static void link_owned(dt_scope *scope, dti_owned *owned)
{
    owned->scope = scope;
    owned->next = &scope->owned;
    owned->previous = scope->owned.previous;
    owned->previous->next = owned;
    scope->owned.previous = owned;
}

void dti_scope_adopt(dt_world *world, dti_owned *owned,
                     void (*release)(dti_owned *owned))
{
    owned->release = release;
    link_owned(world->scope, owned);
}

void dti_scope_hand_up(dti_owned *owned)
{
    dt_scope *scope = owned->scope;
    if (!scope || !scope->parent)
        return;
    dti_scope_forget(owned);
    link_owned(scope->parent, owned);
}

void dti_scope_forget(dti_owned *owned)
{
    owned->next->previous = owned->previous;
    owned->previous->next = owned->next;
    owned->scope = NULL;
}

void dti_scope_reset(dt_world *world)
{
    while (world->scope->parent)
        close_innermost(world);
    dti_scope_empty(world->scope);
    dt_world_clear_error(world);
}

void dti_scope_close_all(dt_world *world)
{
    while (world->scope)
        close_innermost(world);
}
