/* comm/shm/launch.c - running a program as processes that share memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/launch.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine/clock.h"
#include "base/options.h"
#include "base/settings.h"
#include "base/text/message.h"
#include "comm/shm/children.h"
#include "comm/shm/segment.h"
#include "comm/shm/shm.h"

static const double default_grace = 5;
static const int64_t second = 1000 * 1000 * 1000;

/* How far the end of a run has come; each step is taken if ranks are left when
 * the time of the one before is over. */
typedef enum phase {
    RUNNING,
    GRACE,      /* a rank failed, or a signal came: the rest may end */
    TERMINATED, /* SIGTERM was sent */
    KILLED      /* SIGKILL was sent */
} phase;

typedef struct rank_process {
    pid_t pid;  /* 0 once it has ended */
    bool ended; /* by the launcher, which must not count as its failure */
} rank_process;

typedef struct launch {
    const dt_launch_options *options;
    int64_t grace; /* nanoseconds */
    bool pin;
    int descriptor; /* of the segment */
    dti_segment *segment;
    dti_output *output; /* NULL unless lines are tagged */
    struct pollfd *polls;
    rank_process *ranks;
    int alive;
    char mark[DTI_MARK_SIZE];
    pid_t warden;           /* not above 0: there is none */
    dti_family family;      /* what else this process is the parent of */
    int signals;            /* signalfd */
    sigset_t mask;          /* as the caller had it */
    struct sigaction child; /* what SIGCHLD did in the caller */
    int held[3]; /* standard descriptors that the caller has closed */
    int held_count;
    phase phase;
    int64_t deadline; /* of the phase; not of RUNNING and KILLED */
    int passed_on;    /* the signal that asked for the end; 0: none */
    int worst;        /* exit code of ranks that ended by themselves */
    int forced;       /* of those that the launcher ended */
} launch;

DT_PRINTF(4, 5)
static void report(const launch *run, dt_log_level level, int rank,
                   const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (!run->options->log)
        return;
    va_start(arguments, format);
    dti_message_write(text, sizeof text, format, arguments);
    va_end(arguments);
    run->options->log(run->options->log_arg, level, rank, text);
}

/* ---- Signals ------------------------------------------------------------ */

/* Those that are passed on to the ranks. */
static const int passed_signals[] = {SIGINT,  SIGTERM, SIGHUP,
                                     SIGQUIT, SIGUSR1, SIGUSR2};

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 &&
           action.sa_handler == SIG_IGN;
}

/* Let signals come in through a descriptor.  What the caller ignores, as nohup
 * and shells arrange it, stays ignored. */
static dt_status open_signals(launch *run, dt_error *error)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGPIPE);
    for (size_t i = 0; i < DTI_COUNT_OF(passed_signals); i++)
        if (!is_ignored(passed_signals[i]))
            sigaddset(&wanted, passed_signals[i]);
    run->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (run->signals < 0)
        return dti_error_set(error, DT_ERR_IO, "cannot receive signals: %s",
                             strerror(errno));
    /* Ranks are waited for, whoever ignored their end before. */
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(SIGCHLD, &plain, &run->child);
    pthread_sigmask(SIG_BLOCK, &wanted, &run->mask);
    return DT_OK;
}

static void close_signals(launch *run)
{
    sigset_t pipe;
    const struct timespec none = {0};
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!sigismember(&run->mask, SIGPIPE))
        while (sigtimedwait(&pipe, NULL, &none) > 0)
            ;
    sigaction(SIGCHLD, &run->child, NULL);
    pthread_sigmask(SIG_SETMASK, &run->mask, NULL);
    close(run->signals);
}

static void signal_ranks(launch *run, int number)
{
    for (int i = 0; i < run->options->ranks; i++)
        if (run->ranks[i].pid)
            kill(run->ranks[i].pid, number);
}

/* ---- The end of a run --------------------------------------------------- */

