/* comm/check.c - comparing at once what ranks have called on their meshes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "comm/call.h"
#include "comm/comm.h"

/*
 * Every rank tells all others the word of each mesh it is in.  So all see the
 * same table, find the same first difference in it, and have the two ranks that
 * differ show their pages.  Nobody waits for anybody afterwards: the world is
 * not poisoned.
 */

/* What a rank tells of a mesh. */
typedef struct mesh_report {
    int64_t id; /* 0: there is no more */
    int64_t word;
    int64_t number; /* of calls */
    int64_t size;   /* ranks of the mesh */
} mesh_report;

enum { REPORT_WORDS = sizeof(mesh_report) / sizeof(int64_t) };

/* What two ranks, or one and those who lack the mesh, disagree about. */
typedef struct disagreement {
    uint64_t id; /* 0: there is none */
    int ranks[2];
    int64_t holders, size; /* ranks that have the mesh, and that it has */
} disagreement;

/* ---- The table ---------------------------------------------------------- */

static int64_t count_meshes(const dti_comm *comm)
{
    int64_t count = 0;
    size_t cursor = 0;
    for (dti_history *one; (one = dti_map_next(&comm->histories, &cursor));)
        count += one->member;
    return count;
}

static void write_reports(const dti_comm *comm, mesh_report *out, int64_t room)
{
    size_t cursor = 0;
    memset(out, 0, (size_t)room * sizeof *out);
    for (dti_history *one; (one = dti_map_next(&comm->histories, &cursor));)
        if (one->member)
            *out++ = (mesh_report){(int64_t)one->id, (int64_t)one->word,
                                   (int64_t)one->number, one->size};
}

/* Learn how many meshes the rank with the most of them has. */
static dt_status find_most(dti_comm *comm, int64_t *out)
{
    dt_array *count = NULL;
    DTI_TRY(dt_array_create(comm->world, DT_I64, DT_SHAPE(1), &count));
    *(int64_t *)dt_array_data(count) = count_meshes(comm);
    dt_status status = dt_group_all_reduce(comm->all, DT_MAX, count, count);
    if (status == DT_OK)
        *out = *(const int64_t *)dt_array_const_data(count);
    dt_array_release(count);
    return status;
}

/* Gather the reports of all ranks, `room` of each; the caller releases them. */
static dt_status gather_reports(dti_comm *comm, int64_t room, dt_array **out)
{
    dt_world *world = comm->world;
    dt_array *mine = NULL, *all = NULL;
    dt_shape shape = DT_SHAPE(room, REPORT_WORDS);
    dt_shape whole = DT_SHAPE(world->size, room, REPORT_WORDS);
    dt_status status = dt_array_create(world, DT_I64, shape, &mine);
    if (status == DT_OK)
        status = dt_array_create(world, DT_I64, whole, &all);
    if (status == DT_OK) {
        write_reports(comm, dt_array_data(mine), room);
        status = dt_group_all_gather(comm->all, mine, NULL, all);
    }
    dt_array_release(mine);
    if (status == DT_OK)
        *out = all;
    else
        dt_array_release(all);
    return status;
}

/* Find the report of a rank about a mesh; NULL if it has none. */
static const mesh_report *find_report(const mesh_report *reports, int64_t room,
                                      int64_t id)
{
    for (int64_t i = 0; i < room && reports[i].id; i++)
        if (reports[i].id == id)
            return &reports[i];
    return NULL;
}

/* Compare what a rank says of a mesh with what the ranks after it say; earlier
 * ones do not have the mesh. */
static disagreement compare_mesh(const mesh_report *table, int64_t room,
                                 int rank, int size, const mesh_report *first)
{
    disagreement found = {.ranks = {rank, rank}, .size = first->size};
    for (int i = rank; i < size; i++) {
        const mesh_report *one = find_report(table + i * room, room, first->id);
        found.holders += one != NULL;
        if (one && one->word != first->word && !found.id) {
            found.id = (uint64_t)first->id;
            found.ranks[1] = i;
        }
    }
    if (!found.id && found.holders < first->size && first->number > 0)
        found.id = (uint64_t)first->id;
    return found;
}

