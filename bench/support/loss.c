/* bench/support/loss.c - how soon ranks learn that another was killed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/loss.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <dtensor/comm.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/peer.h"
#include "bench/support/timing.h"

#define LIMIT 30 /* seconds, of a launch */
#define SETTLE                                                                 \
    (50 * 1000 * 1000)         /* nanoseconds: the others are then inside      \
                                */
#define KILLED (128 + SIGKILL) /* how the launcher ends */

/* ---- In a rank ---------------------------------------------------------- */

/* The clock is one for all processes; the line must be out before the end. */
static void print_time(const char *what)
{
    double now = bench_now();
    printf("%s %.9f\n", what, now);
    fflush(stdout);
}

static dt_status die_or_learn(dt_world *world, void *unused)
{
    (void)unused;
    dt_group *group = dt_world_group(world);
    DT_TRY(dt_group_barrier(group));
    if (dt_world_rank(world) == dt_world_size(world) - 1) {
        nanosleep(&(struct timespec){.tv_nsec = SETTLE}, NULL);
        print_time("killed");
        raise(SIGKILL);
    }
    dt_status status = dt_group_barrier(group);
    if (status != DT_ERR_PEER)
        return status == DT_OK ? DT_ERR_COMM : status;
    print_time("told");
    return DT_OK;
}

int bench_loss_worker(int argc, char **argv)
{
    return dt_main(argc, argv, die_or_learn, NULL);
}

/* ---- In the command ----------------------------------------------------- */

/* What the ranks of one launch said. */
typedef struct account {
    double killed;
    double told; /* the last of them */
    int count;   /* that were told */
} account;

static void read_moment(void *arg, char *line)
{
    account *all = arg;
    double moment;
    if (sscanf(line, "killed %lf", &moment) == 1) {
        all->killed = moment;
    } else if (sscanf(line, "told %lf", &moment) == 1) {
        all->told = moment > all->told ? moment : all->told;
        all->count++;
    }
}

bool bench_loss_launch(const bench_ranks *ranks, int count, double *seconds)
{
    const char *argv[BENCH_MAX_ARGUMENTS + 2];
    size_t used = 0;
    account all = {0};
    for (; ranks->argv[used]; used++)
        argv[used] = ranks->argv[used];
    argv[used++] = BENCH_LOSS_WORD;
    argv[used] = NULL;
    if (!bench_peer_run(&(bench_peer){.argv = argv,
                                      .environment = ranks->environment,
                                      .limit = LIMIT,
                                      .exit_status = KILLED,
                                      .line = read_moment,
                                      .arg = &all}))
        return false;
    if (all.killed <= 0 || all.count != count - 1) {
        bench_note("of %d ranks that remained %d were told that one died",
                   count - 1, all.count);
        return false;
    }
    *seconds = all.told - all.killed;
    return true;
}