static void begin_grace(launch *run)
{
    if (run->phase != RUNNING)
        return;
    run->phase = GRACE;
    run->deadline = dti_clock_now() + run->grace;
}

/* End the ranks that are left, as the phase that begins says. */
static void begin_next_phase(launch *run)
{
    bool first = run->phase == GRACE;
    int number = first ? SIGTERM : SIGKILL;
    run->phase = first ? TERMINATED : KILLED;
    run->deadline =
        dti_clock_now() + (run->grace > second ? run->grace : second);
    for (int i = 0; i < run->options->ranks; i++)
        run->ranks[i].ended |= run->ranks[i].pid != 0;
    report(run, DT_LOG_WARNING, -1, "%d rank%s still running: sending %s",
           run->alive, run->alive == 1 ? " is" : "s are",
           first ? "SIGTERM" : "SIGKILL");
    signal_ranks(run, number);
    /* One that is stopped hears of it when it goes on. */
    signal_ranks(run, SIGCONT);
}

/* A signal that ends programs: the first gives them time, another does not. */
static void hear_end(launch *run, int number)
{
    if (run->passed_on && run->phase != KILLED)
        run->deadline = dti_clock_now();
    run->passed_on = number;
    begin_grace(run);
}

/* How a process ended, in words that follow the rank. */
static void describe_end(const dti_seat *seat, int status, char *text,
                         size_t size)
{
    const char *world = "";
    if (atomic_load(&seat->taken) &&
        atomic_load(&seat->state) == DTI_SEAT_RUNNING)
        world = " without closing its world";
    else if (!atomic_load(&seat->taken) && status == 0)
        world = " without opening its world";
    if (WIFSIGNALED(status))
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "exited with status %d%s", WEXITSTATUS(status),
                 world);
}

/* The exit code that a rank's end counts as; 0 if nothing is wrong.  A program
 * that opens no world at all is none of our business. */
