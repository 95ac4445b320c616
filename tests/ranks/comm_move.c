/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_move.c - calls that move data, over sizes, dtypes, roots. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include "array/copy.h"

/* Inputs of up to this many bytes travel on the board. */
enum { INLINE = 4096, MAX_RANKS = 16 };

/* One call, as every member of the group makes it. */
typedef struct call_case {
    dt_group *group;
    dt_dtype dtype;
    const int64_t *counts; /* elements of each member's block */
    bool even;             /* pass NULL for the counts */
    bool async;
    int root;
    uint64_t salt;
} call_case;

static const int64_t *counts_of(const call_case *c)
{
    return c->even ? NULL : c->counts;
}

static int64_t offset_of(const call_case *c, int member)
{
    int64_t offset = 0;
    for (int i = 0; i < member; i++)
        offset += c->counts[i];
    return offset;
}

static int64_t total_of(const call_case *c)
{
    return offset_of(c, dt_group_size(c->group));
}

static int rank_of(const call_case *c)
{
    return dt_group_rank(c->group);
}

static dt_array *array_of(const call_case *c, int64_t count)
{
    dt_array *array = make_array(dt_group_world(c->group), c->dtype, count);
    if (array)
        wipe(array, 0x5a);
    return array;
}

/* ---- One function per call ---------------------------------------------- */

static dt_status call_all_gather(const call_case *c, dt_array *in,
                                 dt_array *out)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_all_gather(c->group, in, counts_of(c), out);
    return complete(
        dt_group_all_gather_async(c->group, in, counts_of(c), out, &handle),
        &handle);
}

/* Every member's block, in order, is in the array. */
static void check_blocks(const call_case *c, const dt_array *array)
{
    for (int i = 0; i < dt_group_size(c->group); i++)
        check_part(array, offset_of(c, i), c->counts[i], c->salt, i, 0);
}

static void try_all_gather(const call_case *c)
{
    dt_array *in = array_of(c, c->counts[rank_of(c)]);
    dt_array *out = array_of(c, total_of(c));
    fill(in, c->salt, rank_of(c));
    CHECK_OK(dt_group_world(c->group), call_all_gather(c, in, out));
    check_blocks(c, out);
    check_all(in, c->salt, rank_of(c));
    dt_array_release(in);
    dt_array_release(out);
}

static dt_status call_gather(const call_case *c, dt_array *in, dt_array *out)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_gather(c->group, c->root, in, counts_of(c), out);
    return complete(dt_group_gather_async(c->group, c->root, in, counts_of(c),
                                          out, &handle),
                    &handle);
}

static void try_gather(const call_case *c)
{
    bool is_root = rank_of(c) == c->root;
    dt_array *in = array_of(c, c->counts[rank_of(c)]);
    dt_array *out = is_root ? array_of(c, total_of(c)) : NULL;
    fill(in, c->salt, rank_of(c));
    CHECK_OK(dt_group_world(c->group), call_gather(c, in, out));
    if (is_root)
        check_blocks(c, out);
    check_all(in, c->salt, rank_of(c));
    dt_array_release(in);
    dt_array_release(out);
}

static dt_status call_scatter(const call_case *c, dt_array *in, dt_array *out)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_scatter(c->group, c->root, in, counts_of(c), out);
    return complete(dt_group_scatter_async(c->group, c->root, in, counts_of(c),
                                           out, &handle),
                    &handle);
}

static void try_scatter(const call_case *c)
{
    bool is_root = rank_of(c) == c->root;
    dt_array *in = is_root ? array_of(c, total_of(c)) : NULL;
    dt_array *out = array_of(c, c->counts[rank_of(c)]);
    if (is_root)
        fill(in, c->salt, c->root);
    CHECK_OK(dt_group_world(c->group), call_scatter(c, in, out));
    check_part(out, 0, dt_array_count(out), c->salt, c->root,
               offset_of(c, rank_of(c)));
    if (is_root)
        check_all(in, c->salt, c->root);
    dt_array_release(in);
    dt_array_release(out);
}

