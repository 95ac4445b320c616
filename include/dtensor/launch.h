/* dtensor/launch.h - starting ranks as processes on this machine. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LAUNCH_H
#define DTENSOR_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/log.h>
#include <dtensor/status.h>

DT_EXTERN_C_BEGIN

/* Options of dt_launch.  Start from DT_LAUNCH_OPTIONS_INIT. */
typedef struct dt_launch_options {
    size_t size; /* sizeof(dt_launch_options) */
    int ranks;   /* number of processes */
    char *const
        *argv; /* program (searched in PATH) and arguments, NULL-terminated */
    bool tag;  /* prefix each line that a rank writes with "[rank] " */
    /* After a rank has failed, seconds until the other ranks are terminated; 0:
     * five seconds. */
    double grace;
    dt_log_function log; /* receives which rank failed and how; may be NULL */
    void *log_arg;       /* passed to log */
} dt_launch_options;

#define DT_LAUNCH_OPTIONS_INIT                                                 \
    {                                                                          \
        sizeof(dt_launch_options), 0, 0, 0, 0, 0, 0                            \
    }

/*
 * Run a program on ranks that are processes with shared memory, and wait until
 * all have ended.
 *
 * Not collective.  Returns DT_OK if the program could be started; `exit_code`
 * is then the highest exit status of the ranks, 128 + n for signal n.  If a
 * rank dies, fails or ends without closing its world, the collectives of the
 * other ranks fail with DT_ERR_PEER immediately.  Ranks that are still running
 * after the grace period are terminated with SIGTERM, and after the same period
 * again, at least one second, with SIGKILL.
 *
 * SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are forwarded to the
 * ranks.  Only rank 0 reads stdin.  When this function returns, no process that
 * a rank started is left.  If the caller dies, the ranks and their children are
 * killed.
 *
 * The caller must be single-threaded, handle no signals and start no other
 * processes while this function runs.
 */
DT_API DT_MUST_USE dt_status dt_launch(const dt_launch_options *options,
                                       int *exit_code, dt_error *error);

DT_EXTERN_C_END

#endif
