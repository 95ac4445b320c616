/* comm/shared/work.c - what each rank does in a call that all have posted. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array/copy.h"
#include "array/copy_kernels.h"
#include "base/dtype.h"
#include "base/world.h"
#include "comm/shared/fabric.h"
#include "kernel/reduce/reduce.h"

/*
 * Buffers of other ranks are read in place, or from the board where they are
 * small.  Every rank writes its own output; only in a large all-reduce does it
 * write its slice of the result into the outputs of all, so that the result
 * crosses memory once.
 */

/* Where a member's input lies. */
static const char *input_of(const dti_port *port, const dt_call *call,
                            int member)
{
    const dti_fabric *fabric = port->fabric;
    const dti_post *post = dti_port_post(port, member, call->sequence);
    if (!dti_post_is_inline(post))
        return fabric->functions->find(fabric->memory, post->input);
    size_t counts = call->kind == DT_ALL_TO_ALL && call->counts
                        ? 2 * (size_t)port->line->size * sizeof(int64_t)
                        : 0;
    return (const char *)post->payload + counts;
}

static char *output_of(const dti_port *port, const dt_call *call, int member)
{
    const dti_fabric *fabric = port->fabric;
    const dti_post *post = dti_port_post(port, member, call->sequence);
    return fabric->functions->find(fabric->memory, post->output);
}

