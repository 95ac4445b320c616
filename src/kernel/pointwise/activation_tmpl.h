/* kernel/pointwise/activation_tmpl.h - the loops of activations, and of their
 * gradients. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: LOOPS, the name of the table; as in
 * pointwise_tmpl.h.
 */
#include <math.h>

#include "base/attributes.h"
#include "kernel/independent.h"
#include "kernel/pointwise/complex.h"
#include "kernel/pointwise/pointwise_level.h"
#include "kernel/pointwise/scalar.h"

/* A number behind the inputs; there need be none if there are no elements. */
#define NUMBER(index) (count > 0 ? *(const T *)in[index] : (T){0})

#define NAME run_f32
#define T float
#define MISH mish_f32
#define STRAIGHT straight_f32
#define LOG_SIGMOID log_sigmoid_f32
#define SOFTPLUS softplus_f32
#define SOFTSHRINK softshrink_f32
#define SILU_BACKWARD silu_backward_f32
#define GELU_BACKWARD gelu_backward_f32
#define GELU_TANH_BACKWARD gelu_tanh_backward_f32
#define MISH_BACKWARD mish_backward_f32
#define HARDSWISH_BACKWARD hardswish_backward_f32
#define LOG_SIGMOID_BACKWARD log_sigmoid_backward_f32
#define LOGIT_BACKWARD logit_backward_f32
#define GATE_BACKWARD gate_backward_f32
#include "kernel/pointwise/activation_float_tmpl.h"

#define NAME run_f64
#define T double
#define MISH mish_f64
#define STRAIGHT straight_f64
#define LOG_SIGMOID log_sigmoid_f64
#define SOFTPLUS softplus_f64
#define SOFTSHRINK softshrink_f64
#define SILU_BACKWARD silu_backward_f64
#define GELU_BACKWARD gelu_backward_f64
#define GELU_TANH_BACKWARD gelu_tanh_backward_f64
#define MISH_BACKWARD mish_backward_f64
#define HARDSWISH_BACKWARD hardswish_backward_f64
#define LOG_SIGMOID_BACKWARD log_sigmoid_backward_f64
#define LOGIT_BACKWARD logit_backward_f64
#define GATE_BACKWARD gate_backward_f64
#include "kernel/pointwise/activation_float_tmpl.h"

static bool run_c64(dti_pointwise function, void *out, const void *const *in,
                    const int *steps, int64_t count)
{
    (void)steps;
#define T dti_c64
#define R dti_c64
    switch (function) {
    case DTI_SILU:
#define APPLY(x) silu_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SOFTSIGN:
#define APPLY(x) softsign_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGMOID_BACKWARD:
#define APPLY(x, y) sigmoid_backward_c64(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_TANH_BACKWARD:
#define APPLY(x, y) tanh_backward_c64(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_SILU_BACKWARD:
#define APPLY(x, y) silu_backward_c64(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    default:
        return false;
    }
#undef R
#undef T
}

const dti_pointwise_loops LOOPS = {
    [DT_F32] = run_f32,
    [DT_F64] = run_f64,
    [DT_C64] = run_c64,
};

#undef NUMBER
#undef LOOPS
