/* graph/program/raw.h - a program as its JSON has it. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PROGRAM_RAW_H
#define DTI_GRAPH_PROGRAM_RAW_H

#include <dtensor/shape.h>

#include "base/text/json_reader.h"
#include "graph/graph.h"

/*
 * The JSON is read in one pass into these structures, because what a node's
 * arguments mean depends on tables that follow the nodes.  They lie in an arena
 * that is freed when the graph is made.  Names of fields are those of PyTorch's
 * schema (torch/_export/serde/schema.py).
 */

/* What an argument, or an item of a list, holds. */
typedef enum dti_raw_kind {
    DTI_RAW_NONE,
    DTI_RAW_TENSOR, /* name */
    DTI_RAW_SYMBOL, /* name of an integer that is computed from sizes */
    DTI_RAW_INTEGER,
    DTI_RAW_REAL,
    DTI_RAW_BOOL,
    DTI_RAW_TEXT,
    DTI_RAW_DTYPE,   /* PyTorch's number */
    DTI_RAW_SETTING, /* a layout or memory format: PyTorch's number */
    DTI_RAW_DEVICE,  /* type of the device */
    DTI_RAW_REFUSED  /* name of the tag */
} dti_raw_kind;

typedef struct dti_raw_item {
    dti_raw_kind kind;
    int64_t integer; /* or bool, or number of an enum */
    double real;
    const char *text; /* or name */
} dti_raw_item;

/* An argument: an item or a list of items. */
typedef struct dti_raw_argument {
    const char *name; /* parameter of the operator; "" if it has none */
    const char *tag;  /* of the union */
    bool list;
    int count; /* of `items`; 1 if no list */
    int capacity;
    dti_raw_item *items;
} dti_raw_argument;

/* A list of arguments. */
typedef struct dti_raw_arguments {
    dti_raw_argument *items;
    int count, capacity;
} dti_raw_arguments;

typedef struct dti_raw_node {
    const char *name;
    const char *target;
    const char *module;
    dti_raw_arguments inputs, outputs;
} dti_raw_node;

/* A tensor as tensor_values describes it. */
typedef struct dti_raw_meta {
    int64_t dtype; /* PyTorch's number */
    int ndim;
    dti_size sizes[DT_MAX_NDIM];
    int stride_count;
    dti_size strides[DT_MAX_NDIM];
    dti_size offset;
    const char *device;
    int64_t layout;
    const char *fault; /* a size that cannot be computed: why; or NULL */
} dti_raw_meta;

/* A name and what is known of it. */
typedef struct dti_raw_name {
    const char *name;
    bool has_meta;
    dti_raw_meta meta;
    bool has_size; /* an integer that is computed from sizes */
    dti_size size;
    const char *fault; /* it cannot be computed: why; or NULL */
    int value;         /* in the graph; -1: none yet */
} dti_raw_name;

/* An entry of the signature. */
typedef struct dti_raw_spec {
    const char *tag;
    const char *value;  /* name of the value; NULL if it is no tensor */
    const char *target; /* qualified name, or name of an input */
    bool persistent;
    bool none;        /* the argument is absent: as_none */
    const char *kind; /* tag of an argument that is neither */
} dti_raw_spec;

typedef struct dti_raw_specs {
    dti_raw_spec *items;
    int count, capacity;
} dti_raw_specs;

/* A program while it is read. */
typedef struct dti_raw_program {
    dti_json_reader json;
    dti_arena arena;
    dt_graph *graph; /* sizes are added to it */
    dti_map names;
    dti_raw_node *nodes;
    int node_count, node_capacity;
    dti_raw_arguments inputs, outputs; /* of the graph */
    dti_raw_specs input_specs, output_specs;
    int64_t major, minor; /* of the schema; major -1: not read */
    const char *torch;    /* version that wrote the program; "" if unknown */
    bool has_graph, has_signature;
} dti_raw_program;

/*
 * Read the JSON of a program.  Unknown fields are skipped, unknown tags are
 * kept as refused.  DT_ERR_FORMAT with the place of a fault.
 */
dt_status dti_raw_read(dti_raw_program *program, const void *text, size_t size,
                       dt_error *error);

/* Free what was read, whether or not that succeeded. */
void dti_raw_free(dti_raw_program *program);

/* Find a name; NULL if the program has none such. */
dti_raw_name *dti_raw_find(const dti_raw_program *program, const char *name);

/* Find an argument by name; NULL if it is not given. */
const dti_raw_argument *dti_raw_argument_of(const dti_raw_node *node,
                                            const char *name, size_t length);

/* ---- For files that read other records in the same way ------------------- */

/* A field of an object, and the function that reads it into `out`. */
typedef struct dti_raw_field {
    const char *name;
    bool (*read)(dti_raw_program *program, void *out);
} dti_raw_field;

/* Read an object whose fields are listed; others are skipped. */
bool dti_raw_fields(dti_raw_program *program, const dti_raw_field *fields,
                    int count, void *out);

/* Keep a text; NULL fails. */
const char *dti_raw_keep(dti_raw_program *program, dti_json_string text);

/* Read the description of a tensor, a dti_raw_meta. */
bool dti_raw_read_meta(dti_raw_program *program, void *out);

#endif
