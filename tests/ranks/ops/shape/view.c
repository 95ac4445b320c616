/* ranks: 1 2 3 4 6 7 */
/* tests/ranks/ops/shape/view.c - tensors seen with other dimensions. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <dtensor/sys/op.h>

#include "support/tensors.h"

static void check_strides(const dt_tensor *tensor, dt_shape strides)
{
    if (!CHECK(tensor != NULL) ||
        !CHECK(dt_tensor_ndim(tensor) == strides.ndim))
        return;
    for (int i = 0; i < strides.ndim; i++)
        CHECK_INT(dt_tensor_stride(tensor, i), strides.dims[i]);
}

/* ---- Shapes ------------------------------------------------------------- */

/* A view, where it is cut and how, and what becomes of that. */
typedef struct view_case {
    dt_shape from, to;
    const char *layout;
    const char *gives; /* NULL: it cannot be seen so */
} view_case;

static void check_view(dt_world *world, const view_case *of)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, of->layout, of->from);
    dt_tensor *seen = dt_view(made.tensor, of->to);
    if (of->gives || f.ranks == 1) {
        check_silent(&f);
        check_shares_memory(seen, made.tensor);
        if (of->gives)
            check_layout(seen, of->gives);
        check_equals(seen, reshaped(world, made.global, of->to));
    } else {
        CHECK_FAILS(world, status_of(world, dt_view(made.tensor, of->to)),
                    DT_ERR_INVALID, "must have layout");
        CHECK(seen == NULL);
        check_silent(&f);
    }
    /* reshape can do it all. */
    check_equals(dt_reshape(made.tensor, of->to),
                 reshaped(world, made.global, of->to));
    if (!of->gives)
        check_sent(&f);
    dt_array_release(made.global);
    close_fixture(&f);
}

static void check_views(dt_world *world, const view_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_view(world, &cases[i]);
}

static void keeps_dimensions_that_stay(dt_world *world)
{
    int64_t n = dt_world_size(world);
    const view_case cases[] = {
        {DT_SHAPE(2 * n + 1, 6), DT_SHAPE(2 * n + 1, 2, 3), "S(0)", "S(0)"},
        {DT_SHAPE(6, 2 * n + 1), DT_SHAPE(2, 3, 2 * n + 1), "S(1)", "S(2)"},
        {DT_SHAPE(2, 3, n + 1), DT_SHAPE(6, n + 1), "S(2)", "S(1)"},
        {DT_SHAPE(5, 7), DT_SHAPE(5, 7), "S(1)", "S(1)"},
        {DT_SHAPE(1, 7), DT_SHAPE(1, 7), "S(0)", "S(0)"},
        {DT_SHAPE(4, 1, 7), DT_SHAPE(2, 2, 1, 7), "S(1)", "S(2)"},
        {DT_SHAPE(3, 0, n), DT_SHAPE(3, 5, 0, n), "S(2)", "S(3)"},
        {DT_SHAPE(n + 1, 0), DT_SHAPE(n + 1, 0, 4), "S(0)", "S(0)"},
    };
    check_views(world, cases, COUNT_OF(cases));
}

static void flattens(dt_world *world)
{
    int64_t n = dt_world_size(world);
    const view_case cases[] = {
        {DT_SHAPE(2 * n, 3), DT_SHAPE(6 * n), "S(0)", "S(0)"},
        {DT_SHAPE(3, 2 * n), DT_SHAPE(6 * n), "S(1)", "_S(0,3)"},
        {DT_SHAPE(2, 3, 2 * n), DT_SHAPE(12 * n), "S(2)", "_S(0,6)"},
        {DT_SHAPE(2, 2 * n, 3), DT_SHAPE(12 * n), "S(1)", "_S(0,2)"},
        {DT_SHAPE(5, 2, n, 3), DT_SHAPE(5, 2 * n, 3), "S(2)", "_S(1,2)"},
        /* The last of them may be uneven. */
        {DT_SHAPE(3, 2 * n + 1), DT_SHAPE(6 * n + 3), "S(1)", "_S(0,3)"},
        {DT_SHAPE(2 * n + 1, 1), DT_SHAPE(2 * n + 1), "S(0)", "S(0)"},
        /* Others may not. */
        {DT_SHAPE(n + 1, 3), DT_SHAPE(3 * n + 3), "S(0)", NULL},
        {DT_SHAPE(2, n + 1, 3), DT_SHAPE(6 * n + 6), "S(1)", NULL},
    };
    check_views(world, cases, COUNT_OF(cases));
}

