/* tests/unit/kernel/fold/moments.c - moments, exponentials and counts of
 * dimensions, against plain loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/fold/moments.h"

#include <math.h>
#include <string.h>

#include "kernel/fold/count.h"
#include "kernel/softmax/logsumexp.h"
#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 9000 };

/* ---- What is expected -----------------------------------------------------
 */

/* The numbers that belong to one result. */
typedef struct members {
    double values[MOST];
    int64_t count;
} members;

static dt_shape kept_shape(dt_shape shape, unsigned dims)
{
    for (int d = 0; d < shape.ndim; d++)
        if (dims >> d & 1)
            shape.dims[d] = 1;
    return shape;
}

/* Collect what lies at an index of the dimensions that are kept. */
static void collect(const dt_array *in, unsigned dims, const int64_t *where,
                    members *out)
{
    int64_t index[DT_MAX_NDIM];
    const dt_shape shape = dt_array_shape(in);
    memcpy(index, where, sizeof index);
    out->count = 0;
    if (dt_array_count(in) == 0)
        return;
    for (;;) {
        int d = shape.ndim - 1;
        out->values[out->count++] = element(in, index);
        for (; d >= 0; d--) {
            if (!(dims >> d & 1))
                continue;
            if (++index[d] < shape.dims[d])
                break;
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}

static double sum_of(const members *m)
{
    long double sum = 0;
    for (int64_t i = 0; i < m->count; i++)
        sum += (long double)m->values[i];
    return (double)sum;
}

static double squares_of(const members *m)
{
    long double sum = 0;
    const long double mean =
        m->count ? (long double)sum_of(m) / (long double)m->count : 0;
    for (int64_t i = 0; i < m->count; i++) {
        const long double apart = (long double)m->values[i] - mean;
        sum += apart * apart;
    }
    return (double)sum;
}

static double logarithm_of(const members *m)
{
    long double sum = 0;
    for (int64_t i = 0; i < m->count; i++)
        sum += expl((long double)m->values[i]);
    return (double)logl(sum);
}

static bool is_near(double value, double wanted, double part)
{
    return value == wanted || fabs(value - wanted) <= part * (fabs(wanted) + 1);
}

static bool is_close(double value, double wanted)
{
    return is_near(value, wanted, 1e-9);
}

/* ---- All ways -------------------------------------------------------------
 */

typedef struct results {
    double sums[MOST], squares[MOST], most[MOST], exponentials[MOST];
    int64_t counts[MOST];
} results;

static void work_out(dti_cpu_level level, const dt_array *in, unsigned dims,
                     int64_t count, results *out)
{
    memset(out, 0, sizeof *out);
    dti_moments_array_at(level, in, dims, count,
                         (dti_moments){out->sums, out->squares});
    const dti_exponentials both = {out->most, out->exponentials};
    dti_exponentials_array_at(level, in, dims, count, both);
    dti_exponentials_end(both, count);
    dti_count_array(in, dims, count, out->counts);
}

static void check_result(const results *r, int64_t i, const members *m)
{
    int64_t nonzero = 0;
    for (int64_t k = 0; k < m->count; k++)
        nonzero += m->values[k] != 0;
    CHECKF(is_close(r->sums[i], sum_of(m)) &&
               is_close(r->squares[i], squares_of(m)),
           "moments %.17g and %.17g, not %.17g and %.17g", r->sums[i],
           r->squares[i], sum_of(m), squares_of(m));
    /* Exponentials of f32 are f32. */
    CHECKF(is_near(r->most[i], logarithm_of(m), 2e-7),
           "logsumexp %.17g, not %.17g", r->most[i], logarithm_of(m));
    CHECK_INT(r->counts[i], nonzero);
}

static void check_dims(const dt_array *in, unsigned dims)
{
    static results first, other;
    static members m;
    const dt_shape kept = kept_shape(dt_array_shape(in), dims);
    const int64_t count = dt_shape_count(kept);
    int64_t where[DT_MAX_NDIM] = {0}, i = 0;
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        work_out((dti_cpu_level)level, in, dims, count, &other);
        if (level == 0)
            first = other;
        CHECKF(memcmp(&first, &other, sizeof first) == 0,
               "level %d gives other bits", level);
    }
    if (count == 0)
        return;
    do {
        collect(in, dims, where, &m);
        check_result(&first, i++, &m);
    } while (next_index(where, kept));
}

static void all_dims_in_all_ways(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),       DT_SHAPE(1),      DT_SHAPE(40),
        DT_SHAPE(5000),   DT_SHAPE(3, 70),  DT_SHAPE(70, 3),
        DT_SHAPE(33, 40), DT_SHAPE(2, 600), DT_SHAPE(600, 2),
        DT_SHAPE(0, 3),   DT_SHAPE(3, 0),   DT_SHAPE(4, 17, 5)};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    unsigned long long state = dt_test_seed();
    for (size_t t = 0; t < COUNT_OF(dtypes); t++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in = new_lying(world, dtypes[t], shapes[i], way);
                fill_small(in, &state, 30);
                for (unsigned dims = 0; dims < 1u << shapes[i].ndim; dims++)
                    check_dims(in, dims);
                dt_array_release(in);
            }
}

