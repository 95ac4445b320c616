/* comm/group.c - groups of ranks, kept by their world. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/hash.h"
#include "base/reference.h"
#include "comm/call.h"
#include "comm/comm.h"
#include "trace/trace.h"

/* A list of world ranks: the key of a group. */
typedef struct member_list {
    const int *ranks;
    int count;
} member_list;

static bool has_members(const void *value, const void *key)
{
    const dt_group *group = value;
    const member_list *members = key;
    return group->main.line.size == members->count &&
           memcmp(group->ranks, members->ranks,
                  (size_t)members->count * sizeof(int)) == 0;
}

/* Describe members in few words: a range, a short list, or their number. */
static void write_label(const member_list *members, char *label, size_t size)
{
    const int *ranks = members->ranks;
    int count = members->count;
    int range = 1;
    while (range < count && ranks[range] == ranks[0] + range)
        range++;
    if (count == 1)
        snprintf(label, size, "rank %d", ranks[0]);
    else if (range == count)
        snprintf(label, size, "ranks %d-%d", ranks[0], ranks[count - 1]);
    else if (count == 2)
        snprintf(label, size, "ranks %d,%d", ranks[0], ranks[1]);
    else if (count == 3)
        snprintf(label, size, "ranks %d,%d,%d", ranks[0], ranks[1], ranks[2]);
    else
        snprintf(label, size, "%d ranks %d,%d,..,%d", count, ranks[0], ranks[1],
                 ranks[count - 1]);
}

static dt_status open_line(dti_comm *comm, dti_line *line)
{
    line->comm = comm;
    if (!comm->transport->line_open)
        return DT_OK;
    dt_status status = comm->transport->line_open(comm->carrier, &line->line);
    comm->failed |= status != DT_OK;
    return status;
}

static void close_line(dti_comm *comm, dti_line *line)
{
    if (comm->transport->line_close)
        comm->transport->line_close(comm->carrier, &line->line);
}

static void free_group(dt_group *group)
{
    dti_handle_gone(group);
    free(group->ranks);
    dti_handle_free(group);
    dti_live_add(DTI_LIVE_GROUP, -1);
}

/* A group in memory, not open yet; NULL without memory. */
static dt_group *make_group(dt_world *world, const member_list *members,
                            int place, uint64_t id)
{
    dt_group *group = calloc(1, sizeof *group);
    int *ranks = malloc((size_t)members->count * sizeof(int));
    if (!group || !ranks) {
        free(group);
        free(ranks);
        return NULL;
    }
    memcpy(ranks, members->ranks, (size_t)members->count * sizeof(int));
    group->ranks = ranks;
    group->main.line = (dt_channel){.world = world,
                                    .ranks = ranks,
                                    .size = members->count,
                                    .rank = place,
                                    .id = id};
    write_label(members, group->main.line.label, sizeof group->main.line.label);
    dti_live_add(DTI_LIVE_GROUP, 1);
    return group;
}

static dt_status add_group(dti_comm *comm, const member_list *members,
                           int place, uint64_t hash, dt_group **out)
{
    dt_group *group = make_group(comm->world, members, place, hash);
    if (!group)
        return dti_fail_memory(comm->world, sizeof *group, "a group");
    dt_status status = open_line(comm, &group->main);
    if (status != DT_OK)
        goto no_line;
    if (dti_map_add(&comm->groups, hash, group) != DT_OK) {
        status = dti_fail_memory(comm->world, sizeof *group, "a group");
        goto no_entry;
    }
    dti_handle_made(comm->world, DTI_LIVE_GROUP, group);
    *out = group;
    return DT_OK;

no_entry:
    close_line(comm, &group->main);
no_line:
    free_group(group);
    return status;
}

/* Check a list of ranks and find this rank in it. */
static dt_status find_place(dt_world *world, const member_list *members,
                            int *out)
{
    int place = -1;
    if (members->count < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_group_create: count is %d; must be at least 1",
                        members->count);
    unsigned char *seen = calloc((size_t)world->size, 1);
    if (!seen)
        return dti_fail_memory(world, (size_t)world->size, "a list of ranks");
    dt_status status = DT_OK;
    for (int i = 0; i < members->count && status == DT_OK; i++) {
        int rank = members->ranks[i];
        if (rank < 0 || rank >= world->size)
            status = dti_fail(world, DT_ERR_INVALID,
                              "rank %d is out of range for a world of %d ranks",
                              rank, world->size);
        else if (seen[rank]++)
            status = dti_fail(world, DT_ERR_INVALID,
                              "dt_group_create: rank %d is listed twice", rank);
        else if (rank == world->rank)
            place = i;
    }
    free(seen);
    if (status == DT_OK && place < 0)
        status = dti_fail(world, DT_ERR_INVALID,
                          "dt_group_create: this rank, %d, is not in the list",
                          world->rank);
    *out = place;
    return status;
}

