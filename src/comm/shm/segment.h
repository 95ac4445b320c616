/* comm/shm/segment.h - the memory that the processes of one run share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_SHM_SEGMENT_H
#define DTI_COMM_SHM_SEGMENT_H

#include "base/reference.h"
#include "comm/shared/fabric.h"

/*
 * One memfd holds everything: the control block with the roster and boards,
 * then a heap for each rank.  It is far larger than it will ever be filled and
 * takes memory only where it is touched, so it never has to grow.  It has no
 * name: when the last process is gone, so is it.  Every process maps all of it
 * at once, and an address is told to others as its distance from the start.
 */

enum { DTI_SHM_BUCKETS = 256 };

typedef struct dti_shm_control {
    uint64_t magic;
    int32_t ranks;
    int32_t cores;          /* that the launcher may use */
    int32_t pinned;         /* ranks were started on cores of their own */
    cpu_set_t allowed;      /* where the launcher may run */
    uint64_t control_bytes; /* of this block, roster and boards */
    uint64_t heap_bytes;    /* of each rank */
    uint64_t roster;        /* where it lies */
    _Atomic uint64_t used;  /* bytes of the control block given to boards */
    _Atomic uint64_t boards[DTI_SHM_BUCKETS]; /* first of each chain; 0: none */
} dti_shm_control;

/* A mapping of the segment; shared by the carrier and the pool's heap. */
typedef struct dti_segment {
    dti_reference reference;
    char *base;
    size_t bytes;
    dti_shm_control *control; /* at the start of the mapping */
} dti_segment;

/* Make a segment for a run; gives its descriptor. */
dt_status dti_segment_create(int ranks, int cores, bool pinned, int *descriptor,
                             dt_error *error);

/* Map a segment; the descriptor stays the caller's. */
dt_status dti_segment_map(int descriptor, dti_segment **out, dt_error *error);

void dti_segment_release(dti_segment *segment);

static inline dti_roster *dti_segment_roster(const dti_segment *segment)
{
    return (dti_roster *)(void *)(segment->base + segment->control->roster);
}

/* Where a rank's heap begins. */
static inline char *dti_segment_heap(const dti_segment *segment, int rank)
{
    return segment->base + segment->control->control_bytes +
           (size_t)rank * segment->control->heap_bytes;
}

/* The board of a line, found or made; the same memory for all its members. */
dt_status dti_segment_board(dti_segment *segment, const dt_channel *line,
                            size_t bytes, void **out);

/* ---- heap.c: memory for arrays from this rank's heap -------------------- */

/* Let a world's pool take its memory from the heap of its rank. */
dt_status dti_heap_attach(dti_segment *segment, dt_world *world,
                          dt_error *error);

#endif
