/* dtensor/ops/math.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_OPS_MATH_H
#define DTENSOR_OPS_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/number.h>
#include <dtensor/random.h>
#include <dtensor/shape.h>
#include <dtensor/status.h>
#include <dtensor/tensor.h>

DT_EXTERN_C_BEGIN

/*
 * Arithmetic and functions of elements.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Arithmetic --------------------------------------------------------- */

/* Options of add.  Begin with DT_ADD_OPTIONS_INIT. */
typedef struct dt_add_options {
    size_t size; /* sizeof(dt_add_options) */
    dt_number alpha; /* multiplier of other */
} dt_add_options;

#define DT_ADD_OPTIONS_INIT \
    {sizeof(dt_add_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self + alpha * other.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_add(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_add_with(dt_tensor *self, dt_tensor *other,
                              const dt_add_options *options);
DT_API dt_tensor *dt_add_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_add_with_(dt_tensor *self, dt_tensor *other,
                               const dt_add_options *options);
DT_API dt_tensor *dt_add_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);
DT_API dt_tensor *dt_add_with_out(dt_tensor *self, dt_tensor *other,
                                  const dt_add_options *options,
                                  dt_tensor *out);

/* Options of sub.  Begin with DT_SUB_OPTIONS_INIT. */
typedef struct dt_sub_options {
    size_t size; /* sizeof(dt_sub_options) */
    dt_number alpha; /* multiplier of other */
} dt_sub_options;

#define DT_SUB_OPTIONS_INIT \
    {sizeof(dt_sub_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self - alpha * other.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sub(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_sub_with(dt_tensor *self, dt_tensor *other,
                              const dt_sub_options *options);
DT_API dt_tensor *dt_sub_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_sub_with_(dt_tensor *self, dt_tensor *other,
                               const dt_sub_options *options);
DT_API dt_tensor *dt_sub_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);
DT_API dt_tensor *dt_sub_with_out(dt_tensor *self, dt_tensor *other,
                                  const dt_sub_options *options,
                                  dt_tensor *out);

/* Options of rsub.  Begin with DT_RSUB_OPTIONS_INIT. */
typedef struct dt_rsub_options {
    size_t size; /* sizeof(dt_rsub_options) */
    dt_number alpha; /* multiplier of self */
} dt_rsub_options;

#define DT_RSUB_OPTIONS_INIT \
    {sizeof(dt_rsub_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * other - alpha * self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsub(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_rsub_with(dt_tensor *self, dt_tensor *other,
                               const dt_rsub_options *options);
DT_API dt_tensor *dt_rsub_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);
DT_API dt_tensor *dt_rsub_with_out(dt_tensor *self, dt_tensor *other,
                                   const dt_rsub_options *options,
                                   dt_tensor *out);

/*
 * self * other.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mul(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_mul_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_mul_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/*
 * self / other; the quotient of integers is f32.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_div_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_div_out(dt_tensor *self, dt_tensor *other,
                             dt_tensor *out);

/* Options of add_scalar.  Begin with DT_ADD_SCALAR_OPTIONS_INIT. */
typedef struct dt_add_scalar_options {
    size_t size; /* sizeof(dt_add_scalar_options) */
    dt_number alpha; /* multiplier of other */
} dt_add_scalar_options;

#define DT_ADD_SCALAR_OPTIONS_INIT \
    {sizeof(dt_add_scalar_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self + alpha * other, with a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_add_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_add_scalar_with(dt_tensor *self, dt_number other,
                                     const dt_add_scalar_options *options);
DT_API dt_tensor *dt_add_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_add_scalar_with_(dt_tensor *self, dt_number other,
                                      const dt_add_scalar_options *options);
DT_API dt_tensor *dt_add_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);
DT_API dt_tensor *dt_add_scalar_with_out(dt_tensor *self, dt_number other,
                                         const dt_add_scalar_options *options,
                                         dt_tensor *out);

/* Options of sub_scalar.  Begin with DT_SUB_SCALAR_OPTIONS_INIT. */
typedef struct dt_sub_scalar_options {
    size_t size; /* sizeof(dt_sub_scalar_options) */
    dt_number alpha; /* multiplier of other */
} dt_sub_scalar_options;

#define DT_SUB_SCALAR_OPTIONS_INIT \
    {sizeof(dt_sub_scalar_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self - alpha * other, with a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sub_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_sub_scalar_with(dt_tensor *self, dt_number other,
                                     const dt_sub_scalar_options *options);
DT_API dt_tensor *dt_sub_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_sub_scalar_with_(dt_tensor *self, dt_number other,
                                      const dt_sub_scalar_options *options);
DT_API dt_tensor *dt_sub_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);
DT_API dt_tensor *dt_sub_scalar_with_out(dt_tensor *self, dt_number other,
                                         const dt_sub_scalar_options *options,
                                         dt_tensor *out);

/*
 * other - self, with a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsub_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_rsub_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out);

/*
 * self * other, with a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_mul_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_mul_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_mul_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);

/*
 * self / other, with a number; the quotient of integers is f32.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_div_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_div_scalar_out(dt_tensor *self, dt_number other,
                                    dt_tensor *out);

/*
 * -x.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_neg(dt_tensor *self);
DT_API dt_tensor *dt_neg_(dt_tensor *self);
DT_API dt_tensor *dt_neg_out(dt_tensor *self, dt_tensor *out);

/*
 * Return a copy; not supported for bool.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_positive(dt_tensor *self);

/*
 * Absolute value.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_abs(dt_tensor *self);
DT_API dt_tensor *dt_abs_(dt_tensor *self);
DT_API dt_tensor *dt_abs_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 / x.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_reciprocal(dt_tensor *self);
DT_API dt_tensor *dt_reciprocal_(dt_tensor *self);
DT_API dt_tensor *dt_reciprocal_out(dt_tensor *self, dt_tensor *out);

/*
 * x^2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_square(dt_tensor *self);
DT_API dt_tensor *dt_square_(dt_tensor *self);
DT_API dt_tensor *dt_square_out(dt_tensor *self, dt_tensor *out);

/*
 * self + weight * (end - self), with a tensor weight.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lerp(dt_tensor *self, dt_tensor *end, dt_tensor *weight);
DT_API dt_tensor *dt_lerp_(dt_tensor *self, dt_tensor *end, dt_tensor *weight);
DT_API dt_tensor *dt_lerp_out(dt_tensor *self, dt_tensor *end,
                              dt_tensor *weight, dt_tensor *out);

/*
 * self + weight * (end - self).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lerp_scalar(dt_tensor *self, dt_tensor *end,
                                 dt_number weight);
DT_API dt_tensor *dt_lerp_scalar_(dt_tensor *self, dt_tensor *end,
                                  dt_number weight);
DT_API dt_tensor *dt_lerp_scalar_out(dt_tensor *self, dt_tensor *end,
                                     dt_number weight, dt_tensor *out);

/* Options of addcmul.  Begin with DT_ADDCMUL_OPTIONS_INIT. */
typedef struct dt_addcmul_options {
    size_t size; /* sizeof(dt_addcmul_options) */
    dt_number value; /* multiplier of the product */
} dt_addcmul_options;

#define DT_ADDCMUL_OPTIONS_INIT \
    {sizeof(dt_addcmul_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self + value * tensor1 * tensor2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addcmul(dt_tensor *self, dt_tensor *tensor1,
                             dt_tensor *tensor2);
DT_API dt_tensor *dt_addcmul_with(dt_tensor *self, dt_tensor *tensor1,
                                  dt_tensor *tensor2,
                                  const dt_addcmul_options *options);
DT_API dt_tensor *dt_addcmul_(dt_tensor *self, dt_tensor *tensor1,
                              dt_tensor *tensor2);
DT_API dt_tensor *dt_addcmul_with_(dt_tensor *self, dt_tensor *tensor1,
                                   dt_tensor *tensor2,
                                   const dt_addcmul_options *options);
DT_API dt_tensor *dt_addcmul_out(dt_tensor *self, dt_tensor *tensor1,
                                 dt_tensor *tensor2, dt_tensor *out);
DT_API dt_tensor *dt_addcmul_with_out(dt_tensor *self, dt_tensor *tensor1,
                                      dt_tensor *tensor2,
                                      const dt_addcmul_options *options,
                                      dt_tensor *out);

/* Options of addcdiv.  Begin with DT_ADDCDIV_OPTIONS_INIT. */
typedef struct dt_addcdiv_options {
    size_t size; /* sizeof(dt_addcdiv_options) */
    dt_number value; /* multiplier of the quotient */
} dt_addcdiv_options;

#define DT_ADDCDIV_OPTIONS_INIT \
    {sizeof(dt_addcdiv_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * self + value * tensor1 / tensor2; not supported if all are integers.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_addcdiv(dt_tensor *self, dt_tensor *tensor1,
                             dt_tensor *tensor2);
DT_API dt_tensor *dt_addcdiv_with(dt_tensor *self, dt_tensor *tensor1,
                                  dt_tensor *tensor2,
                                  const dt_addcdiv_options *options);
DT_API dt_tensor *dt_addcdiv_(dt_tensor *self, dt_tensor *tensor1,
                              dt_tensor *tensor2);
DT_API dt_tensor *dt_addcdiv_with_(dt_tensor *self, dt_tensor *tensor1,
                                   dt_tensor *tensor2,
                                   const dt_addcdiv_options *options);
DT_API dt_tensor *dt_addcdiv_out(dt_tensor *self, dt_tensor *tensor1,
                                 dt_tensor *tensor2, dt_tensor *out);
DT_API dt_tensor *dt_addcdiv_with_out(dt_tensor *self, dt_tensor *tensor1,
                                      dt_tensor *tensor2,
                                      const dt_addcdiv_options *options,
                                      dt_tensor *out);

/* ---- Exponentials, logarithms, powers and roots ------------------------- */

/*
 * Exponential function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exp(dt_tensor *self);
DT_API dt_tensor *dt_exp_(dt_tensor *self);
DT_API dt_tensor *dt_exp_out(dt_tensor *self, dt_tensor *out);

/*
 * 2 to the power of x.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_exp2(dt_tensor *self);
DT_API dt_tensor *dt_exp2_(dt_tensor *self);
DT_API dt_tensor *dt_exp2_out(dt_tensor *self, dt_tensor *out);

/*
 * exp(x) - 1, accurate near 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_expm1(dt_tensor *self);
DT_API dt_tensor *dt_expm1_(dt_tensor *self);
DT_API dt_tensor *dt_expm1_out(dt_tensor *self, dt_tensor *out);

/*
 * Natural logarithm.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log(dt_tensor *self);
DT_API dt_tensor *dt_log_(dt_tensor *self);
DT_API dt_tensor *dt_log_out(dt_tensor *self, dt_tensor *out);

/*
 * Logarithm to base 2.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log2(dt_tensor *self);
DT_API dt_tensor *dt_log2_(dt_tensor *self);
DT_API dt_tensor *dt_log2_out(dt_tensor *self, dt_tensor *out);

/*
 * Logarithm to base 10.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log10(dt_tensor *self);
DT_API dt_tensor *dt_log10_(dt_tensor *self);
DT_API dt_tensor *dt_log10_out(dt_tensor *self, dt_tensor *out);

/*
 * log(1 + x), accurate near 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_log1p(dt_tensor *self);
DT_API dt_tensor *dt_log1p_(dt_tensor *self);
DT_API dt_tensor *dt_log1p_out(dt_tensor *self, dt_tensor *out);

/*
 * Square root.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sqrt(dt_tensor *self);
DT_API dt_tensor *dt_sqrt_(dt_tensor *self);
DT_API dt_tensor *dt_sqrt_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 / sqrt(x).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rsqrt(dt_tensor *self);
DT_API dt_tensor *dt_rsqrt_(dt_tensor *self);
DT_API dt_tensor *dt_rsqrt_out(dt_tensor *self, dt_tensor *out);

/*
 * self to the power of a second tensor; for integers, a negative exponent
 * results in 0, except for 1 and -1.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow(dt_tensor *self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_(dt_tensor *self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_out(dt_tensor *self, dt_tensor *exponent,
                             dt_tensor *out);

/*
 * self to the power of a number; a negative exponent is an error for integers.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow_scalar(dt_tensor *self, dt_number exponent);
DT_API dt_tensor *dt_pow_scalar_(dt_tensor *self, dt_number exponent);
DT_API dt_tensor *dt_pow_scalar_out(dt_tensor *self, dt_number exponent,
                                    dt_tensor *out);

/*
 * A number to the power of the elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_pow_base(dt_number self, dt_tensor *exponent);
DT_API dt_tensor *dt_pow_base_out(dt_number self, dt_tensor *exponent,
                                  dt_tensor *out);

/*
 * log(exp(x) + exp(y)).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logaddexp(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logaddexp_out(dt_tensor *self, dt_tensor *other,
                                   dt_tensor *out);

/*
 * log2(2^x + 2^y).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logaddexp2(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logaddexp2_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * x log(y); 0 where x is 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_xlogy(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_xlogy_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_xlogy_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * Error function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erf(dt_tensor *self);
DT_API dt_tensor *dt_erf_(dt_tensor *self);
DT_API dt_tensor *dt_erf_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 - erf(x).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erfc(dt_tensor *self);
DT_API dt_tensor *dt_erfc_(dt_tensor *self);
DT_API dt_tensor *dt_erfc_out(dt_tensor *self, dt_tensor *out);

/* Options of logit.  Begin with DT_LOGIT_OPTIONS_INIT. */
typedef struct dt_logit_options {
    size_t size; /* sizeof(dt_logit_options) */
    double eps; /* least distance of elements from 0 and 1, negative for none */
} dt_logit_options;

#define DT_LOGIT_OPTIONS_INIT \
    {sizeof(dt_logit_options), -1}

/*
 * log(x / (1 - x)); x is clamped to eps and 1 - eps unless eps is negative.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logit(dt_tensor *self);
DT_API dt_tensor *dt_logit_with(dt_tensor *self,
                                const dt_logit_options *options);
DT_API dt_tensor *dt_logit_(dt_tensor *self);
DT_API dt_tensor *dt_logit_with_(dt_tensor *self,
                                 const dt_logit_options *options);
DT_API dt_tensor *dt_logit_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_logit_with_out(dt_tensor *self,
                                    const dt_logit_options *options,
                                    dt_tensor *out);

/* ---- Trigonometric and hyperbolic functions ----------------------------- */

/*
 * Sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sin(dt_tensor *self);
DT_API dt_tensor *dt_sin_(dt_tensor *self);
DT_API dt_tensor *dt_sin_out(dt_tensor *self, dt_tensor *out);

/*
 * Cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cos(dt_tensor *self);
DT_API dt_tensor *dt_cos_(dt_tensor *self);
DT_API dt_tensor *dt_cos_out(dt_tensor *self, dt_tensor *out);

/*
 * Tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tan(dt_tensor *self);
DT_API dt_tensor *dt_tan_(dt_tensor *self);
DT_API dt_tensor *dt_tan_out(dt_tensor *self, dt_tensor *out);

/*
 * Arc sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_asin(dt_tensor *self);
DT_API dt_tensor *dt_asin_(dt_tensor *self);
DT_API dt_tensor *dt_asin_out(dt_tensor *self, dt_tensor *out);

/*
 * Arc cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_acos(dt_tensor *self);
DT_API dt_tensor *dt_acos_(dt_tensor *self);
DT_API dt_tensor *dt_acos_out(dt_tensor *self, dt_tensor *out);

/*
 * Arc tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atan(dt_tensor *self);
DT_API dt_tensor *dt_atan_(dt_tensor *self);
DT_API dt_tensor *dt_atan_out(dt_tensor *self, dt_tensor *out);

/*
 * Hyperbolic sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sinh(dt_tensor *self);
DT_API dt_tensor *dt_sinh_(dt_tensor *self);
DT_API dt_tensor *dt_sinh_out(dt_tensor *self, dt_tensor *out);

/*
 * Hyperbolic cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_cosh(dt_tensor *self);
DT_API dt_tensor *dt_cosh_(dt_tensor *self);
DT_API dt_tensor *dt_cosh_out(dt_tensor *self, dt_tensor *out);

/*
 * Hyperbolic tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_tanh(dt_tensor *self);
DT_API dt_tensor *dt_tanh_(dt_tensor *self);
DT_API dt_tensor *dt_tanh_out(dt_tensor *self, dt_tensor *out);

/*
 * Inverse hyperbolic sine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_asinh(dt_tensor *self);
DT_API dt_tensor *dt_asinh_(dt_tensor *self);
DT_API dt_tensor *dt_asinh_out(dt_tensor *self, dt_tensor *out);

/*
 * Inverse hyperbolic cosine.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_acosh(dt_tensor *self);
DT_API dt_tensor *dt_acosh_(dt_tensor *self);
DT_API dt_tensor *dt_acosh_out(dt_tensor *self, dt_tensor *out);

/*
 * Inverse hyperbolic tangent.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atanh(dt_tensor *self);
DT_API dt_tensor *dt_atanh_(dt_tensor *self);
DT_API dt_tensor *dt_atanh_out(dt_tensor *self, dt_tensor *out);

/*
 * sin(pi x) / (pi x); 1 at 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sinc(dt_tensor *self);
DT_API dt_tensor *dt_sinc_(dt_tensor *self);
DT_API dt_tensor *dt_sinc_out(dt_tensor *self, dt_tensor *out);

/*
 * Angle of the point (other, self).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_atan2(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_atan2_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_atan2_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * sqrt(x^2 + y^2).
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_hypot(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_hypot_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_hypot_out(dt_tensor *self, dt_tensor *other,
                               dt_tensor *out);

/*
 * Convert degrees to radians.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_deg2rad(dt_tensor *self);
DT_API dt_tensor *dt_deg2rad_(dt_tensor *self);
DT_API dt_tensor *dt_deg2rad_out(dt_tensor *self, dt_tensor *out);

/*
 * Convert radians to degrees.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_rad2deg(dt_tensor *self);
DT_API dt_tensor *dt_rad2deg_(dt_tensor *self);
DT_API dt_tensor *dt_rad2deg_out(dt_tensor *self, dt_tensor *out);

/* ---- Rounding, signs and remainders ------------------------------------- */

/*
 * Round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor(dt_tensor *self);
DT_API dt_tensor *dt_floor_(dt_tensor *self);
DT_API dt_tensor *dt_floor_out(dt_tensor *self, dt_tensor *out);

/*
 * Round up.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ceil(dt_tensor *self);
DT_API dt_tensor *dt_ceil_(dt_tensor *self);
DT_API dt_tensor *dt_ceil_out(dt_tensor *self, dt_tensor *out);

/*
 * Round towards 0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_trunc(dt_tensor *self);
DT_API dt_tensor *dt_trunc_(dt_tensor *self);
DT_API dt_tensor *dt_trunc_out(dt_tensor *self, dt_tensor *out);

/* Options of round.  Begin with DT_ROUND_OPTIONS_INIT. */
typedef struct dt_round_options {
    size_t size; /* sizeof(dt_round_options) */
    /* number of decimals to round to; negative: before the point */
    int64_t decimals;
} dt_round_options;

#define DT_ROUND_OPTIONS_INIT \
    {sizeof(dt_round_options), 0}

/*
 * Round to the nearest integer, ties to even, or to a number of decimals.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_round(dt_tensor *self);
DT_API dt_tensor *dt_round_with(dt_tensor *self,
                                const dt_round_options *options);
DT_API dt_tensor *dt_round_(dt_tensor *self);
DT_API dt_tensor *dt_round_with_(dt_tensor *self,
                                 const dt_round_options *options);
DT_API dt_tensor *dt_round_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_round_with_out(dt_tensor *self,
                                    const dt_round_options *options,
                                    dt_tensor *out);

/*
 * Fractional part.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_frac(dt_tensor *self);
DT_API dt_tensor *dt_frac_(dt_tensor *self);
DT_API dt_tensor *dt_frac_out(dt_tensor *self, dt_tensor *out);

/*
 * 1 for positive elements, -1 for negative ones, 0 for 0 and NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sign(dt_tensor *self);
DT_API dt_tensor *dt_sign_(dt_tensor *self);
DT_API dt_tensor *dt_sign_out(dt_tensor *self, dt_tensor *out);

/*
 * Like sign; for complex numbers, the number of absolute value 1 with the same
 * angle.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_sgn(dt_tensor *self);
DT_API dt_tensor *dt_sgn_(dt_tensor *self);
DT_API dt_tensor *dt_sgn_out(dt_tensor *self, dt_tensor *out);

/*
 * Magnitude of self with the sign of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copysign(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_copysign_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_copysign_out(dt_tensor *self, dt_tensor *other,
                                  dt_tensor *out);

/*
 * Magnitude of self with the sign of a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_copysign_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_copysign_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_copysign_scalar_out(dt_tensor *self, dt_number other,
                                         dt_tensor *out);

/*
 * Remainder of a division, with the sign of the divisor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_remainder(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_remainder_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_remainder_out(dt_tensor *self, dt_tensor *other,
                                   dt_tensor *out);

/*
 * Remainder of a division by a number, with the sign of the divisor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_remainder_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_remainder_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_remainder_scalar_out(dt_tensor *self, dt_number other,
                                          dt_tensor *out);

/*
 * Remainder of a division, with the sign of self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmod(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmod_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmod_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

/*
 * Remainder of a division by a number, with the sign of self.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmod_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_fmod_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_fmod_scalar_out(dt_tensor *self, dt_number other,
                                     dt_tensor *out);

/*
 * Divide and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor_divide(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_floor_divide_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_floor_divide_out(dt_tensor *self, dt_tensor *other,
                                      dt_tensor *out);

/*
 * Divide by a number and round down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_floor_divide_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_floor_divide_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_floor_divide_scalar_out(dt_tensor *self, dt_number other,
                                             dt_tensor *out);

/*
 * Divide and round the quotient.
 *
 * Collective over the mesh of its tensors.
 * - rounding_mode: direction of rounding
 */
DT_API dt_tensor *dt_div_mode(dt_tensor *self, dt_tensor *other,
                              dt_rounding rounding_mode);
DT_API dt_tensor *dt_div_mode_(dt_tensor *self, dt_tensor *other,
                               dt_rounding rounding_mode);
DT_API dt_tensor *dt_div_mode_out(dt_tensor *self, dt_tensor *other,
                                  dt_rounding rounding_mode, dt_tensor *out);

/*
 * Divide by a number and round the quotient.
 *
 * Collective over the mesh of its tensors.
 * - rounding_mode: direction of rounding
 */
DT_API dt_tensor *dt_div_mode_scalar(dt_tensor *self, dt_number other,
                                     dt_rounding rounding_mode);
DT_API dt_tensor *dt_div_mode_scalar_(dt_tensor *self, dt_number other,
                                      dt_rounding rounding_mode);
DT_API dt_tensor *dt_div_mode_scalar_out(dt_tensor *self, dt_number other,
                                         dt_rounding rounding_mode,
                                         dt_tensor *out);

/* Options of nan_to_num.  Begin with DT_NAN_TO_NUM_OPTIONS_INIT. */
typedef struct dt_nan_to_num_options {
    size_t size; /* sizeof(dt_nan_to_num_options) */
    double nan; /* replaces NaN */
    double posinf; /* replaces infinity; infinity: the largest finite number */
    double neginf; /* replaces -infinity; -infinity: the least finite number */
} dt_nan_to_num_options;

#define DT_NAN_TO_NUM_OPTIONS_INIT \
    {sizeof(dt_nan_to_num_options), 0, HUGE_VAL, -HUGE_VAL}

/*
 * Replace NaN and infinities by numbers, by default 0 and the largest and
 * smallest number of the dtype.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_nan_to_num(dt_tensor *self);
DT_API dt_tensor *dt_nan_to_num_with(dt_tensor *self,
                                     const dt_nan_to_num_options *options);
DT_API dt_tensor *dt_nan_to_num_(dt_tensor *self);
DT_API dt_tensor *dt_nan_to_num_with_(dt_tensor *self,
                                      const dt_nan_to_num_options *options);
DT_API dt_tensor *dt_nan_to_num_out(dt_tensor *self, dt_tensor *out);
DT_API dt_tensor *dt_nan_to_num_with_out(dt_tensor *self,
                                         const dt_nan_to_num_options *options,
                                         dt_tensor *out);

/* ---- Minimum, maximum and clamping -------------------------------------- */

/*
 * min(max(x, min), max).
 *
 * Collective over the mesh of its tensors.
 * - min: lower bound
 * - max: upper bound
 */
DT_API dt_tensor *dt_clamp(dt_tensor *self, dt_number min, dt_number max);
DT_API dt_tensor *dt_clamp_(dt_tensor *self, dt_number min, dt_number max);
DT_API dt_tensor *dt_clamp_out(dt_tensor *self, dt_number min, dt_number max,
                               dt_tensor *out);

/*
 * max(x, min).
 *
 * Collective over the mesh of its tensors.
 * - min: lower bound
 */
DT_API dt_tensor *dt_clamp_min(dt_tensor *self, dt_number min);
DT_API dt_tensor *dt_clamp_min_(dt_tensor *self, dt_number min);
DT_API dt_tensor *dt_clamp_min_out(dt_tensor *self, dt_number min,
                                   dt_tensor *out);

/*
 * min(x, max).
 *
 * Collective over the mesh of its tensors.
 * - max: upper bound
 */
DT_API dt_tensor *dt_clamp_max(dt_tensor *self, dt_number max);
DT_API dt_tensor *dt_clamp_max_(dt_tensor *self, dt_number max);
DT_API dt_tensor *dt_clamp_max_out(dt_tensor *self, dt_number max,
                                   dt_tensor *out);

/*
 * Limit elements to the range between two tensors, one of which may be missing.
 *
 * Collective over the mesh of its tensors.  `min` may be NULL.  `max` may be
 * NULL.
 * - min: lower bound
 * - max: upper bound
 */
DT_API dt_tensor *dt_clamp_tensor(dt_tensor *self, dt_tensor *min,
                                  dt_tensor *max);
DT_API dt_tensor *dt_clamp_tensor_(dt_tensor *self, dt_tensor *min,
                                   dt_tensor *max);
DT_API dt_tensor *dt_clamp_tensor_out(dt_tensor *self, dt_tensor *min,
                                      dt_tensor *max, dt_tensor *out);

/*
 * max(x, min), with a tensor min; NaN if either is NaN.
 *
 * Collective over the mesh of its tensors.
 * - min: lower bound
 */
DT_API dt_tensor *dt_clamp_min_tensor(dt_tensor *self, dt_tensor *min);
DT_API dt_tensor *dt_clamp_min_tensor_(dt_tensor *self, dt_tensor *min);
DT_API dt_tensor *dt_clamp_min_tensor_out(dt_tensor *self, dt_tensor *min,
                                          dt_tensor *out);

/*
 * min(x, max), with a tensor max; NaN if either is NaN.
 *
 * Collective over the mesh of its tensors.
 * - max: upper bound
 */
DT_API dt_tensor *dt_clamp_max_tensor(dt_tensor *self, dt_tensor *max);
DT_API dt_tensor *dt_clamp_max_tensor_(dt_tensor *self, dt_tensor *max);
DT_API dt_tensor *dt_clamp_max_tensor_out(dt_tensor *self, dt_tensor *max,
                                          dt_tensor *out);

/*
 * The larger of two elements; NaN if either is NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_maximum(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_maximum_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_maximum_out(dt_tensor *self, dt_tensor *other,
                                 dt_tensor *out);

/*
 * The smaller of two elements; NaN if either is NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_minimum(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_minimum_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_minimum_out(dt_tensor *self, dt_tensor *other,
                                 dt_tensor *out);

/*
 * The larger of two elements, ignoring NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmax(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmax_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

/*
 * The smaller of two elements, ignoring NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_fmin(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_fmin_out(dt_tensor *self, dt_tensor *other,
                              dt_tensor *out);

/* ---- Comparisons and logic ---------------------------------------------- */

/*
 * Test whether elements are equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_eq(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_eq_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_eq_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are not equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ne(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ne_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ne_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are less than those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lt(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_lt_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_lt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are less than or equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_le(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_le_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_le_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are greater than those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gt(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_gt_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_gt_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are greater than or equal to those of a second tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ge(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ge_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_ge_out(dt_tensor *self, dt_tensor *other, dt_tensor *out);

/*
 * Test whether elements are equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_eq_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_eq_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_eq_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether elements are not equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ne_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ne_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ne_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether elements are less than a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lt_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_lt_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_lt_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether elements are less than or equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_le_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_le_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_le_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether elements are greater than a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_gt_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_gt_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_gt_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether elements are greater than or equal to a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_ge_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ge_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_ge_scalar_out(dt_tensor *self, dt_number other,
                                   dt_tensor *out);

/*
 * Test whether both elements are not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_and(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_and_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_and_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Test whether either of two elements is not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_or(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_or_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_or_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * Test whether elements are zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_not(dt_tensor *self);
DT_API dt_tensor *dt_logical_not_(dt_tensor *self);
DT_API dt_tensor *dt_logical_not_out(dt_tensor *self, dt_tensor *out);

/*
 * Test whether exactly one of two elements is not zero.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_logical_xor(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_xor_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_logical_xor_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Test whether elements are NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isnan(dt_tensor *self);

/*
 * Test whether elements are infinite.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isinf(dt_tensor *self);

/*
 * Test whether elements are neither infinite nor NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isfinite(dt_tensor *self);

/*
 * Test whether elements are positive infinity.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isposinf(dt_tensor *self);
DT_API dt_tensor *dt_isposinf_out(dt_tensor *self, dt_tensor *out);

/*
 * Test whether elements are negative infinity.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isneginf(dt_tensor *self);
DT_API dt_tensor *dt_isneginf_out(dt_tensor *self, dt_tensor *out);

/*
 * Test whether the sign bit is set, which it is for -0.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_signbit(dt_tensor *self);
DT_API dt_tensor *dt_signbit_out(dt_tensor *self, dt_tensor *out);

/* ---- Comparisons with a tolerance --------------------------------------- */

/* Options of isclose.  Begin with DT_ISCLOSE_OPTIONS_INIT. */
typedef struct dt_isclose_options {
    size_t size; /* sizeof(dt_isclose_options) */
    double rtol; /* relative tolerance */
    double atol; /* absolute tolerance */
    bool equal_nan; /* NaN equals NaN */
} dt_isclose_options;

#define DT_ISCLOSE_OPTIONS_INIT \
    {sizeof(dt_isclose_options), 1e-05, 1e-08, false}

/*
 * Test whether |self - other| <= atol + |rtol * other|, in double precision.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_isclose(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_isclose_with(dt_tensor *self, dt_tensor *other,
                                  const dt_isclose_options *options);

/* Options of allclose.  Begin with DT_ALLCLOSE_OPTIONS_INIT. */
typedef struct dt_allclose_options {
    size_t size; /* sizeof(dt_allclose_options) */
    double rtol; /* relative tolerance */
    double atol; /* absolute tolerance */
    bool equal_nan; /* NaN equals NaN */
} dt_allclose_options;

#define DT_ALLCLOSE_OPTIONS_INIT \
    {sizeof(dt_allclose_options), 1e-05, 1e-08, false}

/*
 * Test whether all elements are close, like isclose.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_allclose(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_allclose_with(dt_tensor *self, dt_tensor *other,
                                   const dt_allclose_options *options);

/* ---- Comparisons of whole tensors --------------------------------------- */

/*
 * Test whether two tensors have the same shape and values; -0 equals 0, and NaN
 * is not equal to NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_equal(dt_tensor *self, dt_tensor *other);

/* ---- Choosing by a condition -------------------------------------------- */

/*
 * self where the condition is true, other elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where(dt_tensor *condition, dt_tensor *self,
                           dt_tensor *other);
DT_API dt_tensor *dt_where_out(dt_tensor *condition, dt_tensor *self,
                               dt_tensor *other, dt_tensor *out);

/*
 * A number where the condition is true, other elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where_scalar_self(dt_tensor *condition, dt_number self,
                                       dt_tensor *other);

/*
 * self where the condition is true, a number elsewhere.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_where_scalar_other(dt_tensor *condition, dt_tensor *self,
                                        dt_number other);

/*
 * Replace elements by a number where the mask is true.
 *
 * Collective over the mesh of its tensors.
 * - value: value of the elements that are set
 */
DT_API dt_tensor *dt_masked_fill(dt_tensor *self, dt_tensor *mask,
                                 dt_number value);
DT_API dt_tensor *dt_masked_fill_(dt_tensor *self, dt_tensor *mask,
                                  dt_number value);

/*
 * Replace elements by the value of a 0-d tensor where the mask is true.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_masked_fill_tensor(dt_tensor *self, dt_tensor *mask,
                                        dt_tensor *value);
DT_API dt_tensor *dt_masked_fill_tensor_(dt_tensor *self, dt_tensor *mask,
                                         dt_tensor *value);

/* ---- Bits of integers --------------------------------------------------- */

/*
 * Bitwise and of two elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_and(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_and_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_and_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Bitwise and of an element and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_and_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_and_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_and_scalar_out(dt_tensor *self, dt_number other,
                                            dt_tensor *out);

/*
 * Bitwise or of two elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_or(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_or_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_or_out(dt_tensor *self, dt_tensor *other,
                                    dt_tensor *out);

/*
 * Bitwise or of an element and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_or_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_or_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_or_scalar_out(dt_tensor *self, dt_number other,
                                           dt_tensor *out);

/*
 * Bitwise exclusive or of two elements.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_xor(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_xor_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_xor_out(dt_tensor *self, dt_tensor *other,
                                     dt_tensor *out);

/*
 * Bitwise exclusive or of an element and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_xor_scalar(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_xor_scalar_(dt_tensor *self, dt_number other);
DT_API dt_tensor *dt_bitwise_xor_scalar_out(dt_tensor *self, dt_number other,
                                            dt_tensor *out);

/*
 * Bitwise not.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_not(dt_tensor *self);
DT_API dt_tensor *dt_bitwise_not_(dt_tensor *self);
DT_API dt_tensor *dt_bitwise_not_out(dt_tensor *self, dt_tensor *out);

/*
 * Shift bits to the left: x 2^n; 0 if n is negative or not less than the number
 * of bits.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_left_shift(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_left_shift_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_left_shift_out(dt_tensor *self, dt_tensor *other,
                                            dt_tensor *out);

/*
 * Shift bits to the left by a number: x 2^n; 0 if n is negative or not less
 * than the number of bits.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_left_shift_scalar(dt_tensor *self,
                                               dt_number other);
DT_API dt_tensor *dt_bitwise_left_shift_scalar_(dt_tensor *self,
                                                dt_number other);
DT_API dt_tensor *dt_bitwise_left_shift_scalar_out(dt_tensor *self,
                                                   dt_number other,
                                                   dt_tensor *out);

/*
 * Shift bits to the right: x / 2^n, rounded down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_right_shift(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_right_shift_(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_bitwise_right_shift_out(dt_tensor *self, dt_tensor *other,
                                             dt_tensor *out);

/*
 * Shift bits to the right by a number: x / 2^n, rounded down.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_bitwise_right_shift_scalar(dt_tensor *self,
                                                dt_number other);
DT_API dt_tensor *dt_bitwise_right_shift_scalar_(dt_tensor *self,
                                                 dt_number other);
DT_API dt_tensor *dt_bitwise_right_shift_scalar_out(dt_tensor *self,
                                                    dt_number other,
                                                    dt_tensor *out);

/* ---- Copies and dtypes -------------------------------------------------- */

/*
 * Return a copy.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_clone(dt_tensor *self);
DT_API dt_tensor *dt_clone_out(dt_tensor *self, dt_tensor *out);

/*
 * Convert to a dtype, like dt_array_cast; always a copy.
 *
 * Collective over the mesh of its tensors.
 * - dtype: dtype of the result
 */
DT_API dt_tensor *dt_cast(dt_tensor *self, dt_dtype dtype);

/* ---- Complex numbers ---------------------------------------------------- */

/*
 * View the real part of each element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_real_part(dt_tensor *self);

/*
 * View the imaginary part of each element.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_imag_part(dt_tensor *self);

/*
 * Complex conjugate: a copy if the dtype is complex, otherwise the tensor
 * itself.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_conj(dt_tensor *self);

/*
 * Complex conjugate, always as a copy.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_conj_physical(dt_tensor *self);
DT_API dt_tensor *dt_conj_physical_(dt_tensor *self);
DT_API dt_tensor *dt_conj_physical_out(dt_tensor *self, dt_tensor *out);

/*
 * Angle of complex numbers; for real numbers 0, or pi if negative.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_angle(dt_tensor *self);
DT_API dt_tensor *dt_angle_out(dt_tensor *self, dt_tensor *out);

/*
 * Complex numbers from real and imaginary parts.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_complex(dt_tensor *real, dt_tensor *imag);
DT_API dt_tensor *dt_complex_out(dt_tensor *real, dt_tensor *imag,
                                 dt_tensor *out);

/*
 * Complex numbers from absolute values and angles.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_polar(dt_tensor *abs, dt_tensor *angle);
DT_API dt_tensor *dt_polar_out(dt_tensor *abs, dt_tensor *angle,
                               dt_tensor *out);

/* ---- Special functions -------------------------------------------------- */

/*
 * Logarithm of the absolute value of the gamma function.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_lgamma(dt_tensor *self);
DT_API dt_tensor *dt_lgamma_(dt_tensor *self);
DT_API dt_tensor *dt_lgamma_out(dt_tensor *self, dt_tensor *out);

/*
 * Derivative of lgamma.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_digamma(dt_tensor *self);
DT_API dt_tensor *dt_digamma_(dt_tensor *self);
DT_API dt_tensor *dt_digamma_out(dt_tensor *self, dt_tensor *out);

/*
 * Derivative of order n of digamma.
 *
 * Collective over the mesh of its tensors.
 * - n: order of the derivative
 */
DT_API dt_tensor *dt_polygamma(int64_t n, dt_tensor *self);
DT_API dt_tensor *dt_polygamma_(int64_t n, dt_tensor *self);
DT_API dt_tensor *dt_polygamma_out(int64_t n, dt_tensor *self, dt_tensor *out);

/*
 * Inverse of the error function: infinite at 1 and -1, NaN beyond.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_erfinv(dt_tensor *self);
DT_API dt_tensor *dt_erfinv_(dt_tensor *self);
DT_API dt_tensor *dt_erfinv_out(dt_tensor *self, dt_tensor *out);

/*
 * Cumulative distribution function of the normal distribution.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_ndtr(dt_tensor *self);
DT_API dt_tensor *dt_special_ndtr_out(dt_tensor *self, dt_tensor *out);

/*
 * -x log(x); 0 at 0, -infinity below.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_entr(dt_tensor *self);
DT_API dt_tensor *dt_special_entr_out(dt_tensor *self, dt_tensor *out);

/*
 * x log(1 + y); 0 where x is 0, unless y is NaN.
 *
 * Collective over the mesh of its tensors.
 */
DT_API dt_tensor *dt_special_xlog1py(dt_tensor *self, dt_tensor *other);
DT_API dt_tensor *dt_special_xlog1py_out(dt_tensor *self, dt_tensor *other,
                                         dt_tensor *out);

/* clang-format on */

DT_EXTERN_C_END

#endif
