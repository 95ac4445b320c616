/* tests/unit/comm/scenario.h - runs that are expected to fail, and how. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_SCENARIO_H
#define DT_TESTS_SCENARIO_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <dtensor/dtensor.h>

#include "base/error.h"
#include "base/machine/clock.h"
#include "support/ones.h"

enum { SCENARIO_RANKS = 8 };

/*
 * A program on several ranks.  What `body` returns is noted for each rank with
 * the sentence that the rank has then; the run returns it too unless `forgive`.
 */
typedef struct scenario {
    int ranks;
    double timeout; /* seconds; 0 is a minute, which nothing here may take */
    size_t memory_limit;
    dt_status (*body)(dt_world *world, struct scenario *scenario);
    const void *arg;
    void *shared; /* by the ranks, as `body` has it */
    int bad;      /* the rank that misbehaves */
    bool forgive;

    dt_status status[SCENARIO_RANKS];
    char message[SCENARIO_RANKS][DT_ERROR_SIZE];
    dt_status run_status;
    dt_error run_error;
    double seconds;
} scenario;

static inline dt_status scenario_program(dt_world *world, void *arg)
{
    scenario *s = arg;
    int rank = dt_world_rank(world);
    dt_status status = s->body(world, s);
    s->status[rank] = status;
    snprintf(s->message[rank], DT_ERROR_SIZE, "%s",
             status == DT_OK ? "" : dt_world_error(world)->message);
    return s->forgive ? DT_OK : status;
}

static inline void play(scenario *s)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = s->ranks;
    options.timeout = s->timeout != 0 ? s->timeout : 60;
    options.memory_limit = s->memory_limit;
    int64_t start = dti_clock_now();
    s->run_error = (dt_error){DT_OK, ""};
    s->run_status = dt_world_run(&options, scenario_program, s, &s->run_error);
    s->seconds = (double)(dti_clock_now() - start) * 1e-9;
    CHECKF(s->run_status == DT_OK || s->run_error.message[0],
           "a failed run without a sentence");
}

/* Check how a rank ended, and that its sentence has all the words, which end
 * with NULL. */
static inline void expect_rank(const scenario *s, int rank, dt_status status,
                               ...)
{
    CHECKF(s->status[rank] == status, "rank %d: %s, not %s: %s", rank,
           dt_status_name(s->status[rank]), dt_status_name(status),
           s->message[rank]);
    va_list words;
    va_start(words, status);
    const char *word;
    while ((word = va_arg(words, const char *)))
        CHECKF(strstr(s->message[rank], word) != NULL,
               "rank %d: the message lacks \"%s\": %s", rank, word,
               s->message[rank]);
    va_end(words);
}

static inline void sleep_seconds(double seconds)
{
    struct timespec time = {(time_t)seconds,
                            (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

/* All collectives work: the sum of ones is the number of ranks. */
static inline dt_status add_up(dt_world *world, int64_t count)
{
    dt_array *array = ones(world, DT_F64, count);
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_SUM, array, array);
    if (status == DT_OK)
        CHECK(((const double *)dt_array_const_data(array))[count - 1] ==
              dt_world_size(world));
    dt_array_release(array);
    return status;
}

#endif
