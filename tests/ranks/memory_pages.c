/* ranks: 1 2 3 4 7 */
/* tests/ranks/memory_pages.c - arrays take memory when they are filled. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/dtensor.h>

#include "support/check.h"

#define MEBI (INT64_C(1) << 20)

/* Bytes of this process that are in memory, shared ones included. */
static int64_t resident(void)
{
    char line[256];
    long long kibi = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %lld", &kibi) == 1)
            break;
    if (file)
        fclose(file);
    return kibi * 1024;
}

/* Ranks that are threads measure their process together. */
static int sharers(const dt_world *world)
{
    return strcmp(dt_world_transport(world), "threads") == 0
               ? dt_world_size(world)
               : 1;
}

static int64_t measure(dt_world *world)
{
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    const int64_t bytes = resident();
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    return bytes;
}

/* `count` arrays of so many bytes: made, then filled. */
static void check_arrays(dt_world *world, int count, int64_t bytes)
{
    dt_array *arrays[64];
    const int64_t all = count * bytes * sharers(world);
    const int64_t before = measure(world);
    for (int i = 0; i < count; i++)
        CHECK_OK(world,
                 dt_array_create(world, DT_U8, DT_SHAPE(bytes), &arrays[i]));
    const int64_t made = measure(world) - before;
    CHECKF(made < all / 4, "%lld bytes took %lld untouched", (long long)all,
           (long long)made);
    for (int i = 0; i < count; i++)
        CHECK_OK(world, dt_array_fill(world, arrays[i], 1));
    const int64_t filled = measure(world) - before;
    CHECKF(filled >= all * 9 / 10 && filled < all * 3 / 2 + 8 * MEBI,
           "%lld bytes took %lld", (long long)all, (long long)filled);
    for (int i = 0; i < count; i++)
        dt_array_release(arrays[i]);
    dt_memory_trim(world);
    const int64_t after = measure(world) - before;
    CHECKF(after < all / 4, "%lld bytes leave %lld", (long long)all,
           (long long)after);
}

static void takes_memory_when_filled(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "MPI's memory grows meanwhile"))
        return;
    check_arrays(world, 1, 32 * MEBI);
    check_arrays(world, 16, 5 * MEBI / 2);
    check_arrays(world, 64, 3 * MEBI / 4);
}

static void empty_tensors_are_empty(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "MPI's memory grows meanwhile"))
        return;
    dt_scope *scope = dt_scope_open(world);
    dt_mesh *own = dt_world_own_mesh(world);
    const int64_t before = measure(world);
    dt_tensor *tensor = dt_empty(own, "R", DT_F32, DT_SHAPE(16 * MEBI));
    CHECK(tensor && dt_empty_like(tensor));
    const int64_t made = measure(world) - before;
    CHECKF(made < 16 * MEBI, "128 MiB took %lld untouched", (long long)made);
    CHECK_OK(world, dt_scope_close(scope));
}

const dt_test dt_tests[] = {
    {"arrays take memory when they are filled", takes_memory_when_filled},
    {"so do tensors that nobody set", empty_tensors_are_empty},
    {0},
};
