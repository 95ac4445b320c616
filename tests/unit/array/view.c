/* unit/array/view.c - views against index arithmetic. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stdint.h>
#include <string.h>

/* An array of i64 whose elements are their own row-major indices. */
static dt_array *make_counted(dt_world *world, dt_shape shape)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, DT_I64, shape, &array));
    int64_t *data = dt_array_data(array);
    for (int64_t i = 0; i < dt_array_count(array); i++)
        data[i] = i;
    return array;
}

/* The element at an index. */
static int64_t at(dt_array *array, const int64_t *index)
{
    const int64_t *data = dt_array_const_data(array);
    int64_t offset = 0;
    for (int i = 0; i < dt_array_ndim(array); i++)
        offset += index[i] * dt_array_stride(array, i);
    return data[offset];
}

static void slices(dt_world *world)
{
    static const struct {
        int64_t start, stop, step, first, extent;
    } rows[] = {{0, 7, 1, 0, 7},
                {2, 5, 1, 2, 3},
                {-3, -1, 1, 4, 2},
                {-100, 100, 1, 0, 7},
                {1, 7, 2, 1, 3},
                {0, 7, 3, 0, 3},
                {6, 7, 100, 6, 1},
                {3, 3, 1, 0, 0},
                {5, 2, 1, 0, 0},
                {100, 200, 1, 0, 0},
                {0, INT64_MAX, INT64_MAX, 0, 1},
                {INT64_MIN, 3, 1, 0, 3}};
    dt_array *array = make_counted(world, DT_SHAPE(3, 7));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dt_array *view = NULL;
        CHECK_OK(world, dt_array_slice(world, array, -1, rows[i].start,
                                       rows[i].stop, rows[i].step, &view));
        CHECK_INT(dt_array_extent(view, 0), 3);
        CHECK_INT(dt_array_extent(view, 1), rows[i].extent);
        for (int64_t k = 0; k < rows[i].extent; k++) {
            int64_t index[] = {2, k};
            CHECK_INT(at(view, index),
                      2 * 7 + rows[i].first + k * rows[i].step);
        }
        dt_array_release(view);
    }
    dt_array *view = NULL;
    CHECK_FAILS(world, dt_array_slice(world, array, 2, 0, 1, 1, &view),
                DT_ERR_INVALID, "dimension 2 is out of range for a 2-d array");
    CHECK_FAILS(world, dt_array_slice(world, array, 0, 0, 1, 0, &view),
                DT_ERR_INVALID, "step is 0");
    CHECK(view == NULL);
    dt_array_release(array);
}

static void selects(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(2, 3, 4));
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_select(world, array, 1, -1, &view));
    CHECK(dt_shape_equal(dt_array_shape(view), DT_SHAPE(2, 4)));
    int64_t index[] = {1, 3};
    CHECK_INT(at(view, index), 12 + 8 + 3);
    dt_array_release(view);
    view = NULL;
    CHECK_FAILS(world, dt_array_select(world, array, 0, 2, &view),
                DT_ERR_INVALID, "index 2 is out of range for dimension 0");
    CHECK_FAILS(world, dt_array_select(world, array, 0, -3, &view),
                DT_ERR_INVALID, "index -3");
    CHECK(view == NULL);
    dt_array_release(array);
}

static void permutes(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(2, 3, 4));
    dt_array *view = NULL;
    CHECK_OK(world,
             dt_array_permute(world, array, (const int[]){2, 0, 1}, &view));
    CHECK(dt_shape_equal(dt_array_shape(view), DT_SHAPE(4, 2, 3)));
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            for (int64_t k = 0; k < 4; k++) {
                int64_t index[] = {k, i, j};
                CHECK_INT(at(view, index), (i * 3 + j) * 4 + k);
            }
    dt_array_release(view);
    view = NULL;
    CHECK_FAILS(world,
                dt_array_permute(world, array, (const int[]){0, 1, 1}, &view),
                DT_ERR_INVALID, "twice");
    CHECK_FAILS(world,
                dt_array_permute(world, array, (const int[]){0, 1, 3}, &view),
                DT_ERR_INVALID, "dimension 3");
    CHECK(view == NULL);
    dt_array_release(array);
}

