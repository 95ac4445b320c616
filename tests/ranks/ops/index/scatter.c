/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/index/scatter.c - elements put where tensors of indexes say.
 */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: index index_add */
#include <math.h>

#include <dtensor/sys/ops_internal.h>

#include "support/tensors.h"

/* ---- Indexes and what is put -------------------------------------------- */

/* A tensor of i64 whose element i is i * step modulo an extent. */
static dt_tensor *make_index(fixture *f, const char *layout, dt_shape shape,
                             int64_t step, int64_t extent)
{
    dt_array *whole = new_array(f->world, DT_I64, shape);
    int64_t *data = dt_array_data(whole);
    for (int64_t i = 0; i < dt_array_count(whole); i++)
        data[i] = i * step % extent;
    dt_tensor *made =
        dt_distribute(f->mesh, layout, DT_I64, shape, whole, DT_EVERYWHERE);
    CHECK(made != NULL);
    dt_array_release(whole);
    return made;
}

/* A tensor of f32 whose element i is i + first. */
static dt_tensor *count_from(fixture *f, const char *layout, dt_shape shape,
                             int first)
{
    dt_array *whole = new_array(f->world, DT_F32, shape);
    float *data = dt_array_data(whole);
    for (int64_t i = 0; i < dt_array_count(whole); i++)
        data[i] = (float)(i + first);
    dt_tensor *made =
        dt_distribute(f->mesh, layout, DT_F32, shape, whole, DT_EVERYWHERE);
    CHECK(made != NULL);
    dt_array_release(whole);
    return made;
}

/* Compare with numbers of this rank. */
static void check_numbers(dt_tensor *tensor, const float *want, int64_t count)
{
    dt_array *whole = CHECK(tensor != NULL) ? read_global(tensor) : NULL;
    const float *data = whole ? dt_array_const_data(whole) : NULL;
    CHECK(whole && dt_array_count(whole) == count);
    for (int64_t i = 0; data && i < count; i++)
        CHECKF(data[i] == want[i], "element %d is %g, not %g", (int)i,
               (double)data[i], (double)want[i]);
    dt_array_release(whole);
}

/* ---- scatter ------------------------------------------------------------ */

enum { ROWS = 9, COLUMNS = 4, PUT = 6 };

/* How tensors lie, and what the result is; NULL: something must be moved. */
typedef struct put_case {
    const char *self, *index, *src, *gives;
} put_case;

/* Rows of src go to rows 5 i modulo 9, along dimension 0: none twice. */
static void want_scattered(bool adds, float *want)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        want[i] = (float)(i + 1);
    for (int i = 0; i < PUT * COLUMNS; i++) {
        int64_t row = (int64_t)i * 5 % ROWS;
        float *to = &want[row * COLUMNS + i % COLUMNS];
        *to = (adds ? *to : 0) + (float)(i + 100);
    }
}

static void check_scatter(dt_world *world, const put_case *of, bool adds)
{
    float want[ROWS * COLUMNS];
    fixture f = open_fixture(world);
    dt_shape shape = DT_SHAPE(PUT, COLUMNS);
    dt_tensor *self = count_from(&f, of->self, DT_SHAPE(ROWS, COLUMNS), 1);
    dt_tensor *index = make_index(&f, of->index, shape, 5, ROWS);
    dt_tensor *src = count_from(&f, of->src, shape, 100);
    start_counting(&f);
    dt_tensor *out = adds ? dt_scatter_add(self, 0, index, src)
                          : dt_scatter(self, 0, index, src);
    if (of->gives) {
        check_silent(&f);
        check_layout(out, of->gives);
    } else {
        check_sent(&f);
    }
    want_scattered(adds, want);
    check_numbers(out, want, ROWS * COLUMNS);
    close_fixture(&f);
}

