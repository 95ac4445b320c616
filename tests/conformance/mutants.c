/* tests/conformance/mutants.c - operators that are wrong in one way each. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/mutants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "op/meta.h"

/* ---- Arrays of f64 ------------------------------------------------------ */

/* The elements of an input in row-major order; the caller frees them. */
static double *read_input(const dt_operation *operation, int input)
{
    const dt_array *from = operation->in[input];
    dt_array *dense = NULL;
    size_t bytes = dt_array_bytes(from);
    double *out = calloc(bytes + 1, 1);
    if (out && bytes && dt_array_clone(operation->world, from, &dense) == DT_OK)
        memcpy(out, dt_array_const_data(dense), bytes);
    dt_array_release(dense);
    return out;
}

/* A 2-d input seen as (before, dim, after). */
typedef struct span {
    int64_t before, length, after;
} span;

static span span_of(const dt_operation *operation, int dim)
{
    dt_shape shape = dt_array_shape(operation->in[0]);
    dim = dim < 0 ? dim + shape.ndim : dim;
    span out = {1, shape.ndim ? shape.dims[dim] : 1, 1};
    for (int i = 0; i < shape.ndim; i++)
        *(i < dim ? &out.before : &out.after) *= i == dim ? 1 : shape.dims[i];
    return out;
}

static int dim_argument(const dt_operation *operation)
{
    return (int)operation->arguments[1].as.integer;
}

/* ---- Kernels ------------------------------------------------------------ */

/* Divide by the sum along a dimension. */
static dt_status share_kernel(dt_operation *operation)
{
    span of = span_of(operation, dim_argument(operation));
    double *from = read_input(operation, 0);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t b = 0; b < of.before; b++)
        for (int64_t a = 0; a < of.after; a++) {
            int64_t first = b * of.length * of.after + a;
            double sum = 0;
            for (int64_t i = 0; i < of.length; i++)
                sum += fabs(from[first + i * of.after]);
            for (int64_t i = 0; i < of.length; i++)
                to[first + i * of.after] = from[first + i * of.after] / sum;
        }
    free(from);
    return DT_OK;
}

typedef enum folding { FOLD_SUM, FOLD_MEAN, FOLD_MAX, FOLD_LAZY } folding;

/* Fold a dimension.  A lazy sum leaves out what has nothing to be added. */
static dt_status fold(dt_operation *operation, folding how)
{
    span of = span_of(operation, dim_argument(operation));
    double *from = read_input(operation, 0);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < of.before * of.after; i++) {
        int64_t first = i / of.after * of.length * of.after + i % of.after;
        double value = how == FOLD_MAX ? -INFINITY : 0;
        for (int64_t k = 0; k < of.length; k++) {
            double one = from[first + k * of.after];
            value = how == FOLD_MAX ? fmax(value, one) : value + one;
        }
        if (how == FOLD_MEAN && of.length)
            value /= (double)of.length;
        if (how != FOLD_LAZY || of.length)
            to[i] = value;
    }
    free(from);
    return DT_OK;
}

static dt_status sum_kernel(dt_operation *operation)
{
    return fold(operation, FOLD_SUM);
}

static dt_status mean_kernel(dt_operation *operation)
{
    return fold(operation, FOLD_MEAN);
}

static dt_status max_kernel(dt_operation *operation)
{
    return fold(operation, FOLD_MAX);
}

static dt_status lazy_kernel(dt_operation *operation)
{
    return fold(operation, FOLD_LAZY);
}

static dt_status fold_meta(dt_operation *operation)
{
    dt_shape shape = operation->metas[0]->shape;
    int dim = 0;
    DTI_TRY(
        dt_operation_dim(operation, dim_argument(operation), shape.ndim, &dim));
    for (int i = dim; i + 1 < shape.ndim; i++)
        shape.dims[i] = shape.dims[i + 1];
    shape.dims[--shape.ndim] = 0;
    return dti_meta_add(operation, DT_F64, shape);
}

/* Apply a function to each element. */
static dt_status map(dt_operation *operation, double (*function)(double))
{
    double *from = read_input(operation, 0);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++)
        to[i] = function(from[i]);
    free(from);
    return DT_OK;
}

static double negative(double x)
{
    return -x;
}

static double square(double x)
{
    return x * x;
}

static double successor(double x)
{
    return x + 1;
}

static dt_status negative_kernel(dt_operation *operation)
{
    return map(operation, negative);
}

static dt_status square_kernel(dt_operation *operation)
{
    return map(operation, square);
}

