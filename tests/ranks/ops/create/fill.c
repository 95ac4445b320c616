/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/create/fill.c - tensors set, and made like others. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: close like */
#include <dtensor/sys/op.h>

#include "support/tensors.h"

/* Check that every element of an f32 tensor is a number. */
static void check_every(dt_tensor *tensor, float wanted)
{
    dt_array *whole = CHECK(tensor != NULL) ? read_global(tensor) : NULL;
    const float *data = whole ? dt_array_const_data(whole) : NULL;
    for (int64_t i = 0; data && i < dt_array_count(whole); i++)
        CHECK(data[i] == wanted);
    dt_array_release(whole);
}

static const char *const partial[] = {
    "P", "P(avg)", "P(max)", "P(min)", "P(product)", "S(0)", "_S(1,2)", "R"};

static void fills_partial_tensors(dt_world *world)
{
    fixture f = open_fixture(world);
    for (size_t i = 0; i < COUNT_OF(partial); i++) {
        dt_tensor *x =
            dt_full(f.mesh, partial[i], DT_F32, DT_SHAPE(5, 4 * f.ranks), 3);
        dt_spec *spec = dt_tensor_spec(x);
        start_counting(&f);
        CHECK(dt_fill_scalar_(x, dt_integer(8)) == x);
        CHECK(dt_tensor_spec(x) == spec);
        check_silent(&f);
        check_every(x, 8);
        dt_tensor *value = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(), 2.5);
        start_counting(&f);
        CHECK(dt_fill_(x, value) == x);
        check_silent(&f);
        check_every(x, 2.5F);
        start_counting(&f);
        CHECK(dt_zero_(x) == x);
        check_silent(&f);
        check_every(x, 0);
    }
    close_fixture(&f);
}

static void copies_into_a_layout(dt_world *world)
{
    static const char *const sources[] = {"R", "S(0)", "S(1)", "P", "P(avg)"};
    fixture f = open_fixture(world);
    dt_shape shape = DT_SHAPE(3, 4 * f.ranks);
    for (size_t i = 0; i < COUNT_OF(partial); i++)
        for (size_t k = 0; k < COUNT_OF(sources); k++) {
            dt_tensor *x = dt_full(f.mesh, partial[i], DT_F32, shape, 3);
            dt_spec *spec = dt_tensor_spec(x);
            sample from = make_f32(&f, sources[k], shape);
            CHECK(dt_copy_(x, from.tensor) == x);
            CHECK(dt_tensor_spec(x) == spec);
            if (k == 0)
                check_silent(&f);
            if (k < 4)
                check_equals(x, dt_array_retain(from.global));
            dt_array_release(from.global);
        }
    dt_tensor *x = dt_zeros(f.mesh, "S(1)", DT_F64, shape);
    dt_tensor *row = dt_full(f.mesh, "S(0)", DT_I32, DT_SHAPE(4 * f.ranks), 7);
    start_counting(&f);
    CHECK(dt_copy_(x, row) == x);
    check_silent(&f);
    check_every(dt_cast(x, DT_F32), 7);
    close_fixture(&f);
}

/* Names that functions of create.h have, called as operators. */
static dt_tensor *make_like(dt_tensor *of, const char *name, bool dtype)
{
    dt_tensor *out = NULL;
    dt_argument arguments[3] = {{.kind = DT_ARG_TENSOR, .as.tensor = of}};
    int count = 1;
    if (strcmp(name, "full_like") == 0)
        arguments[count++] =
            (dt_argument){.kind = DT_ARG_NUMBER, .as.number = dt_integer(1)};
    if (dtype)
        arguments[count++] =
            (dt_argument){.kind = DT_ARG_INTEGER, .as.integer = DT_F16};
    DT_IGNORE(dt_op_call(dt_tensor_world(of), name, DT_VARIANT_NEW, arguments,
                         count, &out, 1, NULL));
    return out;
}

