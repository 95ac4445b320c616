/* plugins/mpi/check.c - comparing the calls of ranks before they are made. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "mpi/plugin.h"

/*
 * A collective of MPI in which ranks disagree may hang, fail on some of them,
 * or return wrong values everywhere.  So one that all ranks make alike goes
 * first: the largest fingerprint and the largest complement of one.  These are
 * complements of each other if and only if all fingerprints are the same:
 *
 *     rank 0: 5, ~5    rank 1: 5, ~5    largest: 5, ~5    the same
 *     rank 0: 5, ~5    rank 1: 7, ~7    largest: 7, ~5    different
 *
 * All members see the same result, so all of them go on to exchange what they
 * called, and none of them makes the call.
 */

/* What a member's call is, in short. */
typedef struct summary {
    uint64_t fingerprint;
    uint64_t mesh; /* that it serves; 0: none */
} summary;

/* What two members say of their calls: member 0, and the first that differs
 * from it.  Every other member differs from one of the two. */
typedef struct two_sides {
    summary *all; /* of each member */
    int members[2];
    uint64_t mesh; /* that one of the calls serves; 0: neither */
    char *bytes;   /* the record and the page of each, then this rank's */
} two_sides;

static size_t side_bytes(void)
{
    return dti_mpi_services->record_bytes + dti_mpi_services->page_bytes;
}

static char *side_at(const two_sides *sides, int i)
{
    return sides->bytes + (size_t)i * side_bytes();
}

static dt_call_side read_side(const two_sides *sides, int i)
{
    const char *bytes = side_at(sides, i);
    return (dt_call_side){bytes, bytes + dti_mpi_services->record_bytes};
}

/* Find the first member whose fingerprint is not that of member 0. */
static dt_status find_members(const dti_mpi_job *job, two_sides *sides)
{
    const summary mine = {job->call->fingerprint,
                          dti_mpi_services->mesh_of(job->call)};
    int size = job->line->size, member = 1;
    DT_TRY(dti_mpi_check(job->line->world,
                         MPI_Allgather(&mine, 2, MPI_UINT64_T, sides->all, 2,
                                       MPI_UINT64_T, job->comm),
                         "MPI_Allgather"));
    while (member < size - 1 &&
           sides->all[member].fingerprint == sides->all[0].fingerprint)
        member++;
    sides->members[0] = 0;
    sides->members[1] = member;
    sides->mesh =
        sides->all[0].mesh ? sides->all[0].mesh : sides->all[member].mesh;
    return DT_OK;
}

/* Tell all members the two sides, and report this rank's own beside the one
 * that it differs from. */
static dt_status exchange_sides(const dti_mpi_job *job, two_sides *sides)
{
    char *mine = side_at(sides, 2);
    DT_TRY(find_members(job, sides));
    dti_mpi_services->write_record(job->call, job->line->size, mine);
    dti_mpi_services->write_page(job->line->world, sides->mesh,
                                 mine + dti_mpi_services->record_bytes);
    for (int i = 0; i < 2; i++) {
        if (sides->members[i] == job->line->rank)
            memcpy(side_at(sides, i), mine, side_bytes());
        DT_TRY(dti_mpi_check(job->line->world,
                             MPI_Bcast(side_at(sides, i), (int)side_bytes(),
                                       MPI_BYTE, sides->members[i], job->comm),
                             "MPI_Bcast"));
    }
    job->mpi->told = true;
    int other = job->call->fingerprint == sides->all[0].fingerprint;
    const dt_call_side own = read_side(sides, 2);
    const dt_call_side theirs = read_side(sides, other);
    return dti_mpi_services->diverge(job->line, job->call, &own,
                                     sides->members[other], &theirs);
}

static dt_status report_divergence(const dti_mpi_job *job)
{
    two_sides sides = {
        .all = calloc((size_t)job->line->size, sizeof *sides.all),
        .bytes = calloc(3, side_bytes()),
    };
    dt_status status = DT_ERR_DIVERGED;
    if (sides.all && sides.bytes) {
        status = exchange_sides(job, &sides);
    } else {
        dt_error error;
        dti_mpi_services->error_set(
            &error, status,
            "ranks diverged at call #%llu of %s; out of memory for details",
            (unsigned long long)job->call->sequence, job->line->label);
        dti_mpi_end_job(job->mpi, &error);
    }
    free(sides.all);
    free(sides.bytes);
    return status;
}

/* ---- Counts of an all-to-all -------------------------------------------- */

/* Report a pair whose receiver alone knows the two counts. */
static dt_status report_counts(const dti_mpi_job *job, int64_t pair,
                               const int64_t *sent)
{
    int to = (int)(pair / job->line->size);
    int from = (int)(pair % job->line->size);
    int64_t counts[2] = {0};
    if (to == job->line->rank) {
        counts[0] = sent[from];
        counts[1] = job->call->receive_counts[from];
    }
    DT_TRY(dti_mpi_check(job->line->world,
                         MPI_Bcast(counts, 2, MPI_INT64_T, to, job->comm),
                         "MPI_Bcast"));
    job->mpi->told = true;
    return dti_mpi_services->diverge_counts(job->line, job->call, from,
                                            counts[0], to, counts[1]);
}

/* Tell every member how much it is sent; all report the last pair that
 * differs.  `sent` has space for a count per member. */
static dt_status exchange_counts(const dti_mpi_job *job, int64_t *sent)
{
    const dt_call *call = job->call;
    int size = job->line->size;
    int64_t wrong = -1, worst;
    DT_TRY(dti_mpi_check(job->line->world,
                         MPI_Alltoall(call->counts, 1, MPI_INT64_T, sent, 1,
                                      MPI_INT64_T, job->comm),
                         "MPI_Alltoall"));
    for (int i = 0; i < size; i++)
        if (sent[i] != call->receive_counts[i])
            wrong = (int64_t)job->line->rank * size + i;
    DT_TRY(dti_mpi_check(
        job->line->world,
        MPI_Allreduce(&wrong, &worst, 1, MPI_INT64_T, MPI_MAX, job->comm),
        "MPI_Allreduce"));
    return worst < 0 ? DT_OK : report_counts(job, worst, sent);
}

static dt_status compare_counts(const dti_mpi_job *job)
{
    int64_t *sent = malloc((size_t)job->line->size * sizeof *sent);
    if (!sent) {
        dt_error error;
        dti_mpi_services->error_set(
            &error, DT_ERR_NO_MEMORY,
            "out of memory for comparing the counts of %d ranks",
            job->line->size);
        dti_mpi_end_job(job->mpi, &error);
        return error.code;
    }
    dt_status status = exchange_counts(job, sent);
    free(sent);
    return status;
}

dt_status dti_mpi_compare(const dti_mpi_job *job)
{
    uint64_t mine[2] = {job->call->fingerprint, ~job->call->fingerprint};
    uint64_t largest[2];
    DT_TRY(dti_mpi_check(
        job->line->world,
        MPI_Allreduce(mine, largest, 2, MPI_UINT64_T, MPI_MAX, job->comm),
        "MPI_Allreduce"));
    if (largest[0] != ~largest[1])
        return report_divergence(job);
    if (job->call->kind == DT_ALL_TO_ALL && job->call->counts)
        return compare_counts(job);
    return DT_OK;
}
