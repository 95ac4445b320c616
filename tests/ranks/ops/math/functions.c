/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/math/functions.c - functions of elements, activations,
 * gradients, bits, bounds and choices. */
/* SPDX-License-Identifier: Apache-2.0 */
/* covers: activation activation_backward bitwise clamp compare exponential
 * rounding trigonometric where */
#include <dtensor/sys/ops_internal.h>

#include "ranks/ops/math/cases.h"

/* ---- What passes by its order ---------------------------------------------
 */

static dt_tensor *within(dt_tensor *self)
{
    return dt_clamp(self, dt_integer(-2), dt_integer(3));
}

static double kept(double x, double y)
{
    (void)y;
    return x < -2 ? -2 : x > 3 ? 3 : x;
}

static dt_tensor *at_least_one(dt_tensor *self)
{
    return dt_clamp_min(self, dt_integer(1));
}

static double one_or_more(double x, double y)
{
    (void)y;
    return x > 1 ? x : 1;
}

static dt_tensor *half_down(dt_tensor *self)
{
    return dt_floor(dt_div_scalar(self, dt_integer(2)));
}

static double floor_of_half(double x, double y)
{
    (void)y;
    return floor(x / 2);
}

static dt_tensor *shifted(dt_tensor *self)
{
    return dt_bitwise_right_shift_scalar(self, dt_integer(1));
}

static dt_tensor *doubled(dt_tensor *self)
{
    return dt_bitwise_left_shift_scalar(self, dt_integer(1));
}

static double twice(double x, double y)
{
    (void)y;
    return 2 * x;
}

static double inverted(double x, double y)
{
    (void)y;
    return -1 - x;
}

static double sign(double x, double y)
{
    (void)y;
    return (x > 0) - (x < 0);
}

static double rest_of_error(double x, double y)
{
    (void)y;
    return erfc(x);
}

static double selu(double x, double y)
{
    const double scale = 1.0507009873554804934;
    (void)y;
    return x > 0 ? scale * x : scale * 1.6732632423543772848 * expm1(x);
}

static dt_tensor *shrunk(dt_tensor *self)
{
    return dt_hardshrink(self);
}

static double itself(double x, double y) /* no element is within 1/2 of 0 */
{
    (void)y;
    return x;
}

static dt_tensor *softened(dt_tensor *self)
{
    return dt_softplus(self);
}

static double soft(double x, double y)
{
    (void)y;
    return log1p(exp(x));
}

static double radians(double x, double y)
{
    (void)y;
    return x * acos(-1) / 180;
}

static void keeps_the_order(dt_world *world)
{
    static const single_case cases[] = {
        {within, kept, "P(max)", "P(max)", DT_F32},
        {within, kept, "P(min)", "P(min)", DT_I32},
        {within, kept, "P(sum)", NULL, DT_F32},
        {within, kept, "S(0)", "S(0)", DT_BF16},
        {at_least_one, one_or_more, "P(max)", "P(max)", DT_I8},
        {half_down, floor_of_half, "S(0)", "S(0)", DT_F64},
        {shifted, floor_of_half, "P(max)", "P(max)", DT_I16},
        {dt_bitwise_not, inverted, "P(max)", "P(min)", DT_I32},
        {dt_erfc, rest_of_error, "P(max)", "P(min)", DT_F64},
        {dt_selu, selu, "P(min)", "P(min)", DT_F64},
        {shrunk, itself, "P(max)", "P(max)", DT_F32},
        {dt_trunc, itself, "P(max)", "P(max)", DT_F32},
        /* NaN is 0, and a threshold a little step down. */
        {dt_sign, sign, "P(max)", NULL, DT_F32},
        {softened, soft, "P(max)", NULL, DT_F64},
    };
    CHECK_SINGLES(world, cases);
}

static void keeps_sums(dt_world *world)
{
    static const single_case cases[] = {
        {dt_deg2rad, radians, "P(sum)", "P(sum)", DT_F64},
        {dt_deg2rad, radians, "P(avg)", "P(avg)", DT_F64},
        {dt_deg2rad, radians, "P(sum)", NULL, DT_I32},
        {doubled, twice, "P(sum)", "P(sum)", DT_I32},
        {doubled, twice, "P(max)", NULL, DT_I32},
        {dt_positive, itself, "P(sum)", "P(sum)", DT_I8},
        {dt_positive, itself, "P(max)", "P(max)", DT_F32},
    };
    CHECK_SINGLES(world, cases);
}

/* ---- Gradients ------------------------------------------------------------
 */

