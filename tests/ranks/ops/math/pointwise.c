/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/math/pointwise.c - operators element by element, and casts.
 */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: cast exponential */
#include <math.h>

#include <dtensor/sys/ops_training.h>

#include "ranks/ops/math/cases.h"

static double sum(double x, double y)
{
    return x + y;
}

static double difference(double x, double y)
{
    return x - y;
}

static double product(double x, double y)
{
    return x * y;
}

static double quotient(double x, double y)
{
    return x / y;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double more_by_one(double x, double y)
{
    (void)y;
    return x + 1;
}

static double less_than_two(double x, double y)
{
    (void)y;
    return 2 - x;
}

static double twice(double x, double y)
{
    (void)y;
    return 2 * x;
}

static double half(double x, double y)
{
    (void)y;
    return x / 2;
}

static double negative(double x, double y)
{
    (void)y;
    return -x;
}

static double exponential(double x, double y)
{
    (void)y;
    return exp(x);
}

static double positive(double x, double y)
{
    (void)y;
    return x > 0 ? x : 0;
}

static double itself(double x, double y)
{
    (void)y;
    return x;
}

static double truth(double x, double y)
{
    (void)y;
    return x != 0;
}

static double absolute(double x, double y)
{
    (void)y;
    return fabs(x);
}

/* ---- Two tensors --------------------------------------------------------- */

static void adds_partial_values(dt_world *world)
{
    static const pair_case cases[] = {
        {dt_add, sum, "P(sum)", "P(sum)", "P(sum)", DT_F32},
        {dt_sub, difference, "P(sum)", "P(sum)", "P(sum)", DT_F32},
        {dt_add, sum, "P(avg)", "P(avg)", "P(avg)", DT_F64},
        {dt_add, sum, "P(sum)", "R", "P(sum)", DT_F32},
        {dt_add, sum, "R", "P(sum)", "P(sum)", DT_BF16},
        {dt_sub, difference, "R", "P(sum)", "P(sum)", DT_F32},
        {dt_add, sum, "P(avg)", "R", "P(avg)", DT_F32},
        {dt_add, sum, "R", "P(avg)", "P(avg)", DT_F32},
        {dt_add, sum, "P(max)", "R", "P(max)", DT_F32},
        {dt_sub, difference, "P(min)", "R", "P(min)", DT_F32},
        {dt_add, sum, "P(sum)", "P(sum)", "P(sum)", DT_I32},
        /* Maxima are not added; of integers not even to what is whole. */
        {dt_add, sum, "P(max)", "P(max)", NULL, DT_F32},
        {dt_add, sum, "P(max)", "R", NULL, DT_I32},
        {dt_add, sum, "P(sum)", "P(max)", NULL, DT_F32},
    };
    CHECK_PAIRS(world, cases);
}

static void multiplies_partial_values(dt_world *world)
{
    static const pair_case cases[] = {
        {dt_mul, product, "R", "P(sum)", "P(sum)", DT_F32},
        {dt_mul, product, "P(sum)", "R", "P(sum)", DT_F64},
        {dt_mul, product, "P(avg)", "R", "P(avg)", DT_F32},
        {dt_mul, product, "P(sum)", "R", "P(sum)", DT_I16},
        {dt_div, quotient, "P(sum)", "R", "P(sum)", DT_F32},
        {dt_div, quotient, "P(avg)", "R", "P(avg)", DT_F32},
        {dt_div, quotient, "R", "P(sum)", NULL, DT_F32},
        {dt_mul, product, "P(sum)", "P(sum)", NULL, DT_F32},
        {dt_mul, product, "P(max)", "R", NULL, DT_F32},
        /* Quotients of integers are floats, which do not wrap around. */
        {dt_div, quotient, "P(sum)", "R", NULL, DT_I32},
    };
    CHECK_PAIRS(world, cases);
}

static void cuts_what_lies_alike(dt_world *world)
{
    static const pair_case cases[] = {
        {dt_add, sum, "S(0)", "S(0)", "S(0)", DT_F32},
        {dt_mul, product, "S(1)", "S(1)", "S(1)", DT_F16},
        {dt_add, sum, "R", "S(0)", "S(0)", DT_I64},
        {dt_maximum, larger, "S(0)", "R", "S(0)", DT_F32},
        {dt_sub, difference, "S(0)", "S(1)", NULL, DT_F32},
    };
    CHECK_PAIRS(world, cases);
}

static void takes_larger_ones(dt_world *world)
{
    static const pair_case cases[] = {
        {dt_maximum, larger, "P(max)", "R", "P(max)", DT_F32},
        {dt_maximum, larger, "R", "P(max)", "P(max)", DT_I32},
        {dt_maximum, larger, "P(min)", "R", "P(min)", DT_F32},
        {dt_maximum, larger, "P(sum)", "R", NULL, DT_F32},
    };
    CHECK_PAIRS(world, cases);
}

/* ---- One tensor ---------------------------------------------------------- */

static dt_tensor *add_one(dt_tensor *self)
{
    return dt_add_scalar(self, dt_integer(1));
}

static dt_tensor *from_two(dt_tensor *self)
{
    return dt_rsub_scalar(self, dt_integer(2));
}

static dt_tensor *times_two(dt_tensor *self)
{
    return dt_mul_scalar(self, dt_integer(2));
}

static dt_tensor *by_two(dt_tensor *self)
{
    return dt_div_scalar(self, dt_real(2));
}

static dt_tensor *to_f64(dt_tensor *self)
{
    return dt_cast(self, DT_F64);
}

static dt_tensor *to_i32(dt_tensor *self)
{
    return dt_cast(self, DT_I32);
}

static dt_tensor *to_i8(dt_tensor *self)
{
    return dt_cast(self, DT_I8);
}

static dt_tensor *to_bool(dt_tensor *self)
{
    return dt_cast(self, DT_BOOL);
}

static void adds_numbers(dt_world *world)
{
    static const single_case cases[] = {
        {add_one, more_by_one, "P(sum)", NULL, DT_F32},
        {add_one, more_by_one, "P(avg)", "P(avg)", DT_F32},
        {add_one, more_by_one, "P(max)", "P(max)", DT_F32},
        {add_one, more_by_one, "P(max)", NULL, DT_I32},
        {add_one, more_by_one, "S(0)", "S(0)", DT_BF16},
        {from_two, less_than_two, "P(max)", "P(min)", DT_F32},
        {from_two, less_than_two, "P(avg)", "P(avg)", DT_F32},
        {from_two, less_than_two, "P(sum)", NULL, DT_F32},
        {times_two, twice, "P(sum)", "P(sum)", DT_F32},
        {times_two, twice, "P(max)", NULL, DT_F32},
        {by_two, half, "P(sum)", "P(sum)", DT_F32},
        {by_two, half, "P(sum)", NULL, DT_I64},
        {by_two, half, "S(0)", "S(0)", DT_I64},
    };
    CHECK_SINGLES(world, cases);
}

static void changes_signs(dt_world *world)
{
    static const single_case cases[] = {
        {dt_neg, negative, "P(max)", "P(min)", DT_F32},
        {dt_neg, negative, "P(min)", "P(max)", DT_F64},
        {dt_neg, negative, "P(sum)", "P(sum)", DT_F32},
        {dt_neg, negative, "P(avg)", "P(avg)", DT_F32},
        {dt_neg, negative, "P(sum)", "P(sum)", DT_I8},
        {dt_neg, negative, "P(max)", NULL, DT_I8},
        {dt_abs, absolute, "P(max)", NULL, DT_F32},
    };
    CHECK_SINGLES(world, cases);
}

static void keeps_the_order(dt_world *world)
{
    static const single_case cases[] = {
        {dt_exp, exponential, "P(max)", "P(max)", DT_F32},
        {dt_exp, exponential, "P(min)", "P(min)", DT_F64},
        {dt_exp, exponential, "P(sum)", NULL, DT_F32},
        {dt_exp, exponential, "P(avg)", NULL, DT_F32},
        {dt_relu, positive, "P(max)", "P(max)", DT_F32},
        {dt_relu, positive, "P(min)", "P(min)", DT_I32},
        {dt_relu, positive, "P(sum)", NULL, DT_F32},
        {dt_relu, positive, "S(0)", "S(0)", DT_F16},
    };
    CHECK_SINGLES(world, cases);
}

static void casts_partial_values(dt_world *world)
{
    static const single_case cases[] = {
        {to_f64, itself, "P(sum)", "P(sum)", DT_F32},
        {to_f64, itself, "P(avg)", "P(avg)", DT_F32},
        {to_f64, itself, "P(max)", "P(max)", DT_BF16},
        {to_f64, itself, "S(0)", "S(0)", DT_I8},
        {to_i32, itself, "P(sum)", NULL, DT_F32},
        {to_i32, itself, "P(max)", NULL, DT_F32},
        {to_bool, truth, "P(sum)", NULL, DT_F32},
        {to_bool, truth, "P(max)", NULL, DT_F32},
        /* Integers keep the bits of their sum, but not their order. */
        {to_i8, itself, "P(sum)", "P(sum)", DT_I32},
        {to_i8, itself, "P(max)", NULL, DT_I32},
        {to_i32, itself, "P(sum)", NULL, DT_I8},
        {to_i32, itself, "P(max)", "P(max)", DT_I8},
        {dt_clone, itself, "P(sum)", "P(sum)", DT_I8},
        {dt_clone, itself, "P(min)", "P(min)", DT_F32},
        {dt_clone, itself, "S(0)", "S(0)", DT_C64},
    };
    CHECK_SINGLES(world, cases);
}

/* Parts of a sum of bool are or-ed, numbers made of them are added. */
static void bool_is_no_number(dt_world *world)
{
    double found[2];
    const double truths[] = {1, dt_world_rank(world) == 0};
    fixture f = open_fixture(world);
    dt_array *array = array_of(world, DT_BOOL, DT_SHAPE(2), truths);
    dt_tensor *self = dt_from_local(f.mesh, "P(sum)", array);
    dt_tensor *out = dt_mul_scalar(self, dt_integer(3));
    CHECK(dt_tensor_dtype(out) == DT_I64);
    read_tensor(out, found);
    CHECKF(found[0] == 3 && found[1] == 3, "%g %g", found[0], found[1]);
    dt_array_release(array);
    close_fixture(&f);
}

/* ---- where --------------------------------------------------------------- */

static double chosen(double x, double y)
{
    return x > 0 ? x : y;
}

static void chooses_partial_values(dt_world *world)
{
    static const char *const layouts[][3] = {
        {"P(sum)", "P(sum)", "P(sum)"}, {"P(max)", "P(max)", "P(max)"},
        {"P(sum)", "R", "P(sum)"},      {"R", "P(min)", "P(min)"},
        {"S(0)", "S(0)", "S(0)"},       {"P(sum)", "P(max)", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
        const char *where = layouts[i][0][0] == 'S' ? "S(0)" : "R";
        dt_tensor *condition =
            dt_gt_scalar(make_operand(&f, where, DT_F32, shape, 1), dt_real(0));
        dt_tensor *self = make_operand(&f, layouts[i][0], DT_F32, shape, 1);
        dt_tensor *other = make_operand(&f, layouts[i][1], DT_F32, shape, 2);
        dt_tensor *out = dt_where(condition, self, other);
        if (layouts[i][2]) {
            check_silent(&f);
            check_layout(out, layouts[i][2]);
        } else {
            check_sent(&f);
        }
        check_elements(out, chosen);
        close_fixture(&f);
    }
}

/* ---- Forms --------------------------------------------------------------- */

static void works_in_place(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    /* The layout stays, or it is an error. */
    dt_tensor *self = make_operand(&f, "P(sum)", DT_F32, shape, 1);
    if (f.ranks > 1) {
        CHECK_FAILS(world, status_of(world, dt_exp_(self)), DT_ERR_INVALID,
                    "exp");
        CHECK_FAILS(world, status_of(world, dt_add_scalar_(self, dt_real(1))),
                    DT_ERR_INVALID, NULL);
    }
    check_elements(self, itself);
    CHECK(dt_mul_scalar_(self, dt_integer(2)) == self);
    check_layout(self, "P(sum)");
    check_elements(self, twice);
    /* The other side is brought to where the first one lies. */
    self = make_operand(&f, "R", DT_F32, shape, 1);
    const void *data = dt_array_const_data(dt_tensor_local(self));
    dt_tensor *other = make_operand(&f, "P(avg)", DT_F32, shape, 2);
    CHECK(dt_add_(self, other) == self);
    check_sent(&f);
    check_layout(self, "R");
    CHECK(dt_array_const_data(dt_tensor_local(self)) == data);
    check_elements(self, sum);
    /* In f64 at first, then rounded. */
    self = make_operand(&f, "S(0)", DT_F32, shape, 1);
    other = make_operand(&f, "S(0)", DT_F64, shape, 2);
    CHECK(dt_mul_(self, other) == self);
    CHECK(dt_tensor_dtype(self) == DT_F32);
    check_elements(self, product);
    self = make_operand(&f, "S(0)", DT_I32, shape, 1);
    CHECK_FAILS(world, status_of(world, dt_mul_scalar_(self, dt_real(2.5))),
                DT_ERR_INVALID, "f32");
    check_elements(self, itself);
    close_fixture(&f);
}

static void writes_to_a_given_tensor(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *self = make_operand(&f, "S(0)", DT_F32, shape, 1);
    dt_tensor *other = make_operand(&f, "S(0)", DT_F32, shape, 2);
    dt_tensor *out = dt_zeros(f.mesh, "S(0)", DT_F32, shape);
    CHECK(dt_sub_out(self, other, out) == out);
    check_elements(out, difference);
    out = dt_zeros(f.mesh, "S(0)", DT_F32, DT_SHAPE(1, 3));
    CHECK_FAILS(world, status_of(world, dt_sub_out(self, other, out)),
                DT_ERR_INVALID, "sub");
    /* Into one of the inputs. */
    CHECK(dt_sub_out(self, other, other) == other);
    check_elements(other, difference);
    close_fixture(&f);
}

/* ---- Decisions that are kept --------------------------------------------- */

static void numbers_decide_by_their_kind(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *self = make_operand(&f, "S(0)", DT_I32, DT_SHAPE(5), 1);
    for (int i = 0; i < 2; i++) {
        double found[ELEMENTS_MAX];
        dt_tensor *whole = dt_add_scalar(self, dt_integer(1 + i));
        dt_tensor *real = dt_add_scalar(self, dt_real(0.5 + i));
        CHECK(whole && dt_tensor_dtype(whole) == DT_I32);
        CHECK(real && dt_tensor_dtype(real) == DT_F32);
        read_tensor(whole, found);
        CHECK(found[4] == operand_at(1, 4) + 1 + i);
        read_tensor(real, found);
        CHECK(found[4] == operand_at(1, 4) + 0.5 + i);
    }
    close_fixture(&f);
}

static void multiplies_by_alpha(dt_world *world)
{
    fixture f = open_fixture(world);
    double found[ELEMENTS_MAX];
    dt_add_options options = DT_ADD_OPTIONS_INIT;
    dt_tensor *self = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(5), 1);
    dt_tensor *other = make_operand(&f, "P(sum)", DT_F32, DT_SHAPE(5), 2);
    for (int i = -1; i < 3; i++) {
        options.alpha = dt_integer(i);
        read_tensor(dt_add_with(self, other, &options), found);
        CHECK(found[3] == operand_at(1, 3) + i * operand_at(2, 3));
    }
    dt_tensor *number = make_operand(&f, "S(0)", DT_I32, DT_SHAPE(5), 1);
    options.alpha = dt_real(2.5);
    CHECK_FAILS(world, status_of(world, dt_add_with(number, number, &options)),
                DT_ERR_INVALID, "alpha is 2.5");
    options.alpha = dt_truth(true);
    CHECK_FAILS(world, status_of(world, dt_add_with(self, self, &options)),
                DT_ERR_INVALID, "alpha is a bool");
    close_fixture(&f);
}

/* ---- Values -------------------------------------------------------------- */

/* All functions on a layout against the same on every rank: the kernels' own
 * test knows the values. */
static void every_function_is_local(dt_world *world)
{
    static dt_tensor *(*const functions[])(dt_tensor *) = {
        dt_exp,        dt_log,  dt_sqrt, dt_rsqrt,      dt_tanh,
        dt_sigmoid,    dt_silu, dt_gelu, dt_square,     dt_abs,
        dt_reciprocal, dt_neg,  dt_relu, dt_logical_not};
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *cut = dt_abs(make_operand(&f, "S(0)", DT_F32, shape, 1));
    dt_tensor *whole = dt_abs(make_operand(&f, "R", DT_F32, shape, 1));
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        double found[ELEMENTS_MAX], expected[ELEMENTS_MAX];
        start_counting(&f);
        dt_tensor *out = functions[i](cut);
        check_silent(&f);
        check_layout(out, "S(0)");
        read_tensor(out, found);
        read_tensor(functions[i](whole), expected);
        CHECKF(memcmp(found, expected,
                      (size_t)dt_shape_count(shape) * sizeof *found) == 0,
               "function %d", (int)i);
    }
    close_fixture(&f);
}

