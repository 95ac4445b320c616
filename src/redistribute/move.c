/* redistribute/move.c - working out what this rank does in a step. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/move.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "redistribute/partial.h"
#include "redistribute/tiles.h"

/* ---- Ends --------------------------------------------------------------- */

static void set_end(dti_end *end, dt_mesh *mesh, const dt_layout *layout,
                    int tensor_ndim)
{
    end->mesh = mesh;
    end->layout = *layout;
    for (int i = 0; i < tensor_ndim; i++)
        dti_layout_cuts_of(mesh, layout, i, &end->cuts[i]);
}

bool dti_end_part(const dti_end *end, dt_shape shape, int rank, dti_part *out)
{
    int coordinate[DT_MAX_NDIM];
    int place = dti_places_find(end->mesh->places, rank);
    if (place < 0)
        return false;
    dti_mesh_coordinate_at(end->mesh, place, coordinate);
    out->ndim = shape.ndim;
    for (int i = 0; i < shape.ndim; i++)
        dti_indexes_set(&out->dims[i], shape.dims[i], &end->cuts[i],
                        coordinate);
    return true;
}

/* A reader asks those who stand where it does along the dimensions that do not
 * cut; one from outside the mesh stands somewhere too.  Where a value becomes
 * partial, it stays with who has it: the first one, if all do. */
static bool connects(const dti_move *move, int holder, int reader)
{
    const dt_mesh *mesh = move->from.mesh;
    int a[DT_MAX_NDIM], b[DT_MAX_NDIM];
    int holds = dti_places_find(mesh->places, holder);
    int reads = dti_places_find(mesh->places, reader);
    if (holds < 0)
        return false;
    dti_mesh_coordinate_at(mesh, holds, a);
    dti_mesh_coordinate_at(mesh,
                           reads < 0 ? reader % mesh->places->count : reads, b);
    unsigned parted = dti_layouts_parted(&move->from.layout, &move->to.layout);
    for (int i = 0; i < mesh->dims.ndim; i++) {
        bool cuts = dti_is_shard(&move->from.layout.placements[i]);
        bool becomes = parted >> i & 1;
        if ((!cuts || becomes) && a[i] != b[i])
            return false;
        if (!cuts && becomes && b[i] > 0)
            return false;
    }
    return true;
}

/* ---- Groups ------------------------------------------------------------- */

/* The mesh dimensions along which a step combines. */
static unsigned combined_dims(const dti_move *move)
{
    unsigned dims = 0;
    for (int i = 0; i < move->from.layout.ndim; i++)
        if (dti_is_partial(&move->from.layout.placements[i]) &&
            !dti_is_partial(&move->to.layout.placements[i]))
            dims |= 1u << i;
    return dims;
}

static dt_status open_group_along(dti_move *move, unsigned dims)
{
    int list[DT_MAX_NDIM], count = 0;
    for (int i = 0; i < move->from.mesh->dims.ndim; i++)
        if (dims >> i & 1)
            list[count++] = i;
    if (count == 0 || move->from.mesh->place < 0)
        return DT_OK;
    return dt_mesh_group_of(move->from.mesh, list, count, &move->group);
}

