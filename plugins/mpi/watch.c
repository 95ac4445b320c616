/* plugins/mpi/watch.c - a thread that ends the job when a rank waits in vain.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi/plugin.h"

/*
 * A rank inside MPI cannot be called back: MPI returns when the others come, or
 * never.  So each rank has a thread that looks at its seat several times a
 * second.  It never calls MPI.  If the rank has been in the same call for too
 * long, the thread writes which call that is and for whom it waits, gives the
 * watches of other ranks time to do the same, and ends the process; the
 * launcher then ends the job.
 *
 * For whom a rank waits: a member of the call's line whose seat shows that it
 * has not begun this call.  That member may itself wait for a third, whose
 * watch has written that to its seat.  For example, rank 0 is in an all-reduce
 * of ranks 0-1, rank 1 receives from rank 2, rank 2 computes: 0 waits for 1,
 * 1 waits for 2, and both name rank 2.
 *
 * The job ends
 * - when a rank that is waited for has closed its world;
 * - when ranks wait for one another, and have done so for a while;
 * - when a wait is longer than the time limit.
 *
 * A process that was stopped and goes on has not waited meanwhile, so a turn
 * counts for no more than two periods.
 */
enum {
    PERIODS_PER_LIMIT = 8,
    LONGEST_TURN = 2, /* periods */
};

#define MILLISECOND INT64_C(1000000)
#define SECOND (1000 * MILLISECOND)
#define LONGEST_PERIOD (250 * MILLISECOND)
#define SHORTEST_PERIOD (1 * MILLISECOND)
#define CYCLE_TIME (5 * SECOND) /* that a cycle of ranks must stand still */

/* How long others have to write for whom they wait: those of this machine see
 * that the job ends, those of other machines reach their own limits at about
 * this time. */
#define GRACE_TIME (2 * SECOND)

struct dti_mpi_watch {
    dt_world *world;
    int rank;
    int size;
    bool check;
    int64_t timeout; /* nanoseconds */
    int64_t period;
    const dt_channel *shown; /* whose label the seat has */
    pthread_t thread;
    pthread_cond_t changed;
    pthread_mutex_t lock; /* for everything below; a look holds it */
    bool closing;
    dti_mpi_seats *seats;
    const dt_channel
        *_Atomic line;        /* that the rank waits in; NULL: the world */
    _Atomic uint64_t awaited; /* how far others must come there */
    _Atomic uint64_t line_id;
    int64_t latest; /* time of the look before */
    uint64_t epoch; /* of the wait that is being timed; 0: none */
    int64_t waited;
    uint64_t cycle; /* state of the cycle that was seen; 0: none */
    int64_t cycle_time;
};

/* ---- What the rank shows ------------------------------------------------ */

static void show_label(dti_mpi_watch *watch, const dt_channel *line)
{
    dti_mpi_seat *seat = watch->seats->own;
    uint64_t words[DTI_MPI_LABEL_WORDS];
    _Static_assert(sizeof words == sizeof line->label, "a label fits");
    memcpy(words, line->label, sizeof words);
    for (int i = 0; i < DTI_MPI_LABEL_WORDS; i++)
        atomic_store_explicit(&seat->label[i], words[i], memory_order_relaxed);
    watch->shown = line;
}

static void show_record(dti_mpi_seat *seat, const dt_channel *line,
                        const dt_call *call)
{
    uint64_t words[DTI_MPI_RECORD_WORDS];
    size_t count = (dti_mpi_services->record_bytes + 7) / 8;
    dti_mpi_services->write_record(call, line->size, words);
    for (size_t i = 0; i < count; i++)
        atomic_store_explicit(&seat->record[i], words[i], memory_order_relaxed);
}

/* Only the rank itself writes its epoch. */
static void step_epoch(dti_mpi_seat *seat)
{
    uint64_t epoch = atomic_load_explicit(&seat->epoch, memory_order_relaxed);
    atomic_store_explicit(&seat->epoch, epoch + 1, memory_order_release);
}

