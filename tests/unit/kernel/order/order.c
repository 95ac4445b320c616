/* tests/unit/kernel/order/order.c - sorting and choosing, against plain sorts.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/order/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/order/order_level.h"
#include "kernel/order/search.h"
#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 20000 };

/* ---- What is expected -----------------------------------------------------
 */

typedef struct numbered {
    double value;
    int64_t index;
} numbered;

static int order_of(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare_up(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    const int order = order_of(x->value, y->value);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_down(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    const int order = order_of(y->value, x->value);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* A line of an array, in order. */
static int64_t read_line(const dt_array *in, int dim, const int64_t *where,
                         bool descending, numbered *line)
{
    int64_t index[DT_MAX_NDIM];
    const int64_t count = dt_array_ndim(in) ? dt_array_extent(in, dim) : 1;
    memcpy(index, where, sizeof index);
    for (int64_t i = 0; i < count; i++) {
        index[dim] = i;
        line[i] = (numbered){element(in, index), i};
    }
    qsort(line, (size_t)count, sizeof *line,
          descending ? compare_down : compare_up);
    return count;
}

static bool is_same(double a, double b)
{
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
}

/* ---- Sorting --------------------------------------------------------------
 */

static void check_sort(const dt_array *in, int dim, bool descending, int way)
{
    static int64_t indexes[MOST], other[MOST];
    static double values[MOST]; /* of any dtype */
    static numbered line[MOST];
    const dt_dtype dtype = dt_array_dtype(in);
    const dt_shape shape = dt_array_shape(in);
    dt_shape rows = shape;
    int64_t where[DT_MAX_NDIM] = {0}, strides[DT_MAX_NDIM], stride = 1;
    const int64_t results = shape.ndim ? shape.dims[dim] : 1;
    for (int d = shape.ndim - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= shape.dims[d];
    }
    if (shape.ndim)
        rows.dims[dim] = 1;
    void *room = malloc(dti_order_room(in, dim));
    dti_sort_array(in, dim, descending, results, values, indexes, room);
    dti_sort_array(in, dim, descending, results, NULL, other, room);
    free(room);
    CHECK(memcmp(indexes, other, (size_t)dt_array_count(in) * 8) == 0);
    if (dt_array_count(in) == 0)
        return;
    do {
        int64_t at = 0;
        const int64_t count = read_line(in, dim, where, descending, line);
        for (int d = 0; d < shape.ndim; d++)
            at += where[d] * strides[d];
        for (int64_t i = 0; i < count; i++) {
            const int64_t here = at + (shape.ndim ? i * strides[dim] : 0);
            const double value = number_at(values, dtype, here);
            if (!CHECKF(indexes[here] == line[i].index &&
                            is_same(value, line[i].value),
                        "%s along %d, way %d: number %lld is %g at %lld, not "
                        "%g at %lld",
                        dt_dtype_name(dtype), dim, way, (long long)i, value,
                        (long long)indexes[here], line[i].value,
                        (long long)line[i].index))
                return;
        }
    } while (next_index(where, rows));
}

/* ---- Choosing -------------------------------------------------------------
 */

static int64_t expect_choice(dti_choice choice, const numbered *line,
                             int64_t count, int64_t k)
{
    int64_t nans = 0, best = 0, most = 0;
    for (int64_t i = 0; i < count; i++)
        nans += isnan(line[i].value);
    if (choice == DTI_CHOOSE_KTH)
        return line[k].index;
    if (choice == DTI_CHOOSE_MEDIAN && nans)
        return line[count - nans].index;
    if (choice != DTI_CHOOSE_MODE)
        return line[count > nans ? (count - nans - 1) / 2 : 0].index;
    for (int64_t i = 0; i < count; i++) {
        int64_t same = 0;
        while (i + same < count && line[i + same].value == line[i].value)
            same++;
        if ((same ? same : 1) > most) {
            most = same ? same : 1;
            best = line[i].index;
        }
    }
    return best;
}

static void check_choices(const dt_array *in, int dim)
{
    static int64_t indexes[MOST];
    static double values[MOST]; /* of any dtype */
    static numbered line[MOST];
    dt_shape rows = dt_array_shape(in);
    const int64_t count = rows.ndim ? rows.dims[dim] : 1;
    if (count == 0)
        return;
    if (rows.ndim)
        rows.dims[dim] = 1;
    void *room = malloc(dti_order_room(in, dim));
    for (dti_choice choice = 0; choice <= DTI_CHOOSE_MODE; choice++)
        for (int64_t k = 0; k < count; k += 1 + count / 3) {
            int64_t where[DT_MAX_NDIM] = {0}, i = 0;
            dti_choose_array(choice, in, dim, k, values, indexes, room);
            if (dt_array_count(in) == 0)
                continue;
            do {
                int64_t at[DT_MAX_NDIM];
                read_line(in, dim, where, false, line);
                const int64_t wanted = expect_choice(choice, line, count, k);
                memcpy(at, where, sizeof at);
                at[dim] = wanted;
                if (!CHECKF(
                        indexes[i] == wanted &&
                            is_same(number_at(values, dt_array_dtype(in), i),
                                    element(in, at)),
                        "choice %d of %s along %d: at %lld, not %lld",
                        (int)choice, dt_dtype_name(dt_array_dtype(in)), dim,
                        (long long)indexes[i], (long long)wanted))
                    break;
                i++;
            } while (next_index(where, rows));
        }
    free(room);
}

/* ---- All ways -------------------------------------------------------------
 */

static void check_array(const dt_array *in, int way)
{
    const int ndim = dt_array_ndim(in);
    for (int dim = 0; dim < (ndim ? ndim : 1); dim++) {
        check_sort(in, dim, false, way);
        check_sort(in, dim, true, way);
        check_choices(in, dim);
    }
}

static void all_dims_in_all_ways(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),        DT_SHAPE(1),       DT_SHAPE(9),
        DT_SHAPE(700),     DT_SHAPE(5000),    DT_SHAPE(4, 15),
        DT_SHAPE(40, 3),   DT_SHAPE(600, 20), DT_SHAPE(0, 3),
        DT_SHAPE(2, 7, 3), DT_SHAPE(3, 513),  DT_SHAPE(2, 64, 3)};
    unsigned long long state = dt_test_seed();
    for (int dtype = 0; dtype < DT_C64; dtype++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                dt_array *in =
                    new_lying(world, (dt_dtype)dtype, shapes[i], way);
                fill_small(in, &state, i % 2 ? 30 : 30000);
                check_array(in, way);
                dt_array_release(in);
            }
}

/* Zeros and NaN come out as they went in. */
static void specials(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double values[] = {1, nan, -0.0, inf, 0, -inf, nan, 0, -0.0, -3};
    for (size_t t = 0; t < COUNT_OF(dtypes); t++)
        for (int64_t count = 10; count <= 4000; count *= 20) {
            dt_array *in = new_array(world, dtypes[t], DT_SHAPE(count));
            for (int64_t i = 0; i < count; i++)
                set_element(in, &i, values[i * 7 % 10]);
            check_array(in, LIE_DENSE);
            dt_array_release(in);
        }
}

/* Every bit of keys counts. */
static void extreme_numbers(dt_world *world)
{
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_I64, DT_I32};
    unsigned long long state = dt_test_seed();
    for (size_t t = 0; t < COUNT_OF(dtypes); t++) {
        dt_array *in = new_array(world, dtypes[t], DT_SHAPE(3000));
        for (int64_t i = 0; i < 3000; i++) {
            const int scale = (int)(dt_test_random(&state) >> 58);
            const double x =
                (double)(int64_t)(dt_test_random(&state) >> 11) - 0x1p52;
            set_element(in, &i, ldexp(x, scale / 3 - 21));
        }
        check_array(in, LIE_DENSE);
        dt_array_release(in);
    }
}

