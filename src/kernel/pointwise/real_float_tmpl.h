/* kernel/pointwise/real_float_tmpl.h - functions of reals, of floats. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * names for helpers: SINC, LOGIT_WITHIN, LOGADDEXP, LOGADDEXP2, XLOGY,
 * ENTROPY.
 */

#define ANGLE(x) ((x) * (T)3.14159265358979323846)

static inline T SINC(T x, T sine)
{
    return CHOOSE(x == 0, (T)1, sine / ANGLE(x));
}

static inline T LOGIT_WITHIN(T x, T eps)
{
    const T low = CHOOSE(x < eps, eps, x);
    const T inside = CHOOSE(x > 1 - eps, 1 - eps, low);
    return LOG(inside / (1 - inside));
}

/* Two infinities of one sign have no difference, and are their sum. */
static inline T LOGADDEXP(T x, T y)
{
    const T more = x >= y ? x : y;
    const T sum = more + LOG1P(EXP(-FABS(x - y)));
    const T found = CHOOSE((x == y) & (FABS(x) == (T)INFINITY), x, sum);
    return CHOOSE(x != x, x, found);
}

static inline T LOGADDEXP2(T x, T y)
{
    const T more = x >= y ? x : y;
    const T per_log = (T)1.44269504088896340736;
    const T sum = more + LOG1P(EXP2(-FABS(x - y))) * per_log;
    const T found = CHOOSE((x == y) & (FABS(x) == (T)INFINITY), x, sum);
    return CHOOSE(x != x, x, found);
}

static inline T XLOGY(T x, T y, T log_of_y)
{
    const T product = x * log_of_y;
    return CHOOSE(y != y, y, CHOOSE(x == 0, (T)0, product));
}

static inline T ENTROPY(T x)
{
    const T product = -x * LOG(x);
    const T found = CHOOSE(x == 0, (T)0, product);
    return CHOOSE(x < 0, -(T)INFINITY, found);
}

DTI_FLATTEN static bool NAME(dti_pointwise function, void *out,
                             const void *const *in, const int *steps,
                             int64_t count)
{
    (void)steps;
    switch (function) {
#define R T
    case DTI_SQRT:
#define APPLY(x) SQRT(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RSQRT:
#define APPLY(x) (1 / SQRT(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXP:
#define APPLY(x) EXP(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXP2:
#define APPLY(x) EXP2(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXPM1:
#define APPLY(x) EXPM1(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG:
#define APPLY(x) LOG(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG2:
#define APPLY(x) LOG2(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG10:
#define APPLY(x) LOG10(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG1P:
#define APPLY(x) LOG1P(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIN:
#define APPLY(x) SIN(x)
#define NEAR(x) SIN_NEAR(x)
#define FAR(x) IS_FAR(x)
#include "kernel/pointwise/far_tmpl.h"
        return true;
    case DTI_COS:
#define APPLY(x) COS(x)
#define NEAR(x) COS_NEAR(x)
#define FAR(x) IS_FAR(x)
#include "kernel/pointwise/far_tmpl.h"
        return true;
    case DTI_TAN:
#define APPLY(x) TAN(x)
#define NEAR(x) TAN_NEAR(x)
#define FAR(x) IS_FAR(x)
#include "kernel/pointwise/far_tmpl.h"
        return true;
    case DTI_ASIN:
#define APPLY(x) ASIN(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ACOS:
#define APPLY(x) ACOS(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ATAN:
#define APPLY(x) ATAN(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SINH:
#define APPLY(x) SINH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_COSH:
#define APPLY(x) COSH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_TANH:
#define APPLY(x) TANH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ASINH:
#define APPLY(x) ASINH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ACOSH:
#define APPLY(x) ACOSH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ATANH:
#define APPLY(x) ATANH(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SINC:
#define APPLY(x) SINC(x, SIN(ANGLE(x)))
#define NEAR(x) SINC(x, SIN_NEAR(ANGLE(x)))
#define FAR(x) IS_FAR(ANGLE(x))
#include "kernel/pointwise/far_tmpl.h"
        return true;
    case DTI_ERF:
#define APPLY(x) ERF(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ERFC:
#define APPLY(x) ERFC(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ERFINV:
#define APPLY(x) ERFINV(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_NDTR:
#define APPLY(x) NDTR(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG_GAMMA:
#define APPLY(x) LOG_GAMMA(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_DIGAMMA:
#define APPLY(x) DIGAMMA(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_TRIGAMMA:
#define APPLY(x) TRIGAMMA(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_POLYGAMMA: {
        const T a = NUMBER(1);
#define APPLY(x) POLYGAMMA(x, a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_ENTROPY:
#define APPLY(x) ENTROPY(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ANGLE:
#define APPLY(x) CHOOSE((x) < 0, ANGLE((T)1), CHOOSE((x) != (x), (x), (T)0))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGMOID:
#define APPLY(x) SIGMOID(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOGIT:
#define APPLY(x) LOG((x) / (1 - (x)))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOGIT_WITHIN: {
        const T a = NUMBER(1);
#define APPLY(x) LOGIT_WITHIN(x, a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_HYPOT:
#define APPLY(x, y) HYPOT(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_ATAN2:
#define APPLY(x, y) ATAN2(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_LOGADDEXP:
#define APPLY(x, y) LOGADDEXP(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_LOGADDEXP2:
#define APPLY(x, y) LOGADDEXP2(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_XLOGY:
#define APPLY(x, y) XLOGY(x, y, LOG(y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_XLOG1PY:
#define APPLY(x, y) XLOGY(x, y, LOG1P(y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
#undef R
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef SINC
#undef ANGLE
#undef LOGIT_WITHIN
#undef LOGADDEXP
#undef LOGADDEXP2
#undef XLOGY
#undef ENTROPY
