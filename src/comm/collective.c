/* comm/collective.c - the calls of a group: arguments checked, calls made. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "base/dtype.h"
#include "base/handles.h"
#include "comm/call.h"
#include "comm/comm.h"
#include "kernel/reduce/reduce.h"

/*
 * A call and the arrays it takes.  Blocking and asynchronous forms build it
 * alike and differ in whether `out` is given.
 */
typedef struct call_request {
    dt_group *group;
    dt_call call;
    const dt_array *input;
    dt_array *output;
    bool renews; /* elements of the output may be lost */
} call_request;

/*
 * Begin a request.  Field by field, because compilers clear a whole structure
 * with an instruction that takes longer than all that follows, and what reads
 * the fields next has to wait for it.
 */
static inline void begin_request(call_request *request, dt_group *group,
                                 dt_collective kind, int root,
                                 const dt_array *input, dt_array *output)
{
    dt_call *call = &request->call;
    request->group = group;
    request->input = input;
    request->output = output;
    request->renews = false;
    call->kind = kind;
    call->op = DT_SUM;
    call->dtype = DT_F32;
    call->root = root;
    call->input = NULL;
    call->output = NULL;
    call->count = 0;
    call->counts = NULL;
    call->receive_counts = NULL;
    call->receive_count = 0;
    call->tiling = NULL;
    call->origin = NULL;
    call->sequence = 0;
    call->fingerprint = 0;
    for (size_t i = 0; i < DTI_COUNT_OF(call->scratch); i++)
        call->scratch[i] = 0;
    call->complete = false;
    call->given_up = false;
}

/* Check what a call is given: a group, and arrays that may be NULL here. */
static inline dt_status check_given(dt_collective kind, const dt_group *group,
                                    const dt_array *input,
                                    const dt_array *output)
{
    if (DTI_LIKELY(group && !dti_handles_checked()))
        return DT_OK;
    const char *name = dt_collective_name(kind);
    DTI_TRY(dti_given(group, name, "group"));
    bool usable =
        dti_handle_usable(input, name) && dti_handle_usable(output, name);
    return usable ? DT_OK : DT_ERR_INVALID;
}

static dt_world *world_of(const call_request *request)
{
    return request->group->main.line.world;
}

static const char *name_of(const call_request *request)
{
    return dt_collective_name(request->call.kind);
}

static dt_status refuse(const call_request *request, const char *role,
                        const char *why)
{
    return dti_fail(world_of(request), DT_ERR_INVALID, "%s: the %s %s",
                    name_of(request), role, why);
}

static dt_status check_array(const call_request *request, const dt_array *array,
                             const char *role)
{
    if (!array)
        return refuse(request, role, "is NULL");
    if (!array->contiguous)
        return refuse(request, role,
                      "is not contiguous; use dt_array_contiguous first");
    if (!array->storage &&
        dti_comm_of(world_of(request))->transport->moves_data)
        return refuse(request, role, "is a meta array, without elements");
    return DT_OK;
}

/* Check that input and output are of one dtype and do not overlap. */
static dt_status check_pair(const call_request *request)
{
    const dt_array *input = request->input;
    const dt_array *output = request->output;
    if (input->dtype != output->dtype)
        return dti_fail(world_of(request), DT_ERR_INVALID,
                        "%s: the input is %s but the output is %s; the dtypes "
                        "must be equal",
                        name_of(request), dt_dtype_name(input->dtype),
                        dt_dtype_name(output->dtype));
    const char *in = input->count ? dti_array_address(input) : NULL;
    const char *out = output->count ? dti_array_address(output) : NULL;
    size_t item = dti_dtype_size(input->dtype);
    bool in_place = request->call.kind == DT_ALL_REDUCE && in == out;
    if (in && out && !in_place && in < out + (size_t)output->count * item &&
        out < in + (size_t)input->count * item)
        return refuse(request, "output", "overlaps the input");
    return DT_OK;
}

/* Find where the elements lie, once earlier calls are through with them; NULL
 * if there are none.  Where elements of an input never came, the others, who
 * may have theirs, are told. */
static dt_status find_input(const call_request *request, const void **out)
{
    const dt_array *array = request->input;
    *out = array->count ? dti_array_address(array) : NULL;
    dt_status status = dti_array_settle(world_of(request), array);
    dti_array_prepare(array);
    if (request->group->main.line.size > 1)
        dti_comm_tell(world_of(request), status);
    return status;
}

