/* dtensor/ops/random.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_RANDOM_H
#define DTENSOR_OPS_RANDOM_H

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
 * Random numbers.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Dropout and random numbers ----------------------------------------- */

/* Options of dropout.  Begin with DT_DROPOUT_OPTIONS_INIT. */
typedef struct dt_dropout_options {
    size_t size; /* sizeof(dt_dropout_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_dropout_options;

#define DT_DROPOUT_OPTIONS_INIT \
    {sizeof(dt_dropout_options), 0}

/*
 * Set elements to 0 with probability `p` and divide the others by 1 - p, if
 * `train` is set; the same elements in every layout.
 *
 * Collective over the mesh of its tensors.
 * - p: probability that an element is set to 0
 * - train: drop elements; otherwise return them unchanged
 */
DT_API dt_tensor *dt_dropout(dt_tensor *self, double p, bool train);
DT_API dt_tensor *dt_dropout_with(dt_tensor *self, double p, bool train,
                                  const dt_dropout_options *options);
DT_API dt_tensor *dt_dropout_(dt_tensor *self, double p, bool train);
DT_API dt_tensor *dt_dropout_with_(dt_tensor *self, double p, bool train,
                                   const dt_dropout_options *options);

/* Options of normal.  Begin with DT_NORMAL_OPTIONS_INIT. */
typedef struct dt_normal_options {
    size_t size; /* sizeof(dt_normal_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_normal_options;

#define DT_NORMAL_OPTIONS_INIT \
    {sizeof(dt_normal_options), 0}

/*
 * Draw normal numbers for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - mean: mean of the normal distribution
 * - std: standard deviation of the normal distribution
 */
DT_API dt_tensor *dt_normal(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_normal_with(dt_tensor *self, double mean, double std,
                                 const dt_normal_options *options);
DT_API dt_tensor *dt_normal_(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_normal_with_(dt_tensor *self, double mean, double std,
                                  const dt_normal_options *options);

/* Options of uniform.  Begin with DT_UNIFORM_OPTIONS_INIT. */
typedef struct dt_uniform_options {
    size_t size; /* sizeof(dt_uniform_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_uniform_options;

#define DT_UNIFORM_OPTIONS_INIT \
    {sizeof(dt_uniform_options), 0}

/*
 * Draw uniform numbers from `from` to below `to` for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - from: lower bound, included
 * - to: upper bound, excluded
 */
DT_API dt_tensor *dt_uniform(dt_tensor *self, double from, double to);
DT_API dt_tensor *dt_uniform_with(dt_tensor *self, double from, double to,
                                  const dt_uniform_options *options);
DT_API dt_tensor *dt_uniform_(dt_tensor *self, double from, double to);
DT_API dt_tensor *dt_uniform_with_(dt_tensor *self, double from, double to,
                                   const dt_uniform_options *options);

/* Options of bernoulli.  Begin with DT_BERNOULLI_OPTIONS_INIT. */
typedef struct dt_bernoulli_options {
    size_t size; /* sizeof(dt_bernoulli_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_bernoulli_options;

#define DT_BERNOULLI_OPTIONS_INIT \
    {sizeof(dt_bernoulli_options), 0}

/*
 * Draw 1 with the probability given by each element, otherwise 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bernoulli(dt_tensor *self);
DT_API dt_tensor *dt_bernoulli_with(dt_tensor *self,
                                    const dt_bernoulli_options *options);
DT_API dt_tensor *dt_bernoulli_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_bernoulli_with_out(dt_tensor *self,
                                        const dt_bernoulli_options *options,
                                        dt_tensor *out);

/* Options of bernoulli_tensor.  Begin with DT_BERNOULLI_TENSOR_OPTIONS_INIT. */
typedef struct dt_bernoulli_tensor_options {
    size_t size; /* sizeof(dt_bernoulli_tensor_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_bernoulli_tensor_options;

#define DT_BERNOULLI_TENSOR_OPTIONS_INIT \
    {sizeof(dt_bernoulli_tensor_options), 0}

/*
 * Draw 1 with the probability given by each element of `p`, otherwise 0, for
 * each element of `self`.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bernoulli_tensor(dt_tensor *self, dt_tensor *p);
DT_API dt_tensor *dt_bernoulli_tensor_with(dt_tensor *self, dt_tensor *p,
                                           const dt_bernoulli_tensor_options *options);
DT_API dt_tensor *dt_bernoulli_tensor_(dt_tensor *self, dt_tensor *p);
DT_API dt_tensor *dt_bernoulli_tensor_with_(dt_tensor *self, dt_tensor *p,
                                            const dt_bernoulli_tensor_options *options);

/* Options of bernoulli_scalar.  Begin with DT_BERNOULLI_SCALAR_OPTIONS_INIT. */
typedef struct dt_bernoulli_scalar_options {
    size_t size; /* sizeof(dt_bernoulli_scalar_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_bernoulli_scalar_options;

#define DT_BERNOULLI_SCALAR_OPTIONS_INIT \
    {sizeof(dt_bernoulli_scalar_options), 0}

/*
 * Draw 1 with probability `p`, otherwise 0, for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - p: probability of 1
 */
DT_API dt_tensor *dt_bernoulli_scalar(dt_tensor *self, double p);
DT_API dt_tensor *dt_bernoulli_scalar_with(dt_tensor *self, double p,
                                           const dt_bernoulli_scalar_options *options);
DT_API dt_tensor *dt_bernoulli_scalar_(dt_tensor *self, double p);
DT_API dt_tensor *dt_bernoulli_scalar_with_(dt_tensor *self, double p,
                                            const dt_bernoulli_scalar_options *options);

/* Options of exponential.  Begin with DT_EXPONENTIAL_OPTIONS_INIT. */
typedef struct dt_exponential_options {
    size_t size; /* sizeof(dt_exponential_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_exponential_options;

#define DT_EXPONENTIAL_OPTIONS_INIT \
    {sizeof(dt_exponential_options), 0}

/*
 * Draw exponentially distributed numbers of rate `lambd` for each element of
 * `self`.
 *
 * Collective over the mesh of its tensors.
 * - lambd: rate
 */
DT_API dt_tensor *dt_exponential(dt_tensor *self, double lambd);
DT_API dt_tensor *dt_exponential_with(dt_tensor *self, double lambd,
                                      const dt_exponential_options *options);
DT_API dt_tensor *dt_exponential_(dt_tensor *self, double lambd);
DT_API dt_tensor *dt_exponential_with_(dt_tensor *self, double lambd,
                                       const dt_exponential_options *options);

/* Options of log_normal.  Begin with DT_LOG_NORMAL_OPTIONS_INIT. */
typedef struct dt_log_normal_options {
    size_t size; /* sizeof(dt_log_normal_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_log_normal_options;

#define DT_LOG_NORMAL_OPTIONS_INIT \
    {sizeof(dt_log_normal_options), 0}

/*
 * Draw log-normal numbers with the given mean and standard deviation of the
 * logarithm for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - mean: mean of the logarithm
 * - std: standard deviation of the logarithm
 */
DT_API dt_tensor *dt_log_normal(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_log_normal_with(dt_tensor *self, double mean, double std,
                                     const dt_log_normal_options *options);
DT_API dt_tensor *dt_log_normal_(dt_tensor *self, double mean, double std);
DT_API dt_tensor *dt_log_normal_with_(dt_tensor *self, double mean, double std,
                                      const dt_log_normal_options *options);

/* Options of geometric.  Begin with DT_GEOMETRIC_OPTIONS_INIT. */
typedef struct dt_geometric_options {
    size_t size; /* sizeof(dt_geometric_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_geometric_options;

#define DT_GEOMETRIC_OPTIONS_INIT \
    {sizeof(dt_geometric_options), 0}

/*
 * Draw the number of trials up to the first success, at least 1, for each
 * element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - p: probability of success
 */
DT_API dt_tensor *dt_geometric(dt_tensor *self, double p);
DT_API dt_tensor *dt_geometric_with(dt_tensor *self, double p,
                                    const dt_geometric_options *options);
DT_API dt_tensor *dt_geometric_(dt_tensor *self, double p);
DT_API dt_tensor *dt_geometric_with_(dt_tensor *self, double p,
                                     const dt_geometric_options *options);

/* Options of cauchy.  Begin with DT_CAUCHY_OPTIONS_INIT. */
typedef struct dt_cauchy_options {
    size_t size; /* sizeof(dt_cauchy_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_cauchy_options;

#define DT_CAUCHY_OPTIONS_INIT \
    {sizeof(dt_cauchy_options), 0}

/*
 * Draw numbers of a Cauchy distribution for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - median: location of the maximum
 * - sigma: half width at half maximum
 */
DT_API dt_tensor *dt_cauchy(dt_tensor *self, double median, double sigma);
DT_API dt_tensor *dt_cauchy_with(dt_tensor *self, double median, double sigma,
                                 const dt_cauchy_options *options);
DT_API dt_tensor *dt_cauchy_(dt_tensor *self, double median, double sigma);
DT_API dt_tensor *dt_cauchy_with_(dt_tensor *self, double median, double sigma,
                                  const dt_cauchy_options *options);

/* Options of random.  Begin with DT_RANDOM_OPTIONS_INIT. */
typedef struct dt_random_options {
    size_t size; /* sizeof(dt_random_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_random_options;

#define DT_RANDOM_OPTIONS_INIT \
    {sizeof(dt_random_options), 0}

/*
 * Draw integers from `from` to below `to` for each element of `self`.
 *
 * Collective over the mesh of its tensors.
 * - from: lower bound, included
 * - to: upper bound, excluded
 */
DT_API dt_tensor *dt_random(dt_tensor *self, int64_t from, int64_t to);
DT_API dt_tensor *dt_random_with(dt_tensor *self, int64_t from, int64_t to,
                                 const dt_random_options *options);
DT_API dt_tensor *dt_random_(dt_tensor *self, int64_t from, int64_t to);
DT_API dt_tensor *dt_random_with_(dt_tensor *self, int64_t from, int64_t to,
                                  const dt_random_options *options);

/* Options of multinomial.  Begin with DT_MULTINOMIAL_OPTIONS_INIT. */
typedef struct dt_multinomial_options {
    size_t size; /* sizeof(dt_multinomial_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_multinomial_options;

#define DT_MULTINOMIAL_OPTIONS_INIT \
    {sizeof(dt_multinomial_options), 0}

/*
 * Draw indexes of each row with its elements as weights; without `replacement`
 * they are distinct.
 *
 * Collective over the mesh of its tensors.
 * - num_samples: number of samples for each row
 * - replacement: an index may be drawn several times
 */
DT_API dt_tensor *dt_multinomial(dt_tensor *self, int64_t num_samples,
                                 bool replacement);
DT_API dt_tensor *dt_multinomial_with(dt_tensor *self, int64_t num_samples,
                                      bool replacement,
                                      const dt_multinomial_options *options);
DT_API dt_tensor *dt_multinomial_out(dt_tensor *self, int64_t num_samples,
                                     bool replacement, dt_tensor *out);
DT_API dt_tensor *dt_multinomial_with_out(dt_tensor *self, int64_t num_samples,
                                          bool replacement,
                                          const dt_multinomial_options *options,
                                          dt_tensor *out);

/* Options of trunc_normal.  Begin with DT_TRUNC_NORMAL_OPTIONS_INIT. */
typedef struct dt_trunc_normal_options {
    size_t size; /* sizeof(dt_trunc_normal_options) */
    /* random number generator; NULL: that of the mesh */
    dt_generator *generator;
} dt_trunc_normal_options;

#define DT_TRUNC_NORMAL_OPTIONS_INIT \
    {sizeof(dt_trunc_normal_options), 0}

/*
 * Fill with normal numbers, truncated to the interval from `a` to `b`.
 *
 * Collective over the mesh of its tensors.
 * - mean: mean of the normal distribution
 * - std: standard deviation of the normal distribution
 * - a: lower end of the interval
 * - b: upper end of the interval
 */
DT_API dt_tensor *dt_trunc_normal(dt_tensor *self, double mean, double std,
                                  double a, double b);
DT_API dt_tensor *dt_trunc_normal_with(dt_tensor *self, double mean, double std,
                                       double a, double b,
                                       const dt_trunc_normal_options *options);
DT_API dt_tensor *dt_trunc_normal_(dt_tensor *self, double mean, double std,
                                   double a, double b);
DT_API dt_tensor *dt_trunc_normal_with_(dt_tensor *self, double mean,
                                        double std, double a, double b,
                                        const dt_trunc_normal_options *options);

/* clang-format on */

DT_EXTERN_C_END

#endif
