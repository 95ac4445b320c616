/* comm/handle.c - calls under way: begun, advanced, completed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/machine/clock.h"
#include "base/reference.h"
#include "comm/call.h"
#include "comm/comm.h"
#include "trace/budget.h"
#include "trace/trace.h"

/* Without memory for the list the array is kept for ever. */
void dti_comm_keep(dti_comm *comm, dt_array *array)
{
    if (!array)
        return;
    dt_array_retain(array);
    dt_array **more =
        realloc(comm->kept, (comm->kept_count + 1) * sizeof *comm->kept);
    if (!more)
        return;
    comm->kept = more;
    comm->kept[comm->kept_count++] = array;
}

void dti_comm_let_go(dti_comm *comm)
{
    for (size_t i = 0; i < comm->kept_count; i++)
        dt_array_release(comm->kept[i]);
    free(comm->kept);
    comm->kept = NULL;
    comm->kept_count = 0;
}

static dt_handle *handle_of_reads(dti_pending *pending)
{
    return (dt_handle *)(void *)((char *)pending - offsetof(dt_handle, reads));
}

static dt_handle *handle_of_writes(dti_pending *pending)
{
    return (dt_handle *)(void *)((char *)pending - offsetof(dt_handle, writes));
}

/* Advance one call of a line, which no call of this rank is inside of. */
static dt_status advance(dti_line *line, dt_call *call, bool wait,
                         bool *complete)
{
    *complete = call->complete;
    if (call->complete)
        return DT_OK;
    dti_comm *comm = line->comm;
    line->busy = true;
    dt_status status = comm->transport->advance(comm->carrier, &line->line,
                                                call, wait, complete);
    line->busy = false;
    comm->failed |= status != DT_OK;
    return status;
}

/* Keep the sentence of a failure with the handle it belongs to. */
static void keep_error(dt_handle *handle)
{
    const dt_error *latest = &handle->line->line.world->latest;
    if (handle->status != DT_OK)
        handle->error = *latest;
}

static void release_handle(dt_handle *handle)
{
    if (!dti_reference_release(&handle->reference))
        return;
    dti_handle_free(handle);
    dti_live_add(DTI_LIVE_HANDLE, -1);
}

/* Let go of a failed call's handle, which an array held. */
static void forget_loss(dti_pending *pending)
{
    release_handle(handle_of_writes(pending));
}

/* What a call was to write is there; or it never comes. */
static void settle_output(dt_handle *handle)
{
    dt_array *output = handle->output;
    if (!output || !output->storage)
        return;
    if (handle->status == DT_OK || output->count == 0) {
        dti_array_unpend(output, &handle->writes);
        dti_array_renew(output);
    } else {
        dti_reference_retain(&handle->reference);
        dti_array_lose(output, &handle->writes, &handle->error, forget_loss);
    }
}

/* Take a line whose queue is empty off the list of active ones. */
static void deactivate(dti_line *line)
{
    dti_line **place = &line->comm->active;
    while (*place != line)
        place = &(*place)->next_active;
    *place = line->next_active;
}

/* Take the oldest call off its line: it is complete with this status. */
static void complete_oldest(dti_line *line, dt_status status)
{
    dt_handle *handle = line->oldest;
    line->oldest = handle->next;
    line->under_way--;
    if (!line->oldest) {
        line->newest = NULL;
        deactivate(line);
    }
    handle->complete = true;
    handle->status = status;
    if (handle->event)
        dti_trace_ended(line->line.world, handle->event);
    keep_error(handle);
    if (handle->input && handle->input->storage)
        dti_array_unpend(handle->input, &handle->reads);
    settle_output(handle);
    if (DTI_UNLIKELY(handle->call.given_up)) {
        dti_comm_keep(line->comm, handle->input);
        dti_comm_keep(line->comm, handle->output);
    }
    dt_array_release(handle->input);
    dt_array_release(handle->output);
    release_handle(handle);
}

/* Advance the oldest calls of a line; if `wait`, until `last` is complete, or
 * all are if it is NULL.  A failure is kept in the handle that failed. */
