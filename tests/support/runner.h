/* tests/support/runner.h - how the harness gets the world of a test. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_RUNNER_H
#define DT_TESTS_RUNNER_H

#include <stdbool.h>

#include <dtensor/world.h>

/*
 * Run `program` on this many ranks, each in a world made for this call, and
 * give the failure of the run itself.  A test program is linked with one of:
 *
 *   world_bare.c  one rank, nothing but base in its world
 *   world_open.c  one rank, from dt_world_open
 *   world_run.c   thread ranks, from dt_world_run
 */
dt_status dt_test_run(int ranks, dt_program program, void *arg,
                      dt_error *error);

/*
 * For a test program that is one process of a world that any launcher started
 * (--process), and has opened it.  Run `program` as if
 * the world were new, and give the failure of the run itself.
 */
dt_status dt_process_run(dt_world *world, dt_program program, void *arg,
                         dt_error *error);

/*
 * Add up the failed checks of all ranks after a test, whatever state the world
 * is in.  False if a rank is gone.
 *
 * Collective over the world.
 */
bool dt_process_agree(dt_world *world, int *failures);

#endif
