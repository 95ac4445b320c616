/* comm/shm/orphans.c - ending the processes that ranks leave behind. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "comm/shm/children.h"

/*
 * A process whose parent dies becomes a child of the launcher, which has asked
 * for that.  Once the ranks are gone, all children that it did not have before
 * are such orphans.
 */

/* The parent of a process; 0 if that cannot be told. */
static pid_t parent_of(pid_t pid)
{
    char path[64];
    char text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    /* Number, (name, which may hold anything), state, parent. */
    const char *after = strrchr(text, ')');
    int parent = 0;
    if (!after || sscanf(after + 1, " %*c %d", &parent) != 1)
        return 0;
    return parent;
}

void dti_each_process(dti_process_function visit, void *arg)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid > 0 && !*end)
            visit(arg, (pid_t)pid);
    }
    if (processes)
        closedir(processes);
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ||
           errno != ECHILD;
}

/* Without memory a child is forgotten, and ended later: nobody launches ranks
 * with the last of its memory. */
void dti_family_add(dti_family *family, pid_t child)
{
    pid_t *more =
        realloc(family->known, (family->count + 1) * sizeof *family->known);
    if (!more)
        return;
    family->known = more;
    family->known[family->count++] = child;
}

static void note_child(void *arg, pid_t process)
{
    if (parent_of(process) == getpid())
        dti_family_add(arg, process);
}

void dti_family_note(dti_family *family)
{
    *family = (dti_family){0};
    prctl(PR_GET_CHILD_SUBREAPER, &family->was_reaper);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (has_children())
        dti_each_process(note_child, family);
}

static bool is_known(const dti_family *family, pid_t child)
{
    for (size_t i = 0; i < family->count; i++)
        if (family->known[i] == child)
            return true;
    return false;
}

pid_t dti_family_ended(const dti_family *family)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return 0;
    return is_known(family, info.si_pid) ? 0 : info.si_pid;
}

/* One round of ending orphans. */
typedef struct round {
    const dti_family *family;
    int signal;
    int found;
} round;

static void end_child(void *arg, pid_t child)
{
    round *this = arg;
    if (parent_of(child) != getpid() || is_known(this->family, child))
        return;
    this->found++;
    if (waitpid(child, NULL, WNOHANG) != child && this->signal)
        kill(child, this->signal);
}

/* They are asked once and forced after a moment; orphans of orphans come to
 * light only when those are gone. */
void dti_family_end(const dti_family *family)
{
    enum { PATIENCE = 50, LIMIT = 500 };
    const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
    for (int i = 0; i < LIMIT && has_children(); i++) {
        round now = {.family = family};
        if (i == 0)
            now.signal = SIGTERM;
        else if (i > PATIENCE)
            now.signal = SIGKILL;
        dti_each_process(end_child, &now);
        if (!now.found)
            break;
        nanosleep(&moment, NULL);
    }
}

void dti_family_forget(dti_family *family)
{
    prctl(PR_SET_CHILD_SUBREAPER, family->was_reaper);
    free(family->known);
}
