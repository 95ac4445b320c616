/* bench/operators/families.c - the families of timed operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

const bench_family bench_families[] = {
    {"arithmetic", bench_arithmetic},
    {"functions", bench_functions},
    {"compare", bench_compare},
    {"cast", bench_cast},
    {"copy", bench_copy},
    {"reduce", bench_reduce},
    {"order", bench_order},
    {"softmax", bench_softmax},
    {"norm", bench_norm},
    {"embedding", bench_embedding},
    {"index", bench_index},
    {"product", bench_product},
    {"random", bench_random},
    {0},
};
