/* array/given.h - arrays that a caller has to give. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_ARRAY_GIVEN_H
#define DTI_ARRAY_GIVEN_H

#include <dtensor/array.h>

#include "base/error.h"
#include "base/handles.h"

/* Check that an array is there: a tensor that could not be had has none. */
static inline dt_status dti_array_given(dt_world *world, const dt_array *array,
                                        const char *function)
{
    if (!dti_handle_usable(array, function))
        return DT_ERR_INVALID;
    if (array)
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID, "%s: the array is NULL", function);
}

/* The same for the path of a file. */
static inline dt_status dti_path_given(dt_world *world, const char *path,
                                       const char *function)
{
    if (path)
        return DT_OK;
    return dti_fail(world, DT_ERR_INVALID, "%s: the path is NULL", function);
}

#endif
