/* tests/process/rank.c - a rank that does something wrong at a certain call. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <dtensor/dtensor.h>

/*
 * usage: rank FAULT VICTIM CALL
 *
 * All ranks make CALLS calls; before call number CALL rank VICTIM commits the
 * fault.  A rank that gets an error writes "rank R: STATUS at NANOSECONDS:
 * sentence", then what the group says when asked again, and what recovery says.
 */
enum { CALLS = 200, ENDLESS = 2000000000, SMALL = 100, LARGE = 40000 };

typedef struct scene {
    dt_world *world;
    dt_group *group;    /* all ranks */
    dt_group *backward; /* all ranks, in reverse order */
    dt_array *small;
    dt_array *large;
    dt_array *all; /* large on every rank */
    int victim;
    int call;  /* when */
    bool over; /* nothing is wrong any more */
} scene;

typedef struct fault {
    const char *name;
    /* What the victim does before the call; gives the call's status if it
     * makes it. */
    dt_status (*commit)(scene *stage, bool *called);
    /* What others do in its place, or NULL. */
    dt_status (*answer)(scene *stage, bool *called);
    /* The program opens and closes its world itself. */
    bool closes;
    /* What the program of a rank that leaves returns. */
    dt_status result;
} fault;

static const fault *chosen;

/* An array that outlives its world. */
static dt_array *kept;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Write one line at once, so that lines of ranks do not mix. */
DT_PRINTF(1, 2)
static void say(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (write(STDOUT_FILENO, text, (size_t)length) != length)
        _exit(9);
}

static void say_error(const scene *stage, dt_status status)
{
    say("rank %d: %s at %" PRId64 ": %s\n", dt_world_rank(stage->world),
        dt_status_name(status), now(), dt_world_error(stage->world)->message);
}

/* ---- Calls -------------------------------------------------------------- */

static dt_status make_call(scene *stage, int number)
{
    int size = dt_world_size(stage->world);
    switch (number % 6) {
    case 0:
        return dt_group_all_reduce(stage->group, DT_SUM, stage->small,
                                   stage->small);
    case 1:
        return dt_group_all_reduce(stage->backward, DT_MAX, stage->large,
                                   stage->large);
    case 2:
        return dt_group_barrier(stage->group);
    case 3:
        return dt_group_all_gather(stage->group, stage->large, NULL,
                                   stage->all);
    case 4:
        return dt_group_broadcast(stage->group, number % size, stage->large);
    default:
        return dt_group_reduce_scatter(stage->group, DT_MIN, stage->all, NULL,
                                       stage->large);
    }
}

/* ---- Faults ------------------------------------------------------------- */

static dt_status kill_self(scene *stage, bool *called)
{
    (void)stage;
    (void)called;
    raise(SIGKILL);
    return DT_OK;
}

static dt_status crash(scene *stage, bool *called)
{
    (void)stage;
    (void)called;
    raise(SIGSEGV);
    return DT_OK;
}

static dt_status exit_well(scene *stage, bool *called)
{
    (void)stage;
    (void)called;
    exit(0);
}

static dt_status exit_badly(scene *stage, bool *called)
{
    (void)stage;
    (void)called;
    exit(3);
}

static dt_status stop(scene *stage, bool *called)
{
    (void)stage;
    (void)called;
    raise(SIGSTOP);
    return DT_OK;
}

/* Leave the program early, as one does that is finished. */
static dt_status leave(scene *stage, bool *called)
{
    *called = true;
    stage->over = true;
    return DT_OK;
}

/* The same with a call under way that nobody answers. */
static dt_status leave_in_call(scene *stage, bool *called)
{
    int from = (stage->victim + 1) % dt_world_size(stage->world);
    dt_handle *handle;
    DT_TRY(dt_group_receive_async(stage->group, from, stage->small, &handle));
    dt_handle_release(handle);
    return leave(stage, called);
}

static dt_status call_other(scene *stage, bool *called)
{
    *called = true;
    return dt_group_all_reduce(stage->group, DT_MIN, stage->small,
                               stage->small);
}

static dt_status call_usual(scene *stage, bool *called)
{
    *called = true;
    return dt_group_all_reduce(stage->group, DT_SUM, stage->small,
                               stage->small);
}