static dt_tensor *relu_gradient(dt_tensor *grad, dt_tensor *self)
{
    return dt_threshold_backward(grad, self, dt_integer(0));
}

static double relu_slope(double x, double y)
{
    return y > 0 ? x : 0;
}

static dt_tensor *gelu_gradient(dt_tensor *grad, dt_tensor *self)
{
    return dt_gelu_backward(grad, self);
}

static double gelu_slope(double x, double y)
{
    return x *
           (erfc(-y / sqrt(2)) / 2 + y * exp(-y * y / 2) / sqrt(2 * acos(-1)));
}

static double silu_slope(double x, double y)
{
    const double s = 1 / (1 + exp(-y));
    return x * s * (1 + y * (1 - s));
}

static double tanh_slope(double x, double y)
{
    return x * (1 - y * y);
}

static dt_tensor *elu_gradient(dt_tensor *grad, dt_tensor *self)
{
    return dt_elu_backward(grad, 2, 1, 1, false, self);
}

static double elu_slope(double x, double y)
{
    return y > 0 ? x : 2 * x * exp(y);
}

static void passes_gradients(dt_world *world)
{
    static const pair_case cases[] = {
        {relu_gradient, relu_slope, "P(sum)", "R", "P(sum)", DT_F32},
        {relu_gradient, relu_slope, "P(max)", "R", "P(max)", DT_F32},
        {relu_gradient, relu_slope, "P(sum)", "R", "P(sum)", DT_I32},
        {relu_gradient, relu_slope, "R", "P(sum)", NULL, DT_F32},
        {gelu_gradient, gelu_slope, "P(sum)", "R", "P(sum)", DT_F64},
        {gelu_gradient, gelu_slope, "S(0)", "S(0)", "S(0)", DT_F64},
        {gelu_gradient, gelu_slope, "P(max)", "R", NULL, DT_F64},
        {dt_silu_backward, silu_slope, "P(avg)", "R", "P(avg)", DT_F64},
        {dt_silu_backward, silu_slope, "R", "P(sum)", NULL, DT_F64},
        {dt_tanh_backward, tanh_slope, "P(sum)", "R", "P(sum)", DT_F32},
        {elu_gradient, elu_slope, "P(sum)", "R", "P(sum)", DT_F64},
        {elu_gradient, elu_slope, "S(1)", "R", "S(1)", DT_F64},
    };
    CHECK_PAIRS(world, cases);
}

/* ---- Two and three tensors ------------------------------------------------
 */

static dt_tensor *nearer(dt_tensor *self, dt_tensor *end)
{
    return dt_lerp_scalar(self, end, dt_real(0.25));
}

static double quarter(double x, double y)
{
    return x + (y - x) / 4;
}

static dt_tensor *more_of_product(dt_tensor *self, dt_tensor *other)
{
    dt_addcmul_options options = DT_ADDCMUL_OPTIONS_INIT;
    dt_tensor *two = dt_full(dt_tensor_mesh(self), "R", dt_tensor_dtype(self),
                             DT_SHAPE(3), 2);
    options.value = dt_integer(3);
    return dt_addcmul_with(self, other, two, &options);
}

static double six_more(double x, double y)
{
    return x + 6 * y;
}

static dt_tensor *more_of_quotient(dt_tensor *self, dt_tensor *other)
{
    dt_tensor *two = dt_full(dt_tensor_mesh(self), "R", dt_tensor_dtype(self),
                             DT_SHAPE(3), 2);
    return dt_addcdiv(self, other, two);
}

