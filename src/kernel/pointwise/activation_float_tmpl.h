/* kernel/pointwise/activation_float_tmpl.h - activations, of floats. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * names for helpers: MISH, STRAIGHT, LOG_SIGMOID, SOFTPLUS, SOFTSHRINK,
 * SILU_BACKWARD, GELU_BACKWARD, GELU_TANH_BACKWARD, MISH_BACKWARD,
 * HARDSWISH_BACKWARD, LOG_SIGMOID_BACKWARD, LOGIT_BACKWARD,
 * GATE_BACKWARD.
 */

static inline T MISH(T x)
{
    return x * TANH(LOG1P(EXP(x)));
}

/* Six times the part of a straight line. */
static inline T STRAIGHT(T x)
{
    const T moved = x + 3;
    const T above = CHOOSE(moved < 0, (T)0, moved);
    return CHOOSE(above > 6, (T)6, above);
}

static inline T LOG_SIGMOID(T x)
{
    return CHOOSE(x < 0, x, (T)0) - LOG1P(EXP(-FABS(x)));
}

static inline T SOFTPLUS(T x, T beta, T threshold)
{
    return CHOOSE(x * beta > threshold, x, LOG1P(EXP(x * beta)) / beta);
}

static inline T SOFTSHRINK(T x, T lambda)
{
    const T below = CHOOSE(x < -lambda, x + lambda, (T)0 * x);
    return CHOOSE(x > lambda, x - lambda, below);
}

static inline T SILU_BACKWARD(T grad, T x)
{
    const T sigmoid = SIGMOID(x);
    return grad * sigmoid * (1 + x * (1 - sigmoid));
}

/* The distribution function, and x times its density. */
static inline T GELU_BACKWARD(T grad, T x)
{
    const T sum = ERFC(x * (T)-0.70710678118654752440) / 2;
    const T density = EXP(x * x * (T)-0.5) * (T)0.39894228040143267794;
    return grad * (sum + x * density);
}

/* x times sigmoid(2u), where u = sqrt(2/pi) (x + 0.044715 x^3). */
static inline T GELU_TANH_BACKWARD(T grad, T x)
{
    const T root = (T)1.59576912160573071176, cubic = (T)0.044715;
    const T sigmoid = SIGMOID(root * (x + cubic * (x * x * x)));
    const T slope = root * (1 + 3 * cubic * (x * x));
    return grad * (sigmoid + x * sigmoid * (1 - sigmoid) * slope);
}

static inline T MISH_BACKWARD(T grad, T x)
{
    const T tanh = TANH(LOG1P(EXP(x)));
    return grad * (tanh + x * SIGMOID(x) * (1 - tanh * tanh));
}

static inline T HARDSWISH_BACKWARD(T grad, T x)
{
    const T inside = grad * (x / 3 + (T)0.5);
    return CHOOSE(x <= -3, (T)0, CHOOSE(x < 3, inside, grad));
}

static inline T LOG_SIGMOID_BACKWARD(T grad, T x)
{
    return grad * SIGMOID(-x);
}

static inline T LOGIT_BACKWARD(T grad, T x)
{
    return CHOOSE((x < 0) | (x > 1), (T)NAN, grad / FABS(x * (1 - x)));
}

/* The slope of the sigmoid is the same on both sides, and small far out. */
static inline T GATE_BACKWARD(T grad, T x, T value)
{
    const T small = EXP(-FABS(x));
    return small / ((1 + small) * (1 + small)) * value * grad;
}

