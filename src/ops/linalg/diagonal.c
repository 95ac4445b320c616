/* ops/linalg/diagonal.c - diagonals of two dimensions: seen, and put into
 * tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/ops.h>

#include "array/array.h"
#include "base/error.h"
#include "layout/indexes.h"
#include "layout/spec.h"
#include "mesh/mesh.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"
#include "ops/index/put.h"

/* A diagonal of two dimensions: it begins at an index of each. */
typedef struct slant {
    int dims[2];
    int64_t first[2], length;
} slant;

/* Read both dimensions, of a tensor that has so many. */
static dt_status read_dims(const dt_operation *operation, int ndim, slant *out)
{
    DTI_TRY(dti_argument_dim(operation, "dim1", ndim, &out->dims[0]));
    DTI_TRY(dti_argument_dim(operation, "dim2", ndim, &out->dims[1]));
    if (out->dims[0] != out->dims[1])
        return DT_OK;
    return dt_operation_fail(operation, DT_ERR_INVALID,
                             "dim1 and dim2 are both %d; they must differ",
                             out->dims[0]);
}

/* Read the offset and both dimensions. */
static dt_status read_slant(const dt_operation *operation,
                            const dt_shape *shape, slant *out)
{
    const int64_t offset = dti_argument_int(operation, "offset");
    if (shape->ndim < 2)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self is a %d-d tensor; expected at least 2 dimensions",
            shape->ndim);
    DTI_TRY(read_dims(operation, shape->ndim, out));
    int64_t rows = shape->dims[out->dims[0]];
    int64_t columns = shape->dims[out->dims[1]];
    bool outside = offset < -rows || offset > columns;
    out->first[0] = offset < 0 && !outside ? -offset : 0;
    out->first[1] = offset > 0 && !outside ? offset : 0;
    rows -= out->first[0];
    columns -= out->first[1];
    out->length = outside ? 0 : rows < columns ? rows : columns;
    if (out->length == 0)
        out->first[0] = out->first[1] = 0;
    return DT_OK;
}

/* Leave out both dimensions of a shape and put the diagonal behind; gives which
 * dimensions are left. */
static void cut_slant(const slant *cut, dt_shape *shape, int64_t *strides,
                      int *from)
{
    int to = 0;
    int64_t stride = strides[cut->dims[0]] + strides[cut->dims[1]];
    for (int i = 0; i < shape->ndim; i++) {
        if (i == cut->dims[0] || i == cut->dims[1])
            continue;
        from[to] = i;
        shape->dims[to] = shape->dims[i];
        strides[to++] = strides[i];
    }
    from[to] = -1;
    shape->dims[to] = cut->length;
    strides[to] = stride;
    shape->ndim = to + 1;
}

/* See a part of the diagonal of an array: it begins at an index of each of the
 * two dimensions. */
static dt_status see_slant(dt_world *world, dt_array *in, const slant *cut,
                           dt_array **out)
{
    int from[DT_MAX_NDIM] = {0};
    dt_shape shape = in->shape;
    int64_t strides[DT_MAX_NDIM], offset = in->offset;
    for (int i = 0; i < shape.ndim; i++)
        strides[i] = in->strides[i];
    if (in->count > 0)
        for (int i = 0; i < 2; i++)
            offset += cut->first[i] * strides[cut->dims[i]];
    cut_slant(cut, &shape, strides, from);
    return dti_array_view(world, in, shape, strides, offset, out);
}

/* ---- Seen --------------------------------------------------------------- */

static dt_status diagonal_meta(dt_operation *operation)
{
    slant cut;
    int from[DT_MAX_NDIM] = {0};
    dt_meta meta = *operation->metas[0];
    DTI_TRY(read_slant(operation, &operation->metas[0]->shape, &cut));
    cut_slant(&cut, &meta.shape, meta.strides, from);
    return dt_operation_add_result(operation, &meta);
}

static dt_status diagonal_kernel(dt_operation *operation)
{
    slant cut;
    DTI_TRY(read_slant(operation, &operation->metas[0]->shape, &cut));
    return see_slant(operation->world, operation->in[0], &cut,
                     &operation->out[0]);
}

/* ---- Put into a tensor -------------------------------------------------- */

/* The shape of the diagonal of a shape. */
static dt_shape shape_of_slant(dt_shape shape, const slant *cut)
{
    int from[DT_MAX_NDIM] = {0};
    int64_t strides[DT_MAX_NDIM] = {0};
    cut_slant(cut, &shape, strides, from);
    return shape;
}

