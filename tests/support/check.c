/* tests/support/check.c - a small harness for tests that run on several ranks.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/reference.h"
#include "base/world.h"
#include "support/runner.h"

#define DEFAULT_SEED 20260101ULL
#define DEFAULT_ALARM 300L

/* Seconds that the way to the first test may take beyond the alarm's. */
#define OPENING 60L

/* Failures printed per test; the rest are only counted. */
#define SHOWN 20

/* What the command line asked for. */
typedef struct options {
    int ranks;
    bool list;
    bool process; /* this is one process of a world that a launcher started */
    const char *only;
} options;

/* Checks that failed in the test that runs.  Its ranks share it, so a test that
 * fails on one of them fails on all. */
static atomic_int failures;

/* The rank whose code this thread runs; -1 outside a test. */
static _Thread_local int this_rank = -1;

static atomic_int passed;
static atomic_int failed;
static int skipped;

/* Why the test that runs is left out; NULL if it is not. */
static _Atomic(const char *) skip_reason;

/* With --process: the world that all tests share, and whether this rank is
 * not the one that prints the verdicts. */
static dt_world *shared;
static bool is_silent;

/* ---- Checks ------------------------------------------------------------- */

static void record(const char *file, int line, const char *format,
                   va_list arguments)
{
    char text[4096];
    int count = atomic_fetch_add(&failures, 1);
    if (count > SHOWN)
        return;
    if (count == SHOWN) {
        fprintf(stderr, "  (more failures are not shown)\n");
        return;
    }
    vsnprintf(text, sizeof text, format, arguments);
    if (this_rank >= 0)
        fprintf(stderr, "  %s:%d: rank %d: %s\n", file, line, this_rank, text);
    else
        fprintf(stderr, "  %s:%d: %s\n", file, line, text);
}

bool dt_check(bool condition, const char *file, int line, const char *format,
              ...)
{
    if (condition)
        return true;
    va_list arguments;
    va_start(arguments, format);
    record(file, line, format, arguments);
    va_end(arguments);
    return false;
}

void dt_check_forget(dt_world *world)
{
    if (world)
        dt_check_forget_error(&world->latest);
}

void dt_check_forget_error(dt_error *error)
{
    error->code = DT_OK;
    error->message[0] = '\0';
}

bool dt_check_status(dt_world *world, dt_status actual, dt_status expected,
                     const char *text, const char *file, int line,
                     const char *call)
{
    const dt_error none = {DT_OK, "(no world, no message)"};
    const dt_error *error = world ? dt_world_error(world) : &none;
    if (expected != DT_OK && world)
        return dt_check_error(error, actual, expected, text, file, line, call);
    return dt_check(actual == expected, file, line, "%s: %s, not %s: %s", call,
                    dt_status_name(actual), dt_status_name(expected),
                    error->message);
}

bool dt_check_error(const dt_error *error, dt_status actual, dt_status expected,
                    const char *text, const char *file, int line,
                    const char *call)
{
    if (!dt_check(actual == expected, file, line, "%s: %s, not %s: %s", call,
                  dt_status_name(actual), dt_status_name(expected),
                  error->message))
        return false;
    if (expected == DT_OK)
        return true;
    if (!dt_check(error->message[0] != '\0', file, line,
                  "%s: %s without a message", call, dt_status_name(actual)))
        return false;
    if (!dt_check(error->code == actual, file, line,
                  "%s: returned %s but recorded %s: %s", call,
                  dt_status_name(actual), dt_status_name(error->code),
                  error->message))
        return false;
    return dt_check(!text || strstr(error->message, text), file, line,
                    "%s: the message lacks \"%s\": %s", call, text,
                    error->message);
}

bool dt_check_int(long long actual, long long expected, const char *file,
                  int line, const char *expression)
{
    return dt_check(actual == expected, file, line, "%s: %lld, not %lld",
                    expression, actual, expected);
}

bool dt_check_text(const char *actual, const char *expected, const char *file,
                   int line, const char *expression)
{
    bool equal =
        actual && expected ? strcmp(actual, expected) == 0 : actual == expected;
    return dt_check(equal, file, line, "%s: \"%s\", not \"%s\"", expression,
                    actual ? actual : "(null)", expected ? expected : "(null)");
}

/* Tell whether a word stands in a list of words with spaces between them. */
static bool is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

bool dt_test_skip(const dt_world *world, const char *transports,
                  const char *why)
{
    if (!is_listed(transports, dt_world_transport(world)))
        return false;
    atomic_store(&skip_reason, why);
    return true;
}

