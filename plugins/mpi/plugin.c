/* plugins/mpi/plugin.c - worlds and lines as communicators of MPI. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/plugin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const dt_services *dti_mpi_services;

static const size_t items[] = {
#define ITEM(constant, name, bytes, kind, numpy) [DT_##constant] = (bytes),
    DT_DTYPES(ITEM)
#undef ITEM
};

size_t dti_mpi_item(dt_dtype dtype)
{
    return items[dtype];
}

MPI_Datatype dti_mpi_type(dt_dtype dtype)
{
    static const MPI_Datatype types[DT_DTYPE_COUNT] = {
        [DT_F32] = MPI_FLOAT,
        [DT_F64] = MPI_DOUBLE,
        /* MPI moves half types; it does not compute with them. */
        [DT_F16] = MPI_UINT16_T,
        [DT_BF16] = MPI_UINT16_T,
        [DT_I8] = MPI_INT8_T,
        [DT_I16] = MPI_INT16_T,
        [DT_I32] = MPI_INT32_T,
        [DT_I64] = MPI_INT64_T,
        [DT_U8] = MPI_UINT8_T,
        [DT_BOOL] = MPI_UINT8_T,
        [DT_C64] = MPI_C_FLOAT_COMPLEX,
    };
    return types[dtype];
}

/* The sentence that MPI has for a code. */
static void describe(int code, char *text)
{
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        length = 0;
    text[length] = '\0';
}

dt_status dti_mpi_fail(dt_world *world, int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING];
    describe(code, text);
    return dti_mpi_services->fail(world, DT_ERR_COMM, "%s: %s", function, text);
}

/* The same where there is no world yet. */
static dt_status check_early(dt_error *error, int code, const char *function)
{
    if (code == MPI_SUCCESS)
        return DT_OK;
    char text[MPI_MAX_ERROR_STRING];
    describe(code, text);
    return dti_mpi_services->error_set(error, DT_ERR_COMM, "%s: %s", function,
                                       text);
}

void dti_mpi_end_job(dti_mpi *mpi, const dt_error *error)
{
    dti_mpi_services->log(mpi->world, DT_LOG_WARNING,
                          "MPI ends the job because this rank failed: %s",
                          error->message);
    MPI_Abort(mpi->comm, 1);
}

/* ---- Beginning and end of MPI ------------------------------------------- */

/*
 * MPI can be started once in a process, but worlds can be opened many times; so
 * whoever starts it here ends it when the process exits.  To end it is to wait
 * for all ranks.  A rank that exits with a failure waits for a while, in case
 * they all do; then it ends the job, for others may be waiting for this rank.
 */
enum { FAREWELL_SECONDS = 5 };

static void wait_for_others(int status)
{
    MPI_Request request;
    struct timespec nap = {0, 1000000};
    int complete = 0;
    double deadline = MPI_Wtime() + FAREWELL_SECONDS;
    if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return;
    while (MPI_Test(&request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           !complete) {
        if (MPI_Wtime() > deadline)
            MPI_Abort(MPI_COMM_WORLD, status);
        nanosleep(&nap, NULL);
    }
}

static pid_t started_by;

/* Worlds that are open.  One thread calls MPI, so nothing guards the list. */
static dti_mpi *open_worlds;

/* A child that the program forked is no rank, and leaves MPI alone. */
static void end_mpi(int status, void *unused)
{
    int finalized = 0;
    (void)unused;
    if (getpid() != started_by)
        return;
    MPI_Finalized(&finalized);
    if (finalized)
        return;
    for (dti_mpi *mpi = open_worlds; mpi; mpi = mpi->next)
        dti_mpi_watch_leave(mpi->watch);
    if (status != 0)
        wait_for_others(status);
    dti_mpi_reduce_end();
    MPI_Finalize();
}

/* Start MPI unless it runs. */
static dt_status begin_mpi(dt_error *error)
{
    int running = 0, over = 0, threads;
    MPI_Initialized(&running);
    MPI_Finalized(&over);
    if (over)
        return dti_mpi_services->error_set(
            error, DT_ERR_COMM,
            "MPI is finalised already: the program called MPI_Finalize");
    if (running)
        return DT_OK;
    /* One thread calls MPI, here or after the program has said more: from the
     * next level on, Open MPI takes locks in every call. */
    DT_TRY(check_early(error,
                       MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &threads),
                       "MPI_Init_thread"));
    started_by = getpid();
    if (on_exit(end_mpi, NULL) != 0)
        return dti_mpi_services->error_set(
            error, DT_ERR_NO_MEMORY,
            "out of memory for the exit handler of MPI");
    return DT_OK;
}

