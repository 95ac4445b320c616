/* tests/process/launcher.c - signals, output, and what ranks leave behind. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/machine/clock.h"
#include "support/check.h"
#include "support/launched.h"

/* Far more than anything takes, and less than ranks are left alone for. */
static const double limit = 300;
static const char *const ages = "1000";

static dt_launched run;

/* Processes of a run besides its ranks: the launcher, and the one that clears
 * away should the launcher be killed. */
enum { OTHERS = 2 };

/* Start ranks that wait, and wait until all of them do. */
static void start_on(bool terminal, int ranks, const char *fault,
                     const char *grace)
{
    const char *arguments[] = {fault, "0", "1", NULL};
    dt_launch_plan plan = {.ranks = ranks,
                           .grace = grace,
                           .arguments = arguments,
                           .terminal = terminal};
    dt_launched_start(&run, &plan);
    dt_launched_read(&run, ": ready\n", ranks, limit);
    CHECK_INT(dt_launched_count(&run), ranks + OTHERS);
}

static void start(int ranks, const char *fault, const char *grace)
{
    start_on(false, ranks, fault, grace);
}

static void start_shell(int ranks, const char *script, bool tag)
{
    const char *arguments[] = {"-c", script, NULL};
    dt_launch_plan plan = {.ranks = ranks,
                           .arguments = arguments,
                           .program = "/bin/sh",
                           .tag = tag};
    dt_launched_start(&run, &plan);
}

/* As a terminal sends it, to all. */
static void ends_by_ctrl_c(dt_world *world)
{
    (void)world;
    for (int ranks = 1; ranks <= 4; ranks++) {
        start(ranks, "idle", ages);
        kill(-run.pid, SIGINT);
        dt_launched_end(&run, limit, 128 + SIGINT);
        CHECKF(!dt_launched_says(&run, "dtensor run"), "%s", run.text);
    }
}

static void passes_signals_on(dt_world *world)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    (void)world;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        start(3, "idle", ages);
        kill(run.pid, signals[i]);
        dt_launched_end(&run, limit, 128 + signals[i]);
    }
}

/* What is typed the terminal sends to all, and nobody gets it twice. */
static void leaves_typed_signals_to_the_terminal(dt_world *world)
{
    static const char keys[] = {3, 28}; /* Ctrl-C and Ctrl-backslash */
    static const char *const words[] = {"signal 2\n", "signal 3\n"};
    (void)world;
    for (int i = 0; i < 2; i++) {
        start_on(true, 3, "resist", ages);
        CHECK(write(run.terminal, &keys[i], 1) == 1);
        dt_launched_read(&run, words[i], 3, limit);
        kill(run.pid, SIGUSR1);
        dt_launched_read(&run, "signal 10\n", 3, limit);
        dt_launched_signal(&run, SIGKILL);
        dt_launched_end(&run, limit, 128 + SIGKILL);
        CHECK_INT(dt_launched_says(&run, words[i]), 3);
    }
}

/* Of a terminal that is gone only the first process of a session hears. */
static void passes_the_end_of_the_terminal_on(dt_world *world)
{
    (void)world;
    start_on(true, 3, "idle", ages);
    dt_launched_hang_up(&run);
    dt_launched_end(&run, limit, 128 + SIGHUP);
}

/* Those that do not end anything. */
static void passes_user_signals_on(dt_world *world)
{
    (void)world;
    start(3, "resist", ages);
    kill(run.pid, SIGUSR1);
    dt_launched_read(&run, "signal 10\n", 3, limit);
    kill(run.pid, SIGUSR2);
    dt_launched_read(&run, "signal 12\n", 3, limit);
    CHECK_INT(dt_launched_count(&run), 3 + OTHERS);
    dt_launched_signal(&run, SIGKILL);
    dt_launched_end(&run, limit, 128 + SIGKILL);
    CHECK_INT(dt_launched_says(&run, "signal 10\n"), 3);
    CHECK_INT(dt_launched_says(&run, "signal 12\n"), 3);
}

static void forces_ranks_that_resist(dt_world *world)
{
    (void)world;
    start(3, "resist", "0.2");
    kill(run.pid, SIGINT);
    dt_launched_end(&run, limit, 128 + SIGKILL);
    CHECK_INT(dt_launched_says(&run, "3 ranks are still running: sending "
                                     "SIGTERM\n"),
              1);
    CHECK_INT(dt_launched_says(&run, "3 ranks are still running: sending "
                                     "SIGKILL\n"),
              1);
}

