/* dtensor/mesh.h - device meshes: ranks in a grid with named dimensions. */
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
 * the world outside the mesh have the object too, but no coordinate.
 *
 * References may be dropped by any thread.  A mesh does not keep its world
 * open; after the world is closed it can only be read and released.
 */
typedef struct dt_mesh dt_mesh;

/* Maximum size of the name of a mesh dimension, including the terminating zero.
 * A name consists of letters, digits and "_" and does not begin with a
 * digit. */
#define DT_MESH_NAME_SIZE 32

/*
 * Create a mesh over all ranks from a text: "dp=2,tp=4", or "2x4" with
 * dimensions named dim0 and dim1.
 *
 * Collective over the world.  The size of one dimension may be omitted and is
 * then computed: "dp,tp=2" on 8 ranks is "dp=4,tp=2".  Ranks are in row-major
 * order: the last dimension varies fastest.  Space around names and sizes is
 * ignored.  The caller releases the mesh.  DT_ERR_INVALID if the text is
 * malformed or the product of the sizes is not the number of ranks.
 */
DT_API DT_MUST_USE dt_status dt_mesh_create(dt_world *world, const char *text,
                                            dt_mesh **out);

/*
 * Create a mesh over the listed ranks, in row-major order.
 *
 * Collective over the world.  `text` is as in dt_mesh_create.  The `count`
 * ranks must be distinct and need not be all ranks of the world.  The caller
 * releases the mesh.
 */
DT_API DT_MUST_USE dt_status dt_mesh_create_from(dt_world *world,
                                                 const char *text,
                                                 const int *ranks, int count,
                                                 dt_mesh **out);

/*
 * Return the mesh of size 1 that has this rank only.  Its dimension is "self".
 *
 * Not collective.  Borrowed from the world.  NULL if memory runs out.
 */
DT_API dt_mesh *dt_world_own_mesh(dt_world *world);

/*
 * Return the sub-mesh of the named dimensions that contains this rank, with the
 * coordinates of all other dimensions fixed.  For example "tp", or "dp,tp" in
 * the desired order.
 *
 * Collective over the world.  A rank outside the mesh receives the sub-mesh of
 * the first rank of the mesh.  The caller releases the result.
 * DT_ERR_NOT_FOUND if a dimension does not exist.
 */
DT_API DT_MUST_USE dt_status dt_mesh_sub(dt_mesh *mesh, const char *names,
                                         dt_mesh **out);

/*
 * Return a mesh in which adjacent dimensions are merged: "dp,tp" become one
 * dimension named `name`, or "dp_tp" if `name` is NULL.  Other dimensions are
 * kept.
 *
 * Collective over the world.  The names must be in mesh order.  The caller
 * releases the result.  DT_ERR_NOT_FOUND if a dimension does not exist.
 */
DT_API DT_MUST_USE dt_status dt_mesh_flatten(dt_mesh *mesh, const char *names,
                                             const char *name, dt_mesh **out);

/* Add a reference; returns its argument.  Not collective.  NULL is allowed. */
DT_API dt_mesh *dt_mesh_retain(dt_mesh *mesh);

/* Drop a reference.  Not collective.  NULL is allowed. */
DT_API void dt_mesh_release(dt_mesh *mesh);

/*
 * Properties of a mesh.
 *
 * Not collective.  Returned pointers are borrowed.  A NULL mesh has no
 * dimensions and no ranks.  A dimension out of range has size 0 and name NULL.
 */
DT_API dt_world *dt_mesh_world(const dt_mesh *mesh);
DT_API int dt_mesh_ndim(const dt_mesh *mesh);
DT_API int dt_mesh_size(const dt_mesh *mesh); /* number of ranks */
DT_API int dt_mesh_dim_size(const dt_mesh *mesh, int dim);
DT_API const char *dt_mesh_dim_name(const dt_mesh *mesh, int dim);
DT_API const int *dt_mesh_ranks(const dt_mesh *mesh);   /* row-major */
DT_API const char *dt_mesh_device(const dt_mesh *mesh); /* "cpu" */

/*
 * Test whether two meshes of one world have the same dimension names and sizes,
 * and the same ranks at the same coordinates.
 *
 * Not collective.
 */
DT_API bool dt_mesh_equal(const dt_mesh *a, const dt_mesh *b);

/* Find a dimension by name; returns -1 if it does not exist.
 * Not collective. */
DT_API int dt_mesh_find_dim(const dt_mesh *mesh, const char *name);

/* Test whether this rank is in the mesh.  Not collective. */
DT_API bool dt_mesh_is_member(const dt_mesh *mesh);

/*
 * Return this rank's coordinate along a dimension; -1 if the rank is outside
 * the mesh or the dimension is out of range.
 *
 * Not collective.
 */
DT_API int dt_mesh_coordinate(const dt_mesh *mesh, int dim);

/*
 * Find the coordinate of a world rank.  Returns false if it is outside the
 * mesh.
 *
 * Not collective.  `out` has a capacity of dt_mesh_ndim numbers.
 */
DT_API bool dt_mesh_coordinate_of(const dt_mesh *mesh, int world_rank,
                                  int *out);

/*
 * Return the world rank at a coordinate; -1 if the coordinate is out of range.
 *
 * Not collective.
 */
DT_API int dt_mesh_rank_at(const dt_mesh *mesh, const int *coordinate);

/*
 * Return the group of the ranks that differ from this one in one mesh dimension
 * only.
 *
 * Collective over that group the first time; later calls do not communicate.
 * DT_ERR_INVALID on a rank outside the mesh.  Borrowed from the world.
 */
DT_API DT_MUST_USE dt_status dt_mesh_group(dt_mesh *mesh, int dim,
                                           dt_group **out);

/*
 * Return the group of the ranks that differ from this one in the listed mesh
 * dimensions only.  Ranks are in row-major order of the dimensions as listed.
 *
 * Collective over that group the first time; later calls do not communicate.
 * DT_ERR_INVALID on a rank outside the mesh.  Borrowed from the world.  An
 * empty list is the group of this rank only.
 */
DT_API DT_MUST_USE dt_status dt_mesh_group_of(dt_mesh *mesh, const int *dims,
                                              int count, dt_group **out);

/*
 * Make a mesh the current mesh of its world until the matching dt_mesh_pop.
 *
 * Not collective.  The world retains the mesh.
 */
DT_API DT_MUST_USE dt_status dt_mesh_push(dt_mesh *mesh);

/*
 * Undo the latest dt_mesh_push.
 *
 * Not collective.  DT_ERR_INVALID if there is none.
 */
DT_API DT_MUST_USE dt_status dt_mesh_pop(dt_world *world);

/*
 * Return the current mesh; NULL if none was pushed.
 *
 * Not collective.  Borrowed from the world.
 */
DT_API dt_mesh *dt_current_mesh(dt_world *world);

/*
 * Write a mesh as text, for example "mesh(dp=2, tp=2: [[0, 1], [2, 3]])": at
 * most `size` bytes including the terminating zero.  Returns the length of the
 * full text.
 *
 * Not collective.  Large meshes are summarised.
 */
DT_API size_t dt_mesh_format(const dt_mesh *mesh, char *text, size_t size);

DT_EXTERN_C_END

#endif
