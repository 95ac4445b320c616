/* comm/call.c - what a call is, told as numbers and as words. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/call.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/attributes.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/hash.h"
#include "comm/comm.h"
#include "trace/budget.h"
#include "trace/trace.h"

/* A send and the receive that takes it are one call to the fingerprint, though
 * each names the other rank. */
static uint64_t identity(const dt_call *call)
{
    bool is_message = call->kind == DT_SEND || call->kind == DT_RECEIVE;
    uint64_t kind = is_message ? DT_SEND : call->kind;
    uint64_t root = is_message ? 0 : (uint32_t)call->root;
    return kind | (uint64_t)call->op << 8 | (uint64_t)call->dtype << 16 |
           (uint64_t)(call->counts != NULL) << 24 |
           (uint64_t)(call->tiling != NULL) << 25 | root << 32;
}

static uint64_t hash_counts(const int64_t *counts, int size)
{
    return dti_hash_bytes(counts, (size_t)size * sizeof *counts);
}

uint64_t dti_call_fingerprint(uint64_t before, const dt_call *call, int size)
{
    uint64_t hash = dti_hash_mix(before, identity(call));
    /* What an all-to-all with counts sends need not agree: pairs are checked
     * one by one when it is carried out. */
    bool counts_agree =
        (call->kind != DT_ALL_TO_ALL || !call->counts) && !call->tiling;
    if (call->tiling)
        hash = dti_hash_mix(hash, call->tiling->tag);
    if (counts_agree)
        hash = dti_hash_mix(hash, (uint64_t)call->count);
    if (counts_agree && call->counts)
        hash = dti_hash_mix(hash, hash_counts(call->counts, size));
    if (call->origin)
        hash = dti_hash_mix(hash, dti_hash_text(call->origin));
    if (call->word)
        hash = dti_hash_mix(hash, call->word);
    return hash;
}

/* ---- The trace ----------------------------------------------------------- */

/* Members that boxes come from; those of one member stand together. */
static int count_givers(const dt_tiling *tiling, int rank)
{
    int givers = 0, latest = rank;
    for (int64_t i = 0; i < tiling->count; i++) {
        int member = tiling->tiles[i].member;
        givers += member != latest && member != rank;
        latest = member;
    }
    return givers;
}

static int count_senders(const int64_t *counts, int size, int rank)
{
    int senders = 0;
    for (int i = 0; i < size; i++)
        senders += i != rank && counts[i] > 0;
    return senders;
}

/* Ranks that this one hears from; 1 where it only speaks. */
static int count_peers(const dt_call *call, const dt_channel *line)
{
    bool combines = call->kind == DT_REDUCE_SCATTER;
    if (line->size == 1)
        return 0;
    if (call->tiling && !combines)
        return count_givers(call->tiling, line->rank);
    switch (call->kind) {
    case DT_SEND:
    case DT_RECEIVE:
    case DT_BROADCAST:
    case DT_SCATTER:
        return 1;
    case DT_GATHER:
        return call->root == line->rank ? line->size - 1 : 1;
    case DT_ALL_TO_ALL:
        if (call->receive_counts)
            return count_senders(call->receive_counts, line->size, line->rank);
        return line->size - 1;
    default:
        return line->size - 1;
    }
}

static size_t bytes_of(const dt_call *call, int64_t elements)
{
    return (size_t)elements * dti_dtype_size(call->dtype);
}

dt_status dti_call_spend(const dt_call *call, const dt_channel *line)
{
    dt_status status = dti_budget_spend(
        line->world, call->kind, bytes_of(call, call->received), call->origin);
    /* The others may be within their limits: they must not wait. */
    if (status != DT_OK && line->size > 1)
        dt_world_poison(line->world);
    return status;
}

/* Keep an event of a call. */
static DTI_COLD size_t keep(const dt_call *call, const dt_channel *line,
                            const dti_call_time *time)
{
    int64_t larger =
        call->receive_count > call->count ? call->receive_count : call->count;
    dt_trace_event event = {.kind = call->kind,
                            .op = call->op,
                            .dtype = call->dtype,
                            .root = call->root,
                            .group_size = line->size,
                            .peers = count_peers(call, line),
                            .group = line->id,
                            .sequence = call->sequence,
                            .count = larger,
                            .bytes_sent = bytes_of(call, call->sent),
                            .bytes_received = bytes_of(call, call->received),
                            .asynchronous = time->asynchronous,
                            .began = time->began};
    if (call->origin)
        snprintf(event.origin, sizeof event.origin, "%s", call->origin);
    return dti_trace_keep(line->world, &event);
}

void dti_call_trace(const dt_call *call, const dt_channel *line,
                    dti_call_time *time)
{
    const dti_trace_switches *on = dti_trace_on(line->world);
    const dti_doing *doing = &dti_comm_of(line->world)->doing;
    const size_t sent = bytes_of(call, call->sent);
    const size_t received = bytes_of(call, call->received);
    dti_trace_call(line->world, call->kind, sent, received);
    if (doing->module)
        dti_trace_module_call(line->world, doing->module,
                              doing->gradient_of != NULL, call->kind, sent,
                              received);
    if (DTI_UNLIKELY(on->recording || on->timed))
        time->event = keep(call, line, time);
}

/* ---- Divergence ---------------------------------------------------------- */

/* What of its lists must agree. */
static uint64_t hash_lists(const dt_call *call, int size)
{
    if (call->tiling)
        return call->tiling->tag;
    return call->counts ? hash_counts(call->counts, size) : 0;
}

