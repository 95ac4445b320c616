/* plugins/mpi/message.c - sending and receiving. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/plugin.h"

/*
 * A message is a request of MPI, which lies in the first word of the call's
 * scratch.  The messages of a pair of ranks have one tag, so MPI keeps their
 * order.
 *
 * With DT_CHECK sender and receiver also exchange notes, each with a tag of its
 * own, when they begin: the fingerprint and the record of their call.  A
 * receive compares them before it looks at the message, and so does the send of
 * a large message, which waits for its receiver anyway.  The send of a small
 * one does not wait: the note that it is owed is compared when the rank next
 * sends to that receiver.
 */
enum { TAG_DATA = 1, TAG_FROM_SENDER = 2, TAG_FROM_RECEIVER = 3 };

/* The most bytes of a small message. */
enum { SMALL_BYTES = 4096 };

/* Where things lie in the scratch of a call. */
enum { SCRATCH_DATA, SCRATCH_NOTES };

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t) &&
                   sizeof(void *) <= sizeof(uint64_t),
               "a request and a pointer fit words of a call's scratch");

/* The notes of a call under way: this rank's and the other's, each a
 * fingerprint and a record. */
typedef struct dti_mpi_notes {
    struct dti_mpi_notes *next; /* in the list of those that are owed */
    uint64_t sequence;          /* of the call */
    unsigned recoveries;        /* of the world, before it */
    MPI_Request requests[2];
    size_t bytes; /* of one note */
    char text[];  /* this rank's note, then the other's */
} notes;

static void keep_request(dt_call *call, MPI_Request request)
{
    memcpy(&call->scratch[SCRATCH_DATA], &request, sizeof request);
}

static MPI_Request request_of(const dt_call *call)
{
    MPI_Request request;
    memcpy(&request, &call->scratch[SCRATCH_DATA], sizeof request);
    return request;
}

static void keep_notes(dt_call *call, notes *kept)
{
    memcpy(&call->scratch[SCRATCH_NOTES], &kept, sizeof kept);
}

/* Return the notes of a call; NULL if there are none. */
static notes *notes_of(const dt_call *call)
{
    notes *kept;
    memcpy(&kept, &call->scratch[SCRATCH_NOTES], sizeof kept);
    return kept;
}

/* ---- Notes -------------------------------------------------------------- */

static notes *make_notes(const dti_mpi *mpi, const dt_channel *line,
                         const dt_call *call)
{
    size_t bytes = sizeof call->fingerprint + dti_mpi_services->record_bytes;
    notes *made = calloc(1, sizeof *made + 2 * bytes);
    if (!made)
        return NULL;
    made->sequence = call->sequence;
    made->recoveries = mpi->recoveries;
    made->bytes = bytes;
    memcpy(made->text, &call->fingerprint, sizeof call->fingerprint);
    dti_mpi_services->write_record(call, line->size,
                                   made->text + sizeof call->fingerprint);
    return made;
}

/* Begin to exchange notes with the other rank. */
static dt_status begin_notes(dti_mpi *mpi, const dt_channel *line,
                             dt_call *call)
{
    MPI_Comm comm = dti_mpi_line_of(line)->comm;
    bool sends = call->kind == DT_SEND;
    notes *made = make_notes(mpi, line, call);
    if (!made) {
        dt_error error;
        dti_mpi_services->error_set(
            &error, DT_ERR_NO_MEMORY,
            "out of memory for comparing a message on %s", line->label);
        dti_mpi_end_job(mpi, &error);
        return error.code;
    }
    keep_notes(call, made);
    DT_TRY(dti_mpi_check(line->world,
                         MPI_Isend(made->text, (int)made->bytes, MPI_BYTE,
                                   call->root,
                                   sends ? TAG_FROM_SENDER : TAG_FROM_RECEIVER,
                                   comm, &made->requests[0]),
                         "MPI_Isend"));
    return dti_mpi_check(line->world,
                         MPI_Irecv(made->text + made->bytes, (int)made->bytes,
                                   MPI_BYTE, call->root,
                                   sends ? TAG_FROM_RECEIVER : TAG_FROM_SENDER,
                                   comm, &made->requests[1]),
                         "MPI_Irecv");
}

/* Compare notes that have been exchanged. */
static dt_status compare_notes(dti_mpi *mpi, const dt_channel *line,
                               const dt_call *call, const notes *kept)
{
    const char *mine = kept->text, *other = kept->text + kept->bytes;
    size_t fingerprint = sizeof call->fingerprint;
    if (memcmp(mine, other, fingerprint) == 0)
        return DT_OK;
    mpi->told = false; /* the other rank may not know */
    dt_call compared = *call;
    compared.sequence = kept->sequence;
    const dt_call_side sides[] = {{mine + fingerprint, NULL},
                                  {other + fingerprint, NULL}};
    return dti_mpi_services->diverge(line, &compared, &sides[0], 1 - line->rank,
                                     &sides[1]);
}

/* Go on exchanging notes; once they are there they are compared and freed.  If
 * they differ the message is still completed, for both ranks have begun it: MPI
 * uses no array after that. */
static dt_status advance_notes(dti_mpi *mpi, const dt_channel *line,
                               dt_call *call, bool wait, bool *complete)
{
    notes *kept = notes_of(call);
    int done = 1;
    int code = wait
                   ? MPI_Waitall(2, kept->requests, MPI_STATUSES_IGNORE)
                   : MPI_Testall(2, kept->requests, &done, MPI_STATUSES_IGNORE);
    *complete = done;
    if (code == MPI_SUCCESS && !done)
        return DT_OK;
    dt_status status = code == MPI_SUCCESS
                           ? compare_notes(mpi, line, call, kept)
                           : dti_mpi_check(line->world, code, "MPI_Waitall");
    MPI_Request request = request_of(call);
    if (status != DT_OK)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    keep_notes(call, NULL);
    free(kept);
    return status;
}