/* Copy part of an output of `total` bytes: past the cache if that is large. */
static void copy(char *to, const char *from, size_t bytes, size_t total)
{
    if (bytes == 0)
        return;
    if (total >= dti_copy_stream_threshold())
        dti_copy_stream(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

static dt_status work_nothing(dti_port *port, const dt_call *call)
{
    (void)port;
    (void)call;
    return DT_OK;
}

/* Combine all inputs here: they are small. */
static void reduce_all(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    void *output = call->output;
    for (int i = 0; i < size; i++)
        port->inputs[i] = input_of(port, call, i);
    dti_reduce(call->op, call->dtype, port->inputs, size, &output, 1,
               call->count, false);
}

/* Combine this rank's slice and write it into every output. */
static void reduce_slice(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    size_t item = dti_dtype_size(call->dtype);
    int64_t lines = (int64_t)(DTI_CACHE_LINE / item);
    int64_t slice = (call->count + size - 1) / size;
    slice = (slice + lines - 1) / lines * lines;
    int64_t begin = slice * port->line->rank;
    if (begin >= call->count)
        return;
    int64_t count = begin + slice > call->count ? call->count - begin : slice;
    bool stream = (size_t)call->count * item >= dti_copy_stream_threshold();
    for (int i = 0; i < size; i++) {
        port->inputs[i] = input_of(port, call, i) + (size_t)begin * item;
        port->outputs[i] = output_of(port, call, i) + (size_t)begin * item;
        /* What was just read lies in the cache: past it is the long way. */
        stream = stream && port->inputs[i] != port->outputs[i];
    }
    dti_reduce(call->op, call->dtype, port->inputs, size, port->outputs, size,
               count, stream);
}

static dt_status work_all_reduce(dti_port *port, const dt_call *call)
{
    const dti_post *mine =
        dti_port_post(port, port->line->rank, call->sequence);
    if (call->count == 0)
        return DT_OK;
    if (dti_post_is_inline(mine))
        reduce_all(port, call);
    else
        reduce_slice(port, call);
    return DT_OK;
}

static dt_status work_reduce_scatter(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    int rank = port->line->rank;
    size_t item = dti_dtype_size(call->dtype);
    int64_t begin = dt_call_offset(call->counts, call->count, size, rank);
    int64_t count = dt_call_block(call->counts, call->count, size, rank);
    void *output = call->output;
    if (count == 0)
        return DT_OK;
    for (int i = 0; i < size; i++)
        port->inputs[i] = input_of(port, call, i) + (size_t)begin * item;
    bool stream = (size_t)count * item >= dti_copy_stream_threshold();
    dti_reduce(call->op, call->dtype, port->inputs, size, &output, 1, count,
               stream);
    return DT_OK;
}

/* Put every member's block into our output; start behind our own rank, so that
 * members do not all read from one. */
static dt_status collect_blocks(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    size_t item = dti_dtype_size(call->dtype);
    size_t total = (size_t)call->count * item;
    for (int i = 0; i < size; i++) {
        int member = (port->line->rank + i) % size;
        int64_t begin = dt_call_offset(call->counts, call->count, size, member);
        int64_t count = dt_call_block(call->counts, call->count, size, member);
        copy((char *)call->output + (size_t)begin * item,
             input_of(port, call, member), (size_t)count * item, total);
    }
    return DT_OK;
}

static dt_status work_gather(dti_port *port, const dt_call *call)
{
    if (call->root != port->line->rank)
        return DT_OK;
    return collect_blocks(port, call);
}

static dt_status work_broadcast(dti_port *port, const dt_call *call)
{
    if (call->root == port->line->rank)
        return DT_OK;
    size_t bytes = (size_t)call->count * dti_dtype_size(call->dtype);
    copy(call->output, input_of(port, call, call->root), bytes, bytes);
    return DT_OK;
}

static dt_status work_scatter(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    int rank = port->line->rank;
    size_t item = dti_dtype_size(call->dtype);
    int64_t begin = dt_call_offset(call->counts, call->count, size, rank);
    int64_t count = dt_call_block(call->counts, call->count, size, rank);
    copy(call->output, input_of(port, call, call->root) + (size_t)begin * item,
         (size_t)count * item, (size_t)count * item);
    return DT_OK;
}

static dt_status work_receive(dti_port *port, const dt_call *call)
{
    size_t bytes = (size_t)call->count * dti_dtype_size(call->dtype);
    copy(call->output, input_of(port, call, 0), bytes, bytes);
    return DT_OK;
}

/* What a member sends to each, or receives: its counts on the board. */
static const int64_t *counts_of(const dti_port *port, const dt_call *call,
                                int member, bool received)
{
    const dti_post *post = dti_port_post(port, member, call->sequence);
    return (const int64_t *)(const void *)post->payload +
           (received ? port->line->size : 0);
}

static dt_status report_counts(dti_port *port, const dt_call *call, int from,
                               int64_t sent, int to, int64_t expected)
{
    dt_status status =
        dti_call_diverge_counts(port->line, call, from, sent, to, expected);
    dti_seat_fail(port->fabric, &port->line->world->latest);
    return status;
}

/* Check that all members expect what is sent to them.  Every member looks at
 * every pair, so that all of them fail in this call. */
static dt_status check_counts(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    for (int to = 0; to < size; to++) {
        const int64_t *expected = counts_of(port, call, to, true);
        for (int from = 0; from < size; from++) {
            const int64_t *sent = counts_of(port, call, from, false);
            if (sent[to] != expected[from])
                return report_counts(port, call, from, sent[to], to,
                                     expected[from]);
        }
    }
    return DT_OK;
}

static dt_status work_all_to_all(dti_port *port, const dt_call *call)
{
    int size = port->line->size;
    int rank = port->line->rank;
    size_t item = dti_dtype_size(call->dtype);
    const int64_t *expected = call->receive_counts;
    int64_t all = call->receive_count;
    if (call->counts)
        DTI_TRY(check_counts(port, call));
    for (int i = 0; i < size; i++) {
        int member = (rank + i) % size;
        const int64_t *sent =
            call->counts ? counts_of(port, call, member, false) : NULL;
        int64_t begin = dt_call_offset(sent, call->count, size, rank);
        int64_t count = dt_call_block(sent, call->count, size, rank);
        int64_t place = dt_call_offset(expected, all, size, member);
        copy((char *)call->output + (size_t)place * item,
             input_of(port, call, member) + (size_t)begin * item,
             (size_t)count * item, (size_t)all * item);
    }
    return DT_OK;
}

/* ---- Boxes -------------------------------------------------------------- */

/* A tile with neighbouring dimensions joined where both sides allow it, so that
 * the last one is a row of bytes, if it can be. */
static dt_call_tile join_dims(const dt_call_tile *tile, int64_t item)
{
    dt_call_tile out = *tile;
    out.ndim = 0;
    for (int i = 0; i < tile->ndim; i++) {
        int last = out.ndim - 1;
        if (tile->dims[i] == 1)
            continue;
        if (last >= 0 &&
            out.source_strides[last] ==
                tile->source_strides[i] * tile->dims[i] &&
            out.destination_strides[last] ==
                tile->destination_strides[i] * tile->dims[i])
            out.dims[last] *= tile->dims[i];
        else
            out.dims[++last] = tile->dims[i];
        out.source_strides[last] = tile->source_strides[i];
        out.destination_strides[last] = tile->destination_strides[i];
        out.ndim = last + 1;
    }
    if (out.ndim == 0) {
        out.ndim = 1;
        out.dims[0] = 1;
        out.source_strides[0] = out.destination_strides[0] = item;
    }
    return out;
}

/* Does something with each row of a tile, given its places. */
typedef void (*row_function)(void *arg, int64_t source, int64_t destination);

/* A walk through the first `depth` dimensions of a tile. */
typedef struct tile_walk {
    const dt_call_tile *tile;
    int depth;
    row_function function;
    void *arg;
} tile_walk;

static void walk_tile(const tile_walk *walk, int dim, int64_t source,
                      int64_t destination)
{
    const dt_call_tile *tile = walk->tile;
    if (dim == walk->depth) {
        walk->function(walk->arg, source, destination);
        return;
    }
    for (int64_t i = 0; i < tile->dims[dim]; i++)
        walk_tile(walk, dim + 1, source + i * tile->source_strides[dim],
                  destination + i * tile->destination_strides[dim]);
}

static void each_row(const dt_call_tile *tile, int depth, row_function function,
                     void *arg)
{
    tile_walk walk = {tile, depth, function, arg};
    walk_tile(&walk, 0, tile->source, tile->destination);
}

static bool has_rows(const dt_call_tile *tile, int64_t item)
{
    int last = tile->ndim - 1;
    return tile->source_strides[last] == item &&
           tile->destination_strides[last] == item;
}

typedef struct row_copy {
    const dti_copy_kernels *kernels;
    char *to;
    const char *from;
    size_t bytes;
} row_copy;

static void stream_row(void *arg, int64_t source, int64_t destination)
{
    const row_copy *row = arg;
    dti_copy_stream_with(row->kernels, row->to + destination,
                         row->from + source, row->bytes);
}

/* Rows shorter than this are not worth a copy past the cache. */
#define STREAMED_ROW 256

/* Copy a tile; past the cache if the output is large. */
static void copy_tile(const dt_call_tile *given, const char *from, char *to,
                      int64_t item, bool stream)
{
    dt_call_tile tile = join_dims(given, item);
    int64_t row = tile.dims[tile.ndim - 1] * item;
    if (stream && has_rows(&tile, item) && row >= STREAMED_ROW) {
        /* Rows are short: one fence for all of them. */
        row_copy rows = {dti_copy_kernels_of(dti_cpu_level_used()), to, from,
                         (size_t)row};
        each_row(&tile, tile.ndim - 1, stream_row, &rows);
        rows.kernels->fence();
        return;
    }
    dti_copy_strided(to + tile.destination, tile.destination_strides,
                     from + tile.source, tile.source_strides, tile.dims,
                     tile.ndim, (size_t)item);
}

static int64_t tile_count(const dt_call_tile *tile)
{
    int64_t count = 1;
    for (int i = 0; i < tile->ndim; i++)
        count *= tile->dims[i];
    return count;
}

/* Bytes of the output that tiles fill. */
static size_t tiled_bytes(const dt_call *call)
{
    int64_t count = 0;
    for (int64_t i = 0; i < call->tiling->count; i++)
        count += tile_count(&call->tiling->tiles[i]);
    return (size_t)count * dti_dtype_size(call->dtype);
}

static void take_tiles(dti_port *port, const dt_call *call)
{
    int64_t item = (int64_t)dti_dtype_size(call->dtype);
    bool stream = tiled_bytes(call) >= dti_copy_stream_threshold();
    for (int64_t i = 0; i < call->tiling->count; i++) {
        const dt_call_tile *tile = &call->tiling->tiles[i];
        copy_tile(tile, input_of(port, call, tile->member), call->output, item,
                  stream);
    }
}

typedef struct row_reduction {
    dti_port *port;
    const dt_call *call;
    int64_t count;
    bool stream;
} row_reduction;

static void reduce_row(void *arg, int64_t source, int64_t destination)
{
    const row_reduction *row = arg;
    dti_port *port = row->port;
    void *output = (char *)row->call->output + destination;
    for (int i = 0; i < port->line->size; i++)
        port->inputs[i] = input_of(port, row->call, i) + source;
    dti_reduce(row->call->op, row->call->dtype, port->inputs, port->line->size,
               &output, 1, row->count, row->stream);
}

static void combine_tiles(dti_port *port, const dt_call *call)
{
    int64_t item = (int64_t)dti_dtype_size(call->dtype);
    bool stream = tiled_bytes(call) >= dti_copy_stream_threshold();
    for (int64_t i = 0; i < call->tiling->count; i++) {
        dt_call_tile tile = join_dims(&call->tiling->tiles[i], item);
        bool rows = has_rows(&tile, item);
        row_reduction row = {port, call, 1, stream};
        if (rows)
            row.count = tile.dims[tile.ndim - 1];
        each_row(&tile, tile.ndim - rows, reduce_row, &row);
    }
}

static dt_status work_tiles(dti_port *port, const dt_call *call)
{
    if (call->kind == DT_REDUCE_SCATTER)
        combine_tiles(port, call);
    else
        take_tiles(port, call);
    return DT_OK;
}

static dt_status (*const workers[DT_COLLECTIVE_COUNT])(dti_port *port,
                                                       const dt_call *call) = {
    [DT_BARRIER] = work_nothing,
    [DT_ALL_REDUCE] = work_all_reduce,
    [DT_ALL_GATHER] = collect_blocks,
    [DT_REDUCE_SCATTER] = work_reduce_scatter,
    [DT_ALL_TO_ALL] = work_all_to_all,
    [DT_BROADCAST] = work_broadcast,
    [DT_SCATTER] = work_scatter,
    [DT_GATHER] = work_gather,
    [DT_SEND] = work_nothing,
    [DT_RECEIVE] = work_receive,
};

dt_status dti_port_work(dti_port *port, const dt_call *call)
{
    if (call->tiling)
        return work_tiles(port, call);
    return workers[call->kind](port, call);
}

bool dti_port_is_exposed(const dti_port *port, const dt_call *call,
                         const dti_post *mine)
{
    if (dti_post_is_inline(mine) || port->line->size == 1)
        return false;
    switch (call->kind) {
    case DT_BARRIER:
    case DT_RECEIVE:
        return false;
    case DT_BROADCAST:
    case DT_SCATTER:
        return call->root == port->line->rank;
    case DT_GATHER:
        return call->root != port->line->rank;
    default:
        return true;
    }
}
