/* tests/unit/base/machine/cpu.c - cores, and which of them ranks are kept on.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>

#include "base/machine/cpu.h"
#include "support/check.h"

/* A rank in a thread of its own, so that the test's keeps its cores. */
typedef struct placed_rank {
    int rank, ranks;
    cpu_set_t cores; /* that it may run on afterwards */
} placed_rank;

static void *place(void *arg)
{
    placed_rank *at = arg;
    dti_cpu_place(at->rank, at->ranks);
    sched_getaffinity(0, sizeof at->cores, &at->cores);
    return NULL;
}

static placed_rank place_one(int rank, int ranks)
{
    placed_rank at = {.rank = rank, .ranks = ranks};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, place, &at) == 0);
    pthread_join(thread, NULL);
    return at;
}

/* Ranks that were kept on each core. */
static void count_kept(int ranks, int *kept)
{
    for (int rank = 0; rank < ranks; rank++) {
        placed_rank at = place_one(rank, ranks);
        CHECK_INT(CPU_COUNT(&at.cores),
                  ranks < dti_cpu_cores() ? dti_cpu_cores() / ranks : 1);
        for (int core = 0; core < CPU_SETSIZE; core++)
            kept[core] += CPU_ISSET(core, &at.cores) != 0;
    }
}

static void check_share(int ranks, int most)
{
    int kept[CPU_SETSIZE] = {0};
    count_kept(ranks, kept);
    for (int core = 0; core < CPU_SETSIZE; core++)
        CHECK(kept[core] <= most);
}

/* Each has a core, or each core as many. */
static void ranks_share_cores_evenly(dt_world *world)
{
    const int cores = dti_cpu_cores();
    (void)world;
    if (cores > 1)
        check_share(cores, 1);
    if (cores > 2)
        check_share(cores - 1, 1);
    check_share(3 * cores, 3);
}

static void uneven_ranks_are_left_alone(dt_world *world)
{
    const int cores = dti_cpu_cores();
    (void)world;
    for (int ranks = cores + 1; ranks < 2 * cores; ranks++) {
        placed_rank at = place_one(ranks - 1, ranks);
        CHECK_INT(CPU_COUNT(&at.cores), cores);
    }
    placed_rank alone = place_one(0, 1);
    CHECK_INT(CPU_COUNT(&alone.cores), cores);
}

/* What a program may run on is not widened. */
static void only_allowed_cores_are_used(dt_world *world)
{
    cpu_set_t before, one;
    int first = 0;
    (void)world;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    placed_rank at = place_one(1, 2);
    CHECK_INT(CPU_COUNT(&at.cores), 1);
    CHECK(CPU_ISSET(first, &at.cores));
    CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
}

const dt_test dt_tests[] = {
    {"ranks share cores evenly", ranks_share_cores_evenly},
    {"uneven ranks are left alone", uneven_ranks_are_left_alone},
    {"only allowed cores are used", only_allowed_cores_are_used},
    {NULL, NULL},
};
