/* tests/fault/ops_move.c - operators that move elements, without memory. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

enum { RANKS = 2, PIECES_MAX = 8 };

/* ---- Programs ----------------------------------------------------------- */

static dt_status made(dt_world *world, const dt_tensor *tensor)
{
    return tensor ? DT_OK : dt_world_error(world)->code;
}

/* Tell the others of a failure in a call that is not collective. */
static dt_status made_alone(dt_world *world, const dt_tensor *tensor)
{
    if (!tensor)
        dt_world_poison(world);
    return made(world, tensor);
}

static dt_status views(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    DT_TRY(made_alone(world, x));
    dt_tensor *turned = dt_t(x);
    DT_TRY(made(world, turned));
    DT_TRY(made(world, dt_view(x, DT_SHAPE(4, 3, 2))));
    DT_TRY(made(world, dt_reshape(turned, DT_SHAPE(24)))); /* a copy */
    DT_TRY(made(world, dt_slice(x, 1, 1, 5, 2)));
    DT_TRY(made(world, dt_select(x, 1, 2)));
    DT_TRY(made(world, dt_expand(x, DT_SHAPE(2, 4, 6))));
    return made(world, dt_unsqueeze_(x, 0));
}

static dt_status joins(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    int count;
    dt_tensor *pieces[PIECES_MAX];
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    dt_tensor *list[] = {x, x, x};
    DT_TRY(made_alone(world, x));
    DT_TRY(made(world, dt_cat(list, 3, 1)));
    DT_TRY(made(world, dt_stack(list, 3, 0)));
    DT_TRY(dt_split(x, 2, 1, pieces, PIECES_MAX, &count));
    return dt_unbind(x, 1, pieces, PIECES_MAX, &count);
}

static dt_status picks(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    bool equal;
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    DT_TRY(made_alone(world, x));
    dt_tensor *by = dt_zeros(mesh, "R", DT_I32, DT_SHAPE(5));
    DT_TRY(made_alone(world, by));
    dt_tensor *all = dt_zeros(mesh, "R", DT_I64, DT_SHAPE(2, 6));
    DT_TRY(made_alone(world, all));
    DT_TRY(made(world, dt_index_select(x, 0, by)));
    DT_TRY(made(world, dt_gather(x, 0, all)));
    DT_TRY(made(world, dt_embedding(x, by)));
    DT_TRY(made(world, dt_dropout(x, 0.5, true)));
    return dt_tensor_equal(x, x, &equal);
}

/* Masked partial tensors that are overwritten. */
static dt_status masks(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(4, 6));
    DT_TRY(made_alone(world, x));
    dt_tensor *by = dt_zeros(mesh, "R", DT_I32, DT_SHAPE(5));
    DT_TRY(made_alone(world, by));
    dt_tensor *rows = dt_embedding(x, by), *others = dt_embedding(x, by);
    DT_TRY(made(world, rows));
    DT_TRY(made(world, others));
    DT_TRY(made(world, dt_mul_scalar_(rows, dt_integer(2))));
    DT_TRY(made(world, dt_index_select_out(x, 0, by, others)));
    DT_TRY(made_alone(world, dt_empty_like(dt_embedding(x, by))));
    return made(world, dt_full_tensor(rows));
}

typedef struct fault_program {
    const char *name;
    dt_status (*run)(dt_mesh *mesh);
    int ranks;
} fault_program;

static dt_status run_in_world(dt_world *world, void *arg)
{
    const fault_program *program = arg;
    dt_mesh *mesh = NULL;
    DT_TRY(dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_status status = scope ? program->run(mesh) : DT_ERR_NO_MEMORY;
    if (scope)
        DT_IGNORE(dt_scope_close(scope));
    else
        dt_world_poison(world);
    dt_mesh_release(mesh);
    return status == DT_OK ? dt_group_barrier(dt_world_group(world)) : status;
}

static dt_status run_ranks(void *arg, dt_error *error)
{
    const fault_program *program = arg;
    dt_world_options options = DT_WORLD_OPTIONS_INIT;
    options.transport = "threads";
    options.ranks = program->ranks;
    options.timeout = 60;
    return dt_world_run(&options, run_in_world, arg, error);
}

static void check_program(const char *name, dt_status (*run)(dt_mesh *mesh))
{
    for (int ranks = 1; ranks <= RANKS; ranks++) {
        fault_program program = {name, run, ranks};
        long nth = 1;
        while (nth <= FAULTS_MAX &&
               run_with_fault(name, run_ranks, &program, nth, false))
            nth++;
        CHECKF(nth > 20 && nth <= FAULTS_MAX, "%s: %ld requests", name,
               nth - 1);
    }
}

static void views_fail(dt_world *world)
{
    (void)world;
    check_program("views", views);
}

static void joins_fail(dt_world *world)
{
    (void)world;
    check_program("joins", joins);
}

static void picks_fail(dt_world *world)
{
    (void)world;
    check_program("picks", picks);
}

static void masks_fail(dt_world *world)
{
    (void)world;
    check_program("masks", masks);
}

const dt_test dt_tests[] = {
    {"views", views_fail},
    {"tensors joined and divided", joins_fail},
    {"elements picked, dropped and compared", picks_fail},
    {"masked tensors overwritten", masks_fail},
    {NULL, NULL},
};
