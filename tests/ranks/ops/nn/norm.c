/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/nn/norm.c - layer norm and rms norm. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: norm_backward */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

static void layer_norm_of_rows(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[30], means[5], rstds[5];
    for (int r = 0; r < 5; r++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < 6; i++)
            mean += value_at(r * 6 + i) / 6;
        for (int i = 0; i < 6; i++)
            squares += pow(value_at(r * 6 + i) - mean, 2) / 6;
        means[r] = mean;
        rstds[r] = 1 / sqrt(squares + 0.01);
        for (int i = 0; i < 6; i++)
            wanted[r * 6 + i] =
                (value_at(r * 6 + i) - mean) * rstds[r] * value_at(i) +
                value_at(i);
    }
    const double bias_and_weight[] = {value_at(0), value_at(1), value_at(2),
                                      value_at(3), value_at(4), value_at(5)};
    dt_tensor *w = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(6), bias_and_weight);
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(5, 6));
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(6), w, w, 0.01, &y, &mean, &rstd));
    check_silent(&f);
    check_layout(y, "S(0)");
    check_layout(mean, "S(0)");
    check_layout(rstd, "S(0)");
    CHECK(mean && dt_tensor_ndim(mean) == 2 && dt_tensor_extent(mean, 1) == 1);
    check_values(y, wanted, 30);
    check_values(mean, means, 5);
    check_values(rstd, rstds, 5);

    x = make_tensor(&f, "S(1)", DT_F32, DT_SHAPE(5, 6));
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(6), w, w, 0.01, &y, &mean, &rstd));
    check_sent(&f);
    check_values(y, wanted, 30);
    close_fixture(&f);
}

static void statistics_of_halves(dt_world *world)
{
    fixture f = open_fixture(world);
    const double ones[] = {1, 1, 1, 1};
    dt_tensor *x = make_tensor(&f, "S(0)", DT_BF16, DT_SHAPE(3, 4));
    dt_tensor *w = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(4), ones);
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(4), w, NULL, 0.01, &y, &mean, &rstd));
    check_dtype(y, DT_BF16);
    check_dtype(mean, DT_F32);
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(4), NULL, NULL, 0.01, &y, &mean, &rstd));
    check_dtype(rstd, DT_BF16);
    CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(4), w, 0.01, &y, &rstd));
    check_dtype(rstd, DT_F32);
    close_fixture(&f);
}

/* As in PyTorch: f32 of half types, whatever the weight is. */
static void rms_norms_of_halves(dt_world *world)
{
    fixture f = open_fixture(world);
    const double ones[] = {1, 1, 1, 1}, threes[] = {3, 3, 3, 3};
    const double rstds[] = {(double)(1 / sqrtf(9.01f))};
    static const dt_dtype dtypes[][2] = {{DT_F16, DT_F32},
                                         {DT_BF16, DT_F32},
                                         {DT_F32, DT_F32},
                                         {DT_F64, DT_F64}};
    for (int i = 0; i < 4; i++) {
        dt_tensor *y = NULL, *rstd = NULL;
        dt_tensor *x =
            tensor_of(f.mesh, "S(0)", dtypes[i][0], DT_SHAPE(1, 4), threes);
        dt_tensor *w = tensor_of(f.mesh, "R", dtypes[i][0], DT_SHAPE(4), ones);
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(4), NULL, 0.01, &y, &rstd));
        check_dtype(y, dtypes[i][0]);
        check_dtype(rstd, dtypes[i][1]);
        check_values(rstd, rstds, 1); /* more digits than half types have */
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(4), w, 0.01, &y, &rstd));
        check_dtype(y, dtypes[i][0]);
        check_dtype(rstd, dtypes[i][1]);
    }
    close_fixture(&f);
}

static void norms_of_empty_rows(dt_world *world)
{
    fixture f = open_fixture(world);
    const double zeros[] = {0, 0, 0}, unknown[] = {NAN, NAN, NAN};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    for (int i = 0; i < 4; i++) {
        dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
        dt_tensor *x =
            tensor_of(f.mesh, "S(0)", dtypes[i], DT_SHAPE(3, 2, 0), zeros);
        dt_tensor *w = tensor_of(f.mesh, "R", dtypes[i], DT_SHAPE(2, 0), zeros);
        CHECK_OK(world, dt_layer_norm(x, DT_SHAPE(2, 0), w, NULL, 0.01, &y,
                                      &mean, &rstd));
        CHECK(y && dt_shape_equal(dt_tensor_shape(y), DT_SHAPE(3, 2, 0)));
        check_values(mean, zeros, 3);
        check_values(rstd, unknown, 3);
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(2, 0), w, 0.01, &y, &rstd));
        check_values(rstd, unknown, 3);
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(3, 2, 0), NULL, 0, &y, &rstd));
        check_values(rstd, unknown, 1);
    }
    close_fixture(&f);
}

/* ---- Rows that are cut, and backward ------------------------------------ */

enum { ROWS = 5, COLUMNS = 9, ALL = ROWS * COLUMNS };

/* Layer norm, or rms norm, of 5 rows of 9; gradients of value_at(i + 7). */
typedef struct expected {
    double means[ROWS], rstds[ROWS];
    double out[ALL], grads[ALL], weights[COLUMNS], biases[COLUMNS];
} expected;

static double weight_at(int i)
{
    return 1 + i % 3;
}

