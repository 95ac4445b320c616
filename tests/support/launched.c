/* tests/support/launched.c - `dtensor run` as tests start and watch it. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/launched.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/machine/clock.h"
#include "support/check.h"

#define MARK "DT_TEST_MARK="

/* ---- Finding processes -------------------------------------------------- */

/* Tell whether a process has the mark in its environment. */
static bool is_marked(const char *pid, const char *mark)
{
    char path[64];
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    FILE *file = fopen(path, "re");
    while (file && !found && getdelim(&line, &room, '\0', file) > 0)
        found = strcmp(line, mark) == 0;
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* Send a signal, 0 for none, to all processes of a run; gives how many. */
static int signal_marked(const dt_launched *run, int number)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        int pid = atoi(entry->d_name);
        if (pid <= 0 || pid == getpid() || !is_marked(entry->d_name, run->mark))
            continue;
        if (number)
            kill(pid, number);
        count++;
    }
    if (processes)
        closedir(processes);
    return count;
}

int dt_launched_count(const dt_launched *run)
{
    return signal_marked(run, 0);
}

/* The parent of a process; 0 if that cannot be told. */
static int parent_of(const char *pid)
{
    char path[64];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%.20s/status", pid);
    FILE *file = fopen(path, "re");
    char line[256];
    while (file && parent == 0 && fgets(line, sizeof line, file))
        (void)sscanf(line, "PPid: %d", &parent);
    if (file)
        fclose(file);
    return parent;
}

int dt_launched_children(const dt_launched *run)
{
    int count = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes)))
        count +=
            atoi(entry->d_name) > 0 && parent_of(entry->d_name) == run->pid;
    if (processes)
        closedir(processes);
    return count;
}

/* Tell whether a process has a name. */
static bool is_named(const char *pid, const char *name)
{
    char path[64], text[32] = "";
    snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
    FILE *file = fopen(path, "re");
    bool found = file && fgets(text, sizeof text, file) &&
                 strncmp(text, name, strlen(name)) == 0 &&
                 text[strlen(name)] == '\n';
    if (file)
        fclose(file);
    return found;
}

pid_t dt_launched_child(const dt_launched *run, const char *name)
{
    pid_t found = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && !found && (entry = readdir(processes)))
        if (atoi(entry->d_name) > 0 && parent_of(entry->d_name) == run->pid &&
            is_named(entry->d_name, name))
            found = atoi(entry->d_name);
    if (processes)
        closedir(processes);
    return found;
}

void dt_launched_signal(const dt_launched *run, int number)
{
    signal_marked(run, number);
}

/* Names in the folder of shared memory that a run may have made: it makes
 * none.  Other programs put the name of the machine into theirs. */
static int count_named(void)
{
    int count = 0;
    DIR *folder = opendir("/dev/shm");
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        count += strncmp(entry->d_name, "dtensor", 7) == 0 ||
                 strncmp(entry->d_name, "sem.dtensor", 11) == 0;
    if (folder)
        closedir(folder);
    return count;
}

/* ---- Starting ----------------------------------------------------------- */

/* The path of a program beside this one. */
static void find_beside(const char *name, char *path, size_t size)
{
    char self[2048];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, size, "%s/%s", self, name);
}

enum { MOST = 24 };

/* The arguments of the launcher; texts that are made lie in `paths`. */
static void list_arguments(const dt_launch_plan *plan, char paths[3][4096],
                           const char **argv)
{
    int count = 0;
    const char *program = plan->program ? plan->program : "test_process_rank";
    find_beside("dtensor", paths[0], sizeof paths[0]);
    if (program[0] == '/')
        snprintf(paths[1], sizeof paths[1], "%s", program);
    else
        find_beside(program, paths[1], sizeof paths[1]);
    snprintf(paths[2], sizeof paths[2], "%d", plan->ranks);
    argv[count++] = paths[0];
    argv[count++] = "run";
    argv[count++] = "-n";
    argv[count++] = paths[2];
    argv[count++] = "--grace";
    argv[count++] = plan->grace ? plan->grace : "1";
    if (plan->tag)
        argv[count++] = "--tag";
    argv[count++] = "--";
    argv[count++] = paths[1];
    for (int i = 0; plan->arguments && plan->arguments[i] && count < MOST - 1;
         i++)
        argv[count++] = plan->arguments[i];
    argv[count] = NULL;
}

/* Open a terminal; gives the side where one types, or -1. */
static int open_terminal(void)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    return terminal;
}

/* Lead a group of one's own; with a terminal, a session that it controls. */
static void lead(const dt_launched *run)
{
    if (run->terminal < 0) {
        setpgid(0, 0);
        return;
    }
    setsid();
    int input = open(ptsname(run->terminal), O_RDWR);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0)
        _exit(1);
}

