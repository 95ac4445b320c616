/* nn/parallel/parallel.h - applying parallel styles. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_NN_PARALLEL_PARALLEL_H
#define DTI_NN_PARALLEL_PARALLEL_H

#include <dtensor/parallel.h>

#include "nn/module.h"

/* Change inputs and outputs by the lists of a rule. */
dt_status dti_style_input(const dt_style_use *use, dt_module *module,
                          dt_tensor **inputs, int count);
dt_status dti_style_output(const dt_style_use *use, dt_module *module,
                           dt_tensor **outputs, int count);

/* Apply a style to a module: create parameters, add functions to its calls. */
dt_status dti_style_apply(const dt_distribution *at, dt_module *module,
                          const dt_parallel_rule *rule);

/* Check that a style fits a module, and the lists of the rule each other. */
dt_status dti_style_check(const dt_distribution *at, dt_module *module,
                          const dt_parallel_rule *rule);

#endif
