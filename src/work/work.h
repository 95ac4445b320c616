/* work/work.h - threads that help a rank to compute. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_WORK_WORK_H
#define DTI_WORK_WORK_H

#include <stdint.h>

#include "base/world.h"

/*
 * Work that moves fewer bytes than DTI_WORK_LEAST is done by the calling thread
 * alone: waking a helper takes 5 to 50 us, which is what moving so much takes.
 * Pieces move DTI_WORK_PIECE bytes or more, so that taking one (0.1 us) costs
 * little, and of large work there are 128: memory is read fastest in long runs
 * (exp of 64 MiB by two threads: 3.8 ms in pieces of 16 KiB, 1.7 ms in pieces
 * of 512 KiB).  A function that computes much for each byte counts for more: 16
 * multiplications, or a tenth of a call of libm, for a byte.
 */
enum { DTI_WORK_LEAST = 256 << 10, DTI_WORK_PIECE = 64 << 10 };

/* Compute one piece.  `slot` is the number of the thread, less than
 * dti_work_slots(): no two pieces with the same slot are computed at once. */
typedef void (*dti_work_function)(void *context, int64_t piece, int slot);

/*
 * Compute the pieces from 0 to pieces - 1, in any order and several at once.
 * Returns when all are done.  Pieces may not depend on each other.  All of them
 * move so many `bytes`; work that is small is done alone.
 */
void dti_work_run(int64_t pieces, int64_t bytes, dti_work_function function,
                  void *context);

/* Compute the items from `begin` up to `end`. */
typedef void (*dti_work_range)(void *context, int64_t begin, int64_t end,
                               int slot);

/*
 * Compute the items from 0 to count - 1 in ranges of any length, of which each
 * but the last is a multiple of `unit` items.  An item moves `bytes`.  For
 * items whose results do not depend on the range that they are in: a thread
 * alone computes them in one range.
 */
void dti_work_ranges(int64_t count, int64_t unit, int64_t bytes,
                     dti_work_range function, void *context);

/* How many threads can take part in a run that the calling thread starts. */
int dti_work_slots(void);

/* ---- For those who open worlds ------------------------------------------- */

/* Let a world have `threads` threads, the one that runs it included.  They are
 * started when they are needed, and ended when the world is closed. */
dt_status dti_work_open(dt_world *world, int threads, dt_error *error);

/* Let the helpers of a world run where the calling thread may run. */
void dti_work_follow(dt_world *world);

/* Let a world use so many of its threads from here on.  For tests. */
void dti_work_use(dt_world *world, int threads);

#endif