/* Who asks again does not want to wait. */
static void is_hastened_by_more_signals(dt_world *world)
{
    (void)world;
    start(3, "resist", ages);
    kill(run.pid, SIGINT);
    dt_launched_read(&run, "signal 2\n", 3, limit);
    CHECK_INT(dt_launched_says(&run, "sending"), 0);
    kill(run.pid, SIGINT);
    dt_launched_read(&run, "sending SIGTERM", 1, limit);
    dt_launched_read(&run, "signal 15\n", 3, limit);
    CHECK_INT(dt_launched_says(&run, "sending SIGKILL"), 0);
    kill(run.pid, SIGINT);
    dt_launched_end(&run, limit, 128 + SIGKILL);
    CHECK_INT(dt_launched_says(&run, "sending SIGKILL"), 1);
}

/* Stopped ranks are ended too. */
static void ends_stopped_ranks(dt_world *world)
{
    (void)world;
    const char *arguments[] = {"stop", "1", "3", NULL};
    dt_launch_plan plan = {.ranks = 3, .grace = "0.2", .arguments = arguments};
    dt_launched_start(&run, &plan);
    dt_launched_read(&run, "fault at", 1, limit);
    kill(-run.pid, SIGINT);
    dt_launched_end(&run, limit, 128 + SIGINT);
}

/* Ranks that were all stopped do not hold that time against one another. */
static void lets_a_run_be_suspended(dt_world *world)
{
    const char *arguments[] = {"suspend", "1", "3", NULL};
    dt_launch_plan plan = {.ranks = 3,
                           .grace = ages,
                           .arguments = arguments,
                           .setting = "DT_TIMEOUT=4"};
    const struct timespec longer = {.tv_sec = 6};
    const struct timespec moment = {.tv_nsec = 300 * 1000 * 1000};
    (void)world;
    dt_launched_start(&run, &plan);
    dt_launched_read(&run, ": ready\n", 3, limit);
    nanosleep(&moment, NULL); /* two of them go on to where they wait */
    dt_launched_signal(&run, SIGSTOP);
    nanosleep(&longer, NULL);
    dt_launched_signal(&run, SIGCONT);
    kill(run.pid, SIGUSR1);
    dt_launched_end(&run, limit, 0);
}

static void dies_with_its_ranks(dt_world *world)
{
    (void)world;
    for (int ranks = 1; ranks <= 4; ranks++) {
        start(ranks, "resist", ages);
        kill(run.pid, SIGKILL);
        dt_launched_end(&run, limit, 128 + SIGKILL);
    }
}

/* Send a signal to the launcher, or with it to its ranks, inside calls and
 * before ranks have begun. */
static void end_at_any_time(int number, bool to_all)
{
    const char *arguments[] = {"kill soon", "-1", "1", NULL};
    dt_launch_plan plan = {.ranks = 3, .grace = ages, .arguments = arguments};
    for (int i = 0; i < 40; i++) {
        struct timespec moment = {.tv_nsec = i * i * 20000};
        dt_launched_start(&run, &plan);
        nanosleep(&moment, NULL);
        kill(to_all ? -run.pid : run.pid, number);
        dt_launched_end(&run, limit, 128 + number);
    }
}

static void ends_at_any_time(dt_world *world)
{
    (void)world;
    end_at_any_time(SIGTERM, false);
    end_at_any_time(SIGINT, true);
}

static void dies_with_its_ranks_at_any_time(dt_world *world)
{
    (void)world;
    end_at_any_time(SIGKILL, false);
}

/* What a rank starts does not outlive the run, whatever it does about it. */
static void ends_orphans(dt_world *world)
{
    static const char *const scripts[] = {
        "sleep 1000 & exit 0",
        "setsid sleep 1000 & exit 0",
        "(sleep 1000 & sleep 1000 & sleep 0.1) & exit 0",
        "trap '' TERM; (sleep 1000; sleep 1000) & exit 0",
    };
    (void)world;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        start_shell(3, scripts[i], i % 2);
        dt_launched_end(&run, limit, 0);
    }
}

