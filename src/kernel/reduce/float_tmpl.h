/* kernel/reduce/float_tmpl.h - what is done with two arrays of floats. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type of elements; BITS, the unsigned
 * integer of its size; CANONICAL, LESSER and GREATER, names for helpers; SUM,
 * PRODUCT, MINIMUM, MAXIMUM and DIVIDE, names of the functions.
 */

/* The number, or the one NaN that reductions give. */
static inline T CANONICAL(T x)
{
    return x == x ? x : (T)NAN;
}

/* The smaller number; -0 is smaller than 0; NaN if one is. */
static inline T LESSER(T a, T b)
{
    /* The two differ for zeros of different signs, and where one is NaN. */
    T result = a < b ? a : b;
    const T other = b < a ? b : a;
    BITS x, y;
    memcpy(&x, &result, sizeof x);
    memcpy(&y, &other, sizeof y);
    x |= y;
    memcpy(&result, &x, sizeof result);
    return a == a && b == b ? result : (T)NAN;
}

/* The larger number; 0 is larger than -0; NaN if one is. */
static inline T GREATER(T a, T b)
{
    T result = a > b ? a : b;
    const T other = b > a ? b : a;
    BITS x, y;
    memcpy(&x, &result, sizeof x);
    memcpy(&y, &other, sizeof y);
    x &= y;
    memcpy(&result, &x, sizeof result);
    return a == a && b == b ? result : (T)NAN;
}

#define NAME SUM
#define COMBINE(a, b) CANONICAL((a) + (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME PRODUCT
#define COMBINE(a, b) CANONICAL((a) * (b))
#include "kernel/reduce/loop_tmpl.h"

#define NAME MINIMUM
#define COMBINE(a, b) LESSER(a, b)
#include "kernel/reduce/loop_tmpl.h"

#define NAME MAXIMUM
#define COMBINE(a, b) GREATER(a, b)
#include "kernel/reduce/loop_tmpl.h"

/* Divide elements in place.  A power of two has an exact inverse, and to
 * multiply by it gives the same bits sooner. */
static void DIVIDE(void *array, int64_t count, int divisor)
{
    unsigned char *bytes = array;
    const bool exact = (divisor & (divisor - 1)) == 0;
    const T by = exact ? 1 / (T)divisor : (T)divisor;
    for (int64_t i = 0; i < count; i++) {
        T value;
        memcpy(&value, bytes + i * (int64_t)sizeof value, sizeof value);
        value = exact ? value * by : value / by;
        memcpy(bytes + i * (int64_t)sizeof value, &value, sizeof value);
    }
}

#undef T
#undef BITS
#undef CANONICAL
#undef LESSER
#undef GREATER
#undef SUM
#undef PRODUCT
#undef MINIMUM
#undef MAXIMUM
#undef DIVIDE