static double half_more(double x, double y)
{
    return x + y / 2;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double log_sum(double x, double y)
{
    return larger(x, y) + log1p(exp(-fabs(x - y)));
}

static double remainder_of(double x, double y)
{
    return x - y * floor(x / y);
}

static double difference(double x, double y)
{
    return y - x;
}

static void combines(dt_world *world)
{
    static const pair_case cases[] = {
        {nearer, quarter, "P(sum)", "P(sum)", "P(sum)", DT_F32},
        {nearer, quarter, "P(sum)", "R", "P(sum)", DT_F32},
        {nearer, quarter, "P(avg)", "P(avg)", "P(avg)", DT_F64},
        {nearer, quarter, "P(max)", "R", NULL, DT_F32},
        {more_of_product, six_more, "P(sum)", "P(sum)", "P(sum)", DT_F32},
        {more_of_product, six_more, "P(max)", "R", "P(max)", DT_F32},
        {more_of_product, six_more, "S(0)", "S(0)", "S(0)", DT_I64},
        {more_of_quotient, half_more, "R", "P(sum)", "P(sum)", DT_F32},
        {more_of_quotient, half_more, "P(sum)", "P(max)", NULL, DT_F32},
        {dt_clamp_min_tensor, larger, "P(max)", "R", "P(max)", DT_F32},
        {dt_fmax, larger, "P(max)", "R", NULL, DT_F32},
        {dt_logaddexp, log_sum, "R", "P(max)", "P(max)", DT_F64},
        {dt_rsub, difference, "P(sum)", "P(sum)", "P(sum)", DT_F32},
        {dt_rsub, difference, "R", "P(max)", "P(max)", DT_F32},
        {dt_remainder, remainder_of, "S(0)", "S(0)", "S(0)", DT_I32},
        {dt_remainder, remainder_of, "P(sum)", "R", NULL, DT_F32},
    };
    CHECK_PAIRS(world, cases);
}

/* ---- Choices --------------------------------------------------------------
 */

static double filled(double x, double y)
{
    return y > 0 ? 7 : x;
}

static void fills(dt_world *world)
{
    static const char *const layouts[][2] = {
        {"P(max)", "P(max)"}, {"P(avg)", "P(avg)"}, {"P(sum)", NULL},
        {"S(0)", "S(0)"},     {"R", "R"},
    };
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        fixture f = open_fixture(world);
        const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
        const char *where = layouts[i][0][0] == 'S' ? "S(0)" : "R";
        dt_tensor *mask =
            dt_gt_scalar(make_operand(&f, where, DT_F32, shape, 2), dt_real(0));
        dt_tensor *seven = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(), 7);
        dt_tensor *self = make_operand(&f, layouts[i][0], DT_F32, shape, 1);
        dt_tensor *outs[] = {
            dt_masked_fill(self, mask, dt_integer(7)),
            dt_where_scalar_self(mask, dt_integer(7), self),
            dt_where_scalar_other(dt_logical_not(mask), self, dt_integer(7))};
        if (!layouts[i][1])
            check_sent(&f);
        else
            check_silent(&f);
        for (int k = 0; k < 3; k++) {
            if (layouts[i][1])
                check_layout(outs[k], layouts[i][1]);
            check_elements(outs[k], filled);
        }
        check_elements(dt_masked_fill_tensor(self, mask, seven), filled);
        if (layouts[i][0][0] != 'P') {
            CHECK(dt_masked_fill_(self, mask, dt_integer(7)) == self);
            check_elements(self, filled);
        }
        close_fixture(&f);
    }
}

static double between(double x, double y)
{
    return x < y ? y : x > 3 ? 3 : x;
}

static void bounds_may_be_missing(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    dt_tensor *self = make_operand(&f, "S(0)", DT_F32, shape, 1);
    dt_tensor *low = make_operand(&f, "S(0)", DT_F32, shape, 2);
    dt_tensor *high = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(), 3);
    dt_tensor *both =
        dt_clamp_tensor(self, dt_clamp_max(low, dt_integer(3)), high);
    check_silent(&f);
    check_layout(both, "S(0)");
    double found[ELEMENTS_MAX];
    read_tensor(both, found);
    for (int64_t i = 0; i < dt_shape_count(shape); i++)
        CHECK(found[i] == between(operand_at(1, i), fmin(operand_at(2, i), 3)));
    check_elements(dt_clamp_tensor(self, low, NULL), larger);
    CHECK_FAILS(world, status_of(world, dt_clamp_tensor(self, NULL, NULL)),
                DT_ERR_INVALID,
                "min and max are both missing; at least one is required");
    close_fixture(&f);
}

/* ---- NaN ------------------------------------------------------------------
 */

/* One part of a maximum is NaN, which wins: what makes NaN a number waits for
 * the whole. */
static void nan_wins_among_parts(dt_world *world)
{
    fixture f = open_fixture(world);
    const bool here = dt_world_rank(world) == (int)f.ranks - 1;
    const double parts[] = {here ? (double)NAN : 5, 2};
    double found[2];
    dt_array *array = array_of(world, DT_F32, DT_SHAPE(2), parts);
    dt_tensor *self = dt_from_local(f.mesh, "P(max)", array);
    dt_tensor *one = dt_full(f.mesh, "R", DT_F32, DT_SHAPE(2), 1);
    read_tensor(dt_fmax(self, one), found);
    CHECKF(found[0] == 1 && found[1] == 2, "%g %g", found[0], found[1]);
    read_tensor(dt_nan_to_num(self), found);
    CHECKF(found[0] == 0 && found[1] == 2, "%g %g", found[0], found[1]);
    read_tensor(dt_sign(self), found);
    CHECK(found[0] == 0 && found[1] == 1);
    read_tensor(dt_clamp(self, dt_integer(0), dt_integer(1)), found);
    CHECK(isnan(found[0]) && found[1] == 1);
    read_tensor(dt_isnan(self), found);
    CHECK(found[0] == 1 && found[1] == 0);
    dt_array_release(array);
    close_fixture(&f);
}

