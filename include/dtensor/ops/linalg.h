/* dtensor/ops/linalg.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_LINALG_H
#define DTENSOR_OPS_LINALG_H

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
 * Linear algebra.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Matrix products ---------------------------------------------------- */

/*
 * Matrix product.  A vector is a row on the left, a column on the right;
 * dimensions before the last two are a batch and are broadcast.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_matmul(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_matmul_out(dt_tensor *self, dt_tensor *other,
                                dt_tensor *out);

/*
 * Multiply two matrices.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mm(dt_tensor *self, dt_tensor *mat2);
DT_API dt_tensor *dt_mm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out);

/*
 * Multiply a matrix by a vector.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mv(dt_tensor *self, dt_tensor *vec);
DT_API dt_tensor *dt_mv_out(dt_tensor *self, dt_tensor *vec, dt_tensor *out);

/*
 * Dot product of two vectors.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_dot(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_dot_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/*
 * Multiply two batches of matrices.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bmm(dt_tensor *self, dt_tensor *mat2);
DT_API dt_tensor *dt_bmm_out(dt_tensor *self, dt_tensor *mat2, dt_tensor *out);

/* Options of addmm.  Begin with DT_ADDMM_OPTIONS_INIT. */
typedef struct dt_addmm_options {
    size_t size; /* sizeof(dt_addmm_options) */
    dt_number beta; /* multiplier of self; if 0, self is not read */
    dt_number alpha; /* multiplier of the product */
} dt_addmm_options;

