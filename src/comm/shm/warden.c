/* comm/shm/warden.c - ending what is left of a run whose launcher was killed.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "comm/shm/children.h"
#include "comm/shm/shm.h"

/*
 * Ranks die with their launcher; what they have started does not, and nobody is
 * left who would be its parent.  So a process of its own waits for the death of
 * the launcher and then ends whatever has the mark of the run in its
 * environment.  It has left the launcher's process group and holds nothing that
 * anyone could wait for.
 */

/* ---- Finding processes by their mark ------------------------------------ */

/* Tell whether a text of the environment that ends here is the mark. */
static bool is_mark(const char *mark, const char *text, size_t length)
{
    return strlen(mark) == length && memcmp(mark, text, length) == 0;
}

/* Read an environment, text by text.  Longer ones than the mark are no more
 * than their beginning to us. */
static bool has_mark(int file, const char *mark)
{
    char block[4096];
    char text[DTI_MARK_SIZE];
    size_t length = 0;
    ssize_t got;
    while ((got = read(file, block, sizeof block)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (block[i] == '\0') {
                if (is_mark(mark, text, length))
                    return true;
                length = 0;
            } else if (length < sizeof text) {
                text[length++] = block[i];
            }
        }
    }
    return false;
}

static bool is_marked(pid_t process, const char *mark)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool found = has_mark(file, mark);
    close(file);
    return found;
}

/* One round of looking for them. */
typedef struct round {
    const char *mark;
    int found;
} round;

static void kill_marked(void *arg, pid_t process)
{
    round *this = arg;
    if (!is_marked(process, this->mark))
        return;
    this->found++;
    kill(process, SIGKILL);
}

/* Until two rounds find none: one may have come from another that the first had
 * not looked at yet. */
static void clear_away(const char *mark)
{
    enum { LIMIT = 1000 };
    const struct timespec moment = {.tv_nsec = 5 * 1000 * 1000};
    for (int i = 0, none = 0; i < LIMIT && none < 2; i++) {
        round now = {.mark = mark};
        dti_each_process(kill_marked, &now);
        none = now.found ? 0 : none + 1;
        nanosleep(&moment, NULL);
    }
}

/* ---- The process -------------------------------------------------------- */

/* A launcher that is itself part of a run has the mark of that run.  Its warden
 * goes without, as it has to outlive that one too. */
static void drop_mark(void)
{
    char *outer = getenv(DTI_SHM_RUN);
    if (outer)
        memset(outer, '-', strlen(outer));
}

/* Wait for the end of the parent, of which a signal tells; false if it will
 * not. */
static bool outlive(pid_t launcher)
{
    sigset_t all;
    int number;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        return false;
    while (getppid() == launcher)
        sigwait(&all, &number);
    return true;
}

/* Close all descriptors: whoever reads what the launcher writes shall not wait
 * for us. */
static void close_all(void)
{
    if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0)
        return;
    for (int i = 0; i < (int)sysconf(_SC_OPEN_MAX); i++)
        close(i);
}

/* What the process does, to its end; `ready` is told once it has no mark. */
static _Noreturn void guard(pid_t launcher, const char *mark, int ready)
{
    setsid();
    prctl(PR_SET_NAME, "dt-warden");
    drop_mark();
    if (write(ready, "", 1) == 1) {
        close_all();
        if (outlive(launcher))
            clear_away(mark);
    }
    _exit(0);
}

/* A launcher that is part of another run starts nothing before its warden has
 * dropped the mark of that run: else the warden of the outer one could end both
 * and leave what the inner one has started. */
pid_t dti_warden_start(const char *mark)
{
    pid_t launcher = getpid();
    int ready[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0)
        guard(launcher, mark, ready[1]);
    close(ready[1]);
    while (child > 0 && read(ready[0], &byte, 1) < 0 && errno == EINTR)
        ;
    close(ready[0]);
    return child;
}

bool dti_warden_ended(pid_t *warden)
{
    if (*warden <= 0 || waitpid(*warden, NULL, WNOHANG) != *warden)
        return false;
    *warden = 0;
    return true;
}

void dti_warden_end(pid_t warden)
{
    if (warden <= 0)
        return;
    kill(warden, SIGKILL);
    while (waitpid(warden, NULL, 0) < 0 && errno == EINTR)
        ;
}
