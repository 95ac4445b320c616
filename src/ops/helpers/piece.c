/* ops/helpers/piece.c - neighbouring indexes of a dimension that ranks share.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/piece.h"

#include "array/array.h"
#include "base/error.h"
#include "layout/spec.h"
#include "ops/helpers/shift.h"

bool dti_piece_is_cut(const dt_tensor *tensor, int64_t dim)
{
    const dt_spec *spec = tensor->spec;
    const int ndim = spec->meta.shape.ndim;
    dim += dim < 0 ? ndim : 0;
    if (dim < 0 || dim >= ndim)
        return false;
    for (int i = 0; i < spec->layout.ndim; i++)
        if (spec->layout.placements[i].kind == DT_MASKED_PARTIAL)
            return false;
    for (int i = 0; i < spec->cuts[dim].count; i++)
        if (spec->cuts[dim].list[i].parts > 1)
            return true;
    return false;
}

/* ---- Pieces and the tensors they are views of --------------------------- */

static dt_status move(const dti_copied *copied, bool back)
{
    dti_way way = {.to = back ? copied->source_spec : copied->spec};
    way.by[copied->dim] = back ? copied->first : -copied->first;
    const dti_shift slide = {.world = copied->spec->mesh->world,
                             .spec = back ? copied->spec : copied->source_spec,
                             .from = back ? copied->local : copied->source,
                             .to = back ? copied->source : copied->local,
                             .ways = &way,
                             .way_count = 1};
    return copied->spec->member ? dti_shift_run(&slide) : DT_OK;
}

static dt_status read_piece(const dti_copied *copied)
{
    return move(copied, false);
}

static dt_status write_piece(const dti_copied *copied)
{
    return move(copied, true);
}

static const dti_copied_kind piece_kind = {.read = read_piece,
                                           .write = write_piece};

dt_status dti_piece_relate(dt_tensor *piece, dt_tensor *base, const char *op,
                           int dim, int64_t first)
{
    const dti_copied form = {.kind = &piece_kind,
                             .op = op,
                             .spec = piece->spec,
                             .local = piece->local,
                             .dim = dim,
                             .first = first};
    dti_copied *copied = NULL;
    DTI_TRY(dti_copied_create(base, &form, &copied));
    dt_status status = dti_tensor_relate(piece, base, copied);
    dti_copied_release(copied);
    return status;
}

/* ---- Taking them -------------------------------------------------------- */

dt_meta dti_piece_meta(const dt_tensor *tensor, int dim, int64_t count)
{
    dt_meta meta = tensor->spec->meta;
    meta.shape.dims[dim] = count;
    return meta;
}

/* The spec of one index of a dimension that every rank is to have. */
static dt_status spec_of_shared(const dt_tensor *tensor, int dim, dt_spec **out)
{
    const dt_spec *spec = tensor->spec;
    const dt_meta meta = dti_piece_meta(tensor, dim, 1);
    dt_layout layout = spec->layout;
    for (int i = 0; i < spec->cuts[dim].count; i++) {
        int mesh_dim = spec->cuts[dim].list[i].mesh_dim;
        layout.placements[mesh_dim] = dt_replicate();
        layout.order[mesh_dim] = 0;
    }
    return dt_spec_create_with(spec->mesh, &layout, &meta, out);
}

static dt_status create_like(dt_world *world, const dt_array *local,
                             const dt_spec *spec, dt_array **out)
{
    const dt_dtype dtype = spec->meta.dtype;
    return dt_array_is_meta(local)
               ? dt_array_create_meta(world, dtype, spec->local_shape, out)
               : dt_array_create(world, dtype, spec->local_shape, out);
}

/* Make a piece with a spec, and read it. */
static dt_status take(dt_tensor *tensor, const char *op, int dim, int64_t first,
                      dt_spec *spec, dt_tensor **out)
{
    dt_array *array = NULL;
    DTI_TRY(create_like(tensor->world, tensor->local, spec, &array));
    dt_tensor *piece = dti_tensor_make(spec, array);
    dt_array_release(array);
    if (!piece)
        return DT_ERR_NO_MEMORY;
    DTI_TRY(dti_piece_relate(piece, tensor, op, dim, first));
    DTI_TRY(read_piece(piece->copied));
    *out = piece;
    return DT_OK;
}

dt_status dti_piece_take(dt_tensor *tensor, const char *op, int dim,
                         int64_t first, int64_t count, dt_tensor **out)
{
    const dt_meta meta = dti_piece_meta(tensor, dim, count);
    dt_spec *spec = NULL;
    DTI_TRY(dt_spec_with_meta(tensor->spec, &meta, &spec));
    dt_status status = take(tensor, op, dim, first, spec, out);
    dt_spec_release(spec);
    return status;
}

dt_status dti_piece_share(dt_tensor *tensor, const char *op, int dim,
                          int64_t index, dt_tensor **out)
{
    dt_spec *spec = NULL;
    DTI_TRY(spec_of_shared(tensor, dim, &spec));
    dt_status status = take(tensor, op, dim, index, spec, out);
    dt_spec_release(spec);
    return status;
}
