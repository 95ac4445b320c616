/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_async.c - calls under way, waited for in any order. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

/* A group has room for 4 calls at once. */
enum { CALLS = 11, LARGE = 30011, MAX_RANKS = 16 };

/* An all-gather that was begun. */
typedef struct begun {
    dt_group *group;
    dt_array *in;
    dt_array *out;
    dt_handle *handle;
    uint64_t salt;
} begun;

static void begin(begun *b, dt_group *group, int64_t count, uint64_t salt)
{
    dt_world *world = dt_group_world(group);
    *b = (begun){.group = group, .salt = salt};
    b->in = make_array(world, DT_I32, count);
    b->out = make_array(world, DT_I32, count * dt_group_size(group));
    fill(b->in, salt, dt_group_rank(group));
    wipe(b->out, 0x5a);
    CHECK_OK(world,
             dt_group_all_gather_async(group, b->in, NULL, b->out, &b->handle));
}

/* Check the output; this alone waits for it. */
static void check_output(const begun *b)
{
    int64_t count = dt_array_count(b->in);
    for (int i = 0; i < dt_group_size(b->group); i++)
        check_part(b->out, i * count, count, b->salt, i, 0);
}

static void end(begun *b)
{
    if (b->handle)
        CHECK_OK(dt_group_world(b->group), dt_handle_wait(b->handle));
    check_output(b);
    dt_handle_release(b->handle);
    dt_array_release(b->in);
    dt_array_release(b->out);
}

static int64_t count_of(uint64_t number)
{
    const int64_t counts[] = {0, 1, 700, 1024, 1025, LARGE};
    return counts[number % (sizeof counts / sizeof *counts)];
}

/* Shuffle numbers 0 .. n-1, on each rank in its own way. */
static void shuffle(int *order, int n, unsigned long long *random)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(dt_test_random(random) % (unsigned)(i + 1));
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void waits_in_any_order(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    unsigned long long mine = dt_test_seed() + (unsigned)dt_world_rank(world);
    begun calls[CALLS];
    int order[CALLS];
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < CALLS; i++)
            begin(&calls[i], group, count_of((uint64_t)(i * 5 + way)),
                  (uint64_t)(100 * way + i));
        shuffle(order, CALLS, &mine);
        for (int i = 0; i < CALLS; i++)
            end(&calls[way == 0 ? i : way == 1 ? CALLS - 1 - i : order[i]]);
    }
}

/* Groups that overlap: all, all in reverse, one parity, pairs of neighbours. */
static int make_groups(dt_world *world, dt_group **groups)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int count = 0;
    groups[count++] = dt_world_group(world);
    CHECK_OK(world, dt_group_split(groups[0], 0, -rank, &groups[count++]));
    CHECK_OK(world,
             dt_group_split(groups[0], rank % 2, rank, &groups[count++]));
    CHECK_OK(world,
             dt_group_split(groups[0], rank / 2, -rank, &groups[count++]));
    CHECK_OK(world,
             dt_group_split(groups[0], rank * 2 / size, 0, &groups[count++]));
    return count;
}

static void runs_on_several_groups(dt_world *world)
{
    enum { ROUNDS = 3, GROUPS = 5 };
    dt_group *groups[GROUPS];
    begun calls[GROUPS * ROUNDS * 2];
    int order[GROUPS * ROUNDS * 2];
    unsigned long long mine = dt_test_seed() + (unsigned)dt_world_rank(world);
    int count = make_groups(world, groups);
    for (int repeat = 0; repeat < 5; repeat++) {
        int n = 0;
        for (int round = 0; round < 2 * ROUNDS; round++)
            for (int g = 0; g < count; g++, n++)
                begin(&calls[n], groups[g], count_of((uint64_t)(n + repeat)),
                      (uint64_t)(1000 * repeat + round * GROUPS + g));
        shuffle(order, n, &mine);
        for (int i = 0; i < n; i++) {
            if (dt_test_random(&mine) % 4 == 0)
                sleep_microseconds(dt_test_random(&mine) % 300);
            end(&calls[order[i]]);
        }
    }
}

