/* comm/shm/shm.c - ranks that are processes share one segment. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/shm/shm.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/world.h"
#include "comm/shm/segment.h"

static dt_status open_board(void *memory, const dt_channel *line, size_t bytes,
                            void **out)
{
    return dti_segment_board(memory, line, bytes, out);
}

/* The segment keeps its boards as long as it lives. */
static void close_board(void *memory, const dt_channel *line, void *board)
{
    (void)memory;
    (void)line;
    (void)board;
}

/* Distance from the start of the segment; its start itself is never named. */
static uint64_t name_address(void *memory, const void *address)
{
    const dti_segment *segment = memory;
    uintptr_t at = (uintptr_t)address;
    uintptr_t base = (uintptr_t)segment->base;
    return at > base && at - base < segment->bytes ? at - base : 0;
}

static void *find_address(void *memory, uint64_t name)
{
    const dti_segment *segment = memory;
    return segment->base + name;
}

static const dti_fabric_memory functions = {
    .board_open = open_board,
    .board_close = close_board,
    .name = name_address,
    .find = find_address,
};

/* Read a number that the launcher left in the environment; -1 without. */
static int read_number(const char *name)
{
    const char *text = secure_getenv(name);
    char *end;
    if (!text || !*text)
        return -1;
    long number = strtol(text, &end, 10);
    return *end || number < 0 || number > 1 << 30 ? -1 : (int)number;
}

static dt_status locate(int *rank, int *size, dt_error *error)
{
    *rank = read_number(DTI_SHM_RANK);
    *size = read_number(DTI_SHM_SIZE);
    if (*rank >= 0 && *size >= 0)
        return DT_OK;
    return dti_error_set(error, DT_ERR_COMM,
                         "the transport shm needs a launcher; start the "
                         "program with `dtensor run -n RANKS`");
}

/* Map the segment whose descriptor the launcher left open, and close that: so
 * a rank has one world, and what it starts is no rank. */
static dt_status map_segment(dt_world *world, dti_segment **out,
                             dt_error *error)
{
    dti_segment *segment;
    int descriptor = read_number(DTI_SHM_DESCRIPTOR);
    DTI_TRY(dti_segment_map(descriptor, &segment, error));
    close(descriptor);
    if (segment->control->ranks != world->size) {
        dti_error_set(error, DT_ERR_COMM,
                      "the launcher started %d ranks, but the options of the "
                      "world have %d",
                      (int)segment->control->ranks, world->size);
        dti_segment_release(segment);
        return DT_ERR_COMM;
    }
    *out = segment;
    return DT_OK;
}

static dt_status take_seat(dti_segment *segment, dt_world *world,
                           dti_fabric *fabric, dt_error *error)
{
    dti_seat *seat = &dti_segment_roster(segment)->seats[world->rank];
    if (atomic_exchange(&seat->taken, 1))
        return dti_error_set(error, DT_ERR_UNSUPPORTED,
                             "rank %d has opened its world already; a rank of "
                             "`dtensor run` can open one world only",
                             world->rank);
    world->settings.cores = segment->control->cores;
    *fabric = (dti_fabric){
        .world = world,
        .roster = dti_segment_roster(segment),
        .functions = &functions,
        .memory = segment,
        .seat = seat,
        .waiter = {.spins = world->size <= world->settings.cores},
        .timeout = (int64_t)(world->settings.timeout * 1e9),
    };
    if (segment->control->pinned)
        dti_pin_adopt(&fabric->pin, world->size, &segment->control->allowed);
    return DT_OK;
}

static dt_status open_shm(dt_world *world, void **carrier, dt_error *error)
{
    dti_segment *segment;
    DTI_TRY(map_segment(world, &segment, error));
    dti_fabric *fabric = calloc(1, sizeof *fabric);
    dt_status status = DT_ERR_NO_MEMORY;
    if (!fabric) {
        dti_error_set(error, status, "out of memory for the state of rank %d",
                      world->rank);
        goto no_fabric;
    }
    status = take_seat(segment, world, fabric, error);
    if (status != DT_OK)
        goto no_seat;
    status = dti_heap_attach(segment, world, error);
    if (status != DT_OK)
        goto no_seat;
    *carrier = fabric;
    return DT_OK;

no_seat:
    free(fabric);
no_fabric:
    dti_segment_release(segment);
    return status;
}

static void close_shm(void *carrier)
{
    dti_fabric *fabric = carrier;
    dti_seat_leave(fabric, NULL);
    dti_segment_release(fabric->memory);
    free(fabric);
}

const dt_transport dti_transport_shm = {
    .name = "shm",
    .summary = "ranks are processes that share memory, by `dtensor run`",
    .moves_data = true,
    .spreads_failures = true,
    .takes_tiles = true,
    .depth = DTI_BOARD_DEPTH,
    .locate = locate,
    .open = open_shm,
    .close = close_shm,
    .line_open = dti_fabric_line_open,
    .line_close = dti_fabric_line_close,
    .start = dti_fabric_start,
    .advance = dti_fabric_advance,
    .poison = dti_fabric_poison,
    .recover = dti_fabric_recover,
};