/* The communicator that the world is opened on. */
static MPI_Comm given_comm(void)
{
    const MPI_Comm *given = dti_mpi_services->communicator();
    return given ? *given : MPI_COMM_WORLD;
}

static dt_status locate(int *rank, int *size, dt_error *error)
{
    DT_TRY(begin_mpi(error));
    DT_TRY(
        check_early(error, MPI_Comm_rank(given_comm(), rank), "MPI_Comm_rank"));
    return check_early(error, MPI_Comm_size(given_comm(), size),
                       "MPI_Comm_size");
}

/* ---- Worlds ------------------------------------------------------------- */

/* A setting of this plug-in: a number, for tests. */
static int read_limit(void)
{
    const char *text = secure_getenv("DT_MPI_LIMIT");
    long limit = text ? strtol(text, NULL, 10) : 0;
    return limit > 0 && limit < INT_MAX ? (int)limit : INT_MAX;
}

/* Whether reductions combine ranks in order. */
static dt_status read_order(bool *out, dt_error *error)
{
    const char *text = secure_getenv("DT_MPI_ORDER");
    *out = text && strcmp(text, "ranks") == 0;
    if (*out || !text || strcmp(text, "any") == 0)
        return DT_OK;
    return dti_mpi_services->error_set(
        error, DT_ERR_INVALID, "DT_MPI_ORDER is \"%s\"; expected any or ranks",
        text);
}

/* Agree on whether calls are compared, which they are if any rank is asked to,
 * and whether all ranks are watched. */
static int agree(dti_mpi *mpi, bool *watched)
{
    int wishes[2] = {dti_mpi_services->check(mpi->world), !mpi->watch};
    int code =
        MPI_Allreduce(MPI_IN_PLACE, wishes, 2, MPI_INT, MPI_MAX, mpi->comm);
    mpi->check = wishes[0];
    *watched = !wishes[1];
    return code;
}

/* Make the communicator of a world, and let its ranks see one another. */
static dt_status meet(dti_mpi *mpi, dt_error *error)
{
    bool watched;
    DT_TRY(check_early(error, MPI_Comm_dup(given_comm(), &mpi->comm),
                       "MPI_Comm_dup"));
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    int code = agree(mpi, &watched);
    if (code != MPI_SUCCESS) {
        MPI_Comm_free(&mpi->comm);
        return check_early(error, code, "MPI_Allreduce");
    }
    if (watched)
        dti_mpi_watch_share(mpi->watch, mpi->comm, mpi->check);
    return DT_OK;
}

/* Start the watch, so that it sees whether all ranks open the world. */
static dt_status start_world(dti_mpi *mpi, dt_error *error)
{
    int rank;
    DT_TRY(locate(&rank, &mpi->size, error));
    DT_TRY(
        dti_mpi_watch_start(mpi->world, rank, mpi->size, &mpi->watch, error));
    dti_mpi_watch_enter_meeting(mpi->watch, NULL, DTI_MPI_OPEN);
    dt_status status = meet(mpi, error);
    dti_mpi_watch_exit(mpi->watch);
    if (status != DT_OK)
        dti_mpi_watch_stop(mpi->watch);
    return status;
}

static dt_status open_world(dt_world *world, void **carrier, dt_error *error)
{
    bool in_order;
    DT_TRY(read_order(&in_order, error));
    DT_TRY(dti_mpi_reduce_begin(error));
    dti_mpi *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return dti_mpi_services->error_set(
            error, DT_ERR_NO_MEMORY,
            "out of memory for the communicator of all ranks");
    *mpi = (dti_mpi){.world = world, .limit = read_limit()};
    dti_mpi_reduce_choose(mpi, in_order);
    dt_status status = start_world(mpi, error);
    if (status != DT_OK) {
        free(mpi);
        return status;
    }
    mpi->next = open_worlds;
    open_worlds = mpi;
    *carrier = mpi;
    return DT_OK;
}

/* Give a communicator back, unless the program has ended MPI before. */
static void free_comm(MPI_Comm *comm)
{
    int over = 0;
    MPI_Finalized(&over);
    if (!over)
        MPI_Comm_free(comm);
}

