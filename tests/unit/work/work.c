/* tests/unit/work/work.c - pieces of work, and the threads that take them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/running.h"
#include "support/check.h"
#include "work/work.h"

enum { MOST_THREADS = 4, MOST_PIECES = 1000 };

/* Open a world of base and work alone, which this thread runs. */
static dt_world *open_helped(int threads)
{
    dti_settings settings;
    dt_error error;
    dt_world *world = NULL;
    CHECK_ERROR(&error, dti_settings_read(NULL, &settings, &error), DT_OK,
                NULL);
    CHECK_ERROR(&error, dti_world_create(NULL, &settings, 0, 1, &world, &error),
                DT_OK, NULL);
    CHECK_ERROR(&error, dti_work_open(world, threads, &error), DT_OK, NULL);
    dti_world_enter(world, true);
    return world;
}

static void close_helped(dt_world *world)
{
    dti_world_leave(world);
    CHECK_INT(dt_world_close(world), DT_OK);
}

static int count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = -2; /* "." and ".." */
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* How often each piece was computed, and who is computing. */
typedef struct tally {
    atomic_int done[MOST_PIECES];
    atomic_int inside[MOST_THREADS]; /* of each slot */
    atomic_int wrong;
    atomic_int slots; /* a bit for each that took part */
} tally;

static void count_piece(void *context, int64_t piece, int slot)
{
    tally *t = context;
    if (slot < 0 || slot >= MOST_THREADS ||
        atomic_fetch_add(&t->inside[slot], 1) != 0) {
        atomic_fetch_add(&t->wrong, 1);
        return;
    }
    atomic_fetch_add(&t->done[piece], 1);
    atomic_fetch_or(&t->slots, 1 << slot);
    atomic_fetch_sub(&t->inside[slot], 1);
}

static bool is_complete(tally *t, int64_t pieces)
{
    bool complete = atomic_load(&t->wrong) == 0;
    for (int64_t i = 0; i < MOST_PIECES; i++)
        complete = complete && atomic_load(&t->done[i]) == (i < pieces);
    return complete;
}

static bool run_and_check(int64_t pieces)
{
    tally t;
    memset(&t, 0, sizeof t);
    dti_work_run(pieces, DTI_WORK_LEAST, count_piece, &t);
    return is_complete(&t, pieces);
}

static void every_piece_is_computed_once(dt_world *world)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 17, MOST_PIECES};
    (void)world;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        dt_world *helped = open_helped(threads);
        CHECK_INT(dti_work_slots(), threads);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int round = 0; round < 50; round++)
                CHECK(run_and_check(sizes[i]));
        close_helped(helped);
    }
}

/* Nobody waits for the others here, so all have to be there. */
static void meet(void *context, int64_t piece, int slot)
{
    atomic_int *arrived = context;
    (void)piece;
    (void)slot;
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 3)
        usleep(100);
}

static void threads_compute_at_once(dt_world *world)
{
    atomic_int arrived = 0;
    (void)world;
    dt_world *helped = open_helped(3);
    dti_work_run(3, DTI_WORK_LEAST, meet, &arrived);
    CHECK_INT(arrived, 3);
    close_helped(helped);
}

static void threads_start_when_needed_and_end(dt_world *world)
{
    (void)world;
    const int before = count_threads();
    dt_world *helped = open_helped(3);
    atomic_int ignored = 3;
    dti_work_run(3, DTI_WORK_LEAST - 1, meet, &ignored);
    CHECK(run_and_check(1));
    CHECK_INT(count_threads(), before);
    CHECK(run_and_check(2));
    CHECK_INT(count_threads(), before + 2);
    close_helped(helped);
    CHECK_INT(count_threads(), before);
}

/* ---- Runs inside runs, and of other threads ------------------------------ */

typedef struct nest {
    tally inner[8];
} nest;

static void run_inside(void *context, int64_t piece, int slot)
{
    nest *n = context;
    (void)slot;
    dti_work_run(100, DTI_WORK_LEAST, count_piece, &n->inner[piece]);
}

static void runs_inside_runs_are_done_alone(dt_world *world)
{
    nest *n = calloc(1, sizeof *n);
    (void)world;
    dt_world *helped = open_helped(3);
    dti_work_run(8, DTI_WORK_LEAST, run_inside, n);
    for (int i = 0; i < 8; i++) {
        CHECK(is_complete(&n->inner[i], 100));
        CHECK_INT(n->inner[i].slots, 1);
    }
    close_helped(helped);
    free(n);
}

static void *run_in_thread(void *arg)
{
    bool *passed = arg;
    for (int i = 0; i < 200; i++)
        *passed = run_and_check(20) && *passed;
    return NULL;
}