void dti_mpi_watch_begin(dti_mpi_watch *watch, const dt_channel *line,
                         int track, const dt_call *call)
{
    if (!watch)
        return;
    dti_mpi_seat *seat = watch->seats->own;
    if (watch->shown != line)
        show_label(watch, line);
    show_record(seat, line, call);
    atomic_store_explicit(&seat->sequence, call->sequence,
                          memory_order_relaxed);
    atomic_store_explicit(&seat->activity, DTI_MPI_CALL, memory_order_relaxed);
    if (track > 0)
        atomic_store_explicit(&seat->tracks[track].reached, call->sequence + 1,
                              memory_order_release);
}

static void enter(dti_mpi_watch *watch, const dt_channel *line, uint64_t id,
                  uint64_t awaited)
{
    atomic_store_explicit(&watch->line, line, memory_order_relaxed);
    atomic_store_explicit(&watch->line_id, id, memory_order_relaxed);
    atomic_store_explicit(&watch->awaited, awaited, memory_order_relaxed);
    step_epoch(watch->seats->own);
}

void dti_mpi_watch_enter(dti_mpi_watch *watch, const dt_channel *line,
                         int track, const dt_call *call)
{
    if (!watch)
        return;
    dti_mpi_watch_begin(watch, line, track, call);
    enter(watch, line, line->id, call->sequence + 1);
}

void dti_mpi_watch_enter_meeting(dti_mpi_watch *watch, const dt_channel *line,
                                 dti_mpi_activity activity)
{
    if (!watch)
        return;
    dti_mpi_seat *seat = watch->seats->own;
    atomic_store_explicit(&seat->activity, (uint32_t)activity,
                          memory_order_relaxed);
    if (line)
        show_label(watch, line);
    enter(watch, line, line ? line->id : 0,
          line ? 1 : atomic_load(&seat->tracks[0].reached));
}

void dti_mpi_watch_exit(dti_mpi_watch *watch)
{
    if (watch)
        step_epoch(watch->seats->own);
}

void dti_mpi_watch_leave(dti_mpi_watch *watch)
{
    if (watch)
        atomic_store(&watch->seats->own->left, 1);
}

int dti_mpi_watch_add_line(dti_mpi_watch *watch, const dt_channel *line)
{
    return watch ? dti_mpi_seat_add_track(watch->seats->own, line->id) : -1;
}

void dti_mpi_watch_drop_line(dti_mpi_watch *watch)
{
    if (!watch)
        return;
    watch->shown = NULL;
    pthread_mutex_lock(&watch->lock);
    pthread_mutex_unlock(&watch->lock);
}

void dti_mpi_watch_reset(dti_mpi_watch *watch)
{
    if (!watch)
        return;
    dti_mpi_track *tracks = watch->seats->own->tracks;
    atomic_fetch_add(&tracks[0].reached, 1);
    for (int i = 1; i < DTI_MPI_TRACKS; i++)
        atomic_store(&tracks[i].reached, 1);
}

/* ---- For whom the rank waits -------------------------------------------- */

/* Members of the line that the rank waits in, or all ranks. */
static int count_members(const dti_mpi_watch *watch)
{
    const dt_channel *line = atomic_load(&watch->line);
    return line ? line->size : watch->size;
}

static int member_rank(const dti_mpi_watch *watch, int member)
{
    const dt_channel *line = atomic_load(&watch->line);
    return line ? line->ranks[member] : member;
}

/* Tell whether a rank has surely not begun the call that this one waits in. */
static bool is_missing(const dti_mpi_watch *watch, int rank)
{
    const dti_mpi_seat *seat = dti_mpi_seat_of(watch->seats, rank);
    return rank != watch->rank && seat &&
           !dti_mpi_seat_reached(seat, atomic_load(&watch->line_id),
                                 atomic_load(&watch->awaited));
}

/* Find a missing member, one that has left before others; -1 if all that can be
 * seen have come. */
static int find_missing(const dti_mpi_watch *watch, bool *left)
{
    int found = -1;
    *left = false;
    for (int i = 0; i < count_members(watch) && !*left; i++) {
        int rank = member_rank(watch, i);
        const dti_mpi_seat *seat = dti_mpi_seat_of(watch->seats, rank);
        /* It may have begun the call before it left: look at that last. */
        bool gone = seat && atomic_load(&seat->left);
        if (!is_missing(watch, rank))
            continue;
        *left = gone;
        if (found < 0 || gone)
            found = rank;
    }
    return found;
}

