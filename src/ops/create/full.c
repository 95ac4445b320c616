/* ops/create/full.c - tensors with every element the same. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include "base/handles.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factory.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"

/* The place of the argument `size`. */
enum { SIZE = 3 };

/* ---- Operators ---------------------------------------------------------- */

static dt_status make(dt_operation *operation, const dti_recipe *recipe)
{
    dt_shape shape;
    DTI_TRY(dti_meta_shape(operation, SIZE, &shape));
    return dti_factory_make(operation, shape, recipe);
}

static dt_status empty(dt_operation *operation)
{
    return make(operation, &(dti_recipe){.fill = NULL});
}

/* The number is the row's own. */
static dt_status constant(dt_operation *operation)
{
    return make(operation, &(dti_recipe){.fill = dti_fill_number,
                                         .arg = operation->op->data});
}

static dt_status full(dt_operation *operation)
{
    const dt_number value = dti_argument_number(operation, "value");
    dt_dtype dtype;
    DTI_TRY(dti_place_dtype(operation, &dtype));
    DTI_TRY(dti_value_check(operation, value, dtype));
    return make(operation,
                &(dti_recipe){.fill = dti_fill_number, .arg = &value});
}

/* ---- Functions ---------------------------------------------------------- */

dt_tensor *dt_empty(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_mesh(mesh), dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_shape(&shape)};
    return dti_factory_call(__func__, OP_EMPTY, arguments);
}

dt_tensor *dt_zeros(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                    dt_shape shape)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_mesh(mesh), dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_shape(&shape)};
    return dti_factory_call(__func__, OP_ZEROS, arguments);
}

dt_tensor *dt_ones(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_mesh(mesh), dti_arg_layout(layout),
                                     dti_arg_integer(dtype),
                                     dti_arg_shape(&shape)};
    return dti_factory_call(__func__, OP_ONES, arguments);
}

dt_tensor *dt_full(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                   dt_shape shape, double value)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh), dti_arg_layout(layout), dti_arg_integer(dtype),
        dti_arg_shape(&shape), dti_arg_number(dt_real(value))};
    return dti_factory_call(__func__, OP_FULL, arguments);
}

dt_tensor *dt_full_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                       dt_shape shape, int64_t value)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_mesh(mesh), dti_arg_layout(layout), dti_arg_integer(dtype),
        dti_arg_shape(&shape), dti_arg_number(dt_integer(value))};
    return dti_factory_call(__func__, OP_FULL, arguments);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_full[] = {
    {
        .schema = "empty(Mesh mesh, Layout? layout, Dtype dtype, Shape size) "
                  "-> Tensor",
        .aten = "empty.memory_format",
        .about = "Create an uninitialised tensor.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = empty,
        .gradient = "none",
    },
    {
        .schema = "zeros(Mesh mesh, Layout? layout, Dtype dtype, Shape size) "
                  "-> Tensor",
        .about = "Create a tensor of zeros.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = constant,
        .data = &dti_zero,
        .gradient = "none",
    },
    {
        .schema = "ones(Mesh mesh, Layout? layout, Dtype dtype, Shape size) "
                  "-> Tensor",
        .about = "Create a tensor of ones.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = constant,
        .data = &dti_one,
        .gradient = "none",
    },
    {
        .schema = "full(Mesh mesh, Layout? layout, Dtype dtype, Shape size, "
                  "Number value) -> Tensor",
        .about = "Create a tensor filled with a number.",
        .flags = DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = full,
        .gradient = "none",
    },
    {0},
};