static void places_in_lists(dt_world *world)
{
    (void)world;
    const float sorted[] = {-2, 0, 0, 1, 7, (float)INFINITY, (float)NAN};
    const float values[] = {-3, -2,        -0.0f, 0.5f, (float)INFINITY,
                            8,  (float)NAN};
    static const int64_t left[] = {0, 0, 1, 3, 5, 5, 6};
    static const int64_t right[] = {0, 1, 3, 3, 6, 5, 7};
    int64_t found[7];
    dti_search_sorted(DT_F32, sorted, 7, values, 7, false, found);
    for (int i = 0; i < 7; i++)
        CHECK_INT(found[i], left[i]);
    dti_search_sorted(DT_F32, sorted, 7, values, 7, true, found);
    for (int i = 0; i < 7; i++)
        CHECK_INT(found[i], right[i]);
    dti_search_sorted(DT_F32, sorted, 0, values, 7, true, found);
    CHECK_INT(found[3], 0);
    const int64_t whole[] = {INT64_MIN, -1, INT64_MAX};
    static const int64_t up[] = {1, 2, 3};
    dti_search_sorted(DT_I64, whole, 3, whole, 3, true, found);
    for (int i = 0; i < 3; i++)
        CHECK_INT(found[i], up[i]);
    dti_search_sorted(DT_I64, whole, 3, whole, 3, false, found);
    for (int i = 0; i < 3; i++)
        CHECK_INT(found[i], i);
}

/* Entries of few and many equal keys, in order. */
static void ranks_of_all_levels(dt_world *world)
{
    uint64_t entries[DTI_RANKED], sorted[DTI_RANKED + 1];
    (void)world;
    for (int level = 0; level <= (int)dti_cpu_level_used(); level++)
        for (int count = 0; count <= DTI_RANKED; count++)
            for (uint64_t keys = 1; keys <= 1024; keys *= 4) {
                const dti_rank rank = dti_rank_of((dti_cpu_level)level);
                uint64_t sum = 0, found = 0;
                if (!rank)
                    continue;
                for (int i = 0; i < count; i++) {
                    const uint64_t key = (uint64_t)(i * 37 + 5) % keys;
                    entries[i] = key * (UINT64_MAX / keys) << 32 | (unsigned)i;
                    sum += entries[i];
                }
                sorted[count] = 12345;
                rank(entries, sorted, count);
                CHECK(sorted[count] == 12345);
                for (int i = 0; i < count; i++) {
                    found += sorted[i];
                    CHECK(i == 0 || sorted[i - 1] < sorted[i]);
                }
                CHECK(found == sum);
            }
}

const dt_test dt_tests[] = {
    {"all dimensions, in all ways that arrays lie", all_dims_in_all_ways},
    {"zeros and NaN", specials},
    {"extreme numbers", extreme_numbers},
    {"places in lists", places_in_lists},
    {"ranks of all levels", ranks_of_all_levels},
    {NULL, NULL},
};
