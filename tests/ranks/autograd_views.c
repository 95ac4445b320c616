/* ranks: 1 2 3 4 7 */
/* tests/ranks/autograd_views.c - gradients through views, and through writes to
 * them and to what they are views of. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/autograd.h>
#include <dtensor/redistribute.h>

#include "support/tensors.h"

/*
 * Each program computes a loss from the leaves x, of shape (7, 3), and w, whose
 * shape is (3); the loss is the sum of a result multiplied by c, whose elements
 * differ.  Wanted gradients are those that PyTorch gives.
 */
enum { ROWS = 7, COLUMNS = 3, COUNT = ROWS * COLUMNS };

typedef struct program {
    fixture f;
    dt_tensor *x, *w, *c;
} program;

static const char *const layouts[] = {"S(0)", "S(1)", "R", "P"};

static double c_at(int row, int column)
{
    return operand_at(2, row * COLUMNS + column);
}

static double x_at(int row, int column)
{
    return operand_at(0, row * COLUMNS + column);
}

static program begin(dt_world *world, const char *layout)
{
    const dt_shape shape = DT_SHAPE(ROWS, COLUMNS);
    program p = {.f = open_fixture(world)};
    p.x = dt_requires_grad(make_operand(&p.f, layout, DT_F32, shape, 0));
    p.w =
        dt_requires_grad(make_operand(&p.f, "R", DT_F32, DT_SHAPE(COLUMNS), 1));
    p.c = make_operand(&p.f, "R", DT_F32, shape, 2);
    return p;
}

static dt_tensor *loss_of(dt_tensor *result, dt_tensor *c)
{
    return dt_sum(dt_mul(result, c), DT_DIMS(), false);
}

/* Compute gradients of a result of the shape of x, and compare them. */
static void finish(program *p, dt_tensor *result, const double *x,
                   const double *w)
{
    CHECK_OK(p->f.world, dt_backward(loss_of(result, p->c)));
    if (x)
        check_values(dt_tensor_grad(p->x), x, COUNT);
    if (w)
        check_values(dt_tensor_grad(p->w), w, COLUMNS);
    close_without_errors(&p->f);
}

/* What x has if its gradient is c, but zero in some rows. */
static void c_without(int first, int last, double factor, double *out)
{
    for (int i = 0; i < COUNT; i++)
        out[i] = i / COLUMNS >= first && i / COLUMNS <= last
                     ? 0
                     : factor * c_at(i / COLUMNS, i % COLUMNS);
}

/* ---- Writes ------------------------------------------------------------- */

/* y = x * 2; y[1] = w */
static void a_row_is_replaced(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT], w[COLUMNS];
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
        CHECK(dt_copy_(dt_select(y, 0, 1), p.w) != NULL);
        c_without(1, 1, 2, x);
        for (int k = 0; k < COLUMNS; k++)
            w[k] = c_at(1, k);
        finish(&p, y, x, w);
    }
}

/* y has no gradient until w is added to a row. */
static void a_plain_tensor_comes_to_depend(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts) - 1; i++) {
        program p = begin(world, layouts[i]);
        double w[COLUMNS];
        dt_tensor *y =
            make_operand(&p.f, layouts[i], DT_F32, DT_SHAPE(ROWS, COLUMNS), 0);
        dt_tensor *row = dt_select(y, 0, 2), *other = dt_select(y, 0, 3);
        CHECK(!dt_tensor_requires_grad(y));
        CHECK(dt_add_(row, p.w) != NULL);
        CHECK(dt_tensor_requires_grad(y));
        CHECK(dt_tensor_requires_grad(other)); /* as in PyTorch */
        for (int k = 0; k < COLUMNS; k++)
            w[k] = c_at(2, k);
        finish(&p, y, NULL, w);
    }
}