/* Tell whether some member is on another machine. */
static bool has_strangers(const dti_mpi_watch *watch)
{
    for (int i = 0; i < count_members(watch); i++)
        if (!dti_mpi_seat_of(watch->seats, member_rank(watch, i)))
            return true;
    return false;
}

/* The rank that a rank waits for; -1 if it waits for none. */
static int next_awaited(const dti_mpi_watch *watch, int rank)
{
    const dti_mpi_seat *seat = dti_mpi_seat_of(watch->seats, rank);
    if (!seat || atomic_load(&seat->epoch) % 2 == 0)
        return -1;
    return atomic_load(&seat->waits_for);
}

/* A number for the very state of a cycle of waiting ranks that this rank is
 * part of; 0 if it is in none. */
static uint64_t find_cycle(const dti_mpi_watch *watch)
{
    uint64_t state = 1;
    int rank = watch->rank;
    for (int steps = 0; steps < watch->seats->count; steps++) {
        int next = next_awaited(watch, rank);
        if (next < 0)
            return 0;
        const dti_mpi_seat *seat = dti_mpi_seat_of(watch->seats, rank);
        state = state * UINT64_C(0x9e3779b97f4a7c15) +
                atomic_load(&seat->epoch) + (uint64_t)rank;
        rank = next;
        if (rank == watch->rank)
            return state | 1;
    }
    return 0;
}

/* ---- Sentences ---------------------------------------------------------- */

/* A line for stderr that is written at once. */
typedef struct sentence {
    char text[2048];
    size_t used;
} sentence;

DT_PRINTF(2, 3)
static void add(sentence *s, const char *format, ...)
{
    size_t space = sizeof s->text - s->used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(s->text + s->used, space, format, args);
    va_end(args);
    if (length > 0)
        s->used += (size_t)length < space ? (size_t)length : space - 1;
}

static void add_seat(const dti_mpi_watch *watch, sentence *s, int rank)
{
    char text[320];
    dti_mpi_seat_describe(dti_mpi_seat_of(watch->seats, rank), text,
                          sizeof text);
    add(s, "%s", text);
}

static bool contains(const int *ranks, int count, int rank)
{
    for (int i = 0; i < count; i++)
        if (ranks[i] == rank)
            return true;
    return false;
}

/* Say that a rank has not come, and follow who waits for whom to the rank that
 * waits for nobody. */
static void add_missing(const dti_mpi_watch *watch, sentence *s, int rank)
{
    enum { MOST = 16 };
    int seen[MOST], count = 0, next = rank;
    add(s, ": rank %d did not join it, ", rank);
    while (next >= 0 && count < MOST && !contains(seen, count, next)) {
        if (count > 0)
            add(s, "as it waits for rank %d, ", next);
        rank = seen[count++] = next;
        next = next_awaited(watch, rank);
    }
    add(s, "last seen ");
    add_seat(watch, s, rank);
}

/* Say what the others do if all of them have come: the first that is in another
 * call than this rank. */
static void add_others(const dti_mpi_watch *watch, sentence *s)
{
    char mine[320], theirs[320];
    dti_mpi_seat_describe(watch->seats->own, mine, sizeof mine);
    add(s, ": all ranks of it have begun a call");
    for (int i = 0; i < count_members(watch); i++) {
        int rank = member_rank(watch, i);
        dti_mpi_seat_describe(dti_mpi_seat_of(watch->seats, rank), theirs,
                              sizeof theirs);
        if (strcmp(mine, theirs) != 0) {
            add(s, ", rank %d is %s", rank, theirs);
            break;
        }
    }
    if (!watch->check)
        add(s, "; DT_CHECK=on compares calls before they are made");
}

/* Say for whom the rank waits in the end. */
static void add_blame(const dti_mpi_watch *watch, sentence *s)
{
    bool left;
    int missing = find_missing(watch, &left);
    if (missing >= 0 && left) {
        add(s, ": rank %d closed its world without joining it, last seen ",
            missing);
        add_seat(watch, s, missing);
    } else if (missing >= 0) {
        add_missing(watch, s, missing);
    } else if (has_strangers(watch)) {
        add(s, ": it waits for ranks of this call that do not write such a "
               "line");
    } else {
        add_others(watch, s);
    }
}

