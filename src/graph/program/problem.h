/* graph/program/problem.h - what keeps a program from being run. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PROGRAM_PROBLEM_H
#define DTI_GRAPH_PROGRAM_PROBLEM_H

#include <dtensor/graph.h>

#include "graph/program/raw.h"

/* Problems are collected, so that a person learns of all at once. */
typedef struct dti_problems {
    dt_world *world;
    const char *path;
    dt_graph_problem_function function; /* told of each; may be NULL */
    void *arg;
    int count;
    int operators;  /* of these, operators that are not supported */
    dt_status code; /* of the first */
    size_t length;
    char text[780]; /* the first ones */
} dti_problems;

/* Add a problem of a node, which may be NULL. */
void dti_problem_add(dti_problems *problems, dt_status code,
                     const dti_raw_node *node, const char *format, ...)
    DT_PRINTF(4, 5);

/* Fail if there were problems. */
dt_status dti_problems_end(const dti_problems *problems);

#endif