dt_status dt_group_create(dt_world *world, const int *ranks, int count,
                          dt_group **out)
{
    DTI_ENTRY();
    dti_comm *comm = dti_comm_of(world);
    member_list members = {ranks, count};
    uint64_t hash =
        count > 0 ? dti_hash_bytes(ranks, (size_t)count * sizeof(int)) : 0;
    dt_group *known = dti_map_find(&comm->groups, hash, &members, has_members);
    if (known) {
        *out = known;
        return DT_OK;
    }
    int place = 0;
    dt_status status = find_place(world, &members, &place);
    if (status == DT_OK)
        status = add_group(comm, &members, place, hash, out);
    /* This rank alone is short of memory: the others must not wait for it. */
    if (status == DT_ERR_NO_MEMORY)
        dt_world_poison(world);
    return status;
}

/* What every rank tells the others when a group is split. */
typedef struct split_choice {
    int64_t colour;
    int64_t key;
} split_choice;

typedef struct split_member {
    int64_t key;
    int rank;  /* in the parent */
    int world; /* in the world */
} split_member;

static int compare_members(const void *a, const void *b)
{
    const split_member *left = a;
    const split_member *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->rank < right->rank ? -1 : left->rank > right->rank;
}

/* The world ranks of one colour, in order; gives their number. */
static int pick_colour(const dt_group *group, const split_choice *choices,
                       int64_t colour, split_member *members, int *ranks)
{
    int count = 0;
    for (int i = 0; i < group->main.line.size; i++)
        if (choices[i].colour == colour)
            members[count++] =
                (split_member){choices[i].key, i, group->ranks[i]};
    qsort(members, (size_t)count, sizeof *members, compare_members);
    for (int i = 0; i < count; i++)
        ranks[i] = members[i].world;
    return count;
}

/* Learn everyone's choice: an all-gather of two numbers. */
static dt_status exchange_choices(dt_group *group, split_choice mine,
                                  split_choice *choices)
{
    dt_world *world = group->main.line.world;
    const char *before = dti_comm_set_origin(world, "dt_group_split");
    dt_call call = {.kind = DT_ALL_GATHER,
                    .dtype = DT_I64,
                    .root = -1,
                    .input = &mine,
                    .output = choices,
                    .count = (int64_t)group->main.line.size * 2};
    dti_call_measure(&call, &group->main.line);
    dt_status status = dti_call_run(&group->main, &call);
    dti_comm_set_origin(world, before);
    return status;
}

dt_status dt_group_split(dt_group *group, int colour, int key, dt_group **out)
{
    DTI_ENTRY();
    DTI_TRY(dti_given(group, __func__, "group"));
    dt_world *world = group->main.line.world;
    dti_comm *comm = dti_comm_of(world);
    size_t size = (size_t)group->main.line.size;
    if (!comm->transport->moves_data)
        return dti_fail(
            world, DT_ERR_UNSUPPORTED,
            "dt_group_split: not supported on %s, because the colours of other "
            "ranks are unknown; use dt_group_create",
            comm->transport->name);
    split_choice *choices = malloc(size * sizeof *choices);
    split_member *members = malloc(size * sizeof *members);
    int *ranks = malloc(size * sizeof *ranks);
    dt_status status;
    if (!choices || !members || !ranks) {
        status = dti_fail_memory(world, size * sizeof *choices, "a split");
        dt_world_poison(world);
        goto done;
    }
    split_choice mine = {colour < 0 ? -1 : colour, key};
    status = exchange_choices(group, mine, choices);
    if (status != DT_OK)
        goto done;
    dt_group *made = NULL;
    if (colour >= 0) {
        int count = pick_colour(group, choices, colour, members, ranks);
        status = dt_group_create(world, ranks, count, &made);
    }
    if (status == DT_OK)
        *out = made;
done:
    free(choices);
    free(members);
    free(ranks);
    return status;
}

/* Make the line of a pair: from member `from` to member `to`. */
static dt_status add_pair(dt_group *group, int from, int to, dti_line **out)
{
    dt_world *world = group->main.line.world;
    dti_comm *comm = dti_comm_of(world);
    struct {
        dti_line line;
        int ranks[2];
    } *pair = calloc(1, sizeof *pair);
    if (!pair)
        return dti_fail_memory(world, sizeof *pair, "a pair of ranks");
    pair->ranks[0] = group->ranks[from];
    pair->ranks[1] = group->ranks[to];
    dt_channel *line = &pair->line.line;
    *line = (dt_channel){
        .world = world,
        .ranks = pair->ranks,
        .size = 2,
        .rank = group->main.line.rank == from ? 0 : 1,
        .id = dti_hash_mix(dti_hash_mix(group->main.line.id, (uint64_t)from),
                           (uint64_t)to),
        .parent = &group->main.line};
    snprintf(line->label, sizeof line->label, "ranks %d to %d", pair->ranks[0],
             pair->ranks[1]);
    dt_status status = open_line(comm, &pair->line);
    if (status != DT_OK) {
        free(pair);
        return status;
    }
    pair->line.next_pair = group->pairs;
    group->pairs = &pair->line;
    *out = &pair->line;
    return DT_OK;
}

