/* nn/create.h - giving parameters their elements. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_CREATE_H
#define DTI_NN_CREATE_H

#include <dtensor/parallel.h>

#include "nn/module.h"

/*
 * Create a parameter on the mesh, in a layout for its `stored` shape, which has
 * the elements of the parameter's own in the same order.  `name` is its
 * qualified name in the whole tree.  One that is on the mesh already stays as
 * it is.
 */
dt_status dti_parameter_distribute(const dt_distribution *at,
                                   dt_parameter *parameter, const char *name,
                                   const char *layout, dt_shape stored);

/* The same of a module's own slot, as a text with one placement or all. */
dt_status dti_slot_distribute(const dt_distribution *at, dt_module *module,
                              dti_slot *slot, const char *layout,
                              dt_shape stored);

/* Replicate what is not on the mesh yet, of a module and those below it. */
dt_status dti_module_replicate(const dt_distribution *at, dt_module *module);

/* The seed that a program gave, or that of the world if it is NULL. */
uint64_t dti_seed_of(dt_world *world, const uint64_t *given);

/* A layout with one placement, or with one for each mesh dimension, as one with
 * all: other mesh dimensions are as in `rest`, or replicate if that is NULL. */
dt_status dti_layout_along(const dt_distribution *at, const char *text,
                           const dt_layout *rest, const char **out);

#endif