static dt_status call_broadcast(const call_case *c, dt_array *array)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_broadcast(c->group, c->root, array);
    return complete(dt_group_broadcast_async(c->group, c->root, array, &handle),
                    &handle);
}

static void try_broadcast(const call_case *c)
{
    dt_array *array = array_of(c, total_of(c));
    if (rank_of(c) == c->root)
        fill(array, c->salt, c->root);
    CHECK_OK(dt_group_world(c->group), call_broadcast(c, array));
    check_all(array, c->salt, c->root);
    dt_array_release(array);
}

/* What member `from` sends to `to`: the counts, turned by the sender. */
static int64_t exchanged(const call_case *c, int from, int to)
{
    int size = dt_group_size(c->group);
    return c->counts[c->even ? 0 : (from + to) % size];
}

static dt_status call_all_to_all(const call_case *c, dt_array *in,
                                 const int64_t *sent, const int64_t *received,
                                 dt_array *out)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_all_to_all(c->group, in, sent, received, out);
    return complete(
        dt_group_all_to_all_async(c->group, in, sent, received, out, &handle),
        &handle);
}

/* Where the block that `from` sends to `to` begins in the sender's input. */
static int64_t offset_sent(const call_case *c, int from, int to)
{
    int64_t offset = 0;
    for (int i = 0; i < to; i++)
        offset += exchanged(c, from, i);
    return offset;
}

static void try_all_to_all(const call_case *c)
{
    int size = dt_group_size(c->group);
    int rank = rank_of(c);
    int64_t sent[MAX_RANKS], received[MAX_RANKS], place = 0;
    for (int i = 0; i < size; i++) {
        sent[i] = exchanged(c, rank, i);
        received[i] = exchanged(c, i, rank);
    }
    dt_array *in = array_of(c, total_of(c));
    dt_array *out = array_of(c, total_of(c));
    fill(in, c->salt, rank);
    CHECK_OK(dt_group_world(c->group),
             call_all_to_all(c, in, c->even ? NULL : sent,
                             c->even ? NULL : received, out));
    for (int i = 0; i < size; place += received[i++])
        check_part(out, place, received[i], c->salt, i,
                   offset_sent(c, i, rank));
    check_all(in, c->salt, rank);
    dt_array_release(in);
    dt_array_release(out);
}

static dt_status call_send(const call_case *c, int to, dt_array *in)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_send(c->group, to, in);
    return complete(dt_group_send_async(c->group, to, in, &handle), &handle);
}

static dt_status call_receive(const call_case *c, int from, dt_array *out)
{
    dt_handle *handle = NULL;
    if (!c->async)
        return dt_group_receive(c->group, from, out);
    return complete(dt_group_receive_async(c->group, from, out, &handle),
                    &handle);
}

/* Everyone sends its block to the root, in order; the root answers. */
static void try_send_and_receive(const call_case *c)
{
    dt_world *world = dt_group_world(c->group);
    int rank = rank_of(c);
    for (int i = 0; i < dt_group_size(c->group); i++) {
        if (i == c->root || (rank != i && rank != c->root))
            continue;
        dt_array *sent = array_of(c, c->counts[i]);
        dt_array *answer = array_of(c, c->counts[i]);
        if (rank == i) {
            fill(sent, c->salt, i);
            CHECK_OK(world, call_send(c, c->root, sent));
            CHECK_OK(world, call_receive(c, c->root, answer));
            check_part(answer, 0, c->counts[i], c->salt, c->root, i);
        } else {
            fill_part(answer, 0, c->counts[i], c->salt, c->root, i);
            CHECK_OK(world, call_receive(c, i, sent));
            CHECK_OK(world, call_send(c, i, answer));
            check_all(sent, c->salt, i);
        }
        dt_array_release(sent);
        dt_array_release(answer);
    }
}