static void expands(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(3, 1));
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_expand(world, array, DT_SHAPE(2, -1, 5), &view));
    CHECK(dt_shape_equal(dt_array_shape(view), DT_SHAPE(2, 3, 5)));
    CHECK_INT(dt_array_count(view), 30);
    CHECK(!dt_array_is_contiguous(view));
    int64_t index[] = {1, 2, 4};
    CHECK_INT(at(view, index), 2);
    CHECK_FAILS(world, dt_array_fill(world, view, 1), DT_ERR_INVALID,
                "dimension 0 is expanded");
    dt_array_release(view);
    CHECK_OK(world, dt_array_expand(world, array, DT_SHAPE(3, 0), &view));
    CHECK_INT(dt_array_count(view), 0);
    dt_array_release(view);
    /* Nothing that is repeated can be written. */
    CHECK_OK(world, dt_array_expand(world, array, DT_SHAPE(4, 3, 0), &view));
    CHECK_OK(world, dt_array_fill(world, view, 1));
    CHECK_OK(world, dt_array_copy(world, view, view));
    dt_array_release(view);
    view = NULL;
    CHECK_FAILS(world, dt_array_expand(world, array, DT_SHAPE(2, 5), &view),
                DT_ERR_INVALID, "dimension 0 is not 1");
    CHECK_FAILS(world, dt_array_expand(world, array, DT_SHAPE(3), &view),
                DT_ERR_INVALID, "cannot be expanded");
    CHECK_FAILS(world, dt_array_expand(world, array, DT_SHAPE(-1, 3, 1), &view),
                DT_ERR_INVALID, "negative");
    CHECK_FAILS(world,
                dt_array_expand(world, array,
                                DT_SHAPE(1LL << 31, 1LL << 30, 3, 1), &view),
                DT_ERR_INVALID, "too many");
    CHECK(view == NULL);
    dt_array_release(array);
}

/* A strided array over counted memory, a shape, and the strides with which it
 * is a view; none if it is not. */
typedef struct reshape_row {
    dt_shape from;
    int64_t strides[DT_MAX_NDIM];
    dt_shape to;
    bool is_view;
    int64_t expected[DT_MAX_NDIM];
} reshape_row;

/* The rule is that of PyTorch's view(). */
static const reshape_row reshape_rows[] = {
    {{2, {3, 4}}, {4, 1}, {1, {12}}, true, {1}},
    {{2, {3, 4}}, {4, 1}, {3, {2, 3, 2}}, true, {6, 2, 1}},
    {{2, {3, 4}}, {8, 1}, {1, {12}}, false, {0}},
    {{2, {3, 4}}, {8, 1}, {3, {3, 2, 2}}, true, {8, 2, 1}},
    {{2, {3, 4}}, {8, 2}, {1, {12}}, true, {2}},
    {{2, {3, 4}}, {1, 3}, {1, {12}}, false, {0}},
    {{2, {3, 4}}, {1, 3}, {3, {3, 2, 2}}, true, {1, 6, 3}},
    {{2, {4, 4}}, {1, 4}, {3, {2, 2, 4}}, true, {2, 1, 4}},
    {{2, {4, 4}}, {1, 4}, {2, {2, 8}}, false, {0}},
    {{3, {2, 1, 3}}, {3, 99, 1}, {1, {6}}, true, {1}},
    {{3, {2, 1, 3}}, {7, 99, 1}, {2, {2, 3}}, true, {7, 1}},
    {{3, {2, 1, 3}}, {7, 99, 1}, {4, {1, 2, 1, 3}}, true, {14, 7, 3, 1}},
    {{2, {3, 4}}, {0, 0}, {1, {12}}, true, {0}},
    {{2, {3, 4}}, {0, 1}, {1, {12}}, false, {0}},
    {{2, {3, 4}}, {0, 1}, {3, {3, 1, 4}}, true, {0, 4, 1}},
    {{1, {1}}, {5}, {0, {0}}, true, {0}},
    {{0, {0}}, {0}, {3, {1, 1, 1}}, true, {1, 1, 1}},
    {{2, {1, 1}}, {5, 7}, {1, {1}}, true, {5}},
    {{2, {0, 4}}, {4, 1}, {3, {5, 0, 2}}, true, {2, 2, 1}},
    {{3, {2, 3, 4}}, {12, 4, 1}, {2, {6, 4}}, true, {4, 1}},
    {{3, {2, 3, 4}}, {24, 8, 1}, {2, {6, 4}}, true, {8, 1}},
    {{3, {2, 3, 4}}, {24, 8, 1}, {2, {2, 12}}, false, {0}},
    {{3, {2, 3, 4}}, {13, 4, 1}, {2, {2, 12}}, true, {13, 1}},
    {{3, {2, 3, 4}}, {13, 4, 1}, {2, {6, 4}}, false, {0}},
};