/* A view of a view, in another order: y[2:6].t()[1] *= 5; ... += w[0] */
static void a_chain_of_views(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT], w[COLUMNS] = {0};
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
        dt_tensor *column = dt_select(dt_t(dt_slice(y, 0, 2, 6, 1)), 0, 1);
        CHECK(dt_mul_scalar_(column, dt_integer(5)) != NULL);
        CHECK(dt_add_(column, dt_select(p.w, 0, 0)) != NULL);
        for (int k = 0; k < COUNT; k++) {
            const int row = k / COLUMNS, at = k % COLUMNS;
            const bool written = row >= 2 && row < 6 && at == 1;
            x[k] = 2 * c_at(row, at) * (written ? 5 : 1);
            w[0] += written ? c_at(row, at) : 0;
        }
        finish(&p, y, x, w);
    }
}

/* A view that was taken before shows what its base has become. */
static void a_base_is_written(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT] = {0}, w[COLUMNS];
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
        dt_tensor *row = dt_select(y, 0, 4);
        CHECK(dt_add_(dt_mul_scalar_(y, dt_integer(3)), p.w) != NULL);
        dt_tensor *loss = loss_of(row, dt_select(p.c, 0, 4));
        for (int k = 0; k < COLUMNS; k++) {
            w[k] = c_at(4, k);
            x[4 * COLUMNS + k] = 6 * c_at(4, k);
        }
        CHECK_OK(world, dt_backward(loss));
        check_values(dt_tensor_grad(p.x), x, COUNT);
        check_values(dt_tensor_grad(p.w), w, COLUMNS);
        close_without_errors(&p.f);
    }
}

/* Every second write wins: y[1] = w, y = y * 3, y[1:3] = 0, y[2] = w */
static void writes_follow_each_other(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT], w[COLUMNS];
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(1));
        dt_tensor *first = dt_select(y, 0, 1), *second = dt_select(y, 0, 2);
        CHECK(dt_copy_(first, p.w) != NULL);
        CHECK(dt_mul_scalar_(y, dt_integer(3)) != NULL);
        CHECK(dt_zero_(dt_narrow(y, 0, 1, 2)) != NULL);
        CHECK(dt_copy_(second, p.w) != NULL);
        c_without(1, 2, 3, x);
        for (int k = 0; k < COLUMNS; k++)
            w[k] = c_at(2, k);
        finish(&p, y, x, w);
    }
}

/* The pieces of split and unbind, each of them written. */
static void pieces_are_written(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT], w[COLUMNS] = {0};
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
        dt_tensor *pieces[3] = {NULL}, *rows[ROWS] = {NULL};
        int count = 0;
        CHECK_OK(world, dt_split(y, 3, 0, pieces, 3, &count));
        CHECK_INT(count, 3);
        CHECK_OK(world, dt_unbind(y, 0, rows, ROWS, &count));
        CHECK(dt_add_(dt_mul_scalar_(pieces[1], dt_integer(3)), p.w) != NULL);
        CHECK(dt_copy_(rows[0], p.w) != NULL);
        for (int k = 0; k < COUNT; k++) {
            const int row = k / COLUMNS, at = k % COLUMNS;
            const bool written = row >= 3 && row < 6;
            x[k] = row == 0 ? 0 : 2 * c_at(row, at) * (written ? 3 : 1);
            w[at] += written || row == 0 ? c_at(row, at) : 0;
        }
        finish(&p, y, x, w);
    }
}

/* ---- Views in place ----------------------------------------------------- */

