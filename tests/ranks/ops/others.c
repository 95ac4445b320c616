/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/others.c - values of what no other test has. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: gather repeat rounding */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/* Conformance tries these in all layouts, against one rank; here stands what
 * one rank should find. */

#define ROWS 5
#define COLUMNS 7

static const char *const layouts[] = {"R", "S(0)", "S(1)"};

/* A tensor of value_at(i), 5 by 7. */
static dt_tensor *make_grid(fixture *f, int layout, dt_dtype dtype)
{
    return make_tensor(f, layouts[layout], dtype, DT_SHAPE(ROWS, COLUMNS));
}

static double grid_at(int64_t row, int64_t column)
{
    return value_at(row * COLUMNS + column);
}

/* ---- By indexes --------------------------------------------------------- */

static void take_and_put(dt_world *world)
{
    fixture f = open_fixture(world);
    const double places[] = {0, 34, -1, 8, 8, -35};
    const int64_t whole[] = {0, 34, 34, 8, 8, 0};
    const double sources[] = {100, 200, 300, 400, 500, 600};
    double taken[6], put[ROWS * COLUMNS], added[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        put[i] = added[i] = value_at(i);
    for (int i = 0; i < 6; i++) {
        taken[i] = value_at(whole[i]);
        put[whole[i]] = sources[i];
        added[whole[i]] += sources[i];
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_grid(&f, i, DT_F32);
        dt_tensor *index = tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(6), places);
        dt_tensor *source =
            tensor_of(f.mesh, "S(0)", DT_F32, DT_SHAPE(6), sources);
        check_values(dt_take(x, index), taken, 6);
        check_values(dt_put(x, index, source, false), put, ROWS * COLUMNS);
        check_values(dt_put(x, index, source, true), added, ROWS * COLUMNS);
    }
    close_fixture(&f);
}

static void take_along_a_dimension(dt_world *world)
{
    fixture f = open_fixture(world);
    const double rows[COLUMNS] = {4, 0, 1, 2, 3, 4, 0};
    double wanted[COLUMNS];
    for (int64_t i = 0; i < COLUMNS; i++)
        wanted[i] = grid_at((int64_t)rows[i], i);
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_grid(&f, i, DT_F32);
        dt_tensor *by =
            tensor_of(f.mesh, "S(1)", DT_I64, DT_SHAPE(1, COLUMNS), rows);
        check_values(dt_take_along_dim(x, by, 0), wanted, COLUMNS);
    }
    close_fixture(&f);
}

static void fill_by_index(dt_world *world)
{
    fixture f = open_fixture(world);
    const double columns[] = {6, 0, 3}, number = 77;
    double wanted[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        wanted[i] = i % COLUMNS % 3 == 0 ? number : value_at(i);
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_grid(&f, i, DT_I32);
        dt_tensor *by = tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(3), columns);
        dt_tensor *one = tensor_of(f.mesh, "R", DT_I32, DT_SHAPE(), &number);
        dt_tensor *filled = dt_index_fill(x, 1, by, one);
        check_dtype(filled, DT_I32);
        check_values(filled, wanted, ROWS * COLUMNS);
    }
    close_fixture(&f);
}

/* ---- Moved -------------------------------------------------------------- */

static void interleaved(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS * COLUMNS * 3];
    for (int64_t i = 0; i < ROWS * COLUMNS * 3; i++)
        wanted[i] = grid_at(i / COLUMNS / 3, i % COLUMNS);
    for (int i = 0; i < 3; i++)
        check_values(dt_repeat_interleave(make_grid(&f, i, DT_F32), 3, 0),
                     wanted, ROWS * COLUMNS * 3);
    close_fixture(&f);
}

static void rolled_in_row_major_order(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t count = ROWS * COLUMNS, shift = -9;
    double wanted[ROWS * COLUMNS];
    for (int64_t i = 0; i < count; i++)
        wanted[i] = value_at((i + 9) % count);
    for (int i = 0; i < 3; i++)
        check_values(dt_roll(make_grid(&f, i, DT_F32), &shift, 1, (dt_dims){0}),
                     wanted, count);
    close_fixture(&f);
}

