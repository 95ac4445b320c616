/* bench/bench.h - what a suite of benchmarks is, and how it reports. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>

#include <dtensor/status.h>

/* What was asked for, and where results go. */
typedef struct bench_run {
    int ranks;             /* 0: the suite's own choice */
    const char *transport; /* never NULL */
    const char *only;      /* text that case names must contain; may be NULL */
    bool json;
    bool list; /* name the cases, time nothing */
    /* The rest is the reporter's own. */
    const struct bench_suite *suite;
    struct bench_report_state *state;
    dt_error error; /* of a suite that failed */
} bench_run;

/*
 * A suite: a row at the end of its file in bench/, named bench_suite_<file>.
 */
typedef struct bench_suite {
    const char *name;
    const char *summary;

    /* Time the cases that bench_wanted lets pass and report them.  A failure is
     * left in run->error. */
    dt_status (*run)(bench_run *run);

    /* Be one of the ranks that `run` starts, by this command with --worker:
     * argv[1] on is what `run` wrote there.  Gives the exit status.  Optional.
     */
    int (*worker)(int argc, char **argv);

    /* Install and build the peers; false if that failed, which stderr then
     * says.  Optional. */
    bool (*setup)(void);
} bench_suite;

/* All of them, NULL after the last; the build writes it from file names. */
extern const bench_suite *const bench_suites[];

/* How JSON has a time; or what is no time.  Less is better. */
typedef enum bench_unit {
    BENCH_MICROSECONDS,
    BENCH_SECONDS,
    BENCH_TIMES, /* how many times the least that there can be */
} bench_unit;

/* One case against one reference. */
typedef struct bench_result {
    const char *name; /* subject, size, ranks and transport */
    double ours;      /* seconds, whatever the unit of time */
    double reference; /* the same */
    const char *reference_name;
    bench_unit unit;
    double bar; /* the least ratio that is good enough; 0: there is none */
} bench_result;

/* Tell whether a case is to be timed; names it where only names are wanted. */
bool bench_wanted(bench_run *run, const char *name);

/* Report a result: a line of JSON at once, or a row of the table at the end. */
void bench_report(bench_run *run, const bench_result *result);

/* Report a case that has no reference here: in the table alone. */
void bench_report_alone(bench_run *run, const char *name, double ours);

/* Remark on stderr that something was left out, and why. */
void bench_note(const char *format, ...) DT_PRINTF(1, 2);

/* Show on a terminal what is being done; NULL takes it away. */
void bench_progress(const char *text);

/* Run a suite with the reporter around it. */
dt_status bench_run_suite(bench_run *run, const bench_suite *suite);

#endif
