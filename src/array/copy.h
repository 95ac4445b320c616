/* array/copy.h - moving bytes between memory and memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_COPY_H
#define DTI_ARRAY_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/machine/cpu.h"

/*
 * Copy bytes between blocks that do not overlap.
 *
 * Long copies to a few bytes behind the same place of a page are ten times
 * slower than others where memcpy is one instruction; those of a page at a time
 * are not.
 */
static inline void dti_copy_block(char *destination, const char *source,
                                  size_t bytes)
{
    const size_t page = 4096;
    size_t apart = ((uintptr_t)destination - (uintptr_t)source) % page;
    if (apart > 0 && apart < 64)
        for (; bytes > page; bytes -= page) {
            memcpy(destination, source, page);
            destination += page;
            source += page;
        }
    memcpy(destination, source, bytes);
}

/*
 * Copy bytes between blocks that do not overlap, with non-temporal stores where
 * the block is so large that they win.
 */
void dti_copy_bytes(void *destination, const void *source, size_t bytes);

/*
 * Copy bytes with non-temporal stores, whatever the size: for destinations
 * that nobody reads soon.
 */
void dti_copy_stream(void *destination, const void *source, size_t bytes);

/* Copies of at least this many bytes do better with non-temporal stores. */
size_t dti_copy_stream_threshold(void);

/*
 * Copy elements of `item` bytes between blocks of any strides, which do not
 * overlap.  Strides are in bytes, extents in elements, slowest dimension first.
 */
void dti_copy_strided(void *destination, const int64_t *destination_strides,
                      const void *source, const int64_t *source_strides,
                      const int64_t *dims, int ndim, size_t item);

#endif