static void broadcasts(dt_world *world)
{
    fixture f = open_fixture(world);
    const int64_t rows = 2 * f.ranks + 1;
    double found[ELEMENTS_MAX];
    dt_tensor *self = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(rows, 3), 1);
    dt_tensor *row = make_operand(&f, "R", DT_F32, DT_SHAPE(3), 2);
    dt_tensor *out = dt_add(self, row);
    check_silent(&f);
    check_layout(out, "S(0)");
    read_tensor(out, found);
    for (int64_t i = 0; i < rows * 3; i++)
        CHECK(found[i] == operand_at(1, i) + operand_at(2, i % 3));
    dt_tensor *column = make_operand(&f, "S(0)", DT_F32, DT_SHAPE(rows, 1), 3);
    out = dt_mul(column, row);
    check_silent(&f);
    check_layout(out, "S(0)");
    read_tensor(out, found);
    for (int64_t i = 0; i < rows * 3; i++)
        CHECK(found[i] == operand_at(3, i / 3) * operand_at(2, i % 3));
    out = dt_sub(make_operand(&f, "R", DT_F32, DT_SHAPE(), 4), column);
    check_silent(&f);
    read_tensor(out, found);
    CHECK(found[rows - 1] == operand_at(4, 0) - operand_at(3, rows - 1));
    close_fixture(&f);
}

