/* unit/op/promote.c - type promotion against PyTorch's, and broadcasting. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <string.h>

#include <dtensor/number.h>
#include <dtensor/sys/op.h>

#include "op/meta.h"
#include "op/schema.h"
#include "unit/op/promotion.h"

/* The dtype in a column of a row; DT_DTYPE_COUNT for "-". */
static dt_dtype dtype_at(const char *row, int column)
{
    char name[8] = "";
    for (; column > 0; column--)
        row = strchr(row, ' ') + 1;
    memcpy(name, row, strcspn(row, " "));
    dt_dtype dtype = DT_DTYPE_COUNT;
    return dt_dtype_parse(name, &dtype) == DT_OK ? dtype : DT_DTYPE_COUNT;
}

static const dt_op binary = {.schema =
                                 "binary(Tensor self, Tensor other) -> Tensor"};
static const dt_op with_number = {
    .schema = "with_number(Tensor self, Number other, *, Number alpha=1) "
              "-> Tensor"};

/* A call of metas alone. */
typedef struct call {
    dt_operation operation;
    dt_meta metas[3];
    const dt_meta *pointers[3];
    dt_argument arguments[3];
    dti_schema schema;
    dt_error error;
} call;

static void set_tensor(call *c, int index, dt_dtype dtype, dt_shape shape)
{
    c->metas[index] = dt_meta_of(dtype, shape);
    c->pointers[index] = &c->metas[index];
    c->arguments[index].kind = DT_ARG_TENSOR;
    c->operation.input_count = index + 1;
}

static void open_call(call *c, dt_world *world, const dt_op *op)
{
    *c = (call){.operation = {.world = world, .op = op}};
    c->operation.arguments = c->arguments;
    c->operation.metas = c->pointers;
    CHECK_INT(dti_schema_parse(op->schema, &c->schema, &c->error), DT_OK);
    c->operation.schema = &c->schema;
}

/* Promote two tensors and compare. */
static void check_two(dt_world *world, dt_dtype a, dt_shape a_shape, dt_dtype b,
                      dt_shape b_shape, dt_dtype expected)
{
    call c;
    dt_dtype all = DT_DTYPE_COUNT, tensors = DT_DTYPE_COUNT;
    open_call(&c, world, &binary);
    set_tensor(&c, 0, a, a_shape);
    set_tensor(&c, 1, b, b_shape);
    dt_status status = dti_promote(&c.operation, &all);
    CHECKF(status == (expected == DT_DTYPE_COUNT ? DT_ERR_UNSUPPORTED : DT_OK),
           "%s and %s: %s", dt_dtype_name(a), dt_dtype_name(b),
           dt_status_name(status));
    CHECKF(all == expected, "%s (%d-d) and %s (%d-d) give %s, not %s",
           dt_dtype_name(a), a_shape.ndim, dt_dtype_name(b), b_shape.ndim,
           dt_dtype_name(all), dt_dtype_name(expected));
    dti_promote_tensors(&c.operation, 0, 1, &tensors);
    CHECK_INT(tensors, expected);
    dt_check_forget(world);
}

static void promotes_all_pairs(dt_world *world)
{
    const dt_shape dims = DT_SHAPE(1), none = DT_SHAPE();
    for (int a = 0; a < DT_DTYPE_COUNT; a++)
        for (int b = 0; b < DT_DTYPE_COUNT; b++) {
            const dt_dtype left = (dt_dtype)a, right = (dt_dtype)b;
            const dt_dtype same = dtype_at(dims_and_dims[a], b);
            const dt_dtype mixed = dtype_at(dims_and_none[a], b);
            CHECK_INT(dti_promote_types(left, right), same);
            check_two(world, left, dims, right, dims, same);
            check_two(world, left, none, right, none, same);
            check_two(world, left, dims, right, none, mixed);
            check_two(world, right, none, left, dims, mixed);
        }
}

static const dt_number numbers[] = {
    {.kind = DT_KIND_SIGNED, .as.integer = 2},
    {.kind = DT_KIND_FLOAT, .as.real = 2.5},
    {.kind = DT_KIND_BOOLEAN, .as.integer = 1},
};

