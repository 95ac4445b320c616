/* tests/unit/comm/team.c - teams: runs one after another, from any thread. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "unit/comm/scenario.h"

enum { RANKS = 3, THREADS = 5, RUNS = 40 };

static dt_team *open_team(int ranks)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_team *team = NULL;
    dt_error error;
    options.transport = "threads";
    options.ranks = ranks;
    options.timeout = 60;
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_OK, NULL);
    return team;
}

/* What lives on between runs, one per rank. */
typedef struct memory {
    dt_world *world[RANKS];
    dt_group *group[RANKS];
    dt_array *array[RANKS];
    dt_handle *handle[RANKS];
    int runs;
} memory;

static dt_status first_run(dt_world *world, void *arg)
{
    memory *m = arg;
    int rank = dt_world_rank(world);
    m->world[rank] = world;
    DT_TRY(dt_group_split(dt_world_group(world), 0, -rank, &m->group[rank]));
    m->array[rank] = ones(world, DT_I64, 5000);
    return dt_group_all_reduce(m->group[rank], DT_SUM, m->array[rank],
                               m->array[rank]);
}

/* The world, the group and the array are those of the run before. */
static dt_status later_run(dt_world *world, void *arg)
{
    memory *m = arg;
    int rank = dt_world_rank(world);
    int64_t expected = 1;
    for (int i = 0; i < m->runs; i++)
        expected *= RANKS;
    CHECK(m->world[rank] == world);
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    const int64_t *data = dt_array_const_data(m->array[rank]);
    CHECK_INT(data[4999], expected);
    return dt_group_all_reduce(m->group[rank], DT_SUM, m->array[rank],
                               m->array[rank]);
}

/* Calls are begun and never waited for; the handle is kept. */
static dt_status leaves_a_handle(dt_world *world, void *arg)
{
    memory *m = arg;
    int rank = dt_world_rank(world);
    return dt_group_all_reduce_async(m->group[rank], DT_SUM, m->array[rank],
                                     m->array[rank], &m->handle[rank]);
}

static void keeps_what_is_retained(dt_world *world)
{
    (void)world;
    memory m = {.runs = 0};
    dt_error error;
    dt_team *team = open_team(RANKS);
    CHECK_ERROR(&error, dt_team_run(team, first_run, &m, &error), DT_OK, NULL);
    for (m.runs = 1; m.runs < 8; m.runs++)
        CHECK_ERROR(&error, dt_team_run(team, later_run, &m, &error), DT_OK,
                    NULL);
    CHECK_ERROR(&error, dt_team_run(team, leaves_a_handle, &m, &error), DT_OK,
                NULL);
    m.runs++;
    for (int i = 0; i < RANKS; i++)
        CHECK(dt_handle_test(m.handle[i]));
    CHECK_ERROR(&error, dt_team_run(team, later_run, &m, &error), DT_OK, NULL);
    dt_team_close(team);
    /* Arrays outlive their world, and handles may be let go of. */
    for (int i = 0; i < RANKS; i++) {
        const int64_t *data = dt_array_const_data(m.array[i]);
        int64_t expected = 1;
        for (int j = 0; j < 10; j++)
            expected *= RANKS;
        CHECK_INT(data[0], expected);
        CHECK_INT(data[4999], expected);
        dt_array_release(m.array[i]);
        dt_handle_release(m.handle[i]);
    }
}

/* ---- Failing runs ------------------------------------------------------- */

/* The rank that `arg` points at fails; the others wait for it. */
static dt_status fail_on_one(dt_world *world, void *arg)
{
    const int *bad = arg;
    if (dt_world_rank(world) == *bad)
        return dti_fail(world, DT_ERR_IO, "no file on rank %d", *bad);
    return dt_group_barrier(dt_world_group(world));
}

static dt_status diverge(dt_world *world, void *unused)
{
    (void)unused;
    return add_up(world, 5 + dt_world_rank(world));
}