/* ---- Lists --------------------------------------------------------------- */

static void lists_of_several_meshes(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *out[2] = {NULL};
    int count = 0;
    dt_tensor *a = make_operand(&f, "S(0)", DT_F32, shape, 1);
    dt_tensor *b = make_operand(&f, "S(0)", DT_F32, shape, 2);
    dt_tensor *self[] = {a, dt_to_local(a)};
    dt_tensor *other[] = {b, dt_to_local(b)};
    CHECK_OK(world, dt_foreach_add(self, 2, other, 2, out, 2, &count));
    CHECK_INT(count, 2);
    check_elements(out[0], sum);
    CHECK(dt_tensor_mesh(out[1]) == dt_tensor_mesh(self[1]));
    CHECK(dt_array_equal(dt_tensor_local(out[0]), dt_tensor_local(out[1])));
    CHECK_OK(world,
             dt_foreach_mul_scalar(self, 2, dt_integer(2), out, 2, &count));
    CHECK_INT(count, 2);
    check_elements(out[0], twice);
    CHECK_FAILS(world, dt_foreach_add(self, 2, other, 1, out, 2, &count),
                DT_ERR_INVALID,
                "self has 2 elements but other has 1; they must be equal");
    close_fixture(&f);
}

/* ---- What is refused ----------------------------------------------------- */

