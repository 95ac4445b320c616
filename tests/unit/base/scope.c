/* tests/unit/base/scope.c - what scopes own, and the errors inside them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/scope.h"

#include <stddef.h>

#include "base/world.h"
#include "support/check.h"

/* An object that notes when it is released. */
typedef struct owned_thing {
    dti_owned owned;
    int *clock;
    int released; /* when; 0 while it lives */
} owned_thing;

static void release_thing(dti_owned *owned)
{
    owned_thing *thing =
        (owned_thing *)(void *)((char *)owned - offsetof(owned_thing, owned));
    thing->released = ++*thing->clock;
}

static void adopt(dt_world *world, owned_thing *thing, int *clock)
{
    *thing = (owned_thing){.clock = clock};
    dti_scope_adopt(world, &thing->owned, release_thing);
}

static void releases_the_latest_first(dt_world *world)
{
    int clock = 0;
    owned_thing outer, things[3];
    adopt(world, &outer, &clock);
    dt_scope *scope = dt_scope_open(world);
    for (int i = 0; i < 3; i++)
        adopt(world, &things[i], &clock);
    CHECK(things[1].owned.scope == scope);
    CHECK_INT(dt_scope_close(scope), DT_OK);
    CHECK_INT(things[2].released, 1);
    CHECK_INT(things[1].released, 2);
    CHECK_INT(things[0].released, 3);
    CHECK_INT(outer.released, 0);
    dti_scope_forget(&outer.owned);
    CHECK(outer.owned.scope == NULL);
}

static void forgets(dt_world *world)
{
    int clock = 0;
    owned_thing things[3];
    dt_scope *scope = dt_scope_open(world);
    for (int i = 0; i < 3; i++)
        adopt(world, &things[i], &clock);
    dti_scope_forget(&things[1].owned);
    CHECK_INT(dt_scope_close(scope), DT_OK);
    CHECK_INT(things[0].released, 2);
    CHECK_INT(things[1].released, 0);
    CHECK_INT(things[2].released, 1);
    /* What was forgotten can be owned again. */
    scope = dt_scope_open(world);
    dti_scope_adopt(world, &things[1].owned, release_thing);
    CHECK_INT(dt_scope_close(scope), DT_OK);
    CHECK_INT(things[1].released, 3);
}

static void closes_those_inside(dt_world *world)
{
    int clock = 0;
    owned_thing first, second, third;
    dt_scope *outer = dt_scope_open(world);
    adopt(world, &first, &clock);
    (void)dt_scope_open(world);
    adopt(world, &second, &clock);
    (void)dt_scope_open(world);
    adopt(world, &third, &clock);
    CHECK_INT(dt_scope_close(outer), DT_OK);
    CHECK_INT(third.released, 1);
    CHECK_INT(second.released, 2);
    CHECK_INT(first.released, 3);
    CHECK(world->scope->parent == NULL);
}

static void keeps_the_first_error(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    CHECK_INT(dt_scope_error(scope)->code, DT_OK);
    CHECK_INT(dti_fail(world, DT_ERR_IO, "first"), DT_ERR_IO);
    CHECK_INT(dti_fail(world, DT_ERR_FORMAT, "second"), DT_ERR_FORMAT);
    CHECK_TEXT(dt_scope_error(scope)->message, "first");
    CHECK_TEXT(dt_world_error(world)->message, "second");
    CHECK_INT(dt_scope_close(scope), DT_ERR_IO);
    /* The scope's error is the latest of the world again. */
    CHECK_INT(dt_world_error(world)->code, DT_ERR_IO);
    CHECK_TEXT(dt_world_error(world)->message, "first");
}

static void leaves_the_parent_clean(dt_world *world)
{
    dt_scope *outer = dt_scope_open(world);
    dt_scope *inner = dt_scope_open(world);
    (void)dti_fail(world, DT_ERR_IO, "inside");
    CHECK_INT(dt_scope_close(inner), DT_ERR_IO);
    CHECK_INT(dt_scope_error(outer)->code, DT_OK);
    CHECK_INT(dt_scope_close(outer), DT_OK);
    /* An error outside does not count inside. */
    (void)dti_fail(world, DT_ERR_IO, "outside");
    dt_scope *scope = dt_scope_open(world);
    CHECK_INT(dt_scope_close(scope), DT_OK);
    CHECK_TEXT(dt_world_error(world)->message, "outside");
}

