/* nn/layers/rotary.h - positions by rotation. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_LAYERS_ROTARY_H
#define DTI_NN_LAYERS_ROTARY_H

#include <dtensor/nn.h>

#include "nn/module.h"

/* A module that rotates (batch, time, heads, width), with tables of cosines and
 * sines for all positions as buffers. */
dt_module *dti_rotary_create(dt_world *world, const dt_transformer *shape);

#endif
