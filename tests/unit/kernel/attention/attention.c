/* tests/unit/kernel/attention/attention.c - attention against plain loops in
 * f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/attention/attention.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/cast.h"
#include "base/dtype.h"
#include "support/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 24000 };

/* What is tried. */
typedef struct problem {
    dt_dtype dtype;
    int64_t queries, keys, width, value_width;
    double scale;
    bool causal;
    int64_t position;
    dt_dtype mask_dtype; /* DT_DTYPE_COUNT: none */
    int64_t mask_row, mask_column;
    double kept; /* 1: all */
    int spread;  /* 1: rows are dense; else elements lie so far apart */
} problem;

/* Inputs and results, in f64 and as the kernel has them. */
typedef struct memory {
    double query[MOST], key[MOST], value[MOST], mask[MOST], grad[MOST];
    double out[MOST], logs[MOST];
    double grad_query[MOST], grad_key[MOST], grad_value[MOST];
    double grad_scores[MOST], grad_row[MOST]; /* summed over queries */
    double raw[8][MOST];
} memory;

static double number(unsigned long long *state)
{
    return (double)(dt_test_random(state) % 2001) / 1000 - 1;
}

static double unit_of(dt_dtype dtype)
{
    return dtype == DT_F64    ? DBL_EPSILON
           : dtype == DT_F16  ? 0x1p-10
           : dtype == DT_BF16 ? 0x1p-7
                              : (double)FLT_EPSILON;
}

/* ---- Inputs -------------------------------------------------------------- */

/* Lay numbers apart in a dtype, and keep them as they are in that. */
static void lay(double *values, int64_t count, dt_dtype dtype, int64_t apart,
                void *out)
{
    const size_t item = dti_dtype_size(dtype);
    for (int64_t i = 0; i < count; i++) {
        char *to = (char *)out + (size_t)(i * apart) * item;
        dti_cast(&values[i], DT_F64, to, dtype, 1);
        dti_cast(to, dtype, &values[i], DT_F64, 1);
    }
}

static void draw(double *values, int64_t count, unsigned long long *state)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = number(state);
}

static int64_t mask_count(const problem *p)
{
    return (p->mask_row ? p->queries : 1) * (p->mask_column ? p->keys : 1);
}

static void draw_mask(const problem *p, memory *m, unsigned long long *state)
{
    const int64_t count = mask_count(p);
    for (int64_t i = 0; i < count; i++) {
        m->mask[i] = number(state);
        if (p->mask_dtype == DT_BOOL)
            m->mask[i] = m->mask[i] < 0.6;
        else if (m->mask[i] > 0.7)
            m->mask[i] = -(double)INFINITY;
    }
    /* A query that sees nothing. */
    if (p->mask_row && p->mask_column && p->queries > 2)
        for (int64_t j = 0; j < p->keys; j++)
            m->mask[p->keys + j] =
                p->mask_dtype == DT_BOOL ? 0 : -(double)INFINITY;
    lay(m->mask, count, p->mask_dtype, p->spread, m->raw[3]);
}

static unsigned char keep_one(int64_t index)
{
    unsigned long long state = (unsigned long long)index * 977 + 5;
    return dt_test_random(&state) % 4 != 0;
}

static void keep(const void *arg, int64_t first, int64_t count, int64_t stride,
                 int64_t rows, unsigned char *out)
{
    CHECK(arg == NULL);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < count; i++)
            out[r * count + i] = keep_one(first + r * stride + i);
}

