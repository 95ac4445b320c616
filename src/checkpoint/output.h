/* checkpoint/output.h - the thread that writes a rank's share of a save. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CHECKPOINT_OUTPUT_H
#define DTI_CHECKPOINT_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>

/*
 * A rank hands ranges of bytes to a thread, in the order of files and offsets;
 * the thread sums them, writes them and syncs each file.  It touches nothing
 * but the bytes, the files and what is below: no world, no memory pool.
 *
 * Files are seen as blocks of DTI_BLOCK bytes, and a job is a range of one
 * block.  Whole pages of it go past the page cache (O_DIRECT) where the file
 * system can, which needs memory aligned like the file: a job's bytes are in a
 * slot, at the place that they have in the block.  What is left at its ends,
 * which may share a page with the bytes of others, goes through the cache.
 *
 *     file   ...|....aaaaaaaaaaaa|bbbbb....|...
 *     slots      [    aaaaaaaaaaaa] [bbbbb    ]
 */
enum {
    DTI_PAGE = 4096,
    DTI_BLOCK = 8 << 20,
    DTI_SLOTS = 3 /* that a save has at once, unless it copies everything */
};

/* A range of a tensor's bytes with its sum. */
typedef struct dti_part {
    uint64_t tensor; /* number in the plan */
    uint64_t first;  /* byte of the tensor */
    uint64_t bytes;
    uint64_t hash;
} dti_part;

/* Consecutive bytes of a file, in memory. */
typedef struct dti_job {
    size_t file;
    uint64_t offset;
    const char *data;
    size_t bytes;
    size_t first_part, part_count;
    int slot; /* to be given back; -1: none */
} dti_job;

typedef struct dti_output {
    /* Set at the beginning. */
    const char *folder;       /* path, borrowed */
    const char *const *files; /* their names, borrowed */
    const char *const *names; /* of tensors, for messages; borrowed */
    bool direct;              /* try O_DIRECT */
    bool held; /* write nothing before the last job has come: who hands them
                  over has the machine to itself */
    char *slots[DTI_SLOTS]; /* of DTI_BLOCK bytes, aligned to a page */

    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    dti_job *jobs;
    size_t job_count, job_capacity;
    size_t done; /* jobs */
    dti_part *parts;
    size_t part_count, part_capacity;
    bool busy[DTI_SLOTS];
    bool closed;    /* no more jobs come */
    bool cancelled; /* what is left is not written */
    bool finished;  /* the thread has ended, or will at once */
    dt_error error; /* the first failure */

    /* The thread's own. */
    size_t file; /* that is open */
    int buffered, past;
} dti_output;

/* Start the thread.  `error` may be NULL. */
dt_status dti_output_start(dti_output *output, dt_error *error);

/* Take a slot, when one is free. */
int dti_output_take(dti_output *output);

/* Hand over a job and its parts, whose hashes are not set. */
dt_status dti_output_add(dti_output *output, dti_job job,
                         const dti_part *parts);

/* Say that no more jobs come; the thread then syncs, and ends. */
void dti_output_close(dti_output *output);

/* Tell whether the thread has ended. */
bool dti_output_finished(dti_output *output);

/* Wait until the thread has ended, and return its first failure. */
dt_status dti_output_wait(dti_output *output, dt_error *error);

/* End the thread without writing what is left, and free its lists.  What was
 * never started is allowed. */
void dti_output_free(dti_output *output);

#endif
