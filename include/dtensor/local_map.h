/* dtensor/local_map.h - applying a function to local tensors. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_LOCAL_MAP_H
#define DTENSOR_LOCAL_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * A function of local tensors, which are tensors on the rank's own mesh.  It
 * sets all of `outputs`.  Tensors that it creates belong to the innermost
 * scope.
 */
typedef dt_status (*dt_local_function)(dt_world *world,
                                       dt_tensor *const *inputs,
                                       int input_count, dt_tensor **outputs,
                                       int output_count, void *arg);

/* Options of dt_local_map.  Zeros are the defaults. */
typedef struct dt_local_map_options {
    size_t size; /* sizeof(dt_local_map_options) */
    /* One layout per input; a NULL entry, or a NULL list, keeps the input's
     * current layout. */
    const char *const *in_layouts;
    const char *const *out_layouts; /* one layout per output; none is NULL */
    /* Global shape of each output; NULL: all local outputs have the same
     * shape. */
    const dt_shape *out_shapes;
    bool redistribute; /* redistribute inputs that have another layout;
                          otherwise fail */
    void *arg;         /* passed to the function */
    /* The layout that the local gradients of each input are in, as
     * dt_to_local_options has it; a NULL entry, or a NULL list: that of the
     * input as the function gets it, with partial placements replicated. */
    const char *const *in_grad_layouts;
} dt_local_map_options;

#define DT_LOCAL_MAP_OPTIONS_INIT                                              \
    {                                                                          \
        sizeof(dt_local_map_options), 0, 0, 0, false, 0, 0                     \
    }

/*
 * Call a function with the local tensors of the inputs, and create distributed
 * tensors from the local tensors that it returns.
 *
 * Collective over the mesh of the inputs, which must all be on the same mesh.
 * Partial inputs are passed without reduction.  A rank outside the mesh does
 * not call the function and receives empty tensors.  Outputs belong to the
 * innermost scope.  If the function fails on one rank, the other ranks fail
 * with DT_ERR_PEER.
 */
DT_API DT_MUST_USE dt_status dt_local_map(dt_local_function function,
                                          dt_tensor *const *inputs,
                                          int input_count, dt_tensor **outputs,
                                          int output_count,
                                          const dt_local_map_options *options);

DT_EXTERN_C_END

#endif
