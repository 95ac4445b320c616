/* mesh/mesh.c - meshes, what they are, and who stands where. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/hash.h"
#include "base/text/writer.h"
#include "comm/history.h"

/* ---- Making ------------------------------------------------------------- */

/* Number the places in row-major order; gives how many there are. */
static int set_strides(dt_mesh *mesh)
{
    int stride = 1;
    for (int i = mesh->dims.ndim - 1; i >= 0; i--) {
        mesh->strides[i] = stride;
        stride *= mesh->dims.sizes[i];
    }
    return stride;
}

void dti_mesh_coordinate_at(const dt_mesh *mesh, int place, int *out)
{
    for (int i = 0; i < mesh->dims.ndim; i++)
        out[i] =
            place < 0 ? -1 : place / mesh->strides[i] % mesh->dims.sizes[i];
}

static uint64_t hash_mesh(const dt_mesh *mesh)
{
    uint64_t hash = mesh->places->hash;
    for (int i = 0; i < mesh->dims.ndim; i++) {
        hash = dti_hash_mix(hash, (uint64_t)mesh->dims.sizes[i]);
        hash = dti_hash_mix(hash, dti_hash_text(mesh->dims.names[i]));
    }
    return hash;
}

/* The dimensions alone, for messages: "dp=2,tp=4". */
static void write_dims(const dti_dims *dims, char *text, size_t size)
{
    dti_writer to = {text, size, 0};
    for (int i = 0; i < dims->ndim; i++)
        dti_put(&to, "%s%s=%d", i ? "," : "", dims->names[i], dims->sizes[i]);
}

/* Find the history of calls on this mesh. */
static dt_status open_history(dt_mesh *mesh)
{
    char text[DT_MAX_NDIM * (DT_MESH_NAME_SIZE + 12)];
    if (mesh->places->count == 1)
        return DT_OK;
    write_dims(&mesh->dims, text, sizeof text);
    return dti_history_open(mesh->world, mesh->hash, mesh->places->count,
                            mesh->place >= 0, text, &mesh->history);
}

dt_status dti_mesh_make(dt_world *world, const dti_dims *dims,
                        dti_places *places, dt_mesh **out)
{
    dt_mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh)
        return dti_fail_memory(world, sizeof *mesh, "a mesh");
    dti_reference_init(&mesh->reference);
    mesh->world = world;
    mesh->dims = *dims;
    mesh->places = dti_places_retain(places);
    int count = set_strides(mesh);
    assert(count == places->count);
    (void)count;
    mesh->place = dti_places_find(places, world->rank);
    dti_mesh_coordinate_at(mesh, mesh->place, mesh->coordinate);
    mesh->hash = hash_mesh(mesh);
    dti_live_add(DTI_LIVE_MESH, 1);
    dti_handle_made(world, DTI_LIVE_MESH, mesh);
    dt_status status = open_history(mesh);
    if (status == DT_OK)
        *out = mesh;
    else
        dt_mesh_release(mesh);
    return status;
}

dt_status dti_mesh_end(dt_world *world, dt_status status)
{
    if (status == DT_ERR_NO_MEMORY)
        dt_world_poison(world);
    return status;
}

dt_status dt_mesh_create(dt_world *world, const char *text, dt_mesh **out)
{
    DTI_ENTRY();
    dti_dims dims;
    dti_places *places = NULL;
    DTI_TRY(dti_dims_read(world, text, world->size, &dims));
    dt_status status = dti_mesh_all_places(world, &places);
    if (status == DT_OK)
        status = dti_mesh_make(world, &dims, places, out);
    return dti_mesh_end(world, status);
}

dt_status dt_mesh_create_from(dt_world *world, const char *text,
                              const int *ranks, int count, dt_mesh **out)
{
    DTI_ENTRY();
    dti_dims dims;
    dti_places *places = NULL;
    if (count < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_mesh_create_from: count is %d; must be at least 1",
                        count);
    DTI_TRY(dti_dims_read(world, text, count, &dims));
    dt_status status = dti_places_create(world, ranks, count, &places);
    if (status == DT_OK)
        status = dti_mesh_make(world, &dims, places, out);
    dti_places_release(places);
    return dti_mesh_end(world, status);
}

dt_mesh *dt_mesh_retain(dt_mesh *mesh)
{
    if (!dti_handle_usable(mesh, __func__))
        return NULL;
    if (mesh)
        dti_reference_retain(&mesh->reference);
    return mesh;
}

