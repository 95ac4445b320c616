/* nn/layers/rotary.c - positions by rotation. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "nn/layers/rotary.h"

#include <math.h>

#include <dtensor/create.h>
#include <dtensor/ops/math.h>
#include <dtensor/ops/shape.h>
#include <dtensor/redistribute.h>

#include "base/error.h"

enum { COSINES, SINES };

/* Pair i of position t is turned by t / base^(i / pairs): (positions, pairs).
 */
static dt_tensor *make_angles(dt_mesh *mesh, dt_shape shape, double base)
{
    const int64_t pairs = shape.dims[1];
    dt_tensor *time =
        dt_arange(mesh, NULL, DT_F64, 0, (double)shape.dims[0], 1);
    dt_tensor *numbers = dt_arange(mesh, NULL, DT_F64, 0, (double)pairs, 1);
    const double speed = pairs ? -log(base) / (double)pairs : 0;
    dt_tensor *speeds = dt_exp(dt_mul_scalar(numbers, dt_real(speed)));
    return dt_mul(dt_unsqueeze(time, 1), speeds);
}

static dt_tensor *make_cosines(dt_mesh *mesh, const char *layout,
                               dt_dtype dtype, dt_shape shape,
                               const dt_init *init)
{
    dt_tensor *angles = make_angles(mesh, shape, init->a);
    return dt_redistribute(dt_cast(dt_cos(angles), dtype), layout);
}

static dt_tensor *make_sines(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                             dt_shape shape, const dt_init *init)
{
    dt_tensor *angles = make_angles(mesh, shape, init->a);
    return dt_redistribute(dt_cast(dt_sin(angles), dtype), layout);
}

/* The first positions of a table, with a dimension for heads. */
static dt_tensor *first_rows(dt_module *module, int number, int64_t time)
{
    return dt_unsqueeze(dt_narrow(dt_module_tensor(module, number), 0, 0, time),
                        1);
}

/* Turn the pairs of each head, which are half of it apart; x is (batch, time,
 * heads, width). */
static dt_tensor *turn(dt_module *module, dt_tensor *x)
{
    const int64_t time = dt_tensor_extent(x, 1);
    const int64_t half = dt_tensor_extent(x, 3) / 2;
    dt_tensor *cosines = first_rows(module, COSINES, time);
    dt_tensor *sines = first_rows(module, SINES, time);
    dt_tensor *a = dt_narrow(x, 3, 0, half), *b = dt_narrow(x, 3, half, half);
    dt_tensor *halves[] = {
        dt_sub(dt_mul(a, cosines), dt_mul(b, sines)),
        dt_add(dt_mul(a, sines), dt_mul(b, cosines)),
    };
    return dt_cat(halves, 2, 3);
}

static const dt_module_class rotary_class = {
    .size = sizeof(dt_module_class),
    .name = "Rotary",
    .forward = turn,
};

dt_module *dti_rotary_create(dt_world *world, const dt_transformer *shape)
{
    const dt_shape table = DT_SHAPE(shape->positions, shape->head_width / 2);
    const dt_init cosines = {DT_INIT_FUNCTION, shape->rotary_base, 0,
                             make_cosines};
    const dt_init sines = {DT_INIT_FUNCTION, shape->rotary_base, 0, make_sines};
    if (shape->head_width % 2 || shape->positions < 1) {
        dti_fail(world, DT_ERR_INVALID,
                 "dt_transformer: rotary positions need heads of an even "
                 "width, not %lld, and `positions`, the longest sequence, not "
                 "%lld",
                 (long long)shape->head_width, (long long)shape->positions);
        return NULL;
    }
    dt_module *module = dt_module_create(world, &rotary_class);
    if (!module)
        return NULL;
    dt_module_add_parameter(module, "cos", DT_BUFFER_TRANSIENT, shape->dtype,
                            table, cosines);
    dt_module_add_parameter(module, "sin", DT_BUFFER_TRANSIENT, shape->dtype,
                            table, sines);
    return module->broken ? NULL : module;
}
