/* autograd/nodes.h - lists of nodes. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_NODES_H
#define DTI_AUTOGRAD_NODES_H

#include "autograd/node.h"

/* Nodes that somebody else keeps.  Start from zeros; free `nodes` at the end.
 */
typedef struct dti_nodes {
    dti_node **nodes;
    size_t count, capacity;
} dti_nodes;

dt_status dti_nodes_add(dti_nodes *list, dti_node *node);

/* Sort by the order of recording, the latest first. */
void dti_nodes_sort(dti_nodes *list);

#endif