dt_status dti_group_pair(dt_group *group, int peer, bool outward,
                         dti_line **out)
{
    int self = group->main.line.rank;
    int from = outward ? self : peer;
    int to = outward ? peer : self;
    for (dti_line *pair = group->pairs; pair; pair = pair->next_pair) {
        if (pair->line.ranks[0] == group->ranks[from] &&
            pair->line.ranks[1] == group->ranks[to]) {
            *out = pair;
            return DT_OK;
        }
    }
    dt_status status = add_pair(group, from, to, out);
    if (status == DT_ERR_NO_MEMORY)
        dt_world_poison(group->main.line.world);
    return status;
}

/* Close a group with its pairs; nothing is under way. */
static void close_group(dti_comm *comm, dt_group *group)
{
    while (group->pairs) {
        dti_line *pair = group->pairs;
        group->pairs = pair->next_pair;
        close_line(comm, pair);
        free(pair);
    }
    close_line(comm, &group->main);
    free_group(group);
}

static void restart_line(dti_line *line)
{
    line->line.sequence = 0;
    line->line.fingerprint = 0;
}

void dti_comm_restart(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    size_t cursor = 0;
    dt_group *group;
    dti_history_restart(world);
    comm->failed = false;
    while ((group = dti_map_next(&comm->groups, &cursor))) {
        restart_line(&group->main);
        for (dti_line *pair = group->pairs; pair; pair = pair->next_pair)
            restart_line(pair);
    }
}

static void close_comm(dt_world *world, void *state)
{
    dti_comm *comm = state;
    dt_error closed = {DT_ERR_COMM,
                       "the world was closed with calls under way"};
    dti_comm_abandon(world, &closed);
    size_t cursor = 0;
    dt_group *group;
    while ((group = dti_map_next(&comm->groups, &cursor)))
        close_group(comm, group);
    dti_map_clear(&comm->groups);
    dti_history_close_all(world);
    dti_comm_let_go(comm);
    comm->transport->close(comm->carrier);
    free(comm);
}

static const dti_room_functions functions = {.close = close_comm};

/* Make the group of all ranks. */
static dt_status add_all(dti_comm *comm)
{
    int size = comm->world->size;
    int *ranks = malloc((size_t)size * sizeof *ranks);
    if (!ranks)
        return dti_fail_memory(comm->world, (size_t)size * sizeof *ranks,
                               "the group of all ranks");
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    dt_status status = dt_group_create(comm->world, ranks, size, &comm->all);
    free(ranks);
    return status;
}

dt_status dti_comm_attach(dt_world *world, const dt_transport *transport,
                          void *carrier, dt_error *error)
{
    dti_comm *comm = calloc(1, sizeof *comm);
    if (!comm || dti_trace_open(world, error) != DT_OK ||
        dti_comm_open_work(world, transport, error) != DT_OK) {
        free(comm);
        transport->close(carrier);
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the groups of rank %d",
                             world->rank);
    }
    *comm = (dti_comm){.world = world,
                       .transport = transport,
                       .carrier = carrier,
                       .compares = !transport->compares ||
                                   transport->compares(carrier)};
    world->transport = transport->name;
    dti_world_attach(world, DTI_ROOM_COMM, comm, &functions);
    dt_status status = add_all(comm);
    if (status != DT_OK)
        dti_error_set(error, status, "%s", world->latest.message);
    else if (!transport->moves_data)
        dt_trace_record(world, true);
    dti_comm_remark(world);
    return status;
}

dt_group *dt_world_group(dt_world *world)
{
    return dti_comm_of(world)->all;
}

/* Tell whether a group is neither NULL nor closed with its world. */
static bool is_given(const dt_group *group, const char *function)
{
    return dti_handle_readable(group, function) && group;
}

int dt_group_rank(const dt_group *group)
{
    return is_given(group, __func__) ? group->main.line.rank : -1;
}

int dt_group_size(const dt_group *group)
{
    return is_given(group, __func__) ? group->main.line.size : 0;
}

const int *dt_group_ranks(const dt_group *group)
{
    return is_given(group, __func__) ? group->ranks : NULL;
}

dt_world *dt_group_world(const dt_group *group)
{
    return is_given(group, __func__) ? group->main.line.world : NULL;
}
