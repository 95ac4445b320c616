/* comm/shared/seat.c - what ranks can see of one another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/machine/futex.h"
#include "base/world.h"
#include "comm/shared/fabric.h"

size_t dti_roster_bytes(int size)
{
    return sizeof(dti_roster) + (size_t)size * sizeof(dti_seat);
}

void dti_seat_wake_all(dti_fabric *fabric)
{
    for (dti_port *port = fabric->ports; port; port = port->next)
        dti_port_wake(port);
    atomic_fetch_add(&fabric->roster->wake, 1);
    dti_futex_wake(&fabric->roster->wake);
}

void dti_seat_fail(dti_fabric *fabric, const dt_error *error)
{
    dti_seat *seat = fabric->seat;
    if (atomic_load_explicit(&seat->failed, memory_order_relaxed))
        return;
    seat->failure = *error;
    atomic_store(&seat->failed, (uint32_t)error->code);
    atomic_fetch_add(&fabric->roster->alarms, 1);
    dti_seat_wake_all(fabric);
}

void dti_seat_leave(dti_fabric *fabric, const dt_error *error)
{
    if (error)
        dti_seat_fail(fabric, error);
    atomic_store(&fabric->seat->state, DTI_SEAT_LEFT);
    atomic_fetch_add(&fabric->roster->alarms, 1);
    dti_seat_wake_all(fabric);
}

void dti_seat_lose(dti_roster *roster, int rank, const char *why)
{
    dti_seat *seat = &roster->seats[rank];
    if (!atomic_load(&seat->failed)) {
        dti_error_set(&seat->failure, DT_ERR_PEER, "%s", why);
        atomic_store(&seat->failed, DT_ERR_PEER);
    }
    atomic_store(&seat->state, DTI_SEAT_LOST);
    /* It may have died before it rang for its own failure. */
    atomic_fetch_add(&roster->alarms, 2);
    atomic_fetch_add(&roster->wake, 1);
    dti_futex_wake(&roster->wake);
}

void dti_seat_begin(dti_fabric *fabric)
{
    atomic_store(&fabric->seat->arrived, 0);
    atomic_store(&fabric->seat->passed, 0);
    fabric->recovered = 0;
    dti_seat_return(fabric);
}

void dti_seat_return(dti_fabric *fabric)
{
    dti_seat *seat = fabric->seat;
    if (atomic_exchange(&seat->failed, 0))
        atomic_fetch_sub(&fabric->roster->alarms, 1);
    if (atomic_exchange(&seat->state, DTI_SEAT_RUNNING) == DTI_SEAT_LEFT)
        atomic_fetch_sub(&fabric->roster->alarms, 1);
    if (atomic_exchange(&seat->asks, 0))
        atomic_fetch_sub(&fabric->roster->alarms, 1);
    atomic_store(&seat->shown, 0);
    atomic_store(&seat->what, 0);
    for (dti_port *port = fabric->ports; port; port = port->next)
        dti_port_clear(port);
}

/* ---- What a rank is seen doing ------------------------------------------ */

/* The fields of dti_seat.what. */
enum { WHAT_INSIDE = 8, WHAT_SOMETHING = 9 };

static void show_label(dti_fabric *fabric, const dt_channel *line)
{
    uint64_t words[DTI_LABEL_WORDS];
    _Static_assert(sizeof words == sizeof line->label, "a label fits");
    memcpy(words, line->label, sizeof words);
    for (int i = 0; i < DTI_LABEL_WORDS; i++)
        atomic_store_explicit(&fabric->seat->label[i], words[i],
                              memory_order_relaxed);
    fabric->shown = line;
}

void dti_seat_show(dti_fabric *fabric, const dt_channel *line,
                   const dt_call *call, bool inside)
{
    dti_seat *seat = fabric->seat;
    uint64_t what = (uint64_t)call->kind | (uint64_t)inside << WHAT_INSIDE |
                    UINT64_C(1) << WHAT_SOMETHING;
    if (fabric->shown != line)
        show_label(fabric, line);
    atomic_store_explicit(&seat->sequence, call->sequence,
                          memory_order_relaxed);
    atomic_store_explicit(&seat->what, what, memory_order_relaxed);
}

