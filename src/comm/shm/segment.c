/* comm/shm/segment.c - the memory that the processes of one run share. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/shm/segment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const uint64_t magic = UINT64_C(0x31726f736e657464); /* "dtensor1" */
static const uint64_t board_space = UINT64_C(64) << 30;
static const uint64_t heap_space = UINT64_C(32) << 40;
static const uint64_t granule = UINT64_C(2) << 20; /* a huge page */

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Addresses for all that is shared: half of what a limit (`ulimit -v`), which
 * ranks inherit, leaves a process; the rest is for its program. */
static uint64_t choose_space(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur / 2;
}

/* Addresses for a heap: several times what the machine can fill, because
 * blocks of different sizes leave gaps; but every process maps all heaps. */
static uint64_t choose_heap_bytes(int ranks, uint64_t space)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page
                                            : UINT64_C(16) << 30;
    uint64_t fair = lesser(heap_space, space) / (uint64_t)ranks;
    uint64_t bytes = lesser(4 * memory, fair) / granule * granule;
    return bytes ? bytes : granule;
}

static dt_status write_control(int descriptor, int ranks, int cores,
                               bool pinned, dt_error *error)
{
    dti_shm_control control = {
        .magic = magic, .ranks = ranks, .cores = cores, .pinned = pinned};
    if (sched_getaffinity(0, sizeof control.allowed, &control.allowed) != 0)
        control.pinned = false;
    control.roster = round_up(sizeof control, DTI_APART);
    uint64_t used = control.roster + dti_roster_bytes(ranks);
    atomic_init(&control.used, round_up(used, DTI_APART));
    const uint64_t space = choose_space();
    const uint64_t boards = lesser(board_space, space / 8);
    control.control_bytes = round_up(used + boards, granule);
    control.heap_bytes = choose_heap_bytes(ranks, space - boards);
    uint64_t total =
        control.control_bytes + (uint64_t)ranks * control.heap_bytes;
    int32_t size = ranks;
    off_t size_at = (off_t)(control.roster + offsetof(dti_roster, size));
    if (ftruncate(descriptor, (off_t)total) == 0 &&
        pwrite(descriptor, &control, sizeof control, 0) ==
            (ssize_t)sizeof control &&
        pwrite(descriptor, &size, sizeof size, size_at) == (ssize_t)sizeof size)
        return DT_OK;
    return dti_error_set(error, DT_ERR_COMM,
                         "cannot allocate shared memory for %d ranks: %s",
                         ranks, strerror(errno));
}

dt_status dti_segment_create(int ranks, int cores, bool pinned, int *descriptor,
                             dt_error *error)
{
    int made = memfd_create("dtensor", MFD_CLOEXEC);
    if (made < 0)
        return dti_error_set(error, DT_ERR_COMM,
                             "cannot allocate shared memory: %s",
                             strerror(errno));
    dt_status status = write_control(made, ranks, cores, pinned, error);
    if (status != DT_OK) {
        close(made);
        return status;
    }
    *descriptor = made;
    return DT_OK;
}

/* Tell whether a descriptor is a segment of this version, and how large. */
static bool read_control(int descriptor, size_t *bytes)
{
    struct stat file;
    dti_shm_control control;
    if (fstat(descriptor, &file) != 0 ||
        pread(descriptor, &control, sizeof control, 0) !=
            (ssize_t)sizeof control)
        return false;
    *bytes = (size_t)file.st_size;
    return control.magic == magic &&
           control.control_bytes +
                   (uint64_t)control.ranks * control.heap_bytes ==
               (uint64_t)file.st_size;
}

