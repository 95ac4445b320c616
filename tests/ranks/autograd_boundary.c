/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_boundary.c - gradients where tensors change layout, or
 * cross between the mesh and this rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/local_map.h>
#include <dtensor/redistribute.h>

#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS };

static const int64_t strides[] = {COLUMNS, 1};

static dt_shape shape(void)
{
    return DT_SHAPE(ROWS, COLUMNS);
}

static dt_tensor *make(fixture *f, const char *layout, int salt)
{
    return make_operand(f, layout, DT_F32, shape(), salt);
}

static dt_tensor *make_leaf(fixture *f, const char *layout, int salt)
{
    return dt_requires_grad(make(f, layout, salt));
}

/* A leaf on this rank's own mesh: the local part of a tensor. */
static dt_tensor *make_local_leaf(fixture *f, const char *layout, int salt)
{
    return dt_requires_grad(dt_clone(dt_to_local(make(f, layout, salt))));
}

static dt_tensor *from_local(fixture *f, const char *layout, dt_tensor *local,
                             const char *grad_layout)
{
    const dt_shape whole = shape();
    dt_from_local_options options = DT_FROM_LOCAL_OPTIONS_INIT;
    options.shape = &whole;
    options.strides = strides;
    options.grad_layout = grad_layout;
    return dt_from_local_tensor(f->mesh, layout, local, &options);
}

static dt_tensor *to_local(dt_tensor *tensor, const char *grad_layout)
{
    dt_to_local_options options = DT_TO_LOCAL_OPTIONS_INIT;
    options.grad_layout = grad_layout;
    return dt_to_local_with(tensor, &options);
}

static dt_tensor *sum_of(dt_tensor *tensor)
{
    return dt_sum(tensor, DT_DIMS(), false);
}

/* Go back with a gradient, and count collectives. */
static void go_back(fixture *f, dt_tensor *output, dt_tensor *gradient)
{
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &gradient;
    start_counting(f);
    CHECK_OK(f->world, dt_backward_with(&output, 1, &options));
}

static void check_operand(dt_tensor *tensor, int salt)
{
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = operand_at(salt, i);
    check_values(tensor, wanted, COUNT);
}

/* ---- Behaviours 21 to 25: redistribute ---------------------------------- */

typedef struct change {
    const char *from, *to;
    const char *grad; /* layout of the gradient that comes back */
    int there;        /* calls of a kind, or -1: none */
    int back;
} change;

static const change changes[] = {
    {"S(0)", "R", "R", DT_ALL_GATHER, -1},                   /* 21 */
    {"R", "S(0)", "S(0)", -1, DT_ALL_GATHER},                /* 22 */
    {"P", "R", "R", DT_ALL_REDUCE, -1},                      /* 23 */
    {"P", "S(0)", "S(0)", DT_REDUCE_SCATTER, DT_ALL_GATHER}, /* 24 */
    {"S(0)", "P", "R", -1, -1},                              /* 25 */
};

static void check_calls(const fixture *f, int kind)
{
    if (kind < 0)
        check_silent(f);
    else if (kind == DT_ALL_GATHER)
        check_gathers(f, 1);
    else
        check_collectives(f, (dt_collective)kind, 1);
}

static void check_change(dt_world *world, const change *of)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, of->from, 0);
    dt_tensor *gradient = make(&f, of->grad, 1);
    start_counting(&f);
    dt_tensor *y = dt_redistribute(x, of->to);
    check_calls(&f, of->there);
    go_back(&f, y, gradient);
    check_calls(&f, of->back);
    check_layout(dt_tensor_grad(x), of->from[0] == 'P' ? "R" : of->from);
    check_operand(dt_tensor_grad(x), 1);
    close_without_errors(&f);
}

static void behaviour_21_gather(dt_world *world)
{
    check_change(world, &changes[0]);
}

static void behaviour_22_slice(dt_world *world)
{
    check_change(world, &changes[1]);
}

static void behaviour_23_reduce(dt_world *world)
{
    check_change(world, &changes[2]);
}

static void behaviour_24_reduce_and_scatter(dt_world *world)
{
    check_change(world, &changes[3]);
}

static void behaviour_25_addends(dt_world *world)
{
    check_change(world, &changes[4]);
}

/* ---- Behaviours 40 and 41 ----------------------------------------------- */

