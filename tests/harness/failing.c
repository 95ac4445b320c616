/* tests/harness/failing.c - tests that fail, each in its own way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "base/error.h"
#include "base/reference.h"
#include "support/check.h"

static dt_status fail_silently(void)
{
    return DT_ERR_IO;
}

static void passes(dt_world *world)
{
    CHECK(world != NULL);
    CHECK_FAILS(world, dti_fail(world, DT_ERR_IO, "the disk"), DT_ERR_IO,
                "disk");
}

static void fails_a_check(dt_world *world)
{
    CHECK(world == NULL);
}

static void fails_an_int(dt_world *world)
{
    CHECK_INT(dt_world_size(world), 1000);
}

static void fails_a_text(dt_world *world)
{
    (void)world;
    CHECK_TEXT(dt_version(), "none");
}

static void fails_a_call(dt_world *world)
{
    CHECK_OK(world, dti_fail(world, DT_ERR_IO, "the disk"));
}

/* The message of an earlier failure does not count. */
static void fails_without_a_message(dt_world *world)
{
    (void)dti_fail(world, DT_ERR_IO, "the disk");
    CHECK_FAILS(world, fail_silently(), DT_ERR_IO, NULL);
}

static void fails_with_another_message(dt_world *world)
{
    CHECK_FAILS(world, dti_fail(world, DT_ERR_IO, "the disk"), DT_ERR_IO,
                "tape");
}

static void leaves_an_object(dt_world *world)
{
    (void)world;
    dti_live_add(DTI_LIVE_ARRAY, 1);
}

static void hangs(dt_world *world)
{
    (void)world;
    sleep(1000);
}

const dt_test dt_tests[] = {
    {"passes", passes},
    {"fails a check", fails_a_check},
    {"fails an int", fails_an_int},
    {"fails a text", fails_a_text},
    {"fails a call", fails_a_call},
    {"fails without a message", fails_without_a_message},
    {"fails with another message", fails_with_another_message},
    {"leaves an object", leaves_an_object},
    {"hangs", hangs},
    {NULL, NULL},
};
