/* tensor/distribute.c - spreading an array over a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor/boundary.h"

#include <string.h>

#include "base/error.h"
#include "comm/comm.h"
#include "redistribute/boxes.h"
#include "redistribute/partial.h"
#include "tensor/remember.h"
#include "tensor/tensor.h"

/*
 * One mesh dimension after another.  At each, the ranks that have something
 * pass it on along that dimension: shards are scattered, copies broadcast.  So
 * the source sends each element once, and others help.
 *
 * What a rank has on the way is its part in a layout where the dimensions that
 * are not done yet replicate.
 */

/* A spreading under way. */
typedef struct spreading {
    dt_spec *spec;
    dti_cuts cuts[DT_MAX_NDIM]; /* so far */
    int from[DT_MAX_NDIM];      /* the coordinate of those who have something;
                                   -1 along dimensions that are done */
    dt_array *piece;            /* what this rank has; NULL if nothing */
    bool borrowed;              /* the piece is the caller's array */
} spreading;

/* ---- Parts on the way --------------------------------------------------- */

/* Find the part of a coordinate in the layout so far. */
static void set_part(const spreading *at, const int *coordinate, dti_part *out)
{
    dt_shape shape = at->spec->meta.shape;
    out->ndim = shape.ndim;
    for (int i = 0; i < shape.ndim; i++)
        dti_indexes_set(&out->dims[i], shape.dims[i], &at->cuts[i], coordinate);
}

/* Let one more mesh dimension cut. */
static void add_cut(spreading *at, int mesh_dim)
{
    int dim = at->spec->layout.placements[mesh_dim].dim;
    const dti_cuts *all = &at->spec->cuts[dim];
    dti_cuts *cuts = &at->cuts[dim];
    for (int i = 0; i < all->count; i++)
        if (all->list[i].mesh_dim == mesh_dim)
            cuts->list[cuts->count++] = all->list[i];
}

/* Tell whether this rank has something, or gets it along a mesh dimension. */
static bool takes_part(const spreading *at, int mesh_dim)
{
    const int *coordinate = at->spec->mesh->coordinate;
    for (int i = 0; i < at->spec->layout.ndim; i++)
        if (i != mesh_dim && at->from[i] >= 0 && coordinate[i] != at->from[i])
            return false;
    return true;
}

static bool is_root(const spreading *at, int mesh_dim)
{
    return at->spec->mesh->coordinate[mesh_dim] == at->from[mesh_dim];
}

static void set_piece(spreading *at, dt_array *piece)
{
    dt_array_release(at->piece);
    at->piece = piece;
    at->borrowed = false;
}

/* A dense array for the part of this rank in the layout so far. */
static dt_status create_piece(const spreading *at, dt_array **out)
{
    dti_part part;
    set_part(at, at->spec->mesh->coordinate, &part);
    return dti_array_create_elements(at->spec->mesh->world,
                                     at->spec->meta.dtype,
                                     dti_part_shape(&part), out);
}

/* ---- One mesh dimension ------------------------------------------------- */

/* Tell whether the blocks of a cut lie one after another in the piece. */
static bool lies_in_order(const spreading *at, int mesh_dim,
                          const dti_part *whole)
{
    int dim = at->spec->layout.placements[mesh_dim].dim;
    const dti_cuts *cuts = &at->cuts[dim];
    for (int i = 0; i < dim; i++)
        if (whole->dims[i].size != 1)
            return false;
    return cuts->list[cuts->count - 1].factor <= 1;
}

