/* tests/ranks/ops/numbers.h - tensors of known numbers, for reductions. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_OPS_NUMBERS_H
#define DT_TESTS_OPS_NUMBERS_H

#include <math.h>

#include "ranks/ops/moves.h"

enum { MOST = 2000 };

static inline double value_at(int64_t i)
{
    return (double)((i * 37 + 11) % 23) - 9;
}

static inline dt_array *array_of(dt_world *world, dt_dtype dtype,
                                 dt_shape shape, const double *values)
{
    dt_array *wide = new_array(world, DT_F64, shape), *array = NULL;
    if (dt_array_count(wide) > 0)
        memcpy(dt_array_data(wide), values, dt_array_bytes(wide));
    CHECK_OK(world, dt_array_cast(world, wide, dtype, &array));
    dt_array_release(wide);
    return array;
}

/* A tensor of given values, in any layout that is not partial. */
static inline dt_tensor *tensor_of(dt_mesh *mesh, const char *layout,
                                   dt_dtype dtype, dt_shape shape,
                                   const double *values)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *array = array_of(world, dtype, shape, values);
    dt_tensor *tensor =
        dt_distribute(mesh, layout, dtype, shape, array, DT_EVERYWHERE);
    CHECKF(tensor != NULL, "%s", dt_world_error(world)->message);
    dt_array_release(array);
    return tensor;
}

static inline dt_tensor *make_tensor(line *at, const char *layout,
                                     dt_dtype dtype, dt_shape shape)
{
    double values[MOST];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = value_at(i);
    dt_tensor *tensor = tensor_of(at->mesh, layout, dtype, shape, values);
    at->calls = calls_so_far(at->world);
    return tensor;
}

/* A partial tensor of which this rank's part is value_at(i) + rank. */
static inline dt_tensor *make_partial(line *at, const char *layout,
                                      dt_dtype dtype, dt_shape shape)
{
    double values[MOST];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = value_at(i) + dt_world_rank(at->world) * (i % 2 ? 1 : -1);
    dt_array *array = array_of(at->world, dtype, shape, values);
    dt_tensor *tensor = dt_from_local(at->mesh, layout, array);
    CHECKF(tensor != NULL, "%s", dt_world_error(at->world)->message);
    dt_array_release(array);
    at->calls = calls_so_far(at->world);
    return tensor;
}

/* The elements of a whole tensor as doubles; false if there is none. */
static inline bool read_tensor(dt_tensor *tensor, double *values)
{
    if (!CHECK(tensor != NULL))
        return false;
    dt_world *world = dt_tensor_world(tensor);
    dt_array *whole = read_whole(tensor), *wide = NULL;
    CHECK_OK(world, dt_array_cast(world, whole, DT_F64, &wide));
    if (dt_array_count(wide) > 0)
        memcpy(values, dt_array_const_data(wide), dt_array_bytes(wide));
    dt_array_release(whole);
    dt_array_release(wide);
    return true;
}

static inline bool is_close(double value, double wanted)
{
    if (isnan(value) || isnan(wanted))
        return isnan(value) && isnan(wanted);
    return value == wanted || fabs(value - wanted) <= 1e-5 * fabs(wanted);
}

static inline void check_values(dt_tensor *tensor, const double *wanted,
                                int64_t count)
{
    double found[MOST];
    if (!read_tensor(tensor, found))
        return;
    CHECK_INT(dt_tensor_count(tensor), count);
    for (int64_t i = 0; i < count; i++)
        if (!CHECKF(is_close(found[i], wanted[i]),
                    "element %lld is %.9g, not %.9g", (long long)i, found[i],
                    wanted[i]))
            return;
}

static inline void check_dtype(const dt_tensor *tensor, dt_dtype dtype)
{
    if (CHECK(tensor != NULL))
        CHECK_TEXT(dt_dtype_name(dt_tensor_dtype(tensor)),
                   dt_dtype_name(dtype));
}

#endif
