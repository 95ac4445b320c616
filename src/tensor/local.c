/* tensor/local.c - tensors put together from arrays, and taken apart. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/boundary.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "base/hash.h"
#include "base/options.h"
#include "comm/comm.h"
#include "redistribute/partial.h"
#include "tensor/order.h"
#include "tensor/remember.h"
#include "tensor/view.h"

/* ---- What the whole is -------------------------------------------------- */

/* Multiply, unless it does not fit 63 bits. */
static bool scale(int64_t *number, int64_t factor)
{
    return !__builtin_mul_overflow(*number, factor, number);
}

/*
 * Find the whole of which this array is one of equal parts.  Where its
 * elements do not lie side by side, only the order of its strides counts: how
 * far apart rows lie is this rank's own affair.  A dimension that is cut grows;
 * so do the strides that step over it, which are those that are not smaller
 * than its own.
 */
static dt_status guess_whole(const dt_mesh *mesh, const dt_layout *layout,
                             const dt_array *local, dt_meta *out)
{
    bool fits = true;
    *out = (dt_meta){.dtype = local->dtype, .shape = local->shape};
    for (int i = 0; i < local->shape.ndim; i++)
        out->strides[i] = local->strides[i];
    dti_meta_make_dense(out);
    for (int i = 0; i < layout->ndim; i++) {
        int dim = layout->placements[i].dim;
        int64_t parts = mesh->dims.sizes[i];
        if (!dti_is_shard(&layout->placements[i]))
            continue;
        fits &= scale(&out->shape.dims[dim], parts);
        for (int j = 0; j < out->shape.ndim; j++)
            if (j != dim && out->strides[j] >= out->strides[dim])
                fits &= scale(&out->strides[j], parts);
    }
    if (!fits)
        return dti_fail(
            mesh->world, DT_ERR_INVALID,
            "local arrays of shape %s make a tensor with too many elements",
            dti_shape_show(local->shape).text);
    return DT_OK;
}

/* What the caller says of the whole, or what the array suggests. */
static dt_status find_whole(const dt_mesh *mesh, const dt_layout *layout,
                            const dt_array *local,
                            const dt_from_local_options *options, dt_meta *out)
{
    if (!options->shape != !options->strides)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "dt_from_local: pass both shape and strides or "
                        "neither; got %s only",
                        options->shape ? "the shape" : "strides");
    if (!options->shape)
        return guess_whole(mesh, layout, local, out);
    *out = (dt_meta){.dtype = local->dtype, .shape = *options->shape};
    if (out->shape.ndim < 0 || out->shape.ndim > DT_MAX_NDIM)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "a shape of %d dimensions; the maximum is %d",
                        out->shape.ndim, DT_MAX_NDIM);
    memcpy(out->strides, options->strides,
           (size_t)out->shape.ndim * sizeof *out->strides);
    return DT_OK;
}

static dt_status check_part(const dt_spec *spec, const dt_array *local)
{
    dt_world *world = spec->mesh->world;
    if (local->dtype != spec->meta.dtype)
        return dti_fail(
            world, DT_ERR_INVALID,
            "%s: rank %d has an array of dtype %s, which does not match",
            dti_spec_show(spec).text, world->rank, dt_dtype_name(local->dtype));
    if (dt_shape_equal(local->shape, spec->local_shape))
        return DT_OK;
    dti_shape_text wanted = dti_shape_show(spec->local_shape);
    return dti_fail(
        world, DT_ERR_INVALID,
        "%s: the local array of rank %d has shape %s; expected %s; if local "
        "shapes differ between ranks, pass the global shape and strides",
        dti_spec_show(spec).text, world->rank, wanted.text,
        dti_shape_show(local->shape).text);
}

/* ---- Comparing across ranks --------------------------------------------- */

/* What a rank tells the others of its part. */
typedef struct part_report {
    int64_t valid; /* its part fits the spec that it found */
    int64_t spec;  /* a hash of that spec: dtype, shape and strides */
    int64_t bits;  /* a hash of the elements */
} part_report;

enum { report_words = sizeof(part_report) / sizeof(int64_t) };

static dt_status hash_elements(dt_world *world, dt_array *local, int64_t *out)
{
    dt_array *dense = NULL;
    DTI_TRY(dti_array_settle(world, local));
    DTI_TRY(dt_array_contiguous(world, local, &dense));
    const void *data = dt_array_const_data(dense);
    *out = data ? (int64_t)dti_hash_bytes(data, dt_array_bytes(dense)) : 0;
    dt_array_release(dense);
    return DT_OK;
}

