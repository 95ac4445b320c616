/* bench/operators/loss.c - losses and their gradients, timed. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/operators/operators.h"

#include <dtensor/sys/ops_internal.h>

static bool call_cross_entropy(dt_tensor *const *in)
{
    return bench_drop(dt_cross_entropy_loss(in[0], in[1], NULL));
}

/* Forward and backward, as a step of training has both. */
static bool call_cross_entropy_both(dt_tensor *const *in)
{
    dt_tensor *loss = NULL, *logsumexp = NULL, *total = NULL;
    DT_IGNORE(dt_cross_entropy_forward(in[0], in[1], NULL, &loss, &logsumexp,
                                       &total));
    bool well = bench_drop(
        dt_cross_entropy_backward(in[2], in[0], in[1], NULL, logsumexp, total));
    return bench_drop(loss) && bench_drop(logsumexp) && bench_drop(total) &&
           well;
}

static bool call_nll_loss(dt_tensor *const *in)
{
    dt_tensor *loss = NULL, *total = NULL;
    DT_IGNORE(dt_nll_loss(in[0], in[1], NULL, &loss, &total));
    return bench_drop(loss) && bench_drop(total);
}

static bool call_mse_loss_backward(dt_tensor *const *in)
{
    return bench_drop(dt_mse_loss_backward(in[0], in[1], in[2], 1));
}

const bench_operator bench_loss[] = {
    {"cross_entropy", {OPERAND_A, OPERAND_ROWS}, .call = call_cross_entropy},
    {"cross_entropy and gradient",
     {OPERAND_A, OPERAND_ROWS, OPERAND_STEP},
     .call = call_cross_entropy_both},
    {"nll_loss", {OPERAND_A, OPERAND_ROWS}, .call = call_nll_loss},
    {"mse_loss", .two = dt_mse_loss},
    {"mse_loss backward",
     {OPERAND_STEP, OPERAND_A, OPERAND_B},
     .call = call_mse_loss_backward},
    {"l1_loss", .two = dt_l1_loss},
    {"smooth_l1_loss", .two = dt_smooth_l1_loss},
    {0},
};
