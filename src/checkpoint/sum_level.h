/* checkpoint/sum_level.h - checksums by the instructions of the processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_SUM_LEVEL_H
#define DTI_CHECKPOINT_SUM_LEVEL_H

#include <stddef.h>
#include <stdint.h>

uint64_t dti_sum_portable(const void *bytes, size_t size);
uint64_t dti_sum_avx2(const void *bytes, size_t size);

#endif