static void splits(dt_world *world)
{
    int64_t n = dt_world_size(world);
    const view_case cases[] = {
        {DT_SHAPE(6 * n), DT_SHAPE(2 * n, 3), "S(0)", "S(0)"},
        {DT_SHAPE(5, 6 * n), DT_SHAPE(5, n, 2, 3), "S(1)", "S(1)"},
        {DT_SHAPE(5, 6 * n), DT_SHAPE(5, 2, 3 * n), "_S(1,2)", "S(2)"},
        {DT_SHAPE(n + 1, 6), DT_SHAPE(n + 1, 3, 2), "S(0)", "S(0)"},
        {DT_SHAPE(3 * (n + 1)), DT_SHAPE(n + 1, 3), "S(0)", NULL},
    };
    check_views(world, cases, COUNT_OF(cases));
}

static void crosses(dt_world *world)
{
    int64_t n = dt_world_size(world);
    const view_case cases[] = {
        {DT_SHAPE(8 * n, n), DT_SHAPE(n, 8 * n), "S(0)", "S(0)"},
        {DT_SHAPE(8 * n, n), DT_SHAPE(n, 8 * n), "S(1)", "_S(1,8)"},
        {DT_SHAPE(12 * n, 8), DT_SHAPE(16 * n, 6), "S(0)", "S(0)"},
        {DT_SHAPE(12, 8 * n), DT_SHAPE(16, 6 * n), "S(1)", NULL},
        {DT_SHAPE(3, 4 * n), DT_SHAPE(2, 6 * n), "S(1)", NULL},
    };
    check_views(world, cases, COUNT_OF(cases));
}

static void returns(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "S(2)", "R", "P"};
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        sample made = make_f32(&f, layouts[i], DT_SHAPE(2 * n, n, 3 * n));
        dt_tensor *flat = dt_flatten(made.tensor, 0, -1);
        dt_tensor *back = dt_unflatten(flat, 0, DT_SHAPE(2 * n, -1, 3 * n));
        check_silent(&f);
        if (f.ranks > 1)
            CHECK(back && dt_tensor_spec(back) == dt_tensor_spec(made.tensor));
        check_shares_memory(back, made.tensor);
        dt_array_release(made.global);
    }
    close_fixture(&f);
}

/* ---- Strided shards ----------------------------------------------------- */

/* A layout, and the layouts of views of it, one after another. */
typedef struct view_chain {
    dt_shape from;
    const char *layout;
    struct {
        dt_shape to;
        const char *gives;
    } steps[3];
} view_chain;

static void check_chain(dt_mesh *mesh, const view_chain *of)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_scope *scope = dt_scope_open(world);
    sample made = make_sample(mesh, of->layout, DT_F32, of->from);
    dt_tensor *seen = made.tensor;
    for (size_t i = 0; i < COUNT_OF(of->steps); i++) {
        const dt_shape to = of->steps[i].to;
        const uint64_t calls = calls_so_far(world);
        seen = dt_view(seen, to);
        CHECK_INT((long long)(calls_so_far(world) - calls), 0);
        check_layout(seen, of->steps[i].gives);
        check_shares_memory(seen, made.tensor);
        check_equals(seen, reshaped(world, made.global, to));
    }
    CHECK(dt_neg_(seen) && dt_neg_(made.tensor));
    check_equals(seen, reshaped(world, made.global, dt_tensor_shape(seen)));
    dt_array_release(made.global);
    CHECK_OK(world, dt_scope_close(scope));
}