/* ---- Values ---------------------------------------------------------------
 */

static void every_function_is_local(dt_world *world)
{
    static dt_tensor *(*const functions[])(dt_tensor *) = {
        dt_exp2,  dt_expm1,       dt_log2,       dt_log10,       dt_log1p,
        dt_sin,   dt_cos,         dt_tan,        dt_asin,        dt_acos,
        dt_atan,  dt_sinh,        dt_cosh,       dt_asinh,       dt_acosh,
        dt_atanh, dt_sinc,        dt_erf,        dt_logit,       dt_ceil,
        dt_round, dt_frac,        dt_sgn,        dt_rad2deg,     dt_signbit,
        dt_isinf, dt_isfinite,    dt_isposinf,   dt_isneginf,    dt_relu6,
        dt_mish,  dt_hardsigmoid, dt_hardswish,  dt_log_sigmoid, dt_softsign,
        dt_celu,  dt_elu,         dt_leaky_relu, dt_hardtanh,    dt_softshrink};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16};
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(2 * f.ranks + 1, 3);
    for (size_t i = 0; i < COUNT_OF(functions) * COUNT_OF(dtypes); i++) {
        const dt_dtype dtype = dtypes[i % COUNT_OF(dtypes)];
        dt_tensor *cut = make_operand(&f, "S(0)", dtype, shape, 1);
        dt_tensor *whole = make_operand(&f, "R", dtype, shape, 1);
        double found[ELEMENTS_MAX], expected[ELEMENTS_MAX];
        dt_tensor *out = functions[i / COUNT_OF(dtypes)](cut);
        check_silent(&f);
        check_layout(out, "S(0)");
        read_tensor(out, found);
        read_tensor(functions[i / COUNT_OF(dtypes)](whole), expected);
        for (int64_t k = 0; k < dt_shape_count(shape); k++)
            if (!CHECKF(found[k] == expected[k] ||
                            (isnan(found[k]) && isnan(expected[k])),
                        "function %d", (int)(i / COUNT_OF(dtypes))))
                break;
    }
    close_fixture(&f);
}

/* Cut along both dimensions of a mesh of two, and uneven. */
static void meshes_of_two_dimensions(dt_world *world)
{
    dt_mesh *mesh = NULL;
    double found[ELEMENTS_MAX];
    if (dt_world_size(world) != 4)
        return;
    CHECK_OK(world, dt_mesh_create(world, "x=2,y=2", &mesh));
    dt_scope *scope = dt_scope_open(world);
    double values[35];
    for (int i = 0; i < 35; i++)
        values[i] = operand_at(1, i);
    dt_array *array = array_of(world, DT_F32, DT_SHAPE(5, 7), values);
    dt_tensor *self = dt_distribute(mesh, "S(0)S(1)", DT_F32, DT_SHAPE(5, 7),
                                    array, DT_EVERYWHERE);
    const uint64_t calls = calls_so_far(world);
    dt_tensor *out = dt_mul(within(self), dt_sign(self));
    CHECK_INT((long long)(calls_so_far(world) - calls), 0);
    check_layout(out, "S(0)S(1)");
    read_tensor(out, found);
    for (int i = 0; i < 35; i++)
        CHECK(found[i] == kept(values[i], 0) * sign(values[i], 0));
    dt_array_release(array);
    DT_IGNORE(dt_scope_close(scope));
    dt_mesh_release(mesh);
}

/* ---- What is refused ------------------------------------------------------
 */