/* Counts are of every dtype. */
static void counts_of_all_dtypes(dt_world *world)
{
    static members m;
    unsigned long long state = dt_test_seed();
    for (int dtype = 0; dtype < DT_DTYPE_COUNT; dtype++) {
        dt_array *in = new_array(world, (dt_dtype)dtype, DT_SHAPE(40, 90));
        int64_t counts[90], wanted = 0;
        fill_small(in, &state, 4);
        dti_count_array(in, 1, 90, counts);
        for (int64_t i = 0; i < 90; i++) {
            const int64_t where[DT_MAX_NDIM] = {0, i};
            collect(in, 1, where, &m);
            wanted = 0;
            for (int64_t k = 0; k < m.count; k++)
                wanted += m.values[k] != 0;
            CHECK_INT(counts[i], wanted);
        }
        dt_array_release(in);
    }
}

static void numbers_are_counted(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16};
    for (size_t t = 0; t < COUNT_OF(dtypes); t++) {
        dt_array *in = new_array(world, dtypes[t], DT_SHAPE(50, 3));
        int64_t counts[3], all;
        for (int64_t i = 0; i < 150; i++) {
            const int64_t index[] = {i / 3, i % 3};
            set_element(in, index, i % 3 == 1 ? (double)NAN : (double)i);
        }
        dti_count_numbers(in, 1, 3, counts);
        dti_count_numbers(in, 3, 1, &all);
        CHECK_INT(counts[0], 50);
        CHECK_INT(counts[1], 0);
        CHECK_INT(all, 100);
        dt_array_release(in);
    }
}

/* A mean that is large beside what differs loses nothing; equal numbers do not
 * differ. */
static void large_means(dt_world *world)
{
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(5000));
    float *x = dt_array_data(in);
    double sum, squares;
    for (int i = 0; i < 5000; i++)
        x[i] = 1e7f + (float)(i % 2);
    dti_moments_array(in, 1, 1, (dti_moments){&sum, &squares});
    CHECKF(fabs(squares - 1250) < 1e-6, "%.17g, not 1250", squares);
    for (int i = 0; i < 5000; i++)
        x[i] = 0.1f;
    dti_moments_array(in, 1, 1, (dti_moments){&sum, &squares});
    CHECKF(squares == 0, "%.17g, not 0", squares);
    dt_array_release(in);
}

static void moments_of_parts_merge(dt_world *world)
{
    static members m;
    dt_array *in = new_array(world, DT_F64, DT_SHAPE(70)), *part = NULL;
    unsigned long long state = dt_test_seed();
    double sum = 0, squares = 0, more_sum, more_squares;
    const int64_t cuts[] = {0, 0, 1, 30, 30, 70}, none[DT_MAX_NDIM] = {0};
    fill_small(in, &state, 1000);
    for (size_t i = 0; i + 1 < COUNT_OF(cuts); i++) {
        CHECK_OK(world,
                 dt_array_slice(world, in, 0, cuts[i], cuts[i + 1], 1, &part));
        dti_moments_array(part, 1, 1, (dti_moments){&more_sum, &more_squares});
        dti_moments_merge((dti_moments){&sum, &squares}, cuts[i],
                          (dti_moments){&more_sum, &more_squares},
                          cuts[i + 1] - cuts[i], 1);
        dt_array_release(part);
    }
    collect(in, 1, none, &m);
    CHECKF(is_close(sum, sum_of(&m)) && is_close(squares, squares_of(&m)),
           "%g and %g, not %g and %g", sum, squares, sum_of(&m),
           squares_of(&m));
    dt_array_release(in);
}

const dt_test dt_tests[] = {
    {"all dimensions, in all ways that arrays lie", all_dims_in_all_ways},
    {"counts of all dtypes", counts_of_all_dtypes},
    {"numbers are counted", numbers_are_counted},
    {"large means lose nothing", large_means},
    {"moments of parts merge", moments_of_parts_merge},
    {NULL, NULL},
};
