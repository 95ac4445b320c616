/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/index/masks.c - masks in place of indexes. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: index */
#include "support/tensors.h"

enum { ROWS = 7, COLUMNS = 5, ALL = ROWS * COLUMNS };

static bool keeps(int64_t i)
{
    return (i * 13 + 5) % 7 < 3;
}

static dt_tensor *make_mask(fixture *f, const char *layout, dt_shape shape)
{
    double values[ALL];
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        values[i] = keeps(i);
    return tensor_of(f->mesh, layout, DT_BOOL, shape, values);
}

static dt_tensor *make_self(fixture *f, const char *layout)
{
    return layout[0] == 'P'
               ? dt_redistribute(
                     make_tensor(f, "R", DT_F64, DT_SHAPE(ROWS, COLUMNS)),
                     layout)
               : make_tensor(f, layout, DT_F64, DT_SHAPE(ROWS, COLUMNS));
}

/* The elements of which row and column are kept by a mask of either, or of
 * both. */
static int64_t expect(bool by_row, bool by_column, double *out)
{
    int64_t count = 0;
    for (int64_t r = 0; r < ROWS; r++)
        for (int64_t c = 0; c < COLUMNS; c++) {
            const bool kept = by_row && by_column ? keeps(r * COLUMNS + c)
                              : by_row            ? keeps(r)
                                                  : keeps(c);
            if (kept)
                out[count++] = value_at(r * COLUMNS + c);
        }
    return count;
}

static void check_picks(dt_world *world, const char *layout, const char *mask)
{
    fixture f = open_fixture(world);
    double wanted[ALL];
    dt_tensor *x = make_self(&f, layout);
    dt_tensor *all = make_mask(&f, mask, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *rows = make_mask(&f, mask, DT_SHAPE(ROWS));
    dt_tensor *columns[] = {NULL, make_mask(&f, mask, DT_SHAPE(COLUMNS))};
    int64_t count = expect(true, true, wanted);
    check_values(dt_index(x, &all, 1), wanted, count);
    count = expect(true, false, wanted);
    dt_tensor *kept = dt_index(x, &rows, 1);
    check_values(kept, wanted, count);
    CHECK(kept && dt_shape_equal(dt_tensor_shape(kept),
                                 DT_SHAPE(count / COLUMNS, COLUMNS)));
    count = expect(false, true, wanted);
    check_values(dt_index(x, columns, 2), wanted, count);
    close_fixture(&f);
}

static const char *const layouts[] = {"R", "S(0)", "S(1)", "P(sum)"};
static const char *const mask_layouts[] = {"R", "S(0)"};

static void picks_by_masks(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < COUNT_OF(mask_layouts); k++)
            check_picks(world, layouts[i], mask_layouts[k]);
}

/* A mask and an index: as many of each. */
static void masks_beside_indexes(dt_world *world)
{
    fixture f = open_fixture(world);
    double columns[ROWS], wanted[ROWS];
    int64_t count = 0;
    for (int64_t r = 0; r < ROWS; r++)
        if (keeps(r)) {
            columns[count] = (double)(count % COLUMNS);
            wanted[count] = value_at(r * COLUMNS + count % COLUMNS);
            count++;
        }
    dt_tensor *x = make_self(&f, "S(0)");
    dt_tensor *by[] = {
        make_mask(&f, "S(0)", DT_SHAPE(ROWS)),
        tensor_of(f.mesh, "R", DT_I64, DT_SHAPE(count), columns)};
    check_values(dt_index(x, by, 2), wanted, count);
    close_fixture(&f);
}

/* Rows that a mask of rows keeps: counts are gathered, and rows are moved to
 * where an even cut has them. */
static void rows_go_in_few_calls(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_self(&f, "S(0)");
    dt_tensor *rows = make_mask(&f, "S(0)", DT_SHAPE(ROWS));
    start_counting(&f);
    dt_tensor *kept = dt_index(x, &rows, 1);
    CHECK(calls_counted(&f) <= 3);
    check_layout(kept, "S(0)");
    x = make_self(&f, "R");
    rows = make_mask(&f, "R", DT_SHAPE(ROWS));
    start_counting(&f);
    kept = dt_index(x, &rows, 1);
    check_silent(&f);
    check_layout(kept, "R");
    close_fixture(&f);
}

static void check_puts(dt_world *world, const char *layout, const char *mask,
                       bool adds)
{
    fixture f = open_fixture(world);
    double values[ALL], wanted[ALL];
    int64_t count = 0;
    for (int64_t i = 0; i < ALL; i++) {
        wanted[i] = value_at(i);
        if (!keeps(i))
            continue;
        values[count] = (double)(100 + count);
        wanted[i] = values[count] + (adds ? wanted[i] : 0);
        count++;
    }
    dt_tensor *x = make_self(&f, layout);
    dt_tensor *by = make_mask(&f, mask, DT_SHAPE(ROWS, COLUMNS));
    dt_tensor *from = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(count), values);
    check_values(dt_index_put(x, from, &by, 1, adds), wanted, ALL);
    if (layout[0] != 'P') {
        CHECK(dt_index_put_(x, from, &by, 1, adds) == x);
        check_values(x, wanted, ALL);
    }
    close_fixture(&f);
}

