/* dtensor/tensor.h - tensors that are spread over the ranks of a mesh. */
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
 * One tensor, of which every rank of a mesh holds a part: a spec, which is the
 * same on all ranks, and this rank's array.  A rank outside the mesh holds an
 * empty array of one dimension.
 *
 * Functions that return a tensor give NULL on failure, and dt_world_error says
 * why.  Where they take a tensor, NULL gives NULL and keeps the first error, so
 * that expressions nest and are checked once; what NULL is can be asked too
 * (dtensor.h).  What they return belongs to the innermost open scope.
 */
typedef struct dt_tensor dt_tensor;

/* ---- Who owns a tensor -------------------------------------------------- */

/* Keep a tensor beyond its scope; gives its argument.  Not collective.  The
 * caller releases it with dt_tensor_release.  NULL is allowed. */
DT_API dt_tensor *dt_tensor_retain(dt_tensor *tensor);

/* Undo dt_tensor_retain.  Not collective.  NULL is allowed. */
DT_API void dt_tensor_release(dt_tensor *tensor);

/*
 * Hand a tensor from its scope to the one around that; gives its argument.
 *
 * Not collective.  NULL is allowed.
 */
DT_API dt_tensor *dt_scope_keep(dt_tensor *tensor);

/* Take a tensor out of its scope before that closes; unless it was retained, it
 * is gone.  Not collective.  NULL is allowed. */
DT_API void dt_tensor_release_early(dt_tensor *tensor);

/* ---- What a tensor is --------------------------------------------------- */

/* Not collective; borrowed.  NULL has nothing of anything, and a dimension that
 * is not there has neither extent nor stride. */
DT_API dt_world *dt_tensor_world(const dt_tensor *tensor);
DT_API dt_spec *dt_tensor_spec(const dt_tensor *tensor);
DT_API dt_mesh *dt_tensor_mesh(const dt_tensor *tensor);
DT_API const dt_layout *dt_tensor_layout(const dt_tensor *tensor);
DT_API dt_dtype dt_tensor_dtype(const dt_tensor *tensor);
DT_API dt_shape dt_tensor_shape(const dt_tensor *tensor); /* of the whole */
DT_API int dt_tensor_ndim(const dt_tensor *tensor);
DT_API int64_t dt_tensor_extent(const dt_tensor *tensor, int dim);
DT_API int64_t dt_tensor_stride(const dt_tensor *tensor, int dim);
DT_API int64_t dt_tensor_count(const dt_tensor *tensor); /* of the whole */

/*
 * Views.  A slice, a reshape and the like are views of a tensor, their base:
 * what is written to one is seen in the other.  Where every rank has what it
 * needs, a view shares the base's memory.  Where it has not, as with a slice of
 * a sharded dimension, the view is a copy, and operators keep it equal to the
 * base: what is written to it is written to the base too, and when the base was
 * written it is stale, and is read again by the next collective function that
 * it is given to.  Functions that are not collective fail with DT_ERR_INVALID
 * if their tensor is stale.  What a program writes through dt_array_data is not
 * noticed; of a copied view the array is read-only.
 */

/*
 * Read a copied view again if its base was written since, so that functions
 * that are not collective can be given it; other tensors are left as they are.
 *
 * Collective over the mesh.
 */
DT_API DT_MUST_USE dt_status dt_tensor_refresh(dt_tensor *tensor);

/*
 * Return this rank's local array of a tensor.
 *
 * Not collective.  The array is borrowed from the tensor; retain it to keep it.
 * Of a view that had to be copied it is read-only, and NULL while that is
 * stale.
 */
DT_API dt_array *dt_tensor_local(const dt_tensor *tensor);

/*
 * Give the mask of a masked partial tensor: true for the elements, or rows of
 * its first dimensions, that other ranks have and that are zero here; NULL if
 * there is none.  What the tensor is follows from its elements alone.
 *
 * Not collective.  Borrowed.
 */
DT_API dt_array *dt_tensor_mask(const dt_tensor *tensor);

/* ---- In and out --------------------------------------------------------- */

/* In place of a source: every rank has the whole array. */
#define DT_EVERYWHERE (-1)

/*
 * Spread an array over a mesh.
 *
 * Collective over the mesh.  The world rank `source`, which is in the mesh, has
 * the whole array, and others may give NULL; or every rank has it, the source
 * is DT_EVERYWHERE, and nothing is sent.  The tensor does not share memory with
 * the array, and is row-major.  It may be partial: ranks then hold values that
 * combine to the array exactly, but for avg, which rounds.  A source whose
 * array does not fit the dtype and shape gets DT_ERR_INVALID, the others
 * DT_ERR_PEER, from this call or, if it sends them nothing, from their next.
 */
DT_API dt_tensor *dt_distribute(dt_mesh *mesh, const char *layout,
                                dt_dtype dtype, dt_shape shape, dt_array *array,
                                int source);

/* More about a tensor that is put together from arrays.  Zeros are defaults. */
typedef struct dt_from_local_options {
    size_t size;            /* sizeof(dt_from_local_options) */
    const dt_shape *shape;  /* of the whole; NULL: as many equal parts */
    const int64_t *strides; /* of the whole; given if the shape is */
    bool check; /* compare across the ranks of the mesh; then collective */
} dt_from_local_options;

#define DT_FROM_LOCAL_OPTIONS_INIT                                             \
    {                                                                          \
        sizeof(dt_from_local_options), 0, 0, false                             \
    }

/*
 * Make a tensor of which this rank's part is the given array, shared with it.
 *
 * Not collective, but the ranks of the mesh must call it alike for the tensor
 * to be one.  All parts are taken to be equal.  A rank outside the mesh gives
 * an array of the same dtype and shape, of which nothing else is used.  Arrays
 * may have gaps, others on every rank.
 */
