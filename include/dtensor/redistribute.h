/* dtensor/redistribute.h - a tensor in another layout. */
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
 * Give the same tensor in another layout on its mesh.
 *
 * Collective over the mesh.  Values stay what they are, bit for bit; partial
 * ones are combined where the new layout has them no more.  If every rank has
 * just what it needs, the result shares memory with the tensor; otherwise it is
 * dense and row-major.
 */
DT_API dt_tensor *dt_redistribute(dt_tensor *tensor, const char *layout);

/* More about it.  Zeros are defaults. */
typedef struct dt_redistribute_options {
    size_t size;        /* sizeof(dt_redistribute_options) */
    dt_mesh *mesh;      /* NULL: that of the tensor */
    const char *layout; /* NULL: that of the tensor */
    bool cast_forward;  /* to forward_dtype, before anything is sent */
    dt_dtype forward_dtype;
    bool cast_backward; /* what gradients are sent in */
    dt_dtype backward_dtype;
    bool asynchronous; /* the result is waited for when it is first used */
    dt_objective objective;
    dt_planner planner;
    size_t memory_cap; /* as in dt_plan_options */
} dt_redistribute_options;

#define DT_REDISTRIBUTE_OPTIONS_INIT                                           \
    {                                                                          \
        sizeof(dt_redistribute_options), 0, 0, false, DT_F32, false, DT_F32,   \
            false, DT_OBJECTIVE_TIME, DT_PLANNER_SEARCH, 0                     \
    }

/*
 * Give the same tensor in another layout, on another mesh or in another dtype.
 *
 * Collective over the ranks of both meshes.  A rank outside the new mesh gets a
 * tensor of which it has nothing.
 */
DT_API dt_tensor *dt_redistribute_with(dt_tensor *tensor,
                                       const dt_redistribute_options *options);

/*
 * Give the whole tensor on every rank, as a tensor on the rank's own mesh.
 *
 * Collective over the mesh.  Outside it, an empty one.  Shares memory with a
 * tensor that every rank has whole.
 */
DT_API dt_tensor *dt_full_tensor(dt_tensor *tensor);

DT_EXTERN_C_END

#endif
