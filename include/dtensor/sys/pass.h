/* dtensor/sys/pass.h - passes: functions that rewrite graphs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_PASS_H
#define DTENSOR_SYS_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/graph.h>
#include <dtensor/sys/op.h>

DT_EXTERN_C_BEGIN

/*
 * A graph that a pass looks at, and the changes that it asks for.  Nodes and
 * values have numbers from 0.  Nodes are in the order in which they run.  The
 * graph itself does not change: when the pass has returned, another graph is
 * built with all changes, and checked.
 */
typedef struct dt_graph_edit dt_graph_edit;

/* A pass: a row. */
typedef struct dt_pass {
    size_t size;       /* sizeof(dt_pass) */
    const char *name;  /* for dt_graph_optimize and messages */
    const char *about; /* one sentence */

    /* Look at the graph and ask for changes.  The new graph must compute the
     * same outputs. */
    dt_status (*run)(dt_graph_edit *edit);
} dt_pass;

#define DT_PASS_INIT                                                           \
    {                                                                          \
        sizeof(dt_pass), 0, 0, 0                                               \
    }

/*
 * Apply a pass.
 *
 * Not collective.  The graph stays as it is.  The caller releases `out`.
 */
DT_API DT_MUST_USE dt_status dt_graph_apply(dt_graph *graph,
                                            const dt_pass *pass,
                                            dt_graph **out);

/*
 * Return a pass of the library by number, from 0, in the order in which
 * dt_graph_optimize applies them; NULL after the last.
 *
 * Not collective.
 */
DT_API const dt_pass *dt_pass_at(int number);

/* ---- What a pass sees ---------------------------------------------------- */

/* The number of nodes, and of values.  Not collective. */
DT_API int dt_edit_node_count(const dt_graph_edit *edit);
DT_API int dt_edit_value_count(const dt_graph_edit *edit);

/*
 * Return the row that a node calls.
 *
 * Not collective.  Borrowed.  NULL if the node is dropped, or not supported.
 */
DT_API const dt_op *dt_edit_op(const dt_graph_edit *edit, int node);

/* Tensors that a node reads, in the order of its arguments without absent ones,
 * and its results; a value, or -1 for a result that is not used.  Replaced
 * values are those that replace them.  Not collective. */
DT_API int dt_edit_input_count(const dt_graph_edit *edit, int node);
DT_API int dt_edit_input(const dt_graph_edit *edit, int node, int index);
DT_API int dt_edit_result_count(const dt_graph_edit *edit, int node);
DT_API int dt_edit_result(const dt_graph_edit *edit, int node, int index);

/* How often a value is read by nodes that are not dropped, and as an output.
 * Not collective. */
DT_API int dt_edit_readers(const dt_graph_edit *edit, int value);
DT_API int dt_edit_outputs(const dt_graph_edit *edit, int value);

/* Test whether two values have the same dtype and shape and, in a captured
 * graph, the same layout.  Not collective. */
DT_API bool dt_edit_alike(const dt_graph_edit *edit, int a, int b);

/* Test whether a node can be computed now: it reads constants only, its
 * arguments are numbers, and it draws no random numbers.  Not collective. */
DT_API bool dt_edit_is_constant(const dt_graph_edit *edit, int node);

/*
 * Test whether a node changes nothing: a view of one tensor, of known extents,
 * that has the same elements at the same indexes.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_edit_is_same(const dt_graph_edit *edit,
                                             int node, bool *out);

/* ---- Changes ------------------------------------------------------------- */

/*
 * Leave out a node whose results are not read.
 *
 * Not collective.  DT_ERR_INVALID if one is read.
 */
DT_API DT_MUST_USE dt_status dt_edit_drop(dt_graph_edit *edit, int node);

/*
 * Let all readers of a value read another one, which is computed before them.
 *
 * Not collective.  DT_ERR_INVALID if the values are not alike.
 */
DT_API DT_MUST_USE dt_status dt_edit_replace(dt_graph_edit *edit, int value,
                                             int by);

/*
 * Compute a node now: its results become constants, and the node is dropped.
 * Nothing changes if a result has more than `limit` bytes.
 *
 * Not collective: this rank computes for itself.  DT_ERR_INVALID unless
 * dt_edit_is_constant.
 */
DT_API DT_MUST_USE dt_status dt_edit_compute(dt_graph_edit *edit, int node,
                                             size_t limit);

DT_EXTERN_C_END

#endif