static void try_barrier(const call_case *c)
{
    dt_handle *handle = NULL;
    CHECK_OK(dt_group_world(c->group),
             c->async
                 ? complete(dt_group_barrier_async(c->group, &handle), &handle)
                 : dt_group_barrier(c->group));
}

static const struct {
    void (*run)(const call_case *c);
    bool has_root;
} calls[] = {
    {try_barrier, false},         {try_all_gather, false},
    {try_all_to_all, false},      {try_broadcast, true},
    {try_scatter, true},          {try_gather, true},
    {try_send_and_receive, true},
};

/* ---- Sizes -------------------------------------------------------------- */

/* Fill in the blocks of one pattern; false past the last. */
static bool even_block(int pattern, int size, size_t item, int64_t *out)
{
    int64_t limit = INLINE / (int64_t)item;
    /* The input of an all-gather is a block; of an all-to-all, all of them. */
    const int64_t blocks[] = {
        0,         1,     7,         size - 1,     size,
        limit - 1, limit, limit + 1, limit / size, limit / size + 1,
        1009,
    };
    if (pattern >= (int)(sizeof blocks / sizeof *blocks))
        return false;
    *out = blocks[pattern];
    return true;
}

enum { UNEVEN_PATTERNS = 6 };

static int64_t uneven_block(int pattern, int size, size_t item, int member)
{
    int64_t limit = INLINE / (int64_t)item;
    switch (pattern) {
    case 0: /* a bit of everything, nothing included */
        return (member * 7 + 3) % 5;
    case 1: /* one element less than ranks */
        return member < size - 1;
    case 2: /* all with the last */
        return member == size - 1 ? 3 * limit + 1 : 0;
    case 3: /* all with the first */
        return member == 0 ? limit + 1 : 0;
    case 4: /* some on the board, some too large for it */
        return limit / 2 * member + 1;
    default: /* nothing at all, said with counts */
        return 0;
    }
}

/* Make every call with these blocks; all roots if asked. */
static void try_calls(call_case *c, bool all_roots)
{
    int size = dt_group_size(c->group);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int roots = calls[i].has_root && all_roots ? size : 1;
        for (int root = 0; root < roots; root++) {
            c->salt++;
            c->root = all_roots ? root : (int)(c->salt % (uint64_t)size);
            c->async = c->salt / 2 % 2;
            calls[i].run(c);
            c->async = !c->async;
            calls[i].run(c);
        }
    }
}

static void try_even(call_case *c, bool all_roots)
{
    int64_t counts[MAX_RANKS], block;
    int size = dt_group_size(c->group);
    size_t item = dt_dtype_size(c->dtype);
    c->counts = counts;
    c->even = true;
    for (int pattern = 0; even_block(pattern, size, item, &block); pattern++) {
        for (int i = 0; i < size; i++)
            counts[i] = block;
        try_calls(c, all_roots && pattern < 4);
    }
}

static void try_uneven(call_case *c, bool all_roots)
{
    int64_t counts[MAX_RANKS];
    int size = dt_group_size(c->group);
    size_t item = dt_dtype_size(c->dtype);
    c->counts = counts;
    c->even = false;
    for (int pattern = 0; pattern < UNEVEN_PATTERNS; pattern++) {
        for (int i = 0; i < size; i++)
            counts[i] = uneven_block(pattern, size, item, i);
        try_calls(c, all_roots);
    }
}

/* ---- The tests ---------------------------------------------------------- */

static void moves_even_blocks(dt_world *world)
{
    call_case c = {.group = dt_world_group(world), .salt = dt_test_seed()};
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
        c.dtype = (dt_dtype)dtype;
        try_even(&c, dtype == DT_F32);
    }
}

static void moves_uneven_blocks(dt_world *world)
{
    const dt_dtype dtypes[] = {DT_F32, DT_U8, DT_BF16, DT_C64};
    call_case c = {.group = dt_world_group(world), .salt = dt_test_seed()};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        c.dtype = dtypes[i];
        try_uneven(&c, i == 0);
    }
}

