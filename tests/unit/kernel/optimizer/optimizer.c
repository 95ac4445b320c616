/* tests/unit/kernel/optimizer/optimizer.c - steps of optimisers against plain
 * loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/optimizer/optimizer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array/cast.h"
#include "support/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Elements of the longest run, with one of each vector and ragged ends; and
 * room for elements beside them, which nobody may touch. */
enum { MOST = 1100, SPARE = 8, ITEM = 8, TENSORS = 5 };

static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
static const int64_t counts[] = {0, 1, 3, 7, 8, 17, 33, 511, 513, MOST};

/* self, grad, mean, square, max_square; or self, grad, momentum. */
typedef struct tensors {
    _Alignas(64) char data[TENSORS][(MOST + 2 * SPARE) * ITEM];
} tensors;

static double unit_of(dt_dtype dtype)
{
    return dtype == DT_F64    ? DBL_EPSILON
           : dtype == DT_F16  ? 0x1p-10
           : dtype == DT_BF16 ? 0x1p-7
                              : (double)FLT_EPSILON;
}

static double number_at(const char *data, dt_dtype dtype, int64_t at)
{
    double value;
    dti_cast(data + (size_t)at * dt_dtype_size(dtype), dtype, &value, DT_F64,
             1);
    return value;
}

/* Squares are not negative. */
static void fill(tensors *out, dt_dtype dtype)
{
    for (int t = 0; t < TENSORS; t++)
        for (int64_t i = 0; i < MOST + 2 * SPARE; i++) {
            double value =
                (double)((i * 37 + t * 11 + 5) % 41) / 16 - 1.25 + t * 0.01;
            if (t > 2)
                value = fabs(value);
            dti_cast(&value, DT_F64,
                     out->data[t] + (size_t)i * dt_dtype_size(dtype), dtype, 1);
        }
}

/* ---- Adam --------------------------------------------------------------- */

static const dti_adam adams[] = {
    {.lr = 0.125, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .step = 1},
    {.lr = 0.01,
     .beta1 = 0.9,
     .beta2 = 0.99,
     .eps = 1e-3,
     .step = 7,
     .weight_decay = 0.5,
     .decoupled = true},
    {.lr = 0.01,
     .beta1 = 0.25,
     .beta2 = 0.5,
     .eps = 1e-3,
     .step = 100,
     .weight_decay = 0.25,
     .maximize = true},
    {.lr = 0.5, .beta1 = 0, .beta2 = 0, .eps = 0.125, .step = 3},
};

/* What becomes of one element: parameter, mean, square, largest square. */
static void adam_by_hand(const dti_adam *how, bool amsgrad, double *x)
{
    double grad = how->maximize ? -x[1] : x[1];
    if (how->decoupled)
        x[0] *= 1 - how->lr * how->weight_decay;
    else
        grad += x[0] * how->weight_decay;
    x[2] = how->beta1 * x[2] + (1 - how->beta1) * grad;
    x[3] = how->beta2 * x[3] + (1 - how->beta2) * grad * grad;
    if (x[3] > x[4])
        x[4] = x[3];
    const double square = amsgrad ? x[4] : x[3];
    const double mean = x[2] / (1 - pow(how->beta1, how->step));
    const double root = sqrt(square / (1 - pow(how->beta2, how->step)));
    x[0] -= how->lr * mean / (root + how->eps);
}

static void run_adam(int level, dt_dtype dtype, const dti_adam *how,
                     bool amsgrad, const tensors *from, tensors *to,
                     int64_t first, int64_t count)
{
    const size_t at = (size_t)first * dt_dtype_size(dtype);
    const dti_adam_data data = {
        from->data[0] + at,
        from->data[1] + at,
        from->data[2] + at,
        from->data[3] + at,
        amsgrad ? from->data[4] + at : NULL,
        to->data[0] + at,
        to->data[2] + at,
        to->data[3] + at,
        amsgrad ? to->data[4] + at : NULL,
    };
    dti_adam_step_at((dti_cpu_level)level, dtype, how, &data, count);
}