static void advance_queue(dti_line *line, const dt_handle *last, bool wait)
{
    while (line->oldest && !(last && last->complete)) {
        bool complete = false;
        dt_status status = advance(line, &line->oldest->call, wait, &complete);
        if (status == DT_OK && !complete)
            return;
        complete_oldest(line, status);
    }
}

bool dti_comm_progress(dt_world *world)
{
    bool under_way = false;
    dti_line *next;
    for (dti_line *line = dti_comm_of(world)->active; line; line = next) {
        next = line->next_active;
        if (line->busy)
            continue;
        advance_queue(line, NULL, false);
        under_way |= line->oldest != NULL;
    }
    return under_way;
}

/* Wait until a call is complete and return its status. */
static dt_status wait_for(dt_handle *handle)
{
    if (!handle->complete)
        advance_queue(handle->line, handle, true);
    if (handle->status != DT_OK)
        return dti_fail_with(handle->line->line.world, &handle->error);
    return DT_OK;
}

/* The program may have released the handles of these calls. */
dt_status dti_comm_settle(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    dt_status first = DT_OK;
    while (comm->active) {
        dt_handle *oldest = comm->active->oldest;
        dti_reference_retain(&oldest->reference);
        /* The analyzer does not know that who is retained is not freed. */
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        dt_status status = wait_for(oldest);
        if (first == DT_OK)
            first = status;
        release_handle(oldest);
    }
    return first;
}

void dti_comm_abandon(dt_world *world, const dt_error *error)
{
    dti_comm *comm = dti_comm_of(world);
    if (!comm->active)
        return;
    /* Once this rank has failed its calls end, and the transport sees to it
     * that nobody uses their arrays any more. */
    if (comm->transport->poison)
        comm->transport->poison(comm->carrier, error);
    while (comm->active)
        advance_queue(comm->active, NULL, true);
}

/* Complete a call that perhaps only its line still refers to. */
static void wait_until_complete(dt_handle *handle)
{
    dti_reference_retain(&handle->reference);
    advance_queue(handle->line, handle, true);
    release_handle(handle);
}

/* Complete the oldest calls until the transport takes one more. */
static void make_room(dti_line *line, int depth)
{
    while (depth && line->under_way >= depth)
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): as above */
        wait_until_complete(line->oldest);
}

/* Number a call on its line, note it in the trace, begin it. */
static inline dt_status begin_call(dti_line *line, dt_call *call,
                                   dti_call_time *time)
{
    dt_channel *on = &line->line;
    dti_comm *comm = line->comm;
    const dt_transport *transport = comm->transport;
    call->origin = comm->served.origin;
    call->history = comm->served.history;
    call->word = comm->served.history ? comm->served.history->word : 0;
    if (DTI_UNLIKELY(dti_budget_holds(on->world)))
        DTI_TRY(dti_call_spend(call, on));
    if (DTI_UNLIKELY(dti_trace_on(on->world)->timed))
        time->began = dti_clock_now();
    call->sequence = ++on->sequence;
    if (comm->compares)
        call->fingerprint = on->fingerprint =
            dti_call_fingerprint(on->fingerprint, call, on->size);
    if (DTI_UNLIKELY(line->oldest))
        make_room(line, transport->depth);
    line->busy = true;
    dt_status status = transport->start(comm->carrier, on, call);
    line->busy = false;
    /* After the others were told, so that it costs nobody time. */
    dti_call_trace(call, on, time);
    if (DTI_UNLIKELY(status != DT_OK)) {
        comm->failed = true;
        if (time->event)
            dti_trace_ended(on->world, time->event);
    }
    return status;
}

dt_status dti_call_run(dti_line *line, dt_call *call)
{
    dti_call_time time = {0};
    DTI_TRY(begin_call(line, call, &time));
    if (DTI_UNLIKELY(line->oldest))
        advance_queue(line, NULL, true);
    bool complete;
    dt_status status = advance(line, call, true, &complete);
    if (DTI_UNLIKELY(time.event))
        dti_trace_ended(line->line.world, time.event);
    return status;
}