void dti_seat_describe(const dti_fabric *fabric, int rank, char *text,
                       size_t size)
{
    const dti_seat *seat = &fabric->roster->seats[rank];
    uint64_t words[DTI_LABEL_WORDS];
    char label[sizeof words + 1];
    for (int i = 0; i < DTI_LABEL_WORDS; i++)
        words[i] = atomic_load_explicit(&seat->label[i], memory_order_acquire);
    memcpy(label, words, sizeof words);
    label[sizeof words] = '\0';
    uint64_t what = atomic_load_explicit(&seat->what, memory_order_acquire);
    uint64_t sequence =
        atomic_load_explicit(&seat->sequence, memory_order_acquire);
    if (!(what >> WHAT_SOMETHING & 1))
        snprintf(text, size, "before its first call");
    else
        snprintf(text, size, "%s %s #%llu of %s",
                 what >> WHAT_INSIDE & 1 ? "in" : "computing after",
                 dt_collective_name((dt_collective)(what & 0xff)),
                 (unsigned long long)sequence, label);
}

/* ---- Failures ----------------------------------------------------------- */

dt_status dti_seat_pass_on(dti_fabric *fabric, int rank)
{
    const dti_seat *seat = &fabric->roster->seats[rank];
    const dt_error *failure = &seat->failure;
    bool told_already =
        failure->code == DT_ERR_DIVERGED || failure->code == DT_ERR_PEER;
    if (rank == fabric->world->rank || told_already)
        dti_fail_with(fabric->world, failure);
    else
        dti_fail(fabric->world, DT_ERR_PEER, "rank %d failed: %s", rank,
                 failure->message);
    dti_seat_fail(fabric, &fabric->world->latest);
    return fabric->world->latest.code;
}

/* The member that must meet a need has left without. */
static dt_status report_left(dti_port *port, const dt_call *call, int member)
{
    dt_world *world = port->fabric->world;
    int rank = port->line->ranks[member];
    char seen[128];
    dti_seat_describe(port->fabric, rank, seen, sizeof seen);
    dti_fail(world, DT_ERR_PEER,
             "rank %d returned from its program without joining %s, call "
             "#%llu of %s; it was last seen %s",
             rank, dt_collective_name(call->kind),
             (unsigned long long)call->sequence, port->line->label, seen);
    dti_seat_fail(port->fabric, &world->latest);
    return DT_ERR_PEER;
}

/*
 * Has a member that failed done its part of a call before?  Then the call goes
 * well for all, and the next one fails; unless this rank has yet to reach into
 * buffers of the member, which go away.
 */
static bool is_through(const dti_port *port, const dt_call *call, int member)
{
    const dti_progress *progress = port->progress;
    if (atomic_load(&progress[member].finished) < call->sequence)
        return false;
    return atomic_load(&progress[port->line->rank].finished) >=
               call->sequence ||
           dti_post_is_inline(dti_port_post(port, member, call->sequence));
}

dt_status dti_port_check(dti_port *port, const dt_call *call,
                         const dti_need *need)
{
    dti_fabric *fabric = port->fabric;
    const dti_seat *seats = fabric->roster->seats;
    if (!atomic_load(&fabric->roster->alarms))
        return DT_OK;
    /* Its own failure first: others may have passed it on since. */
    if (atomic_load(&fabric->seat->failed))
        return dti_seat_pass_on(fabric, fabric->world->rank);
    dti_seat_answer(fabric);
    for (int i = 0; i < port->line->size; i++) {
        int rank = port->line->ranks[i];
        if (atomic_load(&seats[rank].failed) && !is_through(port, call, i))
            return dti_seat_pass_on(fabric, rank);
    }
    if (!need)
        return DT_OK;
    const dti_seat *awaited = &seats[port->line->ranks[need->member]];
    /* It may have posted before it left: look at its state first. */
    if (atomic_load(&awaited->state) == DTI_SEAT_LEFT && !dti_need_is_met(need))
        return report_left(port, call, need->member);
    return DT_OK;
}

/* ---- Ranks that wait for one another ------------------------------------ */