static void splits_and_merges_strided_shards(dt_world *world)
{
    const int64_t n = dt_world_size(world) / 2;
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) % 2 != 0 || n < 2)
        return;
    const view_chain cases[] = {
        {DT_SHAPE(4, 2 * n, 3),
         "S(1)S(0)",
         {{DT_SHAPE(8 * n, 3), "_S(0,4)S(0)"},
          {DT_SHAPE(4 * n, 2, 3), "_S(0,4)S(0)"},
          {DT_SHAPE(2, 2, n, 6), "S(2)S(0)"}}},
        {DT_SHAPE(2, 12 * n),
         "_S(1,4)R",
         {{DT_SHAPE(24 * n), "_S(0,8)R"},
          {DT_SHAPE(8, 3 * n), "S(1)R"},
          {DT_SHAPE(4, 2 * n, 3), "_S(1,2)R"}}},
        /* Uneven: the last factor. */
        {DT_SHAPE(4, n + 1),
         "S(1)S(0)",
         {{DT_SHAPE(4 * n + 4), "_S(0,4)S(0)"},
          {DT_SHAPE(2, 2 * n + 2), "_S(1,2)S(0)"},
          {DT_SHAPE(2, 2, n + 1), "S(2)S(0)"}}},
        /* What both ends of a crossing view share. */
        {DT_SHAPE(3, 4 * n),
         "_S(1,4)R",
         {{DT_SHAPE(2, 6 * n), "_S(1,6)R"},
          {DT_SHAPE(12 * n), "_S(0,12)R"},
          {DT_SHAPE(12, n), "S(1)R"}}},
    };
    CHECK_OK(world, dt_mesh_create(world, "a,b=2", &mesh));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_chain(mesh, &cases[i]);
    dt_mesh_release(mesh);
}

/* ---- Local arrays of a program ------------------------------------------ */

/* View a tensor whose local arrays are strided: global strides decide, on all
 * ranks alike, and nothing is sent that dense arrays would not send. */
static void check_loose_view(dt_world *world, const view_case *of)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, of->layout, of->from);
    dt_tensor *loose = loosened(made.tensor);
    start_counting(&f);
    dt_tensor *seen = dt_view(loose, of->to);
    dt_tensor *same = dt_reshape(loose, of->to);
    check_silent(&f);
    check_layout(seen, of->gives);
    check_equals(seen, reshaped(world, made.global, of->to));
    check_equals(same, reshaped(world, made.global, of->to));
    /* Writes to either are seen by the other and by their base. */
    start_counting(&f);
    CHECK(dt_neg_(seen) && dt_neg_(loose));
    check_silent(&f);
    CHECK(dt_neg_(dt_select(same, 0, 0)) && dt_neg_(dt_select(seen, 0, 0)));
    check_equals(same, reshaped(world, made.global, of->to));
    check_equals(loose, dt_array_retain(made.global));
    dt_array_release(made.global);
    close_fixture(&f);
}

