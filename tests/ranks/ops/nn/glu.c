/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/glu.c - gated linear units, and back through them. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

enum { ROWS = 5, HALF = 6, WIDE = 2 * HALF, ALL = ROWS * WIDE };

static double gate(double x)
{
    return 1 / (1 + exp(-x));
}

static double grad_at(int64_t i)
{
    return value_at(i + 7);
}

static void expect(double *out, double *grads)
{
    for (int64_t r = 0; r < ROWS; r++)
        for (int64_t i = 0; i < HALF; i++) {
            const double a = value_at(r * WIDE + i);
            const double s = gate(value_at(r * WIDE + HALF + i));
            const double g = grad_at(r * HALF + i);
            out[r * HALF + i] = a * s;
            grads[r * WIDE + i] = g * s;
            grads[r * WIDE + HALF + i] = g * a * s * (1 - s);
        }
}

/* A cut of rows, or of the same places of both halves, is kept, and nothing is
 * sent. */
static void check_cut(dt_world *world, const char *layout, const char *half)
{
    fixture f = open_fixture(world);
    double out[ROWS * HALF], grads[ALL], given[ROWS * HALF];
    const dt_glu_options along = {.size = sizeof along, .dim = 1};
    expect(out, grads);
    for (int64_t i = 0; i < ROWS * HALF; i++)
        given[i] = grad_at(i);
    dt_tensor *x = make_tensor(&f, layout, DT_F64, DT_SHAPE(ROWS, WIDE));
    dt_tensor *g = tensor_of(f.mesh, half, DT_F64, DT_SHAPE(ROWS, HALF), given);
    start_counting(&f);
    dt_tensor *y = dt_glu_with(x, &along);
    dt_tensor *back = dt_glu_backward(g, x, -1);
    check_silent(&f);
    check_layout(y, half);
    check_layout(back, layout);
    check_values(y, out, ROWS * HALF);
    check_values(back, grads, ALL);
    close_fixture(&f);
}

static void halves_stay_together(dt_world *world)
{
    check_cut(world, "R", "R");
    check_cut(world, "S(0)", "S(0)");
    check_cut(world, "_S(1,2)", "S(1)");
}

/* A plain cut of the halved dimension parts what belongs together. */
static void plain_cuts_are_moved(dt_world *world)
{
    fixture f = open_fixture(world);
    double out[ROWS * HALF], grads[ALL];
    expect(out, grads);
    dt_tensor *x = make_tensor(&f, "S(1)", DT_F64, DT_SHAPE(ROWS, WIDE));
    dt_tensor *y = dt_glu(x);
    check_sent(&f);
    check_values(y, out, ROWS * HALF);
    close_fixture(&f);
}

/* Gradients are linear in what comes back. */
static void partial_gradients_pass(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_tensor(&f, "R", DT_F64, DT_SHAPE(ROWS, WIDE));
    dt_tensor *g = make_tensor(&f, "P(sum)", DT_F64, DT_SHAPE(ROWS, HALF));
    dt_tensor *back = dt_glu_backward(g, x, 1);
    check_silent(&f);
    check_layout(back, "P(sum)");
    close_fixture(&f);
}

static void far_out_and_unknown(dt_world *world)
{
    fixture f = open_fixture(world);
    const double values[] = {1, 2, 3, 4, NAN, 800, -800, INFINITY, NAN, 0};
    const double wanted[] = {1, 0, 3, NAN, NAN};
    const double ones[] = {1, 1, 1, 1, 1};
    const double grads[] = {1, 0, 1, NAN, 0.5, 0, 0, 0, NAN, NAN};
    dt_tensor *x = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(10), values);
    dt_tensor *g = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(5), ones);
    check_values(dt_glu(x), wanted, 5);
    check_values(dt_glu_backward(g, x, 0), grads, 10);
    close_fixture(&f);
}

static void refused(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *odd = make_tensor(&f, "R", DT_F32, DT_SHAPE(4, 3));
    dt_tensor *point = make_tensor(&f, "R", DT_F32, DT_SHAPE());
    dt_tensor *whole = make_tensor(&f, "R", DT_I64, DT_SHAPE(4, 4));
    dt_tensor *x = make_tensor(&f, "R", DT_F32, DT_SHAPE(4, 4));
    dt_tensor *half = make_tensor(&f, "R", DT_F64, DT_SHAPE(4, 2));
    CHECK_FAILS(world, status_of(world, dt_glu(odd)), DT_ERR_INVALID,
                "glu: dim 1 has extent 3; expected an even number");
    CHECK_FAILS(world, status_of(world, dt_glu(point)), DT_ERR_INVALID,
                "glu: self is 0-d; expected at least 1 dimension");
    CHECK_FAILS(world, status_of(world, dt_glu(whole)), DT_ERR_UNSUPPORTED,
                "glu: not supported for dtype i64");
    CHECK_FAILS(world, status_of(world, dt_glu_backward(x, x, 1)),
                DT_ERR_INVALID,
                "glu_backward: grad_output is (4, 4); expected (4, 2)");
    CHECK_FAILS(
        world, status_of(world, dt_glu_backward(half, x, 1)),
        DT_ERR_UNSUPPORTED,
        "glu_backward: grad_output is f64 but self is f32; they must match");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"halves stay together", halves_stay_together},
    {"plain cuts are moved", plain_cuts_are_moved},
    {"partial gradients pass", partial_gradients_pass},
    {"far out and unknown", far_out_and_unknown},
    {"refused", refused},
    {NULL, NULL},
};