static void close_world(void *carrier)
{
    dti_mpi *mpi = carrier;
    dti_mpi **place = &open_worlds;
    while (*place != mpi)
        place = &(*place)->next;
    *place = mpi->next;
    dti_mpi_watch_leave(mpi->watch);
    dti_mpi_watch_stop(mpi->watch);
    free_comm(&mpi->comm);
    free(mpi->scratch);
    free(mpi);
}

static bool compares(const void *carrier)
{
    const dti_mpi *mpi = carrier;
    return mpi->check;
}

/* ---- Lines -------------------------------------------------------------- */

/* A state with room for `size` numbers of each kind; NULL without memory. */
static dti_mpi_line *make_state(size_t size)
{
    dti_mpi_line *state =
        calloc(1, sizeof *state +
                      size * (sizeof *state->inputs + 2 * sizeof *state->types +
                              4 * sizeof *state->lengths));
    if (!state)
        return NULL;
    state->inputs = (const void **)(state + 1);
    state->types = (MPI_Datatype *)(void *)(state->inputs + size);
    state->receive_types = state->types + size;
    state->lengths = (int *)(void *)(state->receive_types + size);
    state->offsets = state->lengths + size;
    state->receive_lengths = state->offsets + size;
    state->receive_offsets = state->receive_lengths + size;
    return state;
}

/* Tell whether a line is all ranks in their order. */
static bool is_everyone(const dti_mpi *mpi, const dt_channel *line)
{
    for (int i = 0; i < line->size; i++)
        if (line->ranks[i] != i)
            return false;
    return line->size == mpi->size;
}

/* Make the communicator of a line.  The tag keeps apart communicators that
 * some ranks are making while others make another. */
static int make_comm(const dti_mpi *mpi, const dt_channel *line, MPI_Comm *out)
{
    MPI_Group everyone, members;
    int tag = (int)(line->id & 0x7fff); /* every MPI has tags up to 32767 */
    int code = MPI_Comm_group(mpi->comm, &everyone);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Group_incl(everyone, line->size, line->ranks, &members);
    MPI_Group_free(&everyone);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Comm_create_group(mpi->comm, members, tag, out);
    MPI_Group_free(&members);
    if (code == MPI_SUCCESS)
        MPI_Comm_set_errhandler(*out, MPI_ERRORS_RETURN);
    return code;
}

/* Make the communicator of a group, or borrow that of all ranks. */
static int find_comm(const dti_mpi *mpi, const dt_channel *line,
                     dti_mpi_line *state)
{
    state->comm = mpi->comm;
    if (is_everyone(mpi, line))
        return MPI_SUCCESS;
    dti_mpi_watch_enter_meeting(mpi->watch, line, DTI_MPI_GROUP);
    int code = make_comm(mpi, line, &state->comm);
    dti_mpi_watch_exit(mpi->watch);
    state->owns_comm = code == MPI_SUCCESS;
    return code;
}

static dt_status line_open(void *carrier, dt_channel *line)
{
    dti_mpi *mpi = carrier;
    dti_mpi_line *state = make_state(line->parent ? 0 : (size_t)line->size);
    if (!state)
        return dti_mpi_services->fail(
            mpi->world, DT_ERR_NO_MEMORY,
            "out of memory for the communicator of %s", line->label);
    state->track = dti_mpi_watch_add_line(mpi->watch, line);
    if (line->parent) {
        state->comm = dti_mpi_line_of(line->parent)->comm;
    } else {
        int code = find_comm(mpi, line, state);
        if (code != MPI_SUCCESS) {
            free(state);
            return dti_mpi_check(mpi->world, code, "MPI_Comm_create_group");
        }
    }
    line->state = state;
    return DT_OK;
}

static void line_close(void *carrier, dt_channel *line)
{
    const dti_mpi *mpi = carrier;
    dti_mpi_line *state = line->state;
    dti_mpi_watch_drop_line(mpi->watch);
    dti_mpi_notes_drop(state);
    if (state->owns_comm)
        free_comm(&state->comm);
    free(state);
}

/* ---- Calls -------------------------------------------------------------- */

static bool is_message(const dt_call *call)
{
    return call->kind == DT_SEND || call->kind == DT_RECEIVE;
}

/* Fail as a divergence did that all members were told of. */
static dt_status fail_again(const dti_mpi *mpi)
{
    return dti_mpi_services->fail(mpi->world, mpi->failure.code, "%s",
                                  mpi->failure.message);
}