static void views_strided_shards(dt_world *world)
{
    int64_t n = dt_world_size(world);
    const view_case cases[] = {
        {DT_SHAPE(8, 2 * n, 6), DT_SHAPE(16 * n, 6), "S(1)", "_S(0,8)"},
        {DT_SHAPE(8, 2 * n + 1, 6), DT_SHAPE(16 * n + 8, 6), "S(1)", "_S(0,8)"},
        {DT_SHAPE(4, 2 * n, 6), DT_SHAPE(4, 12 * n), "S(1)", "S(1)"},
        {DT_SHAPE(4, 6), DT_SHAPE(24), "R", "R"},
        {DT_SHAPE(4, 6), DT_SHAPE(2, 12), "P", "P(sum)"},
        {DT_SHAPE(3, 4, n + 1), DT_SHAPE(12, n + 1), "S(2)", "S(1)"},
        {DT_SHAPE(4, 1, n + 1), DT_SHAPE(4, n + 1, 1), "S(2)", "S(1)"},
        {DT_SHAPE(3, 4, 1), DT_SHAPE(3, 2, 2, 1), "S(2)", "S(3)"},
        {DT_SHAPE(4, 3 * n), DT_SHAPE(2, 2, n, 3), "S(1)", "S(2)"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_loose_view(world, &cases[i]);
}

/* ---- Extents of 1 ------------------------------------------------------- */

static void squeezes_by_global_extents(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(1)", DT_SHAPE(1, n, 1, 3));
    dt_tensor *thin = dt_squeeze(made.tensor, DT_DIMS());
    check_layout(thin, "S(0)");
    check_shares_memory(thin, made.tensor);
    check_equals(thin, reshaped(world, made.global,
                                n == 1 ? DT_SHAPE(3) : DT_SHAPE(n, 3)));
    made.tensor = dt_squeeze(made.tensor, DT_DIMS(-2, 3));
    check_layout(made.tensor, "S(1)");
    check_equals(made.tensor, reshaped(world, made.global, DT_SHAPE(1, n, 3)));
    dt_array_release(made.global);
    close_fixture(&f);
}

static void squeezes_what_is_cut(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "S(0)", DT_SHAPE(1, 5));
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    check_equals(dt_squeeze(made.tensor, DT_DIMS(0)),
                 reshaped(world, made.global, DT_SHAPE(5)));
    check_sent(&f);
    start_counting(&f);
    check_shares_memory(dt_squeeze(made.tensor, DT_DIMS(1)), made.tensor);
    check_layout(dt_squeeze(made.tensor, DT_DIMS(1)), "S(0)");
    check_silent(&f);
    options.mode = DT_SCOPE_STRICT;
    dt_scope *strict = dt_scope_open_with(world, &options);
    if (f.ranks > 1)
        CHECK_FAILS(world,
                    status_of(world, dt_squeeze(made.tensor, DT_DIMS(0))),
                    DT_ERR_INVALID, "dt_redistribute(self");
    DT_IGNORE(dt_scope_close(strict));
    check_silent(&f);
    dt_array_release(made.global);
    close_fixture(&f);
}

static void changes_the_same_tensor(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(1)", DT_SHAPE(1, 2 * n, 3));
    dt_tensor *x = made.tensor;
    const void *data = dt_array_const_data(dt_tensor_local(x));
    CHECK(dt_squeeze_(x, DT_DIMS(0)) == x);
    check_layout(x, "S(0)");
    check_strides(x, DT_SHAPE(3, 1));
    check_equals(x, reshaped(world, made.global, DT_SHAPE(2 * n, 3)));
    start_counting(&f);
    CHECK(dt_t_(x) == x);
    check_layout(x, "S(1)");
    check_strides(x, DT_SHAPE(1, 3));
    CHECK(dt_transpose_(x, 0, -1) == x);
    check_layout(x, "S(0)");
    CHECK(dt_unsqueeze_(x, 1) == x);
    check_layout(x, "S(0)");
    check_strides(x, DT_SHAPE(3, 3, 1));
    check_silent(&f);
    check_equals(x, reshaped(world, made.global, DT_SHAPE(2 * n, 1, 3)));
    CHECK(dt_array_const_data(dt_tensor_local(x)) == data);
    dt_array_release(made.global);
    close_fixture(&f);
}

static void unsqueezes(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "S(1)", DT_SHAPE(3, 5));
    static const char *const layouts[] = {"S(2)", "S(2)", "S(1)"};
    const dt_shape shapes[] = {DT_SHAPE(1, 3, 5), DT_SHAPE(3, 1, 5),
                               DT_SHAPE(3, 5, 1)};
    const dt_shape strides[] = {DT_SHAPE(15, 5, 1), DT_SHAPE(5, 5, 1),
                                DT_SHAPE(5, 1, 1)};
    for (int dim = 0; dim < 3; dim++) {
        for (int sign = 0; sign < 2; sign++) {
            start_counting(&f);
            dt_tensor *out = dt_unsqueeze(made.tensor, sign ? dim - 3 : dim);
            check_silent(&f);
            check_layout(out, layouts[dim]);
            check_strides(out, strides[dim]);
            check_shares_memory(out, made.tensor);
            check_equals(out, reshaped(world, made.global, shapes[dim]));
        }
    }
    dt_array_release(made.global);
    close_fixture(&f);
}

/* ---- Other orders ------------------------------------------------------- */