static void slices_scattered(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const int64_t row = i / COLUMNS, column = i % COLUMNS;
        wanted[i] = column % 2 ? value_at(row * 3 + column / 2) : value_at(i);
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_grid(&f, i, DT_F32);
        dt_tensor *from = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, 3));
        check_values(dt_slice_scatter(x, from, 1, 1, COLUMNS, 2), wanted,
                     ROWS * COLUMNS);
    }
    close_fixture(&f);
}

/* ---- Products ----------------------------------------------------------- */

static void matrix_by_vector(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS] = {0};
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        wanted[i / COLUMNS] += value_at(i) * value_at(i % COLUMNS);
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_grid(&f, i, DT_F32);
        dt_tensor *vector = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(COLUMNS));
        check_values(dt_mv(x, vector), wanted, ROWS);
    }
    close_fixture(&f);
}

/* 2 x + 3 a b, two batches of 3 by 5 and 5 by 4. */
static void batches_added(dt_world *world)
{
    static const char *const cut[] = {"R", "S(0)", "S(2)"};
    fixture f = open_fixture(world);
    dt_baddbmm_options options = DT_BADDBMM_OPTIONS_INIT;
    double wanted[24];
    options.beta = dt_integer(2);
    options.alpha = dt_integer(3);
    for (int64_t i = 0; i < 24; i++) {
        const int64_t batch = i / 12, row = i / 4 % 3, column = i % 4;
        wanted[i] = 2 * value_at(i);
        for (int64_t k = 0; k < 5; k++)
            wanted[i] += 3 * value_at(batch * 15 + row * 5 + k) *
                         value_at(batch * 20 + k * 4 + column);
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *x = make_tensor(&f, cut[i], DT_F32, DT_SHAPE(2, 3, 4));
        dt_tensor *a = make_tensor(&f, cut[i], DT_F32, DT_SHAPE(2, 3, 5));
        dt_tensor *b = make_tensor(&f, cut[i], DT_F32, DT_SHAPE(2, 5, 4));
        check_values(dt_baddbmm_with(x, a, b, &options), wanted, 24);
    }
    close_fixture(&f);
}

/* ---- Numbers ------------------------------------------------------------ */

static void divided_and_rounded(dt_world *world)
{
    fixture f = open_fixture(world);
    double down[ROWS * COLUMNS], cut[ROWS * COLUMNS], rest[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        down[i] = floor(value_at(i) / 4);
        cut[i] = trunc(value_at(i) / 4);
        rest[i] = fmod(value_at(i), 4);
    }
    for (int i = 0; i < 6; i++) {
        dt_tensor *x = make_grid(&f, i % 3, i < 3 ? DT_F32 : DT_I64);
        dt_tensor *four = dt_full_like(x, 4);
        const dt_number number = dt_integer(4);
        const int64_t count = ROWS * COLUMNS;
        check_values(dt_div_mode_scalar(x, number, DT_ROUNDING_FLOOR), down,
                     count);
        check_values(dt_div_mode_scalar(x, number, DT_ROUNDING_TRUNC), cut,
                     count);
        check_values(dt_floor_divide(x, four), down, count);
        check_values(dt_fmod(x, four), rest, count);
        check_values(dt_fmod_scalar(x, number), rest, count);
    }
    close_fixture(&f);
}

/* The derivative of log(x / (1 - x)). */
static void slopes_of_logits(dt_world *world)
{
    fixture f = open_fixture(world);
    double x[5] = {0.25, 0.5, 0.125, 0.75, 0.875}, wanted[5];
    for (int i = 0; i < 5; i++)
        wanted[i] = value_at(i) / (x[i] * (1 - x[i]));
    dt_tensor *grad = make_tensor(&f, "S(0)", DT_F32, DT_SHAPE(5));
    dt_tensor *of = tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(5), x);
    check_values(dt_logit_backward(grad, of), wanted, 5);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"take and put", take_and_put},
    {"take along a dimension", take_along_a_dimension},
    {"fill by index", fill_by_index},
    {"interleaved", interleaved},
    {"rolled in row-major order", rolled_in_row_major_order},
    {"slices scattered", slices_scattered},
    {"matrix by vector", matrix_by_vector},
    {"batches added", batches_added},
    {"divided and rounded", divided_and_rounded},
    {"slopes of logits", slopes_of_logits},
    {NULL, NULL},
};
