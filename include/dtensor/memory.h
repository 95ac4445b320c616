/* dtensor/memory.h - the pool that storage comes from. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_MEMORY_H
#define DTENSOR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* What a rank's pool holds.  Bytes are those of size classes, rounded up.  In a
 * dry run, what meta arrays would take counts as if it were there. */
typedef struct dt_memory_stats {
    size_t used;     /* bytes in use by storage */
    size_t kept;     /* bytes kept for reuse */
    size_t peak;     /* the most that was in use at once */
    size_t limit;    /* the most that used and kept may be; 0: no limit */
    uint64_t taken;  /* storages handed out */
    uint64_t reused; /* of those, how many came from what was kept */
} dt_memory_stats;

/*
 * Read the statistics of this rank's pool.
 *
 * Not collective.
 */
DT_API void dt_memory_read(const dt_world *world, dt_memory_stats *out);

/*
 * Give what is kept for reuse back to the system.
 *
 * Not collective.
 */
DT_API void dt_memory_trim(dt_world *world);

/*
 * Start measuring the peak anew from what is in use.
 *
 * Not collective.
 */
DT_API void dt_memory_reset_peak(dt_world *world);

DT_EXTERN_C_END

#endif