static void puts_by_masks(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++)
        for (size_t k = 0; k < COUNT_OF(mask_layouts); k++)
            for (int adds = 0; adds < 2; adds++)
                check_puts(world, layouts[i], mask_layouts[k], adds);
}

/* Nobody asks how many there are if all become one number. */
static void fills_are_silent(dt_world *world)
{
    fixture f = open_fixture(world);
    const double nine = 9;
    double wanted[ALL];
    for (int64_t i = 0; i < ALL; i++)
        wanted[i] = keeps(i / COLUMNS) ? nine : value_at(i);
    dt_tensor *x = make_self(&f, "S(0)");
    dt_tensor *by = make_mask(&f, "S(0)", DT_SHAPE(ROWS));
    dt_tensor *value = tensor_of(f.mesh, "R", DT_F64, DT_SHAPE(), &nine);
    start_counting(&f);
    CHECK(dt_index_put_(x, value, &by, 1, false) == x);
    check_silent(&f);
    check_values(x, wanted, ALL);
    close_fixture(&f);
}

static void none_and_refused(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *x = make_self(&f, "S(0)");
    dt_tensor *none = dt_zeros(f.mesh, "S(0)", DT_BOOL, DT_SHAPE(ROWS));
    dt_tensor *wrong = make_mask(&f, "R", DT_SHAPE(COLUMNS));
    dt_tensor *point = make_mask(&f, "R", DT_SHAPE());
    dt_tensor *kept = dt_index(x, &none, 1);
    CHECK(kept && dt_shape_equal(dt_tensor_shape(kept), DT_SHAPE(0, COLUMNS)));
    CHECK_FAILS(world, status_of(world, dt_index(x, &wrong, 1)), DT_ERR_INVALID,
                "index: the mask indices[0], of shape (5,), does not match "
                "self from dimension 0 on, of shape (7, 5)");
    CHECK_FAILS(
        world, status_of(world, dt_index(x, &point, 1)), DT_ERR_INVALID,
        "indices[0], of shape (), does not match self from dimension 0");
    CHECK_FAILS(world, status_of(world, dt_index_out(x, &none, 1, x)),
                DT_ERR_UNSUPPORTED, "has no out variant");
    CHECK_FAILS(world, status_of(world, dt_index_put_(x, point, &none, 1, 0)),
                DT_ERR_INVALID, "self is f64 but values is bool");
    close_fixture(&f);
}

/* Classes are counted on all ranks: one small call where indexes are cut. */
static void counts_classes(dt_world *world)
{
    fixture f = open_fixture(world);
    double values[ROWS], wanted[ROWS * 8] = {0};
    for (int i = 0; i < ROWS; i++) {
        values[i] = i == ROWS - 1 ? 7 : i % 3;
        wanted[i * 8 + (int)values[i]] = 1;
    }
    for (int cut = 0; cut < 2; cut++) {
        dt_tensor *by = tensor_of(f.mesh, cut ? "S(0)" : "R", DT_I64,
                                  DT_SHAPE(ROWS), values);
        start_counting(&f);
        dt_tensor *hot = dt_one_hot(by, -1);
        CHECK_INT(calls_counted(&f), cut && f.ranks > 1);
        check_layout(hot, cut ? "S(0)" : "R");
        check_values(hot, wanted, ROWS * 8);
    }
    close_fixture(&f);
}

/* How many there are is not known outside the mesh. */
static void others_have_no_classes(dt_world *world)
{
    dt_mesh *mesh = mesh_without_last(world);
    if (!mesh)
        return;
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *by = dt_arange_int(mesh, "S(0)", DT_I64, 0, 5, 1);
    dt_tensor *hot = dt_one_hot(by, -1);
    const int64_t classes = dt_mesh_is_member(mesh) ? 5 : 0;
    CHECK(hot && dt_shape_equal(dt_tensor_shape(hot), DT_SHAPE(5, classes)));
    check_dtype(hot, DT_I64);
    if (dt_mesh_size(mesh) > 1)
        check_layout(hot, "S(0)");
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void too_many_classes(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *by = dt_full_int(f.mesh, "S(0)", DT_I64, DT_SHAPE(3), INT64_MAX);
    CHECK_FAILS(world, status_of(world, dt_one_hot(by, -1)), DT_ERR_INVALID,
                "one_hot: self has the index 9223372036854775807");
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"picks by masks", picks_by_masks},
    {"masks beside indexes", masks_beside_indexes},
    {"rows go in few calls", rows_go_in_few_calls},
    {"puts by masks", puts_by_masks},
    {"fills are silent", fills_are_silent},
    {"none and refused", none_and_refused},
    {"counts classes", counts_classes},
    {"others have no classes", others_have_no_classes},
    {"too many classes", too_many_classes},
    {NULL, NULL},
};
