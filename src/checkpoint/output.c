/* checkpoint/output.c - the thread that writes a rank's share of a save. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "checkpoint/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text/reader.h"
#include "checkpoint/list.h"
#include "checkpoint/sum.h"

/* ---- The thread: writing
 * ------------------------------------------------------------ */

/* The name of the tensor whose bytes are at an offset of a job. */
static const char *tensor_at(const dti_output *output, const dti_job *job,
                             uint64_t offset, const dti_part *parts)
{
    uint64_t at = job->offset;
    const char *name = "";
    for (size_t i = 0; i < job->part_count; i++) {
        name = output->names[parts[i].tensor];
        at += parts[i].bytes;
        if (offset < at)
            break;
    }
    return name;
}

/* Write bytes of a job at their place; `left` of them if it fails. */
static bool write_range(int descriptor, const char *data, size_t bytes,
                        uint64_t offset, size_t *left)
{
    size_t done = 0;
    while (done < bytes) {
        const ssize_t part = pwrite(descriptor, data + done, bytes - done,
                                    (off_t)(offset + done));
        if (part > 0) {
            done += (size_t)part;
            continue;
        }
        if (part < 0 && errno == EINTR)
            continue;
        if (part == 0)
            errno = EIO;
        break;
    }
    *left = bytes - done;
    return done == bytes;
}

static void fail_job(dti_output *output, const dti_job *job, uint64_t offset,
                     const dti_part *parts)
{
    const int reason = errno;
    dti_error_set(&output->error, DT_ERR_IO,
                  "%s/%s: %s while writing tensor " DTI_QUOTED
                  " at byte %" PRIu64,
                  output->folder, output->files[job->file], strerror(reason),
                  tensor_at(output, job, offset, parts), offset);
}

/* Write the whole pages of a range past the page cache; returns how many bytes
 * of them are left for the cache to take. */
static size_t write_past(dti_output *output, const char *data, size_t bytes,
                         uint64_t offset)
{
    size_t left = bytes;
    if (output->past < 0 || !bytes || (uintptr_t)data % DTI_PAGE)
        return bytes;
    if (write_range(output->past, data, bytes, offset, &left))
        return 0;
    if (errno != EINVAL)
        return left;
    /* The file system takes no such writes after all. */
    close(output->past);
    output->past = -1;
    output->direct = false;
    return left;
}

/* Write the bytes of a job: a head to the next page, whole pages, a tail. */
static void write_job(dti_output *output, const dti_job *job,
                      const dti_part *parts)
{
    const uint64_t end = job->offset + job->bytes;
    uint64_t first = (job->offset + DTI_PAGE - 1) / DTI_PAGE * DTI_PAGE;
    uint64_t last = end / DTI_PAGE * DTI_PAGE;
    if (first > last || output->past < 0)
        first = last = end;
    const char *data = job->data;
    size_t left;
    if (!write_range(output->buffered, data, (size_t)(first - job->offset),
                     job->offset, &left)) {
        fail_job(output, job, first - left, parts);
        return;
    }
    data += first - job->offset;
    const size_t pages = (size_t)(last - first);
    const size_t rest = write_past(output, data, pages, first);
    data += pages - rest;
    first = last - rest;
    if (!write_range(output->buffered, data, (size_t)(end - first), first,
                     &left))
        fail_job(output, job, end - left, parts);
}

/* ---- The thread: files
 * ----------------------------------------------------------------- */

static void fail_file(dti_output *output, size_t file, const char *doing)
{
    const int reason = errno;
    dti_error_set(&output->error, DT_ERR_IO, "%s/%s: %s while %s",
                  output->folder, output->files[file], strerror(reason), doing);
}

/* Sync and close the file that is open; what goes past the cache has no dirty
 * pages, but the sizes of its blocks are not on disk. */
static void close_file(dti_output *output, bool sync)
{
    if (output->buffered < 0)
        return;
    if (sync && fdatasync(output->buffered) != 0)
        fail_file(output, output->file, "syncing it");
    if (output->past >= 0)
        close(output->past);
    if (close(output->buffered) != 0 && sync)
        fail_file(output, output->file, "closing it");
    output->buffered = output->past = -1;
}

static bool open_file(dti_output *output, size_t file)
{
    char path[PATH_MAX];
    if (output->buffered >= 0 && output->file == file)
        return true;
    close_file(output, true);
    snprintf(path, sizeof path, "%s/%s", output->folder, output->files[file]);
    output->file = file;
    output->buffered = open(path, O_WRONLY | O_CLOEXEC);
    if (output->buffered < 0) {
        fail_file(output, file, "opening it");
        return false;
    }
    if (output->direct)
        output->past = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    return true;
}

/* Sum and write a job; parts are the thread's own copy. */
static void do_job(dti_output *output, const dti_job *job, dti_part *parts)
{
    const char *data = job->data;
    for (size_t i = 0; i < job->part_count; i++) {
        parts[i].hash = dti_sum_of(data, (size_t)parts[i].bytes);
        data += parts[i].bytes;
    }
    if (open_file(output, job->file))
        write_job(output, job, parts);
}