static void wait_for_reader(dti_pending *pending)
{
    wait_until_complete(handle_of_reads(pending));
}

static void wait_for_writer(dti_pending *pending)
{
    wait_until_complete(handle_of_writes(pending));
}

/* Let a handle have tiles of its own. */
static void copy_tiling(dt_handle *handle, const dt_tiling *tiling, void *room)
{
    dt_call_tile *tiles = room;
    for (int64_t i = 0; i < tiling->count; i++)
        tiles[i] = tiling->tiles[i];
    handle->tiling = *tiling;
    handle->tiling.tiles = tiles;
    handle->call.tiling = &handle->tiling;
}

/* A handle with copies of the caller's lists; NULL without memory. */
static dt_handle *create_handle(dti_line *line, const dt_call *call)
{
    size_t size = (size_t)line->line.size;
    size_t tiles = call->tiling ? (size_t)call->tiling->count : 0;
    dt_handle *handle = calloc(1, sizeof *handle + 2 * size * sizeof(int64_t) +
                                      tiles * sizeof(dt_call_tile));
    if (!handle)
        return NULL;
    dti_reference_init(&handle->reference);
    handle->line = line;
    handle->call = *call;
    if (call->counts) {
        memcpy(handle->counts, call->counts, size * sizeof(int64_t));
        handle->call.counts = handle->counts;
    }
    if (call->receive_counts) {
        memcpy(handle->counts + size, call->receive_counts,
               size * sizeof(int64_t));
        handle->call.receive_counts = handle->counts + size;
    }
    if (call->tiling)
        copy_tiling(handle, call->tiling, handle->counts + 2 * size);
    dti_live_add(DTI_LIVE_HANDLE, 1);
    return handle;
}

/* Put a begun call at the end of its line's queue. */
static void enqueue(dti_line *line, dt_handle *handle, dt_array *input,
                    dt_array *output)
{
    dti_comm *comm = line->comm;
    dti_reference_retain(&handle->reference);
    if (line->newest) {
        line->newest->next = handle;
    } else {
        line->oldest = handle;
        line->next_active = comm->active;
        comm->active = line;
    }
    line->newest = handle;
    line->under_way++;
    handle->input = dt_array_retain(input);
    handle->output = dt_array_retain(output);
    /* Nobody waits for a meta array: it has no elements. */
    if (input && input->storage)
        dti_array_pend(input, &handle->reads, false, wait_for_reader);
    if (output && output->storage)
        dti_array_pend(output, &handle->writes, true, wait_for_writer);
}

dt_status dti_call_run_async(dti_line *line, const dt_call *call,
                             dt_array *input, dt_array *output, dt_handle **out)
{
    dt_world *world = line->line.world;
    dt_handle *handle = create_handle(line, call);
    if (!handle) {
        /* The others are in this call already, or will be: tell them. */
        dt_status status = dti_fail_memory(world, sizeof *handle, "a handle");
        dt_world_poison(world);
        return status;
    }
    dti_call_time time = {.asynchronous = true};
    dt_status status = begin_call(line, &handle->call, &time);
    handle->event = time.event;
    if (status != DT_OK) {
        release_handle(handle);
        return status;
    }
    enqueue(line, handle, input, output);
    if (!line->busy)
        advance_queue(line, NULL, false);
    dti_handle_made(world, DTI_LIVE_HANDLE, handle);
    *out = handle;
    return DT_OK;
}

dt_status dt_handle_wait(dt_handle *handle)
{
    DTI_TRY(dti_given(handle, __func__, "handle"));
    return wait_for(handle);
}

bool dt_handle_test(dt_handle *handle)
{
    if (!dti_handle_usable(handle, __func__) || !handle)
        return true;
    if (!handle->complete)
        dti_comm_progress(handle->line->line.world);
    return handle->complete;
}

void dt_handle_release(dt_handle *handle)
{
    DTI_ENTRY();
    if (!dti_handle_usable(handle, __func__) || !handle)
        return;
    /* The program has one reference; its line may keep the call for longer. */
    dti_handle_gone(handle);
    release_handle(handle);
}