static int judge_end(const dti_seat *seat, int status)
{
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    if (WEXITSTATUS(status))
        return WEXITSTATUS(status);
    return atomic_load(&seat->taken) &&
           atomic_load(&seat->state) == DTI_SEAT_RUNNING;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Count a failure.  The first is told, and later ones that are not likely to
 * be consequences. */
static void note_failure(launch *run, int rank, int status, int code,
                         const char *words)
{
    if (run->ranks[rank].ended) {
        run->forced = larger(run->forced, code);
        return;
    }
    bool first = run->phase == RUNNING;
    bool expected = run->passed_on && WIFSIGNALED(status) &&
                    WTERMSIG(status) == run->passed_on;
    if (first || (WIFSIGNALED(status) && !expected))
        report(run, DT_LOG_WARNING, rank, "rank %d %s", rank, words);
    run->worst = larger(run->worst, code);
    begin_grace(run);
}

/* A rank's process has ended: first of all tell the others. */
static void note_end(launch *run, int rank, int status)
{
    dti_roster *roster = dti_segment_roster(run->segment);
    const dti_seat *seat = &roster->seats[rank];
    char words[128];
    char sentence[160];
    int code = judge_end(seat, status);
    describe_end(seat, status, words, sizeof words);
    snprintf(sentence, sizeof sentence, "rank %d %s", rank, words);
    if (atomic_load(&seat->state) == DTI_SEAT_RUNNING)
        dti_seat_lose(roster, rank, sentence);
    run->ranks[rank].pid = 0;
    run->alive--;
    if (code)
        note_failure(run, rank, status, code, words);
}

static bool is_rank(const launch *run, pid_t pid)
{
    for (int i = 0; i < run->options->ranks; i++)
        if (run->ranks[i].pid == pid)
            return true;
    return false;
}

/* Hear of ranks that have ended; and of what they left behind, which would stay
 * in the system's table for as long as the run. */
static void reap(launch *run)
{
    pid_t orphan;
    for (int i = 0; i < run->options->ranks; i++) {
        int status;
        pid_t pid = run->ranks[i].pid;
        if (pid && waitpid(pid, &status, WNOHANG) == pid)
            note_end(run, i, status);
    }
    if (dti_warden_ended(&run->warden))
        report(run, DT_LOG_WARNING, -1,
               "the warden is gone: should this process be killed, what ranks "
               "have started stays behind");
    while ((orphan = dti_family_ended(&run->family)) && !is_rank(run, orphan))
        waitpid(orphan, NULL, WNOHANG);
}

static void read_signals(launch *run)
{
    struct signalfd_siginfo info;
    while (read(run->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (number == SIGPIPE || number == SIGCHLD)
            continue;
        /* What is typed a terminal sends to the ranks as well; that it is gone,
         * only to the first process of a session. */
        if (info.ssi_code != SI_KERNEL || number == SIGHUP)
            signal_ranks(run, number);
        if (number != SIGUSR1 && number != SIGUSR2)
            hear_end(run, number);
    }
}

/* ---- The loop ----------------------------------------------------------- */

/* Milliseconds until the phase ends; -1: for ever. */
static int time_left(const launch *run)
{
    if (run->phase == RUNNING || run->phase == KILLED)
        return -1;
    int64_t left = run->deadline - dti_clock_now();
    left = left > 0 ? left / 1000000 + 1 : 0;
    return left < INT_MAX ? (int)left : INT_MAX;
}

/* Sleep until something happens, and pass on what ranks wrote.  False if there
 * was nothing to wait for but signals. */
static bool sleep_and_serve(launch *run, int milliseconds)
{
    size_t count = 1;
    run->polls[0] = (struct pollfd){run->signals, POLLIN, 0};
    if (run->output)
        count += dti_output_polls(run->output, run->polls + 1);
    if (count == 1 && run->alive == 0)
        return false;
    if (poll(run->polls, count, milliseconds) > 0 && run->output)
        dti_output_serve(run->output, run->polls + 1, count - 1);
    return true;
}

static void watch(launch *run)
{
    while (run->alive > 0) {
        sleep_and_serve(run, time_left(run));
        read_signals(run);
        reap(run);
        if (run->alive > 0 && time_left(run) == 0)
            begin_next_phase(run);
    }
}

/* Pass on what is left in the pipes, unless somebody is tired of it. */
static void flush_output(launch *run)
{
    int before = run->passed_on;
    run->passed_on = 0;
    while (!run->passed_on && sleep_and_serve(run, -1))
        read_signals(run);
    run->passed_on = before;
}

/* ---- Beginning ---------------------------------------------------------- */

/* What is opened takes the numbers of standard descriptors that the caller has
 * closed, and would get what ranks write, or be replaced by what they read.  So
 * these are held meanwhile; ranks find them closed. */
static dt_status hold_standard(launch *run, dt_error *error)
{
    int opened;
    while ((opened = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 &&
           opened <= STDERR_FILENO)
        run->held[run->held_count++] = opened;
    if (opened < 0)
        return dti_error_set(error, DT_ERR_IO, "/dev/null: %s",
                             strerror(errno));
    close(opened);
    return DT_OK;
}

static dt_status check_options(const dt_launch_options *options,
                               dt_error *error)
{
    if (options->ranks < 1)
        return dti_error_set(error, DT_ERR_INVALID,
                             "dt_launch: ranks is %d; must be at least 1",
                             options->ranks);
    if (!options->argv || !options->argv[0])
        return dti_error_set(error, DT_ERR_INVALID,
                             "dt_launch: argv has no program");
    if (!(options->grace >= 0) || options->grace > 1e9)
        return dti_error_set(
            error, DT_ERR_INVALID,
            "dt_launch: grace is %g seconds; must not be negative",
            options->grace);
    return DT_OK;
}

static void close_launch(launch *run)
{
    dti_output_release(run->output);
    dti_segment_release(run->segment);
    if (run->descriptor >= 0)
        close(run->descriptor);
    for (int i = 0; i < run->held_count; i++)
        close(run->held[i]);
    free(run->polls);
    free(run->ranks);
}

/* Have everything that can be refused before a process is started. */
static dt_status open_launch(launch *run, dt_error *error)
{
    int ranks = run->options->ranks;
    size_t polls = 1;
    dti_settings settings;
    DTI_TRY(dti_settings_read(NULL, &settings, error));
    double grace = run->options->grace;
    run->grace = (int64_t)((grace > 0 ? grace : default_grace) * 1e9);
    run->pin = settings.pin != DT_TRISTATE_OFF;
    DTI_TRY(hold_standard(run, error));
    DTI_TRY(dti_segment_create(ranks, settings.cores, run->pin,
                               &run->descriptor, error));
    DTI_TRY(dti_segment_map(run->descriptor, &run->segment, error));
    if (run->options->tag) {
        run->output = dti_output_create(ranks);
        if (!run->output)
            return dti_error_set(
                error, DT_ERR_NO_MEMORY,
                "cannot create pipes for the output of %d ranks", ranks);
        polls += dti_output_poll_count(run->output);
    }
    run->ranks = calloc((size_t)ranks, sizeof *run->ranks);
    run->polls = calloc(polls, sizeof *run->polls);
    if (!run->ranks || !run->polls)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for %d ranks", ranks);
    return DT_OK;
}

static dt_status start_ranks(launch *run, dt_error *error)
{
    int ranks = run->options->ranks;
    pid_t *pids = calloc((size_t)ranks, sizeof *pids);
    if (!pids)
        return dti_error_set(error, DT_ERR_NO_MEMORY,
                             "out of memory for %d ranks", ranks);
    dti_start start = {.options = run->options,
                       .output = run->output,
                       .descriptor = run->descriptor,
                       .mark = run->mark,
                       .pin = run->pin,
                       .mask = &run->mask,
                       .child = &run->child};
    dt_status status = dti_children_start(&start, pids, error);
    for (int i = 0; i < ranks && status == DT_OK; i++) {
        run->ranks[i].pid = pids[i];
        run->alive++;
    }
    free(pids);
    return status;
}

/* Have someone clear away if this process is killed.  Without, as when the
 * system has no process left for it, ranks still die with their launcher. */
static void start_warden(launch *run)
{
    snprintf(run->mark, sizeof run->mark, DTI_SHM_RUN "=%d.%lld", (int)getpid(),
             (long long)dti_clock_now());
    run->warden = dti_warden_start(run->mark);
    if (run->warden > 0)
        dti_family_add(&run->family, run->warden);
}

/* Start the ranks and stay with them to the end. */
static dt_status run_ranks(launch *run, dt_error *error)
{
    dti_family_note(&run->family);
    start_warden(run);
    dt_status status = start_ranks(run, error);
    if (status == DT_OK) {
        if (run->output)
            dti_output_begin(run->output);
        watch(run);
    }
    dti_family_end(&run->family);
    if (status == DT_OK)
        flush_output(run);
    dti_family_forget(&run->family);
    dti_warden_end(run->warden);
    return status;
}

dt_status dt_launch(const dt_launch_options *options, int *exit_code,
                    dt_error *error)
{
    dt_launch_options read = DT_LAUNCH_OPTIONS_INIT;
    if (options)
        DTI_TRY(dti_options_copy(options, &read, sizeof read,
                                 "DT_LAUNCH_OPTIONS_INIT", error));
    DTI_TRY(check_options(&read, error));
    launch run = {.options = &read, .descriptor = -1};
    dt_status status = open_launch(&run, error);
    if (status == DT_OK)
        status = open_signals(&run, error);
    if (status == DT_OK) {
        status = run_ranks(&run, error);
        close_signals(&run);
    }
    close_launch(&run);
    if (status == DT_OK)
        *exit_code = run.worst ? run.worst : run.forced;
    return status;
}
