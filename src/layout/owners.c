/* layout/owners.c - who has what of a spec. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "layout/part.h"

/* The place of a rank in the mesh of a spec; -1 if it has none. */
static int find_place(const dt_spec *spec, int rank)
{
    return spec ? dti_places_find(spec->mesh->places, rank) : -1;
}

dt_shape dt_spec_local_shape(const dt_spec *spec, int rank)
{
    dti_part part;
    int place = find_place(spec, rank);
    if (place < 0)
        return DT_SHAPE(0);
    if (place == spec->mesh->place)
        return spec->local_shape;
    dti_part_set(&part, spec, place);
    return dti_part_shape(&part);
}

bool dt_spec_offset(const dt_spec *spec, int rank, int64_t *out)
{
    dti_part part;
    int place = find_place(spec, rank);
    if (place < 0)
        return false;
    if (place == spec->mesh->place) {
        memcpy(out, spec->local_offset,
               (size_t)spec->meta.shape.ndim * sizeof *out);
        return true;
    }
    dti_part_set(&part, spec, place);
    for (int i = 0; i < part.ndim; i++)
        out[i] = dti_indexes_offset(&part.dims[i]);
    return true;
}

bool dt_spec_run(const dt_spec *spec, int rank, int dim, int64_t local,
                 dt_run *out)
{
    int coordinate[DT_MAX_NDIM];
    dti_indexes indexes;
    int place = find_place(spec, rank);
    if (place < 0 || dim < 0 || dim >= spec->meta.shape.ndim || local < 0)
        return false;
    dti_mesh_coordinate_at(spec->mesh, place, coordinate);
    dti_indexes_set(&indexes, spec->meta.shape.dims[dim], &spec->cuts[dim],
                    coordinate);
    if (local >= indexes.size)
        return false;
    out->local = local;
    out->global = dti_indexes_at(&indexes, local, &out->length);
    return true;
}

/* Go through the places that agree with a coordinate along the dimensions that
 * cut; the others are free. */
static int list_places(const dt_spec *spec, int *coordinate, int mesh_dim,
                       int *ranks, int room, int found)
{
    const dt_mesh *mesh = spec->mesh;
    if (mesh_dim == mesh->dims.ndim) {
        if (found < room)
            ranks[found] = dt_mesh_rank_at(mesh, coordinate);
        return found + 1;
    }
    if (dti_is_shard(&spec->layout.placements[mesh_dim]))
        return list_places(spec, coordinate, mesh_dim + 1, ranks, room, found);
    for (int i = 0; i < mesh->dims.sizes[mesh_dim]; i++) {
        coordinate[mesh_dim] = i;
        found = list_places(spec, coordinate, mesh_dim + 1, ranks, room, found);
    }
    return found;
}

int dt_spec_owners(const dt_spec *spec, const int64_t *index, int *ranks,
                   int room)
{
    int coordinate[DT_MAX_NDIM] = {0};
    if (!spec)
        return 0;
    for (int i = 0; i < spec->meta.shape.ndim; i++) {
        int64_t extent = spec->meta.shape.dims[i];
        if (index[i] < 0 || index[i] >= extent)
            return 0;
        dti_indexes_find(extent, &spec->cuts[i], index[i], coordinate);
    }
    return list_places(spec, coordinate, 0, ranks, room, 0);
}
