/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_async.c - gradients that are reduced while a pass goes
 * on, or by a reducer. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <dtensor/autograd.h>
#include <dtensor/redistribute.h>

#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS, LEAVES = 4 };

static dt_shape shape(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

/* ---- A model: the sum of x_i * w_i, whose gradients are partial ---------- */

typedef struct model {
    fixture f;
    dt_mesh *mesh;
    dt_tensor *w[LEAVES]; /* (1, COLUMNS), replicated */
} model;

/* Layouts of a mesh: sharded along all of its dimensions, and replicated. */
static const char *sharded_on(const dt_mesh *mesh)
{
    static const char *const texts[] = {"", "S(0)", "S(0)S(0)", "S(0)S(0)S(0)"};
    return texts[dt_mesh_ndim(mesh)];
}

static const char *replicated_on(const dt_mesh *mesh)
{
    static const char *const texts[] = {"", "R", "RR", "RRR"};
    return texts[dt_mesh_ndim(mesh)];
}

static model open_model(dt_world *world, dt_mesh *mesh)
{
    model m = {.f = open_fixture(world)};
    m.mesh = mesh ? mesh : m.f.mesh;
    for (int i = 0; i < LEAVES; i++)
        m.w[i] = dt_requires_grad(dt_full(m.mesh, replicated_on(m.mesh), DT_F32,
                                          DT_SHAPE(1, COLUMNS), i + 1));
    return m;
}

static double input_at(int salt, int i)
{
    return operand_at(salt, i);
}

static dt_tensor *input_of(const model *m, int salt)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = input_at(salt, i);
    return tensor_of(m->mesh, sharded_on(m->mesh), DT_F32, shape(), values);
}

static dt_tensor *loss_of(const model *m)
{
    dt_tensor *sum = NULL;
    for (int i = 0; i < LEAVES; i++) {
        dt_tensor *product = dt_mul(input_of(m, i), m->w[i]);
        sum = sum ? dt_add(sum, product) : product;
    }
    return dt_sum(sum, DT_DIMS(), false);
}

/* Check that a leaf's gradient is that of so many passes; 0: none. */
static void check_leaf(const model *m, int leaf, int passes)
{
    double wanted[COLUMNS] = {0};
    dt_tensor *grad = dt_tensor_grad(m->w[leaf]);
    for (int i = 0; i < COUNT; i++)
        wanted[i % COLUMNS] += passes * input_at(leaf, i);
    if (!passes)
        CHECK(!grad);
    else if (CHECK(grad != NULL) && dt_mesh_is_member(m->mesh))
        check_values(grad, wanted, COLUMNS);
}

static void check_leaves(const model *m, int passes)
{
    for (int i = 0; i < LEAVES; i++)
        check_leaf(m, i, passes);
}

/* ---- Options ------------------------------------------------------------ */

static void go_back(dt_world *world, dt_tensor *loss, bool synchronous,
                    bool unreduced)
{
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.synchronous = synchronous;
    options.unreduced = unreduced;
    CHECK_OK(world, dt_backward_with(&loss, 1, &options));
}

/* The same collectives and the same gradients, on every mesh. */
static void waiting_changes_nothing(dt_world *world)
{
    mesh_list meshes = make_meshes(world);
    for (int i = 0; i < meshes.count; i++) {
        long long calls[2];
        for (int synchronous = 0; synchronous < 2; synchronous++) {
            model m = open_model(world, meshes.meshes[i]);
            for (int pass = 1; pass <= 2; pass++) {
                dt_tensor *loss = loss_of(&m);
                start_counting(&m.f);
                go_back(world, loss, synchronous, false);
                calls[synchronous] = calls_counted(&m.f);
                check_leaves(&m, pass);
            }
            close_without_errors(&m.f);
        }
        CHECK_INT(calls[0], calls[1]);
    }
    release_meshes(&meshes);
}

/* Partial sums of several passes are reduced at once, by the last. */
static void passes_without_reduction(dt_world *world)
{
    model m = open_model(world, NULL);
    go_back(world, loss_of(&m), false, false);
    for (int pass = 2; pass <= 4; pass++) {
        dt_tensor *loss = loss_of(&m);
        start_counting(&m.f);
        go_back(world, loss, pass == 3, true);
        check_silent(&m.f);
        check_layout(dt_tensor_grad(m.w[0]), "P(sum)");
    }
    check_leaves(&m, 4);
    dt_tensor *loss = loss_of(&m);
    start_counting(&m.f);
    go_back(world, loss, false, false);
    check_collectives(&m.f, DT_ALL_REDUCE, LEAVES);
    check_layout(dt_tensor_grad(m.w[0]), "R");
    check_leaves(&m, 5);
    close_without_errors(&m.f);
}

/* ---- Overlap ------------------------------------------------------------ */

static atomic_int passed; /* ranks that are past the reduction of a leaf */

static dt_tensor *note_passed(dt_tensor *gradient, void *arg)
{
    (void)arg;
    atomic_fetch_add(&passed, 1);
    return gradient;
}