/* Wait until the launcher has so many children. */
static void wait_for_children(int count)
{
    const struct timespec moment = {.tv_nsec = 1000 * 1000};
    int64_t end = dti_clock_now() + (int64_t)(limit * 1e9);
    int seen;
    while ((seen = dt_launched_children(&run)) != count &&
           dti_clock_now() < end)
        nanosleep(&moment, NULL);
    CHECK_INT(seen, count);
}

/* Orphans that end while the run goes on leave nothing behind. */
static void forgets_orphans_that_end(dt_world *world)
{
    (void)world;
    start_shell(2,
                "for i in 1 2 3 4 5 6 7 8 9; do (true &); done; "
                "echo ready; exec sleep 1000",
                false);
    dt_launched_read(&run, "ready\n", 2, limit);
    wait_for_children(3); /* two ranks and the warden */
    kill(run.pid, SIGTERM);
    dt_launched_end(&run, limit, 128 + SIGTERM);
}

/* Nor does it outlive a launcher that is killed, alone or with its group. */
static void dies_with_what_its_ranks_started(dt_world *world)
{
    static const char *const scripts[] = {
        "sleep 1000 & echo ready; wait",
        "setsid sleep 1000 & echo ready; sleep 1000; true",
        "(trap '' TERM HUP; sleep 1000; sleep 1000) & echo ready; wait",
        "(while :; do sleep 0.001 & sleep 0.001; done) & echo ready; wait",
        /* A rank that is a launcher: its parent is the command. */
        "/proc/$PPID/exe run -n 2 sh -c 'sleep 1000 & wait' & echo ready; wait",
    };
    (void)world;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        for (int group = 0; group < 2; group++) {
            start_shell(3, scripts[i], group);
            dt_launched_read(&run, "ready\n", 3, limit);
            kill(group ? -run.pid : run.pid, SIGKILL);
            dt_launched_end(&run, limit, 128 + SIGKILL);
        }
    }
}

/* Without a warden all goes on, but not without a word. */
static void does_without_a_warden(dt_world *world)
{
    (void)world;
    start_shell(2,
                "echo ready; while :; do (true &); sleep 0.01; done; "
                "sleep 1000",
                false);
    dt_launched_read(&run, "ready\n", 2, limit);
    pid_t warden = dt_launched_child(&run, "dt-warden");
    if (CHECK(warden > 0))
        kill(warden, SIGKILL);
    dt_launched_read(&run, "the warden is gone", 1, limit);
    wait_for_children(2);
    kill(run.pid, SIGTERM);
    dt_launched_end(&run, limit, 128 + SIGTERM);
}

/* The first ranks remove the program before the last can become it; what they
 * have started is ended with them.  Ranks that were faster exit with the status
 * that the command has for such a program. */
static void ends_orphans_of_a_program_that_is_gone(dt_world *world)
{
    static const char script[] =
        "#!/bin/sh\nsleep 1000 & rm -f \"$0\"; exit 127\n";
    (void)world;
    for (int i = 0; i < 10; i++) {
        char path[] = "/tmp/dt-gone-XXXXXX";
        int file = mkstemp(path);
        if (!CHECK(file >= 0 && fchmod(file, 0700) == 0))
            return;
        CHECK(write(file, script, sizeof script - 1) ==
              (ssize_t)sizeof script - 1);
        close(file);
        dt_launch_plan plan = {.ranks = 40, .grace = ages, .program = path};
        dt_launched_start(&run, &plan);
        dt_launched_end(&run, limit, 127);
    }
}

static void tags_lines(dt_world *world)
{
    (void)world;
    start_shell(3,
                "echo out $DT_SHM_RANK; echo err $DT_SHM_RANK >&2; echo; "
                "printf 'no end'",
                true);
    dt_launched_end(&run, limit, 0);
    for (int i = 0; i < 3; i++) {
        char line[64];
        snprintf(line, sizeof line, "[%d] out %d\n", i, i);
        CHECK_INT(dt_launched_says(&run, line), 1);
        snprintf(line, sizeof line, "[%d] err %d\n", i, i);
        CHECK_INT(dt_launched_says(&run, line), 1);
        snprintf(line, sizeof line, "[%d] \n", i);
        CHECK_INT(dt_launched_says(&run, line), 1);
        snprintf(line, sizeof line, "[%d] no end\n", i);
        CHECK_INT(dt_launched_says(&run, line), 1);
    }
}