static void check_adam(const dti_adam *how, dt_dtype dtype, bool amsgrad,
                       const tensors *before, const tensors *after)
{
    const double unit = unit_of(dtype);
    for (int64_t i = 0; i < MOST; i++) {
        double x[TENSORS];
        for (int t = 0; t < TENSORS; t++)
            x[t] = number_at(before->data[t], dtype, SPARE + i);
        adam_by_hand(how, amsgrad, x);
        for (int t = 0; t < TENSORS; t++) {
            const double found = number_at(after->data[t], dtype, SPARE + i);
            if (t == 4 && !amsgrad)
                continue;
            if (!CHECKF(fabs(found - x[t]) <= 8 * unit * (fabs(x[t]) + 1),
                        "tensor %d of %s, element %d: %.17g, not %.17g", t,
                        dt_dtype_name(dtype), (int)i, found, x[t]))
                return;
        }
    }
}

static void adam_steps(dt_world *world)
{
    static tensors before, after;
    (void)world;
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (size_t a = 0; a < COUNT_OF(adams); a++)
            for (int amsgrad = 0; amsgrad < 2; amsgrad++) {
                fill(&before, dtypes[d]);
                after = before;
                run_adam((int)dti_cpu_detect(), dtypes[d], &adams[a], amsgrad,
                         &before, &after, SPARE, MOST);
                check_adam(&adams[a], dtypes[d], amsgrad, &before, &after);
            }
}

/* In place or not, at every level, wherever a run begins and ends. */
static void adam_gives_the_same_bits(dt_world *world)
{
    static tensors before, whole, other;
    (void)world;
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (size_t a = 0; a < COUNT_OF(adams); a++) {
            const bool amsgrad = a & 1;
            fill(&before, dtypes[d]);
            whole = before;
            run_adam(0, dtypes[d], &adams[a], amsgrad, &before, &whole, SPARE,
                     MOST);
            for (int level = 0; level <= (int)dti_cpu_detect(); level++)
                for (size_t c = 0; c < COUNT_OF(counts); c++) {
                    const int64_t start = SPARE + (int64_t)c % 5;
                    const int64_t count =
                        counts[c] < MOST - 5 ? counts[c] : MOST - 5;
                    other = before;
                    run_adam(level, dtypes[d], &adams[a], amsgrad, &other,
                             &other, SPARE, start - SPARE);
                    run_adam(level, dtypes[d], &adams[a], amsgrad, &other,
                             &other, start, count);
                    run_adam(level, dtypes[d], &adams[a], amsgrad, &other,
                             &other, start + count,
                             SPARE + MOST - start - count);
                    CHECKF(memcmp(&other, &whole, sizeof other) == 0,
                           "case %d of %s, level %d, count %d", (int)a,
                           dt_dtype_name(dtypes[d]), level, (int)count);
                }
        }
}

static void keeps_nan(dt_world *world)
{
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        float self[20], grad[20], mean[20], square[20], largest[20];
        const dti_adam_data data = {self, grad, mean,   square, largest,
                                    self, mean, square, largest};
        for (int i = 0; i < 20; i++)
            self[i] = grad[i] = mean[i] = square[i] = largest[i] = 1;
        grad[3] = NAN;
        largest[5] = NAN;
        dti_adam_step_at((dti_cpu_level)level, DT_F32, &adams[0], &data, 20);
        for (int i = 0; i < 20; i++) {
            CHECK(!!isnan(self[i]) == (i == 3 || i == 5));
            CHECK(!!isnan(mean[i]) == (i == 3));
            CHECK(!!isnan(largest[i]) == (i == 3 || i == 5));
        }
    }
}

/* ---- Gradient descent --------------------------------------------------- */

static const struct {
    dti_sgd how;
    bool moves;
} descents[] = {
    {{.lr = 0.25}, false},
    {{.lr = 0.25, .weight_decay = 0.5, .maximize = true}, false},
    {{.lr = 0.25, .momentum = 0.5, .first = true}, true},
    {{.lr = 0.25, .momentum = 0.5, .first = true, .nesterov = true}, true},
    {{.lr = 0.125, .momentum = 0.9, .dampening = 0.25}, true},
    {{.lr = 0.125, .momentum = 0.9, .weight_decay = 0.25}, true},
    {{.lr = 0.125, .momentum = 0.9, .weight_decay = 0.25, .nesterov = true},
     true},
};

