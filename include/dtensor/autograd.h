/* dtensor/autograd.h - gradients. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_AUTOGRAD_H
#define DTENSOR_AUTOGRAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/status.h>
#include <dtensor/tensor.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * A tensor that dt_requires_grad marked is a leaf.  Calls of operators that
 * depend on a leaf are recorded, and dt_backward computes the gradients of all
 * leaves that a tensor depends on:
 *
 *     dt_tensor *w = dt_requires_grad(dt_randn(mesh, "S(1)", DT_F32, shape));
 *     dt_tensor *loss = dt_mean(dt_square(dt_matmul(x, w)), DT_DIMS(), false);
 *     DT_TRY(dt_backward(loss));
 *     dt_tensor *grad = dt_tensor_grad(w);     S(1), as w
 *
 * The gradient of a tensor has its layout, with partial placements replaced by
 * replicated ones.  Gradients of a leaf that is used several times are added
 * before they are reduced among ranks.  Gradients are computed by operators, so
 * they are sharded, redistributed and traced as any call.
 *
 * Nothing is recorded in a scope opened with `gradients` off
 * (dt_scope_options), and on results of dt_detach.  A graph is kept alive by
 * the tensors that lead to it, not by scopes.
 *
 * Backward visits calls in the reverse order of recording, on every rank: the
 * ranks of a mesh must record the same calls.
 */

/*
 * Make a tensor a leaf; returns the tensor.
 *
 * Not collective, but all ranks of the mesh must do the same.  DT_ERR_INVALID,
 * and NULL is returned, if the dtype is neither floating-point nor complex, or
 * if the tensor was computed from a leaf.  A tensor that is a leaf stays one.
 */
DT_API dt_tensor *dt_requires_grad(dt_tensor *tensor);

/* Test whether gradients are computed for a tensor: it is a leaf or was
 * computed from one.  Not collective.  False for NULL. */
DT_API bool dt_tensor_requires_grad(const dt_tensor *tensor);

/* Test whether a tensor is a leaf.  Not collective.  False for NULL. */
DT_API bool dt_tensor_is_leaf(const dt_tensor *tensor);

/*
 * Return the gradient of a leaf, or NULL if it has none yet.
 *
 * Not collective.  Borrowed from the leaf until the next backward pass or until
 * the gradient is cleared; retain it to keep it.
 */
DT_API dt_tensor *dt_tensor_grad(const dt_tensor *tensor);

/*
 * Replace the gradient of a leaf; NULL clears it.
 *
 * Not collective, but all ranks of the mesh must do the same.  The leaf retains
 * the gradient.  DT_ERR_INVALID if the tensor is no leaf, or if shape, dtype or
 * mesh of the gradient are not those of the leaf.
 */
DT_API DT_MUST_USE dt_status dt_tensor_set_grad(dt_tensor *tensor,
                                                dt_tensor *grad);

/* Options of dt_backward_with and dt_grad.  Zeros are the defaults. */
typedef struct dt_backward_options {
    size_t size; /* sizeof(dt_backward_options) */
    /* Gradients of the outputs, by output; NULL, or NULL for one output: ones,
     * for an output with one element. */
    dt_tensor *const *grads;
    bool retain; /* keep what was saved, so that the graph can be used again */
    /* Record the backward pass, for gradients of gradients; implies retain. */
    bool differentiable;
    /* dt_grad: an input that the outputs do not depend on has the result NULL
     * instead of being an error. */
    bool allow_unused;
    /* Wait for each redistribution of a gradient.  By default the pass starts
     * that of a leaf when its gradient is complete, goes on, and waits at its
     * end: the same collectives in the same order, but the pass does not wait
     * for a slower rank at each of them. */
    bool synchronous;
    /* Leave the gradients of leaves in the layouts in which they are computed,
     * for example P(sum), and add them to what the leaves have.  The next pass
     * without this option reduces the sums, so that gradients of several passes
     * are accumulated without communication in between. */
    bool unreduced;
} dt_backward_options;

#define DT_BACKWARD_OPTIONS_INIT                                               \
    {                                                                          \
        sizeof(dt_backward_options), 0, false, false, false, false, false      \
    }

/*
 * Compute the gradients of all leaves that a tensor depends on, and add them to
 * those that the leaves have.
 *
 * Collective over the meshes of the graph.  The tensor has one element, unless
 * options give its gradient.  What the graph saved is released.  If the pass
 * fails, the gradient of each leaf is as before or complete, never part of a
 * sum.
 */
DT_API DT_MUST_USE dt_status dt_backward(dt_tensor *tensor);

/*
 * The same for several outputs, with options, which may be NULL.
 *
 * Collective over the meshes of the graph.
 */
DT_API DT_MUST_USE dt_status dt_backward_with(
    dt_tensor *const *outputs, int count, const dt_backward_options *options);

/*
 * Compute the gradients of outputs by inputs, which may be any tensors that the
 * outputs were computed from.  The gradients of leaves do not change.
 *
 * Collective over the meshes of the graph.  `results` has a place for each
 * input; results belong to the innermost scope.  DT_ERR_INVALID if the outputs
 * do not depend on an input, unless allow_unused is set.
 */
