/* ranks: 2 3 */
/* tests/fault/ops_pieces.c - pieces of what is cut where one rank lacks memory.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

/*
 * One rank runs out of memory at its Nth request.  It is told so, the others in
 * the same call or at the next one, and after they recover the call works.
 */

enum { PIECES = 3, COLUMNS = 4, REQUESTS_MAX = 300 };

/* Something of a tensor that is cut by rows; fresh shapes are decided anew. */
typedef dt_status (*piece_taker)(dt_tensor *tensor);

static dt_status made(dt_tensor *from, const dt_tensor *tensor)
{
    return tensor ? DT_OK : dt_world_error(dt_tensor_world(from))->code;
}

static dt_status take_slice(dt_tensor *tensor)
{
    return made(tensor, dt_slice(tensor, 0, 1, dt_tensor_extent(tensor, 0), 1));
}

static dt_status take_one(dt_tensor *tensor)
{
    return made(tensor, dt_select(tensor, 0, 3));
}

static dt_status take_all(dt_tensor *tensor)
{
    dt_tensor *pieces[PIECES];
    int count;
    return dt_chunk(tensor, PIECES, 0, pieces, PIECES, &count);
}

/* More pieces than there is room for without asking for memory. */
static dt_status take_many(dt_tensor *tensor)
{
    dt_tensor *pieces[REQUESTS_MAX];
    int count;
    return dt_split(tensor, 20, 0, pieces, REQUESTS_MAX, &count);
}

static dt_status join(dt_tensor *tensor)
{
    dt_tensor *both[] = {tensor, tensor};
    return made(tensor, dt_cat(both, 2, 0));
}

static dt_status roll(dt_tensor *tensor)
{
    const int64_t by[] = {2};
    return made(tensor, dt_roll(tensor, by, 1, DT_DIMS(0)));
}

/* What this rank gets, and what the others hear at the next call of all. */
static dt_status run_once(dt_mesh *mesh, piece_taker take, int64_t rows,
                          long nth, long *refused)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_group *all = dt_world_group(world);
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *tensor = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(rows, COLUMNS));
    CHECK_OK(world, dt_group_barrier(all));
    if (nth)
        dt_fault_arm_here(nth);
    dt_status status = take(tensor);
    *refused = nth ? dt_fault_disarm() : 0;
    dt_status next = dt_group_barrier(all);
    DT_IGNORE(dt_scope_close(scope));
    return status == DT_OK ? next : status;
}

/* Let one rank fail at its Nth request; false if it makes fewer. */
static bool fail_once(dt_mesh *mesh, piece_taker take, const char *name,
                      long nth)
{
    dt_world *world = dt_mesh_world(mesh);
    bool mine = dt_world_rank(world) == dt_world_size(world) - 1;
    long refused = 0, none;
    dt_array *told = NULL;
    dt_status status =
        run_once(mesh, take, 200 + nth, mine ? nth : 0, &refused);
    CHECKF(status == DT_OK || status == DT_ERR_PEER ||
               (mine && status == DT_ERR_NO_MEMORY),
           "%s, request %ld: %s", name, nth, dt_world_error(world)->message);
    CHECK_OK(world, dt_world_recover(world));
    CHECKF(run_once(mesh, take, 200 + nth, 0, &none) == DT_OK,
           "%s again, request %ld: %s", name, nth,
           dt_world_error(world)->message);
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(1), &told));
    *(int64_t *)dt_array_data(told) = refused;
    CHECK_OK(world, dt_group_broadcast(dt_world_group(world),
                                       dt_world_size(world) - 1, told));
    bool more = *(int64_t *)dt_array_data(told) > 0;
    dt_array_release(told);
    return more;
}

static void fails_alone(dt_world *world)
{
    static const struct {
        const char *name;
        piece_taker take;
    } all[] = {{"slice", take_slice}, {"select", take_one}, {"chunk", take_all},
               {"split", take_many},  {"cat", join},        {"roll", roll}};
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        long nth = 1;
        while (nth < REQUESTS_MAX &&
               fail_once(mesh, all[i].take, all[i].name, nth))
            nth++;
        CHECKF(nth > 5 && nth < REQUESTS_MAX, "%s: %ld requests", all[i].name,
               nth - 1);
    }
    dt_mesh_release(mesh);
}

const dt_test dt_tests[] = {
    {"one rank runs out of memory", fails_alone},
    {NULL, NULL},
};
