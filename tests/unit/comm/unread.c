/* tests/unit/comm/unread.c - errors that the program has not read. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"

/* ---- Programs ----------------------------------------------------------- */

static dt_status forgets_a_status(dt_world *world, void *arg)
{
    dt_mesh *mesh = NULL;
    (void)arg;
    DT_IGNORE(dt_mesh_create(world, "x=1000", &mesh));
    dt_tensor *x = dt_randn(mesh, "R", DT_F32, DT_SHAPE(4));
    DT_IGNORE(dt_mesh_push(mesh));
    return dt_add(x, x) == NULL ? DT_OK : DT_ERR_IO;
}

static dt_status passes_a_null_mesh(dt_world *world, void *arg)
{
    (void)world, (void)arg;
    dt_tensor *x = dt_randn(NULL, "R", DT_F32, DT_SHAPE(4));
    return dt_neg(x) == NULL ? DT_OK : DT_ERR_IO;
}

static dt_status passes_null_to_an_operator(dt_world *world, void *arg)
{
    (void)world, (void)arg;
    return dt_neg(dt_add(NULL, NULL)) == NULL ? DT_OK : DT_ERR_IO;
}

static dt_status passes_no_tensors(dt_world *world, void *arg)
{
    (void)world, (void)arg;
    return dt_cat(NULL, 0, 0) == NULL ? DT_OK : DT_ERR_IO;
}

static dt_status leaves_a_scope_open(dt_world *world, void *arg)
{
    (void)arg;
    return dt_scope_open(world) && !dt_neg(NULL) ? DT_OK : DT_ERR_IO;
}

static dt_status reads_the_error(dt_world *world, void *arg)
{
    DT_TRY(forgets_a_status(world, arg));
    return dt_world_error(world)->code == DT_ERR_INVALID ? DT_OK : DT_ERR_IO;
}

static dt_status clears_the_error(dt_world *world, void *arg)
{
    DT_TRY(forgets_a_status(world, arg));
    dt_world_clear_error(world);
    return dt_world_error(world)->code;
}

static dt_status recovers(dt_world *world, void *arg)
{
    DT_TRY(forgets_a_status(world, arg));
    return dt_world_recover(world);
}

static dt_status closes_the_scope(dt_world *world, void *arg)
{
    dt_scope *scope = dt_scope_open(world);
    DT_TRY(passes_a_null_mesh(world, arg));
    return dt_scope_close(scope) == DT_ERR_INVALID ? DT_OK : DT_ERR_IO;
}

static dt_status reads_the_scope(dt_world *world, void *arg)
{
    dt_scope *scope = dt_scope_open(world);
    DT_TRY(passes_a_null_mesh(world, arg));
    return dt_scope_error(scope)->code == DT_ERR_INVALID ? DT_OK : DT_ERR_IO;
}

/* What comes after an error that was read is an error again. */
static dt_status fails_again(dt_world *world, void *arg)
{
    dt_mesh *mesh = NULL;
    DT_TRY(reads_the_error(world, arg));
    DT_IGNORE(dt_mesh_create(world, "y=2000", &mesh));
    return DT_OK;
}

/* What a program does, and the message of the run; NULL: DT_OK. */
static const struct {
    dt_program program;
    const char *message;
} programs[] = {
    {forgets_a_status, "1000"},
    {passes_a_null_mesh, "mesh is NULL"},
    {passes_null_to_an_operator, "add: self is NULL"},
    {passes_no_tensors, "cat: list tensors is empty"},
    {leaves_a_scope_open, "neg: self is NULL"},
    {fails_again, "2000"},
    {reads_the_error, NULL},
    {clears_the_error, NULL},
    {recovers, NULL},
    {closes_the_scope, NULL},
    {reads_the_scope, NULL},
};

enum { PROGRAMS = sizeof programs / sizeof *programs };

/* ---- Who returns them --------------------------------------------------- */