static void like_forms_send_nothing(dt_world *world)
{
    static const char *const names[] = {"zeros_like", "ones_like", "full_like",
                                        "rand_like", "randn_like"};
    fixture f = open_fixture(world);
    dt_tensor *of = dt_ones(f.mesh, "P", DT_F32, DT_SHAPE(3, 5));
    dt_tensor *cut = dt_ones(f.mesh, "S(1)", DT_F32, DT_SHAPE(3, 5));
    start_counting(&f);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        dt_tensor *out = make_like(of, names[i], false);
        check_layout(out, "R");
        out = make_like(cut, names[i], true);
        check_layout(out, "S(1)");
        CHECK(out && dt_tensor_dtype(out) == DT_F16);
    }
    check_layout(make_like(of, "empty_like", false), "P(sum)");
    check_layout(dt_new_empty(of, DT_SHAPE(3, 5)), "P(sum)");
    check_layout(dt_new_empty(of, DT_SHAPE(4)), "R");
    /* Of bits, there are none of floats. */
    dt_new_empty_options floats = DT_NEW_EMPTY_OPTIONS_INIT;
    const dt_dtype half = DT_F16;
    floats.dtype = &half;
    dt_tensor *bits =
        dt_zeros(dt_tensor_mesh(of), "P(bxor)", DT_U8, DT_SHAPE(3, 5));
    check_layout(dt_new_empty(bits, DT_SHAPE(3, 5)), "P(bxor)");
    check_layout(dt_new_empty_with(bits, DT_SHAPE(3, 5), &floats), "R");
    check_layout(dt_new_zeros(of, DT_SHAPE(3, 5)), "R");
    check_layout(dt_new_ones(cut, DT_SHAPE(3, 5)), "S(1)");
    check_layout(dt_new_full(cut, DT_SHAPE(5, 3), dt_real(2)), "R");
    check_silent(&f);
    check_every(dt_new_full(cut, DT_SHAPE(5, 3), dt_real(2)), 2);
    check_every(dt_new_ones(cut, DT_SHAPE(3, 5)), 1);
    close_fixture(&f);
}

/* The same numbers as those that functions draw, in every layout. */
static void draws_the_same_everywhere(dt_world *world)
{
    static const char *const layouts[] = {"S(0)", "S(1)", "P", "_S(1,2)"};
    fixture f = open_fixture(world);
    dt_shape shape = DT_SHAPE(5, 4 * f.ranks);
    dt_tensor *whole = dt_zeros(f.mesh, "R", DT_F32, shape);
    CHECK_OK(world, dt_seed(world, 5));
    dt_array *want = read_global(dt_rand_like(whole));
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *of = dt_zeros(f.mesh, layouts[i], DT_F32, shape);
        CHECK_OK(world, dt_seed(world, 5));
        check_equals(make_like(of, "rand_like", false), dt_array_retain(want));
    }
    dt_array_release(want);
    close_fixture(&f);
}

static void refuses_what_does_not_fit(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *bytes = dt_zeros(f.mesh, "R", DT_I8, DT_SHAPE(3));
    dt_tensor *halves = dt_zeros(f.mesh, "R", DT_F16, DT_SHAPE(3));
    dt_tensor *wide = dt_zeros(f.mesh, "R", DT_F32, DT_SHAPE(4));
    CHECK_FAILS(world,
                status_of(world, dt_fill_scalar_(bytes, dt_integer(300))),
                DT_ERR_INVALID, "fill_scalar: dtype i8 cannot represent 300");
    CHECK_FAILS(world, status_of(world, dt_fill_scalar(halves, dt_real(1e6))),
                DT_ERR_INVALID, "dtype f16 cannot represent");
    CHECK_FAILS(world, status_of(world, dt_fill(halves, wide)), DT_ERR_INVALID,
                "fill: value has shape (4,)");
    CHECK_FAILS(world, status_of(world, dt_copy_(halves, wide)), DT_ERR_INVALID,
                "copy: shapes (3,) and (4,) cannot be broadcast");
    CHECK_FAILS(world, status_of(world, dt_copy_(dt_select(wide, 0, 0), wide)),
                DT_ERR_INVALID,
                "copy: src has shape (4,), but self has shape ()");
    close_fixture(&f);
}

