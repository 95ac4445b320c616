/* comm/shared/port.c - posting calls on a board and seeing them through. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "array/copy.h"
#include "base/dtype.h"
#include "base/world.h"
#include "comm/comm.h"
#include "comm/shared/fabric.h"

/*
 * A call goes through two stages.  Posted: it waits until all members have
 * posted theirs, and checks that they are the same call.  Worked: it has done
 * its part and, if others reach into its buffers, waits until they are done
 * too.  A call whose input fits the board ends with its own work.
 */
/* What the words of dt_call.scratch mean. */
enum { STAGE, MEMBER, LENT_INPUT, LENT_OUTPUT };
enum { POSTED, WORKED };

static size_t round_up(size_t bytes)
{
    return (bytes + DTI_APART - 1) / DTI_APART * DTI_APART;
}

static size_t post_bytes(int size)
{
    size_t counts = 2 * (size_t)size * sizeof(int64_t);
    return round_up(sizeof(dti_post) + counts + DTI_BOARD_SEND);
}

size_t dti_board_bytes(int size)
{
    return sizeof(dti_board_head) + (size_t)size * sizeof(dti_progress) +
           (size_t)size * DTI_BOARD_DEPTH * post_bytes(size);
}

static dt_status open_board(dti_fabric *fabric, const dt_channel *line,
                            dti_port *port)
{
    void *board;
    DTI_TRY(fabric->functions->board_open(fabric->memory, line,
                                          dti_board_bytes(line->size), &board));
    port->head = board;
    port->progress = (dti_progress *)(void *)(port->head + 1);
    port->posts = (char *)(port->progress + line->size);
    port->post_bytes = post_bytes(line->size);
    return DT_OK;
}

dt_status dti_fabric_line_open(void *carrier, dt_channel *line)
{
    dti_fabric *fabric = carrier;
    size_t pointers = (size_t)line->size * sizeof(void *);
    dti_port *port = calloc(1, sizeof *port + 2 * pointers);
    if (!port)
        return dti_fail_memory(fabric->world, sizeof *port, "a line");
    port->fabric = fabric;
    port->line = line;
    port->inputs = (const void **)(void *)(port + 1);
    port->outputs = (void **)(void *)((char *)(port + 1) + pointers);
    dt_status status = open_board(fabric, line, port);
    if (status != DT_OK) {
        free(port);
        return dti_fail(
            fabric->world, status,
            "cannot allocate shared memory for a group (%s): %zu bytes",
            line->label, dti_board_bytes(line->size));
    }
    port->next = fabric->ports;
    fabric->ports = port;
    line->state = port;
    return DT_OK;
}

void dti_fabric_line_close(void *carrier, dt_channel *line)
{
    dti_fabric *fabric = carrier;
    dti_port *port = line->state;
    dti_port **place = &fabric->ports;
    while (*place != port)
        place = &(*place)->next;
    *place = port->next;
    if (fabric->shown == line)
        fabric->shown = NULL;
    fabric->functions->board_close(fabric->memory, line, port->head);
    free(port);
}

void dti_port_clear(dti_port *port)
{
    int rank = port->line->rank;
    for (uint64_t i = 0; i < DTI_BOARD_DEPTH; i++)
        atomic_store(&dti_port_post(port, rank, i)->sequence, 0);
    atomic_store(&port->progress[rank].finished, 0);
    atomic_store(&port->progress[rank].working, 0);
    port->floor = 0;
}

/* Elements of this rank's input. */
static int64_t input_count(const dt_channel *line, const dt_call *call)
{
    if (call->tiling)
        return call->count;
    switch (call->kind) {
    case DT_ALL_GATHER:
    case DT_GATHER:
        return dt_call_block(call->counts, call->count, line->size, line->rank);
    case DT_BROADCAST:
    case DT_SCATTER:
        return call->root == line->rank ? call->count : 0;
    case DT_BARRIER:
    case DT_RECEIVE:
        return 0;
    default:
        return call->count;
    }
}

/* Wait until a member has finished an earlier call.  A message that lay on the
 * board may not even have been asked for: wait for that first, for only a post
 * shows that ranks wait for one another. */