/* y.t_() and then y[0] = 0; views of y as it was stay what they are. */
static void a_tensor_is_turned(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        program p = begin(world, layouts[i]);
        double x[COUNT], w[COLUMNS];
        dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
        dt_tensor *row = dt_select(y, 0, 1);
        CHECK(dt_t_(y) == y);
        CHECK(dt_unsqueeze_(y, 0) == y);
        CHECK(dt_squeeze_(y, DT_DIMS(0)) == y);
        CHECK(dt_zero_(dt_select(y, 0, 0)) != NULL);
        CHECK(dt_add_(dt_mul_scalar_(row, dt_integer(5)), p.w) != NULL);
        for (int k = 0; k < COUNT; k++) {
            const int at = k % COLUMNS, line = k / COLUMNS;
            x[k] = at == 0 ? 0 : 2 * c_at(line, at) * (line == 1 ? 5 : 1);
        }
        for (int k = 0; k < COLUMNS; k++)
            w[k] = c_at(1, k);
        finish(&p, dt_t(y), x, w);
    }
}

/* ---- Tensors that are cut off ------------------------------------------- */

static void detached_tensors_go_their_own_way(dt_world *world)
{
    program p = begin(world, "S(0)");
    double x[COUNT];
    dt_tensor *y = dt_add(p.x, p.x), *cut = dt_detach(y);
    CHECK(!dt_tensor_requires_grad(cut));
    CHECK(dt_zero_(dt_select(cut, 0, 0)) != NULL);
    CHECK(dt_tensor_requires_grad(y));
    CHECK(dt_add_(cut, p.w) != NULL);
    CHECK(dt_tensor_requires_grad(cut));
    c_without(COUNT, COUNT, 2, x);
    CHECK_OK(world, dt_backward(loss_of(y, p.c)));
    check_values(dt_tensor_grad(p.x), x, COUNT);
    CHECK(dt_tensor_grad(p.w) == NULL);
    dt_tensor *z = dt_add(p.x, p.x);
    CHECK(dt_detach_(z) == z);
    CHECK(!dt_tensor_requires_grad(z));
    close_without_errors(&p.f);
}

/* ---- What cannot be written --------------------------------------------- */

static void views_of_leaves_are_not_written(dt_world *world)
{
    program p = begin(world, "S(0)");
    double x[COUNT];
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    CHECK_FAILS(world, status_of(world, dt_zero_(dt_select(p.x, 0, 1))),
                DT_ERR_INVALID, "a view of a leaf");
    dt_scope *off = dt_scope_open_with(world, &options);
    CHECK(dt_zero_(dt_select(p.x, 0, 1)) != NULL);
    CHECK_OK(world, dt_scope_close(off));
    CHECK(dt_tensor_is_leaf(p.x));
    CHECK_OK(world, dt_backward(loss_of(dt_mul(p.x, p.x), p.c)));
    c_without(1, 1, 2, x);
    for (int i = 0; i < COUNT; i++)
        x[i] *= x_at(i / COLUMNS, i % COLUMNS);
    check_values(dt_tensor_grad(p.x), x, COUNT);
    close_fixture(&p.f);
}

static void views_of_other_scopes_are_not_written(dt_world *world)
{
    program p = begin(world, "S(0)");
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.gradients = DT_TRISTATE_OFF;
    dt_tensor *y = dt_mul_scalar(p.x, dt_integer(2));
    dt_scope *off = dt_scope_open_with(world, &options);
    dt_tensor *row = dt_scope_keep(dt_select(y, 0, 1));
    CHECK(dt_zero_(row) != NULL);
    CHECK_OK(world, dt_scope_close(off));
    CHECK(!dt_tensor_requires_grad(row));
    CHECK_FAILS(world, status_of(world, dt_add_(row, p.w)), DT_ERR_INVALID,
                "a scope without gradients");
    CHECK_FAILS(world, status_of(world, dt_zero_(row)), DT_ERR_INVALID,
                "a scope without gradients");
    CHECK_FAILS(world, status_of(world, dt_detach_(dt_select(y, 0, 1))),
                DT_ERR_INVALID, "cannot be detached in place");
    close_fixture(&p.f);
}