static dti_attention describe(const problem *p, memory *m)
{
    unsigned long long state = dt_test_seed() + (unsigned long long)p->keys;
    dti_attention a = {.dtype = p->dtype,
                       .queries = p->queries,
                       .keys = p->keys,
                       .of_queries = p->queries,
                       .width = p->width,
                       .value_width = p->value_width,
                       .scale = p->scale,
                       .causal = p->causal,
                       .position = p->position,
                       .kept = p->kept,
                       .first = 100,
                       .step = p->keys + 7};
    draw(m->query, p->queries * p->width, &state);
    draw(m->key, p->keys * p->width, &state);
    draw(m->value, p->keys * p->value_width, &state);
    draw(m->grad, p->queries * p->value_width, &state);
    lay(m->query, p->queries * p->width, p->dtype, p->spread, m->raw[0]);
    lay(m->key, p->keys * p->width, p->dtype, p->spread, m->raw[1]);
    lay(m->value, p->keys * p->value_width, p->dtype, p->spread, m->raw[2]);
    lay(m->grad, p->queries * p->value_width, p->dtype, p->spread, m->raw[4]);
    const int64_t s = p->spread;
    a.query = (dti_attention_matrix){m->raw[0], p->width * s, s};
    a.key = (dti_attention_matrix){m->raw[1], p->width * s, s};
    a.value = (dti_attention_matrix){m->raw[2], p->value_width * s, s};
    if (p->kept != 1)
        a.keep = keep;
    if (p->mask_dtype != DT_DTYPE_COUNT) {
        draw_mask(p, m, &state);
        a.mask = (dti_attention_matrix){
            m->raw[3], p->mask_row * s * (p->mask_column ? p->keys : 1),
            p->mask_column * s};
        a.mask_dtype = p->mask_dtype;
    }
    return a;
}

/* ---- By the definition --------------------------------------------------- */

static double score(const problem *p, const memory *m, int64_t i, int64_t j)
{
    double sum = 0;
    if (p->causal && j > p->position + i)
        return -(double)INFINITY;
    for (int64_t d = 0; d < p->width; d++)
        sum += m->query[i * p->width + d] * m->key[j * p->width + d];
    sum *= p->scale;
    if (p->mask_dtype == DT_DTYPE_COUNT)
        return sum;
    const int64_t columns = p->mask_column ? p->keys : 1;
    const double mask =
        m->mask[(p->mask_row ? i * columns : 0) + (p->mask_column ? j : 0)];
    if (p->mask_dtype == DT_BOOL)
        return mask != 0 ? sum : -(double)INFINITY;
    return sum + mask;
}

static double factor(const problem *p, int64_t i, int64_t j)
{
    if (p->kept == 1)
        return 1;
    return keep_one(100 + i * (p->keys + 7) + j) ? 1 / p->kept : 0;
}

static double log_sum(const problem *p, const memory *m, int64_t i)
{
    double sum = 0;
    for (int64_t j = 0; j < p->keys; j++)
        sum += exp(score(p, m, i, j));
    return log(sum);
}

static double weight(const problem *p, const memory *m, int64_t i, int64_t j,
                     double log_of_sum)
{
    return isinf(log_of_sum) ? 0 : exp(score(p, m, i, j) - log_of_sum);
}

static void expect_forward(const problem *p, memory *m)
{
    memset(m->out, 0, sizeof m->out);
    for (int64_t i = 0; i < p->queries; i++) {
        m->logs[i] = log_sum(p, m, i);
        for (int64_t j = 0; j < p->keys; j++) {
            const double w = weight(p, m, i, j, m->logs[i]) * factor(p, i, j);
            for (int64_t d = 0; d < p->value_width; d++)
                m->out[i * p->value_width + d] +=
                    w * m->value[j * p->value_width + d];
        }
    }
}

