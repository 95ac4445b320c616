/* autograd/node.h - the tape: what calls leave behind for the backward pass. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_AUTOGRAD_NODE_H
#define DTI_AUTOGRAD_NODE_H

#include "op/gradient/formula.h"
#include "tensor/tensor.h"
#include "tensor/version.h"

/*
 * A call whose results need gradients is a node.  It holds edges to the nodes
 * of its inputs, a copy of its arguments, and what its gradient reads.  A
 * tensor that needs a gradient points to a result of the node that made it; a
 * leaf, which the program marked, points to a node of its own without edges.
 *
 *     w (leaf)   x (no gradient)         node 1: leaf w
 *        \      /
 *         mul                            node 2: mul, edges {1, none}, saves x
 *          |
 *         tanh                           node 3: tanh, edge {2}, saves result
 *          |
 *          y  -> result 0 of node 3
 *
 * A node never holds a tensor, only arrays and specs, and its edges lead to
 * older nodes: there are no cycles.  A graph lives as long as a tensor or a
 * later node that leads to it, whatever scopes close.
 */
typedef struct dti_node dti_node;

/* A result of a node, or none. */
typedef struct dti_edge {
    dti_node *node; /* retained; NULL: no gradient is needed */
    int result;
} dti_edge;

/* What a node keeps of an input or a result. */
typedef struct dti_saved {
    dt_spec *spec;   /* retained; NULL if the tensor is absent */
    bool kept;       /* its elements were saved, and perhaps released since */
    dt_array *array; /* retained; NULL if its elements are not read */
    dti_version *version;      /* retained, with `array`; NULL: a copy */
    uint64_t count, alone;     /* of the version when it was saved */
    struct dti_packed *packed; /* retained: what the elements are packed into,
                                  instead of `array` (pack.h); or NULL */
} dti_saved;

/* Tell whether elements that were kept are to be had. */
static inline bool dti_saved_is_there(const dti_saved *saved)
{
    return saved->array || saved->packed;
}

/* What a tensor that takes part in gradients points to. */
typedef struct dti_gradient {
    dti_attached attached;
    dti_node *node; /* that made it; NULL: it needs no gradient */
    int result;
    bool member; /* the record of a base or a view: a dti_member (family.h) */
} dti_gradient;

/* A result of a node. */
typedef struct dti_slot {
    dti_gradient gradient; /* what its tensor points to */
    dt_tensor *pending; /* the sum of gradients that have arrived; retained */
    struct dti_hook *hooks; /* the latest first; or NULL */
} dti_slot;

struct dti_node {
    dti_reference reference;
    bool released;     /* what it saved was given back */
    uint64_t sequence; /* its place in the order of recording */
    dt_world *world;
    dti_operator *op;           /* NULL: a leaf */
    const dti_formula *formula; /* of the operator; NULL: of none */
    struct dti_leaf *leaf;      /* of a leaf; else NULL */
    struct dti_view *written;   /* of a write through a view; else NULL */
    int input_count, result_count;
    dti_edge *edges;             /* by input */
    dti_slot *slots;             /* by result */
    dti_saved *saved;            /* by input, then by result */
    dt_argument *arguments;      /* without tensors */
    struct dti_section *section; /* in which it was recorded; or NULL */
    int place;                   /* among the nodes of that */
    const char *module; /* of the program when it was called; or NULL */
    /* During a backward pass: */
    uint64_t pass;  /* the last that has seen it */
    bool needed;    /* it leads to a gradient that is wanted */
    bool asked;     /* its own gradient is, by dt_grad */
    dti_node *next; /* in the list of those to be freed */
    uint64_t shown; /* the last description that has it */
};

/* Create a node with no edges and nothing saved.  Arguments are copied, lists
 * and texts included, tensors left out.  The caller releases it. */
dt_status dti_node_create(dt_world *world, dti_operator *op,
                          const dt_argument *arguments, int input_count,
                          int result_count, dti_node **out);

static inline dti_node *dti_node_retain(dti_node *node)
{
    if (node)
        dti_reference_retain(&node->reference);
    return node;
}

/* Drop a reference; a graph of any size is freed by a loop.  NULL is allowed.
 */
void dti_node_release(dti_node *node);

/* The same in two steps, for what holds nodes and is held by them: drop a
 * reference, and put the node before a list if that was the last; free a list.
 */
void dti_node_release_into(dti_node *node, dti_node **list);
void dti_nodes_free(dti_node *list);

/* Keep the spec of a tensor, and its elements if they are read. */
dt_status dti_saved_set(dti_saved *saved, dt_tensor *tensor, bool elements);

/* Release what is kept of a tensor. */
void dti_saved_release(dti_saved *saved);

/* Release the elements that a node saved; its specs stay. */
void dti_node_drop(dti_node *node);

/* The same for good: the node was visited. */
void dti_node_forget(dti_node *node);

/* Create a node like another, which is a view of one tensor, with a different
 * edge. */
dt_status dti_node_replay(const dti_node *node, dti_edge edge, dti_node **out);

/* Let a tensor point to a result of a node, unless `node` is NULL, instead of
 * what it pointed to. */
void dti_gradient_attach(dt_tensor *tensor, dti_node *node, int result);

/* The name of what a node records, for messages. */
const char *dti_node_name(const dti_node *node);

/* The name of an input of a call of an operator, or, counted after these, of a
 * result. */
const char *dti_node_tensor_name(const dti_node *node, int number);

#endif
