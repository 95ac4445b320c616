/* plugins/mpi/move.c - collectives that move data and do not change it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "mpi/plugin.h"
#include "mpi/split.h"

/*
 * A call that fits MPI's ints becomes the function of MPI that is meant for it:
 * the one without counts where blocks are even, the one with counts otherwise.
 *
 * A larger one becomes an MPI_Alltoallw in which every block has a type of its
 * own that holds its offset and its size, both of 64 bits; a broadcast is cut
 * into pieces.  An all-to-all with counts is always an MPI_Alltoallw, because
 * all ranks must call the same function and their totals differ; a rank whose
 * own blocks fit gives it plain ones.
 */

static bool is_root(const dti_mpi_job *job)
{
    return job->call->root == job->line->rank;
}

/* This rank's block. */
static int64_t own_block(const dti_mpi_job *job)
{
    return dt_call_block(job->call->counts, job->call->count, job->line->size,
                         job->line->rank);
}

/* Tell whether the blocks fit MPI's ints, and write them down if they are
 * uneven. */
static bool fits(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    if (!call->counts)
        return call->count <= job->mpi->limit;
    return dti_split_blocks(call->counts, call->count, job->line->size,
                            job->mpi->limit, job->state->lengths,
                            job->state->offsets);
}

/* ---- Blocks of any size ------------------------------------------------- */

/* One side of an exchange: which blocks of its buffer go to or come from the
 * members. */
typedef struct side {
    MPI_Datatype *types;
    int *lengths;
    int *offsets; /* in bytes */
    const int64_t *counts;
    int64_t total;
    int first, last; /* members that take part: from first to before last */
    bool same;       /* all of them give or get the one block that this rank has
                        of the whole, at the start of the buffer */
} side;

/* Tell whether lengths, and offsets in bytes, fit ints as they are. */
static bool is_plain(const dti_mpi_job *job, const side *s)
{
    int64_t item = (int64_t)dti_mpi_item(job->call->dtype);
    return s->total <= job->mpi->limit && s->total <= INT_MAX / item;
}

/* Describe a block by a type that holds its offset and its size. */
static int make_block(const dti_mpi_job *job, const side *s, int member,
                      int64_t block, int64_t distance)
{
    int code = dti_mpi_block_type(job->mpi, job->call->dtype, block,
                                  (MPI_Aint)distance, &s->types[member]);
    s->lengths[member] = code == MPI_SUCCESS;
    s->offsets[member] = 0;
    return code;
}

/* Describe the blocks of a side. */
static int make_side(const dti_mpi_job *job, const side *s)
{
    int size = job->line->size, code = MPI_SUCCESS;
    int64_t item = (int64_t)dti_mpi_item(job->call->dtype), distance = 0;
    bool plain = is_plain(job, s);
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(s->counts, s->total, size,
                                      s->same ? job->line->rank : i);
        bool takes_part = i >= s->first && i < s->last && block > 0;
        s->types[i] = job->type;
        s->lengths[i] = takes_part && plain ? (int)block : 0;
        s->offsets[i] = plain ? (int)distance : 0;
        if (takes_part && !plain && code == MPI_SUCCESS)
            code = make_block(job, s, i, block, distance);
        distance += s->same ? 0 : block * item;
    }
    return code;
}

static void free_side(const dti_mpi_job *job, const side *s)
{
    if (is_plain(job, s))
        return;
    for (int i = 0; i < job->line->size; i++)
        if (s->lengths[i])
            MPI_Type_free(&s->types[i]);
}

/* Exchange blocks of any size. */
static dt_status exchange(const dti_mpi_job *job, const side *sent,
                          const side *received)
{
    int code = make_side(job, sent);
    int other_code = make_side(job, received);
    if (code == MPI_SUCCESS)
        code = other_code;
    if (code == MPI_SUCCESS)
        code = MPI_Alltoallw(job->call->input, sent->lengths, sent->offsets,
                             sent->types, job->call->output, received->lengths,
                             received->offsets, received->types, job->comm);
    free_side(job, sent);
    free_side(job, received);
    return dti_mpi_check(job->line->world, code, "MPI_Alltoallw");
}

/* The sides of an exchange, with the room that the line has for them. */
static side sending(const dti_mpi_job *job)
{
    return (side){.types = job->state->types,
                  .lengths = job->state->lengths,
                  .offsets = job->state->offsets,
                  .counts = job->call->counts,
                  .total = job->call->count,
                  .last = job->line->size};
}

static side receiving(const dti_mpi_job *job)
{
    return (side){.types = job->state->receive_types,
                  .lengths = job->state->receive_lengths,
                  .offsets = job->state->receive_offsets,
                  .counts = job->call->counts,
                  .total = job->call->count,
                  .last = job->line->size};
}

/* Exchange where some give this rank's one block and some take all of them, or
 * the other way round: all-gather, gather and scatter.  One root, or all. */