static double dot(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void expect_backward(const problem *p, memory *m)
{
    const int64_t width = p->width, wide = p->value_width;
    memset(m->grad_query, 0, sizeof m->grad_query);
    memset(m->grad_key, 0, sizeof m->grad_key);
    memset(m->grad_value, 0, sizeof m->grad_value);
    memset(m->grad_row, 0, sizeof m->grad_row);
    for (int64_t i = 0; i < p->queries; i++) {
        const double *grad = m->grad + i * wide;
        const double shift = dot(grad, m->out + i * wide, wide);
        for (int64_t j = 0; j < p->keys; j++) {
            const double w = weight(p, m, i, j, m->logs[i]);
            const double by = factor(p, i, j);
            const double slope =
                w * (by * dot(grad, m->value + j * wide, wide) - shift);
            m->grad_scores[i * p->keys + j] = slope;
            m->grad_row[j] += slope;
            for (int64_t d = 0; d < wide; d++)
                m->grad_value[j * wide + d] += w * by * grad[d];
            for (int64_t d = 0; d < width; d++) {
                m->grad_query[i * width + d] +=
                    p->scale * slope * m->key[j * width + d];
                m->grad_key[j * width + d] +=
                    p->scale * slope * m->query[i * width + d];
            }
        }
    }
}

/* ---- Comparing ----------------------------------------------------------- */

static void check_near(const problem *p, const char *what, dt_dtype dtype,
                       const void *found, const double *wanted, int64_t count)
{
    static double wide[MOST];
    double size = 1;
    dti_cast(found, dtype, wide, DT_F64, count);
    for (int64_t i = 0; i < count; i++)
        size = fmax(size, isfinite(wanted[i]) ? fabs(wanted[i]) : 0);
    /* Of halves, what the backward form is given is rounded, too. */
    const double unit = unit_of(dtype == p->dtype ? dtype : p->dtype);
    for (int64_t i = 0; i < count; i++)
        if (!CHECKF(wide[i] == wanted[i] ||
                        fabs(wide[i] - wanted[i]) <= 16 * unit * size,
                    "%s of %s %lldx%lldx%lld, element %lld is %.9g, not %.9g",
                    what, dt_dtype_name(p->dtype), (long long)p->queries,
                    (long long)p->keys, (long long)p->width, (long long)i,
                    wide[i], wanted[i]))
            return;
}

/* Blocks that suit, and small ones, that nothing divides. */
static const int64_t blocks[][2] = {{0, 0}, {3, 5}, {1, 1}, {64, 2}};

typedef struct found {
    double out[MOST], logs[MOST];
    double grad_query[MOST], grad_key[MOST], grad_value[MOST];
    double grad_scores[MOST], grad_row[MOST];
} found;

static void run(const problem *p, const dti_attention *a, const memory *m,
                const dti_attention_way *way, found *to)
{
    static double rounded[MOST];
    memset(to, 0, sizeof *to);
    void *scratch = aligned_alloc(64, dti_attention_scratch_with(a, way) + 64);
    const dti_attention_results results = {
        .out = to->out, .out_row = p->value_width, .logsumexp = to->logs};
    dti_attention_forward_with(a, &results, way, scratch);
    free(scratch);
    memcpy(rounded, to->out, sizeof rounded);
    dti_attention_gradients gradients = {
        .grad_out = {m->raw[4], p->value_width * p->spread, p->spread},
        .out = {rounded, p->value_width, 1},
        .logsumexp = to->logs,
        .grad_query = to->grad_query,
        .grad_query_row = p->width,
        .grad_key = to->grad_key,
        .grad_value = to->grad_value};
    scratch = aligned_alloc(
        64, dti_attention_backward_scratch_with(a, &gradients, way) + 64);
    dti_attention_backward_with(a, &gradients, way, scratch);
    gradients.grad_mask = to->grad_scores;
    gradients.grad_mask_row = p->keys;
    gradients.grad_mask_column = 1;
    dti_attention_backward_with(a, &gradients, way, scratch);
    gradients.grad_mask = to->grad_row;
    gradients.grad_mask_row = 0;
    dti_attention_backward_with(a, &gradients, way, scratch);
    free(scratch);
}

static void check_found(const problem *p, const memory *m, const found *f)
{
    const dt_dtype sums = p->dtype == DT_F64 ? DT_F64 : DT_F32;
    check_near(p, "results", p->dtype, f->out, m->out,
               p->queries * p->value_width);
    check_near(p, "logsumexp", sums, f->logs, m->logs, p->queries);
    check_near(p, "gradients of queries", p->dtype, f->grad_query,
               m->grad_query, p->queries * p->width);
    check_near(p, "gradients of keys", sums, f->grad_key, m->grad_key,
               p->keys * p->width);
    check_near(p, "gradients of values", sums, f->grad_value, m->grad_value,
               p->keys * p->value_width);
    check_near(p, "gradients of scores", sums, f->grad_scores, m->grad_scores,
               p->queries * p->keys);
    check_near(p, "gradients of a row", sums, f->grad_row, m->grad_row,
               p->keys);
}

static void check_problem(const problem *p)
{
    static memory m;
    static found first, other;
    memset(&m, 0, sizeof m);
    const dti_attention a = describe(p, &m);
    expect_forward(p, &m);
    expect_backward(p, &m);
    for (size_t b = 0; b < COUNT_OF(blocks); b++)
        for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
            const dti_attention_way way = {.level = (dti_cpu_level)level,
                                           .block_queries = blocks[b][0],
                                           .block_keys = blocks[b][1]};
            run(p, &a, &m, &way, level ? &other : &first);
            CHECKF(!level || memcmp(&first, &other, sizeof first) == 0,
                   "level %d gives other bits", level);
            if (!level)
                check_found(p, &m, &first);
        }
}