static void refuses(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_gelu_options options = DT_GELU_OPTIONS_INIT;
    dt_tensor *real = make_operand(&f, "R", DT_F32, DT_SHAPE(2, 3), 1);
    dt_tensor *wide = make_operand(&f, "R", DT_F32, DT_SHAPE(4), 1);
    dt_tensor *integer = make_operand(&f, "R", DT_I32, DT_SHAPE(2, 3), 1);
    dt_tensor *truths = make_operand(&f, "R", DT_BOOL, DT_SHAPE(2, 3), 1);
    dt_tensor *complex = make_operand(&f, "R", DT_C64, DT_SHAPE(2, 3), 1);
    dt_tensor *longer = make_operand(&f, "R", DT_F64, DT_SHAPE(2, 3), 1);
    CHECK_FAILS(world, status_of(world, dt_add(real, wide)), DT_ERR_INVALID,
                "add: shapes (2, 3) and (4");
    CHECK_FAILS(world, status_of(world, dt_sub(truths, truths)),
                DT_ERR_UNSUPPORTED, "sub: not supported for dtype bool");
    CHECK_FAILS(world, status_of(world, dt_neg(truths)), DT_ERR_UNSUPPORTED,
                "bool");
    CHECK_FAILS(world, status_of(world, dt_lt(complex, complex)),
                DT_ERR_UNSUPPORTED, "lt: not supported for dtype c64");
    CHECK_FAILS(world, status_of(world, dt_add(complex, longer)),
                DT_ERR_UNSUPPORTED, "c64 and f64");
    CHECK_FAILS(world, status_of(world, dt_gelu(integer)), DT_ERR_UNSUPPORTED,
                "i32");
    CHECK_FAILS(world, status_of(world, dt_where(real, real, real)),
                DT_ERR_INVALID, "condition is f32");
    options.approximate = (dt_approximate)2;
    CHECK_FAILS(world, status_of(world, dt_gelu_with(real, &options)),
                DT_ERR_INVALID,
                "approximate is 2; expected 0 (none) or 1 (tanh)");
    CHECK_FAILS(world, status_of(world, dt_cast(real, (dt_dtype)77)),
                DT_ERR_INVALID, "77");
    CHECK_FAILS(
        world, status_of(world, dt_abs_(complex)), DT_ERR_INVALID,
        "abs: the result is f32 and cannot be stored in self, which is c64");
    close_fixture(&f);
}