/* Put what each rank of the dimension gets behind one another. */
static dt_status pack_blocks(const spreading *at, int mesh_dim,
                             const dti_part *whole, dt_array **out)
{
    dt_world *world = at->spec->mesh->world;
    size_t item = dt_dtype_size(at->spec->meta.dtype);
    int coordinate[DT_MAX_NDIM];
    DTI_TRY(dti_array_create_elements(world, at->spec->meta.dtype,
                                      DT_SHAPE(at->piece->count), out));
    char *data = dt_array_data(*out);
    dti_block_view source = dti_view_array(at->piece, false);
    if (!data || !source.data) /* there are none, or both are meta */
        return DT_OK;
    memcpy(coordinate, at->spec->mesh->coordinate, sizeof coordinate);
    for (int i = 0; i < at->spec->mesh->dims.sizes[mesh_dim]; i++) {
        dti_part part;
        coordinate[mesh_dim] = i;
        set_part(at, coordinate, &part);
        dti_block_view block = dti_view_dense(data, &part, item);
        dti_copy_shared(whole, &source, &part, &block, item);
        data += (size_t)dti_part_count(&part) * item;
    }
    return DT_OK;
}

/* How many elements each rank of the dimension gets. */
static void count_blocks(const spreading *at, int mesh_dim, int64_t *counts)
{
    int coordinate[DT_MAX_NDIM];
    memcpy(coordinate, at->spec->mesh->coordinate, sizeof coordinate);
    for (int i = 0; i < at->spec->mesh->dims.sizes[mesh_dim]; i++) {
        dti_part part;
        coordinate[mesh_dim] = i;
        set_part(at, coordinate, &part);
        counts[i] = dti_part_count(&part);
    }
}

static dt_status scatter_with(spreading *at, int mesh_dim, dt_group *group,
                              const dti_part *whole, int64_t *counts)
{
    dt_array *blocks = NULL, *piece = NULL;
    dt_status status = DT_OK;
    count_blocks(at, mesh_dim, counts);
    if (is_root(at, mesh_dim)) {
        if (lies_in_order(at, mesh_dim, whole))
            blocks = dt_array_retain(at->piece);
        else
            status = pack_blocks(at, mesh_dim, whole, &blocks);
    }
    if (status == DT_OK)
        status = create_piece(at, &piece);
    if (status == DT_OK)
        status =
            dt_group_scatter(group, at->from[mesh_dim], blocks, counts, piece);
    dt_array_release(blocks);
    if (status == DT_OK)
        set_piece(at, piece);
    else
        dt_array_release(piece);
    return status;
}

static dt_status scatter(spreading *at, int mesh_dim)
{
    dt_world *world = at->spec->mesh->world;
    dti_part whole = {0};
    dt_group *group = NULL;
    dt_array *counts = NULL;
    set_part(at, at->spec->mesh->coordinate, &whole);
    add_cut(at, mesh_dim);
    DTI_TRY(dt_mesh_group(at->spec->mesh, mesh_dim, &group));
    DTI_TRY(dt_array_create(world, DT_I64, DT_SHAPE(dt_group_size(group)),
                            &counts));
    dt_status status =
        scatter_with(at, mesh_dim, group, &whole, dt_array_data(counts));
    dt_array_release(counts);
    return status;
}

static dt_status broadcast(spreading *at, int mesh_dim)
{
    dt_group *group = NULL;
    dt_array *piece = NULL;
    DTI_TRY(dt_mesh_group(at->spec->mesh, mesh_dim, &group));
    if (!is_root(at, mesh_dim)) {
        DTI_TRY(create_piece(at, &piece));
        set_piece(at, piece);
    }
    return dt_group_broadcast(group, at->from[mesh_dim], at->piece);
}

/* Bring what the source's coordinate has to the first one, which is to have the
 * value; the others have nothing. */
static dt_status move_to_first(spreading *at, int mesh_dim)
{
    dt_group *group = NULL;
    dt_array *piece = NULL;
    int coordinate = at->spec->mesh->coordinate[mesh_dim];
    int from = at->from[mesh_dim];
    if (from == 0 || (coordinate != 0 && coordinate != from))
        return DT_OK;
    DTI_TRY(dt_mesh_group(at->spec->mesh, mesh_dim, &group));
    if (coordinate == from)
        return dt_group_send(group, 0, at->piece);
    DTI_TRY(create_piece(at, &piece));
    set_piece(at, piece);
    return dt_group_receive(group, from, at->piece);
}