static dt_status check_fits(const dt_operation *operation, int input,
                            dt_shape wanted)
{
    dt_shape given = operation->metas[input]->shape;
    if (dt_shape_equal(given, wanted))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "the diagonal has shape %s, but the source has shape %s",
        dti_shape_show(wanted).text, dti_shape_show(given).text);
}

/* Neighbouring indexes of a dimension that this rank has. */
typedef struct run {
    int64_t global, local, length;
} run;

/* Copy the piece of a diagonal that crosses runs of both dimensions. */
static dt_status fill_crossing(dt_operation *operation, const slant *cut,
                               int input, const run *runs)
{
    dt_array *from = NULL, *to = NULL;
    dt_world *world = operation->world;
    int64_t begin = 0, end = cut->length;
    for (int i = 0; i < 2; i++) {
        int64_t first = runs[i].global - cut->first[i];
        begin = first > begin ? first : begin;
        end = first + runs[i].length < end ? first + runs[i].length : end;
    }
    if (begin >= end)
        return DT_OK;
    slant piece = *cut;
    for (int i = 0; i < 2; i++)
        piece.first[i] += begin + runs[i].local - runs[i].global;
    piece.length = end - begin;
    DTI_TRY(see_slant(world, operation->out[0], &piece, &to));
    dt_status status = dt_array_slice(world, operation->in[input],
                                      to->shape.ndim - 1, begin, end, 1, &from);
    if (status == DT_OK)
        status = dt_array_copy(world, from, to);
    dt_array_release(from);
    dt_array_release(to);
    return status;
}

/* Copy a tensor into a diagonal of the result. */
static dt_status fill_slant(dt_operation *operation, const slant *cut,
                            int input)
{
    run runs[2];
    dti_indexes own[2];
    const dt_spec *spec = operation->out_specs[0];
    if (operation->in[input]->count == 0 || operation->out[0]->count == 0)
        return DT_OK;
    for (int i = 0; i < 2; i++)
        dti_indexes_set(&own[i], spec->meta.shape.dims[cut->dims[i]],
                        &spec->cuts[cut->dims[i]], spec->mesh->coordinate);
    for (int64_t i = 0; i < own[0].size; i += runs[0].length) {
        runs[0].local = i;
        runs[0].global = dti_indexes_at(&own[0], i, &runs[0].length);
        for (int64_t k = 0; k < own[1].size; k += runs[1].length) {
            runs[1].local = k;
            runs[1].global = dti_indexes_at(&own[1], k, &runs[1].length);
            DTI_TRY(fill_crossing(operation, cut, input, runs));
        }
    }
    return DT_OK;
}

static dt_status scatter_meta(dt_operation *operation)
{
    slant cut;
    dt_shape self = operation->metas[0]->shape;
    DTI_TRY(read_slant(operation, &operation->metas[0]->shape, &cut));
    DTI_TRY(check_fits(operation, 1, shape_of_slant(self, &cut)));
    return dti_meta_like_first(operation);
}

static dt_status scatter_kernel(dt_operation *operation)
{
    slant cut;
    DTI_TRY(read_slant(operation, &operation->metas[0]->shape, &cut));
    DTI_TRY(dti_put_begin(operation));
    return fill_slant(operation, &cut, 1);
}

/* ---- Put into zeros ----------------------------------------------------- */

static dt_status read_backward(const dt_operation *operation, dt_shape *shape,
                               slant *out)
{
    DTI_TRY(dti_meta_shape(operation, 1, shape));
    DTI_TRY(read_slant(operation, shape, out));
    return check_fits(operation, 0, shape_of_slant(*shape, out));
}

/* The last dimension becomes two, in which it is a diagonal; the others fill
 * the places that are left. */
static dt_status read_embedded(const dt_operation *operation, dt_shape *shape,
                               slant *out)
{
    dt_shape self = operation->metas[0]->shape;
    const int64_t offset = dti_argument_int(operation, "offset");
    const int64_t most = INT64_C(1) << 61;
    if (self.ndim == 0 || self.ndim == DT_MAX_NDIM)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "the result would have %d dimensions, because self has %d; "
            "expected a self of 1 to 7 dimensions",
            self.ndim + 1, self.ndim);
    DTI_TRY(read_dims(operation, self.ndim + 1, out));
    if (offset > most || offset < -most)
        return dt_operation_fail(operation, DT_ERR_INVALID,
                                 "offset %lld is out of range",
                                 (long long)offset);
    out->length = self.dims[self.ndim - 1];
    out->first[0] = offset < 0 ? -offset : 0;
    out->first[1] = offset > 0 ? offset : 0;
    shape->ndim = self.ndim + 1;
    for (int i = 0, from = 0; i < shape->ndim; i++)
        shape->dims[i] = i == out->dims[0] || i == out->dims[1]
                             ? out->length + out->first[0] + out->first[1]
                             : self.dims[from++];
    return DT_OK;
}

