/* mesh/mesh.h - what a mesh is made of. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_MESH_MESH_H
#define DTI_MESH_MESH_H

#include <dtensor/mesh.h>

#include "mesh/parse.h"
#include "mesh/places.h"

/* Groups that a mesh remembers; a prime, so that keys spread. */
#define DTI_MESH_GROUPS 31

/*
 * A grid of ranks.  All but `groups` is set when it is made and never changes.
 * Neither the world nor the groups and the history, which it owns, are held: a
 * mesh that outlives its world may be read and released.
 */
struct dt_mesh {
    dti_reference reference;
    dt_world *world;
    dti_dims dims;
    int strides[DT_MAX_NDIM];    /* places from one coordinate to the next */
    dti_places *places;          /* retained */
    int place;                   /* of this rank; -1 outside */
    int coordinate[DT_MAX_NDIM]; /* of this rank; all -1 outside */
    uint64_t hash; /* of dimensions and ranks: the same for equal meshes */
    /* What this rank called on it and on equal meshes; NULL if it is a mesh of
     * one rank, whose calls concern nobody else. */
    struct dti_history *history;
    struct {
        uint32_t key; /* the list of dimensions */
        dt_group *group;
    } groups[DTI_MESH_GROUPS];
};

/* What a world keeps of meshes, from the first use on. */
typedef struct dti_meshes {
    dti_places *all; /* every rank in order; NULL until wanted */
    dt_mesh *own;    /* NULL until wanted */
    dt_mesh **stack; /* pushed meshes, the current one last; retained */
    int depth;
    int capacity;
} dti_meshes;

/* Make a mesh; `places` are retained, as many as the dimensions have. */
dt_status dti_mesh_make(dt_world *world, const dti_dims *dims,
                        dti_places *places, dt_mesh **out);

/* The places of all ranks in order.  Borrowed from the world. */
dt_status dti_mesh_all_places(dt_world *world, dti_places **out);

/*
 * List the world ranks that `place` reaches along the given dimensions, in
 * row-major order of these: as many as their sizes multiplied.
 */
void dti_mesh_list(const dt_mesh *mesh, const int *dims, int count, int place,
                   int *ranks);

/* The coordinate of a place; all -1 for place -1. */
void dti_mesh_coordinate_at(const dt_mesh *mesh, int place, int *out);

/* Count the ranks that any place reaches along the given dimensions. */
int dti_mesh_reach(const dt_mesh *mesh, const int *dims, int count);

/* End a collective function: memory that only this rank lacks is told to the
 * others, who went on.  Gives the status. */
dt_status dti_mesh_end(dt_world *world, dt_status status);

#endif