DT_API DT_MUST_USE dt_status dt_grad(dt_tensor *const *outputs,
                                     int output_count, dt_tensor *const *inputs,
                                     int input_count,
                                     const dt_backward_options *options,
                                     dt_tensor **results);

/*
 * A function that sees a gradient.  It returns the gradient to use instead, or
 * the same one; NULL is a failure.
 */
typedef dt_tensor *(*dt_grad_hook)(dt_tensor *gradient, void *arg);

/*
 * Call a function with the gradient of a tensor in every backward pass, as soon
 * as it is complete.  `number` receives a number for dt_tensor_remove_hook; it
 * may be NULL.
 *
 * Not collective, but all ranks of the mesh must do the same.  DT_ERR_INVALID
 * if no gradient is computed for the tensor.
 */
DT_API DT_MUST_USE dt_status dt_tensor_add_hook(dt_tensor *tensor,
                                                dt_grad_hook hook, void *arg,
                                                uint64_t *number);

/*
 * Call a function after a gradient was added to that of a leaf.  It receives
 * the gradient of the leaf; what it returns is ignored, except NULL, which is a
 * failure.  Functions of several leaves are called in the order in which their
 * gradients were completed, the same on all ranks; unless the pass is
 * synchronous, some time after that, at the latest at the end of the pass.
 *
 * Not collective, but all ranks of the mesh must do the same.
 */
DT_API DT_MUST_USE dt_status dt_tensor_add_leaf_hook(dt_tensor *leaf,
                                                     dt_grad_hook hook,
                                                     void *arg,
                                                     uint64_t *number);

/* Remove a hook.  Not collective.  DT_ERR_NOT_FOUND if the tensor has none of
 * this number. */
DT_API DT_MUST_USE dt_status dt_tensor_remove_hook(dt_tensor *tensor,
                                                   uint64_t number);

/*
 * Functions that take over the gradients of leaves, for example to reduce those
 * of many leaves in one collective:
 *
 *     take:    retain the gradient and put it into a bucket; if the bucket is
 *              full, concatenate what it has and start an asynchronous
 *              dt_redistribute_with of that
 *     finish:  start the same for the buckets that are left; split the results,
 *              and pass each part to dt_tensor_add_grad
 */
typedef struct dt_reducer {
    size_t size; /* sizeof(dt_reducer) */
    /*
     * The gradient of a leaf is complete: everything that this pass computes
     * of it has been added, and the hooks of the leaf have seen it.  It has
     * the shape and dtype of the leaf and any layout, for example P(sum).
     * Retain it to keep it; do not write to it, because others may read it.
     * What earlier passes left `unreduced` is part of it.  Called in the same
     * order on all ranks of the mesh, instead of the redistribution and
     * addition to the leaf's gradient; not in a pass that is `unreduced`.
     * `leaf` is the argument of dt_tensor_set_reducer.  A failure ends the
     * pass.
     */
    dt_status (*take)(dt_tensor *gradient, void *leaf, void *arg);
    /*
     * The pass ends: called once in each pass that called `take`, after all
     * gradients are complete.  If the pass has failed, which `status` tells,
     * nothing may be sent: release what was taken.  May be NULL.
     */
    dt_status (*finish)(dt_status status, void *arg);
    void *arg; /* of both; leaves with the same `finish` and `arg` have one
                  reducer in common */
} dt_reducer;

#define DT_REDUCER_INIT                                                        \
    {                                                                          \
        sizeof(dt_reducer), 0, 0, 0                                            \
    }

/*
 * Let a reducer take over the gradients of a leaf in dt_backward; NULL: none.
 * The structure is copied; `leaf_arg` is passed to `take`.
 *
 * Not collective, but all ranks of the mesh must do the same.  DT_ERR_INVALID
 * if the tensor is no leaf, or if the reducer has no `take`.
 */
DT_API DT_MUST_USE dt_status dt_tensor_set_reducer(dt_tensor *leaf,
                                                   const dt_reducer *reducer,
                                                   void *leaf_arg);

/*
 * Add to the gradient of a leaf, as a backward pass does: the gradient is
 * redistributed to the layout of the leaf's first, and the functions of
 * dt_tensor_add_leaf_hook are called.
 *
 * Collective over the mesh.  May be called by a reducer during a pass.
 * DT_ERR_INVALID if the tensor is no leaf, or if shape, dtype or mesh of the
 * gradient are not those of the leaf.
 */
DT_API DT_MUST_USE dt_status dt_tensor_add_grad(dt_tensor *tensor,
                                                dt_tensor *grad);

/*
 * How calls keep the tensors that their gradients need, in a scope that has it
 * as an option:
 *
 *     const dt_packing packing = dt_packing_cast(DT_BF16);
 *     dt_scope_options options = DT_SCOPE_OPTIONS_INIT;
 *     options.packing = &packing;
 *     dt_scope *scope = dt_scope_open_with(world, &options);
 *     ... the forward computation ...
 *
 * A tensor that a call saves is packed when the call returns, and unpacked in
 * the backward pass where its gradient is computed.  Leaves are not packed,
 * because the program keeps them.  Inside dt_checkpoint its inputs are.  A
 * packing without `pack` keeps tensors as they are, for a scope inside.
 */