/* Scopes and calls are left behind as they are. */
static dt_status leave_a_mess(dt_world *world, void *unused)
{
    (void)unused;
    dt_handle *handle = NULL;
    dt_array *array = ones(world, DT_F32, 3000);
    (void)dt_scope_open(world);
    (void)dt_scope_open(world);
    /* Refused where another rank has failed already. */
    DT_IGNORE(dt_group_all_reduce_async(dt_world_group(world), DT_SUM, array,
                                        array, &handle));
    dt_handle_release(handle);
    dt_array_release(array);
    return dti_fail(world, DT_ERR_FORMAT, "a mess");
}

static dt_status good_run(dt_world *world, void *unused)
{
    (void)unused;
    CHECK_INT(dt_world_error(world)->code, DT_OK);
    DT_TRY(add_up(world, 3));
    return add_up(world, 3000);
}

static void survives_failing_runs(dt_world *world)
{
    (void)world;
    dt_error error;
    dt_team *team = open_team(RANKS);
    for (int bad = 0; bad < RANKS; bad++) {
        char sentence[64];
        snprintf(sentence, sizeof sentence, "rank %d: no file on rank %d", bad,
                 bad);
        CHECK_ERROR(&error, dt_team_run(team, fail_on_one, &bad, &error),
                    DT_ERR_IO, sentence);
        CHECK_ERROR(&error, dt_team_run(team, good_run, NULL, &error), DT_OK,
                    NULL);
        CHECK_ERROR(&error, dt_team_run(team, diverge, NULL, &error),
                    DT_ERR_DIVERGED, "all-reduce");
        CHECK_ERROR(&error, dt_team_run(team, good_run, NULL, &error), DT_OK,
                    NULL);
        CHECK_ERROR(&error, dt_team_run(team, leave_a_mess, NULL, &error),
                    DT_ERR_FORMAT, "a mess");
        CHECK_ERROR(&error, dt_team_run(team, good_run, NULL, &error), DT_OK,
                    NULL);
    }
    /* The error may be left out. */
    CHECK_INT(dt_team_run(team, diverge, NULL, NULL), DT_ERR_DIVERGED);
    dt_team_close(team);
}

/* ---- From several threads ----------------------------------------------- */

typedef struct counted {
    dt_team *team;
    atomic_int inside;         /* programs that run */
    atomic_int ran[THREADS];   /* ranks that ran a thread's program */
    atomic_int given[THREADS]; /* failures that a thread was told of */
} counted;

typedef struct order {
    counted *counts;
    int thread;
    int number;
} order;

static dt_status counted_run(dt_world *world, void *arg)
{
    const order *o = arg;
    int inside = atomic_fetch_add(&o->counts->inside, 1);
    CHECKF(inside < RANKS, "%d ranks run at once", inside + 1);
    atomic_fetch_add(&o->counts->ran[o->thread], 1);
    dt_array *array = ones(world, DT_I32, 4);
    ((int32_t *)dt_array_data(array))[0] = o->thread * RUNS + o->number;
    dt_status status =
        dt_group_all_reduce(dt_world_group(world), DT_MAX, array, array);
    const int32_t *data = dt_array_const_data(array);
    if (status == DT_OK)
        CHECK_INT(data[0], o->thread * RUNS + o->number);
    dt_array_release(array);
    /* Leaving before the barrier would let others begin. */
    if (status == DT_OK)
        status = dt_group_barrier(dt_world_group(world));
    atomic_fetch_sub(&o->counts->inside, 1);
    if (status == DT_OK && o->number % 5 == 4 && dt_world_rank(world) == 1)
        return dti_fail(world, DT_ERR_IO, "thread %d", o->thread);
    return status;
}

