/* redistribute/partial.h - values made partial. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_REDISTRIBUTE_PARTIAL_H
#define DTI_REDISTRIBUTE_PARTIAL_H

#include "array/array.h"
#include "layout/spec.h"

/*
 * One rank of a sum, a product or an exclusive or has the value and the others
 * what changes nothing; of other reductions, all ranks have it.  Combining
 * gives the value back, bit for bit, but for two reductions: avg rounds its sum
 * on three ranks and on more than four, and a product of complex numbers loses
 * the signs of zeros and what is infinite.
 */

/* Tell whether one rank of a partial mesh dimension, the first one, has the
 * value, and the others have what changes nothing. */
bool dti_partial_has_one_holder(const dt_placement *placement);

/* Tell whether the rank at a coordinate has the value; if not, `neutral` is
 * what it has. */
bool dti_partial_holds(const dt_layout *layout, const int *coordinate,
                       double *neutral);

/* Set every element to what changes nothing; -0.0 in both parts of a complex
 * number. */
dt_status dti_partial_fill(dt_world *world, double neutral, dt_array *array);

/* The same along the mesh dimensions alone that are not partial in another
 * layout. */
bool dti_partial_holds_new(const dt_layout *before, const dt_layout *after,
                           const int *coordinate, double *neutral);

/* Turn this rank's part of a value into its part of a partial value. */
dt_status dti_partial_apply(const dt_spec *spec, dt_array *local);

/* Check that the dtype has the reductions of a layout. */
dt_status dti_partial_check(const dt_spec *spec);

/*
 * Combine partial values: a dense array with the value, on every rank.
 *
 * Collective over the mesh.  The caller releases it.  `local` itself, with one
 * more reference, if there is nothing to combine.
 */
dt_status dti_partial_combine(const dt_spec *spec, dt_array *local,
                              dt_array **out);

#endif