static void scatters(dt_world *world)
{
    const put_case cases[] = {
        {"R", "R", "R", "R"},
        {"S(1)", "S(1)", "S(1)", "S(1)"},
        /* Each rank takes what belongs to it. */
        {"S(0)", "R", "R", "S(0)"},
        {"_S(0,2)", "R", "R", "_S(0,2)"},
        {"P", "R", "P", "P(sum)"},
        {"P(max)", "R", "P(max)", "P(max)"},
        {"R", "S(0)", "S(0)", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scatter(world, &cases[i], false);
}

static void adds_scattered(dt_world *world)
{
    const put_case cases[] = {
        {"R", "R", "R", "R"},
        {"S(1)", "S(1)", "S(1)", "S(1)"},
        {"S(0)", "R", "R", "S(0)"},
        {"P", "R", "P", "P(sum)"},
        {"P", "R", "R", "P(sum)"},
        /* Ranks add what they have; what self has is added once. */
        {"R", "S(0)", "S(0)", "P(sum)"},
        {"P", "S(0)", "S(0)", "P(sum)"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scatter(world, &cases[i], true);
}

static void sets_numbers_in_partial_tensors(dt_world *world)
{
    static const char *const layouts[] = {"P", "P(avg)", "P(max)", "S(0)"};
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *x = dt_full(f.mesh, layouts[i], DT_F32, DT_SHAPE(5), 3);
        dt_tensor *by = make_index(&f, "R", DT_SHAPE(2), 3, 5);
        const float want[] = {8, 3, 3, 8, 3};
        start_counting(&f);
        dt_tensor *out = dt_scatter_value(x, 0, by, dt_integer(8));
        dt_tensor *filled = dt_index_fill_scalar(x, -1, by, dt_integer(8));
        CHECK(dt_scatter_value_(x, 0, by, dt_integer(8)) == x);
        check_silent(&f);
        check_numbers(out, want, 5);
        check_numbers(filled, want, 5);
        check_numbers(x, want, 5);
    }
    close_fixture(&f);
}

static void reduces(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_scatter_reduce_options without = DT_SCATTER_REDUCE_OPTIONS_INIT;
    without.include_self = false;
    const float mean[] = {4, 5, 3, 4}, least[] = {2, 3, 3, 4};
    const float product[] = {2 * 4 * 6, 2 * 3 * 5 * 7, 3, 4};
    const float largest[] = {6, 7, 3, 4};
    dt_tensor *self = count_from(&f, "R", DT_SHAPE(4), 1);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(6), 1, 2);
    dt_tensor *src = count_from(&f, "R", DT_SHAPE(6), 2);
    dt_tensor *out = dt_scatter_reduce_with(
        self, 0, by, src, DT_SCATTER_REDUCTION_MEAN, &without);
    check_numbers(out, mean, 4);
    out = dt_scatter_reduce(self, 0, by, src, DT_SCATTER_REDUCTION_PROD);
    check_numbers(out, product, 4);
    out = dt_scatter_reduce_with(self, 0, by, src, DT_SCATTER_REDUCTION_AMIN,
                                 &without);
    check_numbers(out, least, 4);
    dt_tensor *most = count_from(&f, "P(max)", DT_SHAPE(4), 1);
    start_counting(&f);
    out = dt_scatter_reduce(most, 0, by, src, DT_SCATTER_REDUCTION_AMAX);
    check_silent(&f);
    check_layout(out, "P(max)");
    check_numbers(out, largest, 4);
    close_fixture(&f);
}

static void keeps_nan(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = dt_full(f.mesh, "S(0)", DT_F32, DT_SHAPE(4), NAN);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(2), 1, 2);
    dt_tensor *src = count_from(&f, "R", DT_SHAPE(2), 1);
    dt_array *whole = read_global(
        dt_scatter_reduce(self, 0, by, src, DT_SCATTER_REDUCTION_AMAX));
    const float *data = dt_array_const_data(whole);
    for (int i = 0; i < 4; i++)
        CHECK(isnan(data[i]));
    dt_array_release(whole);
    close_fixture(&f);
}

/* ---- Slices ------------------------------------------------------------- */

static void puts_slices(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_index_add_options twice = DT_INDEX_ADD_OPTIONS_INIT;
    twice.alpha = dt_integer(2);
    dt_tensor *self = count_from(&f, "S(0)", DT_SHAPE(5, 2), 0);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(3), 2, 5);
    dt_tensor *src = count_from(&f, "R", DT_SHAPE(3, 2), 10);
    start_counting(&f);
    dt_tensor *copied = dt_index_copy(self, 0, by, src);
    dt_tensor *added = dt_index_add_with(self, 0, by, src, &twice);
    check_silent(&f);
    check_layout(copied, "S(0)");
    check_layout(added, "S(0)");
    const float copy[] = {10, 11, 2, 3, 12, 13, 6, 7, 14, 15};
    const float sum[] = {20, 23, 2, 3, 28, 31, 6, 7, 36, 39};
    check_numbers(copied, copy, 10);
    check_numbers(added, sum, 10);
    self = count_from(&f, "R", DT_SHAPE(5, 2), 0);
    by = make_index(&f, "S(0)", DT_SHAPE(3), 2, 5);
    src = count_from(&f, "S(0)", DT_SHAPE(3, 2), 10);
    start_counting(&f);
    added = dt_index_add_with(self, 0, by, src, &twice);
    check_silent(&f);
    check_layout(added, "P(sum)");
    check_numbers(added, sum, 10);
    close_fixture(&f);
}