static void add_cycle(const dti_mpi_watch *watch, sentence *s)
{
    int rank = watch->rank;
    add(s, "deadlock: ");
    for (int steps = 0; steps < watch->seats->count; steps++) {
        int next = next_awaited(watch, rank);
        add(s, "%srank %d ", steps ? ", " : "", rank);
        add_seat(watch, s, rank);
        add(s, " for rank %d", next);
        rank = next;
        if (rank < 0 || rank == watch->rank)
            break;
    }
}

/* Why the job ends. */
typedef enum end_reason {
    END_NOT,
    END_LEFT,  /* a rank that is waited for has closed its world */
    END_CYCLE, /* ranks wait for one another */
    END_LIMIT, /* this rank has waited too long */
    END_OTHER, /* another rank says so */
} end_reason;

static void write_sentence(const dti_mpi_watch *watch, end_reason reason)
{
    sentence s = {.used = 0};
    bool cycle = reason != END_LEFT && find_cycle(watch);
    add(&s, "dtensor: rank %d: %s: ", watch->rank,
        cycle ? "DT_ERR_DIVERGED" : "DT_ERR_PEER");
    if (cycle) {
        add_cycle(watch, &s);
    } else {
        if (reason == END_LIMIT)
            add(&s, "waited %g s (DT_TIMEOUT) ", (double)watch->timeout * 1e-9);
        else
            add(&s, "waits ");
        add_seat(watch, &s, watch->rank);
        add_blame(watch, &s);
    }
    add(&s, "; the job ends\n");
    ssize_t written = write(STDERR_FILENO, s.text, s.used);
    (void)written; /* there is no other place to say it */
}

/* ---- Looking ------------------------------------------------------------ */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* Take the time since the look before. */
static int64_t take_turn(dti_mpi_watch *watch)
{
    int64_t time = now();
    int64_t turn = time - watch->latest;
    int64_t longest = LONGEST_TURN * watch->period;
    watch->latest = time;
    return turn < longest ? turn : longest;
}

/* Time how long the same ranks have been waiting for one another. */
static bool stands_still(dti_mpi_watch *watch, int64_t turn)
{
    uint64_t cycle = find_cycle(watch);
    bool same = cycle && cycle == watch->cycle;
    watch->cycle = cycle;
    watch->cycle_time = same ? watch->cycle_time + turn : 0;
    return watch->cycle_time >= CYCLE_TIME ||
           (same && watch->waited > watch->timeout);
}

/* Look at the wait that the rank has been in since the look before. */
static end_reason look_at_wait(dti_mpi_watch *watch, int64_t turn)
{
    bool left;
    watch->waited += turn;
    atomic_store(&watch->seats->own->waits_for, find_missing(watch, &left));
    if (left)
        return END_LEFT;
    if (stands_still(watch, turn))
        return END_CYCLE;
    if (watch->waited > watch->timeout)
        return END_LIMIT;
    return atomic_load(watch->seats->ending) ? END_OTHER : END_NOT;
}

static end_reason look(dti_mpi_watch *watch)
{
    int64_t turn = take_turn(watch);
    uint64_t epoch = atomic_load(&watch->seats->own->epoch);
    if (epoch % 2 == 1 && epoch == watch->epoch) {
        end_reason reason = look_at_wait(watch, turn);
        /* Unless it went on during the look. */
        return atomic_load(&watch->seats->own->epoch) == epoch ? reason
                                                               : END_NOT;
    }
    watch->epoch = epoch % 2 ? epoch : 0;
    watch->waited = 0;
    watch->cycle = 0;
    atomic_store(&watch->seats->own->waits_for, -1);
    return END_NOT;
}

/* Tell whether a rank that waits has yet to write for whom. */
static bool others_write(const dti_mpi_watch *watch)
{
    if (watch->seats->count < watch->size)
        return true; /* perhaps on another machine */
    for (int rank = 0; rank < watch->size; rank++) {
        const dti_mpi_seat *seat = dti_mpi_seat_of(watch->seats, rank);
        if (atomic_load(&seat->epoch) % 2 && !atomic_load(&seat->written))
            return true;
    }
    return false;
}

