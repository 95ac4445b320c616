/* tests/support/launched.h - `dtensor run` as tests start and watch it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_LAUNCHED_H
#define DT_TESTS_LAUNCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * One run: the launcher in a process group of its own, what it and its ranks
 * wrote, and how it ended.  All processes of it carry a mark in their
 * environment, by which they are found and, at the end of the test, ended.  If
 * the test program dies, so do they.
 */
typedef struct dt_launched {
    pid_t pid; /* of the launcher and its group */
    char mark[64];
    int named;    /* names in the folder of shared memory before it */
    int output;   /* where stdout and stderr come out */
    int terminal; /* the side of it where one types; -1: there is none */
    size_t used;
    char text[1 << 16];
    bool ended; /* by itself and in time */
    int code;   /* its exit status; 128 + n for signal n */
} dt_launched;

/* What to run.  Start from zeros. */
typedef struct dt_launch_plan {
    int ranks;
    const char *grace;            /* seconds; NULL: 1 */
    const char *const *arguments; /* of the program, up to a NULL */
    const char *program;          /* beside the test program; NULL: the one that
                                     tests/process/rank.c makes */
    const char *setting; /* "NAME=value" for its environment, or NULL */
    bool tag;
    bool terminal; /* the launcher leads a session with a terminal */
} dt_launch_plan;

/* Start a run. */
void dt_launched_start(dt_launched *run, const dt_launch_plan *plan);

/* Read what it writes until `text` has come so many times.  That it takes
 * longer than the limit is a failed check; gives whether it did not. */
bool dt_launched_read(dt_launched *run, const char *text, int times,
                      double seconds);

/* Close its terminal, if it has one. */
void dt_launched_hang_up(dt_launched *run);

/* Wait until it has ended and check that it did, in time, with this exit
 * status, and left no process and no memory.  Gives all that it wrote. */
const char *dt_launched_end(dt_launched *run, double seconds, int code);

/* How many processes of it there are. */
int dt_launched_count(const dt_launched *run);

/* How many its launcher is the parent of, those that have ended included. */
int dt_launched_children(const dt_launched *run);

/* The number of a child of its launcher with this name; 0 if there is none. */
pid_t dt_launched_child(const dt_launched *run, const char *name);

/* Send a signal to all of them. */
void dt_launched_signal(const dt_launched *run, int number);

/* Tell how often a text stands in what the run wrote. */
int dt_launched_says(const dt_launched *run, const char *text);

#endif
