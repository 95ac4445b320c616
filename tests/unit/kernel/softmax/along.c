/* tests/unit/kernel/softmax/along.c - runs, losses and norms' gradients, by
 * level. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/softmax/along.h"

#include <math.h>
#include <string.h>

#include "kernel/loss/loss.h"
#include "kernel/norm/norm.h"
#include "support/check.h"

enum { MOST = 3000, SHIFT = 3, ROWS = 3 };

static double value_at(int64_t i)
{
    return (double)((i * 37 + 11) % 23) / 8 - 1.2;
}

static const int64_t lengths[] = {0,  1,    5,    31,   32,  33,
                                  64, 1000, 1024, 1025, 2500};

/* Levels that this processor has. */
static int levels(void)
{
    return (int)dti_cpu_level_used() + 1;
}

static bool is_close(double value, double wanted, double size)
{
    return fabs(value - wanted) <= 2e-6 * (fabs(wanted) + size);
}

/* ---- Runs ---------------------------------------------------------------- */

/* What the portable level gives, from an address of its own. */
typedef struct results {
    double most[1], sum[1], dot[1];
    float soft[MOST], logs[MOST], back[MOST], log_back[MOST];
} results;

static void run_all(dti_cpu_level level, const float *x, const float *g,
                    int64_t count, results *out)
{
    const dti_along runs = {DT_F32, 1, count, level};
    dti_along_most(&runs, x, out->most);
    dti_along_exp_sum(&runs, x, out->most, out->sum);
    dti_along_softmax_whole(&runs, false, x, out->soft);
    dti_along_softmax(&runs, true, x, out->most, out->sum, out->logs);
    dti_along_dot(&runs, g, out->soft, out->dot);
    dti_along_softmax_grad(&runs, false, g, out->soft, out->dot, out->back);
    dti_along_dot(&runs, g, NULL, out->dot);
    dti_along_softmax_grad(&runs, true, g, out->logs, out->dot, out->log_back);
}

static void check_softmax(const results *found, int64_t count)
{
    double most = -(double)INFINITY, sum = 0, dot = 0, grads = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, (double)(float)value_at(i));
    for (int64_t i = 0; i < count; i++)
        sum += exp((double)(float)value_at(i) - most);
    for (int64_t i = 0; i < count; i++) {
        const double soft = exp((double)(float)value_at(i) - most) / sum;
        dot += (double)(float)value_at(i + 5) * soft;
        grads += (double)(float)value_at(i + 5);
    }
    CHECK(found->most[0] == most && is_close(found->sum[0], sum, 0));
    for (int64_t i = 0; i < count; i++) {
        const double x = (double)(float)value_at(i);
        const double g = (double)(float)value_at(i + 5);
        const double soft = exp(x - most) / sum;
        CHECK(is_close(found->soft[i], soft, 0));
        CHECK(is_close(found->logs[i], x - most - log(sum), 1));
        CHECK(is_close(found->back[i], (g - dot) * soft, 2 * soft));
        CHECK(is_close(found->log_back[i], g - soft * grads,
                       2 + soft * fabs(grads)));
    }
}

static void runs_of_all_lengths(dt_world *world)
{
    static float x[MOST + SHIFT], g[MOST + SHIFT];
    static results first, other;
    (void)world;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (int level = 0; level < levels(); level++)
            for (int shift = 0; shift < SHIFT; shift++) {
                const int64_t count = lengths[k];
                results *to = level + shift ? &other : &first;
                for (int64_t i = 0; i < count; i++) {
                    x[shift + i] = (float)value_at(i);
                    g[shift + i] = (float)value_at(i + 5);
                }
                memset(to, 0, sizeof *to);
                run_all((dti_cpu_level)level, x + shift, g + shift, count, to);
                if (to == &first)
                    check_softmax(to, count);
                else
                    CHECKF(memcmp(&first, &other, sizeof first) == 0,
                           "level %d gives other bits of %lld elements", level,
                           (long long)count);
            }
}

