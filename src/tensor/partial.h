/* tensor/partial.h - values made partial. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_TENSOR_PARTIAL_H
#define DTI_TENSOR_PARTIAL_H

#include "tensor/tensor.h"

/*
 * A value is made partial exactly, for every dtype: one rank of a sum, a
 * product or an exclusive or has the value and the others what changes nothing;
 * for the others, all ranks have it.
 */

/* Tell whether one rank of a partial mesh dimension, the first one, has the
 * value, and the others have what changes nothing. */
bool dti_partial_has_one_holder(const dt_placement *placement);

/* Tell whether the rank at a coordinate has the value; if not, `neutral` is
 * what it has. */
bool dti_partial_holds(const dt_layout *layout, const int *coordinate,
                       double *neutral);

/* Turn this rank's part of a value into its part of a partial value. */
dt_status dti_partial_apply(const dt_spec *spec, dt_array *local);

/* Check that the dtype has the reductions of a layout. */
dt_status dti_partial_check(const dt_spec *spec);

/*
 * Combine partial values: a dense array with the value, on every rank.
 *
 * Collective over the mesh.  The caller releases it.  The tensor's own array,
 * with one more reference, if there is nothing to combine.
 */
dt_status dti_partial_combine(const dt_tensor *tensor, dt_array **out);

#endif
