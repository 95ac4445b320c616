/* nn/state.h - tensors of parameters in the shapes of state dicts. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_STATE_H
#define DTI_NN_STATE_H

#include "nn/module.h"

/*
 * Give a tensor of a parameter, its value or a moment of it, in the shape that
 * the parameter has in state dicts: the very tensor, unless it is stored with a
 * dimension for heads.  Then it is a copy.
 */
dt_tensor *dti_state_form(const dt_parameter *parameter, dt_tensor *tensor);

/* Set a tensor of a parameter to what a state has: `given` may be on another
 * mesh, or on this rank's own if each rank has all of it.  Nothing is done if
 * it is the very tensor, or shares its memory. */
dt_status dti_state_take(const dt_parameter *parameter, dt_tensor *tensor,
                         dt_tensor *given);

#endif
