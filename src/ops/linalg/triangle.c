/* ops/linalg/triangle.c - matrices that are zero on one side of a diagonal. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include "array/array.h"
#include "base/error.h"
#include "kernel/shape/triangle.h"
#include "layout/indexes.h"
#include "layout/spec.h"
#include "op/call/scratch.h"
#include "op/meta.h"
#include "ops/helpers/arguments.h"
#include "ops/helpers/tables.h"

static dt_status triangle_meta(dt_operation *operation)
{
    int ndim = operation->metas[0]->shape.ndim;
    if (ndim < 2)
        return dt_operation_fail(
            operation, DT_ERR_INVALID,
            "self is a %d-d tensor; expected at least 2 dimensions", ndim);
    return dti_meta_like_first(operation);
}

/* The indexes of a dimension that this rank has. */
static void indexes_of(const dt_spec *spec, int dim, dti_indexes *out)
{
    dti_indexes_set(out, spec->meta.shape.dims[dim], &spec->cuts[dim],
                    spec->mesh->coordinate);
}

/* How many of this rank's columns have an index up to that of a row plus
 * `diagonal`, for each of its rows.  Both ascend, so that one search goes on
 * where the last one ended. */
static void count_columns(const dti_indexes *rows, const dti_indexes *columns,
                          int64_t diagonal, int64_t *limits)
{
    int64_t limit = 0, run;
    for (int64_t i = 0; i < rows->size; i++) {
        int64_t row = dti_indexes_at(rows, i, &run), last = -1;
        if (diagonal > 0 && row > INT64_MAX - diagonal)
            last = INT64_MAX;
        else if (diagonal >= 0 || row + diagonal >= 0)
            last = row + diagonal;
        while (limit < columns->size &&
               dti_indexes_at(columns, limit, &run) <= last)
            limit++;
        limits[i] = limit;
    }
}

static dt_status cut_triangle(dt_operation *operation, dti_triangle *how,
                              const dt_array *in, dt_array *out)
{
    int ndim = out->shape.ndim;
    dt_array *limits = NULL;
    dti_indexes rows, columns;
    const dt_spec *spec = operation->out_specs[0];
    int64_t diagonal = dti_argument_int(operation, "diagonal");
    indexes_of(spec, ndim - 2, &rows);
    indexes_of(spec, ndim - 1, &columns);
    DTI_TRY(
        dti_scratch_create(operation, DT_I64, DT_SHAPE(rows.size), &limits));
    count_columns(&rows, &columns,
                  how->lower || diagonal == INT64_MIN ? diagonal : diagonal - 1,
                  dt_array_data(limits));
    how->item = dt_dtype_size(out->dtype);
    how->rows = rows.size;
    how->columns = columns.size;
    how->matrices = out->count / (rows.size * columns.size);
    how->limits = dt_array_const_data(limits);
    dti_triangle_copy(how, dt_array_const_data(in), dt_array_data(out));
    return DT_OK;
}

enum { LOWER, UPPER };

static dt_status triangle_kernel(dt_operation *operation)
{
    dti_triangle how = {.lower = dti_kind(operation) == LOWER};
    dt_array *in = operation->in[0], *out = operation->out[0];
    if (out->count == 0)
        return DT_OK;
    if (in->contiguous)
        return cut_triangle(operation, &how, in, out);
    DTI_TRY(dt_array_copy(operation->world, in, out));
    return cut_triangle(operation, &how, out, out);
}

/* ---- Rows --------------------------------------------------------------- */

const dt_op dti_ops_triangle[] = {
    {
        .schema = "tril(Tensor self, int~ diagonal) -> Tensor",
        .about =
            "Lower triangle of matrices including a diagonal, zeros elsewhere; "
            "a positive number is a diagonal above the main one.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = triangle_meta,
        .kernel = triangle_kernel,
        .data = DTI_KIND(LOWER),
        .gradient = "self: tril(grad, diagonal)",
        .samples = "(T[m,n], 0); (T[3,m,n], 1); (T[m,7], -2); (T[5,n], 9)",
    },
    {
        .schema = "triu(Tensor self, int~ diagonal) -> Tensor",
        .about =
            "Upper triangle of matrices including a diagonal, zeros elsewhere; "
            "a positive number is a diagonal above the main one.",
        .rule = "...->...",
        .permutes = "self",
        .flags = DT_OP_IN_PLACE | DT_OP_OUT,
        .meta = triangle_meta,
        .kernel = triangle_kernel,
        .data = DTI_KIND(UPPER),
        .gradient = "self: triu(grad, diagonal)",
        .samples = "(T[m,n], 0); (T[3,m,n], 1); (T[m,7], -2); (T[5,n], 9)",
    },
    {0},
};
