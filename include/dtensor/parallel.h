/* dtensor/parallel.h - distributing modules over a mesh. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_PARALLEL_H
#define DTENSOR_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

#include <dtensor/mesh.h>
#include <dtensor/module.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/* Where the elements of parameters come from. */
typedef enum dt_weights {
    /* Parameters without elements are drawn or computed in place: each rank
     * creates its own shard, nothing is sent, and the numbers are the same on
     * any mesh.  Others have the same elements on every rank. */
    DT_WEIGHTS_DRAWN,
    DT_WEIGHTS_EVERYWHERE, /* every rank has all elements; nothing is sent */
    DT_WEIGHTS_FROM_RANK   /* one rank has all elements, and sends shards */
} dt_weights;

/* How a module is being distributed, for functions that take part in it. */
typedef struct dt_distribution {
    dt_mesh *mesh;      /* over which */
    int dim;            /* mesh dimension of parallel styles */
    dt_weights weights; /* where elements come from */
    int source;         /* world rank, with DT_WEIGHTS_FROM_RANK */
    uint64_t seed;      /* of random numbers */
    void *arg;          /* of the options */
} dt_distribution;

/* Options of dt_distribute_module.  Zeros are the defaults. */
typedef struct dt_distribute_module_options {
    size_t size; /* sizeof(dt_distribute_module_options) */
    /* Distribute the parameters of a module, with dt_distribute_parameter.
     * Called with the module and with each below it, and its qualified name.
     * Parameters that it leaves alone are replicated.  NULL: all are. */
    dt_status (*partition)(const dt_distribution *at, const char *name,
                           dt_module *module);
    /* Change the inputs and the outputs of the module, in every call; may be
     * NULL. */
    dt_status (*input)(dt_module *module, dt_tensor **inputs, int count,
                       dt_mesh *mesh, void *arg);
    dt_status (*output)(dt_module *module, dt_tensor **outputs, int count,
                        dt_mesh *mesh, void *arg);
    void *arg;            /* passed to the functions */
    dt_weights weights;   /* where elements come from */
    int source;           /* world rank, with DT_WEIGHTS_FROM_RANK */
    const uint64_t *seed; /* of random numbers; NULL: that of the world */
} dt_distribute_module_options;

#define DT_DISTRIBUTE_MODULE_OPTIONS_INIT                                      \
    {                                                                          \
        sizeof(dt_distribute_module_options), 0, 0, 0, 0, DT_WEIGHTS_DRAWN, 0, \
            0                                                                  \
    }

/*
 * Create the parameters of a module and of those below it on a mesh.  Without
 * options all are replicated.
 *
 * Collective over the mesh.  `options` may be NULL.  Parameters that are on the
 * mesh already stay as they are.  DT_ERR_INVALID if the module was distributed
 * before.
 */
DT_API DT_MUST_USE dt_status
dt_distribute_module(dt_module *module, dt_mesh *mesh,
                     const dt_distribute_module_options *options);

/*
 * Create a parameter of a module on the mesh, in a layout, for example "RS(0)".
 * A single placement holds along the mesh dimension `at->dim`; the others
 * replicate.
 *
 * Collective over the mesh.  A parameter that is on the mesh already stays as
 * it is.
 */
DT_API DT_MUST_USE dt_status dt_distribute_parameter(const dt_distribution *at,
                                                     dt_module *module,
                                                     const char *name,
                                                     const char *layout);

DT_EXTERN_C_END

#endif