static dt_status wait_until_finished(dti_port *port, const dt_call *call,
                                     const dti_need *need)
{
    const dti_post *post = dti_port_post(port, need->member, need->value);
    dti_need posted = {&post->sequence, need->value, need->member, true};
    if (!dti_need_is_met(&posted))
        DTI_TRY(dti_port_wait(port, call, &posted));
    return dti_port_wait(port, call, need);
}

/* Wait until every member is through with the call whose post this one
 * overwrites. */
static dt_status make_room(dti_port *port, const dt_call *call)
{
    if (call->sequence <= DTI_BOARD_DEPTH ||
        port->floor >= call->sequence - DTI_BOARD_DEPTH)
        return DT_OK;
    uint64_t needed = call->sequence - DTI_BOARD_DEPTH;
    uint64_t floor = UINT64_MAX;
    dti_seat_show(port->fabric, port->line, call, true);
    for (int i = 0; i < port->line->size; i++) {
        dti_need need = {&port->progress[i].finished, needed, i, false};
        if (!dti_need_is_met(&need))
            DTI_TRY(wait_until_finished(port, call, &need));
        /* Acquired again: it may have gone up since the need was met. */
        uint64_t finished =
            atomic_load_explicit(need.word, memory_order_acquire);
        if (finished < floor)
            floor = finished;
    }
    port->floor = floor;
    return DT_OK;
}

static size_t input_bytes(const dt_channel *line, const dt_call *call)
{
    return (size_t)input_count(line, call) * dti_dtype_size(call->dtype);
}

/* Tell whether this rank's input travels on the board. */
static bool fits_board(const dt_call *call, size_t bytes)
{
    return bytes <= (call->kind == DT_SEND ? DTI_BOARD_SEND : DTI_BOARD_INLINE);
}

/* ---- Buffers that others cannot reach ----------------------------------- */

/*
 * Memory that did not come from this world's pool may lie where other
 * processes see nothing.  Such a buffer is lent an array of the pool for the
 * time of the call.
 */

static bool is_reachable(const dti_port *port, const void *address)
{
    const dti_fabric *fabric = port->fabric;
    return fabric->functions->name(fabric->memory, address) != 0;
}

static dt_array *lent(const dt_call *call, int which)
{
    return (dt_array *)(uintptr_t)call->scratch[which];
}

static dt_status lend(dti_port *port, dt_call *call, int which, size_t bytes)
{
    dt_array *array;
    dt_status status = dt_array_create(port->line->world, DT_U8,
                                       DT_SHAPE((int64_t)bytes), &array);
    if (status == DT_OK)
        call->scratch[which] = (uint64_t)(uintptr_t)array;
    else
        dti_seat_fail(port->fabric, &port->line->world->latest);
    return status;
}

/* Give back what was lent; the output first takes over what came in. */
static void return_lent(dti_port *port, dt_call *call, bool take_over)
{
    dti_comm *comm = dti_comm_of(port->line->world);
    dt_array *output = lent(call, LENT_OUTPUT);
    if (call->given_up) {
        dti_comm_keep(comm, output);
        dti_comm_keep(comm, lent(call, LENT_INPUT));
    }
    if (output && take_over)
        dti_copy_bytes(call->output, dti_array_address(output),
                       input_bytes(port->line, call));
    dt_array_release(output);
    dt_array_release(lent(call, LENT_INPUT));
    call->scratch[LENT_INPUT] = call->scratch[LENT_OUTPUT] = 0;
}

/* Others read a large input, and write a large all-reduce's output.  So does a
 * rank alone in its line, by the same names. */
static dt_status lend_buffers(dti_port *port, dt_call *call)
{
    size_t bytes = input_bytes(port->line, call);
    if (fits_board(call, bytes))
        return DT_OK;
    if (!is_reachable(port, call->input)) {
        DTI_TRY(lend(port, call, LENT_INPUT, bytes));
        dti_copy_bytes(dti_array_address(lent(call, LENT_INPUT)), call->input,
                       bytes);
    }
    if (call->kind == DT_ALL_REDUCE && !is_reachable(port, call->output))
        DTI_TRY(lend(port, call, LENT_OUTPUT, bytes));
    return DT_OK;
}