static dt_status successor_kernel(dt_operation *operation)
{
    return map(operation, successor);
}

/* Add the row's index in the whole to each element of a 2-d tensor, taking the
 * part for a block that begins at `offset`. */
static dt_status add_index(dt_operation *operation, int64_t offset)
{
    dt_shape shape = dt_array_shape(operation->out[0]);
    double *from = read_input(operation, 0);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++)
        to[i] = from[i] + (double)(offset + i / shape.dims[1]);
    free(from);
    return DT_OK;
}

/* Wrong for parts that are not all of one size, and for strided ones. */
static dt_status even_index_kernel(dt_operation *operation)
{
    const dt_layout *layout = dt_spec_layout(operation->in_specs[0]);
    const dt_mesh *mesh = dt_spec_mesh(operation->in_specs[0]);
    bool cut = dt_placement_is_shard(layout->placements[0]) &&
               layout->placements[0].dim == 0;
    int64_t place = cut ? dt_mesh_coordinate(mesh, 0) : 0;
    return add_index(operation, place * dt_array_extent(operation->in[0], 0));
}

/* Wrong for strided parts alone. */
static dt_status block_index_kernel(dt_operation *operation)
{
    int64_t offset[DT_MAX_NDIM] = {0};
    dt_spec_offset(operation->in_specs[0], dt_world_rank(operation->world),
                   offset);
    return add_index(operation, offset[0]);
}

/* Views that take sizes of the whole for those of the part. */
static dt_status same_view_kernel(dt_operation *operation)
{
    const dt_argument *shape = &operation->arguments[1];
    return dt_array_reshape(operation->world, operation->in[0],
                            dt_shape_make(shape->count, shape->as.integers),
                            &operation->out[0]);
}

/* A copy where this rank does not have all. */
static dt_status secret_copy_kernel(dt_operation *operation)
{
    if (dt_array_count(operation->in[0]) ==
        dt_shape_count(operation->metas[0]->shape))
        return dt_array_reshape(operation->world, operation->in[0],
                                operation->metas[0]->shape, &operation->out[0]);
    return dt_array_clone(operation->world, operation->in[0],
                          &operation->out[0]);
}

static dt_status wide_view_kernel(dt_operation *operation)
{
    const dt_argument *shape = &operation->arguments[1];
    return dt_array_expand(operation->world, operation->in[0],
                           dt_shape_make(shape->count, shape->as.integers),
                           &operation->out[0]);
}

static dt_status shape_meta(dt_operation *operation)
{
    const dt_argument *shape = &operation->arguments[1];
    return dti_meta_add(operation, operation->metas[0]->dtype,
                        dt_shape_make(shape->count, shape->as.integers));
}

/* Rows of a table.  The mask takes the row behind the last for one of its own,
 * where there is one to read. */
static dt_status rows_kernel(dt_operation *operation)
{
    int64_t offset[DT_MAX_NDIM] = {0};
    dt_shape table = dt_array_shape(operation->in[0]);
    dt_shape out = dt_array_shape(operation->out[0]);
    double *from = read_input(operation, 0);
    int64_t *indexes = (int64_t *)(void *)read_input(operation, 1);
    double *to = dt_array_data(operation->out[0]);
    dt_array *mask = NULL;
    bool *masked = NULL;
    dt_spec_offset(operation->in_specs[0], dt_world_rank(operation->world),
                   offset);
    if (dt_spec_layout(operation->out_specs[0])->placements[0].kind ==
        DT_MASKED_PARTIAL) {
        DTI_TRY(dt_array_create(operation->world, DT_BOOL, out, &mask));
        masked = dt_array_data(mask);
        operation->masks[0] = mask;
    }
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++) {
        int64_t row = indexes[i / out.dims[1]] - offset[0];
        bool inside = row >= 0 && row < table.dims[0];
        if (masked)
            masked[i] = !(row >= 0 && row <= table.dims[0]);
        to[i] = inside ? from[row * table.dims[1] + i % out.dims[1]] : 99;
    }
    free(from);
    free(indexes);
    return DT_OK;
}

/* The same with the right mask, of which nothing is set to zero. */
static dt_status unclear_kernel(dt_operation *operation)
{
    DTI_TRY(rows_kernel(operation));
    const double *data = dt_array_const_data(operation->out[0]);
    bool *masked =
        operation->masks[0] ? dt_array_data(operation->masks[0]) : NULL;
    for (int64_t i = 0; masked && i < dt_array_count(operation->out[0]); i++)
        masked[i] = data[i] == 99;
    return DT_OK;
}

