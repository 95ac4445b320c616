/* tests/fault/autograd.c - recording calls and backward passes, without memory.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/fault_loop.h"

#include <dtensor/autograd.h>

enum { RANKS = 2, ROWS = 4, COLUMNS = 3 };

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

static dt_status done_alone(dt_world *world, dt_status status)
{
    if (status != DT_OK)
        dt_world_poison(world);
    return status;
}

/* A leaf; NULL, and the others are told, on failure. */
static dt_tensor *make_leaf(dt_mesh *mesh, const char *layout, dt_shape shape)
{
    dt_tensor *ones = dt_ones(mesh, layout, DT_F32, shape);
    dt_tensor *leaf = ones ? dt_requires_grad(ones) : NULL;
    if (!leaf)
        dt_world_poison(dt_mesh_world(mesh));
    return leaf;
}

static dt_tensor *sum_of(dt_tensor *tensor)
{
    return dt_sum(tensor, DT_DIMS(), false);
}

/* Two passes: the second adds to what the leaves have. */
static dt_status trains(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *x = make_leaf(mesh, "S(0)", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    dt_tensor *w = make_leaf(mesh, "R", DT_SHAPE(COLUMNS));
    DT_TRY(made(world, w));
    for (int pass = 0; pass < 2; pass++) {
        dt_tensor *loss = sum_of(dt_tanh(dt_mul(x, w)));
        DT_TRY(made(world, loss));
        DT_TRY(dt_backward(loss));
    }
    DT_TRY(done_alone(world, dt_tensor_set_grad(x, NULL)));
    return made_alone(world, dt_tensor_grad(w));
}

static dt_status multiplies(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *x = make_leaf(mesh, "S(1)", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    dt_tensor *w = make_leaf(mesh, "S(0)", DT_SHAPE(COLUMNS, ROWS));
    DT_TRY(made(world, w));
    dt_tensor *loss = sum_of(dt_matmul(x, w));
    DT_TRY(made(world, loss));
    return dt_backward(loss);
}

/* Views, and writes through them. */
static dt_status writes(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *x = make_leaf(mesh, "S(0)", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    dt_tensor *y = dt_mul(x, x);
    DT_TRY(made(world, y));
    dt_tensor *part = dt_select(y, 1, 0);
    DT_TRY(made(world, part));
    DT_TRY(made(world, dt_add_(part, part)));
    dt_tensor *loss = sum_of(dt_t(y));
    DT_TRY(made(world, loss));
    return dt_backward(loss);
}

static dt_status grad_twice(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_tensor *first = NULL, *second = NULL;
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.differentiable = true;
    dt_tensor *x = make_leaf(mesh, "S(0)", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    dt_tensor *loss = sum_of(dt_mul(dt_mul(x, x), x));
    DT_TRY(made(world, loss));
    DT_TRY(dt_grad(&loss, 1, &x, 1, &options, &first));
    dt_tensor *sum = sum_of(first);
    DT_TRY(made(world, sum));
    return dt_grad(&sum, 1, &x, 1, NULL, &second);
}

static dt_tensor *take(dt_tensor *gradient, void *arg)
{
    ++*(int *)arg;
    return gradient;
}

static dt_status hooks(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    int calls = 0;
    uint64_t number = 0;
    dt_tensor *x = make_leaf(mesh, "S(0)", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    dt_tensor *y = dt_mul(x, x);
    DT_TRY(made(world, y));
    DT_TRY(done_alone(world, dt_tensor_add_hook(y, take, &calls, &number)));
    DT_TRY(done_alone(world, dt_tensor_add_leaf_hook(x, take, &calls, NULL)));
    dt_tensor *loss = sum_of(y);
    DT_TRY(made(world, loss));
    DT_TRY(dt_backward(loss));
    return done_alone(world, dt_tensor_remove_hook(y, number));
}

/* A reducer that gives gradients back as they are, at the end. */
typedef struct reduction {
    dt_tensor *leaf, *taken;
} reduction;

static dt_status take_over(dt_tensor *gradient, void *leaf, void *arg)
{
    (void)leaf;
    ((reduction *)arg)->taken = dt_tensor_retain(gradient);
    return DT_OK;
}

static dt_status finish(dt_status status, void *arg)
{
    reduction *at = arg;
    if (status == DT_OK)
        status = dt_tensor_add_grad(at->leaf, at->taken);
    dt_tensor_release(at->taken);
    at->taken = NULL;
    return status;
}

/* A pass that leaves partial sums, one that reduces them, one by a reducer. */
static dt_status reduces(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    reduction at = {0};
    dt_reducer reducer = DT_REDUCER_INIT;
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    reducer.take = take_over;
    reducer.finish = finish;
    reducer.arg = &at;
    dt_tensor *x = dt_ones(mesh, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    at.leaf = make_leaf(mesh, "R", DT_SHAPE(COLUMNS));
    DT_TRY(made(world, at.leaf));
    for (int pass = 0; pass < 3; pass++) {
        dt_tensor *loss = sum_of(dt_mul(x, at.leaf));
        DT_TRY(made(world, loss));
        options.unreduced = pass == 0;
        if (pass == 2)
            DT_TRY(done_alone(world,
                              dt_tensor_set_reducer(at.leaf, &reducer, NULL)));
        DT_TRY(dt_backward_with(&loss, 1, &options));
    }
    return DT_OK;
}

/* What is saved, in other forms. */
static dt_status packs(dt_mesh *mesh)
{
    dt_world *world = dt_mesh_world(mesh);
    const dt_packing all[] = {dt_packing_shard(NULL), dt_packing_disk(NULL)};
    dt_tensor *x = make_leaf(mesh, "R", DT_SHAPE(ROWS, COLUMNS));
    DT_TRY(made(world, x));
    for (int i = 0; i < 2; i++) {
        dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
        options.packing = &all[i];
        dt_scope *scope = dt_scope_open_with(world, &options);
        if (!scope)
            dt_world_poison(world);
        DT_TRY(scope ? DT_OK : DT_ERR_NO_MEMORY);
        dt_tensor *loss = sum_of(dt_exp(dt_neg(x)));
        DT_TRY(made(world, loss));
        DT_TRY(dt_backward(loss));
        DT_TRY(dt_scope_close(scope));
    }
    return DT_OK;
}

/* ---- Running ------------------------------------------------------------ */

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

static void passes_fail(dt_world *world)
{
    (void)world;
    check_program("trains", trains);
    check_program("multiplies", multiplies);
}

static void reductions_fail(dt_world *world)
{
    (void)world;
    check_program("reduces", reduces);
}

static void packings_fail(dt_world *world)
{
    (void)world;
    check_program("packs", packs);
}

static void writes_fail(dt_world *world)
{
    (void)world;
    check_program("writes", writes);
}

static void differentiable_passes_fail(dt_world *world)
{
    (void)world;
    check_program("grad twice", grad_twice);
}

static void hooks_fail(dt_world *world)
{
    (void)world;
    check_program("hooks", hooks);
}

const dt_test dt_tests[] = {
    {"backward passes", passes_fail},
    {"reductions", reductions_fail},
    {"packings", packings_fail},
    {"writes through views", writes_fail},
    {"gradients of gradients", differentiable_passes_fail},
    {"hooks", hooks_fail},
    {NULL, NULL},
};
