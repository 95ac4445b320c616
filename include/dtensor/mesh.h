/* dtensor/mesh.h - ranks arranged in a grid with named dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_MESH_H
#define DTENSOR_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/comm.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * Ranks of a world in an n-dimensional grid.  A mesh never changes.  Ranks of
 * the world that are not in it hold it too; their coordinate does not exist.
 *
 * References may be dropped by any thread.  A mesh does not keep its world
 * open; once that is closed, it may be read and released, no more.
 */
typedef struct dt_mesh dt_mesh;

/* The longest name of a mesh dimension, with its final zero.  A name is made of
 * letters, digits and "_", and does not begin with a digit. */
#define DT_MESH_NAME_SIZE 32

/*
 * Create a mesh over all ranks from text: "dp=2,tp=4", or "2x4" with dimensions
 * that are called dim0 and dim1.
 *
 * Collective over the world.  A dimension without a size, of which there may
 * be one, takes the ranks that are left: "dp,tp=2".  Ranks lie in row-major
 * order: the last dimension varies fastest.  Space around names and sizes is
 * ignored.  The caller releases the mesh.  DT_ERR_INVALID if the text cannot
 * be read or its places are not as many as the ranks.
 */
DT_API DT_MUST_USE dt_status dt_mesh_create(dt_world *world, const char *text,
                                            dt_mesh **out);

/*
 * Create a mesh over the named ranks, in row-major order.
 *
 * Collective over the world.  Sizes and names as in dt_mesh_create; `count`
 * ranks, all different, may be part of the world.  The caller releases the
 * mesh.
 */
DT_API DT_MUST_USE dt_status dt_mesh_create_from(dt_world *world,
                                                 const char *text,
                                                 const int *ranks, int count,
                                                 dt_mesh **out);

/*
 * Give the mesh of size 1 that holds this rank alone; its dimension is "self".
 *
 * Not collective.  Borrowed from the world.  NULL if there is no memory.
 */
DT_API dt_mesh *dt_world_own_mesh(dt_world *world);

/*
 * Give the part of a mesh that this rank is in when all dimensions but the
 * named ones are held fixed: "tp", or "dp,tp" in the order wanted.
 *
 * Collective over the world.  A rank outside the mesh gets the part that the
 * first rank of the mesh is in.  The caller releases the result.
 * DT_ERR_NOT_FOUND if there is no such dimension.
 */
DT_API DT_MUST_USE dt_status dt_mesh_sub(dt_mesh *mesh, const char *names,
                                         dt_mesh **out);

/*
 * Give a mesh in which neighbouring dimensions are one: "dp,tp" become the
 * dimension `name`, or "dp_tp" if that is NULL; the others stay.
 *
 * Collective over the world.  The names stand in the order of the mesh.  The
 * caller releases the result.  DT_ERR_NOT_FOUND if there is no such dimension.
 */
DT_API DT_MUST_USE dt_status dt_mesh_flatten(dt_mesh *mesh, const char *names,
                                             const char *name, dt_mesh **out);

/* Add a reference; gives its argument.  Not collective.  NULL is allowed. */
DT_API dt_mesh *dt_mesh_retain(dt_mesh *mesh);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_mesh_release(dt_mesh *mesh);

/*
 * What a mesh is.
 *
 * Not collective; borrowed.  A dimension that it does not have has size 0, no
 * name (NULL) and coordinate -1.  NULL has no dimensions and no ranks.
 */
DT_API dt_world *dt_mesh_world(const dt_mesh *mesh);
DT_API int dt_mesh_ndim(const dt_mesh *mesh);
DT_API int dt_mesh_size(const dt_mesh *mesh); /* number of ranks */
DT_API int dt_mesh_dim_size(const dt_mesh *mesh, int dim);
DT_API const char *dt_mesh_dim_name(const dt_mesh *mesh, int dim);
DT_API const int *dt_mesh_ranks(const dt_mesh *mesh);   /* row-major */
DT_API const char *dt_mesh_device(const dt_mesh *mesh); /* "cpu" */

/*
 * Tell whether two meshes of one world have the same dimensions, by name and
 * size, and the same ranks in the same places.
 *
 * Not collective.
 */
DT_API bool dt_mesh_equal(const dt_mesh *a, const dt_mesh *b);

/* Find a dimension by name; -1 if there is none.  Not collective. */
DT_API int dt_mesh_find_dim(const dt_mesh *mesh, const char *name);

/* Tell whether this rank is in the mesh.  Not collective. */
DT_API bool dt_mesh_is_member(const dt_mesh *mesh);

/*
 * Give this rank's coordinate along a dimension; -1 outside the mesh.
 *
 * Not collective.
 */
DT_API int dt_mesh_coordinate(const dt_mesh *mesh, int dim);

/*
 * Find the coordinate of any world rank; false if it is not in the mesh.
 *
 * Not collective.  `out` has room for dt_mesh_ndim numbers.
 */
DT_API bool dt_mesh_coordinate_of(const dt_mesh *mesh, int world_rank,
                                  int *out);

/*
 * Give the world rank at a coordinate; -1 if it is outside the grid.
 *
 * Not collective.
 */
DT_API int dt_mesh_rank_at(const dt_mesh *mesh, const int *coordinate);

/*
 * Give the group of ranks that differ from this one along one dimension alone.
 *
 * Collective over that group the first time; later it costs nothing.
 * DT_ERR_INVALID outside the mesh.  Borrowed from the world.
 */
DT_API DT_MUST_USE dt_status dt_mesh_group(dt_mesh *mesh, int dim,
                                           dt_group **out);

/*
 * Give the group of ranks that differ from this one along several dimensions
 * alone, in row-major order of these dimensions as listed.
 *
 * Collective over that group the first time; later it costs nothing.
 * DT_ERR_INVALID outside the mesh.  Borrowed from the world.  Without any
 * dimension it is the group of this rank alone.
 */
DT_API DT_MUST_USE dt_status dt_mesh_group_of(dt_mesh *mesh, const int *dims,
                                              int count, dt_group **out);

/*
 * Make a mesh the current one of its world until the matching pop.
 *
 * Not collective.  The world retains it.
 */
DT_API DT_MUST_USE dt_status dt_mesh_push(dt_mesh *mesh);

/*
 * Undo the latest push.
 *
 * Not collective.  DT_ERR_INVALID if nothing was pushed.
 */
DT_API DT_MUST_USE dt_status dt_mesh_pop(dt_world *world);

/*
 * Give the current mesh; NULL if nothing was pushed.
 *
 * Not collective.  Borrowed.
 */
DT_API dt_mesh *dt_current_mesh(dt_world *world);

/*
 * Write a mesh, such as "mesh(dp=2, tp=2: [[0, 1], [2, 3]])", at most `size`
 * bytes with the final zero, and give the length that the whole text has.
 *
 * Not collective.  Large meshes are summarised.
 */
DT_API size_t dt_mesh_format(const dt_mesh *mesh, char *text, size_t size);

DT_EXTERN_C_END

#endif