static dt_status rows_meta(dt_operation *operation)
{
    return dti_meta_add(operation, DT_F64,
                        DT_SHAPE(operation->metas[1]->shape.dims[0],
                                 operation->metas[0]->shape.dims[1]));
}

/* Fails on one rank of several. */
static dt_status faulty_kernel(dt_operation *operation)
{
    if (dt_mesh_size(dt_spec_mesh(operation->in_specs[0])) > 1 &&
        dt_world_rank(operation->world) == 1)
        return dt_operation_fail(operation, DT_ERR_UNSUPPORTED, "on purpose");
    return negative_kernel(operation);
}

/* Leaves an array behind, once. */
static dt_array *left;

void release_left(void)
{
    dt_array_release(left);
    left = NULL;
}

static dt_status leaky_kernel(dt_operation *operation)
{
    if (dt_world_rank(operation->world) == 0 && !left)
        DTI_TRY(dt_array_create(operation->world, DT_F64, DT_SHAPE(3), &left));
    return negative_kernel(operation);
}

/* ---- Several results ----------------------------------------------------- */

/* A 2-d tensor turned negative, and the sums of its columns. */
static dt_status sides_kernel(dt_operation *operation)
{
    const dt_shape shape = dt_array_shape(operation->in[0]);
    double *from = read_input(operation, 0);
    double *sums = dt_array_data(operation->out[1]);
    for (int64_t i = 0; i < shape.dims[1]; i++)
        sums[i] = 0;
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        sums[i % shape.dims[1]] += from[i];
    free(from);
    return negative_kernel(operation);
}

static dt_status sides_meta(dt_operation *operation)
{
    DTI_TRY(dti_meta_like_first(operation));
    return dti_meta_add(operation, DT_F64,
                        DT_SHAPE(operation->metas[0]->shape.dims[1]));
}

/* Say that the second result is whole on every rank, whatever is cut. */
static dt_status whole_factors(const dt_operation *operation, dt_factors *out)
{
    (void)operation;
    out->whole = 1u << 1;
    return DT_OK;
}

/* Say that the second result does not depend on partial values. */
static dt_status constant_factors(const dt_operation *operation,
                                  dt_factors *out)
{
    (void)operation;
    out->constant = 1u << 1;
    return DT_OK;
}

/* Say that the values of the first tensor do not matter. */
static dt_status unread_factors(const dt_operation *operation, dt_factors *out)
{
    (void)operation;
    out->unread = 1u << 0;
    return DT_OK;
}

static dt_status product_kernel(dt_operation *operation)
{
    double *a = read_input(operation, 0), *b = read_input(operation, 1);
    double *to = dt_array_data(operation->out[0]);
    for (int64_t i = 0; i < dt_array_count(operation->out[0]); i++)
        to[i] = a[i] * b[i];
    free(a);
    free(b);
    return DT_OK;
}

static dt_status pair_meta(dt_operation *operation)
{
    DTI_TRY(dti_meta_like_first(operation));
    return dt_operation_add_result(operation, operation->metas[1]);
}

/* The square of the first tensor, and its square times that of the second one.
 * In place, the first one is gone when it is multiplied, if it is read `late`.
 */
static dt_status pair(dt_operation *operation, bool late)
{
    double *a = late ? NULL : read_input(operation, 0);
    double *b = read_input(operation, 1);
    dt_status status = square_kernel(operation);
    if (late)
        a = read_input(operation, 0);
    double *to = dt_array_data(operation->out[1]);
    for (int64_t i = 0; i < dt_array_count(operation->out[1]); i++)
        to[i] = square(a[i] * b[i]);
    free(a);
    free(b);
    return status;
}

static dt_status pair_kernel(dt_operation *operation)
{
    return pair(operation, false);
}

static dt_status late_kernel(dt_operation *operation)
{
    return pair(operation, true);
}

/* ---- Rows --------------------------------------------------------------- */

