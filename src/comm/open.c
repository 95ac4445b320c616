/* comm/open.c - opening, poisoning and recovering worlds; main programs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/sys/plugin.h>

#include "base/handles.h"
#include "base/running.h"
#include "base/scope.h"
#include "comm/comm.h"
#include "comm/mpi/mpi.h"

/* Find the transport that the settings name. */
static dt_status find_transport(const dti_settings *settings,
                                const dt_transport **out, dt_error *error)
{
    *out = dti_transport_find(settings->transport);
    if (*out)
        return (*out)->load ? (*out)->load(out, error) : DT_OK;
    char known[128] = "";
    const dt_transport *transport;
    for (size_t i = 0; (transport = dt_transport_at(i)); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                 transport->name);
    }
    return dti_error_set(error, DT_ERR_NOT_FOUND,
                         "there is no transport \"%s\"; available: %s",
                         settings->transport, known);
}

/* Threads are the one transport whose ranks live in one process. */
static bool needs_threads(const dti_settings *settings)
{
    return settings->ranks > 1 && strcmp(settings->transport, "threads") == 0;
}

/* Read the settings.  A process that MPI started belongs to a world on MPI,
 * unless someone says how ranks talk, or the program how many there are. */
static dt_status read_settings(const dt_world_options *options,
                               dti_settings *out, dt_error *error)
{
    DTI_TRY(dti_settings_read(options, out, error));
    dt_setting *transport = &out->listed[DTI_SET_TRANSPORT];
    if (transport->origin != DT_FROM_DEFAULT ||
        out->listed[DTI_SET_RANKS].origin == DT_FROM_OPTIONS ||
        !dti_mpi_launched())
        return DT_OK;
    strcpy(out->transport, dti_transport_mpi.name);
    strcpy(out->texts[DTI_SET_TRANSPORT], dti_transport_mpi.name);
    transport->origin = DT_FROM_ENVIRONMENT;
    return DT_OK;
}

static dt_status open_world(const dt_world_options *options,
                            const dti_settings *settings, dt_world **out,
                            dt_error *error)
{
    const dt_transport *transport;
    int rank = settings->rank;
    int size = settings->ranks;
    DTI_TRY(find_transport(settings, &transport, error));
    DTI_TRY(dti_comm_prepare(settings, error));
    if (transport->locate)
        DTI_TRY(transport->locate(&rank, &size, error));
    if (rank < 0 || rank >= size)
        return dti_error_set(error, DT_ERR_INVALID,
                             "rank %d is out of range for a world of %d ranks",
                             rank, size);
    dt_world *world = NULL;
    DTI_TRY(dti_world_create(options, settings, rank, size, &world, error));
    void *carrier;
    dt_status status = transport->open(world, &carrier, error);
    if (status == DT_OK)
        status = dti_comm_attach(world, transport, carrier, error);
    if (status != DT_OK) {
        DT_IGNORE(dt_world_close(world));
        return status;
    }
    *out = world;
    return DT_OK;
}

dt_status dt_world_open(const dt_world_options *options, dt_world **out,
                        dt_error *error)
{
    dti_settings settings;
    DTI_ENTRY_OF_WORLD(__func__);
    DTI_TRY(read_settings(options, &settings, error));
    if (needs_threads(&settings))
        return dti_error_set(error, DT_ERR_INVALID,
                             "dt_world_open: cannot open %d ranks that are "
                             "threads; use dt_main, dt_world_run or a team",
                             settings.ranks);
    DTI_TRY(open_world(options, &settings, out, error));
    dti_world_enter(*out, false);
    return DT_OK;
}

dt_status dt_world_open_on(const dt_world_options *options, const char *mpi,
                           const void *communicator, dt_world **out,
                           dt_error *error)
{
    dt_world_options on;
    DTI_ENTRY_OF_WORLD(__func__);
    DTI_TRY(dti_world_options_read(options, &on, error));
    on.transport = dti_transport_mpi.name;
    dti_mpi_give(mpi, communicator);
    dt_status status = dt_world_open(&on, out, error);
    dti_mpi_give(NULL, NULL);
    return status;
}

dt_status dt_world_run(const dt_world_options *options, dt_program program,
                       void *arg, dt_error *error)
{
    dt_team *team;
    DTI_TRY(dt_team_open(options, &team, error));
    dt_status status = dt_team_run(team, program, arg, error);
    dt_team_close(team);
    return status;
}

static void poison(dt_world *world, const dt_error *error)
{
    dti_comm *comm = dti_comm_of(world);
    if (comm->transport->poison)
        comm->transport->poison(comm->carrier, error);
}

