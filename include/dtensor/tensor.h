/* dtensor/tensor.h - tensors distributed over the ranks of a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_TENSOR_H
#define DTENSOR_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/array.h>
#include <dtensor/dtype.h>
#include <dtensor/mesh.h>
#include <dtensor/number.h>
#include <dtensor/scope.h>
#include <dtensor/shape.h>
#include <dtensor/spec.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A distributed tensor: a spec, which is the same on every rank, and this
 * rank's local array.  On a rank outside the mesh the local array is
 * one-dimensional and empty.
 *
 * Functions that return a tensor return NULL on failure; dt_world_error has the
 * error.  If a tensor argument is NULL, the result is NULL and the first error
 * is kept, so calls can be nested and checked once:
 *
 *     y = dt_relu(dt_matmul(x, w));
 *     if (!y)
 *         return dt_world_error(world)->code;
 *
 * The returned tensor belongs to the innermost open scope.
 */
typedef struct dt_tensor dt_tensor;

/* ---- Ownership ----------------------------------------------------------- */

/* Add a reference, so that a tensor outlives its scope; returns its argument.
 * Not collective.  The caller releases the tensor with dt_tensor_release.  NULL
 * is allowed. */
DT_API dt_tensor *dt_tensor_retain(dt_tensor *tensor);

/* Drop a reference that dt_tensor_retain added.  Not collective.  NULL is
 * allowed. */
DT_API void dt_tensor_release(dt_tensor *tensor);

/*
 * Move a tensor from its scope to the enclosing scope; returns its argument.
 *
 * Not collective.  NULL is allowed.
 */
DT_API dt_tensor *dt_scope_keep(dt_tensor *tensor);

/* Release a tensor before its scope closes.  The tensor is freed unless it was
 * retained.  Not collective.  NULL is allowed. */
DT_API void dt_tensor_release_early(dt_tensor *tensor);

/* ---- Properties ---------------------------------------------------------- */

/* Not collective.  Returned pointers are borrowed.  A NULL tensor returns 0,
 * false or NULL, and the dtype DT_DTYPE_COUNT; an out-of-range dimension
 * returns 0. */
DT_API dt_world *dt_tensor_world(const dt_tensor *tensor);
DT_API dt_spec *dt_tensor_spec(const dt_tensor *tensor);
DT_API dt_mesh *dt_tensor_mesh(const dt_tensor *tensor);
DT_API const dt_layout *dt_tensor_layout(const dt_tensor *tensor);
DT_API dt_dtype dt_tensor_dtype(const dt_tensor *tensor);
DT_API dt_shape dt_tensor_shape(const dt_tensor *tensor); /* global */
DT_API int dt_tensor_ndim(const dt_tensor *tensor);
DT_API int64_t dt_tensor_extent(const dt_tensor *tensor, int dim); /* global */
DT_API int64_t dt_tensor_stride(const dt_tensor *tensor,
                                int dim); /* global, in elements */
DT_API int64_t dt_tensor_count(const dt_tensor *tensor); /* global elements */

/*
 * Views.  The result of a slice, a reshape and similar operators is a view of
 * its input, the base: a write to one is visible in the other.
 *
 * If every rank stores locally all that its part of the view needs, the view
 * shares memory with the base.  Otherwise, for example for a slice of a sharded
 * dimension, the view is a copy that operators keep equal to the base.  A write
 * to the view also writes the base.  After a write to the base the view is
 * stale, and the next collective function that takes it as an argument reads it
 * again.  Functions that are not collective fail with DT_ERR_INVALID if their
 * tensor is stale.
 *
 * Writes through dt_array_data are not tracked.  The local array of a copied
 * view is read-only.
 */

/*
 * Update a stale copied view from its base, so that it can be passed to
 * functions that are not collective.  Other tensors are unchanged.
 *
 * Collective over the mesh.
 */
DT_API DT_MUST_USE dt_status dt_tensor_refresh(dt_tensor *tensor);

/*
 * Return this rank's local array of a tensor.
 *
 * Not collective.  The array is borrowed from the tensor; retain it to keep it.
 * The array of a copied view is read-only, and NULL while the view is stale.
 */
DT_API dt_array *dt_tensor_local(const dt_tensor *tensor);

/*
 * Return the mask of a masked partial tensor, or NULL if it has none.  The mask
 * is true for elements, or rows of the first dimensions, that are zero on this
 * rank because another rank stores them.  The value of the tensor depends on
 * its elements only, not on the mask.
 *
 * Not collective.  Borrowed from the tensor.
 */
DT_API dt_array *dt_tensor_mask(const dt_tensor *tensor);

/* ---- Distributing and collecting ----------------------------------------- */

/* A value for `source`: every rank has the global array. */
#define DT_EVERYWHERE (-1)

