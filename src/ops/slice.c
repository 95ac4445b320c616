/* ops/slice.c - seeing some of the indexes of a dimension. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"
#include "base/error.h"
#include "ops/factors.h"
#include "ops/tables.h"

/* Every `step`th index of a dimension from `first` on, `count` of them. */
typedef struct cutout {
    int dim;
    int64_t first, step, count;
} cutout;

/* A bound counted from the front and cut to the extent. */
static int64_t cut_bound(int64_t bound, int64_t extent)
{
    if (bound < 0)
        bound = bound < -extent ? 0 : bound + extent;
    return bound > extent ? extent : bound;
}

static dt_status read_dim(const dt_operation *operation, int *dim,
                          int64_t *extent)
{
    const dt_shape *shape = &operation->metas[0]->shape;
    if (shape->ndim == 0)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "a 0-d tensor has no dimension to take from");
    DTI_TRY(dt_operation_dim(operation, operation->arguments[1].as.integer,
                             shape->ndim, dim));
    *extent = shape->dims[*dim];
    return DT_OK;
}

static dt_status read_slice(const dt_operation *operation, cutout *out)
{
    int64_t extent = 0;
    const dt_argument *given = operation->arguments;
    out->step = given[4].as.integer;
    if (out->step < 1)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "step %lld; it must be positive",
                                 (long long)out->step);
    DTI_TRY(read_dim(operation, &out->dim, &extent));
    out->first = cut_bound(given[2].as.integer, extent);
    int64_t end = cut_bound(given[3].as.integer, extent);
    out->count = end > out->first ? (end - out->first - 1) / out->step + 1 : 0;
    return DT_OK;
}

static dt_status read_narrow(const dt_operation *operation, cutout *out)
{
    int64_t extent = 0;
    const dt_argument *given = operation->arguments;
    int64_t start = given[2].as.integer, length = given[3].as.integer;
    DTI_TRY(read_dim(operation, &out->dim, &extent));
    out->first = start < 0 ? start + extent : start;
    if (out->first < 0 || out->first > extent || length < 0 ||
        length > extent - out->first)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "%lld indexes from %lld on of dim %d, whose extent is %lld",
            (long long)length, (long long)start, out->dim, (long long)extent);
    out->step = 1;
    out->count = length;
    return DT_OK;
}

static dt_status read_select(const dt_operation *operation, cutout *out)
{
    int64_t extent = 0, index = operation->arguments[2].as.integer;
    DTI_TRY(read_dim(operation, &out->dim, &extent));
    if (index < -extent || index >= extent)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "index %lld of dim %d, whose extent is %lld",
                                 (long long)index, out->dim, (long long)extent);
    *out = (cutout){.dim = out->dim,
                    .first = index < 0 ? index + extent : index,
                    .step = 1,
                    .count = 1};
    return DT_OK;
}

static dt_status add_cutout(dt_operation *operation, const cutout *cut)
{
    dt_meta meta = *operation->metas[0];
    meta.shape.dims[cut->dim] = cut->count;
    if (cut->count > 1)
        meta.strides[cut->dim] *= cut->step;
    return dt_operation_add_result(operation, &meta);
}

/* All indexes of a dimension may be cut, and this rank has some of them; if
 * there are fewer, it has them all. */
static dt_status take_cutout(dt_operation *operation, const cutout *cut)
{
    dt_array *in = operation->in[0];
    bool all = cut->count == operation->metas[0]->shape.dims[cut->dim];
    int64_t step = all ? 1 : cut->step;
    int64_t first = all ? 0 : cut->first;
    int64_t end =
        all ? in->shape.dims[cut->dim] : first + (cut->count - 1) * step + 1;
    return dt_array_slice(operation->world, in, cut->dim, first,
                          cut->count ? end : first, step, &operation->out[0]);
}

static dt_status slice_meta(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_slice(operation, &cut));
    return add_cutout(operation, &cut);
}

static dt_status slice_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_slice(operation, &cut));
    return take_cutout(operation, &cut);
}

static dt_status narrow_meta(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_narrow(operation, &cut));
    return add_cutout(operation, &cut);
}

static dt_status narrow_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_narrow(operation, &cut));
    return take_cutout(operation, &cut);
}

static dt_status select_meta(dt_operation *operation)
{
    cutout cut;
    const dt_meta *in = operation->metas[0];
    dt_meta meta = {.dtype = in->dtype};
    DTI_TRY(read_select(operation, &cut));
    for (int i = 0; i < in->shape.ndim; i++) {
        if (i == cut.dim)
            continue;
        meta.strides[meta.shape.ndim] = in->strides[i];
        meta.shape.dims[meta.shape.ndim++] = in->shape.dims[i];
    }
    return dt_operation_add_result(operation, &meta);
}

static dt_status select_factors(const dt_operation *operation, dt_factors *out)
{
    cutout cut;
    int from[DT_MAX_NDIM];
    DTI_TRY(read_select(operation, &cut));
    for (int i = 0; i < operation->results[0].shape.ndim; i++)
        from[i] = i + (i >= cut.dim);
    return dti_factors_moves(operation, from, out);
}

static dt_status select_kernel(dt_operation *operation)
{
    cutout cut;
    DTI_TRY(read_select(operation, &cut));
    return dt_array_select(operation->world, operation->in[0], cut.dim,
                           cut.first, &operation->out[0]);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_slice[] = {
    {
        .schema = "slice(Tensor self, Dim dim, int start, int stop, int step) "
                  "-> Tensor",
        .aten = "slice.Tensor",
        .about = "See every `step`th index of a dimension, from `start` to "
                 "before `stop`; negative ones count from the end.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = slice_meta,
        .factors = dti_factors_aligned,
        .kernel = slice_kernel,
        .samples = "(T[m,n], 0, 0, 100, 1); (T[m,n], 1, 1, -1, 1); "
                   "(T[m,9], -1, 0, 9, 2); (T[m,n], 0, 2, 2, 1)",
    },
    {
        .schema = "narrow(Tensor self, Dim dim, int start, int length) -> "
                  "Tensor",
        .aten = "narrow",
        .about = "See `length` indexes of a dimension, from `start` on.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = narrow_meta,
        .factors = dti_factors_aligned,
        .kernel = narrow_kernel,
        .samples = "(T[m,9], 1, 2, 3); (T[9,n], 0, -4, 4); (T[9,n], 0, 0, 9)",
    },
    {
        .schema = "select(Tensor self, Dim dim, int index) -> Tensor",
        .aten = "select.int",
        .about = "See one index of a dimension, which disappears.",
        .moves = "self",
        .flags = DT_OP_VIEW,
        .meta = select_meta,
        .factors = select_factors,
        .kernel = select_kernel,
        .samples = "(T[5,n], 0, 3); (T[m,5], -1, -1); (T[m,5,n], 1, 0)",
    },
    {0},
};
