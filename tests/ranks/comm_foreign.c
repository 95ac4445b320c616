/* ranks: 1 2 3 4 7 */
/* tests/ranks/comm_foreign.c - calls on memory that is not the library's. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/comm_arrays.h"

#include <stdlib.h>

/* Small enough for a board, just too large for it, and large. */
static const int64_t sizes[] = {0, 1, 500, 513, 40000};

enum { SIZES = sizeof sizes / sizeof *sizes };

static void free_memory(void *arg, void *data)
{
    (void)arg;
    free(data);
}

static dt_array *make_foreign(dt_world *world, int64_t count)
{
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_array *array = NULL;
    options.data = calloc((size_t)count + 1, sizeof(int64_t));
    options.dtype = DT_I64;
    options.shape = DT_SHAPE(count);
    options.release = free_memory;
    if (CHECK(options.data != NULL))
        CHECK_OK(world, dt_array_wrap(world, &options, &array));
    return array;
}

/* Memory of one kind or the other: in each case, other ranks have foreign
 * memory, first none and at last all. */
static dt_array *make_mixed(dt_world *world, int mask, int64_t count)
{
    if (mask >> dt_world_rank(world) % 3 & 1)
        return make_foreign(world, count);
    return make_array(world, DT_I64, count);
}

enum { MASKS = 8 };

static void moves(dt_world *world, int mask, int64_t n, int root)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *part = make_mixed(world, mask, n);
    dt_array *whole = make_mixed(world, mask, n * size);
    dt_array *other = make_mixed(world, mask, n * size);
    fill(part, 1, rank);
    wipe(whole, 7);
    CHECK_OK(world, dt_group_all_gather(group, part, NULL, whole));
    for (int i = 0; i < size; i++)
        check_part(whole, n * i, n, 1, i, 0);
    fill(whole, 2, rank);
    CHECK_OK(world, dt_group_all_to_all(group, whole, NULL, NULL, other));
    for (int i = 0; i < size; i++)
        check_part(other, n * i, n, 2, i, n * rank);
    CHECK_OK(world, dt_group_scatter(group, root, whole, NULL, part));
    check_part(part, 0, n, 2, root, n * rank);
    fill(part, 3, rank);
    CHECK_OK(world, dt_group_gather(group, root, part, NULL, whole));
    for (int i = 0; i < size && rank == root; i++)
        check_part(whole, n * i, n, 3, i, 0);
    CHECK_OK(world, dt_group_broadcast(group, root, part));
    check_all(part, 3, root);
    dt_array_release(part);
    dt_array_release(whole);
    dt_array_release(other);
}

static void moves_foreign_memory(dt_world *world)
{
    for (int mask = 0; mask < MASKS; mask++)
        for (int i = 0; i < SIZES; i++)
            moves(world, mask, sizes[i], mask % dt_world_size(world));
}

/* Check sums of what fill() put into the arrays of all ranks, from `first`. */
static void check_sums(const dt_array *array, uint64_t salt, int size,
                       int64_t first)
{
    const int64_t *data = dt_array_const_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++) {
        uint64_t sum = 0;
        for (int rank = 0; rank < size; rank++)
            sum += word_of(salt, rank, first + i);
        if (!CHECKF(data[i] == (int64_t)sum, "element %lld", (long long)i))
            return;
    }
}

static void reduces(dt_world *world, int mask, int64_t n)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *in = make_mixed(world, mask, n * size);
    dt_array *out = make_mixed(world, mask >> 1, n * size);
    dt_array *part = make_mixed(world, mask, n);
    fill(in, 4, rank);
    wipe(out, 7);
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, in, out));
    check_sums(out, 4, size, 0);
    check_all(in, 4, rank);
    CHECK_OK(world, dt_group_reduce_scatter(group, DT_SUM, in, NULL, part));
    check_sums(part, 4, size, n * rank);
    CHECK_OK(world, dt_group_all_reduce(group, DT_SUM, in, in));
    check_sums(in, 4, size, 0);
    dt_array_release(in);
    dt_array_release(out);
    dt_array_release(part);
}

static void reduces_foreign_memory(dt_world *world)
{
    for (int mask = 0; mask < MASKS; mask++)
        for (int i = 0; i < SIZES; i++)
            reduces(world, mask, sizes[i]);
}

/* Several calls under way at once, on the same foreign memory where they only
 * read it. */
static void keeps_foreign_calls_apart(dt_world *world)
{
    enum { CALLS = 4, COUNT = 3000 };
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    for (int mask = 0; mask < MASKS; mask++) {
        dt_array *in = make_mixed(world, mask, COUNT);
        dt_array *outs[CALLS];
        dt_handle *handles[CALLS];
        fill(in, (uint64_t)mask, dt_world_rank(world));
        for (int i = 0; i < CALLS; i++) {
            outs[i] = make_mixed(world, mask + i, COUNT);
            handles[i] = NULL;
            CHECK_OK(world, dt_group_all_reduce_async(group, DT_SUM, in,
                                                      outs[i], &handles[i]));
        }
        for (int i = CALLS - 1; i >= 0; i--) {
            CHECK_OK(world, dt_handle_wait(handles[i]));
            check_sums(outs[i], (uint64_t)mask, size, 0);
            dt_handle_release(handles[i]);
            dt_array_release(outs[i]);
        }
        dt_array_release(in);
    }
}

/* A message of foreign memory around the ring. */
static void sends_foreign_memory(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    for (int i = 0; i < SIZES && size > 1; i++) {
        dt_handle *sent = NULL;
        dt_array *out = make_mixed(world, 5, sizes[i]);
        dt_array *in = make_mixed(world, 6, sizes[i]);
        int from = (rank + size - 1) % size;
        fill(out, 8, rank);
        CHECK_OK(world,
                 dt_group_send_async(group, (rank + 1) % size, out, &sent));
        CHECK_OK(world, dt_group_receive(group, from, in));
        CHECK_OK(world, dt_handle_wait(sent));
        check_all(in, 8, from);
        dt_handle_release(sent);
        dt_array_release(out);
        dt_array_release(in);
    }
}

const dt_test dt_tests[] = {
    {"moves foreign memory", moves_foreign_memory},
    {"reduces foreign memory", reduces_foreign_memory},
    {"keeps foreign calls apart", keeps_foreign_calls_apart},
    {"sends foreign memory", sends_foreign_memory},
    {NULL, NULL},
};
