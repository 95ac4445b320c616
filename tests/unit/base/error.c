/* tests/unit/base/error.c - failures are a code and a sentence. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <string.h>

#include "support/check.h"

static void records_the_latest(dt_world *world)
{
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    CHECK_TEXT(dt_world_error(world)->message, "");
    CHECK_INT(dti_fail(world, DT_ERR_INVALID, "dimension %d of %s", 3, "x"),
              DT_ERR_INVALID);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
    CHECK_TEXT(dt_world_error(world)->message, "dimension 3 of x");
    CHECK_INT(dti_fail(world, DT_ERR_IO, "later"), DT_ERR_IO);
    CHECK_TEXT(dt_world_error(world)->message, "later");
}

/* A sentence may show the one before: it is written from a copy. */
static void passes_errors_on(dt_world *world)
{
    dt_error error = {DT_ERR_PEER, "rank 3 failed"};
    CHECK_INT(dti_fail_with(world, &error), DT_ERR_PEER);
    CHECK_TEXT(dt_world_error(world)->message, "rank 3 failed");
    CHECK_INT(dti_fail_with(world, dt_world_error(world)), DT_ERR_PEER);
    CHECK_TEXT(dt_world_error(world)->message, "rank 3 failed");
}

static void cuts_long_sentences(dt_world *world)
{
    char text[3 * DT_ERROR_SIZE];
    dt_error error;
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK_INT(dti_fail(world, DT_ERR_IO, "%s", text), DT_ERR_IO);
    CHECK_INT(strlen(dt_world_error(world)->message), DT_ERROR_SIZE - 1);
    CHECK_INT(dti_error_set(&error, DT_ERR_IO, "%s", text), DT_ERR_IO);
    CHECK_INT(strlen(error.message), DT_ERROR_SIZE - 1);
    /* A buffer without an end is not read past its end. */
    memset(error.message, 'b', sizeof error.message);
    CHECK_INT(dti_fail_with(world, &error), DT_ERR_IO);
    CHECK_INT(strlen(dt_world_error(world)->message), DT_ERROR_SIZE - 1);
}

static void sets_errors_without_a_world(dt_world *world)
{
    (void)world;
    dt_error error;
    CHECK_INT(dti_error_set(&error, DT_ERR_COMM, "%d", 7), DT_ERR_COMM);
    CHECK_INT(error.code, DT_ERR_COMM);
    CHECK_TEXT(error.message, "7");
    CHECK_INT(dti_error_set(NULL, DT_ERR_COMM, "%d", 7), DT_ERR_COMM);
}

static void names_missing_memory(dt_world *world)
{
    CHECK_FAILS(world, dti_fail_memory(world, 123456, "a plan"),
                DT_ERR_NO_MEMORY, "123456 bytes for a plan");
}

static void names_statuses(dt_world *world)
{
    (void)world;
    CHECK_TEXT(dt_status_name(DT_OK), "DT_OK");
    CHECK_TEXT(dt_status_name(DT_ERR_INVALID), "DT_ERR_INVALID");
    CHECK_TEXT(dt_status_name(DT_ERR_DIVERGED), "DT_ERR_DIVERGED");
    CHECK_TEXT(dt_status_name(DT_ERR_FORMAT), "DT_ERR_FORMAT");
    for (int i = DT_ERR_INVALID; i <= DT_ERR_FORMAT; i++) {
        CHECK(strncmp(dt_status_name((dt_status)i), "DT_ERR_", 7) == 0);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(dt_status_name((dt_status)i),
                         dt_status_name((dt_status)j)) != 0);
    }
    CHECK_TEXT(dt_status_name((dt_status)(DT_ERR_FORMAT + 1)),
               "unknown status");
    CHECK_TEXT(dt_status_name((dt_status)-1), "unknown status");
}

/* What DT_TRY does with a status. */
static dt_status try_status(dt_status status, int *reached)
{
    DT_TRY(status);
    ++*reached;
    return DT_OK;
}

static void tries(dt_world *world)
{
    (void)world;
    int reached = 0;
    CHECK_INT(try_status(DT_ERR_IO, &reached), DT_ERR_IO);
    CHECK_INT(reached, 0);
    CHECK_INT(try_status(DT_OK, &reached), DT_OK);
    CHECK_INT(reached, 1);
}

const dt_test dt_tests[] = {
    {"records the latest", records_the_latest},
    {"passes errors on", passes_errors_on},
    {"cuts long sentences", cuts_long_sentences},
    {"sets errors without a world", sets_errors_without_a_world},
    {"names missing memory", names_missing_memory},
    {"names statuses", names_statuses},
    {"tries", tries},
    {NULL, NULL},
};
