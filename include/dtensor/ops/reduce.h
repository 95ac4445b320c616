/* dtensor/ops/reduce.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_REDUCE_H
#define DTENSOR_OPS_REDUCE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * Reductions, scans and sorting.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Sums, products, extremes and norms --------------------------------- */

/* Options of sum.  Begin with DT_SUM_OPTIONS_INIT. */
typedef struct dt_sum_options {
    size_t size; /* sizeof(dt_sum_options) */
    /* dtype of the result, NULL for that of self, or i64 if self is integer or
     * bool */
    const dt_dtype *dtype;
} dt_sum_options;

#define DT_SUM_OPTIONS_INIT \
    {sizeof(dt_sum_options), 0}

/*
 * Sum over dimensions; i64 for integers and bool.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_sum(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_sum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_sum_options *options);
DT_API dt_tensor *dt_sum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_sum_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_sum_options *options,
                                  dt_tensor *out);

/* Options of mean.  Begin with DT_MEAN_OPTIONS_INIT. */
typedef struct dt_mean_options {
    size_t size; /* sizeof(dt_mean_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_mean_options;

#define DT_MEAN_OPTIONS_INIT \
    {sizeof(dt_mean_options), 0}

/*
 * Mean over dimensions.  Local sums are divided by the global count, so shards
 * may be uneven.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_mean(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_mean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                               const dt_mean_options *options);
DT_API dt_tensor *dt_mean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);
DT_API dt_tensor *dt_mean_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   const dt_mean_options *options,
                                   dt_tensor *out);

/* Options of nansum.  Begin with DT_NANSUM_OPTIONS_INIT. */
typedef struct dt_nansum_options {
    size_t size; /* sizeof(dt_nansum_options) */
    /* dtype of the result, NULL for that of self, or i64 if self is integer or
     * bool */
    const dt_dtype *dtype;
} dt_nansum_options;

#define DT_NANSUM_OPTIONS_INIT \
    {sizeof(dt_nansum_options), 0}

/*
 * Sum over dimensions of elements that are not NaN; i64 for integers and bool.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_nansum(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_nansum_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                 const dt_nansum_options *options);
DT_API dt_tensor *dt_nansum_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                dt_tensor *out);
DT_API dt_tensor *dt_nansum_with_out(dt_tensor *self, dt_dims dims,
                                     bool keepdim,
                                     const dt_nansum_options *options,
                                     dt_tensor *out);

/* Options of nanmean.  Begin with DT_NANMEAN_OPTIONS_INIT. */
typedef struct dt_nanmean_options {
    size_t size; /* sizeof(dt_nanmean_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_nanmean_options;

#define DT_NANMEAN_OPTIONS_INIT \
    {sizeof(dt_nanmean_options), 0}

/*
 * Mean over dimensions of elements that are not NaN; NaN if all are.  Sharded
 * dimensions need one all-reduce of two numbers.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_nanmean(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_nanmean_with(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_nanmean_options *options);
DT_API dt_tensor *dt_nanmean_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                 dt_tensor *out);
DT_API dt_tensor *dt_nanmean_with_out(dt_tensor *self, dt_dims dims,
                                      bool keepdim,
                                      const dt_nanmean_options *options,
                                      dt_tensor *out);

/*
 * Number of nonzero elements over dimensions; NaN counts.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 */
DT_API dt_tensor *dt_count_nonzero(dt_tensor *self, dt_dims dims);
DT_API dt_tensor *dt_count_nonzero_out(dt_tensor *self, dt_dims dims,
                                       dt_tensor *out);

/* Options of prod.  Begin with DT_PROD_OPTIONS_INIT. */
typedef struct dt_prod_options {
    size_t size; /* sizeof(dt_prod_options) */
    /* dtype of the result, NULL for that of self, or i64 if self is integer or
     * bool */
    const dt_dtype *dtype;
} dt_prod_options;

#define DT_PROD_OPTIONS_INIT \
    {sizeof(dt_prod_options), 0}

/*
 * Product over dimensions; i64 for integers and bool.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_prod(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_prod_with(dt_tensor *self, dt_dims dims, bool keepdim,
                               const dt_prod_options *options);
DT_API dt_tensor *dt_prod_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);
DT_API dt_tensor *dt_prod_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   const dt_prod_options *options,
                                   dt_tensor *out);

/*
 * Largest element over dimensions; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_amax(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amax_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Smallest element over dimensions; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_amin(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_amin_out(dt_tensor *self, dt_dims dims, bool keepdim,
                              dt_tensor *out);

/*
 * Smallest and largest element over dimensions; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_aminmax(dt_tensor *self, dt_dims dims,
                                        bool keepdim, dt_tensor **min,
                                        dt_tensor **max);

/*
 * Test whether all elements along dimensions are true; NaN is true.  With
 * DT_NO_DIMS, each element by itself.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_all(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_all_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);

/*
 * Test whether any element along dimensions is true; NaN is true.  With
 * DT_NO_DIMS, each element by itself.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_any(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_any_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);

/*
 * p-norm over dimensions: the root of the sum of powers; for p = inf and -inf
 * the largest and smallest absolute value, for 0 the number of nonzero
 * elements.
 *
 * Collective over the mesh of its tensors.
 * - p: order of the norm
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_norm(dt_tensor *self, double p, dt_dims dims,
                          bool keepdim);

/* ---- Variances and standard deviations ---------------------------------- */

/* Options of var.  Begin with DT_VAR_OPTIONS_INIT. */
typedef struct dt_var_options {
    size_t size; /* sizeof(dt_var_options) */
    double correction; /* subtracted from the count before dividing by it */
} dt_var_options;

#define DT_VAR_OPTIONS_INIT \
    {sizeof(dt_var_options), 1}

/*
 * Variance over dimensions: the sum of squared deviations from the mean,
 * divided by count - correction.  Sharded dimensions need one collective with
 * two numbers per rank.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_var(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_var_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_var_options *options);
DT_API dt_tensor *dt_var_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_var_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_var_options *options,
                                  dt_tensor *out);

/* Options of std.  Begin with DT_STD_OPTIONS_INIT. */
typedef struct dt_std_options {
    size_t size; /* sizeof(dt_std_options) */
    double correction; /* subtracted from the count before dividing by it */
} dt_std_options;

#define DT_STD_OPTIONS_INIT \
    {sizeof(dt_std_options), 1}

/*
 * Standard deviation over dimensions, the square root of the variance.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_std(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_std_with(dt_tensor *self, dt_dims dims, bool keepdim,
                              const dt_std_options *options);
DT_API dt_tensor *dt_std_out(dt_tensor *self, dt_dims dims, bool keepdim,
                             dt_tensor *out);
DT_API dt_tensor *dt_std_with_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                  const dt_std_options *options,
                                  dt_tensor *out);

/* Options of var_mean.  Begin with DT_VAR_MEAN_OPTIONS_INIT. */
typedef struct dt_var_mean_options {
    size_t size; /* sizeof(dt_var_mean_options) */
    double correction; /* subtracted from the count before dividing by it */
} dt_var_mean_options;

#define DT_VAR_MEAN_OPTIONS_INIT \
    {sizeof(dt_var_mean_options), 1}

/*
 * Variance over dimensions, and the mean.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_var_mean(dt_tensor *self, dt_dims dims,
                                         bool keepdim, dt_tensor **var,
                                         dt_tensor **mean);
DT_API DT_MUST_USE dt_status dt_var_mean_with(dt_tensor *self, dt_dims dims,
                                              bool keepdim,
                                              const dt_var_mean_options *options,
                                              dt_tensor **var,
                                              dt_tensor **mean);

/* Options of std_mean.  Begin with DT_STD_MEAN_OPTIONS_INIT. */
typedef struct dt_std_mean_options {
    size_t size; /* sizeof(dt_std_mean_options) */
    double correction; /* subtracted from the count before dividing by it */
} dt_std_mean_options;

#define DT_STD_MEAN_OPTIONS_INIT \
    {sizeof(dt_std_mean_options), 1}

/*
 * Standard deviation over dimensions, and the mean.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_std_mean(dt_tensor *self, dt_dims dims,
                                         bool keepdim, dt_tensor **std,
                                         dt_tensor **mean);
DT_API DT_MUST_USE dt_status dt_std_mean_with(dt_tensor *self, dt_dims dims,
                                              bool keepdim,
                                              const dt_std_mean_options *options,
                                              dt_tensor **std,
                                              dt_tensor **mean);

/* ---- Logarithms of sums of exponentials --------------------------------- */

/*
 * log(sum(exp(x))) over dimensions, without overflow.  Sharded dimensions need
 * one collective with two numbers per rank.
 *
 * Collective over the mesh of its tensors.
 * - dims: dimensions to reduce; empty: all
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_logsumexp(dt_tensor *self, dt_dims dims, bool keepdim);
DT_API dt_tensor *dt_logsumexp_out(dt_tensor *self, dt_dims dims, bool keepdim,
                                   dt_tensor *out);

/* ---- Indices of extremes ------------------------------------------------ */

/*
 * Largest elements along a dimension and their indexes: NaN if any element is
 * NaN, the first of equal elements.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_max_dim(dt_tensor *self, int dim, bool keepdim,
                                        dt_tensor **values,
                                        dt_tensor **indices);

/*
 * Smallest elements along a dimension and their indexes: NaN if any element is
 * NaN, the first of equal elements.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_min_dim(dt_tensor *self, int dim, bool keepdim,
                                        dt_tensor **values,
                                        dt_tensor **indices);

/*
 * Indexes of the largest elements along a dimension: the first NaN, or the
 * first of equal elements.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_argmax(dt_tensor *self, int dim, bool keepdim);

/*
 * Indexes of the smallest elements along a dimension: the first NaN, or the
 * first of equal elements.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API dt_tensor *dt_argmin(dt_tensor *self, int dim, bool keepdim);

/*
 * Index of the largest element of a tensor in row-major order: argmax without a
 * dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmax_all(dt_tensor *self);

/*
 * Index of the smallest element of a tensor in row-major order: argmin without
 * a dimension.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_argmin_all(dt_tensor *self);

/* ---- Cumulative sums, products and extremes ----------------------------- */

/* Options of cumsum.  Begin with DT_CUMSUM_OPTIONS_INIT. */
typedef struct dt_cumsum_options {
    size_t size; /* sizeof(dt_cumsum_options) */
    /* dtype of the result, NULL for that of self, or i64 if self is integer or
     * bool */
    const dt_dtype *dtype;
} dt_cumsum_options;

#define DT_CUMSUM_OPTIONS_INIT \
    {sizeof(dt_cumsum_options), 0}

/*
 * Cumulative sum along a dimension; integers and bool in i64.  A sharded
 * dimension needs one collective with the local sums.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_cumsum(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumsum_with(dt_tensor *self, int dim,
                                 const dt_cumsum_options *options);
DT_API dt_tensor *dt_cumsum_(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumsum_with_(dt_tensor *self, int dim,
                                  const dt_cumsum_options *options);
DT_API dt_tensor *dt_cumsum_out(dt_tensor *self, int dim, dt_tensor *out);
DT_API dt_tensor *dt_cumsum_with_out(dt_tensor *self, int dim,
                                     const dt_cumsum_options *options,
                                     dt_tensor *out);

/* Options of cumprod.  Begin with DT_CUMPROD_OPTIONS_INIT. */
typedef struct dt_cumprod_options {
    size_t size; /* sizeof(dt_cumprod_options) */
    /* dtype of the result, NULL for that of self, or i64 if self is integer or
     * bool */
    const dt_dtype *dtype;
} dt_cumprod_options;

#define DT_CUMPROD_OPTIONS_INIT \
    {sizeof(dt_cumprod_options), 0}

/*
 * Cumulative product along a dimension; integers and bool in i64.  A sharded
 * dimension needs one collective with the local products.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_cumprod(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumprod_with(dt_tensor *self, int dim,
                                  const dt_cumprod_options *options);
DT_API dt_tensor *dt_cumprod_(dt_tensor *self, int dim);
DT_API dt_tensor *dt_cumprod_with_(dt_tensor *self, int dim,
                                   const dt_cumprod_options *options);
DT_API dt_tensor *dt_cumprod_out(dt_tensor *self, int dim, dt_tensor *out);
DT_API dt_tensor *dt_cumprod_with_out(dt_tensor *self, int dim,
                                      const dt_cumprod_options *options,
                                      dt_tensor *out);

/*
 * Cumulative maximum along a dimension, and its index: NaN after the first NaN,
 * the last of equal elements.  A sharded dimension needs one collective with
 * the local maxima.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_cummax(dt_tensor *self, int dim,
                                       dt_tensor **values,
                                       dt_tensor **indices);

/*
 * Cumulative minimum along a dimension, and its index: NaN after the first NaN,
 * the last of equal elements.  A sharded dimension needs one collective with
 * the local minima.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API DT_MUST_USE dt_status dt_cummin(dt_tensor *self, int dim,
                                       dt_tensor **values,
                                       dt_tensor **indices);

/*
 * Cumulative log(sum(exp(x))) along a dimension.  A sharded dimension needs one
 * collective with two numbers per rank.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 */
DT_API dt_tensor *dt_logcumsumexp(dt_tensor *self, int dim);
DT_API dt_tensor *dt_logcumsumexp_out(dt_tensor *self, int dim,
                                      dt_tensor *out);

/* ---- Sorting, top k and medians ----------------------------------------- */

/* Options of sort.  Begin with DT_SORT_OPTIONS_INIT. */
typedef struct dt_sort_options {
    size_t size; /* sizeof(dt_sort_options) */
    bool stable; /* has no effect: equal elements always keep their order */
} dt_sort_options;

#define DT_SORT_OPTIONS_INIT \
    {sizeof(dt_sort_options), false}

/*
 * Sort along a dimension, and return the index of each element before sorting.
 * NaN is larger than every number; equal elements keep their order, whether
 * `stable` or not.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - descending: the largest element comes first
 */
DT_API DT_MUST_USE dt_status dt_sort(dt_tensor *self, int dim, bool descending,
                                     dt_tensor **values, dt_tensor **indices);
DT_API DT_MUST_USE dt_status dt_sort_with(dt_tensor *self, int dim,
                                          bool descending,
                                          const dt_sort_options *options,
                                          dt_tensor **values,
                                          dt_tensor **indices);

/* Options of argsort.  Begin with DT_ARGSORT_OPTIONS_INIT. */
typedef struct dt_argsort_options {
    size_t size; /* sizeof(dt_argsort_options) */
    bool stable; /* has no effect: equal elements always keep their order */
} dt_argsort_options;

#define DT_ARGSORT_OPTIONS_INIT \
    {sizeof(dt_argsort_options), false}

/*
 * Indexes that sort the elements along a dimension.  NaN is larger than every
 * number; equal elements keep their order, whether `stable` or not.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - descending: the largest element comes first
 */
DT_API dt_tensor *dt_argsort(dt_tensor *self, int dim, bool descending);
DT_API dt_tensor *dt_argsort_with(dt_tensor *self, int dim, bool descending,
                                  const dt_argsort_options *options);

/*
 * The k largest or smallest elements along a dimension, always sorted.  NaN is
 * larger than every number; of equal elements the one with the smaller index
 * comes first.  A sharded dimension needs one collective with the local
 * candidates, unless k is more than half of a shard.
 *
 * Collective over the mesh of its tensors.
 * - k: number of elements
 * - dim: dimension; negative numbers count from the end
 * - largest: take the largest elements, otherwise the smallest
 * - sorted: has no effect: results are always sorted
 */
DT_API DT_MUST_USE dt_status dt_topk(dt_tensor *self, int64_t k, int dim,
                                     bool largest, bool sorted,
                                     dt_tensor **values, dt_tensor **indices);

/*
 * The k-th smallest element along a dimension, from 1, and its index.  NaN is
 * larger than every number; equal elements are in the order of their indexes.
 *
 * Collective over the mesh of its tensors.
 * - k: which element in ascending order, from 1
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_kthvalue(dt_tensor *self, int64_t k, int dim,
                                         bool keepdim, dt_tensor **values,
                                         dt_tensor **indices);

/*
 * Median along a dimension, the lower of two, and its index; the first NaN if
 * any element is NaN.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_median_dim(dt_tensor *self, int dim,
                                           bool keepdim, dt_tensor **values,
                                           dt_tensor **indices);

/*
 * Median along a dimension of elements that are not NaN, the lower of two, and
 * its index; NaN if all are NaN.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_nanmedian_dim(dt_tensor *self, int dim,
                                              bool keepdim, dt_tensor **values,
                                              dt_tensor **indices);

/*
 * Median of all elements, the lower of two; NaN if any element is NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_median(dt_tensor *self);

/*
 * Median of all elements that are not NaN, the lower of two; NaN if all are
 * NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nanmedian(dt_tensor *self);

/*
 * Most frequent element along a dimension, the smallest of several, and its
 * first index.  NaN is not equal to NaN.
 *
 * Collective over the mesh of its tensors.
 * - dim: dimension; negative numbers count from the end
 * - keepdim: keep reduced dimensions, with extent 1
 */
DT_API DT_MUST_USE dt_status dt_mode(dt_tensor *self, int dim, bool keepdim,
                                     dt_tensor **values, dt_tensor **indices);

/* ---- Histograms --------------------------------------------------------- */

/* Options of histc.  Begin with DT_HISTC_OPTIONS_INIT. */
typedef struct dt_histc_options {
    size_t size; /* sizeof(dt_histc_options) */
    int64_t bins; /* number of bins */
    dt_number min; /* lower edge of the first bin */
    /* upper edge of the last bin, or min to use the range of self */
    dt_number max;
} dt_histc_options;

#define DT_HISTC_OPTIONS_INIT \
    {sizeof(dt_histc_options), 100, {DT_KIND_SIGNED, {0}, 0}, \
     {DT_KIND_SIGNED, {0}, 0}}

/*
 * Histogram with bins of equal width between two bounds; if the bounds are
 * equal, between the smallest and the largest element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_histc(dt_tensor *self);
DT_API dt_tensor *dt_histc_with(dt_tensor *self,
                                const dt_histc_options *options);

/* Options of bincount.  Begin with DT_BINCOUNT_OPTIONS_INIT. */
typedef struct dt_bincount_options {
    size_t size; /* sizeof(dt_bincount_options) */
    int64_t minlength; /* least number of elements of the result */
} dt_bincount_options;

#define DT_BINCOUNT_OPTIONS_INIT \
    {sizeof(dt_bincount_options), 0}

/*
 * Count the occurrences of each integer from 0, or sum the weights of its
 * occurrences in f32 or f64.
 *
 * Collective over the mesh of its tensors.  `weights` may be NULL.
 */
DT_API dt_tensor *dt_bincount(dt_tensor *self, dt_tensor *weights);
DT_API dt_tensor *dt_bincount_with(dt_tensor *self, dt_tensor *weights,
                                   const dt_bincount_options *options);

/* clang-format on */

DT_EXTERN_C_END

#endif