#define DT_ADDMM_OPTIONS_INIT \
    {sizeof(dt_addmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * (mat1 @ mat2); self is broadcast, and not read if beta
 * is 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addmm(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2);
DT_API dt_tensor *dt_addmm_with(dt_tensor *self, dt_tensor *mat1,
                                dt_tensor *mat2,
                                const dt_addmm_options *options);
DT_API dt_tensor *dt_addmm_(dt_tensor *self, dt_tensor *mat1, dt_tensor *mat2);
DT_API dt_tensor *dt_addmm_with_(dt_tensor *self, dt_tensor *mat1,
                                 dt_tensor *mat2,
                                 const dt_addmm_options *options);
DT_API dt_tensor *dt_addmm_out(dt_tensor *self, dt_tensor *mat1,
                               dt_tensor *mat2, dt_tensor *out);
DT_API dt_tensor *dt_addmm_with_out(dt_tensor *self, dt_tensor *mat1,
                                    dt_tensor *mat2,
                                    const dt_addmm_options *options,
                                    dt_tensor *out);

/* Options of baddbmm.  Begin with DT_BADDBMM_OPTIONS_INIT. */
typedef struct dt_baddbmm_options {
    size_t size; /* sizeof(dt_baddbmm_options) */
    dt_number beta; /* multiplier of self; if 0, self is not read */
    dt_number alpha; /* multiplier of the product */
} dt_baddbmm_options;

#define DT_BADDBMM_OPTIONS_INIT \
    {sizeof(dt_baddbmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * (batch1 @ batch2) for batches of matrices.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_baddbmm(dt_tensor *self, dt_tensor *batch1,
                             dt_tensor *batch2);
DT_API dt_tensor *dt_baddbmm_with(dt_tensor *self, dt_tensor *batch1,
                                  dt_tensor *batch2,
                                  const dt_baddbmm_options *options);
DT_API dt_tensor *dt_baddbmm_(dt_tensor *self, dt_tensor *batch1,
                              dt_tensor *batch2);
DT_API dt_tensor *dt_baddbmm_with_(dt_tensor *self, dt_tensor *batch1,
                                   dt_tensor *batch2,
                                   const dt_baddbmm_options *options);
DT_API dt_tensor *dt_baddbmm_out(dt_tensor *self, dt_tensor *batch1,
                                 dt_tensor *batch2, dt_tensor *out);
DT_API dt_tensor *dt_baddbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                                      dt_tensor *batch2,
                                      const dt_baddbmm_options *options,
                                      dt_tensor *out);

/* Options of addmv.  Begin with DT_ADDMV_OPTIONS_INIT. */
typedef struct dt_addmv_options {
    size_t size; /* sizeof(dt_addmv_options) */
    dt_number beta; /* multiplier of self; if 0, self is not read */
    dt_number alpha; /* multiplier of the product */
} dt_addmv_options;

#define DT_ADDMV_OPTIONS_INIT \
    {sizeof(dt_addmv_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * (mat @ vec).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addmv(dt_tensor *self, dt_tensor *mat, dt_tensor *vec);
DT_API dt_tensor *dt_addmv_with(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                                const dt_addmv_options *options);
DT_API dt_tensor *dt_addmv_(dt_tensor *self, dt_tensor *mat, dt_tensor *vec);
DT_API dt_tensor *dt_addmv_with_(dt_tensor *self, dt_tensor *mat,
                                 dt_tensor *vec,
                                 const dt_addmv_options *options);
DT_API dt_tensor *dt_addmv_out(dt_tensor *self, dt_tensor *mat, dt_tensor *vec,
                               dt_tensor *out);
DT_API dt_tensor *dt_addmv_with_out(dt_tensor *self, dt_tensor *mat,
                                    dt_tensor *vec,
                                    const dt_addmv_options *options,
                                    dt_tensor *out);

/* Options of addr.  Begin with DT_ADDR_OPTIONS_INIT. */
typedef struct dt_addr_options {
    size_t size; /* sizeof(dt_addr_options) */
    dt_number beta; /* multiplier of self; if 0, self is not read */
    dt_number alpha; /* multiplier of the outer product */
} dt_addr_options;

#define DT_ADDR_OPTIONS_INIT \
    {sizeof(dt_addr_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * outer(vec1, vec2).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addr(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2);
DT_API dt_tensor *dt_addr_with(dt_tensor *self, dt_tensor *vec1,
                               dt_tensor *vec2,
                               const dt_addr_options *options);
DT_API dt_tensor *dt_addr_(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2);
DT_API dt_tensor *dt_addr_with_(dt_tensor *self, dt_tensor *vec1,
                                dt_tensor *vec2,
                                const dt_addr_options *options);
DT_API dt_tensor *dt_addr_out(dt_tensor *self, dt_tensor *vec1, dt_tensor *vec2,
                              dt_tensor *out);
DT_API dt_tensor *dt_addr_with_out(dt_tensor *self, dt_tensor *vec1,
                                   dt_tensor *vec2,
                                   const dt_addr_options *options,
                                   dt_tensor *out);

/* Options of addbmm.  Begin with DT_ADDBMM_OPTIONS_INIT. */
typedef struct dt_addbmm_options {
    size_t size; /* sizeof(dt_addbmm_options) */
    dt_number beta; /* multiplier of self; if 0, self is not read */
    dt_number alpha; /* multiplier of the product */
} dt_addbmm_options;

#define DT_ADDBMM_OPTIONS_INIT \
    {sizeof(dt_addbmm_options), {DT_KIND_SIGNED, {1}, 0}, \
     {DT_KIND_SIGNED, {1}, 0}}

/*
 * beta * self + alpha * sum over the batch of batch1 @ batch2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addbmm(dt_tensor *self, dt_tensor *batch1,
                            dt_tensor *batch2);
DT_API dt_tensor *dt_addbmm_with(dt_tensor *self, dt_tensor *batch1,
                                 dt_tensor *batch2,
                                 const dt_addbmm_options *options);
DT_API dt_tensor *dt_addbmm_(dt_tensor *self, dt_tensor *batch1,
                             dt_tensor *batch2);
DT_API dt_tensor *dt_addbmm_with_(dt_tensor *self, dt_tensor *batch1,
                                  dt_tensor *batch2,
                                  const dt_addbmm_options *options);
DT_API dt_tensor *dt_addbmm_out(dt_tensor *self, dt_tensor *batch1,
                                dt_tensor *batch2, dt_tensor *out);
DT_API dt_tensor *dt_addbmm_with_out(dt_tensor *self, dt_tensor *batch1,
                                     dt_tensor *batch2,
                                     const dt_addbmm_options *options,
                                     dt_tensor *out);

/*
 * input @ weight^T + bias.
 *
 * Collective over the mesh of its tensors.  `bias` may be NULL.
 */
DT_API dt_tensor *dt_linear(dt_tensor *input, dt_tensor *weight,
                            dt_tensor *bias);
DT_API dt_tensor *dt_linear_out(dt_tensor *input, dt_tensor *weight,
                                dt_tensor *bias, dt_tensor *out);

/* ---- Outer, inner and tensor products ----------------------------------- */

/*
 * Outer product of two vectors.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_outer(dt_tensor *self, dt_tensor *vec2);
DT_API dt_tensor *dt_outer_out(dt_tensor *self, dt_tensor *vec2,
                               dt_tensor *out);

/*
 * Sum of products over the last dimension of both tensors; a 0-d tensor
 * multiplies every element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_inner(dt_tensor *self, dt_tensor *other);

/*
 * Dot product of two vectors, the first one conjugated.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_vdot(dt_tensor *self, dt_tensor *other);

/*
 * Sum of products over pairs of dimensions; the result has the remaining
 * dimensions of the first tensor, then those of the second.
 *
 * Collective over the mesh of its tensors.
 * - dims_self: dimensions of self to sum over
 * - dims_other: dimensions of other to sum over, in pairs with dims_self
 */
DT_API dt_tensor *dt_tensordot(dt_tensor *self, dt_tensor *other,
                               const int64_t *dims_self, int dims_self_count,
                               const int64_t *dims_other,
                               int dims_other_count);

/* ---- Einstein summation ------------------------------------------------- */

/*
 * Sum of products of any number of tensors by an equation; pairs are contracted
 * in the order that takes the fewest operations.
 *
 * Collective over the mesh of its tensors.
 * - equation: subscripts, for example "bij,bjk->bik"
 */
DT_API dt_tensor *dt_einsum(const char *equation, dt_tensor *const *operands,
                            int operands_count);

/* ---- Diagonals ---------------------------------------------------------- */

/*
 * View a diagonal of two dimensions as the last dimension; a positive offset is
 * above the main diagonal.
 *
 * Collective over the mesh of its tensors.  The result is a view of its first
 * tensor.
 * - offset: number of the diagonal; 0: the main one, positive: above
 * - dim1: dimension of the rows of the diagonal
 * - dim2: dimension of the columns of the diagonal
 */
DT_API dt_tensor *dt_diagonal(dt_tensor *self, int64_t offset, int dim1,
                              int dim2);

/*
 * Copy a tensor with a diagonal of two dimensions taken from src, whose last
 * dimension it is.
 *
 * Collective over the mesh of its tensors.
 * - offset: number of the diagonal; 0: the main one, positive: above
 * - dim1: dimension of the rows of the diagonal
 * - dim2: dimension of the columns of the diagonal
 */
DT_API dt_tensor *dt_diagonal_scatter(dt_tensor *self, dt_tensor *src,
                                      int64_t offset, int dim1, int dim2);
DT_API dt_tensor *dt_diagonal_scatter_out(dt_tensor *self, dt_tensor *src,
                                          int64_t offset, int dim1, int dim2,
                                          dt_tensor *out);

/* Options of diag_embed.  Begin with DT_DIAG_EMBED_OPTIONS_INIT. */
typedef struct dt_diag_embed_options {
    size_t size; /* sizeof(dt_diag_embed_options) */
    /* number of the diagonal; 0: the main one, positive: above */
    int64_t offset;
    int dim1; /* dimension of the rows of the diagonal */
    int dim2; /* dimension of the columns of the diagonal */
} dt_diag_embed_options;

#define DT_DIAG_EMBED_OPTIONS_INIT \
    {sizeof(dt_diag_embed_options), 0, -2, -1}

/*
 * Expand the last dimension into a diagonal of two dimensions, with zeros
 * elsewhere; a positive offset is above the main diagonal.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_diag_embed(dt_tensor *self);
DT_API dt_tensor *dt_diag_embed_with(dt_tensor *self,
                                     const dt_diag_embed_options *options);
DT_API dt_tensor *dt_diag_embed_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_diag_embed_with_out(dt_tensor *self,
                                         const dt_diag_embed_options *options,
                                         dt_tensor *out);

/* ---- Triangles ---------------------------------------------------------- */

/*
 * Lower triangle of matrices including a diagonal, zeros elsewhere; a positive
 * number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 * - diagonal: number of the diagonal; 0: the main one, positive: above
 */
DT_API dt_tensor *dt_tril(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_tril_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/*
 * Upper triangle of matrices including a diagonal, zeros elsewhere; a positive
 * number is a diagonal above the main one.
 *
 * Collective over the mesh of its tensors.
 * - diagonal: number of the diagonal; 0: the main one, positive: above
 */
DT_API dt_tensor *dt_triu(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_(dt_tensor *self, int64_t diagonal);
DT_API dt_tensor *dt_triu_out(dt_tensor *self, int64_t diagonal,
                              dt_tensor *out);

/* clang-format on */

DT_EXTERN_C_END

#endif
