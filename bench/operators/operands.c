/* bench/operators/operands.c - what timed operators are called with. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <math.h>

static int64_t side_of(size_t bytes)
{
    return (int64_t)sqrt((double)(bytes / sizeof(float)));
}

/* Extents of what is no square: by the side. */
static int64_t width_of(int64_t side)
{
    return side < 512 ? side : 512;
}

static dt_shape batch_of(int64_t side)
{
    int64_t k = side < 64 ? 16 : side < 1024 ? 64 : 256;
    return DT_SHAPE(side * side / (k * k), k, k);
}

static dt_shape heads_of(int64_t side)
{
    if (side < 64)
        return DT_SHAPE(1, 2, 16, 32);
    return side < 1024 ? DT_SHAPE(1, 8, 128, 64) : DT_SHAPE(32, 16, 256, 128);
}

static dt_shape latest_of(int64_t side)
{
    dt_shape shape = heads_of(side);
    shape.dims[2] = 1;
    return shape;
}

static dt_shape shape_of(bench_operand which, int64_t n)
{
    switch (which) {
    case OPERAND_ROW:
    case OPERAND_ROW2:
    case OPERAND_ROWS:
        return DT_SHAPE(n);
    case OPERAND_COLUMN:
        return DT_SHAPE(n, 1);
    case OPERAND_SHORT:
        return DT_SHAPE(4 * n, n / 4);
    case OPERAND_LONG:
    case OPERAND_LONG2:
    case OPERAND_PLACES:
        return DT_SHAPE(n * n);
    case OPERAND_WEIGHT:
        return DT_SHAPE(width_of(n), n);
    case OPERAND_OUTER:
        return DT_SHAPE(n, width_of(n));
    case OPERAND_BATCH:
    case OPERAND_BATCH2:
        return batch_of(n);
    case OPERAND_QUERY:
    case OPERAND_KEY:
    case OPERAND_VALUE:
        return heads_of(n);
    case OPERAND_LATEST:
        return latest_of(n);
    case OPERAND_ONE:
        return DT_SHAPE(1, n);
    case OPERAND_FOUR:
        return DT_SHAPE(4, n);
    case OPERAND_SIXTEEN:
        return DT_SHAPE(16, n);
    case OPERAND_STEP:
        return DT_SHAPE();
    default:
        return DT_SHAPE(n, n);
    }
}

static dt_dtype dtype_of(bench_operand which)
{
    return which == OPERAND_BF16  ? DT_BF16
           : which == OPERAND_F16 ? DT_F16
           : which == OPERAND_F64 ? DT_F64
                                  : DT_F32;
}

static dt_tensor *make_integers(dt_mesh *mesh, dt_dtype dtype, dt_shape shape,
                                int64_t end)
{
    dt_randint_options options = DT_RANDINT_OPTIONS_INIT;
    options.high = end;
    return dt_randint(mesh, "R", dtype, shape, &options);
}

dt_tensor *bench_operand_make(dt_mesh *mesh, bench_operand which, size_t bytes)
{
    int64_t n = side_of(bytes);
    dt_shape shape = shape_of(which, n);
    switch (which) {
    case OPERAND_POSITIVE:
        return dt_add_scalar_(dt_rand(mesh, "R", DT_F32, shape),
                              DT_NUMBER(0.5));
    case OPERAND_UNIT:
    case OPERAND_TARGET:
        return dt_rand(mesh, "R", DT_F32, shape);
    case OPERAND_MASK:
        return make_integers(mesh, DT_BOOL, shape, 2);
    case OPERAND_INDEX:
    case OPERAND_ROWS:
    case OPERAND_PLACES:
        return make_integers(mesh, DT_I64, shape, n);
    case OPERAND_I32:
        return make_integers(mesh, DT_I32, shape, n);
    case OPERAND_ZEROS:
    case OPERAND_ZEROS2:
    case OPERAND_STEP:
        return dt_zeros(mesh, "R", DT_F32, shape);
    default:
        return dt_randn(mesh, "R", dtype_of(which), shape);
    }
}

const char *const bench_operand_names[OPERAND_COUNT] = {
    [OPERAND_NONE] = "none",     [OPERAND_A] = "a",
    [OPERAND_B] = "b",           [OPERAND_C] = "c",
    [OPERAND_D] = "d",           [OPERAND_POSITIVE] = "positive",
    [OPERAND_UNIT] = "unit",     [OPERAND_TARGET] = "target",
    [OPERAND_ROW] = "row",       [OPERAND_ROW2] = "row2",
    [OPERAND_COLUMN] = "column", [OPERAND_MASK] = "mask",
    [OPERAND_PLACES] = "places", [OPERAND_INDEX] = "index",
    [OPERAND_ROWS] = "rows",     [OPERAND_BF16] = "bf16",
    [OPERAND_F16] = "f16",       [OPERAND_F64] = "f64",
    [OPERAND_I32] = "i32",       [OPERAND_SHORT] = "short",
    [OPERAND_LONG] = "long",     [OPERAND_LONG2] = "long2",
    [OPERAND_WEIGHT] = "weight", [OPERAND_OUTER] = "outer",
    [OPERAND_BATCH] = "batch",   [OPERAND_BATCH2] = "batch2",
    [OPERAND_QUERY] = "query",   [OPERAND_KEY] = "key",
    [OPERAND_VALUE] = "value",   [OPERAND_ZEROS] = "zeros",
    [OPERAND_ZEROS2] = "zeros2", [OPERAND_STEP] = "step",
    [OPERAND_LATEST] = "latest", [OPERAND_ONE] = "one",
    [OPERAND_FOUR] = "four",     [OPERAND_SIXTEEN] = "sixteen",
};
