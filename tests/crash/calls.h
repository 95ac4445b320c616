/* tests/crash/calls.h - calls that change files: counted, failed, recorded, or
 * the last thing that a process does. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_CRASH_CALLS_H
#define DT_TESTS_CRASH_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The program is linked so that write, pwrite, fsync, fdatasync, rename,
 * renameat, renameat2, mkdir, mkdirat, unlink, unlinkat, ftruncate and
 * fallocate, and open and openat with O_CREAT, come here first.  Calls of paths
 * outside the watched folder are not seen.
 */

typedef enum call_kind {
    CALL_CREATE,
    CALL_MKDIR,
    CALL_WRITE,
    CALL_SIZE,
    CALL_SYNC,
    CALL_RENAME,
    CALL_EXCHANGE,
    CALL_REMOVE,
    CALL_KINDS
} call_kind;

/* A call that was made. */
typedef struct call {
    call_kind kind;
    char path[256]; /* within the watched folder; "" is the folder itself */
    char to[256];   /* of a rename */
    long offset;    /* of a write */
    long bytes;     /* of a write, or the new size */
    char *data;     /* of a write */
} call;

/* What happens at a call. */
typedef enum call_action {
    ACT_NOTHING,
    ACT_KILL, /* the process ends before it */
    ACT_FAIL, /* it returns an error, if it is of this kind */
    ACT_SHORT /* a write takes half of the bytes, at least one */
} call_action;

/* Watch a folder; calls count from 0. */
void watch_calls(const char *folder);

/* Act at call number `at`; ACT_FAIL with this errno. */
void act_at(long at, call_action action, int reason);

/* Record calls from here on. */
void record_calls(void);

long calls_seen(void);

/* What was recorded; freed by forget_calls. */
const call *recorded_calls(size_t *count);
void forget_calls(void);

#endif