static dt_status call_larger(scene *stage, bool *called)
{
    *called = true;
    return dt_group_all_reduce(stage->group, DT_SUM, stage->large,
                               stage->large);
}

static dt_status call_forward(scene *stage, bool *called)
{
    *called = true;
    DT_TRY(dt_group_barrier(stage->group));
    return dt_group_barrier(stage->backward);
}

static dt_status call_backward(scene *stage, bool *called)
{
    *called = true;
    DT_TRY(dt_group_barrier(stage->backward));
    return dt_group_barrier(stage->group);
}

/* Recover, then see that sums are right. */
static dt_status recover(scene *stage)
{
    DT_TRY(dt_world_recover(stage->world));
    float *data = dt_array_data(stage->small);
    int size = dt_world_size(stage->world);
    for (int i = 0; i < SMALL; i++)
        data[i] = (float)(dt_world_rank(stage->world) + i);
    DT_TRY(
        dt_group_all_reduce(stage->group, DT_SUM, stage->small, stage->small));
    for (int i = 0; i < SMALL; i++)
        if (data[i] != (float)(size * (size - 1) / 2 + size * i))
            return DT_ERR_FORMAT;
    say("rank %d: recovered\n", dt_world_rank(stage->world));
    return DT_OK;
}

/* Ask for more than the limit; the others must not wait for it. */
static dt_status want_memory(scene *stage, bool *called)
{
    dt_array *huge;
    *called = true;
    dt_status status = dt_array_create(stage->world, DT_F32,
                                       DT_SHAPE(INT64_C(1) << 28), &huge);
    if (status != DT_ERR_NO_MEMORY)
        return DT_ERR_FORMAT;
    dt_world_poison(stage->world);
    return recover(stage);
}

static dt_status hear_of_memory(scene *stage, bool *called)
{
    dt_status status = make_call(stage, stage->call);
    *called = true;
    if (status != DT_ERR_PEER)
        return DT_ERR_FORMAT;
    say_error(stage, status);
    return recover(stage);
}

static void free_memory(void *arg, void *data)
{
    (void)arg;
    free(data);
}

/* More than half of the limit that the test sets. */
static const int64_t much = 10 << 20;

/* Memory of its own that others cannot see: the victim has no room for the
 * copy that they would. */
static dt_status want_staging(scene *stage, bool *called)
{
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    dt_array *used;
    dt_array *foreign;
    *called = true;
    options.data = calloc((size_t)much, sizeof(float));
    options.shape = DT_SHAPE(much);
    options.release = free_memory;
    DT_TRY(dt_array_create(stage->world, DT_F32, DT_SHAPE(much), &used));
    DT_TRY(dt_array_wrap(stage->world, &options, &foreign));
    dt_status status =
        dt_group_all_reduce(stage->group, DT_SUM, foreign, foreign);
    dt_array_release(used);
    dt_array_release(foreign);
    return status == DT_ERR_NO_MEMORY ? recover(stage) : DT_ERR_FORMAT;
}

static dt_status hear_of_staging(scene *stage, bool *called)
{
    dt_array *array;
    *called = true;
    DT_TRY(dt_array_create(stage->world, DT_F32, DT_SHAPE(much), &array));
    DT_TRY(dt_array_fill(stage->world, array, 1));
    dt_status status = dt_group_all_reduce(stage->group, DT_SUM, array, array);
    dt_array_release(array);
    if (status != DT_ERR_PEER)
        return DT_ERR_FORMAT;
    say_error(stage, status);
    return recover(stage);
}

/* ---- Stopped inside a copy ---------------------------------------------- */

/* A page that the next call writes to. */
static struct {
    char *page;
    size_t bytes;
} trap;

/* Stop where the call has got to; it goes on when the process does. */
static void stop_in_trap(int number)
{
    (void)number;
    raise(SIGSTOP);
    mprotect(trap.page, trap.bytes, PROT_READ | PROT_WRITE);
}

/* Set the trap in the middle of the part of an all-reduce that this rank works
 * out for all. */
static dt_status stop_inside(scene *stage, bool *called)
{
    int size = dt_world_size(stage->world);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *data = dt_array_data(stage->large);
    size_t middle = dt_array_bytes(stage->large) *
                    (size_t)(2 * stage->victim + 1) / (size_t)(2 * size);
    trap.bytes = page;
    trap.page = data + middle - (uintptr_t)(data + middle) % page;
    signal(SIGSEGV, stop_in_trap);
    if (mprotect(trap.page, page, PROT_READ) != 0)
        return DT_ERR_FORMAT;
    *called = true;
    return dt_group_all_reduce(stage->group, DT_SUM, stage->large,
                               stage->large);
}

