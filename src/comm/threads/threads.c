/* comm/threads/threads.c - ranks that are threads share all their memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/threads/threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/reference.h"
#include "base/world.h"

struct dti_threads {
    dti_reference reference;
    dti_roster *roster;
    pthread_mutex_t lock; /* for boards */
    dti_map boards;       /* kept until the last rank is gone */
    bool spin;            /* ranks fit the cores */
};

/* The board of one line, found by who its members are. */
typedef struct board_entry {
    void *board;
    int size;
    int parent_size; /* of a pair: its group's; 0 for a group */
    int ranks[];     /* of the line, then of the parent */
} board_entry;

static size_t rank_bytes(int count)
{
    return (size_t)count * sizeof(int);
}

static int parent_size(const dt_channel *line)
{
    return line->parent ? line->parent->size : 0;
}

static bool is_board_of(const void *value, const void *key)
{
    const board_entry *entry = value;
    const dt_channel *line = key;
    return entry->size == line->size &&
           entry->parent_size == parent_size(line) &&
           memcmp(entry->ranks, line->ranks, rank_bytes(line->size)) == 0 &&
           (!line->parent ||
            memcmp(entry->ranks + line->size, line->parent->ranks,
                   rank_bytes(entry->parent_size)) == 0);
}

static void *allocate_zeroed(size_t bytes)
{
    bytes = (bytes + DTI_APART - 1) / DTI_APART * DTI_APART;
    void *memory = aligned_alloc(DTI_APART, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return memory;
}

static void free_entry(board_entry *entry)
{
    free(entry->board);
    free(entry);
}

/* A new board with the names of its members; NULL without memory. */
static board_entry *make_entry(const dt_channel *line, size_t bytes)
{
    int parents = parent_size(line);
    board_entry *entry =
        calloc(1, sizeof *entry + rank_bytes(line->size + parents));
    if (!entry)
        return NULL;
    entry->size = line->size;
    entry->parent_size = parents;
    memcpy(entry->ranks, line->ranks, rank_bytes(line->size));
    if (line->parent)
        memcpy(entry->ranks + line->size, line->parent->ranks,
               rank_bytes(parents));
    entry->board = allocate_zeroed(bytes);
    if (!entry->board) {
        free(entry);
        return NULL;
    }
    return entry;
}

static dt_status find_or_add(dti_threads *threads, const dt_channel *line,
                             size_t bytes, void **out)
{
    board_entry *entry =
        dti_map_find(&threads->boards, line->id, line, is_board_of);
    if (!entry) {
        entry = make_entry(line, bytes);
        if (!entry)
            return DT_ERR_NO_MEMORY;
        if (dti_map_add(&threads->boards, line->id, entry) != DT_OK) {
            free_entry(entry);
            return DT_ERR_NO_MEMORY;
        }
    }
    *out = entry->board;
    return DT_OK;
}

static dt_status open_board(void *memory, const dt_channel *line, size_t bytes,
                            void **out)
{
    dti_threads *threads = memory;
    pthread_mutex_lock(&threads->lock);
    dt_status status = find_or_add(threads, line, bytes, out);
    pthread_mutex_unlock(&threads->lock);
    return status;
}

/* Other ranks may still look at it. */
static void close_board(void *memory, const dt_channel *line, void *board)
{
    (void)memory;
    (void)line;
    (void)board;
}

static uint64_t name_address(void *memory, const void *address)
{
    (void)memory;
    return (uint64_t)(uintptr_t)address;
}

static void *find_address(void *memory, uint64_t name)
{
    (void)memory;
    return (void *)(uintptr_t)name;
}

static const dti_fabric_memory functions = {
    .board_open = open_board,
    .board_close = close_board,
    .name = name_address,
    .find = find_address,
};

dti_threads *dti_threads_create(int size, int cores)
{
    dti_threads *threads = calloc(1, sizeof *threads);
    if (!threads)
        return NULL;
    threads->roster = allocate_zeroed(dti_roster_bytes(size));
    if (!threads->roster) {
        free(threads);
        return NULL;
    }
    threads->roster->size = size;
    threads->spin = size <= cores;
    dti_reference_init(&threads->reference);
    pthread_mutex_init(&threads->lock, NULL);
    return threads;
}

void dti_threads_release(dti_threads *threads)
{
    if (!threads || !dti_reference_release(&threads->reference))
        return;
    size_t cursor = 0;
    board_entry *entry;
    while ((entry = dti_map_next(&threads->boards, &cursor)))
        free_entry(entry);
    dti_map_clear(&threads->boards);
    pthread_mutex_destroy(&threads->lock);
    free(threads->roster);
    free(threads);
}

dt_status dti_threads_join(dti_threads *threads, dt_world *world,
                           void **carrier, dt_error *error)
{
    dti_fabric *fabric = calloc(1, sizeof *fabric);
    if (!fabric)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the state of rank %d",
                             world->rank);
    dti_reference_retain(&threads->reference);
    *fabric = (dti_fabric){
        .world = world,
        .roster = threads->roster,
        .functions = &functions,
        .memory = threads,
        .seat = &threads->roster->seats[world->rank],
        .waiter = {.spins = threads->spin},
        .timeout = (int64_t)(world->settings.timeout * 1e9),
    };
    *carrier = fabric;
    return DT_OK;
}

/* A world by itself: one thread, whose seat nobody else sees. */
static dt_status open_alone(dt_world *world, void **carrier, dt_error *error)
{
    dti_threads *threads = dti_threads_create(1, 1);
    if (!threads)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for a world of one rank");
    dt_status status = dti_threads_join(threads, world, carrier, error);
    dti_threads_release(threads);
    return status;
}

static void close_carrier(void *carrier)
{
    dti_fabric *fabric = carrier;
    dti_threads_release(fabric->memory);
    free(fabric);
}

const dt_transport dti_transport_threads = {
    .name = "threads",
    .summary = "ranks are threads of one process",
    .moves_data = true,
    .spreads_failures = true,
    .takes_tiles = true,
    .depth = DTI_BOARD_DEPTH,
    .open = open_alone,
    .close = close_carrier,
    .line_open = dti_fabric_line_open,
    .line_close = dti_fabric_line_close,
    .start = dti_fabric_start,
    .advance = dti_fabric_advance,
    .poison = dti_fabric_poison,
    .recover = dti_fabric_recover,
};
