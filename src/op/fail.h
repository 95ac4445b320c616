/* op/fail.h - failures of operators, and which ranks know of them. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_OP_FAIL_H
#define DTI_OP_FAIL_H

#include <dtensor/sys/op.h>

#include "base/error.h"

/* Tell whether every rank of the mesh has all elements of a kernel's input. */
bool dti_input_is_everywhere(const dt_operation *operation, int input);

/* The same of all inputs. */
bool dti_inputs_are_everywhere(const dt_operation *operation);

/*
 * Fail with DT_ERR_INVALID because of a value that a kernel found in an input.
 * If every rank of the mesh finds it in this call, they fail alike; otherwise
 * the other ranks are told, and the message says how to go on.
 */
dt_status dti_fail_value(const dt_operation *operation, bool everywhere,
                         const char *format, ...) DT_PRINTF(3, 4) DTI_COLD;

/* Fail because an operator is not computed in a dtype. */
dt_status dti_fail_dtype(const dt_operation *operation,
                         dt_dtype dtype) DTI_COLD;

#ifdef __clang_analyzer__ /* as in base/error.h */
#define dti_fail_value(...) dti_failed(dti_fail_value(__VA_ARGS__))
#define dti_fail_dtype(...) dti_failed(dti_fail_dtype(__VA_ARGS__))
#endif

#endif
