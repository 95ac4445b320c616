/* kernel/shape/repeat.c - dimensions repeated as wholes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/shape/repeat.h"

#include <string.h>

#include "array/copy.h"

/* Short blocks are doubled up to this many bytes, so that few copies are
 * short. */
enum { piece = 4096 };

/* Write a block over and over behind itself. */
static void repeat_block(char *data, size_t block, int64_t times)
{
    size_t total = block * (size_t)times, done = block;
    while (done < total && done < piece) {
        size_t part = done < total - done ? done : total - done;
        memcpy(data + done, data, part);
        done += part;
    }
    size_t whole = done - done % block;
    while (done < total) {
        size_t part = whole < total - done ? whole : total - done;
        dti_copy_bytes(data + done, data, part);
        done += part;
    }
}

/* Repeat along a dimension, behind which all is in place, for every index of
 * the dimensions before it that is there. */
static void repeat_dim(char *data, int dim, const int64_t *dims,
                       const int64_t *times, const size_t *steps)
{
    int64_t index[DT_MAX_NDIM] = {0};
    for (;;) {
        repeat_block(data, steps[dim] * (size_t)dims[dim], times[dim]);
        int i = dim - 1;
        for (; i >= 0; i--) {
            data += steps[i];
            if (++index[i] < dims[i])
                break;
            data -= steps[i] * (size_t)index[i];
            index[i] = 0;
        }
        if (i < 0)
            return;
    }
}

void dti_repeat(void *data, size_t item, int ndim, const int64_t *dims,
                const int64_t *times)
{
    size_t steps[DT_MAX_NDIM], step = item;
    for (int i = ndim - 1; i >= 0; i--) {
        steps[i] = step;
        step *= (size_t)(dims[i] * times[i]);
    }
    for (int i = ndim - 1; i >= 0; i--)
        if (times[i] > 1)
            repeat_dim(data, i, dims, times, steps);
}
