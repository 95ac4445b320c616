/* autograd/tape.h - recording calls. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_TAPE_H
#define DTI_AUTOGRAD_TAPE_H

#include "autograd/node.h"

/* What a world keeps of gradients, from the first leaf on. */
typedef struct dti_tape {
    uint64_t sequence;           /* of the latest node */
    uint64_t pass;               /* of the latest backward pass */
    uint64_t hooks;              /* that were ever added */
    struct dti_section *section; /* that runs (section.h); or NULL */
    uint64_t shown;              /* graphs that were described */
    struct dti_packed *packed; /* the latest that is packed (pack.h); or NULL */
    struct dti_disk *disks;    /* files that packings write (packing.c) */
    bool passing;              /* a backward pass runs */
    size_t complete;    /* gradients that it has added to those of leaves */
    dt_array *original; /* retained: what the next call overwrites although its
                           gradient reads it; or NULL */
    const dt_tensor *original_of; /* whose it is */
} dti_tape;

/* The tape of a world; opened, and calls recorded from now on, if it was not.
 * NULL without memory. */
dti_tape *dti_tape_open(dt_world *world);

/* The same of a world that has one. */
static inline dti_tape *dti_tape_of(const dt_world *world)
{
    return dti_world_room(world, DTI_ROOM_AUTOGRAD);
}

/* Count a node of a world that has a tape. */
static inline uint64_t dti_tape_count(const dt_world *world)
{
    return ++dti_tape_of(world)->sequence;
}

#endif