/* A gradient of 257, which bf16 rounds to 256. */
static void check_dtypes(dt_world *world, const dt_dtype *forward,
                         const dt_dtype *backward, double wanted)
{
    fixture f = open_fixture(world);
    dt_redistribute_options options = DT_REDISTRIBUTE_OPTIONS_INIT;
    options.layout = "S(0)";
    options.forward_dtype = forward;
    options.backward_dtype = backward;
    dt_tensor *x = make_leaf(&f, "R", 0);
    dt_tensor *y = dt_redistribute_with(x, &options);
    check_dtype(y, forward ? *forward : DT_F32);
    go_back(&f, y, dt_full(f.mesh, "S(0)", dt_tensor_dtype(y), shape(), 257));
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = wanted;
    check_dtype(dt_tensor_grad(x), DT_F32);
    check_values(dt_tensor_grad(x), values, COUNT);
    close_without_errors(&f);
}

static void behaviour_40_gradients_in_another_dtype(dt_world *world)
{
    const dt_dtype narrow = DT_BF16, wide = DT_F64;
    check_dtypes(world, NULL, NULL, 257);
    check_dtypes(world, NULL, &narrow, 256);
    check_dtypes(world, &wide, NULL, 257);
    check_dtypes(world, &wide, &narrow, 256);
    check_dtypes(world, &narrow, &wide, 256);
}

/* The gradient of x^3 is 3 x^2, and of that 6 x. */
static void behaviour_41_gradients_of_gradients(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, layouts[i], 0), *first, *second;
        dt_tensor *y = dt_redistribute(x, i == 0 ? "R" : "S(0)");
        dt_tensor *loss = sum_of(dt_mul(y, dt_mul(y, y)));
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.differentiable = true;
        CHECK_OK(world, dt_grad(&loss, 1, &x, 1, &options, &first));
        dt_tensor *again = sum_of(first);
        CHECK_OK(world, dt_grad(&again, 1, &x, 1, NULL, &second));
        double wanted[COUNT];
        for (int k = 0; k < COUNT; k++)
            wanted[k] = 6 * operand_at(0, k);
        check_values(second, wanted, COUNT);
        check_layout(second, layouts[i]);
        close_without_errors(&f);
    }
}

/* ---- Behaviours 80 to 85: local tensors --------------------------------- */

static void behaviour_80_gradients_of_from_local(dt_world *world)
{
    static const change all[] = {{"S(0)", "S(0)", "S(0)", -1, -1},
                                 {"R", "R", "R", -1, -1},
                                 {"R", "R", "P", -1, DT_ALL_REDUCE},
                                 {"P", "R", "P", -1, DT_ALL_REDUCE},
                                 {"P", "R", "R", -1, -1}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        fixture f = open_fixture(world);
        dt_tensor *local = make_local_leaf(&f, all[i].from, 0);
        dt_tensor *x = from_local(&f, all[i].from, local, NULL);
        go_back(&f, x, make(&f, all[i].grad, 1));
        check_calls(&f, all[i].back);
        check_operand(from_local(&f, all[i].to, dt_tensor_grad(local), NULL),
                      1);
        close_without_errors(&f);
    }
}

static void behaviour_81_partial_gradients_stay(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *local = make_local_leaf(&f, "R", 0);
    dt_tensor *x = from_local(&f, "R", local, "P");
    go_back(&f, x, make(&f, "P", 1));
    check_silent(&f);
    check_operand(from_local(&f, "P", dt_tensor_grad(local), NULL), 1);
    close_without_errors(&f);
}

static void behaviour_82_addends_of_gradients(dt_world *world)
{
    static const change all[] = {{"S(0)", "R", "P", 0, DT_REDUCE_SCATTER},
                                 {"R", "R", "P", 0, DT_ALL_REDUCE}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, all[i].from, 0);
        dt_tensor *local = to_local(dt_redistribute(x, all[i].to), "P");
        go_back(&f, local, dt_to_local(make(&f, "P", 1)));
        check_calls(&f, all[i].back);
        check_operand(dt_tensor_grad(x), 1);
        close_without_errors(&f);
    }
}

static void behaviour_83_there_and_back(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "P", 0);
    dt_tensor *y = from_local(&f, "P", dt_to_local(x), NULL);
    go_back(&f, y, make(&f, "R", 1));
    check_silent(&f);
    check_operand(dt_tensor_grad(x), 1);
    close_without_errors(&f);
}

static void behaviour_84_uneven_shards(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, layouts[i], 0);
        go_back(&f, dt_to_local(x), dt_to_local(make(&f, layouts[i], 1)));
        check_silent(&f);
        check_layout(dt_tensor_grad(x), layouts[i]);
        check_operand(dt_tensor_grad(x), 1);
        close_without_errors(&f);
    }
}

