/* ops/helpers/place.h - the mesh, the layout and the dtype that a call names.
 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_HELPERS_PLACE_H
#define DTI_OPS_HELPERS_PLACE_H

#include <dtensor/sys/op.h>

/* Return the argument `mesh`.  DT_ERR_INVALID if it is NULL or belongs to
 * another world. */
dt_status dti_place_mesh(const dt_operation *operation, dt_mesh **out);

/* Return the argument `layout`; NULL if it is absent. */
const char *dti_place_layout(const dt_operation *operation);

/* Return the argument `dtype`.  DT_ERR_INVALID if there is no such dtype. */
dt_status dti_place_dtype(const dt_operation *operation, dt_dtype *out);

#endif