static dt_status pass_on(spreading *at, int mesh_dim)
{
    const dt_placement *placement = &at->spec->layout.placements[mesh_dim];
    if (at->spec->mesh->dims.sizes[mesh_dim] == 1) {
        at->from[mesh_dim] = -1;
        return DT_OK;
    }
    bool cuts = dti_is_shard(placement);
    bool moves = dti_partial_has_one_holder(placement);
    dt_status status = DT_OK;
    if (!takes_part(at, mesh_dim)) {
        if (cuts)
            add_cut(at, mesh_dim);
    } else if (cuts) {
        status = scatter(at, mesh_dim);
    } else if (moves) {
        status = move_to_first(at, mesh_dim);
    } else {
        status = broadcast(at, mesh_dim);
    }
    at->from[mesh_dim] = moves ? 0 : -1;
    return status;
}

/* Cuts come first, in their order: there is less to send afterwards.  Then the
 * dimensions where one rank has the value, then those where all have it. */
static int turn_of(const dt_layout *layout, int mesh_dim)
{
    const dt_placement *placement = &layout->placements[mesh_dim];
    if (dti_is_shard(placement))
        return layout->order[mesh_dim];
    return dti_partial_has_one_holder(placement) ? DT_MAX_NDIM
                                                 : DT_MAX_NDIM + 1;
}

static dt_status spread(spreading *at)
{
    const dt_layout *layout = &at->spec->layout;
    for (int turn = 0; turn <= DT_MAX_NDIM + 1; turn++)
        for (int i = 0; i < layout->ndim; i++)
            if (turn_of(layout, i) == turn)
                DTI_TRY(pass_on(at, i));
    return DT_OK;
}

/* ---- From a source ------------------------------------------------------ */

static dt_status check_whole(const dt_spec *spec, const dt_array *array)
{
    dt_world *world = spec->mesh->world;
    if (!array)
        return dti_fail(
            world, DT_ERR_INVALID,
            "dt_distribute: rank %d is the source of %s, but its array is NULL",
            world->rank, dti_spec_show(spec).text);
    if (array->dtype != spec->meta.dtype ||
        !dt_shape_equal(array->shape, spec->meta.shape))
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_distribute: %s cannot be created from an array of "
                        "%s %s; dtype and shape must be equal",
                        dti_spec_show(spec).text, dt_dtype_name(array->dtype),
                        dti_shape_show(array->shape).text);
    if (dt_array_is_meta(array) && dti_comm_of(world)->transport->moves_data)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_distribute: the array of rank %d is a meta array, "
                        "without elements",
                        world->rank);
    return dti_array_settle(world, array);
}

/* What a rank ends with: its piece, or what changes nothing. */
static dt_status finish(const spreading *at, dt_array **out)
{
    dt_world *world = at->spec->mesh->world;
    if (takes_part(at, -1)) {
        if (at->borrowed && world->settings.dry_run)
            return create_piece(at, out);
        if (at->borrowed)
            return dt_array_clone(world, at->piece, out);
        *out = dt_array_retain(at->piece);
        return DT_OK;
    }
    DTI_TRY(dti_tensor_create_local(at->spec, out));
    return (*out)->storage ? dti_partial_apply(at->spec, *out) : DT_OK;
}

static dt_status start_at_source(spreading *at, dt_array *array)
{
    DTI_TRY(check_whole(at->spec, array));
    DTI_TRY(dt_array_contiguous(at->spec->mesh->world, array, &at->piece));
    at->borrowed = at->piece == array;
    return DT_OK;
}

static dt_status from_source(dt_spec *spec, dt_array *array, int source,
                             dt_array **out)
{
    spreading at = {.spec = spec};
    dt_status status = DT_OK;
    dt_mesh_coordinate_of(spec->mesh, source, at.from);
    if (spec->mesh->world->rank == source)
        status = start_at_source(&at, array);
    if (status == DT_OK)
        status = spread(&at);
    if (status == DT_OK)
        status = finish(&at, out);
    dt_array_release(at.piece);
    return status;
}

