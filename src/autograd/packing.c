/* autograd/packing.c - ready-made packings: shards, smaller numbers, disk. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <dtensor/autograd.h>
#include <dtensor/mesh.h>

#include "autograd/call.h"
#include "autograd/packing.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/machine/spill.h"

/* ---- Tensors ------------------------------------------------------------ */

/* What is packed into another tensor, which the engine brings back. */

static dt_tensor *unpack_tensor(void *packed, void *arg)
{
    (void)arg;
    return packed;
}

static void release_tensor(void *packed, void *arg)
{
    (void)arg;
    dt_tensor_release(packed);
}

static dt_packing pack_as_tensor(dt_status (*pack)(dt_tensor *tensor, void *arg,
                                                   void **packed),
                                 void *arg)
{
    dt_packing packing = DT_PACKING_INIT;
    packing.pack = pack;
    packing.unpack = unpack_tensor;
    packing.release = release_tensor;
    packing.arg = arg;
    return packing;
}

/* ---- Shards ------------------------------------------------------------- */

static bool is_sharded_along(const dt_layout *layout, int dim)
{
    for (int i = 0; i < layout->ndim; i++) {
        const dt_placement *placement = &layout->placements[i];
        if ((placement->kind == DT_SHARD ||
             placement->kind == DT_STRIDED_SHARD) &&
            placement->dim == dim)
            return true;
    }
    return false;
}

/* The longest dimension that is not sharded; -1 if none can be split. */
static int find_longest(const dt_spec *spec)
{
    const dt_shape shape = spec->meta.shape;
    int best = -1;
    for (int i = 0; i < shape.ndim; i++)
        if (shape.dims[i] > 1 && !is_sharded_along(&spec->layout, i) &&
            (best < 0 || shape.dims[i] > shape.dims[best]))
            best = i;
    return best;
}

static int find_mesh_dim(const dt_mesh *mesh, const char *name)
{
    if (name)
        return dt_mesh_find_dim(mesh, name);
    return dt_mesh_ndim(mesh) == 1 ? 0 : -1;
}

static dt_status pack_shard(dt_tensor *tensor, void *arg, void **packed)
{
    const dt_spec *spec = tensor->spec;
    dt_layout layout = spec->layout;
    const int across = find_mesh_dim(spec->mesh, arg);
    const int along = find_longest(spec);
    if (across < 0 || along < 0 || dt_mesh_dim_size(spec->mesh, across) < 2 ||
        layout.placements[across].kind != DT_REPLICATE)
        return DT_OK;
    layout.placements[across] = dt_shard(along);
    DTI_TRY(dti_call_redistribute(tensor, &layout, false, &tensor));
    *packed = dt_tensor_retain(tensor);
    return DT_OK;
}

dt_packing dt_packing_shard(const char *mesh_dim)
{
    return pack_as_tensor(pack_shard, (void *)(uintptr_t)mesh_dim);
}

/* ---- Smaller numbers ---------------------------------------------------- */

/* An address for each dtype: the argument of a packing is a pointer. */
static const char places[DT_DTYPE_COUNT];

static dt_status pack_cast(dt_tensor *tensor, void *arg, void **packed)
{
    const dt_dtype to = (dt_dtype)((const char *)arg - places);
    const dt_dtype from = tensor->spec->meta.dtype;
    if (!arg || dt_dtype_kind_of(to) != DT_KIND_FLOAT)
        return dti_fail(tensor->world, DT_ERR_INVALID,
                        "dt_packing_cast: %s is no floating-point dtype",
                        arg ? dt_dtype_name(to) : "what was given");
    if (dt_dtype_kind_of(from) != DT_KIND_FLOAT ||
        dt_dtype_size(from) <= dt_dtype_size(to))
        return DT_OK;
    DTI_TRY(dti_call_cast(tensor, to, &tensor));
    *packed = dt_tensor_retain(tensor);
    return DT_OK;
}

dt_packing dt_packing_cast(dt_dtype dtype)
{
    const bool known = (unsigned)dtype < DT_DTYPE_COUNT;
    return pack_as_tensor(pack_cast,
                          known ? (void *)(uintptr_t)&places[dtype] : NULL);
}

/* ---- Disk --------------------------------------------------------------- */

/* A file of a world, in a folder; those who have written to it hold it. */
typedef struct dti_disk {
    dti_reference reference;
    struct dti_disk *next; /* of the tape */
    dti_spill *spill;
    const char *folder;
} dti_disk;

