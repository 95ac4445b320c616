/* bench/support/peer.c - other programs, run to compare with. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/support/peer.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/support/timing.h"

/* Seconds that a program has to end after it was asked to. */
#define GRACE 3.0

/* ---- Finding ------------------------------------------------------------ */

bool bench_peer_find(const char *name, char *path, size_t size)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        int length = (int)strcspn(folder, ":");
        int used = snprintf(path, size, "%.*s/%s", length, folder, name);
        if (length && used > 0 && (size_t)used < size &&
            access(path, X_OK) == 0)
            return true;
        folder += length;
        folder += *folder == ':';
    }
    return false;
}

bool bench_peer_self(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size);
    if (length < 0 || (size_t)length >= size)
        return false;
    path[length] = 0;
    return true;
}

/* The folder that holds bin/dtensor, which is this program. */
static bool find_prefix(char *path, size_t size)
{
    if (!bench_peer_self(path, size))
        return false;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return true;
}

/* Append to a path; false if it does not fit. */
static bool append(char *path, size_t size, const char *more)
{
    size_t used = strlen(path);
    int length = snprintf(path + used, size - used, "%s", more);
    return length >= 0 && (size_t)length < size - used;
}

bool bench_peer_built(const char *name, char *path, size_t size)
{
    return find_prefix(path, size) && append(path, size, "/libexec/dtensor/") &&
           append(path, size, name) && access(path, X_OK) == 0;
}

/* Find a file of the source tree that this command was built in: the nearest
 * folder above the build that has tools/setup. */
static bool find_in_tree(const char *name, char *path, size_t size)
{
    if (!find_prefix(path, size))
        return false;
    for (char *slash; (slash = strrchr(path, '/')); *slash = 0) {
        size_t length = strlen(path);
        bool found =
            append(path, size, "/tools/setup") && access(path, X_OK) == 0;
        path[length] = 0;
        if (found)
            return append(path, size, "/") && append(path, size, name);
    }
    return false;
}

bool bench_peer_python(const char *name, char *python, char *script,
                       size_t size)
{
    return find_in_tree("build/peers/bin/python", python, size) &&
           access(python, X_OK) == 0 &&
           find_in_tree("bench/peers/", script, size) &&
           append(script, size, name);
}

/* ---- Running ------------------------------------------------------------ */

/* Become the program; does not return. */
static void become(const bench_peer *peer, int output, int complaints)
{
    const char *const *pair = peer->environment;
    char *argv[512];
    size_t count = 0;
    /* A group of its own, ended as a whole, and not outliving us. */
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(output, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    for (; pair && pair[0]; pair += 2)
        setenv(pair[0], pair[1], 1);
    for (; peer->argv[count] && count + 1 < sizeof argv / sizeof *argv; count++)
        argv[count] = strdup(peer->argv[count]);
    argv[count] = NULL;
    execv(argv[0], argv);
    _exit(127);
}

/* Hand over the whole lines in a buffer; give how many bytes are left. */
static size_t hand_lines(const bench_peer *peer, char *buffer, size_t used)
{
    char *begin = buffer, *end;
    while ((end = memchr(begin, '\n', used - (size_t)(begin - buffer)))) {
        *end = 0;
        peer->line(peer->arg, begin);
        begin = end + 1;
    }
    used -= (size_t)(begin - buffer);
    memmove(buffer, begin, used);
    return used;
}

/* Read until the program closes its output; false if the limit passes first. */
static bool read_lines(const bench_peer *peer, int input)
{
    char buffer[4096];
    size_t used = 0;
    double deadline = bench_now() + peer->limit;
    for (;;) {
        double left = deadline - bench_now();
        struct pollfd wait = {.fd = input, .events = POLLIN};
        if (left <= 0)
            return false;
        if (poll(&wait, 1, (int)(1e3 * left) + 1) <= 0)
            continue;
        ssize_t got = read(input, buffer + used, sizeof buffer - used);
        if (got == 0)
            return true;
        if (got > 0)
            used = hand_lines(peer, buffer, used + (size_t)got);
        else if (errno != EINTR)
            return false;
        if (used == sizeof buffer)
            used = 0; /* no line of ours is as long */
    }
}

/* End a group of processes, asking first. */
static void end_group(pid_t child)
{
    double deadline = bench_now() + GRACE;
    siginfo_t ended = {0};
    kill(-child, SIGTERM);
    while (bench_now() < deadline && ended.si_pid == 0) {
        usleep(10000);
        waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    kill(-child, SIGKILL);
}

/* The first complaint that says something, in one line. */
static void note_failure(const char *program, const char *how, FILE *complaints)
{
    char line[256] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints))
        if (isalnum((unsigned char)line[0]) || line[0] == '[')
            break;
    line[strcspn(line, "\n")] = 0;
    bench_note("%s %s%s%s", program, how, *line ? ": " : "", line);
}

bool bench_peer_run(const bench_peer *peer)
{
    int ends[2];
    FILE *complaints = tmpfile();
    if (!complaints || pipe2(ends, O_CLOEXEC) != 0) {
        bench_note("cannot run %s: %s", peer->argv[0], strerror(errno));
        if (complaints)
            fclose(complaints);
        return false;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become(peer, ends[1], fileno(complaints));
    close(ends[1]);
    int status = -1;
    bool in_time = child > 0 && read_lines(peer, ends[0]);
    if (child > 0) {
        if (!in_time)
            end_group(child);
        waitpid(child, &status, 0);
    }
    close(ends[0]);
    bool well = in_time && WIFEXITED(status) &&
                WEXITSTATUS(status) == peer->exit_status;
    if (!well)
        note_failure(peer->argv[0], in_time ? "failed" : "took too long",
                     complaints);
    fclose(complaints);
    return well;
}

/* ---- Setting up --------------------------------------------------------- */

static void show_line(void *arg, char *line)
{
    (void)arg;
    fprintf(stderr, "%s\n", line);
}

static bool run_step(const char *const *argv)
{
    return bench_peer_run(
        &(bench_peer){.argv = argv, .limit = 1800, .line = show_line});
}

bool bench_peer_setup(void)
{
    char prefix[PATH_MAX], setup[PATH_MAX], cmake[PATH_MAX];
    if (!find_prefix(prefix, sizeof prefix) ||
        !find_in_tree("tools/setup", setup, sizeof setup)) {
        bench_note("--setup works in a source tree, with the command that was "
                   "built there; elsewhere install Open MPI (on Debian: "
                   "openmpi-bin, libopenmpi-dev)");
        return false;
    }
    if (!run_step((const char *const[]){setup, "bench", NULL}))
        return false;
    if (!bench_peer_find("cmake", cmake, sizeof cmake)) {
        bench_note("cmake is not installed; the peers cannot be built");
        return false;
    }
    /* The compilers of peers are looked for when the build is configured. */
    return run_step((const char *const[]){cmake, "-U", "DT_OPENMPI_CC", prefix,
                                          NULL}) &&
           run_step((const char *const[]){cmake, "--build", prefix, "--target",
                                          "bench_peers", NULL});
}

bool bench_peer_setup_python(void)
{
    char tool[PATH_MAX];
    if (find_in_tree("tools/peers", tool, sizeof tool))
        return run_step((const char *const[]){tool, NULL});
    bench_note("--setup works in a source tree, with the command that was "
               "built there");
    return false;
}
