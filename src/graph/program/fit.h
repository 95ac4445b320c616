/* graph/program/fit.h - arguments of ATen as arguments of rows. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_GRAPH_PROGRAM_FIT_H
#define DTI_GRAPH_PROGRAM_FIT_H

#include "graph/program/program.h"

/* A node and a row that is to express it. */
typedef struct dti_fitting {
    dti_loading *loading;
    const dti_raw_node *node;
    const char *map;
    dt_dtype dtype;   /* of the first result */
    char why[200];    /* it does not fit: the reason */
    dt_status status; /* no memory */
} dti_fitting;

/* Fill the terms of a row; false if it does not fit, or without memory. */
bool dti_fit_terms(dti_fitting *fitting, const dti_schema *schema,
                   dti_term *terms);

#endif
