/* tests/unit/base/dtype.c - dtypes and shapes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/dtype.h>

#include <stdint.h>
#include <string.h>

#include <dtensor/shape.h>

#include "base/dtype.h"
#include "support/check.h"

static void knows_dtypes(dt_world *world)
{
    (void)world;
    static const struct {
        dt_dtype dtype;
        const char *name, *numpy;
        size_t bytes;
        dt_dtype_kind kind;
    } facts[] = {
        {DT_F32, "f32", "float32", 4, DT_KIND_FLOAT},
        {DT_F64, "f64", "float64", 8, DT_KIND_FLOAT},
        {DT_F16, "f16", "float16", 2, DT_KIND_FLOAT},
        {DT_BF16, "bf16", "bfloat16", 2, DT_KIND_FLOAT},
        {DT_I8, "i8", "int8", 1, DT_KIND_SIGNED},
        {DT_I16, "i16", "int16", 2, DT_KIND_SIGNED},
        {DT_I32, "i32", "int32", 4, DT_KIND_SIGNED},
        {DT_I64, "i64", "int64", 8, DT_KIND_SIGNED},
        {DT_U8, "u8", "uint8", 1, DT_KIND_UNSIGNED},
        {DT_BOOL, "bool", "bool", 1, DT_KIND_BOOLEAN},
        {DT_C64, "c64", "complex64", 8, DT_KIND_COMPLEX},
    };
    CHECK_INT(sizeof facts / sizeof *facts, DT_DTYPE_COUNT);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        dt_dtype found = DT_DTYPE_COUNT;
        CHECK_TEXT(dt_dtype_name(facts[i].dtype), facts[i].name);
        CHECK_INT(dt_dtype_size(facts[i].dtype), (long long)facts[i].bytes);
        CHECK_INT(dti_dtype_size(facts[i].dtype), (long long)facts[i].bytes);
        CHECK_INT(dt_dtype_kind_of(facts[i].dtype), facts[i].kind);
        CHECK_INT(dt_dtype_parse(facts[i].name, &found), DT_OK);
        CHECK_INT(found, facts[i].dtype);
        found = DT_DTYPE_COUNT;
        CHECK_INT(dt_dtype_parse(facts[i].numpy, &found), DT_OK);
        CHECK_INT(found, facts[i].dtype);
    }
}

static void refuses_others(dt_world *world)
{
    (void)world;
    dt_dtype found = DT_I8;
    CHECK_TEXT(dt_dtype_name(DT_DTYPE_COUNT), "invalid");
    CHECK_TEXT(dt_dtype_name((dt_dtype)-1), "invalid");
    CHECK_INT(dt_dtype_size(DT_DTYPE_COUNT), 0);
    CHECK_INT(dt_dtype_parse("f8", &found), DT_ERR_NOT_FOUND);
    CHECK_INT(dt_dtype_parse("", &found), DT_ERR_NOT_FOUND);
    CHECK_INT(dt_dtype_parse("F32", &found), DT_ERR_NOT_FOUND);
    CHECK_INT(dt_dtype_parse(NULL, &found), DT_ERR_NOT_FOUND);
    CHECK_INT(found, DT_I8);
}

static void counts_elements(dt_world *world)
{
    (void)world;
    CHECK_INT(dt_shape_count(DT_SHAPE()), 1);
    CHECK_INT(dt_shape_count(DT_SHAPE(7)), 7);
    CHECK_INT(dt_shape_count(DT_SHAPE(2, 3, 5)), 30);
    CHECK_INT(dt_shape_count(DT_SHAPE(2, 0, 5)), 0);
    CHECK_INT(dt_shape_count(DT_SHAPE(2, -1)), -1);
    CHECK_INT(dt_shape_count(DT_SHAPE(0, -1)), -1);
    CHECK_INT(dt_shape_count(DT_SHAPE(INT64_MAX)), INT64_MAX);
    CHECK_INT(dt_shape_count(DT_SHAPE(INT64_MAX, 1)), INT64_MAX);
    CHECK_INT(dt_shape_count(DT_SHAPE(INT64_MAX, 2)), -1);
    CHECK_INT(dt_shape_count(DT_SHAPE((int64_t)1 << 32, (int64_t)1 << 31)), -1);
    CHECK_INT(dt_shape_count(DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 4)), 4);
    CHECK_INT(dt_shape_count(DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 4, 1)), -1);
    CHECK_INT(dt_shape_count((dt_shape){-1, {0}}), -1);
}

static void compares_shapes(dt_world *world)
{
    (void)world;
    CHECK(dt_shape_equal(DT_SHAPE(), DT_SHAPE()));
    CHECK(dt_shape_equal(DT_SHAPE(2, 3), DT_SHAPE(2, 3)));
    CHECK(!dt_shape_equal(DT_SHAPE(2, 3), DT_SHAPE(3, 2)));
    CHECK(!dt_shape_equal(DT_SHAPE(2), DT_SHAPE(2, 1)));
    CHECK(!dt_shape_equal(DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1),
                          DT_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1)));
    dt_shape shape = dt_shape_make(2, (int64_t[]){4, 6});
    CHECK(dt_shape_equal(shape, DT_SHAPE(4, 6)));
    /* Too many extents keep their number, and no more is read than fits. */
    CHECK_INT(DT_SHAPE(1, 2, 3, 4, 5, 6, 7, 8, 9).ndim, 9);
    CHECK_INT(DT_SHAPE(1, 2, 3, 4, 5, 6, 7, 8, 9).dims[7], 8);
}

const dt_test dt_tests[] = {
    {"knows dtypes", knows_dtypes},
    {"refuses others", refuses_others},
    {"counts elements", counts_elements},
    {"compares shapes", compares_shapes},
    {NULL, NULL},
};