/* Copy the parts of a job, whose list may move. */
static dti_part *copy_parts(dti_output *output, const dti_job *job)
{
    dti_part *parts = malloc(job->part_count * sizeof *parts + 1);
    if (parts && job->part_count)
        memcpy(parts, output->parts + job->first_part,
               job->part_count * sizeof *parts);
    if (!parts)
        dti_error_set(&output->error, DT_ERR_NO_MEMORY,
                      "out of memory for a save");
    return parts;
}

/* Take the next job, when there is one; called with the lock held.  False at
 * the end. */
static bool next_job(dti_output *output, dti_job *job)
{
    while ((output->held || output->done == output->job_count) &&
           !output->closed && !output->cancelled)
        pthread_cond_wait(&output->changed, &output->lock);
    if (output->done == output->job_count || output->cancelled)
        return false;
    *job = output->jobs[output->done];
    return true;
}

static void *run(void *arg)
{
    dti_output *output = arg;
    dti_job job;
    pthread_mutex_lock(&output->lock);
    while (next_job(output, &job)) {
        dti_part *parts = NULL;
        if (output->error.code == DT_OK)
            parts = copy_parts(output, &job);
        pthread_mutex_unlock(&output->lock);
        if (parts)
            do_job(output, &job, parts);
        pthread_mutex_lock(&output->lock);
        if (parts && job.part_count)
            memcpy(output->parts + job.first_part, parts,
                   job.part_count * sizeof *parts);
        free(parts);
        if (job.slot >= 0)
            output->busy[job.slot] = false;
        output->done++;
        pthread_cond_broadcast(&output->changed);
    }
    const bool sync = output->error.code == DT_OK && !output->cancelled;
    pthread_mutex_unlock(&output->lock);
    close_file(output, sync);
    pthread_mutex_lock(&output->lock);
    output->finished = true;
    pthread_mutex_unlock(&output->lock);
    return NULL;
}

/* ---- The rank
 * -----------------------------------------------------------------------------
 */

dt_status dti_output_start(dti_output *output, dt_error *error)
{
    sigset_t all, before;
    output->buffered = output->past = -1;
    pthread_mutex_init(&output->lock, NULL);
    pthread_cond_init(&output->changed, NULL);
    /* Signals are the program's business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(&output->thread, NULL, run, output);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    output->started = reason == 0;
    if (output->started)
        return DT_OK;
    pthread_mutex_destroy(&output->lock);
    pthread_cond_destroy(&output->changed);
    return dti_error_set(error, DT_ERR_IO, "cannot start a thread to write: %s",
                         strerror(reason));
}

int dti_output_take(dti_output *output)
{
    int slot = -1;
    pthread_mutex_lock(&output->lock);
    while (slot < 0) {
        for (int i = 0; i < DTI_SLOTS && slot < 0; i++)
            if (!output->busy[i])
                slot = i;
        if (slot < 0)
            pthread_cond_wait(&output->changed, &output->lock);
    }
    output->busy[slot] = true;
    pthread_mutex_unlock(&output->lock);
    return slot;
}

dt_status dti_output_add(dti_output *output, dti_job job, const dti_part *parts)
{
    bool good = true;
    pthread_mutex_lock(&output->lock);
    job.first_part = output->part_count;
    for (size_t i = 0; i < job.part_count && good; i++) {
        good = dti_list_reserve(&output->parts, output->part_count,
                                &output->part_capacity, sizeof *output->parts);
        if (good)
            output->parts[output->part_count++] = parts[i];
    }
    good =
        good && dti_list_reserve(&output->jobs, output->job_count,
                                 &output->job_capacity, sizeof *output->jobs);
    if (good)
        output->jobs[output->job_count++] = job;
    else if (job.slot >= 0)
        output->busy[job.slot] = false;
    pthread_cond_broadcast(&output->changed);
    pthread_mutex_unlock(&output->lock);
    return good ? DT_OK : DT_ERR_NO_MEMORY;
}

void dti_output_close(dti_output *output)
{
    pthread_mutex_lock(&output->lock);
    output->closed = true;
    pthread_cond_broadcast(&output->changed);
    pthread_mutex_unlock(&output->lock);
}

bool dti_output_finished(dti_output *output)
{
    pthread_mutex_lock(&output->lock);
    const bool finished = output->finished;
    pthread_mutex_unlock(&output->lock);
    return finished;
}

dt_status dti_output_wait(dti_output *output, dt_error *error)
{
    if (output->started) {
        pthread_join(output->thread, NULL);
        pthread_mutex_destroy(&output->lock);
        pthread_cond_destroy(&output->changed);
        output->started = false;
    }
    if (output->error.code != DT_OK && error)
        *error = output->error;
    return output->error.code;
}

void dti_output_free(dti_output *output)
{
    if (output->started) {
        pthread_mutex_lock(&output->lock);
        output->cancelled = true;
        pthread_cond_broadcast(&output->changed);
        pthread_mutex_unlock(&output->lock);
        dti_output_wait(output, NULL);
    }
    free(output->jobs);
    free(output->parts);
    output->jobs = NULL;
    output->parts = NULL;
}
