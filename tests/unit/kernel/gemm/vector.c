/* tests/unit/kernel/gemm/vector.c - halves and vectors, against f64. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/gemm/vector.h"

#include <math.h>
#include <string.h>

#include "array/number.h"
#include "support/check.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST_ROWS = 40, MOST_COLUMNS = 140, AROUND = 9 };

typedef struct problem {
    uint16_t matrix[AROUND + MOST_ROWS * (MOST_COLUMNS + 3)];
    float x[MOST_COLUMNS];
    int64_t step;
    int at; /* where the matrix begins */
} problem;

static float number(unsigned long long *state)
{
    return (float)((double)(dt_test_random(state) % 2001) / 500 - 2);
}

static float wide(bool f16, uint16_t half)
{
    return f16 ? dti_widen_f16(half) : dti_widen_bf16(half);
}

static void draw(problem *p, bool f16, int64_t columns, int at,
                 unsigned long long *state)
{
    p->step = columns + 3;
    p->at = at;
    for (size_t i = 0; i < COUNT_OF(p->matrix); i++) {
        const float value = number(state);
        p->matrix[i] = f16 ? dti_f16_of_float(value) : dti_bf16_of_float(value);
    }
    for (int i = 0; i < MOST_COLUMNS; i++)
        p->x[i] = number(state);
}

static double expect(const problem *p, bool f16, bool by_rows, int64_t which,
                     int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = by_rows ? which * p->step + i : i * p->step + which;
        sum += (double)wide(f16, p->matrix[p->at + at]) * (double)p->x[i];
    }
    return sum;
}

/* The same bits at every level, and nothing is written behind the end. */
static void check(const problem *p, bool f16, bool by_rows, int64_t rows,
                  int64_t columns)
{
    float first[MOST_COLUMNS + 1], found[MOST_COLUMNS + 1];
    const int64_t results = by_rows ? rows : columns;
    const int64_t terms = by_rows ? columns : rows;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        const dti_vector_kernels *k = dti_vector_at((dti_cpu_level)level);
        float *out = level ? found : first;
        memset(out, 0x5e, sizeof first);
        if (by_rows)
            (f16 ? k->rows_f16 : k->rows_bf16)(p->matrix + p->at, p->step, rows,
                                               columns, p->x, out);
        else
            (f16 ? k->columns_f16 : k->columns_bf16)(p->matrix + p->at, p->step,
                                                     rows, columns, p->x, out);
        CHECKF(!level || memcmp(first, found, sizeof first) == 0,
               "level %d gives other bits", level);
    }
    for (int64_t i = 0; i < results; i++) {
        const double wanted = expect(p, f16, by_rows, i, terms);
        CHECKF(fabs((double)first[i] - wanted) <=
                   1e-6 * (double)(terms + 4) * 4,
               "%lldx%lld, %lld: %g, not %g", (long long)rows,
               (long long)columns, (long long)i, (double)first[i], wanted);
    }
}

static void multiplies(dt_world *world)
{
    static const int64_t rows[] = {0, 1, 3, 4, 5, 17, MOST_ROWS};
    static const int64_t columns[] = {0, 1, 7, 8, 9, 31, 32, 33, 64, 100, 139};
    static problem p;
    unsigned long long state = dt_test_seed();
    (void)world;
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t c = 0; c < COUNT_OF(columns); c++)
            for (int kind = 0; kind < 4; kind++) {
                draw(&p, kind & 1, columns[c], (int)(r + c) % AROUND, &state);
                check(&p, kind & 1, kind & 2, rows[r], columns[c]);
            }
}

const dt_test dt_tests[] = {
    {"multiplies", multiplies},
    {NULL, NULL},
};
