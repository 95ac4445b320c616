/* graph/graph.h - programs as graphs. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_GRAPH_H
#define DTI_GRAPH_GRAPH_H

#include <dtensor/graph.h>

#include "base/reference.h"
#include "base/world.h"
#include "graph/size.h"
#include "op/registry.h"

/*
 * A graph: values, and nodes that compute values from others.  Values and nodes
 * are numbers, indexes of the tables.  A node calls a row of the operator
 * registry; nodes are in the order in which they run, and every value is
 * computed before it is read (dti_graph_check).  Nothing is overwritten: a
 * buffer that a program changes is an output whose value replaces it after the
 * run.
 *
 * Everything lies in one arena, but arrays, specs and the meshes of captured
 * calls, which are retained.
 */

/* A value: an input, a parameter, buffer or constant, or a result of a node. */
typedef struct dti_graph_value {
    const char *name;
    dt_graph_value_kind kind;
    int node; /* that computes it; -1 if none does */
    dt_dtype dtype;
    int ndim;
    dti_size sizes[DT_MAX_NDIM];
    const char *type; /* "f32[2, s1]"; set by dti_graph_add_value */
    const char *path; /* qualified name of a parameter, buffer or constant */
    dt_array *array;  /* its elements; NULL if the archive has none */
    dt_spec *spec;    /* of a value of a captured program; or NULL */
} dti_graph_value;

/* An argument of a node, of the kind that the schema asks for. */
typedef struct dti_term {
    dt_argument_kind kind;
    int count; /* length of a list */
    union {
        int value;         /* DT_ARG_TENSOR */
        const int *values; /* DT_ARG_TENSORS; -1: absent */
        dti_size size;     /* DT_ARG_INTEGER, and DT_ARG_NUMBER if `sized` */
        const dti_size *sizes; /* DT_ARG_INTEGERS */
        dt_number number;
        const dt_number *numbers;
        double real;
        const char *text;
        dt_mesh *mesh; /* retained; NULL: the mesh that the graph runs on */
    } as;
    bool sized; /* a Number that is a size */
} dti_term;

/* A call of an operator. */
typedef struct dti_graph_node {
    const char *name;   /* in the program */
    const char *target; /* what the program calls it */
    const char *module; /* qualified name of the module; "" for the root */
    dti_operator *op;   /* NULL: not supported; the graph cannot run */
    dti_term *terms;    /* all arguments of the schema */
    int result_count;
    int *results; /* values; -1: not used */
} dti_graph_node;

/* What a program returns, or leaves in a buffer or an input. */
typedef struct dti_graph_output {
    dt_graph_output_kind kind;
    int value;
    int target; /* the buffer or input that it replaces; -1: none */
} dti_graph_output;

struct dt_graph {
    dti_reference reference;
    dt_world *world;
    dti_arena arena;
    const char *path; /* of the archive; "" if there is none */
    dti_sizes sizes;
    dti_graph_value *values;
    int value_count, value_capacity;
    dti_graph_node *nodes;
    int node_count, node_capacity;
    int *inputs; /* values that a run is given, in order */
    int input_count, input_capacity;
    dti_graph_output *outputs;
    int output_count, output_capacity;
    int unsupported; /* nodes without an operator */
};

/* Create an empty graph. */
dt_status dti_graph_create(dt_world *world, const char *path, dt_graph **out);

/* Add to a graph.  The new value's array and spec are retained, texts are the
 * graph's own already.  DT_ERR_NO_MEMORY. */
dt_status dti_graph_add_value(dt_graph *graph, const dti_graph_value *value,
                              int *out);
dt_status dti_graph_add_input(dt_graph *graph, int value);
dt_status dti_graph_add_output(dt_graph *graph, const dti_graph_output *output);

/* Add a node, whose terms and results are the graph's own; the results' values
 * are set to be computed by it. */
dt_status dti_graph_add_node(dt_graph *graph, const dti_graph_node *node);

/* Memory and texts of the graph; NULL fails with DT_ERR_NO_MEMORY. */
void *dti_graph_get(dt_graph *graph, size_t size);
const char *dti_graph_text(dt_graph *graph, const char *text);

/* Call a function for each value that a node reads. */
typedef void (*dti_value_visitor)(void *arg, int value);
void dti_node_visit(const dti_graph_node *node, dti_value_visitor visit,
                    void *arg);

/*
 * Check what every graph holds to: values are computed once and before they are
 * read, arguments are what the schema says, expressions are inside their table.
 * The message names the node.
 */
dt_status dti_graph_check(const dt_graph *graph);

#endif
