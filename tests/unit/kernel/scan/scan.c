/* tests/unit/kernel/scan/scan.c - scans against plain loops. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/scan/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/kernel/fold/values.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { MOST = 8000 };

static bool is_extreme(dti_scan_kind kind)
{
    return kind == DTI_SCAN_MAX || kind == DTI_SCAN_MIN;
}

/* The next value of a line; `place` is where an extreme lies. */
static long double step(dti_scan_kind kind, long double so_far, double x,
                        int64_t i, int64_t *place)
{
    const long double y = (long double)x;
    switch (kind) {
    case DTI_SCAN_SUM:
        return so_far + y;
    case DTI_SCAN_PRODUCT:
        return so_far * y;
    case DTI_SCAN_LOGSUMEXP:
        return so_far + expl(y);
    default:
        if (*place >= 0 && (kind == DTI_SCAN_MAX ? y < so_far : y > so_far))
            return so_far;
        *place = i;
        return y;
    }
}

static void check_line(const dti_scan *scan, int64_t *index)
{
    const int64_t count =
        dt_array_ndim(scan->in) ? dt_array_extent(scan->in, scan->dim) : 1;
    long double so_far = scan->kind == DTI_SCAN_PRODUCT ? 1 : 0;
    int64_t place = -1;
    for (int64_t i = 0; i < count; i++) {
        index[scan->dim] = i;
        so_far = step(scan->kind, so_far, element(scan->in, index), i, &place);
        const double wanted =
            (double)(scan->kind == DTI_SCAN_LOGSUMEXP ? logl(so_far) : so_far);
        const double found = element(scan->out, index);
        if (!CHECKF(fabs(found - wanted) <=
                        1e-6 *
                            (fabs(wanted) + (scan->kind == DTI_SCAN_LOGSUMEXP)),
                    "kind %d along %d: element %lld is %.9g, not %.9g",
                    (int)scan->kind, scan->dim, (long long)i, found, wanted))
            return;
        if (is_extreme(scan->kind) &&
            !CHECKF(element(scan->indexes, index) ==
                        (double)(place + scan->first),
                    "element %lld lies elsewhere", (long long)i))
            return;
    }
}

static void begin(const dti_scan *scan, int64_t places)
{
    const dt_dtype carrier = dti_scan_carrier(dt_array_dtype(scan->in));
    for (int64_t i = 0; i < places; i++)
        scan->states[i] = dti_scan_begin(scan->kind, carrier);
}

static void check_dim(dt_world *world, dti_scan_kind kind, const dt_array *in,
                      int dim)
{
    static dti_scan_state states[MOST];
    dt_shape shape = dt_array_shape(in), rows = shape;
    dt_array *out = NULL, *indexes = NULL, *other = NULL;
    int64_t where[DT_MAX_NDIM] = {0};
    if (shape.ndim)
        rows.dims[dim] = 1;
    const dt_dtype to = kind <= DTI_SCAN_PRODUCT &&
                                dti_scan_carrier(dt_array_dtype(in)) == DT_I64
                            ? DT_I64
                            : dt_array_dtype(in);
    CHECK_OK(world, dt_array_create(world, to, shape, &out));
    CHECK_OK(world, dt_array_create(world, to, shape, &other));
    CHECK_OK(world, dt_array_create(world, DT_I64, shape, &indexes));
    dti_scan scan = {.kind = kind,
                     .in = in,
                     .dim = dim,
                     .states = states,
                     .out = out,
                     .indexes = is_extreme(kind) ? indexes : NULL,
                     .first = 100};
    for (int level = 0; level <= (int)dti_cpu_detect(); level++) {
        scan.out = level ? other : out;
        begin(&scan, dt_shape_count(rows));
        dti_scan_array_at((dti_cpu_level)level, &scan);
        if (level && dt_array_count(in))
            CHECKF(memcmp(dt_array_data(out), dt_array_data(other),
                          dt_array_bytes(out)) == 0,
                   "level %d gives other bits", level);
    }
    if (dt_array_count(in))
        do
            check_line(&scan, where);
        while (next_index(where, rows));
    dt_array_release(out);
    dt_array_release(other);
    dt_array_release(indexes);
}