bool dt_test_skip_uncompared(const dt_world *world)
{
    const char *check = getenv("DT_CHECK");
    bool on = check && strcmp(check, "on") == 0;
    return dt_test_skip(world, on ? "sim" : "sim mpi",
                        "calls of ranks are not compared");
}

/* ---- Numbers ------------------------------------------------------------ */

/* Read a number from the environment, or give `otherwise`. */
static unsigned long long environment(const char *name,
                                      unsigned long long otherwise)
{
    const char *text = getenv(name);
    if (!text || !*text)
        return otherwise;
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (!*end)
        return value;
    fprintf(stderr, "%s is not a number: %s\n", name, text);
    exit(2);
}

unsigned long long dt_test_seed(void)
{
    return environment("DT_TEST_SEED", DEFAULT_SEED);
}

/* splitmix64, by Steele, Lea and Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
unsigned long long dt_test_random(unsigned long long *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* End the program in the middle of a test, which has failed.  The alarm and a
 * rank that was told of a failure may come here together: one of them speaks,
 * and the other waits for the end. */
static _Noreturn void end_early(const char *test)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&turn);
    if (!is_silent)
        printf("FAIL %s\n%d passed, %d failed\n", test, passed, failed + 1);
    fflush(stdout);
    _Exit(1);
}

/* ---- The alarm ---------------------------------------------------------- */

/*
 * A thread that ends the program when a test takes too long.  Not a signal:
 * the thread sanitizer holds signals back while a rank sleeps in a futex, which
 * is where ranks hang.
 */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    long seconds;     /* for a test; 0: never */
    long limit;       /* for what is under way */
    const char *test; /* NULL: the program ends */
    struct timespec deadline;
} alarm_clock = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *watch(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&alarm_clock.mutex);
    while (alarm_clock.test) {
        struct timespec deadline = alarm_clock.deadline;
        if (pthread_cond_timedwait(&alarm_clock.changed, &alarm_clock.mutex,
                                   &deadline) != ETIMEDOUT ||
            !alarm_clock.test ||
            alarm_clock.deadline.tv_sec != deadline.tv_sec ||
            alarm_clock.deadline.tv_nsec != deadline.tv_nsec)
            continue;
        fprintf(stderr, "  still running after %ld s (DT_TEST_ALARM)\n",
                alarm_clock.limit);
        end_early(alarm_clock.test);
    }
    pthread_mutex_unlock(&alarm_clock.mutex);
    return NULL;
}

/* Watch over a test for so many seconds; NULL ends the watch. */
static void alarm_set(const char *test, long limit)
{
    if (alarm_clock.seconds == 0)
        return;
    pthread_mutex_lock(&alarm_clock.mutex);
    alarm_clock.test = test;
    alarm_clock.limit = limit;
    clock_gettime(CLOCK_MONOTONIC, &alarm_clock.deadline);
    alarm_clock.deadline.tv_sec += alarm_clock.limit;
    pthread_cond_signal(&alarm_clock.changed);
    pthread_mutex_unlock(&alarm_clock.mutex);
}

static void alarm_begin(void)
{
    pthread_condattr_t attributes;
    alarm_clock.seconds = (long)environment("DT_TEST_ALARM", DEFAULT_ALARM);
    if (alarm_clock.seconds == 0)
        return;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&alarm_clock.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    /* Short as a test may be, until the first one much is loaded. */
    alarm_set("(no test)", alarm_clock.seconds + OPENING);
    if (pthread_create(&alarm_clock.thread, NULL, watch, NULL) != 0) {
        fprintf(stderr, "no thread for the alarm\n");
        exit(2);
    }
}

static void alarm_end(void)
{
    alarm_set(NULL, 0);
    if (alarm_clock.seconds != 0)
        pthread_join(alarm_clock.thread, NULL);
}

/* ---- Running ------------------------------------------------------------ */

static dt_status run_on_rank(dt_world *world, void *arg)
{
    const dt_test *const *test = arg;
    this_rank = dt_world_size(world) > 1 ? dt_world_rank(world) : -1;
    (*test)->run(world);
    this_rank = -1;
    /* What a test does not expect is a failed check. */
    dt_world_clear_error(world);
    return DT_OK;
}

static void count_live(int64_t *counts)
{
    for (int kind = 0; kind < DTI_LIVE_COUNT; kind++)
        counts[kind] = dti_live_count((dti_live_kind)kind);
}

