/* plugins/mpi/message.c - sending and receiving. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "mpi/plugin.h"

/*
 * The request lies in the call's scratch.  Messages of a pair of ranks have one
 * tag, so MPI keeps their order.
 */
enum { TAG = 1 };

_Static_assert(sizeof(MPI_Request) <= sizeof(uint64_t),
               "a request fits one word of a call's scratch");

static void keep_request(dt_call *call, MPI_Request request)
{
    memcpy(&call->scratch[0], &request, sizeof request);
}

static MPI_Request request_of(const dt_call *call)
{
    MPI_Request request;
    memcpy(&request, &call->scratch[0], sizeof request);
    return request;
}

/* Begin a message of `count` elements of a type. */
static dt_status begin(const dt_line *line, dt_call *call, int count,
                       MPI_Datatype type)
{
    MPI_Comm comm = dti_mpi_line_of(line)->comm;
    MPI_Request request;
    bool sends = call->kind == DT_SEND;
    int code = sends ? MPI_Isend(call->input, count, type, call->root, TAG,
                                 comm, &request)
                     : MPI_Irecv(call->output, count, type, call->root, TAG,
                                 comm, &request);
    if (code == MPI_SUCCESS)
        keep_request(call, request);
    return dti_mpi_check(line->world, code, sends ? "MPI_Isend" : "MPI_Irecv");
}

dt_status dti_mpi_message_start(dti_mpi *mpi, const dt_line *line,
                                dt_call *call)
{
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
static dt_status check_length(const dt_line *line, const dt_call *call,
                              int code, const MPI_Status *status)
{
    int class = MPI_SUCCESS;
    MPI_Count count = 0;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (class == MPI_ERR_TRUNCATE)
        return dti_mpi_services->fail(line->world, DT_ERR_DIVERGED,
                                      "receive of %" PRId64
                                      " elements on %s: more were sent",
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
                                  " elements on %s: %lld were sent",
                                  call->count, line->label, (long long)count);
}

dt_status dti_mpi_message_advance(const dt_line *line, dt_call *call, bool wait,
                                  bool *complete)
{
    MPI_Request request = request_of(call);
    MPI_Status status;
    int done = 1;
    int code =
        wait ? MPI_Wait(&request, &status) : MPI_Test(&request, &done, &status);
    keep_request(call, request);
    *complete = done;
    if (code == MPI_SUCCESS && !done)
        return DT_OK;
    return check_length(line, call, code, &status);
}