static void all_dims_in_all_ways(dt_world *world)
{
    const dt_shape shapes[] = {
        DT_SHAPE(),       DT_SHAPE(1),     DT_SHAPE(43),    DT_SHAPE(2500),
        DT_SHAPE(3, 70),  DT_SHAPE(70, 3), DT_SHAPE(9, 40), DT_SHAPE(4, 1000),
        DT_SHAPE(700, 4), DT_SHAPE(0, 3),  DT_SHAPE(3, 0),  DT_SHAPE(4, 17, 5)};
    static const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_I8, DT_I64, DT_BOOL};
    unsigned long long state = dt_test_seed();
    for (size_t t = 0; t < COUNT_OF(dtypes); t++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            for (int way = 0; way < LIE_COUNT; way++) {
                const bool whole = dti_scan_carrier(dtypes[t]) == DT_I64;
                dt_array *in = new_lying(world, dtypes[t], shapes[i], way);
                for (dti_scan_kind kind = 0; kind < DTI_SCAN_KINDS; kind++) {
                    if (whole && kind == DTI_SCAN_LOGSUMEXP)
                        continue;
                    /* 1 and -1 alone stay what they are in products. */
                    fill_small(in, &state, kind == DTI_SCAN_PRODUCT ? 2 : 20);
                    for (int d = 0; d < (shapes[i].ndim ? shapes[i].ndim : 1);
                         d++)
                        check_dim(world, kind, in, d);
                }
                dt_array_release(in);
            }
}

/* A line that is cut anywhere gives what it gives as one. */
static void states_carry_on(dt_world *world)
{
    static const int64_t cuts[] = {0, 1, 1, 7, 40, 61};
    unsigned long long state = dt_test_seed();
    for (dti_scan_kind kind = 0; kind < DTI_SCAN_KINDS; kind++) {
        dt_array *in = new_array(world, DT_F64, DT_SHAPE(61)), *part = NULL;
        dt_array *out = new_array(world, DT_F64, DT_SHAPE(61)), *to = NULL;
        fill_small(in, &state, 9);
        dti_scan_state so_far = dti_scan_begin(kind, DT_F64), whole = so_far;
        for (size_t i = 0; i + 1 < COUNT_OF(cuts); i++) {
            CHECK_OK(world, dt_array_slice(world, in, 0, cuts[i], cuts[i + 1],
                                           1, &part));
            dti_scan_state here = dti_scan_begin(kind, DT_F64);
            dti_scan scan = {.kind = kind, .in = part, .states = &here};
            scan.first = cuts[i];
            dti_scan_array(&scan);
            dti_scan_merge(kind, DT_F64, &so_far, &here);
            dt_array_release(part);
        }
        dti_scan scan = {.kind = kind, .in = in, .states = &whole, .out = out};
        dti_scan_array(&scan);
        CHECKF(fabs(so_far.value.f64 - whole.value.f64) <=
                   1e-12 * fabs(whole.value.f64),
               "kind %d: %.17g, not %.17g", (int)kind, so_far.value.f64,
               whole.value.f64);
        if (is_extreme(kind))
            CHECK_INT(so_far.more.i64, whole.more.i64);
        dt_array_release(in);
        dt_array_release(out);
        dt_array_release(to);
    }
}

static void specials_of_logsumexp(dt_world *world)
{
    const double inf = (double)INFINITY, nan = (double)NAN;
    const double values[] = {-inf, -inf, 3, -inf, inf, 1, nan, 0};
    const double wanted[] = {-inf, -inf, 3, 3, inf, inf, nan, nan};
    dt_array *in = new_array(world, DT_F32, DT_SHAPE(8));
    for (int64_t i = 0; i < 8; i++)
        set_element(in, &i, values[i]);
    dti_scan_state state = dti_scan_begin(DTI_SCAN_LOGSUMEXP, DT_F64);
    const dti_scan scan = {
        .kind = DTI_SCAN_LOGSUMEXP, .in = in, .states = &state, .out = in};
    dti_scan_array(&scan);
    for (int64_t i = 0; i < 8; i++) {
        const double found = element(in, &i);
        CHECKF(found == wanted[i] || (isnan(found) && isnan(wanted[i])),
               "element %lld is %g, not %g", (long long)i, found, wanted[i]);
    }
    dt_array_release(in);
}

static void complex_numbers(dt_world *world)
{
    dt_array *in = new_array(world, DT_C64, DT_SHAPE(3));
    float *x = dt_array_data(in);
    for (int i = 0; i < 6; i++)
        x[i] = (float)(i + 1); /* 1+2i, 3+4i, 5+6i */
    dti_scan_state state = dti_scan_begin(DTI_SCAN_PRODUCT, DT_C64);
    dti_scan scan = {
        .kind = DTI_SCAN_PRODUCT, .in = in, .states = &state, .out = in};
    dti_scan_array(&scan);
    CHECK(x[2] == -5 && x[3] == 10 && x[4] == -85 && x[5] == 20);
    state = dti_scan_begin(DTI_SCAN_SUM, DT_C64);
    scan.kind = DTI_SCAN_SUM;
    dti_scan_array(&scan);
    CHECK(x[2] == -4 && x[3] == 12 && x[4] == -89 && x[5] == 32);
    dt_array_release(in);
}

const dt_test dt_tests[] = {
    {"all dimensions, in all ways that arrays lie", all_dims_in_all_ways},
    {"states carry on", states_carry_on},
    {"specials of logsumexp", specials_of_logsumexp},
    {"complex numbers", complex_numbers},
    {NULL, NULL},
};
