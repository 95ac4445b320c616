/* tests/conformance/bench.h - one operator on one mesh: cases, and what is
 * wrong with them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_BENCH_H
#define DT_TESTS_BENCH_H

#include "conformance/engine.h"

/* The same on every rank, but for what is wrong. */
typedef struct bench {
    const engine *on;
    report_row *row;
    dt_mesh *mesh;
    dt_array *flag; /* for agreeing */
    unsigned long long random;
    text_set forced; /* candidates of the trial that were run */
    trial *at;
    nearness how;
    char why[512]; /* what is wrong with the case */
} bench;

/* A random number below a limit, the same on every rank. */
unsigned long long below(bench *on, unsigned long long limit);

/* Say why a case is wrong, the first time; gives false. */
bool fault(bench *on, const char *format, ...) DT_PRINTF(2, 3);

/* End a case: the rank that knows why it is wrong says so, once for all ranks,
 * which then can go on.  Collective over the world. */
void settle(bench *on, bool good, const dt_layout *layouts, const char *kind);

/* Wait for all ranks.  Collective over the world. */
void meet(bench *on);

/* An input in a layout, its memory dense or not.  Not collective.  It belongs
 * to the innermost scope; NULL if it is absent, or with a fault. */
dt_tensor *place_input(bench *on, const input_facts *facts,
                       const dt_layout *layout, bool spread);

#define ALL_REDUCTIONS ((1u << DT_REDUCE_COUNT) - 1)

/* A layout of such placements, on a mesh of any dimensions. */
void draw_layout(bench *on, const dt_placement *list, int count,
                 int tensor_ndim, dt_layout *out);

/* Compare results with those of one rank.  Collective over the mesh. */
bool check_results(bench *on, dt_tensor *const *results, int count);

/*
 * Write to the views that a call gives and to what they are views of, and
 * compare with one rank; nothing if the operator gives none.
 *
 * Collective over the world.
 */
void check_views(bench *on, const dt_layout *layouts);

/*
 * Run candidates that the rule offers if inputs lie so, by themselves: all of
 * them on a mesh of one dimension, one for each dimension otherwise.
 *
 * Collective over the world.
 */
void force_from(bench *on, const dt_layout *layouts);

#endif
