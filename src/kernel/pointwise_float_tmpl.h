/* kernel/pointwise_float_tmpl.h - the functions of floats. */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * To be defined before inclusion: NAME, the function; T, the type of elements;
 * EXP, LOG, SQRT, FABS, TANH, SIGMOID, SILU, GELU, GELU_TANH, POW, functions of
 * it.
 */
static bool NAME(dti_pointwise function, void *out, const void *const *in,
                 const int *steps, int64_t count)
{
    switch (function) {
#include "kernel/pointwise_compare_tmpl.h"
#define R T
    case DTI_ADD:
#define APPLY(x, y) ((x) + (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_SUB:
#define APPLY(x, y) ((x) - (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MUL:
#define APPLY(x, y) ((x) * (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_DIV:
#define APPLY(x, y) ((x) / (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_POW:
#define APPLY(x, y) POW(x, y)
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MAXIMUM:
#define APPLY(x, y) ((x) >= (y) || (x) != (x) ? (x) : (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_MINIMUM:
#define APPLY(x, y) ((x) <= (y) || (x) != (x) ? (x) : (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    case DTI_ADD_SCALED: {
        const T factor = count > 0 ? *(const T *)in[2] : 0;
#define APPLY(x, y) ((x) + factor * (y))
#include "kernel/pointwise_two_tmpl.h"
        return true;
    }
    case DTI_NEG:
#define APPLY(x) (-(x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_ABS:
#define APPLY(x) FABS(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RECIPROCAL:
#define APPLY(x) (1 / (x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_EXP:
#define APPLY(x) EXP(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_LOG:
#define APPLY(x) LOG(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SQRT:
#define APPLY(x) SQRT(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RSQRT:
#define APPLY(x) (1 / SQRT(x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_TANH:
#define APPLY(x) TANH(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SIGMOID:
#define APPLY(x) SIGMOID(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_SILU:
#define APPLY(x) SILU(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_GELU:
#define APPLY(x) GELU(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_GELU_TANH:
#define APPLY(x) GELU_TANH(x)
#include "kernel/pointwise_one_tmpl.h"
        return true;
    case DTI_RELU:
#define APPLY(x) ((x) < 0 ? 0 : (x))
#include "kernel/pointwise_one_tmpl.h"
        return true;
#undef R
    default:
        return false;
    }
}

#undef NAME
#undef T
#undef EXP
#undef LOG
#undef SQRT
#undef FABS
#undef TANH
#undef SIGMOID
#undef SILU
#undef GELU
#undef GELU_TANH
#undef POW
