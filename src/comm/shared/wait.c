/* comm/shared/wait.c - waiting for other ranks without wasting the core. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <stdio.h>

#include "base/machine/clock.h"
#include "base/machine/futex.h"
#include "base/world.h"
#include "comm/comm.h"
#include "comm/shared/fabric.h"
#include "work/work.h"

/*
 * Ranks may outnumber cores.  A rank spins for a moment if they do not, then
 * gives its core away again and again, and sleeps once that has taken longer
 * than waking up would.  While it sleeps it looks up now and then: at failures,
 * at ranks that wait for one another, at the time limit.
 */
enum {
    SPINS_PLAIN = 64,        /* looks without a pause: the common short wait */
    SPINS_PAUSED = 40,       /* looks with one: 1 to 2 microseconds */
    YIELDS_PER_LOOK = 16,    /* yields between looks at the clock */
    YIELD_TIME = 200 * 1000, /* nanoseconds until it sleeps */
    SLEEP_BUSY = 100 * 1000, /* at a time, with other calls under way */
    SLEEP_IDLE = 10 * 1000 * 1000,
    SUSPECT_TIME = 5 * 1000 * 1000,   /* until it looks for cycles */
    LONGEST_TURN = 100 * 1000 * 1000, /* ten times SLEEP_IDLE: it was stopped */
};

/* What a copy may take at worst, beyond the time limit. */
static const int64_t WITHDRAW_TIME = INT64_C(5000000000);

void dti_port_wake(dti_port *port)
{
    /* The caller's store and this load are sequentially consistent, and so are
     * the sleeper's count and its look at the word: one of them sees the
     * other. */
    if (DTI_LIKELY(atomic_load(&port->head->sleepers) == 0))
        return;
    atomic_fetch_add(&port->head->wake, 1);
    dti_futex_wake(&port->head->wake);
}

dti_patience dti_patience_begin(void)
{
    return (dti_patience){.latest = dti_clock_now()};
}

int64_t dti_patience_look(dti_patience *patience)
{
    int64_t now = dti_clock_now();
    int64_t turn = now - patience->latest;
    patience->latest = now;
    patience->waited += turn < LONGEST_TURN ? turn : LONGEST_TURN;
    return patience->waited;
}

/* Tell whether a member may be inside the buffers of others. */
static bool is_inside(const dti_port *port, int member)
{
    const dti_progress *peer = &port->progress[member];
    const dti_seat *seats = port->fabric->roster->seats;
    return member != port->line->rank &&
           atomic_load(&peer->working) > atomic_load(&peer->finished) &&
           !atomic_load(&seats[port->line->ranks[member]].failed);
}

/* A process that was stopped in there does not come out: well past the time
 * limit, rather than wait for ever, this rank gives up buffers that the other
 * may still read or write should it ever go on. */
bool dti_port_withdraw(dti_port *port)
{
    int64_t limit = port->fabric->timeout;
    dti_patience patience = dti_patience_begin();
    if (limit)
        limit += WITHDRAW_TIME;
    _Atomic uint32_t nobody = 0;
    for (int i = 0; i < port->line->size; i++) {
        while (is_inside(port, i)) {
            int64_t waited = dti_patience_look(&patience);
            if (limit && waited > limit)
                return false;
            if (waited < YIELD_TIME)
                sched_yield();
            else
                dti_futex_wait(&nobody, 0, SLEEP_BUSY);
        }
    }
    return true;
}

static bool spin(const dti_need *need)
{
    for (int i = 0; i < SPINS_PLAIN; i++)
        if (dti_need_is_met(need))
            return true;
    for (int i = 0; i < SPINS_PAUSED; i++) {
        DTI_PAUSE();
        if (dti_need_is_met(need))
            return true;
    }
    return false;
}

