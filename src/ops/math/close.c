/* ops/math/close.c - comparing elements that need not be quite equal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array/array.h"
#include "array/cast.h"
#include "base/error.h"
#include "base/world.h"
#include "kernel/pointwise/close.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/math/read.h"

/* Elements that are compared at a time. */
enum { BLOCK = 512 };

/* ---- Checks and rules --------------------------------------------------- */

static dt_status check_dtypes(const dt_operation *operation)
{
    dt_dtype a = operation->metas[0]->dtype, b = operation->metas[1]->dtype;
    if (a == b)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "self is %s but other is %s; the dtypes must be equal",
        dt_dtype_name(a), dt_dtype_name(b));
}

static dt_status isclose_meta(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(check_dtypes(operation));
    DTI_TRY(dti_meta_broadcast(operation, 0, 1, &shape));
    return dti_meta_add_pointwise(operation, DT_BOOL, shape,
                                  operation->metas[0]->dtype, 0);
}

static dt_status allclose_meta(dt_operation *operation)
{
    dt_shape shape;
    DTI_TRY(check_dtypes(operation));
    DTI_TRY(dti_meta_broadcast(operation, 0, 1, &shape));
    return dti_meta_add(operation, DT_BOOL, DT_SHAPE());
}

static dt_status check_tolerances(const dt_operation *operation)
{
    double rtol = dti_argument_real(operation, "rtol");
    double atol = dti_argument_real(operation, "atol");
    if (rtol >= 0 && atol >= 0)
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "rtol is %g and atol is %g; they must not be negative", rtol, atol);
}

/* ---- Blocks ------------------------------------------------------------- */

/* Two arrays of one shape. */
typedef struct pair {
    dti_close how;
    dt_array *a, *b;
} pair;

static dt_status open_pair(const dt_operation *operation, pair *out)
{
    dt_shape shape;
    const dt_array *a = operation->in[0], *b = operation->in[1];
    *out =
        (pair){.how = {.rtol = dti_argument_real(operation, "rtol"),
                       .atol = dti_argument_real(operation, "atol"),
                       .equal_nan = dti_argument_bool(operation, "equal_nan")}};
    shape = a->shape.ndim > b->shape.ndim ? a->shape : b->shape;
    for (int i = 1; i <= a->shape.ndim && i <= b->shape.ndim; i++) {
        int64_t x = a->shape.dims[a->shape.ndim - i];
        int64_t y = b->shape.dims[b->shape.ndim - i];
        shape.dims[shape.ndim - i] = x == 1 ? y : x;
    }
    DTI_TRY(dti_scratch_expand(operation, operation->in[0], shape, &out->a));
    return dti_scratch_expand(operation, operation->in[1], shape, &out->b);
}

/* Some elements in row-major order, as the widest numbers of their kind. */
static const void *read_block(const dt_array *array, dt_dtype wide,
                              int64_t first, int64_t count, char *room)
{
    _Alignas(8) char narrow[BLOCK * 8];
    const void *from = narrow;
    if (array->contiguous) {
        from = (const char *)dti_array_address(array) +
               (size_t)first * dt_dtype_size(array->dtype);
        if (array->dtype == wide)
            return from;
    } else {
        dti_array_gather(array, first, count, narrow);
    }
    dti_cast(from, array->dtype, room, wide, count);
    return room;
}

static void compare_block(const pair *of, int64_t first, int64_t count,
                          unsigned char *out)
{
    _Alignas(8) char rooms[2][BLOCK * 8];
    dt_dtype_kind kind = dt_dtype_kind_of(of->a->dtype);
    dt_dtype wide = kind == DT_KIND_FLOAT     ? DT_F64
                    : kind == DT_KIND_COMPLEX ? DT_C64
                                              : DT_I64;
    const void *a = read_block(of->a, wide, first, count, rooms[0]);
    const void *b = read_block(of->b, wide, first, count, rooms[1]);
    if (wide == DT_F64)
        dti_close_f64(&of->how, a, b, count, out);
    else if (wide == DT_C64)
        dti_close_c64(&of->how, a, b, count, out);
    else
        dti_close_i64(&of->how, a, b, count, out);
}

static void compare_all(const pair *of, int64_t total, unsigned char *out)
{
    dti_array_wait(of->a, false);
    dti_array_wait(of->b, false);
    for (int64_t first = 0; first < total; first += BLOCK) {
        int64_t left = total - first;
        compare_block(of, first, left < BLOCK ? left : BLOCK, out + first);
    }
}

static dt_status isclose_kernel(dt_operation *operation)
{
    pair of;
    dt_array *out = operation->out[0];
    DTI_TRY(open_pair(operation, &of));
    /* The order in which the elements of the result are stored. */
    DTI_TRY(dti_scratch_in_order(operation, of.a, out, &of.a));
    DTI_TRY(dti_scratch_in_order(operation, of.b, out, &of.b));
    compare_all(&of, out->count, dt_array_data(out));
    return DT_OK;
}

static dt_status allclose_kernel(dt_operation *operation)
{
    pair of;
    unsigned char close[BLOCK], *out = dt_array_data(operation->out[0]);
    *out = 1;
    DTI_TRY(open_pair(operation, &of));
    dti_array_wait(of.a, false);
    dti_array_wait(of.b, false);
    for (int64_t first = 0; first < of.a->count && *out; first += BLOCK) {
        int64_t left = of.a->count - first;
        int64_t count = left < BLOCK ? left : BLOCK;
        compare_block(&of, first, count, close);
        *out = memchr(close, 0, (size_t)count) == NULL;
    }
    return DT_OK;
}

/* ---- As an answer ------------------------------------------------------- */

dt_status dt_tensor_allclose(dt_tensor *a, dt_tensor *b, double rtol,
                             double atol, bool *out)
{
    dt_tensor *given = NULL;
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = a},
        {.kind = DT_ARG_TENSOR, .as.tensor = b},
        {.kind = DT_ARG_REAL, .as.real = rtol},
        {.kind = DT_ARG_REAL, .as.real = atol},
    };
    if (!a || !b)
        return dti_read_null("dt_tensor_allclose", a, b);
    DTI_TRY(dti_world_check_reading(dt_tensor_world(a), "dt_tensor_allclose"));
    DTI_TRY(dt_op_call(dt_tensor_world(a), "allclose", DT_VARIANT_NEW,
                       arguments, 4, &given, 1, NULL));
    dt_status status = dti_read_answer(given, out);
    dt_tensor_release_early(given);
    return status;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_close[] = {
    {
        .schema = "isclose(Tensor self, Tensor other, *, float rtol=1e-05, "
                  "float atol=1e-08, bool~ equal_nan=false) -> Tensor",
        .about = "Test whether |self - other| <= atol + |rtol * other|, in "
                 "double precision.",
        .rule = "...,...->...",
        .meta = isclose_meta,
        .check = check_tolerances,
        .kernel = isclose_kernel,
        .gradient = "none",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n], rtol=0.5, atol=2); "
                   "(T[], T[m], atol=3, equal_nan=true)",
    },
    {
        .schema = "allclose(Tensor self, Tensor other, *, float rtol=1e-05, "
                  "float atol=1e-08, bool~ equal_nan=false) -> Tensor",
        .about = "Test whether all elements are close, like isclose.",
        .rule = "...,...->; ... band",
        .meta = allclose_meta,
        .check = check_tolerances,
        .kernel = allclose_kernel,
        .gradient = "none",
        .samples = "(T[m,n], T[m,n]); (T[m,n], T[n], rtol=0.5, atol=2); "
                   "(T[], T[], atol=1000)",
    },
    {0},
};
