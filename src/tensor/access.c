/* tensor/access.c - boxes of a tensor, read and written by any rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "comm/comm.h"
#include "redistribute/boxes.h"
#include "redistribute/partial.h"
#include "tensor/tensor.h"

/*
 * Ranks tell each other their boxes; then everyone knows what to send to whom,
 * and one all-to-all moves it.  A rank reads from those with its own coordinate
 * where the tensor is replicated, so replicas share the work, and what a rank
 * has itself it reads from itself.
 */

/* One exchange, as this rank sees it. */
typedef struct exchange {
    const dt_spec *spec;
    dt_group *group; /* all ranks of the mesh, in its order */
    bool writes;     /* into boxes' owners, instead of reading from them */
    dt_array *boxes; /* what each rank told */
    dt_array *send_counts;
    dt_array *receive_counts;
    dt_array *sent;
    dt_array *received;
} exchange;

/* ---- Boxes -------------------------------------------------------------- */

static dt_status check_elements(dt_world *world, const dt_array *array,
                                const char *what)
{
    if (dt_array_is_meta(array))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: rank %d has a meta array, without elements", what,
                        world->rank);
    return DT_OK;
}

static dt_status check_box(const dt_tensor *tensor, const dt_box *box,
                           const dt_array *array, const char *what)
{
    dt_world *world = tensor->world;
    dt_shape shape = tensor->spec->meta.shape;
    if (box->ndim != shape.ndim)
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a box of %d dimensions in %s", what, box->ndim,
                        dti_spec_show(tensor->spec).text);
    for (int i = 0; i < shape.ndim; i++)
        if (box->offset[i] < 0 || box->size[i] < 0 ||
            box->offset[i] > shape.dims[i] ||
            box->size[i] > shape.dims[i] - box->offset[i])
            return dti_fail(world, DT_ERR_INVALID,
                            "%s: dimension %d of the box has %" PRId64
                            " indexes from %" PRId64 " on, in %s",
                            what, i, box->size[i], box->offset[i],
                            dti_spec_show(tensor->spec).text);
    dt_shape size = dt_shape_make(box->ndim, box->size);
    if (dt_shape_count(size) == 0)
        return DT_OK;
    if (!array || array->dtype != tensor->spec->meta.dtype ||
        !dt_shape_equal(array->shape, size))
        return dti_fail(world, DT_ERR_INVALID,
                        "%s: a box of shape %s in %s needs an array of that "
                        "shape and dtype",
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
static bool set_box(const exchange *at, int place, dti_part *out)
{
    const dt_spec *spec = at->spec;
    const int64_t *words = dt_array_const_data(at->boxes);
    words += (int64_t)place * words_of(spec);
    dti_part_set_box(out, spec->meta.shape, words + 1,
                     words + 1 + spec->meta.shape.ndim);
    return words[0] != 0;
}

static dt_status tell_boxes(exchange *at, const dt_box *box)
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

/* Find what one place has to give and what another takes; they exchange what
 * the two share.  False if they have nothing to do with each other. */
static bool set_pair(const exchange *at, int from, int to, dti_part *given,
                     dti_part *taken)
{
    if (at->writes) {
        dti_part_set(taken, at->spec, to);
        return set_box(at, from, given);
    }
    dti_part_set(given, at->spec, from);
    return set_box(at, to, taken) && reads_from(at->spec, to, from);
}

/* Count what this rank sends to, or receives from, every other. */
static dt_status count_all(const exchange *at, bool sends, dt_array **counts,
                           dt_array **buffer)
{
    dt_world *world = at->spec->mesh->world;
    int own = at->spec->mesh->place;
    int size = dt_group_size(at->group);
    int64_t total = 0;
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(size), counts));
    int64_t *count = dt_array_data(*counts);
    for (int i = 0; i < size; i++) {
        dti_part given, taken;
        bool any =
            set_pair(at, sends ? own : i, sends ? i : own, &given, &taken);
        count[i] = any ? dti_overlap_count(&given, &taken) : 0;
        total += count[i];
    }
    return dt_array_create(world, at->spec->meta.dtype, DT_SHAPE(total),
                           buffer);
}

/* ---- Moving ------------------------------------------------------------- */

static void pack_all(const exchange *at, const dt_array *source)
{
    int own = at->spec->mesh->place;
    char *packed = dt_array_data(at->sent);
    size_t item = dt_dtype_size(at->spec->meta.dtype);
    if (!packed)
        return;
    dti_block_view view = dti_view_array(source, false);
    for (int i = 0; i < dt_group_size(at->group); i++) {
        dti_part given, taken;
        if (set_pair(at, own, i, &given, &taken))
            packed += dti_pack_shared(&given, &view, &taken, packed, item);
    }
}

