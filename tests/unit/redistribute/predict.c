/* tests/unit/redistribute/predict.c - how long calls are taken to last. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtensor.h>

#include <math.h>

#include "redistribute/cost.h"
#include "support/check.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* The events of a redistribution cost what its plan says, but for copies. */
static void agrees_with_plans(dt_world *unused)
{
    (void)unused;
    static const char *const pairs[][2] = {
        {"S(0)", "R"}, {"S(0)", "S(1)"}, {"P", "R"}, {"P", "S(0)"}};
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_mesh *mesh = NULL;
    dt_error error;
    options.transport = "sim";
    options.ranks = 8;
    CHECK_ERROR(&error, dt_world_open(&options, &world, &error), DT_OK, NULL);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    double local = dti_costs_of("shm")->usual.local;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        dt_plan *plan = NULL;
        size_t count = 0;
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *x = dt_empty(mesh, pairs[i][0], DT_F32, DT_SHAPE(64, 64));
        dt_trace_clear(world);
        dt_tensor *y = dt_redistribute(x, pairs[i][1]);
        CHECK_OK(world, dt_plan_create(dt_tensor_spec(x), dt_tensor_spec(y),
                                       NULL, &plan));
        const dt_trace_event *events = dt_trace_events(world, &count);
        if (CHECK_INT(count, 1) && CHECK_INT(dt_plan_steps(plan), 1)) {
            double whole = dt_plan_step_at(plan, 0)->seconds;
            double call = dt_trace_predict("shm", &events[0]);
            /* At most as many bytes are copied as a rank has. */
            CHECKF(call <= whole * (1 + 1e-9) &&
                       call >= whole - local * 64 * 64 * 4 - 1e-12,
                   "%s to %s: %g s, not %g s", pairs[i][0], pairs[i][1], call,
                   whole);
        }
        dt_plan_release(plan);
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static void prices_by_transport(dt_world *world)
{
    (void)world;
    dt_trace_event event = {.kind = DT_ALL_GATHER,
                            .group_size = 4,
                            .peers = 3,
                            .bytes_sent = 100,
                            .bytes_received = 1000};
    const dti_prices *shm = &dti_costs_of("shm")->usual;
    const dti_prices *mpi = &dti_costs_of("mpi")->usual;
    CHECK(is_near(dt_trace_predict("shm", &event),
                  shm->call + 3 * shm->message + 1000 * shm->remote));
    CHECK(is_near(dt_trace_predict(NULL, &event),
                  dt_trace_predict("shm", &event)));
    CHECK(is_near(dt_trace_predict("mpi", &event),
                  mpi->call + 3 * mpi->message + 1000 * mpi->remote));
    event.kind = DT_ALL_REDUCE;
    CHECK(is_near(dt_trace_predict("mpi", &event),
                  mpi->call + 3 * mpi->message + 1000 * mpi->remote +
                      500 * mpi->combine));
    /* Who only sends waits for that. */
    event.kind = DT_BROADCAST;
    event.peers = 1;
    event.bytes_received = 0;
    CHECK(is_near(dt_trace_predict("shm", &event),
                  shm->call + shm->message + 100 * shm->remote));
    /* Alone nothing is sent. */
    event.peers = 0;
    event.bytes_sent = 0;
    CHECK(dt_trace_predict("shm", &event) < shm->call);
}

const dt_test dt_tests[] = {
    {"agrees with plans", agrees_with_plans},
    {"prices by transport", prices_by_transport},
    {NULL, NULL},
};
