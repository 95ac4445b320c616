/* nn/models/transformer.c - what transformers have in common. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <dtensor/layout.h>
#include <dtensor/ops/loss.h>
#include <dtensor/ops/shape.h>
#include <dtensor/redistribute.h>

#include "base/error.h"
#include "nn/layers/layers.h"

static dt_status check_shape(dt_world *world, const dt_transformer *shape)
{
    if (shape->width < 1 || shape->heads < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_transformer: width is %lld and heads is %lld; both "
                        "must be at least 1",
                        (long long)shape->width, (long long)shape->heads);
    if (shape->kv_heads < 1 || shape->heads % shape->kv_heads)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_transformer: %lld heads cannot share %lld heads of "
                        "keys and values; heads must be a multiple of kv_heads",
                        (long long)shape->heads, (long long)shape->kv_heads);
    if (shape->head_width < 1)
        return dti_fail(world, DT_ERR_INVALID,
                        "dt_transformer: width %lld is no multiple of %lld "
                        "heads; set head_width",
                        (long long)shape->width, (long long)shape->heads);
    return DT_OK;
}

const dt_transformer *dti_transformer_read(dt_world *world,
                                           const dt_transformer *given,
                                           dt_transformer *out)
{
    dt_transformer usual = DT_TRANSFORMER_INIT;
    if (!given) {
        dti_fail_null(world, "dt_transformer", "shape");
        return NULL;
    }
    given = dti_options_read(world, given, &usual, sizeof usual,
                             "DT_TRANSFORMER_INIT");
    if (!given)
        return NULL;
    *out = *given;
    if (!out->kv_heads)
        out->kv_heads = out->heads;
    if (!out->head_width && out->heads > 0 && out->width % out->heads == 0)
        out->head_width = out->width / out->heads;
    if (!out->hidden)
        out->hidden = 4 * out->width;
    if (!(out->eps > 0))
        out->eps = 1e-5;
    return check_shape(world, out) == DT_OK ? out : NULL;
}

dt_module *dti_projection(dt_world *world, const dt_transformer *shape,
                          int64_t in, int64_t out, double deviation)
{
    dt_nn_options options = DT_NN_OPTIONS_INIT;
    const dt_init weight = {DT_INIT_NORMAL, 0, deviation, NULL};
    const dt_init bias = {DT_INIT_ZEROS, 0, 0, NULL};
    options.dtype = shape->dtype;
    options.no_bias = shape->no_bias;
    options.weight = &weight;
    options.bias = &bias;
    return dt_nn_linear(world, in, out, &options);
}

double dti_residual_deviation(const dt_transformer *shape)
{
    return shape->layers > 0 ? 0.02 / sqrt(2 * (double)shape->layers) : 0.02;
}

/* The layout with every mesh dimension replicated, as text. */
static const char *replicated(dt_tensor *tensor)
{
    dt_placement all[DT_MAX_NDIM];
    const int ndim = dt_mesh_ndim(dt_tensor_mesh(tensor));
    for (int i = 0; i < ndim; i++)
        all[i] = dt_replicate();
    const dt_layout layout = dt_layout_of(all, ndim);
    return dt_layout_text(dt_tensor_world(tensor), &layout);
}

dt_tensor *dt_token_loss(dt_tensor *logits, dt_tensor *targets)
{
    /* Classes are the second dimension. */
    dt_tensor *loss = dt_cross_entropy_loss(dt_flatten(logits, 0, 1),
                                            dt_flatten(targets, 0, 1), NULL);
    return loss ? dt_redistribute(loss, replicated(loss)) : NULL;
}
