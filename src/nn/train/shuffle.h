/* nn/train/shuffle.h - a random order without a list of it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_TRAIN_SHUFFLE_H
#define DTI_NN_TRAIN_SHUFFLE_H

#include <stdint.h>

/*
 * Return the number at a place of a random order of 0 to count - 1, which
 * depends on the key and the number of the order alone.
 */
int64_t dti_shuffle(uint64_t key, uint64_t order, int64_t count, int64_t place);

#endif
