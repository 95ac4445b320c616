/* tests/unit/ops/calls.c - the functions that are written from rows: what they
 * pass on, and how they answer. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <stddef.h>
#include <string.h>

/* 0, 1, 2, ... in a matrix on this rank's own mesh. */
static dt_tensor *count_up(dt_world *world, int64_t rows, int64_t columns)
{
    dt_tensor *line = dt_arange(dt_world_own_mesh(world), "R", DT_F32, 0,
                                (double)(rows * columns), 1);
    return dt_reshape(line, DT_SHAPE(rows, columns));
}

static void has(const dt_tensor *tensor, int64_t index, double expected)
{
    if (!CHECK(tensor != NULL))
        return;
    const float *data = dt_array_const_data(dt_tensor_local(tensor));
    CHECKF((double)data[index] == expected, "element %d is %g, not %g",
           (int)index, (double)data[index], expected);
}

static void writes_where_it_is_told(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3), *y = count_up(world, 2, 3);
    dt_tensor *out = dt_zeros_like(x);
    has(dt_add(x, y), 5, 10);
    has(x, 5, 5);
    CHECK(dt_add_out(x, y, out) == out);
    has(out, 5, 10);
    CHECK(dt_add_(x, y) == x);
    has(x, 5, 10);
    CHECK_OK(world, dt_scope_close(scope));
}

static void takes_options(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3);
    dt_add_options options = DT_ADD_OPTIONS_INIT;
    const dt_dtype wide = DT_F64;
    has(dt_add_with(x, x, &options), 4, 8);
    options.alpha = DT_NUMBER(-0.5);
    has(dt_add_with(x, x, &options), 4, 2);
    dt_sum_options sum = DT_SUM_OPTIONS_INIT;
    dt_tensor *same = dt_sum_with(x, DT_DIMS(), false, &sum);
    CHECK(same && dt_tensor_dtype(same) == DT_F32);
    sum.dtype = &wide;
    dt_tensor *cast = dt_sum_with(x, DT_DIMS(), false, &sum);
    CHECK(cast && dt_tensor_dtype(cast) == DT_F64);
    CHECK_OK(world, dt_scope_close(scope));
}

/* Fields that an older caller does not have are defaults; those that a newer
 * one does not use are zero. */
static void takes_options_of_another_size(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3);
    struct {
        dt_add_options known;
        void *later;
    } newer = {.known = DT_ADD_OPTIONS_INIT};
    dt_add_options older = DT_ADD_OPTIONS_INIT;
    newer.known.alpha = older.alpha = DT_NUMBER(2);
    older.size = offsetof(dt_add_options, alpha);
    has(dt_add_with(x, x, &older), 4, 8);
    has(dt_add_with(x, x, NULL), 4, 8);
    newer.known.size = sizeof newer;
    has(dt_add_with(x, x, &newer.known), 4, 12);
    newer.later = &older;
    CHECK(dt_add_with(x, x, &newer.known) == NULL);
    CHECK(strstr(dt_scope_error(scope)->message, "DT_ADD_OPTIONS_INIT"));
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID, NULL);
}

static void refuses_options_without_a_size(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3), *loss = x, *total = x;
    dt_add_options options = DT_ADD_OPTIONS_INIT;
    dt_nll_loss_options mean = DT_NLL_LOSS_OPTIONS_INIT;
    options.size = mean.size = 1;
    CHECK(dt_add_with(x, x, &options) == NULL);
    CHECK(strstr(dt_scope_error(scope)->message, "DT_ADD_OPTIONS_INIT"));
    CHECK(dt_add_with_(x, x, &options) == NULL);
    CHECK(dt_add_with(NULL, x, &options) == NULL);
    CHECK_INT(dt_nll_loss_with(x, x, NULL, &mean, &loss, &total),
              DT_ERR_INVALID);
    CHECK(loss == x && total == x);
    has(x, 5, 5);
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID, NULL);
}

static void takes_no_tensor(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3), *values = x;
    CHECK(dt_relu(dt_add(NULL, NULL)) == NULL);
    CHECK(strstr(dt_scope_error(scope)->message, "add: self is NULL"));
    CHECK(dt_max_dim(NULL, 0, false, &values, NULL) == DT_ERR_INVALID);
    CHECK(values == x); /* outputs are written after success alone */
    CHECK(dt_relu(dt_add(x, NULL)) == NULL);
    CHECK(strstr(dt_scope_error(scope)->message, "add: self is NULL"));
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID, NULL);
}

static void leaves_optional_tensors_out(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3), *w = count_up(world, 1, 3);
    has(dt_linear(x, w, NULL), 1, 14); /* (3, 4, 5) (0, 1, 2) */
    has(dt_linear(x, w, dt_reshape(count_up(world, 1, 1), DT_SHAPE(1))), 1, 14);
    CHECK_OK(world, dt_scope_close(scope));
}

static void puts_results_out(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3), *values = NULL, *indices = NULL;
    CHECK_OK(world, dt_max_dim(x, 1, false, &values, &indices));
    has(values, 1, 5);
    CHECK(indices && dt_tensor_dtype(indices) == DT_I64);
    indices = NULL;
    CHECK_OK(world, dt_max_dim(x, 1, false, NULL, &indices));
    CHECK(indices != NULL);
    CHECK_OK(world, dt_max_dim(x, 1, false, NULL, NULL));
    CHECK_OK(world, dt_scope_close(scope));
}

static void lists_results(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 5), *parts[4] = {NULL};
    int count = 0;
    CHECK_OK(world, dt_split(x, 2, 1, parts, 4, &count));
    CHECK_INT(count, 3);
    CHECK(parts[2] && dt_tensor_shape(parts[2]).dims[1] == 1);
    CHECK(parts[3] == NULL);
    has(dt_cat(parts, count, 1), 9, 9);
    CHECK_OK(world, dt_scope_close(scope));
}

/* A shape that was built with too many extents has room for eight alone. */
static void refuses_shapes_that_are_too_long(dt_world *world)
{
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *x = count_up(world, 2, 3);
    dt_shape shape = DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 2, 3);
    shape.ndim = 1 << 20;
    CHECK(dt_reshape(x, shape) == NULL);
    CHECK(dt_sum(x, shape, false) == NULL);
    CHECK_FAILS(world, dt_scope_close(scope), DT_ERR_INVALID,
                "reshape: a shape of 9 dimensions");
}

const dt_test dt_tests[] = {
    {"writes where it is told", writes_where_it_is_told},
    {"takes options", takes_options},
    {"takes options of another size", takes_options_of_another_size},
    {"refuses options without a size", refuses_options_without_a_size},
    {"takes no tensor", takes_no_tensor},
    {"leaves optional tensors out", leaves_optional_tensors_out},
    {"puts results out", puts_results_out},
    {"lists results", lists_results},
    {"refuses shapes that are too long", refuses_shapes_that_are_too_long},
    {NULL, NULL},
};