static void *output_when_idle(const dt_array *array)
{
    if (!array->storage || array->count == 0)
        return NULL;
    dti_array_wait(array, true);
    dti_array_prepare(array);
    return dti_array_address(array);
}

/* Check the arrays that this rank uses and put their addresses into the call,
 * once earlier calls are through with them. */
static dt_status bind_with_care(call_request *request)
{
    const dt_array *input = request->input;
    dt_array *output = request->output;
    if (input)
        DTI_TRY(check_array(request, input, "input"));
    if (output)
        DTI_TRY(check_array(request, output, "output"));
    if (input && output)
        DTI_TRY(check_pair(request));
    if (output && output->storage && output->storage->read_only)
        return refuse(request, "output", "is read-only");
    if (input) {
        request->call.dtype = input->dtype;
        DTI_TRY(find_input(request, &request->call.input));
    }
    if (output) {
        request->renews = output->storage != NULL;
        request->call.dtype = output->dtype;
        request->call.output = output_when_idle(output);
    }
    return DT_OK;
}

/* Tell whether there is nothing to say against an array, nor to wait for. */
static inline bool is_idle(const dt_array *array)
{
    return array->contiguous && array->storage && array->count > 0 &&
           !array->storage->pending;
}

/* Tell whether arrays have no byte in common, or all where that is right. */
static inline bool are_apart(const call_request *request, const char *in,
                             const char *out)
{
    size_t item = dti_dtype_size(request->input->dtype);
    return in + (size_t)request->input->count * item <= out ||
           out + (size_t)request->output->count * item <= in ||
           (in == out && request->call.kind == DT_ALL_REDUCE);
}

/* The same for the input and output of most calls, in a few steps. */
static inline dt_status bind_arrays(call_request *request)
{
    const dt_array *input = request->input;
    const dt_array *output = request->output;
    if (!is_idle(input) || !is_idle(output) || output->storage->read_only ||
        input->dtype != output->dtype)
        return bind_with_care(request);
    const char *in = dti_array_address(input);
    char *out = dti_array_address(output);
    if (DTI_UNLIKELY(!are_apart(request, in, out)))
        return bind_with_care(request);
    dti_array_prepare(input);
    dti_array_prepare(output);
    request->call.dtype = input->dtype;
    request->call.input = in;
    request->call.output = out;
    return DT_OK;
}

static dt_status check_count(const call_request *request, const dt_array *array,
                             const char *role, int64_t expected)
{
    if (array->count == expected)
        return DT_OK;
    return dti_fail(world_of(request), DT_ERR_INVALID,
                    "%s: the %s has %" PRId64 " elements; expected %" PRId64,
                    name_of(request), role, array->count, expected);
}

static dt_status check_root(const call_request *request, int root)
{
    int size = request->group->main.line.size;
    if (root >= 0 && root < size)
        return DT_OK;
    return dti_fail(world_of(request), DT_ERR_INVALID,
                    "%s: rank %d is out of range for a group of %d",
                    name_of(request), root, size);
}

static dt_status check_reduce(const call_request *request)
{
    dt_reduce op = request->call.op;
    dt_dtype dtype = request->call.dtype;
    if (dti_reduce_supports(op, dtype))
        return DT_OK;
    return dti_fail(world_of(request), DT_ERR_UNSUPPORTED,
                    "%s: reduction %s is not supported for dtype %s",
                    name_of(request), dt_reduce_name(op), dt_dtype_name(dtype));
}

/* Add up the blocks of all ranks. */
static dt_status sum_counts(const call_request *request, const int64_t *counts,
                            int64_t *out)
{
    int64_t total = 0;
    for (int i = 0; i < request->group->main.line.size; i++) {
        if (counts[i] < 0 || counts[i] > INT64_MAX - total)
            return dti_fail(world_of(request), DT_ERR_INVALID,
                            "%s: the count of rank %d is %" PRId64
                            ", which is negative or too large",
                            name_of(request), i, counts[i]);
        total += counts[i];
    }
    *out = total;
    return DT_OK;
}

/* Work out the total of all blocks where this rank holds one block. */
static dt_status total_from_block(call_request *request, const dt_array *block,
                                  const char *role, const int64_t *counts)
{
    int64_t mine = block->count;
    int64_t size = request->group->main.line.size;
    request->call.counts = counts;
    if (counts) {
        DTI_TRY(sum_counts(request, counts, &request->call.count));
        return check_count(request, block, role,
                           counts[request->group->main.line.rank]);
    }
    /* The first condition spares most calls the division. */
    if (mine > INT32_MAX && mine > INT64_MAX / size)
        return dti_fail(world_of(request), DT_ERR_INVALID,
                        "%s: %" PRId64 " times %" PRId64
                        " elements exceed 63 bits",
                        name_of(request), size, mine);
    request->call.count = mine * size;
    return DT_OK;
}

