/* bench/command/bench.c - `dtensor bench`: how fast, against whom. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/message.h"
#include "base/text/nearest.h"
#include "bench/bench.h"
#include "cli/command.h"
#include "cli/options.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void list_suites(FILE *stream)
{
    for (const bench_suite *const *row = bench_suites; *row; row++)
        fprintf(stream, "%-12s %s\n", (*row)->name, (*row)->summary);
}

static const bench_suite *find_suite(const char *name)
{
    const char *nearest = NULL;
    for (const bench_suite *const *row = bench_suites; *row; row++) {
        if (strcmp((*row)->name, name) == 0)
            return *row;
        nearest = dti_nearer(name, nearest, (*row)->name);
    }
    dti_message_print(stderr, "dtensor bench: there is no suite \"%s\"", name);
    if (nearest)
        dti_message_print(stderr, "; did you mean \"%s\"?\n", nearest);
    else
        fputs("; dtensor bench --list lists them\n", stderr);
    return NULL;
}

static int run_suite(bench_run *run, const char *name)
{
    if (bench_run_suite(run, find_suite(name)) == DT_OK)
        return DTI_EXIT_OK;
    dti_message_print(stderr, "dtensor bench: %s: %s: %s\n", name,
                      dt_status_name(run->error.code), run->error.message);
    return DTI_EXIT_FAILED;
}

/* The suites are argv[1] to argv[count]. */
static int run_suites(bench_run *run, char **argv, int count, bool setup)
{
    int status = DTI_EXIT_OK;
    for (int i = 1; i <= count; i++)
        if (!find_suite(argv[i]))
            return DTI_EXIT_USAGE;
    for (int i = 1; setup && i <= count; i++) {
        const bench_suite *suite = find_suite(argv[i]);
        if (suite->setup && !suite->setup())
            status = DTI_EXIT_FAILED;
    }
    for (int i = 1; i <= count && status == DTI_EXIT_OK; i++) {
        if (i > 1 && !run->json && !run->list)
            putchar('\n');
        status = run_suite(run, argv[i]);
    }
    return status;
}

/* A rank that a suite started: argv[1] is the suite, the rest for it. */
static int run_worker(int count, char **argv)
{
    const bench_suite *suite = count ? find_suite(argv[1]) : NULL;
    return suite && suite->worker ? suite->worker(count, argv + 1)
                                  : DTI_EXIT_USAGE;
}

static int bench(int argc, char **argv)
{
    bench_run run = {.transport = "threads"};
    bool setup = false, worker = false;
    int operands;
    const dti_option options[] = {
        {.name = "--ranks", .number = &run.ranks},
        {.name = "--transport", .text = &run.transport},
        {.name = "--only", .text = &run.only},
        {.name = "--json", .flag = &run.json},
        {.name = "--list", .flag = &run.list},
        {.name = "--setup", .flag = &setup},
        {.name = "--worker", .flag = &worker},
    };
    if (!dti_options_read(argc, argv, options, COUNT_OF(options), &operands))
        return DTI_EXIT_USAGE;
    /* A rank has one thread, as a process of a peer has, unless a suite is
     * about threads. */
    setenv("DT_THREADS", "1", 0);
    if (worker) {
        argv[operands + 1] = NULL;
        return run_worker(operands, argv);
    }
    if (operands)
        return run_suites(&run, argv, operands, setup);
    if (run.list) {
        list_suites(stdout);
        return DTI_EXIT_OK;
    }
    fputs("dtensor bench: which suite?\n", stderr);
    list_suites(stderr);
    return DTI_EXIT_USAGE;
}

const dti_command dti_command_bench = {
    .name = "bench",
    .usage = "SUITE... [--ranks N] [--transport NAME] [--only TEXT] [--json] "
             "[--list] [--setup]",
    .summary = "time the library against references on this machine",
    .help =
        "  --ranks N         number of ranks, instead of those of the "
        "suite\n"
        "  --transport NAME  transport: threads (default), shm, "
        "mpi\n"
        "  --only TEXT       run the cases whose name contains this\n"
        "  --json            one JSON object per line, case and reference\n"
        "  --list            list the cases, or without a suite the "
        "suites\n"
        "  --setup           install and build the peers first\n"
        "\n"
        "A ratio above 1 means that dtensor is better, whatever the unit.\n",
    .run = bench,
};
