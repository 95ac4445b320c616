/* ranks: 1 2 3 4 7 */
/* tests/ranks/op_dispatch.c - the mechanism, with operators of its own. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dtensor/sys/op.h>

#include "support/tensors.h"

/* ---- Operators ---------------------------------------------------------- */

/* The element of an f64 array at an index. */
static double *at(dt_array *array, const int64_t *index)
{
    double *data = dt_array_data(array);
    for (int d = 0; d < dt_array_ndim(array); d++)
        data += index[d] * dt_array_stride(array, d);
    return data;
}

static dt_status first_meta(dt_operation *operation)
{
    return dt_operation_add_result(operation, operation->metas[0]);
}

static dt_status plus(dt_operation *operation)
{
    dt_array *out = operation->out[0];
    int64_t rows = dt_array_extent(out, 0), columns = dt_array_extent(out, 1);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < columns; k++) {
            int64_t index[] = {i, k};
            *at(out, index) =
                *at(operation->in[0], index) + *at(operation->in[1], index);
        }
    return DT_OK;
}

static dt_status product_meta(dt_operation *operation)
{
    dt_shape a = operation->metas[0]->shape, b = operation->metas[1]->shape;
    if (a.dims[1] != b.dims[0])
        return dt_operation_fail(operation, DT_ERR_INVALID, "%d and %d differ",
                                 (int)a.dims[1], (int)b.dims[0]);
    dt_meta meta = dt_meta_of(DT_F64, DT_SHAPE(a.dims[0], b.dims[1]));
    return dt_operation_add_result(operation, &meta);
}

static dt_status product(dt_operation *operation)
{
    dt_array *a = operation->in[0], *b = operation->in[1];
    dt_array *out = operation->out[0];
    for (int64_t i = 0; i < dt_array_extent(out, 0); i++)
        for (int64_t k = 0; k < dt_array_extent(out, 1); k++) {
            double sum = 0;
            for (int64_t m = 0; m < dt_array_extent(a, 1); m++)
                sum += *at(a, (int64_t[]){i, m}) * *at(b, (int64_t[]){m, k});
            *at(out, (int64_t[]){i, k}) = sum;
        }
    return DT_OK;
}

static dt_status twice(dt_operation *operation)
{
    dt_tensor *const *in = operation->inputs;
    dt_argument arguments[] = {
        {.kind = DT_ARG_TENSOR, .as.tensor = in[0]},
        {.kind = DT_ARG_TENSOR, .as.tensor = in[0]},
    };
    return dt_op_call(operation->world, "plus", DT_VARIANT_NEW, arguments, 2,
                      operation->outputs, 1, NULL);
}

static dt_status flat_meta(dt_operation *operation)
{
    const dt_meta *in = operation->metas[0];
    dt_meta meta =
        dt_meta_of(in->dtype, DT_SHAPE(in->shape.dims[0] * in->shape.dims[1]));
    return dt_operation_add_result(operation, &meta);
}

static dt_status flat(dt_operation *operation)
{
    dt_shape shape = dt_spec_local_shape(operation->out_specs[0],
                                         dt_world_rank(operation->world));
    return dt_array_reshape(operation->world, operation->in[0], shape,
                            &operation->out[0]);
}

static dt_status apart_meta(dt_operation *operation)
{
    int64_t rows = dt_operation_argument(operation, "rows")->as.integer;
    const dt_meta *in = operation->metas[0];
    dt_meta meta =
        dt_meta_of(in->dtype, DT_SHAPE(rows, in->shape.dims[0] / rows));
    return dt_operation_add_result(operation, &meta);
}

/* (ij) -> ij, i rows. */
static dt_status apart_factors(const dt_operation *operation, dt_factors *out)
{
    CHECK(dt_operation_argument(operation, "self") == operation->arguments);
    CHECK(!dt_operation_argument(operation, "row"));
    CHECK(!dt_operation_argument(operation, ""));
    out->count = 2;
    for (int i = 0; i < 2; i++)
        out->factors[i].size = operation->results[0].shape.dims[i];
    out->in_count = out->out_count = 1;
    out->in[0].dims[0] = (dt_factor_dim){2, {0, 1}};
    for (int i = 0; i < 2; i++)
        out->out[0].dims[i] = (dt_factor_dim){1, {i}};
    return DT_OK;
}