/* Many short runs together give what each gives alone, NaN and -0 too. */
static void check_many(dti_cpu_level level, dt_dtype dtype, int64_t count,
                       bool logarithm)
{
    enum { RUNS = 75, LONGEST = 40 };
    static double x[RUNS * LONGEST], together[RUNS * LONGEST];
    static double alone[RUNS * LONGEST], in_place[RUNS * LONGEST];
    const int64_t item = dtype == DT_F64 ? 8 : 4;
    const dti_along runs = {dtype, RUNS, count, level};
    const dti_along one = {dtype, 1, count, level};
    for (int64_t i = 0; i < RUNS * count; i++) {
        const double value = i % 301 == 300 ? (double)NAN
                             : i % 83 == 82 ? -(double)INFINITY
                             : i % 7 == 6   ? -0.0
                                            : value_at(i);
        if (dtype == DT_F64)
            x[i] = value;
        else
            ((float *)x)[i] = (float)value;
    }
    memcpy(in_place, x, sizeof x);
    dti_along_softmax_whole(&runs, logarithm, x, together);
    dti_along_softmax_whole(&runs, logarithm, in_place, in_place);
    for (int64_t i = 0; i < RUNS; i++)
        dti_along_softmax_whole(&one, logarithm, (char *)x + i * count * item,
                                (char *)alone + i * count * item);
    for (int64_t i = 0; i < RUNS * count; i++) {
        const char *a = (char *)alone + i * item;
        const double value =
            dtype == DT_F64 ? alone[i] : (double)((float *)alone)[i];
        const bool nan = value != value;
        const double other =
            dtype == DT_F64 ? together[i] : (double)((float *)together)[i];
        CHECK(nan ? other != other
                  : memcmp(a, (char *)together + i * item, (size_t)item) == 0);
        CHECK(nan || memcmp(a, (char *)in_place + i * item, (size_t)item) == 0);
    }
}

static void short_runs_together(dt_world *world)
{
    (void)world;
    for (int64_t count = 1; count <= 40; count++)
        for (int level = 0; level < levels(); level++)
            for (int logarithm = 0; logarithm < 2; logarithm++) {
                check_many((dti_cpu_level)level, DT_F32, count, logarithm);
                check_many((dti_cpu_level)level, DT_F64, count, logarithm);
            }
}

/* ---- Losses -------------------------------------------------------------- */

/* From their definitions. */
static double loss_of(dti_loss_kind kind, double x, double y, double q)
{
    const double far = fabs(x - y), bound = 0.4;
    switch (kind) {
    case DTI_LOSS_SQUARE:
        return far * far;
    case DTI_LOSS_ABSOLUTE:
        return far;
    case DTI_LOSS_SMOOTH:
        return far < bound ? far * far / (2 * bound) : far - bound / 2;
    case DTI_LOSS_HUBER:
        return far < bound ? far * far / 2 : bound * (far - bound / 2);
    case DTI_LOSS_PROBABILITY:
        return -y * fmax(log(x), -100) - (1 - y) * fmax(log1p(-x), -100);
    case DTI_LOSS_LOGIT:
        return -y * q * log(1 / (1 + exp(-x))) -
               (1 - y) * log(1 / (1 + exp(x)));
    case DTI_LOSS_KL:
        return (y > 0 ? y * log(y) : 0) - y * x;
    default:
        return exp(y) * (y - x);
    }
}

static void check_kind(dti_loss_kind kind, dti_cpu_level level, dt_dtype dtype)
{
    enum { COUNT = 1500 };
    static float f32[3][COUNT];
    static double f64[3][COUNT];
    static char each[COUNT * 8], slopes[COUNT * 8];
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        f64[0][i] = (i % 97 + 1) / 100.0;
        f64[1][i] = i % 101 / 100.0;
        f64[2][i] = 0.5 + i % 3;
        for (int k = 0; k < 3; k++)
            f32[k][i] = (float)f64[k][i];
    }
    const bool wide = dtype == DT_F64;
    const dti_loss loss = {.kind = kind,
                           .dtype = dtype,
                           .bound = 0.4,
                           .count = COUNT,
                           .x = wide ? (void *)f64[0] : (void *)f32[0],
                           .y = wide ? (void *)f64[1] : (void *)f32[1],
                           .q = wide ? (void *)f64[2] : (void *)f32[2],
                           .level = level};
    dti_loss_each(&loss, each);
    dti_loss_slope(&loss, NULL, 0.5, slopes);
    for (int i = 0; i < COUNT; i++) {
        const double x = f64[0][i], y = f64[1][i], q = f64[2][i];
        const double wanted = loss_of(kind, x, y, q), step = 1e-6;
        const double slope =
            (loss_of(kind, x + step, y, q) - loss_of(kind, x - step, y, q)) /
            (4 * step);
        const double value =
            wide ? ((double *)(void *)each)[i] : ((float *)(void *)each)[i];
        const double found =
            wide ? ((double *)(void *)slopes)[i] : ((float *)(void *)slopes)[i];
        sum += wanted;
        CHECKF(is_close(value, wanted, 1), "kind %d of %g, %g: %g, not %g",
               kind, x, y, value, wanted);
        CHECKF(fabs(x - y) < 1e-3 || fabs(fabs(x - y) - 0.4) < 1e-3 ||
                   fabs(found - slope) < 1e-4 * (1 + fabs(slope)),
               "slope %d of %g, %g: %g, not %g", kind, x, y, found, slope);
    }
    CHECK(is_close(dti_loss_sum(&loss), sum, COUNT));
}