/* What the stopped rank may still write to must not be had again. */
static dt_status wait_in_vain(scene *stage, bool *called)
{
    const void *before = dt_array_data(stage->large);
    *called = true;
    dt_status status =
        dt_group_all_reduce(stage->group, DT_SUM, stage->large, stage->large);
    dt_array_release(stage->large);
    DT_TRY(
        dt_array_create(stage->world, DT_F32, DT_SHAPE(LARGE), &stage->large));
    say("rank %d: %s\n", dt_world_rank(stage->world),
        dt_array_data(stage->large) == before ? "used again" : "kept");
    return status;
}

/* ---- Suspended ---------------------------------------------------------- */

static volatile sig_atomic_t woken;

static void wake(int number)
{
    (void)number;
    woken = 1;
}

static dt_status get_ready(scene *stage, bool *called)
{
    (void)called;
    signal(SIGUSR1, wake);
    say("rank %d: ready\n", dt_world_rank(stage->world));
    return DT_OK;
}

/* Keep the others waiting until a signal comes. */
static dt_status keep_waiting(scene *stage, bool *called)
{
    const struct timespec moment = {.tv_nsec = 1000 * 1000};
    DT_TRY(get_ready(stage, called));
    while (!woken)
        nanosleep(&moment, NULL);
    return DT_OK;
}

static void *wait_and_kill(void *unused)
{
    struct timespec moment = {.tv_nsec = (long)(now() % 3000) * 1000};
    (void)unused;
    nanosleep(&moment, NULL);
    say("fault at %" PRId64 "\n", now());
    raise(SIGKILL);
    return NULL;
}

/* Die at some moment while the calls go on, perhaps inside one. */
static dt_status kill_soon(scene *stage, bool *called)
{
    pthread_t thread;
    (void)stage;
    (void)called;
    return pthread_create(&thread, NULL, wait_and_kill, NULL) ? DT_ERR_FORMAT
                                                              : DT_OK;
}

/* Wait for signals, which the test sends. */
static dt_status idle(scene *stage, bool *called)
{
    (void)called;
    say("rank %d: ready\n", dt_world_rank(stage->world));
    while (pause() != 0)
        ;
    return DT_OK;
}

static void note_signal(int number)
{
    say("signal %d\n", number);
}

/* Take every signal that can be taken, and stay. */
static dt_status resist(scene *stage, bool *called)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,
                                  SIGQUIT, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], note_signal);
    return idle(stage, called);
}

static dt_status keep_array(scene *stage, bool *called)
{
    (void)called;
    kept = dt_array_retain(stage->large);
    return DT_OK;
}

static const fault faults[] = {
    {.name = "none"},
    {.name = "kill", .commit = kill_self},
    {.name = "crash", .commit = crash},
    {.name = "exit", .commit = exit_well},
    {.name = "exit 3", .commit = exit_badly},
    {.name = "stop", .commit = stop},
    {.name = "leave", .commit = leave},
    {.name = "close in call", .commit = leave_in_call, .closes = true},
    {.name = "fail in call", .commit = leave_in_call, .result = DT_ERR_IO},
    {.name = "collective", .commit = call_other, .answer = call_usual},
    {.name = "size", .commit = call_larger, .answer = call_usual},
    {.name = "order", .commit = call_forward, .answer = call_backward},
    {.name = "memory", .commit = want_memory, .answer = hear_of_memory},
    {.name = "staging", .commit = want_staging, .answer = hear_of_staging},
    {.name = "kill soon", .commit = kill_soon},
    {.name = "stop inside", .commit = stop_inside, .answer = wait_in_vain},
    {.name = "suspend", .commit = keep_waiting, .answer = get_ready},
    {.name = "idle", .commit = idle, .answer = idle},
    {.name = "resist", .commit = resist, .answer = resist},
    {.name = "after", .commit = keep_array, .answer = keep_array},
};

/* ---- The program -------------------------------------------------------- */