static const dt_op rows[] = {
    {.size = sizeof(dt_op),
     .schema = "plus(Tensor self, Tensor other) -> Tensor",
     .rule = "...,...->...",
     .linear = "self + other",
     .flags = DT_OP_IN_PLACE | DT_OP_OUT,
     .meta = first_meta,
     .kernel = plus},
    {.size = sizeof(dt_op),
     .schema = "product(Tensor a, Tensor b) -> Tensor",
     .rule = "mk,kn->mn",
     .linear = "a*b",
     .flags = DT_OP_OUT,
     .meta = product_meta,
     .kernel = product},
    {.size = sizeof(dt_op),
     .schema = "unruly(Tensor self, Tensor other) -> Tensor",
     .meta = first_meta,
     .kernel = plus},
    {.size = sizeof(dt_op),
     .schema = "twice(Tensor self) -> Tensor",
     .compose = twice},
    {.size = sizeof(dt_op),
     .schema = "flat(Tensor self) -> Tensor",
     .rule = "ij->(ij)",
     .permutes = "self",
     .flags = DT_OP_VIEW,
     .meta = flat_meta,
     .kernel = flat},
    {.size = sizeof(dt_op),
     .schema = "apart(Tensor self, int rows) -> Tensor",
     .factors = apart_factors,
     .permutes = "self",
     .flags = DT_OP_VIEW | DT_OP_STRICT,
     .meta = apart_meta,
     .kernel = flat},
};

/* Processes keep one world for all tests, and its rows. */
static void register_rows(dt_world *world)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (dt_op_register(world, &rows[i]) != DT_OK)
            CHECK_FAILS(world, dt_op_register(world, &rows[i]), DT_ERR_INVALID,
                        "already");
    dt_check_forget(world);
    dt_world_clear_error(world);
}

/* ---- Calls -------------------------------------------------------------- */

static dt_argument tensor(dt_tensor *one)
{
    return (dt_argument){.kind = DT_ARG_TENSOR, .as.tensor = one};
}

static dt_tensor *call(dt_world *world, const char *name, dt_tensor *a,
                       dt_tensor *b)
{
    dt_argument arguments[] = {tensor(a), tensor(b)};
    dt_tensor *result = NULL;
    CHECK_OK(world, dt_op_call(world, name, DT_VARIANT_NEW, arguments,
                               b ? 2 : 1, &result, 1, NULL));
    return result;
}

/* A tensor of known numbers: i * 10 + k + add. */
static dt_tensor *numbers(dt_mesh *mesh, const char *layout, int64_t n,
                          int64_t m, double add)
{
    dt_world *world = dt_mesh_world(mesh);
    dt_array *array = new_array(world, DT_F64, DT_SHAPE(n, m));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < m; k++)
            *at(array, (int64_t[]){i, k}) = (double)(i * 10 + k) + add;
    dt_tensor *result = dt_distribute(mesh, layout, DT_F64, DT_SHAPE(n, m),
                                      array, DT_EVERYWHERE);
    dt_array_release(array);
    return result;
}

static const char *layout_of(dt_tensor *one)
{
    return dt_layout_text(dt_tensor_world(one), dt_tensor_layout(one));
}

/* Check every element of a 2-d tensor: scale * (i * 10 + k) + add. */
static void check_numbers(dt_tensor *one, double scale, double add)
{
    dt_world *world = dt_tensor_world(one);
    dt_array *full = dt_tensor_local(dt_full_tensor(one));
    for (int64_t i = 0; i < dt_array_extent(full, 0); i++)
        for (int64_t k = 0; k < dt_array_extent(full, 1); k++) {
            double value = *at(full, (int64_t[]){i, k});
            CHECKF(value == scale * (double)(i * 10 + k) + add,
                   "rank %d: [%d, %d] is %g", dt_world_rank(world), (int)i,
                   (int)k, value);
        }
}

/* ---- Tests -------------------------------------------------------------- */

