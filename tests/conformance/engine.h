/* tests/conformance/engine.h - trying one operator in many layouts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_ENGINE_H
#define DT_TESTS_ENGINE_H

#include "conformance/report.h"
#include "conformance/trial.h"

/* How to try operators, the same on every rank but for the world. */
typedef struct engine {
    dt_world *world;
    report *report;
    unsigned long long seed;
    bool full;
} engine;

/*
 * Try an operator of the world on a mesh of all ranks: what dispatch makes of
 * inputs in any layouts, and every candidate that its rule offers, against one
 * rank.
 *
 * Collective over the world.
 */
void check_operator(const engine *on, const char *name, dt_mesh *mesh);

/*
 * Look for layouts along a mesh dimension of two and of three ranks, in which
 * an operator could run without sending anything but that its rule does not
 * offer.  `meshes` are two such meshes.
 *
 * Not collective.
 */
void find_missing(const engine *on, const char *name, dt_mesh *const *meshes);

/* ---- For both ----------------------------------------------------------- */

#define MAX_PLACEMENTS 40

/* The ways in which an input may lie along a mesh dimension: replicated, cut,
 * cut in strides if wanted, partial by these reductions (bits). */
int list_placements(const input_facts *input, bool strided, unsigned reductions,
                    dt_placement *out);

/* The first dtype to try with, of these (bits). */
dt_dtype main_dtype(unsigned dtypes);

/* Add a row of a table, which does not say its size, to a world. */
dt_status register_row(dt_world *world, const dt_op *row);

/* The case that this thread works on, for a sentence if it aborts. */
extern _Thread_local char current_case[1024];

#endif
