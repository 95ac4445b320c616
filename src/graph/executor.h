/* graph/executor.h - a graph on a mesh, ready to run. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_EXECUTOR_H
#define DTI_GRAPH_EXECUTOR_H

#include "graph/graph.h"

/*
 * Arguments of all calls are made once.  A run puts tensors into them; sizes
 * are written again only if the extents of inputs change.  Nothing is looked up
 * by name.
 */

/* A call, ready but for its tensors. */
typedef struct dti_step {
    dti_operator *op;
    dt_variant variant;
    dt_argument *arguments; /* of the schema */
    int result_count;
    const int *results;  /* values; -1: not used */
    const int *finished; /* values that no later step reads */
    int finished_count;
    const char *name; /* of the node */
    const char *module;
} dti_step;

/* Where a step takes a tensor from. */
typedef struct dti_patch {
    dt_tensor **place; /* in the arguments of the step */
    int value;
} dti_patch;

struct dt_executor {
    dti_reference reference;
    dt_world *world;
    dt_graph *graph; /* retained */
    dt_mesh *mesh;   /* retained */
    dti_arena arena;
    dti_step *steps;
    dti_patch *patches; /* of all steps, in order */
    int *patch_ends;    /* by step */
    dt_tensor **slots;  /* by value; NULL if it is not known */
    bool *owned;        /* by value: a state, which the executor retains */
    int *roots; /* by value: the value whose memory it may share; else itself */
    dt_tensor **results; /* of the longest step */
    dti_operator *alias, *clone, *copy;
    int64_t *symbols; /* extents of the latest run */
    int64_t *given;   /* those of this run */
    bool *known;      /* which of these are set */
    int64_t *sizes;   /* of all expressions, from these */
    bool bound;       /* they are set */
};

/* Make the steps of an executor, whose graph and mesh are set. */
dt_status dti_executor_prepare(dt_executor *executor);

/* Write the sizes into the arguments. */
void dti_executor_bind(dt_executor *executor);

#endif