static dt_status report_stall(dti_port *port, const dt_call *call,
                              const dti_need *need)
{
    dti_fabric *fabric = port->fabric;
    int rank = port->line->ranks[need->member];
    int awaited = dti_seat_awaited(fabric, rank);
    char seen[128], blamed[96] = "", held[32] = "";
    dti_seat_describe(fabric, awaited, seen, sizeof seen);
    if (awaited != rank) {
        snprintf(blamed, sizeof blamed,
                 "rank %d keeps the others waiting: ", awaited);
        snprintf(held, sizeof held, ", which waits for it,");
    }
    dti_fail(fabric->world, DT_ERR_PEER,
             "%srank %d%s did not join %s, call #%llu of %s, within %g s "
             "(DT_TIMEOUT); rank %d was last seen %s",
             blamed, rank, held, dt_collective_name(call->kind),
             (unsigned long long)call->sequence, port->line->label,
             (double)fabric->timeout * 1e-9, awaited, seen);
    dti_seat_fail(fabric, &fabric->world->latest);
    return DT_ERR_PEER;
}

static void sleep_on_board(dti_port *port, const dti_need *need,
                           int64_t nanoseconds)
{
    dti_board_head *head = port->head;
    atomic_fetch_add(&head->sleepers, 1);
    uint32_t wake = atomic_load(&head->wake);
    if (atomic_load(need->word) < need->value)
        dti_futex_wait(&head->wake, wake, nanoseconds);
    atomic_fetch_sub(&head->sleepers, 1);
}

/* Sleep until the need is met, or there is a reason to fail. */
static dt_status sleep_until_met(dti_port *port, const dt_call *call,
                                 const dti_need *need)
{
    dti_fabric *fabric = port->fabric;
    dti_patience patience = dti_patience_begin();
    dt_status status = DT_OK;
    while (status == DT_OK) {
        bool busy = dti_comm_progress(fabric->world);
        sleep_on_board(port, need, busy ? SLEEP_BUSY : SLEEP_IDLE);
        if (dti_need_is_met(need))
            break;
        int64_t waited = dti_patience_look(&patience);
        status = dti_port_check(port, call, need);
        if (status == DT_OK && waited > SUSPECT_TIME)
            status = dti_seat_check_cycle(fabric);
        if (status == DT_OK && fabric->timeout && waited > fabric->timeout)
            status = report_stall(port, call, need);
    }
    return status;
}

void dti_fabric_look(dti_fabric *fabric)
{
    atomic_store_explicit(&fabric->seat->awaited, 0, memory_order_relaxed);
    if (dti_pin_look(&fabric->pin))
        dti_work_follow(fabric->world);
}

/* Give the core away again and again; sets whether the need was met. */
static dt_status yield_until_met(dti_port *port, const dt_call *call,
                                 const dti_need *need, bool *met)
{
    dti_fabric *fabric = port->fabric;
    const int64_t start = dti_clock_now();
    int64_t now = start;
    bool goes_on = dti_waiter_begin(&fabric->waiter);
    while (goes_on && now - start < YIELD_TIME) {
        for (int i = 0; goes_on && i < YIELDS_PER_LOOK; i++) {
            goes_on = dti_waiter_yield(&fabric->waiter, &now);
            *met = dti_need_is_met(need);
            if (*met)
                return DT_OK;
        }
        dti_comm_progress(fabric->world);
        DTI_TRY(dti_port_check(port, call, need));
    }
    return DT_OK;
}

dt_status dti_port_wait(dti_port *port, const dt_call *call,
                        const dti_need *need)
{
    dti_fabric *fabric = port->fabric;
    dti_seat *seats = fabric->roster->seats;
    bool met = false;
    if (fabric->waiter.spins && spin(need))
        return DT_OK;
    DTI_TRY(yield_until_met(port, call, need, &met));
    if (met)
        return DT_OK;
    atomic_store_explicit(&seats[port->line->ranks[need->member]].awaited, 1,
                          memory_order_relaxed);
    dti_fabric_look(fabric);
    dti_seat_begin_wait(port, need);
    dt_status status = sleep_until_met(port, call, need);
    dti_seat_end_wait(fabric);
    return status;
}
