/* redistribute/run.c - carrying out a plan. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "array/copy.h"
#include "base/error.h"
#include "comm/comm.h"
#include "kernel/reduce/reduce.h"
#include "redistribute/move.h"
#include "redistribute/partial.h"

/* ---- Without others ----------------------------------------------------- */

/* Copy what this rank has itself. */
static dt_status copy_own(const dti_move *move, const dt_array *input,
                          dt_array *output)
{
    if (!input->storage) /* meta: there is nothing to copy */
        return DT_OK;
    DTI_TRY(dti_array_settle(move->world, input));
    const char *from = dti_array_address(input);
    char *to = dti_array_address(output);
    for (int64_t i = 0; from && to && i < move->tiling.count; i++) {
        const dt_call_tile *tile = &move->tiles[i];
        dti_copy_strided(to + tile->destination, tile->destination_strides,
                         from + tile->source, tile->source_strides, tile->dims,
                         tile->ndim, dt_dtype_size(move->dtype));
    }
    return DT_OK;
}

/* ---- Messages, where others cannot be read ------------------------------ */

/* Under a cap a step is taken in rounds, each for a slab of the tensor. */

/* A round: which indexes of a dimension a step is about. */
typedef struct slab {
    const dti_move *move;
    int dim; /* -1: all */
    int64_t begin;
    int64_t end;
} slab;

/* Keep the slab of what a rank takes; what lies before it is skipped. */
static void clip(const slab *of, dti_meeting *at)
{
    dti_part *taken = &at->taken;
    int64_t stride = (int64_t)dt_dtype_size(of->move->dtype);
    if (of->dim < 0)
        return;
    for (int i = taken->ndim - 1; i > of->dim; i--)
        stride *= taken->dims[i].size;
    at->skipped =
        stride * dti_indexes_clip(&taken->dims[of->dim], of->begin, of->end);
}

static bool meet(const void *arg, int number, int from, int to,
                 dti_meeting *out)
{
    const slab *of = arg;
    if (!dti_move_meet(of->move, number, from, to, out))
        return false;
    clip(of, out);
    return true;
}

/* How often each element goes through a buffer: once for each rank of the group
 * that the new layout does not cut apart. */
static int64_t count_copies(const dti_move *move)
{
    int64_t copies = dt_group_size(move->group);
    if (move->kind == DT_STEP_REDUCE_SCATTER)
        return 1;
    if (move->from.mesh != move->to.mesh)
        return copies;
    unsigned dims = dti_layouts_apart(move->from.mesh, &move->from.layout,
                                      &move->to.layout, move->shape.ndim);
    for (int i = 0; i < move->to.layout.ndim; i++)
        if (dims >> i & 1 && dti_is_shard(&move->to.layout.placements[i]))
            copies /= move->to.mesh->dims.sizes[i];
    return copies;
}

/* Bytes that a rank packs and unpacks.  The first rank of a mesh has the
 * largest part, so all ranks find the same number. */
static int64_t staged_bytes(const dti_move *move)
{
    dti_part has, wants;
    dti_end_part(&move->from, move->shape, move->from.mesh->places->ranks[0],
                 &has);
    dti_end_part(&move->to, move->shape, move->to.mesh->places->ranks[0],
                 &wants);
    return (dti_part_count(&has) * count_copies(move) +
            dti_part_count(&wants)) *
           (int64_t)dt_dtype_size(move->dtype);
}

static int64_t count_parts(const dti_move *move, int dim)
{
    int64_t parts = 1;
    for (int i = 0; i < move->from.cuts[dim].count; i++)
        parts *= move->from.cuts[dim].list[i].parts;
    return parts;
}

/* The longest dimension that is not cut, so that every rank sends its share of
 * every slab; or the longest.  -1 if none can be cut. */
static int choose_slabs(const dti_move *move)
{
    int best = -1;
    for (int i = 0; i < move->shape.ndim; i++) {
        bool whole = count_parts(move, i) == 1;
        bool had = best >= 0 && count_parts(move, best) == 1;
        if (move->shape.dims[i] < 2)
            continue;
        if (best < 0 || (whole && !had) ||
            (whole == had && move->shape.dims[i] > move->shape.dims[best]))
            best = i;
    }
    return best;
}

/* How many rounds keep staging within the cap.  Where ranks hold slabs apart,
 * only those of one part have something to send. */
static int64_t count_rounds(const dti_move *move, int dim)
{
    if (!move->cap || dim < 0)
        return 1;
    int64_t rounds = staged_bytes(move) / (int64_t)move->cap + 1;
    int64_t extent = move->shape.dims[dim];
    rounds *= rounds > 1 ? count_parts(move, dim) : 1;
    return rounds < extent ? rounds : extent;
}

static dt_status send_messages(const dti_move *move, const dt_array *input,
                               dt_array *output)
{
    slab of = {.move = move};
    dti_exchange exchange = {.world = move->world,
                             .group = move->group,
                             .dtype = move->dtype,
                             .meet = meet,
                             .arg = &of};
    int dim = choose_slabs(move);
    int64_t rounds = count_rounds(move, dim);
    int64_t extent = dim < 0 ? 0 : move->shape.dims[dim];
    for (int64_t i = 0; i < rounds; i++) {
        of.dim = rounds > 1 ? dim : -1;
        of.begin = of.end;
        of.end = extent / rounds * (i + 1) + extent % rounds * (i + 1) / rounds;
        if (move->kind == DT_STEP_REDUCE_SCATTER)
            DTI_TRY(dti_exchange_combine(&exchange, move->op, input, output));
        else
            DTI_TRY(dti_exchange_run(&exchange, input, output));
    }
    return DT_OK;
}

/* ---- One step ----------------------------------------------------------- */