/* Ranks agree on the order of calls in each group, not between groups: each
 * begins with another one. */
static void begins_on_groups_in_any_order(dt_world *world)
{
    enum { ROUNDS = 6, GROUPS = 5 };
    if (SKIP_ON(world, "mpi", "collectives wait when they are begun"))
        return;
    dt_group *groups[GROUPS];
    begun calls[ROUNDS * GROUPS];
    int order[ROUNDS * GROUPS];
    unsigned long long mine = dt_test_seed() + (unsigned)dt_world_rank(world);
    int count = make_groups(world, groups);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            int g = (dt_world_rank(world) + i) % count;
            int n = round * count + g;
            begin(&calls[n], groups[g], count_of((uint64_t)n), (uint64_t)n);
        }
    }
    shuffle(order, ROUNDS * count, &mine);
    for (int i = 0; i < ROUNDS * count; i++)
        end(&calls[order[i]]);
}

static void tests_until_complete(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    begun calls[3];
    for (int i = 0; i < 3; i++)
        begin(&calls[i], group, i == 1 ? LARGE : 3, (uint64_t)i);
    /* The last cannot be complete before the others. */
    while (!dt_handle_test(calls[2].handle))
        sleep_microseconds(50);
    for (int i = 0; i < 3; i++) {
        CHECK(dt_handle_test(calls[i].handle));
        CHECK_OK(world, dt_handle_wait(calls[i].handle));
        CHECK_OK(world, dt_handle_wait(calls[i].handle));
        end(&calls[i]);
    }
}

/* Nobody waits for the handles: reading the outputs does, and so does the end
 * of the program. */
static void releases_without_waiting(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    begun calls[CALLS];
    for (int i = 0; i < CALLS; i++) {
        begin(&calls[i], group, count_of((uint64_t)i), (uint64_t)i);
        dt_handle_release(calls[i].handle);
        calls[i].handle = NULL;
    }
    for (int i = CALLS - 1; i >= 0; i--)
        end(&calls[i]);
    for (int i = 0; i < 3; i++) {
        dt_handle *handle = NULL;
        dt_array *array = make_array(world, DT_I32, LARGE);
        wipe(array, i);
        CHECK_OK(world, dt_group_all_reduce_async(group, DT_SUM, array, array,
                                                  &handle));
        dt_array_release(array);
        dt_handle_release(handle);
    }
}

static void mutable_access_waits(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    const int64_t counts[] = {100, LARGE};
    for (int i = 0; i < 2; i++) {
        begun call;
        begin(&call, group, counts[i], (uint64_t)i);
        /* To write to the input waits until nobody reads it. */
        wipe(call.in, 0xee);
        CHECK(dt_handle_test(call.handle));
        end(&call);
        begin(&call, group, counts[i], (uint64_t)i + 10);
        const void *data = dt_array_data(call.out);
        CHECK(data != NULL);
        CHECK(dt_handle_test(call.handle));
        end(&call);
    }
}

/* To read the input does not wait: the last rank joins only after rank 0 has
 * read, and says so with a message. */
static void reading_an_input_does_not_wait(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "collectives wait when they are begun"))
        return;
    dt_group *group = dt_world_group(world);
    int last = dt_world_size(world) - 1;
    int rank = dt_world_rank(world);
    dt_array *token = make_array(world, DT_U8, 1);
    begun call;
    if (rank == last && last > 0)
        CHECK_OK(world, dt_group_receive(group, 0, token));
    begin(&call, group, LARGE, 1);
    check_all(call.in, 1, rank);
    if (rank == 0 && last > 0) {
        CHECK(!dt_handle_test(call.handle));
        CHECK_OK(world, dt_group_send(group, last, token));
    }
    end(&call);
    dt_array_release(token);
}

/* The same of a view: waiting belongs to the storage. */
static void views_wait_too(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    begun call;
    dt_array *view = NULL;
    begin(&call, group, LARGE, 4);
    CHECK_OK(world, dt_array_slice(world, call.out, 0, 0, LARGE, 1, &view));
    check_part(view, 0, LARGE, 4, 0, 0);
    CHECK(dt_handle_test(call.handle));
    dt_array_release(view);
    end(&call);
}

