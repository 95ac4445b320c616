/* ops/create/like.c - tensors made like others. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/create.h>

#include "base/handles.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/factory.h"
#include "ops/helpers/tables.h"
#include "ops/numbers.h"

/* ---- Like --------------------------------------------------------------- */

static dt_status fill_like(dt_operation *operation, const dt_number *value)
{
    const dti_recipe recipe = {.fill = dti_fill_number, .arg = value};
    dt_dtype dtype;
    DTI_TRY(dti_factory_dtype_like(operation, &dtype));
    DTI_TRY(dti_value_check(operation, *value, dtype));
    return dti_factory_make_like(operation, dtype, false, &recipe);
}

static dt_status empty_like(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_factory_dtype_like(operation, &dtype));
    return dti_factory_make_like(operation, dtype, true,
                                 &(dti_recipe){.fill = NULL});
}

/* The number is the row's own. */
static dt_status constant_like(dt_operation *operation)
{
    return fill_like(operation, operation->op->data);
}

static dt_status full_like(dt_operation *operation)
{
    return fill_like(operation, &dti_argument(operation, "value")->as.number);
}

/* ---- Of any shape ------------------------------------------------------- */

static dt_status new_empty(dt_operation *operation)
{
    dt_dtype dtype;
    dt_shape shape;
    DTI_TRY(dti_factory_dtype_like(operation, &dtype));
    DTI_TRY(dti_meta_shape(operation, 1, &shape));
    return dti_factory_make_new(operation, dtype, shape, true,
                                &(dti_recipe){.fill = NULL});
}

static dt_status fill_new(dt_operation *operation, const dt_number *value)
{
    const dti_recipe recipe = {.fill = dti_fill_number, .arg = value};
    dt_dtype dtype;
    dt_shape shape;
    DTI_TRY(dti_factory_dtype_like(operation, &dtype));
    DTI_TRY(dti_meta_shape(operation, 1, &shape));
    DTI_TRY(dti_value_check(operation, *value, dtype));
    return dti_factory_make_new(operation, dtype, shape, false, &recipe);
}

static dt_status new_constant(dt_operation *operation)
{
    return fill_new(operation, operation->op->data);
}

static dt_status new_full(dt_operation *operation)
{
    return fill_new(operation, &dti_argument(operation, "value")->as.number);
}

/* ---- Functions ---------------------------------------------------------- */

dt_tensor *dt_empty_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor), dti_arg_none()};
    return dti_factory_call(__func__, OP_EMPTY_LIKE, arguments);
}

dt_tensor *dt_zeros_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor), dti_arg_none()};
    return dti_factory_call(__func__, OP_ZEROS_LIKE, arguments);
}

dt_tensor *dt_ones_like(dt_tensor *tensor)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor), dti_arg_none()};
    return dti_factory_call(__func__, OP_ONES_LIKE, arguments);
}

dt_tensor *dt_full_like(dt_tensor *tensor, double value)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {
        dti_arg_tensor(tensor), dti_arg_number(dt_real(value)), dti_arg_none()};
    return dti_factory_call(__func__, OP_FULL_LIKE, arguments);
}

dt_tensor *dt_full_int_like(dt_tensor *tensor, int64_t value)
{
    DTI_ENTRY();
    const dt_argument arguments[] = {dti_arg_tensor(tensor),
                                     dti_arg_number(dt_integer(value)),
                                     dti_arg_none()};
    return dti_factory_call(__func__, OP_FULL_LIKE, arguments);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_like[] = {
    {
        .schema = "empty_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .about = "Create an uninitialised tensor like another; partial if the "
                 "other is.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = empty_like,
        .gradient = "none",
    },
    {
        .schema = "zeros_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .about = "Create a tensor of zeros like another; replicated where the "
                 "other is partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = constant_like,
        .data = &dti_zero,
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
    },
    {
        .schema = "ones_like(Tensor self, *, Dtype? dtype=None) -> Tensor",
        .about = "Create a tensor of ones like another; replicated where the "
                 "other is partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = constant_like,
        .data = &dti_one,
        .gradient = "none",
        .samples = "(T[m,n]); (T[m,3], dtype=f16); (T[])",
    },
    {
        .schema = "full_like(Tensor self, Number value, *, Dtype? dtype=None) "
                  "-> Tensor",
        .about = "Create a tensor like another, filled with a number; "
                 "replicated where the other is partial.",
        .flags = DT_OP_NO_READ | DT_OP_BY_HAND | DT_OP_BOUNDARY,
        .compose = full_like,
        .gradient = "none",
        .samples = "(T[m,n], 3); (T[m,3], 2.5, dtype=f16); (T[], true)",
    },
    {
        .schema = "new_empty(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .about = "Create an uninitialised tensor of any shape on the mesh of "
                 "another; with the layout of the other if the shapes are "
                 "equal, otherwise replicated.",
        .flags = DT_OP_NO_READ | DT_OP_BOUNDARY,
        .compose = new_empty,
        .gradient = "none",
        .samples = "(T[m,n], [0,n]); (T[m,0], [m,0], dtype=f16)",
    },
    {
        .schema = "new_zeros(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .about = "Create a tensor of zeros of any shape on the mesh of "
                 "another; with the layout of the other if the shapes are "
                 "equal, but never partial.",
        .flags = DT_OP_NO_READ | DT_OP_BOUNDARY,
        .compose = new_constant,
        .data = &dti_zero,
        .gradient = "none",
        .samples = "(T[m,n], [m,n]); (T[m], [3,n], dtype=f16); (T[m], [])",
    },
    {
        .schema = "new_ones(Tensor self, Shape size, *, Dtype? dtype=None) -> "
                  "Tensor",
        .about = "Create a tensor of ones of any shape on the mesh of another; "
                 "with the layout of the other if the shapes are equal, but "
                 "never partial.",
        .flags = DT_OP_NO_READ | DT_OP_BOUNDARY,
        .compose = new_constant,
        .data = &dti_one,
        .gradient = "none",
        .samples = "(T[m,n], [m,n]); (T[m], [3,n], dtype=f16); (T[m], [])",
    },
    {
        .schema = "new_full(Tensor self, Shape size, Number value, *, "
                  "Dtype? dtype=None) -> Tensor",
        .about = "Create a tensor of any shape filled with a number, on the "
                 "mesh of another; with the layout of the other if the shapes "
                 "are equal, but never partial.",
        .flags = DT_OP_NO_READ | DT_OP_BOUNDARY,
        .compose = new_full,
        .gradient = "none",
        .samples = "(T[m,n], [m,n], 3); (T[m], [3,n], 2.5, dtype=f16); "
                   "(T[m], [], true)",
    },
    {0},
};