static void permutes(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    const int order[] = {2, 0, 1}, swapped[] = {2, 1, 0};
    sample made = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 3, 2));
    dt_tensor *out = dt_permute(made.tensor, DT_DIMS(-1, 0, 1));
    check_silent(&f);
    check_layout(out, "S(1)");
    check_strides(out, DT_SHAPE(1, 6, 2));
    check_shares_memory(out, made.tensor);
    check_equals(out, permuted(world, made.global, order));
    out = dt_transpose(made.tensor, -1, 0);
    check_layout(out, "S(2)");
    check_equals(out, permuted(world, made.global, swapped));
    dt_tensor *flat = dt_flatten(out, 1, 2);
    check_strides(flat, DT_SHAPE(3 * n + 3, 1));
    dt_array *view = permuted(world, made.global, swapped);
    check_equals(flat, reshaped(world, view, DT_SHAPE(2, 3 * n + 3)));
    dt_array_release(view);
    CHECK_FAILS(world, status_of(world, dt_view(out, DT_SHAPE(2, -1))),
                DT_ERR_UNSUPPORTED, "strides");
    dt_array_release(made.global);
    close_fixture(&f);
}

/* The operator that stands for a name of ATen; NULL if none does. */
static const char *find_aten(dt_world *world, const char *name, char *out)
{
    const dt_op *op;
    size_t length = strlen(name);
    for (int i = 0; (op = dt_op_at(world, i)); i++)
        for (const char *at = op->aten; at && (at = strstr(at, name)); at++)
            if ((at == op->aten || at[-1] == ' ') &&
                (at[length] == ' ' || !at[length])) {
                snprintf(out, 32, "%.*s", (int)strcspn(op->schema, "("),
                         op->schema);
                return out;
            }
    return NULL;
}

/* Call the operator that stands for view_copy. */
static dt_status view_copy(dt_world *world, dt_tensor *self, dt_shape shape,
                           dt_tensor **out)
{
    char name[32];
    if (!CHECK(find_aten(world, "view_copy", name) != NULL))
        return DT_ERR_NOT_FOUND;
    const dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = self},
        {.kind = DT_ARG_INTEGERS,
         .count = shape.ndim,
         .as.integers = shape.dims},
    };
    return dt_op_call(world, name, DT_VARIANT_NEW, arguments, 2, out, 1, NULL);
}

static void view_copy_is_as_strict_as_view(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    char view[DT_ERROR_SIZE];
    dt_tensor *out = NULL;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 6));
    const dt_shape whole = DT_SHAPE(6 * (n + 1));
    /* Strides that do not allow it, then a shape that does not. */
    dt_tensor *turned = dt_t(made.tensor);
    CHECK_FAILS(world, status_of(world, dt_view(turned, whole)),
                DT_ERR_UNSUPPORTED, "strides");
    snprintf(view, sizeof view, "%s", dt_world_error(world)->message);
    CHECK_FAILS(world, view_copy(world, turned, whole, &out),
                DT_ERR_UNSUPPORTED, view);
    CHECK_FAILS(world, status_of(world, dt_view(made.tensor, DT_SHAPE(7))),
                DT_ERR_INVALID, "");
    snprintf(view, sizeof view, "%s", dt_world_error(world)->message);
    CHECK_FAILS(world, view_copy(world, made.tensor, DT_SHAPE(7), &out),
                DT_ERR_INVALID, view);
    CHECK_OK(world, view_copy(world, made.tensor, DT_SHAPE(n + 1, 2, 3), &out));
    check_layout(out, "S(0)");
    dt_array_release(made.global);
    close_fixture(&f);
}

static void transposes_few_dimensions(dt_world *world)
{
    fixture f = open_fixture(world);
    sample two = make_f32(&f, "S(1)", DT_SHAPE(3, 5));
    sample one = make_f32(&f, "S(0)", DT_SHAPE(5));
    sample none = make_f32(&f, "R", DT_SHAPE());
    const int order[] = {1, 0};
    dt_tensor *out = dt_t(two.tensor);
    check_layout(out, "S(0)");
    check_equals(out, permuted(world, two.global, order));
    check_layout(dt_t(one.tensor), "S(0)");
    check_equals(dt_t(one.tensor), dt_array_retain(one.global));
    check_equals(dt_transpose(none.tensor, 0, -1),
                 dt_array_retain(none.global));
    check_equals(dt_flatten(none.tensor, 0, -1),
                 reshaped(world, none.global, DT_SHAPE(1)));
    check_equals(dt_squeeze(none.tensor, DT_DIMS(0)),
                 dt_array_retain(none.global));
    dt_array_release(two.global);
    dt_array_release(one.global);
    dt_array_release(none.global);
    close_fixture(&f);
}