/* Closed along with the outer one, an inner scope hands its error up. */
static void hands_errors_up(dt_world *world)
{
    dt_scope *outer = dt_scope_open(world);
    (void)dt_scope_open(world);
    (void)dt_scope_open(world);
    (void)dti_fail(world, DT_ERR_NOT_FOUND, "deep down");
    CHECK_INT(dt_scope_error(outer)->code, DT_OK);
    CHECK_INT(dt_scope_close(outer), DT_ERR_NOT_FOUND);
    CHECK_TEXT(dt_world_error(world)->message, "deep down");
    outer = dt_scope_open(world);
    (void)dti_fail(world, DT_ERR_IO, "above");
    (void)dt_scope_open(world);
    (void)dti_fail(world, DT_ERR_NOT_FOUND, "deep down");
    CHECK_INT(dt_scope_close(outer), DT_ERR_IO);
    CHECK_TEXT(dt_world_error(world)->message, "above");
}

/* What is left when the world closes is released, too. */
static void empties_the_root(dt_world *world)
{
    int clock = 0;
    owned_thing root, inner;
    adopt(world, &root, &clock);
    (void)dt_scope_open(world);
    adopt(world, &inner, &clock);
    (void)dti_fail(world, DT_ERR_IO, "left behind");
    dti_scope_reset(world);
    CHECK_INT(inner.released, 1);
    CHECK_INT(root.released, 2);
    CHECK(world->scope->parent == NULL);
    CHECK_INT(dt_scope_error(world->scope)->code, DT_OK);
    (void)dt_scope_open(world);
}

static void closing_nothing_lacks_memory(dt_world *world)
{
    (void)world;
    CHECK_INT(dt_scope_close(NULL), DT_ERR_NO_MEMORY);
}

static dt_scope *open_as(dt_world *world, dt_scope_mode mode,
                         dt_tristate replicate)
{
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.mode = mode;
    options.replicate = replicate;
    return dt_scope_open_with(world, &options);
}

static void inherits_rules(dt_world *world)
{
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_AUTOMATIC);
    CHECK(!dti_scope_replicates(world));
    dt_scope *strict = open_as(world, DT_SCOPE_STRICT, DT_TRISTATE_ON);
    dt_scope *plain = dt_scope_open(world);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_STRICT);
    CHECK(dti_scope_replicates(world));
    dt_scope *zeros = open_as(world, DT_SCOPE_INHERIT, DT_TRISTATE_INHERIT);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_STRICT);
    CHECK(dti_scope_replicates(world));
    dt_scope *warn = open_as(world, DT_SCOPE_WARN, DT_TRISTATE_INHERIT);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_WARN);
    CHECK(dti_scope_replicates(world));
    dt_scope *off = open_as(world, DT_SCOPE_AUTOMATIC, DT_TRISTATE_OFF);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_AUTOMATIC);
    CHECK(!dti_scope_replicates(world));
    CHECK_INT(dt_scope_close(off), DT_OK);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_WARN);
    CHECK_INT(dt_scope_close(warn), DT_OK);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_STRICT);
    CHECK_INT(dt_scope_close(zeros), DT_OK);
    CHECK_INT(dt_scope_close(plain), DT_OK);
    CHECK_INT(dt_scope_close(strict), DT_OK);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_AUTOMATIC);
    CHECK(!dti_scope_replicates(world));
    dt_scope *none = dt_scope_open_with(world, NULL);
    CHECK_INT(dti_scope_mode(world), DT_SCOPE_AUTOMATIC);
    CHECK_INT(dt_scope_close(none), DT_OK);
}

static dt_status status_of(dt_world *world, const dt_scope_options *options)
{
    dt_scope *scope = dt_scope_open_with(world, options);
    return scope ? dt_scope_close(scope) : dt_world_error(world)->code;
}

static void refuses_options(dt_world *world)
{
    const dt_scope *innermost = world->scope;
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.size = 0;
    CHECK_FAILS(world, status_of(world, &options), DT_ERR_INVALID,
                "DT_SCOPE_OPTIONS_INIT");
    options.size = sizeof options;
    options.mode = (dt_scope_mode)4;
    CHECK_FAILS(world, status_of(world, &options), DT_ERR_INVALID, "mode 4");
    options.mode = DT_SCOPE_INHERIT;
    options.replicate = (dt_tristate)-1;
    CHECK_FAILS(world, status_of(world, &options), DT_ERR_INVALID,
                "replicate is -1");
    CHECK(world->scope == innermost);
}

const dt_test dt_tests[] = {
    {"releases the latest first", releases_the_latest_first},
    {"forgets", forgets},
    {"closes those inside", closes_those_inside},
    {"keeps the first error", keeps_the_first_error},
    {"leaves the parent clean", leaves_the_parent_clean},
    {"hands errors up", hands_errors_up},
    {"empties the root", empties_the_root},
    {"closing nothing lacks memory", closing_nothing_lacks_memory},
    {"inherits rules", inherits_rules},
    {"refuses options", refuses_options},
    {NULL, NULL},
};