/* ---- Several dimensions ------------------------------------------------- */

static void indexes_dimensions(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    dt_shape shape = DT_SHAPE(3, 2 * n + 1, 4);
    dt_tensor *self = count_from(&f, "S(1)", shape, 0);
    dt_tensor *first = make_index(&f, "R", DT_SHAPE(2, 1), 2, 3);
    dt_tensor *last = make_index(&f, "R", DT_SHAPE(3), 3, 4);
    dt_tensor *by_dims[] = {first, NULL, last};
    float want[6 * 15];
    start_counting(&f);
    dt_tensor *out = dt_index(self, by_dims, 3);
    check_silent(&f);
    check_layout(out, "S(2)");
    int64_t rows = 2 * n + 1, at_want = 0;
    for (int64_t i = 0; i < 2; i++)
        for (int64_t k = 0; k < 3; k++)
            for (int64_t r = 0; r < rows; r++)
                want[at_want++] =
                    (float)((i * 2 % 3 * rows + r) * 4 + (k * 3 % 4));
    CHECK(out && dt_shape_equal(dt_tensor_shape(out), DT_SHAPE(2, 3, rows)));
    check_numbers(out, want, 6 * rows);
    /* Of what is cut, ranks give what they have. */
    self = count_from(&f, "S(0)", DT_SHAPE(2 * n + 1, 2), 0);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(3), 2, 3);
    start_counting(&f);
    out = dt_index(self, &by, 1);
    check_silent(&f);
    check_layout(out, "MaskP(sum)");
    const float rows_of[] = {0, 1, 4, 5, 2, 3};
    check_numbers(out, rows_of, 6);
    close_fixture(&f);
}

static void puts_into_dimensions(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = count_from(&f, "S(0)", DT_SHAPE(5, 2), 0);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(4), 2, 4);
    dt_tensor *values = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(), 10);
    start_counting(&f);
    dt_tensor *out = dt_index_put(self, values, &by, 1, true);
    check_silent(&f);
    check_layout(out, "S(0)");
    const float want[] = {20, 21, 2, 3, 24, 25, 6, 7, 8, 9};
    check_numbers(out, want, 10);
    start_counting(&f);
    CHECK(dt_index_put_(self, values, &by, 1, false) == self);
    check_silent(&f);
    const float set[] = {10, 10, 2, 3, 10, 10, 6, 7, 8, 9};
    check_numbers(self, set, 10);
    close_fixture(&f);
}

/* ---- Slices of tensors -------------------------------------------------- */

