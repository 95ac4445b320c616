/* base/machine/futex.h - sleeping until a word changes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_FUTEX_H
#define DTI_BASE_MACHINE_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleep while *word is `expected`, at most `nanoseconds`; may wake early.
 * The word may lie in memory shared between processes. */
void dti_futex_wait(_Atomic uint32_t *word, uint32_t expected,
                    int64_t nanoseconds);

/* Wake all who sleep on the word. */
void dti_futex_wake(_Atomic uint32_t *word);

#endif