void dti_seat_begin_wait(dti_port *port, const dti_need *need)
{
    const dti_fabric *fabric = port->fabric;
    dti_seat *seat = fabric->seat;
    /* Released: who reads one of these sees that the wait before is over. */
    atomic_store_explicit(&seat->waits_for, port->line->ranks[need->member],
                          memory_order_release);
    atomic_store_explicit(&seat->until_it_calls, need->is_post,
                          memory_order_release);
    atomic_store_explicit(
        &seat->waits_at,
        fabric->functions->name(fabric->memory,
                                (const void *)(uintptr_t)need->word),
        memory_order_release);
    atomic_store_explicit(&seat->waits_value, need->value,
                          memory_order_release);
    atomic_fetch_add(&seat->epoch, 1);
}

void dti_seat_end_wait(dti_fabric *fabric)
{
    atomic_fetch_add(&fabric->seat->epoch, 1);
}

/* One rank that waits for another. */
typedef struct wait_edge {
    uint64_t epoch;
    int rank;
    bool until_it_calls;
} wait_edge;

/* Read for whom a rank waits; false if it does not, or need not any more. */
static bool read_edge(const dti_fabric *fabric, int rank, wait_edge *out)
{
    const dti_seat *seat = &fabric->roster->seats[rank];
    uint64_t epoch = atomic_load(&seat->epoch);
    int target = atomic_load(&seat->waits_for);
    bool until_it_calls = atomic_load(&seat->until_it_calls);
    uint64_t at = atomic_load(&seat->waits_at);
    uint64_t value = atomic_load(&seat->waits_value);
    if (epoch % 2 == 0 || atomic_load(&seat->epoch) != epoch)
        return false;
    const _Atomic uint64_t *word = fabric->functions->find(fabric->memory, at);
    if (atomic_load(word) >= value)
        return false;
    *out = (wait_edge){epoch, target, until_it_calls};
    return true;
}

int dti_seat_awaited(const dti_fabric *fabric, int rank)
{
    wait_edge edge;
    for (int steps = 0; steps < fabric->roster->size; steps++) {
        if (!read_edge(fabric, rank, &edge))
            break;
        rank = edge.rank;
    }
    return rank;
}

/* Follow who waits for whom to call from this rank; true, with a number for
 * this very state of affairs, if that leads back to it.  Only a call can be
 * late for ever: what a rank has begun it carries on with while it waits
 * elsewhere. */
static bool find_cycle(const dti_fabric *fabric, uint64_t *state)
{
    int self = fabric->world->rank;
    int rank = self;
    *state = 0;
    for (int steps = 0; steps < fabric->roster->size; steps++) {
        wait_edge edge;
        if (!read_edge(fabric, rank, &edge) || !edge.until_it_calls)
            return false;
        *state = dti_hash_mix(dti_hash_mix(*state, edge.epoch), (uint64_t)rank);
        rank = edge.rank;
        if (rank == self)
            return true;
    }
    return false;
}

/* Say in which call a rank waits; false if it does not wait there any more, and
 * what was read may belong to a later call. */
static bool describe_edge(const dti_fabric *fabric, int rank, wait_edge *edge,
                          char *text, size_t size)
{
    if (!read_edge(fabric, rank, edge))
        return false;
    dti_seat_describe(fabric, rank, text, size);
    return atomic_load(&fabric->roster->seats[rank].epoch) == edge->epoch;
}

/*
 * A cycle seen twice in the same state stood still in between: at that moment
 * every rank in it was waiting for the next one to call, and ranks that wait
 * do not call.
 */
dt_status dti_seat_check_cycle(dti_fabric *fabric)
{
    uint64_t first;
    uint64_t second;
    if (!find_cycle(fabric, &first) || !find_cycle(fabric, &second) ||
        first != second)
        return DT_OK;
    char text[DT_ERROR_SIZE] = "";
    size_t used = 0;
    int rank = fabric->world->rank;
    do {
        wait_edge edge;
        char seen[128];
        if (!describe_edge(fabric, rank, &edge, seen, sizeof seen))
            return DT_OK;
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%srank %d %s for rank %d",
                                     used ? ", " : "", rank, seen, edge.rank);
        rank = edge.rank;
    } while (rank != fabric->world->rank);
    dti_fail(fabric->world, DT_ERR_DIVERGED, "deadlock: %.900s", text);
    dti_seat_fail(fabric, &fabric->world->latest);
    return DT_ERR_DIVERGED;
}

void dti_fabric_poison(void *carrier, const dt_error *error)
{
    dti_seat_fail(carrier, error);
}