static dt_status start(void *carrier, dt_channel *line, dt_call *call)
{
    static dt_status (*const functions[DT_COLLECTIVE_COUNT])(
        const dti_mpi_job *) = {
        [DT_BARRIER] = dti_mpi_barrier,
        [DT_ALL_REDUCE] = dti_mpi_all_reduce,
        [DT_ALL_GATHER] = dti_mpi_all_gather,
        [DT_REDUCE_SCATTER] = dti_mpi_reduce_scatter,
        [DT_ALL_TO_ALL] = dti_mpi_all_to_all,
        [DT_BROADCAST] = dti_mpi_broadcast,
        [DT_SCATTER] = dti_mpi_scatter,
        [DT_GATHER] = dti_mpi_gather,
    };
    dti_mpi *mpi = carrier;
    dti_mpi_line *state = line->state;
    if (mpi->failure.code != DT_OK)
        return fail_again(mpi);
    if (is_message(call)) {
        dti_mpi_watch_begin(mpi->watch, line, state->track, call);
        return dti_mpi_message_start(mpi, line, call);
    }
    const dti_mpi_job job = {.mpi = mpi,
                             .line = line,
                             .call = call,
                             .state = state,
                             .comm = state->comm,
                             .type = dti_mpi_type(call->dtype)};
    dt_status status = DT_OK;
    call->complete = true;
    dti_mpi_watch_enter(mpi->watch, line, state->track, call);
    if (mpi->check && line->size > 1)
        status = dti_mpi_compare(&job);
    if (status == DT_OK)
        status = functions[call->kind](&job);
    dti_mpi_watch_exit(mpi->watch);
    return status;
}

/* Complete a message if it can be, now that this rank has failed. */
static dt_status advance_failed(dti_mpi *mpi, dt_channel *line, dt_call *call,
                                bool *complete)
{
    DT_TRY(dti_mpi_message_advance(mpi, line, call, false, complete));
    if (*complete)
        return DT_OK;
    dti_mpi_message_abandon(line, call);
    return fail_again(mpi);
}

static dt_status advance(void *carrier, dt_channel *line, dt_call *call,
                         bool wait, bool *complete)
{
    dti_mpi *mpi = carrier;
    if (mpi->failure.code != DT_OK)
        return advance_failed(mpi, line, call, complete);
    if (!wait)
        return dti_mpi_message_advance(mpi, line, call, false, complete);
    const dti_mpi_line *state = line->state;
    dti_mpi_watch_enter(mpi->watch, line, state->track, call);
    dt_status status = dti_mpi_message_advance(mpi, line, call, true, complete);
    dti_mpi_watch_exit(mpi->watch);
    return status;
}

/* A divergence that DT_CHECK found is known to all members of the call: they
 * all fail, and may recover.  What only this rank knows of ends the job. */
static void poison(void *carrier, const dt_error *error)
{
    dti_mpi *mpi = carrier;
    if (error->code != DT_ERR_DIVERGED || !mpi->told)
        dti_mpi_end_job(mpi, error);
    else if (mpi->failure.code == DT_OK)
        mpi->failure = *error;
}

static dt_status recover(void *carrier)
{
    dti_mpi *mpi = carrier;
    mpi->failure.code = DT_OK;
    mpi->told = false;
    mpi->recoveries++;
    dti_mpi_watch_reset(mpi->watch);
    dti_mpi_watch_enter_meeting(mpi->watch, NULL, DTI_MPI_RECOVER);
    int code = MPI_Barrier(mpi->comm);
    dti_mpi_watch_exit(mpi->watch);
    return dti_mpi_check(mpi->world, code, "MPI_Barrier");
}

static const dt_transport transport = {
    .name = "mpi",
    .summary = "ranks are processes that MPI started, by `mpirun`",
    .moves_data = true,
    .locate = locate,
    .open = open_world,
    .compares = compares,
    .close = close_world,
    .line_open = line_open,
    .line_close = line_close,
    .start = start,
    .advance = advance,
    .poison = poison,
    .recover = recover,
};

DT_API const dt_transport *dt_plugin_transport(const dt_services *services);

const dt_transport *dt_plugin_transport(const dt_services *services)
{
    size_t most = DTI_MPI_RECORD_WORDS * sizeof(uint64_t);
    if (!dt_services_match(services) || services->record_bytes > most)
        return NULL;
    dti_mpi_services = services;
    return &transport;
}