/* The last rank comes to the reduction after all others have gone on. */
static dt_tensor *wait_for_others(dt_tensor *gradient, void *arg)
{
    const dt_world *world = arg;
    const int others = dt_world_size(world) - 1;
    const struct timespec moment = {0, 1000000};
    if (dt_world_rank(world) < others)
        return gradient;
    for (int i = 0; i < 20000 && atomic_load(&passed) < others; i++)
        nanosleep(&moment, NULL);
    CHECKF(atomic_load(&passed) >= others, "%d of %d ranks went on",
           atomic_load(&passed), others);
    return gradient;
}

static void late_ranks_delay_nobody(dt_world *world)
{
    if (SKIP_ON(world, "shm mpi sim", "the ranks share a variable"))
        return;
    model m = open_model(world, NULL);
    dt_tensor *x = input_of(&m, 0);
    dt_tensor *v =
        dt_requires_grad(dt_full(m.mesh, "S(0)", DT_F32, shape(), 1));
    dt_tensor *early = dt_mul(v, v), *late = dt_mul(early, m.w[0]);
    CHECK_OK(world, dt_tensor_add_hook(early, note_passed, NULL, NULL));
    CHECK_OK(world, dt_tensor_add_hook(m.w[0], wait_for_others, world, NULL));
    dt_tensor *loss = dt_sum(dt_mul(late, x), DT_DIMS(), false);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    atomic_store(&passed, 0);
    CHECK_OK(world, dt_group_barrier(dt_world_group(world)));
    go_back(world, loss, false, false);
    check_leaf(&m, 0, 1);
    close_without_errors(&m.f);
}

/* ---- Hooks -------------------------------------------------------------- */

typedef struct notes {
    const model *m;
    int count, order[LEAVES];
    int seen; /* of leaves that had a gradient while the pass ran */
} notes;

typedef struct leaf_note {
    notes *all;
    int leaf;
} leaf_note;

static dt_tensor *note_order(dt_tensor *gradient, void *arg)
{
    const leaf_note *note = arg;
    note->all->order[note->all->count++] = note->leaf;
    return gradient;
}

/* Leaves are told in the order in which their gradients are complete: the last
 * that was used first. */
static void leaf_hooks_are_in_order(dt_world *world)
{
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        model m = open_model(world, NULL);
        notes all = {.m = &m};
        leaf_note each[LEAVES];
        for (int i = 0; i < LEAVES; i++) {
            each[i] = (leaf_note){&all, i};
            CHECK_OK(world, dt_tensor_add_leaf_hook(m.w[i], note_order,
                                                    &each[i], NULL));
        }
        go_back(world, loss_of(&m), synchronous, false);
        CHECK_INT(all.count, LEAVES);
        for (int i = 0; i < all.count; i++)
            CHECK_INT(all.order[i], LEAVES - 1 - i);
        close_without_errors(&m.f);
    }
}

/* A hook that asks for a gradient on its way waits for it. */
static dt_tensor *ask(dt_tensor *gradient, void *arg)
{
    notes *all = arg;
    for (int i = 0; i < LEAVES; i++)
        all->seen += dt_tensor_grad(all->m->w[i]) != NULL;
    check_leaf(all->m, LEAVES - 1, 1);
    return gradient;
}

static void hooks_may_ask_for_gradients(dt_world *world)
{
    model m = open_model(world, NULL);
    notes all = {.m = &m};
    CHECK_OK(world, dt_tensor_add_hook(m.w[0], ask, &all, NULL));
    go_back(world, loss_of(&m), false, false);
    CHECK_INT(all.seen, LEAVES - 1);
    check_leaves(&m, 1);
    close_without_errors(&m.f);
}

/* ---- Reducers ----------------------------------------------------------- */

/* One bucket: gradients are concatenated when the last one is there. */
typedef struct bucket {
    model *m;
    int taken, order[LEAVES];
    dt_tensor *parts[LEAVES]; /* retained */
    dt_tensor *sum;           /* retained; on its way */
    int finished;
    dt_status status; /* that `finish` was told */
    int fails_at;     /* the gradient that is refused; 0: none */
} bucket;

static dt_status start_bucket(bucket *b)
{
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = "R";
    options.asynchronous = true;
    b->sum = dt_tensor_retain(
        dt_redistribute_with(dt_cat(b->parts, LEAVES, 1), &options));
    return b->sum ? DT_OK : DT_ERR_INVALID;
}

static dt_status take(dt_tensor *gradient, void *leaf, void *arg)
{
    bucket *b = arg;
    const int number = (int)((dt_tensor **)leaf - b->m->w);
    if (b->taken + 1 == b->fails_at)
        return DT_ERR_UNSUPPORTED;
    check_layout(gradient, "P(sum)");
    b->order[b->taken++] = number;
    b->parts[number] = dt_tensor_retain(gradient);
    return b->taken == LEAVES ? start_bucket(b) : DT_OK;
}

