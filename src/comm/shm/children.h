/* comm/shm/children.h - the processes of a run, as its launcher sees them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_COMM_SHM_CHILDREN_H
#define DTI_COMM_SHM_CHILDREN_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include <dtensor/launch.h>

/* ---- output.c: what ranks write, line by line --------------------------- */

typedef struct dti_output dti_output;

/* Make the pipes for two streams of each rank; NULL if the system refuses. */
dti_output *dti_output_create(int ranks);

void dti_output_release(dti_output *output);

/* In a rank's process: write into the pipes from here on. */
void dti_output_enter(const dti_output *output, int rank);

/* In the launcher, once all ranks were started: keep the reading ends. */
void dti_output_begin(dti_output *output);

/* The most that dti_output_polls gives. */
size_t dti_output_poll_count(const dti_output *output);

/* Write down what to wait for; gives how many.  None are left when all ranks
 * have closed their ends and everything was passed on. */
size_t dti_output_polls(dti_output *output, struct pollfd *polls);

/* Pass on what can be passed on, after poll() has filled in what can. */
void dti_output_serve(dti_output *output, const struct pollfd *polls,
                      size_t count);

/* ---- children.c: starting ranks ----------------------------------------- */

/* What the ranks of a run are started with. */
typedef struct dti_start {
    const dt_launch_options *options;
    const dti_output *output; /* NULL: they write where the caller does */
    int descriptor;           /* of the segment */
    const char *mark;         /* of the run, for their environment */
    bool pin;
    const sigset_t *mask; /* of blocked signals, as the caller had it */
    const struct sigaction *child; /* what SIGCHLD did in the caller */
} dti_start;

/* Start all ranks, or none.  A program that cannot be executed is an error. */
dt_status dti_children_start(const dti_start *start, pid_t *pids,
                             dt_error *error);

/* ---- orphans.c: what ranks leave behind --------------------------------- */

/* Call for every process there is. */
typedef void (*dti_process_function)(void *arg, pid_t process);
void dti_each_process(dti_process_function visit, void *arg);

/* The children that a process had before it launched anything. */
typedef struct dti_family {
    pid_t *known;
    size_t count;
    int was_reaper; /* it became the parent of orphans before */
} dti_family;

/* Note the children of this process, and become the parent of those whose own
 * parents die. */
void dti_family_note(dti_family *family);

/* Note one more child. */
void dti_family_add(dti_family *family, pid_t child);

/* A child that was not noted and has ended, which nobody has waited for; 0 if
 * none is seen. */
pid_t dti_family_ended(const dti_family *family);

/* End all children that were not noted, and theirs. */
void dti_family_end(const dti_family *family);

void dti_family_forget(dti_family *family);

/* ---- warden.c: what is left when the launcher was killed ---------------- */

/* Bytes of the mark of a run, "NAME=value", which everything that its ranks
 * start has in its environment. */
#define DTI_MARK_SIZE 64

/* Start a process that ends all that is marked should this one die; gives its
 * number, -1 if the system refuses. */
pid_t dti_warden_start(const char *mark);

/* Tell whether the warden has ended before the run, and forget it then. */
bool dti_warden_ended(pid_t *warden);

/* The run is over, and nothing is left to end. */
void dti_warden_end(pid_t warden);

#endif
