/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/training/gradient.c - what gradients of views and selections
 * are. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: diagonal masked_scatter scatter slice unfold */
#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

#define ROWS 7
#define COLUMNS 5

/* A mesh of one dimension; of two by two if there are four ranks. */
static fixture open_plane(dt_world *world)
{
    fixture f = open_fixture(world);
    if (f.ranks == 4) {
        dt_mesh_release(f.mesh);
        CHECK_OK(world, dt_mesh_create(world, "x=2,y=2", &f.mesh));
    }
    return f;
}

static dt_tensor *make_grid(fixture *f, const char *layout)
{
    return make_tensor(f, layout, DT_F32, DT_SHAPE(ROWS, COLUMNS));
}

static void grid_values(double *values)
{
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = value_at(i);
}

/* ---- Into tensors that are cut ------------------------------------------ */

static const char *const layouts[] = {"R", "S(0)", "S(1)", "_S(0,2)"};

/* Ranks put what belongs to them, and send nothing. */
static void puts_slices(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS * COLUMNS];
    const double put[3 * COLUMNS] = {100, 101, 102, 103, 104, 105, 106, 107,
                                     108, 109, 110, 111, 112, 113, 114};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *self = make_grid(&f, layouts[i]);
        dt_tensor *src =
            tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(3, COLUMNS), put);
        start_counting(&f);
        dt_tensor *out = dt_slice_scatter(self, src, 0, 1, 6, 2);
        check_silent(&f);
        check_layout(out, layouts[i]);
        grid_values(wanted);
        for (int64_t k = 0; k < 3 * COLUMNS; k++)
            wanted[(1 + k / COLUMNS * 2) * COLUMNS + k % COLUMNS] = put[k];
        check_values(out, wanted, ROWS * COLUMNS);
        CHECK(dt_slice_scatter_out(self, src, 0, 1, 6, 2, self) == self);
        check_values(self, wanted, ROWS * COLUMNS);
    }
    close_fixture(&f);
}

static void puts_indexes(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS * COLUMNS];
    const double put[COLUMNS] = {100, 101, 102, 103, 104};
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int row = 0; row < ROWS; row++) {
            dt_tensor *self = make_grid(&f, layouts[i]);
            dt_tensor *src =
                tensor_of(f.mesh, "R", DT_F32, DT_SHAPE(COLUMNS), put);
            start_counting(&f);
            dt_tensor *out = dt_select_scatter(self, src, 0, row - ROWS);
            check_silent(&f);
            check_layout(out, layouts[i]);
            grid_values(wanted);
            for (int k = 0; k < COLUMNS; k++)
                wanted[row * COLUMNS + k] = put[k];
            check_values(out, wanted, ROWS * COLUMNS);
        }
    close_fixture(&f);
}

/* ---- Diagonals ---------------------------------------------------------- */

/* Row and column of element `i` of the diagonal at an offset; false if there is
 * none. */
static bool on_diagonal(int offset, int64_t i, int64_t *row, int64_t *column)
{
    *row = i + (offset < 0 ? -offset : 0);
    *column = i + (offset > 0 ? offset : 0);
    return *row < ROWS && *column < COLUMNS;
}

static void check_diagonal(fixture *f, const char *layout, int offset)
{
    int64_t row, column, count = 0;
    double put[ROWS], wanted[ROWS * COLUMNS], zeros[ROWS * COLUMNS] = {0};
    grid_values(wanted);
    for (; on_diagonal(offset, count, &row, &column); count++) {
        put[count] = (double)(100 + count);
        wanted[row * COLUMNS + column] = put[count];
        zeros[row * COLUMNS + column] = put[count];
    }
    dt_tensor *self = make_grid(f, layout);
    dt_tensor *src = tensor_of(f->mesh, dt_mesh_ndim(f->mesh) > 1 ? "RR" : "R",
                               DT_F32, DT_SHAPE(count), put);
    start_counting(f);
    dt_tensor *out = dt_diagonal_scatter(self, src, offset, 0, 1);
    check_silent(f);
    check_layout(out, layout);
    check_values(out, wanted, ROWS * COLUMNS);
    dt_tensor *back =
        dt_diagonal_backward(src, DT_SHAPE(ROWS, COLUMNS), offset, -2, -1);
    check_values(back, zeros, ROWS * COLUMNS);
    check_values(dt_diagonal(back, offset, 0, 1), put, count);
}

static void puts_diagonals(dt_world *world)
{
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (int offset = -ROWS; offset <= COLUMNS; offset++)
            check_diagonal(&f, layouts[i], offset);
    close_fixture(&f);
    f = open_plane(world);
    for (int offset = -3; offset < 3 && f.ranks == 4; offset++) {
        check_diagonal(&f, "S(0)S(1)", offset);
        check_diagonal(&f, "_S(1,2)S(0)", offset);
    }
    close_fixture(&f);
}

