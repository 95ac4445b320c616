/* ranks: 2 3 4 */
/* tests/fault/redistribute.c - redistribution where one rank lacks memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <stdlib.h>

#include <dtensor/redistribute.h>

/*
 * One rank after the other runs out of memory at its Nth request.  It is told
 * so; the others are told of it in the same call or at the next one, and nobody
 * waits for ever.  Then all recover, and the same call works.
 */

/* One redistribution: fresh shapes have plans that nobody knows yet. */
typedef struct attempt {
    dt_mesh *mesh;
    dt_mesh *to_mesh;
    const char *from;
    const char *to;
    bool casts;
    bool asynchronous;
    int64_t rows;
} attempt;

static dt_tensor *redistribute(const attempt *of, dt_tensor *tensor)
{
    const dt_dtype wide = DT_F64;
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.mesh = of->to_mesh;
    options.layout = of->to;
    options.forward_dtype = of->casts ? &wide : NULL;
    options.asynchronous = of->asynchronous;
    return dt_redistribute_with(tensor, &options);
}

/* Ones, or what combines to them, and read back as the whole. */
static void check_ones(const attempt *of, dt_tensor *tensor)
{
    dt_world *world = dt_mesh_world(of->mesh);
    dt_box box = {.ndim = 2, .size = {of->rows, 3}};
    dt_array *out = NULL;
    dt_dtype dtype = of->casts ? DT_F64 : DT_F32;
    CHECK_OK(world, dt_array_create(world, dtype, DT_SHAPE(of->rows, 3), &out));
    CHECK_OK(world, dt_tensor_get(tensor, &box, out));
    const float *single = dt_array_const_data(out);
    const double *wide = dt_array_const_data(out);
    for (int64_t i = 0; dt_mesh_is_member(of->to_mesh) && i < 3 * of->rows; i++)
        CHECK(of->casts ? wide[i] == 1 : single[i] == 1);
    dt_array_release(out);
}

/* What the others hear at the next call that all make. */
static dt_status meet(dt_world *world)
{
    return dt_group_barrier(dt_world_group(world));
}

/* One rank fails at its Nth request; false if it makes fewer. */
static bool try_once(const attempt *of, int unlucky, long nth)
{
    dt_world *world = dt_mesh_world(of->mesh);
    bool mine = dt_world_rank(world) == unlucky;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *tensor =
        dt_ones(of->mesh, of->from, DT_F32, DT_SHAPE(of->rows, 3));
    long refused = 0;
    CHECK_OK(world, meet(world));
    if (mine)
        dt_fault_arm_here(nth);
    dt_tensor *result = redistribute(of, tensor);
    if (mine)
        refused = dt_fault_disarm();
    if (!result) {
        dt_status code = dt_world_error(world)->code;
        CHECKF(code == (mine ? DT_ERR_NO_MEMORY : DT_ERR_PEER),
               "%s -> %s, request %ld: %s", of->from, of->to, nth,
               dt_world_error(world)->message);
        CHECK(!mine || refused > 0);
    } else if (meet(world) != DT_OK) {
        CHECK_INT(dt_world_error(world)->code, DT_ERR_PEER);
    }
    DT_IGNORE(dt_scope_close(scope));
    CHECK_OK(world, dt_world_recover(world));
    scope = dt_scope_open(world);
    tensor = dt_ones(of->mesh, of->from, DT_F32, DT_SHAPE(of->rows, 3));
    result = redistribute(of, tensor);
    if (CHECKF(result, "%s", dt_world_error(world)->message))
        check_ones(of, result);
    CHECK_OK(world, dt_scope_close(scope));
    int64_t *told, more = refused > 0;
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I64, DT_SHAPE(1), &array));
    told = dt_array_data(array);
    *told = more;
    CHECK_OK(world, dt_group_broadcast(dt_world_group(world), unlucky, array));
    more = *told;
    dt_array_release(array);
    return more != 0;
}

static void try_all(attempt of, long least)
{
    dt_world *world = dt_mesh_world(of.mesh);
    int size = dt_world_size(world);
    for (int unlucky = 0; unlucky<size; unlucky += size> 2 ? size - 1 : 1) {
        long nth = 1;
        for (; nth < 200; nth++) {
            of.rows = 1000 * (unlucky + 1) + nth;
            if (!try_once(&of, unlucky, nth))
                break;
        }
        CHECKF(nth > least && nth < 200, "%s -> %s: %ld requests", of.from,
               of.to, nth - 1);
    }
}

