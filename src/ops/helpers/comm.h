/* ops/helpers/comm.h - kernels that ask the ranks that have the other parts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_COMM_H
#define DTI_OPS_HELPERS_COMM_H

#include <dtensor/comm.h>
#include <dtensor/mesh.h>
#include <dtensor/sys/op.h>

/* The mesh dimensions that cut some dimensions, a bit each of both. */
unsigned dti_comm_cuts(const dt_spec *spec, unsigned dims);

/* Give the ranks along some mesh dimensions, a bit each; NULL if this rank is
 * the only one.  Not collective. */
dt_status dti_comm_over(dt_mesh *mesh, unsigned mesh_dims, dt_group **out);

/* Give the ranks that have the other parts of some dimensions, a bit each; NULL
 * if there are none.  Not collective. */
dt_status dti_comm_group(const dt_spec *spec, unsigned dims, dt_group **out);

/* Create a list of f64, not initialised, that the call owns. */
dt_status dti_comm_numbers(const dt_operation *operation, int64_t count,
                           dt_array **out);

/* Put the lists of all ranks one after another, on every rank; all are equally
 * long.  The call owns the result.  Collective over the group. */
dt_status dti_comm_gather(const dt_operation *operation, dt_group *group,
                          const dt_array *mine, dt_array **out);

/* Combine the lists of all ranks, on every rank; nothing without a group.
 * Collective over the group. */
dt_status dti_comm_combine(dt_group *group, dt_reduce op, dt_array *numbers);

#endif