/*
 * Distribute an array over a mesh.
 *
 * Collective over the mesh.  World rank `source`, which must be in the mesh,
 * supplies the global array; the other ranks may pass NULL.  If `source` is
 * DT_EVERYWHERE, every rank supplies the global array and nothing is sent.  The
 * new tensor is row-major and does not share memory with the array.  A NULL
 * layout means replicated along every mesh dimension.  The layout may be
 * partial: the local values then reduce to the array exactly, except for avg,
 * which rounds.
 *
 * If the array of the source does not have this dtype and shape, the source
 * fails with DT_ERR_INVALID and the other ranks with DT_ERR_PEER, in this call
 * or, if it sends them nothing, in their next collective.
 */
DT_API dt_tensor *dt_distribute(dt_mesh *mesh, const char *layout,
                                dt_dtype dtype, dt_shape shape, dt_array *array,
                                int source);

/* Options of dt_from_local_with.  Zeros are the defaults. */
typedef struct dt_from_local_options {
    size_t size;           /* sizeof(dt_from_local_options) */
    const dt_shape *shape; /* global shape; NULL: all shards have the same shape
                              as this one */
    const int64_t *strides; /* global strides, required if shape is set */
    bool check; /* compare across the ranks of the mesh, which makes the call
                   collective */
    /* Layout of the gradient whose local parts the local tensors get; NULL:
     * that of the tensor, with partial placements replaced by replicated ones.
     */
    const char *grad_layout;
} dt_from_local_options;

#define DT_FROM_LOCAL_OPTIONS_INIT                                             \
    {                                                                          \
        sizeof(dt_from_local_options), 0, 0, false, 0                          \
    }

/*
 * Create a tensor whose local array on this rank is `local`.  Memory is shared.
 *
 * Not collective, but all ranks of the mesh must call it with consistent
 * arguments.  All local arrays are assumed to have the same shape.  A NULL
 * layout means replicated along every mesh dimension.  A rank outside the mesh
 * passes an array of the same dtype and shape, whose elements are ignored.
 * Arrays may be strided, and strides may differ between ranks.
 */
DT_API dt_tensor *dt_from_local(dt_mesh *mesh, const char *layout,
                                dt_array *local);

/*
 * Create a tensor from local arrays, with options: any global shape, and a
 * check across the ranks.
 *
 * Collective over the mesh if `check` is set: the ranks compare dtypes, shapes,
 * strides, and the bits of replicas.  If these disagree, all ranks fail with
 * DT_ERR_INVALID, and dt_world_recover is not needed.  Without `check` it is
 * not collective, and a local array of the wrong shape is an error on that rank
 * only.
 */
DT_API dt_tensor *dt_from_local_with(dt_mesh *mesh, const char *layout,
                                     dt_array *local,
                                     const dt_from_local_options *options);

/*
 * Create a tensor from local tensors, which are on the rank's own mesh, for
 * example from dt_to_local.  `options` may be NULL.
 *
 * Collective over the mesh if `check` is set, like dt_from_local_with.
 */
DT_API dt_tensor *dt_from_local_tensor(dt_mesh *mesh, const char *layout,
                                       dt_tensor *local,
                                       const dt_from_local_options *options);

/*
 * Return this rank's local tensor, a tensor on the rank's own mesh that shares
 * memory with it.
 *
 * Not collective.  The local tensor of a copied view is read-only;
 * DT_ERR_INVALID if the view is stale.  Copied views of `tensor` do not observe
 * writes that a rank makes through the local tensor: reading such a view
 * afterwards is an error until it is created again.
 */
DT_API dt_tensor *dt_to_local(dt_tensor *tensor);

/* Options of dt_to_local_with and dt_full_tensor_with.  Zeros are the defaults.
 */
typedef struct dt_to_local_options {
    size_t size; /* sizeof(dt_to_local_options) */
    /* The layout in which the gradients of the local tensors are read; NULL:
     * that of the tensor, with partial placements replaced by replicated ones.
     * For example "P": each rank computes an addend of the gradient. */
    const char *grad_layout;
} dt_to_local_options;

#define DT_TO_LOCAL_OPTIONS_INIT                                               \
    {                                                                          \
        sizeof(dt_to_local_options), 0                                         \
    }

/* The same with options, which may be NULL.  Not collective. */
DT_API dt_tensor *dt_to_local_with(dt_tensor *tensor,
                                   const dt_to_local_options *options);

/*
 * Split a tensor into its local array and its spec, and build a tensor from the
 * two.
 *
 * Not collective.  The caller releases the array and the spec.
 * dt_tensor_assemble fails with DT_ERR_INVALID if dtype or local shape of the
 * array do not match the spec.  The two tensors share memory but not their
 * history: neither knows of writes to the other, and no gradient leads from one
 * to the other; dt_from_local and dt_to_local are followed by gradients.
 */
