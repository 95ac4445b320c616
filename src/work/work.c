/* work/work.c - threads that help a rank to compute. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "work/work.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/machine/clock.h"
#include "base/machine/event.h"
#include "base/machine/float.h"
#include "base/machine/futex.h"
#include "base/running.h"

/*
 * One run at a time.  The thread that starts it (the owner) writes down what is
 * to be done, opens the gate and wakes the helpers.  A helper that finds the
 * gate open goes in, which it notes in the same word, takes pieces until there
 * are none, and goes out.  The owner takes pieces too; then it closes the gate
 * and waits until nobody is inside.  A helper that comes late finds the gate
 * closed and nobody waits for it: a helper that is not woken in time costs
 * nothing.  For example, with two helpers:
 *
 *     gate  OPEN            the owner has opened it
 *     gate  OPEN | 1 * IN   a helper is inside
 *     gate  1 * IN          no piece is left; the owner waits
 *     gate  0               over; the second helper never came
 */
enum { OPEN = 1, AWAITED = 2, IN = 4 };

enum {
    LOOKS = 200,                    /* with a pause between: some us */
    OWNER_PATIENCE = 100 * 1000,    /* nanoseconds until the owner sleeps */
    HELPER_PATIENCE = 50 * 1000,    /* and until a helper does */
    LONGEST_SLEEP = 1000 * 1000000, /* at a time; nothing depends on it */
    STACK = 1 << 20,
    MOST_PIECES = 128, /* of ranges: memory is read in long runs */
};

typedef struct dti_work {
    int threads; /* with the owner */
    int used;    /* as many, but for tests */
    int started; /* helpers */
    pid_t process;
    dti_waiter waiter;
    _Atomic uint32_t busy; /* a run is under way; 0 or 1 */

    /* The run. */
    dti_work_function function;
    void *context;
    int64_t pieces;
    dti_float_state mode;
    alignas(DTI_APART) _Atomic int64_t next; /* piece */
    alignas(DTI_APART) _Atomic uint32_t gate;

    /* What helpers wait for. */
    alignas(DTI_APART) dti_event round; /* happens with every run */
    _Atomic uint32_t closing;
    struct helper {
        struct dti_work *work;
        int slot;
        pthread_t thread;
    } helpers[];
} dti_work;

/* ---- Pieces -------------------------------------------------------------- */

static void take_pieces(dti_work *work, int slot)
{
    for (;;) {
        const int64_t piece =
            atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (piece >= work->pieces)
            return;
        work->function(work->context, piece, slot);
    }
}

static void run_alone(int64_t pieces, dti_work_function function, void *context)
{
    for (int64_t piece = 0; piece < pieces; piece++)
        function(context, piece, 0);
}

/* ---- Helpers ------------------------------------------------------------- */

/* Go in if the gate is open. */
static bool enter(dti_work *work)
{
    uint32_t gate = atomic_load(&work->gate);
    while (gate & OPEN)
        if (atomic_compare_exchange_weak(&work->gate, &gate, gate + IN))
            return true;
    return false;
}

/* Go out; the last one wakes an owner that sleeps. */
static void leave(dti_work *work)
{
    const uint32_t before = atomic_fetch_sub(&work->gate, IN);
    if (before / IN == 1 && before & AWAITED)
        dti_futex_wake(&work->gate);
}

static void help(dti_work *work, int slot)
{
    if (!enter(work))
        return;
    if (slot >=
        work->used) { /* fewer are used: callers have no scratch for it */
        leave(work);
        return;
    }
    const dti_float_state before = dti_float_set(work->mode);
    take_pieces(work, slot);
    dti_float_set(before);
    leave(work);
}

static void *live(void *arg)
{
    const struct helper *helper = arg;
    dti_work *work = helper->work;
    while (!atomic_load(&work->closing)) {
        const uint32_t seen = dti_event_count(&work->round);
        help(work, helper->slot);
        if (!atomic_load(&work->closing))
            dti_event_await(&work->round, seen + 1, &work->waiter);
    }
    return NULL;
}

/* Start the helpers, without signals: those are for the program's threads.  If
 * one is refused there are fewer. */
