/* graph/edit.h - a graph and the changes that a pass asks for. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_EDIT_H
#define DTI_GRAPH_EDIT_H

#include <dtensor/sys/pass.h>

#include "graph/graph.h"

struct dt_graph_edit {
    dt_graph *graph;
    bool *dropped;    /* by node */
    int *replaced;    /* by value: the one that replaces it; -1: none */
    int *readers;     /* by value: nodes that are not dropped */
    int *outputs;     /* by value: how often it is an output */
    dt_array **known; /* by value: its elements, if they were computed */
};

/* The value that stands for another one now. */
int dti_edit_find(const dt_graph_edit *edit, int value);

/* Build the graph with all changes. */
dt_status dti_edit_build(const dt_graph_edit *edit, dt_graph **out);

#endif