/* Work out the total where this rank holds all blocks. */
static dt_status total_from_whole(const call_request *request,
                                  const dt_array *whole, const char *role,
                                  const int64_t *counts, int64_t *out)
{
    int size = request->group->main.line.size;
    if (counts) {
        DTI_TRY(sum_counts(request, counts, out));
        return check_count(request, whole, role, *out);
    }
    *out = whole->count;
    if (*out % size == 0)
        return DT_OK;
    return dti_fail(
        world_of(request), DT_ERR_INVALID,
        "%s: the %s has %" PRId64
        " elements, which is not a multiple of %d ranks; pass counts",
        name_of(request), role, *out, size);
}

/* A call that waits has ended; nobody knows its arrays any more. */
static inline dt_status end_call(call_request *request, dti_line *line,
                                 dt_array *input, dt_status status)
{
    if (DTI_UNLIKELY(request->call.given_up)) {
        dti_comm_keep(line->comm, input);
        dti_comm_keep(line->comm, request->output);
    }
    if (DTI_UNLIKELY(request->renews) && status == DT_OK)
        dti_array_renew(request->output);
    return status;
}

/* Carry out a checked request, waiting or not. */
static inline dt_status carry_out(call_request *request, dti_line *line,
                                  dt_handle **out)
{
    /* Handles and what is kept only read through it. */
    dt_array *input = (dt_array *)(uintptr_t)request->input;
    dti_call_measure(&request->call, &line->line);
    if (!out)
        return end_call(request, line, input,
                        dti_call_run(line, &request->call));
    return dti_call_run_async(line, &request->call, input, request->output,
                              out);
}

static dt_status barrier(dt_group *group, dt_handle **out)
{
    DTI_TRY(check_given(DT_BARRIER, group, NULL, NULL));
    call_request request;
    begin_request(&request, group, DT_BARRIER, -1, NULL, NULL);
    return carry_out(&request, &group->main, out);
}

static dt_status all_reduce(dt_group *group, dt_reduce op,
                            const dt_array *input, dt_array *output,
                            dt_handle **out)
{
    DTI_TRY(check_given(DT_ALL_REDUCE, group, input, output));
    call_request request;
    begin_request(&request, group, DT_ALL_REDUCE, -1, input, output);
    request.call.op = op;
    if (!input || !output)
        return check_array(&request, NULL, input ? "output" : "input");
    DTI_TRY(bind_arrays(&request));
    DTI_TRY(check_reduce(&request));
    request.call.count = input->count;
    DTI_TRY(check_count(&request, output, "output", request.call.count));
    return carry_out(&request, &group->main, out);
}

static dt_status all_gather(dt_group *group, const dt_array *input,
                            const int64_t *counts, dt_array *output,
                            dt_handle **out)
{
    DTI_TRY(check_given(DT_ALL_GATHER, group, input, output));
    call_request request;
    begin_request(&request, group, DT_ALL_GATHER, -1, input, output);
    if (!input || !output)
        return check_array(&request, NULL, input ? "output" : "input");
    DTI_TRY(bind_arrays(&request));
    DTI_TRY(total_from_block(&request, input, "input", counts));
    DTI_TRY(check_count(&request, output, "output", request.call.count));
    return carry_out(&request, &group->main, out);
}

static dt_status reduce_scatter(dt_group *group, dt_reduce op,
                                const dt_array *input, const int64_t *counts,
                                dt_array *output, dt_handle **out)
{
    DTI_TRY(check_given(DT_REDUCE_SCATTER, group, input, output));
    call_request request;
    begin_request(&request, group, DT_REDUCE_SCATTER, -1, input, output);
    request.call.op = op;
    if (!input || !output)
        return check_array(&request, NULL, input ? "output" : "input");
    DTI_TRY(bind_arrays(&request));
    DTI_TRY(check_reduce(&request));
    DTI_TRY(total_from_block(&request, output, "output", counts));
    DTI_TRY(check_count(&request, input, "input", request.call.count));
    return carry_out(&request, &group->main, out);
}

