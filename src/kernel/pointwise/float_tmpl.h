/* kernel/pointwise/float_tmpl.h - the arithmetic of floats. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * NEAR_LIMIT, see below; names for helpers: REMAINDER, FLOOR_DIVIDE, CLAMPED,
 * NUMBERED, BETWEEN, NEAR_QUOTIENT, NEAR_FMOD, NEAR_REMAINDER,
 * NEAR_FLOOR_DIVIDE.
 */

/* What is left has the sign of the divisor. */
static inline T REMAINDER(T x, T y)
{
    const T rest = FMOD(x, y);
    return CHOOSE((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest);
}

/* The quotient without what is left is a whole number but for rounding. */
static inline T FLOOR_DIVIDE(T x, T y)
{
    const T rest = FMOD(x, y);
    const T less = (T)((rest != 0) & ((rest < 0) != (y < 0)));
    const T near = (x - rest) / y - less;
    const T below = FLOOR(near);
    const T whole = below + (T)(near - below > (T)0.5);
    const T quotient = x / y;
    return y == 0 ? quotient : near == 0 ? COPYSIGN((T)0, quotient) : whole;
}

/*
 * The same without calls, for |x/y| < NEAR_LIMIT: the quotient in double, cut
 * to a whole number, is right, and so its product with y and the difference
 * from x. With x and y of 24 bits, a quotient that is no integer is off the
 * next one by 2^-24 at least, which a double shows below 2^28.  For doubles
 * there is no such type, and no quotient is near.
 */
static inline double NEAR_QUOTIENT(T x, T y)
{
    return trunc((double)x / (double)y);
}

static inline T NEAR_FMOD(T x, T y)
{
    const double whole = NEAR_QUOTIENT(x, y);
    const T rest = (T)((double)x - whole * (double)y);
    return CHOOSE(whole == 0, x, COPYSIGN(rest, x));
}

static inline T NEAR_REMAINDER(T x, T y)
{
    const T rest = NEAR_FMOD(x, y);
    return CHOOSE((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest);
}

static inline T NEAR_FLOOR_DIVIDE(T x, T y)
{
    const T rest = NEAR_FMOD(x, y);
    const int less = (rest != 0) & ((rest < 0) != (y < 0));
    const T whole = (T)(NEAR_QUOTIENT(x, y) - (double)less);
    return CHOOSE(whole == 0, COPYSIGN((T)0, x / y), whole);
}

/* NaN wins, that of bounds too. */
static inline T CLAMPED(T x, T low, T high)
{
    const T above = CHOOSE((x >= low) | (x != x), x, low);
    return CHOOSE((above <= high) | (above != above), above, high);
}

static inline T NUMBERED(T x, T nan, T infinity, T negative)
{
    const T finite = CHOOSE(x == (T)INFINITY, infinity, x);
    return CHOOSE(x != x, nan, CHOOSE(x == -(T)INFINITY, negative, finite));
}

/* From the nearer end, so that the ends come out as they are. */
static inline T BETWEEN(T x, T y, T weight)
{
    const T from_x = x + weight * (y - x);
    const T from_y = y - (y - x) * (1 - weight);
    return CHOOSE(FABS(weight) < (T)0.5, from_x, from_y);
}

DTI_FLATTEN static bool NAME(dti_pointwise function, void *out,
                             const void *const *in, const int *steps,
                             int64_t count)
{
    switch (function) {
#include "kernel/pointwise/compare_tmpl.h"
#define R uint8_t
    case DTI_IS_NAN:
#define APPLY(x) ((x) != (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_INF:
#define APPLY(x) (FABS(x) == (T)INFINITY)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_FINITE:
#define APPLY(x) (FABS(x) < (T)INFINITY)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_POSINF:
#define APPLY(x) ((x) == (T)INFINITY)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_IS_NEGINF:
#define APPLY(x) ((x) == -(T)INFINITY)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGNBIT:
#define APPLY(x) (signbit(x) != 0)
#include "kernel/pointwise/one_tmpl.h"
        return true;
#undef R
#define R T
    case DTI_ADD:
#define APPLY(x, y) ((x) + (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) ((x) - (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) ((x) * (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_DIV:
#define APPLY(x, y) ((x) / (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_DIV_FLOOR:
#define APPLY(x, y) FLOOR_DIVIDE(x, y)
#define NEAR(x, y) NEAR_FLOOR_DIVIDE(x, y)
#include "kernel/pointwise/rest_tmpl.h"
        return true;
    case DTI_DIV_TRUNC:
#define APPLY(x, y) TRUNC((x) / (y))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_REMAINDER:
#define APPLY(x, y) REMAINDER(x, y)
#define NEAR(x, y) NEAR_REMAINDER(x, y)
#include "kernel/pointwise/rest_tmpl.h"
        return true;
    case DTI_FMOD:
#define APPLY(x, y) FMOD(x, y)
#define NEAR(x, y) NEAR_FMOD(x, y)
#include "kernel/pointwise/rest_tmpl.h"
        return true;
    case DTI_MAXIMUM:
#define APPLY(x, y) ((x) >= (y) || (x) != (x) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_MINIMUM:
#define APPLY(x, y) ((x) <= (y) || (x) != (x) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_FMAX:
#define APPLY(x, y) ((x) >= (y) || (y) != (y) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_FMIN:
#define APPLY(x, y) ((x) <= (y) || (y) != (y) ? (x) : (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    case DTI_COPYSIGN:
#define APPLY(x, y) COPYSIGN(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_NEG:
#define APPLY(x) (-(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ABS:
#define APPLY(x) FABS(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RECIPROCAL:
#define APPLY(x) (1 / (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SQUARE:
#define APPLY(x) ((x) * (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_CUBE:
#define APPLY(x) ((x) * (x) * (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RELU:
#define APPLY(x) ((x) < 0 ? 0 : (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGN:
#define APPLY(x) (T)(((x) > 0) - ((x) < 0))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_FLOOR:
#define APPLY(x) FLOOR(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_CEIL:
#define APPLY(x) CEIL(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_TRUNC:
#define APPLY(x) TRUNC(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ROUND:
#define APPLY(x) NEAREST(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_FRAC:
#define APPLY(x) ((x)-TRUNC(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ROUND_AT: {
        const T a = NUMBER(1);
#define APPLY(x) (NEAREST((x)*a) / a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_ROUND_ABOVE: {
        const T a = NUMBER(1);
#define APPLY(x) (NEAREST((x) / a) * a)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_CLAMP: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
#define APPLY(x) CLAMPED(x, a, b)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_THRESHOLD: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
#define APPLY(x) ((x) <= a ? b : (x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_NAN_TO_NUM: {
        const T a = NUMBER(1);
        const T b = NUMBER(2);
        const T c = NUMBER(3);
#define APPLY(x) NUMBERED(x, a, b, c)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    }
    case DTI_ADD_SCALED: {
        const T a = NUMBER(2);
#define APPLY(x, y) ((x) + a * (y))
#include "kernel/pointwise/two_tmpl.h"
        return true;
    }
    case DTI_LERP_NUMBER: {
        const T a = NUMBER(2);
#define APPLY(x, y) BETWEEN(x, y, a)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
    case DTI_LERP:
#define APPLY(x, y, z) BETWEEN(x, y, z)
#include "kernel/pointwise/three_tmpl.h"
        return true;
    case DTI_ADDCMUL: {
        const T a = NUMBER(3);
#define APPLY(x, y, z) ((x) + a * (y) * (z))
#include "kernel/pointwise/three_tmpl.h"
        return true;
    }
    case DTI_ADDCDIV: {
        const T a = NUMBER(3);
#define APPLY(x, y, z) ((x) + a * (y) / (z))
#include "kernel/pointwise/three_tmpl.h"
        return true;
    }
    case DTI_CLAMP_TO:
#define APPLY(x, y, z) CLAMPED(x, y, z)
#include "kernel/pointwise/three_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) POW(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_THRESHOLD_BACKWARD: {
        const T a = NUMBER(2);
#define APPLY(x, y) ((y) <= a ? 0 : (x))
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    }
#undef R
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef REMAINDER
#undef FLOOR_DIVIDE
#undef CLAMPED
#undef NUMBERED
#undef BETWEEN
#undef NEAR_LIMIT
#undef NEAR_QUOTIENT
#undef NEAR_FMOD
#undef NEAR_REMAINDER
#undef NEAR_FLOOR_DIVIDE