static void embeds_diagonals(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[6], wanted[32] = {0};
    for (int64_t i = 0; i < 6; i++) {
        values[i] = (double)(i + 1);
        wanted[i / 3 * 16 + i % 3 * 4 + i % 3 + 4] = values[i];
    }
    dt_diag_embed_options below = DT_DIAG_EMBED_OPTIONS_INIT;
    below.offset = -1;
    for (int i = 0; i < 2; i++) {
        dt_tensor *self =
            tensor_of(f.mesh, i ? "S(0)" : "R", DT_F32, DT_SHAPE(2, 3), values);
        start_counting(&f);
        dt_tensor *out = dt_diag_embed_with(self, &below);
        check_silent(&f);
        check_layout(out, i ? "S(0)" : "R");
        CHECK(out && dt_shape_equal(dt_tensor_shape(out), DT_SHAPE(2, 4, 4)));
        check_values(out, wanted, 32);
    }
    close_fixture(&f);
}

/* ---- Windows ------------------------------------------------------------ */

/* Three rows at a time, every second row: the third and the fifth are in two
 * windows. */
static void unfolds(dt_world *world)
{
    enum { WINDOWS = 3, SIZE = 3, COUNT = WINDOWS * COLUMNS * SIZE };
    fixture f = open_fixture(world);
    double wanted[COUNT], sums[ROWS * COLUMNS];
    for (int64_t i = 0; i < COUNT; i++)
        wanted[i] = value_at((i / (COLUMNS * SIZE) * 2 + i % SIZE) * COLUMNS +
                             i / SIZE % COLUMNS);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        const int64_t row = i / COLUMNS;
        sums[i] = value_at(i) * (row == 2 || row == 4 ? 2 : 1);
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *self = make_grid(&f, layouts[i]);
        dt_tensor *out = dt_unfold(self, 0, SIZE, 2);
        if (i != 1) {
            check_silent(&f);
            check_layout(out, layouts[i]);
        }
        check_values(out, wanted, COUNT);
        dt_tensor *back =
            dt_unfold_backward(out, DT_SHAPE(ROWS, COLUMNS), 0, SIZE, 2);
        check_values(back, sums, ROWS * COLUMNS);
    }
    CHECK_FAILS(
        world, status_of(world, dt_unfold(make_grid(&f, "R"), 1, 6, 1)),
        DT_ERR_INVALID,
        "unfold: size is 6, which is out of range for dim 1 of extent 5");
    CHECK_FAILS(world, status_of(world, dt_unfold(make_grid(&f, "R"), 1, 2, 0)),
                DT_ERR_INVALID, "unfold: step is 0; must be positive");
    close_fixture(&f);
}

/* One window, or one index, of which the next would be far outside. */
static void takes_any_step(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS * COLUMNS], turned[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        turned[i] = value_at(i % ROWS * COLUMNS + i / ROWS);
    for (int i = 0; i < 3; i++) {
        dt_tensor *self = make_grid(&f, layouts[i]);
        dt_tensor *out = dt_unfold(self, 0, ROWS, INT64_MAX);
        check_values(out, turned, ROWS * COLUMNS);
        grid_values(wanted);
        check_values(dt_unfold_backward(out, DT_SHAPE(ROWS, COLUMNS), 0, ROWS,
                                        INT64_MAX),
                     wanted, ROWS * COLUMNS);
        dt_tensor *src = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(1, COLUMNS));
        memset(wanted + COLUMNS, 0, COLUMNS * sizeof *wanted);
        check_values(dt_slice_scatter(self, src, 0, 1, ROWS, INT64_MAX), wanted,
                     ROWS * COLUMNS);
    }
    close_fixture(&f);
}

/* ---- Sums --------------------------------------------------------------- */

static void sums_what_was_repeated(dt_world *world)
{
    fixture f = open_fixture(world);
    double wanted[ROWS] = {0};
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        wanted[i % COLUMNS] += value_at(i);
    dt_tensor *out = dt_sum_to_size(make_grid(&f, "S(0)"), DT_SHAPE(COLUMNS));
    check_silent(&f);
    check_layout(out, "P(sum)");
    check_values(out, wanted, COLUMNS);
    out = dt_sum_to_size(make_grid(&f, "S(1)"), DT_SHAPE(1, COLUMNS));
    check_silent(&f);
    check_layout(out, "S(1)");
    check_values(out, wanted, COLUMNS);
    dt_tensor *self = make_grid(&f, "S(0)");
    check_shares_memory(dt_sum_to_size(self, DT_SHAPE(ROWS, COLUMNS)), self);
    out = dt_sum_to_size(make_tensor(&f, "R", DT_I8, DT_SHAPE()), DT_SHAPE());
    check_dtype(out, DT_I64);
    close_fixture(&f);
}

