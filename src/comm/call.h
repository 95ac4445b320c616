/* comm/call.h - what a call is, told as numbers and as words. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_CALL_H
#define DTI_COMM_CALL_H

#include <dtensor/sys/transport.h>

#include "comm/history.h"

/* Elements that a rank must at least send to others and receive from them. */
typedef struct dti_volume {
    int64_t sent;
    int64_t received;
} dti_volume;

/* Every reduction of n elements moves n(p-1)/p of them, rounded up. */
static inline int64_t dti_volume_reduced(int64_t count, int size)
{
    return count - count / size;
}

/* The same for blocks: a rank's own and the rest. */
static inline dti_volume dti_volume_blocks(const dt_call *call, int size,
                                           int rank)
{
    int64_t mine = dt_call_block(call->counts, call->count, size, rank);
    return (dti_volume){mine, call->count - mine};
}

static inline dti_volume dti_call_volume(const dt_call *call, int size,
                                         int rank)
{
    bool is_root = call->root == rank;
    dti_volume part;
    int64_t half;
    if (call->tiling)
        return (dti_volume){call->tiling->sent, call->tiling->received};
    switch (call->kind) {
    case DT_ALL_REDUCE:
        half = dti_volume_reduced(call->count, size);
        return (dti_volume){2 * half, 2 * half};
    case DT_ALL_GATHER:
        part = dti_volume_blocks(call, size, rank);
        return (dti_volume){part.sent * (size - 1), part.received};
    case DT_REDUCE_SCATTER:
        part = dti_volume_blocks(call, size, rank);
        return (dti_volume){part.received, part.sent * (size - 1)};
    case DT_ALL_TO_ALL:
        part = dti_volume_blocks(call, size, rank);
        if (!call->counts)
            return (dti_volume){part.received, part.received};
        return (dti_volume){part.received,
                            call->receive_count -
                                dt_call_block(call->receive_counts,
                                              call->receive_count, size, rank)};
    case DT_BROADCAST:
        return is_root ? (dti_volume){call->count * (size > 1), 0}
                       : (dti_volume){0, call->count};
    case DT_GATHER:
        part = dti_volume_blocks(call, size, rank);
        return is_root ? (dti_volume){0, part.received}
                       : (dti_volume){part.sent, 0};
    case DT_SCATTER:
        part = dti_volume_blocks(call, size, rank);
        return is_root ? (dti_volume){part.received, 0}
                       : (dti_volume){0, part.sent};
    case DT_SEND:
        return (dti_volume){call->count, 0};
    case DT_RECEIVE:
        return (dti_volume){0, call->count};
    default:
        return (dti_volume){0, 0};
    }
}

/* Note what a call moves.  Inline, as who asks knows the kind. */
static inline void dti_call_measure(dt_call *call, const dt_channel *line)
{
    dti_volume volume = dti_call_volume(call, line->size, line->rank);
    call->sent = volume.sent;
    call->received = volume.received;
}

/* Fold what must agree among the members of a line into the fingerprint of the
 * calls before, the word of the mesh that the call serves included.  `size` is
 * the number of members. */
uint64_t dti_call_fingerprint(uint64_t before, const dt_call *call, int size);

/* Count a call against the budgets of the scopes that are open.  If one does
 * not allow it, the call fails and the others are told. */
dt_status dti_call_spend(const dt_call *call, const dt_channel *line);

/* When a call was begun, and its event in the trace; zeros if nobody keeps
 * that. */
typedef struct dti_call_time {
    bool asynchronous;
    int64_t began;
    size_t event;
} dti_call_time;

/* Report a call to the trace. */
void dti_call_trace(const dt_call *call, const dt_channel *line,
                    dti_call_time *time);

/*
 * What is told of a call to other ranks: flat, so that it may lie in memory
 * shared between processes.
 *
 * Members compare fingerprints.  Where these differ, records say what the calls
 * were and, if the words differ too, pages (comm/history.h) what was called on
 * the mesh before.
 */
typedef struct dti_call_record {
    uint8_t kind;
    uint8_t op;
    uint8_t dtype;
    uint8_t lists; /* a dti_call_lists */
    int32_t root;
    int64_t count;
    uint64_t lists_hash; /* 0 without any */
    uint64_t word;       /* of the mesh that it serves; 0: it serves none */
    char origin[32];     /* "" if nobody said */
} dti_call_record;

/* What else than a count says which elements go where. */
typedef enum dti_call_lists {
    DTI_LISTS_NONE,
    DTI_LISTS_COUNTS, /* of blocks */
    DTI_LISTS_BOXES
} dti_call_lists;

void dti_call_write_record(const dt_call *call, int size, dti_call_record *out);

/* Put a call into words: "all-reduce(sum) of 4 f32 for matmul". */
void dti_call_describe(const dti_call_record *record, char *text, size_t size);

/* What a member says of its call; `page` may be NULL or empty. */
typedef struct dti_call_side {
    const dti_call_record *record;
    const dti_history_page *page;
} dti_call_side;

/* Tell whether pages can say more than records: one call at least serves a
 * mesh, and their words differ. */
bool dti_call_needs_pages(const dti_call_record *mine,
                          const dti_call_record *theirs);

/* Record that a member made another call than this rank, or another before on
 * the same mesh: DT_ERR_DIVERGED, with a message that names both. */
dt_status dti_call_diverge(const dt_channel *line, const dt_call *call,
                           const dti_call_side *mine, int member,
                           const dti_call_side *theirs);

/* Record that a member of an all-to-all with counts expects another number of
 * elements than is sent to it: DT_ERR_DIVERGED. */
dt_status dti_call_diverge_counts(const dt_channel *line, const dt_call *call,
                                  int from, int64_t sent, int to,
                                  int64_t expected);

#endif