/* Try calls of all sizes and roots on a group that is not the world's. */
static void try_group(dt_group *group)
{
    call_case c = {.group = group, .dtype = DT_I16, .salt = dt_test_seed()};
    try_even(&c, true);
    try_uneven(&c, true);
}

/* Ranks of one parity, in reverse order; rank 1 joins none. */
static void moves_in_split_groups(dt_world *world)
{
    int rank = dt_world_rank(world);
    dt_group *group = NULL;
    CHECK_OK(world, dt_group_split(dt_world_group(world),
                                   rank == 1 ? -1 : rank % 2, -rank, &group));
    CHECK((group == NULL) == (rank == 1));
    if (group)
        try_group(group);
}

/* The first and the last rank, and all ranks in reverse. */
static void moves_in_listed_groups(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int all[MAX_RANKS];
    const int ends[] = {size - 1, 0};
    dt_group *group = NULL;
    for (int i = 0; i < size; i++)
        all[i] = size - 1 - i;
    CHECK_OK(world, dt_group_create(world, all, size, &group));
    CHECK_INT(dt_group_rank(group), size - 1 - rank);
    try_group(group);
    if (size < 2 || (rank != 0 && rank != size - 1))
        return;
    CHECK_OK(world, dt_group_create(world, ends, 2, &group));
    CHECK_INT(dt_group_rank(group), rank == 0);
    try_group(group);
}

/* Several MB; the last ones pass the cache by. */
static void moves_large_blocks(dt_world *world)
{
    int size = dt_world_size(world);
    size_t stream = dti_copy_stream_threshold();
    const int64_t totals[] = {
        3 * 1024 * 1024 + 5,
        stream < 32 * 1024 * 1024 ? (int64_t)stream + 77 : 5 * 1024 * 1024,
    };
    int64_t counts[MAX_RANKS];
    call_case c = {.group = dt_world_group(world),
                   .dtype = DT_C64,
                   .counts = counts,
                   .salt = dt_test_seed()};
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++) {
        int64_t block = totals[t] / (int64_t)dt_dtype_size(c.dtype) / size + 1;
        for (int i = 0; i < size; i++)
            counts[i] = block;
        c.even = true;
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            c.salt++;
            c.async = (i + t) % 2;
            c.root = (int)(c.salt % (uint64_t)size);
            calls[i].run(&c);
        }
    }
    /* A fifth of the ranks have three times as much, the others less. */
    c.dtype = DT_I16;
    c.even = false;
    for (int i = 0; i < size; i++)
        counts[i] = i % 5 == 1 ? 600001 : 200003;
    try_calls(&c, false);
}

/* A view without elements shares no memory with what it lies in. */
static void takes_empty_views(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world), rank = dt_world_rank(world);
    int64_t counts[16] = {0};
    dt_array *whole = make_array(world, DT_I32, 3), *rest = NULL, *mine = NULL;
    dt_array *part = make_array(world, DT_I32, 3);
    counts[size - 1] = 3;
    fill(part, 8, rank);
    CHECK_OK(world, dt_array_slice(world, whole, 0, 1, 3, 1, &rest));
    CHECK_OK(world, dt_array_slice(world, rest, 0, 2, 2, 1, &mine));
    CHECK_OK(world, dt_group_all_gather(group, rank == size - 1 ? part : mine,
                                        counts, whole));
    check_all(whole, 8, size - 1);
    dt_array_release(mine);
    dt_array_release(rest);
    dt_array_release(whole);
    dt_array_release(part);
}

const dt_test dt_tests[] = {
    {"moves even blocks", moves_even_blocks},
    {"moves uneven blocks", moves_uneven_blocks},
    {"moves in split groups", moves_in_split_groups},
    {"moves in listed groups", moves_in_listed_groups},
    {"moves large blocks", moves_large_blocks},
    {"takes empty views", takes_empty_views},
    {NULL, NULL},
};