/* ---- Everywhere --------------------------------------------------------- */

static dt_status from_everywhere(dt_spec *spec, const dt_array *array,
                                 dt_array **out)
{
    dti_part whole, part;
    dt_array *local = NULL;
    int64_t none[DT_MAX_NDIM] = {0};
    dt_shape shape = spec->meta.shape;
    DTI_TRY(check_whole(spec, array));
    DTI_TRY(dti_tensor_create_local(spec, &local));
    dti_part_set_box(&whole, shape, none, shape.dims);
    dti_part_set(&part, spec, spec->mesh->place);
    dti_block_view source = dti_view_array(array, false);
    dti_block_view destination = dti_view_array(local, true);
    if (source.data && destination.data)
        dti_copy_shared(&whole, &source, &part, &destination,
                        dt_dtype_size(spec->meta.dtype));
    dt_status status = local->storage ? dti_partial_apply(spec, local) : DT_OK;
    if (status == DT_OK)
        *out = local;
    else
        dt_array_release(local);
    return status;
}

/* ---- Both --------------------------------------------------------------- */

/* What every rank can see for itself. */
static dt_status check_source(const dt_spec *spec, int source)
{
    int coordinate[DT_MAX_NDIM];
    DTI_TRY(dti_partial_check(spec));
    if (source != DT_EVERYWHERE &&
        !dt_mesh_coordinate_of(spec->mesh, source, coordinate))
        return dti_fail(
            spec->mesh->world, DT_ERR_INVALID,
            "dt_distribute: the source, rank %d, is not in the mesh", source);
    return DT_OK;
}

static dt_status take_local(dt_spec *spec, dt_array *array, int source,
                            dt_array **out)
{
    if (!spec->member)
        return dti_tensor_create_local(spec, out);
    if (source == DT_EVERYWHERE)
        return from_everywhere(spec, array, out);
    return from_source(spec, array, source, out);
}

/* Note the call, and serve the mesh; gives who was served before. */
static dti_service remember(const dt_spec *spec, int source)
{
    dti_history *history = spec->mesh->history;
    if (history) {
        dti_remembering at = dti_remember_begin(history, "distribute", 0,
                                                dti_hash_text("distribute"));
        dti_remember_spec(&at, "result", spec);
        dti_remember_integer(&at, "source", source);
        dti_remember_end(&at);
    }
    return dti_serve(spec->mesh, "distribute");
}

static dt_tensor *distribute(dt_spec *spec, dt_array *array, int source)
{
    dt_array *local = NULL;
    dt_tensor *tensor = NULL;
    dti_service before = remember(spec, source);
    dt_status status = take_local(spec, array, source, &local);
    if (status == DT_OK) {
        tensor = dti_tensor_make(spec, local);
        status = tensor ? DT_OK : DT_ERR_NO_MEMORY;
    }
    dt_array_release(local);
    if (spec->member)
        dti_collective_end_on(spec->mesh, status);
    dti_comm_serve(spec->mesh->world, before);
    return tensor;
}

static dt_status find_spec(dt_mesh *mesh, const char *layout,
                           const dt_meta *meta, dt_spec **out)
{
    const dt_layout *read;
    DTI_TRY(dti_layout_read_on(mesh, layout, &read));
    return dt_spec_create_with(mesh, read, meta, out);
}

dt_tensor *dti_distribute(dt_mesh *mesh, const char *layout,
                          const dt_meta *meta, dt_array *array, int source)
{
    dt_spec *spec = NULL;
    dt_tensor *tensor = NULL;
    dt_status status = find_spec(mesh, layout, meta, &spec);
    if (dti_collective_begin(mesh, status) != DT_OK)
        return NULL;
    if (check_source(spec, source) == DT_OK)
        tensor = distribute(spec, array, source);
    dt_spec_release(spec);
    return tensor;
}