DT_API dt_tensor *dt_from_local(dt_mesh *mesh, const char *layout,
                                dt_array *local);

/*
 * The same, of any shape; checked if asked for.
 *
 * Collective over the mesh if `check` is set: ranks then agree that dtypes,
 * shapes and strides fit one another and that replicas have the same bits, and
 * all get DT_ERR_INVALID if not, with no need to recover.  Otherwise not
 * collective, and parts of the wrong size are found on the rank that gives one.
 */
DT_API dt_tensor *dt_from_local_with(dt_mesh *mesh, const char *layout,
                                     dt_array *local,
                                     const dt_from_local_options *options);

/*
 * See this rank's part as a tensor on the rank's own mesh, sharing its memory.
 *
 * Not collective.  Of a view that had to be copied it cannot be written, and
 * fails with DT_ERR_INVALID while that is stale.  Copied views of the tensor do
 * not see what one rank writes in this way: reading one after that is an error,
 * until it is taken again.
 */
DT_API dt_tensor *dt_to_local(dt_tensor *tensor);

/*
 * Take a tensor apart into what it is made of, and put it together again.
 *
 * Not collective.  The caller releases both.  Together they must fit, in dtype
 * and shape.
 */
DT_API DT_MUST_USE dt_status dt_tensor_disassemble(dt_tensor *tensor,
                                                   dt_array **array,
                                                   dt_spec **spec);
DT_API dt_tensor *dt_tensor_assemble(dt_spec *spec, dt_array *array);

/* ---- Boxes -------------------------------------------------------------- */

/* A box of a tensor: `size[i]` indexes of dimension i from `offset[i]` on. */
typedef struct dt_box {
    int ndim;
    int64_t offset[DT_MAX_NDIM];
    int64_t size[DT_MAX_NDIM];
} dt_box;

/*
 * Read one box of a tensor into an array of this rank.
 *
 * Collective over the mesh; each rank names a box of its own.  Without one, if
 * `box` is NULL or empty, it only gives to others.  The array has the dtype of
 * the tensor and the size of the box, and any strides; partial values are
 * combined.  A rank whose box or array is wrong gets DT_ERR_INVALID, the others
 * DT_ERR_PEER.  On sim, DT_ERR_UNSUPPORTED.
 */
DT_API DT_MUST_USE dt_status dt_tensor_get(dt_tensor *tensor, const dt_box *box,
                                           dt_array *out);

/*
 * Write an array of this rank into one box of a tensor.
 *
 * Collective over the mesh, as dt_tensor_get.  Where boxes overlap, the value
 * of the rank that comes last in the mesh stays, on every replica.  Elements
 * that never came, since the call that was to write them failed, are there
 * again on a rank of which boxes cover all that it has.
 */
DT_API DT_MUST_USE dt_status dt_tensor_put(dt_tensor *tensor, const dt_box *box,
                                           const dt_array *array);

/* A box that a rank holds as one block. */
typedef struct dt_shard_box {
    dt_box box;                 /* of the tensor */
    int64_t local[DT_MAX_NDIM]; /* where it begins in the rank's array */
    int replica; /* which of the ranks that hold it this is, from 0 */
} dt_shard_box;

/*
 * List the chunks that a world rank holds, as many as there is room for, and
 * give how many there are.
 *
 * Not collective.  What has to be written once is written by replica 0.  None
 * outside the mesh.  DT_ERR_INVALID for a partial tensor, which nobody holds.
 */
DT_API DT_MUST_USE dt_status dt_spec_shard_boxes(const dt_spec *spec, int rank,
                                                 dt_shard_box *chunks,
                                                 int64_t room, int64_t *count);

/* The chunks of this rank.  Not collective. */
DT_API DT_MUST_USE dt_status dt_tensor_shard_boxes(const dt_tensor *tensor,
                                                   dt_shard_box *chunks,
                                                   int64_t room,
                                                   int64_t *count);

/* ---- Comparing ---------------------------------------------------------- */

/*
 * Tell whether two tensors have the same shape and values, however they lie:
 * dt_equal, read on every rank.
 *
 * Collective over their mesh.  A rank outside it is told that they are equal.
 */
DT_API DT_MUST_USE dt_status dt_tensor_equal(dt_tensor *a, dt_tensor *b,
                                             bool *out);

/*
 * Tell whether all elements of two tensors are apart by at most atol + |rtol
 * b|: dt_allclose, read on every rank.
 *
 * Collective over their mesh.  A rank outside it is told that they are close.
 */
DT_API DT_MUST_USE dt_status dt_tensor_allclose(dt_tensor *a, dt_tensor *b,
                                                double rtol, double atol,
                                                bool *out);

/*
 * Read the only element of a tensor.
 *
 * Collective over the mesh unless the tensor is replicated: then nothing is
 * sent.  A rank outside the mesh reads 0.  DT_ERR_INVALID if there are more
 * elements or none.
 */
DT_API DT_MUST_USE dt_status dt_tensor_item(dt_tensor *tensor, dt_number *out);

/* ---- Text --------------------------------------------------------------- */

/*
 * Write what a tensor is and this rank's part of it, at most `size` bytes with
 * the final zero, and give the length that the whole text has.
 *
 * Not collective.  Large arrays are summarised.
 */
DT_API size_t dt_tensor_format(const dt_tensor *tensor, char *text,
                               size_t size);

/* Write the same to stdout, in one piece.  Not collective.  NULL is allowed. */
DT_API void dt_tensor_print(const dt_tensor *tensor);

DT_EXTERN_C_END

#endif