/* The first place of the mesh with the same part as another: coordinate 0 where
 * the layout replicates. */
static int first_replica(const dt_spec *spec, int place)
{
    int first = place;
    for (int i = 0; i < spec->layout.ndim; i++) {
        const dt_mesh *mesh = spec->mesh;
        int coordinate = place / mesh->strides[i] % mesh->dims.sizes[i];
        if (spec->layout.placements[i].kind == DT_REPLICATE)
            first -= coordinate * mesh->strides[i];
    }
    return first;
}

/* Find the first rank whose report does not fit. */
static dt_status judge(const dt_spec *spec, const part_report *reports)
{
    dt_world *world = spec->mesh->world;
    const int *ranks = spec->mesh->places->ranks;
    for (int i = 0; i < dt_mesh_size(spec->mesh); i++) {
        if (!reports[i].valid)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_from_local: the local array of rank %d is "
                            "invalid; see the error of that rank",
                            ranks[i]);
        if (reports[i].spec != reports[0].spec)
            return dti_fail(
                world, DT_ERR_INVALID,
                "dt_from_local: dtype, shape or strides of the local array of "
                "rank %d do not match those of rank %d",
                ranks[i], ranks[0]);
        int first = first_replica(spec, i);
        if (reports[i].bits != reports[first].bits)
            return dti_fail(world, DT_ERR_INVALID,
                            "dt_from_local: the layout %s requires ranks %d "
                            "and %d to have equal elements, but they differ",
                            dti_layout_show(&spec->layout).text, ranks[first],
                            ranks[i]);
    }
    return DT_OK;
}

/* Give every rank the reports of all; in `reports`, room for the mesh. */
static dt_status exchange_reports(dt_mesh *mesh, const part_report *own,
                                  dt_array *all)
{
    dt_world *world = mesh->world;
    int dims[DT_MAX_NDIM];
    dt_group *group = NULL;
    dt_array *mine = NULL;
    dt_status status;
    for (int i = 0; i < mesh->dims.ndim; i++)
        dims[i] = i;
    DTI_TRY(dt_mesh_group_of(mesh, dims, mesh->dims.ndim, &group));
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(report_words), &mine));
    memcpy(dt_array_data(mine), own, sizeof *own);
    status = dt_group_all_gather(group, mine, NULL, all);
    dt_array_release(mine);
    return status;
}

/* Gather the reports of all ranks; the caller releases them. */
static dt_status gather_reports(dt_mesh *mesh, dt_array *local,
                                part_report *own, dt_array **out)
{
    dt_array *all = NULL;
    if (own->valid)
        DTI_TRY(hash_elements(mesh->world, local, &own->bits));
    DTI_TRY(dt_array_create(mesh->world, DT_I64,
                            DT_SHAPE(dt_mesh_size(mesh), report_words), &all));
    dt_status status = exchange_reports(mesh, own, all);
    if (status == DT_OK)
        *out = all;
    else
        dt_array_release(all);
    return status;
}

/*
 * Compare the parts of all ranks.  A rank that found something wrong itself
 * takes part, so that all are told; its own sentence stands.
 */
static dt_status compare_parts(dt_mesh *mesh, const dt_spec *spec,
                               dt_array *local, dt_status found)
{
    dt_world *world = mesh->world;
    part_report own = {.valid = found == DT_OK,
                       .spec = spec ? (int64_t)spec->hash : 0};
    dt_error error = world->latest;
    dt_array *all = NULL;
    DTI_TRY(
        dti_collective_end_on(mesh, gather_reports(mesh, local, &own, &all)));
    dt_status status = DT_OK;
    if (found != DT_OK)
        status = dti_fail_with(world, &error);
    else if (spec && dti_comm_of(world)->transport->moves_data)
        status = judge(spec, dt_array_const_data(all));
    dt_array_release(all);
    return status;
}

/* ---- In ----------------------------------------------------------------- */

/* A tensor of this rank outside the mesh. */
static dt_tensor *make_outside(dt_spec *spec)
{
    dt_array *empty = NULL;
    dt_tensor *tensor = NULL;
    if (dti_tensor_create_local(spec, &empty) == DT_OK)
        tensor = dti_tensor_make(spec, empty);
    dt_array_release(empty);
    return tensor;
}

