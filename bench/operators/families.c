/* bench/operators/families.c - the families of timed operators. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

const bench_family bench_families[] = {
    {"arithmetic", bench_arithmetic},
    {"mixed", bench_mixed},
    {"functions", bench_functions},
    {"activation", bench_activation},
    {"compare", bench_compare},
    {"cast", bench_cast},
    {"copy", bench_copy},
    {"reduce", bench_reduce},
    {"order", bench_order},
    {"softmax", bench_softmax},
    {"norm", bench_norm},
    {"loss", bench_loss},
    {"embedding", bench_embedding},
    {"index", bench_index},
    {"product", bench_product},
    {"attention", bench_attention},
    {"optimizer", bench_optimizer},
    {"random", bench_random},
    {0},
};
