/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_delay.c - late ranks, and buffers reused at once. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

/*
 * Before every call each rank sleeps for a random moment.  As soon as the call
 * returns it overwrites its input; as soon as the output is checked, that too,
 * and a round later it looks whether someone wrote there since.
 */

enum { ROUNDS = 300, WIPED_INPUT = 0xee, WIPED_OUTPUT = 0xdd };

typedef struct delay_round {
    dt_group *group;
    dt_array *in;
    dt_array *out;
    int64_t block; /* elements of each member */
    int root;
    bool async;
    uint64_t salt;
    unsigned long long *random; /* of this rank alone */
} delay_round;

static int size_of(const delay_round *r)
{
    return dt_group_size(r->group);
}

static int rank_of(const delay_round *r)
{
    return dt_group_rank(r->group);
}

static void dawdle(const delay_round *r)
{
    unsigned long long number = dt_test_random(r->random);
    if (number % 3)
        sleep_microseconds(number / 8 % 400);
}

/* Wait for a call that was begun, with more delay in between. */
static void finish(const delay_round *r, dt_status status, dt_handle *handle)
{
    dt_world *world = dt_group_world(r->group);
    CHECK_OK(world, status);
    if (handle) {
        dawdle(r);
        CHECK_OK(world, dt_handle_wait(handle));
        dt_handle_release(handle);
    }
    if (r->in)
        wipe(r->in, WIPED_INPUT);
}

static dt_array *array_of(const delay_round *r, int64_t blocks)
{
    dt_array *array =
        make_array(dt_group_world(r->group), DT_I32, blocks * r->block);
    wipe(array, 0x5a);
    return array;
}

/* Check sums of all ranks' elements from `first` on. */
static void check_sums(const delay_round *r, int64_t first)
{
    const uint32_t *data = dt_array_const_data(r->out);
    for (int64_t i = 0; i < dt_array_count(r->out); i++) {
        uint32_t sum = 0;
        for (int rank = 0; rank < size_of(r); rank++)
            sum += (uint32_t)word_of(r->salt, rank, first + i);
        if (!CHECKF(data[i] == sum, "element %lld of a sum is wrong",
                    (long long)i))
            return;
    }
}

static void round_all_reduce(delay_round *r)
{
    dt_handle *handle = NULL;
    r->in = array_of(r, 1);
    r->out = array_of(r, 1);
    fill(r->in, r->salt, rank_of(r));
    dawdle(r);
    dt_status status =
        r->async ? dt_group_all_reduce_async(r->group, DT_SUM, r->in, r->out,
                                             &handle)
                 : dt_group_all_reduce(r->group, DT_SUM, r->in, r->out);
    finish(r, status, handle);
    check_sums(r, 0);
}

static void round_in_place(delay_round *r)
{
    dt_handle *handle = NULL;
    r->out = array_of(r, 1);
    fill(r->out, r->salt, rank_of(r));
    dawdle(r);
    dt_status status =
        r->async ? dt_group_all_reduce_async(r->group, DT_SUM, r->out, r->out,
                                             &handle)
                 : dt_group_all_reduce(r->group, DT_SUM, r->out, r->out);
    finish(r, status, handle);
    check_sums(r, 0);
}

static void round_reduce_scatter(delay_round *r)
{
    dt_handle *handle = NULL;
    r->in = array_of(r, size_of(r));
    r->out = array_of(r, 1);
    fill(r->in, r->salt, rank_of(r));
    dawdle(r);
    dt_status status =
        r->async
            ? dt_group_reduce_scatter_async(r->group, DT_SUM, r->in, NULL,
                                            r->out, &handle)
            : dt_group_reduce_scatter(r->group, DT_SUM, r->in, NULL, r->out);
    finish(r, status, handle);
    check_sums(r, r->block * rank_of(r));
}

static void round_all_gather(delay_round *r)
{
    dt_handle *handle = NULL;
    r->in = array_of(r, 1);
    r->out = array_of(r, size_of(r));
    fill(r->in, r->salt, rank_of(r));
    dawdle(r);
    dt_status status =
        r->async
            ? dt_group_all_gather_async(r->group, r->in, NULL, r->out, &handle)
            : dt_group_all_gather(r->group, r->in, NULL, r->out);
    finish(r, status, handle);
    for (int i = 0; i < size_of(r); i++)
        check_part(r->out, i * r->block, r->block, r->salt, i, 0);
}

static void round_all_to_all(delay_round *r)
{
    dt_handle *handle = NULL;
    r->in = array_of(r, size_of(r));
    r->out = array_of(r, size_of(r));
    fill(r->in, r->salt, rank_of(r));
    dawdle(r);
    dt_status status =
        r->async ? dt_group_all_to_all_async(r->group, r->in, NULL, NULL,
                                             r->out, &handle)
                 : dt_group_all_to_all(r->group, r->in, NULL, NULL, r->out);
    finish(r, status, handle);
    for (int i = 0; i < size_of(r); i++)
        check_part(r->out, i * r->block, r->block, r->salt, i,
                   r->block * rank_of(r));
}