DTI_FLATTEN static bool NAME(dti_pointwise function, void *out,
                             const void *const *in, const int *steps,
                             int64_t count)
{
    (void)steps;
    switch (function) {
#define R T
    case DTI_SILU:
#define APPLY(x) SILU(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_GELU:
#define APPLY(x) GELU(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_GELU_TANH:
#define APPLY(x) GELU_TANH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_MISH:
#define APPLY(x) MISH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_HARDSWISH:
#define APPLY(x) ((x)*STRAIGHT(x) / 6)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_HARDSIGMOID:
#define APPLY(x) (STRAIGHT(x) / 6)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG_SIGMOID:
#define APPLY(x) LOG_SIGMOID(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SOFTSIGN:
#define APPLY(x) ((x) / (1 + FABS(x)))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LEAKY_RELU: {
        const T a = NUMBER(1);
#define APPLY(x) CHOOSE((x) > 0, x, (x)*a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_ELU: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
        const T c = NUMBER(3);
#define APPLY(x) CHOOSE((x) < 0, EXPM1((x)*c) * a, (x)*b)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_SOFTPLUS: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
#define APPLY(x) SOFTPLUS(x, a, b)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_SOFTSHRINK: {
        const T a = NUMBER(1);
#define APPLY(x) SOFTSHRINK(x, a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_HARDSHRINK: {
        const T a = NUMBER(1);
#define APPLY(x) CHOOSE(((x) >= -a) & ((x) <= a), (T)0, x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_GLU:
#define APPLY(x, y) ((x)*SIGMOID(y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_SIGMOID_BACKWARD:
#define APPLY(x, y) ((x) * (1 - (y)) * (y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_TANH_BACKWARD:
#define APPLY(x, y) ((x) * (1 - (y) * (y)))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_SILU_BACKWARD:
#define APPLY(x, y) SILU_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_GELU_BACKWARD:
#define APPLY(x, y) GELU_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_GELU_TANH_BACKWARD:
#define APPLY(x, y) GELU_TANH_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_MISH_BACKWARD:
#define APPLY(x, y) MISH_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_HARDSWISH_BACKWARD:
#define APPLY(x, y) HARDSWISH_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_HARDSIGMOID_BACKWARD:
#define APPLY(x, y) CHOOSE(((y) > -3) & ((y) < 3), (x) * (T)(1 / 6.0), (T)0)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_LOG_SIGMOID_BACKWARD:
#define APPLY(x, y) LOG_SIGMOID_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_LEAKY_RELU_BACKWARD: {
        const T a = NUMBER(2);
#define APPLY(x, y) CHOOSE((y) > 0, x, (x)*a)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_ELU_BACKWARD: {
        const T a = NUMBER(2);
        const T b = NUMBER(3);
        const T c = NUMBER(4);
#define APPLY(x, y) CHOOSE((y) <= 0, (x)*c * a * EXP((y)*c), (x)*b)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_ELU_RESULT_BACKWARD: {
        const T a = NUMBER(2);
        const T b = NUMBER(3);
        const T c = NUMBER(4);
#define APPLY(x, y) CHOOSE((y) <= 0, (x)*c * ((y) + a), (x)*b)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_SOFTPLUS_BACKWARD: {
        const T a = NUMBER(2);
        const T b = NUMBER(3);
#define APPLY(x, y) CHOOSE((y)*a > b, x, (x)*SIGMOID((y)*a))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_HARDTANH_BACKWARD: {
        const T a = NUMBER(2);
        const T b = NUMBER(3);
#define APPLY(x, y) CHOOSE(((y) <= a) | ((y) >= b), (T)0, x)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_SHRINK_BACKWARD: {
        const T a = NUMBER(2);
#define APPLY(x, y) CHOOSE(((y) >= -a) & ((y) <= a), (T)0, x)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_LOGIT_BACKWARD:
#define APPLY(x, y) LOGIT_BACKWARD(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_LOGIT_WITHIN_BACKWARD: {
        const T a = NUMBER(2);
#define APPLY(x, y)                                                            \
    CHOOSE(((y) < a) | ((y) > 1 - a), (T)0, (x) / FABS((y) * (1 - (y))))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_GATE_BACKWARD:
#define APPLY(x, y, z) GATE_BACKWARD(x, y, z)
#include "kernel/pointwise/three_tmpl.h"
        return true;
#undef R
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef MISH
#undef STRAIGHT
#undef LOG_SIGMOID
#undef SOFTPLUS
#undef SOFTSHRINK
#undef SILU_BACKWARD
#undef GELU_BACKWARD
#undef GELU_TANH_BACKWARD
#undef MISH_BACKWARD
#undef HARDSWISH_BACKWARD
#undef LOG_SIGMOID_BACKWARD
#undef LOGIT_BACKWARD
#undef GATE_BACKWARD
