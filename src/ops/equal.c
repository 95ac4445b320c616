/* ops/equal.c - comparing whole tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>
#include <dtensor/redistribute.h>

#include "base/error.h"
#include "op/dispatch.h"
#include "op/meta.h"
#include "ops/factors.h"
#include "ops/tables.h"
#include "tensor/tensor.h"

/* ---- equal -------------------------------------------------------------- */

static dt_status equal_meta(dt_operation *operation)
{
    dt_dtype a = operation->metas[0]->dtype, b = operation->metas[1]->dtype;
    if (dti_promote_types(a, b) == DT_DTYPE_COUNT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "no dtype holds both %s and %s",
                                 dt_dtype_name(a), dt_dtype_name(b));
    return dti_meta_add(operation, DT_BOOL, DT_SHAPE());
}

/* Tensors are equal if all their parts are. */
static dt_status equal_factors(const dt_operation *operation, dt_factors *out)
{
    dt_shape shape = operation->metas[0]->shape;
    *out = (dt_factors){.in_count = 2, .out_count = 1};
    if (!dt_shape_equal(shape, operation->metas[1]->shape))
        return DT_OK;
    for (int i = 0; i < shape.ndim; i++) {
        int factor = dti_factor_add(out, DT_FACTOR_REDUCED, shape.dims[i]);
        out->factors[factor].reduce = DT_BAND;
        dti_factor_put(&out->in[0].dims[i], factor);
        dti_factor_put(&out->in[1].dims[i], factor);
    }
    return DT_OK;
}

static dt_status compare(dt_operation *operation, dt_dtype dtype, bool *equal)
{
    dt_array *a = NULL, *b = NULL;
    dt_world *world = operation->world;
    dt_status status = dt_array_cast(world, operation->in[0], dtype, &a);
    if (status == DT_OK)
        status = dt_array_cast(world, operation->in[1], dtype, &b);
    if (status == DT_OK)
        *equal = dt_array_equal(a, b);
    dt_array_release(a);
    dt_array_release(b);
    return status;
}

static dt_status equal_kernel(dt_operation *operation)
{
    const dt_array *a = operation->in[0], *b = operation->in[1];
    bool equal = false;
    if (a->dtype == b->dtype)
        equal = dt_array_equal(a, b);
    else
        DTI_TRY(
            compare(operation, dti_promote_types(a->dtype, b->dtype), &equal));
    *(unsigned char *)dt_array_data(operation->out[0]) = equal;
    return DT_OK;
}

/* ---- As an answer ------------------------------------------------------- */

/* Combine a 0-d result, and read it. */
static dt_status read_answer(dt_tensor *given, bool *out)
{
    dt_mesh *mesh = given->spec->mesh;
    dt_layout layout = {.ndim = mesh->dims.ndim};
    for (int i = 0; i < layout.ndim; i++)
        layout.placements[i] = dt_replicate();
    const char *text = dt_layout_text(given->world, &layout);
    dt_tensor *whole = text ? dt_redistribute(given, text) : NULL;
    if (!whole)
        return dt_world_error(given->world)->code;
    const unsigned char *answer = dt_array_const_data(whole->local);
    *out = answer ? *answer : true;
    if (whole != given)
        dt_release_early(whole);
    return DT_OK;
}

dt_status dt_tensor_equal(dt_tensor *a, dt_tensor *b, bool *out)
{
    if (!a || !b)
        return a || b ? dti_fail_null((a ? a : b)->world, "dt_tensor_equal",
                                      a ? "b" : "a")
                      : DT_ERR_INVALID;
    dt_tensor *given = dt_equal(a, b);
    if (!given)
        return dt_world_error(a->world)->code;
    dt_status status = read_answer(given, out);
    dt_release_early(given);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_equal[] = {
    {
        .schema = "equal(Tensor self, Tensor other) -> Tensor",
        .aten = "equal",
        .about = "Tell whether two tensors have the same shape and values; -0 "
                 "equals 0, NaN nothing.",
        .meta = equal_meta,
        .factors = equal_factors,
        .kernel = equal_kernel,
        .samples = "(T[m,n], T[m,n]); (T[m], T[m]); (T[], T[])",
    },
    {0},
};
