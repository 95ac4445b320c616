/* comm/team.c - ranks that are threads and wait for programs to run. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/machine/cpu.h"
#include "base/scope.h"
#include "comm/comm.h"
#include "comm/threads/threads.h"

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
    pthread_barrier_t meeting; /* of the ranks, around each program */
    pthread_mutex_t lock;      /* for everything below */
    pthread_cond_t changed;
    uint64_t next_ticket; /* programs queue for their turn */
    uint64_t turn;
    uint64_t round; /* goes up when the ranks shall run `program` */
    bool closing;
    int running; /* ranks that have not finished it, or opening */
    dt_program program;
    void *arg;
    team_member members[];
};

/* ---- A rank's thread ---------------------------------------------------- */

/* Run the program of this round, then leave the seat in good order. */
static void run_program(team_member *member)
{
    dt_world *world = member->world;
    dti_fabric *fabric = dti_comm_of(world)->carrier;
    member->status = dti_comm_run(world, member->team->program,
                                  member->team->arg, &member->error);
    if (member->status != DT_OK)
        dti_comm_abandon(world, &member->error);
    dti_seat_leave(fabric, member->status == DT_OK ? NULL : &member->error);
    dti_world_reset(world);
}

/* Everything of the round before is forgotten before anyone begins. */
static void run_round(team_member *member)
{
    dt_world *world = member->world;
    dti_seat_begin(dti_comm_of(world)->carrier);
    dti_comm_restart(world);
    pthread_barrier_wait(&member->team->meeting);
    run_program(member);
    pthread_barrier_wait(&member->team->meeting);
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

/* Say that this rank is done with what all were asked to do. */
static void report_done(dt_team *team)
{
    team->running--;
    pthread_cond_broadcast(&team->changed);
}

static void *live(void *arg)
{
    team_member *member = arg;
    dt_team *team = member->team;
    uint64_t seen = 0;
    if (team->pin)
        dti_cpu_place((int)(member - team->members), team->size);
    member->status = open_world(member);
    pthread_mutex_lock(&team->lock);
    report_done(team);
    for (;;) {
        while (team->round == seen && !team->closing)
            pthread_cond_wait(&team->changed, &team->lock);
        if (team->round == seen)
            break;
        seen = team->round;
        pthread_mutex_unlock(&team->lock);
        run_round(member);
        pthread_mutex_lock(&team->lock);
        report_done(team);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* ---- The team ----------------------------------------------------------- */

/* End the first `count` threads and wait for them. */
static void end_threads(dt_team *team, int count)
{
    pthread_mutex_lock(&team->lock);
    team->closing = true;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < count; i++)
        pthread_join(team->members[i].thread, NULL);
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

/* Wait until all ranks have reported; under the lock. */
static void wait_for_ranks(dt_team *team)
{
    while (team->running > 0)
        pthread_cond_wait(&team->changed, &team->lock);
}

/* Start the threads and wait until they have opened their worlds. */
static dt_status start_threads(dt_team *team, dt_error *error)
{
    team->running = team->size;
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
    pthread_mutex_lock(&team->lock);
    wait_for_ranks(team);
    dt_status status = read_result(team, error);
    pthread_mutex_unlock(&team->lock);
    if (status != DT_OK)
        end_threads(team, team->size);
    return status;
}

/* Make a team without worlds and threads; NULL without memory. */
static dt_team *make_team(const dti_settings *settings)
{
    int size = settings->ranks;
    dt_team *team =
        calloc(1, sizeof *team + (size_t)size * sizeof team->members[0]);
    if (!team)
        return NULL;
    team->threads = dti_threads_create(size, settings->cores);
    if (!team->threads) {
        free(team);
        return NULL;
    }
    team->size = size;
    team->pin = settings->pin == DT_TRISTATE_ON;
    pthread_barrier_init(&team->meeting, NULL, (unsigned)size);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    return team;
}

static void free_team(dt_team *team)
{
    DTI_ENTRY_OF_WORLD("dt_team_close");
    for (int i = 0; i < team->size; i++)
        DT_IGNORE(dt_world_close(team->members[i].world));
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    pthread_barrier_destroy(&team->meeting);
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

dt_status dt_team_run(dt_team *team, dt_program program, void *arg,
                      dt_error *error)
{
    pthread_mutex_lock(&team->lock);
    uint64_t ticket = team->next_ticket++;
    while (team->turn != ticket)
        pthread_cond_wait(&team->changed, &team->lock);
    team->program = program;
    team->arg = arg;
    team->running = team->size;
    team->round++;
    pthread_cond_broadcast(&team->changed);
    wait_for_ranks(team);
    dt_status status = read_result(team, error);
    team->turn++;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    return status;
}

void dt_team_close(dt_team *team)
{
    if (!team)
        return;
    end_threads(team, team->size);
    free_team(team);
}
