/* comm/shared/ask.c - ranks that diverged show each other what they called. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/futex.h"
#include "base/world.h"
#include "comm/comm.h"
#include "comm/shared/fabric.h"

/*
 * What a rank called on a mesh lies in its own memory, as it was called.  A
 * rank that meets another word than its own puts that into text in its seat and
 * asks for the other's.  Who waits in a call, or begins one, looks up on an
 * alarm and answers.  A rank that is computing answers when it next calls: it
 * began the call that differs without waiting for it.  So the asker does not
 * wait for long, and goes without if need be.
 */
enum { ASK_TIME = 1000 * 1000 * 1000, LOOK_TIME = 200 * 1000 };

/* Put what this rank called on a mesh into its seat, for all to see.  It stays
 * until the world recovers. */
static void show(dti_fabric *fabric, uint64_t id)
{
    dti_seat *seat = fabric->seat;
    if (atomic_load_explicit(&seat->shown, memory_order_relaxed))
        return;
    dti_history_write(dti_history_of(fabric->world, id), &seat->page);
    atomic_store(&seat->shown, 1);
}

void dti_seat_answer(dti_fabric *fabric)
{
    const dti_roster *roster = fabric->roster;
    for (int i = 0; i < roster->size; i++) {
        uint64_t id = atomic_load(&roster->seats[i].asks);
        if (id)
            show(fabric, id);
    }
}

/* Tell whether a rank can still be expected to answer. */
static bool may_answer(const dti_seat *seat)
{
    return !atomic_load(&seat->shown) && !atomic_load(&seat->failed) &&
           atomic_load(&seat->state) == DTI_SEAT_RUNNING;
}

static void ask(dti_fabric *fabric, uint64_t id)
{
    show(fabric, id);
    if (!atomic_exchange(&fabric->seat->asks, id))
        atomic_fetch_add(&fabric->roster->alarms, 1);
    dti_seat_wake_all(fabric);
}

const dti_history_page *dti_seat_page(const dti_fabric *fabric, int rank)
{
    const dti_seat *seat = &fabric->roster->seats[rank];
    return atomic_load(&seat->shown) ? &seat->page : NULL;
}

/* A rank whose own call serves no mesh asks for nothing: the other, whose call
 * does, shows its page of that mesh, and this one follows. */
const dti_history_page *dti_seat_ask(dti_fabric *fabric, const dt_call *call,
                                     int rank)
{
    const dti_seat *peer = &fabric->roster->seats[rank];
    dti_patience patience = dti_patience_begin();
    _Atomic uint32_t nobody = 0;
    const dti_history *history = call->history;
    if (history)
        ask(fabric, history->id);
    while (may_answer(peer) && dti_patience_look(&patience) < ASK_TIME)
        dti_futex_wait(&nobody, 0, LOOK_TIME);
    const dti_history_page *page = dti_seat_page(fabric, rank);
    if (page)
        show(fabric, page->id);
    return page;
}
