/* tests/support/fault.h - memory that runs out at the Nth request. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_FAULT_H
#define DT_TESTS_FAULT_H

/*
 * For tests/fault, whose programs are linked so that malloc, calloc, realloc,
 * aligned_alloc, posix_memalign and anonymous mmap of the library pass through
 * here.  A test asks for one failure after another until none is left:
 *
 *     for (long nth = 1; nth <= FAULTS_MAX; nth++) {
 *         dt_fault_arm(nth);
 *         dt_status status = constructor(...);
 *         if (!dt_fault_disarm())
 *             break;              (the request was never reached: done)
 *         CHECK(status == DT_ERR_NO_MEMORY);
 *     }
 *
 * All threads count together, except with dt_fault_arm_here.
 */

/* Let the Nth request from here on fail, once; 1 is the next. */
void dt_fault_arm(long nth);

/* Let every request from the Nth on fail, until disarmed. */
void dt_fault_arm_from(long nth);

/* Let the Nth request of the calling thread fail, once.  It also disarms. */
void dt_fault_arm_here(long nth);

/* Let no request fail any more.  Gives how many did since it was armed. */
long dt_fault_disarm(void);

#endif