static expected expect(bool centred)
{
    expected out = {.means = {0}};
    for (int r = 0; r < ROWS; r++) {
        double squares = 0, a = 0, b = 0, hats[COLUMNS];
        for (int i = 0; centred && i < COLUMNS; i++)
            out.means[r] += value_at(r * COLUMNS + i) / COLUMNS;
        for (int i = 0; i < COLUMNS; i++)
            squares +=
                pow(value_at(r * COLUMNS + i) - out.means[r], 2) / COLUMNS;
        out.rstds[r] = 1 / sqrt(squares + 0.01);
        for (int i = 0; i < COLUMNS; i++) {
            const double g = value_at(r * COLUMNS + i + 7);
            hats[i] = (value_at(r * COLUMNS + i) - out.means[r]) * out.rstds[r];
            out.out[r * COLUMNS + i] =
                hats[i] * weight_at(i) + (centred ? i : 0);
            out.weights[i] += g * hats[i];
            out.biases[i] += g;
            a += centred ? g * weight_at(i) / COLUMNS : 0;
            b += g * weight_at(i) * hats[i] / COLUMNS;
        }
        for (int i = 0; i < COLUMNS; i++)
            out.grads[r * COLUMNS + i] =
                out.rstds[r] * (value_at(r * COLUMNS + i + 7) * weight_at(i) -
                                a - b * hats[i]);
    }
    return out;
}

static void check_near(dt_tensor *tensor, const double *wanted, int count)
{
    double found[ELEMENTS_MAX];
    if (read_tensor(tensor, found))
        for (int i = 0; i < count; i++)
            CHECKF(fabs(found[i] - wanted[i]) <= 1e-9 * (1 + fabs(wanted[i])),
                   "element %d is %.12g, not %.12g", i, found[i], wanted[i]);
}

/* One small all-gather forward, one small all-reduce back where rows are cut;
 * nothing where they are spread, and gradients of weights are partial sums. */
static void check_both(dt_world *world, bool centred, const char *layout,
                       const char *factors, bool talks)
{
    fixture f = open_fixture(world);
    const expected wanted = expect(centred);
    double grads[ALL], weights[COLUMNS], biases[COLUMNS];
    for (int i = 0; i < ALL; i++)
        grads[i] = value_at(i + 7);
    for (int i = 0; i < COLUMNS; i++) {
        weights[i] = weight_at(i);
        biases[i] = i;
    }
    const dt_shape shape = DT_SHAPE(ROWS, COLUMNS), last = DT_SHAPE(COLUMNS);
    const int64_t all[] = {1, 1, 1};
    dt_tensor *x = make_tensor(&f, layout, DT_F64, shape);
    dt_tensor *g = tensor_of(f.mesh, layout, DT_F64, shape, grads);
    dt_tensor *w = tensor_of(f.mesh, "R", DT_F64, last, weights);
    dt_tensor *b = tensor_of(f.mesh, "R", DT_F64, last, biases);
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    dt_tensor *gx = NULL, *gw = NULL, *gb = NULL;
    start_counting(&f);
    if (centred)
        CHECK_OK(world, dt_layer_norm(x, last, w, b, 0.01, &y, &mean, &rstd));
    else
        CHECK_OK(world, dt_rms_norm(x, last, w, 0.01, &y, &rstd));
    CHECK_INT(calls_counted(&f), talks && f.ranks > 1);
    check_layout(y, layout);
    check_near(y, wanted.out, ALL);
    check_near(rstd, wanted.rstds, ROWS);
    start_counting(&f);
    if (centred)
        CHECK_OK(world, dt_layer_norm_backward(g, x, last, mean, rstd, w, b,
                                               all, 3, &gx, &gw, &gb));
    else
        CHECK_OK(world,
                 dt_rms_norm_backward(g, x, last, rstd, w, all, 2, &gx, &gw));
    CHECK_INT(calls_counted(&f), talks && f.ranks > 1);
    check_layout(gx, layout);
    check_layout(gw, factors);
    check_near(gx, wanted.grads, ALL);
    check_near(gw, wanted.weights, COLUMNS);
    if (centred)
        check_near(gb, wanted.biases, COLUMNS);
    close_fixture(&f);
}

static void forward_and_back(dt_world *world)
{
    for (int centred = 0; centred < 2; centred++) {
        check_both(world, centred, "R", "R", false);
        check_both(world, centred, "S(0)", "P(sum)", false);
        check_both(world, centred, "S(1)", "S(0)", true);
    }
}

/* Results that are not wanted have no elements. */
static void unwanted_gradients(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t none[] = {0, 1, 0}, two[] = {1, 1};
    dt_tensor *x = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(4, 3));
    dt_tensor *r = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(4, 1));
    dt_tensor *gx = NULL, *gw = NULL, *gb = NULL;
    CHECK_OK(world, dt_layer_norm_backward(x, x, DT_SHAPE(3), r, r, NULL, NULL,
                                           none, 3, &gx, &gw, &gb));
    CHECK_INT(dt_tensor_count(gx), 0);
    CHECK_INT(dt_tensor_count(gw), 3);
    CHECK_INT(dt_tensor_count(gb), 0);
    CHECK_FAILS(world,
                dt_layer_norm_backward(x, x, DT_SHAPE(3), r, r, NULL, NULL, two,
                                       2, &gx, &gw, &gb),
                DT_ERR_INVALID, "output_mask has 2 elements");
    CHECK_FAILS(
        world,
        dt_rms_norm_backward(x, x, DT_SHAPE(3), x, NULL, two, 2, &gx, &gw),
        DT_ERR_INVALID, "rstd is (4, 3); expected (4, 1)");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"layer norm of rows", layer_norm_of_rows},
    {"statistics of halves", statistics_of_halves},
    {"rms norms of halves", rms_norms_of_halves},
    {"norms of empty rows", norms_of_empty_rows},
    {"forward and back", forward_and_back},
    {"unwanted gradients", unwanted_gradients},
    {NULL, NULL},
};
