/* ranks: 1 2 3 4 */
/* tests/ranks/ops_norm.c - layer norm and rms norm. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/ops_numbers.h"

static void layer_norm_of_rows(dt_world *world)
{
    line at = open_line(world);
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
    dt_tensor *w =
        tensor_of(at.mesh, "R", DT_F32, DT_SHAPE(6), bias_and_weight);
    dt_tensor *x = make_tensor(&at, "S(0)", DT_F32, DT_SHAPE(5, 6));
    dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(6), w, w, 0.01, &y, &mean, &rstd));
    check_silent(&at);
    check_layout(y, "S(0)");
    check_layout(mean, "S(0)");
    check_layout(rstd, "S(0)");
    CHECK(mean && dt_tensor_ndim(mean) == 2 && dt_tensor_dim(mean, 1) == 1);
    check_values(y, wanted, 30);
    check_values(mean, means, 5);
    check_values(rstd, rstds, 5);

    x = make_tensor(&at, "S(1)", DT_F32, DT_SHAPE(5, 6));
    CHECK_OK(world,
             dt_layer_norm(x, DT_SHAPE(6), w, w, 0.01, &y, &mean, &rstd));
    check_sent(&at);
    check_values(y, wanted, 30);
    close_line(&at);
}

static void statistics_of_halves(dt_world *world)
{
    line at = open_line(world);
    const double ones[] = {1, 1, 1, 1};
    dt_tensor *x = make_tensor(&at, "S(0)", DT_BF16, DT_SHAPE(3, 4));
    dt_tensor *w = tensor_of(at.mesh, "R", DT_F32, DT_SHAPE(4), ones);
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
    close_line(&at);
}

/* As in PyTorch: f32 of half types, whatever the weight is. */
static void rms_norms_of_halves(dt_world *world)
{
    line at = open_line(world);
    const double ones[] = {1, 1, 1, 1}, threes[] = {3, 3, 3, 3};
    const double rstds[] = {(double)(1 / sqrtf(9.01f))};
    static const dt_dtype dtypes[][2] = {{DT_F16, DT_F32},
                                         {DT_BF16, DT_F32},
                                         {DT_F32, DT_F32},
                                         {DT_F64, DT_F64}};
    for (int i = 0; i < 4; i++) {
        dt_tensor *y = NULL, *rstd = NULL;
        dt_tensor *x =
            tensor_of(at.mesh, "S(0)", dtypes[i][0], DT_SHAPE(1, 4), threes);
        dt_tensor *w = tensor_of(at.mesh, "R", dtypes[i][0], DT_SHAPE(4), ones);
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(4), NULL, 0.01, &y, &rstd));
        check_dtype(y, dtypes[i][0]);
        check_dtype(rstd, dtypes[i][1]);
        check_values(rstd, rstds, 1); /* more digits than half types have */
        CHECK_OK(world, dt_rms_norm(x, DT_SHAPE(4), w, 0.01, &y, &rstd));
        check_dtype(y, dtypes[i][0]);
        check_dtype(rstd, dtypes[i][1]);
    }
    close_line(&at);
}

static void norms_of_empty_rows(dt_world *world)
{
    line at = open_line(world);
    const double zeros[] = {0, 0, 0}, unknown[] = {NAN, NAN, NAN};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    for (int i = 0; i < 4; i++) {
        dt_tensor *y = NULL, *mean = NULL, *rstd = NULL;
        dt_tensor *x =
            tensor_of(at.mesh, "S(0)", dtypes[i], DT_SHAPE(3, 2, 0), zeros);
        dt_tensor *w =
            tensor_of(at.mesh, "R", dtypes[i], DT_SHAPE(2, 0), zeros);
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
    close_line(&at);
}

const dt_test dt_tests[] = {
    {"layer norm of rows", layer_norm_of_rows},
    {"statistics of halves", statistics_of_halves},
    {"rms norms of halves", rms_norms_of_halves},
    {"norms of empty rows", norms_of_empty_rows},
    {NULL, NULL},
};