/* ---- Repeated elements -------------------------------------------------- */

static void expands(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(n + 1, 1));
    dt_array *view = NULL;
    dt_tensor *out = dt_expand(made.tensor, DT_SHAPE(2, -1, 4));
    check_silent(&f);
    check_layout(out, "S(1)");
    check_strides(out, DT_SHAPE(0, 1, 0));
    check_shares_memory(out, made.tensor);
    CHECK_OK(world,
             dt_array_expand(world, made.global, DT_SHAPE(2, -1, 4), &view));
    check_equals(out, view);
    /* A copy of what repeats. */
    dt_tensor *flat = dt_reshape(out, DT_SHAPE(2, 4 * n + 4));
    view = NULL;
    CHECK_OK(world,
             dt_array_expand(world, made.global, DT_SHAPE(2, -1, 4), &view));
    check_equals(flat, reshaped(world, view, DT_SHAPE(2, 4 * n + 4)));
    dt_array_release(view);
    dt_array_release(made.global);
    /* A dimension of extent 1 that is cut, and repeated. */
    made = make_f32(&f, "S(1)", DT_SHAPE(3, 1));
    view = NULL;
    CHECK_OK(world, dt_array_expand(world, made.global, DT_SHAPE(3, 4), &view));
    check_equals(dt_expand(made.tensor, DT_SHAPE(3, 4)), view);
    check_sent(&f);
    start_counting(&f);
    check_layout(dt_expand(made.tensor, DT_SHAPE(3, 1)), "S(1)");
    check_silent(&f);
    dt_array_release(made.global);
    close_fixture(&f);
}

/* ---- Some of the indexes ------------------------------------------------ */

static void slices(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(0)", DT_SHAPE(2 * n, 9));
    dt_tensor *out = dt_slice(made.tensor, 1, 2, -1, 3);
    check_silent(&f);
    check_layout(out, "S(0)");
    check_strides(out, DT_SHAPE(9, 3));
    check_equals(out, sliced(world, made.global, 1, 2, -1, 3));
    /* Where it begins is an offset on the rank. */
    const float *base = dt_array_const_data(dt_tensor_local(made.tensor));
    CHECK(out && dt_array_const_data(dt_tensor_local(out)) == base + 2);
    /* All of a dimension may stay cut. */
    start_counting(&f);
    out = dt_slice(made.tensor, 0, 0, INT64_MAX, 1);
    check_silent(&f);
    check_layout(out, "S(0)");
    check_shares_memory(out, made.tensor);
    check_layout(dt_narrow(made.tensor, -2, 0, 2 * n), "S(0)");
    /* Some of it may not. */
    check_equals(dt_slice(made.tensor, 0, 1, 100, 2),
                 sliced(world, made.global, 0, 1, 100, 2));
    check_sent(&f);
    check_equals(dt_narrow(made.tensor, 0, -1, 1),
                 sliced(world, made.global, 0, -1, 2 * n, 1));
    check_equals(dt_slice(made.tensor, 0, 5, 3, 1),
                 sliced(world, made.global, 0, 5, 3, 1));
    dt_array_release(made.global);
    close_fixture(&f);
}

static void selects(dt_world *world)
{
    fixture f = open_fixture(world);
    int64_t n = f.ranks;
    sample made = make_f32(&f, "S(1)", DT_SHAPE(3, n + 1, 2));
    dt_tensor *out = dt_select(made.tensor, 0, -1);
    check_silent(&f);
    check_layout(out, "S(0)");
    check_strides(out, DT_SHAPE(2, 1));
    check_equals(out, selected(world, made.global, 0, 2));
    check_equals(dt_select(made.tensor, 1, n),
                 selected(world, made.global, 1, n));
    check_sent(&f);
    dt_array_release(made.global);
    close_fixture(&f);
}

/* ---- Partial values ----------------------------------------------------- */