static dt_status exchange_blocks(const dti_mpi_job *job, bool gathers, int root)
{
    side sent = sending(job), received = receiving(job);
    side *one = gathers ? &sent : &received;
    side *many = gathers ? &received : &sent;
    one->same = true;
    if (root >= 0) {
        one->first = root;
        one->last = root + 1;
        many->last = is_root(job) ? job->line->size : 0;
    }
    return exchange(job, &sent, &received);
}

/* ---- One function per call ---------------------------------------------- */

dt_status dti_mpi_barrier(const dti_mpi_job *job)
{
    return dti_mpi_check(job->line->world, MPI_Barrier(job->comm),
                         "MPI_Barrier");
}

dt_status dti_mpi_all_gather(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    dti_mpi_line *state = job->state;
    if (!fits(job))
        return exchange_blocks(job, true, -1);
    int block = (int)own_block(job);
    if (!call->counts)
        return dti_mpi_check(job->line->world,
                             MPI_Allgather(call->input, block, job->type,
                                           call->output, block, job->type,
                                           job->comm),
                             "MPI_Allgather");
    return dti_mpi_check(job->line->world,
                         MPI_Allgatherv(call->input, block, job->type,
                                        call->output, state->lengths,
                                        state->offsets, job->type, job->comm),
                         "MPI_Allgatherv");
}

dt_status dti_mpi_gather(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    dti_mpi_line *state = job->state;
    if (!fits(job))
        return exchange_blocks(job, true, call->root);
    int block = (int)own_block(job);
    if (!call->counts)
        return dti_mpi_check(job->line->world,
                             MPI_Gather(call->input, block, job->type,
                                        call->output, block, job->type,
                                        call->root, job->comm),
                             "MPI_Gather");
    return dti_mpi_check(
        job->line->world,
        MPI_Gatherv(call->input, block, job->type, call->output, state->lengths,
                    state->offsets, job->type, call->root, job->comm),
        "MPI_Gatherv");
}

dt_status dti_mpi_scatter(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    dti_mpi_line *state = job->state;
    if (!fits(job))
        return exchange_blocks(job, false, call->root);
    int block = (int)own_block(job);
    if (!call->counts)
        return dti_mpi_check(job->line->world,
                             MPI_Scatter(call->input, block, job->type,
                                         call->output, block, job->type,
                                         call->root, job->comm),
                             "MPI_Scatter");
    return dti_mpi_check(job->line->world,
                         MPI_Scatterv(call->input, state->lengths,
                                      state->offsets, job->type, call->output,
                                      block, job->type, call->root, job->comm),
                         "MPI_Scatterv");
}

dt_status dti_mpi_all_to_all(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    if (!call->counts && fits(job)) {
        int block = (int)call->count / job->line->size;
        return dti_mpi_check(job->line->world,
                             MPI_Alltoall(call->input, block, job->type,
                                          call->output, block, job->type,
                                          job->comm),
                             "MPI_Alltoall");
    }
    side sent = sending(job), received = receiving(job);
    received.counts = call->receive_counts;
    received.total = call->receive_count;
    return exchange(job, &sent, &received);
}

/* The root sends from its input, and MPI does not write to it. */
dt_status dti_mpi_broadcast(const dti_mpi_job *job)
{
    const dt_call *call = job->call;
    char *at = is_root(job) ? (char *)(uintptr_t)call->input : call->output;
    dt_status status = DT_OK;
    for (int64_t left = call->count; left > 0 && status == DT_OK;) {
        int piece = dti_split_next(left, job->mpi->limit);
        status = dti_mpi_check(
            job->line->world,
            MPI_Bcast(at, piece, job->type, call->root, job->comm),
            "MPI_Bcast");
        at += (size_t)piece * dti_mpi_item(job->call->dtype);
        left -= piece;
    }
    return status;
}

int dti_mpi_block_type(const dti_mpi *mpi, dt_dtype dtype, int64_t count,
                       MPI_Aint distance, MPI_Datatype *out)
{
    MPI_Datatype unit = dti_mpi_type(dtype), piece;
    const dti_split split = dti_split_count(count, mpi->limit);
    if (split.pieces > INT_MAX)
        return MPI_ERR_COUNT;
    int code = MPI_Type_contiguous(mpi->limit, unit, &piece);
    if (code != MPI_SUCCESS)
        return code;
    int lengths[2] = {(int)split.pieces, split.rest};
    MPI_Aint whole = (MPI_Aint)(split.pieces * mpi->limit);
    MPI_Aint distances[2] = {distance,
                             distance + whole * (MPI_Aint)dti_mpi_item(dtype)};
    MPI_Datatype types[2] = {piece, unit};
    code = MPI_Type_create_struct(2, lengths, distances, types, out);
    MPI_Type_free(&piece);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Type_commit(out);
    if (code != MPI_SUCCESS)
        MPI_Type_free(out);
    return code;
}