/* Map a segment from a huge page on; NULL if the system refuses. */
static char *map_aligned(int descriptor, size_t bytes)
{
    size_t room = bytes + granule;
    char *start = mmap(NULL, room, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before =
        (size_t)(round_up((uintptr_t)start, granule) - (uintptr_t)start);
    char *base = mmap(start + before, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0);
    if (base == MAP_FAILED) {
        munmap(start, room);
        return NULL;
    }
    if (before)
        munmap(start, before);
    munmap(base + bytes, granule - before);
    /* The core of a rank that crashes must not hold the heaps of all ranks,
     * which the kernel would fill with zeros to write them. */
    madvise(base, bytes, MADV_DONTDUMP);
    return base;
}

dt_status dti_segment_map(int descriptor, dti_segment **out, dt_error *error)
{
    size_t bytes;
    if (!read_control(descriptor, &bytes))
        return dti_error_set(
            error, DT_ERR_COMM,
            "descriptor %d is not the shared memory of `dtensor run`: a rank "
            "can open one world only, and a program that a rank starts is not "
            "a rank; unset DT_TRANSPORT and DT_RANKS for it",
            descriptor);
    dti_segment *segment = calloc(1, sizeof *segment);
    if (!segment)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for a mapping");
    char *base = map_aligned(descriptor, bytes);
    if (!base) {
        free(segment);
        return dti_error_set(
            error, DT_ERR_COMM,
            "cannot map %zu bytes of shared memory: %s; see ulimit -v", bytes,
            strerror(errno));
    }
    dti_reference_init(&segment->reference);
    segment->base = base;
    segment->bytes = bytes;
    segment->control = (dti_shm_control *)(void *)base;
    *out = segment;
    return DT_OK;
}

void dti_segment_release(dti_segment *segment)
{
    if (!segment || !dti_reference_release(&segment->reference))
        return;
    munmap(segment->base, segment->bytes);
    free(segment);
}

/* ---- Boards ------------------------------------------------------------- */

/*
 * Boards hang in chains that only grow at the front, by one compare-and-swap,
 * so a rank that is killed in the middle leaves nothing locked.  Two ranks may
 * make the same board at once; who comes second finds the other's and lets its
 * own lie.
 */
typedef struct board_entry {
    uint64_t next; /* offset; 0 at the end */
    uint64_t id;
    uint64_t board; /* offset */
    int32_t size;
    int32_t parent_size;
    int32_t ranks[]; /* of the line, then of its parent */
} board_entry;

static board_entry *entry_at(const dti_segment *segment, uint64_t offset)
{
    return (board_entry *)(void *)(segment->base + offset);
}

static int parent_size(const dt_channel *line)
{
    return line->parent ? line->parent->size : 0;
}

static bool has_ranks(const int32_t *ranks, const dt_channel *line)
{
    for (int i = 0; i < line->size; i++)
        if (ranks[i] != line->ranks[i])
            return false;
    return true;
}

static bool is_entry_of(const board_entry *entry, const dt_channel *line)
{
    return entry->id == line->id && entry->size == line->size &&
           entry->parent_size == parent_size(line) &&
           has_ranks(entry->ranks, line) &&
           (!line->parent ||
            has_ranks(entry->ranks + line->size, line->parent));
}

/* Look for a line in a chain, up to the entry `end`. */
static board_entry *find_entry(const dti_segment *segment, uint64_t first,
                               uint64_t end, const dt_channel *line)
{
    for (uint64_t at = first; at != end; at = entry_at(segment, at)->next)
        if (is_entry_of(entry_at(segment, at), line))
            return entry_at(segment, at);
    return NULL;
}

static void write_ranks(int32_t *to, const dt_channel *line)
{
    for (int i = 0; i < line->size; i++)
        to[i] = line->ranks[i];
}

/* Make an entry with its board; 0 if the space is used up. */
static uint64_t make_entry(dti_segment *segment, const dt_channel *line,
                           size_t bytes)
{
    size_t head = sizeof(board_entry) +
                  (size_t)(line->size + parent_size(line)) * sizeof(int32_t);
    head = (size_t)round_up(head, DTI_APART);
    uint64_t whole = head + round_up(bytes, DTI_APART);
    uint64_t at = atomic_fetch_add(&segment->control->used, whole);
    if (at + whole > segment->control->control_bytes)
        return 0;
    board_entry *entry = entry_at(segment, at);
    entry->id = line->id;
    entry->board = at + head;
    entry->size = line->size;
    entry->parent_size = parent_size(line);
    write_ranks(entry->ranks, line);
    if (line->parent)
        write_ranks(entry->ranks + line->size, line->parent);
    return at;
}

dt_status dti_segment_board(dti_segment *segment, const dt_channel *line,
                            size_t bytes, void **out)
{
    _Atomic uint64_t *chain =
        &segment->control->boards[line->id % DTI_SHM_BUCKETS];
    uint64_t first = atomic_load(chain);
    board_entry *entry = find_entry(segment, first, 0, line);
    if (!entry) {
        uint64_t made = make_entry(segment, line, bytes);
        if (!made)
            return DT_ERR_NO_MEMORY;
        entry = entry_at(segment, made);
        entry->next = first;
        while (!atomic_compare_exchange_strong(chain, &first, made)) {
            board_entry *other = find_entry(segment, first, entry->next, line);
            if (other) {
                entry = other;
                break;
            }
            entry->next = first;
        }
    }
    *out = segment->base + entry->board;
    return DT_OK;
}