void dti_call_write_record(const dt_call *call, int size, dti_call_record *out)
{
    out->kind = (uint8_t)call->kind;
    out->op = (uint8_t)call->op;
    out->dtype = (uint8_t)call->dtype;
    out->lists = call->tiling   ? DTI_LISTS_BOXES
                 : call->counts ? DTI_LISTS_COUNTS
                                : DTI_LISTS_NONE;
    out->root = call->root;
    out->count = call->count;
    out->lists_hash = hash_lists(call, size);
    out->word = call->word;
    out->origin[0] = '\0';
    if (call->origin) {
        size_t length = strnlen(call->origin, sizeof out->origin - 1);
        memcpy(out->origin, call->origin, length);
        out->origin[length] = '\0';
    }
}

static bool is_reduction(dt_collective kind)
{
    return kind == DT_ALL_REDUCE || kind == DT_REDUCE_SCATTER;
}

void dti_call_describe(const dti_call_record *record, char *text, size_t size)
{
    static const char *const lists[] = {[DTI_LISTS_NONE] = "",
                                        [DTI_LISTS_COUNTS] = " in blocks",
                                        [DTI_LISTS_BOXES] = " in boxes"};
    dt_collective kind = (dt_collective)record->kind;
    size_t used = 0;
#define ADD(...)                                                               \
    (used += used < size                                                       \
                 ? (size_t)snprintf(text + used, size - used, __VA_ARGS__)     \
                 : 0)
    ADD("%s", dt_collective_name(kind));
    if (is_reduction(kind))
        ADD("(%s)", dt_reduce_name((dt_reduce)record->op));
    if (kind != DT_BARRIER)
        ADD(" of %" PRId64 " %s%s", record->count,
            dt_dtype_name((dt_dtype)record->dtype), lists[record->lists]);
    if (kind == DT_BROADCAST || kind == DT_SCATTER || kind == DT_GATHER)
        ADD(" with root %d", (int)record->root);
    if (record->origin[0])
        ADD(" for %s", record->origin);
#undef ADD
}

/* What differs between calls that read alike. */
static const char *hidden_difference(const dti_call_record *mine,
                                     const dti_call_record *theirs)
{
    if (mine->word != theirs->word)
        return ", after different calls on the mesh that it serves";
    if (mine->lists_hash == theirs->lists_hash)
        return ", after different calls before";
    return mine->lists == DTI_LISTS_BOXES ? ", with other boxes"
                                          : ", with other counts in the blocks";
}

bool dti_call_needs_pages(const dti_call_record *mine,
                          const dti_call_record *theirs)
{
    return mine->word != theirs->word;
}

/* Both ranks have shown what they called on a mesh, and that differs. */
static bool have_pages(const dti_call_side *mine, const dti_call_side *theirs)
{
    return dti_call_needs_pages(mine->record, theirs->record) && mine->page &&
           theirs->page && dti_history_differ(mine->page, theirs->page);
}

/* What calls that do not read alike have in common, if that is all but the
 * count. */
static const char *visible_difference(const dti_call_record *mine,
                                      const dti_call_record *theirs)
{
    const bool same_call =
        mine->kind == theirs->kind && mine->op == theirs->op &&
        mine->dtype == theirs->dtype && mine->root == theirs->root &&
        mine->lists == theirs->lists &&
        strncmp(mine->origin, theirs->origin, sizeof mine->origin) == 0;
    return same_call ? ": the shape differs by rank" : "";
}

static dt_status fail_by_records(const dt_channel *line, const dt_call *call,
                                 const dti_call_record *mine, int member,
                                 const dti_call_record *theirs)
{
    char my_call[160];
    char their_call[160];
    dti_call_describe(mine, my_call, sizeof my_call);
    dti_call_describe(theirs, their_call, sizeof their_call);
    bool alike = strcmp(my_call, their_call) == 0;
    return dti_fail(line->world, DT_ERR_DIVERGED,
                    "ranks diverged at call #%" PRIu64
                    " of %s: rank %d called %s, rank %d called %s%s",
                    call->sequence, line->label, line->ranks[line->rank],
                    my_call, line->ranks[member], their_call,
                    alike ? hidden_difference(mine, theirs)
                          : visible_difference(mine, theirs));
}

dt_status dti_call_diverge(const dt_channel *line, const dt_call *call,
                           const dti_call_side *mine, int member,
                           const dti_call_side *theirs)
{
    if (!have_pages(mine, theirs))
        return fail_by_records(line, call, mine->record, member,
                               theirs->record);
    char my_call[160], where[240];
    dti_call_describe(mine->record, my_call, sizeof my_call);
    snprintf(where, sizeof where, "seen at %s, call #%" PRIu64 " of %s",
             my_call, call->sequence, line->label);
    const int ranks[] = {line->ranks[line->rank], line->ranks[member]};
    const dti_history_page *const pages[] = {mine->page, theirs->page};
    const uint64_t latest[] = {
        dti_history_find(mine->page, mine->record->word),
        dti_history_find(theirs->page, theirs->record->word)};
    return dti_history_fail(line->world, ranks, pages, latest, where);
}

dt_status dti_call_diverge_counts(const dt_channel *line, const dt_call *call,
                                  int from, int64_t sent, int to,
                                  int64_t expected)
{
    return dti_fail(line->world, DT_ERR_DIVERGED,
                    "ranks diverged at call #%" PRIu64
                    " of %s: in an all-to-all of %s, rank %d sends %" PRId64
                    " elements to rank %d, which expects %" PRId64,
                    call->sequence, line->label, dt_dtype_name(call->dtype),
                    line->ranks[from], sent, line->ranks[to], expected);
}
