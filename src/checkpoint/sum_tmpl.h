/* checkpoint/sum_tmpl.h - XXH3-64 of libxxhash, compiled into this library for
 * one instruction set.  LOOPS is the name of the function. */
/* SPDX-License-Identifier: Apache-2.0 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checkpoint/sum_level.h"

uint64_t LOOPS(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
