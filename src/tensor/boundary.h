/* tensor/boundary.h - tensors that change layout, or cross between the mesh and
 * this rank. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_BOUNDARY_H
#define DTI_TENSOR_BOUNDARY_H

#include <dtensor/redistribute.h>
#include <dtensor/tensor.h>

/*
 * What the operators of ops/boundary do.  Programs and the library call these
 * operators, so that dispatch sees each call.  Handles were checked; NULL on
 * failure.
 */
dt_tensor *dti_redistribute(dt_tensor *tensor,
                            const dt_redistribute_options *options);
dt_tensor *dti_from_local(dt_mesh *mesh, const char *layout, dt_array *local,
                          const dt_from_local_options *options);
dt_tensor *dti_to_local(dt_tensor *tensor);
dt_tensor *dti_distribute(dt_mesh *mesh, const char *layout,
                          const dt_meta *meta, dt_array *array, int source);
dt_status dti_tensor_put(dt_tensor *tensor, const dt_box *box,
                         const dt_array *array);

#endif
