/* comm/shm/children.c - starting the processes of a run. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/shm/children.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine/cpu.h"
#include "comm/shm/shm.h"

/* ---- The environment of a rank ------------------------------------------ */

enum { OURS = 6 };

/* What ranks find in their environment, the last text changing from rank to
 * rank.  All is made before a process is forked: between fork and exec there is
 * no allocating. */
typedef struct rank_environment {
    char **list;
    char texts[OURS][DTI_MARK_SIZE];
} rank_environment;

static const char *const our_names[OURS] = {
    "DT_TRANSPORT",     "DT_RANKS",  DTI_SHM_SIZE,
    DTI_SHM_DESCRIPTOR, DTI_SHM_RUN, DTI_SHM_RANK,
};

static bool is_ours(const char *text)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; i < OURS; i++)
        if (strncmp(text, our_names[i], length) == 0 && !our_names[i][length])
            return true;
    return false;
}

static void write_number(rank_environment *environment, int which, int number)
{
    snprintf(environment->texts[which], sizeof environment->texts[which],
             "%s=%d", our_names[which], number);
}

/* The caller's variables and ours; false without memory. */
static bool make_environment(rank_environment *environment,
                             const dti_start *start)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **list = calloc(count + OURS + 1, sizeof *list);
    if (!list)
        return false;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_ours(environ[i]))
            list[used++] = environ[i];
    for (int i = 0; i < OURS; i++)
        list[used++] = environment->texts[i];
    environment->list = list;
    snprintf(environment->texts[0], sizeof environment->texts[0], "%s=shm",
             our_names[0]);
    write_number(environment, 1, start->options->ranks);
    write_number(environment, 2, start->options->ranks);
    write_number(environment, 3, start->descriptor);
    snprintf(environment->texts[4], sizeof environment->texts[4], "%s",
             start->mark);
    return true;
}

/* ---- In the process of a rank ------------------------------------------- */

/* Die with the launcher, which may be gone already. */
static void follow(pid_t launcher)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != launcher)
        _exit(127);
}

/* One rank alone reads what is typed. */
static void close_input(void)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
}

/* Become the program; gives why that was refused. */
static int become(const dti_start *start, int rank, char *const *environment)
{
    if (start->pin)
        dti_cpu_place(rank, start->options->ranks);
    if (rank > 0)
        close_input();
    if (start->output)
        dti_output_enter(start->output, rank);
    sigaction(SIGCHLD, start->child, NULL);
    sigprocmask(SIG_SETMASK, start->mask, NULL);
    if (fcntl(start->descriptor, F_SETFD, 0) == 0)
        execvpe(start->options->argv[0], start->options->argv, environment);
    return errno;
}

/* ---- In the launcher ---------------------------------------------------- */

/* End the first `count` ranks, of which nobody needs to hear. */
static void end_started(const pid_t *pids, int count)
{
    for (int i = 0; i < count; i++)
        kill(pids[i], SIGKILL);
    for (int i = 0; i < count; i++)
        while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
            ;
}

/* Fork all ranks; gives how many there are. */
static int fork_ranks(const dti_start *start, rank_environment *environment,
                      int report, pid_t *pids)
{
    pid_t launcher = getpid();
    int rank = 0;
    for (; rank < start->options->ranks; rank++) {
        write_number(environment, OURS - 1, rank);
        pids[rank] = fork();
        if (pids[rank] < 0)
            break;
        if (pids[rank] > 0)
            continue;
        follow(launcher);
        int refused = become(start, rank, environment->list);
        if (write(report, &refused, sizeof refused) < 0)
            _exit(126);
        _exit(127);
    }
    return rank;
}

/* Read why a program was refused; 0 when every rank has become it, which
 * closes the pipe. */
static int read_refusal(int report)
{
    int refused = 0;
    ssize_t got;
    do
        got = read(report, &refused, sizeof refused);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof refused ? refused : 0;
}

static dt_status report_refusal(const char *program, int refused,
                                dt_error *error)
{
    return dti_error_set(
        error, refused == ENOENT ? DT_ERR_NOT_FOUND : DT_ERR_IO,
        "cannot start the program \"%s\": %s", program, strerror(refused));
}

static dt_status fork_and_watch(const dti_start *start,
                                rank_environment *environment, pid_t *pids,
                                dt_error *error)
{
    int report[2];
    int ranks = start->options->ranks;
    if (pipe2(report, O_CLOEXEC) != 0)
        return dti_error_set(error, DT_ERR_IO, "cannot create a pipe: %s",
                             strerror(errno));
    int started = fork_ranks(start, environment, report[1], pids);
    int cause = errno;
    close(report[1]);
    int refused = started == ranks ? read_refusal(report[0]) : 0;
    close(report[0]);
    if (started == ranks && !refused)
        return DT_OK;
    end_started(pids, started);
    if (refused)
        return report_refusal(start->options->argv[0], refused, error);
    return dti_error_set(error, DT_ERR_NO_MEMORY,
                         "cannot create process %d of %d: %s", started, ranks,
                         strerror(cause));
}

dt_status dti_children_start(const dti_start *start, pid_t *pids,
                             dt_error *error)
{
    rank_environment environment;
    if (!make_environment(&environment, start))
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for the environment of the ranks");
    dt_status status = fork_and_watch(start, &environment, pids, error);
    free(environment.list);
    return status;
}
