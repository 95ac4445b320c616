/* ops/nn/activation.h - what activations and their gradients share. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OPS_NN_ACTIVATION_H
#define DTI_OPS_NN_ACTIVATION_H

#include <stdbool.h>
#include <string.h>

#include "ops/helpers/arguments.h"

/* Fail unless `approximate` is one of the kinds of gelu. */
static inline dt_status dti_check_approximate(const dt_operation *operation)
{
    const char *text = dti_argument_text(operation, "approximate");
    if (text && (strcmp(text, "none") == 0 || strcmp(text, "tanh") == 0))
        return DT_OK;
    return dt_operation_fail(
        operation, DT_ERR_INVALID,
        "approximate is \"%s\"; expected \"none\" or \"tanh\"",
        text ? text : "");
}

static inline bool dti_is_approximate(const dt_operation *operation)
{
    return strcmp(dti_argument_text(operation, "approximate"), "tanh") == 0;
}

#endif