/* ---- Tests --------------------------------------------------------------- */

static const dt_dtype floats[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
static const int64_t sizes[][4] = {
    {1, 1, 1, 1},   {5, 7, 4, 4},    {7, 5, 3, 2}, {33, 40, 16, 17},
    {1, 300, 8, 8}, {130, 20, 5, 3}, {2, 3, 0, 4}, {3, 0, 4, 2}};

static problem problem_of(dt_dtype dtype, size_t i)
{
    return (problem){.dtype = dtype,
                     .queries = sizes[i][0],
                     .keys = sizes[i][1],
                     .width = sizes[i][2],
                     .value_width = sizes[i][3],
                     .scale = 0.75,
                     .mask_dtype = DT_DTYPE_COUNT,
                     .kept = 1,
                     .spread = 1};
}

static void plain(dt_world *world)
{
    (void)world;
    for (size_t t = 0; t < COUNT_OF(floats); t++)
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            for (int spread = 1; spread < 3; spread++) {
                problem p = problem_of(floats[t], i);
                p.spread = spread;
                check_problem(&p);
            }
}

static void causal(dt_world *world)
{
    (void)world;
    for (size_t t = 0; t < COUNT_OF(floats); t++)
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            for (int64_t position = 0; position < 5; position += 4) {
                problem p = problem_of(floats[t], i);
                p.causal = true;
                p.position = position;
                check_problem(&p);
            }
}

static void masked(dt_world *world)
{
    static const int64_t strides[][2] = {{1, 1}, {0, 1}, {1, 0}};
    (void)world;
    for (size_t t = 0; t < COUNT_OF(floats); t++)
        for (size_t i = 0; i < COUNT_OF(sizes); i++)
            for (size_t s = 0; s < COUNT_OF(strides); s++)
                for (int kind = 0; kind < 3; kind++) {
                    problem p = problem_of(floats[t], i);
                    p.mask_dtype = kind == 0   ? DT_BOOL
                                   : kind == 1 ? p.dtype
                                               : DT_F32;
                    p.mask_row = strides[s][0];
                    p.mask_column = strides[s][1];
                    p.spread = 1 + (int)(s + i) % 2;
                    check_problem(&p);
                }
}

static void drops(dt_world *world)
{
    (void)world;
    for (size_t t = 0; t < COUNT_OF(floats); t++)
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            problem p = problem_of(floats[t], i);
            p.kept = 0.75;
            p.causal = i % 2;
            check_problem(&p);
        }
}