static void check_run(int i, dt_status status, const dt_error *error)
{
    const char *expected = programs[i].message;
    CHECKF(status == (expected ? DT_ERR_INVALID : DT_OK), "program %d: %s: %s",
           i, dt_status_name(status), error->message);
    if (expected)
        CHECKF(strstr(error->message, expected) &&
                   strstr(error->message, "without reading"),
               "program %d: %s", i, error->message);
}

static void runs_return_them(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.ranks = 2;
    for (int i = 0; i < PROGRAMS; i++) {
        dt_error error = {DT_OK, ""};
        check_run(i, dt_world_run(&options, programs[i].program, NULL, &error),
                  &error);
    }
}

/* An error of one run is none of the next. */
static void teams_return_them(dt_world *unused)
{
    (void)unused;
    dt_team *team = NULL;
    dt_error error = {DT_OK, ""};
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.ranks = 2;
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_OK, NULL);
    for (int i = 0; i < PROGRAMS; i++) {
        error = (dt_error){DT_OK, ""};
        check_run(i, dt_team_run(team, programs[i].program, NULL, &error),
                  &error);
    }
    dt_team_close(team);
}

static void main_programs_exit_with_them(dt_world *unused)
{
    (void)unused;
    for (int i = 0; i < PROGRAMS; i++)
        CHECKF(dt_main(0, NULL, programs[i].program, NULL) ==
                   (programs[i].message != NULL),
               "program %d", i);
}

/* ---- Worlds that a program opens ---------------------------------------- */

static void keep_remark(void *arg, dt_log_level level, int rank,
                        const char *message)
{
    (void)level, (void)rank;
    snprintf(arg, DT_ERROR_SIZE, "%s", message);
}

static dt_world *open_world(char *said)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.log = keep_remark;
    options.log_arg = said;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    return world;
}

static void closing_returns_them(dt_world *unused)
{
    char said[DT_ERROR_SIZE] = "";
    dt_world *world = open_world(said);
    (void)unused;
    CHECK_INT(forgets_a_status(world, NULL), DT_OK);
    CHECK_INT(dt_world_close(world), DT_ERR_INVALID);
    CHECK(strstr(said, "was not read") && strstr(said, "1000"));
    said[0] = '\0';
    world = open_world(said);
    CHECK_INT(reads_the_error(world, NULL), DT_OK);
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_TEXT(said, "");
}

/* The world that was opened last has an error that no argument leads to; then
 * the one before. */
static void of_several_worlds(dt_world *unused)
{
    char said[DT_ERROR_SIZE] = "";
    dt_world *first = open_world(said), *second = open_world(said),
             *third = open_world(said);
    (void)unused;
    CHECK(dt_neg(NULL) == NULL);
    CHECK_INT(dt_world_error(third)->code, DT_ERR_INVALID);
    CHECK_INT(dt_world_error(second)->code, DT_OK);
    CHECK_INT(dt_world_close(second), DT_OK);
    CHECK_INT(dt_world_close(third), DT_OK);
    CHECK(dt_neg(NULL) == NULL);
    CHECK_INT(dt_world_error(first)->code, DT_ERR_INVALID);
    CHECK_INT(dt_world_close(first), DT_OK);
}

static void *close_it(void *world)
{
    CHECK_INT(dt_world_close(world), DT_OK);
    return NULL;
}

/* A world that another thread closes is not asked any more. */
static void of_another_thread(dt_world *world)
{
    char said[DT_ERROR_SIZE] = "";
    pthread_t thread;
    dt_world *opened = open_world(said);
    dt_world_clear_error(world);
    CHECK_INT(pthread_create(&thread, NULL, close_it, opened), 0);
    pthread_join(thread, NULL);
    CHECK(dt_neg(NULL) == NULL);
    CHECK_INT(dt_world_error(world)->code, DT_ERR_INVALID);
    dt_world_clear_error(world);
}

const dt_test dt_tests[] = {
    {"runs return them", runs_return_them},
    {"teams return them", teams_return_them},
    {"main programs exit with them", main_programs_exit_with_them},
    {"closing returns them", closing_returns_them},
    {"of several worlds", of_several_worlds},
    {"of another thread", of_another_thread},
    {NULL, NULL},
};