static void along_a_line(dt_world *world)
{
    static const char *const pairs[][2] = {
        {"S(0)", "R"}, {"S(0)", "S(1)"},   {"P", "R"},      {"P", "S(0)"},
        {"R", "S(1)"}, {"S(0)", "P(max)"}, {"P(max)", "P"},
    };
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        attempt of = {.mesh = mesh,
                      .to_mesh = mesh,
                      .from = pairs[i][0],
                      .to = pairs[i][1],
                      .casts = i % 3 == 2,
                      .asynchronous = i % 2};
        try_all(of, 5);
    }
    dt_mesh_release(mesh);
}

/* Also where a rank is in one of the meshes alone. */
static void from_mesh_to_mesh(dt_world *world)
{
    static const char *const pairs[][2] = {
        {"S(0)", "R"}, {"P", "S(0)"}, {"S(1)", "P"}};
    int size = dt_world_size(world);
    int ranks[8];
    dt_mesh *low = NULL, *high = NULL;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "low", ranks, size - 1, &low));
    CHECK_OK(world,
             dt_mesh_create_from(world, "high", ranks + 1, size - 1, &high));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        try_all((attempt){.mesh = low,
                          .to_mesh = high,
                          .from = pairs[i][0],
                          .to = pairs[i][1]},
                5);
    dt_mesh_release(low);
    dt_mesh_release(high);
}

/* ---- Plans alone -------------------------------------------------------- */

static dt_status make_plans(void *arg, dt_error *error)
{
    static const char *const texts[] = {"RR", "S(0)S(1)", "PS(0)",
                                        "S(0)[1]S(0)[0]", "_S(0,3)R"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    dt_world *world = NULL;
    dt_mesh *mesh = NULL, *line = NULL;
    (void)arg;
    options.transport = "sim";
    options.ranks = 4;
    DT_TRY(dt_world_open(&options, &world, error));
    dt_status status = dt_mesh_create(world, "x=2,y=2", &mesh);
    if (status == DT_OK)
        status = dt_mesh_create(world, "line", &line);
    for (int i = 0; status == DT_OK && i < TEXTS * TEXTS + 1; i++) {
        dt_spec *from = NULL, *to = NULL;
        dt_plan *plan = NULL;
        dt_plan_options how = DT_PLAN_OPTIONS_INIT;
        bool across = i == TEXTS * TEXTS;
        how.planner = i % 3 == 1 ? DT_PLANNER_DIRECT : DT_PLANNER_SEARCH;
        status = dt_spec_create(mesh, texts[i % TEXTS], DT_F32, DT_SHAPE(8, 6),
                                &from);
        if (status == DT_OK)
            status = dt_spec_create(across ? line : mesh,
                                    across ? "P" : texts[i / TEXTS % TEXTS],
                                    DT_F32, DT_SHAPE(8, 6), &to);
        if (status == DT_OK)
            status = dt_plan_create(from, to, &how, &plan);
        CHECK((plan == NULL) == (status != DT_OK));
        dt_plan_release(plan);
        dt_spec_release(from);
        dt_spec_release(to);
    }
    if (status != DT_OK)
        *error = *dt_world_error(world);
    dt_mesh_release(mesh);
    dt_mesh_release(line);
    DT_IGNORE(dt_world_close(world));
    return status;
}

static void makes_plans(dt_world *world)
{
    CHECK_OK(world, meet(world));
    if (dt_world_rank(world) == 0) {
        long nth = 1, tried = 0, failed = 0;
        for (; nth < FAULTS_MAX; nth += getenv("DT_TEST_FULL") ? 1 : 7) {
            dt_error error = {DT_OK, ""};
            dt_fault_arm_here(nth);
            dt_status status = make_plans(NULL, &error);
            if (!dt_fault_disarm())
                break;
            tried++;
            failed += status != DT_OK;
            /* Records of handles, which debug builds keep, can be done
             * without. */
            CHECKF(status == DT_OK ||
                       (status == DT_ERR_NO_MEMORY && error.message[0]),
                   "request %ld: %s", nth, error.message);
        }
        CHECKF(nth > 200 && nth < FAULTS_MAX, "%ld requests", nth);
        CHECKF(failed * 4 > tried * 3, "%ld of %ld failed", failed, tried);
    }
    CHECK_OK(world, meet(world));
}

const dt_test dt_tests[] = {
    {"along a line", along_a_line},
    {"from mesh to mesh", from_mesh_to_mesh},
    {"makes plans", makes_plans},
    {NULL, NULL},
};
