/* dtensor/spec.h - specs: a tensor without its elements. */
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

/* What a tensor is wherever it lies: dtype, global shape and strides. */
typedef struct dt_meta {
    dt_dtype dtype;
    dt_shape shape;
    int64_t strides[DT_MAX_NDIM]; /* in elements */
} dt_meta;

/* Dtype and shape with row-major strides.  Not collective. */
DT_API dt_meta dt_meta_of(dt_dtype dtype, dt_shape shape);

/*
 * A mesh, a layout on it, and what the tensor is: everything but the elements,
 * and the same on every rank.  A spec never changes.  Equal specs of one world
 * are one object: compare pointers.
 *
 * An order that strided shards spell is turned into that order where both cut
 * alike.  References may be dropped by any thread.  A spec keeps its mesh, not
 * its world.
 */
typedef struct dt_spec dt_spec;

/*
 * Give the spec of a row-major tensor.
 *
 * Not collective.  The caller releases it.  DT_ERR_INVALID as
 * dt_layout_parse and dt_layout_check, and for a bad dtype or shape.
 */
DT_API DT_MUST_USE dt_status dt_spec_create(dt_mesh *mesh, const char *layout,
                                            dt_dtype dtype, dt_shape shape,
                                            dt_spec **out);

/*
 * Give the spec of any layout and strides.
 *
 * Not collective.  The caller releases it.
 */
DT_API DT_MUST_USE dt_status dt_spec_create_with(dt_mesh *mesh,
                                                 const dt_layout *layout,
                                                 const dt_meta *meta,
                                                 dt_spec **out);

/*
 * Give the spec with another layout on the same mesh; or of another tensor with
 * the same layout, order included.
 *
 * Not collective.  The caller releases it.
 */
DT_API DT_MUST_USE dt_status dt_spec_with_layout(dt_spec *spec,
                                                 const char *layout,
                                                 dt_spec **out);
DT_API DT_MUST_USE dt_status dt_spec_with_meta(dt_spec *spec,
                                               const dt_meta *meta,
                                               dt_spec **out);

/* Add a reference; gives its argument.  Not collective.  NULL is allowed. */
DT_API dt_spec *dt_spec_retain(dt_spec *spec);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_spec_release(dt_spec *spec);

/* ---- What a spec is ----------------------------------------------------- */

/* Not collective; borrowed.  NULL has nothing of anything, here and below. */
DT_API dt_mesh *dt_spec_mesh(const dt_spec *spec);
DT_API const dt_layout *dt_spec_layout(const dt_spec *spec);
DT_API const dt_meta *dt_spec_meta(const dt_spec *spec);
DT_API dt_dtype dt_spec_dtype(const dt_spec *spec);
DT_API dt_shape dt_spec_shape(const dt_spec *spec); /* of the whole tensor */
DT_API int dt_spec_ndim(const dt_spec *spec);
DT_API int64_t dt_spec_count(const dt_spec *spec); /* elements of the whole */
DT_API uint64_t dt_spec_hash(const dt_spec *spec);

/* Tell whether every rank has the whole; whether some dimension is cut; whether
 * some mesh dimension is partial; whether every tensor dimension is cut from
 * left to right; whether a strided shard is in it.  Not collective. */
DT_API bool dt_spec_is_replicated(const dt_spec *spec);
DT_API bool dt_spec_is_sharded(const dt_spec *spec);
DT_API bool dt_spec_is_partial(const dt_spec *spec);
DT_API bool dt_spec_has_default_order(const dt_spec *spec);
DT_API bool dt_spec_is_strided(const dt_spec *spec);

/* Count the parts that the tensor is cut into; and those of one dimension.
 * Not collective. */
DT_API int64_t dt_spec_shards(const dt_spec *spec);
DT_API int64_t dt_spec_shards_of(const dt_spec *spec, int dim);

/*
 * List the mesh dimensions that cut a tensor dimension, the first to cut first,
 * and give how many there are.
 *
 * Not collective.  `out` has room for DT_MAX_NDIM.
 */
DT_API int dt_spec_cuts(const dt_spec *spec, int dim, int *out);

/* List the mesh dimensions with partial values, and give how many there are.
 * Not collective.  `out` has room for DT_MAX_NDIM. */
DT_API int dt_spec_partial_dims(const dt_spec *spec, int *out);

/*
 * Tell whether a tensor dimension is at least as long as the parts it is cut
 * into, so that every rank can have some of it.  Strided shards cut each of
 * their pieces; a dimension that nothing cuts is always long enough.
 *
 * Not collective.  False if there is no such dimension.
 */
DT_API bool dt_spec_is_shardable(const dt_spec *spec, int dim);

/* ---- Who has what ------------------------------------------------------- */

/*
 * Give the shape of what a world rank has.
 *
 * Not collective.  A rank outside the mesh has the shape (0,).
 */
DT_API dt_shape dt_spec_local_shape(const dt_spec *spec, int rank);

/*
 * Give the global index of the first element that a world rank has, one number
 * for each dimension; where it has none, the size of the dimension.  False
 * outside the mesh.
 *
 * Not collective.
 */
DT_API bool dt_spec_offset(const dt_spec *spec, int rank, int64_t *out);

/* Neighbouring global indexes that are neighbours on a rank too. */
typedef struct dt_run {
    int64_t local;  /* index on the rank */
    int64_t global; /* index in the tensor */
    int64_t length;
} dt_run;

/*
 * Give the run that begins at a local index of a dimension; false at the end.
 * Starting from 0 and adding each length gives all that the rank has.
 *
 * Not collective.
 */
DT_API bool dt_spec_run(const dt_spec *spec, int rank, int dim, int64_t local,
                        dt_run *out);

/*
 * List the world ranks that have an element, in the order of the mesh, as many
 * as there is room for, and give how many there are.
 *
 * Not collective.  Ranks with partial values have it, all of them.  0 if the
 * index lies outside the tensor.
 */
DT_API int dt_spec_owners(const dt_spec *spec, const int64_t *index, int *ranks,
                          int room);

/* ---- Text --------------------------------------------------------------- */

/*
 * Write a spec, such as "f32[1024, 512] S(0)R on dp=2,tp=2", at most `size`
 * bytes with the final zero, and give the length that the whole text has.
 * Strides follow the shape where they are not row-major: "[4, 2]{1, 4}".
 *
 * Not collective.
 */
DT_API size_t dt_spec_format(const dt_spec *spec, char *text, size_t size);

/*
 * Read a spec back on a mesh whose dimensions have the names and sizes that the
 * text ends with, if it ends with them.
 *
 * Not collective.  The caller releases it.
 */
DT_API DT_MUST_USE dt_status dt_spec_parse(dt_mesh *mesh, const char *text,
                                           dt_spec **out);

DT_EXTERN_C_END

#endif
