/* graph/program/program.h - turning an exported program into a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PROGRAM_PROGRAM_H
#define DTI_GRAPH_PROGRAM_PROGRAM_H

#include "graph/archive.h"
#include "graph/aten.h"
#include "graph/program/problem.h"
#include "graph/program/raw.h"

/* A program that is being loaded. */
typedef struct dti_loading {
    dt_world *world;
    const char *path;
    dt_graph_load_options options;
    dti_archive *archive;
    const char *model; /* its name */
    dti_raw_program raw;
    dt_graph *graph;
    dti_aten_index aten;
    struct dti_payloads *payloads;
    dti_problems problems;
    bool foreign; /* a tensor of another device was reported */
} dti_loading;

/* Load a program from an archive; `path` is its name in messages. */
dt_status dti_graph_load_from(dt_world *world, dti_archive *archive,
                              const char *path,
                              const dt_graph_load_options *options,
                              dt_graph **out);

/* ---- payload.c ----------------------------------------------------------- */

/* Read where parameters, buffers and constants are in the archive. */
dt_status dti_payloads_open(dti_loading *loading);
void dti_payloads_close(dti_loading *loading);

/*
 * Find the elements of a value by its qualified name; `out` is an array that
 * lies in the file, or NULL if there are none, which may be a problem.
 */
dt_status dti_payload_find(dti_loading *loading, const char *path,
                           dt_array **out);

/* ---- signature.c --------------------------------------------------------- */

/* Add the inputs and the state of a program to its graph; and, after the nodes,
 * its outputs. */
dt_status dti_signature_inputs(dti_loading *loading);
dt_status dti_signature_outputs(dti_loading *loading);

/* Describe a tensor of the program as a value; false, with a problem of `node`,
 * if there is no such tensor or none like it. */
bool dti_describe_value(dti_loading *loading, const dti_raw_node *node,
                        const dti_raw_name *name, dti_graph_value *out);

/* ---- translate.c --------------------------------------------------------- */

/* Add all nodes. */
dt_status dti_translate(dti_loading *loading);

/* PyTorch's number of a dtype as ours; DT_DTYPE_COUNT if there is none. */
dt_dtype dti_dtype_of_torch(int64_t number);

/* Copy a text that many nodes have, once if they follow each other. */
const char *dti_translate_text(dti_loading *loading, const char *text);

#endif