/* Tell whether a world keeps objects of a kind to its end. */
static bool stays_in_world(int kind)
{
    return kind == DTI_LIVE_GROUP || kind == DTI_LIVE_MESH ||
           kind == DTI_LIVE_SPEC || kind == DTI_LIVE_GENERATOR ||
           kind == DTI_LIVE_PLAN;
}

static void check_live(const int64_t *before)
{
    int64_t after[DTI_LIVE_COUNT];
    count_live(after);
    for (int kind = 0; kind < DTI_LIVE_COUNT; kind++) {
        if (shared && stays_in_world(kind))
            continue;
        dt_check(after[kind] == before[kind], __FILE__, __LINE__,
                 "objects left: %lld %s",
                 (long long)(after[kind] - before[kind]),
                 dti_live_name((dti_live_kind)kind));
    }
}

static bool run(const dt_test *test, int ranks)
{
    int64_t before[DTI_LIVE_COUNT];
    count_live(before);
    dt_error error = {DT_OK, ""};
    atomic_store(&failures, 0);
    atomic_store(&skip_reason, NULL);
    alarm_set(test->name, alarm_clock.seconds);

    dt_status status = shared
                           ? dt_process_run(shared, run_on_rank, &test, &error)
                           : dt_test_run(ranks, run_on_rank, &test, &error);
    dt_check(status == DT_OK, __FILE__, __LINE__, "the run failed: %s: %s",
             dt_status_name(status), error.message);
    check_live(before);
    int total = atomic_load(&failures);
    if (shared && !dt_process_agree(shared, &total)) {
        fprintf(stderr, "  rank %d: no tests after this one: %s\n",
                dt_world_rank(shared), dt_world_error(shared)->message);
        end_early(test->name);
    }
    return total == 0;
}

/* Open the world of a rank that is a process. */
static void open_shared(void)
{
    dt_error error;
    if (dt_world_open(NULL, &shared, &error) != DT_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(2);
    }
    is_silent = dt_world_rank(shared) != 0;
}

/* Close it; what is left then, this rank reports by its exit status. */
static void close_shared(const int64_t *before)
{
    if (!shared)
        return;
    DT_IGNORE(dt_world_close(shared));
    shared = NULL;
    atomic_store(&failures, 0);
    check_live(before);
    failed += atomic_load(&failures) > 0;
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--ranks N] [--process] [--only TEXT] [--list]\n",
            program);
    return 2;
}

static bool read_options(int argc, char **argv, options *out)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--list") == 0) {
            out->list = true;
        } else if (strcmp(argv[i], "--process") == 0) {
            out->process = true;
        } else if (strcmp(argv[i], "--only") == 0 && more) {
            out->only = argv[++i];
        } else if (strcmp(argv[i], "--ranks") == 0 && more) {
            char *end = NULL;
            long ranks = strtol(argv[++i], &end, 10);
            if (*end || ranks < 1 || ranks > INT_MAX)
                return false;
            out->ranks = (int)ranks;
        } else {
            return false;
        }
    }
    return true;
}

/* Count a test that has run and say how it went. */
static void report(const dt_test *test, bool good)
{
    const char *why = good ? atomic_load(&skip_reason) : NULL;
    skipped += why != NULL;
    passed += good && !why;
    failed += !good;
    if (is_silent)
        return;
    if (why)
        printf("skip %s: %s\n", test->name, why);
    else
        printf("%s %s\n", good ? "ok  " : "FAIL", test->name);
}

static void run_all(const options *asked)
{
    for (const dt_test *test = dt_tests; test->name; test++) {
        if (asked->only && !strstr(test->name, asked->only))
            continue;
        if (asked->list) {
            printf("%s\n", test->name);
            continue;
        }
        report(test, run(test, asked->ranks));
        fflush(stdout);
    }
}

static void print_result(int ranks)
{
    if (failed > 0)
        printf("ranks %d, DT_TEST_SEED=%llu\n", ranks, dt_test_seed());
    if (skipped > 0)
        printf("%d skipped\n", skipped);
    printf("%d passed, %d failed\n", passed, failed);
}

int main(int argc, char **argv)
{
    options asked = {.ranks = 1};
    int64_t before[DTI_LIVE_COUNT];
    if (!read_options(argc, argv, &asked))
        return usage(argv[0]);
    if (asked.list) {
        run_all(&asked);
        return 0;
    }
    count_live(before);
    alarm_begin();
    if (asked.process) {
        open_shared();
        asked.ranks = dt_world_size(shared);
    }
    run_all(&asked);
    close_shared(before);
    alarm_end();
    if (!is_silent)
        print_result(asked.ranks);
    return failed > 0 || passed + skipped == 0;
}
