/* comm/team.c - ranks that are threads and wait for programs to run. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/machine/clock.h"
#include "base/machine/event.h"
#include "base/machine/futex.h"
#include "base/scope.h"
#include "comm/comm.h"
#include "comm/threads/threads.h"

/*
 * A thread that calls dt_team_run, a client, pushes a request onto a stack and
 * waits until it is done.  Rank 0 takes all requests that there are, puts them
 * into the order in which they came, and runs one after another with the other
 * ranks.  Nobody else is woken for a request than the ranks and its client, and
 * while there are requests nobody sleeps.  One run on two ranks:
 *
 *     client     push, arrivals          ...wait for its request
 *     rank 0     rounds, ready... program, finished..., done
 *     rank 1     ready... program, finished
 *
 * where the words are events that are raised, and dots that a thread waits:
 * nobody begins the program before all have forgotten the one before, and rank
 * 0 begins no other before all have finished.
 */

/* How far a request is. */
enum { PENDING, SLEEPING /* its client does */, DONE };

/* What a client wants; it lies on the client's stack. */
typedef struct request {
    dt_program program;
    void *arg;
    dt_status status;
    dt_error *error;
    struct request *next;
    _Atomic uint32_t state;
} request;

/* One rank: its thread, its world, and how its program ended. */
typedef struct team_member {
    dt_team *team;
    pthread_t thread;
    dt_world *world;
    dt_status status;
    dt_error error;
} team_member;

struct dt_team {
    int size;
    bool pin;
    const dt_world_options *options; /* while the team is being opened */
    const dti_settings *settings;
    dti_threads *threads;
    request *run;            /* of this round; NULL: the ranks shall end */
    int spare;               /* cores that the ranks leave to clients */
    dti_waiter idle, inside; /* ranks between programs and around one */
    dti_waiter crowded;      /* rank 0 between programs of more clients */
    dti_waiter clients;

    alignas(DTI_APART) dti_event arrivals; /* of requests */
    _Atomic(request *) pushed;             /* the latest first */
    _Atomic int asking;                    /* clients */
    _Atomic uint32_t closing;
    alignas(DTI_APART) dti_event rounds;   /* programs begun */
    alignas(DTI_APART) dti_event ready;    /* ranks that may begin, in all */
    alignas(DTI_APART) dti_event finished; /* ranks that have finished or
                                              opened their worlds, in all */
    team_member members[];
};

enum {
    IDLE_PATIENCE = 50 * 1000, /* nanoseconds until an idle rank sleeps */
    PATIENCE = 200 * 1000,     /* and one that waits for another, or a
                                  client */
    LOOKS = 200,               /* of a client, with a pause between */
    LONGEST_SLEEP = 1000 * 1000000,
};

/* ---- A rank's thread ---------------------------------------------------- */

/* Run the program of this round, then leave the seat in good order. */
static void run_program(team_member *member)
{
    dt_world *world = member->world;
    const request *run = member->team->run;
    dti_fabric *fabric = dti_comm_of(world)->carrier;
    member->status =
        dti_comm_run(world, run->program, run->arg, &member->error);
    if (member->status != DT_OK)
        dti_comm_abandon(world, &member->error);
    dti_seat_leave(fabric, member->status == DT_OK ? NULL : &member->error);
    dti_world_reset(world);
}

/* Everything of the round before is forgotten before anyone begins. */
static void run_round(team_member *member, uint32_t round)
{
    dt_team *team = member->team;
    const uint32_t size = (uint32_t)team->size;
    dti_seat_begin(dti_comm_of(member->world)->carrier);
    dti_comm_restart(member->world);
    if (size > 1) {
        dti_event_raise(&team->ready);
        dti_event_await(&team->ready, round * size, &team->inside);
    }
    run_program(member);
    dti_event_raise(&team->finished);
}

/* Open the world of a rank.  That is done in its own thread, so that what it
 * allocates lies apart from what other ranks write to. */
static dt_status open_world(team_member *member)
{
    dt_team *team = member->team;
    int rank = (int)(member - team->members);
    void *carrier;
    DTI_ENTRY_OF_WORLD("dt_team_open");
    DTI_TRY(dti_world_create(team->options, team->settings, rank, team->size,
                             &member->world, &member->error));
    DTI_TRY(dti_threads_join(team->threads, member->world, &carrier,
                             &member->error));
    return dti_comm_attach(member->world, &dti_transport_threads, carrier,
                           &member->error);
}

