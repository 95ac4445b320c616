/* tests/unit/redistribute/costs.c - what steps are said to cost. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "redistribute/cost.h"
#include "support/check.h"

static void reads_prices(dt_world *world)
{
    dti_costs costs = *dti_costs_of("shm");
    double local = costs.usual.local;
    CHECK_OK(world, dti_costs_parse(world,
                                    "# of a byte\n"
                                    "remote 2e-10\n"
                                    "\n"
                                    "\tcall 1e-6 # once\r\n"
                                    "dp remote 5e-9\n"
                                    "dp message 0.5",
                                    &costs));
    CHECK(costs.usual.remote == 2e-10);
    CHECK(costs.usual.call == 1e-6);
    CHECK(costs.usual.local == local);
    CHECK(costs.count == 1);
    CHECK_TEXT(costs.dims[0].name, "dp");
    CHECK(costs.dims[0].prices.remote == 5e-9);
    CHECK(costs.dims[0].prices.message == 0.5);
    CHECK(costs.dims[0].prices.call == 1e-6);
    CHECK(dti_costs_lowest(&costs).remote == 2e-10);
}

static void refuses(dt_world *world, const char *text, const char *sentence)
{
    const dti_costs before = *dti_costs_of("mpi");
    dti_costs costs = before;
    CHECK_FAILS(world, dti_costs_parse(world, text, &costs), DT_ERR_FORMAT,
                sentence);
    CHECK(memcmp(&costs, &before, sizeof costs) == 0);
}

static void refuses_others(dt_world *world)
{
    char text[400];
    refuses(world, "call 1\nspeed 3", "cost table, line 2: \"speed 3\"");
    refuses(world, "call -1", "a nonnegative number of seconds");
    refuses(world, "call inf", "a nonnegative number of seconds");
    refuses(world, "call nan", "a nonnegative number of seconds");
    refuses(world, "call 1x", "a nonnegative number of seconds");
    refuses(world, "call", "expected a price and seconds");
    refuses(world, "a b c d", "expected a price and seconds");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    refuses(world, text, "cost table, line 1: longer than");
    refuses(world, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa call 1",
            "a name that is too long");
}

/* A plan takes the way that the prices of its mesh dimensions say. */
static void dimensions_have_prices(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dti_costs costs = *dti_costs_of("shm");
    dti_volume volume = {.remote = 1000, .messages = 1, .dims = 1};
    if (!CHECK_OK(world, dt_mesh_create(world, "dp=1,tp=1", &mesh)))
        return;
    CHECK_OK(world, dti_costs_parse(world, "dp remote 1e-3", &costs));
    CHECK(dti_cost_of(&costs, mesh, &volume) > 1);
    volume.dims = 2;
    CHECK(dti_cost_of(&costs, mesh, &volume) < 1e-3);
    volume.dims = 3;
    CHECK(dti_cost_of(&costs, mesh, &volume) > 1);
    volume.messages = 0;
    CHECK(dti_cost_of(&costs, mesh, &volume) < 1e-6);
    dt_mesh_release(mesh);
}

static void loads_files(dt_world *world)
{
    char path[] = "/tmp/dtensor-costs-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0);
    CHECK(write(file, "remote 7\n", 9) == 9);
    close(file);
    CHECK_OK(world, dt_costs_load(world, path));
    CHECK(dti_costs_of_world(world)->usual.remote == 7);
    unlink(path);
    CHECK_FAILS(world, dt_costs_load(world, path), DT_ERR_IO, path);
    CHECK_FAILS(world, dt_costs_load(world, NULL), DT_ERR_INVALID, "NULL");
}

const dt_test dt_tests[] = {
    {"reads prices", reads_prices},
    {"refuses other texts", refuses_others},
    {"mesh dimensions have prices", dimensions_have_prices},
    {"loads files", loads_files},
    {NULL, NULL},
};
