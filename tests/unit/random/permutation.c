/* tests/unit/random/permutation.c - random orders are orders, and random. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "unit/random/draws.h"

typedef struct entry {
    uint64_t bits;
    int64_t number;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* By the definition: sorted by the bits of each element. */
static void is_sorted_by_random_bits(dt_world *world)
{
    static const int64_t counts[] = {0, 1, 2, 3, 64, 65, 100, 2047, 30011};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const int64_t count = counts[i];
        entry *entries = calloc((size_t)count + 1, sizeof *entries);
        int64_t *order = calloc((size_t)count + 1, sizeof *order);
        const dti_draw draw = {
            .key = draw_key,
            .dtype = DT_I64,
            .made = {.source = DTI_SOURCE_WORDS64, .dtype = DT_I64}};
        for (int64_t j = 0; j < count; j++) {
            dti_draw_run(&draw, j, 1, &entries[j].bits);
            entries[j].number = j;
        }
        qsort(entries, (size_t)count, sizeof *entries, compare);
        CHECK_OK(world, dti_random_permutation(world, draw_key, count, order));
        int64_t wrong = 0;
        for (int64_t j = 0; j < count; j++)
            wrong += order[j] != entries[j].number;
        CHECKF(wrong == 0, "%lld of %lld", (long long)wrong, (long long)count);
        free(entries);
        free(order);
    }
}

static void holds_every_number(dt_world *world)
{
    enum { COUNT = 1000003 };
    int64_t *order = malloc(COUNT * sizeof *order);
    unsigned char *seen = calloc(COUNT, 1);
    CHECK_OK(world, dti_random_permutation(world, draw_key, COUNT, order));
    int64_t wrong = 0, fixed = 0;
    for (int64_t i = 0; i < COUNT; i++) {
        if (order[i] < 0 || order[i] >= COUNT || seen[order[i]]++)
            wrong++;
        fixed += order[i] == i;
    }
    CHECK_INT(wrong, 0);
    CHECKF(fixed < 8, "%lld stay", (long long)fixed); /* 1 is expected */
    free(order);
    free(seen);
}

/* All 120 orders of five numbers are as likely. */
static void has_every_order(dt_world *world)
{
    enum { ORDERS = 120, TRIES = 120 * 400 };
    int counts[ORDERS] = {0};
    for (uint64_t i = 0; i < TRIES; i++) {
        int64_t order[5];
        const dti_random_key key =
            dti_random_fold((dti_random_key){4, 0}, i, 0);
        CHECK_OK(world, dti_random_permutation(world, key, 5, order));
        int code = 0;
        for (int j = 0; j < 5; j++) {
            int less = 0;
            for (int k = j + 1; k < 5; k++)
                less += order[k] < order[j];
            code = code * (5 - j) + less;
        }
        counts[code]++;
    }
    double sum = 0;
    for (int i = 0; i < ORDERS; i++)
        sum += (counts[i] - 400.0) * (counts[i] - 400.0) / 400;
    const double found = (sum - (ORDERS - 1)) / sqrt(2.0 * (ORDERS - 1));
    CHECKF(fabs(found) < 5, "%g deviations", found);
}

const dt_test dt_tests[] = {
    {"is sorted by random bits", is_sorted_by_random_bits},
    {"holds every number", holds_every_number},
    {"has every order", has_every_order},
    {NULL, NULL},
};
