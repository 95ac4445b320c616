/* dtensor/memory.h - the memory pool of a rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_MEMORY_H
#define DTENSOR_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* Statistics of a rank's memory pool.  Bytes are rounded up to size classes.
 * In a dry run, meta arrays count as if they had storage. */
typedef struct dt_memory_stats {
    size_t used;     /* bytes in use */
    size_t kept;     /* bytes cached for reuse */
    size_t peak;     /* maximum of used so far */
    size_t limit;    /* maximum of used + kept; 0: no limit */
    uint64_t taken;  /* number of allocations */
    uint64_t reused; /* allocations served from cached memory */
} dt_memory_stats;

/*
 * Read the statistics of this rank's memory pool.
 *
 * Not collective.
 */
DT_API void dt_memory_read(const dt_world *world, dt_memory_stats *out);

/*
 * Return cached memory to the system.
 *
 * Not collective.
 */
DT_API void dt_memory_trim(dt_world *world);

/*
 * Reset the peak to the number of bytes in use.
 *
 * Not collective.
 */
DT_API void dt_memory_reset_peak(dt_world *world);

DT_EXTERN_C_END

#endif