DT_API DT_MUST_USE dt_status dt_tensor_disassemble(dt_tensor *tensor,
                                                   dt_array **array,
                                                   dt_spec **spec);
DT_API dt_tensor *dt_tensor_assemble(dt_spec *spec, dt_array *array);

/* ---- Boxes -------------------------------------------------------------- */

/* A box of a global tensor: indexes offset[i] to offset[i] + size[i] - 1 of
 * dimension i. */
typedef struct dt_box {
    int ndim;
    int64_t offset[DT_MAX_NDIM]; /* first index in each dimension */
    int64_t size[DT_MAX_NDIM];   /* number of indexes in each dimension */
} dt_box;

/*
 * Read one box of a tensor into a local array.
 *
 * Collective over the mesh; each rank chooses its own box.  A rank whose `box`
 * is NULL or empty reads nothing and only serves the others.  The array must
 * have the dtype of the tensor and the shape of the box; any strides are
 * allowed.  Partial values are reduced.  A rank whose box or array is invalid
 * fails with DT_ERR_INVALID, the others with DT_ERR_PEER.  On sim,
 * DT_ERR_UNSUPPORTED.
 */
DT_API DT_MUST_USE dt_status dt_tensor_get(dt_tensor *tensor, const dt_box *box,
                                           dt_array *out);

/*
 * Write a local array into one box of a tensor.
 *
 * Collective over the mesh, like dt_tensor_get.  Where boxes of several ranks
 * overlap, the value of the last rank in mesh order is stored, on every
 * replica.  If an earlier asynchronous call failed and left this rank's shard
 * undefined, writing boxes that cover the entire shard makes it valid again.
 * The elements written have no gradient: the gradient of the tensor is zero
 * there.
 */
DT_API DT_MUST_USE dt_status dt_tensor_put(dt_tensor *tensor, const dt_box *box,
                                           const dt_array *array);

/* A box that a rank stores as one block. */
typedef struct dt_shard_box {
    dt_box box;                 /* in the global tensor */
    int64_t local[DT_MAX_NDIM]; /* where the box begins in the local array */
    int replica; /* number among the ranks that store the box, from 0 */
} dt_shard_box;

/*
 * List the boxes that a world rank stores.  At most `capacity` of them are
 * written to `chunks`; `count` receives how many there are.
 *
 * Not collective.  Data that has to be saved once is saved by replica 0.  A
 * rank outside the mesh stores none.  DT_ERR_INVALID for a partial tensor: no
 * rank stores its reduced value.
 */
DT_API DT_MUST_USE dt_status dt_spec_shard_boxes(const dt_spec *spec, int rank,
                                                 dt_shard_box *chunks,
                                                 int64_t capacity,
                                                 int64_t *count);

/* List the boxes that this rank stores.  Not collective. */
DT_API DT_MUST_USE dt_status dt_tensor_shard_boxes(const dt_tensor *tensor,
                                                   dt_shard_box *chunks,
                                                   int64_t capacity,
                                                   int64_t *count);

/* ---- Comparisons --------------------------------------------------------- */

/*
 * Test whether two tensors have the same global shape and values, whatever
 * their layouts.  Like dt_equal, but with the result as a C bool on every rank.
 *
 * Collective over their mesh.  A rank outside the mesh receives true.
 */
DT_API DT_MUST_USE dt_status dt_tensor_equal(dt_tensor *a, dt_tensor *b,
                                             bool *out);

/*
 * Test whether |a - b| <= atol + |rtol * b| for all elements.  Like
 * dt_allclose, but with the result as a C bool on every rank.
 *
 * Collective over their mesh.  A rank outside the mesh receives true.
 */
DT_API DT_MUST_USE dt_status dt_tensor_allclose(dt_tensor *a, dt_tensor *b,
                                                double rtol, double atol,
                                                bool *out);

/*
 * Read the value of a tensor that has one element.
 *
 * Collective over the mesh unless the tensor is replicated; then nothing is
 * sent.  A rank outside the mesh receives 0.  DT_ERR_INVALID if the number of
 * elements is not 1.
 */
DT_API DT_MUST_USE dt_status dt_tensor_item(dt_tensor *tensor, dt_number *out);

/* ---- Text --------------------------------------------------------------- */

/*
 * Write the spec of a tensor and this rank's local array as text: at most
 * `size` bytes including the terminating zero.  Returns the length of the full
 * text.
 *
 * Not collective.  Large arrays are summarised.
 */
DT_API size_t dt_tensor_format(const dt_tensor *tensor, char *text,
                               size_t size);

/* Print the text of dt_tensor_format to stdout with one write.  Not collective.
 * NULL is allowed. */
DT_API void dt_tensor_print(const dt_tensor *tensor);

DT_EXTERN_C_END

#endif
