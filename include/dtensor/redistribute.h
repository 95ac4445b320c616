/* dtensor/redistribute.h - changing the layout of a tensor. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_REDISTRIBUTE_H
#define DTENSOR_REDISTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>

#include <dtensor/dtype.h>
#include <dtensor/mesh.h>
#include <dtensor/plan.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * Return a tensor with the same values and another layout on the same mesh.
 *
 * Collective over the mesh.  Partial values are reduced along mesh dimensions
 * that are no longer partial; all other values are copied bit for bit.  If
 * every rank already stores exactly its new shard, the result shares memory
 * with the input; otherwise it is contiguous and row-major.
 *
 * For example, dt_redistribute(x, "RS(1)") replicates x along the first mesh
 * dimension and shards dimension 1 along the second.
 */
DT_API dt_tensor *dt_redistribute(dt_tensor *tensor, const char *layout);

/* Options of dt_redistribute_with.  Zeros are the defaults. */
typedef struct dt_redistribute_options {
    size_t size;        /* sizeof(dt_redistribute_options) */
    dt_mesh *mesh;      /* target mesh; NULL: the mesh of the tensor */
    const char *layout; /* target layout; NULL: the layout of the tensor */
    /* dtype of the result, to which elements are converted before they are
     * sent; NULL: the dtype of the tensor */
    const dt_dtype *forward_dtype;
    /* dtype to which the gradient is converted before it is sent back; it
     * arrives in the dtype of the tensor.  NULL: the dtype of the tensor */
    const dt_dtype *backward_dtype;
    bool asynchronous; /* return early; the first use of the result waits */
    dt_objective objective; /* as in dt_plan_options */
    dt_planner planner;     /* as in dt_plan_options */
    size_t memory_cap;      /* as in dt_plan_options */
} dt_redistribute_options;

#define DT_REDISTRIBUTE_OPTIONS_INIT                                           \
    {                                                                          \
        sizeof(dt_redistribute_options), 0, 0, 0, 0, false, DT_OBJECTIVE_TIME, \
            DT_PLANNER_SEARCH, 0                                               \
    }

/*
 * Return a tensor with the same values and another layout, mesh or dtype.
 *
 * Collective over the ranks of both meshes.  A rank outside the target mesh
 * receives a tensor with an empty local array.
 */
DT_API dt_tensor *dt_redistribute_with(dt_tensor *tensor,
                                       const dt_redistribute_options *options);

/*
 * Return the global tensor on every rank, as a tensor on the rank's own mesh.
 *
 * Collective over the mesh.  A rank outside the mesh receives an empty tensor.
 * The result of a replicated tensor shares its memory.
 */
DT_API dt_tensor *dt_full_tensor(dt_tensor *tensor);

/* The same with options, which may be NULL.  Collective over the mesh. */
DT_API dt_tensor *dt_full_tensor_with(dt_tensor *tensor,
                                      const dt_to_local_options *options);

DT_EXTERN_C_END

#endif
