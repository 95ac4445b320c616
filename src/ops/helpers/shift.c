/* ops/helpers/shift.c - elements that go elsewhere, all by the same way. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/helpers/shift.h"

#include "array/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "layout/spec.h"
#include "ops/helpers/comm.h"
#include "redistribute/boxes.h"
#include "redistribute/exchange.h"

static bool are_alike(const dti_cuts *a, const dti_cuts *b)
{
    bool alike = a->count == b->count;
    for (int i = 0; alike && i < a->count; i++)
        alike = a->list[i].mesh_dim == b->list[i].mesh_dim &&
                a->list[i].factor == b->list[i].factor;
    return alike;
}

/* Tell whether ranks have the same indexes of a dimension before and after. */
static bool stays(const dt_spec *from, const dti_way *way, int dim)
{
    return way->by[dim] == 0 &&
           way->to->meta.shape.dims[dim] == from->meta.shape.dims[dim] &&
           are_alike(&way->to->cuts[dim], &from->cuts[dim]);
}

/* Dimensions of which a rank has other indexes afterwards. */
static unsigned moved_dims(const dti_shift *slide)
{
    unsigned dims = 0;
    for (int i = 0; i < slide->way_count; i++)
        for (int j = 0; j < slide->spec->meta.shape.ndim; j++)
            if (!stays(slide->spec, &slide->ways[i], j))
                dims |= 1u << j;
    return dims;
}

/* ---- Within a rank ------------------------------------------------------ */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* See, of an array, the elements that have a place in one of another shape:
 * those whose index + by is inside it. */
static dt_status see_common(dt_world *world, dt_array *array,
                            const dt_shape *other, const int64_t *by, int sign,
                            dt_array **out)
{
    dt_array *view = dt_array_retain(array);
    dt_status status = DT_OK;
    for (int i = 0; i < array->shape.ndim && status == DT_OK; i++) {
        dt_array *next = NULL;
        int64_t first = larger(0, -sign * by[i]);
        int64_t behind =
            larger(0, array->shape.dims[i] + sign * by[i] - other->dims[i]);
        int64_t end = larger(first, array->shape.dims[i] - behind);
        if (first == 0 && behind == 0)
            continue;
        status = dt_array_slice(world, view, i, first, end, 1, &next);
        dt_array_release(view);
        view = next;
    }
    *out = view;
    return status;
}

dt_status dti_shift_copy(dt_world *world, dt_array *from, dt_array *to,
                         const dti_way *way)
{
    dt_array *given = NULL, *taken = NULL;
    dt_status status = see_common(world, from, &to->shape, way->by, 1, &given);
    if (status == DT_OK)
        status = see_common(world, to, &from->shape, way->by, -1, &taken);
    if (status == DT_OK && dt_array_count(taken) > 0)
        status = dt_array_copy(world, given, taken);
    dt_array_release(given);
    dt_array_release(taken);
    return status;
}

/* Give the elements as the target has them, dense. */
static dt_status bring(const dti_shift *slide, dt_array **out)
{
    const dt_dtype dtype = dt_array_dtype(slide->to);
    if (dt_array_dtype(slide->from) == dtype)
        return dt_array_contiguous(slide->world, slide->from, out);
    return dt_array_cast(slide->world, slide->from, dtype, out);
}

/* The same where ranks have other indexes afterwards, of those that this one
 * has already: what is given is cut by no mesh dimension that moves it. */
static dt_status copy_own(const dti_shift *slide, const dti_way *way)
{
    const dt_spec *spec = slide->spec;
    const size_t item = dt_dtype_size(dt_array_dtype(slide->to));
    dti_part given, taken;
    dt_array *from = NULL;
    DTI_TRY(bring(slide, &from));
    dti_part_set(&given, spec, spec->mesh->place);
    dti_part_set(&taken, way->to, spec->mesh->place);
    for (int i = 0; i < taken.ndim; i++)
        dti_indexes_shift(&taken.dims[i], -way->by[i]);
    const dti_block_view source = dti_view_array(from, false);
    const dti_block_view destination = dti_view_array(slide->to, true);
    if (dti_part_count(&given) > 0 && dti_part_count(&taken) > 0)
        dti_copy_shared(&given, &source, &taken, &destination, item);
    dt_array_release(from);
    return DT_OK;
}

static bool is_cut_alike(const dti_shift *slide, const dti_way *way)
{
    for (int i = 0; i < slide->spec->meta.shape.ndim; i++)
        if (!are_alike(&way->to->cuts[i], &slide->spec->cuts[i]))
            return false;
    return true;
}

static dt_status copy_here(const dti_shift *slide, const dti_way *way)
{
    return is_cut_alike(slide, way)
               ? dti_shift_copy(slide->world, slide->from, slide->to, way)
               : copy_own(slide, way);
}

/* ---- Among ranks -------------------------------------------------------- */

typedef struct sharing {
    const dti_shift *slide;
    dt_group *group;
} sharing;

static int place_of(const sharing *at, int member)
{
    return dti_places_find(at->slide->spec->mesh->places,
                           dt_group_ranks(at->group)[member]);
}

/* What is taken is named as the giver names it. */
static bool meet(const void *arg, int number, int from, int to,
                 dti_meeting *out)
{
    const sharing *at = arg;
    const dti_way *way = &at->slide->ways[number];
    dti_part_set(&out->given, at->slide->spec, place_of(at, from));
    dti_part_set(&out->taken, way->to, place_of(at, to));
    for (int i = 0; i < out->taken.ndim; i++)
        dti_indexes_shift(&out->taken.dims[i], -way->by[i]);
    out->skipped = way->start;
    return true;
}

static uint64_t tag_of(const dti_shift *slide)
{
    uint64_t tag = slide->spec->hash;
    for (int i = 0; i < slide->way_count; i++) {
        tag = dti_hash_mix(tag, slide->ways[i].to->hash);
        for (int j = 0; j < slide->spec->meta.shape.ndim; j++)
            tag = dti_hash_mix(tag, (uint64_t)slide->ways[i].by[j]);
    }
    return tag;
}

static dt_status exchange_with(const dti_shift *slide, dt_group *group)
{
    const sharing at = {slide, group};
    const dti_exchange exchange = {.world = slide->world,
                                   .group = group,
                                   .dtype = dt_array_dtype(slide->to),
                                   .meet = meet,
                                   .arg = &at,
                                   .more = slide->way_count - 1};
    dt_array *from = NULL, *to = NULL;
    dt_status status = bring(slide, &from);
    if (status == DT_OK)
        status = dt_array_contiguous(slide->world, slide->to, &to);
    if (status == DT_OK)
        status = dti_exchange_dense(&exchange, tag_of(slide), from, to);
    if (status == DT_OK && to != slide->to && !dt_array_is_meta(to))
        status = dt_array_copy(slide->world, to, slide->to);
    dt_array_release(from);
    dt_array_release(to);
    return status;
}

dt_status dti_shift_run(const dti_shift *slide)
{
    dt_group *group = NULL;
    DTI_TRY(dti_comm_group(slide->spec, moved_dims(slide), &group));
    if (group)
        return exchange_with(slide, group);
    for (int i = 0; i < slide->way_count; i++)
        if (!dt_array_is_meta(slide->from))
            DTI_TRY(copy_here(slide, &slide->ways[i]));
    return DT_OK;
}
