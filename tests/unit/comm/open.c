/* tests/unit/comm/open.c - opening worlds of one rank, and what is refused. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/dtensor.h>
#include <dtensor/sys/transport.h>

#include "support/check.h"

static void opens_one_rank(dt_world *unused)
{
    (void)unused;
    dt_world *world = NULL, *other = NULL;
    dt_error error;
    CHECK_ERROR(&error, dt_world_open(NULL, &world, &error), DT_OK, NULL);
    CHECK_ERROR(&error, dt_world_open(NULL, &other, NULL), DT_OK, NULL);
    CHECK_INT(dt_world_rank(world), 0);
    CHECK_INT(dt_world_size(world), 1);
    CHECK_TEXT(dt_world_transport(world), "threads");
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    CHECK(dt_world_group(world) != dt_world_group(other));
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    CHECK_OK(world, dt_world_recover(world));
    CHECK_OK(other, dt_group_barrier(dt_world_group(other)));
    CHECK_INT(dt_world_close(world), DT_OK);
    CHECK_INT(dt_world_close(other), DT_OK);
    CHECK_INT(dt_world_close(NULL), DT_OK);
}

static void refuses_options(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_error error;
    options.ranks = 4;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_ERR_INVALID,
                "dt_world_run");
    CHECK(strstr(error.message, "4 ranks") != NULL);
    options.ranks = 1;
    options.transport = "pigeons";
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error),
                DT_ERR_NOT_FOUND, "\"pigeons\"");
    CHECK(strstr(error.message, "threads") != NULL);
    CHECK(strstr(error.message, "sim") != NULL);
    CHECK_INT(dt_world_open(&options, &world, NULL), DT_ERR_NOT_FOUND);
    options.transport = "threads";
    options.rank = 1;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_ERR_INVALID,
                "rank 1 is out of range for a world of 1");
    options.rank = 0;
    options.size = 0;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_ERR_INVALID,
                "DT_WORLD_OPTIONS_INIT");
    CHECK(world == NULL);
}

/* The world is closed while a call is under way and a handle is held. */
static void closes_with_calls_under_way(dt_world *unused)
{
    (void)unused;
    dt_world *world = NULL;
    dt_handle *handle = NULL, *dropped = NULL;
    dt_array *array = NULL;
    CHECK_INT(dt_world_open(NULL, &world, NULL), DT_OK);
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(9000), &array));
    CHECK_OK(world, dt_array_fill(world, array, 2));
    CHECK_OK(world, dt_group_all_reduce_async(dt_world_group(world), DT_SUM,
                                              array, array, &handle));
    CHECK_OK(world, dt_group_barrier_async(dt_world_group(world), &dropped));
    dt_handle_release(dropped);
    CHECK_INT(dt_world_close(world), DT_OK);
    const float *data = dt_array_const_data(array);
    CHECK(data[0] == 2 && data[8999] == 2);
    dt_array_release(array);
    dt_handle_release(handle);
    dt_handle_release(NULL);
}

static dt_status ends_as_told(dt_world *world, void *arg)
{
    (void)world;
    return *(dt_status *)arg;
}

static void runs_and_reports(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_status told = DT_OK;
    dt_error error;
    options.transport = "threads";
    options.ranks = 2;
    CHECK_ERROR(&error, dt_world_run(&options, ends_as_told, &told, &error),
                DT_OK, NULL);
    told = DT_ERR_FORMAT;
    CHECK_ERROR(&error, dt_world_run(&options, ends_as_told, &told, &error),
                DT_ERR_FORMAT, "rank 0: the program returned DT_ERR_FORMAT");
    CHECK_INT(dt_world_run(&options, ends_as_told, &told, NULL), DT_ERR_FORMAT);
}

/* The options of a run reach its worlds. */
static dt_status check_options(dt_world *world, void *arg)
{
    (void)arg;
    dt_memory_stats stats;
    dt_memory_read(world, &stats);
    CHECK_INT(stats.limit, 3 << 20);
    CHECK_INT(dt_world_size(world), 3);
    return DT_OK;
}

static void passes_options_on(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error;
    options.transport = "threads";
    options.ranks = 3;
    options.memory_limit = 3 << 20;
    CHECK_ERROR(&error, dt_world_run(&options, check_options, NULL, &error),
                DT_OK, NULL);
}

/* dt_main is the face of a program: an exit status. */
static dt_status count_ranks(dt_world *world, void *arg)
{
    if (dt_world_rank(world) == 0)
        *(int *)arg = dt_world_size(world);
    return DT_OK;
}

static void runs_a_main_program(dt_world *unused)
{
    (void)unused;
    char name[] = "program";
    char *arguments[] = {name, NULL};
    int ranks = 0;
    CHECK_INT(dt_main(1, arguments, count_ranks, &ranks), 0);
    CHECK_INT(ranks, 1);
    setenv("DT_RANKS", "3", 1);
    CHECK_INT(dt_main(1, arguments, count_ranks, &ranks), 0);
    CHECK_INT(ranks, 3);
    unsetenv("DT_RANKS");
}

static void lists_transports(dt_world *unused)
{
    (void)unused;
    bool threads = false, sim = false;
    const dt_transport *transport;
    size_t count = 0;
    for (; (transport = dt_transport_at(count)); count++) {
        threads |= strcmp(transport->name, "threads") == 0;
        sim |= strcmp(transport->name, "sim") == 0;
        CHECK(transport->summary && transport->summary[0]);
        CHECK(transport->load || (transport->open && transport->close &&
                                  transport->start && transport->recover));
    }
    CHECK(threads && sim);
    CHECK(dt_transport_at(count + 1) == NULL);
}

static void names_reductions(dt_world *unused)
{
    (void)unused;
    CHECK_TEXT(dt_reduce_name(DT_SUM), "sum");
    CHECK_TEXT(dt_reduce_name(DT_AVG), "avg");
    CHECK_TEXT(dt_reduce_name(DT_BXOR), "bxor");
    for (int i = 0; i < DT_REDUCE_COUNT; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(dt_reduce_name((dt_reduce)i),
                         dt_reduce_name((dt_reduce)j)) != 0);
    CHECK_TEXT(dt_reduce_name(DT_REDUCE_COUNT), "invalid");
    CHECK_TEXT(dt_reduce_name((dt_reduce)-1), "invalid");
}

const dt_test dt_tests[] = {
    {"opens one rank", opens_one_rank},
    {"refuses options", refuses_options},
    {"closes with calls under way", closes_with_calls_under_way},
    {"runs and reports", runs_and_reports},
    {"passes options on", passes_options_on},
    {"runs a main program", runs_a_main_program},
    {"lists transports", lists_transports},
    {"names reductions", names_reductions},
    {NULL, NULL},
};