static void *order_runs(void *arg)
{
    order o = *(order *)arg;
    for (o.number = 0; o.number < RUNS; o.number++) {
        dt_error error = {DT_OK, ""};
        char sentence[64];
        snprintf(sentence, sizeof sentence, "rank 1: thread %d", o.thread);
        dt_status status = dt_team_run(o.counts->team, counted_run, &o, &error);
        CHECK_INT(status, o.number % 5 == 4 ? DT_ERR_IO : DT_OK);
        if (status != DT_OK) {
            CHECK_TEXT(error.message, sentence);
            atomic_fetch_add(&o.counts->given[o.thread], 1);
        }
    }
    return NULL;
}

static void queues_runs_of_threads(dt_world *world)
{
    (void)world;
    counted counts = {.team = open_team(RANKS)};
    pthread_t threads[THREADS];
    order orders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        orders[i] = (order){&counts, i, 0};
        CHECK_INT(pthread_create(&threads[i], NULL, order_runs, &orders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(counts.ran[i], RUNS * RANKS);
        CHECK_INT(counts.given[i], RUNS / 5);
    }
    dt_team_close(counts.team);
}

/* ---- Opening and closing ------------------------------------------------ */

static void opens_and_closes(dt_world *world)
{
    (void)world;
    for (int ranks = 1; ranks <= 9; ranks += 4)
        dt_team_close(open_team(ranks));
    dt_team_close(NULL);
    /* Two teams at once, of different sizes. */
    dt_error error;
    dt_team *one = open_team(2), *other = open_team(4);
    for (int i = 0; i < 3; i++) {
        CHECK_ERROR(&error, dt_team_run(one, good_run, NULL, &error), DT_OK,
                    NULL);
        CHECK_ERROR(&error, dt_team_run(other, good_run, NULL, &error), DT_OK,
                    NULL);
    }
    dt_team_close(one);
    dt_team_close(other);
}

static void refuses_other_transports(dt_world *world)
{
    (void)world;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_team *team = NULL;
    dt_error error;
    options.transport = "sim";
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error),
                DT_ERR_UNSUPPORTED, "\"sim\"");
    options.transport = "threads";
    options.ranks = -2;
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_ERR_INVALID,
                "-2");
    CHECK_INT(dt_team_open(&options, &team, NULL), DT_ERR_INVALID);
    options.size = 3;
    CHECK_ERROR(&error, dt_team_open(&options, &team, &error), DT_ERR_INVALID,
                "size is 3");
    CHECK(team == NULL);
}

/* A world inside a rank of another: worlds know nothing of each other. */
static dt_status run_inside(dt_world *world, void *arg)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_error error = {DT_OK, ""};
    options.transport = "threads";
    options.ranks = 2;
    if (!arg)
        CHECK_ERROR(&error, dt_world_run(&options, run_inside, world, &error),
                    DT_OK, NULL);
    return add_up(world, 100);
}

static void nests_worlds(dt_world *world)
{
    dt_error error;
    dt_team *team = open_team(RANKS);
    CHECK_ERROR(&error, dt_team_run(team, run_inside, NULL, &error), DT_OK,
                NULL);
    dt_team_close(team);
    CHECK_OK(world, add_up(world, 4));
}

static dt_status push_a_mesh(dt_world *world, void *arg)
{
    (void)arg;
    if (dt_current_mesh(world))
        return DT_ERR_INVALID;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "tp", &mesh));
    dt_status status = dt_mesh_push(mesh);
    dt_mesh_release(mesh);
    return status;
}

static void forgets_the_current_mesh(dt_world *unused)
{
    (void)unused;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.ranks = 2;
    dt_team *team = NULL;
    dt_error error = {DT_OK, ""};
    if (!CHECK(dt_team_open(&options, &team, &error) == DT_OK))
        return;
    for (int i = 0; i < 2; i++)
        CHECKF(dt_team_run(team, push_a_mesh, NULL, &error) == DT_OK,
               "run %d: %s", i, error.message);
    dt_team_close(team);
}

/* ---- Order --------------------------------------------------------------- */

