/* tests/unit/comm/seat.c - who is taken to wait for whom. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/attributes.h"
#include "base/world.h"
#include "comm/comm.h"
#include "comm/shared/fabric.h"
#include "comm/threads/threads.h"
#include "support/check.h"

enum { RANKS = 3, TURNS = 200000 };

/* Ranks without threads of their own: the test says what they wait for. */
typedef struct table {
    dti_threads *threads;
    dt_world *world[RANKS];
    dti_fabric *fabric[RANKS];
    dti_port *port[RANKS];
    _Atomic uint64_t words[RANKS]; /* what each waits to see at 1 */
} table;

static bool set_table(table *t)
{
    dti_settings settings;
    dt_error error = {DT_OK, ""};
    *t = (table){.threads = dti_threads_create(RANKS, RANKS)};
    CHECK_INT(dti_settings_read(NULL, &settings, &error), DT_OK);
    for (int i = 0; i < RANKS; i++) {
        void *carrier = NULL;
        if (!CHECK_ERROR(&error,
                         dti_world_create(NULL, &settings, i, RANKS,
                                          &t->world[i], &error),
                         DT_OK, NULL) ||
            !CHECK_ERROR(
                &error,
                dti_threads_join(t->threads, t->world[i], &carrier, &error),
                DT_OK, NULL) ||
            !CHECK_ERROR(&error,
                         dti_comm_attach(t->world[i], &dti_transport_threads,
                                         carrier, &error),
                         DT_OK, NULL))
            return false;
        t->fabric[i] = carrier;
        t->port[i] = dt_world_group(t->world[i])->main.line.state;
    }
    return true;
}

static void clear_table(table *t)
{
    for (int i = 0; i < RANKS; i++)
        CHECK_INT(dt_world_close(t->world[i]), DT_OK);
    dti_threads_release(t->threads);
}

/* Let a rank wait for another to call. */
static void begin_wait(table *t, int rank, int other)
{
    dti_need need = {&t->words[rank], 1, other, true};
    dti_seat_begin_wait(t->port[rank], &need);
}

static void follows_who_waits(dt_world *unused)
{
    (void)unused;
    table t;
    if (!set_table(&t))
        return;
    CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
    begin_wait(&t, 0, 1);
    CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
    begin_wait(&t, 1, 2);
    CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
    /* Rank 2 waits for rank 1, which closes no circle around rank 0. */
    begin_wait(&t, 2, 1);
    CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
    dti_seat_end_wait(t.fabric[2]);
    begin_wait(&t, 2, 0);
    /* What has been met is not waited for, though nobody woke up yet. */
    for (int i = 0; i < RANKS; i++) {
        atomic_store(&t.words[i], 1);
        CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
        atomic_store(&t.words[i], 0);
    }
    /* A rank that others wait for to finish goes on by itself. */
    dti_seat_end_wait(t.fabric[1]);
    dti_need finished = {&t.words[1], 1, 2, false};
    dti_seat_begin_wait(t.port[1], &finished);
    CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0]));
    dti_seat_end_wait(t.fabric[1]);
    begin_wait(&t, 1, 2);
    CHECK_FAILS(t.world[0], dti_seat_check_cycle(t.fabric[0]), DT_ERR_DIVERGED,
                "deadlock");
    clear_table(&t);
}

/* Ranks 0 and 1 wait for each other by turns, never at the same time. */
typedef struct turns {
    table *table;
    atomic_int left;
} turns;

static void pause_for(uint64_t times)
{
    while (times-- > 0)
        DTI_PAUSE();
}

static void *take_turns(void *arg)
{
    turns *t = arg;
    while (atomic_load(&t->left) > 0) {
        int left = atomic_fetch_sub(&t->left, 1);
        int rank = left % 2;
        begin_wait(t->table, rank, !rank);
        pause_for((uint64_t)left / 2 % 16);
        dti_seat_end_wait(t->table->fabric[rank]);
    }
    return NULL;
}

static void looks_twice(dt_world *unused)
{
    (void)unused;
    table t;
    turns order = {.table = &t, .left = TURNS};
    pthread_t thread;
    if (!set_table(&t))
        return;
    if (CHECK_INT(pthread_create(&thread, NULL, take_turns, &order), 0)) {
        while (atomic_load(&order.left) > 0)
            if (!CHECK_OK(t.world[0], dti_seat_check_cycle(t.fabric[0])))
                atomic_store(&order.left, 0);
        pthread_join(thread, NULL);
    }
    clear_table(&t);
}

/* Rank 1 waits for rank 0 in one call after another; in between it is seen
 * computing. */
static void *make_calls(void *arg)
{
    turns *t = arg;
    const dt_channel *line = t->table->port[1]->line;
    dt_call call = {.kind = DT_BARRIER};
    while (atomic_load(&t->left) > 0) {
        call.sequence++;
        dti_seat_show(t->table->fabric[1], line, &call, true);
        begin_wait(t->table, 1, 0);
        pause_for(call.sequence % 16);
        dti_seat_end_wait(t->table->fabric[1]);
        dti_seat_show(t->table->fabric[1], line, &call, false);
        pause_for(call.sequence % 17);
    }
    return NULL;
}

/* What a rank of a circle is said to do is what it waits in, though it may be
 * through with that by the time it is said. */
static void names_what_ranks_wait_in(dt_world *unused)
{
    (void)unused;
    table t;
    turns order = {.table = &t, .left = TURNS};
    pthread_t thread;
    if (!set_table(&t))
        return;
    if (CHECK_INT(pthread_create(&thread, NULL, make_calls, &order), 0)) {
        begin_wait(&t, 0, 1);
        while (atomic_fetch_sub(&order.left, 1) > 0) {
            if (dti_seat_check_cycle(t.fabric[0]) == DT_OK)
                continue;
            const char *said = dt_world_error(t.world[0])->message;
            if (!CHECKF(strstr(said, "rank 1 in barrier"), "%s", said))
                atomic_store(&order.left, 0);
            dti_seat_return(t.fabric[0]);
        }
        pthread_join(thread, NULL);
    }
    clear_table(&t);
}

const dt_test dt_tests[] = {
    {"follows who waits", follows_who_waits},
    {"looks twice", looks_twice},
    {"names what ranks wait in", names_what_ranks_wait_in},
    {NULL, NULL},
};