/* The spec of the whole that this array is a part of. */
static dt_status find_spec(dt_mesh *mesh, const char *text,
                           const dt_array *local,
                           const dt_from_local_options *options, dt_spec **out)
{
    const dt_layout *read;
    dt_meta meta;
    if (!local)
        return dti_fail(mesh->world, DT_ERR_INVALID,
                        "dt_from_local: the array is NULL");
    DTI_TRY(dti_layout_read_on(mesh, text, &read));
    dt_layout layout = *read;
    int ndim = options->shape ? options->shape->ndim : local->shape.ndim;
    DTI_TRY(dt_layout_check(mesh, ndim, &layout));
    DTI_TRY(find_whole(mesh, &layout, local, options, &meta));
    return dt_spec_create_with(mesh, &layout, &meta, out);
}

/* The same, and everything that this rank can check. */
static dt_status find_and_check(dt_mesh *mesh, const char *text,
                                const dt_array *local,
                                const dt_from_local_options *options,
                                dt_spec **out)
{
    DTI_TRY(find_spec(mesh, text, local, options, out));
    DTI_TRY(dti_partial_check(*out));
    return (*out)->member ? check_part(*out, local) : DT_OK;
}

/* Outside the mesh nothing is compared. */
dt_tensor *dti_from_local(dt_mesh *mesh, const char *layout, dt_array *local,
                          const dt_from_local_options *options)
{
    dt_spec *spec = NULL;
    dt_tensor *tensor = NULL;
    bool member = dt_mesh_is_member(mesh), compare = options->check && member;
    dti_service before = dti_serve(mesh, "from_local");
    dt_status status = find_and_check(mesh, layout, local, options, &spec);
    if (compare && status != DT_ERR_NO_MEMORY)
        status = compare_parts(mesh, spec, local, status);
    if (status == DT_OK) {
        dti_remember_result("from_local", spec);
        tensor = member ? dti_tensor_make(spec, local) : make_outside(spec);
        status = tensor ? DT_OK : DT_ERR_NO_MEMORY;
    }
    if (compare)
        dti_collective_begin(mesh, status);
    dti_comm_serve(mesh->world, before);
    dt_spec_release(spec);
    return tensor;
}

/* ---- Out ---------------------------------------------------------------- */

/* See an array as a tensor on this rank's own mesh. */
static dt_tensor *see_alone(dt_tensor *tensor)
{
    dt_mesh *own = dt_world_own_mesh(tensor->world);
    const dt_array *local = tensor->local;
    dt_meta meta = {.dtype = local->dtype, .shape = local->shape};
    const dt_layout layout = dti_layout_replicated(1);
    dt_spec *spec = NULL;
    memcpy(meta.strides, local->strides, sizeof meta.strides);
    if (local->storage && dti_array_loss(local)) {
        dti_array_settle(tensor->world, local);
        return NULL;
    }
    if (!own || dt_spec_create_with(own, &layout, &meta, &spec) != DT_OK)
        return NULL;
    dt_tensor *result = dti_tensor_make(spec, tensor->local);
    dt_spec_release(spec);
    return result;
}

dt_tensor *dti_to_local(dt_tensor *tensor)
{
    if (!dti_tensor_show(tensor, "dt_to_local"))
        return NULL;
    dt_tensor *result = see_alone(tensor);
    if (!result)
        return NULL;
    result->alone = true;
    return dti_tensor_relate(result, tensor, NULL) == DT_OK ? result : NULL;
}

dt_status dt_tensor_disassemble(dt_tensor *tensor, dt_array **array,
                                dt_spec **spec)
{
    DTI_TRY(dti_given(tensor, __func__, "tensor"));
    dt_array *shown = dti_tensor_show(tensor, __func__);
    if (!shown)
        return dti_failure_of(tensor->world);
    *array = dt_array_retain(shown);
    *spec = dt_spec_retain(tensor->spec);
    return DT_OK;
}

dt_tensor *dt_tensor_assemble(dt_spec *spec, dt_array *array)
{
    DTI_ENTRY();
    if (dti_given(spec, __func__, "spec") != DT_OK)
        return NULL;
    if (!array) {
        dti_fail(spec->mesh->world, DT_ERR_INVALID,
                 "dt_tensor_assemble: the array is NULL");
        return NULL;
    }
    if (check_part(spec, array) != DT_OK)
        return NULL;
    dt_tensor *tensor = dti_tensor_make(spec, array);
    if (tensor)
        tensor->born = 0;
    return tensor;
}