static void puts_back_what_was_seen(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *grad = count_from(&f, "S(0)", DT_SHAPE(3, 2), 1);
    start_counting(&f);
    dt_tensor *out = dt_slice_backward(grad, DT_SHAPE(3, 5), 1, 1, 5, 2);
    check_silent(&f);
    check_layout(out, "S(0)");
    const float want[] = {0, 1, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 6, 0};
    check_numbers(out, want, 15);
    grad = count_from(&f, "P", DT_SHAPE(3), 1);
    start_counting(&f);
    out = dt_select_backward(grad, DT_SHAPE(2, 3), 0, -1);
    check_silent(&f);
    check_layout(out, "P(sum)");
    const float row[] = {0, 0, 0, 1, 2, 3};
    check_numbers(out, row, 6);
    dt_tensor *self = count_from(&f, "R", DT_SHAPE(2, 3), 10);
    out = dt_select_scatter(self, dt_redistribute(grad, "R"), 0, 0);
    const float set[] = {1, 2, 3, 13, 14, 15};
    check_numbers(out, set, 6);
    close_fixture(&f);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = count_from(&f, "R", DT_SHAPE(4, 6), 0);
    dt_tensor *tall = make_index(&f, "R", DT_SHAPE(5, 6), 1, 4);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(4), 1, 4);
    dt_tensor *doubles = dt_zeros(f.mesh, "R", DT_F64, DT_SHAPE(4, 6));
    dt_tensor *mask = dt_ones(f.mesh, "R", DT_BOOL, DT_SHAPE(4));
    dt_tensor *none = dt_zeros(f.mesh, "R", DT_I64, DT_SHAPE(0));
    dt_tensor *below = dt_full(f.mesh, "S(0)", DT_I64, DT_SHAPE(4), -3);
    CHECK_FAILS(world, status_of(world, dt_scatter(self, 1, tall, self)),
                DT_ERR_INVALID, "scatter: index has shape (5, 6)");
    CHECK_FAILS(world, status_of(world, dt_scatter_add(self, 0, tall, self)),
                DT_ERR_INVALID, "which exceeds src, of shape (4, 6)");
    CHECK_FAILS(world, status_of(world, dt_index_copy(self, 0, by, doubles)),
                DT_ERR_INVALID, "self is f32 but source is f64");
    CHECK_FAILS(world,
                status_of(world, dt_scatter_reduce(self, 0, tall, self,
                                                   (dt_scatter_reduction)5)),
                DT_ERR_INVALID, "reduce is 5; expected 0 (sum)");
    CHECK_FAILS(world, status_of(world, dt_one_hot(mask, -1)),
                DT_ERR_UNSUPPORTED, "one_hot: the indexes are bool");
    CHECK_FAILS(world, status_of(world, dt_one_hot(by, -2)), DT_ERR_INVALID,
                "one_hot: num_classes is -2");
    CHECK_FAILS(world, status_of(world, dt_one_hot(none, -1)), DT_ERR_INVALID,
                "one_hot: self is empty, so the number of classes is unknown; "
                "pass num_classes");
    CHECK_FAILS(world, status_of(world, dt_one_hot(below, -1)), DT_ERR_INVALID,
                "one_hot: self has the index -3; expected no negative ones");
    CHECK_FAILS(world, status_of(world, dt_index_add(self, 1, by, self)),
                DT_ERR_INVALID, "index_add: source has shape (4, 6)");
    close_fixture(&f);
}

/* What lies outside is named; all ranks see it. */
static void refuses_indexes_outside(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = count_from(&f, "S(0)", DT_SHAPE(5), 0);
    dt_tensor *by = make_index(&f, "R", DT_SHAPE(3), 3, 99);
    dt_tensor *src = count_from(&f, "R", DT_SHAPE(3), 0);
    CHECK(dt_scatter_add(self, 0, by, src) == NULL);
    CHECK(strstr(
        dt_world_error(world)->message,
        "scatter_add: index 6 is out of range for dimension 0 of extent 5"));
    CHECK(dt_one_hot(by, 4) == NULL);
    CHECK(strstr(dt_world_error(world)->message, "one_hot: index 6"));
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"scatter takes what belongs to each rank", scatters},
    {"scatter_add takes sums, and parts of what is added", adds_scattered},
    {"65: numbers put into partial tensors read back as they are",
     sets_numbers_in_partial_tensors},
    {"scatter_reduce by every reduction", reduces},
    {"NaN stays the largest", keeps_nan},
    {"slices are put and added where self lies", puts_slices},
    {"indexes of several dimensions are broadcast", indexes_dimensions},
    {"values are put by indexes of dimensions", puts_into_dimensions},
    {"what slice and select saw is put back", puts_back_what_was_seen},
    {"errors name what is wrong", says_what_is_wrong},
    {"indexes outside are refused on all ranks", refuses_indexes_outside},
    {NULL, NULL},
};
