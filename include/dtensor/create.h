/* dtensor/create.h - creating tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_CREATE_H
#define DTENSOR_CREATE_H

#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/mesh.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/tensor.h>

/*
 * Rules for all functions of this header.
 *
 * - Each rank computes its own shard and nothing is sent.  No function is
 *   collective, but all ranks of the mesh must make the same call.
 * - A NULL layout means replicated along every mesh dimension.
 * - With a partial layout, the local values reduce to the requested value.
 * - The `_like` functions use mesh, shape, strides, dtype and layout of a
 *   tensor, with partial placements replaced by replicated ones; dt_empty_like
 *   keeps them partial.
 * - Random numbers depend on the generator, the shape and the dtype, but not on
 *   the mesh, the layout or the number of ranks.  The generator is that of the
 *   mesh (dt_mesh_generator), or the argument of a `_from` function.
 */

DT_EXTERN_C_BEGIN

/* Create a tensor with all elements equal.  Not collective. */
DT_API dt_tensor *dt_empty(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape); /* uninitialised */
DT_API dt_tensor *dt_zeros(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape);
DT_API dt_tensor *dt_ones(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          dt_shape shape);
DT_API dt_tensor *dt_full(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          dt_shape shape, double value);
DT_API dt_tensor *dt_full_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              dt_shape shape, int64_t value);

/*
 * Create a 1-d tensor with the numbers start, start + step, ... before `end`.
 * dt_arange_int computes in integers, without rounding.
 *
 * Not collective.  DT_ERR_INVALID if the step is 0 or has the wrong sign.
 */
DT_API dt_tensor *dt_arange(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                            double start, double end, double step);
DT_API dt_tensor *dt_arange_int(dt_mesh *mesh, const char *layout,
                                dt_dtype dtype, int64_t start, int64_t end,
                                int64_t step);

/* Create a 1-d tensor with `steps` evenly spaced numbers from `start` to `end`,
 * including both.  Not collective. */
DT_API dt_tensor *dt_linspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              double start, double end, int64_t steps);

/* Options of dt_logspace. */
typedef struct dt_logspace_options {
    size_t size;   /* sizeof(dt_logspace_options) */
    double start;  /* first exponent */
    double end;    /* last exponent */
    int64_t steps; /* number of elements */
    double base;   /* 0: 10 */
} dt_logspace_options;

#define DT_LOGSPACE_OPTIONS_INIT                                               \
    {                                                                          \
        sizeof(dt_logspace_options), 0, 0, 0, 0                                \
    }

/* Create a 1-d tensor with powers of a base whose exponents are evenly spaced.
 * Not collective. */
DT_API dt_tensor *dt_logspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              const dt_logspace_options *options);

/* Create a matrix with ones on the diagonal and zeros elsewhere.
 * Not collective. */
DT_API dt_tensor *dt_eye(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         int64_t rows, int64_t columns);

/* Create a tensor of random numbers: uniform on [0, 1), or normal with mean 0
 * and variance 1.  Not collective. */
DT_API dt_tensor *dt_rand(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          dt_shape shape);
DT_API dt_tensor *dt_randn(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape);
DT_API dt_tensor *dt_rand_from(dt_generator *generator, dt_mesh *mesh,
                               const char *layout, dt_dtype dtype,
                               dt_shape shape);
DT_API dt_tensor *dt_randn_from(dt_generator *generator, dt_mesh *mesh,
                                const char *layout, dt_dtype dtype,
                                dt_shape shape);

/* Options of dt_randint. */
typedef struct dt_randint_options {
    size_t size;             /* sizeof(dt_randint_options) */
    int64_t low;             /* smallest value */
    int64_t high;            /* largest value plus 1 */
    dt_generator *generator; /* NULL: the generator of the mesh */
} dt_randint_options;

#define DT_RANDINT_OPTIONS_INIT                                                \
    {                                                                          \
        sizeof(dt_randint_options), 0, 0, 0                                    \
    }

/* Create a tensor of random integers from `low` to `high` - 1, uniformly
 * distributed.  Not collective. */
DT_API dt_tensor *dt_randint(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                             dt_shape shape, const dt_randint_options *options);

/*
 * Create a 1-d tensor with the numbers 0 to `count` - 1 in random order.
 *
 * Not collective.  Every rank temporarily stores all numbers.  DT_ERR_INVALID
 * if the dtype cannot represent them.
 */
DT_API dt_tensor *dt_randperm(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              int64_t count);

/* Create a tensor with the properties of another tensor.  Not collective.
 * Returns NULL if the tensor is NULL. */
DT_API dt_tensor *dt_empty_like(dt_tensor *tensor);
DT_API dt_tensor *dt_zeros_like(dt_tensor *tensor);
DT_API dt_tensor *dt_ones_like(dt_tensor *tensor);
DT_API dt_tensor *dt_full_like(dt_tensor *tensor, double value);
DT_API dt_tensor *dt_full_int_like(dt_tensor *tensor, int64_t value);
DT_API dt_tensor *dt_rand_like(dt_tensor *tensor);
DT_API dt_tensor *dt_randn_like(dt_tensor *tensor);
DT_API dt_tensor *dt_randint_like(dt_tensor *tensor,
                                  const dt_randint_options *options);

DT_EXTERN_C_END

#endif
