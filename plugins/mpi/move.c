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

/* What the functions below have in hand. */
typedef struct move {
    dti_mpi *mpi;
    const dt_line *line;
    const dt_call *call;
    dti_mpi_line *state;
    MPI_Comm comm;
    MPI_Datatype type;
} move;

static dt_status check(const move *m, int code, const char *function)
{
    return dti_mpi_check(m->line->world, code, function);
}

static bool is_root(const move *m)
{
    return m->call->root == m->line->rank;
}

/* This rank's block. */
static int64_t own_block(const move *m)
{
    return dt_call_block(m->call->counts, m->call->count, m->line->size,
                         m->line->rank);
}

/* Tell whether the blocks fit MPI's ints, and write them down if they are
 * uneven. */
static bool fits(const move *m)
{
    const dt_call *call = m->call;
    if (!call->counts)
        return call->count <= m->mpi->limit;
    return dti_split_blocks(call->counts, call->count, m->line->size,
                            m->mpi->limit, m->state->lengths,
                            m->state->offsets);
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
static bool is_plain(const move *m, const side *s)
{
    int64_t item = (int64_t)dti_mpi_item(m->call->dtype);
    return s->total <= m->mpi->limit && s->total <= INT_MAX / item;
}

/* Describe a block by a type that holds its offset and its size. */
static int make_block(const move *m, const side *s, int member, int64_t block,
                      int64_t distance)
{
    int code = dti_mpi_block_type(m->mpi, m->call->dtype, block,
                                  (MPI_Aint)distance, &s->types[member]);
    s->lengths[member] = code == MPI_SUCCESS;
    s->offsets[member] = 0;
    return code;
}

/* Describe the blocks of a side. */
static int make_side(const move *m, const side *s)
{
    int size = m->line->size, code = MPI_SUCCESS;
    int64_t item = (int64_t)dti_mpi_item(m->call->dtype), distance = 0;
    bool plain = is_plain(m, s);
    for (int i = 0; i < size; i++) {
        int64_t block = dt_call_block(s->counts, s->total, size,
                                      s->same ? m->line->rank : i);
        bool takes_part = i >= s->first && i < s->last && block > 0;
        s->types[i] = m->type;
        s->lengths[i] = takes_part && plain ? (int)block : 0;
        s->offsets[i] = plain ? (int)distance : 0;
        if (takes_part && !plain && code == MPI_SUCCESS)
            code = make_block(m, s, i, block, distance);
        distance += s->same ? 0 : block * item;
    }
    return code;
}

static void free_side(const move *m, const side *s)
{
    if (is_plain(m, s))
        return;
    for (int i = 0; i < m->line->size; i++)
        if (s->lengths[i])
            MPI_Type_free(&s->types[i]);
}

/* Exchange blocks of any size. */
static dt_status exchange(const move *m, const side *sent, const side *received)
{
    int code = make_side(m, sent);
    int other_code = make_side(m, received);
    if (code == MPI_SUCCESS)
        code = other_code;
    if (code == MPI_SUCCESS)
        code = MPI_Alltoallw(m->call->input, sent->lengths, sent->offsets,
                             sent->types, m->call->output, received->lengths,
                             received->offsets, received->types, m->comm);
    free_side(m, sent);
    free_side(m, received);
    return check(m, code, "MPI_Alltoallw");
}

/* The sides of an exchange, with the room that the line has for them. */
static side sending(const move *m)
{
    return (side){.types = m->state->types,
                  .lengths = m->state->lengths,
                  .offsets = m->state->offsets,
                  .counts = m->call->counts,
                  .total = m->call->count,
                  .last = m->line->size};
}

static side receiving(const move *m)
{
    return (side){.types = m->state->receive_types,
                  .lengths = m->state->receive_lengths,
                  .offsets = m->state->receive_offsets,
                  .counts = m->call->counts,
                  .total = m->call->count,
                  .last = m->line->size};
}

/* Exchange where some give this rank's one block and some take all of them, or
 * the other way round: all-gather, gather and scatter.  One root, or all. */
static dt_status exchange_blocks(const move *m, bool gathers, int root)
{
    side sent = sending(m), received = receiving(m);
    side *one = gathers ? &sent : &received;
    side *many = gathers ? &received : &sent;
    one->same = true;
    if (root >= 0) {
        one->first = root;
        one->last = root + 1;
        many->last = is_root(m) ? m->line->size : 0;
    }
    return exchange(m, &sent, &received);
}

/* ---- One function per call ---------------------------------------------- */

static dt_status barrier(const move *m)
{
    return check(m, MPI_Barrier(m->comm), "MPI_Barrier");
}

static dt_status all_gather(const move *m)
{
    const dt_call *call = m->call;
    dti_mpi_line *state = m->state;
    if (!fits(m))
        return exchange_blocks(m, true, -1);
    int block = (int)own_block(m);
    if (!call->counts)
        return check(m,
                     MPI_Allgather(call->input, block, m->type, call->output,
                                   block, m->type, m->comm),
                     "MPI_Allgather");
    return check(m,
                 MPI_Allgatherv(call->input, block, m->type, call->output,
                                state->lengths, state->offsets, m->type,
                                m->comm),
                 "MPI_Allgatherv");
}

static dt_status gather(const move *m)
{
    const dt_call *call = m->call;
    dti_mpi_line *state = m->state;
    if (!fits(m))
        return exchange_blocks(m, true, call->root);
    int block = (int)own_block(m);
    if (!call->counts)
        return check(m,
                     MPI_Gather(call->input, block, m->type, call->output,
                                block, m->type, call->root, m->comm),
                     "MPI_Gather");
    return check(m,
                 MPI_Gatherv(call->input, block, m->type, call->output,
                             state->lengths, state->offsets, m->type,
                             call->root, m->comm),
                 "MPI_Gatherv");
}

static dt_status scatter(const move *m)
{
    const dt_call *call = m->call;
    dti_mpi_line *state = m->state;
    if (!fits(m))
        return exchange_blocks(m, false, call->root);
    int block = (int)own_block(m);
    if (!call->counts)
        return check(m,
                     MPI_Scatter(call->input, block, m->type, call->output,
                                 block, m->type, call->root, m->comm),
                     "MPI_Scatter");
    return check(m,
                 MPI_Scatterv(call->input, state->lengths, state->offsets,
                              m->type, call->output, block, m->type, call->root,
                              m->comm),
                 "MPI_Scatterv");
}

static dt_status all_to_all(const move *m)
{
    const dt_call *call = m->call;
    if (!call->counts && fits(m)) {
        int block = (int)call->count / m->line->size;
        return check(m,
                     MPI_Alltoall(call->input, block, m->type, call->output,
                                  block, m->type, m->comm),
                     "MPI_Alltoall");
    }
    side sent = sending(m), received = receiving(m);
    received.counts = call->receive_counts;
    received.total = call->receive_count;
    return exchange(m, &sent, &received);
}

/* The root sends from its input, and MPI does not write to it. */
static dt_status broadcast(const move *m)
{
    const dt_call *call = m->call;
    char *at = is_root(m) ? (char *)(uintptr_t)call->input : call->output;
    size_t item = dti_mpi_item(call->dtype);
    dt_status status = DT_OK;
    for (int64_t left = call->count; left > 0 && status == DT_OK;) {
        int piece = dti_split_next(left, m->mpi->limit);
        status = check(m, MPI_Bcast(at, piece, m->type, call->root, m->comm),
                       "MPI_Bcast");
        at += (size_t)piece * item;
        left -= piece;
    }
    return status;
}

dt_status dti_mpi_move(dti_mpi *mpi, const dt_line *line, const dt_call *call)
{
    static dt_status (*const functions[DT_COLLECTIVE_COUNT])(const move *) = {
        [DT_BARRIER] = barrier,       [DT_ALL_GATHER] = all_gather,
        [DT_ALL_TO_ALL] = all_to_all, [DT_BROADCAST] = broadcast,
        [DT_SCATTER] = scatter,       [DT_GATHER] = gather,
    };
    const move m = {.mpi = mpi,
                    .line = line,
                    .call = call,
                    .state = line->state,
                    .comm = dti_mpi_line_of(line)->comm,
                    .type = dti_mpi_type(call->dtype)};
    return functions[call->kind](&m);
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
