/* bench/memory.c - storage from the pool, and copies. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <dtensor/array.h>
#include <dtensor/world.h>

#include "bench/bench.h"
#include "bench/support/sides.h"

#define MEBIBYTE ((size_t)1 << 20)
#define MEGABYTE ((size_t)1000000)
#define PAGE 4096
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Storage ------------------------------------------------------------ */

/* What a side of a storage case needs. */
typedef struct storage_arg {
    dt_world *world;
    size_t bytes;
    bool huge;        /* ask the system for huge pages */
    dt_status status; /* the first failure */
} storage_arg;

static void touch(volatile unsigned char *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE)
        memory[i] = 1;
}

static void take_from_pool(void *arg)
{
    storage_arg *storage = arg;
    dt_array *array;
    dt_status status = dt_array_create(
        storage->world, DT_U8, DT_SHAPE((int64_t)storage->bytes), &array);
    if (status != DT_OK) {
        storage->status = status;
        return;
    }
    touch(dt_array_data(array), storage->bytes);
    dt_array_release(array);
}

static void take_from_system(void *arg)
{
    storage_arg *storage = arg;
    void *memory = mmap(NULL, storage->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        storage->status = DT_ERR_NO_MEMORY;
        return;
    }
    if (storage->huge)
        madvise(memory, storage->bytes, MADV_HUGEPAGE);
    touch(memory, storage->bytes);
    munmap(memory, storage->bytes);
}

static dt_status time_storage(bench_run *run, dt_world *world, size_t bytes)
{
    char name[64];
    double seconds[3];
    snprintf(name, sizeof name, "storage %zu MiB", bytes / MEBIBYTE);
    if (!bench_wanted(run, name))
        return DT_OK;
    bench_progress(name);
    storage_arg plain = {.world = world, .bytes = bytes};
    storage_arg huge = {.world = world, .bytes = bytes, .huge = true};
    const bench_side sides[] = {{take_from_pool, &plain},
                                {take_from_system, &plain},
                                {take_from_system, &huge}};
    bench_time_sides(sides, 3, seconds);
    DT_TRY(plain.status);
    DT_TRY(huge.status);
    bench_result result = {.name = name,
                           .ours = seconds[0],
                           .reference = seconds[1],
                           .reference_name = "first touch",
                           .bar = 10};
    bench_report(run, &result);
    result.reference = seconds[2];
    result.reference_name = "first touch, huge pages";
    bench_report(run, &result);
    return DT_OK;
}

/* ---- Copies ------------------------------------------------------------- */

/* What the sides of a copy need; memcpy copies as many bytes. */
typedef struct copy_arg {
    dt_world *world;
    dt_array *source; /* whatever its strides */
    dt_array *target; /* contiguous */
    const void *from; /* contiguous memory for memcpy, as large as the target */
    dt_status status;
} copy_arg;

static void copy_array(void *arg)
{
    copy_arg *copy = arg;
    dt_status status = dt_array_copy(copy->world, copy->source, copy->target);
    if (status != DT_OK)
        copy->status = status;
}

/* Called through a pointer that the compiler must load: no copy is left out. */
static void *(*volatile call_memcpy)(void *, const void *, size_t) = memcpy;

static void copy_memory(void *arg)
{
    copy_arg *copy = arg;
    call_memcpy(dt_array_data(copy->target), copy->from,
                dt_array_bytes(copy->target));
}

static dt_status report_copy(bench_run *run, const char *name, copy_arg *copy,
                             double bar)
{
    double seconds[2];
    const bench_side sides[] = {{copy_array, copy}, {copy_memory, copy}};
    bench_progress(name);
    bench_time_sides(sides, 2, seconds);
    DT_TRY(copy->status);
    bench_report(run, &(bench_result){.name = name,
                                      .ours = seconds[0],
                                      .reference = seconds[1],
                                      .reference_name = "memcpy",
                                      .bar = bar});
    return DT_OK;
}

/* Make the source by viewing `whole`. */
typedef dt_status (*view_function)(dt_world *world, dt_array *whole,
                                   dt_array **out);

static dt_status view_all(dt_world *world, dt_array *whole, dt_array **out)
{
    (void)world;
    *out = dt_array_retain(whole);
    return DT_OK;
}

static dt_status view_transposed(dt_world *world, dt_array *whole,
                                 dt_array **out)
{
    return dt_array_permute(world, whole, (const int[]){1, 0}, out);
}

/* The first half of every row. */
static dt_status view_half(dt_world *world, dt_array *whole, dt_array **out)
{
    return dt_array_slice(world, whole, 1, 0, dt_array_extent(whole, 1) / 2, 1,
                          out);
}

/* A case: what is copied, from a whole of this shape. */
typedef struct copy_case {
    const char *name;
    int64_t rows, columns;
    view_function view;
    double bar;
} copy_case;

static dt_status time_copy(bench_run *run, dt_world *world,
                           const copy_case *row)
{
    dt_array *whole = NULL;
    copy_arg copy = {.world = world};
    if (!bench_wanted(run, row->name))
        return DT_OK;
    dt_status status = dt_array_create(
        world, DT_F32, DT_SHAPE(row->rows, row->columns), &whole);
    if (status == DT_OK)
        status = dt_array_fill(world, whole, 1);
    if (status == DT_OK)
        status = row->view(world, whole, &copy.source);
    if (status == DT_OK)
        status = dt_array_create(world, DT_F32, dt_array_shape(copy.source),
                                 &copy.target);
    if (status == DT_OK)
        status = dt_array_fill(world, copy.target, 2);
    if (status == DT_OK) {
        copy.from = dt_array_const_data(whole);
        status = report_copy(run, row->name, &copy, row->bar);
    }
    dt_array_release(copy.target);
    dt_array_release(copy.source);
    dt_array_release(whole);
    return status;
}

#define COLUMNS 1000

static const copy_case copies[] = {
    {"copy 16 MB", 16 * MEGABYTE / 4 / COLUMNS, COLUMNS, view_all, 1.3},
    {"copy 32 MB", 32 * MEGABYTE / 4 / COLUMNS, COLUMNS, view_all, 1.3},
    {"copy 64 MB", 64 * MEGABYTE / 4 / COLUMNS, COLUMNS, view_all, 1.3},
    {"copy 128 MB", 128 * MEGABYTE / 4 / COLUMNS, COLUMNS, view_all, 1.3},
    {"copy 192 MB", 192 * MEGABYTE / 4 / COLUMNS, COLUMNS, view_all, 1.3},
    {"copy half rows 64 MB", 4000, 8000, view_half, 0},
    {"copy transposed 64 MB", 4000, 4000, view_transposed, 0},
};

static dt_status time_all(bench_run *run, dt_world *world)
{
    static const size_t sizes[] = {1, 16, 64};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        DT_TRY(time_storage(run, world, sizes[i] * MEBIBYTE));
    for (size_t i = 0; i < COUNT_OF(copies); i++)
        DT_TRY(time_copy(run, world, &copies[i]));
    return DT_OK;
}

static dt_status run_memory(bench_run *run)
{
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = 1;
    dt_world *world;
    DT_TRY(dt_world_open(&options, &world, &run->error));
    dt_status status = time_all(run, world);
    if (status != DT_OK) {
        run->error = *dt_world_error(world);
        run->error.code = status;
    }
    DT_IGNORE(dt_world_close(world));
    return status;
}

const bench_suite bench_suite_memory = {
    .name = "memory",
    .summary = "storage from the pool, copies",
    .run = run_memory,
};