static void partial_values_pass(dt_world *world)
{
    static const char *const layouts[] = {"P", "P(avg)", "P(max)", "P(min)",
                                          "P(product)"};
    fixture f = open_fixture(world);
    const int order[] = {1, 0};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        sample made = make_f32(&f, layouts[i], DT_SHAPE(4, 6));
        dt_tensor *views[] = {
            dt_view(made.tensor, DT_SHAPE(3, 8)),
            dt_t(made.tensor),
            dt_slice(made.tensor, 0, 1, 3, 1),
            dt_select(made.tensor, 1, 5),
            dt_unsqueeze(made.tensor, 0),
            dt_expand(made.tensor, DT_SHAPE(2, 4, 6)),
        };
        check_silent(&f);
        for (size_t k = 0; k < COUNT_OF(views); k++)
            check_layout(views[k], i ? layouts[i] : "P(sum)");
        check_equals(views[0], reshaped(world, made.global, DT_SHAPE(3, 8)));
        check_equals(views[1], permuted(world, made.global, order));
        check_equals(views[2], sliced(world, made.global, 0, 1, 3, 1));
        check_equals(views[3], selected(world, made.global, 1, 5));
        dt_array_release(made.global);
    }
    close_fixture(&f);
}

/* ---- Any of them -------------------------------------------------------- */

/* Another shape of as many elements. */
static dt_shape draw_reshaped(unsigned long long *state, dt_shape from)
{
    int64_t left = dt_shape_count(from);
    dt_shape to = {.ndim = 0};
    if (left == 0)
        return DT_SHAPE(2, 0, 3);
    while (to.ndim < 4 && (left > 1 || below(state, 3) == 0)) {
        int64_t extent = 1 + below(state, (int)left);
        while (left % extent)
            extent--;
        if (below(state, 2))
            extent = extent > 1 && left % (extent / 2 + 1) == 0 ? extent / 2 + 1
                                                                : extent;
        to.dims[to.ndim++] = extent;
        left /= extent;
    }
    if (left > 1)
        to.dims[to.ndim++] = left;
    return to;
}

/* Layouts of any kind, on every mesh: the elements are what they should be,
 * and a view is made of the memory of its tensor. */
static void reshapes_any_layout(dt_world *world)
{
    unsigned long long state = dt_test_seed();
    mesh_list grids = make_meshes(world);
    for (int round = 0; round < 300; round++) {
        dt_mesh *mesh = grids.meshes[round % grids.count];
        dt_scope *scope = dt_scope_open(world);
        dt_shape from = draw_shape(&state), to = draw_reshaped(&state, from);
        if (from.ndim < 3 && below(&state, 2))
            from.dims[from.ndim++] = 1;
        dt_layout layout = draw_layout(mesh, from.ndim, DT_I32, &state,
                                       DRAW_PARTIAL | DRAW_STRIDED);
        const char *text = dt_layout_text(world, &layout);
        if (dt_shape_count(from) == 0)
            to.dims[0] = from.dims[0];
        sample made = make_sample(mesh, text, DT_I32, from);
        bool good = check_equals(dt_reshape(made.tensor, to),
                                 reshaped(world, made.global, to)) &&
                    check_equals(dt_reshape(loosened(made.tensor), to),
                                 reshaped(world, made.global, to));
        check_case(good, mesh, text, DT_I32, from);
        dt_array_release(made.global);
        CHECK_OK(world, dt_scope_close(scope));
    }
    release_meshes(&grids);
}

/* ---- What is wrong ------------------------------------------------------ */