static dt_status play_call(scene *stage, int number)
{
    bool called = false;
    bool is_victim = dt_world_rank(stage->world) == stage->victim;
    dt_status status = DT_OK;
    if (number == stage->call && is_victim && chosen->commit) {
        if (strcmp(chosen->name, "kill soon") != 0)
            say("fault at %" PRId64 "\n", now());
        status = chosen->commit(stage, &called);
    } else if (number == stage->call && chosen->answer) {
        status = chosen->answer(stage, &called);
    }
    return called || status != DT_OK ? status : make_call(stage, number);
}

/* The sentence of a failure stays, and a world without one rank cannot
 * recover. */
static void report(scene *stage, dt_status status)
{
    dt_world *world = stage->world;
    int rank = dt_world_rank(world);
    char first[DT_ERROR_SIZE];
    snprintf(first, sizeof first, "%s", dt_world_error(world)->message);
    say_error(stage, status);
    if (dt_group_barrier(stage->group) == status &&
        strcmp(first, dt_world_error(world)->message) == 0)
        say("rank %d: again the same\n", rank);
    else
        say("rank %d: again %s\n", rank, dt_world_error(world)->message);
    if (status == DT_ERR_PEER)
        say("rank %d: recovery gives %s\n", rank,
            dt_status_name(dt_world_recover(world)));
}

static dt_status open_stage(scene *stage)
{
    dt_world *world = stage->world;
    int size = dt_world_size(world);
    int ranks[64];
    for (int i = 0; i < size; i++)
        ranks[i] = size - 1 - i;
    stage->group = dt_world_group(world);
    DT_TRY(dt_group_create(world, ranks, size, &stage->backward));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(SMALL), &stage->small));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE(LARGE), &stage->large));
    DT_TRY(dt_array_create(world, DT_F32, DT_SHAPE((int64_t)LARGE * size),
                           &stage->all));
    DT_TRY(dt_array_fill(world, stage->small, 0));
    DT_TRY(dt_array_fill(world, stage->large, 1));
    return dt_array_fill(world, stage->all, 1);
}

static dt_status play(dt_world *world, void *arg)
{
    scene *stage = arg;
    stage->world = world;
    dt_status status = open_stage(stage);
    /* One that dies soon may come through all calls before, if they end. */
    int calls = strcmp(chosen->name, "kill soon") == 0 ? ENDLESS : CALLS;
    for (int i = 1; i <= calls && status == DT_OK && !stage->over; i++)
        status = play_call(stage, i);
    if (status != DT_OK)
        report(stage, status);
    dt_array_release(stage->small);
    dt_array_release(stage->large);
    dt_array_release(stage->all);
    return stage->over ? chosen->result : status;
}

/* What a process can do after its world was closed: use arrays of it, but open
 * no other, nor can what it starts. */
static void play_on(const char *program)
{
    char command[4096];
    dt_world *world;
    dt_error error;
    float *data = dt_array_data(kept);
    float sum = 0;
    for (int i = 0; i < LARGE; i++)
        sum += data[i] = 2;
    say("sum %g\n", (double)sum);
    dt_array_release(kept);
    dt_status status = dt_world_open(NULL, &world, &error);
    say("second world: %s: %s\n", dt_status_name(status), error.message);
    snprintf(command, sizeof command, "exec '%s' none 0 1", program);
    status = system(command) == 0 ? DT_OK : DT_ERR_COMM;
    say("child: %s\n", dt_status_name(status));
}

/* Run without dt_main, which would wait for calls under way. */
static int open_and_close(scene *stage)
{
    dt_world *world;
    dt_error error;
    if (dt_world_open(NULL, &world, &error) != DT_OK)
        return 2;
    dt_status status = play(world, stage);
    DT_IGNORE(dt_world_close(world));
    return status != DT_OK;
}

int main(int argc, char **argv)
{
    scene stage = {0};
    for (size_t i = 0; i < sizeof faults / sizeof *faults && argc == 4; i++)
        if (strcmp(faults[i].name, argv[1]) == 0)
            chosen = &faults[i];
    if (!chosen)
        return 2;
    stage.victim = atoi(argv[2]);
    stage.call = atoi(argv[3]);
    int code = chosen->closes ? open_and_close(&stage)
                              : dt_main(argc, argv, play, &stage);
    if (kept)
        play_on(argv[0]);
    return code;
}
