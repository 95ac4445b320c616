/* kernel/random/multinomial.c - places drawn by their weights. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/random/multinomial.h"

#include <math.h>

int64_t dti_weights_count(const double *weights, int64_t count)
{
    int64_t above = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!(weights[i] >= 0) || isinf(weights[i]))
            return -1;
        above += weights[i] > 0;
    }
    return above;
}

/* The first place whose sum is above a number. */
static int64_t find_sum(const double *sums, int64_t count, double number)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sums[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A product that is rounded up to the sum of all is past the last place. */
void dti_pick_by_sums(double *weights, int64_t count, const double *numbers,
                      int64_t *places, int64_t picks)
{
    int64_t last = 0;
    for (int64_t i = 0; i < count; i++) {
        if (weights[i] > 0)
            last = i;
        weights[i] += i > 0 ? weights[i - 1] : 0;
    }
    for (int64_t i = 0; i < picks; i++) {
        const int64_t found =
            find_sum(weights, count, numbers[i] * weights[count - 1]);
        places[i] = found < last ? found : last;
    }
}

/* ---- Without replacement ------------------------------------------------ */

/* The places found so far are a heap, the one that waits longest on top; of
 * equal times the larger place waits longer. */
static bool waits_longer(const double *times, int64_t a, int64_t b)
{
    return times[a] != times[b] ? times[a] > times[b] : a > b;
}

static void sink(const double *times, int64_t *heap, int64_t count,
                 int64_t place)
{
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count &&
            waits_longer(times, heap[child + 1], heap[child]))
            child++;
        if (!waits_longer(times, heap[child], place))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = place;
}

static void rise(const double *times, int64_t *heap, int64_t at, int64_t place)
{
    while (at > 0 && waits_longer(times, place, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = place;
}

void dti_pick_by_times(const double *weights, double *times, int64_t count,
                       int64_t *places, int64_t picks)
{
    int64_t held = 0;
    for (int64_t i = 0; i < count; i++) {
        if (weights[i] == 0)
            continue;
        times[i] /= weights[i];
        if (held < picks)
            rise(times, places, held++, i);
        else if (picks > 0 && waits_longer(times, places[0], i))
            sink(times, places, held, i);
    }
    /* The one that waits longest goes to the end. */
    for (int64_t left = held; left > 1; left--) {
        const int64_t top = places[0], last = places[left - 1];
        sink(times, places, left - 1, last);
        places[left - 1] = top;
    }
}