static void says_what_is_wrong(dt_world *world)
{
    fixture f = open_fixture(world);
    sample made = make_f32(&f, "S(0)", DT_SHAPE(4, 6));
    dt_tensor *x = made.tensor;
    const struct {
        dt_tensor *(*call)(dt_tensor *self, dt_shape shape);
        dt_shape given;
        const char *text;
    } shapes[] = {
        {dt_view, DT_SHAPE(5, 5),
         "view: shape (4, 6), of 24 elements, cannot be viewed as (5, 5)"},
        {dt_view, DT_SHAPE(-1, -1), "more than one extent is open"},
        {dt_reshape, DT_SHAPE(-1, 7), "reshape: shape (4, 6)"},
        {dt_expand, DT_SHAPE(4, 7),
         "expand: shape (4, 6) cannot be expanded "
         "to (4, 7)"},
        {dt_expand, DT_SHAPE(-1, 4, 6), "the extents of dim 0 differ"},
        {dt_expand, DT_SHAPE(6), "a 2-d tensor cannot be expanded to (6,)"},
        {dt_permute, DT_SHAPE(0),
         "permute: dims has 1 elements for a tensor of 2 dimensions"},
        {dt_permute, DT_SHAPE(0, -2), "dim 0 is listed twice"},
        {dt_permute, DT_SHAPE(0, 2),
         "permute: dimension 2 is out of range for a 2-d tensor"},
        {dt_squeeze, DT_SHAPE(0, -2), "squeeze: dim 0 is listed twice"},
        {dt_squeeze, DT_SHAPE(-3),
         "squeeze: dimension -3 is out of range for a 2-d tensor"},
    };
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        CHECK_FAILS(world, status_of(world, shapes[i].call(x, shapes[i].given)),
                    DT_ERR_INVALID, shapes[i].text);
    CHECK_FAILS(world, status_of(world, dt_flatten(x, 1, 0)), DT_ERR_INVALID,
                "flatten: dim 1 is after dim 0; expected start <= end");
    CHECK_FAILS(world, status_of(world, dt_unflatten(x, 1, DT_SHAPE(4, -1))),
                DT_ERR_INVALID,
                "dim 1, of extent 6, cannot be split into (4, -1)");
    CHECK_FAILS(world, status_of(world, dt_unsqueeze(x, 3)), DT_ERR_INVALID,
                "unsqueeze: dimension 3");
    CHECK_FAILS(world, status_of(world, dt_slice(x, 0, 0, 1, 0)),
                DT_ERR_INVALID, "slice: step is 0");
    CHECK_FAILS(world, status_of(world, dt_select(x, 0, 4)), DT_ERR_INVALID,
                "select: index 4 is out of range for dim 0 of extent 4");
    CHECK_FAILS(
        world, status_of(world, dt_narrow(x, 1, 5, 2)), DT_ERR_INVALID,
        "narrow: length 2 from start 5 is out of range for dim 1 of extent 6");
    CHECK_FAILS(world, status_of(world, dt_t(dt_unsqueeze(x, 0))),
                DT_ERR_INVALID, "t: self has 3 dimensions");
    CHECK_FAILS(
        world,
        status_of(world,
                  dt_select(dt_reshape(dt_select(dt_select(x, 0, 0), 0, 0),
                                       DT_SHAPE()),
                            0, 0)),
        DT_ERR_INVALID, "select: self is 0-d");
    dt_array_release(made.global);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"45: dimensions that stay keep their shard, uneven ones too",
     keeps_dimensions_that_stay},
    {"46: flattening a later dimension gives a strided shard", flattens},
    {"48: flatten and unflatten give the same layout", returns},
    {"49: a shard goes to the first piece, if that divides", splits},
    {"50: shapes that cross share factors, or cannot be seen", crosses},
    {"52: expanding repeats without a copy", expands},
    {"views split and merge strided shards", splits_and_merges_strided_shards},
    {"views merge dimensions of strided local arrays", views_strided_shards},
    {"53: squeeze looks at global extents", squeezes_by_global_extents},
    {"53: a cut extent of 1 is squeezed after it was moved",
     squeezes_what_is_cut},
    {"54: in place, the same tensor has another shape",
     changes_the_same_tensor},
    {"unsqueeze puts a dimension anywhere", unsqueezes},
    {"shards follow dimensions in another order", permutes},
    {"view_copy is as strict as view", view_copy_is_as_strict_as_view},
    {"tensors of two, one and no dimensions", transposes_few_dimensions},
    {"56: a slice begins at an offset of the rank", slices},
    {"selecting takes a dimension out", selects},
    {"55: partial values of every kind pass", partial_values_pass},
    {"any layout can be reshaped", reshapes_any_layout},
    {"errors name what is wrong", says_what_is_wrong},
    {NULL, NULL},
};
