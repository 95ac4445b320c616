/* array/fill.c - setting every element to one number. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/array.h>

#include "array/cast.h"
#include "base/error.h"

/* Copy one element to all. */
static dt_status fill_with(dt_world *world, dt_array *array, void *element)
{
    if (dt_array_is_meta(array))
        return DT_OK;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = element;
    options.dtype = dt_array_dtype(array);
    options.read_only = true;
    dt_array *one = NULL;
    DTI_TRY(dt_array_wrap(world, &options, &one));
    dt_status status = dt_array_copy(world, one, array);
    dt_array_release(one);
    return status;
}

dt_status dt_array_fill(dt_world *world, dt_array *array, double value)
{
    int64_t element = 0; /* aligned for any dtype */
    dti_cast(&value, DT_F64, &element, dt_array_dtype(array), 1);
    return fill_with(world, array, &element);
}

dt_status dt_array_fill_int(dt_world *world, dt_array *array, int64_t value)
{
    int64_t element = 0;
    dti_cast(&value, DT_I64, &element, dt_array_dtype(array), 1);
    return fill_with(world, array, &element);
}