/* What to tell others of a buffer: its own name, or that of what was lent. */
static uint64_t name_buffer(const dti_port *port, const dt_call *call,
                            const void *buffer, int which)
{
    const dti_fabric *fabric = port->fabric;
    const dt_array *array = lent(call, which);
    return fabric->functions->name(fabric->memory,
                                   array ? dti_array_address(array) : buffer);
}

/* ---- Posting ------------------------------------------------------------ */

/* Put the counts on the board, and the input or where it lies. */
static void write_payload(dti_port *port, const dt_call *call, dti_post *post)
{
    unsigned char *payload = post->payload;
    size_t bytes = input_bytes(port->line, call);
    if (call->kind == DT_ALL_TO_ALL && call->counts) {
        size_t counts = (size_t)port->line->size * sizeof(int64_t);
        memcpy(payload, call->counts, counts);
        memcpy(payload + counts, call->receive_counts, counts);
        payload += 2 * counts;
    }
    post->input = 0;
    if (!fits_board(call, bytes)) {
        post->input = name_buffer(port, call, call->input, LENT_INPUT);
        post->output = name_buffer(port, call, call->output, LENT_OUTPUT);
    } else if (bytes) {
        memcpy(payload, call->input, bytes);
    }
}

/* Tell the members of the line about a call. */
static void post_call(dti_port *port, const dt_call *call)
{
    dti_post *post = dti_port_post(port, port->line->rank, call->sequence);
    dti_call_write_record(call, port->line->size, &post->record);
    post->fingerprint = call->fingerprint;
    post->finished = atomic_load_explicit(
        &port->progress[port->line->rank].finished, memory_order_relaxed);
    write_payload(port, call, post);
    atomic_exchange(&post->sequence, call->sequence);
    dti_port_wake(port);
}

dt_status dti_fabric_start(void *carrier, dt_channel *line, dt_call *call)
{
    dti_fabric *fabric = carrier;
    dti_port *port = line->state;
    if (DTI_UNLIKELY(atomic_load_explicit(&fabric->roster->alarms,
                                          memory_order_acquire)))
        DTI_TRY(dti_port_check(port, call, NULL));
    if (DTI_UNLIKELY(
            atomic_load_explicit(&fabric->seat->awaited, memory_order_relaxed)))
        dti_fabric_look(fabric);
    DTI_TRY(make_room(port, call));
    dt_status status = lend_buffers(port, call);
    if (status != DT_OK) {
        return_lent(port, call, false);
        return status;
    }
    post_call(port, call);
    dti_seat_show(fabric, line, call, true);
    return DT_OK;
}

/* Two members made different calls. */
static dt_status report_divergence(dti_port *port, const dt_call *call,
                                   int member)
{
    const dt_channel *line = port->line;
    dti_fabric *fabric = port->fabric;
    dti_call_side mine = {
        .record = &dti_port_post(port, line->rank, call->sequence)->record};
    dti_call_side theirs = {
        .record = &dti_port_post(port, member, call->sequence)->record};
    if (dti_call_needs_pages(mine.record, theirs.record)) {
        theirs.page = dti_seat_ask(fabric, call, line->ranks[member]);
        mine.page = dti_seat_page(fabric, line->ranks[line->rank]);
    }
    dti_call_diverge(line, call, &mine, member, &theirs);
    dti_seat_fail(fabric, &line->world->latest);
    return DT_ERR_DIVERGED;
}

/* A send that lies on the board needs nobody. */
static bool is_eager(const dti_port *port, const dt_call *call)
{
    return call->kind == DT_SEND &&
           dti_post_is_inline(
               dti_port_post(port, port->line->rank, call->sequence));
}

/* Learn from the posts of a call, all of which were met, what every member has
 * finished: that saves a look at their counters. */
static void raise_floor(dti_port *port, uint64_t sequence)
{
    uint64_t floor = UINT64_MAX;
    for (int i = 0; i < port->line->size; i++) {
        uint64_t finished = dti_port_post(port, i, sequence)->finished;
        if (finished < floor)
            floor = finished;
    }
    if (floor > port->floor)
        port->floor = floor;
}

