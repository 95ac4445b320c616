/* ranks: 1 2 3 4 7 */
/* tests/ranks/ops/specials.c - infinite numbers, NaN and zero divisors beside
 * partial values. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dtensor/sys/ops_training.h>

#include "support/tensors.h"

enum { COUNT = 8 };

static const double specials[COUNT] = {INFINITY, 1,  -INFINITY, NAN,
                                       0,        -2, 3,         INFINITY};

/* A vector of which this rank has 2 in each element: a sum of twice the ranks.
 */
static dt_tensor *sum_of_twos(fixture *f)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = 2;
    dt_array *array = array_of(f->world, DT_F32, DT_SHAPE(COUNT), values);
    dt_tensor *tensor = dt_from_local(f->mesh, "P(sum)", array);
    dt_array_release(array);
    return tensor;
}

static dt_tensor *vector(fixture *f, const char *layout, const double *values)
{
    return tensor_of(f->mesh, layout, DT_F32, DT_SHAPE(COUNT), values);
}

static dt_tensor *all(fixture *f, double value)
{
    double values[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = value;
    return vector(f, "R", values);
}

/* Products and quotients beside a partial addend are those of one rank. */
static void keeps_terms_beside_partial_addends(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *sum = sum_of_twos(&f), *five = all(&f, 5);
    dt_tensor *odd = vector(&f, "R", specials), *results[1];
    double products[COUNT], quotients[COUNT], ways[COUNT];
    int count = 0;
    const double two = 2 * (double)f.ranks;
    for (int i = 0; i < COUNT; i++) {
        products[i] = two + 5 * specials[i];
        quotients[i] = two + 5 / specials[i];
        ways[i] = two + specials[i] * (5 - two);
    }
    check_values(dt_addcmul(sum, five, odd), products, COUNT);
    check_values(dt_addcmul(sum, odd, five), products, COUNT);
    check_values(dt_addcdiv(sum, five, odd), quotients, COUNT);
    check_values(dt_lerp(sum, five, odd), ways, COUNT);
    CHECK_OK(world, dt_foreach_addcmul(&sum, 1, &five, 1, &odd, 1, results, 1,
                                       &count));
    check_values(results[0], products, COUNT);
    CHECK_OK(world, dt_foreach_addcdiv(&sum, 1, &five, 1, &odd, 1, results, 1,
                                       &count));
    check_values(results[0], quotients, COUNT);
    close_fixture(&f);
}

/* The same of products of vectors and matrices. */
static void keeps_outer_products_beside_partial_addends(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *sum = sum_of_twos(&f), *odd = vector(&f, "R", specials);
    dt_tensor *five = all(&f, 5);
    dt_tensor *square = dt_unsqueeze(odd, 0), *column = dt_unsqueeze(five, 1);
    double wanted[COUNT * COUNT];
    for (int i = 0; i < COUNT * COUNT; i++)
        wanted[i] = 2 * (double)f.ranks + 5 * specials[i % COUNT];
    check_values(dt_addr(sum, five, odd), wanted, COUNT * COUNT);
    check_values(dt_addmm(sum, column, square), wanted, COUNT * COUNT);
    close_fixture(&f);
}

/* A dividend that is sharded is not made partial for a divisor's sake. */
static void divides_shards_by_partial_zeros(dt_world *world)
{
    fixture f = open_fixture(world);
    double parts[COUNT], wanted[COUNT];
    const double dividends[COUNT] = {1, -1, 2, -2, 3, -3, 4, 0};
    const int rank = dt_world_rank(world);
    for (int i = 0; i < COUNT; i++) {
        parts[i] = f.ranks == 1 ? 0 : rank == 0 ? (double)f.ranks - 1 : -1;
        wanted[i] = dividends[i] / 0.0;
    }
    dt_array *array = array_of(world, DT_F32, DT_SHAPE(COUNT), parts);
    dt_tensor *zeros = dt_from_local(f.mesh, "P(sum)", array);
    check_values(dt_div(vector(&f, "S(0)", dividends), zeros), wanted, COUNT);
    check_values(dt_div(vector(&f, "R", dividends), zeros), wanted, COUNT);
    dt_array_release(array);
    close_fixture(&f);
}

/* A whole addend is made partial, and nothing is sent; a product is not. */
static void makes_addends_partial_alone(dt_world *world)
{
    fixture f = open_fixture(world);
    dt_tensor *sum = sum_of_twos(&f), *odd = vector(&f, "R", specials);
    dt_tensor *shards = vector(&f, "S(0)", specials), *five = all(&f, 5);
    start_counting(&f);
    check_layout(dt_add(sum, odd), "P(sum)");
    check_layout(dt_add(shards, sum), "P(sum)");
    check_layout(dt_addcmul(odd, sum, five), "P(sum)");
    check_layout(dt_addcdiv(odd, sum, five), "P(sum)");
    check_layout(dt_addr(odd, five, sum), "P(sum)");
    check_silent(&f);
    if (f.ranks > 1) {
        CHECK_FAILS(world, status_of(world, dt_addcmul_(sum, five, five)),
                    DT_ERR_INVALID, "addcmul");
        double wanted[COUNT];
        for (int i = 0; i < COUNT; i++)
            wanted[i] = 2 * (double)f.ranks;
        check_values(sum, wanted, COUNT);
    }
    close_fixture(&f);
}

/* Means of shards of which several are infinite. */
static void takes_means_of_infinite_shards(dt_world *world)
{
    fixture f = open_fixture(world);
    double rows[2 * COUNT];
    dt_tensor *out, *mean, *rstd;
    for (int i = 0; i < 2 * COUNT; i++)
        rows[i] = i % 3 ? 1 : i < COUNT ? INFINITY : -INFINITY;
    dt_tensor *x = tensor_of(f.mesh, "S(1)", DT_F32, DT_SHAPE(2, COUNT), rows);
    CHECK_OK(world, dt_layer_norm(x, DT_SHAPE(COUNT), NULL, NULL, 1e-5, &out,
                                  &mean, &rstd));
    check_values(mean, (const double[]){INFINITY, -INFINITY}, 2);
    check_values(rstd, (const double[]){NAN, NAN}, 2);
    close_fixture(&f);
}

const dt_test dt_tests[] = {
    {"keeps terms beside partial addends", keeps_terms_beside_partial_addends},
    {"keeps outer products beside partial addends",
     keeps_outer_products_beside_partial_addends},
    {"divides shards by partial zeros", divides_shards_by_partial_zeros},
    {"makes addends partial alone", makes_addends_partial_alone},
    {"takes means of infinite shards", takes_means_of_infinite_shards},
    {NULL, NULL},
};
