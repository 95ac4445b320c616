/* plugins/mpi/seat.c - what ranks of one machine can see of one another. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/seat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mpi/plugin.h"

enum { SEAT_ALIGN = 64 };

static size_t record_words(void)
{
    return (dti_mpi_services->record_bytes + 7) / 8;
}

static size_t seat_bytes(void)
{
    size_t bytes = sizeof(dti_mpi_seat) + record_words() * sizeof(uint64_t);
    return (bytes + SEAT_ALIGN - 1) / SEAT_ALIGN * SEAT_ALIGN;
}

/* ---- Memory ------------------------------------------------------------- */

/* Lists for a world of `size` ranks, of which none has a seat. */
static dti_mpi_seats *make_lists(int size)
{
    size_t numbers = 2 * (size_t)size * sizeof(int);
    dti_mpi_seats *seats = calloc(1, sizeof *seats + numbers);
    if (!seats)
        return NULL;
    seats->places = (int *)(void *)(seats + 1);
    seats->ranks = seats->places + size;
    seats->stride = seat_bytes();
    for (int i = 0; i < size; i++)
        seats->places[i] = -1;
    return seats;
}

static dti_mpi_seat *seat_at(const dti_mpi_seats *seats, int number)
{
    return (dti_mpi_seat *)(void *)(seats->memory + SEAT_ALIGN +
                                    (size_t)number * seats->stride);
}

/* Take this rank's seat in the memory, which is zero. */
static void take_seat(dti_mpi_seats *seats, int number)
{
    seats->ending = (_Atomic uint32_t *)(void *)seats->memory;
    seats->own = seat_at(seats, number);
    atomic_store(&seats->own->waits_for, -1);
    atomic_store(&seats->own->tracks[0].reached, 1);
}

dti_mpi_seats *dti_mpi_seats_alone(int world_rank, int world_size)
{
    dti_mpi_seats *seats = make_lists(world_size);
    if (!seats)
        return NULL;
    seats->memory = calloc(1, SEAT_ALIGN + seats->stride);
    if (!seats->memory) {
        free(seats);
        return NULL;
    }
    seats->count = 1;
    seats->places[world_rank] = 0;
    seats->ranks[0] = world_rank;
    take_seat(seats, 0);
    return seats;
}

/* Where the memory of a machine can be found: it has no name, so that nothing
 * is left of it when the processes are gone. */
typedef struct place {
    int64_t process;
    int64_t descriptor; /* -1: there is none */
} place;

static void *map(int descriptor, size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Make memory that others can open while the descriptor is open. */
static void *create_memory(size_t bytes, int *descriptor)
{
    void *memory = NULL;
    *descriptor = memfd_create("dtensor-mpi", MFD_CLOEXEC);
    if (*descriptor >= 0 && ftruncate(*descriptor, (off_t)bytes) == 0)
        memory = map(*descriptor, bytes);
    return memory;
}

static void *open_memory(const place *found, size_t bytes)
{
    char path[64];
    if (found->descriptor < 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)found->process,
             (long long)found->descriptor);
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    void *memory = map(descriptor, bytes);
    close(descriptor);
    return memory;
}

/* Map the same memory on all ranks of a machine; NULL on all of them if one of
 * them cannot. */
static void *share_memory(MPI_Comm machine, int rank, size_t bytes)
{
    int descriptor = -1;
    void *memory = rank == 0 ? create_memory(bytes, &descriptor) : NULL;
    place found = {getpid(), memory ? descriptor : -1};
    MPI_Bcast(&found, 2, MPI_INT64_T, 0, machine);
    if (rank > 0)
        memory = open_memory(&found, bytes);
    int good = memory != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, machine);
    if (descriptor >= 0)
        close(descriptor);
    if (memory && !good) {
        munmap(memory, bytes);
        memory = NULL;
    }
    return memory;
}

/* Share the memory of a machine's ranks, and note where each rank sits. */
static bool share_seats(dti_mpi_seats *seats, MPI_Comm machine, int world_rank)
{
    int rank;
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_size(machine, &seats->count);
    MPI_Allgather(&world_rank, 1, MPI_INT, seats->ranks, 1, MPI_INT, machine);
    seats->shared_bytes = SEAT_ALIGN + (size_t)seats->count * seats->stride;
    seats->memory = share_memory(machine, rank, seats->shared_bytes);
    if (!seats->memory)
        return false;
    for (int i = 0; i < seats->count; i++)
        seats->places[seats->ranks[i]] = i;
    take_seat(seats, rank);
    /* Nobody looks at a seat that is not ready. */
    MPI_Barrier(machine);
    return true;
}

