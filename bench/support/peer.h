/* bench/support/peer.h - other programs, run to compare with. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_PEER_H
#define BENCH_SUPPORT_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* A program to run.  Lists end with NULL. */
typedef struct bench_peer {
    const char *const *argv;        /* argv[0] is a path */
    const char *const *environment; /* name, value, name, ...; may be NULL */
    double limit;                   /* seconds, after which it is ended */
    int exit_status;                /* that it has when all is well */
    /* Given each line of its output, without the newline. */
    void (*line)(void *arg, char *line);
    void *arg;
} bench_peer;

/* Run a program to its end; false, with a note, if it did not end well. */
bool bench_peer_run(const bench_peer *peer);

/* Find the file of this command. */
bool bench_peer_self(char *path, size_t size);

/* Find a program in PATH. */
bool bench_peer_find(const char *name, char *path, size_t size);

/* Find a peer that the build made: in libexec/dtensor/ beside bin/. */
bool bench_peer_built(const char *name, char *path, size_t size);

/*
 * Install the peers and build what uses them, from the source tree that this
 * command was built in; false if that failed, or there is none, which stderr
 * then says.
 */
bool bench_peer_setup(void);

/*
 * Find the Python that has the peers which are written for it, and a script of
 * bench/peers/, in the source tree that this command was built in.
 */
bool bench_peer_python(const char *name, char *python, char *script,
                       size_t size);

/* Install these peers, as bench_peer_setup does the others. */
bool bench_peer_setup_python(void);

#endif