/* Tell whether a call waits for the note of the other rank. */
static bool waits_for_note(const dt_call *call)
{
    size_t bytes = (size_t)call->count * dti_mpi_item(call->dtype);
    return call->kind == DT_RECEIVE || bytes > SMALL_BYTES;
}

/* Put the notes of a send that is complete at the end of those owed. */
static void owe_notes(const dt_channel *line, dt_call *call)
{
    notes **place = &dti_mpi_line_of(line)->owed;
    while (*place)
        place = &(*place)->next;
    *place = notes_of(call);
    keep_notes(call, NULL);
}

/* Compare the notes that were owed and have come; a recovery forgives those
 * from before. */
static dt_status collect_notes(dti_mpi *mpi, const dt_channel *line,
                               const dt_call *call)
{
    dti_mpi_line *state = dti_mpi_line_of(line);
    dt_status status = DT_OK;
    while (state->owed && status == DT_OK) {
        notes *oldest = state->owed;
        int done = 0;
        int code = MPI_Testall(2, oldest->requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS)
            return dti_mpi_check(line->world, code, "MPI_Testall");
        if (!done)
            break;
        if (oldest->recoveries == mpi->recoveries)
            status = compare_notes(mpi, line, call, oldest);
        state->owed = oldest->next;
        free(oldest);
    }
    return status;
}

void dti_mpi_notes_drop(dti_mpi_line *state)
{
    int over = 0;
    MPI_Finalized(&over);
    while (state->owed) {
        notes *oldest = state->owed;
        for (int i = 0; i < 2 && !over; i++) {
            if (oldest->requests[i] == MPI_REQUEST_NULL)
                continue;
            MPI_Cancel(&oldest->requests[i]);
            MPI_Wait(&oldest->requests[i], MPI_STATUS_IGNORE);
        }
        state->owed = oldest->next;
        free(oldest);
    }
}

/* ---- Messages ----------------------------------------------------------- */

/* Begin a message of `count` elements of a type. */
static dt_status begin(const dt_channel *line, dt_call *call, int count,
                       MPI_Datatype type)
{
    MPI_Comm comm = dti_mpi_line_of(line)->comm;
    MPI_Request request;
    bool sends = call->kind == DT_SEND;
    int code = sends ? MPI_Isend(call->input, count, type, call->root, TAG_DATA,
                                 comm, &request)
                     : MPI_Irecv(call->output, count, type, call->root,
                                 TAG_DATA, comm, &request);
    if (code == MPI_SUCCESS)
        keep_request(call, request);
    return dti_mpi_check(line->world, code, sends ? "MPI_Isend" : "MPI_Irecv");
}

dt_status dti_mpi_message_start(dti_mpi *mpi, const dt_channel *line,
                                dt_call *call)
{
    if (mpi->check) {
        DT_TRY(collect_notes(mpi, line, call));
        DT_TRY(begin_notes(mpi, line, call));
    }
    if (call->count <= mpi->limit)
        return begin(line, call, (int)call->count, dti_mpi_type(call->dtype));
    MPI_Datatype whole;
    int code = dti_mpi_block_type(mpi, call->dtype, call->count, 0, &whole);
    if (code != MPI_SUCCESS)
        return dti_mpi_check(line->world, code, "MPI_Type_create_struct");
    dt_status status = begin(line, call, 1, whole);
    MPI_Type_free(&whole); /* once the message is through */
    return status;
}

/* Check that a message that has arrived is as long as it should be. */
static dt_status check_length(const dt_channel *line, const dt_call *call,
                              int code, const MPI_Status *status)
{
    int class = MPI_SUCCESS;
    MPI_Count count = 0;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (class == MPI_ERR_TRUNCATE)
        return dti_mpi_services->fail(
            line->world, DT_ERR_DIVERGED,
            "receive of %" PRId64 " elements on %s: more elements were sent",
            call->count, line->label);
    if (code != MPI_SUCCESS)
        return dti_mpi_check(line->world, code, "MPI_Wait");
    if (call->kind == DT_SEND)
        return DT_OK;
    MPI_Get_elements_x(status, dti_mpi_type(call->dtype), &count);
    if (count == call->count)
        return DT_OK;
    return dti_mpi_services->fail(line->world, DT_ERR_DIVERGED,
                                  "receive of %" PRId64
                                  " elements on %s: %lld elements were sent",
                                  call->count, line->label, (long long)count);
}

dt_status dti_mpi_message_advance(dti_mpi *mpi, const dt_channel *line,
                                  dt_call *call, bool wait, bool *complete)
{
    if (notes_of(call) && waits_for_note(call)) {
        DT_TRY(advance_notes(mpi, line, call, wait, complete));
        if (!*complete)
            return DT_OK;
    }
    MPI_Request request = request_of(call);
    MPI_Status status;
    int done = 1;
    int code =
        wait ? MPI_Wait(&request, &status) : MPI_Test(&request, &done, &status);
    keep_request(call, request);
    *complete = done;
    if (code == MPI_SUCCESS && !done)
        return DT_OK;
    if (notes_of(call))
        owe_notes(line, call);
    return check_length(line, call, code, &status);
}

/* A send cannot be taken back: MPI may read the array until the world closes.
 */
void dti_mpi_message_abandon(const dt_channel *line, dt_call *call)
{
    MPI_Request request = request_of(call);
    if (call->kind == DT_SEND) {
        MPI_Request_free(&request);
        call->given_up = true;
    } else {
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (notes_of(call))
        owe_notes(line, call);
}