/* A rank but the first: run what that begins until there is nothing more. */
static void follow(team_member *member)
{
    dt_team *team = member->team;
    for (uint32_t round = 1;; round++) {
        dti_event_await(&team->rounds, round, &team->idle);
        if (!team->run)
            return;
        run_round(member, round);
    }
}

/* ---- Rank 0 ------------------------------------------------------------- */

/* Take all requests that were pushed, the earliest first. */
static request *take_pushed(dt_team *team)
{
    request *latest = atomic_exchange(&team->pushed, NULL), *list = NULL;
    while (latest) {
        request *next = latest->next;
        latest->next = list;
        list = latest;
        latest = next;
    }
    return list;
}

/* Wait for requests; NULL if there are none and will be none. */
static request *await_requests(dt_team *team)
{
    for (;;) {
        const uint32_t seen = dti_event_count(&team->arrivals);
        const bool closing = atomic_load(&team->closing);
        request *list = take_pushed(team);
        if (list || closing)
            return list;
        const bool crowded = atomic_load(&team->asking) > team->spare;
        dti_event_await(&team->arrivals, seen + 1,
                        crowded ? &team->crowded : &team->idle);
    }
}

/* The member whose failure tells most: one that failed by itself. */
static const team_member *find_failure(const dt_team *team)
{
    const team_member *found = NULL;
    for (int i = 0; i < team->size; i++) {
        const team_member *candidate = &team->members[i];
        if (candidate->status == DT_OK)
            continue;
        if (!found ||
            (found->status == DT_ERR_PEER && candidate->status != DT_ERR_PEER))
            found = candidate;
    }
    return found;
}

/* Give the failure of a round, with the rank in front. */
static dt_status read_result(const dt_team *team, dt_error *error)
{
    const team_member *failed = find_failure(team);
    if (!failed)
        return DT_OK;
    int rank = (int)(failed - team->members);
    return dti_error_set(error, failed->status, "rank %d: %.*s", rank,
                         DT_ERROR_SIZE - 32, failed->error.message);
}

/* Give a request back to its client, who may be gone at once. */
static void complete(const dt_team *team, request *run)
{
    run->status = read_result(team, run->error);
    if (atomic_exchange(&run->state, DONE) == SLEEPING)
        dti_futex_wake(&run->state);
}

static void lead(team_member *member)
{
    dt_team *team = member->team;
    const uint32_t size = (uint32_t)team->size;
    request *list = NULL;
    for (uint32_t round = 1;; round++) {
        if (!list)
            list = await_requests(team);
        team->run = list;
        dti_event_raise(&team->rounds);
        if (!list)
            return;
        request *run = list;
        list = list->next;
        run_round(member, round);
        dti_event_await(&team->finished, (round + 1) * size, &team->inside);
        complete(team, run);
    }
}

static void *live(void *arg)
{
    team_member *member = arg;
    dt_team *team = member->team;
    const int rank = (int)(member - team->members);
    dti_pin pin = {.pinned = false};
    if (team->pin)
        dti_pin_take(&pin, rank, team->size);
    member->status = open_world(member);
    if (member->status == DT_OK)
        ((dti_fabric *)dti_comm_of(member->world)->carrier)->pin = pin;
    dti_event_raise(&team->finished);
    if (rank == 0)
        lead(member);
    else
        follow(member);
    return NULL;
}

/* ---- The team ----------------------------------------------------------- */

/* End the first `count` threads and wait for them. */
static void end_threads(dt_team *team, int count)
{
    atomic_store(&team->closing, 1);
    dti_event_raise(&team->arrivals);
    for (int i = 0; i < count; i++)
        pthread_join(team->members[i].thread, NULL);
}

/* Start the threads and wait until they have opened their worlds. */
static dt_status start_threads(dt_team *team, dt_error *error)
{
    for (int i = 0; i < team->size; i++) {
        team->members[i].team = team;
        int refused = pthread_create(&team->members[i].thread, NULL, live,
                                     &team->members[i]);
        if (refused) {
            end_threads(team, i);
            return dti_error_set(error, DT_ERR_NO_MEMORY,
                                 "cannot create thread %d of %d: %s", i,
                                 team->size, strerror(refused));
        }
    }
    dti_event_await(&team->finished, (uint32_t)team->size, &team->clients);
    dt_status status = read_result(team, error);
    if (status != DT_OK)
        end_threads(team, team->size);
    return status;
}