/* Images (2, 3, 5, 7) whose channels are contiguous; the gradients of shards of
 * 5 or 7 arrive in the same order of memory, and nothing is sent. */
static void behaviour_84_channels_last(dt_world *world)
{
    static const char *const layouts[] = {"S(2)", "S(3)", "R"};
    const dt_dims order = DT_DIMS(0, 3, 1, 2);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        static const char *const stored[] = {"S(1)", "S(2)", "R"};
        const dt_shape rows = DT_SHAPE(2, 5, 7, 3);
        dt_tensor *x = dt_requires_grad(dt_detach(
            dt_permute(make_operand(&f, stored[i], DT_F32, rows, 0), order)));
        dt_tensor *grad =
            dt_permute(make_operand(&f, stored[i], DT_F32, rows, 1), order);
        check_layout(x, layouts[i]);
        CHECK_INT(dt_tensor_stride(x, 1), 1);
        go_back(&f, dt_to_local(x), dt_to_local(grad));
        check_silent(&f);
        check_layout(dt_tensor_grad(x), layouts[i]);
        for (int k = 0; k < 4; k++)
            CHECK_INT(dt_tensor_stride(dt_tensor_grad(x), k),
                      dt_tensor_stride(x, k));
        CHECK_INT(dt_array_stride(dt_tensor_local(dt_tensor_grad(x)), 1), 1);
        bool equal = false;
        CHECK_OK(world, dt_tensor_equal(dt_tensor_grad(x), grad, &equal));
        CHECK(equal);
        close_without_errors(&f);
    }
}

static void behaviour_85_nothing_is_recorded(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_scope *off = dt_scope_open_with(world, &options);
    dt_tensor *local = dt_to_local(x);
    CHECK(!dt_tensor_requires_grad(local));
    check_shares_memory(local, x);
    CHECK_OK(world, dt_scope_close(off));
    CHECK(dt_tensor_requires_grad(dt_to_local(x)));
    close_without_errors(&f);
}

/* ---- Full tensors ------------------------------------------------------- */

static void full_tensors(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R", "P"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int addends = 0; addends < 2; addends++) {
            fixture f = open_fixture(world);
            dt_to_local_options options = DT_TO_LOCAL_OPTIONS_INIT;
            options.grad_layout = addends ? "P" : NULL;
            dt_tensor *x = make_leaf(&f, layouts[i], 0);
            dt_tensor *all = dt_full_tensor_with(x, &options);
            go_back(&f, all, dt_to_local(make(&f, addends ? "P" : "R", 1)));
            check_operand(dt_tensor_grad(x), 1);
            close_without_errors(&f);
        }
}

/* ---- local_map ---------------------------------------------------------- */

static dt_status multiply(dt_world *world, dt_tensor *const *inputs,
                          int input_count, dt_tensor **outputs,
                          int output_count, void *arg)
{
    (void)world, (void)input_count, (void)output_count, (void)arg;
    outputs[0] = dt_mul(inputs[0], inputs[1]);
    return outputs[0] ? DT_OK : DT_ERR_INVALID;
}

/* Each rank multiplies its rows by a factor of all: it knows an addend of the
 * factor's gradient. */
static void local_maps(dt_world *world)
{
    static const char *const in[] = {"S(0)", "R"}, *const out[] = {"S(0)"},
                             *const grads[] = {NULL, "P"};
    fixture f = open_fixture(world);
    const dt_shape shapes[] = {shape()};
    dt_local_map_options options = DT_LOCAL_MAP_OPTIONS_INIT;
    options.in_layouts = in;
    options.out_layouts = out;
    options.out_shapes = shapes;
    options.in_grad_layouts = grads;
    dt_tensor *x = make_leaf(&f, "S(0)", 0), *y = NULL;
    dt_tensor *w =
        dt_requires_grad(dt_full(f.mesh, "R", DT_F32, DT_SHAPE(1, COLUMNS), 2));
    dt_tensor *inputs[] = {x, w};
    CHECK_OK(world, dt_local_map(multiply, inputs, 2, &y, 1, &options));
    go_back(&f, y, make(&f, "S(0)", 1));
    check_collectives(&f, DT_ALL_REDUCE, 1);
    double by_x[COUNT], by_w[COLUMNS] = {0};
    for (int i = 0; i < COUNT; i++) {
        by_x[i] = 2 * operand_at(1, i);
        by_w[i % COLUMNS] += operand_at(0, i) * operand_at(1, i);
    }
    check_values(dt_tensor_grad(x), by_x, COUNT);
    check_values(dt_tensor_grad(w), by_w, COLUMNS);
    close_without_errors(&f);
}