static void check_reshape(dt_world *world, const reshape_row *row, int number)
{
    static int64_t memory[256];
    for (int i = 0; i < 256; i++)
        memory[i] = i;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    options.data = memory;
    options.dtype = DT_I64;
    options.shape = row->from;
    options.strides = row->strides;
    dt_array *array = NULL, *view = NULL;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    if (!row->is_view) {
        CHECK_FAILS(world, dt_array_reshape(world, array, row->to, &view),
                    DT_ERR_UNSUPPORTED, "contiguous first");
    } else if (CHECK_OK(world,
                        dt_array_reshape(world, array, row->to, &view))) {
        for (int i = 0; i < row->to.ndim; i++)
            CHECKF(row->to.dims[i] == 1 ||
                       dt_array_stride(view, i) == row->expected[i],
                   "row %d: stride %d is %lld", number, i,
                   (long long)dt_array_stride(view, i));
        CHECK(dt_array_count(view) == 0 ||
              dt_array_const_data(view) == (const void *)memory);
        dt_array_release(view);
    }
    dt_array_release(array);
}

static void reshapes_where_strides_allow(dt_world *world)
{
    for (size_t i = 0; i < sizeof reshape_rows / sizeof *reshape_rows; i++)
        check_reshape(world, &reshape_rows[i], (int)i);
}

/* The offset of the element with a row-major number. */
static int64_t offset_of(dt_shape shape, const int64_t *strides, int64_t number)
{
    int64_t offset = 0;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        offset += number % shape.dims[i] * strides[i];
        number /= shape.dims[i];
    }
    return offset;
}

/* Find out by trying whether strides exist that give every element of a shape
 * the offset that it has in the array. */
static bool find_view(dt_shape from, const int64_t *from_strides, dt_shape to,
                      int64_t *strides)
{
    int64_t count = dt_shape_count(from), step = 1;
    for (int i = to.ndim - 1; i >= 0; i--) {
        strides[i] = to.dims[i] > 1 ? offset_of(from, from_strides, step) : 0;
        step *= to.dims[i];
    }
    for (int64_t i = 0; i < count; i++)
        if (offset_of(to, strides, i) != offset_of(from, from_strides, i))
            return false;
    return true;
}

/* Share out factors of a number among up to six dimensions. */
static dt_shape random_shape(unsigned long long *state)
{
    static const int factors[] = {2, 2, 3, 2};
    dt_shape shape = {1 + (int)(dt_test_random(state) % 6), {0}};
    for (int i = 0; i < shape.ndim; i++)
        shape.dims[i] = 1;
    for (int i = 0; i < 4; i++)
        shape.dims[dt_test_random(state) % (unsigned)shape.ndim] *= factors[i];
    return shape;
}

static void reshapes_exactly_where_a_view_exists(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    static int64_t memory[4096];
    int views = 0;
    for (int round = 0; round < 5000; round++) {
        reshape_row row = {
            random_shape(&state), {0}, random_shape(&state), false, {0}};
        int64_t next = 1 + (int64_t)(dt_test_random(&state) % 2);
        for (int i = row.from.ndim - 1; i >= 0; i--) {
            row.strides[i] = next;
            if (row.from.dims[i] == 1)
                row.strides[i] = (int64_t)(dt_test_random(&state) % 9);
            if (dt_test_random(&state) % 12 == 0)
                row.strides[i] = 0;
            next *= row.from.dims[i];
            if (dt_test_random(&state) % 4 == 0)
                next += (int64_t)(dt_test_random(&state) % 3);
        }
        int64_t expected[DT_MAX_NDIM];
        bool is_view = find_view(row.from, row.strides, row.to, expected);
        dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
        options.data = memory;
        options.dtype = DT_I64;
        options.shape = row.from;
        options.strides = row.strides;
        dt_array *array = NULL, *view = NULL;
        CHECK_OK(world, dt_array_wrap(world, &options, &array));
        if (!is_view) {
            CHECK_FAILS(world, dt_array_reshape(world, array, row.to, &view),
                        DT_ERR_UNSUPPORTED, "do not allow");
        } else if (CHECK_OK(world,
                            dt_array_reshape(world, array, row.to, &view))) {
            views++;
            for (int i = 0; i < row.to.ndim; i++)
                if (row.to.dims[i] > 1)
                    CHECK_INT(dt_array_stride(view, i), expected[i]);
            dt_array_release(view);
        }
        dt_array_release(array);
    }
    CHECK(views > 500 && views < 4500);
}