static void round_broadcast(delay_round *r)
{
    dt_handle *handle = NULL;
    bool is_root = rank_of(r) == r->root;
    dt_array *array = array_of(r, 1);
    *(is_root ? &r->in : &r->out) = array;
    if (is_root)
        fill(array, r->salt, r->root);
    dawdle(r);
    dt_status status =
        r->async ? dt_group_broadcast_async(r->group, r->root, array, &handle)
                 : dt_group_broadcast(r->group, r->root, array);
    finish(r, status, handle);
    if (!is_root)
        check_all(array, r->salt, r->root);
}

static void round_scatter(delay_round *r)
{
    dt_handle *handle = NULL;
    if (rank_of(r) == r->root) {
        r->in = array_of(r, size_of(r));
        fill(r->in, r->salt, r->root);
    }
    r->out = array_of(r, 1);
    dawdle(r);
    dt_status status =
        r->async ? dt_group_scatter_async(r->group, r->root, r->in, NULL,
                                          r->out, &handle)
                 : dt_group_scatter(r->group, r->root, r->in, NULL, r->out);
    finish(r, status, handle);
    check_part(r->out, 0, r->block, r->salt, r->root, r->block * rank_of(r));
}

static void round_gather(delay_round *r)
{
    dt_handle *handle = NULL;
    r->in = array_of(r, 1);
    fill(r->in, r->salt, rank_of(r));
    if (rank_of(r) == r->root)
        r->out = array_of(r, size_of(r));
    dawdle(r);
    dt_status status =
        r->async ? dt_group_gather_async(r->group, r->root, r->in, NULL, r->out,
                                         &handle)
                 : dt_group_gather(r->group, r->root, r->in, NULL, r->out);
    finish(r, status, handle);
    for (int i = 0; r->out && i < size_of(r); i++)
        check_part(r->out, i * r->block, r->block, r->salt, i, 0);
}

static void send_right(delay_round *r)
{
    dt_handle *handle = NULL;
    int to = (rank_of(r) + 1) % size_of(r);
    r->in = array_of(r, 1);
    fill(r->in, r->salt, rank_of(r));
    dawdle(r);
    dt_status status = r->async
                           ? dt_group_send_async(r->group, to, r->in, &handle)
                           : dt_group_send(r->group, to, r->in);
    finish(r, status, handle);
}

static void receive_left(delay_round *r)
{
    int from = (rank_of(r) + size_of(r) - 1) % size_of(r);
    r->out = array_of(r, 1);
    dawdle(r);
    CHECK_OK(dt_group_world(r->group),
             dt_group_receive(r->group, from, r->out));
    check_all(r->out, r->salt, from);
}

/* A chain: only one rank sends before it receives. */
static void round_send_and_receive(delay_round *r)
{
    if (size_of(r) == 1)
        return;
    if (rank_of(r) == r->root) {
        send_right(r);
        receive_left(r);
    } else {
        receive_left(r);
        send_right(r);
    }
}

/* A barrier holds all back: what was written before it is seen after it. */
static void round_barrier(delay_round *r)
{
    dt_handle *handle = NULL;
    dawdle(r);
    dt_status status = r->async ? dt_group_barrier_async(r->group, &handle)
                                : dt_group_barrier(r->group);
    finish(r, status, handle);
}

static void (*const rounds[])(delay_round *r) = {
    round_all_reduce, round_in_place,   round_reduce_scatter,
    round_all_gather, round_all_to_all, round_broadcast,
    round_scatter,    round_gather,     round_send_and_receive,
    round_barrier,
};

static void check_untouched(dt_array *array, int byte)
{
    const unsigned char *data = array ? dt_array_const_data(array) : NULL;
    for (size_t i = 0; array && i < dt_array_bytes(array); i++)
        if (!CHECKF(data[i] == byte, "byte %zu was written afterwards", i))
            return;
}

static void overwrites_at_once(dt_world *world)
{
    unsigned long long common = dt_test_seed();
    unsigned long long mine = common + (unsigned)dt_world_rank(world) + 1;
    const int64_t blocks[] = {1, 5, 1024, 1025, 3000, 20011};
    enum { BLOCKS = sizeof blocks / sizeof *blocks };
    dt_array *earlier_in = NULL, *earlier_out = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned long long number = dt_test_random(&common);
        size_t kind = (size_t)i % (sizeof rounds / sizeof *rounds);
        delay_round r = {
            .group = dt_world_group(world),
            .block = blocks[number % BLOCKS],
            .root = (int)(number / 64 % (unsigned)dt_world_size(world)),
            .async = number / 16 % 2,
            .salt = number,
            .random = &mine,
        };
        rounds[kind](&r);
        if (r.out)
            wipe(r.out, WIPED_OUTPUT);
        check_untouched(earlier_in, WIPED_INPUT);
        check_untouched(earlier_out, WIPED_OUTPUT);
        dt_array_release(earlier_in);
        dt_array_release(earlier_out);
        earlier_in = r.in;
        earlier_out = r.out;
    }
    dt_array_release(earlier_in);
    dt_array_release(earlier_out);
}

const dt_test dt_tests[] = {
    {"overwrites at once", overwrites_at_once},
    {NULL, NULL},
};
