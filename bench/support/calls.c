/* bench/support/calls.c - our own collectives, by name, and ranks timing them.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/support/timing.h"

#define HUGE_PAGE ((size_t)2 << 20)

/* ---- The calls ---------------------------------------------------------- */

static dt_status barrier(const bench_operands *o)
{
    return dt_group_barrier(o->group);
}

static dt_status all_reduce(const bench_operands *o)
{
    return dt_group_all_reduce(o->group, DT_SUM, o->whole_in, o->whole_out);
}

static dt_status all_reduce_in_place(const bench_operands *o)
{
    return dt_group_all_reduce(o->group, DT_SUM, o->whole_out, o->whole_out);
}

static dt_status all_gather(const bench_operands *o)
{
    return dt_group_all_gather(o->group, o->block_in, NULL, o->whole_out);
}

static dt_status reduce_scatter(const bench_operands *o)
{
    return dt_group_reduce_scatter(o->group, DT_SUM, o->whole_in, NULL,
                                   o->block_out);
}

static dt_status all_to_all(const bench_operands *o)
{
    return dt_group_all_to_all(o->group, o->whole_in, NULL, NULL, o->whole_out);
}

static dt_status broadcast(const bench_operands *o)
{
    return dt_group_broadcast(o->group, 0, o->whole_out);
}

const bench_call bench_calls[] = {
    {.name = "barrier", .call = barrier, .sizeless = true},
    {.name = "all-reduce", .call = all_reduce, .reduces = true},
    {.name = "all-reduce in place",
     .call = all_reduce_in_place,
     .reduces = true},
    {.name = "all-gather", .call = all_gather, .divides = true},
    {.name = "reduce-scatter",
     .call = reduce_scatter,
     .other_peer = "reduce-scatter counts",
     .reduces = true,
     .divides = true},
    {.name = "all-to-all", .call = all_to_all, .divides = true},
    {.name = "broadcast", .call = broadcast},
};
const size_t bench_call_count = sizeof bench_calls / sizeof *bench_calls;

const bench_call *bench_call_find(const char *text, size_t *bytes)
{
    size_t length = strcspn(text, ":");
    if (!text[length])
        return NULL;
    *bytes = (size_t)strtoull(text + length + 1, NULL, 10);
    for (size_t i = 0; i < bench_call_count; i++)
        if (strlen(bench_calls[i].name) == length &&
            strncmp(bench_calls[i].name, text, length) == 0)
            return &bench_calls[i];
    return NULL;
}

/* ---- What they work on --------------------------------------------------- */

static dt_dtype dtype_of(const bench_call *call)
{
    return call->reduces ? DT_F32 : DT_U8;
}

static dt_status take_array(dt_world *world, dt_dtype dtype, size_t bytes,
                            dt_array **out)
{
    int64_t count = (int64_t)(bytes / dt_dtype_size(dtype));
    DT_TRY(dt_array_create(world, dtype, DT_SHAPE(count), out));
    return dt_array_fill(world, *out, 1);
}

static dt_status take_operands(const bench_call *call, size_t bytes,
                               bench_operands *o)
{
    dt_dtype dtype = dtype_of(call);
    size_t block = bytes / (size_t)dt_world_size(o->world);
    DT_TRY(take_array(o->world, dtype, bytes, &o->whole_in));
    DT_TRY(take_array(o->world, dtype, bytes, &o->whole_out));
    if (!call->divides)
        return DT_OK;
    DT_TRY(take_array(o->world, dtype, block, &o->block_in));
    return take_array(o->world, dtype, block, &o->block_out);
}

static dt_status wrap(dt_world *world, dt_dtype dtype, void *data, size_t bytes,
                      dt_array **out)
{
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = data;
    options.dtype = dtype;
    options.shape = DT_SHAPE((int64_t)(bytes / dt_dtype_size(dtype)));
    return dt_array_wrap(world, &options, out);
}

dt_status bench_operands_wrap(dt_world *world, const bench_call *call,
                              size_t bytes, void *in, void *out,
                              bench_operands *o)
{
    dt_dtype dtype = dtype_of(call);
    size_t block = bytes / (size_t)dt_world_size(world);
    *o = (bench_operands){.world = world, .group = dt_world_group(world)};
    DT_TRY(wrap(world, dtype, in, bytes, &o->whole_in));
    DT_TRY(wrap(world, dtype, out, bytes, &o->whole_out));
    DT_TRY(wrap(world, dtype, in, block, &o->block_in));
    return wrap(world, dtype, out, block, &o->block_out);
}