/* ---- One element -------------------------------------------------------- */

static void reads_one_element(dt_world *world)
{
    fixture f = open_fixture(world);
    static const char *const layouts[] = {"R", "S(0)", "P", "P(avg)"};
    dt_number number = dt_integer(0);
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        dt_tensor *x = dt_full(f.mesh, layouts[i], DT_BF16, DT_SHAPE(1), 2.5);
        start_counting(&f);
        CHECK_OK(world, dt_tensor_item(x, &number));
        CHECK(number.kind == DT_KIND_FLOAT && number.as.real == 2.5);
        if (i == 0)
            check_silent(&f);
        else
            CHECK_INT(calls_counted(&f), f.ranks > 1);
    }
    dt_tensor *x = dt_full_int(f.mesh, "R", DT_I64, DT_SHAPE(), INT64_MIN);
    CHECK_OK(world, dt_tensor_item(x, &number));
    CHECK(number.kind == DT_KIND_SIGNED && number.as.integer == INT64_MIN);
    CHECK_OK(world, dt_tensor_item(dt_ones(f.mesh, "R", DT_BOOL, DT_SHAPE()),
                                   &number));
    CHECK(number.kind == DT_KIND_BOOLEAN && number.as.integer == 1);
    CHECK_FAILS(
        world,
        dt_tensor_item(dt_ones(f.mesh, "R", DT_F32, DT_SHAPE(2)), &number),
        DT_ERR_INVALID, "has 2 elements; expected 1");
    dt_tensor *complex = dt_mul_scalar(dt_ones(f.mesh, "R", DT_C64, DT_SHAPE()),
                                       dt_complex_number(2, -3));
    CHECK_OK(world, dt_tensor_item(complex, &number));
    CHECK(number.kind == DT_KIND_COMPLEX && number.as.real == 2 &&
          number.imaginary == -3);
    close_fixture(&f);
}

static void compares_nearly(dt_world *world)
{
    fixture f = open_fixture(world);
    bool close = false;
    dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *a = dt_full(f.mesh, "S(0)", DT_F32, shape, 1);
    dt_tensor *b = dt_full(f.mesh, "S(0)", DT_F32, shape, 1.25);
    dt_tensor *whole = dt_full(f.mesh, "R", DT_F32, shape, 1.25);
    start_counting(&f);
    CHECK_OK(world, dt_tensor_allclose(a, b, 0, 0.25, &close));
    CHECK(close);
    CHECK_INT(calls_counted(&f), f.ranks > 1);
    CHECK_OK(world, dt_tensor_allclose(a, b, 0, 0.125, &close));
    CHECK(!close);
    CHECK_OK(world, dt_tensor_allclose(a, whole, 0.25, 0, &close));
    CHECK(close);
    CHECK_FAILS(world, dt_tensor_allclose(a, b, -1, 0, &close), DT_ERR_INVALID,
                "rtol is -1");
    start_counting(&f);
    check_layout(dt_isclose(a, b), "S(0)");
    check_silent(&f);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"65: a partial tensor that is filled reads back as the number",
     fills_partial_tensors},
    {"copy brings what is copied to the layout of self", copies_into_a_layout},
    {"65: like-forms of partial tensors are replicated, for nothing",
     like_forms_send_nothing},
    {"65: like-forms draw the same in every layout", draws_the_same_everywhere},
    {"numbers and shapes that do not fit are refused",
     refuses_what_does_not_fit},
    {"one element is read by one call at most", reads_one_element},
    {"75: allclose compares parts and reduces the verdict once",
     compares_nearly},
    {NULL, NULL},
};
