/* dtensor/nn.h - layers and models. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTENSOR_NN_H
#define DTENSOR_NN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dtensor/dtype.h>
#include <dtensor/module.h>
#include <dtensor/world.h>

DT_EXTERN_C_BEGIN

/*
 * Rules for all functions of this header.
 *
 * - They create a module, as dt_module_create does.  None is collective, but
 *   ranks that use a module must build it alike.
 * - `options` may be NULL; zeros are the defaults.
 * - Parameters have PyTorch's names and shapes, and its initial distributions
 *   unless a comment says otherwise.
 */

/* Options of layers; each layer says which it uses. */
typedef struct dt_nn_options {
    size_t size;           /* sizeof(dt_nn_options) */
    dt_dtype dtype;        /* of the parameters; default f32 */
    bool no_bias;          /* leave out the bias */
    double eps;            /* added to a denominator; 0: the layer's default */
    const dt_init *weight; /* initial weight; NULL: PyTorch's */
    const dt_init *bias;   /* initial bias; NULL: PyTorch's */
} dt_nn_options;

#define DT_NN_OPTIONS_INIT                                                     \
    {                                                                          \
        sizeof(dt_nn_options), DT_F32, false, 0, 0, 0                          \
    }

/*
 * Multiply the last dimension by a matrix and add a bias.
 *
 * Not collective.  Parameters: weight (out_features, in_features), bias
 * (out_features), both uniform between -1/sqrt(in_features) and
 * 1/sqrt(in_features).  Options: dtype, no_bias, weight, bias.
 */
DT_API dt_module *dt_nn_linear(dt_world *world, int64_t in_features,
                               int64_t out_features,
                               const dt_nn_options *options);

DT_EXTERN_C_END

#endif
