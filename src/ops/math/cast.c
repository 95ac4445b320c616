/* ops/math/cast.c - copies, and copies of another dtype. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/math/cast.h"

#include "base/dtype.h"
#include "base/error.h"
#include "op/meta.h"
#include "ops/helpers/place.h"
#include "ops/helpers/tables.h"
#include "ops/math/pointwise.h"

static dt_status cast_meta(dt_operation *operation)
{
    dt_dtype dtype;
    DTI_TRY(dti_place_dtype(operation, &dtype));
    return dti_meta_copy_first(operation, dtype);
}

/*
 * Sums pass from floats to floats and complex numbers.  Integers wrap around:
 * shorter ones keep the bits of the sum, longer ones and floats would not have
 * wrapped.  Bool is or-ed instead, and floats that become integers lose what
 * their sum does not.
 */
static bool is_linear(dt_dtype from, dt_dtype to)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(from);
    const dt_dtype_kind into = dt_dtype_kind_of(to);
    if (kind == DT_KIND_FLOAT || kind == DT_KIND_COMPLEX)
        return into == DT_KIND_FLOAT || into == DT_KIND_COMPLEX;
    return dti_is_integer(from) && dti_is_integer(to) &&
           dt_dtype_size(to) <= dt_dtype_size(from);
}

/*
 * Everything keeps its order but integers that are cut or change their sign,
 * and what becomes bool: -1 is less than 0.  Complex numbers have none.  NaN
 * wins among floats, and is 0 among integers.
 */
static bool is_monotone(dt_dtype from, dt_dtype to)
{
    const dt_dtype_kind kind = dt_dtype_kind_of(from);
    const dt_dtype_kind into = dt_dtype_kind_of(to);
    if (into == DT_KIND_COMPLEX)
        return false;
    if (into == DT_KIND_BOOLEAN)
        return kind == DT_KIND_BOOLEAN || kind == DT_KIND_UNSIGNED;
    if (kind == DT_KIND_FLOAT && dti_is_integer(to))
        return false;
    if (!dti_is_integer(from) || !dti_is_integer(to))
        return true;
    return dti_promote_types(from, to) == to;
}

void dti_cast_factors(dt_dtype from, dt_dtype to, dt_factors *out)
{
    out->no_linear = !is_linear(from, to);
    out->no_monotone = !is_monotone(from, to);
    out->no_permutes = from != to;
}

static dt_status cast_factors(const dt_operation *operation, dt_factors *out)
{
    dti_cast_factors(operation->metas[0]->dtype, operation->results[0].dtype,
                     out);
    return DT_OK;
}

const dt_op dti_ops_cast[] = {
    {
        .schema = "clone(Tensor self) -> Tensor",
        .aten = "clone",
        .about = "Copy.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_OUT,
        .meta = dti_meta_keep_first,
        .kernel = dti_pointwise_copy,
        .samples = "(T[m,n]); (T[m,3,n]); (T[])",
    },
    {
        .schema = "cast(Tensor self, Dtype dtype) -> Tensor",
        .aten = "to.dtype _to_copy",
        .about = "Convert to a dtype, as dt_array_cast does; always a copy.",
        .rule = "...->...",
        .linear = "self",
        .monotone = "self",
        .permutes = "self",
        .meta = cast_meta,
        .factors = cast_factors,
        .kernel = dti_pointwise_copy,
        .samples = "(T[m,n], f32); (T[m], f16); (T[m,n], i32); (T[m,n], u8); "
                   "(T[m,n], bool); (T[m], c64); (T[], f64)",
    },
    {0},
};
