/* array/copy.c - moving bytes past the cache, and kernels for any processor. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "array/copy.h"

#include <stdatomic.h>
#include <string.h>

#include "array/copy_kernels.h"
#include "base/attributes.h"
#include "work/work.h"

static void stream_nothing_special(char *to, const char *from, size_t lines)
{
    memcpy(to, from, lines * DTI_COPY_LINE);
}

static void fence_nothing(void)
{
}

/* Transpose as many rows as fill a line of the destination.  Called with a
 * constant size, so that elements are moved as one. */
static inline void transpose_tile(char *to, int64_t to_row, const char *from,
                                  int64_t from_row, int columns, size_t item)
{
    int rows = DTI_COPY_LINE / (int)item;
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < rows; row++)
            memcpy(to + column * to_row + row * (int)item,
                   from + row * from_row + column * (int)item, item);
}

static void tile_1(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    transpose_tile(to, to_row, from, from_row, 16, 1);
}

static void tile_2(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    transpose_tile(to, to_row, from, from_row, 8, 2);
}

static void tile_4(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    transpose_tile(to, to_row, from, from_row, 16, 4);
}

static void tile_8(char *to, int64_t to_row, const char *from, int64_t from_row)
{
    transpose_tile(to, to_row, from, from_row, 8, 8);
}

void dti_copy_tile_16(char *to, int64_t to_row, const char *from,
                      int64_t from_row)
{
    transpose_tile(to, to_row, from, from_row, 4, 16);
}

static const dti_copy_kernels kernels_portable = {
    .stream_lines = stream_nothing_special,
    .fence = fence_nothing,
    .transpose =
        {
            {64, 16, tile_1, NULL},
            {32, 8, tile_2, NULL},
            {16, 16, tile_4, NULL},
            {8, 8, tile_8, NULL},
            {4, 4, dti_copy_tile_16, NULL},
        },
};

const dti_copy_kernels *dti_copy_kernels_of(dti_cpu_level level)
{
#if defined(__x86_64__)
    if (level == DTI_CPU_AVX512)
        return &dti_copy_kernels_avx512;
    if (level == DTI_CPU_AVX2)
        return &dti_copy_kernels_avx2;
#endif
    (void)level;
    return &kernels_portable;
}

/*
 * A copy touches twice its bytes, so half the last-level cache is the natural
 * bound.  Where that cache is very large it is shared by many cores, and
 * streaming wins much earlier.
 */
size_t dti_copy_stream_threshold(void)
{
    /* A fact that every thread would work out alike, remembered: asking the
     * system takes longer than a small copy. */
    static atomic_size_t known;
    size_t threshold = atomic_load_explicit(&known, memory_order_relaxed);
    if (DTI_LIKELY(threshold))
        return threshold;
    const size_t most = (size_t)8 << 20;
    threshold = dti_cpu_last_cache() / 2;
    if (threshold > most)
        threshold = most;
    atomic_store_explicit(&known, threshold, memory_order_relaxed);
    return threshold;
}

void dti_copy_stream_with(const dti_copy_kernels *kernels, char *to,
                          const char *from, size_t bytes)
{
    size_t head = -(uintptr_t)to % DTI_COPY_LINE;
    if (head > bytes)
        head = bytes;
    memcpy(to, from, head);
    size_t lines = (bytes - head) / DTI_COPY_LINE;
    kernels->stream_lines(to + head, from + head, lines);
    size_t done = head + lines * DTI_COPY_LINE;
    memcpy(to + done, from + done, bytes - done);
}

/* A copy of neighbours, of which threads take ranges. */
typedef struct run_copy {
    const dti_copy_kernels *kernels;
    char *to;
    const char *from;
    bool streams;
} run_copy;

static void copy_range(void *context, int64_t begin, int64_t end, int slot)
{
    const run_copy *copy = context;
    const size_t bytes = (size_t)(end - begin);
    (void)slot;
    if (!copy->streams) {
        dti_copy_block(copy->to + begin, copy->from + begin, bytes);
        return;
    }
    dti_copy_stream_with(copy->kernels, copy->to + begin, copy->from + begin,
                         bytes);
    copy->kernels->fence();
}

void dti_copy_run(const dti_copy_kernels *kernels, void *destination,
                  const void *source, size_t bytes, bool streams)
{
    run_copy copy = {kernels, destination, source, streams};
    if (2 * bytes < DTI_WORK_LEAST && bytes)
        copy_range(&copy, 0, (int64_t)bytes, 0);
    else
        dti_work_ranges((int64_t)bytes, 4096, 2, copy_range, &copy);
}

void dti_copy_stream(void *destination, const void *source, size_t bytes)
{
    dti_copy_run(dti_copy_kernels_of(dti_cpu_level_used()), destination, source,
                 bytes, true);
}

void dti_copy_bytes(void *destination, const void *source, size_t bytes)
{
    if (bytes >= dti_copy_stream_threshold())
        dti_copy_stream(destination, source, bytes);
    else if (bytes)
        dti_copy_run(NULL, destination, source, bytes, false);
}