/* Integers have no negative powers, not even if a call with another exponent
 * was decided already. */
static void refuses_negative_powers(dt_world *world)
{
    fixture f = open_fixture(world);
    static const dt_dtype dtypes[] = {DT_I8, DT_I64, DT_U8, DT_BOOL};
    for (int i = 0; i < 4; i++) {
        dt_tensor *x = make_operand(&f, "S(0)", dtypes[i], DT_SHAPE(5), 1);
        CHECK(dt_pow_scalar(x, dt_integer(3)) != NULL);
        CHECK_FAILS(world, status_of(world, dt_pow_scalar(x, dt_integer(-3))),
                    DT_ERR_INVALID, "pow_scalar: exponent is -3 and self is ");
        CHECK(dt_pow_scalar(x, dt_integer(0)) != NULL);
        CHECK(dt_pow_scalar(x, dt_real(-1)) != NULL);
    }
    dt_tensor *none = make_operand(&f, "R", DT_I32, DT_SHAPE(0), 1);
    CHECK_FAILS(world, status_of(world, dt_pow_scalar_(none, dt_integer(-1))),
                DT_ERR_INVALID, "pow_scalar: exponent is -1 and self is i32");
    dt_tensor *real = make_operand(&f, "R", DT_F32, DT_SHAPE(3), 1);
    CHECK(dt_pow_scalar(real, dt_integer(-2)) != NULL);
    close_fixture(&f);
}

