/* tensor/access.c - boxes of a tensor, read and written by any rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/handles.h"
#include "comm/comm.h"
#include "redistribute/boxes.h"
#include "redistribute/exchange.h"
#include "redistribute/partial.h"
#include "tensor/boundary.h"
#include "tensor/remember.h"
#include "tensor/view.h"

/*
 * Ranks tell each other their boxes; then everyone knows what to send to whom,
 * and one all-to-all moves it.  A rank reads from those with its own coordinate
 * where the tensor is replicated, so replicas share the work, and what a rank
 * has itself it reads from itself.
 */

/* Reading or writing, as this rank sees it. */
typedef struct access {
    const dt_spec *spec;
    dt_group *group; /* all ranks of the mesh, in its order */
    bool writes;     /* into boxes' owners, instead of reading from them */
    dt_array *boxes; /* what each rank told */
} access;

/* ---- Boxes -------------------------------------------------------------- */

static dt_status check_elements(dt_world *world, const dt_array *array,
                                const char *what)
{
    if (dt_array_is_meta(array))
        return dti_fail(
            world, DT_ERR_INVALID,
            "%s: the local array of rank %d is a meta array, without elements",
            what, world->rank);
    return DT_OK;
}

static dt_status check_box(const dt_tensor *tensor, const dt_box *box,
                           const dt_array *array, const char *what)
{
    dt_world *world = tensor->world;
    dt_shape shape = tensor->spec->meta.shape;
    if (box->ndim != shape.ndim)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: the box has %d dimensions, but the tensor is %s",
                        what, box->ndim, dti_spec_show(tensor->spec).text);
    for (int i = 0; i < shape.ndim; i++)
        if (box->offset[i] < 0 || box->size[i] < 0 ||
            box->offset[i] > shape.dims[i] ||
            box->size[i] > shape.dims[i] - box->offset[i])
            return dti_fail(world, DT_ERR_INVALID,
                            "%s: dimension %d of the box, of size %" PRId64
                            " from offset %" PRId64 ", is out of range for %s",
                            what, i, box->size[i], box->offset[i],
                            dti_spec_show(tensor->spec).text);
    dt_shape size = dt_shape_make(box->ndim, box->size);
    if (dt_shape_count(size) == 0)
        return DT_OK;
    if (!array || array->dtype != tensor->spec->meta.dtype ||
        !dt_shape_equal(array->shape, size))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a box of shape %s in %s needs an array of the "
                        "same shape and dtype",
                        what, dti_shape_show(size).text,
                        dti_spec_show(tensor->spec).text);
    return check_elements(world, array, what);
}

/* What a rank tells of its box: whether there is one, offsets, sizes. */
static int64_t words_of(const dt_spec *spec)
{
    return 1 + 2 * spec->meta.shape.ndim;
}

static void describe_box(const dt_spec *spec, const dt_box *box, int64_t *out)
{
    int ndim = spec->meta.shape.ndim;
    memset(out, 0, (size_t)words_of(spec) * sizeof *out);
    if (!box)
        return;
    out[0] = 1;
    memcpy(out + 1, box->offset, (size_t)ndim * sizeof *out);
    memcpy(out + 1 + ndim, box->size, (size_t)ndim * sizeof *out);
}

/* Find the box that the rank at a place told; false if it has none. */
static bool set_box(const access *at, int place, dti_part *out)
{
    const dt_spec *spec = at->spec;
    const int64_t *words = dt_array_const_data(at->boxes);
    words += (int64_t)place * words_of(spec);
    dti_part_set_box(out, spec->meta.shape, words + 1,
                     words + 1 + spec->meta.shape.ndim);
    return words[0] != 0;
}

static dt_status tell_boxes(access *at, const dt_box *box)
{
    dt_world *world = at->spec->mesh->world;
    dt_array *own = NULL;
    int64_t words = words_of(at->spec);
    DTI_TRY(dt_array_create(
        world, DT_I64, DT_SHAPE(dt_group_size(at->group), words), &at->boxes));
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(words), &own));
    describe_box(at->spec, box, dt_array_data(own));
    dt_status status = dt_group_all_gather(at->group, own, NULL, at->boxes);
    dt_array_release(own);
    return status;
}

/* ---- Who gives what to whom --------------------------------------------- */

/* Tell whether one place reads from another: they agree where the tensor is
 * replicated.  Partial values have been combined, so there too. */
static bool reads_from(const dt_spec *spec, int reader, int holder)
{
    int a[DT_MAX_NDIM], b[DT_MAX_NDIM];
    dti_mesh_coordinate_at(spec->mesh, reader, a);
    dti_mesh_coordinate_at(spec->mesh, holder, b);
    for (int i = 0; i < spec->layout.ndim; i++)
        if (!dti_is_shard(&spec->layout.placements[i]) && a[i] != b[i])
            return false;
    return true;
}

static bool meet(const void *arg, int number, int from, int to,
                 dti_meeting *out)
{
    const access *at = arg;
    (void)number;
    out->skipped = 0;
    if (at->writes) {
        dti_part_set(&out->taken, at->spec, to);
        return set_box(at, from, &out->given);
    }
    dti_part_set(&out->given, at->spec, from);
    return set_box(at, to, &out->taken) && reads_from(at->spec, to, from);
}

/* ---- What is lost ------------------------------------------------------- */

/* Count the elements of this rank that boxes cover; `marks` are as many zeros
 * as it has elements, and `ones` as many ones. */
