/* kernel/loss/loss_tmpl.h - the loops of losses, of one type. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: T, the type; EXP, LOG, LOG1P, FABS and
 * SIGMOID, its functions; LOOPS, the name of the table.  The file that includes
 * this is compiled for the instruction set.
 *
 * Each loop is made for each kind of loss: the kind is a constant where the
 * function is inlined.
 */
#include <stddef.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/loss/loss_level.h"
#include "kernel/math/f32.h"
#include "kernel/math/f64.h"

enum { LANES = 32, BLOCK = 1024 };

static inline T larger(T a, T b)
{
    return a > b || a != a ? a : b;
}

static inline T within(T d, T bound)
{
    const T below = d > bound ? bound : d;
    return below < -bound ? -bound : below;
}

static DTI_INLINE T value(dti_loss_kind kind, T x, T y, T q, T bound)
{
    const T d = x - y, far = FABS(d);
    const T near = far > bound ? bound : far;
    switch (kind) {
    case DTI_LOSS_SQUARE:
        return d * d;
    case DTI_LOSS_ABSOLUTE:
        return far;
    case DTI_LOSS_SMOOTH: /* a square up to the bound, and what is above */
        return (T)0.5 * near * near / bound + (far - near);
    case DTI_LOSS_HUBER:
        return (T)0.5 * near * near + bound * (far - near);
    case DTI_LOSS_PROBABILITY:
        return (y - 1) * larger(LOG1P(-x), -100) - y * larger(LOG(x), -100);
    case DTI_LOSS_LOGIT:
        return (1 - y) * x +
               ((q - 1) * y + 1) * (LOG1P(EXP(-FABS(x))) + larger(-x, 0));
    case DTI_LOSS_KL:
        return y * LOG(y + (T)(y == 0)) - y * x; /* 0 log 0 is 0 */
    default:
        return EXP(y) * (y - x);
    }
}

static DTI_INLINE T slope_of(dti_loss_kind kind, T x, T y, T q, T bound)
{
    const T d = x - y;
    switch (kind) {
    case DTI_LOSS_SQUARE:
        return 2 * d;
    case DTI_LOSS_ABSOLUTE:
        return (T)((d > 0) - (d < 0));
    case DTI_LOSS_SMOOTH:
        return within(d, bound) / bound;
    case DTI_LOSS_HUBER:
        return within(d, bound);
    case DTI_LOSS_PROBABILITY:
        return d / larger((1 - x) * x, (T)1e-12f);
    case DTI_LOSS_LOGIT:
        return (1 - y) - ((q - 1) * y + 1) * SIGMOID(-x);
    case DTI_LOSS_KL:
        return -y;
    default:
        return -EXP(y);
    }
}

/* ---- Loops of one kind --------------------------------------------------- */

static inline void multiply(T *to, const T *by, int64_t count)
{
    DTI_INDEPENDENT
    for (int64_t i = 0; i < count; i++)
        to[i] *= by[i];
}

static DTI_INLINE void each_of(dti_loss_kind kind, const dti_loss *loss,
                               int64_t first, int64_t count, T *to)
{
    const T *x = (const T *)loss->x + first, *y = (const T *)loss->y + first;
    const T *weight = loss->weight, *q = loss->q;
    const T bound = (T)loss->bound;
    if (q) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = value(kind, x[i], y[i], q[first + i], bound);
    } else {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < count; i++)
            to[i] = value(kind, x[i], y[i], 1, bound);
    }
    if (weight)
        multiply(to, weight + first, count);
}

static DTI_INLINE double sum_of(dti_loss_kind kind, const dti_loss *loss)
{
    double sum = 0;
    for (int64_t start = 0; start < loss->count; start += BLOCK) {
        T block[BLOCK], lanes[LANES] = {0};
        const int64_t left = loss->count - start;
        const int count = left < BLOCK ? (int)left : BLOCK;
        const int whole = count - count % LANES;
        each_of(kind, loss, start, count, block);
        for (int i = 0; i < whole; i += LANES)
            for (int j = 0; j < LANES; j++)
                lanes[j] += block[i + j];
        for (int i = whole; i < count; i++)
            lanes[i - whole] += block[i];
        for (int half = LANES / 2; half > 0; half /= 2)
            for (int j = 0; j < half; j++)
                lanes[j] += lanes[j + half];
        sum += (double)lanes[0];
    }
    return sum;
}