static bool is_first(const mesh_report *table, int64_t room, int rank,
                     int64_t id)
{
    for (int i = 0; i < rank; i++)
        if (find_report(table + i * room, room, id))
            return false;
    return true;
}

static disagreement find_disagreement(const mesh_report *table, int64_t room,
                                      int size)
{
    for (int rank = 0; rank < size; rank++) {
        const mesh_report *reports = table + rank * room;
        for (int64_t i = 0; i < room && reports[i].id; i++) {
            if (!is_first(table, room, rank, reports[i].id))
                continue;
            disagreement found =
                compare_mesh(table, room, rank, size, &reports[i]);
            if (found.id)
                return found;
        }
    }
    return (disagreement){0};
}

/* ---- What differs ------------------------------------------------------- */

/* Have a rank show all others its page of a mesh; the caller releases it. */
static dt_status spread_page(dti_comm *comm, int rank, uint64_t id,
                             dt_array **out)
{
    dt_array *page = NULL;
    DTI_TRY(dt_array_create(comm->world, DT_U8,
                            DT_SHAPE(sizeof(dti_history_page)), &page));
    if (rank == comm->world->rank) {
        memset(dt_array_data(page), 0, sizeof(dti_history_page));
        dti_history_write(dti_history_of(comm->world, id), dt_array_data(page));
    }
    dt_status status = dt_group_broadcast(comm->all, rank, page);
    if (status == DT_OK)
        *out = page;
    else
        dt_array_release(page);
    return status;
}

static dt_status report(dti_comm *comm, const disagreement *found)
{
    dt_array *shown[2] = {NULL, NULL};
    dt_status status = spread_page(comm, found->ranks[0], found->id, &shown[0]);
    if (status == DT_OK)
        status = spread_page(comm, found->ranks[1], found->id, &shown[1]);
    if (status == DT_OK) {
        const dti_history_page *const pages[] = {dt_array_const_data(shown[0]),
                                                 dt_array_const_data(shown[1])};
        const uint64_t latest[] = {pages[0]->number, pages[1]->number};
        status = found->ranks[0] == found->ranks[1]
                     ? dti_fail(comm->world, DT_ERR_DIVERGED,
                                "ranks diverged (detected by dt_world_check): "
                                "rank %d made %" PRIu64
                                " calls on mesh %s, which only %" PRId64
                                " of its %" PRId64 " ranks have created",
                                found->ranks[0], latest[0], pages[0]->mesh,
                                found->holders, found->size)
                     : dti_history_fail(comm->world, found->ranks, pages,
                                        latest, "detected by dt_world_check");
    }
    dt_array_release(shown[0]);
    dt_array_release(shown[1]);
    return status;
}

static dt_status check(dti_comm *comm, bool *alike)
{
    int64_t room = 0;
    dt_array *table = NULL;
    DTI_TRY(find_most(comm, &room));
    if (room == 0)
        return DT_OK;
    DTI_TRY(gather_reports(comm, room, &table));
    disagreement found =
        find_disagreement(dt_array_const_data(table), room, comm->world->size);
    dt_array_release(table);
    if (!found.id)
        return DT_OK;
    dt_status status = report(comm, &found);
    *alike = status == DT_ERR_DIVERGED && !comm->failed;
    return status;
}

dt_status dt_world_check(dt_world *world)
{
    dti_comm *comm = dti_comm_of(world);
    if (world->size == 1 || !comm->transport->moves_data)
        return DT_OK;
    bool alike = false; /* all ranks have found the same */
    dti_service before =
        dti_comm_serve(world, (dti_service){"dt_world_check", NULL});
    dt_status status = check(comm, &alike);
    dti_comm_serve(world, before);
    return alike ? status : dti_comm_tell(world, status);
}
