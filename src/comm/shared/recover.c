/* comm/shared/recover.c - making a world usable again after a failure. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "base/machine/futex.h"
#include "base/world.h"
#include "comm/shared/fabric.h"

/*
 * Recovery is two meetings of all ranks outside any board.  After the first
 * nobody uses a board; each rank then clears what it wrote, its failure
 * included; after the second all boards are as new.
 *
 * Meetings have the number of the recovery, which only success raises.  So a
 * rank that waited in vain has come all the same: it has failed and uses no
 * board, and when it tries again it finds the others where they wait for it.
 */

enum { SLEEP_TIME = 10 * 1000 * 1000 };

static const _Atomic uint32_t *meeting_of(const dti_seat *seat, bool second)
{
    return second ? &seat->passed : &seat->arrived;
}

/* The first rank that has not come to a meeting; -1 if all have. */
static int find_absent(const dti_fabric *fabric, bool second, uint32_t round)
{
    for (int i = 0; i < fabric->roster->size; i++) {
        const dti_seat *seat = &fabric->roster->seats[i];
        if ((int32_t)(atomic_load(meeting_of(seat, second)) - round) < 0)
            return i;
    }
    return -1;
}

static dt_status report_absent(dti_fabric *fabric, int rank, const char *why)
{
    char seen[128];
    dti_seat_describe(fabric, rank, seen, sizeof seen);
    return dti_fail(fabric->world, DT_ERR_PEER,
                    "dt_world_recover: rank %d %s; it was last seen %s", rank,
                    why, seen);
}

/* Come to a meeting and wait for the others. */
static dt_status meet(dti_fabric *fabric, bool second)
{
    dti_roster *roster = fabric->roster;
    _Atomic uint32_t *mine =
        second ? &fabric->seat->passed : &fabric->seat->arrived;
    uint32_t round = fabric->recovered + 1;
    dti_patience patience = dti_patience_begin();
    atomic_store(mine, round);
    atomic_fetch_add(&roster->wake, 1);
    dti_futex_wake(&roster->wake);
    for (;;) {
        uint32_t wake = atomic_load(&roster->wake);
        int absent = find_absent(fabric, second, round);
        if (absent < 0)
            return DT_OK;
        uint32_t state = atomic_load(&roster->seats[absent].state);
        if (state != DTI_SEAT_RUNNING &&
            find_absent(fabric, second, round) == absent)
            return report_absent(fabric, absent,
                                 state == DTI_SEAT_LOST ? "is gone"
                                                        : "has returned");
        int64_t waited = dti_patience_look(&patience);
        if (fabric->timeout && waited > fabric->timeout)
            return report_absent(fabric, absent,
                                 "did not come within the time limit");
        dti_futex_wait(&roster->wake, wake, SLEEP_TIME);
    }
}

dt_status dti_fabric_recover(void *carrier)
{
    dti_fabric *fabric = carrier;
    /* A rank that still waits for this one learns that it will not come. */
    const dt_error *latest = &fabric->world->latest;
    dt_error asked = {DT_ERR_COMM, "it called dt_world_recover"};
    dti_seat_fail(fabric, latest->code == DT_OK ? &asked : latest);
    DTI_TRY(meet(fabric, false));
    dti_seat_return(fabric);
    DTI_TRY(meet(fabric, true));
    fabric->recovered++;
    return DT_OK;
}