static dt_status all_to_all(dt_group *group, const dt_array *input,
                            const int64_t *send_counts,
                            const int64_t *receive_counts, dt_array *output,
                            dt_handle **out)
{
    DTI_TRY(check_given(DT_ALL_TO_ALL, group, input, output));
    call_request request;
    begin_request(&request, group, DT_ALL_TO_ALL, -1, input, output);
    request.call.counts = send_counts;
    request.call.receive_counts = receive_counts;
    if (!input || !output)
        return check_array(&request, NULL, input ? "output" : "input");
    if (!send_counts != !receive_counts)
        return dti_fail(world_of(&request), DT_ERR_INVALID,
                        "all-to-all: %s_counts is NULL but the other list is "
                        "not; pass both or neither",
                        send_counts ? "receive" : "send");
    DTI_TRY(bind_arrays(&request));
    DTI_TRY(total_from_whole(&request, input, "input", send_counts,
                             &request.call.count));
    request.call.receive_count = request.call.count;
    if (send_counts)
        DTI_TRY(total_from_whole(&request, output, "output", receive_counts,
                                 &request.call.receive_count));
    else
        DTI_TRY(check_count(&request, output, "output", request.call.count));
    return carry_out(&request, &group->main, out);
}

dt_status dti_group_tiles(dt_group *group, dt_collective kind, dt_reduce op,
                          const dt_tiling *tiling, const dt_array *input,
                          dt_array *output, dt_handle **out)
{
    call_request request;
    begin_request(&request, group, kind, -1, input, output);
    request.call.op = op;
    request.call.tiling = tiling;
    DTI_TRY(bind_arrays(&request));
    if (kind == DT_REDUCE_SCATTER)
        DTI_TRY(check_reduce(&request));
    request.call.count = input->count;
    return carry_out(&request, &group->main, out);
}

static dt_status broadcast(dt_group *group, int root, dt_array *array,
                           dt_handle **out)
{
    DTI_TRY(check_given(DT_BROADCAST, group, array, NULL));
    bool is_root = group->main.line.rank == root;
    call_request request;
    begin_request(&request, group, DT_BROADCAST, root, is_root ? array : NULL,
                  is_root ? NULL : array);
    DTI_TRY(check_root(&request, root));
    if (!array)
        return check_array(&request, NULL, "array");
    DTI_TRY(bind_with_care(&request));
    request.call.count = array->count;
    return carry_out(&request, &group->main, out);
}

static dt_status scatter(dt_group *group, int root, const dt_array *input,
                         const int64_t *counts, dt_array *output,
                         dt_handle **out)
{
    DTI_TRY(check_given(DT_SCATTER, group, input, output));
    bool is_root = group->main.line.rank == root;
    call_request request;
    begin_request(&request, group, DT_SCATTER, root, is_root ? input : NULL,
                  output);
    DTI_TRY(check_root(&request, root));
    if (!output || (is_root && !input))
        return check_array(&request, NULL, output ? "input" : "output");
    DTI_TRY(bind_with_care(&request));
    DTI_TRY(total_from_block(&request, output, "output", counts));
    if (is_root)
        DTI_TRY(check_count(&request, input, "input", request.call.count));
    return carry_out(&request, &group->main, out);
}

static dt_status gather(dt_group *group, int root, const dt_array *input,
                        const int64_t *counts, dt_array *output,
                        dt_handle **out)
{
    DTI_TRY(check_given(DT_GATHER, group, input, output));
    bool is_root = group->main.line.rank == root;
    call_request request;
    begin_request(&request, group, DT_GATHER, root, input,
                  is_root ? output : NULL);
    DTI_TRY(check_root(&request, root));
    if (!input || (is_root && !output))
        return check_array(&request, NULL, input ? "output" : "input");
    DTI_TRY(bind_with_care(&request));
    DTI_TRY(total_from_block(&request, input, "input", counts));
    if (is_root)
        DTI_TRY(check_count(&request, output, "output", request.call.count));
    return carry_out(&request, &group->main, out);
}

/* Send (`output` is NULL) or receive (`input` is NULL). */
static dt_status exchange(dt_group *group, int peer, const dt_array *input,
                          dt_array *output, bool outward, dt_handle **out)
{
    DTI_TRY(check_given(outward ? DT_SEND : DT_RECEIVE, group, input, output));
    const dt_array *array = outward ? input : output;
    call_request request;
    begin_request(&request, group, outward ? DT_SEND : DT_RECEIVE, peer, input,
                  output);
    DTI_TRY(check_root(&request, peer));
    if (!array)
        return check_array(&request, NULL, outward ? "input" : "output");
    if (peer == group->main.line.rank)
        return dti_fail(world_of(&request), DT_ERR_INVALID,
                        "%s: rank %d cannot be both sender and receiver",
                        name_of(&request), peer);
    DTI_TRY(bind_with_care(&request));
    request.call.count = array->count;
    dti_line *line;
    DTI_TRY(dti_group_pair(group, peer, outward, &line));
    return carry_out(&request, line, out);
}

