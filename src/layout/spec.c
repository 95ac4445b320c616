/* layout/spec.c - making specs, and reading them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/spec.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "base/shape.h"
#include "layout/part.h"

/* ---- The canonical form ------------------------------------------------- */

/*
 * Tell whether an order cuts a dimension as the strided shards do that spell
 * it: blocks that are cut again must be equal, the last ones need not be.  For
 * example, 2x2 ranks that cut 6 in S(0)[1]S(0)[0] have what they have in
 * _S(0,2)S(0).
 */
static bool cuts_alike(const dt_mesh *mesh, const dt_layout *ordered,
                       int tensor_dim, int64_t extent)
{
    int dims[DT_MAX_NDIM];
    int64_t parts = 1;
    const int count = dti_layout_cuts(ordered, tensor_dim, dims);
    for (int i = 0; i < count - 1; i++)
        parts *= mesh->dims.sizes[dims[i]];
    return extent % parts == 0;
}

/* A factor of 1 is that of a plain shard, whatever shards the dimension else.
 */
static void drop_factors_of_one(dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        if (layout->placements[i].kind == DT_STRIDED_SHARD &&
            layout->placements[i].factor == 1)
            layout->placements[i] = dt_shard(layout->placements[i].dim);
}

/* Use plain shards and orders instead of strided shards wherever they say the
 * same.  A factor stays on a mesh dimension of size 1: layouts of results do
 * not depend on how many ranks there are. */
static void make_canonical(const dt_mesh *mesh, dt_shape shape,
                           dt_layout *layout)
{
    drop_factors_of_one(layout);
    for (int i = 0; i < layout->ndim; i++) {
        const int dim = layout->placements[i].dim;
        dt_layout ordered = *layout;
        if (layout->placements[i].kind == DT_STRIDED_SHARD &&
            dti_layout_decode(mesh, layout, dim, &ordered) &&
            cuts_alike(mesh, &ordered, dim, shape.dims[dim]))
            *layout = ordered;
    }
}

/* ---- Making ------------------------------------------------------------- */

static void set_meta(dt_meta *meta, dt_dtype dtype, dt_shape shape)
{
    meta->dtype = dtype;
    meta->shape = shape;
    memset(meta->strides, 0, sizeof meta->strides);
    if (shape.ndim >= 0 && shape.ndim <= DT_MAX_NDIM)
        dti_strides_row_major(shape, meta->strides);
}

dt_meta dt_meta_of(dt_dtype dtype, dt_shape shape)
{
    dt_meta meta;
    set_meta(&meta, dtype, shape);
    return meta;
}

/* What is equal to dt_placement_equal has one hash. */
static uint64_t hash_placement(uint64_t hash, const dt_layout *layout, int i)
{
    const dt_placement *placement = &layout->placements[i];
    uint64_t detail = dti_is_shard(placement)         ? (uint64_t)placement->dim
                      : placement->kind == DT_PARTIAL ? (uint64_t)placement->op
                                                      : 0;
    hash = dti_hash_mix(hash, (uint64_t)placement->kind | detail << 8 |
                                  (uint64_t)layout->order[i] << 16);
    if (placement->kind == DT_STRIDED_SHARD)
        hash = dti_hash_mix(hash, (uint64_t)placement->factor);
    return hash;
}

uint64_t dti_layout_hash(uint64_t hash, const dt_layout *layout)
{
    for (int i = 0; i < layout->ndim; i++)
        hash = hash_placement(hash, layout, i);
    return hash;
}

/* An extent and its stride go into one word; an odd factor keeps them apart. */
static uint64_t hash_meta(const dt_meta *meta)
{
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = dti_hash_mix(odd, (uint64_t)meta->dtype << 8 |
                                          (uint64_t)meta->shape.ndim);
    for (int i = 0; i < meta->shape.ndim; i++)
        hash = dti_hash_mix(hash, (uint64_t)meta->shape.dims[i] * odd +
                                      (uint64_t)meta->strides[i]);
    return hash;
}

/* Layout and meta need not have been checked, but for how many placements and
 * extents there are.  Neither waits for the hash of the other. */
static uint64_t hash_key(const dti_spec_key *key)
{
    return dti_hash_mix(dti_layout_hash(key->mesh->hash, key->layout),
                        hash_meta(key->meta));
}

static dt_status check_meta(dt_world *world, const dt_meta *meta,
                            int64_t *count)
{
    int64_t last;
    DTI_TRY(dti_shape_check(world, meta->dtype, meta->shape, count));
    return dti_strides_check(world, meta->dtype, meta->shape, meta->strides,
                             &last);
}