/* Absolute values of complex numbers go to a given tensor, if not in place. */
static void complex_absolutes(dt_world *world)
{
    fixture f = open_fixture(world);
    double found[3];
    dt_tensor *x = make_operand(&f, "S(0)", DT_C64, DT_SHAPE(3), 1);
    dt_tensor *out = make_operand(&f, "S(0)", DT_C64, DT_SHAPE(3), 2);
    CHECK(dt_abs_out(x, out) == out);
    read_tensor(dt_abs(out), found);
    for (int i = 0; i < 3; i++)
        CHECK(found[i] == fabs(operand_at(1, i)));
    close_fixture(&f);
}

/* What has no elements is changed in place, though it repeats a dimension. */
static void changes_nothing(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *row = make_operand(&f, "R", DT_F32, DT_SHAPE(1, 0), 1);
    dt_tensor *self = dt_expand(row, DT_SHAPE(5, 0));
    dt_tensor *other = make_operand(&f, "R", DT_F32, DT_SHAPE(5, 0), 1);
    CHECK(dt_add_(self, other) == self);
    CHECK(dt_logical_or_(self, other) == self); /* bool, which is cast */
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"59: partial values are added", adds_partial_values},
    {"59: numbers are added to partial values", adds_numbers},
    {"60: partial values are multiplied and divided",
     multiplies_partial_values},
    {"62: signs of partial values change", changes_signs},
    {"63: in place the layout stays", works_in_place},
    {"64: a given tensor is as the result", writes_to_a_given_tensor},
    {"66: partial values are cast", casts_partial_values},
    {"monotone functions pass maxima and minima", keeps_the_order},
    {"the larger of partial values", takes_larger_ones},
    {"where passes what both sides are", chooses_partial_values},
    {"bool that is partial is no number", bool_is_no_number},
    {"what lies alike stays", cuts_what_lies_alike},
    {"numbers decide by their kind alone", numbers_decide_by_their_kind},
    {"multiplies by alpha", multiplies_by_alpha},
    {"functions need nobody else", every_function_is_local},
    {"broadcasts", broadcasts},
    {"lists of several meshes", lists_of_several_meshes},
    {"refuses what is not defined", refuses},
    {"refuses negative powers of integers", refuses_negative_powers},
    {"absolute values of complex numbers", complex_absolutes},
    {"changes nothing in place", changes_nothing},
    {NULL, NULL},
};
