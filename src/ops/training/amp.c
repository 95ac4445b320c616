/* ops/training/amp.c - gradients that were scaled so that they fit into halves.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <math.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/optimizer/optimizer.h"
#include "op/meta.h"
#include "op/schema.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/scalar.h"
#include "ops/helpers/tables.h"
#include "tensor/view.h"

/* ---- One tensor --------------------------------------------------------- */

/* Elements that are brought together at a time, and bytes of the largest. */
enum { BLOCK = 1024, ITEM = 8 };

static dt_status unscale_meta(dt_operation *operation)
{
    const dt_meta *self = operation->metas[0];
    if (dt_dtype_kind_of(self->dtype) != DT_KIND_FLOAT)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED,
                                 "self is %s; expected a floating-point dtype",
                                 dt_dtype_name(self->dtype));
    DTI_TRY(dti_meta_add(operation, self->dtype, self->shape));
    return dti_meta_add(operation, DT_F32, DT_SHAPE());
}

static dt_status unscale_kernel(dt_operation *operation)
{
    _Alignas(ITEM) char room[BLOCK * ITEM];
    const double factor = dti_argument_real(operation, "inv_scale");
    const dt_array *in = operation->in[0];
    const int64_t size = (int64_t)dt_dtype_size(in->dtype);
    const int64_t piece = in->contiguous ? in->count : BLOCK;
    char *to = dt_array_data(operation->out[0]);
    bool found = false;
    dti_array_wait(in, false);
    for (int64_t at = 0; at < in->count; at += piece) {
        const int64_t left = in->count - at;
        const int64_t count = left < piece ? left : piece;
        const void *from = room;
        if (in->contiguous)
            from = dti_array_address(in);
        else
            dti_array_gather(in, at, count, room);
        found |= dti_unscale(in->dtype, from, factor, to + at * size, count);
    }
    *(float *)dt_array_data(operation->out[1]) = found;
    return DT_OK;
}

/* ---- Lists -------------------------------------------------------------- */

static dt_tensor *self_at(const dt_operation *operation, int index)
{
    return dti_argument(operation, "self")->as.tensors[index];
}

/* One call of amp_unscale in place; tells what this rank found. */
static dt_status unscale_one(const dt_operation *operation, int index,
                             bool checks, bool *found)
{
    dt_tensor *inverse = dti_argument(operation, "inv_scale")->as.tensor;
    dt_tensor *results[2];
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self_at(operation, index)},
        {.kind = DT_ARG_REAL, .as.real = dti_scalar_read(inverse)}};
    if (checks)
        return dt_op_check(operation->world, "amp_unscale", DT_VARIANT_IN_PLACE,
                           arguments, 2, NULL);
    DTI_TRY(dt_op_call(operation->world, "amp_unscale", DT_VARIANT_IN_PLACE,
                       arguments, 2, results, 2, NULL));
    *found |= results[1]->spec->mesh->place >= 0 &&
              results[1]->local->storage && dti_scalar_read(results[1]) != 0;
    dt_tensor_release_early(results[1]);
    return DT_OK;
}

static dt_status check_unscale(const dt_operation *operation)
{
    dt_tensor *found = dti_argument(operation, "found_inf")->as.tensor;
    dt_tensor *inverse = dti_argument(operation, "inv_scale")->as.tensor;
    const dt_mesh *mesh = found->spec->mesh;
    DTI_TRY(dti_scalar_check(operation, found, "found_inf", mesh));
    DTI_TRY(dti_write_check(found, operation->schema->name, "found_inf"));
    DTI_TRY(dti_write_check_memory(found));
    for (int i = 0; i < dti_argument(operation, "self")->count; i++) {
        const dt_mesh *own = self_at(operation, i)->spec->mesh;
        DTI_TRY(dti_scalar_check(operation, inverse, "inv_scale", own));
        if (!dti_mesh_holds(mesh, own))
            return dt_operation_fail(
                operation, DT_ERR_INVALID,
                "self[%d] is on ranks outside the mesh of found_inf", i);
        DTI_TRY(unscale_one(operation, i, true, NULL));
    }
    return DT_OK;
}

/* Tell whether some rank has found something: one small all-reduce. */
static dt_status combine(dt_mesh *mesh, bool meta, bool *found)
{
    const dti_scalar mine = {DT_F32, *found, meta};
    if (mesh->places->count == 1)
        return DT_OK;
    dt_tensor *all = dti_scalar_combine(mesh, &mine, UINT_MAX, DT_MAX);
    if (!all)
        return dti_failure_of(mesh->world);
    *found = mesh->place >= 0 && !meta && dti_scalar_read(all) != 0;
    dt_tensor_release_early(all);
    return DT_OK;
}

