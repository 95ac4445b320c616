/* redistribute/cost.c - what a step costs. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "redistribute/cost.h"

#include <stddef.h>
#include <string.h>

/* Measured on two cores with `dtensor bench collectives`. */
static const struct {
    const char *transport;
    dti_costs costs;
} built_in[] = {
    {"shm",
     {.shared = true,
      .usual = {.call = 0.5e-6,
                .message = 0.08e-6,
                .remote = 0.10e-9,
                .local = 0.10e-9,
                .combine = 0.045e-9}}},
    {"mpi",
     {.usual = {.call = 2e-6,
                .message = 1e-6,
                .remote = 0.30e-9,
                .local = 0.10e-9,
                .combine = 0.15e-9}}},
};

const dti_costs *dti_costs_of(const char *transport)
{
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(built_in[i].transport, transport) == 0)
            return &built_in[i].costs;
    return &built_in[0].costs;
}

uint64_t dti_costs_hash(const dti_costs *costs)
{
    uint64_t words[2];
    memcpy(&words[0], &costs->usual.call, sizeof words[0]);
    memcpy(&words[1], &costs->usual.remote, sizeof words[1]);
    return words[0] ^ words[1] << 1;
}

/* ---- Prices ------------------------------------------------------------- */

static double higher(double a, double b)
{
    return a > b ? a : b;
}

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static dti_prices mix(const dti_prices *a, const dti_prices *b,
                      double (*choose)(double, double))
{
    return (dti_prices){.call = choose(a->call, b->call),
                        .message = choose(a->message, b->message),
                        .remote = choose(a->remote, b->remote),
                        .local = choose(a->local, b->local),
                        .combine = choose(a->combine, b->combine)};
}

dti_prices dti_costs_lowest(const dti_costs *costs)
{
    dti_prices prices = costs->usual;
    for (int i = 0; i < costs->count; i++)
        prices = mix(&prices, &costs->dims[i].prices, lower);
    return prices;
}

static const dti_prices *prices_of(const dti_costs *costs, const char *name)
{
    for (int i = 0; i < costs->count; i++)
        if (strcmp(costs->dims[i].name, name) == 0)
            return &costs->dims[i].prices;
    return &costs->usual;
}

/* The highest prices of some mesh dimensions. */
static dti_prices prices_along(const dti_costs *costs, const dt_mesh *mesh,
                               unsigned dims)
{
    dti_prices prices = costs->usual;
    bool any = false;
    for (int i = 0; costs->count && dims >> i; i++) {
        if (!(dims >> i & 1))
            continue;
        const dti_prices *own = prices_of(costs, dt_mesh_dim_name(mesh, i));
        prices = any ? mix(&prices, own, higher) : *own;
        any = true;
    }
    return prices;
}

/* To combine a run of its own takes as long as to copy so many bytes. */
#define ROW_BYTES 256

/*
 * Ranks that communicate are never quite together.  As measured, two wait for
 * one another about as long as each takes to copy its share of the tensor,
 * whatever it is that they move; four, twice as long.  More were not measured.
 */
double dti_cost_of(const dti_costs *costs, const dt_mesh *mesh,
                   const dti_volume *volume)
{
    dti_prices prices = prices_along(costs, mesh, volume->dims);
    double seconds =
        prices.local * (double)(volume->local + ROW_BYTES * volume->rows);
    /* Nobody is waited for: an array is made, that is all. */
    if (volume->messages == 0)
        return 0.75 * seconds + 0.25 * prices.call;
    int64_t fetched = volume->remote, waited = volume->waited;
    if (costs->shared) {
        fetched -= volume->pushed;
        waited += volume->unread;
    }
    return seconds + prices.call + prices.message * volume->messages +
           prices.remote * (double)fetched + prices.local * (double)waited +
           prices.combine * (double)volume->combined;
}