static void promotes_numbers(dt_world *world)
{
    for (int a = 0; a < DT_DTYPE_COUNT; a++)
        for (int n = 0; n < 3; n++)
            for (int ndim = 0; ndim < 2; ndim++) {
                call c;
                dt_dtype found = DT_DTYPE_COUNT;
                const char *row =
                    ndim ? dims_and_number[a] : none_and_number[a];
                open_call(&c, world, &with_number);
                set_tensor(&c, 0, (dt_dtype)a, ndim ? DT_SHAPE(3) : DT_SHAPE());
                c.arguments[1].kind = DT_ARG_NUMBER;
                c.arguments[1].as.number = numbers[n];
                /* An option does not count. */
                c.arguments[2].kind = DT_ARG_NUMBER;
                c.arguments[2].as.number = dt_real(0.5);
                CHECK_OK(world, dti_promote(&c.operation, &found));
                CHECKF(found == dtype_at(row, n), "%s and number %d give %s",
                       dt_dtype_name((dt_dtype)a), n, dt_dtype_name(found));
                CHECK_INT(dti_promote_number((dt_dtype)a, numbers[n]),
                          dtype_at(row, n));
            }
}

static void groups_keep_their_order(dt_world *world)
{
    static const dt_op three = {.schema = "three(Tensor a, Tensor b, Tensor c) "
                                          "-> Tensor"};
    call c;
    dt_dtype found = DT_DTYPE_COUNT;
    open_call(&c, world, &three);
    set_tensor(&c, 0, DT_F64, DT_SHAPE());
    set_tensor(&c, 1, DT_BF16, DT_SHAPE(2));
    set_tensor(&c, 2, DT_I64, DT_SHAPE(2));
    CHECK_OK(world, dti_promote(&c.operation, &found));
    CHECK_INT(found, DT_BF16);
    CHECK_OK(world, dti_promote_tensors(&c.operation, 2, 2, &found));
    CHECK_INT(found, DT_I64);
    c.pointers[1] = NULL; /* an optional one that is absent */
    CHECK_OK(world, dti_promote(&c.operation, &found));
    CHECK_INT(found, DT_F64);
    CHECK_INT(dti_promote_float(DT_BOOL), DT_F32);
    CHECK_INT(dti_promote_float(DT_I64), DT_F32);
    CHECK_INT(dti_promote_float(DT_F16), DT_F16);
    CHECK_INT(dti_promote_float(DT_C64), DT_C64);
}

static void broadcasts_shapes(dt_world *world)
{
    static const struct {
        dt_shape a, b, expected;
    } rows[] = {
        {{2, {2, 3}}, {1, {3}}, {2, {2, 3}}},
        {{1, {3}}, {2, {2, 3}}, {2, {2, 3}}},
        {{2, {2, 1}}, {3, {4, 1, 5}}, {3, {4, 2, 5}}},
        {{0, {0}}, {2, {0, 3}}, {2, {0, 3}}},
        {{2, {1, 3}}, {2, {0, 1}}, {2, {0, 3}}},
        {{0, {0}}, {0, {0}}, {0, {0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        call c;
        dt_shape shape = DT_SHAPE(99);
        open_call(&c, world, &binary);
        set_tensor(&c, 0, DT_F32, rows[i].a);
        set_tensor(&c, 1, DT_F32, rows[i].b);
        CHECK_OK(world, dti_meta_broadcast(&c.operation, 0, 1, &shape));
        CHECK(dt_shape_equal(shape, rows[i].expected));
    }
}

static void refuses_shapes_that_differ(dt_world *world)
{
    call c;
    dt_shape shape = DT_SHAPE(99);
    open_call(&c, world, &binary);
    set_tensor(&c, 0, DT_F32, DT_SHAPE(2, 3));
    set_tensor(&c, 1, DT_F32, DT_SHAPE(4));
    CHECK_FAILS(world, dti_meta_broadcast(&c.operation, 0, 1, &shape),
                DT_ERR_INVALID, "shapes (2, 3) and (4");
    set_tensor(&c, 1, DT_F32, DT_SHAPE(0, 3));
    CHECK_FAILS(world, dti_meta_broadcast(&c.operation, 0, 1, &shape),
                DT_ERR_INVALID, "(0, 3)");
    CHECK_INT(shape.dims[0], 99);
}

const dt_test dt_tests[] = {
    {"promotes all pairs as PyTorch does", promotes_all_pairs},
    {"promotes numbers as PyTorch does", promotes_numbers},
    {"tensors with dimensions come first", groups_keep_their_order},
    {"broadcasts shapes", broadcasts_shapes},
    {"refuses shapes that differ", refuses_shapes_that_differ},
    {NULL, NULL},
};
