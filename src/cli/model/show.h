/* cli/model/show.h - what `dtensor model` prints of a graph. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_CLI_MODEL_SHOW_H
#define DTI_CLI_MODEL_SHOW_H

#include <stdio.h>

#include <dtensor/graph.h>

/* Write inputs, outputs, state and operators of a graph as tables. */
void dti_model_show(const dt_graph *graph, FILE *stream);

/* Write a graph in a style; false if the library refuses. */
bool dti_model_write(const dt_graph *graph, dt_graph_style style, FILE *stream);

#endif