static int compare_ranks(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The ranks of both meshes, in the order of the world. */
static dt_status open_group_across(dti_move *move)
{
    const dti_places *a = move->from.mesh->places, *b = move->to.mesh->places;
    int rank = move->world->rank, count = a->count;
    if (dti_places_find(a, rank) < 0 && dti_places_find(b, rank) < 0)
        return DT_OK;
    size_t bytes = (size_t)(a->count + b->count) * sizeof(int);
    int *ranks = malloc(bytes);
    if (!ranks)
        return dti_fail_memory(move->world, bytes, "the ranks of two meshes");
    memcpy(ranks, a->ranks, (size_t)a->count * sizeof *ranks);
    for (int i = 0; i < b->count; i++)
        if (dti_places_find(a, b->ranks[i]) < 0)
            ranks[count++] = b->ranks[i];
    qsort(ranks, (size_t)count, sizeof *ranks, compare_ranks);
    dt_status status = dt_group_create(move->world, ranks, count, &move->group);
    free(ranks);
    return status;
}

static bool combines(dt_step_kind kind)
{
    return kind == DT_STEP_ALL_REDUCE || kind == DT_STEP_REDUCE_SCATTER;
}

static dt_status open_group(dti_move *move, bool crosses)
{
    if (move->kind == DT_STEP_SLICE || move->kind == DT_STEP_MAKE_PARTIAL)
        return DT_OK;
    if (crosses)
        return open_group_across(move);
    if (combines(move->kind))
        return open_group_along(move, combined_dims(move));
    return open_group_along(
        move, dti_layouts_apart(move->from.mesh, &move->from.layout,
                                &move->to.layout, move->shape.ndim));
}

/* ---- Tiles -------------------------------------------------------------- */

bool dti_move_meet(const void *arg, int number, int from, int to,
                   dti_meeting *out)
{
    const dti_move *move = arg;
    (void)number;
    const int *ranks =
        move->group ? dt_group_ranks(move->group) : &move->world->rank;
    out->skipped = 0;
    return dti_end_part(&move->from, move->shape, ranks[from], &out->given) &&
           dti_end_part(&move->to, move->shape, ranks[to], &out->taken) &&
           (move->kind == DT_STEP_REDUCE_SCATTER ||
            connects(move, ranks[from], ranks[to]));
}

static dt_status list_tiles(dti_move *move, dti_tiles *tiles)
{
    const dti_exchange exchange = {.world = move->world,
                                   .group = move->group,
                                   .dtype = move->dtype,
                                   .meet = dti_move_meet,
                                   .arg = move};
    return dti_exchange_list(&exchange, tiles, &move->tiling);
}

/* The box of all members' values that this rank keeps when they are combined.
 */
static dt_status list_combined(dti_move *move, dti_tiles *tiles)
{
    dti_part has = {0}, wants = {0};
    int64_t item = (int64_t)dt_dtype_size(move->dtype);
    int size = dt_group_size(move->group);
    dti_end_part(&move->from, move->shape, move->world->rank, &has);
    dti_end_part(&move->to, move->shape, move->world->rank, &wants);
    move->tiling.received = dti_part_count(&wants) * (size - 1);
    for (int i = 0; i < size; i++) {
        dti_part other = {0};
        if (i != dt_group_rank(move->group) &&
            dti_end_part(&move->to, move->shape, dt_group_ranks(move->group)[i],
                         &other))
            move->tiling.sent += dti_part_count(&other);
    }
    return dti_tiles_add(tiles, -1, &has, &wants, item, 0);
}

static dt_status open_tiles(dti_move *move)
{
    dti_tiles tiles = {.world = move->world};
    dt_status status;
    if (move->kind == DT_STEP_ALL_REDUCE)
        return DT_OK;
    if (move->kind == DT_STEP_REDUCE_SCATTER)
        status = list_combined(move, &tiles);
    else
        status = list_tiles(move, &tiles);
    move->tiles = tiles.list;
    move->tiling.tiles = tiles.list;
    move->tiling.count = tiles.count;
    return status;
}

/* What a rank does not take where values become partial changes nothing. */
static dt_status open_gaps(dti_move *move)
{
    double neutral = 0;
    const dt_mesh *mesh = move->to.mesh;
    if (mesh->place < 0 ||
        !dti_layouts_parted(&move->from.layout, &move->to.layout))
        return DT_OK;
    dti_partial_holds_new(&move->from.layout, &move->to.layout,
                          mesh->coordinate, &neutral);
    return dti_gaps_open(&move->gaps, move->world, move->dtype, move->local,
                         &move->tiling, neutral);
}

/* ---- A step ------------------------------------------------------------- */

/* The mesh of each end: it changes at the step that crosses. */
static void set_ends(dti_move *move, const dt_plan *plan, int step)
{
    bool crossed = false;
    int ndim = move->shape.ndim;
    for (int i = 0; i < step; i++)
        crossed |= plan->steps[i].crosses;
    const dt_plan_step *this = &plan->steps[step];
    set_end(&move->from, crossed ? plan->to->mesh : plan->from->mesh,
            &this->from, ndim);
    set_end(&move->to,
            crossed || this->crosses ? plan->to->mesh : plan->from->mesh,
            &this->to, ndim);
}

static void set_op(dti_move *move)
{
    unsigned dims = combined_dims(move);
    for (int i = 0; i < move->from.layout.ndim; i++)
        if (dims >> i & 1)
            move->op = move->from.layout.placements[i].op;
    move->divisor =
        dti_step_divisor(move->from.mesh, &move->from.layout, &move->to.layout);
    if (move->divisor > 1)
        move->op = DT_SUM;
}

/* What ranks must agree on; strides move nothing. */
static uint64_t hash_step(const dti_move *move, int step)
{
    uint64_t hash = dti_hash_mix((uint64_t)step, (uint64_t)move->kind);
    hash = dti_hash_mix(hash, move->from.mesh->hash);
    hash = dti_hash_mix(hash, move->to.mesh->hash);
    hash = dti_layout_hash(hash, &move->from.layout);
    hash = dti_layout_hash(hash, &move->to.layout);
    for (int i = 0; i < move->shape.ndim; i++)
        hash = dti_hash_mix(hash, (uint64_t)move->shape.dims[i]);
    return hash;
}

dt_status dti_move_open(dti_move *move, const dt_plan *plan, int step)
{
    dti_part part;
    const dt_meta *meta = &plan->from->meta;
    *move = (dti_move){.kind = plan->steps[step].kind,
                       .world = plan->from->mesh->world,
                       .dtype = meta->dtype,
                       .shape = meta->shape,
                       .divisor = 1,
                       .cap = plan->memory_cap};
    set_ends(move, plan, step);
    if (combines(move->kind))
        set_op(move);
    DTI_TRY(open_group(move, plan->steps[step].crosses));
    move->local = DT_SHAPE(0);
    if (dti_end_part(&move->to, move->shape, move->world->rank, &part))
        move->local = dti_part_shape(&part);
    move->tiling.tag = hash_step(move, step);
    if (!combines(move->kind) || move->group)
        DTI_TRY(open_tiles(move));
    return open_gaps(move);
}

void dti_move_close(dti_move *move)
{
    free(move->tiles);
    dti_gaps_close(&move->gaps);
}