enum { BACKWARD, EMBED };

/* What a diagonal is put into: of this shape, or of the shape that it has room
 * in. */
static dt_status read_frame(const dt_operation *operation, dt_shape *shape,
                            slant *out)
{
    return dti_kind(operation) == BACKWARD
               ? read_backward(operation, shape, out)
               : read_embedded(operation, shape, out);
}

static dt_status zeros_meta(dt_operation *operation)
{
    slant cut;
    dt_shape shape = DT_SHAPE();
    DTI_TRY(read_frame(operation, &shape, &cut));
    return dti_meta_add(operation, operation->metas[0]->dtype, shape);
}

static dt_status zeros_kernel(dt_operation *operation)
{
    slant cut;
    dt_shape shape = DT_SHAPE();
    DTI_TRY(read_frame(operation, &shape, &cut));
    DTI_TRY(dt_array_fill_int(operation->world, operation->out[0], 0));
    return fill_slant(operation, &cut, 0);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_diagonal[] = {
    {
        .schema = "diagonal(Tensor self, int offset, Dim dim1, Dim dim2) -> "
                  "Tensor",
        .aten = "diagonal diagonal_copy",
        .about = "View a diagonal of two dimensions as the last dimension; a "
                 "positive offset is above the main diagonal.",
        .rule = "...ab->...c; a at dim1 gone, b at dim2 gone, c whole",
        .permutes = "self",
        .flags = DT_OP_VIEW,
        .meta = diagonal_meta,
        .kernel = diagonal_kernel,
        .gradient = "self: diagonal_backward(grad, shape(self), offset, dim1, "
                    "dim2)",
        .samples = "(T[m,n], 0, 0, 1); (T[m,5,n], 1, 0, 1); "
                   "(T[3,m,4], -2, -1, 0); (T[m,n], 100, 0, 1)",
    },
    {
        .schema = "diagonal_scatter(Tensor self, Tensor src, int offset, "
                  "Dim dim1, Dim dim2) -> Tensor",
        .about = "Copy a tensor with a diagonal of two dimensions taken from "
                 "src, whose last dimension it is.",
        .rule = "...ab,...c->...ab; a at dim1, b at dim2, c whole",
        .linear = "self + src",
        .permutes = "self src",
        .flags = DT_OP_OUT,
        .meta = scatter_meta,
        .kernel = scatter_kernel,
        .gradient = "self: diagonal_scatter(grad, zeros(src), offset, dim1, "
                    "dim2); src: diagonal(grad, offset, dim1, dim2)",
        .samples = "(T[m,5,5], T[m,5], 0, 1, 2); (T[m,m], T[m], 0, 0, 1); "
                   "(T[7,n,4], T[n,2], -2, -1, 0); "
                   "(T[4,6,n], T[n,0], 9, 0, 1)",
    },
    {
        .schema = "diagonal_backward(Tensor grad_output, Shape input_sizes, "
                  "int offset, Dim dim1, Dim dim2) -> Tensor",
        .about = "Gradient of diagonal: a tensor of the given shape with the "
                 "elements on the diagonal and zeros elsewhere.",
        .rule = "...c->...ab; a at dim1 whole, b at dim2 whole, c gone",
        .permutes = "grad_output",
        .flags = DT_OP_OUT,
        .meta = zeros_meta,
        .kernel = zeros_kernel,
        .data = DTI_KIND(BACKWARD),
        .gradient = "grad_output: diagonal(grad, offset, dim1, dim2)",
        .samples = "(T[m,5], [m,5,5], 0, 1, 2); (T[m], [m,m], 0, 0, 1); "
                   "(T[n,2], [7,n,4], -2, -1, 0); (T[n,0], [4,6,n], 9, 0, 1)",
    },
    {
        .schema = "diag_embed(Tensor self, *, int offset=0, Dim dim1=-2, "
                  "Dim dim2=-1) -> Tensor",
        .about =
            "Expand the last dimension into a diagonal of two dimensions, with "
            "zeros elsewhere; a positive offset is above the main diagonal.",
        .rule = "...c->...ab; a at dim1 whole, b at dim2 whole, c gone",
        .permutes = "self",
        .flags = DT_OP_OUT,
        .meta = zeros_meta,
        .kernel = zeros_kernel,
        .data = DTI_KIND(EMBED),
        .gradient = "self: diagonal(grad, offset, dim1, dim2)",
        .samples = "(T[m,n]); (T[m], offset=2); "
                   "(T[m,3,n], offset=-1, dim1=0, dim2=2)",
    },
    {0},
};
