/* tests/process/faults.c - a rank dies, stalls or strays: the others are told.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/launched.h"

/* How long a run may take that is expected to fail, and how long the others
 * may be left without the news: far less than DT_TIMEOUT, after which they
 * would notice by themselves.  The launcher ends no rank of these runs. */
static const double run_limit = 300;
static const double news_limit = 60;
static const char *const grace = "1000";

/* Calls before which faults are committed; all 200 if DT_TEST_FULL is set. */
static const int few_points[] = {1, 2, 3, 5, 8, 13, 21, 40, 77, 120, 163, 200};

/* What is expected of a fault. */
typedef struct expectation {
    const char *fault;
    const char *status; /* of the others; NULL: all ends well */
    const char *words;  /* of the sentence, after "rank VICTIM " */
    bool launcher_says; /* so does the launcher */
    int code;           /* of the run */
    bool all_fail;      /* the victim too gets the error */
    bool stops;         /* the victim is stopped */
    const char *setting;
    const char *says; /* what each of the others says besides, or NULL */
    int points;       /* of few_points, evenly; 0: all */
} expectation;

/* The longest time from a fault to the news of it, for those who read logs. */
static double slowest;

/* Read the time in a line that begins at `line`, after " at ". */
static int64_t time_in(const char *line)
{
    const char *at = strstr(line, " at ");
    return at ? strtoll(at + 4, NULL, 10) : 0;
}

static void check_news(const dt_launched *run, int rank, const char *status,
                       const char *sentence)
{
    char begin[64];
    snprintf(begin, sizeof begin, "rank %d: %s at ", rank, status);
    const char *line = strstr(run->text, begin);
    const char *fault = strstr(run->text, "fault at ");
    if (!CHECKF(line && fault, "no line \"%s\" in: %s", begin, run->text))
        return;
    char copy[2048];
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
    CHECKF(strstr(copy, sentence) != NULL, "no \"%s\" in: %s", sentence,
           run->text);
    double seconds = (double)(time_in(line) - time_in(fault)) * 1e-9;
    CHECKF(seconds < news_limit, "told after %g s: %s", seconds, copy);
    if (seconds > slowest)
        slowest = seconds;
    snprintf(begin, sizeof begin, "rank %d: again the same\n", rank);
    CHECKF(strstr(run->text, begin) || strstr(run->text, "recovered"),
           "no \"%s\" in: %s", begin, run->text);
}

static void check_run(const expectation *expected, const dt_launched *run,
                      int ranks, int victim)
{
    char sentence[256];
    char said[320];
    snprintf(sentence, sizeof sentence, "rank %d %s", victim, expected->words);
    for (int i = 0; i < ranks; i++)
        if (i != victim || expected->all_fail)
            check_news(run, i, expected->status, sentence);
    if (expected->says)
        CHECKF(dt_launched_says(run, expected->says) == ranks - 1,
               "not %d times \"%s\": %s", ranks - 1, expected->says, run->text);
    snprintf(said, sizeof said, "dtensor run: %s", sentence);
    if (expected->launcher_says)
        CHECKF(strstr(run->text, said) != NULL, "no \"%s\" in: %s", said,
               run->text);
    if (expected->code == 0)
        CHECK_INT(dt_launched_says(run, ": recovered\n"), ranks);
    else if (strcmp(expected->status, "DT_ERR_PEER") == 0)
        CHECK_INT(dt_launched_says(run, "recovery gives DT_ERR_PEER"),
                  expected->all_fail ? ranks : ranks - 1);
}

/* A fault that is committed. */
typedef struct trial {
    int ranks;
    int victim;
    dt_launched run;
} trial;

static void commit(const expectation *expected, trial *made, int ranks,
                   int victim, int point)
{
    char texts[2][16];
    snprintf(texts[0], sizeof texts[0], "%d", victim);
    snprintf(texts[1], sizeof texts[1], "%d", point);
    const char *arguments[] = {expected->fault, texts[0], texts[1], NULL};
    dt_launch_plan plan = {.ranks = ranks,
                           .grace = grace,
                           .arguments = arguments,
                           .setting = expected->setting};
    made->ranks = ranks;
    made->victim = victim;
    dt_launched_start(&made->run, &plan);
}

static void judge(const expectation *expected, trial *made)
{
    /* Those that wait for one that is stopped have said all when it goes on. */
    if (expected->stops) {
        dt_launched_read(&made->run, ": recovery gives", made->ranks - 1,
                         run_limit);
        dt_launched_signal(&made->run, SIGCONT);
    }
    dt_launched_end(&made->run, run_limit, expected->code);
    check_run(expected, &made->run, made->ranks, made->victim);
}