void dt_mesh_release(dt_mesh *mesh)
{
    DTI_ENTRY();
    if (!dti_handle_usable(mesh, __func__) || !mesh ||
        !dti_reference_release(&mesh->reference))
        return;
    dti_handle_gone(mesh);
    dti_places_release(mesh->places);
    dti_handle_free(mesh);
    dti_live_add(DTI_LIVE_MESH, -1);
}

/* ---- Reading ------------------------------------------------------------ */

static bool has_dim(const dt_mesh *mesh, int dim)
{
    return dim >= 0 && dim < dt_mesh_ndim(mesh);
}

dt_world *dt_mesh_world(const dt_mesh *mesh)
{
    return mesh ? mesh->world : NULL;
}

int dt_mesh_ndim(const dt_mesh *mesh)
{
    return mesh ? mesh->dims.ndim : 0;
}

int dt_mesh_size(const dt_mesh *mesh)
{
    return mesh ? mesh->places->count : 0;
}

int dt_mesh_dim_size(const dt_mesh *mesh, int dim)
{
    return has_dim(mesh, dim) ? mesh->dims.sizes[dim] : 0;
}

const char *dt_mesh_dim_name(const dt_mesh *mesh, int dim)
{
    return has_dim(mesh, dim) ? mesh->dims.names[dim] : NULL;
}

const int *dt_mesh_ranks(const dt_mesh *mesh)
{
    return mesh ? mesh->places->ranks : NULL;
}

const char *dt_mesh_device(const dt_mesh *mesh)
{
    (void)mesh;
    return "cpu";
}

static bool same_dims(const dti_dims *a, const dti_dims *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->sizes[i] != b->sizes[i] || strcmp(a->names[i], b->names[i]) != 0)
            return false;
    return true;
}

bool dt_mesh_equal(const dt_mesh *a, const dt_mesh *b)
{
    if (a == b)
        return true;
    return a && b && a->hash == b->hash && a->world == b->world &&
           same_dims(&a->dims, &b->dims) &&
           dti_places_equal(a->places, b->places);
}

int dt_mesh_find_dim(const dt_mesh *mesh, const char *name)
{
    return mesh && name ? dti_dims_find(&mesh->dims, name) : -1;
}

/* ---- Places ------------------------------------------------------------- */

bool dt_mesh_is_member(const dt_mesh *mesh)
{
    return mesh && mesh->place >= 0;
}

int dt_mesh_coordinate(const dt_mesh *mesh, int dim)
{
    return has_dim(mesh, dim) ? mesh->coordinate[dim] : -1;
}

bool dt_mesh_coordinate_of(const dt_mesh *mesh, int world_rank, int *out)
{
    int place = mesh ? dti_places_find(mesh->places, world_rank) : -1;
    if (place < 0)
        return false;
    dti_mesh_coordinate_at(mesh, place, out);
    return true;
}

int dt_mesh_rank_at(const dt_mesh *mesh, const int *coordinate)
{
    int place = 0;
    if (!mesh)
        return -1;
    for (int i = 0; i < mesh->dims.ndim; i++) {
        if (coordinate[i] < 0 || coordinate[i] >= mesh->dims.sizes[i])
            return -1;
        place += coordinate[i] * mesh->strides[i];
    }
    return mesh->places->ranks[place];
}

int dti_mesh_reach(const dt_mesh *mesh, const int *dims, int count)
{
    int reach = 1;
    for (int i = 0; i < count; i++)
        reach *= mesh->dims.sizes[dims[i]];
    return reach;
}

void dti_mesh_list(const dt_mesh *mesh, const int *dims, int count, int place,
                   int *ranks)
{
    int coordinate[DT_MAX_NDIM];
    int reach = dti_mesh_reach(mesh, dims, count);
    dti_mesh_coordinate_at(mesh, place, coordinate);
    for (int i = 0; i < count; i++)
        place -= coordinate[dims[i]] * mesh->strides[dims[i]];
    for (int i = 0; i < reach; i++) {
        int there = place;
        int rest = i;
        for (int j = count - 1; j >= 0; j--) {
            int size = mesh->dims.sizes[dims[j]];
            there += rest % size * mesh->strides[dims[j]];
            rest /= size;
        }
        ranks[i] = mesh->places->ranks[there];
    }
}