void dt_world_poison(dt_world *world)
{
    dt_error error = world->latest;
    if (error.code == DT_OK)
        dti_error_set(&error, DT_ERR_COMM, "it called dt_world_poison");
    poison(world, &error);
}

dt_status dti_comm_tell(dt_world *world, dt_status status)
{
    bool came_from_others = status == DT_ERR_PEER ||
                            status == DT_ERR_DIVERGED || status == DT_ERR_COMM;
    const dti_comm *comm = dti_comm_of(world);
    bool known =
        came_from_others && comm->failed && comm->transport->spreads_failures;
    if (status != DT_OK && !known)
        dt_world_poison(world);
    return status;
}

dt_status dt_world_recover(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    dt_error error = world->latest;
    if (error.code == DT_OK)
        dti_error_set(&error, DT_ERR_COMM, "it called dt_world_recover");
    dti_comm_abandon(world, &error);
    DTI_TRY(comm->transport->recover(comm->carrier));
    dti_comm_let_go(comm);
    dti_comm_restart(world);
    comm->recoveries++;
    dti_scope_mark_read(world);
    dt_world_clear_error(world);
    return DT_OK;
}

/* A main program says on stderr what the library reports. */
static void print_remark(void *arg, dt_log_level level, int rank,
                         const char *message)
{
    static const char *const names[] = {
        [DT_LOG_WARNING] = "warning",
        [DT_LOG_INFO] = "info",
        [DT_LOG_DEBUG] = "debug",
    };
    (void)arg;
    fprintf(stderr, "dtensor: rank %d: %s: %s\n", rank, names[level], message);
}

dt_status dti_comm_run(dt_world *world, dt_program program, void *arg,
                       dt_error *error)
{
    dti_world_enter(world, true);
    dt_status status = program(world, arg);
    dti_world_leave(world);
    if (status == DT_OK)
        status = dti_comm_settle(world);
    const dt_error *unread = dti_world_unread(world);
    if (status == DT_OK && unread)
        return dti_error_set(error, unread->code,
                             "%.*s; the program returned DT_OK without reading "
                             "this error",
                             DT_ERROR_SIZE - 80, unread->message);
    if (status != DT_OK && world->latest.code == status)
        *error = world->latest;
    else if (status != DT_OK)
        dti_error_set(error, status, "the program returned %s",
                      dt_status_name(status));
    return status;
}

/* Say why a run failed; gives the exit status. */
static int print_failure(const dt_error *error)
{
    fprintf(stderr, "dtensor: %s: %s\n", dt_status_name(error->code),
            error->message);
    return 1;
}

/* The process is there for its ranks: they are pinned unless someone objects.
 */
static int run_as_threads(const dt_world_options *options,
                          const dti_settings *settings, dt_program program,
                          void *arg)
{
    dt_error error = {DT_OK, ""};
    dt_world_options pinned = *options;
    if (settings->pin == DT_TRISTATE_INHERIT)
        pinned.pin = DT_TRISTATE_ON;
    if (dt_world_run(&pinned, program, arg, &error) == DT_OK)
        return 0;
    return print_failure(&error);
}

/* Open the world of a main program.  Apart, because what the program creates is
 * not created by dt_main. */
static dt_status open_for_main(const dt_world_options *options,
                               const dti_settings *settings, dt_world **out,
                               dt_error *error)
{
    DTI_ENTRY_OF_WORLD("dt_main");
    return open_world(options, settings, out, error);
}

static int run_alone(const dt_world_options *options,
                     const dti_settings *settings, dt_program program,
                     void *arg)
{
    dt_error error = {DT_OK, ""};
    dt_world *world = NULL;
    if (open_for_main(options, settings, &world, &error) != DT_OK)
        return print_failure(&error);
    dt_status status = dti_comm_run(world, program, arg, &error);
    if (status != DT_OK) {
        /* Said before the others are told: on mpi that ends the process. */
        print_failure(&error);
        world->log = NULL;
        poison(world, &error);
    }
    dt_world_clear_error(world);
    DT_IGNORE(dt_world_close(world));
    return status != DT_OK;
}

int dt_main(int argc, char **argv, dt_program program, void *arg)
{
    (void)argc;
    (void)argv;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.log = print_remark;
    dti_settings settings;
    dt_error error = {DT_OK, ""};
    if (read_settings(&options, &settings, &error) != DT_OK)
        return print_failure(&error);
    return needs_threads(&settings)
               ? run_as_threads(&options, &settings, program, arg)
               : run_alone(&options, &settings, program, arg);
}