/* Nobody knows how a view was made before the first leaf of a world. */
static void older_views_are_not_written(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *y = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(ROWS, COLUMNS), 0);
    dt_tensor *row = dt_select(y, 0, 1);
    dt_tensor *alone = dt_clone(y);
    dt_tensor_release_early(dt_select(alone, 0, 1));
    dt_tensor *w =
        dt_requires_grad(make_operand(&f, "R", DT_F32, DT_SHAPE(COLUMNS), 1));
    CHECK(dt_zero_(row) != NULL);
    CHECK_FAILS(world, status_of(world, dt_add_(row, w)), DT_ERR_INVALID,
                "before the first leaf");
    CHECK_FAILS(world, status_of(world, dt_add_(y, w)), DT_ERR_INVALID,
                "before the first leaf");
    CHECK(dt_add_(alone, w) != NULL);
    CHECK(dt_tensor_requires_grad(alone));
    close_fixture(&f);
}

/* A redistribution that has nothing to do makes a view: of a tensor that
 * depends on a leaf, and of one that does not yet. */
static void check_alias(dt_world *world, const char *layout, bool depends,
                        bool writes_alias)
{
    program p = begin(world, layout);
    double wanted[COLUMNS] = {0};
    dt_tensor *y = depends ? dt_mul(dt_detach(p.x), p.w) : dt_detach(p.x);
    y = depends ? y : dt_clone(y);
    const char *same = dt_layout_text(world, dt_tensor_layout(y));
    dt_tensor *alias = dt_redistribute(y, same);
    check_shares_memory(alias, y);
    CHECK(dt_mul_(writes_alias ? alias : y, p.w) != NULL);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++)
            wanted[k] +=
                c_at(i, k) * x_at(i, k) * (depends ? 2 * operand_at(1, k) : 1);
    finish(&p, writes_alias ? y : alias, NULL, wanted);
}

static void aliases_are_views(dt_world *world)
{
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            check_alias(world, layouts[i], k & 1, k & 2);
}

/* A view of a tensor without gradients is a leaf as any other. */
static void views_become_leaves(dt_world *world)
{
    for (size_t i = 0; i < 3; i++) {
        fixture f = open_fixture(world);
        double wanted[ROWS * COLUMNS];
        dt_tensor *base =
            make_operand(&f, layouts[i], DT_F64, DT_SHAPE(ROWS, COLUMNS), 1);
        dt_requires_grad(base); /* from here on views are recorded */
        dt_tensor *plain = dt_detach(base);
        dt_tensor *views[] = {dt_redistribute(plain, layouts[i]), dt_t(plain)};
        for (int k = 0; k < 2; k++) {
            CHECK(dt_requires_grad(views[k]) == views[k]);
            CHECK(dt_tensor_is_leaf(views[k]));
            CHECK(!dt_tensor_requires_grad(plain));
            CHECK_OK(world, dt_backward(
                                dt_sum(dt_square(views[k]), DT_DIMS(), false)));
            read_tensor(views[k], wanted);
            for (int j = 0; j < ROWS * COLUMNS; j++)
                wanted[j] *= 2;
            check_values(dt_tensor_grad(views[k]), wanted, ROWS * COLUMNS);
        }
        close_without_errors(&f);
    }
}

const dt_test dt_tests[] = {
    /* First: ranks that are processes have one world for all tests. */
    {"older views are not written", older_views_are_not_written},
    {"aliases are views", aliases_are_views},
    {"views become leaves", views_become_leaves},
    {"a row is replaced", a_row_is_replaced},
    {"a plain tensor comes to depend", a_plain_tensor_comes_to_depend},
    {"a chain of views", a_chain_of_views},
    {"a base is written", a_base_is_written},
    {"writes follow each other", writes_follow_each_other},
    {"pieces are written", pieces_are_written},
    {"a tensor is turned", a_tensor_is_turned},
    {"detached tensors go their own way", detached_tensors_go_their_own_way},
    {"views of leaves are not written", views_of_leaves_are_not_written},
    {"views of other scopes are not written",
     views_of_other_scopes_are_not_written},
    {NULL, NULL},
};
