/* kernel/random/multinomial.h - places drawn by their weights. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_RANDOM_MULTINOMIAL_H
#define DTI_KERNEL_RANDOM_MULTINOMIAL_H

#include <stdbool.h>
#include <stdint.h>

/* Tell how many weights are above 0; -1 if one of them is no weight: negative,
 * infinite or NaN. */
int64_t dti_weights_count(const double *weights, int64_t count);

/*
 * Pick places with replacement: of each number in [0, 1) the place whose share
 * of the sum of weights it falls into, never one of weight 0.  The weights
 * become their sums so far.
 */
void dti_pick_by_sums(double *weights, int64_t count, const double *numbers,
                      int64_t *places, int64_t picks);

/*
 * Pick different places: those that come first if each waits for a time that is
 * exponentially distributed with its weight as the rate.  `times` are such
 * times of rate 1, and are overwritten; there are `picks` weights above 0 at
 * least.
 */
void dti_pick_by_times(const double *weights, double *times, int64_t count,
                       int64_t *places, int64_t picks);

#endif