static void blocks_after_calls_under_way(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    begun calls[3];
    dt_array *sum = make_array(world, DT_I64, 1);
    for (int i = 0; i < 3; i++)
        begin(&calls[i], group, count_of((uint64_t)i + 3), (uint64_t)i);
    *(int64_t *)dt_array_data(sum) = 5;
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, sum, sum));
    CHECK_INT(*(const int64_t *)dt_array_const_data(sum),
              5 * dt_world_size(world));
    for (int i = 0; i < 3; i++) {
        CHECK(dt_handle_test(calls[i].handle));
        end(&calls[i]);
    }
    dt_array_release(sum);
}

/* What one call puts out the next takes in, and both write to one array. */
static void chains_calls(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    const int64_t counts[] = {1, 1025, LARGE};
    for (int c = 0; c < 3; c++) {
        dt_handle *handles[6] = {NULL};
        dt_array *array = make_array(world, DT_I64, counts[c]);
        CHECK_OK(world, dt_array_fill_int(world, array, 1));
        int64_t expected = 1;
        for (int i = 0; i < 6; i++) {
            CHECK_OK(world, dt_group_all_reduce_async(group, DT_SUM, array,
                                                      array, &handles[i]));
            expected *= dt_world_size(world);
        }
        const int64_t *data = dt_array_const_data(array);
        CHECK_INT(data[0], expected);
        CHECK_INT(data[counts[c] - 1], expected);
        for (int i = 5; i >= 0; i--) {
            CHECK_OK(world, dt_handle_wait(handles[i]));
            dt_handle_release(handles[i]);
        }
        dt_array_release(array);
    }
}

/* Every kind at once, from every root. */
static void mixes_kinds(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *arrays[MAX_RANKS], *blocks[MAX_RANKS], *wholes[MAX_RANKS];
    dt_handle *handles[MAX_RANKS][4] = {{NULL}};
    for (int root = 0; root < size; root++) {
        uint64_t salt = (uint64_t)root;
        arrays[root] = make_array(world, DT_U8, LARGE + root);
        blocks[root] = make_array(world, DT_U8, 4099);
        wholes[root] = make_array(world, DT_U8, 4099 * size);
        if (rank == root) {
            fill(arrays[root], salt, root);
            fill(wholes[root], salt, root);
        }
        CHECK_OK(world, dt_group_broadcast_async(group, root, arrays[root],
                                                 &handles[root][0]));
        CHECK_OK(world,
                 dt_group_scatter_async(group, root, wholes[root], NULL,
                                        blocks[root], &handles[root][1]));
        CHECK_OK(world, dt_group_barrier_async(group, &handles[root][2]));
        CHECK_OK(world,
                 dt_group_gather_async(group, (root + 1) % size, blocks[root],
                                       NULL, wholes[root], &handles[root][3]));
    }
    for (int root = size - 1; root >= 0; root--) {
        for (int i = 0; i < 4; i++) {
            CHECK_OK(world, dt_handle_wait(handles[root][i]));
            dt_handle_release(handles[root][i]);
        }
        check_all(arrays[root], (uint64_t)root, root);
        check_part(blocks[root], 0, 4099, (uint64_t)root, root, 4099 * rank);
        if (rank == (root + 1) % size)
            check_all(wholes[root], (uint64_t)root, root);
        dt_array_release(arrays[root]);
        dt_array_release(blocks[root]);
        dt_array_release(wholes[root]);
    }
}

/* ---- Sending and receiving ---------------------------------------------- */

