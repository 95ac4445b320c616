/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/softmax.c - softmax along sharded dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

enum { ROWS = 5, COLUMNS = 7, COUNT = ROWS * COLUMNS };

static double grad_at(int64_t i)
{
    return value_at(i + 3) / 8;
}

/* What is expected of softmax along a dimension, and back. */
typedef struct expected {
    double soft[COUNT], logs[COUNT], back[COUNT], log_back[COUNT];
} expected;

static expected expect(int dim)
{
    expected out;
    const int runs = dim ? ROWS : COLUMNS, length = dim ? COLUMNS : ROWS;
    for (int r = 0; r < runs; r++) {
        double sum = 0, dot = 0, grads = 0;
        for (int i = 0; i < length; i++)
            sum += exp(value_at(dim ? r * COLUMNS + i : i * COLUMNS + r) / 4);
        for (int i = 0; i < length; i++) {
            const int at = dim ? r * COLUMNS + i : i * COLUMNS + r;
            out.soft[at] = exp(value_at(at) / 4) / sum;
            out.logs[at] = value_at(at) / 4 - log(sum);
            dot += grad_at(at) * out.soft[at];
            grads += grad_at(at);
        }
        for (int i = 0; i < length; i++) {
            const int at = dim ? r * COLUMNS + i : i * COLUMNS + r;
            out.back[at] = out.soft[at] * (grad_at(at) - dot);
            out.log_back[at] = grad_at(at) - out.soft[at] * grads;
        }
    }
    return out;
}

static dt_tensor *quarters(fixture *f, const char *layout, dt_dtype dtype)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = value_at(i) / 4;
    return tensor_of(f->mesh, layout, dtype, DT_SHAPE(ROWS, COLUMNS), values);
}

/* Check that elements are near numbers of which some are almost 0. */
static void check_near(dt_tensor *tensor, const double *wanted, double distance)
{
    double found[COUNT];
    if (!read_tensor(tensor, found))
        return;
    for (int i = 0; i < COUNT; i++)
        CHECKF(fabs(found[i] - wanted[i]) < distance,
               "element %d: %.9g, not %.9g", i, found[i], wanted[i]);
}

/* Check softmax along a dimension of a layout, and back.  Where it communicates
 * there are two small all-reduces forward and one back. */
static void check_along(fixture *f, const char *layout, int dim,
                        bool communicates)
{
    const expected wanted = expect(dim);
    double grads[COUNT];
    for (int i = 0; i < COUNT; i++)
        grads[i] = grad_at(i);
    dt_tensor *x = quarters(f, layout, DT_F32);
    dt_tensor *g =
        tensor_of(f->mesh, layout, DT_F32, DT_SHAPE(ROWS, COLUMNS), grads);
    start_counting(f);
    dt_tensor *soft = dt_softmax(x, dim), *logs = dt_log_softmax(x, dim);
    check_collectives(f, DT_ALL_REDUCE, communicates ? 4 : 0);
    start_counting(f);
    dt_tensor *back = dt_softmax_backward(g, soft, dim, DT_F32);
    dt_tensor *log_back = dt_log_softmax_backward(g, logs, dim, DT_F32);
    check_collectives(f, DT_ALL_REDUCE, communicates ? 2 : 0);
    check_layout(soft, layout);
    check_layout(log_back, layout);
    check_values(soft, wanted.soft, COUNT);
    check_values(logs, wanted.logs, COUNT);
    check_near(back, wanted.back, 1e-6);
    check_near(log_back, wanted.log_back, 1e-5);
}

/* Results stay where they are; it communicates if the dimension is sharded. */
static void along_dimensions(dt_world *world)
{
    static const struct {
        const char *layout;
        int dim;
        bool communicates;
    } cases[] = {
        {"S(0)", 0, true},     {"S(0)", 1, false},   {"S(1)", 0, false},
        {"S(1)", 1, true},     {"R", 0, false},      {"R", 1, false},
        {"_S(1,2)", 0, false}, {"_S(1,2)", 1, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture f = open_fixture(world);
        /* Some rank would have an empty strided shard. */
        if (cases[i].layout[0] != '_' || COLUMNS >= 2 * f.ranks)
            check_along(&f, cases[i].layout, cases[i].dim,
                        cases[i].communicates);
        close_fixture(&f);
    }
}

/* A part that has -infinity alone takes nothing from the others. */
static void infinities(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t count = 2 * f.ranks;
    double values[ELEMENTS_MAX], wanted[ELEMENTS_MAX];
    for (int64_t i = 0; i < count; i++) {
        values[i] = i < 2 ? 1 : -(double)INFINITY;
        wanted[i] = i < 2 ? 0.5 : 0;
    }
    dt_tensor *x = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(count), values);
    check_values(dt_softmax(x, 0), wanted, count);
    values[count - 1] = NAN;
    for (int64_t i = 0; i < count; i++)
        wanted[i] = NAN;
    x = tensor_of(f.mesh, "S(0)", DT_F64, DT_SHAPE(count), values);
    check_values(dt_softmax(x, 0), wanted, count);
    close_fixture(&f);
}

/* Elements become what the dtype holds before anything is computed. */
static void converts_first(dt_world *world)
{
    fixture f = open_fixture(world);
    const double values[] = {1 + 0x1p-10, 1, 1, 1};
    const double quarter[] = {0.25, 0.25, 0.25, 0.25};
    const dt_dtype half = DT_BF16;
    dt_softmax_options options = DT_SOFTMAX_OPTIONS_INIT;
    options.dtype = &half;
    for (int k = 0; k < 2; k++) {
        dt_tensor *x =
            tensor_of(f.mesh, k ? "S(0)" : "R", DT_F64, DT_SHAPE(4), values);
        dt_tensor *soft = dt_softmax_with(x, 0, &options);
        check_dtype(soft, DT_BF16);
        check_values(soft, quarter, 4);
    }
    close_fixture(&f);
}

/* A gradient that is a partial sum stays one. */
static void partial_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *g = make_tensor(&f, "P(sum)", DT_F64, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *y = quarters(&f, "R", DT_F64);
    start_counting(&f);
    dt_tensor *back = dt_softmax_backward(g, y, 1, DT_F64);
    check_silent(&f);
    check_layout(back, "P(sum)");
    double wanted[COUNT];
    if (read_tensor(dt_softmax_backward(dt_redistribute(g, "R"), y, 1, DT_F64),
                    wanted))
        check_values(back, wanted, COUNT);
    close_fixture(&f);
}

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = quarters(&f, "R", DT_F32);
    dt_tensor *y = make_tensor(&f, "R", DT_F32, DT_SHAPE(3));
    CHECK_FAILS(world, status_of(world, dt_softmax_backward(x, y, 0, DT_F32)),
                DT_ERR_INVALID,
                "grad_output is (5, 7) but output is (3,); they must match");
    CHECK_FAILS(world, status_of(world, dt_softmax_backward(x, x, 0, DT_I64)),
                DT_ERR_UNSUPPORTED, "not supported for dtype i64");
    CHECK_FAILS(world,
                status_of(world, dt_log_softmax_backward(
                                     x, quarters(&f, "R", DT_F64), 0, DT_F32)),
                DT_ERR_UNSUPPORTED,
                "grad_output is f32 but output is f64; they must match");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"along dimensions", along_dimensions},
    {"infinities", infinities},
    {"converts first", converts_first},
    {"partial gradients", partial_gradients},
    {"says what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