static void keeps_layouts(dt_world *world)
{
    static const char *const layouts[] = {"R", "S(0)", "S(1)", "P(sum)"};
    dt_mesh *mesh = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *a = numbers(mesh, layouts[i], 5, 7, 0);
        dt_tensor *b = numbers(mesh, layouts[i], 5, 7, 1);
        uint64_t before = calls_so_far(world);
        dt_tensor *c = call(world, "plus", a, b);
        CHECK_INT((long long)(calls_so_far(world) - before), 0);
        CHECK_TEXT(layout_of(c), layouts[i]);
        check_numbers(c, 2, 1);
    }
    dt_tensor *c = call(world, "plus", numbers(mesh, "P(sum)", 5, 7, 0),
                        numbers(mesh, "R", 5, 7, 1));
    CHECK_TEXT(layout_of(c), "P(sum)");
    check_numbers(c, 2, 1);
    c = call(world, "plus", numbers(mesh, "S(0)", 5, 7, 0),
             numbers(mesh, "R", 5, 7, 1));
    CHECK_TEXT(layout_of(c), "S(0)");
    check_numbers(c, 2, 1);
    c = call(world, "twice", numbers(mesh, "S(1)", 5, 7, 3), NULL);
    CHECK_TEXT(layout_of(c), "S(1)");
    check_numbers(c, 2, 6);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void multiplies(dt_world *world)
{
    static const struct {
        const char *a, *b, *out;
        int sent;
    } cases[] = {
        {"R", "R", "R", 0},         {"S(0)", "R", "S(0)", 0},
        {"R", "S(1)", "S(1)", 0},   {"S(1)", "S(0)", "P(sum)", 0},
        {"S(1)", "R", "P(sum)", 0}, {"P(sum)", "R", "P(sum)", 0},
    };
    dt_mesh *mesh = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *whole = call(world, "product", numbers(mesh, "R", 5, 7, 1),
                            numbers(mesh, "R", 7, 4, 2));
    dt_array *expected = dt_tensor_local(whole);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        dt_tensor *a = numbers(mesh, cases[i].a, 5, 7, 1);
        dt_tensor *b = numbers(mesh, cases[i].b, 7, 4, 2);
        uint64_t before = calls_so_far(world);
        dt_tensor *c = call(world, "product", a, b);
        CHECK_INT((long long)(calls_so_far(world) - before), cases[i].sent);
        CHECK_TEXT(layout_of(c), cases[i].out);
        CHECK(dt_array_equal(dt_tensor_local(dt_full_tensor(c)), expected));
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void writes_in_place(dt_world *world)
{
    dt_mesh *mesh = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = numbers(mesh, "S(0)", 5, 7, 0), *result = NULL;
    dt_array *local = dt_tensor_local(a);
    dt_argument arguments[] = {tensor(a), tensor(numbers(mesh, "R", 5, 7, 1))};
    CHECK_OK(world, dt_op_call(world, "plus", DT_VARIANT_IN_PLACE, arguments, 2,
                               &result, 1, NULL));
    CHECK(result == a && dt_tensor_local(a) == local);
    check_numbers(a, 2, 1);
    dt_tensor *out = numbers(mesh, "S(1)", 5, 7, 0);
    arguments[0] = tensor(numbers(mesh, "S(1)", 5, 7, 0));
    result = out;
    CHECK_OK(world, dt_op_call(world, "plus", DT_VARIANT_OUT, arguments, 2,
                               &result, 1, NULL));
    CHECK(result == out);
    check_numbers(out, 2, 1);
    /* A replicated tensor cannot become partial where it lies. */
    CHECK_OK(world, dt_scope_close(scope));
    scope = dt_scope_open(world);
    if (dt_world_size(world) > 1) {
        out = numbers(mesh, "P(max)", 5, 7, 0);
        arguments[0] = arguments[1] = tensor(numbers(mesh, "R", 5, 7, 0));
        result = out;
        CHECK_FAILS(world,
                    dt_op_call(world, "plus", DT_VARIANT_OUT, arguments, 2,
                               &result, 1, NULL),
                    DT_ERR_INVALID, "but out is");
    }
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* What is written over is read first. */
static void writes_over_its_inputs(dt_world *world)
{
    dt_mesh *mesh = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    for (int which = 0; which < 3; which++) {
        dt_scope *scope = dt_scope_open(world);
        dt_tensor *a = numbers(mesh, "R", 4, 4, 1), *b = a;
        if (which < 2)
            b = numbers(mesh, "R", 4, 4, 2);
        dt_array *expected = dt_tensor_local(call(world, "product", a, b));
        dt_argument arguments[] = {tensor(a), tensor(b)};
        dt_tensor *out = which == 0 ? a : b;
        CHECK_OK(world, dt_op_call(world, "product", DT_VARIANT_OUT, arguments,
                                   2, &out, 1, NULL));
        CHECK(dt_array_equal(dt_tensor_local(out), expected));
        CHECK_OK(world, dt_scope_close(scope));
    }
    dt_mesh_release(mesh);
}

/* Memory that may only be read is refused, before anything is computed. */
static void refuses_to_write_what_is_read_only(dt_world *world)
{
    static const double zeros[4];
    dt_array *array = NULL;
    dt_tensor *result = NULL;
    dt_wrap_options options = DT_WRAP_OPTIONS_INIT;
    register_rows(world);
    options.data = (void *)(uintptr_t)zeros;
    options.dtype = DT_F64;
    options.shape = DT_SHAPE(2, 2);
    options.read_only = true;
    CHECK_OK(world, dt_array_wrap(world, &options, &array));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = dt_from_local(dt_world_own_mesh(world), "R", array);
    dt_argument arguments[] = {tensor(a), tensor(a)};
    CHECK_FAILS(world,
                dt_op_call(world, "plus", DT_VARIANT_IN_PLACE, arguments, 2,
                           &result, 1, NULL),
                DT_ERR_INVALID, "read-only");
    DT_IGNORE(dt_scope_close(scope));
    dt_array_release(array);
}

static void takes_dimensions_apart(dt_world *world)
{
    dt_mesh *mesh = NULL;
    int64_t n = dt_world_size(world);
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    uint64_t before = calls_so_far(world);
    dt_tensor *rows_cut = numbers(mesh, "S(0)", 2 * n, 5, 0);
    dt_tensor *one = call(world, "flat", rows_cut, NULL);
    CHECK_TEXT(layout_of(one), "S(0)");
    /* Columns may be cut unevenly: each row is a piece. */
    dt_tensor *columns_cut = numbers(mesh, "S(1)", 4, 2 * n + 1, 0);
    one = call(world, "flat", columns_cut, NULL);
    CHECK_TEXT(layout_of(one), "_S(0,4)");
    dt_argument arguments[] = {tensor(one),
                               {.kind = DT_ARG_INTEGER, .as.integer = 4}};
    dt_tensor *back = NULL;
    CHECK_OK(world, dt_op_call(world, "apart", DT_VARIANT_NEW, arguments, 2,
                               &back, 1, NULL));
    CHECK_TEXT(layout_of(back), "S(1)");
    CHECK_INT((long long)(calls_so_far(world) - before), 0);
    check_numbers(back, 1, 0);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void says_what_is_wrong(dt_world *world)
{
    dt_mesh *mesh = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = numbers(mesh, "S(0)", 6, 7, 0), *result = NULL;
    dt_argument arguments[] = {tensor(a), tensor(NULL)};
    CHECK_FAILS(world,
                dt_op_call(world, "plus", DT_VARIANT_NEW, arguments, 2, &result,
                           1, NULL),
                DT_ERR_INVALID, "plus: other is NULL");
    arguments[1] = tensor(dt_to_local(a));
    DT_IGNORE(dt_scope_close(scope));
    scope = dt_scope_open(world);
    a = numbers(mesh, "S(0)", 6, 7, 0);
    arguments[0] = tensor(a);
    arguments[1] = tensor(dt_to_local(a));
    if (dt_world_size(world) > 1)
        CHECK_FAILS(world,
                    dt_op_call(world, "plus", DT_VARIANT_NEW, arguments, 2,
                               &result, 1, NULL),
                    DT_ERR_INVALID, "other, ");
    CHECK_FAILS(world,
                dt_op_call(world, "product", DT_VARIANT_IN_PLACE, arguments, 2,
                           &result, 1, NULL),
                DT_ERR_UNSUPPORTED, "product: has no in-place variant");
    CHECK_FAILS(world,
                dt_op_call(world, "nothing", DT_VARIANT_NEW, arguments, 2,
                           &result, 1, NULL),
                DT_ERR_NOT_FOUND, "nothing");
    CHECK_FAILS(world,
                dt_op_call(world, "plus", DT_VARIANT_NEW, arguments, 1, &result,
                           1, NULL),
                DT_ERR_INVALID, "other");
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void obeys_modes(dt_world *world)
{
    dt_mesh *mesh = NULL;
    dt_tensor *result = NULL;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
    options.mode = DT_SCOPE_STRICT;
    dt_scope *scope = dt_scope_open_with(world, &options);
    dt_argument arguments[] = {tensor(numbers(mesh, "S(0)", 6, 8, 0)),
                               tensor(numbers(mesh, "S(1)", 6, 8, 0))};
    if (dt_world_size(world) > 1)
        CHECK_FAILS(world,
                    dt_op_call(world, "plus", DT_VARIANT_NEW, arguments, 2,
                               &result, 1, NULL),
                    DT_ERR_INVALID, "= dt_redistribute(");
    DT_IGNORE(dt_scope_close(scope));
    scope = dt_scope_open(world);
    dt_tensor *a = numbers(mesh, "S(0)", 6, 8, 0);
    dt_tensor *c = call(world, "plus", a, numbers(mesh, "S(1)", 6, 8, 0));
    check_numbers(c, 2, 0);
    c = call(world, "unruly", a, numbers(mesh, "S(1)", 6, 8, 0));
    check_numbers(c, 2, 0);
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void explains(dt_world *world)
{
    dt_mesh *mesh = NULL;
    char text[4096];
    size_t length = 0;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_argument arguments[] = {tensor(numbers(mesh, "S(1)", 6, 8, 0)),
                               tensor(numbers(mesh, "R", 8, 6, 0))};
    CHECK_OK(world, dt_explain(world, "product", arguments, 2, text,
                               sizeof text, &length));
    CHECK(length == strlen(text));
    if (dt_world_size(world) > 1) {
        CHECKF(strstr(text, "> S(1), S(0) -> P(sum)") != NULL, "%s", text);
        CHECKF(strstr(text, "b: f64[8, 6] R, slice to S(0)") != NULL, "%s",
               text);
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void follows_orders(dt_world *world)
{
    dt_mesh *mesh = NULL;
    if (dt_world_size(world) != 4)
        return;
    register_rows(world);
    CHECK_OK(world, dt_mesh_create(world, "a=2,b=2", &mesh));
    dt_scope *scope = dt_scope_open(world);
    static const char *const layouts[] = {"S(0)[1]S(0)[0]", "S(0)S(1)",
                                          "_S(0,3)R", "P(sum)S(0)"};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        uint64_t before = calls_so_far(world);
        dt_tensor *a = numbers(mesh, layouts[i], 9, 7, 0);
        dt_tensor *c =
            call(world, "plus", a, numbers(mesh, layouts[i], 9, 7, 0));
        CHECK(dt_tensor_spec(c) == dt_tensor_spec(a));
        c = call(world, "plus", a, numbers(mesh, "RR", 9, 7, 1));
        CHECK(dt_tensor_spec(c) == dt_tensor_spec(a));
        CHECK_INT((long long)(calls_so_far(world) - before), 0);
        check_numbers(c, 2, 1);
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* All dimensions are whole. */
static dt_status whole_factors(const dt_operation *operation, dt_factors *out)
{
    (void)operation;
    out->in_count = 2;
    out->out_count = 1;
    return DT_OK;
}

/* In place of a function that allows nothing, one that keeps layouts. */
static void takes_another_rule(dt_world *world)
{
    static const dt_op row = {.size = sizeof(dt_op),
                              .schema = "ruled(Tensor a, Tensor b) -> Tensor",
                              .factors = whole_factors,
                              .meta = first_meta,
                              .kernel = plus};
    const bool alone = dt_world_size(world) == 1;
    dt_mesh *mesh = NULL;
    CHECK_OK(world, dt_op_register(world, &row));
    CHECK_OK(world, dt_mesh_create(world, "x", &mesh));
    dt_scope *scope = dt_scope_open(world);
    dt_tensor *a = numbers(mesh, "S(1)", 5, 7, 0);
    for (int replaced = 0; replaced < 2; replaced++) {
        uint64_t before = calls_so_far(world);
        dt_tensor *c = call(world, "ruled", a, a);
        CHECK_TEXT(layout_of(c), replaced ? "S(1)" : "R");
        CHECK((calls_so_far(world) > before) == (!replaced && !alone));
        check_numbers(c, 2, 0);
        CHECK_OK(world, dt_op_set_rule(world, "ruled", "...,...->..."));
    }
    CHECK_OK(world, dt_scope_close(scope));
    dt_mesh_release(mesh);
}

static void refuses_wrong_rules(dt_world *world)
{
    register_rows(world);
    CHECK_FAILS(world, dt_op_set_rule(world, "plus", "..."), DT_ERR_INVALID,
                "operator plus");
    CHECK_FAILS(world, dt_op_set_rule(world, "plus", "a->a"), DT_ERR_INVALID,
                "operator plus");
    CHECK_FAILS(world, dt_op_set_rule(world, "plus", NULL), DT_ERR_INVALID,
                "NULL");
    CHECK_FAILS(world, dt_op_set_rule(world, "twice", "a->a"), DT_ERR_INVALID,
                "is a composition");
    CHECK_FAILS(world, dt_op_set_rule(world, "nobody", "a->a"),
                DT_ERR_NOT_FOUND, "nobody");
}

const dt_test dt_tests[] = {
    {"keeps layouts", keeps_layouts},
    {"multiplies", multiplies},
    {"writes in place", writes_in_place},
    {"writes over its inputs", writes_over_its_inputs},
    {"refuses to write what is read-only", refuses_to_write_what_is_read_only},
    {"takes dimensions apart", takes_dimensions_apart},
    {"says what is wrong", says_what_is_wrong},
    {"obeys modes", obeys_modes},
    {"explains", explains},
    {"follows orders", follows_orders},
    {"takes another rule", takes_another_rule},
    {"refuses wrong rules", refuses_wrong_rules},
    {NULL, NULL},
};