static void all_losses(dt_world *world)
{
    (void)world;
    for (int kind = 0; kind < DTI_LOSS_KINDS; kind++) {
        for (int level = 0; level < levels(); level++)
            check_kind((dti_loss_kind)kind, (dti_cpu_level)level, DT_F32);
        check_kind((dti_loss_kind)kind, DTI_CPU_PORTABLE, DT_F64);
    }
}

static void probabilities(dt_world *world)
{
    const float good[] = {0, 1, NAN, 0.5f}, bad[] = {0, 1, 1.25f, -1};
    dti_loss loss = {.dtype = DT_F32, .count = 4, .x = good};
    (void)world;
    CHECK_INT(dti_loss_find_wrong(&loss), -1);
    loss.x = bad;
    CHECK_INT(dti_loss_find_wrong(&loss), 2);
}

/* ---- Gradients of norms ---------------------------------------------------
 */

static void check_norm(dti_cpu_level level, int64_t count, bool weighs,
                       float *out, double *factors)
{
    static float g[ROWS * MOST], x[ROWS * MOST], w[MOST];
    double means[ROWS], rstds[ROWS], sums[2 * ROWS];
    for (int64_t i = 0; i < ROWS * count; i++) {
        g[i] = (float)value_at(i + 7);
        x[i] = (float)value_at(i);
    }
    for (int64_t i = 0; i < count; i++)
        w[i] = (float)(1 + i % 3);
    for (int r = 0; r < ROWS; r++) {
        means[r] = 0.25 * r;
        rstds[r] = 0.5 + r;
    }
    const dti_norm_grad grad = {.centred = true,
                                .dtype = DT_F32,
                                .rows = ROWS,
                                .count = count,
                                .whole = count,
                                .g = g,
                                .x = x,
                                .weight = weighs ? w : NULL,
                                .means = means,
                                .rstds = rstds,
                                .level = level};
    dti_norm_grad_sums(&grad, sums);
    dti_norm_grad_rows(&grad, sums, out);
    dti_norm_grad_factors(&grad, factors, factors + count);
    if (level != DTI_CPU_PORTABLE)
        return;
    for (int64_t i = 0; i < count; i++) {
        double weight = 0, bias = 0;
        for (int r = 0; r < ROWS; r++) {
            const double one = g[r * count + i];
            weight += one * (x[r * count + i] - means[r]) * rstds[r];
            bias += one;
        }
        CHECK(is_close(factors[i], weight, 20));
        CHECK(is_close(factors[count + i], bias, 5));
    }
    for (int r = 0; r < ROWS; r++) {
        double a = 0, b = 0;
        for (int64_t i = 0; i < count; i++) {
            const double one = g[r * count + i] * (weighs ? w[i] : 1);
            a += one;
            b += one * (x[r * count + i] - means[r]) * rstds[r];
        }
        for (int64_t i = 0; i < count; i++) {
            const double one = g[r * count + i] * (weighs ? w[i] : 1);
            const double hat = (x[r * count + i] - means[r]) * rstds[r];
            const double wanted =
                rstds[r] * (one - a / (double)count - hat * b / (double)count);
            CHECK(is_close(out[r * count + i], wanted, 40));
        }
    }
}

static void norms_back(dt_world *world)
{
    static float first[ROWS * MOST], other[ROWS * MOST];
    static double factors[2 * MOST], others[2 * MOST];
    (void)world;
    for (size_t k = 1; k < sizeof lengths / sizeof *lengths; k++)
        for (int weighs = 0; weighs < 2; weighs++) {
            const int64_t count = lengths[k];
            const size_t bytes = (size_t)(ROWS * count) * sizeof *first;
            check_norm(DTI_CPU_PORTABLE, count, weighs, first, factors);
            for (int level = 1; level < levels(); level++) {
                check_norm((dti_cpu_level)level, count, weighs, other, others);
                CHECK(memcmp(first, other, bytes) == 0);
                CHECK(memcmp(factors, others,
                             (size_t)(2 * count) * sizeof *factors) == 0);
            }
        }
}

const dt_test dt_tests[] = {
    {"runs of all lengths", runs_of_all_lengths},
    {"short runs together", short_runs_together},
    {"all losses", all_losses},
    {"what is a probability", probabilities},
    {"norms back", norms_back},
    {NULL, NULL},
};