/* Make a team without worlds and threads; NULL without memory. */
static dt_team *make_team(const dti_settings *settings)
{
    int size = settings->ranks;
    size_t bytes = sizeof(dt_team) + (size_t)size * sizeof(struct team_member);
    bytes = (bytes + DTI_APART - 1) / DTI_APART * DTI_APART;
    dt_team *team = aligned_alloc(DTI_APART, bytes);
    if (!team)
        return NULL;
    memset(team, 0, bytes);
    team->threads = dti_threads_create(size, settings->cores);
    if (!team->threads) {
        free(team);
        return NULL;
    }
    /* Besides the ranks there is a client. */
    const bool fits = size < settings->cores;
    team->size = size;
    team->pin = settings->pin == DT_TRISTATE_ON;
    team->spare = settings->cores - size;
    team->crowded = (dti_waiter){.patience = PATIENCE};
    team->idle = (dti_waiter){.spins = fits, .patience = IDLE_PATIENCE};
    team->inside =
        (dti_waiter){.spins = size <= settings->cores, .patience = PATIENCE};
    team->clients =
        (dti_waiter){.spins = fits, .patience = fits ? PATIENCE : 0};
    return team;
}

static void free_team(dt_team *team)
{
    DTI_ENTRY_OF_WORLD("dt_team_close");
    for (int i = 0; i < team->size; i++)
        DT_IGNORE(dt_world_close(team->members[i].world));
    dti_threads_release(team->threads);
    free(team);
}

dt_status dt_team_open(const dt_world_options *options, dt_team **out,
                       dt_error *error)
{
    dti_settings settings;
    DTI_TRY(dti_settings_read(options, &settings, error));
    if (strcmp(settings.transport, "threads") != 0)
        return dti_error_set(
            error, DT_ERR_UNSUPPORTED,
            "dt_team_open: the transport must be threads, not \"%s\"",
            settings.transport);
    DTI_TRY(dti_comm_prepare(&settings, error));
    dt_team *team = make_team(&settings);
    if (!team)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for a team of %d ranks",
                             settings.ranks);
    team->options = options;
    team->settings = &settings;
    dt_status status = start_threads(team, error);
    if (status != DT_OK) {
        free_team(team);
        return status;
    }
    *out = team;
    return DT_OK;
}

/* ---- A client ----------------------------------------------------------- */

static bool is_done(const request *run)
{
    return atomic_load_explicit(&run->state, memory_order_acquire) == DONE;
}

static bool yield_until_done(const request *run, dti_waiter *waiter)
{
    const int64_t start = dti_clock_now();
    int64_t now = start;
    while (now - start < waiter->patience) {
        const bool goes_on = dti_waiter_yield(waiter, &now);
        if (is_done(run))
            return true;
        if (!goes_on)
            return false;
    }
    return false;
}

/* Wait; `alone` if there is no other client, so that looking costs nobody. */
static void await_request(request *run, dti_waiter *waiter, bool alone)
{
    uint32_t state = PENDING;
    for (int i = 0; alone && waiter->spins && i < LOOKS; i++) {
        if (is_done(run))
            return;
        DTI_PAUSE();
    }
    if (waiter->patience && dti_waiter_begin(waiter) &&
        yield_until_done(run, waiter))
        return;
    if (!atomic_compare_exchange_strong(&run->state, &state, SLEEPING))
        return;
    while (!is_done(run))
        dti_futex_wait(&run->state, SLEEPING, LONGEST_SLEEP);
}

dt_status dt_team_run(dt_team *team, dt_program program, void *arg,
                      dt_error *error)
{
    request run = {.program = program, .arg = arg, .error = error};
    run.next = atomic_load(&team->pushed);
    while (!atomic_compare_exchange_weak(&team->pushed, &run.next, &run))
        ;
    const bool alone = atomic_fetch_add(&team->asking, 1) == 0;
    dti_event_raise(&team->arrivals);
    await_request(&run, &team->clients, alone);
    atomic_fetch_sub(&team->asking, 1);
    return run.status;
}

void dt_team_close(dt_team *team)
{
    if (!team)
        return;
    end_threads(team, team->size);
    free_team(team);
}