/* ---- Selections --------------------------------------------------------- */

/* The gradient of a maximum is where the maximum is. */
static void puts_what_was_selected(dt_world *world)
{
    fixture f = open_fixture(world);
    const double ones[ROWS] = {1, 2, 3, 4, 5, 6, 7};
    const char *const cut[] = {"R", "S(0)", "S(1)"};
    double wanted[ROWS * COLUMNS] = {0};
    for (int row = 0; row < ROWS; row++) {
        int best = 0;
        for (int i = 1; i < COLUMNS; i++)
            if (value_at(row * COLUMNS + i) > value_at(row * COLUMNS + best))
                best = i;
        wanted[row * COLUMNS + best] = ones[row];
    }
    for (int i = 0; i < 3; i++) {
        dt_tensor *values = NULL, *indices = NULL;
        dt_tensor *self = make_grid(&f, cut[i]);
        CHECK_OK(world, dt_max_dim(self, 1, false, &values, &indices));
        dt_tensor *grad = tensor_of(f.mesh, i == 1 ? "S(0)" : "R", DT_F32,
                                    DT_SHAPE(ROWS), ones);
        start_counting(&f);
        dt_tensor *out = dt_value_selecting_reduction_backward(
            grad, 1, indices, DT_SHAPE(ROWS, COLUMNS), false);
        check_silent(&f);
        check_layout(out, i == 1 ? "S(0)" : "R");
        check_values(out, wanted, ROWS * COLUMNS);
        /* The same into zeros that are cut as self is. */
        out = dt_zeros_like(self);
        start_counting(&f);
        dt_scatter_(out, 1, dt_unsqueeze(indices, 1), dt_unsqueeze(grad, 1));
        check_silent(&f);
        check_layout(out, cut[i]);
        check_values(out, wanted, ROWS * COLUMNS);
    }
    close_fixture(&f);
}

/* ---- Masks -------------------------------------------------------------- */

enum { DEPTH = 3 };

static bool is_kept(int64_t i)
{
    return (i * 5 + 2) % 7 < 3;
}

/* What is put into (ROWS, COLUMNS, DEPTH) where a mask of these extents, or of
 * extent 1, is true; gives how many elements. */
static int64_t want_masked(bool rows, double *wanted, double *mask)
{
    int64_t at = 0;
    for (int64_t i = 0; i < ROWS * COLUMNS * DEPTH; i++) {
        bool kept = is_kept(rows ? i / DEPTH : i);
        mask[rows ? i / DEPTH : i] = kept;
        wanted[i] = kept ? (double)(1000 + at++) : value_at(i);
    }
    return at;
}

static void check_masked(fixture *f, const char *layout,
                         const char *mask_layout, const char *source_layout,
                         bool rows, int most_calls)
{
    double wanted[ELEMENTS_MAX], mask[ELEMENTS_MAX], source[ELEMENTS_MAX];
    dt_shape shape = DT_SHAPE(ROWS, COLUMNS, DEPTH);
    dt_shape over = DT_SHAPE(ROWS, COLUMNS, rows ? 1 : DEPTH);
    int64_t count = want_masked(rows, wanted, mask);
    for (int64_t i = 0; i < count; i++)
        source[i] = (double)(1000 + i);
    dt_tensor *self = make_tensor(f, layout, DT_F32, shape);
    dt_tensor *by = tensor_of(f->mesh, mask_layout, DT_BOOL, over, mask);
    dt_tensor *from = tensor_of(
        f->mesh, source_layout, DT_F32,
        rows ? DT_SHAPE(count / DEPTH, DEPTH) : DT_SHAPE(count), source);
    start_counting(f);
    dt_tensor *out = dt_masked_scatter(self, by, from);
    CHECK(calls_counted(f) <= most_calls);
    check_layout(out, layout);
    check_values(out, wanted, ROWS * COLUMNS * DEPTH);
    CHECK(dt_masked_scatter_(self, by, from) == self);
    check_values(self, wanted, ROWS * COLUMNS * DEPTH);
    dt_tensor *back = dt_masked_scatter_backward(
        out, rows ? dt_expand_as(by, out) : by, DT_SHAPE(count + 1));
    source[count] = 0;
    check_values(back, source, count + 1);
}