dt_status dt_group_barrier(dt_group *group)
{
    return barrier(group, NULL);
}

dt_status dt_group_barrier_async(dt_group *group, dt_handle **out)
{
    DTI_ENTRY();
    return barrier(group, out);
}

dt_status dt_group_all_reduce(dt_group *group, dt_reduce op,
                              const dt_array *input, dt_array *output)
{
    return all_reduce(group, op, input, output, NULL);
}

dt_status dt_group_all_reduce_async(dt_group *group, dt_reduce op,
                                    const dt_array *input, dt_array *output,
                                    dt_handle **out)
{
    DTI_ENTRY();
    return all_reduce(group, op, input, output, out);
}

dt_status dt_group_all_gather(dt_group *group, const dt_array *input,
                              const int64_t *counts, dt_array *output)
{
    return all_gather(group, input, counts, output, NULL);
}

dt_status dt_group_all_gather_async(dt_group *group, const dt_array *input,
                                    const int64_t *counts, dt_array *output,
                                    dt_handle **out)
{
    DTI_ENTRY();
    return all_gather(group, input, counts, output, out);
}

dt_status dt_group_reduce_scatter(dt_group *group, dt_reduce op,
                                  const dt_array *input, const int64_t *counts,
                                  dt_array *output)
{
    return reduce_scatter(group, op, input, counts, output, NULL);
}

dt_status dt_group_reduce_scatter_async(dt_group *group, dt_reduce op,
                                        const dt_array *input,
                                        const int64_t *counts, dt_array *output,
                                        dt_handle **out)
{
    DTI_ENTRY();
    return reduce_scatter(group, op, input, counts, output, out);
}

dt_status dt_group_all_to_all(dt_group *group, const dt_array *input,
                              const int64_t *send_counts,
                              const int64_t *receive_counts, dt_array *output)
{
    return all_to_all(group, input, send_counts, receive_counts, output, NULL);
}

dt_status dt_group_all_to_all_async(dt_group *group, const dt_array *input,
                                    const int64_t *send_counts,
                                    const int64_t *receive_counts,
                                    dt_array *output, dt_handle **out)
{
    DTI_ENTRY();
    return all_to_all(group, input, send_counts, receive_counts, output, out);
}

dt_status dt_group_broadcast(dt_group *group, int root, dt_array *array)
{
    return broadcast(group, root, array, NULL);
}

dt_status dt_group_broadcast_async(dt_group *group, int root, dt_array *array,
                                   dt_handle **out)
{
    DTI_ENTRY();
    return broadcast(group, root, array, out);
}

dt_status dt_group_scatter(dt_group *group, int root, const dt_array *input,
                           const int64_t *counts, dt_array *output)
{
    return scatter(group, root, input, counts, output, NULL);
}

dt_status dt_group_scatter_async(dt_group *group, int root,
                                 const dt_array *input, const int64_t *counts,
                                 dt_array *output, dt_handle **out)
{
    DTI_ENTRY();
    return scatter(group, root, input, counts, output, out);
}

dt_status dt_group_gather(dt_group *group, int root, const dt_array *input,
                          const int64_t *counts, dt_array *output)
{
    return gather(group, root, input, counts, output, NULL);
}

dt_status dt_group_gather_async(dt_group *group, int root,
                                const dt_array *input, const int64_t *counts,
                                dt_array *output, dt_handle **out)
{
    DTI_ENTRY();
    return gather(group, root, input, counts, output, out);
}

dt_status dt_group_send(dt_group *group, int to, const dt_array *input)
{
    return exchange(group, to, input, NULL, true, NULL);
}

dt_status dt_group_send_async(dt_group *group, int to, const dt_array *input,
                              dt_handle **out)
{
    DTI_ENTRY();
    return exchange(group, to, input, NULL, true, out);
}

dt_status dt_group_receive(dt_group *group, int from, dt_array *output)
{
    return exchange(group, from, NULL, output, false, NULL);
}

dt_status dt_group_receive_async(dt_group *group, int from, dt_array *output,
                                 dt_handle **out)
{
    DTI_ENTRY();
    return exchange(group, from, NULL, output, false, out);
}
