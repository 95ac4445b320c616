/* tests/models/model.c - what the models have in common. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "models/model.h"

#include <math.h>
#include <stdio.h>

const char *model_stream(const model_setup *model)
{
    return model->sequence ? "S(0)S(1)" : "S(0)R";
}

dt_tensor *model_layer_weight(const model_setup *model, int layer,
                              const char *name, const char *layout,
                              dt_shape shape)
{
    char full[64];
    snprintf(full, sizeof full, "layers.%d.%s", layer, name);
    return model->weight(model, full, layout, shape);
}

/* Scores of keys that come after the query, as -inf. */
static dt_tensor *hide_later(dt_tensor *scores)
{
    dt_mesh *mesh = dt_tensor_mesh(scores);
    int64_t time = dt_tensor_dim(scores, dt_tensor_ndim(scores) - 1);
    dt_tensor *at = dt_arange_int(mesh, "RR", DT_I64, 0, time, 1);
    dt_tensor *later = dt_gt(at, dt_unsqueeze(at, 1));
    dt_tensor *never = dt_full(mesh, "RR", dt_tensor_dtype(scores), DT_SHAPE(),
                               -(double)INFINITY);
    return dt_where(later, never, scores);
}

dt_tensor *model_attention(dt_tensor *query, dt_tensor *key, dt_tensor *value)
{
    int64_t heads = dt_tensor_dim(query, 1), groups = dt_tensor_dim(key, 1);
    double scale = 1 / sqrt((double)dt_tensor_dim(query, 3));
    /* (batch, groups, heads of a group, time, width) */
    query = dt_unflatten(query, 1, DT_SHAPE(groups, heads / groups));
    key = dt_unsqueeze(key, 2);
    value = dt_unsqueeze(value, 2);
    dt_tensor *scores = dt_matmul(dt_mul_scalar(query, DT_NUMBER(scale)),
                                  dt_transpose(key, -2, -1));
    dt_tensor *weights = dt_softmax(hide_later(scores), -1);
    return dt_flatten(dt_matmul(weights, value), 1, 2);
}

dt_tensor *model_loss(dt_tensor *logits, dt_tensor *targets)
{
    dt_tensor *whole = dt_redistribute(logits, "S(0)R");
    dt_tensor *chances = dt_log_softmax(whole, -1);
    dt_tensor *picked = dt_gather(chances, 2, dt_unsqueeze(targets, 2));
    return dt_redistribute(dt_neg(dt_mean(picked, DT_DIMS(), false)), "RR");
}