/* In the launcher's process.  The sanitizers shall let signals kill and leave
 * the exit status of a program that does not clean up alone. */
static void become_launcher(dt_launched *run, const dt_launch_plan *plan,
                            const char *const *argv, int output, pid_t test)
{
    lead(run);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != test)
        _exit(1);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    putenv(run->mark);
    setenv("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0", 1);
    if (plan->setting) {
        const char *value = strchr(plan->setting, '=');
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(value - plan->setting),
                 plan->setting);
        setenv(name, value + 1, 1);
    }
    execv(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

void dt_launched_start(dt_launched *run, const dt_launch_plan *plan)
{
    static int number;
    char paths[3][4096];
    const char *argv[MOST];
    int ends[2];
    *run = (dt_launched){.named = count_named()};
    snprintf(run->mark, sizeof run->mark, MARK "%d.%d", (int)getpid(),
             ++number);
    list_arguments(plan, paths, argv);
    run->terminal = plan->terminal ? open_terminal() : -1;
    if (!CHECK(pipe2(ends, O_CLOEXEC) == 0))
        return;
    pid_t test = getpid();
    run->pid = fork();
    if (run->pid == 0)
        become_launcher(run, plan, argv, ends[1], test);
    CHECK(run->pid > 0);
    /* Both do it, so that it is done whoever comes first. */
    if (!plan->terminal)
        setpgid(run->pid, run->pid);
    close(ends[1]);
    run->output = ends[0];
}

/* ---- Watching ----------------------------------------------------------- */

/* Read once; false at the end, or when time is up. */
static bool read_some(dt_launched *run, int64_t deadline)
{
    int64_t left = (deadline - dti_clock_now()) / 1000000;
    struct pollfd wait = {.fd = run->output, .events = POLLIN};
    int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
    if (ready < 0 && errno == EINTR)
        return true;
    if (ready <= 0)
        return false;
    /* What does not fit is read and forgotten. */
    size_t room = sizeof run->text - 1 - run->used;
    char rest[4096];
    ssize_t got = room ? read(run->output, run->text + run->used, room)
                       : read(run->output, rest, sizeof rest);
    if (got <= 0)
        return false;
    run->used += room ? (size_t)got : 0;
    return true;
}

static int64_t from_now(double seconds)
{
    return dti_clock_now() + (int64_t)(seconds * 1e9);
}

void dt_launched_hang_up(dt_launched *run)
{
    if (run->terminal >= 0)
        close(run->terminal);
    run->terminal = -1;
}

bool dt_launched_read(dt_launched *run, const char *text, int times,
                      double seconds)
{
    int64_t deadline = from_now(seconds);
    while (dt_launched_says(run, text) < times)
        if (!read_some(run, deadline))
            return CHECKF(false, "no %d times \"%s\" in: %s", times, text,
                          run->text);
    return true;
}

/* Wait for the launcher. */
static bool reap(dt_launched *run, int64_t deadline)
{
    const struct timespec moment = {.tv_nsec = 1000 * 1000};
    int status;
    while (waitpid(run->pid, &status, WNOHANG) != run->pid) {
        if (dti_clock_now() > deadline)
            return false;
        nanosleep(&moment, NULL);
    }
    run->code =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

/* A process that was killed takes a moment to go. */
static int count_after(const dt_launched *run, int64_t deadline)
{
    const struct timespec moment = {.tv_nsec = 1000 * 1000};
    int left;
    while ((left = dt_launched_count(run)) > 0 && dti_clock_now() < deadline)
        nanosleep(&moment, NULL);
    return left;
}

const char *dt_launched_end(dt_launched *run, double seconds, int code)
{
    int64_t deadline = from_now(seconds);
    if (run->pid <= 0)
        return "";
    while (read_some(run, deadline))
        ;
    run->ended = reap(run, deadline);
    bool was_killed = run->ended && run->code == 128 + SIGKILL;
    int left = was_killed ? count_after(run, deadline) : dt_launched_count(run);
    CHECKF(run->ended, "still running after %g s: %s", seconds, run->text);
    CHECKF(left == 0, "%d processes left: %s", left, run->text);
    CHECKF(!run->ended || run->code == code, "exit status %d, not %d: %s",
           run->code, code, run->text);
    CHECK(count_named() <= run->named);
    if (left || !run->ended) {
        signal_marked(run, SIGKILL);
        if (!run->ended)
            waitpid(run->pid, NULL, 0);
    }
    close(run->output);
    dt_launched_hang_up(run);
    return run->text;
}

int dt_launched_says(const dt_launched *run, const char *text)
{
    int count = 0;
    for (const char *at = run->text; (at = strstr(at, text)); at++)
        count++;
    return count;
}