static void set_cuts(dt_spec *spec, int dim)
{
    int dims[DT_MAX_NDIM];
    dti_cuts *cuts = &spec->cuts[dim];
    cuts->count = dti_layout_cuts(&spec->layout, dim, dims);
    for (int i = 0; i < cuts->count; i++) {
        const dt_placement *placement = &spec->layout.placements[dims[i]];
        bool strided = placement->kind == DT_STRIDED_SHARD;
        cuts->list[i] = (dti_cut){
            .mesh_dim = dims[i],
            .parts = spec->mesh->dims.sizes[dims[i]],
            .factor = strided ? placement->factor : 1,
        };
        spec->strided |= strided;
    }
    spec->sharded |= cuts->count > 0;
}

/* The part of this rank, which is asked for all the time. */
static void set_local(dt_spec *spec)
{
    dti_part part;
    spec->member = spec->mesh->place >= 0;
    spec->local_shape = DT_SHAPE(0);
    if (!spec->member)
        return;
    dti_part_set(&part, spec, spec->mesh->place);
    spec->local_shape = dti_part_shape(&part);
    for (int i = 0; i < part.ndim; i++)
        spec->local_offset[i] = dti_indexes_offset(&part.dims[i]);
}

/* Make a spec, with one reference. */
static dt_status make_spec(const dti_spec_key *key, int64_t count,
                           dt_spec **out)
{
    dt_spec *spec = calloc(1, sizeof *spec);
    if (!spec)
        return dti_fail_memory(key->mesh->world, sizeof *spec, "a spec");
    dti_reference_init(&spec->reference);
    spec->hash = key->hash;
    spec->mesh = dt_mesh_retain(key->mesh);
    spec->layout = *key->layout;
    spec->meta = *key->meta;
    spec->count = count;
    for (int i = 0; i < spec->meta.shape.ndim; i++)
        set_cuts(spec, i);
    for (int i = 0; i < spec->layout.ndim; i++)
        spec->partial |= dti_is_partial(&spec->layout.placements[i]);
    spec->default_order = dt_layout_has_default_order(&spec->layout);
    set_local(spec);
    dti_live_add(DTI_LIVE_SPEC, 1);
    *out = spec;
    return DT_OK;
}

/* Make a spec that the world does not keep yet, and let it keep it. */
static dt_status add_spec(const dti_spec_key *key, int64_t count, dt_spec **out)
{
    dt_spec *spec = NULL;
    DTI_TRY(make_spec(key, count, &spec));
    dt_status status = dti_specs_add(key->mesh->world, spec);
    if (status == DT_OK)
        *out = spec;
    else
        dt_spec_release(spec);
    return status;
}

/* Find the spec of a key, whose hash is set on the way; NULL if there is none.
 * Retained. */
static dt_spec *find_spec(dti_spec_key *key)
{
    key->hash = hash_key(key);
    return dt_spec_retain(dti_specs_find(key->mesh->world, key));
}

/* What is equal to a spec that is kept was checked when that was made, so only
 * what is not found is checked. */
dt_status dt_spec_create_with(dt_mesh *mesh, const dt_layout *layout,
                              const dt_meta *meta, dt_spec **out)
{
    dti_spec_key key = {.mesh = mesh, .layout = layout, .meta = meta};
    dt_spec *spec = NULL;
    int64_t count;
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    if (layout->ndim == mesh->dims.ndim && meta->shape.ndim >= 0 &&
        meta->shape.ndim <= DT_MAX_NDIM)
        spec = find_spec(&key);
    if (!spec) {
        dt_layout checked = *layout;
        DTI_TRY(check_meta(mesh->world, meta, &count));
        DTI_TRY(dt_layout_check(mesh, meta->shape.ndim, &checked));
        make_canonical(mesh, meta->shape, &checked);
        key.layout = &checked;
        spec = find_spec(&key);
        if (!spec)
            return add_spec(&key, count, out);
    }
    *out = spec;
    return DT_OK;
}

dt_status dt_spec_create(dt_mesh *mesh, const char *layout, dt_dtype dtype,
                         dt_shape shape, dt_spec **out)
{
    const dt_layout *read;
    dt_meta meta;
    DTI_TRY(dti_given(mesh, __func__, "mesh"));
    set_meta(&meta, dtype, shape);
    DTI_TRY(dti_layout_read(mesh->world, layout, &read));
    return dt_spec_create_with(mesh, read, &meta, out);
}

