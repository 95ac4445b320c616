/* tests/unit/base/options.c - options of older and newer callers. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <stdint.h>
#include <string.h>

#include "support/check.h"

/* A structure before a field was added, now, and after the next one. */
typedef struct older {
    size_t size;
    int64_t a;
} older;

typedef struct current {
    size_t size;
    int64_t a, b;
} current;

typedef struct newer {
    size_t size;
    int64_t a, b, c;
} newer;

#define CURRENT_INIT                                                           \
    {                                                                          \
        sizeof(current), 1, 2                                                  \
    }

static const current *read(dt_world *world, const void *options, current *usual)
{
    *usual = (current)CURRENT_INIT;
    return dti_options_read(world, options, usual, sizeof *usual,
                            "CURRENT_INIT");
}

static void uses_current_options_as_they_are(dt_world *world)
{
    current usual;
    const current given = {sizeof given, 5, 6};
    CHECK(read(world, &given, &usual) == &given);
}

static void completes_older_options(dt_world *world)
{
    current usual;
    const older given = {sizeof given, 5};
    const current *options = read(world, &given, &usual);
    CHECK(options == &usual);
    CHECK_INT(usual.size, sizeof usual);
    CHECK_INT(usual.a, 5);
    CHECK_INT(usual.b, 2);
    const older least = {sizeof(size_t), 5};
    CHECK(read(world, &least, &usual) == &usual);
    CHECK_INT(usual.a, 1);
    CHECK(read(world, NULL, &usual) == &usual);
    CHECK_INT(usual.a, 1);
    CHECK_INT(usual.b, 2);
}

static void reads_newer_options_whose_rest_is_zero(dt_world *world)
{
    current usual;
    newer given = {sizeof given, 5, 6, 0};
    CHECK(read(world, &given, &usual) == &usual);
    CHECK_INT(usual.size, sizeof usual);
    CHECK_INT(usual.a, 5);
    CHECK_INT(usual.b, 6);
    given.c = INT64_C(1) << 56;
    CHECK(!read(world, &given, &usual));
    CHECK(strstr(dt_world_error(world)->message, "size is 32, expected 24"));
    CHECK(strstr(dt_world_error(world)->message, "CURRENT_INIT"));
    CHECK_INT(usual.a, 1);
}

/* Sizes that no structure has are values that were never set. */
static void fails_without_a_size(dt_world *world)
{
    static const size_t wrong[] = {0,
                                   1,
                                   sizeof(size_t) - 1,
                                   sizeof(older) - 1,
                                   sizeof(older) + 4,
                                   25,
                                   31,
                                   4097,
                                   SIZE_MAX};
    current usual;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const current given = {wrong[i], 5, 6};
        CHECK(!read(world, &given, &usual));
        CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
        CHECK(strstr(dt_world_error(world)->message, "CURRENT_INIT"));
        CHECK_INT(usual.a, 1);
    }
}

const dt_test dt_tests[] = {
    {"uses current options as they are", uses_current_options_as_they_are},
    {"completes older options", completes_older_options},
    {"reads newer options whose rest is zero",
     reads_newer_options_whose_rest_is_zero},
    {"fails without a size", fails_without_a_size},
    {NULL, NULL},
};