/* Everyone sends to the right and receives from the left, at once. */
static void sends_around_a_ring(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    const int64_t counts[] = {0, 1, 1024, 1025, 1000003};
    if (size == 1)
        return;
    for (int way = 0; way < 2; way++) {
        for (int c = 0; c < 5; c++) {
            dt_handle *sent = NULL, *received = NULL;
            dt_array *in = make_array(world, DT_I32, counts[c]);
            dt_array *out = make_array(world, DT_I32, counts[c]);
            fill(in, (uint64_t)c, rank);
            if (way)
                CHECK_OK(world,
                         dt_group_receive_async(group, left, out, &received));
            CHECK_OK(world, dt_group_send_async(group, right, in, &sent));
            if (!way)
                CHECK_OK(world, dt_group_receive(group, left, out));
            else
                CHECK_OK(world, dt_handle_wait(received));
            CHECK_OK(world, dt_handle_wait(sent));
            wipe(in, 0xee);
            check_all(out, (uint64_t)c, left);
            dt_handle_release(sent);
            dt_handle_release(received);
            dt_array_release(in);
            dt_array_release(out);
        }
    }
}

enum { MESSAGES = 9 };

/* Messages between two ranks, both ways at once; more than there is room for.
 * They arrive in the order in which they were sent. */
static void exchange(dt_group *group, int peer)
{
    dt_world *world = dt_group_world(group);
    int rank = dt_group_rank(group);
    dt_array *in[MESSAGES], *out[MESSAGES];
    dt_handle *handles[2][MESSAGES] = {{NULL}};
    for (int i = 0; i < MESSAGES; i++) {
        int64_t count = i % 3 == 1 ? LARGE + i : i;
        in[i] = make_array(world, DT_I16, count);
        out[i] = make_array(world, DT_I16, count);
        fill(in[i], (uint64_t)i, rank);
        CHECK_OK(world,
                 dt_group_receive_async(group, peer, out[i], &handles[1][i]));
        CHECK_OK(world,
                 dt_group_send_async(group, peer, in[i], &handles[0][i]));
    }
    for (int i = MESSAGES - 1; i >= 0; i--) {
        CHECK_OK(world, dt_handle_wait(handles[1][i]));
        CHECK_OK(world, dt_handle_wait(handles[0][i]));
        check_all(out[i], (uint64_t)i, peer);
        dt_handle_release(handles[0][i]);
        dt_handle_release(handles[1][i]);
        dt_array_release(in[i]);
        dt_array_release(out[i]);
    }
}

static void exchanges_messages(dt_world *world)
{
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_group *backwards = NULL;
    CHECK_OK(world,
             dt_group_split(dt_world_group(world), 0, -rank, &backwards));
    /* In round k, ranks whose numbers add up to k modulo the size meet. */
    for (int k = 0; k < size; k++) {
        int peer = (k - rank + size) % size;
        if (peer == rank)
            continue;
        exchange(dt_world_group(world), peer);
        exchange(backwards, dt_world_size(world) - 1 - peer);
    }
}

/* Small messages wait on the board for whom they are meant. */
static void sends_before_anyone_receives(dt_world *world)
{
    enum { ROOM = 4 };
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *box = make_array(world, DT_I32, 3);
    for (int i = 0; i < ROOM; i++) {
        for (int to = 0; to < size; to++) {
            fill(box, (uint64_t)i, rank);
            if (to != rank)
                CHECK_OK(world, dt_group_send(group, to, box));
            wipe(box, 0xee);
        }
    }
    CHECK_OK(world, dt_group_barrier(group));
    for (int from = size - 1; from >= 0; from--) {
        for (int i = 0; i < ROOM && from != rank; i++) {
            CHECK_OK(world, dt_group_receive(group, from, box));
            check_all(box, (uint64_t)i, from);
        }
    }
    dt_array_release(box);
}

const dt_test dt_tests[] = {
    {"waits in any order", waits_in_any_order},
    {"runs on several groups", runs_on_several_groups},
    {"begins on groups in any order", begins_on_groups_in_any_order},
    {"tests until complete", tests_until_complete},
    {"releases without waiting", releases_without_waiting},
    {"mutable access waits", mutable_access_waits},
    {"reading an input does not wait", reading_an_input_does_not_wait},
    {"views wait too", views_wait_too},
    {"blocks after calls under way", blocks_after_calls_under_way},
    {"chains calls", chains_calls},
    {"mixes kinds", mixes_kinds},
    {"sends around a ring", sends_around_a_ring},
    {"exchanges messages", exchanges_messages},
    {"sends before anyone receives", sends_before_anyone_receives},
    {NULL, NULL},
};
