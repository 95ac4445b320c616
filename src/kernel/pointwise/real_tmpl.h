/* kernel/pointwise/real_tmpl.h - the loops of functions of reals. */
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
#define SINC sinc_f32
#define LOGIT_WITHIN logit_within_f32
#define LOGADDEXP logaddexp_f32
#define LOGADDEXP2 logaddexp2_f32
#define XLOGY xlogy_f32
#define ENTROPY entropy_f32
#include "kernel/pointwise/real_float_tmpl.h"

#define NAME run_f64
#define T double
#define SINC sinc_f64
#define LOGIT_WITHIN logit_within_f64
#define LOGADDEXP logaddexp_f64
#define LOGADDEXP2 logaddexp2_f64
#define XLOGY xlogy_f64
#define ENTROPY entropy_f64
#include "kernel/pointwise/real_float_tmpl.h"

/* The number of an absolute value and an angle. */
static inline dti_c64 turned_c64(float length, float angle)
{
    return (dti_c64){length * cos_f32(angle), length * sin_f32(angle)};
}

static bool run_c64(dti_pointwise function, void *out, const void *const *in,
                    const int *steps, int64_t count)
{
    (void)steps;
#define T dti_c64
#define R dti_c64
    switch (function) {
    case DTI_SQRT:
#define APPLY(x) root_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_RSQRT:
#define APPLY(x) invert_c64(root_c64(x))
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXP:
#define APPLY(x) exp_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXP2:
#define APPLY(x) exp2_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_EXPM1:
#define APPLY(x) expm1_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG:
#define APPLY(x) log_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG2:
#define APPLY(x) log_per_c64(x, 1.44269504088896340736)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG10:
#define APPLY(x) log_per_c64(x, 0.434294481903251827651)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOG1P:
#define APPLY(x) log1p_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIN:
#define APPLY(x) sin_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_COS:
#define APPLY(x) cos_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_TAN:
#define APPLY(x) tan_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ASIN:
#define APPLY(x) asin_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ACOS:
#define APPLY(x) acos_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ATAN:
#define APPLY(x) atan_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SINH:
#define APPLY(x) sinh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_COSH:
#define APPLY(x) cosh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_TANH:
#define APPLY(x) tanh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ASINH:
#define APPLY(x) asinh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ACOSH:
#define APPLY(x) acosh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_ATANH:
#define APPLY(x) atanh_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SINC:
#define APPLY(x) sinc_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_SIGMOID:
#define APPLY(x) sigmoid_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_LOGADDEXP:
#define APPLY(x, y) logaddexp_c64(x, y)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_CONJ:
#define APPLY(x) conjugate_c64(x)
#include "kernel/pointwise/one_tmpl.h"
        return true;
    case DTI_COMPLEX:
#define APPLY(x, y) ((dti_c64){(x).real, (y).real})
#include "kernel/pointwise/pair_tmpl.h"
        return true;
    case DTI_POLAR:
#define APPLY(x, y) turned_c64((x).real, (y).real)
#include "kernel/pointwise/pair_tmpl.h"
        return true;
#undef R
#define R float
    case DTI_ANGLE:
#define APPLY(x) atan2_f32((x).imaginary, (x).real)
#include "kernel/pointwise/one_tmpl.h"
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