enum { CLIENTS = 6 };

typedef struct queue {
    dt_team *team;
    atomic_int held; /* the first program waits while it is */
    atomic_int begun, served;
    int order[CLIENTS];
} queue;

typedef struct queued {
    queue *queue;
    int number;
} queued;

static dt_status hold(dt_world *world, void *arg)
{
    queue *q = arg;
    if (dt_world_rank(world) == 0)
        atomic_store(&q->begun, 1);
    while (atomic_load(&q->held))
        usleep(100);
    return DT_OK;
}

static dt_status serve(dt_world *world, void *arg)
{
    const queued *of = arg;
    if (dt_world_rank(world) == 0)
        of->queue->order[atomic_fetch_add(&of->queue->served, 1)] = of->number;
    return DT_OK;
}

static void *ask_to_hold(void *arg)
{
    queue *q = arg;
    dt_error error;
    CHECK_ERROR(&error, dt_team_run(q->team, hold, q, &error), DT_OK, NULL);
    return NULL;
}

static void *ask_to_serve(void *arg)
{
    dt_error error;
    const queued *of = arg;
    CHECK_ERROR(&error, dt_team_run(of->queue->team, serve, arg, &error), DT_OK,
                NULL);
    return NULL;
}

static void serves_in_order(dt_world *world)
{
    queue q = {.team = open_team(2), .held = 1};
    queued all[CLIENTS];
    pthread_t holder, threads[CLIENTS];
    (void)world;
    CHECK(pthread_create(&holder, NULL, ask_to_hold, &q) == 0);
    while (!atomic_load(&q.begun))
        usleep(100);
    for (int i = 0; i < CLIENTS; i++) {
        all[i] = (queued){&q, i};
        CHECK(pthread_create(&threads[i], NULL, ask_to_serve, &all[i]) == 0);
        usleep(20000);
    }
    atomic_store(&q.held, 0);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    pthread_join(holder, NULL);
    CHECK_INT(q.served, CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        CHECK_INT(q.order[i], i);
    dt_team_close(q.team);
}

/* Each of several clients asks for as long as the others do. */
typedef struct greedy {
    dt_team *team;
    atomic_int *stop;
    int count;
} greedy;

static dt_status do_nothing(dt_world *world, void *arg)
{
    (void)world;
    (void)arg;
    return DT_OK;
}

static void *ask_on(void *arg)
{
    greedy *g = arg;
    dt_error error;
    while (!atomic_load(g->stop)) {
        CHECK_ERROR(&error, dt_team_run(g->team, do_nothing, NULL, &error),
                    DT_OK, NULL);
        g->count++;
    }
    return NULL;
}

/* Nobody is left out: a request waits for those before it alone. */
static void serves_every_client(dt_world *world)
{
    enum { LEAST = 20 };
    atomic_int stop = 0;
    greedy all[CLIENTS];
    pthread_t threads[CLIENTS];
    dt_team *team = open_team(1);
    (void)world;
    for (int i = 0; i < CLIENTS; i++) {
        all[i] = (greedy){team, &stop, 0};
        CHECK(pthread_create(&threads[i], NULL, ask_on, &all[i]) == 0);
    }
    usleep(300000);
    atomic_store(&stop, 1);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CLIENTS; i++)
        CHECKF(all[i].count >= LEAST, "client %d was served %d times", i,
               all[i].count);
    dt_team_close(team);
}

const dt_test dt_tests[] = {
    {"keeps what is retained", keeps_what_is_retained},
    {"survives failing runs", survives_failing_runs},
    {"queues runs of threads", queues_runs_of_threads},
    {"opens and closes", opens_and_closes},
    {"refuses other transports", refuses_other_transports},
    {"nests worlds", nests_worlds},
    {"forgets the current mesh between programs", forgets_the_current_mesh},
    {"serves in order", serves_in_order},
    {"serves every client", serves_every_client},
    {NULL, NULL},
};
