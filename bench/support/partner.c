/* bench/support/partner.c - a program that is asked line by line. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/partner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/support/timing.h"

#define MAX_ARGUMENTS 8

/* Become the program; does not return. */
static void become(const char *const *argv, const char *const *environment,
                   int input, int output)
{
    char *copy[MAX_ARGUMENTS + 1] = {NULL};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    for (; environment && environment[0]; environment += 2)
        setenv(environment[0], environment[1], 1);
    for (int i = 0; argv[i] && i < MAX_ARGUMENTS; i++)
        copy[i] = strdup(argv[i]);
    if (copy[0])
        execv(copy[0], copy);
    _exit(127);
}

bool bench_partner_start(const char *const *argv,
                         const char *const *environment, bench_partner *out)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    memset(out, 0, sizeof *out);
    fflush(stdout);
    /* A partner that ended must not end us as we ask it. */
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0) {
        out->child = fork();
        if (out->child == 0)
            become(argv, environment, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    out->from = from[0];
    out->to = out->child > 0 ? fdopen(to[1], "w") : NULL;
    if (out->to)
        return true;
    bench_note("cannot run %s: %s", argv[0], strerror(errno));
    close(to[1]);
    bench_partner_stop(out);
    return false;
}

/* Take a whole line out of what was read. */
static bool take_line(bench_partner *partner, char *answer, size_t size)
{
    char *end = memchr(partner->line, '\n', partner->used);
    if (!end)
        return false;
    *end = 0;
    snprintf(answer, size, "%s", partner->line);
    partner->used -= (size_t)(end + 1 - partner->line);
    memmove(partner->line, end + 1, partner->used);
    return true;
}

/* Read some more; false if there will be no more, or not in time. */
static bool read_more(bench_partner *partner, double seconds)
{
    struct pollfd wait = {.fd = partner->from, .events = POLLIN};
    size_t room = sizeof partner->line - partner->used;
    if (!room || seconds <= 0 || poll(&wait, 1, (int)(1e3 * seconds) + 1) <= 0)
        return false;
    ssize_t got = read(partner->from, partner->line + partner->used, room);
    if (got <= 0)
        return false;
    partner->used += (size_t)got;
    return true;
}

bool bench_partner_ask(bench_partner *partner, const char *question,
                       double limit, char *answer, size_t size)
{
    double deadline = bench_now() + limit;
    if (!partner->to || fprintf(partner->to, "%s\n", question) < 0 ||
        fflush(partner->to) != 0)
        return false;
    while (!take_line(partner, answer, size))
        if (!read_more(partner, deadline - bench_now()))
            return false;
    return true;
}

void bench_partner_stop(bench_partner *partner)
{
    if (partner->to)
        fclose(partner->to);
    if (partner->child > 0) {
        kill(-partner->child, SIGKILL);
        waitpid(partner->child, NULL, 0);
    }
    if (partner->from >= 0)
        close(partner->from);
    memset(partner, 0, sizeof *partner);
    partner->from = -1;
}