/* Set found_inf if something was found; every rank counts the write. */
static dt_status note(dt_tensor *target, bool found)
{
    DTI_TRY(dti_write_begin(target, false));
    dti_version_raise(target, "amp_foreach_non_finite_check_and_unscale");
    if (found)
        DTI_TRY(dt_array_fill(target->world, target->local, 1));
    return dti_write_end(target);
}

static dt_status unscale_each(dt_operation *operation)
{
    dt_tensor *target = dti_argument(operation, "found_inf")->as.tensor;
    bool found = false;
    DTI_TRY(check_unscale(operation));
    for (int i = 0; i < dti_argument(operation, "self")->count; i++)
        DTI_TRY(unscale_one(operation, i, false, &found));
    DTI_TRY(combine(target->spec->mesh, !target->local->storage, &found));
    return dti_collective_end_on(target->spec->mesh, note(target, found));
}

/* ---- The scale ---------------------------------------------------------- */

/* Inputs behind self. */
enum { UPDATE_TRACKER = 1, UPDATE_FOUND };

static dt_status update_meta(dt_operation *operation)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_I32, DT_F32};
    for (int i = 0; i < (int)DTI_COUNT_OF(dtypes); i++) {
        const dt_meta *one = operation->metas[i];
        const dti_schema *schema = operation->schema;
        if (one->dtype == dtypes[i] && dt_shape_count(one->shape) == 1)
            continue;
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%s is a %s tensor of shape %s; expected one %s",
            schema->parameters[schema->tensors[i]].name,
            dt_dtype_name(one->dtype), dti_shape_show(one->shape).text,
            dt_dtype_name(dtypes[i]));
    }
    for (int i = 0; i <= UPDATE_TRACKER; i++)
        DTI_TRY(dti_meta_add(operation, operation->metas[i]->dtype,
                             operation->metas[i]->shape));
    return DT_OK;
}

static dt_status update_kernel(dt_operation *operation)
{
    const double scale = dti_scalar_of(operation->in[0]);
    const double tracker = dti_scalar_of(operation->in[UPDATE_TRACKER]);
    const bool found = dti_scalar_of(operation->in[UPDATE_FOUND]) != 0;
    const bool grows =
        !found &&
        (int64_t)tracker + 1 == dti_argument_int(operation, "growth_interval");
    const double factor =
        found ? dti_argument_real(operation, "scale_backoff_factor")
              : dti_argument_real(operation, "scale_growth_factor");
    float result = (float)(scale * factor);
    /* A scale that would be infinite stays as it is. */
    if ((!found && !grows) || (grows && isinf(result)))
        result = (float)scale;
    *(float *)dt_array_data(operation->out[0]) = result;
    *(int32_t *)dt_array_data(operation->out[1]) =
        found || grows ? 0 : (int32_t)tracker + 1;
    return DT_OK;
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_amp[] = {
    {
        .schema = "amp_unscale(Tensor self, float inv_scale) -> "
                  "(Tensor self_out, Tensor found_inf)",
        .aten = "",
        .about = "Multiply by a factor, and return 1 if an element is infinite "
                 "or NaN, otherwise 0.",
        .rule = "...->...,; ... max",
        .flags = DT_OP_IN_PLACE,
        .meta = unscale_meta,
        .kernel = unscale_kernel,
        .gradient = "none",
        .samples = "(T[m,n], 0.5); (T[m,3,n], 4); (T[], 2)",
        .dtypes = "float",
    },
    {
        .schema = "amp_foreach_non_finite_check_and_unscale(Tensor[] self, "
                  "Tensor found_inf, Tensor inv_scale) -> ()",
        .aten = "_amp_foreach_non_finite_check_and_unscale_",
        .about = "Multiply gradients by a factor, and set `found_inf` to 1 if "
                 "an element is infinite or NaN.  Gradients may be on "
                 "different meshes within the mesh of `found_inf`; only one "
                 "small all-reduce is sent.",
        .flags = DT_OP_IN_PLACE,
        .compose = unscale_each,
        .gradient = "none",
    },
    {
        .schema = "amp_update_scale(Tensor self, Tensor growth_tracker, "
                  "Tensor found_inf, float scale_growth_factor, "
                  "float scale_backoff_factor, int~ growth_interval) -> "
                  "(Tensor self_out, Tensor growth_tracker_out)",
        .aten = "_amp_update_scale_ _amp_update_scale",
        .about = "Decrease a scale if infinite gradients were found, and "
                 "increase it after `growth_interval` steps without them.",
        .rule = "...,...,...->...,...; ... whole",
        .flags = DT_OP_IN_PLACE,
        .meta = update_meta,
        .kernel = update_kernel,
        .gradient = "none",
        .samples = "(f32[], i32[], f32[], 2, 0.5, 3); "
                   "(f32[1], i32[1], f32[1], 2, 0.5, 1)",
        .dtypes = "f32",
    },
    {0},
};