static dt_status give_back(bucket *b)
{
    for (int i = 0; i < LEAVES; i++)
        DT_TRY(dt_tensor_add_grad(b->m->w[i],
                                  dt_slice(b->sum, 1, (int64_t)i * COLUMNS,
                                           (int64_t)(i + 1) * COLUMNS, 1)));
    return DT_OK;
}

static dt_status finish(dt_status status, void *arg)
{
    bucket *b = arg;
    b->finished++;
    b->status = status;
    if (status == DT_OK)
        status = give_back(b);
    for (int i = 0; i < LEAVES; i++) {
        dt_tensor_release(b->parts[i]);
        b->parts[i] = NULL;
    }
    dt_tensor_release(b->sum);
    b->sum = NULL;
    b->taken = 0;
    return status;
}

static void set_reducer(model *m, bucket *b)
{
    dt_reducer reducer = DT_REDUCER_INIT;
    reducer.take = take;
    reducer.finish = finish;
    reducer.arg = b;
    b->m = m;
    for (int i = 0; i < LEAVES; i++)
        CHECK_OK(m->f.world,
                 dt_tensor_set_reducer(m->w[i], &reducer, &m->w[i]));
}

/* Gradients of all leaves in one collective, in each of two passes. */
static void reducers_take_gradients(dt_world *world)
{
    model m = open_model(world, NULL);
    bucket b = {0};
    set_reducer(&m, &b);
    for (int pass = 1; pass <= 2; pass++) {
        dt_tensor *loss = loss_of(&m);
        start_counting(&m.f);
        go_back(world, loss, false, false);
        check_collectives(&m.f, DT_ALL_REDUCE, 1);
        CHECK_INT(b.finished, pass);
        check_leaves(&m, pass);
    }
    for (int i = 0; i < LEAVES; i++) {
        CHECK_INT(b.order[i], LEAVES - 1 - i);
        CHECK_OK(world, dt_tensor_set_reducer(m.w[i], NULL, NULL));
    }
    go_back(world, loss_of(&m), false, false);
    CHECK_INT(b.finished, 2);
    check_leaves(&m, 3);
    close_without_errors(&m.f);
}

static void reducers_may_fail(dt_world *world)
{
    model m = open_model(world, NULL);
    bucket b = {.fails_at = 3};
    set_reducer(&m, &b);
    CHECK_FAILS(world, dt_backward(loss_of(&m)), DT_ERR_UNSUPPORTED,
                "`take` of a reducer");
    CHECK_INT(b.finished, 1);
    CHECK_INT(b.status, DT_ERR_UNSUPPORTED);
    check_leaves(&m, 0);
    dt_reducer empty = DT_REDUCER_INIT;
    CHECK_FAILS(world, dt_tensor_set_reducer(m.w[0], &empty, NULL),
                DT_ERR_INVALID, "`take` is NULL");
    CHECK_FAILS(world, dt_tensor_set_reducer(input_of(&m, 0), NULL, NULL),
                DT_ERR_INVALID, "no leaf");
    CHECK_FAILS(world, dt_tensor_add_grad(m.w[0], input_of(&m, 0)),
                DT_ERR_INVALID, "does not match the leaf");
    close_fixture(&m.f);
}

/* ---- Failures ----------------------------------------------------------- */

/* The gradient of w[1] needs what is overwritten; those of w[3] and w[2] are
 * complete by then. */
static void failures_leave_whole_gradients(dt_world *world)
{
    for (int synchronous = 0; synchronous < 2; synchronous++) {
        model m = open_model(world, NULL);
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.synchronous = synchronous;
        go_back(world, loss_of(&m), false, false);
        dt_tensor *sum = NULL, *inputs[LEAVES];
        for (int i = 0; i < LEAVES; i++) {
            inputs[i] = input_of(&m, i);
            dt_tensor *product = dt_mul(inputs[i], m.w[i]);
            sum = sum ? dt_add(sum, product) : product;
        }
        dt_tensor *loss = dt_sum(sum, DT_DIMS(), false);
        CHECK(dt_zero_(inputs[1]) != NULL);
        CHECK_FAILS(world, dt_backward_with(&loss, 1, &options), DT_ERR_INVALID,
                    "dt_backward_with: the gradient of mul; 2 of 4 gradients "
                    "are complete, the others unchanged: the gradient of mul "
                    "needs self");
        for (int i = 0; i < LEAVES; i++)
            check_leaf(&m, i, i > 1 ? 2 : 1);
        close_fixture(&m.f);
    }
}

const dt_test dt_tests[] = {
    {"waiting changes nothing", waiting_changes_nothing},
    {"passes without reduction", passes_without_reduction},
    {"late ranks delay nobody", late_ranks_delay_nobody},
    {"leaf hooks are in order", leaf_hooks_are_in_order},
    {"hooks may ask for gradients", hooks_may_ask_for_gradients},
    {"reducers take gradients", reducers_take_gradients},
    {"reducers may fail", reducers_may_fail},
    {"failures leave whole gradients", failures_leave_whole_gradients},
    {NULL, NULL},
};