static void sgd_by_hand(const dti_sgd *how, bool moves, double *x)
{
    double grad = how->maximize ? -x[1] : x[1];
    grad += x[0] * how->weight_decay;
    if (moves) {
        x[2] = how->first ? grad
                          : how->momentum * x[2] + (1 - how->dampening) * grad;
        grad = how->nesterov ? grad + how->momentum * x[2] : x[2];
    }
    x[0] -= how->lr * grad;
}

static void run_sgd(int level, dt_dtype dtype, size_t which,
                    const tensors *from, tensors *to, int64_t first,
                    int64_t count)
{
    const size_t at = (size_t)first * dt_dtype_size(dtype);
    const bool moves = descents[which].moves;
    const dti_sgd_data data = {from->data[0] + at, from->data[1] + at,
                               moves ? from->data[2] + at : NULL,
                               to->data[0] + at,
                               moves ? to->data[2] + at : NULL};
    dti_sgd_step_at((dti_cpu_level)level, dtype, &descents[which].how, &data,
                    count);
}

static void sgd_steps(dt_world *world)
{
    static tensors before, after, other;
    (void)world;
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (size_t s = 0; s < COUNT_OF(descents); s++) {
            fill(&before, dtypes[d]);
            after = before;
            run_sgd(0, dtypes[d], s, &before, &after, SPARE, MOST);
            for (int64_t i = SPARE; i < SPARE + MOST; i++) {
                double x[3];
                for (int t = 0; t < 3; t++)
                    x[t] = number_at(before.data[t], dtypes[d], i);
                sgd_by_hand(&descents[s].how, descents[s].moves, x);
                for (int t = 0; t < 3; t++)
                    CHECK(fabs(number_at(after.data[t], dtypes[d], i) - x[t]) <=
                          8 * unit_of(dtypes[d]) * (fabs(x[t]) + 1));
            }
            for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
                other = before;
                run_sgd(level, dtypes[d], s, &other, &other, SPARE, 13);
                run_sgd(level, dtypes[d], s, &other, &other, SPARE + 13,
                        MOST - 13);
                CHECKF(memcmp(&other, &after, sizeof other) == 0,
                       "case %d of %s, level %d", (int)s,
                       dt_dtype_name(dtypes[d]), level);
            }
        }
}

/* ---- Scaled gradients --------------------------------------------------- */

static void finds_what_is_not_finite(dt_world *world)
{
    static tensors values, same;
    const double bad[] = {INFINITY, -INFINITY, NAN};
    (void)world;
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (int level = 0; level <= (int)dti_cpu_detect(); level++)
            for (size_t c = 0; c < COUNT_OF(counts); c++) {
                const size_t size = dt_dtype_size(dtypes[d]);
                char *at = values.data[0] + SPARE * size;
                fill(&values, dtypes[d]);
                same = values;
                CHECK(!dti_unscale_at((dti_cpu_level)level, dtypes[d], at, 0.5,
                                      at, counts[c]));
                for (int64_t i = 0; i < counts[c]; i++)
                    CHECK(number_at(at, dtypes[d], i) ==
                          number_at(same.data[0], dtypes[d], SPARE + i) / 2);
            }
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (int level = 0; level <= (int)dti_cpu_detect(); level++)
            for (int64_t place = 0; place < 40; place++) {
                const size_t size = dt_dtype_size(dtypes[d]);
                fill(&values, dtypes[d]);
                dti_cast(&bad[place % 3], DT_F64,
                         values.data[0] + (size_t)place * size, dtypes[d], 1);
                CHECK(dti_unscale_at((dti_cpu_level)level, dtypes[d],
                                     values.data[0], 2, values.data[0], 40));
                CHECK(!isfinite(number_at(values.data[0], dtypes[d], place)));
            }
}

const dt_test dt_tests[] = {
    {"Adam steps", adam_steps},
    {"Adam gives the same bits", adam_gives_the_same_bits},
    {"Adam keeps NaN", keeps_nan},
    {"gradient descent steps", sgd_steps},
    {"finds what is not finite", finds_what_is_not_finite},
    {NULL, NULL},
};
