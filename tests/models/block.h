/* tests/models/block.h - blocks of a transformer under the layouts of tensor,
 * sequence and data parallelism, and what their gradients send. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DT_TESTS_BLOCK_H
#define DT_TESTS_BLOCK_H

#include <dtensor/dtensor.h>

enum { BLOCK_INPUTS = 16, BLOCK_CLASSES = 28 };

/* An input of a block.  Floating-point inputs require a gradient, except
 * "grad", the gradient of the result; integers are below BLOCK_CLASSES. */
typedef struct block_input {
    const char *name;
    dt_dtype dtype;
    dt_shape shape;
} block_input;

struct model_block;

/* What is computed, whatever the layouts. */
typedef struct block_kind {
    const char *name;
    block_input inputs[BLOCK_INPUTS];
    dt_tensor *(*run)(const struct model_block *of, dt_tensor *const *inputs);
} block_kind;

/* Collectives of one step. */
typedef struct block_calls {
    int forward, backward;
} block_calls;

/*
 * A kind with layouts.  Activations come in the layout of "x", are
 * redistributed to `inside` before products with sharded weights, and to
 * `stream` after them.
 *
 * `upstream` is what PyTorch DTensor sends, as tests/peers/gradients_layouts.py
 * counts it.  It leaves gradients of replicated weights partial, for an
 * optimizer to reduce one by one: `left` is how many.  Here they are reduced in
 * the backward pass, so at most upstream.backward + left collectives are as
 * many.
 */
typedef struct model_block {
    const char *name;
    const block_kind *kind;
    const char *mesh;
    const char *inside, *stream;
    const char *layouts[BLOCK_INPUTS];
    block_calls upstream;
    int left;
    block_calls ours;
} model_block;

extern const model_block blocks[]; /* ends with a NULL name */

/* The number of inputs of a kind. */
int block_input_count(const block_kind *kind);

/* The input "grad" of a kind; -1 if its result is a loss. */
int block_grad(const block_kind *kind);

/* Tell whether an input requires a gradient. */
bool block_is_leaf(const block_kind *kind, int input);

#endif
