/* bench/support/partner.h - a program that is asked line by line. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUPPORT_PARTNER_H
#define BENCH_SUPPORT_PARTNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* A program that answers each line with a line, so that it can be timed in
 * turns with us without being started again. */
typedef struct bench_partner {
    pid_t child;
    FILE *to;
    int from;
    char line[256]; /* what was read beyond the last answer */
    size_t used;
} bench_partner;

/* Start it; argv[0] is a path, the environment as of bench_peer.  False, with a
 * note, if that failed. */
bool bench_partner_start(const char *const *argv,
                         const char *const *environment, bench_partner *out);

/* Ask, and wait so many seconds for the answer, which is without its newline.
 * False if there is none: the program ended, or is too slow. */
bool bench_partner_ask(bench_partner *partner, const char *question,
                       double limit, char *answer, size_t size);

/* End it. */
void bench_partner_stop(bench_partner *partner);

#endif
