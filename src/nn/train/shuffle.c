/* nn/train/shuffle.c - a random order without a list of it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/train/shuffle.h"

#include <assert.h>

#include "random/philox.h"

enum { ROUNDS = 6 };

/*
 * A Feistel network is a one-to-one function of 2b bits whatever its round
 * function is: each round replaces (left, right) by (right, left ^ f(right)),
 * which can be undone.  If a number leaves the range, it is passed through
 * again until one is in range: 2^2b is less than four times the range, so that
 * happens fewer than four times on average, and the function of the range is
 * one-to-one as well.  For example, a range of 10 takes b = 2: 3 -> 13 -> 6
 * ends after two passes, and no other number can end at 6.
 */
static uint64_t pass(uint64_t key, uint64_t order, int bits, uint64_t number)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t left = number >> bits, right = number & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const dti_philox_block block =
            dti_philox(key, right | round << 40, order);
        const uint64_t mixed = left ^ (block.words[0] & mask);
        left = right;
        right = mixed;
    }
    return left << bits | right;
}

int64_t dti_shuffle(uint64_t key, uint64_t order, int64_t count, int64_t place)
{
    int bits = 1;
    while (bits < 31 && UINT64_C(1) << 2 * bits < (uint64_t)count)
        bits++;
    assert(count > 0 && place >= 0 && place < count);
    assert(UINT64_C(1) << 2 * bits >= (uint64_t)count);
    uint64_t number = (uint64_t)place;
    do
        number = pass(key, order, bits, number);
    while (number >= (uint64_t)count);
    return (int64_t)number;
}