static void works_out_an_open_extent(dt_world *world)
{
    dt_array *array = make_counted(world, DT_SHAPE(4, 6));
    dt_array *view = NULL;
    CHECK_OK(world, dt_array_reshape(world, array, DT_SHAPE(3, -1, 2), &view));
    CHECK(dt_shape_equal(dt_array_shape(view), DT_SHAPE(3, 4, 2)));
    dt_array_release(view);
    view = NULL;
    CHECK_FAILS(world, dt_array_reshape(world, array, DT_SHAPE(-1, -1), &view),
                DT_ERR_INVALID, "more than one");
    CHECK_FAILS(world, dt_array_reshape(world, array, DT_SHAPE(5, -1), &view),
                DT_ERR_INVALID, "cannot be viewed as");
    CHECK_FAILS(world, dt_array_reshape(world, array, DT_SHAPE(5, 5), &view),
                DT_ERR_INVALID, "24 elements");
    CHECK_FAILS(world, dt_array_reshape(world, array, DT_SHAPE(0, -1), &view),
                DT_ERR_INVALID, "cannot be viewed as");
    CHECK_FAILS(world, dt_array_reshape(world, array, DT_SHAPE(-2, -12), &view),
                DT_ERR_INVALID, "cannot be viewed as");
    CHECK(view == NULL);
    dt_array_release(array);
}

/* Any chain of views shows the elements that a copy of each step would. */
static void chains_views(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    for (int round = 0; round < 300; round++) {
        dt_array *view = make_counted(world, DT_SHAPE(4, 3, 2, 5));
        dt_array *copy = make_counted(world, DT_SHAPE(4, 3, 2, 5));
        for (int step = 0; step < 4; step++) {
            int dim =
                (int)(dt_test_random(&state) % (unsigned)dt_array_ndim(view));
            int64_t from = (int64_t)(dt_test_random(&state) % 3);
            dt_array *next_view = NULL, *next_copy = NULL, *dense = NULL;
            int order[DT_MAX_NDIM];
            int ndim = dt_array_ndim(view);
            for (int i = 0; i < ndim; i++)
                order[i] = (i + dim) % ndim;
            if (dt_test_random(&state) % 2) {
                CHECK_OK(world,
                         dt_array_permute(world, view, order, &next_view));
                CHECK_OK(world,
                         dt_array_permute(world, copy, order, &next_copy));
            } else {
                CHECK_OK(world, dt_array_slice(world, view, dim, from, 9, 2,
                                               &next_view));
                CHECK_OK(world, dt_array_slice(world, copy, dim, from, 9, 2,
                                               &next_copy));
            }
            CHECK_OK(world, dt_array_clone(world, next_copy, &dense));
            CHECK(dt_array_is_contiguous(dense));
            CHECK(dt_array_equal(next_view, dense));
            dt_array_release(next_copy);
            dt_array_release(copy);
            dt_array_release(view);
            view = next_view;
            copy = dense;
        }
        dt_array_release(view);
        dt_array_release(copy);
    }
}

const dt_test dt_tests[] = {
    {"slices", slices},
    {"selects", selects},
    {"permutes", permutes},
    {"expands", expands},
    {"reshapes where strides allow", reshapes_where_strides_allow},
    {"reshapes exactly where a view exists",
     reshapes_exactly_where_a_view_exists},
    {"works out an open extent", works_out_an_open_extent},
    {"chains views", chains_views},
    {NULL, NULL},
};
