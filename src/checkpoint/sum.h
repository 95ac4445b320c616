/* checkpoint/sum.h - checksums of bytes: XXH3-64. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_SUM_H
#define DTI_CHECKPOINT_SUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t dti_sum_of(const void *bytes, size_t size);

#endif
