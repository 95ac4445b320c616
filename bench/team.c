/* bench/team.c - programs handed to a team, against a hand-over by a condition
 * variable. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/samples.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ROUNDS 7
#define REQUESTS 4000 /* of all clients, in a round */

enum { MOST_CLIENTS = 4, MOST_RANKS = 2 };

/* Do something on all ranks, and wait until it is done. */
typedef dt_status (*hand_over)(void *arg);

/* ---- Clients ------------------------------------------------------------ */

typedef struct client {
    pthread_t thread;
    pthread_barrier_t *start;
    hand_over call;
    void *arg;
    int requests;
    dt_status status;
} client;

static void *ask(void *arg)
{
    client *c = arg;
    pthread_barrier_wait(c->start);
    for (int i = 0; i < c->requests && c->status == DT_OK; i++)
        c->status = c->call(c->arg);
    return NULL;
}

/* Let clients ask at once; gives the seconds of a request. */
static dt_status time_clients(int clients, hand_over call, void *arg,
                              double *seconds)
{
    client all[MOST_CLIENTS];
    pthread_barrier_t start;
    dt_status status = DT_OK;
    pthread_barrier_init(&start, NULL, (unsigned)clients + 1);
    for (int i = 0; i < clients; i++) {
        all[i] = (client){.start = &start,
                          .call = call,
                          .arg = arg,
                          .requests = REQUESTS / clients};
        if (pthread_create(&all[i].thread, NULL, ask, &all[i]) != 0)
            abort(); /* nobody could meet the others at the barrier */
    }
    pthread_barrier_wait(&start);
    const double begin = bench_now();
    for (int i = 0; i < clients; i++) {
        pthread_join(all[i].thread, NULL);
        status = status == DT_OK ? all[i].status : status;
    }
    *seconds = (bench_now() - begin) / REQUESTS;
    pthread_barrier_destroy(&start);
    return status;
}

/* ---- Ours --------------------------------------------------------------- */

static dt_status do_nothing(dt_world *world, void *arg)
{
    (void)world;
    (void)arg;
    return DT_OK;
}

static dt_status ask_team(void *arg)
{
    dt_error error;
    return dt_team_run(arg, do_nothing, NULL, &error);
}

/* ---- The reference ------------------------------------------------------ */

/* Workers that wait for a number to change, as a program would write it: a lock
 * for one client at a time, and a condition for each direction. */
typedef struct workers {
    pthread_mutex_t turn, lock;
    pthread_cond_t begin, end;
    int count, running;
    unsigned round;
    bool closing;
    pthread_t threads[MOST_RANKS];
} workers;

static void *work(void *arg)
{
    workers *w = arg;
    unsigned seen = 0;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (w->round == seen && !w->closing)
            pthread_cond_wait(&w->begin, &w->lock);
        if (w->closing)
            break;
        seen = w->round;
        if (--w->running == 0)
            pthread_cond_signal(&w->end);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static dt_status ask_workers(void *arg)
{
    workers *w = arg;
    pthread_mutex_lock(&w->turn);
    pthread_mutex_lock(&w->lock);
    w->running = w->count;
    w->round++;
    pthread_cond_broadcast(&w->begin);
    while (w->running > 0)
        pthread_cond_wait(&w->end, &w->lock);
    pthread_mutex_unlock(&w->lock);
    pthread_mutex_unlock(&w->turn);
    return DT_OK;
}

static void open_workers(workers *w, int count)
{
    *w = (workers){.count = count};
    pthread_mutex_init(&w->turn, NULL);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->begin, NULL);
    pthread_cond_init(&w->end, NULL);
    for (int i = 0; i < count; i++)
        if (pthread_create(&w->threads[i], NULL, work, w) != 0)
            abort();
}

static void close_workers(workers *w)
{
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    pthread_cond_broadcast(&w->begin);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->count; i++)
        pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->begin);
    pthread_cond_destroy(&w->end);
    pthread_mutex_destroy(&w->lock);
    pthread_mutex_destroy(&w->turn);
}

/* ---- Cases -------------------------------------------------------------- */

static const int client_counts[] = {1, 2, 4};

typedef struct timed {
    bench_samples ours[COUNT_OF(client_counts)];
    bench_samples theirs[COUNT_OF(client_counts)];
} timed;

/* All numbers of clients in turn, ours and theirs side by side. */
static dt_status time_rounds(dt_team *team, workers *w, timed *out)
{
    double seconds;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT_OF(client_counts); i++) {
            DT_TRY(time_clients(client_counts[i], ask_team, team, &seconds));
            bench_samples_add(&out->ours[i], seconds);
            DT_TRY(time_clients(client_counts[i], ask_workers, w, &seconds));
            bench_samples_add(&out->theirs[i], seconds);
        }
    return DT_OK;
}

static void report(bench_run *run, int ranks, size_t index, timed *times)
{
    char name[64];
    const int clients = client_counts[index];
    double ours, theirs;
    snprintf(name, sizeof name, "hand-over %d client%s %d rank%s", clients,
             clients == 1 ? "" : "s", ranks, ranks == 1 ? "" : "s");
    if (!bench_wanted(run, name))
        return;
    bench_samples_pair(&times->ours[index], &times->theirs[index], &ours,
                       &theirs);
    bench_report(run, &(bench_result){.name = name,
                                      .ours = ours,
                                      .reference = theirs,
                                      .reference_name = "condition variable",
                                      .bar = 1 / 1.5});
    bench_samples_pair(&times->ours[index], &times->ours[0], &ours, &theirs);
    if (index > 0)
        bench_report(run, &(bench_result){.name = name,
                                          .ours = ours,
                                          .reference = theirs,
                                          .reference_name = "one client",
                                          .bar = clients == 4 ? 0.9 : 0});
}

static dt_status time_team(bench_run *run, int ranks)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    timed times = {0};
    workers w;
    dt_team *team;
    options.transport = "threads";
    options.ranks = ranks;
    if (!run->list) {
        DT_TRY(dt_team_open(&options, &team, &run->error));
        open_workers(&w, ranks);
        dt_status status = time_rounds(team, &w, &times);
        close_workers(&w);
        dt_team_close(team);
        DT_TRY(status);
    }
    for (size_t i = 0; i < COUNT_OF(client_counts); i++)
        report(run, ranks, i, &times);
    return DT_OK;
}

static dt_status run_team(bench_run *run)
{
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
        DT_TRY(time_team(run, ranks));
    return DT_OK;
}

const bench_suite bench_suite_team = {
    .name = "team",
    .summary = "programs handed to a team, against a condition variable",
    .run = run_team,
};