/* A world is used by one thread at a time; should it be two, one is helped. */
static void *run_the_same_world(void *arg)
{
    bool passed = true;
    dti_world_enter(arg, true);
    run_in_thread(&passed);
    dti_world_leave(arg);
    return passed ? arg : NULL;
}

static void a_second_thread_computes_alone(dt_world *world)
{
    pthread_t stranger, second;
    bool passed = true, mine = true;
    void *result;
    (void)world;
    dt_world *helped = open_helped(3);
    dti_world_leave(helped);
    CHECK(pthread_create(&stranger, NULL, run_in_thread, &passed) == 0);
    CHECK(pthread_create(&second, NULL, run_the_same_world, helped) == 0);
    pthread_join(second, &result);
    CHECK(result == helped);
    dti_world_enter(helped, true);
    run_in_thread(&mine);
    pthread_join(stranger, NULL);
    CHECK(passed && mine);
    close_helped(helped);
}

/* ---- Modes and processes ------------------------------------------------- */

static void divide(void *context, int64_t piece, int slot)
{
    float *quotients = context;
    volatile float one = 1, three = 3;
    (void)slot;
    usleep(50);
    quotients[piece] = one / three;
}

static void helpers_round_like_the_caller(dt_world *world)
{
    float quotients[64];
    (void)world;
    dt_world *helped = open_helped(3);
    for (int round = 0; round < 2; round++) {
        fesetround(round ? FE_TONEAREST : FE_UPWARD);
        dti_work_run(64, DTI_WORK_LEAST, divide, quotients);
        volatile float one = 1, three = 3;
        const float expected = one / three;
        for (int i = 0; i < 64; i++)
            CHECK(quotients[i] == expected);
    }
    close_helped(helped);
}

static void a_forked_process_has_helpers_of_its_own(dt_world *world)
{
    (void)world;
#if defined(__SANITIZE_THREAD__)
    return; /* which allows no threads after fork */
#endif
    dt_world *helped = open_helped(3);
    CHECK(run_and_check(10));
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        const bool alone = count_threads() == 1;
        const bool passed = run_and_check(100) && run_and_check(7);
        const bool threads = count_threads() == 3;
        dti_world_leave(helped);
        const bool closed = dt_world_close(helped) == DT_OK;
        _exit(alone && passed && threads && closed ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(run_and_check(10));
    close_helped(helped);
}

/* ---- Ranges -------------------------------------------------------------- */

typedef struct cover {
    atomic_int *done;
    int64_t count, unit;
    atomic_int wrong, ranges;
} cover;

static void cover_range(void *context, int64_t begin, int64_t end, int slot)
{
    cover *c = context;
    (void)slot;
    if (begin >= end || begin % c->unit ||
        (end != c->count && (end - begin) % c->unit))
        atomic_fetch_add(&c->wrong, 1);
    atomic_fetch_add(&c->ranges, 1);
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add(&c->done[i], 1);
}

/* Gives how many ranges there were. */
static int check_ranges(int64_t count, int64_t unit, int64_t bytes)
{
    cover c = {.count = count, .unit = unit};
    c.done = calloc((size_t)count + 1, sizeof *c.done);
    dti_work_ranges(count, unit, bytes, cover_range, &c);
    CHECK_INT(c.wrong, 0);
    for (int64_t i = 0; i < count; i++)
        if (!CHECK_INT(c.done[i], 1))
            break;
    free(c.done);
    return c.ranges;
}

static void ranges_cover_all_items(dt_world *world)
{
    (void)world;
    dt_world *helped = open_helped(2);
    CHECK_INT(check_ranges(0, 1, 4), 0);
    CHECK_INT(check_ranges(1, 1, 4), 1);
    CHECK_INT(check_ranges(DTI_WORK_LEAST / 4 - 1, 16, 4), 1);
    CHECK(check_ranges(DTI_WORK_LEAST / 4, 16, 4) > 1);
    CHECK(check_ranges(DTI_WORK_LEAST / 4 + 3, 16, 4) > 1);
    CHECK(check_ranges(5, 1, DTI_WORK_LEAST) == 5);
    CHECK(check_ranges(1000003, 64, 8) > 10);
    CHECK(check_ranges(7, 16, DTI_WORK_LEAST) == 1);
    close_helped(helped);
}

const dt_test dt_tests[] = {
    {"every piece is computed once", every_piece_is_computed_once},
    {"threads compute at once", threads_compute_at_once},
    {"threads start when needed and end", threads_start_when_needed_and_end},
    {"runs inside runs are done alone", runs_inside_runs_are_done_alone},
    {"a second thread computes alone", a_second_thread_computes_alone},
    {"helpers round like the caller", helpers_round_like_the_caller},
    {"a forked process has helpers of its own",
     a_forked_process_has_helpers_of_its_own},
    {"ranges cover all items", ranges_cover_all_items},
    {NULL, NULL},
};
