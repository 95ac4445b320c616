/* base/machine/clock.h - time that only goes forward. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_MACHINE_CLOCK_H
#define DTI_BASE_MACHINE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since some moment. */
int64_t dti_clock_now(void);

#endif