static void refuses(dt_world *world)
{
    fixture f = open_fixture(world);
    const dt_shape shape = DT_SHAPE(5);
    dt_softshrink_options less = DT_SOFTSHRINK_OPTIONS_INIT;
    dt_celu_options flat = DT_CELU_OPTIONS_INIT;
    dt_round_options tenth = DT_ROUND_OPTIONS_INIT;
    dt_tensor *real = make_operand(&f, "S(0)", DT_F32, shape, 1);
    dt_tensor *half = make_operand(&f, "S(0)", DT_F16, shape, 1);
    dt_tensor *byte = make_operand(&f, "S(0)", DT_U8, shape, 1);
    dt_tensor *integer = make_operand(&f, "S(0)", DT_I32, shape, 1);
    dt_tensor *truths = make_operand(&f, "S(0)", DT_BOOL, shape, 1);
    dt_tensor *complex = make_operand(&f, "S(0)", DT_C64, shape, 1);
    CHECK_FAILS(world, status_of(world, dt_bitwise_and(real, real)),
                DT_ERR_UNSUPPORTED, "bitwise_and: not supported for dtype f32");
    CHECK_FAILS(world, status_of(world, dt_sign(complex)), DT_ERR_UNSUPPORTED,
                "c64; use sgn");
    CHECK_FAILS(world,
                status_of(world, dt_masked_fill(real, real, dt_integer(0))),
                DT_ERR_INVALID, "mask is f32; expected bool");
    CHECK_FAILS(world,
                status_of(world, dt_masked_fill(byte, truths, dt_integer(256))),
                DT_ERR_INVALID, "256 cannot be represented in dtype u8");
    CHECK_FAILS(world,
                status_of(world, dt_masked_fill(half, truths, dt_real(1e9))),
                DT_ERR_INVALID, "infinity is allowed");
    CHECK(dt_masked_fill(half, truths, dt_real(-(double)INFINITY)) != NULL);
    CHECK_FAILS(
        world, status_of(world, dt_floor_divide_scalar(integer, dt_integer(0))),
        DT_ERR_INVALID, "division of i32 by zero");
    CHECK(dt_floor_divide_scalar(real, dt_integer(0)) != NULL);
    CHECK_FAILS(
        world, status_of(world, dt_div_mode(real, real, (dt_rounding)2)),
        DT_ERR_INVALID, "rounding_mode is 2; expected 0 (trunc) or 1 (floor)");
    CHECK_FAILS(world, status_of(world, dt_lerp(real, half, real)),
                DT_ERR_INVALID,
                "end is f16 but self is f32; the dtypes must be equal");
    CHECK_FAILS(world,
                status_of(world, dt_leaky_relu_backward(real, real, -1, true)),
                DT_ERR_INVALID, "the slope is -1");
    less.lambd = -1;
    CHECK_FAILS(world, status_of(world, dt_softshrink_with(real, &less)),
                DT_ERR_INVALID, "lambd is -1");
    flat.alpha = 0;
    CHECK_FAILS(world, status_of(world, dt_celu_with(real, &flat)),
                DT_ERR_INVALID, "alpha is 0");
    tenth.decimals = 1;
    CHECK_FAILS(world, status_of(world, dt_round_with(integer, &tenth)),
                DT_ERR_UNSUPPORTED, "decimals is not 0, but self is i32");
    close_fixture(&f);
}

/* A 0 is named on the rank that has it; the others are told. */
static void integers_are_not_divided_by_zero(dt_world *world)
{
    if (SKIP_ON(world, "mpi", "a rank that fails ends the job"))
        return;
    fixture f = open_fixture(world);
    double values[14];
    const dt_shape shape = DT_SHAPE(2 * f.ranks);
    for (int i = 0; i < 2 * f.ranks; i++)
        values[i] = 1;
    values[2 * f.ranks - 1] = 0;
    dt_array *array = array_of(world, DT_I32, shape, values);
    dt_tensor *other =
        dt_distribute(f.mesh, "S(0)", DT_I32, shape, array, DT_EVERYWHERE);
    dt_tensor *out = dt_remainder(other, other);
    const bool sees = dt_mesh_coordinate(f.mesh, 0) == f.ranks - 1;
    if (sees) {
        CHECK(out == NULL);
        CHECK(strstr(dt_world_error(world)->message,
                     "remainder: division of i32 by zero"));
    }
    const dt_status status = out ? dt_group_barrier(dt_world_group(world))
                                 : dt_world_error(world)->code;
    CHECK(f.ranks == 1 || status == (sees ? DT_ERR_INVALID : DT_ERR_PEER));
    if (f.ranks > 1)
        CHECK_OK(world, dt_world_recover(world));
    dt_array_release(array);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"functions that grow pass maxima and minima", keeps_the_order},
    {"multiples pass sums", keeps_sums},
    {"sums of gradients pass", passes_gradients},
    {"two and three tensors", combines},
    {"numbers instead of elements", fills},
    {"one of two bounds may be missing", bounds_may_be_missing},
    {"NaN wins among parts", nan_wins_among_parts},
    {"functions need nobody else", every_function_is_local},
    {"meshes of two dimensions", meshes_of_two_dimensions},
    {"refuses what is not defined", refuses},
    {"integers are not divided by 0", integers_are_not_divided_by_zero},
    {NULL, NULL},
};
