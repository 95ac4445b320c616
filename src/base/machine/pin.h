/* base/machine/pin.h - ranks on cores of their own, and letting go of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_PIN_H
#define DTI_BASE_MACHINE_PIN_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A rank that is pinned is a third faster on a quiet machine.  If another
 * program uses its core, it gets half of it and all ranks wait, while other
 * cores may be idle.  So a rank lets go of its cores if it had to wait for them
 * for much of its time, and takes them again after a while: a second at first,
 * twice as long each time that they are in use still.
 *
 * All functions are called by the thread of the rank.  Zeros are a rank that is
 * not pinned.
 */
typedef struct dti_pin {
    bool pinned;       /* at all: it lets go and takes again */
    bool held;         /* on its own cores now */
    int sharing;       /* ranks on each core */
    cpu_set_t allowed; /* where it may run */
    cpu_set_t own;
    int64_t looked;      /* when, in nanoseconds; 0: not yet */
    int64_t ran, waited; /* up to then, in nanoseconds */
    int64_t again;       /* when it takes its cores again */
    int64_t pause;       /* until then */
} dti_pin;

/* Pin the calling thread, one of `ranks` (see dti_cpu_place). */
void dti_pin_take(dti_pin *pin, int rank, int ranks);

/* The same for a thread that its launcher pinned; `allowed` is where that may
 * run. */
void dti_pin_adopt(dti_pin *pin, int ranks, const cpu_set_t *allowed);

/* Look whether others use the cores, at most every 20 ms; gives whether the
 * thread may run elsewhere than before. */
bool dti_pin_look(dti_pin *pin);

/* Judge by what the thread did since the last look: ran, and waited for a core.
 * For dti_pin_look, and for tests. */
bool dti_pin_judge(dti_pin *pin, int64_t now, int64_t ran, int64_t waited);

#endif
