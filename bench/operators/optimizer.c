/* bench/operators/optimizer.c - steps of optimisers, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_training.h>

static bool call_adamw(dt_tensor *const *in)
{
    dt_adam_step_options options = DT_ADAM_STEP_OPTIONS_INIT;
    options.decoupled = true;
    options.weight_decay = 0.01;
    return dt_adam_step_with_(in[0], in[1], in[2], in[3], NULL, 3, &options) ==
           DT_OK;
}

static bool call_sgd(dt_tensor *const *in)
{
    dt_sgd_step_options options = DT_SGD_STEP_OPTIONS_INIT;
    options.momentum = 0.9;
    return dt_sgd_step_with_(in[0], in[1], in[2], &options) == DT_OK;
}

const bench_operator bench_optimizer[] = {
    {"AdamW step",
     {OPERAND_A, OPERAND_B, OPERAND_ZEROS, OPERAND_ZEROS2},
     .call = call_adamw},
    {"SGD step", {OPERAND_A, OPERAND_B, OPERAND_ZEROS}, .call = call_sgd},
    {0},
};