/* What a step is to those who count calls. */
static dt_collective collective_of(dt_step_kind kind)
{
    switch (kind) {
    case DT_STEP_ALL_GATHER:
        return DT_ALL_GATHER;
    case DT_STEP_REDUCE_SCATTER:
        return DT_REDUCE_SCATTER;
    default:
        return DT_ALL_TO_ALL;
    }
}

static dt_status all_reduce(const dti_move *move, const dt_array *input,
                            dt_array *output, dt_handle **handle)
{
    if (handle)
        return dt_group_all_reduce_async(move->group, move->op, input, output,
                                         handle);
    return dt_group_all_reduce(move->group, move->op, input, output);
}

static dt_status carry_out(const dti_move *move, const dt_array *input,
                           dt_array *output, dt_handle **handle)
{
    const dt_transport *transport = dti_comm_of(move->world)->transport;
    if (output->storage && move->gaps.count) {
        dti_array_wait(output, true);
        dti_gaps_fill(&move->gaps, dti_array_address(output));
    }
    if (!move->group)
        return copy_own(move, input, output);
    if (move->kind == DT_STEP_ALL_REDUCE)
        return all_reduce(move, input, output, handle);
    if (transport->takes_tiles)
        return dti_group_tiles(move->group, collective_of(move->kind), move->op,
                               &move->tiling, input, output, handle);
    return send_messages(move, input, output);
}

/* Tell whether a step changes what lies there: nobody else has it, and the part
 * stays what it is. */
static bool is_in_place(const dti_move *move, const dt_array *input, bool owned)
{
    return owned && dt_shape_equal(input->shape, move->local) &&
           dti_step_is_in_place(move->kind, &move->from.layout,
                                &move->to.layout);
}

static dt_status make_partial_in_place(const dti_move *move, dt_array *array)
{
    double neutral = 0;
    if (move->to.mesh->place < 0 ||
        dti_partial_holds_new(&move->from.layout, &move->to.layout,
                              move->to.mesh->coordinate, &neutral))
        return DT_OK;
    return dti_partial_fill(move->world, neutral, array);
}

/* Divide what was combined of sums and averages at once. */
static void divide(const dti_move *move, dt_array *array)
{
    if (move->divisor > 1 && array->storage && array->count > 0)
        dti_reduce_scale(array->dtype, dti_array_address(array), array->count,
                         move->divisor);
}

static dt_status run_in_place(const dti_move *move, dt_array *array,
                              dt_array **out)
{
    if (move->kind == DT_STEP_MAKE_PARTIAL)
        DTI_TRY(make_partial_in_place(move, array));
    else if (move->group)
        DTI_TRY(dt_group_all_reduce(move->group, move->op, array, array));
    divide(move, array);
    *out = dt_array_retain(array);
    return DT_OK;
}

dt_status dti_move_run(const dti_move *move, dt_array *input, bool owned,
                       bool asynchronous, dt_array **out)
{
    dt_array *output = NULL;
    dt_handle *handle = NULL;
    if (is_in_place(move, input, owned))
        return run_in_place(move, input, out);
    if (dt_array_is_meta(input))
        DTI_TRY(dt_array_create_meta(move->world, move->dtype, move->local,
                                     &output));
    else
        DTI_TRY(
            dt_array_create(move->world, move->dtype, move->local, &output));
    /* What is divided afterwards has to be there. */
    const bool later = asynchronous && move->divisor == 1;
    dt_status status = carry_out(move, input, output, later ? &handle : NULL);
    dt_handle_release(handle);
    if (status == DT_OK) {
        divide(move, output);
        *out = output;
    } else {
        dt_array_release(output);
    }
    return status;
}

/* ---- A plan ------------------------------------------------------------- */

/* What this rank does in each step. */
typedef struct dti_program {
    int count;
    dti_move moves[];
} dti_program;

void dti_program_free(dti_program *program)
{
    for (int i = 0; program && i < program->count; i++)
        dti_move_close(&program->moves[i]);
    free(program);
}

static dt_status open_program(dt_plan *plan)
{
    dt_world *world = plan->from->mesh->world;
    size_t bytes = sizeof(dti_program) + (size_t)plan->count * sizeof(dti_move);
    dti_program *program = calloc(1, bytes);
    if (!program)
        return dti_fail_memory(world, bytes, "the steps of a plan");
    for (int i = 0; i < plan->count; i++) {
        dt_status status = dti_move_open(&program->moves[i], plan, i);
        program->count = i + 1;
        if (status != DT_OK) {
            dti_program_free(program);
            return status;
        }
    }
    plan->program = program;
    return DT_OK;
}

static dt_status run_steps(const dti_program *program, dt_array *array,
                           bool asynchronous, dt_array **out)
{
    dt_array_retain(array);
    for (int i = 0; i < program->count; i++) {
        dt_array *next = NULL;
        bool last = i == program->count - 1;
        dt_status status = dti_move_run(&program->moves[i], array, i > 0,
                                        asynchronous && last, &next);
        dt_array_release(array);
        if (status != DT_OK)
            return status;
        array = next;
    }
    *out = array;
    return DT_OK;
}

dt_status dti_plan_run(dt_plan *plan, dt_array *local, bool asynchronous,
                       dt_array **out)
{
    dt_world *world = plan->from->mesh->world;
    dt_array *dense = NULL;
    if (plan->count == 0) {
        *out = dt_array_retain(local);
        return DT_OK;
    }
    if (!plan->program)
        DTI_TRY(open_program(plan));
    DTI_TRY(dt_array_contiguous(world, local, &dense));
    const char *before = dti_comm_set_origin(world, plan->origin);
    dt_status status = run_steps(plan->program, dense, asynchronous, out);
    dti_comm_set_origin(world, before);
    dt_array_release(dense);
    return status;
}
