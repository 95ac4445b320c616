/* ops/create/fill.c - elements set to what is given. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "layout/spec.h"
#include "op/meta.h"
#include "ops/create/value.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "redistribute/partial.h"

/* ---- Numbers ------------------------------------------------------------ */

/* What a real number is after a dtype had it; integers lose what is behind the
 * point. */
static double round_trip(double value, dt_dtype dtype)
{
    _Alignas(8) char element[8];
    double back;
    dti_cast(&value, DT_F64, element, dtype, 1);
    dti_cast(element, dtype, &back, DT_F64, 1);
    return back;
}

static bool holds_real(double value, dt_dtype dtype)
{
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (kind == DT_KIND_BOOLEAN)
        return true;
    if (kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX)
        return !isfinite(value) || isfinite(round_trip(value, dtype));
    return round_trip(value, dtype) == trunc(value) &&
           (kind != DT_KIND_UNSIGNED || value >= 0);
}

/* Unsigned integers take negative ones, too, as they wrap around. */
static bool holds_integer(int64_t value, dt_dtype dtype)
{
    int64_t back;
    _Alignas(8) char element[8];
    dt_dtype_kind kind = dt_dtype_kind_of(dtype);
    if (kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX)
        return holds_real((double)value, dtype);
    if (kind == DT_KIND_UNSIGNED && value < 0)
        return value >= -255;
    dti_cast(&value, DT_I64, element, dtype, 1);
    dti_cast(element, dtype, &back, DT_I64, 1);
    return kind == DT_KIND_BOOLEAN || back == value;
}

static dt_status check_complex(const dt_operation *operation, dt_number value,
                               dt_dtype dtype)
{
    if (dtype == DT_C64 && holds_real(value.as.real, dtype) &&
        holds_real(value.imaginary, dtype))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID, "dtype %s cannot represent %.17g%+.17gi",
        dt_dtype_name(dtype), value.as.real, value.imaginary);
}

dt_status dti_value_check(const dt_operation *operation, dt_number value,
                          dt_dtype dtype)
{
    bool real = value.kind == DT_KIND_FLOAT;
    if (value.kind == DT_KIND_COMPLEX)
        return check_complex(operation, value, dtype);
    if (real ? holds_real(value.as.real, dtype)
             : holds_integer(value.as.integer, dtype))
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "dtype %s cannot represent %.17g",
                             dt_dtype_name(dtype), dt_number_real(value));
}

dt_status dti_value_fill(const dt_operation *operation, dt_number value,
                         dt_array *array)
{
    double neutral = 0;
    const dt_spec *spec = operation->out_specs[0];
    dt_world *world = operation->world;
    if (spec->partial &&
        !dti_partial_holds(&spec->layout, spec->mesh->coordinate, &neutral))
        return dti_partial_fill(world, neutral, array);
    return dti_array_fill_number(world, array, value);
}

static int64_t largest_integer(dt_dtype dtype)
{
    int bits = 8 * (int)dt_dtype_size(dtype);
    if (dtype == DT_BOOL)
        return 1;
    if (dt_dtype_kind_of(dtype) == DT_KIND_UNSIGNED)
        return (INT64_C(1) << bits) - 1;
    return INT64_MAX >> (64 - bits);
}

dt_status dti_value_extreme(dt_world *world, dt_reduce reduce, dt_array *array)
{
    bool least = reduce == DT_MAX;
    dt_dtype_kind kind = dt_dtype_kind_of(array->dtype);
    if (kind == DT_KIND_FLOAT)
        return dt_array_fill(world, array, least ? -INFINITY : INFINITY);
    int64_t most = largest_integer(array->dtype);
    int64_t value = !least ? most : kind == DT_KIND_SIGNED ? -most - 1 : 0;
    return dt_array_fill_int(world, array, value);
}

/* ---- fill --------------------------------------------------------------- */

dt_status dti_value_check_argument(const dt_operation *operation)
{
    return dti_value_check(operation, dti_argument_number(operation, "value"),
                           operation->results[0].dtype);
}

static dt_status fill_scalar_kernel(dt_operation *operation)
{
    return dti_value_fill(operation, dti_argument_number(operation, "value"),
                          operation->out[0]);
}

/* Zero is zero in parts of every kind. */
static dt_status zero_kernel(dt_operation *operation)
{
    return dt_array_fill_int(operation->world, operation->out[0], 0);
}

static dt_status fill_meta(dt_operation *operation)
{
    if (operation->metas[1]->shape.ndim != 0)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "value has shape %s; expected a 0-d tensor",
            dti_shape_show(operation->metas[1]->shape).text);
    return dti_meta_keep_first(operation);
}

/* ---- copy --------------------------------------------------------------- */

static dt_status copy_meta(dt_operation *operation)
{
    dt_shape both, self = operation->metas[0]->shape;
    DTI_TRY(dti_meta_broadcast(operation, 0, 1, &both));
    if (!dt_shape_equal(both, self))
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "src has shape %s, but self has shape %s",
            dti_shape_show(operation->metas[1]->shape).text,
            dti_shape_show(self).text);
    return dti_meta_keep_first(operation);
}

static dt_status copy_kernel(dt_operation *operation)
{
    return dt_array_copy(operation->world, operation->in[1], operation->out[0]);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_fill[] = {
    {
        .schema = "fill_scalar(Tensor self, Number value) -> Tensor",
        .aten = "fill.Scalar",
        .about = "Set every element to a number; the local values of a partial "
                 "tensor reduce to it.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_NO_READ,
        .meta = dti_meta_keep_first,
        .check = dti_value_check_argument,
        .kernel = fill_scalar_kernel,
        .gradient = "self: none",
        .samples = "(T[m,n], 3); (T[m,3,n], 2.5); (T[], true)",
    },
    {
        .schema = "fill(Tensor self, Tensor value) -> Tensor",
        .aten = "fill.Tensor",
        .about = "Set every element to the value of a 0-d tensor.",
        .rule = "...,->...",
        .linear = "self + value",
        .monotone = "self value",
        .permutes = "self value",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_NO_READ,
        .meta = fill_meta,
        .kernel = copy_kernel,
        .gradient = "self: none; value: grad",
        .samples = "(T[m,n], T[]); (T[m,3,n], f32[]); (T[], i64[])",
    },
    {
        .schema = "zero(Tensor self) -> Tensor",
        .about = "Set every element to 0.",
        .gradient = "self: none",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_NO_READ,
        .meta = dti_meta_keep_first,
        .kernel = zero_kernel,
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "copy(Tensor self, Tensor src) -> Tensor",
        .about = "Copy a second tensor, broadcast and converted to the dtype "
                 "of self.",
        .rule = "...,...->...",
        .linear = "self + src",
        .monotone = "self src",
        .permutes = "self src",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT | DT_OP_NO_READ,
        .meta = copy_meta,
        .kernel = copy_kernel,
        .gradient = "self: none; src: grad",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n]); (T[m,3,n], f32[3,1]); "
                   "(i32[m,n], T[m,n]); (T[], T[])",
    },
    {0},
};