/* A local shard in a file. */
typedef struct written {
    dti_disk *disk; /* retained; NULL: it has no elements */
    dt_spec *spec;  /* retained */
    dt_shape shape;
    int64_t offset;
    size_t bytes;
} written;

static void release_disk(dti_disk *disk)
{
    if (!disk || !dti_reference_release(&disk->reference))
        return;
    dti_spill_close(disk->spill);
    free(disk);
}

void dti_disks_close(dti_disk *disks)
{
    while (disks) {
        dti_disk *next = disks->next;
        release_disk(disks);
        disks = next;
    }
}

static const char *folder_of(const char *folder)
{
    const char *usual = folder ? NULL : secure_getenv("TMPDIR");
    return folder ? folder : usual && *usual ? usual : "/tmp";
}

/* The file of a folder, opened when it is first needed. */
static dt_status find_disk(dt_world *world, const char *folder, dti_disk **out)
{
    dti_tape *tape = dti_tape_of(world);
    dt_error error;
    for (dti_disk *at = tape->disks; at; at = at->next)
        if (strcmp(at->folder, folder) == 0) {
            *out = at;
            return DT_OK;
        }
    dti_disk *disk = calloc(1, sizeof *disk);
    if (!disk)
        return dti_fail_memory(world, sizeof *disk, "a temporary file");
    if (dti_spill_open(folder, &disk->spill, &error) != DT_OK) {
        free(disk);
        return dti_fail_with(world, &error);
    }
    dti_reference_init(&disk->reference);
    disk->folder = folder;
    disk->next = tape->disks;
    tape->disks = disk;
    *out = disk;
    return DT_OK;
}

/* Write the elements of an array, in row-major order. */
static dt_status write_elements(dt_world *world, const char *folder,
                                dt_array *local, written *out)
{
    dt_array *dense = NULL;
    dti_disk *disk = NULL;
    dt_error error;
    DTI_TRY(find_disk(world, folder, &disk));
    DTI_TRY(dti_array_settle(world, local));
    DTI_TRY(dt_array_contiguous(world, local, &dense));
    dt_status status = dti_spill_write(disk->spill, dti_array_address(dense),
                                       out->bytes, &out->offset, &error);
    dt_array_release(dense);
    if (status != DT_OK)
        return dti_fail_with(world, &error);
    dti_reference_retain(&disk->reference);
    out->disk = disk;
    return DT_OK;
}

static void release_written(void *packed, void *arg)
{
    written *at = packed;
    (void)arg;
    if (at->disk)
        dti_spill_free(at->disk->spill, at->offset, at->bytes);
    release_disk(at->disk);
    dt_spec_release(at->spec);
    free(at);
}

static dt_status pack_to_disk(dt_tensor *tensor, void *arg, void **packed)
{
    dt_array *local = tensor->local;
    dt_world *world = tensor->world;
    written *at = calloc(1, sizeof *at);
    if (!at)
        return dti_fail_memory(world, sizeof *at, "a saved tensor");
    at->spec = dt_spec_retain(tensor->spec);
    at->shape = local->shape;
    at->bytes = (size_t)local->count * dt_dtype_size(local->dtype);
    dt_status status = DT_OK;
    if (local->storage && at->bytes)
        status = write_elements(world, folder_of(arg), local, at);
    if (status == DT_OK)
        *packed = at;
    else
        release_written(at, NULL);
    return status;
}

/* Read an array again; one of a dry run has no elements. */
static dt_status read_elements(dt_world *world, const written *at,
                               dt_array **out)
{
    dt_array *local = NULL;
    dt_error error;
    DTI_TRY(dti_array_create_elements(world, at->spec->meta.dtype, at->shape,
                                      &local));
    if (at->disk &&
        dti_spill_read(at->disk->spill, at->offset, dti_array_address(local),
                       at->bytes, &error) != DT_OK) {
        dt_array_release(local);
        return dti_fail_with(world, &error);
    }
    *out = local;
    return DT_OK;
}

static dt_tensor *unpack_from_disk(void *packed, void *arg)
{
    const written *at = packed;
    dt_array *local = NULL;
    (void)arg;
    if (read_elements(at->spec->mesh->world, at, &local) != DT_OK)
        return NULL;
    dt_tensor *tensor = dti_tensor_make(at->spec, local);
    dt_array_release(local);
    return tensor;
}

dt_packing dt_packing_disk(const char *folder)
{
    dt_packing packing = DT_PACKING_INIT;
    packing.pack = pack_to_disk;
    packing.unpack = unpack_from_disk;
    packing.release = release_written;
    packing.arg = (void *)(uintptr_t)folder;
    return packing;
}