/* On 2, 3 and 4 ranks, at many calls, each time with another victim. */
static void sweep(const expectation *expected)
{
    enum { AT_ONCE = 9 };
    static trial trials[AT_ONCE];
    bool full = getenv("DT_TEST_FULL") != NULL;
    int all = (int)(sizeof few_points / sizeof *few_points);
    int count = expected->points ? expected->points : full ? 200 : all;
    /* Ranks that wait leave the machine to others. */
    int at_once = expected->stops ? AT_ONCE : 1;
    int begun = 0;
    for (int ranks = 2; ranks <= 4; ranks++) {
        for (int i = 0; i < count; i++) {
            int point = expected->points ? few_points[i * all / count]
                        : full           ? i + 1
                                         : few_points[i];
            commit(expected, &trials[begun++], ranks, (i + ranks) % ranks,
                   point);
            if (begun < at_once)
                continue;
            for (int k = 0; k < begun; k++)
                judge(expected, &trials[k]);
            begun = 0;
        }
    }
    CHECK_INT(begun, 0);
    fprintf(stderr, "  %s: the others were told within %.1f ms\n",
            expected->fault, slowest * 1e3);
    slowest = 0;
}

static void killed(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "kill",
                         .status = "DT_ERR_PEER",
                         .words = "was killed by signal 9 (Killed)",
                         .launcher_says = true,
                         .code = 128 + SIGKILL});
}

static void killed_inside(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "kill soon",
                         .status = "DT_ERR_PEER",
                         .words = "was killed by signal 9 (Killed)",
                         .launcher_says = true,
                         .code = 128 + SIGKILL});
}

static void crashed(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "crash",
                         .status = "DT_ERR_PEER",
                         .words = "was killed by signal 11 (Segm",
                         .launcher_says = true,
                         .code = 128 + SIGSEGV});
}

static void exited(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "exit",
                         .status = "DT_ERR_PEER",
                         .words = "exited with status 0 without "
                                  "closing its world",
                         .launcher_says = true,
                         .code = 1});
}

static void exited_with_status(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "exit 3",
                         .status = "DT_ERR_PEER",
                         .words = "exited with status 3 without "
                                  "closing its world",
                         .launcher_says = true,
                         .code = 3});
}

static void left_early(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "leave",
                         .status = "DT_ERR_PEER",
                         .words = "returned from its program",
                         .code = 1});
}

static void closed_in_a_call(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "close in call",
                         .status = "DT_ERR_PEER",
                         .words = "failed: the world was closed with calls "
                                  "under way",
                         .code = 1,
                         .points = 3});
}

static void failed_in_a_call(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "fail in call",
                         .status = "DT_ERR_PEER",
                         .words = "failed: the program returned",
                         .code = 1,
                         .points = 3});
}

static void stalled(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "stop",
                         .status = "DT_ERR_PEER",
                         .words = "did not join",
                         .setting = "DT_TIMEOUT=3",
                         .all_fail = true,
                         .stops = true,
                         .code = 1,
                         .points = 3});
}

/* What it has read or written since the others gave up counts for nothing. */
static void stalled_inside(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "stop inside",
                         .status = "DT_ERR_PEER",
                         .words = "did not join",
                         .says = ": kept\n",
                         .setting = "DT_TIMEOUT=3",
                         .all_fail = true,
                         .stops = true,
                         .code = 1,
                         .points = 3});
}

static void called_another_collective(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "collective",
                         .status = "DT_ERR_DIVERGED",
                         .words = "called all-reduce(min) of 100 f32",
                         .all_fail = true,
                         .code = 1});
}

static void gave_another_size(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "size",
                         .status = "DT_ERR_DIVERGED",
                         .words = "called all-reduce(sum) of 40000 f32",
                         .all_fail = true,
                         .code = 1});
}

static void used_groups_in_another_order(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "order",
                         .status = "DT_ERR_DIVERGED",
                         .words = "in barrier",
                         .all_fail = true,
                         .code = 1});
}

static void ran_out_of_memory(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "memory",
                         .status = "DT_ERR_PEER",
                         .words = "failed: ",
                         .setting = "DT_MEMORY_LIMIT=64Mi",
                         .code = 0});
}

static void had_no_room_for_staging(dt_world *world)
{
    (void)world;
    sweep(&(expectation){.fault = "staging",
                         .status = "DT_ERR_PEER",
                         .words = "failed: ",
                         .setting = "DT_MEMORY_LIMIT=64Mi",
                         .code = 0,
                         .points = 3});
}

const dt_test dt_tests[] = {
    {"a rank is killed", killed},
    {"a rank is killed inside a call", killed_inside},
    {"a rank crashes", crashed},
    {"a rank exits", exited},
    {"a rank exits with a status", exited_with_status},
    {"a rank leaves early", left_early},
    {"a rank closes its world in a call", closed_in_a_call},
    {"a rank fails in a call", failed_in_a_call},
    {"a rank stalls", stalled},
    {"a rank stalls inside a copy", stalled_inside},
    {"a rank calls another collective", called_another_collective},
    {"a rank gives another size", gave_another_size},
    {"a rank uses groups in another order", used_groups_in_another_order},
    {"a rank runs out of memory", ran_out_of_memory},
    {"a rank has no room for staging", had_no_room_for_staging},
    {NULL, NULL},
};
