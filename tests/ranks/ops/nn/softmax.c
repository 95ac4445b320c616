/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/softmax.c - softmax along dimensions that are cut. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_internal.h>

#include "ranks/ops/numbers.h"

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

static dt_tensor *quarters(line *at, const char *layout, dt_dtype dtype)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = value_at(i) / 4;
    return tensor_of(at->mesh, layout, dtype, DT_SHAPE(ROWS, COLUMNS), values);
}

static long long calls_since(const line *at, uint64_t before)
{
    return (long long)(calls_so_far(at->world) - before);
}

/* Where the dimension is cut, results stay there: two small all-reduces forward
 * and one back; elsewhere nothing is sent. */
static void along_dimensions(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "_S(1,2)"};
    for (int k = 0; k < 6; k++) {
        line at = open_line(world);
        const int dim = k % 2;
        const char *layout = layouts[k / 2];
        const bool talks = at.ranks > 1 && dim == (k / 2 ? 1 : 0);
        const expected wanted = expect(dim);
        double grads[COUNT];
        if (k / 2 == 2 && (COLUMNS < 2 * at.ranks))
            layout = "S(1)"; /* parts of a strided shard would be empty */
        for (int i = 0; i < COUNT; i++)
            grads[i] = grad_at(i);
        dt_tensor *x = quarters(&at, layout, DT_F32);
        dt_tensor *g =
            tensor_of(at.mesh, layout, DT_F32, DT_SHAPE(ROWS, COLUMNS), grads);
        uint64_t before = calls_so_far(world);
        dt_tensor *soft = dt_softmax(x, dim), *logs = dt_log_softmax(x, dim);
        CHECK_INT(calls_since(&at, before), talks ? 4 : 0);
        before = calls_so_far(world);
        dt_tensor *back = dt_softmax_backward(g, soft, dim, DT_F32);
        dt_tensor *log_back = dt_log_softmax_backward(g, logs, dim, DT_F32);
        CHECK_INT(calls_since(&at, before), talks ? 2 : 0);
        check_layout(soft, layout);
        check_layout(log_back, layout);
        check_values(soft, wanted.soft, COUNT);
        check_values(logs, wanted.logs, COUNT);
        double found[COUNT];
        if (read_tensor(back, found))
            for (int i = 0; i < COUNT; i++)
                CHECKF(fabs(found[i] - wanted.back[i]) < 1e-6,
                       "element %d: %.9g, not %.9g", i, found[i],
                       wanted.back[i]);
        if (read_tensor(log_back, found))
            for (int i = 0; i < COUNT; i++)
                CHECKF(fabs(found[i] - wanted.log_back[i]) < 1e-5,
                       "element %d: %.9g, not %.9g", i, found[i],
                       wanted.log_back[i]);
        close_line(&at);
    }
}

/* A part that has -infinity alone takes nothing from the others. */
static void infinities(dt_world *world)
{
    line at = open_line(world);
    const int64_t count = 2 * at.ranks;
    double values[MOST], wanted[MOST];
    for (int64_t i = 0; i < count; i++) {
        values[i] = i < 2 ? 1 : -(double)INFINITY;
        wanted[i] = i < 2 ? 0.5 : 0;
    }
    dt_tensor *x = tensor_of(at.mesh, "S(0)", DT_F64, DT_SHAPE(count), values);
    check_values(dt_softmax(x, 0), wanted, count);
    values[count - 1] = NAN;
    for (int64_t i = 0; i < count; i++)
        wanted[i] = NAN;
    x = tensor_of(at.mesh, "S(0)", DT_F64, DT_SHAPE(count), values);
    check_values(dt_softmax(x, 0), wanted, count);
    close_line(&at);
}

/* Elements become what the dtype holds before anything is computed. */
static void converts_first(dt_world *world)
{
    line at = open_line(world);
    const double values[] = {1 + 0x1p-10, 1, 1, 1};
    const double quarter[] = {0.25, 0.25, 0.25, 0.25};
    const dt_dtype half = DT_BF16;
    dt_softmax_options options = DT_SOFTMAX_OPTIONS_INIT;
    options.dtype = &half;
    for (int k = 0; k < 2; k++) {
        dt_tensor *x =
            tensor_of(at.mesh, k ? "S(0)" : "R", DT_F64, DT_SHAPE(4), values);
        dt_tensor *soft = dt_softmax_with(x, 0, &options);
        check_dtype(soft, DT_BF16);
        check_values(soft, quarter, 4);
    }
    close_line(&at);
}

/* A gradient that is a partial sum stays one. */
static void partial_gradients(dt_world *world)
{
    line at = open_line(world);
    dt_tensor *g = make_partial(&at, "P(sum)", DT_F64, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *y = quarters(&at, "R", DT_F64);
    at.calls = calls_so_far(world);
    dt_tensor *back = dt_softmax_backward(g, y, 1, DT_F64);
    check_silent(&at);
    check_layout(back, "P(sum)");
    double wanted[COUNT];
    if (read_tensor(dt_softmax_backward(dt_redistribute(g, "R"), y, 1, DT_F64),
                    wanted))
        check_values(back, wanted, COUNT);
    close_line(&at);
}

static void says_what_is_wrong(dt_world *world)
{
    line at = open_line(world);
    dt_tensor *x = quarters(&at, "R", DT_F32);
    dt_tensor *y = make_tensor(&at, "R", DT_F32, DT_SHAPE(3));
    CHECK_FAILS(world, status_of(world, dt_softmax_backward(x, y, 0, DT_F32)),
                DT_ERR_INVALID,
                "grad_output is (5, 7) but output is (3,); they must match");
    CHECK_FAILS(world, status_of(world, dt_softmax_backward(x, x, 0, DT_I64)),
                DT_ERR_UNSUPPORTED, "not supported for dtype i64");
    CHECK_FAILS(world,
                status_of(world, dt_log_softmax_backward(
                                     x, quarters(&at, "R", DT_F64), 0, DT_F32)),
                DT_ERR_UNSUPPORTED,
                "grad_output is f32 but output is f64; they must match");
    close_line(&at);
}

const dt_test dt_tests[] = {
    {"along dimensions", along_dimensions},
    {"infinities", infinities},
    {"converts first", converts_first},
    {"partial gradients", partial_gradients},
    {"says what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
