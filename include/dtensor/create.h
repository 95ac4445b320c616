/* dtensor/create.h - tensors made from nothing. */
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
 * The rules that hold for every function below.
 *
 * - Each rank computes its own part; nothing is sent.  None is collective, but
 *   the ranks of the mesh must call them alike for the tensor to be one.
 * - In a partial layout, what the ranks hold combines to the value asked for.
 * - The `_like` forms take mesh, shape, strides, dtype and layout of a tensor,
 *   replicated where that is partial; dt_empty_like keeps it partial.
 * - Random numbers depend on the generator, the shape and the dtype; never on
 *   the mesh, the layout or the number of ranks.  The generator is that of the
 *   mesh, dt_mesh_generator, or for the `_from` forms the one given.
 */

DT_EXTERN_C_BEGIN

/* Every element the same.  Not collective. */
DT_API dt_tensor *dt_empty(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape); /* not set */
DT_API dt_tensor *dt_zeros(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                           dt_shape shape);
DT_API dt_tensor *dt_ones(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          dt_shape shape);
DT_API dt_tensor *dt_full(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                          dt_shape shape, double value);
DT_API dt_tensor *dt_full_int(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              dt_shape shape, int64_t value);

/*
 * Numbers from `start` on, `step` apart, before `end`; in integers, exactly.
 *
 * Not collective.  DT_ERR_INVALID if the step is 0 or leads away from the end.
 */
DT_API dt_tensor *dt_arange(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                            double start, double end, double step);
DT_API dt_tensor *dt_arange_int(dt_mesh *mesh, const char *layout,
                                dt_dtype dtype, int64_t start, int64_t end,
                                int64_t step);

/* `steps` evenly spaced numbers, from `start` to `end`, both included.
 * Not collective. */
DT_API dt_tensor *dt_linspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              double start, double end, int64_t steps);

/* Exponents, and what they are exponents of. */
typedef struct dt_logspace_options {
    size_t size; /* sizeof(dt_logspace_options) */
    double start;
    double end;
    int64_t steps;
    double base; /* 0: ten */
} dt_logspace_options;

#define DT_LOGSPACE_OPTIONS_INIT                                               \
    {                                                                          \
        sizeof(dt_logspace_options), 0, 0, 0, 0                                \
    }

/* Powers of a base with evenly spaced exponents.  Not collective. */
DT_API dt_tensor *dt_logspace(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              const dt_logspace_options *options);

/* Ones on the diagonal, zeros elsewhere.  Not collective. */
DT_API dt_tensor *dt_eye(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         int64_t rows, int64_t columns);

/* Uniform on [0, 1); normal with mean 0 and variance 1.  Not collective. */
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

/* A range of integers. */
typedef struct dt_randint_options {
    size_t size; /* sizeof(dt_randint_options) */
    int64_t low;
    int64_t high;            /* not included */
    dt_generator *generator; /* NULL: that of the mesh */
} dt_randint_options;

#define DT_RANDINT_OPTIONS_INIT                                                \
    {                                                                          \
        sizeof(dt_randint_options), 0, 0, 0                                    \
    }

/* Integers of a range, all equally likely.  Not collective. */
DT_API dt_tensor *dt_randint(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                             dt_shape shape, const dt_randint_options *options);

/*
 * The numbers below `count` in a random order.
 *
 * Not collective.  Every rank has all of them for a moment.  DT_ERR_INVALID if
 * the dtype does not hold them all.
 */
DT_API dt_tensor *dt_randperm(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                              int64_t count);

/* Like a tensor.  Not collective.  NULL gives NULL. */
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