static void puts_where_masks_are_true(dt_world *world)
{
    fixture f = open_fixture(world);
    check_masked(&f, "R", "R", "R", false, 0);
    check_masked(&f, "S(0)", "S(0)", "R", false, 1);
    check_masked(&f, "S(1)", "S(1)", "R", false, 1);
    check_masked(&f, "_S(0,2)", "_S(0,2)", "R", false, 1);
    check_masked(&f, "S(0)", "S(0)", "R", true, 1);
    check_masked(&f, "S(1)", "S(1)", "R", true, 1);
    check_masked(&f, "S(2)", "R", "S(1)", true, 0);
    close_fixture(&f);
    f = open_plane(world);
    if (f.ranks == 4) {
        check_masked(&f, "S(0)S(1)", "S(0)S(1)", "RR", false, 1);
        check_masked(&f, "S(1)S(0)", "S(1)S(0)", "RR", false, 1);
        check_masked(&f, "S(1)S(2)", "S(1)R", "RS(1)", true, 1);
        check_masked(&f, "RS(0)", "RS(0)", "RR", false, 1);
        check_masked(&f, "S(0)[0]S(0)[1]", "S(0)[0]S(0)[1]", "RR", false, 1);
    }
    close_fixture(&f);
}

/* The gradient of masked_select. */
static void puts_back_what_a_mask_kept(dt_world *world)
{
    fixture f = open_fixture(world);
    double mask[ROWS * COLUMNS], wanted[ROWS * COLUMNS];
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        mask[i] = is_kept(i);
        wanted[i] = is_kept(i) ? value_at(i) : 0;
    }
    dt_tensor *self = make_grid(&f, "S(0)");
    dt_tensor *by =
        tensor_of(f.mesh, "S(0)", DT_BOOL, DT_SHAPE(ROWS, COLUMNS), mask);
    dt_tensor *out =
        dt_masked_scatter(dt_zeros_like(self), by, dt_masked_select(self, by));
    check_layout(out, "S(0)");
    check_values(out, wanted, ROWS * COLUMNS);
    close_fixture(&f);
}

/* All ranks count alike, and go on after it. */
static void refuses_short_sources(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = make_grid(&f, "S(0)");
    dt_tensor *mask = dt_ones(f.mesh, "S(0)", DT_BOOL, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *source = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(ROWS));
    CHECK(dt_masked_scatter(self, mask, source) == NULL);
    CHECK(strstr(
        dt_world_error(world)->message,
        "masked_scatter: the mask selects 35 elements, but source has 7"));
    double values[ROWS * COLUMNS];
    grid_values(values);
    check_values(dt_redistribute(self, "R"), values, ROWS * COLUMNS);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = make_grid(&f, "R");
    dt_tensor *row = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(COLUMNS));
    dt_tensor *by = dt_zeros(f.mesh, "R", DT_I64, DT_SHAPE(COLUMNS));
    CHECK_FAILS(world,
                status_of(world, dt_diagonal_scatter(self, row, 1, 0, 1)),
                DT_ERR_INVALID,
                "diagonal_scatter: the diagonal has shape (4,), but the source "
                "has shape (5,)");
    CHECK_FAILS(
        world,
        status_of(world, dt_diagonal_backward(row, DT_SHAPE(5), 0, 0, 1)),
        DT_ERR_INVALID, "self is a 1-d tensor; expected at least 2 dimensions");
    CHECK_FAILS(world, status_of(world, dt_sum_to_size(self, DT_SHAPE(ROWS))),
                DT_ERR_INVALID, "shape (7, 5) cannot be reduced to (7,)");
    CHECK_FAILS(
        world,
        status_of(world, dt_value_selecting_reduction_backward(
                             row, 0, by, DT_SHAPE(3, 4), false)),
        DT_ERR_INVALID,
        "grad has shape (5,); the result of selecting along dim 0 of (3, 4)");
    CHECK_FAILS(world, status_of(world, dt_masked_scatter(self, by, row)),
                DT_ERR_INVALID, "mask is i64; expected bool");
    CHECK_FAILS(
        world,
        status_of(world, dt_masked_scatter(
                             self, dt_gt_scalar(self, dt_integer(0)), by)),
        DT_ERR_INVALID, "self is f32 but source is i64");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"slices are put into what is cut", puts_slices},
    {"an index is put into what is cut", puts_indexes},
    {"diagonals are put into what is cut, and into zeros", puts_diagonals},
    {"a dimension becomes a diagonal", embeds_diagonals},
    {"windows are taken and added up", unfolds},
    {"steps may be of any length", takes_any_step},
    {"what was repeated is summed", sums_what_was_repeated},
    {"what was selected is put back", puts_what_was_selected},
    {"elements and rows are put where masks are true",
     puts_where_masks_are_true},
    {"what a mask kept is put back", puts_back_what_a_mask_kept},
    {"sources that are too short are refused", refuses_short_sources},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