dti_mpi_seats *dti_mpi_seats_share(MPI_Comm comm)
{
    int rank, size, everyone;
    MPI_Comm machine;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    dti_mpi_seats *seats = make_lists(size);
    everyone = seats != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &everyone, 1, MPI_INT, MPI_MIN, comm);
    bool shared = false;
    if (everyone &&
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                            &machine) == MPI_SUCCESS) {
        shared = share_seats(seats, machine, rank);
        MPI_Comm_free(&machine);
    }
    if (shared)
        return seats;
    free(seats);
    return dti_mpi_seats_alone(rank, size);
}

void dti_mpi_seats_release(dti_mpi_seats *seats)
{
    if (!seats)
        return;
    if (seats->shared_bytes)
        munmap(seats->memory, seats->shared_bytes);
    else
        free(seats->memory);
    free(seats);
}

/* ---- Reading seats ------------------------------------------------------ */

const dti_mpi_seat *dti_mpi_seat_of(const dti_mpi_seats *seats, int rank)
{
    int number = seats->places[rank];
    return number < 0 ? NULL : seat_at(seats, number);
}

int dti_mpi_seat_add_track(dti_mpi_seat *seat, uint64_t line)
{
    for (int i = 1; i < DTI_MPI_TRACKS; i++) {
        if (atomic_load(&seat->tracks[i].line) == 0) {
            atomic_store(&seat->tracks[i].reached, 1);
            atomic_store(&seat->tracks[i].line, line);
            return i;
        }
    }
    return -1;
}

bool dti_mpi_seat_reached(const dti_mpi_seat *seat, uint64_t line,
                          uint64_t value)
{
    if (line == 0)
        return atomic_load(&seat->tracks[0].reached) >= value;
    for (int i = 1; i < DTI_MPI_TRACKS; i++) {
        uint64_t id = atomic_load(&seat->tracks[i].line);
        if (id == line)
            return atomic_load(&seat->tracks[i].reached) >= value;
        if (id == 0)
            return false;
    }
    return true;
}

/* The call of a seat, in words. */
static void describe_call(const dti_mpi_seat *seat, char *text, size_t size)
{
    uint64_t words[DTI_MPI_LABEL_WORDS], record[DTI_MPI_RECORD_WORDS];
    char label[sizeof words + 1], call[192];
    for (int i = 0; i < DTI_MPI_LABEL_WORDS; i++)
        words[i] = atomic_load_explicit(&seat->label[i], memory_order_relaxed);
    memcpy(label, words, sizeof words);
    label[sizeof words] = '\0';
    if (atomic_load(&seat->activity) == DTI_MPI_GROUP) {
        snprintf(text, size, "making the group of %s", label);
        return;
    }
    for (size_t i = 0; i < record_words(); i++)
        record[i] =
            atomic_load_explicit(&seat->record[i], memory_order_relaxed);
    dti_mpi_services->describe_record(record, call, sizeof call);
    snprintf(text, size, "%s, call #%llu of %s", call,
             (unsigned long long)atomic_load(&seat->sequence), label);
}

void dti_mpi_seat_describe(const dti_mpi_seat *seat, char *text, size_t size)
{
    uint64_t epoch;
    char call[256];
    /* Again if the rank went on in the meantime. */
    for (int tries = 0; tries < 3; tries++) {
        epoch = atomic_load(&seat->epoch);
        uint32_t activity = atomic_load(&seat->activity);
        if (activity == DTI_MPI_NOTHING)
            snprintf(call, sizeof call, "its beginning");
        else if (activity == DTI_MPI_OPEN)
            snprintf(call, sizeof call, "opening the world");
        else if (activity == DTI_MPI_RECOVER)
            snprintf(call, sizeof call, "dt_world_recover");
        else
            describe_call(seat, call, sizeof call);
        if (atomic_load(&seat->epoch) == epoch)
            break;
    }
    snprintf(text, size, "%s%s", epoch % 2 ? "in " : "computing after ", call);
}