static DTI_INLINE void slopes_of(dti_loss_kind kind, const dti_loss *loss,
                                 const T *grad, T scale, T *to)
{
    const T *x = loss->x, *y = loss->y, *q = loss->q, *weight = loss->weight;
    const T bound = (T)loss->bound;
    if (q) {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < loss->count; i++)
            to[i] = slope_of(kind, x[i], y[i], q[i], bound) * scale;
    } else {
        DTI_INDEPENDENT
        for (int64_t i = 0; i < loss->count; i++)
            to[i] = slope_of(kind, x[i], y[i], 1, bound) * scale;
    }
    if (weight)
        multiply(to, weight, loss->count);
    if (grad)
        multiply(to, grad, loss->count);
}

/* ---- All kinds ----------------------------------------------------------- */

static void each(const dti_loss *loss, void *out)
{
    const int64_t count = loss->count;
    switch (loss->kind) {
    case DTI_LOSS_SQUARE:
        each_of(DTI_LOSS_SQUARE, loss, 0, count, out);
        break;
    case DTI_LOSS_ABSOLUTE:
        each_of(DTI_LOSS_ABSOLUTE, loss, 0, count, out);
        break;
    case DTI_LOSS_SMOOTH:
        each_of(DTI_LOSS_SMOOTH, loss, 0, count, out);
        break;
    case DTI_LOSS_HUBER:
        each_of(DTI_LOSS_HUBER, loss, 0, count, out);
        break;
    case DTI_LOSS_PROBABILITY:
        each_of(DTI_LOSS_PROBABILITY, loss, 0, count, out);
        break;
    case DTI_LOSS_LOGIT:
        each_of(DTI_LOSS_LOGIT, loss, 0, count, out);
        break;
    case DTI_LOSS_KL:
        each_of(DTI_LOSS_KL, loss, 0, count, out);
        break;
    default:
        each_of(DTI_LOSS_KL_LOG, loss, 0, count, out);
    }
}

static double sum(const dti_loss *loss)
{
    switch (loss->kind) {
    case DTI_LOSS_SQUARE:
        return sum_of(DTI_LOSS_SQUARE, loss);
    case DTI_LOSS_ABSOLUTE:
        return sum_of(DTI_LOSS_ABSOLUTE, loss);
    case DTI_LOSS_SMOOTH:
        return sum_of(DTI_LOSS_SMOOTH, loss);
    case DTI_LOSS_HUBER:
        return sum_of(DTI_LOSS_HUBER, loss);
    case DTI_LOSS_PROBABILITY:
        return sum_of(DTI_LOSS_PROBABILITY, loss);
    case DTI_LOSS_LOGIT:
        return sum_of(DTI_LOSS_LOGIT, loss);
    case DTI_LOSS_KL:
        return sum_of(DTI_LOSS_KL, loss);
    default:
        return sum_of(DTI_LOSS_KL_LOG, loss);
    }
}

static void slope(const dti_loss *loss, const void *grad, double scale,
                  void *out)
{
    const T near = (T)scale;
    switch (loss->kind) {
    case DTI_LOSS_SQUARE:
        slopes_of(DTI_LOSS_SQUARE, loss, grad, near, out);
        break;
    case DTI_LOSS_ABSOLUTE:
        slopes_of(DTI_LOSS_ABSOLUTE, loss, grad, near, out);
        break;
    case DTI_LOSS_SMOOTH:
        slopes_of(DTI_LOSS_SMOOTH, loss, grad, near, out);
        break;
    case DTI_LOSS_HUBER:
        slopes_of(DTI_LOSS_HUBER, loss, grad, near, out);
        break;
    case DTI_LOSS_PROBABILITY:
        slopes_of(DTI_LOSS_PROBABILITY, loss, grad, near, out);
        break;
    case DTI_LOSS_LOGIT:
        slopes_of(DTI_LOSS_LOGIT, loss, grad, near, out);
        break;
    case DTI_LOSS_KL:
        slopes_of(DTI_LOSS_KL, loss, grad, near, out);
        break;
    default:
        slopes_of(DTI_LOSS_KL_LOG, loss, grad, near, out);
    }
}

const dti_loss_loops LOOPS = {
    .each = each,
    .sum = sum,
    .slope = slope,
};

#undef LOOPS
#undef EXP
#undef LOG
#undef LOG1P
#undef FABS
#undef SIGMOID
#undef T