typedef struct dt_packing {
    size_t size; /* sizeof(dt_packing) */
    /*
     * Return in `packed` what is kept instead of a tensor; NULL keeps the
     * tensor as it is.  The tensor has the saved elements and no gradient; it
     * must not be written.  Its memory is released unless it is retained.
     * Called in the same order on all ranks of the mesh, and may be collective.
     */
    dt_status (*pack)(dt_tensor *tensor, void *arg, void **packed);
    /*
     * Return a tensor with the elements that were packed: of the same shape on
     * the same mesh.  Another dtype is converted and another layout is
     * redistributed to what it was.  May be called several times.  NULL is a
     * failure.
     */
    dt_tensor *(*unpack)(void *packed, void *arg);
    /* Release what was packed; may be NULL.  May be called at any time; it must
     * not communicate. */
    void (*release)(void *packed, void *arg);
    void *arg; /* of all three; valid until everything is released */
} dt_packing;

#define DT_PACKING_INIT                                                        \
    {                                                                          \
        sizeof(dt_packing), 0, 0, 0, 0                                         \
    }

/*
 * Keep replicas as shards along a mesh dimension, and gather them in the
 * backward pass: 1/n of the memory on n ranks.  `mesh_dim` is its name, and
 * stays valid; NULL: the dimension of meshes that have one.  A tensor is
 * sharded along its longest dimension that is not sharded yet; a tensor that is
 * not replicated along the mesh dimension is kept as it is.
 *
 * Not collective.
 */
DT_API dt_packing dt_packing_shard(const char *mesh_dim);

/*
 * Keep floating-point tensors in a smaller floating-point dtype, for example
 * DT_BF16; gradients are computed with the rounded values.  Other tensors are
 * kept as they are.
 *
 * Not collective.
 */
DT_API dt_packing dt_packing_cast(dt_dtype dtype);

/*
 * Keep local shards in a temporary file, which has no name and ends with the
 * process.  `folder` is where, and stays valid; NULL: TMPDIR, or /tmp.  A call
 * whose tensors cannot be written fails with DT_ERR_IO.
 *
 * Not collective.
 */
DT_API dt_packing dt_packing_disk(const char *folder);

/*
 * A part of a program that dt_checkpoint runs: it computes `outputs` from
 * `inputs`, and from tensors that `arg` leads to.  Tensors that it creates
 * belong to the innermost scope.
 */
typedef dt_status (*dt_section_function)(dt_world *world,
                                         dt_tensor *const *inputs,
                                         int input_count, dt_tensor **outputs,
                                         int output_count, void *arg);

/*
 * Run a function without keeping what its calls save for gradients; in the
 * backward pass it runs again.  This is activation checkpointing: memory for
 * the inputs instead of for every intermediate result, at the cost of a second
 * forward computation.  Random numbers are the same the second time.
 *
 * Collective over the meshes that the function uses.  `arg` must stay valid
 * until the backward pass, and the function must make the same calls then;
 * otherwise the backward pass fails with DT_ERR_INVALID.  Outputs belong to the
 * innermost scope.
 */
DT_API DT_MUST_USE dt_status dt_checkpoint(dt_section_function function,
                                           dt_tensor *const *inputs,
                                           int input_count, dt_tensor **outputs,
                                           int output_count, void *arg);

/* How dt_tensor_graph_format describes a graph. */
typedef enum dt_graph_style {
    DT_GRAPH_TEXT, /* a line for every call, the first call first */
    DT_GRAPH_DOT,  /* the language of Graphviz */
    DT_GRAPH_JSON  /* JSON; of dt_graph_format only */
} dt_graph_style;

/*
 * Describe the recorded calls that a tensor was computed by: their inputs,
 * results, layouts and, as text, what is saved.  The description is empty if
 * there are none.  Writes at most `size` bytes including the terminating zero;
 * `length`, which may be NULL, receives the length of the full text.
 *
 * Not collective.
 */
DT_API DT_MUST_USE dt_status dt_tensor_graph_format(dt_tensor *tensor,
                                                    dt_graph_style style,
                                                    char *text, size_t size,
                                                    size_t *length);

/*
 * Describe what dt_backward would do: below each recorded call, the operators
 * that compute its gradients, with the layouts of their arguments and results,
 * and the collectives of this rank.  An output of several elements begins with
 * ones.  Writes at most `size` bytes including the terminating zero; `length`,
 * which may be NULL, receives the length of the full text.
 *
 * Collective over the meshes of the graph.  The pass is carried out, without
 * hooks; the graph and the gradients of leaves do not change.  In a dry run
 * nothing is computed.
 */
DT_API DT_MUST_USE dt_status dt_explain_backward(dt_tensor *tensor, char *text,
                                                 size_t size, size_t *length);

DT_EXTERN_C_END

#endif