static void unpack_all(const exchange *at, const dt_array *destination)
{
    int own = at->spec->mesh->place;
    const char *packed = dt_array_const_data(at->received);
    size_t item = dt_dtype_size(at->spec->meta.dtype);
    if (!packed)
        return;
    dti_block_view view = dti_view_array(destination, true);
    for (int i = 0; i < dt_group_size(at->group); i++) {
        dti_part given, taken;
        if (set_pair(at, i, own, &given, &taken))
            packed += dti_unpack_shared(&given, packed, &taken, &view, item);
    }
}

static dt_status move(exchange *at, const dt_box *box, const dt_array *source)
{
    DTI_TRY(tell_boxes(at, box));
    DTI_TRY(count_all(at, true, &at->send_counts, &at->sent));
    DTI_TRY(count_all(at, false, &at->receive_counts, &at->received));
    pack_all(at, source);
    return dt_group_all_to_all(
        at->group, at->sent, dt_array_const_data(at->send_counts),
        dt_array_const_data(at->receive_counts), at->received);
}

static dt_status begin(exchange *at)
{
    dt_mesh *mesh = at->spec->mesh;
    int dims[DT_MAX_NDIM];
    for (int i = 0; i < mesh->dims.ndim; i++)
        dims[i] = i;
    return dt_mesh_group_of(mesh, dims, mesh->dims.ndim, &at->group);
}

static void end(exchange *at)
{
    dt_array_release(at->boxes);
    dt_array_release(at->send_counts);
    dt_array_release(at->receive_counts);
    dt_array_release(at->sent);
    dt_array_release(at->received);
}

/* ---- The two calls ------------------------------------------------------ */

/* What is the same on all ranks. */
static dt_status check_call(const dt_tensor *tensor, const char *what)
{
    if (!tensor)
        return DT_ERR_INVALID;
    if (!dti_comm_of(tensor->world)->transport->moves_data)
        return dti_fail(tensor->world, DT_ERR_UNSUPPORTED,
                        "%s: on %s nobody knows which boxes the other ranks "
                        "would name",
                        what, dt_world_transport(tensor->world));
    return DT_OK;
}

static dt_status read_box(const dt_tensor *tensor, const dt_box *box,
                          dt_array *out)
{
    exchange at = {.spec = tensor->spec};
    dt_array *value = NULL;
    DTI_TRY(check_elements(tensor->world, tensor->local, "dt_tensor_get"));
    if (box)
        DTI_TRY(check_box(tensor, box, out, "dt_tensor_get"));
    if (box && out)
        DTI_TRY(dti_array_check_writable(tensor->world, out));
    DTI_TRY(
        dti_partial_combine(tensor->spec, tensor->local, tensor->mask, &value));
    dt_status status = begin(&at);
    if (status == DT_OK)
        status = move(&at, box, value);
    if (status == DT_OK && out)
        unpack_all(&at, out);
    end(&at);
    dt_array_release(value);
    return status;
}

dt_status dt_tensor_get(dt_tensor *tensor, const dt_box *box, dt_array *out)
{
    DTI_TRY(check_call(tensor, "dt_tensor_get"));
    if (!tensor->spec->member)
        return DT_OK;
    return dti_collective_end(tensor->world, read_box(tensor, box, out));
}

/* A rank that does not hold the value of a partial tensor gets what changes
 * nothing instead. */
static dt_status neutralise(const exchange *at)
{
    double neutral;
    if (dti_partial_holds(&at->spec->layout, at->spec->mesh->coordinate,
                          &neutral))
        return DT_OK;
    return dti_partial_fill(at->spec->mesh->world, neutral, at->received);
}

static dt_status write_box(const dt_tensor *tensor, const dt_box *box,
                           const dt_array *array)
{
    exchange at = {.spec = tensor->spec, .writes = true};
    DTI_TRY(check_elements(tensor->world, tensor->local, "dt_tensor_put"));
    DTI_TRY(dti_array_check_writable(tensor->world, tensor->local));
    if (box)
        DTI_TRY(check_box(tensor, box, array, "dt_tensor_put"));
    dt_status status = begin(&at);
    if (status == DT_OK)
        status = move(&at, box, array);
    if (status == DT_OK)
        status = neutralise(&at);
    if (status == DT_OK)
        unpack_all(&at, tensor->local);
    end(&at);
    return status;
}

dt_status dt_tensor_put(dt_tensor *tensor, const dt_box *box,
                        const dt_array *array)
{
    DTI_TRY(check_call(tensor, "dt_tensor_put"));
    if (tensor->mask)
        return dti_fail(tensor->world, DT_ERR_UNSUPPORTED,
                        "dt_tensor_put: %s has a mask; combine it first",
                        dti_spec_show(tensor->spec).text);
    if (!tensor->spec->member)
        return DT_OK;
    return dti_collective_end(tensor->world, write_box(tensor, box, array));
}
