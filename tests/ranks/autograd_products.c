/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_products.c - what gradients of products send under the
 * layouts of tensor, sequence and data parallelism. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/trace.h>

#include "support/tensors.h"

enum { ROWS = 12, INNER = 24, OUTER = 36 };

/* ---- Values ------------------------------------------------------------- */

/* An operand whose elements are those of make_operand. */
typedef struct matrix {
    int rows, columns;
    int salt;
} matrix;

static const matrix x_of = {ROWS, INNER, 0}, w_of = {OUTER, INNER, 1},
                    grad_of = {ROWS, OUTER, 2};

static double at(matrix m, int row, int column)
{
    return operand_at(m.salt, row * m.columns + column);
}

static dt_tensor *make(fixture *f, matrix m, const char *layout)
{
    return make_operand(f, layout, DT_F32, DT_SHAPE(m.rows, m.columns), m.salt);
}

static dt_tensor *make_leaf(fixture *f, matrix m, const char *layout)
{
    return dt_requires_grad(make(f, m, layout));
}

/* grad w */
static void check_input(dt_tensor *gradient)
{
    double wanted[ROWS * INNER] = {0};
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < INNER; k++)
            for (int n = 0; n < OUTER; n++)
                wanted[i * INNER + k] += at(grad_of, i, n) * at(w_of, n, k);
    check_values(gradient, wanted, ROWS * INNER);
}

/* The transposed grad, times x */
static void check_weight(dt_tensor *gradient)
{
    double wanted[OUTER * INNER] = {0};
    for (int n = 0; n < OUTER; n++)
        for (int k = 0; k < INNER; k++)
            for (int i = 0; i < ROWS; i++)
                wanted[n * INNER + k] += at(grad_of, i, n) * at(x_of, i, k);
    check_values(gradient, wanted, OUTER * INNER);
}

static void check_bias(dt_tensor *gradient)
{
    double wanted[OUTER] = {0};
    for (int n = 0; n < OUTER; n++)
        for (int i = 0; i < ROWS; i++)
            wanted[n] += at(grad_of, i, n);
    check_values(gradient, wanted, OUTER);
}

/* ---- Layouts of a linear layer ------------------------------------------ */

/* A layer: redistribute the input, multiply, redistribute the result; and the
 * collectives of each direction. */
typedef struct layer {
    const char *name;
    const char *x, *gathered; /* NULL: as it is */
    const char *w, *bias;
    const char *out; /* NULL: as it is */
    const char *grad;
    int forward[3], backward[3]; /* all-reduce, all-gather, reduce-scatter */
} layer;

static const layer layers[] = {
    {.name = "columns",
     .x = "R",
     .w = "S(0)",
     .bias = "S(0)",
     .grad = "S(1)",
     .backward = {1, 0, 0}},
    {.name = "columns of a sequence",
     .x = "S(0)",
     .gathered = "R",
     .w = "S(0)",
     .bias = "S(0)",
     .grad = "S(1)",
     .forward = {0, 1, 0},
     .backward = {0, 0, 1}},
    {.name = "rows",
     .x = "S(1)",
     .w = "S(1)",
     .bias = "R",
     .out = "R",
     .grad = "R",
     .forward = {1, 0, 0}},
    {.name = "rows of a sequence",
     .x = "S(1)",
     .w = "S(1)",
     .out = "S(0)",
     .grad = "S(0)",
     .forward = {0, 0, 1},
     .backward = {0, 1, 0}},
    {.name = "data",
     .x = "S(0)",
     .w = "R",
     .grad = "S(0)",
     .backward = {1, 0, 0}},
};

/* Check how many calls there were of each kind, and of all kinds. */
static void check_counts(const fixture *f, const char *name, const int *wanted)
{
    static const dt_collective kinds[] = {DT_ALL_REDUCE, DT_ALL_GATHER,
                                          DT_REDUCE_SCATTER};
    int all = 0;
    for (int i = 0; i < 3 && f->ranks > 1; i++) {
        const long long found =
            kinds[i] == DT_ALL_GATHER
                ? gathers_counted(f)
                : (long long)(dt_trace_count(f->world, kinds[i]).calls -
                              f->counted[kinds[i]]);
        all += wanted[i];
        CHECKF(found == wanted[i], "%s: %lld calls of %s, not %d", name, found,
               dt_collective_name(kinds[i]), wanted[i]);
    }
    CHECKF(calls_counted(f) == all, "%s: %lld calls, not %d", name,
           calls_counted(f), all);
}

static dt_tensor *run(const layer *l, dt_tensor *x, dt_tensor *w,
                      dt_tensor *bias)
{
    if (l->gathered)
        x = dt_redistribute(x, l->gathered);
    dt_tensor *out = dt_linear(x, w, bias);
    return l->out ? dt_redistribute(out, l->out) : out;
}

