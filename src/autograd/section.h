/* autograd/section.h - parts of a program that run again in the backward pass.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_SECTION_H
#define DTI_AUTOGRAD_SECTION_H

#include <dtensor/autograd.h>

#include "autograd/node.h"
#include "random/keys.h"

/*
 * A section is a function that a program calls through dt_checkpoint.  Its
 * calls are recorded as any, but what they save is released when the function
 * returns; the section keeps its inputs and the keys of its random numbers.
 * When a backward pass needs something that was released, the function runs
 * again: it makes the same calls, the n-th of which gives what it saves to the
 * n-th node of the section.  So the graph, the leaves and the order of
 * gradients are those of a program without dt_checkpoint.
 *
 * Nodes hold the section, which knows them without holding them.
 */
typedef struct dti_section {
    dti_reference reference;
    dt_world *world;
    dt_section_function function;
    void *arg;
    int input_count, output_count;
    dti_saved *inputs; /* with their elements */
    dti_edge *edges;   /* of the inputs; retained */
    dti_keys keys;
    dti_node **nodes; /* in the order of recording; NULL: freed */
    int count, capacity;
    int next;      /* node that gets what the next call saves */
    bool restores; /* the function runs again */
} dti_section;

/* NULL is allowed. */
void dti_section_release(dti_section *section);

/* Note a node that was recorded while a section runs, or let it give what it
 * saved to the node that it repeats.  Does nothing outside sections. */
dt_status dti_section_note(dti_node *node);

/* Forget a node that is freed; nodes that are freed with the section are put
 * before a list. */
void dti_section_forget(dti_node *node, dti_node **list);

/* Run the section of a node again, so that what it saved is there. */
dt_status dti_section_restore(dti_section *section);

#endif
