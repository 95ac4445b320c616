/* unit/kernel/pointwise/expect.h - what pointwise functions give, in double. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_POINTWISE_EXPECT_H
#define DT_TESTS_POINTWISE_EXPECT_H

#include <math.h>
#include <stdbool.h>

#include "kernel/pointwise/facts.h"
#include "kernel/pointwise/pointwise.h"

/* What no function gives: there is nothing to expect. */
#define EXPECT_NOTHING 1234567891.0

static inline double expect_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static inline double expect_sum(double x) /* of the normal distribution */
{
    return erfc(-x / sqrt(2)) / 2;
}

static inline double expect_slope(double x) /* of gelu's 2u */
{
    return 2 * sqrt(2 / acos(-1)) * (1 + 3 * 0.044715 * x * x);
}

static inline double expect_bent(double x) /* 2u */
{
    return 2 * sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x);
}

static inline double expect_rough(double x) /* sigmoid(2u) */
{
    return expect_sigmoid(expect_bent(x));
}

/* x sigmoid(v), where exp(-v) may be more than a double holds. */
static inline double expect_gate(double x, double v)
{
    return (double)((long double)x / (1 + expl(-(long double)v)));
}

static inline double expect_remainder(double x, double y)
{
    const double rest = fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline double expect_floor_divide(double x, double y)
{
    if (y == 0 || isnan(x) || isnan(y) || isinf(x))
        return isinf(x) && y != 0 ? (double)NAN : x / y;
    if (isinf(y))
        return x != 0 && (x < 0) != (y < 0) ? -1 : 0;
    return floor((x - expect_remainder(x, y)) / y + 0.5);
}

static inline double expect_max(double x, double y)
{
    return isnan(x) || x >= y ? x : y;
}

static inline double expect_min(double x, double y)
{
    return isnan(x) || x <= y ? x : y;
}

static inline double expect_log_sum(double x, double y)
{
    if (isnan(x) || isnan(y))
        return (double)NAN;
    if (x == y && isinf(x))
        return x;
    return fmax(x, y) + log1p(exp(-fabs(x - y)));
}

/* By halves, until there is nothing between. */
static inline double expect_erfinv(double x)
{
    const double a = fabs(x);
    double low = 0, high = 6;
    if (isnan(x) || a > 1)
        return (double)NAN;
    if (a == 1 || a == 0)
        return a == 0 ? x : x * (double)INFINITY;
    for (int i = 0; i < 1100; i++) {
        const double y = (low + high) / 2;
        if (a < 0.5 ? erf(y) < a : erfc(y) > 1 - a)
            low = y;
        else
            high = y;
    }
    return copysign(high, x);
}

/* Derivatives of log gamma where they are no numbers: false elsewhere. */
static inline bool is_pole(double n, double x, double *value)
{
    const bool odd = fmod(n, 2) != 0;
    const bool pole = (x <= 0 && x == floor(x)) || isinf(x);
    *value = odd ? (double)INFINITY : -(double)INFINITY;
    if (n == 0)
        *value = x == 0  ? copysign((double)INFINITY, -x)
                 : x > 0 ? x
                         : (double)NAN;
    else if (isinf(x) && x > 0)
        *value = odd ? 0.0 : -0.0;
    else if (isinf(x) && n == 1)
        *value = (double)NAN;
    return pole;
}

/* Derivatives of log gamma: steps up to where a series of few terms is enough.
 * Of order 0 the series begins with a logarithm. */
static inline double expect_polygamma(double n, double x)
{
    static const long double bernoulli[] = {1 / 6.0L, -1 / 30.0L, 1 / 42.0L,
                                            -1 / 30.0L, 5 / 66.0L};
    const long double factorial = tgammal(n + 1);
    long double sum = 0, y = x;
    double found;
    if (is_pole(n, x, &found))
        return found;
    for (; y < 30; y += 1)
        sum += factorial * powl(y, -n - 1);
    sum += n == 0 ? -logl(y) : factorial / n * powl(y, -n);
    sum += factorial / 2 * powl(y, -n - 1);
    for (int k = 1; k <= 5; k++)
        sum += bernoulli[k - 1] * tgammal(2 * k + n) / tgammal(2 * k + 1) *
               powl(y, -2 * k - n);
    found = (double)sum;
    return fmod(n, 2) == 0 ? -found : found;
}

static inline double expect_arithmetic(dti_pointwise function, const double *x)
{
    switch (function) {
    case DTI_ADD:
        return x[0] + x[1];
    case DTI_SUB:
        return x[0] - x[1];
    case DTI_MUL:
        return x[0] * x[1];
    case DTI_DIV:
        return x[0] / x[1];
    case DTI_DIV_FLOOR:
        return expect_floor_divide(x[0], x[1]);
    case DTI_DIV_TRUNC:
        return trunc(x[0] / x[1]);
    case DTI_REMAINDER:
        return expect_remainder(x[0], x[1]);
    case DTI_FMOD:
        return fmod(x[0], x[1]);
    case DTI_POW:
        return pow(x[0], x[1]);
    case DTI_MAXIMUM:
        return expect_max(x[0], x[1]);
    case DTI_MINIMUM:
        return expect_min(x[0], x[1]);
    case DTI_FMAX:
        return fmax(x[0], x[1]);
    case DTI_FMIN:
        return fmin(x[0], x[1]);
    case DTI_COPYSIGN:
        return copysign(x[0], x[1]);
    case DTI_BITWISE_AND:
        return (double)((long long)x[0] & (long long)x[1]);
    case DTI_BITWISE_OR:
        return (double)((long long)x[0] | (long long)x[1]);
    case DTI_BITWISE_XOR:
        return (double)((long long)x[0] ^ (long long)x[1]);
    case DTI_SHIFT_LEFT:
        return x[1] < 0 ? 0 : x[0] * pow(2, x[1]);
    case DTI_SHIFT_RIGHT:
        return x[1] < 0 ? (x[0] < 0 ? -1 : 0) : floor(x[0] / pow(2, x[1]));
    case DTI_ADD_SCALED:
        return x[0] + x[1] * x[2];
    case DTI_LERP_NUMBER:
    case DTI_LERP:
        return fabs(x[2]) < 0.5 ? x[0] + x[2] * (x[1] - x[0])
                                : x[1] - (x[1] - x[0]) * (1 - x[2]);
    case DTI_ADDCMUL:
        return x[0] + x[3] * x[1] * x[2];
    case DTI_ADDCDIV:
        return x[0] + x[3] * x[1] / x[2];
    case DTI_CLAMP:
    case DTI_CLAMP_TO:
        return expect_min(expect_max(x[0], x[1]), x[2]);
    case DTI_WHERE:
        return x[0] != 0 ? x[1] : x[2];
    default:
        return EXPECT_NOTHING;
    }
}

static inline double expect_truth(dti_pointwise function, const double *x)
{
    switch (function) {
    case DTI_EQ:
        return x[0] == x[1];
    case DTI_NE:
        return x[0] != x[1];
    case DTI_LT:
        return x[0] < x[1];
    case DTI_LE:
        return x[0] <= x[1];
    case DTI_GT:
        return x[0] > x[1];
    case DTI_GE:
        return x[0] >= x[1];
    case DTI_AND:
        return x[0] != 0 && x[1] != 0;
    case DTI_OR:
        return x[0] != 0 || x[1] != 0;
    case DTI_XOR:
        return (x[0] != 0) != (x[1] != 0);
    case DTI_NOT:
        return x[0] == 0;
    case DTI_IS_NAN:
        return isnan(x[0]);
    case DTI_IS_INF:
        return isinf(x[0]) != 0;
    case DTI_IS_FINITE:
        return isfinite(x[0]);
    case DTI_IS_POSINF:
        return x[0] == (double)INFINITY;
    case DTI_IS_NEGINF:
        return x[0] == -(double)INFINITY;
    case DTI_SIGNBIT:
        return signbit(x[0]) != 0;
    default:
        return EXPECT_NOTHING;
    }
}

static inline double expect_simple(dti_pointwise function, const double *x)
{
    switch (function) {
    case DTI_NEG:
        return -x[0];
    case DTI_ABS:
        return fabs(x[0]);
    case DTI_RECIPROCAL:
        return 1 / x[0];
    case DTI_SQUARE:
        return x[0] * x[0];
    case DTI_CUBE:
        return x[0] * x[0] * x[0];
    case DTI_RELU:
        return x[0] < 0 ? 0 : x[0];
    case DTI_SIGN:
        return (x[0] > 0) - (x[0] < 0);
    case DTI_FLOOR:
        return floor(x[0]);
    case DTI_CEIL:
        return ceil(x[0]);
    case DTI_TRUNC:
        return trunc(x[0]);
    case DTI_ROUND:
        return rint(x[0]);
    case DTI_FRAC:
        return x[0] - trunc(x[0]);
    case DTI_BITWISE_NOT:
        return -1 - x[0];
    case DTI_ROUND_AT:
        return rint(x[0] * x[1]) / x[1];
    case DTI_ROUND_ABOVE:
        return rint(x[0] / x[1]) * x[1];
    case DTI_THRESHOLD:
        return x[0] <= x[1] ? x[2] : x[0];
    case DTI_NAN_TO_NUM:
        return isnan(x[0])   ? x[1]
               : isinf(x[0]) ? (x[0] > 0 ? x[2] : x[3])
                             : x[0];
    default:
        return EXPECT_NOTHING;
    }
}

static inline double expect_real(dti_pointwise function, const double *x)
{
    static double (*const library[DTI_POINTWISE_COUNT])(double) = {
        [DTI_SQRT] = sqrt,
        [DTI_EXP] = exp,
        [DTI_EXP2] = exp2,
        [DTI_EXPM1] = expm1,
        [DTI_LOG] = log,
        [DTI_LOG2] = log2,
        [DTI_LOG10] = log10,
        [DTI_LOG1P] = log1p,
        [DTI_SIN] = sin,
        [DTI_COS] = cos,
        [DTI_TAN] = tan,
        [DTI_ASIN] = asin,
        [DTI_ACOS] = acos,
        [DTI_ATAN] = atan,
        [DTI_SINH] = sinh,
        [DTI_COSH] = cosh,
        [DTI_TANH] = tanh,
        [DTI_ASINH] = asinh,
        [DTI_ACOSH] = acosh,
        [DTI_ATANH] = atanh,
        [DTI_ERF] = erf,
        [DTI_ERFC] = erfc,
        [DTI_SIGMOID] = expect_sigmoid,
    };
    const double pi = acos(-1);
    if (library[function])
        return library[function](x[0]);
    switch (function) {
    case DTI_RSQRT:
        return 1 / sqrt(x[0]);
    case DTI_SINC:
        return x[0] == 0 ? 1 : sin(pi * x[0]) / (pi * x[0]);
    case DTI_LOGIT:
        return log(x[0] / (1 - x[0]));
    case DTI_LOGIT_WITHIN: {
        const double low = x[0] < x[1] ? x[1] : x[0];
        const double y = low > 1 - x[1] ? 1 - x[1] : low;
        return log(y / (1 - y));
    }
    case DTI_ERFINV:
        return expect_erfinv(x[0]);
    case DTI_NDTR:
        return expect_sum(x[0]);
    case DTI_LOG_GAMMA:
        return lgamma(x[0]);
    case DTI_DIGAMMA:
        return expect_polygamma(0, x[0]);
    case DTI_TRIGAMMA:
        return expect_polygamma(1, x[0]);
    case DTI_POLYGAMMA:
        return x[0] == -(double)INFINITY ? -x[0] : expect_polygamma(x[1], x[0]);
    case DTI_ENTROPY:
        return x[0] == 0 ? 0 : x[0] < 0 ? -(double)INFINITY : -x[0] * log(x[0]);
    case DTI_XLOG1PY:
        return isnan(x[1]) ? x[1] : x[0] == 0 ? 0 : x[0] * log1p(x[1]);
    case DTI_ANGLE:
        return isnan(x[0]) ? x[0] : x[0] < 0 ? pi : 0;
    case DTI_HYPOT:
        return hypot(x[0], x[1]);
    case DTI_ATAN2:
        return atan2(x[0], x[1]);
    case DTI_LOGADDEXP:
        return expect_log_sum(x[0], x[1]);
    case DTI_LOGADDEXP2:
        return expect_log_sum(x[0] * log(2), x[1] * log(2)) / log(2);
    case DTI_XLOGY:
        return isnan(x[1]) ? x[1] : x[0] == 0 ? 0 : x[0] * log(x[1]);
    default:
        return EXPECT_NOTHING;
    }
}

static inline double expect_activation(dti_pointwise function, const double *x)
{
    const double straight = fmin(fmax(x[0] + 3, 0), 6) / 6;
    switch (function) {
    case DTI_SILU:
        return expect_gate(x[0], x[0]);
    case DTI_GELU:
        return x[0] * expect_sum(x[0]);
    case DTI_GELU_TANH:
        return expect_gate(x[0], expect_bent(x[0]));
    case DTI_MISH:
        return x[0] * tanh(log1p(exp(x[0])));
    case DTI_HARDSWISH:
        return isnan(x[0]) ? x[0] : x[0] * straight;
    case DTI_HARDSIGMOID:
        return isnan(x[0]) ? x[0] : straight;
    case DTI_LOG_SIGMOID:
        return (x[0] < 0 ? x[0] : 0) - log1p(exp(-fabs(x[0])));
    case DTI_SOFTSIGN:
        return x[0] / (1 + fabs(x[0]));
    case DTI_LEAKY_RELU:
        return x[0] > 0 ? x[0] : x[1] * x[0];
    case DTI_ELU:
        return x[0] < 0 ? x[1] * expm1(x[3] * x[0]) : x[2] * x[0];
    case DTI_SOFTPLUS:
        return x[0] * x[1] > x[2] ? x[0] : log1p(exp(x[0] * x[1])) / x[1];
    case DTI_SOFTSHRINK:
        return x[0] > x[1]    ? x[0] - x[1]
               : x[0] < -x[1] ? x[0] + x[1]
                              : 0 * x[0];
    case DTI_HARDSHRINK:
        return fabs(x[0]) <= x[1] ? 0 : x[0];
    case DTI_GLU:
        return x[0] * expect_sigmoid(x[1]);
    default:
        return EXPECT_NOTHING;
    }
}

static inline double expect_gradient(dti_pointwise function, const double *x)
{
    const double grad = x[0], y = x[1], s = expect_sigmoid(y);
    const double t = tanh(log1p(exp(y))), r = expect_rough(y);
    switch (function) {
    case DTI_SIGMOID_BACKWARD:
        return grad * (1 - y) * y;
    case DTI_TANH_BACKWARD:
        return grad * (1 - y * y);
    case DTI_SILU_BACKWARD:
        return grad * s * (1 + y * (1 - s));
    case DTI_GELU_BACKWARD:
        return grad *
               (expect_sum(y) + y * exp(-y * y / 2) / sqrt(2 * acos(-1)));
    case DTI_GELU_TANH_BACKWARD:
        return grad * (r + y * r * (1 - r) * expect_slope(y));
    case DTI_MISH_BACKWARD:
        return grad * (t + y * s * (1 - t * t));
    case DTI_HARDSWISH_BACKWARD:
        return y <= -3 ? 0 : y < 3 ? grad * (y / 3 + 0.5) : grad;
    case DTI_HARDSIGMOID_BACKWARD:
        return y > -3 && y < 3 ? grad / 6 : 0;
    case DTI_LOG_SIGMOID_BACKWARD:
        return grad * expect_sigmoid(-y);
    case DTI_THRESHOLD_BACKWARD:
        return y <= x[2] ? 0 : grad;
    case DTI_LEAKY_RELU_BACKWARD:
        return y > 0 ? grad : grad * x[2];
    case DTI_ELU_BACKWARD:
        return y <= 0 ? grad * x[4] * x[2] * exp(y * x[4]) : grad * x[3];
    case DTI_ELU_RESULT_BACKWARD:
        return y <= 0 ? grad * x[4] * (y + x[2]) : grad * x[3];
    case DTI_SOFTPLUS_BACKWARD:
        return y * x[2] > x[3] ? grad : grad * expect_sigmoid(y * x[2]);
    case DTI_HARDTANH_BACKWARD:
        return y <= x[2] || y >= x[3] ? 0 : grad;
    case DTI_SHRINK_BACKWARD:
        return fabs(y) <= x[2] ? 0 : grad;
    case DTI_LOGIT_BACKWARD:
        return y < 0 || y > 1 ? (double)NAN : grad / fabs(y * (1 - y));
    case DTI_LOGIT_WITHIN_BACKWARD:
        return y < x[2] || y > 1 - x[2] ? 0 : grad / (y * (1 - y));
    case DTI_GATE_BACKWARD:
        return grad * x[2] * s * expect_sigmoid(-y);
    default:
        return EXPECT_NOTHING;
    }
}

/* What a function gives for its inputs, and the numbers behind them. */
static inline double expect_value(dti_pointwise function, const double *x)
{
    double (*const parts[])(dti_pointwise, const double *) = {
        expect_arithmetic, expect_truth,      expect_simple,
        expect_real,       expect_activation, expect_gradient};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double value = parts[i](function, x);
        if (value != EXPECT_NOTHING)
            return value;
    }
    return EXPECT_NOTHING;
}

/* Numbers behind the inputs to try a function with. */
static inline const double *expect_numbers(dti_pointwise function)
{
    static const double usual[] = {1, 3, 2}, half[] = {0.5, 20, 1},
                        bounds[] = {0.25, 0.75, 0};
    switch (function) {
    case DTI_LOGIT_WITHIN:
    case DTI_LOGIT_WITHIN_BACKWARD:
        return bounds;
    case DTI_LEAKY_RELU:
    case DTI_LEAKY_RELU_BACKWARD:
    case DTI_SOFTPLUS:
    case DTI_SOFTPLUS_BACKWARD:
        return half;
    default:
        return usual;
    }
}

#endif