/* ---- Ranks outside the mesh --------------------------------------------- */

static void ranks_outside(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_mesh *mesh = NULL;
    int ranks[64];
    const int count = f.ranks > 1 ? (int)f.ranks - 1 : 1;
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    CHECK_OK(world, dt_mesh_create_from(world, "x", ranks, count, &mesh));
    const bool inside = dt_world_rank(world) < count;
    dt_tensor *x = dt_requires_grad(dt_full(mesh, "S(0)", DT_F32, shape(), 3));
    dt_tensor *y = dt_redistribute(dt_mul(x, x), "R");
    CHECK_OK(world, dt_backward(sum_of(dt_mul(y, x))));
    CHECK(dt_tensor_grad(x) != NULL);
    double wanted[COUNT];
    for (int i = 0; i < COUNT; i++)
        wanted[i] = 27;
    if (inside)
        check_values(dt_tensor_grad(x), wanted, COUNT);
    close_without_errors(&f);
    dt_mesh_release(mesh);
}

/* ---- Boxes --------------------------------------------------------------- */

/* Rank 0 writes a row; the others name no box. */
static dt_status put_row(dt_tensor *to, double value)
{
    dt_world *world = dt_tensor_world(to);
    const dt_box box = {.ndim = 2, .offset = {2, 0}, .size = {1, COLUMNS}};
    const bool first = dt_world_rank(world) == 0;
    dt_array *row = NULL;
    CHECK_OK(world, dt_array_create(world, DT_F32, DT_SHAPE(1, COLUMNS), &row));
    CHECK_OK(world, dt_array_fill(world, row, value));
    dt_status status =
        dt_tensor_put(to, first ? &box : NULL, first ? row : NULL);
    dt_array_release(row);
    return status;
}

static void boxes_that_are_written(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "R"};
    double wanted[COUNT];
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, layouts[i], 0);
        dt_tensor *weight = make(&f, layouts[i], 1);
        dt_tensor *y = dt_mul_scalar(x, dt_integer(2));
        CHECK_OK(world, put_row(y, 100));
        go_back(&f, y, weight);
        for (int k = 0; k < COUNT; k++)
            wanted[k] = k / COLUMNS == 2 ? 0 : 2 * operand_at(1, k);
        check_values(dt_tensor_grad(x), wanted, COUNT);
        for (int k = 0; k < COUNT; k++)
            wanted[k] = k / COLUMNS == 2 ? 100 : 2 * operand_at(0, k);
        check_values(y, wanted, COUNT);
        close_without_errors(&f);
    }
}

/* A leaf is not written, and what a gradient has saved is not lost unseen. */
static void boxes_that_may_not_be_written(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, "S(0)", 0);
    CHECK_FAILS(world, put_row(x, 1), DT_ERR_INVALID,
                "tensor_put_: a leaf that requires a gradient");
    dt_tensor *y = dt_mul_scalar(x, dt_integer(2));
    dt_tensor *square = sum_of(dt_mul(y, y));
    CHECK_OK(world, put_row(y, 1));
    CHECK_FAILS(world, dt_backward(square), DT_ERR_INVALID, "tensor_put");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"boxes that are written", boxes_that_are_written},
    {"boxes that may not be written", boxes_that_may_not_be_written},
    {"4.2.21: the gradient of a gather is sliced", behaviour_21_gather},
    {"4.2.22: the gradient of a slice is gathered", behaviour_22_slice},
    {"4.2.23: the gradient of a reduction is replicated", behaviour_23_reduce},
    {"4.2.24: the gradient of a reduced shard is gathered",
     behaviour_24_reduce_and_scatter},
    {"4.2.25: the gradient of addends is sliced", behaviour_25_addends},
    {"4.2.40: gradients in another dtype",
     behaviour_40_gradients_in_another_dtype},
    {"4.2.41: gradients of gradients", behaviour_41_gradients_of_gradients},
    {"4.5.80: gradients of from_local", behaviour_80_gradients_of_from_local},
    {"4.5.81: partial gradients stay", behaviour_81_partial_gradients_stay},
    {"4.5.82: addends of gradients", behaviour_82_addends_of_gradients},
    {"4.5.83: there and back", behaviour_83_there_and_back},
    {"4.5.84: uneven shards", behaviour_84_uneven_shards},
    {"4.5.84: channels last", behaviour_84_channels_last},
    {"4.5.85: nothing is recorded", behaviour_85_nothing_is_recorded},
    {"full tensors", full_tensors},
    {"local maps", local_maps},
    {"ranks outside", ranks_outside},
    {NULL, NULL},
};