/* Write why, let the others write, and end the process. */
static void end_process(dti_mpi_watch *watch, end_reason reason)
{
    const struct timespec nap = {0, 10 * MILLISECOND};
    int64_t deadline = now() + GRACE_TIME;
    write_sentence(watch, reason);
    atomic_store(&watch->seats->own->written, 1);
    atomic_store(watch->seats->ending, 1);
    while (others_write(watch) && now() < deadline)
        nanosleep(&nap, NULL);
    _exit(1);
}

/* Sleep for a period, or until the watch is to end; under the lock. */
static void sleep_a_period(dti_mpi_watch *watch)
{
    int64_t until = now() + watch->period;
    struct timespec time = {until / SECOND, until % SECOND};
    pthread_cond_timedwait(&watch->changed, &watch->lock, &time);
}

static void *run(void *arg)
{
    dti_mpi_watch *watch = arg;
    pthread_mutex_lock(&watch->lock);
    watch->latest = now();
    while (!watch->closing) {
        end_reason reason = look(watch);
        if (reason != END_NOT)
            end_process(watch, reason);
        sleep_a_period(watch);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* ---- Beginning and end -------------------------------------------------- */

/* Signals are for the program's threads. */
static int start_thread(dti_mpi_watch *watch)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int refused = pthread_create(&watch->thread, NULL, run, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!refused)
        pthread_setname_np(watch->thread, "dt-mpi-watch");
    return refused;
}

static void free_watch(dti_mpi_watch *watch)
{
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    dti_mpi_seats_release(watch->seats);
    free(watch);
}

/* A watch whose thread does not run yet; NULL without memory. */
static dti_mpi_watch *make_watch(int rank, int size, double seconds)
{
    dti_mpi_watch *watch = calloc(1, sizeof *watch);
    dti_mpi_seats *seats = dti_mpi_seats_alone(rank, size);
    pthread_condattr_t attributes;
    if (!watch || !seats) {
        dti_mpi_seats_release(seats);
        free(watch);
        return NULL;
    }
    watch->rank = rank;
    watch->size = size;
    watch->seats = seats;
    watch->timeout = (int64_t)(seconds * (double)SECOND);
    watch->period = watch->timeout / PERIODS_PER_LIMIT;
    if (watch->period > LONGEST_PERIOD)
        watch->period = LONGEST_PERIOD;
    if (watch->period < SHORTEST_PERIOD)
        watch->period = SHORTEST_PERIOD;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return watch;
}

dt_status dti_mpi_watch_start(dt_world *world, int rank, int size,
                              dti_mpi_watch **out, dt_error *error)
{
    double seconds = dti_mpi_services->timeout(world);
    *out = NULL;
    if (seconds <= 0 || size == 1)
        return DT_OK;
    dti_mpi_watch *watch = make_watch(rank, size, seconds);
    if (!watch)
        return dti_mpi_services->error_set(
            error, DT_ERR_NO_MEMORY,
            "out of memory for the watchdog of rank %d", rank);
    int refused = start_thread(watch);
    if (refused) {
        free_watch(watch);
        return dti_mpi_services->error_set(
            error, DT_ERR_NO_MEMORY,
            "cannot create the watchdog thread of rank %d: %s", rank,
            strerror(refused));
    }
    *out = watch;
    return DT_OK;
}

void dti_mpi_watch_share(dti_mpi_watch *watch, MPI_Comm comm, bool check)
{
    if (!watch)
        return;
    dti_mpi_seats *seats = dti_mpi_seats_share(comm);
    pthread_mutex_lock(&watch->lock);
    watch->check = check;
    if (seats) {
        dti_mpi_seat *before = watch->seats->own;
        atomic_store(&seats->own->activity, atomic_load(&before->activity));
        atomic_store(&seats->own->epoch, atomic_load(&before->epoch));
        dti_mpi_seats_release(watch->seats);
        watch->seats = seats;
    }
    pthread_mutex_unlock(&watch->lock);
}

void dti_mpi_watch_stop(dti_mpi_watch *watch)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    watch->closing = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    free_watch(watch);
}