void bench_operands_release(bench_operands *o)
{
    dt_array_release(o->whole_in);
    dt_array_release(o->whole_out);
    dt_array_release(o->block_in);
    dt_array_release(o->block_out);
}

/* ---- Timing ------------------------------------------------------------- */

/* Not between ranks: what every rank's memory can do at once. */
static dt_status copy(const bench_operands *o)
{
    return dt_array_copy(o->world, o->whole_in, o->whole_out);
}

typedef dt_status (*call_function)(const bench_operands *operands);

static dt_status time_round(call_function call, const bench_operands *o,
                            int batch, double *seconds)
{
    DT_TRY(dt_group_barrier(o->group));
    double begin = bench_now();
    for (int i = 0; i < batch; i++)
        DT_TRY(call(o));
    *seconds = (bench_now() - begin) / batch;
    return DT_OK;
}

/* The times of the slowest rank, on every rank. */
static dt_status agree(const bench_operands *o, double *times, int count)
{
    dt_array *array;
    DT_TRY(
        wrap(o->world, DT_F64, times, (size_t)count * sizeof *times, &array));
    dt_status status = dt_group_all_reduce(o->group, DT_MAX, array, array);
    dt_array_release(array);
    return status;
}

static dt_status time_call(call_function call, const bench_operands *o,
                           double *out)
{
    double slowest[BENCH_MAX_ROUNDS], estimate;
    int batch = 1;
    for (int i = 0; i <= BENCH_WARM_UPS; i++) {
        DT_TRY(time_round(call, o, batch, &estimate));
        DT_TRY(agree(o, &estimate, 1));
        batch = bench_warm_up_batch(estimate);
    }
    bench_plan plan = bench_plan_for(estimate);
    for (int i = 0; i < plan.rounds; i++)
        DT_TRY(time_round(call, o, plan.batch, &slowest[i]));
    DT_TRY(agree(o, slowest, plan.rounds));
    *out = bench_median(slowest, (size_t)plan.rounds);
    return DT_OK;
}

static dt_status time_collective(dt_world *world, const bench_call *call,
                                 size_t bytes, double *seconds)
{
    bench_operands o = {.world = world, .group = dt_world_group(world)};
    dt_status status = take_operands(call, bytes, &o);
    if (status == DT_OK)
        status = time_call(call->call, &o, seconds);
    bench_operands_release(&o);
    return status;
}

/* The same of a copy that writes past the cache, if it is large, on memory that
 * no other rank can reach, in huge pages: as fast as memory goes. */
static dt_status time_copy(dt_world *world, size_t bytes, double *seconds)
{
    static const bench_call moves = {.name = "copy"};
    bench_operands o = {.world = world};
    size_t half = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *memory = aligned_alloc(HUGE_PAGE, 2 * half);
    if (!memory)
        return DT_ERR_NO_MEMORY;
    madvise(memory, 2 * half, MADV_HUGEPAGE);
    memset(memory, 1, 2 * half);
    dt_status status =
        bench_operands_wrap(world, &moves, bytes, memory, memory + half, &o);
    if (status == DT_OK)
        status = time_call(copy, &o, seconds);
    bench_operands_release(&o);
    free(memory);
    return status;
}

/* ---- The worker --------------------------------------------------------- */

static dt_status time_named(dt_world *world, const char *text)
{
    size_t bytes;
    const bench_call *call = bench_call_find(text, &bytes);
    double ours, copied = 0;
    if (!call) {
        fprintf(stderr, "there is no call \"%s\"\n", text);
        return DT_ERR_INVALID;
    }
    bool large = bytes >= BENCH_CALLS_LARGE;
    DT_TRY(time_collective(world, call, bytes, &ours));
    if (large)
        DT_TRY(time_copy(world, bytes, &copied));
    if (dt_world_rank(world) != 0)
        return DT_OK;
    printf("%s %.9g", text, ours);
    if (large)
        printf(" %.9g", copied);
    putchar('\n');
    return DT_OK;
}

/* Runs on every rank; the argument is a list of texts that ends with NULL. */
static dt_status time_all(dt_world *world, void *arg)
{
    for (char **text = arg; *text; text++)
        DT_TRY(time_named(world, *text));
    return DT_OK;
}

int bench_calls_worker(int argc, char **argv)
{
    return dt_main(argc, argv, time_all, argv + 1);
}