/* The backward form against differences of the forward one. */
static void slopes(dt_world *world)
{
    static memory m, moved;
    const double step = 1e-5;
    problem p = problem_of(DT_F64, 1);
    (void)world;
    p.causal = true;
    p.kept = 0.75;
    describe(&p, &m);
    expect_forward(&p, &m);
    expect_backward(&p, &m);
    const int64_t counts[] = {p.queries * p.width, p.keys * p.width,
                              p.keys * p.value_width};
    const double *const grads[] = {m.grad_query, m.grad_key, m.grad_value};
    for (int which = 0; which < 3; which++)
        for (int64_t i = 0; i < counts[which]; i++) {
            double sums[2];
            for (int side = 0; side < 2; side++) {
                moved = m;
                double *const inputs[] = {moved.query, moved.key, moved.value};
                inputs[which][i] += side ? step : -step;
                expect_forward(&p, &moved);
                sums[side] = dot(moved.out, m.grad, p.queries * p.value_width);
            }
            const double slope = (sums[1] - sums[0]) / (2 * step);
            CHECKF(fabs(slope - grads[which][i]) < 1e-8,
                   "input %d, element %lld: %.12g, not %.12g", which,
                   (long long)i, grads[which][i], slope);
        }
}

/* What a query does not see leaves no trace, whatever it is. */
static void unseen(dt_world *world)
{
    static memory m;
    static found clean, marred;
    problem p = problem_of(DT_F32, 3);
    (void)world;
    p.causal = true;
    const dti_attention a = describe(&p, &m);
    for (size_t b = 0; b < COUNT_OF(blocks); b++) {
        const dti_attention_way way = {.level = dti_cpu_detect(),
                                       .block_queries = blocks[b][0],
                                       .block_keys = blocks[b][1]};
        describe(&p, &m);
        run(&p, &a, &m, &way, &clean);
        for (int64_t d = 0; d < p.value_width; d++)
            ((float *)m.raw[2])[20 * p.value_width + d] =
                d % 2 ? NAN : INFINITY;
        ((float *)m.raw[1])[20 * p.width] = NAN;
        run(&p, &a, &m, &way, &marred);
        const float *x = (const float *)clean.out,
                    *y = (const float *)marred.out;
        for (int64_t i = 0; i < p.queries; i++)
            for (int64_t d = 0; d < p.value_width; d++) {
                const int64_t at = i * p.value_width + d;
                CHECKF(i < 20 ? fabsf(x[at] - y[at]) < 1e-6f : isnan(y[at]),
                       "query %lld: %g, %g", (long long)i, (double)x[at],
                       (double)y[at]);
            }
    }
}

/* Scores so large that their exponentials are not numbers. */
static void large_scores(dt_world *world)
{
    static memory m;
    static found f;
    problem p = problem_of(DT_F32, 1);
    (void)world;
    p.scale = 1e4;
    dti_attention a = describe(&p, &m);
    const dti_attention_way way = {
        .level = dti_cpu_detect(), .block_queries = 2, .block_keys = 2};
    run(&p, &a, &m, &way, &f);
    /* The one value whose score is the largest, unless two are. */
    for (int64_t i = 0; i < p.queries; i++) {
        int64_t best = 0;
        bool alone = true;
        for (int64_t j = 0; j < p.keys; j++)
            if (score(&p, &m, i, j) > score(&p, &m, i, best))
                best = j;
        for (int64_t j = 0; j < p.keys; j++)
            if (j != best)
                alone &= score(&p, &m, i, best) - score(&p, &m, i, j) > 20;
        for (int64_t d = 0; d < p.value_width; d++) {
            const double value =
                (double)((float *)f.out)[i * p.value_width + d];
            CHECK(fabs(value) <= 1);
            CHECK(!alone ||
                  fabs(value - m.value[best * p.value_width + d]) < 1e-6);
        }
    }
}

const dt_test dt_tests[] = {
    {"plain", plain},
    {"causal", causal},
    {"masked", masked},
    {"drops", drops},
    {"slopes", slopes},
    {"unseen", unseen},
    {"large scores", large_scores},
    {NULL, NULL},
};