static DTI_COLD void start_helpers(dti_work *work)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    work->process = getpid();
    for (work->started = 0; work->started < work->threads - 1;
         work->started++) {
        struct helper *helper = &work->helpers[work->started];
        helper->work = work;
        helper->slot = work->started + 1;
        if (pthread_create(&helper->thread, &attributes, live, helper) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

/* After fork nobody is inside but in the memory of the parent. */
static DTI_COLD void forget_helpers(dti_work *work)
{
    atomic_store(&work->gate, 0);
    atomic_store(&work->round.sleepers, 0);
    atomic_store(&work->busy, 1);
    work->started = 0;
}

/* ---- The owner ----------------------------------------------------------- */

static void open_gate(dti_work *work)
{
    atomic_store(&work->gate, OPEN);
    dti_event_raise(&work->round);
}

/* Sleep until the last helper goes out. */
static DTI_COLD void sleep_at_gate(dti_work *work)
{
    uint32_t gate = atomic_fetch_or(&work->gate, AWAITED) | AWAITED;
    while (gate >= IN) {
        dti_futex_wait(&work->gate, gate, LONGEST_SLEEP);
        gate = atomic_load(&work->gate);
    }
}

static void close_gate(dti_work *work)
{
    if (atomic_fetch_and(&work->gate, ~(uint32_t)OPEN) < IN)
        return;
    for (int i = 0; work->waiter.spins && i < LOOKS; i++) {
        if (atomic_load(&work->gate) < IN)
            return;
        DTI_PAUSE();
    }
    const int64_t start = dti_clock_now();
    int64_t now = start;
    while (work->waiter.spins && now - start < OWNER_PATIENCE &&
           dti_waiter_yield(&work->waiter, &now))
        if (atomic_load(&work->gate) < IN)
            return;
    sleep_at_gate(work);
}

/* The helpers that this thread can have now, for itself; NULL if none. */
static dti_work *take_helpers(void)
{
    dt_world *world = dti_world_running();
    dti_work *work = world ? dti_world_room(world, DTI_ROOM_WORK) : NULL;
    if (!work || work->used < 2)
        return NULL;
    const bool forked = work->process && work->process != getpid();
    if (DTI_UNLIKELY(forked))
        forget_helpers(work);
    else if (atomic_exchange(&work->busy, 1))
        return NULL;
    if (!work->process || forked)
        start_helpers(work);
    return work;
}

void dti_work_run(int64_t pieces, int64_t bytes, dti_work_function function,
                  void *context)
{
    const bool large = pieces > 1 && bytes >= DTI_WORK_LEAST;
    dti_work *work = large ? take_helpers() : NULL;
    if (!work) {
        run_alone(pieces, function, context);
        return;
    }
    work->function = function;
    work->context = context;
    work->pieces = pieces;
    work->mode = dti_float_read();
    atomic_store(&work->next, 0);
    open_gate(work);
    take_pieces(work, 0);
    close_gate(work);
    atomic_store(&work->busy, 0);
}

int dti_work_slots(void)
{
    const dt_world *world = dti_world_running();
    const dti_work *work = world ? dti_world_room(world, DTI_ROOM_WORK) : NULL;
    return work ? work->used : 1;
}

/* ---- Ranges -------------------------------------------------------------- */

typedef struct ranges {
    dti_work_range function;
    void *context;
    int64_t count, length;
} ranges;

static void run_range(void *context, int64_t piece, int slot)
{
    const ranges *r = context;
    const int64_t begin = piece * r->length;
    const int64_t rest = r->count - begin;
    r->function(r->context, begin,
                begin + (rest < r->length ? rest : r->length), slot);
}

void dti_work_ranges(int64_t count, int64_t unit, int64_t bytes,
                     dti_work_range function, void *context)
{
    if (count <= 0)
        return;
    if (count * bytes < DTI_WORK_LEAST || count <= unit ||
        dti_work_slots() == 1) {
        function(context, 0, count, 0);
        return;
    }
    int64_t length = DTI_WORK_PIECE / bytes;
    if (length < count / MOST_PIECES)
        length = count / MOST_PIECES;
    length = (length / unit + 1) * unit;
    ranges r = {function, context, count, length};
    dti_work_run((count - 1) / length + 1, DTI_WORK_LEAST, run_range, &r);
}

/* ---- Worlds -------------------------------------------------------------- */

static void close_work(dt_world *world, void *state)
{
    dti_work *work = state;
    (void)world;
    if (work->process == getpid()) {
        atomic_store(&work->closing, 1);
        dti_event_raise(&work->round);
        for (int i = 0; i < work->started; i++)
            pthread_join(work->helpers[i].thread, NULL);
    }
    free(work);
}

static const dti_room_functions functions = {.close = close_work};

dt_status dti_work_open(dt_world *world, int threads, dt_error *error)
{
    const size_t bytes =
        sizeof(dti_work) + (size_t)(threads - 1) * sizeof(struct helper);
    const size_t aligned = (bytes + DTI_APART - 1) / DTI_APART * DTI_APART;
    dti_work *work = aligned_alloc(DTI_APART, aligned);
    if (!work)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the threads of rank %d",
                             world->rank);
    const bool fits =
        (int64_t)threads * world->neighbours <= world->settings.cores;
    *work = (dti_work){
        .threads = threads,
        .used = threads,
        .waiter = {.spins = fits, .patience = fits ? HELPER_PATIENCE : 0}};
    dti_world_attach(world, DTI_ROOM_WORK, work, &functions);
    return DT_OK;
}

void dti_work_follow(dt_world *world)
{
    const dti_work *work = dti_world_room(world, DTI_ROOM_WORK);
    cpu_set_t set;
    if (!work || work->process != getpid() ||
        sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int i = 0; i < work->started; i++)
        pthread_setaffinity_np(work->helpers[i].thread, sizeof set, &set);
}

void dti_work_use(dt_world *world, int threads)
{
    dti_work *work = dti_world_room(world, DTI_ROOM_WORK);
    work->used = threads < work->threads ? threads : work->threads;
}