dt_status dt_spec_with_layout(dt_spec *spec, const char *layout, dt_spec **out)
{
    const dt_layout *read;
    DTI_TRY(dti_given(spec, __func__, "spec"));
    DTI_TRY(dti_layout_read(spec->mesh->world, layout, &read));
    return dt_spec_create_with(spec->mesh, read, &spec->meta, out);
}

dt_status dt_spec_with_meta(dt_spec *spec, const dt_meta *meta, dt_spec **out)
{
    DTI_TRY(dti_given(spec, __func__, "spec"));
    return dt_spec_create_with(spec->mesh, &spec->layout, meta, out);
}

dt_spec *dt_spec_retain(dt_spec *spec)
{
    if (spec)
        dti_reference_retain(&spec->reference);
    return spec;
}

void dt_spec_release(dt_spec *spec)
{
    if (!spec || !dti_reference_release(&spec->reference))
        return;
    dt_mesh_release(spec->mesh);
    free(spec);
    dti_live_add(DTI_LIVE_SPEC, -1);
}

/* ---- Reading ------------------------------------------------------------ */

dt_mesh *dt_spec_mesh(const dt_spec *spec)
{
    return spec ? spec->mesh : NULL;
}

const dt_layout *dt_spec_layout(const dt_spec *spec)
{
    return spec ? &spec->layout : NULL;
}

const dt_meta *dt_spec_meta(const dt_spec *spec)
{
    return spec ? &spec->meta : NULL;
}

dt_dtype dt_spec_dtype(const dt_spec *spec)
{
    return spec ? spec->meta.dtype : DT_DTYPE_COUNT;
}

dt_shape dt_spec_shape(const dt_spec *spec)
{
    return spec ? spec->meta.shape : (dt_shape){0};
}

int dt_spec_ndim(const dt_spec *spec)
{
    return spec ? spec->meta.shape.ndim : 0;
}

int64_t dt_spec_count(const dt_spec *spec)
{
    return spec ? spec->count : 0;
}

uint64_t dt_spec_hash(const dt_spec *spec)
{
    return spec ? spec->hash : 0;
}

bool dt_spec_is_replicated(const dt_spec *spec)
{
    return spec && !spec->sharded && !spec->partial;
}

bool dt_spec_is_sharded(const dt_spec *spec)
{
    return spec && spec->sharded;
}

bool dt_spec_is_partial(const dt_spec *spec)
{
    return spec && spec->partial;
}

bool dt_spec_has_default_order(const dt_spec *spec)
{
    return spec && spec->default_order;
}

bool dt_spec_is_strided(const dt_spec *spec)
{
    return spec && spec->strided;
}

static bool has_dim(const dt_spec *spec, int dim)
{
    return dim >= 0 && dim < dt_spec_ndim(spec);
}

int64_t dt_spec_shards_of(const dt_spec *spec, int dim)
{
    int64_t parts = 1;
    if (!has_dim(spec, dim))
        return 0;
    for (int i = 0; i < spec->cuts[dim].count; i++)
        parts *= spec->cuts[dim].list[i].parts;
    return parts;
}

int64_t dt_spec_shards(const dt_spec *spec)
{
    int64_t parts = spec ? 1 : 0;
    for (int i = 0; i < dt_spec_ndim(spec); i++)
        parts *= dt_spec_shards_of(spec, i);
    return parts;
}

int dt_spec_cuts(const dt_spec *spec, int dim, int *out)
{
    if (!has_dim(spec, dim))
        return 0;
    for (int i = 0; i < spec->cuts[dim].count; i++)
        out[i] = spec->cuts[dim].list[i].mesh_dim;
    return spec->cuts[dim].count;
}

int dt_spec_partial_dims(const dt_spec *spec, int *out)
{
    int count = 0;
    for (int i = 0; spec && i < spec->layout.ndim; i++)
        if (dti_is_partial(&spec->layout.placements[i]))
            out[count++] = i;
    return count;
}

bool dt_spec_is_shardable(const dt_spec *spec, int dim)
{
    int64_t left;
    if (!has_dim(spec, dim))
        return false;
    left = spec->meta.shape.dims[dim];
    for (int i = 0; i < spec->cuts[dim].count; i++) {
        const dti_cut *cut = &spec->cuts[dim].list[i];
        if (cut->parts > 1 && left / cut->parts < cut->factor)
            return false;
        left /= cut->parts;
    }
    return true;
}
