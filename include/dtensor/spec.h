/* dtensor/spec.h - specs: dtype, global shape and layout of a tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SPEC_H
#define DTENSOR_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/layout.h>
#include <dtensor/mesh.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/* The global properties of a tensor, independent of its layout. */
typedef struct dt_meta {
    dt_dtype dtype;               /* of the elements */
    dt_shape shape;               /* global */
    int64_t strides[DT_MAX_NDIM]; /* global, in elements */
} dt_meta;

/* Return a meta with row-major strides.  Not collective. */
DT_API dt_meta dt_meta_of(dt_dtype dtype, dt_shape shape);

/*
 * A mesh, a layout on it, and the meta: a tensor without its elements.  It is
 * the same on every rank and never changes.  Equal specs of one world are the
 * same object, so they can be compared by pointer.
 *
 * Strided shards that are equivalent to an order for this shape are converted
 * to that order.  References may be dropped by any thread.  A spec retains its
 * mesh but does not keep its world open.
 */
typedef struct dt_spec dt_spec;

/*
 * Create the spec of a row-major tensor.
 *
 * Not collective.  The caller releases the spec.  DT_ERR_INVALID as in
 * dt_layout_parse and dt_layout_check, and for an invalid dtype or shape.
 */
DT_API DT_MUST_USE dt_status dt_spec_create(dt_mesh *mesh, const char *layout,
                                            dt_dtype dtype, dt_shape shape,
                                            dt_spec **out);

/*
 * Create a spec from a layout and a meta, with any strides.
 *
 * Not collective.  The caller releases the spec.
 */
DT_API DT_MUST_USE dt_status dt_spec_create_with(dt_mesh *mesh,
                                                 const dt_layout *layout,
                                                 const dt_meta *meta,
                                                 dt_spec **out);

/*
 * Create a spec with another layout on the same mesh, or with another meta and
 * the same layout and order.
 *
 * Not collective.  The caller releases the spec.
 */
DT_API DT_MUST_USE dt_status dt_spec_with_layout(dt_spec *spec,
                                                 const char *layout,
                                                 dt_spec **out);
DT_API DT_MUST_USE dt_status dt_spec_with_meta(dt_spec *spec,
                                               const dt_meta *meta,
                                               dt_spec **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_spec *dt_spec_retain(dt_spec *spec);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_spec_release(dt_spec *spec);

/* ---- Properties --------------------------------------------------------- */

/* Not collective.  Returned pointers are borrowed.  A NULL spec returns 0,
 * false or NULL, here and in all functions below, and the dtype
 * DT_DTYPE_COUNT. */
DT_API dt_mesh *dt_spec_mesh(const dt_spec *spec);
DT_API const dt_layout *dt_spec_layout(const dt_spec *spec);
DT_API const dt_meta *dt_spec_meta(const dt_spec *spec);
DT_API dt_dtype dt_spec_dtype(const dt_spec *spec);
DT_API dt_shape dt_spec_shape(const dt_spec *spec); /* global */
DT_API int dt_spec_ndim(const dt_spec *spec);
DT_API int64_t dt_spec_count(const dt_spec *spec); /* global elements */
DT_API uint64_t dt_spec_hash(const dt_spec *spec);

/* Test whether every mesh dimension is replicated; whether any shards a tensor
 * dimension; whether any is partial; whether the mesh dimensions of every
 * tensor dimension are applied from left to right; whether any shard is
 * strided.  Not collective. */
DT_API bool dt_spec_is_replicated(const dt_spec *spec);
DT_API bool dt_spec_is_sharded(const dt_spec *spec);
DT_API bool dt_spec_is_partial(const dt_spec *spec);
DT_API bool dt_spec_has_default_order(const dt_spec *spec);
DT_API bool dt_spec_is_strided(const dt_spec *spec);

/* Return the number of shards of the tensor, and of one dimension.
 * Not collective. */
DT_API int64_t dt_spec_shards(const dt_spec *spec);
DT_API int64_t dt_spec_shards_of(const dt_spec *spec, int dim);

/*
 * List the mesh dimensions that shard a tensor dimension, in the order in which
 * they are applied.  Returns how many there are.
 *
 * Not collective.  `out` has a capacity of DT_MAX_NDIM.
 */
DT_API int dt_spec_cuts(const dt_spec *spec, int dim, int *out);

/* List the mesh dimensions that are partial.  Returns how many there are.
 * Not collective.  `out` has a capacity of DT_MAX_NDIM. */
DT_API int dt_spec_partial_dims(const dt_spec *spec, int *out);

/*
 * Test whether a tensor dimension is at least as long as its number of shards,
 * so that every rank can have some of it.  For a strided shard this applies to
 * each piece.  A dimension that is not sharded is always long enough.
 *
 * Not collective.  False if the dimension is out of range.
 */
DT_API bool dt_spec_is_shardable(const dt_spec *spec, int dim);

/* ---- Local shards ------------------------------------------------------- */

/*
 * Return the shape of the local shard of a world rank.
 *
 * Not collective.  For a rank outside the mesh it is (0,).
 */
DT_API dt_shape dt_spec_local_shape(const dt_spec *spec, int rank);

/*
 * Write the global index of the first element of a world rank's shard, one
 * number per dimension.  In a dimension in which the shard is empty this is the
 * extent of the dimension.  Returns false for a rank outside the mesh.
 *
 * Not collective.
 */
DT_API bool dt_spec_offset(const dt_spec *spec, int rank, int64_t *out);

/* A range of global indexes that is contiguous in the local shard too. */
typedef struct dt_run {
    int64_t local;  /* first index in the local shard */
    int64_t global; /* first index in the global tensor */
    int64_t length; /* number of indexes */
} dt_run;

/*
 * Find the run that begins at a local index of a dimension.  Returns false at
 * the end.  Starting from index 0 and adding each length enumerates all indexes
 * of the shard.
 *
 * Not collective.
 */
DT_API bool dt_spec_run(const dt_spec *spec, int rank, int dim, int64_t local,
                        dt_run *out);

/*
 * List the world ranks that store an element, in mesh order.  At most
 * `capacity` of them are written to `ranks`.  Returns how many there are; 0 if
 * the index is out of range.
 *
 * Not collective.  All ranks along a partial mesh dimension count as storing
 * the element.
 */
DT_API int dt_spec_owners(const dt_spec *spec, const int64_t *index, int *ranks,
                          int capacity);

/* ---- Text --------------------------------------------------------------- */

/*
 * Write a spec as text, for example "f32[1024, 512] S(0)R on dp=2,tp=2": at
 * most `size` bytes including the terminating zero.  Returns the length of the
 * full text.  Strides that are not row-major follow the shape: "[4, 2]{1, 4}".
 *
 * Not collective.
 */
DT_API size_t dt_spec_format(const dt_spec *spec, char *text, size_t size);

/*
 * Parse a spec in the form that dt_spec_format writes.  If the text ends with
 * names and sizes of mesh dimensions, these must be those of `mesh`.
 *
 * Not collective.  The caller releases the spec.
 */
DT_API DT_MUST_USE dt_status dt_spec_parse(dt_mesh *mesh, const char *text,
                                           dt_spec **out);

DT_EXTERN_C_END

#endif
