/* tests/support/ones.h - arrays that are easy to check. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_ONES_H
#define DT_TESTS_ONES_H

#include <dtensor/array.h>

#include "support/check.h"

/* An array of one dimension, filled with ones. */
static inline dt_array *ones(dt_world *world, dt_dtype dtype, int64_t count)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, dtype, DT_SHAPE(count), &array));
    CHECK_OK(world, dt_array_fill(world, array, 1));
    return array;
}

#endif
