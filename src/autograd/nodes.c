/* autograd/nodes.c - lists of nodes. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "autograd/nodes.h"

#include <stdlib.h>

#include "base/error.h"

dt_status dti_nodes_add(dti_nodes *list, dti_node *node)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        dti_node **nodes = realloc(list->nodes, capacity * sizeof(*nodes));
        if (!nodes)
            return dti_fail_memory(node->world, capacity * sizeof(*nodes),
                                   "a list of recorded calls");
        list->nodes = nodes;
        list->capacity = capacity;
    }
    list->nodes[list->count++] = node;
    return DT_OK;
}

static int compare(const void *one, const void *other)
{
    const uint64_t a = (*(dti_node *const *)one)->sequence;
    const uint64_t b = (*(dti_node *const *)other)->sequence;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* A chain is found in order. */
void dti_nodes_sort(dti_nodes *list)
{
    dti_node **nodes = list->nodes;
    size_t i = 1;
    while (i < list->count && nodes[i - 1]->sequence >= nodes[i]->sequence)
        i++;
    if (i < list->count)
        qsort(nodes, list->count, sizeof(*nodes), compare);
}