static int64_t count_covered(const access *at, char *marks, const char *ones)
{
    const int place = at->spec->mesh->place;
    int64_t covered = 0;
    dti_meeting of;
    dti_part own;
    dti_part_set(&own, at->spec, place);
    const dti_block_view view = dti_view_dense(marks, &own, 1);
    for (int i = 0; i < dt_group_size(at->group); i++)
        if (meet(at, 0, i, place, &of))
            dti_unpack_shared(&of.given, ones, &of.taken, &view, 1);
    for (int64_t i = 0; i < dti_part_count(&own); i++)
        covered += marks[i];
    return covered;
}

/* What a failed call was to write is there again if boxes cover all of this
 * rank's part; else nobody knows what is missing. */
static dt_status renew(const access *at, const dt_array *local)
{
    if (!local->storage || !dti_array_loss(local))
        return DT_OK;
    const size_t count = (size_t)local->count;
    char *marks = calloc(2, count), *ones = marks ? marks + count : NULL;
    if (!marks)
        return dti_fail_memory(at->spec->mesh->world, 2 * count,
                               "what boxes cover");
    memset(ones, 1, count);
    if (count_covered(at, marks, ones) == local->count)
        dti_array_renew(local);
    free(marks);
    return DT_OK;
}

/* ---- Moving ------------------------------------------------------------- */

static dt_status move(access *at, const dt_box *box, const double *instead,
                      const dt_array *source, dt_array *destination)
{
    dt_mesh *mesh = at->spec->mesh;
    int dims[DT_MAX_NDIM];
    for (int i = 0; i < mesh->dims.ndim; i++)
        dims[i] = i;
    DTI_TRY(dt_mesh_group_of(mesh, dims, mesh->dims.ndim, &at->group));
    dt_status status = tell_boxes(at, box);
    dti_exchange exchange = {.world = mesh->world,
                             .group = at->group,
                             .dtype = at->spec->meta.dtype,
                             .meet = meet,
                             .arg = at,
                             .instead = instead};
    if (status == DT_OK)
        status = dti_exchange_run(&exchange, source, destination);
    if (status == DT_OK && at->writes)
        status = renew(at, destination);
    dt_array_release(at->boxes);
    return status;
}

/* ---- The two calls ------------------------------------------------------ */

/* What is the same on all ranks. */
static dt_status check_call(const dt_tensor *tensor, const char *what)
{
    DTI_TRY(dti_given(tensor, what, "tensor"));
    DTI_TRY(dti_world_check_reading(tensor->world, what));
    if (!dti_comm_of(tensor->world)->transport->moves_data)
        return dti_fail(tensor->world, DT_ERR_UNSUPPORTED,
                        "%s: not supported on %s, because the boxes of the "
                        "other ranks are unknown",
                        what, dt_world_transport(tensor->world));
    return DT_OK;
}

static dt_status read_box(const dt_tensor *tensor, const dt_box *box,
                          dt_array *out)
{
    access at = {.spec = tensor->spec};
    dt_array *value = NULL;
    DTI_TRY(dti_tensor_read(tensor));
    DTI_TRY(check_elements(tensor->world, tensor->local, "dt_tensor_get"));
    if (box)
        DTI_TRY(check_box(tensor, box, out, "dt_tensor_get"));
    if (box && out)
        DTI_TRY(dti_array_check_writable(tensor->world, out));
    DTI_TRY(dti_partial_combine(tensor->spec, tensor->local, &value));
    dt_status status = move(&at, box, NULL, value, out);
    dt_array_release(value);
    return status;
}

dt_status dt_tensor_get(dt_tensor *tensor, const dt_box *box, dt_array *out)
{
    DTI_TRY(check_call(tensor, "dt_tensor_get"));
    if (!tensor->spec->member)
        return DT_OK;
    dti_service before = dti_remember_tensor("tensor_get", tensor);
    dt_status status =
        dti_collective_end_on(tensor->spec->mesh, read_box(tensor, box, out));
    dti_comm_serve(tensor->world, before);
    return status;
}

/* A rank that does not hold the value of a partial tensor gets what changes
 * nothing instead. */
static dt_status write_box(const dt_tensor *tensor, const dt_box *box,
                           const dt_array *array)
{
    access at = {.spec = tensor->spec, .writes = true};
    double neutral;
    DTI_TRY(check_elements(tensor->world, tensor->local, "dt_tensor_put"));
    DTI_TRY(dti_write_check_memory(tensor));
    if (box)
        DTI_TRY(check_box(tensor, box, array, "dt_tensor_put"));
    bool holds = dti_partial_holds(&tensor->spec->layout,
                                   tensor->spec->mesh->coordinate, &neutral);
    return move(&at, box, holds ? NULL : &neutral, array, tensor->local);
}

/* Boxes may leave elements as they are, so a copied view is read first.  Ranks
 * outside the mesh count the write too. */
static dt_status put_box(const dt_tensor *tensor, const dt_box *box,
                         const dt_array *array)
{
    DTI_TRY(dti_write_begin(tensor, false));
    dti_version_raise(tensor, "tensor_put");
    if (tensor->spec->member)
        DTI_TRY(write_box(tensor, box, array));
    return dti_write_end(tensor);
}

dt_status dti_tensor_put(dt_tensor *tensor, const dt_box *box,
                         const dt_array *array)
{
    DTI_TRY(check_call(tensor, "dt_tensor_put"));
    DTI_TRY(dti_write_check(tensor, "dt_tensor_put", "the tensor"));
    DTI_TRY(
        dti_collective_begin(tensor->spec->mesh, dti_tensor_unmask(tensor)));
    dti_service before = dti_remember_tensor("tensor_put", tensor);
    dt_status status =
        dti_collective_end_on(tensor->spec->mesh, put_box(tensor, box, array));
    dti_comm_serve(tensor->world, before);
    return status;
}