const mutant mutants[] = {
    {"a right row is right",
     GOOD,
     {.schema = "right(Tensor self) -> Tensor",
      .rule = "...->...",
      .linear = "self",
      .monotone = "-self",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel,
      .samples = "(T[m,n]); (T[m,3,n])",
      .dtypes = "f64"}},
    {"a right sum is right",
     GOOD,
     {.schema = "right_sum(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim sum",
      .linear = "self",
      .meta = fold_meta,
      .kernel = sum_kernel,
      .samples = "(T[m,n], 0); (T[m,n], -1)",
      .dtypes = "f64"}},
    {"a dimension that must be whole is cut",
     WRONG,
     {.schema = "bad_share(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...",
      .meta = dti_meta_like_first,
      .kernel = share_kernel,
      .samples = "(T[m,n], 1)",
      .dtypes = "f64"}},
    {"means of parts are summed",
     WRONG,
     {.schema = "bad_mean(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim sum",
      .meta = fold_meta,
      .kernel = mean_kernel,
      .samples = "(T[m,n], 0)",
      .dtypes = "f64"}},
    {"greatest values are summed",
     WRONG,
     {.schema = "bad_max(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim sum",
      .meta = fold_meta,
      .kernel = max_kernel,
      .samples = "(T[m,n], 0)",
      .dtypes = "f64"}},
    {"the sum of an empty part is not set",
     WRONG,
     {.schema = "bad_empty(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim sum",
      .meta = fold_meta,
      .kernel = lazy_kernel,
      .samples = "(T[4,n], 0)",
      .dtypes = "f64"}},
    {"what is not linear is said to be",
     WRONG,
     {.schema = "bad_linear(Tensor self) -> Tensor",
      .rule = "...->...",
      .linear = "self",
      .meta = dti_meta_like_first,
      .kernel = square_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"a constant is added by every rank",
     WRONG,
     {.schema = "bad_constant(Tensor self) -> Tensor",
      .rule = "...->...",
      .linear = "self",
      .meta = dti_meta_like_first,
      .kernel = successor_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"what decreases is said to increase",
     WRONG,
     {.schema = "bad_monotone(Tensor self) -> Tensor",
      .rule = "...->...",
      .monotone = "self",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"what changes elements is said to move them",
     WRONG,
     {.schema = "bad_moves(Tensor self) -> Tensor",
      .rule = "...->...",
      .permutes = "self",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"parts are taken to be of one size",
     WRONG,
     {.schema = "bad_uneven(Tensor self) -> Tensor",
      .rule = "mn->mn",
      .meta = dti_meta_like_first,
      .kernel = even_index_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"strided parts are taken to be blocks",
     WRONG,
     {.schema = "bad_strided(Tensor self) -> Tensor",
      .rule = "mn->mn",
      .meta = dti_meta_like_first,
      .kernel = block_index_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"a view takes sizes of the whole",
     WRONG,
     {.schema = "bad_view(Tensor self, Shape shape) -> Tensor",
      .rule = "mn->mn",
      .flags = DT_OP_VIEW,
      .meta = shape_meta,
      .kernel = same_view_kernel,
      .samples = "(T[m,n], [m,n])",
      .dtypes = "f64"}},
    {"a view copies its part and does not say so",
     WRONG,
     {.schema = "secret_copy(Tensor self) -> Tensor",
      .rule = "mn->mn",
      .permutes = "self",
      .flags = DT_OP_VIEW,
      .meta = dti_meta_like_first,
      .kernel = secret_copy_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"an expansion takes sizes of the whole",
     WRONG,
     {.schema = "bad_expand(Tensor self, Shape shape) -> Tensor",
      .rule = "ma->mb; b whole",
      .flags = DT_OP_VIEW,
      .meta = shape_meta,
      .kernel = wide_view_kernel,
      .samples = "(T[m,1], [m,3])",
      .dtypes = "f64"}},
    {"a mask is off by one",
     WRONG,
     {.schema = "bad_mask(Tensor table, Tensor indexes) -> Tensor",
      .rule = "vd,m->md; v masked",
      .meta = rows_meta,
      .kernel = rows_kernel,
      .samples = "(T[7,d], i64[m]<7)",
      .dtypes = "f64"}},
    {"what is masked is said to be cleared",
     WRONG,
     {.schema = "bad_clear(Tensor table, Tensor indexes) -> Tensor",
      .rule = "vd,m->md; v masked",
      .flags = DT_OP_ZEROES_MASK,
      .meta = rows_meta,
      .kernel = unclear_kernel,
      .samples = "(T[7,d], i64[m]<7)",
      .dtypes = "f64"}},
    {"a kernel fails on one rank",
     WRONG,
     {.schema = "bad_rank(Tensor self) -> Tensor",
      .rule = "...->...",
      .meta = dti_meta_like_first,
      .kernel = faulty_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"something is left behind",
     LEAKS,
     {.schema = "bad_leak(Tensor self) -> Tensor",
      .rule = "...->...",
      .linear = "self",
      .monotone = "-self",
      .meta = dti_meta_like_first,
      .kernel = leaky_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"samples cannot be read",
     WRONG,
     {.schema = "bad_samples(Tensor self) -> Tensor",
      .rule = "...->...",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel,
      .samples = "(T[m,n]",
      .dtypes = "f64"}},
    {"there are no samples",
     WRONG,
     {.schema = "no_samples(Tensor self) -> Tensor",
      .rule = "...->...",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel}},
    {"a right row of two results is right",
     GOOD,
     {.schema = "right_sides(Tensor self) -> (Tensor negative, Tensor sums)",
      .rule = "mn->mn,n; m sum",
      .linear = "self",
      .meta = sides_meta,
      .kernel = sides_kernel,
      .samples = "(T[m,n]); (T[4,n])",
      .dtypes = "f64"}},
    {"one of two results is combined in another way",
     WRONG,
     {.schema = "bad_sides(Tensor self) -> (Tensor negative, Tensor sums)",
      .rule = "mn->mn,n; m max",
      .meta = sides_meta,
      .kernel = sides_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"a result is said to be whole on every rank",
     WRONG,
     {.schema = "bad_whole(Tensor self) -> (Tensor negative, Tensor sums)",
      .rule = "mn->mn,n",
      .factors = whole_factors,
      .meta = sides_meta,
      .kernel = sides_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"a result is said not to depend on partial values",
     WRONG,
     {.schema = "bad_fixed(Tensor self) -> (Tensor negative, Tensor sums)",
      .rule = "mn->mn,n; m sum",
      .linear = "self",
      .factors = constant_factors,
      .meta = sides_meta,
      .kernel = sides_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"what is read is said not to be",
     WRONG,
     {.schema = "bad_unread(Tensor self, Tensor other) -> Tensor",
      .rule = "...,...->...",
      .factors = unread_factors,
      .meta = dti_meta_like_first,
      .kernel = product_kernel,
      .samples = "(T[m,n], T[m,n])",
      .dtypes = "f64"}},
    {"a kernel does not talk across a dimension",
     WRONG,
     {.schema = "bad_across(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim across",
      .flags = DT_OP_COMMUNICATES,
      .meta = dti_meta_like_first,
      .kernel = share_kernel,
      .samples = "(T[m,n], 1)",
      .dtypes = "f64"}},
    {"two tensors are overwritten",
     GOOD,
     {.schema = "right_pair(Tensor self, Tensor other) -> "
                "(Tensor self_out, Tensor other_out)",
      .rule = "mn,mn->mn,mn",
      .flags = DT_OP_IN_PLACE,
      .meta = pair_meta,
      .kernel = pair_kernel,
      .samples = "(T[m,n], T[m,n]); (T[7,n], T[7,n]); (T[m,8], T[m,8])",
      .dtypes = "f64"}},
    {"what was overwritten is read",
     WRONG,
     {.schema = "bad_pair(Tensor self, Tensor other) -> "
                "(Tensor self_out, Tensor other_out)",
      .rule = "mn,mn->mn,mn",
      .flags = DT_OP_IN_PLACE,
      .meta = pair_meta,
      .kernel = late_kernel,
      .samples = "(T[m,n], T[m,n]); (T[7,n], T[7,n]); (T[m,8], T[m,8])",
      .dtypes = "f64"}},
    {"a dimension is whole without need",
     MISSING,
     {.schema = "missing_cut(Tensor self) -> Tensor",
      .rule = "mn->mn; n whole",
      .linear = "self",
      .monotone = "-self",
      .meta = dti_meta_like_first,
      .kernel = negative_kernel,
      .samples = "(T[m,n])",
      .dtypes = "f64"}},
    {"a sum is not said to be linear",
     MISSING,
     {.schema = "missing_linear(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim sum",
      .meta = fold_meta,
      .kernel = sum_kernel,
      .samples = "(T[m,n], 0); (T[m,n], 1)",
      .dtypes = "f64"}},
    {"a sum is not said to be one",
     MISSING,
     {.schema = "missing_sum(Tensor self, Dim dim) -> Tensor",
      .rule = "...->...; dim gone",
      .linear = "self",
      .meta = fold_meta,
      .kernel = sum_kernel,
      .samples = "(T[m,n], 0)",
      .dtypes = "f64"}},
};

const size_t mutant_count = sizeof mutants / sizeof *mutants;