/* Look at the posts of the other members; wait for them if `wait`. */
static dt_status meet_posts(dti_port *port, dt_call *call, bool wait,
                            bool *ready)
{
    int size = port->line->size;
    *ready = false;
    for (; (int)call->scratch[MEMBER] < size - 1; call->scratch[MEMBER]++) {
        int member = (port->line->rank + 1 + (int)call->scratch[MEMBER]) % size;
        const dti_post *post = dti_port_post(port, member, call->sequence);
        dti_need need = {&post->sequence, call->sequence, member, true};
        if (!dti_need_is_met(&need)) {
            if (!wait)
                return dti_port_check(port, call, &need);
            DTI_TRY(dti_port_wait(port, call, &need));
        }
        if (post->fingerprint != call->fingerprint)
            return report_divergence(port, call, member);
    }
    raise_floor(port, call->sequence);
    *ready = true;
    return DT_OK;
}

/* Tell whether this rank reads or writes buffers of others in a call. */
static bool reaches_out(const dti_port *port, const dt_call *call)
{
    for (int i = 0; i < port->line->size; i++)
        if (!dti_post_is_inline(dti_port_post(port, i, call->sequence)))
            return true;
    return false;
}

/* Before reaching into the buffers of others, say so; then see that none of
 * them has failed.  Who fails looks here after it has said that, and waits.  It
 * does not wait for ever, so that what was read is worth something only if none
 * of them has failed meanwhile either. */
static dt_status reach_out(dti_port *port, const dt_call *call)
{
    _Atomic uint64_t *working = &port->progress[port->line->rank].working;
    atomic_exchange(working, call->sequence);
    DTI_TRY(dti_port_check(port, call, NULL));
    DTI_TRY(dti_port_work(port, call));
    /* Once more only so that what was read is not read after the look. */
    atomic_exchange(working, call->sequence);
    return dti_port_check(port, call, NULL);
}

/* Do this rank's part and say so. */
static dt_status work(dti_port *port, dt_call *call, bool wait, bool *done)
{
    *done = true;
    if (!is_eager(port, call)) {
        DTI_TRY(meet_posts(port, call, wait, done));
        if (!*done)
            return DT_OK;
        DTI_TRY(reaches_out(port, call) ? reach_out(port, call)
                                        : dti_port_work(port, call));
    }
    atomic_exchange(&port->progress[port->line->rank].finished, call->sequence);
    dti_port_wake(port);
    call->scratch[STAGE] = WORKED;
    call->scratch[MEMBER] = 0;
    return DT_OK;
}

/* See whether the members that reach into our buffers are done. */
static dt_status meet_finished(dti_port *port, dt_call *call, bool wait,
                               bool *ready)
{
    int size = port->line->size;
    *ready = false;
    for (; (int)call->scratch[MEMBER] < size - 1; call->scratch[MEMBER]++) {
        int member = (port->line->rank + 1 + (int)call->scratch[MEMBER]) % size;
        dti_need need = {&port->progress[member].finished, call->sequence,
                         member, false};
        if (dti_need_is_met(&need))
            continue;
        if (!wait)
            return dti_port_check(port, call, &need);
        DTI_TRY(dti_port_wait(port, call, &need));
    }
    *ready = true;
    return DT_OK;
}

/* Carry a call on through its stages. */
static dt_status carry_on(dti_port *port, dt_call *call, bool wait,
                          bool *complete)
{
    if (call->scratch[STAGE] == POSTED) {
        bool done;
        DTI_TRY(work(port, call, wait, &done));
        if (!done)
            return DT_OK;
    }
    const dti_post *mine =
        dti_port_post(port, port->line->rank, call->sequence);
    if (dti_port_is_exposed(port, call, mine))
        return meet_finished(port, call, wait, complete);
    *complete = true;
    return DT_OK;
}

dt_status dti_fabric_advance(void *carrier, dt_channel *line, dt_call *call,
                             bool wait, bool *complete)
{
    dti_port *port = line->state;
    *complete = false;
    dt_status status = carry_on(port, call, wait, complete);
    if (status == DT_OK && !*complete)
        return DT_OK;
    if (status != DT_OK)
        call->given_up = !dti_port_withdraw(port);
    else
        dti_seat_show(carrier, line, call, false);
    if (call->scratch[LENT_INPUT] | call->scratch[LENT_OUTPUT])
        return_lent(port, call, status == DT_OK);
    return status;
}