/* Lines of ranks that write at the same time stay whole. */
static void keeps_lines_whole(dt_world *world)
{
    (void)world;
    start_shell(4,
                "i=0; while [ $i -lt 200 ]; do echo begin $DT_SHM_RANK $i end; "
                "i=$((i+1)); done",
                true);
    dt_launched_end(&run, limit, 0);
    int lines = 0;
    for (const char *at = run.text; *at; lines++) {
        int tag;
        int rank;
        int number;
        char end[8];
        if (!CHECKF(sscanf(at, "[%d] begin %d %d %3s\n", &tag, &rank, &number,
                           end) == 4 &&
                        tag == rank && strcmp(end, "end") == 0,
                    "%.60s", at))
            break;
        at = strchr(at, '\n') + 1;
    }
    CHECK_INT(lines, 800);
}

/* A rank that fails is not held up by one that does not end. */
static void ends_the_rest(dt_world *world)
{
    (void)world;
    start_shell(3, "test $DT_SHM_RANK != 1 || exit 7; sleep 1000", false);
    dt_launched_end(&run, limit, 7);
    CHECK_INT(
        dt_launched_says(&run, "dtensor run: rank 1 exited with status 7\n"),
        1);
}

/* A process is a rank once, and what it starts is none. */
static void opens_one_world(dt_world *world)
{
    (void)world;
    const char *arguments[] = {"after", "0", "5", NULL};
    dt_launch_plan plan = {.ranks = 3, .arguments = arguments};
    dt_launched_start(&run, &plan);
    dt_launched_end(&run, limit, 0);
    CHECKF(dt_launched_says(&run, "sum 80000\n") == 3 &&
               dt_launched_says(&run, "second world: DT_ERR_COMM: ") == 3 &&
               dt_launched_says(&run, "can open one world") == 6 &&
               dt_launched_says(&run, "child: DT_ERR_COMM\n") == 3,
           "%s", run.text);
}

/* Tests that fail or hang on one process fail on all. */
static void runs_tests(dt_world *world)
{
    static const char *const tests[] = {"fails on one rank",
                                        "hangs on one rank"};
    static const char *const alarms[] = {"DT_TEST_ALARM=600",
                                         "DT_TEST_ALARM=1"};
    (void)world;
    for (int i = 0; i < 2; i++) {
        const char *arguments[] = {"--process", "--only", tests[i], NULL};
        char verdict[64];
        dt_launch_plan plan = {.ranks = 3,
                               .grace = ages,
                               .arguments = arguments,
                               .program = "test_harness_ranks",
                               .setting = alarms[i]};
        dt_launched_start(&run, &plan);
        dt_launched_end(&run, limit, 1);
        snprintf(verdict, sizeof verdict, "FAIL %s\n", tests[i]);
        CHECKF(dt_launched_says(&run, verdict) == 1, "%s", run.text);
        CHECKF(dt_launched_says(&run, "0 passed, 1 failed\n") == 1, "%s",
               run.text);
    }
}

const dt_test dt_tests[] = {
    {"ends by Ctrl-C", ends_by_ctrl_c},
    {"passes signals on", passes_signals_on},
    {"leaves typed signals to the terminal",
     leaves_typed_signals_to_the_terminal},
    {"passes the end of the terminal on", passes_the_end_of_the_terminal_on},
    {"passes user signals on", passes_user_signals_on},
    {"forces ranks that resist", forces_ranks_that_resist},
    {"is hastened by more signals", is_hastened_by_more_signals},
    {"ends stopped ranks", ends_stopped_ranks},
    {"lets a run be suspended", lets_a_run_be_suspended},
    {"ends at any time", ends_at_any_time},
    {"dies with its ranks", dies_with_its_ranks},
    {"dies with its ranks at any time", dies_with_its_ranks_at_any_time},
    {"ends orphans", ends_orphans},
    {"dies with what its ranks started", dies_with_what_its_ranks_started},
    {"forgets orphans that end", forgets_orphans_that_end},
    {"does without a warden", does_without_a_warden},
    {"ends orphans of a program that is gone",
     ends_orphans_of_a_program_that_is_gone},
    {"tags lines", tags_lines},
    {"keeps lines whole", keeps_lines_whole},
    {"ends the rest", ends_the_rest},
    {"can open one world", opens_one_world},
    {"runs tests", runs_tests},
    {NULL, NULL},
};
