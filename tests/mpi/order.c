/* ranks: 1 2 3 4 */
/* tests/mpi/order.c - reductions in whatever order MPI takes, and receives. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"

#include <math.h>
#include <stdint.h>

static dt_array *make(dt_world *world, dt_dtype dtype, int64_t count)
{
    dt_array *array = NULL;
    CHECK_OK(world, dt_array_create(world, dtype, DT_SHAPE(count), &array));
    return array;
}

static double value_of(int rank, int64_t i)
{
    return sin((double)(i * 37 + rank * 11 + 1)) * (double)(1 + i % 5);
}

/* The error of a sum in any order, of numbers whose sizes add up to `sizes`. */
static double tolerance(dt_dtype dtype, int terms, double sizes)
{
    double unit = dtype == DT_F64 ? 0x1p-53 : 0x1p-24;
    return (double)(terms + 1) * unit * sizes;
}

static void put(dt_dtype dtype, void *data, int64_t i, double value)
{
    if (dtype == DT_F64)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

static double get(dt_dtype dtype, const void *data, int64_t i)
{
    return dtype == DT_F64 ? ((const double *)data)[i]
                           : (double)((const float *)data)[i];
}

/* Check element `i` of a sum or an average against f64. */
static bool check_sum(dt_dtype dtype, dt_reduce op, int size, int64_t i,
                      double actual)
{
    double sum = 0, sizes = 0;
    for (int rank = 0; rank < size; rank++) {
        double value = value_of(rank, i);
        value = dtype == DT_F64 ? value : (double)(float)value;
        sum += value;
        sizes += fabs(value);
    }
    if (op == DT_AVG) {
        sum /= size;
        sizes /= size;
    }
    return CHECKF(fabs(actual - sum) <= tolerance(dtype, size, sizes),
                  "%s %s: element %lld is %.17g, not %.17g", dt_reduce_name(op),
                  dt_dtype_name(dtype), (long long)i, actual, sum);
}

/* A complex array is one of f32 twice as long. */
static void try_sum(dt_world *world, dt_dtype dtype, dt_reduce op,
                    int64_t count)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int64_t parts = dtype == DT_C64 ? 2 : 1;
    dt_array *in = make(world, dtype, count * size);
    dt_array *whole = make(world, dtype, count * size);
    dt_array *part = make(world, dtype, count);
    void *data = dt_array_data(in);
    for (int64_t i = 0; i < count * size * parts; i++)
        put(dtype, data, i, value_of(dt_world_rank(world), i));
    CHECK_OK(world, dt_group_all_reduce(group, op, in, whole));
    CHECK_OK(world, dt_group_reduce_scatter(group, op, in, NULL, part));
    const void *sums = dt_array_const_data(whole);
    const void *mine = dt_array_const_data(part);
    int64_t before = count * parts * dt_world_rank(world);
    for (int64_t i = 0; i < count * size * parts; i++)
        if (!check_sum(dtype, op, size, i, get(dtype, sums, i)))
            break;
    for (int64_t i = 0; i < count * parts; i++)
        if (!check_sum(dtype, op, size, before + i, get(dtype, mine, i)))
            break;
    dt_array_release(in);
    dt_array_release(whole);
    dt_array_release(part);
}

static void sums_and_averages(dt_world *world)
{
    const dt_dtype dtypes[] = {DT_F32, DT_F64, DT_C64};
    const int64_t counts[] = {1, 3, 1000, 40001};
    for (int d = 0; d < 3; d++) {
        for (int c = 0; c < 4; c++) {
            try_sum(world, dtypes[d], DT_SUM, counts[c]);
            try_sum(world, dtypes[d], DT_AVG, counts[c]);
        }
    }
}

/* One rank brings NaN, another -0: both can be seen in what comes out. */
static void keeps_nan_and_signs_of_zero(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    dt_array *array = make(world, DT_F32, 3);
    const dt_reduce ops[] = {DT_MIN, DT_MAX};
    for (int i = 0; i < 2; i++) {
        bool last = rank == size - 1;
        float *data = dt_array_data(array);
        data[0] = last ? NAN : (float)rank;
        data[1] = last ? -0.0f : 0.0f;
        data[2] = (float)rank;
        CHECK_OK(world, dt_group_all_reduce(group, ops[i], array, array));
        data = dt_array_data(array);
        CHECK(isnan(data[0]));
        CHECK((signbit(data[1]) != 0) == (ops[i] == DT_MIN || size == 1));
        CHECK(data[2] == (ops[i] == DT_MIN ? 0 : (float)(size - 1)));
    }
    dt_array_release(array);
}

/* What is longer or shorter than it should be is not taken. */
static void receives_what_was_sent(dt_world *world)
{
    dt_group *group = dt_world_group(world);
    if (dt_world_size(world) < 2 || dt_world_rank(world) > 1)
        return;
    dt_array *two = make(world, DT_I32, 2);
    dt_array *three = make(world, DT_I32, 3);
    if (dt_world_rank(world) == 0) {
        CHECK_OK(world, dt_group_send(group, 1, two));
        CHECK_OK(world, dt_group_send(group, 1, three));
        CHECK_OK(world, dt_group_send(group, 1, three));
    } else {
        CHECK_FAILS(world, dt_group_receive(group, 0, three), DT_ERR_DIVERGED,
                    "2 elements were sent");
        CHECK_FAILS(world, dt_group_receive(group, 0, two), DT_ERR_DIVERGED,
                    "more elements were sent");
        CHECK_OK(world, dt_group_receive(group, 0, three));
    }
    dt_array_release(two);
    dt_array_release(three);
}

/* Totals differ from rank to rank, so that some ranks have to split their
 * blocks (DT_MPI_LIMIT) and others do not. */
static void exchanges_different_totals(dt_world *world)
{
    enum { MAX_RANKS = 16 };
    int size = dt_world_size(world);
    int rank = dt_world_rank(world);
    int64_t sent[MAX_RANKS], received[MAX_RANKS], total = 0;
    for (int i = 0; i < size; i++) {
        sent[i] = 20 * rank + 1;
        received[i] = 20 * i + 1;
        total += received[i];
    }
    dt_array *in = make(world, DT_I32, sent[0] * size);
    dt_array *out = make(world, DT_I32, total);
    CHECK_OK(world, dt_array_fill_int(world, in, rank));
    CHECK_OK(world, dt_group_all_to_all(dt_world_group(world), in, sent,
                                        received, out));
    const int32_t *data = dt_array_const_data(out);
    for (int i = 0, at = 0; i < size; i++)
        for (int64_t k = 0; k < received[i]; k++)
            CHECK_INT(data[at++], i);
    dt_array_release(in);
    dt_array_release(out);
}

static void is_carried_by_mpi(dt_world *world)
{
    CHECK_TEXT(dt_world_transport(world), "mpi");
}

const dt_test dt_tests[] = {
    {"is carried by mpi", is_carried_by_mpi},
    {"sums and averages", sums_and_averages},
    {"keeps nan and signs of zero", keeps_nan_and_signs_of_zero},
    {"receives what was sent", receives_what_was_sent},
    {"exchanges different totals", exchanges_different_totals},
    {NULL, NULL},
};
