/* dtensor/launch.h - starting ranks that are processes of this machine. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LAUNCH_H
#define DTENSOR_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/log.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/* What to start, and how.  Start from DT_LAUNCH_OPTIONS_INIT. */
typedef struct dt_launch_options {
    size_t size;         /* sizeof(dt_launch_options) */
    int ranks;           /* number of processes */
    char *const *argv;   /* the program, found as a shell does, its arguments,
                            and NULL */
    bool tag;            /* begin each line that a rank writes with "[rank] " */
    double grace;        /* seconds that the others get to end by themselves
                            once a rank has failed; 0: five */
    dt_log_function log; /* told which rank died of what; nobody if NULL */
    void *log_arg;       /* passed to log */
} dt_launch_options;

#define DT_LAUNCH_OPTIONS_INIT                                                 \
    {                                                                          \
        sizeof(dt_launch_options), 0, 0, 0, 0, 0, 0                            \
    }

/*
 * Run a program as ranks that are processes sharing memory, and wait until all
 * have ended.
 *
 * Not collective.  DT_OK if the program could be started; `exit_code` is then
 * the worst exit status of the ranks, 128 + n for signal n.  A rank that dies,
 * fails or ends without closing its world is an error, DT_ERR_PEER, on the
 * others at once; those that have not ended after the grace period are ended,
 * with SIGTERM and, after as long again but a second at least, with SIGKILL.
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to the
 * ranks meanwhile.  Only rank 0 reads stdin.  When this returns no process that
 * a rank started is left; if the caller dies, so do the ranks and what they
 * have started.
 *
 * It is for a program that has nothing else to do: one thread, which takes no
 * signals of its own and starts no other processes while this runs.
 */
DT_API DT_MUST_USE dt_status dt_launch(const dt_launch_options *options,
                                       int *exit_code, dt_error *error);

DT_EXTERN_C_END

#endif
