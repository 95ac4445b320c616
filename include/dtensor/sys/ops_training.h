/* dtensor/sys/ops_training.h - operators; written by `make ops`. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_SYS_OPS_TRAINING_H
#define DTENSOR_SYS_OPS_TRAINING_H

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
 * Lists of tensors and optimizers.
 *
 * dtensor/ops.h describes errors, results and variants.
 */
/* clang-format off */

/* ---- Lists of tensors --------------------------------------------------- */

/* Options of foreach_add.  Begin with DT_FOREACH_ADD_OPTIONS_INIT. */
typedef struct dt_foreach_add_options {
    size_t size; /* sizeof(dt_foreach_add_options) */
    dt_number alpha; /* multiplier of other */
} dt_foreach_add_options;

#define DT_FOREACH_ADD_OPTIONS_INIT \
    {sizeof(dt_foreach_add_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * dt_add of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int capacity,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_with(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count,
                                                 const dt_foreach_add_options *options,
                                                 dt_tensor **results,
                                                 int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);
DT_API DT_MUST_USE dt_status dt_foreach_add_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *other,
                                                  int other_count,
                                                  const dt_foreach_add_options *options);

/* Options of foreach_add_tensor.  Begin with DT_FOREACH_ADD_TENSOR_OPTIONS_INIT. */
typedef struct dt_foreach_add_tensor_options {
    size_t size; /* sizeof(dt_foreach_add_tensor_options) */
    dt_number alpha; /* multiplier of other */
} dt_foreach_add_tensor_options;

#define DT_FOREACH_ADD_TENSOR_OPTIONS_INIT \
    {sizeof(dt_foreach_add_tensor_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * dt_add of each tensor of a list and a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_with(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *other,
                                                        const dt_foreach_add_tensor_options *options,
                                                        dt_tensor **results,
                                                        int capacity,
                                                        int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);
DT_API DT_MUST_USE dt_status dt_foreach_add_tensor_with_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *other,
                                                         const dt_foreach_add_tensor_options *options);

/*
 * dt_add_scalar of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * dt_add_scalar of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_add_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_add_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/* Options of foreach_sub.  Begin with DT_FOREACH_SUB_OPTIONS_INIT. */
typedef struct dt_foreach_sub_options {
    size_t size; /* sizeof(dt_foreach_sub_options) */
    dt_number alpha; /* multiplier of other */
} dt_foreach_sub_options;

#define DT_FOREACH_SUB_OPTIONS_INIT \
    {sizeof(dt_foreach_sub_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * dt_sub of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int capacity,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_with(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count,
                                                 const dt_foreach_sub_options *options,
                                                 dt_tensor **results,
                                                 int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *other,
                                                  int other_count,
                                                  const dt_foreach_sub_options *options);

/*
 * dt_sub_scalar of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * dt_sub_scalar of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sub_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * dt_mul of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int capacity,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);

/*
 * dt_mul of each tensor of a list and a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);

/*
 * dt_mul_scalar of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * dt_mul_scalar of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_mul_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * dt_div of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *other,
                                            int other_count,
                                            dt_tensor **results, int capacity,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *other,
                                             int other_count);

/*
 * dt_div of each tensor of a list and a 0-d tensor.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_tensor(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor *other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_tensor_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *other);

/*
 * dt_div_scalar of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number other,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number other);

/*
 * dt_div_scalar of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_div_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_div_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * dt_maximum of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_maximum(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *other,
                                                int other_count,
                                                dt_tensor **results,
                                                int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_maximum_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count);

/*
 * dt_minimum of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_minimum(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *other,
                                                int other_count,
                                                dt_tensor **results,
                                                int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_minimum_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *other,
                                                 int other_count);

/*
 * dt_pow_scalar of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalar(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number exponent,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalar_(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_number exponent);

/*
 * dt_pow_scalar of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalars(dt_tensor *const *self,
                                                    int self_count,
                                                    const dt_number *scalars,
                                                    int scalars_count,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_scalars_(dt_tensor *const *self,
                                                     int self_count,
                                                     const dt_number *scalars,
                                                     int scalars_count);

/*
 * dt_pow of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *exponent,
                                            int exponent_count,
                                            dt_tensor **results, int capacity,
                                            int *count);
DT_API DT_MUST_USE dt_status dt_foreach_pow_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *exponent,
                                             int exponent_count);

/*
 * dt_pow_base of a number and each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_pow_base(dt_number self,
                                                 dt_tensor *const *exponent,
                                                 int exponent_count,
                                                 dt_tensor **results,
                                                 int capacity, int *count);

/*
 * dt_clamp_min of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 * - min: lower bound
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min(dt_tensor *const *self,
                                                  int self_count, dt_number min,
                                                  dt_tensor **results,
                                                  int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number min);

/*
 * dt_clamp_min of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_scalars(dt_tensor *const *self,
                                                          int self_count,
                                                          const dt_number *scalars,
                                                          int scalars_count,
                                                          dt_tensor **results,
                                                          int capacity,
                                                          int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_min_scalars_(dt_tensor *const *self,
                                                           int self_count,
                                                           const dt_number *scalars,
                                                           int scalars_count);

/*
 * dt_clamp_max of each tensor of a list and a number.
 *
 * Collective over the mesh of its tensors.
 * - max: upper bound
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max(dt_tensor *const *self,
                                                  int self_count, dt_number max,
                                                  dt_tensor **results,
                                                  int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_number max);

/*
 * dt_clamp_max of each tensor of a list and its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_scalars(dt_tensor *const *self,
                                                          int self_count,
                                                          const dt_number *scalars,
                                                          int scalars_count,
                                                          dt_tensor **results,
                                                          int capacity,
                                                          int *count);
DT_API DT_MUST_USE dt_status dt_foreach_clamp_max_scalars_(dt_tensor *const *self,
                                                           int self_count,
                                                           const dt_number *scalars,
                                                           int scalars_count);

/* Options of foreach_addcmul.  Begin with DT_FOREACH_ADDCMUL_OPTIONS_INIT. */
typedef struct dt_foreach_addcmul_options {
    size_t size; /* sizeof(dt_foreach_addcmul_options) */
    dt_number value; /* multiplier of the products */
} dt_foreach_addcmul_options;

#define DT_FOREACH_ADDCMUL_OPTIONS_INIT \
    {sizeof(dt_foreach_addcmul_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * dt_addcmul of the tensors of three lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcmul(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *tensor1,
                                                int tensor1_count,
                                                dt_tensor *const *tensor2,
                                                int tensor2_count,
                                                dt_tensor **results,
                                                int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_with(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_foreach_addcmul_options *options,
                                                     dt_tensor **results,
                                                     int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *tensor1,
                                                 int tensor1_count,
                                                 dt_tensor *const *tensor2,
                                                 int tensor2_count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_with_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensor1,
                                                      int tensor1_count,
                                                      dt_tensor *const *tensor2,
                                                      int tensor2_count,
                                                      const dt_foreach_addcmul_options *options);

/*
 * dt_addcmul of the tensors of three lists, each with its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_scalars(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *const *tensor1,
                                                        int tensor1_count,
                                                        dt_tensor *const *tensor2,
                                                        int tensor2_count,
                                                        const dt_number *scalars,
                                                        int scalars_count,
                                                        dt_tensor **results,
                                                        int capacity,
                                                        int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcmul_scalars_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *const *tensor1,
                                                         int tensor1_count,
                                                         dt_tensor *const *tensor2,
                                                         int tensor2_count,
                                                         const dt_number *scalars,
                                                         int scalars_count);

/* Options of foreach_addcdiv.  Begin with DT_FOREACH_ADDCDIV_OPTIONS_INIT. */
typedef struct dt_foreach_addcdiv_options {
    size_t size; /* sizeof(dt_foreach_addcdiv_options) */
    dt_number value; /* multiplier of the quotients */
} dt_foreach_addcdiv_options;

#define DT_FOREACH_ADDCDIV_OPTIONS_INIT \
    {sizeof(dt_foreach_addcdiv_options), {DT_KIND_SIGNED, {1}, 0}}

/*
 * dt_addcdiv of the tensors of three lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *tensor1,
                                                int tensor1_count,
                                                dt_tensor *const *tensor2,
                                                int tensor2_count,
                                                dt_tensor **results,
                                                int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_with(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensor1,
                                                     int tensor1_count,
                                                     dt_tensor *const *tensor2,
                                                     int tensor2_count,
                                                     const dt_foreach_addcdiv_options *options,
                                                     dt_tensor **results,
                                                     int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *tensor1,
                                                 int tensor1_count,
                                                 dt_tensor *const *tensor2,
                                                 int tensor2_count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_with_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensor1,
                                                      int tensor1_count,
                                                      dt_tensor *const *tensor2,
                                                      int tensor2_count,
                                                      const dt_foreach_addcdiv_options *options);

/*
 * dt_addcdiv of the tensors of three lists, each with its own number.
 *
 * Collective over the mesh of its tensors.
 * - scalars: one number for each tensor
 */
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_scalars(dt_tensor *const *self,
                                                        int self_count,
                                                        dt_tensor *const *tensor1,
                                                        int tensor1_count,
                                                        dt_tensor *const *tensor2,
                                                        int tensor2_count,
                                                        const dt_number *scalars,
                                                        int scalars_count,
                                                        dt_tensor **results,
                                                        int capacity,
                                                        int *count);
DT_API DT_MUST_USE dt_status dt_foreach_addcdiv_scalars_(dt_tensor *const *self,
                                                         int self_count,
                                                         dt_tensor *const *tensor1,
                                                         int tensor1_count,
                                                         dt_tensor *const *tensor2,
                                                         int tensor2_count,
                                                         const dt_number *scalars,
                                                         int scalars_count);

/*
 * dt_lerp of the tensors of three lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *tensors1,
                                             int tensors1_count,
                                             dt_tensor *const *weights,
                                             int weights_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor *const *tensors1,
                                              int tensors1_count,
                                              dt_tensor *const *weights,
                                              int weights_count);

/*
 * dt_lerp_scalar of each pair of tensors of two lists.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalar(dt_tensor *const *self,
                                                    int self_count,
                                                    dt_tensor *const *tensors1,
                                                    int tensors1_count,
                                                    dt_number weight,
                                                    dt_tensor **results,
                                                    int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalar_(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensors1,
                                                     int tensors1_count,
                                                     dt_number weight);

/*
 * dt_lerp_scalar of each pair of tensors of two lists, with its own weight.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalars(dt_tensor *const *self,
                                                     int self_count,
                                                     dt_tensor *const *tensors1,
                                                     int tensors1_count,
                                                     const dt_number *weight,
                                                     int weight_count,
                                                     dt_tensor **results,
                                                     int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_lerp_scalars_(dt_tensor *const *self,
                                                      int self_count,
                                                      dt_tensor *const *tensors1,
                                                      int tensors1_count,
                                                      const dt_number *weight,
                                                      int weight_count);

/*
 * Copy the tensors of a second list, converted to the dtypes of the first.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_copy(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *src,
                                             int src_count, dt_tensor **results,
                                             int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_copy_(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor *const *src,
                                              int src_count);

/*
 * dt_zero of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_zero(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_zero_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_neg of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_neg(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_neg_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_abs of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_abs(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_abs_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_sqrt of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sqrt(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sqrt_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_rsqrt of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_rsqrt(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_rsqrt_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_reciprocal of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_reciprocal(dt_tensor *const *self,
                                                   int self_count,
                                                   dt_tensor **results,
                                                   int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_reciprocal_(dt_tensor *const *self,
                                                    int self_count);

/*
 * dt_exp of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_exp(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_exp_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_log of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_tanh of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_tanh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_tanh_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_sigmoid of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sigmoid(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor **results,
                                                int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sigmoid_(dt_tensor *const *self,
                                                 int self_count);

/*
 * dt_sign of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sign(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sign_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_floor of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_floor(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_floor_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_ceil of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_ceil(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_ceil_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_round of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_round(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_round_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_trunc of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_trunc(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_trunc_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_frac of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_frac(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_frac_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_expm1 of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_expm1(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_expm1_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_log1p of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log1p(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log1p_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_log2 of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log2(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log2_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_log10 of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_log10(dt_tensor *const *self,
                                              int self_count,
                                              dt_tensor **results, int capacity,
                                              int *count);
DT_API DT_MUST_USE dt_status dt_foreach_log10_(dt_tensor *const *self,
                                               int self_count);

/*
 * dt_sin of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sin(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sin_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_cos of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_cos(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_cos_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_tan of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_tan(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_tan_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_asin of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_asin(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_asin_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_acos of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_acos(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_acos_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_atan of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_atan(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_atan_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_sinh of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_sinh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_sinh_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_cosh of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_cosh(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_cosh_(dt_tensor *const *self,
                                              int self_count);

/*
 * dt_erf of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_erf(dt_tensor *const *self,
                                            int self_count, dt_tensor **results,
                                            int capacity, int *count);
DT_API DT_MUST_USE dt_status dt_foreach_erf_(dt_tensor *const *self,
                                             int self_count);

/*
 * dt_erfc of each tensor of a list.
 *
 * Collective over the mesh of its tensors.
 */
DT_API DT_MUST_USE dt_status dt_foreach_erfc(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_erfc_(dt_tensor *const *self,
                                              int self_count);

/* ---- Norms and clipping of gradients ------------------------------------ */

/* Options of foreach_norm.  Begin with DT_FOREACH_NORM_OPTIONS_INIT. */
typedef struct dt_foreach_norm_options {
    size_t size; /* sizeof(dt_foreach_norm_options) */
    const dt_dtype *dtype; /* dtype of the result; NULL: that of self */
} dt_foreach_norm_options;

#define DT_FOREACH_NORM_OPTIONS_INIT \
    {sizeof(dt_foreach_norm_options), 0}

/*
 * Norm of each tensor of a list, with one small all-reduce per mesh.
 *
 * Collective over the mesh of its tensors.
 * - ord: order of the norm
 */
DT_API DT_MUST_USE dt_status dt_foreach_norm(dt_tensor *const *self,
                                             int self_count, double ord,
                                             dt_tensor **results, int capacity,
                                             int *count);
DT_API DT_MUST_USE dt_status dt_foreach_norm_with(dt_tensor *const *self,
                                                  int self_count, double ord,
                                                  const dt_foreach_norm_options *options,
                                                  dt_tensor **results,
                                                  int capacity, int *count);

/* ---- Scaled gradients --------------------------------------------------- */

/*
 * Multiply by a factor, and return 1 if an element is infinite or NaN,
 * otherwise 0.
 *
 * Collective over the mesh of its tensors.
 * - inv_scale: reciprocal of the scale of the gradients
 */
DT_API DT_MUST_USE dt_status dt_amp_unscale(dt_tensor *self, double inv_scale,
                                            dt_tensor **self_out,
                                            dt_tensor **found_inf);
DT_API DT_MUST_USE dt_status dt_amp_unscale_(dt_tensor *self, double inv_scale,
                                             dt_tensor **found_inf);

/*
 * Multiply gradients by a factor, and set `found_inf` to 1 if an element is
 * infinite or NaN.  Gradients may be on different meshes within the mesh of
 * `found_inf`; only one small all-reduce is sent.
 *
 * Collective over the mesh of its tensors.
 * - inv_scale: reciprocal of the scale of the gradients
 */
DT_API DT_MUST_USE dt_status dt_amp_foreach_non_finite_check_and_unscale_(dt_tensor *const *self,
                                                                          int self_count,
                                                                          dt_tensor *found_inf,
                                                                          dt_tensor *inv_scale);

/*
 * Decrease a scale if infinite gradients were found, and increase it after
 * `growth_interval` steps without them.
 *
 * Collective over the mesh of its tensors.
 * - scale_growth_factor: multiplier after growth_interval steps
 * - scale_backoff_factor: multiplier after infinite gradients
 * - growth_interval: steps without infinite gradients before the scale grows
 */
DT_API DT_MUST_USE dt_status dt_amp_update_scale(dt_tensor *self,
                                                 dt_tensor *growth_tracker,
                                                 dt_tensor *found_inf,
                                                 double scale_growth_factor,
                                                 double scale_backoff_factor,
                                                 int64_t growth_interval,
                                                 dt_tensor **self_out,
                                                 dt_tensor **growth_tracker_out);
DT_API DT_MUST_USE dt_status dt_amp_update_scale_(dt_tensor *self,
                                                  dt_tensor *growth_tracker,
                                                  dt_tensor *found_inf,
                                                  double scale_growth_factor,
                                                  double scale_backoff_factor,
                                                  int64_t growth_interval);

/* ---- Steps of optimizers over lists of tensors -------------------------- */

/* Options of fused_adam.  Begin with DT_FUSED_ADAM_OPTIONS_INIT. */
typedef struct dt_fused_adam_options {
    size_t size; /* sizeof(dt_fused_adam_options) */
    double lr; /* learning rate */
    double beta1; /* decay rate of the first moment */
    double beta2; /* decay rate of the second moment */
    double weight_decay; /* multiplier of the parameter in its gradient */
    double eps; /* added to a denominator, so that it is not 0 */
    bool amsgrad; /* divide by the largest second moment so far */
    bool maximize; /* ascend along the gradient */
    dt_tensor *tensor_lr; /* learning rate, instead of lr; NULL: lr */
    dt_tensor *grad_scale; /* divisor of the gradients; NULL: 1 */
    /* 1 if a gradient was infinite or NaN: no step is made; NULL: none was */
    dt_tensor *found_inf;
} dt_fused_adam_options;

#define DT_FUSED_ADAM_OPTIONS_INIT \
    {sizeof(dt_fused_adam_options), 0.001, 0.9, 0.999, 0, 1e-08, false, \
     false, 0, 0, 0}

/*
 * One step of Adam, number `state_steps`.  Tensors may be on different meshes.
 * 0-d tensors are replicated.  Gradients are divided by `grad_scale` in place,
 * and redistributed for the step if they have another layout.  Does nothing if
 * `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 * - exp_avgs: first moments
 * - exp_avg_sqs: second moments
 * - max_exp_avg_sqs: largest second moments so far; empty without amsgrad
 * - state_steps: number of this step, from 1, for each tensor
 */
DT_API DT_MUST_USE dt_status dt_fused_adam_(dt_tensor *const *self,
                                            int self_count,
                                            dt_tensor *const *grads,
                                            int grads_count,
                                            dt_tensor *const *exp_avgs,
                                            int exp_avgs_count,
                                            dt_tensor *const *exp_avg_sqs,
                                            int exp_avg_sqs_count,
                                            dt_tensor *const *max_exp_avg_sqs,
                                            int max_exp_avg_sqs_count,
                                            dt_tensor *const *state_steps,
                                            int state_steps_count);
DT_API DT_MUST_USE dt_status dt_fused_adam_with_(dt_tensor *const *self,
                                                 int self_count,
                                                 dt_tensor *const *grads,
                                                 int grads_count,
                                                 dt_tensor *const *exp_avgs,
                                                 int exp_avgs_count,
                                                 dt_tensor *const *exp_avg_sqs,
                                                 int exp_avg_sqs_count,
                                                 dt_tensor *const *max_exp_avg_sqs,
                                                 int max_exp_avg_sqs_count,
                                                 dt_tensor *const *state_steps,
                                                 int state_steps_count,
                                                 const dt_fused_adam_options *options);

/* Options of fused_adamw.  Begin with DT_FUSED_ADAMW_OPTIONS_INIT. */
typedef struct dt_fused_adamw_options {
    size_t size; /* sizeof(dt_fused_adamw_options) */
    double lr; /* learning rate */
    double beta1; /* decay rate of the first moment */
    double beta2; /* decay rate of the second moment */
    /* part of the parameter that is subtracted, times lr */
    double weight_decay;
    double eps; /* added to a denominator, so that it is not 0 */
    bool amsgrad; /* divide by the largest second moment so far */
    bool maximize; /* ascend along the gradient */
    dt_tensor *tensor_lr; /* learning rate, instead of lr; NULL: lr */
    dt_tensor *grad_scale; /* divisor of the gradients; NULL: 1 */
    /* 1 if a gradient was infinite or NaN: no step is made; NULL: none was */
    dt_tensor *found_inf;
} dt_fused_adamw_options;

#define DT_FUSED_ADAMW_OPTIONS_INIT \
    {sizeof(dt_fused_adamw_options), 0.001, 0.9, 0.999, 0.01, 1e-08, false, \
     false, 0, 0, 0}

/*
 * One step of AdamW, number `state_steps`.  Tensors may be on different meshes.
 * 0-d tensors are replicated.  Gradients are divided by `grad_scale` in place,
 * and redistributed for the step if they have another layout.  Does nothing if
 * `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 * - exp_avgs: first moments
 * - exp_avg_sqs: second moments
 * - max_exp_avg_sqs: largest second moments so far; empty without amsgrad
 * - state_steps: number of this step, from 1, for each tensor
 */
DT_API DT_MUST_USE dt_status dt_fused_adamw_(dt_tensor *const *self,
                                             int self_count,
                                             dt_tensor *const *grads,
                                             int grads_count,
                                             dt_tensor *const *exp_avgs,
                                             int exp_avgs_count,
                                             dt_tensor *const *exp_avg_sqs,
                                             int exp_avg_sqs_count,
                                             dt_tensor *const *max_exp_avg_sqs,
                                             int max_exp_avg_sqs_count,
                                             dt_tensor *const *state_steps,
                                             int state_steps_count);
DT_API DT_MUST_USE dt_status dt_fused_adamw_with_(dt_tensor *const *self,
                                                  int self_count,
                                                  dt_tensor *const *grads,
                                                  int grads_count,
                                                  dt_tensor *const *exp_avgs,
                                                  int exp_avgs_count,
                                                  dt_tensor *const *exp_avg_sqs,
                                                  int exp_avg_sqs_count,
                                                  dt_tensor *const *max_exp_avg_sqs,
                                                  int max_exp_avg_sqs_count,
                                                  dt_tensor *const *state_steps,
                                                  int state_steps_count,
                                                  const dt_fused_adamw_options *options);

/* Options of fused_sgd.  Begin with DT_FUSED_SGD_OPTIONS_INIT. */
typedef struct dt_fused_sgd_options {
    size_t size; /* sizeof(dt_fused_sgd_options) */
    double weight_decay; /* multiplier of the parameter in its gradient */
    double momentum; /* factor of the previous momentum */
    double lr; /* learning rate */
    double dampening; /* the gradient counts 1 - dampening in the momentum */
    bool nesterov; /* use Nesterov momentum */
    bool maximize; /* ascend along the gradient */
    bool is_first_step; /* set the momentum to the gradient */
    dt_tensor *tensor_lr; /* learning rate, instead of lr; NULL: lr */
    dt_tensor *grad_scale; /* divisor of the gradients; NULL: 1 */
    /* 1 if a gradient was infinite or NaN: no step is made; NULL: none was */
    dt_tensor *found_inf;
} dt_fused_sgd_options;

#define DT_FUSED_SGD_OPTIONS_INIT \
    {sizeof(dt_fused_sgd_options), 0, 0, 0.001, 0, false, false, false, 0, 0, \
     0}

/*
 * One step of gradient descent.  The first step sets the momentum buffers;
 * without momentum there are none.  Tensors may be on different meshes.  0-d
 * tensors are replicated.  Gradients are divided by `grad_scale` in place, and
 * redistributed for the step if they have another layout.  Does nothing if
 * `found_inf` is 1.
 *
 * Collective over the mesh of its tensors.
 * - momentum_buffer_list: momenta; empty without momentum
 */
DT_API DT_MUST_USE dt_status dt_fused_sgd_(dt_tensor *const *self,
                                           int self_count,
                                           dt_tensor *const *grads,
                                           int grads_count,
                                           dt_tensor *const *momentum_buffer_list,
                                           int momentum_buffer_list_count);
DT_API DT_MUST_USE dt_status dt_fused_sgd_with_(dt_tensor *const *self,
                                                int self_count,
                                                dt_tensor *const *grads,
                                                int grads_count,
                                                dt_tensor *const *momentum_buffer_list,
                                                int momentum_buffer_list_count,
                                                const dt_fused_sgd_options *options);

/* ---- Steps of optimizers ------------------------------------------------ */

/* Options of adam_step.  Begin with DT_ADAM_STEP_OPTIONS_INIT. */
typedef struct dt_adam_step_options {
    size_t size; /* sizeof(dt_adam_step_options) */
    double lr; /* learning rate */
    double beta1; /* decay rate of the first moment */
    double beta2; /* decay rate of the second moment */
    double weight_decay; /* multiplier of the parameter in its gradient */
    double eps; /* added to a denominator, so that it is not 0 */
    bool decoupled; /* subtract the weight decay from the parameter, as AdamW */
    bool maximize; /* ascend along the gradient */
} dt_adam_step_options;

#define DT_ADAM_STEP_OPTIONS_INIT \
    {sizeof(dt_adam_step_options), 0.001, 0.9, 0.999, 0, 1e-08, false, false}

/*
 * Step number `step` of Adam, or AdamW if weight decay is `decoupled`, or
 * AMSGrad if max_exp_avg_sq is given.  A gradient with another layout is
 * redistributed first, and reduced if it is partial.
 *
 * Collective over the mesh of its tensors.  `max_exp_avg_sq` may be NULL.
 * - exp_avg: first moment
 * - exp_avg_sq: second moment
 * - max_exp_avg_sq: largest second moment so far
 * - step: number of this step, from 1
 */
DT_API DT_MUST_USE dt_status dt_adam_step(dt_tensor *self, dt_tensor *grad,
                                          dt_tensor *exp_avg,
                                          dt_tensor *exp_avg_sq,
                                          dt_tensor *max_exp_avg_sq,
                                          double step, dt_tensor **self_out,
                                          dt_tensor **exp_avg_out,
                                          dt_tensor **exp_avg_sq_out,
                                          dt_tensor **max_exp_avg_sq_out);
DT_API DT_MUST_USE dt_status dt_adam_step_with(dt_tensor *self, dt_tensor *grad,
                                               dt_tensor *exp_avg,
                                               dt_tensor *exp_avg_sq,
                                               dt_tensor *max_exp_avg_sq,
                                               double step,
                                               const dt_adam_step_options *options,
                                               dt_tensor **self_out,
                                               dt_tensor **exp_avg_out,
                                               dt_tensor **exp_avg_sq_out,
                                               dt_tensor **max_exp_avg_sq_out);
DT_API DT_MUST_USE dt_status dt_adam_step_(dt_tensor *self, dt_tensor *grad,
                                           dt_tensor *exp_avg,
                                           dt_tensor *exp_avg_sq,
                                           dt_tensor *max_exp_avg_sq,
                                           double step);
DT_API DT_MUST_USE dt_status dt_adam_step_with_(dt_tensor *self,
                                                dt_tensor *grad,
                                                dt_tensor *exp_avg,
                                                dt_tensor *exp_avg_sq,
                                                dt_tensor *max_exp_avg_sq,
                                                double step,
                                                const dt_adam_step_options *options);

/* Options of sgd_step.  Begin with DT_SGD_STEP_OPTIONS_INIT. */
typedef struct dt_sgd_step_options {
    size_t size; /* sizeof(dt_sgd_step_options) */
    double lr; /* learning rate */
    double momentum; /* factor of the previous momentum */
    double dampening; /* the gradient counts 1 - dampening in the momentum */
    double weight_decay; /* multiplier of the parameter in its gradient */
    bool nesterov; /* use Nesterov momentum */
    bool maximize; /* ascend along the gradient */
    bool is_first_step; /* set the momentum to the gradient */
} dt_sgd_step_options;

#define DT_SGD_STEP_OPTIONS_INIT \
    {sizeof(dt_sgd_step_options), 0.001, 0, 0, 0, false, false, false}

/*
 * One step of gradient descent, with momentum if its buffer is given.  A
 * gradient with another layout is redistributed first, and reduced if it is
 * partial.
 *
 * Collective over the mesh of its tensors.  `momentum_buffer` may be NULL.
 * - momentum_buffer: momentum
 */
DT_API DT_MUST_USE dt_status dt_sgd_step(dt_tensor *self, dt_tensor *grad,
                                         dt_tensor *momentum_buffer,
                                         dt_tensor **self_out,
                                         dt_tensor **momentum_buffer_out);
DT_API DT_MUST_USE dt_status dt_sgd_step_with(dt_tensor *self, dt_tensor *grad,
                                              dt_tensor *momentum_buffer,
                                              const dt_sgd_step_options *options,
                                              dt_tensor **self_out,
                                              dt_tensor **momentum_buffer_out);
DT_API DT_MUST_USE dt_status dt_sgd_step_(dt_tensor *self, dt_tensor *grad,
                                          dt_tensor *momentum_buffer);
DT_API DT_MUST_USE dt_status dt_sgd_step_with_(dt_tensor *self, dt_tensor *grad,
                                               dt_tensor *momentum_buffer,
                                               const dt_sgd_step_options *options);

/* clang-format on */

DT_EXTERN_C_END

#endif