static void check_layer(dt_world *world, const layer *l)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_leaf(&f, x_of, l->x), *w = make_leaf(&f, w_of, l->w);
    dt_tensor *bias = l->bias ? dt_requires_grad(dt_zeros(
                                    f.mesh, l->bias, DT_F32, DT_SHAPE(OUTER)))
                              : NULL;
    dt_tensor *grad = make(&f, grad_of, l->grad);
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &grad;
    start_counting(&f);
    dt_tensor *out = run(l, x, w, bias);
    check_counts(&f, l->name, l->forward);
    start_counting(&f);
    CHECK_OK(world, dt_backward_with(&out, 1, &options));
    check_counts(&f, l->name, l->backward);
    check_layout(dt_tensor_grad(x), l->x);
    check_layout(dt_tensor_grad(w), l->w);
    check_input(dt_tensor_grad(x));
    check_weight(dt_tensor_grad(w));
    if (bias)
        check_bias(dt_tensor_grad(bias));
    close_without_errors(&f);
}

/* Behaviours 93 and 94. */
static void layers_send_what_upstream_sends(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layers); i++)
        check_layer(world, &layers[i]);
}

/* Two layers, by columns and then by rows: one all-reduce in each direction;
 * of a sequence, one all-gather and one reduce-scatter.  Behaviour 98. */
static void two_layers_send_once(dt_world *world)
{
    for (int sequence = 0; sequence < 2; sequence++) {
        fixture f = open_fixture(world);
        const char *outside = sequence ? "S(0)" : "R";
        const int calls[3] = {!sequence, sequence, sequence};
        dt_tensor *x = make_leaf(&f, x_of, outside);
        dt_tensor *w1 = make_leaf(&f, w_of, "S(0)");
        dt_tensor *w2 = dt_requires_grad(
            make_operand(&f, "S(1)", DT_F32, DT_SHAPE(INNER, OUTER), 3));
        dt_tensor *grad = make(&f, x_of, outside);
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.grads = &grad;
        start_counting(&f);
        dt_tensor *middle =
            dt_tanh(dt_linear(dt_redistribute(x, "R"), w1, NULL));
        dt_tensor *out = dt_redistribute(dt_linear(middle, w2, NULL), outside);
        check_counts(&f, "forward", calls);
        start_counting(&f);
        CHECK_OK(world, dt_backward_with(&out, 1, &options));
        check_counts(&f, "backward", calls);
        check_layout(dt_tensor_grad(w1), "S(0)");
        check_layout(dt_tensor_grad(w2), "S(1)");
        close_without_errors(&f);
    }
}

/* A weight that two products use has one gradient, which is reduced once.
 * Behaviour 99. */
static void a_shared_weight_is_reduced_once(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make(&f, x_of, "S(0)"), *w = make_leaf(&f, w_of, "R");
    dt_tensor *grad = make(&f, x_of, "S(0)");
    dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
    options.grads = &grad;
    dt_tensor *out = dt_mm(dt_linear(x, w, NULL), w);
    start_counting(&f);
    CHECK_OK(world, dt_backward_with(&out, 1, &options));
    check_counts(&f, "shared", (const int[]){1, 0, 0});
    close_without_errors(&f);
}

/* The gradients of mm, addmm and matmul are those of linear. */
static void products_agree(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "P"};
    for (int i = 0; i < 16 * 3; i++) {
        fixture f = open_fixture(world);
        dt_tensor *x = make_leaf(&f, x_of, layouts[i % 4]);
        dt_tensor *w = make_leaf(&f, w_of, layouts[i / 4 % 4]);
        dt_tensor *grad = make(&f, grad_of, layouts[(i + i / 4) % 4]);
        dt_tensor *turned = dt_transpose(w, 0, 1);
        dt_tensor *zero = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(ROWS, OUTER));
        dt_tensor *out = i / 16 == 0   ? dt_mm(x, turned)
                         : i / 16 == 1 ? dt_addmm(zero, x, turned)
                                       : dt_matmul(x, turned);
        dt_backward_options options = DT_BACKWARD_OPTIONS_INIT;
        options.grads = &grad;
        CHECK_OK(world, dt_backward_with(&out, 1, &options));
        check_input(dt_tensor_grad(x));
        check_weight(dt_tensor_grad(w));
        close_without_errors(&f);
    }
}

const dt_test dt_tests[] = {
    {"layers send what upstream sends", layers_send_what_upstream_sends},
    {"two layers send once", two_layers_send_once},
    {"a shared weight is reduced once", a_shared_weight_is_reduced_once},
    {"products agree", products_agree},
    {NULL, NULL},
};
